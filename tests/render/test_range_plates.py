"""The plates that tell how far a range band reaches hide neither names nor units nor each other."""

import numpy as np
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Shape
from tabletop.judge import ask
from tabletop.render.drawing import scene
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.plates import Plates, about, obstacles
from tabletop.render.drawing.primitives import Box, Lines, Text
from tabletop.render.drawing.range_plates import range_plates
from tabletop.render.table import planning
from tabletop.render.table.foreground import MARKS
from tests import loaded
from tests.render.battle.driver import DRILL, playing, session

NOTHING: list[Box] = []


def _guns() -> Unit:
    return session(DRILL, ("human", "human"), 1).battle.unit("french-guns")


def _ring(far: float) -> tuple[Shape, str]:
    rim = shapely.Point(_guns().front_mid).buffer(far, 64).exterior
    return Shape("band", "polygon", tuple((x, y) for x, y in rim.coords), label=f"{far:g}"), f"{far:g}"


def _told(taken: list[Box], *edges: tuple[Shape, str]) -> list[Text]:
    items = range_plates(edges, _guns(), taken, 1.0)
    return [item for item in items if isinstance(item, Text)]


def test_with_nothing_about_a_plate_stands_straight_ahead() -> None:
    """At the band's far edge."""
    x, y = _guns().front_mid
    (plate,) = _told(NOTHING, _ring(120.0))
    assert plate.text == "120" and abs(plate.at[0] - x) < 1e-6 and abs(abs(plate.at[1] - y) - 120.0) < 1e-6


def test_a_plate_goes_aside_along_the_edge_where_something_stands_ahead() -> None:
    """As far as it must, and no farther; still on the edge."""
    here = _guns().front_mid
    (nobody,) = _told(NOTHING, _ring(120.0))
    x, y = nobody.at
    (aside,) = _told([(x - 40.0, y - 8.0, x + 40.0, y + 8.0)], _ring(120.0))
    west, south, east, north = text_box(aside, 1.0)
    assert west > x + 40.0 or east < x - 40.0 or south > y + 8.0 or north < y - 8.0
    assert abs(np.hypot(aside.at[0] - here[0], aside.at[1] - here[1]) - 120.0) < 1.0
    assert np.hypot(aside.at[0] - x, aside.at[1] - y) < 80.0


def test_plates_of_bands_close_together_stand_side_by_side() -> None:
    """Ten units lie between their edges: less than a plate is high."""
    first, second = _told(NOTHING, _ring(120.0), _ring(130.0))
    assert not shapely.box(*text_box(first, 1.0)).intersects(shapely.box(*text_box(second, 1.0)))


def test_where_all_is_taken_the_plate_stands_where_it_hides_least() -> None:
    """Everywhere but one spot is covered twice."""
    x, y = _guns().front_mid
    everywhere = (x - 500.0, y - 500.0, x + 500.0, y + 500.0)
    taken = [everywhere, (x - 500.0, y - 500.0, x + 80.0, y + 500.0)]
    (plate,) = _told(taken, _ring(120.0))
    assert text_box(plate, 1.0)[0] > x + 80.0


def test_no_plate_of_any_battery_hides_a_name_on_a_crowded_table() -> None:
    """Nor a unit: all batteries of both sides as they stand at the start, at the scale of a small window."""
    battle, scale = loaded.scenario("tse/quatre-bras"), 20.0
    names = scene.name_layer(battle, scale).layers
    taken = obstacles(battle, names, scale)
    at = np.array(taken)
    guns = [unit for unit in battle.units if "artillery" in unit.troop and unit.fronts]
    assert len(guns) > 5
    for unit in guns:
        bands = [(s, s.label or "12") for s in ask(battle, "field", (unit.id,), {}).shapes if s.role in ("arc", "band")]
        plates = [item for item in range_plates(bands, unit, taken, scale) if isinstance(item, Text)]
        assert len(plates) > 1
        boxes = np.array([text_box(plate, scale) for plate in plates])
        over = (boxes[:, None, :2] < at[None, :, 2:]) & (at[None, :, :2] < boxes[:, None, 2:])
        assert not over.all(axis=2).any(), unit.id


def test_words_stand_near_their_point_within_the_table() -> None:
    """In a corner of the table, with a name in the way."""
    table = (0.0, 0.0, 40.0, 30.0)
    spots = about((0.5, 0.5), 20.0, (50.0, 11.0), (6.0, 30.0, 60.0), table)
    _, words = Plates(20.0, [(0.0, 0.5, 5.0, 1.6)]).lay("in command", 22.0, spots, "#000000", "#000000")
    west, south, *_ = text_box(words, 20.0)
    assert west > 0.0 and south > 0.0 and (south > 1.6 or west > 5.0)
    assert abs(words.at[0] - 0.5) < 5.0 and abs(words.at[1] - 0.5) < 5.0


def test_words_far_from_their_point_have_a_line_to_it() -> None:
    """Those beside it have none."""
    label = planning.RangeLabel((10.0, 10.0), "in command", "#000000")
    beside = Text((10.0, 11.0), label.text, 14.0, label.tint)
    far = Text((10.0, 18.0), label.text, 14.0, label.tint)
    assert list(planning._leader(label, beside, 20.0)) == []
    line = next(item for item in planning._leader(label, far, 20.0) if isinstance(item, Lines))
    assert line.lines == ((label.at, far.at),)


def test_who_shoots_at_nobody_has_no_plate_of_a_range() -> None:
    """Cavalry: its arc reaches nowhere."""
    with playing(session("tse/quatre-bras", ("human", "human"), 3), areas=False) as player:
        for name, told in (("colbert", False), ("jerome-guns", True)):
            player.controller.select(name)
            player.wait(2)
            layers = [
                one
                for one in player.window.canvas.over_all(player.controller.picture(), player.window.camera)
                if one.items
            ]
            assert [one.name for one in layers if one.name != MARKS] == (["bands"] if told else []), name
