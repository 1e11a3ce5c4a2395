"""Whether a condition of a lesson holds, for the battle, the judge's answers, and what has been done in the step."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Converted, Event, Left, Lost, Placed, Removed, Scored, Taken
from tabletop.battle.unit import Unit
from tabletop.errors import TabletopError
from tabletop.geometry.measure import bearing, turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.judge import judge as put
from tabletop.lessons import acts
from tabletop.lessons.models import SUBJECTS, AskRow, ConditionRow, comparison, outline_of, point_of
from tabletop.play import engine
from tabletop.play.engine import Step

ANYBODY = "anybody"
EVENTS: dict[str, type[Any]] = {
    "lost": Lost, "removed": Removed, "changed": Changed, "taken": Taken, "placed": Placed, "scored": Scored,
    "converted": Converted, "left": Left,
}  # fmt: skip
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip
#: Compared numbers are measured; within this difference they count as equal.
NEAR = 1e-6


@dataclass(frozen=True)
class Situation:
    """What conditions are tested on: the battle, the steps since the lesson's step began, and the learner's side."""

    battle: Battle
    steps: Sequence[Step]
    learner: str


def subject(condition: ConditionRow) -> str:
    """Return the first subject of a condition; "" if it has none."""
    return next(subjects(condition), "")


def subjects(condition: ConditionRow) -> Iterator[str]:
    """Yield the subjects of a condition; a unit that only qualifies an action or event is not one."""
    named = [word for word in SUBJECTS if getattr(condition, word) is not None]
    for word in named:
        if not any(word in SUBJECTS[other][0] for other in named):
            yield word


def holds(condition: ConditionRow, now: Situation) -> bool:
    """Return whether a condition holds; one about something missing, or that cannot be asked now, does not."""
    try:
        return _HOLDS[subject(condition)](condition, now)
    except TabletopError:
        return False


def compared(value: float, wanted: Any) -> bool:
    """Return whether a number fits a comparison such as "<= 3".

    >>> compared(3.0, "<= 3"), compared(2, "> 2")
    (True, False)
    """
    sign, limit = comparison(wanted)
    return abs(value - limit) <= NEAR if sign == "=" else _SIGNS[sign](value, limit)


def asked(question: AskRow | ConditionRow, battle: Battle, margin: bool = False) -> Verdict:
    """Return the judge's verdict on a question of a lesson; BadQuestion when it cannot be put."""
    from tabletop.play.requests import read_options

    given = read_options({**(question.options or {}), "margin": margin})
    return put(battle, str(question.ask), question.args or [], given)


# --- each subject ----------------------------------------------------------------------------------------------------


def _all(c: ConditionRow, now: Situation) -> bool:
    return all(holds(part, now) for part in c.all or ())


def _any(c: ConditionRow, now: Situation) -> bool:
    return any(holds(part, now) for part in c.any or ())


def _none(c: ConditionRow, now: Situation) -> bool:
    return not any(holds(part, now) for part in c.none or ())


def _count(c: ConditionRow, now: Situation) -> bool:
    return compared(sum(holds(part, now) for part in c.of or ()), c.count)


def _ask(c: ConditionRow, now: Situation) -> bool:
    verdict = asked(c, now.battle, c.margin is not None)
    if verdict.holds != (c.holds is not False):
        return False
    for name, wanted in (c.measured or {}).items():
        value = verdict.measured.get(name)
        if not isinstance(value, int | float) or not compared(value, wanted):
            return False
    return c.margin is None or verdict.margin is None or compared(verdict.margin, c.margin)


def _unit(c: ConditionRow, now: Situation) -> bool:
    battle = now.battle
    if c.gone is not None and battle.has(str(c.unit)) == c.gone:
        return False
    if not battle.has(str(c.unit)):
        return c.gone is True
    unit = battle.unit(str(c.unit))
    return (
        (c.within is None or battle.tape.at_most(_way(battle, unit, c.within.of), c.within.d))
        and (c.inside is None or shapely.covers(_region(battle, c.inside), shapely.Point(unit.at)))
        and (c.facing is None or _looks(battle, unit, c.facing.toward) <= c.facing.within + NEAR)
        and (c.formation is None or unit.formation == c.formation)
        and (c.status is None or unit.status == c.status)
        and (c.bases is None or compared(unit.strength, c.bases))
        and all(unit.marks.get(name) == value for name, value in (c.marks or {}).items())
    )


def _way(battle: Battle, unit: Unit, of: Any) -> float:
    """Return the distance from a unit to a point, to a unit (as the judge measures it) or to a piece of terrain."""
    point = point_of(of)
    if point is not None:
        return unit.way_to(point)
    if battle.has(str(of)):
        return float(put(battle, "distance", [unit.id, str(of)], {"margin": False}).measured["distance"])
    return float(shapely.distance(unit.footprint, _region(battle, of)))


def _region(battle: Battle, of: Any) -> Any:
    outline = outline_of(of)
    if outline is not None:
        return shapely.Polygon(outline)
    return next((piece.shape for piece in battle.table.terrain if piece.id == of), shapely.Polygon())


def _looks(battle: Battle, unit: Unit, toward: Any) -> float:
    """Return by how many degrees a unit's facing differs from the direction to something."""
    if isinstance(toward, int | float):
        return abs(turn_between(unit.facing, float(toward)))
    point = point_of(toward) or battle.unit(str(toward)).at
    return abs(turn_between(unit.facing, bearing(point[0] - unit.at[0], point[1] - unit.at[1])))


def _by(c: ConditionRow, now: Situation) -> Iterator[Step]:
    """Yield the steps of the side that a condition is about."""
    side = c.by or now.learner
    return (s for s in now.steps if s.action is not None and side in (ANYBODY, s.action.side))


def _did(c: ConditionRow, now: Situation) -> bool:
    return any(
        (s.action is not None and s.action.kind == c.did)
        and (c.unit is None or s.action.unit == c.unit)
        and (c.target is None or s.action.target == c.target)
        for s in _by(c, now)
    )


def _happened(c: ConditionRow, now: Situation) -> bool:
    return any(_is_so(c, event) for step in _by(c, now) for event in step.events)


def _is_so(c: ConditionRow, event: Event) -> bool:
    wanted = {"unit": c.unit, "how": c.how, "status": c.status, "objective": c.objective}
    return isinstance(event, EVENTS[str(c.happened)]) and all(
        getattr(event, name, None) == value for name, value in wanted.items() if value is not None
    )


def _objective(c: ConditionRow, now: Situation) -> bool:
    goals = (goal for goal in now.battle.setup.objectives if goal.id == c.objective)
    return any((goal.holder or "nobody") == c.holder for goal in goals)


def _score(c: ConditionRow, now: Situation) -> bool:
    return compared(now.battle.scores.get(str(c.score), 0.0), c.points)


def _clock(c: ConditionRow, now: Situation) -> bool:
    wanted, clock = c.clock, now.battle.clock
    assert wanted is not None, "a condition of the clock has one"
    return (
        (wanted.turn is None or compared(clock.turn, wanted.turn))
        and (wanted.phase is None or clock.phase == wanted.phase)
        and (wanted.side is None or clock.side == wanted.side)
    )


def _pending(c: ConditionRow, now: Situation) -> bool:
    return any(decision.kind == c.pending for decision in now.battle.pending[:1])


def _outcome(c: ConditionRow, now: Situation) -> bool:
    return now.battle.outcome is not None and (now.battle.outcome.winner or "draw") == c.outcome


def _odds(c: ConditionRow, now: Situation) -> bool:
    battle = now.battle
    action = acts.read(battle, str(c.odds))
    if not engine.judge(battle, action).holds:
        return False
    odds = engine.play_of(battle).odds(battle, action)
    good = 1.0 if odds is None else sum(share for share, result in odds.results if result.worth > 0.0)
    return compared(good, c.good)


_HOLDS: dict[str, Callable[[ConditionRow, Situation], bool]] = {
    "all": _all, "any": _any, "none": _none, "count": _count, "ask": _ask, "unit": _unit, "did": _did,
    "happened": _happened, "objective": _objective, "score": _score, "clock": _clock, "pending": _pending,
    "outcome": _outcome, "odds": _odds,
}  # fmt: skip
