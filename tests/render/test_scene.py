"""The drawing of a table: everything on it is drawn, nothing lies outside, no name over another or over a unit."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.opening import opening_data, opening_of
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import bearing
from tabletop.geometry.terrain import Table, Terrain, presets
from tabletop.play.files.load import load_scene
from tabletop.play.files.opened import open_battle
from tabletop.render.drawing import scene
from tabletop.render.drawing.ground import PAINTERS, SHEETS
from tabletop.render.drawing.labels import forms, text_box
from tabletop.render.drawing.primitives import Area, Box, Circle, Drawing, Item, Lines, Painting, Stamps, Text
from tabletop.render.drawing.theme import apply_theme, side_styles
from tabletop.render.drawing.troops import unit_items
from tests.bases import rectangles
from tests.render import table_of_everything as everything

ROOT = Path(__file__).parents[2]
SCENES = ("scenarios/tse/quatre-bras.yaml", "scenarios/tse/teaching.yaml")
SIZES = ((1280, 720), (1920, 1080))


@pytest.fixture(scope="module")
def battle() -> Battle:
    return everything.battle()


def points(item: Item) -> list[tuple[float, float]]:
    if isinstance(item, Area):
        return [p for ring in item.rings for p in ring]
    if isinstance(item, Lines):
        return [p for line in item.lines for p in line]
    if isinstance(item, Painting):
        return [item.box[:2], item.box[2:]]
    return list(item.at) if isinstance(item, Stamps) else [item.at]


def texts(drawing: Drawing) -> list[Text]:
    return [item for item in drawing.items if isinstance(item, Text)]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] - 1e-9 and b[0] < a[2] - 1e-9 and a[1] < b[3] - 1e-9 and b[1] < a[3] - 1e-9


# --- units ---


def test_the_colour_of_an_army_is_a_stripe_on_every_front_base_and_the_sides_colours_stay() -> None:
    battle = load_scene(ROOT / SCENES[0])
    unit = battle.unit("soye")
    assert len(unit.bases) > len(unit.front_bases) > 1
    style = side_styles(u.side for u in battle.units)[unit.side]
    bare = unit_items(replace(unit, marks={}), style)
    striped = unit_items(replace(unit, marks={"colour": "#123456"}), style)
    stripes = [item for item in striped if isinstance(item, Area) and item.fill == "#123456"]
    assert len(stripes) == len(unit.front_bases)
    for stripe, k in zip(stripes, sorted(unit.front_bases), strict=True):
        drawn, base = shapely.Polygon(stripe.rings[0]), rectangles(unit.bases)[k]
        assert base.polygon.buffer(1e-9).contains(drawn)
        assert drawn.length / 2 > base.frontage
        assert drawn.distance(shapely.LineString(base.front_edge)) < 0.25 * base.depth
    assert [item for item in striped if item in bare] == bare
    assert not [item for item in bare if isinstance(item, Area) and item.fill == "#123456"]


# --- terrain ---


def test_every_kind_has_a_painter() -> None:
    assert set(presets()) == set(PAINTERS)


@pytest.mark.parametrize("kind", sorted(presets()))
def test_a_piece_of_each_kind_shows(battle: Battle, kind: str) -> None:
    """The table without the piece is drawn otherwise than with it."""
    rest = [p for p in battle.table.terrain if p.kind != kind]
    without = replace(battle, table=Table.of("in", 40, 38, rest))
    assert scene.terrain_layer(without).layers != scene.terrain_layer(battle).layers


def test_an_unknown_kind_is_drawn_by_what_it_does() -> None:
    piece = Terrain("dunes", "dunes", shapely.box(1, 1, 4, 4), movement="rough")
    drawn = scene.terrain_layer(Battle.of("tse", Table.of("in", 6, 6, [piece]), []))
    assert any(isinstance(item, Lines) for item in drawn.layer("wash").items)


def test_ground_is_cut_at_the_tables_edge(battle: Battle) -> None:
    drawn = scene.terrain_layer(battle)
    assert [layer.name for layer in drawn.layers] == list(SHEETS)
    assert {layer.clip for layer in drawn.layers} == {(0.0, 0.0, 40, 38)}


def test_ground_does_not_depend_on_the_order_of_pieces(battle: Battle) -> None:
    turned = Table.of("in", 40, 38, reversed(everything.terrain()))
    assert scene.terrain_layer(replace(battle, table=turned)).layers == scene.terrain_layer(battle).layers


def test_trees_keep_off_roads() -> None:
    wood = Terrain.of_kind("wood", "woods", outline=[(0, 0), (10, 0), (10, 10), (0, 10)])
    road = Terrain.of_kind("road", "road", line=[(0, 5), (10, 5)])
    drawn = scene.terrain_layer(Battle.of("tse", Table.of("in", 10, 10, [wood, road]), []))
    trees = [p for item in drawn.layer("trees").items if isinstance(item, Stamps) for p in item.at]
    assert trees
    assert all(abs(y - 5) > 0.5 for _, y in trees)


@pytest.mark.parametrize("unit, size", [("mm", 25.4), ("cm", 2.54)])
def test_metric_tables_carry_about_as_many_symbols(unit: str, size: float) -> None:
    """Symbols are sized by the inch, whatever the table is measured in."""

    def count(name: str, k: float) -> int:
        wood = Terrain.of_kind("wood", "woods", outline=[(0, 0), (10 * k, 0), (10 * k, 10 * k), (0, 10 * k)])
        drawn = scene.terrain_layer(Battle.of("tse", Table.of(name, 12 * k, 12 * k, [wood]), []))
        return sum(len(i.at) for i in drawn.layer("trees").items if isinstance(i, Stamps))

    assert count(unit, size) == pytest.approx(count("in", 1.0), rel=0.15)


# --- units ---


@pytest.mark.parametrize("unit", everything.units(), ids=lambda u: u.id)
def test_each_unit_shows(battle: Battle, unit: Unit) -> None:
    assert len(scene.unit_layer(battle, only={unit.id}).items) > len(unit.bases)


@pytest.mark.parametrize("status", ["disordered", "demoralized"])
def test_a_unit_out_of_order_carries_its_badge(battle: Battle, status: str) -> None:
    badges = [i.glyph for i in scene.unit_layer(battle).items if isinstance(i, Stamps)]
    found = {"disordered": "shaken", "demoralized": "broken"}[status]
    assert badges.count(found) == sum(u.status == status for u in battle.units) > 0


@pytest.mark.parametrize("symbols", ["period", "nato", "figures"])
def test_sides_differ_without_colour(symbols: str) -> None:
    """The same base on two sides differs in shapes, not in colour alone, whatever troops are drawn with."""
    apply_theme("plain", symbols)

    def bare(side: str) -> list[object]:
        unit = everything.line_of("a", side, "infantry", 1, 1)
        others = [everything.line_of("b", s, "infantry", 1, 3) for s in ("french", "allied") if s != side]
        drawn = scene.unit_layer(Battle.of("tse", Table.of("in", 6, 6), [unit, *others]), only={"a"})
        return [(type(item), points(item)) for item in drawn.items]

    assert bare("french") != bare("allied")


def test_the_front_is_marked_only_where_a_unit_faces_one_way(battle: Battle) -> None:
    """A square has four front edges and no pointer; a line of two bases has two edges and one pointer."""
    line = [
        i for i in scene.unit_layer(battle, only={"french-0"}).items if isinstance(i, Area) and len(i.rings[0]) == 3
    ]
    square = [
        i for i in scene.unit_layer(battle, only={"square"}).items if isinstance(i, Area) and len(i.rings[0]) == 3
    ]
    assert (len(line), len(square)) == (1, 0)


# --- names ---


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("path", SCENES)
def test_no_name_lies_over_another_or_over_a_unit(path: str, size: tuple[int, int]) -> None:
    battle = load_scene(ROOT / path)
    drawn = scene.picture(battle, style=scene.Style(*size))
    boxes = [text_box(t, drawn.scale) for t in drawn.layer("names").items if isinstance(t, Text)]
    assert len(boxes) >= 0.5 * len(battle.units)
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)]
    bases = shapely.union_all([b.polygon for u in battle.units for b in u.bases])
    assert not [box for box in boxes if shapely.box(*box).intersection(bases).area > 1e-9]


@pytest.mark.parametrize("path", SCENES)
def test_at_the_default_size_nearly_all_units_are_named_legibly(path: str) -> None:
    battle = load_scene(ROOT / path)
    drawn = scene.picture(battle)
    told = [t for t in drawn.layer("names").items if isinstance(t, Text) and not t.text.isdigit()]
    starts = {u.id for u in battle.units for t in told if u.called.startswith(t.text)}
    assert len(starts) >= 0.95 * len(battle.units)
    assert min(t.size for t in told if t.face == "bold") >= 14
    assert min(t.size for t in texts(drawn)) >= 11


def test_names_stand_by_what_they_name() -> None:
    battle = load_scene(ROOT / SCENES[0])
    drawn = scene.picture(battle)
    shapes = {
        p.name: shapely.union_all([q.shape for q in battle.table.terrain if q.name == p.name])
        for p in battle.table.terrain
    }
    for text in drawn.layer("names").items:
        if isinstance(text, Text) and text.face == "place":
            box = shapely.box(*text_box(text, drawn.scale))
            assert box.distance(shapes[text.text]) * drawn.scale <= 14.5, text.text


def test_an_objective_is_named_by_its_ring_unless_its_ground_is() -> None:
    battle = load_scene(ROOT / "scenarios/tse/starter.yaml")
    names = texts(scene.name_layer(battle, 25.0))
    assert sum(text.text == "The bridge" for text in names) == 1
    assert sum(text.text == "Upper Weidenau" for text in names) == 1
    bridge = next(text for text in names if text.text == "The bridge")
    ring = next(one for one in battle.setup.objectives if one.name == "The bridge")
    (x, y), (west, south, east, north) = ring.at, text_box(bridge, 25.0)
    assert shapely.Point(x, y).buffer(ring.radius + 1.0).intersects(shapely.box(west, south, east, north))


def test_the_unit_asked_about_is_named_before_others() -> None:
    """Where only one name fits between two units, ``first`` takes it."""
    a, b = (everything.line_of(i, "french", "infantry", x, 1.0, 2) for i, x in (("aa", 0.0), ("bb", 2.0)))
    units = [replace(a, name="Adams brigade of the line"), replace(b, name="Zieten brigade of the line")]
    battle = Battle.of("tse", Table.of("in", 4, 2), units)
    for wanted, name in (("aa", "Adams"), ("bb", "Zieten")):
        drawn = scene.name_layer(battle, 40.0, first=[wanted])
        assert texts(drawn)[0].text.startswith(name)


# --- the page ---


@pytest.mark.parametrize("size", [*SIZES, (1600, 1200), (640, 480)], ids=str)
def test_nothing_lies_outside_the_page(battle: Battle, size: tuple[int, int]) -> None:
    drawn = scene.picture(battle, style=scene.Style(*size))
    west, south, east, north = drawn.view
    assert drawn.size[0] <= size[0]
    assert drawn.size[1] <= size[1]
    for layer in drawn.layers:
        for item in layer.items if layer.clip is None else ():
            for x, y in points(item):
                assert west - 1e-6 <= x <= east + 1e-6, layer.name
                assert south - 1e-6 <= y <= north + 1e-6, layer.name
    for text in texts(drawn):
        box = text_box(text, drawn.scale)
        assert box[0] >= west - 1e-6 and box[2] <= east + 1e-6, text.text


def test_an_empty_table_makes_a_picture() -> None:
    drawn = scene.picture(Battle.of("tse", Table.of("in", 8, 6), []))
    assert drawn.size[0] > 100
    assert "The table" in [t.text for t in texts(drawn)]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("starter", "inches  ·  2 in = 300 yards"),
        ("luetzen", "millimetres  ·  100 mm = 200 m"),
        ("drill-ground", "millimetres  ·  50 mm = 100 m"),
        ("long-sand", "centimetres  ·  6 cm = 300 m"),
    ],
)
def test_the_scale_bar_says_how_much_ground_half_of_it_stands_for(name: str, note: str) -> None:
    told = [t.text for t in texts(scene.picture(open_battle(name)))]
    assert note in told, [text for text in told if "=" in text]


def test_the_same_battle_gives_the_same_drawing(battle: Battle) -> None:
    assert scene.picture(everything.battle(), everything.verdict()) == scene.picture(battle, everything.verdict())


def test_pictures_as_vectors_need_no_pygame() -> None:
    """Drawing and SVG import no pygame: asked in a fresh interpreter."""
    code = (
        "import sys; import tabletop.render.drawing.scene, tabletop.render.drawing.svg, tabletop.render.painting.files;"
        "sys.exit(any(name.startswith('pygame') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_circles_and_lines_have_size(battle: Battle) -> None:
    for item in scene.picture(battle).items:
        if isinstance(item, Circle):
            assert item.radius > 0
        if isinstance(item, Lines):
            assert all(len(line) > 1 for line in item.lines)


@pytest.mark.parametrize(
    "name, shorter",
    [
        ("5th Militia and 27th Jägers", ("5th Militia",)),
        ("1st Prussian battalion", ("1st Prussian",)),
        ("French battalion on the right", ("French battalion", "French")),
        ("Eugen of Württemberg", ("Eugen",)),
        ("Battery 3 of the Guard", ("Battery 3", "Battery")),
        ("2e Léger", ()),
    ],
)
def test_a_shortened_name_keeps_what_tells_it_apart(name: str, shorter: tuple[str, ...]) -> None:
    """It never ends on a number whose noun is gone, nor on a word that leads on to another."""
    assert forms(name) == (name, *shorter)


def test_the_compass_points_where_the_map_says_north_lies() -> None:
    """At Luetzen up is north-west; a map that says nothing has north at the top. A saved game keeps it."""
    turned, plain = open_battle("luetzen"), open_battle("maida")
    assert (turned.table.north, plain.table.north) == (45.0, 0.0)
    assert opening_of(opening_data(turned)).table.north == 45.0 and "north" not in opening_data(plain)["table"]
    for battle, turns in ((turned, (45.0,)), (plain, ())):
        drawing = scene.picture(battle)
        (needle,) = (item for item in drawing.items if isinstance(item, Stamps) and item.glyph == "compass")
        (letter,) = (item for item in drawing.items if isinstance(item, Text) and item.text == "N")
        (x, y), (a, b) = needle.at[0], letter.at
        assert needle.turns == turns
        assert bearing(a - x, b - y) == pytest.approx(battle.table.north)
