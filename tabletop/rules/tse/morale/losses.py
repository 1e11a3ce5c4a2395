"""Closing up: how a unit stands after losing bases."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.layout import column, ranks
from tabletop.geometry.measure import Point
from tabletop.rules.tse.movement.formation import align_of, base_size, ranks_of
from tabletop.rules.tse.movement.layouts import default_front, layout_of, legal_fronts, limber_gap, ranks_fault


def after_losses(battle: Battle, unit: Unit, lost: int, attacker: Point | None = None) -> Unit:
    """Return ``unit`` without ``lost`` bases, in the same formation and facing (TSE-FRM-40, TSE-UNI-02).

    A maneuver column loses its last rank first and closes up about the middle of its front. A march column loses its
    tail. A line loses the end farthest from ``attacker`` while the other bases stay. A square forms again round its
    centre. ValueError if no base would be left.
    """
    if not 0 <= lost < unit.strength:
        raise ValueError(f"{unit.id} has {unit.strength} bases and cannot go on without {lost}")
    if lost == 0:
        return unit
    closers: dict[str, Callable[[Battle, Unit, int, Point | None], Unit]] = {
        "deployed": _line,
        "maneuver-column": _column,
        "march-column": _file,
        "square": _square,
    }
    return closers[unit.formation](battle, unit, unit.strength - lost, attacker)


def _line(battle: Battle, unit: Unit, left: int, attacker: Point | None) -> Unit:
    """Return the line without bases, dropped one by one from the end farther from the attacker (the right if tied)."""
    indices = list(range(unit.strength))
    while len(indices) > left:
        far = [math.dist(unit.bases[i].centre, attacker) if attacker else 0.0 for i in (indices[0], indices[-1])]
        indices.pop(0 if far[0] > far[1] + battle.tape.t else -1)
    bases = tuple(unit.bases[i] for i in indices)
    reference = min(range(left), key=lambda i: abs(indices[i] - unit.reference))
    base = bases[reference]
    facing = base.facing if isinstance(base, Base) else unit.facing
    return replace(unit, bases=bases, front_bases=tuple(range(left)), reference=reference, facing=facing)


def _column(battle: Battle, unit: Unit, left: int, attacker: Point | None) -> Unit:
    """Return the column without its last bases; if the ranks left are not legal, in legal ranks."""
    sizes = _without(ranks_of(unit), unit.strength - left)
    if ranks_fault(unit.troop, left, sizes) is not None:
        narrower = [f for f in legal_fronts(unit.troop, left) if f <= (unit.front or left)]
        front = max(narrower, default=default_front(unit.troop, left))
        sizes = ranks(left, front) or (front,)
    gap = limber_gap(unit.troop, unit.formation, base_size(unit)[1], battle.rulings)
    layout = column(sizes, *base_size(unit), gap, align_of(unit))
    bases = layout.by_front(unit.front_mid, unit.facing)
    return _closed(unit, bases, layout.front, sizes[0])


def _without(sizes: Sequence[int], lost: int) -> tuple[int, ...]:
    """Return ranks without ``lost`` bases, taken from the last rank, then from the one before it."""
    remaining_ranks = list(sizes)
    while lost and remaining_ranks:
        removed = min(lost, remaining_ranks[-1])
        remaining_ranks[-1] -= removed
        lost -= removed
        if not remaining_ranks[-1]:
            remaining_ranks.pop()
    return tuple(remaining_ranks)


def _file(battle: Battle, unit: Unit, left: int, attacker: Point | None) -> Unit:
    return _closed(unit, unit.bases[:left], (0,), unit.front)


def _square(battle: Battle, unit: Unit, left: int, attacker: Point | None) -> Unit:
    layout = layout_of("square", left, base_size(unit))
    reference = min(unit.reference, left - 1)
    bases = layout.about_centre(unit.at, unit.facing, reference)
    return _closed(unit, bases, layout.front, unit.front)


def _closed(unit: Unit, bases: Sequence[AnyBase], fronts: tuple[int, ...], front: int | None) -> Unit:
    reference = min(unit.reference, len(bases) - 1)
    return replace(unit, bases=tuple(bases), front_bases=fronts, front=front, reference=reference)
