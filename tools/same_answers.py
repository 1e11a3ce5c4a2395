"""Whether two versions of the code answer alike: the proofs of one then count for the other.

    python -m tools.same_answers --out before.jsonl              # in a checkout of the one version
    python -m tools.same_answers --out after.jsonl               # in one of the other
    python -m tools.same_answers --compare before.jsonl after.jsonl

Where a change may not change answers, asking every placement again would take days. Instead one part in 128 of the
placements of every question of ``tools.margin_proof`` is asked of both versions, those beyond the margins too, and for
every placement the facts that change are compared, not how the reasons are worded. If none differs, ``--compare``
writes both versions into ``tools/same_answers.jsonl``, with the number of answers compared; ``tools.margin_proof`` then
takes results of the one for results of the other, and says so. This is evidence, not proof: what the comparison did not
ask may differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tabletop.geometry.verdict import Margin
from tabletop.judge import ask
from tabletop.judge.asking import HOLDS
from tools.brute_margins import Asked, Brute, settled
from tools.margin_questions import BATTLES, question
from tools.proof_results import ALIKE, Line, Results, code

SEED = 14


def asked(number: int, part: int) -> Line:
    """Ask a part of a question's placements without regard to its margins; return what changes, as a digest."""
    drawn = question(number, SEED)
    verdict = ask(drawn.battle, drawn.question, drawn.args, drawn.options)
    asked_ = Asked(drawn.battle, drawn.question, drawn.args, settled(drawn.options, verdict))
    open_ = {name: Margin(value) for name, value in asked_.facts().items()}
    brute = Brute(asked_, verdict.with_(closeness=open_.pop(HOLDS), attributes=open_))
    before, tried = asked_.times, brute.tried(part)
    changes = [[found.fact, found.id, found.shift, found.turn] for found in tried.found]
    facts = {name: str(value) for name, value in brute.facts.items()}
    unworded = {key: value for key, value in verdict.as_json().items() if key != "because"}  # how it is said is no fact
    text = json.dumps([unworded, facts, changes], sort_keys=True)
    return {
        "question": number,
        "part": part,
        "rules": drawn.battle.rules,
        "code": code(drawn.battle.rules),
        "answers": asked_.times - before,
        "changes": len(changes),
        "digest": hashlib.sha256(text.encode()).hexdigest()[:16],
    }


def compare(one: Results, other: Results) -> int:
    """Compare two files question by question; record the versions for a rule set as alike if none of
    its questions differs. Return how many differ."""
    first, second = ({(line["question"], line["part"]): line for line in results.lines()} for results in (one, other))
    both = sorted(first.keys() & second.keys())
    differ = [key for key in both if first[key]["digest"] != second[key]["digest"]]
    for number, part in differ:
        print(f"question {number}, part {part}: {first[number, part]} against {second[number, part]}")
    for rules in BATTLES:
        keys = [key for key in both if first[key]["rules"] == rules]
        answers = sum(first[key]["answers"] for key in keys)
        print(f"{rules}: {len(keys)} questions, {answers} answers, {sum(key in differ for key in keys)} differ")
        codes = sorted({line["code"] for key in keys for line in (first[key], second[key])})
        if keys and len(codes) == 2 and not any(key in differ for key in keys):
            changes = sum(first[key]["changes"] for key in keys)
            ALIKE.add({"codes": codes, "questions": len(keys), "answers": answers, "changes": changes})
    return len(differ)


def main(words: Sequence[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="the file of results")
    parser.add_argument("--questions", type=int, default=300, help="how many questions")
    parser.add_argument("--part", type=int, default=0, help="which part of their placements")
    parser.add_argument("--rules", choices=sorted(BATTLES), help="questions of these rules alone")
    parser.add_argument("--compare", nargs=2, type=Path, metavar="FILE", help="compare two files of results")
    given = parser.parse_args(words)
    if given.compare:
        return int(compare(*map(Results, given.compare)) > 0)
    if given.out is None:
        parser.error("say where the results go (--out FILE), or which to compare (--compare ONE OTHER)")
    results = Results(given.out)
    done = {line["question"] for line in results.lines() if line["part"] == given.part}
    for number in range(given.questions):
        if number not in done and given.rules in (None, question(number, SEED).battle.rules):
            line = asked(number, given.part)
            results.add(line)
            print(f"[{given.questions - number - 1} left] {line}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
