"""The directions to try: farthest advances from given places, in every direction that matters.

These are evenly spaced directions, and both sides of every direction in which the side of a strip just passes a corner
no farther away than the neighbouring advances go: there the farthest advance may jump. Between neighbours that differ
further directions are inserted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.movement.advances import Advances, Heads, advances
from tabletop.geometry.movement.bearing_index import begins
from tabletop.geometry.movement.move_context import MoveContext, Node

#: Degrees between evenly spaced advances, and (radians) how far to each side of a jump the advance is tried again.
SPACING = 3.0
STEPS = round(360.0 / SPACING)
BESIDE = 1e-4
#: Rounds of inserting advances between neighbours that differ, and how close together (radians) they may be left.
ROUNDS = 1
CLOSE = math.radians(0.3)
#: A corner ahead by no more than this (table units) beyond the end of an advance counts as in its way.
ROUNDING = 1e-3
EVENLY = np.radians(np.arange(0.0, 360.0, SPACING))


def _even(context: MoveContext, node: Node) -> np.ndarray:
    """Return evenly spaced bearings; for a node with a facing also that, and only those the budget lets it turn to."""
    bearings, half = EVENLY, context.files.half
    if node.facing is None or half == 0.0 or context.free_turns:
        return np.asarray(bearings)
    bearings = np.append(bearings, node.facing % (2 * math.pi))
    most = (context.budget - node.cost) / half
    if most < math.pi:
        turn = np.abs(np.remainder(bearings - node.facing + math.pi, 2 * math.pi) - math.pi)
        bearings = np.concatenate([bearings[turn < most], [node.facing + most * 0.999, node.facing - most * 0.999]])
    return np.asarray(np.unique(np.round(bearings % (2 * math.pi), 9)))


@dataclass(frozen=True)
class _Jumps:
    """Where advances from nodes may jump: the node, the bearing, and how far ahead the corner that causes it lies."""

    of: np.ndarray
    bearings: np.ndarray
    ahead: np.ndarray

    def taken(self, chosen: np.ndarray) -> _Jumps:
        return _Jumps(self.of[chosen], self.bearings[chosen], self.ahead[chosen])


def _jumps(context: MoveContext, nodes: Sequence[Node]) -> _Jumps:
    """Return the bearings on both sides of every jump, and a lower bound on how far ahead its corner lies."""
    files, corners = context.files, context.corners
    at, left = np.array([node.at for node in nodes]), np.array([context.budget - node.cost for node in nodes])
    free = np.array([node.facing is None for node in nodes])
    dx, dy = (corners.points[:, axis] - at[:, axis, None] for axis in (0, 1))
    away, span = np.hypot(dx, dy), left * files.cost_model.road + context.offset + files.half
    aside = away > corners.half_width
    ahead = np.nonzero(aside & (away <= span[:, None] + corners.room))
    behind = np.nonzero(aside & corners.follows & (away < math.hypot(files.back, files.half)))
    of, k = (np.concatenate(both) for both in zip(ahead, behind, strict=True))
    back = np.arange(len(of)) >= len(ahead[0])
    far, half_width = away[of, k], corners.half_width[k]
    side, middle = np.arcsin(half_width / far), np.arctan2(dx[of, k], dy[of, k])
    far = np.where(back, -math.inf, far * np.cos(side) - half_width - context.offset * free[of])
    low, high, hard = (middle - side) + math.pi * back, (middle + side) + math.pi * back, corners.hard[k]
    of, far = (np.concatenate([column, column[hard]] * 2) for column in (of, far))
    bearings = np.concatenate([side for end in (low, high) for side in (end - BESIDE * hard, end[hard] + BESIDE)])
    jumps = _Jumps(of, bearings % (2 * math.pi), far)
    if files.half == 0.0 or context.free_turns:
        return jumps
    facing = np.array([float(node.facing or 0.0) for node in nodes])[of]
    turn = np.abs(np.remainder(jumps.bearings - facing + math.pi, 2 * math.pi) - math.pi)
    return jumps.taken(free[of] | (turn < (left / files.half)[of]))


def outward(context: MoveContext, nodes: Sequence[Node], toward: Sequence[np.ndarray | None]) -> Advances:
    """Return the farthest advances from nodes in all directions worth trying, for each node in order of bearing.

    If places (n, 2) are given ``toward`` for a node, only in the directions of those.
    """
    even, left = [_even(context, node) for node in nodes], _jumps(context, nodes)
    of, bearings = np.repeat(np.arange(len(nodes)), [len(own) for own in even]), np.concatenate(even)
    wanted = np.stack([_toward(node, places) for node, places in zip(nodes, toward, strict=True)])
    chosen = wanted[of, _bins(bearings)]
    farthest = advances(context, Heads(tuple(nodes), of[chosen], bearings[chosen]))
    left = left.taken(wanted[left.of, _bins(left.bearings)])
    for _ in range(ROUNDS):
        farthest, left = _completed(context, farthest, left)
        farthest = _refined(context, farthest)
    return _completed(context, farthest, left)[0]


def _completed(context: MoveContext, found: Advances, jumps: _Jumps) -> tuple[Advances, _Jumps]:
    """Return the advances plus those beside every jump within reach of a neighbour, and the jumps left over."""
    while len(jumps.of) and len(found.lengths):
        near = jumps.ahead <= _longest_beside(found, jumps)
        if not near.any():
            break
        bearings = np.round(jumps.bearings[near], 9)
        rows = distinct_rows(np.column_stack([jumps.of[near], bearings]))
        found = _joined(found, advances(context, Heads(found.heads.nodes, rows[:, 0].astype(int), rows[:, 1])))
        jumps = jumps.taken(~near)
    return found, jumps


def _longest_beside(found: Advances, jumps: _Jumps) -> np.ndarray:
    """Return the longer of the node's two advances beside each jump; -1 if it has none."""
    circle = 4 * math.pi
    after = np.searchsorted(found.heads.of * circle + found.bearings, jumps.of * circle + jumps.bearings)
    first = np.searchsorted(found.heads.of, np.arange(len(found.heads.nodes) + 1))
    low, high = first[jumps.of], first[jumps.of + 1]
    has_advances = high > low
    right = np.where(after >= high, low, after)
    left = np.where(after <= low, high - 1, after - 1)
    longest = np.maximum(*(found.lengths[np.where(has_advances, k, 0)] for k in (left, right)))
    return np.where(has_advances, longest, -1.0) + ROUNDING


def _toward(node: Node, places: np.ndarray | None) -> np.ndarray:
    """Return a mask of the spacing steps within two steps of the direction of a place; all of them without places."""
    if places is None:
        return np.ones(STEPS, bool)
    d = places - np.array(node.at)
    steps = _bins(np.arctan2(d[:, 0], d[:, 1]))
    wanted = np.zeros(STEPS, bool)
    for beside in range(-2, 3):
        wanted[(steps + beside) % STEPS] = True
    return wanted


def _bins(bearings: np.ndarray) -> np.ndarray:
    """Return the spacing step of each bearing."""
    return np.asarray(np.floor(bearings % (2 * math.pi) / math.radians(SPACING)).astype(int) % STEPS)


def following(of: np.ndarray) -> np.ndarray:
    """Return the index of the next direction around each node's circle; ``of`` (n,) is sorted."""
    after = np.arange(1, len(of) + 1)
    if len(of):
        first = np.flatnonzero(begins(of))
        after[np.append(first[1:], len(of)) - 1] = first
    return after


def _refined(context: MoveContext, found: Advances) -> Advances:
    """Return the advances with one more inserted between neighbours that differ."""
    gaps, split = differing(found)
    if not split.any():
        return found
    between = (found.bearings[split] + gaps[split] / 2) % (2 * math.pi)
    return _joined(found, advances(context, Heads(found.heads.nodes, found.heads.of[split], between)))


def differing(found: Advances) -> tuple[np.ndarray, np.ndarray]:
    """Return the angle from each advance to the next, and whether the two differ and are not close together."""
    after = following(found.heads.of)
    gaps = np.remainder(found.bearings[after] - found.bearings, 2 * math.pi)
    least = np.minimum(found.lengths[after], found.lengths)
    differ = np.abs(found.lengths[after] - found.lengths) > 0.01 * np.maximum(1.0, least)
    return gaps, differ & (gaps > CLOSE) & (gaps < math.radians(2 * SPACING)) & (least >= 0.0)


def _joined(a: Advances, b: Advances) -> Advances:
    of, bearings = (np.concatenate(both) for both in ((a.heads.of, b.heads.of), (a.bearings, b.bearings)))
    order = np.lexsort((bearings, of))
    starts, lengths = np.concatenate([a.starts, b.starts]), np.concatenate([a.lengths, b.lengths])
    return Advances(Heads(a.heads.nodes, of, bearings).taken(order), starts[order], lengths[order])
