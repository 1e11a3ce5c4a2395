"""The answer in words beside the picture: the question, yes or no, the figures, the reasons with their rules."""

from __future__ import annotations

from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import agreeing
from tabletop.battle.saying import listed
from tabletop.explain import VerdictText
from tabletop.geometry.verdict import Margin, Reason, Shape, Verdict
from tabletop.render.drawing.furniture import Page, panel_rule
from tabletop.render.drawing.lettering import shortened, width, wrapped
from tabletop.render.drawing.locator import locator_items, locator_size
from tabletop.render.drawing.primitives import Area, Box, Circle, Face, Item, Layer, Lines, Pen, Sheet, Stamps, Text
from tabletop.render.drawing.proof import ORDER, called, label_by_name, shapes_of
from tabletop.render.drawing.readings import ALWAYS, headline, reason_sentence, turned
from tabletop.render.drawing.theme import colour, role_style
from tabletop.rules import rule_set

#: Letter sizes of the column.
LARGE, BODY, SMALL = 20.0, 14.5, 13.0
PAD = 20.0
#: Pixels between two reasons, and between two in the close layout, used where not all of them would have room.
APART, CLOSE = 7.0, 3.0


def question_in_words(battle: Battle, verdict: Verdict) -> str:
    """Return the question as a person would put it, the units by their names."""
    known = {unit.id: unit.called for unit in battle.units}
    units = [known.get(arg, arg) for arg in verdict.args]
    rules = rule_set.find(battle.rules)
    wording = rules.wording(verdict.question)
    pattern = wording.sentence or f"{wording.label}: {', '.join(units)}"
    options = {key: str(value) for key, value in verdict.options.items() if value is not None}
    enemy = known.get(options.get("from", ""), "the enemy")
    beaten = known.get(options.get("after", ""), "an enemy")
    action = (options.get("as") or _usual_way(battle, verdict)).replace("-", " ")
    asked = pattern.format(*units, "…", "…", **{"from": enemy, "after": beaten, "as": action})
    return agreeing(asked, known.values())


def _usual_way(battle: Battle, verdict: Verdict) -> str:
    """Return the way of moving meant by a question that names none: the first one of its unit."""
    if not verdict.args or not battle.has(verdict.args[0]):
        return ""
    return next(iter(rule_set.find(battle.rules).actions(battle.unit(verdict.args[0]))), "")


class _Column:
    """Writes a column of text, line after line."""

    def __init__(self, page: Page, box: tuple[float, float, float, float]) -> None:
        self.page = page
        self.left, self.top, self.right, self.bottom = box
        self.y = self.top + PAD
        self.sheet = Sheet("answer")
        #: Pixels at the bottom reserved for what must not be left out.
        self.kept = 0.0

    @property
    def room(self) -> float:
        """Pixels between the margins."""
        return self.right - self.left - 2 * PAD

    def has_room(self, lines: float) -> bool:
        """Return whether this many pixels are left."""
        return self.y + lines <= self.bottom - PAD - self.kept

    def high(self, text: str, size: float, indent: float = 0.0) -> float:
        """Return the height of a paragraph in pixels."""
        return 1.35 * size * len(wrapped(text, size, self.room - indent, "plain"))

    def write(self, text: str, size: float, ink: str, face: Face = "plain", indent: float = 0.0) -> None:
        """Write a paragraph; what does not fit above the lower margin is left out with an ellipsis."""
        lines = wrapped(text, size, self.room - indent, face)
        for i, line in enumerate(lines):
            if not self.has_room(1.35 * size):
                return
            last = not self.has_room(2.7 * size) and i + 1 < len(lines)
            x = self.left + PAD + indent
            self.sheet.add(
                Text(self.page.at(x, self.y + 0.65 * size), line + (" …" if last else ""), size, ink, face, "start")
            )
            self.y += 1.35 * size

    def gap(self, pixels: float) -> None:
        """Leave a gap."""
        self.y += pixels

    def rule(self) -> None:
        """Draw a thin line across."""
        self.gap(8)
        self.sheet.add(panel_rule(self.page, self.left + PAD, self.right - PAD, self.y))
        self.gap(12)


def answer_layer(
    battle: Battle, verdict: Verdict, page: Page, box: tuple[float, float, float, float], part: Box
) -> Layer:
    """Return the column of words within a box given in pixels of the page; ``part`` is the part of the table shown."""
    column = _Column(page, box)
    column.sheet.add(page.panel(*box, colour("page", "panel"), Pen(colour("page", "panel_edge"), 1.2)))
    column.write(question_in_words(battle, verdict), LARGE, colour("page", "ink"), "bold")
    column.gap(8)
    _badge(column, verdict)
    sentence = headline(verdict, battle)
    if sentence:
        column.write(sentence, BODY, colour("page", "ink"))
        column.gap(8)
    _figures(column, battle, verdict)
    if verdict.depends_on:
        column.kept = 20.0 + sum(column.high(turned(ruling, battle), BODY, 26) for ruling in verdict.depends_on)
    _reasons(column, battle, verdict)
    column.kept = 0.0
    _rulings(column, battle, verdict)
    _legend(column, shapes_of(verdict), battle)
    _locator(column, battle, part)
    return column.sheet.layer


def _badge(column: _Column, verdict: Verdict) -> None:
    """Draw a solid plate with the word and an icon beside it, so that colour alone carries nothing."""
    if verdict.question in ALWAYS:
        return
    word, tone, glyph = ("YES", "yes", "tick") if verdict.holds else ("NO", "no", "cross")
    size, high = 22.0, 40.0
    wide = width(word, size, "bold") + 70
    x, y = column.left + PAD, column.y
    column.sheet.add(column.page.panel(x, y, x + wide, y + high, colour("answer", tone)))
    column.sheet.add(Stamps(glyph, (column.page.at(x + 24, y + high / 2),), 28.0, pixels=True))
    column.sheet.add(Text(column.page.at(x + 48, y + high / 2), word, size, "#ffffff", "bold", "start"))
    if verdict.too_close:
        column.sheet.add(Stamps("warn", (column.page.at(x + wide + 26, y + high / 2),), 26.0, pixels=True))
        note = "too close to call by tape"
        column.sheet.add(
            Text(column.page.at(x + wide + 46, y + high / 2), note, BODY, colour("answer", "warn"), "bold", "start")
        )
    column.gap(high + 12)


#: Measured values that are lengths, and so carry the table's unit.
LENGTHS = ("distance", "range", "cost", "allowed", "reach", "left")
AREAS = ("size",)
#: Those that are bearings or turns.
ANGLES = ("bearing", "direction", "deviation", "facing", "heading", "turn")


def figure(key: str, value: Any, unit: str) -> str:
    """Return a measured value as text, with its unit."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    number = f"{value:.2f}".rstrip("0").rstrip(".")
    if key in AREAS:
        return f"{number} sq {unit}"
    return f"{number} {unit}" if key in LENGTHS else f"{number}°" if key in ANGLES else number


def _is_listed(key: str, value: Any) -> bool:
    """Return whether a measured value is worth a line: lists are drawn instead, zeros that say nothing left out."""
    if value == 0:
        return key in (*LENGTHS, *ANGLES) and value is not False
    return isinstance(value, str | int | float)


def figures(verdict: Verdict, unit: str) -> list[tuple[str, str]]:
    """Return the figures that decide, each with its name."""
    rows = [
        (key.replace("_", " "), figure(key, value, unit))
        for key, value in verdict.measured.items()
        if _is_listed(key, value)
    ]
    if verdict.certainty is not None:
        c = verdict.certainty
        rows.append(("certainty", "certain" if c.certain else f"{100 * c.share:.0f} % of {c.placements} placements"))
    if verdict.unproved_after:
        rows.append(("not proved", f"search ended after {verdict.unproved_after:,} bundles of lines"))
    return rows


def margins(verdict: Verdict, battle: Battle) -> list[tuple[str, str, str]]:
    """Return the margins of the answer and of its facts: for each its name, the figures, and what has to be moved."""
    if verdict.closeness is None:
        return []
    wording, unit = VerdictText(verdict, battle), battle.table.unit
    moved = wording.moved(verdict.closeness) if verdict.closeness != Margin(verdict.holds) else wording.search_steps()
    rows = [("margin", margin_words(verdict.closeness, verdict, unit), moved)]
    for name, fact in verdict.attributes.items():
        if fact.shift is not None or fact.turn is not None:
            moved = (
                "" if rows[0][1:] == (margin_words(fact, verdict, unit), wording.moved(fact)) else wording.moved(fact)
            )
            rows.append((f"{wording.fact(name, fact)}: margin".lower(), margin_words(fact, verdict, unit), moved))
    return rows


def margin_words(margin: Margin, verdict: Verdict, unit: str) -> str:
    """Return a margin as text: a shift, a turn, or how far the search for one went."""
    shift = (
        None if margin.shift is None else f"{margin.shift:.2f} {unit}" if margin.shift >= 0.005 else f"< 0.01 {unit}"
    )
    turn = None if margin.turn is None else f"{margin.turn:.1f}°"
    amounts = " or ".join(filter(None, (shift, turn)))
    return amounts or (f"none up to {verdict.searched.shift:g} {unit}" if verdict.searched else "not searched")


def _figures(column: _Column, battle: Battle, verdict: Verdict) -> None:
    for key, words in figures(verdict, battle.table.unit):
        _figure(column, key, words)
    for key, words, moved in margins(verdict, battle):
        _figure(column, key, words)
        if moved and column.has_room(22):
            column.write(moved, SMALL, colour("page", "quiet"), indent=14)
            column.gap(3)


def _figure(column: _Column, key: str, words: str) -> None:
    if column.has_room(22):
        y = column.y + 10
        left, right = column.page.at(column.left + PAD, y), column.page.at(column.right - PAD, y)
        column.sheet.add(Text(left, key, BODY, colour("page", "quiet"), anchor="start"))
        room = column.room - width(key, BODY) - 16
        value = shortened(words, BODY, room, "bold")
        column.sheet.add(Text(right, value, BODY, colour("page", "ink"), "bold", "end"))
        column.gap(22)


def _leaves(reasons: tuple[Reason, ...]) -> list[Reason]:
    """Return the reasons at the leaves of the tree, in order: they are what was measured."""
    leaves: list[Reason] = []
    for reason in reasons:
        leaves += _leaves(reason.parts) if reason.parts else [reason]
    return leaves


def _reasons(column: _Column, battle: Battle, verdict: Verdict) -> None:
    leaves = _leaves(verdict.because)
    if not leaves:
        return
    column.rule()
    deciding = [r for r in leaves if r.holds == verdict.holds]
    ordered = [*deciding, *(r for r in leaves if r.holds != verdict.holds)]
    close = not column.has_room(sum(_height(column, battle, reason) for reason in ordered))
    for number, reason in enumerate(ordered):
        left = len(ordered) - number
        least = _height(column, battle, reason, close) + (1.35 * SMALL if left > 1 else 0.0)
        if not column.has_room(least):
            column.write(f"and {left} more: all are told in words", SMALL, colour("page", "quiet"), indent=26)
            return
        _reason(column, battle, reason, close)


def _reason(column: _Column, battle: Battle, reason: Reason, close: bool) -> None:
    """Write a reason with its rule and figures below, or, if ``close``, after it in small letters."""
    size, glyph = (SMALL, 14.0) if close else (BODY, 17.0)
    at = column.page.at(column.left + PAD + 8, column.y + 0.65 * size)
    column.sheet.add(Stamps("tick" if reason.holds else "cross", (at,), glyph, pixels=True))
    sentence = _close(battle, reason) if close else reason_sentence(reason, battle)
    column.write(sentence, size, colour("page", "ink"), indent=26)
    if not close:
        column.write(_citation(reason), SMALL, colour("page", "quiet"), indent=26)
    column.gap(CLOSE if close else APART)


def _height(column: _Column, battle: Battle, reason: Reason, close: bool = False) -> float:
    """Return the height of a reason in pixels."""
    if close:
        return column.high(_close(battle, reason), SMALL, 26) + CLOSE
    return column.high(reason_sentence(reason, battle), BODY, 26) + column.high(_citation(reason), SMALL, 26) + APART


def _close(battle: Battle, reason: Reason) -> str:
    return "  ·  ".join(part for part in (reason_sentence(reason, battle), _citation(reason)) if part)


def _citation(reason: Reason) -> str:
    figures = [f"measured {reason.measured:.2f}"] if reason.measured is not None else []
    figures += [f"limit {reason.limit:g}"] if reason.limit is not None else []
    return "  ·  ".join([reason.rule, *figures])


def _rulings(column: _Column, battle: Battle, verdict: Verdict) -> None:
    if not verdict.depends_on:
        return
    column.rule()
    for dependency in verdict.depends_on:
        column.sheet.add(Stamps("warn", (column.page.at(column.left + PAD + 8, column.y + 9),), 16.0, pixels=True))
        column.write(turned(dependency, battle), BODY, colour("page", "ink"), indent=26)


def _legend(column: _Column, shapes: list[Shape], battle: Battle) -> None:
    """Draw the meaning of each line and area, at the bottom of the column if there is room."""
    roles = [r for r in ORDER if any(s.role == r for s in shapes)]
    high = 21.0 * len(roles)
    if not roles or not column.has_room(high + 30):
        return
    column.rule()
    for role in roles:
        kinds = {s.kind for s in shapes if s.role == role}
        column.sheet.extend(_sample(column, role, "polygon" in kinds, kinds == {"point"}))
        at = column.page.at(column.left + PAD + 50, column.y + 8)
        column.sheet.add(Text(at, _meaning(role, shapes, battle), SMALL, colour("page", "ink"), anchor="start"))
        column.gap(21)


def _meaning(role: str, shapes: list[Shape], battle: Battle) -> str:
    """Return the meaning of a role here: its shapes' own label if they agree or have one word each, else its word."""
    labels = {label_by_name(s.label, battle) for s in shapes if s.role == role}
    if len(labels) > 1 and all(label.isalpha() and label.islower() for label in labels):
        return listed(sorted(labels))
    own = labels.pop() if len(labels) == 1 and not labels & called(battle) else ""
    return own if " " in own and not any(c.isdigit() for c in own) else role_style(role).word


def _locator(column: _Column, battle: Battle, part: Box) -> None:
    """Draw the whole table at the bottom of the column, if the close-up leaves something out and there is room."""
    table = battle.table
    if (part[2] - part[0]) * (part[3] - part[1]) > 0.7 * table.width * table.height:
        return
    _wide, high = locator_size(battle, column.room, min(260.0, column.bottom - column.y - 2 * PAD))
    if high < 90.0:
        return
    top = column.bottom - PAD - high
    box = (column.left + PAD, top, column.right - PAD, top + high)
    column.sheet.extend(locator_items(battle, part, column.page, box))


def _sample(column: _Column, role: str, polygon: bool, point: bool) -> list[Item]:
    style, page = role_style(role), column.page
    x, y = column.left + PAD, column.y + 8
    if point:
        glyph = style.icon if style.icon in ("eye", "cross", "ring", "pin") else "pin"
        return [Stamps(glyph, (page.at(x + 18, y),), 16.0, pixels=True)]
    if polygon:
        ring = (page.at(x, y - 7), page.at(x + 36, y - 7), page.at(x + 36, y + 7), page.at(x, y + 7))
        return [Area((ring,), style.fill or style.colour, style.pen, style.fill_opacity)]
    if style.band:
        return [Lines(((page.at(x, y), page.at(x + 36, y)),), Pen(style.colour, style.band, opacity=0.45, round=False))]
    line = Lines(((page.at(x, y), page.at(x + 36, y)),), style.pen)
    dot = Circle(page.at(x + 36, y), 3.5, fill=style.colour, pixels=True)
    return [line, dot]
