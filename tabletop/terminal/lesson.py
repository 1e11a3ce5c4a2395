"""A lesson at the prompt: its step, its commands, and the feedback to the learner."""

from __future__ import annotations

from collections.abc import Callable

from tabletop.battle.action import Action
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.lessons import conditions
from tabletop.lessons.progress import Progress
from tabletop.lessons.runner import DONE, FAILED, FINISHED, Feedback, Runner, kind_of
from tabletop.lessons.texts import filled
from tabletop.play.verdict_words import explained
from tabletop.terminal import views
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.layout import paragraph
from tabletop.terminal.prompt import NO, OFF, YES, Prompt

HELP = """\
In a lesson, besides all that may be typed in a battle ('help battle'):
  goal      the goal again         hint      the next hint
  undo      take back, dice too    retry     begin the step anew
  solution  see it solved          skip      go on to the next step
  next      after a step is done   quit      leave the lesson\
"""


class LessonPrompt(Prompt):
    """The prompt of a battle in the position of a lesson; after every action the runner judges the step."""

    def __init__(self, runner: Runner, progress: Progress, write: Callable[[str], None]) -> None:
        commands = {**COMMANDS, **{word: _own(name) for word, name in _COMMANDS.items()}}
        super().__init__(runner.session, {}, write, commands, OFF)
        self.runner, self.progress = runner, progress

    @property
    def mark(self) -> str:
        """The text before the line being typed."""
        if self.runner.state != "going":
            return "next> " if self.runner.state == DONE else "retry> "
        return "yes or no> " if kind_of(self.runner.step) == "predict" else views.mark(self.battle)

    def open(self) -> None:
        """Print the lesson's title and its first step."""
        lesson = self.runner.whole
        self.write(lesson.title)
        if lesson.row.idea:
            self.write(paragraph(lesson.row.idea))
        self.write("('help' says what can be typed)")
        self.show_step()

    def line(self, text: str) -> bool:
        """Do what a line says; an empty one goes on after a step, and restarts a failed one."""
        if text.strip():
            return super().line(text) and self.runner.state != FINISHED
        if self.runner.state == DONE or kind_of(self.runner.step) == "watch":
            self.go_on()
        elif self.runner.state == FAILED:
            self.again()
        return self.runner.state != FINISHED

    # --- the step ----------------------------------------------------------------------------------------------------

    def show_step(self) -> None:
        """Print the step's goal and text, then the actions to watch, how to answer, or the situation."""
        runner = self.runner
        self.session = runner.session
        self.shown, self.waiting, self.offered, self.last, self.refused = 1, None, [], None, None
        self.write("")
        self.write(paragraph(f"Step {runner.number + 1} of {len(runner.whole.steps)}. {self._goal()}"))
        if runner.step.say:
            self.write(paragraph(self._filled(runner.step.say)))
        kind = kind_of(runner.step)
        if kind == "watch":
            self.watch()
        elif kind == "predict":
            self.write("Answer yes or no.")
        else:
            self.write(views.situation(self.battle))
            if runner.dice_set:
                self.write("(The dice of this lesson are set.)")

    def _filled(self, text: str) -> str:
        return filled(text, self.runner.lesson.laid_out())

    def _goal(self) -> str:
        return self._filled(self.runner.step.goal)

    def watch(self) -> None:
        """Show the actions to be watched, then put everything back."""
        self.write_shown(self.runner.show_solution())
        self.runner.retry()
        self.session, self.shown = self.runner.session, 1
        self.write("Enter goes on.")

    def write_shown(self, shown: list[str]) -> None:
        """Print the actions of a solution and their consequences."""
        self.session, self.shown = self.runner.session, 1
        for act in shown:
            self.write(f"  {act}")
        self.write_steps()

    def write_next(self, action: Action) -> None:
        """Print what the last action means for the step."""
        self.write_feedback(self.runner.settle())
        if self.runner.state == "going":
            super().write_next(action)

    def let_computers_play(self) -> None:
        """Let the other side of the lesson answer."""
        self.runner.settle()
        self.write_steps()

    def write_feedback(self, feedback: Feedback) -> None:
        """Print the feedback after an action, and what can be done now."""
        if feedback.text:
            self.write(paragraph(self._filled(feedback.text)))
        if feedback.verdict is not None and feedback.about is not None and self.runner.state != DONE:
            self.write(proof(feedback))
        if self.runner.state == DONE:
            self._note()
            self.write("Done. Enter goes on." if not self.runner.last else "Done: that was the lesson. Enter ends it.")
        elif self.runner.state == FAILED:
            self.write("Enter begins the step anew; 'undo' takes the last action back, 'solution' shows it solved.")

    def _note(self) -> None:
        self.progress.note(self.runner.whole.name, self.runner.number + 1)
        if self.progress.trouble:
            self.write(paragraph(self.progress.trouble))
            self.progress.trouble = ""

    def _explain(self, verdict: Verdict) -> None:
        self.runner.refused(verdict)
        super()._explain(verdict)

    # --- its commands ------------------------------------------------------------------------------------------------

    def goal(self) -> None:
        """Print the goal again."""
        self.write(paragraph(self._goal()))

    def go_on(self) -> None:
        """Go on to the next step; after the last one the lesson is over."""
        if self.runner.state == DONE:
            self._note()
        elif kind_of(self.runner.step) == "watch":
            self.progress.note(self.runner.whole.name, self.runner.number + 1)
        self.runner.skip()
        if self.runner.state == FINISHED:
            self.write("That was the lesson.")
        else:
            self.show_step()

    def go_on_if_done(self) -> None:
        """Go on after a step that is done; BadQuestion before."""
        if self.runner.state != DONE and kind_of(self.runner.step) != "watch":
            raise BadQuestion("the step is not done yet; 'skip' goes on all the same")
        self.go_on()

    def again(self) -> None:
        """Restart the step."""
        self.runner.retry()
        self.show_step()

    def take_back(self) -> None:
        """Take back the last action."""
        self.runner.undo()
        self.session, self.shown = self.runner.session, len(self.runner.session.steps)
        self.write("Taken back.")
        self.write(views.next_step(self.battle))

    def hint(self) -> None:
        """Print the next hint, with its proof if it has one."""
        hint = self.runner.hint()
        if hint is None:
            self.write("There is no hint for this step; 'solution' shows it solved.")
            return
        self.write(paragraph(self._filled(hint.text)))
        if hint.show is not None:
            self.write(proof(Feedback("", conditions.asked(hint.show, self.battle), self.battle)))

    def solve(self) -> None:
        """Show the step solved."""
        if kind_of(self.runner.step) == "predict":
            verdict, _ = self.runner.prediction()
            self.answer_prediction(verdict.holds)
            return
        self.write_shown(self.runner.show_solution())
        self.write_feedback(self.runner.feedback)

    def answer_prediction(self, holds: bool) -> None:
        """Take a yes or no as the learner's prediction."""
        right = self.runner.answered(holds)
        feedback = self.runner.feedback
        self.write("Right." if right else "Not so.")
        self.write(proof(feedback))
        self.write_feedback(feedback)

    def _settled(self, text: str) -> bool:
        """Take a yes or no as the prediction, else for the action that waits."""
        if text in (*YES, *NO) and kind_of(self.runner.step) == "predict" and self.runner.state != DONE:
            self.answer_prediction(text in YES)
            return True
        return super()._settled(text)

    def lesson_help(self) -> None:
        """Print what can be typed in a lesson."""
        self.write(HELP)


#: The commands of a lesson, and the method that each calls.
_COMMANDS = {
    "goal": "goal", "hint": "hint", "undo": "take_back", "retry": "again", "solution": "solve", "skip": "go_on",
    "next": "go_on_if_done", "help": "lesson_help", "?": "lesson_help",
}  # fmt: skip


def _own(name: str) -> Callable[[Prompt, str], None]:
    def run(prompt: Prompt, rest: str) -> None:
        if rest.strip() == "battle" and name == "lesson_help":
            COMMANDS["help"](prompt, "")
        else:
            getattr(prompt, name)()

    return run


def proof(feedback: Feedback) -> str:
    """Return the verdict behind a feedback in words."""
    if feedback.verdict is None or feedback.about is None:
        return ""
    lines = explained(feedback.verdict, feedback.about).splitlines()
    return "\n".join(paragraph(line, hang="       ") for line in lines)
