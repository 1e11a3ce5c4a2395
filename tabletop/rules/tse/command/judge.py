"""Command: is a friendly general near enough to help a unit's orders?"""

from __future__ import annotations

import math

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.by_place import place_of
from tabletop.rules.common.distance import nearest_between
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.tables import length

RULE = "TSE-ORD-03"


def command(battle: Battle, request: Request) -> Verdict:
    """Answer ``command A``: whether a friendly general is within 6 in, from his base's edge to A's nearest point.

    Any general of the side counts, whatever his rank or command (TSE-ORD-03, TSE-LDR-02, TSE-LDR-03). Raises
    BadQuestion for a general.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("general-at-six-inches")
    >>> [command(battle, Request("command", (name,))).holds for name in ("kempt", "pack")]
    [True, False]
    """
    unit = battle.unit(request.args[0])
    if unit.is_general:
        raise BadQuestion(f"'{unit.id}' is a general, who needs no orders; ask 'command' for a unit")
    limit = length("command") * battle.scale
    nearest = nearest_general(battle, unit)
    if nearest is None:
        text = f"{unit.side} has no general on the table; any general of the side would count"
        reason = Reason(RULE, False, text, None, limit)
        return Verdict(
            "command", request.args, battle.rules, False, {"distance": None, "general": None}, (reason,),
            options=request.options,
        )  # fmt: skip
    general, gap = nearest
    holds = battle.tape.at_most(gap, limit)
    tape = nearest_between(general, unit)
    text = f"{general.called} is {gap:.2f} from {unit.called}; any general of the side helps within {limit:g}"
    return Verdict(
        "command",
        request.args,
        battle.rules,
        holds,
        {"distance": gap, "general": general.id},
        (Reason(RULE, holds, text, gap, limit, general.id),),
        witness=tape if holds else None,
        options=request.options,
        shapes=(line_shape("tape", tape, f"{math.dist(*tape):.2f}"),),
    )


def nearest_general(battle: Battle, unit: Unit) -> tuple[Unit, float] | None:
    """Return the nearest general of the unit's side and his distance in table units; None without any (TSE-ORD-03).

    If several are equally near, the first by place is returned.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("general-at-six-inches")
    >>> general, gap = nearest_general(battle, battle.unit("pack"))
    >>> general.id, round(gap, 2)
    ('picton', 6.01)
    """
    generals = (u for u in battle.units if u.is_general and u.side == unit.side)
    distances = [(distance_between(unit, general), place_of(battle, general), general) for general in generals]
    if not distances:
        return None
    gap, _, general = min(distances, key=lambda entry: entry[:2])
    return general, gap
