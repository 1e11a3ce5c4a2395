"""The worked cases of cover at the end of a wall, and of what it costs an assault (G36, G38)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tests.firing import ask, battle, block, doubled, piece, strip

LINE = block("target", "red", (0.0, 4.0), (8.0, 8.75), facing=180.0)


def wall(x: tuple[float, float], y: float = 7.8, kind: str = "wall") -> Terrain:
    return piece("wall", kind, [(x[0], y), (x[1], y)])


def firer(x: tuple[float, float]) -> Unit:
    return block("firer", "blue", x, (3.0, 4.0), troop="light-foot-artillery", bases=round(x[1] - x[0]))


def cover_of(scene: Battle, **options: Any) -> str:
    """The cover the question tells, the same with every length doubled, and as the shot tells it."""
    found = {
        ask(s, "cover", "target", **{"from": "firer", **options}).measured["cover"] for s in (scene, doubled(scene))
    }
    shot = ask(scene, "fire", "firer", "target").measured["cover"]
    assert len(found) == 1
    assert options or {shot} == found
    return str(found.pop())


@pytest.mark.parametrize(
    ("front", "end", "cover"),
    [
        ((1.0, 3.0), 4.0, "hard"),
        ((1.0, 3.0), 3.9, "none"),
        ((1.0, 2.0), 3.9, "hard"),
        ((1.0, 2.0), 3.85, "none"),
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_g36_the_end_of_a_wall(front: tuple[float, float], end: float, cover: str, mirrored: bool) -> None:
    """TSE-COV-09: the corner of the last base shows past the wall from the firer's right end, or just grazes it."""
    ends, at = (0.0, end), front
    if mirrored:
        ends, at = (4.0 - end, 4.0), (4.0 - front[1], 4.0 - front[0])
    assert cover_of(battle(firer(at), LINE, terrain=(wall(ends),))) == cover


@pytest.mark.parametrize(("past", "cover"), [(0.004, "hard"), (0.006, "none")])
def test_g36_past_the_very_end_by_the_tolerance(past: float, cover: str) -> None:
    """TSE-COV-09: a line within the tolerance of the wall's end crosses it."""
    # the line from (2, 4) to (4, 8) runs so far beside the wall's end; 0.894 is the sine of its way to the wall
    assert cover_of(battle(firer((1.0, 2.0)), LINE, terrain=(wall((0.0, 3.9 - past / 0.8944)),))) == cover


@pytest.mark.parametrize(("ruling", "cover"), [("view", "none"), ("line", "hard")])
def test_g36_by_the_ruling(ruling: str, cover: str) -> None:
    """TSE-COV-09: by the ruling ``cover_by`` the shortest line alone decides; it crosses the wall here."""
    scene = battle(firer((1.0, 2.0)), LINE, terrain=(wall((0.0, 3.5)),), cover_by=ruling)
    assert ask(scene, "cover", "target", **{"from": "firer"}).measured["cover"] == cover


def test_a_battery_in_the_open_but_for_a_piece_of_wall() -> None:
    """TSE-COV-09: four fifths of it stand in the open; the shortest line happens to cross the wall."""
    guns = block("target", "red", (0.0, 1.0), (8.0, 9.0), facing=180.0, troop="heavy-foot-artillery")
    facing_it = block("firer", "blue", (0.0, 0.2), (3.25, 4.0), bases=1, troop="light-foot-artillery")
    scene = battle(facing_it, guns, terrain=(wall((-1.0, 0.2)),))
    assert cover_of(scene) == "none"
    verdict = ask(scene, "cover", "target", **{"from": "firer"})
    (shown,) = verdict.because[0].parts
    assert (shown.rule, shown.feature) == ("TSE-COV-09", "wall")
    assert shown.measured is not None
    assert shown.measured > 0.7


def test_turning_the_firer_a_little_does_not_flip_the_cover() -> None:
    """TSE-COV-09: the shortest line jumps from one end of the front to the other; the firing points do not."""
    for end, cover in ((4.0, "hard"), (3.0, "none")):
        for turn in (-1.0, -0.25, 0.0, 0.25, 1.0):
            scene = battle(firer((1.0, 3.0)).turned(turn), LINE, terrain=(wall((-0.2, end + 0.2 * (end == 4.0))),))
            assert cover_of(scene) == cover, (end, turn)


@pytest.mark.parametrize(("short", "cover"), [(0.004, "hard"), (0.0065, "none")])
def test_lines_hardly_longer_count_and_others_do_not(short: float, cover: str) -> None:
    """TSE-COV-09: firing points have a clear line at most 1/16 in longer than the shortest, give or take 0.005.

    On a front along y = 4 these lie up to x = 1 + sqrt(4.0675^2 - 16) = 1.7379; from there the line to the far corner
    (1, 9) passes y = 7.8 at x = 1.1771. The front goes on to x = 3.
    """
    guns = block("target", "red", (0.0, 1.0), (8.0, 9.0), facing=180.0, troop="heavy-foot-artillery")
    at = block("firer", "blue", (0.5, 3.0), (3.0, 4.0), bases=2, troop="light-foot-artillery")
    assert cover_of(battle(at, guns, terrain=(wall((-1.0, 1.1771 - short)),))) == cover


def test_walls_side_by_side_count_together_with_the_least_class() -> None:
    """TSE-COV-09: a hedge goes on where the wall ends; a gap between them that a line finds leaves no cover."""
    hedge = piece("hedge", "hedge", [(2.2, 7.8), (5.0, 7.8)])
    assert cover_of(battle(firer((1.0, 3.0)), LINE, terrain=(wall((-1.0, 2.2)), hedge))) == "soft"
    assert cover_of(battle(firer((1.0, 3.0)), LINE, terrain=(wall((-1.0, 2.1)), hedge))) == "none"


def test_a_firing_point_needs_a_clear_line() -> None:
    """TSE-COV-09: the end of the front from which the base would show is behind a house."""
    bare = battle(firer((1.0, 3.0)), LINE, terrain=(wall((-1.0, 3.9)),))
    assert cover_of(bare) == "none"
    house = strip("house", "building", (2.0, 6.0), (4.2, 5.0))
    assert cover_of(battle(firer((1.0, 3.0)), LINE, terrain=(wall((-1.0, 3.9)), house))) == "hard"


# --- cover and cost ---------------------------------------------------------------------------------------------------


def assaulted(y: float, kind: str = "wall", ends: tuple[float, float] = (-1.0, 5.0), open_ground: float = 5.9) -> Any:
    column = block("firer", "blue", (1.0, 3.0), (0.0, 1.0), formation="maneuver-column")
    column = column.moved(0.0, 8.0 - open_ground - 1.0)
    scene = battle(column, LINE, terrain=(wall(ends, y, kind),))
    return ask(scene, "assault", "firer", "target")


@pytest.mark.parametrize("y", [8.0, 7.99, 7.996, 8.004])
def test_g38_cover_and_cost(y: float) -> None:
    """TSE-MOV-08, TSE-COV-09: a wall on the target's front protects it and costs the assault its half inch."""
    verdict = assaulted(y)
    assert verdict.measured["cost"] == pytest.approx(6.4, abs=2e-3)
    assert verdict.measured["cover"] == "hard"
    assert not verdict.holds
    assert assaulted(y, open_ground=5.5).holds


def test_an_obstacle_behind_the_front_costs_nothing_and_covers_nobody() -> None:
    """TSE-MOV-08, TSE-COV-09: the wall runs through the target's line, farther in than the tolerance."""
    verdict = assaulted(8.01)
    assert (round(verdict.measured["cost"], 3), verdict.measured["cover"]) == (5.9, "none")


def test_a_stream_at_the_front_costs_though_it_covers_nobody() -> None:
    """TSE-MOV-08: the middle of the front ends on it."""
    verdict = assaulted(8.0, "stream")
    assert (round(verdict.measured["cost"], 3), verdict.measured["cover"]) == (6.4, "none")


def test_a_wall_that_the_path_grazes_costs_where_it_covers() -> None:
    """TSE-MOV-08, TSE-COV-09: its end lies within the tolerance beside the path; one base alone stands behind it."""
    for past, cost, cover in ((0.004, 6.4, "hard"), (0.02, 5.9, "none")):
        held = block("target", "red", (0.0, 2.0), (8.0, 8.75), facing=180.0, bases=1)
        column = block("firer", "blue", (1.0, 3.0), (1.1, 2.1), formation="maneuver-column")
        scene = battle(column, held, terrain=(wall((-1.0, 2.0 - past), 8.0),))
        verdict = ask(scene, "assault", "firer", "target")
        assert (round(verdict.measured["cost"], 2), verdict.measured["cover"]) == (cost, cover), past
