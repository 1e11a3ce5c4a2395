"""The report of a battle: each event as a sentence; and what is asked in the middle of an action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Scored, Told
from tabletop.battle.naming import how_many, side_name
from tabletop.battle.progress import Decision
from tabletop.geometry.measure import compass_point
from tabletop.rules.common.narration import Narration, Record, silent
from tabletop.rules.play import Reply
from tabletop.rules.sail.boarding import PRIZE_CREW
from tabletop.rules.sail.damage import LOSE_DECK, LOSE_MAST
from tabletop.rules.sail.ships import MASTS, classes, decks

_MOVES = {"sail": "{} sailed", "drift": "{} drifted", "clear": "{} got clear"}
_GONE = {"exploded": "blew up", "sunk": "sank"}


def _turn(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    return f"{side_name(str(values['side']))} to move."


def _fire(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    dice = ", ".join(str(face) for face in values["dice"])
    from_ = {"stern": ", from astern", "bow": ", from ahead"}.get(str(values["from"]), "")
    far, hits = f"{values['range']:.1f} cm", how_many(values["hits"], "hit")
    names = f"{battle.called(event.unit)} fired at the {values['aim']} of {battle.called(event.target)}"
    return f"{names} at {far}{from_}: {dice}: {hits}."


def _wind(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
    if not values["veer"] and not values["rise"]:
        return ""
    return f"The wind now comes from {compass_point(values['from'])} at {values['speed']}."


def _said(done: str, failed: str = "") -> Record:
    """Return a sentence for a throw that did or did not succeed; {0} and {1} are the ships, {die} the die."""

    def sentence(battle: Battle, event: Told, values: Mapping[str, Any]) -> str:
        words = done if values.get("done", True) else failed
        return words.format(battle.called(event.unit), battle.called(event.target), **values)

    return sentence


NARRATION = Narration(
    {
        "turn": _turn,
        "fire": _fire,
        "wind": _wind,
        "afire": _said("{0} caught fire."),
        "fight fire": _said("{0} put out the fire ({die}).", "The fire aboard {0} burned on ({die})."),
        "aground": _said("{0} ran aground on {place}."),
        "passed shoal": _said("{0} found water enough over {place} ({die})."),
        "refloat": _said("{0} came off the shoal ({die}).", "{0} stayed aground ({die})."),
        "alongside": _said("{0} came alongside {1}."),
        "boarding": _said("{0} boarded {1}: {attack} against {defence}."),
        "captured": _said("{0} took {1}."),
        "separate": _said("{0} cut herself free ({die}).", "{0} could not get free ({die})."),
        "manned": _said("{0} manned {1}."),
        "repair": _said("{0} raised a jury {mast} mast ({die}).", "{0} worked at her {mast} mast in vain ({die})."),
        "high seas": _said("The seas broke over the wreck of {0} ({die})."),
        "struck": _said("{0} struck her colours."),
        "rehoisted": _said("{0} hoisted her colours again."),
    },
    _MOVES,
    _GONE,
    left="left the table",
    others={Scored: silent, Changed: silent},
)

#: The texts of marks on a ship's card.
SIGNS = {
    "sailed": "has moved",
    "fired": "has fired",
    "boarded": "has boarded",
    "tried": "has tried to separate",
    "repairing": "repairs masts",
    "afire": "on fire",
    "aground": "aground",
    "prize": "a prize, without crew",
}
#: All marks of a ship.
MARKS = (*SIGNS, "port", "starboard", "masts", "hull", "taken", "came_off", "struck_for", "alone", "colour")


def remarks(battle: Battle, ship: Any) -> list[str]:
    """Return the boxes of a ship as lines of its card: what is left of what there was (SAIL-REC-01)."""
    kind = classes()[ship.troop]
    masts = [name for name, stands in zip(MASTS, ship.marks["masts"], strict=True) if stands]

    def row(label: str, left: int, most: int) -> str:
        return f"{label} {'■' * left}{'□' * (most - left)}"

    sides = "  ".join(row(side, decks(ship, side), kind.decks) for side in ("port", "starboard"))
    standing = ", ".join(masts) or "none stands"
    return [f"Guns: {sides}", f"{row('Hull', int(ship.marks['hull']), kind.hull)}  Masts: {standing}"]


def asks(battle: Battle, decision: Decision) -> str:
    """Return what is asked of a ship's owner, in a sentence."""
    name = battle.called(decision.unit)
    texts = {
        LOSE_MAST: f"Which mast of {name} falls?",
        LOSE_DECK: f"On which side of {name} is a gun deck lost?",
        PRIZE_CREW: f"How many gun decks of {name} man the prize {battle.called(decision.data.get('prize'))}?",
    }
    return texts[decision.kind]


def replies(battle: Battle, decision: Decision) -> Mapping[str, Reply]:
    """Return the answers as they stand on buttons."""
    if decision.kind == PRIZE_CREW:
        return {choice: Reply(how_many(int(choice), "deck")) for choice in decision.choices}
    word = " mast" if decision.kind == LOSE_MAST else ""
    return {choice: Reply(f"The {choice}{word}" if word else f"To {choice}") for choice in decision.choices}
