"""Names give way to what is laid over the table; lines pass under them."""

from __future__ import annotations

import pytest

from tabletop.render.drawing.plates import Look, Plates, plate_boxes
from tabletop.render.drawing.primitives import Area, Circle, Item, Layer, Lines, Pen, Stamps, Text
from tabletop.render.table.clear import Clear

#: A name of some 60 pixels about the middle, at 10 pixels a unit.
SCALE = 10.0
NAME = Layer("names", (Text((20.0, 20.0), "Lambert", 14.0, "#000000", face="bold"),))
FAR = Layer("names", (Text((20.0, 10.0), "Hohenfels", 14.0, "#000000", face="bold"),))


def square(west: float, south: float, size: float, opacity: float = 1.0) -> Area:
    ring = ((west, south), (west + size, south), (west + size, south + size), (west, south + size))
    return Area((ring,), "#ffffff", opacity=opacity)


def left(*items: Item) -> list[str]:
    found = Clear().of((NAME, FAR), [Layer("over", items)], SCALE)
    return [item.text for layer in found for item in layer.items if isinstance(item, Text)]


HIDING: list[Item] = [
    square(21.0, 19.0, 2.0),
    Circle((22.0, 20.0), 8.5, fill="#007a59", pixels=True),
    Circle((22.0, 20.0), 0.8, fill="#007a59"),
    Stamps("disordered", ((0.0, 0.0), (21.0, 20.2)), 17.0, pixels=True),
    Text((21.0, 20.0), "!", 14.0, "#ffffff"),
]
PASSING: list[Item] = [
    Lines((((0.0, 20.0), (40.0, 20.0)),), Pen("#000000", 5.0)),
    square(21.0, 19.0, 2.0, opacity=0.3),
    Circle((20.0, 20.0), 3.0, pen=Pen("#000000", 2.0)),
    square(21.0, 21.5, 2.0),
    Circle((20.0, 21.5), 9.0, fill="#007a59", pixels=True),
]


@pytest.mark.parametrize("item", HIDING)
def test_what_would_be_hidden_in_part_is_left_out(item: Item) -> None:
    assert left(item) == ["Hohenfels"]


@pytest.mark.parametrize("item", PASSING)
def test_lines_tints_rings_and_what_stands_aside_leave_a_name(item: Item) -> None:
    assert left(item) == ["Lambert", "Hohenfels"]


def test_a_name_comes_back_when_the_plate_has_gone() -> None:
    clear, plate = Clear(), Layer("over", (square(21.0, 19.0, 2.0),))
    assert clear.of((NAME,), [plate], SCALE) == ()
    assert clear.of((NAME,), [], SCALE) == (NAME,)
    assert clear.of((NAME,), [plate], 2 * SCALE) == ()


# --- plates beside a unit --------------------------------------------------------------------------------------------

BOX = (18.0, 18.0, 22.0, 22.0)
LOOK = Look(14.0, 22.0, "#ffffff", "#ffffff", "#b44400")


def stands(*taken: tuple[float, float, float, float]) -> tuple[float, float]:
    return next(item.at for item in laid(*taken) if isinstance(item, Text))


def laid(*taken: tuple[float, float, float, float]) -> tuple[Item, ...]:
    return Plates(SCALE, taken).lay_beside("1.00 in  YES", BOX, 8.0, LOOK)


def test_a_plate_stands_over_its_unit_where_it_can() -> None:
    assert stands() == pytest.approx((20.0, 22.0 + 0.8 + 1.1))


@pytest.mark.parametrize("over", [(10.0, 22.5, 30.0, 24.0), (19.0, 23.0, 20.0, 23.5)])
def test_a_plate_stands_under_its_unit_where_another_is_over_it(over: tuple[float, float, float, float]) -> None:
    assert stands(over) == pytest.approx((20.0, 18.0 - 0.8 - 1.1))


def test_a_plate_stands_farther_off_where_all_about_is_taken_with_a_line_to_its_unit() -> None:
    about = (6.0, 15.0, 34.0, 25.0)
    x, y = stands(about)
    assert not (6.0 < x < 34.0 and 15.0 < y < 25.0)
    lines = [item for item in laid(about) if isinstance(item, Lines)]
    assert lines and all(line.lines == (((20.0, 20.0), (x, y)),) for line in lines)
    assert not any(isinstance(item, Lines) for item in laid())


def test_a_plate_stays_in_view_where_its_unit_is_at_the_edge() -> None:
    """At 10 pixels a unit a plate of some 130 pixels beside a unit at the right edge would stand beyond it."""
    view = (0.0, 0.0, 24.0, 24.0)
    free, kept = (Plates(SCALE, [], one).lay_beside("1.00 in  YES", BOX, 8.0, LOOK) for one in (None, view))
    assert _extent(free)[2] > view[2]
    west, south, east, north = _extent(kept)
    assert west >= view[0] and south >= view[1] and east <= view[2] and north <= view[3]


def test_a_plate_wider_than_any_place_in_view_is_moved_there() -> None:
    view = (16.0, 16.0, 32.0, 24.0)
    west, south, east, north = _extent(Plates(SCALE, [], view).lay_beside("1.00 in  YES", BOX, 8.0, LOOK))
    assert west >= view[0] and south >= view[1] and east <= view[2] and north <= view[3]


def _extent(items: tuple[Item, ...]) -> tuple[float, float, float, float]:
    sheet = next(item for item in items if isinstance(item, Area))
    xs, ys = zip(*sheet.rings[0], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def test_the_boxes_of_plates_are_those_of_sheets_with_words_on_them() -> None:
    plate = laid()
    layer = Layer("plates", (square(0.0, 0.0, 3.0), *plate))
    assert plate_boxes([layer], SCALE) == [pytest.approx(_extent(plate))]
    disc = Layer(
        "disc", (Circle((3.0, 4.0), 11.0, fill="#000000", pixels=True), Text((3.0, 4.0), "1", 14.0, "#ffffff"))
    )
    assert plate_boxes([disc], SCALE) == [pytest.approx((1.9, 2.9, 4.1, 5.1))]
