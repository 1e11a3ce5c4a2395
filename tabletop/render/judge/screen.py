"""The screen of the judge's table: it passes events to the controller and draws frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pygame

from tabletop.errors import TabletopError
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Draft, empty, laid
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.workers.judge_worker import AnyJudgeWorker, InlineJudgeWorker, JudgeWorker
from tabletop.play.workshop import recovery
from tabletop.play.workshop.recovery import Keeper, Left, Work
from tabletop.play.workshop.sources import open_work
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.judge import key_acts, keys, pages, section, verdict_words
from tabletop.render.judge.card import Facts, card
from tabletop.render.judge.chooser import Chooser
from tabletop.render.judge.commands import TABLE, do
from tabletop.render.judge.controller import JudgeController, Mode, fingerprint
from tabletop.render.judge.form import Form, Part
from tabletop.render.judge.keeping import OPENED, Printer, open_into, scene_bytes
from tabletop.render.judge.mouse import Mouse
from tabletop.render.judge.photo import SUFFIXES
from tabletop.render.judge.placing import slug
from tabletop.render.judge.view import View
from tabletop.render.painting.painter import within
from tabletop.render.screens import Going, Look, Maker
from tabletop.render.table import bindings, notices
from tabletop.render.widgets.links import rule_page
from tabletop.rules import rule_set

#: The initial table: six feet by four, in inches.
FIRST = ("72", "48", "in")
ZOOM_STEP, PAN_STEP = 1.15, 60
#: Seconds after which work that could not be saved is saved again.
AGAIN_AFTER = 5.0
#: Pixels that a cursor moved by keys keeps from the view's edge.
MARGIN = 40.0


def judging(scene: Path | None = None) -> Maker:
    """Return the function that makes the judge's table, with the content of a file on it, or empty.

    The file is a map, a scene, a scenario or a saved game; Unreadable, with every fault, for any other.
    """

    def make(look: Look) -> JudgingScreen:
        draft = _first() if scene is None else open_draft(scene)
        return JudgingScreen(draft, JudgeWorker(laid(draft).battle), look.scale, scene)

    return make


def inlined(draft: Draft | None = None, scale: float = 1.0) -> JudgingScreen:
    """Return the judge's table without processes or threads (for tests and pictures)."""
    draft = draft or _first()
    return JudgingScreen(draft, InlineJudgeWorker(laid(draft).battle), scale, None, inline=True)


def building(scene: Path | None = None) -> Maker:
    """Return the function that makes the workshop, with the content of a file on its table, or empty."""

    def make(look: Look) -> JudgingScreen:
        made = judging(None)(look)
        assert isinstance(made, JudgingScreen)
        made.build()
        if scene is not None:
            open_work(scene)  # raises with all of its faults
            made.open(scene)
        return made

    return make


def _first() -> Draft:
    return empty(rule_set.NAMES[0], float(FIRST[0]), float(FIRST[1]))


class JudgingScreen:
    """The judge's table in the window."""

    #: The commands of the judge's table.
    commands = TABLE

    def __init__(
        self, draft: Draft, worker: AnyJudgeWorker, scale: float, scene: Path | None = None, inline: bool = False
    ) -> None:
        self.scale = scale
        self._current_look: Look | None = None
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self.controller: JudgeController = JudgeController.of(draft, worker, inline)
        self.controller.kept = draft
        self.form = Form(self.surface.get_size(), scale)
        self.view = View()
        self.mouse = Mouse()
        self.printer = Printer(inline)
        self.keeper = Keeper(inline)
        self.left: Left | None = None
        self._secured: tuple[Draft, bool] | None = None
        self._since = 0.0
        self.new = {"rules": draft.rules, "width": FIRST[0], "height": FIRST[1], "unit": FIRST[2], "ruling": ""}
        self.about = {"date": f"{date.today():%d %B %Y}".lstrip("0"), "first": "", "second": ""}
        self.chooser: Chooser | None = None
        self.sure: Path | None = None
        self.folder: Path | None = scene.resolve().parent if scene is not None else None
        self.helping = False
        #: The rule whose card is being read.
        self.reading = ""
        self.going: Going | None = None
        self.cursor = (0, 0)
        self._pan_from: tuple[int, int] | None = None
        self._panned = False
        self._card: tuple[tuple[object, ...], Drawing] | None = None
        self._sized = self.controller.size
        #: Pixels below the table taken by the side view.
        self._strip = 0
        self.camera = self._fitting(self.controller.size)
        self.photo_camera = self.camera
        self._photographed: object = None
        if scene is not None:
            self.controller.backdrop.recall(scene)
            self.controller.turn_to(Mode.EDIT)

    # --- called by the router ----------------------------------------------------------------------------------------

    @property
    def unkept(self) -> str:
        """What would be lost by leaving the screen, as a sentence; "" if all is saved."""
        return "The position is not saved." if self.controller.changed and self.controller.history.past else ""

    def dropped(self, path: Path) -> bool:
        """Take a dropped photo, or a file with a table; return whether it was one."""
        if path.suffix.lower() in SUFFIXES:
            self.controller.turn_to(Mode.PHOTO)
            self.controller.backdrop.open(path)
            return True
        if path.suffix.lower() in OPENED:
            self.chooser = None
            self.open(path)
            return True
        return False

    def do(self, word: str) -> None:
        """Run the action of a word of the panel."""
        do(self, word)

    def open(self, path: Path) -> None:
        """Put the content of a file on the table; an error is shown in one line."""
        try:
            open_into(self.controller, path)
        except TabletopError as refused:
            self.controller.note = str(refused).splitlines()[0]
            return
        note = self.controller.note
        self.controller.turn_to(Mode.TABLE if self.controller.building else Mode.EDIT)
        self.controller.note = note

    # --- the workshop ------------------------------------------------------------------------------------------------

    def build(self) -> None:
        """Become the workshop, and offer work left unsaved by a program that ended."""
        self.controller.building = True
        self.left = next(iter(recovery.left()), None)
        self.controller.turn_to(Mode.TABLE)

    def recover(self) -> None:
        """Put the recovered work on the table."""
        recovered, self.left = self.left, None
        if recovered is None:
            return
        work, controller = recovered.work, self.controller
        controller.do(work.draft)
        controller.origin, controller.path, controller.kept = work.origin, work.path, None
        self._secure(0.0)
        recovery.give_up(recovered)
        controller.note = "Here is the work as it was last kept; Save writes it to a file."

    def forget(self) -> None:
        """Discard the work left by a program that ended."""
        recovered, self.left = self.left, None
        if recovered is not None:
            recovery.give_up(recovered)

    def _secure(self, seconds: float) -> None:
        """Back up unsaved work after every change; if the disk refuses it, try again now and then."""
        controller, now = self.controller, (self.controller.draft, self.controller.changed)
        self._since += seconds
        if self._secured is None or self._secured[0] is not now[0] or self._secured[1] != now[1]:
            first, self._secured = self._secured is None, now
            if controller.changed and (controller.history.past or not first):
                self.keeper.keep(Work(controller.draft, controller.origin, controller.path))
            elif not controller.changed:
                self.keeper.forget()
        elif self._since > AGAIN_AFTER:
            self._since = 0.0
            self.keeper.again()
        self.keeper.listen()

    def covered(self) -> None:
        """Drop the painted pictures of the table."""
        self.view = View()

    def shown(self, look: Look) -> None:
        """Adapt the window to the settings; changed settings repaint everything."""
        if look != self._current_look:
            self._current_look, self.scale = look, look.scale
            self.form.close()
            self.form, self.view, self._card = Form(self.surface.get_size(), look.scale), View(), None
            self.camera = replace(self.camera, density=look.scale)
            self.photo_camera = replace(self.photo_camera, density=look.scale)
        self.resize()

    def close(self) -> None:
        """Stop the background work."""
        self.printer.close()
        self.keeper.close()
        self.controller.close()
        self.form.close()

    # --- one frame ---------------------------------------------------------------------------------------------------

    def step(self, seconds: float) -> bool:
        """Run one frame of this screen alone; return False when the window is to close."""
        events = pygame.event.get()
        if any(event.type == pygame.QUIT for event in events):
            return False
        self.frame([event for event in events if event.type != pygame.DROPFILE], seconds)
        for event in events:
            if event.type == pygame.DROPFILE:
                self.dropped(Path(event.file))
        pygame.display.flip()
        return True

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle events and draw one frame."""
        for event in events:
            self.controller.loose = bool(pygame.key.get_mods() & pygame.KMOD_ALT)
            self.handle(event)
        self.controller.listen()
        self.controller.note = self.printer.listen() or self.controller.note
        self._secure(seconds)
        self._fit_what_is_new()
        self._dock()
        self._draw(seconds)

    def _draw(self, seconds: float) -> None:
        table = within(self.surface, pygame.Rect(0, 0, self.camera.width, self.camera.height))
        controller, card_shown = self.controller, self.card_drawing() if self.controller.mode is Mode.CARD else None
        if controller.mode is Mode.PHOTO and controller.backdrop.picking:
            self.view.show_photo(table, controller, self.photo_camera)
        elif card_shown is not None:
            self.view.show_card(table, card_shown, self.scale)
        else:
            self.view.show(table, controller, self.camera, self.mouse.box())
        notices.working(table, self._working(), pygame.time.get_ticks(), self.scale)
        left = pygame.Rect(0, 0, self.camera.width, self.camera.height + self._strip)
        if self._strip:
            below = pygame.Rect(0, self.camera.height, self.camera.width, self._strip)
            section.draw(within(self.surface, below), controller, self.scale)
        if self.helping:
            moved = (
                bindings.rows(self._current_look.settings.keys, self.commands) if self._current_look is not None else ()
            )
            rows = (*self.commands.sheet(), *moved)
            notices.help_sheet(within(self.surface, left), left.size, self.scale, rows, marks=False)
        page = (self.controller.mode if self.chooser is None else self.chooser.title) + self.reading
        self.form.show(page, self.head(), self.parts(), self._foot_text(), seconds)
        if self.chooser is not None and not self.chooser.seen:
            self.chooser.seen = True
            self.form.type_in("file")
        self.form.draw(self.surface)

    def head(self) -> list[Part]:
        """Return the fixed rows at the head of the panel."""
        if self.chooser is not None:
            return []
        return pages.head(self.controller, self.commands.buttons("head", self), self.commands.buttons("tabs", self))

    def parts(self) -> list[Part]:
        """Return the rows of the panel below its head."""
        if self.chooser is not None:
            return list(self.chooser.parts())
        panel_page = rule_page(self.controller.battle, self.reading) if self.reading else None
        if panel_page is not None:
            return pages.rule(panel_page)
        first: list[Part] = []
        if self.left is not None and self.controller.mode is Mode.TABLE:
            first = pages.left_over(self.left.notice)
        return [*first, *pages.page(self.controller, self.new, self.about)]

    def _foot_text(self) -> str:
        """Return the text at the bottom of the panel."""
        if self.chooser is not None:
            note = verdict_words.escape(self.chooser.note)
            usual = "Type a name; Enter saves." if self.chooser.new else "Click a file, or type where it is."
            return f"<b>{note}</b>" if note else usual
        if self.printer.busy or self.controller.backdrop.busy:
            return "Writing ..." if self.printer.busy else f"{self.controller.backdrop.busy.capitalize()} ..."
        return verdict_words.foot(self.controller, self.keeper.trouble)

    def _working(self) -> str:
        return "for the verdict" if self.controller.asking.waits else ""

    # --- the card ----------------------------------------------------------------------------------------------------

    def card_drawing(self, name: str = "", digits: str = "") -> Drawing | None:
        """Return the card of the verdict, None if there is none; drawn again when any of its words changes.

        ``name`` and ``digits`` are the scene's file and fingerprint; by default those it would have if saved now.
        """
        controller = self.controller
        verdict = controller.verdict
        if verdict is None or not controller.laid.sound:
            return None
        facts = self.facts(name or self._file(), digits or fingerprint(scene_bytes(controller.laid)))
        key = (verdict, facts)
        if self._card is None or self._card[0][0] is not verdict or self._card[0][1] != facts:
            self._card = (key, card(controller.battle, verdict, facts))
        return self._card[1]

    def _file(self) -> str:
        kept = self.controller.path is not None and not self.controller.changed
        return (
            self.controller.path.name
            if self.controller.path is not None and kept
            else f"{slug(self.controller.draft.title)}.yaml"
        )

    def facts(self, name: str, digits: str) -> Facts:
        """Return the card's contents besides the verdict."""
        about = self.about
        return Facts(self.controller.draft.title, about["date"], name, digits, (about["first"], about["second"]))

    # --- events ------------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Pass an event to the panel, or to the table."""
        if event.type == pygame.VIDEORESIZE:
            self.resize()
            return
        if event.type == pygame.KEYDOWN and self.form.typing and keys.hears(self, event):
            keys.press(self, event)
            return
        did = self.form.handle(event)
        if did is not None:
            if did.word:
                do(self, did.word, did.value)
            return
        at = getattr(event, "pos", None)
        if at is not None and self.covers(at) and self.mouse.press is None and self._pan_from is None:
            return
        handlers: dict[int, Callable[[pygame.event.Event], None]] = {
            pygame.MOUSEBUTTONDOWN: self._down, pygame.MOUSEBUTTONUP: self._up, pygame.MOUSEMOTION: self._motion,
            pygame.MOUSEWHEEL: self._wheel, pygame.KEYDOWN: lambda event: keys.press(self, event),
        }  # fmt: skip
        handler = handlers.get(event.type)
        if handler is not None:
            handler(event)

    def covers(self, pixel: tuple[int, int]) -> bool:
        """Return whether the panel or the side view covers a pixel."""
        return self.form.covers(pixel) or pixel[1] >= self._view_size[1]

    @property
    def seen(self) -> Camera:
        """The camera of the table, or of the photo while its corners are picked."""
        picking = self.controller.mode is Mode.PHOTO and self.controller.backdrop.picking
        return self.photo_camera if picking else self.camera

    @seen.setter
    def seen(self, camera: Camera) -> None:
        if self.controller.mode is Mode.PHOTO and self.controller.backdrop.picking:
            self.photo_camera = camera
        else:
            self.camera = camera

    def _down(self, event: pygame.event.Event) -> None:
        if event.button == 1:
            self.helping, self.reading = False, ""
            shift = bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
            self.mouse.down(self.controller, self.seen, event.pos, shift)
        elif event.button in (2, 3):
            self._pan_from, self._panned = event.pos, False

    def _motion(self, event: pygame.event.Event) -> None:
        before, self.cursor = self.cursor, event.pos
        if self.seen is self.camera:
            self.controller.cursor, self.controller.by_keys = self.camera.to_table(event.pos), False
        self.mouse.move(self.controller, self.seen, event.pos)
        if self._pan_from is not None:
            self._panned = self._panned or max(abs(event.pos[k] - self._pan_from[k]) for k in (0, 1)) > 5
        if self.mouse.panning or self._panned:
            self.pan(event.pos[0] - before[0], event.pos[1] - before[1])

    def _up(self, event: pygame.event.Event) -> None:
        if event.button == 1:
            self.mouse.up(self.controller, self.seen, event.pos)
        elif event.button in (2, 3) and self._pan_from is not None:
            if not self._panned and event.button == 3:
                key_acts.escape(self)
            self._pan_from, self._panned = None, False

    def _wheel(self, event: pygame.event.Event) -> None:
        mods = pygame.key.get_mods()
        placing = (
            self.controller.mode is Mode.PLACE
            and self.controller.placing.held
            and self.controller.placing.what == "unit"
        )
        if self.controller.held is not None or placing or mods & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.controller.turn(event.y, fine=bool(mods & pygame.KMOD_SHIFT))
        else:
            self.zoom(ZOOM_STEP**event.y, self.cursor)

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def _view_size(self) -> tuple[int, int]:
        width, height = self._left_of_panel
        return width, max(1, height - self._strip)

    @property
    def _left_of_panel(self) -> tuple[int, int]:
        width, height = self.surface.get_size()
        return max(1, width - self.form.width), max(1, height)

    def _fitting(self, size: tuple[float, float]) -> Camera:
        return Camera.fitting(size, self._view_size, density=self.scale)

    def _spread(self) -> tuple[float, float]:
        photo = self.controller.backdrop.photo
        if self.seen is self.camera or photo is None:
            return self.controller.size
        return float(photo.picture.width), float(photo.picture.height)

    def fit(self) -> None:
        """Show the whole table."""
        self.seen = self._fitting(self._spread())

    def zoom(self, factor: float, pixel: tuple[int, int]) -> None:
        """Zoom in or out about a pixel."""
        size = self._spread()
        self.seen = self.seen.zoomed(factor, pixel, self._fitting(size).scale).kept_on(size)

    def keep_hand_in_sight(self) -> None:
        """Pan until the cursor, moved by keys, is visible."""
        (x, y), (wide, high) = self.camera.to_screen(self.controller.cursor), self._view_size
        right = max(0.0, MARGIN - x) - max(0.0, x - wide + MARGIN)
        down = max(0.0, MARGIN - y) - max(0.0, y - high + MARGIN)
        if right or down:
            self.pan(right, down)

    def pan(self, right: float, down: float) -> None:
        """Pan the table."""
        self.seen = self.seen.panned(right, down).kept_on(self._spread())

    def resize(self) -> None:
        """Adapt to another window size."""
        self.surface = pygame.display.get_surface() or self.surface
        self.form.resized(self.surface.get_size())
        self.camera = self.camera.resized(self._view_size)
        self.photo_camera = self.photo_camera.resized(self._view_size)

    def _fit_what_is_new(self) -> None:
        """Show all of a table of another size, or of a photo just opened."""
        if self.controller.size != self._sized:
            self._sized = self.controller.size
            self.camera = self._fitting(self.controller.size)
        photo = self.controller.backdrop.photo
        if photo is not None and photo.picture is not self._photographed:
            self._photographed = photo.picture
            self.photo_camera = self._fitting((float(photo.picture.width), float(photo.picture.height)))

    def _dock(self) -> None:
        """Make room below the table for the side view, or remove it; a table that was wholly visible stays so."""
        strip = section.height(self.controller, self._left_of_panel, self.scale, self._strip)
        if strip == self._strip:
            return
        whole = self.camera.scale <= 1.001 * self._fitting(self.controller.size).scale
        self._strip = strip
        self.camera = self._fitting(self.controller.size) if whole else self.camera.resized(self._view_size)
        self.photo_camera = self.photo_camera.resized(self._view_size)

    def at(self, point: Point) -> tuple[int, int]:
        """Return the pixel of a point of the table."""
        x, y = self.camera.to_screen(point)
        return round(x), round(y)
