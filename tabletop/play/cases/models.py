"""The shape of a case, one object per line."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabletop.play.files.models import Id, Notes, Row, Rulings, Title, Turn

Throws = Annotated[list[float], Field(max_length=200)]
Block = dict[str, Any]


class ClockRow(Row):
    """The moment at which a case begins."""

    turn: Turn = 1
    phase: Title | None = Field(None, description="the rule set's own word; needed where there are phases")
    side: Id | None = Field(None, description="whose turn it is")
    group: Id | None = Field(None, description="the group that has been activated")


class DoRow(Row):
    """One thing done: an action of the rule set, 'begin' (the battle opens) or 'proceed' (what needs no decision)."""

    action: Title
    unit: Id | None = None
    target: Id | None = None
    side: Id | None = Field(None, description="whose action; the side to move unless given")
    options: Block = Field({}, description="its options by name")


class ExpectRow(Row):
    """The expected outcome; only the keys given are compared."""

    allowed: bool | None = Field(None, description="whether the last action may be done; false: it is not done")
    rules: list[str] | None = Field(None, description="the ids of the rules that forbid the last action")
    refused: Title | None = Field(None, description="words of the message with which the scene is refused")
    holds: bool | None = Field(None, description="the answer to the question")
    measured: Block | None = Field(None, description="what the answer measured, by name")
    records: dict[str, list[Block] | Block | None] | None = Field(
        None, description="what was put on record under a heading: all of it in order, the first, or null for nothing"
    )
    units: dict[str, Block | None] | None = Field(None, description="units afterwards; null for one that is gone")
    memory: Block | None = None
    scores: dict[str, float] | None = None
    clock: Block | None = None
    outcome: Block | None = None
    thrown: list[str] | None = Field(None, description="what each die was thrown for, in order")
    odds: dict[str, float] | None = Field(None, description="the chance of each result of the last action")
    pending: Title | None = Field(None, description="the kind of decision that is asked for")
    tables: Block | None = Field(None, description="numbers of the rule set's tables.toml by dotted name")
    chance: float | None = Field(
        None, ge=0, le=1, description="the chance that all else here comes out, over every throw there can be"
    )
    mean: dict[str, float] | None = Field(
        None, description="the mean of a number on record, over every throw there can be: {'fire.hits': 2.0}"
    )


class CaseRow(Row):
    """One case."""

    case: Id = Field(description="its name, once in a file")
    rule: Title | None = Field(None, description="the rules it works out, for readers")
    like: Id | None = Field(None, description="an earlier case, whose keys count unless this one gives its own")
    scene: str | Block | None = Field(None, description="a scene or scenario: a file's name, or written out")
    set: dict[str, Block | None] = Field({}, description="keys of units of a scene written out; null takes one away")
    rulings: Rulings = Field({}, description="departures from the default rulings")
    clock: ClockRow | None = None
    seed: int = 1
    marks: dict[str, Block] = Field({}, description="marks that units carry at the beginning")
    memory: Block = Field({}, description="what the rule set remembers of the battle so far")
    do: list[DoRow] = Field([], description="what is done, one after another")
    dice: Throws = Field([], description="every throw, as players read it; all must be made, and no more")
    rest: float | None = Field(None, description="what every throw after those shows; without it there must be none")
    question: Title | None = Field(None, description="a question to the judge instead of something done")
    args: list[Id] = Field([], description="the units it asks about")
    options: Block = Field({}, description="its options by name")
    expect: ExpectRow
    notes: Notes | None = None
