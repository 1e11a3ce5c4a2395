"""The turn: initiative, one division after the other, and the turn's end (TSE-TRN)."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked, Ended, Remembered
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict

#: Phases of the clock: somebody takes the initiative; a side chooses a group; the group's units act one by one.
INITIATIVE, CHOOSING, ACTING = "initiative", "choosing", "acting"
#: What a side may do with the initiative it won (TSE-TRN-02).
FIRST, SECOND = "first", "second"
#: Notes kept for one turn only.
TURN_NOTES = "turn:"


def attacker(battle: Battle) -> str:
    """Return the side that attacks by the scenario, for the whole battle (TSE-TRN-01)."""
    return battle.setup.attacker or battle.setup.sides[0]


def scheme(battle: Battle) -> str:
    """Return how initiatives alternate: "division", "chaotic" or "unit" (TSE-TRN-03, TSE-TRN-10, TSE-TRN-11)."""
    return str(battle.setup.options.get("initiative", "division"))


# --- groups ----------------------------------------------------------------------------------------------------------


def group_of(battle: Battle, unit: Unit) -> str:
    """Return the group a unit acts with: division or corps troops; itself where single units alternate (TSE-TRN-03).

    A general leads the group of his own id; units without a parent form one group for the side.
    """
    if scheme(battle) == "unit" or unit.is_general:
        return unit.id
    return unit.parent or f"{unit.side} troops"


def due(battle: Battle) -> Iterable[Unit]:
    """Return the units that may come on to the table from this turn on (TSE-ACT-80)."""
    now = {name for a in battle.setup.arrivals if a.turn <= battle.clock.turn for name in a.units}
    return (unit for unit in battle.awaited if unit.id in now)


def idle(battle: Battle, side: str, group: str | None = None) -> tuple[Unit, ...]:
    """Return the units and generals of a side, or of one of its groups, that have not acted this turn (TSE-TRN-07)."""
    there = [u for u in (*battle.units, *due(battle)) if u.side == side and not u.marks.get("acted")]
    return tuple(u for u in there if group is None or group_of(battle, u) == group)


def groups(battle: Battle) -> tuple[str, ...]:
    """Return the groups the side to move may choose from: those with somebody left to act (TSE-TRN-05, TSE-TRN-08)."""
    side = battle.clock.side
    if side is None or battle.clock.phase != CHOOSING:
        return ()
    return tuple(sorted({group_of(battle, unit) for unit in idle(battle, side)}))


# --- what follows by itself ------------------------------------------------------------------------------------------


def begin(unfolding: Unfolding) -> None:
    """Open the first turn."""
    _open_turn(unfolding, 1)


def advance(unfolding: Unfolding) -> bool:
    """Let the next thing happen that needs nobody's word; False when a side must act."""
    return {INITIATIVE: _take_initiative, CHOOSING: _pass_on, ACTING: _close_group}[unfolding.battle.clock.phase](
        unfolding
    )


def _open_turn(unfolding: Unfolding, turn: int) -> None:
    """Start a turn: nobody has acted, what was counted for one turn is forgotten (TSE-TRN-12, TSE-ASL-34)."""
    unfolding.clock(turn=turn, phase=INITIATIVE, side=None, group=None)
    for unit in (*unfolding.battle.units, *unfolding.battle.awaited):
        if unit.marks.get("acted"):
            unfolding.mark(unit.id, acted=None)
    for key in sorted(unfolding.battle.memory):
        if key.startswith(TURN_NOTES):
            unfolding.happen(Remembered(key, None))
    unfolding.tell("turn", {"turn": turn}, rules=("TSE-TRN-12",))


def _take_initiative(unfolding: Unfolding) -> bool:
    """Draw Attacker or Defender, who chooses who goes first (TSE-TRN-02); not so when chaotic (TSE-TRN-10)."""
    battle = unfolding.battle
    chance = float(battle.setup.options.get("initiative_attacker", 0.5))
    number, _ = unfolding.grade("initiative", (1.0 - chance, chance))
    winner = attacker(battle) if number == 1 else battle.setup.other(attacker(battle))
    unfolding.tell("initiative", {"side": winner}, rules=("TSE-TRN-02",))
    if scheme(battle) == "chaotic":
        unfolding.clock(phase=CHOOSING, side=winner, group=None)
        return True
    text = f"{winner} has the initiative: go first, or let the other side go first?"
    unfolding.happen(Asked(Decision(winner, "go-first", (FIRST, SECOND), text)))
    return True


def go_first(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Settle who takes the turn's first initiative (TSE-TRN-02)."""
    side = decision.side if choice == FIRST else unfolding.battle.setup.other(decision.side)
    unfolding.clock(phase=CHOOSING, side=side, group=None)


def _pass_on(unfolding: Unfolding) -> bool:
    """Pass the initiative on from a side with nothing left; end the turn when both have nothing (TSE-TRN-06, -09)."""
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
    anybody = idle(battle, side) or idle(battle, battle.setup.other(side))
    if scheme(battle) == "chaotic" and anybody:
        unfolding.clock(phase=INITIATIVE, side=None, group=None)
    else:
        unfolding.clock(phase=CHOOSING, side=battle.setup.other(side), group=None)
    return True


def _close_turn(unfolding: Unfolding) -> None:
    """End the turn, and the battle with the last one (TSE-TRN-09)."""
    battle = unfolding.battle
    if battle.setup.turns is not None and battle.clock.turn >= battle.setup.turns:
        unfolding.happen(Ended(None, "the last turn is over"))
        return
    _open_turn(unfolding, battle.clock.turn + 1)


# --- choosing a group, holding ---------------------------------------------------------------------------------------


def judge_choose(battle: Battle, action: Action) -> Verdict:
    """Say whether a side may take its initiative with this group (option ``group``) (TSE-TRN-03, TSE-TRN-05)."""
    group = str(action.options.get("group"))
    reasons = [
        Reason("TSE-TRN-04", battle.clock.phase == CHOOSING, "a group is chosen when the last has finished"),
        Reason("TSE-TRN-05", group in groups(battle), f"'{group}' has somebody left to act"),
    ]
    return ruled(battle, action, reasons)


def choose(unfolding: Unfolding, action: Action) -> None:
    """Let a group act (TSE-TRN-03)."""
    unfolding.clock(phase=ACTING, group=str(action.options["group"]))


def turn_reasons(battle: Battle, action: Action) -> list[Reason]:
    """Return whether this unit may act at all now: its group's turn, and it has not acted (TSE-TRN-04, TSE-TRN-07)."""
    unit = battle.anyone(str(action.unit))
    own = unit.side == action.side
    active = battle.clock.phase == ACTING and group_of(battle, unit) == battle.clock.group
    return [
        Reason("TSE-TRN-03", own, f"{unit.name or unit.id} is of side {unit.side}"),
        Reason("TSE-TRN-04", active, f"{unit.name or unit.id} belongs to the group that acts now"),
        Reason("TSE-TRN-07", not unit.marks.get("acted"), f"{unit.name or unit.id} has not acted this turn"),
    ]


def judge_hold(battle: Battle, action: Action) -> Verdict:
    """Say whether a unit or general may hold: always, when it is its turn to act (TSE-ACT-01)."""
    return ruled(battle, action, turn_reasons(battle, action))


def hold(unfolding: Unfolding, action: Action) -> None:
    """Let a unit stand: its action for the turn is used, its route march ends (TSE-ACT-01, TSE-ACT-81)."""
    acted(unfolding, str(action.unit))


def judge_finish(battle: Battle, action: Action) -> Verdict:
    """Say whether a side may let all hold that are left in its group."""
    return ruled(battle, action, [Reason("TSE-TRN-04", battle.clock.phase == ACTING, "a group is acting")])


def finish(unfolding: Unfolding, action: Action) -> None:
    """Let everybody left in the group hold (TSE-ACT-01, TSE-TRN-05)."""
    for unit in idle(unfolding.battle, action.side, unfolding.battle.clock.group):
        acted(unfolding, unit.id)


def acted(unfolding: Unfolding, unit: str) -> None:
    """Mark that a unit has used its action (TSE-TRN-07); any action but another ends a route march (TSE-ACT-81)."""
    unfolding.mark(unit, acted=True, route_march=None)


def ruled(battle: Battle, action: Action, reasons: Iterable[Reason]) -> Verdict:
    """Return the verdict on an action: it holds when every reason does; those against it first."""
    found = sorted(reasons, key=lambda reason: reason.holds)
    args = tuple(name for name in (action.unit, action.target) if name is not None)
    return Verdict(action.kind, args, battle.rules, all(r.holds for r in found), because=tuple(found))
