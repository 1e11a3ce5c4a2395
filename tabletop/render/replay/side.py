"""The panel beside a replay's table: what happened in the action shown, and each side's losses so far."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.battle.naming import how_many, side_name
from tabletop.battle.unit import Unit
from tabletop.play.environment import is_ship, noun
from tabletop.render import descriptions
from tabletop.render.drawing.lettering import shortened, width
from tabletop.render.drawing.primitives import Item, Lines, Pen, Text
from tabletop.render.drawing.theme import colour, side_styles
from tabletop.render.events import telling
from tabletop.render.events.reel import Moment, Reel
from tabletop.render.painting.paper import HEAD, LETTERS, PAGE, ROW, block, line
from tabletop.rules.cards import ID

#: Design pixels: margins, the height of a side's losses, the height of its bar.
PAD, LOSS, BAR = 12.0, 40.0, 6.0


def losses_high(reel: Reel) -> float:
    """Return the height of all sides' losses."""
    return 28.0 + LOSS * len(reel.sides)


@dataclass(frozen=True)
class Row:
    """A line of text: its vertical centre, its words, their style."""

    y: float
    text: str
    ink: str = "ink"
    face: str = "plain"
    size: float = LETTERS


def happened(moment: Moment, reel: Reel, wide: float, high: float) -> Iterator[Item]:
    """Yield what happened, as far as there is room: when, who did what, the result, dice, and rules."""
    for row in _rows(moment, reel, wide, high):
        end = 0
        for link in _cited(row):
            yield line(_left(row, end), row.y, row.text[end : link.start()], row.ink, row.face, row.size)
            yield from _link(row, link)
            end = link.end()
        yield line(_left(row, end), row.y, row.text[end:], row.ink, row.face, row.size)


def _link(row: Row, match: re.Match[str]) -> Iterator[Item]:
    """Yield a rule's id as a link."""
    left, right, tint = _left(row, match.start()), _left(row, match.end()), colour("room", "link")
    yield Text(PAGE.at(left, row.y), match.group(), row.size, tint, anchor="start")
    yield Lines(((PAGE.at(left, row.y + 8), PAGE.at(right, row.y + 8)),), Pen(tint, 1.0))


def _left(row: Row, at: int) -> float:
    """Return the left end of a letter in a row."""
    return PAD + width(row.text[:at], row.size, "bold" if row.face == "bold" else "plain")


def rule_at(moment: Moment, reel: Reel, wide: float, high: float, x: float, y: float) -> str:
    """Return the rule whose id is drawn at a pixel of what happened, "" if none."""
    rows = [row for row in _rows(moment, reel, wide, high) if abs(row.y - y) <= ROW / 2]
    cited = ((row, link) for row in rows for link in _cited(row))
    return next((f.group() for row, f in cited if _left(row, f.start()) <= x <= _left(row, f.end())), "")


def _cited(row: Row) -> Iterator[re.Match[str]]:
    """Yield the rule ids in a quiet row."""
    return ID.finditer(row.text if row.ink == "quiet" else "")


def _rows(moment: Moment, reel: Reel, wide: float, high: float) -> Iterator[Row]:
    room, y = wide - 2 * PAD, PAD + 6.0
    yield Row(y, telling.place(moment, reel), "quiet")
    y += ROW + 3
    for text in block(telling.heading(moment), room, 2, HEAD, "bold"):
        yield Row(y, text, "ink", "bold", HEAD)
        y += ROW + 2
    ended = telling.result(moment)
    if ended:
        yield Row(y, shortened(ended, HEAD, room, "bold"), "ink", "bold", HEAD)
        y += ROW + 2
    story = moment.text or "Nothing that needs telling."
    free = int((high - y - 6) // ROW)
    whole = len(block(story, room, free))
    foot = next((foot for most in (5, 3, 2) if len(foot := _foot(moment, room, most)) + whole <= free), [])
    foot = foot or _foot(moment, room, 2)
    for text in block(story, room, max(1, free - len(foot))):
        yield Row(y + 2, text)
        y += ROW
    y += 8
    for text in foot:
        if y < high - 4:
            yield Row(y, text, "quiet")
        y += ROW


def _foot(moment: Moment, room: float, most: int) -> list[str]:
    """Return why a computer did it, the dice and the rules, each in at most ``most`` lines."""
    lines: list[str] = []
    thrown, rules, why = telling.thrown(moment), telling.rules(moment), telling.why(moment)
    lines += block(why, room, most) if why else []
    lines += block(f"Thrown: {thrown}", room, most) if thrown else []
    lines += block(f"Rules: {rules}", room, most) if rules else []
    return lines


def losses(moment: Moment, reel: Reel, wide: float) -> Iterator[Item]:
    """Yield each side's losses so far, in words and as a bar."""
    styles, room = side_styles(reel.sides), wide - 2 * PAD
    yield line(PAD, 12.0, "Lost so far", "ink", "bold", HEAD)
    for k, side in enumerate(reel.sides):
        y = 36.0 + LOSS * k
        started = telling.bases(reel.opening, side)
        name = side_name(side)
        yield line(PAD, y, name, "ink", "bold")
        lost = telling.lost(moment.tally, side, started, noun(moment.battle))
        more = telling.shaken(moment.tally, side, noun(moment.battle))
        left = PAD + width(name, LETTERS, "bold") + 10
        yield line(left, y, shortened(f"{lost}; {more}" if more else lost, LETTERS, wide - PAD - left))
        share = min(1.0, max(0.0, moment.tally.bases[side] / max(1, started)))
        yield PAGE.panel(PAD, y + 13, PAD + room, y + 13 + BAR, "#ffffff", Pen(colour("page", "panel_edge"), 1.0))
        if share:
            yield PAGE.panel(PAD, y + 13, PAD + room * share, y + 13 + BAR, styles[side].fill,
                             Pen(colour("page", "ink"), 1.0))  # fmt: skip


def card(unit: Unit, moment: Moment) -> str:
    """Return a unit's name, kind, strength and state in one line."""
    if unit.is_general:
        return f"{unit.called} ({side_name(unit.side)}), {descriptions.state(moment.battle, unit)}"
    troop = " ".join(part for part in (unit.quality, unit.troop.replace("-", " ")) if part)
    bases = () if is_ship(unit) else (how_many(unit.strength, "base"),)
    stands = descriptions.state(moment.battle, unit)
    return ", ".join(filter(None, (f"{unit.called} ({side_name(unit.side)})", troop, *bases, stands)))
