"""What a side may know of a battle: hidden enemies are left out, with their orders, their marks and what they did.

Only rule sets with hidden units (``PlayWithHiddenUnits``) restrict it; under any other, battles and steps are returned
as they are. A battle that is over hides nothing. Whose knowledge is shown to whoever sits at the screen, or reads a
saved game, is decided in one place: ``concealed``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Setup
from tabletop.errors import BadQuestion
from tabletop.play.engine import Step, play_of
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.viewing import OF_THE_PEOPLE, View
from tabletop.rules import rule_set
from tabletop.rules.hidden_units import PlayWithHiddenUnits


def concealed(battle: Battle, person: str | None, view: View = OF_THE_PEOPLE) -> frozenset[str]:
    """Return the ids of the units of a battle that are not shown; ``person`` is the side of the person who looks on.

    By default it is shown as that side may know it (``players.viewer``: the side to move of two that people play);
    whole if no person plays, and once it is over. BadQuestion if the view is that of a side there is not.
    """
    if view.side is not None and view.side not in battle.setup.sides:
        raise BadQuestion(f"no side '{clip(view.side)}' in this battle; {did_you_mean(view.side, battle.setup.sides)}")
    if view.everything or not hides_units(battle):
        return frozenset()
    return hidden(battle, person if view.side is None else view.side)


def hides_units(battle: Battle) -> bool:
    """Return whether the rules of a battle may hide units."""
    return rule_set.find(battle.rules).play is not None and isinstance(play_of(battle), PlayWithHiddenUnits)


def nothing_known(battle: Battle, name: str) -> str:
    """Return a sentence for a name that no known unit has: the same for a hidden unit and a name that nobody has."""
    cure = did_you_mean(name, [unit.id for unit in (*battle.units, *battle.awaited)])
    return f"nothing is known of '{clip(name)}'; {cure}"


def hidden(battle: Battle, side: str | None) -> frozenset[str]:
    """Return the ids of the units that a side may not know of; none for side None, and once the battle is over."""
    if side is None or battle.over or rule_set.find(battle.rules).play is None:
        return frozenset()
    play = play_of(battle)
    if not isinstance(play, PlayWithHiddenUnits):
        return frozenset()
    enemies = {unit.id for unit in (*battle.units, *battle.awaited) if unit.side != side}
    return frozenset(enemies.difference(play.visible(battle, side)))


def visible(battle: Battle, side: str | None) -> Battle:
    """Return the battle as a side may know it; the same object if nothing is hidden from it."""
    return without(battle, hidden(battle, side))


# --- leaving units out -----------------------------------------------------------------------------------------------


def without(battle: Battle, ids: Collection[str]) -> Battle:
    """Return a battle without some units and without what its record says of them; the same object without any."""
    if not ids:
        return battle
    return replace(
        battle,
        units=tuple(unit for unit in battle.units if unit.id not in ids),
        awaited=tuple(unit for unit in battle.awaited if unit.id not in ids),
        setup=_setup_without(battle.setup, ids),
        returning={name: arrival for name, arrival in battle.returning.items() if name not in ids},
        memory=_pruned(battle.memory, ids),
    )


def _setup_without(setup: Setup, ids: Collection[str]) -> Setup:
    left = ((arrival, tuple(name for name in arrival.units if name not in ids)) for arrival in setup.arrivals)
    return replace(setup, arrivals=tuple(replace(arrival, units=units) for arrival, units in left if units))


def _pruned(value: Any, ids: Collection[str]) -> Any:
    """Return plain data without the keys and members that are one of these ids."""
    if isinstance(value, Mapping):
        return {key: _pruned(inner, ids) for key, inner in value.items() if not _one_of(key, ids)}
    if isinstance(value, tuple | list):
        return tuple(_pruned(inner, ids) for inner in value if not _one_of(inner, ids))
    return value


def _one_of(value: Any, ids: Collection[str]) -> bool:
    return isinstance(value, str) and value in ids


# --- what has happened -----------------------------------------------------------------------------------------------


def known_steps(steps: Sequence[Step], ids: Collection[str]) -> Sequence[Step]:
    """Return steps as told to a side that may not know of these units now; the same steps without any.

    Actions and events in which one of them takes part are left out; the number of steps stays the same.
    """
    return [_known(step, ids) for step in steps] if ids else steps


def concerns(action: Action | None, ids: Collection[str]) -> bool:
    """Return whether an action names one of these units."""
    return bool(ids) and not set(ids).isdisjoint(_words(action))


def _known(step: Step, ids: Collection[str]) -> Step:
    events = tuple(event for event in step.events if set(ids).isdisjoint(_words(event)))
    unthought = concerns(step.action, ids) or not set(ids).isdisjoint(_words(step.thought))
    step = replace(step, events=events, battle=without(step.battle, ids), thought=None if unthought else step.thought)
    return replace(step, action=None, verdict=None) if concerns(step.action, ids) else step


def _words(value: Any) -> Iterator[str]:
    """Yield every text within a record or plain data, keys included."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for one in fields(value):
            yield from _words(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _words(key)
            yield from _words(inner)
    elif isinstance(value, tuple | list | set | frozenset):
        for inner in value:
            yield from _words(inner)
