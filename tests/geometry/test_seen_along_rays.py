"""What is seen along a ray is what the law says of every point of it."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.geometry.field_of_view import seen_from
from tabletop.geometry.seen_along import Rays, Sectors
from tabletop.geometry.sight.law import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces

LAWS = {"usual": SightLaw(), "deep_shadow": SightLaw(deep_shadow=True), "hills_block": SightLaw(hills_block=False)}
HAIR = 6e-3


def stretches(rays: Rays, eye: tuple[float, float], angles: np.ndarray) -> list[list[tuple[float, float]]]:
    """What is seen along rays from an eye: the middles of sectors of no width to speak of."""
    seen = rays.seen(Sectors(np.tile(eye, (len(angles), 1)), angles - 1e-9, angles + 1e-9))
    found: list[list[tuple[float, float]]] = [[] for _ in angles]
    for k, near, far in zip(seen.sector.tolist(), seen.near[:, 0].tolist(), seen.far[:, 0].tolist(), strict=True):
        found[k].append((near, far))
    return found


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("seed", range(8))
def test_a_point_of_a_ray_is_seen_just_when_its_line_is_clear(seed: int, law: SightLaw) -> None:
    """TSE-LOS-05 to 17: from eyes on hills, in woods and in the open; but within a hair of where sight changes."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, 4, 10))
    compared = 0
    for eye in rng.uniform((1.0, 1.0), (WIDE - 1.0, HIGH - 1.0), (3, 2)):
        rays = Rays.of(table, law)
        angles = rng.uniform(-np.pi, np.pi, 40)
        u = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        edge = shapely.length(
            shapely.intersection(shapely.linestrings(np.stack([eye + 0 * u, eye + 90 * u], 1)), table.edge)
        )
        for angle, far, seen in zip(
            angles, np.asarray(edge), stretches(rays, tuple(eye.tolist()), angles), strict=True
        ):
            s = rng.uniform(0.01, far, 30)
            ends = np.array([0.0, *(end for stretch in seen for end in stretch)])
            s = s[np.abs(s[:, None] - ends).min(1) > HAIR]
            points = eye + s[:, None] * (np.cos(angle), np.sin(angle))
            clear = clear_lines(table, np.tile(eye, (len(s), 1)), points, law)
            told = np.array([any(a < at < b for a, b in seen) for at in s], bool)
            assert told.tolist() == clear.tolist()
            compared += len(s)
    assert compared > 2_000


@pytest.mark.parametrize("level", [0, 1])
def test_a_wood_on_ones_own_hill_is_seen_into(level: int) -> None:
    """TSE-LOS-10: three inches, from the eye on the same ground."""

    def box(kind: str, x0: float, x1: float, at: int) -> Terrain:
        return Terrain.of_kind(kind, kind, outline=[(x0, 4), (x1, 4), (x1, 16), (x0, 16)], level=at)

    hill = [box("hill", 1.0, 24.0, 1)] if level else []
    table = Table.of("in", 30, 20, [*hill, box("woods", 10.0, 16.0, level)])
    rays = Rays.of(table, SightLaw())
    (seen,) = stretches(rays, (4.0, 10.0), np.zeros(1))
    assert seen == [pytest.approx((0.0, 9.0), abs=HAIR)]
    (out,) = stretches(rays, (14.0, 10.0), np.zeros(1))
    assert out[-1][1] == pytest.approx(16.0, abs=HAIR) if level == 0 else out[0][0] == 0.0
    assert seen_from(table, (4.0, 10.0), SightLaw()).area > 80.0
