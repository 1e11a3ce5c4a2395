"""The calculator as a conversation: a button, an action, the fields one after another, the result."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tabletop.errors import BadQuestion, TabletopError
from tabletop.play.app_draws import Draws, by_end
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules.calculator import Calculator, Fact, Field
from tabletop.rules.common.basis import said, sentence
from tabletop.terminal.layout import BAR, WIDTH, bar, paragraph, percent

QUIT, AGAIN, ODDS, BACK, LIST = "q", "a", "o", "<", "?"
#: Less likely outcomes get no line.
SLIGHT = 0.00005

Ask = Callable[[str], str]
Write = Callable[[str], None]


class _Leave(Exception):
    """The player leaves the calculator."""


class _Back(Exception):
    """The player wants to answer the previous field again."""


def converse(machine: Calculator, seed: int | None = None, ask: Ask = input, write: Write = print) -> None:
    """Ask for button, action and fields, print the result, and begin again until the player leaves.

    The result of a wrongly filled form does not count: "a" asks the same again, with the previous answers in brackets
    (TSE-APP-04).
    """
    write(f"The calculator of {machine.title}.")
    write(
        f"A number or the beginning of a word answers; Enter takes what stands in []; {BACK} goes back, {QUIT} leaves."
    )
    talk, draws = _Conversation(machine, ask, write), 0
    try:
        while True:
            try:
                button = talk.pick("Button", machine.buttons, machine.result)
                action = talk.pick("Action", machine.actions) if button == machine.result else None
                draws = talk.press_until_right(_Pressed(button, action), seed, draws)
            except _Back:
                continue
    except (_Leave, EOFError, KeyboardInterrupt):
        write("")


class _Pressed(NamedTuple):
    """A button of the calculator, and the action chosen if it is the button for results."""

    button: str
    action: str | None


@dataclass(frozen=True)
class _Conversation:
    """A player at the calculator: how to ask and to print, and the lists of values already shown."""

    machine: Calculator
    ask: Ask
    write: Write
    listed: set[tuple[Fact, ...]] = field(default_factory=set)

    def press_until_right(self, pressed: _Pressed, seed: int | None, draws: int) -> int:
        """Fill in one form, again if the player finds it wrong, and print its results; return how many draws were made.

        ``draws`` were made before; each has the next ``seed``, or a random one if none is given.
        """
        form: dict[str, Any] = {}
        while True:
            form = self._filled(pressed, form)
            self._press(pressed, form, secrets.randbits(32) if seed is None else seed + draws)
            draws += 1
            if self._after(pressed, form) != AGAIN:
                return draws
            self.write("That result counts for nothing.")

    def _after(self, pressed: _Pressed, form: Mapping[str, Any]) -> str:
        """Return what the player types after a result; the odds are shown as often as the player asks for them."""
        while True:
            typed = self._answered(f"Enter goes on; {AGAIN}: the form was wrong, again; {ODDS}: its odds: ").lower()
            if typed != ODDS:
                return typed
            self._odds(pressed, form)

    def _press(self, pressed: _Pressed, form: Mapping[str, Any], seed: int) -> None:
        """Press the button and print the result, or what is wrong with the form."""
        try:
            answer = self.machine.press(*pressed, form, Draws(seed))
        except TabletopError as error:
            self.write(f"  {error}")
            return
        self.write("\n".join([f"=> {answer.text}", *(f"   {line}" for line in answer.lines)]))

    def _odds(self, pressed: _Pressed, form: Mapping[str, Any]) -> None:
        """Print the odds of the form, or what is wrong with it."""
        try:
            self.write(odds_text(self.machine.odds(*pressed, form), self.machine.basis(*pressed, form)))
        except TabletopError as error:
            self.write(f"  {error}")

    def _filled(self, pressed: _Pressed, before: Mapping[str, Any]) -> dict[str, Any]:
        """Ask for every field that applies; "<" asks for the previous one again."""
        form: dict[str, Any] = {}
        machine = self.machine
        fields, number, asked = machine.fields(*pressed), 0, list[int]()
        while number < len(fields):
            entry = fields[number]
            if not machine.applies(entry.name, form):
                number += 1
                continue
            usual = form.pop(entry.name, before.get(entry.name, entry.usual))
            try:
                form[entry.name] = self._value(replace(entry, usual=usual))
                asked.append(number)
                number += 1
            except _Back:
                if not asked:
                    raise
                form[entry.name] = usual
                number = asked.pop()
        names = [entry.name for entry in fields]
        return {name: form[name] for name in names if machine.applies(name, form) and name in form}

    def _value(self, asked: Field) -> Any:
        """Ask for one field until it is answered; a long list of values is shown once, and when "?" is typed."""
        words = {word(value): value for value in asked.values}
        usual = "" if asked.usual is None else f" [{word(asked.usual)}]"
        inline = f"{asked.label} ({' / '.join(words)}){usual}: "
        question = inline if words and len(inline) < WIDTH else f"{asked.label}{usual}: "
        if words and question != inline and asked.values not in self.listed:
            self.listed.add(asked.values)
            self.write(columns(words))
        while True:
            typed = self._answered(question)
            if not typed and asked.usual is not None:
                return asked.usual
            if typed == LIST and words:
                self.write(columns(words))
                continue
            try:
                return meant(typed, words) if words else _count(typed)
            except BadQuestion as error:
                self.write(f"  {error}")

    def pick(self, title: str, rows: Mapping[str, str], usual: str | None = None) -> str:
        """Show the rows, numbered, and return the name of the one that the player picks."""
        self.write("\n".join(f"  {number}. {label}" for number, label in enumerate(rows.values(), 1)))
        words: dict[str, Fact] = {name: name for name in rows}
        while True:
            typed = self._answered(f"{title}{f' [{rows[usual]}]' if usual else ''}: ")
            if not typed and usual is not None:
                return usual
            try:
                return str(meant(typed, words))
            except BadQuestion as error:
                self.write(f"  {error}")

    def _answered(self, question: str) -> str:
        """Return what the player types, without extra blanks; raise if it means to leave or to go back."""
        typed = " ".join(self.ask(question).split())
        if typed.lower() in (QUIT, "quit", "exit"):
            raise _Leave
        if typed == BACK:
            raise _Back
        return typed


# --- words and values ------------------------------------------------------------------------------------------------


def meant(typed: str, words: Mapping[str, Fact]) -> Fact:
    """Return the value for a number, a word or its beginning; BadQuestion if there is none."""
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


# --- odds ------------------------------------------------------------------------------------------------------------


def odds_text(odds: Sequence[tuple[float, str]], basis: str = "") -> str:
    """Return the odds grouped by outcome, the likeliest first; below each the ways to it, if there are several.

    A last line says so where the numbers they are read from are not the rulebook's own (``basis``).
    """
    lines = [line for row in by_end(odds) if row[0] >= SLIGHT for line in _rows(*row)]
    return "\n".join([*lines, *([paragraph(sentence(basis))] if said(basis) else [])])


def _rows(share: float, end: str, ways: Mapping[str, float]) -> list[str]:
    head = f"{percent(share)} {bar(share):<{BAR}} {end}"
    parts = [f"{way or 'straight'} {percent(p).strip()}" for way, p in sorted(ways.items(), key=lambda w: -w[1])]
    if len(parts) < 2:
        return [head + (f" ({next(iter(ways))})" if next(iter(ways)) else "")]
    return [head, paragraph(f"({', '.join(parts)})", " " * (9 + BAR), " ")]
