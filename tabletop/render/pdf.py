"""A drawing as a PDF page, by way of its SVG: needs svglib, the extra ``[pdf]``."""

from __future__ import annotations

import io
import math
from contextlib import ExitStack
from dataclasses import replace
from importlib import resources

from reportlab.graphics import renderPDF
from svglib.fonts import register_font
from svglib.svglib import svg2rlg

from tabletop.errors import Broken
from tabletop.render.drawing import Drawing, Face, Item, Text
from tabletop.render.lettering import FILES
from tabletop.render.svg import svg

#: The family, weight and style under which the SVG asks for each face.
ASKED: dict[Face, tuple[str, str, str]] = {
    "plain": ("DejaVu Sans Condensed", "normal", "normal"),
    "bold": ("DejaVu Sans Condensed", "bold", "normal"),
    "place": ("DejaVu Serif Condensed", "normal", "italic"),
}


def pdf(drawing: Drawing) -> bytes:
    """Return a drawing as a one-page PDF, its lines and letters as vectors, its fonts inside."""
    with ExitStack() as files:
        for face, (family, weight, style) in ASKED.items():
            font = resources.files("tabletop.render").joinpath("fonts", FILES[face])
            register_font(family, str(files.enter_context(resources.as_file(font))), weight, style)
        page = svg2rlg(io.BytesIO(svg(_with_copied_halos(drawing)).encode()))
        if page is None:
            raise Broken("svglib could not read the picture; python -m pip install --upgrade svglib")
        out = io.BytesIO()
        renderPDF.drawToFile(page, out)
    return out.getvalue()


def _with_copied_halos(drawing: Drawing) -> Drawing:
    """Return the drawing with every halo as copies of the text around it: svglib cannot outline letters."""
    layers = tuple(
        replace(layer, items=tuple(part for item in layer.items for part in _copies(item))) for layer in drawing.layers
    )
    return replace(drawing, layers=layers)


def _copies(item: Item) -> list[Item]:
    if not isinstance(item, Text) or item.halo is None:
        return [item]
    ring, right, down = 0.12 * item.size, *item.shift
    turns = [math.pi * k / 4 for k in range(8)]
    around = [(right + ring * math.cos(a), down + ring * math.sin(a)) for a in turns]
    plain = replace(item, halo=None)
    return [*(replace(plain, fill=item.halo, shift=shift) for shift in around), plain]
