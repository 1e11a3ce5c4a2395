"""The published schema of lessons says what their model says."""

from __future__ import annotations

import pytest

from tabletop.lessons.models import FORMAT, LessonFile
from tabletop.play.files.schema import schema_folder, schema_text, schemas

MADE = schemas({FORMAT: LessonFile})


@pytest.mark.parametrize("name", sorted(MADE))
def test_the_published_schema_is_up_to_date(name: str) -> None:
    """Mend with ``tabletop schema --write``."""
    assert (schema_folder() / f"{name}.schema.json").read_text("utf-8") == schema_text(MADE[name])


def test_editors_are_offered_what_a_step_may_hold() -> None:
    step = MADE["lesson"]["$defs"]["StepRow"]
    assert {"until", "predict", "watch", "wrong"} <= set(step["properties"]) and step["required"] == ["goal"]
