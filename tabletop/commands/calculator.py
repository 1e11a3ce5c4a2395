"""``tabletop calculator``: the rulebook's game app, as a prompt, in one line, or from a form in JSON."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.errors import BadQuestion
from tabletop.rules.rule_set import NAMES

if TYPE_CHECKING:
    from tabletop.rules.calculator import Answer, Calculator, Field


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(calculator)


def calculator(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A button or an action of the form; a wrong one is answered by those there are.",
            show_default=False,
        ),
    ] = None,
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=VALUE ...", help="The form's fields.", show_default=False)
    ] = None,
    rules: Annotated[str, typer.Option(metavar="NAME", help="Of which rule set.")] = NAMES[0],
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed and form give the same answer.", show_default=False)
    ] = None,
    odds: Annotated[
        bool, typer.Option("--odds", help="Every answer with its exact chance instead of one drawn.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The answer, or the odds, as JSON.")] = False,
    form: Annotated[
        str | None,
        typer.Option("--form", metavar="FILE", help="The form as JSON; '-' reads stdin.", show_default=False),
    ] = None,
) -> None:
    """Ask the rulebook's calculator: for players with real miniatures. Without words it asks for everything.

    Exit status 0, or 2 for a form that will not do. Examples: calculator initiative; calculator march actor="elite inf"
    general_near=yes; calculator assault --form form.json --odds --json.
    """
    from tabletop.play.app_draws import Draws
    from tabletop.terminal import game_app

    machine = _machine(rules)
    form_values = _form(machine, form) | dict(_field(machine, text) for text in fields or [])
    if what is None and not form_values:
        game_app.converse(machine, seed, _asked)
        return
    named = (form_values.pop("action", None), form_values.pop("button", None), what)
    button, action = _pressed(machine, str(next((name for name in named if name is not None), "")))
    if odds:
        _print_odds(machine, button, action, form_values, as_json)
        return
    seed = secrets.randbits(32) if seed is None else seed
    answer = machine.press(button, action, form_values, Draws(seed))
    _print_answer(answer, {"button": button, "action": action, "form": form_values, "seed": seed}, as_json)


def _asked(question: str) -> str:
    """Ask at the terminal; lines from a file are shown as if they had been typed."""
    typed = input(question)
    if not sys.stdin.isatty():
        print(typed)
    return typed


def _machine(rules: str) -> Calculator:
    from tabletop.rules.rule_set import find

    rule_set = find(rules)
    if rule_set.calculator is None:
        raise BadQuestion(f"{rule_set.title} has no calculator: its players throw dice")
    return rule_set.calculator()


def _pressed(machine: Calculator, what: str) -> tuple[str, str | None]:
    """Return the button and the action that a word means; BadQuestion, with the nearest, if it means none."""
    from tabletop.play.files.nearest_words import clip, did_you_mean

    what = what.lower()
    if what in machine.actions:
        return machine.result, what
    if what in machine.buttons and what != machine.result:
        return what, None
    names = [*machine.actions, *(name for name in machine.buttons if name != machine.result)]
    if what in ("", machine.result):
        raise BadQuestion(f"the result of what? name one of: {', '.join(names)}")
    raise BadQuestion(f"the calculator knows no '{clip(what)}'; {did_you_mean(what, names)}")


def _form(machine: Calculator, name: str | None) -> dict[str, Any]:
    """Return the form in a JSON file: a block of fields, with "action" or "button"."""
    if name is None:
        return {}
    from pathlib import Path

    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        form = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise BadQuestion(f"the form '{name}' cannot be read: {' '.join(str(error).split())[:120]}") from None
    if not isinstance(form, dict):
        raise BadQuestion(f'the form \'{name}\' must be a block of names and values, such as {{"action": "NAME"}}')
    for key, value in form.items():
        if key not in ("action", "button"):
            _known(machine, key)
        elif not isinstance(value, str):
            raise BadQuestion(f"'{key}' must be a word, not {json.dumps(value)[:60]}")
    return form


def _known(machine: Calculator, name: str) -> Field:
    """Return the field of this name, of whatever action or button; BadQuestion, with the nearest, if there is none."""
    from tabletop.play.files.nearest_words import clip, did_you_mean

    presses: list[tuple[str, str | None]] = [(machine.result, action) for action in machine.actions]
    presses += [(button, None) for button in machine.buttons if button != machine.result]
    fields_by_name: dict[str, Field] = {}
    for button, action in presses:
        for field in machine.fields(button, action):
            most = fields_by_name.get(field.name)
            fields_by_name[field.name] = field if most is None or len(field.values) > len(most.values) else most
    if name not in fields_by_name:
        raise BadQuestion(f"the calculator has no field '{clip(name)}'; {did_you_mean(name, sorted(fields_by_name))}")
    return fields_by_name[name]


def _field(machine: Calculator, text: str) -> tuple[str, Any]:
    """Return "name=value" as a field; the beginning of a value is enough, yes and no are true and false."""
    from tabletop.play.files.nearest_words import clip
    from tabletop.terminal.game_app import meant, word

    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise BadQuestion(f"a field is given as name=value, such as cover=hard; not '{clip(text)}'")
    field = _known(machine, name)
    if not field.values:
        return name, int(value) if value.isascii() and value.isdigit() and len(value) < 7 else value
    value = {"true": "yes", "false": "no"}.get(value.lower(), value)
    try:
        return name, meant(value, {word(v): v for v in field.values} if not value.isdigit() else {})
    except BadQuestion as error:
        raise BadQuestion(f"{name}: {error}") from None


def _print_answer(answer: Answer, pressed: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        stated = {key: value for key, value in pressed.items() if value is not None}
        print(json.dumps({"text": answer.text, **answer.data, **stated}, indent=2))
        return
    print("\n".join([answer.text, *(f"  {line}" for line in answer.lines), f"(seed {pressed['seed']})"]))


def _print_odds(machine: Calculator, button: str, action: str | None, form: Mapping[str, Any], as_json: bool) -> None:
    odds, basis = machine.odds(button, action, form), machine.basis(button, action, form)
    if as_json:
        more = {"basis": basis} if basis else {}
        print(json.dumps([{"text": text, "probability": p, **more} for p, text in odds], indent=2))
        return
    from tabletop.terminal.game_app import odds_text

    print(odds_text(odds, basis))
