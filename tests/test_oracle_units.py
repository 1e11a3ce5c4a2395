"""Sight from unit to unit against what must be there: dense samples, known slits, and the oracle's word on the witness.

``sight`` may never be blind where a sampled line is clear, never give a distance longer than a clear line by more than
0.005 in, and the line it shows must pass the oracle (TSE-LOS-01, TSE-LOS-02, TSE-FIR-03).
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.line_of_sight import Sight, SightLaw, clear_lines, sight
from tabletop.geometry.measure import snap, snap_facing
from tabletop.geometry.sight.unproved import cut_short
from tabletop.geometry.terrain import Table, Terrain
from tests.oracle import HAIR, product, scenes
from tests.oracle.sight import Ground, Law, Piece, Point

FINE = 1 << 32  # whole units an inch: a float on the table is off by less than 1e-9 in
LONGER = 0.005
EXACT = Law(t=Fraction(0))


def finer(ground: Ground, law: Law) -> Ground:
    """Return the same ground in units so fine that any float fits."""
    factor = FINE // ground.k
    pieces = [
        Piece(
            p.id,
            tuple(tuple((x * factor, y * factor) for x, y in ring) for ring in p.rings),
            p.level,
            p.hill,
            p.see_through,
        )
        for p in ground.pieces
    ]
    return Ground(pieces, FINE, law)


def whole(point: tuple[float, float]) -> Point:
    return round(point[0] * FINE), round(point[1] * FINE)


def unit(rng: Random, x: float, y: float) -> shapely.Geometry:
    """One to four bases abreast, any heading."""
    facing = rng.choice((0.0, 90.0, 45.0, snap_facing(rng.uniform(0, 360))))
    first = Base(snap(x), snap(y), facing, 1.0, 0.75)
    (rx, ry) = first.right
    return shapely.union_all([first.moved(i * rx, i * ry).polygon for i in range(rng.randint(1, 4))])


def sampled(shape: shapely.Geometry, step: float, inside: bool) -> np.ndarray:
    """Points of the outline no farther apart than ``step``, corners included, and a lattice inside when asked."""
    points = shapely.get_coordinates(shapely.segmentize(shapely.boundary(shape), step))
    if not inside:
        return points
    x0, y0, x1, y1 = shapely.bounds(shape)
    x, y = (v.ravel() for v in np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step)))
    within = shapely.contains_xy(shape, x, y)
    return np.concatenate([points, np.stack([x[within], y[within]], axis=1)])


def witness_faults(seen: Sight, a: shapely.Geometry, b: shapely.Geometry, ground: Ground) -> list[str]:
    """What is wrong with the line shown: its ends off the units, its length, or the law."""
    assert seen.line is not None
    assert seen.distance is not None
    s, e = seen.line
    faults = []
    if shapely.distance(shapely.Point(s), a) > HAIR or shapely.distance(shapely.Point(e), b) > HAIR:
        faults.append("ends off the units")
    if abs(math.dist(s, e) - seen.distance) > 2 * LONGER:
        faults.append(f"length {math.dist(s, e)} against {seen.distance}")
    line = ground.look(whole(s), whole(e))
    if not line.clear and not line.hairline:
        faults.append(f"the law says {line.blocked_by}, slacks {line.slacks}")
    return faults


def clear_and_shorter(starts: np.ndarray, ends: np.ndarray, limit: float, exact: Ground, rng: Random) -> str | None:
    """Return a sampled line shorter than ``limit`` that the exact law finds clear, if there is one among 40."""
    lengths = np.hypot(*(ends - starts).T)
    short = np.flatnonzero(lengths < limit)
    for i in rng.sample(short.tolist(), min(40, len(short))):
        line = exact.look(whole(starts[i]), whole(ends[i]))
        if line.clear and not line.hairline:
            return f"clear at {lengths[i]}: {starts[i]} to {ends[i]}"
    return None


def crowded(rng: Random, ground: Ground, start: tuple[float, float], way: tuple[float, float]) -> Ground:
    """Return the ground with boxes of wood and house strewn between two units, some flush with each other."""
    boxes: list[Piece] = []
    for n in range(rng.randint(2, 6)):
        share, w, h = rng.uniform(0.2, 0.8), rng.choice((0.5, 1.0, 2.0, 3.0)), rng.choice((0.25, 0.5, 1.0, 2.0))
        x = snap(start[0] + way[0] * share + rng.uniform(-4.0, 2.0))
        y = snap(start[1] + way[1] * share - h / 2)
        if boxes and rng.random() < 0.5:  # beside the last, touching it or leaving a crack
            (_, y0), (x1, _) = boxes[-1].rings[0][:2]
            x, y = x1 / ground.k + rng.choice((0.0, 1 / 1024, 0.02, 0.1)), y0 / ground.k
        box = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        ring = tuple((round(p * ground.k), round(q * ground.k)) for p, q in box)
        boxes.append(Piece(f"between-{n}", (ring,), 0, see_through=Fraction(rng.choice((0, 3)))))
    return Ground([*ground.pieces, *boxes], ground.k)


def laid(seed: int, near: Random | None = None) -> tuple[shapely.Geometry, shapely.Geometry, Ground]:
    """Return two units and the crowded ground between them, of a seed."""
    near = near or Random(seed + 1)
    x, y = near.uniform(12, 28), near.uniform(12, 28)
    dx, dy = near.uniform(-6, 6), near.choice((-1, 1)) * near.uniform(4, 10)
    a, b = unit(near, x, y), unit(near, x + dx, y + dy)
    return a, b, crowded(near, scenes.ground(seed)[1], (x, y), (dx, dy))


def judged(seed: int, step: float, inside: bool) -> tuple[bool, list[str]]:
    """Return whether B is seen, and every fault found on the table of a seed."""
    near = Random(seed + 1)
    a, b, ground = laid(seed, near)
    table, law = product.table(ground), SightLaw()
    there, back = sight(table, a, b, law), sight(table, b, a, law)
    faults = []
    if there.seen != back.seen or there.distance != pytest.approx(back.distance, abs=1e-6):
        faults.append(f"A to B {there.seen} {there.distance}, B to A {back.seen} {back.distance}")
    p, q = sampled(a, step, inside), sampled(b, step, inside)
    starts, ends = np.repeat(p, len(q), axis=0), np.tile(q, (len(p), 1))
    clear = clear_lines(table, starts, ends, law)
    if clear.any() and not there.seen:
        i = int(np.flatnonzero(clear)[0])
        if not finer(ground, Law()).look(whole(starts[i]), whole(ends[i])).hairline:
            faults.append(f"blind to {starts[i]} to {ends[i]}")
    if there.seen:
        faults += witness_faults(there, a, b, finer(ground, Law()))
        assert there.distance is not None
        found = clear_and_shorter(starts, ends, there.distance - LONGER, finer(ground, EXACT), near)
        if found:
            faults.append(f"{there.distance} is too long: {found}")
        if there.distance < shapely.distance(a, b) - 1e-9:
            faults.append("shorter than the gap")
    return there.seen, [f"seed {seed}: {fault}" for fault in faults]


@pytest.mark.parametrize("seed", [200522, 200575, 200720])
def test_ends_lie_on_the_units(seed: int) -> None:
    """TSE-LOS-01: bases abreast at 45 degrees; the line shown must start and end on the units."""
    assert not judged(seed, 0.25, False)[1]


@pytest.mark.parametrize(
    ("tables", "step", "inside"),
    [
        (60, 0.25, False),
        pytest.param(1_500, 0.1, False, marks=pytest.mark.sweep),
        pytest.param(100, 0.1, True, marks=pytest.mark.sweep),
    ],
)
def test_against_dense_samples(tables: int, step: float, inside: bool) -> None:
    """TSE-LOS-01."""
    results = [judged(seed, step, inside) for seed in range(200_000, 200_000 + tables)]
    faults = [fault for _, found in results for fault in found]
    assert not faults, f"{len(faults)} faults on {tables} tables:\n" + "\n".join(faults[:6])
    assert 0.2 * tables < sum(seen for seen, _ in results) < 0.95 * tables


@pytest.mark.parametrize("seed", [300945, 303132, 312789, 321761, 323524, 324520])
def test_at_the_edge_of_its_own_wood_the_distance_is_exact(seed: int) -> None:
    """TSE-LOS-10: beside a wood that it would see too little out of, the nearest corner that sees may be anywhere."""
    a, b, ground = laid(seed)
    seen, exact = sight(product.table(ground), a, b, SightLaw()), finer(ground, EXACT)
    assert seen.line is not None
    assert seen.distance is not None
    shorter = []
    for one, other, near, far in ((a, b, *seen.line), (b, a, *seen.line[::-1])):
        rim: Any = shapely.boundary(one)
        fixed = shapely.get_coordinates(shapely.shortest_line(shapely.Point(far), other))[1]
        around = shapely.line_locate_point(rim, shapely.Point(near)) + np.arange(-0.006, 0.006, 5e-5)
        points = shapely.get_coordinates(shapely.line_interpolate_point(rim, around % shapely.length(rim)))
        for point in points[np.hypot(*(points - fixed).T) < seen.distance - 2e-4]:
            line = exact.look(whole(point), whole(fixed))
            shorter += [math.dist(point, fixed)] if line.clear and not line.hairline else []
    assert not shorter, f"{seen.distance} where a line of {min(shorter)} is clear"


@pytest.mark.parametrize("seed", [300061, 301184, 305323, 312714, 317561, 317739, 319077, 322567])
def test_the_search_is_complete_around_notches_and_from_inside_shadows(seed: int) -> None:
    """TSE-LOS-10, TSE-LOS-14: past a notch of the unit's own wood, and from inside what casts a shadow."""
    a, b, ground = laid(seed)
    table = product.table(ground)
    sight(table, a, b, SightLaw())
    assert cut_short(table) == 0


@pytest.mark.parametrize(("seed", "known"), [(300836, 5.080426), (317561, 7.418258), (308827, 6.400930)])
def test_as_short_a_line_is_found_as_is_known(seed: int, known: float) -> None:
    """TSE-LOS-01: lines that the referee calls clear, or so close to it that either may be said."""
    a, b, ground = laid(seed)
    seen = sight(product.table(ground), a, b, SightLaw())
    assert seen.distance is not None
    assert seen.distance <= known + 1e-4


def slit(rng: Random) -> tuple[Ground, shapely.Geometry, shapely.Geometry, Point, Point]:
    """Two units with one to three walls of houses between, each with a slit 0.02 in wide round one line."""
    k = scenes.K
    y = rng.randint(15 * k, 25 * k)
    s = (rng.randint(5 * k, 6 * k), y)
    e = (rng.randint(14 * k, 16 * k), y + rng.choice((0, rng.randint(-3 * k, 3 * k))))
    a = shapely.box(s[0] / k - rng.uniform(0, 1), s[1] / k - rng.uniform(0, 2), s[0] / k, s[1] / k + rng.uniform(0, 2))
    b = shapely.box(e[0] / k, e[1] / k - rng.uniform(0, 2), e[0] / k + 1, e[1] / k + rng.uniform(0, 2))
    pieces = []
    for n in range(rng.randint(1, 3)):
        x = (7 + 2 * n) * k + rng.randint(0, k)
        middle = s[1] + (e[1] - s[1]) * (x - s[0]) // (e[0] - s[0])
        low, high = middle - 20, middle + 21  # 41/2048 in: 0.02
        ends = sorted((middle, s[1] + (e[1] - s[1]) * (x + 100 - s[0]) // (e[0] - s[0])))
        low, high = min(low, ends[0] - 5), max(high, ends[1] + 5)
        wide = 100  # thinner than 0.05 in, so that a slanted line passes
        pieces.append(Piece(f"under-{n}", (((x, k), (x + wide, k), (x + wide, low), (x, low)),), 0))
        pieces.append(Piece(f"over-{n}", (((x, high), (x + wide, high), (x + wide, 39 * k), (x, 39 * k)),), 0))
    return Ground(pieces, k), a, b, s, e


@pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.sweep)])
def test_sees_through_slits(count: int) -> None:
    """TSE-LOS-01: an opening a fiftieth of an inch wide is an opening, wherever it is."""
    rng, faults = Random(8), []
    for n in range(count):
        ground, a, b, s, e = slit(rng)
        assert ground.look(s, e).clear
        found = sight(product.table(ground), a, b, SightLaw())
        length = math.dist(s, e) / ground.k
        if not found.seen:
            faults.append(f"{n}: blind to a slit")
        elif found.distance is None or found.distance > length + LONGER:
            faults.append(f"{n}: {found.distance} where a line of {length} is clear")
        else:
            faults += [f"{n}: {fault}" for fault in witness_faults(found, a, b, finer(ground, Law()))]
    assert not faults, f"{len(faults)} of {count}:\n" + "\n".join(faults[:5])


@pytest.mark.parametrize("level", [1, 2])
def test_no_line_leaves_the_units(level: int) -> None:
    """TSE-LOS-01, TSE-LOS-06: from a hill, past the corner of a house; the shortest clear line is 7.286 in."""
    hill = Terrain.of_kind("hill", "hill", outline=[(15, 9), (23, 9), (23, 14.5), (15, 14.5)], level=level)
    house = Terrain.of_kind("house", "building", outline=[(20, 18), (17, 19.25), (19.25, 23)], level=0)
    table = Table.of("in", 40.0, 40.0, [hill, house])
    a, b = shapely.box(19.75, 12.5, 20.75, 13.25), shapely.box(18.75, 20.5, 19.75, 21.25)
    found = sight(table, a, b, SightLaw())
    assert found.distance == pytest.approx(7.28616, abs=0.005)
    assert found.line is not None
    assert shapely.distance(shapely.Point(found.line[1]), b) < HAIR


def test_a_corner_on_the_edge_is_seen() -> None:
    """TSE-LOS-01: a line to a point of an obstruction's edge, from outside, is clear; one such pair is enough."""
    house = Terrain.of_kind("house", "building", outline=[(16, 18), (20, 18), (19.25, 23), (16, 23)])
    table = Table.of("in", 40.0, 40.0, [house])
    a, b = shapely.box(20, 13.25, 21, 14), shapely.box(18.625, 19.75, 19.625, 20.5)
    corner = np.array([[19.625, 20.5]])
    assert clear_lines(table, np.array([[21.0, 14.0]]), corner, SightLaw())[0]
    assert sight(table, a, b, SightLaw()).seen


@pytest.mark.parametrize("turns", range(4))
def test_a_line_starts_on_the_unit_not_between_its_bases(turns: int) -> None:
    """TSE-LOS-01, TSE-LOS-08: bases that touch at a corner, some on a hill, look over another: 19.859 any way round."""

    def place(x: float, y: float) -> tuple[float, float]:
        for _ in range(turns):
            x, y = y, 60.0 - x
        return x, y

    def polygon(x: float, y: float, facing: float, depth: float) -> shapely.Polygon:
        return Base(*place(x, y), (facing + 90.0 * turns) % 360.0, 1.0, depth).polygon

    low, high = shapely.box(26, 29, 27.5, 29.75), shapely.box(20.5, 20, 25.5, 23.25)
    hills = [
        Terrain.of_kind(name, "hill", outline=[place(*p) for p in box.exterior.coords[:-1]], level=level)
        for name, box, level in (("low", low, 1), ("high", high, 2))
    ]
    bent = ((20.777792836, 20.889137885, 29.984375), (21.642204785, 20.226225718, 44.984375))
    a = shapely.union_all([polygon(x, y, f, 0.75) for x, y, f in (*bent, (22.305588317, 19.362175460, 59.984375))])
    b = shapely.union_all(
        [polygon(x, y, 22.15625, 1.0) for x, y in ((32.1885668, 38.4630794), (31.8114331, 37.5369206))]
    )
    found = sight(Table.of("in", 60.0, 60.0, hills), a, b, SightLaw())
    assert found.line is not None
    assert shapely.distance(a, shapely.Point(found.line[0])) < 1e-9
    assert found.distance == pytest.approx(19.85915, abs=1e-4)
