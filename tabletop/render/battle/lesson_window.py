"""A lesson in the window of a battle: the same table and engine, with the step's text docked below."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pygame

from tabletop.battle.saying import by_name
from tabletop.errors import BadQuestion
from tabletop.lessons import conditions
from tabletop.lessons.progress import Progress
from tabletop.lessons.reading import load_lesson
from tabletop.lessons.runner import DONE, FAILED, FINISHED, GOING, Feedback, Runner, kind_of
from tabletop.lessons.texts import filled
from tabletop.play.saves.library import own_folder
from tabletop.play.workers.judge_worker import AnyJudgeWorker, InlineJudgeWorker, JudgeWorker
from tabletop.play.workers.player_worker import AnyPlayerWorker, InlinePlayerWorker, PlayerWorker
from tabletop.render.battle import lesson_strip
from tabletop.render.battle.board import Board
from tabletop.render.battle.lesson_commands import GROUP, TABLE
from tabletop.render.battle.lesson_strip import LessonStrip, LessonText
from tabletop.render.battle.next_step import NextStep
from tabletop.render.battle.window import GameWindow
from tabletop.render.destinations import ToLesson
from tabletop.render.drawing import measures, scene
from tabletop.render.handouts.writer import LessonWriter
from tabletop.render.painting.painter import paint
from tabletop.render.screens import Back, Go, Look, Maker, Screen
from tabletop.render.table.layout import Parts
from tabletop.render.table.panel import Key, Panel
from tabletop.render.table.picture import Picture


def teaching(path: Path, step: int = 0) -> Maker:
    """Return the function that makes the screen of a lesson at one of its steps."""

    def make(look: Look) -> Screen:
        runner = Runner(load_lesson(path))
        runner.go_to(step)
        window = opened(runner, Progress(), look)
        window.path = path
        window.shown(look)
        pygame.display.set_caption(f"tabletop - {runner.whole.title}")
        return window

    return make


def opened(runner: Runner, progress: Progress, look: Look) -> LessonWindow:
    """Return the window of a lesson, with its workers in processes of their own."""
    battle = runner.battle
    workers = JudgeWorker(battle), JudgeWorker(battle), PlayerWorker(battle.table)
    window = LessonWindow(runner, progress, *workers, look.scale)
    window.canvas.gently = True
    return window


def inlined(runner: Runner, progress: Progress, look: Look) -> LessonWindow:
    """Return the window of a lesson, with its workers in this process (for tests and pictures)."""
    battle = runner.battle
    workers = InlineJudgeWorker(battle), InlineJudgeWorker(battle), InlinePlayerWorker()
    window = LessonWindow(runner, progress, *workers, look.scale)
    window.writer = LessonWriter(inline=True)
    return window


class LessonBoard(Board):
    """The board of a battle, with the lesson's strip under the table and no log."""

    @property
    def _usual_parts(self) -> Parts:
        return Parts(bar=True, strip=lesson_strip.HIGH)

    @property
    def part_keys(self) -> tuple[Key, ...]:
        """The buttons that hide parts of the window."""
        return tuple(key for key in super().part_keys if key.word != "part:log")


class LessonWindow(GameWindow):
    """The window of one lesson."""

    commands = TABLE
    teaches = True

    def __init__(
        self, runner: Runner, progress: Progress, quick: AnyJudgeWorker, slow: AnyJudgeWorker,
        player_worker: AnyPlayerWorker, scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.runner, self.progress = runner, progress
        self.path = Path(runner.whole.doc.file)
        self.strip = LessonStrip()
        self.writer = LessonWriter()
        self._last_feedback = progress.trouble
        self._proof: Feedback | None = None
        self._seen = len(runner.session.steps)
        super().__init__(runner.session, quick, slow, player_worker, scale)
        self.controller.game.chooses_only_group = (
            False  # otherwise every undo would be followed at once by the same choice
        )

    def _panel_made(self) -> Panel:
        tools = self.commands.buttons("tools", self)
        board = LessonBoard(self.surface.get_size(), self.scale, self._overlays, tools)
        board.walk.also = lambda: self.strip.words
        return board

    # --- the state of the step ---------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the step is done, so that the learner can go on."""
        return self.runner.state == DONE or kind_of(self.runner.step) == "watch"

    @property
    def predicting(self) -> bool:
        """Whether the step asks the learner for a prediction."""
        return kind_of(self.runner.step) == "predict" and self.runner.state == GOING

    @property
    def doing(self) -> bool:
        """Whether the step is to be solved on the table, with hints available."""
        return bool(self.runner.step.hints) and self.runner.state == GOING

    @property
    def unkept(self) -> str:
        """Empty: leaving a lesson needs no warning, since only the finished steps are saved."""
        return ""

    @property
    def unfinished(self) -> str:
        """Empty: ending the program during a lesson needs no confirmation."""
        return ""

    def shown(self, look: Look) -> None:
        """Adapt the window to the settings; whether the coach speaks is up to the lesson."""
        super().shown(look)
        self.controller.proposals.coach.on = self.runner.whole.row.coach

    # --- one frame ---------------------------------------------------------------------------------------------------

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Judge the step after whatever was done last, then run the frame as in a battle."""
        self._watch()
        self._last_feedback = self.writer.listen() or self._last_feedback
        super().frame(events, seconds)

    def _watch(self) -> None:
        """Let the runner judge what was done on the table."""
        steps = self.runner.session.steps
        if len(steps) == self._seen:
            return
        done = len(steps)
        self._show_feedback(self.runner.settle())
        if len(steps) != done:
            self.controller.game.changed()
        self._seen = len(steps)

    def _show_feedback(self, feedback: Feedback) -> None:
        """Show the feedback to the learner with its proof, and note a finished step."""
        text = self._filled(feedback.text)
        if feedback.reason is not None and feedback.about is not None and self.runner.state == GOING:
            text = f"{by_name(feedback.reason, feedback.about)} ({feedback.reason.rule})"
        self._last_feedback = measures.in_chosen_unit(text[:1].upper() + text[1:])
        self._proof = feedback if feedback.verdict is not None else None
        if self.runner.state == DONE:
            self.progress.note(self.runner.whole.name, self.runner.number + 1)
            self._last_feedback = self._last_feedback or "Done."

    def _filled(self, text: str) -> str:
        return filled(text, self.runner.battle, lambda name: name.capitalize())

    def content(self) -> LessonText:
        """Return the content of the strip."""
        runner = self.runner
        number = f"Step {runner.number + 1} of {len(runner.whole.steps)}"
        head = f"{runner.whole.title}  ·  {number}" + ("  ·  the dice are set" if runner.dice_set else "")
        tone = {DONE: "done", FAILED: "failed"}.get(runner.state, "")
        strong = "retry:" if runner.state == FAILED else "goon:" if self.done else "yes:" if self.predicting else ""
        keys = self.commands.buttons(GROUP, self)
        goal, explanation = self._filled(runner.step.goal), self._filled(runner.step.say or "")
        return LessonText(head, goal, explanation, self._last_feedback, tone, keys, strong)

    def _draw_table(self, table: pygame.Surface, picture: Picture) -> None:
        super()._draw_table(table, picture)
        proof = self._proof
        if proof is not None and proof.verdict is not None and not self.controller.game.stage.running:
            drawn = scene.verdict_layer(proof.verdict, self.camera.drawn, self.controller.model.battle)
            paint(table, drawn, self.camera, self.camera.density)

    def _draw_help(self) -> None:
        self.strip.draw(self.surface, self.panel.layout.strip, self.content(), self.scale)
        super()._draw_help()

    def handle(self, event: pygame.event.Event) -> None:
        """Pass an event to the strip, or on to the window if it is not for the strip."""
        word = self.strip.handle(event)
        if word:
            self.pressed(word)
        elif word is None:
            super().handle(event)

    @property
    def next_step(self) -> NextStep:
        """Continue after a step, restart a failed one; else the next step of a battle."""
        if self.runner.state == FAILED:
            return NextStep("retry:", "Retry", "Begin this step anew")
        if self.done:
            return NextStep("goon:", "Finish" if self.runner.last else "Next", "Go on")
        return NextStep("", "Answer under the table") if self.predicting else super().next_step

    # --- its commands ------------------------------------------------------------------------------------------------

    def hint(self) -> None:
        """Show the next hint, with its proof if it has one."""
        hint = self.runner.hint()
        if hint is None:
            return
        self._last_feedback = self._filled(hint.text)
        if hint.show is not None:
            self._proof = Feedback("", conditions.asked(hint.show, self.runner.battle), self.runner.battle)

    def undo(self) -> None:
        """Take back the learner's last action, even if dice were thrown."""
        try:
            self.runner.undo()
        except BadQuestion as error:
            self._last_feedback = f"{str(error).capitalize()}."
            return
        self._fresh()
        self.controller.game.changed()

    def retry(self) -> None:
        """Reset the step to its beginning."""
        self.runner.retry()
        self._stand()

    def solve(self) -> None:
        """Show the solution of the step."""
        if self.predicting:
            self.predict(self.runner.prediction()[0].holds)
            return
        self.runner.show_solution()
        feedback = self.runner.feedback
        self._stand()
        self._show_feedback(feedback)

    def predict(self, holds: bool) -> None:
        """Take the learner's prediction, and show the proof."""
        right = self.runner.answered(holds)
        self._show_feedback(self.runner.feedback)
        self._last_feedback = f"{'Right.' if right else 'Not so.'} {self._filled(self.runner.step.done or '')}".strip()

    def write_handout(self) -> None:
        """Start writing the whole lesson as handouts; the strip then says where they are."""
        self.writer.begin(self.path, own_folder())
        self._last_feedback = "Writing the handouts ..."

    def close(self) -> None:
        """Stop the background work."""
        self.writer.close()
        super().close()

    def go_on(self) -> None:
        """Go on to the next step; leave the lesson after the last."""
        table = self.runner.battle.table
        if kind_of(self.runner.step) == "watch":
            self.progress.note(self.runner.whole.name, self.runner.number + 1)
        self.runner.skip()
        if self.runner.state == FINISHED:
            self.going = Back()
        elif self.runner.battle.table != table:  # a mirrored step: the workers know the other table
            self.going = Go(ToLesson(self.path, self.runner.number), instead=True)
        else:
            self._stand()

    def _fresh(self) -> None:
        self._last_feedback, self._proof, self._seen = "", None, len(self.runner.session.steps)

    def _stand(self) -> None:
        """Show the runner's battle as it stands now."""
        self._session = self.runner.session
        self.controller.select(None)
        self.controller.game.take_over(self.runner.session)
        self._fresh()
