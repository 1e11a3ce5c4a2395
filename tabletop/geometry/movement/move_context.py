"""Everything that bears on where a mover can go, and the places it goes on from."""

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
#: A place and which way a front there faces (radians).
Standing = tuple[Point, float]


class Turns(Protocol):
    """How far fronts can turn on their middles, to the left and to the right."""

    def __call__(self, mid: Point, facing: float) -> tuple[float, float]: ...

    def at(self, standing: Sequence[Standing]) -> list[tuple[float, float]]: ...


@dataclass(frozen=True)
class Wheel:
    """What bears on turns on the middle of a front: how far (radians) to the left and to the right there is room.

    ``charged`` whether a turn costs anything. Where there are obstacles about, ``meets`` (2, bases, meetings): after
    what turns to the left and to the right each base meets one. Where there is rough ground, how long each base has
    been in it: ``slow`` (2, moments, bases) after a turn to the left and to the right.
    """

    left: float
    right: float
    charged: bool
    meets: np.ndarray | None
    slow: np.ndarray | None


@dataclass(frozen=True)
class MoveContext:
    """Everything that bears on where a mover can go.

    ``files`` the column with its prices, ``pivot`` the point it forms about, its front ``offset`` ahead of that;
    ``keep`` what it keeps its distance from, ``friends`` where it may not end, ``room`` (x0, y0, x1, y1) of the
    table, ``pad`` a disc's radius, ``gates`` places by which gaps are passed. ``forms(bearings)`` tells in which
    facings it can form; ``turns(mid, facing)`` how far it can turn on the middle of its front, to the left and to the
    right. Bearings are radians clockwise from north.

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
        """All friends as shapes not to end in."""
        return Crowd.of(self.friends)

    @cached_property
    def surroundings(self) -> Surroundings:
        """All that advances may meet."""
        return Surroundings.of(self.files, self.ground, self.keep, self.pivot, self.span)

    @cached_property
    def wheels(self) -> dict[tuple[Point, float], Wheel]:
        """What bears on turns at places looked at before, by place and facing."""
        return {}

    def may_turn(self, mid: Point, facing: float, bearings: np.ndarray) -> np.ndarray:
        """Return (n,) to which ``bearings`` (n,) the front can turn on its middle."""
        left, right = self.turns(mid, facing)
        turn = np.remainder(bearings - facing + math.pi, 2 * math.pi) - math.pi
        return np.asarray((turn >= -left - 1e-12) & (turn <= right + 1e-12))

    @property
    def span(self) -> float:
        """The farthest the front can get from the pivot at best."""
        return self.offset + self.budget * self.files.cost_model.road


@dataclass(order=True)
class Node:
    """A place a further fan starts from: how it was reached. Ordered by what has been spent."""

    cost: float
    at: Point = field(compare=False)
    facing: float | None = field(compare=False)
    spent: Spent = field(compare=False)
    way: tuple[Point, ...] = field(compare=False)

    @classmethod
    def first(cls, context: MoveContext) -> Node:
        """Return where a mover forms, free to face any way."""
        return cls(0.0, context.pivot, None, Spent(0.0, (0.0,) * context.files.count), ())


class Nodes(tuple[Node, ...]):
    """Places to go on from, and what is known of all of them at once."""

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Nodes:
        """Return ``nodes`` themselves, if what is known of them is kept already."""
        return nodes if isinstance(nodes, Nodes) else cls(nodes)

    @cached_property
    def at(self) -> np.ndarray:
        """Where they are (k, 2)."""
        return np.array([node.at for node in self]).reshape(-1, 2)

    @cached_property
    def cost(self) -> np.ndarray:
        """What it has cost to get there (k,)."""
        return np.array([node.cost for node in self])

    @cached_property
    def free(self) -> np.ndarray:
        """Which (k,) are free to face any way."""
        return np.array([node.facing is None for node in self], bool)

    @cached_property
    def facing(self) -> np.ndarray:
        """Which way they face (k,), radians; 0 where they are free to face any way."""
        return np.array([float(node.facing or 0.0) for node in self])

    def kept(self, what: str, context: MoveContext, find: Callable[[], T]) -> T:
        """Return what ``find`` tells of them in a context; found once, unless another context comes between."""
        held = self._kept.get(what)
        if held is None or held[0] is not context:
            held = self._kept[what] = context, find()
        found: T = held[1]
        return found

    @cached_property
    def _kept(self) -> dict[str, tuple[MoveContext, Any]]:
        return {}


def directions_of(bearings: np.ndarray) -> np.ndarray:
    """Return the unit vectors (n, 2) of bearings in radians, clockwise from north."""
    return np.column_stack([np.sin(bearings), np.cos(bearings)])
