"""Dice: faces drawn from (seed, index), scripted faces, and every possible face.

A resolver uses chance in two ways only: ``die`` (a face) and ``grade`` (one of several outcomes whose probabilities it
states, and how high the draw was). So the same resolver code plays a battle, follows a script in a test or a lesson,
and, run once for every course chance can take, gives the exact odds.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

#: Number of faces of the die for graded outcomes: so many that no probability is off by more than 1e-9.
FINE = 2**32

Result = TypeVar("Result")


class Chance(Protocol):
    """A source of chance."""

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        """Return a face from 1 to ``sides``, all equally likely.

        ``cuts`` are the faces at which the consequences change, for dice of many sides: where every course of chance is
        followed, one face stands for all those between two cuts. Without cuts each face is followed.
        """

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        """Return the index of the outcome drawn, and how high the draw was in (0, 1); None if it has no height.

        Outcomes are in ascending order: a higher draw never gives an earlier one.
        """


def face(seed: int, index: int, sides: int) -> int:
    """Return the face of throw number ``index`` of a battle: the same on every machine.

    >>> [face(7, index, 6) for index in range(5)] == [face(7, index, 6) for index in range(5)]
    True
    """
    digest = hashlib.sha256(f"tabletop {seed} {index}".encode()).digest()
    return 1 + (int.from_bytes(digest[:8], "big") * sides >> 64)


def graded(draw: float, probabilities: Sequence[float]) -> int:
    """Return the index of the outcome that a draw in (0, 1) gives; probabilities are in ascending order of outcome."""
    top = 0.0
    for number, probability in enumerate(probabilities):
        top += probability
        if draw < top:
            return number
    return max(number for number, probability in enumerate(probabilities) if probability > 0.0)


@dataclass
class ScriptedDice:
    """Chance as scripted, for tests and lessons: faces for ``die``, draws in (0, 1) for ``grade``.

    A throw takes the next entry of ``purposes`` under its own purpose, else the next of ``script``. When both have run
    out, ``rest`` gives each further face or draw (for a grade, a ``rest`` of 1 or more counts as a face of a six-sided
    die); without it they are drawn from ``seed``, the same on every machine.

    >>> dice = ScriptedDice([4], purposes={"orders": [6]}, rest=1)
    >>> dice.die("fire"), dice.die("orders"), dice.die("orders")
    (4, 6, 1)
    """

    script: list[float] = field(default_factory=list)
    thrown: list[str] = field(default_factory=list)
    purposes: Mapping[str, Sequence[float]] = field(default_factory=dict)
    rest: float | None = None
    seed: int = 0
    _used: Counter[str] = field(default_factory=Counter, repr=False)

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        written = self._next(purpose)
        if written is not None:
            return int(written)
        return face(self.seed, len(self.thrown), sides) if self.rest is None else max(1, min(sides, int(self.rest)))

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        draw = self._next(purpose)
        if draw is None:
            draw = self._drawn()
        return graded(draw, probabilities), draw

    def _next(self, purpose: str) -> float | None:
        """Return the scripted entry for this throw, None if there is none, and add the throw to ``thrown``."""
        self.thrown.append(purpose)
        written = self.purposes.get(purpose, ())
        if self._used[purpose] < len(written):
            self._used[purpose] += 1
            return written[self._used[purpose] - 1]
        return self.script.pop(0) if self.script else None

    def _drawn(self) -> float:
        """Return a draw in (0, 1) for a throw without a scripted entry."""
        if self.rest is None:
            return (face(self.seed, len(self.thrown), FINE) - 0.5) / FINE
        return self.rest if self.rest < 1.0 else min(1.0 - 0.5 / 6.0, (self.rest - 0.5) / 6.0)


class _Branch:
    """One course of chance: follows ``path`` as far as it goes, then takes the first possible outcome."""

    def __init__(self, path: Sequence[int]) -> None:
        self._path = path
        self.taken: list[int] = []
        self.weights: list[tuple[float, ...]] = []

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        if not cuts:
            return 1 + self._take((1.0 / sides,) * sides)
        starts = [1, *sorted({cut for cut in cuts if 1 < cut <= sides})]
        widths = [end - start for start, end in zip(starts, [*starts[1:], sides + 1], strict=True)]
        return starts[self._take(tuple(width / sides for width in widths))]

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        return self._take(tuple(probabilities)), None

    def _take(self, weights: tuple[float, ...]) -> int:
        depth = len(self.taken)
        number = self._path[depth] if depth < len(self._path) else _following(weights, -1)
        assert number is not None, "some outcome must be possible"
        self.taken.append(number)
        self.weights.append(weights)
        return number

    @property
    def probability(self) -> float:
        product = 1.0
        for number, weights in zip(self.taken, self.weights, strict=True):
            product *= weights[number]
        return product

    def next_path(self) -> list[int] | None:
        for depth in range(len(self.taken) - 1, -1, -1):
            following = _following(self.weights[depth], self.taken[depth])
            if following is not None:
                return [*self.taken[:depth], following]
        return None


def _following(weights: Sequence[float], number: int) -> int | None:
    return next((k for k in range(number + 1, len(weights)) if weights[k] > 0.0), None)


def every_course(resolve: Callable[[Chance], Result]) -> Iterator[tuple[float, Result]]:
    """Yield (probability, result) for every course chance can take through ``resolve``, which must be pure.

    >>> [round(p, 3) for p, face in every_course(lambda chance: chance.die("a")) if face > 4]
    [0.167, 0.167]
    """
    path: list[int] | None = []
    while path is not None:
        branch = _Branch(path)
        result = resolve(branch)
        yield branch.probability, result
        path = branch.next_path()


def gathered(draw: Callable[[Chance], Result]) -> dict[Result, float]:
    """Return every distinct result of a draw with its exact probability, in the order in which they first occur.

    >>> gathered(lambda chance: chance.die("a die", cuts=(6,)) >= 6)[True]
    0.16666666666666666
    """
    probabilities: dict[Result, float] = {}
    for probability, result in every_course(draw):
        probabilities[result] = probabilities.get(result, 0.0) + probability
    return probabilities
