"""Arcs for a whole crowd at once beside arcs one by one; ground entered, beside the ground swept."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry import fast
from tabletop.geometry.arc import Front
from tabletop.geometry.arcs_at_once import in_arcs
from tabletop.geometry.base import Base
from tabletop.geometry.chokes import Standing, barred_to
from tabletop.geometry.clearance import ids_of, trespass
from tabletop.geometry.ground import ground_of
from tabletop.rules.tse.going import ACTIONS, along
from tests.field import Field

FIELD = Field()
HAIR = 1e-6


def crowd(seed: int, count: int = 24) -> tuple[list[Base], np.ndarray]:
    """Return bases standing close together, and convex outlines of four corners, some long and thin."""
    rng = np.random.default_rng(seed)
    facings = [float(rng.choice([0, 90, 180, rng.uniform(0, 360)])) for _ in range(count)]
    bases = [Base.entered(float(rng.uniform(0, 12)), float(rng.uniform(0, 12)), f, 1.0, 0.75) for f in facings]
    outlines = []
    for _ in range(count):
        w, d = rng.uniform(0.05, 6.0), rng.uniform(0.05, 1.5)
        turned = shapely.affinity.rotate(shapely.box(-w, -d, w, d), float(rng.uniform(0, 360)), origin=(0, 0))
        outlines.append(shapely.get_coordinates(turned)[:4] + rng.uniform(0.0, 12.0, 2))
    return bases, np.array(outlines)


@pytest.mark.parametrize("seed", range(10))
def test_a_crowd_at_once_is_as_one_by_one(seed: int, speed: str) -> None:
    """TSE-FIR-05: closed arcs cut off at the reach; outlines in either order."""
    bases, outlines = crowd(seed)
    fronts = [Front.of(base) for base in bases]
    edges = np.array([(front.left, front.right) for front in fronts])
    reach = np.random.default_rng(seed).uniform(0.2, 6.0, len(bases))
    found = in_arcs(edges, reach, outlines)
    assert (found == in_arcs(edges, reach, outlines[:, ::-1])).all()
    for i, front in enumerate(fronts):
        for j, outline in enumerate(outlines):
            part = shapely.intersection(front.arc(30.0), shapely.Polygon(outline))
            gap = float(shapely.distance(front.arc(30.0), shapely.Polygon(outline)))
            far = float(shapely.distance(front.edge, part)) if not shapely.is_empty(part) else np.inf
            if gap > HAIR:
                assert not found[i, j]
            elif shapely.area(part) > HAIR and abs(far - reach[i]) > HAIR:
                assert found[i, j] == (far < reach[i])


@pytest.mark.parametrize("seed", range(6))
def test_crowds_with_a_kernel_and_without(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-FIR-05: the same to the last bit, outlines on quarters of an inch that touch arcs among them."""
    pytest.importorskip("numba", reason="numba is not installed: there is nothing but the plain way")
    fast.warm()
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 48, (60, 2)) / 4.0
    ahead = rng.choice([[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [-1, 2]], 60) / 2.0
    edges = np.stack([left, left + ahead], axis=1)
    size, at = rng.integers(1, 9, (80, 2)) / 4.0, rng.integers(0, 48, (80, 2)) / 4.0
    outlines = at[:, None] + size[:, None] * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    reach = rng.integers(1, 20, 60) / 4.0
    found = {}
    for plain in ("", "1"):
        monkeypatch.setenv(fast.PLAIN, plain)
        found[plain] = in_arcs(edges, reach, outlines)
    assert (found[""] == found["1"]).all()
    assert 0.05 < found["1"].mean() < 0.95


def test_a_crowd_of_nobody(speed: str) -> None:
    """TSE-FIR-05: no arcs, or nobody to stand in them."""
    bases, outlines = crowd(1)
    edges = np.array([(front.left, front.right) for front in map(Front.of, bases)])
    assert in_arcs(edges, np.ones(len(bases)), outlines[:0]).shape == (len(bases), 0)
    assert in_arcs(edges[:0], np.ones(0), outlines).shape == (0, len(outlines))


@pytest.mark.parametrize(
    ("box", "hit"),
    [
        ((-0.25, -0.5, 0.25, 0.25), True),
        ((-9.0, -0.25, 9.0, 0.0), True),
        ((-9.0, -1.0, 9.0, -0.25), False),
        ((1.5, 1.0, 2.0, 1.25), True),
        ((1.75, 1.0, 2.0, 1.125), False),
        ((-2.0, 1.0, -1.5, 1.25), True),
        ((-2.0, 1.0, -1.75, 1.125), False),
        ((-9.0, 2.0, 9.0, 3.0), True),
        ((-9.0, 2.0 + 2.0**-20, 9.0, 3.0), False),
    ],
)
def test_boxes_about_one_front(box: tuple[float, float, float, float], hit: bool, speed: str) -> None:
    """An inch wide, reaching two: inside, round it, behind, just touching either side, just as far as it reaches."""
    x0, y0, x1, y1 = box
    outline = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]])
    assert in_arcs(np.array([[(-0.5, 0.0), (0.5, 0.0)]]), np.array([2.0]), outline).tolist() == [[hit]]


@pytest.mark.parametrize(("reach", "hit"), [(5.0, True), (5.0 - 2.0**-40, False)])
def test_a_corner_exactly_as_far_as_the_arc_reaches(reach: float, hit: bool) -> None:
    """TSE-FIR-01: three beside and four ahead of an end of the front."""
    for side in (-1.0, 1.0):
        corner = np.array([(0.5 + 3.0, 4.0), (9.0, 4.0), (9.0, 5.0), (4.0, 5.0)]) * (side, 1.0)
        found = in_arcs(np.array([[(-0.5, 0.0), (0.5, 0.0)]]), np.array([reach]), corner[None])
        assert found.tolist() == [[hit]]


# --- impassable ground ------------------------------------------------------------------------------------------------


def moved(seed: int) -> tuple[Unit, np.random.Generator]:
    rng = np.random.default_rng(seed)
    keys = {"formation": "march-column"} if seed % 3 == 0 else {}
    return FIELD.unit("a", bases=4, at=(0.0, 0.0), facing=float(rng.integers(0, 23040)) / 64, **keys), rng


@pytest.mark.parametrize("seed", range(30))
def test_a_move_trespasses_just_when_it_passes_over_what_is_impassable(seed: int) -> None:
    """TSE-MOV-15: by more than the tolerance; what it only touches it does not enter."""
    own, rng = moved(seed)
    lakes = []
    for k in range(3):
        (x, y), (w, h) = rng.uniform(-5.0, 4.0, 2), rng.uniform(0.2, 2.0, 2)
        lakes.append(FIELD.box(f"lake{k}", "lake", (x, x + w), (y, y + h)))
    battle = FIELD.battle(own, *lakes)
    ground = ground_of(battle.table)
    name = "march" if own.formation == "march-column" else "maneuver"
    way = [(40.0 + x, 40.0 + y) for x, y in rng.uniform(-4.0, 4.0, (2, 2)).tolist()]
    going = along(battle, own, ACTIONS[name], way, None)
    tracks = going.motion.tracks[:1] if going.motion.file else going.motion.tracks  # the others ride the head's
    swept = shapely.union_all([sweep.swept for track in tracks for sweep in track])
    told = trespass(going.motion, ground, battle.tape.t)
    for lake in lakes:
        deep = shapely.buffer(swept, -0.02, join_style="mitre")
        if shapely.intersects(deep, lake.shape):
            assert lake.id in told
        if shapely.distance(swept, lake.shape) > 0.02:
            assert lake.id not in told
    stood = ids_of(ground, barred_to(Standing(own.bases, (own.front_mid, own.at)), ground, battle.tape.t))
    here = shapely.buffer(own.footprint, -0.02, join_style="mitre")
    assert set(stood) >= {lake.id for lake in lakes if shapely.intersects(here, lake.shape)}
    assert set(stood) <= {lake.id for lake in lakes if shapely.intersects(own.footprint, lake.shape)}
    rest = along(battle, own, ACTIONS[name], [], None)
    if name == "maneuver":
        assert set(trespass(rest.motion, ground, battle.tape.t)) == set(stood)


@pytest.mark.parametrize("seed", range(20))
def test_the_bases_of_a_file_ride_the_track_of_its_head(seed: int) -> None:
    """TSE-MOV-04, TSE-FRM-22: the middle of every front goes where the first one's went, as far behind as before."""
    rng = np.random.default_rng(seed)
    own = FIELD.unit("a", bases=4, at=(0.0, 0.0), facing=float(rng.integers(0, 23040)) / 64, formation="march-column")
    battle = FIELD.battle(own)
    ahead = own.forward
    turned = np.array([ahead[1], -ahead[0]]) * rng.uniform(-3.0, 3.0)
    mid = np.array(own.front_mid)
    way = [tuple((mid + 2.0 * np.array(ahead)).tolist()), tuple((mid + 4.0 * np.array(ahead) + turned).tolist())]
    motion = along(battle, own, ACTIONS["march"], way, None).motion
    fronts = [b.front_mid for b in own.bases if isinstance(b, Base)]
    track = shapely.LineString([*reversed(fronts), *motion.way[1:]])
    gaps = [float(shapely.line_locate_point(track, shapely.Point(b.front_mid))) for b in motion.end]  # type: ignore[union-attr]
    for base in motion.end:
        assert isinstance(base, Base)
        assert shapely.distance(track, shapely.Point(base.front_mid)) < 1e-6
    assert np.diff(gaps) == pytest.approx([-0.75] * 3, abs=1e-6)
    assert motion.end[0].front_mid == pytest.approx(motion.way[-1])  # type: ignore[union-attr]
    straight = sum(float(np.hypot(*np.subtract(q, p))) for p, q in zip(motion.way, motion.way[1:], strict=False))
    assert motion.charge >= straight - 1e-9
