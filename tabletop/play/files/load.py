"""From a file to a battle: a scene, or a scenario with the map and the armies it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from tabletop.battle.battle import Battle
from tabletop.battle.unit import GENERAL, Unit
from tabletop.errors import BadQuestion, Fault, Unreadable
from tabletop.geometry.terrain import Table
from tabletop.play.files import bundled, named_files
from tabletop.play.files.faults import MOST_SHOWN, checked, remains, rules_of
from tabletop.play.files.game_block import GameBlock, enter, setup_of
from tabletop.play.files.models import (
    FILES,
    LARGEST_TABLE,
    MOST_ROWS,
    ArmyFile,
    FieldRow,
    MapFile,
    PlaceRow,
    Row,
    ScenarioFile,
    SceneFile,
    SceneUnitRow,
    TableRow,
    TerrainRow,
    UnitRow,
)
from tabletop.play.files.nearest_words import clip, did_you_mean, one_of
from tabletop.play.files.starting_orders import check_places as check_order_places
from tabletop.play.files.starting_orders import hand_down
from tabletop.play.files.terrain_rows import (
    Presets,
    fields_of,
    foreign_kinds,
    lay,
    same_ids,
    without_rules,
    wrong_traits,
)
from tabletop.play.files.unit_rows import (
    Entry,
    check_ids,
    check_parents,
    check_places,
    losses_before,
    muster_all,
    with_colour,
    with_losses,
)
from tabletop.play.files.whose import cure
from tabletop.play.files.yaml_text import MOST_VALUES, Document, without_places
from tabletop.rules import rule_set
from tabletop.rules.common.base_losses import also_lost
from tabletop.rules.rule_set import RuleSet

AnyRow = TypeVar("AnyRow", bound=Row)
Rows: TypeAlias = list[tuple[int, AnyRow]]
#: The lists of a file, checked row by row, so that one bad row does not hide the faults of the others.
_LISTS = {"terrain": TerrainRow, "fields": FieldRow, "units": UnitRow, "place": PlaceRow}

#: The table on which pieces are checked if the file's own table is faulty.
_SPARE_TABLE = TableRow(unit="in", width=LARGEST_TABLE, height=LARGEST_TABLE)


@dataclass(frozen=True)
class Loaded:
    """A battle as read, the warnings about it, and the files it came from."""

    battle: Battle
    warnings: tuple[Fault, ...]
    files: tuple[str, ...]


@dataclass
class Reading:
    """The state of reading one file and those it names: the faults so far, and the folder where names are looked up.

    ``incomplete``: an army could not be read, so the list of units is not complete.
    """

    folder: Path
    faults: list[Fault] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    battle: Battle | None = None
    incomplete: bool = False
    values: int = 0

    @property
    def wrong(self) -> list[Fault]:
        return [fault for fault in self.faults if not fault.warning]


def load_scene(path: str | Path) -> Battle:
    """Return the battle of a scene or scenario file; Unreadable, with every fault of every file, otherwise."""
    return load(path).battle


def load_scene_data(data: Mapping[str, Any], folder: str | Path | None = None, label: str = "scene") -> Battle:
    """Return the battle of a scene given as plain data; files it names are looked up from ``folder``.

    Raises Unreadable, with every fault.
    """
    reading = Reading(Path(folder) if folder is not None else Path.cwd())
    read_document(reading, without_places(label, data), playable=True)
    return _finished(reading).battle


def load(path: str | Path) -> Loaded:
    """Return the battle of a scene or scenario file with its warnings; Unreadable as for ``load_scene``."""
    return _finished(read_file(path, playable=True))


def load_table(path: str | Path) -> Battle:
    """Return the battle of a file for drawing: a scene or scenario, or a map as a battle without units."""
    reading = read_file(path)
    if not reading.wrong and reading.battle is None:
        text = "an army alone has no ground to draw; name a map, a scene or a scenario"
        reading.faults.append(Fault(str(path), 1, 1, text))
    return _finished(reading).battle


def read_file(path: str | Path, playable: bool = False) -> Reading:
    """Read one file of any format and those it names; the faults are in the ``Reading`` returned.

    ``path`` may be the name of a file that comes with the program (``level-shadow``), or ``-`` for standard input.
    """
    path = bundled.named(path)
    reading = Reading(path.parent)
    doc = _document(reading, path)
    if doc is not None:
        reading.folder = path.resolve().parent
        read_document(reading, doc, playable)
    return reading


def _finished(reading: Reading) -> Loaded:
    if reading.wrong or reading.battle is None:
        raise Unreadable(shortened(reading.wrong))
    warnings = tuple(sorted(fault for fault in reading.faults if fault.warning))
    return Loaded(reading.battle, warnings, tuple(reading.files))


def shortened(faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults in order, the last of very many replaced by their count."""
    ordered = sorted(set(faults))
    if len(ordered) <= MOST_SHOWN:
        return ordered
    last = ordered[MOST_SHOWN - 1]
    more = f"and {len(ordered) - MOST_SHOWN + 1} faults more; mend those above first"
    return [*ordered[: MOST_SHOWN - 1], Fault(last.file, last.line, last.column, more)]


def _document(reading: Reading, path: Path) -> Document | None:
    try:
        if str(path) == named_files.STANDARD_INPUT:
            doc = named_files.read_standard_input()
        else:
            doc = named_files.read(path, MOST_VALUES - reading.values)
    except Unreadable as error:
        reading.faults.extend(error.faults)
        return None
    reading.files.append(doc.file)
    reading.values += doc.values
    return doc


# --- one file --------------------------------------------------------------------------------------------------------


def read_document(reading: Reading, doc: Document, playable: bool) -> None:
    """Read a document of any format into ``reading``; ``playable`` asks for one that makes a battle."""
    kind = _format(reading, doc)
    if playable and kind in ("tabletop-map/1", "tabletop-army/1"):
        problem = "a map alone has no units" if "map" in kind else "an army alone has no ground"
        reading.faults.append(doc.fault(["format"], f"{problem}; name a scene or a scenario instead"))
    elif kind is not None:
        _READERS[kind](reading, doc)


def _format(reading: Reading, doc: Document, wanted: str | None = None) -> str | None:
    """Return the format a document states; None, with a fault, if it is unknown or not the ``wanted`` one."""
    if not isinstance(doc.data, Mapping):
        text = "the file holds no keys; its first line says what it is: 'format: tabletop-scene/1'"
        reading.faults.append(doc.fault([], text))
        return None
    format_name = doc.data.get("format")
    if format_name is None:
        reading.faults.append(doc.fault(["format"], f"'format' is missing; {did_you_mean('', FILES)}", key=True))
        return None
    if not isinstance(format_name, str) or format_name not in FILES:
        reading.faults.append(doc.fault(["format"], one_of("format", clip(format_name), list(FILES))))
        return None
    if wanted is not None and format_name != wanted:
        reading.faults.append(
            doc.fault(["format"], f"this is a '{format_name}' where a '{wanted}' belongs; name another file")
        )
        return None
    return format_name


def _frame(reading: Reading, doc: Document, model: type[AnyRow]) -> AnyRow | None:
    """Return a file as its model without its long lists, which are checked row by row; None if it is faulty."""
    lists: dict[str, Any] = {
        key: [] for key in _LISTS if key in model.model_fields and isinstance(doc.data.get(key), list)
    }
    return checked(doc, model, {**doc.data, **lists}, [], reading.faults)


def _rows(reading: Reading, doc: Document, key: str, model: type[AnyRow]) -> tuple[Rows[AnyRow], Rows[AnyRow]]:
    """Return the sound rows of a list with their numbers, and the valid parts of faulty ones; note the faults."""
    rows = doc.data.get(key)
    if not isinstance(rows, list):
        return [], []
    if len(rows) > MOST_ROWS:
        reading.faults.append(doc.fault([key], f"{key}: {len(rows)} rows; the most is {MOST_ROWS}", key=True))
        return [], []
    sound: Rows[AnyRow] = []
    damaged: Rows[AnyRow] = []
    for k, data in enumerate(rows):
        if (row := checked(doc, model, data, [key, k], reading.faults)) is not None:
            sound.append((k, row))
        elif (rest := remains(model, data)) is not None:
            damaged.append((k, rest))
    return sound, damaged


def _ground(reading: Reading, doc: Document, rules: RuleSet | None, scale: float, alone: bool = False) -> Table | None:
    """Return the table of a map or scene, None if its frame is faulty; kinds and traits that the rules lack are faults.

    ``alone`` is for a map by itself, which need not name its rules.
    """
    rows, damaged = _rows(reading, doc, "terrain", TerrainRow)
    written = doc.data.get("table")
    if rules is not None and isinstance(written, Mapping) and written.get("unit") == rules.unit:
        reading.faults.extend(foreign_kinds(doc, rows, rules))  # a table of another unit is refused as a whole
        reading.faults.extend(wrong_traits(doc, rows, rules))
    if alone and "rules" not in doc.data:
        reading.faults.extend(without_rules(doc, rows))
    reading.faults.extend(same_ids(doc, "terrain", sorted([*rows, *damaged], key=lambda row: row[0])))
    table = checked(doc, TableRow, written, ["table"], []) if isinstance(written, Mapping) else None
    fields = fields_of(doc, _rows(reading, doc, "fields", FieldRow)[0], reading.faults)
    if table is None:
        lay(doc, _SPARE_TABLE, rows, Presets(rules, scale), reading.faults)
        return None
    return replace(lay(doc, table, rows, Presets(rules, scale), reading.faults), fields=fields)


def _rulings(reading: Reading, doc: Document, rules: RuleSet) -> dict[str, Any]:
    """Return every ruling's value; a ruling or value that does not exist is a fault."""
    chosen = doc.data.get("rulings")
    values = rules.ruling_values()
    for name, value in chosen.items() if isinstance(chosen, Mapping) else ():
        try:
            values = {**values, name: rules.ruling_values({name: value})[name]}
        except BadQuestion:
            reading.faults.append(doc.fault(["rulings", name], _ruling_fault(str(name), value, rules)))
    return values


def _ruling_fault(name: str, value: Any, rules: RuleSet) -> str:
    if name not in rules.rulings:
        near = cure("ruling", name, rules.rulings, lambda other: other.rulings)
        return f"there is no ruling '{clip(name)}' in {rules.title}; {near} ('tabletop rulings' lists them)"
    words = [str(v).lower() if isinstance(v, bool) else str(v) for v in rules.rulings[name].values]
    return f"ruling '{name}' cannot be {clip(value)}; it must be {' or '.join(words)}"


# --- the four formats ------------------------------------------------------------------------------------------------


def _read_map(reading: Reading, doc: Document) -> None:
    rules = rules_of(doc)
    frame, table = _frame(reading, doc, MapFile), _ground(reading, doc, rules, 1.0, alone=True)
    if frame is not None and table is not None:
        if rules is not None and rules.unit != table.unit:
            text = f"rules: {rules.title} measures in {rules.unit}, this table in {table.unit}; name others"
            reading.faults.append(doc.fault(["rules"], text))
        rules = rules or next((r for r in map(rule_set.find, rule_set.NAMES) if r.unit == table.unit), None)
        rules = rules or rule_set.find(rule_set.NAMES[0])
        reading.battle = Battle.of(rules.name, table, (), rules.ruling_values(), frame.title)


def _read_army(reading: Reading, doc: Document) -> None:
    _frame(reading, doc, ArmyFile)
    entries, others = check_ids(_army_entries(reading, doc), reading.faults)
    rules = rules_of(doc)
    check_parents(entries, rules, reading.faults, _generals_joined(reading, doc))
    if rules is not None:
        muster_all([*entries, *others], rules, rules.ruling_values(), reading.faults, deployed=False)


def _generals_joined(reading: Reading, doc: Document) -> dict[str, str]:
    """Return the ids and troops of the army that this one joins, whose generals may command units of this one."""
    other = _named(reading, doc, ["joins"], doc.data.get("joins"), "tabletop-army/1")
    rows = other.data.get("units") if other is not None else None
    named = [row for row in rows if isinstance(row, Mapping) and "id" in row] if isinstance(rows, list) else []
    return {str(row["id"]): str(row.get("troop", GENERAL)) for row in named}


def _entries(reading: Reading, doc: Document, model: type[UnitRow], given: Mapping[str, Any]) -> list[Entry]:
    """Return the units of a file in order; the valid part of a faulty one is marked as not sound."""
    sound, damaged = _rows(reading, doc, "units", model)
    numbered = [(k, Entry.of(doc, k, row, **given)) for k, row in sound]
    numbered += [(k, replace(Entry.of(doc, k, row, **given), sound=False)) for k, row in damaged]
    return [entry for _, entry in sorted(numbered, key=lambda pair: pair[0])]


def _army_entries(reading: Reading, doc: Document) -> list[Entry]:
    side = doc.data.get("side")
    defaults = {"side": side} if isinstance(side, str) else {"side": "?"}
    entries = _entries(reading, doc, UnitRow, defaults)
    for entry in entries:
        if entry.values["side"] != defaults["side"] and isinstance(side, str):
            own = entry.values["side"]
            reading.faults.append(entry.fault("side", f"'{own}', but the army is of side '{side}'; remove the key"))
        if isinstance(colour := doc.data.get("colour"), str):
            entry.extra["colour"] = colour
    return entries


def _read_scene(reading: Reading, doc: Document) -> None:
    frame = _frame(reading, doc, SceneFile)
    rules = rules_of(doc)
    rulings = _rulings(reading, doc, rules) if rules else {}
    table = _ground(reading, doc, rules, float(rulings.get("scale", 1)))
    entries = _entries(reading, doc, SceneUnitRow, {})
    _deploy(reading, doc, frame, rules, rulings, table, entries)


def _read_scenario(reading: Reading, doc: Document) -> None:
    frame = _frame(reading, doc, ScenarioFile)
    rules = rules_of(doc)
    rulings = _rulings(reading, doc, rules) if rules else {}
    map_doc = _named(reading, doc, ["map"], doc.data.get("map"), "tabletop-map/1")
    table = None
    if map_doc is not None:
        _frame(reading, map_doc, MapFile)
        table = _ground(reading, map_doc, rules, float(rulings.get("scale", 1)))
    entries = _armies(reading, doc)
    _place(reading, doc, entries)
    _deploy(reading, doc, frame, rules, rulings, table, entries)


def _named(reading: Reading, doc: Document, steps: list[str | int], name: Any, wanted: str) -> Document | None:
    """Return the document of a file named in ``doc``; None, with a fault, if it is missing or of another format."""
    if not isinstance(name, str) or not name:
        return None
    try:
        path = named_files.find(name, reading.folder)
    except ValueError as error:
        reading.faults.append(doc.fault(steps, f"{steps[0]}: {error}"))
        return None
    other = _document(reading, path)
    return other if other is not None and _format(reading, other, wanted) else None


def _armies(reading: Reading, doc: Document) -> list[Entry]:
    names = doc.data.get("armies")
    entries: list[Entry] = []
    reading.incomplete |= not isinstance(names, list)
    for k, name in enumerate(names[:20] if isinstance(names, list) else ()):
        army = _named(reading, doc, ["armies", k], name, "tabletop-army/1")
        if army is None:
            reading.incomplete = True
            continue
        _frame(reading, army, ArmyFile)
        entries += _army_entries(reading, army)
        if army.data.get("rules") in rule_set.NAMES and army.data["rules"] != doc.data.get("rules"):
            army_rules, wanted = army.data["rules"], doc.data.get("rules")
            text = f"rules: '{army_rules}', but the scenario is played by '{clip(wanted)}'; name the same rules in both"
            reading.faults.append(army.fault(["rules"], text))
    return entries


def _place(reading: Reading, doc: Document, entries: Sequence[Entry]) -> None:
    """Place the units of the armies where the scenario says they stand."""
    rows, _ = _rows(reading, doc, "place", PlaceRow)
    reading.faults.extend(same_ids(doc, "place", rows))
    by_id = {entry.id: entry for entry in reversed(entries)}
    for k, row in rows:
        if row.id in by_id:
            by_id[row.id].placed(doc, k, row)
        elif not reading.incomplete:
            text = f"there is no unit '{row.id}' in the armies; {did_you_mean(row.id, by_id)}"
            reading.faults.append(doc.fault(["place", k, "id"], text))


def _deploy(
    reading: Reading,
    doc: Document,
    frame: SceneFile | ScenarioFile | None,
    rules: RuleSet | None,
    rulings: Mapping[str, Any],
    table: Table | None,
    entries: Sequence[Entry],
) -> None:
    """Place the units on the table and check them; keep the battle if the whole reading has no fault."""
    entries, others = check_ids(entries, reading.faults)
    if not reading.incomplete:
        check_parents(entries, rules, reading.faults)
    if rules is None:
        return
    block = GameBlock.of(doc)
    hand_down(entries, rules)
    standing, coming = block.parted(entries)
    mustered = muster_all(standing, rules, rulings, reading.faults)
    muster_all(block.parted(others)[0], rules, rulings, reading.faults)  # for their faults
    if table is None:
        return
    setup = setup_of(block, rules, table, entries, not reading.incomplete, reading.faults)
    check_order_places(entries, setup.objectives, table, reading.faults)
    losses = losses_before(entries, sorted({str(entry.values["side"]) for entry in entries}))
    setup = replace(setup, options=also_lost(setup.options, losses))
    enter(block, rules, setup, coming)
    awaited = _marked(muster_all(coming, rules, rulings, reading.faults)) if setup.arrivals else []
    if table.unit != rules.unit:
        reading.faults.append(_wrong_unit(doc, rules, table))
        return
    check_places(mustered, table, reading.faults)
    if frame is not None and not reading.wrong:
        battle = Battle.of(rules.name, table, _marked(mustered), rulings, frame.title)
        waiting = tuple(sorted(awaited, key=lambda unit: unit.id))
        reading.battle = replace(battle, setup=setup, awaited=waiting)


def _wrong_unit(doc: Document, rules: RuleSet, table: Table) -> Fault:
    """Return the fault of a table measured in a unit of length that the rules do not use, at the key that names it."""
    told = f"{rules.title} is measured in '{rules.unit}', "
    if "map" in doc.data:
        text = f"map: {told}the table of this map in '{table.unit}'; name a map in '{rules.unit}'"
        return doc.fault(["map"], text)
    text = f"unit: {told}not '{table.unit}'; write 'unit: {rules.unit}', and every length in it"
    return doc.fault(["table", "unit"], text)


def _marked(mustered: Sequence[tuple[Entry, Unit]]) -> list[Unit]:
    """Return the units with what their files say of them that their rules do not muster."""
    return [with_losses(with_colour(unit, entry.extra.get("colour")), entry.lost) for entry, unit in mustered]


_READERS = {
    "tabletop-map/1": _read_map,
    "tabletop-army/1": _read_army,
    "tabletop-scenario/1": _read_scenario,
    "tabletop-scene/1": _read_scene,
}
