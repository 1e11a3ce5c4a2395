"""The six families of questions on positions of There Stand Empires.

A plan fixes every feature visible at a glance; whatever a scene's answer, it is laid out by the same rule from the same
sizes. Only the first try for the place of the screen, target or attacker depends on the answer.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.drills.family import Family, Plan
from tabletop.drills.position import YES_NO, Call
from tabletop.drills.scenes import MIDDLE, Layout, Row, area, beyond, line, near, unit
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Elsewhere, Margin, Verdict
from tabletop.judge import ask, shift_margin
from tabletop.judge.things import Thing, without
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Request

#: The unit a question is about, and those it is asked against.
OURS, THEIRS, OTHERS = "Arnaud", "Auer", ("Auer", "Brandt", "Czerny")
#: Terrain that may hide a target or stand in the way, by kind: its name and that of a second piece.
NAMES = {"woods": ("Copse", "Spinney"), "town": ("Hamlet", "Farm"), "hill": ("Knoll", "Hillock")}
DECOYS = {"wall": "Wall", "hedge": "Hedge"}
FRONTAL = {"frontal": "In front", "flank": "In flank or rear"}
NOTHING = "nothing"


def _plans(**features: Sequence[str]) -> tuple[Plan, ...]:
    return tuple(dict(zip(features, values, strict=True)) for values in product(*features.values()))


def _name(plan: Plan) -> str:
    return NAMES[plan["screen"]][0]


def _holds(battle: Battle, question: str, *units: str) -> bool:
    """Return the bare answer in the quickest way."""
    return rule_set.find(battle.rules).question(question).answer(battle, Request(question, units).briefly()).holds


def _call(answer: str, margin: Margin) -> Call:
    return Call(answer, None if margin.shifted is None else margin.shift, margin.shifted)


def _yes_no(margin: Margin) -> Call:
    return _call("yes" if margin.value else "no", margin)


def _decoy(rng: random.Random, plan: Plan) -> list[Row]:
    """Return the plan's additional piece of terrain, well away from the middle."""
    kind = plan["besides"]
    if kind == "nothing":
        return []
    at = beyond(MIDDLE, rng.uniform(0.0, 360.0), rng.uniform(3.0, 7.0))
    if kind in DECOYS:
        return [line(DECOYS[kind], kind, at, rng.uniform(0.0, 360.0), rng.uniform(2.0, 4.0))]
    return [area(rng, NAMES[kind][1], kind, at, (rng.uniform(0.8, 1.5), rng.uniform(0.8, 1.5)))]


def _pair(rng: random.Random, far: float) -> tuple[tuple[float, float], tuple[float, float], float]:
    """Return two places this far apart around the middle of the table, and the bearing from one to the other."""
    middle, bearing = near(rng, MIDDLE, 1.0), rng.uniform(0.0, 360.0)
    return beyond(middle, bearing, -far / 2), beyond(middle, bearing, far / 2), bearing


# --- can it see? -----------------------------------------------------------------------------------------------------

_TARGETS: Mapping[str, Mapping[str, Any]] = {
    "line": {"formation": "deployed", "bases": 3},
    "column": {"formation": "maneuver-column", "bases": 4},
    "gun": {"troop": "light-foot-artillery", "formation": "deployed", "bases": 1},
}


def _size(wanted: float) -> float:
    """Return the approximate size of a screen, large enough at a wide margin to hide a unit shifted by as much."""
    return 1.0 + 1.05 * wanted


def _screened(rng: random.Random, plan: Plan, wanted: float, aside: Sequence[tuple[str, str, float]]) -> Layout:
    """Return two units with pieces of terrain (name, kind, how far aside) between them."""
    far = rng.uniform(8.0, 10.5)
    ours, theirs, bearing = _pair(rng, far)
    units = [
        unit(OURS, "red", ours, bearing + rng.uniform(-40.0, 40.0), bases=2, front=1),
        unit(THEIRS, "blue", theirs, rng.uniform(0.0, 360.0), **_TARGETS[plan["target"]]),
    ]
    pieces = []
    for name, kind, off in aside:
        at = beyond(beyond(ours, bearing, rng.uniform(0.4, 0.6) * far), bearing + 90.0, off)
        big = _size(wanted)
        pieces.append(area(rng, name, kind, at, (rng.uniform(0.9, 1.2) * big, rng.uniform(1.0, 1.3) * big)))
    return Layout(units, [*pieces, *(_decoy(rng, plan) if "besides" in plan else ())])


def _sight_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    big = _size(wanted)
    off = rng.uniform(0.0, 0.5) * big if answer == "no" else rng.uniform(big, big + 2.0)
    return _screened(rng, plan, wanted, [(_name(plan), plan["screen"], rng.choice((-1, 1)) * off)])


SIGHT = Family(
    "sight", "Can it see?",
    _plans(screen=("woods", "town"), target=("line", "column"), besides=("nothing", "wall"))
    + _plans(screen=("hill",), target=("gun",), besides=("nothing", "wall")),
    1.5,
    lambda plan: YES_NO,
    lambda plan: f"Can {OURS} see {THEIRS}?",
    _sight_scene,
    lambda battle, plan: "yes" if _holds(battle, "los", "arnaud", "auer") else "no",
    lambda battle, plan: ask(battle, "los", ("arnaud", "auer")),
    lambda battle, plan: _yes_no(shift_margin(battle, "los", ("arnaud", "auer"))),
)  # fmt: skip


# --- what blocks it? -------------------------------------------------------------------------------------------------


def _two(plan: Plan) -> tuple[str, str]:
    """Return the names of the two pieces of a plan."""
    first, second = plan["first"], plan["second"]
    return NAMES[first][0], NAMES[second][1]


def _blocker_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    big, aside = _size(wanted), list[tuple[str, str, float]]()
    side = rng.choice((-1, 1))
    for name, kind in zip(_two(plan), (plan["first"], plan["second"]), strict=True):
        off = rng.uniform(0.0, 0.5) * big if name.lower() == answer else rng.uniform(big, big + 2.0)
        aside.append((name, kind, side * off))
        side = -side
    return _screened(rng, plan, wanted, aside)


def _blocks(battle: Battle, plan: Plan) -> str:
    """Return the id of the one piece that hides the target, "nothing" if it is seen, "" if no single piece hides it."""
    if _holds(battle, "los", "arnaud", "auer"):
        return NOTHING
    alone = [piece for piece in battle.table.terrain if _holds(without(battle, Thing(piece)), "los", "arnaud", "auer")]
    return alone[0].id if len(alone) == 1 else ""


def _judged_blocker(battle: Battle, plan: Plan) -> Call | None:
    """Return the call; None if the other piece is nearer to hiding the target than the answer is to changing."""
    answer = _blocks(battle, plan)
    if not answer:
        return None
    call = _call(answer, shift_margin(battle, "los", ("arnaud", "auer")))
    if answer == NOTHING or call.margin is None:
        return call
    piece = next(piece for piece in battle.table.terrain if piece.id == answer)
    margin = shift_margin(without(battle, Thing(piece)), "los", ("arnaud", "auer"), within=call.margin)
    return call if margin.shift is None or margin.shift >= call.margin else None


BLOCKER = Family(
    "blocker", "What blocks it?",
    tuple(
        {"first": a, "second": b, "target": target}
        for a, b in (("woods", "woods"), ("town", "town"), ("woods", "town"), ("town", "woods"), ("hill", "hill"))
        for target in ("line", "gun")
    ),
    1.0,  # at wider margins hardly one scene in fifty has a single hiding piece with the other as far from hiding
    lambda plan: {**{name.lower(): f"The {name.lower()}" for name in _two(plan)}, NOTHING: "Nothing does"},
    lambda plan: f"What hides {THEIRS} from {OURS}?",
    _blocker_scene,
    _blocks,
    lambda battle, plan: ask(battle, "los", ("arnaud", "auer")),
    _judged_blocker,
)  # fmt: skip


# --- can it fire? ----------------------------------------------------------------------------------------------------


def _fire_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    ours, theirs, bearing = _pair(rng, rng.uniform(4.0, 6.5))
    off = rng.uniform(5.0, 50.0) if answer == "yes" else rng.uniform(40.0, 90.0)
    facing = bearing + rng.choice((-1, 1)) * off
    units = [
        unit(OURS, "red", ours, facing, troop="light-foot-artillery", formation="deployed", bases=int(plan["guns"])),
        unit(THEIRS, "blue", theirs, rng.uniform(0.0, 360.0), **_TARGETS[plan["target"]]),
    ]
    return Layout(units, _decoy(rng, plan))


FIRE = Family(
    "fire", "Can it fire?",
    _plans(guns=("1",), target=("line", "column", "gun"), besides=("nothing", "wall", "woods"))
    + _plans(guns=("2",), target=("line",), besides=("nothing",)),
    1.5,
    lambda plan: YES_NO,
    lambda plan: f"May {OURS} fire at {THEIRS}?",
    _fire_scene,
    lambda battle, plan: "yes" if ask(battle, "fire", ("arnaud", "auer")).holds else "no",
    lambda battle, plan: ask(battle, "fire", ("arnaud", "auer")),
    lambda battle, plan: _yes_no(shift_margin(battle, "fire", ("arnaud", "auer"))),
)  # fmt: skip


# --- can it charge? --------------------------------------------------------------------------------------------------


def _assault_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    gap = rng.uniform(3.6, 6.0) if answer == "yes" else rng.uniform(6.0, 9.0)
    ours, theirs, bearing = _pair(rng, gap + 1.8)
    units = [
        unit(OURS, "red", ours, bearing + rng.uniform(-12.0, 12.0)),
        unit(THEIRS, "blue", theirs, bearing + 180.0 + rng.uniform(-80.0, 80.0), **_TARGETS[plan["target"]]),
    ]
    pieces = []
    if plan["between"] == "hedge":
        at = beyond(ours, bearing, rng.uniform(0.4, 0.6) * (gap + 1.8))
        pieces.append(line("Hedge", "hedge", at, bearing + 90.0 + rng.uniform(-15.0, 15.0), 9.0))
    return Layout(units, [*pieces, *_decoy(rng, plan)])


ASSAULT = Family(
    "assault", "Can it charge?",
    _plans(between=("nothing", "hedge"), target=("line", "column", "gun"), besides=("nothing",))
    + _plans(between=("nothing",), target=("line", "column"), besides=("woods", "wall")),
    1.5,
    lambda plan: YES_NO,
    lambda plan: f"May {OURS} assault {THEIRS} this turn?",
    _assault_scene,
    lambda battle, plan: "yes" if ask(battle, "assault", ("arnaud", "auer")).holds else "no",
    lambda battle, plan: ask(battle, "assault", ("arnaud", "auer")),
    lambda battle, plan: _yes_no(shift_margin(battle, "assault", ("arnaud", "auer"))),
)  # fmt: skip


# --- who is nearest? -------------------------------------------------------------------------------------------------

_NEAREST_PLANS = tuple(
    dict(zip(("first", "second", "third"), forms, strict=True))
    for forms in product(("line", "column"), repeat=3)
)  # fmt: skip


def _nearest_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    ours, turned = near(rng, MIDDLE, 1.0), rng.uniform(0.0, 360.0)
    far = rng.uniform(4.0, 6.0)
    units = [unit(OURS, "red", ours, rng.uniform(0.0, 360.0))]
    bearings = [turned + 120.0 * k + rng.uniform(-30.0, 30.0) for k in range(3)]
    rng.shuffle(bearings)
    for name, form, bearing in zip(OTHERS, plan.values(), bearings, strict=True):
        off = 0.0 if name.lower() == answer else wanted + rng.uniform(-0.3, 1.0)
        units.append(unit(name, "blue", beyond(ours, bearing, far + off), rng.uniform(0.0, 360.0), **_TARGETS[form]))
    return Layout(units)


def _distances(battle: Battle) -> list[tuple[float, str, Verdict]]:
    """Return each enemy's distance, nearest first, with the verdict."""
    asked = ((name.lower(), ask(battle, "distance", ("arnaud", name.lower()))) for name in OTHERS)
    rows = [(float(verdict.measured["distance"]), id_, verdict) for id_, verdict in asked]
    return sorted(rows, key=lambda row: row[0])


def _judged_nearest(battle: Battle, plan: Plan) -> Call | None:
    """Return the call, whose margin is the difference between the two smallest distances.

    Moved that far away along the shortest line, the nearest enemy is as far as the next.
    """
    (first, id_, verdict), (second, *_), _ = _distances(battle)
    line_ = verdict.witness
    if line_ is None or first <= 0.0:
        return None
    (x, y), (u, v) = line_[0], line_[-1]
    share = (second - first) / first
    return Call(id_, second - first, Elsewhere(id_, (share * (u - x), share * (v - y))))


NEAREST = Family(
    "nearest", "Who is nearest?",
    _NEAREST_PLANS,
    1.5,
    lambda plan: {name.lower(): name for name in OTHERS},
    lambda plan: f"Who is nearest to {OURS}?",
    _nearest_scene,
    lambda battle, plan: _distances(battle)[0][1],
    lambda battle, plan: _distances(battle)[0][2],
    _judged_nearest,
    "",
)  # fmt: skip


# --- flank or frontal? -----------------------------------------------------------------------------------------------


def _flank_scene(rng: random.Random, plan: Plan, answer: str, wanted: float) -> Layout:
    ours, theirs, bearing = _pair(rng, rng.uniform(4.5, 6.0))
    off = rng.uniform(20.0, 65.0) if answer == "frontal" else rng.uniform(35.0, 100.0)
    facing = bearing + 180.0 + rng.choice((-1, 1)) * off
    units = [
        unit(OURS, "red", ours, bearing + rng.uniform(-10.0, 10.0)),
        unit(THEIRS, "blue", theirs, facing, **_TARGETS[plan["target"]]),
    ]
    return Layout(units, _decoy(rng, plan))


def _way(verdict: Verdict) -> str:
    if not verdict.holds or verdict.measured.get("frontal") is None:
        return ""
    return "frontal" if verdict.measured["frontal"] else "flank"


def _judged_flank(battle: Battle, plan: Plan) -> Call | None:
    way = _way(ask(battle, "assault", ("arnaud", "auer")))
    return _call(way, shift_margin(battle, "assault", ("arnaud", "auer"), "frontal")) if way else None


FLANK = Family(
    "flank", "Flank or frontal?",
    _plans(target=("line", "column"), besides=("nothing", "woods", "wall", "hedge", "town")),
    1.5,
    lambda plan: FRONTAL,
    lambda plan: f"{OURS} assaults {THEIRS}: in front, or in flank or rear?",
    _flank_scene,
    lambda battle, plan: _way(ask(battle, "assault", ("arnaud", "auer"))),
    lambda battle, plan: ask(battle, "assault", ("arnaud", "auer")),
    _judged_flank,
    "frontal",
)  # fmt: skip

FAMILIES: Mapping[str, Family] = {one.name: one for one in (SIGHT, BLOCKER, FIRE, ASSAULT, NEAREST, FLANK)}


def family(name: str) -> Family:
    """Return a family by its name. Raises BadQuestion, with the nearest, for one there is not."""
    from tabletop.play.files.nearest_words import clip, did_you_mean

    if name not in FAMILIES:
        raise BadQuestion(f"no drill '{clip(name)}'; {did_you_mean(name, list(FAMILIES))}")
    return FAMILIES[name]
