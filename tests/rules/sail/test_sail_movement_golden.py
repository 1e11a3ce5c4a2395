"""Worked cases of Age of Sail, wind and movement: every expected value worked out by hand from the rules."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tabletop.battle.dice import ScriptedDice
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import begin
from tabletop.play.files.load import load_scene
from tabletop.rules.rule_set import MusterError, Request
from tabletop.rules.sail.condition import drift, refloat
from tabletop.rules.sail.rule_set import RULES
from tabletop.rules.sail.wind import allowance, change, in_irons, point_of_sail, wind_of
from tests.games.positions import ROOT
from tests.sail import ask, battle, boxes, done, refused, ship, told

ROOT_SCENARIO = ROOT / "scenarios/sail/long-sand.yaml"


@pytest.mark.parametrize(
    ("kind", "masts", "wind", "off", "far"),
    [
        ("ship-of-the-line", (1, 1, 1), 4, 180, 12),  # G01
        ("ship-of-the-line", (1, 1, 1), 5, 90, 18),  # G02
        ("ship-of-the-line", (1, 1, 1), 5, 45, 12),
        ("ship-of-the-line", (1, 1, 1), 5, 180, 15),
        ("frigate", (1, 1, 1), 4, 180, 16),
        ("frigate", (1, 0, 1), 4, 180, 8),  # G04
        ("ship-of-the-line", (1, 1, 1), 1, 45, 1),  # G05: 3 times 0 is less than the least
        ("ship-of-the-line", (0, 1, 0), 4, 180, 4),
        ("ship-of-the-line", (0, 0, 0), 4, 180, 0),
    ],
)
def test_how_far_a_ship_may_go(kind: str, masts: tuple[int, ...], wind: int, off: float, far: float) -> None:
    """SAIL-MOV-01, SAIL-MOV-02, SAIL-MOV-06, SAIL-MOV-07, SAIL-MOV-08: masts times the wind's speed as altered."""
    one = ship("a", facing=off, troop=kind, masts=masts)
    assert allowance(battle(one, wind=0.0, speed=wind), one) == far


def test_g06_points_of_sail() -> None:
    """SAIL-MOV-02, SAIL-MOV-03, SAIL-MOV-04, SAIL-MOV-05: -1 up to 45 degrees, +1 up to 135, then as it is."""
    adds = {a: point_of_sail(a, {})["adds"] for a in (22.5, 45.0, 67.5, 135.0, 157.5, 180.0)}
    assert adds == {22.5: -1, 45.0: -1, 67.5: 1, 135.0: 1, 157.5: 0, 180.0: 0}
    assert point_of_sail(157.5, {"near_running": "reaching"})["adds"] == 1
    ahead = battle(ship("a"), wind=0.0)
    assert in_irons(ahead, 0.0) and not in_irons(ahead, 22.5)
    assert refused(ahead, "sail", "a", distance=1.0) == {"SAIL-MOV-05"}
    assert done(ahead, "sail", "a", facing=22.5).battle.unit("a").facing == 22.5  # tacking is allowed


def test_g08_a_turn_of_four_points() -> None:
    """SAIL-MOV-11, SAIL-GEN-01: 1 cm and 22.5 degrees four times, then 8 cm east: (10.014, 3.014), heading 90."""
    scene = battle(ship("a", at=(40, 30)))
    assert not refused(scene, "sail", "a", facing=90.0, distance=12.0)
    after = done(scene, "sail", "a", facing=90.0, distance=12.0).battle.unit("a")
    assert (after.at[0] - 40, after.at[1] - 30) == pytest.approx((10.014, 3.014), abs=5e-4)
    assert after.facing == 90.0
    verdict = ask(scene, "move", "a", facing=90.0, distance=12.0)
    assert verdict.holds and (verdict.measured["cost"], verdict.measured["allowed"]) == (pytest.approx(12.0), 12.0)
    assert refused(scene, "sail", "a", facing=90.0, distance=12.1) == {"SAIL-MOV-01"}


def test_sixteen_points_make_a_circle() -> None:
    """SAIL-MOV-11: eight points to starboard are half a polygon of sides 1 cm, circumradius 0.5/sin 11.25 degrees."""
    after = ask(battle(ship("a", at=(40, 30)), speed=7), "move", "a", facing=180.0).measured["at"]
    inner = 0.5 / math.sin(math.radians(11.25))
    assert (after[0] - 40, after[1] - 30) == pytest.approx(
        (2 * inner * math.cos(math.radians(11.25)), 2 * inner * math.sin(math.radians(11.25))), abs=1e-6
    )


def test_a_course_brings_the_bow_to_the_point() -> None:
    """SAIL-MOV-11: ahead, a turn, ahead again; of several such courses the shortest."""
    verdict = ask(battle(ship("a", at=(40, 30)), speed=7), "move", "a", path=[(46.0, 40.0)])
    x, y = verdict.measured["at"]
    heading = math.radians(verdict.measured["facing"])
    assert (x + 3 * math.sin(heading), y + 3 * math.cos(heading)) == pytest.approx((46.0, 40.0), abs=1e-6)
    assert verdict.measured["facing"] == 45.0


def test_the_heading_at_the_start_sets_the_allowance() -> None:
    """SAIL-MOV-12, SAIL-MOV-07: she starts running (12 cm), though she turns to a reach; less than 1 cm is no move."""
    scene = battle(ship("a"))
    assert ask(scene, "move", "a", facing=90.0).measured["allowed"] == 12.0
    assert refused(scene, "sail", "a", distance=0.5) == {"SAIL-MOV-07"}


def test_where_the_bow_may_come() -> None:
    """SAIL-MOV-01, SAIL-MOV-11: 12 cm ahead and no farther, and what is reached by a turn."""
    area = ask(battle(ship("a", at=(40, 30))), "reach", "a").shapes
    top = max(y for shape in area for _, y in shape.points)
    assert top == pytest.approx(30 + 3 + 12, abs=0.1)


def test_masts_gone_she_drifts() -> None:
    """SAIL-MOV-09, SAIL-WND-06: 1 cm along the wind's flow, the heading kept; other ships stop her."""
    scene = battle(ship("a", masts=(0, 0, 0), facing=90.0), ship("b", at=(70, 70)), wind=270.0)
    assert refused(scene, "sail", "a", distance=1.0) >= {"SAIL-MOV-09"}
    unfolding = Unfolding(scene)
    drift(unfolding, "a")
    after = unfolding.unit("a")
    assert after.at == pytest.approx((51.0, 40.0)) and after.facing == 90.0
    blocked = Unfolding(battle(ship("a", masts=(0, 0, 0)), ship("b", at=(52, 40)), wind=270.0))
    drift(blocked, "a")
    assert blocked.unit("a").at == (50, 40)


@pytest.mark.parametrize(("die", "stands"), [(5, 0), (6, 1)])
def test_a_six_restores_a_mast(die: int, stands: int) -> None:
    """SAIL-MOV-10: the main mast, worth two, first; the crew may neither fire nor board, but sails."""
    scene = battle(ship("a", troop="frigate", masts=(0, 0, 1)), ship("b", "red", at=(56, 40)), speed=7)
    step = done(scene, "repair", "a", dice=[die])
    assert boxes(step.battle.unit("a"))[2] == (0, stands, 1)
    assert "SAIL-MOV-10" in refused(step.battle, "fire", "a", "b")
    assert not refused(step.battle, "sail", "a", distance=2.0)
    assert "SAIL-MOV-10" in refused(step.battle, "repair", "a")


def test_anchors() -> None:
    """SAIL-MOV-14: dropped instead of sailing; raising it takes a whole move."""
    step = done(battle(ship("a"), ship("b", at=(70, 20))), "anchor", "a")
    assert step.battle.unit("a").status == "anchored"
    later = replace(step.battle, units=(replace(step.battle.unit("a"), marks=ship("a").marks), step.battle.unit("b")))
    assert "SAIL-MOV-14" in refused(later, "sail", "a", distance=2.0)
    weighed = done(later, "weigh", "a").battle
    assert weighed.unit("a").status == "ok"
    assert "SAIL-SEQ-06" in refused(weighed, "sail", "a", distance=2.0)


def shoal(kind: str = "shoal") -> Terrain:
    return Terrain.of_kind("bank", kind, outline=[(45, 50), (55, 50), (55, 60), (45, 60)])


@pytest.mark.parametrize(("die", "end"), [(3, 47.0), (4, 52.0)])
def test_a_shoal_on_the_way(die: int, end: float) -> None:
    """SAIL-MOV-15: thrown where the bow comes upon it; on 1 to 3 she stays there, on 4 she goes on."""
    step = done(battle(ship("a", at=(50, 40)), terrain=[shoal()]), "sail", "a", distance=12.0, dice=[die])
    assert step.battle.unit("a").at[1] == pytest.approx(end, abs=1e-5)
    assert bool(step.battle.unit("a").marks.get("aground")) == (die == 3)


def test_off_the_shoal_again() -> None:
    """SAIL-MOV-15: a 6 refloats, and the next move is free of that shoal's test; land never lets go (SAIL-LND-01)."""
    aground = ship("a", at=(50, 46.5), aground="bank")
    assert "SAIL-MOV-15" in refused(battle(aground, terrain=[shoal()]), "sail", "a", distance=2.0)
    for kind, die, off in (("shoal", 5, False), ("shoal", 6, True), ("land", 6, False)):
        unfolding = Unfolding(battle(aground, terrain=[shoal(kind)]), ScriptedDice([die]))
        refloat(unfolding, "a")
        assert (unfolding.unit("a").marks.get("aground") is None) == off
    free = battle(ship("a", at=(50, 46.5), came_off="bank"), terrain=[shoal()])
    step = done(free, "sail", "a", distance=4.0)
    assert step.battle.unit("a").at[1] == pytest.approx(50.5) and "came_off" not in step.battle.unit("a").marks
    ashore = done(battle(ship("a", at=(50, 40)), terrain=[shoal("land")]), "sail", "a", distance=12.0, dice=[6])
    assert ashore.battle.unit("a").at[1] == pytest.approx(47.0, abs=1e-5)


@pytest.mark.parametrize(("dice", "after"), [((1, 1), (135.0, 3)), ((6, 6), (225.0, 5)), ((3, 5), (180.0, 4))])
def test_the_wind_changes(dice: tuple[int, int], after: tuple[float, int]) -> None:
    """SAIL-WND-03, SAIL-WND-04: a die for its direction, a die for its speed; 45 degrees by the usual ruling."""
    unfolding = Unfolding(battle(ship("a")), ScriptedDice(list(dice)))
    change(unfolding)
    now = wind_of(unfolding.battle)
    assert (now.source, now.speed) == after
    fine = Unfolding(battle(ship("a"), wind_point="sixteenth"), ScriptedDice([6, 3]))
    change(fine)
    assert wind_of(fine.battle).source == 202.5


def test_the_wind_stays_within_its_bounds() -> None:
    """SAIL-WND-05: 1 to 7."""
    for speed, die in ((1, 1), (7, 6)):
        unfolding = Unfolding(battle(ship("a"), speed=speed), ScriptedDice([3, die]))
        change(unfolding)
        assert wind_of(unfolding.battle).speed == speed


def test_the_wind_of_a_scenario() -> None:
    """SAIL-WND-01, SAIL-WND-05, SAIL-WND-06: kept by where it comes from; eight points; 4 unless said."""
    scene = load_scene(ROOT_SCENARIO)
    assert (wind_of(scene).source, wind_of(scene).speed, wind_of(scene).flow) == (270.0, 4, 90.0)
    assert RULES.options["wind_from"].fault(22.5) and not RULES.options["wind_from"].fault(45)
    assert begin(scene, 1).battle.memory["wind"] == {"from": 270.0, "speed": 4}
    unsaid = wind_of(replace(scene, setup=replace(scene.setup, options={})))
    assert (unsaid.source, unsaid.speed) == (270.0, 4)


def test_g17_eendracht() -> None:
    """SAIL-MOV-03: 67.5 degrees off the wind, 3 times 5 is 15 cm."""
    scene = load_scene(ROOT_SCENARIO)
    assert wind_of(scene).off(337.5) == 67.5
    assert allowance(scene, scene.unit("eendracht")) == 15.0


def test_the_two_sheets() -> None:
    """SAIL-REC-01, SAIL-REC-03: 12 and 10 boxes; weak ones lack a deck a side; sixteen headings."""
    assert boxes(ship("a")) == (3, 3, (1, 1, 1), 3)
    assert boxes(ship("a", troop="frigate")) == (2, 2, (1, 1, 1), 3)
    for quality in ("weak", "unpractised"):
        assert boxes(ship("a", troop="frigate", quality=quality)) == (1, 1, (1, 1, 1), 3)
    with pytest.raises(MusterError, match="sixteen"):
        ship("a", facing=30.0)


def test_ships_stop_alongside_an_enemy_and_refuse_a_friend() -> None:
    """SAIL-BRD-02: the course ends where the hulls touch; through a friend there is none."""
    foe = battle(ship("a", at=(50, 30)), ship("b", "red", at=(50, 45), facing=90.0))
    verdict = ask(foe, "move", "a", distance=12.0)
    assert verdict.holds and verdict.measured["aboard"] == "b" and verdict.measured["at"][1] == pytest.approx(41.0)
    friend = battle(ship("a", at=(50, 30)), ship("b", at=(50, 45), facing=90.0))
    assert refused(friend, "sail", "a", distance=12.0) == {"SAIL-BRD-02"}
    assert ask(foe, "distance", "a", "b").measured["distance"] == pytest.approx(11.0)


def test_no_ship_lies_still() -> None:
    """SAIL-MOV-07, SAIL-SEQ-06: a ship that is given no course goes 1 cm ahead when its side's sailing ends."""
    step = done(battle(ship("a"), ship("b", "red", at=(50, 70))), "done")
    assert step.battle.unit("a").at == pytest.approx((50.0, 41.0))


def test_requests_are_read_once() -> None:
    """SAIL-MOV-11: a point before the bow and a length say the same course."""
    scene = battle(ship("a", at=(40, 30)))
    by_point = RULES.questions["move"].answer(scene, Request("move", ("a",), {"to": (40.0, 38.0)}))
    by_length = RULES.questions["move"].answer(scene, Request("move", ("a",), {"distance": 5.0}))
    assert by_point.measured["at"] == pytest.approx(by_length.measured["at"])


def test_a_throw_is_recorded_with_its_place() -> None:
    """SAIL-MOV-15: the record names the shoal and the die."""
    step = done(battle(ship("a", at=(50, 40)), terrain=[shoal()]), "sail", "a", distance=12.0, dice=[2])
    assert told(step, "aground") == {"die": 2, "place": "bank"}
