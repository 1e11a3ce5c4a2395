"""Files are read by libyaml just as ruamel reads them, or left to ruamel."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.errors import Unreadable
from tabletop.play.files.yaml_text import DEEPEST, MOST_VALUES, parse, quickly, thoroughly

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


def same(text: str) -> bool:
    """Assert that what libyaml reads is what ruamel reads; return whether it read it."""
    quick = quickly("a", text, MOST_VALUES)
    if quick is None:
        return False
    try:
        full = thoroughly("a", text, MOST_VALUES)
    except Unreadable as error:
        raise AssertionError(f"ruamel refuses {text!r}: {error}") from None
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
def test_bundled_files_are_read_the_same_by_both(path: Path) -> None:
    assert same(path.read_text("utf-8"))


@pytest.mark.parametrize(
    "text",
    ["", "a", "a:\n", "a: 1\na: 2\n", "a: [1, 2\n", "a:\t1\n", "a: &b 1\n", "a: *b\n", "a: !b 1\n",
     "%YAML 1.1\n---\na: 1\n", "a: 1\n---\nb: 1\n", "a: [1,\u20282]\n", "a: {b: }\n", "a: >\n \n  b\n", "a: |#b\n",
     "? a\n: 1\n- b\n"],
)  # fmt: skip
def test_faults_and_what_may_be_read_otherwise_are_left_to_ruamel(text: str) -> None:
    assert quickly("a", text, MOST_VALUES) is None or same(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb:\n- c: 2\n  d: [x y, -1.5, 'q: r']\n- {e: f,\n   g: [1,\n  2]} # end\nh: Kempt's (5th), of foot\n",
        '# head\n\na:\n  b:\n    c: ~\n\n  # below\n  d: .inf\ne: "x # y"  # z',
        "a:\n  - - 1\n",
        "a: b\n  c\n",
        "a: 'it''s'\nb: |\n  c\n  d\ne: >-\n  f\n  g\n",
        "yes: no\non: 0o17\nc: 1_000\nd: 12:30\n",
    ],
)
def test_by_hand(text: str) -> None:
    assert same(text)


def test_nothing_deeper_or_longer_than_is_allowed() -> None:
    assert quickly("a", "a: " + "[" * (DEEPEST - 1) + "1" + "]" * (DEEPEST - 1) + "\n", MOST_VALUES) is not None
    assert quickly("a", "a: " + "[" * DEEPEST + "1" + "]" * DEEPEST + "\n", MOST_VALUES) is None
    assert quickly("a", "a: [1, 2]\n", 3) is None
    assert parse("a", "a: [1, 2]\n", 4).values == 4


def damaged(count: int, seed: int) -> int:
    rng, texts = random.Random(seed), [path.read_text("utf-8") for path in FILES]
    return sum(same(spoilt(excerpt(rng.choice(texts), rng), rng)) for _ in range(count))


def test_damaged_files_are_read_as_ruamel_reads_them_or_left_to_it() -> None:
    assert damaged(1500, 1) > 100


@pytest.mark.sweep
def test_damaged_files_are_read_as_ruamel_reads_them_often() -> None:
    assert damaged(60_000, 2) > 4000
