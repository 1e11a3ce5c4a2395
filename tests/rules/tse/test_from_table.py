"""The calculator's form filled in from a table: the battle's own forms, each field with where it comes from."""

from pathlib import Path

import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.files.load import load_scene
from tabletop.rules.tse.assault import calculator_form
from tabletop.rules.tse.calculator import from_table
from tabletop.rules.tse.calculator.forms import ACTIONS, FUNCTIONS, used
from tabletop.rules.tse.calculator.game_app import CALCULATOR
from tabletop.rules.tse.morale import army_morale

SCENE = Path(__file__).resolve().parents[3] / "scenarios/tse/quatre-bras.yaml"


@pytest.fixture(scope="module")
def battle() -> Battle:
    return load_scene(SCENE)


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_is_filled_in_whole(battle: Battle, action: str) -> None:
    """TSE-APP-03: all fields and prompts an action uses, and no others."""
    found = from_table.filled(battle, "result", action, "jamin", "brunswick-light")
    assert set(found) == {field.name for field in used(action)}
    assert all(one.source for one in found.values())


@pytest.mark.parametrize("action", ACTIONS)
def test_the_filled_form_is_one_the_calculator_takes(battle: Battle, action: str) -> None:
    """TSE-APP-10: its odds are a distribution."""
    found = from_table.filled(battle, "result", action, "jamin", "brunswick-light")
    odds = CALCULATOR.odds("result", action, {name: one.value for name, one in found.items()})
    assert sum(share for share, _ in odds) == pytest.approx(1.0)


def test_an_assault_is_filled_in_as_it_is_fought(battle: Battle) -> None:
    """TSE-ASL-13: the form the resolver uses."""
    found = from_table.filled(battle, "result", "assault", "jamin", "brunswick-light")
    charge = calculator_form.charge_of(battle, "jamin", "brunswick-light")
    form = calculator_form.form_of(battle, charge, calculator_form.may_countercharge(battle, charge))
    assert {name: one.value for name, one in found.items()} == form


def test_the_odds_say_who_assaulted_before_just_when_somebody_did(
    battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TSE-ASL-30: bases of those who assaulted the same target before count; with none there is nothing to say."""
    strength = battle.unit("jamin").strength
    for helped, said in ((0, ""), (2, ", 2 that assaulted before")):
        monkeypatch.setattr(from_table, "bases_so_far", lambda *_, n=strength + helped: n)
        found = from_table.filled(battle, "result", "assault", "jamin", "brunswick-light")
        against = battle.unit("brunswick-light").strength
        assert found["odds"].source == f"{strength} bases{said} against {against}"


def test_army_morale_is_counted_on_the_table(battle: Battle) -> None:
    """TSE-MOR-01."""
    found = from_table.filled(battle, "morale", None, "jamin", None)
    assert {name: one.value for name, one in found.items()} == army_morale.state(battle, "french")
    assert set(found) == set(FUNCTIONS["morale"])


@pytest.mark.parametrize(("unit", "target"), [("jamin", None), ("foy", "brunswick-light"), ("jamin", "wellington")])
def test_what_a_table_does_not_say_is_said(battle: Battle, unit: str, target: str | None) -> None:
    with pytest.raises(BadQuestion):
        from_table.filled(battle, "result", "assault", unit, target)
