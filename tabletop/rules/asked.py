"""How a question is put and answered in words: its button, what has to be clicked, its sentence, its headline.

The names here are part of the interface of a rule set: the window and the prompt put these questions of themselves
where a rule set answers them. A question of its own comes with a ``Wording`` of its own (``Question.wording``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tabletop.battle.saying import Saying
from tabletop.rules.common import headlines

#: Questions that every rule set names so if it answers them: where a unit may go, whom it may shoot at and attack.
MOVE, FIRE, ASSAULT = "move", "fire", "assault"
#: The measured value, or fact, that is the id of a general.
CHIEF = "general"
#: What a click gives a question: one of its units, an enemy it names as an option, or a point of the table.
Role = Literal["unit", "from", "after", "to", "start", "end"]


@dataclass(frozen=True)
class Tick:
    """An option of a question that is on or off: its name, its label, what it means."""

    option: str
    label: str
    hint: str


@dataclass(frozen=True)
class Wording:
    """A question's words.

    ``label`` and ``hint`` of its button; ``steps``: what has to be clicked, each with the words that ask for it;
    ``extras``: options that are chosen or typed ("as", "facing", "shaped", "distance"); ``ticks`` those on or off.
    ``sentence`` is the question as a person would put it, with places for its units ({0}, {1}), the enemies it names
    ({from}, {after}) and the way of moving ({as}); ``headline`` makes the answer's first sentence.
    """

    label: str
    hint: str
    steps: tuple[tuple[Role, str], ...] = ()
    extras: tuple[str, ...] = ()
    ticks: tuple[Tick, ...] = ()
    sentence: str = ""
    headline: Callable[[Saying], str] = headlines.plain


DELAYED = Tick("delayed", "Orders delayed", "Only half the reach is left")
#: Cover may be asked for against an assault; in files the option bears the question's name.
COVER_IN_ASSAULT = Tick(ASSAULT, "Against an assault", "Cover in an assault, not from fire")

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
    """Return the words of a question for which a rule set has none of its own; its name for one that nobody knows.

    >>> usual("reach").label, usual("high-water").label
    ('Reach', 'High water')
    """
    label = question.replace("-", " ").capitalize()
    return USUAL.get(question) or Wording(label, label)
