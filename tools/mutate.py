"""How well the tests check geometry and the rules: small changes to the code, and which of them no test notices.

    python -m tools.mutate                     every changed limit, and a sample of the other changes
    python -m tools.mutate --again             the survivors once more, with the current tests
    python -m tools.mutate --report            the figures, and the changed limits that survive unexplained
    python -m tools.mutate --kernels           the kernels and the law of sight only

It works on a copy of the committed tree in a separate folder (``--folder``), where it continues if it was stopped.
Survivors are listed in ``mutants_triaged.toml`` with a reason: "equivalent" (no verdict changes: left out of the score)
or "open" (it counts as surviving). Slow: an hour and more.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tools.mutants import OPERATORS, Key, Mutant, all_mutants

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("tabletop/geometry", "tabletop/rules/tse")
KERNELS = ("tabletop/geometry/kernels", "tabletop/geometry/sight")
#: Environment in which kernels run as plain Python.
UNCOMPILED = {"PYTEST_ADDOPTS": "--plain"}
#: This operator is run completely; of the others a sample.
WHOLE = "boundary"
TRIAGED = ROOT / "tools/mutants_triaged.toml"
OWN = ("tools/__init__.py", "tools/mutants.py", "tools/mutant_runner.py")
NAMES = [entry.name for entry in fields(Mutant)]
#: Standard deviations of a 95 % confidence interval.
WIDTH = 1.96
COLUMNS = ("there", "run", "killed", "timeout", "equivalent", "survived")


@dataclass(frozen=True)
class Result:
    """The outcome of a mutant: "killed", "timeout", "survived" or "equivalent"; and the test that killed it."""

    mutant: Mutant
    outcome: str
    by: str
    tried: int
    left: int

    @property
    def held(self) -> bool:
        return self.outcome in ("killed", "timeout")


def prepare(folder: Path, commit: str) -> None:
    """Make the copy of a commit, unless it exists, and put this tool into it."""
    if not (folder / "tabletop").exists():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as tree:
            tree.extractall(folder, filter="data")
    (folder / ".mutants").mkdir(exist_ok=True)
    for name in OWN:
        shutil.copy(ROOT / name, folder / name)


def renew_tests(folder: Path) -> list[str]:
    """Copy the current tests into the copy; return the test files that are new or changed."""
    changed = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        name = path.relative_to(ROOT)
        if not (folder / name).exists() or (folder / name).read_bytes() != path.read_bytes():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / name)
            changed.append(name.as_posix())
    return [name for name in changed if Path(name).name.startswith("test_")]


def trace(folder: Path, changed: Sequence[str], words: argparse.Namespace) -> None:
    """Record which test executes which line of ``changed``, unless that is known, for the requested tests."""
    if not (folder / ".mutants/traces.json").exists():
        ignored = [f"--ignore={path}" for path in words.without]
        subprocess.run([*nice(), "map", *changed, *words.only, *ignored], cwd=folder, check=False)


def nice() -> list[str]:
    quietly = ["nice", "-n", "10"] if os.name == "posix" else []
    return [*quietly, sys.executable, "-m", "tools.mutant_runner"]


def drawn(mutants: Sequence[Mutant], sample: int, seed: int) -> list[Mutant]:
    """Return every changed limit, and ``sample`` mutants of each other operator, shuffled so that a partial run is
    fair."""
    whole, chosen = [mutant for mutant in mutants if mutant.operator == WHOLE], list[Mutant]()
    for operator in OPERATORS:
        these = [mutant for mutant in mutants if mutant.operator == operator != WHOLE]
        chosen += random.Random(f"{seed} {operator}").sample(these, min(sample, len(these)))
    random.Random(seed).shuffle(chosen)
    return whole + chosen


def hunt(folder: Path, todo: Sequence[Mutant], words: argparse.Namespace) -> None:
    """Run mutants in several processes, each with its share."""
    at_work = []
    for n in range(words.workers):
        own = folder / ".mutants" / f"worker-{n}"
        own.mkdir(exist_ok=True)
        share = [asdict(mutant) for mutant in todo[n :: words.workers]]
        task = {"mutants": share, "budget": words.budget, "first": words.first, "only": words.only}
        (own / "todo.json").write_text(json.dumps(task))
        with (own / "log.txt").open("a") as log:
            command = [*nice(), "run", str(own / "todo.json")]
            at_work.append(subprocess.Popen(command, cwd=folder, stdout=log, stderr=log))
    for process in at_work:
        process.wait()
    for own in sorted((folder / ".mutants").glob("worker-*/results.jsonl")):
        with (folder / ".mutants/results.jsonl").open("a") as out:
            out.write(own.read_text())
        own.unlink()


def results(folder: Path) -> dict[Mutant, Result]:
    """Return the result of each mutant; the last one counts, and a recorded reason makes a survivor equivalent."""
    same = {key for key, (kind, _) in triaged().items() if kind == "equivalent"}
    by_mutant: dict[Mutant, Result] = {}
    path = folder / ".mutants/results.jsonl"
    parts = [path, *sorted(path.parent.glob("worker-*/results.jsonl"))]
    for line in (line for part in parts if part.exists() for line in part.read_text().splitlines()):
        row = json.loads(line)
        mutant = Mutant(**{name: row[name] for name in NAMES})
        outcome = row["outcome"]
        if outcome == "survived" and mutant.key in same:
            outcome = "equivalent"
        if row["tried"] or mutant not in by_mutant or not by_mutant[mutant].held:
            by_mutant[mutant] = Result(mutant, outcome, row["by"], row["tried"], row["left"])
    return by_mutant


def unneeded(mutants: Iterable[Mutant], found: Mapping[Mutant, Result]) -> dict[Mutant, Result]:
    """Return those of ``mutants`` that need not be run because they are recorded as equivalent."""
    same = {key for key, (kind, _) in triaged().items() if kind == "equivalent"}
    new = (mutant for mutant in mutants if mutant not in found and mutant.key in same)
    return {mutant: Result(mutant, "equivalent", "", 0, 0) for mutant in new}


def triaged() -> dict[Key, tuple[str, str]]:
    """Return what is recorded of survivors, by their keys: "equivalent" or "open", and why."""
    groups = tomllib.loads(TRIAGED.read_text(encoding="utf-8")).get("group", []) if TRIAGED.exists() else []
    return {
        (file, where, was, now): (group["kind"], group["reason"])
        for group in groups
        for file, where, was, now in group["mutants"]
    }


def interval(held: int, of: int) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval for a share.

    >>> [round(end, 3) for end in interval(85, 100)]
    [0.767, 0.907]
    """
    if not of:
        return 0.0, 1.0
    share, z2 = held / of, WIDTH * WIDTH
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = WIDTH / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return middle - half, middle + half


def report(found: Iterable[Result], there: Counter[str]) -> str:
    """Return the table: per operator how many mutants exist, were run and killed, and the score."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for result in found:
        groups[result.mutant.operator].append(result)
    lines = [f"{'operator':12}" + "".join(f"{column:>12}" for column in COLUMNS) + "  score"]
    score = spread = weight = 0.0
    for operator in (operator for operator in OPERATORS if groups[operator]):
        n = Counter(result.outcome for result in groups[operator])
        held, of = n["killed"] + n["timeout"], sum(n.values()) - n["equivalent"]
        counts = (there[operator], sum(n.values()), *(n[outcome] for outcome in COLUMNS[2:]))
        row = f"{operator:12}" + "".join(f"{figure:12}" for figure in counts)
        if not of:
            lines.append(f"{row}  none run yet")
            continue
        low, high = (held / of,) * 2 if sum(n.values()) == there[operator] else interval(held, of)
        lines.append(f"{row}  {100 * held / of:.0f} % ({100 * low:.0f} to {100 * high:.0f})")
        score += there[operator] * held / of
        spread += (there[operator] * (high - low) / 2) ** 2
        weight += there[operator]
    if not weight:
        return "\n".join([*lines, "no score yet: run without --report"])
    half = math.sqrt(spread)
    lines.append(f"all, weighted by how many there are: {100 * score / weight:.1f} % +- {100 * half / weight:.1f}")
    return "\n".join(lines)


def survivors(found: Iterable[Result]) -> list[Result]:
    return [result for result in found if result.outcome == "survived"]


def read(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="where the copy is made (else a folder for temporary files)")
    parser.add_argument("--commit", default="HEAD", help="the commit to copy, when the folder is new")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each operator but the changed limits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=30.0, help="seconds of tests for a mutant")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--operators", nargs="*", default=[*OPERATORS], help="keep to these")
    parser.add_argument("--all", action="store_true", help="run those too that are known to be equivalent")
    parser.add_argument("--again", action="store_true", help="the survivors, with the tests as they stand now")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--kernels", action="store_true", help="the kernels in place of all else")
    parser.add_argument("--first", nargs="*", default=[], help="tests to try first (how their ids begin)")
    parser.add_argument("--without", nargs="*", default=[], help="test files and folders to do without (the dear ones)")
    parser.add_argument("--only", nargs="*", default=[], help="test files to keep to")
    given = parser.parse_args(words)
    given.folder = given.folder or Path(tempfile.gettempdir()) / f"tabletop-mutants{'-kernels' * given.kernels}"
    return given


def main(words: Sequence[str] | None = None) -> int:
    """Run and report; return 1 if a changed limit survives without a reason."""
    given = read(words)
    folders = KERNELS if given.kernels else FOLDERS
    os.environ.update(UNCOMPILED)
    prepare(given.folder, given.commit)
    mutants = all_mutants(given.folder, folders)
    known = results(given.folder)
    chosen = [mutant for mutant in drawn(mutants, given.sample, given.seed) if mutant.operator in given.operators]
    if not given.report:
        trace(given.folder, folders, given)
        if given.again:
            new = renew_tests(given.folder)
            subprocess.run([*nice(), "map", *folders, *new], cwd=given.folder, check=False) if new else None
        known |= {} if given.all else unneeded(chosen, known)
        todo = [result.mutant for result in survivors(known.values())] if given.again else []
        hunt(given.folder, todo or [mutant for mutant in chosen if mutant not in known], given)
        known = results(given.folder)
    known |= unneeded(chosen, known)
    print(report(known.values(), Counter(mutant.operator for mutant in mutants)))
    reasons = triaged()
    left = [result for result in survivors(known.values()) if result.mutant.key not in reasons]
    for result in sorted(
        left, key=lambda survivor: (survivor.mutant.operator != WHOLE, survivor.mutant.file, survivor.mutant.line)
    ):
        print(f"{result.mutant.operator:10} {result.mutant.name}   ({result.tried} tests, {result.left} left out)")
    return 1 if any(result.mutant.operator == WHOLE for result in left) else 0


if __name__ == "__main__":
    sys.exit(main())
