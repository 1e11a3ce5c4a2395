"""An action in words beside the table: what was done, the dice, the result, and the rules behind it."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.battle.action import ANSWER
from tabletop.battle.battle import Battle
from tabletop.battle.event import Clocked, Thrown
from tabletop.battle.naming import how_many, side_name
from tabletop.battle.unit import GENERAL
from tabletop.play import narration
from tabletop.play.engine import play_of
from tabletop.play.saves.moment import named, reasons
from tabletop.play.saves.report import Tally
from tabletop.render.events.reel import Moment, Reel
from tabletop.rules.periods import UNIT

#: Dice with more faces than this are the program's own draws, shown as a number out of a hundred.
FACES = 100
#: The most rules cited for one action.
MOST_RULES = 12


def heading(moment: Moment) -> str:
    """Return an action in a few words: what was done, by whom and against whom."""
    action, battle = moment.step.action, moment.before
    if action is None:
        return "The battle begins"
    if action.kind != ANSWER:
        return named(battle, action)
    choice = str(action.options.get("choice", ""))
    reply = play_of(battle).replies(battle, battle.pending[0]).get(choice) if battle.pending else None
    answer = " ".join(battle.called(word) for word in choice.split()) if reply is None else reply.label
    return f"{side_name(action.side)} answered: {answer}"


def place(moment: Moment, reel: Reel) -> str:
    """Return the place of a moment in its battle: "Turn 2 of 8, action 31 of 99", and the turn that begins with it."""
    turns, now = moment.battle.setup.turns, max(1, moment.turn)
    turn = now if moment.n == 0 else max(1, moment.before.clock.turn)
    position = f"Turn {turn}" + (f" of {turns}" if turns else "")
    begins = f"; turn {now} begins" if now != turn else ""
    return position if moment.n == 0 else f"{position}, action {moment.n} of {reel.length - 1}{begins}"


def why(moment: Moment) -> str:
    """Return why a computer player chose the action, and its runner-up; "" for a person's action."""
    return " ".join(reasons(moment.before, moment.step))


def thrown(moment: Moment) -> str:
    """Return every die thrown and the height of every draw; "" if there were none."""
    draws = [event for event in moment.step.events if isinstance(event, Thrown)]
    return ", ".join(_drawn(moment.before, draw) for draw in draws)


def _drawn(battle: Battle, draw: Thrown) -> str:
    purpose, unit = narration.thrown_for(battle, draw)
    who = f" of {battle.called(unit)}" if unit else ""
    if draw.sides <= FACES:
        return f"{purpose}{who}: {draw.face} of {draw.sides}"
    return f"{purpose}{who}: {_in_a_hundred(draw)} of 100"


def _in_a_hundred(draw: Thrown) -> int:
    """Return a draw as the throw of a die with a hundred faces.

    >>> _in_a_hundred(Thrown("x", 1000, 1)), _in_a_hundred(Thrown("x", 1000, 1000))
    (1, 100)
    """
    return -(-100 * draw.face // draw.sides)


def rules(moment: Moment) -> str:
    """Return the ids of the rules behind an action."""
    cited = moment.rules
    more = f" and {len(cited) - MOST_RULES} more" if len(cited) > MOST_RULES else ""
    return ", ".join(cited[:MOST_RULES]) + more


def result(moment: Moment) -> str:
    """Return how the battle ended, if it ended with this action."""
    outcome = moment.battle.outcome
    return "" if outcome is None else narration.outcome(outcome.winner, outcome.how, moment.battle.setup.sides)


def opens(moment: Moment) -> bool:
    """Return whether a turn begins with this action."""
    before = moment.before.clock.turn
    return any(isinstance(event, Clocked) and event.clock.turn != before for event in moment.step.events)


def lost(tally: Tally, side: str, started: int, noun: str = UNIT) -> str:
    """Return a side's losses so far, in a few words: of ``started`` bases, or of as many ships where they have a noun.

    >>> lost(Tally(3, 1, {"red": 2}, {"red": 1}, {"red": 0}, {"red": 0}, {}), "red", 20)
    '2 of 20 bases, 1 unit'
    >>> lost(Tally(3, 1, {"red": 2}, {"red": 2}, {"red": 0}, {"red": 0}, {}), "red", 7, "ship")
    '2 of 7 ships'
    """
    if noun != UNIT:
        return f"{tally.units[side]} of {_count(started, noun)}"
    parts = [f"{tally.bases[side]} of {started + tally.added.get(side, 0)} bases"]
    parts += [_count(tally.units[side], noun)] if tally.units[side] else []
    parts += [_count(tally.generals[side], GENERAL)] if tally.generals[side] else []
    return ", ".join(parts)


def shaken(tally: Tally, side: str, noun: str = UNIT) -> str:
    """Return a side's units out of order, and its points if points are counted."""
    parts = [f"{_count(tally.shaken[side], noun)} out of order"] if tally.shaken[side] else []
    parts += [how_many(tally.points.get(side, 0.0), "point")] if any(tally.points.values()) else []
    return ", ".join(parts)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def bases(battle: Battle, side: str) -> int:
    """Return the number of bases a side begins with, including those still to arrive."""
    return battle.bases(side)[0]


def armies(sides: Sequence[str]) -> str:
    """Return the opposing sides.

    >>> armies(("french", "austrian"))
    'French against Austrian'
    """
    return " against ".join(side_name(side) for side in sides)
