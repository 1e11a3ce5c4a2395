"""A drawing on a surface: what the vectors say is what the pixels show."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from tabletop.render.drawing import scene
from tabletop.render.drawing.glyphs import GLYPHS
from tabletop.render.drawing.lettering import FILES, width
from tabletop.render.drawing.primitives import Area, Circle, Drawing, Frame, Item, Layer, Lines, Pen, Stamps, Text
from tabletop.render.drawing.strokes import dashed
from tabletop.render.painting import painter
from tabletop.render.table import notices
from tests.render import table_of_everything as everything

SQUARE = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
HOLE = ((4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0))


def painted(*items: Item, clip: tuple[float, float, float, float] | None = None, smooth: bool = True) -> pygame.Surface:
    surface = pygame.Surface((100, 100))
    surface.fill("#ffffff")
    drawing = Drawing((Layer("a", items, clip),), (0, 0, 10, 10), 10.0)
    painter.paint(surface, drawing, Frame.of(drawing), smooth=smooth)
    return surface


def colour_at(surface: pygame.Surface, x: float, y: float) -> tuple[int, int, int]:
    """Return the colour at a table point (ten pixels a unit, north up)."""
    return tuple(surface.get_at((int(10 * x), int(10 * (10 - y)))))[:3]  # type: ignore[return-value]


@pytest.mark.parametrize("smooth", [True, False])
def test_an_area_with_a_hole(smooth: bool) -> None:
    surface = painted(Area((SQUARE, HOLE), "#ff0000"), smooth=smooth)
    assert colour_at(surface, 2, 2) == (255, 0, 0)
    assert colour_at(surface, 5, 5) == (255, 255, 255)
    assert colour_at(surface, 0.5, 5) == (255, 255, 255)


def test_north_is_up() -> None:
    surface = painted(Circle((5.0, 8.0), 1.0, fill="#0000ff"))
    assert colour_at(surface, 5, 8) == (0, 0, 255)
    assert colour_at(surface, 5, 2) == (255, 255, 255)


def test_opacity_mixes_with_what_lies_below() -> None:
    surface = painted(Area((SQUARE,), "#000000", opacity=0.5))
    assert colour_at(surface, 5, 5)[0] == pytest.approx(127, abs=2)


def test_a_layer_is_cut_at_its_clip() -> None:
    surface = painted(Area((SQUARE,), "#ff0000"), clip=(0, 0, 5, 10))
    assert colour_at(surface, 3, 5) == (255, 0, 0)
    assert colour_at(surface, 7, 5) == (255, 255, 255)
    assert surface.get_clip() == surface.get_rect()


@pytest.mark.parametrize("pixels, size", [(True, 10.0), (False, 1.0)])
def test_a_pens_width_in_pixels_or_in_table_units(pixels: bool, size: float) -> None:
    surface = painted(Lines((((1.0, 5.0), (9.0, 5.0)),), Pen("#ff0000", size, pixels=pixels)))
    column = pygame.surfarray.array3d(surface)[50, :, 1]
    assert (column < 128).sum() == pytest.approx(10, abs=2)


def test_a_dashed_line_has_gaps() -> None:
    surface = painted(Lines((((1.0, 5.0), (9.0, 5.0)),), Pen("#ff0000", 4.0, dash=(2.0, 2.0), round=False)))
    row = pygame.surfarray.array3d(surface)[:, 50, 1] < 128
    assert np.abs(np.diff(row.astype(int))).sum() == 10  # five dashes of eight pixels on eighty


def test_dashes_cover_their_share_and_keep_corners() -> None:
    track = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)])
    pieces = dashed(track, (3.0, 1.0))
    lengths = [np.hypot(*np.diff(p, axis=0).T).sum() for p in pieces]
    assert sum(lengths) == pytest.approx(15.0)
    assert any((10.0, 0.0) in map(tuple, p) for p in pieces)


def test_dashes_finer_than_can_be_drawn_are_bounded() -> None:
    assert len(dashed(np.array([(0.0, 0.0), (1e6, 0.0)]), (0.001, 0.001))) <= 4001


@pytest.mark.parametrize("glyph", sorted(GLYPHS))
def test_each_symbol_leaves_a_mark(glyph: str) -> None:
    surface = painted(Area((((0, 0), (10, 0), (10, 10), (0, 10)),), "#808080"), Stamps(glyph, ((5.0, 5.0),), 6.0))
    pixels = pygame.surfarray.array3d(surface).reshape(-1, 3)
    assert len(np.unique(pixels, axis=0)) > 1


def test_symbols_turn_clockwise() -> None:
    surface = painted(Stamps("arrow", ((5.0, 5.0),), 8.0, turns=(90.0,)))
    dark = np.argwhere(pygame.surfarray.array3d(surface)[:, :, 0] < 128)
    east, west = (dark[:, 0] > 50).sum(), (dark[:, 0] < 50).sum()
    tip = dark[dark[:, 0] > 80]
    assert east and west
    assert len(tip) and abs(tip[:, 1].mean() - 50) < 3


@pytest.mark.parametrize("anchor, left, right", [("start", 50, 100), ("end", 0, 50), ("middle", 25, 75)])
def test_text_stands_by_its_anchor(anchor: str, left: int, right: int) -> None:
    surface = painted(Text((5.0, 5.0), "ooo", 20.0, "#000000", anchor=anchor))  # type: ignore[arg-type]
    dark = np.argwhere(pygame.surfarray.array3d(surface)[:, :, 0] < 128)
    assert left <= dark[:, 0].min()
    assert dark[:, 0].max() <= right
    assert dark[:, 1].mean() == pytest.approx(51, abs=4)


@pytest.mark.parametrize("face", sorted(FILES))
def test_measured_widths_are_the_fonts_own(face: str) -> None:
    """Widths read without a screen are the screen's, but for the lean of italics beyond their last letter."""
    for text in ("Kellermann", "Sart-Dames-Avelines", "Jérôme’s 12-pounders"):
        assert width(text, 160.0, face) == pytest.approx(painter.font(face, 160).size(text)[0], rel=0.02)


def test_the_picture_has_the_drawings_size_and_is_the_same_every_time() -> None:
    drawing = scene.picture(everything.battle(), style=scene.Style(640, 480))
    first, second = painter.picture(drawing), painter.picture(drawing)
    assert first.get_size() == drawing.size
    assert pygame.image.tobytes(first, "RGB") == pygame.image.tobytes(second, "RGB")


@pytest.mark.parametrize(
    "scale, left, top", [(1e-3, -50, 90), (4000.0, 20.0, 20.0), (25.0, 1e6, 1e6), (30.0, -200, 40)]
)
def test_any_camera_is_safe(scale: float, left: float, top: float) -> None:
    """Far out, far in, and off the table: painted without an error and within the surface."""
    surface = pygame.Surface((320, 200))
    battle = everything.battle()
    for drawing in (
        scene.terrain_layer(battle),
        scene.unit_layer(battle),
        scene.verdict_layer(everything.verdict(), 30.0),
    ):
        painter.paint(surface, drawing, Frame(scale, left, top))
    assert surface.get_clip() == surface.get_rect()


def test_zooming_shows_the_same_colours_at_the_same_place() -> None:
    """The middle of a lake is water at every scale."""
    drawing = scene.terrain_layer(everything.battle())
    lake = next(p for p in everything.battle().table.terrain if p.kind == "lake").shape.centroid
    seen = set()
    for scale in (12.0, 24.5, 61.0):
        surface = pygame.Surface((400, 300))
        painter.paint(surface, drawing, Frame(scale, lake.x - 200 / scale, lake.y + 150 / scale))
        seen.add(tuple(surface.get_at((200, 150))))
    assert len(seen) == 1


def test_screen_and_file_agree() -> None:
    """A drawing painted on a surface and the picture file of it differ only along edges and in fine lines."""
    drawing = scene.picture(everything.battle(), style=scene.Style(640, 480, furniture=False))
    surface = pygame.Surface(drawing.size)
    painter.paint(surface, drawing, Frame.of(drawing))
    a, b = (pygame.surfarray.array3d(s).astype(int) for s in (surface, painter.picture(drawing)))
    apart = np.abs(a - b).max(axis=2)
    assert (apart <= 2).mean() > 0.6
    assert np.abs(a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))).max() < 1.5


def test_shrinking_keeps_a_flat_colour() -> None:
    """The ground's colour in the file is the theme's, to the last bit."""
    drawing = Drawing((Layer("a", (Area((SQUARE,), "#ebe6cf"),)),), (0, 0, 10, 10), 10.0, background="#fbf8f0")
    shrunk = painter.picture(drawing)
    assert tuple(shrunk.get_at((50, 50)))[:3] == (0xEB, 0xE6, 0xCF)
    assert tuple(shrunk.get_at((2, 2)))[:3] == (0xFB, 0xF8, 0xF0)


def test_a_place_outside_a_window_too_small_for_it_is_an_empty_part() -> None:
    """A sentence laid over the middle of a window of one pixel lies outside it altogether."""
    surface = pygame.Surface((1, 1))
    assert painter.within(surface, pygame.Rect(40, 30, 20, 20)).get_size() == (0, 0)
    assert painter.within(surface, pygame.Rect(-5, -5, 20, 20)).get_size() == (1, 1)
    notices.word(surface, "This file is no battle.", 2.0)


#: Something of every kind, whole and half through, and partly off the picture.
EVERY_KIND: tuple[Item, ...] = (
    Area((SQUARE, HOLE), "#ff0000", Pen("#000000", 2.0)),
    Area((SQUARE,), "#00ff00", Pen("#000000", 1.2, dash=(4, 2)), opacity=0.3),
    Area((((2.0, 2.0), (14.0, 3.0), (14.0, 12.0)),), "#0000ff", opacity=0.5),
    Lines((((1.0, 1.0), (7.3, 4.1), (12.0, 2.0)), ((3.0, 3.0), (3.7, 8.2))), Pen("#123456", 5.0, opacity=0.6)),
    Lines((((1.0, 6.0), (7.3, 4.1)), ((3.0, 5.0), (3.7, 8.2), (1.2, 1.1))), Pen("#654321", 6.0, round=False)),
    Lines((((1.0, 6.5), (8.3, 4.5)),), Pen("#654321", 0.2, pixels=False, dash=(3.0, 2.0))),
    Lines((((0.5, 9.0), (9.3, 8.5)),), Pen("#654321", 1.0)),
    Circle((5.0, 5.0), 2.0, "#abcdef", Pen("#ffffff", 2.0)),
    Circle((2.0, 5.0), 9.0, "#abcdef", Pen("#ffffff", 3.0, dash=(3.0, 2.0)), pixels=True, opacity=0.5),
    Stamps("arrow", ((4.0, 4.0), (30.0, 30.0)), 3.0, turns=(30.0, 0.0)),
    Text((5.0, 7.0), "Reille", 14.0, "#000000", halo="#ffffff", anchor="start", turn=20.0, shift=(3.0, 4.0)),
)


def _shown(layer: Layer, frame: Frame, clip: pygame.Rect | None = None) -> bytes:
    surface = pygame.Surface((100, 100))
    surface.fill("#d0c8b0")
    surface.set_clip(clip)
    painter.paint(surface, Drawing((layer,), (0, 0, 10, 10), 10.0), frame)
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("item", EVERY_KIND)
def test_what_stays_in_its_place_is_painted_the_same_every_time(item: Item) -> None:
    """Ink is kept from the second time on; elsewhere, at another scale or cut otherwise a thing is painted anew."""
    here, there, near = Frame(10.0, 0.0, 10.0), Frame(10.0, 1.3, 10.0), Frame(13.0, 0.0, 10.0)
    cut = pygame.Rect(20, 30, 40, 35)
    layer = Layer("a", (item,))
    for frame, clip in [*[(here, None)] * 3, *[(there, None)] * 3, *[(near, None)] * 2, *[(here, cut)] * 3]:
        assert _shown(layer, frame, clip) == _shown(Layer("a", (item,)), frame, clip)
    places = {_shown(layer, here), _shown(layer, there), _shown(layer, near), _shown(layer, here, cut)}
    assert len(places) == 4


def test_a_fine_stretch_by_itself_is_painted_the_same_in_every_run() -> None:
    """As one smooth line: pygame's polylines of a single stretch end on whatever lies in memory."""
    line = ((1.07, 5.03), (1.93, 4.41))
    expected = pygame.Surface((100, 100))
    expected.fill("#ffffff")
    start, end = ((10 * x, 10 * (10 - y)) for x, y in line)
    pygame.draw.aaline(expected, "#ff0000", start, end)
    surface = painted(Lines((line,), Pen("#ff0000", 1.0)))
    assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(expected, "RGB")


def test_a_translucent_area_covers_each_pixel_by_its_share() -> None:
    """A slanting edge: its pixels lie between what it covers and what it leaves, as its way through them says."""
    surface = painted(Area((((1.0, 1.0), (9.0, 1.0), (9.0, 7.4)),), "#000000", opacity=0.5))
    light = pygame.surfarray.array3d(surface)[..., 0].astype(float)
    shade = ((255 - light) / 127.5).sum() / 100.0
    rim = 8.0 + 6.4 + float(np.hypot(8.0, 6.4))
    assert shade == pytest.approx(0.5 * 8.0 * 6.4, abs=0.0125 * rim), "as large as it is, to an eighth of a pixel"
    edge = [1.0 - (light[x, :] - 127.5) / 127.5 for x in range(20, 80)]
    tops = np.array([90.0 - column.sum() for column in edge])
    wished = 90.0 - 64.0 * (np.arange(20, 80) - 9.5) / 80.0
    assert np.abs(tops - wished - (tops - wished).mean()).max() < 0.2, "no steps"


@pytest.mark.parametrize("opacity", [0.5, 0.9])
def test_a_translucent_stroke_has_no_dark_hairline(opacity: float) -> None:
    """Light ink over darker ground: no pixel is darker than the ground, none lighter than the two mixed."""
    ground = pygame.Surface((100, 100))
    ground.fill("#7d8a4e")
    for size in (1.0, 2.4, 5.0, 12.0):
        for line in (((1.0, 2.0), (8.5, 4.3), (3.0, 8.1)), ((1.0, 1.0), (9.0, 8.0))):
            surface = ground.copy()
            drawing = Drawing(
                (Layer("a", (Lines((line,), Pen("#fffdf6", size, opacity=opacity)),)),), (0, 0, 10, 10), 10
            )
            painter.paint(surface, drawing, Frame.of(drawing))
            below, seen = (pygame.surfarray.array3d(one).astype(int) for one in (ground, surface))
            assert (seen >= below - 1).all()
            mixed = below + opacity * (np.array([255, 253, 246]) - below)
            assert (seen <= mixed + 2).all() and (seen[..., 2] > below[..., 2] + 20).any()


@pytest.mark.parametrize(("opacity", "width"), [(1.0, 2.0), (1.0, 6.0), (0.6, 3.0)])
def test_circles_do_not_wobble(opacity: float, width: float) -> None:
    """All round, the middle of an outline lies where the circle does, to an eighth of a pixel, and is as wide."""
    surface = painted(Circle((4.93, 5.06), 35.0, None, Pen("#000000", width, opacity=opacity), pixels=True))
    ink = (255 - pygame.surfarray.array3d(surface)[..., 0].astype(float)) / (255 * opacity)
    x, y = np.meshgrid(np.arange(100), np.arange(100), indexing="ij")
    far, way = np.hypot(x - 49.3, y - 49.4), np.arctan2(y - 49.4, x - 49.3)
    for sector in np.arange(24) * np.pi / 12 - np.pi:
        part = (way >= sector) & (way < sector + np.pi / 12)
        assert (ink * far)[part].sum() / ink[part].sum() == pytest.approx(35.0 + width**2 / 420.0, abs=0.125)
        assert ink[part].sum() == pytest.approx(width * 35.0 * np.pi / 12, rel=0.12)
