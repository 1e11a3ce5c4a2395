"""With no other unit on the table nobody is ever stuck: from every legal end of a move one can go on (TSE-MOV-15).

Straight ahead, turned about, or in march column, by an inch at least; on every map that ships with the program.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.terrain import Table
from tabletop.play.files.load import load_table
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.formation import standing_faults
from tabletop.rules.tse.movement.judge import move, planned
from tabletop.rules.tse.movement.layouts import legal_fronts
from tabletop.rules.tse.movement.motion import action_of
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.bases import rectangles

MAPS = ("quatre-bras", "teaching-table", "weidenau", "meadow", "bare")
TROOPS = ("infantry", "light-cavalry", "horse-artillery", "heavy-foot-artillery", "transport")


@cache
def table(name: str) -> Table:
    return load_table(Path(__file__).resolve().parents[3] / f"maps/{name}.yaml").table


def alone(name: str, unit: Unit) -> Battle:
    return Battle.of("tse", table(name), [unit], RULES.ruling_values())


def holds(battle: Battle, **options: object) -> bool:
    return move(battle, Request("move", ("a",), options)).holds


def can_go_on(battle: Battle) -> bool:
    """Return whether the only unit can advance an inch: as it faces, turned about, or in march column."""
    unit = battle.unit("a")
    (x, y), (fx, fy) = unit.front_mid, unit.forward
    ahead = (x + fx, y + fy)
    corners = np.concatenate([base.corners for base in rectangles(unit.bases)])
    behind = float((corners @ np.array(unit.forward)).min()) - 1.0
    along = x * fx + y * fy
    back = (x + (behind - along) * fx, y + (behind - along) * fy)
    if any(holds(battle, path=[place], **{"as": "maneuver"}) for place in (ahead, back)):
        return True
    heads = list(enumerate(rectangles(unit.bases)))
    for k, base in heads:
        far = base.depth / 2 + 1.0
        for turn in (0.0, 180.0, *range(20, 180, 20), *range(200, 360, 20)):  # it faces freely as it forms
            (ux, uy) = heading(unit.facing + turn)
            place = base.x + far * ux, base.y + far * uy
            if holds(battle, path=[place], head=k, **{"as": "march"}):
                return True
    return False


def drawn(rng: np.random.Generator, name: str) -> Unit | None:
    """Return a unit somewhere on a map, near water as a rule, that may stand so; None if it may not."""
    ground, (x, y) = table(name), (0.0, 0.0)
    water = [p for p in ground.terrain if p.movement in ("impassable", "choke") or p.kind == "ford"]
    if water and rng.random() < 0.8:
        piece = water[int(rng.integers(len(water)))]
        x, y = rng.uniform(*np.array(piece.shape.bounds).reshape(2, 2)) + rng.normal(0.0, 1.5, 2)
    else:
        x, y = rng.uniform((0.0, 0.0), (ground.width, ground.height))
    troop = str(rng.choice(TROOPS))
    n = int(rng.integers(2, 9)) if troop in ("infantry", "light-cavalry") else int(rng.integers(1, 4))
    entry = {"id": "a", "side": "red", "troop": troop, "bases": n, "at": (float(x), float(y))}
    column = {"formation": "maneuver-column", "front": int(rng.choice(legal_fronts(troop, n)))}
    shape = column if rng.random() < 0.7 else {"formation": "march-column"}
    unit = muster({**entry, **shape, "facing": float(rng.integers(0, 5760) / 16)}, RULES.ruling_values())
    battle = alone(name, unit)
    return None if tuple(standing_faults(battle, unit)) else unit


def moved(rng: np.random.Generator, name: str, unit: Unit) -> Unit | None:
    """Return a unit at the end of some legal move; None where the one tried was none."""
    battle = alone(name, unit)
    kind = "march" if unit.formation == "march-column" else "maneuver"
    way, at = [], np.array(unit.front_mid)
    for _ in range(int(rng.integers(1, 3))):
        angle = math.radians(unit.facing) + rng.normal(0.0, 0.8)
        at = at + rng.uniform(0.3, 3.0) * np.array([math.sin(angle), math.cos(angle)])
        way.append((float(at[0]), float(at[1])))
    request = Request("move", ("a",), {"path": way, "as": kind, **({"head": 0} if kind == "march" else {})})
    gone, asked = planned(battle, unit, action_of(unit, kind), request)
    return gone.end if move(battle, asked).holds else None


def stuck(seed: int, name: str) -> tuple[Unit | None, bool]:
    """Return where a random move on a map ends, and whether the unit is stuck there."""
    rng = np.random.default_rng(seed)
    unit = drawn(rng, name)
    end = None if unit is None else moved(rng, name, unit)
    return end, end is not None and not can_go_on(alone(name, end))


@pytest.mark.parametrize("name", MAPS)
def test_nobody_is_stuck(name: str) -> None:
    """TSE-MOV-15, TSE-MOV-21: a small sample of ends on every map, most of them by the water."""
    ended = 0
    for seed in range(60):
        end, is_stuck = stuck(seed, name)
        ended += end is not None
        assert not is_stuck, (name, seed, end)
    assert ended >= 5


@pytest.mark.sweep
@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("part", range(20))
def test_nobody_is_stuck_anywhere(name: str, part: int) -> None:
    """TSE-MOV-15, TSE-MOV-21: the same, twenty times four hundred draws a map."""
    found = [seed for seed in range(1000 + 400 * part, 1400 + 400 * part) if stuck(seed, name)[1]]
    assert not found
