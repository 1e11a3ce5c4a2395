"""Small battles of Age of Sail for the tests: blue and red ships on a sea of 100 by 80 cm, the wind as it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Told
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.play.engine import Step, judge, submit
from tabletop.rules.rule_set import Request
from tabletop.rules.sail.phases import SAILING
from tabletop.rules.sail.rule_set import RULES


def ship(name: str, side: str = "blue", at: tuple[float, float] = (50, 40), facing: float = 0.0, **keys: Any) -> Unit:
    """Return a ship of the line with all its boxes; ``keys`` of a file's entry, and marks that differ."""
    entry = {"id": name, "side": side, "troop": "ship-of-the-line", "at": at, "facing": facing}
    entry |= {key: keys.pop(key) for key in ("troop", "quality", "status") if key in keys}
    found = RULES.muster(entry, RULES.ruling_values())
    return replace(found, marks={**found.marks, **keys})


def battle(
    *ships: Unit,
    wind: float = 180.0,
    speed: int = 4,
    phase: str = SAILING,
    side: str = "blue",
    terrain: Sequence[Terrain] = (),
    **rulings: Any,
) -> Battle:
    """Return a battle in round 1 of 9, in a phase of a side; the wind comes from ``wind`` at ``speed``."""
    table = Table.of("cm", 100.0, 80.0, terrain)
    found = Battle.of("sail", table, ships, RULES.ruling_values(rulings))
    memory = {"wind": {"from": float(wind), "speed": speed}, "order": ("blue", "red")}
    setup = Setup(sides=("blue", "red"), turns=9)
    return replace(found, setup=setup, clock=Clock(1, phase, side), memory=memory)


def done(scene: Battle, kind: str, unit: str | None = None, target: str | None = None, dice: Sequence[int] = (), **options: Any) -> Step:  # fmt: skip  # noqa: E501
    """Do an action with these dice; a 1 for any beyond them."""
    return submit(scene, act(scene, kind, unit, target, **options), ScriptedDice(list(dice), rest=1))


def act(scene: Battle, kind: str, unit: str | None = None, target: str | None = None, **options: Any) -> Action:
    """Return an action of the side to move; ``aim`` is the option ``as``."""
    if "aim" in options:
        options["as"] = options.pop("aim")
    return Action(kind, str(scene.clock.side), unit, target, options)


def refused(scene: Battle, kind: str, unit: str, target: str | None = None, **options: Any) -> set[str]:
    """Return the rules that forbid an action."""
    return {reason.rule for reason in judge(scene, act(scene, kind, unit, target, **options)).against}


def told(step: Step, what: str) -> dict[str, Any]:
    """Return the values of the first record of this name among the events of a step."""
    return dict(next(e.values for e in step.events if isinstance(e, Told) and e.what == what))


def boxes(found: Unit) -> tuple[int, int, tuple[int, ...], int]:
    """Return the boxes left of a ship: port, starboard, masts, hull."""
    return found.marks["port"], found.marks["starboard"], tuple(found.marks["masts"]), found.marks["hull"]


def ask(scene: Battle, question: str, *names: str, **options: Any) -> Verdict:
    """Return the verdict on a question, margins left out."""
    return RULES.questions[question].answer(scene, Request(question, names, options))
