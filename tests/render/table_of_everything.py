"""A table with one of every kind of terrain and of every state of a unit, and a verdict with a shape of every role."""

from __future__ import annotations

from typing import Any, get_args

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.terrain import Table, Terrain, presets
from tabletop.geometry.verdict import (
    Certainty,
    Dependency,
    Elsewhere,
    Margin,
    Reason,
    Role,
    Searched,
    Shape,
    SideView,
    Verdict,
)

#: Kinds that are drawn as lines; the rest are areas.
LINES = ("road", "track", "river", "stream", "ford", "bridge", "gate", "wall", "hedge", "cliff", "trench")
TROOPS = (
    "infantry",
    "light-cavalry",
    "heavy-cavalry",
    "heavy-foot-artillery",
    "light-foot-artillery",
    "horse-artillery",
    "transport",
)
STATUSES = ("ok", "disordered", "demoralized")


def terrain() -> list[Terrain]:
    """Return one piece of every kind, each in a cell of its own six units wide."""
    pieces = []
    for i, kind in enumerate(sorted(presets())):
        x, y = 6.0 * (i % 6), 6.0 * (i // 6)
        if kind in LINES:
            shape: dict[str, Any] = {"line": [(x + 1, y + 1), (x + 3, y + 2), (x + 5, y + 2)]}
        else:
            shape = {"outline": [(x + 1, y + 1), (x + 4, y + 0.5), (x + 5, y + 3), (x + 2, y + 4)]}
        pieces.append(Terrain.of_kind(f"the-{kind}", kind, name=f"The {kind}", **shape))
    return pieces


def line_of(id_: str, side: str, troop: str, x: float, y: float, count: int = 2, status: str = "ok") -> Unit:
    """Return a straight line of bases facing north, its left base at (x, y)."""
    bases: tuple[AnyBase, ...] = tuple(Base(x + i, y, 0.0, 1.0, 0.75) for i in range(count))
    name = f"{side.capitalize()} {troop} {status}"
    return Unit(id_, side, troop, bases, name, "deployed", 0.0, front_bases=tuple(range(count)), status=status)


def units() -> list[Unit]:
    """Return one unit of every kind of troops and every status on each of two sides, and a general of each rank."""
    found = []
    for row, side in enumerate(("french", "allied")):
        for i, troop in enumerate(TROOPS):
            found.append(line_of(f"{side}-{i}", side, troop, 2.0 + 5 * i, 26.0 + 4 * row, status=STATUSES[i % 3]))
        for j, rank in enumerate(("division", "corps", "army")):
            disc = (Disc(3.0 + 5 * j, 24.2 + 10 * row, 0.5),)
            found.append(Unit(f"{side}-{rank}", side, "general", disc, f"{side} {rank}", rank=rank))
    sides = [Base(30, 35, 0, 1, 1), Base(31, 35, 90, 1, 1), Base(31, 34, 180, 1, 1), Base(30, 34, 270, 1, 1)]
    found.append(Unit("square", "french", "infantry", tuple(sides), "The square", "square", front_bases=(0, 1, 2, 3)))
    return found


def battle() -> Battle:
    """Return the whole table."""
    table = Table.of("in", 40, 38, terrain())
    return Battle.of("tse", table, units(), {"thin_wood_transparent": False}, "A table of everything")


def verdict() -> Verdict:
    """Return a verdict with a line, an area and a point of every role, and every other field filled."""
    shapes = []
    for i, role in enumerate(get_args(Role)):
        x, y = 2.0 + 5 * (i % 7), 3.0 + 8 * (i // 7)
        ring = ((x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2))
        hole = ((x + 0.5, y + 0.5), (x + 1, y + 0.5), (x + 1, y + 1))
        shapes += [
            Shape(role, "polygon", ring, (hole,), f"{role} area"),
            Shape(role, "line", ((x, y), (x + 3, y + 3)), label=f"{role} 1.25"),
            Shape(role, "point", ((x + 3, y),), label=f"{role} point"),
        ]
    return Verdict(
        "los",
        ("french-0", "allied-1"),
        "tse",
        False,
        {"distance": None},
        because=(
            Reason(
                "TSE-LOS-01", False, "no line is clear", parts=(Reason("TSE-LOS-05", False, "the wood", 1.31, 0.0),)
            ),
            Reason("TSE-LOS-02", True, "both ends stand on the table"),
        ),
        blockers=("the-woods",),
        closeness=Margin(False, 0.04, shifted=Elsewhere("the-woods", (0.0, 0.04))),
        searched=Searched(2.0, 30.0, 2, 1),
        too_close=True,
        depends_on=(Dependency("thin_wood_transparent", True),),
        certainty=Certainty(False, 0.4, 400, 3, 1),
        shapes=tuple(shapes),
        side_view=side_view(),
    )


def side_view() -> SideView:
    """Return a section with a hill, an obstruction that blocks, one that does not, and two shadows."""
    return SideView(
        (2.0, 3.0),
        (14.0, 12.0),
        2,
        0,
        ground=((0.0, 2.0, 2), (2.0, 4.0, 1), (4.0, 15.0, 0)),
        obstructions=((6.0, 7.0, 0, "the-woods", True), (10.0, 10.5, 0, "the-building", False)),
        shadows=((7.0, 11.0, 0, "the-woods"), (10.5, 11.0, 0, "the-building")),
    )
