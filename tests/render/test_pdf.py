"""A drawing as a page of a PDF: the same bytes every time, vectors, the project's fonts inside, every word once."""

from __future__ import annotations

import re
import time
import zlib
from base64 import a85decode

import pytest
from reportlab.pdfbase import pdfmetrics

from tabletop.render.drawing import scene
from tabletop.render.drawing.lettering import FILES, width
from tabletop.render.drawing.pdf import A4, UNSAID, pdf
from tabletop.render.drawing.primitives import Area, Circle, Drawing, Layer, Lines, Pen, Stamps, Text
from tests.render import table_of_everything as everything

INK = "#102030"


def one(*items: Area | Lines | Circle | Stamps | Text, view: tuple[float, float, float, float] = (0, 0, 4, 2)) -> bytes:
    """Return the page of some items, four inches by two at 100 pixels an inch."""
    return pdf(Drawing((Layer("one", items),), view, 100.0, title="One"))


def streams(page: bytes) -> list[bytes]:
    """Return what is in a file's streams, unpacked."""
    found = []
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", page, re.DOTALL):
        packed = packed.strip()
        if packed.endswith(b"~>"):
            packed = a85decode(packed[:-2])
        try:
            found.append(zlib.decompress(packed))
        except zlib.error:
            continue
    return found


def written(page: bytes) -> bytes:
    """Return the operators of a page and of the symbols in it; not its fonts."""
    return b"\n".join(stream for stream in streams(page) if b"endcmap" not in stream and b"glyf" not in stream)


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return scene.picture(everything.battle(), everything.verdict())


@pytest.fixture(scope="module")
def page(drawing: Drawing) -> bytes:
    return pdf(drawing)


def test_the_same_drawing_gives_the_same_bytes(drawing: Drawing, page: bytes) -> None:
    assert pdf(drawing) == page
    assert page.startswith(b"%PDF") and page.rstrip().endswith(b"%%EOF")


def test_a_page_fits_a_sheet_of_a4_and_keeps_its_shape(drawing: Drawing, page: bytes) -> None:
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", page)
    assert box is not None
    wide, high = float(box[1]), float(box[2])
    assert max(wide, high) <= max(A4) + 0.01 and min(wide, high) <= min(A4) + 0.01
    assert max(wide, high) == pytest.approx(max(A4), abs=0.01) or min(wide, high) == pytest.approx(min(A4), abs=0.01)
    assert wide / high == pytest.approx(drawing.size[0] / drawing.size[1], rel=1e-3)


def test_it_is_drawn_in_vectors_with_the_fonts_of_the_project_inside(page: bytes) -> None:
    assert b"/Subtype /Image" not in page
    fonts = set(re.findall(rb"/BaseFont /(?:AAAAAA\+)?([\w-]+)", page))
    assert fonts == {name.removesuffix(".ttf").encode() for name in FILES.values()}
    assert page.count(b"/FontFile2") == len(FILES)
    assert b"/ToUnicode" in page


def test_a_text_with_a_halo_is_found_once() -> None:
    found = written(one(Text((1.0, 1.0), "Foy", 20.0, INK, halo="#ffffff")))
    assert found.count(b"Tj") == 2
    begin, end = (mark.encode() for mark in UNSAID)
    assert found.count(begin) == 1
    inside = found[found.index(begin) : found.index(end)]
    assert inside.count(b"Tj") == 1 and b"1 Tr" in inside and inside.count(b"Q") == inside.count(b"q")
    assert b"Tr" not in found[found.index(end) :].replace(b"0 Tr", b"")


def test_words_are_as_wide_as_they_are_measured() -> None:
    one(Text((1.0, 1.0), "x", 10.0, INK))
    for face, name in FILES.items():
        assert pdfmetrics.stringWidth("Quatre Bras, 16 June 1815", name.removesuffix(".ttf"), 20) == pytest.approx(
            width("Quatre Bras, 16 June 1815", 20.0, face), abs=0.05
        )


@pytest.mark.parametrize(("anchor", "x"), [("start", 200.0), ("middle", 185.0), ("end", 170.0)])
def test_an_anchored_text_begins_where_it_must(anchor: str, x: float) -> None:
    text = "M" * 3
    size = 10.0 * 30.0 / width(text, 10.0)  # the text is 30 pixels wide
    found = written(one(Text((2.0, 1.0), text, size, INK, anchor=anchor)))  # type: ignore[arg-type]
    moved = re.search(rb"q\n1 0 0 1 ([\d.]+) ([\d.]+) cm", found)
    back = re.search(rb"BT 1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm", found)
    assert moved is not None and back is not None
    assert float(moved[1]) + float(back[1]) == pytest.approx(x, abs=0.01)
    assert float(moved[2]) == pytest.approx(100.0, abs=0.01)


def test_north_is_up() -> None:
    found = written(one(Lines((((0.0, 0.5), (4.0, 1.5)),), Pen(INK))))
    assert b"0 50 m 400 150 l" in found


def test_dashes_widths_and_holes_are_those_of_the_pen() -> None:
    hole = ((1.0, 0.5), (2.0, 0.5), (2.0, 1.0))
    area = Area((((0.0, 0.0), (4.0, 0.0), (4.0, 2.0)), hole), fill=INK, opacity=0.5)
    found = written(one(area, Lines((((0.0, 0.0), (1.0, 0.0)),), Pen(INK, 0.03, pixels=False, dash=(2.0, 1.0)))))
    assert re.search(rb"h\s+f\*", found), "the hole stays open"
    assert b"3 w" in found and b"[6 3] 0 d" in found


def test_a_symbol_is_kept_once_however_often_it_is_set() -> None:
    page = one(Stamps("tree-1", ((1.0, 1.0), (2.0, 1.0), (3.0, 1.0)), 0.4, turns=(0.0, 90.0, 0.0)))
    assert page.count(b"/Subtype /Form") == 1
    found = written(page)
    assert found.count(b" Do") == 3 and b"0 -0.4 .4 0 200 100 cm" in found, "the second is turned clockwise"


def test_nothing_to_draw_is_a_page_too() -> None:
    assert one(Lines((), Pen(INK)), Text((0.0, 0.0), "", 10.0, INK)).startswith(b"%PDF")


def test_letters_no_font_has_do_no_harm() -> None:
    assert one(Text((0.0, 0.0), "軍 😀 \t\x07", 10.0, INK, halo="#ffffff")).startswith(b"%PDF")


def test_a_page_takes_no_longer_than_it_may(drawing: Drawing, page: bytes) -> None:
    """svglib took more than a second: half of one of processor time, whatever else the machine does."""
    began = time.process_time()
    pdf(drawing)
    assert time.process_time() - began < 0.5
