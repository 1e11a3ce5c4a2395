"""What straight advances cost by rays, many at once, beside the toll of carrying the bases: one law of price."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.movement.advance_cost import Files, Ray, Spent, farthest, price_at, rays, spend
from tabletop.geometry.movement.crossing import swing_contacts
from tabletop.geometry.movement.ground import Patches, ground_of
from tabletop.geometry.movement.leg_cost import straight_toll
from tabletop.geometry.movement.motion import Swing
from tabletop.geometry.movement.motion_cost import CostModel, MoveCost, Toll
from tabletop.geometry.movement.sweep import turned_shapes
from tabletop.geometry.terrain import Terrain
from tabletop.rules.tse.movement.motion import ACTIONS, body_of, cost_model
from tests.bases import rectangles
from tests.field import Field

FIELD = Field()
SEEDS = range(60)
LONG = 7.0


def ground(rng: np.random.Generator) -> list[Terrain]:
    """Return woods, marsh, hedges, a stream with a bridge or ford, and roads, anywhere about."""
    found: list[Terrain] = []
    for k in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(-5.0, 5.0, 2)
        w, h = rng.uniform(0.5, 4.0, 2)
        found.append(FIELD.box(f"wood{k}", str(rng.choice(["woods", "marsh"])), (x, x + w), (y, y + h)))
    for k in range(int(rng.integers(1, 4))):
        points = [tuple(p) for p in rng.uniform(-6.0, 6.0, (3, 2)).tolist()]
        found.append(FIELD.path(f"hedge{k}", str(rng.choice(["hedge", "wall", "stream"])), *points))
    for k in range(int(rng.integers(0, 5))):
        points = [tuple(p) for p in rng.uniform(-8.0, 8.0, (3, 2)).tolist()]
        found.append(FIELD.path(f"road{k}", "road", *points))
    return found


KINDS: list[dict[str, object]] = [
    {"bases": 6, "front": 3},
    {"bases": 4},
    {"bases": 3, "troop": "heavy-cavalry"},
    {"bases": 5, "formation": "march-column"},
    {"bases": 2, "troop": "heavy-foot-artillery", "formation": "march-column"},
    {"troop": "general", "rank": "division"},
]


def scene(seed: int) -> tuple[Battle, Unit, str]:
    rng = np.random.default_rng(seed)
    keys = KINDS[seed % len(KINDS)]
    where = {"at": tuple(rng.uniform(-2.0, 2.0, 2).tolist())}
    facing = {"facing": round(float(rng.uniform(0, 360)) * 64) / 64}
    own = FIELD.unit("a", **{**keys, **where, **facing}) if keys.get("troop") != "general" else general(where["at"])
    action = {"march-column": "march", "maneuver-column": "maneuver"}.get(own.formation, "general")
    return FIELD.battle(own, *ground(rng)), own, action


def general(at: tuple[float, ...]) -> Unit:
    from tests.playing import general as made

    return made("a", (at[0], at[1]))


def both(seed: int) -> tuple[Toll, Ray, Files, Spent]:
    """Return the toll of going straight ahead, and the ray of the same."""
    battle, own, name = scene(seed)
    action = ACTIONS[name]
    law, here = cost_model(battle, own, action), ground_of(battle.table, action.marching)
    body = body_of(own)
    files = Files.of(body, law, action.marching)
    fx, fy = heading(body.facing)
    toll = straight_toll(own.bases, LONG * fx, LONG * fy, here, law)
    (ray,) = rays(files, here, np.array([body.mid]), np.array([(fx, fy)]), np.array([LONG]))
    return toll, ray, files, Spent(0.0, (0.0,) * files.count)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ray_costs_what_carrying_the_bases_costs(seed: int) -> None:
    """TSE-MOV-05 to 09, 12 to 14: at any length; rough ground, obstacles and choke-points met on the way."""
    toll, ray, files, nothing = both(seed)
    rng = np.random.default_rng(seed)
    marks = np.array([0.0, *toll.breaks()])
    for s in rng.uniform(0.05, LONG, 25):
        if np.abs(marks - s).min() < 1e-2:
            continue
        price = toll.price(float(s))
        assert price_at(ray, nothing, files, float(s)) == pytest.approx(price.total, abs=1e-5)
        spent = spend(ray, nothing, files, float(s))
        assert spent.cost(files.cost_model) == pytest.approx(price.total, abs=1e-5)
        assert max(spent.rough) == pytest.approx(price.rough, abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_budget_lasts_as_far_along_a_ray_as_by_the_toll(seed: int) -> None:
    """TSE-MOV-01, TSE-MOV-10."""
    toll, ray, files, nothing = both(seed)
    for budget in (0.5, 1.25, 2.5, 4.0, 5.5, 8.0, 12.0, 20.0):
        far = toll.affordable(budget)
        assert farthest(ray, nothing, files, budget, LONG) == pytest.approx(far, abs=1e-4 if files.half else 2e-2)
        assert toll.price(far).total <= budget + 1e-9
        if far < LONG - 1e-6:
            assert toll.price(far + 1e-6).total > budget - 1e-5


def test_the_scenes_put_the_question() -> None:
    prices: list[MoveCost] = [both(seed)[0].price() for seed in SEEDS]
    for part in ("rough", "linear", "road"):
        assert sum(getattr(price, part) > 0 for price in prices) >= 2, part


@pytest.mark.parametrize("seed", range(30))
def test_obstacles_are_met_in_a_turn_where_the_front_first_touches_them(seed: int) -> None:
    """TSE-MOV-08: each meeting that begins after the turn has begun, and no other."""
    rng = np.random.default_rng(seed)
    own = FIELD.unit("a", bases=2, front=1, at=(0.0, 0.0), facing=float(rng.integers(0, 23040)) / 64)
    base = rectangles(own.bases)[0]
    pivot = base.corners[int(rng.integers(0, 2))]
    degrees = float(rng.uniform(20.0, 170.0) * rng.choice([-1, 1]))
    swing = Swing(base, (float(pivot[0]), float(pivot[1])), degrees, abs(math.radians(degrees)))
    x, y = base.centre
    ends = rng.uniform(-1.5, 1.5, (2, 2)) + np.array((x, y))
    wall = shapely.LineString(ends.tolist())
    found = swing_contacts(swing, Patches.of(shapely.MultiLineString([wall]), ()), 1e-6)
    corners = np.asarray(base.corners[:2])
    turns = np.linspace(0.0, math.radians(degrees), 4001)
    drawn = shapely.linestrings(turned_shapes(corners, swing, turns))
    near = np.asarray(shapely.distance(drawn, wall)) < 1e-9
    met = [abs(float(turns[k])) for k in range(1, len(turns)) if near[k] and not near[k - 1]]
    if not near[0]:
        assert found == pytest.approx(met, abs=1e-3)


def test_a_price_is_a_plain_number() -> None:
    """Whatever its stretches were worked out with: what is compared with a limit is then plainly true or not."""
    cost_model = CostModel(rough=2.0, linear=1.0, choke=1.0, road=1.0, trace="front_edge", leading="front", t=0.005)
    toll = Toll(3.0, cost_model, (((np.float64(0.5), np.float64(1.5)),),), (), (), (), ())
    assert type(toll.price().total) is float
    assert type(toll.total(1.0)) is float
