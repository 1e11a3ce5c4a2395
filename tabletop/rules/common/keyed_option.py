"""Options of a scenario that may be lists of values, or be given for single units besides the sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.rules.rule_set import Option


@dataclass(frozen=True)
class KeyedOption(Option):
    """An option that with ``several`` may be a list of values, and with ``by_unit`` be given for units by their ids.

    >>> edges = KeyedOption("edge", "AGE-RAL-04", "its own edge", "behind", ("north", "south"), several=True)
    >>> edges.fault(["north", "south"]), edges.fault(["up"])
    (None, 'it must be north or south, or a list of these')
    """

    by_unit: bool = False
    several: bool = False

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
