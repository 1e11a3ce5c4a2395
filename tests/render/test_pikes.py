"""Foot of the time of pike and shot is drawn with pikes, in marks and in figures, in colour and in grey."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shapely

from tabletop.play.files.opened import open_battle
from tabletop.render.drawing import theme
from tabletop.render.drawing.furniture import swatch
from tabletop.render.drawing.primitives import Area, Lines
from tabletop.render.drawing.theme import side_styles
from tabletop.render.drawing.troops import unit_items


@pytest.fixture(autouse=True)
def _usual_theme() -> Iterator[None]:
    yield
    theme.apply_theme("plain")


@pytest.mark.parametrize("palette", ["plain", "grey"])
def test_the_mark_of_pikes_is_no_cross(palette: str) -> None:
    """Infantry of 1632 has solid blocks between strokes; the key below the map shows the same."""
    theme.apply_theme(palette)
    battle = open_battle("luetzen")
    foot = battle.unit("grana")
    style = side_styles(battle.setup.sides)[foot.side]
    base = foot.fronts[0]
    pikes, plain = (swatch(base, style, "infantry", rules) for rules in ("glaube", "destiny"))
    assert len([item for item in pikes if isinstance(item, Area)]) == 1 + len([i for i in plain if isinstance(i, Area)])
    blocks = [item for item in unit_items(foot, style) if isinstance(item, Area) and item.fill == style.mark]
    assert len(blocks) == len(foot.bases)


def test_figures_carry_pikes_that_stay_on_their_base() -> None:
    theme.apply_theme("plain", "figures")
    battle = open_battle("luetzen")
    foot = battle.unit("grana")
    items = unit_items(foot, side_styles(battle.setup.sides)[foot.side])
    pikes = [item for item in items if isinstance(item, Lines) and item.pen.colour == "#6b5136"]
    assert len(pikes) == 8 * len(foot.bases)
    ground = foot.footprint.buffer(1e-6)
    assert all(ground.covers(shapely.Point(end)) for item in pikes for line in item.lines for end in line)
