"""A battle on its way to another process, without the table where that process has it already."""

from __future__ import annotations

import io
import pickle
import weakref
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table

#: What stands in a parcel for the table the receiver knows.
TABLE = "table"


#: The battle packed last, the table its receiver knows, and the parcel.
_last: tuple[weakref.ref[Battle], weakref.ref[Table], bytes] | None = None


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._table = table

    def persistent_id(self, obj: Any) -> str | None:
        return TABLE if obj is self._table else None


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file)
        self._table = table

    def persistent_load(self, pid: Any) -> Table:
        return self._table


def packed(battle: Battle, table: Table) -> bytes:
    """Return a battle as bytes for a receiver who knows ``table``.

    After each action it goes to several receivers: the last parcel is kept while its battle is.
    """
    global _last
    if _last is not None and _last[0]() is battle and _last[1]() is table:
        return _last[2]
    file = io.BytesIO()
    _Packer(file, table).dump(battle)
    _last = weakref.ref(battle), weakref.ref(table), file.getvalue()
    return _last[2]


def unpacked(parcel: bytes, table: Table) -> Battle:
    """Return the battle in a parcel; ``table`` is the one its sender meant."""
    battle = _Unpacker(io.BytesIO(parcel), table).load()
    assert isinstance(battle, Battle)
    return battle
