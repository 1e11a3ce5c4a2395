"""From rows of units to the units on the table, by the rule set's own muster."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely

from tabletop.battle.unit import GENERAL, Unit
from tabletop.errors import Fault
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Tape
from tabletop.geometry.terrain import FORDS, Table
from tabletop.play.files.faults import example, subject
from tabletop.play.files.models import PlacedRow, Row, UnitRow
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.trait_words import trait_faults
from tabletop.play.files.whose import cure, whose
from tabletop.play.files.yaml_text import Document, Step
from tabletop.rules.common.base_losses import BEFORE
from tabletop.rules.periods import UNIT as ANY_UNIT
from tabletop.rules.periods import period_of
from tabletop.rules.rule_set import MusterError, RuleSet
from tabletop.rules.traits import UNIT

#: Keys whose words the rule set declares.
_WORDED = ("troop", "quality", "formation", "status", "rank")
#: Keys that say where a unit stands, and keys that only apply to one formation.
_PLACES = frozenset(("at", "front_mid", "track"))
_OF_FORMATION = frozenset(("front", "bend", "track", "reference"))


@dataclass
class Entry:
    """One unit as written, perhaps in two files: its values, and for each key the file and row it comes from."""

    doc: Document
    steps: list[Step]
    values: dict[str, Any]
    extra: dict[str, Any] = field(default_factory=dict)
    origin: dict[str, tuple[Document, list[Step]]] = field(default_factory=dict)
    sound: bool = True

    @classmethod
    def of(cls, doc: Document, k: int, row: UnitRow, **given: Any) -> Entry:
        """Return the entry of row ``k``; ``given`` are values that its file states for all units (the side)."""
        return cls(doc, ["units", k], {**given, **_written(row)})

    @property
    def id(self) -> str:
        return str(self.values["id"])

    def written(self, key: str) -> bool:
        """Return whether a key is written for this unit itself, and not handed down to it."""
        doc, steps = self.origin.get(key, (self.doc, self.steps))
        row: Any = doc.data
        for step in steps:
            row = row[step]
        return key in row

    @property
    def lost(self) -> int:
        """How many of its bases were lost before the battle."""
        return int(self.values.get("lost", 0))

    def weakened(self) -> Entry:
        """Return the entry with the bases that are left."""
        return replace(self, values={**self.values, "bases": self.values["bases"] - self.lost})

    def placed(self, doc: Document, k: int, row: PlacedRow) -> None:
        """Replace where and how the unit stands according to its army by what row ``k`` of a scenario says.

        A new place replaces the old one however it was written; a new formation drops the keys of the old one.
        """
        written = {key: value for key, value in _written(row).items() if key not in ("id", "notes")}
        dropped: set[str] = set()
        if written.keys() & _PLACES:
            dropped |= _PLACES
        if written.get("formation", self.values.get("formation")) != self.values.get("formation"):
            dropped |= _OF_FORMATION
        unchanged = {key: value for key, value in self.values.items() if key not in dropped}
        self.values = {**unchanged, **written}
        self.origin.update({key: (doc, ["place", k]) for key in written})

    def fault(self, key: str | None, text: str, warning: bool = False) -> Fault:
        """Return a fault at the value of ``key``, in whichever file it is written, or at the unit."""
        doc, steps = self.origin.get(key or "", (self.doc, self.steps))
        where = [*steps, key] if key is not None and key in self.values else steps
        prefix = "" if key is None or text.startswith(("'", f"{key}:")) else f"{key}: "
        return doc.fault(where, subject(self.doc, self.steps) + prefix + text, warning=warning)


def _written(row: PlacedRow) -> dict[str, Any]:
    values = {key: getattr(row, key) for key in row.model_fields_set}
    plain = {
        key: value.model_dump(exclude_none=True) if isinstance(value, Row) else value for key, value in values.items()
    }
    return {key: value for key, value in plain.items() if value is not None}


def muster_all(
    entries: Sequence[Entry], rules: RuleSet, rulings: Mapping[str, Any], faults: list[Fault], deployed: bool = True
) -> list[tuple[Entry, Unit]]:
    """Return every sound unit with its entry; the faults of the others are added to ``faults``.

    Without ``deployed`` a unit may lack its place: it is checked as if it stood somewhere.
    """
    mustered = []
    for entry in entries:
        wrong = [*_unknown_words(entry, rules), *_wrong_traits(entry, rules), *_wrong_losses(entry, rules)]
        wrong += wrong_order(entry, rules)
        entry_unit = None if wrong or not entry.sound else _muster(entry, rules, rulings, wrong, deployed)
        if entry_unit is not None and entry.lost and not wrong:
            entry_unit = _muster(entry.weakened(), rules, rulings, wrong, deployed)
        faults.extend(wrong)
        if entry_unit is not None and not wrong:
            mustered.append((entry, entry_unit))
    return mustered


def _unknown_words(entry: Entry, rules: RuleSet) -> Iterator[Fault]:
    for key in _WORDED:
        words = rules.vocabulary.get(key, ())
        if key in entry.values and entry.values[key] not in words:
            yield entry.fault(key, _no_word(key, entry.values[key], words))


def _wrong_traits(entry: Entry, rules: RuleSet) -> Iterator[Fault]:
    """Yield a fault for each trait of a unit that its rules do not have, and for each that is written twice."""
    doc, steps = entry.origin.get("traits", (entry.doc, entry.steps))
    for k, text in trait_faults(entry.values.get("traits", ()), rules, UNIT):
        yield doc.fault([*steps, "traits", k], subject(entry.doc, entry.steps) + text)


def _wrong_losses(entry: Entry, rules: RuleSet) -> Iterator[Fault]:
    """Yield a fault for losses before the battle that the rules do not count, or that leave no base."""
    if not entry.lost:
        return
    bases = entry.values.get("bases")
    if BEFORE not in rules.options:
        whole = period_of(rules.name).noun != ANY_UNIT  # a ship is always one base
        left = "leave lost out" if whole else "give the bases that are left, and leave lost out"
        text = f"{rules.title} counts no losses before the battle; {left}"
        yield entry.fault("lost", text)
    elif bases is None:
        yield entry.fault("lost", f"'bases' is missing beside it: how many it had; {example('bases')}")
    elif entry.lost >= bases:
        yield entry.fault("lost", f"{entry.lost} of {bases} leave none; leave the unit out and add them to '{BEFORE}'")


def wrong_order(entry: Entry, rules: RuleSet) -> Iterator[Fault]:
    """Yield the faults of a unit's order: rules without orders, a word they do not have, two places."""
    order = entry.values.get("order")
    if order is None:
        return
    stance, words = order["stance"], rules.vocabulary.get("stance", ())
    if not words:
        yield entry.fault("order", "under these rules no unit begins with an order; leave it out")
    elif stance not in words:
        yield entry.fault("order", f"'{clip(stance)}' is no order; {did_you_mean(stance, words)}")
    if "objective" in order and "at" in order:
        yield entry.fault("order", "objective and at both given; keep one of them")


def losses_before(entries: Sequence[Entry], sides: Sequence[str]) -> dict[str, int]:
    """Return how many bases the units of each side lost before the battle."""
    return {side: sum(entry.lost for entry in entries if entry.values["side"] == side) for side in sides}


def _no_word(key: str, word: Any, words: Collection[str]) -> str:
    if not words:
        note = whose(key, word, lambda rules: rules.vocabulary.get(key, ()))
        return f"{key}: these rules have no {key}; leave it out{note}"
    return f"'{clip(word)}' is no {key}; " + cure(key, word, words, lambda rules: rules.vocabulary.get(key, ()))


def _muster(
    entry: Entry, rules: RuleSet, rulings: Mapping[str, Any], wrong: list[Fault], deployed: bool
) -> Unit | None:
    """Return the unit; each key its rules refuse is noted in ``wrong`` and dropped, to find further faults."""
    values = {key: value for key, value in entry.values.items() if key not in ("notes", "lost")}
    formations = list(rules.vocabulary["formation"])
    if not deployed:
        values = {**_undeployed(entry, formations.pop(0)), **values}
    for _ in range(len(values) + len(formations) + 1):
        try:
            return rules.muster(values, rulings)
        except MusterError as error:
            if error.key in values and error.key not in entry.values:  # a stand-in that these troops do not need
                values.pop(error.key)
                if error.key == "formation" and formations:
                    values["formation"] = formations.pop(0)
                continue
            if error.key in entry.values and error.key not in values:  # refused before, and these troops need it
                return None
            if error.key in values or deployed:
                wrong.append(_refused(entry, error, rules))
            if values.pop(error.key, None) is None:
                return None
    return None


def _undeployed(entry: Entry, formation: str) -> dict[str, Any]:
    """Return stand-ins for keys that a scenario will state for this unit; ``_muster`` drops those it does not need."""
    if entry.values.get("troop") == GENERAL:
        return {} if "at" in entry.values else {"at": (0.0, 0.0)}
    place = {} if entry.values.keys() & {"at", "front_mid", "track"} else {"at": (0.0, 0.0)}
    return {**place, "facing": 0.0, "formation": formation}


def _refused(entry: Entry, error: MusterError, rules: RuleSet) -> Fault:
    text = str(error)
    if error.key not in entry.values and text.startswith("missing"):
        text = f"'{error.key}' is missing; {text[7:].lstrip('; ') or example(error.key, rules)}"
    return entry.fault(error.key, text)


def check_parents(
    entries: Sequence[Entry], rules: RuleSet | None, faults: list[Fault], elsewhere: Mapping[str, str] | None = None
) -> None:
    """Note every parent that is not a general of the same side here or ``elsewhere`` (id: troop), and every circle.

    Rules without generals refuse the key itself.
    """
    if rules is not None and GENERAL not in rules.vocabulary.get("troop", ()):
        return
    troops = {**(elsewhere or {}), **{entry.id: str(entry.values.get("troop", GENERAL)) for entry in entries}}
    known = list(troops)
    sides = {entry.id: entry.values.get("side") for entry in entries}
    generals = [name for name, troop in troops.items() if troop == GENERAL]
    for entry in entries:
        near = (sides[entry.id], None)
        own = [name for name in generals if name != entry.id and (near[0] is None or sides.get(name) in near)]
        parent = entry.values.get("parent")
        if parent == entry.id:
            faults.append(entry.fault("parent", "a unit is not its own parent; name its general or remove the key"))
        elif parent is not None and parent not in troops:
            others = [name for name in known if name != entry.id]
            faults.append(entry.fault("parent", f"there is no unit '{parent}'; {did_you_mean(parent, others)}"))
        elif parent is not None and parent not in generals:
            faults.append(entry.fault("parent", f"'{parent}' is {troops[parent]}, no general; {_of_generals(own)}"))
        elif parent is not None and parent not in own:
            text = f"'{parent}' is of side '{sides[parent]}', this unit of '{sides[entry.id]}'; {_of_generals(own)}"
            faults.append(entry.fault("parent", text))
    _check_circles(entries, faults)


def _of_generals(names: Sequence[str]) -> str:
    """Return the cure for a parent that commands no such unit: the generals there are."""
    return f"name a general: {', '.join(names[:5])}" if names else "add its general to the file, or remove the key"


def _check_circles(entries: Sequence[Entry], faults: list[Fault]) -> None:
    """Note each circle of units that belong to one another, once, at the first of them in the file."""
    above = {entry.id: entry.values.get("parent") for entry in entries}
    noted: set[str] = set()
    for entry in entries:
        circle, over = [entry.id], above[entry.id]
        while over in above and over not in circle:
            circle.append(over)
            over = above[over]
        if over == entry.id and len(circle) > 1 and entry.id not in noted:
            noted.update(circle)
            names = " belongs to ".join(f"'{name}'" for name in (*circle, over))
            faults.append(
                entry.fault("parent", f"'{circle[1]}' makes a circle: {names}; remove the key from one of them")
            )


def check_ids(entries: Sequence[Entry], faults: list[Fault]) -> tuple[list[Entry], list[Entry]]:
    """Note every duplicate id, in one file or in two; return the first entry of each id, and the duplicates."""
    first: dict[str, Entry] = {}
    others: list[Entry] = []
    for entry in entries:
        if entry.id not in first:
            first[entry.id] = entry
            continue
        others.append(entry)
        other = first[entry.id]
        line, _ = other.doc.at([*other.steps, "id"])
        where = f"on line {line}" if other.doc is entry.doc else f"in {other.doc.file}, line {line}"
        faults.append(entry.fault("id", f"'{entry.id}' is taken {where}; give each unit its own id"))
    return list(first.values()), others


def check_places(mustered: Sequence[tuple[Entry, Unit]], table: Table, faults: list[Fault]) -> None:
    """Note units off the table and units that overlap; add a warning for those in impassable ground."""
    faults.extend(_off_table(mustered, table))
    troops = [(entry, unit) for entry, unit in mustered if not unit.is_general]
    faults.extend(_overlaps(troops, table.tape))
    faults.extend(_in_impassable(mustered, table))


def _place_key(entry: Entry) -> str | None:
    return next((key for key in ("at", "front_mid", "track") if key in entry.values), None)


def _off_table(mustered: Sequence[tuple[Entry, Unit]], table: Table) -> Iterator[Fault]:
    tape = table.tape
    for entry, unit in mustered:
        west, south, east, north = unit.footprint.bounds
        over = {
            "west": -west,
            "east": east - table.width,
            "south": -south,
            "north": north - table.height,
        }
        out = [f"{depth:.2f} over the {edge} edge" for edge, depth in over.items() if tape.over(depth, 0.0)]
        if out:
            size = f"{table.width:g} x {table.height:g}"
            yield entry.fault(_place_key(entry), f"it stands off the table ({size}), {' and '.join(out)}; move it")


def _overlaps(troops: Sequence[tuple[Entry, Unit]], tape: Tape) -> Iterator[Fault]:
    footprints = np.array([unit.footprint for _, unit in troops], object)
    left, right = shapely.STRtree(footprints).query(footprints, predicate="intersects")
    for i, j in sorted((int(i), int(j)) for i, j in zip(left, right, strict=True) if i < j):
        (first, a), (second, b) = troops[i], troops[j]
        depth = deepest(a.bases, b.bases)
        if tape.over(depth, 0.0):
            line, _ = first.doc.at(first.steps)
            where = f"line {line}" if first.doc is second.doc else f"{first.doc.file}, line {line}"
            text = f"{b.name} overlaps {a.name} ({where}), {depth:.2f} deep; move one of them"
            yield second.fault(_place_key(second), text)


def _in_impassable(mustered: Sequence[tuple[Entry, Unit]], table: Table) -> Iterator[Fault]:
    """Yield a warning for each unit in impassable ground; fords and crossings over it do not count."""
    barred = [piece for piece in table.of_movement("impassable") if piece.kind not in FORDS]
    if not barred or not mustered:
        return
    gaps = shapely.union_all([p.shape for p in table.terrain if p.movement == "choke" or p.kind in FORDS])
    closed = np.array([shapely.difference(piece.shape, gaps) for piece in barred], object)
    footprints = np.array([unit.footprint for _, unit in mustered], object)
    shrunk = shapely.buffer(footprints, -table.tape.t, join_style="mitre")
    units, pieces = shapely.STRtree(closed).query(shrunk, predicate="intersects")
    standing: dict[int, list[str]] = {}
    for unit, piece in sorted(zip(units.tolist(), pieces.tolist(), strict=True)):
        standing.setdefault(unit, []).append(barred[piece].name or barred[piece].id)
    for unit, names in standing.items():
        entry = mustered[unit][0]
        yield entry.fault(_place_key(entry), f"it stands in impassable ground: {', '.join(names)}", warning=True)


def with_colour(unit: Unit, colour: str | None) -> Unit:
    """Return the unit marked with its army's colour, for the pictures."""
    return unit if colour is None else replace(unit, marks={**unit.marks, "colour": colour})


def with_losses(unit: Unit, lost: int) -> Unit:
    """Return the unit marked with the bases it lost before the battle, for its card."""
    return replace(unit, marks={**unit.marks, BEFORE: lost}) if lost else unit
