"""Part of the way: how far a unit gets along the way it planned when its move turns out to be shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tabletop.geometry.motion import Pivot, Shift, Step, Straight
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.movement.legality import at_the_end, faults, on_the_way, setting_out
from tabletop.rules.tse.movement.motion import Going, going, motion_of

#: How near to an obstacle a search comes, in table units at scale 1.
CLOSE = 1 / 1024
#: Least steps back, in table units at scale 1, in looking for a place to stop that no friend stands on.
BACK = 1 / 16


def as_far_as(planned: Going, allowed: float) -> Going:
    """Return the going along the planned way as far as ``allowed`` (inches of base move) lets it, stopping legally.

    The whole way where it is paid for; else up to the point where the price is spent (exactly: without tolerance), or,
    where a friend stands there, back to the last place that is free (TSE-ORD-05, TSE-ACT-21, TSE-MOV-16). A leg or a
    turn is broken off in the middle. Where the planned way itself becomes forbidden it stops before; where it may not
    even begin, the going returned is as illegal as that.
    """
    whole, lengths = replace(planned, allowed=allowed), _lengths(planned)
    paid = planned.battle.tape.at_most(planned.price.total, allowed)
    if paid and not faults(whole):
        return whole
    spent = sum(lengths) if paid else planned.toll.affordable(allowed)
    free = _free(planned, lengths, spent)
    steps = _cut(planned, lengths, free)
    return replace(going(planned.battle, planned.before, planned.start, planned.action, steps), allowed=allowed)


def _lengths(planned: Going) -> list[float]:
    """Return what each step is charged, terrain left out: a turn the arc of the outer corner, none along a road."""
    return [sweep.charge for sweep in planned.motion.tracks[0]]


def _cut(planned: Going, lengths: Sequence[float], gone: float) -> list[Step]:
    """Return the steps that break off after ``gone`` of the way, turns counted as they are charged."""
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


def _free(planned: Going, lengths: Sequence[float], spent: float) -> float:
    """Return how far of ``spent`` the way is gone, so as to stop where it may.

    What forbids to come so far forbids to go farther, so that is searched for by halves. Friends in the way may be
    passed: from a place among them the way is gone back by as much as it stands in them, which skips no free place.
    """

    def gone_to(gone: float) -> Going:
        """A part of the way, its price left out: it is paid."""
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
    """Return how far between two places of the way nothing is ``against`` it; the nearer one is taken as free."""
    if low == high or not against(high):
        return high
    while high - low > close:
        middle = (low + high) / 2
        if against(middle):
            high = middle
        else:
            low = middle
    return low
