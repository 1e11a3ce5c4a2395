"""The expected value of a shot or an assault between two units, cached because few different pairs occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course
from tabletop.battle.unit import Unit
from tabletop.rules.tse.calculator import calculator
from tabletop.rules.tse.calculator.model_data import Fact
from tabletop.rules.tse.calculator.outnumbering import assault_box, fire_box
from tabletop.rules.tse.computer.unit_value import suffered
from tabletop.rules.tse.fire.resolve import named
from tabletop.rules.tse.fire.shot import band_of

#: Size of the cache.
MOST_KEPT = 50_000

_kept: dict[tuple[object, ...], float] = {}


def shot_worth(
    battle: Battle, unit: Unit, target: Unit, gap: float, cover: str = "none", advancing: bool = False
) -> float:
    """Return the expected value of a shot at ``gap`` inches, in bases; ``advancing`` if it follows a deployment."""
    band = band_of(battle, gap * battle.scale)
    if band is None or unit.formation == "march-column":
        return 0.0
    action = "deployed-fire" if unit.formation == "deployed" and not advancing else "advancing-fire"
    key = (action, band, cover, *_sort(unit), *_sort(target))
    return _cached(key, lambda: _shot(action, unit, target, band, cover))


def _shot(action: str, unit: Unit, target: Unit, band: str, cover: str) -> float:
    form = {**_sides(unit, target, cover), "range": band, "odds": fire_box(unit.strength, target.strength)}
    facts: Mapping[str, Fact] = calculator.fire_facts(action, form)
    chances = calculator.outcome_odds("fire", facts)
    steps = calculator.ladder_of("fire").steps
    return sum(p * suffered(target, (step.target,))[0] for p, step in zip(chances, steps, strict=True))


def assault_worth(battle: Battle, unit: Unit, target: Unit, frontal: bool, cover: str = "none") -> float:
    """Return the expected value of an assault to the assaulter, in bases."""
    ratio = str(battle.rulings["assault_ratio"])
    key = ("assault", frontal, ratio, cover, *_sort(unit), *_sort(target))
    return _cached(key, lambda: _assault(unit, target, frontal, ratio, cover))


def _assault(unit: Unit, target: Unit, frontal: bool, ratio: str, cover: str) -> float:
    form = {
        **_sides(unit, target, cover),
        "odds": assault_box(unit.strength, target.strength, ratio),
        "target_demoralized": target.status == "demoralized",
        "frontal": frontal,
        "countercharge": False,
        "supported": False,
    }
    courses = every_course(lambda chance: calculator.assaulted(form, chance))
    return sum(p * (suffered(target, t.target)[0] - suffered(unit, t.actor)[0]) for p, t in courses)


def _sides(unit: Unit, target: Unit, cover: str) -> dict[str, str | bool]:
    return {
        "actor": named(unit),
        "target": named(target),
        "target_formation": target.formation,
        "cover": cover,
        "actor_disordered": unit.status != "ok",
        "target_disordered": target.status != "ok",
    }


def _sort(unit: Unit) -> tuple[object, ...]:
    """Return the properties of a unit that its odds depend on."""
    started = unit.marks.get("started", unit.strength)
    return unit.troop, unit.quality, unit.strength, started, unit.status, unit.formation


def _cached(key: tuple[object, ...], make: Callable[[], float]) -> float:
    if key not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = make()
    return _kept[key]
