"""Small battles of the Ages' family for the tests: millimetres, blue from the south, red from the north."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Told
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.engine import Step, judge, submit
from tabletop.rules.rule_set import RuleSet

FORMATIONS = {"infantry": "line", "cavalry": "line", "artillery": "unlimbered"}


class Numbers(ScriptedDice):
    """Numbers in thousandths as written; once they have run out everybody throws 0.500."""

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        return 1 + super().die(purpose, sides, cuts) if self.script else 501


class Faces(ScriptedDice):
    """Faces as written; once they have run out everybody throws ones."""

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        return super().die(purpose, sides, cuts) if self.script else 1


@dataclass(frozen=True)
class Builder:
    """Builds battles of one rule set: the nation of each side, the usual class of its infantry, how it throws."""

    rules: RuleSet
    nations: Mapping[str, str]
    usual: str = "line"
    throws: type[ScriptedDice] = Numbers

    def unit(
        self, name: str, side: str = "blue", troop: str = "infantry", /, marks: Mapping[str, Any] | None = None,
        **keys: Any,
    ) -> Unit:  # fmt: skip
        """Return a unit: usual infantry of the side's nation unless said; a general has just a place."""
        entry: dict[str, Any] = {"id": name, "side": side, "troop": troop, **keys}
        if "front_mid" not in keys:
            entry.setdefault("at", [500, 300])
        if troop not in ("general", "staff-officer"):
            nation = self.nations[side]
            quality = f"{nation}-{self.usual}" if troop == "infantry" else nation
            facing = 0 if side == "blue" else 180
            entry = {
                "quality": quality,
                "formation": FORMATIONS[troop.rsplit("-", 1)[-1]],
                "facing": facing,
                **entry,
            }
        found = self.rules.muster(entry, self.rules.ruling_values())
        return replace(found, marks=dict(marks or {}))

    def battle(
        self, *units: Unit, terrain: Sequence[Terrain] = (), phase: str = "movement", side: str = "blue",
        turn: int = 1, options: Mapping[str, Any] | None = None, **rulings: Any,
    ) -> Battle:  # fmt: skip
        """Return a battle in the middle of a phase; blue is always first, its edge the southern one."""
        table = Table.of("mm", 1000, 800, terrain)
        made = Battle.of(self.rules.name, table, units, self.rules.ruling_values(rulings))
        chosen = {"edge": {"blue": "south", "red": "north"}, **(options or {})}
        setup = Setup(sides=("blue", "red"), attacker="blue", turns=10, options=chosen)
        return replace(made, setup=setup, clock=Clock(turn, phase, side))

    def done(
        self, scene: Battle, kind: str, name: str | None = None, target: str | None = None, *,
        numbers: Sequence[int] = (), **options: Any,
    ) -> Step:  # fmt: skip
        """Return what comes of an action with these throws; every one of them must be made."""
        script = self.throws([*map(float, numbers)])
        step = submit(scene, action(scene, kind, name, target, **options), script)
        assert not script.script, f"not thrown: {script.script}; thrown for: {script.thrown}"
        return step


def action(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> Action:
    """Return an action of the side to move."""
    return Action(kind, str(scene.clock.side), name, target, options)


def allowed(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> bool:
    """Return whether the side to move may do this."""
    return judge(scene, action(scene, kind, name, target, **options)).holds


def why(scene: Battle, kind: str, name: str | None = None, target: str | None = None, **options: Any) -> set[str]:
    """Return the ids of the rules that forbid this."""
    verdict = judge(scene, action(scene, kind, name, target, **options))
    return {reason.rule for reason in verdict.because if not reason.holds}


def told(step: Step, what: str) -> dict[str, Any]:
    """Return what was put on record first under a heading."""
    return next(dict(event.values) for event in step.events if isinstance(event, Told) and event.what == what)
