"""Things that need not be searched, because one answer proves that no shift up to a length changes a fact.

A thing shifted by up to r always covers itself shrunk by r on all sides, and is always covered by itself grown by r. If
a thing only hinders, or only helps (``Influence.one_way``), a fact lies between its value with the thing shrunk and its
value with the thing grown: if both are the same, so is the fact for every shift up to r, and for every turn that moves
no point of the thing farther. Where a fact may change and change back, a finer one is compared that may not
(``Influence.by``). Many things are tested at once, and only if that fails, fewer.

What stands close to the units asked about may both hinder and help; it is tested in the same way, alone. Then the
result is not proved, but it has been checked by the brute-force tests. Linear obstacles are not tested like this: what
crosses their edges pays for them, and a grown obstacle has no edge where it lay, so paths inside cost no more than on
open ground. Nor are hills that may set the level of what stands on them: grown and shrunk a hill carries all of a base
or none, turned it carries half.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.terrain import Terrain
from tabletop.judge.things import Thing, without

#: Radii that are tried, as shares of the search, the widest first; for the first, the farthest the search takes the
#: thing is used instead.
SHARES = (1.0, 0.5, 0.25, 0.125, 0.0625)
#: The shares at which things that may both hinder and help are tried, one by one.
ALONE = (1.0, 0.25, 0.0625)
#: How much more than required a thing is grown and shrunk: more than the arcs of a buffer fall short.
MORE = 1.01


@dataclass
class Safe:
    """How far each thing may be shifted without changing each fact: radii by fact and id."""

    radii: dict[str, dict[Thing, float]] = field(default_factory=dict)

    def upto(self, fact: str, thing: Thing) -> float:
        """Return the radius up to which no shift of a thing changes a fact."""
        return self.radii.get(fact, {}).get(thing, 0.0)

    def note(self, facts: Iterable[str], things: Mapping[Thing, float]) -> None:
        """Record that facts are safe from each thing up to its radius."""
        for fact in facts:
            known = self.radii.setdefault(fact, {})
            for thing, radius in things.items():
                known[thing] = max(radius, known.get(thing, 0.0))


@dataclass(frozen=True)
class Envelopes:
    """The tests of one search: in which facts a battle differs, and which things only hinder or only help."""

    battle: Battle
    differ: Callable[[Battle, Sequence[str]], set[str]]
    one_way: Callable[[Unit | Terrain, float], bool]
    opens: Callable[[str, Unit | Terrain], bool]

    def search(
        self,
        found: Safe,
        clear: Mapping[str, Mapping[Thing, float]],
        radius: float,
        reach: Mapping[Thing, float],
        true: Sequence[str] = (),
        helping: Sequence[Thing] = (),
    ) -> None:
        """Find how far each thing is safe for each fact, and record it in ``found``.

        ``clear`` are radii known beforehand; ``reach`` is how far the search takes any point of a thing; ``true`` are
        the facts that are true, ``helping`` the things that can only make facts true.
        """
        for fact, known in clear.items():
            found.note((fact,), known)
        self.without(true, helping, found)
        facts = list(clear)
        for k, share in enumerate(SHARES):
            wanted = {thing: far if k == 0 else share * radius for thing, far in reach.items()}
            valid = [thing for thing, r in wanted.items() if self.one_way(thing.body, r)]
            for fact in facts:
                group = [thing for thing in valid if found.upto(fact, thing) < wanted[thing]]
                self._try(found, facts, group, wanted)
            for thing in wanted if share in ALONE else ():
                if thing not in valid and not _counts_by_its_edge(thing):
                    self._try(found, [fact for fact in facts if not self.opens(fact, thing.body)], [thing], wanted)

    def without(self, facts: Sequence[str], helping: Sequence[Thing], found: Safe) -> None:
        """Record which facts, all true, stay true without things that only help: then they do wherever these lie.

        All of these things are removed at once, and if that fails, one by one.
        """
        for group in (helping, *([thing] for thing in helping if len(helping) > 1)):
            left = [fact for fact in facts if any(found.upto(fact, thing) < math.inf for thing in group)]
            if not left:
                continue
            changed = self.differ(without(self.battle, *group), left)
            found.note((fact for fact in left if fact not in changed), dict.fromkeys(group, math.inf))

    def _try(self, found: Safe, facts: Sequence[str], group: Sequence[Thing], radii: Mapping[Thing, float]) -> None:
        """Test a group of things at once; where a fact changes, the halves of the group separately."""
        left = [fact for fact in facts if any(found.upto(fact, thing) < radii[thing] for thing in group)]
        if not left:
            return
        changed: set[str] = set()
        for sign in (1.0, -1.0):
            rest = [fact for fact in left if fact not in changed]
            if rest:
                changed |= self.differ(_enveloped(self.battle, {t: sign * radii[t] for t in group}), rest)
        found.note((fact for fact in left if fact not in changed), {thing: radii[thing] for thing in group})
        if changed and len(group) > 1:
            half = len(group) // 2
            for part in (group[:half], group[half:]):
                self._try(found, [fact for fact in left if fact in changed], part, radii)


def _counts_by_its_edge(thing: Thing) -> bool:
    """Return whether crossing its edge matters, not only the ground it covers: linear obstacles and hills."""
    return isinstance(thing.body, Terrain) and (thing.body.movement == "linear" or thing.body.is_hill)


def _enveloped(battle: Battle, radii: Mapping[Thing, float]) -> Battle:
    """Return a battle with things grown by a radius on all sides, or shrunk; what shrinks to nothing is removed."""
    units: dict[str, Unit | None] = {}
    pieces: dict[str, Terrain | None] = {}
    for thing, radius in radii.items():
        if isinstance(thing.body, Unit):
            units[thing.id] = _unit(thing.body, MORE * radius)
        else:
            pieces[thing.id] = _piece(thing.body, MORE * radius)
    standing = (units.get(unit.id, unit) for unit in battle.units)
    lying = [pieces.get(piece.id, piece) for piece in battle.table.terrain]
    battle = replace(battle, units=tuple(unit for unit in standing if unit is not None))
    if not pieces:
        return battle
    left = tuple(piece for piece in lying if piece is not None)
    laid = (piece for piece in pieces.values() if piece is not None)
    return replace(battle, table=replace(battle.table, terrain=left).with_pieces(laid))


def _unit(unit: Unit, radius: float) -> Unit | None:
    bases: list[AnyBase] = []
    for base in unit.bases:
        if isinstance(base, Base):
            wide, deep = base.frontage + 2.0 * radius, base.depth + 2.0 * radius
            bases += [replace(base, frontage=wide, depth=deep)] if min(wide, deep) > 0.0 else []
        else:
            bases += [replace(base, radius=base.radius + radius)] if base.radius + radius > 0.0 else []
    return replace(unit, bases=tuple(bases)) if len(bases) == len(unit.bases) else None


def _piece(piece: Terrain, radius: float) -> Terrain | None:
    shape = shapely.buffer(piece.uncut, radius)
    return None if shapely.is_empty(shape) else replace(piece, shape=shape, whole=None)
