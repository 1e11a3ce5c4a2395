"""What rule sets share in answering ``los``: its two units, and the verdict made from a sight."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.line_of_sight import Sight
from tabletop.geometry.verdict import Reason, Shape, SideView, Verdict
from tabletop.rules.rule_set import Request


def ends_of(battle: Battle, request: Request) -> tuple[Unit, Unit]:
    """Return the units at both ends of ``los A B``; BadQuestion if they are the same.

    >>> from tabletop.play.files.opened import open_battle
    >>> a, b = ends_of(open_battle("starter"), Request("los", ("arnaud", "auer")))
    >>> a.id, b.id
    ('arnaud', 'auer')
    """
    a, b = (battle.unit(name) for name in request.args)
    if a.id == b.id:
        raise BadQuestion(f"'{a.id}' looking at itself is no question; name two units")
    return a, b


def seen_or_not(
    battle: Battle,
    request: Request,
    sight: Sight,
    because: tuple[Reason, ...],
    shapes: Iterable[Shape],
    side_view: SideView | None = None,
) -> Verdict:
    """Return the verdict on a sight: the witness is the shortest clear line; without one the blockers are what hides.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.geometry import SightLaw, shortest_clear_line
    >>> battle = open_battle("level-shadow")
    >>> guns, middle = battle.unit("low-guns"), battle.unit("middle")
    >>> sight = shortest_clear_line(battle.table, guns.footprint, middle.footprint, SightLaw())
    >>> seen_or_not(battle, Request("los", ("low-guns", "middle")), sight, (), ()).blockers
    ('wood',)
    """
    return Verdict(
        "los",
        request.args,
        battle.rules,
        sight.seen,
        {"distance": sight.distance},
        because,
        witness=sight.line,
        blockers=sight.blockers,
        options=request.options,
        shapes=tuple(shapes),
        side_view=side_view,
    )
