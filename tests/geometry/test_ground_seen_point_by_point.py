"""The ground seen from an eye is the ground to which lines from it are clear."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.geometry.sight.field_of_view import seen_from
from tabletop.geometry.sight.law import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces

LAWS = {"usual": SightLaw(), "deep_shadow": SightLaw(deep_shadow=True), "hills_block": SightLaw(hills_block=False)}
HAIR = 0.02


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("seed", range(8))
def test_a_point_is_seen_just_when_its_line_is_clear(seed: int, law: SightLaw) -> None:
    """TSE-LOS-05 to 17: from eyes on hills, in woods and in the open; but within a hair of where sight changes."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, 4, 10))
    for eye in rng.uniform((1.0, 1.0), (WIDE - 1.0, HIGH - 1.0), (3, 2)).tolist():
        seen, points = seen_from(table, eye, law), rng.uniform((0.0, 0.0), (WIDE, HIGH), (1200, 2))
        points = points[shapely.distance(shapely.boundary(seen), shapely.points(points)) > HAIR]
        clear = clear_lines(table, np.tile(eye, (len(points), 1)), points, law)
        assert len(points) > 600
        assert shapely.intersects_xy(seen, *points.T).tolist() == clear.tolist()


def along(seen: shapely.Geometry, eye: tuple[float, float]) -> list[tuple[float, float]]:
    """From where to where ground due east of an eye is seen."""
    parts = shapely.get_parts(shapely.intersection(seen, shapely.LineString([eye, (30.0, eye[1])])))
    lines = [part.bounds for part in parts if part.length > 1e-6]
    return sorted((west - eye[0], east - eye[0]) for west, _, east, _ in lines)


@pytest.mark.parametrize("level", [0, 1])
def test_a_wood_on_ones_own_hill_is_seen_into(level: int) -> None:
    """TSE-LOS-10: three inches, from the eye on the same ground."""

    def box(kind: str, x0: float, x1: float, at: int) -> Terrain:
        return Terrain.of_kind(kind, kind, outline=[(x0, 4), (x1, 4), (x1, 16), (x0, 16)], level=at)

    hill = [box("hill", 1.0, 24.0, 1)] if level else []
    table = Table.of("in", 30, 20, [*hill, box("woods", 10.0, 16.0, level)])
    seen = seen_from(table, (4.0, 10.0), SightLaw())
    assert along(seen, (4.0, 10.0)) == [pytest.approx((0.0, 9.0), abs=HAIR)]
    out = along(seen_from(table, (14.0, 10.0), SightLaw()), (14.0, 10.0))
    assert out[-1][1] == pytest.approx(16.0, abs=HAIR) if level == 0 else out[0][0] == 0.0
    assert seen.area > 80.0
