"""What the panel says: the unit's card, the proof of what is looked at, the status line. Plain data in, html out."""

from __future__ import annotations

import math
from html import escape

from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.clerk import Answer
from tabletop.render.desk import FREE, Desk, Mark, Tool, compass
from tabletop.render.theme import colour

#: How deep a proof is told, and how many lines of it.
DEPTH, LINES = 3, 14

HINTS = {
    Tool.HAND: "Click a unit, drag it to move. Wheel zooms, right-drag pans. <b>Q E</b> turn, <b>Space</b> waypoint, "
    "<b>W</b> find the way, <b>Ctrl-Z</b> take back, <b>Home</b> whole table.",
    Tool.TAPE: "Click where the tape starts, then where it ends: points or units. <b>Esc</b> puts it away.",
    Tool.SIGHT: "Click one end of the line, then the other: points or units. <b>Esc</b> puts it away.",
}


def card(desk: Desk) -> str:
    """Return the card of the unit under the cursor, or of the selected one."""
    name = desk.hovered or desk.selected
    if name is None:
        title = escape(desk.battle.title or "The table")
        return f"<b>{title}</b><br>Point at a unit for its card; click it for its arc, zone, reach and sight."
    return unit_card(desk.battle.unit(name), desk)


def unit_card(unit: Unit, desk: Desk) -> str:
    """Return what a player wants to know of a unit at a glance."""
    lines = [f"<b>{escape(unit.name or unit.id)}</b>  ({escape(unit.side)})"]
    if unit.is_general:
        lines.append(f"General, {unit.rank}")
    else:
        words = [unit.quality, unit.troop.replace("-", " "), f"{unit.strength} base{'s' * (unit.strength != 1)}"]
        lines.append(", ".join(word for word in words if word).capitalize())
        front = f", {unit.front} wide" if unit.front and unit.formation.endswith("column") else ""
        lines.append(f"{unit.formation.replace('-', ' ').capitalize()}{front}, facing {unit.facing:g}°")
        if unit.status != "ok":
            lines.append(f"<b>{unit.status.capitalize()}</b>")
    if unit.parent:
        lines.append(f"Under {escape(_name(desk, unit.parent))}")
    mark = desk.mark(unit.id) if desk.unit and unit.side != desk.unit.side else None
    if mark is not None:
        lines.append(f"<b>{mark.capitalize()}</b>" if mark in (Mark.FIRE, Mark.ASSAULT) else mark.capitalize())
    return "<br>".join(lines)


def _name(desk: Desk, id: str) -> str:  # noqa: A002
    found = next((u for u in desk.battle.units if u.id == id), None)
    return (found.name or found.id) if found else id


def proof(desk: Desk) -> str:
    """Return the proof of what is looked at: the tape, the move in hand, the enemy under the cursor, or the sum."""
    if desk.stretch is not None:
        return _stretch(desk)
    if desk.drag is not None:
        return _move(desk)
    selected = desk.unit
    if selected is None:
        return ""
    hovered = desk.battle.unit(desk.hovered) if desk.hovered else None
    if hovered is not None and hovered.side != selected.side and not hovered.is_general:
        return _enemy(desk, hovered)
    return _summary(desk, selected)


def status(desk: Desk) -> str:
    """Return the hint for the tool in hand, or what the judge is still working on, or the last refusal."""
    working = sorted({str(key[0]) for key in desk.busy if isinstance(key, tuple)})
    first = desk.note or (f"<i>Measuring: {', '.join(working)} ...</i>" if working else "")
    return "<br>".join(line for line in (escape(first) if desk.note else first, HINTS[desk.tool]) if line)


def _stretch(desk: Desk) -> str:
    s = desk.stretch
    assert s is not None
    lines = []
    if desk.tool is Tool.TAPE:
        unit = desk.battle.table.unit
        ends = f"{math.dist(s.start, s.end):.2f} {unit}, bearing {compass(s.start, s.end)}"
        lines.append(f"<b>Tape</b>: {ends}")
    verdict = desk.answers.get(("stretch",))
    if verdict is not None:
        lines.append(told(verdict, desk))
    elif desk.tool is Tool.SIGHT:
        lines.append("<b>Sight line</b>: choose the other end.")
    return "<br>".join(lines)


def _move(desk: Desk) -> str:
    assert desk.drag is not None
    name = escape(desk.drag.unit.name or desk.drag.unit.id)
    if desk.action == FREE:
        return f"<b>{name}</b>: put down freely, by no rule. Let go to place it."
    answer = desk.answers.get(("move",))
    if answer is None:
        return f"<b>{name}</b>: measuring the move ..."
    if isinstance(answer, Verdict) and "cost" in answer.measured and answer.measured["cost"] is not None:
        cost, allowed = answer.measured["cost"], answer.measured.get("allowed")
        of = f" of {allowed:.2f}" if allowed is not None else ""
        return f"Cost <b>{cost:.2f}</b>{of} in<br>{told(answer, desk)}"
    return told(answer, desk)


def _enemy(desk: Desk, enemy: Unit) -> str:
    mark = desk.mark(enemy.id)
    head = f"<b>{escape(enemy.name or enemy.id)}: {mark or 'measuring ...'}</b>"
    parts = [head]
    for question in ("fire", "assault", "los"):
        answer = desk.answers.get(("why", question))
        if answer is not None and not (isinstance(answer, str) and question != "los"):
            parts.append(told(answer, desk, question))
    return "<br>".join(parts)


def _summary(desk: Desk, unit: Unit) -> str:
    counts = dict.fromkeys(Mark, 0)
    for enemy in desk.battle.enemies(unit):
        mark = desk.mark(enemy.id)
        if mark is not None:
            counts[mark] += 1
    told_counts = [f"{count} {mark}" for mark, count in counts.items() if count]
    return (
        "Enemies: " + (", ".join(told_counts) if told_counts else "none judged yet") + ".<br>Point at one to learn why."
    )


def told(answer: Answer, desk: Desk, head: str = "") -> str:
    """Return a verdict as lines: yes or no with its figures, then its reasons, the deciding ones first."""
    if isinstance(answer, str):
        return escape(answer)
    yes = f"<font color='{colour('answer', 'yes')}'><b>Yes</b></font>"
    no = f"<font color='{colour('answer', 'no')}'><b>No</b></font>"
    lines = [f"{head.capitalize() + ': ' if head else ''}{yes if answer.holds else no}{_figures(answer)}"]
    for reason in answer.because:
        lines += _reason(reason, 0)
    if answer.margin is not None:
        close = ", too close for a tape" if answer.too_close else ""
        lines.append(f"Margin {answer.margin:.2f} {desk.battle.table.unit}{close}.")
    lines += [f"Turns on the ruling <i>{escape(d.ruling)}</i>." for d in answer.depends_on]
    return "<br>".join(lines[:LINES])


def _figures(verdict: Verdict) -> str:
    found = []
    for name in ("range", "distance", "band", "cover", "cost"):
        value = verdict.measured.get(name)
        if isinstance(value, float):
            found.append(f"{name} {value:.2f}")
        elif isinstance(value, str) and value != "none":
            found.append(f"{name} {value}")
    return (" - " + ", ".join(found)) if found else ""


def _reason(reason: Reason, depth: int) -> list[str]:
    sign = "+" if reason.holds else "×"
    indent = "&nbsp;" * (3 * depth)
    line = f"{indent}{sign} {escape(reason.text)} <i>{escape(reason.rule)}</i>"
    if depth + 1 >= DEPTH:
        return [line]
    deeper = sorted(reason.parts, key=lambda part: part.holds)
    return [line, *(text for part in deeper[:4] for text in _reason(part, depth + 1))]
