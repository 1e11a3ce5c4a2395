"""Handouts: a lesson, a drill and a dispute on paper, the question in front and on the back its proof."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tabletop.cli import status
from tabletop.drills.dispute import dispute, without_twin
from tabletop.drills.position import YES_NO, Position
from tabletop.drills.stock import shuffled
from tabletop.errors import BadQuestion
from tabletop.judge import judge
from tabletop.lessons import library
from tabletop.lessons.reading import load_lesson, name_of
from tabletop.lessons.runner import kind_of
from tabletop.play.files.opened import open_battle
from tabletop.render.drawing.primitives import Drawing, Text
from tabletop.render.handouts import drill, lesson, page
from tabletop.render.handouts.page import HIGH, WIDE, Handout
from tests.lessons.lessons import changed
from tests.lessons.lessons import lesson as made


def texts(drawing: Drawing) -> list[str]:
    return [item.text for layer in drawing.layers for item in layer.items if isinstance(item, Text)]


def sides(handout: Handout) -> tuple[list[str], list[str]]:
    front, back = page.pages(handout)
    return texts(front), texts(back)


@pytest.fixture(scope="module")
def disputed() -> Position:
    return dispute(open_battle("front-or-flank"), "assault", ["west-column", "west-line"])


def test_a_dispute_has_the_question_in_front_and_the_proof_on_the_back(disputed: Position) -> None:
    front, back = sides(drill.of_position(disputed))
    assert disputed.question in front and {"□ Yes", "□ No"} <= set(front)
    assert not any("TSE-" in text or text == "YES" or "Margin" in text for text in front)
    assert f"{disputed.question} Yes." in back and "YES" in back
    assert any("Margin: 0.35 in; a shift of West column" in text for text in back)
    assert any("TSE-ASL-08" in text for text in back)


def test_without_its_twin_a_dispute_says_the_same_of_its_margin(disputed: Position) -> None:
    alone = without_twin(disputed.battle, disputed.proof)
    assert alone.twin is None and drill.margin_sentence(alone) == drill.margin_sentence(disputed)


def test_a_drill_has_its_choices_as_boxes() -> None:
    position = next(k for k in shuffled(random.Random(1)) if k.family == "flank").position()
    front, back = sides(drill.of_position(position))
    assert [f"□ {words}" for words in position.choices.values()] == [t for t in front if t.startswith("□")]
    assert any(text.startswith("Margin:") for text in back)


def test_each_side_is_a_whole_page() -> None:
    taught = load_lesson(next(path for path in library.paths() if name_of(path) == "sabres"))
    for handout in lesson.of_lesson(taught):
        for drawing in page.pages(handout):
            west, south, east, north = drawing.view
            assert drawing.size == pytest.approx((WIDE, HIGH))
            for layer in drawing.layers:
                for item in layer.items:
                    if isinstance(item, Text) and layer.name == "words":
                        assert west <= item.at[0] <= east and south <= item.at[1] <= north


def test_a_lesson_has_a_sheet_for_each_step_with_task_and_proof() -> None:
    taught = load_lesson(next(path for path in library.paths() if name_of(path) == "the-woods-shadow"))
    first, second = (sides(handout) for handout in lesson.of_lesson(taught))
    assert "Fire at Column." in first[0] and not any("maneuver" in text for text in first[0])
    assert "Solved: maneuver guns forward 2; advancing-fire guns column" in first[1]
    assert "YES" in first[1] and any("(TSE-LOS-06)" in text and text.startswith("Not '") for text in first[1])
    assert [f"□ {words}" for words in YES_NO.values()] == [text for text in second[0] if text.startswith("□")]
    assert "Will Guns see Column from the west end of the ridge? No." in second[1] and "NO" in second[1]


def test_the_back_draws_the_action_that_decides() -> None:
    handout = lesson.of_lesson(made())[0]
    verdict = handout.back.verdict
    assert verdict is not None and verdict.question == "move" and verdict.holds and verdict.shapes


def test_a_solution_that_is_not_allowed_is_said() -> None:
    with pytest.raises(BadQuestion, match="not allowed there"):
        lesson.of_lesson(made(changed("steps", 0, "solution", to="maneuver foot forward 30")))


@pytest.mark.sweep
@pytest.mark.parametrize("path", library.paths(), ids=name_of)
def test_every_lesson_that_comes_along_can_be_printed(path: Path) -> None:
    taught = load_lesson(path)
    handouts = lesson.of_lesson(taught)
    for handout, step in zip(handouts, taught.steps, strict=True):
        assert handout.back.verdict is not None or "the computer plays" in handout.back.head
        assert handout.back.verdict is None or kind_of(step) == "predict" or handout.back.verdict.holds


def test_a_lesson_is_printed_by_the_command_line(tmp_path: Path) -> None:
    assert status(["lessons", "the-woods-shadow", "--print", str(tmp_path / "wood.pdf")]) == 0
    data = (tmp_path / "wood.pdf").read_bytes()
    assert data.startswith(b"%PDF-") and data.count(b"/Type /Page\n") == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lessons", "the-woods-shadow", "--print", "x.png"], "ends in .pdf"),
        (["lessons", "--print", "x.pdf"], "name what"),
        (["lessons", "the-woods-shadow", "--print", "{file}/x.pdf"], "cannot be written"),
    ],
)
def test_bad_input_is_one_clear_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("x")
    assert status([word.format(file=tmp_path / "file") for word in words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_files_are_numbered_and_none_is_written_over(tmp_path: Path, disputed: Position) -> None:
    sheets = [drill.of_position(disputed)]
    first, second = (page.write_numbered(tmp_path / "own", "drill", sheets) for _ in range(2))
    assert (first.name, second.name) == ("drill 1.pdf", "drill 2.pdf")
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadQuestion, match="cannot be made"):
        page.write_numbered(tmp_path / "file" / "own", "drill", sheets)


def test_a_disputed_measure_is_no_handout() -> None:
    battle = open_battle("front-or-flank")
    with pytest.raises(BadQuestion, match="yes or no"):
        without_twin(battle, judge(battle, "distance", ["west-column", "west-line"]))
