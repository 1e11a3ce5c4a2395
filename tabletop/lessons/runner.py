"""Runs a lesson: the engine plays the learner's actions, the other side answers, and the step ends by itself.

The runner watches a ``Session`` in which the prompt or the window plays any allowed actions. After each of them
``settle`` lets the other side act and judges the step. A step that can no longer be done has failed; the runner sees
to that rather than the author, so that no learner gets stuck. Undo (even past dice), retry, solution and skip are
always possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.errors import BadQuestion, Illegal, TabletopError
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.lessons import acts, conditions
from tabletop.lessons.chances import SetDice
from tabletop.lessons.conditions import Situation
from tabletop.lessons.lesson import Lesson, of_step
from tabletop.lessons.models import HintRow, StepRow
from tabletop.play import engine
from tabletop.play.engine import Step, mover, play_of
from tabletop.play.players import player_kind
from tabletop.play.session import Session

#: The computer player that does the actions which a solution leaves to the computer.
HELPER = "greedy"
#: The states of a step.
GOING, DONE, FAILED, FINISHED = "going", "done", "failed", "finished"
#: Maximum actions of the other side after one of the learner's: more would mean that it never ends its turn.
MOST_ANSWERS = 200


@dataclass(frozen=True)
class Feedback:
    """The feedback after an action: a text, the verdict it rests on, and the battle that was judged."""

    text: str = ""
    verdict: Verdict | None = None
    about: Battle | None = None

    @property
    def reason(self) -> Reason | None:
        """The weightiest reason of the verdict."""
        return None if self.verdict is None else decisive(self.verdict)


class Runner:
    """One learner in one lesson.

    ``state`` is GOING, DONE or FAILED for the present step, FINISHED after the last; ``feedback`` is about the last
    action; ``hinted`` counts the hints given in this step.
    """

    def __init__(self, lesson: Lesson, seed: int = 0) -> None:
        self.whole, self.seed = lesson, seed
        self.number = 0
        self._carried: Battle | None = None
        self._enemy: list[str] = []
        self._begin()

    # --- the step ----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Lay out the position of the present step."""
        self.lesson, self.step = of_step(self.whole, self.number)
        goes_on = self.step.goes_on and self._carried is not None
        places = (*self.step.place, *(self.step.predict.place if self.step.predict is not None else ()))
        battle = self._carried if goes_on and self._carried else self.lesson.begun(places, self.seed)
        self._stand(battle)

    def _stand(self, battle: Battle) -> None:
        self.opening = battle
        self.session = Session.practise(battle, self._dice)
        self.state, self.feedback, self.hinted = GOING, Feedback(), 0
        self._settled = 1

    def _dice(self, steps: Sequence[Step]) -> Chance:
        return SetDice.after(steps, self.lesson.row.chance, self.seed * 1_000_003 + steps[-1].battle.throws)

    @property
    def battle(self) -> Battle:
        """The battle as it stands."""
        return self.session.battle

    @property
    def learner(self) -> str:
        """The learner's side."""
        return self.lesson.row.learner

    @property
    def situation(self) -> Situation:
        """What the step's conditions are tested on."""
        return Situation(self.battle, tuple(self.session.steps[1:]), self.learner)

    @property
    def last(self) -> bool:
        """Whether this is the last step of the lesson."""
        return self.number + 1 == len(self.whole.steps)

    @property
    def dice_set(self) -> bool:
        """Whether the lesson sets the dice, which learners can see."""
        return bool(self.lesson.row.chance)

    # --- playing -----------------------------------------------------------------------------------------------------

    def do(self, action: Action) -> Feedback:
        """Do an action of the learner's; Illegal, with the verdict, if the rules do not allow it."""
        self.session.do(action)
        return self.settle()

    def play(self, text: str) -> Feedback:
        """Do typed actions until one is refused or the step has ended; return the feedback."""
        for act in acts.split(text):
            if self.state != GOING:
                break
            try:
                self._act(act)
            except Illegal as error:
                return self.refused(error.verdict)
        return self.feedback

    def _act(self, act: str) -> None:
        """Do one written action, or as many of the computer's as it says while the step lasts."""
        for _ in range(acts.automatic(act)):
            if self.state == GOING:
                self.do(_players_choice(HELPER, self.battle))
        if not acts.automatic(act):
            self.do(acts.read(self.battle, act))

    def refused(self, verdict: Verdict) -> Feedback:
        """Note a refused action, and return the feedback with the reason."""
        reason = decisive(verdict)
        self.feedback = Feedback("" if reason is None else reason.text, verdict, self.battle)
        return self.feedback

    def settle(self) -> Feedback:
        """Take account of what was done in the session since the last call, let the other side act, judge the step."""
        if self.state != GOING or len(self.session.steps) <= self._settled:
            self._settled = min(self._settled, len(self.session.steps))
            return self.feedback
        self.feedback = Feedback()
        for _ in range(MOST_ANSWERS):
            self._settled = len(self.session.steps)
            if self._judged() or mover(self.battle) == self.learner:
                break
            self._enemy_acts()
        if self.state == GOING:
            self._useless()
        return self.feedback

    def _judged(self) -> bool:
        """Return whether the step has ended, done or failed."""
        step, now = self.step, self.situation
        if step.until is not None and conditions.holds(step.until, now):
            self.state, self.feedback = DONE, Feedback(step.done or "")
        elif (step.fail is not None and conditions.holds(step.fail, now)) or self._time_up():
            self.state = FAILED
            verdict = self._why()
            self.feedback = Feedback(step.missed or f"Not yet: {step.goal}", verdict, self.battle if verdict else None)
        return self.state != GOING

    def _time_up(self) -> bool:
        return self.battle.over or self.battle.clock.turn >= self.opening.clock.turn + self.step.turns

    def _useless(self) -> None:
        """Set the feedback after an action that did not help: the proof of the step's question, if its answer is no."""
        verdict = self._why()
        if verdict is not None:
            reason = decisive(verdict)
            self.feedback = Feedback("" if reason is None else reason.text, verdict, self.battle)

    def _why(self) -> Verdict | None:
        """Return the verdict on the step's question; None if it holds, or can no longer be asked."""
        if self.step.why is None:
            return None
        try:
            verdict = conditions.asked(self.step.why, self.battle)
        except TabletopError:
            return None
        return None if verdict.holds else verdict

    def _enemy_acts(self) -> None:
        """Do the other side's next action: as the lesson says, else as its computer player chooses, else passing."""
        done = sum(1 for s in self.session.steps if s.action is not None and s.action.side != self.learner)
        written = acts.split(self.lesson.row.enemy or "")
        if done < len(written):
            try:
                self.session.do(acts.read(self.battle, written[done]))
                return
            except TabletopError:
                pass  # an action no longer allowed is left out
        against = self.lesson.row.against
        self.session.do(_players_choice(against, self.battle) if against else passing(self.battle))

    # --- always possible ---------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the learner's last action and all after it, even past dice; BadQuestion if there is none."""
        own = [k for k, s in enumerate(self.session.steps) if s.action is not None and s.action.side == self.learner]
        if not own:
            raise BadQuestion("nothing has been done yet in this step")
        while len(self.session.steps) > own[-1]:
            self.session.undo()
        self.state, self.feedback, self._settled = GOING, Feedback(), len(self.session.steps)

    def retry(self) -> None:
        """Put the step back to its beginning."""
        hinted = self.hinted
        self._stand(self.opening)
        self.hinted = hinted

    def hint(self) -> HintRow | None:
        """Return the next hint; the last one again when all have been given, None if there are none."""
        hints = self.step.hints
        if not hints:
            return None
        self.hinted = min(self.hinted + 1, len(hints))
        return hints[self.hinted - 1]

    def show_solution(self) -> list[str]:
        """Put the step back and play its solution, or the actions to be watched; return the actions."""
        self.retry()
        shown = acts.split(self.step.solution or self.step.watch or "")
        for act in shown:
            self._act(act)
        return shown

    def answered(self, holds: bool) -> bool:
        """Take the learner's prediction; return whether it was right. The step is done either way."""
        verdict, battle = self.prediction()
        self.state, self.feedback = DONE, Feedback(self.step.done or "", verdict, battle)
        return verdict.holds == holds

    def prediction(self) -> tuple[Verdict, Battle]:
        """Return the verdict to be predicted and the battle it is about; BadQuestion in any other step."""
        if self.step.predict is None:
            raise BadQuestion("there is nothing to predict in this step")
        return conditions.asked(self.step.predict, self.battle), self.battle

    def skip(self) -> None:
        """Go on to the next step, whether this one is done or not."""
        self._carried = self.battle if self.state == DONE else None
        if self.last:
            self.state = FINISHED
            return
        self.number += 1
        self._begin()

    def go_to(self, number: int) -> None:
        """Go to a step by its number, counted from 0."""
        self.number, self._carried = number, None
        self._begin()

    # --- never stuck -------------------------------------------------------------------------------------------------

    def can_go_on(self) -> bool:
        """Return whether there is something to do: the step has ended, or the learner has an allowed action."""
        if self.state != GOING or self.step.until is None:
            return True
        return mover(self.battle) == self.learner and engine.judge(self.battle, passing(self.battle)).holds


def _players_choice(name: str, battle: Battle) -> Action:
    """Return a computer player's action now, the same each time in the same position."""
    make = player_kind(name).make
    if make is None:
        raise BadQuestion(f"'{name}' is no computer player")
    return make(battle.seed + battle.throws).choose(battle).action


def decisive(verdict: Verdict) -> Reason | None:
    """Return the weightiest reason against; None if there is none."""
    return next(iter(verdict.against), None)


def passing(battle: Battle) -> Action:
    """Return the action that does least for the side to move: the usual answer, letting the rest hold, or holding."""
    side = mover(battle)
    if side is None:
        raise BadQuestion("the battle is over")
    if battle.pending:
        return answer(side, battle.pending[0].choices[0])
    play = play_of(battle)
    for kind in play.words.get("pass", ()):
        if kind in play.kinds and not set(play.kinds[kind].needs) & {"unit", "group"}:
            action = Action(kind, side)
            if engine.judge(battle, action).holds:
                return action
    group = next((k.name for k in play.kinds.values() if "group" in k.needs), None)
    if group is not None and (names := play.groups(battle)):
        return Action(group, side, options={"group": names[0]})
    return next(iter(sorted(play.suggest(battle), key=lambda a: (a.target is not None, a.unit is not None))))


def kind_of(step: StepRow) -> str:
    """Return what a step asks of the learner: "watch", "do" or "predict"."""
    return "watch" if step.watch is not None else "predict" if step.predict is not None else "do"
