"""The layout of each of the four formations for a kind of troops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from tabletop.geometry.layout import Layout, bent_line, column, file, line, square
from tabletop.geometry.layout import ranks as ranks_by_front
from tabletop.rules.tse.tables import troop

FORMATIONS = ("deployed", "maneuver-column", "march-column", "square")
#: Every order of long and short ranks is listed for up to this many bases.
MOST_SPLIT = 10
LIMBERED = ("maneuver-column", "march-column")


def default_front(troop_name: str, n: int) -> int:
    """Return the default width of a maneuver column: half the bases, one for artillery (TSE-FRM-20, TSE-FRM-23).

    >>> default_front("infantry", 5), default_front("horse-artillery", 2)
    (3, 1)
    """
    return 1 if troop(troop_name).family == "artillery" else -(-n // 2)


def front_fault(troop_name: str, n: int, front: int) -> str | None:
    """Return what is wrong with a maneuver column of ``n`` bases ``front`` wide, and the legal widths; None if legal.

    TSE-FRM-20: at least two deep, no rank larger than the front rank or more than one smaller than another.
    TSE-FRM-21: at least two wide, except artillery (TSE-FRM-23), single bases, and pairs, which may also stand
    abreast (TSE-FRM-22).

    >>> front_fault("infantry", 4, 2)
    >>> front_fault("infantry", 4, 3)
    '4 bases cannot form a maneuver column 3 wide; give front: 2'
    """
    legal = legal_fronts(troop_name, n)
    if front in legal:
        return None
    choices = " or ".join(map(str, legal))
    return f"{n} bases cannot form a maneuver column {front} wide; give front: {choices}"


def legal_fronts(troop_name: str, n: int) -> tuple[int, ...]:
    """Return every width of front rank a maneuver column of ``n`` bases may have (TSE-FRM-20..23).

    >>> legal_fronts("infantry", 6), legal_fronts("infantry", 2)
    ((2, 3), (1, 2))
    """
    if n <= 2:
        return tuple(range(1, n + 1))
    return tuple(f for f in range(_narrowest(troop_name), n) if ranks_by_front(n, f) is not None)


def ranks_fault(troop_name: str, n: int, sizes: Sequence[int]) -> str | None:
    """Return what is wrong with a maneuver column of ``n`` bases in ranks of ``sizes``; None if it is legal.

    The front rank comes first; shorter ranks may stand anywhere behind it (TSE-FRM-20, TSE-FRM-21).

    >>> ranks_fault("infantry", 4, (2, 1, 1))
    >>> ranks_fault("infantry", 4, (1, 3))
    '--ranks 1,3: no rank may be larger than the front rank'
    """
    option = f"--ranks {','.join(map(str, sizes))}"
    if not sizes or min(sizes) < 1 or sum(sizes) != n:
        such = ",".join(map(str, rank_splits(troop_name, n)[0]))
        return f"{option}: give the sizes of the ranks of {n} bases, the front rank first, such as {such}"
    if max(sizes) > sizes[0]:
        return f"{option}: no rank may be larger than the front rank"
    if max(sizes) - min(sizes) > 1:
        return f"{option}: no rank may be more than one smaller than another"
    if n > 2 and len(sizes) < 2:
        return f"{option}: a maneuver column is at least two deep"
    if n > 2 and sizes[0] < _narrowest(troop_name):
        return f"{option}: a maneuver column of {troop_name} is at least two wide"
    return None


def _narrowest(troop_name: str) -> int:
    """Return the least width of a front rank of three bases or more (TSE-FRM-21, TSE-FRM-23)."""
    return 1 if troop(troop_name).family == "artillery" else 2


@cache
def rank_splits(troop_name: str, n: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to divide ``n`` bases into the ranks of a maneuver column (TSE-FRM-20..23).

    Divisions with the short ranks last come first, widest first; for up to ten bases all others follow.

    >>> rank_splits("infantry", 4)
    ((2, 2), (2, 1, 1))
    >>> rank_splits("infantry", 5)
    ((3, 2), (2, 2, 1), (2, 1, 1, 1), (2, 1, 2))
    """
    if n <= 2:
        return ((1,),) if n == 1 else ((2,), (1, 1))
    usual, others = list[tuple[int, ...]](), list[tuple[int, ...]]()
    for deep in range(2, n + 1):
        front, short = -(-n // deep), -n % deep
        if front < _narrowest(troop_name):
            break
        usual.append((front,) * (deep - short) + (front - 1,) * short)
        for behind in combinations(range(1, deep), short) if n <= MOST_SPLIT else ():
            others.append(tuple(front - (k in behind) for k in range(deep)))
    return tuple(dict.fromkeys((*usual, *others)))


def layout_of(formation: str, n: int, size: tuple[float, float], ranks: Sequence[int] = (), gap: float = 0.0) -> Layout:
    """Return the layout of ``n`` bases of ``size`` (frontage, depth; table units) in a formation (TSE-FRM-01).

    ``ranks`` (front rank first) applies to a maneuver column, ``gap`` (behind each base) to both columns. Lines are
    straight and short ranks centred. Raises KeyError for an unknown formation.

    >>> layout_of("maneuver-column", 4, (1.0, 0.75), ranks=(2, 2)).front
    (0, 1)
    """
    w, d = size
    makers = {
        "deployed": lambda: line(n, w, d),
        "maneuver-column": lambda: column(ranks or (n,), w, d, gap),
        "march-column": lambda: file(n, w, d, gap),
        "square": lambda: square(n, w, d),
    }
    return makers[formation]()


def line_of(n: int, size: tuple[float, float], bend: Sequence[float] | None, reference: int) -> Layout:
    """Return the layout of a line of ``n`` bases of ``size``, each turned by its ``bend`` (TSE-FRM-10, TSE-FRM-11).

    ``bend`` gives the angle of each base to base ``reference`` in degrees, left to right; None for a straight line.

    >>> [slot.turn for slot in line_of(3, (1.0, 0.75), (-10.0, 0.0, 10.0), 1).slots]
    [-10.0, 0.0, 10.0]
    """
    return line(n, *size) if bend is None else bent_line(bend, *size, reference)


def limber_gap(troop_name: str, formation: str, depth: float, rulings: Mapping[str, Any]) -> float:
    """Return the room (table units) for limbers behind each base: a base's ``depth`` for limbered guns, else 0.

    Applies only under the ruling ``limber_gap`` (TSE-UNI-23).

    >>> ruled = {"limber_gap": True}
    >>> [limber_gap(troop_name, "march-column", 1.0, ruled) for troop_name in ("heavy-foot-artillery", "infantry")]
    [1.0, 0.0]
    """
    limbered = formation in LIMBERED and troop(troop_name).family == "artillery"
    return depth if limbered and rulings["limber_gap"] else 0.0
