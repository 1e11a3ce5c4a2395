"""What the program works out at once beside the plain loop a textbook has for it: advances, views, verdicts.

Only the full sweep of tests asks for these: they hold the pace of what has no peer that is always installed. Each loop
answers the same question; where many thousands would be asked it is put to a part of them, told by the question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.bulk import Race, kernels, race
from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_contact import advance_until, table_until
from tabletop.geometry.movement.advance_cost import farthest, rays
from tabletop.geometry.movement.advances import Heads, advances, turned
from tabletop.geometry.movement.move_context import MoveContext, Node, directions_of
from tabletop.geometry.movement.reach import explored
from tabletop.geometry.shapes import joined
from tabletop.geometry.sight.field_of_view import ground_seen, seen_from
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.terrain import Table

#: Directions of a fan of advances.
FAN = 240


# --- moves and views -------------------------------------------------------------------------------------------------


def fan_of(context: MoveContext, n: int = FAN) -> Heads:
    """Return directions all round out of where a unit forms."""
    return Heads((Node.first(context),), np.zeros(n, int), np.linspace(0.0, 2 * math.pi, n, endpoint=False))


def advances_one_by_one(context: MoveContext, heads: Heads) -> np.ndarray:
    """Return how far each advance goes (negative: nowhere), past all there is."""
    starts, u = heads.starts(context), directions_of(heads.bearings)
    return np.array([_advance(context, heads, k, starts[[k]], u[[k]]) for k in range(len(heads.of))])


def _advance(context: MoveContext, heads: Heads, k: int, start: np.ndarray, u: np.ndarray) -> float:
    node, bearing, half = heads.nodes[heads.of[k]], heads.bearings[[k]], context.files.half
    free = context.forms(bearing) if node.facing is None else context.may_turn(node.at, node.facing, bearing)
    (spent,) = turned(context, [node], bearing)
    left = context.budget - spent.plain
    if not free[0] or left < 0.0:
        return -1.0
    cap = min(left, table_until(start[0], u, half, context.room, context.pad)[0])
    cap = min(cap, advance_until(start[0], u, half, context.keep, left)[0])
    (ray,) = rays(context.files, context.ground, start, u, np.array([max(cap, 1e-6)]))
    return farthest(ray, spent, context.files, context.budget, cap)


def race_advances(context: MoveContext) -> Race:
    """A fan of straight advances, wheels charged, an advance: beside one after another."""
    whole, part = fan_of(context), fan_of(context, FAN // 10)
    return race(lambda: advances(context, whole), FAN, lambda: advances_one_by_one(context, part), len(part.of))


def race_turning_block(make: Callable[[], MoveContext]) -> Race:
    """The whole reach of a unit, wheels charged: with kernels beside without."""
    return with_and_without(lambda: explored(make()))


def race_front(table: Table, eyes: Sequence[Point], law: SightLaw) -> Race:
    """The ground a whole front sees: beside what its eyes see, one after the other, joined."""
    return race(
        lambda: ground_seen(table, eyes, law), 1, lambda: joined([seen_from(table, eye, law) for eye in eyes]), 1
    )


def with_and_without(call: Callable[[], Any], times: int = 1) -> Race:
    """What a call takes with kernels, and without them."""

    def ask(used: bool) -> None:
        with kernels(used):
            for _ in range(times):
                call()

    return race(lambda: ask(True), times, lambda: ask(False), times)


# --- verdicts --------------------------------------------------------------------------------------------------------


def verdict_by_every_ruling(battle: Battle, question: str, args: Sequence[str], options: dict[str, Any]) -> set[str]:
    """Return the rulings another value of which turns an answer, each of those of the question tried."""
    from tabletop.judge import ask
    from tabletop.rules import rule_set

    holds, found = ask(battle, question, args, options).holds, set()
    for ruling in rule_set.find(battle.rules).rulings.values():
        others = [v for v in ruling.values if v != battle.rulings[ruling.name] and question in ruling.questions]
        answers = [ask(battle.with_ruling(ruling.name, value), question, args, options).holds for value in others]
        if any(answer != holds for answer in answers):
            found.add(ruling.name)
    return found


def race_verdicts(load: Callable[[], Battle], requests: Sequence[dict[str, Any]], rounds: int = 6) -> Race:
    """Verdicts with the rulings they turn on, without margins: beside the question put again under every ruling.

    Each round has requests of its own, for what was answered once is remembered; and each way a table of its own.
    """
    from tabletop.judge import judge

    ours, theirs = load(), load()
    size = len(requests) // (rounds + 1)
    some, same = (iter([requests[k * size : (k + 1) * size] for k in range(rounds + 1)]) for _ in range(2))

    def at_once() -> None:
        for r in next(some):
            judge(ours, r["question"], r["args"], {**r.get("options", {}), "margin": False})

    def by_every_ruling() -> None:
        for r in next(same):
            verdict_by_every_ruling(theirs, r["question"], r["args"], r.get("options", {}))

    return race(at_once, size, by_every_ruling, size, rounds)
