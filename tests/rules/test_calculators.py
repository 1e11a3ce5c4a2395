"""Every rule set's calculator: its forms are complete, its odds are chances, what is wrong with a form is one line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest

from tabletop import cli
from tabletop.errors import BadQuestion
from tabletop.play.app_draws import Draws
from tabletop.rules.calculator import Calculator, Field
from tabletop.rules.common.calculators import Sheet, Sheets, checked
from tabletop.rules.rule_set import BUILT_IN, find
from tabletop.terminal.game_app import word

NAMES = tuple(name for name in BUILT_IN if find(name).calculator is not None)
#: Numbers of forms that hang together; every other is a one.
NUMBERS = {"units": 8, "army_bases": 20, "army_lost": 4}


def calculator_of(name: str) -> Calculator:
    make = find(name).calculator
    assert make is not None
    return make()


def presses(machine: Calculator) -> list[tuple[str, str | None]]:
    """Return every button, the result once for each action."""
    others = [(button, None) for button in machine.buttons if button != machine.result]
    return [*((machine.result, action) for action in machine.actions), *others]


def simplest(machine: Calculator, button: str, action: str | None) -> dict[str, Any]:
    """Return a form with every field that is asked: as usual, else its first value, else a one."""
    form: dict[str, Any] = {}
    for one in machine.fields(button, action):
        if machine.applies(one.name, form):
            first = one.values[0] if one.values else NUMBERS.get(one.name, 1)
            form[one.name] = first if one.usual is None else one.usual
    return form


def test_all_rules_with_tables_to_look_up_have_one() -> None:
    assert set(NAMES) >= {"tse", "realm-of-chance", "destiny", "reason", "gloire", "glaube", "sail"}


@pytest.mark.parametrize("name", NAMES)
def test_every_form_is_answered_and_its_odds_are_chances(name: str) -> None:
    """What is drawn is one of the answers with odds; these sum to one; both are data that can be written down."""
    machine = calculator_of(name)
    assert machine.title == find(name).title and machine.first in machine.actions
    for button, action in presses(machine):
        form = simplest(machine, button, action)
        odds = machine.odds(button, action, form)
        assert math.fsum(p for p, _ in odds) == pytest.approx(1.0, abs=1e-12)
        assert all(p > 0.0 for p, _ in odds) and len({text for _, text in odds}) == len(odds)
        for seed in range(5):
            answer = machine.press(button, action, form, Draws(seed))
            assert answer.text in {text for _, text in odds}
            json.dumps(dict(answer.data))


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_every_field_is_answered_or_refused_in_a_line(name: str) -> None:
    machine = calculator_of(name)
    for button, action in presses(machine):
        usual = simplest(machine, button, action)
        for one in machine.fields(button, action):
            for value in one.values or (0, 3, 999):
                try:
                    text = machine.press(button, action, {**usual, one.name: value}, Draws(1)).text
                except BadQuestion as refused:
                    text = str(refused)
                assert text and "\n" not in text


@pytest.mark.parametrize("name", NAMES)
def test_rules_cited_by_fields_are_rules_of_the_book(name: str) -> None:
    machine, cited = calculator_of(name), set[str]()
    for button, action in presses(machine):
        cited |= {one.rule for one in machine.fields(button, action) if one.rule}
    assert cited and all(rule.count("-") == 2 for rule in cited)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_asked_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    machine = calculator_of(name)
    for button, action in presses(machine):
        form = simplest(machine, button, action)
        given = [f"{key}={word(value)}" for key, value in form.items()]
        assert cli.status(["calculator", "--rules", name, action or button, *given, "--odds", "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert [(row["probability"], row["text"]) for row in said] == list(machine.odds(button, action, form))


@pytest.mark.parametrize("name", NAMES)
def test_a_field_that_is_missing_is_named(name: str) -> None:
    machine = calculator_of(name)
    for button, action in presses(machine):
        needed = next((one for one in machine.fields(button, action) if one.usual is None), None)
        if needed is not None:
            with pytest.raises(BadQuestion, match=f"^{needed.name} "):
                machine.press(button, action, {}, Draws(1))


# --- the sheets that calculators are made of -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "value", "says"),
    [
        (Field("aim", "Aim", ("hull", "masts")), None, "aim is missing; one of: hull, masts"),
        (Field("aim", "Aim", ("hull", "masts")), "mast", "aim cannot be 'mast'; did you mean 'masts'?"),
        (Field("aim", "Aim", (True, False)), 1, "aim cannot be 1; one of: yes, no"),
        (Field("guns", "Guns"), None, "guns is missing; a whole number from 0"),
        (Field("guns", "Guns"), True, "guns must be a whole number from 0, not True"),
        (Field("guns", "Guns"), -1, "guns must be a whole number from 0, not -1"),
        (Field("guns", "Guns"), "two", "guns must be a whole number from 0, not 'two'"),
    ],
)
def test_a_value_a_field_cannot_have(one: Field, value: object, says: str) -> None:
    with pytest.raises(BadQuestion) as caught:
        checked(one, value)
    assert str(caught.value) == says


def test_a_field_that_makes_no_difference_is_as_usual() -> None:
    """It is neither asked nor looked at, whatever a form says of it."""
    fields = (Field("sort", "Sort", ("gun", "horse")), Field("calibre", "Calibre", (), usual=12))
    needs = {"calibre": lambda form: form.get("sort") == "gun"}

    def ready(form: Mapping[str, Any]) -> Any:
        raise AssertionError(form)

    sheets = Sheets({"fire": Sheet("Fire", fields, ready)}, needs=needs)
    sheet = sheets.sheet("result", "fire")
    assert sheets.complete(sheet, {"sort": "horse", "calibre": "wrong"}) == {"sort": "horse", "calibre": 12}
    assert sheets.complete(sheet, {"sort": "gun", "calibre": 6}) == {"sort": "gun", "calibre": 6}
    assert sheet.filled(None, "a", None) == {}  # type: ignore[arg-type]
    with pytest.raises(BadQuestion, match="the result of which action\\? one of: fire"):
        sheets.sheet("result", None)
