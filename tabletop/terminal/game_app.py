"""The calculator as a conversation: a button, an action, the fields one after another, the answer."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.battle.dice import FINE, face, graded
from tabletop.errors import BadQuestion, TabletopError
from tabletop.rules.calculator import Calculator, Fact, Field

QUIT, AGAIN = "q", "a"


class Draws:
    """Chance for a calculator that keeps no battle: the draws of a seed, one after another."""

    def __init__(self, seed: int) -> None:
        self._seed, self._index = seed, 0

    def die(self, purpose: str, sides: int = 6) -> int:
        self._index += 1
        return face(self._seed, self._index - 1, sides)

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        draw = (self.die(purpose, FINE) - 0.5) / FINE
        return graded(draw, probabilities), draw


class _Leave(Exception):
    """The player has done with the calculator."""


def converse(
    machine: Calculator, seed: int | None = None, ask: Callable[[str], str] = input, say: Callable[[str], None] = print
) -> None:
    """Ask for button, action and fields, say the answer, and begin again until the player leaves.

    A result of a wrongly filled form counts for nothing: "a" asks the same again (TSE-APP-04).
    """
    say(f"The calculator of {machine.title}. A number or a word answers; {QUIT} leaves, Enter takes what stands in [].")
    turn = 0
    try:
        while True:
            button = _pick(ask, say, "Button", machine.buttons, machine.result)
            action = _pick(ask, say, "Action", machine.actions) if button == machine.result else None
            while True:
                form = _filled(machine, button, action, ask, say)
                drawn = secrets.randbits(32) if seed is None else seed + turn
                turn += 1
                _press(machine, button, action, form, drawn, say)
                if _answered(ask, f"Enter goes on, {AGAIN} fills the form in again: ").lower() != AGAIN:
                    break
                say("That result counts for nothing.")
    except (_Leave, EOFError, KeyboardInterrupt):
        say("")


def _press(
    machine: Calculator,
    button: str,
    action: str | None,
    form: Mapping[str, Any],
    seed: int,
    say: Callable[[str], None],
) -> None:
    try:
        answer = machine.press(button, action, form, Draws(seed))
    except TabletopError as error:
        say(f"  {error}")
        return
    say("\n".join([f"=> {answer.text}", *(f"   {line}" for line in answer.lines)]))


def _filled(
    machine: Calculator, button: str, action: str | None, ask: Callable[[str], str], say: Callable[[str], None]
) -> dict[str, Any]:
    form: dict[str, Any] = {}
    for field in machine.fields(button, action):
        if machine.applies(field.name, form):
            form[field.name] = _value(field, ask, say)
    return form


def _value(field: Field, ask: Callable[[str], str], say: Callable[[str], None]) -> Any:
    """Ask for one field until it is answered."""
    words = {_word(value): value for value in field.values}
    usual = "" if field.usual is None else f" [{_word(field.usual)}]"
    shown = f" ({' / '.join(words)})" if len(words) <= 6 else ""
    if len(words) > 6:
        say("\n".join(f"  {number:>2}. {word}" for number, word in enumerate(words, 1)))
    while True:
        typed = _answered(ask, f"{field.label}{shown}{usual}: ")
        if not typed and field.usual is not None:
            return field.usual
        try:
            return _meant(typed, words) if words else _count(typed)
        except BadQuestion as error:
            say(f"  {error}")


def _pick(
    ask: Callable[[str], str], say: Callable[[str], None], title: str, rows: Mapping[str, str], usual: str | None = None
) -> str:
    say("\n".join(f"  {number}. {label}" for number, label in enumerate(rows.values(), 1)))
    words: dict[str, Fact] = {name: name for name in rows}
    while True:
        typed = _answered(ask, f"{title}{f' [{rows[usual]}]' if usual else ''}: ")
        if not typed and usual is not None:
            return usual
        try:
            return str(_meant(typed, words))
        except BadQuestion as error:
            say(f"  {error}")


def _meant(typed: str, words: Mapping[str, Fact]) -> Fact:
    """Return the value a number, a word or its beginning means."""
    if typed.isdigit() and 1 <= int(typed) <= len(words):
        return list(words.values())[int(typed) - 1]
    near = [word for word in words if word.startswith(typed.lower())] if typed else []
    if typed.lower() in words or len(near) == 1:
        return words[typed.lower() if typed.lower() in words else near[0]]
    raise BadQuestion(f"answer with one of: {', '.join(near or words)}")


def _count(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit() and len(typed) < 5):
        raise BadQuestion("answer with a whole number")
    return int(typed)


def _answered(ask: Callable[[str], str], question: str) -> str:
    typed = " ".join(ask(question).split())
    if typed.lower() in (QUIT, "quit", "exit"):
        raise _Leave
    return typed


def _word(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
