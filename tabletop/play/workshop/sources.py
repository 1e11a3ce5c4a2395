"""The files of a draft: those it was opened from, and their new texts when it is saved.

A scene is one file. A map or an army is opened as a table with nothing else on it. A scenario is opened with its map
and armies; when it is saved, places of units go into the scenario, the ground into its map, the troops into their army.
Comments and the order of keys are kept (``rewriting``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabletop.battle.lengths import PER_INCH
from tabletop.errors import BadQuestion, Unreadable
from tabletop.play.files import named_files
from tabletop.play.files.draft import OF_ARMY, OF_GROUND, Draft, Row, laid, map_data
from tabletop.play.files.draft_from_file import CARRIED, open_draft
from tabletop.play.files.file_text import file_text
from tabletop.play.files.installed import DATA_FOLDERS, data_folders
from tabletop.play.files.load import read_file
from tabletop.play.files.models import PlacedRow, PlaceRow
from tabletop.play.files.opened import open_table
from tabletop.play.files.rewriting import plain, rewritten, same
from tabletop.play.files.scene_text import scene_text
from tabletop.play.files.unit_rows import Entry
from tabletop.play.files.yaml_text import decode, parse
from tabletop.play.quick_battle.deployment import Ground, deployed
from tabletop.play.quick_battle.forces import free_row
from tabletop.rules import rule_set

MAP, ARMY, SCENARIO = "tabletop-map/1", "tabletop-army/1", "tabletop-scenario/1"
#: Keys of a unit that a scenario may state.
PLACED = tuple(key for key in PlacedRow.model_fields if key != "notes")
#: Keys that describe a map.
DESCRIBING = ("credits", "notes")
#: The keys that say where a unit stands.
PLACES = ("at", "front_mid", "track", "facing")
#: The table, in inches, on which an army is shown by itself.
SPARE = (72.0, 48.0)


@dataclass(frozen=True)
class Origin:
    """Where a draft was opened from: the file, its format, and the texts of all files and the draft at that time."""

    path: Path
    format: str
    texts: Mapping[Path, str]
    draft: Draft
    armies: tuple[Path, ...] = ()
    ground: Path | None = None


@dataclass(frozen=True)
class Opened:
    """A draft and its origin; None if it cannot be written back to a file (a saved game)."""

    draft: Draft
    origin: Origin | None = None


@dataclass(frozen=True)
class Written:
    """The texts of all files to be written; ``renewed`` are those whose comments could not be kept."""

    texts: Mapping[Path, str]
    renewed: tuple[Path, ...] = field(default=())


def ours(path: Path) -> bool:
    """Return whether a file comes with the program or a published rule set, in which case it is never written."""
    folders = (data / name for data in data_folders() for name in DATA_FOLDERS)
    return any(path.resolve().is_relative_to(folder) for folder in folders)


# --- opening ---------------------------------------------------------------------------------------------------------


def open_work(path: Path) -> Opened:
    """Return the content of a file, to be changed and written back; Unreadable, with every fault, if it is faulty."""
    if named_files.is_game(path):
        return Opened(open_draft(path))
    doc = named_files.read(path)
    kind = doc.data.get("format") if isinstance(doc.data, Mapping) else None
    if kind == SCENARIO:
        return _scenario(path)
    if kind == ARMY:
        return _army(path)
    draft = open_draft(path)
    draft = replace(draft, rest=_carried(doc.data)) if kind == MAP else draft
    return Opened(draft, Origin(path, str(kind), {path: text_of(path)}, draft))


def text_of(path: Path) -> str:
    """Return the text of a file; Unreadable if it has none."""
    try:
        return decode(named_files.shown(path), path.read_bytes())
    except OSError:
        named_files.read(path)  # says why it cannot be read
        raise


def _carried(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: data[key] for key in CARRIED if data.get(key) is not None}


def _scenario(path: Path) -> Opened:
    open_table(path)  # every fault of every file
    doc = named_files.read(path)
    data, folder = doc.data, path.resolve().parent
    ground = named_files.find(data["map"], folder)
    armies = tuple(named_files.find(name, folder) for name in data["armies"])
    terrain = named_files.read(ground).data
    rows = [row for army in armies for row in _army_rows(army)]
    placed = {row["id"]: (k, row) for k, row in enumerate(data.get("place") or ())}
    coming = {unit for arrival in (data.get("game") or {}).get("arrivals") or () for unit in arrival["units"]}
    units = [_placed(row, placed.get(row["id"]), row["id"] in coming) for row in rows]
    draft = Draft(
        data["title"], data["rules"], terrain["table"], tuple(terrain.get("terrain") or ()), tuple(units),
        data.get("rulings") or {}, {**_carried(data), **{key: terrain[key] for key in OF_GROUND if key in terrain}},
    )  # fmt: skip
    texts = {each: text_of(each) for each in (path, ground, *armies)}
    return Opened(draft, Origin(path, SCENARIO, texts, draft, armies, ground))


def _army_rows(path: Path) -> list[Row]:
    data = named_files.read(path).data
    return [{**row, "side": data["side"]} for row in data["units"]]


def _placed(row: Row, placed: tuple[int, Row] | None, coming: bool) -> Row:
    """Return a row of an army with the scenario's keys for the unit; one still to arrive (``coming``) has no place."""
    doc = parse("", "{}")
    entry = Entry(doc, ["units", 0], dict(row))
    if placed is not None:
        entry.placed(doc, placed[0], PlaceRow.model_validate(placed[1]))
    fields = {key: plain(value) for key, value in entry.values.items()}
    return {key: value for key, value in fields.items() if not (coming and key in PLACES)}


def _army(path: Path) -> Opened:
    """Return an army laid out on a bare table; units without a place are deployed so that they can be seen."""
    wrong = read_file(path).wrong
    if wrong:
        raise Unreadable(wrong)
    data = named_files.read(path).data
    rules, side = rule_set.find(data["rules"]), str(data["side"])
    inch = PER_INCH[rules.unit]
    table = {"unit": rules.unit, "width": SPARE[0] * inch, "height": SPARE[1] * inch}
    rows = _army_rows(path)
    rest = {**_carried(data), **{key: data[key] for key in OF_ARMY if key in data}}
    bare = Draft(data["title"], rules.name, table, rest=rest, alone=side)
    homeless = [free_row(row, rules) for row in rows if not any(key in row for key in PLACES)]
    if homeless:
        ground = Ground(laid(bare).battle.table, rules, inch, north=False)
        placed = {row["id"]: row for row in deployed(homeless, side, ground)}
        rows = [placed.get(row["id"], row) for row in rows]
    draft = replace(bare, units=tuple(rows))
    return Opened(draft, Origin(path, ARMY, {path: text_of(path)}, draft))


# --- saving ----------------------------------------------------------------------------------------------------------


def written(draft: Draft, origin: Origin | None, path: Path) -> Written:
    """Return the texts of the changed and new files of a draft that is saved at a path.

    Raises BadQuestion if a file that comes with the program would have to be changed.
    """
    if origin is None:
        return Written({path: scene_text(draft)})
    work = _Saving(draft, origin, path)
    return {MAP: work.map, ARMY: work.army, SCENARIO: work.scenario}.get(origin.format, work.scene)()


@dataclass
class _Saving:
    """A draft being written into the files it was opened from."""

    draft: Draft
    origin: Origin
    path: Path
    texts: dict[Path, str] = field(default_factory=dict)
    renewed: list[Path] = field(default_factory=list)

    def scene(self) -> Written:
        """Write one file with everything in it."""
        old = _data(self.origin.texts[self.origin.path])
        empty = [key for key in ("terrain", "units") if key not in old]
        data = {k: v for k, v in self.draft.data.items() if v or k not in empty}
        return self._done(self._with(old, data))

    def map(self) -> Written:
        """Write the ground as a map, or as a scene if there are troops on it."""
        if self.draft.units or "game" in self.draft.rest:
            return Written({self.path: scene_text(self.draft)})
        old = _data(self.origin.texts[self.origin.path])
        data = {**map_data(self.draft), **{key: self.draft.rest[key] for key in DESCRIBING if key in self.draft.rest}}
        if "rules" not in old and self.draft.rules == self.origin.draft.rules:
            del data["rules"]
        return self._done(self._with(old, {k: v for k, v in data.items() if v or k in old}))

    def army(self) -> Written:
        """Write the troops as an army, without places if it had none, or as a scene if there is anything else."""
        old = _data(self.origin.texts[self.origin.path])
        if self.draft.terrain or any(row["side"] != self.draft.alone for row in self.draft.units):
            return Written({self.path: scene_text(replace(self.draft, alone=""))})
        somewhere = any(key in row for row in old["units"] for key in PLACES)
        rows = self._rows(old["units"], self.draft.units, () if somewhere else PLACES)
        return self._done({**old, "title": self.draft.title, "units": rows})

    def scenario(self) -> Written:
        """Write the scenario, and its map and armies if they have changed."""
        origin, draft = self.origin, self.draft
        old = _data(origin.texts[origin.path])
        assert origin.ground is not None
        if draft.terrain != origin.draft.terrain or draft.table != origin.draft.table:
            ground = _data(origin.texts[origin.ground])
            self._put(origin.ground, {**ground, "table": draft.table, "terrain": list(draft.terrain)})
        before = {row["id"]: row for row in origin.draft.units}
        after = {row["id"]: row for row in draft.units}
        for k, army in enumerate(origin.armies):
            data = _data(origin.texts[army])
            own = [row for row in draft.units if row["side"] == data["side"]]
            mine = {row["id"] for row in data["units"]}
            others = {r["id"] for each in origin.armies if each != army for r in _data(origin.texts[each])["units"]}
            first = all(_data(origin.texts[each])["side"] != data["side"] for each in origin.armies[:k])
            own = [row for row in own if row["id"] in mine or (first and row["id"] not in others)]
            rows = self._rows(data["units"], own, PLACED)
            if not same(plain(rows), plain(data["units"])):
                self._put(army, {**data, "units": rows})
        place = [self._place(row, before, after) for row in old.get("place") or () if row["id"] in after]
        placed_ids = {row["id"] for row in place}
        place += [
            {"id": name, **{key: row[key] for key in PLACED if key in row}}
            for name, row in after.items()
            if name not in placed_ids and _placing(row) != _placing(before.get(name, {}))
        ]
        data = {**old, **self._head(), "place": [row for row in place if len(row) > 1]}
        return self._done({k: v for k, v in data.items() if v or k in old})

    def _place(self, row: Row, before: Mapping[str, Row], after: Mapping[str, Row]) -> Row:
        """Return a scenario's row for a unit, updated to its present place."""
        now, then = after[row["id"]], before.get(row["id"], {})
        if _placing(now) == _placing(then):
            return row
        changed = {key: now[key] for key in PLACED if key in now and (key in row or now[key] != then.get(key))}
        if any(key in changed for key in PLACES) or any(key in then for key in PLACES):
            changed |= {key: now[key] for key in PLACES if key in now}
        notes = {"notes": row["notes"]} if "notes" in row else {}
        return {"id": row["id"], **changed, **notes}

    def _rows(self, old: Iterable[Row], new: Iterable[Row], not_here: Iterable[str]) -> list[Row]:
        """Return the updated rows of an army, with only those keys changed that were changed in the draft."""
        old_rows = {row["id"]: row for row in old}
        before = {row["id"]: row for row in self.origin.draft.units}
        rows: list[Row] = []
        for row in new:
            then = before.get(row["id"], {})
            changed_row = dict(old_rows.get(row["id"], {}))
            for key in {**then, **row}:
                if key == "side" or key in not_here or then.get(key) == row.get(key):
                    continue
                if key in row:
                    changed_row[key] = row[key]
                else:
                    changed_row.pop(key, None)
            rows.append({"id": row["id"], **changed_row})
        return rows

    def _head(self) -> dict[str, Any]:
        draft = self.draft
        head: dict[str, Any] = {"title": draft.title, "rules": draft.rules, "rulings": dict(draft.rulings)}
        return {**head, **{key: draft.rest.get(key) for key in CARRIED if key not in OF_GROUND}}

    def _with(self, old: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
        """Return data with the empty keys of a file (such as ``notes:``), which drafts do not keep."""
        lost = {key: value for key, value in old.items() if value is None and key not in data}
        return {**data, **lost}

    def _done(self, data: Mapping[str, Any]) -> Written:
        self._put(self.path, data, self.origin.path)
        return Written(self.texts, tuple(self.renewed))

    def _put(self, path: Path, data: Mapping[str, Any], source: Path | None = None) -> None:
        if source is None and ours(path):
            raise BadQuestion(
                f"{path.name} comes with the program and is not written over; save the battle in one file of its own"
            )
        text = self.origin.texts[source or path]
        new_text = rewritten(text, data)
        if new_text is None:
            self.renewed.append(path)
        self.texts[path] = file_text(data) if new_text is None else new_text


def _data(text: str) -> dict[str, Any]:
    return dict(parse("", text).data)


def _placing(row: Row) -> dict[str, Any]:
    return {key: row[key] for key in PLACED if key in row}


def renewed_origin(origin: Origin | None, draft: Draft, path: Path, texts: Mapping[Path, str]) -> Origin:
    """Return the origin of a draft after it has been saved."""
    if origin is not None and origin.format == SCENARIO and _data(texts[path]).get("format") == SCENARIO:
        other_texts = {each: text for each, text in origin.texts.items() if each != origin.path}
        return replace(origin, path=path, texts={**other_texts, **texts}, draft=draft)
    return Origin(path, str(_data(texts[path])["format"]), {path: texts[path]}, draft)
