"""What the desk asks the judge, and how his answers come in. Knows no pygame.

Every answer shown comes from the judge, through two clerks: a quick one for what follows the mouse, a slow one for
areas.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, snap
from tabletop.play.workers.judge_worker import Errand
from tabletop.render.settings.model import Overlay
from tabletop.render.table import plans
from tabletop.render.table.desk_seen import SeenDesk
from tabletop.render.table.model import PointAt, Show
from tabletop.render.table.tools import FREE, Drag, Tool
from tabletop.rules import rule_set


@dataclass
class AskingDesk(SeenDesk):
    """The table as it is looked at, and what is asked of it: of the unit selected, its ghost, the way, the tape."""

    # --- what comes in ------------------------------------------------------------------------------------------------

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
        """Ask about where the hand has gone since, and what the unit would do from there."""
        if self._move_waits:
            self._ask_move()
        self._ask_ghost()

    @property
    def _awaited(self) -> bool:
        """True while the judge has not said of the place where the hand is now."""
        return self._move_waits or ("move",) in self.busy

    def close(self) -> None:
        """Send the clerks home."""
        self.quick.close()
        self.slow.close()

    # --- what is shown of a unit --------------------------------------------------------------------------------------

    def point_at(self, name: str | None) -> None:
        """Point at a unit, or at none; why an enemy is marked as it is, is asked now."""
        if not self.update(PointAt(name)):
            return
        self._forget("why")
        unit, ghost = self.unit, self.ghost
        if unit is None or name is None or self.battle.unit(name).side == unit.side:
            return
        placed = (ghost,) if ghost is not None else ()
        of, questions = (unit.id, name), self._about_enemies(unit)
        self.quick.put(*(Errand(("why", q), q, of, rank=0, placed=placed) for q in questions))

    def _about_enemies(self, unit: Unit) -> tuple[str, ...]:
        asked = ("los",) if unit.is_general else ("fire", "assault", "los", "arc")
        return tuple(question for question in asked if self._answered(question))

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
        name, asked, brief = unit.id, list[Errand](), {"brief": True}
        if not unit.is_general and self._answered("zone"):
            asked.append(Errand(("zone",), "zone", (name,), rank=1, placed=placed, finished=True))
        if unit.fronts and self._answered("field"):
            asked.append(Errand(("field",), "field", (name,), rank=1, placed=placed, finished=True))
        questions = self._about_enemies(unit)
        for enemy in self.battle.enemies(unit):
            of = (name, enemy.id)
            asked += [Errand((q, enemy.id), q, of, brief, rank=2, placed=placed, finished=True) for q in questions]
        if self._answered("ground"):
            self.slow.put(Errand(("ground",), "ground", (name,), rank=1, placed=placed, finished=True))
        self.quick.put(*asked, *(self._about(unit, placed) if placed else ()))

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

    # --- the way, and the tape ----------------------------------------------------------------------------------------

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

    # --- for planning -------------------------------------------------------------------------------------------------

    def toggle(self, overlay: Overlay) -> None:
        """Show an overlay, or no longer."""
        if overlay in self.offered:
            self.show(self.overlays ^ {overlay})

    def show(self, overlays: Iterable[Overlay]) -> None:
        """Show these overlays and no others."""
        self.update(Show(frozenset(overlays)))
        self._ask_plans()

    def toggle_all(self) -> None:
        """Show every overlay there is; with all shown, none."""
        self.show(set() if self.overlays >= set(self.offered) else self.offered)

    def _ask_plans(self) -> None:
        """Ask what the overlays for planning show and is not known yet."""
        ghost = self.ghost
        about = self._about(ghost or self.unit, (ghost,) if ghost is not None else ())
        self.quick.put(*(errand for errand in about if errand.key not in self.answers))
        self._foresee()

    def _foresee(self) -> None:
        """Ask what of the enemy's next turn is not known yet; forget it when anybody stands elsewhere."""
        here = plans.standing(self.battle)
        if here != self._foreseen_of:
            self.foreseen, self._foreseen_of = {}, here
        under_way = self.slow.busy
        self.slow.put(*(errand for errand in self._threats() if errand.key not in under_way))

    def _threats(self) -> Iterator[Errand]:
        """Yield what is still to be found out about the enemies of who looks."""
        if Overlay.THREAT in self.overlays and Overlay.THREAT in self.offered and self.viewer is not None:
            for unit in self.battle.units:
                if unit.side != self.viewer and not unit.is_general and unit.id not in self.foreseen:
                    yield plans.ThreatErrand(("threat", unit.id), "reach", (unit.id,), rank=3)

    def _about(self, unit: Unit | None, placed: tuple[Unit, ...] = ()) -> Iterator[Errand]:
        """Yield what is asked of a unit, or of nobody, as it stands or as its ghost would."""
        shown = self.overlays & set(self.offered)
        wanted = Overlay.COMMAND in self.offered and (Overlay.COMMAND in shown or unit is not None)
        if wanted and (asked := self._commanded(unit)) is not None:
            yield Errand(("command",), "command", (asked.id,), rank=1, placed=placed, finished=True)
        if Overlay.FALLBACK in shown and unit is not None and not unit.is_general:
            source = plans.driver(self.battle, unit)
            for word, far in self.driven(unit).items():
                if source is None:
                    return
                options = {"from": source.id, "distance": far}
                yield Errand(("fallback", word), "fallback", (unit.id,), options, rank=2, placed=placed, finished=True)

    def _commanded(self, unit: Unit | None) -> Unit | None:
        """Return of whom it is asked how far command carries: the unit selected, else any of that side."""
        if unit is not None and not unit.is_general:
            return unit
        side = self.viewer
        return next((u for u in self.battle.units if u.side == side and not u.is_general), None)
