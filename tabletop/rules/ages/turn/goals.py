"""What a scenario asks a side to do on the ground to win: hold it, stand on high ground, go far, or deny it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.naming import amid
from tabletop.battle.progress import Objective
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.terrain import Hill
from tabletop.rules.ages.morale.edges import EDGES, bearing_home
from tabletop.rules.ages.morale.status import ROUTING, organised
from tabletop.rules.ages.movement.terrain import houses
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, arm
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.common import ground_held
from tabletop.rules.common.keyed_option import given


@dataclass(frozen=True)
class Goal:
    """One thing to have done at the end: in words ("hold Marsin's mill"), and whether a battle has it done."""

    text: str
    reached: Callable[[Battle], bool]


def in_hand(unit: Unit) -> bool:
    """Return whether a unit counts on ground: it does not rout (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> in_hand(open_battle("maida").unit("1-81st"))
    True
    """
    return unit.status != ROUTING


def ways(battle: Battle, side: str) -> tuple[tuple[Goal, ...], ...]:
    """Return the ways in which a side wins by the ground: each the goals it must reach together (AGE-WIN-01).

    Holding the ground is one, going far another; with the option ``ground_and_beyond`` both are one. Empty if the
    scenario names nothing for this side.

    >>> from tabletop.play.files.opened import open_battle
    >>> [[goal.text for goal in way] for way in ways(open_battle("maida"), "french")]
    [['have 3 units in good order 1200 mm from the east edge']]
    """
    ground, far = tuple(_ground(battle, side)), tuple(_far(battle, side))
    both = bool(given(battle.setup.options, "ground_and_beyond", side))
    return tuple(way for way in ([(*ground, *far)] if both else [ground, far]) if way)


def reached(battle: Battle, side: str) -> bool:
    """Return whether a side has reached all the goals of one of its ways to win by the ground (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> [reached(open_battle("ford"), side) for side in ("swedish", "imperial")]
    [False, False]
    """
    return any(all(goal.reached(battle) for goal in way) for way in ways(battle, side))


def wording(battle: Battle, side: str) -> str:
    """Return what a side may do on the ground to win, in words; "" if the scenario names nothing (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> wording(open_battle("causeway"), "allied")
    "hold Marsin's mill and have 2 battalions in good order on Windmill hill"
    """
    return " or ".join(" and ".join(goal.text for goal in way) for way in ways(battle, side))


def deniers(battle: Battle) -> tuple[str, ...]:
    """Return the sides that win if the enemy has not reached his goals on the ground (option ``denies_ground``).

    Source: AGE-WIN-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> deniers(open_battle("ford"))
    ('imperial',)
    """
    setup = battle.setup
    return tuple(s for s in setup.sides if given(setup.options, "denies_ground", s) and ways(battle, setup.other(s)))


# --- the goals -------------------------------------------------------------------------------------------------------


def needed(battle: Battle, side: str) -> int | None:
    """Return how many units in good order a side needs on the ground to win by it, None for any unit not routing.

    Source: AGE-WIN-01.
    """
    ground_units = given(battle.setup.options, "ground_units", side)
    return None if ground_units is None or ground_units == "any" else int(ground_units)


def far_enough(battle: Battle, side: str) -> bool:
    """Return whether a side has as many units in good order as far from its own edge as the scenario asks (AGE-WIN-01).

    The options ``beyond`` (mm, to the middle of a unit) and ``beyond_units`` say so; False without them.

    >>> from tabletop.play.files.opened import open_battle
    >>> [far_enough(open_battle("maida"), side) for side in ("french", "british")]
    [False, False]
    """
    far = how_far(battle, side)
    if far is None:
        return False
    gone = (from_home(battle, side, unit.at) for unit in fighters(battle, side) if organised(unit))
    return sum(battle.tape.at_least(distance, far) for distance in gone) >= _beyond_units(battle, side)


def how_far(battle: Battle, side: str) -> float | None:
    """Return how far from its own edge a side is asked to get units, in table units (mm); None if it is not asked.

    Source: AGE-WIN-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> [how_far(open_battle(name), "british") for name in ("maida", "rail-fence")]
    [1150.0, None]
    """
    far = given(battle.setup.options, "beyond", side)
    return None if far is None or far == "nowhere" else float(far)


def from_home(battle: Battle, side: str, at: Point) -> float:
    """Return how far a point (table units, mm) is from a side's own edge, in the same (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> [from_home(open_battle("maida"), side, (1100.0, 300.0)) for side in ("french", "british")]
    [400.0, 1100.0]
    """
    (fx, fy), table = heading(bearing_home(battle, side)), battle.table
    edge = max(0.0, fx) * table.width + max(0.0, fy) * table.height
    return edge - at[0] * fx - at[1] * fy


def _beyond_units(battle: Battle, side: str) -> int:
    return int(given(battle.setup.options, "beyond_units", side) or 1)


def _far(battle: Battle, side: str) -> Iterator[Goal]:
    """Yield the goal of going far from the own edge, if the scenario has it."""
    far = how_far(battle, side)
    if far is not None:
        units = _beyond_units(battle, side)
        edge = next(name for name, way in EDGES.items() if way == bearing_home(battle, side))
        text = f"have {units} unit{'' if units == 1 else 's'} in good order {far:g} mm from the {edge} edge"
        yield Goal(text, lambda now: far_enough(now, side))


def _ground(battle: Battle, side: str) -> Iterator[Goal]:
    """Yield the goals on the objectives: to hold them, and to stand on those that are high ground for this side."""
    wanted, on_hills = needed(battle, side), int(given(battle.setup.options, "high_ground_units", side) or 0)
    if wanted == 0:
        return
    high = {o.id: hill for o in battle.setup.objectives if on_hills and (hill := high_ground(battle, o)) is not None}
    held = [o for o in battle.setup.objectives if o.id not in high]
    if held:
        strong = "" if wanted in (None, 1) else f" with {wanted} {_troops(battle, wanted or 0)} in good order"
        yield Goal(f"hold {_named(held)}{strong}", lambda now: _holds(now, side, held))
    if high:
        named = _named([o for o in battle.setup.objectives if o.id in high])
        text = f"have {on_hills} {_troops(battle, on_hills)} in good order on {named}"
        yield Goal(text, lambda now: all(_on_hill(now, side, hill) >= on_hills for hill in high.values()))


def high_ground(battle: Battle, objective: Objective) -> Hill | None:
    """Return the highest layer of hill that an objective's point lies on; None on low ground, or in a house.

    A house on a hill is a place to hold, like any other house (AGE-WIN-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("causeway")
    >>> [hill.ids if (hill := high_ground(battle, o)) else None for o in battle.setup.objectives]
    [None, ('hill',)]
    """
    if any(shapely.intersects_xy(house.shape, *objective.at) for house in houses(battle)):
        return None
    layers = [hill for hill in battle.table.hills if shapely.intersects_xy(hill.area, *objective.at)]
    return max(layers, key=lambda hill: hill.level, default=None)


def _troops(battle: Battle, number: int) -> str:
    kind = "battalion" if battle.setup.options.get("ground_infantry") else "unit"
    return kind if number == 1 else f"{kind}s"


def _named(objectives: Iterable[Objective]) -> str:
    return " and ".join(amid(o.name or o.id) for o in objectives)


def _counted(battle: Battle, side: str) -> list[Unit]:
    """Return the units in good order that count where a number of them is asked: all arms, or infantry alone."""
    arms = (INFANTRY,) if battle.setup.options.get("ground_infantry") else (INFANTRY, CAVALRY, ARTILLERY)
    return [unit for unit in fighters(battle, side) if organised(unit) and arm(unit) in arms]


def _on_hill(battle: Battle, side: str, hill: Hill) -> int:
    """Return how many units that count stand with their middle on a hill, anywhere on it and whoever else is there."""
    return sum(bool(shapely.intersects_xy(hill.area, *unit.at)) for unit in _counted(battle, side))


def _holds(battle: Battle, side: str, objectives: Sequence[Objective]) -> bool:
    """Return whether a side alone stands on each of some objectives, with enough units on all of them together."""
    if any(ground_held.standing_at(battle, o, in_hand) != (side,) for o in objectives):
        return False
    wanted = needed(battle, side)
    places = [(shapely.Point(o.at), o.radius) for o in objectives]
    return wanted is None or wanted <= sum(
        any(battle.tape.at_most(point.distance(unit.footprint), radius) for point, radius in places)
        for unit in _counted(battle, side)
    )
