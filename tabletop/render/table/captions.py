"""Texts of the panel: the unit's card, the proof looked at, the status line. Plain data in, html out."""

from __future__ import annotations

import math
from functools import partial
from html import escape as html_escape

from tabletop.battle.naming import side_name
from tabletop.battle.unit import Unit
from tabletop.explain import VerdictText
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.environment import ground_of, noun
from tabletop.play.workers.judge_worker import Answer
from tabletop.render.drawing import measures, readings, refusals
from tabletop.render.drawing.theme import colour
from tabletop.render.table import steps
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel
from tabletop.render.table.overlays import AREAS
from tabletop.render.table.pointing import compass
from tabletop.render.table.tools import FREE, Mark, Tool
from tabletop.rules import rule_set
from tabletop.rules.asked import ASSAULT, FIRE, MOVE
from tabletop.rules.traits import traits_on

#: Escape plain text for the panel's html boxes.
escape = partial(html_escape, quote=False)
#: Maximum depth of a proof in the panel, and its maximum number of lines.
DEPTH, LINES = 3, 24
#: What the figures of a verdict are called, which of them are lengths, and which say nothing when they say "none".
FIGURES = {"range": "range", "distance": "distance", "band": "band", "cover": "cover", "cost": "cost", "odds": "odds"}
LENGTHS = ("range", "distance", "cost")
#: Questions answered by a figure, not by yes or no.
FIGURE_ONLY = ("distance",)
#: Descriptions of the questions the judge is working on.
WORKING = {
    MOVE: "the move",
    "reach": "reach",
    "ground": "ground seen",
    "zone": "zone",
    "field": "arc",
    "stretch": "the line",
    "why": "the proof",
    "nearest": "how near it may go",
    "threat": "what the enemy could do",
    "command": "command",
    "fallback": "the ways back",
}

HINTS = {
    Tool.HAND: "Click selects, drag moves, right-drag pans, wheel zooms.<br><b>F1</b> all keys and marks.",
    Tool.TAPE: "Click where the tape starts, then where it ends.<br><b>Esc</b> puts it away.",
    Tool.SIGHT: "Click one end of the line, then the other.<br><b>Esc</b> puts it away.",
}
IN_HAND = "<b>Q E</b> or wheel turn, <b>Space</b> waypoint, <b>W</b> find the way, <b>arrows</b> {}, <b>Esc</b>."


def card(model: TableModel) -> str:
    """Return the card of the unit under the cursor, or of the selected one."""
    name = model.hovered or model.selected
    if name is None:
        title = escape(model.battle.title or "The table")
        return f"<b>{title}</b><br>Point at a {noun(model.battle)} for its card; click it for what its rules measure."
    return unit_card(model.battle.unit(name), model)


def unit_card(unit: Unit, model: TableModel) -> str:
    """Return a unit's main facts at a glance."""
    lines = [f"<b>{escape(unit.called)}</b>  ({escape(side_name(unit.side))})"]
    if unit.is_general:
        words = [unit.troop.replace("-", " "), unit.rank]
        lines.append(", ".join(word for word in words if word).capitalize())
    else:
        words = [unit.quality, unit.troop.replace("-", " "), f"{unit.strength} base{'s' * (unit.strength != 1)}"]
        lines.append(", ".join(word for word in words if word).capitalize())
        front = f", {unit.front} wide" if unit.front else ""
        lines.append(f"{unit.formation.replace('-', ' ').capitalize()}{front}, facing {unit.facing:g}°")
        if not unit.in_order:
            lines.append(f"<b>{unit.status.capitalize()}</b>")
    lines += [escape(trait.line) for trait in traits_on(model.battle, unit)]
    if unit.parent:
        lines.append(f"Under {escape(_name(model, unit.parent))}")
    marked = mark(model, unit.id) if model.unit and unit.side != model.unit.side else None
    if marked is not None:
        lines.append(f"<b>{marked.capitalize()}</b>" if marked in (Mark.FIRE, Mark.ASSAULT) else marked.capitalize())
    return "<br>".join(lines)


def _name(model: TableModel, id: str) -> str:  # noqa: A002
    return model.battle.called(id)


def proof(model: TableModel) -> str:
    """Return the proof on show: the tape, the move in hand, the enemy under the cursor, or a summary."""
    if model.stretch is not None:
        return _stretch(model)
    if model.drag is not None:
        return _move(model)
    selected = model.unit
    if selected is None:
        return ""
    hovered = model.battle.unit(model.hovered) if model.hovered else None
    if hovered is not None and hovered.side != selected.side and not hovered.is_general:
        return _enemy(model, hovered)
    return _summary(model, selected)


def status(model: TableModel) -> str:
    """Return the last refusal, and the hint for the tool or the unit in hand."""
    hint = in_hand(model) if model.drag is not None else HINTS[model.tool]
    return f"<b>{escape(model.note)}</b><br>{hint}" if model.note else hint


def in_hand(model: TableModel) -> str:
    """Return the keys for a unit in hand, and how far an arrow key moves it."""
    return IN_HAND.format(steps.words(model.battle.table.unit))


def working(model: TableModel) -> str:
    """Return what the judge is working on, in plain words; "" if nothing."""
    requests = {str(key[0]) for key in model.pending if isinstance(key, tuple)}
    return ", ".join(sorted({WORKING.get(word, "enemies") for word in requests}))


def _stretch(model: TableModel) -> str:
    s = model.stretch
    assert s is not None
    lines = []
    if model.tool is Tool.TAPE:
        lines.append(f"<b>Tape</b>: {_end(model, s.from_unit, s.start)} to {_end(model, s.to_unit, s.end)}")
    if model.tool is Tool.TAPE and not (s.from_unit and s.to_unit):
        unit, far, ground = model.battle.table.unit, math.dist(s.start, s.end), ground_of(model.battle)
        real = f" = {ground.of(far)}" if ground is not None else ""
        lines.append(f"<b>{measures.figure(far, unit)} {unit}</b>{real}, bearing {compass(s.start, s.end)}")
    if model.tool is Tool.SIGHT:
        lines.append(f"<b>Sight line</b>: {_end(model, s.from_unit, s.start)} to {_end(model, s.to_unit, s.end)}")
    verdict = model.answers.get(("stretch",))
    if verdict is not None:
        lines.append(answer_html(verdict, model))
    elif ("stretch",) in model.pending:
        lines.append("measuring ...")
    elif model.tool is Tool.SIGHT:
        lines.append("Choose the other end.")
    return "<br>".join(lines)


def _end(model: TableModel, name: str | None, point: Point) -> str:
    return escape(_name(model, name)) if name else f"({point[0]:.1f}, {point[1]:.1f})"


def _move(model: TableModel) -> str:
    assert model.drag is not None
    name = escape(model.drag.unit.called)
    if model.action == FREE:
        return f"<b>{name}</b>: put down freely, by no rule. Let go to place it."
    answer = model.answers.get((MOVE,))
    if answer is None:
        return f"<b>{name}</b>: measuring the move ..."
    way = " along the cheapest way" if model.drag.find_way and not model.drag.waypoints else ""
    head = f"<b>{name}</b>, {escape(model.action.replace('-', ' '))}{way}"
    return f"{head}<br>{answer_html(answer, model)}"


def _enemy(model: TableModel, enemy: Unit) -> str:
    wording = rule_set.find(model.battle.rules).wording
    parts = [f"<b>{escape(enemy.called)}: {mark(model, enemy.id) or 'measuring ...'}</b>"]
    for question in (FIRE, ASSAULT, "los"):
        answer = model.answers.get(("why", question))
        if isinstance(answer, Verdict):
            parts.append(answer_html(answer, model, wording(question).label, deciding=question != FIRE))
        elif answer is not None and question == "los":
            parts.append(_calm(answer, model))
    return "<br>".join(parts)


#: Descriptions of the selected unit's enemies by mark: "3 it can fire at".
_COUNTED = {
    Mark.FIRE: "it can fire at",
    Mark.ASSAULT: "it can assault",
    Mark.BLOCKED: "in its arc without a shot",
    Mark.SEEN: "it sees",
    Mark.HIDDEN: "hidden from it",
}


def _summary(model: TableModel, unit: Unit) -> str:
    counts = dict.fromkeys(Mark, 0)
    for enemy in model.battle.enemies(unit):
        marked = mark(model, enemy.id)
        if marked is not None:
            counts[marked] += 1
    counts_listed = [f"{count} {_COUNTED[mark]}" for mark, count in counts.items() if count]
    return (
        "Enemies: "
        + (", ".join(counts_listed) if counts_listed else "none judged yet")
        + ".<br>Point at one to learn why."
        + "".join(f"<br>{_calm(answer, model)}" for answer in _refused(model))
    )


def _refused(model: TableModel) -> list[str]:
    """Return why overlays that are switched on cannot be shown, without repetitions."""
    answers = [model.answers.get((question,)) for overlay, question in AREAS if overlay in model.overlays]
    return list(dict.fromkeys(answer for answer in answers if isinstance(answer, str)))


def _calm(text: str, model: TableModel) -> str:
    """Return the refusal of a question as a sentence."""
    return f"<i>{escape(refusals.refusal_sentence(text, model.battle))}</i>"


def answer_html(answer: Answer, model: TableModel, head: str = "", deciding: bool = False) -> str:
    """Return a verdict as lines: yes or no with its figures, then its reasons, the deciding ones first (or alone)."""
    if isinstance(answer, str):
        return _calm(answer, model)
    unit = model.battle.table.unit
    word = "Yes" if answer.holds else "No"
    tint = colour("answer", word.lower())
    verdict_word = "" if answer.question in FIGURE_ONLY else f"<font color='{tint}'><b>{word}</b></font> · "
    lines = [f"{head + ': ' if head else ''}{verdict_word}{_figures(answer, unit)}".removesuffix(" · ")]
    for reason in sorted(answer.because, key=lambda r: r.holds != answer.holds):
        if reason.holds == answer.holds or not deciding:
            lines += _reason(reason, model, 0)
    words = VerdictText(answer, model.battle)
    if answer.closeness is not None:
        close = " Too close for a tape." if answer.too_close else ""
        lines.append(escape(f"Margin {words.margin(answer.closeness)}.{close}"))
    for name, fact in answer.attributes.items():
        if fact.shift is not None:
            lines.append(escape(f"{words.fact(name, fact)}: margin {words.margin(fact)}."))
    lines += [escape(readings.turned(turn, model.battle)) for turn in answer.depends_on]
    return "<br>".join(lines if len(lines) <= LINES else [*lines[: LINES - 1], "..."])


def _figures(verdict: Verdict, unit: str) -> str:
    figures = []
    for name, word in FIGURES.items():
        value = verdict.measured.get(name)
        if name == "cost" and not verdict.measured.get("allowed", True):
            continue  # nothing to pay: show no cost
        if isinstance(value, float):
            figures.append(
                f"{word} <b>{_figure(value, name, unit)}{_allowed(verdict, name, unit)}{_unit(name, unit)}</b>"
            )
        elif isinstance(value, str) and value != "none":
            figures.append(f"{word} {escape(value)}")
    return ", ".join(figures)


def _figure(value: float, name: str, unit: str) -> str:
    return measures.figure(value, unit) if name in LENGTHS else f"{value:.2f}"


def _unit(name: str, unit: str) -> str:
    return f" {unit}" if name in LENGTHS else ""


def _allowed(verdict: Verdict, name: str, unit: str) -> str:
    allowed = verdict.measured.get("allowed") if name == "cost" else None
    return f" of {measures.figure(allowed, unit)}" if isinstance(allowed, int | float) else ""


def _reason(reason: Reason, model: TableModel, depth: int) -> list[str]:
    sign = "✓" if reason.holds else "×"
    tint = colour("answer", "yes" if reason.holds else "no")
    indent = "&nbsp;" * (4 * depth)
    text = escape(readings.reason_sentence(reason, model.battle))
    line = (
        f"{indent}<font color='{tint}'><b>{sign}</b></font> {text} <font color='#6f665a'>{escape(reason.rule)}</font>"
    )
    if depth + 1 >= DEPTH:
        return [line]
    deeper = sorted(reason.parts, key=lambda part: part.holds)
    return [line, *(text for part in deeper[:4] for text in _reason(part, model, depth + 1))]
