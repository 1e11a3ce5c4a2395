"""A drawing as a page of a PDF: vector lines, selectable text, embedded fonts.

The page is written from the same shapes as the SVG and the picture; the same drawing always gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from tabletop.render.drawing.glyphs import glyph
from tabletop.render.drawing.lettering import FILES, font_bytes, width
from tabletop.render.drawing.primitives import (
    Area,
    Box,
    Circle,
    Drawing,
    Face,
    Frame,
    Item,
    Layer,
    Lines,
    Painting,
    Pen,
    Ring,
    Stamps,
    Text,
)
from tabletop.version import __version__

#: The sides of an A4 sheet in points: a page has the shape of its drawing and fits on one.
A4 = (841.89, 595.276)
#: Text rendering mode that draws only outlines.
OUTLINED = 1
#: Half the side of the box in which symbols are stored.
STAMP = 100.0
#: What encloses text that must not be found or selected: the halo repeats the text it surrounds.
UNSAID = ("/Span <</ActualText ()>> BDC", "EMC")


def pdf(drawing: Drawing, *more: Drawing) -> bytes:
    """Return a drawing as a PDF of one page; ``more`` follow on pages of their own."""
    out = io.BytesIO()
    canvas = Canvas(out, A4, invariant=1, pageCompression=1, initialFontName=_font("plain"))
    canvas.setTitle(drawing.title or "The table")
    canvas.setSubject(drawing.description)
    canvas.setCreator(f"tabletop {__version__}")
    stamped: set[str] = set()
    for each in (drawing, *more):
        _page(canvas, each, stamped)
    canvas.save()
    return out.getvalue()


def _page(canvas: Canvas, drawing: Drawing, stamped: set[str]) -> None:
    """Draw one page in the shape of its drawing; ``stamped`` are the symbols already stored in the file."""
    wide, high = drawing.size
    shrunk = min(max(A4) / max(wide, high), min(A4) / min(wide, high))
    canvas.setPageSize((wide * shrunk, high * shrunk))
    canvas.scale(shrunk, shrunk)
    if drawing.background:
        canvas.setFillColor(_colour(drawing.background))
        canvas.rect(0, 0, wide, high, stroke=0, fill=1)
    pencil = Pencil(canvas, Frame(drawing.scale, drawing.view[0], drawing.view[1]), stamped)
    for layer in drawing.layers:
        pencil.layer(layer)
    canvas.showPage()


def _font(face: Face) -> str:
    """Return the name under which a face is registered, registering it at its first use."""
    name = FILES[face].removesuffix(".ttf")
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(font_bytes(face))))
    return name


def _colour(text: str, opacity: float = 1.0) -> Color:
    colour = HexColor(text)
    return Color(colour.red, colour.green, colour.blue, opacity)


class Pencil:
    """Draws items on a canvas. The frame's ``top`` is the table's y at the page's lower edge: both count upward."""

    def __init__(self, canvas: Canvas, frame: Frame, stamped: set[str] | None = None) -> None:
        self.canvas, self.frame = canvas, frame
        self.stamped: set[str] = set() if stamped is None else stamped

    def layer(self, layer: Layer) -> None:
        """Draw a layer, cut at its clip."""
        for name in sorted({item.glyph for item in layer.items if isinstance(item, Stamps)} - self.stamped):
            self._keep(name)
        self.canvas.saveState()
        if layer.clip:
            self._clip(layer.clip)
        for item in layer.items:
            self.item(item)
        self.canvas.restoreState()

    def item(self, item: Item) -> None:
        """Draw one item."""
        WRITERS[type(item)](self, item)

    def _clip(self, box: Box) -> None:
        path = self.canvas.beginPath()
        x, y = self._xy((box[0], box[1]))
        path.rect(x, y, (box[2] - box[0]) * self.frame.scale, (box[3] - box[1]) * self.frame.scale)
        self.canvas.clipPath(path, stroke=0, fill=0)

    def _keep(self, name: str) -> None:
        """Store a symbol in the file once, for repeated use."""
        self.stamped.add(name)
        self.canvas.beginForm(name, -STAMP, -STAMP, STAMP, STAMP)
        inside = Pencil(self.canvas, Frame(STAMP, 0.0, 0.0), self.stamped)
        for item in glyph(name):
            inside.item(item)
        self.canvas.endForm(Resources=self._resources())

    def _resources(self) -> PDFResourceDictionary:
        """Return the resources that a symbol draws with, adding the opacities, which reportlab would leave out."""
        resources = PDFResourceDictionary()
        resources.basicFonts()
        resources.allProcs()
        resources.ExtGState = self.canvas._extgstate.getState()
        return resources

    def _xy(self, point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - self.frame.left) * self.frame.scale, (point[1] - self.frame.top) * self.frame.scale

    def _length(self, value: float, pixels: bool) -> float:
        return value if pixels else value * self.frame.scale

    def _pen(self, pen: Pen | None) -> int:
        """Set a pen and return 1, or return 0 if there is none."""
        if pen is None:
            return 0
        canvas, size = self.canvas, self._length(pen.width, pen.pixels)
        canvas.setStrokeColor(_colour(pen.colour, pen.opacity))
        canvas.setLineWidth(size)
        canvas.setLineJoin(1)
        canvas.setLineCap(1 if pen.round and not pen.dash else 0)
        canvas.setDash([length * size for length in pen.dash])
        return 1

    def _fill(self, fill: str | None, opacity: float) -> int:
        if fill is None:
            return 0
        self.canvas.setFillColor(_colour(fill, opacity))
        return 1

    def _trace(self, rings: tuple[Ring, ...], closed: bool, fill: int, stroke: int) -> None:
        path = self.canvas.beginPath()
        for ring in rings:
            for i, point in enumerate(ring):
                (path.lineTo if i else path.moveTo)(*self._xy(point))
            if ring and closed:
                path.close()
        self.canvas.drawPath(path, stroke=stroke, fill=fill, fillMode=FILL_EVEN_ODD)

    def area(self, item: Area) -> None:
        """Draw a polygon with its holes."""
        self._trace(item.rings, True, self._fill(item.fill, item.opacity), self._pen(item.pen))

    def lines(self, item: Lines) -> None:
        """Draw polylines."""
        if any(item.lines):
            self._trace(item.lines, False, 0, self._pen(item.pen))

    def circle(self, item: Circle) -> None:
        """Draw a circle."""
        fill, stroke = self._fill(item.fill, item.opacity), self._pen(item.pen)
        self.canvas.circle(*self._xy(item.at), self._length(item.radius, item.pixels), stroke=stroke, fill=fill)

    def stamps(self, item: Stamps) -> None:
        """Draw a symbol at many points."""
        size = self._length(item.size, item.pixels) / STAMP
        for i, at in enumerate(item.at):
            self.canvas.saveState()
            self.canvas.translate(*self._xy(at))
            if item.turns and item.turns[i]:
                self.canvas.rotate(-item.turns[i])
            self.canvas.scale(size, size)
            self.canvas.doForm(item.glyph)
            self.canvas.restoreState()

    def picture(self, item: Painting) -> None:
        """Draw a painting, stored in the file as one image."""
        west, south, east, north = item.box
        x, y = self._xy((west, south))
        image = ImageReader(io.BytesIO(item.jpeg))
        self.canvas.drawImage(image, x, y, (east - west) * self.frame.scale, (north - south) * self.frame.scale)

    def text(self, item: Text) -> None:
        """Draw a line of text over its halo; it can be found and selected once."""
        size = self._length(item.size, item.pixels)
        x, y = self._xy(item.at)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor] * width(item.text, size, item.face)
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(x + item.shift[0], y - item.shift[1])
        if item.turn:
            canvas.rotate(-item.turn)
        if item.halo:
            canvas.addLiteral(UNSAID[0])
            canvas.saveState()  # the text rendering mode stays set from one text to the next
            self._pen(Pen(item.halo, 0.28 * size))
            self._words(item, size, back, outlined=True)
            canvas.restoreState()
            canvas.addLiteral(UNSAID[1])
        canvas.setFillColor(_colour(item.fill))
        self._words(item, size, back)
        canvas.restoreState()

    def _words(self, item: Text, size: float, back: float, outlined: bool = False) -> None:
        words: PDFTextObject = self.canvas.beginText(-back, -0.36 * size)
        words.setFont(_font(item.face), size)
        if outlined:
            words.setTextRenderMode(OUTLINED)
        words.textOut(item.text)
        self.canvas.drawText(words)


WRITERS: dict[type, Callable[..., None]] = {
    Area: Pencil.area,
    Lines: Pencil.lines,
    Circle: Pencil.circle,
    Stamps: Pencil.stamps,
    Text: Pencil.text,
    Painting: Pencil.picture,
}
