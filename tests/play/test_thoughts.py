"""What a computer player thought stays with its action in the save; a battle of practice says that it is one."""

from pathlib import Path

import pytest

from tabletop import cli
from tabletop.errors import BadQuestion, Unreadable
from tabletop.play import engine
from tabletop.play.done import Done
from tabletop.play.saves import replay, save
from tabletop.play.session import Session
from tabletop.play.thought import Thought, thought_data, thought_from
from tabletop.play.workers.player_worker import think
from tests import loaded

DRILL = "realm-of-chance/drill-ground"


def begun(path: Path | None, practice: bool = False) -> Session:
    battle = loaded.scenario(DRILL)
    return Session.start(battle, 3, dict.fromkeys(engine.opened(battle, 0).setup.sides, "greedy"), path, practice)


def play(session: Session, actions: int) -> None:
    for _ in range(actions):
        session.follow(think(session.battle, "greedy", session.header.seed, len(session.steps)))


def test_a_thought_is_saved_beside_its_action_and_is_no_part_of_the_state(tmp_path: Path) -> None:
    with_thoughts, without = tmp_path / "with.jsonl", tmp_path / "without.jsonl"
    session, plain = begun(with_thoughts), begun(without)
    play(session, 6)
    for step in session.steps[1:]:
        assert step.action is not None
        plain.do(step.action)
    read, bare = save.read(with_thoughts), save.read(without)
    assert [line.hash for line in read.lines] == [line.hash for line in bare.lines]
    assert all(line.thought is None for line in bare.lines)
    thoughts = [line.thought for line in read.lines[1:]]
    assert all(thought is not None and thought.value is not None for thought in thoughts)
    assert any(thought is not None and thought.other is not None for thought in thoughts)
    assert replay.verify(read).sound and replay.verify(bare).sound
    again = Session.resume(read)
    assert [step.thought for step in again.steps[1:]] == thoughts


def test_the_runner_up_does_something_else_and_is_worth_no_more_to_a_greedy_player() -> None:
    session = begun(None)
    play(session, 8)
    for step in session.steps[1:]:
        assert step.thought is not None and step.thought.value is not None and step.action is not None
        other = step.thought.other
        if other is not None:
            assert other.action != step.action
            assert other.value <= step.thought.value + 1e-9


def test_a_thought_taken_apart_and_put_together_is_the_same() -> None:
    session = begun(None)
    play(session, 2)
    thought = session.steps[1].thought
    assert thought is not None
    once = thought_from(thought_data(thought))
    assert thought_from(thought_data(once)) == once
    assert once.value == pytest.approx(thought.value, abs=1e-4)
    assert thought_data(Thought("so", float("inf"))) == {"why": "so"}


@pytest.mark.parametrize("forged", [{"why": 3}, {"value": 1.0}, {"why": "", "value": "much"}, {"why": "", "x": 1}])
def test_a_forged_thought_is_refused_in_one_line(tmp_path: Path, forged: dict[str, object]) -> None:
    path = tmp_path / "game.jsonl"
    session = begun(path)
    play(session, 1)
    session.close()
    head, first, line = path.read_bytes().splitlines(keepends=True)
    data = {"n": 1, "action": {"kind": "hold", "side": "french"}, "thought": forged, "events": [], "hash": "0"}
    path.write_bytes(head + first + save._tied(data, first[-19:-3].decode()))
    with pytest.raises(Unreadable, match=r"game\.jsonl:3:1: this action cannot be read"):
        save.read(path)
    assert line


def test_in_practice_dice_are_taken_back_and_the_save_verify_and_report_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "practice.jsonl"
    session = begun(path, practice=True)
    while not session.steps[-1].thrown:
        play(session, 1)
    thrown = len(session.steps)
    session.undo()
    assert len(session.steps) == thrown - 1
    session.redo()
    session.close()
    assert save.read(path).header.practice
    assert cli.status(["verify", str(path)]) == 0
    assert "practice battle: dice could be taken back" in capsys.readouterr().out
    assert cli.status(["report", str(path)]) == 0
    assert save.PRACTICE in " ".join(capsys.readouterr().out.split())


def test_in_earnest_a_die_stays_thrown() -> None:
    session = begun(None)
    while not session.steps[-1].thrown:
        play(session, 1)
    with pytest.raises(BadQuestion, match="a die once thrown stays thrown"):
        session.undo()


def test_an_action_that_has_to_be_judged_here_keeps_its_thought() -> None:
    session = begun(None)
    done = think(session.battle, "greedy", 3, 1)
    step = session.follow(Done(done.action, thought=done.thought))
    assert step.thought == done.thought is not None
