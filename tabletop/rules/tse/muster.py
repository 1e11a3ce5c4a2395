"""Make units from entries in files; an error names the key at fault and the cure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.layout import Layout, file_along, ranks
from tabletop.geometry.measure import Point, Tape, snap_point, turn_between
from tabletop.rules.common.entry import finite, flag, list_, names, number, pair, place, posed, whole, word
from tabletop.rules.rule_set import MusterError
from tabletop.rules.tse.movement.layouts import FORMATIONS, default_front, front_fault, layout_of, limber_gap, line_of
from tabletop.rules.tse.tables import Troop, tables, troops

QUALITIES = ("elite", "veteran", "average", "poor")
STATUSES = ("ok", "disordered", "demoralized")
RANKS = ("army", "corps", "division")
#: Keys that a general does not have (TSE-UNI-01, TSE-UNI-19).
NOT_A_GENERALS = (
    "formation", "quality", "facing", "front", "bend", "track", "reference", "status", "linear", "strength_override",
)  # fmt: skip

#: The most bases a unit may have with ``strength_override``: a sanity limit for files, not a rule.
MOST_BASES = 40

#: How far (inches, degrees) a place or facing given with a track may differ from where the track puts the column.
TRACK_SLACK, TRACK_TURN = 1.0, 45.0


def muster(entry: Mapping[str, Any], rulings: Mapping[str, Any]) -> Unit:
    """Return the unit described by ``entry`` (the unit keys of the file format), its place snapped to the grid.

    Raises MusterError naming the first key at fault. ``rulings`` holds the value of every ruling; ``scale`` and
    ``limber_gap`` are used. Default base sizes are multiplied by the scale; a size given in the entry is not.
    """
    kind = troops()[word(entry, "troop", troops())]
    scale = float(rulings["scale"])
    return _general(entry, kind, scale) if kind.family == "general" else _troops(entry, kind, scale, rulings)


def _general(entry: Mapping[str, Any], kind: Troop, scale: float) -> Unit:
    """Return a general: a disc or a square, without formation, facing, quality or status (TSE-UNI-19, TSE-LDR-10)."""
    for key in NOT_A_GENERALS:
        if entry.get(key) is not None:
            raise MusterError(key, f"a general has no {key}; leave it out")
    if entry.get("bases") not in (None, 1):
        raise MusterError("bases", "a general is one base; leave bases out")
    if entry.get("front_mid") is not None:
        raise MusterError("front_mid", "a general has no front; give at: [x, y]")
    x, y = snap_point(place(entry, "at"))
    rank = word(entry, "rank", RANKS, "division")
    base = _generals_base(entry, kind, scale, rank, (x, y))
    return Unit(**names(entry), troop=kind.name, bases=(base,), rank=rank, rules="tse")


def _generals_base(entry: Mapping[str, Any], kind: Troop, scale: float, rank: str, at: Point) -> AnyBase:
    """Return a general's base: a disc of 0.75 to 1 in, 1.5 in for an army, 2 in for a corps, or a square of 1 in.

    Source: TSE-UNI-19.
    """
    special, base = tables()["general_bases"], entry.get("base")
    if base == "square":
        return Base(*at, 0.0, special["square"] * scale, special["square"] * scale)
    if base is not None and rank in special:
        w, d = pair("base", base)
        tape, wanted = Tape.of("in", scale), special[rank] * scale
        if w == d and tape.at_least(w, wanted) and tape.at_most(w, wanted):
            return Disc(*at, w / 2)
    return Disc(*at, _base_size(entry, kind, scale)[0] / 2)


def _troops(entry: Mapping[str, Any], kind: Troop, scale: float, rulings: Mapping[str, Any]) -> Unit:
    if entry.get("rank") is not None:
        raise MusterError("rank", "only a general has a rank; leave it out")
    formation = _formation(entry, kind)
    n = _strength(entry, kind)
    front = _front(entry, kind, n) if formation == "maneuver-column" else whole(entry, "front", 1, n, None)
    reference = whole(entry, "reference", 0, n - 1, 0) or 0
    size = _base_size(entry, kind, scale)
    gap = limber_gap(kind.name, formation, size[1], rulings)
    bend = _bend(entry, formation, n, reference)
    if formation == "deployed":
        layout = line_of(n, size, bend, reference)
    else:
        layout = layout_of(formation, n, size, ranks(n, front or 1) or (), gap)
    bases = _on_track(entry, formation, layout, gap, scale) or posed(entry, layout, reference)
    return Unit(
        **names(entry),
        troop=kind.name,
        bases=bases,
        formation=formation,
        facing=bases[reference].facing,
        quality=_quality(entry, kind),
        front=front,
        front_bases=layout.front,
        reference=reference,
        status=word(entry, "status", STATUSES, "ok"),
        linear=flag(entry, "linear"),
        rules="tse",
    )


def _on_track(
    entry: Mapping[str, Any], formation: str, layout: Layout, gap: float, scale: float
) -> tuple[Base, ...] | None:
    """Return a column along its track, which starts at the middle of the head's front edge (TSE-FRM-25).

    The track fixes the position; ``at``, ``front_mid`` and ``facing`` may be given as well but must agree with it.
    """
    if entry.get("track") is None:
        return None
    if formation != "march-column":
        raise MusterError("track", f"only a march-column follows a track, not '{formation}'; leave track out")
    track = [snap_point(pair("track", point)) for point in list_(entry, "track")]
    if all(point == track[0] for point in track):
        raise MusterError("track", "a track needs two different points, head first")
    bases = file_along(track, len(layout.slots), layout.frontage, layout.depth, gap)
    n = len(bases)
    centre = sum(b.x for b in bases) / n, sum(b.y for b in bases) / n
    for key, point in (("at", centre), ("front_mid", track[0])):
        if entry.get(key) is not None and math.dist(place(entry, key), point) > TRACK_SLACK * scale:
            raise MusterError(
                key,
                f"the column's track puts this at [{point[0]:.3f}, {point[1]:.3f}]; write that or correct the track",
            )
    if entry.get("facing") is not None:
        _agree(number(entry, "facing"), bases[0].facing)
    return bases


def _agree(facing: float, head: float) -> None:
    if abs(turn_between(facing, head)) > TRACK_TURN:
        raise MusterError("facing", f"the column's track makes its head face {head:.1f}; write that or turn the track")


def _formation(entry: Mapping[str, Any], kind: Troop) -> str:
    """Return the formation as written; it is never inferred, even for one base (TSE-UNI-22, TSE-FRM-01, TSE-FRM-04)."""
    formation = word(entry, "formation", FORMATIONS)
    if formation == "square" and kind.family != "infantry":
        raise MusterError(
            "formation", f"only infantry forms square, not {kind.name}; one of: {', '.join(FORMATIONS[:3])}"
        )
    return formation


def _strength(entry: Mapping[str, Any], kind: Troop) -> int:
    """Return the number of bases, within the limits of these troops (TSE-UNI-03, TSE-UNI-11, TSE-UNI-13).

    ``strength_override`` lifts the limits.
    """
    low, high = (1, MOST_BASES) if flag(entry, "strength_override") else kind.bases
    n = whole(entry, "bases", low, high, None)
    if n is None:
        raise MusterError("bases", f"missing; {kind.name} has {low} to {high} bases")
    return n


def _front(entry: Mapping[str, Any], kind: Troop, n: int) -> int:
    front = whole(entry, "front", 1, n, default_front(kind.name, n))
    assert front is not None
    if fault := front_fault(kind.name, n, front):
        raise MusterError("front", fault)
    return front


def _base_size(entry: Mapping[str, Any], kind: Troop, scale: float) -> tuple[float, float]:
    """Return the frontage and depth as written, if legal for these troops; if not written, those of ``tables.toml``.

    Rules: TSE-UNI-04, TSE-UNI-12, TSE-UNI-14, TSE-UNI-18. Defaults and limits are multiplied by the scale (TSE-SCL-01).
    """
    if entry.get("base") is None:
        return kind.base[0] * scale, kind.base[1] * scale
    w, d = pair("base", entry["base"])
    tape = Tape.of("in", scale)
    low, high = kind.depths[0] * scale, kind.depths[1] * scale
    wide = (w, w) if kind.family != "general" else (d, d)
    frontage = kind.base[0] * scale if kind.family != "general" else w
    if not (tape.at_least(wide[0], frontage) and tape.at_most(wide[1], frontage)):
        cure = (
            "a general's base is round: give its diameter twice, or 'base: square'"
            if kind.family == "general"
            else f"the frontage of {kind.name} must be {frontage:g} at this scale"
        )
        raise MusterError("base", f"[{w:g}, {d:g}]: {cure}")
    if not (tape.at_least(d, low) and tape.at_most(d, high)):
        also = " (an army's general 1.5, a corps general 2)" if kind.family == "general" else ""
        raise MusterError(
            "base", f"[{w:g}, {d:g}]: a base of {kind.name} is {low:g} to {high:g} deep at this scale{also}"
        )
    return w, d


def _quality(entry: Mapping[str, Any], kind: Troop) -> str:
    """Return one of four qualities for infantry and cavalry, "" for others (TSE-UNI-07, TSE-UNI-16, TSE-UNI-18)."""
    if kind.graded:
        return word(entry, "quality", QUALITIES, "average")
    if entry.get("quality") is not None:
        raise MusterError("quality", f"{kind.name} has no quality; leave it out")
    return ""


def _bend(entry: Mapping[str, Any], formation: str, n: int, reference: int) -> tuple[float, ...] | None:
    """Return the angle of each base to the reference base in degrees, left to right (TSE-FRM-11)."""
    if entry.get("bend") is None:
        return None
    if formation != "deployed":
        raise MusterError("bend", f"only a deployed line bends, not '{formation}'; leave bend out")
    bend = tuple(finite("bend", value) for value in list_(entry, "bend"))
    if len(bend) != n:
        raise MusterError("bend", f"{len(bend)} bends for {n} bases; give one a base, left to right")
    snapped = tuple(round(b * 64.0) / 64.0 for b in bend)
    if snapped[reference] != 0.0:
        raise MusterError(
            "bend", f"base {reference} is the reference base: its bend is 0; set reference or shift the bends"
        )
    limit = float(tables()["angles"]["bend"])
    if max(map(abs, snapped)) > limit:
        raise MusterError(
            "bend", f"{max(bend, key=abs):g} degrees: a base faces within {limit:g} of the reference base"
        )
    return snapped
