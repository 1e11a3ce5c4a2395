"""Shapes of widgets are kept for all screens together, and never more than so many."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
import pytest

from tabletop.render.widgets import styles
from tabletop.render.widgets.controls import Widgets
from tabletop.render.widgets.shape_store import MOST_SHEETS, MOST_WAITING, SHAPES, ShapeStore

WINDOW = (1600, 1200)


@pytest.fixture(autouse=True)
def _display() -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(WINDOW)
    pygame.event.clear()


def shown(widgets: Widgets) -> bytes:
    surface = pygame.Surface(WINDOW)
    widgets.update(0.02)
    widgets.draw(surface)
    return pygame.image.tobytes(surface, "RGB")


def test_widgets_laid_anew_at_ever_other_sizes_do_not_pile_up() -> None:
    widgets = Widgets(WINDOW, 1.0)
    for number in range(240):
        widgets.clear()
        for row in range(4):
            widgets.button((10, 10 + 45 * row, 100 + number, 30 + row), f"go:{row}", "Go")
        widgets.update(0.02)
        assert len(SHAPES.cache_surfaces) <= MOST_SHEETS
        assert len(SHAPES.cache_short_term_lookup) <= MOST_WAITING
    widgets.close()


def test_a_store_that_is_full_begins_anew() -> None:
    store = ShapeStore()
    for number in range(2 * MOST_WAITING):
        store.add_surface_to_cache(pygame.Surface((4, 4)), str(number))
        assert str(number) in store.cache_short_term_lookup
        assert len(store.cache_short_term_lookup) <= MOST_WAITING
    for number in range(8 * MOST_SHEETS):
        store.add_surface_to_cache(pygame.Surface((500, 500)), str(number))
        store.update()
        assert len(store.cache_surfaces) <= MOST_SHEETS


def test_what_shows_shows_the_same_after_the_store_has_begun_anew() -> None:
    widgets = Widgets(WINDOW, 1.0)
    widgets.button((10, 10, 200, 30), "go", "Go")
    widgets.box((10, 60, 300, 100), "A text")
    before = shown(widgets)
    SHAPES.forget()
    assert shown(widgets) == before
    widgets.clear()
    widgets.button((10, 10, 200, 30), "go", "Go")
    widgets.box((10, 60, 300, 100), "A text")
    assert shown(widgets) == before
    widgets.close()


def test_a_screen_closed_leaves_the_others_their_shapes() -> None:
    one, other = (styles.manager(WINDOW, 1.0) for _ in range(2))
    assert one.get_theme().shape_cache is other.get_theme().shape_cache is SHAPES
    SHAPES.forget()
    widgets = Widgets(WINDOW, 1.0)
    widgets.button((10, 10, 200, 30), "go", "Go")
    widgets.update(0.02)
    kept = len(SHAPES.cache_short_term_lookup) + len(SHAPES.cache_long_term_lookup)
    assert kept
    widgets.close()
    assert len(SHAPES.cache_short_term_lookup) + len(SHAPES.cache_long_term_lookup) == kept
