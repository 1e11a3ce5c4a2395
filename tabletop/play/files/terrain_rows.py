"""From rows of terrain to the table they lie on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from shapely.validation import explain_validity

from tabletop.battle.lengths import PER_INCH
from tabletop.errors import Fault
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, snap_point
from tabletop.geometry.terrain import Field, Table, Terrain, presets
from tabletop.play.files.faults import example, subject
from tabletop.play.files.models import FieldRow, TableRow, TerrainRow
from tabletop.play.files.trait_words import trait_faults, unknown_traits
from tabletop.play.files.whose import cure
from tabletop.play.files.yaml_text import Document, Step
from tabletop.rules.periods import period_of
from tabletop.rules.rule_set import RuleSet
from tabletop.rules.terrain_kinds import kinds_of, owner, preset_of
from tabletop.rules.traits import TERRAIN, in_order

#: Keys that are passed on to the piece unchanged.
_KEYS = ("movement", "cover_fire", "cover_assault", "sight", "see_through", "level", "width")
#: Least area (square units) of an outline: a smaller one is a mistake.
_LEAST_AREA = 1e-4
#: How many other stretches of a line, on average, may come within the line's width of each.
_TANGLES = 8


class WrongShapeError(ValueError):
    """Raised for a row that cannot lie on a table, with the key at fault (None: the row) and the message."""

    def __init__(self, key: str | None, text: str) -> None:
        self.key = key
        super().__init__(text)


@dataclass(frozen=True)
class Presets:
    """The presets of the kinds that some rules have, if the rules are known, and table units per inch in them."""

    rules: RuleSet | None
    per_inch: float

    def of(self, kind: str) -> Mapping[str, Any] | None:
        """Return the preset of a kind (lengths in inches); None for one that another rule set defines."""
        return preset_of(kind, self.rules.name if self.rules is not None else "")


def lay(
    doc: Document, table: TableRow, rows: Sequence[tuple[int, TerrainRow]], usual: Presets, faults: list[Fault]
) -> Table:
    """Return the table with every sound piece on it; the faults of the others are added to ``faults``.

    Pieces of a kind that the rules do not have, and no preset either, are left out without a fault.
    """
    scale, usual = usual.per_inch, replace(usual, per_inch=usual.per_inch * PER_INCH[table.unit])
    pieces = [piece for k, row in rows if (piece := _piece(doc, k, row, usual, faults)) is not None]
    laid = replace(Table.of(table.unit, table.width, table.height, pieces, scale), north=table.north)
    faults.extend(_off_table(doc, rows, laid))
    return laid


def fields_of(doc: Document, rows: Sequence[tuple[int, FieldRow]], faults: list[Fault]) -> tuple[Field, ...]:
    """Return the sound fields of a file; the faults of the others are added to ``faults``."""
    fields: list[Field] = []
    for k, row in rows:
        steps: list[Step] = ["fields", k]
        try:
            fields.append(Field(row.crop, shapely.Polygon(_outline(row.outline))))
        except WrongShapeError as wrong:
            faults.append(doc.fault([*steps, "outline"], subject(doc, steps) + str(wrong), key=True))
    return tuple(fields)


def foreign_kinds(doc: Document, rows: Sequence[tuple[int, TerrainRow]], rules: RuleSet) -> Iterator[Fault]:
    """Yield a fault for each piece of a kind that the rules do not have, with the rule sets whose it is."""
    kinds = kinds_of(rules)
    for k, row in rows:
        if row.kind not in kinds:
            near = cure("kind of terrain", row.kind, kinds, kinds_of)
            text = f"kind: {rules.title} has no '{row.kind}'; {near}"
            yield doc.fault(["terrain", k, "kind"], subject(doc, ["terrain", k]) + text)


def without_rules(doc: Document, rows: Sequence[tuple[int, TerrainRow]]) -> Iterator[Fault]:
    """Yield the faults of a map that names no rules: kinds that only a published rule set has, and unknown traits."""
    for k, row in rows:
        for n, text in unknown_traits(row.traits or (), TERRAIN):
            yield doc.fault(["terrain", k, "traits", n], subject(doc, ["terrain", k]) + text)
        if row.kind not in presets() and (name := owner(row.kind)) is not None:
            text = f"kind: '{row.kind}' is a kind of terrain of {period_of(name).title}; add 'rules: {name}' to the map"
            yield doc.fault(["terrain", k, "kind"], subject(doc, ["terrain", k]) + text)


def wrong_traits(doc: Document, rows: Sequence[tuple[int, TerrainRow]], rules: RuleSet) -> Iterator[Fault]:
    """Yield a fault for each trait of a piece that the rules do not have, and for each that is written twice."""
    for k, row in rows:
        for n, text in trait_faults(row.traits or (), rules, TERRAIN):
            yield doc.fault(["terrain", k, "traits", n], subject(doc, ["terrain", k]) + text)


def _piece(doc: Document, k: int, row: TerrainRow, usual: Presets, faults: list[Fault]) -> Terrain | None:
    steps: list[Step] = ["terrain", k]
    preset = usual.of(row.kind)
    if preset is None:
        return None
    try:
        shape = _shape(row, preset, usual.per_inch)
    except WrongShapeError as wrong:
        where = steps if wrong.key is None else [*steps, wrong.key]
        faults.append(doc.fault(where, subject(doc, steps) + str(wrong), key=wrong.key is not None))
        return None
    keys = {key: getattr(row, key) for key in _KEYS if getattr(row, key) is not None}
    keys |= {"traits": in_order(row.traits)} if row.traits else {}
    keys |= {"rules": usual.rules.name} if usual.rules is not None and row.kind not in presets() else {}
    return Terrain.of_kind(row.id, row.kind, scale=usual.per_inch, preset=preset, name=row.name or "", **shape, **keys)


def _shape(row: TerrainRow, preset: Mapping[str, Any], scale: float) -> dict[str, list[Point]]:
    """Return the outline or line of a row, snapped to the grid; WrongShapeError unless there is exactly one."""
    _one_shape(row, str(preset["shape"]))
    if row.line is not None:
        return {"line": _line(row, float(preset.get("width", 0.0)) * scale)}
    if row.outline is not None:
        return {"outline": _outline(row.outline)}
    assert row.at is not None and row.size is not None
    x, y = row.at
    return {"outline": [(float(a), float(b)) for a, b in Base.entered(x, y, row.facing or 0.0, *row.size).corners]}


def _one_shape(row: TerrainRow, kind_of_shape: str) -> None:
    """Raise WrongShapeError unless a row has one shape, of a kind ("area", "line", "any") that its kind may have."""
    box = [key for key in ("at", "size") if getattr(row, key) is not None]
    shapes = [key for key in ("outline", "line") if getattr(row, key) is not None] + box[:1]
    if not shapes:
        raise WrongShapeError(None, f"a {row.kind} needs a shape: {_shape_of(kind_of_shape)}")
    if len(shapes) > 1:
        raise WrongShapeError(shapes[1], f"'{shapes[0]}' and '{shapes[1]}' both give a shape; keep one of them")
    if len(box) == 1:
        other = "size" if box == ["at"] else "at"
        raise WrongShapeError(box[0], f"'{box[0]}' needs '{other}' beside it; {example(other)}")
    if row.facing is not None and not box:
        raise WrongShapeError("facing", f"only a box (at, size) has a facing; remove it or turn the {shapes[0]}")
    if row.width is not None and shapes != ["line"]:
        raise WrongShapeError("width", f"only a line has a width; remove it or widen the {shapes[0]}")
    if shapes == ["line"] and kind_of_shape == "area" and not row.width:
        raise WrongShapeError("line", f"a {row.kind} is an area: {_shape_of(kind_of_shape)}, or give its line a width")


def _shape_of(kind_of_shape: str) -> str:
    area, line = "'outline: [[x, y], ...]' or 'at: [x, y], size: [w, d]'", "'line: [[x, y], ...]'"
    return {"area": f"give {area}", "line": f"give {line}"}.get(kind_of_shape, f"give {line}, {area}")


def _line(row: TerrainRow, usual_width: float) -> list[Point]:
    assert row.line is not None
    points = [snap_point(point) for point in row.line]
    if all(point == points[0] for point in points):
        raise WrongShapeError("line", "the line has no length; give it two different points")
    width = usual_width if row.width is None else row.width
    if _tangled(points, width):
        raise WrongShapeError(
            "line", "the line lies over itself again and again; draw it with fewer points or narrower"
        )
    return points


def _tangled(points: Sequence[Point], width: float) -> bool:
    """Return whether a line's stretches come within its width of each other more often than in any real line.

    Buffering such a line takes minutes. Even a finely drawn line has only one point in about an eighth of its width.
    """
    ends = np.array([pair for pair in pairwise(points) if pair[0] != pair[1]])
    stretches = np.asarray(shapely.linestrings(ends), object)
    tree, most, crossings = shapely.STRtree(stretches), _TANGLES * len(stretches) + 20, 0
    for start in range(0, len(stretches), 32):
        left, right = tree.query(stretches[start : start + 32], predicate="dwithin", distance=width)
        crossings += int(np.count_nonzero(right > left + start + 1))
        if crossings > most:
            return True
    return False


def _outline(corners: Sequence[Point]) -> list[Point]:
    points = [snap_point(point) for point in corners]
    if len(set(points)) < 3:
        raise WrongShapeError(
            "outline", f"the outline has {len(set(points))} different points; an area needs at least 3"
        )
    area = shapely.Polygon(points)
    if not area.is_valid:
        raise WrongShapeError("outline", f"the outline {_crossing(area)}; list its corners in order round the edge")
    if area.area < _LEAST_AREA:
        raise WrongShapeError("outline", "the outline encloses nothing; give it corners that are not in one line")
    return points


def _crossing(area: shapely.Polygon) -> str:
    """Return where an outline crosses or touches itself, in words."""
    where = explain_validity(area).partition("[")[2].rstrip("]").split()
    return (
        f"crosses or touches itself at [{float(where[0]):g}, {float(where[1]):g}]" if len(where) > 1 else "is no area"
    )


def _off_table(doc: Document, rows: Sequence[tuple[int, TerrainRow]], table: Table) -> Iterator[Fault]:
    """Yield a warning for each piece that lies entirely off the table."""
    lost = {piece.id for piece in table.terrain if piece.shape.is_empty}
    for k, row in rows:
        if row.id in lost:
            steps: list[Step] = ["terrain", k]
            text = f"nothing of it lies on the table of {table.width:g} x {table.height:g}; move it or remove it"
            yield doc.fault(steps, subject(doc, steps) + text, warning=True)


def same_ids(doc: Document, key: str, rows: Sequence[tuple[int, Any]]) -> Iterator[Fault]:
    """Yield a fault for each row of a list whose id an earlier row has."""
    first: dict[str, int] = {}
    for k, row in rows:
        if row.id in first:
            line = doc.at([key, first[row.id], "id"])[0]
            yield doc.fault(
                [key, k, "id"], f"{subject(doc, [key, k])}this id is taken on line {line}; give each its own id"
            )
        first.setdefault(row.id, k)
