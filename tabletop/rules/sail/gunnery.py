"""Gunnery: arcs, range, and broadsides as an action."""

from __future__ import annotations

import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import line_shape, shapes_of
from tabletop.geometry.verdict import Reason, Shape, Verdict, against_first
from tabletop.rules.common.bearings import ground_in, relative, within
from tabletop.rules.common.dice_pools import successes
from tabletop.rules.common.placing import base_of
from tabletop.rules.common.ruled import either, ruled
from tabletop.rules.play import Factor, Result
from tabletop.rules.rule_set import Request
from tabletop.rules.sail.basis import basis, origin
from tabletop.rules.sail.damage import BOW, STERN, hull_hits, kindle, mast_hits
from tabletop.rules.sail.phases import phase_reasons
from tabletop.rules.sail.ships import PORT, SIDES, STARBOARD, boxes, decks, hit_row, standing_masts, tables

HULL, SAILS = "hull", "masts"
AIMS = (HULL, SAILS)


def side_towards(ship: Unit, point: Point) -> str | None:
    """Return the side whose guns bear on a point, including the ends of the arcs; None ahead and astern.

    SAIL-ARC-01, SAIL-ARC-02: 45 to 135 degrees clockwise from the bow is starboard, 225 to 315 port.
    """
    angle = relative(ship, point)
    return next((side for side in SIDES if within(angle, tables()["arcs"][side])), None)


def hit_from(target: Unit, firer: Unit) -> str:
    """Return where fire strikes a target: "bow", "stern" or a side (SAIL-FIR-05, SAIL-FIR-07)."""
    angle = relative(target, firer.at)
    for end in (BOW, STERN):
        if within(angle, tables()["arcs"][end], inclusive=False):
            return end
    return side_towards(target, firer.at) or PORT


def muzzle(ship: Unit, side: str) -> Point:
    """Return the middle of a ship's side, from which range is measured (SAIL-ARC-03)."""
    base = base_of(ship)
    return base.at_local(base.frontage / 2 * (1 if side == STARBOARD else -1), -base.depth / 2)


def range_of(ship: Unit, side: str, target: Unit) -> float:
    """Return the distance in cm from the middle of a side to the nearest point of the target (SAIL-ARC-03)."""
    return target.way_to(muzzle(ship, side))


def needed(battle: Battle, far: float, aim: str) -> int | None:
    """Return the lowest die that hits at a range; None beyond the last band (SAIL-FIR-03)."""
    row = hit_row(battle, far)
    return None if row is None else int(row[aim])


def bearing_reasons(battle: Battle, ship: Unit, target: Unit) -> list[Reason]:
    """Return the reasons for and against a shot as the ships lie: guns, arc, range (SAIL-ARC-01..03, SAIL-FIR-03)."""
    side = side_towards(ship, target.at)
    name, foe = ship.called, target.called
    if side is None:
        return [Reason("SAIL-ARC-01", False, f"in neither arc: {foe} bears {relative(ship, target.at):.1f} degrees")]
    far, most = range_of(ship, side, target), float(tables()["hit"][-1]["upto"])
    guns = decks(ship, side)
    return [
        Reason("SAIL-ARC-02", True, f"{foe} bears {relative(ship, target.at):.1f} degrees, to {side}"),
        either("SAIL-REC-02", guns > 0, f"{name} has {guns} decks to {side}", f"{name} has no deck left to {side}"),
        Reason("SAIL-FIR-03", battle.tape.at_most(far, most), f"range {far:.2f} of {most:g} cm", far, most),
    ]


def fire(battle: Battle, request: Request) -> Verdict:
    """Answer ``fire A B``: do A's guns bear on B, and what die hits (SAIL-ARC-01..03, SAIL-FIR-03)?"""
    ship, target = (battle.unit(name) for name in request.args)
    if ship.side == target.side:
        raise BadQuestion(f"'{target.id}' is of the same side; ask for a ship of the other")
    reasons = bearing_reasons(battle, ship, target)
    side, holds = side_towards(ship, target.at), all(reasons)
    start = muzzle(ship, side) if side else ship.at
    line = shapely.get_coordinates(shapely.shortest_line(shapely.Point(start), target.footprint))
    ends = (float(line[0][0]), float(line[0][1])), (float(line[1][0]), float(line[1][1]))
    far = target.way_to(start)
    measured = {
        "range": far,
        "side": side,
        "from": hit_from(target, ship),
        "dice": decks(ship, side) if side else 0,
        **{aim: needed(battle, far, aim) for aim in AIMS},
    }
    shape = line_shape("witness" if holds else "blocked", ends, f"{far:.1f} cm")
    because = against_first(reasons)
    return Verdict(
        "fire",
        request.args,
        battle.rules,
        holds,
        measured,
        because,
        witness=ends if holds else None,
        options=request.options,
        shapes=(shape,),
    )


def of_fire(verdict: Verdict) -> dict[str, object]:
    """Return the further facts of a shot that players dispute: the die it needs, and where it strikes."""
    return {"hull": verdict.measured.get(HULL), "from": verdict.measured.get("from")}


def field(battle: Battle, request: Request) -> Verdict:
    """Answer ``field A``: the water its two broadsides command, band by band (SAIL-ARC-01, SAIL-FIR-03)."""
    ship = battle.unit(request.args[0])
    shapes: list[Shape] = []
    for side in SIDES:
        if decks(ship, side):
            for row in reversed(tables()["hit"]):
                last = row is tables()["hit"][-1]
                water = ground_in(ship, tables()["arcs"][side], muzzle(ship, side), float(row["upto"]))
                area = shapely.intersection(water, battle.table.edge)
                shapes += shapes_of("arc" if last else "band", area, f"{row['upto']:g}")
    most = float(tables()["hit"][-1]["upto"])
    reason = Reason("SAIL-ARC-01", True, f"{ship.called} reaches {most:g} cm to either side")
    return Verdict("field", request.args, battle.rules, True, {"range": most}, (reason,), shapes=tuple(shapes))


# --- as an action ----------------------------------------------------------------------------------------------------


def judge_fire(battle: Battle, action: Action) -> Verdict:
    """Return whether a ship may fire now, at hull or masts (``as``): each side once a round (SAIL-FIR-01, -02)."""
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    reasons = phase_reasons(battle, action)
    aim = action.options.get("as", HULL)
    reasons += [
        either("SAIL-FIR-01", target.side != ship.side, "the target is an enemy", "the target is no enemy"),
        Reason("SAIL-FIR-02", aim in AIMS, f"guns aim at hull or masts, not at {aim}"),
        Reason("SAIL-MOV-10", not ship.marks.get("repairing"), f"the crew of {ship.called} repairs masts"),
        Reason("SAIL-BRD-01", not ship.marks.get("boarded"), f"the crew of {ship.called} has boarded"),
    ]
    side = side_towards(ship, target.at)
    spent = side in ship.marks.get("fired", ())
    reasons.append(
        either("SAIL-FIR-01", not spent, "these guns have not fired", f"the {side} guns have fired this round")
    )
    return ruled(battle, action, [*reasons, *bearing_reasons(battle, ship, target)])


def shot(battle: Battle, ship: Unit, target: Unit, aim: str, chance: Chance) -> tuple[tuple[int, ...], int]:
    """Throw a die for each deck; return the faces and the number of hits (SAIL-REC-02, SAIL-FIR-03)."""
    side = side_towards(ship, target.at)
    assert side is not None, "the judge allowed the shot"
    need = needed(battle, range_of(ship, side, target), aim)
    assert need is not None, "the judge allowed the shot"
    faces = tuple(chance.die("broadside", cuts=(need, 6)) for _ in range(decks(ship, side)))
    return faces, sum(face >= need for face in faces)


def kindles(faces: tuple[int, ...]) -> bool:
    """Return whether a broadside sets its target on fire: two sixes among its dice do (SAIL-FIR-08)."""
    return sum(face == 6 for face in faces) >= int(tables()["fire"]["sixes"])


def broadside(unfolding: Unfolding, action: Action) -> None:
    """Fire a broadside and mark off the hits; if there is a choice, the target's owner makes it (SAIL-FIR-01..08)."""
    ship, target = unfolding.unit(str(action.unit)), unfolding.unit(str(action.target))
    aim, side, where = str(action.options.get("as", HULL)), side_towards(ship, target.at), hit_from(target, ship)
    faces, hits = shot(unfolding.battle, ship, target, aim, unfolding)
    unfolding.mark(ship.id, fired=(*ship.marks.get("fired", ()), side))
    record = {"range": range_of(ship, str(side), target), "aim": aim, "dice": faces, "hits": hits, "from": where}
    unfolding.tell("fire", record, ship.id, target.id, ("SAIL-FIR-03",))
    if kindles(faces):
        kindle(unfolding, target.id, "SAIL-FIR-08")
    (hull_hits if aim == HULL else mast_hits)(unfolding, target.id, hits, where)


def reckon_fire(battle: Battle, action: Action, chance: Chance) -> Result:
    """Return the result of a broadside for one course of chance (SAIL-FIR-03..08)."""
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    aim, where = str(action.options.get("as", HULL)), hit_from(target, ship)
    faces, hits = shot(battle, ship, target, aim, chance)
    lost = marked_off(target, aim, hits, where)
    burns = kindles(faces) and not target.marks.get("afire")
    text = f"{hits} hit{'' if hits == 1 else 's'}, {lost} box{'' if lost == 1 else 'es'}"
    worth = lost + (0.5 * boxes(target) if burns else 0.0)
    return Result(text + ("; on fire" if burns else ""), worth, ((target.id, "boxes", float(lost)),), family=text)


def marked_off(target: Unit, aim: str, hits: int, where: str) -> int:
    """Return how many boxes a number of hits marks off (SAIL-FIR-04, SAIL-FIR-05, SAIL-FIR-06)."""
    if aim == SAILS:
        return min(hits, len(standing_masts(target)))
    boxes_left = boxes(target) - (0 if target.marks.get("taken") else len(standing_masts(target)))
    return min(hits * (2 if where == STERN else 1), boxes_left)


def factors(battle: Battle, action: Action) -> tuple[Factor, ...]:
    """Return the factors behind the odds of a broadside: dice, the die needed, where it strikes."""
    ship, target = battle.unit(str(action.unit)), battle.unit(str(action.target))
    aim, side = str(action.options.get("as", HULL)), side_towards(ship, target.at) or PORT
    lowest = float(needed(battle, range_of(ship, side, target), aim) or 7)
    fire_factors = [
        Factor(f"gun decks to {side}", float(decks(ship, side)), "SAIL-REC-02", origin(ship)),
        Factor(f"lowest die that hits the {aim}", lowest, "SAIL-FIR-03", basis(f"hit.{aim}")),
    ]
    if hit_from(target, ship) == STERN:
        fire_factors.append(Factor("sides harmed, from astern", 2.0, "SAIL-FIR-05", basis("arcs.stern")))
    return tuple(fire_factors)


def bears(battle: Battle, ship: Unit, target: Unit) -> bool:
    """Return whether a ship has guns that bear on a target within range (SAIL-ARC-01, SAIL-FIR-03)."""
    side = side_towards(ship, target.at)
    return side is not None and decks(ship, side) > 0 and hit_row(battle, range_of(ship, side, target)) is not None


def expected(battle: Battle, ship: Unit, target: Unit, aim: str = HULL) -> float:
    """Return the expected boxes a broadside marks off, plus the value of a fire; 0 if it may not be fired."""
    if not bears(battle, ship, target):
        return 0.0
    side, where = str(side_towards(ship, target.at)), hit_from(target, ship)
    need, n = needed(battle, range_of(ship, side, target), aim) or 7, decks(ship, side)
    lost = sum(p * marked_off(target, aim, k, where) for k, p in enumerate(successes(n, (7 - need) / 6.0)))
    fire_risk = 1.0 - (5 / 6) ** n - n * (1 / 6) * (5 / 6) ** (n - 1)
    return lost + fire_risk * 0.5 * boxes(target)
