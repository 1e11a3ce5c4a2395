"""The mutants of a file, the code that carries them, and what is known of survivors."""

from __future__ import annotations

import builtins
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tools.mutant_runner import IMPORTED, Meter, Traces
from tools.mutants import METER, OPERATORS, Mutant, mutants, mutated, watched
from tools.mutate import ROOT, Result, interval, report, triaged

TEXT = '''"""Words < words."""
LIMIT = 3


def within(a: int, b: int = 2) -> bool:
    """Doc > string."""
    if a == 7:
        return False
    return 0 <= a < LIMIT and not b > a + 1
'''


@pytest.fixture
def found(tmp_path: Path) -> list[Mutant]:
    (tmp_path / "one.py").write_text(TEXT)
    return list(mutants(tmp_path, "one.py"))


def carried(mutant: Mutant) -> Any:
    space: dict[str, Any] = {}
    exec(mutated(TEXT, mutant, "one.py"), space)
    return space["within"]


def test_every_limit_is_changed_once(found: list[Mutant]) -> None:
    limits = [mutant for mutant in found if mutant.operator == "boundary"]
    assert [(one.was, one.now) for one in limits] == [
        ("0 <= a < LIMIT", "0 < a < LIMIT"),
        ("0 <= a < LIMIT", "0 <= a <= LIMIT"),
        ("b > a + 1", "b >= a + 1"),
    ]
    assert [carried(one)(*at) for one, at in zip(limits, ((0, 0), (3, 0), (1, 2)), strict=True)] == [False, True, False]


def test_the_other_changes(found: list[Mutant]) -> None:
    changes = {(one.operator, one.was, one.now) for one in found}
    assert ("equality", "a == 7", "a != 7") in changes
    assert ("dropped", "not b > a + 1", "b > a + 1") in changes
    assert ("arithmetic", "a + 1", "a - 1") in changes
    assert ("number", "3", "4") in changes
    assert ("statement", "if a == 7:", "pass") in changes
    assert {one.operator for one in found} <= set(OPERATORS)
    assert all(one.where == "within" for one in found if one.was != "3")


def test_the_meter_notes_what_lies_on_a_limit(found: list[Mutant], monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    monkeypatch.setattr(builtins, METER, meter.met, raising=False)
    space: dict[str, Any] = {}
    exec(watched(TEXT, "one.py", "one.py"), space)
    assert [space["within"](a) for a in (-1, 0, 1, 2, 3)] == [False, False, True, True, False]
    limits = [one for one in found if one.operator == "boundary"]
    met = [meter.found.get(f"one.py:{one.node}:{one.variant}", set()) for one in limits]
    assert met == [{IMPORTED}, {IMPORTED}, {IMPORTED}]


def test_the_interval_of_a_score() -> None:
    low, high = interval(85, 100)
    assert (round(low, 3), round(high, 3)) == (0.767, 0.907)
    assert interval(0, 0) == (0.0, 1.0)


def test_the_report_before_any_run(found: list[Mutant]) -> None:
    """Of nothing, and of mutants known to be equivalent alone, there is no score; nor do they weigh in one."""
    there = Counter(mutant.operator for mutant in found)
    limits = [one for one in found if one.operator == "boundary"]
    same = [Result(one, "equivalent", "", 0, 0) for one in limits]
    assert report([], there).endswith("no score yet: run without --report")
    assert report(same, there).endswith("none run yet\nno score yet: run without --report")
    dead = next(Result(one, "killed", "", 1, 0) for one in found if one.operator == "equality")
    assert report([*same, dead], there).splitlines()[-1].startswith("all, weighted by how many there are: 100.0 %")


def test_every_survivor_judged_has_a_reason() -> None:
    """A kind and a reason each, of a mutant that the code has."""
    judged = triaged()
    assert all(kind in ("equivalent", "open") and reason for kind, reason in judged.values())
    files = {file for file, *_ in judged}
    there = {(one.file, one.where, one.was, one.now) for file in files for one in mutants(ROOT, file)}
    assert judged.keys() <= there, sorted(judged.keys() - there)


def test_traces_are_joined_file_by_file() -> None:
    """Tests traced anew take the place of what was known of their files; all others are kept."""
    old = Traces(["(import)", "a.py::x", "b.py::y"], [0.0, 1.0, 2.0], {"m.py": {"1": [0], "2": [1, 2]}}, {"m:1:0": [1]})
    new = Traces(["(import)", "a.py::z"], [0.0, 3.0], {"m.py": {"2": [1], "3": [1]}}, {"m:1:0": [1], "m:2:0": [1]})
    found = old.joined(new, ["a.py"])
    assert found.tests == ["(import)", "b.py::y", "(import)", "a.py::z"]
    assert found.seconds == [0.0, 2.0, 0.0, 3.0]
    assert found.lines == {"m.py": {"1": [0], "2": [1, 3], "3": [3]}}
    assert found.limits == {"m:1:0": [3], "m:2:0": [3]}
