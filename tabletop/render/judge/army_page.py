"""The page *Army*: the roster of a side, built by hand to a points limit or taken from the library."""

from __future__ import annotations

from typing import Any

from tabletop.battle.naming import how_many
from tabletop.errors import BadQuestion
from tabletop.play.files.draft import Row
from tabletop.play.files.troop_register import counts_for, words_for
from tabletop.play.workshop import muster
from tabletop.render.judge import filing
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.form import Choose, Heading, Keys, Page, Part, Type
from tabletop.render.judge.game_keys import coming
from tabletop.render.judge.placing import SIDES, spoken
from tabletop.render.judge.state import JudgingState
from tabletop.render.judge.typed import parsed
from tabletop.render.judge.unit_rows import usual_word
from tabletop.render.judge.verdict_words import QUIET, escape, refusing
from tabletop.render.widgets.panel_page import Key
from tabletop.rules import rule_set


def army_page(controller: JudgeController) -> list[Part]:
    """Return the page."""
    placing, rules = controller.placing, rule_set.find(controller.draft.rules)
    side = placing.side
    own = [row for row in controller.draft.units if row["side"] == side]
    known = (*controller.draft.sides, *(SIDES if len(controller.draft.sides) < 2 else ()), side)
    sides = tuple((name, spoken(name)) for name in dict.fromkeys(known))
    troops = tuple((troop, _priced(controller, troop)) for troop in rules.vocabulary["troop"])
    library = muster.library(controller.draft.rules)
    worth = muster.cost({**placing.unit, "id": "new", "side": side}, controller.draft.rules)
    limit = f" of {controller.limit:g}" if controller.limit is not None else ""
    count = f"{len(own)} unit{'' if len(own) == 1 else 's'}"
    add = Key(
        "army:add",
        f"Add it ({points_in_words(worth)})",
        "It stands behind the front of its side; drag it where you like",
    )
    rows: list[Part] = [
        Choose("Side", "hand:side", sides, side),
        Heading(f"{spoken(side)}: {count}, {muster.total(controller.draft, side):.4g}{limit} points"),
        Choose("Troops", "army:troop", troops, str(placing.unit["troop"])),
        *_quality_and_bases(controller),
        Keys((add,), 1, strong=frozenset(("army:add",))),
    ]
    if library:
        now = controller.force or library[0].name
        rows.append(Choose("Library", "army:force", tuple((force.name, force.title) for force in library), now))
    most = "" if controller.limit is None else f"{controller.limit:g}"
    rows.append(Type("Points", (("army:limit", most, "(as many as it has)"),)))
    take = Key("army:take", "Take over", "This side becomes the army chosen, cut or filled to the points")
    open_ = Key("army:open", "A file...", "This side becomes the army of a file")
    save = Key("army:save", "Save alone...", "Write the troops of this side as an army's file")
    shut = frozenset(() if library else ("army:take",)) | frozenset(() if own else ("army:save",))
    return [*rows, Keys((take, open_, save), 3, shut=shut), Page("roster", _roster(controller, side))]


def points_in_words(points: float) -> str:
    """Return points in words, to a tenth.

    >>> points_in_words(4.6875), points_in_words(1.0)
    ('4.7 points', '1 point')
    """
    return how_many(round(points, 1), "point")


def _priced(controller: JudgeController, troop: str) -> str:
    row = controller.placing.usual(troop)
    points = muster.cost({**row, "id": "new", "side": "x"}, controller.draft.rules)
    return f"{spoken(troop)}: {points / max(1, int(row.get('bases') or 1)):.3g} a base" if points else spoken(troop)


def _quality_and_bases(controller: JudgeController) -> list[Part]:
    rules, rulings = rule_set.find(controller.draft.rules), controller.battle.rulings
    row: Row = {**controller.placing.unit, "id": "new", "side": "x", "at": (0.0, 0.0)}
    parts: list[Part] = []
    words = words_for(rules, rulings, row, "quality")
    if len(words) > 1:
        parts.append(
            Choose(
                "Quality",
                "hand:quality",
                tuple((w, spoken(w)) for w in words),
                str(row.get("quality") or usual_word(rules, "quality", words)),
            )
        )
    counts = counts_for(rules, rulings, row)
    if len(counts) > 1:
        parts.append(Choose("Bases", "hand:bases", tuple((str(n), str(n)) for n in counts), str(row["bases"])))
    return parts


def _roster(controller: JudgeController, side: str) -> str:
    """Return the roster as clickable lines: generals above the units they command, points, faults."""
    later, wrong = (
        coming(controller.draft),
        {each.row: each.text for each in controller.laid.troubles if each.part == "units"},
    )
    lines = []
    for row in muster.roster(controller.draft, side):
        name = str(row["id"])
        points = muster.cost(row, controller.draft.rules)
        indent = "&nbsp;" * (4 * muster.depth(controller.draft, row))
        label = escape(str(row.get("name") or name))
        about = [
            spoken(str(row["troop"])),
            *([points_in_words(points)] if points else []),
            *(["later"] if name in later else []),
        ]
        mark = f"<font color='{refusing()}'><b>!</b></font> " if name in wrong else ""
        lines.append(
            f"{indent}{mark}<a href='{escape(name)}'>{label}</a> <font color='{QUIET}'>{', '.join(about)}</font>"
        )
    return "<br>".join(lines) if lines else (
        "Nobody yet. <b>Add</b> units one by one, or <b>take over</b> an army of the library. A unit in this list is "
        "clicked to be changed."
    )  # fmt: skip


# --- actions ---------------------------------------------------------------------------------------------------------


def army(screen: JudgingState, what: str, value: Any) -> None:
    """Run the action of a word on this page; BadQuestion, in one line, if it cannot be done."""
    {"troop": _troop, "add": _add, "force": _force, "limit": _limit, "take": _take, "open": _open, "save": _save}[what](
        screen, value
    )


def _troop(screen: JudgingState, value: Any) -> None:
    screen.controller.placing.choose_troop(str(value))
    screen.controller.placing.held = False


def _add(screen: JudgingState, _: Any) -> None:
    controller = screen.controller
    side = controller.placing.side
    row = muster.named_row(controller.draft, controller.placing.unit, side, muster.lone_general(controller.draft, side))
    controller.do(muster.added(controller.draft, controller.battle, row))
    controller.select([str(row["id"])])


def _force(screen: JudgingState, value: Any) -> None:
    screen.controller.force = str(value)


def _limit(screen: JudgingState, value: Any) -> None:
    text = str(value).strip()
    points = parsed(text)
    if text and (points is None or points <= 0):
        raise BadQuestion("Points are a number, such as 20; nothing leaves the army as it is.")
    screen.controller.limit = points


def _take(screen: JudgingState, _: Any) -> None:
    controller = screen.controller
    forces = {force.name: force for force in muster.library(controller.draft.rules)}
    force = forces.get(controller.force) or next(iter(forces.values()))
    take_over(controller, force)


def take_over(controller: JudgeController, force: Any) -> None:
    """Give a side the troops of an army, cut or filled up to the points limit."""
    side, points = controller.placing.side, muster.checked_limit(controller.limit)
    controller.do(muster.taken_over(controller.draft, controller.battle, force, side, points))
    controller.note = f"{spoken(side)} has the troops of {force.title}; undo brings back what it had."


def _open(screen: JudgingState, _: Any) -> None:
    filing.open_army(screen, lambda force: take_over(screen.controller, force))


def _save(screen: JudgingState, _: Any) -> None:
    filing.save_army(screen, screen.controller.placing.side)


def clicked_roster(screen: JudgingState, _: str, value: Any) -> None:
    """Select a unit of the roster on the page Edit."""
    controller = screen.controller
    if controller.draft.has(str(value)):
        controller.turn_to(Mode.EDIT)
        controller.select([str(value)])
