"""Placements that need not be asked about: one thing is moved, but everything an answer looks at stays the same.

A fact depends on the ground it looks at (``Influence``), and what proves it on less. If the outline of a thing enters
such ground neither where it stood nor where it stands now, and the thing is on the same side of it, nothing there has
changed. A thing without which the fact is the same (an idle thing) can change it only from ground that the fact looks
at. If it can only hinder, it can do so only from the ground of the path by which the fact has its value
(``Influence.lone``): paths tried before that one are no more legal than without the thing, and the path itself is as
legal. For some things it is known that a fact is the same wherever they stand (``Influence.settled``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import Thing
from tabletop.rules.rule_set import Influence

#: GEOS's type number of a polygon.
POLYGON = 3


@dataclass
class KnownUnaffected:
    """What is known in one search: where its answer looks, the terrain around it, and which things are idle."""

    home: Influence
    terrain: tuple[Terrain, ...]
    idle: Callable[[str, Thing], bool]
    known: dict[tuple[str, Thing], tuple[BaseGeometry, ...]] = field(default_factory=dict)
    settled: dict[tuple[str, Thing], bool] = field(default_factory=dict)
    at_home: dict[Thing, bool] = field(default_factory=dict)
    decided: tuple[Unit | Terrain, float, bool] | None = None

    def is_unaffected(self, fact: str, thing: Thing, body: Unit | Terrain, about: float = 0.0) -> bool:
        """Return whether a fact stays the same when a thing stands as in ``body``, all else being equal.

        This includes every further move of the thing that takes no point of it farther than ``about`` (table units).
        """
        if self._is_settled(fact, thing):
            return True
        grounds = self._grounds(fact, thing)
        if not grounds or self._decides_now(body, about):
            return False
        moved = Thing(body)
        clear = [ground for ground in grounds if not _meets(_outline(moved), ground, about)]
        if any(self._as_before(thing, moved, ground) for ground in clear):
            return True
        lone = self.home.lone.get(fact)
        if lone is not None and not self.home.opens(thing.body) and not _meets(moved.shape, lone, about):
            return self.idle(fact, thing)
        off = any(not _meets(moved.shape, ground, about) for ground in clear)
        return off and self.idle(fact, thing)

    def _is_settled(self, fact: str, thing: Thing) -> bool:
        """Return whether a fact is the same wherever a thing stands."""
        if (fact, thing) not in self.settled:
            self.settled[fact, thing] = self.home.facts.get(fact, self.home).settled(thing.body)
        return self.settled[fact, thing]

    def _grounds(self, fact: str, thing: Thing) -> tuple[BaseGeometry, ...]:
        """Return the ground that a fact depends on, as far as a thing of this sort can enter it, and the ground of
        its proof."""
        if (fact, thing) not in self.known:
            looked_at = self.home.facts.get(fact, self.home)
            candidates = looked_at.units if thing.is_unit else looked_at.terrain, self.home.proofs.get(fact)
            whole = [ground for ground in candidates if ground is not None and shapely.get_type_id(ground) == POLYGON]
            for ground in whole:
                shapely.prepare(ground)
            self.known[fact, thing] = tuple(whole)
        return self.known[fact, thing]

    def _as_before(self, thing: Thing, there: Thing, ground: BaseGeometry) -> bool:
        if thing not in self.at_home:
            self.at_home[thing] = self._decides_for_others(thing.body)
        if self.at_home[thing] or shapely.intersects(_outline(thing), ground):
            return False
        return bool(shapely.intersects(thing.shape, ground) == shapely.intersects(there.shape, ground))

    def _decides_now(self, body: Unit | Terrain, about: float) -> bool:
        """Return ``_decides_for_others``, cached for the next fact about the same body."""
        if self.decided is None or self.decided[0] is not body or self.decided[1] != about:
            self.decided = body, about, self._decides_for_others(body, about)
        return self.decided[2]

    def _decides_for_others(self, body: Unit | Terrain, about: float = 0.0) -> bool:
        """Return whether it may set the level of other pieces, or counts as one with another piece."""
        if isinstance(body, Unit):
            return False
        others = [piece for piece in self.terrain if piece.id != body.id]
        borne = body.is_hill and any(bears(body, piece, about) for piece in others)
        return borne or any(joins(body, piece) and _meets(body.uncut, piece.uncut, about) for piece in others)


def bears(hill: Terrain, piece: Terrain, about: float) -> bool:
    """Return whether a hill, moved so that no point of it goes farther than ``about``, may set the level of a piece."""
    return piece.rests and piece.sight == "tall" and _meets(hill.uncut, shapely.centroid(piece.shape), about)


def joins(piece: Terrain, other: Terrain) -> bool:
    """Return whether two pieces count as one where they touch: hills of one level, linear obstacles."""
    hills = piece.is_hill and other.is_hill and piece.level == other.level
    return hills or piece.movement == other.movement == "linear"


def _outline(thing: Thing) -> BaseGeometry:
    """Return the outline of a thing's ground; for a unit its whole footprint, which counts as solid."""
    body = thing.body
    return shapely.boundary(thing.shape) if isinstance(body, Terrain) and body.is_area else thing.shape


def _meets(shape: BaseGeometry, ground: BaseGeometry, about: float) -> bool:
    """Return whether a shape meets some ground, or may if no point of it moves farther than ``about``."""
    return bool(shapely.dwithin(ground, shape, about) if about else shapely.intersects(ground, shape))
