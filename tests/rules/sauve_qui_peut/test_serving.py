"""Guns whose crew has run: the question ``serve`` and the battle follow the same law."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop import cli
from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.judge import ask, judge
from tabletop.play.files.draft import laid
from tabletop.play.files.draft_from_file import draft_of
from tabletop.play.files.load import load_scene_data
from tabletop.play.saves import replay, save
from tabletop.play.session import Session
from tabletop.rules import rule_set
from tabletop.rules.ages.morale.serving import serve_again
from tests import destiny, realm
from tests.ages import Builder
from tests.games.positions import ROOT
from tests.loaded import scenario

HOSTS: dict[str, Builder] = {"destiny": destiny.BUILDER, "realm-of-chance": realm.BUILDER}
GUNS: dict[str, str] = {"destiny": "foot-artillery", "realm-of-chance": "horse-artillery"}


def scene(host: str, gap: float, abandoned: bool = True, **changes: Any) -> Battle:
    """Return guns, and a battalion east of them at a gap, changed as said."""
    builder = HOSTS[host]
    gun = builder.unit("gun", "blue", GUNS[host], front_mid=[300, 300], marks={"abandoned": True} if abandoned else {})
    foot = builder.unit("foot", changes.pop("side", "blue"), front_mid=[500, 300], facing=0)
    foot = replace(foot.moved(gun.bounds[2] + gap - foot.bounds[0], 0.0), **changes)
    return builder.battle(gun, foot, builder.unit("red", "red", at=[800, 700]))


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    ("gap", "changes", "holds"),
    [
        (0.0, {}, True),
        (0.5, {}, True),
        (0.7, {}, False),
        (30.0, {}, False),
        (0.0, {"status": "disrupted"}, True),
        (0.0, {"status": "routing"}, False),
        (0.0, {"marks": {"retiring": True}}, True),
        (0.0, {"side": "red"}, False),
        (0.0, {"abandoned": False}, False),
    ],
)
def test_the_question_says_what_the_battle_does(host: str, gap: float, changes: dict[str, Any], holds: bool) -> None:
    """SQP-TST-08: whom the judge allows to serve the guns, they are served by when the side's turn opens."""
    battle = scene(host, gap, **changes)
    before = bool(battle.unit("gun").marks.get("abandoned"))
    assert ask(battle, "serve", ("foot", "gun")).holds is holds
    serve_again(unfolding := Unfolding(battle), "blue")
    assert (before and not unfolding.unit("gun").marks.get("abandoned")) is holds


def test_neither_crews_that_have_run_nor_generals_serve_guns() -> None:
    """SQP-TST-08: each by its own reason, and the same in the battle."""
    other = destiny.unit("other", "blue", "foot-artillery", front_mid=[320, 300], marks={"abandoned": True})
    general, courier = (
        destiny.unit(name, "blue", name, at=[x, 245]) for name, x in (("general", 300), ("staff-officer", 340))
    )
    battle = scene("destiny", 60.0)
    battle = replace(battle, units=tuple(sorted((*battle.units, other, general, courier), key=lambda unit: unit.id)))
    for name, said in (
        ("other", "the crew of other has run too"),
        ("general", "general is a general or staff officer, and serves no guns"),
        ("staff-officer", "staff-officer is a general or staff officer, and serves no guns"),
    ):
        verdict = ask(battle, "serve", (name, "gun"))
        assert not verdict.holds and said in [reason.text for reason in verdict.against], name
    for wrong in ("foot", "general"):
        against = ask(battle, "serve", ("gun", wrong)).against
        assert f"{wrong} is no battery" in [reason.text for reason in against]
    serve_again(unfolding := Unfolding(battle), "blue")
    assert unfolding.unit("gun").marks.get("abandoned") and unfolding.unit("other").marks.get("abandoned")


@pytest.mark.parametrize(("gap", "holds"), [(0.2, True), (0.9, False), (3.0, False)])
def test_the_margin_is_what_turns_the_answer(gap: float, holds: bool) -> None:
    """SQP-TST-08: the smallest shift; the unit moved so far and a little more gives the other answer."""
    battle = scene("destiny", gap)
    verdict = judge(battle, "serve", ("foot", "gun"))
    assert verdict.margin is not None
    assert verdict.holds is holds and verdict.margin == pytest.approx(abs(gap - 0.5), abs=0.12)
    shift = (verdict.margin + 0.02) * (1 if holds else -1)
    assert ask(battle.with_unit(battle.unit("foot").moved(shift, 0.0)), "serve", ("foot", "gun")).holds is not holds


def test_a_state_that_forbids_it_has_no_margin() -> None:
    """SQP-TST-08: wherever a routing unit is moved, it serves no guns."""
    verdict = judge(scene("destiny", 0.0, status="routing"), "serve", ("foot", "gun"))
    assert not verdict.holds and not verdict.too_close


def test_every_rule_set_of_the_family_answers_it() -> None:
    """As the module's rule, wherever it attaches; no other rule set has the question."""
    having = [name for name in rule_set.BUILT_IN if "serve" in rule_set.find(name).questions]
    assert having == ["realm-of-chance", "destiny", "reason", "gloire", "glaube"]


def test_it_is_asked_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A yes is status 0, a no 1; the sentence names who serves what."""
    words = ["judge", "the-crew-has-run", "serve", "--no-margin"]
    assert cli.status([*words, "foot-west", "guns-west"]) == 0
    assert "Yes. 5e Ligne may serve 1re batterie: it touches the guns." in capsys.readouterr().out
    assert cli.status([*words, "foot-east", "guns-east"]) == 1
    assert "No. 25e Ligne may not serve 3e batterie: 25e Ligne routs." in capsys.readouterr().out


def test_guns_stay_abandoned_on_the_judges_table() -> None:
    """A position taken from a battle is written so that the crew has still run; other guns are in order."""
    battle = scenario("destiny/disputes/the-crew-has-run")
    draft = draft_of(battle)
    assert {row["id"] for row in draft.units if row.get("status") == "abandoned"} == {
        "guns-west", "guns-middle", "guns-east",
    }  # fmt: skip
    again = laid(draft)
    assert again.sound and again.battle.unit("guns-west").marks["abandoned"] is True
    served = draft_of(battle.with_unit(replace(battle.unit("guns-west"), marks={})))
    assert "status" not in served.unit("guns-west")


def test_a_battle_that_begins_with_abandoned_guns_is_saved_and_opened(tmp_path: Path) -> None:
    """SQP-TST-08: those a friend touches are served as the first turn opens, the others are not; the save keeps it."""
    from ruamel.yaml import YAML

    data = dict(YAML(typ="safe").load(ROOT / "scenarios/destiny/disputes/the-crew-has-run.yaml"))
    battle = load_scene_data({**data, "game": {"attacker": "french", "turns": 3}})
    Session.start(battle, 1, autosave=tmp_path / "game.jsonl").close()
    saved = save.read(tmp_path / "game.jsonl")
    assert replay.verify(saved).sound
    (now,) = replay.battles(saved)
    marks = {name: bool(now.unit(name).marks.get("abandoned")) for name in ("guns-west", "guns-middle")}
    assert marks == {"guns-west": False, "guns-middle": True}
