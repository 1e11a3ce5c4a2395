"""The block ``game`` of a scenario or scene: from its rows to the battle's setup and the units still to come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.progress import Arrival, Objective, Setup, frozen
from tabletop.errors import Fault
from tabletop.geometry.measure import Point, Tape, bearing, heading, snap_facing, snap_point
from tabletop.geometry.terrain import Table
from tabletop.play.files.faults import checked, subject
from tabletop.play.files.models import ArrivalRow, GameRow, ObjectiveRow
from tabletop.play.files.nearest_words import clip, did_you_mean, one_of
from tabletop.play.files.unit_rows import Entry
from tabletop.play.files.whose import cure
from tabletop.play.files.yaml_text import Document, Step
from tabletop.rules.common.keyed_option import each, for_units, lack
from tabletop.rules.rule_set import Option, RuleSet

#: Keys of a unit that say where it stands, which a unit still to arrive must not have.
_PLACES = ("at", "front_mid", "track")


@dataclass
class GameBlock:
    """The block as read, and the units still to come: their ids with the number of the arrival that brings them.

    ``row`` is None if there is no block or it is faulty; the units it names are not expected on the table even then.
    """

    doc: Document
    row: GameRow | None
    coming: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, doc: Document) -> GameBlock:
        """Return the block of a file; the check of the whole file reports its faults."""
        data = doc.data.get("game")
        if not isinstance(data, Mapping):
            return cls(doc, None)
        return cls(doc, checked(doc, GameRow, data, ["game"], []), dict(_named(data)))

    def fault(self, steps: Sequence[Step], text: str, key: bool = False) -> Fault:
        """Return a fault of a value (or, with ``key``, of a key) inside the block."""
        where: list[Step] = ["game", *steps]
        return self.doc.fault(where, subject(self.doc, where) + text, key=key)

    def parted(self, entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
        """Return the units that stand on the table at the start, and those still to come."""
        standing = [entry for entry in entries if entry.id not in self.coming]
        return standing, [entry for entry in entries if entry.id in self.coming]


def _named(data: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield (id, row number) for the units that arrivals name, even in a faulty block, with the rows in reverse order.

    A dict of the pairs therefore keeps the first row that names a unit.
    """
    rows = data.get("arrivals")
    for k, row in reversed(list(enumerate(rows if isinstance(rows, list) else ()))):
        units = row.get("units") if isinstance(row, Mapping) else None
        yield from ((str(unit), k) for unit in (units if isinstance(units, list) else ()))


def setup_of(
    block: GameBlock, rules: RuleSet, table: Table, entries: Sequence[Entry], complete: bool, faults: list[Fault]
) -> Setup:
    """Return the setup that the block states for the battle; its faults are added to ``faults``.

    ``entries`` are all units; without ``complete`` some army could not be read, and units are not looked up.
    """
    row = block.row
    if row is None:
        return Setup()
    sides = sorted({str(entry.values["side"]) for entry in entries})
    if complete:
        faults.extend(_sides(block, row, sides))
        faults.extend(_units(block, row, entries))
    ids = {entry.id for entry in entries} if complete else None
    faults.extend(_options(block, rules, row, sides, ids))
    faults.extend(_lacks(block, rules, row, table))
    faults.extend(_turns(block, row))
    faults.extend(_objectives(block, row, table))
    arrivals = tuple(_arrival(block, k, block_row, table, faults) for k, block_row in enumerate(row.arrivals))
    attacker = row.attacker if row.attacker in sides else None
    return Setup(
        sides=tuple(sorted(sides, key=lambda side: (side != attacker, side))),
        attacker=attacker,
        turns=row.turns,
        starts=row.starts,
        options=frozen(row.options),
        arrivals=arrivals,
        objectives=tuple(_objective(block_row) for block_row in row.objectives),
    )


def enter(block: GameBlock, rules: RuleSet, setup: Setup, coming: Sequence[Entry]) -> None:
    """Change the entries of the units still to come so that they are mustered where they will enter."""
    if not setup.arrivals:
        return
    for entry in coming:
        k = block.coming[entry.id]
        arrival = setup.arrivals[k]
        before = entry.values
        entry.values = dict(rules.arriving(before, arrival.at, arrival.facing))
        changed_keys = [key for key, value in entry.values.items() if before.get(key) != value]
        entry.origin.update({key: (block.doc, ["game", "arrivals", k]) for key in changed_keys})


# --- faults ----------------------------------------------------------------------------------------------------------


def _sides(block: GameBlock, row: GameRow, sides: Sequence[str]) -> Iterator[Fault]:
    if len(sides) != 2:
        count_text = f"there {'is' if len(sides) == 1 else 'are'}: {', '.join(sides) or 'none'}"
        yield block.fault([], f"game: a battle is between two sides; {count_text}")
    if row.attacker is not None and row.attacker not in sides:
        yield block.fault(["attacker"], one_of("side", row.attacker, sides))
    for k, objective in enumerate(row.objectives):
        if objective.holder is not None and objective.holder not in sides:
            yield block.fault(["objectives", k, "holder"], one_of("side", objective.holder, sides))


def _units(block: GameBlock, row: GameRow, entries: Sequence[Entry]) -> Iterator[Fault]:
    """Yield a fault for every arriving unit that is unknown, comes twice, or stands on the table already."""
    by_id = {entry.id: entry for entry in entries}
    first: dict[str, int] = {}
    for k, arrival in enumerate(row.arrivals):
        for i, unit in enumerate(arrival.units):
            steps: list[Step] = ["arrivals", k, "units", i]
            if unit not in by_id:
                yield block.fault(steps, f"there is no unit '{unit}'; {did_you_mean(unit, by_id)}")
            elif unit in first:
                yield block.fault(steps, f"'{unit}' comes already by arrival {first[unit] + 1}; name it once")
            elif key := _placed_here(block, by_id[unit]):
                yield by_id[unit].fault(key, "it stands here and is still to come (game: arrivals); keep one of them")
            first.setdefault(unit, k)


def _placed_here(block: GameBlock, entry: Entry) -> str | None:
    """Return the key with which the file of the block itself places a unit on the table; None without one.

    A place in an army file does not count, because an army may be used in many battles.
    """
    place_keys = [key for key in _PLACES if key in entry.values]
    return next((key for key in place_keys if entry.origin.get(key, (entry.doc, []))[0] is block.doc), None)


def _options(
    block: GameBlock, rules: RuleSet, row: GameRow, sides: Sequence[str], units: Collection[str] | None
) -> Iterator[Fault]:
    """Yield the faults of the options; without ``units``, which could not all be read, no unit is looked up."""
    for name, value in row.options.items():
        if name not in rules.options:
            near = cure("option", name, rules.options, lambda other: other.options)
            text = f"there is no option '{clip(name)}' in {rules.title}; {near}"
            yield block.fault(["options", name], text, key=True)
            continue
        option = rules.options[name]
        by_unit = for_units(option)
        for who, single in each(option, value):
            if who is not None and who not in sides and not (by_unit and (units is None or who in units)):
                text = one_of("side", who, sides)
                if by_unit:
                    text = f"there is no side or unit '{clip(who)}'; {did_you_mean(who, [*sides, *(units or ())])}"
                yield block.fault(["options", name, str(who)], text, key=True)
            elif fault := _option_fault(option, single):
                yield block.fault(["options", name], f"option '{name}' cannot be {clip(single)}; {fault}")


def _lacks(block: GameBlock, rules: RuleSet, row: GameRow, table: Table) -> Iterator[Fault]:
    """Yield a fault for every option that says nothing without something the scenario lacks."""
    points = [objective.at for objective in row.objectives]
    for name in (name for name in row.options if name in rules.options):
        if text := lack(rules.options[name], row.options, points, table):
            yield block.fault(["options", name], f"option '{name}': {text}", key=True)


def _option_fault(option: Option, value: Any) -> str | None:
    """Return what is wrong with the value of an option; one whose bounds are whole takes whole numbers only."""
    low, high = option.low, option.high
    if isinstance(low, int) and isinstance(high, int) and isinstance(value, float):
        return f"it must be a whole number from {low} to {high}"
    return option.fault(value)


def _turns(block: GameBlock, row: GameRow) -> Iterator[Fault]:
    for k, arrival in enumerate(row.arrivals):
        if row.turns is not None and arrival.turn > row.turns:
            text = f"turn: {arrival.turn} is after the last turn ({row.turns}); they must be there in time to matter"
            yield block.fault(["arrivals", k, "turn"], text)


def _objectives(block: GameBlock, row: GameRow, table: Table) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for k, objective in enumerate(row.objectives):
        if objective.id in first:
            text = f"this id is taken by objective {first[objective.id] + 1}; give each its own id"
            yield block.fault(["objectives", k, "id"], text)
        first.setdefault(objective.id, k)
        if not _on(table, objective.at):
            yield block.fault(["objectives", k, "at"], f"at: it lies off the table ({_size(table)}); move it")


def _on(table: Table, point: Point) -> bool:
    return 0.0 <= point[0] <= table.width and 0.0 <= point[1] <= table.height


def _size(table: Table) -> str:
    return f"{table.width:g} x {table.height:g}"


# --- arrivals and objectives -----------------------------------------------------------------------------------------


def _objective(row: ObjectiveRow) -> Objective:
    return Objective(row.id, snap_point(row.at), row.radius, row.points, row.name or row.id, row.holder)


def _arrival(block: GameBlock, k: int, row: ArrivalRow, table: Table, faults: list[Fault]) -> Arrival:
    """Return an arrival, with its point moved exactly on to the table's edge."""
    at, inward = _edge_point(table, snap_point(row.at))
    if not table.tape.touches(max(abs(at[0] - row.at[0]), abs(at[1] - row.at[1]))):
        text = f"at: this is no point of the table's edge ({_size(table)}); the nearest is [{at[0]:g}, {at[1]:g}]"
        faults.append(block.fault(["arrivals", k, "at"], text))
        inward = (0.0, 0.0)
    facing = bearing(*inward) if row.facing is None else row.facing
    ahead = heading(facing)
    if any(inward) and not ahead[0] * inward[0] + ahead[1] * inward[1] > 0.0:
        text = f"facing: {facing:g} looks off the table; straight in is {bearing(*inward):g}"
        faults.append(block.fault(["arrivals", k, "facing"], text))
    for i, point in enumerate(row.along):
        if not _on(table, point):
            text = f"along: a point off the table ({_size(table)}); move it"
            faults.append(block.fault(["arrivals", k, "along", i], text))
    return Arrival(tuple(row.units), row.turn, at, snap_facing(facing), tuple(map(snap_point, row.along)))


def _edge_point(table: Table, point: Point) -> tuple[Point, Point]:
    """Return the nearest point of the table's edge, and the direction straight in from there (corners: across)."""
    x, y = min(max(point[0], 0.0), table.width), min(max(point[1], 0.0), table.height)
    gaps = {"west": x, "east": table.width - x, "south": y, "north": table.height - y}
    nearest = min(gaps.values())
    edges = [edge for edge, gap in gaps.items() if Tape(table.tape.t).touches(gap - nearest)]
    for edge in edges:
        x, y = _SNAPS[edge](table, (x, y))
    return (x, y), (float(sum(_INWARD[e][0] for e in edges)), float(sum(_INWARD[e][1] for e in edges)))


_INWARD = {"west": (1, 0), "east": (-1, 0), "south": (0, 1), "north": (0, -1)}
_SNAPS: dict[str, Callable[[Table, Point], Point]] = {
    "west": lambda table, p: (0.0, p[1]),
    "east": lambda table, p: (table.width, p[1]),
    "south": lambda table, p: (p[0], 0.0),
    "north": lambda table, p: (p[0], table.height),
}
