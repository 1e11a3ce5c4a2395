"""Control and pursuit: a unit that routs an enemy in close combat may go out of control and pursue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked, Placed
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between, pose_of
from tabletop.geometry.measure import bearing, heading
from tabletop.rules.ages.combat import under_fire
from tabletop.rules.ages.command.generals import general_help
from tabletop.rules.ages.morale.effects import disrupt, lose_base
from tabletop.rules.ages.morale.rout import charge_speed
from tabletop.rules.ages.morale.status import ROUTING
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.contacts import note_contacts
from tabletop.rules.ages.movement.layouts import COLUMN, FIXED, standing_in
from tabletop.rules.ages.movement.messengers import ride_down
from tabletop.rules.ages.movement.motion import barriers, room, solid
from tabletop.rules.ages.movement.neared import note_squares
from tabletop.rules.ages.tables import CAVALRY, INFANTRY, arm, length, row
from tabletop.rules.ages.throws import throw
from tabletop.rules.play import Reply

#: The decision for a unit that stayed under control, and its answers.
AFTER_VICTORY, HOLD, PURSUE = "after-victory", "hold", "pursue"


def control(unfolding: Unfolding, victors: Sequence[tuple[str, str]]) -> None:
    """Test the control of each victor of a close combat: without its rally throw it pursues (ROC-CTL-01).

    In the Ages generals help, and come under fire first. The player decides whether a unit under control pursues. All
    throws come before any pursuit, both in the order of the victors. A unit that retires until it is rallied follows
    nobody.
    """
    tested = [(name, prey, in_hand(unfolding, name)) for name, prey in victors if _may_pursue(unfolding.battle, name)]
    for name, prey, steady in tested:
        if not unfolding.battle.has(prey):
            continue
        if steady:
            _ask(unfolding, name, prey)
        else:
            unfolding.mark(name, pursuing=prey)
            pursue(unfolding, name)


def _may_pursue(battle: Battle, name: str) -> bool:
    """Return whether a victor is on the table and does not retire until it is rallied (AGE-RES-09)."""
    return battle.has(name) and not battle.unit(name).marks.get("retiring")


def in_hand(unfolding: Unfolding, name: str) -> bool:
    """Return whether a victor stays under control: by its rally throw, helped by a general if so ruled (ROC-CTL-01).

    In the Ages he helps, and must survive the fire unless he was tested this turn (AGE-CTL-01, AGE-RAL-08).

    >>> from tabletop.battle.dice import ScriptedDice
    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> [in_hand(Unfolding(battle, ScriptedDice([die])), "cuirassiers") for die in (2, 3)]
    [False, True]
    """
    unit = unfolding.unit(name)
    helped = bool(unfolding.battle.rulings["control_general"])
    if helped:
        under_fire.test_generals(unfolding, unit)
    bonus = general_help(unfolding.battle, unit) if helped else 0
    face = throw(unfolding.battle, unfolding, "control", [row(unit).rally - bonus])
    steady = face + bonus >= row(unit).rally
    unfolding.tell("control", {"die": face, "needs": row(unit).rally, "steady": steady}, name, rules=("ROC-CTL-01",))
    return steady


def _ask(unfolding: Unfolding, name: str, prey: str) -> None:
    unit = unfolding.unit(name)
    if unit.formation in FIXED:
        return
    unfolding.happen(Asked(Decision(unit.side, AFTER_VICTORY, (HOLD, PURSUE), unit=name, data={"prey": prey})))


def asks(battle: Battle, decision: Decision) -> str:
    """Return the question put to the victor (ROC-CTL-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> decision = Decision("prussian", AFTER_VICTORY, (HOLD, PURSUE), unit="hussars", data={"prey": "french-3"})
    >>> asks(open_battle("drill-ground"), decision)
    'Hussars is in hand: hold, or pursue French battalion on the right?'
    """
    prey = battle.called(str(decision.data["prey"]))
    return f"{battle.called(decision.unit)} is in hand: hold, or pursue {prey}?"


def replies(battle: Battle, decision: Decision) -> Mapping[str, Reply]:
    """Return the labels and meanings of the answers (ROC-CTL-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> decision = Decision("prussian", AFTER_VICTORY, (HOLD, PURSUE), unit="hussars", data={"prey": "french-3"})
    >>> replies(open_battle("drill-ground"), decision)[HOLD]
    Reply(label='Hold', meaning='it stays in hand where it is')
    """
    prey = battle.called(str(decision.data["prey"]))
    return {
        HOLD: Reply("Hold", "it stays in hand where it is"),
        PURSUE: Reply("Pursue", f"it goes after {prey}, and on, until it is rallied"),
    }


def answered(unfolding: Unfolding, decision: Decision, choice: str) -> None:
    """Carry out the player's decision: hold, or pursue until rallied (ROC-CTL-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> decision = Decision("prussian", AFTER_VICTORY, (HOLD, PURSUE), unit="hussars", data={"prey": "french-3"})
    >>> answered(unfolding, decision, PURSUE)
    >>> unfolding.unit("hussars").marks
    {'pursuing': 'french-3'}
    """
    name, prey = str(decision.unit), str(decision.data["prey"])
    if choice == PURSUE and unfolding.battle.has(name) and unfolding.battle.has(prey):
        unfolding.mark(name, pursuing=prey)
        pursue(unfolding, name)


def continue_pursuit(unfolding: Unfolding, name: str) -> None:
    """Test a pursuer again in the rally phase; while out of control it keeps pursuing (ROC-CTL-01, AGE-CTL-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> unfolding.mark("hussars", pursuing="french-3")
    >>> continue_pursuit(unfolding, "hussars")
    >>> unfolding.unit("hussars").marks
    {}
    """
    unit = unfolding.unit(name)
    prey = str(unit.marks["pursuing"])
    if not _worth_pursuing(unfolding.battle, unit, prey) or in_hand(unfolding, name):
        unfolding.mark(name, pursuing=None)
    else:
        pursue(unfolding, name)


def _worth_pursuing(battle: Battle, unit: Unit, prey: str) -> bool:
    return unit.status != ROUTING and battle.has(prey) and battle.unit(prey).status == ROUTING


def pursue(unfolding: Unfolding, name: str) -> None:
    """Pursue a routing enemy at charge speed; cavalry that catches infantry takes a base (ROC-CTL-01, ROC-SQR-05).

    Enemy messengers in its way are taken (AGE-ORD-05). In its own turn it can come upon squares that it then attacks
    (GLA-HDG-02).
    """
    battle, unit = unfolding.battle, unfolding.unit(name)
    prey = battle.unit(str(unit.marks["pursuing"]))
    start = _after(unit, prey)
    after, friends = _run(battle, start, prey)
    unfolding.happen(Placed(name, pose_of(after), (unit.at, after.at), "pursuit"))
    note_contacts(unfolding, unit)
    unfolding.tell("pursuit", {"prey": prey.id}, name, prey.id, ("ROC-CTL-01",))
    ride_down(unfolding, start, after)
    if unit.side == battle.clock.side:
        note_squares(unfolding, name, battle)
    for friend in friends:
        disrupt(unfolding, name)
        disrupt(unfolding, friend.id)
    caught = arm(unit) == CAVALRY and battle.tape.at_most(distance_between(after, prey), length(battle, "contact"))
    if caught and arm(prey) == INFANTRY and prey.status == ROUTING:
        whole = battle.rulings["cut_down"] == "unit"
        for _ in range(prey.strength if whole else 1):
            lose_base(unfolding, prey.id, after.at, "cut down")


def _after(unit: Unit, prey: Unit) -> Unit:
    """Return the pursuer turned towards its prey about its centre; a fixed formation becomes a column."""
    formation = COLUMN if unit.formation in FIXED else unit.formation
    facing = bearing(prey.at[0] - unit.at[0], prey.at[1] - unit.at[1])
    return standing_in(unit, formation, unit.at, facing)


def _run(battle: Battle, start: Unit, prey: Unit) -> tuple[Unit, tuple[Unit, ...]]:
    """Return the pursuer where it ends, and the friends it passes through.

    It stops short of any enemy and of impassable ground, and stays put if it has no room to turn to its prey.
    """
    direction, most = heading(start.facing), charge_speed(start)
    walls = [solid(u) for u in battle.enemies(start)]
    end = min(_first(battle, start, shapes, most) for shapes in (*walls, terrain.barred_parts(battle)))
    end = min(end, room(battle, start, most))
    beyond = most + 1.0  # so that the overlap with a friend it ends in reaches past the end
    stretches = {u.id: barriers(start, solid(u), direction, beyond, battle.tape.t) for u in battle.friends(start)}
    for lo, hi in sorted((s for overlaps in stretches.values() for s in overlaps), reverse=True):
        if lo < end < hi:
            end = max(0.0, lo - battle.tape.t)  # just touching: the barriers leave out a tolerance of overlap
    if end < 0.0 or any(lo <= 0.0 < hi for overlaps in stretches.values() for lo, hi in overlaps):
        return battle.unit(start.id), ()
    passed = tuple(u for u in battle.friends(start) if any(hi <= end for _, hi in stretches[u.id]))
    return start.moved(end * direction[0], end * direction[1]), passed


def _first(battle: Battle, start: Unit, shapes: Iterable[BaseGeometry], most: float) -> float:
    """Return how far (mm) the unit goes before it meets any of ``shapes``; below 0 if it already stands in one."""
    stretches = barriers(start, shapes, heading(start.facing), most, 0.0)
    deep = barriers(start, shapes, heading(start.facing), most, battle.tape.t)
    if any(lo <= 0.0 for lo, _ in deep):
        return -1.0
    return min((max(0.0, lo) for lo, hi in stretches if hi > battle.tape.t), default=most)
