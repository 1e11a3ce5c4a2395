"""The short cuts of the search for sight change nothing: with each of them taken away the same is found."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely

from tabletop.geometry import line_of_sight
from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, clear_lines, seen_by, sight
from tabletop.geometry.sight import search, shortest
from tabletop.geometry.sight.relevant_rulings import bearing, between
from tests.geometry.sight_scenes import Scene, open_field, unit

LAW = SightLaw()
#: How nearly two searches that narrow differently agree (table units).
NEARLY = 2e-4
COUNTS = [20, pytest.param(1_500, marks=pytest.mark.sweep)]
LAWS = {
    "thin_wood_transparent": SightLaw(thin_wood_transparent=True),
    "hills_block": SightLaw(hills_block=False),
    "own_hill_exempt": SightLaw(own_hill_exempt=False),
    "deep_shadow": SightLaw(deep_shadow=True),
    "crest_edge": SightLaw(crest_edge=True),
}


def scenes(count: int, first: int = 40_000) -> list[tuple[Scene, tuple[InterveningUnit, ...]]]:
    """Crowded tables, every other one with units in the way, on ground of any level."""
    found = []
    for seed in range(first, first + count):
        scene, rng = open_field(seed, hills=4, obstructions=8), np.random.default_rng(seed)
        areas = [shapely.difference(unit(rng), shapely.union(scene.a, scene.b)) for _ in range(3 * (seed % 2))]
        intervening = [
            InterveningUnit(area, k, 0.5, f"unit{k}") for k, area in enumerate(areas) if area.geom_type == "Polygon"
        ]
        if not shapely.intersects(scene.a, scene.b):
            found.append((scene, tuple(intervening)))
    return found


def answers(all_: list[tuple[Scene, tuple[InterveningUnit, ...]]], law: SightLaw = LAW) -> list[float]:
    """The distances seen, inf where nothing is, worked out afresh."""
    forget()
    lengths = [sight(scene.table, scene.a, scene.b, law, intervening).distance for scene, intervening in all_]
    return [math.inf if length is None else length for length in lengths]


@cache
def by_default(count: int) -> list[float]:
    """The distances seen in the first so many scenes by the search as it is: to be asked before it is changed."""
    return answers(scenes(count))


def forget() -> None:
    shortest.forget()
    for memory in (line_of_sight._SIGHTS, shortest._ANSWERS, line_of_sight._BETWEEN):
        memory.kept.clear()


def alike(found: list[float], other: list[float]) -> None:
    assert np.isfinite(found).any() and np.isinf(found).any(), "the scenes must put the question"
    assert np.array_equal(np.isinf(found), np.isinf(other))
    seen = np.isfinite(found)
    assert np.allclose(np.array(found)[seen], np.array(other)[seen], rtol=0.0, atol=NEARLY)


@pytest.mark.parametrize("count", COUNTS)
def test_telling_at_once_that_walls_close_all_changes_nothing(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-05."""
    found = by_default(count)
    monkeypatch.setattr(shortest.Search, "shut_off", lambda *_: False)
    alike(found, answers(scenes(count)))


@pytest.mark.parametrize("count", COUNTS)
def test_bundles_looked_at_a_few_at_a_time_change_nothing(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor how many corners are tried in pairs."""
    found = by_default(count)
    monkeypatch.setattr(search, "TOGETHER", 32)
    monkeypatch.setattr(search, "FULL", 1)
    monkeypatch.setattr(search, "FEW", 2)
    alike(found, answers(scenes(count)))


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.sweep)])
def test_choices_that_bear_on_nothing_change_nothing(
    law: SightLaw, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TSE-LOS-07, 10, 16, 17: lines between two shapes are clear alike under the law told by what bears on it."""
    rng = np.random.default_rng(count)
    for scene, intervening in scenes(count, 60_000):
        told = bearing(law, between(scene.table, scene.a, scene.b), intervening)
        starts, ends = (_points(rng, shape) for shape in (scene.a, scene.b))
        one, other = (clear_lines(scene.table, starts, ends, some, intervening) for some in (law, told))
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("law", [LAW, *LAWS.values()], ids=["default", *LAWS])
def test_any_line_is_found_where_the_shortest_is(law: SightLaw) -> None:
    """TSE-LOS-01: what answers a brief question is clear, and is there exactly when the target is seen."""
    for scene, intervening in scenes(24, 70_000):
        forget()
        line = seen_by(scene.table, scene.a, scene.b, law, (), intervening)
        forget()
        full = sight(scene.table, scene.a, scene.b, law, intervening)
        assert (line is not None) == full.seen
        if line is not None and full.distance is not None:
            assert clear_lines(scene.table, [line[0]], [line[1]], law, intervening)[0]
            longer = full.distance + 0.02
            assert seen_by(scene.table, scene.a, scene.b, law, (), intervening, longer) is not None
            shorter = full.distance - 0.02
            assert seen_by(scene.table, scene.a, scene.b, law, (), intervening, shorter) is None


def test_one_answer_is_remembered_for_laws_that_differ_in_nothing_there() -> None:
    """On a bare table all laws are one; a wood between makes two of them differ."""
    scene = open_field(1, hills=0, obstructions=1)
    bare = replace(scene, table=type(scene.table).of("in", 26.0, 20.0))
    told = {bearing(law, between(bare.table, bare.a, bare.b)) for law in LAWS.values()}
    assert told == {LAW}


def _points(rng: np.random.Generator, shape: shapely.Geometry, count: int = 60) -> np.ndarray:
    """Points of a shape: its corners and some along its rim."""
    rim = shapely.boundary(shape) if shapely.get_dimensions(shape) == 2 else shape
    along = shapely.line_interpolate_point(shapely.line_merge(rim), rng.uniform(0, 1, count), normalized=True)
    return shapely.get_coordinates(along)
