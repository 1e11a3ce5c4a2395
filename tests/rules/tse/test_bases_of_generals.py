"""Square bases and larger circles of generals, units beyond the usual strength (TSE-UNI-11, TSE-UNI-19)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
import shapely

from tabletop.battle.unit import distance_between
from tabletop.geometry.base import Base, Disc
from tabletop.judge import ask
from tabletop.play.files.draft_from_file import draft_of
from tabletop.play.files.load import load_scene
from tabletop.rules.rule_set import MusterError
from tabletop.rules.tse.movement.layouts import rank_splits
from tabletop.rules.tse.muster import muster
from tests.field import FIELDS, Field

both_scales = pytest.mark.parametrize("field", FIELDS, ids=["15 mm", "doubled"])
AT = (0.0, 0.0)


def general(field: Field, **keys: Any) -> Any:
    return field.unit("g", **{"troop": "general", "bases": None, "formation": None, "facing": None, "at": AT, **keys})


def square(field: Field, **keys: Any) -> Any:
    entry = {
        "id": "g",
        "side": "blue",
        "troop": "general",
        "at": field.put(keys.pop("at", AT)),
        "base": "square",
        **keys,
    }
    return muster(entry, field.rulings())


@both_scales
def test_a_square_base_is_an_inch_wide_and_measured_from_its_edge(field: Field) -> None:
    """TSE-UNI-19: along the axes as far as a circle's, diagonally nearer."""
    person, disc = square(field), general(field)
    assert isinstance(person.bases[0], Base)
    assert person.footprint.bounds == pytest.approx(disc.footprint.bounds)
    beside, aslant = field.line("l", (2.0, -0.375)), field.line("m", (1.0, 1.0))
    assert distance_between(person, beside) == pytest.approx(1.5 * field.scale)
    assert distance_between(person, aslant) == pytest.approx(0.5**0.5 * field.scale)
    assert distance_between(disc, aslant) == pytest.approx((2**0.5 - 0.5) * field.scale)


@both_scales
@pytest.mark.parametrize(
    ("rank", "wide", "legal"),
    [
        ("army", 1.5, True), ("corps", 2.0, True), ("division", 1.0, True), ("division", 0.75, True),
        ("army", 1.0, True),
        ("army", 2.0, False), ("corps", 1.5, False), ("division", 1.5, False), ("division", 0.7, False),
    ],
)  # fmt: skip
def test_larger_circles_by_rank(field: Field, rank: str, wide: float, legal: bool) -> None:
    """TSE-UNI-19: army 1.5, corps 2, any of them 0.75 to 1."""
    if legal:
        (disc,) = general(field, rank=rank, base=[wide, wide]).bases
        assert isinstance(disc, Disc)
        assert disc.radius == pytest.approx(wide / 2 * field.scale)
    else:
        with pytest.raises(MusterError, match=r"an army's general 1.5, a corps general 2"):
            general(field, rank=rank, base=[wide, wide])


def test_only_a_general_stands_on_a_square() -> None:
    """TSE-UNI-19."""
    field = Field()
    entry = {"id": "a", "side": "blue", "troop": "infantry", "bases": 4, "formation": "deployed", "facing": 0}
    with pytest.raises(MusterError):
        muster({**entry, "at": field.put(AT), "base": "square"}, field.rulings())


@both_scales
def test_what_his_move_costs_does_not_depend_on_his_base(field: Field) -> None:
    """TSE-MOV-05, TSE-LDR-04: rough ground and walls by his centre, whichever way he goes."""
    ground = (
        field.box("wood", "woods", (2.0, 5.0), (-20.0, 20.0)),
        field.path("wall", "wall", (-20.0, 6.0), (20.0, 6.0)),
    )
    for goal in ((4.0, 0.0), (0.0, 9.0), (-6.0, 9.0), (4.0, 8.0)):
        options = {"path": [field.put(goal)]}
        costs = [
            ask(field.battle(who, *ground), "move", ["g"], options).measured["cost"]
            for who in (square(field), general(field))
        ]
        assert costs[0] == pytest.approx(costs[1])


@both_scales
@pytest.mark.parametrize(("gap", "legal"), [(1.0, True), (0.98, False)])
def test_he_keeps_out_of_zones_by_his_edge(field: Field, gap: float, legal: bool) -> None:
    """TSE-LDR-05, TSE-UNI-19."""
    battle = field.battle(square(field), field.line("enemy", (-2.0, 4.0), side="red"))
    assert ask(battle, "move", ["g"], {"path": [field.put((0.0, 3.5 - gap))]}).holds == legal


@pytest.mark.parametrize("points", [20, pytest.param(60, marks=pytest.mark.sweep)])
def test_his_reach_is_where_he_may_go(points: int) -> None:
    """TSE-MOV-17, TSE-MOV-21: of points about the border of the ground in reach, those inside are legal."""
    field = Field()
    battle = field.battle(
        square(field), field.line("enemy", (3.0, 3.0), side="red"), field.box("p", "lake", (-9, -5), (-3, 5))
    )
    verdict = ask(battle, "reach", ["g"])
    area = shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in verdict.measured["area"]])
    rng, right = Random(1), 0
    for _ in range(points):
        x, y = field.put((rng.uniform(-11, 9), rng.uniform(-6, 7)))
        holds = ask(battle, "move", ["g"], {"to": (x, y)}).holds
        inside = area.contains(shapely.Point(x, y))
        assert holds or not inside, (x, y)
        right += holds == inside
    assert right >= 0.93 * points


@pytest.mark.parametrize(
    ("troop", "bases", "override", "legal"),
    [
        ("light-cavalry", 8, False, True), ("light-cavalry", 9, False, False), ("light-cavalry", 9, True, True),
        ("heavy-cavalry", 1, False, False), ("heavy-cavalry", 1, True, True), ("infantry", 11, True, True),
        ("infantry", 11, False, False), ("infantry", 41, True, False),
    ],
)  # fmt: skip
def test_the_limits_of_strength_are_lifted(troop: str, bases: int, override: bool, legal: bool) -> None:
    """TSE-UNI-03, TSE-UNI-11: by ``strength_override: true`` on the unit."""
    field, keys = Field(), {"troop": troop, "bases": bases, "at": AT}
    if override:
        keys["strength_override"] = True
    if legal:
        unit = field.unit("a", **keys)
        assert unit.strength == bases
        assert bases < 3 or rank_splits(troop, bases)
    else:
        with pytest.raises(MusterError):
            field.unit("a", **keys)


def test_in_files(tmp_path: Any) -> None:
    """Both keys are read from a scene; a draft of the table keeps the square."""
    path = tmp_path / "scene.yaml"
    path.write_text(
        """format: tabletop-scene/1
title: Bases
rules: tse
table: {unit: in, width: 48, height: 36}
units:
  - {id: g, side: blue, troop: general, rank: corps, base: square, at: [10, 10]}
  - {id: h, side: blue, troop: general, rank: corps, base: [2, 2], at: [14, 10]}
  - {id: a, side: blue, troop: light-cavalry, bases: 12, strength_override: true, formation: deployed,
     at: [20, 20], facing: 0}
""",
        "utf-8",
    )
    battle = load_scene(path)
    assert isinstance(battle.unit("g").bases[0], Base)
    assert battle.unit("h").bases[0] == Disc(14.0, 10.0, 1.0)
    assert battle.unit("a").strength == 12
    rows = {row["id"]: row for row in draft_of(battle).data["units"]}
    assert rows["g"]["base"] == "square"
    assert rows["a"]["bases"] == 12
    assert rows["a"]["strength_override"] is True
