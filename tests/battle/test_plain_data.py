"""Actions, events and openings as plain data, and what is no plain data; draws at the edges of their outcomes."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import pytest

from tabletop.battle.codec import plain
from tabletop.battle.dice import graded
from tabletop.battle.opening import opening_data, opening_of
from tabletop.battle.progress import Clock
from tests.field import Field
from tests.playing import scene, unit

FIELD = Field()


@pytest.mark.parametrize("value", [{"blue", "red"}, b"bytes", object(), Clock], ids=["set", "bytes", "object", "class"])
def test_what_is_no_plain_data_is_refused_by_the_name_of_its_type(value: Any) -> None:
    """What could not be read back from a file never gets into one, however deep it lies."""
    with pytest.raises(TypeError, match=f"^{type(value).__name__} is no plain data$"):
        plain({"marks": [1, (value,)]})


def test_dataclasses_and_tuples_become_mappings_and_lists() -> None:
    assert plain({"clock": Clock(2, "acting", "blue"), "at": (1.5, None, True)}) == {
        "clock": {"turn": 2, "phase": "acting", "side": "blue", "group": None},
        "at": [1.5, None, True],
    }


@pytest.mark.parametrize(
    ("draw", "probabilities", "outcome"),
    [
        (0.0, (0.25, 0.75), 0),
        (math.nextafter(0.25, 0.0), (0.25, 0.75), 0),
        (0.25, (0.25, 0.75), 1),  # each outcome has its lower end, not its upper one
        (0.25, (0.25, 0.0, 0.75), 2),  # what cannot happen never does
        (0.0, (0.0, 1.0), 1),
        (1.0 - 1e-12, (0.5, 0.5 - 1e-9), 1),  # probabilities that sum to less than one by rounding
        (1.0 - 1e-12, (0.5, 0.5 - 1e-9, 0.0), 1),  # ... do not let the impossible happen either
    ],
)
def test_a_draw_gives_the_outcome_whose_share_it_falls_in(
    draw: float, probabilities: tuple[float, ...], outcome: int
) -> None:
    assert graded(draw, probabilities) == outcome


# --- openings --------------------------------------------------------------------------------------------------------


def written() -> dict[str, Any]:
    """Return an opening with a unit and a wood, as read back from a file."""
    wood = FIELD.box("wood", "woods", (5.0, 9.0), (5.0, 9.0))
    battle = FIELD.battle(unit("a"), wood)
    data: dict[str, Any] = json.loads(json.dumps(opening_data(battle)))
    return data


def test_an_opening_comes_back_the_same() -> None:
    data = written()
    assert json.loads(json.dumps(opening_data(opening_of(data)))) == data


def test_a_battle_that_has_begun_is_no_opening() -> None:
    with pytest.raises(ValueError, match="the battle has begun"):
        opening_data(scene(unit("a")))


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("width", 1e6, (0.0, -1.0, math.nextafter(1e6, 2e6), math.inf, math.nan)),
        ("height", 1e6, (0.0, -1.0, math.nextafter(1e6, 2e6), math.inf, math.nan)),
        ("scale", 1e3, (0.0, -1.0, math.nextafter(1e3, 2e3), math.inf, math.nan)),
    ],
)
def test_a_table_of_no_size_is_refused(key: str, good: float, bad: tuple[float, ...]) -> None:
    """The largest table there is, is read; past it, and at nothing, none is."""
    data = written()
    data["table"][key] = good
    assert getattr(opening_of(data).table, key) == good
    for value in bad:
        data["table"][key] = value
        with pytest.raises(ValueError, match="no table has this size"):
            opening_of(data)


def test_a_piece_of_no_known_shape_is_refused() -> None:
    data = written()
    data["table"]["terrain"][0]["shape"]["type"] = "LinearRing"
    with pytest.raises(ValueError, match="no such shape"):
        opening_of(data)


@pytest.mark.parametrize(("key", "value"), [("crop", "dragons"), ("outline", {"type": "Point", "coordinates": [1, 1]})])
def test_a_field_of_no_known_crop_or_without_an_outline_is_refused(key: str, value: Any) -> None:
    data = written()
    square = {"type": "Polygon", "coordinates": [[[1, 1], [3, 1], [3, 3], [1, 1]]]}
    data["table"]["fields"] = [{"crop": "rye", "outline": square}]
    assert [field.crop for field in opening_of(data).table.fields] == ["rye"]
    data["table"]["fields"][0][key] = value
    with pytest.raises(ValueError, match="field"):
        opening_of(data)


def test_a_unit_without_bases_is_refused() -> None:
    data = copy.deepcopy(written())
    data["units"][0]["bases"] = []
    with pytest.raises(ValueError, match="a unit without bases"):
        opening_of(data)


@pytest.mark.parametrize(("where", "key"), [("rules", None), ("title", None), ("units", "id"), ("units", "side")])
def test_a_number_where_a_word_belongs_is_refused(where: str, key: str | None) -> None:
    data = written()
    if key is None:
        data[where] = 7
    else:
        data[where][0][key] = 7
    with pytest.raises(TypeError, match="int where a word belongs"):
        opening_of(data)
