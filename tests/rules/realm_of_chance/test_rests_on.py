"""Where the odds of a shot and of a combat are read is said with them (ROC-ART-03, ROC-ODD-01, ROC-ODD-04)."""

from __future__ import annotations

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.play import engine
from tabletop.play.engine import play_of
from tabletop.render.battle import words
from tabletop.rules.ages.combat import resolve as combat_resolve
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.fire.judge import band_of, bands, guns_of, range_of
from tabletop.rules.play import Odds
from tabletop.rules.realm_of_chance.profile import PROFILE
from tabletop.terminal import chances
from tests import loaded


def opened() -> Battle:
    return engine.opened(loaded.scenario("realm-of-chance/drill-ground"), 0)


def named(battle: Battle, name: str) -> Unit:
    return next(unit for unit in battle.units if unit.called == name)


def odds(battle: Battle, action: Action) -> Odds:
    found = play_of(battle).odds(battle, action)
    assert found is not None
    return found


@pytest.mark.parametrize("target", ["Russian battalion", "Hussars"])
def test_a_shot_says_how_far_and_in_which_band(target: str) -> None:
    battle = opened()
    gun, enemy = named(battle, "French guns"), named(battle, target)
    ((said, rule),) = odds(battle, Action("bombard", gun.side, gun.id, enemy.id)).rests_on
    far, edges = range_of(gun, enemy), bands(PROFILE, guns_of(gun))
    band = band_of(battle, guns_of(gun), far)
    assert band is not None and rule == "ROC-ART-03"
    assert said.startswith(f"{far:.0f} mm away: ") and said.endswith(f"up to {edges[band]:g} mm")
    assert (f"over {edges[band - 1]:g} mm" in said) == bool(band)


def test_a_combat_says_strengths_odds_and_column() -> None:
    battle = opened()
    unit, enemy = named(battle, "French battalion"), named(battle, "Prussian battalion")
    action = Action("combat", unit.side, unit.id, enemy.id)
    fight = fight_of(battle, (unit.id,), enemy.id)
    found = odds(battle, action)
    told = f"trength {fight.attack} against {fight.defence}: odds of {fight.odds}"
    assert found.rests_on == ((f"s{told}", "ROC-ODD-01"),), "no column is gained here"
    assert f"S{told}" in words.odds(found) and "ROC-ODD-01" in words.odds(found)
    assert f"S{told}" in chances.full(found)


def test_a_column_shifted_is_said() -> None:
    """An attack in the flank is read in a better column (ROC-CBT-05, ROC-ODD-04)."""
    battle = opened()
    unit, enemy = named(battle, "French battalion"), named(battle, "Prussian battalion")
    turned = battle.with_unit(enemy.turned(90.0, enemy.at))
    said = combat_resolve.rests_on(turned, Action("combat", unit.side, unit.id, enemy.id))
    fight = fight_of(turned, (unit.id,), enemy.id)
    assert fight.column != fight.odds
    assert said[-1] == (f"read in the column {fight.column}", "ROC-ODD-04")
