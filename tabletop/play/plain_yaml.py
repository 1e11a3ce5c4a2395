"""Plain YAML, the way these files are nearly always written, read in a fraction of the time the full reader takes.

Block mappings and lists of ``key: value`` and ``- value``, flow ones that may run over lines, scalars on one line,
comments. It reads nothing that the full reader (``yaml_text.parse``) reads otherwise: of a text that holds anything
else, or anything wrong, it returns None, and that one is asked, which finds every fault.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

#: What turns this reader away wherever it stands: tabs, escapes, control characters.
_FOREIGN = re.compile("[\t\r\\\\\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_MARKS = re.compile(r"^(---|\.\.\.)", re.MULTILINE)
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?: +|(?=\n)|\Z)")
_FLOW_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):(?= |\n)")
_BLANK = re.compile(r" *(?:#[^\n]*)?(?:\n|\Z)")
_GAP = re.compile(r"(?: |\n|(?<=[ \n])#[^\n]*)*")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'(?!')")
_LINE_TEXT = re.compile(r"(?:[A-Za-z0-9_+./(~]|-(?=[^ \n]))[^\n:#]*")
_FLOW_TEXT = re.compile(r"(?:[A-Za-z0-9_+./(~]|-(?=[A-Za-z0-9_+.]))[^\n:#,\[\]{}\"]*")

#: A place as the full reader tells it: line, column, places of keys, places of parts.
MakePlace = Callable[[int, int], Any]


class _Other(Exception):
    """Something is written that the full reader must read."""


def plainly(
    text: str, most: int, deepest: int, value: Callable[[str], Any], place: MakePlace
) -> tuple[Any, Any, int] | None:
    """Return data, place and number of values of a plain text; None where the full reader must read it.

    ``value`` says what an unquoted scalar means; ``place(line, column)`` makes a place with ``keys`` and ``parts``.
    """
    if _FOREIGN.search(text) or _MARKS.search(text):
        return None
    reader = _Reader(text, deepest, value, place)
    try:
        data, root = reader.whole()
    except _Other:
        return None
    return (data, root, reader.values) if reader.values <= most else None


class _Reader:
    """One text, and the line that is read next: ``at`` in it, its content from ``column`` on."""

    def __init__(self, text: str, deepest: int, value: Callable[[str], Any], place: MakePlace) -> None:
        self.text, self.deepest, self.value, self.place = text, deepest, value, place
        self.begins = [0, *(match.end() for match in re.finditer("\n", text))]
        self.values = 0
        self.at = -1
        self.column = -1
        self._to_line(0)

    def whole(self) -> tuple[Any, Any]:
        """Return the mapping that the text holds, and its place."""
        if self.column != 0:
            raise _Other
        found = self.mapping(0, 1)
        if self.column >= 0:
            raise _Other
        return found

    # --- lines ---

    def _to_line(self, position: int) -> None:
        """Go to the first line from ``position``, where one begins, that holds more than a comment."""
        text, end = self.text, len(self.text)
        while position < end:
            blank = _BLANK.match(text, position)
            if blank is None:
                self.at = position
                while text[self.at] == " ":
                    self.at += 1
                self.column = self.at - position
                return
            position = blank.end()
        self.at, self.column = end, -1

    def _done(self, position: int) -> None:
        """Go on behind a value: nothing but a comment may follow it on its line."""
        blank = _BLANK.match(self.text, position)
        if blank is None or (self.text[position : position + 1] == "#"):
            raise _Other
        self._to_line(blank.end())

    def _place(self, position: int, depth: int = 0) -> Any:
        """Return the place of a value; ``depth`` of a mapping or list, how deep it lies."""
        self.values += 1
        if depth > self.deepest:
            raise _Other
        line = bisect_right(self.begins, position)
        return self.place(line, position - self.begins[line - 1] + 1)

    # --- blocks ---

    def mapping(self, indent: int, depth: int) -> tuple[dict[str, Any], Any]:
        """Return the mapping whose keys stand in column ``indent``, from here on."""
        data: dict[str, Any] = {}
        place = self._place(self.at, depth)
        while self.column == indent:
            key = _KEY.match(self.text, self.at)
            if key is None or key[1] in data:
                raise _Other
            name = key[1]
            line = bisect_right(self.begins, self.at)
            place.keys[name] = (line, self.at - self.begins[line - 1] + 1)
            data[name], place.parts[name] = self._of_key(key.end(), indent, depth + 1)
        if self.column > indent:
            raise _Other
        return data, place

    def _of_key(self, position: int, indent: int, depth: int) -> tuple[Any, Any]:
        """Return the value of a key: on its line, or a block below it."""
        blank = _BLANK.match(self.text, position)
        if blank is None:
            return self._on_line(position, depth)
        self._to_line(blank.end())
        if self._entry() and self.column >= indent:
            return self.entries(self.column, depth)
        if self.column > indent:
            return self.mapping(self.column, depth)
        raise _Other

    def _entry(self) -> bool:
        return self.text.startswith("- ", self.at)

    def entries(self, indent: int, depth: int) -> tuple[list[Any], Any]:
        """Return the list whose dashes stand in column ``indent``, from here on."""
        data: list[Any] = []
        place = self._place(self.at, depth)
        while self.column == indent and self._entry():
            position = self.at + 1
            while self.text[position : position + 1] == " ":
                position += 1
            if _KEY.match(self.text, position):
                self.column, self.at = indent + position - self.at, position
                one, where = self.mapping(self.column, depth + 1)
            else:
                one, where = self._on_line(position, depth + 1)
            place.parts[len(data)] = where
            data.append(one)
        if self.column > indent:
            raise _Other
        return data, place

    def _on_line(self, position: int, depth: int) -> tuple[Any, Any]:
        """Return a value that begins on this line, and go on to the line behind it."""
        if self.text[position : position + 1] in ("{", "["):
            found, where, end = self._flow(position, depth)
        else:
            found, where, end = self._scalar(position, _LINE_TEXT)
        self._done(end)
        return found, where

    # --- values ---

    def _scalar(self, position: int, plain: re.Pattern[str]) -> tuple[Any, Any, int]:
        quoted = _QUOTED.match(self.text, position)
        if quoted is not None:
            whole = quoted[1] if quoted[2] is None else quoted[2]
            return whole, self._place(position), quoted.end()
        match = plain.match(self.text, position)
        if match is None:
            raise _Other
        some = match[0].rstrip(" ")
        return self.value(some), self._place(position), position + len(some)

    def _flow(self, position: int, depth: int) -> tuple[Any, Any, int]:
        """Return a flow mapping or list, and where it ends."""
        if self.text[position] == "[":
            return self._flow_list(position, depth)
        if self.text[position] == "{":
            return self._flow_mapping(position, depth)
        return self._scalar(position, _FLOW_TEXT)

    def _flow_list(self, position: int, depth: int) -> tuple[list[Any], Any, int]:
        data: list[Any] = []
        place = self._place(position, depth)
        if self.text.startswith("[]", position):
            return data, place, position + 2
        while True:
            position = self._next(position + 1)
            data_at, place_at, position = self._flow(position, depth + 1)
            place.parts[len(data)] = place_at
            data.append(data_at)
            position = self._next(position)
            if self.text[position] == "]":
                return data, place, position + 1
            if self.text[position] != ",":
                raise _Other

    def _flow_mapping(self, position: int, depth: int) -> tuple[dict[str, Any], Any, int]:
        data: dict[str, Any] = {}
        place = self._place(position, depth)
        if self.text.startswith("{}", position):
            return data, place, position + 2
        while True:
            position = self._next(position + 1)
            key = _FLOW_KEY.match(self.text, position)
            if key is None or key[1] in data:
                raise _Other
            line = bisect_right(self.begins, position)
            place.keys[key[1]] = (line, position - self.begins[line - 1] + 1)
            data[key[1]], place.parts[key[1]], position = self._flow(self._next(key.end()), depth + 1)
            position = self._next(position)
            if self.text[position] == "}":
                return data, place, position + 1
            if self.text[position] != ",":
                raise _Other

    def _next(self, position: int) -> int:
        """Return where the next token of a flow begins: behind spaces, ends of lines and comments."""
        gap = _GAP.match(self.text, position)
        end = position if gap is None else gap.end()
        if end >= len(self.text):
            raise _Other
        return end
