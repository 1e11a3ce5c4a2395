"""What a window shows as a list: every text with its place and size, and what was painted over it since.

While ``recorded()`` is active, surfaces are of a class that remembers what was written on them and passes it on when
they are blitted, copied or cut: whatever the program caches as painted, the surface it is shown on knows its texts.
What is painted over a text later (an opaque sheet, a stroke, a symbol) covers or strikes it; what covers all of it
removes it.

A text that was scaled or rotated after it was written is a picture and is not listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import pygame
import pytest
import shapely

from tabletop.render.battle import hover_card, past_inset
from tabletop.render.painting import painter
from tabletop.render.table import inset, notices
from tabletop.render.widgets.pages import brush

#: The ink of a line of letters lies between these shares of its height.
ABOVE, BELOW = 0.24, 0.80
#: Opacities (of 255) from which something hides what lies below it, and from which a veil dims everything below it.
HIDES, VEILS = 190, 40
#: The share of a text's ink that may be touched; the share from which the text is gone.
TOUCHED, GONE = 0.03, 0.97
#: A sheet of which more than this share is opaque is a card; the most pixels a card may have.
CARD, LARGEST = 0.97, 1_000_000
#: Copies of the same text closer than this share of its height are one text with its halo.
HALO = 0.5

Rect = pygame.Rect
_Surface: TypeAlias = pygame.Surface
_Font: TypeAlias = pygame.font.Font


@dataclass(frozen=True)
class Written:
    """A text as shown: ``size`` of its font, the whole ``box`` and the part ``seen`` in pixels; ``spoilt`` says how
    it is hidden or struck through, empty if it is intact; ``under`` are the opaque places that hide a part of it."""

    text: str
    size: float
    box: Rect
    seen: Rect
    spoilt: str = ""
    under: tuple[Rect, ...] = ()

    @property
    def ink(self) -> Rect:
        """The part of its box that the letters fill."""
        return _ink(self.box)

    def moved(self, right: int, down: int, clip: Rect) -> Written | None:
        """Return it moved and clipped; None if nothing of it is seen."""
        seen = self.seen.move(right, down).clip(clip)
        if not (seen.width and seen.height):
            return None
        under = tuple(place.move(right, down) for place in self.under)
        return replace(self, box=self.box.move(right, down), seen=seen, under=under)


@dataclass(frozen=True)
class Laid:
    """Something opaque laid on a surface."""

    place: Rect


@dataclass
class Shown:
    """What a surface shows, the lowest first."""

    texts: list[Written] = field(default_factory=list)
    laid: list[Laid] = field(default_factory=list)


def _ink(box: Rect) -> Rect:
    top = round(box.top + ABOVE * box.height)
    return Rect(box.left, top, box.width, max(1, round(box.top + BELOW * box.height) - top))


class _Kind(type):
    """Makes any surface an instance of ours in checks by the program."""

    def __instancecheck__(cls, instance: object) -> bool:
        return type.__instancecheck__(cls, instance) or isinstance(instance, _Surface)


class Sheet(_Surface, metaclass=_Kind):
    """A surface that knows what is written on it."""

    @property
    def shown(self) -> Shown:
        """What it shows, or what the surface it is a part of shows."""
        root = self._root()[0]
        display: Shown | None = vars(root).get("_shown")
        if display is None:
            display = vars(root)["_shown"] = Shown()
        return display

    def _root(self) -> tuple[Any, tuple[int, int]]:
        parent: Any = self.get_abs_parent()
        return (parent, self.get_abs_offset()) if isinstance(parent, _Surface) and vars_of(parent) else (self, (0, 0))

    @property
    def deaf(self) -> bool:
        """Whether it is the window while nobody looks: then what it shows does not matter."""
        return bool(vars(self._root()[0]).get("_deaf"))

    def _clip_at(self, off: tuple[int, int]) -> Rect:
        return self.get_clip().move(off).clip(self.get_rect().move(off))

    # --- what changes it ---------------------------------------------------------------------------------------------

    def blit(self, source: Any, dest: Any = (0, 0), area: Any = None, special_flags: int = 0) -> Rect:
        """Lay a surface on it, with everything written on that."""
        done = super().blit(source, dest, area, special_flags)
        if self.deaf or special_flags in (pygame.BLEND_RGBA_MULT, pygame.BLEND_RGB_MULT, pygame.BLEND_RGBA_SUB):
            return done
        root, off = self._root()
        at = Rect(dest).topleft if isinstance(dest, Rect) or len(dest) == 4 else (int(dest[0]), int(dest[1]))
        part = source.get_rect() if area is None else Rect(area).clip(source.get_rect())
        place = Rect(at, part.size).move(off).clip(self._clip_at(off))
        if not (place.width and place.height):
            return done
        _cover_by(self.shown, source, (at[0] + off[0] - part.left, at[1] + off[1] - part.top), place)
        if isinstance(source, _Surface) and vars_of(source) and source is not root:
            self._take(source, (at[0] + off[0] - part.left, at[1] + off[1] - part.top), place)
        return done

    def _take(self, source: Any, by: tuple[int, int], place: Rect) -> None:
        owner, inner = source._root()
        within = source.get_rect().move(inner)
        for text in list(owner.shown.texts):
            if text.seen.colliderect(within):
                moved = text.moved(by[0] - inner[0], by[1] - inner[1], place)
                if moved is not None:
                    write(self.shown, moved)
        for laid in list(owner.shown.laid):
            seen = laid.place.clip(within).move(by[0] - inner[0], by[1] - inner[1]).clip(place)
            if seen.width and seen.height:
                _lay(self.shown, seen)

    def blits(self, blit_sequence: Any, doreturn: Any = 1) -> Any:
        """Lay several, one after the other."""
        done = [self.blit(*each) for each in blit_sequence]
        return done if doreturn else None

    def fill(self, color: Any, rect: Any = None, special_flags: int = 0) -> Rect:
        """Fill a part."""
        done = super().fill(color, rect, special_flags)
        if not special_flags and not self.deaf:
            off = self._root()[1]
            place = self.get_rect() if rect is None else Rect(rect)
            bare = bool(self.get_flags() & pygame.SRCALPHA) and pygame.Color(color).a < HIDES
            cover(self.shown, place.move(off).clip(self._clip_at(off)), wipes=True, bare=bare)
        return done

    # --- what is made of it ------------------------------------------------------------------------------------------

    def _with(self, made: Any) -> Any:
        if vars_of(made):
            made._take(self, (0, 0), made.get_rect())
        return made

    def copy(self) -> Any:
        """Copy it."""
        return self._with(super().copy())

    def convert(self, *how: Any) -> Any:
        """Convert it."""
        return self._with(super().convert(*how))

    def convert_alpha(self, *how: Any) -> Any:
        """Convert it."""
        return self._with(super().convert_alpha(*how))

    def premul_alpha(self) -> Any:
        """Convert it."""
        return self._with(super().premul_alpha())


def vars_of(surface: object) -> bool:
    """Return whether a surface is one that remembers."""
    return type.__instancecheck__(Sheet, surface)


class Font(_Font):
    """A font whose surfaces remember what it writes."""

    def __init__(self, *how: Any) -> None:
        super().__init__(*how)
        self.letters = float(how[1]) if len(how) > 1 else 0.0

    def render(self, text: Any, *how: Any, **more: Any) -> Any:
        """Write a line."""
        plain = super().render(text, *how, **more)
        sheet: Any = Sheet(plain.get_size(), pygame.SRCALPHA)
        _Surface.blit(sheet, plain, (0, 0), None, pygame.BLEND_RGBA_ADD)
        if str(text).strip():
            box = sheet.get_rect()
            sheet.shown.texts.append(Written(str(text), self.letters, box, box))
        return sheet


# --- what lies over what ---------------------------------------------------------------------------------------------


def write(shown: Shown, text: Written) -> None:
    """Add a text; one in the same place with the same words is its halo, or the same from the last frame."""
    near, left = HALO * text.box.height, []
    for laid in shown.texts:
        off = max(abs(laid.box.left - text.box.left), abs(laid.box.top - text.box.top))
        if laid.text != text.text or off > near:
            left.append(laid)
        elif not off:  # painted again in part: the rest stayed
            text = replace(text, seen=text.seen.union(laid.seen))
    shown.texts = [*left, text]


def _lay(shown: Shown, place: Rect) -> None:
    shown.laid = [laid for laid in shown.laid if not place.contains(laid.place)]
    shown.laid.append(Laid(place))


def cover(shown: Shown, place: Rect, wipes: bool = False, bare: bool = False) -> None:
    """Hide what lies under an opaque place; ``wipes``: what is left of a text there is removed with it; ``bare``:
    nothing is laid there, things there are only removed."""
    if not (place.width and place.height):
        return
    left = []
    for text in shown.texts:
        share = _share(text.seen.clip(place), text.seen)
        if share >= GONE:
            continue
        if not wipes and _share(text.ink.clip(place), text.ink) > TOUCHED:
            text = replace(text, under=(*text.under, place))
        left.append(text)
    shown.texts = left
    if not bare:
        _lay(shown, place)


def _share(part: Rect, whole: Rect) -> float:
    return part.width * part.height / max(1, whole.width * whole.height)


def _cover_by(shown: Shown, source: Any, at: tuple[int, int], place: Rect) -> None:
    """Hide what lies under a surface laid with its corner at a pixel, seen within a place."""
    solid = not source.get_flags() & pygame.SRCALPHA and source.get_alpha() in (None, 255)
    if solid and source.get_colorkey() is None:
        cover(shown, place, bare=not vars_of(source))  # a mere picture hides what it lies on, but is not a card
        return
    if not shown.texts or (not source.get_flags() & pygame.SRCALPHA):
        return
    if _is_card(source):
        cover(shown, place)
        return
    if _veil(source, place):
        shown.texts.clear()
        shown.laid.clear()
        return
    left = []
    for text in shown.texts:
        under = text.ink.clip(place)
        if under.width and under.height:
            share = _opaque(source, under.move(-at[0], -at[1])) / max(1, text.ink.width * text.ink.height)
            if share >= GONE - 0.07:
                continue
            own = vars_of(source) and any(laid.text == text.text for laid in source._root()[0].shown.texts)
            if share > TOUCHED and not own:
                left.append(replace(text, spoilt="hidden in part"))
                continue
        left.append(text)
    shown.texts = left


def _is_card(source: Any) -> bool:
    """Return whether a surface with words on it is opaque except for rounded corners."""
    size = source.get_size()
    if not vars_of(source) or not source.shown.texts or min(size) < 20 or size[0] * size[1] > LARGEST:
        return False
    return bool(_opaque(source, source.get_rect()) > CARD * size[0] * size[1])


def _opaque(source: Any, part: Rect) -> int:
    part = part.clip(source.get_rect())
    if not (part.width and part.height):
        return 0
    return pygame.mask.from_surface(_Surface.subsurface(source, part), HIDES).count()


def _veil(source: Any, place: Rect) -> bool:
    """Return whether a surface darkens all of a large place evenly, so that what lies below is dimmed."""
    if place.width < 600 or place.height < 400:
        return False
    corners = (place.topleft, (place.right - 1, place.bottom - 1), place.center)
    size = source.get_size()
    tones = {tuple(source.get_at((min(x, size[0] - 1), min(y, size[1] - 1)))) for x, y in corners}
    return len(tones) == 1 and VEILS <= next(iter(tones))[3] < 255


def _struck(shown: Shown, done: Rect, shape: Callable[[], Any], what: str) -> None:
    """Mark the texts a shape goes through."""
    for number, text in enumerate(shown.texts):
        ink = text.ink
        if text.spoilt or not ink.colliderect(done):
            continue
        box = shapely.box(ink.left, ink.top, ink.right, ink.bottom)
        if shape().intersection(box).area > TOUCHED * ink.width * ink.height:
            shown.texts[number] = replace(text, spoilt=what)


def _drawn(name: str) -> Callable[..., Rect]:
    """Return a function of pygame.draw that also records what it covers."""
    usual = getattr(pygame.draw, name)

    def draw(surface: Any, color: Any, *rest: Any, **more: Any) -> Rect:
        done: Rect = usual(surface, color, *rest, **more)
        if not vars_of(surface) or not (done.width and done.height) or surface.deaf:
            return done
        off, shown = surface._root()[1], surface.shown
        tone = pygame.Color(color)
        if tone.a < HIDES or not (shown.texts or name in ("rect", "polygon")):
            return done
        _tell(name, (shown, off, done.move(off)), rest, more)
        return done

    return draw


def _tell(name: str, where: tuple[Shown, tuple[int, int], Rect], rest: Sequence[Any], more: dict[str, Any]) -> None:
    shown, off, done = where
    if name == "rect" and not (rest[1] if len(rest) > 1 else more.get("width", 0)):
        cover(shown, done)
        return
    if name == "rect":
        return
    if name in ("circle", "aacircle"):
        at, radius = rest[0], rest[1]
        wide = rest[2] if len(rest) > 2 else more.get("width", 0)
        ring = shapely.Point(at[0] + off[0], at[1] + off[1])
        _struck(shown, done, lambda: ring.buffer(radius) - ring.buffer(radius - wide if wide else 0), "struck through")
        return
    if name in ("polygon", "lines", "aalines"):
        points = rest[0] if name == "polygon" else rest[1]
        points = [(x + off[0], y + off[1]) for x, y in points]
        if name == "polygon" and not (rest[1] if len(rest) > 1 else more.get("width", 0)):
            if _upright(points):
                cover(shown, done)
            else:
                _struck(shown, done, lambda: shapely.make_valid(shapely.Polygon(points)), "hidden in part")
            return
        if len(points) > 1:
            _struck(shown, done, lambda: shapely.LineString(points).buffer(1.0), "struck through")
        return
    ends = [(x + off[0], y + off[1]) for x, y in rest[:2]]
    wide = rest[2] if len(rest) > 2 else 1
    _struck(shown, done, lambda: shapely.LineString(ends).buffer(max(1, wide) / 2), "struck through")


def _upright(points: Sequence[tuple[float, float]]) -> bool:
    corners = {(round(x), round(y)) for x, y in points}
    return len(corners) == 4 and len({x for x, _ in corners}) == 2 and len({y for _, y in corners}) == 2


# --- recording -------------------------------------------------------------------------------------------------------


@contextmanager
def recorded() -> Iterator[Callable[[Callable[[], object]], Shown]]:
    """Record from now on; the function given returns what the window shows after a step that draws all of it.

    The display is created again inside.
    """
    display: list[Any] = []

    def opened(size: Any = (0, 0), *how: Any, **more: Any) -> Any:
        usual(size, *how, **more)
        display[:] = [Sheet(size)]
        vars(display[0])["_deaf"] = True
        return display[0]

    def after(step: Callable[[], object]) -> Shown:
        vars(display[0]).update(_deaf=False, _shown=Shown())
        step()
        vars(display[0])["_deaf"] = True
        shown: Shown = display[0].shown
        return shown

    with pytest.MonkeyPatch.context() as patch:
        usual = pygame.display.set_mode
        for module in [m for n, m in list(sys.modules.items()) if n.split(".")[0] in ("pygame", "pygame_gui")]:
            for name, kind, ours in (("Surface", _Surface, Sheet), ("Font", _Font, Font)):
                if vars(module).get(name) is kind:
                    patch.setattr(module, name, ours)
        patch.setattr(pygame.display, "set_mode", opened)
        patch.setattr(pygame.display, "get_surface", lambda: display[0] if display else None)
        for name in ("rect", "polygon", "line", "lines", "aaline", "aalines", "circle", "aacircle"):
            patch.setattr(pygame.draw, name, _drawn(name))
        _forget()
        yield after
    _forget()


def _forget() -> None:
    """Drop what was painted on another class of surface."""
    for kept in (painter._lettered, painter.font, painter._sprite, brush._lettered, brush._corners):
        kept.cache_clear()
    for cards in (hover_card._kept, past_inset._kept, inset._kept, notices._help, brush._fitted):
        cards.clear()
    painter._cache.clear()


__all__ = ["Laid", "Shown", "Written", "recorded"]
