"""The path of a fall-back: one of the full distance, else one beyond friends, else, if so ruled, as far as it goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.configuration_space import Obstacles
from tabletop.geometry.movement.fall_back import (
    FINE,
    Arc,
    Fall,
    bent_fall_back,
    fall_back,
    fall_back_at_all,
    fall_back_short,
    hinted,
    some_fall_back,
)
from tabletop.geometry.movement.fall_back_beyond import fall_back_beyond, some_fall_back_beyond
from tabletop.geometry.verdict import Reason
from tabletop.rules.rule_set import Shifted
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of
from tabletop.rules.tse.morale.leading_edge import edge_walls

#: Paths that answered similar questions, as points in the space of translations.
Hints = Sequence[tuple[Point, ...]]
Found = TypeVar("Found")


@dataclass(frozen=True)
class Falling:
    """A unit about to fall back: the arc it may use, what it must respect, and what its move may cost.

    ``shifted`` identifies the series of shifts, if the question is asked for one shift of a unit after another.
    """

    battle: Battle
    unit: Unit
    arc: Arc
    obstacles: Obstacles
    budget: Spending
    shifted: Shifted | None = None
    known: dict[Hashable, Any] = field(default_factory=dict, compare=False)

    def kept(self, name: Hashable, found: Callable[[], Found]) -> Found:
        """Return the result cached under a name, computing it if need be."""
        if name not in self.known:
            self.known[name] = found()
        answer: Found = self.known[name]
        return answer

    @cached_property
    def farther(self) -> float:
        """How much farther than its distance the unit may go to get clear of friends (TSE-INV-09)."""
        return _depth(self.unit) + max((_depth(f) for f in self.battle.friends(self.unit)), default=0.0)

    @cached_property
    def some_way(self) -> Fall | None:
        """Some legal path, on or off the table but not beyond friends; None if there is none."""
        return some_fall_back(self.arc, self.obstacles, self.budget)

    @cached_property
    def kept_on_table(self) -> Obstacles:
        """The same obstacles with the table's edge as a further one (TSE-INV-10)."""
        return self._edged(self.obstacles)

    def _edged(self, obstacles: Obstacles) -> Obstacles:
        walls = (*obstacles.walls, *edge_walls(self.battle, self.unit))
        return Obstacles(walls, obstacles.keeps, obstacles.ends, obstacles.give)

    def obstacles_beyond(self, edged: bool = False) -> Obstacles:
        """Return what the unit must respect as far as it may go beyond friends; with ``edged`` the table's edge too."""
        far = self.budget.distance + self.farther
        obstacles = obstacles_of(self.battle, self.unit, far, self.shifted, self.budget.leading)
        return self._edged(obstacles) if edged else obstacles


def anywhere_on_table(battle: Battle, unit: Unit, distance: float) -> bool:
    """Return whether no path as long as ``distance`` (table units) takes the unit off the table (TSE-INV-10).

    If so, any legal path will do.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> anywhere_on_table(battle, battle.unit("bertin"), 4.0), anywhere_on_table(battle, battle.unit("bertin"), 9.0)
    (True, False)
    """
    x0, y0, x1, y1 = unit.bounds
    return min(x0, y0, battle.table.width - x1, battle.table.height - y1) > distance


def first_path(falling: Falling, roughly: bool = False, hints: Hints = ()) -> Fall | None:
    """Return the path: by search (TSE-INV-06), else beyond friends (TSE-INV-09), else, if so ruled, as far as it goes.

    If so ruled, a path on the table comes before any off it (TSE-INV-10). With ``roughly`` only the side it turns to
    and whether it stays on the table matter, not by how much it turns; ``hints`` suggest the side. None if there is no
    path.
    """
    likely = hinted(falling.arc, hints)
    battle, arc, obstacles, budget = falling.battle, falling.arc, falling.obstacles, falling.budget
    on_table = anywhere_on_table(battle, falling.unit, budget.distance + falling.farther)
    fine = math.inf if roughly and on_table else FINE
    if battle.rulings["table_edge"] == "avoid" and not on_table:
        side = math.inf if roughly else FINE  # these obstacles include the edge, so any path found stays on the table
        fall_on_table = fall_back(arc, falling.kept_on_table, budget, side, likely)
        fall_on_table = fall_on_table or _beyond_friends(falling, edged=True, fine=side)
        if fall_on_table is not None:
            return fall_on_table
    fall = fall_back(arc, obstacles, budget, fine, likely) or _beyond_friends(falling, fine=fine)
    if fall is None and not battle.rulings["fall_back_in_full"]:
        return fall_back_short(arc, obstacles, budget)
    return fall


def path_on_table(falling: Falling, hints: Hints) -> tuple[Point, ...] | None:
    """Return some path that stays on the table, beyond friends if need be, for the ruling that prefers such paths.

    Source: TSE-INV-10. If there is none, every legal path leads off the table.
    """
    way = on_table_at_once(falling, hints)
    if way is not None:
        return way
    fall = some_fall_back(falling.arc, falling.kept_on_table, falling.budget)
    fall = fall or _beyond_friends(falling, hints, edged=True)
    return None if fall is None else fall.way


def some_path(falling: Falling, hints: Hints) -> tuple[Point, ...] | None:
    """Return a path if ``first_path`` would find one on the table, trying the quickest searches first.

    It is for units that can only leave the table on a path beyond friends.
    """
    battle, arc, obstacles, budget = falling.battle, falling.arc, falling.obstacles, falling.budget
    bent = bent_fall_back(arc, obstacles, budget, hints)
    if bent is not None:
        return bent
    beyond = _beyond_friends(falling, hints, edged=battle.rulings["table_edge"] == "avoid")
    if beyond is not None and off_table(battle, falling.unit, beyond) is None:
        return beyond.way
    if beyond is None and not battle.rulings["fall_back_in_full"]:
        return fall_back_short(arc, obstacles, budget).way
    return None if falling.some_way is None else falling.some_way.way


def gets_away(falling: Falling, hints: Hints) -> bool:
    """Return True if some path is legal but no quickly found one stays on the table (TSE-INV-10).

    This shows that the unit does not surrender; to prove that no path at all stays on the table takes far longer.
    """
    battle, budget = falling.battle, falling.budget
    if battle.rulings["table_edge"] != "avoid" or anywhere_on_table(battle, falling.unit, budget.distance):
        return False
    return on_table_at_once(falling, hints) is None and any_kept(falling)


def on_table_at_once(falling: Falling, hints: Hints) -> tuple[Point, ...] | None:
    """Return a path that stays on the table if one is found quickly, else None; cached for the same hints."""

    def found() -> tuple[Point, ...] | None:
        return fall_back_at_all(falling.arc, falling.kept_on_table, falling.budget, hints)

    return falling.kept(("on table", tuple(hints)), found)


def any_kept(falling: Falling) -> bool:
    """Return ``any_legal_path`` of it, cached."""
    return falling.kept("any", lambda: any_legal_path(falling))


def any_legal_path(falling: Falling) -> bool:
    """Return whether any path is legal, on or off the table, beyond friends if need be (TSE-INV-08, TSE-INV-09)."""
    arc, obstacles, budget = falling.arc, falling.obstacles, falling.budget
    if fall_back_at_all(arc, obstacles, budget) or falling.some_way is not None:
        return True
    if not obstacles.ends:
        return False
    return some_fall_back_beyond(arc, falling.obstacles_beyond(), budget, falling.farther) is not None


def _beyond_friends(
    falling: Falling, hints: Hints | None = None, *, edged: bool = False, fine: float = FINE
) -> Fall | None:
    """Return the path beyond friends; with ``hints`` any such path, if none that turns less can leave the table."""
    if not falling.obstacles.ends:
        return None
    most, obstacles = falling.farther, falling.obstacles_beyond(edged)
    if hints is not None:
        candidate = some_fall_back_beyond(falling.arc, obstacles, falling.budget, most, hints)
        if edged or candidate is None or _turned_on_table(falling, abs(candidate[1])):
            return candidate and candidate[0]
    return fall_back_beyond(falling.arc, obstacles, falling.budget, most, fine)


def _turned_on_table(falling: Falling, turn: float) -> bool:
    """Return whether no straight path that turns by at most ``turn`` within the arc takes the unit off the table."""
    arc, table, distance = falling.arc, falling.battle.table, falling.budget.distance + falling.farther
    low, high = arc.wanted + max(arc.low, -turn), arc.wanted + min(arc.high, turn)
    quarters = [90.0 * k for k in range(math.ceil(low / 90.0), math.floor(high / 90.0) + 1)]
    ways = distance * np.array([(0.0, 0.0), *(heading(d) for d in (low, high, *quarters))])
    (west, south), (east, north) = ways.min(axis=0).tolist(), ways.max(axis=0).tolist()
    x0, y0, x1, y1 = falling.unit.bounds
    room = min(x0 + west, y0 + south, table.width - x1 - east, table.height - y1 - north)
    return bool(room > 0.0)


def _depth(unit: Unit) -> float:
    """Return how deep the unit's formation is along its facing, cached with the unit."""
    cache: dict[str, float] = vars(unit)
    if "_depth" not in cache:
        corners = np.concatenate([b.corners for b in unit.bases if isinstance(b, Base)])
        along = corners @ np.array(unit.forward)
        cache["_depth"] = float(along.max() - along.min())
    return cache["_depth"]


def off_table(battle: Battle, unit: Unit, fall: Fall) -> Reason | None:
    """Return why the unit is lost if any of its bases leaves the table on its path, else None (TSE-INV-10)."""
    table = battle.table
    x0, y0, x1, y1 = unit.footprint.bounds
    out = max(max(-x0 - x, -y0 - y, x1 + x - table.width, y1 + y - table.height) for x, y in fall.way)
    if not battle.tape.over(out, 0.0):
        return None
    return Reason(
        "TSE-INV-10", False, f"it is driven {out:.2f} {table.unit} over the table's edge and is lost", out, 0.0
    )
