"""Part of a planned move: how far a unit gets when its allowance turns out to be smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tabletop.geometry.movement.motion import Pivot, Shift, Step, Straight
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.movement.legality import at_the_end, faults, on_the_way, setting_out
from tabletop.rules.tse.movement.motion import PlannedMove, motion_of, planned_move

#: Resolution of the search for the last legal place, in table units at scale 1.
CLOSE = 1 / 1024
#: Least step back, in table units at scale 1, in the search for a place clear of friends.
BACK = 1 / 16


def as_far_as(planned: PlannedMove, allowed: float) -> PlannedMove:
    """Return a planned move cut to what ``allowed`` (table units of cost) pays for, ending legally.

    All of it if that is paid for; else up to where ``allowed`` is spent (exactly, without tolerance), or, if a friend
    stands there, back to the last free place (TSE-ORD-05, TSE-ACT-21, TSE-MOV-16). A leg or a turn may be broken
    off in the middle. Where the planned move itself becomes illegal it stops before; a move that may not even begin is
    returned as illegal as it is.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of, along
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> plan = along(battle, unit, action_of(unit, "maneuver"), [(unit.at[0], 12.0)], None)
    >>> round(as_far_as(plan, 2.0).price.total, 6)
    2.0
    """
    whole, lengths = replace(planned, allowed=allowed), _lengths(planned)
    paid = planned.battle.tape.at_most(planned.price.total, allowed)
    if paid and not faults(whole):
        return whole
    spent = sum(lengths) if paid else planned.toll.affordable(allowed)
    free = _free(planned, lengths, spent)
    steps = _cut(planned, lengths, free)
    return replace(planned_move(planned.battle, planned.before, planned.start, planned.action, steps), allowed=allowed)


def _lengths(planned: PlannedMove) -> list[float]:
    """Return the cost of each step without terrain: of a turn the arc of the outer corner, none along a road."""
    return [sweep.charge for sweep in planned.motion.tracks[0]]


def _cut(planned: PlannedMove, lengths: Sequence[float], gone: float) -> list[Step]:
    """Return the steps broken off after ``gone`` of the move, turns counted by their cost."""
    steps: list[Step] = []
    for step, length in zip(planned.steps, lengths, strict=True):
        if gone <= 0.0:
            break
        steps.append(step if gone >= length else _part(step, gone / length))
        gone -= length
    return steps


def _part(step: Step, share: float) -> Step:
    if isinstance(step, Pivot):
        return replace(step, degrees=step.degrees * share)
    if isinstance(step, Straight):
        return Straight(step.length * share)
    return Shift(step.dx * share, step.dy * share)


def _free(planned: PlannedMove, lengths: Sequence[float], spent: float) -> float:
    """Return how far up to ``spent`` the move goes so as to end legally.

    What forbids a move forbids every longer one, so the limit is found by bisection. Friends may be passed: from a
    place among them the search steps back by as much as the unit overlaps them, which skips no free place.
    """

    def gone_to(gone: float) -> PlannedMove:
        """Return the first part of the move; its cost is not recomputed, since it is paid."""
        motion = motion_of(planned.battle, planned.start, planned.action, _cut(planned, lengths, gone))
        return replace(planned, motion=motion)

    if setting_out(planned):
        return 0.0
    close = CLOSE * planned.battle.scale
    clear = taken = _last(0.0, spent, lambda gone: on_the_way(gone_to(gone)), close)
    while clear > 0.0 and (friends := at_the_end(gone_to(clear))):
        deep = max(reason.measured or 0.0 for reason in friends)
        taken, clear = clear, max(0.0, clear - max(deep, BACK * planned.battle.scale))
    return _last(clear, taken, lambda gone: at_the_end(gone_to(gone)), close)


def _last(low: float, high: float, against: Callable[[float], Sequence[Reason]], close: float) -> float:
    """Return by bisection the farthest place from ``low``, taken as free, to ``high`` with nothing ``against`` it."""
    if low == high or not against(high):
        return high
    while high - low > close:
        middle = (low + high) / 2
        if against(middle):
            high = middle
        else:
            low = middle
    return low
