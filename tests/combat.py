"""Combat for tests: a scene ready to be played, and chance that does as it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Told
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.play import engine
from tabletop.rules.tse.calculator import model
from tabletop.rules.tse.calculator.calculator import ladder_of
from tests.field import Field

FIELD = Field()
#: Which ladder, or which list of outcomes in ascending order, a purpose of chance draws from.
STAGES = {"fire": "fire", "defensive fire": "defence", "assault": "melee"}
OUTCOMES: dict[str, Sequence[str]] = {
    "orders": model.ORDERS,
    "army morale": model.MORALE,
    "overrun": model.OVERRUN,
    "emergency square": ("no", "yes"),
    "regroup": model.REGROUPED,
}
#: What chance brings where nothing is wished for; the best there is (the last) of everything else.
USUAL = {"orders": "received", "emergency square": "no", "defensive fire": "goes on"}


@dataclass
class Fate:
    """Chance that brings the outcomes named, by purpose; the usual one where none is named.

    ``wishes`` are by purpose ("fire", "defensive fire", "assault", "orders", ...); a list is worked off one by one.
    """

    wishes: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        raise AssertionError(f"no die is thrown in these rules, but one was for {purpose}")

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        self.asked.append((purpose, tuple(probabilities)))
        kind = purpose.split(":")[0]
        names = [step.name for step in ladder_of(STAGES[kind]).steps] if kind in STAGES else OUTCOMES[kind]  # type: ignore[arg-type]
        wish = self.wishes.get(kind, USUAL.get(kind))
        if isinstance(wish, list):
            wish = wish.pop(0)
        number = list(names).index(wish) if wish is not None else len(probabilities) - 1
        assert probabilities[number] > 0.0, f"{wish} cannot happen"
        return number, sum(probabilities[:number]) + probabilities[number] / 2

    def chances(self, purpose: str) -> list[tuple[float, ...]]:
        """Return the probabilities chance was asked with for a purpose, one after another."""
        return [odds for name, odds in self.asked if name.split(":")[0] == purpose]


def scene(*things: Unit | Terrain, side: str = "blue", options: dict[str, Any] | None = None, **rulings: Any) -> Battle:
    """Return a battle in its first turn in which everybody of ``side`` without a parent may act.

    Two far brigades a side keep an army from breaking over a single loss.
    """
    far = [
        FIELD.unit(f"{name}-far{k}", side=name, at=(x, y), formation="deployed", facing=facing, parent="rear")
        for name, y, facing in (("blue", -35.0, 0), ("red", 35.0, 180))
        for k, x in enumerate((-30.0, 0.0, 30.0))
    ]
    battle = FIELD.battle(*things, *far, **rulings)
    setup = Setup(sides=("blue", "red"), attacker="blue", options=options or {})
    return replace(battle, setup=setup, clock=Clock(1, "acting", side, f"{side} troops"))


def do(battle: Battle, kind: str, unit: str, target: str, fate: dict[str, Any] | Fate | None = None) -> engine.Step:
    """Return what comes of a shot or an assault with chance as told."""
    chance = fate if isinstance(fate, Fate) else Fate(fate or {})
    return engine.submit(battle, Action(kind, battle.unit(unit).side, unit, target), chance)


def reply(battle: Battle, choice: str, fate: dict[str, Any] | Fate | None = None) -> engine.Step:
    """Return what comes of answering the pending decision."""
    chance = fate if isinstance(fate, Fate) else Fate(fate or {})
    return engine.submit(battle, answer(battle.pending[0].side, choice), chance)


def told(events: Sequence[Event], what: str) -> Told:
    """Return what was put on record under a name."""
    return next(event for event in events if isinstance(event, Told) and event.what == what)


def against(battle: Battle, kind: str, unit: str, target: str) -> set[str]:
    """Return the rules that forbid a shot or an assault; empty when it is allowed."""
    verdict = engine.judge(battle, Action(kind, battle.unit(unit).side, unit, target))
    rules = {reason.rule for reason in verdict.because if not reason.holds}
    assert verdict.holds == (not rules)
    return rules
