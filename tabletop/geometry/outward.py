"""The directions worth an advance: farthest advances from places, in every direction that matters.

They go out evenly spaced and to both sides of every direction in which a lane's side just passes a corner no farther
away than its neighbours go: there the farthest advance may jump. Between two that differ further ones are put in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.abreast import begins
from tabletop.geometry.contact import lane_bearings
from tabletop.geometry.fan import Advances, Heads, Node, Setting, advances
from tabletop.geometry.ray import Files

#: Degrees between evenly spaced advances, and how far to each side of a jump the farthest advance is asked again.
SPACING = 3.0
STEPS = round(360.0 / SPACING)
BESIDE = 1e-4
#: Rounds of advances put in between neighbours that differ, and how close (radians) they need not be.
ROUNDS = 1
CLOSE = math.radians(0.3)
#: What lies farther ahead than an advance goes by less than this (table units) counts as being in its way.
ROUNDING = 1e-3


def _even(setting: Setting, node: Node) -> np.ndarray:
    """Return evenly spaced bearings; of a node with a facing its own, and only those it can turn to for its budget."""
    found, half = np.radians(np.arange(0.0, 360.0, SPACING)), setting.files.half
    if node.facing is None or half == 0.0 or setting.free_turns:
        return np.asarray(found)
    found = np.append(found, node.facing % (2 * math.pi))
    most = (setting.budget - node.cost) / half
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


def _jumps(setting: Setting, node: Node) -> tuple[np.ndarray, np.ndarray]:
    """Return the bearings to both sides of every jump, and how far ahead (at least) the corner lies that makes it."""
    origin, files, ground = np.array(node.at), setting.files, setting.ground
    span = (setting.budget - node.cost) * files.tariff.road + setting.offset + files.half
    corners, keep = setting.keep.corners
    near = np.hypot(*(corners - origin).T) <= span + keep
    hard = [
        lane_bearings(origin, corners[near], keep[near] + files.half),
        _passing(ground.linear.outline.points, origin, span, files),
    ]
    friends = _passing(setting.friends_corners, origin, span, files)
    slow = [_passing(kind.outline.points, origin, span, files) for kind in (ground.rough, ground.choke)]
    turn, far = (np.concatenate(column) for column in zip(*hard, strict=True))
    soft, soft_far = (np.concatenate(column) for column in zip(*slow, strict=True))
    bearings = np.concatenate([turn - BESIDE, turn + BESIDE, friends[0], soft])
    ahead = np.concatenate([far, far, friends[1], soft_far])
    if node.facing is None:
        ahead = ahead - setting.offset
    if node.facing is not None and files.half > 0.0 and not setting.free_turns:
        most = (setting.budget - node.cost) / files.half
        near = np.abs(np.remainder(bearings - node.facing + math.pi, 2 * math.pi) - math.pi) < most
        bearings, ahead = bearings[near], ahead[near]
    return bearings % (2 * math.pi), ahead


def _passing(points: np.ndarray, origin: np.ndarray, span: float, files: Files) -> tuple[np.ndarray, np.ndarray]:
    """Return the bearings in which a lane's side passes one of ``points``, and how far ahead it then is.

    Those behind count where bases follow.
    """
    away = np.hypot(*(points - origin).T)
    ahead, behind = points[away < span + files.half], points[away < math.hypot(files.back, files.half)]
    fore, far = lane_bearings(origin, ahead, np.full(len(ahead), files.half))
    back, _ = lane_bearings(origin, behind, np.full(len(behind), files.half))
    return np.concatenate([fore, back + math.pi]), np.concatenate([far, np.full(len(back), -math.inf)])


def outward(setting: Setting, nodes: Sequence[Node], toward: Sequence[np.ndarray | None]) -> Advances:
    """Return the farthest advances from nodes in all directions worth it, of each node in order of bearing.

    With places (n, 2) given ``toward`` for a node, only in the directions of those.
    """
    even, jumps = [], []
    for node, places in zip(nodes, toward, strict=True):
        bearings, (turns, ahead) = _even(setting, node), _jumps(setting, node)
        if places is not None:
            wanted = _toward(node, places)
            bearings, chosen = bearings[wanted[_bins(bearings)]], wanted[_bins(turns)]
            turns, ahead = turns[chosen], ahead[chosen]
        even.append(bearings)
        jumps.append((turns, ahead))
    of = np.repeat(np.arange(len(nodes)), [len(own) for own in even])
    found = advances(setting, Heads(tuple(nodes), of, np.concatenate(even)))
    of = np.repeat(np.arange(len(nodes)), [len(own) for own, _ in jumps])
    left = _Jumps(of, *(np.concatenate(column) for column in zip(*jumps, strict=True)))
    for _ in range(ROUNDS):
        found, left = _completed(setting, found, left)
        found = _refined(setting, found)
    return _completed(setting, found, left)[0]


def _completed(setting: Setting, found: Advances, jumps: _Jumps) -> tuple[Advances, _Jumps]:
    """Return the advances with those beside every jump no farther away than a neighbour goes, and the other jumps."""
    while len(jumps.of) and len(found.lengths):
        near = jumps.ahead <= _longest_beside(found, jumps)
        if not near.any():
            break
        bearings = np.round(jumps.bearings[near], 9)
        rows = np.unique(np.column_stack([jumps.of[near], bearings]), axis=0)
        found = _joined(found, advances(setting, Heads(found.heads.nodes, rows[:, 0].astype(int), rows[:, 1])))
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


def _toward(node: Node, places: np.ndarray) -> np.ndarray:
    """Return in which steps of the spacing a bearing lies within two steps of the direction of a place."""
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


def _refined(setting: Setting, found: Advances) -> Advances:
    """Return the advances with a further one between neighbours that differ."""
    gaps, split = differing(found)
    if not split.any():
        return found
    between = (found.bearings[split] + gaps[split] / 2) % (2 * math.pi)
    return _joined(found, advances(setting, Heads(found.heads.nodes, found.heads.of[split], between)))


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
