"""A drill or a dispute on paper: its position with the question on one page, on the back its proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tabletop.drills.position import Position
from tabletop.errors import BadQuestion
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing import scene
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.primitives import Drawing, Layer, Sheet, Text
from tabletop.render.drawing.theme import colour

#: Pixels of a page, and of the head with the question.
WIDE, HIGH, HEAD, EDGE = 1400, 990, 96.0, 26.0


def front(position: Position) -> Drawing:
    """Return the page with the question: the position, nothing of the answer."""
    drawing = scene.picture(position.battle, style=scene.Style(WIDE, HIGH - round(HEAD)))
    choices = "     ".join(f"□ {words}" for words in position.choices.values())
    return _headed(drawing, position.question, choices)


def back(position: Position) -> Drawing:
    """Return the page with the answer: the proof of the verdict."""
    drawing = scene.picture(position.battle, position.proof, scene.Style(WIDE, HIGH - round(HEAD)))
    return _headed(drawing, f"{position.question} {position.choices[position.answer]}.", margin_said(position))


def margin_said(position: Position) -> str:
    """Return how close the answer is, in a sentence."""
    if position.margin is None:
        return "No small shift of any one thing changes this."
    what = f" of {_called(position)}" if position.twin is not None else ""
    return f"Margin: {position.margin:.2f} {position.battle.table.unit}; a shift{what} by so much changes the answer."


def _called(position: Position) -> str:
    assert position.twin is not None
    name = position.twin.moved.id
    units = {unit.id: unit.called for unit in position.battle.units}
    pieces = {piece.id: piece.name or piece.id for piece in position.battle.table.terrain}
    return units.get(name) or pieces.get(name) or name


def _headed(drawing: Drawing, head: str, below: str) -> Drawing:
    """Return a drawing with two lines above it."""
    west, south, east, north = drawing.view
    page = Page(drawing.scale, west, north + HEAD / drawing.scale)
    sheet, ink = Sheet("question"), colour("page", "ink")
    sheet.add(Text(page.at(EDGE, 38), head, 26.0, ink, "bold", "start"))
    sheet.add(Text(page.at(EDGE, 76), below, 18.0, ink, "plain", "start"))
    layer: Layer = sheet.layer
    view = (west, south, east, north + HEAD / drawing.scale)
    return replace(drawing, layers=(*drawing.layers, layer), view=view, title=head)


def check_suffix(path: Path) -> None:
    """Raise BadQuestion for a file that a handout is not written to."""
    if path.suffix.lower() != ".pdf":
        raise BadQuestion(f"{path}: a handout has two pages, so its file ends in .pdf")


def write(path: Path, position: Position) -> Path:
    """Write both pages as a PDF, whole or not at all; BadQuestion where that cannot be."""
    from tabletop.render.drawing.pdf import pdf

    check_suffix(path)
    try:
        write_whole(path, pdf(front(position), back(position)))
    except OSError as lack:
        said = lack.strerror or str(lack)
        raise BadQuestion(f"{path}: cannot be written ({said}); name a folder that may be written") from lack
    return path
