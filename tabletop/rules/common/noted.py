"""Which rulings an answer looked up: if only others change, the answer is the same and need not be computed again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit

T = TypeVar("T")


class Noted(Mapping[str, Any]):
    """Rulings that note which of them were looked up; the others cannot have affected the answer.

    ``instead`` holds values returned in place of some of them, which are not noted.

    >>> noted = Noted({"limber_gap": False, "leaving_zone": "free"})
    >>> noted["leaving_zone"], noted.read
    ('free', {'leaving_zone'})
    """

    def __init__(self, values: Mapping[str, Any], instead: Mapping[str, Any] | None = None) -> None:
        self._values, self._instead = values, instead or {}
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        if name in self._instead:
            return self._instead[name]
        self.read.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, eq=False)
class _Kept(Generic[T]):
    """One result: what it is about, and the rulings that were looked up, with their values."""

    battle: Battle
    unit: Unit
    key: Hashable
    read: Mapping[str, Any]
    result: T


@dataclass(eq=False)
class PerRulings(Generic[T]):
    """The last ``most`` results about a unit in a battle, each valid whatever the rulings it did not look up.

    The rest of the battle and the unit are compared by identity, since they never change.
    """

    most: int
    kept: deque[_Kept[T]] = field(default_factory=deque)

    def of(
        self,
        battle: Battle,
        unit: Unit,
        key: Hashable,
        make: Callable[[Battle], T],
        instead: Mapping[str, Any] | None = None,
    ) -> T:
        """Return ``make(battle)``, cached under ``key``, with the values of ``instead`` in place of some rulings."""
        for entry in self.kept:
            same = entry.key == key and entry.unit is unit and _alike(entry.battle, battle)
            if same and all(battle.rulings[name] == value for name, value in entry.read.items()):
                return entry.result
        noted = Noted(battle.rulings, instead)
        result = make(replace(battle, rulings=noted))
        read = {name: battle.rulings[name] for name in noted.read}
        self.kept.appendleft(_Kept(battle, unit, key, read, result))
        while len(self.kept) > self.most:
            self.kept.pop()
        return result


def _alike(one: Battle, other: Battle) -> bool:
    """Return whether two battles differ at most in their rulings."""
    return all(getattr(one, f.name) is getattr(other, f.name) for f in fields(Battle) if f.name != "rulings")
