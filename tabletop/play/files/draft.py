"""A scene while it is being laid out: the rows of its file, and the battle they make.

The rows are authoritative: the file readers make the battle from them, so that the saved file gives the same answers. A
draft may be faulty for a while (two units overlap, one hangs over the table's edge); then its sound parts are shown and
its faults listed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import Fault, TabletopError
from tabletop.geometry.measure import Point, snap, snap_facing
from tabletop.play.files.faults import checked
from tabletop.play.files.file_text import file_text
from tabletop.play.files.load import Reading, read_document
from tabletop.play.files.models import SceneUnitRow, TableRow, TerrainRow
from tabletop.play.files.terrain_rows import Presets, lay
from tabletop.play.files.unit_rows import Entry, muster_all
from tabletop.play.files.yaml_text import Document, Place, Step, parse, without_places
from tabletop.rules import rule_set

FORMAT = "tabletop-scene/1"
#: Decimals that distinguish every step of the measuring grid, for lengths and for facings.
LENGTH_DIGITS, FACING_DIGITS = 4, 3

#: Keys that only the file of an army has.
OF_ARMY = ("joins", "colour")
#: Keys of the ground that are only copied.
OF_GROUND = ("fields",)

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Draft:
    """A scene's rows. ``table`` has unit, width and height; ``rest`` has the keys that are only copied.

    Rows are never changed, only replaced, so that drafts may share them. ``alone`` is the side of an army that is laid
    out by itself; then only its troops are checked, as in an army file.
    """

    title: str
    rules: str
    table: Row
    terrain: tuple[Row, ...] = ()
    units: tuple[Row, ...] = ()
    rulings: Row = field(default_factory=dict)
    rest: Row = field(default_factory=dict)
    alone: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """The scene as the data of its file."""
        head: dict[str, Any] = {"format": FORMAT, "title": self.title, "rules": self.rules}
        head |= {"rulings": dict(self.rulings)} if self.rulings else {}
        head |= {"table": dict(self.table)} | {key: v for key, v in self.rest.items() if key not in OF_ARMY}
        return {**head, "terrain": [dict(row) for row in self.terrain], "units": [dict(row) for row in self.units]}

    def unit(self, name: str) -> Row:
        """Return the row of a unit; KeyError if there is none."""
        return {row["id"]: row for row in self.units}[name]

    def piece(self, name: str) -> Row:
        """Return the row of a piece of terrain; KeyError if there is none."""
        return {row["id"]: row for row in self.terrain}[name]

    def has(self, name: str) -> bool:
        """Return whether a unit or a piece has this id."""
        return any(row["id"] == name for row in (*self.units, *self.terrain))

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of its units, in the order of their rows."""
        return tuple(dict.fromkeys(str(row["side"]) for row in self.units))

    def fresh(self, stem: str) -> str:
        """Return an unused id: the stem with the next free number.

        >>> Draft("", "tse", {}).fresh("blue-infantry")
        'blue-infantry-1'
        """
        used_ids = {str(row["id"]) for row in (*self.units, *self.terrain)}
        return next(name for k in range(1, len(used_ids) + 2) if (name := f"{stem}-{k}") not in used_ids)

    def with_rows(self, units: Iterable[Row] = (), terrain: Iterable[Row] = ()) -> Draft:
        """Return the draft with rows replacing those of the same ids; rows with new ids are added at the end."""
        return replace(self, units=_merged(self.units, units), terrain=_merged(self.terrain, terrain))

    def without(self, names: Collection[str]) -> Draft:
        """Return the draft without some units and pieces; units of a general who is removed lose their parent."""
        units = [_without(row, "parent") if row.get("parent") in names else row for row in self.units]
        return replace(
            self,
            units=tuple(row for row in units if row["id"] not in names),
            terrain=tuple(row for row in self.terrain if row["id"] not in names),
        )


def _merged(rows: tuple[Row, ...], given: Iterable[Row]) -> tuple[Row, ...]:
    new = {row["id"]: row for row in given}
    if not new:
        return rows
    merged = tuple(new.pop(row["id"], row) for row in rows)
    return (*merged, *new.values())


def _without(row: Row, *keys: str) -> Row:
    return {key: value for key, value in row.items() if key not in keys}


def empty(rules: str, width: float, height: float, title: str = "") -> Draft:
    """Return an empty table of a size in the rule set's own unit of length."""
    unit = rule_set.find(rules).unit
    return Draft(title or "A disputed position", rules, {"unit": unit, "width": width, "height": height})


# --- entering numbers ------------------------------------------------------------------------------------------------


def entered(point: Point) -> list[float]:
    """Return a point as a row holds it: on the measuring grid, in as few digits as distinguish its steps."""
    return [round(snap(point[0]), LENGTH_DIGITS), round(snap(point[1]), LENGTH_DIGITS)]


def entered_facing(degrees: float) -> float:
    """Return a facing as a row holds it."""
    return round(snap_facing(degrees), FACING_DIGITS) % 360.0


# --- the battle ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trouble:
    """A fault of a draft: its text, and the list of the file, the row (id) and the key it is in."""

    text: str
    part: str = ""
    row: str = ""
    key: str = ""


@dataclass(frozen=True)
class Laid:
    """A draft laid out on the table: the battle to show, and its faults.

    With a fault the battle holds only the sound pieces and units, and no questions may be asked. ``troubles`` are
    the faults with the places in the draft where they are.
    """

    draft: Draft
    battle: Battle
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether questions may be asked about it, and its file would be accepted."""
        return not self.faults


def laid(draft: Draft, before: Laid | None = None) -> Laid:
    """Return a draft laid out; the table of ``before`` is kept where the ground is the same.

    It is read as its file will be: the faults are those that ``tabletop check`` will find in it.
    """
    doc = _document(draft, draft.data)
    reading = Reading(Path.cwd())
    read_document(reading, doc, playable=True)
    battle = reading.battle or _as_far_as_it_goes(draft, doc)
    if draft.alone:
        doc, reading = _document(draft, army_data(draft, draft.alone)), Reading(Path.cwd())
        read_document(reading, doc, playable=False)
    if before is not None and _same_ground(draft, before.draft):
        battle = replace(battle, table=before.battle.table)
    warnings = tuple(sorted({fault for fault in reading.faults if fault.warning}))
    wrong = tuple(sorted(set(reading.wrong)))
    return Laid(draft, battle, wrong, warnings, _troubles(doc, wrong))


def army_data(draft: Draft, side: str) -> dict[str, Any]:
    """Return the troops of a side as the data of an army's file."""
    rows = [_without(row, "side") for row in draft.units if row["side"] == side]
    head = {"format": "tabletop-army/1", "title": draft.title, "side": side, "rules": draft.rules}
    return {**head, **{key: draft.rest[key] for key in OF_ARMY if key in draft.rest}, "units": rows}


def map_data(draft: Draft) -> dict[str, Any]:
    """Return the ground of a draft as the data of a map's file."""
    head = {"format": "tabletop-map/1", "title": draft.title, "rules": draft.rules}
    ground = {key: draft.rest[key] for key in OF_GROUND if key in draft.rest}
    return {**head, "table": dict(draft.table), "terrain": [dict(row) for row in draft.terrain], **ground}


def _document(draft: Draft, data: Mapping[str, Any]) -> Document:
    """Return the data as read from the text of its file, so that every fault has its place in that text."""
    try:
        return parse("table", file_text(data))
    except TabletopError:  # it holds characters that no file may hold; the rows are checked as they are
        return without_places("table", data)


#: The part of a fault that names a line of the file, which means nothing to a user at the table.
_LINE = re.compile(r" \((?:[^()]*, )?line \d+\)")


def _troubles(doc: Document, faults: Iterable[Fault]) -> tuple[Trouble, ...]:
    steps = {place: path for path, place in _walked(doc.place, ())}
    return tuple(
        _trouble(doc, _LINE.sub("", fault.text), steps.get((fault.line, fault.column), ())) for fault in faults
    )


def _walked(place: Place, steps: tuple[Step, ...]) -> Iterable[tuple[tuple[Step, ...], tuple[int, int]]]:
    """Yield every value and key of a file with its line and column, the innermost last."""
    yield steps, (place.line, place.column)
    for key, at in place.keys.items():
        yield (*steps, key), at
    for step, part in place.parts.items():
        yield from _walked(part, (*steps, step))


def _trouble(doc: Document, text: str, steps: Sequence[Step]) -> Trouble:
    """Return a fault of the row and the key that ``steps`` lead to."""
    data, part = doc.data, ""
    for n, step in enumerate(steps):
        if isinstance(step, int):
            row = data[step] if isinstance(data, list) and step < len(data) else None
            name = str(row.get("id", step)) if isinstance(row, Mapping) else str(step)
            key = steps[n + 1] if len(steps) > n + 1 else ""
            return Trouble(text, part, name, str(key))
        part, data = str(step), data.get(step) if isinstance(data, Mapping) else None
    return Trouble(text, "", "", part)


def _same_ground(a: Draft, b: Draft) -> bool:
    copied = all(a.rest.get(key) == b.rest.get(key) for key in OF_GROUND)
    return a.terrain is b.terrain and a.table == b.table and a.rulings == b.rulings and copied


def _as_far_as_it_goes(draft: Draft, doc: Document) -> Battle:
    """Return a battle with those pieces and units of a faulty draft that are valid by themselves."""
    rules = rule_set.find(draft.rules)
    rulings = rules.ruling_values(draft.rulings)
    scale = float(rulings.get("scale", 1))
    pieces = [(k, row) for k, data in enumerate(draft.terrain) if (row := checked(doc, TerrainRow, data, [], []))]
    table = lay(doc, TableRow.model_validate(draft.table), pieces, Presets(rules, scale), [])
    rows = [checked(doc, SceneUnitRow, data, [], []) for data in draft.units]
    entries = [Entry.of(doc, k, row) for k, row in enumerate(rows) if row is not None]
    units = [unit for _, unit in muster_all(entries, rules, rulings, [])]
    return Battle.of(draft.rules, table, {unit.id: unit for unit in units}.values(), rulings, draft.title)
