"""Ways made of a click: along a road, on to it or not, so far and no farther."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.play.files import installed, troop_register
from tabletop.play.routes import along, as_far_as_it_may
from tabletop.play.saves import library
from tabletop.rules import rule_set
from tests.moving import O, battle, drawn, unit

ROAD = drawn("road", [(0.0, -20.0), (0.0, 20.0)])


def from_middle(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [(round(x - O, 6), round(y - O, 6)) for x, y in points]


def marching(x: float, facing: float) -> Unit:
    return unit(formation="march-column", front_mid=(x, 0.0), facing=facing)


@pytest.mark.parametrize(
    ("x", "facing", "to", "far", "way"),
    [
        (0.0, 0.0, None, None, [(0.0, 20.0)]),
        (0.0, 180.0, None, None, [(0.0, -20.0)]),
        (0.0, 0.0, (3.0, 5.0), None, [(0.0, 5.0)]),
        (0.0, 0.0, None, 4.0, [(0.0, 4.0)]),
        (6.0, 0.0, None, None, [(0.0, 0.0), (0.0, 20.0)]),
        (6.0, 0.0, None, 8.0, [(0.0, 0.0), (0.0, 2.0)]),
        (6.0, 0.0, None, 6.0, [(0.0, 0.0)]),
        (6.0, 0.0, None, 0.0, []),
        (0.25, 0.0, (0.0, 9.0), None, [(0.0, 9.0)]),
    ],
)
def test_along_a_road(
    x: float, facing: float, to: tuple[float, float] | None, far: float | None, way: list[tuple[float, float]]
) -> None:
    """On to it by the shortest way; who stands on it need not; ``far`` is the length of it all."""
    place = None if to is None else (O + to[0], O + to[1])
    assert from_middle(along(marching(x, facing), ROAD, place, far)) == way


def test_a_way_to_where_one_stands_is_none() -> None:
    mover = unit()
    here = Action("maneuver", "red", mover.id, options={"path": [mover.front_mid]})
    assert as_far_as_it_may(battle(mover), here) is None


TSE = rule_set.find("tse")


def test_a_row_changed_keeps_where_a_train_of_bases_had_its_head() -> None:
    row: dict[str, Any] = {
        "troop": "infantry",
        "formation": "march-column",
        "bases": 4,
        "track": [(3.0, 4.0), (3.0, 0.0)],
    }
    assert troop_register.changed(row, "formation", "square")["front_mid"] == (3.0, 4.0)
    assert "front_mid" not in troop_register.changed({**row, "at": (1.0, 1.0)}, "formation", "square")
    assert troop_register.changed(row, "quality", "elite")["track"] == row["track"]


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_value_taken_away_leaves_no_key(nothing: str | None) -> None:
    assert troop_register.changed({"troop": "infantry", "name": "Foy"}, "name", nothing) == {"troop": "infantry"}


def test_troops_of_which_no_row_is_taken() -> None:
    with pytest.raises(KeyError, match="elephants"):
        troop_register.new_row("tse", "elephants")


def test_without_its_battles_the_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "installed_data", lambda: None)
    found = library.installed_battles()
    assert not found.paths
    assert "install it again" in found.trouble
