"""A verdict: what was asked, whether it holds, by how much, and why.

A ``Reason`` is recursive: a leaf is one measurement against one limit, a node is all or any of its parts. Printed, it
is the proof; drawn, the diagram; tested, the golden file. A ``Verdict`` is the answer to one question, with the
reasons, the witness or the blockers, and the shapes to draw. Nothing is computed twice: words and pictures are made
from these values alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tabletop.geometry.measure import Point

#: What a shape means in a picture; the painters give each role its colour, dash and label.
Role = Literal[
    "witness",  # the line or path that proves a yes
    "blocked",  # a line or path that fails
    "blocker",  # the stretch, piece or unit that forbids
    "arc",
    "band",
    "zone",
    "path",
    "reach",
    "sight",
    "shadow",
    "target",
    "ghost",  # where the unit would stand
    "tape",
    "mark",
]


@dataclass(frozen=True)
class Shape:
    """One thing to draw, in table units: a point, a polyline, or a polygon with holes, and an optional label."""

    role: Role
    kind: Literal["point", "line", "polygon"]
    points: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Reason:
    """One measurement against one limit, or all/any of its parts; cites the rule that decides.

    >>> import tabletop
    >>> reason = tabletop.load("level-shadow").judge("los", "low-guns", "middle").reasons[0]
    >>> reason.rule, reason.holds, round(reason.measured, 2), round(reason.limit, 2)
    ('TSE-LOS-06', False, 6.25, 7.0)
    """

    rule: str
    holds: bool
    text: str
    measured: float | None = None
    limit: float | None = None
    feature: str | None = None
    parts: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def as_json(self) -> dict[str, Any]:
        """Return the plain-data entry; ``parts`` only if there are any."""
        entry: dict[str, Any] = {"rule": self.rule, "holds": self.holds, "text": self.text}
        if self.feature is not None:
            entry["feature"] = self.feature
        if self.measured is not None:
            entry["measured"] = rounded(self.measured)
        if self.limit is not None:
            entry["limit"] = rounded(self.limit)
        if self.parts:
            entry["parts"] = [part.as_json() for part in self.parts]
        return entry


def all_of(rule: str, text: str, parts: Iterable[Reason]) -> Reason:
    """Return a reason that holds when every part does."""
    all_parts = tuple(parts)
    return Reason(rule, all(all_parts), text, parts=all_parts)


@dataclass(frozen=True)
class SideView:
    """A sight line in section, for the side-view picture; distances are along the line from ``start``.

    ``ground``: (from, to, level) stretches; ``obstructions``: (from, to, base level, id, blocks); ``shadows``: (from,
    to, level it lies on, id). ``eye`` and ``target`` are the levels of the two ends. ``hills``: (from, to, level, id).
    Where a contour lies close behind an end, ground and hills extend beyond it: below 0 and past the line's length.
    """

    start: Point
    end: Point
    eye: int
    target: int
    ground: tuple[tuple[float, float, int], ...] = ()
    obstructions: tuple[tuple[float, float, int, str, bool], ...] = ()
    shadows: tuple[tuple[float, float, int, str], ...] = ()
    hills: tuple[tuple[float, float, int, str], ...] = ()


@dataclass(frozen=True)
class Dependency:
    """A named ruling under which the answer would be the opposite."""

    ruling: str
    would_be: bool


@dataclass(frozen=True)
class Elsewhere:
    """Where one thing, a unit or a piece of terrain, would have to stand: shifted, or turned clockwise (degrees)."""

    id: str
    shift: Point | None = None
    turn: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the plain-data entry."""
        if self.shift is not None:
            return {"id": self.id, "shift": rounded(list(self.shift))}
        return {"id": self.id, "turn": rounded(self.turn)}


@dataclass(frozen=True)
class Margin:
    """How close one fact is: the smallest shift and the smallest turn of any one thing that change it, and of which
    thing.

    ``shift`` and ``turn`` are None if nothing within the search changes it.
    """

    value: Any
    shift: float | None = None
    turn: float | None = None
    shifted: Elsewhere | None = None
    turned: Elsewhere | None = None

    def under(self, tape: float) -> bool:
        """Return whether a shift too small to measure with a tape changes the fact."""
        return self.shift is not None and self.shift < tape

    def as_json(self) -> dict[str, Any]:
        """Return the margins and the move that changes the fact: a shift if there is one."""
        by = self.shifted or self.turned
        return {
            "margin": rounded(self.shift),
            "margin_turn": rounded(self.turn),
            "turned_by": None if by is None else by.as_json(),
        }


@dataclass(frozen=True)
class Searched:
    """The extent of a search for margins: largest shift and turn tried, and how many units and pieces of terrain.

    ``unproved``: after how many bundles of lines a sight search was cut off in one of the placements; 0 if none was.
    ``apart`` (table units) and ``step`` (degrees) are the largest gaps between shifts and turns tried; 0 where it is
    known without trying that nothing changes. A fact that changes and changes back between two of them may be missed.
    """

    shift: float
    turn: float
    units: int
    pieces: int
    unproved: int = 0
    apart: float = 0.0
    step: float = 0.0

    def as_json(self) -> dict[str, float]:
        """Return how far and how finely was searched, as a verdict's JSON shows it."""
        lengths = {"shift": self.shift, "apart": self.apart, "turn": self.turn, "step": self.step}
        return {key: rounded(value) for key, value in lengths.items()}


@dataclass(frozen=True)
class Certainty:
    """How certain the call is on a table measured no better than stated: the share of placements in which it holds.

    Each placement moves ``moved`` things at once; ``redrawn`` counts those drawn again because they could not stand on
    a table. ``unproved`` is as in ``Searched``; if it is set, nothing is certain.
    """

    certain: bool
    share: float
    placements: int
    moved: int = 0
    redrawn: int = 0
    unproved: int = 0


def against_first(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return the reasons that fail first, then the others, each group in its order."""
    return tuple(sorted(reasons, key=lambda reason: reason.holds))


def features_of(reasons: Iterable[Reason]) -> tuple[str, ...]:
    """Return the pieces and units that the reasons name, each once."""
    return tuple(dict.fromkeys(reason.feature for reason in reasons if reason.feature))


@dataclass(frozen=True)
class Verdict:
    """The answer to one question.

    ``unproved``: after how many bundles of lines a sight search was cut off, so that what it did not find is not proved
    absent; 0 if every search was completed.
    """

    question: str
    args: tuple[str, ...]
    rules: str
    holds: bool
    measured: Mapping[str, Any] = field(default_factory=dict)
    because: tuple[Reason, ...] = ()
    witness: tuple[Point, ...] | None = None
    blockers: tuple[str, ...] = ()
    closeness: Margin | None = None
    attributes: Mapping[str, Margin] = field(default_factory=dict)
    searched: Searched | None = None
    too_close: bool | None = None
    depends_on: tuple[Dependency, ...] = ()
    certainty: Certainty | None = None
    unproved: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    shapes: tuple[Shape, ...] = ()
    side_view: SideView | None = None

    @property
    def against(self) -> tuple[Reason, ...]:
        """The reasons that do not hold."""
        return tuple(reason for reason in self.because if not reason.holds)

    @property
    def margin(self) -> float | None:
        """The smallest shift of any one thing that reverses the answer, None if none within the search does."""
        return None if self.closeness is None else self.closeness.shift

    @property
    def margin_turn(self) -> float | None:
        """The smallest turn of any one thing, in degrees, that reverses the answer, None if none does."""
        return None if self.closeness is None else self.closeness.turn

    @property
    def unproved_after(self) -> int:
        """After how many bundles of lines a search for answer, margin or certainty was cut off; 0 if none was."""
        others = (self.searched, self.certainty)
        return max([self.unproved, *(search.unproved for search in others if search is not None)])

    def with_(self, **changes: Any) -> Verdict:
        """Return this verdict with some fields replaced."""
        return replace(self, **changes)

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain data, numbers rounded to 1e-6."""
        data: dict[str, Any] = {
            "question": self.question,
            "args": list(self.args),
            "rules": self.rules,
            "holds": self.holds,
            "measured": rounded(dict(self.measured)),
            **(self.closeness or Margin(self.holds)).as_json(),
            "attributes": None
            if self.closeness is None
            else {name: {"value": rounded(m.value), **m.as_json()} for name, m in self.attributes.items()},
            "too_close": self.too_close,
            "witness": rounded([list(p) for p in self.witness]) if self.witness else None,
            "blockers": list(self.blockers),
            "because": [reason.as_json() for reason in self.because],
            "depends_on": [{"ruling": d.ruling, "would_be": d.would_be} for d in self.depends_on],
        }
        if self.unproved_after:
            data["unproved"] = {"searched": self.unproved_after, "of": "bundles of sight lines"}
        if self.searched is not None:
            data["searched"] = self.searched.as_json()
        if self.certainty is not None:
            c = self.certainty
            data["certainty"] = {
                "certain": c.certain,
                "share": c.share,
                "placements": c.placements,
                "moved": c.moved,
                "redrawn": c.redrawn,
            }
        return data


def rounded(value: Any) -> Any:
    """Return ``value`` with every float rounded to 1e-6 for output, nested lists and dicts included."""
    if isinstance(value, float):
        return round(value, 6) + 0.0
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [rounded(item) for item in value]
    return value
