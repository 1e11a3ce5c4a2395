"""There is one law of sight: changed in one place, it is changed for everything that asks about sight."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw, clear_lines, sight, sight_line
from tabletop.geometry.measure import Point
from tabletop.geometry.sight import law as the
from tabletop.geometry.sight import shortest
from tabletop.geometry.sight.field_of_view import seen_from
from tabletop.geometry.terrain import Table, Terrain

LAW = SightLaw()
EYE = (2.0, 10.0)
#: Places behind the hill that stands from 10 to 14 in east of the west edge: 4 and 10 in beyond it.
NEAR, FAR = (18.0, 10.0), (24.0, 10.0)


@pytest.fixture(autouse=True)
def _plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled cannot be patched."""
    monkeypatch.setenv("TABLETOP_PLAIN", "1")


def table(wide: float) -> Table:
    hill = Terrain.of_kind("hill", "hill", outline=[(10, 2), (14, 2), (14, 18), (10, 18)], level=1)
    return Table.of("in", wide, 20, [hill])


def once(place: Point) -> bool:
    return bool(clear_lines(table(30.0), [EYE], [place], LAW)[0])


def thirteen_times(place: Point) -> bool:
    told = set(clear_lines(table(30.0), [EYE] * 13, [place] * 13, LAW).tolist())
    assert len(told) == 1
    return bool(told.pop())


def explained(place: Point) -> bool:
    line = sight_line(table(30.0), EYE, place, LAW)
    assert line.clear == (not line.blocking)
    return line.clear


def searched(place: Point) -> bool:
    shortest.forget()
    unit, other = (shapely.Point(at).buffer(0.25, quad_segs=1) for at in (EYE, place))
    return sight(table(30.0), unit, other, LAW).seen


def ground_seen(place: Point) -> bool:
    """The table ends a little beyond the place, so that all ground behind the hill is alike."""
    return bool(seen_from(table(place[0] + 1.0), EYE, LAW).buffer(1e-6).covers(shapely.Point(place)))


ASKED = {"once": once, "thirteen times": thirteen_times, "explained": explained, "ground seen": ground_seen}


def beyond_six_inches(
    level: int, hill: bool, far: float, line: the.Line, law: the.Rulings, hides: Callable[..., bool] = the.hides
) -> bool:
    """Hills hide only what lies more than 6 in beyond."""
    return hides(level, hill, far, line, law) and not (hill and line.length - far <= 6.0)


def nothing_by_hills(
    level: int, hill: bool, hi: int, lo: int, deep: bool, factor: Callable[..., float] = the.shadow_factor
) -> float:
    """Hills hide nothing."""
    return -math.inf if hill else factor(level, hill, hi, lo, deep)


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_hills_that_hide_only_what_lies_more_than_six_inches_beyond(
    asked: Callable[[Point], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """TSE-LOS-16: as it stands a hill hides all behind it; patched in one place, only what lies farther off."""
    assert not asked(NEAR)
    assert not asked(FAR)
    monkeypatch.setattr(the, "hides", beyond_six_inches)
    assert asked(NEAR)
    if asked is not ground_seen:
        assert not asked(FAR)


@pytest.mark.parametrize("asked", [*ASKED.values(), searched], ids=[*ASKED, "searched"])
def test_hills_that_hide_nothing(asked: Callable[[Point], bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-16: patched in one place, the search for the shortest line agrees too."""
    assert not asked(FAR)
    monkeypatch.setattr(the, "shadow_factor", nothing_by_hills)
    assert asked(FAR)
