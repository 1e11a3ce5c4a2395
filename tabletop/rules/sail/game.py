"""The ``Play`` record of Age of Sail."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.courses import overlaps
from tabletop.rules.common.data import data_of
from tabletop.rules.common.distribution import distribution
from tabletop.rules.common.kinds import choice_of, read_kinds
from tabletop.rules.common.placing import on_table
from tabletop.rules.play import Adjustment, Choice, Odds
from tabletop.rules.sail import boarding, computer, damage, gunnery, movement, report, sequence
from tabletop.rules.sail.basis import basis
from tabletop.rules.sail.phases import PHASES, PHASES_OF, SAILING, in_turn
from tabletop.rules.sail.ships import HERE, SIDES, classes, tables
from tabletop.rules.surroundings import Ground, PlayWithSurroundings

KINDS = read_kinds(
    HERE,
    {
        "sail": (movement.judge_sail, movement.sail, movement.reckon_sail),
        "fire": (gunnery.judge_fire, gunnery.broadside, gunnery.reckon_fire),
        "board": (boarding.judge_board, boarding.board),
        "separate": (boarding.judge_separate, boarding.separate, boarding.reckon_separate),
        "repair": (movement.judge_repair, movement.repair, movement.reckon_repair),
        "anchor": (movement.judge_anchor, movement.anchor),
        "weigh": (movement.judge_weigh, movement.weigh),
        "done": (sequence.judge_done, sequence.done),
    },
    {"done": lambda battle: f"Finish the {battle.clock.phase}"},
)


#: The numbers that an action's results are read from, by their paths.
NUMBERS = {
    "sail": ("movement.founder_on",),
    "fire": ("hit.upto", "hit.hull", "hit.masts"),
    "separate": ("boarding.separate_on",),
    "repair": ("movement.repair_on",),
}


def odds(battle: Battle, action: Action) -> Odds | None:
    """Return the exact distribution of an action; None if nothing is left to chance."""
    if action.kind == "board":
        return boarding.odds_of_boarding(battle, action)
    reckon = KINDS[action.kind].reckon if action.kind in KINDS else None
    if reckon is None:
        return None
    if action.kind == "sail" and not movement.met(
        movement.planned(battle, battle.unit(str(action.unit)), action.options)
    ):
        return None
    behind = gunnery.factors(battle, action) if action.kind == "fire" else ()
    return Odds(action, distribution(battle, action, reckon), behind, basis=basis(*NUMBERS[action.kind]))


def menu(battle: Battle, name: str) -> Sequence[Choice]:
    """Return the kinds of action for a ship in this phase, with the reason for closed ones; none for one to come."""
    kinds = [kind for kind, phases in PHASES_OF.items() if battle.clock.phase in phases and battle.has(name)]
    return [_choice(battle, battle.unit(name), kind) for kind in kinds]


def _choice(battle: Battle, ship: Unit, kind: str) -> Choice:
    tries = [Action(kind, ship.side, ship.id)]
    if kind == "sail":  # at anchor it may weigh, not sail
        course = next((action for action in computer.moves_for(battle, ship) if action.kind == kind), None)
        tries = [course or Action(kind, ship.side, ship.id, options={"distance": 1.0})]
    elif "target" in KINDS[kind].needs:
        tries = [Action(kind, ship.side, ship.id, foe.id) for foe in _nearest(battle, ship)]
    return choice_of(kind, [KINDS[kind].judge(battle, action) for action in tries])


def _nearest(battle: Battle, ship: Unit) -> list[Unit]:
    return sorted(by_place(battle, battle.enemies(ship)), key=lambda u: round(u.way_to(ship.at), 3))


def faults(battle: Battle) -> Sequence[str]:
    """Return faults that must never occur between two actions: ships that overlap, are off the table, and the like."""
    depth = 5 * battle.tape.t
    problems = [
        f"{a.id} lies in {b.id}" for a, b in combinations(battle.units, 2) if overlaps(a.footprint, b.footprint, depth)
    ]
    problems += [f"{u.id} lies over the table's edge" for u in battle.units if not on_table(battle, u.footprint)]
    for ship in battle.units:
        kind = classes()[ship.troop]
        right = all(0 <= int(ship.marks[side]) <= kind.decks for side in SIDES) and 0 <= ship.marks["hull"] <= kind.hull
        problems += [] if right else [f"{ship.id} has boxes it cannot have"]
        problems += [f"{ship.id} lies off the sixteen points"] if ship.facing % tables()["movement"]["point"] else []
    return problems


def adjustments(battle: Battle, action: Action) -> Sequence[Adjustment]:
    """Return the option a player may set: whether guns aim at the hull or the masts (SAIL-FIR-02)."""
    if action.kind != "fire":
        return ()
    return (Adjustment("as", "Aim at", "choice", gunnery.AIMS, ("the hull", "the masts"), gunnery.HULL),)


PLAY = PlayWithSurroundings(
    phases=PHASES,
    kinds=KINDS,
    answers={
        damage.LOSE_MAST: damage.answer_mast,
        damage.LOSE_DECK: damage.answer_deck,
        boarding.PRIZE_CREW: boarding.answer_crew,
    },
    begin=sequence.begin,
    advance=sequence.advance,
    mover=lambda battle: battle.clock.side,
    menu=menu,
    in_turn=in_turn,
    acted=lambda battle, ship: bool(ship.marks.get("sailed" if battle.clock.phase == SAILING else "fired")),
    suggest=computer.suggest,
    variations=lambda battle, name: computer.moves_for(battle, battle.unit(name)),
    random_action=computer.random_action,
    odds=odds,
    worth=computer.worth,
    prospect=computer.prospect,
    faults=faults,
    adjustments=adjustments,
    asks=report.asks,
    replies=report.replies,
    narrate=report.NARRATION.narrate,
    shots=("fire",),
    minutes=float(tables()["scale"]["minutes"]),
    ground=Ground(float(tables()["scale"]["metres"]), "m"),
    won=sequence.won,
    words=data_of(HERE, "actions.toml")["words"],
    marks=report.MARKS,
    remarks=report.remarks,
    signs=report.WORDS["signs"],
    memory=("wind", "order"),
)
