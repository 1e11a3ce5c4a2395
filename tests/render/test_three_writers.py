"""One drawing, three writers: a table looks the same on the screen, as SVG and as PDF; names can be selected."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame
import pypdfium2
import pytest
import resvg_py
from PIL import Image

from tabletop.play.files.load import load_scene
from tabletop.render.drawing import scene, theme
from tabletop.render.drawing.pdf import pdf
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.drawing.scene import Style
from tabletop.render.drawing.svg import svg
from tabletop.render.drawing.traces import Loss, Smoke, Trace
from tabletop.render.painting.painter import picture
from tabletop.rules.common.looks import Figure

LOOKS = ("painted", "map", "plain")
#: Pixels that are averaged before pictures are compared: edges are smoothed in three ways.
COARSE = 4
#: Greatest average difference (the grain of a painting is scaled in three ways too), and the share of places that may
#: differ by more than ``FAR`` of 255.
MEAN, FAR, APART = 4.0, 40, 0.005


@pytest.fixture(autouse=True)
def usual_look() -> Iterator[None]:
    yield
    theme.apply_theme("plain")


def drawing(look: str, palette: str = "plain") -> Drawing:
    """Return a page with ground, smoke, the fallen, units in disorder, names and frame."""
    theme.apply_theme(palette, "figures", look)
    battle = load_scene("scenarios/tse/starter.yaml")
    units = tuple(replace(u, status="disordered") if u.id == "auer" else u for u in battle.units)
    battle = replace(battle, units=units)
    page = scene.picture(battle, style=Style(width=900, height=760))
    unit = battle.unit("bertin")
    left: list[Trace] = [
        Smoke(unit.fronts, battle.clock.turn),
        Loss(unit.id, unit.side, Figure.FOOT, unit.moved(3, 3).bases[:1]),
    ]
    traces = [layer for layer in scene.unit_layer(battle, traces=left).layers if layer.name in ("smoke", "fallen")]
    at = next(k for k, layer in enumerate(page.layers) if layer.name == "units")
    return replace(page, layers=(*page.layers[:at], *traces, *page.layers[at:]))


def on_screen(page: Drawing) -> np.ndarray:
    return np.asarray(pygame.surfarray.array3d(picture(page))).swapaxes(0, 1)


def as_svg(page: Drawing) -> np.ndarray:
    return _pixels(Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg(page))))), page)


def as_pdf(page: Drawing) -> np.ndarray:
    document = pypdfium2.PdfDocument(pdf(page))
    sheet = document[0]
    density = page.size[0] / sheet.get_width() if len(document) == 1 else 1.0
    return _pixels(sheet.render(scale=density).to_pil(), page)


def _pixels(image: Image.Image, page: Drawing) -> np.ndarray:
    return np.asarray(image.convert("RGB").resize(page.size, Image.Resampling.BOX))


def coarse(rgb: np.ndarray) -> np.ndarray:
    high, wide = (size // COARSE * COARSE for size in rgb.shape[:2])
    blocks = rgb[:high, :wide].reshape(high // COARSE, COARSE, wide // COARSE, COARSE, 3)
    averages: np.ndarray = blocks.mean(axis=(1, 3))
    return averages


@pytest.mark.parametrize("look", LOOKS)
def test_screen_svg_and_pdf_look_the_same(look: str) -> None:
    """Compared place by place; shifted by two hundredths of the page they are found not to be the same."""
    page = drawing(look)
    shown = coarse(on_screen(page))
    for other in (as_svg(page), as_pdf(page)):
        off = np.abs(coarse(other) - shown)
        assert off.mean() < MEAN and (off.max(axis=2) > FAR).mean() < APART
        shifted = np.abs(np.roll(coarse(other), 4, axis=1) - shown)
        assert shifted.mean() > 2 * off.mean() and (shifted.max(axis=2) > FAR).mean() > 2 * APART


def test_every_name_can_be_selected_once() -> None:
    """In the PDF as its text is copied; in the SVG by what a browser lets one select."""
    page = drawing("painted")
    text = pypdfium2.PdfDocument(pdf(page))[0].get_textpage().get_text_bounded().split()
    words = [line for line in svg(page).splitlines() if line.startswith("<text") and "user-select:none" not in line]
    for name in ("Auer", "Bertin", "Daumas"):
        assert text.count(name) == 1
        assert sum(f">{name}<" in line for line in words) == 1
