"""Ground seen: never claims what the law hides, and misses little of what it shows."""

from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen, seen_from, views
from tabletop.geometry.sight.law import SightLaw, clear_lines
from tabletop.geometry.terrain import Table, Terrain

WOOD = Terrain.of_kind("wood", "woods", outline=[(10, 8), (14, 8), (14, 12), (10, 12)])


def box(name: str, kind: str, west: float, south: float, east: float, north: float, **keys: Any) -> Terrain:
    return Terrain.of_kind(name, kind, outline=[(west, south), (east, south), (east, north), (west, north)], **keys)


def broken_ground(seed: int) -> Table:
    """A table with a two-level hill, woods on both grounds, a town and houses, scattered by ``seed``."""
    draw = np.random.default_rng(seed)
    pieces = [box("h1", "hill", 4, 4, 16, 14, level=1), box("h2", "hill", 7, 6, 12, 12, level=2)]
    for k, kind in enumerate(["woods", "woods", "woods", "town", "building", "hill"]):
        x, y = draw.uniform((2, 2), (26, 20))
        w, h = draw.uniform(1, 4, 2)
        turn = draw.uniform(0, 90)
        shape = shapely.affinity.rotate(shapely.box(x, y, x + w, y + h), turn)
        pieces.append(Terrain.of_kind(f"p{k}", kind, outline=shapely.get_coordinates(shape)[:-1].tolist()))
    return Table.of("in", 30, 24, pieces)


def test_open_ground_is_all_seen() -> None:
    assert seen_from(Table.of("in", 30, 20), (7.0, 5.0), SightLaw()).area == pytest.approx(600.0)


def test_a_wood_hides_what_lies_behind_and_shows_three_inches_of_itself() -> None:
    """TSE-LOS-05, TSE-LOS-10: the exact figures of one wood seen square on."""
    seen = seen_from(Table.of("in", 30, 20, [WOOD]), (2.0, 10.0), SightLaw())
    assert seen.covers(shapely.Point(12.9, 10.0))
    assert not seen.covers(shapely.Point(13.05, 10.0))
    assert not seen.covers(shapely.Point(20.0, 10.0))
    assert seen.covers(shapely.Point(20.0, 16.0))


@pytest.mark.parametrize("level, ends_at", [(1, 16.0), (2, 12.0), (3, 10.0)])
def test_the_shadow_ends_where_the_diagram_says(level: int, ends_at: float) -> None:
    """TSE-LOS-06, TSE-LOS-07: far side at 8 from the eye; shadow 8, 4, 2."""
    hill = box("hill", "hill", 0, 8, 4, 12, level=level)
    wood = box("wood", "woods", 6, 4, 10, 16)
    seen = seen_from(Table.of("in", 40, 20, [hill, wood]), (2.0, 10.0), SightLaw())
    assert not seen.covers(shapely.Point(2.0 + ends_at - 0.05, 10.0))
    assert seen.covers(shapely.Point(2.0 + ends_at + 0.05, 10.0))


@pytest.mark.parametrize("seed", range(6))
def test_against_the_law_point_by_point(seed: int) -> None:
    """2,000 points a table: none claimed that the law hides, under half a percent missed."""
    table, draw = broken_ground(seed), np.random.default_rng(seed + 100)
    eye = tuple(draw.uniform((1, 1), (29, 23)).tolist())
    points = draw.uniform((0, 0), (30, 24), (2000, 2))
    clear = clear_lines(table, np.tile(eye, (len(points), 1)), points, SightLaw())
    seen = seen_from(table, eye, SightLaw())
    claimed = shapely.intersects_xy(seen.buffer(-0.02), points[:, 0], points[:, 1])
    missed = clear & ~shapely.intersects_xy(seen, points[:, 0], points[:, 1])
    assert not (claimed & ~clear).any()
    assert missed.mean() < 0.005


@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_claimed_that_the_law_hides_and_next_to_nothing_missed(seed: int) -> None:
    """Points drawn inside what is seen, hard by its borders too, and all over the rest; under several laws."""
    table, draw = broken_ground(seed), np.random.default_rng(seed + 200)
    laws = SightLaw(), SightLaw(thin_wood_transparent=True), SightLaw(deep_shadow=True, own_hill_exempt=False)
    law = (*laws, SightLaw(crest_edge=True), SightLaw(crest_edge=True, hills_block=False))[seed % 5]
    eyes = draw.uniform((1, 1), (29, 23), (4, 2))
    for eye, seen in zip(eyes, views(table, [tuple(e) for e in eyes.tolist()], law), strict=True):
        assert seen.is_valid
        line: Any = shapely.boundary(seen)
        border = shapely.line_interpolate_point(line, draw.uniform(0, float(shapely.length(line)), 400))
        points = shapely.get_coordinates(border) + draw.normal(0, 0.05, (400, 2))
        points = np.clip(np.concatenate([points, draw.uniform((0, 0), (30, 24), (1500, 2))]), 0.0, (30.0, 24.0))
        clear = clear_lines(table, np.tile(eye, (len(points), 1)), points, law)
        inside = shapely.intersects_xy(seen, points[:, 0], points[:, 1])
        off = shapely.distance(shapely.points(points), seen.boundary)
        assert not (inside & ~clear & (off > 0.03)).any()
        assert (clear & ~inside & (off > 0.03)).mean() < 0.001


def test_deep_in_a_wood_one_sees_a_circle_of_three_inches() -> None:
    """TSE-LOS-10: drawn by chords of fifteen degrees at the most, though no corner of anything is in sight."""
    seen = seen_from(Table.of("in", 30, 20, [box("deep", "woods", 5, 3, 25, 17)]), (15.0, 10.0), SightLaw())
    assert 24 * 0.5 * 9.0 * np.sin(np.radians(15.0)) - 1e-6 <= seen.area <= np.pi * 9.0


@pytest.mark.parametrize("law", [SightLaw(), SightLaw(thin_wood_transparent=True)], ids=["usual", "thin"])
@pytest.mark.parametrize("eye", [(14.0, 10.0), (15.5, 10.0), (11.0, 5.0)])
def test_from_within_a_wood_one_sees_out_of_it_as_the_law_says(eye: tuple[float, float], law: SightLaw) -> None:
    """TSE-LOS-10: the way out of the eye's own wood closes nothing; what it crosses before it goes in again may."""
    table = Table.of("in", 30, 20, [box("own", "woods", 10, 4, 16, 16), box("house", "building", 18, 9, 18.5, 11)])
    seen = seen_from(table, eye, law)
    x, y = (c.ravel() for c in np.meshgrid(np.linspace(0.1, 29.9, 61), np.linspace(0.1, 19.9, 41)))
    clear = clear_lines(table, np.tile(eye, (len(x), 1)), np.stack([x, y], axis=1), law)
    off = shapely.distance(shapely.points(x, y), seen.boundary) > 0.03
    assert (shapely.intersects_xy(seen, x, y)[off] == clear[off]).all()
    assert clear[off].sum() > 100


def test_corners_of_the_table_seen_past_the_end_of_a_shadow() -> None:
    """Ground that shows only at one side of a sector between corners: a shadow ends beyond the table there."""
    hill = box("hill", "hill", 0, 8, 4, 12, level=1)
    wood = box("wood", "woods", 9, 2, 10, 18)
    table = Table.of("in", 20, 20, [hill, wood])
    seen = seen_from(table, (2.0, 10.0), SightLaw())
    assert seen.area > 150.0
    for x in np.linspace(18.05, 19.95, 20).tolist():
        for y in np.linspace(0.05, 19.95, 41).tolist():
            clear = bool(clear_lines(table, [(2.0, 10.0)], [(x, y)], SightLaw())[0])
            if shapely.distance(shapely.Point(x, y), seen.boundary) > 0.03:
                assert clear == bool(seen.covers(shapely.Point(x, y))), (x, y)


def test_many_eyes_together_see_what_each_sees() -> None:
    table, draw = broken_ground(3), np.random.default_rng(5)
    eyes = [(float(x), float(y)) for x, y in draw.uniform((1, 1), (29, 23), (12, 2))]
    for eye, seen in zip(eyes, views(table, eyes, SightLaw()), strict=True):
        assert seen.area == pytest.approx(seen_from(table, eye, SightLaw()).area, rel=1e-9)


def test_more_eyes_see_more() -> None:
    table = broken_ground(2)
    one, two = (1.0, 12.0), (1.0, 16.0)
    both = ground_seen(table, [one, two], SightLaw())
    assert both.area >= max(seen_from(table, eye, SightLaw()).area for eye in (one, two)) - 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_front_misses_less_than_one_hundredth(seed: int) -> None:
    """Against all that eyes five times as dense see; and it claims nothing that neither these nor its own see."""
    table, draw = broken_ground(seed), np.random.default_rng(seed + 300)
    x, y = draw.uniform((4, 4), (22, 18))
    front = [np.array([[x, y], [x + 3.0, y + 0.5]])]
    corners = np.array([[x, y], [x + 3.0, y + 0.5], [x + 3.2, y - 0.5], [x + 0.2, y - 1.0]])
    eyes = eyes_along(front, corners)
    seen = ground_seen(table, eyes, SightLaw())
    truth = shapely.union_all(views(table, [*eyes, *eyes_along(front, corners, 0.025)], SightLaw()))
    assert seen.is_valid
    assert seen.area > 0.99 * truth.area
    assert shapely.area(shapely.difference(seen, truth)) < 1e-6 * truth.area


def test_it_can_be_stopped() -> None:
    assert ground_seen(broken_ground(1), [(1.0, 1.0)], SightLaw(), should_stop=lambda: True).is_empty


def test_eyes_stand_along_the_front_and_at_the_corners() -> None:
    front = [np.array([[0.0, 1.0], [2.0, 1.0]])]
    corners = np.array([[0.0, 1.0], [2.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    eyes = eyes_along(front, corners)
    assert len(eyes) == len(set(eyes)) == 23
    assert len(eyes_along(front, corners, step=1.5)) == 5
    assert (1.0, 1.0) in eyes
    assert {(0.0, 1.0), (2.0, 1.0), (2.0, 0.0), (0.0, 0.0)} <= set(eyes)
