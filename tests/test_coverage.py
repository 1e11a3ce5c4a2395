"""Rule by rule: no rule that measures without a function and a test, no worked case untested, no id misspelt."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from tools import coverage
from tools.proofs import Proof, recorded

#: The rules that must be traced, by id. What is behind them is looked up when a test asks.
TRACED = [str(rule["id"]) for book in coverage.BOOKS for rule in coverage.declared(book) if rule["part"] in book.held]
#: Where ids of rules are spelled.
FOLDERS = ("tabletop", "tests", "docs", "scenarios", "maps", "armies", "tools")
GOLDEN = coverage.ROOT / "tests/golden"


@cache
def _rows() -> dict[str, coverage.Row]:
    return {row.id: row for book in coverage.BOOKS for row in coverage.rows(book)}


@pytest.mark.parametrize("rule", TRACED)
def test_a_rule_to_be_traced_has_a_function_and_a_test(rule: str) -> None:
    """Else: name it in the docstring of the function that answers it, and write the test that holds it to its word."""
    assert _rows()[rule].lacks == []


def test_every_rule_is_told_once_and_has_a_part() -> None:
    rules = [rule for book in coverage.BOOKS for rule in coverage.declared(book)]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert {rule["part"] for rule in rules} == set(coverage.PARTS)
    assert all(rule["says"].endswith(".") for rule in rules)


def test_no_id_is_misspelt() -> None:
    """An id that no rule has traces nothing."""
    assert coverage.misnamed(coverage.ROOT / folder for folder in FOLDERS) == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("(TSE-FIR-01)", ["TSE-FIR-01"]),
        ("TSE-FIR-15..18", ["TSE-FIR-15", "TSE-FIR-16", "TSE-FIR-17", "TSE-FIR-18"]),
        ("TSE-FIR-05, 06", ["TSE-FIR-05", "TSE-FIR-06"]),
        ("TSE-FIR-05, -06, -10 and others", ["TSE-FIR-05", "TSE-FIR-06", "TSE-FIR-10"]),
        ("TSE-ACT-80a..d", ["TSE-ACT-80a", "TSE-ACT-80b", "TSE-ACT-80c", "TSE-ACT-80d"]),
        ("TSE-FRM-20, -23a", ["TSE-FRM-20", "TSE-FRM-23a"]),
        ("TSE-FIR-01, 6 in", ["TSE-FIR-01"]),
        ("FIR-01", []),
        ("ROC-VP-01, ROC-CBT-01..03", ["ROC-VP-01", "ROC-CBT-01", "ROC-CBT-02", "ROC-CBT-03"]),
    ],
)
def test_how_ids_are_spelled(text: str, ids: list[str]) -> None:
    assert list(coverage.ids_in(text)) == ids


def test_a_rule_named_by_nobody_lacks_both() -> None:
    """And a heading over a file is no function, nor is what only helps a test a test."""
    assert coverage.Row("TSE-FIR-01", "measures", "", (), ()).lacks == ["a function", "a test"]
    assert coverage.Row("TSE-FIR-01", "play", "", (), ()).lacks == []
    places = {"tests/test_a.py", "tests/test_a.py:test_b", "tests/test_a.py:helper", "tests/oracle/sight.py:test_like"}
    assert [place for place in places if coverage.is_test(place)] == ["tests/test_a.py:test_b"]
    named = {"tabletop/a.py", "tabletop/a.py:move", "tabletop/rules/tse/tables.toml"}
    assert {place for place in named if coverage.is_function(place)} == named - {"tabletop/a.py"}


@pytest.mark.parametrize("book", coverage.BOOKS, ids=lambda book: book.prefix)
def test_the_document_is_of_today(book: coverage.Book) -> None:
    """The coverage document has every rule as it is told now, and names no place that no longer speaks of it.

    A place more behind a rule does not make the document wrong: only then must it be made again (python -m
    tools.coverage) when a rule, or a place it names, has changed.
    """
    rows = coverage.rows(book)
    today, text = coverage.document(rows, book), book.document.read_text("utf-8")
    assert text.partition("Proved by")[0] == today.partition("Proved by")[0]
    written = dict(_written(book))
    assert {rule: cells[:2] for rule, cells in written.items()} == {row.id: (row.says, row.part) for row in rows}
    for row in rows:
        _, _, functions, tests = written[row.id]
        assert functions <= set(row.functions), row.id
        assert tests <= set(row.tests), row.id
        assert row.part not in row.held or (functions and tests), row.id


def _written(book: coverage.Book) -> list[tuple[str, tuple[str, str, set[str], set[str]]]]:
    """Return the rules of the document: what each says, its part, its functions and its tests."""
    found = []
    for line in book.document.read_text("utf-8").splitlines():
        if line.startswith(f"| {book.prefix}-"):
            rule, says, part, functions, tests, _ = (cell.strip() for cell in line.strip("|").split(" | ", 5))
            behind = {f"tabletop/{name}" for name in _places(functions)}
            found.append((rule, (says, part, behind, set(_places(tests)))))
    return found


def _places(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_what_was_proved_still_applies() -> None:
    """Nearly every mutant on record changes code that is still there, and is noticed by a test that names its rule.

    Look for others in place of those that do not with ``python -m tools.coverage_proof``.
    """
    rows, proofs = _rows(), recorded()
    lost = [rule for rule in proofs if rule not in rows or rows[rule].proof is None]
    assert len(lost) <= 0.1 * len(proofs), lost


def test_a_proof_stands_for_every_change_of_the_same_text() -> None:
    """Half-way is (a[0] + b[0]) / 2: either 0 may be the one that was changed; nothing is where the text is another."""
    half_way = Proof("TSE-ASL-61", "tabletop/rules/tse/assault/charge.py", "meeting_point", "0", "1", "")
    assert len(half_way.mutants()) == 2
    assert replace(half_way, was="7").mutants() == []


@pytest.mark.sweep
def test_every_proof_is_noticed_again() -> None:
    """Run every mutant on record again: its test fails by an assertion of its own."""
    command = [sys.executable, "-m", "tools.coverage_proof", "--check"]
    done = subprocess.run(command, cwd=coverage.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("case", range(1, 31))
def test_every_worked_case_is_a_test(case: int) -> None:
    """G01 to G30: some test under tests/golden bears its number."""
    functions = [
        node.name
        for path in GOLDEN.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    assert any(re.match(rf"test_g{case:02d}[a-h]?_", name) for name in functions)


def test_what_an_example_shows_is_not_what_a_function_stands_for() -> None:
    """A rule named in the answer of an example is not counted; one named after the example is."""
    text = '    """Say why (TSE-LOS-01).\n\n    >>> why("a")\n    \'TSE-LOS-06\'\n\n    Also TSE-LOS-07.\n    """\n'
    assert list(coverage.ids_in(coverage.EXAMPLE.sub("", text))) == ["TSE-LOS-01", "TSE-LOS-07"]
