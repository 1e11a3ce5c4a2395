"""The painted ground: outlines true to the map, plates that fit together, paintings kept, one for three writers."""

from __future__ import annotations

import base64
import io
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image
from typer.testing import CliRunner

from tabletop.cli import app
from tabletop.geometry.terrain import CROPS, Field, Table, Terrain, presets
from tabletop.render.drawing import theme
from tabletop.render.drawing.buildings import houses, streets_of
from tabletop.render.drawing.ground import ground_layers
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.drawing.landscape.painted import Landscape, painting
from tabletop.render.drawing.landscape.plate import Plate, darken, lay
from tabletop.render.drawing.pdf import pdf
from tabletop.render.drawing.primitives import Drawing, Frame, Painting
from tabletop.render.drawing.svg import svg
from tabletop.render.painting.painter import picture

WOOD = Terrain.of_kind("wood", "woods", outline=[(1.0, 1.0), (3.0, 1.0), (3.0, 2.5), (1.0, 2.5)])
LAKE = Terrain.of_kind("lake", "lake", outline=[(4.0, 0.5), (6.0, 0.5), (6.0, 2.0), (4.0, 2.0)])
HILL = Terrain.of_kind("hill", "hill", outline=[(3.5, 2.4), (6.5, 2.4), (6.5, 3.8), (3.5, 3.8)])
ROAD = Terrain.of_kind("road", "road", line=[(0.0, 3.2), (7.0, 3.2)])
TABLE = Table.of("in", 7.0, 4.0, [WOOD, LAKE, HILL, ROAD])


@pytest.fixture(autouse=True)
def cold() -> Iterator[None]:
    store._kept.clear()
    yield
    theme.apply_theme("plain")
    store._kept.clear()


@pytest.fixture
def painted_look() -> None:
    theme.apply_theme("plain", "period", "painted")


def plate(density: float = 32.0, left: int = 0, down: int = 0, wide: int = 224, high: int = 128) -> Plate:
    return Plate(left, down, wide, high, density, 1.0, 4.0)


def test_a_mask_covers_what_a_shape_covers() -> None:
    """To a hundredth of a square inch, edges on the pixels' grid and off it; a hole stays open."""
    ring = shapely.Polygon([(1, 1), (3, 1), (3, 2.5), (1, 2.5)], [[(1.5, 1.5), (2, 1.5), (2, 2), (1.5, 2)]])
    for shape in (
        WOOD.shape,
        ring,
        shapely.affinity.rotate(ring, 23.0),
        shapely.affinity.translate(ring, 0.013, 0.007),
    ):
        mask = plate().mask(shape)
        assert mask.sum() / 32.0**2 == pytest.approx(shape.area, abs=0.04)
        rows, columns = np.nonzero(mask)
        west, south, east, north = shape.bounds
        assert columns.min() / 32.0 == pytest.approx(west, abs=0.04)
        assert (columns.max() + 1) / 32.0 == pytest.approx(east, abs=0.04)
        assert 4.0 - (rows.max() + 1) / 32.0 == pytest.approx(south, abs=0.04)
        assert 4.0 - rows.min() / 32.0 == pytest.approx(north, abs=0.04)


def test_blur_keeps_what_it_spreads() -> None:
    mask = plate().mask(shapely.box(3.0, 1.5, 4.0, 2.5))
    soft = plate().blur(mask, 0.2)
    assert soft.sum() == pytest.approx(mask.sum(), rel=1e-4) and soft.max() <= 1.0
    assert soft[64, 80] == pytest.approx(0.0, abs=0.02) and 0.4 < soft[64, 96] < 0.6, "half at the edge"


def test_plates_fit_together() -> None:
    """Cut in two anywhere, the painting is the same: nothing depends on the plate."""
    land = Landscape.of(TABLE)
    whole = land.painted(0, 0, 224, 128, 32.0).astype(int)
    for cut in (97, 128):
        parts = land.painted(0, 0, cut, 128, 32.0), land.painted(cut, 0, 224 - cut, 128, 32.0)
        off = np.abs(np.hstack(parts).astype(int) - whole).max(axis=2)
        assert np.mean(off > 3) < 0.002, "roundings of crowns alone"


def test_a_table_is_painted_the_same_each_time_and_another_otherwise() -> None:
    assert np.array_equal(painting(TABLE, 16.0), painting(TABLE, 16.0))
    without = Table.of("in", 7.0, 4.0, [LAKE, HILL, ROAD])
    off = np.abs(painting(TABLE, 16.0).astype(int) - painting(without, 16.0)).max(axis=2) > 24
    _, columns = np.nonzero(off)
    assert columns.min() / 16 > 0.6 and columns.max() / 16 < 3.6, (
        "a wood changes the ground it stands on, and its shadow"
    )
    assert np.mean(off[4 * 16 - 40 + 4 : 4 * 16 - 16 - 4, 16 + 4 : 48 - 4]) > 0.6


def test_water_is_blue_and_woods_are_green_to_their_outlines() -> None:
    rgb = painting(TABLE, 32.0).astype(int)
    lake, wood = rgb[64 + 8 : 112 - 8, 128 + 8 : 192 - 8], rgb[48 + 6 : 96 - 6, 32 + 6 : 96 - 6]
    assert (lake[..., 2] > lake[..., 0] + 20).mean() > 0.95
    assert (wood[..., 1] > wood[..., 2] + 10).mean() > 0.95
    beside = rgb[64 + 8 : 112 - 8, 200:220]
    assert (beside[..., 2] > beside[..., 0]).mean() < 0.05, "an inch beside the lake the ground is dry"


def test_a_slope_to_the_north_west_is_lighter_than_one_to_the_south_east() -> None:
    light = painting(Table.of("in", 7.0, 4.0, [HILL]), 32.0).astype(int).sum(axis=2)
    north, south = light[10:16, 130:190].mean(), light[42:48, 130:190].mean()
    assert north > south + 40


@pytest.mark.parametrize("kind", sorted(presets()))
def test_every_kind_of_terrain_shows(kind: str) -> None:
    """An area or a line of any kind changes the ground where it lies, and a hand's breadth off it nothing."""
    shape = {"outline": [(2, 1.5), (4, 1.5), (4, 2.5), (2, 2.5)]}
    if presets()[kind]["shape"] == "line":
        shape = {"line": [(2, 2), (4, 2)]}
    piece = Terrain.of_kind("x", kind, **shape)  # type: ignore[arg-type]
    bare, laid = (painting(Table.of("in", 7.0, 4.0, some), 16.0).astype(int) for some in ([], [piece]))
    off = np.abs(laid - bare).max(axis=2)
    assert (off[20:44, 30:66] > 12).mean() > 0.01
    assert (off[:, 90:] > 8).mean() == 0.0


def test_houses_line_both_sides_of_a_street_through_a_village() -> None:
    """Both sides, in a village of any size: as many as there is room for, none on the street or on another."""
    for size in (1.8, 2.5, 4.0):
        half = size / 2
        corners = [(3.5 - half, 2 - half), (3.5 + half, 2 - half), (3.5 + half, 2 + half), (3.5 - half, 2 + half)]
        village = Terrain.of_kind("village", "town", outline=corners)
        road = Terrain.of_kind("street", "road", line=[(0.0, 1.9), (7.0, 2.2)])
        streets = streets_of(Table.of("in", 7.0, 4.0, [village, road]))
        found = houses(village, streets, 1.0)
        front = [house for house in found if house.distance(streets) < 0.12]
        north = [house for house in front if house.centroid.y > 2.0]
        assert len(north) >= size and len(front) - len(north) >= size
        assert sum(house.area for house in found) > 0.22 * village.shape.difference(streets).area
        assert all(house.within(village.shape) and not house.intersects(streets) for house in found)
        assert all(not a.intersects(b) for a, b in combinations(found, 2))


def test_a_huge_or_a_very_long_table_is_painted_coarser() -> None:
    for wide, high in ((400.0, 300.0), (9000.0, 1.0)):
        land = Landscape.of(Table.of("in", wide, high, []))
        columns, rows = land.size(land.fitted(store.FINE))
        assert columns <= 16_001 and rows <= 16_001 and columns * rows <= 20_100_000
    assert Landscape.of(TABLE).fitted(store.FINE) == store.FINE
    assert painting(Table.of("in", 900.0, 0.4, []), store.COARSE).shape[1] > 8000


def test_tables_in_millimetres_are_painted_alike() -> None:
    big = Table.of(
        "mm", 177.8, 101.6, [Terrain.of_kind("wood", "woods", outline=[(25.4, 25.4), (76.2, 25.4), (76.2, 63.5)])]
    )
    small = Table.of("in", 7.0, 4.0, [Terrain.of_kind("wood", "woods", outline=[(1, 1), (3, 1), (3, 2.5)])])
    assert painting(big, 16.0).shape == painting(small, 16.0).shape
    a, b = (painting(table, 16.0)[30:40, 36:44].mean(axis=(0, 1)) for table in (big, small))
    assert a == pytest.approx(b, abs=25)


# --- kept -------------------------------------------------------------------------------------------------------------


def test_a_painting_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = store.painted(TABLE, store.COARSE)
    assert store.painted(TABLE, store.COARSE) is first and store.ready(TABLE, store.COARSE) is first
    store._kept.clear()
    monkeypatch.setattr(store, "painting", lambda *_: pytest.fail("it is in the folder"))
    assert store.painted(TABLE, store.COARSE).rgb.shape == first.rgb.shape


def test_a_damaged_or_unwritable_folder_costs_time_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(store, "folder", lambda: tmp_path)
    made = store.painted(TABLE, store.COARSE).rgb
    (file,) = tmp_path.glob("*.jpg")
    file.write_bytes(b"no picture")
    store._kept.clear()
    assert np.array_equal(store.painted(TABLE, store.COARSE).rgb, made)
    store._kept.clear()
    monkeypatch.setattr(store, "folder", lambda: tmp_path / file.name / "below a file")
    assert np.array_equal(store.painted(TABLE, store.COARSE).rgb, made)


def test_fields_that_a_map_names_are_painted_on_pasture_and_no_others() -> None:
    """Each crop has a colour of its own, to its outline; elsewhere there is pasture alone."""
    outlines = [[(k + 0.1, 1), (k + 0.9, 1), (k + 0.9, 3), (k + 0.1, 3)] for k in range(len(CROPS))]
    rows = tuple(Field(crop, shapely.Polygon(ring)) for crop, ring in zip(CROPS, outlines, strict=True))
    bare = Table.of("in", 7.0, 4.0)
    rgb = painting(replace(bare, fields=rows), 32.0).astype(float)
    tones = {crop: rgb[32 + 6 : 96 - 6, 32 * k + 8 : 32 * k + 24].mean(axis=(0, 1)) for k, crop in enumerate(CROPS)}
    for crop, tone in tones.items():
        assert min(np.abs(tone - other).max() for name, other in tones.items() if name != crop) > 4.0, crop
    outside = np.abs(rgb[:24] - rgb[32 + 6 : 96 - 6, 8:24].mean(axis=(0, 1))).max(axis=2)
    assert CROPS[0] == "pasture" and np.mean(outside > 60) < 0.02
    assert np.abs(painting(bare, 32.0) - rgb)[:24].max(axis=2).mean() > 5.0


def test_a_table_that_differs_in_anything_shown_is_another() -> None:
    names = {store.digest(TABLE)}
    for other in (
        WOOD.moved(0.01, 0.0),
        Terrain.of_kind("wood", "marsh", outline=[(1, 1), (3, 1), (3, 2.5), (1, 2.5)]),
    ):
        names.add(store.digest(Table.of("in", 7.0, 4.0, [other, LAKE, HILL, ROAD])))
    names.add(store.digest(Table.of("in", 7.5, 4.0, [WOOD, LAKE, HILL, ROAD])))
    for crop in ("rye", "fallow"):
        names.add(store.digest(replace(TABLE, fields=(Field(crop, shapely.box(4, 1, 6, 2)),))))
    assert len(names) == 6
    assert store.digest(Table.of("in", 7.0, 4.0, [ROAD, HILL, LAKE, WOOD])) in names


def test_in_grey_a_painting_is_grey(painted_look: None) -> None:
    theme.apply_theme("grey", "period", "painted")
    rgb = store.painted(TABLE, store.COARSE).rgb
    assert (rgb[..., 0] == rgb[..., 1]).all() and (rgb[..., 1] == rgb[..., 2]).all() and rgb.std() > 5


def test_the_window_has_it_painted_elsewhere(painted_look: None) -> None:
    """Until then the map stands in; afterwards the painting lies there."""
    assert len(ground_layers(TABLE, wait=False)) > 1
    baker = Baker()
    try:
        baker.want(TABLE)
        baker.want(TABLE)
        end = time.monotonic() + 120.0
        while baker.done < 1 and time.monotonic() < end:
            time.sleep(0.05)
        (layer,) = ground_layers(TABLE, wait=False)
        assert isinstance(layer.items[0], Painting)
    finally:
        baker.close()


# --- one drawing, three writers ---------------------------------------------------------------------------------------


def test_picture_svg_and_pdf_hold_the_same_painting(painted_look: None) -> None:
    layers = ground_layers(TABLE, 20.0)
    drawing = Drawing(layers, (-0.5, -0.5, 7.5, 4.5), 20.0)
    (item,) = layers[0].items
    assert isinstance(item, Painting)
    text = svg(drawing)
    (image,) = re.findall(r'<image x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)".*base64,([^"]+)"', text)
    assert [float(x) for x in image[:4]] == [10.0, 10.0, 140.0, 80.0]
    inside = np.asarray(Image.open(io.BytesIO(base64.b64decode(image[4]))).convert("RGB"))
    assert inside.shape == item.rgb.shape and np.abs(inside.astype(int) - item.rgb).mean() < 6
    assert pdf(drawing).count(b"/Subtype /Image") == 1
    import pygame

    shown = np.asarray(pygame.surfarray.array3d(picture(drawing))).swapaxes(0, 1).astype(int)
    wanted = np.asarray(Image.fromarray(item.rgb).resize((140, 80), Image.Resampling.BOX)).astype(int)
    assert np.abs(shown[12:88, 12:148] - wanted[2:78, 2:138]).mean() < 8
    assert (shown[:8] == 255).all() and (shown[:, :8] == 255).all(), "nothing beside the table"


def test_a_part_of_a_painting_lies_where_the_whole_does(painted_look: None) -> None:
    """Zoomed in on a corner, a painted edge is where the camera puts the shape's."""
    import pygame

    from tabletop.render.painting.painter import paint

    drawing = Drawing(ground_layers(TABLE, 20.0), (0.0, 0.0, 7.0, 4.0), 20.0)
    for scale, left, top in ((60.0, 3.0, 2.5), (97.0, 3.4, 2.6), (10.0, -2.0, 6.0)):
        surface = pygame.Surface((240, 200))
        paint(surface, drawing, Frame(scale, left, top))
        rgb = pygame.surfarray.array3d(surface).swapaxes(0, 1).astype(int)
        row, inside, outside = (top - 1.2) * scale, (4.25 - left) * scale, (3.6 - left) * scale
        if 0 <= row < 200 and outside >= 0 and inside < 240:
            assert rgb[int(row), int(inside), 2] > rgb[int(row), int(inside), 0]
            assert rgb[int(row), int(outside), 2] < rgb[int(row), int(outside), 0]


def test_render_with_a_look(tmp_path: Path) -> None:
    out = tmp_path / "starter.svg"
    done = CliRunner().invoke(app, ["render", "scenarios/tse/starter.yaml", "--look", "painted", "-o", str(out)])
    assert done.exit_code == 0 and "data:image/jpeg" in out.read_text("utf-8")
    theme.apply_theme("plain")
    wrong = CliRunner().invoke(app, ["render", "scenarios/tse/starter.yaml", "--look", "oils", "-o", str(out)])
    assert wrong.exit_code != 0 and "'oils'" in str(wrong.exception) and "map, painted, plain" in str(wrong.exception)


def test_plates_painted_by_several_threads_make_the_same_painting() -> None:
    square = [(20.0, 10.0), (40.0, 10.0), (40.0, 30.0), (20.0, 30.0)]
    wood = Terrain.of_kind("great wood", "woods", outline=[(x + 15.0, y) for x, y in square])
    hill = Terrain.of_kind("great hill", "hill", outline=square)
    table = Table.of("in", 60.0, 40.0, [wood, hill, Terrain.of_kind("way", "road", line=[(0.0, 9.0), (60.0, 31.0)])])
    assert len(list(Landscape.of(table).plates(16.0))) > 3
    assert np.array_equal(painting(table, 16.0), painting(table, 16.0, threads=3))


@pytest.mark.parametrize("corner", [(0.0, 0.0), (2.0, 1.5), (6.4, 3.6)])
def test_a_blur_and_a_layer_reach_only_what_they_cover_and_that_whole(corner: tuple[float, float]) -> None:
    plate = Plate(0, 0, 224, 128, 32.0, 1.0, 4.0)
    mask = plate.mask(shapely.box(*corner, corner[0] + 0.6, corner[1] + 0.4))
    faint = np.full_like(mask, 1e-30)  # never 0, so that the whole plate is blurred
    assert np.allclose(plate.blur(mask, 0.12), plate.blur(mask + faint, 0.12), atol=1e-4)
    ground = np.full((128, 224, 3), 100.0, np.float32)
    laid, dark = ground.copy(), ground.copy()
    lay(laid, (200.0, 0.0, 50.0), mask)
    assert np.allclose(laid, ground + (np.array((200.0, 0.0, 50.0)) - ground) * mask[..., None], atol=1e-3)
    darken(dark, mask, 0.5)
    assert np.allclose(dark, ground * (1.0 - 0.5 * mask[..., None]), atol=1e-3)
