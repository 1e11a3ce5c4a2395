"""What the player's hand does at the table: select, drag, tape, look along a line. Knows no pygame.

Every answer shown comes from the judge, through two clerks: a quick one for what follows the mouse, a slow one for
areas. The desk owns the selection, the tool in hand and the ghost; the battle changes only when a drag is let go.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between, standing
from tabletop.geometry.base import AnyBase, Disc
from tabletop.geometry.measure import Point, bearing, compass_point, heading, snap, snap_facing, turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.play.clerk import Answer, AnyClerk, Errand
from tabletop.play.engine import play_of
from tabletop.render import plans
from tabletop.render.holding import FREE, USUAL, Drag, Mark, Overlay, Stretch, Tool
from tabletop.rules import rule_set

#: Degrees a notch of the wheel, or a key, turns the ghost; the fine turn with Shift.
TURN, FINE_TURN = 15.0, 1.0


@dataclass
class Desk:
    """The table as the player handles it. Answers are kept by key until what they rest on changes."""

    battle: Battle
    quick: AnyClerk
    slow: AnyClerk
    tool: Tool = Tool.HAND
    action: str = ""
    selected: str | None = None
    hovered: str | None = None
    overlays: set[Overlay] = field(default_factory=lambda: set(USUAL))
    drag: Drag | None = None
    stretch: Stretch | None = None
    answers: dict[Hashable, Answer] = field(default_factory=dict)
    #: What each enemy could do next turn, as far as it is known, for as long as nobody moves.
    foreseen: dict[str, Answer] = field(default_factory=dict)
    note: str = ""
    undo: list[Unit] = field(default_factory=list)
    _ghost: tuple[Verdict, Unit] | None = None
    _near: tuple[Unit, dict[str, float]] | None = None
    _move_waits: bool = False
    _foreseen_of: tuple[Any, ...] = ()

    # --- looking -----------------------------------------------------------------------------------------------------

    def unit_at(self, point: Point) -> Unit | None:
        """Return the unit under a table point, also one whose bases stand round it; generals lie on top."""
        units = self.battle.units
        found = [u for u in units if any(_covers(base, point) for base in u.bases)]
        found = found or [u for u in units if u.strength > 1 and _inside(u, point)]
        return min(found, key=lambda u: not u.is_general, default=None)

    @property
    def unit(self) -> Unit | None:
        """The selected unit, where it stands (not its ghost)."""
        return self.battle.unit(self.selected) if self.selected else None

    @property
    def faint(self) -> tuple[str, ...]:
        """Units drawn half through: the one in hand, where it was taken from."""
        return (self.drag.unit.id,) if self.drag else ()

    @property
    def actions(self) -> tuple[str, ...]:
        """Ways the selected unit may be moved, the free hand last."""
        return (*rule_set.find(self.battle.rules).actions(self.unit), FREE) if self.unit else ()

    def verdict(self, *key: Hashable) -> Verdict | None:
        """Return the verdict that came in under ``key``, None while it is awaited or could not be put."""
        answer = self.answers.get(key)
        return answer if isinstance(answer, Verdict) else None

    def mark(self, enemy: str) -> Mark | None:
        """Return how an enemy stands to the selected unit, None until the judge has said."""
        for mark, question in ((Mark.FIRE, "fire"), (Mark.ASSAULT, "assault")):
            verdict = self.verdict(question, enemy)
            if verdict and verdict.holds:
                return mark
        sight, arc = self.verdict("los", enemy), self.verdict("arc", enemy)
        if sight is None:
            return None
        if arc and arc.holds and self._in_bare_range(enemy):
            return Mark.BLOCKED
        return Mark.SEEN if sight.holds else Mark.HIDDEN

    @property
    def why(self) -> Verdict | None:
        """Return the verdict that best tells how the enemy under the cursor is marked, None until it is in."""
        if self.hovered is None:
            return None
        shot, sight = self.verdict("why", "fire"), self.verdict("why", "los")
        return shot if shot and shot.holds else sight

    def _in_bare_range(self, enemy: str) -> bool:
        """True when nothing but arc, sight or friends could forbid a shot: the enemy is near enough."""
        shooter, field_of_fire = self.ghost or self.unit, self.verdict("field")
        reach = field_of_fire.measured.get("range") if field_of_fire else None
        return shooter is not None and reach is not None and self._distance(shooter, enemy) <= reach

    def _distance(self, shooter: Unit, enemy: str) -> float:
        """Return how far an enemy is, measured once for every place the shooter stands or is held."""
        if self._near is None or self._near[0] is not shooter:
            self._near = (shooter, {})
        known = self._near[1]
        if enemy not in known:
            known[enemy] = distance_between(shooter, self.battle.unit(enemy))
        return known[enemy]

    @property
    def ghost(self) -> Unit | None:
        """The dragged unit where it would stand, None when nothing is dragged or no move has been judged."""
        if self.drag is None:
            return None
        if self.action == FREE:
            return _placed(self.drag)
        verdict = self.verdict("move")
        after = verdict.measured.get("after") if verdict else None
        if verdict is None or not after:
            return None
        if self._ghost is None or self._ghost[0] is not verdict:
            self._ghost = (verdict, standing(self.drag.unit, after))
        return self._ghost[1]

    @property
    def seen(self) -> Battle:
        """The battle as it is drawn: as it stands, unless something that happened is still being shown."""
        return self.battle

    @property
    def named_first(self) -> tuple[str, ...]:
        """Units whose names are placed before all others."""
        return (self.selected,) if self.selected else ()

    @property
    def labelled(self) -> Battle:
        """The battle as names stand in it."""
        return self.battle

    @property
    def unseen(self) -> frozenset[str]:
        """Units left out of it: they are drawn elsewhere."""
        return frozenset()

    @property
    def busy(self) -> set[Hashable]:
        """Keys of everything the judge is still working on."""
        return self.quick.busy | self.slow.busy

    def point_at(self, name: str | None) -> None:
        """Point at a unit, or at none; why an enemy is marked as it is, is asked now."""
        if name == self.hovered:
            return
        self.hovered = name
        self._forget("why")
        unit, ghost = self.unit, self.ghost
        if unit is None or name is None or self.battle.unit(name).side == unit.side:
            return
        placed = (ghost,) if ghost is not None else ()
        for question in self._about_enemies(unit):
            self.quick.put(Errand(("why", question), question, (unit.id, name), rank=0, placed=placed))

    def _about_enemies(self, unit: Unit) -> tuple[str, ...]:
        asked = ("los",) if unit.is_general else ("fire", "assault", "los", "arc")
        return tuple(question for question in asked if self._answered(question))

    def _answered(self, question: str) -> bool:
        """Return whether the rules of this battle answer a question at all."""
        return question in rule_set.find(self.battle.rules).questions

    # --- for planning ------------------------------------------------------------------------------------------------

    @property
    def offered(self) -> tuple[Overlay, ...]:
        """Overlays the rules of this battle know enough for."""
        return plans.offered(self.battle.rules)

    @property
    def viewer(self) -> str | None:
        """The side from which the enemy is looked at; None where nobody looks."""
        return self.unit.side if self.unit else None

    def driven(self, unit: Unit) -> Mapping[str, float]:
        """Return how far a unit may be driven back, each distance by the words for it."""
        play = rule_set.find(self.battle.rules).play
        return play_of(self.battle).driven(self.battle, unit) if play is not None else {}

    def toggle(self, overlay: Overlay) -> None:
        """Show an overlay, or no longer."""
        if overlay in self.offered:
            self.overlays ^= {overlay}
            self._ask_plans()

    def toggle_all(self) -> None:
        """Show every overlay there is; with all shown, none."""
        self.overlays = set() if self.overlays >= set(self.offered) else set(self.offered)
        self._ask_plans()

    def _ask_plans(self) -> None:
        """Ask what the overlays for planning show and is not known yet."""
        ghost = self.ghost
        for errand in plans.about(self, ghost or self.unit, (ghost,) if ghost is not None else ()):
            if errand.key not in self.answers:
                self.quick.put(errand)
        self._foresee()

    def _foresee(self) -> None:
        """Ask what of the enemy's next turn is not known yet; forget it when anybody stands elsewhere."""
        here = plans.standing(self.battle)
        if here != self._foreseen_of:
            self.foreseen, self._foreseen_of = {}, here
        under_way = self.slow.busy
        for errand in plans.threats(self):
            if errand.key not in under_way:
                self.slow.put(errand)

    # --- the hand ----------------------------------------------------------------------------------------------------

    def select(self, name: str | None) -> None:
        """Select a unit, or none, and ask everything the overlays show of it."""
        if name == self.selected:
            return
        self.selected, self.drag, self.note = name, None, ""
        if self.action not in self.actions:
            self.action = self.actions[0] if self.actions else ""
        self._ask_afresh()

    def choose(self, action: str) -> None:
        """Choose how the selected unit is to be moved."""
        if action in self.actions and action != self.action:
            self.action = action
            self._forget("reach", "move")
            self._ask_reach()
            self._ask_move()

    def take(self, point: Point) -> None:
        """Take hold of the selected unit at ``point``."""
        if self.unit is not None:
            self.drag, self.note = Drag(self.unit, point, point), ""
            self._forget("move")

    def drag_to(self, point: Point) -> None:
        """Move the ghost under the cursor."""
        if self.drag is not None and self.drag.let_go is None and point != self.drag.cursor:
            self.drag = replace(self.drag, cursor=point)
            self._ask_move()

    def drop_waypoint(self) -> None:
        """Fix the way as far as the cursor."""
        if self.drag is not None and self.action != FREE:
            self.drag = replace(self.drag, waypoints=(*self.drag.waypoints, self._target()))
            self._ask_move()

    def turn(self, notches: float, fine: bool = False) -> None:
        """Turn the ghost, clockwise positive; a unit not in hand is taken and turned where it stands."""
        if self.unit is None or self.unit.is_general:
            return
        if self.drag is None:
            self.take(self.unit.at)
        assert self.drag is not None
        facing = self._facing() + notches * (FINE_TURN if fine else TURN)
        self.drag = replace(self.drag, facing=snap_facing(facing))
        self._ask_move()

    def find_way(self, on: bool) -> None:
        """Let the judge find the cheapest way to the cursor instead of going straight."""
        if self.drag is not None and self.drag.find_way != on:
            self.drag = replace(self.drag, find_way=on)
            self._ask_move()

    def release(self, anyway: bool = False) -> bool:
        """Let go: a legal move (or a free one, or ``anyway``) is made; return whether the unit was put down.

        While the judge is still at work on where the hand is, the unit is put down when the answer has come.
        """
        if self.drag is not None and self._awaited and self.action != FREE:
            self.drag = replace(self.drag, let_go=anyway)
            return False
        drag, ghost, verdict = self.drag, self.ghost, self.verdict("move")
        self.drag = None
        if drag is None:
            return False
        if ghost is None:
            refused = self.answers.get(("move",))
            self._ask_afresh()
            self.note = refused if isinstance(refused, str) else ""
            return False
        if self.action != FREE and not anyway and not (verdict and verdict.holds):
            self._ask_afresh()
            self.note = "Not a legal move: the unit stays where it was."
            return False
        self._put(ghost)
        self.undo.append(drag.unit)
        return True

    def take_back(self) -> None:
        """Take back the last move."""
        if self.undo:
            self._put(self.undo.pop())

    def cancel(self) -> None:
        """Let go without moving; then lay the tape aside; then select nothing."""
        self.note = ""
        if self.drag is not None:
            self.drag = None
            self._ask_afresh()
        elif self.stretch is not None:
            self.stretch = None
        elif self.tool is not Tool.HAND:
            self.tool = Tool.HAND
        else:
            self.select(None)

    # --- tape and sight line -----------------------------------------------------------------------------------------

    def lay_from(self, point: Point) -> None:
        """Begin a tape or a sight line at a point, or at the unit there."""
        unit = self.unit_at(point)
        self.stretch = Stretch(point, point, unit.id if unit else None)

    def lay_to(self, point: Point, laid: bool = False) -> None:
        """Stretch it to a point, or to the unit there; ``laid`` fixes it."""
        if self.stretch is None or self.stretch.laid:
            return
        unit = self.unit_at(point)
        name = unit.id if unit and unit.id != self.stretch.from_unit else None
        if (point, name) != (self.stretch.end, self.stretch.to_unit) or laid:
            self.stretch = replace(self.stretch, end=point, to_unit=name, laid=laid)
            self._ask_stretch()

    # --- asking ------------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Take in the answers that have come; call it once a frame."""
        for clerk in (self.quick, self.slow):
            for key, answer in clerk.take():
                if isinstance(key, tuple) and key[0] == "threat":
                    self.foreseen[key[1]] = answer
                    continue
                self.answers[key] = answer
                if key == ("move",):
                    self._move_judged()

    def _move_judged(self) -> None:
        """Ask about where the hand has gone since; or let go; or ask what the unit would do from there."""
        if self._move_waits:
            self._ask_move()
        elif self.drag is not None and self.drag.let_go is not None:
            self.release(self.drag.let_go)
            return
        self._ask_ghost()

    @property
    def _awaited(self) -> bool:
        """True while the judge has not said of the place where the hand is now."""
        return self._move_waits or ("move",) in self.busy

    def close(self) -> None:
        """Send the clerks home."""
        self.quick.close()
        self.slow.close()

    def _put(self, unit: Unit) -> None:
        self.battle = self.battle.with_unit(unit)
        self.quick.moved(unit)
        self.slow.moved(unit)
        self._ask_afresh()

    def _forget(self, *questions: str) -> None:
        for key in [k for k in self.answers if isinstance(k, tuple) and k[0] in questions]:
            del self.answers[key]

    def _ask_afresh(self) -> None:
        self.quick.clear()
        self.slow.clear()
        self.answers.clear()
        self._move_waits = False
        if self.unit is not None:
            self._ask_about(self.unit, ())
            self._ask_reach()
        self._ask_stretch()
        self._ask_plans()

    def _ask_about(self, unit: Unit, placed: tuple[Unit, ...]) -> None:
        """Ask what the overlays show of a unit as it stands, or as its ghost would."""
        name = unit.id
        if not unit.is_general and self._answered("zone"):
            self.quick.put(Errand(("zone",), "zone", (name,), rank=1, placed=placed))
        if unit.fronts and self._answered("field"):
            self.quick.put(Errand(("field",), "field", (name,), rank=1, placed=placed))
        for enemy in self.battle.enemies(unit):
            for question in self._about_enemies(unit):
                key, options = (question, enemy.id), {"brief": True}
                self.quick.put(Errand(key, question, (name, enemy.id), options, rank=2, placed=placed))
        if self._answered("ground"):
            self.slow.put(Errand(("ground",), "ground", (name,), rank=1, placed=placed))
        if placed:
            for errand in plans.about(self, unit, placed):
                self.quick.put(errand)

    def _ask_reach(self) -> None:
        if self._answered("reach") and self.unit is not None and self._goes:
            name, options = self.unit.id, {"as": self.action}
            self.slow.put(Errand(("reach", "first"), "reach", (name,), {**options, "first": True}, rank=0))
            self.slow.put(Errand(("reach",), "reach", (name,), options, rank=2))

    @property
    def _goes(self) -> bool:
        """Whether the chosen way of moving goes anywhere."""
        return self.action not in (FREE, "", *rule_set.find(self.battle.rules).on_the_spot)

    def _ask_ghost(self) -> None:
        ghost = self.ghost
        if ghost is not None:
            self._ask_about(ghost, (ghost,))

    def _ask_move(self) -> None:
        if self.drag is None:
            return
        if self.action == FREE:
            self._ask_ghost()
            return
        # A question under way is answered before the next is put: else a hand that never rests is never answered.
        self._move_waits = ("move",) in self.quick.busy
        if self._move_waits:
            return
        errand = self._move_errand(self.drag)
        clerk = self.slow if "to" in errand.options else self.quick
        clerk.put(errand)

    def _move_errand(self, drag: Drag) -> Errand:
        """Return the question whether the unit in hand may go where the hand is."""
        return Errand(("move",), "move", (drag.unit.id,), self._move_options(drag), rank=0)

    def _ask_stretch(self) -> None:
        """Ask for the proof of a sight line; a tape between units asks for their distance."""
        self._forget("stretch")
        if self.stretch is None:
            return
        s = self.stretch
        if s.from_unit and s.to_unit:
            question = "distance" if self.tool is Tool.TAPE else "los"
            self.quick.put(Errand(("stretch",), question, (s.from_unit, s.to_unit), full=s.laid, rank=0))
        elif self.tool is Tool.SIGHT and s.start != s.end:
            self.quick.put(Errand(("stretch",), "line", (), {"start": s.start, "end": s.end}, rank=0))

    def _move_options(self, drag: Drag) -> Mapping[str, Any]:
        options: dict[str, Any] = {"as": self.action}
        if drag.facing is not None:
            options["facing"] = drag.facing
        if self.action == "deploy":
            dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
            return {"facing": drag.unit.facing, **options, "ref": drag.unit.reference, "shift": (snap(dx), snap(dy))}
        if not self._goes:
            return {**options, "ref": drag.unit.reference}
        if drag.find_way and not drag.waypoints:
            return {**options, "to": self._target()}
        return {**options, "path": [*drag.waypoints, self._target()]}

    def _target(self) -> Point:
        """Return where the front midpoint should go so that the unit's middle follows the hand."""
        assert self.drag is not None
        drag = self.drag
        x, y = drag.cursor
        if drag.unit.is_general:
            return snap(x), snap(y)
        sx, sy = drag.waypoints[-1] if drag.waypoints else drag.unit.at
        run = math.hypot(x - sx, y - sy)
        ahead = math.dist(drag.unit.at, drag.unit.front_mid)
        if run < 1e-9:
            return drag.unit.front_mid
        return snap(x + ahead * (x - sx) / run), snap(y + ahead * (y - sy) / run)

    def _facing(self) -> float:
        """Return the facing the ghost has now."""
        assert self.drag is not None
        if self.drag.facing is not None:
            return self.drag.facing
        ghost = self.ghost
        return ghost.facing if ghost is not None else self.drag.unit.facing


def _covers(base: AnyBase, point: Point) -> bool:
    if isinstance(base, Disc):
        return math.dist(base.centre, point) <= base.radius
    lateral, ahead = base.local(point)
    return abs(lateral) <= base.frontage / 2 and -base.depth <= ahead <= 0


def _inside(unit: Unit, point: Point) -> bool:
    """Return whether a point lies in the hollow between a unit's bases, as in a square."""
    return bool(shapely.intersects_xy(unit.footprint.convex_hull, *point))


def _placed(drag: Drag) -> Unit:
    """Return the dragged unit where the free hand holds it."""
    unit = drag.unit
    dx, dy = drag.cursor[0] - drag.grip[0], drag.cursor[1] - drag.grip[1]
    moved = unit.moved(snap(dx), snap(dy))
    return moved if drag.facing is None else moved.turned(turn_between(unit.facing, drag.facing))


def compass(start: Point, end: Point) -> str:
    """Return the bearing of a line in words, as on a compass card (``NNE 23°``)."""
    degrees = bearing(end[0] - start[0], end[1] - start[1])
    return f"{compass_point(degrees)} {degrees:.0f}°"


def towards(start: Point, degrees: float, length: float) -> Point:
    """Return the point ``length`` away from ``start`` in a compass direction."""
    east, north = heading(degrees)
    return start[0] + length * east, start[1] + length * north
