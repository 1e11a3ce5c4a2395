"""Proves a lesson by playing it, so that nothing depends on its author's word.

The words of the texts are counted. For every step: the goal holds neither at the start nor after doing nothing; the
solution reaches it through the engine; typical wrong attempts get the reasons their author expects; most end points
near the solution's work as well. All this again mirrored and with other dice. Random play never gets stuck.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import how_many
from tabletop.errors import BadQuestion, Fault, Illegal, TabletopError
from tabletop.geometry.verdict import Reason
from tabletop.lessons import acts, conditions, texts
from tabletop.lessons.lesson import Lesson, of_step
from tabletop.lessons.mirror import is_line
from tabletop.lessons.models import WrongRow
from tabletop.lessons.runner import DONE, FAILED, GOING, Feedback, Runner, decisive, kind_of, passing
from tabletop.play import engine
from tabletop.play.engine import play_of

#: Maximum words of each text, of the texts on the screen at once, and of a whole lesson.
MOST_WORDS = {"goal": 12, "say": 35, "hints": 20, "done": 25, "missed": 25}
ON_SCREEN, IN_ALL = 60, 200
#: Maximum units, rules and actions of a lesson; minimum wrong attempts.
MOST_UNITS, MOST_RULES, MOST_ACTS, LEAST_WRONG = 6, 3, 6, 5
#: Maximum distance of the varied end points from the solution's, by unit of length; the share that must work as well.
NEARBY = {"in": 0.5, "mm": 12.7, "cm": 1.27}
SHARE = 0.6
#: Tolerance in comparing the file's numbers with the measured ones.
TOLERANCE = 0.011
#: Other seeds; random plays, those of the long sweep, and the actions of each.
SEEDS = (1, 2)
PLAYS, ALL_PLAYS, LONGEST_PLAY = 20, 1_000, 30


@dataclass
class Proved:
    """The result of proving a lesson: faults, and figures for a summary."""

    lesson: Lesson
    faults: list[Fault] = field(default_factory=list)
    words: int = 0
    wrong: int = 0
    served: int = 0
    legal: int = 0
    plays: int = 0

    def fault(self, steps: Sequence[Any], text: str) -> None:
        """Note a fault at a place in the lesson's file."""
        new_fault = self.lesson.doc.fault(list(steps), text)
        if new_fault not in self.faults:
            self.faults.append(new_fault)

    @property
    def summary(self) -> str:
        """The figures in a line."""
        nearby = f", {100 * self.served / self.legal:.0f} % of {self.legal} end points nearby" if self.legal else ""
        return (
            f"{how_many(len(self.lesson.steps), 'step')}, {self.words} words, "
            f"{how_many(self.wrong, 'wrong attempt')}{nearby}, {how_many(self.plays, 'random play')}"
        )


def prove(lesson: Lesson, plays: int = PLAYS) -> Proved:
    """Prove a lesson and return its faults and figures."""
    proved = Proved(lesson)
    _counted(proved)
    for variant, seed in ((lesson, 0), (lesson.mirrored(), 0), *((lesson, seed) for seed in SEEDS)):
        how = "" if seed == 0 and variant is lesson else " mirrored" if seed == 0 else f" with seed {seed}"
        for number in range(len(lesson.steps)):
            _step(proved, variant, number, seed, how)
    if not proved.faults:
        _played_at_random(proved, plays)
    return proved


# --- words and sizes -------------------------------------------------------------------------------------------------


def _counted(proved: Proved) -> None:
    lesson = proved.lesson
    battle = lesson.laid_out()
    for number in range(len(lesson.steps)):
        _step_counted(proved, number, battle)
    sizes = (
        (proved.words, IN_ALL, "words", ["steps"]),
        (len(battle.units), MOST_UNITS, "units", ["scene", "units"]),
        (len(lesson.row.teaches), MOST_RULES, "rules", ["teaches"]),
    )
    for count, most, what, keys in sizes:
        if count > most:
            proved.fault(keys, f"{count} {what} in the lesson; the most is {most}")
    proved.wrong = sum(len(step.wrong) for step in lesson.steps)
    if proved.wrong < LEAST_WRONG:
        proved.fault(["steps"], f"{how_many(proved.wrong, 'wrong attempt')}; a lesson has {LEAST_WRONG} or more")


def _step_counted(proved: Proved, number: int, battle: Battle) -> None:
    """Count the words of each text of a step and of those on the screen at once, and the actions of its solution."""
    step, shown = proved.lesson.steps[number], {"goal": 0, "say": 0, "hints": 0}
    for keys, text in texts.of_step(step):
        count = texts.words(texts.filled(text, battle))
        most, name = MOST_WORDS[str(keys[0])], str(keys[0])
        if count > most:
            proved.fault(["steps", number, *keys], f"{name}: {count} words; the most is {most}: shorten it")
        proved.words += count
        if name in shown:
            shown[name] = max(shown[name], count)
    if (total := sum(shown.values())) > ON_SCREEN:
        proved.fault(["steps", number], f"{total} words on the screen at once; the most is {ON_SCREEN}")
    for key in ("solution", "watch"):
        if (many := len(acts.split(getattr(step, key) or ""))) > MOST_ACTS:
            proved.fault(["steps", number, key], f"{key}: {many} actions; the most is {MOST_ACTS}")


# --- a step ----------------------------------------------------------------------------------------------------------


def at_step(lesson: Lesson, number: int, seed: int = 0) -> Runner:
    """Return a runner at a step; if the step goes on from earlier ones, those are solved first."""
    runner = Runner(lesson, seed)
    first = number
    while first > 0 and lesson.steps[first].goes_on:
        first -= 1
    runner.go_to(first)
    for _ in range(first, number):
        runner.show_solution()
        runner.skip()
    return runner


def _step(proved: Proved, lesson: Lesson, number: int, seed: int, how: str) -> None:
    step = lesson.steps[number]
    try:
        if kind_of(step) == "predict":
            at_step(lesson, number, seed).prediction()
        elif kind_of(step) == "watch":
            at_step(lesson, number, seed).show_solution()
        else:
            _not_done_yet(proved, lesson, number, seed, how)
            _solved(proved, lesson, number, seed, how)
            _wrong(proved, at_step(lesson, number, seed), how)
            _nearby(proved, lesson, number, seed, how)
    except Illegal as error:
        reason = decisive(error.verdict)
        refusal = str(error) if reason is None else f"{reason.rule}: {reason.text}"
        proved.fault(["steps", number, kind_key(step)], f"not allowed{how}: {refusal}")
    except TabletopError as error:
        proved.fault(["steps", number, kind_key(step)], f"cannot be played{how}: {error}")


def kind_key(step: Any) -> str:
    """Return the key of a step that holds its actions or its question."""
    return {"do": "solution", "watch": "watch", "predict": "predict"}[kind_of(step)]


def _not_done_yet(proved: Proved, lesson: Lesson, number: int, seed: int, how: str) -> None:
    """Check that the goal holds neither at the start nor at any time while the learner does nothing."""
    runner, steps = at_step(lesson, number, seed), ["steps", number, "until"]
    assert runner.step.until is not None, "a step to do has a goal"
    if conditions.holds(runner.step.until, runner.situation):
        proved.fault(steps, f"the goal holds at the start{how}; nothing would be learnt")
        return
    for _ in range(10 * LONGEST_PLAY):
        if runner.state != GOING:
            break
        runner.do(passing(runner.battle))
    if runner.state != FAILED:
        proved.fault(steps, f"doing nothing ends as '{runner.state}'{how}; it must fail")


def _solved(proved: Proved, lesson: Lesson, number: int, seed: int, how: str) -> None:
    runner = at_step(lesson, number, seed)
    reply = runner.play(str(runner.step.solution))
    if runner.state != DONE:
        reason = reply.reason
        cause = (
            f": {reason.rule}: {reason.text}"
            if reason is not None
            else f" ({runner.state}: {reply.text})"
            if reply.text
            else ""
        )
        proved.fault(["steps", number, "solution"], f"the solution does not reach the goal{how}{cause}")


def _wrong(proved: Proved, runner: Runner, how: str) -> None:
    """Check that every wrong attempt gets the reason its author expects."""
    for k, row in enumerate(runner.step.wrong):
        runner.retry()
        steps, reply = ["steps", runner.number, "wrong", k], runner.play(row.acts)
        if runner.state == DONE:
            proved.fault(steps, f"'{row.acts}' reaches the goal{how}: it is no wrong attempt")
        elif reply.reason is None or not _as_expected(row, reply.reason):
            proved.fault(steps, f"'{row.acts}'{how} is told {_reason_text(reply.reason, reply)}, not {_expected(row)}")


def _as_expected(row: WrongRow, reason: Reason) -> bool:
    def same(wanted: float | None, actual: float | None) -> bool:
        if wanted is None or actual is None:
            return wanted is actual
        return abs(wanted - actual) <= TOLERANCE

    return reason.rule == row.rule and same(row.measured, reason.measured) and same(row.limit, reason.limit)


def _expected(row: WrongRow) -> str:
    return _numbers(row.rule, row.measured, row.limit)


def _reason_text(reason: Reason | None, feedback: Feedback) -> str:
    if reason is None:
        return f"nothing of a rule ('{feedback.text}')" if feedback.text else "nothing"
    return _numbers(reason.rule, reason.measured, reason.limit)


def _numbers(rule: str, measured: float | None, limit: float | None) -> str:
    figures = (("measured", measured), ("limit", limit))
    return ", ".join([f"rule: {rule}", *(f"{name}: {value:.2f}" for name, value in figures if value is not None)])


# --- end points near the solution's ----------------------------------------------------------------------------------


def _nearby(proved: Proved, lesson: Lesson, number: int, seed: int, how: str) -> None:
    """Check that most of the legal end points near those of the solution's moves reach the goal as well."""
    solution = acts.split(str(of_step(lesson, number)[1].solution))
    legal = served = 0
    for k in range(len(solution)):
        for runner, action in _varied(lesson, number, seed, k):
            if not engine.judge(runner.battle, action).holds:
                continue
            legal += 1
            runner.do(action)
            runner.play(";".join(solution[k + 1 :]))
            served += runner.state == DONE
    if not how:
        proved.legal, proved.served = proved.legal + legal, proved.served + served
    if legal and served < SHARE * legal:
        share = f"{100 * served / legal:.0f} % of {legal}"
        text = (
            f"only {share} legal end points near the solution's reach the goal{how}; {100 * SHARE:.0f} % must: widen it"
        )
        proved.fault(["steps", number, "solution"], text)


def _varied(lesson: Lesson, number: int, seed: int, k: int) -> Iterator[tuple[Runner, Action]]:
    """Yield the position before one action of the solution, and that action with another end point."""
    solution = acts.split(str(of_step(lesson, number)[1].solution))
    runner = at_step(lesson, number, seed)
    for dx, dy in _offsets(NEARBY[runner.battle.table.unit]):
        runner.retry()
        runner.play(";".join(solution[:k]))
        if acts.automatic(solution[k]):
            return
        action = acts.read(runner.battle, solution[k])
        if runner.state != GOING or not _goes(action):
            return
        yield runner, _shifted(action, dx, dy)


def _goes(action: Action) -> bool:
    """Return whether an action goes to a place; the ``to`` of an order is a unit."""
    return "path" in action.options or is_line([action.options.get("to")])


def _shifted(action: Action, dx: float, dy: float) -> Action:
    options = dict(action.options)
    if "to" in options:
        x, y = options["to"]
        return replace(action, options={**options, "to": (x + dx, y + dy)})
    *before, (x, y) = options["path"]
    return replace(action, options={**options, "path": (*before, (x + dx, y + dy))})


def _offsets(far: float) -> list[tuple[float, float]]:
    """Return twenty shifts spread over a disc."""
    turn = math.pi * (3.0 - math.sqrt(5.0))
    radii = [far * math.sqrt((k + 0.5) / 20) for k in range(20)]
    return [(_snapped(r * math.cos(k * turn)), _snapped(r * math.sin(k * turn))) for k, r in enumerate(radii)]


def _snapped(length: float) -> float:
    return round(length * 1024) / 1024


# --- random play -----------------------------------------------------------------------------------------------------


def _played_at_random(proved: Proved, plays: int) -> None:
    lesson = proved.lesson
    doing = [number for number, step in enumerate(lesson.steps) if step.until is not None]
    for play in range(plays if doing else 0):
        number = doing[play % len(doing)]
        try:
            stuck = _stuck(at_step(lesson, number, seed=play), Random(play))
        except Exception as error:
            stuck = f"{type(error).__name__}: {error}"
        if stuck:
            proved.fault(["steps", number], f"random play {play} got stuck: {stuck}")
            return
        proved.plays += 1


def _stuck(runner: Runner, random: Random) -> str:
    """Play at random; return where it got stuck, "" if it did not."""
    for _ in range(LONGEST_PLAY):
        if not runner.can_go_on():
            return f"after {len(runner.session.steps) - 1} actions nothing can be done"
        if runner.state != GOING:
            runner.retry()
            return "" if runner.state == GOING else "retry does not put the step back"
        if random.random() < 0.1 and len(runner.session.steps) > 1:
            runner.undo()
        else:
            runner.do(_random_action(runner, random))
    return ""


def _random_action(runner: Runner, random: Random) -> Action:
    battle = runner.battle
    if battle.pending:
        return replace(passing(battle), options={"choice": random.choice(battle.pending[0].choices)})
    try:
        return play_of(battle).random_action(battle, random)
    except BadQuestion:
        return passing(battle)
