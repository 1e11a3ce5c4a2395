"""Shapes the unit in hand: sets the options of its action, bends it, turns it, adds supporting units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import shapely

from tabletop.geometry.measure import Point, bearing, snap_facing, turn_between
from tabletop.play import routes
from tabletop.render.battle import bends, shape
from tabletop.render.battle.model import CHEAPEST, ROAD, STRAIGHT, GoBy, Grab, SetShape, TakeHold
from tabletop.render.battle.store import GameStore
from tabletop.render.table import ways
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import Hold
from tabletop.render.table.tools import Drag
from tabletop.rules.play import Adjustment

#: Degrees that a handle or key turns by, and with Shift.
STEP, FINE = 5.0, 1.0


class Shaping:
    """Sets the options of the action in hand, by list, by key, and by dragging the unit's handles."""

    def __init__(self, store: GameStore, controller: TableController) -> None:
        self._store, self._controller = store, controller

    # --- setting -----------------------------------------------------------------------------------------------------

    def put(self, option: str, value: Any) -> None:
        """Set an option of the action in hand."""
        self._put_all({**self._store.model.chosen.shape, option: value})
        known = {a.option for a in shape.adjustments(self._store.model)}
        self._put_all({key: kept for key, kept in self._store.model.chosen.shape.items() if key in known})
        self._controller.ask_move()

    def _put_all(self, options: dict[str, Any]) -> None:
        self._store.update(SetShape(options))

    def adjust(self, option: str, step: int = 1) -> None:
        """Go to the next value of an adjustment."""
        adjustment = next((a for a in shape.adjustments(self._store.model) if a.option == option), None)
        if adjustment is not None:
            _NEXT[adjustment.how](self, adjustment, step)

    def adjust_by_key(self, step: int, left: bool = False) -> None:
        """Bend a wing if the line can be bent, the right one unless ``left``; else step the first choice."""
        model = self._store.model
        bend = shape.by(model, "bend")
        if bend is not None:
            self._bend_wing(bend, step * STEP, left)
            return
        first = next((a for a in shape.adjustments(model) if a.how in ("formation", "choice", "base")), None)
        if first is not None:
            self.adjust(first.option, step)

    def _next_value(self, adjustment: Adjustment, step: int) -> None:
        model = self._store.model
        now, values, options = shape.value(model, adjustment), adjustment.values, dict(model.chosen.shape)
        after = values[((values.index(now) if now in values else 0) + step) % len(values)]
        if adjustment.option == "place" and "bend" in options:  # the line keeps its shape about its reference base
            self._put_all({**options, "bend": bends.about(options["bend"], after)})
        self.put(adjustment.option, after)

    def _next_base(self, adjustment: Adjustment, step: int) -> None:
        """Make another base the one that stays in place; a bent line keeps its shape."""
        model = self._store.model
        options, drag = dict(model.chosen.shape), model.table.drag
        before = shape.value(model, adjustment)
        after = adjustment.values[(before + step) % len(adjustment.values)]
        bent = shape.by(model, "bend") is not None and "bend" in options and "place" not in options
        if bent and adjustment.option == "ref":
            if drag is not None:
                facing = snap_facing(ways.facing(model.table, drag) + options["bend"][after])
                self._hold(replace(drag, facing=facing))
            self._put_all({**options, "bend": bends.about(options["bend"], after)})
        self.put(adjustment.option, after)

    def _turn(self, adjustment: Adjustment, step: int) -> None:
        self._controller.turn(step)

    def _all_or_none(self, adjustment: Adjustment, step: int) -> None:
        self.put(adjustment.option, () if shape.value(self._store.model, adjustment) else adjustment.values)

    def _next_bend(self, adjustment: Adjustment, step: int) -> None:
        model = self._store.model
        self.put("bend", bends.next_usual(shape.value(model, adjustment), shape.reference_base(model)))

    def _leave(self, adjustment: Adjustment, step: int) -> None:
        """Do nothing: a length or a shift is set by dragging only."""

    def _bend_wing(self, adjustment: Adjustment, degrees: float, left: bool) -> None:
        ref = shape.reference_base(self._store.model)
        bent = tuple(shape.value(self._store.model, adjustment))
        base = ref - 1 if left else ref + 1
        if 0 <= base < len(bent):
            self.put("bend", bends.bent(bent, ref, base, bent[base] + degrees))

    def toggles(self, name: str | None) -> bool:
        """Add a unit to the option that lists units, or remove it; return whether the option accepts it."""
        units = shape.by(self._store.model, "units")
        if units is None or name not in units.values:
            return False
        now = tuple(shape.value(self._store.model, units))
        self.put(units.option, tuple(u for u in units.values if (u in now) != (u == name)))
        return True

    def next_way(self) -> None:
        """Go to the next way of moving: straight, cheapest route, or along the road if there is one."""
        model = self._store.model
        kinds, way = [STRAIGHT, CHEAPEST, *([ROAD] if routes.roads(model.table.battle) else [])], model.chosen.way
        self._store.update(GoBy(kinds[(kinds.index(way) + 1) % len(kinds)] if way in kinds else STRAIGHT))
        if model.table.drag is not None:
            self.go_so()
            self._controller.ask_move()

    def go_so(self) -> None:
        """Let the unit in hand move in the chosen way."""
        drag, way = self._store.model.table.drag, self._store.model.chosen.way
        if drag is not None:
            self._hold(replace(drag, find_way=way == CHEAPEST, by_road=way == ROAD))

    def _hold(self, drag: Drag) -> None:
        self._controller.update(Hold(drag))

    # --- holding -----------------------------------------------------------------------------------------------------

    def grab(self, point: Point, near: float, far: float) -> bool:
        """Take hold of a handle within ``near`` of a point: a base, the knob ``far`` ahead, else the whole unit."""
        model = self._store.model
        table = model.table
        if table.drag is None or not shape.on_the_spot(model):
            return False
        knob = shape.knob(model, far)
        if knob is not None and _within(knob, point, near):
            self._store.update(TakeHold(Grab("turn", point, facing=ways.facing(table, table.drag))))
            return True
        close = [g for g in shape.grips(model) if _within(g.at, point, near)]
        if close:
            grab = min(close, key=lambda g: (g.at[0] - point[0]) ** 2 + (g.at[1] - point[1]) ** 2)
            self._store.update(TakeHold(grab))
            return True
        stands = [u for u in (table.ghost, table.unit) if u is not None]
        if not any(u.footprint.buffer(near).covers(shapely.Point(point)) for u in stands):
            return False
        self._store.update(TakeHold(Grab("shift", point)))
        # Continue from the present position, not from where the unit was first taken hold of.
        (x, y), (gx, gy), (cx, cy) = point, table.drag.grip, table.drag.cursor
        self._hold(replace(table.drag, grip=(x - (cx - gx), y - (cy - gy)), cursor=point))
        return True

    def pull(self, point: Point, fine: bool = False) -> None:
        """Pull the held handle to a point."""
        model = self._store.model
        grabbed, ghost, drag = model.chosen.grabbed, model.table.ghost, model.table.drag
        if grabbed is None or ghost is None or drag is None:
            return
        step = FINE if fine else STEP
        if grabbed.what == "shift":
            self._controller.drag_to(point)
        elif grabbed.what == "turn":
            x, y = ghost.bases[ghost.reference].centre
            (ax, ay), (bx, by) = grabbed.at, point
            turned = turn_between(bearing(ax - x, ay - y), bearing(bx - x, by - y))
            facing = snap_facing(round((grabbed.facing + turned) / step) * step)
            if facing != drag.facing:
                self._hold(replace(drag, facing=facing))
                self._controller.ask_move()
        else:
            angle = bends.pulled(ghost, grabbed.base, point, step)
            bend = shape.by(model, "bend")
            if bend is not None and angle is not None and angle != shape.value(model, bend)[grabbed.base]:
                self.put("bend", bends.bent(shape.value(model, bend), ghost.reference, grabbed.base, angle))

    def let_loose(self) -> None:
        """Let go of the handle; the unit stays in hand."""
        self._store.update(TakeHold(None))


def _within(a: Point, b: Point, near: float) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= near * near


_NEXT = {
    "choice": Shaping._next_value,
    "formation": Shaping._next_value,
    "base": Shaping._next_base,
    "facing": Shaping._turn,
    "bend": Shaping._next_bend,
    "units": Shaping._all_or_none,
    "shift": Shaping._leave,
    "back": Shaping._leave,
}
