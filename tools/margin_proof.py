"""Proof that margins are true: brute force looks for any one shift or turn smaller than the reported margin.

    python -m tools.margin_proof --questions 300                  # everything: many hours; Ctrl-C keeps what is done
    python -m tools.margin_proof --questions 300 --parts 16       # an eighth of every question's placements
    python -m tools.margin_proof --from 40 --count 20             # questions 40 to 59; also --rules tse
    python -m tools.margin_proof --from 116 --count 1 --reached   # nothing beyond the end of the search for its margin
    python -m tools.margin_proof --again '{"question": 7, ...}'   # ask one line of the results again
    python -m tools.margin_proof --told                           # summary of the record and the file of results
    python -m tools.margin_proof --renew                          # after a change of the search for margins alone
    python -m tools.margin_proof --pack margin-proof.jsonl        # add a file of results to the record

Random questions of all kinds on the maps of both rule sets are judged with their margins. For each question every unit
and piece of terrain that can matter is shifted in 64 directions in steps of 0.05 in up to 2 in and turned in steps of a
quarter degree up to 30 degrees, and everything else on the table at random; and the placements that the verdict names
are checked. Every placement that changes a fact and is smaller than the margin by more than 0.02 in (0.25 degrees) is
reported in one line as a counterexample; changes beyond the range that the verdict says was searched are counted
separately. Where an answer takes very long, ``--reached`` leaves out and counts the placements beyond that range, which
cannot be counterexamples. First some parts of the placements of all questions are asked (``--at-once``), then the next:
they share one search for the margin. The file of results (``--out``) has one line per part, with the version of the
code that answered and of the search: when restarted, the program continues, and asks again what other code answered.
Two processes share the work by using two files and ``--from``.

Where only the search has changed, ``--renew`` judges each question of the record again: what the brute force found
among its answers proves the new margins as long as they are no larger than the old ones.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tabletop.geometry import fast
from tabletop.geometry.verdict import Verdict
from tools.brute_margins import DIRECTIONS, PARTS, STEPS, Asked, Brute, judged, liars
from tools.margin_questions import BATTLES, ROOT, Drawn, question
from tools.proof_results import COUNTED, Line, Results, alike, asked_parts, code, packed, renewed, search, version

SEED = 14
#: The record of what was asked, kept beside the code.
RECORD = Results(ROOT / "tools/margin_proof.jsonl")


def proved(
    drawn: Drawn, parts: Sequence[int], patience: float = math.inf, reached: bool = False
) -> Iterator[dict[str, Any]]:
    """Search a question's margins, ask parts of its placements, and yield a line of results for each part.

    It stops before a part that takes more seconds than ``patience``. With ``reached``, nothing is asked beyond the end
    of the search for the margins.
    """
    began = time.process_time()
    asked, verdict = judged(drawn.battle, drawn.question, drawn.args, drawn.options)
    searched = time.process_time() - began
    in_vain = _in_vain(asked, verdict)
    brute = Brute(asked, verdict, patience, reached)
    for part in parts:
        began, times = time.process_time(), asked.times
        try:
            tried = brute.tried(part)
        except TimeoutError:
            return
        yield {
            "question": drawn.number,
            "part": part,
            "kind": drawn.question,
            "place": drawn.place,
            **_margins(brute, verdict),
            **{
                name: getattr(tried, name)
                for name in ("shifts", "turns", "drawn", "spared", "things", "others", "beyond", "past")
            },
            "answers": asked.times - times,
            "seconds": {"margin": round(searched, 2), "brute": round(time.process_time() - began, 2)},
            "found": [*in_vain, *(counterexample.as_json() for counterexample in tried.found)],
        }


def _in_vain(asked: Asked, verdict: Verdict) -> list[Line]:
    """Return counterexamples for the placements that a verdict names but that do not change the fact."""
    return [{"fact": fact, "id": by.id, "in vain": True} for fact, by in liars(asked, verdict)]


def _margins(brute: Brute, verdict: Verdict) -> Line:
    """Return the fields of a line that say what the search found."""
    reached = verdict.searched
    return {
        "search": search(),
        "told": {name: [m.shift, m.turn] for name, m in brute.told.items()},
        "reached": None if reached is None else [reached.shift, reached.turn],
        "steps": None if reached is None else [reached.apart, reached.step],
    }


def renew(given: argparse.Namespace) -> int:
    """Judge each question of the record again that code answering like this one was asked, with another search.

    A line that proves the new margins too is kept with them; any other stays as it is, and its parts are to be asked
    again. Return how many do not prove the new margins, or hold a counterexample to them.
    """
    codes, wrong, kept = {digest for rules in BATTLES for digest in alike(rules)}, 0, []
    lines = list(RECORD.lines())
    for number, line in enumerate(lines, 1):
        if line.get("code") in codes and line.get("search") != search():
            drawn = question(line["question"], line["seed"])
            asked, verdict = judged(drawn.battle, drawn.question, drawn.args, drawn.options)
            brute = Brute(asked, verdict)
            renewed_line = renewed(line, _margins(brute, verdict))
            if renewed_line is not None:
                line = {**renewed_line, "found": [*_in_vain(asked, verdict), *_still(brute, line["found"])]}
            wrong += renewed_line is None or bool(line["found"])
            text = "not proved" if renewed_line is None else f"{len(line['found'])} counterexamples"
            print(f"[{len(lines) - number} left] {drawn}: {text}", flush=True)
        kept.append(line)
    RECORD.keep(packed(kept))
    return wrong


def _still(brute: Brute, found: list[Line]) -> list[Line]:
    """Return those of some counterexamples that are counterexamples to these margins too."""
    return [one for one in found if "in vain" not in one and brute.contradicted_by(one)]


def run(given: argparse.Namespace) -> int:
    """Ask all questions, some parts at once; return how many lines report counterexamples."""
    results, codes = Results(given.out), {rules: code(rules) for rules in BATTLES}
    versions = [(digest, search()) for rules in BATTLES for digest in alike(rules)]
    done, wrong = {*results.done(given.seed, versions), *RECORD.done(given.seed, versions)}, 0
    numbers: Sequence[int] = range(given.first, given.first + given.count)
    end = given.part + given.parts
    if given.rules:
        numbers = [number for number in numbers if question(number, given.seed).battle.rules == given.rules]
    blocks = [range(k, min(k + given.at_once, end)) for k in range(given.part, end, given.at_once)]
    todo = [(n, [p for p in block if (n, p) not in done]) for block in blocks for n in numbers]
    left = sum(len(parts) for _, parts in todo)
    print(f"{left} parts of questions to ask, {len(done)} done", flush=True)
    dear: set[int] = set()
    for number, parts in todo:
        drawn, asked_before = question(number, given.seed), left
        if number in dear or not parts:
            continue
        for line in proved(drawn, parts, given.patience, given.reached):
            results.add({"seed": given.seed, "commit": commit(), "code": codes[drawn.battle.rules], **line})
            left, wrong, took = left - 1, wrong + bool(line["found"]), line["seconds"]
            print(f"[{left} left] part {line['part']} of {drawn}: {line['answers']} answers, {took} s", flush=True)
            for counterexample in line["found"]:
                print(
                    "    COUNTEREXAMPLE " + json.dumps({"question": number, "seed": given.seed, **counterexample}),
                    flush=True,
                )
        if asked_before - left < len(parts):
            dear.add(number)
            print(f"    PUT OFF {drawn}: a part takes over {given.patience:g} s", flush=True)
    return wrong


def again(line: str) -> int:
    """Ask one counterexample again; return 1 if it still is one."""
    given = json.loads(line)
    drawn = question(given["question"], given.get("seed", SEED))
    asked, verdict = judged(drawn.battle, drawn.question, drawn.args, drawn.options)
    print(drawn)
    if given.get("in vain"):
        return int(any(fact == given["fact"] for fact, _ in liars(asked, verdict)))
    brute = Brute(asked, verdict)
    placement = brute.placement(given)
    changed = asked.changed(placement, brute.facts)
    margin = brute.told[given["fact"]]
    print(f"{given['fact']} is {brute.facts[given['fact']]!r}; margin {margin.shift}, turn {margin.turn}")
    print(f"{placement.as_json()} changes {', '.join(sorted(changed)) or 'nothing'}")
    return int(brute.contradicted_by(given))


def told(results: Results, seed: int) -> None:
    """Print a summary of the record and the file of results."""
    lines = packed(line for line in (*RECORD.lines(), *results.lines()) if line["seed"] == seed and "code" in line)
    own, counted = ({(x, search()) for rules in BATTLES for x in of(rules)} for of in (lambda r: {code(r)}, alike))
    for title, versions in (("this code", own), ("code found to answer alike", counted), ("all versions", None)):
        kept = [line for line in lines if versions is None or version(line) in versions]
        parts = asked_parts(kept)
        wholly = sum(len(some) >= PARTS for some in parts.values())
        print(f"{title}: questions {len(parts)}, all of {PARTS} parts {wholly}, parts {sum(map(len, parts.values()))}")
        for name in COUNTED:
            print(f"  {name:8s} {sum(line.get(name, 0) for line in kept)}")
        print(f"  things that can matter {sum(x['things'] for x in kept)}, others {sum(x['others'] for x in kept)}")
        print(f"  {DIRECTIONS} directions, {STEPS} steps; kinds {dict(Counter(line['kind'] for line in kept))}")
        print(f"  places {dict(Counter(line['place'] for line in kept))}")
        bad = [line for line in kept if line["found"]]
        print(f"  questions with counterexamples {len(bad)}")
        for line in bad:
            least = min(line["found"], key=lambda counterexample: counterexample.get("distance", 0.0))
            print("  " + json.dumps({"question": line["question"], "seed": seed, **least}))


def commit() -> str:
    """Return the commit that is checked out, or ""."""
    words = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", "--count", dest="count", type=int, default=300, help="how many questions")
    parser.add_argument("--from", dest="first", type=int, default=0, help="number of the first")
    parser.add_argument("--part", type=int, default=0, help="the first part of their placements")
    parser.add_argument("--parts", type=int, default=PARTS, help=f"how many of the {PARTS} parts")
    parser.add_argument("--at-once", type=int, default=16, help="parts asked after one search for the margin")
    parser.add_argument("--patience", type=float, default=math.inf, help="seconds after which a part is put off")
    parser.add_argument("--reached", action="store_true", help="ask nothing beyond the end of the search")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rules", choices=sorted(BATTLES), help="questions of these rules alone")
    parser.add_argument("--out", type=Path, default=Path("margin-proof.jsonl"), help="the file of results")
    parser.add_argument("--plain", action="store_true", help="without compiled kernels")
    parser.add_argument("--again", metavar="LINE", help="a counterexample to ask anew")
    parser.add_argument("--pack", nargs="+", type=Path, metavar="FILE", help="add files of results to the record")
    parser.add_argument("--renew", action="store_true", help="judge the questions of the record again")
    parser.add_argument("--told", action="store_true", help="say what the file of results comes to")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, the process would ignore it
    if given.pack:
        RECORD.keep(packed(line for file in (RECORD, *map(Results, given.pack)) for line in file.lines()))
        return 0
    if given.told:
        told(Results(given.out), given.seed)
        return 0
    if not given.plain and fast.installed():
        fast.warm()
    if given.again:
        return again(given.again)
    try:
        return 1 if (renew if given.renew else run)(given) else 0
    except KeyboardInterrupt:
        print("\nstopped; the record is as it was" if given.renew else f"\nstopped; {given.out} has what is done")
        return 130


if __name__ == "__main__":
    sys.exit(main())
