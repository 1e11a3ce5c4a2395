"""What is wrong with a state of the window: covered, cut off, overlapping, too small, outside.

Measures, in pixels of the window: a text's box is what its font reports, its ink the middle 56 % of that height; its
size is the font's nominal height divided by the scale of the settings (14 at 100 %; capitals are about 0.73 of it).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pygame
import shapely

from tabletop.render.battle.window import GameWindow
from tabletop.render.screens import Screen
from tabletop.render.table.window import Window
from tabletop.render.widgets.docking import box_round
from tabletop.render.widgets.pages.page import Page
from tools.display_list import Shown, Written
from tools.places import spots

Rect = pygame.Rect
#: The least size of letters.
LEAST = 14.0
#: Pixels by which things may overlap through rounding.
TOUCH = 2
#: What is laid over the table counts from this size on, up to this share of the table.
FLOAT, WHOLE = (40, 20), 0.6
#: The share of a unit that may be covered.
UNDER = 0.1
#: The sign of a shortened line.
GOES_ON = "…"


def faults(screen: Screen, shown: Shown, scale: float) -> list[str]:
    """Return everything that is wrong, one line each."""
    lines = [*pressable(screen), *small(shown, scale), *cut(screen, shown), *shortened(screen, shown)]
    lines += [*spoilt(shown), *crossing(shown)]
    if isinstance(screen, Window):
        lines += covered(screen, shown)
    return lines


def _window() -> Rect:
    surface = pygame.display.get_surface()
    assert surface is not None
    return surface.get_rect()


def pressable(screen: Screen) -> Iterator[str]:
    """Yield buttons that lie outside the window or over another; those scrolled away are allowed to."""
    window = _window()
    seen = [(word, rect.clip(window)) for word, rect in spots(screen) if rect.colliderect(window)]
    loose = {spot.word for spot in getattr(screen, "spots", ()) if not spot.fixed}
    for word, rect in spots(screen):
        if word not in loose and not window.contains(rect):
            yield f"outside: {word} {tuple(rect)}"
    for (word, rect), (second, at) in itertools.combinations(seen, 2):
        over = rect.clip(at)
        if "main:" in (word, second) and rect == at:
            continue  # the main button is also listed by what it sends now
        if over.width > 1 and over.height > 1 and bool(word in loose) == bool(second in loose):
            yield f"overlapping: {word} and {second} {tuple(over)}"


def small(shown: Shown, scale: float) -> Iterator[str]:
    """Yield the texts whose letters are too small."""
    for text in shown.texts:
        if text.size / scale < LEAST:
            yield f"small: {text.text!r} {text.size / scale:g} px"


def cut(screen: Screen, shown: Shown) -> Iterator[str]:
    """Yield the texts that are partly outside of what shows them; rows half scrolled away are allowed to be."""
    scrolled = [place.inflate(4, 4) for place in scrolling(screen)]
    table = screen.panel.table_rect if isinstance(screen, Window) else None
    for text in shown.texts:
        ink, seen = text.ink, text.seen
        if table is not None and len(text.text) == 1 and at_edge(text, table):
            continue
        short = ink.left < seen.left - TOUCH or ink.right > seen.right + TOUCH
        low = ink.top < seen.top - 1 or ink.bottom > seen.bottom + 1
        if short or (low and not any(place.contains(seen) for place in scrolled)):
            yield f"cut off: {text.text!r} {tuple(text.box)} seen {tuple(seen)}"


def at_edge(text: Written, table: Rect) -> bool:
    """Return whether a text is cut by the table's edge, like the sign on a unit that is half out of view."""
    return table.contains(text.seen) and text.seen == text.box.clip(table)


def scrolling(screen: Screen) -> list[Rect]:
    """Return the parts of the window that scroll now."""
    places: list[Rect] = []
    if isinstance(screen, Page) and screen.most_scroll > 0:
        frame = screen.frame_of(*screen.size)
        top, bottom = (round(n * screen.scale) for n in (frame.top, frame.bottom))
        places.append(Rect(0, top, _window().width, bottom - top))
    rows = getattr(getattr(screen, "form", None), "scrolling", None)
    if rows is not None:
        places.append(rows)
    for manager in _managers(screen):
        for element in manager.get_sprite_group().sprites():
            if getattr(element, "scroll_bar", None) is not None or hasattr(element, "vert_scroll_bar"):
                places.append(element.get_abs_rect())  # noqa: PERF401
    if isinstance(screen, Window) and screen.legend.open:
        places.append(screen.panel.layout.legend)
    log = getattr(getattr(screen, "view", screen), "places", None)
    if log is not None and hasattr(log, "log"):
        places.append(log.log)
    return places


def _managers(screen: Any) -> list[Any]:
    holders = (getattr(screen, name, None) for name in ("panel", "form", "widgets", "view"))
    inner = [getattr(holder, "widgets", None) for holder in (getattr(screen, "view", None),) if holder is not None]
    managers = (getattr(holder, "_manager", None) for holder in (*holders, *inner))
    return [manager for manager in managers if manager is not None]


def shortened(screen: Screen, shown: Shown) -> Iterator[str]:
    """Yield the texts that end in an ellipsis and are nowhere shown in full, neither nearby nor as a hint."""
    whole = " ".join(_flat(text.text) for text in shown.texts if GOES_ON not in text.text)
    whole += " ".join(_flat(hint) for hint in hints(screen))
    for text in shown.texts:
        for line in text.text.split("  "):
            head = _flat(line.rpartition(GOES_ON)[0]).lstrip("×✓")
            if head and line.rstrip().endswith(GOES_ON) and head not in whole:
                yield f"cut off: {text.text!r} told nowhere in full"


def _flat(text: str) -> str:
    return "".join(text.split()).casefold()


def hints(screen: Any) -> Iterator[str]:
    """Yield the hints shown when something is pointed at."""
    for spot in getattr(screen, "spots", ()):
        yield spot.hint
    for manager in _managers(screen):
        for element in manager.get_sprite_group().sprites():
            yield str(getattr(element, "tool_tip_text", "") or "")
            yield str(getattr(element, "html_text", "") or "")


def spoilt(shown: Shown) -> Iterator[str]:
    """Yield the texts that something painted later partly hides or strikes through.

    A card of several lines may lie over other names, like a sheet of paper on a map.
    """
    cards = _cards(shown)
    for text in shown.texts:
        plates = [place for place in text.under if place not in cards]
        carded = len(plates) < len(text.under)  # the edge of the card goes through it as well
        if plates or (text.spoilt and not carded):
            yield f"{text.spoilt or 'hidden in part'}: {text.text!r} {tuple(text.box)}"


def _cards(shown: Shown) -> list[Rect]:
    """Return the opaque places that carry several lines."""
    lines = [text.ink for text in shown.texts]
    return [laid.place for laid in shown.laid if len({ink.top for ink in lines if laid.place.contains(ink)}) > 1]


def crossing(shown: Shown) -> Iterator[str]:
    """Yield the texts that overlap each other, except one under a card and one on it."""
    for one, other in itertools.combinations(shown.texts, 2):
        over = one.ink.clip(one.seen).clip(other.ink.clip(other.seen))
        apart = any(place.contains(over) for place in (*one.under, *other.under))
        if over.width > TOUCH and over.height > TOUCH and not apart:
            yield f"overlapping: {one.text!r} and {other.text!r} {tuple(over)}"


# --- the table -------------------------------------------------------------------------------------------------------


def covered(screen: Window, shown: Shown) -> Iterator[str]:
    """Yield the units in focus that are covered by something, and names that cover the units they name."""
    table = screen.panel.table_rect
    texts = [text for text in shown.texts if len(text.text) > 1]
    ground = _ground(screen)
    laid = [
        cover.place for cover in shown.laid if _floats(cover.place, table, texts) and not cover.place.contains(ground)
    ]
    subjects = dict(_subjects(screen))
    for name, shape in subjects.items():
        for place in laid:
            share = shape.intersection(_box(place)).area / max(1.0, shape.area)
            if share > UNDER:
                yield f"covered: {name} by what lies at {tuple(place)} ({share:.0%})"
    units = {unit.called: _shape(screen, unit.id) for unit in screen.controller.model.battle.units}
    for text in shown.texts:
        shape = units.get(text.text)
        if shape is not None and table.contains(text.seen) and not _in_any(text, laid):
            share = shape.intersection(_box(text.ink)).area / max(1.0, shape.area)
            if share > UNDER:
                yield f"covered: {text.text} by its own name ({share:.0%})"


def _ground(screen: Window) -> Rect:
    """Return the visible part of the gaming table, less rounding: what contains all of it lies under the units."""
    view, (wide, high) = screen.panel.table_rect, screen.table
    (left, top), (right, bottom) = screen.camera.to_screen((0.0, high)), screen.camera.to_screen((wide, 0.0))
    place = Rect(left + view.left, top + view.top, right - left, bottom - top)
    return place.inflate(-2 * TOUCH, -2 * TOUCH).clip(view)


def _in_any(text: Written, laid: list[Rect]) -> bool:
    return any(place.contains(text.ink) for place in laid)


def _floats(place: Rect, table: Rect, said: list[Written]) -> bool:
    """Return whether something laid is a card or a plate over the table, with text on it."""
    if not table.contains(place) or not any(place.contains(text.ink) for text in said):
        return False
    if place.width == table.width or place.height == table.height:
        return False  # a floor board: a card leaves something of the table on either side
    large = place.width * place.height > WHOLE * table.width * table.height
    return place.width >= FLOAT[0] and place.height >= FLOAT[1] and not large


def _subjects(screen: Window) -> Iterator[tuple[str, Any]]:
    """Yield the units in focus: chosen, pointed at, aimed at, fought over; and the places of the action being
    reported."""
    model, left, top = screen.controller.model, *screen.panel.table_rect.topleft
    names = {model.selected, model.hovered}
    if isinstance(screen, GameWindow):
        chosen = screen.controller.state.chosen
        action = chosen.proposal.action if chosen.proposal is not None else None
        names |= {chosen.actor, getattr(action, "actor", None), getattr(action, "target", None)}
        show = screen.controller.game.stage.show
        if show is not None and screen.controller.game.stage.telling:
            for number, spot in enumerate(show.spots):
                ring = box_round(spot, 0.2, screen.camera).move(left, top)
                yield f"place {number} of what is told", _box(ring)
    for name in names:
        if name is not None and model.battle.has(name):
            yield name, _shape(screen, name)


def _shape(screen: Window, name: str) -> Any:
    """Return a unit's outline in pixels of the window."""
    left, top = screen.panel.table_rect.topleft
    camera = screen.camera
    outline = screen.controller.model.battle.unit(name).footprint

    def pixels(points: Any) -> Any:
        return [(x + left, y + top) for x, y in (camera.to_screen(point) for point in points.tolist())]

    return shapely.transform(outline, lambda points: shapely.get_coordinates(shapely.LineString(pixels(points))))


def _box(rect: Rect) -> Any:
    return shapely.box(rect.left, rect.top, rect.right, rect.bottom)


__all__ = ["faults"]
