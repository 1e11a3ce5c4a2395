"""A bounded cache of answers about tables, terrain and units, keyed by these and all else an answer depends on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tabletop.geometry.terrain import Table

T = TypeVar("T")

#: What an answer is about: a table, or immutable objects (pieces of terrain, units, rulings) that other tables and
#: battles may share.
About = Table | tuple[object, ...]


@dataclass(eq=False)
class Cache(Generic[T]):
    """The last ``most`` answers about tables or other objects, each under a key of everything else it depends on.

    Tables and objects are compared by identity: they are immutable, and the cache keeps them alive as long as the
    answer.
    """

    most: int
    kept: OrderedDict[Hashable, tuple[About, T]] = field(default_factory=OrderedDict)

    def get(self, about: About, key: Hashable) -> tuple[T] | None:
        """Return the cached answer in a tuple of one, or None if there is none."""
        whole = _identity(about), key
        entry = self.kept.get(whole)
        if entry is None:
            return None
        self.kept.move_to_end(whole)
        return (entry[1],)

    def of(self, about: About, key: Hashable, make: Callable[[], T]) -> T:
        """Return the answer cached under ``key``; compute and cache it if there is none."""
        cached = self.get(about, key)
        if cached is not None:
            return cached[0]
        return self.keep(about, key, make())

    def keep(self, about: About, key: Hashable, answer: T) -> T:
        """Cache an answer under ``key`` as the most recent one, and return it."""
        whole = _identity(about), key
        self.kept[whole] = about, answer
        self.kept.move_to_end(whole)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return answer


def _identity(about: About) -> Hashable:
    return id(about) if isinstance(about, Table) else tuple(map(id, about))
