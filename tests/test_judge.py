"""The judge: margins right to a hundredth, rulings a verdict turns on, certainty, side by side."""

import math
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.judge import ask, either_way, judge
from tabletop.play.files.load import load_scene_data


def battle(units: list[dict[str, Any]], terrain: list[dict[str, Any]] | None = None, **rulings: Any) -> Battle:
    return load_scene_data(
        {
            "format": "tabletop-scene/1",
            "title": "Judged",
            "rules": "tse",
            "rulings": rulings,
            "table": {"unit": "in", "width": 48, "height": 48},
            "terrain": terrain or [],
            "units": units,
        }
    )


def guns(
    name: str, x: float, y: float, facing: float = 0, side: str = "red", troop: str = "light-foot-artillery"
) -> Any:
    return {
        "id": name,
        "side": side,
        "troop": troop,
        "bases": 1,
        "formation": "deployed",
        "at": [x, y],
        "facing": facing,
    }


def general(name: str, x: float, y: float, side: str = "red") -> Any:
    return {"id": name, "side": side, "troop": "general", "rank": "division", "at": [x, y]}


def wood(west: float, south: float, east: float, north: float) -> Any:
    return {"id": "wood", "kind": "woods", "outline": [[west, south], [east, south], [east, north], [west, north]]}


@pytest.mark.parametrize("gap", [5.0, 5.5, 5.93, 6.25, 7.5])
def test_margin_of_command_is_the_way_to_the_limit(gap: float) -> None:
    """TSE-ORD-03: 6 in, edge to edge; the tolerance of 0.005 belongs to the yes."""
    # base edge at x = 10.5; general's edge half an inch west of his centre
    found = judge(battle([guns("a", 10, 10), general("g", 11 + gap, 10)]), "command", ["a"])
    assert found.holds == (gap <= 6)
    assert found.margin == pytest.approx(abs(6.005 - gap), abs=0.01)


def test_margin_beyond_the_search_is_null() -> None:
    found = judge(battle([guns("a", 10, 10), general("g", 12, 10)]), "command", ["a"])
    assert found.holds
    assert found.margin is None
    assert found.too_close is False


@pytest.mark.parametrize("beyond", [0.02, 0.3, 1.1])
def test_margin_of_fire_out_of_range(beyond: float) -> None:
    """TSE-FIR-01: light guns reach 9."""
    found = judge(battle([guns("a", 10, 10), guns("b", 10, 20 + beyond, 180, "blue")]), "fire", ["a", "b"])
    assert not found.holds
    assert found.margin == pytest.approx(beyond - 0.005, abs=0.01)
    assert found.margin is not None
    assert found.too_close == (found.margin < 1 / 16)


def test_margin_of_an_arc_is_square_to_its_edge() -> None:
    """TSE-FIR-05: the nearest way into the arc is across its 45-degree edge, not along the axes."""
    # right front corner (10.5, 10.5); the arc's edge runs through (14.5, 14.5); b's corner stands 1 to the right of it
    found = judge(battle([guns("a", 10, 10), guns("b", 16, 14, 180, "blue")]), "arc", ["a", "b"])
    assert not found.holds
    assert found.margin == pytest.approx(1 / 2**0.5 - 0.005, abs=0.01)


@pytest.mark.parametrize("directions", [45, pytest.param(180, marks=pytest.mark.sweep)])
def test_margin_of_sight_is_the_way_out_from_behind_the_wood(directions: int) -> None:
    """TSE-LOS-05: no shift a little shorter than the margin, of wood or unit, in any direction, lets them see."""
    hidden = battle([guns("a", 10.5, 20), guns("b", 29.5, 20, 0, "blue")], [wood(15, 10, 25, 20.9)])
    found = judge(hidden, "los", ["a", "b"])
    assert not found.holds
    assert found.margin is not None

    def sees(name: str, radius: float) -> list[bool]:
        unit = hidden.unit(name)
        shifted = [unit.moved(dx, dy) for dx, dy in _ring(radius, directions)]
        return [ask(hidden.with_unit(there), "los", ["a", "b"]).holds for there in shifted]

    # the wood's north edge stands at 20.9, the units' at 20.5: the wood is the one thing that has least far to go
    assert found.margin == pytest.approx(0.4, abs=0.01)
    assert found.closeness is not None and found.closeness.shifted is not None
    assert found.closeness.shifted.id == "wood"
    assert not any(sees("a", found.margin - 0.01) + sees("b", found.margin - 0.01))


def _ring(radius: float, count: int) -> list[tuple[float, float]]:
    angles = [2.0 * math.pi * k / count for k in range(count)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def test_margin_can_be_left_out() -> None:
    found = judge(battle([guns("a", 10, 10), general("g", 17, 10)]), "command", ["a"], {"margin": False})
    assert found.margin is None
    assert found.too_close is None


def test_the_tape_sets_what_is_too_close() -> None:
    placed = battle([guns("a", 10, 10), general("g", 16.8, 10)])
    assert judge(placed, "command", ["a"]).too_close is False
    assert judge(placed, "command", ["a"], {"tape": 0.25}).too_close is True


def test_a_call_that_turns_on_a_ruling_names_it() -> None:
    """TSE-LOS-10: a thin wood between."""
    found = judge(
        battle([guns("a", 10, 10), guns("b", 10, 20, 180, "blue")], [wood(5, 14, 15, 15.5)]), "los", ["a", "b"]
    )
    assert not found.holds
    assert [(d.ruling, d.would_be) for d in found.depends_on] == [("thin_wood_transparent", True)]
    ruled = battle(
        [guns("a", 10, 10), guns("b", 10, 20, 180, "blue")], [wood(5, 14, 15, 15.5)], thin_wood_transparent=True
    )
    found = judge(ruled, "los", ["a", "b"])
    assert found.holds
    assert [(d.ruling, d.would_be) for d in found.depends_on] == [("thin_wood_transparent", False)]


def test_open_ground_turns_on_no_ruling() -> None:
    assert judge(battle([guns("a", 10, 10), guns("b", 10, 20, 180, "blue")]), "los", ["a", "b"]).depends_on == ()


@pytest.mark.parametrize("gap, certain, share", [(5.0, True, 1.0), (7.5, True, 0.0), (6.0, False, None)])
def test_certainty_on_a_table_measured_with_an_error(gap: float, certain: bool, share: float | None) -> None:
    found = judge(battle([guns("a", 10, 10), general("g", 11 + gap, 10)]), "command", ["a"], {"error": (0.125, 2.0)})
    assert found.certainty is not None
    assert found.certainty.certain is certain
    assert found.certainty.placements == 400
    if share is None:
        assert 0.2 < found.certainty.share < 0.8
    else:
        assert found.certainty.share == share


def test_certainty_is_the_same_each_time() -> None:
    placed = battle([guns("a", 10, 10), general("g", 17, 10)])
    one, two = (judge(placed, "command", ["a"], {"error": (0.125, 2.0)}).certainty for _ in range(2))
    assert one == two


def test_side_by_side_swaps_the_units() -> None:
    table = battle([guns("a", 10, 10), guns("b", 10, 16, 0, "blue")])
    one, two = (judge(table, "fire", units) for units in either_way("fire", ["a", "b"]))
    assert (one.args, two.args) == (("a", "b"), ("b", "a"))
    assert (one.holds, two.holds) == (True, False)


@pytest.mark.parametrize(
    "question, args, names",
    [
        ("lso", ["a", "b"], "los"),
        ("los", ["a", "c"], "no unit 'c'"),
        ("los", ["a"], "2 units"),
        ("los", ["a", "a"], "twice"),
        ("command", ["a", "b"], "one unit"),
    ],
)
def test_a_question_that_cannot_be_put_says_why(question: str, args: list[str], names: str) -> None:
    with pytest.raises(BadQuestion, match=names):
        judge(battle([guns("a", 10, 10), guns("b", 10, 16, 0, "blue")]), question, args)


def test_the_judge_changes_nothing() -> None:
    placed = battle([guns("a", 10, 10), guns("b", 10, 16, 0, "blue")])
    before = placed.units
    judge(placed, "fire", ["a", "b"], {"error": (0.125, 2.0)})
    assert placed.units is before
