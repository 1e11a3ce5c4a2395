"""Colours and dashes, read once from ``theme.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tabletop.render.drawing import Pen


@cache
def theme() -> Mapping[str, Any]:
    """Return the whole theme."""
    return tomllib.loads(resources.files("tabletop.render").joinpath("theme.toml").read_text("utf-8"))


def colour(part: str, name: str) -> str:
    """Return one colour as ``#rrggbb``; KeyError if there is none."""
    return str(theme()[part][name])


@dataclass(frozen=True)
class SideStyle:
    """A side's colours and the border that tells it apart without colour."""

    fill: str
    deep: str
    mark: str
    border: str


@dataclass(frozen=True)
class RoleStyle:
    """How one role of a verdict's shapes is drawn."""

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
        """The colour of this role's words: as its lines, darker where those are too light to read."""
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
    """Return every side's style: by its name where history gives one, else the next colour not yet taken."""
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
