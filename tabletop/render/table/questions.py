"""The questions to ask the judge about a table: on the selected unit, its ghost, the tape, and for planning. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play.engine import play_of
from tabletop.play.workers.judge_worker import JudgeRequest
from tabletop.render.settings.model import Overlay
from tabletop.render.table import plans
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import Tool
from tabletop.rules import rule_set
from tabletop.rules.asked import ASSAULT, FIRE

#: Minimum seconds between two questions about the ground seen by a unit in hand: it is not painted more often.
GROUND_REST = 0.1


def answered(battle: Battle, question: str) -> bool:
    """Return whether the rules of a battle answer a question."""
    return question in rule_set.find(battle.rules).questions


def driven(battle: Battle, unit: Unit) -> Mapping[str, float]:
    """Return the distances a unit may be driven back, by the words for each."""
    play = rule_set.find(battle.rules).play
    return play_of(battle).driven(battle, unit) if play is not None else {}


def why(model: TableModel) -> Iterator[JudgeRequest]:
    """Yield the questions about the enemy under the cursor: why it is marked as it is."""
    unit, ghost, name = model.unit, model.ghost, model.hovered
    if unit is None or name is None or model.battle.unit(name).side == unit.side:
        return
    placed = (ghost,) if ghost is not None else ()
    for question in _about_enemies(model.battle, unit):
        yield JudgeRequest(("why", question), question, (unit.id, name), rank=0, placed=placed)


def _about_enemies(battle: Battle, unit: Unit) -> tuple[str, ...]:
    asked = ("los",) if unit.is_general else (FIRE, ASSAULT, "los", "arc")
    return tuple(question for question in asked if answered(battle, question))


def of_unit(battle: Battle, unit: Unit, placed: tuple[Unit, ...]) -> Iterator[JudgeRequest]:
    """Yield the overlays' questions about a unit or its ghost, except the ground it sees."""
    name, brief = unit.id, {"brief": True}
    if not unit.is_general and answered(battle, "zone"):
        yield JudgeRequest(("zone",), "zone", (name,), rank=1, placed=placed, finished=True)
    if unit.fronts and answered(battle, "field"):
        yield JudgeRequest(("field",), "field", (name,), rank=1, placed=placed, finished=True)
    questions = _about_enemies(battle, unit)
    for enemy in battle.enemies(unit):
        for q in questions:
            yield JudgeRequest((q, enemy.id), q, (name, enemy.id), brief, rank=2, placed=placed, finished=True)


def ground(battle: Battle, unit: Unit, placed: tuple[Unit, ...]) -> Iterator[JudgeRequest]:
    """Yield the question about the ground a unit sees."""
    if answered(battle, "ground"):
        rest = GROUND_REST if placed else 0.0
        yield JudgeRequest(("ground",), "ground", (unit.id,), rank=1, placed=placed, finished=True, rest=rest)


def reach(model: TableModel, goes: bool) -> Iterator[JudgeRequest]:
    """Yield how far the selected unit can go, a quick answer first; ``goes``: its way of moving has a path."""
    if answered(model.battle, "reach") and model.unit is not None and goes:
        name, options = model.unit.id, {"as": model.action}
        yield JudgeRequest(("reach", "first"), "reach", (name,), {**options, "first": True}, rank=0)
        yield JudgeRequest(("reach",), "reach", (name,), options, rank=2)


def stretch(model: TableModel) -> Iterator[JudgeRequest]:
    """Yield the proof of a sight line, or the distance of a tape between units."""
    s = model.stretch
    if s is not None and s.from_unit and s.to_unit:
        question = "distance" if model.tool is Tool.TAPE else "los"
        yield JudgeRequest(("stretch",), question, (s.from_unit, s.to_unit), full=s.laid, rank=0)
    elif s is not None and model.tool is Tool.SIGHT and s.start != s.end:
        yield JudgeRequest(("stretch",), "line", (), {"start": s.start, "end": s.end}, rank=0)


# --- for planning ----------------------------------------------------------------------------------------------------


def planning(
    model: TableModel, viewer: str | None, unit: Unit | None, placed: tuple[Unit, ...] = ()
) -> Iterator[JudgeRequest]:
    """Yield the planning overlays' questions about a unit or its ghost, or about no unit."""
    shown = model.overlays & set(model.offered)
    wanted = Overlay.COMMAND in model.offered and (Overlay.COMMAND in shown or unit is not None)
    if wanted and (asked := _commanded(model.battle, viewer, unit)) is not None:
        yield JudgeRequest(("command",), "command", (asked.id,), rank=1, placed=placed, finished=True)
    if Overlay.FALLBACK in shown and unit is not None and not unit.is_general:
        source = plans.driver(model.battle, unit)
        if source is None:
            return
        for word, far in driven(model.battle, unit).items():
            options = {"from": source.id, "distance": far}
            yield JudgeRequest(
                ("fallback", word), "fallback", (unit.id,), options, rank=2, placed=placed, finished=True
            )


def _commanded(battle: Battle, viewer: str | None, unit: Unit | None) -> Unit | None:
    """Return the unit to ask about the range of command: the selected one, else any of the viewer's side."""
    if unit is not None and not unit.is_general:
        return unit
    return next((u for u in battle.units if u.side == viewer and not u.is_general), None)


def threats(model: TableModel, viewer: str | None) -> Iterator[JudgeRequest]:
    """Yield the questions about the next turn of the viewer's enemies that are not answered yet."""
    if Overlay.THREAT in model.overlays and Overlay.THREAT in model.offered and viewer is not None:
        for unit in model.battle.units:
            if unit.side != viewer and not unit.is_general and unit.id not in model.foreseen:
                yield plans.ThreatRequest(("threat", unit.id), "reach", (unit.id,), rank=3)
