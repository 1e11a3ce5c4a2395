"""What the hand does to a unit besides moving it: ranks, bends, reference base, facing, formation, who joins in.

All of it are options of the action (``Play.adjustments`` says which); what comes of them the judge says, as of moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, bearing, heading, snap, snap_facing, turn_between
from tabletop.play import routes
from tabletop.play.engine import play_of
from tabletop.render.battle import bends, eligible
from tabletop.render.battle.model import CHEAPEST, ROAD, STRAIGHT, Grab
from tabletop.render.battle.position import Position
from tabletop.render.table.desk_seen import Part
from tabletop.render.table.tools import FREE, Drag
from tabletop.rules.play import Adjustment

#: Degrees a handle or a key turns by, and with Shift; how far a base may be bent by hand at all.
STEP, FINE = 5.0, 1.0


@dataclass(kw_only=True)
class ShapedDesk(Position):
    """A table whose units in hand can be shaped. ``shape`` are the options set by hand of the action in hand."""

    picked = Part[str | None]("chosen")
    shape = Part[Mapping[str, Any]]("chosen")
    way = Part[str]("chosen")
    grabbed = Part[Grab | None]("chosen")

    # --- what there is -----------------------------------------------------------------------------------------------

    @property
    def doing(self) -> str:
        """The kind of action in hand, or picked; "" where none is."""
        return self.action if self.drag is not None else self.picked or ""

    @property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """What of the action in hand can be set."""
        unit, kind = self.acting_unit, self.doing
        if unit is None or not self.may_act(unit) or kind not in play_of(self.battle).kinds:
            return ()
        return self._adjustments(self.battle, unit, kind)

    def _adjustments(self, battle: Battle, unit: Unit, kind: str) -> tuple[Adjustment, ...]:
        action = Action(kind, unit.side, unit.id, options=self.shape)
        return tuple(play_of(battle).adjustments(battle, action))

    def _by(self, how: str) -> Adjustment | None:
        return next((a for a in self.adjustments if a.how == how), None)

    @property
    def _goes(self) -> bool:
        if self.action in play_of(self.battle).kinds and self.may_act(self.unit):
            return "path" in eligible.kind_of(self.battle, self.action).needs
        return super()._goes

    @property
    def on_the_spot(self) -> bool:
        """True while a unit in hand forms up where it stands: it does not follow the cursor."""
        return self.drag is not None and self.action != FREE and not self._goes

    def value(self, adjustment: Adjustment) -> Any:
        """Return what an adjustment is set to."""
        if adjustment.how == "facing" and self.unit is not None:
            return self._facing() if self.drag is not None else self.shape.get("facing", self.unit.facing)
        return self.shape.get(adjustment.option, adjustment.usual)

    # --- setting -----------------------------------------------------------------------------------------------------

    def put_in_shape(self, option: str, value: Any) -> None:
        """Set an option of the action in hand."""
        self.shape = {**self.shape, option: value}
        known = {a.option for a in self.adjustments}
        self.shape = {key: kept for key, kept in self.shape.items() if key in known}
        self._ask_move()

    def adjust(self, option: str, step: int = 1) -> None:
        """Go on to the next value of an adjustment."""
        found = next((a for a in self.adjustments if a.option == option), None)
        if found is not None:
            _NEXT[found.how](self, found, step)

    def adjust_by_key(self, step: int, left: bool = False) -> None:
        """Bend a wing where the line can be bent, the right one unless ``left``; else go on with the first choice."""
        bend = self._by("bend")
        if bend is not None:
            self._bent_by(bend, step * STEP, left)
            return
        first = next((a for a in self.adjustments if a.how in ("formation", "choice", "base")), None)
        if first is not None:
            self.adjust(first.option, step)

    def _cycled(self, found: Adjustment, step: int) -> None:
        here = found.values.index(self.value(found)) if self.value(found) in found.values else 0
        after = found.values[(here + step) % len(found.values)]
        if found.option == "place" and "bend" in self.shape:  # the line keeps its shape about its reference base
            self.shape = {**self.shape, "bend": bends.about(self.shape["bend"], after)}
        self.put_in_shape(found.option, after)

    def _other_base(self, found: Adjustment, step: int) -> None:
        """Another base stays where it is; a bent line keeps its shape."""
        before = self.value(found)
        after = found.values[(before + step) % len(found.values)]
        bend = self._by("bend")
        if bend is not None and found.option == "ref" and "bend" in self.shape and "place" not in self.shape:
            moved = bends.about(self.shape["bend"], after)
            if self.drag is not None:
                self.drag = replace(self.drag, facing=snap_facing(self._facing() + self.shape["bend"][after]))
            self.shape = {**self.shape, "bend": moved}
        self.put_in_shape(found.option, after)

    def _turned(self, found: Adjustment, step: int) -> None:
        self.turn(step)

    def _all_or_none(self, found: Adjustment, step: int) -> None:
        self.put_in_shape(found.option, () if self.value(found) else found.values)

    def _next_bend(self, found: Adjustment, step: int) -> None:
        self.put_in_shape("bend", bends.next_usual(self.value(found), self.reference_base))

    def _left_alone(self, found: Adjustment, step: int) -> None:
        """A length or a step is shown by dragging only."""

    def _bent_by(self, found: Adjustment, degrees: float, left: bool) -> None:
        ref = self.reference_base
        bent = tuple(self.value(found))
        base = ref - 1 if left else ref + 1
        if 0 <= base < len(bent):
            self.put_in_shape("bend", bends.bent(bent, ref, base, bent[base] + degrees))

    @property
    def reference_base(self) -> int:
        """The number that the base which stays has in the new formation."""
        found = {a.option: a for a in self.adjustments}
        place = found.get("place", found.get("ref"))
        return int(self.value(place)) if place is not None else 0

    def toggles(self, name: str | None) -> bool:
        """Let a unit join in, or leave it out, where units are asked for; return whether one was."""
        found = self._by("units")
        if found is None or name not in found.values:
            return False
        now = tuple(self.value(found))
        self.put_in_shape(found.option, tuple(u for u in found.values if (u in now) != (u == name)))
        return True

    def next_way(self) -> None:
        """Go on to the next way of going: straight, the cheapest way, along the road where there is one."""
        kinds = [STRAIGHT, CHEAPEST, *([ROAD] if routes.roads(self.battle) else [])]
        self.way = kinds[(kinds.index(self.way) + 1) % len(kinds)] if self.way in kinds else STRAIGHT
        if self.drag is not None:
            self.drag = self._in_this_way(self.drag)
            self._ask_move()

    def _in_this_way(self, drag: Drag) -> Drag:
        return replace(drag, find_way=self.way == CHEAPEST, by_road=self.way == ROAD)

    # --- holding -----------------------------------------------------------------------------------------------------

    @property
    def grips(self) -> tuple[Grab, ...]:
        """What can be taken hold of, of a unit that forms up where it stands: its bases, by which it is bent."""
        ghost = self.ghost
        if ghost is None or not self.on_the_spot or self._by("bend") is None:
            return ()
        ref = ghost.reference
        return tuple(Grab("bend", b.centre, i) for i, b in enumerate(ghost.bases) if i != ref)

    def knob(self, far: float) -> Point | None:
        """Return where the knob is by which the unit in hand is turned, ``far`` ahead of its front."""
        ghost = self.ghost
        if ghost is None or not self.on_the_spot or self._by("facing") is None:
            return None
        (x, y), (east, north) = ghost.front_mid, ghost.forward
        return x + far * east, y + far * north

    def grab(self, point: Point, near: float, far: float) -> bool:
        """Take hold of what is within ``near`` of a point: a base, the knob ``far`` ahead, else the whole unit."""
        if not self.on_the_spot:
            return False
        knob = self.knob(far)
        if knob is not None and _within(knob, point, near):
            self.grabbed = Grab("turn", point, facing=self._facing())
            return True
        close = [g for g in self.grips if _within(g.at, point, near)]
        if close:
            self.grabbed = min(close, key=lambda g: (g.at[0] - point[0]) ** 2 + (g.at[1] - point[1]) ** 2)
            return True
        ghost, unit = self.ghost, self.unit
        stands = [u for u in (ghost, unit) if u is not None]
        if not any(u.footprint.buffer(near).covers(shapely.Point(point)) for u in stands):
            return False
        self.grabbed = Grab("shift", point)
        if self.drag is not None:  # the hand goes on from where it is, not from where it took hold before
            (x, y), (gx, gy), (cx, cy) = point, self.drag.grip, self.drag.cursor
            self.drag = replace(self.drag, grip=(x - (cx - gx), y - (cy - gy)), cursor=point)
        return True

    def pull(self, point: Point, fine: bool = False) -> None:
        """Pull what is held to a point."""
        grabbed, ghost = self.grabbed, self.ghost
        if grabbed is None or ghost is None or self.drag is None:
            return
        step = FINE if fine else STEP
        if grabbed.what == "shift":
            self.drag_to(point)
        elif grabbed.what == "turn":
            x, y = ghost.bases[ghost.reference].centre
            (ax, ay), (bx, by) = grabbed.at, point
            turned = turn_between(bearing(ax - x, ay - y), bearing(bx - x, by - y))
            facing = snap_facing(_rounded(grabbed.facing + turned, step))
            if facing != self.drag.facing:
                self.drag = replace(self.drag, facing=facing)
                self._ask_move()
        else:
            angle = bends.pulled(ghost, grabbed.base, point, step)
            bend = self._by("bend")
            if bend is not None and angle is not None and angle != self.value(bend)[grabbed.base]:
                self.put_in_shape("bend", bends.bent(self.value(bend), ghost.reference, grabbed.base, angle))

    def let_loose(self) -> None:
        """Let go of what was held; the unit stays in hand."""
        self.grabbed = None

    # --- as options --------------------------------------------------------------------------------------------------

    def _move_options(self, drag: Drag) -> Mapping[str, Any]:
        if self.action == FREE or not self.may_act(drag.unit):
            return super()._move_options(drag)
        found = self._adjustments(self.battle, drag.unit, self.action)
        if self._goes:
            options = dict(self._way_options(drag, found))
        else:
            options = {"as": self.action, **_spot(drag, found, eligible.kind_of(self.battle, self.action).needs)}
        return _at_waypoints({**options, **self._set(found)})

    def _way_options(self, drag: Drag, found: Sequence[Adjustment]) -> Mapping[str, Any]:
        """Return how a move goes: straight back, along a road, or as the measuring desk has it."""
        if any(a.how == "back" for a in found):
            return {"as": self.action, "distance": _back(drag)}
        road = routes.nearest_road(self.battle, drag.cursor) if drag.by_road and not drag.waypoints else None
        path = routes.along(drag.unit, road, drag.cursor, None) if road is not None else ()
        if not path:
            return super()._move_options(drag)
        facing = {} if drag.facing is None else {"facing": drag.facing}
        return {"as": self.action, **facing, "path": [(snap(x), snap(y)) for x, y in path]}

    def _set(self, found: Sequence[Adjustment]) -> dict[str, Any]:
        """Return what was set by hand, and what must be said."""
        said = {a.option: a.usual for a in found if a.needed and a.how != "back"}
        known = {a.option for a in found}
        return {**said, **{key: value for key, value in self.shape.items() if key in known}}

    def shaped(self, kind: str) -> dict[str, Any]:
        """Return the options set by hand for an action of a kind that shows no ghost."""
        unit = self.acting_unit
        return {} if unit is None else self._set(self._adjustments(self.battle, unit, kind))


def _spot(drag: Drag, found: Sequence[Adjustment], needs: Sequence[str]) -> dict[str, Any]:
    """Return facing and shift of a unit that forms up where it stands, where it takes such."""
    hows, options = {a.how for a in found}, dict[str, Any]()
    if drag.facing is not None and "facing" in hows:
        options["facing"] = drag.facing
    elif "facing" in needs:
        options["facing"] = drag.unit.facing
    if "shift" in hows:
        options["shift"] = (snap(drag.cursor[0] - drag.grip[0]), snap(drag.cursor[1] - drag.grip[1]))
    return options


def _at_waypoints(options: dict[str, Any]) -> dict[str, Any]:
    """Return options with what the front turns on said of every waypoint; a way that is looked for turns as it will."""
    turns, path = options.pop("pivots", "middle"), options.get("path")
    return {**options, "pivots": (turns,) * len(path)} if path and turns != "middle" else options


def _back(drag: Drag) -> float:
    """Return how far to its rear the hand has drawn a unit."""
    east, north = heading(drag.unit.facing)
    dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
    return max(0.0, snap(-(dx * east + dy * north)))


def _within(a: Point, b: Point, near: float) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= near * near


def _rounded(degrees: float, step: float) -> float:
    return round(degrees / step) * step


_NEXT = {
    "choice": ShapedDesk._cycled,
    "formation": ShapedDesk._cycled,
    "base": ShapedDesk._other_base,
    "facing": ShapedDesk._turned,
    "bend": ShapedDesk._next_bend,
    "units": ShapedDesk._all_or_none,
    "shift": ShapedDesk._left_alone,
    "back": ShapedDesk._left_alone,
}
