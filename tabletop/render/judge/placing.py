"""What is about to be placed: a unit of some troops, or a piece of terrain whose corners are being clicked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import presets
from tabletop.play.files.draft import Draft, Row, entered, entered_facing
from tabletop.play.files.troop_register import changed, mustered, new_row
from tabletop.rules import rule_set
from tabletop.rules.terrain_kinds import kinds_of, preset_of

#: The sides of an empty table, before anything says who attacks.
SIDES = ("blue", "red")
#: The first kinds of the palette in their order; any others follow.
KINDS = (
    "woods", "hill", "town", "building", "river", "stream", "lake", "marsh", "rough", "road", "track", "bridge",
    "ford", "wall", "hedge", "cliff", "redoubt", "trench", "gate",
)  # fmt: skip
#: Kinds drawn as a line unless the corners are closed to a ring.
LINES = ("road", "track", "river", "stream", "bridge", "ford", "wall", "hedge", "cliff", "trench", "gate")


def palette(rules: str) -> tuple[str, ...]:
    """Return the kinds of terrain that may be placed on a table of a rule set, in order.

    >>> palette("sail")
    ('sea', 'shoal', 'land')
    """
    allowed = kinds_of(rule_set.find(rules))
    return tuple(kind for kind in dict.fromkeys((*KINDS, *allowed)) if kind in allowed)


def spoken(word: str) -> str:
    """Return a word of the files as shown on the screen.

    >>> spoken("light-foot-artillery")
    'Light foot artillery'
    """
    return word.replace("-", " ").replace("_", " ").capitalize()


def slug(text: str) -> str:
    """Return a name as an id: lower-case letters, digits and '-'."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "unit"


@dataclass
class Placing:
    """The unit or piece in hand. ``unit`` has neither id nor place; ``corners`` are those clicked so far."""

    rules: str
    scale: int = 1
    what: str = "unit"
    unit: Row = field(default_factory=dict)
    side: str = SIDES[0]
    name: str = ""
    facing: float = 0.0
    kind: str = ""
    piece: Row = field(default_factory=dict)
    corners: list[Point] = field(default_factory=list)
    #: Nothing is in hand until troops or a kind are chosen.
    held: bool = False

    def __post_init__(self) -> None:
        self.kind = self.kind or palette(self.rules)[0]
        if not self.unit:
            self.choose_troop(rule_set.find(self.rules).vocabulary["troop"][0])
            self.held = False

    def choose_troop(self, troop: str) -> None:
        """Take a unit of these troops in hand, keeping the choices made for the last one that they may have."""
        before, self.what, self.held, self.corners = self.unit, "unit", True, []
        row = new_row(self.rules, troop, self.scale)
        for key in ("formation", "quality", "status", "bases"):
            candidate = changed(row, key, before.get(key)) if key in before else row
            row = candidate if isinstance(self._unit_or_error(candidate), Unit) else row
        self.unit = row

    def usual(self, troop: str) -> Row:
        """Return the default row of some troops."""
        return new_row(self.rules, troop, self.scale)

    def choose_kind(self, kind: str) -> None:
        """Take a kind of terrain in hand."""
        self.what, self.kind, self.held, self.corners = "terrain", kind, True, []
        self.piece = {"level": 1} if kind == "hill" else {}

    def change(self, key: str, value: Any) -> None:
        """Change one key of the unit in hand, if its troops may have that value."""
        row = changed(self.unit, key, value)
        if isinstance(self._unit_or_error(row), Unit):
            self.unit = row

    def _unit_or_error(self, row: Row) -> Any:
        rules = rule_set.find(self.rules)
        return mustered(rules, self.rulings, {"id": "new", "side": self.side, "at": (0.0, 0.0), **row})

    @property
    def rulings(self) -> dict[str, Any]:
        """The rulings by which the unit in hand is checked: the default ones, at this scale."""
        rules = rule_set.find(self.rules)
        return rules.ruling_values({"scale": self.scale} if "scale" in rules.rulings else None)

    def at(self, point: Point) -> Unit | None:
        """Return the unit in hand as it would stand with its centre at a point."""
        row = {"id": "in hand", "side": self.side, **self.unit, "at": point}
        unit = self._unit_or_error({**row, "facing": self.facing} if "facing" in self.unit else row)
        return unit if isinstance(unit, Unit) else None

    def row_at(self, draft: Draft, point: Point, facing: float) -> Row:
        """Return the row of the unit in hand placed at a point, with a new id and a name."""
        troop = str(self.unit["troop"])
        plain = f"{self.side}-{troop}"
        id_ = slug(self.name) if self.name and not draft.has(slug(self.name)) else draft.fresh(slug(self.name or plain))
        name = self.name or spoken(id_)
        turned = {"facing": entered_facing(facing)} if "facing" in self.unit else {}
        return {"id": id_, "name": name, "side": self.side, **self.unit, "at": entered(point), **turned}

    def piece_row(self, draft: Draft, closed: bool) -> Row | None:
        """Return the piece whose corners have been clicked, None while it has too few."""
        corners = _apart(self.corners)
        shape = shape_of(self.kind, self.rules)
        either = self.kind in LINES or (shape == "any" and self.kind not in presets())
        as_line = shape == "line" or (either and not closed)
        if len(corners) < (2 if as_line else 3):
            return None
        id_ = draft.fresh(self.kind)
        kept = {k: v for k, v in self.piece.items() if k != "width" or as_line}
        points = [entered(corner) for corner in corners]
        return {"id": id_, "kind": self.kind, "name": spoken(id_), **kept, "line" if as_line else "outline": points}


def shape_of(kind: str, rules: str) -> str:
    """Return whether a kind of terrain of some rules is an area, a line, or either."""
    return str((preset_of(kind, rules) or {"shape": "any"})["shape"])


def _apart(points: Sequence[Point]) -> list[Point]:
    """Return points without repeated clicks."""
    distinct: list[Point] = []
    for point in points:
        if not distinct or math.dist(point, distinct[-1]) > 1e-3:
            distinct.append(point)
    return distinct


def new_placing(draft: Draft, before: Placing | None = None) -> Placing:
    """Return the placing for a draft: the previous one if the rules are the same."""
    scale = int(draft.rulings.get("scale", 1))
    if before is not None and before.rules == draft.rules:
        return replace(before, scale=scale, corners=[], held=False)
    return Placing(draft.rules, scale, side=(*draft.sides, *SIDES)[0])
