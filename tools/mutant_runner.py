"""The tests, run on mutants: in one process that has imported everything, a fork for each mutant.

Run inside the copy of the tree, by ``tools.mutate``:

    python -m tools.mutant_runner map FOLDERS    which tests execute which line, and how long each takes (or only those
                                                 of some test files named: joined to what is known)
    python -m tools.mutant_runner run FOLDER     the mutants of FOLDER/todo.json, one line each to FOLDER/results.jsonl

A mutant inside a function is applied to the existing function objects, in the fork; one that acts at import time (a
constant, a table read once) gets a separate process that imports the mutated module.
"""

from __future__ import annotations

import builtins
import gc
import importlib.machinery
import json
import operator
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from tools.mutants import METER, Mutant, codes, mutated, watched

WORK = Path(".mutants")
IMPORTED = "(import)"
#: Processor seconds a test may take before its mutant counts as an endless loop: this much, and this many times its
#: usual time.
PATIENCE, TIMES = 10.0, 6.0
#: Assumed seconds of a test about which nothing is known.
UNKNOWN = 0.1
#: Processor seconds all of a mutant's tests may take, plus this many times the budget; and how many times as long they
#: may take by the clock: on a busy machine a mutant is not endless because others run first.
MOST, MOST_TIMES, WAITING = 60, 6, 20
#: Memory (bytes) a mutant may use.
MEMORY = 6 << 30
SURVIVED, KILLED, ENDLESS = "survived", "killed", "timeout"
#: The outcome of a mutant that cannot be applied to existing functions, and the exit status by which a fork reports it.
MISFIT, MISFIT_STATUS = "misfit", 3
#: Left out: they check through the screen, files and other processes what the others check directly.
LEFT_OUT = ("tests/render", "tests/play", "tests/terminal", "tests/test_cli.py")
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}
PLAIN = (int, float, np.generic, np.ndarray, tuple, str)
OTHERS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Is": operator.is_,
    "IsNot": operator.is_not,
    "In": lambda a, b: a in b,
    "NotIn": lambda a, b: a not in b,
}
ARGUMENTS = [
    *(f"--ignore={path}" for path in LEFT_OUT),
    "-q",
    "--capture=sys",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:cov",
    "-p",
    "no:xdist",
]


@dataclass
class Traces:
    """For each file and line the tests that execute it (by index), and each test's seconds."""

    tests: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lines: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    #: For each comparison with a limit, the tests in which the limit is met exactly.
    limits: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Traces:
        return cls(**json.loads((WORK / "traces.json").read_text()))

    def joined(self, other: Traces, files: list[str]) -> Traces:
        """Return these traces with those of the tests in some files replaced by new ones."""
        old = [n for n, test in enumerate(self.tests) if test.split("::")[0] not in files]
        number = {n: k for k, n in enumerate(old)}
        tests = [*(self.tests[n] for n in old), *other.tests]

        def both(mine: dict[str, list[int]], theirs: dict[str, list[int]]) -> dict[str, list[int]]:
            places = sorted({*mine, *theirs})
            kept = {place: [number[n] for n in mine.get(place, []) if n in number] for place in places}
            return {place: kept[place] + [n + len(old) for n in theirs.get(place, [])] for place in places}

        lines = {
            file: both(self.lines.get(file, {}), other.lines.get(file, {}))
            for file in sorted({*self.lines, *other.lines})
        }
        seconds = [*(self.seconds[n] for n in old), *other.seconds]
        return Traces(tests, seconds, lines, both(self.limits, other.limits))

    def over(self, mutant: Mutant) -> set[str]:
        """Return the ids of the tests that can notice a mutant, possibly including IMPORTED.

        They are the tests that execute its lines; for a changed limit, those in which a value lies exactly on the
        limit.
        """
        if mutant.operator == "boundary":
            return {self.tests[n] for n in self.limits.get(site(mutant), [])}
        lines = self.lines.get(mutant.file, {})
        return {self.tests[n] for line in range(mutant.line, mutant.last + 1) for n in lines.get(str(line), [])}

    def over_file(self, file: str) -> set[str]:
        return {self.tests[n] for tests in self.lines.get(file, {}).values() for n in tests}


class Settled:
    """A plugin base: hypothesis draws the same examples every time, and does not shrink failures."""

    def pytest_configure(self) -> None:
        once = settings(derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate])
        settings.register_profile("mutants", once)
        settings.load_profile("mutants")


class Tracer(Settled):
    """Records which test executes which line."""

    def __init__(self, folders: list[str]) -> None:
        import coverage

        include = [f"{folder}/*" for folder in folders]
        self.coverage = coverage.Coverage(data_file=None, include=include, config_file=False)
        self.coverage.start()
        self.coverage.switch_context(IMPORTED)
        self.seconds: dict[str, float] = {IMPORTED: 0.0}
        self.meter = Meter()
        setattr(builtins, METER, self.meter.met)
        import_as({str(path.resolve()): watched for folder in folders for path in Path(folder).rglob("*.py")})
        #: Tests that fail or are skipped without any mutant.
        self.no_use: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for kept in self.caches:
            kept.cache_clear()
        self.coverage.switch_context(item.nodeid)
        self.meter.now = item.nodeid
        start = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - start
            self.coverage.switch_context(IMPORTED)
            self.meter.now = IMPORTED

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: "games/" in item.nodeid)  # the slowest last

    def pytest_collection_finish(self) -> None:
        #: What geometry caches from test to test; tables are few and slow to read, so their caches stay.
        kept = (thing for thing in gc.get_objects() if hasattr(type(thing), "cache_clear"))
        self.caches = [cache for cache in kept if cache.__module__.startswith("tabletop.geometry")]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.no_use.add(report.nodeid)

    def traces(self) -> Traces:
        self.coverage.stop()
        for test in self.no_use:
            self.seconds.pop(test, None)
        data = self.coverage.get_data()
        number = {test: n for n, test in enumerate(self.seconds)}
        lines = {
            Path(file).relative_to(Path.cwd()).as_posix(): {
                str(line): [number[test] for test in tests if test in number]
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        limits = {
            place: [number[test] for test in tests if test in number] for place, tests in self.meter.found.items()
        }
        return Traces(list(number), list(self.seconds.values()), lines, limits)


class Meter:
    """Records in which test each comparison has a value exactly on its limit."""

    def __init__(self) -> None:
        self.now = IMPORTED
        self.found: dict[str, set[str]] = defaultdict(set)

    def met(self, site: str, signs: str, left: Any, right: Any, *later: Callable[[], Any]) -> Any:
        """Return the comparison's result, evaluating later terms only if the earlier ones hold."""
        variant = 0
        answer: Any = True
        for sign, ask in zip(signs.split(), (None, *later), strict=True):
            if ask:
                if not answer:
                    break
                left, right = right, ask()
            if sign in SIGNS:
                self.note(f"{site}:{variant}", left, right)
                variant += 1
            answer = (SIGNS.get(sign) or OTHERS[sign])(left, right)
        return answer

    def note(self, place: str, left: Any, right: Any) -> None:
        if self.now not in self.found[place]:
            same = not isinstance(left, PLAIN) or left == right  # a type with its own ordering may tie anywhere
            if same is not False and np.any(same):
                self.found[place].add(self.now)


def site(mutant: Mutant) -> str:
    """Return the place of a changed limit as the meter names it."""
    return f"{mutant.file}:{mutant.node}:{mutant.variant}"


class Hunt(Settled):
    """Runs mutants in place of pytest's test loop."""

    def __init__(self, folder: Path, todo: list[Mutant], traces: Traces, budget: float, first: list[str]) -> None:
        self.folder, self.todo, self.traces, self.budget = folder, todo, traces, budget
        self.seconds = dict(zip(traces.tests, traces.seconds, strict=True))
        self.first = tuple(first)
        self.killers: dict[str, Counter[str]] = defaultdict(Counter)

    @property
    def most(self) -> int:
        """Processor seconds that all tests of a mutant may take."""
        return int(MOST + MOST_TIMES * self.budget)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.functions = standing_functions()
        for test in self.unsound():
            del self.items[test]
        gc.collect()
        gc.freeze()
        with (self.folder / "results.jsonl").open("a") as out:
            for mutant in self.todo:
                print(json.dumps(asdict(mutant) | self.judge(mutant)), file=out, flush=True)
        return True

    def unsound(self) -> list[str]:
        """Return the tests requested by name that fail without any mutant."""
        tests = [test for test in self.items if self.is_fresh(test)]
        return [test for test in tests if self.forked(None, [test])[0] != SURVIVED]

    def judge(self, mutant: Mutant) -> dict[str, Any]:
        """Return the outcome of a mutant, the test that killed it, and how much was tried."""
        over = self.traces.over(mutant)
        early = (IMPORTED in over or not mutant.where) and bool(over)
        chosen, left = self.chosen(mutant, self.traces.over_file(mutant.file) if early else over)
        if not chosen:
            return {"outcome": SURVIVED, "by": "", "tried": 0, "left": 0, "took": 0.0}
        start = time.monotonic()
        outcome, by = (MISFIT, "") if early else self.forked(mutant, chosen)
        if outcome == MISFIT:
            outcome, by = self.elsewhere(mutant, chosen)
        if by:
            self.killers[mutant.file][by] += 1
        took = round(time.monotonic() - start, 1)
        return {"outcome": outcome, "by": by, "tried": len(chosen), "left": left, "took": took}

    def chosen(self, mutant: Mutant, tests: set[str]) -> tuple[list[str], int]:
        """Return the tests to run, within the budget, and how many are left out: first those that have killed
        before, then file by file in turn, the quickest of each, because a hundred quick tests of one thing notice
        nothing else."""
        killers = self.killers[mutant.file]
        fresh = {test for test in self.items if self.is_fresh(test)}
        ranked = sorted((tests | fresh) & self.items.keys(), key=lambda test: self.rank(test, killers[test], fresh))
        turns = Counter[str]()
        order: list[tuple[bool, int, str]] = []
        for test in ranked:
            file = test.split("::")[0]
            turns[file] += 1
            order.append((test not in fresh, 0 if killers[test] else turns[file], test))
        order.sort(key=lambda entry: entry[:2])
        chosen: list[str] = []
        spent = 0.0
        for *_, test in order:
            spent += self.seconds.get(test, UNKNOWN)
            if spent > self.budget and chosen:
                break
            chosen.append(test)
        return chosen, len(order) - len(chosen)

    def is_fresh(self, test: str) -> bool:
        """Return whether a test was requested by name: a new one, for example, whose lines are not known."""
        return bool(self.first) and test.startswith(self.first)

    def rank(self, test: str, kills: int, fresh: set[str]) -> tuple[bool, float]:
        return test not in fresh, self.seconds.get(test, UNKNOWN) / (1 + 4 * kills)

    def forked(self, mutant: Mutant | None, chosen: list[str]) -> tuple[str, str]:
        """Run the chosen tests in a fork that carries the mutant, if any."""
        read, write = os.pipe()
        child = os.fork()
        if not child:
            self.run_in_child(mutant, chosen, write)
        os.close(write)
        outcome = awaited(child, WAITING * self.most)
        with os.fdopen(read) as pipe:
            by = pipe.read().split("\n")[-2:-1]
        return outcome, by[0] if by and outcome != SURVIVED else ""

    def run_in_child(self, mutant: Mutant | None, chosen: list[str], write: int) -> None:
        try:
            quiet = os.open(os.devnull, os.O_RDWR)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            limited(self.most)
            os._exit(self.run(chosen, write) if mutant is None or put_in(mutant, self.functions) else MISFIT_STATUS)
        except BaseException:
            os._exit(1)

    def run(self, chosen: list[str], write: int) -> int:
        """Run tests until one fails; write each one's name before it starts."""
        for test, after in zip(chosen, [*chosen[1:], None], strict=True):
            os.write(write, f"{test}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, PATIENCE + TIMES * self.seconds.get(test, UNKNOWN))
            reports = runtestprotocol(self.items[test], log=False, nextitem=self.items[after] if after else None)
            if any(report.failed for report in reports):
                return 1
        return 0

    def elsewhere(self, mutant: Mutant, chosen: list[str]) -> tuple[str, str]:
        """Run the chosen tests in a separate process that imports the mutated module."""
        task = self.folder / f"one-{os.getpid()}.json"
        task.write_text(json.dumps({"mutant": asdict(mutant), "tests": chosen[:400], "seconds": self.most}))
        command = [sys.executable, "-m", "tools.mutant_runner", "one", str(task)]
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=WAITING * self.most
            )
        except subprocess.TimeoutExpired:
            return ENDLESS, ""
        return {0: SURVIVED, -signal.SIGXCPU: ENDLESS}.get(done.returncode, KILLED), ""


def standing_functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return the existing function objects, by file, name and first line."""
    functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    gc.unfreeze()  # frozen objects are not listed, and the tests freeze what they import first
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            functions[place(thing.__code__)].append(thing)
    return functions


def place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def put_in(mutant: Mutant, functions: dict[tuple[str, str, int], list[FunctionType]]) -> bool:
    """Give the existing function objects the mutant's code; return whether there are any and it fits."""
    put = 0
    path = str(Path(mutant.file).resolve())
    text = Path(path).read_text(encoding="utf-8")
    before = {place(code): code for code in codes(compile(text, path, "exec"))}
    for code in codes(mutated(text, mutant, path)):
        if code != before.get(place(code)):
            for function in functions.get(place(code), []):
                if function.__code__.co_freevars != code.co_freevars:
                    return False
                function.__code__ = code
                put += 1
    return put > 0


def limited(seconds: int) -> None:
    """Make this process end when it has used this many processor seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))


def awaited(child: int, patience: float) -> str:
    """Wait for a fork; return the outcome of its mutant."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            endless = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
            outcome = {0: SURVIVED, MISFIT_STATUS: MISFIT}.get(os.waitstatus_to_exitcode(status), KILLED)
            return ENDLESS if endless else outcome
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return ENDLESS


def import_as(made: dict[str, Callable[[str, str, str], CodeType]]) -> None:
    """Make the modules at those paths be imported from the code made of (text, file, path)."""
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        path = str(Path(self.path).resolve())
        if path not in made:
            return usual(self, fullname)
        file = Path(path).relative_to(Path.cwd().resolve()).as_posix()
        return made[path](Path(path).read_text(encoding="utf-8"), file, path)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def traced(words: list[str]) -> int:
    """Record what tests execute: all but ``--ignore=``, or only the test files named, joined to what is known."""
    files = [word for word in words if word.startswith("tests/")]
    tracer = Tracer([word for word in words if word.startswith("tabletop/")])
    status = pytest.main([*ARGUMENTS, *files, *(word for word in words if word.startswith("--"))], plugins=[tracer])
    known = Traces.read() if files and (WORK / "traces.json").exists() else Traces()
    traces = known.joined(tracer.traces(), files)
    (WORK / "traces.json").write_text(json.dumps(asdict(traces)))
    return int(status)


def main(words: list[str]) -> int:
    if words[0] == "map":
        return traced(words[1:])
    task = json.loads(Path(words[1]).read_text())
    if words[0] == "one":
        mutant = Mutant(**task["mutant"])
        limited(task["seconds"])
        import_as({str(Path(mutant.file).resolve()): lambda text, _, path: mutated(text, mutant, path)})
        return int(pytest.main([*ARGUMENTS, "-x", *task["tests"]], plugins=[Settled()]))
    todo = [Mutant(**row) for row in task["mutants"]]
    hunt = Hunt(Path(words[1]).parent, todo, Traces.read(), task["budget"], task["first"])
    return int(pytest.main([*ARGUMENTS, *task["only"]], plugins=[hunt]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
