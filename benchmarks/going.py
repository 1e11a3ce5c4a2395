"""Where units can go, and for what: a unit's reach with turns charged, a field of costs beside scikit-fmm where it is.

``python -m benchmarks.own going``. The reach is that of units of Quatre Bras: ``set out`` is what the ground, friends
and enemies make of the move, ``at once`` the straight advances that are shown first, ``whole`` all the ground, every
place of it backed by a way. The reach of a point for an allowance, every place of it backed by a way over the true
outlines, is told with the share it misses of what scikit-fmm reaches on cells of a 32nd of an inch. The
shortest ways among opaque outlines, from click to click, are told beside extremitypathfinder's, with what either takes
to get a table ready for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import shapely

from benchmarks import race_hooks
from benchmarks.bulk import Field, field_of, kernels, race
from benchmarks.seeing import eyes_of
from tabletop.battle.battle import Battle
from tabletop.geometry import fast
from tabletop.geometry.walked_ground import WalkedGround

H = 0.25
#: Inches between the nodes to which ways are told, and between those the reach of a point is held against.
NODES, FINE = 0.125, 1 / 32
MOST = 12.0
SLOW = {"woods": 2.0, "town": 4.0, "hill": 2.0}
#: Inches about a unit of the other side where none may go; and about the source, where a peer is told the costs.
KEEP, NEAR = 1.0, 1.0
START = (36.0, 24.0)


def raster(field: Field, h: float = H) -> tuple[np.ndarray, np.ndarray]:
    """Return slowness and closed cells about the nodes of a grid: pieces slow, half the units kept away from."""
    x, y = np.meshgrid(np.arange(round(field.W / h) + 1) * h, np.arange(round(field.H / h) + 1) * h)
    slowness, closed = np.ones(x.shape), np.zeros(x.shape, bool)
    for piece in field.pieces:
        slowness[shapely.intersects_xy(piece.shape, x, y)] = SLOW[piece.kind]
    for base in field.units[::2]:
        closed |= shapely.intersects_xy(shapely.buffer(base.polygon, KEEP), x, y)
    closed[np.hypot(x - START[0], y - START[1]) <= NEAR] = False
    return slowness, closed


def fields_of_cost(pieces: int) -> None:
    """Time a field over the whole table, and one as far as a cost of 12, each in turns with scikit-fmm."""
    slowness, closed = raster(field_of(1, pieces, 60))
    kept = race_hooks.w4_prep(None)
    race_hooks.w4(kept, START, slowness, closed, H)
    for what, most in (("whole table", None), ("to a cost of 12", 12.0)):
        name = f"field of costs, {pieces} pieces, {what}"
        peer = _fast_marching(slowness, closed, most)
        grid = kept[H]
        ours = partial(grid.field, START, *([most] if most else []))
        found = race(ours, 1, peer or ours, 1)
        beside = f"{1 / found.ratio:8.2f} times the time of scikit-fmm" if peer else "   scikit-fmm is not installed"
        print(f"{name:46s} {1000 / found.a_second:8.1f} ms   {beside}", flush=True)


def walked_ground(field: Field) -> WalkedGround:
    """Return the same ground by its outlines."""
    layers = [(piece.shape, SLOW[piece.kind] - 1.0) for piece in field.pieces]
    keeps = shapely.union_all([shapely.buffer(base.polygon, KEEP) for base in field.units[::2]])
    about = shapely.Point(START).buffer(NEAR)
    return WalkedGround(field.W, field.H, NODES, layers, shapely.difference(keeps, about))


def reach_of_a_point(pieces: int) -> None:
    """Time the reach for an allowance in turns with scikit-fmm's, and tell what share of it is missed."""
    field = field_of(1, pieces, 60)
    start = time.process_time()
    ground = walked_ground(field)
    reached = ground.reach(START, MOST)
    set_up = time.process_time() - start
    peer = _fast_marching(*raster(field), MOST)
    ours = partial(ground.reach, START, MOST)
    found = race(ours, 1, peer or ours, 1)
    name = f"reach of a point for {MOST:g}, {pieces} pieces"
    beside = "   scikit-fmm is not installed"
    if fine := _fast_marching(*raster(field, FINE), MOST, FINE):
        step = round(NODES / FINE)
        told = np.ma.filled(fine(), np.inf)[::step, ::step] + NEAR <= MOST
        missed = 100 * np.mean(np.isinf(reached.cost[told]))
        beside = f"{1 / found.ratio:8.2f} times the time of scikit-fmm, {missed:.2f} % missed"
    print(f"{name:46s} {1000 / found.a_second:8.1f} ms   {beside}, set up once in {set_up:.1f} s", flush=True)


def shortest_ways(pieces: int, n: int = 30) -> None:
    """Time the shortest ways among opaque outlines in turns with extremitypathfinder, and what comes before them."""
    field = field_of(1, pieces, 60)
    starts, goals = np.array_split(np.array(eyes_of(field, 2 * n)), 2)
    begin = time.process_time()
    ground = race_hooks.w4p_prep(field)
    ours, set_up = partial(race_hooks.w4p, ground, starts, goals), time.process_time() - begin
    begin = time.process_time()
    peer = _extremity(field, starts, goals)
    theirs = time.process_time() - begin
    found = race(ours, n, peer or ours, n, rounds=3)
    name, beside = f"shortest way, {pieces} pieces", "   extremitypathfinder is not installed"
    if peer:
        off = float(np.max(np.abs(ours() / peer() - 1.0)))
        beside = f"{found.ratio:8.1f} times extremitypathfinder, {theirs / set_up:.0f} times before it, apart {off:.0e}"
    print(f"{name:46s} {1000 / found.a_second:8.2f} ms   {beside}, set up once in {1000 * set_up:.0f} ms", flush=True)


def _extremity(field: Field, starts: np.ndarray, goals: np.ndarray) -> Callable[[], np.ndarray] | None:
    """Return the lengths of extremitypathfinder's shortest ways, its table ready, or None where it is not installed."""
    if find_spec("extremitypathfinder") is None:
        return None
    from extremitypathfinder import PolygonEnvironment  # type: ignore[import-not-found]

    there = PolygonEnvironment()
    edge = [(0.0, 0.0), (field.W, 0.0), (field.W, field.H), (0.0, field.H)]
    there.store(edge, [[tuple(at) for at in ring[::-1].tolist()] for ring in field.blk], validate=False)
    pairs = [(tuple(a), tuple(b)) for a, b in zip(starts.tolist(), goals.tolist(), strict=True)]
    there.find_shortest_path(*pairs[0])
    return lambda: np.array([there.find_shortest_path(a, b)[1] for a, b in pairs])


def _fast_marching(
    slowness: np.ndarray, closed: np.ndarray, most: float | None, h: float = H
) -> Callable[[], Any] | None:
    """Return scikit-fmm's field, of the second order, or None where it is not installed."""
    if find_spec("skfmm") is None:
        return None
    import skfmm  # type: ignore[import-not-found]

    x, y = np.meshgrid(np.arange(slowness.shape[1]) * h, np.arange(slowness.shape[0]) * h)
    front = np.ma.MaskedArray(np.hypot(x - START[0], y - START[1]) - NEAR, closed)
    narrow = {} if most is None else {"narrow": most}
    return lambda: skfmm.travel_time(front, 1.0 / slowness, dx=h, order=2, **narrow)


def reaches(battle: Battle, action: str) -> None:
    """Time the reach of every unit by an action."""
    from tabletop.geometry.reach import explored
    from tabletop.rules.tse.movement import ACTIONS
    from tabletop.rules.tse.reaching import setting_of

    units = [u for u in battle.units if u.is_general == (action == "general")]
    times: dict[str, list[float]] = {"set out": [], "at once": [], "whole": []}
    for unit in [units[0], *units]:
        setting = _timed(times["set out"], setting_of, battle, unit, ACTIONS[action])
        _timed(times["whole"], explored, setting)
        _timed(times["at once"], explored, setting_of(battle, unit, ACTIONS[action]), lambda: True)
    for what, took in times.items():
        ms = 1000 * np.array(took[1:])
        name = f"reach by {action}, {what}"
        print(f"{name:46s} median {np.median(ms):8.1f}   p95 {np.percentile(ms, 95):8.1f}   worst {ms.max():8.1f} ms")


def _timed(times: list[float], call: Callable[..., Any], *args: Any) -> Any:
    start = time.process_time()
    found = call(*args)
    times.append(time.process_time() - start)
    return found


def going() -> None:
    """Print times without kernels and with them."""
    from benchmarks.own import BATTLE, ROOT
    from tabletop.play.load import load_scene

    battle = load_scene(ROOT / BATTLE)
    for used in (False, True)[: 1 + fast.installed()]:
        with kernels(used):
            print(f"   {'with' if used else 'without'} kernels")
            for pieces in (40, 120):
                fields_of_cost(pieces)
                reach_of_a_point(pieces)
                if not used:  # no kernel in it
                    shortest_ways(pieces)
            for action in ("maneuver", "march", "general"):
                reaches(battle, action)
