"""Settings of an action besides its path: ranks, bends, reference base, facing, formation, supporting units. Pure.

All of them are options of the action (``Play.adjustments`` lists them), and the judge judges them as it does moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import frozen
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, heading, snap
from tabletop.play import routes
from tabletop.play.engine import play_of
from tabletop.play.workers.judge_worker import JudgeRequest
from tabletop.render.battle import eligible
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.judge_requests import ActionRequest
from tabletop.render.battle.model import Grab
from tabletop.render.battle.store import GameStore
from tabletop.render.table import ways
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import FREE, Drag
from tabletop.rules.asked import MOVE
from tabletop.rules.play import Adjustment

# --- adjustments -----------------------------------------------------------------------------------------------------


def doing(model: GameModel) -> str:
    """Return the kind of action in hand or chosen; "" if there is none."""
    return model.table.action if model.table.drag is not None else model.chosen.picked or ""


def adjustments(model: GameModel) -> tuple[Adjustment, ...]:
    """Return the adjustments of the action in hand."""
    unit, kind = model.acting_unit, doing(model)
    if unit is None or not model.may_act(unit) or kind not in play_of(model.table.battle).kinds:
        return ()
    return _adjustments(model, unit, kind)


def _adjustments(model: GameModel, unit: Unit, kind: str) -> tuple[Adjustment, ...]:
    action, battle = Action(kind, unit.side, unit.id, options=model.chosen.shape), model.table.battle
    return tuple(play_of(battle).adjustments(battle, action))


def by(model: GameModel, how: str) -> Adjustment | None:
    """Return the adjustment of the action in hand that is made in a certain way."""
    return next((a for a in adjustments(model) if a.how == how), None)


def value(model: GameModel, adjustment: Adjustment) -> Any:
    """Return the value an adjustment is set to."""
    unit, drag, shape = model.table.unit, model.table.drag, model.chosen.shape
    if adjustment.how == "facing" and unit is not None:
        return ways.facing(model.table, drag) if drag is not None else shape.get("facing", unit.facing)
    return shape.get(adjustment.option, adjustment.usual)


def reference_base(model: GameModel) -> int:
    """Return the number, in the new formation, of the base that stays in place."""
    known = {a.option: a for a in adjustments(model)}
    place = known.get("place", known.get("ref"))
    return int(value(model, place)) if place is not None else 0


def goes(model: GameModel) -> bool:
    """Return whether the chosen way of moving has a path."""
    battle, action = model.table.battle, model.table.action
    if action in play_of(battle).kinds and model.may_act(model.table.unit):
        return "path" in eligible.kind_of(battle, action).needs
    return ways.goes(model.table)


def on_the_spot(model: GameModel) -> bool:
    """Return whether the unit in hand forms up on the spot, so that it does not follow the cursor."""
    return model.table.drag is not None and model.table.action != FREE and not goes(model)


def grips(model: GameModel) -> tuple[Grab, ...]:
    """Return the handles of a unit forming up on the spot: the bases by which it can be bent."""
    ghost = model.table.ghost
    if ghost is None or not on_the_spot(model) or by(model, "bend") is None:
        return ()
    ref = ghost.reference
    return tuple(Grab("bend", b.centre, i) for i, b in enumerate(ghost.bases) if i != ref)


def knob(model: GameModel, far: float) -> Point | None:
    """Return the position of the knob that turns the unit in hand, ``far`` ahead of its front."""
    ghost = model.table.ghost
    if ghost is None or not on_the_spot(model) or by(model, "facing") is None:
        return None
    (x, y), (east, north) = ghost.front_mid, ghost.forward
    return x + far * east, y + far * north


# --- as options ------------------------------------------------------------------------------------------------------


class GameWays:
    """The ways of moving in a battle being played: open kinds of action that are shown with the unit in hand."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def actions(self, _: TableModel) -> tuple[str, ...]:
        """Return the kinds of action shown with the unit in hand."""
        return self._store.model.actions

    def goes(self, _: TableModel) -> bool:
        """Return whether the chosen way of moving has a path."""
        return goes(self._store.model)

    def viewer(self, _: TableModel) -> str | None:
        """Return the side whose view of the enemy is shown."""
        return self._store.model.viewer

    def request(self, _: TableModel, drag: Drag) -> JudgeRequest:
        """Return the question whether the action in hand is allowed; for units that may not act, the move alone."""
        model = self._store.model
        if model.table.action == FREE or not model.may_act(drag.unit):
            return ways.move_request(drag, move_options(model, drag))
        action = action_of(model, drag)
        return ActionRequest((MOVE,), MOVE, (drag.unit.id,), dict(action.options), rank=0, action=action)


def action_of(model: GameModel, drag: Drag) -> Action:
    """Return the action that the unit in hand shows."""
    options = {key: value for key, value in move_options(model, drag).items() if key != "as"}
    plain = {key: list(value) if isinstance(value, tuple | list) else value for key, value in options.items()}
    return Action(model.table.action, drag.unit.side, drag.unit.id, options=frozen(plain))


def move_options(model: GameModel, drag: Drag) -> Mapping[str, Any]:
    """Return the options of the action in hand, with the way of moving as ``as``."""
    table, going = model.table, goes(model)
    if table.action == FREE or not model.may_act(drag.unit):
        return ways.move_options(table, drag, going)
    known = _adjustments(model, drag.unit, table.action)
    if going:
        options = dict(_way_options(table, drag, known))
    else:
        needs = eligible.kind_of(table.battle, table.action).needs
        options = {"as": table.action, **_spot(drag, known, needs)}
    return _at_waypoints({**options, **_set(model, known)})


def _way_options(table: TableModel, drag: Drag, known: Sequence[Adjustment]) -> Mapping[str, Any]:
    """Return the options of a move's path: straight back, along a road, or as on the measuring table."""
    if any(a.how == "back" for a in known):
        return {"as": table.action, "distance": _back(drag)}
    road = _road(table.battle, drag)
    path = routes.along(drag.unit, road, drag.cursor, None) if road is not None else ()
    if not path:
        return ways.move_options(table, drag, going=True)
    facing = {} if drag.facing is None else {"facing": drag.facing}
    return {"as": table.action, **facing, "path": [(snap(x), snap(y)) for x, y in path]}


def _road(battle: Battle, drag: Drag) -> Any:
    return routes.nearest_road(battle, drag.cursor) if drag.by_road and not drag.waypoints else None


def _set(model: GameModel, known: Sequence[Adjustment]) -> dict[str, Any]:
    """Return the options set by hand, and the usual values of those that must be given."""
    usual = {a.option: a.usual for a in known if a.needed and a.how != "back"}
    options = {a.option for a in known}
    return {**usual, **{key: value for key, value in model.chosen.shape.items() if key in options}}


def shaped(model: GameModel, kind: str) -> dict[str, Any]:
    """Return the options set by hand for an action of a kind that shows no ghost."""
    unit = model.acting_unit
    return {} if unit is None else _set(model, _adjustments(model, unit, kind))


def _spot(drag: Drag, known: Sequence[Adjustment], needs: Sequence[str]) -> dict[str, Any]:
    """Return the facing and shift of a unit forming up on the spot, where its action has these options."""
    hows, options = {a.how for a in known}, dict[str, Any]()
    if drag.facing is not None and "facing" in hows:
        options["facing"] = drag.facing
    elif "facing" in needs:
        options["facing"] = drag.unit.facing
    if "shift" in hows:
        options["shift"] = (snap(drag.cursor[0] - drag.grip[0]), snap(drag.cursor[1] - drag.grip[1]))
    return options


def _at_waypoints(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the chosen pivot repeated for every waypoint; a path still to be found gets none."""
    turns, path = options.pop("pivots", "middle"), options.get("path")
    return {**options, "pivots": (turns,) * len(path)} if path and turns != "middle" else options


def _back(drag: Drag) -> float:
    """Return how far to its rear a unit was dragged."""
    east, north = heading(drag.unit.facing)
    dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
    return max(0.0, snap(-(dx * east + dy * north)))
