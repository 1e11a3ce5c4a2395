"""Faults of a text that is not plain YAML, worded for users who edit a text file.

ruamel reads it event by event, as YAML 1.2 with every position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner, ScannerError

from tabletop.errors import Fault

#: Fragments of ruamel's messages, and what to tell a wargamer instead; the first fragment that occurs decides.
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


def read(file: str, text: str, take: Callable[[Any], None]) -> Fault | None:
    """Pass every event of a text to ``take``; return the fault at which the reader stops, None if there is none."""
    try:
        for event in _reader().parse(text):
            take(event)
    except MarkedYAMLError as error:
        return _plainly(file, error)
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        return Fault(file, line, column, f"a character that is not text ({error.character!r}); remove it")
    return None


class _PlainScanner(Scanner):
    """The YAML scanner, without anchors, aliases, tags and directives: a file means only what it shows."""

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


def _plainly(file: str, error: MarkedYAMLError) -> Fault:
    """Return ruamel's error as a fault in words for users who edit a text file."""
    problem = str(error.problem or error)
    quote = "unexpected end of stream" in problem
    mark = (error.context_mark if quote else error.problem_mark) or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    text = next((words for fragment, words in _PLAIN_WORDS if fragment in problem), None)
    text = text or (problem if ";" in problem else f"{problem}; check the quotes, the brackets and the indent here")
    return Fault(file, line, column, " ".join(text.split()))
