"""Falling back: rulings, obstacles, friends, edges; the search against brute force; symmetry (TSE-INV-01..17)."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.distinct import Array
from tabletop.geometry.measure import Point, bearing, heading, turn_between
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tests.bases import rectangles
from tests.field import FAR, Field

field = Field()


def unit_and(source: Point = (0, -8), **keys: Any) -> tuple[Unit, Unit]:
    return (
        field.unit("unit", **{"at": (0, 0), "facing": 180, **keys}),
        field.unit("source", side="red", at=source),
    )


def end(verdict: Verdict) -> object:
    assert verdict.holds, [reason.text for reason in verdict.because]
    return pytest.approx(field.back(verdict.measured["at"]), abs=1e-3)


def rules(verdict: Verdict) -> list[str]:
    return [reason.rule for reason in verdict.because]


# --- rulings ---------------------------------------------------------------------------------------------------------


def test_without_the_clamp_it_goes_straight_back() -> None:
    """TSE-INV-04."""
    battle = field.battle(*unit_and((-8, 0)), fall_back_clamp=False)
    assert end(field.fall_back(battle, 6)) == (0, 6)


@pytest.mark.parametrize(
    ("source", "ruling", "where"),
    [
        ((0, 8), "away", (0, -6)),
        ((-5, 5), "clamp", (4.2426, 4.2426)),
        ((0, 8), "clamp", (4.2426, 4.2426)),
        ((0, 8), "surrender", None),
        ((-5, 4.9), "surrender", (4.2426, 4.2426)),
    ],
)
def test_an_attack_from_behind_as_ruled(
    source: tuple[float, float], ruling: str, where: tuple[float, float] | None
) -> None:
    """TSE-INV-05: from 135 degrees off the rear on."""
    verdict = field.fall_back(field.battle(*unit_and(source), attack_from_behind=ruling), 6)
    assert verdict.holds == (where is not None)
    assert where is None or where == end(verdict)


def test_not_in_full_it_stops_where_it_can_go_no_farther() -> None:
    """TSE-INV-08: before the lake, and not inside a friend."""
    lake = field.box("lake", "lake", (-5, 5), (3, 4))
    assert not field.fall_back(field.battle(*unit_and(), lake), 6).holds
    battle = field.battle(*unit_and(), lake, fall_back_in_full=False)
    assert end(field.fall_back(battle, 6)) == (0, 2.25)
    friend = field.line("friend", (-2, 2), facing=0)
    battle = field.battle(*unit_and(), lake, friend, fall_back_in_full=False)
    assert end(field.fall_back(battle, 6)) == (0, 1.25)
    assert "TSE-INV-08" in rules(field.fall_back(battle, 6))


# --- ground ----------------------------------------------------------------------------------------------------------


def test_each_base_leads_with_its_rear_edge() -> None:
    """TSE-INV-16: a rear rank inside the wood is charged by its rear edge alone."""
    wood = field.box("wood", "woods", (-30, 30), (-30, 0.5))
    verdict = field.fall_back(field.battle(*unit_and(), wood), 6)
    assert end(verdict) == (0, 5.5)
    assert verdict.measured["cost"] == pytest.approx(6)


def test_from_behind_the_front_edges_lead() -> None:
    """TSE-INV-05, TSE-INV-16: driven through its own front, a wood before it counts from its front edge."""
    wood = field.box("wood", "woods", (-30, 30), (-30, -2.75))
    assert end(field.fall_back(field.battle(*unit_and((0, 8)), wood), 6)) == (0, -4)


def test_cavalry_pays_fourfold() -> None:
    """TSE-INV-01, TSE-MOV-05."""
    wood = field.box("wood", "woods", (-30, 30), (2.75, 30))
    battle = field.battle(*unit_and(troop="light-cavalry", base=[1, 0.75]), wood)
    assert end(field.fall_back(battle, 6)) == (0, 3)


def test_an_obstacle_costs_half_an_inch() -> None:
    """TSE-INV-01, TSE-MOV-08."""
    hedge = field.path("hedge", "hedge", (-20, 3), (20, 3))
    assert end(field.fall_back(field.battle(*unit_and(), hedge), 6)) == (0, 5.5)


def test_it_turns_when_a_lake_lies_in_rough_ground() -> None:
    """TSE-INV-06: the same 33.6901 degrees, with less of the budget."""
    lake, marsh = field.box("lake", "lake", (-0.5, 0.5), (3, 4)), field.box("marsh", "marsh", (-9, 9), (1, 9))
    verdict = field.fall_back(field.battle(*unit_and(), lake, marsh), 6)
    assert verdict.measured["deviation"] == pytest.approx(math.degrees(math.atan2(1.5, 2.25)), abs=1e-6)
    assert verdict.measured["cost"] == pytest.approx(6, abs=1e-6)


def test_one_bend_where_no_straight_way_is() -> None:
    """TSE-INV-06: past the lake by one leg, between two others by the next."""
    lakes = [
        field.box("a", "lake", (-1, 1), (3, 4)),
        field.box("b", "lake", (3.5, 10), (4, 6)),
        field.box("c", "lake", (-10, -3.5), (4, 6)),
    ]
    verdict = field.fall_back(field.battle(*unit_and(), *lakes), 6)
    assert verdict.holds
    assert len(verdict.measured["path"]) == 3
    assert "TSE-INV-06" in rules(verdict)


def test_over_a_bridge() -> None:
    """TSE-MOV-15: the midline leads through the gap; the choke costs half an inch."""
    river = field.path("river", "river", (-40, 4), (40, 4))
    bridge = field.path("bridge", "bridge", (0, 3), (0, 5))
    guns: dict[str, Any] = {"troop": "light-foot-artillery", "bases": 1, "base": [1, 1]}
    verdict = field.fall_back(field.battle(*unit_and(**guns), river, bridge), 6)
    assert end(verdict) == (0, 5.5)
    assert not field.fall_back(field.battle(*unit_and(**guns), river), 6).holds


# --- units -----------------------------------------------------------------------------------------------------------


def test_it_leaves_the_enemy_it_is_in_contact_with() -> None:
    """TSE-INV-17, TSE-MOV-18."""
    unit = field.unit("unit", at=(0, 0), facing=180)
    source = field.unit("source", side="red", front_mid=(0, -0.75))
    battle = field.battle(unit, source)
    assert end(field.fall_back(battle, 6)) == (0, 6)
    forbidden = field.battle(unit, source, leaving_zone="forbidden")
    assert not field.fall_back(forbidden, 6).holds


def test_by_an_assault_it_is_driven_along_the_path() -> None:
    """TSE-INV-03: from the assaulter's front to the nearest point of the unit."""
    unit = field.unit("unit", at=(0, 0), facing=180)
    source = field.unit("source", side="red", front_mid=(-3, -4), facing=20)
    battle = field.battle(unit, source)
    options = {"from": "source", "distance": 6.0, "assault": True}
    verdict = ask(battle, "fallback", ["unit"], options)
    assert verdict.measured["direction"] == pytest.approx(bearing(2, 3.25))


def test_it_goes_on_until_clear_of_friends() -> None:
    """TSE-INV-09: when no direction ends clear, straight on by no more than both depths."""
    corners = [(-10, 5.5), (0, 5.5), (-10, 4), (0, 4)]
    friends = [field.line(f"friend{k}", corner, n=10, facing=0) for k, corner in enumerate(corners)]
    verdict = field.fall_back(field.battle(*unit_and(), *friends), 6)
    assert end(verdict) == (0, 7.0)
    assert "TSE-INV-09" in rules(verdict)


@pytest.mark.parametrize(("south", "holds"), [(7.0, False), (7.7, False), (7.8, True)])
def test_going_on_it_minds_friends_beyond_its_distance(south: float, holds: bool) -> None:
    """TSE-INV-09: nor does it end in a friend farther off than it was driven; it is lost when both depths are spent."""
    corners = [(-10, 5.5), (0, 5.5), (-10, 4), (0, 4), (-10, south), (0, south)]
    friends = [field.line(f"friend{k}", corner, n=10, facing=0) for k, corner in enumerate(corners)]
    verdict = field.fall_back(field.battle(*unit_and(), *friends), 6)
    assert verdict.holds == holds
    if holds:
        assert end(verdict) == (0, 7.0)


def test_it_passes_through_friends() -> None:
    """TSE-INV-09."""
    friend = field.line("friend", (-2, 2), facing=0)
    assert end(field.fall_back(field.battle(*unit_and(), friend), 6)) == (0, 6)


def test_over_the_edge_of_the_table_it_is_lost() -> None:
    """TSE-INV-10."""
    unit = field.unit("unit", at=(0, 36), facing=180)
    source = field.unit("source", side="red", at=(0, 28))
    verdict = field.fall_back(field.battle(unit, source), 6)
    assert not verdict.holds
    assert rules(verdict) == ["TSE-INV-10"]
    assert field.fall_back(field.battle(unit, source), 3).holds


def test_a_square_goes_straight_away() -> None:
    """TSE-FRM-32."""
    unit = field.unit("unit", formation="square", bases=4, at=(0, 0), facing=180)
    source = field.unit("source", side="red", at=(8, 0))
    verdict = field.fall_back(field.battle(unit, source), 6)
    assert end(verdict) == (-6, 0)
    assert verdict.measured["facing"] == 180


@pytest.mark.parametrize("side", [1, -1])
def test_a_square_goes_round_a_pond(side: int) -> None:
    """TSE-FRM-32, TSE-INV-06: a pond that overlaps its path by 0.075 in turns it, and it does not surrender."""
    unit = field.unit("unit", formation="square", bases=4, at=(0, 0), facing=180)
    source = field.unit("source", side="red", at=(8, 0))
    half = max(abs(field.back(p)[1]) for p in [unit.bounds[2:], unit.bounds[:2]])
    low, high = sorted((side * (half - 0.075), side * (half + 3.0)))
    verdict = field.fall_back(field.battle(unit, source, field.box("pond", "lake", (-5, -4), (low, high))), 6)
    assert verdict.holds
    assert 0.0 < abs(verdict.measured["deviation"]) < 2.0
    assert (field.back(verdict.measured["at"])[1] < 0.0) == (side > 0)


def test_a_square_turns_no_farther_than_45_degrees() -> None:
    """TSE-FRM-32: either side of away, and no more."""
    unit = field.unit("unit", formation="square", bases=4, at=(0, 0), facing=180)
    source = field.unit("source", side="red", at=(8, 0))
    walls = [field.box("lake", "lake", (-4, -3), (-5.5, 5.5))]
    assert not field.fall_back(field.battle(unit, source, *walls), 6).holds


@pytest.mark.parametrize(("facing", "away"), [(180, (8, 0)), (0, (8, 0)), (90, (8, 0)), (180, (0, 8)), (90, (0, 8))])
def test_the_whole_side_of_a_square_leads(facing: float, away: tuple[float, float]) -> None:
    """TSE-FRM-32: rough ground counts from where its leading side is in it, whichever side that is."""
    unit = field.unit("unit", formation="square", bases=4, at=(0, 0), facing=facing)
    source = field.unit("source", side="red", at=away)
    across = (-4.0, -2.0)
    rough = field.box("rough", "marsh", across, (-9, 9)) if away[0] else field.box("rough", "marsh", (-9, 9), across)
    verdict = field.fall_back(field.battle(unit, source, rough), 6)
    x, y = field.back(verdict.measured["at"])
    # to the marsh's edge, two inches of it at double price, the rest open
    assert max(-x, -y) == pytest.approx(6.0 - 2.0, abs=1e-6)


def test_at_the_table_s_edge_it_turns_aside() -> None:
    """TSE-INV-10: it keeps to the table while a direction of its arc does; else, or as ruled, it is lost."""
    unit = field.unit("unit", at=(0, 34.5), facing=180)
    source = field.unit("source", side="red", at=(0, 28))
    verdict = field.fall_back(field.battle(unit, source), 6)
    assert verdict.holds
    over = 40.0 - 34.5 - 0.75
    assert verdict.measured["deviation"] == pytest.approx(math.degrees(math.acos(over / 6.0)), abs=1e-6)
    lost = field.fall_back(field.battle(unit, source, table_edge="lost"), 6)
    assert rules(lost) == ["TSE-INV-10"]


def test_no_distance_no_move() -> None:
    assert end(field.fall_back(field.battle(*unit_and()), 0)) == (0, 0)


def test_tolerance_decides_what_the_exact_law_cannot() -> None:
    """A gap a tape cannot tell from wide enough is passed; a narrower one is not."""
    for width, holds in ((2.0, True), (1.992, True), (1.985, False)):
        lakes = [
            field.box("a", "lake", (-20, -width / 2), (3, 9)),
            field.box("b", "lake", (width / 2, 20), (3, 9)),
        ]
        assert field.fall_back(field.battle(*unit_and(), *lakes), 6).holds is holds


# --- what cannot be asked --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "options", "words"),
    [
        ("g", {"from": "source", "distance": 6.0}, "general"),
        ("unit", {"distance": 6.0}, "--from"),
        ("unit", {"from": "source"}, "--distance"),
        ("unit", {"from": "unit", "distance": 6.0}, "another"),
        ("unit", {"from": "g", "distance": 6.0}, "another"),
        ("unit", {"from": "nobody", "distance": 6.0}, "no unit"),
        ("unit", {"from": "source", "distance": -1.0}, "no length"),
        ("unit", {"from": "source", "distance": math.nan}, "no length"),
    ],
)
def test_what_cannot_be_asked(unit: str, options: dict[str, Any], words: str) -> None:
    general = field.unit("g", troop="general", bases=None, formation=None, facing=None, at=(9, 9))
    with pytest.raises(BadQuestion, match=words):
        ask(field.battle(*unit_and(), general), "fallback", [unit], options)


# --- the search against brute force ----------------------------------------------------------------------------------


def crowded(seed: int) -> Battle:
    """A unit with lakes, enemies and friends behind it."""
    rnd = random.Random(seed)
    pair = unit_and((rnd.choice([-6, -2, 0, 3]), -8), bases=rnd.choice([2, 4, 5]))
    things: list[Unit | Terrain] = list(pair)
    placed = [unit.footprint for unit in pair]
    for k in range(rnd.randint(1, 6)):
        x, y = round(rnd.uniform(-6, 6) * 8) / 8, round(rnd.uniform(2, 8) * 8) / 8
        kind = rnd.choice(["lake", "lake", "enemy", "friend"])
        if kind == "lake":
            things.append(
                field.box(f"lake{k}", "lake", (x, x + rnd.choice([0.5, 1, 2])), (y, y + rnd.choice([0.5, 1])))
            )
            continue
        side, facing = ("red" if kind == "enemy" else "blue"), rnd.choice([0, 90, 180, 200, 45])
        other = field.unit(
            f"{kind}{k}", side=side, bases=rnd.choice([2, 4]), formation="deployed", at=(x, y), facing=facing
        )
        if all(other.footprint.distance(shape) > 0.01 for shape in placed):
            things.append(other)
            placed.append(other.footprint)
    return field.battle(*things)


class Brute:
    """The same law by plain steps, without a space of translations: outlines swept, distances taken."""

    def __init__(self, battle: Battle) -> None:
        self.unit = battle.unit("unit")
        self.lakes = shapely.union_all([p.shape for p in battle.table.terrain])
        self.enemies = [e.footprint for e in battle.enemies(self.unit)]
        self.limits = [min(1.0, e.distance(self.unit.footprint)) for e in self.enemies]
        self.friends = shapely.union_all([f.footprint for f in battle.friends(self.unit)])

    def legal(self, way: list[tuple[float, float]], give: float) -> bool:
        hulls = []
        for a, b in pairwise(way):
            for base in rectangles(self.unit.bases):
                corners = np.concatenate([base.corners + np.array(a), base.corners + np.array(b)])
                hulls.append(shapely.convex_hull(shapely.MultiPoint(corners)))
        swept = shapely.union_all(hulls)
        if shapely.intersects(swept.buffer(-give, join_style="mitre"), self.lakes):
            return False
        if any(swept.distance(e) < limit - give for e, limit in zip(self.enemies, self.limits, strict=True)):
            return False
        end = self.unit.moved(*way[-1]).footprint.buffer(-give, join_style="mitre")
        return not shapely.intersects(end, self.friends)


def against_brute_force(seed: int, bends: int, step: float = 0.25) -> str:
    battle = crowded(seed)
    brute, verdict = Brute(battle), field.fall_back(battle, 6)
    wanted, rear = verdict.measured["direction"], 0.0
    if verdict.holds and "TSE-INV-09" in rules(verdict):
        assert brute.legal([(x - brute.unit.at[0], y - brute.unit.at[1]) for x, y in verdict.measured["path"]], 0.006)
        return "on"
    found = 90.0
    if verdict.holds:
        points = [(x - brute.unit.at[0], y - brute.unit.at[1]) for x, y in verdict.measured["path"]]
        assert brute.legal(points, 0.006), seed
        assert sum(math.dist(a, b) for a, b in pairwise(points)) == pytest.approx(6)
        for a, b in pairwise(points):
            assert abs(turn_between(rear, bearing(b[0] - a[0], b[1] - a[1]))) <= 45 + 1e-6
        found = abs(verdict.measured["deviation"]) if len(points) == 2 else 90.0
    for degrees in np.arange(-45.0, 45.01, step):
        if abs(turn_between(wanted, float(degrees))) < found - 0.01:
            e = heading(float(degrees))
            assert not brute.legal([(0.0, 0.0), (6 * e[0], 6 * e[1])], 1e-6), (seed, degrees)
    if not verdict.holds:
        rnd = random.Random(seed)
        for _ in range(bends):
            first, second, length = rnd.uniform(-45, 45), rnd.uniform(-45, 45), rnd.uniform(0, 6)
            e, g = heading(first), heading(second)
            bend = length * e[0], length * e[1]
            last = bend[0] + (6 - length) * g[0], bend[1] + (6 - length) * g[1]
            assert not brute.legal([(0.0, 0.0), bend, last], 1e-6), (seed, first, second, length)
    return "yes" if verdict.holds else "no"


@pytest.mark.parametrize("seed", range(16))
def test_no_way_is_overlooked_and_none_is_better(seed: int) -> None:
    """TSE-INV-06, TSE-INV-08: what is found is legal; nothing nearer to the wanted direction is; a no has no way."""
    against_brute_force(seed, bends=25, step=1.0)


@pytest.mark.sweep
def test_no_way_is_overlooked_in_many_scenes() -> None:
    """TSE-INV-06, TSE-INV-08."""
    found = [against_brute_force(seed, bends=1500) for seed in range(1000, 1300)]
    assert min(found.count(answer) for answer in ("yes", "no")) > 10


# --- symmetry --------------------------------------------------------------------------------------------------------


def turned(battle: Battle) -> Battle:
    """The whole table turned clockwise by a quarter."""

    def place(corners: Array) -> Array:
        return np.stack([corners[:, 1], FAR - corners[:, 0]], axis=1)

    units = []
    for unit in battle.units:
        bases = tuple(replace(b, x=b.y, y=FAR - b.x, facing=(b.facing + 90) % 360) for b in rectangles(unit.bases))
        units.append(replace(unit, bases=bases, facing=(unit.facing + 90) % 360))
    shift = [replace(p, shape=shapely.transform(p.shape, place)) for p in battle.table.terrain]
    return Battle.of("tse", Table.of("in", FAR, FAR, shift), units[::-1], battle.rulings)


@pytest.mark.parametrize("seed", range(8))
def test_a_quarter_turn_turns_the_answer(seed: int) -> None:
    battle = crowded(seed)
    there, here = field.fall_back(turned(battle), 6), field.fall_back(battle, 6)
    assert there.holds == here.holds
    if here.holds:
        x, y = here.measured["at"]
        assert there.measured["at"] == pytest.approx([y, FAR - x], abs=1e-6)


def mirrored(battle: Battle) -> Battle:
    units = []
    for unit in battle.units:
        bases = tuple(replace(b, x=FAR - b.x, facing=-b.facing % 360) for b in rectangles(unit.bases))
        units.append(replace(unit, bases=bases, facing=-unit.facing % 360))
    terrain = [
        replace(p, shape=shapely.transform(p.shape, lambda c: np.stack([FAR - c[:, 0], c[:, 1]], axis=1)))
        for p in battle.table.terrain
    ]
    return Battle.of("tse", Table.of("in", FAR, FAR, terrain), units, battle.rulings)


@pytest.mark.parametrize("seed", range(8))
def test_a_mirror_changes_no_verdict(seed: int) -> None:
    """Clockwise first is a handed rule: the place may be the other of two equally good ones, the answer may not."""
    battle = crowded(seed)
    here, there = field.fall_back(battle, 6), field.fall_back(mirrored(battle), 6)
    assert here.holds == there.holds
    if here.holds and len(here.measured["path"]) == 2:
        assert abs(there.measured["deviation"]) == pytest.approx(abs(here.measured["deviation"]), abs=1e-6)
