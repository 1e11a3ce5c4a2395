"""How a question and its answer are worded: its button, what has to be clicked, its sentence, its headline.

The names here are part of the interface of a rule set: the window and the prompt offer these questions if the rule set
answers them. A rule set's own questions come with their own ``Wording`` (``Question.wording``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tabletop.battle.saying import Saying
from tabletop.rules.common import headlines

#: The names every rule set gives to these questions if it answers them: may a unit move there, fire at or attack it.
MOVE, FIRE, ASSAULT = "move", "fire", "assault"
#: The measured value, or fact, that holds the id of a general.
CHIEF = "general"
#: What a click supplies to a question: one of its units, an enemy named in an option, or a point of the table.
Role = Literal["unit", "from", "after", "to", "start", "end"]


@dataclass(frozen=True)
class Tick:
    """An on-off option of a question: its name, its label, what it means."""

    option: str
    label: str
    hint: str


@dataclass(frozen=True)
class Wording:
    """The wording of a question.

    ``label`` and ``hint`` are its button's; ``steps`` are what has to be clicked, each with the words that ask for it;
    ``extras`` are options to choose or type ("as", "facing", "shaped", "distance"), ``ticks`` those that are on or off.
    ``sentence`` is the question as a person would ask it, with places for its units ({0}, {1}), the enemies it names
    ({from}, {after}) and the kind of move ({as}); ``headline`` makes the first sentence of the answer.
    """

    label: str
    hint: str
    steps: tuple[tuple[Role, str], ...] = ()
    extras: tuple[str, ...] = ()
    ticks: tuple[Tick, ...] = ()
    sentence: str = ""
    headline: Callable[[Saying], str] = headlines.plain


DELAYED = Tick("delayed", "Orders delayed", "Only half the reach is left")
#: Asks for cover against an assault; in files the option has the name of the question ``assault``.
COVER_IN_ASSAULT = Tick(ASSAULT, "Against an assault", "Cover in an assault, not from fire")
#: Asks where an assault drives a unit; its option has the same name.
DRIVEN_BY_ASSAULT = Tick(ASSAULT, "By an assault", "Away along the path of an assault, not along the line of fire")

ONE: tuple[tuple[Role, str], ...] = (("unit", "Click the unit."),)
SHOT: tuple[tuple[Role, str], ...] = (("unit", "Click who shoots."), ("unit", "Now the target."))
USUAL: Mapping[str, Wording] = {
    "distance": Wording(
        "Distance", "How far apart, nearest edge to nearest edge",
        (("unit", "Click the first unit."), ("unit", "Now click the other.")),
        sentence="How far is it from {0} to {1}?", headline=headlines.distance,
    ),
    "los": Wording(
        "Sight", "Does one see the other?",
        (("unit", "Click the unit that looks."), ("unit", "Now whom it looks at.")),
        sentence="Can {0} see {1}?", headline=headlines.los,
    ),
    FIRE: Wording(
        "Fire", "May it fire at the other?", SHOT,
        sentence="May {0} fire at {1}?", headline=headlines.fire,
    ),
    ASSAULT: Wording(
        "Assault", "May it assault the other?",
        (("unit", "Click who assaults."), ("unit", "Now whom it assaults.")), ticks=(DELAYED,),
        sentence="May {0} assault {1}?", headline=headlines.assault,
    ),
    MOVE: Wording(
        "Move", "May it go there, and what does it cost?",
        (
            ("unit", "Click the unit that moves."),
            ("to", "Now where the middle of its front shall stand. Shift-click first leads it by other points."),
        ),
        ("as", "facing", "shaped"), (DELAYED,),
        sentence="May {0} make this {as}?", headline=headlines.move,
    ),
    "reach": Wording(
        "Reach", "How far can it go?", ONE, ("as", "shaped"), (DELAYED,),
        sentence="How far can {0} go by {as}?", headline=headlines.reach,
    ),
    "field": Wording("Field", "Its field of fire: arc and ranges", ONE, sentence="How far does {0} reach?"),
}  # fmt: skip


def usual(question: str) -> Wording:
    """Return the default wording of a question; for an unknown one, a wording made of its name.

    >>> usual("reach").label, usual("high-water").label
    ('Reach', 'High water')
    """
    label = question.replace("-", " ").capitalize()
    return USUAL.get(question) or Wording(label, label)
