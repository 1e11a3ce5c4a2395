"""A demo on the whole screen: it plays by itself, asks questions, goes on without an answer, and stops when touched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pygame

from tabletop.demos.cues import Unplayable
from tabletop.demos.demo import Demo
from tabletop.demos.reading import load_demo
from tabletop.errors import TabletopError
from tabletop.render import descriptions
from tabletop.render.demos import film
from tabletop.render.demos.stage import Band, Stage, head_of
from tabletop.render.demos.timeline import Part, Timeline
from tabletop.render.drawing import theme
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.film.process import Filming
from tabletop.render.places import free_path, pictures_folder
from tabletop.render.screens import Back, Look, Maker
from tabletop.render.widgets.pages.brush import Brush
from tabletop.render.widgets.pages.page import Page
from tabletop.render.widgets.pages.spots import Spot, button

#: Seconds of the demo computed ahead while nothing moves; seconds its end is shown before it starts over.
AHEAD, PAUSE = 30.0, 3.0
#: Shown while it is stopped.
STOPPED = "Stopped. Space or a click goes on."
#: The buttons while it is stopped: word, label, hint.
BUTTONS = (
    ("on", "Go on", "Go on from here (Space)"),
    ("back", "Back", "To what was said before (left arrow)"),
    ("next", "Next", "To what is said next (right arrow)"),
    ("begin", "Begin again", "From the beginning (Home)"),
    ("film", "Make a film", "Write it as a film with captions, beside your pictures"),
    ("leave", "Leave", "Leave the demo (Esc)"),
)


def showing(path: Path, loop: bool = True) -> Maker:
    """Return the function that makes the screen of a demo, which starts over at its end unless ``loop`` is False."""
    return lambda look: DemoScreen(load_demo(path), path, look, loop)


class DemoScreen(Page):
    """One demo, running or stopped."""

    #: The window should fill the screen while this is shown.
    fills_screen = True

    def __init__(self, demo: Demo, path: Path, look: Look, loop: bool = True) -> None:
        self.demo, self.path, self.loop = demo, path, loop
        self.timeline = Timeline(demo)
        self.timeline.grow()
        self.stage = Stage(demo.opening)
        self.at, self.gone = 0, 0.0
        self.running = True
        self.given: int | None = None
        self.filming: Filming | None = None
        self._baker, self._baked, self._rest = Baker(), 0, PAUSE
        super().__init__(look)
        pygame.display.set_caption(f"tabletop - {demo.title}")

    @property
    def scale(self) -> float:
        """The scale that keeps the design's share of any screen, since a demo is watched from a distance."""
        return Stage.scale(self._size)

    @property
    def part(self) -> Part:
        """The part being shown."""
        return self.timeline.parts[self.at]

    @property
    def asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self.part.cue.asked is not None and not self.part.cue.answered

    # --- time --------------------------------------------------------------------------------------------------------

    def work(self, seconds: float) -> bool:
        """Advance the demo, computing ahead while nothing moves; return True while something changes."""
        self._paint()
        filming = self._listen()
        moving = self.part.act is not None and self.part.share(self.gone) < 1.0
        if not moving and self.timeline.seconds < self.part.end + AHEAD:
            self._grow()
        if not self.running:
            return filming
        self.gone += seconds
        while self.gone >= self.part.seconds and self._next():
            pass
        return True

    def _grow(self) -> None:
        try:
            self.timeline.grow()
        except Unplayable as error:
            self.timeline.whole = True
            self.note = f"The rest cannot be shown: {error}"

    def _next(self) -> bool:
        """Go to the next part; at the end start over, or stop. Return whether there was a part to go to."""
        over = self.gone - self.part.seconds
        while self.at + 1 >= len(self.timeline.parts) and not self.timeline.whole:
            self._grow()
        if self.at + 1 < len(self.timeline.parts):
            if not (self.timeline.parts[self.at + 1].cue.answered):
                self.given = None
            self.at, self.gone = self.at + 1, over
            return True
        if over < PAUSE:
            return False
        if self.loop:
            self._begin()
        else:
            self.running, self.gone = False, self.part.seconds
        return False

    def _paint(self) -> None:
        """Have the ground painted, and use the painting when it is ready."""
        if theme.look() == "painted":
            self._baker.want(self.timeline.opening.table)
        if self._baker.done != self._baked:
            self._baked = self._baker.done
            self.stage.ground_anew()

    def close(self) -> None:
        """Stop the background work."""
        self._baker.close()
        if self.filming is not None:
            self.filming.close()

    # --- layout ------------------------------------------------------------------------------------------------------

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the choices of a question; while stopped, the buttons instead."""
        cue = self.part.cue
        if self.running and self.asking and cue.asked is not None:
            places = self.stage.inside(self._size, cue).choices
            return [Spot(place, _shown, f"choice:{k}", "", fixed=True) for k, place in enumerate(places)]
        if self.running:
            return []
        spots = list[Spot]()
        places = self.stage.inside(self._size, cue, len(BUTTONS)).choices
        for (word, label, hint), place in zip(BUTTONS, places, strict=True):
            if word == "film" and self.filming is not None:
                label, word, hint = self._far, "stop", "Leave the film off; nothing is written then"
            spots.append(Spot(place, button(label, word == "on", size=19), word, hint, fixed=True))
        return spots

    def backdrop(self, brush: Brush) -> None:
        """Draw the table and the band."""
        part, cue = self.part, self.part.cue
        self.stage.draw_table(brush.surface, part, self.gone)
        left = max(0.0, 1.0 - self.gone / part.seconds) if self.asking else None
        gone = min(1.0, (part.start + self.gone) / self.timeline.seconds) if self.timeline.whole else 0.0
        head = head_of(self.demo.title, cue) if self.running else (self.hint or self.note or STOPPED)
        band = Band(
            head, cue.text, cue.asked, cue.answered, self.given, left, gone, 0 if self.running else len(BUTTONS)
        )
        self.stage.draw_band(brush.surface, band, cue)

    # --- input -------------------------------------------------------------------------------------------------------

    def _down(self, event: pygame.event.Event) -> None:
        touched = event.button <= 3 and self._at(event.pos) is None
        if touched and event.button == 1:
            self._touched()
        super()._down(event)

    def _touched(self) -> None:
        """Stop if running, continue if stopped."""
        self.running, self.note = not self.running, ""
        self.anew()

    def _key(self, event: pygame.event.Event) -> None:
        handler = self._own_keys.get(event.key)
        if handler is not None:
            handler(self)
        elif self.running and pygame.K_1 <= event.key <= pygame.K_9 and self.asking:
            self._choose(event.key - pygame.K_1)
        elif self.running:
            self._touched()
        else:
            super()._key(event)
        self.anew()

    def did(self, word: str) -> None:
        """Run the action of a word."""
        act, _, what = word.partition(":")
        if act == "choice":
            self._choose(int(what))
        else:
            self._acts[act](self)

    def _choose(self, number: int) -> None:
        """Take an answer, and show at once which one is right."""
        asked = self.part.cue.asked
        if asked is not None and number < len(asked.choices):
            self.given, self.gone = number, self.part.seconds
            self._next()

    def _on(self) -> None:
        self.running, self.note = True, ""

    def _begin(self) -> None:
        self.at, self.gone, self.given = 0, 0.0, None

    def _step(self, by: int) -> None:
        """Stop, and go to the next text or question, or to the previous one."""
        self.running, text = False, self.part.cue.text
        n = self.at
        while True:
            if n + by >= len(self.timeline.parts):
                self._grow()
            if not 0 <= n + by < len(self.timeline.parts):
                break
            n += by
            if self.timeline.parts[n].cue.text != text:
                break
        text = self.timeline.parts[n].cue.text
        while n > 0 and by < 0 and self.timeline.parts[n - 1].cue.text == text:
            n -= 1
        self.at, self.gone, self.given = n, 0.0, None
        if self.part.act is not None:
            self.gone = self.part.moving

    def _leave(self) -> None:
        self.going = Back()

    def back(self) -> None:
        """Leave the demo on Esc."""
        self._leave()

    # --- its film ----------------------------------------------------------------------------------------------------

    @property
    def _far(self) -> str:
        filming = self.filming
        assert filming is not None, "it is asked while a film is made"
        return f"{100 * filming.done // filming.of} %" if filming.of else "Film ..."

    def _film(self) -> None:
        try:
            path = free_path(pictures_folder(), self.demo.title, ".webp")
        except TabletopError as error:
            self.note = str(error)
            return
        self.note = "The film is being made; it may go on meanwhile."
        self.filming = Filming(path, film.made, self.path, self.look)

    def _listen(self) -> bool:
        """Take in the progress of a film; return True while one is being made."""
        filming = self.filming
        if filming is None:
            return False
        filming.listen()
        if filming.ended:
            self.filming = None
            filming.close()
            written = filming.path.exists()
            self.note = f"The film is in {descriptions.place(filming.path)}." if written else filming.ended
        return True

    def _stop_film(self) -> None:
        if self.filming is not None:
            self.filming.leave_off()

    _acts: ClassVar[Mapping[str, Callable[[DemoScreen], None]]] = {
        "on": _on,
        "back": lambda s: s._step(-1),
        "next": lambda s: s._step(1),
        "begin": _begin,
        "film": _film,
        "stop": _stop_film,
        "leave": _leave,
    }
    _own_keys: ClassVar[Mapping[int, Callable[[DemoScreen], None]]] = {
        pygame.K_SPACE: _touched,
        pygame.K_RETURN: _touched,
        pygame.K_KP_ENTER: _touched,
        pygame.K_ESCAPE: _leave,
        pygame.K_HOME: _begin,
        pygame.K_LEFT: lambda s: s._step(-1),
        pygame.K_RIGHT: lambda s: s._step(1),
    }


def _shown(brush: Brush, place: object, state: object) -> None:
    """Draw nothing: choices are drawn with the band, as in the film."""
