"""The published schemas say what the models say."""

from __future__ import annotations

import pytest

from tabletop.play.schema import schema_folder, schema_text, schemas


@pytest.mark.parametrize("name", ["map", "army", "scenario", "scene"])
def test_the_published_schema_is_up_to_date(name: str) -> None:
    """Mend with ``tabletop schema --write``."""
    published = (schema_folder() / f"{name}.schema.json").read_text("utf-8")
    assert published == schema_text(schemas()[name])


def test_editors_are_offered_the_words_of_kinds_and_troops() -> None:
    scene = schemas()["scene"]["$defs"]
    assert "woods" in scene["TerrainRow"]["properties"]["kind"]["enum"]
    assert "infantry" in scene["SceneUnitRow"]["properties"]["troop"]["enum"]
    assert scene["SceneUnitRow"]["additionalProperties"] is False
