"""Positions to play from, by name: scenarios that come with the program, and generated ones ("tse:17")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Setup
from tabletop.errors import Unreadable
from tabletop.play.files.load import load_scene, load_scene_data
from tests.games.positions_at_sea import sail
from tests.games.positions_in_mm import destiny, glaube, gloire, in_crisis, realm_of_chance, reason

ROOT = Path(__file__).parents[2]
#: Turns of a generated game, and of a scenario that does not say.
TURNS = 6
#: Units a side up to which a scenario is small.
SMALL = 6


@cache
def scenarios() -> tuple[str, ...]:
    """Return the scenarios that come with the program, as paths from the project's folder; the disputes left out."""
    found = (ROOT / "scenarios").glob("*/*.yaml")
    return tuple(sorted(str(path.relative_to(ROOT)) for path in found))


@cache
def small() -> tuple[str, ...]:
    """Return the scenarios with no more than six units a side."""
    return tuple(name for name in scenarios() if max(_sizes(position(name))) <= SMALL)


def _sizes(battle: Battle) -> list[int]:
    everybody = [u for u in (*battle.units, *battle.awaited) if not u.is_general]
    return [sum(u.side == side for u in everybody) for side in {u.side for u in everybody}]


def position(name: str) -> Battle:
    """Return the battle laid out: a scenario by its path, or the generated one "rules:number"."""
    if ":" in name:
        rules, number = name.split(":")
        return _limited(generated(rules, int(number)))
    return _limited(_loaded(name))


@cache
def _loaded(name: str) -> Battle:
    return load_scene(ROOT / name)


def _limited(battle: Battle) -> Battle:
    return battle if battle.setup.turns else replace(battle, setup=replace(battle.setup, turns=TURNS))


def generated(rules: str, number: int) -> Battle:
    """Return generated position ``number`` of a rule set: the first draw from its seed that can be laid out."""
    for attempt in range(100):
        data = GENERATORS[rules](Random(f"{rules} {number} {attempt}"))
        if rules in HOSTS and number % 3 == 1:
            data = in_crisis(data, number)
        try:
            battle = load_scene_data(data, ROOT)
        except Unreadable:
            continue
        return replace(battle, setup=Setup(turns=TURNS, options=battle.setup.options))
    raise AssertionError(f"no position {rules}:{number} can be laid out")


# --- There Stand Empires ---------------------------------------------------------------------------------------------

QUALITIES = ("elite", "veteran", "average", "poor")
KINDS = ("woods", "town", "hill", "rough", "lake", "stream", "wall", "road", "marsh", "hedge")
FOOT = ("infantry", "infantry", "infantry")
GUNS = ("light-foot-artillery", "horse-artillery", "heavy-foot-artillery")
HORSE = ("light-cavalry", "heavy-cavalry")


def tse(random: Random) -> dict[str, Any]:
    """Return a scene of There Stand Empires drawn at random, as data; not each can be laid out."""
    size = (random.choice((24, 30, 36)), random.choice((20, 24, 30)))
    terrain = [_piece(random, size, k) for k in range(random.randrange(7))]
    units: list[dict[str, Any]] = []
    for side, south in (("blue", True), ("red", False)):
        units += _division(random, size, side, south)
    rulings = {"scale": 1}
    return {
        "format": "tabletop-scene/1",
        "title": "generated",
        "rules": "tse",
        "rulings": rulings,
        "table": {"unit": "in", "width": size[0], "height": size[1]},
        "terrain": terrain,
        "units": units,
    }


def _piece(random: Random, size: tuple[int, int], k: int) -> dict[str, Any]:
    kind = random.choice(KINDS)
    x, y = random.uniform(3, size[0] - 3), random.uniform(3, size[1] - 3)
    if kind in ("stream", "wall", "road", "hedge"):
        line = [[round(x, 2), round(y, 2)], [round(x + random.uniform(-9, 9), 2), round(y + random.uniform(-9, 9), 2)]]
        return {"id": f"{kind}-{k}", "kind": kind, "line": line}
    box = [round(random.uniform(1.5, 7), 2), round(random.uniform(1.5, 5), 2)]
    piece = {"id": f"{kind}-{k}", "kind": kind, "at": [round(x, 2), round(y, 2)], "size": box}
    return {**piece, "facing": random.randrange(0, 180, 15), **({"level": 1} if kind == "hill" else {})}


def _division(random: Random, size: tuple[int, int], side: str, south: bool) -> list[dict[str, Any]]:
    count = random.randint(1, SMALL)
    y = random.uniform(3, size[1] / 2 - 2)
    y = y if south else size[1] - y
    facing = 0 if south else 180
    general: dict[str, Any] = {"id": f"{side}-general", "side": side, "troop": "general", "rank": "division"}
    general["at"] = [round(size[0] / 2, 2), round(1.0 if south else size[1] - 1.0, 2)]
    rows = [general]
    for k in range(count):
        x = (k + 0.5) * size[0] / count + random.uniform(-0.5, 0.5)
        rows.append(
            _unit(random, f"{side}-{k + 1}", side, [round(x, 2), round(y + random.uniform(-1.5, 1.5), 2)], facing)
        )
    return rows


def _unit(random: Random, name: str, side: str, at: list[float], facing: int) -> dict[str, Any]:
    troop = random.choice(FOOT + GUNS[:1] + HORSE + ("transport",) * (random.random() < 0.1) + GUNS)
    row: dict[str, Any] = {
        "id": name,
        "side": side,
        "troop": troop,
        "parent": f"{side}-general",
        "at": at,
        "facing": facing,
    }
    if troop in GUNS:
        return {**row, "bases": random.choice((1, 1, 2)), "formation": random.choice(("deployed", "maneuver-column"))}
    if troop == "transport":
        return {**row, "bases": 2, "formation": "march-column"}
    formations = ["deployed", "maneuver-column", "maneuver-column", "march-column"]
    formations += ["square"] if troop == "infantry" else []
    row |= {"bases": random.randint(2, 6), "quality": random.choice(QUALITIES), "formation": random.choice(formations)}
    if random.random() < 0.15:
        row["status"] = random.choice(("disordered", "demoralized"))
    if troop == "infantry" and random.random() < 0.15:
        row["linear"] = True
    return row


#: Rule sets of whose generated positions every third has the crisis of morale of Sauve qui peut.
HOSTS = ("realm-of-chance", "destiny", "reason", "gloire", "glaube")
GENERATORS: Mapping[str, Callable[[Random], dict[str, Any]]] = {
    "realm-of-chance": realm_of_chance,
    "destiny": destiny,
    "reason": reason,
    "gloire": gloire,
    "glaube": glaube,
    "tse": tse,
    "sail": sail,
}
