"""Proof that a rule's tests check its function: a mutant of the function that a test of the rule notices.

    python -m tools.coverage_proof             look for a mutant for every rule that has none that still applies
    python -m tools.coverage_proof TSE-ASL-42  the same for these rules only
    python -m tools.coverage_proof --budget 300 --seconds 5 --tests 30 TSE-ASL-42  look longer, and at more of its tests
    python -m tools.coverage_proof --check     run every recorded mutant again, and report those no longer noticed

A rule is proved by a mutant of a function that names it, with one limit, comparison or branch changed, and a test that
names it too and fails with the mutant by an assertion of its own: the mutant must not raise. For a rule that is a
number in a table, that number is changed. Tests run in forks of one process that has collected them. Results are kept
in ``tools/coverage_proof.jsonl``, one line per rule, and shown in the tables that ``python -m tools.coverage`` writes;
a rule without a line is open.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tools import coverage
from tools.data_mutants import DataMutant, Reading, data_mutants
from tools.mutant_runner import Settled, awaited, limited, put_in, standing_functions
from tools.mutants import Mutant
from tools.proofs import RECORD, Proof, mutants_of, recorded, test_named

ROOT = coverage.ROOT
#: What may be changed: a limit, a comparison, a branch, a number; the smallest changes first.
KINDS = (
    "boundary",
    "logic",
    "equality",
    "negated",
    "condition",
    "dropped",
    "other end",
    "answer",
    "statement",
    "number",
)
#: Mutants tried for a rule; processor seconds that its tests may take with one mutant, and with all of them; wall-clock
#: seconds for one.
MOST, SECONDS, BUDGET, PATIENCE = 40, 20, 30.0, 400.0
#: Tests of a rule that are run, and cases of one parametrized test.
TESTS, CASES = 12, 4
#: Tests that are run last: they check through the screen, files and whole battles what others check directly.
LAST = ("tests/render", "tests/play", "tests/terminal", "tests/games", "tests/test_cli.py")


def _write(proofs: dict[str, Proof]) -> None:
    text = "".join(json.dumps(asdict(proofs[rule])) + "\n" for rule in sorted(proofs))
    part = RECORD.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(RECORD)


def candidates(row: coverage.Row) -> list[Mutant]:
    """Return the mutants of the functions that name a rule, those of functions that name the fewest rules first."""
    names = coverage.rules_named()
    ranked = []
    for place in row.functions:
        file, _, name = place.partition(":")
        if file.endswith(".py"):
            crowd = len(names[place])
            ranked += [(crowd, KINDS.index(m.operator), m) for m in mutants_of(file) if _within(m, name)]
    return [mutant for *_, mutant in sorted(ranked, key=lambda entry: entry[:2])]


def data_candidates(row: coverage.Row) -> list[DataMutant]:
    """Return the mutants of the data lines that name a rule: the defaults before what may be chosen."""
    files = [place for place in row.functions if place.endswith(".toml")]
    mutants = [mutant for file in files for mutant in data_mutants(file, lambda text: row.id in coverage.ids_in(text))]
    return sorted(mutants, key=lambda mutant: mutant.where.endswith(".values"))


def _within(mutant: Mutant, name: str) -> bool:
    """Return whether a mutant changes a limit, comparison or branch inside a function or class."""
    telling = mutant.operator != "statement" or mutant.was.startswith("if ")
    return mutant.operator in KINDS and telling and name in mutant.where.split(".")


class Lines:
    """Records which lines of some files are executed while it traces."""

    def __init__(self, files: set[str]) -> None:
        self.files = {str((ROOT / file).resolve()): file for file in files}
        self.passed: set[tuple[str, int]] = set()

    def trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        file = self.files.get(frame.f_code.co_filename)
        if file is None:
            return None

        def inner(frame: FrameType, event: str, arg: Any) -> Any:
            self.passed.add((file, frame.f_lineno))
            return inner

        return inner


class Prover(Settled):
    """Looks for a proof of every rule it is given, in place of pytest's test loop."""

    def __init__(self, rows: Sequence[coverage.Row], again: dict[str, Proof], words: argparse.Namespace) -> None:
        self.rows, self.again = rows, again
        self.budget, self.seconds, self.most = words.budget, words.seconds, words.tests
        self.proofs: dict[str, Proof] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        for place in {place for row in self.rows for place in row.functions if ".py:" in place}:
            importlib.import_module(place.partition(".py:")[0].replace("/", "."))
        self.functions, self.reading = standing_functions(), Reading()
        gc.collect()
        gc.freeze()
        for n, row in enumerate(self.rows, 1):
            proof = self.checked(row) if self.again else self.proved(row)
            if proof is not None:
                self.proofs[row.id] = proof
                if not self.again:
                    _write(recorded() | {row.id: proof})
            outcome = f"{proof.where}: {proof.was} -> {proof.now}, by {proof.test}" if proof else "OPEN"
            print(f"{n}/{len(self.rows)} {row.id} {outcome}", flush=True)
        return True

    def checked(self, row: coverage.Row) -> Proof | None:
        """Return the recorded proof if the test still notices the mutant."""
        proof = self.again[row.id]
        collected = proof.test in self.items
        return proof if collected and any(self.failing(mutant, [proof.test]) for mutant in proof.mutants()) else None

    def proved(self, row: coverage.Row) -> Proof | None:
        """Return the first mutant found of a rule's functions that one of its tests notices."""
        tests = self.tests(row)
        mutants = candidates(row)
        tests, passed = self.passed(tests, {mutant.file for mutant in mutants}) if tests and mutants else (tests, set())
        reached = [m for m in mutants if any((m.file, line) in passed for line in range(m.line, m.last + 1))]
        of_data = data_candidates(row) if tests else []
        end = _of_forks() + self.budget
        both: list[Mutant | DataMutant] = [*of_data[:MOST], *reached[:MOST]]
        for mutant in both:
            test = self.failing(mutant, tests) if _of_forks() < end else ""
            if test and not (isinstance(mutant, DataMutant) and self.failing(None, [test])):  # passes if only re-read
                return Proof(row.id, mutant.file, mutant.where, mutant.was, mutant.now, test)
        return None

    def tests(self, row: coverage.Row) -> list[str]:
        """Return tests that name a rule, at most ``most`` and ``CASES`` of each; those of the screen last."""
        tests: list[str] = []
        for name in sorted(row.tests, key=lambda name: (name.startswith(LAST), name)):
            tests += [test for test in self.items if test_named(test) == name][:CASES]
        return tests[: self.most]

    def passed(self, tests: list[str], files: set[str]) -> tuple[list[str], set[tuple[str, int]]]:
        """Return the tests that pass, the quickest first, and the lines of some files that they execute.

        Determined in a fork.
        """
        read, write = os.pipe()
        child = os.fork()
        if not child:
            lines, took = Lines(files), dict[str, float]()
            _quietly()
            sys.settrace(lines.trace)
            for test in tests:
                start = time.process_time()
                reports = runtestprotocol(self.items[test], log=False, nextitem=None)
                if all(report.passed for report in reports):
                    took[test] = round(time.process_time() - start, 1)
            sys.settrace(None)
            with os.fdopen(write, "w") as out:
                json.dump((sorted(took, key=took.__getitem__), sorted(lines.passed)), out)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        quickest_first, executed = json.loads(text) if text else (tests, [])
        return quickest_first, {(file, line) for file, line in executed}

    def failing(self, mutant: Mutant | DataMutant | None, tests: list[str]) -> str:
        """Return the first test that fails by its own assertion with a mutant; "" if none does.

        With no mutant, tables are only read again, and a test that fails in any way is returned.
        """
        read, write = os.pipe()
        child = os.fork()
        if not child:
            status = 1
            try:
                _quietly()
                limited(self.seconds)
                if self.put_in(mutant):
                    os.write(write, self.first_failing(tests, any_way=mutant is None).encode())
                    status = 0
            finally:
                os._exit(status)
        os.close(write)
        awaited(child, PATIENCE)
        with os.fdopen(read) as pipe:
            return pipe.read()

    def put_in(self, mutant: Mutant | DataMutant | None) -> bool:
        """Apply a mutant in this process; return whether that was possible."""
        if isinstance(mutant, Mutant):
            return put_in(mutant, self.functions)
        self.reading.begin(mutant)
        return True

    def first_failing(self, tests: list[str], any_way: bool = False) -> str:
        for test in tests:
            for report in runtestprotocol(self.items[test], log=False, nextitem=None):
                if report.failed:  # a mutant under which anything else fails first proves nothing
                    return test if any_way or _asserted(report) else ""
        return ""


def _asserted(report: pytest.TestReport) -> bool:
    """Return whether a test failed while it ran, by an assertion of the tests or because an expected error was not
    raised."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if report.when != "call" or crash is None:
        return False
    in_tests = "tests" in Path(crash.path).relative_to(ROOT).parts[:1] if Path(crash.path).is_absolute() else True
    return in_tests and crash.message.startswith(("assert", "AssertionError", "Failed: DID NOT RAISE"))


def _of_forks() -> float:
    """Return the processor seconds that all forks together have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _quietly() -> None:
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def held_rows() -> list[coverage.Row]:
    """Return the rules that must be traced and have a function in code and a test."""
    return [row for book in coverage.BOOKS for row in coverage.rows(book) if row.part in book.held]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", nargs="*", help="rules to prove anew; every rule without a proof unless given")
    parser.add_argument("--check", action="store_true", help="run every recorded mutant again")
    parser.add_argument("--budget", type=float, default=BUDGET, help="seconds of the processor for a rule's mutants")
    parser.add_argument("--tests", type=int, default=TESTS, help="tests of a rule that are run")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="seconds of the processor for one mutant")
    words = parser.parse_args()
    rows = held_rows()
    proofs = {row.id: row.proof for row in rows if row.proof is not None}
    if words.check:
        wanted = [row for row in rows if row.id in proofs]
        files = {proof.test.partition("::")[0] for proof in proofs.values()}
    else:
        wanted = [row for row in rows if row.id in words.rules or not (words.rules or row.id in proofs)]
        files = {test.partition(":")[0] for row in wanted for test in row.tests}
        _write(proofs)
    prover = Prover(wanted, proofs if words.check else {}, words)
    flags = [
        "-q",
        "--plain",
        "--capture=sys",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:cov",
        "-p",
        "no:xdist",
        "-p",
        "no:randomly",
    ]
    if wanted:
        pytest.main([*flags, *sorted(files)], plugins=[prover])
    lost = [row.id for row in wanted if row.id not in prover.proofs]
    print(f"{len(wanted) - len(lost)} of {len(wanted)} proved" + (f"; open: {', '.join(lost)}" if lost else ""))
    return 1 if words.check and lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
