"""What a unit is, row by row: strength, quality, kinds of cavalry and artillery, formations (TSE-UNI, TSE-FRM)."""

from __future__ import annotations

import math

import pytest

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import heading
from tabletop.judge import ask
from tabletop.rules.rule_set import MusterError
from tabletop.rules.tse.morale.losses import after_losses
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tabletop.rules.tse.tables import base_move, troops
from tests.bases import rectangles
from tests.moving import battle, by_path, general, unit

QUALITIES = ("elite", "veteran", "average", "poor")
ROWS = [(quality, action) for quality in QUALITIES for action in ("maneuver", "march", "route-march")]


@pytest.mark.parametrize("depth", [0.75, 1.0])
def test_strength_is_the_number_of_bases(depth: float) -> None:
    """TSE-UNI-02: whatever their size, and after losses too."""
    brigade = unit(n=6, base=[1.0, depth])
    assert brigade.strength == 6
    assert [after_losses(battle(brigade), brigade, lost).strength for lost in range(6)] == [6, 5, 4, 3, 2, 1]
    with pytest.raises(ValueError, match="cannot go on without 6"):
        after_losses(battle(brigade), brigade, 6)


def test_figures_of_25_mm_are_a_scale_of_2() -> None:
    """TSE-SCL-01: 1 unless said, 2 for figures of 25 mm and larger, and nothing else; degrees are not multiplied."""
    assert RULES.ruling_values()["scale"] == 1
    assert RULES.ruling_values({"scale": 2})["scale"] == 2
    for scale in (0, 1.5, 3):
        with pytest.raises(BadQuestion, match="one of: 1, 2"):
            RULES.ruling_values({"scale": scale})


@pytest.mark.parametrize(("scale", "frontage"), [(1, 2.0), (2, 1.0), (2, 1.98), (2, 2.02)])
def test_a_base_is_as_wide_as_the_scale_says(scale: int, frontage: float) -> None:
    """TSE-SCL-01: infantry's 1 in at scale 1, 2 at scale 2; 0.005 in and no more are allowed for, doubled too."""
    place = {"facing": 0, "at": [9, 9]}
    entry = {"id": "a", "side": "red", "troop": "infantry", "formation": "deployed", "bases": 4, **place}
    rulings = RULES.ruling_values({"scale": scale})
    assert muster({**entry, "base": [scale, 0.75 * scale]}, rulings).bases[0].box[2] == 9 - scale
    with pytest.raises(MusterError, match=f"must be {scale} at this scale"):
        muster({**entry, "base": [frontage, 0.75 * scale]}, rulings)


def test_four_qualities_from_best_to_worst() -> None:
    """TSE-UNI-07: each is taken, average unless said, a fifth is not, and a better one never moves less."""
    assert unit().quality == unit(troop="heavy-cavalry").quality == "average"
    assert unit(troop="horse-artillery", n=2).quality == ""
    assert tuple(unit(quality=quality).quality for quality in QUALITIES) == QUALITIES == RULES.vocabulary["quality"]
    with pytest.raises(MusterError, match="elite, veteran, average, poor"):
        unit(quality="militia")
    for troop in ("infantry", "light-cavalry", "heavy-cavalry"):
        for action in ("maneuver", "march", "route-march"):
            moves = [base_move(troop, quality, action) for quality in QUALITIES]
            assert moves == sorted(moves, key=lambda length: -(length or 0.0))


def test_cavalry_is_light_or_heavy() -> None:
    """TSE-UNI-09."""
    assert {name for name, kind in troops().items() if kind.family == "cavalry"} == {"light-cavalry", "heavy-cavalry"}


@pytest.mark.parametrize(("quality", "action"), ROWS)
@pytest.mark.parametrize("flat", [False, True])
def test_heavy_cavalry_is_no_faster_than_light(quality: str, action: str, flat: bool) -> None:
    """TSE-UNI-09: at equal quality, whichever way the maneuver moves are read."""
    light, heavy = (base_move(name, quality, action, flat) for name in ("light-cavalry", "heavy-cavalry"))
    assert light is not None
    assert heavy is not None
    assert 0 < heavy <= light


def test_three_kinds_of_artillery() -> None:
    """TSE-UNI-15: heavy foot outranges the others; horse shoots as light foot does, and is faster than either."""
    guns = {name: kind for name, kind in troops().items() if kind.family == "artillery"}
    assert {name: kind.range for name, kind in guns.items()} == {
        "heavy-foot-artillery": 12.0,
        "light-foot-artillery": 9.0,
        "horse-artillery": 9.0,
    }
    moves = {name: base_move(name, "", "maneuver") or 0.0 for name in guns}
    assert moves["horse-artillery"] > moves["light-foot-artillery"] == moves["heavy-foot-artillery"]


@pytest.mark.parametrize("troop", [name for name, kind in troops().items() if not kind.graded and name != "general"])
def test_guns_and_wagons_have_no_quality(troop: str) -> None:
    """TSE-UNI-16, TSE-UNI-18."""
    assert unit(troop=troop, n=1).quality == ""
    with pytest.raises(MusterError, match="no quality"):
        unit(troop=troop, n=1, quality="elite")


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column"])
def test_a_single_base_has_the_formation_written(formation: str) -> None:
    """TSE-UNI-22, TSE-FRM-04: the same base on the same spot is in whichever formation it is said to be in."""
    battery = unit(troop="horse-artillery", n=1, formation=formation)
    assert battery.formation == formation
    assert battery.bases == unit(troop="horse-artillery", n=1, formation="deployed").bases


def test_a_formation_must_be_written() -> None:
    """TSE-UNI-22, TSE-FRM-01, TSE-FRM-04: one of four, never guessed, and one that its troops form."""
    names = ("deployed", "maneuver-column", "march-column", "square")
    assert RULES.vocabulary["formation"] == names
    assert tuple(unit(formation=name).formation for name in names) == names
    for wrong in (None, "line", "skirmish"):
        with pytest.raises(MusterError) as caught:
            unit(formation=wrong)
        assert caught.value.key == "formation"
    with pytest.raises(MusterError, match="only infantry forms square"):
        unit(troop="horse-artillery", n=1, formation="square")


@pytest.mark.parametrize("n", range(2, 11))
@pytest.mark.parametrize("facing", [0.0, 37.5, 225.0])
def test_deployed_bases_stand_side_by_side(n: int, facing: float) -> None:
    """TSE-FRM-10: one rank, edge to edge, one facing."""
    line = unit(n=n, formation="deployed", facing=facing)
    ahead = heading(facing)
    right = ahead[1], -ahead[0]
    places = [(b.centre[0] - line.at[0], b.centre[1] - line.at[1]) for b in line.bases]
    across = [x * right[0] + y * right[1] for x, y in places]
    assert across == pytest.approx([i - (n - 1) / 2 for i in range(n)], abs=1e-9)
    assert [x * ahead[0] + y * ahead[1] for x, y in places] == pytest.approx([0.0] * n, abs=1e-9)
    assert {b.facing for b in rectangles(line.bases)} == {facing}


@pytest.mark.parametrize("action", ["maneuver", "march", "route-march"])
@pytest.mark.parametrize("troop", ["infantry", "light-cavalry", "horse-artillery", "transport"])
def test_status_changes_no_move(troop: str, action: str) -> None:
    """TSE-FRM-03: a disordered unit goes as far as one in order, in the formation it had."""
    n = 1 if troop == "horse-artillery" else 4
    steady, shaken, broken = (
        by_path(battle(unit(troop=troop, n=n, status=status)), (0, 4), as_=action).measured
        for status in ("ok", "disordered", "demoralized")
    )
    assert steady["allowed"] == shaken["allowed"] == broken["allowed"]
    assert (steady["cost"], steady["after"]) == (shaken["cost"], shaken["after"])
    assert {unit(status=status, formation="square").formation for status in ("ok", "disordered")} == {"square"}


def test_a_disordered_unit_may_go_as_far() -> None:
    """TSE-FRM-03: to the last hundredth of its base move."""
    for status in ("ok", "disordered"):
        scene = battle(unit(status=status, front_mid=(0, 0)))
        assert by_path(scene, (0, 6.0)).holds
        assert not by_path(scene, (0, 6.02)).holds
    assert math.isclose(by_path(battle(unit(status="disordered", front_mid=(0, 0))), (0, 6)).measured["cost"], 6.0)


def test_four_families_of_troops_and_the_generals() -> None:
    """TSE-UNI-01: a general is no unit: he has no zone, no formation, and nobody counts him among the troops."""
    assert {kind.family for kind in troops().values()} == {"infantry", "cavalry", "artillery", "transport", "general"}
    line, leader = unit("b"), general()
    scene = battle(line, leader)
    assert leader.is_general
    assert not line.is_general
    assert scene.friends(line) == ()
    assert scene.enemies(unit("c", side="blue")) == (line,)
    with pytest.raises(BadQuestion, match="no zone"):
        ask(scene, "zone", ["a"])


@pytest.mark.parametrize("question", ["fire", "assault"])
def test_generals_are_no_targets(question: str) -> None:
    """TSE-LDR-01: however near and open he stands; the unit beside him may be attacked."""
    firer = unit("f", side="blue", n=2, formation="maneuver-column", front=2, front_mid=(0, -2.5))
    scene = battle(firer, general(), unit("b", n=2, formation="deployed", facing=180.0, at=(3, 0)))
    assert not ask(scene, question, ["f", "a"]).holds
    assert ask(scene, question, ["f", "b"]).holds
