"""A drawing as a PDF page, by way of its SVG: needs svglib, the extra ``[pdf]``."""

from __future__ import annotations

import io

from reportlab.graphics import renderPDF
from svglib.svglib import svg2rlg

from tabletop.errors import Broken
from tabletop.render.drawing import Drawing
from tabletop.render.svg import svg


def pdf(drawing: Drawing) -> bytes:
    """Return a drawing as a one-page PDF, its lines and letters as vectors."""
    page = svg2rlg(io.BytesIO(svg(drawing).encode()))
    if page is None:
        raise Broken("svglib could not read the picture; python -m pip install --upgrade svglib")
    out = io.BytesIO()
    renderPDF.drawToFile(page, out)
    return out.getvalue()
