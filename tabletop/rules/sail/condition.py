"""What holds a ship (entangled, aground, at anchor) and what it cannot help doing: drifting and running aground."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.battle.battle import Battle
from tabletop.battle.event import Placed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.measure import bearing
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.courses import TINY, overlaps
from tabletop.rules.common.placing import base_of, beside, clear_way, shifted, touching
from tabletop.rules.sail.ships import ANCHORED, STRUCK, mast_points, tables
from tabletop.rules.sail.wind import wind_of

#: Movement classes of terrain: shoals, where a ship may run aground, and land, where it always does (SAIL-LND-01).
SHOAL, LAND = "rough", "impassable"


def grounds(battle: Battle) -> tuple[Terrain, ...]:
    """Return the shoals and the land of a table (SAIL-MOV-15, SAIL-LND-01)."""
    return battle.table.of_movement(SHOAL, LAND)


def entangled(battle: Battle, ship: Unit) -> tuple[Unit, ...]:
    """Return the ships a ship is entangled with: touching enemies, and a prize with its captor (SAIL-BRD-02)."""
    return tuple(u for u in touching(battle, ship) if u.side != ship.side or linked(u, ship))


def linked(a: Unit, b: Unit) -> bool:
    """Return whether one of two ships is the other's unmanned prize (SAIL-BRD-03)."""
    return a.marks.get("prize") == b.id or b.marks.get("prize") == a.id


def held(battle: Battle, ship: Unit) -> Iterator[Reason]:
    """Yield, as reasons, what may keep a ship from moving (SAIL-MOV-07, -09, -14, -15, SAIL-BRD-02, -03)."""
    name = ship.called
    fast = entangled(battle, ship)
    with_whom = " and ".join(u.called for u in fast)
    yield Reason("SAIL-STR-01", ship.status != STRUCK, f"{name} has struck, and drifts")
    yield Reason("SAIL-BRD-03", not ship.marks.get("prize"), f"{name} is a prize without a crew")
    yield Reason("SAIL-BRD-02", not fast, f"{name} is entangled with {with_whom}")
    yield Reason("SAIL-MOV-15", not ship.marks.get("aground"), f"{name} is aground")
    yield Reason("SAIL-MOV-14", ship.status != ANCHORED, f"{name} lies at anchor")
    yield Reason("SAIL-MOV-09", mast_points(ship) > 0, f"{name} has no mast, and drifts")


def fixed(battle: Battle, ship: Unit) -> bool:
    """Return whether a ship does not even drift with the wind."""
    return bool(ship.status == ANCHORED or ship.marks.get("aground") or entangled(battle, ship))


# --- drifting --------------------------------------------------------------------------------------------------------


def drift(unfolding: Unfolding, name: str) -> None:
    """Let a ship drift 1 cm with the wind, keeping its heading, unless something is in the way (SAIL-MOV-09)."""
    battle, ship = unfolding.battle, unfolding.unit(name)
    if fixed(battle, ship):
        return
    far = clear_way(battle, ship, wind_of(battle).flow, float(tables()["movement"]["drift"]))
    if far <= TINY:
        return
    after = shifted(ship, wind_of(battle).flow, far)
    unfolding.happen(Placed(name, pose_of(after), (ship.at, after.at), "drift"))
    for piece in grounds(battle):
        if overlaps(base_of(after), piece.shape) and not overlaps(base_of(ship), piece.shape):
            test(unfolding, name, piece)


def get_clear(unfolding: Unfolding, name: str) -> None:
    """Shift a ship that has separated 1 cm clear of the others, straight away from them if there is room."""
    battle, ship = unfolding.battle, unfolding.unit(name)
    far = float(tables()["boarding"]["clear"])
    others = touching(battle, ship)
    if not others or ship.marks.get("aground"):
        return
    away = bearing(ship.at[0] - others[0].at[0], ship.at[1] - others[0].at[1])
    after = beside(battle, ship, away, far, float(tables()["movement"]["point"]))
    if after is not None:
        unfolding.happen(Placed(name, pose_of(after), (ship.at, after.at), "clear"))


# --- running aground -------------------------------------------------------------------------------------------------


def test(unfolding: Unfolding, name: str, piece: Terrain) -> bool:
    """Throw for a ship that enters a shoal; return whether it is aground. On land it always is.

    SAIL-MOV-15, SAIL-LND-01: a ship that has come off a shoal passes it freely in its next move.
    """
    ship = unfolding.unit(name)
    if piece.movement == LAND:
        unfolding.mark(name, aground=piece.id)
        unfolding.tell("aground", {"place": piece.name or piece.id}, name, None, ("SAIL-LND-01",))
        return True
    if ship.marks.get("came_off") == piece.id:
        return False
    founder = tables()["movement"]["founder_on"]
    face = unfolding.die("shoal", cuts=(max(founder) + 1,))
    aground = face in founder
    if aground:
        unfolding.mark(name, aground=piece.id)
    record = {"die": face, "place": piece.name or piece.id}
    unfolding.tell("aground" if aground else "passed shoal", record, name, None, ("SAIL-MOV-15",))
    return aground


def refloat(unfolding: Unfolding, name: str) -> None:
    """Throw for a ship aground on a shoal; a 6 frees it, but never off land (SAIL-MOV-15, SAIL-LND-01, SAIL-SEQ-04)."""
    ground = unfolding.unit(name).marks.get("aground")
    if not ground or any(p.id == ground and p.movement == LAND for p in grounds(unfolding.battle)):
        return
    face = unfolding.die("refloat", cuts=(6,))
    off = face in tables()["movement"]["refloat_on"]
    unfolding.tell("refloat", {"die": face, "done": off}, name, None, ("SAIL-MOV-15",))
    if off:
        unfolding.mark(name, aground=None, came_off=ground)
