"""What is taken of many eyes' stretches, and the edges about it."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from tabletop.geometry.kernels.seen_together import Views, outline, turn_to
from tabletop.geometry.sight.chosen_views import taken
from tabletop.geometry.sight.field_of_view import eyes_along, ground_seen, views
from tabletop.geometry.sight.law import Floats, SightLaw
from tabletop.geometry.sight.ray_marks import Rays
from tabletop.geometry.sight.visibility import Stretches, stretches
from tabletop.geometry.terrain import Table
from tests.geometry.sight_scenes import HIGH, WIDE, pieces


def scene(seed: int) -> tuple[Table, Floats, Stretches]:
    """A table, the eyes of a front on it, and what they see."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, 4, 8))
    x, y = rng.uniform((4.0, 4.0), (WIDE - 4.0, HIGH - 4.0))
    left, right = np.array([x, y]), np.array([x + 1.0, y + 0.3])
    eyes = np.array(eyes_along([np.array([left, right])], np.array([left, right, right - [0, 0.5], left - [0, 0.5]])))
    return table, eyes, stretches(Rays.of(table, SightLaw()), eyes)


@pytest.mark.parametrize("seed", range(4))
def test_of_some_eyes_all_is_taken_of_others_single_stretches(seed: int) -> None:
    _, eyes, every = scene(seed)
    found = taken(every, eyes)
    whole = [bool(found[every.whose == k].all()) for k in range(len(eyes))]
    assert 1 <= sum(whole) < len(eyes)
    assert found.mean() < 0.9


@pytest.mark.parametrize("seed", range(4))
def test_edges_about_the_stretches_of_an_eye_bound_what_it_sees(seed: int) -> None:
    """Closed, the ground on their left, and few: what neighbours share and straight ways have no nodes."""
    table, eyes, every = scene(seed)
    for k, view in enumerate(views(table, [(float(x), float(y)) for x, y in eyes[:3]], SightLaw())):
        mine = every.take(every.whose == k)
        found = np.empty((6 * len(mine.whose), 4))
        at = np.array(eyes[k : k + 1])
        seen = Views(at, mine.whose, np.array([0, len(mine.whose)]), mine.right, mine.left, mine.ends)
        n = outline(seen, 1e-7, 1e-7, found)
        begin, end = found[:n, :2], found[:n, 2:]
        twice = (begin[:, 0] * end[:, 1] - begin[:, 1] * end[:, 0]).sum()
        assert twice / 2 == pytest.approx(view.area, rel=1e-6)
        ends, net = np.unique(np.concatenate([begin, end]).round(9), axis=0, return_inverse=True)
        assert np.bincount(net.ravel(), np.repeat([1.0, -1.0], n), len(ends)).tolist() == [0.0] * len(ends)
        assert n < shapely.get_num_coordinates(view) + 30


def test_a_turn_grows_once_round_from_the_west() -> None:
    ways = np.linspace(-np.pi, np.pi, 721)
    turns = [turn_to(x, y) for x, y in zip(np.cos(ways).tolist(), np.sin(ways).tolist(), strict=True)]
    assert (np.diff(turns) > 0.0).all()
    assert [turns[0], turns[-1]] == pytest.approx([-2.0, 2.0])


@pytest.mark.parametrize("seed", range(3))
def test_a_front_sees_what_its_eyes_see(seed: int) -> None:
    """No more than its eyes see one by one, hardly less; none of it twice."""
    rng = np.random.default_rng(seed)
    table = Table.of("in", WIDE, HIGH, pieces(rng, 4, 8))
    eyes = [(float(x), float(y)) for x, y in rng.uniform((4.0, 4.0), (5.0, 5.0), (9, 2))]
    seen = ground_seen(table, eyes, SightLaw())
    whole = shapely.union_all(views(table, eyes, SightLaw()))
    assert seen.is_valid
    assert shapely.area(shapely.difference(seen, whole)) < 1e-4
    assert shapely.area(seen) > 0.998 * shapely.area(whole)
