"""The stretches eyes see are the same by the kernel, sector after sector, as by many sectors at once."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.geometry.fast import Kernel
from tabletop.geometry.seen_along import Rays
from tabletop.geometry.seen_round import Stretches, stretches
from tabletop.geometry.sight.law import SightLaw
from tabletop.geometry.terrain import Table
from tests.geometry.sight_scenes import HIGH, WIDE, pieces

LAWS = [
    SightLaw(),
    SightLaw(deep_shadow=True, thin_wood_transparent=True),
    SightLaw(hills_block=False, crest_edge=True),
]


def in_order(found: Stretches) -> Stretches:
    return found.take(np.lexsort((found.ends.sum(1), found.right, found.whose)))


@pytest.mark.parametrize("seed", range(6))
def test_by_the_kernel_as_at_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On hills, in woods and in the open: whose, at what bearings, and how far away."""
    rng = np.random.default_rng(seed)
    rays = Rays.of(Table.of("in", WIDE, HIGH, pieces(rng, 4, 8)), LAWS[seed % 3])
    eyes = rng.uniform((1.0, 1.0), (WIDE - 1.0, HIGH - 1.0), (2, 2))
    monkeypatch.setattr(Kernel, "ready", lambda one: None)
    plain = in_order(stretches(rays, eyes, 3))
    monkeypatch.setattr(Kernel, "ready", lambda one: one.function)
    with np.errstate(all="ignore"):
        found = in_order(stretches(rays, eyes, 3))
    assert len(plain.whose) > 100
    assert found.whose.tolist() == plain.whose.tolist()
    assert set(plain.whose.tolist()) == {3, 4}
    for name in ("right", "left", "ends"):
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), rtol=0, atol=1e-9)
