"""Who may fire at whom, along what lines, and the proof of it (TSE-ACT-91..93, TSE-FIR-01..13, -22, -24..26)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.fire.judge import fire
from tabletop.rules.tse.fire.line_of_fire import in_the_way
from tabletop.rules.tse.fire.shot import bands, reach_of
from tests.firing import SHIFT, ask, battle, block, general, strip
from tests.scene_changes import Scene, doubled, mirrored, near, reordered, shifted, turned


def guns(**keys: Any) -> Unit:
    return block("guns", "blue", (-0.5, 0.5), (-1.0, 0.0), **{"troop": "light-foot-artillery", **keys})


def target(x: tuple[float, float] = (-0.5, 0.5), y: tuple[float, float] = (4.0, 4.75), **keys: Any) -> Unit:
    return block("target", "red", x, y, **{"facing": 180.0, **keys})


def square(x: float, y: float) -> Unit:
    """A square of four bases about (x, y), one to a side, 1 wide and 0.75 deep."""
    sides = ((0.0, 0.5, 0.0), (0.5, 0.0, 90.0), (0.0, -0.5, 180.0), (-0.5, 0.0, 270.0))
    bases = tuple(Base(x + SHIFT + dx * 1.75, y + SHIFT + dy * 1.75, facing, 1.0, 0.75) for dx, dy, facing in sides)
    return Unit("square", "blue", "infantry", bases, formation="square", front_bases=(0, 1, 2, 3))


@pytest.mark.parametrize("troop", ["light-cavalry", "heavy-cavalry", "transport"])
def test_only_infantry_and_artillery_fire(troop: str) -> None:
    """TSE-ACT-93. The range is told all the same."""
    verdict = ask(battle(guns(troop=troop), target()), "fire", "guns", "target")
    assert not verdict.holds
    assert verdict.because[0].rule == "TSE-ACT-93"
    assert verdict.measured["range"] == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"status": "demoralized"}, "TSE-ACT-91"),
        ({"formation": "march-column"}, "TSE-FIR-22"),
        ({"status": "disordered"}, None),
        ({"formation": "maneuver-column"}, None),
    ],
)
def test_status_and_formation(keys: dict[str, str], rule: str | None) -> None:
    """TSE-ACT-91, TSE-ACT-92, TSE-FIR-22."""
    verdict = ask(battle(guns(**keys), target()), "fire", "guns", "target")
    assert verdict.holds is (rule is None)
    assert rule is None or verdict.because[0].rule == rule


def test_generals_and_friends_are_no_targets() -> None:
    """TSE-FIR-24, TSE-LDR-01: any enemy unit may be fired at, transport too; never a general."""
    scene = battle(guns(), target(troop="transport"), general("ney", "red", 0, 3), block("own", "blue", (2, 3), (4, 5)))
    assert ask(scene, "fire", "guns", "target").holds
    for other in ("ney", "own"):
        verdict = ask(scene, "fire", "guns", other)
        assert not verdict.holds
        assert verdict.because[0].rule == "TSE-FIR-24"


@pytest.mark.parametrize("question", ["arc", "fire"])
def test_a_general_has_no_front(question: str) -> None:
    """TSE-LDR-10."""
    scene = battle(general("ney", "red", 0, 3), target())
    with pytest.raises(BadQuestion, match="general"):
        ask(scene, question, "ney", "target")


def test_out_of_arc_is_not_measured() -> None:
    """TSE-FIR-05: the gap to the arc is the proof; there is no range."""
    verdict = ask(battle(guns(), target((6.0, 7.0), (1.0, 1.75))), "fire", "guns", "target")
    assert not verdict.holds
    assert verdict.because[0].rule == "TSE-FIR-05"
    assert verdict.because[0].measured == pytest.approx((6.0 - 0.5 - 1.75) / math.sqrt(2.0))
    assert verdict.measured == {"range": None, "band": None, "cover": None, "odds": None}


def test_a_target_a_hair_outside_the_arc_is_measured_to_its_nearest_point() -> None:
    """TSE section 0: within the tolerance of the arc counts as in it."""
    verdict = ask(battle(guns(), target((3.0, 4.0), (0.0, 2.497))), "fire", "guns", "target")
    assert verdict.holds
    assert verdict.measured["range"] == pytest.approx(math.hypot(2.5, 2.497), abs=1e-4)


def test_a_wood_hides_and_is_named() -> None:
    """TSE-FIR-08: what hides it is named first, as `los` names it."""
    wood = strip("wood", "woods", (-9, 9), (2, 3))
    verdict = ask(battle(guns(), target(), terrain=(wood,)), "fire", "guns", "target")
    assert not verdict.holds
    assert [reason.rule for reason in verdict.because[:2]] == ["TSE-LOS-05", "TSE-FIR-08"]
    assert verdict.because[0].feature == "wood"
    assert verdict.because[0].measured == pytest.approx(1.0, abs=1e-3)
    assert verdict.blockers == ("wood",)
    assert verdict.witness is None
    assert "blocked" in {shape.role for shape in verdict.shapes}


@pytest.mark.parametrize(("beyond", "said"), [(-0.05, False), (0.0, False), (0.05, True), (3.0, True)])
def test_a_hidden_target_out_of_range_is_said_to_be_both(beyond: float, said: bool) -> None:
    """TSE-FIR-01, TSE-FIR-08: that no line could be short enough comes first; exactly at the range it could be."""
    wood = strip("wood", "woods", (-9, 9), (2, 3))
    reach = reach_of(battle(guns()), guns())
    assert reach is not None
    far = target(y=(reach + beyond, reach + beyond + 0.75))
    verdict = ask(battle(guns(), far, terrain=(wood,)), "fire", "guns", "target")
    assert not verdict.holds
    rules = [reason.rule for reason in verdict.because if not reason.holds]
    assert rules == ["TSE-FIR-01", "TSE-LOS-05", "TSE-FIR-08"][not said :]
    if said:
        assert verdict.because[0].measured == pytest.approx(reach + beyond, abs=1e-3)
        assert verdict.because[0].limit == reach
    friends = battle(guns(), far, block("own", "blue", (-4, 4), (1, 2)))
    masked = ask(friends, "fire", "guns", "target")
    assert [r.rule for r in masked.because if not r.holds] == ["TSE-FIR-01", "TSE-FIR-10"][not said :]


def test_the_part_in_the_arc_must_be_the_part_seen() -> None:
    """TSE-FIR-06: seen outside the arc and hidden inside it is no shot, but for the ruling."""
    wide, house = target((3.0, 8.0), (2.0, 3.0)), strip("house", "building", (1.6, 3.6), (1.7, 1.9))
    units = (guns(), wide)
    inside = ask(battle(*units, terrain=(house,)), "fire", "guns", "target")
    apart = ask(battle(*units, terrain=(house,), same_part=False), "fire", "guns", "target")
    assert (inside.holds, apart.holds) == (False, True)


def test_friends_behind_the_front_do_not_mask_and_generals_never_do() -> None:
    """TSE-FIR-10, TSE-FIR-11: generals are not troops."""
    scene = battle(guns(), target(), general("wellington", "blue", 0, 2), block("rear", "blue", (-3, 3), (-2, -1)))
    assert ask(scene, "fire", "guns", "target").holds


@pytest.mark.parametrize(("ruling", "holds"), [(False, True), (True, False)])
def test_enemies_in_between(ruling: bool, holds: bool) -> None:
    """TSE-FIR-13: only by ruling do enemy units screen one another."""
    scene = battle(guns(), target(), block("screen", "red", (-3, 3), (2, 2.75)), enemy_screen_blocks=ruling)
    verdict = ask(scene, "fire", "guns", "target")
    assert verdict.holds is holds
    assert holds or verdict.blockers == ("screen",)


@pytest.mark.parametrize(("x", "y"), [(0.0, 2.0), (2.0, 0.0), (0.0, -3.0), (-3.5, 0.0), (2.0, 2.0)])
def test_a_square_fires_all_round(x: float, y: float) -> None:
    """TSE-FIR-25, TSE-FRM-30: from every side; bearings are taken from its centre."""
    scene = battle(square(0.0, 0.0), target((x, x + 1.0), (y, y + 0.75)))
    assert ask(scene, "fire", "square", "target").holds
    bearing = ask(scene, "arc", "square", "target").measured["bearing"]
    nearest = min(max(0.0, x), x + 1.0), min(max(0.0, y), y + 0.75)
    assert bearing == pytest.approx(math.degrees(math.atan2(*nearest)) % 360.0)


def test_a_friend_masks_a_square_on_every_side() -> None:
    """TSE-FIR-11: a side of the square does not fire past its own back at what a friend before it masks."""
    friend = block("friend", "blue", (-3, 3), (1.75, 2.0), bases=6)
    scene = battle(square(0.0, 0.0), friend, target((-0.5, 0.5), (2.5, 3.25)))
    verdict = ask(scene, "fire", "square", "target")
    assert not verdict.holds
    assert verdict.because[0].rule == "TSE-FIR-10"


def test_overhead_fire_by_the_ground_under_each_part_of_a_friend() -> None:
    """TSE-FIR-12, TSE-LOS-19: the half of a friend on the hill stands higher than the half beside it."""
    hill = strip("hill", "hill", (-1.0, 1.0), (-3.0, 2.5))
    near_friend = block("friend", "blue", (-1.0, 1.0), (2.0, 3.0))
    scene = battle(guns(), near_friend, target((-0.5, 0.5), (8.0, 8.75)), terrain=(hill,))
    assert not ask(scene, "fire", "guns", "target").holds
    below = battle(guns(), near_friend.moved(0.0, 0.5), target((-0.5, 0.5), (8.0, 8.75)), terrain=(hill,))
    assert ask(below, "fire", "guns", "target").holds


#: How far beside the reach, in steps of 0.0005: about the edges of the tape's tolerance, and in the sweeps all of it.
BESIDE = (-12, -11, -10, -9, -4, 0, 4, 9, 10, 11, 12)


@pytest.mark.parametrize(
    ("turn", "beside"),
    [
        (0.0, BESIDE),
        (7.0, (-12, 12)),  # slanting ones take seconds each
        pytest.param(0.0, range(-12, 13), marks=pytest.mark.sweep),
        pytest.param(7.0, range(-12, 13, 8), marks=pytest.mark.sweep),
    ],
)
def test_briefly_put_a_range_about_the_reach_is_told_alike(turn: float, beside: Sequence[int]) -> None:
    """TSE-FIR-01, TSE-FIR-12: as short as the shadow of a friend lets it be, a hair about the reach."""
    hill, told = strip("hill", "hill", (-3.0, 3.0), (-3.0, 1.0)), []
    reach = reach_of(battle(guns()), guns())
    assert reach is not None
    for k in beside:
        friend = block("friend", "blue", (-3.0, 3.0), (reach / 2 - 0.75, reach / 2 + k * 0.0005)).turned(turn)
        scene = battle(guns(), friend, target((-0.5, 0.5), (reach - 0.5, reach + 0.5)), terrain=(hill,))
        verdict = ask(scene, "fire", "guns", "target")
        told.append((verdict.holds, fire(scene, Request("fire", ("guns", "target")).briefly()).holds))
        assert verdict.measured["range"] == pytest.approx(reach, abs=0.5)
    assert all(fully == briefly for fully, briefly in told)
    assert turn or {fully for fully, _ in told} == {True, False}


def test_a_bent_line_fires_from_each_base() -> None:
    """TSE-FIR-02, TSE-FIR-26: the range is the shortest of all fronts."""
    s, c = 0.5, math.sqrt(0.75)
    second = Base(SHIFT + 0.375 * s + 0.5 * c, SHIFT - 0.75 + 0.375 * c - 0.5 * s, 30.0, 1.0, 0.75)
    bases = (Base(SHIFT - 0.5, SHIFT - 0.375, 0.0, 1.0, 0.75), second)
    line = Unit("line", "blue", "infantry", bases, formation="deployed", front_bases=(0, 1))
    scene = battle(line, target((3.0, 4.0), (0.0, 0.75)))
    verdict = ask(scene, "fire", "line", "target")
    assert verdict.holds
    assert verdict.measured["range"] == pytest.approx(math.hypot(3.0 - 1.2410, 0.6005), abs=1e-3)


def test_bands_keep_their_names_at_every_scale() -> None:
    """TSE-FIR-04: their limits are doubled."""
    assert [name for name, _, _ in bands(battle())] == ["0-3", "3-6", "6-9", "9-12"]
    assert [far for _, _, far in bands(battle(scale=2))] == [6.0, 12.0, 18.0, 24.0]


def test_a_yes_is_proved_line_and_all() -> None:
    verdict = ask(battle(guns(), target()), "fire", "guns", "target")
    assert verdict.witness is not None
    assert math.dist(*verdict.witness) == pytest.approx(4.0)
    assert all(verdict.because)
    assert {reason.rule for reason in verdict.because} >= {"TSE-FIR-01", "TSE-FIR-05", "TSE-FIR-06", "TSE-FIR-22"}
    assert {shape.role for shape in verdict.shapes} >= {"arc", "band", "target", "witness"}


def test_the_question_does_not_depend_on_names() -> None:
    """Which unit is called what decides nothing."""
    a, b = guns(), target((2.0, 3.0), (4.0, 4.75))
    friend = block("a-friend", "blue", (0.0, 1.0), (2.0, 2.5))
    first = ask(battle(a, b, friend), "fire", "guns", "target")
    second = ask(battle(a, b, replace(friend, id="zz-friend")), "fire", "guns", "target")
    assert first.measured == second.measured


# --- the same answer on the table mirrored, turned, shifted, doubled, and read in another order ----------------------

SIZE = 24.0
GRID = st.integers(-16, 16).map(lambda k: k / 4)
UNITS = st.fixed_dictionaries(
    {
        "troop": st.sampled_from(["infantry", "light-foot-artillery", "heavy-foot-artillery"]),
        "bases": st.integers(2, 4),
        "formation": st.sampled_from(["deployed", "maneuver-column", "square"]),
        "facing": st.sampled_from([0.0, 22.5, 45.0, 90.0, 180.0, 301.25]),
    }
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    units = []
    for k, (name, side) in enumerate((("a", "blue"), ("b", "red"), ("c", "blue"))):
        entry = draw(UNITS)
        # the square's pinwheel is handed: a mirrored one is another square
        if entry["formation"] == "square":
            entry.update(bases=4, troop="infantry")
        place = [12.0 + draw(GRID) / 2 + (0.0, 0.0, 3.0)[k], 4.0 + 6.0 * k + draw(GRID) / 4]
        units.append({"id": name, "side": side, "at": place, **entry})
    x, y = draw(GRID), draw(GRID)
    kind = draw(st.sampled_from(["woods", "hill", "marsh"]))
    wood = {"id": "w", "kind": kind, "outline": [(9 + x, 6 + y / 4), (12 + x, 6), (12 + x, 8), (9 + x, 9)]}
    wall = {"id": "x", "kind": "wall", "line": [(6.0 + x, 9.0), (14.0 + x, 9.25)]}
    return Scene(SIZE, (wood, wall), tuple(units))


@settings(max_examples=25, deadline=None)
@given(scenes(), st.sampled_from(["arc", "fire", "zone", "distance", "command"]))
def test_the_same_answer_however_the_table_lies(scene: Scene, question: str) -> None:
    args = ("a",) if question in ("zone", "command") else ("a", "b")
    before = ask(scene.battle(), question, *args)
    changes = [mirrored(SIZE), turned(SIZE, 1), shifted(SIZE, 3, -2), doubled(SIZE)]
    for change in changes:
        if change.flips and any(unit["formation"] == "square" for unit in scene.units):
            continue
        after = ask(change.scene(scene).battle(), question, *args)
        assert after.holds is before.holds, change.name
        for key in ("range", "distance"):
            if before.measured.get(key) is not None:
                assert near(after.measured[key], change.factor * before.measured[key], 1e-4), change.name
        for key in ("band", "cover", "units", "general"):
            assert after.measured.get(key) == before.measured.get(key), change.name
    other = ask(reordered(scene).battle(), question, *args)
    assert (other.holds, other.measured) == (before.holds, before.measured)


def test_a_masked_shot_names_friends_though_a_house_lets_another_line_by_sooner() -> None:
    """TSE-FIR-10: of lines nearly clear some are stopped by the house; those that see pass too near a friend."""
    friend = block("friend", "blue", (-1.4, 0.45), (2.0, 2.75))
    house = strip("house", "building", (0.55, 9.0), (3.0, 4.0))
    verdict = ask(battle(guns(), target((-0.5, 0.5), (6.0, 6.75)), friend, terrain=(house,)), "fire", "guns", "target")
    told = [r for r in verdict.because if r.rule == "TSE-FIR-10"]
    assert not verdict.holds
    assert told and told[0].feature == "friend" and "friend" in told[0].text


def test_who_is_in_the_way_is_told_anew_when_a_unit_moves_and_for_every_ruling() -> None:
    """TSE-FIR-10, TSE-FIR-13: what was found is kept while terrain alone moves."""
    house, friend = strip("house", "building", (3.0, 9.0), (3.0, 4.0)), block("friend", "blue", (0.0, 1.0), (2.0, 2.75))
    enemy = block("enemy", "red", (-1.0, 0.0), (2.0, 2.75))
    scene = battle(guns(), target(), friend, enemy, terrain=(house,))
    moved = replace(scene, table=scene.table.with_pieces([house.moved(1.0, 0.0)]))
    gone = replace(scene, units=tuple(u.moved(9.0, 0.0) if u.id == "friend" else u for u in scene.units))

    def names(there: Battle) -> list[str]:
        firer, other = there.unit("guns"), there.unit("target")
        return [unit.id for unit in in_the_way(there, firer, other, other.footprint)]

    for _ in range(2):
        assert names(scene) == names(moved) == ["friend"]
        assert names(gone) == []
        assert sorted(names(scene.with_ruling("enemy_screen_blocks", True))) == ["enemy", "friend"]
