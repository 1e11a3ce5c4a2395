"""A lesson as handouts, one sheet for each step: the task in front, the solution with its proof on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.battle.battle import Battle
from tabletop.battle.saying import by_name
from tabletop.drills.position import YES_NO, yes_no
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.lessons import acts, conditions
from tabletop.lessons.lesson import Lesson
from tabletop.lessons.models import StepRow
from tabletop.lessons.proof import at_step
from tabletop.lessons.runner import Runner, kind_of
from tabletop.lessons.texts import filled
from tabletop.play import engine
from tabletop.render.handouts.page import Handout, Side

#: Maximum wrong attempts listed on a back.
ATTEMPTS = 4


def of_lesson(lesson: Lesson) -> list[Handout]:
    """Return a lesson's sheets in order; BadQuestion if a solution cannot be played."""
    return [_of_step(lesson, number) for number in range(len(lesson.steps))]


def _of_step(lesson: Lesson, number: int) -> Handout:
    runner = at_step(lesson, number)
    step, battle = runner.step, runner.battle
    foot = f"Lesson: {lesson.title}, step {number + 1} of {len(lesson.steps)}  ·  {', '.join(lesson.row.teaches)}"
    paragraphs = [_filled(step.say, battle)] if step.say else []
    choices = tuple(YES_NO.values()) if kind_of(step) == "predict" else ()
    front = Side(_filled(step.goal, battle), paragraphs, battle, choices=choices)
    return Handout(front, _back(runner, step), foot)


def _back(runner: Runner, step: StepRow) -> Side:
    """Return the side with the proof: the answer to be predicted, or the deciding action, drawn."""
    done = [_filled(step.done, runner.battle)] if step.done else []
    if kind_of(step) == "predict":
        answer, battle = runner.prediction()
        return Side(f"{_filled(step.goal, battle)} {YES_NO[yes_no(answer)]}.", done, battle, answer)
    shown = acts.split(step.solution or step.watch or "")
    battle, verdict = _decided(runner, step, shown)
    played = "; ".join(
        f"the computer plays {acts.automatic(act)} actions" if acts.automatic(act) else act for act in shown
    )
    head = f"{'Shown' if kind_of(step) == 'watch' else 'Solved'}: {played}"
    return Side(head, [*done, *_attempts(runner, step)], battle, verdict)


def _decided(runner: Runner, step: StepRow, solution: Sequence[str]) -> tuple[Battle, Verdict | None]:
    """Play a solution; return the battle before the deciding action, and the verdict that proves it.

    That is the last action whose verdict can be drawn; else the step's own question before the last action, if its
    answer is yes; else only that action's reasons. A solution played by the computer alone has no verdict.
    """
    judged: list[tuple[Battle, Verdict]] = []
    for act in solution:
        if not acts.automatic(act):
            battle = runner.battle
            verdict = engine.judge(battle, acts.read(battle, act))
            if not verdict.holds:
                raise BadQuestion(
                    f"'{act}' is not allowed there; have the lesson proved: tabletop lessons --check NAME"
                )
            judged.append((battle, verdict))
        runner.play(act)
    drawn = [(battle, verdict) for battle, verdict in judged if verdict.shapes or verdict.witness]
    if drawn or not judged:
        return drawn[-1] if drawn else (runner.battle, None)
    battle, verdict = judged[-1]
    asked = None if step.why is None else conditions.asked(step.why, battle)
    return (battle, asked) if asked is not None and asked.holds else (battle, verdict)


def _attempts(runner: Runner, step: StepRow) -> Iterator[str]:
    """Yield why typical wrong attempts fail, in the words that learners see."""
    for row in step.wrong[:ATTEMPTS]:
        runner.retry()
        reply = runner.play(row.acts)
        if reply.reason is not None and reply.about is not None:
            why = by_name(reply.reason, reply.about)
            yield f"Not '{row.acts}': {why[:1].lower()}{why[1:]} ({reply.reason.rule})."


def _filled(text: str, battle: Battle) -> str:
    return filled(text, battle, lambda name: name.capitalize())
