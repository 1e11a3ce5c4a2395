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
from tabletop.rules.common.placing import beside, clear_way, shifted, touching
from tabletop.rules.sail.ships import ANCHORED, STRUCK, mast_points, tables
from tabletop.rules.sail.wind import wind_of

#: Movement classes of terrain: shoals, where a ship may run aground, and land, where it always does (SAIL-LND-01).
SHOAL, LAND = "rough", "impassable"


def grounds(battle: Battle) -> tuple[Terrain, ...]:
    """Return the shoals and the land of a table (SAIL-MOV-15, SAIL-LND-01)."""
    return battle.table.of_movement(SHOAL, LAND)


def entangled(battle: Battle, ship: Unit) -> tuple[Unit, ...]:
    """Return the ships that hold a ship: touching enemies, a prize, a captor; none once it is freed (SAIL-BRD-02)."""
    near = () if ship.marks.get("freed") else touching(battle, ship)
    name, captor = ship.id, ship.marks.get("prize")
    return tuple(u for u in near if u.side != ship.side or u.id == captor or u.marks.get("prize") == name)


def held(battle: Battle, ship: Unit) -> Iterator[Reason]:
    """Yield, as reasons, what may keep a ship from moving (SAIL-MOV-07, -09, -14, -15, SAIL-BRD-02, -03)."""
    name = ship.called
    fast = entangled(battle, ship)
    with_whom = " and ".join(u.called for u in fast)
    yield Reason("SAIL-STR-01", ship.status != STRUCK, f"{name} has struck, and drifts")
    yield Reason("SAIL-BRD-03", not ship.marks.get("prize"), f"{name} is a prize without a crew")
    yield Reason("SAIL-BRD-02", not fast, f"{name} is entangled with {with_whom}")
    yield from stays(ship)
    yield Reason("SAIL-MOV-09", mast_points(ship) > 0, f"{name} has no mast, and drifts")


def stays(ship: Unit) -> Iterator[Reason]:
    """Yield, as reasons, what may keep a ship even from drifting and from getting clear (SAIL-MOV-14, SAIL-MOV-15)."""
    yield Reason("SAIL-MOV-15", not ship.marks.get("aground"), f"{ship.called} is aground")
    yield Reason("SAIL-MOV-14", ship.status != ANCHORED, f"{ship.called} lies at anchor")


# --- drifting --------------------------------------------------------------------------------------------------------


def drifted(battle: Battle, ship: Unit) -> Unit:
    """Return a ship drifted 1 cm with the wind, heading as before, or as far as nothing is in the way (SAIL-MOV-09)."""
    if entangled(battle, ship) or not all(stays(ship)):
        return ship
    flow, most = wind_of(battle).flow, float(tables()["movement"]["drift"])
    far = clear_way(battle, ship, flow, most)
    return shifted(ship, flow, far) if far > TINY else ship


def drift(unfolding: Unfolding, name: str) -> None:
    """Let a ship drift, which is its move: a shoal it came off is then tested again (SAIL-MOV-09, SAIL-MOV-15)."""
    ship = unfolding.unit(name)
    after = drifted(unfolding.battle, ship)
    if after is not ship:
        _shift(unfolding, ship, after, "drift")
        unfolding.mark(name, came_off=None)


def get_clear(unfolding: Unfolding, name: str) -> None:
    """Shift a ship that has separated 1 cm clear of the others, straight away from them if there is room (SAIL-BRD-02).

    It prefers a bearing without shoal or land. Where there is no room, the ships it touches do not hold it this turn.
    """
    battle, ship = unfolding.battle, unfolding.unit(name)
    others, far = touching(battle, ship), float(tables()["boarding"]["clear"])
    away = bearing(ship.at[0] - others[0].at[0], ship.at[1] - others[0].at[1])
    places = beside(battle, ship, away, far, float(tables()["movement"]["point"]))
    after = min(places, key=lambda place: len(_entered(battle, ship, place)), default=None)
    if after is None:
        unfolding.mark(name, freed=True)
    else:
        _shift(unfolding, ship, after, "clear")


def _shift(unfolding: Unfolding, ship: Unit, after: Unit, how: str) -> None:
    """Shift a ship, which may run aground where it comes to lie (SAIL-MOV-15)."""
    unfolding.happen(Placed(ship.id, pose_of(after), (ship.at, after.at), how))
    for piece in _entered(unfolding.battle, ship, after):
        test(unfolding, ship.id, piece)


def _entered(battle: Battle, ship: Unit, after: Unit) -> list[Terrain]:
    """Return the shoals and land that a shifted ship has entered."""
    lies = (p for p in grounds(battle) if overlaps(after.footprint, p.shape))
    return [p for p in lies if not overlaps(ship.footprint, p.shape)]


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
