"""The question ``breakthrough``: may cavalry that has beaten one enemy this turn go on and assault another?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

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
from tabletop.rules.tse.assault.support import supporters_of
from tabletop.rules.tse.fire.arc import arc_shapes
from tabletop.rules.tse.morale.effects import driven
from tabletop.rules.tse.morale.fall_back import fallback


@dataclass(frozen=True)
class Start:
    """Where a breakthrough starts: the battle with the unit in contact, and the rest of its reach.

    ``reasons`` are for and against starting at all; ``assumed`` means the question did not say how far the beaten enemy
    was driven back.
    """

    battle: Battle
    left: float
    reasons: tuple[Reason, ...] = ()
    assumed: bool = False


def breakthrough(battle: Battle, request: Request) -> Verdict:
    """Answer ``breakthrough A B --after C``: may A, having beaten C this turn, go on and assault B (TSE-ASL-70..73)?

    A assaults C from where both stand, and breaks through from contact with the reach that is left (option ``delayed``:
    of half its reach). C is out of the way or, with the option ``distance``, stands where it falls back to. B may be C
    itself (TSE-ASL-71); without a distance C is then driven back by the shortest one in the model. In a saved game that
    is waiting for this decision, A already stands in contact.

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("breakthrough", ("west-column", "east-line"), {"after": "west-line"})
    >>> verdict = breakthrough(open_battle("front-or-flank"), request)
    >>> verdict.holds, verdict.because[0].text
    (False, 'only cavalry breaks through')
    """
    start = _start(battle, request)
    unit, target = (start.battle.unit(name) for name in request.args)
    if target.is_general or target.side == unit.side:
        text = "generals cannot be assaulted" if target.is_general else f"{target.called} is on the same side"
        reason = Reason("TSE-ASL-82", False, text, feature=target.id)
        return Verdict("breakthrough", request.args, battle.rules, False, because=(reason,), options=request.options)
    if request.brief:
        return Verdict("breakthrough", request.args, battle.rules, _holds(start, request), options=request.options)
    if start.assumed:
        start = replace(start, reasons=(*start.reasons, _driven_farther(battle, request)))
    return _verdict(start, unit, target, request)


def breakthrough_facts(battle: Battle, request: Request, wanted: Collection[str]) -> dict[str, bool]:
    """Return the wanted facts by name: whether it ``holds``, and whether the target is ``supported`` (TSE-ASL-40).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("breakthrough", ("west-column", "east-line"), {"after": "west-line"})
    >>> breakthrough_facts(open_battle("front-or-flank"), request, ("holds", "supported"))
    {'supported': False, 'holds': False}
    """
    if "holds" not in wanted and _nobody_supports(battle, request):
        return {"supported": False}
    start = _start(battle, request)
    unit, target = (start.battle.unit(name) for name in request.args)
    if target.is_general or target.side == unit.side:
        return {"holds": False}
    facts: dict[str, bool] = {}
    if "supported" in wanted:
        support, _ = breakthrough_support(start.battle, unit, target, start.left)
        facts |= {"supported": not support.holds} if support.rule == "TSE-ASL-40" else {}
    if "holds" in wanted:
        facts["holds"] = _holds(start, request)
    return facts


def _nobody_supports(battle: Battle, request: Request) -> bool:
    """Return whether the target has no support wherever A starts from, since none of its friends is driven back."""
    unit, target = (battle.unit(name) for name in request.args)
    stay = request.options.get("distance") is None and request.options.get("after") not in (None, target.id)
    return stay and target.side != unit.side and not supporters_of(battle, target)


def _holds(start: Start, request: Request) -> bool:
    unit, target = request.args
    return all(start.reasons) and breakthrough_of(start.battle, unit, target, start.left) is not None


def _start(battle: Battle, request: Request) -> Start:
    """Return where the unit starts from; BadQuestion if the request does not name the enemy it has beaten."""
    name, _ = request.args
    waiting = next((d for d in battle.pending if d.kind == BREAKTHROUGH and d.unit == name), None)
    if waiting is not None:
        return Start(battle, float(waiting.data["left"]))
    after = request.options.get("after")
    if after is None:
        raise BadQuestion(f"name the enemy that '{name}' has beaten this turn: --after UNIT")
    return _after(battle, battle.unit(name), battle.unit(str(after)), request)


def _after(battle: Battle, unit: Unit, beaten: Unit, request: Request) -> Start:
    """Return the start after an assault on one enemy, which is gone or stands where it was driven."""
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, and generals do not assault; ask for a unit")
    if beaten.is_general:
        raise BadQuestion(f"'{beaten.id}' is a general, and generals cannot be assaulted; name a unit: --after UNIT")
    delayed, again = bool(request.options.get("delayed")), beaten.id == request.args[1]
    first, reasons = chosen_assault(battle, unit, beaten, delayed)
    contact = battle.with_unit(first.ended)
    reach_left = left_over(battle, unit, first.path, first.reach or 0.0, target=beaten)
    if not (all(reasons) and assaultable(battle, unit, beaten, delayed)):
        why = next((f": {reason.text}" for reason in reasons if not reason.holds), "")
        text = f"{unit.called} may not assault {beaten.called} in the first place{why}"
        after_assault = contact if again else contact.without(beaten.id)
        return Start(after_assault, reach_left, (Reason("TSE-ASL-70", False, text, feature=beaten.id),))
    stated_distance = request.options.get("distance")
    if stated_distance is None and not again:
        return Start(contact.without(beaten.id), reach_left)
    distance = float(stated_distance) if stated_distance is not None else min(driven(battle, beaten).values())
    after_assault, reason = _driven(contact, first, beaten, distance, again)
    return Start(after_assault, reach_left, (reason,), assumed=stated_distance is None)


def _driven(contact: Battle, first: Assault, beaten: Unit, distance: float, again: bool) -> tuple[Battle, Reason]:
    """Return the battle with the beaten enemy driven back or removed, and the reason saying which (TSE-INV-03)."""
    options = {"from": first.unit.id, "distance": distance, "assault": True, "away": first.path.facing}
    fall = fallback(contact, Request("fallback", (beaten.id,), options))
    far = f"driven back {distance:g} {contact.table.unit}"
    if fall.holds:
        x, y = fall.measured["at"]
        after_assault = contact.with_unit(beaten.moved(x - beaten.at[0], y - beaten.at[1]))
        may = ", may be chosen again" if again else ""
        return after_assault, Reason("TSE-ASL-71", True, f"{beaten.called}, {far}{may}", distance, feature=beaten.id)
    text = f"{beaten.called} cannot be {far}: it {fall.measured['result'].replace('leaves', 'leaves the table')}"
    rule = fall.because[0].rule
    reason = Reason(rule, not again, text, distance, feature=beaten.id)
    return (contact if again else contact.without(beaten.id)), reason


def _driven_farther(battle: Battle, request: Request) -> Reason:
    """Return a reason saying what the answer would be if the beaten enemy were driven back the model's longest way."""
    beaten = battle.unit(request.args[1])
    most = max(driven(battle, beaten).values())
    farther = replace(request, options={**request.options, "distance": most})
    could = "could" if _holds(_start(battle, farther), farther) else "could not"
    text = f"had it been driven back {most:g} {battle.table.unit}, it {could} be; say how far it went (distance)"
    return Reason("TSE-ASL-71", True, text, most, feature=beaten.id)


def _verdict(start: Start, unit: Unit, target: Unit, request: Request) -> Verdict:
    battle, reach_left = start.battle, start.left
    path = breakthrough_path(battle, unit, target)
    one = Assault(battle, unit, target, path)
    support, instead = breakthrough_support(battle, unit, target, reach_left)
    faults = (
        *start.reasons,
        *_room(reach_left, battle),
        *breakthrough_faults(battle, unit, target, reach_left, path),
        support,
    )
    reasons, holds = against_first(faults), all(faults)
    way = line_shape("path" if holds else "blocked", (path.start, path.end), f"{one.price.total:.2f}")
    shapes = (*arc_shapes(battle, unit, target), *shapes_of("target", target.footprint), way, *ghosts(unit.bases))
    measured = {
        "left": reach_left,
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
    """Yield how much of its reach the first assault left (TSE-ASL-70)."""
    yield Reason("TSE-ASL-70", True, f"its first assault leaves it {left:.2f} {battle.table.unit} of its reach", left)
