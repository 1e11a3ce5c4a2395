"""The question ``breakthrough``: may cavalry that has beaten one enemy this turn go on and assault another?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import ghosts, line_shape, shapes_of
from tabletop.geometry.verdict import Reason, Verdict, against_first, features_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.breakthrough import BREAKTHROUGH
from tabletop.rules.tse.assault.calculator_form import (
    breakthrough_faults,
    breakthrough_of,
    breakthrough_path,
    breakthrough_support,
)
from tabletop.rules.tse.assault.charge import left_over
from tabletop.rules.tse.assault.judge import Assault, assaultable, chosen_assault, pose_values
from tabletop.rules.tse.fire.arc import arc_shapes


@dataclass(frozen=True)
class Start:
    """Where a breakthrough starts: the battle with the unit in contact, what is left of its reach, and why if not."""

    battle: Battle
    left: float
    against: tuple[Reason, ...] = ()


def breakthrough(battle: Battle, request: Request) -> Verdict:
    """Answer ``breakthrough A B --after C``: may A, having beaten C this turn, go on and assault B (TSE-ASL-70..73)?

    A assaults C from where both stand; it starts from contact, C out of the way, with what that path left of its reach
    (option ``delayed``: of half its reach). In a saved game that waits for this very decision A stands there already.
    """
    start = _start(battle, request)
    unit, target = (start.battle.unit(name) for name in request.args)
    if target.is_general or target.side == unit.side:
        what = "generals cannot be assaulted" if target.is_general else f"{target.called} is on the same side"
        reason = Reason("TSE-ASL-82", False, what, feature=target.id)
        return Verdict("breakthrough", request.args, battle.rules, False, because=(reason,), options=request.options)
    if request.brief:
        holds = not start.against and breakthrough_of(start.battle, unit.id, target.id, start.left) is not None
        return Verdict("breakthrough", request.args, battle.rules, holds, options=request.options)
    return _verdict(start, unit, target, request)


def breakthrough_facts(battle: Battle, request: Request, wanted: Collection[str]) -> dict[str, bool]:
    """Return by name whether it holds, and whether the target is ``supported`` (TSE-ASL-40): those that are wanted."""
    start = _start(battle, request)
    unit, target = (start.battle.unit(name) for name in request.args)
    if target.is_general or target.side == unit.side:
        return {"holds": False}
    facts: dict[str, bool] = {}
    if "supported" in wanted:
        support, _ = breakthrough_support(start.battle, unit, target, start.left)
        facts |= {"supported": not support.holds} if support.rule == "TSE-ASL-40" else {}
    if "holds" in wanted:
        assaults = breakthrough_of(start.battle, unit.id, target.id, start.left)
        facts["holds"] = not start.against and assaults is not None
    return facts


def _start(battle: Battle, request: Request) -> Start:
    """Return where the unit starts from; BadQuestion where nobody is named whom it has beaten."""
    name, other = request.args
    waiting = next((d for d in battle.pending if d.kind == BREAKTHROUGH and d.unit == name), None)
    if waiting is not None:
        return Start(battle, float(waiting.data["left"]))
    after = request.options.get("after")
    if after is None:
        raise BadQuestion(f"name the enemy that '{name}' has beaten this turn: --after UNIT")
    if after == other:
        raise BadQuestion(
            f"'{after}' has been driven off, nobody knows where to: move it there and '{name}' into contact, and ask "
            f"'assault {name} {after}'"
        )
    return _after(battle, battle.unit(name), battle.unit(str(after)), bool(request.options.get("delayed")))


def _after(battle: Battle, unit: Unit, beaten: Unit, delayed: bool) -> Start:
    """Return the start after an assault on one enemy, who is gone."""
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, and generals do not assault; ask for a unit")
    if beaten.is_general:
        raise BadQuestion(f"'{beaten.id}' is a general, and generals cannot be assaulted; name a unit: --after UNIT")
    first, reasons = chosen_assault(battle, unit, beaten, delayed)
    there = battle.with_unit(first.ended).without(beaten.id)
    left = left_over(battle, unit, first.path, first.reach or 0.0, target=beaten)
    if assaultable(battle, unit, beaten, delayed):
        return Start(there, left)
    why = next((f": {reason.text}" for reason in reasons if not reason.holds), "")
    text = f"{unit.called} may not assault {beaten.called} in the first place{why}"
    return Start(there, left, (Reason("TSE-ASL-70", False, text, feature=beaten.id),))


def _verdict(start: Start, unit: Unit, target: Unit, request: Request) -> Verdict:
    battle, left = start.battle, start.left
    path = breakthrough_path(battle, unit, target)
    one = Assault(battle, unit, target, path)
    support, instead = breakthrough_support(battle, unit, target, left)
    faults = (*start.against, *_room(left, battle), *breakthrough_faults(battle, unit, target, left, path), support)
    reasons, holds = against_first(faults), all(faults)
    way = line_shape("path" if holds else "blocked", (path.start, path.end), f"{one.price.total:.2f}")
    shapes = (*arc_shapes(battle, unit, target), *shapes_of("target", target.footprint), way, *ghosts(unit.bases))
    measured = {
        "left": left,
        "cost": one.price.total,
        "path": [list(path.start), list(path.end)],
        "heading": path.facing,
        "start": pose_values(unit),
        "contact": pose_values(one.ended),
        "gap": one.contact.gap,
        "instead": list(instead),
    }
    return Verdict(
        "breakthrough",
        request.args,
        battle.rules,
        holds,
        measured,
        reasons,
        witness=(path.start, path.end) if holds else None,
        blockers=features_of(reason for reason in reasons if not reason.holds),
        options=request.options,
        shapes=shapes,
    )


def _room(left: float, battle: Battle) -> Iterator[Reason]:
    """Yield what the first assault left of the reach (TSE-ASL-70)."""
    yield Reason("TSE-ASL-70", True, f"its first assault leaves it {left:.2f} {battle.table.unit} of its reach", left)
