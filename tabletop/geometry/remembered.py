"""A short memory of answers about tables: what was worked out once is not worked out again for a question like it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tabletop.geometry.terrain import Table

T = TypeVar("T")


@dataclass(eq=False)
class Memory(Generic[T]):
    """The last ``most`` answers about tables, each under a key that holds all else it depends on.

    A table is told by identity: it never changes, and while an answer is kept its table is kept with it.
    """

    most: int
    kept: OrderedDict[tuple[int, Hashable], tuple[Table, T]] = field(default_factory=OrderedDict)

    def get(self, table: Table, key: Hashable) -> tuple[T] | None:
        """Return the answer, in a tuple of one, or None where none is kept."""
        found = self.kept.get((id(table), key))
        if found is None:
            return None
        self.kept.move_to_end((id(table), key))
        return (found[1],)

    def of(self, table: Table, key: Hashable, make: Callable[[], T]) -> T:
        """Return the answer kept under ``key``, made now if there is none."""
        found = self.get(table, key)
        if found is not None:
            return found[0]
        return self.keep(table, key, make())

    def keep(self, table: Table, key: Hashable, answer: T) -> T:
        """Keep an answer under ``key``, the latest of all, and return it."""
        self.kept[id(table), key] = table, answer
        self.kept.move_to_end((id(table), key))
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return answer
