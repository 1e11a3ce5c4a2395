"""The card both players sign: one page with the table, the proof, the verdict in words, and its source."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.explain import VerdictText
from tabletop.geometry.verdict import Verdict
from tabletop.render.drawing.furniture import Page, panel_rule
from tabletop.render.drawing.lettering import shortened, wrapped
from tabletop.render.drawing.primitives import Box, Drawing, Item, Layer, Lines, Pen, Sheet, Text
from tabletop.render.drawing.proof_page import proof_page
from tabletop.render.drawing.readings import departures, turned
from tabletop.render.drawing.theme import colour
from tabletop.rules import rule_set
from tabletop.version import __version__

#: Pixels of the page, which has the shape of A4 landscape; of its head, bottom and margins.
WIDE, HIGH, HEAD, FOOT, EDGE = 1600.0, 1131.0, 84.0, 196.0, 34.0
#: Letter sizes, and the height of a line at the bottom.
LARGE, BODY, SMALL, LINE = 27.0, 15.0, 13.0, 20.0
#: Lines at the bottom for the margin and the rulings it depends on.
LINES = 5
#: Distance of the two signatures from the left in pixels, and the width of one.
SIGNED_AT, SIGNATURE = 820.0, 353.0
#: Digits of the fingerprint that are printed, in groups of four.
DIGITS = 64


@dataclass(frozen=True)
class Facts:
    """The card's contents besides the verdict: title and date, signatories, the scene's file and its fingerprint."""

    title: str
    date: str
    file: str
    fingerprint: str
    players: tuple[str, str] = ("", "")


def card(battle: Battle, verdict: Verdict, facts: Facts) -> Drawing:
    """Return the card of a verdict."""
    proof = proof_page(battle, verdict, round(WIDE - EDGE), round(HIGH - HEAD - FOOT), 14.0)
    west, _, _, north = proof.view
    left = max(0.0, (WIDE - proof.size[0]) / 2)
    page = Page(proof.scale, west - left / proof.scale, north + HEAD / proof.scale)
    layers = (*proof.layers, _head(page, battle, facts), _foot(page, battle, verdict, facts))
    return Drawing(layers, _whole(page), proof.scale, facts.title, proof.description, colour("page", "paper"))


def _whole(page: Page) -> Box:
    return page.box(0.0, 0.0, WIDE, HIGH)


def _head(page: Page, battle: Battle, facts: Facts) -> Layer:
    sheet, ink, quiet = Sheet("card head"), colour("page", "ink"), colour("page", "quiet")
    rules = rule_set.find(battle.rules).title
    title = shortened(facts.title, LARGE, WIDE - 2 * EDGE - 330, "bold")
    sheet.add(Text(page.at(EDGE, 34), title, LARGE, ink, "bold", "start"))
    size = f"{battle.table.width:g} × {battle.table.height:g} {battle.table.unit}"
    sheet.add(Text(page.at(EDGE, 64), f"{rules}  ·  table {size}", BODY, quiet, "plain", "start"))
    sheet.add(Text(page.at(WIDE - EDGE, 34), facts.date, 18.0, ink, "bold", "end"))
    sheet.add(Text(page.at(WIDE - EDGE, 64), "A verdict to sign", BODY, quiet, "plain", "end"))
    return sheet.layer


def _foot(page: Page, battle: Battle, verdict: Verdict, facts: Facts) -> Layer:
    sheet, top = Sheet("card foot"), HIGH - FOOT + 8
    sheet.add(panel_rule(page, EDGE, WIDE - EDGE, top))
    sheet.extend(_words(page, _bottom_lines(battle, verdict, facts), top + 20))
    for number, name in enumerate(facts.players):
        sheet.extend(_signature(page, SIGNED_AT + number * (SIGNATURE + 40), top + 92, name))
    agreed = "Both players have seen the position drawn here and take this verdict."
    sheet.add(Text(page.at(SIGNED_AT, top + 20), agreed, BODY, colour("page", "ink"), "plain", "start"))
    return sheet.layer


def _bottom_lines(battle: Battle, verdict: Verdict, facts: Facts) -> list[tuple[str, str]]:
    """Return the lines at the bottom with their colours: the margin, the rulings, the file."""
    room = SIGNED_AT - EDGE - 50
    margins = VerdictText(verdict, battle).closeness()
    close = [line for line in margins if not line.startswith(("It turns on", "Too close"))]
    close.sort(key=lambda line: "changes it" in line)  # facts that nothing changes come last
    words = [*close[:1], *(turned(turn, battle) for turn in verdict.depends_on), *close[1:]]
    lines = [(line, "ink") for line in _cut(" ".join(words), room, LINES)] if words else []
    rulings = [(line, "ink") for line in _cut(departures(battle), room, LINES + 1 - len(lines))]
    digits = facts.fingerprint[:DIGITS]
    grouped = " ".join(digits[k : k + 4] for k in range(0, len(digits), 4))
    source = [(f"Scene: {facts.file}  ·  tabletop {__version__}", "quiet"), (f"SHA-256 {grouped}", "quiet")]
    return [*lines, *rulings, *source]


def _cut(text: str, room: float, most: int) -> list[str]:
    """Return a text in at most ``most`` lines, with an ellipsis if it is cut."""
    lines = list(wrapped(text, BODY, room))
    return lines if len(lines) <= most else [*lines[: most - 1], shortened(f"{lines[most - 1]} …", BODY, room)]


def _words(page: Page, lines: list[tuple[str, str]], top: float) -> list[Item]:
    return [
        Text(
            page.at(EDGE, top + k * LINE), line, BODY if tone == "ink" else SMALL, colour("page", tone), anchor="start"
        )
        for k, (line, tone) in enumerate(lines)
    ]


def _signature(page: Page, left: float, y: float, name: str) -> list[Item]:
    ink, quiet = colour("page", "ink"), colour("page", "quiet")
    line = Lines(((page.at(left, y), page.at(left + SIGNATURE, y)),), Pen(ink, 1.4))
    below = shortened(name, BODY, SIGNATURE - 120) if name else "Player"
    return [
        line,
        Text(page.at(left, y + 18), below, BODY, ink, "plain", "start"),
        Text(page.at(left + SIGNATURE, y + 18), "signature, date", SMALL, quiet, "plain", "end"),
    ]
