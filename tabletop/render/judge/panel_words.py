"""The actions of the words of the judge's panel: on the table and its file, units and terrain, photo and question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.battle.lengths import PER_INCH
from tabletop.battle.naming import capital
from tabletop.errors import Broken
from tabletop.geometry.measure import snap_facing
from tabletop.play.files.draft import empty, entered
from tabletop.render.judge import by_keys, filing
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.moving import outline_of, with_outline
from tabletop.render.judge.state import JudgingState
from tabletop.render.judge.typed import parsed
from tabletop.render.screens import Back
from tabletop.rules import rule_set

#: Length of an inch in each unit in which the size of a table may be given.
UNITS = {**PER_INCH, "ft": 1 / 12}
#: Minimum and maximum size of a table, in its unit of length.
LEAST, LARGEST = 1.0, 10_000.0


# --- the table and files ---------------------------------------------------------------------------------------------


def new(screen: JudgingState, key: str, value: Any) -> None:
    if key:
        screen.new[key] = str(value)
        return
    new = screen.new
    width, height = parsed(new["width"]), parsed(new["height"])
    try:
        per = UNITS[rule_set.find(new["rules"]).unit] / UNITS[new["unit"]]
    except Broken as error:
        screen.controller.note = f"{capital(str(error))}."
        return
    if width is None or height is None or not all(LEAST <= n * per <= LARGEST for n in (width, height)):
        screen.controller.note = "Type the table's width and depth as numbers, such as 72 and 48."
        return
    screen.controller.backdrop.take_away()
    screen.controller.path = None
    wide, deep = entered((width * per, height * per))
    screen.controller.do(empty(new["rules"], wide, deep))
    screen.controller.turn_to(Mode.PLACE)


def title(screen: JudgingState, _: str, value: Any) -> None:
    controller = screen.controller
    text = str(value).strip()[:200] or "A disputed position"
    controller.do(_with(controller, title=text), "title")


def _with(controller: JudgeController, **changes: Any) -> Any:
    return replace(controller.draft, **changes)


def ruling(screen: JudgingState, _: str, value: Any) -> None:
    rules = rule_set.find(screen.controller.draft.rules)
    name = screen.new["ruling"] if screen.new["ruling"] in rules.rulings else next(iter(rules.rulings))
    chosen = next(v for v in rules.rulings[name].values if str(v).lower() == str(value).lower())
    _rule(screen.controller, name, chosen)


def _rule(controller: JudgeController, name: str, value: Any) -> None:
    default = rule_set.find(controller.draft.rules).rulings[name].default
    kept = {key: v for key, v in controller.draft.rulings.items() if key != name}
    controller.do(_with(controller, rulings=kept if value == default else {**kept, name: value}))


def link(screen: JudgingState, _: str, value: Any) -> None:
    """Open the card of a rule, or judge by the other reading of a ruling that the verdict depends on."""
    kind, _, rule = str(value).partition(":")
    if kind == "rule":
        screen.reading = rule
        return
    rules = rule_set.find(screen.controller.draft.rules)
    if value in rules.rulings:
        now = screen.controller.battle.rulings.get(value)
        others = [v for v in rules.rulings[value].values if v != now]
        _rule(screen.controller, value, others[0])


def size(screen: JudgingState, key: str, value: Any) -> None:
    length, controller = parsed(value), screen.controller
    if length is not None and LEAST <= length <= LARGEST:
        controller.do(
            _with(controller, table={**controller.draft.table, key: entered((length, 0.0))[0]}), f"size {key}"
        )
        if not controller.backdrop.picking:
            controller.backdrop.lay(controller.size)


# --- units and terrain -----------------------------------------------------------------------------------------------


def hand(screen: JudgingState, key: str, value: Any) -> None:
    placing = screen.controller.placing
    if key in ("side", "name"):
        setattr(placing, key, str(value))
    elif key == "facing":
        facing = parsed(value)
        placing.facing = placing.facing if facing is None else snap_facing(facing)
    else:
        placing.change(key, _as_number(key, value))


def _as_number(key: str, value: Any) -> Any:
    return int(value) if key in ("bases", "front") and str(value).isdigit() else value


def piece(screen: JudgingState, key: str, value: Any) -> None:
    placing = screen.controller.placing
    number = parsed(value)
    kept = {k: v for k, v in placing.piece.items() if k != key}
    if key == "level" and number is not None:
        placing.piece = {**kept, key: int(number)}
    elif number is not None and 0.0 <= number <= LARGEST:
        placing.piece = {**kept, key: number}
    else:
        placing.piece = kept


def edit(screen: JudgingState, key: str, value: Any) -> None:
    """Apply what is typed or chosen for the selected unit or piece, if it is the only selection."""
    controller = screen.controller
    rows = controller.rows(controller.selected)
    if len(rows) != 1:
        return
    row = rows[0]
    if key in ("x", "y"):
        _typed_place(controller, row, key, parsed(value))
    elif key == "facing":
        number = parsed(value)
        if number is not None:
            controller.typed(key, snap_facing(number))
    elif key == "width":
        number = parsed(value)
        controller.typed(key, number if number is not None and 0.0 <= number <= LARGEST else None)
    elif key == "level":
        number = parsed(value)
        controller.typed(key, int(number) if number is not None and 0 <= number <= 20 else None)
    else:
        controller.typed(key, _as_number(key, value))


def _typed_place(controller: JudgeController, row: Any, key: str, value: float | None) -> None:
    if value is None:
        return
    if "track" in row:
        head = row["track"][0]
        dx, dy = (value - head[0], 0.0) if key == "x" else (0.0, value - head[1])
        controller.typed("track", [entered((x + dx, y + dy)) for x, y in row["track"]])
        return
    place = "front_mid" if "front_mid" in row else "at"
    x, y = row[place]
    controller.typed(place, entered((value, y) if key == "x" else (x, value)))


def corner(screen: JudgingState, key: str, value: Any) -> None:
    controller, coordinate = screen.controller, parsed(value)
    if controller.corner is None or coordinate is None:
        return
    name, number = controller.corner
    row = controller.draft.piece(name)
    points = outline_of(row)
    x, y = points[number]
    points[number] = (coordinate, y) if key == "x" else (x, coordinate)
    controller.put_rows([with_outline(row, points)], f"corner {name} {number}")


def what(screen: JudgingState, what: str, _: Any) -> None:
    placing = screen.controller.placing
    placing.what, placing.held = what, False
    placing.corners.clear()


def troop(screen: JudgingState, troop: str, _: Any) -> None:
    screen.controller.placing.choose_troop(troop)
    by_keys.take_up(screen.controller)


def kind(screen: JudgingState, kind: str, _: Any) -> None:
    screen.controller.placing.choose_kind(kind)


# --- the photo and the question --------------------------------------------------------------------------------------


def photo(screen: JudgingState, key: str, value: Any) -> None:
    back = screen.controller.backdrop
    if key == "opacity":
        back.opacity = min(1.0, max(0.0, float(value) / 100.0))
    elif key == "open":
        filing.choose_photo(screen)
    elif key == "lay":
        back.lay(screen.controller.size)
    elif key == "pick":
        back.picking, back.tracing = True, False
        back.clear_clicks()
    else:
        back.take_away()


def trace(screen: JudgingState, key: str, value: Any) -> None:
    controller = screen.controller
    if key.startswith("fit:"):
        controller.take_fit(int(key.removeprefix("fit:")))
    elif key == "same":
        controller.stand_traced()
    elif key == "troop":
        controller.placing.choose_troop(str(value))
    elif key != "anew":
        controller.backdrop.tracing = not controller.backdrop.tracing
    controller.backdrop.clear_clicks()


def extra(screen: JudgingState, key: str, value: Any) -> None:
    screen.controller.asking.extras[key] = str(value)
    screen.controller.put()


def tick(screen: JudgingState, key: str, _: Any) -> None:
    extras = screen.controller.asking.extras
    extras[key] = "" if extras.get(key) else "yes"
    screen.controller.put()


def back(screen: JudgingState, *_: Any) -> None:
    screen.going = Back()
