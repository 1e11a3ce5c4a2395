"""The rulebook's game app beside the battle: its form filled in from the table for a unit and its target.

By the very calculator that is asked by hand, and the very functions that fill in the forms of the battle; what may
come of it with its exact chances. Plain data in, html out.
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
from tabletop.render.widgets.panel_page import Key, Leaf
from tabletop.rules.calculator import Calculator, Filled
from tabletop.rules.rule_set import find

#: Ends less likely than this are left out; the most told.
SLIGHT, MOST = 0.0005, 8
#: What is done with a form outside the result, with its words.
BUTTONS = ("morale", "overrun")


@dataclass(frozen=True)
class Asked:
    """What the app is asked of a battle: an action (or a button), by whom, at whom."""

    what: str
    unit: str
    target: str | None


def machine_of(rules: str) -> Calculator | None:
    """Return the calculator of a rule set; None where it has none."""
    make = find(rules).calculator
    return None if make is None else make()


def filled(battle: Battle, machine: Calculator, asked: Asked) -> Mapping[str, Filled]:
    """Return the fields as the table has them."""
    button, action = _pressed(machine, asked.what)
    return machine.filled(battle, button, action, asked.unit, asked.target)


def leaf(battle: Battle, asked: Asked) -> Leaf | None:
    """Return the page; None where the rules have no such app."""
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
    return Leaf(f"Game app: {label}", "<br>".join([who, *lines]), tuple(_keys(machine, asked)))


def _pressed(machine: Calculator, what: str) -> tuple[str, str | None]:
    return (machine.result, what) if what in machine.actions else (what, None)


def _lines(machine: Calculator, asked: Asked, found: Mapping[str, Filled]) -> Iterator[str]:
    button, action = _pressed(machine, asked.what)
    pad = Pad(machine, button, action)
    pad.fill(found)
    yield from _odds(pad)
    for one in pad.fields:
        source = pad.sources.get(one.name, "")
        told = f" <font color='{QUIET}'>{escape(measures.said(source))}</font>" if source else ""
        yield f"{escape(one.label.rstrip('?'))}: <b>{escape(said(pad.value(one)))}</b>{told} {one.rule}"


def _odds(pad: Pad) -> Iterator[str]:
    """Yield what may be answered in one paragraph, the likeliest first, and why there is none."""
    shown = [(share, end) for share, end, _ in pad.odds[:MOST] if share >= SLIGHT]
    if pad.trouble:
        yield f"<i>{escape(capital(pad.trouble.rstrip('.')))}.</i><br>"
    if shown:
        yield " · ".join(f"<b>{share:.1%}</b> {escape(end)}" for share, end in shown) + "<br>"


def said(value: object) -> str:
    """Return a value as it reads."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if text[:1].isdigit() else text.replace("-", " ")


def _keys(machine: Calculator, asked: Asked) -> Iterator[Key]:
    """Yield a key for everything else the app can be asked of this unit, and the way to the form by hand."""
    for name, label in machine.actions.items():
        if name != asked.what:
            yield Key(f"appask:{name}", label.split(",")[0], f"Fill the form in for: {label}")
    for name in BUTTONS:
        if name in machine.buttons and name != asked.what:
            yield Key(f"appask:{name}", machine.buttons[name], f"Fill the form in for: {machine.buttons[name]}")
    yield Key("byhand:", "Change by hand ...", "The whole app, this form filled in")
