"""A battle as bytes for another process, without the table and units that it already has."""

from __future__ import annotations

import pickle
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table

#: A cache of one: the battle packed last, the table and the battle its receiver knows, and the bundle.
_last: tuple[weakref.ref[Battle], weakref.ref[Table], weakref.ref[Battle] | None, bytes] | None = None


def packed(battle: Battle, table: Table, known: Battle | None = None) -> bytes:
    """Return a battle as bytes for a receiver that has ``table``, and the units of the battle ``known``.

    The last bundle is kept as long as its battle exists, because several receivers are sent it after each action.
    """
    global _last
    if _last is not None and _last[0]() is battle and _last[1]() is table and (_last[2] and _last[2]()) is known:
        return _last[3]
    places = {id(one): place for place, one in enumerate(_who(known))}
    bare: Any = {"table": None if battle.table is table else battle.table, "units": (), "awaited": (), "fallen": ()}
    parts = [[places.get(id(one), one) for one in part] for part in (battle.units, battle.awaited, battle.fallen)]
    bundle = pickle.dumps((replace(battle, **bare), parts), pickle.HIGHEST_PROTOCOL)
    _last = weakref.ref(battle), weakref.ref(table), None if known is None else weakref.ref(known), bundle
    return bundle


def unpacked(bundle: bytes, table: Table, known: Battle | None = None) -> Battle:
    """Return the battle in a bundle; ``table`` and ``known`` equal those with which it was packed."""
    bare, parts = pickle.loads(bundle)
    assert isinstance(bare, Battle)
    who = _who(known)
    units, awaited, fallen = (tuple(who[one] if isinstance(one, int) else one for one in part) for part in parts)
    ground: Any = table if bare.table is None else bare.table
    return replace(bare, table=ground, units=units, awaited=awaited, fallen=fallen)


def _who(battle: Battle | None) -> Sequence[Any]:
    """Return everything in a battle that can be referred to by index: units on the table, still to come, fallen."""
    return () if battle is None else (*battle.units, *battle.awaited, *battle.fallen)
