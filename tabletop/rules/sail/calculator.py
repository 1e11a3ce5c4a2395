"""The calculator of Age of Sail: a form as two ships on an empty sea, answered by the functions used in battles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.rules.calculator import Calculator, Filled
from tabletop.rules.common.calculators import NUMBERS, Form, Scene, scene, sheets_of
from tabletop.rules.sail import boarding, damage, gunnery, movement
from tabletop.rules.sail.ships import HERE, PORT, STARBOARD, decks, tables
from tabletop.rules.sail.wind import allowance

#: The two ships, by their names in a boarding.
SHIP, OTHER = "the boarding ship", "the boarded ship"
ACTION = Action("board", SHIP, SHIP, OTHER)
#: For each place that fire from the west strikes: the target's heading, and which of its dimensions lies eastwards.
STRUCK = {"side": (0.0, "beam"), damage.BOW: (270.0, "length"), damage.STERN: (90.0, "length")}
#: The standing masts of a frigate, by their total points.
MASTS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1))


def _sea(mm: float = 0.0, struck: str = "side", way: float = 0.0, wind: int = 4, foe: int = 6, **marks: Any) -> Battle:
    """Return a ship heading ``way`` with these marks, and an enemy to the east with ``foe`` decks; north wind."""
    size, (turned, half) = tables()["base"], STRUCK[struck]
    at = 200.0 + size["beam"] / 2 + mm / 10 + size[half] / 2, 50.0
    ships = {
        SHIP: {"troop": "frigate", "at": (200.0, 50.0), "facing": way, "marks": marks},
        OTHER: {"troop": "ship-of-the-line", "at": at, "facing": turned, "marks": {PORT: foe, STARBOARD: 0}},
    }
    return scene("sail", (2000.0, 100.0), ships, {"wind_from": 0, "wind_speed": wind})


def _fire(form: Form) -> Scene:
    """Return the scene of a broadside (SAIL-FIR-03..08)."""
    sea = _sea(form["range"], form["from"], starboard=NUMBERS.index(form["decks"]))
    action = Action("fire", SHIP, SHIP, OTHER, {"as": form["aim"]})
    need = gunnery.needed(sea, form["range"] / 10, form["aim"])
    return sea, lambda here: gunnery.reckon_fire(sea, action, here).text if need else "no shot, out of range"


def _alongside(form: Form) -> Battle:
    return _sea(foe=NUMBERS.index(form["boarded"]), port=NUMBERS.index(form["boarders"]), starboard=0)


def _sails(form: Form) -> Scene:
    """Return the scene of how far a ship sails (SAIL-MOV-01..08)."""
    off, wind, masts = (NUMBERS.index(form[name]) for name in ("angle", "wind", "masts"))
    sea = _sea(way=off * float(tables()["movement"]["point"]), wind=wind, masts=MASTS[masts])
    return sea, lambda here: f"{allowance(sea, sea.unit(SHIP)):g} cm"


def _fired(battle: Battle, unit: str, target: str | None) -> Mapping[str, Filled]:
    """Return the form of a broadside from a table (SAIL-ARC-03)."""
    if target is None:
        raise BadQuestion("choose an enemy: point at her")
    ship, enemy = battle.unit(unit), battle.unit(target)
    side, struck = gunnery.side_towards(ship, enemy.at) or STARBOARD, gunnery.hit_from(enemy, ship)
    far = gunnery.range_of(ship, side, enemy)
    return {
        "decks": Filled(NUMBERS[decks(ship, side)], f"{ship.called}, to {side}"),
        "range": Filled(math.ceil(10 * (far - battle.tape.t)), f"{far:.2f} cm"),
        "from": Filled(struck if struck in STRUCK else "side", enemy.called),
    }


def calculator() -> Calculator:
    """Return the calculator (SAIL-BRD-01, SAIL-BRD-02, SAIL-FIR-09, SAIL-FIR-10, SAIL-MOV-10)."""
    scenes = {
        "fire": _fire,
        "board": lambda form: (_alongside(form), lambda here: boarding.board(here, ACTION)),
        "separate": lambda form: (_sea(), lambda here: boarding.reckon_separate(here.battle, ACTION, here).text),
        "repair": lambda form: (_sea(), lambda here: movement.reckon_repair(here.battle, ACTION, here).text),
        "allowance": _sails,
        "burning": lambda f: (_sea(9e3, afire=NUMBERS.index(f["burns"])), lambda here: damage.fight_fire(here, SHIP)),
        "explosion": lambda form: (_sea(form["distance"] - 10.0), lambda here: damage.explode(here, SHIP)),
    }
    odds = {"board": lambda f: tuple((p, r.text) for p, r in boarding.odds_of_boarding(_alongside(f), ACTION).results)}
    return sheets_of(HERE, scenes, odds, {"fire": _fired}).calculator("Age of Sail")
