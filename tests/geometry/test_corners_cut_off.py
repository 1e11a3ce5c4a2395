"""What the tape's tolerance lets pass: corners cut off by less than t, of walls and of what casts shadows alike."""

from __future__ import annotations

import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw, clear_lines, sight
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import open_field, sampled

LAWS = {
    "none": SightLaw(),
    "thin_wood_transparent": SightLaw(thin_wood_transparent=True),
    "hills_block": SightLaw(hills_block=False),
    "own_hill_exempt": SightLaw(own_hill_exempt=False),
    "deep_shadow": SightLaw(deep_shadow=True),
    "crest_edge": SightLaw(crest_edge=True),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("seed", [2342, 5319])
def test_what_only_the_tolerance_opens_is_seen(seed: int, law: SightLaw) -> None:
    """TSE-LOS-01, section 0: a few lines in thousands are clear, each cutting a corner; one corner is a sharp one."""
    scene = open_field(seed)
    sample = sampled(scene, law)
    assert sample.seen
    assert sample.shortest is None or law.thin_wood_transparent
    found = sight(scene.table, scene.a, scene.b, law)
    assert found.line is not None
    assert clear_lines(scene.table, [found.line[0]], [found.line[1]], law).all()
    assert sight(scene.table, scene.b, scene.a, law).distance == found.distance


@pytest.mark.parametrize(("deep", "seen"), [(0.0045, True), (0.0055, False)])
def test_a_corner_cut_off_casts_no_shadow(deep: float, seen: bool) -> None:
    """TSE-LOS-06: from level 1 through two slits, over the corner of a wood that would hide the target."""
    hill = Terrain.of_kind("k", "hill", outline=[(3, 8), (6, 8), (6, 12), (3, 12)], level=1)
    low = 10.0 - deep / 2
    wood = Terrain.of_kind("w", "woods", outline=[(11, low), (12, low + 1), (11, low + 2), (10, low + 1)], level=0)
    slits = [
        Terrain.of_kind(name, "building", outline=[(x, y), (x + 0.3, y), (x + 0.3, z), (x, z)], level=1)
        for name, x, y, z in (("1", 8, 0, 10), ("2", 8, 10.0002, 20), ("3", 14, 0, 10), ("4", 14, 10.0002, 20))
    ]
    table = Table.of("in", 40, 30, [hill, wood, *slits])
    found = sight(table, shapely.box(4, 9.5, 6, 10.5), shapely.box(15, 9.5, 15.5, 10.5), SightLaw())
    assert found.seen is seen
    if found.distance is not None:
        assert found.distance == pytest.approx(9.0, abs=1e-3)
