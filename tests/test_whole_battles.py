"""What ``tools.whole_battles`` counts, keeps and reports of battles fought to their end (P34)."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tests.playing import scene, unit
from tools import whole_battles as tool
from tools.battle_figures import Game

SKIRMISH = "scenarios/tse/skirmish.yaml"


def counted(winner: str | None = "blue", **more: Any) -> tool.Counted:
    lost = {"blue": 0.1, "red": 0.3}
    return tool.Counted(winner, "blue", 5, lost, **more)


def facing(gap: float, **keys: Any) -> Battle:
    """Foot with an enemy so far before its front."""
    own = unit(**keys)
    foe = unit("e", side="red", parent="rd", facing=180)
    return scene(own, foe.moved(0.0, own.bounds[3] + gap - foe.bounds[1]))


# --- who holds its place ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "near"), [(0.98, False), (1.0, True), (tool.NEAR, True), (tool.NEAR + 0.02, False)])
def test_an_enemy_near_who_leaves_room_to_deploy(gap: float, near: bool) -> None:
    """TSE-FRM-15: exactly as near as a line may still be formed, and as far as the tool calls near."""
    battle = facing(gap)
    held = list(tool._held(battle, battle, {"e"}))
    assert held == (["maneuver-column"] if near else [])


@pytest.mark.parametrize(("moved", "held"), [(1.0, True), (1.02, False)])
def test_no_farther_than_a_deployment_shifts(moved: float, held: bool) -> None:
    """TSE-ACT-11."""
    battle = facing(5.0)
    before = battle.with_unit(battle.unit("a").moved(moved, 0.0))
    assert list(tool._held(before, battle, {"e"})) == (["maneuver-column"] if held else [])


def test_who_sets_out_does_not_hold_nor_who_is_shaken() -> None:
    battle = facing(5.0, formation="deployed")
    assert list(tool._held(battle, battle, {"e"})) == ["deployed"]
    assert list(tool._held(battle, battle, {"a", "e"})) == []
    shaken = battle.with_unit(replace(battle.unit("a"), status="disordered"))
    assert list(tool._held(shaken, shaken, {"e"})) == []


# --- figures ------------------------------------------------------------------------------------------------------


def test_a_share_and_how_far_it_may_be_off() -> None:
    """Whole games are drawn: what happens twice in one game tells no more than once."""
    once, twice = [(1.0, 1.0), (0.0, 1.0)] * 50, [(2.0, 2.0), (0.0, 2.0)] * 50
    assert tool.share(once) == pytest.approx((0.5, 1.96 * math.sqrt(0.25 / 99)))
    assert tool.share(twice) == pytest.approx(tool.share(once))
    assert tool.share([]) == (0.0, math.inf)
    assert tool.share([(1.0, 2.0)]) == (0.5, math.inf)


def test_the_lines_of_the_property() -> None:
    """P34: each is said to be reached or not."""
    every = Counter(tool.tabled())
    fine = {
        "results": every,
        "frontal_in_order": 3,
        "assaults": 12,
        "formations": Counter({"deployed": 3, "square": 1}),
    }
    found = [counted("blue", **fine), counted("red", **fine)]
    assert [line.split(":")[0].strip() for line in tool.judged(found)] == ["reached"] * 5
    poor = {**fine, "results": every - Counter(["broken by fire"]), "formations": Counter({"maneuver-column": 4})}
    said = list(tool.judged([counted("blue", **poor), counted("blue", **poor)]))
    assert [line.split(":")[0].strip() for line in said] == [
        "NOT reached",
        "reached",
        "NOT reached",
        "NOT reached",
        "reached",
    ]
    assert said[0].endswith("never: broken by fire")


# --- a battle, kept -----------------------------------------------------------------------------------------------


def test_a_game_is_fought_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept is not fought again, unless the program has changed; a line cut short is left out."""
    file = tmp_path / "kept.jsonl"
    words = [SKIRMISH, "--games", "2", "--players", "random,random", "--workers", "1", "--keep", str(file)]
    tool.main(words)
    said = capsys.readouterr()
    assert "2 of 2" in said.err
    file.write_text(file.read_text("utf-8") + '{"program": "', "utf-8")
    games = [Game(SKIRMISH, ("random", "random"), k, None) for k in range(2)]
    for game, found in tool.kept(file).items():
        assert sum(found.expected.values()) == pytest.approx(found.assaults) == pytest.approx(found.results.total())
        assert found == tool.count(game)
    assert list(tool.kept(file)) == games
    tool.main(words)
    again = capsys.readouterr()
    assert (again.out, again.err) == (said.out, "")
    monkeypatch.setattr(tool, "program", lambda: "another")
    assert tool.kept(file) == {}


def test_stopped_it_reports_what_is_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fought(*_: Any) -> Any:
        yield counted()
        raise KeyboardInterrupt

    monkeypatch.setattr(tool, "fought", fought)
    tool.main([SKIRMISH, "--games", "5"])
    said = capsys.readouterr().out
    assert "1 battles" in said
    assert said.splitlines()[-1] == "stopped after 1 of 5 battles"


def test_the_mark_of_the_program_is_always_the_same() -> None:
    assert tool.program() == tool.program.__wrapped__()
    assert json.dumps(tool.program())
