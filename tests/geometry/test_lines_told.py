"""What is told of a line: stretches, ground and shadows, the same from either end."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, sight, sight_line
from tabletop.geometry.movement.advance_cost import Spent
from tabletop.geometry.movement.move_context import Node
from tabletop.geometry.movement.route import Goal, _bound, _worth
from tabletop.geometry.terrain import Table, Terrain
from tabletop.judge import ask
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.field import Field

LAW = SightLaw()
TABLE = Table.of("in", 40, 20)
FIELD = Field()


@pytest.mark.parametrize(
    ("west", "east", "span"),
    [(6.0, 9.0, (0.0, 1.0)), (9.0, 10.0, (1.0, 2.0)), (13.0, 20.0, (5.0, 6.0)), (6.0, 20.0, (0.0, 6.0))],
)
def test_the_stretch_beside_a_friend(west: float, east: float, span: tuple[float, float]) -> None:
    """TSE-FIR-10: no more of him than lies beside the line itself, told from its first end."""
    unit = InterveningUnit(shapely.box(west, 10.25, east, 12.0), 0, 0.5, "friend")
    there = sight_line(TABLE, (8.0, 10.0), (14.0, 10.0), LAW, (unit,)).hindrances
    back = sight_line(TABLE, (14.0, 10.0), (8.0, 10.0), LAW, (unit,)).hindrances
    assert [h.stretch for h in there] == [pytest.approx(span)]
    assert [h.stretch for h in back] == [pytest.approx((6.0 - span[1], 6.0 - span[0]))]
    assert there[0].measured == back[0].measured == pytest.approx(0.25)


@pytest.mark.parametrize(("level", "rule", "blocks"), [(0, "TSE-FIR-10", True), (2, "TSE-FIR-12", False)])
def test_a_friend_in_the_way_or_passed_over(level: int, rule: str, blocks: bool) -> None:
    """TSE-FIR-10, TSE-FIR-12: on the level he closes the line; from above, he hides for a while."""
    hills = [box("hill", 2, 10, k) for k in range(1, level + 1)]
    unit = InterveningUnit(shapely.box(14.0, 9.0, 15.0, 11.0), 0, 0.5, "friend")
    line = sight_line(Table.of("in", 40, 20, hills), (6.0, 10.0), (30.0, 10.0), LAW, (unit,))
    told = [h for h in line.hindrances if h.feature == "friend"]
    assert [(h.rule, h.blocks, h.kind) for h in told] == [(rule, blocks, "unit")]
    assert line.clear != blocks


def box(kind: str, x0: float, x1: float, level: int = 0) -> Terrain:
    return Terrain.of_kind(f"{kind}{level}", kind, outline=[(x0, 5), (x1, 5), (x1, 15), (x0, 15)], level=level)


def test_a_line_in_section() -> None:
    """TSE-LOS-06: from a hill of two levels over a wood to the plain, and the same line the other way."""
    table = Table.of("in", 40, 20, [box("hill", 2, 10, 1), box("hill", 4, 8, 2), box("woods", 14, 16)])
    line = sight_line(table, (6.0, 10.0), (30.0, 10.0), LAW)
    view = line.side_view
    assert view is not None
    assert (view.eye, view.target) == (2, 0)
    assert [level for *_, level in view.ground] == [2, 1, 0]
    marks = [end for near, far, _ in view.ground for end in (near, far)]
    assert marks == pytest.approx([0.0, 2.0, 2.0, 4.0, 4.0, 24.0], abs=1e-4)
    ((near, far, *rest),) = view.obstructions
    assert (near, far) == pytest.approx((8.0, 10.0), abs=1e-4)
    assert rest == [0, "woods0", False]
    back = sight_line(table, (30.0, 10.0), (6.0, 10.0), LAW).side_view
    assert back is not None
    assert (back.eye, back.target) == (0, 2)
    mirrored = [24.0 - end for near, far, _ in reversed(back.ground) for end in (far, near)]
    assert mirrored == pytest.approx(marks, abs=1e-4)


# --- the least a way can cost -----------------------------------------------------------------------------------------


def bound(battle: Battle, x: float, y: float, facing: float | None, goal_facing: float | None = None) -> float:
    own = battle.unit("a")
    context = setting_of(battle, own, ACTIONS["maneuver"])
    at = own.front_mid if facing is not None else context.pivot
    spent = Spent(0.0, (0.0,) * context.files.count)
    goal = Goal((at[0] + x, at[1] + y), None if goal_facing is None else math.radians(goal_facing))
    return _bound(context, goal, Node(0.0, at, None if facing is None else math.radians(facing), spent, ()))


def test_no_way_is_cheaper_than_straight_on_with_the_turns_it_needs() -> None:
    """TSE-MOV-02, TSE-MOV-03: a front two wide turns on its middle by the arc of its corner; forming faces freely."""
    battle = FIELD.battle(FIELD.unit("a", at=(0.0, 0.0)))
    context = setting_of(battle, battle.unit("a"), ACTIONS["maneuver"])
    turn = math.radians(90.0) * context.files.half
    assert context.files.half == 1.0
    assert bound(battle, 0.0, 3.0, 0.0) == pytest.approx(3.0)
    free = context.free_turns
    assert bound(battle, 3.0, 0.0, 0.0) == pytest.approx(3.0 + (0.0 if free else turn))
    assert bound(battle, 0.0, 3.0, 0.0, 90.0) == pytest.approx(3.0 + (0.0 if free else turn))
    assert bound(battle, 3.0, 0.0, 0.0, 45.0) == pytest.approx(3.0 + (0.0 if free else turn))
    assert bound(battle, 0.0, 3.0, None) == pytest.approx(max(0.0, 3.0 - context.offset))
    assert bound(battle, 0.0, 0.0, 0.0) == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_the_way_found_costs_no_less_and_on_open_ground_no_more(seed: int) -> None:
    """TSE-MOV-01."""
    x, y = 4.5 * math.sin(seed), 4.5 * math.cos(seed)
    bare = FIELD.battle(FIELD.unit("a", at=(0.0, 0.0)))
    wood = FIELD.box("wood", "woods", (-1.0, 1.0), (-2.5, 2.5))
    costs = []
    for battle in (bare, FIELD.battle(FIELD.unit("a", at=(0.0, 0.0)), wood)):
        own = battle.unit("a")
        context = setting_of(battle, own, ACTIONS["maneuver"])
        to = own.at[0] + x, own.at[1] + y
        verdict = ask(battle, "move", ["a"], {"as": "maneuver", "to": to})
        cost = verdict.measured.get("cost")
        start = Node(0.0, context.pivot, None, Spent(0.0, (0.0,) * context.files.count), ())
        if isinstance(cost, float):
            assert cost >= _bound(context, Goal(to, None), start) - 1e-6
            costs.append(cost)
    assert costs
    assert costs[0] == pytest.approx(max(0.0, math.hypot(x, y) - context.offset), abs=1e-5)


def test_the_distance_is_the_exact_laws_where_the_tape_lets_more_pass() -> None:
    """TSE-LOS-19, TSE-SCL-02: a house sticks into the nearest line by less than the tolerance."""
    house = Terrain.of_kind("house", "building", outline=[(19.0, 5.0), (19.9, 5.0), (19.9, 10.503), (19.0, 10.503)])
    front, target = shapely.LineString([(6.0, 10.5), (6.0, 12.0)]), shapely.box(20.0, 10.4, 20.5, 10.5)
    free = sight(Table.of("in", 40, 20), front, target, LAW)
    assert free.distance == pytest.approx(14.0)
    found = sight(Table.of("in", 40, 20, [house]), front, target, LAW)
    slope = 0.003 / 0.1
    assert found.seen
    assert found.distance == pytest.approx(14.0 * math.hypot(1.0, slope), abs=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_places_are_left_out_only_where_no_better_way_goes_over_them(seed: int) -> None:
    """TSE-MOV-02, TSE-MOV-03: straight to the place and on to the goal, with the turns that takes."""
    battle = FIELD.battle(FIELD.unit("a", at=(0.0, 0.0)))
    context = replace(setting_of(battle, battle.unit("a"), ACTIONS["maneuver"]), free_turns=False, budget=99.0)
    rng = np.random.default_rng(seed)
    facing, at = float(rng.uniform(-3.0, 3.0)), (40.0, 40.0)
    node = Node(1.5, at, facing, Spent(1.5, (0.0,) * context.files.count), (at,))
    goal = Goal(tuple((40.0 + rng.uniform(-5.0, 5.0, 2)).tolist()), None)
    places = 40.0 + rng.uniform(-5.0, 5.0, (30, 2))
    for place in places:
        (dx, dy), (u, v) = place - np.array(at), np.array(goal.at) - place
        turns = [math.atan2(dx, dy) - facing, math.atan2(u, v) - math.atan2(dx, dy)]
        turned = sum(abs(math.remainder(turn, 2.0 * math.pi)) for turn in turns)
        cost = 1.5 + math.hypot(dx, dy) + math.hypot(u, v) + context.files.half * turned
        for best, kept in ((cost + 1e-6, True), (cost - 1e-6, False), (math.inf, True)):
            assert _worth(context, goal, node, place[None], best, {}).tolist() == [kept]
