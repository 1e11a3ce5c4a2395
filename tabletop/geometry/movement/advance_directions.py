"""The directions worth an advance: farthest advances from places, in every direction that matters.

They go out evenly spaced and to both sides of every direction in which a lane's side just passes a corner no farther
away than its neighbours go: there the farthest advance may jump. Between two that differ further ones are put in.
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

#: Degrees between evenly spaced advances, and how far to each side of a jump the farthest advance is asked again.
SPACING = 3.0
STEPS = round(360.0 / SPACING)
BESIDE = 1e-4
#: Rounds of advances put in between neighbours that differ, and how close (radians) they need not be.
ROUNDS = 1
CLOSE = math.radians(0.3)
#: What lies farther ahead than an advance goes by less than this (table units) counts as being in its way.
ROUNDING = 1e-3
EVENLY = np.radians(np.arange(0.0, 360.0, SPACING))


def _even(context: MoveContext, node: Node) -> np.ndarray:
    """Return evenly spaced bearings; of a node with a facing its own, and only those it can turn to for its budget."""
    found, half = EVENLY, context.files.half
    if node.facing is None or half == 0.0 or context.free_turns:
        return np.asarray(found)
    found = np.append(found, node.facing % (2 * math.pi))
    most = (context.budget - node.cost) / half
    if most < math.pi:
        turn = np.abs(np.remainder(found - node.facing + math.pi, 2 * math.pi) - math.pi)
        found = np.concatenate([found[turn < most], [node.facing + most * 0.999, node.facing - most * 0.999]])
    return np.asarray(np.unique(np.round(found % (2 * math.pi), 9)))


@dataclass(frozen=True)
class _Jumps:
    """Where advances from nodes may jump: of which node, the bearing, and how far ahead what makes them jump lies."""

    of: np.ndarray
    bearings: np.ndarray
    ahead: np.ndarray

    def taken(self, chosen: np.ndarray) -> _Jumps:
        return _Jumps(self.of[chosen], self.bearings[chosen], self.ahead[chosen])


def _jumps(context: MoveContext, nodes: Sequence[Node]) -> _Jumps:
    """Return the bearings to both sides of every jump, and how far ahead (at least) the corner lies that makes it."""
    files, corners = context.files, context.corners
    at, left = np.array([node.at for node in nodes]), np.array([context.budget - node.cost for node in nodes])
    free = np.array([node.facing is None for node in nodes])
    dx, dy = (corners.points[:, axis] - at[:, axis, None] for axis in (0, 1))
    away, span = np.hypot(dx, dy), left * files.cost_model.road + context.offset + files.half
    aside = away > corners.lane
    ahead = np.nonzero(aside & (away <= span[:, None] + corners.room))
    behind = np.nonzero(aside & corners.follows & (away < math.hypot(files.back, files.half)))
    of, k = (np.concatenate(both) for both in zip(ahead, behind, strict=True))
    back = np.arange(len(of)) >= len(ahead[0])
    far, lane = away[of, k], corners.lane[k]
    side, middle = np.arcsin(lane / far), np.arctan2(dx[of, k], dy[of, k])
    far = np.where(back, -math.inf, far * np.cos(side) - lane - context.offset * free[of])
    low, high, hard = (middle - side) + math.pi * back, (middle + side) + math.pi * back, corners.hard[k]
    of, far = (np.concatenate([column, column[hard]] * 2) for column in (of, far))
    bearings = np.concatenate([side for end in (low, high) for side in (end - BESIDE * hard, end[hard] + BESIDE)])
    found = _Jumps(of, bearings % (2 * math.pi), far)
    if files.half == 0.0 or context.free_turns:
        return found
    facing = np.array([float(node.facing or 0.0) for node in nodes])[of]
    turn = np.abs(np.remainder(found.bearings - facing + math.pi, 2 * math.pi) - math.pi)
    return found.taken(free[of] | (turn < (left / files.half)[of]))


def outward(context: MoveContext, nodes: Sequence[Node], toward: Sequence[np.ndarray | None]) -> Advances:
    """Return the farthest advances from nodes in all directions worth it, of each node in order of bearing.

    With places (n, 2) given ``toward`` for a node, only in the directions of those.
    """
    even, left = [_even(context, node) for node in nodes], _jumps(context, nodes)
    of, bearings = np.repeat(np.arange(len(nodes)), [len(own) for own in even]), np.concatenate(even)
    wanted = np.stack([_toward(node, places) for node, places in zip(nodes, toward, strict=True)])
    chosen = wanted[of, _bins(bearings)]
    found = advances(context, Heads(tuple(nodes), of[chosen], bearings[chosen]))
    left = left.taken(wanted[left.of, _bins(left.bearings)])
    for _ in range(ROUNDS):
        found, left = _completed(context, found, left)
        found = _refined(context, found)
    return _completed(context, found, left)[0]


def _completed(context: MoveContext, found: Advances, jumps: _Jumps) -> tuple[Advances, _Jumps]:
    """Return the advances with those beside every jump no farther away than a neighbour goes, and the other jumps."""
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
    """Return the longer of the two advances of its node to the sides of each jump; -1 if it has none."""
    circle = 4 * math.pi
    after = np.searchsorted(found.heads.of * circle + found.bearings, jumps.of * circle + jumps.bearings)
    first = np.searchsorted(found.heads.of, np.arange(len(found.heads.nodes) + 1))
    low, high = first[jumps.of], first[jumps.of + 1]
    some = high > low
    right = np.where(after >= high, low, after)
    left = np.where(after <= low, high - 1, after - 1)
    longest = np.maximum(*(found.lengths[np.where(some, k, 0)] for k in (left, right)))
    return np.where(some, longest, -1.0) + ROUNDING


def _toward(node: Node, places: np.ndarray | None) -> np.ndarray:
    """Return in which steps of the spacing a bearing lies within two steps of the direction of a place, all without."""
    if places is None:
        return np.ones(STEPS, bool)
    d = places - np.array(node.at)
    steps = _bins(np.arctan2(d[:, 0], d[:, 1]))
    wanted = np.zeros(STEPS, bool)
    for beside in range(-2, 3):
        wanted[(steps + beside) % STEPS] = True
    return wanted


def _bins(bearings: np.ndarray) -> np.ndarray:
    """Return in which step of the spacing each bearing lies."""
    return np.asarray(np.floor(bearings % (2 * math.pi) / math.radians(SPACING)).astype(int) % STEPS)


def following(of: np.ndarray) -> np.ndarray:
    """Return the number of the direction after each, round each node's circle; ``of`` (n,) is in order."""
    after = np.arange(1, len(of) + 1)
    if len(of):
        first = np.flatnonzero(begins(of))
        after[np.append(first[1:], len(of)) - 1] = first
    return after


def _refined(context: MoveContext, found: Advances) -> Advances:
    """Return the advances with a further one between neighbours that differ."""
    gaps, split = differing(found)
    if not split.any():
        return found
    between = (found.bearings[split] + gaps[split] / 2) % (2 * math.pi)
    return _joined(found, advances(context, Heads(found.heads.nodes, found.heads.of[split], between)))


def differing(found: Advances) -> tuple[np.ndarray, np.ndarray]:
    """Return the angle from each advance to the next, and whether they differ and do not lie close."""
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
