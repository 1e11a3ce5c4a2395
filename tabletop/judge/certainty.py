"""How certain a call is on a table that was measured with a stated error: everything measured is moved at once.

Every unit that may affect the answer is shifted within a disc and turned about its centre-point, every piece of terrain
is shifted, turned and has each of its vertices moved, all independently and uniformly, from a fixed seed. Impossible
placements (overlapping units, units off the table, outlines that cross themselves) are drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside
from tabletop.errors import BadQuestion
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Certainty, Margin
from tabletop.judge.relevance import Relevant, unproved_about
from tabletop.judge.things import Thing, placed
from tabletop.rules.rule_set import Question, Request

PLACEMENTS, SEED = 400, 1815
#: Number of placements with everything on the rim, and of directions in which one thing is moved against all others.
ON_THE_RIM, DIRECTIONS = 400, 16
#: How much more than the error everything is off on the rim: few of the placements within the error that change an
#: answer may ever be drawn, of those somewhat farther out many more are.
BEYOND = 1.5
#: How often one thing is drawn again before it stays where it was measured.
TRIES = 50

Share = Callable[[], float]


@dataclass(frozen=True)
class Error:
    """How far off the measurements of a table may be: lengths in table units, facings in degrees."""

    shift: float
    turn: float

    def exceeds(self, margin: Margin) -> bool:
        """Return whether measuring one thing wrong by no more than this may change a fact."""
        shift, turn = margin.shift, margin.turn
        return (shift is not None and shift <= self.shift) or (turn is not None and turn <= self.turn)


def certainty(
    asked: Question,
    request: Request,
    affecting: Callable[[Error], Relevant],
    error: Error,
    holds: bool,
    margin: Margin,
) -> Certainty:
    """Return the share of the placements within the error in which the answer holds, and whether it is certain.

    ``affecting`` returns what may affect the answer when everything is off by up to an error. Certain means that all
    placements agree, no margin is as small as the error, and the answer also stands in the extreme placements: one
    thing against all others, the full error and the full turn (``Drawing.opposed``), and everything on the rim of half
    as much error again. In addition every search for a sight line must have been completed.
    """
    relevant = affecting(error)
    drawing, answers = Drawing(relevant.battle, relevant.things, error), Answers(asked, request)
    verdicts = [answers.holds(drawing.uniform()) for _ in range(PLACEMENTS)]
    share = sum(verdicts) / len(verdicts)
    redrawn = drawing.redrawn
    certain = share == float(holds) and not error.exceeds(margin)
    certain = certain and all(answers.holds(battle) == holds for battle in drawing.opposed())
    certain = certain and all(answers.holds(battle) == holds for battle in _farther(affecting, error))
    certain = certain and not answers.unproved
    return Certainty(certain, share, len(verdicts), len(relevant.things), redrawn, answers.unproved)


def _farther(affecting: Callable[[Error], Relevant], error: Error) -> Iterator[Battle]:
    """Yield placements with everything off by more than the error (``BEYOND``)."""
    farther = Error(BEYOND * error.shift, BEYOND * error.turn)
    relevant = affecting(farther)
    drawing = Drawing(relevant.battle, relevant.things, farther)
    for _ in range(ON_THE_RIM):
        yield drawing.on_the_rim()


@dataclass
class Answers:
    """A question asked of one placement after another; ``unproved`` as in ``Certainty``."""

    asked: Question
    request: Request
    unproved: int = 0

    def holds(self, battle: Battle) -> bool:
        try:
            return self.asked.answer(battle, self.request.briefly()).holds
        except BadQuestion:
            return False
        finally:
            self.unproved = max(self.unproved, unproved_about(battle, self.request))


@dataclass
class Drawing:
    """Placements of everything that may affect an answer, drawn from one stream of random numbers."""

    battle: Battle
    things: Sequence[Thing]
    error: Error
    redrawn: int = 0
    seed: int = SEED
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)

    def uniform(self) -> Battle:
        """Return a placement drawn uniformly within the error."""
        return self._drawn(lambda: math.sqrt(self.random.uniform()), lambda: self.random.uniform(-1.0, 1.0))

    def on_the_rim(self) -> Battle:
        """Return a placement with every thing off by the full error, each in its own direction."""
        return self._drawn(lambda: 1.0, lambda: float(self.random.choice((-1.0, 1.0))))

    def opposed(self) -> Iterator[Battle]:
        """Yield placements with one thing off by the full error, and all others by as much the other way."""
        for thing in self.things:
            for k in range(DIRECTIONS):
                way = heading(360.0 * k / DIRECTIONS)
                for turn, against in ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0)):
                    yield self._opposed(thing, way, turn, against)

    def _drawn(self, radius: Share, turn: Share) -> Battle:
        bodies: list[Unit | Terrain] = []
        for thing in self.things:
            bodies.append(self._stood(thing, bodies, radius, turn))
        return placed(self.battle, bodies)

    def _stood(self, thing: Thing, before: Sequence[Unit | Terrain], radius: Share, turn: Share) -> Unit | Terrain:
        """Return one thing drawn so that it can stand with those drawn before it."""
        for _ in range(TRIES):
            way, far = heading(self.random.uniform(0.0, 360.0)), self.error.shift * radius()
            body = self._laid(thing, (far * way[0], far * way[1]), self.error.turn * turn(), radius)
            if body is not None and self._can_stand(thing, body, before):
                return body
            self.redrawn += 1
        return thing.body

    def _laid(self, thing: Thing, shift: Point, degrees: float, radius: Share | None) -> Unit | Terrain | None:
        """Return a thing moved, a piece of terrain with its vertices moved too; None for an impossible outline."""
        body = thing.body
        if isinstance(body, Unit):
            return (body.turned(degrees) if thing.turns else body).moved(*shift)
        piece = body.moved(*shift, degrees)
        if radius is None:
            return piece
        bent = self._bent(piece, radius)
        return bent if shapely.is_valid(bent.shape) and not shapely.is_empty(bent.shape) else None

    def _bent(self, piece: Terrain, radius: Share) -> Terrain:
        """Return a piece with every vertex of its outline, or of its line, moved within the error."""
        if piece.line is not None:
            return piece.along(shapely.LineString(shapely.get_coordinates(self._jittered(piece.line, radius))))
        return replace(piece, shape=self._jittered(piece.shape, radius))

    def _jittered(self, shape: BaseGeometry, radius: Share) -> BaseGeometry:
        coordinates = shapely.get_coordinates(shape)
        places, place_of = np.unique(coordinates, axis=0, return_inverse=True)
        angle = self.random.uniform(0.0, 2.0 * math.pi, len(places))
        far = self.error.shift * np.array([radius() for _ in places])
        moved = places + np.stack([far * np.sin(angle), far * np.cos(angle)], axis=1)
        return shapely.transform(shape, lambda _: moved[place_of.reshape(-1)])

    def _can_stand(self, thing: Thing, body: Unit | Terrain, before: Sequence[Unit | Terrain]) -> bool:
        """Return whether a unit stands on the table, and overlaps no unit drawn before it more deeply than as
        measured."""
        if not isinstance(body, Unit) or body.is_general or not isinstance(thing.body, Unit):
            return True
        if not shapely.covers(self.battle.table.edge, body.footprint):
            return not shapely.covers(self.battle.table.edge, thing.body.footprint)
        t = self.battle.tape.t
        units = [earlier for earlier in before if isinstance(earlier, Unit) and not earlier.is_general]
        near = beside(body.bounds, units, 0.0)
        return all(
            deepest(body.bases, earlier.bases) <= max(t, deepest(thing.body.bases, self.battle.unit(earlier.id).bases))
            for earlier in near
        )

    def _opposed(self, one: Thing, way: Point, turn: float, against: float) -> Battle:
        """Return one thing moved by the full error, and everything else by as much the other way."""
        bodies = []
        for thing in self.things:
            sign, angle = (1.0, turn) if thing is one else (-1.0, against)
            far = sign * self.error.shift
            body = self._laid(thing, (far * way[0], far * way[1]), angle * self.error.turn, None)
            bodies.append(body if body is not None else thing.body)
        return placed(self.battle, bodies)
