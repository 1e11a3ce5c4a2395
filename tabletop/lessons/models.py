"""The format of a lesson's file (``lessons/**/*.yaml``): its keys, their types and sizes.

What the words mean on its table (units, questions, actions) is checked in ``reading``; whether it can be played as
intended, in ``proof``.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from tabletop.play.files.models import (
    Degrees,
    GameRow,
    Id,
    Notes,
    Outline,
    PlaceRow,
    Point,
    Row,
    RulesName,
    Rulings,
    SceneUnitRow,
    Size,
    TableRow,
    TerrainRow,
    Title,
)

FORMAT = "tabletop-lesson/1"
#: Maximum steps of a lesson, conditions in a list, and characters of a line of actions.
MOST_STEPS, MOST_PARTS, LONGEST_ACTS = 12, 20, 400
#: The possible subjects of a condition, which has exactly one: the keys allowed with each, and those it requires.
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "all": ((), ()),
    "any": ((), ()),
    "none": ((), ()),
    "count": (("of",), ("of",)),
    "ask": (("args", "options", "holds", "measured", "margin"), ("args",)),
    "unit": (("within", "inside", "facing", "formation", "status", "bases", "gone", "marks"), ()),
    "did": (("unit", "target", "by"), ()),
    "happened": (("unit", "how", "status", "objective", "by"), ()),
    "objective": (("holder",), ("holder",)),
    "score": (("points",), ("points",)),
    "clock": ((), ()),
    "pending": ((), ()),
    "outcome": ((), ()),
    "odds": (("good",), ("good",)),
}
#: Events a condition may wait for, by their words in the file.
HAPPENINGS = ("lost", "removed", "changed", "taken", "placed", "scored", "converted", "left")
#: Heights of a draw in words: almost the worst for the acting side, the middle, almost the best.
HEIGHTS = {"low": 0.05, "middle": 0.5, "high": 0.95}

_COMPARED = re.compile(r"\s*(<=|>=|<|>|=)?\s*([-+]?\d+(?:\.\d+)?)\s*\Z")
Compared = tuple[str, float]


def comparison(value: Any) -> Compared:
    """Return a comparison as its sign and its number: "<= 3" or 3; ValueError for anything else.

    >>> comparison(">= 0.5"), comparison(4)
    (('>=', 0.5), ('=', 4.0))
    """
    fits = None if isinstance(value, bool) else _COMPARED.match(str(value))
    if fits is None:
        raise ValueError(f"'{value}' is no comparison")
    return fits[1] or "=", float(fits[2])


def _comparison(value: Any) -> Any:
    try:
        comparison(value)
    except ValueError:
        given = str(value)[:40]
        raise PydanticCustomError(
            "word", "'{given}' is no comparison; write a number, or one with a sign: '<= 3'", {"given": given}
        ) from None
    return value


def _height(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 10_000
    if number or (isinstance(value, str) and value in HEIGHTS):
        return value
    raise PydanticCustomError(
        "word",
        "'{given}' is no draw; write a face (4), a height between 0 and 1, or low, middle, high",
        {"given": str(value)[:40]},
    )


def _in_a_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _as_text(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


_SIGNED = WithJsonSchema({"type": ["number", "string"], "description": "3, '<= 3', '> 0.5'"})
Comparison = Annotated[Any, AfterValidator(_comparison), _SIGNED]
Height = Annotated[Any, AfterValidator(_height), WithJsonSchema({"type": ["number", "string"]})]
Heights = Annotated[list[Height], BeforeValidator(_in_a_list), Field(min_length=1, max_length=50)]
Acts = Annotated[str, Field(min_length=1, max_length=LONGEST_ACTS)]
Text = Annotated[str, Field(min_length=1, max_length=600)]


class AskRow(Row):
    """A question for the judge."""

    ask: Id = Field(description="a question of the judge: los, fire, arc, assault, zone ...")
    args: Annotated[list[Id], Field(max_length=2)] = Field(description="the units it is about, by id")
    options: dict[str, Any] = Field({}, description="as 'tabletop judge' takes them: {to: [8, 9], facing: 90}")


class WithinRow(Row):
    """The maximum distance of a unit from something."""

    d: Size = Field(description="so near or nearer, in the table's unit, edge to edge")
    of: Any = Field(description="a unit's id, a piece of terrain's id, or a point [x, y]")


class FacingRow(Row):
    """The direction in which a unit must face."""

    toward: Any = Field(description="a unit's id, a point [x, y], or degrees clockwise from north")
    within: Degrees = Field(description="how many degrees off are allowed, either way")


class ClockRow(Row):
    """A state of the clock."""

    turn: Comparison | None = None
    phase: Id | None = None
    side: Id | None = None


class ConditionRow(Row):
    """A condition on the battle: exactly one subject, with the keys that belong to it."""

    all: Annotated[list[ConditionRow], Field(max_length=MOST_PARTS)] | None = None
    any: Annotated[list[ConditionRow], Field(max_length=MOST_PARTS)] | None = None
    none: Annotated[list[ConditionRow], Field(max_length=MOST_PARTS)] | None = None
    count: Comparison | None = Field(None, description="how many of the conditions in 'of' hold")
    of: Annotated[list[ConditionRow], Field(max_length=MOST_PARTS)] | None = None
    ask: Id | None = Field(None, description="a question of the judge")
    args: Annotated[list[Id], Field(max_length=2)] | None = None
    options: dict[str, Any] | None = None
    holds: bool | None = Field(None, description="the answer it must have; true unless said")
    measured: dict[str, Comparison] | None = Field(None, description="measured values: {range: '<= 9'}")
    margin: Comparison | None = None
    unit: Id | None = Field(None, description="a unit's state; of an action or event: whose it is")
    within: WithinRow | None = None
    inside: Any = Field(None, description="an outline [[x, y], ...] or a piece of terrain's id")
    facing: FacingRow | None = None
    formation: Id | None = None
    status: Id | None = None
    bases: Comparison | None = None
    gone: bool | None = None
    marks: dict[str, Any] | None = None
    did: Id | None = Field(None, description="an allowed action of this kind has been done since the step began")
    target: Id | None = None
    by: Id | None = Field(None, description="the side that did it; the learner's unless said, 'anybody' for both")
    happened: Literal["lost", "removed", "changed", "taken", "placed", "scored", "converted", "left"] | None = None
    how: Id | None = None
    objective: Id | None = None
    holder: Id | None = None
    score: Id | None = Field(None, description="the side whose points count")
    points: Comparison | None = None
    clock: ClockRow | None = None
    pending: Id | None = Field(None, description="the kind of decision that waits for an answer")
    outcome: Id | None = Field(None, description="the side that has won, or 'draw'")
    odds: Acts | None = Field(None, description="an action as at the prompt")
    good: Comparison | None = Field(None, description="the chance that it brings something good: '>= 0.5'")


class HintRow(Row):
    """A hint; if it has a question, the proof is drawn as well."""

    text: Text
    show: AskRow | None = None


class WrongRow(Row):
    """A typical wrong attempt, and the reason the learner is given."""

    acts: Acts = Field(description="as at the prompt, several after ';'")
    rule: Id = Field(description="the rule of the weightiest reason")
    measured: float | None = Field(None, description="what was measured there")
    limit: float | None = Field(None, description="the limit it was measured against")


class PredictRow(AskRow):
    """A question the learner answers before the proof is shown."""

    place: Annotated[list[PlaceRow], Field(max_length=20)] = Field([], description="units that stand elsewhere for it")


class StepRow(Row):
    """One step of a lesson: something to watch, to do, or to predict."""

    goal: Text
    say: Text | None = None
    watch: Acts | None = Field(None, description="actions shown to the learner; then all is put back")
    until: ConditionRow | None = Field(None, description="what ends the step")
    predict: PredictRow | None = None
    fail: ConditionRow | None = Field(None, description="what ends it without success")
    turns: Annotated[int, Field(ge=1, le=50)] = Field(1, description="how many turns the learner has")
    why: AskRow | None = Field(None, description="asked after an action that was allowed and did not help")
    done: Text | None = Field(None, description="said when the step is done")
    missed: Text | None = Field(None, description="said when its time is up")
    hints: Annotated[list[Annotated[HintRow, BeforeValidator(_as_text)]], Field(max_length=5)] = Field([])
    solution: Acts | None = Field(
        None, description="actions that reach the goal, as at the prompt; 'auto 40': the computer's next forty"
    )
    wrong: Annotated[list[WrongRow], Field(max_length=20)] = Field([])
    place: Annotated[list[PlaceRow], Field(max_length=20)] = Field([], description="units that stand elsewhere")
    mirrored: bool = Field(False, description="true: the position is mirrored, east for west")
    goes_on: bool = Field(False, description="true: from where the step before ended, not from the beginning")


class StartRow(Row):
    """The point in the turn at which the learner begins."""

    acting: Id = Field(description="a unit of the group that acts")
    kind: Id | None = Field(None, description="the kind of action it is about, where that decides the phase")


class SceneBlock(Row):
    """The position: ground and troops, as in a scene."""

    table: TableRow
    terrain: Annotated[list[TerrainRow], Field(max_length=200)] = Field([])
    units: Annotated[list[SceneUnitRow], Field(max_length=100)] = Field([])
    game: GameRow | None = None
    rulings: Rulings = Field({})


class LessonFile(Row):
    """A lesson."""

    format: Literal["tabletop-lesson/1"]
    title: Title
    rules: RulesName
    idea: Text | None = Field(None, description="what it teaches, in a sentence")
    teaches: Annotated[list[Id], Field(min_length=1, max_length=12)] = Field(description="ids of rules")
    learner: Id = Field(description="the learner's side")
    start: StartRow | None = None
    chance: dict[str, Heights] = Field(
        {}, description="draws by what they are for: {orders: high, fire: [0.95, low], rest: middle}"
    )
    enemy: Acts | None = Field(None, description="what the other side does, as at the prompt; nothing unless said")
    against: Id | None = Field(None, description="the computer player that plays the other side: random, greedy ...")
    coach: bool = Field(False, description="true: the coach warns before certain waste, as in a battle")
    scene: SceneBlock
    steps: Annotated[list[StepRow], Field(min_length=1, max_length=MOST_STEPS)]
    credits: Notes | None = None
    notes: Notes | None = None


def outline_of(value: Any) -> Outline | None:
    """Return an outline given as plain data, None for anything else."""
    try:
        points: Outline = [(float(x), float(y)) for x, y in value]
    except (TypeError, ValueError):
        return None
    return points if len(points) > 2 else None


def point_of(value: Any) -> Point | None:
    """Return a point given as plain data, None for anything else."""
    if isinstance(value, list | tuple) and len(value) == 2:
        x, y = value
        if all(isinstance(n, int | float) and not isinstance(n, bool) for n in (x, y)):
            return float(x), float(y)
    return None
