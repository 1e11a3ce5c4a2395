"""Units as written to units on the table (TSE-UNI, TSE-FRM-20..23, TSE-SCL-01)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base, Disc
from tabletop.rules.rule_set import MusterError
from tabletop.rules.tse.muster import muster
from tabletop.rules.tse.rule_set import RULES
from tests.bases import disc, rectangles

LINE = {
    "id": "a",
    "side": "blue",
    "troop": "infantry",
    "bases": 4,
    "formation": "deployed",
    "at": [10, 10],
    "facing": 0,
}
GENERAL = {"id": "g", "side": "blue", "troop": "general", "rank": "corps", "at": [10, 10]}


def of(entry: dict[str, Any] = LINE, /, rulings: dict[str, Any] | None = None, **keys: Any) -> Unit:
    """Return the unit of ``entry`` with keys replaced; a key given as None is left out."""
    merged = {key: value for key, value in {**entry, **keys}.items() if value is not None}
    return muster(merged, RULES.ruling_values(rulings))


def refused(key: str, entry: dict[str, Any] = LINE, /, **keys: Any) -> str:
    with pytest.raises(MusterError) as caught:
        of(entry, **keys)
    assert caught.value.key == key
    return str(caught.value)


def test_a_line_as_written() -> None:
    unit = of(name="Kempt's brigade", parent="picton", quality="veteran", status="disordered", linear=True, reference=2)
    assert [b.centre for b in unit.bases] == [(8.5, 10), (9.5, 10), (10.5, 10), (11.5, 10)]
    assert (unit.name, unit.parent, unit.quality, unit.status) == ("Kempt's brigade", "picton", "veteran", "disordered")
    assert (unit.reference, unit.linear, unit.facing, unit.front_bases) == (2, True, 0.0, (0, 1, 2, 3))


def test_defaults() -> None:
    """TSE-UNI-04, TSE-UNI-16: name, quality, status, base."""
    unit = of()
    assert (unit.name, unit.quality, unit.status, unit.parent, unit.linear) == ("a", "average", "ok", None, False)
    first = rectangles(unit.bases)[0]
    assert (first.frontage, first.depth) == (1.0, 0.75)


@pytest.mark.parametrize(
    ("formation", "fronts"),
    [
        ("deployed", (0, 1, 2, 3, 4)),
        ("maneuver-column", (0, 1, 2)),
        ("march-column", (0,)),
        ("square", (0, 1, 2, 3, 4)),
    ],
)
def test_whose_front_counts(formation: str, fronts: tuple[float, ...]) -> None:
    """Line and square all bases, a column its front rank, a march column its head."""
    assert of(bases=5, formation=formation).front_bases == fronts


def test_places_are_snapped_once_to_the_grid() -> None:
    unit = of(bases=2, at=[10.0003, 9.9999], facing=0.001)
    assert unit.at == (10.0, 10.0)
    assert unit.facing == 0.0


@pytest.mark.parametrize("formation", ["deployed", "maneuver-column", "march-column", "square"])
@pytest.mark.parametrize("n", range(2, 11))
def test_by_the_middle_of_the_front(formation: str, n: int) -> None:
    unit = of(bases=n, formation=formation, at=None, front_mid=[12.5, 20.25], facing=37.5)
    assert unit.front_mid == pytest.approx((12.5, 20.25), abs=1e-12)
    assert unit.facing == 37.5


@pytest.mark.parametrize(
    ("troop", "base"),
    [
        ("infantry", (1.0, 0.75)),
        ("light-cavalry", (1.0, 1.0)),
        ("horse-artillery", (1.0, 1.0)),
        ("transport", (1.0, 1.0)),
    ],
)
def test_default_bases_double_with_the_figures_and_written_ones_stand(troop: str, base: tuple[float, float]) -> None:
    """TSE-SCL-01, TSE-UNI-12, TSE-UNI-14, TSE-UNI-18."""
    found = rectangles(of(troop=troop, rulings={"scale": 2}).bases)[0]
    assert (found.frontage, found.depth) == (2 * base[0], 2 * base[1])
    written = rectangles(of(troop=troop, base=[2, 2], rulings={"scale": 2}).bases)[0]
    assert (written.frontage, written.depth) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("troop", "low", "high"),
    [("infantry", 2, 10), ("light-cavalry", 2, 8), ("heavy-cavalry", 2, 8), ("horse-artillery", 1, None)],
)
def test_numbers_of_bases(troop: str, low: int, high: int | None) -> None:
    """TSE-UNI-03, TSE-UNI-11, TSE-UNI-13."""
    assert of(troop=troop, bases=low).strength == low
    assert str(low) in refused("bases", troop=troop, bases=low - 1)
    if high:
        assert of(troop=troop, bases=high).strength == high
        assert str(high) in refused("bases", troop=troop, bases=high + 1)


@pytest.mark.parametrize(
    ("troop", "low", "high"),
    [
        ("infantry", 0.75, 1.0),
        ("light-cavalry", 0.75, 1.25),
        ("heavy-foot-artillery", 1.0, 1.5),
        ("transport", 1.0, 2.0),
    ],
)
def test_sizes_of_bases(troop: str, low: float, high: float) -> None:
    """TSE-UNI-04, TSE-UNI-12, TSE-UNI-14, TSE-UNI-18: closed intervals, a tape's width of give."""
    for depth in (low, high, high + 0.004):
        assert rectangles(of(troop=troop, base=[1, depth]).bases)[0].depth == depth
    for depth in (low - 0.01, high + 0.01):
        assert "deep" in refused("base", troop=troop, base=[1, depth])
    assert "must be 1 at this scale" in refused("base", troop=troop, base=[1.25, low])


LEGAL = {2: {1, 2}, 3: {2}, 4: {2}, 5: {2, 3}, 6: {2, 3}, 7: {2, 3, 4}, 8: {2, 3, 4}, 9: {2, 3, 5}, 10: {2, 3, 4, 5}}


@pytest.mark.parametrize("n", LEGAL)
def test_fronts_of_a_maneuver_column(n: int) -> None:
    """TSE-FRM-20, TSE-FRM-21, TSE-FRM-22: two deep and two wide at least, but for pairs."""
    for front in range(1, n + 1):
        if front in LEGAL[n]:
            assert of(bases=n, formation="maneuver-column", front=front).front == front
        else:
            message = refused("front", bases=n, formation="maneuver-column", front=front)
            assert all(str(f) in message for f in LEGAL[n])


def test_artillery_may_be_one_wide_and_is_unless_said() -> None:
    """TSE-FRM-23."""
    guns = of(troop="light-foot-artillery", bases=3, formation="maneuver-column")
    assert guns.front == 1
    assert {b.x for b in guns.bases} == {10.0}
    assert of(troop="light-foot-artillery", bases=3, formation="maneuver-column", front=2).front == 2


def test_a_single_battery_still_has_a_formation() -> None:
    """TSE-UNI-22, TSE-FRM-04."""
    for formation in ("deployed", "maneuver-column", "march-column"):
        assert of(troop="horse-artillery", bases=1, formation=formation).formation == formation


def test_only_infantry_forms_square() -> None:
    """TSE-ACT-30."""
    assert "only infantry" in refused("formation", troop="light-cavalry", formation="square")


@pytest.mark.parametrize("troop", ["horse-artillery", "transport"])
def test_guns_and_transport_have_no_quality(troop: str) -> None:
    """TSE-UNI-16, TSE-UNI-18."""
    assert of(troop=troop).quality == ""
    refused("quality", troop=troop, quality="elite")


def test_a_bent_line() -> None:
    """TSE-FRM-11."""
    unit = of(bases=3, bend=[-10, 0, 20], reference=1, facing=90)
    assert [b.facing for b in rectangles(unit.bases)] == [80.0, 90.0, 110.0]
    assert unit.facing == 90.0


@pytest.mark.parametrize(
    ("bend", "words"),
    [
        ([0, 46, 0], "within 45"),
        ([10, 0, 0], "its bend is 0"),
        ([0, 5], "2 bends for 3"),
        ([0, "x", 0], "not a number"),
    ],
)
def test_bends_that_cannot_be(bend: list[int] | list[int | str], words: str) -> None:
    assert words in refused("bend", bases=3, bend=bend)


def test_a_bend_is_for_a_deployed_line() -> None:
    refused("bend", formation="maneuver-column", bend=[0, 0, 0, 0])


def test_a_column_along_a_track() -> None:
    """TSE-FRM-25: the head's front stands at the first point; at and facing may be left out, or agree."""
    track = [[10, 10], [10, 8.5], [7, 5.5]]
    unit = of(formation="march-column", at=None, facing=None, track=track)
    bases = rectangles(unit.bases)
    assert bases[0].front_mid == pytest.approx((10, 10))
    assert unit.facing == pytest.approx(0.0)
    assert 0.0 < bases[3].facing < 90.0
    x, y = unit.at
    assert of(formation="march-column", at=[x, y], facing=10, track=track).bases == unit.bases
    assert f"{x:.3f}" in refused("at", formation="march-column", at=[x + 3, y], facing=0, track=track)
    refused("facing", formation="march-column", at=[x, y], facing=180, track=track)


@pytest.mark.parametrize("track", [[[1, 1], [1, 1]], [[1, 1]], "x", [[1, float("nan")], [2, 2]]])
def test_tracks_that_cannot_be(track: list[list[float]]) -> None:
    refused("track", formation="march-column", at=None, facing=None, track=track)


def test_limbered_guns_may_keep_a_gap() -> None:
    """TSE-UNI-23: a base depth behind each, when so ruled, and never when deployed."""
    keys: dict[str, Any] = {"troop": "horse-artillery", "bases": 3}
    assert [b.y for b in of(**keys, formation="march-column", rulings={"limber_gap": True}).bases] == [12, 10, 8]
    assert [b.y for b in of(**keys, formation="march-column").bases] == [11, 10, 9]
    assert {b.y for b in of(**keys, rulings={"limber_gap": True}).bases} == {10}
    infantry = of(formation="march-column", bases=2, rulings={"limber_gap": True})
    assert infantry.bases[0].y - infantry.bases[1].y == 0.75


def test_a_general_is_a_disc() -> None:
    """TSE-UNI-01, TSE-UNI-19."""
    unit = of(GENERAL)
    assert unit.bases == (Disc(10.0, 10.0, 0.5),)
    assert (unit.rank, unit.formation, unit.quality, unit.front_bases) == ("corps", "", "", ())
    assert disc(of(GENERAL, rulings={"scale": 2})).radius == 1.0
    assert disc(of(GENERAL, rank="army", base=[1.5, 1.5])).radius == 0.75
    assert disc(of(GENERAL, base=[2, 2])).radius == 1.0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("formation", "deployed"),
        ("quality", "elite"),
        ("facing", 0),
        ("bases", 2),
        ("front_mid", [1, 1]),
        ("base", [1, 2]),
        ("base", [3, 3]),
        ("rank", "brigade"),
    ],
)
def test_what_a_general_has_not(key: str, value: Any) -> None:
    """TSE-UNI-19, TSE-LDR-10: neither formation nor facing, and no front."""
    refused(key, GENERAL, **{key: value})


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("troop", "infantery", "did you mean 'infantry'"),
        ("quality", "vetran", "did you mean 'veteran'"),
        ("formation", "line", "deployed"),
        ("status", "sad", "demoralized"),
        ("bases", 4.5, "not a whole number"),
        ("bases", True, "not a whole number"),
        ("facing", float("nan"), "not a number"),
        ("facing", "north", "not a number"),
        ("at", [1, 2, 3], "not a pair"),
        ("at", [float("inf"), 2], "not a number"),
        ("front_mid", [1, 2], "keep one"),
        ("reference", 4, "between 0 and 3"),
        ("base", 1, "not a pair"),
        ("linear", "yes", "neither true nor false"),
        ("rank", "corps", "only a general"),
        ("track", [[1, 1], [2, 2]], "only a march-column"),
    ],
)
def test_faults_name_the_key_and_the_cure(key: str, value: Any, words: str) -> None:
    assert words in refused(key, **{key: value})


@pytest.mark.parametrize("key", ["id", "side", "troop", "bases", "formation", "at", "facing"])
def test_required_keys(key: str) -> None:
    assert "missing" in refused(key, **{key: None})


def test_bases_are_bases() -> None:
    assert all(isinstance(base, Base) for base in of().bases)
