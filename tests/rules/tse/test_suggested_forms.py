"""Suggestions use what a formation may be: lines to either side, bent wings, narrower columns."""

from __future__ import annotations

from typing import Any

from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.rules.tse.computer import suggest
from tabletop.rules.tse.computer.suggest import for_unit
from tabletop.rules.tse.fire.resolve import measured
from tests.playing import FIELD, scene, unit


def options(battle: Battle, kind: str) -> list[dict[str, Any]]:
    """Return the options of what is suggested of a kind for unit "a"; all of it is allowed."""
    found = [action for action in for_unit(battle, battle.unit("a")) if action.kind == kind]
    assert all(engine.judge(battle, action).holds for action in found)
    return [dict(action.options) for action in found]


def test_a_line_to_either_side_of_the_front_rank() -> None:
    """TSE-FRM-14."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 12.0), facing=180)
    found = options(scene(unit(bases=6, front=2), enemy), "deploy")
    assert {(o["ref"], o["place"]) for o in found if "place" in o} == {(0, 0), (1, 5)}


def test_a_line_faces_the_nearest_enemy_the_nearest_unbeaten_one_or_stays_as_it_faces() -> None:
    """TSE-ACT-11, TSE-REG-03: no flank need be turned to those who matter for one who is beaten and near."""
    near, far = (
        unit(name, side="red", parent=None, formation="deployed", at=at, facing=180, status=status)
        for name, at, status in (("near", (0.0, 9.0), "demoralized"), ("far", (14.0, 0.0), "ok"))
    )
    for status, kind in (("ok", "deploy"), ("disordered", "regroup")):
        column, line = (unit(status=status, formation=f, facing=45) for f in ("maneuver-column", "deployed"))
        turned = FIELD.battle(column).unit("a").facing
        faced = [o.get("facing") for o in options(scene(column, near, far), kind)]
        assert set(faced) - {None} == {*(suggest.toward(column, e.at) for e in (near, far)), turned}
        assert turned not in [o.get("facing") for o in options(scene(line, near, far), kind)]
        beaten_only = [o.get("facing") for o in options(scene(line, near), kind)]
        assert set(beaten_only) - {None} == {suggest.toward(line, near.at)}


def test_a_wing_bent_toward_an_enemy_on_the_flank() -> None:
    """TSE-FRM-11: the left wing looks left, the right wing right."""
    ahead = unit("ahead", side="red", parent=None, formation="deployed", at=(0.0, 5.0), facing=180)
    for side, bend in ((-1, (-30.0, -30.0, 0.0, 0.0, 0.0, 0.0)), (1, (0.0, 0.0, 0.0, 0.0, 30.0, 30.0))):
        beside = unit("beside", side="red", parent=None, formation="deployed", at=(side * 9.0, 2.0), facing=180)
        found = options(scene(unit(bases=6, front=3), ahead, beside), "deploy")
        assert [o["bend"] for o in found if "bend" in o] == [bend]
    assert not any("bend" in o for o in options(scene(unit(bases=6, front=3), ahead), "deploy"))


def test_a_narrower_column_where_it_gets_farther() -> None:
    """TSE-FRM-20: between two ponds 3 in apart a column 4 wide gets nowhere; 2 wide it passes."""
    ponds = (FIELD.box("w", "lake", (-9.0, -1.5), (1.5, 6.0)), FIELD.box("e", "lake", (1.5, 9.0), (1.5, 6.0)))
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, 20.0), facing=180)
    found = options(scene(unit(bases=8, front=4), *ponds, enemy), "maneuver")
    assert [o["ranks"][0] for o in found if "ranks" in o] == [2]
    assert not any("ranks" in o for o in options(scene(unit(bases=8, front=4), enemy), "maneuver"))


def test_shots_thought_of_are_those_in_range_and_sight() -> None:
    """TSE-FIR-01, TSE-FIR-10: asked in brief, the answer is that of the whole question."""
    for ahead, friend in ((2.0, None), (2.98, None), (3.02, None), (2.9, 1.5)):
        own = unit(bases=2, front=1)
        foe = unit("e", side="red", parent=None, bases=2, front=1, facing=180)
        foe = foe.moved(0.0, own.bounds[3] + ahead - foe.bounds[1])
        others = [] if friend is None else [unit("f", bases=4, formation="deployed", at=(0.0, friend))]
        battle = scene(own, foe, *others)
        found = [action.target for action in for_unit(battle, battle.unit("a")) if action.kind == "advancing-fire"]
        assert found == (["e"] if measured(battle, "a", "e").holds else [])
        assert bool(found) == (ahead <= 3.0 and friend is None)
