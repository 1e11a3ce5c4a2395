"""A lesson runs on the engine: it judges the step, answers for the other side, and never leaves the learner stuck."""

from __future__ import annotations

import pytest

from tabletop.battle.dice import FINE
from tabletop.battle.event import Thrown
from tabletop.errors import BadQuestion, Illegal
from tabletop.lessons import acts
from tabletop.lessons.chances import SetDice
from tabletop.lessons.library import find
from tabletop.lessons.runner import DONE, FAILED, FINISHED, GOING, Runner, passing
from tests.lessons.lessons import LESSON, changed, lesson

WOOD = "the-woods-shadow"


def test_the_solution_ends_the_step_and_the_lesson() -> None:
    runner = Runner(lesson())
    assert runner.state == GOING
    assert runner.play("maneuver foot forward 3").text == "There."
    assert runner.state == DONE and runner.battle.unit("foot").at == (7.0, 9.0)
    runner.skip()
    assert runner.number == 1 and not runner.answered(True) and runner.state == DONE
    runner.skip()
    assert runner.state == FINISHED


def test_a_refused_action_is_told_its_weightiest_reason() -> None:
    runner = Runner(find(WOOD))
    told = runner.play("advancing-fire guns column")
    assert told.reason is not None and told.reason.rule == "TSE-LOS-06"
    assert runner.state == GOING and len(runner.session.steps) == 1


def test_a_useless_action_is_told_why_the_goal_is_still_out_of_reach() -> None:
    runner = Runner(find(WOOD))
    told = runner.play("hold guns")
    assert told.verdict is not None and told.verdict.question == "los" and not told.verdict.holds
    assert runner.state == GOING


def test_a_step_ends_when_its_turn_is_used_up() -> None:
    runner = Runner(lesson())
    for _ in range(20):
        if runner.state != GOING:
            break
        runner.do(passing(runner.battle))
    assert runner.state == FAILED and runner.feedback.text.startswith("Not yet")
    runner.retry()
    assert runner.state == GOING and runner.battle == runner.opening


def test_undo_goes_past_dice() -> None:
    runner = Runner(find(WOOD))
    runner.play("maneuver guns forward 2; advancing-fire guns column")
    assert runner.state == DONE and runner.session.steps[-1].thrown
    runner.undo()
    assert runner.state == GOING and runner.battle.unit("column").status == "ok"
    runner.undo()
    assert runner.battle == runner.opening
    with pytest.raises(BadQuestion, match="nothing has been done"):
        runner.undo()


def test_the_same_throw_is_the_same_after_an_undo() -> None:
    runner = Runner(find(WOOD))
    runner.play("maneuver guns forward 2; advancing-fire guns column")
    first = runner.session.steps[-1].events
    runner.undo()
    runner.play("advancing-fire guns column")
    assert runner.session.steps[-1].events == first


def test_dice_are_set_by_what_they_are_for_and_never_run_out() -> None:
    dice = SetDice({"orders": [5, "low"], "rest": [0.75]})
    assert [dice.die("orders: hold, foot") for _ in range(3)] == [5, 1, 1]
    assert dice.die("weather") == 5 and dice.grade("other", (0.5, 0.5)) == (1, 0.75)
    free = SetDice({}, seed=3)
    assert [free.die("a") for _ in range(4)] == [SetDice({}, seed=3).die("a"), *(_second(k) for k in (1, 2, 3))]


def _second(skipped: int) -> int:
    dice = SetDice({}, seed=3)
    for _ in range(skipped):
        dice.die("a")
    return dice.die("a")


def test_the_draw_of_the_lesson_decides() -> None:
    runner = Runner(find(WOOD))
    runner.play("maneuver guns forward 2; advancing-fire guns column")
    thrown = [e for e in runner.session.steps[-1].events if isinstance(e, Thrown) and e.purpose.startswith("fire")]
    assert [round(event.face / FINE, 2) for event in thrown] == [0.95]


def test_a_mirrored_lesson_is_solved_by_the_mirrored_solution() -> None:
    data = changed("steps", 0, "solution", to="maneuver foot to 7.5,9 facing 90")
    other = lesson(data).mirrored()
    assert other.row.steps[0].solution == "maneuver foot to 16.5,9 facing 270"
    runner = Runner(other)
    runner.play(str(other.row.steps[0].solution))
    assert runner.state == DONE and runner.battle.unit("foot").facing == 270.0


def test_the_other_side_does_what_is_written_and_then_nothing() -> None:
    data = {**changed("steps", 0, "turns", to=2), "enemy": "choose post; hold post; choose nobody"}
    data["scene"] = {**LESSON["scene"], "game": {"turns": 4}}
    runner = Runner(lesson(data))
    for _ in range(30):
        if runner.state != GOING:
            break
        runner.do(passing(runner.battle))
    kinds = [s.action.kind for s in runner.session.steps if s.action is not None and s.action.side == "blue"]
    assert kinds[:2] == ["choose", "hold"] and runner.state == FAILED


def test_no_allowed_action_is_blocked_and_an_illegal_one_is() -> None:
    runner = Runner(lesson())
    runner.do(acts.read(runner.battle, "maneuver foot back 1"))
    with pytest.raises(Illegal):
        runner.do(acts.read(runner.battle, "maneuver foot forward 1"))
    assert runner.can_go_on()


def test_solution_and_hints() -> None:
    runner = Runner(lesson())
    runner.play("hold foot")
    assert runner.show_solution() == ["maneuver foot forward 3"] and runner.state == DONE
    hints = [runner.hint(), runner.hint()]
    assert [hint and hint.text for hint in hints] == ["East is to the right."] * 2


def test_practice_is_never_saved_as_a_game(tmp_path: object) -> None:
    from pathlib import Path

    from tabletop.errors import Unsaved

    with pytest.raises(Unsaved, match="practice"):
        Runner(lesson()).session.save_as(Path(str(tmp_path)) / "game.jsonl")
