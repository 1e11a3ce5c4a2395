"""The shape of a demo's file (``demos/*.yaml``): its keys, their types and sizes.

Positions, questions, conditions and actions are written as in lessons. ``reading`` checks what the words mean on the
table, and ``proof`` that all of it can be played.
"""

from __future__ import annotations

from enum import StrEnum, auto
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from tabletop.lessons.models import Acts, AskRow, ConditionRow, Heights, SceneBlock, StartRow, Text
from tabletop.play.files.models import Id, Notes, Row, RulesName, Title

FORMAT = "tabletop-demo/1"
#: Maximum rows of a track, choices of a question and proofs shown at once; maximum seconds of a row.
MOST_ROWS, MOST_CHOICES, MOST_SHOWN, LONGEST = 200, 4, 3, 120


class Kind(StrEnum):
    """What a row does, exactly one of them; 'say' may also accompany any other but a question."""

    MOVE = auto()
    SHOW = auto()
    WAIT = auto()
    ASK = auto()
    SAY = auto()


Seconds = Annotated[float, Field(gt=0, le=LONGEST, strict=False)]


def _in_a_list(value: object) -> object:
    return [value] if isinstance(value, dict) else value


class ShowRow(AskRow):
    """A question for the judge whose proof is drawn."""

    holds: bool | None = Field(None, description="the answer it must have, so that what is said of it stays true")


class OnRow(Row):
    """How far a saved battle goes on: for some actions, or until something holds."""

    actions: Annotated[int, Field(ge=1, le=1000)] | None = None
    until: ConditionRow | None = Field(None, description="as in lessons, of what has happened in this row")


class CueRow(Row):
    """One row of the track."""

    say: Text | None = Field(None, description="stands under the table until the next text")
    move: Acts | OnRow | None = Field(
        None, description="actions as at the prompt; of a saved battle: how far it goes on"
    )
    show: Annotated[list[ShowRow], BeforeValidator(_in_a_list), Field(max_length=MOST_SHOWN)] | None = Field(
        None, description="proofs drawn until the next 'show' or 'move'; [] takes them away"
    )
    wait: Seconds | None = Field(None, description="seconds in which nothing changes")
    ask: Text | None = Field(None, description="a question for those who watch; it waits for a click or its time")
    choices: Annotated[list[Text], Field(max_length=MOST_CHOICES)] = Field([], description="what may be answered")
    right: Annotated[int, Field(ge=1, le=MOST_CHOICES)] | None = Field(None, description="the number of the right one")
    answer: Text | None = Field(None, description="said when the question is answered or its time is up")
    proof: ShowRow | None = Field(None, description="drawn with the answer; without choices it says whether yes or no")
    seconds: Seconds | None = Field(None, description="how long the row lasts; as long as reading takes unless said")


class DemoFile(Row):
    """A demo."""

    format: Literal["tabletop-demo/1"]
    title: Title
    about: Text | None = Field(None, description="what it shows, in a sentence")
    rules: RulesName | None = Field(None, description="for a scene; a saved battle names its own")
    scene: SceneBlock | None = None
    battle: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        None, description="a saved battle (.jsonl) beside this file"
    )
    side: Id | None = Field(None, description="whose actions conditions are about unless they say; else anybody's")
    start: StartRow | None = Field(None, description="of a scene: whose group acts first")
    chance: dict[str, Heights] = Field({}, description="of a scene: draws by what they are for, as in lessons")
    track: Annotated[list[CueRow], Field(min_length=1, max_length=MOST_ROWS)]
    credits: Notes | None = None
    notes: Notes | None = None


def kind_of(row: CueRow) -> str:
    """Return what a row does.

    >>> str(kind_of(CueRow(say="Look.", wait=2)))
    'wait'
    """
    return next(kind for kind in Kind if getattr(row, kind) is not None)
