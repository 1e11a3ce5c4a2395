"""Text into plain data: YAML 1.2, every key and value with its line and column."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tabletop.errors import Unreadable
from tabletop.play.files.yaml_text import Document, decode, parse

TEXT = """# a comment
title: Wood and ridge
table: {unit: in, width: 72}
terrain:
  - {id: wood, outline: [[1, 2],
     [3, 4]]}
  - id: hill
    level: 1
"""


def read(text: str) -> Document:
    return parse("scene.yaml", text)


def test_data_is_plain() -> None:
    assert read(TEXT).data == {
        "title": "Wood and ridge",
        "table": {"unit": "in", "width": 72},
        "terrain": [{"id": "wood", "outline": [[1, 2], [3, 4]]}, {"id": "hill", "level": 1}],
    }


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        (["title"], (2, 8)),
        (["table", "width"], (3, 26)),
        (["terrain", 0], (5, 5)),
        (["terrain", 0, "outline", 1], (6, 6)),
        (["terrain", 0, "outline", 1, 1], (6, 10)),
        (["terrain", 1, "level"], (8, 12)),
        (["terrain", 1, "nothing"], (7, 5)),
        ([], (2, 1)),
    ],
)
def test_values_know_their_place(steps: list[str | int], place: tuple[int, int]) -> None:
    assert read(TEXT).at(steps) == place


def test_keys_know_their_place() -> None:
    doc = read(TEXT)
    assert doc.key_at(["table", "width"]) == (3, 19)
    assert doc.key_at(["terrain", 1, "level"]) == (8, 5)
    assert doc.key_at(["table", "height"]) == (3, 8)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-12", -12),
        ("010", 10),
        ("0o10", 8),
        ("0x1f", 31),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("9" * 30, float("9" * 30)),
        (".inf", math.inf),
        ("true", True),
        ("null", None),
        ("~", None),
        ("no", "no"),
        ("12:30", "12:30"),
        ("1-28", "1-28"),
        ("1815-06-16", "1815-06-16"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("NaN", "NaN"),
    ],
)
def test_words_mean_what_yaml_1_2_says(written: str, value: Any) -> None:
    found = read(f"a: {written}").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_json_reads_the_same() -> None:
    assert read('{"title": "x", "table": {"width": 1.5}, "units": [true, null]}').data == {
        "title": "x",
        "table": {"width": 1.5},
        "units": [True, None],
    }


def faults(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(Unreadable) as caught:
        read(text)
    return [(fault.line, fault.column, fault.text) for fault in caught.value.faults]


def test_every_key_that_stands_twice_is_told_with_both_lines() -> None:
    found = faults("a: 1\nb: 2\na: 3\nc: {d: 1, d: 2}\n")
    assert [(line, column) for line, column, _ in found] == [(3, 1), (4, 11)]
    assert "first on line 1" in found[0][2]


def test_a_fault_of_syntax_is_told_at_its_place_in_plain_words() -> None:
    assert faults("a: [1, 2\nb: 3\n")[0] == (
        2,
        2,
        "a ':' stands where none may; put text that holds ': ' in quotes",
    ) or ("missing before this" in faults("a: [1, 2\nb: 3\n")[0][2])
    assert faults("a: 1\n  b: 2\n")[0][:2] == (2, 4)
    assert faults("a: 'open\nb: 2\n")[0] == (1, 4, "a quote is opened here and never closed; close it")


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse("x", decode("x", b"\xef\xbb\xbfa: 1")).data == {"a": 1}


def test_windows_line_ends_are_no_fault() -> None:
    doc = read("a: 1\r\nb: [1,\r\n  2]\r\n")
    assert doc.data == {"a": 1, "b": [1, 2]}
    assert doc.at(["b", 1]) == (3, 3)
