"""A battle on its way to another process, without the table where that process has it already."""

from __future__ import annotations

import io
import pickle
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table

#: What stands in a parcel for the table the receiver knows.
TABLE = "table"


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
    """Return a battle as bytes for a receiver who knows ``table``."""
    file = io.BytesIO()
    _Packer(file, table).dump(battle)
    return file.getvalue()


def unpacked(parcel: bytes, table: Table) -> Battle:
    """Return the battle in a parcel; ``table`` is the one its sender meant."""
    battle = _Unpacker(io.BytesIO(parcel), table).load()
    assert isinstance(battle, Battle)
    return battle
