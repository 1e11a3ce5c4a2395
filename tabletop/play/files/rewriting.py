"""Writing changed data into the text of a file, so that only the lines of changed values differ.

Comments, the order of keys, spacing and style stay as their author left them. New data is written as ``scene_text``
writes it, one row per line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from tabletop.errors import TabletopError
from tabletop.play.files.file_text import ordered, written
from tabletop.play.files.yaml_text import parse

#: Start and end of a stretch of the text, and its replacement.
Edit = tuple[int, int, str]


def rewritten(text: str, data: Mapping[str, Any]) -> str | None:
    """Return the text of a sound file with ``data`` in place of its own data; None if the text cannot take it.

    >>> print(rewritten("a: 1  # one\\nb: [2, 3]\\n", {"a": 1, "b": [2, 4]}), end="")
    a: 1  # one
    b: [2, 4]
    """
    from ruamel.yaml import YAML

    old, new = parse("", text).data, plain(data)
    reader = YAML(typ="rt", pure=True)
    node = reader.compose(text)
    work = _Text(text, _as_json if text.lstrip().startswith("{") else written)
    work.change(_Value(node, old, new))
    new_text = work.applied()
    try:
        return new_text if same(parse("", new_text).data, new) else None
    except TabletopError:
        return None


def plain(value: Any) -> Any:
    """Return data as the file reader returns it, in dicts and lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def same(a: Any, b: Any) -> bool:
    """Return whether two values mean the same in a file; ``1`` and ``1.0`` do, ``1`` and ``true`` do not.

    >>> same([1], [1.0]), same(1, True)
    (True, False)
    """
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class _Value:
    """A value in the text: its node, its old and new data, and where the ``colon`` of its key is, 0 without a key."""

    node: Any
    old: Any
    new: Any
    colon: int = 0


@dataclass
class _Text:
    """A text and its changes so far."""

    text: str
    write: Callable[[Any], str]
    edits: list[Edit] = field(default_factory=list)

    def applied(self) -> str:
        """Return the text with all changes."""
        text = self.text
        for start, end, new in sorted(self.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def change(self, value: _Value) -> None:
        """Record the edits that turn a value from its old into its new data."""
        old, new = value.old, value.new
        if same(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            self._mapping(value)
        elif isinstance(old, list) and isinstance(new, list) and old and new:
            self._list(value)
        else:
            self._whole(value)

    # --- one value ---------------------------------------------------------------------------------------------------

    def _whole(self, value: _Value) -> None:
        node, rows = value.node, _rows(value.new)
        in_block = self._block(node) and bool(value.colon)
        if rows and value.colon and not self._in_flow(value):
            indent = " " * (self._column(value.colon) + 2)
            lines = "".join(f"{self._newline}{indent}- {self._row(row)}" for row in value.new)
            self.edits.append((value.colon + 1, self._end(node), lines))
        elif in_block:
            self.edits.append((value.colon + 1, self._end(node), f" {self.write(value.new)}"))
        else:
            start, end = node.start_mark.index, self._end(node)
            space = " " if start == end and self.text[start - 1 : start] == ":" else ""
            self.edits.append((start, end, space + self.write(value.new)))

    def _in_flow(self, value: _Value) -> bool:
        """Return whether a value's key stands in braces, where the value cannot be written as separate lines."""
        line = self.text[self._line(value.colon) : value.colon]
        return "{" in line or self.text.lstrip().startswith("{")

    def _row(self, value: Any) -> str:
        return self.write(ordered(value) if isinstance(value, Mapping) else value)

    # --- keys --------------------------------------------------------------------------------------------------------

    def _mapping(self, value: _Value) -> None:
        old, new = value.old, value.new
        items, steps = [], []
        for k, (key, inner) in enumerate(value.node.value):
            name = str(key.value)
            items.append((key.start_mark.index, self._end(inner)))
            if name in new:
                colon = self.text.index(":", key.end_mark.index)
                self.change(_Value(inner, old[name], new[name], colon))
                steps.append(_Step(k))
        steps += [_Step(None, name, new[name]) for name in new if name not in old]
        self._items(value, items, steps)

    # --- lists -------------------------------------------------------------------------------------------------------

    def _list(self, value: _Value) -> None:
        items = [(self._dash(node), self._end(node)) for node in value.node.value]
        nodes, steps = value.node.value, []
        old, new = [_name(item) for item in value.old], [_name(item) for item in value.new]
        for word, i, ii, j, jj in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            as_many = ii - i == jj - j  # the same rows with their ids changed or removed
            paired = min(ii - i, jj - j) if as_many or (word == "replace" and not _rows(value.new)) else 0
            for k in range(paired):
                self.change(_Value(nodes[i + k], value.old[i + k], value.new[j + k]))
                steps.append(_Step(i + k))
            steps += [_Step(None, "", value.new[k]) for k in range(j + paired, jj)]
        self._items(value, items, steps)

    def _dash(self, node: Any) -> int:
        """Return where an item of a list begins: at its dash, if it has one."""
        start = int(node.start_mark.index)
        before = self.text[self._line(start) : start]
        return start - len(before) + before.rindex("-") if before.strip() == "-" else start

    # --- items of mappings and lists ---------------------------------------------------------------------------------

    def _items(self, value: _Value, items: list[tuple[int, int]], steps: list[_Step]) -> None:
        """Remove and insert items so that the items in ``steps`` remain, in order."""
        remaining = [step.kept for step in steps if step.kept is not None]
        if len(remaining) == len(items) == len(steps):
            return
        if not remaining:
            self.edits = [edit for edit in self.edits if not items[0][0] <= edit[0] <= items[-1][1]]
            self._whole(value)
            return
        gap: list[_Step] = []
        before: int | None = None
        for step in (*steps, _Step(len(items))):
            if step.kept is None:
                gap.append(step)
                continue
            place = _Gap(before, step.kept, tuple(gap))
            if gap or place.gone:
                (self._lines if self._block(value.node) else self._flow)(value, items, place)
            before, gap = step.kept, []

    def _flow(self, value: _Value, items: list[tuple[int, int]], gap: _Gap) -> None:
        """Change the text between two kept items of a value in brackets or braces."""
        inner = self.text[items[0][1] : items[1][0]] if len(items) > 1 else ", "
        between = inner if "#" not in inner and "\n" not in inner.strip("\n ") else ", "
        new = [self._in_brackets(step) for step in gap.new]
        if gap.before is None:
            stop = items[gap.after][0]
            self.edits.append((items[0][0], stop, "".join(one + between for one in new)))
            return
        start = items[gap.before][1]
        if gap.after == len(items):
            self.edits.append((start, items[-1][1], "".join(between + one for one in new)))
        elif gap.gone:
            self.edits.append((start, items[gap.after][0], between.join(["", *new, ""])))
        else:
            self.edits.append((start, start, "".join(between + one for one in new)))

    def _in_brackets(self, step: _Step) -> str:
        if step.name:
            key = self.write(step.name)
            return f"{key}: {self.write(step.value)}"
        return self._row(step.value)

    def _lines(self, value: _Value, items: list[tuple[int, int]], gap: _Gap) -> None:
        """Change whole lines between two kept items."""
        first = items[0][0]
        indent = " " * self._column(first)
        new = [self._as_line(step, indent) for step in gap.new]
        for k in gap.gone:
            start, end = items[k]
            if k == 0 and self.text[self._line(start) : start].strip():  # it shares its line with a dash
                self.edits.append((start, items[gap.after][0], ""))
                break
            line = self._line(start)
            end = self._stop(end)
            last = end == len(self.text)
            cut = (max(0, line - len(self._newline)), end) if last else (line, end + len(self._newline))
            self.edits.append((*cut, ""))
        if not new:
            return
        if gap.before is None:
            line = self._line(first)
            self.edits.append((line, line, "".join(f"{one}{self._newline}" for one in new)))
            return
        stop = self._stop(items[gap.before][1])
        self.edits.append((stop, stop, "".join(f"{self._newline}{one}" for one in new)))

    def _as_line(self, step: _Step, indent: str) -> str:
        if not step.name:
            return f"{indent}- {self._row(step.value)}"
        if _rows(step.value):
            rows = "".join(f"{self._newline}{indent}  - {self._row(row)}" for row in step.value)
            return f"{indent}{self.write(step.name)}:{rows}"
        return f"{indent}{self.write(step.name)}: {self.write(step.value)}"

    # --- places in the text ------------------------------------------------------------------------------------------

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _block(self, node: Any) -> bool:
        return bool(getattr(node, "flow_style", None) is False)

    def _end(self, node: Any) -> int:
        """Return where a node ends; a block ends with its last part, without the comments below it."""
        if self._block(node) and isinstance(node.value, list) and node.value:
            last = node.value[-1]
            return self._end(last[1] if isinstance(last, tuple) else last)
        end, start = int(node.end_mark.index), int(node.start_mark.index)
        return start + len(self.text[start:end].rstrip()) if end > start else end

    def _line(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def _stop(self, index: int) -> int:
        """Return the end of the line at ``index``, before its newline."""
        end = self.text.find("\n", index)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[end - 1 : end] == "\r" else end

    def _column(self, index: int) -> int:
        start = self._line(index)
        line = self.text[start:index]
        return len(line) if index != start and not line.strip(" -") else len(line) - len(line.lstrip(" "))


@dataclass(frozen=True)
class _Step:
    """An item of the new text: the number of one that is kept, or a new one with its key, if it has one."""

    kept: int | None
    name: str = ""
    value: Any = None


@dataclass(frozen=True)
class _Gap:
    """The new items between two kept ones: ``before`` (None: the beginning) and ``after`` (the count: the end)."""

    before: int | None
    after: int
    new: tuple[_Step, ...]

    @property
    def gone(self) -> range:
        """The numbers of the items that are removed."""
        return range(0 if self.before is None else self.before + 1, self.after)


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _name(item: Any) -> str:
    """Return a text that identifies an item of a list: its id, else its whole content."""
    if isinstance(item, dict) and "id" in item:
        return f"id {item['id']}"
    return json.dumps(item, sort_keys=True, default=str)
