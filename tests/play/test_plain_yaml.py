"""The quick reader of plain files reads what it reads as the full reader does, and leaves the rest to that one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.errors import Unreadable
from tabletop.play.plain_yaml import plainly
from tabletop.play.yaml_text import DEEPEST, MOST_VALUES, Document, Place, _fully, _value, parse

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in ("maps", "armies", "scenarios") for path in (ROOT / folder).rglob("*.yaml"))
#: Pieces of text that are put into files, or are taken for what stands there.
PIECES = (
    *"-:,[]{}#'\"~?&*!|>%@.07aZ_+=()/\t\n",
    *(" ", "  ", "\n  ", "\n- ", "\n\n", ": ", " #", "- ", "a: 1\n", "{a: 1}", "[1, 2]", "''", "null", "1e3", "0x1f"),
    *(
        "---\n",
        "...\n",
        "\xe9",
        "\xa0",
        "\u2028",
        "x:y",
        "'it''s'",
        '"a: b"',
        " # no\n",
        "yes",
        ".5",
        "-1",
        "a b",
        ",\n",
    ),
)


def quickly(text: str) -> Document | None:
    found = plainly(text, MOST_VALUES, DEEPEST, _value, Place)
    return None if found is None else Document("a", *found)


def same(text: str) -> bool:
    """Assert that what the quick reader reads is what the full one reads; return whether it read it."""
    quick = quickly(text)
    if quick is None:
        return False
    try:
        full = _fully("a", text, MOST_VALUES)
    except Unreadable as error:
        raise AssertionError(f"the full reader refuses {text!r}: {error}") from None
    assert repr(quick) == repr(full), text  # repr: numbers that are none are equal to themselves
    return True


def spoilt(text: str, rng: random.Random) -> str:
    """Return a text with some of it taken out, doubled or replaced."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, piece = rng.randrange(len(text) + 1), rng.choice(PIECES)
        text = text[:at] + piece + text[at + rng.choice((0, 0, len(piece), 1, rng.randrange(8))) :]
    return text


def excerpt(text: str, rng: random.Random) -> str:
    """Return some lines of a text."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    some = "".join(lines[at : at + rng.randrange(1, 12)])
    return some if some[:1] not in " -" else f"a:\n{some}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bundled_files_are_read_the_same_and_those_with_the_most_in_them_are_plain(path: Path) -> None:
    """A scenario tells a story over several lines: that is not plain."""
    assert same(path.read_text("utf-8")) or "scenarios" in path.parts


@pytest.mark.parametrize(
    "text",
    ["", "a", "a:\n", "- a\n", "a: 1\na: 2\n", "a: [1, 2\n", "a: {b: 1,}\n", "a: 'it''s'\n", "a: |\n  b\n", " a: 1\n"],
)
def test_what_is_not_plain_is_left_to_the_full_reader(text: str) -> None:
    assert quickly(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb:\n- c: 2\n  d: [x y, -1.5, 'q: r']\n- {e: f,\n   g: [1,\n  2]} # end\nh: Kempt's (5th), of foot\n",
        '# head\n\na:\n  b:\n    c: ~\n\n  # below\n  d: .inf\ne: "x # y"  # z',
        "a:\n  - - 1\n",
        "a: b\n  c\n",
    ],
)
def test_by_hand(text: str) -> None:
    same(text)


def test_nothing_deeper_or_longer_than_the_full_reader_allows() -> None:
    assert quickly("a: " + "[" * (DEEPEST - 1) + "1" + "]" * (DEEPEST - 1) + "\n") is not None
    assert quickly("a: " + "[" * DEEPEST + "1" + "]" * DEEPEST + "\n") is None
    assert plainly("a: [1, 2]\n", 3, DEEPEST, _value, Place) is None
    assert plainly("a: [1, 2]\n", 4, DEEPEST, _value, Place) is not None
    assert parse("a", "a: [1, 2]\n", 4).values == 4


def damaged(count: int, seed: int) -> int:
    rng, texts = random.Random(seed), [path.read_text("utf-8") for path in FILES]
    return sum(same(spoilt(excerpt(rng.choice(texts), rng), rng)) for _ in range(count))


def test_damaged_files_are_read_as_the_full_reader_reads_them_or_left_to_it() -> None:
    assert damaged(1500, 1) > 100


@pytest.mark.sweep
def test_damaged_files_are_read_as_the_full_reader_reads_them_often() -> None:
    assert damaged(60_000, 2) > 4000
