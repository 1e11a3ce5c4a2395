"""Golden cases G34 and G35: bridges over streams, on and off a bridge over a river (TSE-MOV-09, TSE-MOV-15)."""

from __future__ import annotations

from typing import Any

import pytest
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.judge import assault
from tabletop.rules.tse.movement.judge import move
from tabletop.rules.tse.muster import muster
from tests.moving import RULINGS, O, battle, box, by_path, drawn, rules_against, unit

RIVER = (box(-30, 30, 0, 2, "river", "river"), box(-0.6, 0.6, 0, 2, "bridge", "bridge"))


def column(front: float, **keys: Any) -> Unit:
    """Return a 2x2 column of infantry on the bridge's axis with its front so far north of the near bank."""
    return unit("a", front_mid=(0.0, front), **{"facing": 0.0, **keys})


@pytest.mark.parametrize("front", [0.5, 2.0, 2.5])
def test_g35_from_each_place_on_the_bridge_it_can_go_on(front: float) -> None:
    """TSE-MOV-15: onto it, flush with the far bank, past it: each end legal, and from each on, back, or in march."""
    onto = by_path(battle(column(-1.0, quality="elite"), terrain=RIVER), (0.0, front))
    assert onto.holds, rules_against(onto)
    scene = battle(column(front), terrain=RIVER)
    assert by_path(scene, (0.0, front + 1.0)).holds
    assert by_path(scene, (0.0, front - 2.5 - 1.0)).holds
    march = by_path(scene, (-0.5, front + 1.0), as_="march")
    assert march.holds, rules_against(march)


@pytest.mark.parametrize("front", [0.5, 2.0])
def test_g35_no_line_stands_in_the_river(front: float) -> None:
    """TSE-MOV-15: in line the centre of every base must be clear too."""
    scene = battle(column(front), terrain=RIVER)
    line = move(scene, Request("move", ("a",), {"as": "deploy", "ref": 0}))
    assert not line.holds
    assert "TSE-MOV-15" in rules_against(line)


def test_g35_an_assault_over_the_bridge() -> None:
    """TSE-MOV-15, TSE-ASL-07: the line 0.3 in beyond the far bank is assaulted; the front ends there."""
    enemy = unit("b", side="blue", formation="deployed", facing=180.0, front_mid=(0.0, 2.3))
    scene = battle(column(-1.0), enemy, terrain=RIVER)
    verdict = assault(scene, Request("assault", ("a", "b")))
    assert verdict.holds, [r.text for r in verdict.because if not r.holds]
    assert verdict.measured["contact"][:2] == pytest.approx([O, O + 2.3], abs=1 / 1024)
    assert verdict.measured["cost"] == pytest.approx(3.3 + 0.5, abs=1 / 1024)


STREAM = (drawn("stream", [(-30, 1), (30, 1)], "stream"),)
OVER: tuple[Terrain, ...] = (*STREAM, box(-0.5, 0.5, 0.5, 1.5, "bridge", "bridge"))


def test_g34_over_the_bridge_the_stream_costs_nothing() -> None:
    """TSE-MOV-09: half an inch in all, though the outer halves of the front pass over the stream."""
    verdict = by_path(battle(unit(front_mid=(0.0, 0.0)), terrain=OVER), (0.0, 5.5))
    assert verdict.measured["cost"] == pytest.approx(6.0)
    assert (verdict.measured["linear"], verdict.measured["choke"]) == (0, 1)
    assert verdict.holds
    assert not by_path(battle(unit(front_mid=(0.0, 0.0)), terrain=OVER), (0.0, 5.51)).holds


def test_g34_a_march_column_pays_nothing() -> None:
    """TSE-TER-05, TSE-MOV-09."""
    scene = battle(unit(front_mid=(0.0, 0.0), formation="march-column"), terrain=OVER)
    assert by_path(scene, (0.0, 6.0), as_="march").measured["cost"] == pytest.approx(6.0)


BANKS = (*RIVER[:1], box(-30, 30, 2, 3, "rough", "bank"), drawn("stream", [(-30, 2.5), (30, 2.5)], "ditch"))
ACROSS: tuple[Terrain, ...] = (*BANKS, box(-0.6, 0.6, 0, 3, "bridge", "bridge"))
GENERALS = [{}, {"base": "square"}]


def general(**keys: Any) -> Unit:
    """Return a general at the origin, on a disc unless told otherwise."""
    return muster({"id": "a", "side": "red", "troop": "general", "rank": "army", "at": (O, O - 1.0), **keys}, RULINGS)


@pytest.mark.parametrize("keys", GENERALS)
@pytest.mark.parametrize("terrain", [OVER, ACROSS])
def test_a_general_pays_half_an_inch_on_a_bridge_and_nothing_for_what_is_under_it(
    keys: dict[str, Any], terrain: tuple[Terrain, ...]
) -> None:
    """TSE-TER-05, TSE-MOV-09, TSE-LDR-04: half an inch in all, straight, in two legs that meet on it, or to a place."""
    scene = battle(general(**keys), terrain=terrain)
    for way in ([(0.0, 5.0)], [(0.0, 1.0), (0.0, 5.0)], [(0.0, 2.4), (0.0, 5.0)]):
        verdict = by_path(scene, *way)
        assert verdict.measured["cost"] == pytest.approx(6.5), way
        assert (verdict.measured["linear"], verdict.measured["choke"]) == (0, 1)
        assert verdict.measured["rough"] == pytest.approx(0.0)
    assert by_path(scene, (0.0, 26.5)).holds
    assert not by_path(scene, (0.0, 26.51)).holds
    there = move(scene, Request("move", ("a",), {"to": (O, O + 26.5)}))
    assert there.holds and there.measured["cost"] == pytest.approx(28.0)


@pytest.mark.parametrize("keys", GENERALS)
def test_a_general_reaches_beyond_a_bridge_what_he_may_move_to(keys: dict[str, Any]) -> None:
    """TSE-TER-05: over the only bridge 28 in go 27.5, whatever is under it."""
    area = shapely.union_all(
        [
            shapely.Polygon(rings[0], rings[1:])
            for rings in ask(battle(general(**keys), terrain=ACROSS), "reach", ["a"]).measured["area"]
        ]
    )
    assert shapely.covers(area, shapely.Point(O, O + 26.45))
    assert not shapely.covers(area, shapely.Point(O, O + 26.55))


def test_g34_beside_the_bridge_the_stream_is_paid() -> None:
    """TSE-MOV-08."""
    verdict = by_path(battle(unit(front_mid=(3.0, 0.0)), terrain=OVER), (3.0, 5.5))
    assert verdict.measured["cost"] == pytest.approx(6.0)
    assert (verdict.measured["linear"], verdict.measured["choke"]) == (1, 0)
