"""Ways to spoil a file: bytes, lines and values changed at random, and a cabinet of hand-made horrors."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

NASTY = (
    *("NaN", ".nan", ".inf", "-.inf", "1e308", "-1e308", "1e999", "0", "-0.0", "-1", "1e-320", "9" * 30, "0x7fffffff"),
    *("", "null", "true", "~", "[]", "{}", "[[]]", "[[1, 2]]", "[0, 0]", "[1, 2, 3]", "'", '"', '"\\ud800"', "''"),
    *("../../etc/passwd", "/etc/passwd", "C:/x.yaml", "~/x.yaml", "a b", "é", "\U0001f3b2", "\x00", "\x85", "\ufeff"),
    *(
        "&a",
        "*a",
        "!!python/object:os.system",
        "<<",
        "? ",
        "- - - -",
        "|",
        ">",
        "%YAML 1.1",
        "---",
        "...",
        "#",
        "x" * 500,
    ),
    *("[[0, 0], [5, 5], [5, 0], [0, 5]]", "[[0, 0], [0, 0], [0, 0]]", "[[0, 0], [1, 1], [2, 2]]", "2026-01-01", "010"),
)
_VALUE = re.compile(rb"(?<=[:\[,] )[^\s,\[\]{}][^,\[\]{}\n]*")
_KEY = re.compile(rb"[A-Za-z_]+(?=:)")

Mutation = Callable[[Random, bytes], bytes]


def flip_bytes(random: Random, raw: bytes) -> bytes:
    """Change up to eight bytes to any other."""
    spoilt = bytearray(raw)
    for _ in range(random.randint(1, 8)):
        spoilt[random.randrange(len(spoilt))] = random.randrange(256)
    return bytes(spoilt)


def cut(random: Random, raw: bytes) -> bytes:
    """Take a stretch out, or everything after a point."""
    start = random.randrange(len(raw))
    end = len(raw) if random.random() < 0.3 else min(len(raw), start + random.randint(1, 60))
    return raw[:start] + raw[end:]


def double(random: Random, raw: bytes) -> bytes:
    """Repeat a stretch of lines somewhere else."""
    lines = raw.splitlines(keepends=True)
    start = random.randrange(len(lines))
    at = random.randrange(len(lines) + 1)
    return b"".join([*lines[:at], *lines[start : start + random.randint(1, 4)], *lines[at:]])


def nasty_value(random: Random, raw: bytes) -> bytes:
    """Put something nasty where a value stands."""
    return _replaced(random, raw, _VALUE, random.choice(NASTY).encode("utf-8", "surrogatepass"))


def nasty_key(random: Random, raw: bytes) -> bytes:
    """Misspell, double or swap a key."""
    keys = _KEY.findall(raw) or [b"id"]
    key = random.choice(keys)
    other = random.choice([key[:-1] or b"x", key + b"s", random.choice(keys), key[::-1], b"'" + key + b"'"])
    return _replaced(random, raw, _KEY, other)


def shuffle_lines(random: Random, raw: bytes) -> bytes:
    """Swap two lines, or change the indent of one."""
    lines = raw.splitlines(keepends=True)
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    if random.random() < 0.5:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i] = random.choice([b" ", b"   ", b"\t", b"- "]) + lines[i].lstrip(b" " if random.random() < 0.5 else b"")
    return b"".join(lines)


def _replaced(random: Random, raw: bytes, pattern: re.Pattern[bytes], new: bytes) -> bytes:
    places = list(pattern.finditer(raw))
    if not places:
        return raw + new
    place = random.choice(places)
    return raw[: place.start()] + new + raw[place.end() :]


MUTATIONS: tuple[Mutation, ...] = (flip_bytes, cut, double, nasty_value, nasty_key, shuffle_lines)


def spoilt(random: Random, raw: bytes) -> bytes:
    """Return ``raw`` after one to three mutations."""
    for _ in range(random.choice((1, 1, 2, 3))):
        if raw:
            raw = random.choice(MUTATIONS)(random, raw)
    return raw


SCENE = """format: tabletop-scene/1
title: A scene
rules: tse
table: {unit: in, width: 24, height: 24}
terrain:
  - {id: wood, kind: woods, outline: [[2, 2], [8, 2], [8, 6], [2, 6]]}
units:
  - {id: kempt, side: allied, troop: infantry, bases: 4, formation: deployed, at: [10, 10], facing: 180}
"""


TANGLE = [[(37 * k) % 23, (61 * k) % 19] for k in range(1000)]


def _with(old: str, new: str) -> bytes:
    assert old in SCENE
    return SCENE.replace(old, new).encode()


#: Hand-made horrors by name: the bytes of a file, and words that the refusal must hold.
CABINET: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b"  \n\n\t\n", "empty"),
    "only a comment": (b"# nothing\n", "no keys"),
    "a number": (b"42\n", "no keys"),
    "a list": (b"- 1\n- 2\n", "no keys"),
    "binary": (bytes(range(256)) * 8, "UTF-8"),
    "zeros": (b"\0" * 5000, "not text"),
    "utf-16": (SCENE.encode("utf-16"), "UTF-16"),
    "latin-1": (SCENE.replace("A scene", "Soir\xe9e").encode("latin-1"), "UTF-8"),
    "too long": (b"# " + b"x" * 2_000_000, "bytes"),
    "brackets 100,000 deep": (b"[" * 100_000, "deep"),
    "braces 100,000 deep": (b'{"a":' * 100_000, "deep"),
    "dashes 100,000 deep": (b"- " * 100_000, "deep"),
    "question marks 100,000 deep": (b"? " * 100_000, "a key is one word"),
    "deep inside a scene": (_with("[[2, 2]", "[" * 100_000 + "2"), "deep"),
    "closed brackets 100,000 deep": (_with("[[2, 2]", "[" * 100_000 + "]" * 100_000), "deep"),
    "indented ever deeper": (b"\n".join(b" " * i + b"a:" for i in range(1200)), "deep"),
    "many values": (b"a: [" + b"1," * 300_000 + b"]", "values"),
    "many points": (_with("[8, 6]", ", ".join(["[8, 6]"] * 3_000)), "at most"),
    "many pieces": (_with("terrain:\n", "terrain:\n" + "  - {id: a, kind: hill}\n" * 1_200), "the most is"),
    "an alias bomb": (b"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchor"),
    "an alias": (_with("kind: woods", "kind: *woods"), "alias"),
    "a tag": (_with("title: A scene", "title: !!python/object/apply:os.system [ls]"), "tag"),
    "exclamation marks": (b"!" * 900_000, "tag"),
    "a directive": (b"%YAML 1.1\n---\na: 1\n", "directive"),
    "escapes": (_with("title: A scene", 'title: "\\x1b[31mred"'), "cannot be printed"),
    "half a character": (_with("title: A scene", 'title: "\\ud800"'), "cannot be printed"),
    "two documents": (SCENE.encode() + b"---\n" + SCENE.encode(), "second document"),
    "a key twice": (_with("title: A scene", "title: A scene\ntitle: Another"), "stands here again"),
    "a key twice in a row": (_with("kind: woods", "kind: woods, kind: hill"), "stands here again"),
    "an id twice": (_with("units:\n", "  - {id: wood, kind: lake, at: [20, 20], size: [2, 2]}\nunits:\n"), "is taken"),
    "nan": (_with("width: 24", "width: .nan"), "no number to measure with"),
    "infinity": (_with("[2, 2], [8", "[.inf, 2], [8"), "no number to measure with"),
    "1e308": (_with("at: [10, 10]", "at: [1e308, -1e308]"), "out of bounds"),
    "a number of 5,000 digits": (_with("height: 24", "height: " + "9" * 5000), "no number to measure with"),
    "a negative size": (_with("height: 24", "height: -24"), "more than 0"),
    "self-crossing": (_with("[8, 6], [2, 6]", "[2, 6], [8, 6]"), "crosses"),
    "no inside": (_with("[8, 2], [8, 6], [2, 6]", "[4, 4], [6, 6], [8, 8]"), "outline"),
    "two points": (_with(", [8, 6], [2, 6]", ""), "at least 3"),
    "one point three times": (_with("[8, 2], [8, 6], [2, 6]", "[2, 2], [2, 2]"), "different points"),
    "an empty outline": (_with("[[2, 2], [8, 2], [8, 6], [2, 6]]", "[]"), "at least 3"),
    "three numbers": (_with("[8, 6]", "[8, 6, 1]"), "two belong"),
    "a tangled line": (
        SCENE.replace("kind: woods, outline: [[2, 2], [8, 2], [8, 6], [2, 6]]", f"kind: road, line: {TANGLE}").encode(),
        "lies over itself",
    ),
    "an outline and a line": (_with("kind: woods,", "kind: woods, line: [[1, 1], [2, 2]],"), "keep one"),
    "no shape": (_with(", outline: [[2, 2], [8, 2], [8, 6], [2, 6]]", ""), "needs a shape"),
    "a size alone": (_with("outline: [[2, 2], [8, 2], [8, 6], [2, 6]]", "size: [2, 2]"), "'size' needs 'at'"),
    "an unknown kind": (_with("kind: woods", "kind: wods"), "did you mean 'woods'?"),
    "an unknown key": (_with("facing: 180", "facng: 180"), "did you mean 'facing'?"),
    "a missing key": (_with("id: kempt, ", ""), "'id' is missing"),
    "a word for a number": (_with("facing: 180", "facing: south"), "must be a number"),
    "a number for a word": (_with("title: A scene", "title: 1815"), "in quotes"),
    "an id with a space": (_with("id: kempt", "id: james kempt"), "james-kempt"),
    "no such parent": (_with("side: allied", "side: allied, parent: picton"), "there is no unit 'picton'"),
    "its own parent": (_with("side: allied", "side: allied, parent: kempt"), "its own parent"),
    "no such ruling": (_with("rules: tse", "rules: tse\nrulings: {hills_blok: false}"), "did you mean 'hills_block'?"),
    "no such value of a ruling": (_with("rules: tse", "rules: tse\nrulings: {scale: [1]}"), "cannot be"),
    "no such rules": (_with("rules: tse", "rules: tes"), "did you mean 'tse'?"),
    "no such troop": (_with("troop: infantry", "troop: infantery"), "did you mean 'infantry'?"),
    "too many bases": (_with("bases: 4", "bases: 40"), "bases"),
    "off the table": (_with("at: [10, 10]", "at: [23, 10]"), "off the table"),
    "on top of another": (SCENE.encode() + SCENE.splitlines()[-1].replace("kempt", "pack").encode(), "overlaps"),
    "a table in millimetres": (_with("unit: in", "unit: mm"), "measured in 'in'"),
    "no format": (_with("format: tabletop-scene/1\n", ""), "'format' is missing"),
    "another format": (_with("tabletop-scene/1", "tabletop-scene/9"), "did you mean 'tabletop-scene/1'?"),
    "a map in a scene": (_with("title: A", "map: maps/bare.yaml\ntitle: A"), "tabletop-scenario/1"),
    "a tab": (_with("  - {id: wood", "\t- {id: wood"), "tab"),
    "an open quote": (_with("title: A scene", "title: 'A scene"), "quote"),
    "an open bracket": (_with("[2, 6]]}", "[2, 6]"), "missing before"),
    "json, cut short": (b'{"format": "tabletop-scene/1", "title": ', "ends inside a bracket"),
}
