"""The page *Battle*: sides, turns and options, objectives, arrivals; and playing the battle now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.errors import BadQuestion
from tabletop.play.files.draft import Draft, Row
from tabletop.play.files.file_text import number
from tabletop.play.saves.library import own_folder
from tabletop.render.destinations import ToSettingUp
from tabletop.render.judge import arrival_rows
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.form import Choose, Heading, Keys, Note, Page, Part, Type
from tabletop.render.judge.game_keys import PARTS, game_of, goals, with_game
from tabletop.render.judge.keeping import SCENES, save
from tabletop.render.judge.objectives import chosen_goal, of_piece, put_row
from tabletop.render.judge.placing import slug, spoken
from tabletop.render.judge.state import JudgingState
from tabletop.render.judge.typed import parsed
from tabletop.render.judge.verdict_words import escape
from tabletop.render.screens import Go
from tabletop.render.widgets.links import linked
from tabletop.render.widgets.panel_page import Key
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Option

#: The default and the maximum number of turns.
TURNS, MOST = 8, 200


def battle_page(controller: JudgeController) -> list[Part]:
    """Return the page."""
    parts = tuple(Key(f"battle:part:{name}", label, "") for name, label in PARTS)
    shown = {"terms": _terms, "goals": _goals, "arrivals": arrival_rows.rows}[controller.terms.part](controller)
    ready = frozenset() if controller.draft.sides else frozenset(("battle:play",))
    play = Key("battle:play", "Play this now", "Save it, then choose who plays which side")
    return [
        Keys(parts, 3, pressed=frozenset((f"battle:part:{controller.terms.part}",))),
        *shown,
        Keys((play,), 1, shut=ready, strong=frozenset(("battle:play",))),
        Page("about", _about(controller)),
    ]


def _about(controller: JudgeController) -> str:
    """Return the text below the rows, beginning with the chosen option."""
    options = rule_set.find(controller.draft.rules).options
    if controller.terms.part != "terms" or not options:
        return ABOUT[controller.terms.part]
    option = options.get(controller.terms.option) or next(iter(options.values()))
    meaning = option.meaning[:1].upper() + option.meaning[1:]
    return linked(f"<b>{spoken(option.name)}</b> ({option.rule}): {escape(meaning)}<br><br>{ABOUT['terms']}")


ABOUT: Mapping[str, str] = {
    "terms": (
        "The <b>attacker</b> attacks for the whole battle. Without a number of turns it goes on until an army breaks. "
        "<b>Options</b> are choices of the rules; what is not chosen is as usual.<br><br>Who commands whom is said on "
        "the page <b>Edit</b>: <i>Belongs to</i>."
    ),
    "goals": (
        "Who alone has troops within the radius takes an <b>objective</b>; its points are counted at the end. A wood "
        "or a village becomes one on the page <b>Edit</b>, any other place by <b>Put one</b> and a click on the table."
    ),
    "arrivals": arrival_rows.ABOUT,
}


# --- sides, turns, options -------------------------------------------------------------------------------------------


def _terms(controller: JudgeController) -> list[Part]:
    game, sides = game_of(controller.draft), controller.draft.sides
    rows: list[Part] = []
    if sides:
        rows.append(Type("Sides", tuple((f"battle:side:{k}", side, "side") for k, side in enumerate(sides))))
        now = str(game.get("attacker") or "")
        options = (("", "(first by name)"), *((side, spoken(side)) for side in sides))
        rows.append(Choose("Attacker", "battle:attacker", options, now))
    else:
        rows.append(Note("Put units of two sides on the table."))
    turns = ("battle:turns", str(game.get("turns") or ""), f"({TURNS})")
    rows.append(Type("Turns, hour", (turns, ("battle:starts", str(game.get("starts") or ""), "begins at"))))
    choices = rule_set.find(controller.draft.rules).options
    if choices:
        name = controller.terms.option if controller.terms.option in choices else next(iter(choices))
        rows.append(Choose("Option", "battle:option", tuple((each, spoken(each)) for each in choices), name))
        rows += _option(controller, choices[name])
    return rows


def _option(controller: JudgeController, option: Option) -> list[Part]:
    """Return the rows of the chosen option: one for both sides, or one for each."""
    given = dict(game_of(controller.draft).get("options") or {}).get(option.name)
    each = controller.draft.sides if option.by_side and controller.draft.sides else ("",)
    rows: list[Part] = []
    for side in each:
        now = given.get(side) if isinstance(given, Mapping) else given
        word, label = f"battle:chosen:{option.name}:{side}", spoken(side) if side else "is"
        if option.values:
            words = tuple((_word(value), spoken(_word(value))) for value in option.values)
            options = (("", f"usual: {_word(option.default)}"), *words)
            if isinstance(now, list | tuple):  # several values, which a file gives
                options = (*options, (_word(now), spoken(_word(now))))
            rows.append(Choose(label, word, options, "" if now is None else _word(now)))
        else:
            hint = (
                f"{option.low or 0:g} to {option.high:g}" if option.high is not None else f"{option.low or 0:g} or more"
            )
            rows.append(Type(label, ((word, "" if now is None else number(float(now)), f"({hint})"),)))
    return rows


def _word(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " or ".join(map(_word, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- objectives ------------------------------------------------------------------------------------------------------


def _goals(controller: JudgeController) -> list[Part]:
    rows, objectives = list[Part](), goals(controller.draft)
    put = Key("battle:tool:goal", "Put one", "Then click the table where its middle is")
    away = Key("battle:goal:away", "Take it away", "No objective any more")
    chosen = chosen_goal(controller)
    if chosen is not None:
        names = tuple((str(row["id"]), str(row.get("name") or row["id"])) for row in objectives)
        sides = (("", "nobody"), *((side, spoken(side)) for side in controller.draft.sides))
        rows = [
            Choose("Objective", "battle:goal:which", names, str(chosen["id"])),
            Type("Name", (("battle:goal:name", str(chosen.get("name") or ""), str(chosen["id"])),)),
            Type("Points, radius", (
                ("battle:goal:points", number(float(chosen.get("points", 1))), "points"),
                ("battle:goal:radius", number(float(chosen["radius"])), "radius"),
            )),
            Choose("Held by", "battle:goal:holder", sides, str(chosen.get("holder") or "")),
        ]  # fmt: skip
    shut = frozenset() if chosen is not None else frozenset(("battle:goal:away",))
    pressed = frozenset((f"battle:tool:{controller.terms.tool}",))
    return [*(rows or [Heading("No objective yet")]), Keys((put, away), 2, pressed=pressed, shut=shut)]


def goal_row(controller: JudgeController, row: Row) -> list[Part]:
    """Return the key that makes a piece of terrain an objective, or undoes that."""
    objective = any(goal["id"] == row["id"] for goal in goals(controller.draft))
    label = "No objective any more" if objective else "Make it an objective"
    return [Keys((Key("battle:piece", label, "Who holds it at the end has a point"),), 1)]


# --- actions ---------------------------------------------------------------------------------------------------------


def battle(screen: JudgingState, what: str, value: Any) -> None:
    """Run the action of a word on this page; BadQuestion, in one line, if it cannot be done."""
    kind, _, rest = what.partition(":")
    acts = {
        "part": _part, "tool": _tool, "attacker": _attacker, "turns": _turns, "starts": _starts, "side": _rename,
        "option": _which_option, "chosen": _chosen, "goal": _goal, "piece": _piece, "play": _play,
        "arrival": arrival_rows.arrival,
    }  # fmt: skip
    acts[kind](screen, rest, value)


def _part(screen: JudgingState, name: str, _: Any) -> None:
    screen.controller.terms.part, screen.controller.terms.tool = name, ""


def _tool(screen: JudgingState, name: str, _: Any) -> None:
    terms = screen.controller.terms
    terms.tool = "" if terms.tool == name else name


def _attacker(screen: JudgingState, _: str, value: Any) -> None:
    screen.controller.do(with_game(screen.controller.draft, attacker=str(value) or None))


def _turns(screen: JudgingState, _: str, value: Any) -> None:
    text = str(value).strip()
    if text and not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise BadQuestion(f"The number of turns is a whole number from 1 to {MOST}, such as {TURNS}.")
    screen.controller.do(with_game(screen.controller.draft, turns=int(text) if text else None), "turns")


def _starts(screen: JudgingState, _: str, value: Any) -> None:
    screen.controller.do(with_game(screen.controller.draft, starts=str(value).strip() or None), "starts")


def _rename(screen: JudgingState, number: str, value: Any) -> None:
    """Rename a side everywhere; the name of the other side is refused."""
    controller, new = screen.controller, slug(str(value))
    old = controller.draft.sides[int(number)] if int(number) < len(controller.draft.sides) else ""
    if not old or not str(value).strip() or new == old:
        return
    if new in controller.draft.sides:
        raise BadQuestion(f"There is a side '{new}' already; give this one another name.")
    controller.do(renamed(controller.draft, old, new), f"side {number}")
    controller.placing.side = new if controller.placing.side == old else controller.placing.side


def renamed(draft: Draft, old: str, new: str) -> Draft:
    """Return a draft with a side renamed in its units, its battle and its options."""
    units = tuple({**row, "side": new} if row["side"] == old else row for row in draft.units)
    game = game_of(draft)
    if game.get("attacker") == old:
        game["attacker"] = new
    if "objectives" in game:
        game["objectives"] = [{**row, "holder": new} if row.get("holder") == old else row for row in game["objectives"]]
    if "options" in game:
        game["options"] = {name: _of_sides(value, old, new) for name, value in game["options"].items()}
    rest = {**draft.rest, "game": game} if game else draft.rest
    return replace(draft, units=units, rest=rest, alone=new if draft.alone == old else draft.alone)


def _of_sides(value: Any, old: str, new: str) -> Any:
    """Return an option's value with a side renamed."""
    if not isinstance(value, Mapping):
        return value
    return {new if side == old else side: each for side, each in value.items()}


def _which_option(screen: JudgingState, _: str, value: Any) -> None:
    screen.controller.terms.option = str(value)


def _chosen(screen: JudgingState, what: str, value: Any) -> None:
    """Set the value of an option, for both sides or for one; an empty value restores the default."""
    controller = screen.controller
    name, _, side = what.partition(":")
    option = rule_set.find(controller.draft.rules).options[name]
    options = dict(game_of(controller.draft).get("options") or {})
    before = options.get(name)
    now = before.get(side) if isinstance(before, Mapping) else before
    entry = now if now is not None and _word(now) == str(value).strip() else _value(option, str(value).strip())
    if side:
        sides = dict(before) if isinstance(before, Mapping) else dict.fromkeys(controller.draft.sides, before)
        each = {key: setting for key, setting in {**sides, side: entry}.items() if setting is not None}
        options[name] = each or None
    else:
        options[name] = entry
    kept = {key: setting for key, setting in options.items() if setting is not None}
    controller.do(with_game(controller.draft, options=kept or None), f"option {what}")


def _value(option: Option, text: str) -> Any:
    if not text:
        return None
    if option.values:
        return next(value for value in option.values if _word(value) == text)
    value = parsed(text)
    if value is None or option.fault(value):
        raise BadQuestion(f"{spoken(option.name)}: {option.fault(value)}.")
    return value


def _goal(screen: JudgingState, key: str, value: Any) -> None:
    """Choose an objective, change one key of it, or remove it."""
    controller = screen.controller
    chosen = chosen_goal(controller)
    if key == "which":
        controller.terms.goal = str(value)
    elif chosen is None:
        return
    elif key == "away":
        controller.do(
            with_game(
                controller.draft,
                objectives=[row for row in goals(controller.draft) if row["id"] != chosen["id"]] or None,
            )
        )
    else:
        text = str(value).strip()
        entry: Any = text if key in ("name", "holder") else parsed(text)
        if key in ("points", "radius") and (entry is None or entry < 0 or (key == "radius" and entry == 0)):
            raise BadQuestion(f"{key.capitalize()} is a number, such as {'2' if key == 'radius' else '1'}.")
        row = {**chosen, key: entry} if entry or entry == 0 else {k: v for k, v in chosen.items() if k != key}
        put_row(controller, row, f"goal {key}")


def _piece(screen: JudgingState, _: str, __: Any) -> None:
    """Make the selected piece an objective, or undo that."""
    controller = screen.controller
    row = controller.rows(controller.selected)[0]
    others = [goal for goal in goals(controller.draft) if goal["id"] != row["id"]]
    if len(others) < len(goals(controller.draft)):
        controller.do(with_game(controller.draft, objectives=others or None))
    elif any(piece.id == row["id"] for piece in controller.battle.table.terrain):
        put_row(controller, of_piece(controller, row))
    else:
        raise BadQuestion("This piece is not sound yet: mend it first.")


def _play(screen: JudgingState, _: str, __: Any) -> None:
    """Save the battle, with missing terms filled in, and go to its setup page."""
    controller = screen.controller
    draft, game = controller.draft, game_of(controller.draft)
    if len(draft.sides) != 2:
        raise BadQuestion("A battle is between two sides: put units of two sides on the table.")
    missing = {key: value for key, value in (("attacker", draft.sides[0]), ("turns", TURNS)) if key not in game}
    if missing:
        controller.do(with_game(draft, **missing))
    path = controller.path if controller.path is not None else _free(controller.draft)
    save(controller, path)
    screen.going = Go(ToSettingUp(path))


def _free(draft: Draft) -> Any:
    stem, folder = slug(draft.title), own_folder()
    names = (f"{stem}{SCENES[0]}", *(f"{stem}-{k}{SCENES[0]}" for k in range(2, 10_000)))
    return next(path for name in names if not (path := folder / name).exists())
