"""The legality of moves: what forbids a planned move, and the verdict on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, outline, pose_of
from tabletop.geometry.base import Base
from tabletop.geometry.depth import overlap_depth
from tabletop.geometry.measure import Point, bearing, heading, ranked, right_of
from tabletop.geometry.movement.clearance import closest, overhang, trespass
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.motion import Pivot
from tabletop.geometry.movement.motion_cost import MoveCost
from tabletop.geometry.shapes import ghosts, line_shape
from tabletop.geometry.verdict import Reason, Shape, Verdict, features_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.formation import forming_faults
from tabletop.rules.tse.movement.motion import (
    PlannedMove,
    body_of,
)
from tabletop.rules.tse.movement.zone_of_control import placing_faults, zone_limit, zone_width
from tabletop.rules.tse.tables import move_source


def better(plan: PlannedMove) -> tuple[bool, int, tuple[str, ...]]:
    """Return a sort key to choose a turn's direction: legal moves first, then by cost, then by what forbids them."""
    against = faults(plan)
    return bool(against), ranked(plan.price.total), tuple(sorted({r.feature or r.rule for r in against}))


def faults(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return every reason that forbids a planned move: ground and enemies first, the cost last.

    Source: TSE-MOV-01, TSE-MOV-15, TSE-MOV-17.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of, along
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> [reason.rule for reason in faults(along(battle, unit, action_of(unit, "maneuver"), [(0.5, 9.0)], None))]
    ['TSE-MOV-01']
    """
    return tuple(reason for reason in _checked(plan) if not reason.holds)


def setting_out(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return what forbids the unit to set out at all: its status, or the formation it must assume."""
    return tuple(reason for check in (_status, _forming) for reason in check(plan) if not reason.holds)


def on_the_way(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return what forbids the move's path, and so every longer one (TSE-MOV-15, TSE-MOV-17, TSE-MOV-21)."""
    return tuple(reason for check in (_barred, _zones, _edge) for reason in check(plan) if not reason.holds)


def at_the_end(plan: PlannedMove) -> tuple[Reason, ...]:
    """Return the friends the unit would overlap at the end, and how deep (TSE-MOV-16)."""
    return tuple(_ending(plan))


def _checked(plan: PlannedMove) -> Iterator[Reason]:
    """Yield the reasons against a planned move, and those for it where zones and cost are concerned."""
    checks: tuple[Callable[[PlannedMove], Iterator[Reason]], ...] = (
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
        yield from check(plan)


def _status(plan: PlannedMove) -> Iterator[Reason]:
    """Check that the unit is not demoralized, for then it may only regroup (TSE-ACT-91)."""
    if plan.before.status == "demoralized":
        yield Reason("TSE-ACT-91", False, "a demoralized unit may only regroup")


def _forming(plan: PlannedMove) -> Iterator[Reason]:
    """Check that the unit can assume the formation where it stands (TSE-FRM-02, TSE-FRM-07)."""
    if coming_on(plan):
        yield from _entering(plan)
    elif plan.action.formation is not None:
        yield from forming_faults(plan.battle, plan.before, plan.start)


def _entering(plan: PlannedMove) -> Iterator[Reason]:
    """Check a column placed at the edge to come on; one that is already coming on forms nothing (TSE-FRM-24)."""
    battle, (x, y), table = plan.battle, plan.before.front_mid, plan.battle.table
    if not battle.tape.over(min(x, y, table.width - x, table.height - y), 0.0):
        yield from placing_faults(battle, None, plan.before)


def _wheels(plan: PlannedMove) -> Iterator[Reason]:
    """Check that wheels go forward: left on the left corner of the front, right on the right corner (TSE-MOV-02)."""
    for step in plan.steps:
        if isinstance(step, Pivot) and step.about != "middle" and (step.about == "left") == (step.degrees > 0.0):
            other = "right" if step.about == "left" else "left"
            text = f"a wheel to the {other} on its {step.about} corner would go backward: wheel on the {other} corner"
            yield Reason("TSE-MOV-02", False, text)


def _barred(plan: PlannedMove) -> Iterator[Reason]:
    """Check that no part of the unit enters impassable ground (TSE-MOV-15)."""
    ground = ground_of(plan.battle.table, plan.action.marching)
    for name in trespass(plan.motion, ground, plan.battle.tape.t):
        yield Reason("TSE-MOV-15", False, f"the way enters impassable ground, {name}", feature=name)


def _zones(plan: PlannedMove) -> Iterator[Reason]:
    """Check that the move stays out of enemy zones, or leaves them without coming nearer (TSE-MOV-17, -18, -19)."""
    battle, width = plan.battle, zone_width(plan.battle)
    far = 2.0 * width + (plan.before.bases[0].outline[1] if plan.before.is_general else 0.0)
    for enemy in beside(plan.motion.bounds, battle.enemies(plan.before), far):
        gap = closest(plan.motion, outline(enemy), 2.0 * width)
        if math.isinf(gap):
            continue
        limit = zone_limit(battle, plan.before, enemy)
        name = enemy.called
        if not battle.tape.over(limit, 0.0) and _through(plan, enemy):
            yield Reason("TSE-MOV-18", False, f"the way leads through {name}", gap, limit, enemy.id)
            continue
        holds = battle.tape.at_least(gap, limit)
        rule = "TSE-MOV-17" if limit == width else "TSE-MOV-18"
        off = f"{gap:.2f} {battle.table.unit}"
        near = f"the way comes within {off} of {name}" if gap > 0.0 else f"the way runs into {name}"
        text = f"the way keeps {off} from {name}" if holds else near
        yield Reason(rule, holds, text, gap, None if math.isinf(limit) else limit, enemy.id)


def _through(plan: PlannedMove, enemy: Unit) -> bool:
    """Return whether the move overlaps an enemy by more than the tolerance; touching is allowed."""
    t = plan.battle.tape.t
    inner = outline(enemy).buffer(-t, join_style="mitre")
    return not inner.is_empty and closest(plan.motion, inner, t) <= 0.0


def _edge(plan: PlannedMove) -> Iterator[Reason]:
    """Check that the unit stays on the table (TSE-MOV-21), or only its head's front edge if coming on (TSE-ACT-83)."""
    table = plan.battle.table
    out = _head_out(plan) if coming_on(plan) else overhang(plan.motion, table.width, table.height)
    if plan.battle.tape.over(out, 0.0):
        yield Reason("TSE-MOV-21", False, f"the way goes {out:.2f} {table.unit} over the table's edge", out, 0.0)


def coming_on(plan: PlannedMove) -> bool:
    """Return whether this is a march column whose tail is still off the table (TSE-ACT-83)."""
    return plan.action.marching and bool(plan.before.marks.get("coming_on"))


def _head_out(plan: PlannedMove) -> float:
    """Return how much farther off the table the front edge of a file's head gets than it was at first.

    The head may enter at an angle, with one corner off the table at first. The other bases follow its track.
    """
    half = body_of(plan.start).width / 2
    poses = [axis for axes in plan.motion.axes for axis in (axes[:2], axes[2:])]
    outs = [_edge_out(plan.battle, rear, front, half) for rear, front in poses]
    return max(outs, default=0.0) - max(outs[:1], default=0.0)


def _edge_out(battle: Battle, rear: Point, front: Point, half: float) -> float:
    """Return how far off the table a front edge is, its middle at ``front``, extending ``half`` to each side."""
    table, right = battle.table, right_of(heading(bearing(front[0] - rear[0], front[1] - rear[1])))
    ends = [(front[0] + s * right[0], front[1] + s * right[1]) for s in (-half, half)]
    return max(0.0, *(max(-x, -y, x - table.width, y - table.height) for x, y in ends))


def _ending(plan: PlannedMove) -> Iterator[Reason]:
    """Check that it ends clear of friends, though it may pass through; generals obstruct nobody.

    Source: TSE-MOV-16, TSE-LDR-05.
    """
    if plan.before.is_general:
        return
    for other in beside(plan.end.bounds, plan.battle.friends(plan.before), 0.0):
        depth = ending_depth(plan.motion.end, other)
        if plan.battle.tape.over(depth, 0.0):
            text = f"it would end {depth:.2f} {plan.battle.table.unit} deep in {other.called}"
            yield Reason("TSE-MOV-16", False, text, depth, 0.0, other.id)


def ending_depth(bases: Sequence[Any], other: Unit) -> float:
    """Return how deep ``bases`` stand in another unit, 0 if they do not."""
    x0, y0, x1, y1 = other.bounds
    near = [b for b in bases if x0 - 2 * b.depth - b.frontage < b.x < x1 + 2 * b.depth + b.frontage]
    near = [b for b in near if y0 - 2 * b.depth - b.frontage < b.y < y1 + 2 * b.depth + b.frontage]
    return max((overlap_depth(a, b) for a in near for b in other.bases), default=0.0)


def _cost(plan: PlannedMove) -> Iterator[Reason]:
    """Check that the cost, with terrain and turns, is within the base move; it may be 0 (TSE-MOV-01, TSE-ACT-22)."""
    cost, allowed = plan.price.total, plan.allowed
    holds = plan.battle.tape.at_most(cost, allowed)
    unit = plan.battle.table.unit
    late = ", half of its base move, for its orders are delayed" if plan.action.delayed else ""
    ours = " (a reconstructed base move)" if move_source(plan.action.name) == "reconstruction" else ""
    text = f"it costs {cost:.2f} of {allowed:g} {unit}{ours}{late}: {itemised(plan.price, unit)}"
    yield Reason("TSE-MOV-01", holds, text, cost, allowed)


def within_budget(plan: PlannedMove) -> bool:
    """Return whether the cost is within the base move (TSE-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of, along
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> [within_budget(along(battle, unit, action_of(unit, "maneuver"), [(8.4, y)], None)) for y in (9.0, 15.0)]
    [True, False]
    """
    return all(_cost(plan))


def itemised(price: MoveCost, unit: str) -> str:
    """Return the items of a cost in words, lengths in the table's ``unit`` (TSE-MOV-03 to 14).

    >>> from tabletop.geometry import MoveCost
    >>> itemised(MoveCost(total=7.0, length=5.0, rough=2.0), "in")
    '5.00 in straight, 2.00 in of it in rough ground'
    """
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


def _behind(plan: PlannedMove, path: Sequence[Point]) -> Iterator[Reason]:
    """Check that the first waypoint does not lie behind the front it sets out with (TSE-MOV-02)."""
    if not path or plan.action.formation is None:
        return
    body = body_of(plan.start)
    (rear_x, rear_y), mid = body.axis
    dx, dy = mid[0] - rear_x, mid[1] - rear_y
    ahead = ((path[0][0] - mid[0]) * dx + (path[0][1] - mid[1]) * dy) / math.hypot(dx, dy)
    if not plan.battle.tape.at_least(ahead, 0.0):
        text = f"the first waypoint is {-ahead:.2f} behind the front it sets out with; moves go forward"
        yield Reason("TSE-MOV-02", False, text, ahead, 0.0)


# --- the verdict -----------------------------------------------------------------------------------------------------


def judged(plan: PlannedMove, request: Request) -> Verdict:
    """Return the verdict on a planned move along the request's path; if the request is brief, only whether it holds.

    Source: TSE-MOV-01, TSE-MOV-15, TSE-MOV-17.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of, along
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> plan = along(battle, unit, action_of(unit, "maneuver"), [(8.4, 9.0)], None)
    >>> judged(plan, Request("move", ("arnaud",), {"path": [(8.4, 9.0)]})).holds
    True
    """
    path = tuple(request.options.get("path") or ())
    if request.brief:
        holds = all(reason.holds for reason in (*_behind(plan, path), *_cost(plan))) and all(_checked(plan))
        return Verdict("move", request.args, plan.battle.rules, holds, options=request.options)
    checked = tuple(_checked(plan))
    against = (*_behind(plan, path), *(r for r in checked if not r.holds))
    in_favour = sorted((r for r in checked if r.holds), key=lambda r: r.rule != "TSE-MOV-01")
    way = plan.motion.way
    return Verdict(
        "move",
        request.args,
        plan.battle.rules,
        not against,
        measured(plan),
        (*against, *in_favour),
        witness=None if against else way,
        blockers=features_of(against),
        options=request.options,
        shapes=pictured(plan, not against),
    )


def measured(plan: PlannedMove) -> dict[str, Any]:
    """Return the cost with its items, the allowance, the path, and where the unit would stand."""
    end = plan.end
    way = [list(p) for k, p in enumerate(plan.motion.way) if k == 0 or p != plan.motion.way[k - 1]]
    return {
        "cost": plan.price.total,
        "allowed": plan.allowed,
        "path": way,
        **plan.price.items(),
        "at": list(end.at),
        "facing": None if plan.before.is_general else end.facing,
        "after": pose_of(end),
    }


def pictured(plan: PlannedMove, holds: bool) -> tuple[Shape, ...]:
    """Return the path, the unit where it ends, and the rough stretches of the base that crosses most rough ground."""
    label = f"{plan.price.total:.2f} of {plan.allowed:g}"
    way = line_shape("path" if holds else "blocked", plan.motion.way, label)
    return (way, *ghosts(plan.motion.end), *rough_stretches(plan))


def rough_stretches(plan: PlannedMove) -> tuple[Shape, ...]:
    """Return lines along the track of the base charged for rough ground, where it is in such ground (TSE-MOV-06)."""
    worst = max(range(len(plan.toll.rough)), key=lambda i: sum(hi - lo for lo, hi in plan.toll.rough[i]))
    shapes: list[Shape] = []
    u = 0.0
    for sweep in plan.motion.tracks[worst]:
        dx, dy = getattr(sweep, "dx", 0.0), getattr(sweep, "dy", 0.0)
        x, y = sweep.base.front_mid if isinstance(sweep.base, Base) else sweep.base.centre
        for lo, hi in plan.toll.rough[worst]:
            a, b = max(lo, u) - u, min(hi, u + sweep.charge) - u
            if b > a and (dx or dy):
                ends = tuple((x + s / sweep.charge * dx, y + s / sweep.charge * dy) for s in (a, b))
                shapes.append(line_shape("mark", ends, f"rough {b - a:.2f}"))
        u += sweep.charge
    return tuple(shapes)
