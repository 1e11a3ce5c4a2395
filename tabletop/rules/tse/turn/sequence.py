"""The turn: initiative, divisions acting by turns, and the end of the turn (TSE-TRN)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked, Remembered
from tabletop.battle.progress import Clock, Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import ActionKind
from tabletop.rules.tse.calculator.model import initiative_odds
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.turn import victory
from tabletop.rules.tse.turn.action_options import check_options

#: Phases of the clock: initiative is drawn; a side chooses a group; the group's units act one by one.
INITIATIVE, CHOOSING, ACTING = "initiative", "choosing", "acting"
#: How initiatives may alternate (scenario option "initiative"): by division (the default); drawn before each
#: division; by single units; drawn before each single unit.
SCHEMES = ("division", "chaotic", "unit", "chaotic-unit")
#: The choices of the side that wins the initiative (TSE-TRN-02).
FIRST, SECOND = "first", "second"
#: Marks that a unit loses at the end of the turn.
TURN_MARKS = ("acted", "lost_orders", "may_fire", "moved_far")
#: Prefix of the notes kept for one turn only.
TURN_NOTES = "turn:"


def attacker(battle: Battle) -> str:
    """Return the side that the scenario makes the attacker, for the whole battle (TSE-TRN-01)."""
    return battle.setup.attacker or battle.setup.sides[0]


def scheme(battle: Battle) -> str:
    """Return how initiatives alternate, one of ``SCHEMES`` (TSE-TRN-03, TSE-TRN-10, TSE-TRN-11)."""
    return str(battle.setup.options.get("initiative", SCHEMES[0]))


def chaotic(battle: Battle) -> bool:
    """Return whether initiative is drawn before every group (TSE-TRN-10)."""
    return scheme(battle).startswith("chaotic")


def single(battle: Battle) -> bool:
    """Return whether an initiative is one unit or one general (TSE-TRN-11)."""
    return scheme(battle).endswith("unit")


# --- groups ----------------------------------------------------------------------------------------------------------


def group_of(battle: Battle, unit: Unit) -> str:
    """Return the group a unit acts with: division or corps troops; itself if single units alternate (TSE-TRN-03).

    A general belongs to the group named by his own id; a side's units without a parent form one group.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> group_of(battle, battle.unit("arnaud")), group_of(battle, battle.unit("esnault"))
    ('morel', 'lambert')
    """
    if single(battle) or unit.is_general:
        return unit.id
    return unit.parent or f"{unit.side} troops"


def due(battle: Battle) -> Iterable[Unit]:
    """Return the awaited units that may now come on to the table (TSE-ACT-80)."""
    now = {name for a in battle.arrivals if a.turn <= battle.clock.turn for name in a.units}
    return (unit for unit in battle.awaited if unit.id in now)


def idle(battle: Battle, side: str, group: str | None = None) -> tuple[Unit, ...]:
    """Return the units and generals of a side, or of one of its groups, that have not acted this turn (TSE-TRN-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> len(idle(open_battle("starter"), "french"))
    10
    """
    waiting = [u for u in (*battle.units, *due(battle)) if u.side == side and not u.marks.get("acted")]
    return tuple(u for u in waiting if group is None or group_of(battle, u) == group)


def groups(battle: Battle) -> tuple[str, ...]:
    """Return the groups the side to move may choose: those with a unit that has not acted (TSE-TRN-05, TSE-TRN-08).

    >>> from tabletop.play.files.opened import open_battle
    >>> groups(open_battle("starter"))
    ()
    """
    side = battle.clock.side
    if side is None or battle.clock.phase != CHOOSING:
        return ()
    return tuple(sorted({group_of(battle, unit) for unit in idle(battle, side)}))


def members(battle: Battle, group: str) -> tuple[Unit, ...]:
    """Return the members of a group, of either side, that have not acted yet (TSE-TRN-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> [unit.id for unit in members(open_battle("starter"), "duval")]
    ['carrel', 'daumas', 'duval', 'granger']
    """
    return tuple(u for side in battle.setup.sides for u in idle(battle, side, group))


def in_turn(battle: Battle, name: str, kind: str = "") -> Battle:
    """Return the battle as if it were this unit's turn and it had not acted yet (TSE-TRN-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> in_turn(open_battle("starter"), "arnaud").unit("arnaud").id
    'arnaud'
    """
    unit = battle.anyone(name)
    fresh = replace(unit, marks={key: value for key, value in unit.marks.items() if key != "acted"})
    battle = battle.with_unit(fresh) if battle.has(name) else battle
    clock = Clock(max(battle.clock.turn, 1), ACTING, unit.side, group_of(battle, unit))
    return replace(battle, clock=clock, pending=(), outcome=None)


# --- what happens without a decision ---------------------------------------------------------------------------------


def begin(unfolding: Unfolding) -> None:
    """Record how many bases each unit starts with (TSE-STS-06), and open the first turn.

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("starter")))
    >>> unfolding.battle.clock.turn, unfolding.battle.clock.phase, unfolding.unit("arnaud").marks["started"]
    (1, 'initiative', 4)
    """
    for unit in (*unfolding.battle.units, *unfolding.battle.awaited):
        if not unit.is_general:
            unfolding.mark(unit.id, started=unit.marks.get("started", unit.strength))
    _open_turn(unfolding, 1)


def advance(unfolding: Unfolding) -> bool:
    """Carry out the next step that needs no decision; return False when a side must act (TSE-TRN-02..09).

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("starter")))
    >>> advance(unfolding), unfolding.battle.pending[0].choices
    (True, ('first', 'second'))
    """
    if victory.wiped_out(unfolding):
        return False
    return {INITIATIVE: _take_initiative, CHOOSING: _pass_on, ACTING: _close_group}[unfolding.battle.clock.phase](
        unfolding
    )


def _open_turn(unfolding: Unfolding, turn: int) -> None:
    """Start a turn: clear the marks and notes of the last one (TSE-TRN-12, TSE-ASL-34)."""
    unfolding.clock(turn=turn, phase=INITIATIVE, side=None, group=None)
    for unit in (*unfolding.battle.units, *unfolding.battle.awaited):
        worn = {mark: None for mark in TURN_MARKS if mark in unit.marks}
        if worn:
            unfolding.mark(unit.id, **worn)
    for key in sorted(unfolding.battle.memory):
        if key.startswith(TURN_NOTES):
            unfolding.happen(Remembered(key, None))
    unfolding.tell("turn", {"turn": turn}, rules=("TSE-TRN-12",))


def _take_initiative(unfolding: Unfolding) -> bool:
    """Draw which side takes the initiative; it chooses who goes first (TSE-TRN-02), or acts at once if chaotic.

    Source for the latter: TSE-TRN-10.
    """
    battle = unfolding.battle
    number, _ = unfolding.grade("initiative", initiative_chances(battle))
    winner = attacker(battle) if number == 1 else battle.setup.other(attacker(battle))
    unfolding.tell("initiative", {"side": winner}, rules=("TSE-TRN-02",))
    if chaotic(battle):
        unfolding.clock(phase=CHOOSING, side=winner, group=None)
        return True
    unfolding.happen(Asked(Decision(winner, "go-first", (FIRST, SECOND))))
    return True


def initiative_chances(battle: Battle) -> tuple[float, float]:
    """Return the chances of initiative for (the Defender, the Attacker); a scenario may bias them (TSE-TRN-02)."""
    bias = battle.setup.options.get("initiative_attacker")
    return initiative_odds() if bias is None else (1.0 - float(bias), float(bias))


def go_first(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Give the turn's first initiative to the side chosen (TSE-TRN-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("starter"))
    >>> go_first(unfolding, Decision("french", "go-first", (FIRST, SECOND)), SECOND)
    >>> unfolding.battle.clock.side, unfolding.battle.clock.phase
    ('austrian', 'choosing')
    """
    side = decision.side if choice == FIRST else unfolding.battle.setup.other(decision.side)
    unfolding.clock(phase=CHOOSING, side=side, group=None)


def _pass_on(unfolding: Unfolding) -> bool:
    """Pass the initiative on if the side has nobody left to act; end the turn if neither has (TSE-TRN-06, -09)."""
    battle = unfolding.battle
    side = battle.clock.side
    assert side is not None, "somebody always has the initiative"
    if idle(battle, side):
        return False
    other = battle.setup.other(side)
    if idle(battle, other):
        unfolding.clock(side=other)
        return True
    _close_turn(unfolding)
    return True


def _close_group(unfolding: Unfolding) -> bool:
    """Pass the initiative to the other side once everybody in the group has acted (TSE-TRN-03, TSE-TRN-04)."""
    battle = unfolding.battle
    side = battle.clock.side
    assert side is not None, "a group acts for a side"
    if idle(battle, side, battle.clock.group):
        return False
    victory.take_ground(unfolding)
    anybody = idle(battle, side) or idle(battle, battle.setup.other(side))
    if chaotic(battle) and anybody:
        unfolding.clock(phase=INITIATIVE, side=None, group=None)
    else:
        unfolding.clock(phase=CHOOSING, side=battle.setup.other(side), group=None)
    return True


def _close_turn(unfolding: Unfolding) -> None:
    """Check army morale, then open the next turn, or end the battle after the last (TSE-TRN-09, TSE-MOR-04)."""
    army_morale.check(unfolding, at_end_of_turn=True)
    battle = unfolding.battle
    if battle.over:
        return
    if battle.setup.turns is not None and battle.clock.turn >= battle.setup.turns:
        victory.end(unfolding)
        return
    _open_turn(unfolding, battle.clock.turn + 1)


# --- choosing a group, holding ---------------------------------------------------------------------------------------


def judge_choose(battle: Battle, action: Action) -> Verdict:
    """Return whether a side may use its initiative for a group (option ``group``) (TSE-TRN-03, TSE-TRN-05)."""
    group, choosing = str(action.options.get("group")), battle.clock.phase == CHOOSING
    reasons = [
        Reason(
            "TSE-TRN-04", choosing, "a group may be chosen" if choosing else "the group that acts must finish first"
        ),
        Reason(
            "TSE-TRN-05",
            group in groups(battle),
            f"{'somebody' if group in groups(battle) else 'nobody'} of '{group}' is left to act",
        ),
    ]
    return ruled(battle, action, reasons)


def choose(unfolding: Unfolding, action: Action) -> None:
    """Let a group act (TSE-TRN-03)."""
    unfolding.clock(phase=ACTING, group=str(action.options["group"]))


def unfinished(battle: Battle) -> Unit | None:
    """Return the unit whose action is unfinished: it may still fire, or do what lost orders leave it (TSE-TRN-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfinished(open_battle("starter")) is None
    True
    """
    if battle.clock.phase != ACTING:
        return None
    halfway = (u for u in battle.units if u.marks.get("may_fire") or u.marks.get("lost_orders"))
    return next((u for u in halfway if not u.marks.get("acted")), None)


def turn_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether this unit may act now: its group is acting, it has not acted, no other unit is unfinished.

    Units act one after another, each finishing before the next (TSE-TRN-03, TSE-TRN-04, TSE-TRN-07).

    >>> from tabletop.play.files.opened import open_battle
    >>> reasons = turn_reasons(open_battle("starter"), Action("hold", "french", "arnaud"))
    >>> [reason.rule for reason in reasons if not reason.holds]
    ['TSE-TRN-04']
    """
    check_options(action)
    unit = battle.anyone(str(action.unit))
    name = unit.called
    active = battle.clock.phase == ACTING and group_of(battle, unit) == battle.clock.group
    available = battle.has(unit.id) or any(unit.id == u.id for u in due(battle))
    acts = "acts now" if active else "must be chosen first" if battle.clock.group is None else "does not act now"
    reasons = [
        Reason("TSE-TRN-03", unit.side == action.side, f"side of {name}: {unit.side}"),
        Reason("TSE-TRN-04", active, f"the group of {name} {acts}"),
        Reason(
            "TSE-TRN-07", not acted_now(unit), f"{name} {'acted already' if acted_now(unit) else 'may act'} this turn"
        ),
        Reason(
            "TSE-ACT-80", available, f"{name} {'may act here' if available else 'may come on only in a later turn'}"
        ),
    ]
    unfinished_unit = unfinished(battle)
    if unfinished_unit is not None and unfinished_unit.id != unit.id:
        reasons.append(Reason("TSE-TRN-04", False, f"{unfinished_unit.called} must finish first: fire or hold"))
    return reasons


def acted_now(unit: Unit) -> bool:
    """Return whether a unit has used its action this turn (TSE-TRN-07)."""
    return bool(unit.marks.get("acted"))


def judge_hold(battle: Battle, action: Action) -> Verdict:
    """Return whether a unit or general may hold: always, when it is its turn to act (TSE-ACT-01)."""
    return ruled(battle, action, turn_reasons(battle, action))


def hold(unfolding: Unfolding, action: Action) -> None:
    """Hold, which uses up the turn's action and ends a route march (TSE-ACT-01, TSE-ACT-81)."""
    acted(unfolding, str(action.unit))


def judge_finish(battle: Battle, action: Action) -> Verdict:
    """Return whether a side may let the rest of its group hold."""
    acting = battle.clock.phase == ACTING
    return ruled(
        battle, action, [Reason("TSE-TRN-04", acting, "a group acts" if acting else "no group acts yet: choose one")]
    )


def finish(unfolding: Unfolding, action: Action) -> None:
    """Let every unit of the group that has not acted hold (TSE-ACT-01, TSE-TRN-05)."""
    for unit in idle(unfolding.battle, action.side, unfolding.battle.clock.group):
        acted(unfolding, unit.id)


def acted(unfolding: Unfolding, unit: str) -> None:
    """Mark that a unit has used its action (TSE-TRN-07), which ends a route march (TSE-ACT-81).

    A move uses up the action even if no shot follows (TSE-CMB-04).

    >>> from tabletop.play.files.opened import open_battle
    >>> acted(unfolding := Unfolding(open_battle("starter")), "arnaud")
    >>> unfolding.unit("arnaud").marks
    {'colour': '#2b4c9b', 'acted': True}
    """
    unfolding.mark(unit, acted=True, route_march=None, may_fire=None)


KINDS = (
    ActionKind(
        "choose",
        "Choose a division",
        judge_choose,
        choose,
        needs=("group",),
        rules=("TSE-TRN-03", "TSE-TRN-05"),
        called=lambda battle: "Choose a unit or a general" if single(battle) else "Choose a division",
    ),
    ActionKind("hold", "Hold", judge_hold, hold, rules=("TSE-ACT-01",)),
    ActionKind("finish", "Let the rest hold", judge_finish, finish, needs=(), rules=("TSE-ACT-01", "TSE-TRN-05")),
)
