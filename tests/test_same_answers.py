"""Comparing the answers of two versions of the code: a change of any answer shows, and only alike versions count."""

from pathlib import Path
from typing import Any

import pytest

from tabletop.judge import margin
from tabletop.rules.tse.sight import between_points
from tools import proof_results, same_answers
from tools.proof_results import Results, alike, code
from tools.same_answers import asked, compare

#: A question about a line between two points.
LINE = 12


def test_answers_are_the_same_when_asked_again_and_whatever_the_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    one = asked(LINE, 0)
    monkeypatch.setattr(margin, "RINGS", (1.0,))
    assert asked(LINE, 0) == one and one["answers"] > 20
    assert asked(LINE, 1)["digest"] != one["digest"]


def test_answers_that_change_for_some_placements_alone_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    one = asked(LINE, 0)
    assert one["changes"] > 0
    monkeypatch.setattr(between_points, "clear_lines", lambda table, starts, ends, law: [False for _ in starts])
    other = asked(LINE, 0)
    assert other["digest"] != one["digest"]


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Results:
    results = Results(tmp_path / "alike.jsonl")
    monkeypatch.setattr(proof_results, "ALIKE", results)
    monkeypatch.setattr(same_answers, "ALIKE", results)
    return results


def written(path: Path, version: str, digests: str, rules: str = "tse") -> Results:
    results = Results(path)
    for number, digest in enumerate(digests):
        line: dict[str, Any] = {"question": number, "part": 0, "rules": rules, "answers": 10, "changes": 1}
        results.add({**line, "code": version, "digest": digest})
    return results


def test_versions_are_recorded_as_alike_only_if_nothing_differs(record: Results, tmp_path: Path) -> None:
    before, after = written(tmp_path / "a", "v1", "xyz"), written(tmp_path / "b", "v2", "xyz")
    assert compare(before, written(tmp_path / "c", "v3", "xyq")) == 1 and not list(record.lines())
    assert compare(before, written(tmp_path / "d", "v1", "xyz")) == 0 and not list(record.lines()), "one version"
    other = written(tmp_path / "e", "w1", "x", "realm-of-chance"), written(tmp_path / "f", "w2", "y", "realm-of-chance")
    for number, results in enumerate(other):
        results.keep([{**line, "question": 9} for line in results.lines()])
        (before, after)[number].keep([*(before, after)[number].lines(), *results.lines()])
    assert compare(before, after) == 1, "other rules differ"
    assert list(record.lines()) == [{"codes": ["v1", "v2"], "questions": 3, "answers": 30, "changes": 3}]


def test_what_answers_like_something_alike_is_alike(record: Results) -> None:
    own = code("tse")
    record.add({"codes": ["v1", "v2"]})
    assert alike("tse") == {own}
    record.add({"codes": ["v2", own]})
    assert alike("tse") == {own, "v1", "v2"}
