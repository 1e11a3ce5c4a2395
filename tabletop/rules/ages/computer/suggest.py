"""The kinds of action, and the candidate actions of the side to move."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.cache import Cache
from tabletop.geometry.measure import Point, bearing, heading, turn_between
from tabletop.geometry.verdict import Verdict
from tabletop.rules.ages.combat import resolve as combat_resolve
from tabletop.rules.ages.combat.judge import duties
from tabletop.rules.ages.command import orders
from tabletop.rules.ages.command.generals import general_with
from tabletop.rules.ages.computer import ground
from tabletop.rules.ages.computer.known import as_known
from tabletop.rules.ages.fire import resolve as fire_resolve
from tabletop.rules.ages.morale.status import free
from tabletop.rules.ages.movement import arrivals
from tabletop.rules.ages.movement import resolve as movement_resolve
from tabletop.rules.ages.movement.layouts import COLUMN, FIXED, GARRISON, formations
from tabletop.rules.ages.movement.legality import spent
from tabletop.rules.ages.movement.motion import along, barriers, solid
from tabletop.rules.ages.movement.terrain import house_of
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm, attack_range, row, troop_of
from tabletop.rules.ages.turn import sequence
from tabletop.rules.ages.turn.phases import ARTILLERY_PHASE, COMBAT_PHASE, HERE, MOVEMENT_PHASE, fighters
from tabletop.rules.ages.turn.simultaneous import DECIMALS, in_sequence
from tabletop.rules.common.candidates import once
from tabletop.rules.common.kinds import read_kinds

_MOVE = movement_resolve.judge_move, movement_resolve.make_move
#: The kinds of action, by name.
JUDGES = read_kinds(
    HERE,
    {
        "bombard": (fire_resolve.judge_bombard, fire_resolve.bombard, fire_resolve.reckon),
        "move": _MOVE,
        "charge": _MOVE,
        "withdraw": _MOVE,
        "retreat": _MOVE,
        "form": (movement_resolve.judge_form, movement_resolve.form),
        "ride": (movement_resolve.judge_move, orders.ride),
        "enter": (arrivals.judge_enter, arrivals.enter),
        "order": (orders.judge_order, orders.give),
        "call": (orders.judge_call, orders.call),
        "dismiss": (orders.judge_dismiss, orders.dismiss),
        "combat": (combat_resolve.judge_combat, combat_resolve.fight_it, combat_resolve.reckon),
        "done": (sequence.judge_done, sequence.done),
    },
    {"done": lambda battle: f"End the {battle.clock.phase} phase"},
)
#: Shares of a distance that are tried, the longest first.
SHARES = (1.0, 0.75, 0.5, 0.25)
#: How many of the nearest enemies moves are tried towards.
MOST_ENEMIES = 2


#: For judges that are called often, a function that says whether they allow an action without making a verdict.
_BRIEF: Mapping[Callable[[Battle, Action], Verdict], Callable[[Battle, Action], bool]] = {
    fire_resolve.judge_bombard: fire_resolve.may_bombard,
    movement_resolve.judge_move: movement_resolve.may_move,
    movement_resolve.judge_form: movement_resolve.may_form_now,
}


def allowed(battle: Battle, action: Action) -> bool:
    """Return whether the judge allows an action; one that raises BadQuestion is not allowed."""
    brief = _BRIEF.get(JUDGES[action.kind].judge)
    if brief is None:
        return judged(battle, action) is not None
    try:
        return brief(battle, action)
    except BadQuestion:
        return False


def judged(battle: Battle, action: Action) -> Verdict | None:
    """Return the verdict that allows an action, None if it is not allowed (ROC-SEQ-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> battle = in_turn(open_battle("drill-ground"), "french-guns", "bombard")
    >>> judged(battle, Action("bombard", "french", "french-guns", "russian-1")).holds
    True
    >>> judged(battle, Action("bombard", "french", "french-guns", "french-1")) is None
    True
    """
    try:
        verdict = JUDGES[action.kind].judge(battle, action)
    except BadQuestion:
        return None
    return verdict if verdict.holds else None


def suggest(battle: Battle) -> Iterator[Action]:
    """Yield allowed actions for the side to move, the sensible ones first; never empty before the end (ROC-SEQ-01).

    Moves are those towards, or away from, enemy units that the side sees (AGE-ORD-06).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.turn.phases import in_turn
    >>> next(suggest(in_turn(open_battle("drill-ground"), "french-guns", "bombard"))).kind
    'bombard'
    """
    side = battle.clock.side
    if side is None or battle.over:
        return
    for action in once(_candidates(battle, side)):
        if allowed(battle, action):
            yield action


def _candidates(battle: Battle, side: str) -> Iterator[Action]:
    phase = battle.clock.phase
    if phase == ARTILLERY_PHASE:
        for gun in sequence.ready_guns(battle):
            for enemy in sequence.shots(battle, gun):
                yield Action("bombard", side, gun.id, enemy.id)
    elif phase == MOVEMENT_PHASE:
        yield from (Action("enter", side, unit.id) for unit in arrivals.due(battle, side))
        known = as_known(battle, side)
        for unit in in_sequence(battle, battle.side(side)):
            yield from (action for action in moves_for(known, unit) if _considered(unit, action))
    elif phase == COMBAT_PHASE:
        yield from combats(battle, side)
    yield Action("done", side)


# --- combat ----------------------------------------------------------------------------------------------------------


def combats(battle: Battle, side: str) -> Iterator[Action]:
    """Yield, for each enemy in range, the attack by all that can take part, and by each with only those that must.

    Source: ROC-CBT-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> [(action.unit, action.target) for action in combats(open_battle("drill-ground"), "french")]
    [('french-1', 'prussian-1')]
    """
    enemies_of = duties(battle, side)
    for enemy in fought(enemies_of):
        able = [name for name, enemies in enemies_of.items() if enemy in enemies]
        yield combat(side, able, enemy)
        for name in able:
            attackers = [other for other in able if other == name or enemies_of[other] == (enemy,)]
            if len(attackers) < len(able):
                yield combat(side, attackers, enemy)


def fought(enemies_of: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the enemies that can be fought, each once."""
    return list(dict.fromkeys(name for enemies in enemies_of.values() for name in enemies))


def combat(side: str, attackers: list[str], enemy: str) -> Action:
    """Return the action of these attackers against one enemy."""
    first, *others = attackers
    return Action("combat", side, first, enemy, {"with": tuple(others)} if others else {})


# --- movement --------------------------------------------------------------------------------------------------------


def moves_for(battle: Battle, unit: Unit) -> Iterator[Action]:
    """Yield the candidate moves of one unit: at the enemy, turning to him, formations, back (ROC-MOV-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> {action.unit for action in moves_for(battle, battle.unit("french-1"))}
    {'french-1'}
    """
    if unit.is_general:
        yield from _rides(battle, unit)
        yield Action("dismiss" if arm(unit) == "staff" else "call", unit.side, unit.id)
        return
    enemies = battle.enemies(unit)
    yield from _MOVES_OF.of(
        (unit, battle.table, battle.rulings, battle.setup, *enemies),
        "",
        lambda: tuple(_moves_of(battle, unit, enemies)),
    )


#: Candidate moves of units; they do not depend on friends, so they stay valid while these move.
_MOVES_OF: Cache[tuple[Action, ...]] = Cache(256)


def _moves_of(battle: Battle, unit: Unit, others: Sequence[Unit]) -> Iterator[Action]:
    if not free(unit):
        return
    enemies = nearest(battle, unit, others)[:MOST_ENEMIES]
    if not unit.marks.get("moved") and unit.formation not in FIXED and spent(unit) < 1.0:
        for enemy in enemies:
            yield from moves_at(battle, unit, enemy)
            yield from _straight_at(unit, enemy)
        place = ground.wanted(battle, unit)
        if place is not None:
            yield from _to_ground(battle, unit, place)
        yield from _ahead(unit)
        if arm(unit) != ARTILLERY:
            half = row(unit).move / 2
            yield Action("withdraw", unit.side, unit.id, options={"distance": half})
            yield Action("retreat", unit.side, unit.id, options={"distance": 2 * half})
    yield from _formations(battle, unit)


def moves_at(battle: Battle, unit: Unit, enemy: Unit) -> Iterator[Action]:
    """Yield moves towards an enemy: to contact or range if within reach, and shares of that distance."""
    x, y = unit.front_mid
    # measure how far the front is from the enemy once it has wheeled towards him
    ex, ey = enemy.at
    direction = bearing(ex - x, ey - y)
    gap = _gap(unit, enemy, direction)
    wheel = along(unit, (point_at(unit.front_mid, direction, gap),), rulings=battle.rulings).wheels
    kinds = ("charge", "move") if arm(unit) != ARTILLERY else ("move",)
    for kind in kinds:
        length_left = _left(unit, kind, wheel)
        if length_left <= 0.0:
            continue
        stand_off = 0.8 * attack_range(unit) if arm(unit) == INFANTRY else 0.0
        for wanted in sorted({gap, max(0.0, gap - stand_off)}):
            yield from _runs(unit, kind, direction, wanted, length_left)
    yield from _turn_to(unit, direction)


def _to_ground(battle: Battle, unit: Unit, place: Objective) -> Iterator[Action]:
    """Yield moves towards ground that the side wants: until the middle of the front is on it, and shares of that."""
    (x, y), (px, py) = unit.front_mid, place.at
    direction, gap = bearing(px - x, py - y), math.dist((x, y), (px, py))
    wheel = along(unit, (point_at(unit.front_mid, direction, gap),), rulings=battle.rulings).wheels
    yield from _runs(unit, "move", direction, gap, _left(unit, "move", wheel))
    yield from _turn_to(unit, direction)


def _straight_at(unit: Unit, enemy: Unit) -> Iterator[Action]:
    """Yield the charge without a wheel at an enemy who stands ahead, though not centrally."""
    stretches = barriers(unit, solid(enemy), unit.forward, 1000.0, 0.0) if arm(unit) != ARTILLERY else ()
    if stretches:
        yield from _runs(unit, "charge", unit.facing, max(0.0, stretches[0][0]), _left(unit, "charge"))


def _ahead(unit: Unit) -> Iterator[Action]:
    """Yield moves straight ahead, without a wheel."""
    length_left = _left(unit, "move")
    yield from _runs(unit, "move", unit.facing, length_left, length_left)


def _left(unit: Unit, kind: str, wheel: float = 0.0) -> float:
    """Return how far (mm) a unit may still go straight on in open ground, after a wheel for a share of its move."""
    quick = unit.formation == COLUMN or kind == "charge"
    return (row(unit).move + row(unit).charge * quick) * (1.0 - spent(unit) - wheel)


def _turn_to(unit: Unit, direction: float) -> Iterator[Action]:
    """Yield the wheel to a direction, if it is more than a little."""
    if abs(turn_between(unit.facing, direction)) > 5.0:
        yield Action("move", unit.side, unit.id, options={"facing": direction})


def _runs(unit: Unit, kind: str, direction: float, wanted: float, left: float) -> Iterator[Action]:
    """Yield moves straight in a direction: a charge only over the full distance, a move also over shares of it."""
    if kind == "charge" and wanted > left + 1e-6:
        return
    for share in SHARES if kind == "move" else SHARES[:1]:
        run = min(wanted, left * share)
        if run > 1.0:
            yield Action(kind, unit.side, unit.id, options={"path": (point_at(unit.front_mid, direction, run),)})


def _gap(unit: Unit, enemy: Unit, direction: float) -> float:
    """Return how far (mm) a unit goes in a direction before it touches an enemy; their distance if it misses."""
    turned = unit.turned(turn_between(unit.facing, direction), unit.front_mid)
    stretches = barriers(turned, solid(enemy), heading(direction), 1000.0, 0.0)
    return max(0.0, stretches[0][0]) if stretches else distance_between(unit, enemy)


def point_at(start: Point, degrees: float, run: float) -> Point:
    """Return the point ``run`` mm away on a bearing, rounded towards the start to hundredths of a mm."""
    f = heading(degrees)
    return _cut(start[0], run * f[0]), _cut(start[1], run * f[1])


def _cut(start: float, step: float) -> float:
    return start + math.trunc(step * 100.0) / 100.0


def _formations(battle: Battle, unit: Unit) -> Iterator[Action]:
    for formation in formations(unit):
        sensible = formation != GARRISON or house_of(battle, unit) is not None
        if formation != unit.formation and sensible:
            yield Action("form", unit.side, unit.id, options={"formation": formation})


def considered(unit: Unit) -> tuple[str, ...]:
    """Return the formations that the computer considers for a unit, the usual one first.

    It sends no cavalry into houses, from where it neither charges nor threatens anybody (AGE-SET-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> cuirassiers = open_battle("saint-amand").unit("cuirassiers")
    >>> formations(cuirassiers), considered(cuirassiers)
    (('line', 'column', 'garrison'), ('line', 'column'))
    """
    legal = formations(unit)
    return tuple(f for f in legal if f != GARRISON) if arm(unit) == CAVALRY else legal


def _considered(unit: Unit, action: Action) -> bool:
    return action.kind != "form" or action.options["formation"] in considered(unit)


def _rides(battle: Battle, person: Unit) -> Iterator[Action]:
    """Yield rides of generals to friends that need them, and of staff officers to the units their orders are for."""
    if person.marks.get("moved"):
        return
    carries = person.marks.get("carries")
    if arm(person) == "staff":
        own = battle.side(person.side)
        wanted = [u for name in carries["to"] for u in own if u.id == name] if carries else _generals(battle, person)
    else:
        friends = [u for u in fighters(battle, person.side) if not general_with(battle, u)]
        wanted = sorted(nearest(battle, person, friends), key=lambda u: u.status == "ok")[:2]
    for unit in wanted:
        (x, y), (tx, ty) = person.at, unit.at
        run = min(math.dist((x, y), (tx, ty)), (troop_of(person).speed or 0.0) - 0.1)
        if run > 1.0:
            yield Action(
                "ride", person.side, person.id, options={"path": (point_at((x, y), bearing(tx - x, ty - y), run),)}
            )
    if arm(person) == "staff" and not carries:
        recipients = [u.id for u in fighters(battle, person.side)][:1]
        yield Action("order", person.side, person.id, options={"stance": "advance", "to": tuple(recipients)})


def _generals(battle: Battle, officer: Unit) -> list[Unit]:
    return [*in_sequence(battle, orders.senders(battle, officer))]


def nearest(battle: Battle, unit: Unit, others: Sequence[Unit]) -> list[Unit]:
    """Return units ordered by distance from one, nearest first; ties are broken by ``in_sequence``."""
    return sorted(in_sequence(battle, others), key=lambda other: round(distance_between(unit, other), DECIMALS))
