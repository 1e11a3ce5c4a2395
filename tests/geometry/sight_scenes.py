"""Random scenes for sight between units, and what a dense sample of lines sees on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import Base
from tabletop.geometry.line_of_sight import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain

WIDE, HIGH = 26.0, 20.0
KINDS = ("woods", "woods", "woods", "town", "building", "building")


@dataclass(frozen=True)
class Scene:
    table: Table
    a: BaseGeometry
    b: BaseGeometry


def star(rng: np.random.Generator, least: float, most: float, corners: int) -> list[tuple[float, float]]:
    """A star-shaped outline anywhere on the table."""
    c, r = rng.uniform((0, 0), (WIDE, HIGH)), rng.uniform(least, most)
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = rng.uniform(0.4, 1, corners) * r
    x, y = c[0] + reach * np.cos(angle), c[1] + reach * np.sin(angle)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def pieces(rng: np.random.Generator, hills: int, obstructions: int) -> list[Terrain]:
    found = []
    for k in range(rng.integers(0, hills + 1)):
        outline = star(rng, 1.5, 6, int(rng.integers(4, 9)))
        if shapely.Polygon(outline).is_valid:
            found.append(Terrain.of_kind(f"hill{k}", "hill", outline=outline, level=1))
            if rng.random() < 0.5:
                middle = np.mean(outline, axis=0)
                inner = ((np.array(outline) - middle) * 0.6 + middle).tolist()
                found.append(Terrain.of_kind(f"top{k}", "hill", outline=inner, level=2))
    for k in range(rng.integers(1, obstructions + 1)):
        outline = star(rng, 0.5, 3.5, int(rng.integers(3, 10)))
        polygon = shapely.Polygon(outline)
        if polygon.is_valid and polygon.area > 0.05:
            found.append(Terrain.of_kind(f"tall{k}", str(rng.choice(KINDS)), outline=outline))
    return found


def unit(rng: np.random.Generator, at: np.ndarray | None = None, fronts: bool = False) -> BaseGeometry:
    """One to four bases side by side, or their front edges."""
    x, y = rng.uniform((2, 2), (WIDE - 2, HIGH - 2)) if at is None else at
    first = Base.entered(float(x), float(y), float(rng.uniform(0, 360)), 1.0, 0.75)
    steps = range(int(rng.integers(1, 5)))
    bases = [first.moved(k * first.right[0], k * first.right[1]) for k in steps]
    return shapely.union_all([shapely.LineString(b.front_edge) if fronts else b.polygon for b in bases])


def open_field(seed: int, hills: int = 3, obstructions: int = 26) -> Scene:
    """Anything anywhere."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, hills, obstructions))
    return Scene(table, unit(rng, fronts=seed % 3 == 0), unit(rng))


def slit(seed: int, wide: float = 0.02) -> Scene:
    """Two long woods or houses with an opening ``wide`` between them, at any angle, the units on either side."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, np.pi)
    u, n = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    deep, lean = rng.uniform(0.3, 3.0), rng.uniform(-0.5, 0.5)
    at = np.array([WIDE, HIGH]) / 2 + rng.uniform(-2, 2, 2)

    def half(a: float, b: float) -> list[tuple[float, float]]:
        ways = [(a, -1), (b, -1), (b, 1), (a, 1)]
        return [tuple((at + along * u + side * (deep / 2 * n + lean * deep * u)).tolist()) for along, side in ways]

    kind = str(rng.choice(["woods", "building"]))
    sides = [("left", half(-12, -wide / 2)), ("right", half(wide / 2, 12))]
    walls = [Terrain.of_kind(name, kind, outline=outline, level=0) for name, outline in sides]
    clutter = pieces(rng, 2, 2) if rng.random() < 0.5 else []
    table = Table.of("in", WIDE, HIGH, [*walls, *(p for p in clutter if p.shape.distance(shapely.Point(at)) > 2)])
    ends = [at + s * (n * (deep / 2 + rng.uniform(1, 6)) + 2 * lean * u) + rng.uniform(-2, 2) * u for s in (1, -1)]
    return Scene(table, unit(rng, ends[0]), unit(rng, ends[1]))


def points_of(shape: BaseGeometry, rng: np.random.Generator, step: float = 0.15) -> np.ndarray:
    """Corners, points every ``step`` along the rim, and some inside."""
    rim = shape.boundary if shape.area > 0 else shapely.line_merge(shape)
    found = [shapely.get_coordinates(shape)]
    parts = [shapely.line_interpolate_point(part, np.arange(0, part.length, step)) for part in shapely.get_parts(rim)]
    found += [shapely.get_coordinates(part) for part in parts]
    if shape.area > 0:
        x0, y0, x1, y1 = shape.bounds
        p = rng.uniform((x0, y0), (x1, y1), (80, 2))
        found.append(p[shapely.intersects_xy(shape, p[:, 0], p[:, 1])])
    return np.concatenate(found)


@dataclass(frozen=True)
class Sample:
    """What a dense sample sees: any line clear by the tape, and the shortest clear by both laws (None: none)."""

    seen: bool
    shortest: float | None


def sampled(scene: Scene, law: SightLaw, seed: int = 0, rounds: int = 5) -> Sample:
    """Return what all pairs of sampled points see, the best of them moved about at random to shorten them."""
    rng = np.random.default_rng(seed)
    p, q = points_of(scene.a, rng), points_of(scene.b, rng)
    s, e = np.repeat(p, len(q), 0), np.tile(q, (len(p), 1))
    tape = clear_lines(scene.table, s, e, law)
    both = tape & clear_lines(scene.table, s, e, law, tolerance=0.0)
    if not both.any():
        return Sample(bool(tape.any()), None)
    s, e = _best(s, e, both)
    for k in range(rounds):
        scale = 0.3 * 0.4**k
        s2 = np.concatenate([s, _near(scene.a, s, scale, rng)])
        e2 = np.concatenate([e, _near(scene.b, e, scale, rng)])
        ok = clear_lines(scene.table, s2, e2, law) & clear_lines(scene.table, s2, e2, law, tolerance=0.0)
        s, e = _best(s2, e2, ok)
    return Sample(True, float(np.hypot(*(s[0] - e[0]))))


def _best(s: np.ndarray, e: np.ndarray, ok: np.ndarray, most: int = 20) -> tuple[np.ndarray, np.ndarray]:
    which = np.nonzero(ok)[0]
    order = which[np.argsort(np.hypot(*(s[which] - e[which]).T))[:most]]
    return s[order], e[order]


def _near(shape: BaseGeometry, points: np.ndarray, scale: float, rng: np.random.Generator) -> np.ndarray:
    """Return points moved about, each put back on the rim of the shape."""
    moved = np.repeat(points, 30, 0) + rng.normal(0, scale, (30 * len(points), 2))
    rim = shape.boundary if shape.area > 0 else shape
    lines = shapely.shortest_line(rim, shapely.points(moved))
    return shapely.get_coordinates(shapely.get_point(lines, 0))
