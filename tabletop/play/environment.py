"""What surrounds a battle by its rules: hour, dusk, mist, wind and ground scale, and how they are worded."""

from __future__ import annotations

from dataclasses import replace

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import compass_point
from tabletop.rules import rule_set
from tabletop.rules.periods import UNIT, period_of
from tabletop.rules.surroundings import Conditions, Ground, PlayWithSurroundings


def ground_of(battle: Battle) -> Ground | None:
    """Return the ground scale of a battle's rules, halved where figures are twice as large; None if they have none.

    >>> from tabletop.play.files.opened import open_battle
    >>> ground_of(open_battle("luetzen")).of(100.0)
    '200 m'
    """
    play = _play(battle)
    ground = None if play is None else play.ground
    return None if ground is None else replace(ground, length=ground.length / battle.scale)


def conditions_of(battle: Battle) -> Conditions | None:
    """Return dusk or mist in which units see less far; None if there is neither now, and after the battle."""
    play = _play(battle)
    return None if play is None or battle.over else play.conditions(battle)


def hour(battle: Battle, turn: int | None = None) -> str | None:
    """Return the hour at which a turn (None: the present one) begins; None if the scenario or the rules have no hours.

    >>> from tabletop.play.files.opened import open_battle
    >>> hour(open_battle("waterloo-evening")), hour(open_battle("waterloo-evening"), 4), hour(open_battle("skirmish"))
    ('19:30', '19:45', None)
    """
    play = rule_set.find(battle.rules).play
    minutes = None if play is None or battle.setup.starts is None else play().minutes
    if battle.setup.starts is None or minutes is None:
        return None
    hours, past = map(int, battle.setup.starts.split(":"))
    gone = minutes * (max(1, battle.clock.turn if turn is None else turn) - 1)
    now = round(60 * hours + past + gone) % (24 * 60)
    return f"{now // 60}:{now % 60:02d}"


def turn_words(battle: Battle, turns: int | None = None) -> str:
    """Return the present turn, of how many if given, and the hour at which it began, if the scenario has hours.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.play.engine import begin
    >>> turn_words(begin(open_battle("waterloo-evening"), 1).battle, 12)
    'Turn 1 of 12, 19:30'
    """
    now = hour(battle)
    return f"Turn {battle.clock.turn}" + (f" of {turns}" if turns else "") + (f", {now}" if now else "")


def wind_words(battle: Battle) -> str:
    """Return where the wind comes from and its speed, in a sentence; "" for rules without wind.

    >>> from tabletop.play.files.opened import open_battle
    >>> wind_words(open_battle("long-sand"))
    'Wind from the W, speed 4.'
    """
    wind = rule_set.find(battle.rules).wind(battle)
    return "" if wind is None else f"Wind from the {compass_point(wind.source)}, speed {wind.speed}."


def is_ship(unit: Unit) -> bool:
    """Return whether a unit is a ship by its rules, so that its bases are not worth counting."""
    return bool(unit.rules) and rule_set.find(unit.rules).vessel(unit) is not None


def noun(battle: Battle) -> str:
    """Return what players call one unit of a battle, in the singular.

    >>> from tabletop.play.files.opened import open_battle
    >>> noun(open_battle("lissa")), noun(open_battle("starter"))
    ('ship', 'unit')
    """
    return period_of(battle.rules).noun


def counted_in(battle: Battle) -> str:
    """Return what a side's strength is counted in: bases, or units by their own noun where that is not "unit".

    >>> from tabletop.play.files.opened import open_battle
    >>> counted_in(open_battle("lissa")), counted_in(open_battle("starter"))
    ('ship', 'base')
    """
    return "base" if noun(battle) == UNIT else noun(battle)


def environment(battle: Battle) -> str:
    """Return the sentences on dusk, mist and wind that hold now; "" if there are none."""
    conditions = conditions_of(battle)
    return " ".join(filter(None, (conditions.text if conditions else "", wind_words(battle))))


def _play(battle: Battle) -> PlayWithSurroundings | None:
    """Return how battles of these rules are played if the rules have a ground scale, or dusk and mist; else None."""
    play = rule_set.find(battle.rules).play
    record = None if play is None else play()
    return record if isinstance(record, PlayWithSurroundings) else None
