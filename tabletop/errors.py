"""All errors that a user can meet, in one tree.

TabletopError
├── Unreadable      a file cannot be read or does not say what it must   (exit 2)
│     faults: every fault at once, each ``file:line:column: what, and the cure``
├── BadQuestion     a question that cannot be put to this battle         (exit 2)
├── Illegal         an action the rules do not allow; carries the verdict (exit 1)
├── Unsaved         a game cannot be written where it should be           (exit 2)
└── Broken          the installation lacks something                     (exit 2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: The cure if part of the program is missing.
AGAIN = "install it again, in the program's own folder: python -m pip install --force-reinstall ."


class TabletopError(Exception):
    """Root of all errors for users: one clear line each.

    >>> import tabletop
    >>> try:
    ...     tabletop.load("level-shadow").judge("los", "low-guns", "midle")
    ... except tabletop.TabletopError as error:
    ...     print(error)
    no unit 'midle' on this table; did you mean 'middle'?
    """


@dataclass(frozen=True, order=True)
class Fault:
    """One fault at one place in a file, with its cure."""

    file: str
    line: int
    column: int
    text: str
    warning: bool = False

    def __str__(self) -> str:
        kind = "warning: " if self.warning else ""
        return f"{self.file}:{self.line}:{self.column}: {kind}{self.text}"


class Unreadable(TabletopError):
    """One or more files are faulty; carries every fault found.

    >>> import tabletop
    >>> try:
    ...     tabletop.load({"format": "tabletop-scene/1", "rules": "tse"})
    ... except tabletop.Unreadable as error:
    ...     print(error.faults[0].file, error.faults[0].line)
    scene 1
    """

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class BadQuestion(TabletopError):
    """The question names an unknown unit, lacks an argument, or cannot be asked under these rules.

    >>> import tabletop
    >>> try:
    ...     tabletop.load("level-shadow").judge("zone")
    ... except tabletop.BadQuestion as error:
    ...     print(error)
    'zone' asks about one unit; got 0: none
    """


class Illegal(TabletopError):
    """The rules do not allow an action now; ``verdict`` says why, rule by rule."""

    def __init__(self, text: str, verdict: Any) -> None:
        self.verdict = verdict
        super().__init__(text)


class Unsaved(TabletopError):
    """A file cannot be written (disk full, no permission); what is in memory is unharmed."""


class Broken(TabletopError):
    """The installation cannot do what was asked (a missing extra, no display)."""
