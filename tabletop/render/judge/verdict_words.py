"""Sentences for the panel of the judge's table: instructions, and the verdict with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape as html_escape
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.explain import VerdictText
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.files.draft import Row
from tabletop.render.drawing import measures, refusals
from tabletop.render.drawing.answer import question_in_words
from tabletop.render.drawing.readings import ALWAYS, headline, reason_sentence, turned
from tabletop.render.drawing.theme import colour
from tabletop.render.judge import by_keys
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.placing import spoken
from tabletop.render.widgets.links import linked
from tabletop.rules.rule_set import Ruling

QUIET = "#5d5548"
EDITING = (
    "<b>Click</b> a unit or a piece of terrain. <b>Shift-click</b> adds one, a <b>box</b> drawn on bare ground takes "
    "many, <b>Ctrl-A</b> every unit.<br><br><b>Drag</b> what is selected; the <b>wheel</b> or <b>Q E</b> turn it, with "
    "<b>Shift</b> by one degree. A front snaps to an enemy's edge and a flank to a friend; hold <b>Alt</b> to keep it "
    "free. <b>Arrows</b> shift it a little, with Shift less; <b>Tab</b> selects the next unit.<br><br><b>Ctrl-D</b> "
    "copies it beside, "
    "<b>Ctrl-C</b> and <b>V</b> put copies where the hand is, <b>Del</b> takes it away."
)
CORNERS = (
    "Drag its round handles to move a corner, the small ones between them for a new corner. A handle that is clicked "
    "can be typed in, or taken away with <b>Del</b>."
)
LAYING = (
    "<b>Areas</b>: click the corners in order round the edge, then Enter. <b>Lines</b> (roads, walls, streams): "
    "click along the line, then Enter; its usual width is its kind's.<br><br>A hill is one contour: draw the lower "
    "level first, the higher one inside it."
)
PHOTO = (
    "Photograph the table so that its four corners are in the picture, from as high as you can. Choose the photo here "
    "or <b>drop it on the window</b>.<br><br>Then put the four handles on the corners and type the table's size: the "
    "photo is straightened and laid under the table, and units and woods are placed over what it shows. The photo's "
    "file is never changed."
)
PICKING = (
    "Drag the four handles on the corners of the table, from its far left corner round with the clock; the wheel "
    "zooms. What lies at handle 1 comes to the table's upper left. Then <b>lay it on the table</b>."
)
CARD = "The scene is saved beside the card under the same name; the card carries its fingerprint (SHA-256)."
NO_CARD = "First put a question on the page <b>Ask</b>: the card shows its verdict."


def _yes() -> str:
    return colour("answer", "yes")


def _no() -> str:
    return colour("answer", "no")


def refusing() -> str:
    """Return the colour of error messages."""
    return _no()


def escape(text: str) -> str:
    """Return text escaped for html."""
    return html_escape(text, quote=False)


def ruling(definition: Ruling, chosen: Mapping[str, Any]) -> str:
    """Return the meaning of a ruling, and all rulings that differ from the default."""
    departures = [f"{spoken(name)}: {escape(spoken(str(value)))}" for name, value in chosen.items()]
    rows = [f"<font color='{QUIET}'>{escape(definition.rule)}</font> {escape(definition.meaning)}"]
    if departures:
        rows.append("<br><b>Other than usual here</b><br>" + "<br>".join(departures))
    return linked("<br>".join(rows))


def several(rows: Sequence[Row]) -> str:
    """Return the selection, one item a line."""
    return "<br>".join(escape(str(row.get("name") or row["id"])) for row in rows)


def standing(battle: Battle, unit: Unit | None) -> str:
    """Return the ground on which a unit stands."""
    if unit is None:
        return "It cannot stand as it is written; the words below say why."
    x, y = unit.at
    level = battle.table.level_at(unit.at)
    pieces = [p for p in battle.table.terrain if not p.shape.is_empty and unit.footprint.intersects(p.shape)]
    on = ", ".join(dict.fromkeys(escape(p.name or p.id) for p in pieces)) or "open ground"
    count = len(unit.bases)
    bases = "" if unit.is_general else f"; {count} base{'s' if count > 1 else ''}"
    size = f"centre {x:.2f}, {y:.2f}{bases}"
    return f"Level {level}, on {on}.<br><font color='{QUIET}'>{size}</font>"


# --- the verdict -----------------------------------------------------------------------------------------------------


def answer(controller: JudgeController) -> str:
    """Return the verdict on the question in hand, or why there is none yet."""
    asking = controller.asking
    if not controller.laid.sound:
        return "Nothing is judged until the position is sound."
    if asking.waits:
        return "The judge is measuring ..."
    if isinstance(asking.answer, str):
        return f"<font color='{_no()}'>{escape(refusals.refusal_sentence(asking.answer, controller.battle))}</font>"
    verdict = controller.verdict
    return "" if verdict is None else linked(measures.in_chosen_unit(verdict_html(verdict, controller.battle)))


def verdict_html(verdict: Verdict, battle: Battle) -> str:
    """Return a verdict: question, yes or no, sentence, margins, rulings, and the reasons with their rules."""
    rows = [f"<b>{escape(question_in_words(battle, verdict))}</b>"]
    sentence = escape(headline(verdict, battle))
    if verdict.question not in ALWAYS:
        word, tone = ("✓ YES", _yes()) if verdict.holds else ("✗ NO", _no())
        sentence = f"<font color='{tone}'><b>{word}</b></font> {sentence}".rstrip()
    rows += [sentence] if sentence else []
    rows += _close(verdict, battle)
    rows += _turned(verdict, battle)
    rows += ["", *(line for reason in verdict.because for line in _reason(reason, battle, 0))]
    return "<br>".join(rows)


def _close(verdict: Verdict, battle: Battle) -> list[str]:
    """Return the margins: first a warning if the answer is too close, then those of the answer and its facts."""
    lines = [escape(line) for line in VerdictText(verdict, battle).closeness() if not line.startswith("It turns on")]
    short = "too close to call by tape: the answer stands as measured, but do not fight over it"
    warned = [f"<font color='{colour('answer', 'warn')}'><b>!</b></font> {short.capitalize()}."]
    rest = [line for line in lines if not line.startswith("Too close")]
    margins = [*(warned if verdict.too_close else []), *(_bold(line) for line in rest)]
    return ["", *margins] if margins else []


def _bold(line: str) -> str:
    """Return a line about a margin with the name of what it belongs to in bold."""
    head, colon, rest = line.partition(":")
    return f"<b>{head}:</b>{rest}" if colon and len(head) < 40 else line


def _reason(reason: Reason, battle: Battle, depth: int) -> list[str]:
    sign = f"<font color='{_yes()}'>✓</font>" if reason.holds else f"<font color='{_no()}'>✗</font>"
    indent = "&nbsp;" * (4 * depth) if depth else ""
    sentence = escape(reason_sentence(reason, battle))
    head = f"{indent}{sign} {sentence} <font color='{QUIET}'>{escape(reason.rule)}</font>"
    return [head, *(line for part in reason.parts for line in _reason(part, battle, depth + 1))]


def _turned(verdict: Verdict, battle: Battle) -> list[str]:
    """Return a link for each ruling the answer depends on, which judges by the other reading."""
    rows = [
        f"<font color='{_no()}'>!</font> {escape(turned(turn, battle))} <a href='{turn.ruling}'>Read it otherwise</a>"
        for turn in verdict.depends_on
    ]
    return ["", *rows] if rows else []


# --- at the bottom of the panel --------------------------------------------------------------------------------------


def foot(controller: JudgeController, unkept: str = "") -> str:
    """Return the text at the bottom of the panel: errors, faults, or else what to do next.

    ``unkept`` is why the work cannot be backed up to the disk, "" if it can.
    """
    note = controller.note or controller.backdrop.note
    faults = controller.faults
    rows = [f"<b>{escape(note)}</b>"] if note else []
    if unkept:
        cure = "it is safe here only: make room, or save it elsewhere"
        rows.append(f"<font color='{_no()}'><b>The disk does not take your work</b> ({escape(unkept)}); {cure}.</font>")
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        fault = f"<font color='{_no()}'><b>Not sound:</b> {escape(faults[0])}{more}</font>"
        rows.append(f"{fault} <a href='fault'>Show it</a>")
    return "<br>".join(rows) if rows else HINTS[controller.mode](controller)


def _placing(controller: JudgeController) -> str:
    placing = controller.placing
    if not placing.held:
        return "Choose troops or terrain, then click the table."
    if placing.what == "unit":
        return (
            f"<b>Click</b> or <b>Enter</b> puts it down. <b>Arrows</b> move it {by_keys.words(controller)}, <b>Q E</b> "
            "or the wheel turn it. <b>Alt</b>: no snapping, <b>Esc</b> lets go."
        )
    if not placing.corners:
        return (
            "<b>Click</b> its corners one after the other; or <b>Space</b>, the hand being led by the <b>arrows</b>: "
            f"{by_keys.words(controller)}."
        )
    return "<b>Enter</b> ends it; a click on the first corner closes a ring. <b>Backspace</b> takes the last one back."


def _photographed(controller: JudgeController) -> str:
    if controller.misfit is not None:
        first = (
            "<b>Enter</b> lays the first, a <b>number</b> another" if controller.misfit.fits else "<b>Enter</b> lays it"
        )
        return f"{first}; <b>Esc</b> traces it again. Its side is {escape(spoken(controller.placing.side))}."
    if controller.backdrop.tracing:
        wanted = ("front left", "front right", "rear right (or Enter)")[min(2, len(controller.backdrop.clicks))]
        return f"Click the unit's <b>{wanted}</b> corner."
    if controller.backdrop.shown:
        return (
            "Say what the unit is, press <b>Trace</b>, then click its corners as it looks at its enemy: <b>front "
            "left</b>, <b>front right</b>, <b>rear right</b>. Enter after two is enough."
        )
    return "<b>Wheel</b> zooms, a <b>right drag</b> pans."


TOOLS: Mapping[str, str] = {
    "goal": "<b>Click</b> the table where the middle of the objective is. <b>Esc</b>: none.",
    "edge": "<b>Click</b> near the edge of the table: there they enter. <b>Esc</b>: leave it.",
    "road": "<b>Click</b> the points of their road one after the other. <b>Esc</b>: that is all.",
}
HINTS: Mapping[Mode, Callable[[JudgeController], str]] = {
    Mode.TABLE: lambda controller: "Lay an empty table, or open a file; then <b>Place</b> units and terrain.",
    Mode.PLACE: _placing,
    Mode.EDIT: lambda controller: (
        f"<b>Drag</b> it, or <b>arrows</b>: {by_keys.words(controller)}. <b>Tab</b>: the next one. <b>Wheel</b> zooms, "
        "a <b>right drag</b> pans, <b>Home</b> shows all."
    ),
    Mode.PHOTO: _photographed,
    Mode.ARMY: lambda controller: "<b>Click</b> a unit in the roster to change it; <b>drag</b> it on the table.",
    Mode.BATTLE: lambda controller: TOOLS.get(
        controller.terms.tool, "What is set here is written into the battle's file."
    ),
    Mode.ASK: lambda controller: (
        f"{controller.asking.wanted[1]} Or <b>Tab</b> to it and <b>Enter</b>."
        if controller.asking.wanted
        else "Units may be dragged here too: it is judged again at once."
    ),
    Mode.CARD: lambda controller: "Both players sign on paper: print the PDF.",
}
