"""The model of chance as read from ``model.yaml``: every number with its basis, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from yaml import YAMLError

from tabletop.errors import Broken
from tabletop.rules.common.data import yaml_of
from tabletop.rules.tse.morale.status import STATUSES, Effect

Probability = float
Basis = Literal["source", "ruling", "reconstruction"]
Fact = str | bool
QUALITIES = ("elite", "veteran", "average", "poor")
FAMILIES = ("infantry", "cavalry", "artillery", "transport")
TROOPS = (
    "infantry", "light-cavalry", "heavy-cavalry", "heavy-foot-artillery", "light-foot-artillery", "horse-artillery",
    "transport",
)  # fmt: skip
FORMATIONS = ("deployed", "maneuver-column", "square", "march-column")
ODDS = (
    "actor-badly-outnumbered", "actor-outnumbered", "forces-even", "target-outnumbered", "target-badly-outnumbered",
)  # fmt: skip
COVERS = ("none", "soft", "hard", "fortification")
BANDS = ("0-3", "3-6", "6-9", "9-12")
YES_NO = (True, False)
#: The facts a factor's condition may depend on, with their possible values.
FACTS: Mapping[str, tuple[Fact, ...]] = {
    "action": ("deployed-fire", "advancing-fire", "assault"),
    "actor": TROOPS,
    "actor_family": FAMILIES,
    "actor_quality": QUALITIES,
    "actor_disordered": YES_NO,
    "target": TROOPS,
    "target_family": FAMILIES,
    "target_quality": QUALITIES,
    "target_formation": FORMATIONS,
    "target_disordered": YES_NO,
    "target_demoralized": YES_NO,
    "cover": COVERS,
    "range": BANDS,
    "odds": ODDS,
    "frontal": YES_NO,
    "countercharge": YES_NO,
    "emergency_square": YES_NO,
    "supported": YES_NO,
}  # fmt: skip


class Row(BaseModel):
    """A part of the file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class Entry(Row):
    """An entry with numbers, their basis and their rule."""

    basis: Basis
    rule: str = Field(pattern=r"TSE-[A-Z]+-\d+[a-z]?$")


class Initiative(Entry):
    attacker: Probability = Field(ge=0, le=1)


class Number(Entry):
    value: float = Field(alias="is")


class Times(Entry):
    times: float = Field(ge=0)


class Add(Entry):
    add: float


class Rated(Entry):
    like: str = Field(alias="as")


class OrderRow(Entry):
    lost: Probability = Field(ge=0, lt=1)
    delayed: Probability = Field(ge=0, lt=1)


class Orders(Row):
    quality: dict[str, OrderRow]
    rated: dict[str, Rated]
    actions: dict[str, Times]
    general: Times


class Success(Entry):
    success: Probability = Field(ge=0, le=1)


class Regroup(Row):
    quality: dict[str, Success]
    families: dict[str, Success]
    demoralized: Add
    general: Add
    most: Number
    full: Number


class OverrunRow(Entry):
    killed: Probability = Field(ge=0, le=1)
    captured: Probability = Field(ge=0, le=1)


class Overrun(Row):
    others: OverrunRow
    cavalry: OverrunRow


class Morale(Row):
    base: Number
    slope: Number
    destroyed: Number
    senior: Number
    low: Number
    high: Number
    half: Number


class Word(Entry):
    word: str
    start: float = Field(alias="from", ge=0, lt=1)


class Distances(Entry):
    long: float = Field(gt=0)
    short: float = Field(gt=0)


class EmergencySquare(Row):
    quality: dict[str, Number]
    disordered: Times
    not_frontal: Times


class Weight(Row):
    """A number that belongs to no rule."""

    value: float = Field(alias="is")
    basis: Basis


class Worth(Row):
    quality: dict[str, Weight]
    troops: dict[str, Weight]
    status: dict[str, Weight]
    back: dict[str, Weight]
    general: Weight
    action: Weight
    point: Weight
    victory: Weight


class FactorRow(Entry):
    """A modifier: its name, the facts under which it counts (all of them), and what it adds to the score."""

    name: str
    when: dict[str, Fact | list[Fact]]
    add: float

    @field_validator("when")
    @classmethod
    def _known(cls, when: dict[str, Fact | list[Fact]]) -> dict[str, Fact | list[Fact]]:
        for key, value in when.items():
            if key not in FACTS:
                raise ValueError(f"no fact '{key}'; there are: {', '.join(FACTS)}")
            for one in value if isinstance(value, list) else [value]:
                if one not in FACTS[key]:
                    raise ValueError(f"'{key}' is never {one!r}; it is one of: {', '.join(map(str, FACTS[key]))}")
        return when

    def holds(self, facts: Mapping[str, Fact]) -> bool:
        """Return whether every condition is met; a condition on a missing fact never is."""
        return all(
            facts.get(key) in value if isinstance(value, list) else facts.get(key) == value
            for key, value in self.when.items()
        )


class Effects(Row):
    """The effects of an outcome on one side: status, then bases lost, then falling back; or it is broken."""

    status: Effect | None = None
    lose: int = Field(default=0, ge=0)
    back: Literal["short", "long", "start"] | None = None
    broken: bool = False

    @property
    def nothing(self) -> bool:
        """Whether there is no effect at all."""
        return self == Effects()


class Step(Entry):
    """One outcome of a ladder: the score above which it begins, and its effects on either side."""

    name: str
    above: float | None = None
    advance: Literal["home", "stopped", "start"] | None = None
    actor: Effects = Effects()
    target: Effects = Effects()


class Ladder(Row):
    """A graded outcome: factors that make a score, the spread of the draw, and the steps in ascending order."""

    spread: Number
    factors: list[FactorRow]
    steps: list[Step] = Field(alias="ladder", min_length=2)

    @model_validator(mode="after")
    def _ascending(self) -> Ladder:
        first, *others = (step.above for step in self.steps)
        if first is not None or any(above is None for above in others):
            raise ValueError("every step but the first needs 'above', and the first has none")
        heights = [above for above in others if above is not None]
        if any(low >= high for low, high in pairwise(heights)):
            raise ValueError("the steps of a ladder must ascend")
        if self.spread.value <= 0:
            raise ValueError("the spread must be greater than 0")
        return self


class Model(Row):
    """The whole model."""

    version: Literal[3]
    initiative: Initiative
    orders: Orders
    regroup: Regroup
    overrun: Overrun
    morale: Morale
    words: list[Word] = Field(min_length=1)
    fall_back: dict[str, Distances]
    emergency_square: EmergencySquare
    worth: Worth
    fire: Ladder
    defence: Ladder
    melee: Ladder

    @model_validator(mode="after")
    def _whole(self) -> Model:
        _full("orders.quality", self.orders.quality, QUALITIES)
        _full("orders.rated", self.orders.rated, ("artillery", "transport"))
        _full("orders.actions", self.orders.actions, ("deploy", "maneuver", "march", "square", "assault"))
        _full("regroup.quality", self.regroup.quality, QUALITIES)
        _full("regroup.families", self.regroup.families, ("artillery", "transport"))
        _full("fall_back", self.fall_back, TROOPS)
        _full("emergency_square.quality", self.emergency_square.quality, QUALITIES)
        _full("worth.quality", self.worth.quality, QUALITIES)
        _full("worth.troops", self.worth.troops, TROOPS)
        _full("worth.status", self.worth.status, STATUSES)
        _full("worth.back", self.worth.back, ("short", "long", "start"))
        starts = [word.start for word in self.words]
        if starts[0] != 0.0 or sorted(set(starts)) != starts:
            raise ValueError("the words must ascend from 0")
        return self


def _full(name: str, rows: Mapping[str, Any], keys: Sequence[str]) -> None:
    missing, extra = [k for k in keys if k not in rows], [k for k in rows if k not in keys]
    if missing or extra:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has unknown {', '.join(extra)}"
        raise ValueError(f"{name} {wrong}; it needs: {', '.join(keys)}")


@cache
def model() -> Model:
    """Return the model of chance that comes with the program (TSE-APP-10).

    >>> model() is model()
    True
    """
    return model_of(resources.files("tabletop.rules.tse").joinpath("model.yaml").read_text("utf-8"))


def model_of(text: str, name: str = "model.yaml") -> Model:
    """Return the model in ``text``; Broken, with one line naming the error and its place, if it is invalid."""
    try:
        data = yaml_of(text)
        return Model.model_validate(data)
    except YAMLError as error:
        raise Broken(f"{name}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        input_text = "" if isinstance(first["input"], (dict, list, Model)) else f" (given: {first['input']!r})"
        raise Broken(f"{name}: {where or 'the whole'}: {first['msg']}{input_text}") from None
