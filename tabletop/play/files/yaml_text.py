"""Text of a file into plain data, with the line and column of every key and value.

YAML 1.2 (JSON is read the same way) is read from a stream of events, which keeps every position, never recurses, and
stops at the first level too deep or value too many. libyaml, ten times faster, reads texts that it is sure to read as
YAML 1.2 does; ruamel (``yaml_faults``) reads all others and reports every fault. Anchors, aliases, tags and directives
are refused, so that a file means only what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.errors import Fault, Unreadable

LONGEST = 1_000_000  # bytes: some fifty times a full battlefield
DEEPEST = 24
MOST_VALUES = 30_000  # ten times a full battlefield

Step = str | int

_INT = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
#: Digits that are a key of their own only because a comma stands before them: ``facing: 12,5``.
_DIGITS = re.compile(r"[0-9]+\Z")
#: Keys with two numbers in brackets, in which a comma without brackets stands between the two.
_PAIRS = ("at", "front_mid", "size", "base")
_BASED = re.compile(r"0o[0-7]{1,15}\Z|0x[0-9a-fA-F]{1,15}\Z")
#: Control characters, surrogates, and marks that change the direction of writing, which no name may contain.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: Where the readers differ: tabs, characters that only one of them takes for the end of a line, and blocks of text
#: (``|``, ``>``) other than plain ones, which begin on the next line.
_DIFFERENT = re.compile("[\t\r\x85\u2028\u2029\ufeff]|[|>](?![-+0-9]{0,2}\n *[^ \n])")
_WORDS: dict[str, Any] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS |= dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf"))
_WORDS |= dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf"))
_WORDS |= dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan"))


@dataclass(slots=True)
class Place:
    """The position of a value (line and column from 1), those of its keys, and the places of its parts."""

    line: int
    column: int
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)
    parts: dict[Step, Place] = field(default_factory=dict)


@dataclass(frozen=True)
class Document:
    """The plain data of one file, its label for messages, and the places of everything in it."""

    file: str
    data: Any
    place: Place
    values: int = 0

    def at(self, steps: Iterable[Step]) -> tuple[int, int]:
        """Return line and column of the value ``steps`` lead to, or of the nearest thing around it that exists."""
        place = self.place
        for step in steps:
            if step not in place.parts:
                break
            place = place.parts[step]
        return place.line, place.column

    def key_at(self, steps: Sequence[Step]) -> tuple[int, int]:
        """Return line and column of the key ``steps`` end with, or of what is around it."""
        place = self.place
        for step in steps[:-1]:
            if step not in place.parts:
                return place.line, place.column
            place = place.parts[step]
        return place.keys.get(str(steps[-1]), (place.line, place.column)) if steps else (place.line, place.column)

    def fault(self, steps: Sequence[Step], text: str, *, key: bool = False, warning: bool = False) -> Fault:
        """Return a fault at the value (or, with ``key``, at the key) that ``steps`` lead to."""
        line, column = self.key_at(steps) if key else self.at(steps)
        return Fault(self.file, line, column, text, warning)


def without_places(file: str, data: Any) -> Document:
    """Return plain data without a text (a scene inside a request) as a document; every fault is placed at 1:1."""
    return Document(file, data, Place(1, 1))


def decode(file: str, raw: bytes) -> str:
    """Return the text of ``raw``; Unreadable if it is too long, empty or not UTF-8."""
    if len(raw) > LONGEST:
        raise _refused(file, 1, 1, f"the file has {len(raw):,} bytes; the most that is read is {LONGEST:,}: split it")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refused(file, 1, 1, "this is UTF-16; save the file as UTF-8")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise _refused(file, line, column, "this is not UTF-8 text; save the file as UTF-8") from None
    if not text.strip():
        raise _refused(file, 1, 1, "the file is empty; its first line says what it is: 'format: tabletop-scene/1'")
    return text


def parse(file: str, text: str, most: int = MOST_VALUES) -> Document:
    """Return the document that ``text`` holds; Unreadable, with every fault found, if it cannot be read.

    ``most`` is the number of values that the file may hold; files read before for the same battle reduce it.
    """
    return quickly(file, text, most) or thoroughly(file, text, most)


def quickly(file: str, text: str, most: int) -> Document | None:
    """Return the document as libyaml reads it; None if it has a fault or the two readers may differ on it."""
    try:
        from yaml.cyaml import CParser
        from yaml.error import YAMLError
    except ImportError:  # PyYAML was built without libyaml
        return None
    if _DIFFERENT.search(text):
        return None
    builder, parser = _Builder(file, most), CParser(text)
    try:
        while (event := parser.get_event()) is not None:
            if _unusual(event):
                return None
            builder.take(event)
    except (YAMLError, Unreadable):
        return None
    return None if builder.faults else Document(file, builder.data, builder.place, builder.values)


def _unusual(event: Any) -> bool:
    """Return whether an event is refused, or is an empty value, whose position the two readers report differently."""
    if type(event).__name__ in ("AliasEvent", "DocumentStartEvent"):
        return not hasattr(event, "version") or bool(event.version or event.tags)
    empty = getattr(event, "value", None) == "" and not event.style
    return empty or getattr(event, "anchor", None) is not None or getattr(event, "tag", None) is not None


def thoroughly(file: str, text: str, most: int) -> Document:
    """Return the document as ruamel reads it; Unreadable, with every fault found, if it cannot be read."""
    from tabletop.play.files import yaml_faults

    builder = _Builder(file, most)
    fault = yaml_faults.read(file, text, builder.take)
    if fault is not None:
        builder.faults.append(fault)
    if builder.faults:
        raise Unreadable(builder.faults)
    return Document(file, builder.data, builder.place, builder.values)


class _Builder:
    """Builds data and places from the events of one text, with an explicit stack instead of recursion."""

    def __init__(self, file: str, most: int) -> None:
        self.file = file
        self.most = most
        self.faults: list[Fault] = []
        self.data: Any = None
        self.place = Place(1, 1)
        self.documents = 0
        self.values = 0
        self.stack: list[_Open] = []
        self.number: Any = None  # the event of a number, while what comes next may be the rest of it

    def take(self, event: Any) -> None:
        """Add one event; both readers use the same class names for their events."""
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._scalar(event)
        elif kind == "MappingStartEvent" or kind == "SequenceStartEvent":
            self._open(event, {} if kind == "MappingStartEvent" else [])
        elif kind == "MappingEndEvent" or kind == "SequenceEndEvent":
            self.stack.pop()
            self.number = None
        elif kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                raise self._stop(event, "a second document ('---'); one file holds one: remove the line")

    def _scalar(self, event: Any) -> None:
        top = self.stack[-1] if self.stack else None
        if top is not None and top.wants_key:
            self._key(top, event)
        else:
            plain = not event.style and event.implicit[0]
            if top is not None and top.rest is not None:
                self._rest(top, event)
            self._put(event, _value(event.value) if plain else event.value)
            self.number = event if plain and _FLOAT.match(event.value) else None
        if event.style and UNPRINTABLE.search(event.value):
            mark = event.start_mark
            text = "this text holds characters that cannot be printed; take the escapes ('\\x..') out"
            self.faults.append(Fault(self.file, mark.line + 1, mark.column + 1, text))

    def _key(self, top: _Open, event: Any) -> None:
        name, mark = event.value, event.start_mark
        if name in top.place.keys:
            first = top.place.keys[name][0]
            text = f"key '{name}' stands here again (first on line {first}); remove one of them"
            self.faults.append(Fault(self.file, mark.line + 1, mark.column + 1, text))
        else:
            top.place.keys[name] = (mark.line + 1, mark.column + 1)
        top.rest, self.number = self._rest_in(top, event), None
        top.last = top.key = name

    def _rest_in(self, top: _Open, event: Any) -> tuple[int, int, str] | None:
        """Return line, column and message if a key may be the rest of the number before it; None if it may not."""
        before = self.number
        if before is None or event.style or not _FLOAT.match(event.value):
            return None
        start, end = event.start_mark, before.end_mark
        if top.last in _PAIRS:
            text = "two numbers stand in brackets, and decimals are written with a point"
            return start.line + 1, start.column + 1, f"{top.last}: {text}: write e.g. [1.5, 2]"
        beside = (start.line, start.column) == (end.line, end.column + 1)
        if not beside or not _DIGITS.match(event.value) or not _INT.match(before.value):
            return None
        point = f"write {before.value}.{event.value}, not {before.value},{event.value}"
        return start.line + 1, start.column + 1, f"{top.last}: decimals are written with a point: {point}"

    def _rest(self, top: _Open, event: Any) -> None:
        """Report a decimal comma, which has split a number, if the key after the comma has no value."""
        assert top.rest is not None
        line, column, text = top.rest
        if event.value == "" and not event.style:
            self.faults = [fault for fault in self.faults if (fault.line, fault.column) != (line, column)]
            self.faults.append(Fault(self.file, line, column, text))

    def _open(self, event: Any, data: Any) -> None:
        if self.stack and self.stack[-1].wants_key:
            raise self._stop(event, "a list or a block as a key; a key is one word: 'key: value'")
        if len(self.stack) >= DEEPEST:
            raise self._stop(event, f"brackets or blocks nested more than {DEEPEST} deep; no file needs more than six")
        self.stack.append(_Open(data, self._put(event, data)))
        self.number = None

    def _put(self, event: Any, value: Any) -> Place:
        mark = event.start_mark
        place = Place(mark.line + 1, mark.column + 1)
        self.values += 1
        if self.values > self.most:
            raise self._stop(event, f"more than {MOST_VALUES:,} values in the files of one battle; leave some out")
        if not self.stack:
            self.data, self.place = value, place
        else:
            self.stack[-1].put(value, place)
        return place

    def _stop(self, event: Any, text: str) -> Unreadable:
        mark = event.start_mark
        return Unreadable([*self.faults, Fault(self.file, mark.line + 1, mark.column + 1, text)])


@dataclass(slots=True)
class _Open:
    """A mapping or list still being read."""

    data: Any
    place: Place
    key: str | None = None
    last: str | None = None
    rest: tuple[int, int, str] | None = None

    @property
    def wants_key(self) -> bool:
        return self.key is None and isinstance(self.data, dict)

    def put(self, value: Any, place: Place) -> None:
        if isinstance(self.data, list):
            self.place.parts[len(self.data)] = place
            self.data.append(value)
            return
        assert self.key is not None
        self.data[self.key] = value
        self.place.parts[self.key] = place
        self.key = None


def _value(text: str) -> Any:
    """Return the value of unquoted text (YAML 1.2, core schema)."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text) and len(text) < 19:
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    return int(text, 0) if _BASED.match(text) else text


def _refused(file: str, line: int, column: int, text: str) -> Unreadable:
    return Unreadable([Fault(file, line, column, text)])
