"""The calculator as a conversation: a button, an action, the fields one after another, the answer."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.errors import BadQuestion, TabletopError
from tabletop.play.app_draws import Draws, by_end
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules.calculator import Calculator, Fact, Field
from tabletop.terminal.layout import BAR, WIDTH, bar, paragraph, percent

QUIT, AGAIN, ODDS, BACK, LIST = "q", "a", "o", "<", "?"
#: Outcomes less likely than this are not worth a line.
SLIGHT = 0.00005

Ask = Callable[[str], str]
Say = Callable[[str], None]


class _Leave(Exception):
    """The player leaves the calculator."""


class _Back(Exception):
    """The player wants to answer the field before this one again."""


def converse(machine: Calculator, seed: int | None = None, ask: Ask = input, say: Say = print) -> None:
    """Ask for button, action and fields, say the answer, and begin again until the player leaves.

    A result of a wrongly filled form counts for nothing: "a" asks the same again, the answers so far in brackets
    (TSE-APP-04).
    """
    say(f"The calculator of {machine.title}.")
    say(f"A number or the beginning of a word answers; Enter takes what stands in []; {BACK} goes back, {QUIT} leaves.")
    try:
        turn, listed = 0, set[tuple[Fact, ...]]()
        while True:
            try:
                button = _pick(ask, say, "Button", machine.buttons, machine.result)
                action = _pick(ask, say, "Action", machine.actions) if button == machine.result else None
                turn = _one_form(machine, button, action, seed, turn, ask, say, listed)
            except _Back:
                continue
    except (_Leave, EOFError, KeyboardInterrupt):
        say("")


def _one_form(
    machine: Calculator, button: str, action: str | None, seed: int | None, turn: int, ask: Ask, say: Say,
    listed: set[tuple[Fact, ...]],
) -> int:  # fmt: skip
    """Fill in one form, again if the player finds it wrong, and say its results; return the next draw's number."""
    form: dict[str, Any] = {}
    while True:
        form = _filled(machine, button, action, form, ask, say, listed)
        _press(machine, button, action, form, secrets.randbits(32) if seed is None else seed + turn, say)
        turn += 1
        typed = _after(machine, button, action, form, ask, say)
        if typed != AGAIN:
            return turn
        say("That result counts for nothing.")


def _after(
    machine: Calculator, button: str, action: str | None, form: Mapping[str, Any], ask: Ask, say: Say
) -> str:  # fmt: skip
    while True:
        typed = _answered(ask, f"Enter goes on; {AGAIN}: the form was wrong, again; {ODDS}: its odds: ").lower()
        if typed != ODDS:
            return typed
        say(odds_text(machine.odds(button, action, form)))


def _press(
    machine: Calculator, button: str, action: str | None, form: Mapping[str, Any], seed: int, say: Say
) -> None:  # fmt: skip
    try:
        answer = machine.press(button, action, form, Draws(seed))
    except TabletopError as error:
        say(f"  {error}")
        return
    say("\n".join([f"=> {answer.text}", *(f"   {line}" for line in answer.lines)]))


def _filled(
    machine: Calculator, button: str, action: str | None, before: Mapping[str, Any], ask: Ask, say: Say,
    listed: set[tuple[Fact, ...]],
) -> dict[str, Any]:  # fmt: skip
    """Ask for every field that applies; "<" asks for the one before again."""
    form: dict[str, Any] = {}
    fields, number, asked = machine.fields(button, action), 0, list[int]()
    while number < len(fields):
        field = fields[number]
        if not machine.applies(field.name, form):
            number += 1
            continue
        usual = form.pop(field.name, before.get(field.name, field.usual))
        try:
            form[field.name] = _value(replace(field, usual=usual), ask, say, listed)
            asked.append(number)
            number += 1
        except _Back:
            if not asked:
                raise
            form[field.name] = usual
            number = asked.pop()
    return {
        field.name: form[field.name] for field in fields if machine.applies(field.name, form) and field.name in form
    }


def _value(field: Field, ask: Ask, say: Say, listed: set[tuple[Fact, ...]]) -> Any:
    """Ask for one field until it is answered; a long list of values is shown once, and whenever "?" is typed."""
    words = {word(value): value for value in field.values}
    usual = "" if field.usual is None else f" [{word(field.usual)}]"
    inline = f"{field.label} ({' / '.join(words)}){usual}: "
    question = inline if words and len(inline) < WIDTH else f"{field.label}{usual}: "
    if words and question != inline and field.values not in listed:
        listed.add(field.values)
        say(columns(words))
    while True:
        typed = _answered(ask, question)
        if not typed and field.usual is not None:
            return field.usual
        if typed == LIST and words:
            say(columns(words))
            continue
        try:
            return meant(typed, words) if words else _count(typed)
        except BadQuestion as error:
            say(f"  {error}")


def _pick(ask: Ask, say: Say, title: str, rows: Mapping[str, str], usual: str | None = None) -> str:
    say("\n".join(f"  {number}. {label}" for number, label in enumerate(rows.values(), 1)))
    words: dict[str, Fact] = {name: name for name in rows}
    while True:
        typed = _answered(ask, f"{title}{f' [{rows[usual]}]' if usual else ''}: ")
        if not typed and usual is not None:
            return usual
        try:
            return str(meant(typed, words))
        except BadQuestion as error:
            say(f"  {error}")


# --- words and values ------------------------------------------------------------------------------------------------


def meant(typed: str, words: Mapping[str, Fact]) -> Fact:
    """Return the value that a number, a word or its beginning stands for; BadQuestion if there is none."""
    text = typed.lower()
    if text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= len(words):
        return list(words.values())[int(text) - 1]
    near = [name for name in words if name.startswith(text)] if text else []
    if text in words or len(near) == 1:
        return words[text if text in words else near[0]]
    if near:
        raise BadQuestion(f"'{clip(typed)}' could be any of: {', '.join(near)}")
    raise BadQuestion(f"'{clip(typed)}' is none of these; {did_you_mean(typed, list(words))}")


def word(value: object) -> str:
    """Return a value as users type it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def columns(words: Mapping[str, Fact]) -> str:
    """Return a numbered list in as many columns as fit, read downwards."""
    cells = [f"{number:>4}. {name}" for number, name in enumerate(words, 1)]
    width = max(map(len, cells)) + 2
    rows = -(-len(cells) // max(1, WIDTH // width))
    return "\n".join("".join(f"{cell:<{width}}" for cell in cells[row::rows]).rstrip() for row in range(rows))


def _count(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and len(typed) < 5):
        raise BadQuestion("answer with a whole number")
    return int(typed)


def _answered(ask: Ask, question: str) -> str:
    typed = " ".join(ask(question).split())
    if typed.lower() in (QUIT, "quit", "exit"):
        raise _Leave
    if typed == BACK:
        raise _Back
    return typed


# --- odds ------------------------------------------------------------------------------------------------------------


def odds_text(odds: Sequence[tuple[float, str]]) -> str:
    """Return the odds grouped by outcome, the likeliest first; under each the ways there, if there are several."""
    return "\n".join(line for row in by_end(odds) if row[0] >= SLIGHT for line in _rows(*row))


def _rows(share: float, end: str, ways: Mapping[str, float]) -> list[str]:
    head = f"{percent(share)} {bar(share):<{BAR}} {end}"
    parts = [f"{way or 'straight'} {percent(p).strip()}" for way, p in sorted(ways.items(), key=lambda w: -w[1])]
    if len(parts) < 2:
        return [head + (f" ({next(iter(ways))})" if next(iter(ways)) else "")]
    return [head, paragraph(f"({', '.join(parts)})", " " * (9 + BAR), " ")]
