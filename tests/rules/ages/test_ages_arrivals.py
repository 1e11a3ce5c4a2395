"""Reinforcements of the four Ages: an entry that is a stretch of the table's edge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Entered
from tabletop.battle.progress import Arrival
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tests import realm
from tests.ages import allowed, why
from tests.destiny import battle, done, unit

RED = unit("red", "red", at=[500, 700])
Spot = tuple[float, float]


def awaiting(*here: Unit, at: Spot = (500, 0), facing: float = 0, **keys: Any) -> Battle:
    """Return a battle in which a blue battalion, 100 mm wide, may come on at a point of the edge."""
    late = unit("late", front_mid=list(at), facing=facing)
    options = {"entry_width": keys.pop("width")} if "width" in keys else {}
    scene = battle(*here, RED, options=options, **keys)
    setup = replace(scene.setup, arrivals=(Arrival(("late",), 1, at, facing),))
    return replace(scene, setup=setup, awaited=(late,))


def in_the_way(x: float = 500, y: float = 10, facing: float = 0) -> Unit:
    """Return a friend who stands at the edge."""
    return unit("friend", at=[x, y], facing=facing)


@pytest.mark.parametrize("options", [{}, {"width": 0}, {"width": {"red": 400}}, {"width": {"friend": 400}}])
def test_without_a_width_a_unit_comes_on_at_its_point_or_not_at_all(options: dict[str, Any]) -> None:
    """AGE-SET-07: the entry is a point unless the scenario says otherwise."""
    assert why(awaiting(in_the_way(), **options), "enter", "late") == {"AGE-MOV-05"}
    assert done(awaiting(in_the_way(700), **options), "enter", "late").battle.unit("late").at == (500.0, 7.5)


@pytest.mark.parametrize(("friend", "x"), [(500, 600), (520, 420), (480, 580), (560, 460), (700, 500)])
@pytest.mark.parametrize("width", [200, {"blue": 200}, {"late": 200}, {"late": 200, "blue": 0}])
def test_a_unit_comes_on_at_the_free_place_nearest_to_the_point(friend: float, x: float, width: Any) -> None:
    """AGE-SET-07: beside the friend in the way, on the nearer side; straight behind him, to its own right."""
    step = done(awaiting(in_the_way(friend), width=width), "enter", "late")
    assert step.battle.unit("late").at == pytest.approx((x, 7.5), abs=0.2)
    entered = next(event for event in step.events if isinstance(event, Entered))
    assert entered.path[0] == pytest.approx((x, 0.0), abs=0.2)
    assert step.battle.unit("late").marks["moved"]


@pytest.mark.parametrize(("width", "free"), [(198, False), (200, True)])
def test_the_place_lies_within_the_entry(width: float, free: bool) -> None:
    """AGE-SET-07: the point may shift by half the width, here by 100 mm."""
    assert allowed(awaiting(in_the_way(), width=width), "enter", "late") is free


@pytest.mark.parametrize(
    ("at", "facing", "friend", "stands"),
    [
        ((1000, 300), 270, (990, 300), (992.5, 400)),
        ((0, 300), 90, (10, 300), (7.5, 200)),
        ((500, 800), 180, (500, 790), (400, 792.5)),
    ],
)
def test_an_entry_lies_along_its_edge(at: Spot, facing: float, friend: Spot, stands: Spot) -> None:
    """AGE-SET-07: on every edge of the table the right is that of the unit as it faces in."""
    scene = awaiting(in_the_way(*friend, facing=facing), at=at, facing=facing, width=200)
    assert done(scene, "enter", "late").battle.unit("late").at == pytest.approx(stands, abs=0.2)


def test_a_unit_does_not_come_on_in_a_lake_nor_over_another_edge() -> None:
    """AGE-SET-07: the free place is on passable ground and wholly on the table."""
    lake = Terrain.of_kind("lake", "lake", outline=[(560, 0), (700, 0), (700, 60), (560, 60)])
    scene = awaiting(in_the_way(520), width=300, terrain=[lake])
    assert done(scene, "enter", "late").battle.unit("late").at[0] == pytest.approx(420, abs=0.2)
    corner = awaiting(in_the_way(100), at=(90, 0), width=400)
    assert done(corner, "enter", "late").battle.unit("late").at[0] == pytest.approx(200, abs=0.2)


def test_realm_of_chance_knows_no_width() -> None:
    """AGE-SET-07: it is an option of the Ages."""
    assert "entry_width" not in realm.BUILDER.rules.options
