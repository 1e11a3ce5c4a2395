"""The sequence of phases: rally and rout, and the end of each phase, of a turn and of the battle."""

from __future__ import annotations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.ages.combat import under_fire
from tabletop.rules.ages.combat.judge import duties, must_fight
from tabletop.rules.ages.combat.pursuit import continue_pursuit
from tabletop.rules.ages.command.generals import general_help
from tabletop.rules.ages.fire.judge import band_of, guns_of, range_of, some_shot
from tabletop.rules.ages.morale import crisis, edges
from tabletop.rules.ages.morale.effects import disrupt, fall_back_from, lost_from_the_board
from tabletop.rules.ages.morale.falling_back import retiring
from tabletop.rules.ages.morale.rout import run
from tabletop.rules.ages.morale.serving import serve_again
from tabletop.rules.ages.morale.status import DISRUPTED, OF_A_TURN, OK, ROUTING, abandoned, just_taken, organised
from tabletop.rules.ages.movement.contacts import contacts_last
from tabletop.rules.ages.movement.layouts import UNLIMBERED
from tabletop.rules.ages.movement.squares import squares_before
from tabletop.rules.ages.sight import mist
from tabletop.rules.ages.tables import ARTILLERY, arm, profile_of, row, tables
from tabletop.rules.ages.throws import throw
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.phases import (
    ARTILLERY_PHASE,
    COMBAT_PHASE,
    MOVEMENT_PHASE,
    RALLY_PHASE,
    fighters,
)
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common import modules
from tabletop.rules.common.player_turns import Phase, PlayerTurns, to_move
from tabletop.rules.common.ruled import ruled


def begin(unfolding: Unfolding) -> None:
    """Open the first turn; the first side of the setup always goes first (ROC-SEQ-01, AGE-SEQ-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("drill-ground")))
    >>> unfolding.battle.clock.turn, unfolding.battle.clock.side, unfolding.battle.clock.phase
    (1, 'french', 'rally')
    """
    edges.settle(unfolding)
    losses.enrol(unfolding, unfolding.battle.units)
    modules.begin(unfolding)
    TURNS.start(unfolding)


def _open(unfolding: Unfolding) -> None:
    """Open a player turn, deducting what was used of this move last turn (ROC-SEQ-01, AGE-SEQ-01)."""
    side = to_move(unfolding.battle)
    if side == unfolding.battle.setup.sides[0]:
        mist.drift(unfolding)
    serve_again(unfolding, side)
    for unit in unfolding.battle.side(side):
        debt = unit.marks.get("debt")
        stale = {"retreating": None} if unit.marks.get("retreating") else {}
        if debt or stale:
            unfolding.mark(unit.id, debt=None, spent=debt or None, **stale)


def advance(unfolding: Unfolding) -> bool:
    """Carry out the next step that needs no decision; return False when the side to move must act (ROC-SEQ-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("drill-ground")))
    >>> advance(unfolding), unfolding.battle.clock.phase, advance(unfolding)
    (True, 'artillery', False)
    """
    return TURNS.advance(unfolding)


# --- rally -----------------------------------------------------------------------------------------------------------


def _rally(unfolding: Unfolding) -> None:
    """Throw for routing units, then for disrupted ones, each in their order; then test pursuers (AGE-SEQ-03).

    Routs come first, so that units run through by routing friends are disrupted before any unit rallies. A unit that
    stops routing stays disrupted this turn and does not rally at once, unless so ruled (ROC-RAL-01).
    """
    side, late = to_move(unfolding.battle), str(unfolding.battle.rulings["rally_at_once"])
    before = [u.id for u in fighters(unfolding.battle, side) if u.status == DISRUPTED]
    halted = [u.id for u in fighters(unfolding.battle, side) if u.status == ROUTING and _stop(unfolding, u.id)]
    for unit in fighters(unfolding.battle, side):
        barred = {"run-through": unit.id in halted, "nobody": unit.id not in before, "everybody": False}[late]
        if unit.status == DISRUPTED and not barred:
            _reorganise(unfolding, unit.id)
    for unit in fighters(unfolding.battle, side):
        if unfolding.battle.has(unit.id) and unfolding.unit(unit.id).marks.get("pursuing"):
            continue_pursuit(unfolding, unit.id)
    for unit in unfolding.battle.side(side):
        if unit.marks.get("exposed"):
            unfolding.mark(unit.id, exposed=None)


def rally_throw(unfolding: Unfolding, unit: Unit, what: str, needs: int) -> bool:
    """Throw once, adding the help of a general who is present; return whether it reaches ``needs`` (ROC-RAL-04).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"), ScriptedDice([5, 4]))
    >>> [rally_throw(unfolding, unfolding.unit("french-1"), "rally", 5) for _ in range(2)]
    [True, False]
    """
    alone = what == "halt" and unfolding.battle.rulings["halt_needs"] == "natural"
    if not alone:
        under_fire.before_rally(unfolding, unit)
    help_ = 0 if alone else general_help(unfolding.battle, unit)
    face = throw(unfolding.battle, unfolding, what, [needs - help_])
    rules = ("ROC-RAL-01",) if what == "halt" else ("ROC-RAL-03",)
    unfolding.tell(
        what, {"die": face, "general": help_, "needs": needs, "done": face + help_ >= needs}, unit.id, None, rules
    )
    return face + help_ >= needs


def _stop(unfolding: Unfolding, name: str) -> bool:
    """Throw for a routing unit to stop; else it runs on. Return whether it stopped (ROC-RAL-01, ROC-RAL-02)."""
    unit = unfolding.unit(name)
    stops = rally_throw(unfolding, unit, "halt", int(tables(unit)["rally"]["rout"]))
    if stops:
        unfolding.happen(Changed(name, status=DISRUPTED))
    else:
        run(unfolding, name, disrupt, lost_from_the_board)
    return stops


def _reorganise(unfolding: Unfolding, name: str) -> None:
    """Bring a disrupted unit back to order if the throw reaches its rally value (ROC-RAL-03)."""
    unit = unfolding.unit(name)
    if rally_throw(unfolding, unit, "rally", row(unit).rally):
        unfolding.happen(Changed(name, status=OK, marks={"retiring": None} if unit.marks.get("retiring") else {}))


# --- artillery, movement ---------------------------------------------------------------------------------------------


def _artillery(unfolding: Unfolding) -> bool:
    """Return whether a gun still has a target (ROC-ART-01)."""
    return any(has_a_shot(unfolding.battle, gun) for gun in ready_guns(unfolding.battle))


def _open_movement(unfolding: Unfolding) -> None:
    """Begin the movement phase: squares against cavalry, then units that retire (AGE-MOV-03, AGE-RES-09)."""
    side = to_move(unfolding.battle)
    squares_before(unfolding, side)
    for unit in in_sequence(unfolding.battle, retiring(unfolding.battle, side)):
        fall_back_from(unfolding, unit.id, retires=False)
        unfolding.mark(unit.id, moved=True, spent=1.0)


def ready_guns(battle: Battle) -> list[Unit]:
    """Return the batteries of the side to move that could fire now at a target in range and sight (ROC-ART-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("drill-ground")))
    >>> [gun.id for gun in ready_guns(unfolding.battle)]
    ['french-guns']
    """
    return [
        u
        for u in fighters(battle, to_move(battle))
        if arm(u) == ARTILLERY
        and organised(u)
        and u.formation == UNLIMBERED
        and not u.marks.get("fired")
        and not just_taken(battle, u)
        and not abandoned(u)
    ]


def shots(battle: Battle, gun: Unit) -> tuple[Unit, ...]:
    """Return the enemies a battery can fire at, cached on the battle (ROC-ART-05, ROC-ART-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> [[enemy.id for enemy in shots(battle, battle.unit(gun))] for gun in ("near-guns", "out-guns")]
    [['near'], []]
    """
    cache: dict[str, tuple[Unit, ...]] = vars(battle).setdefault("_shots", {})
    if gun.id not in cache:
        near = in_sequence(battle, _in_range(battle, gun))
        cache[gun.id] = tuple(e for e in near if some_shot(battle, gun, e) is not None)
    return cache[gun.id]


def has_a_shot(battle: Battle, gun: Unit) -> bool:
    """Return whether a battery can fire at some enemy, without looking for the others (ROC-ART-05, ROC-ART-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("to-the-last-millimetre")
    >>> [has_a_shot(battle, battle.unit(gun)) for gun in ("near-guns", "out-guns")]
    [True, False]
    """
    known: dict[str, tuple[Unit, ...]] = vars(battle).get("_shots", {})
    if gun.id in known:
        return bool(known[gun.id])
    near = sorted(_in_range(battle, gun), key=lambda enemy: range_of(gun, enemy))
    return any(some_shot(battle, gun, enemy) is not None for enemy in near)


def _in_range(battle: Battle, gun: Unit) -> list[Unit]:
    return [e for e in battle.enemies(gun) if band_of(battle, guns_of(gun), range_of(gun, e)) is not None]


def _movement(unfolding: Unfolding) -> bool:
    """Let friends who have come to abandoned guns serve them; return True, as the side ends its movement itself.

    Source: ROC-MOV-01, SQP-TST-08.
    """
    serve_again(unfolding, to_move(unfolding.battle))
    return True


def judge_done(battle: Battle, action: Action) -> Verdict:
    """Return whether a side may end its phase: artillery and movement, but not while combat is compulsory (ROC-CBT-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "french-1", "combat")
    >>> judge_done(battle, Action("done", "french")).because[0].text
    'combat is compulsory: French battalion must first attack Prussian battalion'
    """
    phase = battle.clock.phase
    reasons = [
        Reason(
            "ROC-SEQ-01", phase in (ARTILLERY_PHASE, MOVEMENT_PHASE), f"the {phase} phase ends when its side says so"
        )
    ]
    if phase == COMBAT_PHASE:
        duty = next(iter(must_fight(battle, action.side).items()), None)
        reasons = [Reason("ROC-CBT-01", duty is None, "nobody must fight" if duty is None else _duty(battle, *duty))]
    return ruled(battle, action, reasons)


def _duty(battle: Battle, name: str, enemies: tuple[str, ...]) -> str:
    """Return the reason against ending the phase: whom a unit must attack before (ROC-CBT-01)."""
    whom = " or ".join(map(battle.called, enemies))
    return f"combat is compulsory: {battle.called(name)} must first attack {whom}"


def done(unfolding: Unfolding, action: Action) -> None:
    """End the artillery or movement phase, or the combat phase if no unit must fight (ROC-SEQ-01, ROC-CBT-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> unfolding = Unfolding(in_turn(open_battle("drill-ground"), "french-1", "move"))
    >>> done(unfolding, Action("done", "french"))
    >>> unfolding.battle.clock.phase
    'combat'
    """
    TURNS.done(unfolding)


# --- combat, and the end of the turn ---------------------------------------------------------------------------------


def _combat(unfolding: Unfolding) -> bool:
    """Return whether a unit is left that may fight (ROC-CBT-01)."""
    return bool(duties(unfolding.battle, to_move(unfolding.battle)))


def _close(unfolding: Unfolding) -> None:
    """End a player turn, and the battle if it is decided (ROC-SEQ-01, AGE-SEQ-01).

    The crisis of morale closes each move (AGE-SEQ-04, AGE-CRI-05, SQP-TST-01).
    """
    battle = unfolding.battle
    side = to_move(battle)
    contacts_last(unfolding)
    for unit in battle.units:
        _clean(unfolding, unit, unit.side == side)
    crisis.close_the_move(unfolding)
    if not modules.over(unfolding, crisis.HOST):
        profile_of(battle).settled(unfolding)


def _clean(unfolding: Unfolding, unit: Unit, active: bool) -> None:
    """Remove the marks of the player turn; an overspent move becomes a debt on the next one (ROC-FRM-01)."""
    over = float(unit.marks.get("spent", 0.0)) - 1.0 if active else 0.0
    stale = {key: None for key in OF_A_TURN if key in unit.marks and (active or key == "fought")}
    owed = {"debt": over} if over > 1e-9 else {}
    if stale or owed:
        unfolding.mark(unit.id, **stale, **owed)


#: The sequence of a player turn (ROC-SEQ-01, AGE-SEQ-01).
TURNS = PlayerTurns(
    (
        Phase(RALLY_PHASE, end=_rally),
        Phase(ARTILLERY_PHASE, _artillery),
        Phase(MOVEMENT_PHASE, _movement, begin=_open_movement, end=contacts_last),
        Phase(COMBAT_PHASE, _combat),
    ),
    begin=_open,
    end=_close,
    rules=("ROC-SEQ-01",),
)
