"""Quick battle by mouse and keys: from the start screen to the first order, and every army of the library deployed."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pygame
import pytest

from tabletop import cli
from tabletop.play.files.draft import laid
from tabletop.play.match import MOST_ACTIONS, made, named
from tabletop.play.quick_battle import forces, scene
from tabletop.play.random_ground.plan import SIZES, Wanted
from tabletop.play.saves import library
from tabletop.play.session import Session
from tabletop.rules import rule_set
from tests.render.somebody import Somebody

BY_RULES = {rules: list(group) for rules, group in groupby(forces.forces(), key=lambda force: force.rules)}


def test_from_the_start_screen_to_the_first_order(somebody: Somebody) -> None:
    somebody.rest()
    somebody.does("quick")
    somebody.rest(10)
    somebody.does("seed")
    somebody.tell(pygame.TEXTINPUT, text="41")
    somebody.does("length:short")
    somebody.does("against:human")
    somebody.rest(10)
    somebody.does("begin")
    somebody.rest(10)
    session = somebody.session
    assert session.battle.title == scene.scene(quick_of(41)).title
    assert session.battle.setup.turns == scene.LENGTHS["short"]
    assert len(session.battle.setup.objectives) >= 2
    somebody.game.pace("at once")
    somebody.rest(5)
    somebody.plays(lambda: len(session.steps) > 3, 60)
    written = list(library.own_folder().glob("*.yaml"))
    assert len(written) == 1
    assert cli.status(["check", str(written[0])]) == 0


def quick_of(seed: int) -> scene.Asked:
    armies = forces.opened("starter-french"), forces.opened("starter-austrian")
    return scene.Asked(armies, Wanted(seed, *SIZES["small"]))


def test_a_seed_that_is_none_is_said(somebody: Somebody) -> None:
    somebody.rest()
    somebody.does("quick")
    somebody.rest(10)
    somebody.does("seed")
    somebody.tell(pygame.TEXTINPUT, text="x")
    somebody.does("begin")
    assert "whole number" in somebody.top.note  # type: ignore[attr-defined]
    assert not library.own_folder().exists()


@pytest.mark.parametrize("rules", sorted(BY_RULES))
def test_armies_of_every_rule_set_are_deployed(rules: str) -> None:
    """On random ground: all on the table, nobody on anybody, in good order, facing the enemy, each on its own side."""
    first, second = BY_RULES[rules][:2]
    draft = scene.scene(scene.Asked((first, second), Wanted(3, *SIZES["medium"])))
    found = laid(draft)
    assert found.sound and not found.warnings
    assert len(found.battle.units) == sum(len(forces.ready(force)) for force in (first, second))
    middle = found.battle.table.height / 2
    for unit in found.battle.units:
        south = unit.side == forces.with_distinct_ids(first, second)[0].side
        assert (unit.footprint.bounds[3] < middle) if south else (unit.footprint.bounds[1] > middle)
        assert unit.status == "ok"


@pytest.mark.parametrize("rules", sorted(BY_RULES))
def test_maps_of_the_library_serve(rules: str) -> None:
    first, second = BY_RULES[rules][-2:]
    for path in scene.maps(rule_set.find(rules).unit)[:2]:
        draft = scene.scene(scene.Asked((first, second), path, points=20.0))
        assert laid(draft).sound
        assert 1 <= len(draft.rest["game"]["objectives"]) <= 3


@pytest.mark.parametrize("points", [10.0, 20.0, 40.0])
def test_points_are_kept_to(points: float) -> None:
    for name in ("starter-french", "allied-quatre-bras"):
        rows = forces.ready(forces.opened(name), points)
        assert forces.total(rows, rule_set.find("tse")) == pytest.approx(points, abs=4.0)
        generals = {row["id"] for row in rows if row["troop"] == "general"}
        assert all(row.get("parent") in generals for row in rows if row["troop"] != "general")
        assert len({row["id"] for row in rows}) == len(rows)


def test_an_army_may_meet_itself() -> None:
    force = forces.opened("starter-french")
    draft = scene.scene(scene.Asked((force, force), scene.maps("in")[0]))
    assert laid(draft).sound
    assert draft.sides == ("french", "french-2")


def test_computers_fight_one_to_its_end() -> None:
    ends("tse", Wanted(3, *SIZES["small"]), 3)


@pytest.mark.sweep
@pytest.mark.parametrize("rules", sorted(BY_RULES))
def test_computers_fight_one_of_every_rule_set_to_its_end(rules: str) -> None:
    ends(rules, Wanted(3, *SIZES["medium"]), 10)


def ends(rules: str, ground: Wanted, turns: int) -> None:
    first, second = BY_RULES[rules][2:4] if rules == "tse" else BY_RULES[rules][:2]
    battle = laid(scene.scene(scene.Asked((first, second), ground, turns, 12.0 if rules == "tse" else None))).battle
    players = named(battle, "random,random")
    session, seats = Session.start(battle, 7, players), made(players, 7)
    for _ in range(MOST_ACTIONS):
        if session.mover is None:
            break
        session.do(seats[session.mover].choose(session.battle).action)
    assert session.battle.over


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--armies", "starter-french"], "is not two armies; name two, with a comma between"),
        (["--armies", "starter-french,starter-austrain"], "there is no army 'starter-austrain'"),
        (["--armies", "starter-french,imperial-ford"], "are of different rules; choose two armies of the same"),
        (["--seed", "1", "--map", "meadow"], "--map and --seed are two grounds; leave one out"),
        (["--map", "wachau"], "is a map in mm"),
        (["--points", "1000"], "an army of 1000 points cannot be made; give from 6 to 120"),
    ],
)
def test_what_cannot_be_made_is_said(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.status(["quick", *words, "-o", str(tmp_path / "battle.yaml")]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_battle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "battle.yaml"
    assert cli.status(["quick", "--seed", "3", "--turns", "5", "-o", str(path)]) == 0
    assert cli.status(["check", str(path)]) == 0
