"""Parts of the measuring one by one, exactly where one case becomes another."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.arc import Front
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.movement.motion import Body, Pivot, Straight, steps_along
from tabletop.geometry.sight.cell_pair import pair_of
from tabletop.geometry.sight.cells import Cell
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.sight.obstruction import SightObstruction, ground_of
from tabletop.geometry.sight.parallel_lines import parallel_lines_of
from tabletop.geometry.terrain import Table, Terrain

# --- cells ------------------------------------------------------------------------------------------------------------


def test_a_segment_has_sides_and_ends() -> None:
    """A cell may be a front edge: closed along it and at both ends."""
    normals, levels = Cell(np.array([(1.0, 2.0), (4.0, 2.0)]), 0, frozenset()).sides
    found = {(round(x), round(y)): float(level) for (x, y), level in zip(normals.tolist(), levels, strict=True)}
    assert found == {(0, 1): 2.0, (0, -1): -2.0, (1, 0): 4.0, (-1, 0): -1.0}


# --- lines beside a line ----------------------------------------------------------------------------------------------

FRONT = Front.of(Base(0.0, -0.5, 0.0, 2.0, 1.0))


@pytest.mark.parametrize("side", [-1.0, 1.0])
@pytest.mark.parametrize(("off", "wide"), [(0.5, True), (0.5 + 2.0**-40, False), (0.25, True)])
def test_a_target_that_begins_as_far_beside_a_line_as_the_tolerance(side: float, off: float, wide: bool) -> None:
    """TSE-COV-09: its facing edge, grown by the tolerance, reaches just to within it of the line."""
    near, far = sorted((side * off, side * 3.0))
    lines = parallel_lines_of(((0.0, 0.0), (0.0, 4.0)), [FRONT], shapely.box(near, 4.0, far, 5.0), 0.25)
    assert (lines.low, lines.high) == ((min(0.0, side), max(0.0, side)) if wide else (0.0, 0.0))


# --- woods that hold an end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "crest"), [((1, 1), False), ((1, 0), True)])
def test_a_crest_bounds_only_who_looks_down(levels: tuple[int, int], crest: bool) -> None:
    """TSE-LOS-17, by the ruling that one sees down from the edge alone: between equal heights no crest counts."""
    law = SightLaw(crest_edge=True)
    hill = Terrain.of_kind("hill", "hill", outline=[(1, 1), (6, 1), (6, 9), (1, 9)], level=1)
    other = Terrain.of_kind("other", "hill", outline=[(12, 1), (18, 1), (18, 9), (12, 9)], level=1)
    ground = ground_of(Table.of("in", 20, 10, [hill, other] if levels[1] else [hill]))
    obstructions: list[SightObstruction] = list(ground.obstructions)
    a = Cell(np.array([(2.0, 4.0), (3.0, 4.0), (3.0, 5.0)]), levels[0], frozenset([obstructions[0].index]))
    holds = frozenset([obstructions[1].index]) if levels[1] else frozenset[int]()
    b = Cell(np.array([(14.0, 4.0), (15.0, 4.0), (15.0, 5.0)]), levels[1], holds)
    found = pair_of(a, b, ground, law, 0.005)
    assert any(one.crest for one in found.owns) == crest


# --- bodies and steps -------------------------------------------------------------------------------------------------


def test_a_disc_is_a_body_without_a_front() -> None:
    """TSE-LDR-05: its centre leads, and turning costs it nothing."""
    body = Body.of((Disc(3.0, 4.0, 0.5),), (), 30.0)
    assert (body.mid, body.facing, body.width, body.length) == ((3.0, 4.0), 30.0, 0.0, 0.0)
    assert body.axis == ((3.0, 4.0), (3.0, 4.0))


def test_the_body_of_two_ranks() -> None:
    bases = tuple(Base(x, y, 0.0, 1.0, 0.75) for y in (9.0, 8.0) for x in (4.5, 5.5))
    body = Body.of(bases, (0, 1), 0.0)
    assert (body.mid, body.width, body.length) == ((5.0, 9.375), 2.0, 1.75)


@pytest.mark.parametrize(
    ("bearing", "turn"),
    [(10.0, 10.0), (179.5, 179.5), (180.0, 180.0), (180.5, -179.5), (181.5, -178.5), (350.0, -10.0)],
)
@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_turning_the_shorter_way_and_clockwise_when_straight_about(bearing: float, turn: float, facing: float) -> None:
    """TSE-MOV-02, TSE-MOV-03."""
    body = Body.of((Base(0.0, 0.0, facing, 1.0, 0.75),), (0,), facing)
    x, y = body.mid
    way = math.radians(bearing + facing)
    pivot, straight = steps_along(body, [(x + 3.0 * math.sin(way), y + 3.0 * math.cos(way))])
    assert isinstance(pivot, Pivot) and isinstance(straight, Straight)
    assert (pivot.degrees, straight.length) == pytest.approx((turn, 3.0))
    (only,) = steps_along(body, [], (bearing + facing) % 360.0)
    assert isinstance(only, Pivot)
    assert only.degrees == pytest.approx(turn)
    assert steps_along(body, [body.mid], facing) == ()
