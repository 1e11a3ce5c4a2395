"""Actions as written in lessons: as typed at the prompt, separated by semicolons."""

from __future__ import annotations

from tabletop.battle.action import ANSWER, Action, answer
from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.engine import mover
from tabletop.play.typed.reading import read_action

#: The word for actions that the computer does for the learner, and the maximum of them in a row.
AUTO, MOST_AUTO = "auto", 200


def split(acts: str) -> list[str]:
    """Return the single actions of a text.

    >>> split("maneuver guns forward 2; hold guns")
    ['maneuver guns forward 2', 'hold guns']
    """
    return [act for part in acts.split(";") if (act := " ".join(part.split()))]


def automatic(act: str) -> int:
    """Return how many actions the computer does for the learner; 0 for an action of the learner's own.

    >>> automatic("auto 12"), automatic("auto"), automatic("hold guns")
    (12, 1, 0)
    """
    word, _, count = act.partition(" ")
    if word != AUTO:
        return 0
    if not count:
        return 1
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:4]) <= MOST_AUTO):
        raise BadQuestion(f"'{act}': after '{AUTO}' comes how many actions, 1 to {MOST_AUTO}")
    return int(count)


def read(battle: Battle, act: str) -> Action:
    """Return the action that a text means for the side to move; BadQuestion when it cannot be read.

    >>> from tabletop.play.engine import begin
    >>> from tabletop.play.files.opened import open_battle
    >>> read(begin(open_battle("starter"), 1).battle, "answer first").options["choice"]
    'first'
    """
    side = mover(battle)
    if side is None:
        raise BadQuestion("the battle is over: nothing more can be done")
    word, _, rest = act.partition(" ")
    if word == ANSWER:
        return answer(side, rest.strip())
    if battle.pending:
        choices = ", ".join(battle.pending[0].choices)
        raise BadQuestion(f"{side} must answer first: 'answer ...', one of {choices}")
    return read_action(battle, side, act)
