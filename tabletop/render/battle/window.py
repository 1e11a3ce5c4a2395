"""The window in which a battle is played: it passes events to the controller and draws frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.play.saves import library
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import AnyJudgeWorker, InlineJudgeWorker, JudgeWorker
from tabletop.play.workers.player_worker import AnyPlayerWorker, InlinePlayerWorker, PlayerWorker
from tabletop.render.battle import (
    camera_follow,
    choices,
    context_menu,
    handles,
    hover_card,
    leaving,
    past_inset,
    proposal_view,
    recap,
    recap_view,
    refusal_view,
    result_card,
    sounds,
    status_bar,
    status_line,
    unit_card,
    words,
)
from tabletop.render.battle.board import Asked, Board, PanelContent
from tabletop.render.battle.camera_follow import CameraMove
from tabletop.render.battle.computers import Computers, seated
from tabletop.render.battle.controller import BattleController
from tabletop.render.battle.input import BattleInput
from tabletop.render.battle.live_game_app_page import LiveGameAppPage
from tabletop.render.battle.log_pages import LogPages
from tabletop.render.battle.meanings import meanings
from tabletop.render.battle.next_step import NextStep, next_step
from tabletop.render.battle.offers import offers
from tabletop.render.battle.save_as import SaveAs
from tabletop.render.battle.tokens import Tokens
from tabletop.render.destinations import Subject
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.theme import side_styles
from tabletop.render.painting.painter import paint
from tabletop.render.screens import Look, Maker, Open, Screen, Set
from tabletop.render.table import captions, clear, notices
from tabletop.render.table.commands import BATTLE, TABLES
from tabletop.render.table.controller import TableController
from tabletop.render.table.input import TableInput
from tabletop.render.table.model import Note
from tabletop.render.table.panel import Panel
from tabletop.render.table.picture import Picture
from tabletop.render.table.window import Window
from tabletop.render.widgets.docking import box_of

#: Milliseconds that the caption of a sound stays.
CAPTION_STAYS = 1800
#: Views of units where they would stand; badges of the units that stand there now lie over them.
FIGURES = (refusal_view, proposal_view)


def playing(session: Session) -> Callable[[Look], GameWindow]:
    """Return the function that makes the screen of a battle being played."""
    battle = session.known

    def make(look: Look) -> GameWindow:
        session.save_apart()
        window = GameWindow(session, JudgeWorker(battle), JudgeWorker(battle), PlayerWorker(battle.table), look.scale)
        window.shown(look)
        window.canvas.gently = True
        return window

    return make


def starting_play(start: Callable[[], Session], note: Callable[[Session], str] | None = None) -> Maker:
    """Return the function that starts or resumes a battle and makes its screen; ``note`` returns its first note."""

    def make(look: Look) -> Screen:
        session = start()
        window = playing(session)(look)
        pygame.display.set_caption(f"tabletop - {session.battle.title}")
        if note is not None:
            window.controller.update(Note(note(session)))
        return window

    return make


class GameWindow(Window):
    """The window of one battle being played: the measuring window with game controls, the log and the game app."""

    commands = TABLES[BATTLE]
    #: Whether the window shows a lesson.
    teaches = False
    controller: BattleController
    panel: Board
    table_input: BattleInput

    def __init__(
        self,
        session: Session,
        quick: AnyJudgeWorker,
        slow: AnyJudgeWorker,
        player_worker: AnyPlayerWorker,
        scale: float = 1.0,
    ) -> None:
        self._session, self._player_worker = session, player_worker
        self._tokens = Tokens()
        self._camera_move = CameraMove()
        self.log, self.app = LogPages(self), LiveGameAppPage(self, session.battle.rules)
        self.context_menu = context_menu.ContextMenu()
        self._speaker = sounds.Speaker()
        self._sound_caption = ("", 0)
        self._looked_for = -1
        self._drawn = -1
        #: The rectangle of the result card on the table, None while it is hidden.
        self._result_place: pygame.Rect | None = None
        super().__init__(session.known, quick, slow, scale)

    def subject(self) -> Subject:
        """Return what can be exported: the table as shown, with badges and marks, and the battle so far."""
        controller, camera, session = self.controller, self.camera, self.controller.game.session
        picture = controller.picture()
        tokens = Tokens().drawing(controller.state, controller.game.stage, camera, self.canvas.named(picture, camera))
        moment = f"turn {max(1, controller.model.battle.clock.turn)}"
        drawings = self.canvas.drawings(picture, camera, (tokens,))
        return Subject(
            controller.model.battle, camera, drawings, moment, session.known_header, tuple(session.known_steps)
        )

    @classmethod
    def inlined(cls, session: Session, scale: float = 1.0) -> GameWindow:
        """Return a window whose workers run in this process (for tests and pictures)."""
        return cls(
            session, InlineJudgeWorker(session.battle), InlineJudgeWorker(session.battle), InlinePlayerWorker(), scale
        )

    def _panel_made(self) -> Panel:
        tools = self.commands.buttons("tools", self)
        return Board(self.surface.get_size(), self.scale, self._overlays, tools, self.table)

    def _input_made(self) -> TableInput:
        return BattleInput(self)

    def _controller_made(self, battle: Battle, quick: AnyJudgeWorker, slow: AnyJudgeWorker) -> TableController:
        computers = Computers(seated(self._session.header.players), self._player_worker)
        return BattleController(self._session, quick, slow, self._player_worker, computers)

    # --- one frame ---------------------------------------------------------------------------------------------------

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Let the computer act, handle events, draw one frame."""
        self.controller.game.tick(seconds)
        self.app.keep_foe()
        self.app.keep()
        self._follow(seconds)
        self._hear()
        super().frame(events, seconds)

    def _hear(self) -> None:
        """Play the sound of the beat on show and keep its caption for a moment, each if the settings ask for it."""
        seen = self.controller.game.stage.seen
        if self._current_look is None or seen is None:
            return
        settings = self._current_look.settings
        if settings.sound or settings.captions:
            sound = self._speaker.hear(seen.beat, aloud=settings.sound)
            if sound and settings.captions:
                self._sound_caption = (sounds.CAPTIONS[sound], pygame.time.get_ticks())

    def _caption(self, table: pygame.Surface) -> None:
        """Write the caption of the last sound at the edge of the table."""
        caption, at = self._sound_caption
        if caption and pygame.time.get_ticks() - at < CAPTION_STAYS:
            units = [box_of(unit, self.camera) for unit in self.controller.model.battle.units]
            notices.draw_sound_caption(table, caption, units, self.scale)

    def _follow(self, seconds: float) -> None:
        """Move the camera to the last event or the question asked, unless the player moves it himself."""
        controller = self.controller
        if self._looked_for != controller.state.record.version:
            self._looked_for = controller.state.record.version
            self.look_toward(controller.spots)
        self.camera = self._camera_move.tick(self.camera, seconds)

    def look_toward(self, spots: Sequence[Point]) -> None:
        """Move the camera until these points are in sight."""
        self._camera_move.go(self.camera, camera_follow.toward(self.camera, spots))

    def look(self, camera: Camera) -> None:
        """Use the camera the player chose, and stop following."""
        self._camera_move.stay()
        super().look(camera)

    def shown(self, look: Look) -> None:
        """Adapt the window to the settings, including pace and coach."""
        super().shown(look)
        self._tokens = Tokens()
        self.pace(look.settings.pace)
        coach = look.settings.coach
        self.controller.proposals.coach.on = coach == "always" or (coach == "first" and self._first)

    @cached_property
    def _first(self) -> bool:
        """Whether this is the player's first battle: no other game is saved."""
        return not [path for path in library.kept_games().paths if path != self.kept_in]

    def pace(self, name: str) -> None:
        """Play back actions and run the computer at this pace."""
        self.controller.game.stage.pace = name
        self.controller.game.computers.go_at(name)

    def draw(self) -> None:
        """Draw the table, the bar above it and the board beside it."""
        self._arrange()
        controller, table = self.controller, self.table_surface
        if table is None:
            return
        picture, state = controller.picture(), controller.state
        if not self.canvas.opens(table, picture, self.camera):
            self._draw_table(table, picture)
        # Laying out text takes as long as drawing a frame, so a computer's action is written one frame later.
        version = controller.state.record.version
        written = controller.state.facts.human_turn or version == self._drawn
        self.panel.show_content(self._content(), written)
        self._drawn = version
        self._result_place = None
        if controller.game.stage.telling:
            self._result_place = result_card.draw(
                table, controller.game.stage, self.camera, controller.model.battle, self.scale
            )
        notices.working(table, captions.working(controller.model), pygame.time.get_ticks(), self.scale)
        self._draw_section(table)
        if not controller.game.stage.telling and not self.context_menu.rows:
            hover_card.draw(table, state, self.camera)
        past_inset.draw(table, state, self.camera)
        self._caption(table)
        self.locator.draw(table, state.table, self.camera)
        self.context_menu.draw(table, self.table_input.cursor)
        bar = status_bar.Bar(self.panel.bar_rect, self.panel.bar_left, self.scale)
        status_bar.draw(self.surface, bar, state, controller.game.computers.paused)
        self.panel.explain_counts(status_bar.left_out(state, bar.right, bar.density))
        self._draw_round(*meanings(state))

    def _draw_table(self, table: pygame.Surface, picture: Picture) -> None:
        """Draw the table, badges and marks, and whatever is in hand, refused or proposed."""
        controller, state, camera = self.controller, self.controller.state, self.camera
        self.canvas.patient = not state.facts.human_turn
        self.canvas.draw(table, picture, camera, plates=False)
        under = [view.drawing(state, camera) for view in FIGURES]
        recap_drawing = recap_view.drawing(state, camera)
        lines, results = recap_view.split(recap_drawing) if not controller.game.stage.running else ((), ())
        under.append(replace(recap_drawing, layers=lines))
        over = [replace(recap_drawing, layers=results), handles.drawing(state, camera)]
        plates = [*self.canvas.bands, *results]
        tokens = self._tokens.drawing(state, controller.game.stage, camera, self.canvas.named(picture, camera), plates)
        drawings = (*under, tokens, *over)
        for drawing in drawings:
            paint(table, drawing, camera, camera.density)
        between = [layer for drawing in drawings for layer in drawing.layers]
        between += [*clear.sheet(self.locator.place, camera), *clear.sheet(self._result_place, camera)]
        self.canvas.plates(table, picture, camera, between)

    def _draw_on_panel(self) -> None:
        super()._draw_on_panel()
        self._mark_question()

    def _mark_question(self) -> None:
        """Mark a question with the colour of the side that must answer."""
        place, battle = self.panel.asked_rect, self.controller.model.battle
        if place is not None and battle.pending:
            fill = side_styles(battle.setup.sides)[battle.pending[0].side].fill
            pygame.draw.rect(self.surface, fill, (place.left, place.top, round(8 * self.scale), place.height))

    def _content(self) -> PanelContent:
        controller, state = self.controller, self.controller.state
        pressed = self._pressed_words() | {f"kind:{state.chosen.picked or controller.model.action}"}
        pressed |= {"pause:"} if controller.game.computers.paused else set()
        return PanelContent(
            unit_card.card(state), words.text(state), status_line.status(state), self.log.text(), choices.rows(state),
            self.commands.buttons("bar", self), self._asked(), frozenset(pressed),
            self.commands.buttons("main", self)[0], bool(self.next_step.word),
        )  # fmt: skip

    def _asked(self) -> Asked | None:
        return status_line.asked(self.controller.state, self.controller.game.stage)

    @property
    def _needs_panel(self) -> bool:
        return super()._needs_panel or self._asked() is not None

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Pass on one event; outside the table no unit is under the cursor."""
        if event.type == pygame.MOUSEMOTION and self.panel.covers(event.pos) and self.table_input.press is None:
            self.controller.point_at(None)
        if event.type == pygame.MOUSEBUTTONDOWN and self.panel.covers(event.pos):
            self.context_menu.shut()
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.KEYDOWN) and self.table_input.hurried(event):
            return
        super().handle(event)

    def _escape(self) -> None:
        if self.context_menu.rows:
            self.context_menu.shut()
        elif leaving.idle(self):
            leaving.menu(self)
        else:
            super()._escape()

    def _leave(self) -> None:
        leaving.menu(self)

    @property
    def kept_in(self) -> Path | None:
        """The file the battle is saved in."""
        return leaving.kept_in(self.controller.game.session)

    @property
    def unkept(self) -> str:
        """What would be lost by leaving the battle now; empty if all of it is saved."""
        return leaving.unkept(self.controller.game.session)

    @property
    def unfinished(self) -> str:
        """The question to ask before the program ends during a battle, even though it is saved."""
        return leaving.unfinished(self.controller.game.session)

    def _offered(self, value: str) -> None:
        if value.isdigit() and int(value) < len(offers(self.controller.state)):
            self.controller.proposals.propose(offers(self.controller.state)[int(value)])

    def _ended(self, value: str) -> None:
        if value.isdigit() and int(value) < len(self.controller.state.facts.endings):
            self.controller.proposals.propose(self.controller.state.facts.endings[int(value)])

    def _paced(self) -> None:
        """Go to the next pace, and save it in the settings."""
        self.controller.game.computers.faster()
        name = self.controller.game.computers.pace_name
        self.pace(name)
        if self._current_look is not None:
            self.going = Set(self._current_look.settings.changed(pace=name))

    def _paused(self) -> None:
        """Pause the computer, or let it go on."""
        self.controller.game.computers.paused = not self.controller.game.computers.paused

    def _show_history(self, name: str) -> None:
        """Open the history of a unit in this battle."""
        self.panel_page = unit_card.history(self.controller.state, name) or self.panel_page

    @property
    def next_step(self) -> NextStep:
        """What the main button does."""
        return next_step(self.controller.state)

    @property
    def has_recap(self) -> bool:
        """Whether there are computer moves to show again, with a person playing."""
        sides = set(self.controller.model.battle.setup.sides)
        return bool(recap.moves(self.controller.state)) and not sides <= self.controller.state.facts.computers

    def _why(self, n: str) -> None:
        """Open the page that explains the computer's action in a step."""
        if n.isdigit():
            self.panel_page = recap.why(self.controller.state, int(n)) or self.panel_page

    def save_elsewhere(self) -> None:
        """Open the dialog that saves the battle in another file."""
        self.going = Open(lambda look: SaveAs(look, self.controller))
