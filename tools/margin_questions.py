"""Numbered random questions of every kind that has a margin, on the maps of both rule sets; a number always gives the
same.

In half of them or more the unit asked about is first moved up to its enemy, because armies far apart dispute little.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import PER_INCH
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.judge import ask
from tabletop.judge.things import on_facing_grid, on_grid, placed
from tabletop.play.files.load import load_scene

ROOT = Path(__file__).resolve().parents[1]
BATTLES = {
    "tse": ("scenarios/tse/quatre-bras.yaml", "scenarios/tse/starter.yaml"),
    "realm-of-chance": ("scenarios/realm-of-chance/wachau.yaml", "scenarios/realm-of-chance/drill-ground.yaml"),
}
#: The rule sets in rotation, and the kinds of question in the order they are drawn.
TURNS = ("tse", "tse", "tse", "tse", "realm-of-chance")
KINDS = {
    "tse": ("los", "fire", "arc", "assault", "cover", "fallback", "move", "command", "breakthrough", "march", "line"),
    "realm-of-chance": ("los", "fire", "assault", "move"),
}
#: An enemy is drawn among this many nearest, except one time in this many among all.
NEAREST, ANYBODY = 4, 6
#: How often a unit is moved up to its enemy, more often for what would be out of reach; how far apart they stand then.
BROUGHT, BROUGHT_TO_ASSAULT, APART = 0.5, 0.9, (0.3, 8.0)


@dataclass(frozen=True)
class Drawn:
    """One question as drawn: the place, the question, the units, and the unit that was moved up."""

    number: int
    place: str
    question: str
    args: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    brought: tuple[str, float, float, float] | None = None

    @property
    def battle(self) -> Battle:
        """The scene that the question is asked of."""
        battle = scene(self.place)
        if self.brought is None:
            return battle
        name, x, y, facing = self.brought
        return placed(battle, (_stood(battle.unit(name), x, y, facing),))

    def __str__(self) -> str:
        words = [self.question, *self.args, *(f"--{name} {value}" for name, value in self.options.items())]
        brought = " with {} at {:g}, {:g} facing {:g}".format(*self.brought) if self.brought else ""
        return f"{self.number}: {self.place} {' '.join(words)}{brought}"


@cache
def scene(place: str) -> Battle:
    """Load a scene once."""
    return load_scene(ROOT / place)


def question(number: int, seed: int = 14) -> Drawn:
    """Return the question with a number: drawn again until it can be asked."""
    rng = random.Random(f"{seed}:{number}")
    rules, turn = TURNS[number % len(TURNS)], number // len(TURNS)
    if rules == "tse":
        turn = turn * (len(TURNS) - 1) + number % len(TURNS)
    kind = KINDS[rules][turn % len(KINDS[rules])]
    place = BATTLES[rules][turn // len(KINDS[rules]) % 2]
    while True:
        drawn = _drawn(number, place, kind, rng)
        try:
            ask(drawn.battle, drawn.question, drawn.args, drawn.options)
        except BadQuestion:
            continue
        return drawn


def questions(first: int, count: int, seed: int = 14) -> Iterator[Drawn]:
    """Yield the questions of some numbers."""
    return (question(number, seed) for number in range(first, first + count))


def _drawn(number: int, place: str, kind: str, rng: random.Random) -> Drawn:
    battle = scene(place)
    troops = [unit for unit in battle.units if not unit.is_general]
    unit = rng.choice(troops)
    enemies = sorted((u for u in troops if u.side != unit.side), key=lambda u: math.dist(u.at, unit.at))
    enemy = rng.choice(enemies if rng.randrange(ANYBODY) == 0 else enemies[:NEAREST])
    often = BROUGHT_TO_ASSAULT if kind in ("assault", "breakthrough") else BROUGHT
    brought = _brought_up(battle, unit, enemy, rng) if rng.random() < often else None
    if brought is not None:
        unit = _stood(unit, *brought[1:])
    name, args, options = _put(battle, kind, unit, enemy, rng)
    return Drawn(number, place, name, args, options, brought)


def _put(
    battle: Battle, kind: str, unit: Unit, enemy: Unit, rng: random.Random
) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """Return the kind, the units and the options of a question."""
    if kind == "command":
        return kind, (unit.id,), {}
    if kind == "cover":
        return kind, (unit.id,), {"from": enemy.id, **({"assault": True} if rng.random() < 0.5 else {})}
    if kind == "fallback":
        return kind, (unit.id,), {"from": enemy.id, "distance": float(rng.randint(1, 6))}
    if kind == "line":
        return kind, (), {"start": _point(unit.at), "end": _point(enemy.at)}
    if kind == "breakthrough":
        others = [u for u in battle.units if u.side == enemy.side and not u.is_general and u.id != enemy.id]
        near = sorted(others, key=lambda u: math.dist(u.at, enemy.at))[:2]
        return kind, (unit.id, rng.choice(near).id), {"after": enemy.id}
    if kind in ("move", "march"):
        return "move", (unit.id,), _moves(battle, kind, unit, rng)
    return kind, (unit.id, enemy.id), {}


def _moves(battle: Battle, kind: str, unit: Unit, rng: random.Random) -> dict[str, Any]:
    inch = PER_INCH[battle.table.unit]
    turn, far = math.radians(unit.facing + rng.uniform(-60.0, 60.0)), rng.uniform(1.0, 8.0) * inch
    x, y = unit.front_mid
    to = _point((x + far * math.sin(turn), y + far * math.cos(turn)))
    way: dict[str, Any] = {"to": to} if rng.random() < 0.5 else {"path": [to]}
    if battle.rules != "tse":
        return way
    if kind == "march":
        return way | {"as": "march"}
    as_ = rng.choice(("maneuver", "maneuver", "square", "deploy"))
    if as_ == "maneuver":
        return way | {"as": as_}
    return {"as": as_} | ({"facing": on_facing_grid(rng.uniform(0.0, 360.0))} if as_ == "deploy" else {})


def _brought_up(battle: Battle, unit: Unit, enemy: Unit, rng: random.Random) -> tuple[str, float, float, float] | None:
    """Return a position for a unit, free on the table some inches from an enemy and turned roughly towards it."""
    inch = PER_INCH[battle.table.unit]
    others = shapely.union_all([u.footprint for u in battle.units if u.id != unit.id and not u.is_general])
    for _ in range(40):
        way, far = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(*APART) * inch
        far += sum(math.hypot(u.bounds[2] - u.bounds[0], u.bounds[3] - u.bounds[1]) for u in (unit, enemy)) / 3.0
        x, y = enemy.at[0] + far * math.sin(way), enemy.at[1] + far * math.cos(way)
        facing = on_facing_grid((math.degrees(way) + 180.0 + rng.gauss(0.0, 30.0)) % 360.0)
        stood = _stood(unit, on_grid(x), on_grid(y), facing)
        if shapely.covers(battle.table.edge, stood.footprint) and not shapely.intersects(stood.footprint, others):
            return unit.id, on_grid(x), on_grid(y), facing
    return None


def _stood(unit: Unit, x: float, y: float, facing: float) -> Unit:
    turned = unit.turned(facing - unit.facing)
    return turned.moved(x - turned.at[0], y - turned.at[1])


def _point(at: tuple[float, float]) -> tuple[float, float]:
    return round(at[0], 2), round(at[1], 2)
