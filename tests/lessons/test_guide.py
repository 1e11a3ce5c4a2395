"""The guides to lessons: the lesson shown is the one that comes along, every condition and every limit is named."""

from __future__ import annotations

from pathlib import Path

from tabletop.lessons import library, proof
from tabletop.lessons.models import SUBJECTS
from tabletop.lessons.texts import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
GUIDE, PLAYING = ((DOCS / name).read_text("utf-8") for name in ("writing-a-lesson.md", "lessons.md"))


def test_the_lesson_shown_comes_with_the_program() -> None:
    path = next(path for path in library.paths() if "woods-shadow" in path.name)
    assert f"```yaml\n{path.read_text('utf-8')}```" in GUIDE


def test_every_subject_of_a_condition_and_every_limit_is_named() -> None:
    assert [word for word in SUBJECTS if f"`{word}" not in GUIDE] == []
    said = " ".join(GUIDE.split())
    for key, most in proof.MOST_WORDS.items():
        assert str(most) in said, key
    assert f"{proof.ON_SCREEN} on the screen at once, {proof.IN_ALL} in all" in said
    assert f"{proof.PLAYS} random plays" in said and f"{proof.ALL_PLAYS:,} with" in said


def test_every_command_is_named() -> None:
    assert [word for word in COMMANDS if word not in PLAYING.lower()] == []
