"""The calculator by itself: its forms, what it refuses, its four functions (TSE-APP)."""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from typing import Any

import pytest

from tabletop.battle.dice import ScriptedDice, every_course
from tabletop.errors import BadQuestion, Broken
from tabletop.rules.tse.calculator import calculator, model
from tabletop.rules.tse.calculator.forms import ACTIONS, FIELDS, FUNCTIONS, action_row, applies, filled, kinds, used
from tabletop.rules.tse.calculator.model_data import model_of
from tabletop.rules.tse.calculator.odds import form_factors, form_odds

FIRE = {"actor": "average infantry", "target": "poor infantry", "target_formation": "deployed", "range": "0-3"}


def test_four_functions() -> None:
    """TSE-APP-01: initiative, result, leader overrun, army morale."""
    assert list(FUNCTIONS) == ["initiative", "result", "overrun", "morale"]


def test_the_fields_of_every_action() -> None:
    """TSE-APP-03, TSE-APP-06, TSE-APP-07: which fields and prompts each action uses."""
    combat = ["actor", "target", "target_formation", "cover"]
    states = ["actor_disordered", "target_disordered", "odds"]
    moves = {name: ["actor", "general_near"] for name in ("deploy", "maneuver", "march", "square")}
    assert {name: [field.name for field in used(name)] for name in ACTIONS} == {
        **moves,
        "deployed-fire": [*combat, "range", *states],
        "advancing-fire": [*combat, "range", *states],
        "assault": [
            *combat, *states, "general_near", "frontal", "target_demoralized", "countercharge", "supported",
        ],
        "regroup": ["actor", "demoralized", "general_near"],
    }  # fmt: skip


def test_forms_are_plain_data() -> None:
    """Every value of every field can be written down and read back."""
    for field in FIELDS.values():
        assert json.loads(json.dumps(field.values)) == list(field.values)
    assert len(kinds()) == 16
    assert kinds("artillery", "transport") == (
        "heavy-foot-artillery", "light-foot-artillery", "horse-artillery", "transport",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("action", "change", "says"),
    [
        ("deployed-fire", {"actor": None}, "actor is missing"),
        ("deployed-fire", {"target_formation": None}, "target_formation is missing"),
        ("deployed-fire", {"cover": "softt"}, "did you mean 'soft'"),
        ("deployed-fire", {"range": 2}, "range cannot be 2"),
        ("deployed-fire", {"actor_disordered": 1}, "actor_disordered cannot be 1; one of: yes, no"),
        ("deployed-fire", {"actor": "average light-cavalry"}, "TSE-ACT-40"),
        ("assault", {"actor": "horse-artillery"}, "TSE-ACT-60"),
        ("square", {"actor": "elite heavy-cavalry"}, "TSE-ACT-32"),
        ("maneuvre", {}, "did you mean 'maneuver'"),
    ],
)
def test_what_it_refuses(action: str, change: dict[str, Any], says: str) -> None:
    """TSE-APP-04: a form that cannot be is refused in one line that names the field and what it may say."""
    with pytest.raises(BadQuestion, match=says) as caught:
        calculator.result(action, {**FIRE, **change}, ScriptedDice([0.5, 0.5, 0.5]))
    assert "\n" not in str(caught.value)


def test_prompts_that_do_not_apply_are_not_asked() -> None:
    """TSE-APP-05: a countercharge is asked of cavalry only; an answer where it makes no sense changes nothing."""
    form = {**FIRE, "actor": "average light-cavalry"}
    assert not applies("countercharge", form)
    assert filled("assault", {**form, "countercharge": True})["countercharge"] is False
    assert filled("assault", {**form, "target_demoralized": True})["target_demoralized"] is False
    horse = {**form, "target": "average heavy-cavalry", "target_formation": "maneuver-column"}
    assert filled("assault", {**horse, "countercharge": True})["countercharge"] is True
    assert not applies("countercharge", {**horse, "target_disordered": True})


@pytest.mark.parametrize(
    ("actor", "band", "out"),
    [
        ("average infantry", "0-3", False),
        ("average infantry", "3-6", True),
        ("light-foot-artillery", "6-9", False),
        ("horse-artillery", "9-12", True),
        ("heavy-foot-artillery", "9-12", False),
        ("heavy-foot-artillery", "beyond", True),
    ],
)
def test_out_of_range(actor: str, band: str, out: bool) -> None:
    """TSE-APP-08, TSE-FIR-01: a band beyond the range is out of range, and no chance is asked."""
    dice = ScriptedDice([0.5])
    told = calculator.result("deployed-fire", {**FIRE, "actor": actor, "range": band}, dice)
    assert (told.outcome == "out of range") == out
    assert (dice.thrown == []) == out


def test_initiative() -> None:
    """TSE-TRN-02: attacker or defender; a scenario may favour the attacker."""
    assert calculator.initiative(ScriptedDice([0.49])) == "defender"
    assert calculator.initiative(ScriptedDice([0.51])) == "attacker"
    assert calculator.initiative(ScriptedDice([0.31]), attacker=0.7) == "attacker"


def test_leader_overrun() -> None:
    """TSE-LDR-08: killed, captured, or he escapes; cavalry catches more often."""
    foot, horse = (
        {fate: p for p, fate in every_course(partial(calculator.overrun, {"mover": mover}))}
        for mover in ("average infantry", "poor light-cavalry")
    )
    assert foot == pytest.approx({"killed": 0.10, "captured": 0.15, "escapes": 0.75})
    assert horse["captured"] > foot["captured"]


def test_army_morale() -> None:
    """TSE-MOR-01: below half an army holds and nothing is drawn; numbers that cannot be are refused."""
    form = {"destroyed": 2, "demoralized_units": 2, "units": 8}
    breaks = model.break_chance(0.5, False, 0.25)
    assert calculator.army_morale(form, ScriptedDice([breaks - 0.01])) == "breaks"
    assert calculator.army_morale(form, ScriptedDice([breaks + 0.01])) == "holds"
    assert calculator.army_morale({**form, "units": 9}, ScriptedDice([])) == "holds"
    for wrong in (
        {"units": 3},
        {"units": 0, "destroyed": 0, "demoralized_units": 0},
        {"destroyed": -1},
        {"units": 2.5},
    ):
        with pytest.raises(BadQuestion):
            calculator.army_morale({**form, **wrong}, ScriptedDice([0.5]))


def test_delayed_assaults_tell_their_reach() -> None:
    """TSE-ORD-05, TSE-ASL-09: delayed, the calculator names the reach left beside the result."""
    assault = {**FIRE, "target_formation": "deployed"}
    told = calculator.result("assault", assault, ScriptedDice([0.2, 0.1, 0.5]))
    assert (told.order, told.reach) == ("delayed", 3.0)
    assert told.text.startswith("reach 3 in: ")
    lost = calculator.result("assault", assault, ScriptedDice([0.01]))
    assert (lost.order, lost.home, lost.drawn) == ("lost", None, ())


def test_odds_of_a_form() -> None:
    """TSE-APP-01, TSE-APP-10: the odds of a form sum to 1, are those of its draw, and come with every modifier."""
    found = form_odds("deployed-fire", FIRE)
    draws = calculator.outcome_odds("fire", calculator.fire_facts("deployed-fire", filled("deployed-fire", FIRE)))
    assert [p for p, _ in found] == pytest.approx(draws)
    assert [(f.name, f.amount) for f in form_factors("deployed-fire", FIRE)] == [
        ("poor target", 0.15), ("deployed target", -0.4),
    ]  # fmt: skip
    assault = form_odds("assault", FIRE)
    assert sum(p for p, _ in assault) == pytest.approx(1.0)
    assert len({(told.order, told.text) for _, told in assault}) == len(assault)
    assert {f.stage for f in form_factors("assault", FIRE)} == {"defence", "melee"}
    assert form_factors("maneuver", FIRE) == ()
    assert [told.outcome for _, told in form_odds("regroup", FIRE)] == ["fails", "fully"]


def test_two_calculators_are_interchangeable() -> None:
    """TSE-APP-02: asked in turns, each gives what it would have given alone."""
    forms = [{**FIRE, "cover": cover} for cover in FIELDS["cover"].values]
    draws = [0.2, 0.7, 0.93, 0.999]
    alone = [calculator.result("deployed-fire", form, ScriptedDice([d])) for form, d in product(forms, draws)]
    mixed = [calculator.result("deployed-fire", form, ScriptedDice([d])) for d, form in product(draws, forms)]
    assert sorted(map(repr, alone)) == sorted(map(repr, mixed))


def test_every_rule_named_is_an_id() -> None:
    """Every field, prompt and action cites a rule."""
    for rule in [field.rule for field in FIELDS.values()] + [action_row(name).rule for name in ACTIONS]:
        assert rule.startswith("TSE-")


# --- the model file --------------------------------------------------------------------------------------------------


def shipped() -> str:
    from importlib import resources

    return resources.files("tabletop.rules.tse").joinpath("model.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("version: 3", "version: 4", "version"),
        ("basis: source", "basis: guess", "morale.half.basis.*'guess'"),
        ("lost: 0.02", "lost: 1.5", "orders.quality.elite.lost.*1.5"),
        ("lost: 0.02", "lost: .nan", "orders.quality.elite.lost"),
        ("lost: 0.02", "lots: 0.02", "orders.quality.elite"),
        ("{cover: soft}", "{cover: sofft}", "'cover' is never 'sofft'; it is one of: none, soft, hard, fortification"),
        ("{cover: soft}", "{covr: soft}", "no fact 'covr'"),
        ("above: 1.35", "above: 0.35", "fire.*must ascend"),
        (
            "    poor: {lost: 0.12, delayed: 0.26, basis: reconstruction, rule: TSE-ORD-01}\n",
            "",
            "orders.quality lacks poor",
        ),
        ("words:", "words: [", "model.yaml: "),
        ("rule: TSE-TRN-02}", "rule: TRN-2}", "initiative.rule"),
    ],
)
def test_a_bad_model_gives_one_line(old: str, new: str, says: str) -> None:
    """A model file that cannot be used is refused with one line: the file, the key, what is wrong."""
    text = shipped()
    assert old in text
    with pytest.raises(Broken, match=says) as caught:
        model_of(text.replace(old, new, 1))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("model.yaml: ")


def test_the_shipped_model_is_whole() -> None:
    """The words and the chances read are the file's."""
    assert model_of(shipped()).orders.quality["elite"].lost == 0.02
    assert model.delayed_share() == 0.5
