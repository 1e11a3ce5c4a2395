"""A drawing as SVG text: the same drawing always gives the same bytes, and looks the same in any browser."""

from __future__ import annotations

import base64
from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from tabletop.render.drawing.glyphs import glyph
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import (
    Area,
    Box,
    Circle,
    Drawing,
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

FAMILIES = {
    "plain": "'DejaVu Sans Condensed','DejaVu Sans',Verdana,'Segoe UI',sans-serif",
    "bold": "'DejaVu Sans Condensed','DejaVu Sans',Verdana,'Segoe UI',sans-serif",
    "place": "'DejaVu Serif Condensed','DejaVu Serif',Georgia,serif",
}
LOOKS = {"plain": "", "bold": ' font-weight="bold"', "place": ' font-style="italic"'}
#: Keeps the halo of a word from being selected, found or read aloud beside the word itself.
UNSELECTED = 'style="user-select:none" pointer-events="none" aria-hidden="true"'


def number(value: float) -> str:
    """Return a number with at most two decimals and no needless zeros."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def svg(drawing: Drawing) -> str:
    """Return the drawing at its own scale as one SVG document."""
    wide, high = drawing.size
    frame = Frame.of(drawing)
    used = sorted({item.glyph for item in drawing.items if isinstance(item, Stamps)})
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img">',
        f"<title>{escape(drawing.title or 'The table')}</title>",
    ]
    if drawing.description:
        parts.append(f"<desc>{escape(drawing.description)}</desc>")
    parts += _definitions(drawing, used, frame)
    if drawing.background:
        parts.append(f'<rect width="{wide}" height="{high}" fill="{drawing.background}"/>')
    for i, layer in enumerate(drawing.layers):
        parts += _layer(layer, i, frame)
    return "\n".join([*parts, "</svg>", ""])


def _definitions(drawing: Drawing, glyphs: list[str], frame: Frame) -> list[str]:
    parts = ["<defs>"]
    for i, layer in enumerate(drawing.layers):
        if layer.clip:
            parts.append(f'<clipPath id="clip-{i}">{_rectangle(layer.clip, frame)}</clipPath>')
    for name in glyphs:
        parts.append(f'<g id="glyph-{name}">')
        parts += [_written(item, Frame(100.0, 0.0, 0.0)) for item in glyph(name)]
        parts.append("</g>")
    return [*parts, "</defs>"]


def _rectangle(box: Box, frame: Frame) -> str:
    x, y = _xy((box[0], box[3]), frame)
    w, h = (box[2] - box[0]) * frame.scale, (box[3] - box[1]) * frame.scale
    return f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"/>'


def _layer(layer: Layer, i: int, frame: Frame) -> list[str]:
    clip = f' clip-path="url(#clip-{i})"' if layer.clip else ""
    body = [_written(item, frame) for item in layer.items]
    return [f"<g id={quoteattr('layer-' + layer.name.replace(' ', '-'))}{clip}>", *body, "</g>"]


def _xy(point: tuple[float, float], frame: Frame) -> tuple[float, float]:
    return (point[0] - frame.left) * frame.scale, (frame.top - point[1]) * frame.scale


def _points(line: Ring, frame: Frame) -> str:
    return "L".join(f"{number(x)} {number(y)}" for x, y in (_xy(p, frame) for p in line))


def _pen(pen: Pen | None, frame: Frame) -> str:
    if pen is None:
        return ""
    size = pen.width if pen.pixels else pen.width * frame.scale
    text = f' stroke="{pen.colour}" stroke-width="{number(size)}"'
    if pen.dash:
        text += f' stroke-dasharray="{",".join(number(d * size) for d in pen.dash)}"'
    if pen.opacity < 1.0:
        text += f' stroke-opacity="{number(pen.opacity)}"'
    return text + (
        ' stroke-linecap="round" stroke-linejoin="round"' if pen.round and not pen.dash else ' stroke-linejoin="round"'
    )


def _fill(fill: str | None, opacity: float) -> str:
    if fill is None:
        return ' fill="none"'
    return f' fill="{fill}"' + (f' fill-opacity="{number(opacity)}"' if opacity < 1.0 else "")


def _area(item: Area, frame: Frame) -> str:
    path = "".join(f"M{_points(ring, frame)}Z" for ring in item.rings if ring)
    return f'<path d="{path}"{_fill(item.fill, item.opacity)} fill-rule="evenodd"{_pen(item.pen, frame)}/>'


def _lines(item: Lines, frame: Frame) -> str:
    path = "".join(f"M{_points(line, frame)}" for line in item.lines if line)
    return f'<path d="{path}" fill="none"{_pen(item.pen, frame)}/>' if path else ""


def _circle(item: Circle, frame: Frame) -> str:
    x, y = _xy(item.at, frame)
    radius = item.radius if item.pixels else item.radius * frame.scale
    style = _fill(item.fill, item.opacity) + _pen(item.pen, frame)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{style}/>'


def _stamps(item: Stamps, frame: Frame) -> str:
    size = (item.size if item.pixels else item.size * frame.scale) / 100.0
    parts = []
    for i, at in enumerate(item.at):
        x, y = _xy(at, frame)
        turn = f" rotate({number(item.turns[i])})" if item.turns and item.turns[i] else ""
        place = f"translate({number(x)} {number(y)}){turn} scale({size:.4g})"
        parts.append(f'<use xlink:href="#glyph-{item.glyph}" transform="{place}"/>')
    return "\n".join(parts)


def _text(item: Text, frame: Frame) -> str:
    size = item.size if item.pixels else item.size * frame.scale
    x, y = _xy(item.at, frame)
    x, y = x + item.shift[0], y + item.shift[1]
    turn = f' transform="rotate({number(item.turn)} {number(x)} {number(y)})"' if item.turn else ""
    base = f'x="{number(x)}" y="{number(y + 0.36 * size)}" font-size="{number(size)}" text-anchor="{item.anchor}"'
    wide = number(width(item.text, size, item.face))
    look = f'{LOOKS[item.face]} font-family="{FAMILIES[item.face]}" textLength="{wide}"'
    shape = f'{base}{look} lengthAdjust="spacingAndGlyphs"{turn}'
    words = escape(item.text)
    glow = ""
    if item.halo:
        rim = f'stroke="{item.halo}" stroke-width="{number(0.28 * size)}" stroke-linejoin="round"'
        glow = f'<text {shape} fill="{item.halo}" {rim} {UNSELECTED}>{words}</text>\n'
    return f'{glow}<text {shape} fill="{item.fill}">{words}</text>'


def _picture(item: Painting, frame: Frame) -> str:
    west, south, east, north = item.box
    x, y = _xy((west, north), frame)
    wide, high = (east - west) * frame.scale, (north - south) * frame.scale
    place = f'x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}"'
    data = base64.b64encode(item.jpeg).decode()
    return f'<image {place} preserveAspectRatio="none" xlink:href="data:image/jpeg;base64,{data}"/>'


WRITERS: dict[type, Callable[..., str]] = {
    Area: _area,
    Lines: _lines,
    Circle: _circle,
    Stamps: _stamps,
    Text: _text,
    Painting: _picture,
}


def _written(item: Item, frame: Frame) -> str:
    return WRITERS[type(item)](item, frame)
