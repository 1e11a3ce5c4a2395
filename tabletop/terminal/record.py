"""The record of a battle in words: the log of what happened, and the calculator's filled-in forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.play.engine import Step
from tabletop.play.narration import sentences
from tabletop.play.saves.report import by_turn, turn_opens
from tabletop.rules import rule_set
from tabletop.terminal.layout import paragraph

#: The key of a filled-in form in an event, and the key in the form that names its action.
FORM, ACTION = "form", "action"


def with_before(steps: Sequence[Step], start: int = 0) -> Iterator[tuple[Battle, Step]]:
    """Yield every step from number ``start`` on with the battle before it; for step 0, the battle after it."""
    for number in range(start, len(steps)):
        yield steps[number - 1].battle if number else steps[0].battle, steps[number]


def paragraphs(before: Battle, step: Step) -> list[str]:
    """Return what happened in a step, a paragraph for each sentence."""
    return [paragraph(sentence) for sentence in sentences(before, step.events)]


def log(steps: Sequence[Step], start: int = 0) -> Iterator[str]:
    """Yield what happened from step ``start`` on: a heading for each turn, each action with its number and its forms.

    An action that ends a turn belongs to that turn; what happens when the next one opens, for both sides or
    for one, has no number.
    """
    turn = None
    for number, (before, step) in enumerate(with_before(steps, start), start):
        for k, (now, texts, after) in enumerate(by_turn(before, step) if step.events else ()):
            if now != turn:
                turn = now
                yield f"Turn {turn}"
            if texts:
                own = "" if turn_opens(before.clock, after.clock) else number
                yield paragraph(f"{own:>4}  {' '.join(texts)}", hang=" " * 6)
            for event in forms(step) if k == 0 else ():
                yield paragraph(f"      form: {short(event)}", hang=" " * 12)


def forms(step: Step) -> list[Told]:
    """Return the events of a step that hold a filled-in form."""
    return [event for event in step.events if isinstance(event, Told) and event.values.get(FORM)]


def last_form(steps: Sequence[Step]) -> tuple[Battle, Told] | None:
    """Return the last filled-in form of a battle, and the battle before that action; None if there is none."""
    for before, step in reversed(list(with_before(steps))):
        filled_in = forms(step)
        if filled_in:
            return before, filled_in[-1]
    return None


def short(event: Told) -> str:
    """Return a form in one line, without the fields that are False."""
    values = ((key, value) for key, value in event.values[FORM].items() if value is not False)
    return f"{event.what}, " + ", ".join(
        f"{key.replace('_', ' ')}{'' if value is True else f' {value}'}" for key, value in values
    )


def form(battle: Battle, event: Told) -> str:
    """Return a form field by field, in the calculator's order and words, with its result."""
    values = event.values[FORM]
    at = f" against {battle.called(event.target)}" if event.target else ""
    head = f"{battle.called(event.unit)}: {event.what}{at}" if event.unit else event.what
    labels = _labels(battle, str(values.get(ACTION, event.what)))
    lines = [f"  {label:<50} {_word(values[key])}" for key, label in labels.items() if key in values]
    lines += [f"  {key:<50} {_word(value)}" for key, value in values.items() if key not in labels and key != ACTION]
    result = event.values.get("result")
    return "\n".join([head, *lines, *([f"  {'Result':<50} {result}"] if result else [])])


def _labels(battle: Battle, action: str) -> Mapping[str, str]:
    rules = rule_set.find(battle.rules)
    machine = None if rules.calculator is None else rules.calculator()
    if machine is None or action not in machine.actions:
        return {}
    return {field.name: field.label for field in machine.fields(machine.result, action)}


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def losses(battle: Battle) -> str:
    """Return who has left the table, how and when, and who may come back."""
    lines = [f"  {f.unit.called} ({f.unit.side}): {f.how}, turn {f.turn}" for f in battle.fallen]
    waiting = (unit for unit in battle.awaited if unit.id in battle.returning)
    lines += [f"  {u.called} ({u.side}): may come back from turn {battle.returning[u.id].turn} on" for u in waiting]
    return "\n".join(lines or ["  nobody has left the table"])
