"""What a hand may set of an action: both rule sets' judges understand every value offered."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.play.engine import play_of
from tabletop.play.files.load import load_scene
from tabletop.rules.play import Adjustment

ROOT = Path(__file__).resolve().parents[2]


def opened(scenario: str) -> Battle:
    return engine.opened(load_scene(ROOT / "scenarios" / f"{scenario}.yaml"), 1)


def offered(battle: Battle, kind: str, unit: str, **options: Any) -> dict[str, Adjustment]:
    action = Action(kind, battle.unit(unit).side, unit, options=options)
    return {a.option: a for a in play_of(battle).adjustments(battle, action)}


def test_a_column_may_be_as_wide_as_its_bases_can_form() -> None:
    """TSE-FRM-20, TSE-FRM-23a: six bases stand two or three wide, in any split; uneven ranks may stand to a side."""
    battle = opened("tse/quatre-bras")
    found = offered(battle, "maneuver", "jamin")
    splits = dict(zip(found["ranks"].values, found["ranks"].names, strict=True))
    assert splits[2, 2, 2] == "2 wide, 3 deep"
    assert splits[3, 3] == "3 wide, 2 deep"
    assert splits[2, 2, 1, 1] == "2 wide, 4 deep (2+2+1+1)"
    assert {sizes[0] for sizes in splits} == {2, 3}
    assert {sum(sizes) for sizes in splits} == {6}
    assert found["ranks"].usual == (2, 2, 2)
    assert "align" not in found
    assert "align" in offered(battle, "maneuver", "jamin", ranks=(2, 2, 1, 1))
    five = replace(battle.unit("jamin"), bases=battle.unit("jamin").bases[:5])
    assert "align" in offered(battle.with_unit(five), "maneuver", "jamin")


def test_a_regroup_offers_every_formation_and_what_shapes_it() -> None:
    """TSE-REG-03, TSE-ACT-30, TSE-FRM-14: only infantry forms square; a line says where its reference base stands."""
    battle = opened("tse/quatre-bras")
    of_line = {"formation", "ref", "place", "bend", "facing"}
    assert set(offered(battle, "regroup", "jamin", formation="deployed")) == of_line
    assert "square" in offered(battle, "regroup", "jamin")["formation"].values
    assert "square" not in offered(battle, "regroup", "foy-guns")["formation"].values


def test_a_regroup_says_where_the_unit_would_stand() -> None:
    """TSE-REG-03: about its centre-point."""
    battle = opened("tse/quatre-bras")
    battle = battle.with_unit(replace(battle.unit("jamin"), status="disordered"))
    ready = play_of(battle).in_turn(battle, "jamin", "")
    verdict = engine.judge(ready, Action("regroup", "french", "jamin", options={"facing": 90.0}))
    assert verdict.measured["facing"] == 90.0
    assert verdict.measured["at"] == pytest.approx(list(battle.unit("jamin").at))


@pytest.mark.parametrize(
    "scenario, kinds",
    [
        ("tse/quatre-bras", ("deploy", "square", "maneuver", "march", "regroup")),
        ("realm-of-chance/drill-ground", ("form", "withdraw", "retreat", "combat")),
    ],
)
def test_every_value_offered_is_one_the_judge_understands(scenario: str, kinds: tuple[str, ...]) -> None:
    battle = opened(scenario)
    asked = 0
    for unit in [u for u in battle.units if not u.is_general][:6]:
        ready = play_of(battle).in_turn(battle, unit.id, "")
        for kind in kinds:
            for adjustment in offered(ready, kind, unit.id).values():
                for value in adjustment.values if adjustment.how in ("choice", "formation", "base") else ():
                    options = {**_said(adjustment.option, value, unit), "facing": unit.facing}
                    engine.judge(ready, Action(kind, unit.side, unit.id, options=options))
                    asked += 1
    assert asked > 6


def _said(option: str, value: Any, unit: Unit) -> dict[str, Any]:
    """Return the options that say a value; what the front turns on is said of every waypoint (TSE-MOV-03)."""
    if option != "pivots":
        return {option: value}
    (x, y), (dx, dy) = unit.front_mid, unit.forward
    return {"pivots": (value,), "path": ((x + dx, y + dy),)}


def test_generals_are_not_shaped() -> None:
    assert offered(opened("tse/quatre-bras"), "general", "ney") == {}
