"""Results of the brute-force proofs: a line for each part of a question, with the version of the code that answered.

While a proof runs it adds one line per part to a file of its own. ``packed`` combines them into one line per question,
small enough to be kept beside the code, so that the proof can continue elsewhere as long as the code is the same.

A line names the code that answers, and the search that found the margins. What the brute force found among the answers
does not depend on the search; ``renewed`` says when a line proves the margins that another search finds.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import math
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.answering import ROOT, answering

#: The fields that are summed over the parts of a question.
COUNTED = ("shifts", "turns", "drawn", "spared", "beyond", "past", "answers")

#: The package that searches for margins, and its modules that only ask: they count as code that answers.
SEARCHING, ASKING_ALONE = ROOT / "tabletop/judge", ("things.py", "asking.py")

Line = dict[str, Any]


@dataclass(frozen=True)
class Results:
    """A file of results: one line for every part of a question that was asked, or for all of its parts."""

    path: Path

    def lines(self) -> Iterator[Line]:
        """Yield what was written, without a truncated last line."""
        if self.path.exists():
            for line in self.path.read_text("utf-8").splitlines():
                with suppress(json.JSONDecodeError):
                    yield json.loads(line)

    def done(self, seed: int, codes: Iterable[tuple[str, str]]) -> set[tuple[int, int]]:
        """Return the question and part of every line of one of these versions of the code and of the search."""
        codes = set(codes)
        asked = (line for line in self.lines() if line["seed"] == seed and version(line) in codes)
        return {(line["question"], part) for line in asked for part in parts_of(line)}

    def add(self, line: Line) -> None:
        """Write one line, starting a new one after a truncated line."""
        with self.path.open("a+b") as file:
            if file.tell():
                file.seek(-1, 2)
                file.write(b"" if file.read(1) == b"\n" else b"\n")
            file.write(json.dumps(line).encode() + b"\n")

    def keep(self, lines: Iterable[Line]) -> None:
        """Write these lines, replacing the file."""
        beside = self.path.with_suffix(".new")
        beside.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        beside.replace(self.path)


#: Which versions of the code were found to answer alike (``tools.same_answers``).
ALIKE = Results(ROOT / "tools/same_answers.jsonl")


def version(line: Line) -> tuple[str, str]:
    """Return the versions of the code that answered and of the search, "" for what a line does not name."""
    return line.get("code", ""), line.get("search", "")


def alike(rules: str) -> set[str]:
    """Return the versions of the code whose results count for this one: its own, and those recorded as answering
    alike (``tools.same_answers``)."""
    versions, pairs = {code(rules)}, [set(line["codes"]) for line in ALIKE.lines()]
    while more := {version for pair in pairs if pair & versions for version in pair} - versions:
        versions |= more
    return versions


def parts_of(line: Line) -> list[int]:
    """Return the parts of a question that a line covers."""
    return [p for first, last in line["parts"] for p in range(first, last + 1)] if "parts" in line else [line["part"]]


def asked_parts(lines: Iterable[Line]) -> dict[int, set[int]]:
    """Return the parts of each question that some lines cover together, whatever code answered."""
    parts: dict[int, set[int]] = {}
    for line in lines:
        parts.setdefault(line["question"], set()).update(parts_of(line))
    return parts


def packed(lines: Iterable[Line]) -> list[Line]:
    """Return one line for each question and version: its parts as ranges, counts and seconds summed."""
    groups: dict[tuple[int, int, tuple[str, str]], dict[int, Line]] = {}
    whole: dict[tuple[int, int, tuple[str, str]], list[Line]] = {}
    for line in lines:
        key = line["seed"], line["question"], version(line)
        if "parts" in line:
            whole.setdefault(key, []).append(line)
        else:
            groups.setdefault(key, {}).setdefault(line["part"], line)
    for key, olds in whole.items():
        for old in olds:  # a part asked twice counts once: packed lines keep their ranges
            for part in parts_of(old):
                groups.get(key, {}).pop(part, None)
    keys = sorted({*groups, *whole})
    return [_one([*whole.get(key, ()), *groups.get(key, {}).values()]) for key in keys]


def _one(lines: list[Line]) -> Line:
    parts = sorted({part for line in lines for part in parts_of(line)})
    breaks = [0, *(k + 1 for k, (a, b) in enumerate(pairwise(parts)) if b != a + 1), len(parts)]
    first = {name: value for name, value in lines[0].items() if name not in ("part", "parts", "seconds", "commit")}
    return {
        **first,
        "parts": [[parts[a], parts[b - 1]] for a, b in pairwise(breaks)],
        **{name: sum(line.get(name, 0) for line in lines) for name in COUNTED},
        "seconds": {"brute": round(sum(line["seconds"]["brute"] for line in lines), 1)},
        "found": [counterexample for line in lines for counterexample in line["found"]],
    }


def renewed(line: Line, found: Line) -> Line | None:
    """Return a line as it stands with the margins that another search found; None if it proves nothing about them.

    ``found`` has what that search found, and its version: the fields "told", "reached", "steps" and "search". The brute
    force asked every placement smaller than the margins of the line. It therefore proves margins that are no larger;
    changes beyond the end of the search, and placements not asked about there, prove nothing about one that ends later.
    The counterexamples of the line remain those that are smaller than the new margins; they have to be asked again.
    """
    told, before = found["told"], line["told"]
    if told.keys() != before.keys() or not all(_within(told[name], before[name]) for name in told):
        return None
    if (line.get("beyond", 0) or line.get("past", 0)) and not _within(found["reached"] or (), line["reached"] or ()):
        return None
    return {**line, **found}


def _within(sizes: Sequence[float | None], others: Sequence[float | None]) -> bool:
    """Return whether a shift and a turn (None: nothing was found) are no larger than others, each than its own."""
    one, other = ([math.inf if size is None else size for size in both] for both in (sizes, others))
    return all(a <= b + 1e-9 for a, b in zip(one, other, strict=True))


@cache
def code(rules: str) -> str:
    """Return a digest of the code and the data by which a rule set answers; comments and docstrings do not count.

    The search for margins is left out: it asks the same questions, and ``search`` is its digest.
    """
    return _digest(path for path in answering(rules) if path not in _searching())


@cache
def search() -> str:
    """Return a digest of the code that searches for margins."""
    return _digest(_searching())


def _searching() -> list[Path]:
    return [path for path in sorted(SEARCHING.glob("*.py")) if path.name not in ASKING_ALONE]


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(undocumented(path.read_text("utf-8")).encode() if path.suffix == ".py" else path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def undocumented(source: str) -> str:
    """Return a module without docstrings, comments and blank lines: the same in every version of Python."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for row in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[row - 1] = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        row, column = token.start
        if token.type == tokenize.COMMENT and lines[row - 1]:
            lines[row - 1] = lines[row - 1][:column]
    return "\n".join(line.rstrip() for line in lines if line.strip())
