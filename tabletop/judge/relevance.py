"""Which things may affect an answer: those that can get to where it looks. The others are left out of the search.

A thing is left out only if no shift and no turn within the search brings any point of it to the ground that the
question looks at (``Question.influence``), wherever the units asked about are shifted. Pieces that affect other pieces
are kept with them: hills and linear obstacles joined to one that is kept, and hills that may set the level of one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.sight.unproved import unproved
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge.things import Thing, things_of
from tabletop.judge.unaffected import joins
from tabletop.rules.rule_set import Influence, Question, Request


@dataclass(frozen=True)
class Relevant:
    """The things that may affect an answer, the ``asked`` ones first, and the battle without other terrain.

    ``home`` is where the answer looks while the units asked about stay where they are.
    """

    things: tuple[Thing, ...]
    battle: Battle
    asked: int = 0
    home: Influence | None = None

    @property
    def fixed(self) -> tuple[str, ...]:
        """The facts that no shift or turn of anything changes."""
        return self.home.fixed if self.home is not None else ()

    def one_way(self, thing: Unit | Terrain, radius: float) -> bool:
        """Return whether a thing only hinders or only helps, wherever within a radius it stands."""
        return self.home is not None and self.home.one_way(thing, radius)

    def opens(self, fact: str, thing: Unit | Terrain) -> bool:
        """Return whether a thing may affect a fact other than by covering ground, so that growing it proves nothing.

        For a fact that may change and change back, this is true of everything that does not only hinder, or only help.
        """
        return self.home is None or self.by(fact) != fact or self.home.facts.get(fact, self.home).opens(thing)

    def seen_from(self, thing: Thing, radius: float) -> Point | None:
        """Return the point from which a thing counts only by its direction when it is shifted or turned; None if
        there is none."""
        body = thing.body
        return self.home.seen_from(body, radius) if self.home is not None and isinstance(body, Unit) else None

    def helps(self, thing: Thing) -> bool:
        """Return whether a thing is terrain that can only make facts true, wherever it lies."""
        return self.home is not None and isinstance(thing.body, Terrain) and self.home.helps(thing.body)

    def by(self, fact: str) -> str:
        """Return a fact that changes at most once as more ground is covered: the fact itself, or a finer one."""
        return (self.home and self.home.facts.get(fact, self.home).by) or fact

    def clear(self, fact: str, thing: Thing) -> float:
        """Return how far a thing may be moved before its outline comes to ground that affects a fact."""
        if self.home is None:
            return 0.0
        looked_at = self.home.facts.get(fact, self.home)
        if not looked_at.minds(thing.body):
            return math.inf
        ground = looked_at.units if thing.is_unit else looked_at.terrain
        far = math.inf if ground is None else self._off(thing, ground)
        proof = self.home.proofs.get(fact)
        return far if proof is None else max(far, self._off(thing, proof))

    def _off(self, thing: Thing, ground: BaseGeometry) -> float:
        if not isinstance(thing.body, Terrain):
            return float(shapely.distance(thing.shape, ground))
        outline = shapely.boundary(thing.shape) if thing.body.is_area else thing.shape
        near = [float(shapely.distance(outline, ground))]
        for piece in self.battle.table.terrain:
            if piece is thing.body:
                continue
            if thing.body.is_hill and piece.rests and piece.sight == "tall":
                near.append(float(shapely.distance(outline, piece.shape.centroid)))
            if joins(thing.body, piece):
                near.append(float(shapely.distance(thing.shape, piece.uncut)))
        return min(near)


def relevant(
    battle: Battle,
    asked: Question,
    request: Request,
    verdict: Verdict,
    radius: float,
    degrees: float,
    together: bool = False,
) -> Relevant:
    """Return what may affect an answer when one thing is shifted by up to ``radius`` or turned by ``degrees``.

    ``together``: when it is shifted and turned at once, and everything else too.
    """
    stir = _Stir(radius, degrees, together)
    everything, names = things_of(battle), asked_about(request)
    first = [thing for thing in everything if thing.is_unit and thing.id in names]
    first.sort(key=lambda thing: names.index(thing.id))
    others = [thing for thing in everything if thing not in first]
    if asked.influence is None:
        return Relevant((*first, *others), battle, len(first))
    looked_at = asked.influence(battle, request, verdict, max([radius, *map(stir, first)]))
    kept = [thing for thing in others if _within(thing, looked_at, stir(thing))]
    kept += _joined(kept, others, stir)
    pieces = tuple(piece for piece in battle.table.terrain if any(piece is thing.body for thing in kept))
    narrowed = replace(battle, table=replace(battle.table, terrain=pieces))
    home = asked.influence(battle, request, verdict, 0.0)
    return Relevant((*first, *kept), narrowed, len(first), home)


@dataclass(frozen=True)
class _Stir:
    """How far a search takes any point of a thing."""

    radius: float
    degrees: float
    together: bool

    def __call__(self, thing: Thing) -> float:
        turned = thing.stir(self.degrees)
        return self.radius + turned if self.together else max(self.radius, turned)


def asked_about(request: Request) -> tuple[str, ...]:
    """Return the ids of the units a question is about."""
    names = (*request.args, *(request.options.get(name) for name in ("from", "after")))
    return tuple(dict.fromkeys(name for name in names if name is not None))


def unproved_about(battle: Battle, request: Request) -> int:
    """Return after how many bundles of lines a sight search about the units asked about was cut off; 0 if none was."""
    return unproved(battle.table, (battle.unit(name).footprint for name in asked_about(request)))


def _within(thing: Thing, looked_at: Influence, stir: float) -> bool:
    ground = looked_at.units if thing.is_unit else looked_at.terrain
    return (
        ground is not None and looked_at.minds(thing.body) and bool(shapely.dwithin(thing.shape, ground, stir + GRAZE))
    )


def _joined(kept: Iterable[Thing], others: Iterable[Thing], stir: _Stir) -> list[Thing]:
    """Return the pieces that affect those kept: what is or may become joined to them, and hills under them."""
    inside = [thing.body for thing in kept if isinstance(thing.body, Terrain)]
    outside = [
        thing for thing in others if isinstance(thing.body, Terrain) and not any(thing.body is p for p in inside)
    ]
    joined: list[Thing] = []
    while inside:
        near = [thing for thing in outside if any(_decides(thing, piece, stir) for piece in inside)]
        outside = [thing for thing in outside if thing not in near]
        inside = [thing.body for thing in near if isinstance(thing.body, Terrain)]
        joined += near
    return joined


def _decides(thing: Thing, piece: Terrain, stir: _Stir) -> bool:
    """Return whether a piece may be joined to another, or set the level of the ground it stands on."""
    body = thing.body
    assert isinstance(body, Terrain)
    near = max(stir(thing), stir(Thing(piece))) + GRAZE
    if body.is_hill and (piece.is_hill or (piece.rests and piece.sight == "tall")):
        return bool(shapely.dwithin(body.uncut, piece.uncut, near))
    joins = body.movement == piece.movement == "linear"
    return joins and bool(shapely.dwithin(body.uncut, piece.uncut, near))
