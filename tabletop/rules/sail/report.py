"""The report of a battle, each event as a sentence, and the questions asked in the middle of an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Scored, Told
from tabletop.battle.naming import how_many
from tabletop.battle.progress import Decision
from tabletop.geometry.measure import compass_point
from tabletop.rules.common.data import data_of
from tabletop.rules.common.narration import Narration, by_status, recorded, silent, whose_turn
from tabletop.rules.play import Reply
from tabletop.rules.sail.ships import HERE, MASTS, classes, decks

WORDS = data_of(HERE, "report.toml")


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    dice = ", ".join(str(face) for face in values["dice"])
    from_ = WORDS["from"].get(values["from"], "")
    far, hits = f"{values['range']:.1f} cm", how_many(values["hits"], "hit")
    names = f"{battle.called(event.unit)} fired at the {values['aim']} of {battle.called(event.target)}"
    return f"{names} at {far}{from_}: {dice}: {hits}."


def _wind(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    if not values["veer"] and not values["rise"]:
        return ""
    return f"The wind now comes from {compass_point(values['from'])} at {values['speed']}."


NARRATION = Narration(
    {
        "turn": whose_turn,
        "fire": _fire,
        "wind": _wind,
        **{name: recorded(*sentences) for name, sentences in WORDS["records"].items()},
    },
    WORDS["moves"],
    WORDS["gone"],
    left="left the table",
    others={Scored: silent, Changed: by_status(WORDS["status"])},
)
#: All marks of a ship.
MARKS = (*WORDS["signs"], "port", "starboard", "masts", "hull", "taken", "came_off", "struck_for", "alone", "colour")


def remarks(battle: Battle, ship: Any) -> list[str]:
    """Return the boxes of a ship as lines of its card, those left and those marked off (SAIL-REC-01)."""
    kind = classes()[ship.troop]
    masts = [name for name, stands in zip(MASTS, ship.marks["masts"], strict=True) if stands]

    def row(label: str, left: int, most: int) -> str:
        return f"{label} {'■' * left}{'□' * (most - left)}"

    sides = "  ".join(row(side, decks(ship, side), kind.decks) for side in ("port", "starboard"))
    standing = ", ".join(masts) or "none stands"
    return [f"Guns: {sides}", f"{row('Hull', int(ship.marks['hull']), kind.hull)}  Masts: {standing}"]


def asks(battle: Battle, decision: Decision) -> str:
    """Return the question to a ship's owner, in a sentence."""
    prize = battle.called(decision.data.get("prize"))
    return str(WORDS["asks"][decision.kind][0]).format(battle.called(decision.unit), prize)


def replies(battle: Battle, decision: Decision) -> Mapping[str, Reply]:
    """Return the answers as worded on buttons."""
    words = str(WORDS["asks"][decision.kind][1])
    labels = {choice: how_many(int(choice), "deck") if choice.isdigit() else choice for choice in decision.choices}
    return {choice: Reply(words.format(label)) for choice, label in labels.items()}
