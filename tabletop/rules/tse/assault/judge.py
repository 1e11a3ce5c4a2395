"""The question ``assault``: may a unit assault another now, along what path, and where does it end?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import in_order, plain
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.line_of_sight import Sight, seen_by, sight
from tabletop.geometry.movement.motion_cost import MoveCost
from tabletop.geometry.shapes import ghosts, line_shape, shapes_of
from tabletop.geometry.verdict import Reason, Shape, Verdict, against_first, features_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.assault.charge import countercharge_reasons, meeting_point
from tabletop.rules.tse.assault.contact import (
    Contact,
    contact_of,
    end_faults,
    first_met,
    in_contact,
    path_faults,
    short_of,
)
from tabletop.rules.tse.assault.path import (
    AssaultPath,
    is_frontal,
    paths_to,
    price_of,
    reach_of,
    thrown_back_pose,
    turned_to,
)
from tabletop.rules.tse.assault.support import support_reason
from tabletop.rules.tse.fire.arc import arc_reason, arc_shapes
from tabletop.rules.tse.fire.cover import path_cover
from tabletop.rules.tse.movement.formation import ground_faults
from tabletop.rules.tse.movement.legality import itemised
from tabletop.rules.tse.sight.judge import hindrance_reason, law_of
from tabletop.rules.tse.tables import troop


@dataclass(frozen=True)
class Assault:
    """One unit about to assault another along one path."""

    battle: Battle
    unit: Unit
    target: Unit
    path: AssaultPath
    delayed: bool = False

    @cached_property
    def price(self) -> MoveCost:
        """The cost of the path (TSE-ASL-06), cached with the battle because several facts of one assault need it."""
        cache: dict[AssaultPath, tuple[Unit, Unit, MoveCost]] = vars(self.battle).setdefault("_assault_prices", {})
        cached = cache.get(self.path)
        if cached is None or cached[0] is not self.unit or cached[1] is not self.target:
            price = price_of(self.battle, self.unit, self.path.start, self.path.end, self.target)
            cached = cache[self.path] = self.unit, self.target, price
        return cached[2]

    @property
    def reach(self) -> float | None:
        """The reach in table units; None for troops that never assault (TSE-ASL-05, TSE-ASL-09)."""
        return reach_of(self.battle, self.unit, self.delayed)

    @cached_property
    def frontal(self) -> bool:
        """Whether the path runs in the target's arc (TSE-ASL-08)."""
        return is_frontal(self.battle, self.target, self.path)

    @cached_property
    def contact(self) -> Contact:
        """Where the unit, turned to the path, first touches a unit it may not overlap (TSE-ASL-23)."""
        return contact_of(self.battle, self.unit, self.target, self.path)

    @cached_property
    def ended(self) -> Unit:
        """The unit in contact."""
        return in_contact(self.battle, self.unit, self.contact)


def assault(battle: Battle, request: Request) -> Verdict:
    """Answer ``assault A B``: whether A may assault B now (TSE-ASL-01..08, TSE-ASL-40..42, TSE-ASL-50..53).

    The path, its cost (table units) and whether it is frontal are measured even if the assault may not be made. The
    option ``delayed`` means that delayed orders halve the reach. Raises BadQuestion if A is a general.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = assault(open_battle("front-or-flank"), Request("assault", ("west-column", "west-line")))
    >>> verdict.holds, verdict.measured["frontal"], verdict.measured["reach"]
    (True, True, 6.0)
    """
    unit, target = (battle.unit(name) for name in request.args)
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, and generals do not assault; ask for a unit")
    if target.is_general:
        return _refused(battle, request, Reason("TSE-ASL-82", False, "generals cannot be assaulted", feature=target.id))
    delayed = bool(request.options.get("delayed"))
    if request.brief:
        return _briefly(battle, request, unit, target)
    line_of_sight = sight(battle.table, unit.footprint, target.footprint, law_of(battle))
    support, instead = support_reason(battle, target, lambda other: assaultable(battle, unit, other, delayed))
    before = (*_who(battle, unit, target), support, _seen(target, line_of_sight))
    chosen, after = chosen_assault(battle, unit, target, delayed)
    return _verdict(chosen, request, (*before, *after), line_of_sight, instead)


def chosen_assault(
    battle: Battle, unit: Unit, target: Unit, delayed: bool = False
) -> tuple[Assault, tuple[Reason, ...]]:
    """Return the assault along the path the assaulter would choose, and the reasons from all its tests (TSE-ASL-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> chosen, reasons = chosen_assault(battle, battle.unit("west-column"), battle.unit("west-line"))
    >>> all(reason.holds for reason in reasons)
    True
    """
    choices = [Assault(battle, unit, target, path, delayed) for path in paths_to(unit, target)]
    return min(((one, _reasons(one)) for one in choices), key=_preference)


def assaultable(battle: Battle, unit: Unit, target: Unit, delayed: bool = False) -> bool:
    """Return whether ``unit`` may assault ``target``, without producing a proof (TSE-ASL-01..08).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("front-or-flank")
    >>> assaultable(battle, battle.unit("west-column"), battle.unit("west-line"))
    True
    """
    options = {"brief": True, "delayed": delayed}
    return assault(battle, Request("assault", (unit.id, target.id), options)).holds


def _briefly(battle: Battle, request: Request, unit: Unit, target: Unit) -> Verdict:
    """Answer without proof, quick tests first; the witness is a line of sight (option ``hints``: lines to try)."""
    delayed, hints = bool(request.options.get("delayed")), request.options.get("hints", ())
    reach = reach_of(battle, unit, delayed)
    choices = (Assault(battle, unit, target, path, delayed) for path in paths_to(unit, target))
    near = (one for one in choices if reach is not None and battle.tape.at_most(one.path.length, reach))
    may = all(_who(battle, unit, target)) and any(all(_tests(one)) for one in near)
    line = seen_by(battle.table, unit.footprint, target.footprint, law_of(battle), hints) if may else None
    free = line is not None and support_reason(battle, target, lambda u: assaultable(battle, unit, u, delayed))[0].holds
    return Verdict("assault", request.args, battle.rules, free, witness=line, options=request.options)


def _preference(choice: tuple[Assault, tuple[Reason, ...]]) -> tuple[bool, bool, float]:
    """Return the sort key of the assaulter's choice among paths that tie: legal, not frontal, cheap (TSE-ASL-04)."""
    one, reasons = choice
    return not all(reasons), one.frontal, round(one.price.total, 9)


# --- who may assault whom --------------------------------------------------------------------------------------------


def may_assault(battle: Battle, unit: Unit) -> bool:
    """Return whether the unit's troops, status and formation let it assault at all (TSE-ASL-01, TSE-ASL-50).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> may_assault(battle, battle.unit("arnaud")), may_assault(battle, battle.unit("morel-guns"))
    (True, False)
    """
    return not unit.is_general and all(_able(battle, unit))


def _who(battle: Battle, unit: Unit, target: Unit) -> Iterator[Reason]:
    """Check the unit's troops, status and formation, and that the target is an enemy."""
    first, *others = _able(battle, unit)
    yield first
    if target.side == unit.side:
        yield Reason("TSE-ASL-82", False, f"{target.called} is on the same side", feature=target.id)
    yield from others


def _able(battle: Battle, unit: Unit) -> Iterator[Reason]:
    """Check the unit's troops, status and formation."""
    name = unit.called
    able = reach_of(battle, unit) is not None
    yield Reason(
        "TSE-ACT-94", able, f"{plain(unit.troop)} {'may assault' if able else 'never assaults'}", feature=unit.id
    )
    calm = unit.status != "demoralized"
    yield Reason("TSE-ASL-01", calm, f"{name} is {in_order(unit)}" + ("" if calm else " and may only regroup"))
    if able:
        yield _formation(unit)


def _formation(unit: Unit) -> Reason:
    """Check the formation: maneuver column (TSE-ACT-60), for linear infantry also deployed (TSE-ASL-50..53)."""
    name = unit.called
    if unit.formation == "maneuver-column":
        return Reason("TSE-ASL-01", True, f"{name} is in maneuver column")
    if unit.formation != "deployed":
        return Reason(
            "TSE-ASL-01", False, f"{name} is in {plain(unit.formation)}; an assault starts from maneuver column"
        )
    if troop(unit.troop).linear_assault_reach is None:
        return Reason("TSE-ASL-52", False, "cavalry never assaults deployed")
    text = f"{name} {'is' if unit.linear else 'is not'} infantry that assaults in line"
    return Reason("TSE-ASL-50", unit.linear, text)


def _seen(target: Unit, seen: Sight) -> Reason:
    """Check that some point of the unit sees some point of the target, before any turn (TSE-ASL-02)."""
    name = target.called
    blocked = seen.best_blocked
    parts = () if seen.seen or blocked is None else tuple(hindrance_reason(h) for h in blocked.hindrances)
    text = f"{name} is seen" if seen.seen else f"{name} is hidden by {', '.join(seen.blockers) or 'the ground'}"
    return Reason(
        "TSE-ASL-02", seen.seen, text, feature=None if seen.seen else next(iter(seen.blockers), None), parts=parts
    )


# --- the way there ---------------------------------------------------------------------------------------------------


def _reasons(one: Assault) -> tuple[Reason, ...]:
    """Return every test of the path, in order: the turn, the reach, what lies on it, where it ends."""
    return tuple(_tests(one))


def _tests(one: Assault) -> Iterator[Reason]:
    yield _turn(one)
    yield from _reach(one)
    yield from path_reasons(one)


def path_reasons(one: Assault) -> Iterator[Reason]:
    """Yield what forbids the path and its end, apart from turn and reach; nothing if they are free."""
    yield from path_faults(one.battle, one.unit, one.target, one.contact)
    yield from end_faults(one.battle, one.unit, one.target, one.contact)


def _turn(one: Assault) -> Reason:
    """Check the free turn to the target on the middle of the front, or the arc if turns are ruled out (TSE-ASL-03)."""
    if not one.battle.rulings["assault_free_turn"]:
        reason = arc_reason(one.battle, one.unit, one.target)
        return Reason("TSE-ASL-03", reason.holds, reason.text, reason.measured, reason.limit, one.target.id)
    barred = next(iter(ground_faults(one.battle, turned_to(one.unit, one.path))), None)
    if barred is not None:
        return Reason("TSE-ASL-03", False, "its turn would take it into impassable ground", feature=barred.feature)
    return Reason("TSE-ASL-03", True, f"it turns on the middle of its front to {one.path.facing:.2f} degrees")


def _reach(one: Assault) -> Iterator[Reason]:
    """Check that the path's cost is within the reach (TSE-ASL-05, TSE-ASL-06, TSE-ASL-09, TSE-ASL-10)."""
    reach = one.reach
    if reach is not None:
        price = one.price
        holds = one.battle.tape.at_most(price.total, reach)
        unit = one.battle.table.unit
        text = f"the path costs {price.total:.2f} of {reach:g} {unit}: {itemised(price, unit)}"
        yield Reason("TSE-ASL-09" if one.delayed else "TSE-ASL-05", holds, text, price.total, reach)


# --- the verdict -----------------------------------------------------------------------------------------------------


def _verdict(
    one: Assault, request: Request, reasons: tuple[Reason, ...], seen: Sight, instead: tuple[str, ...]
) -> Verdict:
    battle, path = one.battle, one.path
    holds = all(reasons)
    frontal = one.frontal
    text = "the path runs in the target's arc: frontal" if frontal else "the path keeps out of the target's arc"
    direction = Reason("TSE-ASL-08", True, text)
    against = against_first(reasons)
    return Verdict(
        "assault",
        request.args,
        battle.rules,
        holds,
        {**_measured(one, frontal), "instead": list(instead)},
        (*against, direction, *_short(one)),
        witness=(path.start, path.end) if holds else None,
        blockers=features_of(r for r in against if not r.holds),
        options=request.options,
        shapes=_pictured(one, holds),
        side_view=seen.best_blocked.side_view if seen.best_blocked and not seen.seen else None,
    )


def _short(one: Assault) -> Iterator[Reason]:
    """Yield the unit that stops the assaulter just short of the path's end, which counts as contact (TSE-ASL-23)."""
    contact, battle = one.contact, one.battle
    if not battle.tape.over(contact.gap, 0.0):
        return
    other = first_met(battle, contact)
    text = f"its front first meets {other.called}, {contact.gap:.2f} {battle.table.unit} short: in contact"
    yield Reason("TSE-ASL-23", True, text, contact.gap, feature=other.id)


def _measured(one: Assault, frontal: bool) -> dict[str, Any]:
    """Return the measured values; poses are [x, y, facing] of the middle of the front."""
    battle, unit, target, path = one.battle, one.unit, one.target, one.path
    charges = countercharge_reasons(battle, unit, target, path, frontal)
    return {
        "cost": one.price.total,
        "reach": one.reach,
        "frontal": frontal,
        "path": [list(path.start), list(path.end)],
        "distance": path.length,
        "heading": path.facing,
        "contact": pose_values(one.ended),
        "gap": one.contact.gap,
        "stopped": pose_values(short_of(battle, unit, one.contact)),
        "thrown_back": pose_values(thrown_back_pose(unit, path)),
        "cover": path_cover(battle, target, (path.start, path.end)).name,
        "countercharge": list(meeting_point(path)) if all(charges) else None,
    }


def pose_values(unit: Unit) -> list[float]:
    """Return a pose as it stands in verdicts: [x, y, facing] of the middle of the front."""
    return [*unit.front_mid, unit.facing]


def _pictured(one: Assault, holds: bool) -> tuple[Shape, ...]:
    """Return the target's arc, the path with its cost, and the unit in contact."""
    way = line_shape("path" if holds else "blocked", (one.path.start, one.path.end), f"{one.price.total:.2f}")
    arc, target = arc_shapes(one.battle, one.target, one.unit), shapes_of("target", one.target.footprint)
    return (*arc, *target, way, *ghosts(one.ended.bases))


def _refused(battle: Battle, request: Request, reason: Reason) -> Verdict:
    """Return a verdict that does not hold, with nothing measured."""
    nothing = {"cost": None, "reach": None, "frontal": None, "path": None}
    return Verdict("assault", request.args, battle.rules, False, nothing, (reason,), options=request.options)
