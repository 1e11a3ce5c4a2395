"""Army morale: when it is checked, what counts, and how the battle ends by it (TSE-MOR)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended
from tabletop.battle.progress import Fallen
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.rules.tse.calculator.model import break_chance
from tabletop.rules.tse.morale import army_morale
from tabletop.rules.tse.morale.effects import remove, worsen
from tests.combat import FIELD, Fate, scene

GENERAL: dict[str, Any] = {"troop": "general", "bases": None, "formation": None, "facing": None}


def army(units: int, demoralized: int = 0, fallen: int = 0, awaited: int = 0, **rulings: Any) -> Battle:
    """Return a red army of so many units on the table, some demoralized, others fallen or still to come."""
    keys: list[dict[str, Any]] = [{"status": "demoralized"}] * demoralized + [{}] * (units - demoralized)
    here = [_brigade(k, **more) for k, more in enumerate(keys)]
    battle = scene(*here, **rulings)
    battle = replace(battle, units=tuple(u for u in battle.units if not u.id.startswith("red-far")))
    gone = tuple(Fallen(_brigade(100 + k), "broken", 1) for k in range(fallen))
    return replace(battle, fallen=gone, awaited=tuple(_brigade(200 + k) for k in range(awaited)))


def _brigade(number: int, **keys: Any) -> Unit:
    return FIELD.unit(f"r{number}", **{"side": "red", "at": (-36.0 + 6.0 * (number % 12), 20.0), **keys})


def shaken(battle: Battle, *units: str, fate: Fate | None = None, end: bool = False) -> tuple[Unfolding, Fate]:
    """Let units be demoralized and morale be checked; return what unfolded and what chance was asked."""
    chance = fate or Fate({"army morale": "holds"})
    unfolding = Unfolding(battle, chance)
    for unit in units:
        worsen(unfolding, unit, "demoralize")
    army_morale.check(unfolding, at_end_of_turn=end)
    return unfolding, chance


@pytest.mark.parametrize(("units", "before", "checked"), [(4, 1, True), (4, 0, False), (5, 1, False), (5, 2, True)])
def test_from_half(units: int, before: int, checked: bool) -> None:
    """TSE-MOR-01, TSE-MOR-02: at half, exactly half counting, an army is checked at once; short of it never."""
    _, chance = shaken(army(units, before), f"r{units - 1}")
    assert bool(chance.asked) == checked


def test_the_whole_order_of_battle_counts() -> None:
    """TSE-MOR-01, TSE-UNI-01: fallen and awaited units count; generals do not."""
    battle = army(3, 1, fallen=2, awaited=4)
    general = FIELD.unit("g", side="red", rank="army", at=(0.0, 10.0), **GENERAL)
    battle = replace(battle, units=(*battle.units, general))
    assert army_morale.state(battle, "red") == {
        "destroyed": 2, "demoralized_units": 1, "units": 9, "senior_lost": False,
    }  # fmt: skip
    assert not shaken(battle, "r2")[1].asked


def test_once_a_turn() -> None:
    """TSE-MOR-02: at most one check an army and turn."""
    unfolding, chance = shaken(army(4, 1), "r2")
    worsen(unfolding, "r3", "demoralize")
    army_morale.check(unfolding)
    assert len(chance.asked) == 1


def test_later_turns_need_something_new() -> None:
    """TSE-MOR-03: past half already, a check needs one more unit lost; a demoralized unit destroyed is one."""
    battle = army(4, 2)
    assert not shaken(battle)[1].asked
    assert shaken(battle, "r3")[1].asked
    unfolding = Unfolding(battle, chance := Fate({"army morale": "holds"}))
    remove(unfolding, "r0", "broken")
    army_morale.check(unfolding)
    assert len(chance.asked) == 1


def test_worse_than_demoralized_is_nothing_new() -> None:
    """TSE-MOR-03, TSE-STS-04: a demoralized unit demoralized again is no event."""
    assert not shaken(army(4, 2), "r0")[1].asked


def test_recovered_below_half() -> None:
    """TSE-MOR-03: an army that has rallied below half is not checked, whatever befalls it."""
    assert not shaken(army(6, 1), "r5")[1].asked


def test_at_the_turns_end_by_the_other_ruling() -> None:
    """TSE-MOR-04: checked immediately; by the ruling at the end of the turn only."""
    later = army(4, 1, morale_check_at_once=False)
    assert not shaken(later, "r2")[1].asked
    assert shaken(later, "r2", end=True)[1].asked


def test_the_chance_to_break() -> None:
    """TSE-MOR-05, TSE-MOR-06: drawn with the model's chance, greater when the senior general is lost."""
    general = FIELD.unit("g", side="red", rank="army", at=(0.0, 10.0), **GENERAL)
    battle = army(4, 2)
    for fallen, lost in (((), False), ((Fallen(general, "killed", 1),), True)):
        _, chance = shaken(replace(battle, fallen=fallen), "r3")
        assert chance.asked[0][1] == pytest.approx((break_chance(0.75, lost), 1 - break_chance(0.75, lost)))


def test_the_destroyed_weigh_more() -> None:
    """TSE-MOR-05, TSE-MOR-06: of two armies that have lost as many, that with more of them destroyed is worse off."""
    shaken_only, destroyed = army(8, 4), army(6, 2, fallen=2)
    for battle, share in ((shaken_only, 0.0), (destroyed, 0.25)):
        assert army_morale.breaking(army_morale.state(battle, "red")) == break_chance(0.5, False, share)
    assert break_chance(0.5, False, 0.25) > break_chance(0.5, False)


def test_another_of_his_rank_stands_in() -> None:
    """TSE-MOR-06, TSE-LDR-09: the senior general is lost when nobody of his rank is left."""
    chief = FIELD.unit("g", side="red", rank="army", at=(0.0, 10.0), **GENERAL)
    second = FIELD.unit("h", side="red", rank="corps", at=(0.0, 12.0), **GENERAL)
    battle = replace(army(4), fallen=(Fallen(second, "killed", 1),))
    assert army_morale.senior_lost(battle, "red")
    assert not army_morale.senior_lost(replace(battle, units=(*battle.units, chief)), "red")


def test_an_army_that_breaks_has_lost() -> None:
    """TSE-MOR-05: the battle ends at once; the other side has won."""
    unfolding, _ = shaken(army(4, 1), "r2", fate=Fate({"army morale": "breaks"}))
    assert unfolding.events[-1] == Ended("blue", "army-broken red")
    assert unfolding.battle.over


def test_both_at_once() -> None:
    """TSE-MOR-05: both armies are checked before either is declared; both broken is a draw."""
    battle = army(2)
    unfolding = Unfolding(battle, chance := Fate({"army morale": ["breaks", "breaks"]}))
    for unit in ("r0", "blue-far0", "blue-far1"):
        worsen(unfolding, unit, "demoralize")
    army_morale.check(unfolding)
    assert len(chance.asked) == 2
    assert unfolding.events[-1] == Ended(None, "army-broken blue red")
