"""Artillery fire as an action: judged for the same reasons as the question ``fire``, drawn, carried out."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.combat.odds import fire_result
from tabletop.rules.ages.combat.under_fire import expose
from tabletop.rules.ages.computer.unit_value import worth_of
from tabletop.rules.ages.fire.judge import (
    band_of,
    bands,
    basis_of_shot,
    die_bonus,
    guns_of,
    on_die,
    range_of,
    shot_reasons,
    some_shot,
)
from tabletop.rules.ages.morale import effects
from tabletop.rules.ages.tables import ARTILLERY, arm, profile_of
from tabletop.rules.ages.throws import in_results, throw
from tabletop.rules.ages.turn.phases import ARTILLERY_PHASE, phase_reasons
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Factor, Result


def judge_bombard(battle: Battle, action: Action) -> Verdict:
    """Return whether a battery may fire now: once a turn, at one unit (ROC-ART-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("to-the-last-millimetre"), "out-guns", "bombard")
    >>> judge_bombard(battle, Action("bombard", "prussian", "out-guns", "out")).because[0].rule
    'ROC-ART-05'
    """
    reasons = _turn_to_fire(battle, action)
    if all(reasons):
        reasons += shot_reasons(battle, battle.unit(str(action.unit)), battle.unit(str(action.target)))
    return ruled(battle, action, reasons)


def may_bombard(battle: Battle, action: Action) -> bool:
    """Return whether ``judge_bombard`` allows a shot, without searching for the shortest line (ROC-ART-01, ROC-ART-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("to-the-last-millimetre"), "near-guns", "bombard")
    >>> [may_bombard(battle, Action("bombard", "prussian", "near-guns", target)) for target in ("near", "out")]
    [True, False]
    """
    if not all(_turn_to_fire(battle, action)):
        return False
    return some_shot(battle, battle.unit(str(action.unit)), battle.unit(str(action.target))) is not None


def _turn_to_fire(battle: Battle, action: Action) -> list[Reason]:
    """Return the reasons for and against this unit firing at this kind of target now, wherever they stand."""
    reasons = phase_reasons(battle, action, ARTILLERY_PHASE)
    if not all(reasons):
        return reasons
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    fights = target.side != gun.side and not target.is_general
    return [
        *reasons,
        Reason("ROC-ART-01", arm(gun) == ARTILLERY, "only artillery fires in this phase"),
        either("ROC-ART-01", fights, "the target is an enemy that fights", "the target is no enemy that fights"),
    ]


def drawn(battle: Battle, gun: Unit, target: Unit, chance: Chance) -> str:
    """Draw the result of a shot: "Dd", "Dr" or "" (ROC-ART-03, ROC-ART-06).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> gun, target = battle.unit("near-guns"), battle.unit("near")
    >>> [drawn(battle, gun, target, ScriptedDice([die])) for die in range(1, 7)]
    ['', 'Dd', 'Dd', 'Dd', 'Dr', 'Dr']
    """
    band = band_of(battle, guns_of(gun), range_of(gun, target))
    assert band is not None, "the judge allowed the shot"
    bonus = die_bonus(target)
    number = throw(battle, chance, "artillery", in_results(battle, bonus)) + bonus
    return fire_result(profile_of(gun), guns_of(gun), band, number)


def bombard(unfolding: Unfolding, action: Action) -> None:
    """Fire; Dd and Dr act as in combat (ROC-ART-03), and the gun may not limber this turn (ROC-ART-09).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"), ScriptedDice([4]))
    >>> bombard(unfolding, Action("bombard", "french", "french-guns", "russian-1"))
    >>> unfolding.unit("russian-1").status
    'disrupted'
    """
    gun, target = unfolding.unit(str(action.unit)), unfolding.unit(str(action.target))
    code = drawn(unfolding.battle, gun, target, unfolding)
    unfolding.mark(gun.id, fired=target.id)
    record = {"range": range_of(gun, target), "die bonus": die_bonus(target), "result": code}
    unfolding.tell("fire", record, gun.id, target.id, ("ROC-ART-03",))
    expose(unfolding, target.id)
    effects.suffer(unfolding, code, (), target.id, gun.at)


def reckon(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a shot for one course of chance (ROC-ART-03).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> action = Action("bombard", "prussian", "near-guns", "near")
    >>> reckon(open_battle("to-the-last-millimetre"), action, ScriptedDice([5])).text
    'the defender is routed'
    """
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    code = drawn(battle, gun, target, chance)
    return worth_of(battle, code, (), target, action.side)


def factors(battle: Battle, action: Action) -> tuple[Factor, ...]:
    """Return the modifiers of a shot (ROC-ART-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> shot = factors(open_battle("drill-ground"), Action("bombard", "prussian", "horse-guns", "french-2"))
    >>> [(factor.name, factor.amount) for factor in shot]
    [('target in column', 1)]
    """
    return on_die(battle.unit(str(action.target)))


def basis(battle: Battle, action: Action) -> str:
    """Return where the table comes from that a shot is read from (ROC-ART-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> basis(open_battle("to-the-last-millimetre"), Action("bombard", "prussian", "far-guns", "far"))
    'source'
    """
    return basis_of_shot(battle.unit(str(action.unit)))


def rests_on(battle: Battle, action: Action) -> tuple[tuple[str, str], ...]:
    """Return the range of a shot and its band in words, with the rule (ROC-ART-03, ROC-ART-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> rests_on(open_battle("to-the-last-millimetre"), Action("bombard", "prussian", "far-guns", "far"))
    (('61 mm away: over 60 mm, up to 120 mm', 'ROC-ART-03'),)
    """
    gun, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    distance, edges, unit = range_of(gun, target), (0.0, *bands(profile_of(gun), guns_of(gun))), battle.table.unit
    band = band_of(battle, guns_of(gun), distance)
    if band is None:
        return ()
    over = f"over {edges[band]:g} {unit}, " if band else ""
    return ((f"{distance:.0f} {unit} away: {over}up to {edges[band + 1]:g} {unit}", "ROC-ART-03"),)
