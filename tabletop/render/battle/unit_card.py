"""A unit's card: what it is, its strength, formation and state, its commander, its last action; and its history page.

Plain data in, html out.
"""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.battle.naming import capital, in_order, side_name
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import compass_point
from tabletop.play.engine import play_of
from tabletop.play.environment import is_ship, noun
from tabletop.play.signs import signs
from tabletop.render.battle.game_model import GameModel
from tabletop.render.drawing import measures
from tabletop.render.drawing.theme import colour
from tabletop.render.events.log_lines import Line
from tabletop.render.table.marks import mark
from tabletop.render.table.tools import Mark
from tabletop.render.widgets.links import QUIET, escape
from tabletop.render.widgets.panel_page import PanelPage
from tabletop.rules import rule_set
from tabletop.rules.asked import CHIEF
from tabletop.rules.common.base_losses import BEFORE
from tabletop.rules.traits import traits_on

#: Pips of a base that stands and of one that is lost.
HERE, GONE = "●", "○"
#: Above this many bases, only the number is shown.
PIPS = 16
#: An enemy's relation to the selected unit, named by "{}".
STANDS = {
    Mark.FIRE: "{} can fire at it",
    Mark.ASSAULT: "{} can assault it",
    Mark.BLOCKED: "In the arc of {}, no shot",
    Mark.SEEN: "{} sees it",
    Mark.HIDDEN: "Hidden from {}",
}
#: Colour of a state other than good order; the word says it too.
SHAKEN = "#8a3f1c"


def card(model: GameModel) -> str:
    """Return the card of the selected unit, else of the one under the cursor, else of the whole battle."""
    name = model.chosen.actor or model.table.selected or model.table.hovered
    unit = model.table.battle.someone(name) if name is not None else None
    if unit is None:
        return "<br>".join(_whole(model))
    return "<br>".join(_lines(model, unit))


def _whole(model: GameModel) -> Iterator[str]:
    """Yield the battle's title, the objectives with their holders, and how to see a unit's card."""
    yield f"<b>{escape(model.table.battle.title or 'The table')}</b>"
    ground = model.table.battle.setup.objectives
    if ground:
        yield f"Worth holding at the end: {', '.join(_worth(objective) for objective in ground)}."
    yield f"Point at a {noun(model.table.battle)} for its card, click it for more."


def _worth(objective: Objective) -> str:
    return f"{escape(objective.name or objective.id)} <b>{objective.points:g}</b> ({escape(_holder(objective))})"


def _holder(objective: Objective) -> str:
    return "nobody's" if objective.holder is None else side_name(objective.holder)


def _lines(model: GameModel, unit: Unit) -> Iterator[str]:
    yield f"<b>{escape(unit.called)}</b>, {escape(_of(model.table.battle.rules, unit))}"
    words = [*filter(None, ["" if unit.is_general else strength(model, unit)]), *_state(model, unit)]
    if words:
        yield capital(", ".join(words))
    if is_ship(unit):
        yield from _remarks(model, unit)
    if not unit.is_general:
        yield _stance(unit)
    yield from (escape(trait.line) for trait in traits_on(model.table.battle, unit))
    yield from _command(model, unit)
    done = [line for line in model.record.lines if line.turn == model.table.battle.clock.turn and line.about(unit.id)]
    whole = sum(line.about(unit.id) for line in model.record.lines)
    if done:
        yield f"This turn: {escape(done[-1].text)}"
    if whole:
        yield f"<a href='history:{unit.id}'>Its battle so far ({whole})</a>"


def kind(unit: Unit) -> str:
    """Return quality and troops, or a general's rank."""
    words = (unit.rank if unit.is_general else unit.quality, unit.troop)
    return " ".join(word for word in words if word).replace("-", " ")


def _of(rules: str, unit: Unit) -> str:
    """Return side, quality and troops ("French veteran infantry"), naming the side once if the quality names it too.

    A quality that names another nation comes first: "Russian line infantry, Prussian side".
    """
    nation = "" if unit.is_general else _nation(rules, unit.quality)
    if nation and nation != unit.side:
        proper = " ".join(capital(word) for word in nation.split("-"))
        return f"{proper} {kind(unit).removeprefix(nation.replace('-', ' ')).strip()}, {side_name(unit.side)} side"
    return f"{side_name(unit.side)} {kind(unit).removeprefix(f'{unit.side} ')}"


def _nation(rules: str, quality: str) -> str:
    """Return the nation that begins a quality: a quality by itself that others extend; "" if there is none."""
    words = rule_set.find(rules).vocabulary.get("quality", ())
    nations = [word for word in words if any(extended.startswith(f"{word}-") for extended in words)]
    return next((word for word in nations if quality == word or quality.startswith(f"{word}-")), "")


def strength(model: GameModel, unit: Unit) -> str:
    """Return the remaining bases out of those at the start, with a pip each: ``●●●○ 3 of 4 bases``; "" for a ship."""
    if is_ship(unit):
        return ""
    now, first = unit.strength, started(model, unit)
    pips = f"{HERE * now}{GONE * max(0, first - now)} " if first <= PIPS else ""
    lost = f" of {first}" if first > now else ""
    return f"{pips}<b>{now}</b>{lost} base{'s' * (max(now, first) != 1)}"


def started(model: GameModel, unit: Unit) -> int:
    """Return the number of bases a unit had, before any losses of which its file speaks, and was given since."""
    first = model.record.header.opening.someone(unit.id)
    return unit.strength if first is None else first.strength + first.marks.get(BEFORE, 0) + unit.bases_added


def _stance(unit: Unit) -> str:
    wide = f", {unit.front} wide" if unit.front else ""
    facing = f", facing {compass_point(unit.facing)} {round(unit.facing, 1):g}°"
    return f"{escape(unit.formation.replace('-', ' ').capitalize())}{wide}{facing}"


def _state(model: GameModel, unit: Unit) -> Iterator[str]:
    """Yield its state in words: order, whether it may act, remarks, the side's outlook, marks."""
    if not model.table.battle.has(unit.id):
        yield f"<b>{escape(_absent(model, unit))}</b>"
        return
    if not unit.is_general:
        yield "in good order" if unit.in_order else _shaken(unit)
    if unit.id in model.facts.ready:
        yield "may act now"
    play, battle = play_of(model.table.battle), model.table.battle
    if not is_ship(unit):
        yield from _remarks(model, unit)
    outlook = play.outlook(battle, unit.side)
    if outlook:
        yield escape(f"{side_name(unit.side)}: {outlook}")
    yield from map(escape, signs(battle, unit))


def _remarks(model: GameModel, unit: Unit) -> Iterator[str]:
    """Yield what the rules remark on a unit on the table: for a ship its boxes, which stand in lines of their own."""
    battle = model.table.battle
    if battle.has(unit.id):
        yield from map(escape, play_of(battle).remarks(battle, unit))


def _shaken(unit: Unit) -> str:
    return f"<font color='{SHAKEN}'><b>{escape(unit.status)}</b></font>"


def _absent(model: GameModel, unit: Unit) -> str:
    gone = next((f for f in model.table.battle.fallen if f.unit.id == unit.id), None)
    if gone is not None:
        return f"Left the table in turn {gone.turn}: {gone.how.replace('-', ' ')}"
    battle = model.table.battle
    turn = next((a.turn for a in battle.arrivals if unit.id in a.units), None)
    now = turn is not None and turn <= battle.clock.turn
    if unit.id in battle.returning:
        return f"Off the table, may come back {'now' if now else f'from turn {turn} on'}"
    return "Still to come" + (f", {'from now on' if now else f'in turn {turn}'}" if turn else "")


def _command(model: GameModel, unit: Unit) -> Iterator[str]:
    """Yield its commander or the units it commands, and whether it is in command."""
    chief = f"Under {escape(model.table.battle.called(unit.parent))}" if unit.parent else ""
    verdict = model.table.verdict("command")
    if unit.is_general or verdict is None or verdict.args != (unit.id,):
        commanded = [u for u in model.table.battle.units if u.parent == unit.id]
        under = f"commands {', '.join(escape(u.called) for u in commanded)}" if unit.is_general and commanded else ""
        sentence = ", ".join(part for part in (chief, under) if part)
        yield from [capital(sentence)] if sentence else []
        return
    gap, general = verdict.measured.get("distance"), verdict.measured.get(CHIEF)
    tint, word = ("yes", "in command") if verdict.holds else ("no", "out of command")
    away = ""
    if gap is not None and not model.table.battle.tape.touches(gap):  # at zero it is with the unit
        away = measures.length(gap, model.table.battle.table.unit, 1)
    far = f", {escape(model.table.battle.called(general))} {away} away" if away else ""
    yield f"{chief or 'Under nobody'}; <font color='{colour('answer', tint)}'><b>{word}</b></font>{far}"


# --- in short, at the cursor -----------------------------------------------------------------------------------------


def glimpse(model: GameModel, unit: Unit) -> tuple[str, ...]:
    """Return a unit in a few short lines of plain text."""
    lines = [unit.called, _of(model.table.battle.rules, unit)]
    if not unit.is_general:
        first = started(model, unit)
        lost = f" of {first}" if first > unit.strength else ""
        status = in_order(unit)
        bases = f"base{'s' * (max(unit.strength, first) != 1)}"
        formation = unit.formation.replace("-", " ")
        lines += [
            capital(formation) if is_ship(unit) else f"{unit.strength}{lost} {bases}, {formation}",
            capital(status),
        ]
    mine = model.table.unit
    marked = mark(model.table, unit.id) if mine is not None and unit.side != mine.side else None
    if mine is None or not isinstance(marked, Mark):
        return tuple(lines)
    return (*lines, STANDS[marked].format(mine.called))


# --- its history -----------------------------------------------------------------------------------------------------


def history(model: GameModel, name: str) -> PanelPage | None:
    """Return a unit's history in this battle by turns, each line a link to its moment; None for an unknown unit."""
    unit = model.table.battle.someone(name)
    if unit is None:
        return None
    rows, turn = list[str](), -1
    for number, line in enumerate(model.record.lines):
        if line.about(unit.id):
            rows += [f"<b>Turn {line.turn}</b>"] if line.turn != turn else []
            turn = line.turn
            rows.append(_line_html(model, unit, number, line))
    return PanelPage(f"{unit.called} so far", "<br>".join(rows) or "It has done nothing yet.")


def _line_html(model: GameModel, unit: Unit, number: int, line: Line) -> str:
    partner = line.other if line.unit == unit.id else line.unit
    named = partner is not None and model.table.battle.called(partner) not in line.text
    whom = (
        f" <font color='{QUIET}'>with {escape(model.table.battle.called(partner))}</font>" if named and partner else ""
    )
    return f"<a href='log:{number}'>{escape(line.text)}</a>{whom}"
