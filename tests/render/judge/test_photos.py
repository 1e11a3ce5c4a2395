"""A photo of a table: rectified to within half a pixel, laid under the table, traced over, kept beside the scene."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image, ImageDraw

from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import empty
from tabletop.render.judge.photo import Photo, carried, homography, opened, rectified
from tests.render.judge.driver import Umpire, at_the_table

#: A table of 48 x 32 drawn at 25 pixels a unit, and where its corners lie in a photo of 1600 x 1200.
WIDE, HIGH, PER = 1200, 800, 25
SEEN = ((310.0, 205.0), (1480.0, 330.0), (1390.0, 1105.0), (120.0, 960.0))
DOTS = [(x, y) for x in range(100, WIDE, 200) for y in range(100, HIGH, 150)]
#: The corners of a line of four bases, 4 x 0.75, as it looks at its enemy: front left, front right, rear right.
LINE = ((20.0, 20.0), (23.75, 18.6081), (23.489, 17.905))


def flat() -> Image.Image:
    """Return a table from straight above, with white discs at known places and one line of bases."""
    picture = Image.new("RGB", (WIDE, HIGH), (60, 90, 50))
    draw = ImageDraw.Draw(picture)
    for x, y in DOTS:
        draw.ellipse((x - 8, y - 8, x + 8, y + 8), fill=(255, 255, 255))
    return picture


def crooked() -> Image.Image:
    """Return the table as a camera saw it, by a known homography."""
    matrix = homography(SEEN, [(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)])
    numbers = (matrix / matrix[2, 2]).reshape(-1)[:8].tolist()
    return flat().transform((1600, 1200), Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BICUBIC)


def on_photo(point: Point) -> Point:
    """Return where in the photo a point of the 48 x 32 table is."""
    matrix = homography([(0, 0), (48, 0), (48, 32), (0, 32)], SEEN)
    return carried(matrix, (point[0], 32 - point[1]))


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    crooked().save(path)
    return path


# --- rectified -------------------------------------------------------------------------------------------------------


def disc_at(picture: Image.Image, x: int, y: int) -> Point:
    """Return the centre of the white disc about a place, by the weight of its pixels."""
    grey = np.asarray(picture.convert("L"), float)[y - 16 : y + 16, x - 16 : x + 16]
    weight = np.clip(grey - 100.0, 0.0, None)
    rows, columns = np.mgrid[y - 16 : y + 16, x - 16 : x + 16] + 0.5
    return float((columns * weight).sum() / weight.sum()), float((rows * weight).sum() / weight.sum())


def test_a_crooked_photo_comes_back_straight_within_half_a_pixel() -> None:
    back = rectified(Photo(Path("table.png"), crooked(), SEEN), (48.0, 32.0), WIDE)
    assert back.size == (WIDE, HIGH)
    astray = [math.dist(disc_at(back, x, y), (x + 0.5, y + 0.5)) for x, y in DOTS]
    assert max(astray) < 0.5


def test_a_corner_a_pixel_off_is_seen() -> None:
    wrong = Photo(Path("table.png"), crooked(), ((SEEN[0][0] + 4.0, SEEN[0][1]), *SEEN[1:]))
    back = rectified(wrong, (48.0, 32.0), WIDE)
    assert max(math.dist(disc_at(back, x, y), (x + 0.5, y + 0.5)) for x, y in DOTS) > 0.5


@pytest.mark.parametrize("shift", [0.0, 12_000.0])
def test_a_homography_takes_its_four_points_where_they_belong(shift: float) -> None:
    source = [(x + shift, y - shift) for x, y in SEEN]
    target = [(0.0, 0.0), (72.0, 0.0), (72.0, 48.0), (0.0, 48.0)]
    matrix = homography(source, target)
    for a, b in zip(source, target, strict=True):
        assert math.dist(carried(matrix, a), b) < 1e-6


def test_the_camera_s_turn_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "turned.jpg"
    turned = Image.Exif()
    turned[0x0112] = 6  # the camera was held upright: turn it clockwise
    crooked().save(path, exif=turned)
    assert opened(path).picture.size == (1200, 1600)


@pytest.mark.parametrize(
    ("name", "data"), [("a.jpg", b"no picture"), ("a.png", b""), ("a.txt", b"x"), ("gone.png", None)]
)
def test_what_is_no_photo_is_said_in_one_line(name: str, data: bytes | None, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(BadQuestion) as refused:
        opened(tmp_path / name)
    assert name in str(refused.value) and "\n" not in str(refused.value)


def test_crossed_corners_are_refused() -> None:
    first, second, third, fourth = SEEN
    assert not Photo(Path("x"), crooked(), SEEN).fault
    for wrong in ((second, first, third, fourth), (first, third, second, fourth), (first, fourth, third, second)):
        assert "corners cross" in Photo(Path("x"), crooked(), wrong).fault


# --- under the table -------------------------------------------------------------------------------------------------


def pick(umpire: Umpire) -> None:
    """Drag the four handles on the table's corners and lay the photo."""
    for number, (x, y) in enumerate(SEEN):
        found = umpire.controller.backdrop.photo
        assert found is not None
        high = found.picture.height
        camera = umpire.screen.photo_camera
        start, end = (
            tuple(round(n) for n in camera.to_screen((px, high - py))) for px, py in (found.corners[number], (x, y))
        )
        umpire.move(start)  # type: ignore[arg-type]
        umpire.down(start)  # type: ignore[arg-type]
        umpire.move(end)  # type: ignore[arg-type]
        umpire.up(end)  # type: ignore[arg-type]
    umpire.press("photo:lay")


def test_dropped_picked_and_laid_the_photo_is_under_the_table(photo: Path) -> None:
    before = hashlib.sha256(photo.read_bytes()).hexdigest()
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        assert umpire.controller.backdrop.picking
        pick(umpire)
        found = umpire.controller.backdrop.photo
        assert found is not None and umpire.controller.backdrop.shown
        assert max(math.dist(a, b) for a, b in zip(found.corners, SEEN, strict=True)) < 1.5
        umpire.controller.backdrop.opacity = 1.0
        umpire.press("tab:ask")
        umpire.move((5, 5))
        x, y = DOTS[7]
        spot = umpire.screen.at(((x + 0.5) / PER, 32 - (y + 0.5) / PER))
        assert sum(umpire.screen.surface.get_at(spot)[:3]) > 600  # the middle of a white disc
        away = umpire.screen.at(((x + 40.0) / PER, 32 - (y + 0.5) / PER))
        assert sum(umpire.screen.surface.get_at(away)[:3]) < 300
    assert hashlib.sha256(photo.read_bytes()).hexdigest() == before


def test_a_base_traced_by_its_corners_stands_where_they_are(photo: Path) -> None:
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        pick(umpire)
        umpire.press("trace:")
        for corner in LINE:
            umpire.click(corner)
        (row,) = umpire.controller.draft.units
        unit = umpire.controller.battle.unit(row["id"])
        assert unit.facing == pytest.approx(20.37, abs=0.7)
        front = ((LINE[0][0] + LINE[1][0]) / 2, (LINE[0][1] + LINE[1][1]) / 2)
        assert math.dist(unit.front_mid, front) < 0.06


def test_another_size_of_the_table_stretches_the_photo_with_it(photo: Path) -> None:
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        pick(umpire)
        umpire.write("size:width", "60")
        image = umpire.controller.backdrop.image
        assert umpire.controller.size == (60.0, 32.0) and image is not None
        assert image.width / image.height == pytest.approx(60 / 32, abs=0.01)


def test_the_photo_is_kept_beside_the_scene_and_comes_back_with_it(photo: Path) -> None:
    scene = photo.parent / "scenes" / "dispute.yaml"
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        pick(umpire)
        corners = umpire.controller.backdrop.photo.corners if umpire.controller.backdrop.photo else ()
        umpire.press("save:")
        umpire.write("file", str(scene))
        umpire.press("choose:")
    kept = json.loads((scene.parent / "dispute.photo").read_text("utf-8"))
    assert kept["photo"] == "../table.png"
    assert "photo" not in scene.read_text("utf-8")
    with at_the_table() as other:
        other.drop(scene)
        found = other.controller.backdrop.photo
        assert found is not None and other.controller.backdrop.shown
        assert max(math.dist(a, b) for a, b in zip(found.corners, corners, strict=True)) < 0.01


def test_a_photo_that_is_gone_is_said_and_the_scene_opens(photo: Path) -> None:
    scene = photo.parent / "dispute.yaml"
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        pick(umpire)
        umpire.press("save:")
        umpire.write("file", str(scene))
        umpire.press("choose:")
    photo.unlink()
    with at_the_table() as other:
        other.drop(scene)
        assert other.controller.size == (48.0, 32.0)
        assert "there is no file" in other.controller.backdrop.note
        other.controller.note = ""
        other.key(pygame.K_ESCAPE)


@pytest.mark.parametrize("written", ["", "{}", '{"format": "tabletop-photo/1", "photo": 3}', "[1", '{"format": "x"}'])
def test_a_broken_note_of_the_photo_is_said_and_the_scene_opens(written: str, tmp_path: Path) -> None:
    with at_the_table(empty("tse", 48, 32)) as umpire:
        umpire.press("save:")
        umpire.write("file", str(tmp_path / "s.yaml"))
        umpire.press("choose:")
    (tmp_path / "s.photo").write_text(written, "utf-8")
    with at_the_table() as other:
        other.drop(tmp_path / "s.yaml")
        assert other.controller.size == (48.0, 32.0) and "choose it again" in other.controller.backdrop.note


def test_another_file_takes_the_photo_away(photo: Path, tmp_path: Path) -> None:
    with at_the_table(empty("tse", 48, 32), (1920, 1080)) as umpire:
        umpire.drop(photo)
        pick(umpire)
        umpire.press("save:")
        umpire.write("file", str(tmp_path / "with.yaml"))
        umpire.press("choose:")
        (tmp_path / "without.yaml").write_text((tmp_path / "with.yaml").read_text("utf-8"), "utf-8")
        umpire.drop(tmp_path / "without.yaml")
        assert umpire.controller.backdrop.photo is None and not umpire.controller.backdrop.shown
        umpire.drop(tmp_path / "with.yaml")
        assert umpire.controller.backdrop.shown
