"""The game app as a page: its form filled in by hand or from a table; results with their odds, which can be voided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion, TabletopError
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.screens import Look, Maker
from tabletop.render.widgets.app_form import Pad, Result
from tabletop.render.widgets.pages.brush import Brush, Place, height_of
from tabletop.render.widgets.pages.page_with_back import PageWithBack
from tabletop.render.widgets.pages.spots import Draw, Spot, State, button, text, words
from tabletop.render.widgets.pages.text_entry import Line
from tabletop.rules.calculator import Fact, Field, Filled
from tabletop.rules.common.basis import sentence
from tabletop.rules.rule_set import NAMES, find

#: Heights of a row and of a choice, the column of labels, the gap between choices, the width from which two columns
#: fit.
ROW, HIGH, LABEL, GAP, TWO = 35.0, 29.0, 168.0, 5.0, 980.0
#: Maximum width of the left column; letter sizes of choices and of the notes beside them.
FORM, LETTERS, SMALL = 690.0, 14.0, 14.0
#: A field with more values than this is chosen in two steps: first the values' last word, then what precedes it.
MANY = 8
#: Results less likely than this get no line; maximum lines of odds; pixels of the longest bar.
SLIGHT, MOST_ENDS, BAR = 0.00005, 12, 110.0
#: Length of the longest bar if words are long, their letter size, and the pixels of a line besides bar and words.
LEAST_BAR, END, BESIDE = 30.0, 15.0, 72.0
YES_NO: Mapping[object, str] = {True: "Yes", False: "No"}
MOST_SEED = 10**18


def calculator(rules: str = "", action: str | None = None, filled: Mapping[str, Filled] | None = None) -> Maker:
    """Return the function that makes the page of a rule set's calculator, with some fields filled in if given.

    Without a name it is the first rule set that has a calculator; BadQuestion for one that has none.
    """
    name = rules or next(name for name in NAMES if find(name).calculator is not None)
    record = find(name)
    if record.calculator is None:
        raise BadQuestion(f"{record.title} has no game app: its players throw dice")
    make = record.calculator

    def made(look: Look) -> GameApp:
        pad = Pad(make(), action=action)
        pad.fill(filled or {})
        return GameApp(look, pad, name)

    return made


def offered() -> Mapping[str, str]:
    """Return the rule sets with a calculator, by name with their titles, leaving out those that cannot be loaded."""
    titles = {}
    for name in NAMES:
        with suppress(TabletopError):
            if find(name).calculator is not None:
                titles[name] = find(name).title
    return titles


def on_table(battle: Battle, what: str, unit: str, target: str | None) -> Maker:
    """Return the function that makes the page with the form filled in from a battle for a unit and its target."""
    record = find(battle.rules)
    if record.calculator is None:
        raise BadQuestion(f"{record.title} has no game app: its players throw dice")
    machine = record.calculator()
    button, action = (machine.result, what) if what in machine.actions else (what, None)
    pad = Pad(machine, button, action)
    try:
        pad.fill(machine.filled(battle, button, action, unit, target))
    except TabletopError as refused:
        pad.trouble = str(refused)
    return lambda look: GameApp(look, pad)


class GameApp(PageWithBack):
    """A calculator with its form; if ``rules`` is set, the player may switch to that of another rule set."""

    usual = "ask"
    widest = 1360.0
    keys = "Enter asks, Ctrl-Z voids the last result. Tab and arrows go about, Space chooses, Esc goes back."

    def __init__(self, look: Look, pad: Pad, rules: str = "") -> None:
        super().__init__(look)
        self.pad, self.rules = pad, rules
        self.offered = offered() if rules else {}
        self.title = f"The game app: {pad.machine.title}"
        self.lines = {"seed": Line("")}
        self._numbered()

    # --- layout ------------------------------------------------------------------------------------------------------

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The button that clears the form."""
        return (("clear", "Clear the form", "Empty every field"),)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return the form at the left, answer and odds at the right; one above the other on a narrow page."""
        if wide < TWO:
            spots, below = self._form(left, top, wide)
            return [*spots, *self._answer(left, below + 16, wide)]
        form = min(FORM, 0.56 * wide)
        spots, _ = self._form(left, top, form)
        return [*spots, *self._answer(left + form + 36, top, wide - form - 36)]

    def _form(self, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        machine, pad, spots = self.pad.machine, self.pad, list[Spot]()
        if len(self.offered) > 1:
            laid, top = _choices("rules", self.offered, self.rules, left, top, wide, "The calculator of these rules")
            spots, top = [*spots, *laid], top + 4
        laid, top = _choices("button", machine.buttons, pad.button, left, top, wide, "Ask for this")
        spots += laid
        if pad.asked_action is not None:
            laid, top = _choices(
                "action", machine.actions, pad.action, left, top + 4, wide, "The result of this action"
            )
            spots += laid
        top += 10
        for field in pad.fields:
            laid, top = self._field(field, left, top, wide)
            spots += laid
        if not pad.fields:
            spots.append(Spot((left, top, wide, HIGH), words("Nothing to fill in: just ask.", 15, ink="quiet")))
            top += ROW
        return spots, top

    def _field(self, one: Field, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        """Return a field's label, its choices, and the part of the table its value was taken from."""
        value, source = self.pad.value(one), self.pad.sources.get(one.name, "")
        hint = f"{one.label} ({one.rule})" if one.rule else one.label
        ink = "wrong" if value is None else "ink"
        if not one.values:
            spots, below = self._number(one, value, hint, left, top, wide)
        elif set(one.values) <= {True, False}:
            spots, below = self._yes_no(one, value, hint, left, top, wide)
        else:
            spots = [
                Spot((left, top, LABEL - 8, HIGH), words(one.label, 15, "bold" if value is None else "plain", ink))
            ]
            laid, below = self._values(one, value, hint, left + LABEL, top, wide - LABEL)
            spots += laid
        if source:
            place = (left + LABEL, below - 4, wide - LABEL, 20)
            spots.append(Spot(place, words(f"from the table: {source}", SMALL, ink="quiet")))
            below += 20
        return spots, below

    def _yes_no(
        self, one: Field, value: object, hint: str, left: float, top: float, wide: float
    ) -> tuple[list[Spot], float]:
        each, spots = 62.0, list[Spot]()
        room = wide - 2 * each - GAP - 10
        spots.append(Spot((left, top, room, HIGH), words(one.label, 15)))
        for number, yes in enumerate((True, False)):
            place = (left + wide - (2 - number) * each - (1 - number) * GAP, top, each, HIGH)
            spots.append(Spot(place, _choice(YES_NO[yes], value is yes), f"put:{one.name}:{YES_NO[yes]}", hint))
        return spots, top + ROW

    def _number(
        self, one: Field, value: object, hint: str, left: float, top: float, wide: float
    ) -> tuple[list[Spot], float]:
        box, open_ = 129.0, value is None
        label = words(one.label, 15, "bold" if open_ else "plain", "wrong" if open_ else "ink")
        place = (left + wide - box, top, box, HIGH)
        line = Spot(place, self.lines[one.name].draw, one.name, f"{hint}: a number", typed=True)
        return [Spot((left, top, wide - box - 10, HIGH), label), line], top + ROW

    def _values(
        self, one: Field, value: object, hint: str, left: float, top: float, wide: float
    ) -> tuple[list[Spot], float]:
        if len(one.values) <= MANY:
            labels = {str(v): _value_text(v) for v in one.values}
            return _choices(f"put:{one.name}", labels, str(value), left, top, wide, hint)
        return self._two_steps(one, value, hint, left, top, wide)

    def _two_steps(
        self, one: Field, value: object, hint: str, left: float, top: float, wide: float
    ) -> tuple[list[Spot], float]:
        """Return the last words of the values, then the words that may precede the chosen one."""
        chosen = str(value or "")
        _, _, last = chosen.rpartition(" ")
        lasts = dict.fromkeys(str(v).rpartition(" ")[2] for v in one.values)
        labels = {word: _value_text(word) for word in lasts}
        spots, below = _choices(f"last:{one.name}", labels, last, left, top, wide, hint)
        before = [str(v).rpartition(" ")[0] for v in one.values if str(v).rpartition(" ")[2] == last]
        if last and any(before):
            labels = {f"{word} {last}": _value_text(word) for word in before}
            more, below = _choices(f"put:{one.name}", labels, chosen, left, below - 2, wide, hint)
            spots += more
        return spots, below

    # --- answer and odds ---------------------------------------------------------------------------------------------

    def _answer(self, left: float, top: float, wide: float) -> list[Spot]:
        pad, spots = self.pad, list[Spot]()
        ask = min(220.0, wide * 0.4)
        spots.append(
            Spot((left, top, ask, 38), button("Ask", True, not pad.missing, 18), "ask", "Draw the answer (Enter)")
        )
        seed = (left + ask + 12 + 44, top + 2, max(60.0, wide - ask - 56), 34)
        spots.append(Spot((left + ask + 12, top, 44, 38), words("Seed", 15, ink="quiet")))
        hint = "The same seed and form give the same answer; empty: by chance"
        spots.append(Spot(seed, self.lines["seed"].draw, "seed", hint, typed=True))
        top += 50
        if pad.results:
            laid, top = self._last(pad.results[0], left, top, wide)
            spots += laid
        laid, top = self._odds(left, top, wide)
        return [*spots, *laid, *self._earlier(left, top, wide)]

    def _last(self, result: Result, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        """Return the last answer on its card, and the button to void it."""
        lines = [
            f"{result.asked}. Seed {result.seed}.",
            *(f"{line[:1].upper()}{line[1:]}." for line in result.answer.lines),
        ]
        answer = _first_capital(result.answer.text)
        rows = wrapped(answer, 19, wide - 32)
        high = 26.0 * len(rows) + 21.0 * len(lines) + 78
        card = Spot((left, top, wide, high), lambda b, p, _: _card(b, p, result, rows, lines))
        label = "It counts after all" if result.void else "The form was wrong: void it"
        hint = "A result of a wrongly filled form counts for nothing: correct the form, and ask again (Ctrl-Z)"
        place = (left + 16, top + high - 42, min(wide - 32, width(label, 15) + 34), 32)
        return [card, Spot(place, button(label), "void", hint)], top + high + 14

    def _odds(self, left: float, top: float, wide: float) -> tuple[list[Spot], float]:
        odds = self.pad.odds
        if self.pad.missing or not odds:
            named = ", ".join(field.label for field in self.pad.missing)
            message = self.pad.trouble or (f"Still to be filled in: {named}." if named else "")
            high = height_of(message, wide) if message else 0.0
            return ([Spot((left, top, wide, high), text(message, 15, "wrong"))] if message else []), top + high + 8
        spots = [Spot((left, top, wide, 26), words("The exact odds", 16, "bold"))]
        top += 28
        shown = [row for row in odds if row[0] >= SLIGHT][:MOST_ENDS]
        rest = sum(share for share, _, _ in odds) - sum(share for share, _, _ in shown)
        rows = [(share, _first_capital(end)) for share, end, _ in shown]
        rows += [(rest, "Something else")] if rest >= SLIGHT else []
        bar = _longest_bar([end for _, end in rows], wide)
        for share, end in rows:
            spots.append(Spot((left, top, wide, 22), _odds_row(share, end, bar * share / shown[0][0], bar)))
            top += 23
        note = sentence(self.pad.basis)
        if note:
            spots.append(Spot((left, top, wide, 22), words(note, 15, ink="quiet")))
            top += 23
        return spots, top + 12

    def _earlier(self, left: float, top: float, wide: float) -> Iterator[Spot]:
        """Yield the results before the last one."""
        if len(self.pad.results) > 1:
            yield Spot((left, top, wide, 26), words("Before", 16, "bold"))
            top += 26
        for result in self.pad.results[1:]:
            void = " (void)" if result.void else ""
            summary = f"{result.asked}: {result.answer.text}{void}"
            yield Spot((left, top, wide, 22), words(summary, 15, ink="quiet" if result.void else "ink"))
            top += 22

    # --- actions -----------------------------------------------------------------------------------------------------

    def chose(self, word: str) -> None:
        """Run the action of a word of the page."""
        kind, _, value = word.partition(":")
        self.note = ""
        if kind in ("put", "last"):
            name, _, entered = value.rpartition(":")
            self._put(name, entered, whole=kind == "put")
        else:
            self._actions[kind](self, value)
        self._numbered()

    def _put(self, name: str, entered: str, whole: bool) -> None:
        field = next(field for field in self.pad.fields if field.name == name)
        by_word: dict[str, Fact] = {YES_NO[v] if isinstance(v, bool) else str(v): v for v in field.values}
        if not whole:
            now = str(self.pad.value(field) or "").rpartition(" ")[0]
            ends = [word for word in by_word if word.rpartition(" ")[2] == entered]
            entered = f"{now} {entered}" if f"{now} {entered}" in ends else self._middle(ends)
        self.pad.put(name, by_word[entered])

    def _middle(self, ends: Sequence[str]) -> str:
        """Return the usual one of several kinds of the same troops."""
        return next((word for word in ends if word.startswith(self.pad.machine.usual)), ends[0])

    def _turn_to_rules(self, name: str) -> None:
        """Switch to the empty form of another rule set."""
        make = find(name).calculator
        assert make is not None, "only rule sets that have one are offered"
        self.rules, self.pad, self.lines = name, Pad(make()), {"seed": self.lines["seed"]}
        self.title = f"The game app: {self.pad.machine.title}"

    def _ask(self, _: str) -> None:
        seed = self.lines["seed"].text.strip()
        if seed and not (seed.isascii() and seed.isdigit() and int(seed) < MOST_SEED):
            self.note = "The seed is a whole number, such as 7; or leave it empty."
            return
        if self.pad.press(int(seed) if seed else None) is None:
            self.note = self.pad.trouble

    def _clear(self, _: str) -> None:
        self.pad.values.clear()
        self.pad.sources.clear()
        self.lines = {"seed": self.lines["seed"]}

    def typed(self, word: str) -> None:
        """Take over a number while it is typed."""
        self.note = ""
        if word != "seed":
            digits = self.lines[word].text.strip()
            right = digits.isascii() and digits.isdigit() and len(digits) < 5
            self.pad.put(word, int(digits) if right else None)

    def _numbered(self) -> None:
        """Give every number field a line to type into."""
        for field in self.pad.fields:
            if not field.values and field.name not in self.lines:
                value = self.pad.value(field)
                self.lines[field.name] = Line("" if value is None else str(value))

    def _key(self, event: pygame.event.Event) -> None:
        if event.key == pygame.K_z and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self.pad.void()
            self.anew()
        else:
            super()._key(event)

    def _void(self, _: str) -> None:
        self.pad.void()

    _actions: ClassVar[Mapping[str, Callable[[GameApp, str], None]]] = {
        "ask": _ask,
        "clear": _clear,
        "void": _void,
        "rules": _turn_to_rules,
        "button": lambda s, value: s.pad.choose(value),
        "action": lambda s, value: s.pad.choose(s.pad.machine.result, value),
    }


# --- drawing ---------------------------------------------------------------------------------------------------------


def _choices(
    head: str, labels: Mapping[str, str], chosen: str | None, left: float, top: float, wide: float, hint: str
) -> tuple[list[Spot], float]:
    """Return choices as keys side by side, in as many rows as they need, and the y at which they end."""
    spots, x, y = list[Spot](), left, top
    for value, label in labels.items():
        room = min(wide, width(label, LETTERS, "bold") + 22)
        if x > left and x + room > left + wide:
            x, y = left, y + HIGH + 3
        spots.append(Spot((x, y, room, HIGH), _choice(label, value == chosen), f"{head}:{value}", hint))
        x += room + GAP
    return spots, y + ROW


def _choice(label: str, on: bool) -> Draw:
    return button(label, on, size=LETTERS)


def _value_text(value: object) -> str:
    """Return a value as text: ``light-cavalry`` is "Light cavalry"."""
    return _first_capital(str(value).replace("-", " ") if not str(value)[:1].isdigit() else str(value))


def _first_capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _card(brush: Brush, place: Place, result: Result, rows: Sequence[str], lines: Sequence[str]) -> None:
    """Draw an answer, crossed out if void."""
    left, top, wide, _ = place
    brush.paper(place, "panel", "edge", 6)
    ink = "quiet" if result.void else "ink"
    y = top + 24
    for row in rows:
        brush.line(row, left + 16, y, wide - 32, 19, "bold", ink)
        if result.void:
            brush.paper((left + 16, y - 1, min(wide - 32, width(row, 19, "bold")), 2), "wrong", radius=0)
        y += 26
    for line in ["Void: it counts for nothing."] if result.void else lines:
        brush.line(line, left + 16, y, wide - 32, 15, "plain", "wrong" if result.void else "quiet")
        y += 21


def _longest_bar(ends: Sequence[str], wide: float) -> float:
    """Return the length of the longest bar in pixels, so that the words beside it are not cut."""
    words_wide = max(width(end, END) for end in ends)
    return max(LEAST_BAR, min(BAR, wide - BESIDE - words_wide))


def _odds_row(share: float, end: str, bar: float, longest: float) -> Draw:
    """Return the function that draws a line of odds with a bar of this length, its words after the longest bar."""

    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, high = place
        percentage = f"{share:.1%}" if share >= 0.0005 else "<0.1%"
        brush.line(percentage, left + 52, top + high / 2, 52, 15, "bold", align="right")
        brush.paper((left + 62, top + 6, max(2.0, bar), high - 12), "strong", radius=1)
        brush.line(end, left + BESIDE + longest, top + high / 2, wide - BESIDE - longest, END)

    return draw
