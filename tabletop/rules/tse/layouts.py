"""The layout of each of the four formations for a kind of troops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.geometry.layout import Layout, bent_line, column, file, line, ranks, square
from tabletop.rules.tse.tables import troop

FORMATIONS = ("deployed", "maneuver-column", "march-column", "square")
LIMBERED = ("maneuver-column", "march-column")


def default_front(troop_name: str, n: int) -> int:
    """Return how wide a maneuver column is unless said: half the bases, artillery one (TSE-FRM-20, TSE-FRM-23)."""
    return 1 if troop(troop_name).family == "artillery" else -(-n // 2)


def front_fault(troop_name: str, n: int, front: int) -> str | None:
    """Return what is wrong with a maneuver column of ``n`` bases ``front`` wide, with the cure; None if it is legal.

    TSE-FRM-20: at least two deep, no rank larger than the front rank or more than one smaller than another.
    TSE-FRM-21: at least two wide, except artillery (TSE-FRM-23), single bases, and pairs, which may also stand
    abreast (TSE-FRM-22).
    """
    legal = legal_fronts(troop_name, n)
    if front in legal:
        return None
    choices = " or ".join(map(str, legal))
    return f"{n} bases cannot form a maneuver column {front} wide; give front: {choices}"


def legal_fronts(troop_name: str, n: int) -> tuple[int, ...]:
    """Return every width of front rank a maneuver column of ``n`` bases may have (TSE-FRM-20..23)."""
    if n <= 2:
        return tuple(range(1, n + 1))
    narrowest = 1 if troop(troop_name).family == "artillery" else 2
    return tuple(f for f in range(narrowest, n) if ranks(n, f) is not None)


def layout_of(
    formation: str,
    n: int,
    size: tuple[float, float],
    *,
    front: int = 1,
    bend: Sequence[float] | None = None,
    reference: int = 0,
    gap: float = 0.0,
    align: str = "centred",
) -> Layout:
    """Return the layout of ``n`` bases of ``size`` (frontage, depth) in a formation (TSE-FRM-01).

    ``front`` and ``align`` matter to a maneuver column, ``bend`` to a deployed line, ``gap`` to columns.
    """
    w, d = size
    makers = {
        "deployed": lambda: line(n, w, d) if bend is None else bent_line(bend, w, d, reference),
        "maneuver-column": lambda: column(ranks(n, front) or (n,), w, d, gap, align),
        "march-column": lambda: file(n, w, d, gap),
        "square": lambda: square(n, w, d),
    }
    return makers[formation]()


def limber_gap(troop_name: str, formation: str, depth: float, rulings: Mapping[str, Any]) -> float:
    """Return the room behind each base for its limbers: a base depth for limbered guns, if so ruled (TSE-UNI-23)."""
    limbered = formation in LIMBERED and troop(troop_name).family == "artillery"
    return depth if limbered and rulings["limber_gap"] else 0.0
