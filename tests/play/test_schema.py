"""The published schemas say what the models say."""

from __future__ import annotations

import pytest

from tabletop.play.files.schema import schema_folder, schema_text, schemas


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_published_schema_is_up_to_date(name: str) -> None:
    """Mend with ``tabletop schema --write``."""
    published = (schema_folder() / f"{name}.schema.json").read_text("utf-8")
    assert published == schema_text(schemas()[name])


def test_editors_are_offered_the_words_of_kinds_and_troops() -> None:
    scene = schemas()["scene"]["$defs"]
    assert "woods" in scene["TerrainRow"]["properties"]["kind"]["enum"]
    assert "infantry" in scene["SceneUnitRow"]["properties"]["troop"]["enum"]
    assert scene["SceneUnitRow"]["additionalProperties"] is False


@pytest.mark.parametrize("format_", ["army", "scenario", "scene"])
@pytest.mark.parametrize("rules", ["tse", "realm-of-chance"])
def test_every_rule_set_has_its_own_words(format_: str, rules: str) -> None:
    """An editor completes what this rule set knows, and marks what it does not; every schema has an id of its own."""
    schema = schemas()[f"{format_}.{rules}"]
    assert schema["$id"] == f"urn:tabletop:schema:{format_}.{rules}"
    assert schema["properties"]["rules"]["enum"] == [rules]
    text = schema_text(schema)
    assert ("maneuver-column" in text) is (rules == "tse")
    assert ("garrison" in text) is (rules == "realm-of-chance")
    if format_ != "army":
        assert ("rally_at_once" in schema["properties"]["rulings"]["properties"]) is (rules == "realm-of-chance")
    assert len({one["$id"] for one in schemas().values()}) == len(schemas())


@pytest.mark.parametrize(("guide", "name"), [("an-army", "army.tse"), ("a-scenario", "scenario.tse"), ("a-map", "map")])
def test_the_guides_show_the_line_for_an_editor(guide: str, name: str) -> None:
    text = (schema_folder().parent / f"docs/writing-{guide}.md").read_text("utf-8")
    assert "# yaml-language-server: $schema=" in text and f"{name}.schema.json" in text
    assert (schema_folder() / f"{name}.schema.json").is_file()
