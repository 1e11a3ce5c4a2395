"""Margins that turn on a base fitting into a piece of terrain that hardly holds it: few shifts put it inside."""

import random
from dataclasses import replace

import pytest
import shapely
from shapely import affinity

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import GRID
from tabletop.geometry.terrain import Terrain
from tabletop.judge import judge
from tabletop.judge.fits import fits
from tabletop.judge.things import Placement, Thing, placed, things_of
from tabletop.play.files.opened import open_battle
from tests.bases import rectangles

RADIUS, APART = 2.0, 0.3


def test_shift_into_a_village_that_just_holds_a_base_changes_its_cover() -> None:
    battle = open_battle("quatre-bras")
    options = {"from": "brunswick-light", "assault": True}
    verdict = judge(battle, "cover", ("soye",), options)
    assert not verdict.holds and verdict.closeness is not None and verdict.closeness.shifted is not None
    by = verdict.closeness.shifted
    assert by.id in ("soye", "grand-pierrepont") and by.shift is not None
    assert verdict.closeness.shift == pytest.approx(1.344, abs=0.02)
    thing = next(thing for thing in things_of(battle) if thing.id == by.id)
    there = placed(battle, (Placement(thing, by.shift).body(),))
    assert judge(there, "cover", ("soye",), options | {"margin": False}).holds


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("room", "fit"), [(0.02, True), (0.2, True), (-0.02, False)])
def test_fits_are_shifts_that_put_a_base_inside(seed: int, room: float, fit: bool) -> None:
    """One rectangle of terrain has ``room`` more than a base each way, and lies near it in the base's own direction."""
    rng = random.Random(f"fits {seed}")
    unit, base, village = base_and_village(rng, room)
    placements = list(fits((Thing(unit), Thing(village)), 1, RADIUS, APART))
    assert bool(placements) == fit
    for placement in placements:
        body = placement.body()
        area = body.shape if isinstance(body, Terrain) else village.shape
        bases = body.bases if isinstance(body, Unit) else unit.bases
        off = 2.0 / GRID
        assert any(shapely.covers(shapely.buffer(area, off, join_style="mitre"), one.polygon) for one in bases)
    if fit:
        assert {placement.thing.id for placement in placements} == {unit.id, village.id}
        shortest = min(placement.distance for placement in placements)
        assert shortest <= shapely.distance(village.shape.centroid, base.centroid) + 2.0 / GRID


def test_a_piece_that_holds_a_base_in_many_places_is_left_to_the_rings() -> None:
    unit, _, village = base_and_village(random.Random("wide"), 0.5)
    assert not list(fits((Thing(unit), Thing(village)), 1, RADIUS, APART))
    assert list(fits((Thing(unit), Thing(village)), 1, RADIUS, 0.6))


def base_and_village(rng: random.Random, room: float) -> tuple[Unit, shapely.Polygon, Terrain]:
    """Return a unit in a random facing, one of its bases, and a village with ``room`` for that base nearby."""
    battle = open_battle("quatre-bras")
    unit = battle.unit("soye").turned(rng.uniform(0.0, 360.0))
    base = rng.choice(rectangles(unit.bases))
    x, y = shapely.get_coordinates(base.polygon.centroid)[0]
    wide, deep = base.frontage + room, base.depth + room
    ground = shapely.box(x - wide / 2.0, y - deep / 2.0, x + wide / 2.0, y + deep / 2.0)
    ground = affinity.rotate(ground, -base.facing, "centroid")
    ground = affinity.translate(ground, rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2))
    village = next(piece for piece in battle.table.terrain if piece.id == "grand-pierrepont")
    return unit, base.polygon, replace(village, shape=ground, whole=None)
