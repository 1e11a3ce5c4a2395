"""The pages of the panel as plain rows, derived from the controller alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.play.files.draft import Row
from tabletop.play.files.file_text import number
from tabletop.render.judge import verdict_words
from tabletop.render.judge.army_page import army_page
from tabletop.render.judge.asking import SHAPING, falls
from tabletop.render.judge.battle_rows import battle_page, goal_row
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.form import Choose, Heading, Keys, Note, Page, Part, Type
from tabletop.render.judge.moving import outline_of
from tabletop.render.judge.photo_page import photo_page
from tabletop.render.judge.placing import SIDES, palette, shape_of, spoken
from tabletop.render.judge.unit_rows import troops_in_hand, unit_rows
from tabletop.render.widgets.links import escape, linked
from tabletop.render.widgets.panel_page import Key, PanelPage
from tabletop.rules import rule_set
from tabletop.rules.periods import period_of
from tabletop.rules.terrain_kinds import preset_of
from tabletop.rules.traits import traits_on

#: Units in which a table's size can be typed.
LENGTHS = (("in", "inches"), ("cm", "centimetres"), ("mm", "millimetres"), ("ft", "feet"))
#: Entries for the keys of a place.
PLACE_KEYS = {"at": "x", "front_mid": "x", "track": "x"}
#: Classes of terrain that can override those of a piece's kind, with their labels.
OVERRIDES = (("sight", "Sight"), ("cover_fire", "Cover"), ("movement", "Going"))


def head(controller: JudgeController, keys: tuple[Key, ...], tabs: tuple[Key, ...]) -> list[Part]:
    """Return the top of every page: the scene's keys, and the tabs."""
    past, future = controller.history.past, controller.history.future
    shut = frozenset(word for word, steps in (("undo:", past), ("redo:", future)) if not steps)
    return [Keys(keys, len(keys), shut=shut), Keys(tabs, len(tabs), pressed=frozenset((f"tab:{controller.mode}",)))]


def left_over(notice: str) -> list[Part]:
    """Return the line that offers work left unsaved by a program that ended, with its two buttons."""
    keys = (
        Key("recover:", "Go on with it", "It is laid on the table as it was last kept"),
        Key("forget:", "Throw it away", "It is not wanted any more"),
    )
    return [Note(notice, wrong=True), Keys(keys, 2, strong=frozenset(("recover:",)))]


def choices(controller: JudgeController) -> list[str]:
    """Return the words that digits choose on the page: troops, kinds of terrain, questions."""
    if controller.mode is Mode.ASK:
        return [f"ask:{name}" for name in controller.questions]
    if controller.misfit is not None:
        return [f"trace:fit:{number}" for number in range(len(controller.misfit.fits))]
    if controller.mode is not Mode.PLACE:
        return []
    if controller.placing.what == "terrain":
        return [f"kind:{kind}" for kind in palette(controller.draft.rules)]
    return [f"troop:{troop}" for troop in rule_set.find(controller.draft.rules).vocabulary["troop"]]


def page(controller: JudgeController, new: Mapping[str, str], card: Mapping[str, str]) -> list[Part]:
    """Return the page of the present mode; ``new`` and ``card`` are what is typed for a new table and for the card."""
    pages: dict[Mode, Callable[[], list[Part]]] = {
        Mode.TABLE: lambda: _table(controller, new),
        Mode.PLACE: lambda: _place(controller),
        Mode.EDIT: lambda: _edit(controller),
        Mode.PHOTO: lambda: photo_page(controller),
        Mode.ARMY: lambda: army_page(controller),
        Mode.BATTLE: lambda: battle_page(controller),
        Mode.ASK: lambda: _ask(controller),
        Mode.CARD: lambda: _card(controller, card),
    }
    return pages[controller.mode]()


def rule(panel_page: PanelPage) -> list[Part]:
    """Return the page about a rule."""
    back = Key("unread:", "Back to where you were", "Esc does it too")
    return [Heading(panel_page.title), Keys((back,), 1), Page("about", linked(panel_page.html))]


# --- the table -------------------------------------------------------------------------------------------------------


def _table(controller: JudgeController, new: Mapping[str, str]) -> list[Part]:
    sets = tuple((name, period_of(name).title) for name in rule_set.NAMES)
    return [
        Heading("A new table"),
        Choose("Rules", "new:rules", sets, new["rules"]),
        Type("Size", (("new:width", new["width"], "width"), ("new:height", new["height"], "depth"))),
        Choose("measured in", "new:unit", LENGTHS, new["unit"]),
        Keys((
            Key("new:", "Lay an empty table", "Undo brings the old one back"),
            Key("open:", "Open a file...", "A map, scene, scenario or saved game (Ctrl-O); or drop it on the window"),
        ), 2),
        *([Keys((Key("map:", "Save the map alone...", "The ground without troops, as a map's file"),), 1)]
          if controller.building else []),
        Heading("This table"),
        Type("Title", (("title", controller.draft.title, "what it is about"),)),
        *_ruling(controller, new.get("ruling", "")),
    ]  # fmt: skip


def _ruling(controller: JudgeController, chosen: str) -> list[Part]:
    """Return the rows of the chosen ruling, or the first, and the button between them; only that without rulings."""
    build = Keys((Key("build:", "Make a battle of it", "Go on with it in the workshop"),), 1)
    between = [] if controller.building else [build]
    rulings = rule_set.find(controller.draft.rules).rulings
    if not rulings:
        return [*between]
    definition = rulings.get(chosen) or next(iter(rulings.values()))
    values = tuple((_text(value), spoken(_text(value))) for value in definition.values)
    now = controller.battle.rulings.get(definition.name, definition.default)
    return [
        Choose("Ruling", "new:ruling", tuple((name, spoken(name)) for name in rulings), definition.name),
        Choose("is", "ruling", values, _text(now)),
        *between,
        Page("about", verdict_words.ruling(definition, controller.draft.rulings)),
    ]


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- placing ---------------------------------------------------------------------------------------------------------


def _place(controller: JudgeController) -> list[Part]:
    placing, rules = controller.placing, rule_set.find(controller.draft.rules)
    troops = tuple(Key(f"troop:{t}", spoken(t), "Click the table to put one down") for t in rules.vocabulary["troop"])
    offered = palette(controller.draft.rules)
    kinds = tuple(Key(f"kind:{kind}", spoken(kind), _shape_hint(kind, rules.name)) for kind in offered)
    some = f"{spoken(offered[0])}, {', '.join(offered[1:2])}, ..."
    what = Keys((Key("what:unit", "Units", "Troops and generals"), Key("what:terrain", "Terrain", some)),
                2, frozenset((f"what:{placing.what}",)))  # fmt: skip
    if placing.what == "unit":
        pressed = frozenset((f"troop:{placing.unit['troop']}",) if placing.held else ())
        return [what, Keys(troops, 2, pressed), *_unit_in_hand(controller)]
    pressed = frozenset((f"kind:{placing.kind}",) if placing.held else ())
    chosen = _piece_in_hand(controller) if placing.held else []
    return [what, Keys(kinds, 4, pressed), *chosen, Page("about", verdict_words.LAYING)]


def _shape_hint(kind: str, rules: str) -> str:
    shape = shape_of(kind, rules)
    return {"line": "Click along its line, Enter ends it", "area": "Click its corners, Enter closes it"}.get(
        shape, "Click along its line and Enter; or its corners and close the ring at the first"
    )


def _unit_in_hand(controller: JudgeController) -> list[Part]:
    placing = controller.placing
    facing: list[Part] = [Type("Facing", (("hand:facing", number(placing.facing), "degrees"),))]
    return [
        *troops_in_hand(controller),
        *(facing if "facing" in placing.unit else []),
        Type("Name", (("hand:name", placing.name, "(by its troops)"),)),
    ]


def _piece_in_hand(controller: JudgeController) -> list[Part]:
    placing = controller.placing
    rows: list[Part] = []
    if placing.kind == "hill":
        levels = tuple((str(n), f"Level {n}") for n in range(1, 7))
        rows.append(Choose("Level", "piece:level", levels, str(placing.piece.get("level", 1))))
    preset = preset_of(placing.kind, placing.rules) or {}
    if preset.get("shape") != "area":
        usual = preset.get("width", 0.0)
        width = placing.piece.get("width")
        rows.append(Type("Width", (("piece:width", "" if width is None else number(width), f"(usual: {usual:g} in)"),)))
    return rows


# --- editing ---------------------------------------------------------------------------------------------------------


def _edit(controller: JudgeController) -> list[Part]:
    rows = controller.rows(controller.selected)
    keys = Keys(
        (
            Key("turn:-1", "Turn left", "15 degrees; Shift-Q 1 degree (Q)"),
            Key("turn:1", "Turn right", "15 degrees; Shift-E 1 degree (E)"),
            Key("copy:", "Copy", "Put a copy beside it (Ctrl-D)"),
            Key("delete:", "Delete", "Take it away (Del)"),
        ),
        4,
        shut=frozenset() if rows else frozenset(("turn:-1", "turn:1", "copy:", "delete:")),
    )
    if not rows:
        return [keys, Heading("Nothing is selected"), Page("about", verdict_words.EDITING)]
    if len(rows) > 1:
        return [keys, Heading(f"{len(rows)} selected"), Page("about", verdict_words.several(rows))]
    row = rows[0]
    return [
        keys,
        *in_place(controller, row, _piece_page(controller, row) if "kind" in row else _unit_page(controller, row)),
    ]


def in_place(controller: JudgeController, row: Row, parts: list[Part]) -> list[Part]:
    """Return the parts with each fault of a row shown below the entry it is about, or below the heading."""
    wrong = [trouble for trouble in controller.laid.troubles if trouble.row == row["id"]]
    for trouble in wrong:
        word = f"edit:{PLACE_KEYS.get(trouble.key, trouble.key)}"
        message = trouble.text.removeprefix(f"unit '{row['id']}': ").removeprefix(f"piece '{row['id']}': ")
        message = message.removeprefix(f"{trouble.key}: ")
        where = next((n for n, part in enumerate(parts) if word in words_of(part)), 0)
        parts = [*parts[: where + 1], Note(message[:1].upper() + message[1:], wrong=True), *parts[where + 1 :]]
    return parts


def words_of(part: Part) -> tuple[str, ...]:
    """Return the words that a part sends."""
    if isinstance(part, Type):
        return tuple(word for word, _, _ in part.entries)
    return (part.word,) if isinstance(part, Choose) else ()


def _unit_page(controller: JudgeController, row: Row) -> list[Part]:
    unit = controller.battle.unit(row["id"]) if controller.battle.has(row["id"]) else None
    facing = (("edit:facing", number(row["facing"]), "facing"),) if "facing" in row and "track" not in row else ()
    generals = tuple(
        (u["id"], str(u.get("name") or u["id"])) for u in controller.draft.units if _leads(controller, row, u)
    )
    sides = tuple((side, spoken(side)) for side in dict.fromkeys((*controller.draft.sides, *SIDES)))
    parent: list[Part] = []
    if generals:
        parent = [Choose("Belongs to", "edit:parent", (("", "nobody"), *generals), str(row.get("parent") or ""))]
    return [
        Heading(spoken(row["troop"])),
        Type("Name", (("edit:name", str(row.get("name") or ""), row["id"]),)),
        Choose("Side", "edit:side", sides, str(row["side"])),
        *_place_row(row, facing),
        *unit_rows(controller, row, "edit"),
        *parent,
        Page("about", f"{_traits(controller, unit)}{verdict_words.standing(controller.battle, unit)}"),
    ]


def _traits(controller: JudgeController, thing: Unit | Terrain | None) -> str:
    """Return a paragraph on each trait of a unit or a piece of terrain, for a page."""
    traits = traits_on(controller.battle, thing) if thing is not None else ()
    return "".join(f"{escape(trait.line)}.<br><br>" for trait in traits)


def _place_row(row: Row, facing: tuple[tuple[str, str, str], ...]) -> list[Part]:
    """Return the row with a unit's place; one that arrives later has none."""
    at = row.get("at") or row.get("front_mid") or (row["track"][0] if "track" in row else None)
    if at is None:
        return [Note("Comes later: the page Battle says when and where.")]
    place = (("edit:x", _short(at[0]), "x"), ("edit:y", _short(at[1]), "y"), *facing)
    return [Type(f"{_place_label(row)}{', facing' if facing else ''}", place)]


def _place_label(row: Row) -> str:
    """Return which point of the unit the two numbers of its place describe."""
    return "Head" if "track" in row else "Front" if "front_mid" in row else "Centre"


def _short(length: float) -> str:
    """Return a coordinate rounded for display; the row keeps all digits until it is retyped."""
    return number(round(length, 3))


def _leads(controller: JudgeController, row: Row, other: Row) -> bool:
    if other["id"] == row["id"] or other["side"] != row["side"] or not controller.battle.has(other["id"]):
        return False
    return controller.battle.unit(other["id"]).is_general


def _piece_page(controller: JudgeController, row: Row) -> list[Part]:
    kind, rules = str(row["kind"]), controller.draft.rules
    preset = preset_of(kind, rules) or {}
    offered = dict.fromkeys((*palette(rules), kind))
    kinds = tuple((k, spoken(k)) for k in offered if _fits(row, k, rules))
    rows: list[Part] = [
        Heading(spoken(kind)),
        Type("Name", (("edit:name", str(row.get("name") or ""), row["id"]),)),
        Choose("Kind", "edit:kind", kinds, kind),
    ]
    level = "" if row.get("level") is None else str(row["level"])
    hint = f"({preset['level']})" if "level" in preset else "(that of the ground)"
    rows.append(Type("Level", (("edit:level", level, hint),)))
    if "line" in row:
        width = "" if row.get("width") is None else number(row["width"])
        rows.append(Type("Width", (("edit:width", width, f"(usual: {preset.get('width', 0.0):g} in)"),)))
    for key, label in OVERRIDES:
        words = _classes(key)
        usual = str(preset.get(key, words[0]))
        options = (("", f"{spoken(usual)} (usual)"), *((word, spoken(word)) for word in words if word != usual))
        rows.append(Choose(label, f"edit:{key}", options, str(row.get(key) or "")))
    rows += goal_row(controller, row) if controller.building else []
    if controller.corner is not None and controller.corner[0] == row["id"]:
        x, y = outline_of(row)[controller.corner[1]]
        rows.append(Type("Corner", (("corner:x", _short(x), "x"), ("corner:y", _short(y), "y"))))
    laid = next((piece for piece in controller.battle.table.terrain if piece.id == row["id"]), None)
    return [*rows, Page("about", f"{_traits(controller, laid)}{verdict_words.CORNERS}")]


def _classes(key: str) -> tuple[str, ...]:
    from tabletop.geometry import terrain

    return {
        "sight": terrain.SIGHT_CLASSES, "cover_fire": terrain.COVER_CLASSES, "movement": terrain.MOVEMENT_CLASSES,
    }[key]  # fmt: skip


def _fits(row: Row, kind: str, rules: str) -> bool:
    """Return whether a piece of this shape may be of a kind of some rules."""
    shape = shape_of(kind, rules)
    return shape in ("any", "line") if "line" in row else shape in ("any", "area")


# --- asking ----------------------------------------------------------------------------------------------------------


def _ask(controller: JudgeController) -> list[Part]:
    asking = controller.asking
    wordings = ((name, rule_set.find(controller.draft.rules).wording(name)) for name in controller.questions)
    keys = tuple(Key(f"ask:{name}", wording.label, wording.hint) for name, wording in wordings)
    pressed = frozenset((f"ask:{asking.question}",))
    rows: list[Part] = [Keys(keys, 5, pressed), Note(_clicked(controller))]
    extras = asking.wording.extras
    if "as" in extras and (ways := asking.actions(controller.battle)):
        now = asking.extras.get("as") if asking.extras.get("as") in ways else ways[0]
        rows.append(Choose("How", "extra:as", tuple((way, spoken(way)) for way in ways), str(now)))
    if "facing" in extras:
        rows.append(Type("Facing", (("extra:facing", asking.extras.get("facing", ""), "(as it comes)"),)))
    rows += [
        Type(SHAPING[option][0], ((f"extra:{option}", asking.extras.get(option, ""), SHAPING[option][1]),))
        for option in (adjustment.option for adjustment in asking.shaping(controller.battle))
    ]
    if asking.way and any(adjustment.option == "pivots" for adjustment in asking.adjustments(controller.battle)):
        words = {"": "the middle of its front", "left": "its left corner", "right": "its right corner"}
        rows.append(Choose("Turns on", "extra:pivots", tuple(words.items()), asking.extras.get("pivots", "")))
    if "distance" in extras:
        rows.append(
            Type(
                "How far",
                (
                    (
                        "extra:distance",
                        asking.extras.get("distance", ""),
                        f"({falls(controller.battle):g} {controller.battle.table.unit})",
                    ),
                ),
            )
        )
    ticks: tuple[Key, ...] = (
        Key("tick:sure", "How sure, by hand?", "Asks it again in 400 places within 1/8 in and 2 degrees"),
    )
    own = asking.wording.ticks
    ticks = (*(Key(f"tick:{tick.option}", tick.label, tick.hint) for tick in own), *ticks)
    on = frozenset(f"tick:{name}" for name in ("sure", *(tick.option for tick in own)) if asking.extras.get(name))
    rows.append(Keys(ticks, len(ticks), on))
    if controller.verdict is not None:
        rows.append(Keys((Key("drill:", "Ask somebody as a drill", "The question without its answer, by a click"),), 1))
    return [*rows, Page("verdict", verdict_words.answer(controller))]


def _clicked(controller: JudgeController) -> str:
    names = [
        controller.battle.called(name) if isinstance(name, str) else f"({name[0]:.2f}, {name[1]:.2f})"
        for name in controller.asking.clicked
    ]
    return ", ".join(names if controller.asking.complete else [*names, "..."])


# --- the card --------------------------------------------------------------------------------------------------------


def _card(controller: JudgeController, card: Mapping[str, str]) -> list[Part]:
    ready = controller.verdict is not None
    keys = (
        Key("card:.pdf", "Save as PDF...", "One page to print and sign"),
        Key("card:.png", "Save as PNG...", "A picture to send"),
        Key("card:.svg", "Save as SVG...", "A drawing"),
    )
    handout = Key("handout:", "Save as a handout...", "The question on a page, its proof on the back: to teach with")
    shut = frozenset() if ready else frozenset(key.word for key in (*keys, handout))
    return [
        Heading("The card both players sign"),
        Type("Title", (("title", controller.draft.title, "what it is about"),)),
        Type("Date", (("card:date", card["date"], "date"),)),
        Type("First player", (("card:first", card["first"], "(name)"),)),
        Type("Second player", (("card:second", card["second"], "(name)"),)),
        Keys(keys, 3, shut=shut, strong=frozenset(("card:.pdf",))),
        Keys((handout,), 1, shut=shut),
        Page("about", verdict_words.CARD if ready else verdict_words.NO_CARD),
    ]
