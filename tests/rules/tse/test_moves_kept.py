"""What moves keep from one table to the next, and what of a move is not worked out: the same as made anew."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.movement.choke_exemption import may_be_exempt
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.motion_cost import _over_chokes, toll
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import placed
from tabletop.play.files.opened import open_battle
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement import motion
from tabletop.rules.tse.movement.judge import is_paid, planned
from tabletop.rules.tse.movement.legality import within_budget
from tabletop.rules.tse.movement.motion import action_of, along, cost_model, either_hand


@cache
def battle() -> Battle:
    return open_battle("starter")


def troops() -> list[Unit]:
    return [unit for unit in battle().units if not unit.is_general]


def behind(unit: Unit, far: float) -> dict[str, Any]:
    """Return the options of a path straight to the rear: the unit may turn about to either hand."""
    x, y = heading(unit.facing + 180.0)
    return {"path": [(unit.at[0] + far * x, unit.at[1] + far * y)]}


@pytest.mark.parametrize("kind", ["maneuver", "march"])
def test_paid_is_what_the_chosen_hand_pays(kind: str) -> None:
    """TSE-MOV-01, TSE-MOV-03: also where one hand costs too much and the other does not."""
    told = Counter[tuple[bool, ...]]()
    for unit in troops():
        action = action_of(unit, kind)
        for far in (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 25.0):
            request = Request("move", (unit.id,), {**behind(unit, far), "as": kind})
            plan, _ = planned(battle(), unit, action, request)
            assert is_paid(battle(), unit, action, request) == within_budget(plan), (unit.id, far)
            hands = either_hand(along(battle(), unit, action, tuple(request.options["path"]), None))
            told[tuple(sorted({within_budget(hand) for hand in hands}))] += 1
    assert told[(True,)] and told[(False,)], told


def test_a_hand_that_is_paid_and_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-03: then the better move decides, legal before cheap."""
    unit = battle().unit("arnaud")
    action, request = action_of(unit, "maneuver"), Request("move", ("arnaud",), behind(unit, 1.0))
    plan, _ = planned(battle(), unit, action, request)
    dear = replace(plan, allowed=plan.price.total - 1.0)
    for hands in ((plan, dear), (dear, plan)):
        monkeypatch.setattr("tabletop.rules.tse.movement.judge.either_hand", lambda _, some=hands: some)
        assert is_paid(battle(), unit, action, request) == within_budget(planned(battle(), unit, action, request)[0])


def test_motions_kept_are_those_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-23, TSE-FRM-26: of marches and maneuvers, with every piece elsewhere in turn, roads among them."""
    rng, made = random.Random(3), []
    roads = [piece for piece in battle().table.terrain if piece.movement == "road"]
    for unit in troops()[:4]:
        for piece in (*rng.sample(battle().table.terrain, 6), *roads, *roads):
            there = placed(battle(), [piece.moved(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0))])
            for kind in ("march", "maneuver"):
                x, y = unit.front_mid
                way = [(x + 1.0, y + 1.5), (x + 2.0, y + 1.0)]
                made.append((there, unit, kind, way))

    def motions() -> list[Any]:
        return [along(on, unit, action_of(unit, kind), way, None).motion for on, unit, kind, way in made]

    motion._MOTIONS.kept.clear()
    kept = motions()
    monkeypatch.setattr(motion._MOTIONS, "most", 0)
    motion._MOTIONS.kept.clear()
    assert [(m.tracks, m.way, m.charge, m.end) for m in motions()] == [(m.tracks, m.way, m.charge, m.end) for m in kept]


def test_a_road_moved_under_a_bend_frees_it() -> None:
    """TSE-MOV-23: a march that bends on a road is charged no turn there, and on a table without that road it is."""
    unit = battle().unit("arnaud")
    (x, y), away = unit.front_mid, heading(unit.facing)
    bend = (x + 2.0 * away[0], y + 2.0 * away[1])
    line = [(bend[0] - 1.0, bend[1]), (bend[0] + 1.0, bend[1])]
    road = Terrain.of_kind("new-road", "road", line=line)
    bare = replace(battle(), table=replace(battle().table, terrain=()))
    paved = replace(bare, table=replace(bare.table, terrain=(road,)))
    way = [bend, (bend[0] + 1.5, bend[1])]
    charges = [along(on, unit, action_of(unit, "march"), way, None).motion.charge for on in (bare, paved, bare, paved)]
    assert charges[0] == charges[2] > charges[1] == charges[3]


def test_what_a_march_pays_on_roads_is_kept_for_the_same_roads_alone() -> None:
    """TSE-MOV-14: not for roads that lie elsewhere, nor for the head where every base must be on them."""
    told = Counter[bool]()
    for unit in troops():
        action, (x, y) = action_of(unit, "march"), unit.front_mid
        law, march = (
            cost_model(battle(), unit, action),
            along(battle(), unit, action, [(x + 2.0, y + 1.0)], None).motion,
        )
        (x, y), *_ = march.way
        road = Terrain.of_kind("new-road", "road", line=[(x, y), (x + 0.8, y + 0.4)])
        bare = battle().table
        tables = [replace(bare, terrain=(*bare.terrain, piece)) for piece in (road, road.moved(0.9, 0.5))]
        paid = []
        for table, everyone in product(tables * 2, (False, True)):
            ground, by = ground_of(table, marching=True), replace(law, all_on_road=everyone)
            paid.append(toll(march, ground, by).road)
            assert paid[-1] == toll(replace(march), ground, by).road, unit.id
        told.update((paid[0] != paid[1], paid[0] != paid[2]))
    assert told[True] >= 4, told


def test_bases_of_a_march_that_no_bridge_exempts_are_told_by_the_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-MOV-09: the line of a base is looked at beyond both ends of its way; where it meets no bridge all counts."""
    on, draw, told = open_battle("quatre-bras"), random.Random(2), Counter[bool | str]()
    ground, unit = ground_of(on.table, marching=True), on.unit("bijlandt")
    law = cost_model(on, unit, action_of(unit, "march"))
    for part in ground.choke.parts.tolist():
        for _ in range(16):
            x, y = part.centroid.x + draw.uniform(-5.0, 5.0), part.centroid.y + draw.uniform(-5.0, 5.0)
            there = unit.turned(draw.uniform(0.0, 360.0)).moved(x - unit.at[0], y - unit.at[1])
            way = [(x + draw.uniform(-4.0, 4.0), y + draw.uniform(-4.0, 4.0)) for _ in range(2)]
            march = along(on.with_unit(there), there, action_of(there, "march"), way, None).motion
            near = _over_chokes(march, ground, law)
            with monkeypatch.context() as looked_at:
                looked_at.setattr("tabletop.geometry.movement.motion_cost.may_be_exempt", lambda *_: True)
                assert near.keys() == _over_chokes(march, ground, law).keys()
            told.update(may_be_exempt(ground, sweep.bounds, 1.0) for sweep in march.sweeps)
            told["exempt"] += bool(near)
    assert told[False] > 100 and told["exempt"] >= 10, told
