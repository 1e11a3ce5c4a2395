"""Small battles of Realm of Chance for the tests: millimetres, blue from the south, red from the north."""

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
from tabletop.play.engine import Step, judge, submit
from tabletop.rules.realm_of_chance.rule_set import RULES

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
    made = Battle.of("realm-of-chance", table, units, RULES.ruling_values(rulings))
    options = {"edge": {"blue": "south", "red": "north"}}
    setup = Setup(sides=("blue", "red"), attacker="blue", turns=10, options=options)
    return replace(made, setup=setup, clock=Clock(turn, phase, side))


def allowed(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> bool:
    """Return whether the side to move may do this."""
    return judge(scene, action(scene, kind, name, target, **options)).holds


def why(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> set[str]:
    """Return the ids of the rules that forbid this."""
    verdict = judge(scene, action(scene, kind, name, target, **options))
    return {reason.rule for reason in verdict.because if not reason.holds}


def action(scene: Battle, kind: str, name: str | None, target: str | None, **options: Any) -> Action:
    return Action(kind, str(scene.clock.side), name, target, options)


def done(
    scene: Battle,
    kind: str,
    name: str | None = None,
    target: str | None = None,
    *,
    dice: Sequence[int] = (),
    **options: Any,
) -> Step:
    """Return what comes of an action with these faces; every one of them must be thrown."""
    script = Faces([*map(float, dice)])
    step = submit(scene, action(scene, kind, name, target, **options), script)
    assert not script.script, f"not thrown: {script.script}; thrown for: {script.thrown}"
    return step


class Faces(ScriptedDice):
    """Faces as written; once they have run out everybody throws ones."""

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        return super().die(purpose, sides, cuts) if self.script else 1


def told(step: Step, what: str) -> dict[str, Any]:
    """Return what was put on record first under a heading."""
    return next(dict(event.values) for event in step.events if isinstance(event, Told) and event.what == what)
