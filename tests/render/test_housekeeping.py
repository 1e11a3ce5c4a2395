"""What stays is put where Python does not look through it, at quiet moments; nothing is held that is not used."""

import gc
import weakref

import pytest

from tabletop.render import housekeeping
from tabletop.render.housekeeping import STILL, Housekeeping
from tests.alone import alone


class Ring:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.own = self


@alone
def test_things_are_put_away_when_the_player_rests_after_a_change_of_screens() -> None:
    keeping = Housekeeping()
    assert not keeping.frame((1,), 0.0) and not gc.get_freeze_count()
    assert keeping.frame((1,), STILL) and gc.get_freeze_count() > 1000
    assert not keeping.frame((1,), STILL)
    assert not keeping.frame((1, 2), 0.1) and keeping.frame((1, 2), STILL)


@alone
def test_what_a_frame_draws_is_not_looked_through() -> None:
    housekeeping.put_away()
    before, drawn = gc.get_stats()[0]["collections"], list[Ring]()
    for _ in range(100):
        drawn = [Ring() for _ in range(20)]
    assert gc.get_stats()[0]["collections"] == before and len(drawn) == 20
    stays = [[number] for number in range(20_000)]
    assert gc.get_stats()[0]["collections"] > before and len(stays) == 20_000


@alone
def test_and_again_when_much_has_come_to_stay() -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(housekeeping, "MANY", 500)
        keeping = Housekeeping()
        keeping.frame((1,), STILL)
        gc.collect()
        assert not keeping.frame((1,), STILL)  # little has come to stay since
        stays = [Ring() for _ in range(2000)]
        assert not keeping.frame((1,), STILL)  # and Python has not looked through it yet
        gc.collect()
        assert keeping.frame((1,), STILL) and len(stays) == 2000


@alone
def test_a_frame_that_took_long_is_not_made_longer_unless_all_do() -> None:
    keeping, long = Housekeeping(), 2 * housekeeping.SHORT
    assert not keeping.frame((1,), STILL, long)
    assert keeping.frame((1,), STILL, housekeeping.SHORT)
    tries = [keeping.frame((1, 2), STILL, long) for _ in range(housekeeping.OFTEN + 1)]
    assert tries == [False] * housekeeping.OFTEN + [True]


@alone
def test_what_was_put_away_and_is_used_no_more_is_let_go_of() -> None:
    kept = Ring()
    seen, keeping = weakref.ref(kept), Housekeeping()
    keeping.frame((1,), STILL)
    del kept
    gc.collect()
    assert seen() is not None
    keeping.frame((2,), STILL)
    assert seen() is None


@alone
def test_what_is_put_away_already_is_looked_through_again_when_half_as_much_more_has_come() -> None:
    """Looking through everything takes as long as several frames: the rest of the time only new things are."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        whole, put_away = list[int](), housekeeping.put_away

        def all_of_it() -> None:
            whole.append(1)
            put_away()

        monkeypatch.setattr(housekeeping, "put_away", all_of_it)
        monkeypatch.setattr(housekeeping, "MANY", 500)
        keeping, stays = Housekeeping(), list[Ring]()
        keeping.frame((1,), STILL)
        assert len(whole) == 1
        for _ in range(3):
            before = gc.get_freeze_count()
            lost = weakref.ref(Ring())
            stays += [Ring() for _ in range(2000)]
            gc.collect()
            assert keeping.frame((1,), STILL) and lost() is None
            assert gc.get_freeze_count() >= before + 2000 and len(whole) == 1
        stays += [Ring() for _ in range(gc.get_freeze_count())]
        gc.collect()
        assert keeping.frame((1,), STILL) and len(whole) == 1
        stays += [Ring() for _ in range(2000)]
        gc.collect()
        assert keeping.frame((1,), STILL) and len(whole) == 2
