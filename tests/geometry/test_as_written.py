"""What runs compiled where numba is installed gives the same answers as it is written, in small scenes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest
import shapely

from tabletop.geometry import fast
from tabletop.geometry.movement.advance_cost import Files, met_by
from tabletop.geometry.movement.move_context import Node, Nodes
from tabletop.geometry.movement.reach import explored
from tabletop.geometry.movement.turning import Turning
from tabletop.geometry.sight.blocked import lacking
from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen, seen_from
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.terrain import Table
from tabletop.rules.tse.movement.motion import ACTIONS
from tabletop.rules.tse.movement.reach import setting_of
from tests.geometry.sight_scenes import HIGH, WIDE, pieces
from tests.geometry.test_sight_in_bulk import LAWS, ends_of, lattice_table, random_table
from tests.moving import O, battle, box, drawn, unit

T = TypeVar("T")
Both = Callable[[Callable[[], T]], tuple[T, T]]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both[T]:
    """Ask for something of compiled kernels, and of the same as they are written."""
    pytest.importorskip("numba", reason="numba is not installed: there is but one way")

    def asked(ask: Callable[[], T]) -> tuple[T, T]:
        monkeypatch.setenv(fast.PLAIN, "")
        fast.warm()
        compiled = ask()
        monkeypatch.setenv(fast.PLAIN, "1")
        return compiled, ask()

    return asked


def the_same(areas: tuple[shapely.Geometry, shapely.Geometry]) -> None:
    one, other = areas
    assert shapely.area(one) > 1.0
    assert shapely.area(shapely.symmetric_difference(one, other)) < 1e-6


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_ground_seen_on_whole_inches(law: SightLaw, both: Both[shapely.Geometry]) -> None:
    """TSE-LOS-01 to 20: eyes on hills and their edges, in woods and in a clearing, level with edges, on the border."""
    table = lattice_table()
    for eye in ((0.0, 0.0), (2.0, 7.0), (7.0, 6.0), (11.0, 7.0), (21.0, 15.0), (14.5, 3.0)):
        the_same(both(lambda: seen_from(table, eye, law)))  # noqa: B023


@pytest.mark.parametrize("seed", range(2))
def test_ground_a_whole_front_sees(seed: int, both: Both[shapely.Geometry]) -> None:
    """TSE-LOS-01: what is taken of many eyes' views, its edges and their union."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, 4, 8))
    left, right = np.array([10.0, 8.0]), np.array([11.0, 8.3])
    corners = np.array([left, right, right - [0, 0.5], left - [0, 0.5]])
    the_same(both(lambda: ground_seen(table, eyes_along([np.array([left, right])], corners), SightLaw())))


@pytest.mark.parametrize("make", [lattice_table, lambda: random_table(3)], ids=["lattice", "random"])
def test_what_lines_lack_to_be_clear(make: Callable[[], Table], both: Both[np.ndarray]) -> None:
    table = make()
    starts, ends = ends_of(table, 40, 3)
    compiled, written = both(lambda: lacking(table, starts, ends, SightLaw()))
    assert compiled == pytest.approx(written, abs=1e-9)
    assert 0.1 < (written > 0.0).mean() < 0.9


def test_how_long_turns_are_in_rough_ground_and_what_they_meet(both: Both[Turning]) -> None:
    """TSE-MOV-06, TSE-MOV-08: in a wood, across its border, along it, and clear of it; by a hedge."""
    scene = battle(
        unit(n=6),
        terrain=[box(-3, 1, -4, 2), box(2, 5, 1, 5, id="other"), drawn("hedge", [(-4, 2), (1, 1), (3, 3)], id="hedge")],
    )
    places = np.random.default_rng(6).uniform(O - 6.0, O + 6.0, (12, 2)).tolist()
    keys = [*((x, y, x) for x, y in places), (O + 1.0, O, 0.0), (O - 1.0, O + 2.0, math.pi / 2), (O, O, 1.0)]

    def asked() -> Turning:
        context = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
        spent = Node.first(context).spent
        return Turning.of(context, Nodes(Node(0.0, (x, y), facing, spent, ((x, y),)) for x, y, facing in keys))

    compiled, written = both(asked)
    assert compiled.slow == pytest.approx(written.slow, abs=1e-9)
    assert compiled.meets == pytest.approx(written.meets, abs=1e-9)
    assert np.isfinite(written.meets).any() and written.slow.any()
    assert compiled.left.tolist() == written.left.tolist() and compiled.right.tolist() == written.right.tolist()


def test_streams_under_bridges(both: Both[tuple[list[int], list[float]]]) -> None:
    """TSE-MOV-09."""
    lines = [drawn("stream", [(-9, 2), (-2, 1.5), (2, 2.5), (9, 2)], "stream")]
    scene = battle(unit(n=5, quality="elite"), terrain=[*lines, box(-0.5, 0.5, 1.4, 2.6, "bridge", "bridge")])
    context = setting_of(scene, scene.unit("a"), ACTIONS["maneuver"])
    bearings = np.linspace(-1.2, 1.2, 40)
    u = np.column_stack([np.sin(bearings), np.cos(bearings)])
    starts, lengths = np.array(context.pivot) + context.offset * u, np.full(40, 6.0)

    def asked() -> tuple[list[int], list[float]]:
        files: Files = context.files
        met = met_by(files, context.ground, starts, u, lengths).linear
        return met.strip.tolist(), met.low.tolist()

    (strips, at), (written_strips, written_at) = both(asked)
    assert strips == written_strips
    assert at == pytest.approx(written_at, abs=1e-9)
    assert len(strips) > 10


def test_a_whole_reach(both: Both[shapely.Geometry]) -> None:
    """TSE-MOV-01, TSE-MOV-15 to 17."""
    scene = battle(
        unit(n=3, facing=30.0),
        unit("b", side="blue", n=3, formation="deployed", front_mid=(-2.0, 4.5), facing=160.0),
        unit("c", n=2, formation="deployed", front_mid=(2.5, 2.0), facing=10.0),
        terrain=[box(-3, 1, -4, -2), box(2, 4, -3, -1, "lake", "lake")],
    )
    the_same(both(lambda: explored(setting_of(scene, scene.unit("a"), ACTIONS["maneuver"]))[0]))
