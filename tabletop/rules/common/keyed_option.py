"""Options of a scenario that may be lists of values, or be given for single units besides the sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table
from tabletop.rules.rule_set import Option

#: What an option may need besides other options.
OBJECTIVES, ON_A_HILL = "objectives", "an objective on a hill and in no house"


@dataclass(frozen=True)
class KeyedOption(Option):
    """An option that with ``several`` may be a list of values, and with ``by_unit`` be given for units by their ids.

    ``needs`` is what a scenario must have too, or the option says nothing: other options by name, ``OBJECTIVES``,
    ``ON_A_HILL``, or several of these of which one will do ("objectives or beyond").

    >>> edges = KeyedOption("edge", "AGE-RAL-04", "its own edge", "behind", ("north", "south"), several=True)
    >>> edges.fault(["north", "south"]), edges.fault(["up"])
    (None, 'it must be north or south, or a list of these')
    """

    by_unit: bool = False
    several: bool = False
    needs: tuple[str, ...] = ()

    def fault(self, value: Any) -> str | None:
        """Return what is wrong with a value, and the cure; None if it is one of those allowed, or a list of them."""
        if not self.several:
            return super().fault(value)
        values = value if isinstance(value, list | tuple) and value else [value]
        wrong = next((fault for each in values if (fault := super(KeyedOption, self).fault(each)) is not None), None)
        return f"{wrong}, or a list of these" if wrong else None


def for_units(option: Option) -> bool:
    """Return whether an option may be given for single units by their ids.

    >>> for_units(Option("night", "AGE-ART-04", "when night falls", "never"))
    False
    """
    return isinstance(option, KeyedOption) and option.by_unit


def lack(option: Option, options: Mapping[str, Any], objectives: Sequence[Point], table: Table) -> str | None:
    """Return what a scenario lacks without which an option it gives says nothing, and the cure; None if nothing.

    ``options`` are all that the scenario gives, ``objectives`` the points of its objectives in table units. An option
    left at its default needs nothing.

    >>> far = KeyedOption("far", "AGE-WIN-01", "both", False, (True, False), needs=("objectives or beyond",))
    >>> lack(far, {"far": True}, [], Table.of("mm", 600, 400))
    "it says nothing without objectives or 'beyond'; add one of them or remove this option"
    >>> lack(far, {"far": True, "beyond": 300}, [], Table.of("mm", 600, 400))
    """
    values = [value for _, value in each(option, options[option.name])]
    if not isinstance(option, KeyedOption) or all(value == option.default for value in values):
        return None
    there = {
        **dict.fromkeys(options, True),
        OBJECTIVES: bool(objectives),
        ON_A_HILL: any(table.level_at(at) > 0 and not _in_house(table, at) for at in objectives),
    }
    for need in option.needs:
        any_of = need.split(" or ")
        if not any(there.get(name) for name in any_of):
            named = " or ".join(name if name in (OBJECTIVES, ON_A_HILL) else f"'{name}'" for name in any_of)
            cure = "add it" if len(any_of) == 1 else "add one of them"
            return f"it says nothing without {named}; {cure} or remove this option"
    return None


def _in_house(table: Table, at: Point) -> bool:
    return any(shapely.intersects_xy(house.shape, *at) for house in table.of_movement("town"))


def each(option: Option, value: Any) -> Iterator[tuple[str | None, Any]]:
    """Yield (side or unit, its value) of the value a scenario gives an option; (None, value) if it gives one for all.

    >>> list(each(Option("edge", "AGE-RAL-04", "its own edge", "behind", by_side=True), {"french": "south"}))
    [('french', 'south')]
    """
    keyed = (option.by_side or for_units(option)) and isinstance(value, Mapping)
    yield from value.items() if keyed else ((None, value),)


def given(options: Mapping[str, Any], name: str, *who: str) -> Any:
    """Return the value of a scenario's option for the first of some units or sides that it names; None without one.

    A value that is given for all counts for everybody.

    >>> options = {"edge": {"french": "south"}, "night": 12}
    >>> given(options, "edge", "guards", "french"), given(options, "edge", "allied"), given(options, "night", "allied")
    ('south', None, 12)
    """
    value = options.get(name)
    if not isinstance(value, Mapping):
        return value
    return next((value[each] for each in who if each in value), None)
