"""The computer player: the actions it may take, in a sensible order, and the value of each in boxes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.rules.common.by_place import by_place
from tabletop.rules.common.candidates import first_allowed
from tabletop.rules.common.courses import plotted
from tabletop.rules.common.dice_pools import higher
from tabletop.rules.common.evaluation import Value, lead
from tabletop.rules.common.placing import base_of, touching
from tabletop.rules.sail import boarding, gunnery, movement, sequence
from tabletop.rules.sail.movement import Plan
from tabletop.rules.sail.phases import CLEARING, GUNNERY, SAILING
from tabletop.rules.sail.ships import ANCHORED, SIDES, all_decks, armed, boxes, decks, manned, steering
from tabletop.rules.sail.wind import allowance, in_irons

#: Weights of a position, in boxes: shots taken, distance to the enemy (per cm), shoals, no way ahead, the edge.
TAKEN, NEAR, SHOAL, BLOCKED, EDGE = 0.55, 0.06, 3.0, 1.5, 1.2
#: An enemy without guns, who can only be chased, counts as this many times as far away as one with guns.
UNARMED = 2.0
#: The value of boarding on top of what is at stake: slightly more than doing nothing (19), or slightly less if the
#: enemy has no box left to win.
BOARDED, EMPTY = 19.5, 18.5
#: The points turned, and the shares of the rest of a move, that the computer tries.
TURNS, SHARES = tuple(range(-6, 7)), (0.0, 0.4, 1.0)


def worth(battle: Battle, side: str) -> float:
    """Return the value of a position to a side in boxes: the damage done less the damage suffered."""
    return lead(battle, side)


# --- suggestions -----------------------------------------------------------------------------------------------------


def suggest(battle: Battle) -> Iterator[Action]:
    """Yield allowed actions for the side to move, sensible ones first; only its next ship to sail is given courses."""
    side, phase = str(battle.clock.side), battle.clock.phase
    if phase == CLEARING:
        yield from (Action("separate", side, u.id) for u in sequence.may_separate(battle, side))
    if phase == SAILING:
        yield from _fire(battle, side)
        for ship in by_place(battle, battle.side(side)):
            repair = Action("repair", side, ship.id)
            if not all_decks(ship) and movement.judge_repair(battle, repair).holds:
                yield repair
        ready = sequence.may_sail(battle, side)
        courses = list(moves_for(battle, ready[0])) if ready else []
        yield from courses or (moves_for(battle, ready[-1]) if ready else ())
    if phase == GUNNERY:
        yield from _fire(battle, side)
        yield from sequence.boardings(battle, side)
    yield Action("done", side)


def _fire(battle: Battle, side: str) -> Iterator[Action]:
    """Yield the broadsides that may be fired, at the hull and at the masts."""
    for action in sequence.shots(battle, side):
        for aim in gunnery.AIMS:
            shot = Action("fire", side, action.unit, action.target, {"as": aim})
            if gunnery.judge_fire(battle, shot).holds:
                yield shot


def moves_for(battle: Battle, ship: Unit) -> Iterator[Action]:
    """Yield allowed courses of a ship, each a turn and then straight on; at anchor, weighing it."""
    if ship.status == ANCHORED:
        weigh = Action("weigh", ship.side, ship.id)
        yield from [weigh] if movement.judge_weigh(battle, weigh).holds else ()
        return
    most = allowance(battle, ship)
    for points in sorted(TURNS, key=lambda n: (abs(n), n)):
        if abs(points) > most:
            continue
        for share in SHARES:
            far = abs(points) + share * (most - abs(points))
            if far < 1.0 - 1e-9 or (points == 0 and in_irons(battle, ship.facing)):
                continue
            options = {"facing": steering().by(base_of(ship), points), "distance": round(far, 3)}
            action = Action("sail", ship.side, ship.id, options=options)
            if movement.judge_sail(battle, action).holds:
                yield action


def random_action(battle: Battle, random: Random) -> Action:
    """Return one allowed action for the side to move, drawn from all kinds."""
    side, phase = str(battle.clock.side), battle.clock.phase
    candidates: list[Action] = []
    if phase == CLEARING:
        candidates = [Action("separate", side, u.id) for u in sequence.may_separate(battle, side)]
    if phase == SAILING:
        ships = sequence.may_sail(battle, side)
        if ships and random.random() < 0.85:
            course = _wild(battle, random.choice(ships), random)
            if course is not None:
                return course
    if phase in (SAILING, GUNNERY) and (phase == GUNNERY or random.random() < 0.4):
        candidates += list(_fire(battle, side))
    if phase == SAILING and random.random() < 0.3:
        candidates += [a for u in by_place(battle, battle.side(side)) for a in _idle(battle, u)]
    if phase == GUNNERY:
        candidates += sequence.boardings(battle, side)
    return random.choice(candidates) if candidates and random.random() < 0.9 else Action("done", side)


def _idle(battle: Battle, ship: Unit) -> Iterator[Action]:
    judges = {"repair": movement.judge_repair, "anchor": movement.judge_anchor, "weigh": movement.judge_weigh}
    for kind, judge in judges.items():
        action = Action(kind, ship.side, ship.id)
        if judge(battle, action).holds:
            yield action


def _wild(battle: Battle, ship: Unit, random: Random) -> Action | None:
    """Return a random allowed course; None if a number of tries find none."""
    if ship.status == ANCHORED:
        return Action("weigh", ship.side, ship.id)
    courses = _courses(ship, allowance(battle, ship), random)
    return first_allowed(courses, lambda action: movement.judge_sail(battle, action).holds, 8)


def _courses(ship: Unit, most: float, random: Random) -> Iterator[Action]:
    """Yield random courses without end, allowed or not."""
    while True:
        far = round(random.uniform(1.0, max(1.0, most)), 3)
        points = random.randint(-int(min(far, 6)), int(min(far, 6)))
        options: dict[str, object] = {"distance": far, "facing": steering().by(base_of(ship), points)}
        if random.random() < 0.4:
            x, y = ship.at
            away = random.uniform(-math.pi / 2, math.pi / 2) + math.radians(ship.facing)
            options = {"path": ((round(x + far * math.sin(away), 2), round(y + far * math.cos(away), 2)),)}
        yield Action("sail", ship.side, ship.id, options=options)


# --- values ----------------------------------------------------------------------------------------------------------


def prospect(battle: Battle, action: Action) -> Value:
    """Return the value of one action in boxes, and the reason in a few words."""
    if action.kind == ANSWER:
        return _answer(battle, action), ""
    if action.kind == "sail":
        plan = movement.planned(battle, battle.unit(str(action.unit)), action.options)
        return position(battle, plan), "the better position"
    if action.kind == "fire":
        return _shot(battle, action), "the damage expected"
    if action.kind == "board":
        ship, foe = battle.unit(str(action.unit)), battle.unit(str(action.target))
        return (BOARDED if boxes(foe) else EMPTY) + _at_stake(battle, ship, foe), "the prize expected"
    if action.kind == "separate":
        return _separate(battle, battle.unit(str(action.unit))), "to get clear"
    if action.kind == "repair":
        return 30.0, "masts carry her away"
    return (19.0, "nothing better") if battle.clock.phase == GUNNERY else (-40.0, "")


def _shot(battle: Battle, action: Action) -> float:
    """Return the value of a broadside; while ships still sail, only a good one is worth firing at once."""
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    aim = str(action.options.get("as", gunnery.HULL))
    value = gunnery.expected(battle, ship, target, aim) * (0.8 if aim == gunnery.SAILS else 1.0)
    if not manned(target):
        value *= 0.05
    if not value or target.marks.get("prize"):
        return -45.0
    if battle.clock.phase == SAILING:
        return 20.0 + value if value >= 2.0 or ship.marks.get("sailed") else -45.0
    touched = [u for u in touching(battle, ship) if u.id == target.id and u.side != ship.side]
    return 20.0 + value + (0.01 if touched else 0.1)


def _answer(battle: Battle, action: Action) -> float:
    """Return the value of an answer: lose the hull or the side with more decks, a small mast; give few decks."""
    decision, choice = battle.pending[0], str(action.options["choice"])
    ship = battle.unit(str(decision.unit))
    if choice in SIDES:
        return float(decks(ship, choice) or 9)
    if choice.isdigit():
        return -abs(int(choice) - max(1.0, all_decks(ship) / 3.0))
    return -float(decision.choices.index(choice) == 1)


def _separate(battle: Battle, ship: Unit) -> float:
    """Return the value of getting clear: positive with a prize to man, or if no enemy alongside is worth boarding."""
    stake = max((_at_stake(battle, ship, u) for u in touching(battle, ship) if u.side != ship.side), default=0.0)
    return 1.0 if boarding.unmanned_prizes(battle, ship) or stake <= 0.0 else -41.0


def position(battle: Battle, plan: Plan) -> float:
    """Return the value of where a course ends: shots to fire, shots to take, distance, shoals, sea room."""
    ship, end = plan.ship, plan.end
    foes = [u for u in battle.units if u.side != ship.side and manned(u)]
    hits_dealt = max((gunnery.expected(battle, end, foe) for foe in foes), default=0.0)
    hits_taken = math.fsum(gunnery.expected(battle, foe, end) for foe in foes if armed(foe))
    nearest = min((distance_between(end, foe) * (1 if armed(foe) else UNARMED) for foe in foes), default=0.0)
    sign = 1.0 if armed(ship) else -3.0
    value = hits_dealt * (armed(ship)) - TAKEN * hits_taken - sign * NEAR * max(0.0, nearest - 4.0)
    value -= 2.0 * NEAR * max(0.0, nearest - 4.0) * sign if nearest > 14.0 else 0.0
    value -= SHOAL * len(movement.met(plan)) + _sea_room(battle, end)
    if plan.aboard is not None:
        stake = _at_stake(battle, ship, battle.unit(plan.aboard))
        value += min(0.0, stake) if ship.marks.get("fired") else stake
    return value


def _at_stake(battle: Battle, ship: Unit, foe: Unit) -> float:
    """Return the expected value of boarding an enemy, in boxes; negative if defeat would cost more (SAIL-BRD-01)."""
    wins, _, loses = higher(all_decks(ship), boarding.defenders(battle, foe))
    return wins * boxes(foe) - loses * boxes(ship)


def _sea_room(battle: Battle, end: Unit) -> float:
    """Return the cost of little sea room: of a straight run of 9 cm that leaves the table or meets a shoal.

    Likewise of a run of 3 cm that cannot be sailed, for with the wind or a friend ahead she could not even turn
    (SAIL-MOV-05, SAIL-MOV-11), and of a friend within 1 cm, who would be blocked by her.
    """
    short, course = (plotted(base_of(end), steering(), distance=far) for far in (3.0, 9.0))
    x, y = course.end.centre
    off = max(-x, -y, x - battle.table.width, y - battle.table.height) + 3.0
    ashore = bool(movement.met(Plan(battle, end, course, course.length)))
    crowded = any(u.id != end.id and distance_between(end, u) < 1.0 for u in battle.side(end.side))
    blocked = crowded or movement.of_course(battle, end, short).blocked is not None
    return EDGE * max(0.0, off) / 4.0 + 1.5 * ashore + BLOCKED * blocked
