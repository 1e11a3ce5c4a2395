"""Everything that affects where a mover can go, and the places it continues from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.advance_cost import Files, Spent
from tabletop.geometry.movement.ground import Ground
from tabletop.geometry.movement.nearby_edges import Corners, Crowd, Surroundings

T = TypeVar("T")
Forms = Callable[[np.ndarray], np.ndarray]
#: A place and the facing of a front there (radians).
Standing = tuple[Point, float]


class Turns(Protocol):
    """How far fronts can turn about their middles, to the left and to the right."""

    def __call__(self, mid: Point, facing: float) -> tuple[float, float]: ...

    def at(self, standing: Sequence[Standing]) -> list[tuple[float, float]]: ...


@dataclass(frozen=True)
class Wheel:
    """What limits and slows turns about the middle of a front: ``left`` and ``right`` are the room to turn (radians).

    ``charged`` is whether a turn costs anything. With obstacles around, ``meets`` (2, bases, meetings) are the turns to
    the left and to the right after which each base meets one. With rough ground around, ``slow`` (2, moments, bases) is
    how long each base has been in it by each moment of a turn to the left and to the right.
    """

    left: float
    right: float
    charged: bool
    meets: np.ndarray | None
    slow: np.ndarray | None


@dataclass(frozen=True)
class MoveContext:
    """Everything that affects where a mover can go.

    ``files`` is the column with its costs, ``pivot`` the point it forms about, with its front ``offset`` ahead of that;
    ``keep`` what it keeps its distance from, ``friends`` where it may not end, ``room`` (x0, y0, x1, y1) of the table,
    ``pad`` a disc's radius, ``gates`` waypoints for passing gaps. ``forms(bearings)`` returns the facings in which it
    can form; ``turns(mid, facing)`` how far it can turn about the middle of its front, to the left and to the right.
    Bearings are radians clockwise from north.

    >>> import math
    >>> import numpy as np
    >>> from tabletop.geometry import Base, Body, Files, Outlines, MoveContext, Table, CostModel, ground_of
    >>> body = Body.of([Base(10.0, 9.5, 0.0, 1.0, 1.0)], [0], 0.0)
    >>> context = MoveContext(
    ...     files=Files.of(body, CostModel(rough=2.0, linear=2.0, choke=1.0, road=2.0)),
    ...     ground=ground_of(Table.of("in", 20, 20)), pivot=body.mid, offset=0.0, budget=6.0, keep=Outlines.of([]),
    ...     friends=(), room=(0.0, 0.0, 20.0, 20.0), forms=lambda bearings: np.ones(len(bearings), bool),
    ...     turns=lambda mid, facing: (math.inf, math.inf))
    >>> context.span
    12.0
    """

    files: Files
    ground: Ground
    pivot: Point
    offset: float
    budget: float
    keep: Outlines
    friends: tuple[BaseGeometry, ...]
    room: tuple[float, float, float, float]
    forms: Forms
    turns: Turns
    pad: float = 0.0
    free_turns: bool = False
    gates: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))

    @cached_property
    def corners(self) -> Corners:
        """Corners beside which advances may jump or bend."""
        return Corners.of(self.files, self.ground, self.keep, self.friends)

    @cached_property
    def crowd(self) -> Crowd:
        """All friends, as shapes the unit must not end in."""
        return Crowd.of(self.friends)

    @cached_property
    def surroundings(self) -> Surroundings:
        """Everything that advances may meet."""
        return Surroundings.of(self.files, self.ground, self.keep, self.pivot, self.span)

    @cached_property
    def wheels(self) -> dict[tuple[Point, float], Wheel]:
        """Cached limits on turns, by place and facing."""
        return {}

    def may_turn(self, mid: Point, facing: float, bearings: np.ndarray) -> np.ndarray:
        """Return a mask (n,) of the ``bearings`` (n,) to which the front can turn about its middle."""
        left, right = self.turns(mid, facing)
        turn = np.remainder(bearings - facing + math.pi, 2 * math.pi) - math.pi
        return np.asarray((turn >= -left - 1e-12) & (turn <= right + 1e-12))

    @property
    def span(self) -> float:
        """The farthest the front can get from the pivot at best."""
        return self.offset + self.budget * self.files.cost_model.road


@dataclass(order=True)
class Node:
    """A place to start a further fan from, and how it was reached. Ordered by cost."""

    cost: float
    at: Point = field(compare=False)
    facing: float | None = field(compare=False)
    spent: Spent = field(compare=False)
    way: tuple[Point, ...] = field(compare=False)

    @classmethod
    def first(cls, context: MoveContext) -> Node:
        """Return the node where a mover forms, free to face any way."""
        return cls(0.0, context.pivot, None, Spent(0.0, (0.0,) * context.files.count), ())


class Nodes(tuple[Node, ...]):
    """Places to continue from, with arrays of their properties."""

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Nodes:
        """Return ``nodes`` as ``Nodes``; the same object if they are already, to keep what it has cached."""
        return nodes if isinstance(nodes, Nodes) else cls(nodes)

    @cached_property
    def at(self) -> np.ndarray:
        """Where they are (k, 2)."""
        return np.array([node.at for node in self]).reshape(-1, 2)

    @cached_property
    def cost(self) -> np.ndarray:
        """What it cost to get there (k,)."""
        return np.array([node.cost for node in self])

    @cached_property
    def free(self) -> np.ndarray:
        """Which of them (k,) are free to face any way."""
        return np.array([node.facing is None for node in self], bool)

    @cached_property
    def facing(self) -> np.ndarray:
        """Their facings (k,), radians; 0 for those free to face any way."""
        return np.array([float(node.facing or 0.0) for node in self])

    def kept(self, what: str, context: MoveContext, find: Callable[[], T]) -> T:
        """Return what ``find`` returns for them in a context; cached until another context is used."""
        held = self._kept.get(what)
        if held is None or held[0] is not context:
            held = self._kept[what] = context, find()
        value: T = held[1]
        return value

    @cached_property
    def _kept(self) -> dict[str, tuple[MoveContext, Any]]:
        return {}


def directions_of(bearings: np.ndarray) -> np.ndarray:
    """Return the unit vectors (n, 2) of bearings in radians, clockwise from north."""
    return np.column_stack([np.sin(bearings), np.cos(bearings)])
