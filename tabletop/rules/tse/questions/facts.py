"""Single facts of an answer, without its proof, as needed by a margin for one placement after another.

Each equals what ``attributes`` reads from the full answer and uses the same functions; facts that are not wanted are
not computed. The modules that answer a question are imported when it is asked.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Facts, Request
from tabletop.rules.tse.questions.attributes import of_fall_back as read_fall_back

#: The name of the fact from which "deviation" follows; costs that differ by less than this count as equal.
LEG, ALIKE = "leg", 1e-6


def of_fire(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit may fire, the range band and the target's cover (TSE-FIR-04, TSE-COV-07).

    Band and cover are those of a shot in range, even if the unit's troops or state forbid the shot.

    >>> from tabletop.play.files.opened import open_battle
    >>> of_fire(open_battle("starter"), Request("fire", ("kessler-guns", "daumas")), ("holds", "band")).values
    {'holds': True, 'band': '6-9'}
    """
    from tabletop.rules.tse.fire.judge import fire, line_whoever_fires
    from tabletop.rules.tse.fire.shot import band_by
    from tabletop.rules.tse.fire.weaker_cover import class_of_fire_cover

    answer, shifted = fire(battle, request), request.options.get("shifted")
    facts: dict[str, Any] = {"holds": answer.holds}
    firer, target = (battle.unit(name) for name in request.args)
    shot = answer.witness if answer.holds else line_whoever_fires(battle, request)
    if shot is not None:
        line = shot[0], shot[-1]
        if "band" in wanted:
            facts["band"] = band_by(battle, firer, target, target.footprint, line)
        if "cover" in wanted:
            facts["cover"] = class_of_fire_cover(battle, target, firer, _lines(request), shifted)[0]
    return Facts(facts, shot)


def of_cover(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return the class of cover, and whether there is any (TSE-COV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> of_cover(open_battle("starter"), Request("cover", ("auer",), {"from": "morel-guns"}), ("holds", "cover")).values
    {'holds': False, 'cover': 'none'}
    """
    from tabletop.rules.tse.fire.cover import NONE
    from tabletop.rules.tse.fire.judge_cover import cover
    from tabletop.rules.tse.fire.weaker_cover import class_of_fire_cover

    if request.options.get("assault"):
        answer = cover(battle, request)
        return Facts({"holds": answer.holds, **answer.measured}, answer.witness)
    unit, attacker = battle.unit(request.args[0]), battle.unit(str(request.options["from"]))
    name, line = class_of_fire_cover(battle, unit, attacker, _lines(request), request.options.get("shifted"))
    return Facts({"holds": name != NONE, "cover": name}, None if line is None else tuple(line))


def of_assault(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit may assault, whether frontally, cover, supported guns, reach (TSE-ASL-05, -08).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("assault", ("west-column", "west-line"))
    >>> of_assault(open_battle("front-or-flank"), request, ("holds", "frontal")).values
    {'holds': True, 'frontal': True}
    """
    from tabletop.rules.tse.assault.judge import assault

    facts: dict[str, Any] = {}
    line = None
    if "holds" in wanted:
        answer = assault(battle, request)
        facts, line = {"holds": answer.holds}, answer.witness
    unit, target = (battle.unit(name) for name in request.args)
    if not target.is_general:
        facts |= _of_path(battle, unit, target, bool(request.options.get("delayed")), wanted)
    return Facts(facts, line)


def _of_path(battle: Battle, unit: Unit, target: Unit, delayed: bool, wanted: Collection[str]) -> dict[str, Any]:
    """Return the facts that depend on the path the assaulter would choose, and whether guns are supported."""
    from tabletop.rules.tse.assault.judge import Assault, assaultable, chosen_assault
    from tabletop.rules.tse.assault.path import paths_to
    from tabletop.rules.tse.assault.support import support_reason
    from tabletop.rules.tse.fire.cover import path_cover

    facts: dict[str, Any] = {}
    if {"frontal", "cover", "in_reach"} & set(wanted):
        paths = paths_to(unit, target)
        alone = len(paths) == 1
        assault = Assault(battle, unit, target, paths[0], delayed)
        assault = assault if alone else chosen_assault(battle, unit, target, delayed)[0]
        if "frontal" in wanted:
            facts["frontal"] = assault.frontal
        if "cover" in wanted:
            facts["cover"] = path_cover(battle, target, (assault.path.start, assault.path.end)).name
        if "in_reach" in wanted and assault.reach is not None:
            facts["in_reach"] = battle.tape.at_most(assault.price.total, assault.reach)
    if "supported" in wanted:
        reason, _ = support_reason(battle, target, lambda other: assaultable(battle, unit, other, delayed))
        facts |= {"supported": not reason.holds} if reason.rule == "TSE-ASL-40" else {}
    return facts


def of_breakthrough(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit may break through, and whether guns are supported (TSE-ASL-70, TSE-ASL-71, TSE-ASL-40).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("breakthrough", ("west-column", "east-line"), {"after": "west-line"})
    >>> of_breakthrough(open_battle("front-or-flank"), request, ("holds",)).values
    {'holds': False}
    """
    from tabletop.rules.tse.assault.judge_breakthrough import breakthrough_facts

    return Facts(breakthrough_facts(battle, request, wanted))


def of_move(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit may make this move, and whether the cost is within its budget (TSE-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> of_move(open_battle("starter"), Request("move", ("arnaud",), {"path": [(8.4, 9.0)]}), ("holds",)).values
    {'holds': True}
    """
    from tabletop.rules.tse.movement.judge import is_paid, move, planned
    from tabletop.rules.tse.movement.legality import judged, within_budget
    from tabletop.rules.tse.movement.motion import FORMING, action_of

    unit = battle.unit(request.args[0])
    name = request.options.get("as") or ("general" if unit.is_general else "maneuver")
    if name in FORMING or "in_budget" not in wanted:
        return Facts({"holds": move(battle, request).holds})
    action = action_of(unit, name, bool(request.options.get("delayed")))
    if "holds" not in wanted:
        return Facts({"in_budget": is_paid(battle, unit, action, request)})
    plan, planned_request = planned(battle, unit, action, request)
    return Facts({"in_budget": within_budget(plan), "holds": judged(plan, planned_request).holds})


def of_fall_back(battle: Battle, request: Request, wanted: Collection[str]) -> Facts:
    """Return whether the unit can fall back, surrenders, and to which side it deviates (TSE-INV-06, TSE-INV-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> request = Request("fallback", ("arnaud",), {"from": "auer", "distance": 3.0})
    >>> of_fall_back(open_battle("starter"), request, ("holds",)).values
    {'holds': True, 'surrender': False}
    """
    from tabletop.rules.tse.morale.fall_back import fallback, made_or_surrenders, roughly

    if not {"deviation", LEG} & set(wanted):
        if "surrender" in wanted:
            verdict, surrender = made_or_surrenders(battle, request, "holds" not in wanted)
            facts = {} if verdict is None else {"holds": verdict.holds}
            return Facts({**facts, "surrender": surrender}, None if verdict is None else verdict.witness)
        answer = fallback(battle, request)
        return Facts({"holds": answer.holds, **({"surrender": False} if answer.holds else {})}, answer.witness)
    answer = roughly(battle, request, LEG in wanted)
    leg = {LEG: _leg(request, answer)} if LEG in wanted else {}
    return Facts({"holds": answer.holds, **read_fall_back(answer), **leg}, answer.witness)


def _leg(request: Request, answer: Verdict) -> float | None:
    """Return by how much the straight path found deviates from the wanted direction; None for any other path.

    It is the least deviation at which a straight path of exactly the distance is legal, so more obstacles can only make
    it larger. Two placements of a thing with the same value rule out smaller deviations for those between (TSE-INV-06).
    """
    if not answer.holds or len(answer.witness or ()) != 2:
        return None
    measured, distance = answer.measured, float(request.options["distance"])
    return None if measured["cost"] > distance + ALIKE else round(measured["deviation"], 5)


def _lines(request: Request) -> tuple[Any, ...]:
    """Return the lines that proved similar answers."""
    return tuple(request.options.get("hints", ()))
