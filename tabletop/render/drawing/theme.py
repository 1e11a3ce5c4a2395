"""Colours and dashes from ``theme.toml``; those of other palettes from ``palettes.toml``.

The present palette, symbols and look apply to the whole program, like the screen: ``apply_theme`` changes them for
every picture drawn from then on.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tabletop.render.drawing.primitives import Pen

#: The palette that reduces every colour to its lightness.
GREY = "grey"
#: How troops are drawn: as the look has it, with marks of the branch on every base, with one card for each unit, or as
#: figures. The painted look uses figures in a close view and marks in a far one, where figures would be too small.
SYMBOLS = ("look", "period", "nato", "figures")
#: How the table is drawn: as a staff map, as a painted table, or plain, for print.
LOOKS = ("map", "painted", "plain")
#: Minimum pixels an inch of a close view.
CLOSE = 40.0
_current = {"palette": "plain", "symbols": "period", "look": "map", "view": "far"}


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("tabletop.render.drawing").joinpath(name).read_text("utf-8"))


def apply_theme(palette: str, symbols: str = "period", look: str = "map") -> None:
    """Switch palette, symbols and look from now on; KeyError for an unknown name.

    A palette is ``plain`` or one of ``palettes.toml``.
    """
    if palette != "plain" and palette not in _read("palettes.toml"):
        raise KeyError(palette)
    if symbols not in SYMBOLS:
        raise KeyError(symbols)
    if look not in LOOKS:
        raise KeyError(look)
    _current.update(palette=palette, symbols=symbols, look=look)
    for kept in (theme, role_style):
        kept.cache_clear()


def current_palette() -> str:
    """Return the present palette."""
    return _current["palette"]


def symbols() -> str:
    """Return the symbols troops are drawn with now: marks, cards or figures."""
    if _current["symbols"] != "look":
        return _current["symbols"]
    return "figures" if (look(), _current["view"]) == ("painted", "close") else "period"


def view_from(pixels: float) -> None:
    """Set the size of the view, in pixels an inch, for what is drawn from now on: close or far."""
    _current["view"] = "close" if pixels >= CLOSE else "far"


def look() -> str:
    """Return how the ground is drawn."""
    return _current["look"]


@cache
def theme() -> Mapping[str, Any]:
    """Return the whole theme in the present palette and look."""
    whole = _read("theme.toml")
    if look() != "map":
        whole = _merged(whole, _read("looks.toml")[look()])
    if current_palette() == "plain":
        return whole
    palette = _read("palettes.toml")[current_palette()]
    merged: dict[str, Any] = _merged(_greyed(whole) if current_palette() == GREY else whole, palette)
    return merged


def _merged(under: Any, over: Any) -> Any:
    """Return a tree with some of its leaves replaced."""
    if not isinstance(under, dict) or not isinstance(over, dict):
        return over
    return {**under, **{key: _merged(under.get(key), value) for key, value in over.items()}}


def _greyed(tree: Any) -> Any:
    """Return a tree with every colour replaced by the grey of the same lightness."""
    if isinstance(tree, dict):
        return {key: _greyed(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_greyed(value) for value in tree]
    return grey_of(tree) if isinstance(tree, str) and tree.startswith("#") else tree


def toned(colour: str) -> str:
    """Return a colour that is no side's own as it is drawn now: in the grey palette as grey."""
    return grey_of(colour) if current_palette() == "grey" else colour


def grey_of(colour: str) -> str:
    """Return the grey of the same lightness as ``#rrggbb`` (luma of its red, green and blue)."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    light = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{light:02x}{light:02x}{light:02x}"


def colour(part: str, name: str) -> str:
    """Return one colour as ``#rrggbb``; KeyError if there is none."""
    return str(theme()[part][name])


@dataclass(frozen=True)
class SideStyle:
    """A side's colours, and the border that distinguishes it without colour."""

    fill: str
    deep: str
    mark: str
    border: str


@dataclass(frozen=True)
class RoleStyle:
    """The style of one role of a verdict's shapes."""

    colour: str
    width: float
    word: str
    dash: tuple[float, ...] = ()
    fill: str | None = None
    fill_opacity: float = 0.0
    ink: str = ""
    hatch: float = 0.0
    band: float = 0.0
    icon: str = ""

    @property
    def lettering(self) -> str:
        """The colour of this role's words: that of its lines, or darker where that is too light to read."""
        return self.ink or self.colour

    @property
    def pen(self) -> Pen:
        """The outline or line of this role."""
        return Pen(self.colour, self.width, dash=self.dash)


@cache
def role_style(role: str) -> RoleStyle:
    """Return the style of a role; KeyError if the theme has none."""
    row: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in theme()["role"][role].items()}
    return RoleStyle(**row)


def side_styles(sides: Iterable[str]) -> dict[str, SideStyle]:
    """Return every side's style: the historical one for its name, else the next colour not yet taken."""
    table = theme()["sides"]
    names = sorted(set(sides))
    taken: dict[str, str] = {}
    for side in names:
        wanted = table["names"].get(side.lower())
        if wanted and wanted not in taken.values():
            taken[side] = wanted
    for side in names:
        if side not in taken:
            free = [c for c in table["order"] if c not in taken.values()] or table["order"]
            taken[side] = free[0]
    return {side: SideStyle(**table["colours"][taken[side]]) for side in names}
