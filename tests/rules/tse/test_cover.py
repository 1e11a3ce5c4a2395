"""Cover by the part attacked: areas, obstacles, the least of several bases, assaults (TSE-COV-02..10, TSE-FIR-27)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tests.firing import ask, battle, block, doubled, general, piece, strip


def firer(**keys: Any) -> Unit:
    """Four bases facing north, front (-2, 0) to (2, 0)."""
    return block("firer", "blue", (-2.0, 2.0), (-1.0, 0.0), troop="light-foot-artillery", **keys)


def held(x: tuple[float, float] = (-2.0, 2.0), y: tuple[float, float] = (4.0, 4.75), **keys: Any) -> Unit:
    return block("held", "red", x, y, facing=180.0, **keys)


def wall(*points: tuple[float, float], kind: str = "wall", **keys: Any) -> Terrain:
    return piece("wall", kind, list(points), **keys)


def cover_of(scene: Battle, **options: Any) -> str:
    """The cover, the same on a doubled table, the same that `fire` reports."""
    verdict = ask(scene, "cover", "held", **{"from": "firer", **options})
    twice = ask(doubled(scene), "cover", "held", **{"from": "firer", **options})
    assert verdict.measured["cover"] == twice.measured["cover"]
    assert verdict.holds is (verdict.measured["cover"] != "none")
    shot = ask(scene, "fire", "firer", "held")
    if not options and shot.measured["range"] is not None:
        assert shot.measured["cover"] == verdict.measured["cover"]
    return str(verdict.measured["cover"])


def test_open_ground_gives_none() -> None:
    """TSE-COV-02: nor does low rough ground."""
    assert cover_of(battle(firer(), held())) == "none"
    assert cover_of(battle(firer(), held(), terrain=(strip("m", "marsh", (-9, 9), (3, 9)),))) == "none"


@pytest.mark.parametrize(("kind", "cover"), [("woods", "soft"), ("town", "hard"), ("redoubt", "fortification")])
@pytest.mark.parametrize("edge", [4.0, 4.004, 4.02])
def test_a_base_is_covered_wholly_inside_an_area(kind: str, cover: str, edge: float) -> None:
    """TSE-COV-01, TSE-COV-03, TSE-COV-04, TSE-COV-05, TSE-COV-08: wholly, to the tolerance."""
    scene = battle(firer(), held(), terrain=(strip("area", kind, (-3, 3), (edge, 6)),))
    assert cover_of(scene) == (cover if edge < 4.01 else "none")


def test_two_pieces_that_touch_cover_as_one() -> None:
    """TSE section 0: unions first."""
    halves = (strip("a", "woods", (-3, 0.25), (4, 6)), strip("b", "woods", (0.25, 3), (4, 6)))
    assert cover_of(battle(firer(), held(), terrain=halves)) == "soft"


def test_the_least_cover_of_the_bases_attacked() -> None:
    """TSE-COV-07: one base in the open leaves the unit without; the ruling takes the best instead."""
    half = strip("wood", "woods", (-3, 1), (4, 6))
    assert cover_of(battle(firer(), held(), terrain=(half,))) == "none"
    assert cover_of(battle(firer(), held(), terrain=(half,), cover_minimum=False)) == "soft"


def test_bases_out_of_arc_range_or_sight_do_not_count() -> None:
    """TSE-COV-07: a base in the open that cannot be shot at changes nothing."""
    half = strip("wood", "woods", (-3, 0), (4, 6))
    screen = strip("house", "building", (-0.5, 12.0), (1.0, 3.9))
    assert cover_of(battle(firer(), held(), terrain=(half, screen))) == "soft"
    line, wood = held((-2.0, 6.0), (1.5, 2.25)), strip("wood", "woods", (-3, 3), (1.5, 2.25))
    assert cover_of(battle(firer(), line, terrain=(wood,))) == "none"
    infantry = block("firer", "blue", (-2.0, 0.0), (-0.75, 0.0))
    assert cover_of(battle(infantry, line, terrain=(wood,))) == "soft"


@pytest.mark.parametrize(
    ("y", "cover"), [(3.5, "hard"), (4.0, "hard"), (3.496, "hard"), (3.48, "none"), (4.76, "none")]
)
def test_a_wall_covers_those_close_behind_it(y: float, cover: str) -> None:
    """TSE-COV-09: within half an inch of it, and the line crosses it; not those in front of it."""
    assert cover_of(battle(firer(), held(), terrain=(wall((-3, y), (3, y)),))) == cover


def test_a_wall_is_directional_and_an_area_is_not() -> None:
    """TSE-COV-10: from behind, the wall gives nothing; the wood does."""
    behind = block("firer", "blue", (-2.0, 2.0), (8.0, 9.0), facing=180.0, troop="light-foot-artillery")
    assert cover_of(battle(behind, held(), terrain=(wall((-3, 3.75), (3, 3.75)),))) == "none"
    assert cover_of(battle(behind, held(), terrain=(strip("wood", "woods", (-3, 3), (3, 5)),))) == "soft"


def test_hedges_are_soft_and_the_better_of_two_obstacles_counts() -> None:
    """TSE-COV-03, TSE-COV-04."""
    hedge = piece("hedge", "hedge", [(-3, 3.9), (3, 3.9)])
    assert cover_of(battle(firer(), held(), terrain=(hedge,))) == "soft"
    assert cover_of(battle(firer(), held(), terrain=(hedge, wall((-3, 3.7), (3, 3.7))))) == "hard"


@pytest.mark.parametrize(("end", "cover"), [(2.0, "hard"), (1.5, "none"), (-1.5, "none")])
def test_a_wall_before_part_of_a_base_is_no_cover(end: float, cover: str) -> None:
    """TSE-COV-07: of all equally short lines to the end base one passes beside the wall."""
    assert cover_of(battle(firer(), held(), terrain=(wall((-3, 3.75), (end, 3.75)),))) == cover


def test_a_gap_in_the_wall_that_no_line_can_use_is_no_matter() -> None:
    """TSE-COV-07: the way past the wall's end is itself blocked, so the part attacked is behind the wall."""
    house = strip("house", "building", (1.5, 3.0), (1.0, 3.0))
    left, right = wall((-3, 3.75), (1.5, 3.75)), piece("more", "wall", [(1.7, 3.75), (3, 3.75)])
    assert cover_of(battle(firer(), held(), terrain=(left, right))) == "none"
    assert cover_of(battle(firer(), held((-2.0, 1.0)), terrain=(left, house))) == "hard"


def test_a_wall_round_a_corner_counts_by_the_line_to_the_base() -> None:
    """TSE-COV-09: shot at from the flank over the side wall."""
    aside = block("firer", "blue", (-8.0, -7.0), (1.0, 2.0), facing=0.0, troop="light-foot-artillery")
    side = wall((-2.25, 3.0), (-2.25, 5.0))
    assert cover_of(battle(aside, held((-2.0, -1.0)), terrain=(side,))) == "hard"


@pytest.mark.parametrize(("assault", "cover"), [(False, "none"), (True, "hard")])
def test_steep_banks_cover_against_assaults_only(assault: bool, cover: str) -> None:
    """TSE-COV-06: two attributes on every piece."""
    bank = strip("bank", "hill", (-5, 5), (3, 8), cover_assault="hard")
    options = {"assault": True} if assault else {}
    assert cover_of(battle(firer(), held(), terrain=(bank,)), **options) == cover


def test_an_assault_is_met_by_the_bases_it_touches() -> None:
    """TSE-COV-07, TSE-ASL-80: the path from the middle of the front meets the joint of two bases, one in the open."""
    half = strip("wood", "woods", (-3, 0), (4, 6))
    assert cover_of(battle(firer(), held(), terrain=(half,)), assault=True) == "none"
    most = strip("wood", "woods", (-3, 1), (4, 6))
    assert cover_of(battle(firer(), held(), terrain=(most,)), assault=True) == "soft"


def test_an_assault_over_a_wall() -> None:
    """TSE-COV-09: the path crosses the wall before the base."""
    assert cover_of(battle(firer(), held(), terrain=(wall((-3, 3.75), (3, 3.75)),)), assault=True) == "hard"
    assert cover_of(battle(firer(), held(), terrain=(wall((1, 3.75), (3, 3.75)),)), assault=True) == "none"


def test_without_a_clear_line_the_whole_unit_is_meant() -> None:
    """The cover is still told: of every base, as if it were fired at straight."""
    house = strip("house", "building", (-9, 9), (1, 2))
    assert cover_of(battle(firer(), held(), terrain=(house, wall((-3, 3.75), (3, 3.75))))) == "hard"


@pytest.mark.parametrize(
    ("named", "source"), [("held", None), ("held", "held"), ("held", "napoleon"), ("napoleon", "held")]
)
def test_questions_that_cannot_be_put(named: str, source: str | None) -> None:
    scene = battle(firer(), held(), general("napoleon", "blue", 9, 9))
    with pytest.raises(BadQuestion):
        ask(scene, "cover", named, **{"from": source})
