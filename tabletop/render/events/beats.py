"""An action as a sequence of beats: a unit moves, fires at another, loses bases, leaves.

A beat lasts as long as it takes to see. Between two poses a unit is drawn on its way; that is for show only, since the
rules measured the poses at both ends.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from tabletop.battle.apply import apply, placed_by
from tabletop.battle.battle import Battle
from tabletop.battle.event import Converted, Entered, Event, Left, Lost, Placed, Removed, Told
from tabletop.battle.unit import Unit
from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import Point, heading, turn_between

#: Seconds: minimum and maximum for a move, addition for each base length moved, an attack, a loss.
LEAST_WAY, MOST_WAY, LENGTH = 0.35, 1.3, 0.09
AIMING, LOSING = 0.7, 0.35
#: Seconds an action is shown afterwards: minimum, addition for each letter of its text, maximum; without any text.
REST, LETTER, MOST_REST, SILENT = 0.9, 0.018, 3.5, 0.15


#: The events that give a unit another pose, in which it goes from one to the other.
Posed = Placed | Converted | Left | Entered


@dataclass(frozen=True)
class Beat:
    """One beat: the battle before its event, the event, and its duration in seconds."""

    battle: Battle
    event: Event
    seconds: float

    @property
    def mover(self) -> str | None:
        """The unit that moves in it, if any; one that has more bases than before, or fewer, is not seen moving."""
        return self.event.unit if isinstance(self.event, Posed) and not self.changes_number else None

    @property
    def changes_number(self) -> bool:
        """Whether a unit has another number of bases after it, without having lost any."""
        event = self.event
        return isinstance(event, Converted) and len(event.pose["bases"]) != self.battle.anyone(event.unit).strength


@dataclass(frozen=True)
class Seen:
    """The view at one instant: the battle, the moving unit where it is just now, and the beat."""

    battle: Battle
    mover: Unit | None = None
    beat: Beat | None = None

    @property
    def with_mover(self) -> Battle:
        """The battle with the moving unit where it is just now, even if that unit is only entering."""
        if self.mover is None or self.battle.has(self.mover.id):
            return self.battle if self.mover is None else self.battle.with_unit(self.mover)
        return replace(self.battle, units=(*self.battle.units, self.mover))


@dataclass(frozen=True)
class Act:
    """One action as beats. ``seen(share)`` is the view when that share (0 to 1) of its duration is over."""

    before: Battle
    after: Battle
    beats: tuple[Beat, ...]

    @property
    def seconds(self) -> float:
        """Its duration in seconds."""
        return math.fsum(beat.seconds for beat in self.beats)

    def seen(self, share: float) -> Seen:
        if share >= 1.0 or not self.beats:
            return Seen(self.after)
        if share <= 0.0:
            return Seen(self.before)
        ends = list(accumulate(beat.seconds for beat in self.beats))
        now = share * ends[-1]
        k = min(bisect_right(ends, now), len(ends) - 1)
        beat = self.beats[k]
        through = (now - (ends[k - 1] if k else 0.0)) / beat.seconds
        return Seen(beat.battle, _on_its_way(beat, through), beat)


def act(before: Battle, after: Battle, events: Sequence[Event]) -> Act:
    """Return an action as beats, from the battle before it, its events, and the battle after it."""
    return Act(before, after, tuple(_beats(before, events)))


def rest(text: str) -> float:
    """Return how many seconds an action is shown afterwards, so that its text can be read."""
    return min(MOST_REST, REST + LETTER * len(text)) if text else SILENT


def _beats(battle: Battle, events: Sequence[Event]) -> Iterator[Beat]:
    for event in events:
        seconds = _seconds(battle, event)
        if seconds:
            yield Beat(battle, event, seconds)
        battle = apply(battle, event)


def _seconds(battle: Battle, event: Event) -> float:
    if isinstance(event, Converted) and not battle.has(event.unit):
        return 0.0
    if isinstance(event, Placed | Converted | Left):
        unit = battle.unit(event.unit)
        shown = _on_the_way(unit, placed_by(unit, event), event.path)
        return shown if isinstance(event, Placed) else max(LOSING, shown)
    if isinstance(event, Entered):
        return MOST_WAY
    if isinstance(event, Told):
        aimed = event.unit is not None and event.target is not None
        return AIMING if aimed and _both_there(battle, event) else 0.0
    return LOSING if isinstance(event, Lost | Removed) and battle.has(event.unit) else 0.0


def _both_there(battle: Battle, event: Told) -> bool:
    return battle.has(str(event.unit)) and battle.has(str(event.target))


def _on_the_way(unit: Unit, after: Unit, path: tuple[Point, ...]) -> float:
    """Return the duration of a unit's move, by its length in the unit's own base lengths."""
    if after.bases == unit.bases:
        return 0.0
    way = math.fsum(math.dist(a, b) for a, b in pairwise(path)) or math.dist(unit.at, after.at)
    first = unit.bases[0]
    length = first.frontage if isinstance(first, Base) else 2 * first.radius
    return min(MOST_WAY, LEAST_WAY + LENGTH * way / length)


# --- on the way ------------------------------------------------------------------------------------------------------


def _on_its_way(beat: Beat, through: float) -> Unit | None:
    event = beat.event
    if not isinstance(event, Posed) or beat.mover is None:
        return None
    unit = beat.battle.anyone(event.unit)
    after = placed_by(unit, event)
    if isinstance(event, Entered):
        start = event.path[0] if len(event.path) > 1 else after.at
        unit = after.moved(start[0] - after.front_mid[0], start[1] - after.front_mid[1])
    return between(unit, after, event.path, _eased(through))


def _eased(share: float) -> float:
    """Return an eased share: motion starts and stops gently."""
    return share * share * (3.0 - 2.0 * share)


def between(unit: Unit, after: Unit, path: tuple[Point, ...], share: float) -> Unit:
    """Return a unit on its way along ``path``: as it stands at share 0, as it does ``after`` at share 1.

    On the way its bases move from their places in the old formation to those in the new.
    """
    way = path if len(path) > 1 else (unit.at, after.at)
    middle, turn = point_along(way, share), turn_between(unit.facing, after.facing)
    facing = (unit.facing + share * turn) % 360.0
    pairs = zip(unit.bases, after.bases, strict=True)
    bases = tuple(_base(a, b, (unit, after), (way[0], way[-1]), (middle, facing, share)) for a, b in pairs)
    return replace(after, bases=bases, facing=facing)


def _base(
    a: AnyBase, b: AnyBase, units: tuple[Unit, Unit], ends: tuple[Point, Point], now: tuple[Point, float, float]
) -> AnyBase:
    """Return one base on the way: its place within the unit, relative to the unit's facing, moves to the new one."""
    middle, facing, share = now
    before = _turned(_from(ends[0], a.centre), -units[0].facing)
    after = _turned(_from(ends[1], b.centre), -units[1].facing)
    at = _turned((_mixed(before[0], after[0], share), _mixed(before[1], after[1], share)), facing)
    placed: AnyBase = replace(b, x=middle[0] + at[0], y=middle[1] + at[1])
    if isinstance(placed, Base) and isinstance(a, Base) and isinstance(b, Base):
        own = a.facing - units[0].facing
        more = turn_between(own, b.facing - units[1].facing)
        return replace(placed, facing=(facing + own + share * more) % 360.0)
    return placed


def _from(origin: Point, point: Point) -> Point:
    return point[0] - origin[0], point[1] - origin[1]


def _turned(vector: Point, degrees: float) -> Point:
    """Return a vector turned clockwise."""
    s, c = heading(degrees)
    return c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]


def _mixed(a: float, b: float, share: float) -> float:
    return a + (b - a) * share


def point_along(way: Sequence[Point], share: float) -> Point:
    """Return the point at that share (0 to 1) of a path's length."""
    lengths = [math.dist(a, b) for a, b in pairwise(way)]
    left = share * math.fsum(lengths)
    for (a, b), length in zip(pairwise(way), lengths, strict=True):
        if left <= length and length > 0.0:
            return _mixed(a[0], b[0], left / length), _mixed(a[1], b[1], left / length)
        left -= length
    return way[-1]
