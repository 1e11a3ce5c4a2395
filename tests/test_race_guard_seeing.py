"""The pace of seeing is kept: beside the usual ways, in turns within one run; no absolute times.

Half of what is reached is asked for, and more than the goals (fronts and rectangles two thirds as fast as points every
half inch, eight and four times with kernels), so that a busy machine does not cry wolf.
"""

import numpy as np
import pytest
import shapely

from benchmarks import race_hooks, seeing
from benchmarks.bulk import Field, field_of


@pytest.fixture(scope="module", params=[40, 120])
def field(request: pytest.FixtureRequest) -> Field:
    return field_of(1, request.param, 60)


@pytest.mark.sweep
def test_sights_of_units(field: Field) -> None:
    assert seeing.race_sights(field).ratio >= 5.0


def test_the_usual_ways_say_nearly_the_same() -> None:
    """What the pace is measured against answers the same questions; points miss some, and find no line too short."""
    small = field_of(2, 12, 30)
    fronts, boxes = seeing.pairs_of(small)
    walls = shapely.multipolygons([shapely.Polygon(ring) for ring in small.blk])
    exact = race_hooks.w2(race_hooks.w2_prep(small), fronts, boxes)
    sampled = seeing.sights_sampled(walls, fronts, boxes)
    assert (exact <= sampled + 1e-5).all()
    assert np.isfinite(sampled).sum() >= 0.8 * np.isfinite(exact).sum() > 0
    both = np.isfinite(sampled)
    assert float(np.median(sampled[both] - exact[both])) < 0.1
