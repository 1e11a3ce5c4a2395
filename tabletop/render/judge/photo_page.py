"""The page *Photo*: opening a photo, picking its corners, and tracing units on it by their corners."""

from __future__ import annotations

from tabletop.play.files.draft import Row
from tabletop.play.files.file_text import number
from tabletop.render.drawing import measures
from tabletop.render.judge import verdict_words
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.form import Choose, Heading, Keys, Note, Page, Part, Slide, Type
from tabletop.render.judge.placing import spoken
from tabletop.render.judge.tracing import Misfit, Sides
from tabletop.render.judge.unit_rows import troops_in_hand
from tabletop.render.widgets.panel_page import Key
from tabletop.rules import rule_set


def photo_page(controller: JudgeController) -> list[Part]:
    back = controller.backdrop
    first: list[Part] = [
        Heading("A photo of the real table"),
        Keys((Key("photo:open", "Choose a photo...", "JPEG, PNG or WebP; or drop it on the window"),), 1),
    ]
    if back.photo is None:
        return [*first, Page("about", verdict_words.PHOTO)]
    size = controller.draft.table
    entries = (("size:width", number(size["width"]), "width"), ("size:height", number(size["height"]), "depth"))
    common: list[Part] = [*first, Type(f"Table ({size['unit']})", entries)]
    if back.picking:
        keys = (
            Key("photo:lay", "Lay it on the table", "Straighten it by its four corners (Enter)"),
            Key("photo:away", "Take it away", "The photo itself is not touched"),
        )
        return [*common, Keys(keys, 2, strong=frozenset(("photo:lay",))), Page("about", verdict_words.PICKING)]
    keys = (
        Key("photo:pick", "Pick corners anew", "Show the photo as it was taken"),
        Key("photo:away", "Take it away", "The photo itself is not touched"),
    )
    if controller.misfit is not None:
        return [*first, *_misfit(controller, controller.misfit)]
    rules = rule_set.find(controller.draft.rules)
    troops = tuple((t, spoken(t)) for t in rules.vocabulary["troop"])
    return [
        *common, Keys(keys, 2), Slide("Strength", "photo:opacity", round(100 * back.opacity), 0, 100, 5),
        Heading("Trace a unit: say what it is, then its corners"),
        Choose("Troops", "trace:troop", troops, str(controller.placing.unit["troop"])),
        *troops_in_hand(controller),
        Keys((Key("trace:", "Trace by its corners", "Click front left, front right, then rear right"),), 1,
             pressed=frozenset(("trace:",) if back.tracing else ())),
    ]  # fmt: skip


def _misfit(controller: JudgeController, misfit: Misfit) -> list[Part]:
    """Return the traced base beside the chosen unit, and better fits, each one click away."""
    unit = controller.battle.table.unit
    offered = tuple(
        Key(f"trace:fit:{n}", f"{n + 1}   {_arranged(fit.row)}: {_sized(fit.size, unit)}", "Lay this one instead")
        for n, fit in enumerate(misfit.fits)
    )
    others = (
        Key("trace:same", "Lay it as chosen", f"{_arranged(misfit.chosen.row)}, where it fits best"),
        Key("trace:anew", "Trace again", "Forget these corners (Esc)"),
    )
    return [
        Heading("The unit chosen does not fit what was traced"),
        Note(f"Traced: {_sized(misfit.sides, unit)}"),
        Note(f"Chosen: {_arranged(misfit.chosen.row)}: {_sized(misfit.chosen.size, unit)}"),
        Heading("What fits better" if offered else "Nothing these troops may form fits better"),
        Keys(offered, 1, strong=frozenset(("trace:fit:0",))),
        Keys(others, 2),
    ]


def _arranged(row: Row) -> str:
    """Return a formation with its bases and, if given, its front."""
    n, front = row["bases"], row.get("front")
    wide = f", {front} wide" if front else ""
    return f"{spoken(str(row['formation']))}, {n} base{'' if n == 1 else 's'}{wide}"


def _sized(size: Sides, unit: str) -> str:
    wide, deep = size
    return (
        f"{measures.length(wide, unit)} wide"
        if deep is None
        else (f"{measures.length(wide, unit)} × {measures.length(deep, unit)}")
    )
