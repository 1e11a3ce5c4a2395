"""Drawings as files: the same bytes every time, whole or not at all, clear refusals."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest

from tabletop.errors import BadQuestion, Broken
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing import scene
from tabletop.render.drawing.primitives import Drawing, Layer, Text
from tabletop.render.drawing.svg import svg
from tabletop.render.painting import files
from tests.render import table_of_everything as everything


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return scene.picture(everything.battle(), everything.verdict())


def test_svg_is_the_same_every_time(drawing: Drawing) -> None:
    assert svg(drawing) == svg(scene.picture(everything.battle(), everything.verdict()))


def test_svg_is_well_formed_and_whole(drawing: Drawing) -> None:
    root = Tree.fromstring(svg(drawing))
    space = "{http://www.w3.org/2000/svg}"
    assert (int(root.get("width", 0)), int(root.get("height", 0))) == drawing.size
    words = [e.text for e in root.iter(f"{space}text")]
    assert {t.text for t in drawing.items if isinstance(t, Text)} == set(words)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    wanted = {e.get("{http://www.w3.org/1999/xlink}href", "")[1:] for e in root.iter(f"{space}use")}
    assert wanted <= set(ids)


def test_svg_carries_no_numbers_that_are_not_numbers(drawing: Drawing) -> None:
    text = svg(drawing)
    assert "nan" not in text.split("<desc>")[0]
    assert "inf" not in "".join(part for part in text.split('"')[1::2] if part[:1].isdigit())
    assert "e-0" not in text


def test_svg_escapes_what_is_written() -> None:
    text = Text((0.0, 0.0), "Horse & <foot>", 14.0, "#000000")
    found = svg(Drawing((Layer("a", (text,)),), (0, 0, 1, 1), 100.0, title="<A> & B"))
    assert "Horse &amp; &lt;foot&gt;" in found
    assert "<title>&lt;A&gt; &amp; B</title>" in found


def test_text_keeps_its_measured_width_whatever_the_font() -> None:
    found = svg(Drawing((Layer("a", (Text((0.0, 0.0), "Quatre Bras", 16.0, "#000000"),)),), (0, 0, 1, 1), 100.0))
    assert 'textLength="86.37"' in found


@pytest.mark.parametrize("suffix, start", [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".SVG", b"<?xml")])
def test_a_file_by_its_suffix(drawing: Drawing, tmp_path: Path, suffix: str, start: bytes) -> None:
    path = files.write_picture(tmp_path / f"table{suffix}", drawing)
    assert path.read_bytes().startswith(start)
    assert [p.name for p in tmp_path.iterdir()] == [f"table{suffix}"]


def test_where_no_pdf_can_be_written_the_cure_is_named(
    drawing: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "tabletop.render.drawing.pdf", raising=False)
    monkeypatch.delattr("tabletop.render.drawing.pdf", raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == "reportlab"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    with pytest.raises(Broken, match=r"pip install 'reportlab>="):
        files.write_picture(tmp_path / "table.pdf", drawing)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["table.bmp", "table", "table.svg.txt"])
def test_an_unknown_suffix_is_refused(drawing: Drawing, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadQuestion, match=r"\.svg, \.png, \.pdf"):
        files.write_picture(tmp_path / name, drawing)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_does_not_exist_is_refused_in_one_line(drawing: Drawing, tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="cannot be written") as refusal:
        files.write_picture(tmp_path / "nowhere" / "table.svg", drawing)
    assert "\n" not in str(refusal.value)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "table.svg"
    target.write_text("old")

    def fails(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(OSError):
        write_whole(target, b"new")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.svg"]
