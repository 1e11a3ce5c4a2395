"""Worked cases of line of sight: G21 to G25, and the lines of G26 (TSE-LOS-01 to 17, TSE-FIR-10, TSE-FIR-12)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import shapely

from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, clear_lines, sight, sight_line
from tabletop.geometry.terrain import Table, Terrain

#: Every case is told about S = (0, 0); on the table S stands here.
SX, SY = 20.0, 12.0


def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(SX + x, SY + y) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def wood(x0: float, x1: float, y0: float = -5, y1: float = 5, level: int = 0, kind: str = "woods") -> Terrain:
    return Terrain.of_kind(f"wood{x0}", kind, outline=box(x0, y0, x1, y1), level=level)


def hill(x0: float, x1: float, level: int, y: float = 5) -> list[Terrain]:
    """A hill of ``level`` with straight sides: a contour for each level up to it."""
    return [Terrain.of_kind(f"hill{x0}-{k}", "hill", outline=box(x0, -y, x1, y), level=k) for k in range(1, level + 1)]


def under_s(level: int) -> list[Terrain]:
    return hill(-0.5, 0.5, level, 0.5)


def table(pieces: Iterable[Terrain]) -> Table:
    return Table.of("in", 40, 24, pieces)


def sees(pieces: Iterable[Terrain], x: float, y: float = 0.0, start: tuple[float, float] = (0, 0), **law: bool) -> bool:
    """Is T seen from S? The same with the ends exchanged, and with the reasons given."""
    ground, s, t = table(pieces), (SX + start[0], SY + start[1]), (SX + x, SY + y)
    there, back = clear_lines(ground, [s, t], [t, s], SightLaw(**law)).tolist()
    line = sight_line(ground, s, t, SightLaw(**law))
    assert there == back == line.clear
    assert line.clear is not any(h.blocks for h in line.hindrances)
    return bool(there)


@pytest.mark.parametrize(("s", "hidden", "seen"), [(1, 8.0, 8.01), (2, 6.0, 6.01), (3, 5.0, 5.01), (4, 4.5, 4.51)])
def test_g21_shadow_by_level(s: int, hidden: float, seen: float) -> None:
    """The shadow is D, D/2, D/4, D/8; the tie is hidden (TSE-LOS-06, TSE-LOS-07)."""
    pieces = [*under_s(s), wood(3, 4)]
    assert not sees(pieces, hidden)
    assert sees(pieces, seen)
    line = sight_line(table(pieces), (SX, SY), (SX + hidden, SY), SightLaw())
    (h,) = line.blocking
    assert h.far_side == pytest.approx(4.0, abs=1e-3)
    assert h.limit == pytest.approx(hidden - 4.0, abs=1e-3)
    assert h.rule == ("TSE-LOS-06" if s == 1 else "TSE-LOS-07")


@pytest.mark.parametrize("x", [4.01, 4.5, 8, 12, 19])
def test_g21_from_level_ground_all_is_hidden(x: float) -> None:
    """TSE-LOS-05."""
    assert not sees([wood(3, 4)], x)


@pytest.mark.parametrize(("s", "seen"), [(1, {"C"}), (2, {"B", "C"}), (3, {"B", "C"})])
def test_g21_the_three_figures(s: int, seen: set[str]) -> None:
    """The diagram: A stays hidden throughout (TSE-LOS-08)."""
    figures = {"A": 4.9, "B": 7.0, "C": 9.0}
    assert {name for name, x in figures.items() if sees([*under_s(s), wood(3, 4)], x)} == seen


@pytest.mark.parametrize(
    ("s", "t", "seen"), [(1, (8, 6), False), (1, (8.8, 6.6), True), (2, (6, 4.5), False), (2, (6.4, 4.8), True)]
)
def test_g22_oblique_shadow(s: int, t: tuple[float, float], seen: bool) -> None:
    """D is measured along the line, and the same from T to S (TSE-LOS-02, TSE-LOS-06)."""
    assert sees([*under_s(s), wood(3, 4, -2, 5)], *t) is seen


def test_g22_out_by_the_side() -> None:
    """The far side is where the line leaves the wood, here through its side: D = 4.1667."""
    pieces = [*under_s(1), wood(3, 4, -2, 2.5)]
    assert sees(pieces, 8, 6)
    line = sight_line(table(pieces), (SX, SY), (SX + 8, SY + 6), SightLaw())
    assert line.hindrances[0].far_side == pytest.approx(4.1667, abs=1e-3)
    assert line.hindrances[0].measured == pytest.approx(5.8333, abs=1e-3)


@pytest.mark.parametrize("s", range(5))
def test_g22_a_corner_touched_does_not_block(s: int) -> None:
    assert sees([*under_s(s), wood(3, 4, -2, 2.25)], 8, 6)


def test_g22_looking_up() -> None:
    """Measured from the higher end, T: D = 7, shadow 3.5 or 1.75, gap 3 (TSE-LOS-02)."""
    assert not sees([wood(3, 4), *hill(9.5, 10.5, 2)], 10)
    assert sees([wood(3, 4), *hill(9.5, 10.5, 3)], 10)


@pytest.mark.parametrize(
    ("s", "x", "seen"), [(1, 13, False), (1, 14, False), (1, 14.5, True), (2, 10.5, False), (2, 10.51, True)]
)
def test_g23_two_woods_the_nearer_to_the_target_decides(s: int, x: float, seen: bool) -> None:
    """TSE-LOS-09."""
    assert sees([*under_s(s), wood(2, 3), wood(6, 7)], x) is seen


def test_g23_over_a_lower_wood() -> None:
    """Both on level 1 overlook a wood on level 0 and none as high as themselves (TSE-LOS-15)."""
    assert sees([*under_s(1), wood(3, 4), *hill(9.5, 10.5, 1)], 10)
    assert not sees([*under_s(1), wood(3, 4, level=1), *hill(9.5, 10.5, 1)], 10)


@pytest.mark.parametrize(
    ("s", "t", "first", "seen"), [(1, 1, 3, False), (1, 2, 3, False), (1, 2, 6, True), (2, 2, 3, True)]
)
def test_g23_wood_on_level_one(s: int, t: int, first: float, seen: bool) -> None:
    assert sees([*under_s(s), wood(first, first + 1, level=1), *hill(9.5, 10.5, t)], 10) is seen


DEEP = [wood(3, 10)]


def test_g24a_three_inches_into_a_wood() -> None:
    """TSE-LOS-10."""
    assert sees(DEEP, 6)
    assert not sees(DEEP, 6.01)


def test_g24b_inside_one_wood() -> None:
    """TSE-LOS-11."""
    assert sees(DEEP, 7, start=(4, 0))
    assert not sees(DEEP, 7.5, start=(4, 0))


def test_g24c_out_of_a_wood() -> None:
    assert sees(DEEP, -10, start=(5, 0))


def test_g24d_a_thin_wood_between() -> None:
    """A wood crossed whole blocks, unless the ruling lets thin woods through (TSE-LOS-10)."""
    assert not sees([wood(3, 4.5)], 8)
    assert sees([wood(3, 4.5)], 8, thin_wood_transparent=True)
    assert not sees([wood(3, 6.5)], 8, thin_wood_transparent=True)


def test_g24e_one_budget_over_two_woods() -> None:
    """TSE-LOS-12."""
    pieces = [wood(0, 3), wood(6, 10)]
    assert sees(pieces, 7.5, start=(1.5, 0))
    assert not sees(pieces, 7.6, start=(1.5, 0))
    line = sight_line(table(pieces), (SX + 1.5, SY), (SX + 7.6, SY), SightLaw())
    assert {h.rule for h in line.blocking} == {"TSE-LOS-12"}
    assert line.blocking[0].measured == pytest.approx(3.1, abs=1e-3)


def test_g24f_measured_along_the_line() -> None:
    assert sees(DEEP, 5.4, 4.05)
    assert not sees(DEEP, 5.6, 4.2)


def test_g24_from_above_still_three_inches() -> None:
    """TSE-LOS-13."""
    assert sees([*under_s(2), *DEEP], 6)
    assert not sees([*under_s(2), *DEEP], 6.01)


def test_g24_towns_are_as_woods_houses_are_solid() -> None:
    """TSE-LOS-14."""
    assert sees([wood(3, 10, kind="town")], 6)
    assert not sees([wood(3, 10, kind="town")], 6.01)
    assert not sees([wood(3, 10, kind="building")], 3.5)


B = hill(4, 6, 1)


@pytest.mark.parametrize(
    ("s", "x", "seen"),
    [
        (0, 10, False),
        (1, 10, False),
        (2, 10, False),
        (2, 12, False),
        (2, 12.5, True),
        (3, 9, False),
        (3, 9.01, True),
        (0, 5, True),
    ],
)
def test_g25_hills(s: int, x: float, seen: bool) -> None:
    """Higher ground between hides or shadows; one's own hill does not (TSE-LOS-16, TSE-LOS-17)."""
    assert sees([*under_s(s), *B], x) is seen


def test_g25_hill_to_hill_over_a_hill_no_higher() -> None:
    assert sees([*under_s(1), *B, *hill(9, 11, 1)], 10)


@pytest.mark.parametrize(
    ("s", "x", "c", "seen"), [(1, 10, (9, 11), False), (2, 9, (9, 11), False), (2, 11.5, (8, 13), True)]
)
def test_g25_wood_on_the_hill(s: int, x: float, c: tuple[float, float], seen: bool) -> None:
    pieces = [*under_s(s), *B, wood(4.5, 5.5, level=1), *hill(*c, 1)]
    assert sees(pieces, x) is seen


def test_g25_hills_that_do_not_block() -> None:
    """The ruling off: bare hills never block (TSE-LOS-16)."""
    assert sees(B, 10, hills_block=False)


@pytest.mark.parametrize("see", [True, False])
def test_low_obstructions_never_block(see: bool) -> None:
    """TSE-LOS-04."""
    hedge = Terrain.of_kind("hedge", "hedge", line=[(SX + 3, SY - 5), (SX + 3, SY + 5)], sight="low" if see else "tall")
    assert sees([hedge], 8) is see


def friend(x0: float, y0: float, x1: float, y1: float) -> InterveningUnit:
    return InterveningUnit(shapely.Polygon(box(x0, y0, x1, y1)), 0, 0.5, "friend")


def fired(s: int, area: InterveningUnit, target: tuple[float, float, float, float]) -> float | None:
    """Return the range of a battery's front at S, half an inch to either side, to a box."""
    front = shapely.LineString([(SX, SY - 0.5), (SX, SY + 0.5)])
    found = sight(table(hill(-2, 0.5, s)), front, shapely.Polygon(box(*target)), SightLaw(), [area])
    assert (found.distance is None) is not found.seen
    return found.distance


AHEAD = friend(3, -2, 4, 2)


@pytest.mark.parametrize(
    ("s", "x", "legal"), [(0, 12, False), (1, 8, False), (1, 8.01, True), (2, 6, False), (2, 6.01, True)]
)
def test_g26_overhead_fire_at_points(s: int, x: float, legal: bool) -> None:
    """D runs to the friend's far edge, 4 (TSE-FIR-12); at his own level he is not shot over (TSE-FIR-10)."""
    ground, law = table(hill(-2, 0.5, s)), SightLaw()
    line = sight_line(ground, (SX, SY), (SX + x, SY), law, [AHEAD])
    assert line.clear is legal
    assert clear_lines(ground, [(SX, SY)], [(SX + x, SY)], law, [AHEAD]).tolist() == [legal]


@pytest.mark.parametrize(("s", "range_"), [(0, None), (1, 8.0), (2, 7.5)])
def test_g26_overhead_fire_at_a_unit(s: int, range_: float | None) -> None:
    """The range is the infimum of the legal lines: 8.0 at level 1."""
    assert fired(s, AHEAD, (7.5, -0.5, 8.25, 0.5)) == (range_ if range_ is None else pytest.approx(range_, abs=1e-3))


def test_g26_half_an_inch_clear() -> None:
    assert fired(0, friend(3, 0.9, 4, 2.9), (6, -0.5, 7, 0.5)) == pytest.approx(6.0, abs=1e-3)
