"""No base is placed anew within 1 in of an enemy, whatever the unit's own distance was (TSE-FRM-07, -15, -24, G37)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.judge import ask
from tabletop.rules.tse.movement.formation import assume, forming_faults
from tabletop.rules.tse.movement.zone_of_control import placed_anew
from tests.field import FIELDS, Field, O
from tests.playing import RECEIVED, do, refused, scene
from tests.playing import unit as troops

both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])
T = 0.005


def faults(battle: Battle, before: Unit, after: Unit, ref: int | None = None) -> list[str]:
    return [fault.rule for fault in forming_faults(battle, before, after, ref=ref)]


def column(field: Field, **keys: object) -> Unit:
    """Return the column of G37: two wide and four deep, the middle of its front at the origin, facing north."""
    return field.unit("unit", **{"bases": 8, "front": 2, "front_mid": (0.0, 0.0), **keys})


@both_scales
@pytest.mark.parametrize("ref", [0, 1])
@pytest.mark.parametrize("place", range(8))
def test_g37_no_deploying_within_the_inch(field: Field, ref: int, place: int) -> None:
    """TSE-FRM-07, TSE-FRM-15: six more bases would come to 0.5, whichever place the base that stays takes."""
    before, enemy = column(field), field.line("enemy", (-4.0, 0.5), 8, side="red")
    battle = field.battle(before, enemy)
    after = assume(battle, before, "deployed", ref=ref, place=place)
    outside = (ref, place) in ((0, 7), (1, 0))  # then one of the two front bases has none in its place
    assert len(placed_anew(before, after, T * field.scale)) == (7 if outside else 6)
    assert faults(battle, before, after, ref) == ["TSE-FRM-15"]
    verdict = ask(battle, "move", ["unit"], {"as": "deploy", "ref": ref, "place": place, "facing": 0.0})
    assert not verdict.holds
    assert verdict.because[0].measured == pytest.approx(0.5 * field.scale)


@both_scales
def test_the_bases_that_stay_may_be_within_the_inch(field: Field) -> None:
    """TSE-FRM-07: two bases deployed where they stand place none anew; a third is refused."""
    before, enemy = column(field, bases=2, front=2), field.line("enemy", (-4.0, 0.5), 8, side="red")
    battle = field.battle(before, enemy)
    assert faults(battle, before, assume(battle, before, "deployed")) == []
    before = column(field, bases=3, front=2)
    battle = field.battle(before, enemy)
    assert faults(battle, before, assume(battle, before, "deployed")) == ["TSE-FRM-15"]


@both_scales
@pytest.mark.parametrize("gap", [1.02, 1.0, 0.98, 0.5])
@pytest.mark.parametrize("side", [-1, 1], ids=["left", "right"])
def test_g37_a_march_column_marches_on_beside_an_enemy(field: Field, gap: float, side: int) -> None:
    """TSE-FRM-24, TSE-MOV-18: a column that keeps its bases where they are forms nothing."""
    before = field.unit("unit", formation="march-column", front_mid=(0.0, 0.0))
    x = 0.5 + gap if side > 0 else -0.5 - gap - 4.0
    battle = field.battle(before, field.line("enemy", (x, -2.0), side="red"))
    x, y = field.put((0.0, 5.0))
    verdict = ask(battle, "move", ["unit"], {"as": "march", "path": [(x, y)]})
    assert verdict.holds, verdict.because
    assert ask(battle, "move", ["unit"], {"as": "march", "to": (x, y)}).holds
    area = ask(battle, "reach", ["unit"], {"as": "march", "head": 0}).measured["size"]
    assert area > 0.0 or gap < 1.0


@both_scales
@pytest.mark.parametrize(("gap", "legal"), [(1.02, True), (1.0, False), (0.98, False), (0.5, False)])
def test_g37_a_march_column_is_not_formed_within_the_inch(field: Field, gap: float, legal: bool) -> None:
    """TSE-FRM-24: a base placed anew at 1 in or nearer is refused, however near the unit stood before."""
    before = field.unit("unit", formation="deployed", at=(0.0, 0.0))  # bases at -1.5 .. 1.5
    enemy = field.line("enemy", (-1.0 + gap, -2.5), side="red")  # beside the file behind the left base
    battle = field.battle(before, enemy)
    after = assume(battle, before, "march-column", head=0)
    assert faults(battle, before, after) == ([] if legal else ["TSE-FRM-24"])


@both_scales
@pytest.mark.parametrize(("gap", "legal"), [(1.006, True), (1.004, False), (1.0, False), (0.9, False)])
def test_the_limit_of_a_march_column_is_closed(field: Field, gap: float, legal: bool) -> None:
    """TSE-FRM-24: illegal at 1 in and the tolerance."""
    before = field.unit("unit", formation="deployed", at=(0.0, 0.0))
    battle = field.battle(before, field.line("enemy", (-1.0 + gap, -2.5), side="red"))
    assert faults(battle, before, assume(battle, before, "march-column", head=0)) == ([] if legal else ["TSE-FRM-24"])


@both_scales
@pytest.mark.parametrize("formation", ["deployed", "square"])
@pytest.mark.parametrize(("gap", "legal"), [(1.0, True), (0.996, True), (0.994, False), (0.5, False)])
def test_lines_and_squares_keep_the_inch(field: Field, formation: str, gap: float, legal: bool) -> None:
    """TSE-FRM-07, TSE-FRM-15: open, and the same for a square; the unit itself stands inside the inch of one base."""
    before = field.unit("unit", at=(0.0, 0.0))
    battle = field.battle(before)
    after = assume(battle, before, formation, facing=0.0)
    top = max(field.back((0.0, b.box[3]))[1] for b in placed_anew(before, after, T))
    battle = field.battle(before, field.line("enemy", (-6.0, top + gap), 10, side="red"))
    assert faults(battle, before, after) == (
        [] if legal else ["TSE-FRM-15" if formation == "deployed" else "TSE-FRM-07"]
    )


@both_scales
def test_a_column_of_other_ranks_is_measured_as_a_unit(field: Field) -> None:
    """TSE-FRM-07: a maneuver column keeps its centre-point, then TSE-MOV-18: never nearer than it started."""
    before = column(field)
    battle = field.battle(before, field.line("enemy", (-4.0, 0.5), 8, side="red"))
    assert faults(battle, before, assume(battle, before, "maneuver-column", front=4)) == []
    wide = field.unit("unit", bases=8, front=4, front_mid=(0.0, 0.0))
    battle = field.battle(wide, field.line("enemy", (-4.0, 0.9), 8, side="red"))
    assert faults(battle, wide, assume(battle, wide, "maneuver-column", front=2)) == ["TSE-MOV-18"]


def test_regrouping_places_no_base_within_the_inch() -> None:
    """TSE-REG-03: it may keep its pose there; a new layout keeps the inch base by base."""
    unit = troops("a", at=(0.0, 0.0), bases=8, front=2, status="disordered")
    enemy = troops("enemy", side="red", parent=None, formation="deployed", bases=8, at=(0.0, 2.375), facing=180)
    battle = scene(unit, enemy)
    do(battle, "regroup", "a", RECEIVED)
    do(battle, "regroup", "a", RECEIVED, formation="maneuver-column", front=2, facing=180.0)
    assert "TSE-FRM-15" in refused(battle, "regroup", formation="deployed", facing=90.0)
    assert "TSE-FRM-24" in refused(battle, "regroup", formation="march-column")
    assert refused(battle, "regroup", formation="maneuver-column", front=3) == {"TSE-FRM-07"}


def test_where_a_base_stood_one_may_stand_whichever_way_it_faces() -> None:
    """TSE-FRM-07: bases are interchangeable, facing does not matter; more than the tolerance off is another place."""
    field = Field()
    before = field.unit("unit", base=(1.0, 1.0), at=(0.0, 0.0))
    for facing in (0.0, 90.0, 180.0, 270.0):
        after = assume(field.battle(before), before, "maneuver-column", facing=facing)
        assert placed_anew(before, after, T) == ()
    assert placed_anew(before, before.moved(0.0, 0.004), T) == ()
    assert len(placed_anew(before, before.moved(0.0, 0.006), T)) == 4
    oblong = field.unit("unit", at=(0.0, 0.0))
    assert len(placed_anew(oblong, oblong.turned(90.0), T)) == 4
    assert placed_anew(oblong, oblong.turned(180.0), T) == ()
    assert placed_anew(oblong, replace(oblong, bases=oblong.bases[::-1]), T) == ()


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize(("gap", "legal"), [(1.0, True), (0.99, False)])
def test_the_same_turned_and_mirrored(mirrored: bool, facing: float, gap: float, legal: bool) -> None:
    """TSE-FRM-15: for a line to the right or the left of its reference base, whichever way north is."""
    field = Field()
    before = column(field)
    ref = 1 if mirrored else 0
    after = assume(field.battle(before), before, "deployed", ref=ref, place=7 if mirrored else 0)
    ends = sorted(field.back(b.centre)[0] for b in after.bases)
    assert ends == pytest.approx([(-6.5 if mirrored else -0.5) + k for k in range(8)])
    edge = -7.0 if mirrored else 7.0
    x = edge - gap - 4.0 if mirrored else edge + gap
    enemy = field.line("enemy", (x, -1.0), side="red")
    turned = [u.turned(facing, (O, O)) for u in (before, enemy, after)]
    battle = field.battle(*turned[:2])
    assert faults(battle, turned[0], turned[2], ref) == ([] if legal else ["TSE-FRM-15"])
