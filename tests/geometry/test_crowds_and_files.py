"""Arcs for a whole crowd at once beside arcs one by one; ground entered, beside the ground swept."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.movement.choke_points import Standing, barred_to
from tabletop.geometry.movement.clearance import ids_of, trespass
from tabletop.geometry.movement.ground import ground_of
from tabletop.rules.tse.movement.motion import ACTIONS, along
from tests.bases import rectangles
from tests.field import Field

FIELD = Field()
HAIR = 1e-6


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
    ends = rectangles(motion.end)
    gaps = [float(shapely.line_locate_point(track, shapely.Point(b.front_mid))) for b in ends]
    for base in ends:
        assert shapely.distance(track, shapely.Point(base.front_mid)) < 1e-6
    assert np.diff(gaps) == pytest.approx([-0.75] * 3, abs=1e-6)
    assert ends[0].front_mid == pytest.approx(motion.way[-1])
    straight = sum(float(np.hypot(*np.subtract(q, p))) for p, q in zip(motion.way, motion.way[1:], strict=False))
    assert motion.charge >= straight - 1e-9
