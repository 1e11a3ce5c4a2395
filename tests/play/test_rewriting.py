"""Files opened, changed in one thing and saved: comments and order stay, only the lines of that thing differ."""

from __future__ import annotations

import copy
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.play.files.rewriting import plain, rewritten, same
from tabletop.play.files.yaml_text import parse

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("maps/*.yaml", "armies/*/*.yaml", "scenarios/**/*.yaml", "lessons/*/*.yaml")
FILES = sorted(path for pattern in FOLDERS for path in ROOT.glob(pattern))
#: What a value may be changed into, or what may be added.
VALUES: tuple[Any, ...] = (
    7, 2.5, True, "new words", "a: b # c", "0x1", "yes", "two\nlines", [1, 2], [[1, 2], [3, 4]], {"x": 1},
    [{"id": "new-1", "at": [1, 2]}, {"id": "new-2"}],
)  # fmt: skip


@cache
def opened(path: Path) -> tuple[str, Any]:
    text = path.read_text("utf-8")
    return text, parse("", text).data


def changed(data: Any, draw: st.DataObject) -> list[str | int]:
    """Change one thing somewhere in the data; return the steps to it, or to what it leaves empty."""
    node: Any = data
    steps: list[str | int] = []
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = draw.draw(st.sampled_from(keys)) if keys else None
        if key is None or not isinstance(node[key], (dict, list)) or draw.draw(st.integers(0, 3)) == 0:
            break
        node, steps = node[key], [*steps, key]
    how = draw.draw(st.sampled_from(("change", "remove", "add"))) if key is not None else "add"
    if how == "add":
        value = copy.deepcopy(draw.draw(st.sampled_from(VALUES)))
        if isinstance(node, dict):
            node["added"] = value
        else:
            node.insert(draw.draw(st.integers(0, len(node))), value)
        return steps
    assert key is not None
    if how == "remove":
        del node[key]
        if not node:  # what is empty now is written anew with its key
            return steps
    else:
        node[key] = copy.deepcopy(draw.draw(st.sampled_from(VALUES)))
    return [*steps, key]


def lines_of(text: str, steps: list[str | int]) -> tuple[int, int]:
    """Return the first line of what the steps lead to in a text, and the first of what comes after it, from 1."""
    place = parse("", text).place
    first, last = 1, len(text.splitlines()) + 1
    for step in steps:
        if step not in place.parts:
            return first, last
        starts = [part.line for part in place.parts.values()]
        key = place.keys.get(str(step), (place.parts[step].line, 0))[0]
        later = [line for line in starts if line > place.parts[step].line]
        first, last = min(key, place.parts[step].line), min([last, *later])
        place = place.parts[step]
    return first, last


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_only_the_lines_of_what_changed_differ(path: Path, draw: st.DataObject) -> None:
    text, data = opened(path)
    wanted = copy.deepcopy(data)
    steps = changed(wanted, draw)
    found = rewritten(text, wanted)
    assert found is not None
    assert same(parse("", found).data, plain(wanted))
    first, last = lines_of(text, steps)
    before, after = text.splitlines(), found.splitlines()
    for word, i, ii, _, _ in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        assert word == "equal" or (first - 1 <= i and ii <= last), (word, before[i:ii], steps)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_not_changed_is_the_same_file(path: Path) -> None:
    text, data = opened(path)
    assert rewritten(text, data) == text


COMMENTED = """# A dispute.
format: tabletop-map/1   # what it is
title: "The ford"
terrain:
  # the wood on the left
  - {id: wood, kind: woods,  outline: [[1, 1], [4.0, 1], [3, 4]]}  # as paced out
  - id: hill
    kind: hill   # gentle
    outline:
      - [5, 5]
      - [9, 5]   # the oak
      - [7, 9]
# the end
"""


@pytest.mark.parametrize(
    ("how", "gone", "come"),
    [
        (lambda d: d.update(title="The bridge"), ['title: "The ford"'], ["title: The bridge"]),
        (lambda d: d["terrain"].pop(0), [COMMENTED.splitlines()[5]], []),
        (lambda d: d["terrain"][1].update(kind="wood"), ["    kind: hill   # gentle"], ["    kind: wood   # gentle"]),
        (lambda d: d["terrain"][1].update(level=2), [], ["    level: 2"]),
        (lambda d: d["terrain"][1]["outline"].pop(1), ["      - [9, 5]   # the oak"], []),
        (lambda d: d["terrain"].append({"id": "pond", "kind": "lake"}), [], ["  - {id: pond, kind: lake}"]),
        (lambda d: d.update(notes="none: yet"), [], ['notes: "none: yet"']),
        (lambda d: d.update(terrain=[]), COMMENTED.splitlines()[3:12], ["terrain: []"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_changes_by_hand(how: Any, gone: list[str], come: list[str], end: str) -> None:
    """Each change takes out and puts in just these lines; both ends of lines are kept to."""
    text = COMMENTED.replace("\n", end)
    data = parse("", text).data
    how(data)
    found = rewritten(text, data)
    assert found is not None
    before, after = text.split(end), found.split(end)
    assert sorted(before + come) == sorted(after + gone)


def test_json_stays_json() -> None:
    import json

    text = '{\n  "title": "a",\n  "units": [{"id": "x"}]\n}\n'
    found = rewritten(text, {"title": "b", "units": [{"id": "x", "at": [1, 2]}, {"id": "y"}], "notes": "n"})
    assert found is not None
    assert json.loads(found)["units"] == [{"id": "x", "at": [1, 2]}, {"id": "y"}]
