"""What forbids a going, and what it costs: the one law of moves, with the verdict on a going."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, outline, pose_of
from tabletop.geometry.base import Base
from tabletop.geometry.clearance import closest, overhang, trespass
from tabletop.geometry.depth import overlap_depth
from tabletop.geometry.ground import ground_of
from tabletop.geometry.measure import Point, bearing, heading, ranked, right_of
from tabletop.geometry.motion import Pivot
from tabletop.geometry.price import Price
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.verdict import Reason, Shape, Verdict, features_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.formation import forming_faults
from tabletop.rules.tse.movement.motion import (
    Going,
    body_of,
)
from tabletop.rules.tse.movement.zone_of_control import placing_faults, zone_limit, zone_width
from tabletop.rules.tse.tables import move_source


def better(going: Going) -> tuple[bool, int, tuple[str, ...]]:
    """Order goings that differ in the hand of a turn: what is legal first, then what is cheap, then by what bars it."""
    against = faults(going)
    return bool(against), ranked(going.price.total), tuple(sorted({r.feature or r.rule for r in against}))


def faults(going: Going) -> tuple[Reason, ...]:
    """Return every reason why a going may not be, the ground's and the enemy's first, then the cost."""
    return tuple(reason for reason in _checked(going) if not reason.holds)


def setting_out(going: Going) -> tuple[Reason, ...]:
    """Return what forbids it to set out at all: its condition, the formation it must assume."""
    return tuple(reason for check in (_status, _forming) for reason in check(going) if not reason.holds)


def on_the_way(going: Going) -> tuple[Reason, ...]:
    """Return what forbids its way: whatever does forbids every longer one (TSE-MOV-15, TSE-MOV-17, TSE-MOV-21)."""
    return tuple(reason for check in (_barred, _zones, _edge) for reason in check(going) if not reason.holds)


def at_the_end(going: Going) -> tuple[Reason, ...]:
    """Return the friends it would end in, and how deep (TSE-MOV-16)."""
    return tuple(_ending(going))


def _checked(going: Going) -> Iterator[Reason]:
    """Give the reasons against a going, and what is measured of its zones and its cost."""
    checks: tuple[Callable[[Going], Iterator[Reason]], ...] = (
        _status,
        _forming,
        _wheels,
        _barred,
        _zones,
        _edge,
        _ending,
        _cost,
    )
    for check in checks:
        yield from check(going)


def _status(going: Going) -> Iterator[Reason]:
    """A demoralized unit may only regroup (TSE-ACT-91)."""
    if going.before.status == "demoralized":
        yield Reason("TSE-ACT-91", False, "a demoralized unit may only regroup")


def _forming(going: Going) -> Iterator[Reason]:
    """The formation must be one it can assume where it stands (TSE-FRM-02, TSE-FRM-07)."""
    if coming_on(going):
        yield from _entering(going)
    elif going.action.formation is not None:
        yield from forming_faults(going.battle, going.before, going.start)


def _entering(going: Going) -> Iterator[Reason]:
    """A column that has not begun to come on is placed at the edge anew; one that has forms nothing (TSE-FRM-24)."""
    battle, (x, y), table = going.battle, going.before.front_mid, going.battle.table
    if not battle.tape.over(min(x, y, table.width - x, table.height - y), 0.0):
        yield from placing_faults(battle, None, going.before)


def _wheels(going: Going) -> Iterator[Reason]:
    """A wheel goes forward: on its left corner a front turns to the left, on its right to the right (TSE-MOV-02)."""
    for step in going.steps:
        if isinstance(step, Pivot) and step.about != "middle" and (step.about == "left") == (step.degrees > 0.0):
            other = "right" if step.about == "left" else "left"
            text = f"a wheel to the {other} on its {step.about} corner would go backward: wheel on the {other} corner"
            yield Reason("TSE-MOV-02", False, text)


def _barred(going: Going) -> Iterator[Reason]:
    """No part of it may enter impassable ground (TSE-MOV-15)."""
    ground = ground_of(going.battle.table, going.action.marching)
    for name in trespass(going.motion, ground, going.battle.tape.t):
        yield Reason("TSE-MOV-15", False, f"the way enters impassable ground, {name}", feature=name)


def _zones(going: Going) -> Iterator[Reason]:
    """All along the way it keeps off the enemy's zones, or leaves them without coming nearer (TSE-MOV-17, -18, -19)."""
    battle, width = going.battle, zone_width(going.battle)
    far = 2.0 * width + (going.before.bases[0].outline[1] if going.before.is_general else 0.0)
    for enemy in beside(going.motion.bounds, battle.enemies(going.before), far):
        gap = closest(going.motion, outline(enemy), 2.0 * width)
        if math.isinf(gap):
            continue
        limit = zone_limit(battle, going.before, enemy)
        name = enemy.called
        if not battle.tape.over(limit, 0.0) and _through(going, enemy):
            yield Reason("TSE-MOV-18", False, f"the way leads through {name}", gap, limit, enemy.id)
            continue
        holds = battle.tape.at_least(gap, limit)
        rule = "TSE-MOV-17" if limit == width else "TSE-MOV-18"
        off = f"{gap:.2f} {battle.table.unit}"
        near = f"the way comes within {off} of {name}" if gap > 0.0 else f"the way runs into {name}"
        text = f"the way keeps {off} from {name}" if holds else near
        yield Reason(rule, holds, text, gap, None if math.isinf(limit) else limit, enemy.id)


def _through(going: Going, enemy: Unit) -> bool:
    """Return whether the way cuts deeper than the tolerance into an enemy whom it may touch."""
    t = going.battle.tape.t
    inner = outline(enemy).buffer(-t, join_style="mitre")
    return not inner.is_empty and closest(going.motion, inner, t) <= 0.0


def _edge(going: Going) -> Iterator[Reason]:
    """It may not leave the table (TSE-MOV-21); of a column still coming on, its head's front edge (TSE-ACT-83)."""
    table = going.battle.table
    out = _head_out(going) if coming_on(going) else overhang(going.motion, table.width, table.height)
    if going.battle.tape.over(out, 0.0):
        yield Reason("TSE-MOV-21", False, f"the way goes {out:.2f} {table.unit} over the table's edge", out, 0.0)


def coming_on(going: Going) -> bool:
    """Return whether this is a march column the tail of which is still off the table (TSE-ACT-83)."""
    return going.action.marching and bool(going.before.marks.get("coming_on"))


def _head_out(going: Going) -> float:
    """Return how much farther off the table than at first the front edge of a file's head gets at worst.

    It may enter aslant: then one corner of it begins off the table. The others ride its track.
    """
    half = body_of(going.start).width / 2
    poses = [axis for axes in going.motion.axes for axis in (axes[:2], axes[2:])]
    outs = [_edge_out(going.battle, rear, front, half) for rear, front in poses]
    return max(outs, default=0.0) - max(outs[:1], default=0.0)


def _edge_out(battle: Battle, rear: Point, front: Point, half: float) -> float:
    """Return how far a front edge, its middle at ``front`` and ``half`` as wide to each side, is off the table."""
    table, right = battle.table, right_of(heading(bearing(front[0] - rear[0], front[1] - rear[1])))
    ends = [(front[0] + s * right[0], front[1] + s * right[1]) for s in (-half, half)]
    return max(0.0, *(max(-x, -y, x - table.width, y - table.height) for x, y in ends))


def _ending(going: Going) -> Iterator[Reason]:
    """It passes through friends but ends in none; generals obstruct nobody (TSE-MOV-16, TSE-LDR-05)."""
    if going.before.is_general:
        return
    for other in beside(going.end.bounds, going.battle.friends(going.before), 0.0):
        depth = ending_depth(going.motion.end, other)
        if going.battle.tape.over(depth, 0.0):
            text = f"it would end {depth:.2f} {going.battle.table.unit} deep in {other.called}"
            yield Reason("TSE-MOV-16", False, text, depth, 0.0, other.id)


def ending_depth(bases: Sequence[Any], other: Unit) -> float:
    """Return how deep ``bases`` stand in another unit, 0 if they do not."""
    x0, y0, x1, y1 = other.bounds
    near = [b for b in bases if x0 - 2 * b.depth - b.frontage < b.x < x1 + 2 * b.depth + b.frontage]
    near = [b for b in near if y0 - 2 * b.depth - b.frontage < b.y < y1 + 2 * b.depth + b.frontage]
    return max((overlap_depth(a, b) for a in near for b in other.bases), default=0.0)


def _cost(going: Going) -> Iterator[Reason]:
    """The price, terrain and turns in it, is within the base move; none of it will do (TSE-MOV-01, TSE-ACT-22)."""
    cost, allowed = going.price.total, going.allowed
    holds = going.battle.tape.at_most(cost, allowed)
    unit = going.battle.table.unit
    late = ", half of its base move, for its orders are delayed" if going.action.delayed else ""
    ours = " (a reconstructed base move)" if move_source(going.action.name) == "reconstruction" else ""
    text = f"it costs {cost:.2f} of {allowed:g} {unit}{ours}{late}: {itemised(going.price, unit)}"
    yield Reason("TSE-MOV-01", holds, text, cost, allowed)


def within_budget(going: Going) -> bool:
    """Say whether the cost is within the base move (TSE-MOV-01)."""
    return all(_cost(going))


def itemised(price: Price, unit: str) -> str:
    """Return the items of a price in words, lengths in the table's ``unit``."""
    named = {
        "length": f"{price.length:.2f} {unit} straight",
        "turns": f"{price.turns:.2f} {unit} for turns",
        "rough": f"{price.rough:.2f} {unit} of it in rough ground",
        "road": f"{price.road:.2f} {unit} of it on roads",
        "linear": f"{price.linear} linear obstacle{'s' * (price.linear != 1)}",
        "choke": f"{price.choke} choke-point{'s' * (price.choke != 1)}",
    }
    items = price.items()
    return ", ".join(words for name, words in named.items() if items[name] or name == "length")


def _behind(going: Going, path: Sequence[Point]) -> Iterator[Reason]:
    """Movement is forward: the first waypoint lies not behind the front it sets out with (TSE-MOV-02)."""
    if not path or going.action.formation is None:
        return
    body = body_of(going.start)
    (rear_x, rear_y), mid = body.axis
    dx, dy = mid[0] - rear_x, mid[1] - rear_y
    ahead = ((path[0][0] - mid[0]) * dx + (path[0][1] - mid[1]) * dy) / math.hypot(dx, dy)
    if not going.battle.tape.at_least(ahead, 0.0):
        text = f"the first waypoint is {-ahead:.2f} behind the front it sets out with; moves go forward"
        yield Reason("TSE-MOV-02", False, text, ahead, 0.0)


# --- the verdict -----------------------------------------------------------------------------------------------------


def judged(going: Going, request: Request) -> Verdict:
    """Return the verdict on a going along the request's path; if ``brief`` no more than whether it holds."""
    path = tuple(request.options.get("path") or ())
    if request.brief:
        holds = all(reason.holds for reason in (*_behind(going, path), *_cost(going))) and all(_checked(going))
        return Verdict("move", request.args, going.battle.rules, holds, options=request.options)
    checked = tuple(_checked(going))
    against = (*_behind(going, path), *(r for r in checked if not r.holds))
    kept = sorted((r for r in checked if r.holds), key=lambda r: r.rule != "TSE-MOV-01")
    way = going.motion.way
    return Verdict(
        "move",
        request.args,
        going.battle.rules,
        not against,
        measured(going),
        (*against, *kept),
        witness=None if against else way,
        blockers=features_of(against),
        options=request.options,
        shapes=pictured(going, not against),
    )


def measured(going: Going) -> dict[str, Any]:
    """Return cost, allowance, path and items; where the unit would stand."""
    end = going.end
    way = [list(p) for k, p in enumerate(going.motion.way) if k == 0 or p != going.motion.way[k - 1]]
    return {
        "cost": going.price.total,
        "allowed": going.allowed,
        "path": way,
        **going.price.items(),
        "at": list(end.at),
        "facing": None if going.before.is_general else end.facing,
        "after": pose_of(end),
    }


def pictured(going: Going, holds: bool) -> tuple[Shape, ...]:
    """Return the way, the unit where it ends, and the stretches in rough ground of the base that has most of it."""
    label = f"{going.price.total:.2f} of {going.allowed:g}"
    way = line_shape("path" if holds else "blocked", going.motion.way, label)
    return (way, *ghosts(going.motion.end), *rough_stretches(going))


def rough_stretches(going: Going) -> tuple[Shape, ...]:
    """Return, as lines along its track, where the base charged for rough ground is in it (TSE-MOV-06)."""
    worst = max(range(len(going.toll.rough)), key=lambda i: sum(hi - lo for lo, hi in going.toll.rough[i]))
    shapes: list[Shape] = []
    u = 0.0
    for sweep in going.motion.tracks[worst]:
        dx, dy = getattr(sweep, "dx", 0.0), getattr(sweep, "dy", 0.0)
        x, y = sweep.base.front_mid if isinstance(sweep.base, Base) else sweep.base.centre
        for lo, hi in going.toll.rough[worst]:
            a, b = max(lo, u) - u, min(hi, u + sweep.charge) - u
            if b > a and (dx or dy):
                ends = tuple((x + s / sweep.charge * dx, y + s / sweep.charge * dy) for s in (a, b))
                shapes.append(line_shape("mark", ends, f"rough {b - a:.2f}"))
        u += sweep.charge
    return tuple(shapes)
