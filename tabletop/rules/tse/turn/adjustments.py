"""The options of an action that a player may set: ranks, head, reference base, bend, facing (TSE-FRM, TSE-REG-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.layout import ALIGN
from tabletop.geometry.movement.motion import PIVOTS
from tabletop.rules.play import Adjustment
from tabletop.rules.tse.movement.formation import align_of, ranks_wanted
from tabletop.rules.tse.movement.layouts import FORMATIONS, rank_splits
from tabletop.rules.tse.tables import troop

_FACING = Adjustment("facing", "Facing", "facing")
_ON = ("the middle of its front", "its left corner", "its right corner")
_TURNS = Adjustment("pivots", "Turns on", "choice", tuple(PIVOTS), _ON, "middle")
_SHIFT = Adjustment("shift", "Shift", "shift", usual=(0.0, 0.0))


def adjustments(battle: Battle, action: Action) -> Sequence[Adjustment]:
    """Return the options of this action that a player may set; none for generals and units yet to arrive (TSE-FRM-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> [one.label for one in adjustments(open_battle("starter"), Action("maneuver", "french", "arnaud"))]
    ['Column', 'Turns on']
    """
    maker = _MAKERS.get(action.kind)
    if maker is None or action.unit is None or not battle.has(action.unit):
        return ()
    unit = battle.unit(action.unit)
    return () if unit.is_general else maker(unit, action)


def _deploy(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a line, and the shift of its reference base (TSE-ACT-10, TSE-FRM-13)."""
    return (*_line(unit, action), _SHIFT)


def _line(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a line: reference base and its place, bend and facing (TSE-ACT-11, TSE-FRM-11)."""
    straight = (0.0,) * unit.strength
    bend = (Adjustment("bend", "Bend", "bend", usual=straight),) if unit.strength > 1 else ()
    return (*_some(_reference(unit)), *_some(_place(unit, action)), *bend, _FACING)


def _square(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a square: the base that stays in place, and the facing (TSE-ACT-33)."""
    return (*_some(_reference(unit)), _FACING)


def _columns(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a maneuver column: its ranks, and how short ones are aligned (TSE-FRM-20..23a)."""
    ranks = _ranks(unit)
    uneven = len(set(action.options.get("ranks") or ranks.usual)) > 1
    align = Adjustment("align", "Short ranks", "choice", tuple(ALIGN), tuple(ALIGN), align_of(unit))
    return (*_some(ranks), *((align,) if uneven else ()), *_turns(action))


def _ranks(unit: Unit) -> Adjustment:
    splits = rank_splits(unit.troop, unit.strength)
    return Adjustment("ranks", "Column", "choice", splits, tuple(map(_deep, splits)), ranks_wanted(unit, None))


def _deep(sizes: Sequence[int]) -> str:
    split = f" ({'+'.join(map(str, sizes))})" if len(set(sizes)) > 1 else ""
    return f"{sizes[0]} wide, {len(sizes)} deep{split}"


def _head(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a march column: which base is its head (TSE-ACT-70, TSE-FRM-24)."""
    head = Adjustment("head", "Head", "base", tuple(range(unit.strength)), usual=0)
    return (*_some(head), *_turns(action))


def _turns(action: Action) -> Sequence[Adjustment]:
    """Return the option of what the front turns on at each waypoint (TSE-MOV-03, TSE-MOV-23); none for a regroup."""
    return () if action.kind == "regroup" else (_TURNS,)


def _reference(unit: Unit) -> Adjustment:
    return Adjustment("ref", "Fixed base", "base", tuple(range(unit.strength)), usual=unit.reference)


def _place(unit: Unit, action: Action) -> Adjustment:
    """Return the option of how far the line extends to each side of the fixed base (TSE-FRM-14)."""
    ref, last = action.options.get("ref"), unit.strength - 1
    names = tuple(f"{k} left, {last - k} right" for k in range(unit.strength))
    usual = unit.reference if ref is None else int(ref)
    return Adjustment("place", "Line extends", "choice", tuple(range(unit.strength)), names, usual)


def _some(adjustment: Adjustment) -> Sequence[Adjustment]:
    """Return an adjustment if there is anything to choose."""
    return (adjustment,) if len(adjustment.values) > 1 else ()


def _regroup(unit: Unit, action: Action) -> Sequence[Adjustment]:
    """Return the options of a regroup: formation and facing about the centre-point, and those of the formation.

    Source: TSE-REG-03.
    """
    infantry = troop(unit.troop).family == "infantry"
    formations = tuple(f for f in FORMATIONS if f != "square" or infantry)
    formation = Adjustment(
        "formation",
        "Formation",
        "formation",
        formations,
        tuple(f.replace("-", " ") for f in formations),
        unit.formation,
    )
    own = _SHAPED[str(action.options.get("formation") or unit.formation)](unit, action)
    return (formation, *(a for a in own if a.option != "facing"), _FACING)


_SHAPED: dict[str, Callable[[Unit, Action], Sequence[Adjustment]]] = {
    "deployed": _line,
    "maneuver-column": _columns,
    "march-column": _head,
    "square": _square,
}
_MAKERS: dict[str, Callable[[Unit, Action], Sequence[Adjustment]]] = {
    "deploy": _deploy,
    "square": _square,
    "maneuver": _columns,
    "march": _head,
    "regroup": _regroup,
}
