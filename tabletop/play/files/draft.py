"""A scene while it is being laid out: the rows of its file, and the battle they make.

The rows decide. The battle of a draft is read from them by the readers of files, so that the file once saved gives the
same answers. A draft may be wrong for a while (two units overlap, one hangs over the table's edge): then its sound
parts are shown, and its faults are listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import Fault
from tabletop.geometry.measure import Point, snap, snap_facing
from tabletop.play.files.faults import checked
from tabletop.play.files.load import Reading, read_document
from tabletop.play.files.models import SceneUnitRow, TableRow, TerrainRow
from tabletop.play.files.terrain_rows import lay
from tabletop.play.files.unit_rows import Entry, muster_all
from tabletop.play.files.yaml_text import Document, without_places
from tabletop.rules import rule_set

FORMAT = "tabletop-scene/1"
#: Decimals that distinguish every step of the measuring grid, for lengths and for facings.
LENGTH_DIGITS, FACING_DIGITS = 4, 3

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Draft:
    """A scene's rows. ``table`` has unit, width and height; ``rest`` has the keys that are only copied.

    Rows are never changed, only replaced, so that drafts may share them.
    """

    title: str
    rules: str
    table: Row
    terrain: tuple[Row, ...] = ()
    units: tuple[Row, ...] = ()
    rulings: Row = field(default_factory=dict)
    rest: Row = field(default_factory=dict)

    @property
    def data(self) -> dict[str, Any]:
        """The scene as the data of its file."""
        head: dict[str, Any] = {"format": FORMAT, "title": self.title, "rules": self.rules}
        head |= {"rulings": dict(self.rulings)} if self.rulings else {}
        head |= {"table": dict(self.table)} | dict(self.rest)
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
        taken = {str(row["id"]) for row in (*self.units, *self.terrain)}
        return next(name for k in range(1, len(taken) + 2) if (name := f"{stem}-{k}") not in taken)

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
    kept = tuple(new.pop(row["id"], row) for row in rows)
    return (*kept, *new.values())


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
class Laid:
    """A draft laid out on the table: the battle to show, and its faults.

    With a fault the battle holds only the sound pieces and units, and no question may be put to it.
    """

    draft: Draft
    battle: Battle
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether questions may be put to it, and its file would be accepted."""
        return not self.faults


def laid(draft: Draft, before: Laid | None = None) -> Laid:
    """Return a draft laid out; the table of ``before`` is kept where the ground is the same."""
    doc = without_places("table", draft.data)
    reading = Reading(Path.cwd())
    read_document(reading, doc, playable=True)
    battle = reading.battle or _as_far_as_it_goes(draft, doc)
    if before is not None and _same_ground(draft, before.draft):
        battle = replace(battle, table=before.battle.table)
    warnings = tuple(sorted({fault for fault in reading.faults if fault.warning}))
    return Laid(draft, battle, tuple(sorted(set(reading.wrong))), warnings)


def _same_ground(a: Draft, b: Draft) -> bool:
    return a.terrain is b.terrain and a.table == b.table and a.rulings == b.rulings


def _as_far_as_it_goes(draft: Draft, doc: Document) -> Battle:
    """Return a battle of the pieces and units of a faulty draft that are sound by themselves."""
    rules = rule_set.find(draft.rules)
    rulings = rules.ruling_values(draft.rulings)
    scale = float(rulings.get("scale", 1))
    pieces = [(k, row) for k, data in enumerate(draft.terrain) if (row := checked(doc, TerrainRow, data, [], []))]
    table = lay(doc, TableRow.model_validate(draft.table), pieces, scale, [])
    rows = [checked(doc, SceneUnitRow, data, [], []) for data in draft.units]
    entries = [Entry.of(doc, k, row) for k, row in enumerate(rows) if row is not None]
    units = [unit for _, unit in muster_all(entries, rules, rulings, [])]
    return Battle.of(draft.rules, table, {unit.id: unit for unit in units}.values(), rulings, draft.title)
