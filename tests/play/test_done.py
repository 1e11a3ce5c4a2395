"""What a computer player does is worked out where he thinks; the game that follows it is the one played here."""

from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.battle.codec import state_hash
from tabletop.errors import Illegal
from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.done import Done, done
from tabletop.play.session import Session
from tabletop.play.workers.battle_bundle import packed, unpacked
from tests import loaded


@pytest.mark.parametrize("scenario", ["tse/skirmish", "realm-of-chance/drill-ground"])
def test_following_events_gives_the_game_that_is_played_here(scenario: str, tmp_path: Path) -> None:
    battle, mover = loaded.scenario(scenario), RandomMover(3)
    here = Session.start(battle, 3, None, tmp_path / "here.jsonl")
    followed = Session.start(battle, 3, None, tmp_path / "followed.jsonl")
    for _ in range(40):
        if here.mover is None:
            break
        action = mover.choose(here.battle).action
        elsewhere = unpacked(packed(followed.battle, battle.table), battle.table)
        step = followed.follow(done(elsewhere, action))
        assert here.do(action).events == step.events
        assert state_hash(here.battle) == state_hash(followed.battle)
    assert (tmp_path / "here.jsonl").read_text("utf-8") == (tmp_path / "followed.jsonl").read_text("utf-8")


def test_what_may_not_be_done_is_refused_where_it_is_tried() -> None:
    session = Session.start(loaded.scenario("tse/skirmish"), 3)
    stray = replace(RandomMover(3).choose(session.battle).action, side="nobody")
    assert done(session.battle, stray) == Done(stray)
    with pytest.raises(Illegal):
        session.follow(Done(stray))


def test_units_an_action_leaves_alone_stay_the_same_things() -> None:
    session, mover = Session.start(loaded.scenario("tse/starter"), 3), RandomMover(3)
    for _ in range(20):
        before = {unit.id: unit for unit in session.battle.units}
        step = session.follow(done(session.battle, mover.choose(session.battle).action))
        named = {getattr(event, "unit", None) for event in step.events}
        assert all(unit is before[unit.id] for unit in session.battle.units if unit.id not in named)


def test_a_game_keeps_of_each_verdict_its_reasons_and_nothing_drawn() -> None:
    session, mover = Session.start(loaded.scenario("tse/starter"), 3), RandomMover(3)
    drawn = 0
    for _ in range(30):
        action = mover.choose(session.battle).action
        step, kept = engine.submit(session.battle, action), session.do(action)
        assert kept is session.steps[-1] and (kept.action, kept.events) == (step.action, step.events)
        assert step.verdict is not None and kept.verdict is not None
        drawn += bool(step.verdict.shapes)
        assert kept.verdict.because == step.verdict.because
        assert not (kept.verdict.shapes or kept.verdict.measured or kept.verdict.options or kept.verdict.side_view)
    assert drawn


def test_the_beginning_is_kept_as_it_is() -> None:
    step = engine.begin(loaded.scenario("tse/skirmish"), 3)
    assert step.kept is step
