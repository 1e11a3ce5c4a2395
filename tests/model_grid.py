"""Every combination of facts at once: the scores of a ladder as an array, one axis a field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tabletop.rules.tse.calculator.calculator import split
from tabletop.rules.tse.calculator.forms import kinds
from tabletop.rules.tse.calculator.model_data import BANDS, COVERS, FORMATIONS, ODDS, Fact, Ladder, model
from tabletop.rules.tse.tables import troop

#: One value of a field: the facts it stands for.
Value = dict[str, Fact]
Axes = Mapping[str, list[Value]]


def troops(side: str, *families: str) -> list[Value]:
    """Return every kind of troops as facts of one side."""
    return [_kind(side, name) for name in kinds(*families)]


def _kind(side: str, name: str) -> Value:
    troops, quality = split(name)
    facts: Value = {side: troops, f"{side}_family": troop(troops).family}
    return {**facts, f"{side}_quality": quality} if quality else facts


def plain(key: str, values: tuple[Fact, ...]) -> list[Value]:
    return [{key: value} for value in values]


STATUS: list[Value] = [
    {"target_disordered": False, "target_demoralized": False},
    {"target_disordered": True, "target_demoralized": False},
    {"target_disordered": True, "target_demoralized": True},
]
_BOTH: dict[str, list[Value]] = {
    "target": troops("target"),
    "formation": plain("target_formation", FORMATIONS),
    "cover": plain("cover", COVERS),
    "shaken": plain("actor_disordered", (False, True)),
    "status": STATUS,
    "odds": plain("odds", ODDS),
}
FIRE: Axes = {
    "actor": troops("actor", "infantry", "artillery"),
    "action": plain("action", ("deployed-fire", "advancing-fire")),
    **_BOTH,
    "range": plain("range", BANDS),
}
ASSAULT: Axes = {
    "actor": troops("actor", "infantry", "cavalry"),
    "action": plain("action", ("assault",)),
    **_BOTH,
    "frontal": plain("frontal", (True, False)),
    "countercharge": plain("countercharge", (False, True)),
    "square": plain("emergency_square", (False, True)),
    "supported": plain("supported", (False, True)),
}


@dataclass(frozen=True)
class Grid:
    """The scores of a ladder for every combination of the axes' values."""

    axes: Axes
    scores: np.ndarray

    @classmethod
    def of(cls, stage: str) -> Grid:
        """Return the grid of "fire", "defence" or "melee"."""
        ladder: Ladder = getattr(model(), stage)
        axes = FIRE if stage == "fire" else ASSAULT
        scores = np.zeros([len(values) for values in axes.values()])
        for row in ladder.factors:
            scores += row.add * _where(axes, row.when)
        return cls(axes, scores)

    def facts(self, index: tuple[int, ...]) -> Value:
        """Return the facts of one combination."""
        return {k: v for values, i in zip(self.axes.values(), index, strict=True) for k, v in values[i].items()}

    def at(self, **chosen: object) -> np.ndarray:
        """Return the scores with some axes held at a value, given by its number or by what one of its facts says."""
        index = [self._number(name, chosen[name]) if name in chosen else slice(None) for name in self.axes]
        return np.asarray(self.scores[tuple(index)])

    def only(self, axis: str, fact: str, *values: Fact) -> Grid:
        """Return the grid with only those values of an axis whose ``fact`` is one of ``values``."""
        kept = [i for i, value in enumerate(self.axes[axis]) if value.get(fact) in values]
        axes = {name: [v[i] for i in kept] if name == axis else v for name, v in self.axes.items()}
        return Grid(axes, np.take(self.scores, kept, list(self.axes).index(axis)))

    def _number(self, axis: str, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        return next(i for i, facts in enumerate(self.axes[axis]) if value in facts.values())


def _where(axes: Axes, when: Mapping[str, Fact | list[Fact]]) -> np.ndarray:
    """Return 1 where a factor's conditions hold, as an array that spreads over the grid."""
    held = np.ones([1] * len(axes))
    seen = set[str]()
    for number, values in enumerate(axes.values()):
        keys = [key for key in when if any(key in value for value in values)]
        seen.update(keys)
        one = [float(all(_holds(value.get(key), when[key]) for key in keys)) for value in values]
        shape = [1] * len(axes)
        shape[number] = len(values)
        held = held * np.array(one).reshape(shape)
    return held if seen == set(when) else np.zeros([1] * len(axes))


def _holds(fact: Fact | None, wanted: Fact | list[Fact]) -> bool:
    return fact in wanted if isinstance(wanted, list) else fact == wanted
