"""The engine's own refusals, battles fought by players, one moment in words, and the usual words for events."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.battle.event import Asked, Changed, Entered, Event, Settled, Told
from tabletop.battle.progress import Clock, Decision, Fallen, Outcome
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import pose_of
from tabletop.errors import BadQuestion, Illegal
from tabletop.play import engine, narration
from tabletop.play.computer.choice import Chosen
from tabletop.play.files import schema
from tabletop.play.files.load import load_scene_data
from tabletop.play.match import fight
from tabletop.play.requests import read_options
from tabletop.play.saves import known_game, moment, replay, save
from tabletop.rules import rule_set
from tests.play.kept_games import SCENE, action, battle, go_on, played


def begun() -> Battle:
    return engine.begin(battle(), 7).battle


# --- the engine ------------------------------------------------------------------------------------------------------


def refused(now: Battle, wanted: Action) -> str:
    """Return why an action is not allowed now."""
    verdict = engine.judge(now, wanted)
    with pytest.raises(Illegal) as caught:
        engine.submit(now, wanted)
    assert caught.value.verdict == verdict and not verdict.holds
    return "; ".join(reason.text for reason in verdict.because)


def test_once_the_battle_is_over_nobody_does_anything() -> None:
    over = replace(begun(), outcome=Outcome("french", "tried"), pending=())
    for wanted in (Action("finish", "french"), Action("finish", "allied"), answer("french", "yes")):
        assert refused(over, wanted) == "the battle is over"
    assert engine.mover(over) is None


def test_nobody_answers_what_has_not_been_asked() -> None:
    now = replace(begun(), pending=())
    assert refused(now, answer(str(engine.mover(now)), "yes")) == "nothing has been asked"


def test_a_question_comes_first_and_is_for_the_side_asked() -> None:
    """Whatever else is wanted waits; a choice that was not offered is refused with those that were."""
    decision = Decision("allied", "countercharge", ("meet", "stand"), "Meet the charge?")
    asked = replace(begun(), pending=(decision,))
    for wanted in (Action("finish", "allied"), answer("french", "meet")):
        assert refused(asked, wanted) == "allied must first answer: Meet the charge?"
    assert engine.mover(asked) == "allied"
    assert refused(asked, answer("allied", "run")) == "'run' is one of: meet, stand"
    assert engine.judge(asked, answer("allied", "stand")).holds


def test_an_action_of_no_known_kind_is_no_action() -> None:
    now = replace(begun(), pending=(), clock=Clock(1, "acting", "french", "foy"))
    with pytest.raises(BadQuestion, match="no action 'fly'; there are: "):
        engine.judge(now, Action("fly", "french"))
    assert refused(now, Action("fly", "allied")) == "it is for french to act, not for allied"


def test_rules_that_only_measure_are_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = replace(rule_set.find("tse"), play=None)
    monkeypatch.setattr(rule_set, "find", lambda name: measured)
    with pytest.raises(BadQuestion, match="can be measured here, not played yet"):
        engine.begin(battle(), 1)


def test_rules_that_run_in_a_circle_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle whose rules always find something more to do by themselves is a defect, told as one."""
    monkeypatch.setattr(engine, "MOST_ADVANCES", 5)
    turns: list[int] = []

    def advance(unfolding: Unfolding) -> bool:
        turns.append(unfolding.battle.clock.turn)
        return True

    play = engine.play_of(battle())
    circle = replace(rule_set.find("tse"), play=lambda: replace(play, advance=advance))
    monkeypatch.setattr(rule_set, "find", lambda name: circle)
    scene = battle()
    with pytest.raises(RuntimeError, match="never stops advancing"):
        engine.begin(replace(scene, setup=replace(scene.setup, options={"initiative": "chaotic"})), 1)
    assert len(turns) == 5


# --- a battle fought by players --------------------------------------------------------------------------------------


class Anybody:
    """Does anything quick that is allowed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def choose(self, now: Battle) -> Chosen:
        return Chosen(action(now, self.random), "")


def players() -> dict[str, Anybody]:
    return {"french": Anybody(1), "allied": Anybody(2)}


def test_a_battle_is_fought_to_its_end() -> None:
    """Every step is the engine's own, from the beginning to the outcome; the same players fight it the same again."""
    steps = list(fight(battle(), players(), 3))
    assert steps[0].action is None and state_hash(steps[0].battle) == state_hash(engine.begin(battle(), 3).battle)
    for before, after in pairwise(steps):
        assert after.action is not None and after.action.side == engine.mover(before.battle)
        assert state_hash(engine.submit(before.battle, after.action).battle) == state_hash(after.battle)
    assert steps[-1].battle.over and not any(step.battle.over for step in steps[:-1])
    assert [state_hash(step.battle) for step in fight(battle(), players(), 3)] == [state_hash(s.battle) for s in steps]


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_battle_has_no_more_steps_than_asked_for(most: int) -> None:
    """Beside its beginning."""
    assert len(list(fight(battle(), players(), 3, most))) == 1 + most


def test_a_battle_stops_when_told_to() -> None:
    """It is asked before every step, so nothing more is done after a no."""
    replies = iter([True, True, False])
    assert len(list(fight(battle(), players(), 3, ask=lambda: next(replies)))) == 3
    assert next(replies, None) is None


# --- one moment in words ---------------------------------------------------------------------------------------------


def test_a_moment_says_where_the_battle_stands_or_how_it_ended(tmp_path: Path) -> None:
    game = played(0, path=tmp_path / "game.jsonl")
    go_on(game, 200, Random(7))
    saved = save.read(tmp_path / "game.jsonl")
    game_known, last = known_game.known(saved), len(saved.lines) - 1
    end = replay.battle_at(saved, last)
    assert end.outcome is not None
    said = narration.outcome(end.outcome.winner, end.outcome.how, end.setup.sides)
    assert moment.shown(game_known, last).splitlines()[-1] == said
    assert moment.shown(game_known, 0).splitlines()[:2] == ["Two brigades a side", "As it began"]
    for n in (0, 1, last - 1):
        now = replay.battle_at(saved, n)
        asked = "answer" if now.pending else "move"
        assert moment.shown(game_known, n).splitlines()[-1] == f"Turn {now.clock.turn}, {engine.mover(now)} to {asked}."


# --- the usual words -------------------------------------------------------------------------------------------------


def usual(now: Battle, event: Event, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is said of an event by a rule set that has no words of its own."""
    play = engine.play_of(now)
    silent = replace(rule_set.find("tse"), play=lambda: replace(play, narrate=lambda *_: None))
    monkeypatch.setattr(rule_set, "find", lambda name: silent)
    return list(narration.sentences(now, [event]))


def halkett_comes(now: Battle) -> Event:
    return Entered("halkett", pose_of(now.anyone("halkett")))


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Changed("kempt", side="french"), ["Kempt went over to French."]),
        (Changed("kempt", side="allied"), []),
        (Changed("kempt", status="ok"), []),
        (Changed("kempt", status="disordered"), ["Kempt became disordered."]),
        (Settled("meet-them"), ["Allied was asked: Meet the charge? – meet them."]),
        (
            Told("army-morale", {"lost": True, "held": False, "share": 0.33333, "units": 2, "why": "", "who": ["a"]}),
            ["Army morale (lost, share 0.333, units 2)."],
        ),
        (Told("fire", {}, "kempt", "jamin"), ["Kempt: fire against Jamin."]),
    ],
)
def test_how_events_read_without_words_of_the_rules(
    event: Event, says: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is so is named, what is not so or fits no word is passed over; what changes nothing is not told."""
    decision = Decision("allied", "countercharge", ("meet-them", "stand"), "Meet the charge?")
    assert usual(replace(begun(), pending=(decision,)), event, monkeypatch) == says


def test_a_question_without_a_text_is_told_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    now = replace(begun(), pending=(Decision("french", "which-base", ("left",)),))
    assert usual(now, Settled("left"), monkeypatch) == ["French was asked: which base – left."]
    assert usual(begun(), Asked(Decision("french", "which-base", ("left",))), monkeypatch) == []


def test_who_comes_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usual(begun(), halkett_comes(begun()), monkeypatch) == ["Halkett came on to the table."]


def test_everybody_is_called_by_name_wherever_he_is() -> None:
    """On the table, still to come, fallen; who never was is called as he was asked for."""
    now = begun()
    kempt = now.unit("kempt")
    gone = replace(now, units=tuple(u for u in now.units if u != kempt), fallen=(Fallen(kempt, "destroyed", 1),))
    assert now.called("kempt") == gone.called("kempt") == "Kempt"
    assert now.called("halkett") == "Halkett"
    assert replace(now, units=(replace(kempt, name=""),)).called("kempt") == "kempt"
    assert now.someone("ney") is None and now.called("ney") == "ney"


# --- options, schemas ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"front": -1}, "a whole number from 0, not -1"),
        ({"front": 1001}, "a whole number from 0, not 1001"),
        ({"front": True}, "a whole number from 0, not True"),
        ({"as": ""}, "must be a word, not ''"),
        ({"as": 3}, "must be a word, not 3"),
        ({"rulings": [1]}, "must be a block of rulings"),
        ({"distance": -0.001}, "is negative; give a length"),
        ({"error": [0.1, 180.001]}, "a length and an angle"),
    ],
)
def test_an_option_past_its_bounds_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion) as caught:
        read_options(options)
    assert says in str(caught.value)


def test_an_option_at_its_bounds_is_read() -> None:
    given = {"front": 0, "head": 1000, "distance": 0, "error": [0, 180], "as": "march", "rulings": {"hills_block": 1}}
    read = {**given, "error": (0.0, 180.0)}
    assert read_options(given) == read


def test_schemas_are_written_where_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "schema_folder", lambda: tmp_path)
    written = schema.write_schemas()
    assert sorted(path.name for path in written) == sorted(f"{name}.schema.json" for name in schema.schemas())
    assert sorted(tmp_path.iterdir()) == sorted(written)
    for name, made in schema.schemas().items():
        assert (tmp_path / f"{name}.schema.json").read_text("utf-8") == schema.schema_text(made)


def test_the_scene_of_these_tests_is_sound() -> None:
    assert load_scene_data(SCENE).setup.turns == 3
