"""A page: a screen made of spots, used by mouse or keys, that fits every window by scrolling.

A page defines its spots (``laid``) and the action of each word (``did``). Keys: Tab and the arrows go from spot to
spot, Enter or Space presses, Esc goes back. On ``light`` spots and in entries Enter does what is ``usual``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pygame

from tabletop.render.screens import Back, Going, Look
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.spots import Spot, State, nearest
from tabletop.render.widgets.pages.text_entry import COMMAND, Line

#: Design pixels scrolled by a wheel notch, and by an arrow with no further spot to go to.
NOTCH = 70
#: Minimum size of a page in design pixels: in a smaller window the scale is reduced.
LEAST = (320.0, 200.0)
#: Seconds after which an idle page is redrawn anyway.
REST = 0.25
#: Seconds until a key held down while typing repeats, and between repetitions.
WAIT, EVERY = 0.45, 0.04


@dataclass(frozen=True)
class Frame:
    """The range between ``top`` and ``bottom``, in design pixels, in which scrolling spots are visible."""

    top: float
    bottom: float


class Page:
    """Base of the screens made of spots."""

    #: The word that Enter sends unless the focus has another.
    usual = ""
    #: Maximum width of the layout, however wide the window.
    widest = 1240.0

    def __init__(self, look: Look) -> None:
        self.look = look
        self.going: Going | None = None
        self.note = ""
        self.lines: dict[str, Line] = {}
        self.focus: str | None = None
        self.by_key = False
        self.scroll = 0.0
        self.surface = pygame.display.get_surface() or pygame.display.set_mode((1280, 800), pygame.RESIZABLE)
        self._hovered: str | None = None
        self._held: str | None = None
        self._spots: tuple[Spot, ...] | None = None
        self._before: tuple[Spot, ...] = ()
        self._size = self.surface.get_size()
        self._rested = REST
        self._holding: int | None = None
        self._again = 0.0

    # --- defined by each page ----------------------------------------------------------------------------------------

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the spots of the page in Tab order, for a window of this size in design pixels."""
        raise NotImplementedError

    def frame_of(self, wide: float, high: float) -> Frame:
        """Return the range in which scrolling spots are visible."""
        return Frame(0.0, high)

    def did(self, word: str) -> None:
        """Run the action of a word."""
        raise NotImplementedError

    def typed(self, word: str) -> None:
        """React to typing in the entry of this word."""

    def work(self, seconds: float) -> bool:
        """Continue background work; return True when the page has changed."""
        return False

    def backdrop(self, brush: Brush) -> None:
        """Draw what lies under everything."""
        brush.surface.fill("#3d2f25")

    def back(self) -> None:
        """Go back on Esc."""
        self.going = Back()

    @property
    def hears_keys_as_they_are(self) -> bool:
        """Whether rebound keys are passed on untranslated: pages always use the same few keys."""
        return True

    # --- a screen ----------------------------------------------------------------------------------------------------

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        """Handle events, continue the work, draw."""
        for event in events:
            handler = self._handlers.get(event.type)
            if handler is not None:
                handler(self, event)
        changed = self._repeated(seconds) or self.work(seconds)
        surface = pygame.display.get_surface() or self.surface
        if surface is not self.surface or surface.get_size() != self._size:
            self.surface, self._size = surface, surface.get_size()
            changed = True
        if changed:
            self.anew()
        self._rested += seconds
        if events or changed or self._rested >= REST:
            self._rested = 0.0
            self.draw()

    def _repeated(self, seconds: float) -> bool:
        """Repeat a key held down while typing; return whether it was repeated."""
        if self._holding is None:
            return False
        self._again -= seconds
        if self._again > 0.0:
            return False
        self._again = EVERY
        line = self.lines.get(str(self.focus))
        if line is not None and line.key(self._holding, 0):
            self._retyped()
        return True

    def shown(self, look: Look) -> None:
        """Adapt to the present window."""
        self.look, self._holding = look, None
        self.surface = pygame.display.get_surface() or self.surface
        self._size = self.surface.get_size()
        self._rested = REST
        self.anew()

    def close(self) -> None:
        """Do nothing: no background work to stop."""

    # --- spots -------------------------------------------------------------------------------------------------------

    @property
    def scale(self) -> float:
        """Pixels to a design pixel: as set, or less in a window too small for a page at that scale."""
        return max(0.05, min(self.look.scale, self._size[0] / LEAST[0], self._size[1] / LEAST[1]))

    @property
    def size(self) -> tuple[float, float]:
        """The window's size in design pixels."""
        return self._size[0] / self.scale, self._size[1] / self.scale

    def anew(self) -> None:
        """Discard the layout, so that it is made again when next needed."""
        self._spots = None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The spots of the page now."""
        if self._spots is None:
            self._spots = self._before  # the layout in progress may ask for spots, and gets the previous ones
            self._spots = self._before = tuple(self.laid(*self.size))
            self.scroll = min(self.scroll, self.most_scroll)
            if self.focus is not None and self._spot(self.focus) is None:
                self.focus = None
        return self._spots

    @property
    def most_scroll(self) -> float:
        """The maximum scroll of the page."""
        frame = self.frame_of(*self.size)
        ends = [spot.place[1] + spot.place[3] for spot in self.spots if not spot.fixed]
        return max(0.0, max(ends, default=0.0) + 12 - frame.bottom)

    @property
    def words(self) -> dict[str, pygame.Rect]:
        """The words that can be sent now, with the places of their spots in the window, even out of sight."""
        brush = Brush(self.surface, self.scale)
        return {spot.word: brush.rect(self._seen(spot).place) for spot in self.spots if spot.live}

    def _seen(self, spot: Spot) -> Spot:
        return spot if spot.fixed else spot.moved(-self.scroll)

    def _spot(self, word: str) -> Spot | None:
        return next((spot for spot in self.spots if spot.word == word and spot.live), None)

    def _at(self, pixel: tuple[int, int]) -> Spot | None:
        x, y = pixel[0] / self.scale, pixel[1] / self.scale
        frame = self.frame_of(*self.size)
        for spot in reversed(self.spots):
            left, top, wide, high = self._seen(spot).place
            inside = left <= x < left + wide and top <= y < top + high
            if spot.live and inside and (spot.fixed or frame.top <= y < frame.bottom):
                return spot
        return None

    def turn_to(self, word: str | None) -> None:
        """Give a spot the focus, as the keys do, and scroll it into view."""
        if self.focus in self.lines:
            self.lines[str(self.focus)].left()
        self.focus = word
        if word in self.lines:
            self.lines[str(word)].entered()
        spot = self._spot(word) if word is not None else None
        if spot is None or spot.fixed:
            return
        frame, (_, top, _, high) = self.frame_of(*self.size), spot.place
        low, most = top + high + 12 - frame.bottom, top - 12 - frame.top
        self.scroll = max(0.0, min(max(self.scroll, low), most))

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the page."""
        brush = Brush(self.surface, self.scale)
        self.backdrop(brush)
        frame = self.frame_of(*self.size)
        clip = brush.rect((0, frame.top, self.size[0], frame.bottom - frame.top))
        for fixed in (False, True):
            before = self.surface.get_clip()
            if not fixed:
                self.surface.set_clip(clip)
            for spot in self.spots:
                if spot.fixed is fixed:
                    self._draw_spot(brush, self._seen(spot), clip)
            self.surface.set_clip(before)
        if self.most_scroll > 0:
            _bar(brush, frame, self.size[0], self.scroll / self.most_scroll, self.most_scroll)

    def _draw_spot(self, brush: Brush, spot: Spot, clip: pygame.Rect) -> None:
        rect = brush.rect(spot.place)
        if not spot.fixed and not rect.colliderect(clip):
            return
        focused = self.focus == spot.word and bool(spot.word) and (self.by_key or spot.typed)
        spot.draw(
            brush,
            spot.place,
            State(self._hovered == spot.word and spot.live, self._held == spot.word and spot.live, focused),
        )
        if focused and not spot.typed:
            left, top, wide, high = spot.place
            brush.paper((left - 3, top - 3, wide + 6, high + 6), "", "focus", 8, 2)

    @property
    def hint(self) -> str:
        """The hint of the spot under the cursor, or of the one reached by key."""
        for word in (self._hovered, self.focus if self.by_key else None):
            spot = self._spot(word) if word is not None else None
            if spot is not None and spot.hint:
                return spot.hint
        return ""

    # --- events ------------------------------------------------------------------------------------------------------

    def _motion(self, event: pygame.event.Event) -> None:
        spot = self._at(event.pos)
        self._hovered = spot.word if spot is not None else None

    def _down(self, event: pygame.event.Event) -> None:
        if event.button != 1:
            return
        self.by_key = False
        spot = self._at(event.pos)
        self._held = self._hovered = spot.word if spot is not None else None
        if spot is None or spot.typed or self.focus in self.lines:
            self.turn_to(spot.word if spot is not None and spot.typed else None)

    def _up(self, event: pygame.event.Event) -> None:
        held, self._held = self._held, None
        spot = self._at(event.pos)
        if event.button == 1 and spot is not None and spot.word == held:
            self._press(spot)

    def _wheel(self, event: pygame.event.Event) -> None:
        self._scrolled(-event.y * NOTCH)

    def _scrolled(self, down: float) -> None:
        self.scroll = min(self.most_scroll, max(0.0, self.scroll + down))

    def _press(self, spot: Spot) -> None:
        if not spot.typed:
            self.focus = spot.word
            self.did(spot.word)
            self.anew()

    def _text(self, event: pygame.event.Event) -> None:
        if self.focus in self.lines:
            self.lines[str(self.focus)].put(event.text)
            self._retyped()

    def _retyped(self) -> None:
        self.typed(str(self.focus))
        self.anew()

    def _key(self, event: pygame.event.Event) -> None:
        line = self.lines.get(str(self.focus))
        if line is not None and line.key(event.key, event.mod):
            self._holding, self._again = (None if event.mod & COMMAND else event.key), WAIT
            self._retyped()
            return
        handler = self._keys.get(event.key)
        if handler is not None:
            handler(self, event)

    def _tab(self, event: pygame.event.Event) -> None:
        words = list(dict.fromkeys(spot.word for spot in self.spots if spot.live))  # two spots may send the same word
        step = -1 if event.mod & pygame.KMOD_SHIFT else 1
        index = words.index(self.focus) if self.focus in words else (-1 if step > 0 else 0)
        self.by_key = True
        if words:
            self.turn_to(words[(index + step) % len(words)])

    def _arrow(self, right: int, down: int) -> None:
        focused = self._spot(self.focus) if self.focus is not None else None
        if focused is None or not self.by_key:
            self.by_key = True
            self.turn_to(self.focus if focused is not None else self._first())
            return
        target = nearest(self.spots, focused, right, down)
        if target is not None:
            self.turn_to(target.word)
        elif down:
            self._scrolled(down * NOTCH)

    def _first(self) -> str | None:
        live = [spot.word for spot in self.spots if spot.live]
        return self.usual if self.usual in live else next(iter(live), None)

    def _enter(self, event: pygame.event.Event) -> None:
        spot = self._spot(self.focus) if self.focus is not None and self.by_key else None
        if spot is None or spot.typed or (spot.light and event.key != pygame.K_SPACE):
            spot = self._spot(self.usual) if self.usual and event.key != pygame.K_SPACE else None
        if spot is not None:
            self._press(spot)

    def _ends(self, word_of: Callable[[list[str]], str]) -> None:
        words = [spot.word for spot in self.spots if spot.live and not spot.fixed]
        if words:
            self.by_key = True
            self.turn_to(word_of(words))

    _handlers: ClassVar[Mapping[int, Callable[[Page, pygame.event.Event], None]]] = {
        pygame.MOUSEMOTION: lambda p, e: p._motion(e),
        pygame.MOUSEBUTTONDOWN: lambda p, e: p._down(e),
        pygame.MOUSEBUTTONUP: lambda p, e: p._up(e),
        pygame.MOUSEWHEEL: lambda p, e: p._wheel(e),
        pygame.TEXTINPUT: lambda p, e: p._text(e),
        pygame.KEYDOWN: lambda p, e: p._key(e),
        pygame.KEYUP: lambda p, _: setattr(p, "_holding", None),
    }
    _keys: ClassVar[Mapping[int, Callable[[Page, pygame.event.Event], None]]] = {
        pygame.K_TAB: lambda p, e: p._tab(e),
        pygame.K_UP: lambda p, e: p._arrow(0, -1),
        pygame.K_DOWN: lambda p, e: p._arrow(0, 1),
        pygame.K_LEFT: lambda p, e: p._arrow(-1, 0),
        pygame.K_RIGHT: lambda p, e: p._arrow(1, 0),
        pygame.K_RETURN: lambda p, e: p._enter(e),
        pygame.K_KP_ENTER: lambda p, e: p._enter(e),
        pygame.K_SPACE: lambda p, e: p._enter(e),
        pygame.K_ESCAPE: lambda p, e: p.back(),
        pygame.K_PAGEUP: lambda p, e: p._scrolled(-4 * NOTCH),
        pygame.K_PAGEDOWN: lambda p, e: p._scrolled(4 * NOTCH),
        pygame.K_HOME: lambda p, e: p._ends(lambda words: words[0]),
        pygame.K_END: lambda p, e: p._ends(lambda words: words[-1]),
    }


def _bar(brush: Brush, frame: Frame, wide: float, share: float, most: float) -> None:
    """Draw the scroll bar at the right edge of the page."""
    room = frame.bottom - frame.top - 8
    long = max(30.0, room * room / (room + most))
    place: Place = (wide - 9, frame.top + 4 + (room - long) * share, 5, long)
    brush.paper(place, "edge", radius=3)
