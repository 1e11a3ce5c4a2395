"""Where an assault ends: first contact on its path, what bars the path, and the final pose (TSE-ASL-07, TSE-ASL-23)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, beside, distance_between
from tabletop.geometry.base import Base
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import heading
from tabletop.geometry.movement.first_contact import lengths_to_contact
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.shapes import united
from tabletop.geometry.verdict import Reason
from tabletop.rules.common.by_place import place_of
from tabletop.rules.tse.assault.path import AssaultPath, advanced, turned_to
from tabletop.rules.tse.assault.support import supports
from tabletop.rules.tse.movement.formation import edge_faults, ground_faults
from tabletop.rules.tse.tables import length

#: Width (table units) of gaps that rounding may leave between bases of a unit.
CRACK = 1e-9


@dataclass(frozen=True)
class Contact:
    """How far along its path an assaulter goes, and how far along it meets each unit ahead (by id).

    ``along`` is at most the path's length. ``open`` has the ids of the units it may meet however far short of the
    path's end: the target, and guns that the target supports.
    """

    path: AssaultPath
    along: float
    met: dict[str, float] = field(default_factory=dict)
    open: frozenset[str] = frozenset()

    @property
    def gap(self) -> float:
        """The length of path left when the unit is in contact."""
        return self.path.length - self.along


def contact_of(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Contact:
    """Return where ``unit``, turned to the path, first touches a unit it may not overlap (TSE-ASL-23).

    That is an enemy, or a friend already in the fight (touching the target). If it touches none, the middle of its
    front reaches the path's end. Generals do not stop it.
    """
    turned = turned_to(unit, path)
    near = tuple(_obstacles(battle, turned, target, path))
    bases = [(other.id, base) for other in near for base in other.bases if isinstance(base, Base)]
    moving = [base for base in turned.bases if isinstance(base, Base)]
    lengths = lengths_to_contact(moving, [base for _, base in bases], heading(path.facing), battle.tape.t)
    met: dict[str, float] = {}
    for (name, _), distance in zip(bases, lengths.tolist(), strict=True):
        if distance < met.get(name, np.inf):
            met[name] = distance
    along = min(path.length, *met.values()) if met else path.length
    return Contact(path, along, met, frozenset((target.id, *(guns.id for guns in supported_by(battle, target, near)))))


def supported_by(battle: Battle, target: Unit, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return the guns in ``units`` that the target supports; they bar no assault on it (TSE-ASL-07, TSE-ASL-40)."""
    return tuple(other for other in units if other.side == target.side and supports(battle, target, other))


def _obstacles(battle: Battle, turned: Unit, target: Unit, path: AssaultPath) -> Iterator[Unit]:
    """Yield the units near the path that may not be overlapped: enemies, and friends that touch the target."""
    box = _swept_box(turned, path)
    yield from beside(box, battle.enemies(turned), 0.0)
    for friend in beside(box, battle.friends(turned), 0.0):
        if friend.id == target.id or battle.tape.touches(distance_between(friend, target)):
            yield friend


def _swept_box(turned: Unit, path: AssaultPath) -> tuple[float, float, float, float]:
    """Return the bounding box of the ground the unit sweeps from the start to the end of its path."""
    x0, y0, x1, y1 = turned.bounds
    dx, dy = path.end[0] - path.start[0], path.end[1] - path.start[1]
    return x0 + min(dx, 0.0), y0 + min(dy, 0.0), x1 + max(dx, 0.0), y1 + max(dy, 0.0)


# --- what bars an assault --------------------------------------------------------------------------------------------


def path_faults(battle: Battle, unit: Unit, target: Unit, contact: Contact) -> Iterator[Reason]:
    """Yield the reasons against the path: it crosses impassable ground or another enemy (TSE-ASL-07).

    If the ruling ``assault_bars`` is ``front``, the unit may not meet any other enemy before the target either.
    """
    path, ground = contact.path, ground_of(battle.table)
    barred = shapely.intersection(shapely.difference(path.line, ground.gaps), ground.barred.area)
    if battle.tape.over(float(shapely.length(barred)), 0.0):
        piece = next(p.id for p in battle.table.of_movement("impassable") if shapely.intersects(p.shape, barred))
        yield Reason("TSE-ASL-07", False, f"the path crosses impassable ground, {piece}", feature=piece)
    others = [enemy for enemy in battle.enemies(unit) if enemy.id not in contact.open]
    crossed = {enemy.id for enemy in crossing(battle, path, others)}
    for enemy in others:
        if enemy.id in crossed:
            yield Reason("TSE-ASL-07", False, f"the path crosses {enemy.called}", feature=enemy.id)
        elif battle.rulings["assault_bars"] == "front" and _before_target(battle, contact, target, enemy):
            yield Reason("TSE-ASL-07", False, f"its front meets {enemy.called} on the way", feature=enemy.id)


def crossing(battle: Battle, path: AssaultPath, units: list[Unit]) -> list[Unit]:
    """Return the units whose footprint a path enters by more than the tolerance."""
    (ax, ay), (bx, by) = path.start, path.end
    near = beside((min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)), units, 0.0)
    return [unit for unit in near if shapely.intersects(path.line, _inside(unit, battle.tape.t))]


def _inside(unit: Unit, t: float) -> shapely.Geometry:
    inside: shapely.Geometry = shapely.buffer(
        united([base.polygon for base in unit.bases], CRACK), -t, join_style="mitre"
    )
    return inside


def _before_target(battle: Battle, contact: Contact, target: Unit, enemy: Unit) -> bool:
    """Return whether the unit meets another enemy before it meets the target."""
    target_distance = min(contact.path.length, contact.met.get(target.id, np.inf))
    return battle.tape.over(target_distance, contact.met.get(enemy.id, np.inf))


def end_faults(battle: Battle, unit: Unit, target: Unit, contact: Contact) -> Iterator[Reason]:
    """Yield what forbids the end: a gap over 1 in, a friend, impassable ground or the table's edge (TSE-ASL-23)."""
    yield from _gap_faults(battle, target, contact)
    pose = in_contact(battle, unit, contact)
    for friend in beside(pose.bounds, battle.friends(unit), 0.0):
        depth = deepest(pose.bases, friend.bases)
        if battle.tape.over(depth, 0.0):
            text = f"in contact, it would stand {depth:.2f} {battle.table.unit} deep in {friend.called}"
            yield Reason("TSE-ASL-23", False, text, depth, 0.0, friend.id)
    for fault in (*ground_faults(battle, pose), *edge_faults(battle, pose)):
        rule = "TSE-ASL-23" if fault.rule == "TSE-MOV-15" else fault.rule
        yield Reason(rule, False, f"in contact, {fault.text}", fault.measured, fault.limit, fault.feature)


def first_met(battle: Battle, contact: Contact) -> Unit:
    """Return the unit an assaulter meets first, the first by place if several tie; there must be one."""
    return min(map(battle.unit, contact.met), key=lambda unit: (contact.met[unit.id], place_of(battle, unit)))


def _gap_faults(battle: Battle, target: Unit, contact: Contact) -> Iterator[Reason]:
    """Yield the unit that stops the assaulter more than 1 in short of the path's end, unless it meets the target there.

    A unit that is merely near does not stop it: an assault ignores the zones of all enemies (TSE-MOV-20).
    """
    limit = length("assault_gap") * battle.scale
    first = [name for name, distance in contact.met.items() if battle.tape.at_most(distance, contact.along)]
    if not battle.tape.over(contact.gap, limit) or any(name in contact.open for name in first):
        return
    other, inches = first_met(battle, contact), f"{contact.gap:.2f} {battle.table.unit}"
    cure = "no assault while it stands there" if other.side != target.side else "that unit must be assaulted first"
    text = f"it would meet {other.called} {inches} short of {target.called}: {cure}"
    yield Reason("TSE-ASL-23", False, text, contact.gap, limit, other.id)


# --- poses -----------------------------------------------------------------------------------------------------------


def in_contact(battle: Battle, unit: Unit, contact: Contact) -> Unit:
    """Return the unit in contact, its assault having gone home (TSE-ASL-20, TSE-ASL-23, TSE-ASL-25, TSE-ASL-26).

    It faces along the path, except that it stays as it stood if it cannot advance and turning would overlap an enemy.
    """
    pose = advanced(unit, contact.path, contact.along)
    if contact.along > 0.0:
        return pose
    near = beside(pose.bounds, battle.enemies(unit), 0.0)
    return unit if any(battle.tape.over(deepest(pose.bases, enemy.bases), 0.0) for enemy in near) else pose


def contact_pose(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Unit:
    """Return the unit in contact with the target, measured from where all units stand now (TSE-ASL-23)."""
    return in_contact(battle, unit, contact_of(battle, unit, target, path))


def stopped_pose(battle: Battle, unit: Unit, target: Unit, path: AssaultPath) -> Unit:
    """Return the unit stopped by fire 1 in short of contact, or where it was if it started nearer (TSE-INV-12)."""
    return short_of(battle, unit, contact_of(battle, unit, target, path))


def short_of(battle: Battle, unit: Unit, contact: Contact) -> Unit:
    """Return ``stopped_pose`` for a known contact."""
    return advanced(unit, contact.path, max(0.0, contact.along - length("zone") * battle.scale))
