"""The ground in reach: every point of it can be gone to."""

from __future__ import annotations

from random import Random

import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.errors import Unreadable
from tabletop.judge import ask
from tabletop.play.files.load import load_scene_data
from tests.games.positions_in_mm import realm_of_chance
from tests.realm import battle, unit


def area_of(scene: Battle, name: str, kind: str | None = None) -> BaseGeometry:
    verdict = ask(scene, "reach", [name], {"as": kind} if kind else {})
    return shapely.union_all([shapely.Polygon(p[0], p[1:]) for p in verdict.measured["area"]])


def points_in(area: BaseGeometry, rng: Random, count: int) -> list[tuple[float, float]]:
    if area.is_empty:
        return []
    x0, y0, x1, y1 = area.bounds
    drawn = [(rng.uniform(x0, x1), rng.uniform(y0, y1)) for _ in range(20 * count)]
    return [p for p in drawn if shapely.contains_xy(area, *p)][:count]


@pytest.mark.parametrize("number", range(10))
def test_every_point_in_reach_can_be_reached(number: int) -> None:
    """ROC-MOV-01, ROC-FRM-02: among friends, enemies, lakes and hills."""
    rng = Random(number)
    try:
        scene = load_scene_data(realm_of_chance(Random(500 + number)))
    except Unreadable:
        return
    for mover in scene.units:
        for point in points_in(area_of(scene, mover.id), rng, 12):
            verdict = ask(scene, "move", [mover.id], {"path": [point]})
            assert verdict.holds, (mover.id, point, verdict.because)


def test_open_ground() -> None:
    """A Prussian battalion: 40 mm straight on, a wheel of 30 degrees leaves half of that."""
    scene = battle(unit("blue", quality="prussian-line", front_mid=[500, 300]))
    area = area_of(scene, "blue")
    assert shapely.contains_xy(area, 500, 339.9) and not shapely.contains_xy(area, 500, 340.2)
    assert shapely.contains_xy(area, 500 + 0.5 * 18, 300 + 0.866 * 18)
    assert not shapely.contains_xy(area, 500 + 0.5 * 21, 300 + 0.866 * 21)


def test_a_general_rides_all_round() -> None:
    """ROC-ORD-04."""
    area = area_of(battle(unit("g", "blue", "general", at=[500, 400])), "g")
    assert shapely.contains_xy(area, 500, 545) and not shapely.contains_xy(area, 500, 551)
