"""Lengths shown in the unit the player wishes; everything that is no length stays."""

from collections.abc import Iterator

import pytest

from tabletop.render.drawing import measures


@pytest.fixture(autouse=True)
def back() -> Iterator[None]:
    yield
    measures.wish("table")


@pytest.mark.parametrize(
    ("inches", "centimetres"),
    [
        ("9.38 in", "23.83 cm"),
        ("3 in.", "7.62 cm."),
        ("at 3 to 6 in, 9-12 in", "at 7.62 to 15.24 cm, 22.86-30.48 cm"),
        ("<b>4.0 in</b> north-east", "<b>10.2 cm</b> north-east"),
        ("within 1 in of an enemy", "within 2.54 cm of an enemy"),
        ("moved 2.5 in north, stands 1 in the wood", "moved 6.3 cm north, stands 1 in the wood"),
        ("a chance of 5 in 100", "a chance of 5 in 100"),
        ("2 in turns, 3 in all", "2 in turns, 3 in all"),
        ("TSE-FIR-06 infantry went in", "TSE-FIR-06 infantry went in"),
        ("wheels 120 mm", "wheels 12 cm"),
        ("12.70 cm away", "12.70 cm away"),
    ],
)
def test_centimetres(inches: str, centimetres: str) -> None:
    assert measures.in_chosen_unit(inches) == inches
    measures.wish("centimetres")
    assert measures.in_chosen_unit(inches) == centimetres


def test_inches_on_a_table_in_millimetres() -> None:
    measures.wish("inches")
    assert measures.in_chosen_unit("254 mm from here, 5.0 in away") == "10 in from here, 5.0 in away"
    assert measures.length(254, "mm") == "10.00 in"


def test_the_tables_own_unit_is_the_usual() -> None:
    assert measures.length(6, "in") == "6.00 in" and measures.length(60, "mm", 0) == "60 mm"
