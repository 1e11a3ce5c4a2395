"""The printed pages: key plan, the table's sheets, bases to cut out, ruler and templates; all but the plan to scale."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence

from reportlab.pdfgen.canvas import Canvas

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import PER_INCH
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point
from tabletop.render.drawing import scene
from tabletop.render.drawing.lettering import width as text_width
from tabletop.render.drawing.pdf import Pencil, _colour, _font
from tabletop.render.drawing.primitives import Drawing, Frame
from tabletop.render.drawing.theme import side_styles
from tabletop.render.printing.ranges import ranges
from tabletop.render.printing.sheets import MARGIN, OVERLAP, POINT, Plan, Sheet, letters, plan
from tabletop.version import __version__

#: Arms of a registration mark, thickness of cutting lines, letter size (points).
ARM, CUT, LETTERS = 9.0, 0.4, 9.0
#: Gap between bases to cut out, and between rows of them, with a line for the name (points).
APART, LINE = 10.0, 12.0
#: Half the angle of the template of an arc (degrees), and the ranges marked on it if no troops shoot (inches).
ARC = 45.0
RANGES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
#: Height of a range stick, and the gap below it (points).
STICK, BELOW = 30.0, 12.0
#: Called with the number of pages done and the total; returns whether to go on.
Progress = Callable[[int, int], bool]


class LeftOff(Exception):
    """Printing was stopped."""


def printed(battle: Battle, paper: str, bases: bool = True, progress: Progress | None = None) -> bytes:
    """Return a battle, or a map without units, as a PDF of sheets at true scale; BadQuestion if the table is too large.

    LeftOff if ``progress`` returns False.
    """
    table = battle.table
    cut = plan(table.unit, table.width, table.height, paper)
    out = io.BytesIO()
    canvas = Canvas(out, cut.paper, invariant=1, pageCompression=1, initialFontName=_font("plain"))
    canvas.setTitle(f"{battle.title}: at true scale")
    canvas.setCreator(f"tabletop {__version__}")
    press = Press(canvas, cut)
    of = len(cut.sheets) + 3
    press.key_plan(battle)
    for number, sheet in enumerate(cut.sheets, 1):
        if progress is not None and not progress(number, of):
            raise LeftOff
        press.sheet(battle, sheet)
    if bases and battle.units:
        press.bases(battle)
    press.templates(battle)
    canvas.save()
    return out.getvalue()


class Press:
    """Draws the pages on a canvas; symbols already in the file are not stored again."""

    def __init__(self, canvas: Canvas, cut: Plan) -> None:
        self.canvas, self.cut = canvas, cut
        self._stamped: set[str] = set()
        self._ground: Drawing | None = None

    def _write_text(self, text: str, x: float, y: float, size: float = LETTERS, face: str = "plain") -> None:
        self.canvas.setFillColor(_colour("#222222"))
        self.canvas.setFont(_font("bold" if face == "bold" else "plain"), size)
        self.canvas.drawString(x, y, text)

    def _draw(self, drawing: Drawing, frame: Frame) -> None:
        pencil = Pencil(self.canvas, frame, self._stamped)
        for layer in drawing.layers:
            pencil.layer(layer)

    # --- the plan ----------------------------------------------------------------------------------------------------

    def key_plan(self, battle: Battle) -> None:
        """Draw a page with the whole table, the cuts between sheets, and instructions."""
        canvas, table = self.canvas, battle.table
        wide, high = self.cut.paper
        self._write_text(battle.title, MARGIN, high - MARGIN - 14, 16, "bold")
        size = f"{table.width:g} by {table.height:g} {table.unit}"
        count = f"{len(self.cut.sheets)} sheets in {self.cut.rows} rows of {self.cut.columns}"
        instructions = (
            f"The table is {size}: {count}, A1 in the north-west.",
            "Print at 100 %, not fitted to the page; lay a ruler to the bar on any sheet: it is as long as it says.",
            f"Two neighbours share a strip of {OVERLAP / POINT:g} in: cut one off at its dots, lay it on the other's.",
        )
        for k, line in enumerate(instructions):
            self._write_text(line, MARGIN, high - MARGIN - 34 - 13 * k)
        top = high - MARGIN - 34 - 13 * len(instructions) - 8
        scale = min((wide - 2 * MARGIN) / table.width, (top - MARGIN) / table.height)
        left, below = MARGIN, top - table.height * scale
        canvas.saveState()
        canvas.translate(left, below)
        style = scene.Style(round(table.width * scale), round(table.height * scale), furniture=False, letters=8.0)
        self._draw(scene.picture(battle, style=style), Frame(scale, 0.0, 0.0))
        canvas.restoreState()
        canvas.setLineWidth(0.7)
        canvas.setStrokeColor(_colour("#222222"))
        for sheet in self.cut.sheets:
            west, south, east, north = (value * scale for value in sheet.view)
            canvas.rect(left + west, below + south, east - west, north - south, stroke=1, fill=0)
            self._write_text(sheet.name, left + west + 4, below + north - 14, 11, "bold")
        canvas.showPage()

    # --- the sheets --------------------------------------------------------------------------------------------------

    def sheet(self, battle: Battle, sheet: Sheet) -> None:
        """Draw a page with one sheet: its part of the ground, crosses where the overlaps begin, a scale bar."""
        canvas, scale = self.canvas, self.cut.scale
        west, south, east, north = sheet.view
        high = self.cut.paper[1]
        below = high - MARGIN - (north - south) * scale
        if self._ground is None:
            empty = Battle.of(battle.rules, battle.table, (), battle.rulings, battle.title)
            self._ground = scene.picture(empty, style=_style(battle.table.width, battle.table.height))
        canvas.saveState()
        path = canvas.beginPath()
        path.rect(MARGIN, below, (east - west) * scale, (north - south) * scale)
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.translate(MARGIN, below)
        self._draw(self._ground, Frame(scale, west, south))
        canvas.restoreState()
        box = (MARGIN, below, MARGIN + (east - west) * scale, high - MARGIN)
        self._marks(sheet, box)
        self._bar(battle.table.unit, box[0], below - 9)
        self._write_text(f"{sheet.name}   {battle.title}", box[0] + 130, below - 14)
        canvas.showPage()

    def _marks(self, sheet: Sheet, box: tuple[float, float, float, float]) -> None:
        """Frame a sheet, and dot the lines at which its neighbours begin, with a cross at either end."""
        canvas = self.canvas
        left, below, right, top = box
        canvas.setStrokeColor(_colour("#222222"))
        canvas.setLineWidth(CUT)
        canvas.rect(left, below, right - left, top - below, stroke=1, fill=0)
        lines: list[tuple[Point, Point]] = []
        if sheet.column < self.cut.columns:
            lines.append(((right - OVERLAP, below), (right - OVERLAP, top)))
        if sheet.column > 1:
            lines.append(((left + OVERLAP, below), (left + OVERLAP, top)))
        if sheet.row < self.cut.rows:
            lines.append(((left, below + OVERLAP), (right, below + OVERLAP)))
        if sheet.row > 1:
            lines.append(((left, top - OVERLAP), (right, top - OVERLAP)))
        for (x0, y0), (x1, y1) in lines:
            canvas.setDash([1.0, 3.0])
            canvas.line(x0, y0, x1, y1)
            canvas.setDash([])
            for x, y in ((x0, y0), (x1, y1)):
                canvas.line(x - ARM, y, x + ARM, y)
                canvas.line(x, y - ARM, x, y + ARM)

    def _bar(self, unit: str, x: float, y: float) -> None:
        """Draw a bar for checking the printed scale: 1 in, or 30 mm."""
        long, label = (POINT, "1 in") if unit == "in" else (30.0 * POINT / PER_INCH["mm"], "30 mm")
        self.canvas.setLineWidth(1.2)
        self.canvas.line(x, y, x + long, y)
        for end in (x, x + long):
            self.canvas.line(end, y - 4, end, y + 4)
        self._write_text(label, x + long + 5, y - 5)

    # --- bases -------------------------------------------------------------------------------------------------------

    def bases(self, battle: Battle) -> None:
        """Draw every base, unit by unit, with its side's border, its front marked and its unit's name."""
        canvas = self.canvas
        wide, high = self.cut.paper
        styles = side_styles(unit.side for unit in battle.units)
        x, y, tall = MARGIN, high - MARGIN - 30, 0.0
        self._write_text("Bases to cut out: the thick edge is the front", MARGIN, high - MARGIN - 12, 13, "bold")
        for unit in sorted(battle.units, key=lambda unit: (unit.side, unit.id)):
            for number, base in enumerate(unit.bases):
                across, deep = _size(base, self.cut.scale)
                if x + across > wide - MARGIN:
                    x, y, tall = MARGIN, y - tall - APART, 0.0
                if y - deep - LINE < MARGIN:
                    canvas.showPage()
                    x, y, tall = MARGIN, high - MARGIN, 0.0
                self._base(unit, number, base, (x, y - deep), styles[unit.side].fill)
                x, tall = x + across + APART, max(tall, deep)
        canvas.showPage()

    def _base(self, unit: Unit, number: int, base: object, at: Point, fill: str) -> None:
        canvas = self.canvas
        across, deep = _size(base, self.cut.scale)
        x, y = at
        canvas.setStrokeColor(_colour(fill))
        canvas.setFillColor(_colour("#ffffff"))
        edge = 3.0
        canvas.setLineWidth(edge)
        if isinstance(base, Base):
            canvas.rect(x + edge / 2, y + edge / 2, across - edge, deep - edge, stroke=1, fill=1)
            canvas.setFillColor(_colour(fill))
            canvas.rect(x, y + deep - deep * 0.16, across, deep * 0.16, stroke=0, fill=1)
        else:
            canvas.circle(x + across / 2, y + deep / 2, across / 2 - edge / 2, stroke=1, fill=1)
        canvas.setStrokeColor(_colour("#222222"))
        canvas.setLineWidth(CUT)
        if isinstance(base, Base):
            canvas.rect(x, y, across, deep, stroke=1, fill=0)
        else:
            canvas.circle(x + across / 2, y + deep / 2, across / 2, stroke=1, fill=0)
        words = [unit.name, unit.troop.replace("-", " ") if number == 0 else f"{number + 1} of {len(unit.bases)}"]
        for k, text in enumerate(words):
            fits = next((size for size in (9.0, 8.0, 7.0, 6.0, 5.0) if text_width(text, size) < across - 8), 0.0)
            if fits and deep > 24 + 10 * k:
                self._write_text(text, x + (across - text_width(text, fits)) / 2, y + deep * 0.84 - 11 - 10 * k, fits)

    # --- templates ---------------------------------------------------------------------------------------------------

    def templates(self, battle: Battle) -> None:
        """Draw a page with a ruler, the template of an arc of 45 degrees to either side, and range sticks.

        The ranges are those of the troops present, by their rules.
        """
        sticks = ranges(battle)
        canvas, unit = self.canvas, battle.table.unit
        wide, high = self.cut.paper
        inch = unit == "in"
        step = POINT if inch else 20.0 * POINT / PER_INCH["mm"]
        self._write_text("A ruler, and an arc of 45 degrees: cut them out", MARGIN, high - MARGIN - 12, 13, "bold")
        top = high - MARGIN - 30
        count = int((wide - 2 * MARGIN) // step)
        canvas.setStrokeColor(_colour("#222222"))
        canvas.setLineWidth(0.8)
        canvas.rect(MARGIN, top - 34, count * step, 34, stroke=1, fill=0)
        for tick in range(count * 8 + 1):
            x = MARGIN + tick * step / 8
            canvas.line(x, top, x, top - (16 if tick % 8 == 0 else 10 if tick % 4 == 0 else 6))
            if tick % 8 == 0 and tick < count * 8:
                self._write_text(f"{tick // 8 * (1 if inch else 20)}", x + 2, top - 27, 8)
        self._write_text("inches" if inch else "millimetres", MARGIN + count * step - 56, top - 31, 8)
        scale = self.cut.scale
        marked = sorted({end for ends in sticks.values() for end in ends}) or [each * step / scale for each in RANGES]
        self._arc((wide / 2, top - 60), marked, top - 70 - MARGIN, unit)
        if inch:
            canvas.rect(MARGIN, MARGIN, POINT, 3 * POINT, stroke=1, fill=0)
            self._write_text("Zone: 1 in", MARGIN + 5, MARGIN + 3 * POINT - 12, 8)
        canvas.showPage()
        if sticks:
            self._sticks(sticks, unit)

    def _sticks(self, ends_by_troop: Mapping[str, tuple[float, ...]], unit: str) -> None:
        """Draw a stick for each set of ranges; one longer than the paper is cut in pieces to glue together."""
        canvas, scale = self.canvas, self.cut.scale
        wide, high = self.cut.paper
        self._write_text(
            "Range sticks: cut them out; lettered ends are glued together", MARGIN, high - MARGIN - 12, 13, "bold"
        )
        y, room = high - MARGIN - 40, wide - 2 * MARGIN
        troops: dict[tuple[float, ...], list[str]] = {}
        for troop, ends in ends_by_troop.items():
            troops.setdefault(ends, []).append(troop.replace("-", " "))
        for ends, names in troops.items():
            long = ends[-1] * scale
            for piece in range(math.ceil(long / room - 1e-9)):
                if y - STICK - BELOW < MARGIN:
                    canvas.showPage()
                    y = high - MARGIN - 20
                if not piece:
                    self._write_text(", ".join(names).capitalize(), MARGIN, y + 4, 9)
                self._piece((MARGIN, y - STICK), (piece * room, min(long, (piece + 1) * room)), ends, unit)
                y -= STICK + BELOW + 12
        canvas.showPage()

    def _piece(self, at: Point, part: tuple[float, float], ends: tuple[float, ...], unit: str) -> None:
        """Draw a piece of a stick, between two distances along it (points), with the ranges that end on it."""
        canvas, scale = self.canvas, self.cut.scale
        (x, y), (first, last) = at, part
        canvas.setStrokeColor(_colour("#222222"))
        canvas.setLineWidth(0.8)
        canvas.rect(x, y, last - first, STICK, stroke=1, fill=0)
        number = round(first / max(1.0, last - first)) if first else 0
        if first:
            self._write_text(letters(number), x + 3, y + 4, 8, "bold")
        if last < ends[-1] * scale - 1e-6:
            self._write_text(letters(number + 1), x + last - first - 10, y + 4, 8, "bold")
        for end in ends:
            along = end * scale
            if first < along <= last + 1e-6:
                canvas.line(x + along - first, y, x + along - first, y + STICK)
                label = f"{end:g} {unit}"
                self._write_text(label, x + along - first - text_width(label, 9) - 3, y + STICK - 12, 9)

    def _arc(self, tip: Point, marked: Sequence[float], room: float, unit: str) -> None:
        """Draw the arc as a fan down from its tip, which goes to a corner of the front, with the ranges that fit."""
        canvas, step = self.canvas, self.cut.scale
        x, y = tip
        far = min(room, (self.cut.paper[0] / 2 - MARGIN) * math.sqrt(2))
        reaches = [each for each in marked if each * step <= far]
        most = max(reaches) * step if reaches else far
        for side in (-1, 1):
            canvas.line(x, y, x + side * most * math.sin(math.radians(ARC)), y - most * math.cos(math.radians(ARC)))
        canvas.setDash([3.0, 3.0])
        canvas.line(x, y, x, y - most)
        canvas.setDash([])
        for reach in reaches:
            r = reach * step
            canvas.arc(x - r, y - r, x + r, y + r, 270 - ARC, 2 * ARC)
            label = f"{reach:g} {unit}"
            self._write_text(label, x + 3, y - r + 4, 8)


def _size(base: object, scale: float) -> tuple[float, float]:
    if isinstance(base, Base):
        return base.frontage * scale, base.depth * scale
    across = 2 * base.radius * scale  # type: ignore[attr-defined]
    return across, across


def _style(width: float, height: float) -> scene.Style:
    """Return the style of the ground without frame, at about 30 pixels an inch."""
    return scene.Style(max(400, round(width * 30)), max(400, round(height * 30)), furniture=False)
