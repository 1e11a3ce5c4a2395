"""Make units from entries in files; an error names the key at fault and the cure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Tape, snap_facing, snap_point
from tabletop.rules.ages.movement.layouts import layout_of, of_arm
from tabletop.rules.ages.tables import ARTILLERY, CAPTAIN, STANCES, Profile, Troop
from tabletop.rules.common.entry import finite, names, pair, place, posed, whole, without, word
from tabletop.rules.rule_set import MusterError

#: The states of a unit: in order, disrupted, routing (ROC-EFF-01, ROC-RAL-01).
STATUSES = ("ok", "disrupted", "routing")
#: In files also the state of a battery whose crew has run, which in a battle is a mark of it (SQP-TST-08).
ABANDONED = "abandoned"
#: Keys that these rules do not use, and keys that a general or staff officer does not have.
USELESS = ("front", "bend", "track", "reference", "linear", "rank", "strength_override")
NOT_A_PERSONS = ("formation", "quality", "status", "bases")


def muster(profile: Profile, entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Return the unit described by ``entry`` (the unit keys of the file format), its place snapped to the grid.

    Places are in table units (mm). Raises MusterError naming the first key at fault. Source: ROC-SCA-02, ROC-SCA-03,
    ROC-SCA-04, ROC-EFF-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.tables import profile_of
    >>> entry = {"id": "foot", "side": "french", "troop": "infantry", "quality": "french-line", "formation": "line"}
    >>> unit = muster(profile_of(open_battle("drill-ground")), {**entry, "at": [140, 220], "facing": 0}, {})
    >>> unit.strength, unit.front_mid
    (5, (140.0, 227.5))
    """
    kind = profile.troops[word(entry, "troop", profile.troops)]
    captain = kind.arm == "general" and "captain" in profile.tables["rally"]
    without(entry, (key for key in USELESS if not (captain and key == "rank")))
    if not profile.tables["orders"].get("formations"):
        without(entry, ("order",))
    return _troops(profile, entry, kind) if kind.fights else _person(profile, entry, kind)


def _person(profile: Profile, entry: Mapping[str, Any], kind: Troop) -> Unit:
    """Return a general or staff officer: one base, no strength, no formation (ROC-SCA-04, ROC-ORD-03)."""
    for key in NOT_A_PERSONS:
        if entry.get(key) is not None:
            raise MusterError(key, f"a {kind.name.replace('-', ' ')} has no {key}; leave it out")
    if entry.get("front_mid") is not None:
        raise MusterError("front_mid", f"a {kind.name.replace('-', ' ')} has no front; give at: [x, y]")
    x, y = snap_point(place(entry, "at"))
    facing = snap_facing(finite("facing", entry["facing"])) if entry.get("facing") is not None else 0.0
    base = Base(x, y, facing, *_base_size(entry, kind))
    rank = "" if entry.get("rank") is None else word(entry, "rank", (CAPTAIN,))
    if kind.arm == "staff":
        without(entry, ("order",))
    return Unit(
        **names(entry),
        troop=kind.name,
        bases=(base,),
        facing=facing,
        rank=rank,
        marks=_order(entry),
        rules=profile.name,
    )


def _order(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the marks of an order a unit has from the start: what to do, and the place it names (AGE-ORD-01)."""
    order = entry.get("order")
    if order is None:
        return {}
    goal = order.get("objective") or order.get("at")
    at = goal if goal is None or isinstance(goal, str) else snap_point(pair("order", goal))
    return {"order": word(order, "stance", STANCES), **({"order_goal": at} if at else {})}


def _troops(profile: Profile, entry: Mapping[str, Any], kind: Troop) -> Unit:
    formation = word(entry, "formation", of_arm(profile, kind.arm))
    n = _strength(entry, kind)
    layout = layout_of(formation, n, _base_size(entry, kind))
    bases = posed(entry, layout)
    status = word(entry, "status", (*STATUSES, ABANDONED) if kind.arm == ARTILLERY else STATUSES, "ok")
    return Unit(
        **names(entry),
        troop=kind.name,
        bases=bases,
        formation=formation,
        facing=bases[0].facing,
        quality=_quality(profile, entry, kind),
        front_bases=layout.front,
        status="ok" if status == ABANDONED else status,
        marks=({ABANDONED: True} if status == ABANDONED else {}) | _order(entry),
        rules=profile.name,
    )


def _quality(profile: Profile, entry: Mapping[str, Any], kind: Troop) -> str:
    """Return the quality, which names the troops' row of the army tables."""
    return word(entry, "quality", [quality for troop, quality in profile.rows if troop == kind.name])


def _strength(entry: Mapping[str, Any], kind: Troop) -> int:
    """Return the number of bases, by default the most allowed (ROC-SCA-02, ROC-SCA-03)."""
    low, high = kind.bases
    bases = whole(entry, "bases", low, high, high)
    assert bases is not None, "a default is given"
    return bases


def _base_size(entry: Mapping[str, Any], kind: Troop) -> tuple[float, float]:
    """Return the frontage and depth in mm, which are fixed for each kind of troops."""
    if entry.get("base") is not None:
        size, tape = pair("base", entry["base"]), Tape.of("mm")
        if not all(tape.touches(abs(a - b)) for a, b in zip(size, kind.base, strict=True)):
            w, d = kind.base
            raise MusterError("base", f"a base of {kind.name} is {w:g} wide and {d:g} deep; leave base out")
    return kind.base
