"""The battle: a table, the units on it, and the rulings it is judged by."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tabletop.battle.progress import Arrival, Clock, Decision, Fallen, Outcome, Setup
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Tape
from tabletop.geometry.terrain import Table


@dataclass(frozen=True)
class Battle:
    """The whole game: the table, the units sorted by id, the rule set's name, every ruling's value, and its progress.

    A scene that was only laid out for the judge has the clock at turn 0 and nothing pending. ``returning`` holds when
    and where the units that left the table in the battle may come back. ``memory`` is the rule set's own notebook,
    plain data under keys it declares.
    """

    rules: str
    table: Table
    units: tuple[Unit, ...]
    rulings: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    setup: Setup = field(default_factory=Setup)
    clock: Clock = field(default_factory=Clock)
    pending: tuple[Decision, ...] = ()
    seed: int = 0
    throws: int = 0
    awaited: tuple[Unit, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    memory: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    outcome: Outcome | None = None
    returning: Mapping[str, Arrival] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rules: str, table: Table, units: Iterable[Unit], rulings: Mapping[str, Any] | None = None, title: str = ""
    ) -> Battle:
        """Return a battle with its units sorted by id, each assigned to the rules; ``rulings`` must hold every value
        already."""
        own = (unit if unit.rules else replace(unit, rules=rules) for unit in units)
        return cls(rules, table, tuple(sorted(own, key=lambda u: u.id)), dict(rulings or {}), title)

    @property
    def tape(self) -> Tape:
        return self.table.tape

    @property
    def scale(self) -> float:
        """Figure scale: the factor for every length in the rules (TSE-SCL-01)."""
        return self.table.scale

    @cached_property
    def _by_id(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

    @cached_property
    def _by_side(self) -> dict[str, tuple[Unit, ...]]:
        sides = dict.fromkeys(unit.side for unit in self.units)
        return {side: tuple(unit for unit in self.units if unit.side == side) for side in sides}

    @cached_property
    def _enemies(self) -> dict[str, tuple[Unit, ...]]:
        """The enemies of each side asked about so far."""
        return {}

    def unit(self, id: str) -> Unit:  # noqa: A002 - the files' own word
        """Return the unit with this id; BadQuestion, with the nearest names, if there is none."""
        try:
            return self._by_id[id]
        except KeyError:
            near = difflib.get_close_matches(id, self._by_id, 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(self._by_id)}"
            raise BadQuestion(f"no unit '{id}' on this table{hint}") from None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    def has(self, id: str) -> bool:  # noqa: A002 - the files' own word
        """Return whether a unit with this id stands on the table."""
        return id in self._by_id

    def anyone(self, id: str) -> Unit:  # noqa: A002 - the files' own word
        """Return the unit with this id, on the table or still to come; BadQuestion if there is none."""
        return next((u for u in self.awaited if u.id == id), None) or self.unit(id)

    def someone(self, id: str) -> Unit | None:  # noqa: A002 - the files' own word
        """Return the unit with this id, on the table, still to come or fallen; None if there never was one."""
        if self.has(id):
            return self.unit(id)
        off_table = (*self.awaited, *(fallen.unit for fallen in self.fallen))
        return next((unit for unit in off_table if unit.id == id), None)

    def called(self, id: str | None) -> str:  # noqa: A002 - the files' own word
        """Return the name of a unit, on the table, still to come or fallen; the id if there never was one."""
        unit = self.someone(str(id))
        return str(id) if unit is None else unit.called

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """When and where units come on: those of the scenario, but for units that have left since, and the returns."""
        if not self.returning:
            return self.setup.arrivals
        first = (replace(a, units=tuple(u for u in a.units if u not in self.returning)) for a in self.setup.arrivals)
        return (*(arrival for arrival in first if arrival.units), *self.returning.values())

    def side(self, name: str) -> tuple[Unit, ...]:
        """Return all units of one side on the table, generals included."""
        return self._by_side.get(name, ())

    def bases(self, side: str) -> tuple[int, int]:
        """Return how many bases a side has, those still to come included, and how many are still to come; generals
        not counted."""
        present, coming = (
            sum(unit.strength for unit in units if unit.side == side and not unit.is_general)
            for units in (self.units, self.awaited)
        )
        return present + coming, coming

    def friends(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the other units of its side, generals left out."""
        return tuple(u for u in self.side(unit.side) if u.id != unit.id and not u.is_general)

    def enemies(self, unit: Unit) -> tuple[Unit, ...]:
        """Return the units of other sides, generals left out."""
        if unit.side not in self._enemies:
            self._enemies[unit.side] = tuple(u for u in self.units if u.side != unit.side and not u.is_general)
        return self._enemies[unit.side]

    def with_unit(self, unit: Unit) -> Battle:
        """Return this battle with the unit of the same id replaced."""
        return replace(self, units=tuple(unit if u.id == unit.id else u for u in self.units))

    def without(self, id: str) -> Battle:  # noqa: A002 - the files' own word
        """Return this battle with the unit of that id taken off the table."""
        return replace(self, units=tuple(u for u in self.units if u.id != id))

    def with_ruling(self, name: str, value: Any) -> Battle:
        """Return this battle with one ruling changed."""
        return replace(self, rulings={**self.rulings, name: value})
