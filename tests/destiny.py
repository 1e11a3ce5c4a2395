"""Small battles of Destiny for the tests: millimetres, French blue from the south, Prussian red from the north."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Told
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.engine import Step, submit
from tabletop.rules.destiny.rule_set import RULES

FORMATIONS = {"infantry": "line", "cavalry": "line", "artillery": "unlimbered"}


def unit(
    name: str, side: str = "blue", troop: str = "infantry", /, marks: Mapping[str, Any] | None = None, **keys: Any
) -> Unit:
    """Return a unit: French line infantry for blue, Prussian for red, unless said; a general has just a place."""
    entry: dict[str, Any] = {"id": name, "side": side, "troop": troop, **keys}
    if "front_mid" not in keys:
        entry.setdefault("at", [500, 300])
    if troop not in ("general", "staff-officer"):
        nation = "french" if side == "blue" else "prussian"
        usual = f"{nation}-line" if troop == "infantry" else nation
        arm = troop.rsplit("-", 1)[-1]
        facing = 0 if side == "blue" else 180
        entry = {"quality": usual, "formation": FORMATIONS[arm], "facing": facing, **entry}
    found = RULES.muster(entry, RULES.ruling_values())
    return replace(found, marks=dict(marks or {}))


def battle(
    *units: Unit,
    terrain: Sequence[Terrain] = (),
    phase: str = "movement",
    side: str = "blue",
    turn: int = 1,
    **rulings: Any,
) -> Battle:
    """Return a battle in the middle of a phase; blue is always first, its edge the southern one."""
    table = Table.of("mm", 1000, 800, terrain)
    made = Battle.of("destiny", table, units, RULES.ruling_values(rulings))
    options = {"edge": {"blue": "south", "red": "north"}}
    setup = Setup(sides=("blue", "red"), attacker="blue", turns=10, options=options)
    return replace(made, setup=setup, clock=Clock(turn, phase, side))


def action(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> Action:
    """Return an action of the side to move."""
    return Action(kind, str(scene.clock.side), name, target, options)


def done(
    scene: Battle,
    kind: str,
    name: str | None = None,
    target: str | None = None,
    *,
    numbers: Sequence[int] = (),
    **options: Any,
) -> Step:
    """Return what comes of an action with these numbers in thousandths; every one of them must be thrown."""
    script = Numbers([*map(float, numbers)])
    step = submit(scene, action(scene, kind, name, target, **options), script)
    assert not script.script, f"not thrown: {script.script}; thrown for: {script.thrown}"
    return step


class Numbers(ScriptedDice):
    """Numbers in thousandths as written; once they have run out everybody throws 0.500."""

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        return 1 + super().die(purpose, sides, cuts) if self.script else 501


def told(step: Step, what: str) -> dict[str, Any]:
    """Return what was put on record first under a heading."""
    return next(dict(event.values) for event in step.events if isinstance(event, Told) and event.what == what)
