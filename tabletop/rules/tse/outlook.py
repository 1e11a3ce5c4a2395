"""What a unit may look forward to from where it stands, for who weighs up an action by one look ahead.

Ground to take, shots and assaults it may make, those it may suffer, all by the exact odds of the model but measured by
centre-points and the middle of the front, quickly and roughly. Nothing here judges anything: every action is still put
to the one law before it is taken.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources

from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import bearing, turn_between
from tabletop.rules.tse import calculator
from tabletop.rules.tse.model_data import Effects, Fact, Step
from tabletop.rules.tse.odds_boxes import assault_box, fire_box
from tabletop.rules.tse.shot import band_of
from tabletop.rules.tse.tables import length, troop
from tabletop.rules.tse.worth import suffered

_Worth = Callable[[Battle, Unit, Unit, float], float]

#: Degrees either side of straight ahead that a front's arc opens.
HALF_ARC = 45.0
#: Half a base's frontage, inches.
HALF_BASE = 0.5
#: Combat values kept; unlike pairs of units are few.
MOST_KEPT = 20_000

_kept: dict[tuple[object, ...], float] = {}


@cache
def weights() -> Mapping[str, float]:
    """Return the weights, read once."""
    text = resources.files("tabletop.rules.tse").joinpath("outlook.toml").read_text("utf-8")
    return {name: float(value) for name, value in tomllib.loads(text)["weights"].items()}


def outlook(battle: Battle, unit: Unit) -> float:
    """Return what standing here promises a unit, in bases: ground, its own shots and assaults, less its dangers."""
    if unit.is_general:
        return _leading(battle, unit)
    w, enemies = weights(), battle.enemies(unit)
    shot = max((_faded(battle, unit, e, shot_worth, _range(unit)) for e in enemies), default=0.0)
    assault = max((_faded(battle, unit, e, assault_worth, _reach(unit)) for e in enemies), default=0.0)
    dangers = sum(
        max(_faded(battle, e, unit, shot_worth, _range(e)), _faded(battle, e, unit, assault_worth, _reach(e)))
        for e in enemies
    )
    return _ground(battle, unit) + w["shot"] * shot + w["assault"] * assault - w["danger"] * dangers


def eagerness(battle: Battle, units: Iterable[Unit]) -> float:
    """Return how much a group has to do: what its best shot or assault promises, and how near the enemy is."""
    found = 0.0
    for unit in units:
        enemies = battle.enemies(unit)
        if unit.is_general or not enemies:
            continue
        best = max(_faded(battle, unit, e, shot_worth, _range(unit)) for e in enemies)
        gap = min(math.dist(unit.at, e.at) for e in enemies)
        found = max(found, best - weights()["lead"] * gap)
    return found


# --- ground, generals ------------------------------------------------------------------------------------------------


def _ground(battle: Battle, unit: Unit) -> float:
    """Return what ground worth holding promises: the best piece not held, and a share of the best that is."""
    w, best = weights(), {True: 0.0, False: 0.0}
    for objective in battle.setup.objectives:
        held = objective.holder == unit.side
        gap = max(0.0, math.dist(unit.at, objective.at) - objective.radius)
        worth = (w["guarded"] if held else w["ground"]) * objective.points
        best[held] = max(best[held], worth * w["ground_fades"] ** (gap / battle.scale))
    return (best[True] + best[False]) if unit.status != "demoralized" else 0.0


def _leading(battle: Battle, general: Unit) -> float:
    """Return what a general's place is worth: units of his within command, no enemy near enough to run him over."""
    w, command = weights(), length("command") * battle.scale
    near = sum(math.dist(u.at, general.at) <= command for u in battle.friends(general))
    threatened = any(math.dist(e.at, general.at) <= _reach(e) * battle.scale for e in battle.enemies(general))
    return w["command"] * near - (w["overrun"] if threatened else 0.0)


# --- shots and assaults ----------------------------------------------------------------------------------------------


def _range(unit: Unit) -> float:
    return 0.0 if unit.status == "demoralized" else troop(unit.troop).range or 0.0


def _reach(unit: Unit) -> float:
    return 0.0 if unit.is_general or unit.status == "demoralized" else troop(unit.troop).assault_reach or 0.0


def _faded(battle: Battle, unit: Unit, target: Unit, worth: _Worth, reach: float) -> float:
    """Return what a unit may do to a target from here: less the farther beyond its reach, less when it must turn."""
    if reach <= 0.0:
        return 0.0
    gap = _gap(unit, target) / battle.scale
    found = max(0.0, worth(battle, unit, target, min(gap, reach)))
    faded: float = found * weights()["fades"] ** max(0.0, gap - reach)
    return faded * (1.0 if _ahead(unit, target) else weights()["aside"])


def _gap(unit: Unit, target: Unit) -> float:
    """Return roughly how far a target is from the middle of a unit's front: to the nearest of its bases."""
    x, y = unit.front_mid
    nearest = min(math.dist(b.centre, (x, y)) for b in target.bases)
    return max(0.0, nearest - HALF_BASE)


def _ahead(unit: Unit, target: Unit) -> bool:
    if unit.formation == "square":
        return True
    (x, y), (tx, ty) = unit.front_mid, target.at
    return abs(turn_between(unit.facing, bearing(tx - x, ty - y))) <= HALF_ARC


def shot_worth(battle: Battle, unit: Unit, target: Unit, gap: float) -> float:
    """Return what a shot in the open is worth on average, at so many inches."""
    action = "deployed-fire" if unit.formation == "deployed" else "advancing-fire"
    band = band_of(battle, gap * battle.scale)
    if band is None or unit.formation == "march-column":
        return 0.0
    key = ("shot", action, band, *_sort(unit), *_sort(target))
    if key not in _kept:
        form = {
            **_sides(unit, target),
            "range": band,
            "odds": fire_box(unit.strength, target.strength),
        }
        facts = calculator.fire_facts(action, form)
        _keep(key, sum(p * _loss(target, s.target) for p, s in _steps("fire", facts)))
    return _kept[key]


def assault_worth(battle: Battle, unit: Unit, target: Unit, gap: float) -> float:
    """Return what an assault in the open is worth on average to who makes it."""
    frontal = _ahead(target, unit)
    key = ("assault", frontal, *_sort(unit), *_sort(target))
    if key not in _kept:
        form = {
            **_sides(unit, target),
            "odds": assault_box(unit.strength, target.strength, str(battle.rulings["assault_ratio"])),
            "target_demoralized": target.status == "demoralized",
            "frontal": frontal,
            "countercharge": False,
            "supported": False,
        }
        courses = every_course(lambda chance: calculator.assaulted(form, chance))
        worth = sum(p * (suffered(target, t.target)[0] - suffered(unit, t.actor)[0]) for p, t in courses)
        _keep(key, worth)
    return _kept[key]


def _steps(stage: calculator.Stage, facts: Mapping[str, Fact]) -> Iterable[tuple[float, Step]]:
    return zip(calculator.outcome_odds(stage, facts), calculator.ladder_of(stage).steps, strict=True)


def _loss(unit: Unit, effects: Effects) -> float:
    return suffered(unit, (effects,))[0]


def _sides(unit: Unit, target: Unit) -> dict[str, str | bool]:
    return {
        "actor": f"{unit.quality} {unit.troop}" if unit.quality else unit.troop,
        "target": f"{target.quality} {target.troop}" if target.quality else target.troop,
        "target_formation": target.formation,
        "cover": "none",
        "actor_disordered": unit.status != "ok",
        "target_disordered": target.status != "ok",
    }


def _sort(unit: Unit) -> tuple[object, ...]:
    """Return all of a unit that its odds depend on."""
    started = unit.marks.get("started", unit.strength)
    return unit.troop, unit.quality, unit.strength, started, unit.status, unit.formation


def _keep(key: tuple[object, ...], worth: float) -> None:
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[key] = worth
