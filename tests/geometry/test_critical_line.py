"""The line that comes closest to being clear, against lines between a great many points (TSE-LOS-05, 06, 10, 16)."""

from __future__ import annotations

import random

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.line_of_sight import sight
from tabletop.geometry.sight.blocked import beside, lacking
from tabletop.geometry.sight.law import line_between, work_of
from tabletop.geometry.sight.obstruction import ground_of, packed
from tabletop.rules.tse.sight.judge import law_of
from tests.firing import ask, battle, block, piece, strip


def scene(seed: int) -> Battle:
    """Two lines, woods, houses, towns and hills between and under them."""
    draw, terrain = random.Random(seed), []
    for k in range(draw.randint(2, 6)):
        kind, x, y = draw.choice(["woods", "building", "hill", "town"]), draw.uniform(-8, 6), draw.uniform(-1, 8)
        w, h = draw.uniform(0.5, 8), draw.uniform(0.5, 3)
        keys = {"level": draw.choice([1, 1, 2])} if kind == "hill" else {}
        far = (x + w * draw.uniform(0.5, 1), y + h)
        outline = [(x, y), (x + w, y + draw.uniform(-0.5, 0.5)), far, (x + w * 0.4, y + h / 2), (x, y + h)]
        terrain.append(piece(f"piece-{k}", kind, outline, **keys))
    a = block("a", "blue", (-2, 2), (-1.75, -1.0)).turned(draw.uniform(-40, 40))
    b = block("b", "red", (-2, 2), (9, 9.75), facing=180.0).turned(draw.uniform(-40, 40))
    return battle(a, b.moved(draw.uniform(-4, 4), 0), terrain=tuple(terrain))


def places(shape: shapely.Geometry, seed: int) -> np.ndarray:
    """Points along an outline and within it."""
    x0, y0, x1, y1 = shapely.bounds(shape).tolist()
    within = np.random.default_rng(seed).uniform((x0, y0), (x1, y1), (60, 2))
    within = within[shapely.contains_xy(shape, within[:, 0], within[:, 1])]
    return np.vstack([shapely.get_coordinates(shapely.segmentize(shape, 0.15)), within])


def held_against(seed: int) -> bool:
    """Return whether the target is hidden; then no line tried may come nearer to being clear by 0.01."""
    on = scene(seed)
    a, b, law = on.unit("a").footprint, on.unit("b").footprint, law_of(on)
    found = sight(on.table, a, b, law)
    if found.seen:
        return False
    p, q = places(a, seed), places(b, seed)
    tried = lacking(on.table, np.repeat(p, len(q), 0), np.tile(q, (len(p), 1)), law)
    assert found.best_blocked is not None
    line = found.best_blocked
    assert line.excess <= float(tried.min()) + 0.01
    assert line.excess == pytest.approx(
        float(lacking(on.table, np.array([line.start]), np.array([line.end]), law)[0]), abs=1e-6
    )
    return True


def test_no_line_comes_nearer() -> None:
    assert sum(held_against(seed) for seed in range(40)) >= 10


@pytest.mark.sweep
def test_no_line_comes_nearer_many_times() -> None:
    assert sum(held_against(seed) for seed in range(1000, 1600)) >= 100


def test_the_numbers_are_those_of_the_line_that_just_fails() -> None:
    """TSE-LOS-05: a house hides all but for 0.06 in; another line runs 2 in through it."""
    a, b = block("a", "blue", (0.0, 1.0), (-1.0, 0.0)), block("b", "red", (0.0, 1.0), (6.0, 7.0), facing=180.0)
    house = strip("house", "building", (-4.0, 1.06), (2.0, 4.0))
    verdict = ask(battle(a, b, terrain=(house,)), "los", "a", "b")
    assert not verdict.holds
    assert verdict.because[0].rule == "TSE-LOS-05"
    assert verdict.because[0].measured == pytest.approx(0.06, abs=0.01)
    shot = ask(battle(a, b, terrain=(house,)), "fire", "a", "b")
    assert [r.rule for r in shot.because if not r.holds] == ["TSE-FIR-01", "TSE-LOS-05", "TSE-FIR-08"]
    assert shot.because[1].measured == pytest.approx(0.06, abs=0.01)


def test_a_shift_sideways_clears_the_line_and_less_does_not() -> None:
    """Over obstructions of any shape, within the length of the line alone."""
    for seed in range(30):
        on, draw = scene(seed), np.random.default_rng(seed)
        ground = ground_of(on.table)
        starts, ends = draw.uniform(30, 50, (20, 2)), draw.uniform(30, 50, (20, 2))
        o = packed(ground, False)
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        ways = [line_between(o, px, py, qx, qy, work_of(o, False)) for (px, py), (qx, qy) in pairs]
        for each in ground.obstructions:
            met = np.asarray(shapely.intersects(shapely.linestrings(np.stack([starts, ends], axis=1)), each.core))
            for k, far in enumerate(beside(each, way) for way in ways):
                if not met[k] or np.any(shapely.dwithin(each.core, shapely.points([starts[k], ends[k]]), 1.0)):
                    continue
                side = np.array([-ways[k].uy, ways[k].ux])
                near = [_meets(each.core, starts[k] + s * side, ends[k] + s * side) for s in (far - 1e-4, 1e-4 - far)]
                past = [_meets(each.core, starts[k] + s * side, ends[k] + s * side) for s in (far + 1e-4, -far - 1e-4)]
                assert all(near)
                assert not all(past)


def _meets(area: shapely.Geometry, a: np.ndarray, b: np.ndarray) -> bool:
    return bool(shapely.intersects(shapely.LineString([a, b]), area))
