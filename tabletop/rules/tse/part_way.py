"""Part of the way: how far a unit gets along the way it planned when its move turns out to be shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tabletop.geometry.motion import Pivot, Shift, Step, Straight
from tabletop.geometry.verdict import Reason
from tabletop.rules.tse.going import Going, going
from tabletop.rules.tse.movement import faults

#: How near to an obstacle a search comes, in table units at scale 1.
CLOSE = 1 / 1024
#: Steps back, in table units at scale 1, in looking for a place to stop that no friend stands on.
BACK = 0.125


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
    return _free(planned, lengths, spent, allowed)


def cut(planned: Going, lengths: Sequence[float], gone: float, allowed: float) -> Going:
    """Return the going that breaks off after ``gone`` of the way, turns counted as they are charged."""
    steps: list[Step] = []
    for step, length in zip(planned.steps, lengths, strict=True):
        if gone <= 0.0:
            break
        steps.append(step if gone >= length else _part(step, gone / length))
        gone -= length
    return replace(going(planned.battle, planned.before, planned.start, planned.action, steps), allowed=allowed)


def _lengths(planned: Going) -> list[float]:
    """Return what each step is charged, terrain left out: a turn the arc of the outer corner, none along a road."""
    return [sweep.charge for sweep in planned.motion.tracks[0]]


def _part(step: Step, share: float) -> Step:
    if isinstance(step, Pivot):
        return replace(step, degrees=step.degrees * share)
    if isinstance(step, Straight):
        return Straight(step.length * share)
    return Shift(step.dx * share, step.dy * share)


def _free(planned: Going, lengths: Sequence[float], spent: float, allowed: float) -> Going:
    """Return the going up to ``spent``, or back to the last place before it where it may stop.

    What forbids to come so far forbids to go farther, so that is searched for by halves; friends in the way may be
    passed, so for a place among them the way is gone back step by step.
    """
    clear = _last(planned, lengths, (0.0, spent), allowed, _in_the_way)
    step, taken = BACK * planned.battle.scale, clear
    while clear > 0.0 and faults(cut(planned, lengths, clear, allowed)):
        taken, clear = clear, max(0.0, clear - step)
    return cut(planned, lengths, _last(planned, lengths, (clear, taken), allowed, faults), allowed)


def _in_the_way(going: Going) -> Sequence[Reason]:
    """Return what forbids a going other than friends where it ends (TSE-MOV-15, TSE-MOV-17, TSE-MOV-21)."""
    return [reason for reason in faults(going) if reason.rule != "TSE-MOV-16"]


def _last(
    planned: Going,
    lengths: Sequence[float],
    between: tuple[float, float],
    allowed: float,
    against: Callable[[Going], Sequence[Reason]],
) -> float:
    """Return how far between two places of the way nothing is ``against`` it; the nearer one is taken as free."""
    low, high = between
    if low == high or not against(cut(planned, lengths, high, allowed)):
        return high
    while high - low > CLOSE * planned.battle.scale:
        middle = (low + high) / 2
        if against(cut(planned, lengths, middle, allowed)):
            high = middle
        else:
            low = middle
    return low
