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
    from tabletop.rules.calculator import Answer, Calculator


def add_to(app: typer.Typer) -> None:
    """Put the command among those of ``app``."""
    app.command()(calculator)


def calculator(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A button (initiative, overrun, morale) or an action (assault, march ...).", show_default=False
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
    """Ask the rulebook's calculator: for players with real miniatures. Without words it asks for everything."""
    from tabletop.terminal import game_app

    machine = _machine(rules)
    given = _form(form) | dict(_field(machine, text) for text in fields or [])
    if what is None and not given:
        game_app.converse(machine, seed)
        return
    button, action = _pressed(machine, str(given.pop("action", None) or what or ""))
    if odds:
        _say_odds(machine, button, action, given, as_json)
        return
    seed = secrets.randbits(32) if seed is None else seed
    _say(machine.press(button, action, given, game_app.Draws(seed)), seed, as_json)


def _machine(rules: str) -> Calculator:
    from tabletop.rules.rule_set import find

    found = find(rules)
    if found.calculator is None:
        raise BadQuestion(f"{found.title} has no calculator: its players throw dice")
    return found.calculator()


def _pressed(machine: Calculator, what: str) -> tuple[str, str | None]:
    """Return the button and the action a word means."""
    from tabletop.play.words import clip, did_you_mean

    if what in machine.actions:
        return machine.result, what
    if what in machine.buttons and what != machine.result:
        return what, None
    names = [*machine.actions, *(name for name in machine.buttons if name != machine.result)]
    raise BadQuestion(f"the calculator knows no '{clip(what)}'; {did_you_mean(what, names)}")


def _form(name: str | None) -> dict[str, Any]:
    if name is None:
        return {}
    from pathlib import Path

    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        found = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise BadQuestion(f"the form '{name}' cannot be read: {' '.join(str(error).split())[:120]}") from None
    if not isinstance(found, dict):
        raise BadQuestion(f'the form \'{name}\' must be a block of names and values, such as {{"action": "march"}}')
    return found


def _field(machine: Calculator, text: str) -> tuple[str, Any]:
    """Return "name=value" as a field; yes and no are true and false."""
    from tabletop.play.words import clip, did_you_mean

    name, equals, value = (part.strip() for part in text.partition("="))
    known = {f.name for a in machine.actions for f in machine.fields(machine.result, a)}
    known |= {f.name for b in machine.buttons if b != machine.result for f in machine.fields(b, None)}
    if not equals:
        raise BadQuestion(f"a field is given as name=value, such as cover=hard; not '{clip(text)}'")
    if name not in known:
        raise BadQuestion(f"the calculator has no field '{clip(name)}'; {did_you_mean(name, sorted(known))}")
    words: Mapping[str, Any] = {"yes": True, "no": False, "true": True, "false": False}
    if value.lower() in words:
        return name, words[value.lower()]
    return name, int(value) if value.isascii() and value.isdigit() and len(value) < 7 else value


def _say(answer: Answer, seed: int, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"text": answer.text, **answer.data, "seed": seed}, indent=2))
        return
    print("\n".join([answer.text, *(f"  {line}" for line in answer.lines), f"(seed {seed})"]))


def _say_odds(machine: Calculator, button: str, action: str | None, form: Mapping[str, Any], as_json: bool) -> None:
    found = machine.odds(button, action, form)
    if as_json:
        print(json.dumps([{"text": text, "probability": round(p, 12)} for p, text in found], indent=2))
        return
    print("\n".join(f"{probability:7.2%}  {text}" for probability, text in found))
