"""The armies of a quick battle: armies of the library, prepared to meet any other and cut or filled to points."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tabletop.battle.unit import PERSONS, Unit
from tabletop.errors import BadQuestion, TabletopError, Unreadable
from tabletop.play.files import installed, named_files
from tabletop.play.files.load import read_file
from tabletop.rules import rule_set
from tabletop.rules.common.looks import Figure
from tabletop.rules.rule_set import MusterError, RuleSet

Row = Mapping[str, Any]
#: Keys of a unit that say where and how it stands in its own battle; they are dropped, as it is deployed anew.
PLACES = ("at", "front_mid", "track", "facing", "status", "bend", "lost", "order", "notes")
#: The fewest units (not counting generals) that make an army.
FEW = 2
#: The least and the greatest number of points an army may have.
LEAST, MOST = 6, 120


@dataclass(frozen=True)
class Force:
    """An army of the library: its file, title, side, rules, and the rows of its units."""

    path: Path
    title: str
    side: str
    rules: str
    units: tuple[Row, ...]

    @property
    def name(self) -> str:
        """The name by which it is asked for."""
        return self.path.stem


@cache
def forces() -> tuple[Force, ...]:
    """Return the armies that come with the program and are complete in themselves, by rule set."""
    data = installed.installed_data()
    paths = sorted((data / "armies").glob("*/*.yaml")) if data is not None else []
    armies = [force for path in paths if (force := _of(path)) is not None]
    order = list(rule_set.NAMES)
    return tuple(sorted(armies, key=lambda force: (order.index(force.rules), force.path.name)))


def opened(word: str) -> Force:
    """Return an army by its name in the library or from a file; BadQuestion or Unreadable if there is none."""
    by_name = {force.name: force for force in forces()}
    if word in by_name:
        return by_name[word]
    path = Path(word)
    if path.suffix not in (".yaml", ".yml"):
        raise BadQuestion(f"there is no army '{word}'; there are: {', '.join(by_name)}; or name an army's file")
    wrong = read_file(path).wrong
    if wrong:
        raise Unreadable(wrong)
    force = _of(path)
    if force is None:
        raise BadQuestion(f"{path} is no army that stands by itself; name an army file with at least {FEW} units")
    return force


def _of(path: Path) -> Force | None:
    try:
        data = named_files.read(path).data
        if not isinstance(data, Mapping) or data.get("format") != "tabletop-army/1" or "joins" in data:
            return None
        rows = tuple(dict(row) for row in data["units"])
        fighters = [row for row in rows if row["troop"] not in PERSONS]
        force = Force(path, str(data["title"]), str(data["side"]), str(data["rules"]), rows)
    except (TabletopError, KeyError, TypeError):
        return None
    return force if len(fighters) >= FEW and _on_land(force.rules) else None


def _on_land(rules: str) -> bool:
    """Return whether a rule set has troops on foot, as there are no quick battles for ships."""
    if rules not in rule_set.NAMES:
        return False
    record = rule_set.find(rules)
    return any(record.looks.figure(troop) is Figure.FOOT for troop in record.vocabulary["troop"])


# --- made ready ------------------------------------------------------------------------------------------------------


def ready(force: Force, points: float | None = None) -> tuple[Row, ...]:
    """Return the rows of an army for a new battle: no places, no losses; cut or filled to ``points`` if given."""
    rules = rule_set.find(force.rules)
    rows = [free_row(row, rules) for row in force.units if not _carried(row, rules)]
    if points is None:
        return tuple(rows)
    if not LEAST <= points <= MOST:
        raise BadQuestion(f"an army of {points:g} points cannot be made; give from {LEAST} to {MOST}")
    return tuple(_to_points(rows, points, rules))


def _carried(row: Row, rules: RuleSet) -> bool:
    """Return whether a unit is only baggage."""
    return rules.looks.figure(str(row["troop"])) is Figure.WAGON


def free_row(row: Row, rules: RuleSet) -> Row:
    """Return the row of a unit without a place, in a formation in which it can be deployed."""
    unplaced = {key: value for key, value in row.items() if key not in PLACES}
    if unplaced["troop"] in PERSONS:
        return unplaced
    if unplaced.get("formation") in (*rules.looks.unready, None):
        unplaced = {key: value for key, value in unplaced.items() if key not in ("formation", "front")}
        unplaced |= next(form for form in _forms(rules) if mustered({**unplaced, **form}, rules) is not None)
    return unplaced


def _forms(rules: RuleSet) -> Iterator[dict[str, Any]]:
    yield from ({"formation": form} for form in rules.vocabulary["formation"] if form not in rules.looks.unready)


def mustered(row: Row, rules: RuleSet, at: tuple[float, float] = (0.0, 0.0), facing: float = 0.0) -> Unit | None:
    """Return the unit of a row at a place, None if its rules refuse it."""
    values: dict[str, Any] = {"side": "side", **row, "at": at, "facing": facing}
    for _ in range(2):
        try:
            return rules.muster(values, rules.ruling_values())
        except MusterError as error:
            if error.key != "facing" or "facing" not in values:
                return None
            values.pop("facing")
    return None


# --- points ----------------------------------------------------------------------------------------------------------


@cache
def _values() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("values.toml").read_text("utf-8"))


def points_of(row: Row, rules: RuleSet) -> float:
    """Return the points of a unit: its bases weighted by arm and quality; 0 for generals.

    >>> from tabletop.rules import rule_set
    >>> row = {"id": "a", "troop": "infantry", "quality": "veteran", "bases": 4, "formation": "deployed"}
    >>> points_of(row, rule_set.find("tse"))
    5.0
    """
    if row["troop"] in PERSONS:
        return 0.0
    unit, values = mustered(row, rules), _values()
    arm = next((worth for word, worth in values["arms"].items() if word in row["troop"]), values["base"])
    quality = next((worth for word, worth in values["quality"].items() if word in str(row.get("quality", ""))), 1.0)
    return float(arm * quality * (1 if unit is None else len(unit.bases)))


def total(rows: Sequence[Row], rules: RuleSet) -> float:
    """Return the points of an army."""
    return sum(points_of(row, rules) for row in rows)


def _to_points(rows: Sequence[Row], points: float, rules: RuleSet) -> list[Row]:
    """Return units of all arms in turn until the points are spent, with duplicates once all units are included."""
    fighters = _in_turn([row for row in rows if row["troop"] not in PERSONS])
    chosen: list[Row] = []
    points_left = points
    for again in range(1, 20):
        for row in fighters:
            worth = points_of(row, rules)
            if worth <= points_left + worth / 2:
                chosen.append(row if again == 1 else _second(row, again))
                points_left -= worth
            if points_left <= 0:
                break
        if points_left <= min(points_of(row, rules) for row in fighters) / 2:
            break
    parents = {row.get("parent") for row in chosen}
    generals = [row for row in rows if row["troop"] in PERSONS]
    chain = set(parents)
    for _ in generals:
        chain |= {row.get("parent") for row in generals if row["id"] in chain}
    commanders = [row for row in generals if row["id"] in chain or row.get("parent") in chain or not chain - {None}]
    return [*commanders, *chosen]


def _in_turn(rows: Sequence[Row]) -> list[Row]:
    """Return units ordered so that any first part of the list has roughly the army's own proportions of arms."""
    arms: dict[str, list[Row]] = {}
    for row in rows:
        arms.setdefault(str(row["troop"]), []).append(row)
    placed = [((k + 0.5) / len(own), name, row) for name, own in arms.items() for k, row in enumerate(own)]
    return [row for _, _, row in sorted(placed, key=lambda item: item[:2])]


def _second(row: Row, again: int) -> Row:
    name = str(row.get("name", row["id"]))
    return {**row, "id": f"{row['id']}-{again}", "name": f"{name} ({again})"}


# --- distinct ids ----------------------------------------------------------------------------------------------------


def with_distinct_ids(first: Force, second: Force) -> tuple[Force, Force]:
    """Return two armies whose sides and units have different ids; BadQuestion if they are of two rule sets."""
    if first.rules != second.rules:
        raise BadQuestion(f"{first.title} and {second.title} are of different rules; choose two armies of the same")
    if first.side == second.side:
        second = replace(second, side=f"{second.side}-2")
    used_ids = {row["id"] for row in first.units}
    again = {row["id"]: f"{row['id']}-b" for row in second.units if row["id"] in used_ids}
    if again:
        rows = [_renamed(row, again) for row in second.units]
        second = replace(second, units=tuple(rows))
    return first, second


def _renamed(row: Row, again: Mapping[str, str]) -> Row:
    ids = {key: again.get(row[key], row[key]) for key in ("id", "parent") if key in row}
    return {**row, **ids}
