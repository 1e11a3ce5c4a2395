"""The rows of the page *Battle* about arrivals: the turn, the point on the edge, the road."""

from __future__ import annotations

from typing import Any

from tabletop.errors import BadQuestion
from tabletop.play.files.draft import entered
from tabletop.render.judge.arriving import (
    arrival_text,
    bring_back,
    chosen_number,
    chosen_row,
    put_row,
    standing,
    take_off,
)
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.form import Choose, Heading, Keys, Part, Type
from tabletop.render.judge.game_keys import arrivals
from tabletop.render.judge.state import JudgingState
from tabletop.render.judge.typed import parsed
from tabletop.render.widgets.panel_page import Key

ABOUT = (
    "Select units on the table and press <b>They come later</b>: they leave it, and enter in the turn you say where "
    "the table's edge is nearest to where they stood. <b>Enter elsewhere</b> and a click puts that point anywhere on "
    "the edge; <b>Their road</b> and clicks lead them on from there. <b>From the start</b> brings them back."
)


def rows(controller: JudgeController) -> list[Part]:
    """Return the rows about arrivals."""
    arriving, chosen = arrivals(controller.draft), chosen_row(controller)
    later = Key("battle:arrival:new", "They come later", "Those selected leave the table and enter later")
    parts: list[Part] = [Heading("Nobody comes later yet")]
    keys: tuple[Key, ...] = (later,)
    if chosen is not None:
        names = tuple((str(k), f"{k + 1}: {arrival_text(controller, row)}") for k, row in enumerate(arriving))
        x, y = chosen["at"]
        parts = [
            Choose("Arrival", "battle:arrival:which", names, str(chosen_number(controller))),
            Type("Turn", (("battle:arrival:turn", str(chosen["turn"]), "turn"),)),
            Type("Enter at", (("battle:arrival:x", _short(x), "x"), ("battle:arrival:y", _short(y), "y"))),
        ]
        edge = Key("battle:tool:edge", "Enter elsewhere", "Then click near the edge of the table")
        road = Key("battle:tool:road", "Their road", "Then click the points they follow; press again to end")
        back = Key("battle:arrival:back", "From the start", "They stand on the table from the first turn")
        keys = (later, back, edge, road)
    shut = frozenset() if standing(controller) else frozenset(("battle:arrival:new",))
    return [*parts, Keys(keys, 2, pressed=frozenset((f"battle:tool:{controller.terms.tool}",)), shut=shut)]


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


# --- actions ---------------------------------------------------------------------------------------------------------


def arrival(screen: JudgingState, key: str, value: Any) -> None:
    """Run the action of a word in these rows; BadQuestion, in one line, if it cannot be done."""
    controller = screen.controller
    chosen = chosen_row(controller)
    if key == "new":
        take_off(controller)
    elif key == "which":
        controller.terms.arrival = int(value)
    elif chosen is None:
        return
    elif key == "back":
        bring_back(controller, chosen)
    elif key == "turn":
        text = str(value).strip()
        if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1000):
            raise BadQuestion("The turn is a whole number from 1, such as 2.")
        put_row(controller, {**chosen, "turn": int(text)}, "arrival turn")
    else:
        number = parsed(value)
        if number is not None:
            x, y = chosen["at"]
            put_row(controller, {**chosen, "at": entered((number, y) if key == "x" else (x, number))}, f"arrival {key}")
