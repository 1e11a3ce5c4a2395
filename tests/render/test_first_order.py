"""A new player comes from the start screen to the first order of the first battle by few clicks and no guide."""

import pytest

from tools.first_order import walked
from tools.tour_states import at_home

#: The most clicks; the most words he is shown on the way, names on the map and figures' letters among them.
CLICKS, WORDS = 12, 700


@pytest.mark.parametrize(
    "seed", [3, pytest.param(4, marks=pytest.mark.sweep), pytest.param(5, marks=pytest.mark.sweep)]
)
def test_the_first_order_takes_few_clicks_and_no_guide(seed: int) -> None:
    with at_home():
        clicks = walked(seed)
    assert clicks[0].what == "Begin"
    assert 3 <= len(clicks) <= CLICKS, clicks
    assert 100 < sum(click.fresh for click in clicks) <= WORDS, clicks
