"""The questions ``move`` and ``reach``: may a unit move there, at what cost, and what ground can it reach?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import ghosts, rings, shapes_of
from tabletop.geometry.verdict import Reason, Verdict, features_of
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.movement.formation import LINES, assume, forming_faults
from tabletop.rules.tse.movement.legality import better, judged, within_budget
from tabletop.rules.tse.movement.motion import (
    FORMING,
    Action,
    PlannedMove,
    action_of,
    allowance,
    along,
    either_hand,
    forming_options,
)
from tabletop.rules.tse.tables import move_source


def move(battle: Battle, request: Request) -> Verdict:
    """Answer ``move A``: whether A may make this move, and at what cost (TSE-MOV-01..23).

    Options: ``path`` (waypoints of the middle of the front, table units; ``pivots`` says what it turns on at each: the
    "middle" by default, or the "left" or "right" corner) or ``to`` (the cheapest way there), ``facing`` (degrees) at
    the end, ``as`` an action; ``front``, ``ranks``, ``align`` and ``head`` of the formation it assumes. ``deploy`` and
    ``square`` take ``ref``, ``place``, ``shift``, ``facing``, ``bend`` and no path. ``delayed`` orders halve the
    allowance (TSE-ORD-05, TSE-ACT-12). Raises BadQuestion if no destination or facing is given.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = move(open_battle("starter"), Request("move", ("arnaud",), {"path": [(8.4, 9.0)]}))
    >>> verdict.holds, round(verdict.measured["cost"], 2), verdict.measured["allowed"]
    (True, 2.32, 6.0)
    """
    unit = battle.unit(request.args[0])
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    _check_shape(name, request.options)
    if name in FORMING:
        return _formed(battle, unit, FORMING[name], request)
    return judged(*planned(battle, unit, action_of(unit, name, bool(request.options.get("delayed"))), request))


#: The options that shape one kind of formation only, and the actions that take them.
_OF_ACTIONS = {"place": ("deploy", "square"), "bend": ("deploy",), "ranks": ("maneuver",), "shift": ("deploy",)}


def _check_shape(name: str, options: Mapping[str, Any]) -> None:
    """Refuse an option that this action would ignore."""
    for option, actions in _OF_ACTIONS.items():
        if options.get(option) is not None and name not in actions:
            raise BadQuestion(f"--{option} is for --as {' or '.join(actions)}, not {name}; leave it out")


def planned(battle: Battle, unit: Unit, action: Action, request: Request) -> tuple[PlannedMove, Request]:
    """Return the planned move of a request, and the request with its path; for ``to``, the cheapest path found.

    Points are in table units (TSE-MOV-01, TSE-MOV-04). Raises BadQuestion if no destination or facing is given.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> request = Request("move", ("arnaud",), {"to": (8.4, 9.0)})
    >>> plan, request = planned(battle, unit, action_of(unit, "maneuver"), request)
    >>> len(request.options["path"])
    1
    """
    hands, request = _either_hand(battle, unit, action, request)
    return (min(hands, key=better) if len(hands) > 1 else hands[0]), request


def is_paid(battle: Battle, unit: Unit, action: Action, request: Request) -> bool:
    """Return whether the cost of the planned move is within the base move (TSE-MOV-01).

    The direction of a half turn is chosen only if it makes a difference. Raises BadQuestion as ``planned`` does.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.tse.movement.motion import action_of
    >>> battle = open_battle("starter")
    >>> unit = battle.unit("arnaud")
    >>> maneuver = action_of(unit, "maneuver")
    >>> [is_paid(battle, unit, maneuver, Request("move", ("arnaud",), {"path": [(8.4, y)]})) for y in (9.0, 15.0)]
    [True, False]
    """
    hands, _ = _either_hand(battle, unit, action, request)
    verdicts = {within_budget(plan) for plan in hands}
    return verdicts.pop() if len(verdicts) == 1 else within_budget(min(hands, key=better))


def _either_hand(
    battle: Battle, unit: Unit, action: Action, request: Request
) -> tuple[tuple[PlannedMove, ...], Request]:
    """Return the moves of a request, one for each direction of its half turns, and the request with its path."""
    path, facing = request.options.get("path"), request.options.get("facing")
    if request.options.get("to") is not None:
        from tabletop.rules.tse.movement.route import cheapest_move

        plan, path = cheapest_move(battle, unit, action, request)
        return (plan,), replace(request, options={**request.options, "path": path})
    if path is None and facing is None:
        raise BadQuestion(f"where shall '{unit.id}' move? give --to X,Y or --path X,Y X,Y ... (or --facing F)")
    pivots = tuple(request.options.get("pivots") or ())
    plan = along(battle, unit, action, tuple(path or ()), facing, pivots=pivots, **forming_options(request.options))
    return either_hand(plan), request


def _formed(battle: Battle, unit: Unit, formation: str, request: Request) -> Verdict:
    """Answer a move that only changes formation: deploy, square (TSE-ACT-10, TSE-ACT-11, TSE-ACT-30)."""
    wanted = {name: request.options[name] for name in LINES if request.options.get(name) is not None}
    if request.options.get("path") or request.options.get("to"):
        raise BadQuestion(f"--as {request.options['as']} goes no way: give --ref N --place K --shift X,Y --facing F")
    after = assume(battle, unit, formation, **wanted)
    status = [Reason("TSE-ACT-91", False, "a demoralized unit may only regroup")] * (unit.status == "demoralized")
    late = bool(request.options.get("delayed"))
    against = (*status, *forming_faults(battle, unit, after, ref=wanted.get("ref", unit.reference), delayed=late))
    good = Reason("TSE-FRM-07", True, f"{unit.called} can form here")
    path = [list(unit.front_mid), list(after.front_mid)]
    return Verdict(
        "move",
        request.args,
        battle.rules,
        not against,
        {
            "cost": 0.0,
            "allowed": 0.0,
            "path": path,
            "at": list(after.at),
            "facing": after.facing,
            "after": pose_of(after),
        },
        against or (good,),
        witness=None if against else tuple(tuple(p) for p in path),  # type: ignore[misc]
        blockers=features_of(against),
        options=request.options,
        shapes=ghosts(after.bases),
    )


def reach(battle: Battle, request: Request) -> Verdict:
    """Answer ``reach A``: the ground where the middle of A's front (a general's centre) can end (TSE-MOV-01..18).

    It is an inner approximation, with outlines in table units: a legal move leads to every point of it. The option
    ``should_stop`` (a callable) is polled; once it returns True, the ground known so far is returned.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = reach(open_battle("level-shadow"), Request("reach", ("middle",), {"should_stop": lambda: True}))
    >>> verdict.holds, len(verdict.measured["area"]) > 0
    (True, True)
    """
    from tabletop.geometry.movement.reach import reach as ground_in_reach
    from tabletop.rules.tse.movement.reach import setting_of

    unit = battle.unit(request.args[0])
    first_alone = bool(request.options.get("first"))  # only what is reached without turning again
    should_stop: Callable[[], bool] = request.options.get("should_stop") or (lambda: False)
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    action = action_of(unit, name, bool(request.options.get("delayed")))
    area = ground_in_reach(
        setting_of(battle, unit, action, **forming_options(request.options)), lambda: first_alone or should_stop()
    )
    size = float(area.area)
    polygons = [rings(p) for p in shapely.get_parts(area)] if size else []
    allowed = allowance(battle, unit, action)
    ours = " (a reconstructed base move)" if move_source(action.name) == "reconstruction" else ""
    text = f"{size:.1f} square {battle.table.unit} of ground can be reached with a move of {allowed:g}{ours}"
    return Verdict(
        "reach",
        request.args,
        battle.rules,
        True,
        {"area": polygons, "size": size, "allowed": allowed},
        (Reason("TSE-MOV-01", True, text, size),),
        options=request.options,
        shapes=shapes_of("reach", area, unit.called) if size else (),
    )
