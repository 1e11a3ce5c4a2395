"""The calculator's outnumbering boxes: which side has enough more bases to count as outnumbering the other."""

from __future__ import annotations

from typing import Literal

from tabletop.rules.tse.tables import tables

Box = Literal[
    "actor-badly-outnumbered",
    "actor-outnumbered",
    "forces-even",
    "target-outnumbered",
    "target-badly-outnumbered",
]


def fire_box(actor: int, target: int) -> Box:
    """Return the box of a shot by ``actor`` bases at ``target`` bases, counting whole units (TSE-FIR-14..18).

    A side is outnumbered from exactly 3:4 and badly outnumbered from 1:2; anything short of 3:4 is even.

    >>> fire_box(6, 8)
    'actor-outnumbered'
    """
    outnumbered, _ = _shares()
    return _box(actor, target, outnumbered)


def assault_box(assaulters: int, target: int, ratio: str) -> Box:
    """Return the box of an assault; ``assaulters`` counts the bases of all that assaulted this turn (TSE-ASL-30..33).

    ``ratio`` is the ruling ``assault_ratio``: with "1" any excess outnumbers, with "4/3" it is as in fire.

    >>> assault_box(5, 4, "1"), assault_box(5, 4, "4/3")
    ('target-outnumbered', 'forces-even')
    """
    return _box(assaulters, target, None if ratio == "1" else _shares()[0])


def _box(actor: int, target: int, outnumbered: tuple[int, int] | None) -> Box:
    """Return the box; ``outnumbered`` is the ratio from which a side is, None for any excess (TSE-FIR-15..18).

    It is the mirror image for the other side (TSE-FIR-17). If no ratio is reached, forces are even (TSE-FIR-18).
    """
    badly = _shares()[1]
    if _from_ratio(target, actor, badly):
        return "actor-badly-outnumbered"
    if _from_ratio(actor, target, badly):
        return "target-badly-outnumbered"
    if _more(target, actor, outnumbered):
        return "actor-outnumbered"
    if _more(actor, target, outnumbered):
        return "target-outnumbered"
    return "forces-even"


def _more(many: int, few: int, ratio: tuple[int, int] | None) -> bool:
    return many > few if ratio is None else _from_ratio(many, few, ratio)


def _from_ratio(many: int, few: int, ratio: tuple[int, int]) -> bool:
    """Return whether many : few is at least ``ratio``, in whole numbers; anything less is even (TSE-FIR-18)."""
    return many * ratio[1] >= few * ratio[0]


def _shares() -> tuple[tuple[int, int], tuple[int, int]]:
    row = tables()["outnumbering"]
    return tuple(row["outnumbered"]), tuple(row["badly"])
