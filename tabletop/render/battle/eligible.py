"""Which units may act now, in which groups and by which kinds of action, as the rule set answers for a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.play.engine import play_of
from tabletop.rules import rule_set
from tabletop.rules.play import ActionKind, Choice


@dataclass(frozen=True)
class Group:
    """A group that may be chosen now or is acting: its id, its name, and its members that have yet to act."""

    id: str
    name: str
    members: tuple[Unit, ...]


def groups(battle: Battle) -> tuple[Group, ...]:
    """Return the groups that may be chosen now; none if the rules have no groups or one is acting."""
    if battle.pending or battle.over:
        return ()
    play = play_of(battle)
    choosable = play.groups(battle)
    return tuple(Group(g, battle.called(g), tuple(play.members(battle, g))) for g in choosable)


def acting(battle: Battle) -> Group | None:
    """Return the acting group, None if there is none."""
    group = battle.clock.group
    if group is None or battle.pending or battle.over:
        return None
    return Group(group, battle.called(group), tuple(play_of(battle).members(battle, group)))


def group_of(battle: Battle, unit: str) -> Group | None:
    """Return the group that may be chosen and contains this unit, or is led by it."""
    return next((g for g in groups(battle) if g.id == unit or any(u.id == unit for u in g.members)), None)


def ready(battle: Battle) -> frozenset[str]:
    """Return the units that may act now, or could once their group is chosen; some may still be off the table."""
    side = engine.mover(battle)
    if side is None or battle.pending:
        return frozenset()
    choosable, now = groups(battle), acting(battle)
    if choosable or now is not None:
        return frozenset(u.id for group in (*choosable, *([now] if now else [])) for u in group.members)
    return frozenset(unit.id for unit in engine.may_act(battle, side))


def acted(battle: Battle) -> frozenset[str]:
    """Return the units on the table that have already acted."""
    play, idle = play_of(battle), ready(battle)
    return frozenset(u.id for u in battle.units if u.id not in idle and play.acted(battle, u))


def menu(battle: Battle, unit: str) -> Sequence[Choice]:
    """Return every kind of action for one unit; nothing while a question is open or after the end."""
    return () if battle.pending or battle.over else play_of(battle).menu(battle, unit)


def later(battle: Battle, unit: str) -> tuple[str, ...]:
    """Return the kinds of action that would be open to a unit if it were its turn and it had not acted."""
    play = play_of(battle)
    return tuple(c.kind for c in play.menu(play.in_turn(battle, unit, ""), unit) if c.open)


def kind_of(battle: Battle, kind: str) -> ActionKind:
    return play_of(battle).kinds[kind]


def aimed(battle: Battle, kind: str) -> bool:
    """Return whether an action of this kind has a target."""
    return "target" in kind_of(battle, kind).needs


#: Adjustments made with the unit in hand and shown by its ghost.
POSED = {"formation", "base", "facing", "bend", "shift", "back"}


def by_hand(battle: Battle, kind: str, unit: Unit) -> bool:
    """Return whether an action of this kind is shown with the unit in hand: along a path, or forming up on the spot."""
    if {"path", "facing"} & set(kind_of(battle, kind).needs) or kind in rule_set.find(battle.rules).on_the_spot:
        return True
    adjustments = play_of(battle).adjustments(battle, Action(kind, unit.side, unit.id))
    return any(adjustment.how in POSED for adjustment in adjustments)


def choosing(battle: Battle, group: str) -> Action | None:
    """Return the action that chooses a group, None where the rules have none."""
    side = engine.mover(battle)
    kind = next((k.name for k in play_of(battle).kinds.values() if "group" in k.needs), None)
    return None if kind is None or side is None else Action(kind, side, options={"group": group})


def only_group(battle: Battle) -> Action | None:
    """Return the choice of the only group that may be chosen, None if anything else may be done."""
    choosable = groups(battle)
    return choosing(battle, choosable[0].id) if len(choosable) == 1 and not endings(battle) else None


def endings(battle: Battle) -> tuple[Action, ...]:
    """Return the actions that need no unit and may be done now, such as ending a phase."""
    side = engine.mover(battle)
    if side is None or battle.pending:
        return ()
    actions = [Action(kind.name, side) for kind in play_of(battle).kinds.values() if not kind.needs]
    return tuple(action for action in actions if engine.judge(battle, action).holds)
