"""A battle on paper, measured on the PDF: an inch is an inch on every sheet, and the sheets cover the table."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from itertools import pairwise
from pathlib import Path

import pytest
import shapely

from tabletop import cli
from tabletop.geometry.base import Base
from tabletop.play.files.load import load_scene
from tabletop.render.printing.pages import LeftOff, printed
from tabletop.render.printing.ranges import ranges
from tabletop.render.printing.sheets import MARGIN, OVERLAP, PAPERS, plan

ROOT = Path(__file__).resolve().parents[2]
MAP = """format: tabletop-map/1
title: Squares
table: {{unit: {unit}, width: {wide}, height: {high}}}
terrain:
{rows}"""


def squares(folder: Path, unit: str, wide: int, high: int, every: int, side: float) -> Path:
    """Write a map with a square pond at every so many units."""
    rows = [
        f"  - {{id: p-{x}-{y}, kind: lake, at: [{x}, {y}], size: [{side}, {side}], facing: 0}}\n"
        for x in range(every, wide, every)
        for y in range(every, high, every)
    ]
    path = folder / "squares.yaml"
    path.write_text(MAP.format(unit=unit, wide=wide, high=high, rows="".join(rows)), encoding="utf-8")
    return path


def pages(file: Path) -> list[tuple[tuple[float, float], bytes]]:
    """Return the size of every page and what is written on it, in order."""
    data = file.read_bytes()
    objects = {int(m[1]): m[2] for m in re.finditer(rb"(\d+) 0 obj(.*?)endobj", data, re.DOTALL)}
    found = []
    kids = next(body for body in objects.values() if b"/Type /Pages" in body)
    for number in re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[(.*?)\]", kids, re.DOTALL)[1]):  # type: ignore[index]
        body = objects[int(number)]
        box = [float(n) for n in re.search(rb"/MediaBox \[([^\]]*)\]", body)[1].split()]  # type: ignore[index]
        content = objects[int(re.search(rb"/Contents (\d+)", body)[1])]  # type: ignore[index]
        packed = re.search(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)[1].strip()  # type: ignore[index]
        found.append(((box[2], box[3]), zlib.decompress(a85decode(packed[:-2]))))
    return found


def paths(content: bytes) -> list[shapely.Polygon]:
    """Return every closed path of straight lines on a page, in points from its lower left corner."""
    found: list[shapely.Polygon] = []
    stack: list[tuple[float, float, float]] = []
    at: tuple[float, float, float] = (1.0, 0.0, 0.0)
    points: list[tuple[float, float]] = []
    numbers: list[float] = []
    for word in content.split():
        try:
            numbers.append(float(word))
            continue
        except ValueError:
            pass
        if word == b"q":
            stack.append(at)
        elif word == b"Q":
            at = stack.pop()
        elif word == b"cm":
            scale, _, _, _, x, y = numbers[-6:]
            at = (at[0] * scale, at[1] + at[0] * x, at[2] + at[0] * y)
        elif word in (b"m", b"l"):
            points = [] if word == b"m" else points
            points.append((at[1] + at[0] * numbers[-2], at[2] + at[0] * numbers[-1]))
        elif word in (b"h", b"f", b"f*", b"B", b"B*", b"s") and len(points) > 3:
            found.append(shapely.Polygon(points))
            points = []
        numbers = []
    return found


@pytest.mark.parametrize(
    ("unit", "wide", "high", "every", "side", "inch"),
    [("in", 30, 24, 3, 1.0, 72.0), ("mm", 914, 711, 60, 25.4, 72.0 / 25.4), ("cm", 90, 60, 6, 2.54, 72.0 / 2.54)],
)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_an_inch_is_an_inch_on_every_sheet(
    unit: str, wide: int, high: int, every: int, side: float, inch: float, paper: str, tmp_path: Path
) -> None:
    """Every pond is 72 points wide, where it belongs on each sheet; all sheets are of the paper asked for."""
    source, file = squares(tmp_path, unit, wide, high, every, side), tmp_path / "out.pdf"
    assert cli.status(["print", str(source), "--paper", paper, "-o", str(file)]) == 0
    cut = plan(unit, wide, high, paper)
    _, *sheets = pages(file)[: len(cut.sheets) + 1]
    assert len(sheets) == len(cut.sheets)
    for sheet, (size, content) in zip(cut.sheets, sheets, strict=True):
        assert sorted(size) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
        west, south, _, north = sheet.view
        below = size[1] - MARGIN - (north - south) * inch
        ponds = [path.bounds for path in paths(content) if path.area == pytest.approx(72.0 * 72.0, rel=0.003)]
        inside = [
            (MARGIN + (x - west) * inch, below + (y - south) * inch)
            for x in range(every, wide, every)
            for y in range(every, high, every)
        ]
        for x, y in inside:
            near = [b for b in ponds if abs((b[0] + b[2]) / 2 - x) < 0.3 and abs((b[1] + b[3]) / 2 - y) < 0.3]
            assert near, (sheet.name, x, y)
            assert near[0][2] - near[0][0] == pytest.approx(72.0, abs=0.15)
            assert near[0][3] - near[0][1] == pytest.approx(72.0, abs=0.15)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("size", [(30.0, 24.0), (7.0, 9.0), (60.0, 44.0)])
def test_sheets_cover_the_table_and_overlap(size: tuple[float, float], paper: str) -> None:
    cut = plan("in", *size, paper)
    boxes = [shapely.box(*sheet.view) for sheet in cut.sheets]
    assert shapely.union_all(boxes).area == pytest.approx(size[0] * size[1])
    for a, b in pairwise(cut.sheets):
        if a.row == b.row:
            assert a.view[2] - b.view[0] == pytest.approx(OVERLAP / 72.0)
    room = [side - 2 * MARGIN for side in cut.paper]
    for west, south, east, north in (sheet.view for sheet in cut.sheets):
        assert 0 < (east - west) * 72 <= room[0] + 1e-6 and 0 < (north - south) * 72 <= room[1] + 1e-6


def test_a_battle_brings_its_bases(tmp_path: Path) -> None:
    """Every base of the starter is there to be cut out, an inch wide; --no-bases leaves them out."""
    both = []
    for words in ([], ["--no-bases"]):
        file = tmp_path / f"out{len(words)}.pdf"
        assert cli.status(["print", "starter", "-o", str(file), *words]) == 0
        both.append(pages(file))
    assert len(both[0]) == len(both[1]) + 1
    bases = next(content for content in (page[1] for page in both[0]) if content not in [page[1] for page in both[1]])
    wide = [float(m[1]) for m in re.finditer(rb"[\d.]+ [\d.]+ ([\d.]+) [\d.]+ re", bases)]
    battle = load_scene(ROOT / "scenarios/tse/starter.yaml")
    oblong = [base for unit in battle.units for base in unit.bases if isinstance(base, Base)]
    assert sum(abs(w - 72.0) < 0.01 for w in wide) == 2 * len(oblong) > 40  # the outline and the front of each


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("tse/starter", {"infantry": (3.0,), "light-foot-artillery": (3.0, 6.0, 9.0)}),
        ("realm-of-chance/drill-ground", {"infantry": (50.0,), "heavy-artillery": (60.0, 120.0, 180.0, 500.0)}),
        ("sail/long-sand", {"frigate": (4.0, 8.0, 12.0)}),
    ],
)
def test_ranges_are_those_of_the_rules(name: str, wanted: dict[str, tuple[float, ...]]) -> None:
    found = ranges(load_scene(ROOT / f"scenarios/{name}.yaml"))
    assert {troop: found[troop] for troop in wanted} == wanted


def test_range_sticks_are_as_long_as_the_ranges(tmp_path: Path) -> None:
    """The infantry's 3 in are 216 points; the guns' 9 in are cut in two pieces where the paper ends."""
    assert cli.status(["print", "starter", "-o", str(tmp_path / "out.pdf")]) == 0
    size, content = pages(tmp_path / "out.pdf")[-1]
    wide = [float(m[1]) for m in re.finditer(rb"[\d.]+ [\d.]+ ([\d.]+) [\d.]+ re", content)]
    room = size[0] - 2 * MARGIN
    assert sorted(wide) == pytest.approx(
        sorted([216.0, room, 648.0 - room] if room < 648.0 else [216.0, 648.0]), abs=0.01
    )


def test_printing_can_be_left_off() -> None:
    told: list[tuple[int, int]] = []

    def twice(done: int, of: int) -> bool:
        told.append((done, of))
        return len(told) < 2

    with pytest.raises(LeftOff):
        printed(load_scene(ROOT / "scenarios/tse/starter.yaml"), "A4", progress=twice)
    assert told[0][0] == 1 and told[0][1] > 10 and len(told) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["starter", "--paper", "A5"], "--paper A5 is no paper; give A4 or Letter"),
        (["starter", "-o", "table.png"], "table.png does not end in .pdf"),
        (["starter", "--look", "oil"], "--look 'oil' is none"),
        (["startre"], "there is no such file"),
    ],
)
def test_what_cannot_be_printed_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["print", *words]) == 2
    assert said in capsys.readouterr().err
