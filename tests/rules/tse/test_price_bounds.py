"""What a way costs at least and at most wherever one piece lies (``questions.price_bounds``), by what the law says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.judge.things import placed
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.questions.facts import of_assault, of_move
from tabletop.rules.tse.questions.price_bounds import PriceBounds, bounds_of_assault, bounds_of_move
from tests.field import Field

FIELD = Field()
ROUNDING = 1e-6


def scattered(rng: random.Random, kind: str) -> Battle:
    """Return a column (or a general, or cavalry) and an enemy six inches north, obstacles, bridges and a wood about."""

    def zigzag(name: str, of: str, corners: int) -> Terrain:
        points = [(rng.uniform(-3.0, 3.0), rng.uniform(-2.0, 7.0)) for _ in range(corners)]
        return FIELD.path(name, of, *points)

    def bridge(name: str) -> Terrain:
        x, y = rng.uniform(-2.0, 2.0), rng.uniform(0.0, 5.0)
        return FIELD.box(name, "bridge", (x, x + 1.0), (y, y + 0.6))

    x, y = rng.uniform(-3.0, 2.0), rng.uniform(-1.0, 5.0)
    ground = [
        zigzag("brook", "stream", rng.randint(2, 6)),
        zigzag("hedge", "hedge", rng.randint(2, 3)),
        zigzag("wall", "wall", 2),
        bridge("bridge"),
        bridge("ford-bridge"),
        FIELD.box("wood", "woods", (x, x + 2.0), (y, y + 1.5)),
    ]
    mover = {"line": {}, "cavalry": {"troop": "light-cavalry", "bases": 2}}[kind]
    unit = FIELD.unit("mover", at=(0.0, 0.0), **mover)
    enemy = FIELD.line("enemy", (-2.0, rng.uniform(5.0, 8.0)), side="red")
    return FIELD.battle(unit, enemy, *rng.sample(ground, rng.randint(2, len(ground))))


def elsewhere(rng: random.Random, battle: Battle, piece: Terrain) -> Iterator[Battle]:
    for _ in range(12):
        there = piece.moved(
            rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0), rng.choice((0.0, rng.uniform(-180.0, 180.0)))
        )
        yield placed(battle, (there,))


def least_of(bounds: PriceBounds, piece: Terrain) -> float:
    return bounds.least if piece.movement == "linear" else bounds.bare


@pytest.mark.parametrize("number", range(30))
def test_no_move_costs_less_or_more_wherever_a_piece_lies(number: int) -> None:
    """TSE-MOV-08, TSE-MOV-09: nor is a move paid that was not, or was, where the piece settles it."""
    rng = random.Random(number)
    battle = scattered(rng, rng.choice(("line", "cavalry")))
    north = battle.unit("mover").front_mid[1]
    path = [(FIELD.put((0.0, 0.0))[0], north + far) for far in sorted(rng.uniform(0.5, 7.0) for _ in range(2))]
    request = Request("move", ("mover",), {"path": path, "as": rng.choice(("maneuver", "march"))})
    bounds = bounds_of_move(battle, request)
    assert bounds is not None
    before = of_move(battle, request, ("in_budget",)).values["in_budget"]
    for piece in battle.table.terrain:
        for there in elsewhere(rng, battle, piece):
            cost = ask(there, "move", ["mover"], request.options).measured["cost"]
            assert cost > least_of(bounds, piece) - ROUNDING
            if bounds.legs is not None and piece.movement in ("linear", "choke"):
                assert cost < bounds._most(piece, bounds.legs) + ROUNDING
            if bounds.settles(piece):
                assert of_move(there, request, ("in_budget",)).values["in_budget"] == before


@pytest.mark.parametrize("number", range(30))
def test_no_assault_costs_less_or_more_wherever_a_piece_lies(number: int) -> None:
    """TSE-ASL-06, TSE-MOV-08: nor is the reach enough where it was not, or the reverse, where the piece settles it."""
    rng = random.Random(number)
    battle = scattered(rng, rng.choice(("line", "cavalry")))
    request = Request("assault", ("mover", "enemy"))
    bounds = bounds_of_assault(battle, request)
    assert bounds is not None and bounds.legs is not None
    before = of_assault(battle, request, ("in_reach",)).values["in_reach"]
    for piece in battle.table.terrain:
        for there in elsewhere(rng, battle, piece):
            cost = ask(there, "assault", ["mover", "enemy"]).measured["cost"]
            assert cost > least_of(bounds, piece) - ROUNDING
            if piece.movement in ("linear", "choke"):
                assert cost < bounds._most(piece, bounds.legs) + ROUNDING
            if bounds.settles(piece):
                assert of_assault(there, request, ("in_reach",)).values["in_reach"] == before


def test_an_obstacle_that_may_cost_too_much_settles_nothing() -> None:
    """TSE-MOV-08: a straight hedge is crossed once at the most, a bent one as often as it has sides."""
    unit = FIELD.unit("mover", at=(0.0, 0.0))
    north = unit.front_mid[1] - FIELD.put((0.0, 0.0))[1]
    straight = FIELD.path("hedge", "hedge", (-2.0, 9.0), (2.0, 9.0))
    bent = FIELD.path("hedge", "hedge", (-2.0, 9.0), (0.0, 9.2), (2.0, 9.0))
    for far, hedge, settled in ((5.4, straight, True), (5.6, straight, False), (5.4, bent, False), (4.9, bent, True)):
        request = Request("move", ("mover",), {"path": [FIELD.put((0.0, north + far))]})
        bounds = bounds_of_move(FIELD.battle(unit, hedge), request)
        assert bounds is not None and bounds.settles(hedge) is settled, far


def test_a_turn_may_cross_an_obstacle_more_often_than_a_straight_leg() -> None:
    """TSE-MOV-03: of a move that turns only the least is known."""
    unit = FIELD.unit("mover", at=(0.0, 0.0))
    hedge = FIELD.path("hedge", "hedge", (-2.0, 9.0), (2.0, 9.0))
    for way, settled in (([(0.0, 2.0), (0.5, 3.0)], False), ([(0.0, 4.0), (3.0, 8.0)], True)):
        request = Request("move", ("mover",), {"path": [FIELD.put(point) for point in way]})
        bounds = bounds_of_move(FIELD.battle(unit, hedge), request)
        assert bounds is not None and bounds.legs is None and bounds.settles(hedge) is settled
