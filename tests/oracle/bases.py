"""Random pairs of bases and points, more than half of them at a limit: flush, collinear, exactly at a distance.

Poses are whole numbers of 1/2048 inch (half a grid step) and of 1/64 degree, so the product can hold each exactly.
"""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import NamedTuple

from tests.oracle.plane import Rect

K = 2048
WIDTHS = (1.0, 1.0, 2.0)
DEPTHS = (0.75, 1.0, 1.25)


class Pose(NamedTuple):
    """A base in exact numbers: centre, facing in 1/64 degrees, frontage, depth."""

    x: Fraction
    y: Fraction
    facing: int
    frontage: Fraction
    depth: Fraction

    @property
    def rect(self) -> Rect:
        return Rect(*self)


def grid(value: float) -> Fraction:
    """The nearest whole number of half grid steps."""
    return Fraction(round(value * K), K)


def facing(rng: Random) -> int:
    """Quarter turns, multiples of 45 degrees, or any 1/64 degree."""
    return (
        rng.choice((90 * rng.randrange(4), 45 * rng.randrange(8))) * 64 if rng.random() < 0.6 else rng.randrange(23040)
    )


def pose(rng: Random, x: float = 20.0, y: float = 20.0, spread: float = 6.0) -> Pose:
    """A base somewhere about (x, y)."""
    return Pose(
        grid(rng.uniform(x - spread, x + spread)),
        grid(rng.uniform(y - spread, y + spread)),
        facing(rng),
        Fraction(rng.choice(WIDTHS)),
        Fraction(rng.choice(DEPTHS)),
    )


def nudge(rng: Random) -> float:
    """Nothing, half a grid step, a step, or just under and over the tolerance."""
    return rng.choice((0, 0, 0, 1, -1, 2, -2, 10, -10, 11, -11)) / K


def beside(rng: Random, a: Pose, gap: float) -> Pose:
    """A base ``gap`` away from ``a`` in its own frame: straight ahead, abreast, or off a corner; often parallel."""
    turn = rng.choice((0, 0, 90, 180, 270, 45, None))
    turned = (a.facing + (rng.randrange(23040) if turn is None else turn * 64)) % 23040
    w, d = Fraction(rng.choice(WIDTHS)), Fraction(rng.choice(DEPTHS))
    half_w, half_d = _extent(turned - a.facing, float(w), float(d))
    aw, ad = float(a.frontage) / 2, float(a.depth) / 2
    gap += nudge(rng)
    where = rng.choice(("ahead", "ahead", "abreast", "corner", "behind"))
    slide = rng.choice((0.0, 0.0, aw + half_w, rng.uniform(-2, 2)))
    if where == "ahead":
        l, f = slide, ad + half_d + gap
    elif where == "behind":
        l, f = slide, -ad - half_d - gap
    elif where == "abreast":
        l, f = aw + half_w + gap, rng.choice((0.0, ad + half_d, rng.uniform(-1, 1)))
    else:
        l, f = aw + half_w + gap * 0.6, ad + half_d + gap * 0.8
    s, c = _sine(a.facing)
    return Pose(grid(float(a.x) + f * s + l * c), grid(float(a.y) + f * c - l * s), turned, w, d)


def _sine(sixty_fourths: int) -> tuple[float, float]:
    angle = math.radians(sixty_fourths / 64)
    return math.sin(angle), math.cos(angle)


def _extent(turn: int, w: float, d: float) -> tuple[float, float]:
    s, c = (abs(v) for v in _sine(turn))
    return (w * c + d * s) / 2, (w * s + d * c) / 2


def pair(rng: Random, limits: tuple[float, ...]) -> tuple[Pose, Pose]:
    """Two bases: anywhere, or exactly one of the ``limits`` apart give or take a step."""
    a = pose(rng)
    if rng.random() < 0.35:
        return a, pose(rng, float(a.x), float(a.y), rng.choice((1.5, 4.0, 12.0)))
    return a, beside(rng, a, rng.choice(limits))


def line(rng: Random, n: int) -> list[Pose]:
    """n bases side by side, flush where the heading allows."""
    first = pose(rng)
    s, c = _sine(first.facing)
    step = float(first.frontage)
    return [
        first._replace(x=grid(float(first.x) + i * step * c), y=grid(float(first.y) - i * step * s)) for i in range(n)
    ]


def at_arc_edge(rng: Random, a: Pose) -> tuple[Fraction, Fraction]:
    """A point about the arc of ``a``: on a flank ray, on the front line, at a corner, or anywhere."""
    w, f = float(a.frontage) / 2, rng.choice((0.0, 0.5, 1.0, 3.0, rng.uniform(0, 12)))
    side = rng.choice((-1, 1))
    where = rng.random()
    if where < 0.5:
        l, ahead = side * (w + f + nudge(rng)), f
    elif where < 0.75:
        l, ahead = rng.uniform(-w - 1, w + 1), nudge(rng)
    else:
        l, ahead = rng.uniform(-8, 8), rng.uniform(-4, 8)
    s, c = _sine(a.facing)
    ahead += float(a.depth) / 2
    return grid(float(a.x) + ahead * s + l * c), grid(float(a.y) + ahead * c - l * s)
