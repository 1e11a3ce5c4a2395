"""Troops as figures: every figure stands on its base, whose outline, front and side stay as they are told by marks."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import shapely

from tabletop.geometry.base import Base
from tabletop.play.files.load import load_scene
from tabletop.render.drawing import theme
from tabletop.render.drawing.figures import on_base, on_disc
from tabletop.render.drawing.primitives import Area, Circle, Item, Lines
from tabletop.render.drawing.theme import side_styles
from tabletop.render.drawing.troops import unit_items

QUATRE_BRAS = "scenarios/tse/quatre-bras.yaml"


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    theme.apply_theme("plain", "figures")
    yield
    theme.apply_theme("plain")


def ground(item: Item) -> shapely.Geometry:
    if isinstance(item, Area):
        return shapely.Polygon(item.rings[0])
    if isinstance(item, Circle):
        return shapely.Point(item.at).buffer(item.radius)
    assert isinstance(item, Lines)
    wide = 0.0 if item.pen.pixels else item.pen.width / 2
    return shapely.union_all([shapely.LineString(line).buffer(wide) for line in item.lines])


@pytest.mark.parametrize("place", [QUATRE_BRAS, "scenarios/realm-of-chance/wachau.yaml"])
def test_figures_stand_on_their_bases(place: str) -> None:
    """Nothing but the base's shadow, its pointer and its badge reaches beyond it, by more than a musket's width."""
    battle = load_scene(place)
    styles = side_styles(unit.side for unit in battle.units)
    for unit in battle.units:
        for base in unit.bases:
            if isinstance(base, Base):
                shape, items = base.polygon, on_base(base, unit, styles[unit.side])
                slack = 0.02 * min(base.frontage, base.depth)
            else:
                shape, items = shapely.Point(base.centre).buffer(base.radius), on_disc(base, unit, styles[unit.side])
                slack = 0.02 * base.radius
            assert len(items) > 8
            for item in items:
                assert shape.buffer(slack).covers(ground(item)), (unit.id, item)


def test_a_brigade_of_foot_has_two_ranks_of_six_and_faces_its_front() -> None:
    battle = load_scene(QUATRE_BRAS)
    unit = battle.unit("jamin")
    style = side_styles(["french"])["french"]

    base = unit.bases[0]
    assert isinstance(base, Base)
    muskets = [item for item in on_base(base, unit, style) if isinstance(item, Lines) and item.pen.colour == "#6c6a66"]
    assert len(muskets) == 12
    for item in muskets:
        (x0, y0), (x1, y1) = item.lines[0]
        assert math.degrees(math.atan2(x1 - x0, y1 - y0)) % 360 == pytest.approx(unit.facing, abs=0.01)


def test_sides_are_told_by_uniforms_and_in_grey_by_greys() -> None:
    battle = load_scene(QUATRE_BRAS)
    styles = side_styles(unit.side for unit in battle.units)
    for name in ("jamin", "kempt"):
        unit = battle.unit(name)
        fills = [item.fill for item in unit_items(unit, styles[unit.side]) if isinstance(item, Area)]
        assert fills.count(styles[unit.side].fill) == 12 * len(unit.bases) + 1, "twelve men a base, and the flag"
    theme.apply_theme("grey", "figures")
    unit = battle.unit("jamin")
    for item in unit_items(unit, side_styles(["french", "allied"])["french"]):
        tones = [getattr(item, "fill", None), item.pen.colour if getattr(item, "pen", None) else None]  # type: ignore[union-attr]
        army = unit.marks.get("colour")
        assert all(tone is None or tone == army or tone[1:3] == tone[3:5] == tone[5:7] for tone in tones)


def test_outline_front_and_pointer_are_where_marks_have_them() -> None:
    battle = load_scene(QUATRE_BRAS)
    unit = battle.unit("kempt")
    style = side_styles(["allied"])["allied"]
    figured = unit_items(unit, style)
    theme.apply_theme("plain")
    marked = unit_items(unit, style)
    for base in unit.bases:
        assert isinstance(base, Base)
        outline = [item for item in figured if isinstance(item, Area) and item.fill is None and item.pen]
        assert any(shapely.Polygon(item.rings[0]).equals_exact(base.polygon, 1e-6) for item in outline)
    assert [item for item in marked if item in figured][-1] == figured[-1], "the pointer"
