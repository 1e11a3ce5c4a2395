"""The grid over the table, and outlines carried straight, beside plain polygons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.movement.ground import Patches
from tabletop.geometry.movement.leg_cost import straight_toll
from tabletop.geometry.movement.stretches import lines_spans, outlines_spans
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tests.field import Field
from tests.playing import unit

HAIR = 2e-4


def area(rng: np.random.Generator, size: float) -> Any:
    """Return some polygons with oblique sides, needles among them."""
    found = []
    for _ in range(int(rng.integers(1, 6))):
        corners = rng.uniform(0.0, size, 2) + rng.normal(
            0.0, rng.choice([0.05, 0.5, 2.0]), (int(rng.integers(3, 8)), 2)
        )
        found.append(shapely.convex_hull(shapely.MultiPoint(corners)))
    return shapely.intersection(shapely.union_all(found), shapely.box(0.0, 0.0, size, size))


def outlines(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return closed rings (count, 5, 2) of boxes at any angle."""
    found = []
    for _ in range(count):
        w, d = rng.uniform(0.2, 1.5, 2)
        box = shapely.affinity.rotate(shapely.box(-w, -d, w, d), float(rng.choice([0.0, 90.0, rng.uniform(0, 360)])))
        found.append(shapely.get_coordinates(box) + rng.uniform(0.0, 8.0, 2))
    return np.array(found)


def within(spans: list[tuple[float, float]], at: float) -> bool | None:
    """Return whether a place lies in one of some stretches; None within a hair of an end."""
    if any(abs(at - end) < HAIR for span in spans for end in span):
        return None
    return any(low < at < high for low, high in spans)


@pytest.mark.parametrize("seed", range(20))
def test_an_outline_carried_straight_is_in_ground_where_it_overlaps_it(seed: int) -> None:
    """TSE-MOV-06, by the ruling that the whole footprint is traced: at every place of the way."""
    rng = np.random.default_rng(seed)
    parts = [p for p in shapely.get_parts(area(rng, 9.0)) if shapely.area(p) > 1e-3]
    if not parts:
        return
    patches, ground = Patches.of(shapely.MultiPolygon(parts), ()), shapely.union_all(parts)
    rings, ways = outlines(rng, 6), rng.normal(0.0, 3.0, (6, 2))
    charges = np.hypot(*ways.T) * rng.uniform(0.5, 2.0, 6)
    for ring, way, charge, spans in zip(
        rings, ways, charges, outlines_spans(rings, ways, charges, patches), strict=True
    ):
        for share in rng.uniform(0.0, 1.0, 25):
            there = shapely.Polygon(ring + share * way)
            told = within(spans, float(share * charge))
            deep = float(shapely.area(shapely.intersection(there, ground)))
            if told is not None and (deep > 1e-5 or shapely.distance(there, ground) > 1e-5):
                assert told == (deep > 1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_a_point_carried_straight_is_in_ground_where_it_lies_in_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [p for p in shapely.get_parts(area(rng, 9.0)) if shapely.area(p) > 1e-3]
    if not parts:
        return
    patches, ground = Patches.of(shapely.MultiPolygon(parts), ()), shapely.union_all(parts)
    starts, ways = rng.uniform(0.0, 9.0, (8, 2)), rng.normal(0.0, 4.0, (8, 2))
    charges = np.hypot(*ways.T) * rng.uniform(0.5, 2.0, 8)
    for start, way, charge, spans in zip(
        starts, ways, charges, lines_spans(starts, ways, charges, patches), strict=True
    ):
        for share in rng.uniform(0.0, 1.0, 25):
            told = within(spans, float(share * charge))
            if told is not None:
                assert told == bool(shapely.contains_xy(ground, *(start + share * way)))


@pytest.mark.parametrize("bend", [(), ((0.0, -1.0),), ((0.5, -1.5),)])
def test_the_last_leg_of_a_fall_back_is_priced_from_where_it_begins(bend: tuple[tuple[float, float], ...]) -> None:
    """TSE-INV-01: the ground under that leg, not under another."""
    field = Field()
    wood = field.box("wood", "woods", (-2.0, 2.0), (-6.0, -2.25))
    battle = field.battle(unit(), wood)
    own = battle.unit("a")
    spending = Spending.of(battle, own, 5.0, "rear")
    for direction in (180.0, 200.0):
        ((length, full),) = spending.lengths([(bend, direction)])
        way = np.array([np.sin(np.radians(direction)), np.cos(np.radians(direction))]) * spending.left(bend)
        at = bend[-1] if bend else (0.0, 0.0)
        bases = [b.moved(*at) for b in spending.bases]
        toll = straight_toll(bases, float(way[0]), float(way[1]), spending.ground, spending.law)
        assert full
        assert length == pytest.approx(toll.affordable(spending.left(bend)))
        assert length < spending.left(bend) - 0.1
