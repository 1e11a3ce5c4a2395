"""Part of a planned move: how far a unit gets when its allowance turns out to be smaller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tabletop.geometry.movement.motion import Pivot, Shift, Step, Straight
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.movement.legality import at_the_end, faults, on_the_way, setting_out
from tabletop.rules.tse.movement.motion import PlannedMove, motion_of, planned_move

#: Resolution of the search for the last legal position, in table units at scale 1.
CLOSE = 1 / 1024
#: Shortest step back, in table units at scale 1, in the search for a position clear of friends.
BACK = 1 / 16


def as_far_as(planned: PlannedMove, allowed: float) -> PlannedMove:
    """Return a planned move cut to what ``allowed`` (table units of cost) pays for, ending legally.

    The whole move if that is paid for; else up to where ``allowed`` is spent (exactly, without tolerance), or back to
    the last free position if a friend stands there (TSE-ORD-05, TSE-ACT-21, TSE-MOV-16). A leg or a turn may be broken
    off midway. The move stops before the planned one becomes illegal; one that may not even begin stays illegal.

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
    """Return the cost of each step without terrain; a turn costs the outer corner's arc, or nothing along a road."""
    return [sweep.charge for sweep in planned.motion.tracks[0]]


def _cut(planned: PlannedMove, lengths: Sequence[float], gone: float) -> list[Step]:
    """Return the steps up to ``gone`` of the move, with turns counted by their cost."""
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
    """Return how far, up to ``spent``, the move can go and end legally.

    What forbids a move forbids every longer one, so the limit is found by bisection. Friends may be passed, so from a
    position among them the search steps back by the depth of overlap, which skips no free position.
    """

    def gone_to(gone: float) -> PlannedMove:
        """Return the first part of the move; its cost is already paid, so it is not recomputed."""
        motion = motion_of(planned.battle, planned.start, planned.action, _cut(planned, lengths, gone))
        return replace(planned, motion=motion)

    if setting_out(planned):
        return 0.0
    close = CLOSE * planned.battle.scale
    clear = blocked = _last(0.0, spent, lambda gone: on_the_way(gone_to(gone)), close)
    while clear > 0.0 and (friends := at_the_end(gone_to(clear))):
        deep = max(reason.measured or 0.0 for reason in friends)
        blocked, clear = clear, max(0.0, clear - max(deep, BACK * planned.battle.scale))
    return _last(clear, blocked, lambda gone: at_the_end(gone_to(gone)), close)


def _last(low: float, high: float, against: Callable[[float], Sequence[Reason]], close: float) -> float:
    """Return by bisection the farthest length with nothing ``against`` it, from ``low`` (taken as free) to ``high``."""
    if low == high or not against(high):
        return high
    while high - low > close:
        middle = (low + high) / 2
        if against(middle):
            high = middle
        else:
            low = middle
    return low
