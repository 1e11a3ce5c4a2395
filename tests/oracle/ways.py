"""Ways to places and ground in reach, held against the any-angle search on random scenes.

``python -m tests.oracle.ways --scenes 20 --ends 10 --seed 1`` makes scenes with units, woods, lakes, linear obstacles
and rivers with bridges, half of their ends behind two or more of them, and says how much dearer ``move --to`` is than
what the search found, what it refuses, what ``reach`` omits of the ground ``move --to`` allows and what it includes
that ``move --to`` refuses.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Table, Terrain
from tabletop.judge import ask
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.oracle.any_angle import STEP, AnyAngle

Point = tuple[float, float]

SIZE, MIDDLE = 60.0, 30.0
RULINGS = RULES.ruling_values()
TROOPS = ("infantry", "infantry", "light-cavalry", "heavy-cavalry", "light-foot-artillery")
#: Dearer than the search by more than this (inches) is too dear; a way that has this much (inches) to spare exists.
DEARER, SPARE = 0.02, 0.05


def scene(rng: random.Random) -> Battle:
    """Return a battle with the mover ``a`` in the middle, and things that stand in its way."""
    mover = _unit(rng, "a", "red", (MIDDLE, MIDDLE), "maneuver-column")
    clear, units = mover.footprint.buffer(1.6), [mover]
    for side, count, apart in (("blue", rng.randint(1, 4), 1.05), ("red", rng.randint(0, 2), 0.1)):
        for k in range(count):
            one = _unit(rng, f"{side}{k}", side, _about(rng, 3.0, 11.0), rng.choice(("deployed", "maneuver-column")))
            taken = [clear, *(other.footprint for other in units)]
            if not any(one.footprint.buffer(apart).intersects(shape) for shape in taken):
                units.append(one)
    return Battle.of("tse", Table.of("in", SIZE, SIZE, _terrain(rng, clear)), units, RULINGS)


def _terrain(rng: random.Random, clear: shapely.Geometry) -> list[Terrain]:
    """Return woods, lakes, linear obstacles and sometimes a river, no water where the mover must be ``clear`` of it."""
    woods = [_blob(rng, _about(rng, 2.0, 10.0)) for _ in range(rng.randint(1, 3))]
    lakes = [_blob(rng, _about(rng, 3.0, 10.0), 0.7) for _ in range(rng.randint(0, 3))]
    lakes = [lake for lake in lakes if not shapely.Polygon(lake).intersects(clear)]
    lines = [(rng.choice(("hedge", "wall", "stream")), _line(rng)) for _ in range(rng.randint(1, 5))]
    return [
        *(Terrain.of_kind(f"w{k}", "woods", outline=wood) for k, wood in enumerate(woods)),
        *(Terrain.of_kind(f"l{k}", "lake", outline=lake) for k, lake in enumerate(lakes)),
        *(Terrain.of_kind(f"h{k}", kind, line=line) for k, (kind, line) in enumerate(lines)),
        *(_river(rng) if rng.random() < 0.25 else ()),
    ]


def _unit(rng: random.Random, name: str, side: str, at: Point, formation: str) -> Unit:
    troop = rng.choice(TROOPS)
    entry: dict[str, Any] = {"id": name, "side": side, "troop": troop, "at": at, "formation": formation}
    entry |= {"bases": rng.randint(2, 6), "facing": rng.uniform(0.0, 360.0)}
    if "artillery" not in troop:
        entry["quality"] = rng.choice(("elite", "average", "poor"))
    return muster(entry, RULINGS)


def _about(rng: random.Random, near: float, far: float) -> Point:
    angle, distance = rng.uniform(0.0, 2 * math.pi), rng.uniform(near, far)
    return MIDDLE + distance * math.sin(angle), MIDDLE + distance * math.cos(angle)


def _blob(rng: random.Random, at: Point, size: float = 1.0) -> list[Point]:
    n = rng.randint(4, 8)
    angles = sorted((k + rng.uniform(0.1, 0.9)) * 2 * math.pi / n for k in range(n))
    return [(at[0] + r * math.sin(a), at[1] + r * math.cos(a)) for a in angles for r in [size * rng.uniform(1.0, 3.0)]]


def _line(rng: random.Random) -> list[Point]:
    (x, y), angle = _about(rng, 1.5, 9.0), rng.uniform(0.0, 2 * math.pi)
    found = [(x, y)]
    for _ in range(rng.randint(1, 3)):
        angle, length = angle + rng.uniform(-0.7, 0.7), rng.uniform(1.5, 4.0)
        found.append((found[-1][0] + length * math.sin(angle), found[-1][1] + length * math.cos(angle)))
    return found


def _river(rng: random.Random) -> list[Terrain]:
    """Return a river from edge to edge north of the mover, and a bridge about as wide as a column or narrower."""
    y, x = MIDDLE + rng.uniform(3.5, 5.5), MIDDLE + rng.uniform(-3.0, 3.0)
    river = Terrain.of_kind("river", "river", line=[(0.0, y), (SIZE, y)], width=1.0)
    wide = rng.choice((1.0, 1.5, 2.5))
    return [river, Terrain.of_kind("bridge", "bridge", line=[(x, y - 0.8), (x, y + 0.8)], width=wide)]


def behind(battle: Battle, end: Point) -> int:
    """Return how many obstacles the straight line to a place crosses."""
    line = shapely.LineString([battle.unit("a").at, end])
    shapes = [piece.shape for piece in battle.table.terrain]
    shapes += [unit.footprint.buffer(1.0) for unit in battle.units if unit.side == "blue"]
    return sum(bool(shape.intersects(line)) for shape in shapes)


@dataclass
class Tally:
    """What the comparison found: costs beyond the search's, refusals, and of the reach what is missing or false."""

    dearer: list[tuple[float, int, Point]]
    refused: list[tuple[float, int, Point]]
    omitted: list[tuple[float, int]]
    false: list[tuple[int, Point]]
    ends: int = 0


def ends_of(search: AnyAngle, rng: random.Random, count: int) -> Iterator[Point]:
    """Yield places the search gets to, half of them behind two or more obstacles (as far as there are any)."""
    least = search.costs[0].min(axis=2)
    i, j = np.nonzero(np.isfinite(least) & (least > 0.3))
    order = list(range(len(i)))
    rng.shuffle(order)
    left = {True: count - count // 2, False: count // 2}
    for k in order[: 200 * count]:
        end = search.corner[0] + STEP * float(i[k]), search.corner[1] + STEP * float(j[k])
        hard = behind(search.battle, end) >= 2
        if left[hard]:
            left[hard] -= 1
            yield end


def compare(number: int, ends: int, tally: Tally, sampled: int = 30) -> None:
    """Make a scene by its number and add what is found there to the tally."""
    rng = random.Random(f"ways {number}")
    battle = scene(rng)
    search = AnyAngle(battle, battle.unit("a"))
    allowed = search.most - search.beyond
    for end in ends_of(search, rng, ends):
        best = search.best(end)
        told = ask(battle, "move", ["a"], {"to": list(end)})
        tally.ends += 1
        if best is not None and told.holds and told.measured["cost"] > best.cost + DEARER:
            tally.dearer.append((told.measured["cost"] - best.cost, number, end))
        if best is not None and not told.holds and best.cost <= allowed - SPARE:
            tally.refused.append((best.cost, number, end))
    _reach(search, number, rng, tally, sampled)


def _reach(search: AnyAngle, number: int, rng: random.Random, tally: Tally, sampled: int) -> None:
    """Compare the reach with what ``move --to`` says of places beside it that the lattice gets to, and of its own."""
    battle = search.battle
    area = in_reach(battle)
    least, (x, y) = search.costs[0].min(axis=2), search.corner
    i, j = np.nonzero(least <= search.most - search.beyond)
    px, py = x + STEP * i, y + STEP * j
    outside = np.flatnonzero(~shapely.intersects_xy(shapely.buffer(area, 0.01), px, py))
    asked = rng.sample(outside.tolist(), min(sampled, len(outside)))
    yes = sum(ask(battle, "move", ["a"], {"to": [float(px[k]), float(py[k])]}).holds for k in asked)
    missing = STEP * STEP * len(outside) * yes / max(1, len(asked))
    tally.omitted.append((missing / max(missing + float(shapely.area(area)), 1e-9), number))
    rim = shapely.buffer(area, -0.003).boundary
    for _ in range(sampled if not rim.is_empty else 0):
        at = rim.interpolate(rng.random(), normalized=True)
        if not ask(battle, "move", ["a"], {"to": [at.x, at.y]}).holds:
            tally.false.append((number, (at.x, at.y)))


def in_reach(battle: Battle) -> shapely.Geometry:
    """Return the reach of the mover as an area."""
    rings = ask(battle, "reach", ["a"], {}).measured["area"]
    return shapely.union_all([shapely.Polygon(own[0], own[1:]) for own in rings])


def told(tally: Tally) -> str:
    """Return the figures in words."""
    shares = sorted(share for share, _ in tally.omitted)
    worst = max(tally.dearer, default=(0.0, 0, (0.0, 0.0)))
    lines = [
        f"{tally.ends} ends in {len(shares)} scenes",
        f"dearer by more than {DEARER}: {len(tally.dearer)}, worst {worst[0]:.2f} (scene {worst[1]}, {worst[2]})",
        f"refused with {SPARE} to spare: {len(tally.refused)} {tally.refused[:8]}",
        f"omitted by reach: mean {100 * sum(shares) / max(1, len(shares)):.2f} %, worst "
        f"{100 * shares[-1] if shares else 0.0:.1f} %, above 0.5 % in {sum(s > 0.005 for s in shares)} scenes "
        f"{[n for s, n in tally.omitted if s > 0.005]}",
        f"included by reach, refused by move: {len(tally.false)} {tally.false[:8]}",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--ends", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="number of the first scene")
    options = parser.parse_args()
    tally = Tally([], [], [], [])
    for number in range(options.seed, options.seed + options.scenes):
        compare(number, options.ends, tally)
        print(number, tally.omitted[-1], len(tally.dearer), len(tally.refused), len(tally.false), flush=True)
    print(told(tally))
    for row in sorted(tally.dearer, reverse=True)[:20]:
        print(row)


if __name__ == "__main__":
    main()
