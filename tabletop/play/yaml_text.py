"""Text of a file into plain data, with the line and column of every key and value.

YAML 1.2 (JSON is read the same way), from ruamel's stream of events: that keeps every position, never recurses, and
stops at the first level too deep or value too many. Anchors, aliases, tags and directives are refused: a file says what
it holds in plain sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner, ScannerError

from tabletop.errors import Fault, Unreadable
from tabletop.play.plain_yaml import plainly

LONGEST = 1_000_000  # bytes: some fifty times a full battlefield
DEEPEST = 24
MOST_VALUES = 30_000  # ten times a full battlefield

Step = str | int

_INT = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_BASED = re.compile(r"0o[0-7]{1,15}\Z|0x[0-9a-fA-F]{1,15}\Z")
#: Control characters, halves of characters, and what turns the direction of writing: no name holds these.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_WORDS: dict[str, Any] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS |= dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf"))
_WORDS |= dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf"))
_WORDS |= dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan"))

#: What ruamel says, and what a wargamer needs to hear instead: the first fragment found in its words decides.
_PLAIN_WORDS = (
    ("mapping values are not allowed", "a ':' stands where none may; put text that holds ': ' in quotes"),
    ("'\\t'", "a tab; indent with spaces"),
    ("could not find expected ':'", "this key has no ':' after it; write 'key: value'"),
    ("expected <block end>", "this does not line up with the lines above; give rows of one block the same indent"),
    ("expected ',' or '}'", "a comma or the closing '}' is missing before this; put it in"),
    ("expected ',' or ']'", "a comma or the closing ']' is missing before this; put it in"),
    ("found unexpected end of stream", "a quote is opened here and never closed; close it"),
    ("but found '<stream end>'", "the file ends inside a bracket; close every '[' and '{'"),
    ("special characters are not allowed", "a character that is not text; remove it"),
    ("did not find expected key", "this does not line up with the lines above; check the indent"),
    ("unknown escape character", "'\\' starts an escape inside double quotes; use single quotes"),
    ("cannot start any token", "this character cannot start a value; put the text in quotes"),
    ("block sequence entries are not allowed", "a '- ' may not stand here; start the list on its own line"),
    ("expected the node content", "a value is missing before this; write one or take out the comma"),
    ("<document start>", "this does not belong to what stands above; check the indent, or remove it"),
)


@dataclass(slots=True)
class Place:
    """Where a value stands (line and column from 1), where its keys stand, and the places of its parts."""

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
    """Return plain data that has no text of its own (a scene inside a request); every fault stands at 1:1."""
    return Document(file, data, Place(1, 1))


def decode(file: str, raw: bytes) -> str:
    """Return the text of ``raw``; Unreadable when it is too long, empty or not UTF-8."""
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
    """Return the document that ``text`` holds; Unreadable, with every fault found, where it cannot be read.

    ``most`` is the number of values there may be, those of the files read before it for the same battle counted.
    """
    plain = plainly(text, most, DEEPEST, _value, Place)
    return _fully(file, text, most) if plain is None else Document(file, *plain)


def _fully(file: str, text: str, most: int) -> Document:
    """Return the same from the full reader, whatever the text holds."""
    builder = _Builder(file, most)
    try:
        for event in _reader().parse(text):
            builder.take(event)
    except MarkedYAMLError as error:
        builder.faults.append(_plainly(file, error))
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        text = f"a character that is not text ({error.character!r}); remove it"
        builder.faults.append(Fault(file, line, column, text))
    if builder.faults:
        raise Unreadable(builder.faults)
    return Document(file, builder.data, builder.place, builder.values)


class _PlainScanner(Scanner):
    """The YAML scanner, without what would let a file mean more than it shows."""

    def fetch_anchor(self) -> None:
        self._refuse("an anchor ('&'); write the value out, or put text that starts with '&' in quotes")

    def fetch_alias(self) -> None:
        self._refuse("an alias ('*'); write the value out, or put text that starts with '*' in quotes")

    def fetch_tag(self) -> None:
        self._refuse("a tag ('!'); remove it, or put text that starts with '!' in quotes")

    def fetch_directive(self) -> None:
        self._refuse("a directive ('%'); remove the line, or put text that starts with '%' in quotes")

    def _refuse(self, text: str) -> None:
        raise ScannerError(None, None, text, self.reader.get_mark())


def _reader() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = _PlainScanner
    return yaml


class _Builder:
    """Folds the events of one text into data and places, with a stack of its own."""

    def __init__(self, file: str, most: int) -> None:
        self.file = file
        self.most = most
        self.faults: list[Fault] = []
        self.data: Any = None
        self.place = Place(1, 1)
        self.documents = 0
        self.values = 0
        self.stack: list[_Open] = []

    def take(self, event: Event) -> None:
        """Fold one event in."""
        kind = type(event)
        if kind is ScalarEvent:
            self._scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            self._open(event, {} if kind is MappingStartEvent else [])
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            self.stack.pop()
        elif kind is DocumentStartEvent:
            self.documents += 1
            if self.documents > 1:
                raise self._stop(event, "a second document ('---'); one file holds one: remove the line")

    def _scalar(self, event: Any) -> None:
        top = self.stack[-1] if self.stack else None
        if top is not None and top.wants_key:
            self._key(top, event)
        else:
            plain = event.style is None and event.implicit[0]
            self._put(event, _value(event.value) if plain else event.value)
        if event.style is not None and _UNPRINTABLE.search(event.value):
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
        top.key = name

    def _open(self, event: Event, data: Any) -> None:
        if self.stack and self.stack[-1].wants_key:
            raise self._stop(event, "a list or a block as a key; a key is one word: 'key: value'")
        if len(self.stack) >= DEEPEST:
            raise self._stop(event, f"brackets or blocks nested more than {DEEPEST} deep; no file needs more than six")
        self.stack.append(_Open(data, self._put(event, data)))

    def _put(self, event: Event, value: Any) -> Place:
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

    def _stop(self, event: Event, text: str) -> Unreadable:
        mark = event.start_mark
        return Unreadable([*self.faults, Fault(self.file, mark.line + 1, mark.column + 1, text)])


@dataclass(slots=True)
class _Open:
    """A mapping or list still being read."""

    data: Any
    place: Place
    key: str | None = None

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
    """Return what unquoted text means (YAML 1.2, core schema)."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text) and len(text) < 19:
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    return int(text, 0) if _BASED.match(text) else text


def _plainly(file: str, error: MarkedYAMLError) -> Fault:
    """Return ruamel's complaint as a fault in the words of somebody who edits a text file."""
    problem = str(error.problem or error)
    quote = "unexpected end of stream" in problem
    mark = (error.context_mark if quote else error.problem_mark) or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    text = next((words for fragment, words in _PLAIN_WORDS if fragment in problem), None)
    text = text or (problem if ";" in problem else f"{problem}; check the quotes, the brackets and the indent here")
    return Fault(file, line, column, " ".join(text.split()))


def _refused(file: str, line: int, column: int, text: str) -> Unreadable:
    return Unreadable([Fault(file, line, column, text)])
