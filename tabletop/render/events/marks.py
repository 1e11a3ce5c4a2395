"""Marks of an action on the table: paths taken, targets with the result, losses and removed units."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import shapely

from tabletop.battle.apply import placed_by
from tabletop.battle.event import Converted, Entered, Left, Lost, Placed, Removed, Told
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.play.narration import sentences
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.events.beats import Beat, Posed, Seen

#: Colours of a path, an aim and a loss; the light colour behind them.
WAY, AIM, LOSS, LIGHT = "#7a3f9d", "#b44400", "#9c1c1c", "#fffdf6"
#: Pixels: letters of a plate and its height; a path's width; an arrow's head; half a cross.
LETTERS, HIGH, WIDE, HEAD, CROSS = 14.0, 21.0, 3.0, 11.0, 12.0
#: The layer of the plates of several actions.
RESULTS = "results"
#: Pixels between two plates moved apart; the most half plates by which one is moved.
APART, FARTHEST = 3.0, 8
#: Maximum letters of a result on the table; longer ones are written beside it.
LONGEST = 34


def done(beats: Sequence[Beat], scale: float) -> Layer:
    """Return all marks of a finished action, for ``scale`` pixels a unit."""
    went = {beat.mover for beat in beats}
    results = [item for beat in beats for item in _result(beat, scale)]
    shown = [beat for beat in beats if not (isinstance(beat.event, Told) and beat.event.unit in went)]
    return Layer("what happened", (*_of(shown, scale), *results))


def apart(layers: Sequence[Layer], scale: float) -> tuple[Layer, ...]:
    """Return the marks of several actions, with all plates on top, each moved up or down clear of those before it."""
    taken, lowered, plates = list[Box](), list[Layer](), list[Item]()
    for layer in layers:
        below = list(layer.items)
        for sheet, text in pairwise(layer.items):
            if isinstance(sheet, Area) and isinstance(text, Text):
                up = _free(shapely.LinearRing(sheet.rings[0]).bounds, taken, scale)
                rings = tuple(tuple((x, y + up) for x, y in ring) for ring in sheet.rings)
                plates += [replace(sheet, rings=rings), replace(text, at=(text.at[0], text.at[1] + up))]
                below = [item for item in below if item is not sheet and item is not text]
        lowered.append(replace(layer, items=tuple(below)))
    return (*lowered, Layer(RESULTS, tuple(plates)))


def _free(box: Box, taken: list[Box], scale: float) -> float:
    """Return the least distance up or down at which a plate is clear of those in ``taken``, and add it to them."""
    west, south, east, north = box
    step = (HIGH + APART) / scale / 2
    for k in range(2 * FARTHEST + 1):
        up = step * ((k + 1) // 2) * (1 if k % 2 else -1)
        if not any(w < east and west < e and s < north + up and south + up < n for w, s, e, n in taken):
            break
    else:
        up = 0.0
    taken.append((west, south + up, east, north + up))
    return up


def doing(beats: Sequence[Beat], seen: Seen, scale: float) -> Layer:
    """Return the marks of an action up to the instant being seen.

    A result appears only when the action is done, and a path only as far as it has been taken.
    """
    place = _place(beats, seen.beat)
    went = {beat.mover for beat in beats[: place + 1]}  # a unit that has moved off no longer aims from where it stood
    gone = [beat for beat in beats[:place] if beat.mover is None]
    past = [beat for beat in gone if not (isinstance(beat.event, Told) and beat.event.unit in went)]
    now = [seen.beat] if seen.beat is not None and seen.mover is None else []
    items = list(_of([*past, *now], scale))
    if seen.mover is not None and seen.beat is not None:
        start = way_of(seen.beat)[0]
        items = [*_track((start, seen.mover.front_mid)), *items]
    return Layer("what happens", tuple(items))


def _place(beats: Sequence[Beat], beat: Beat | None) -> int:
    return next((k for k, entry in enumerate(beats) if entry is beat), 0)


def _of(beats: Sequence[Beat], scale: float) -> Iterator[Item]:
    """Yield the marks of beats: paths at the bottom, words on top."""
    for kinds in ((Placed, Left, Entered), (Told,), (Removed,), (Lost,), (Converted,)):
        for beat in beats:
            if isinstance(beat.event, kinds):
                yield from _MARKS[type(beat.event)](beat, scale)


def way_of(beat: Beat) -> tuple[Point, ...]:
    """Return the path a unit took in a beat; a straight one if none was recorded."""
    event = beat.event
    assert isinstance(event, Posed), "only a unit placed has a way"
    if len(event.path) > 1:
        return event.path
    unit = beat.battle.anyone(event.unit)
    return unit.front_mid, placed_by(unit, event).front_mid


def _way(beat: Beat, scale: float) -> Iterator[Item]:
    way = way_of(beat)
    if math.dist(way[0], way[-1]) * scale > 2.0:
        yield from _track(way)


def _track(way: Ring) -> Iterator[Item]:
    yield Lines((way,), Pen(LIGHT, WIDE + 2.5, opacity=0.85))
    yield Lines((way,), Pen(WAY, WIDE, dash=(4.0, 2.0)))
    yield Circle(way[0], 4.5, pen=Pen(WAY, 2.0), pixels=True)
    yield Circle(way[-1], 4.5, fill=WAY, pen=Pen(LIGHT, 1.0), pixels=True)


def _aim(beat: Beat, scale: float) -> Iterator[Item]:
    """Yield an arrow from the acting unit to its target."""
    event, battle = beat.event, beat.battle
    assert isinstance(event, Told)
    unit, target = battle.unit(str(event.unit)), battle.unit(str(event.target))
    yield from _arrow(_nearest(unit, target.at), _nearest(target, unit.at), scale)


def _result(beat: Beat, scale: float) -> Iterator[Item]:
    """Yield the result of an action in a few words, over its target."""
    event = beat.event
    result = _in_words(beat) if isinstance(event, Told) and event.values.get("result") is not None else ""
    if isinstance(event, Told) and 0 < len(result) <= LONGEST:
        yield from plate(_over(beat.battle.unit(str(event.target)), scale), result, AIM, scale)


def _in_words(beat: Beat) -> str:
    """Return the result as in the log: the end of its sentence, after the colon."""
    sentence = next(iter(sentences(beat.battle, [beat.event])), "")
    return sentence.rpartition(": ")[2].rstrip(".") if ": " in sentence else ""


def _nearest(unit: Unit, point: Point) -> Point:
    """Return the middle of the base nearest to a point."""
    return min((base.centre for base in unit.bases), key=lambda at: math.dist(at, point))


def _over(unit: Unit, scale: float) -> Point:
    """Return the centre of a plate over a unit."""
    west, _, east, north = unit.bounds
    return (west + east) / 2, north + (HIGH / 2 + 6.0) / scale


def _arrow(start: Point, end: Point, scale: float) -> Iterator[Item]:
    far = math.dist(start, end)
    if far * scale < 2 * HEAD:
        return
    ux, uy = (end[0] - start[0]) / far, (end[1] - start[1]) / far
    size = HEAD / scale
    foot = (end[0] - size * ux, end[1] - size * uy)
    wing = 0.55 * size
    head = (end, (foot[0] - wing * uy, foot[1] + wing * ux), (foot[0] + wing * uy, foot[1] - wing * ux))
    yield Lines(((start, foot),), Pen(LIGHT, 6.0, opacity=0.85))
    yield Lines(((start, foot),), Pen(AIM, 3.0))
    yield Area((head,), AIM, Pen(LIGHT, 1.0))


def plate(at: Point, text: str, fill: str, scale: float) -> Iterator[Item]:
    """Yield words in white on a plate centred at a table point."""
    half = width(text, LETTERS, "bold") / 2 + 7.0
    page = Page(scale, *at)
    yield page.panel(-half, -HIGH / 2, half, HIGH / 2, fill, Pen(LIGHT, 1.5))
    yield Text(at, text, LETTERS, "#ffffff", face="bold")


def _loss(beat: Beat, scale: float) -> Iterator[Item]:
    event = beat.event
    assert isinstance(event, Lost)
    yield from plate(_under(beat.battle.unit(event.unit), scale), _bases(-event.bases), LOSS, scale)


def _under(unit: Unit, scale: float) -> Point:
    """Return the centre of a plate under a unit."""
    west, south, east, _ = unit.bounds
    return (west + east) / 2, south - (HIGH / 2 + 6.0) / scale


def _bases(more: int) -> str:
    """Return a number of bases gained or lost with its sign.

    >>> _bases(2), _bases(-1)
    ('+2 bases', '−1 base')
    """
    return f"{'+' if more > 0 else '−'}{abs(more)} base{'s' * (abs(more) > 1)}"


def _conversion(beat: Beat, scale: float) -> Iterator[Item]:
    """Yield the path of a unit that has become another, or how many bases more or fewer it has."""
    event = beat.event
    assert isinstance(event, Converted)
    if not beat.changes_number:
        yield from _way(beat, scale)
        return
    unit = beat.battle.unit(event.unit)
    after = placed_by(unit, event)
    yield from plate(_under(after, scale), _bases(after.strength - unit.strength), WAY, scale)


def _fallen(beat: Beat, scale: float) -> Iterator[Item]:
    """Yield a cross where a unit last stood, as on maps of battles."""
    event = beat.event
    assert isinstance(event, Removed)
    (x, y), half = beat.battle.unit(event.unit).at, CROSS / scale
    cross = (((x - half, y - half), (x + half, y + half)), ((x - half, y + half), (x + half, y - half)))
    yield Lines(cross, Pen(LIGHT, 8.0))
    yield Lines(cross, Pen(LOSS, 5.0))


_MARKS: dict[type[Any], Callable[[Beat, float], Iterator[Item]]] = {
    Placed: _way,
    Left: _way,
    Entered: _way,
    Told: _aim,
    Lost: _loss,
    Converted: _conversion,
    Removed: _fallen,
}
