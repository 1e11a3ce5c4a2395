"""Editing a draft: selecting, dragging, turning, copying, typing, deleting, undo. No pygame."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, turn_between
from tabletop.play.files.draft import Draft, Laid, Row, laid
from tabletop.play.files.troop_register import changed, refusal
from tabletop.render.judge.history import History
from tabletop.render.judge.moving import Motion, middle, outline_of, with_outline
from tabletop.render.judge.snapping import NEAR, snapped
from tabletop.rules import rule_set

#: Degrees that a wheel notch or a key turns; the fine turn with Shift.
TURN, FINE_TURN = 15.0, 1.0


@dataclass(frozen=True)
class Held:
    """A selection being dragged or turned: ids, where it was taken, the cursor, the turn; ``loose``: no snapping."""

    names: tuple[str, ...]
    grip: Point
    cursor: Point
    turn: float = 0.0
    loose: bool = False


@dataclass(frozen=True)
class Corner:
    """A corner of a piece of terrain in hand. ``new`` corners are inserted between two others."""

    piece: str
    number: int
    at: Point
    new: bool = False


@dataclass(kw_only=True)
class Editor:
    """A draft being edited. Only ``do``, ``undo`` and ``redo`` change the draft.

    ``corner`` is the chosen corner of a piece, ``pulled`` the one in hand; ``loose`` switches snapping off.
    """

    history: History
    laid: Laid
    selected: tuple[str, ...] = ()
    corner: tuple[str, int] | None = None
    held: Held | None = None
    pulled: Corner | None = None
    copied: tuple[Row, ...] = ()
    note: str = ""
    cursor: Point = (0.0, 0.0)
    loose: bool = False

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def draft(self) -> Draft:
        """The present draft."""
        return self.history.draft

    @property
    def battle(self) -> Battle:
        """The battle on the table."""
        return self.laid.battle

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the table."""
        return self.battle.table.width, self.battle.table.height

    @property
    def faults(self) -> list[str]:
        """The faults of the position, a line each."""
        return [trouble.text for trouble in self.laid.troubles]

    def musters(self, row: Row) -> bool:
        """Return whether the rules accept a unit's row."""
        return refusal(rule_set.find(self.draft.rules), self.battle.rulings, row) is None

    @property
    def near(self) -> float:
        """The distance (table units) within which units snap to contact."""
        return NEAR * inch(self.battle.table)

    def unit_at(self, point: Point) -> Unit | None:
        """Return the unit at a point; generals come first."""
        spot = shapely.Point(point)
        units = [unit for unit in self.battle.units if unit.footprint.covers(spot)]
        return min(units, key=lambda unit: not unit.is_general, default=None)

    def piece_at(self, point: Point, slack: float) -> str | None:
        """Return the smallest piece of terrain at a point; a line extends ``slack`` to either side."""
        spot = shapely.Point(point)
        near = [p for p in self.battle.table.terrain if shapely.dwithin(p.shape, spot, 0.0 if p.is_area else slack)]
        return min(near, key=lambda p: p.shape.area, default=None).id if near else None  # type: ignore[union-attr]

    # --- changing ----------------------------------------------------------------------------------------------------

    def do(self, draft: Draft, tag: str = "") -> None:
        """Replace the draft as one undoable step; consecutive changes with the same tag are one step."""
        self.history.to(draft, tag)
        self.relaid()

    def undo(self) -> None:
        """Undo the last step."""
        self.note = "" if self.history.back() else "There is nothing to take back."
        self.relaid()

    def redo(self) -> None:
        """Redo what was undone."""
        self.note = "" if self.history.again() else "There is nothing to do again."
        self.relaid()

    def relaid(self) -> None:
        """Set up the draft as it is now, and let go of everything in hand."""
        self.laid = laid(self.draft, self.laid)
        self.selected = tuple(name for name in self.selected if self.draft.has(name))
        self.corner = self.corner if self.corner and self.corner[0] in self.selected else None
        self.held = self.pulled = None

    # --- selecting ---------------------------------------------------------------------------------------------------

    def select(self, names: Iterable[str], more: bool = False) -> None:
        """Select units and pieces; with ``more``, toggle them in the present selection."""
        given = tuple(dict.fromkeys(names))
        if more:
            kept = tuple(name for name in self.selected if name not in given)
            given = (*kept, *(name for name in given if name not in self.selected))
        self.selected, self.corner, self.note = given, None, ""

    def select_box(self, a: Point, b: Point, more: bool = False) -> None:
        """Select the units that overlap a box, and the pieces wholly inside it."""
        west, east = sorted((a[0], b[0]))
        south, north = sorted((a[1], b[1]))
        box = shapely.box(west, south, east, north)
        units = [unit.id for unit in self.battle.units if unit.footprint.intersects(box)]
        pieces = [piece.id for piece in self.battle.table.terrain if box.covers(piece.shape)]
        self.select([*units, *pieces], more)

    def select_all(self) -> None:
        """Select every unit."""
        self.select(unit.id for unit in self.battle.units)

    def rows(self, names: Collection[str]) -> list[Row]:
        """Return the rows of units and pieces."""
        return [row for row in (*self.draft.units, *self.draft.terrain) if row["id"] in names]

    def put_rows(self, rows: Iterable[Row], tag: str = "") -> None:
        """Replace the rows of units and pieces with these ids, or add them."""
        changed_rows = list(rows)
        units, pieces = [r for r in changed_rows if "kind" not in r], [r for r in changed_rows if "kind" in r]
        self.do(self.draft.with_rows(units, pieces), tag)

    def delete(self) -> None:
        """Delete the selected corner, or else the whole selection."""
        if self.corner is not None:
            self._without_corner(*self.corner)
        elif self.selected:
            count, gone = len(self.selected), self.selected
            self.do(self.draft.without(gone))
            self.note = f"{count} taken away; Ctrl-Z brings {'it' if count == 1 else 'them'} back."

    def copy(self) -> None:
        """Copy the selection."""
        self.copied = tuple(self.rows(self.selected))
        self.note = f"{len(self.copied)} copied; V puts a copy where the hand is." if self.copied else ""

    def paste(self, at: Point | None = None) -> None:
        """Put down copies centred at a point, and select them."""
        if not self.copied:
            self.note = "Nothing is copied yet: select, then Ctrl-C."
            return
        centre = middle([point for row in self.copied for point in self._points(row)])
        target = at if at is not None else (centre[0] + 4 * self.near, centre[1] - 4 * self.near)
        motion = Motion((target[0] - centre[0], target[1] - centre[1]))
        draft, names = self.draft, []
        for row in self.copied:
            fresh = _copy_of(row, draft)
            names.append(fresh["id"])
            moved = motion.of_row(fresh)
            draft = draft.with_rows(terrain=[moved]) if "kind" in row else draft.with_rows(units=[moved])
        self.do(draft)
        self.select(names)

    def duplicate(self) -> None:
        """Copy the selection and put the copy beside it."""
        self.copy()
        if self.copied:
            self.paste()

    def _points(self, row: Row) -> list[Point]:
        if "kind" in row:
            return outline_of(row)
        return [self.battle.unit(row["id"]).at] if self.battle.has(row["id"]) else [tuple(row.get("at") or (0.0, 0.0))]

    # --- dragging and turning ----------------------------------------------------------------------------------------

    def take(self, point: Point) -> None:
        """Take hold of the selection."""
        if self.selected:
            self.held = Held(self.selected, point, point, loose=self.loose)

    def drag_to(self, point: Point) -> None:
        """Move whatever is in hand to the cursor."""
        if self.held is not None:
            self.held = replace(self.held, cursor=point, loose=self.loose)
        elif self.pulled is not None:
            self.pulled = replace(self.pulled, at=point)

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn whatever is in hand, or else the selection; clockwise positive."""
        degrees = notches * (FINE_TURN if fine else TURN)
        if self.held is not None:
            self.held = replace(self.held, turn=self.held.turn + degrees)
        elif self.selected:
            self._carry(replace(Held(self.selected, (0.0, 0.0), (0.0, 0.0), loose=True), turn=degrees), "turn")

    def nudge(self, dx: float, dy: float) -> None:
        """Shift the selection a little."""
        if self.selected:
            self._carry(Held(self.selected, (0.0, 0.0), (dx, dy), loose=True), "nudge")

    def release(self) -> None:
        """Put down whatever is in hand."""
        held, pulled = self.held, self.pulled
        self.held = self.pulled = None
        if held is not None:
            self._carry(held)
        elif pulled is not None:
            self._pull(pulled)

    def _carry(self, held: Held, tag: str = "") -> None:
        motion = self.motion(held)
        self.put_rows([motion.of_row(row) for row in self.rows(held.names)], tag and f"{tag} {held.names}")

    def motion(self, held: Held) -> Motion:
        """Return the motion of the held selection since it was taken, with snapping to contact."""
        shift = held.cursor[0] - held.grip[0], held.cursor[1] - held.grip[1]
        free = Motion(shift, held.turn, self._pivot(held.names))
        if held.loose or len(held.names) != 1 or not self.battle.has(held.names[0]):
            return free
        unit = self.battle.unit(held.names[0])
        put = self.flush(free.of_unit(unit))
        if put is None:
            return free
        moved = put.at[0] - unit.at[0], put.at[1] - unit.at[1]
        return Motion(moved, turn_between(unit.facing, put.facing), unit.at)

    def flush(self, unit: Unit) -> Unit | None:
        """Return a unit snapped to contact with a neighbour, None if none is near enough."""
        return snapped(unit, self.battle.units, self.battle.tape, self.near)

    def _pivot(self, names: Sequence[str]) -> Point:
        return middle([middle(self._points(row)) for row in self.rows(names)] or [(0.0, 0.0)])

    @property
    def ghosts(self) -> list[Unit]:
        """The units in hand, where they would stand."""
        if self.held is None:
            return []
        motion = self.motion(self.held)
        return [motion.of_unit(unit) for unit in self.battle.units if unit.id in self.held.names]

    @property
    def ghost_pieces(self) -> list[Row]:
        """The pieces in hand, where they would lie."""
        if self.pulled is not None:
            return [self._pulled_row(self.pulled)]
        if self.held is None:
            return []
        motion = self.motion(self.held)
        return [motion.of_row(row) for row in self.draft.terrain if row["id"] in self.held.names]

    # --- corners of terrain ------------------------------------------------------------------------------------------

    def pull(self, piece: str, number: int, at: Point, new: bool = False) -> None:
        """Take hold of a corner of a piece, or of the middle of an edge, which adds a corner."""
        self.pulled = Corner(piece, number, at, new)
        self.corner = None if new else (piece, number)

    def _pulled_row(self, pulled: Corner) -> Row:
        row = self.draft.piece(pulled.piece)
        points = outline_of(row)
        after = points[pulled.number + (0 if pulled.new else 1) :]
        return with_outline(row, [*points[: pulled.number], pulled.at, *after])

    def _pull(self, pulled: Corner) -> None:
        row = self._pulled_row(pulled)
        self.put_rows([row])
        self.corner = (pulled.piece, pulled.number)

    def _without_corner(self, piece: str, number: int) -> None:
        row = self.draft.piece(piece)
        points = outline_of(row)
        if len(points) <= (2 if "line" in row else 3):
            self.note = "It has no corner to spare; select the whole piece to take it away."
            return
        self.put_rows([with_outline(row, [*points[:number], *points[number + 1 :]])])
        self.corner = None

    # --- typing ------------------------------------------------------------------------------------------------------

    def typed(self, key: str, value: Any) -> None:
        """Change one key of the selection; if the rules refuse it, show why and change nothing."""
        rows = [changed(row, key, value) if "kind" not in row else _piece_with(row, key, value)
                for row in self.rows(self.selected)]  # fmt: skip
        rules = rule_set.find(self.draft.rules)
        for row in rows:
            wrong = None if "kind" in row else refusal(rules, self.battle.rulings, row)
            if wrong is not None:
                self.note = f"{row.get('name', row['id'])}: {wrong}"
                return
        self.note = ""
        self.put_rows(rows, f"{key} {self.selected}")


def _copy_of(row: Row, draft: Draft) -> dict[str, Any]:
    stem = str(row["id"]).rstrip("0123456789").rstrip("-") or str(row["id"])
    id_ = draft.fresh(stem)
    name = str(row.get("name") or row["id"]).rstrip("0123456789").rstrip()
    return {**row, "id": id_, "name": f"{name} {id_.rpartition('-')[2]}"}


def _piece_with(row: Row, key: str, value: Any) -> Row:
    if value is None or value == "":
        return {k: v for k, v in row.items() if k != key}
    return {**row, key: value}
