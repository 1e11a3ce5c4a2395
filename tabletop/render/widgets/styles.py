"""The look of widgets (colours of the pictures, bundled fonts, letter height), and their manager."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import resources
from io import StringIO
from typing import Any

import pygame
import pygame_gui
from pygame_gui.core.text import html_parser
from pygame_gui.core.text.line_break_layout_rect import LineBreakLayoutRect
from pygame_gui.elements import UIButton

from tabletop.render.drawing.lettering import FILES
from tabletop.render.drawing.theme import colour
from tabletop.render.widgets.shape_store import SHAPES

#: Letter heights of widgets in pixels at UI scale 1.
FONT, SMALL = 15, 14


class _LineBreak(LineBreakLayoutRect):
    """A line break without width: one that takes room, as the library's do, leaves an empty row after a full one."""

    def __init__(self, dimensions: tuple[int, int], font: Any) -> None:
        super().__init__((0, dimensions[1]), font)


vars(html_parser)["LineBreakLayoutRect"] = _LineBreak


def set_pressed(button: UIButton, pressed: bool) -> None:
    """Show a button as pressed, or not."""
    change: Any = button.select if pressed else button.unselect
    change()


def let_go(widgets: pygame_gui.UIManager, parts: Iterable[Any]) -> None:
    """Remove some widgets, the last first, and free their pictures at once.

    Widgets form reference cycles: without this they would stay in memory, with megabytes of pictures each, until the
    rare moment when Python collects cycles.
    """
    sprites = list(widgets.get_sprite_group().sprites())
    for part in reversed(list(parts)):
        part.kill()
    _emptied(sprites)


def wipe(widgets: pygame_gui.UIManager) -> None:
    """Remove every widget, and free their pictures."""
    sprites = list(widgets.get_sprite_group().sprites())
    reset: Any = widgets.clear_and_reset  # pygame_gui leaves some methods untyped
    reset()
    _emptied(sprites)


def shut(widgets: pygame_gui.UIManager) -> None:
    """Remove widgets for good, keeping nothing of what they showed."""
    wipe(widgets)
    widgets.get_sprite_group().visible.clear()


def widen_bar(box: Any, scale: float) -> None:
    """Set the width of a box's scroll bar to match the scale; it takes effect with the next text."""
    box.scroll_bar_width = round(BAR * scale)


def write(box: Any, html: str) -> None:
    """Replace the text in a box, and free the picture of the old one at once."""
    before = box.text_box_layout
    box.set_text(html)
    if before is not None and box.text_box_layout is not before:
        _without_pictures(before)


def _without_pictures(owner: Any) -> None:
    held = vars(owner)
    held.update({name: None for name, value in held.items() if isinstance(value, pygame.Surface)})


def _emptied(widgets: Iterable[Any]) -> None:
    """Free the pictures of removed widgets: what they show, are drawn with, and write."""
    for widget in widgets:
        if not widget.alive():
            if getattr(widget, "text_box_layout", None) is not None:
                _without_pictures(widget.text_box_layout)
            _without_pictures(widget)
            vars(widget).update(blit_data=[None, None, None, 0], drawable_shape=None, text_box_layout=None)


def manager(window: tuple[int, int], scale: float) -> pygame_gui.UIManager:
    """Return the widgets' manager with the bundled fonts, so that every machine shows the same letters."""
    interface = pygame_gui.UIManager(window, enable_live_theme_updates=False)
    interface.get_theme().shape_cache = SHAPES
    size = round(FONT * scale)
    folder = resources.files("tabletop.render.drawing").joinpath("fonts")
    plain, bold, place = (str(folder.joinpath(FILES[face])) for face in ("plain", "bold", "place"))
    interface.add_font_paths("tabletop", plain, bold, place, bold)
    styles = ("regular", "bold", "italic", "bold_italic")
    sizes = {size, round(SMALL * scale)}
    interface.preload_fonts([{"name": "tabletop", "point_size": s, "style": style} for s in sizes for style in styles])
    theme = _scaled({**_theme(size, round(SMALL * scale)), **_styles(scale)}, scale)
    interface.get_theme().load_theme(StringIO(json.dumps(theme)))
    return interface


#: Width of a box's scroll bar in pixels at UI scale 1.
BAR = 20
#: Pixel values of a style that grow with the letters.
GROWING = ("border_width", "shape_corner_radius", "padding", "text_horiz_alignment_padding")


def _scaled(theme: dict[str, Any], scale: float) -> dict[str, Any]:
    """Return a theme with its edges, corners and margins scaled like its letters."""
    for style in theme.values():
        misc = style.get("misc", {})
        style["misc"] = {k: _grown(v, scale) if k in GROWING else v for k, v in misc.items()}
    return theme


def _grown(pixels: str, scale: float) -> str:
    """Return scaled pixel values; anything of at least one pixel stays so.

    >>> _grown("8,6", 2.0), _grown("1", 1.25), _grown("0", 2.5)
    ('16,12', '1', '0')
    """
    return ",".join(str(round(int(n) * scale)) for n in pixels.split(","))


def _theme(size: int, small: int) -> dict[str, Any]:
    """Return the widgets' theme: the colours of the pictures, one font, letter heights in pixels."""
    ink, paper, edge = (colour("page", name) for name in ("ink", "panel", "panel_edge"))
    font = {"name": "tabletop", "size": str(size), "bold": "0", "italic": "0"}
    plain = {
        "dark_bg": paper,
        "normal_bg": "#f3ecd9",
        "hovered_bg": "#e8dcbc",
        "selected_bg": "#3f5a73",
        "active_bg": "#3f5a73",
        "normal_text": ink,
        "hovered_text": ink,
        "selected_text": "#ffffff",
        "active_text": "#ffffff",
        "normal_border": edge,
        "hovered_border": "#8a7452",
        "selected_border": "#2c4255",
        "active_border": "#2c4255",
        "link_text": "#0072B2",
    }
    shape = {"border_width": "1", "shadow_width": "0", "shape": "rounded_rectangle", "shape_corner_radius": "4"}
    kinds = (
        "button", "text_box", "label", "tool_tip", "panel", "vertical_scroll_bar", "horizontal_slider",
        "drop_down_menu", "selection_list", "text_entry_line",
    )  # fmt: skip
    made: dict[str, Any] = {kind: {"colours": plain, "font": font, "misc": shape} for kind in kinds}
    # Rounded corners of a large box take longer to paint than its text.
    made["text_box"]["misc"] = {**shape, "shape": "rectangle", "padding": "8,6"}
    made["button"]["font"] = {**font, "size": str(small)}
    made["button"]["misc"] = {**shape, "padding": "1,1"}
    made["panel"] = {"colours": {"dark_bg": "#efe6cf", "normal_border": edge}, "misc": {**shape, "shape": "rectangle"}}
    # Arrows at the ends of a bar take room that its slider needs in a low box, and do not scale.
    made["vertical_scroll_bar"]["misc"] = {**shape, "enable_arrow_buttons": "0"}
    made["selection_list"]["misc"] = {**shape, "list_item_height": str(2 * size)}
    # Unless given a font, these arrows have one of fixed size.
    for arrow in ("horizontal_slider.@arrow_button", "drop_down_menu.#expand_button"):
        made[arrow] = {"font": {**font, "size": str(small)}}
    made["defaults"] = {"colours": plain, "font": font}
    return made


def _styles(scale: float) -> dict[str, Any]:
    """Return the styles by name: headings, notes, closed ones in grey, the usual choice in blue."""
    font = {"name": "tabletop", "size": str(round(SMALL * scale)), "bold": "0", "italic": "0"}
    head = {**font, "size": str(round(FONT * scale)), "bold": "1"}
    left = {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "0"}
    clear = {"dark_bg": "#00000000", "normal_border": "#00000000"}
    shut = {"disabled_bg": "#e9e1cc", "disabled_text": "#8d8576", "disabled_border": "#d8cdb2"}
    shape = {"border_width": "1", "shadow_width": "0", "shape": "rounded_rectangle", "shape_corner_radius": "4"}
    plain = {**shape, "padding": "1,1"}
    strong = {
        "normal_bg": "#3f5a73", "hovered_bg": "#51708d", "normal_text": "#ffffff", "hovered_text": "#ffffff",
        "normal_border": "#2c4255", "hovered_border": "#2c4255",
    }  # fmt: skip
    return {
        "#heading": {"colours": {**clear, "normal_text": "#2b2620"}, "font": head, "misc": left},
        "#wrong": {"colours": {**clear, "normal_text": colour("answer", "no")}, "font": font, "misc": left},
        "#note": {"colours": {**clear, "normal_text": "#5d5548"}, "font": font, "misc": left},
        "#closed": {"colours": {**clear, "normal_text": "#8a3f1c"}, "font": font, "misc": left},
        "#rule": {
            "colours": {
                **clear,
                "normal_bg": "#00000000",
                "normal_text": "#8a3f1c",
                "hovered_border": "#00000000",
                "active_border": "#00000000",
            },
            "font": font,
            "misc": {
                "border_width": "0",
                "shadow_width": "0",
                "text_horiz_alignment": "left",
                "text_horiz_alignment_padding": "0",
                "padding": "0,0",
            },
        },
        "#plain": {"colours": shut, "font": font, "misc": plain},
        "#faint": {"colours": {**shut, "normal_bg": "#e9e1cc", "normal_text": "#665d50"}, "font": font, "misc": plain},
        "#strong": {"colours": {**shut, **strong}, "font": {**font, "bold": "1"}, "misc": plain},
        "#log": {"colours": {"link_text": "#2b2620", "link_hover": "#0072B2"}, "misc": {"link_normal_underline": "0"}},
        "#text": {"colours": {"dark_bg": "#fffdf7", "normal_border": "#fffdf7"}, "misc": {"border_width": "0"}},
        "#asked": {
            "colours": {"dark_bg": "#fffdf7", "normal_border": "#2b2620"},
            "misc": {**shape, "border_width": "2", "shape": "rectangle"},
        },
    }
