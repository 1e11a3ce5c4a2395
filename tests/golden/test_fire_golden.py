"""The worked cases of arcs, range, clearance, zones, overhead fire, odds, losses, bends, scale (G01-G09, G26-G30)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.arc import distance_to_arc, fronts_of
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Tape
from tabletop.rules.tse.calculator.outnumbering import assault_box, fire_box
from tabletop.rules.tse.morale.status import destroyed, losses_to_destroy, worsened
from tests.firing import SHIFT, ask, battle, block, doubled, general, strip

T = 1e-3


def battery(troop: str = "light-foot-artillery", **keys: Any) -> Unit:
    """A battery facing north, front (-0.5, 0) to (0.5, 0)."""
    return block("guns", "blue", (-0.5, 0.5), (-1.0, 0.0), troop=troop, quality="", **keys)


def target(x: tuple[float, float], y: tuple[float, float], **keys: Any) -> Unit:
    return block("target", "red", x, y, facing=180.0, **keys)


def agree(scene: Battle, question: str, a: str, b: str, holds: bool, **measured: Any) -> None:
    """The verdict and its measures, and the same with every coordinate doubled at figure scale 2 (TSE-SCL-01)."""
    for factor, table in ((1.0, scene), (2.0, doubled(scene))):
        verdict = ask(table, question, a, b)
        assert verdict.holds is holds, verdict.because
        for key, value in measured.items():
            found = verdict.measured[key]
            if isinstance(value, float) and key != "bearing":
                assert found == pytest.approx(factor * value, abs=factor * T), key
            else:
                assert found == (pytest.approx(value) if isinstance(value, float) else value), key


@pytest.mark.parametrize(
    ("x", "y", "holds"),
    [((1.5, 2.5), (0.25, 1.0), True), ((1.51, 2.51), (0.25, 1.0), False), ((1.4, 2.4), (0.25, 1.0), True)],
)
def test_g01_arc_one_base(x: tuple[float, float], y: tuple[float, float], holds: bool) -> None:
    """TSE-FIR-05: a touch of the arc's edge is in."""
    agree(battle(battery(), target(x, y)), "arc", "guns", "target", holds)


@pytest.mark.parametrize(
    ("x", "y", "holds"),
    [
        ((2.2, 3.2), (-0.5, 0.25), True),
        ((2.2, 3.2), (-0.55, 0.20), True),
        ((2.2, 3.2), (-0.6, 0.15), False),
        ((1.0, 2.0), (-2.0, -1.0), False),
    ],
)
def test_g02_arc_line_of_four(x: tuple[float, float], y: tuple[float, float], holds: bool) -> None:
    """TSE-FIR-05."""
    line = block("line", "blue", (-2.0, 2.0), (-0.75, 0.0))
    agree(battle(line, target(x, y)), "arc", "line", "target", holds)


@pytest.mark.parametrize(("top", "holds"), [(-0.70, True), (-0.72, False)])
def test_g03_arc_at_45_degrees(top: float, holds: bool) -> None:
    """TSE-FIR-05 at heading 45: the right ray runs due east."""
    s = math.sqrt(0.5)
    bases = tuple(
        Base(SHIFT + k * s * 0.5 - 0.375 * s, SHIFT - k * s * 0.5 - 0.375 * s, 45.0, 1.0, 0.75) for k in (-1, 1)
    )
    line = Unit("line", "blue", "infantry", bases, formation="deployed", facing=45.0, front_bases=(0, 1))
    agree(battle(line, target((5.0, 6.0), (top - 0.75, top))), "arc", "line", "target", holds)


@pytest.mark.parametrize(
    ("troop", "gap", "holds", "band"),
    [
        ("infantry", 3.0, True, "0-3"),
        ("infantry", 3.01, False, "3-6"),
        ("light-foot-artillery", 3.0, True, "0-3"),
        ("horse-artillery", 3.4, True, "3-6"),
        ("light-foot-artillery", 6.0, True, "3-6"),
        ("horse-artillery", 6.5, True, "6-9"),
        ("light-foot-artillery", 9.0, True, "6-9"),
        ("horse-artillery", 9.2, False, "9-12"),
        ("heavy-foot-artillery", 9.0, True, "6-9"),
        ("heavy-foot-artillery", 9.2, True, "9-12"),
        ("heavy-foot-artillery", 12.0, True, "9-12"),
        ("heavy-foot-artillery", 12.01, False, None),
    ],
)
def test_g04_range_break_points(troop: str, gap: float, holds: bool, band: str | None) -> None:
    """TSE-FIR-01, TSE-FIR-04, TSE-FIR-09."""
    shooter = block("shooter", "blue", (-1.0, 1.0), (-1.0, 0.0), troop=troop)
    scene = battle(shooter, target((-1.0, 1.0), (gap, gap + 1.0)))
    agree(scene, "fire", "shooter", "target", holds, range=gap, band=band)


def test_g05_diagonal_range() -> None:
    """TSE-FIR-03: from the front's corner to the target's."""
    scene = battle(block("line", "blue", (-2.0, 2.0), (-0.75, 0.0)), target((5.0, 6.0), (4.0, 5.0)))
    agree(scene, "fire", "line", "target", False, range=5.0, band="3-6")


def test_g06_range_to_the_part_in_the_arc() -> None:
    """TSE-FIR-06: not to the nearest part, which lies outside the arc."""
    scene = battle(battery(), target((3.0, 7.0), (1.5, 3.0)))
    agree(scene, "fire", "guns", "target", True, range=3.5355, band="3-6")
    foot = replace(battery("infantry"), id="foot")
    agree(battle(foot, target((3.0, 7.0), (1.5, 3.0))), "fire", "foot", "target", False, range=3.5355)
    naive = battle(battery(), target((3.0, 7.0), (1.5, 3.0)), same_part=False)
    agree(naive, "fire", "guns", "target", True, range=2.9155, band="0-3")


@pytest.mark.parametrize(
    ("x", "holds", "length"), [((0.0, 1.0), True, 6.0), ((-0.01, 0.99), False, None), ((0.9, 1.9), True, 6.0)]
)
def test_g07_half_inch_clearance(x: tuple[float, float], holds: bool, length: float | None) -> None:
    """TSE-FIR-10: exactly half an inch is clear."""
    friend = block("friend", "blue", x, (2.0, 2.75))
    scene = battle(battery(), friend, target((-0.5, 0.5), (6.0, 6.75)))
    agree(scene, "fire", "guns", "target", holds, range=length, band="3-6" if holds else None)
    verdict = ask(scene, "fire", "guns", "target")
    if not holds:
        assert verdict.because[0].rule == "TSE-FIR-10"
        assert verdict.blockers == ("friend",)


def test_g08_supported_battery() -> None:
    """TSE-FIR-11: friends abreast do not mask the guns; read literally they do."""
    units = (
        battery(),
        block("left", "blue", (-4.5, -0.5), (-0.75, 0.0)),
        block("right", "blue", (0.5, 4.5), (-0.75, 0.0)),
        target((2.0, 3.0), (5.0, 5.75)),
    )
    agree(battle(*units), "fire", "guns", "target", True, range=5.2202, band="3-6")
    agree(battle(*units, clearance_ignores_abreast=False), "fire", "guns", "target", False, range=None)


@pytest.mark.parametrize(("edge", "front", "breach"), [(1.0, 3.0, False), (1.05, 2.6878, False), (1.05, 2.75, True),
                                                       (1.4, 2.2, False), (1.4, 2.21, True)])  # fmt: skip
def test_g09_zone_by_distance(edge: float, front: float, breach: bool) -> None:
    """TSE-MOV-17: open at exactly 1 in; here where the battery stands, not on its way."""
    from tabletop.rules.tse.movement.zone_of_control import zone_faults

    enemy = block("enemy", "red", (2.0, 3.0), (3.0, 3.75))
    start = block("guns", "blue", (edge - 1.0, edge), (-1.0, 0.0), troop="horse-artillery")
    scene = battle(start, enemy)
    assert bool(zone_faults(scene, start, start.moved(0.0, front))) is breach
    if front in (2.6878, 2.2):
        assert distance_between(start.moved(0.0, front), enemy) == pytest.approx(1.0, abs=T)


@pytest.mark.parametrize(("level", "holds", "length"), [(0, False, None), (1, True, 8.0), (2, True, 7.5)])
def test_g26_overhead_fire(level: int, holds: bool, length: float | None) -> None:
    """TSE-FIR-12: the friend is a tall obstruction; what lies beyond its shadow may be shot at."""
    scene = overhead(level, (3.0, 4.0), (-2.0, 2.0), (7.5, 8.25))
    agree(scene, "fire", "guns", "target", holds, range=length, band="6-9" if holds else None)


@pytest.mark.parametrize(("level", "x", "holds"), [(1, 7.2, False), (1, 7.3, True), (2, 5.2, False), (2, 5.3, True)])
def test_g26_overhead_fire_at_the_shadow_edge(level: int, x: float, holds: bool) -> None:
    """TSE-FIR-12: to x = 8 from one level up, to x = 6 from two; the target is 0.75 deep."""
    agree(overhead(level, (3.0, 4.0), (-2.0, 2.0), (x, x + 0.75)), "fire", "guns", "target", holds)


def test_g26_beside_the_friend() -> None:
    """TSE-FIR-10: a line that keeps half an inch needs no overhead fire."""
    agree(overhead(0, (3.0, 4.0), (0.9, 2.9), (6.0, 7.0)), "fire", "guns", "target", True, range=6.0, band="3-6")


def overhead(level: int, x: tuple[float, float], y: tuple[float, float], at: tuple[float, float]) -> Battle:
    """A heavy battery facing east, front x = 0, on a hill of ``level``; a friend and the target on level 0."""
    guns = Unit(
        "guns",
        "blue",
        "heavy-foot-artillery",
        (Base(SHIFT - 0.5, SHIFT, 90.0, 1.0, 1.0),),
        formation="deployed",
        facing=90.0,
        front_bases=(0,),
    )
    hills = tuple(strip(f"hill-{k}", "hill", (-3.0, 0.0), (-3.0, 3.0), level=k) for k in range(1, level + 1))
    friend = block("friend", "blue", x, y, bases=1)
    return battle(guns, friend, target(at, (-0.5, 0.5), bases=1), terrain=hills)


FIRE_BOXES = {
    (3, 4): "actor-outnumbered", (6, 8): "actor-outnumbered", (5, 8): "actor-outnumbered",
    (2, 4): "actor-badly-outnumbered", (1, 8): "actor-badly-outnumbered", (4, 4): "forces-even",
    (4, 5): "forces-even", (7, 6): "forces-even", (8, 6): "target-outnumbered", (4, 3): "target-outnumbered",
    (7, 4): "target-outnumbered", (10, 5): "target-badly-outnumbered",
}  # fmt: skip


@pytest.mark.parametrize(("bases", "box"), FIRE_BOXES.items())
def test_g27_outnumbering_in_fire(bases: tuple[int, int], box: str) -> None:
    """TSE-FIR-14, TSE-FIR-15, TSE-FIR-16, TSE-FIR-17, TSE-FIR-18."""
    assert fire_box(*bases) == box


def test_g27_outnumbering_in_assaults() -> None:
    """TSE-ASL-30, TSE-ASL-31, TSE-ASL-32, TSE-ASL-33."""
    boxes = [assault_box(sum(so_far), 4, "1") for so_far in ([4], [4, 3], [4, 3, 2])]
    assert boxes == ["forces-even", "target-outnumbered", "target-badly-outnumbered"]
    assert assault_box(7, 3, "1") == "target-badly-outnumbered"
    assert assault_box(5, 4, "1") == "target-outnumbered"
    assert assault_box(5, 4, "4/3") == "forces-even"


def test_g28_losses_and_status() -> None:
    """TSE-STS-02, TSE-STS-03, TSE-STS-04, TSE-STS-06, TSE-STS-07."""
    assert [losses_to_destroy(start) for start in range(1, 11)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert worsened("ok", "disorder") == "disordered"
    assert worsened("disordered", "disorder") == "demoralized"
    assert worsened("ok", "demoralize") == "demoralized"
    assert {worsened("demoralized", effect) for effect in ("disorder", "demoralize")} == {"demoralized"}
    assert not destroyed(8, 3)
    assert destroyed(8, 3 + 1)


def test_g30_bent_line() -> None:
    """TSE-FIR-26, TSE-FRM-12: the second base of a bent line sees what a straight line would not."""
    first = Base(-0.5, -0.375, 0.0, 1.0, 0.75)
    s, c = 0.5, math.sqrt(0.75)
    second = Base(0.375 * s + 0.5 * c, -0.75 + 0.375 * c - 0.5 * s, 30.0, 1.0, 0.75)
    assert second.front_edge.tolist() == [
        pytest.approx([0.3750, -0.1005], abs=1e-4), pytest.approx([1.2410, -0.6005], abs=1e-4),
    ]  # fmt: skip
    fronts, tape = fronts_of([first, second]), Tape()
    assert tape.at_most(distance_to_arc(fronts, shapely.Point(5.0, 0.5)), 0.0)
    assert not tape.at_most(distance_to_arc(fronts, shapely.Point(5.0, 0.4)), 0.0)
    straight = fronts_of([first, Base(0.5, -0.375, 0.0, 1.0, 0.75)])
    assert not tape.at_most(distance_to_arc(straight, shapely.Point(5.0, 0.5)), 0.0)


def test_g30_bent_line_by_its_reference_alone() -> None:
    """TSE-FRM-12: the ruling counts only the bases that face as the reference base does."""
    s, c = 0.5, math.sqrt(0.75)
    second = Base(SHIFT + 0.375 * s + 0.5 * c, SHIFT - 0.75 + 0.375 * c - 0.5 * s, 30.0, 1.0, 0.75)
    bases = (Base(SHIFT - 0.5, SHIFT - 0.375, 0.0, 1.0, 0.75), second)
    line = Unit("line", "blue", "infantry", bases, formation="deployed", front_bases=(0, 1))
    mark = target((5.0, 6.0), (-0.25, 0.5))
    assert ask(battle(line, mark), "arc", "line", "target").holds
    assert not ask(battle(line, mark, bent_line_arc="reference"), "arc", "line", "target").holds


@pytest.mark.parametrize(("x", "holds"), [(6.5, True), (6.51, False)])
def test_g30_command(x: float, holds: bool) -> None:
    """TSE-ORD-03: edge of the general's base to the unit's nearest point; exactly 6 in helps."""
    scene = battle(general("general", "blue", 0.0, 0.0), block("unit", "blue", (x, x + 2.0), (-0.5, 0.25)))
    for factor, table in ((1.0, scene), (2.0, doubled(scene))):
        verdict = ask(table, "command", "unit")
        assert verdict.holds is holds
        assert verdict.measured["distance"] == pytest.approx(factor * (x - 0.5), abs=T)
        assert verdict.measured["general"] == "general"
