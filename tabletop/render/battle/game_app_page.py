"""The rulebook's game app beside a battle: its form filled in from the table for a unit and its target.

It uses the calculator of the full game app and the functions that fill in the battle's own forms, and shows the
possible results with their exact chances. Plain data in, html out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital
from tabletop.errors import TabletopError
from tabletop.render.drawing import measures
from tabletop.render.widgets.app_form import Pad
from tabletop.render.widgets.links import QUIET, escape
from tabletop.render.widgets.panel_page import Key, PanelPage
from tabletop.rules.calculator import Calculator, Filled
from tabletop.rules.rule_set import find

#: Results less likely than this are left out; the most that are shown.
SLIGHT, MOST = 0.0005, 8
#: Buttons of a form other than that of the result.
BUTTONS = ("morale", "overrun")


@dataclass(frozen=True)
class Asked:
    """A question to the app about a battle: an action or a button, the unit, its target."""

    what: str
    unit: str
    target: str | None


def machine_of(rules: str) -> Calculator | None:
    """Return the calculator of a rule set, None if it has none."""
    make = find(rules).calculator
    return None if make is None else make()


def filled(battle: Battle, machine: Calculator, asked: Asked) -> Mapping[str, Filled]:
    """Return the form's fields as filled in from the table."""
    button, action = _pressed(machine, asked.what)
    return machine.filled(battle, button, action, asked.unit, asked.target)


def panel_page(battle: Battle, asked: Asked) -> PanelPage | None:
    """Return the page, None if the rules have no such app."""
    machine = machine_of(battle.rules)
    if machine is None:
        return None
    whom = f" at <b>{escape(battle.called(asked.target))}</b>" if asked.target and battle.has(asked.target) else ""
    label = machine.actions.get(asked.what) or machine.buttons.get(asked.what, asked.what)
    who = f"<b>{escape(battle.called(asked.unit))}</b>{whom}"
    try:
        lines = list(_lines(machine, asked, filled(battle, machine, asked)))
    except TabletopError as refused:
        lines = [f"<i>{escape(capital(str(refused)))}.</i>"]
    return PanelPage(f"Game app: {label}", "<br>".join([who, *lines]), tuple(_keys(machine, asked)))


def _pressed(machine: Calculator, what: str) -> tuple[str, str | None]:
    return (machine.result, what) if what in machine.actions else (what, None)


def _lines(machine: Calculator, asked: Asked, values: Mapping[str, Filled]) -> Iterator[str]:
    button, action = _pressed(machine, asked.what)
    pad = Pad(machine, button, action)
    pad.fill(values)
    yield from _odds(pad)
    for field in pad.fields:
        source = pad.sources.get(field.name, "")
        origin = f" <font color='{QUIET}'>{escape(measures.in_chosen_unit(source))}</font>" if source else ""
        yield f"{escape(field.label.rstrip('?'))}: <b>{escape(value_text(pad.value(field)))}</b>{origin} {field.rule}"


def _odds(pad: Pad) -> Iterator[str]:
    """Yield the possible results as one paragraph, likeliest first, preceded by why the form cannot be worked out."""
    shown = [(share, end) for share, end, _ in pad.odds[:MOST] if share >= SLIGHT]
    if pad.trouble:
        yield f"<i>{escape(capital(pad.trouble.rstrip('.')))}.</i><br>"
    if shown:
        yield " · ".join(f"<b>{share:.1%}</b> {escape(end)}" for share, end in shown) + "<br>"


def value_text(value: object) -> str:
    """Return a value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if text[:1].isdigit() else text.replace("-", " ")


def _keys(machine: Calculator, asked: Asked) -> Iterator[Key]:
    """Yield a key for everything else the app can compute for this unit, and one that opens the full app."""
    for name, label in machine.actions.items():
        if name != asked.what:
            yield Key(f"appask:{name}", label.split(",")[0], f"Fill the form in for: {label}")
    for name in BUTTONS:
        if name in machine.buttons and name != asked.what:
            yield Key(f"appask:{name}", machine.buttons[name], f"Fill the form in for: {machine.buttons[name]}")
    yield Key("byhand:", "Change by hand ...", "The whole app, this form filled in")
