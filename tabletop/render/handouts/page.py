"""The pages of a handout: a picture below a head and a few lines; the question in front and its proof on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Verdict
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing import scene
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import shortened, width, wrapped
from tabletop.render.drawing.primitives import Drawing, Face, Layer, Sheet, Text
from tabletop.render.drawing.theme import colour

#: Pixels of a page, which has the shape of A4 landscape, and of its margins.
WIDE, HIGH, EDGE = 1600.0, 1131.0, 40.0
#: Letter sizes of the head, of the lines below, of answers to tick, of the bottom line; line height over letter size.
HEAD, BODY, BOX, SMALL, LINE = 29.0, 19.0, 22.0, 14.0, 1.4
#: Pixels of the bottom line, and between the words and the picture.
FOOT, AIR = 38.0, 14.0
#: Pixels between two answers to tick.
APART = 34.0
BOLD: Face = "bold"
PLAIN: Face = "plain"
#: A word or line: its text, its left end, its letter size (0: the line goes on), its face.
Word = tuple[str, float, float, Face]


@dataclass(frozen=True)
class Side:
    """One side of a sheet: the head, lines below it, and the picture of a battle, with the proof of a verdict if given.

    ``choices`` are answers to tick.
    """

    head: str
    lines: Sequence[str]
    battle: Battle
    verdict: Verdict | None = None
    choices: Sequence[str] = ()


@dataclass(frozen=True)
class Handout:
    """One sheet: the question, its proof on the back, and the line at the bottom of both."""

    front: Side
    back: Side
    foot: str = ""


def pages(handout: Handout) -> tuple[Drawing, Drawing]:
    """Return both sides of a sheet."""
    return _page(handout.front, handout.foot, "The proof is on the back."), _page(handout.back, handout.foot, "")


def write(path: Path, handouts: Sequence[Handout]) -> Path:
    """Write sheets as one PDF for two-sided printing, completely or not at all; BadQuestion if that fails."""
    from tabletop.render.drawing.pdf import pdf

    check_suffix(path)
    try:
        write_whole(path, pdf(*(page for handout in handouts for page in pages(handout))))
    except OSError as lack:
        reason = lack.strerror or str(lack)
        raise BadQuestion(f"{path}: cannot be written ({reason}); name a folder that may be written") from lack
    return path


def write_numbered(folder: Path, name: str, handouts: Sequence[Handout]) -> Path:
    """Write sheets into a folder under a new numbered name; BadQuestion if that fails."""
    number = 1
    while (folder / f"{name} {number}.pdf").exists():
        number += 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as lack:
        raise BadQuestion(f"{folder}: cannot be made ({lack.strerror or lack}); nothing was written") from lack
    return write(folder / f"{name} {number}.pdf", handouts)


def check_suffix(path: Path) -> None:
    """Raise BadQuestion for a suffix that handouts do not have."""
    if path.suffix.lower() != ".pdf":
        raise BadQuestion(f"{path}: a handout has two pages, so its file ends in .pdf")


def _page(side: Side, foot: str, hint: str) -> Drawing:
    """Return a page: words at the top, below them the picture, centred and as large as fits."""
    words = _words(side)
    top = EDGE + LINE * sum(size for _, _, size, _ in words if size) + AIR
    room = WIDE - 2 * EDGE, HIGH - top - FOOT
    drawing = scene.picture(side.battle, side.verdict, scene.Style(round(room[0]), round(room[1])))
    wide, high = drawing.size
    left, above = (WIDE - wide) / 2, top + max(0.0, (room[1] - high) / 2)
    west, _, _, north = drawing.view
    page = Page(drawing.scale, west - left / drawing.scale, north + above / drawing.scale)
    return replace(
        drawing,
        layers=(*drawing.layers, _written(page, words, foot, hint)),
        view=page.box(0.0, 0.0, WIDE, HIGH),
        title=side.head,
    )


def _words(side: Side) -> list[Word]:
    """Return the words above the picture, line by line."""
    head = [(line, EDGE, HEAD, BOLD) for line in wrapped(side.head, HEAD, WIDE - 2 * EDGE, BOLD)]
    lines = [(part, EDGE, BODY, PLAIN) for line in side.lines for part in wrapped(line, BODY, WIDE - 2 * EDGE)]
    return [*head, *lines, *_boxes(side.choices)]


def _boxes(choices: Sequence[str]) -> Iterator[Word]:
    """Yield the answers to tick, row by row; the last one of a row has the row's height."""
    row = list[Word]()
    left = EDGE
    for choice in choices:
        text = f"□ {choice}"
        wide = width(text, BOX) + APART
        if row and left + wide > WIDE - EDGE:
            yield from _row(row)
            row, left = [], EDGE
        row.append((text, left, 0.0, PLAIN))
        left += wide
    yield from _row(row)


def _row(row: Sequence[Word]) -> Iterator[Word]:
    for k, (text, left, _, face) in enumerate(row):
        yield text, left, BOX if k == len(row) - 1 else 0.0, face


def _written(page: Page, words: Sequence[Word], foot: str, hint: str) -> Layer:
    """Return the words and the bottom line of a page as shapes."""
    sheet, ink, quiet = Sheet("words"), colour("page", "ink"), colour("page", "quiet")
    y = EDGE + HEAD / 2
    for text, left, size, face in words:
        sheet.add(Text(page.at(left, y), text, size or BOX, ink, face, "start"))
        y += LINE * size
    low = HIGH - FOOT / 2
    sheet.add(Text(page.at(EDGE, low), shortened(foot, SMALL, 0.7 * WIDE), SMALL, quiet, "plain", "start"))
    sheet.add(Text(page.at(WIDE - EDGE, low), hint, SMALL, quiet, "plain", "end"))
    return sheet.layer
