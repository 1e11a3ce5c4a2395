"""Tables turned, mirrored, and listed in another order: the same answers, and the same battle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Setup
from tabletop.errors import BadQuestion, Unreadable
from tabletop.geometry.measure import Point
from tabletop.judge import ask
from tabletop.play.engine import begin, judge, play_of, submit
from tabletop.play.files.load import load_scene_data
from tabletop.rules.ages.combat.zones import side_of
from tests.games.positions_in_mm import realm_of_chance

SIZE = 1100.0
#: Lengths may differ by rounding only.
EQUAL = 1e-6

Turn = tuple[Callable[[Point], Point], Callable[[float], float]]
QUARTER: Turn = (lambda p: (p[1], SIZE - p[0]), lambda b: (b + 90.0) % 360.0)
MIRROR: Turn = (lambda p: (SIZE - p[0], p[1]), lambda b: -b % 360.0)


def scene(number: int) -> dict[str, Any]:
    """Return a generated scene on a square table, both armies somewhere on it."""
    return {**realm_of_chance(Random(number)), "table": {"unit": "mm", "width": SIZE, "height": SIZE}}


def turned(data: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """Return the scene with everything on it turned."""
    point, bearing = turn

    def changed(row: dict[str, Any]) -> dict[str, Any]:
        found = dict(row)
        for key in ("at", "front_mid"):
            if key in found:
                found[key] = list(point((found[key][0], found[key][1])))
        if "line" in found:
            found["line"] = [list(point((x, y))) for x, y in found["line"]]
        if "at" in found or "facing" in found:
            found["facing"] = bearing(found.get("facing", 0.0))
        return found

    return {**data, "terrain": [changed(r) for r in data["terrain"]], "units": [changed(r) for r in data["units"]]}


def reversed_lists(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "terrain": data["terrain"][::-1], "units": data["units"][::-1]}


def loaded(data: dict[str, Any]) -> Battle | None:
    """Return the battle, None for a draw in which somebody stands on somebody."""
    try:
        return replace(load_scene_data(data), setup=Setup(turns=4))
    except Unreadable:
        return None


def answers(battle: Battle) -> list[Any]:
    """Return every answer between units, and about ways ahead and back of each, as plain data."""
    found: list[Any] = []
    for a in battle.units:
        for b in battle.units:
            if a.side != b.side:
                found += [_asked(battle, question, a.id, b.id) for question in ("distance", "los", "fire", "assault")]
                found.append(side_of(battle, a, b) if a.fronts and b.fronts else None)
        found += [_moved(battle, a.id, kind, options) for kind, options in _ways(battle, a.id)]
    return found


def _asked(battle: Battle, question: str, a: str, b: str) -> Any:
    try:
        verdict = ask(battle, question, [a, b])
    except BadQuestion:
        return None
    figures = ("distance", "range", "band", "die", "attack", "defence", "odds", "column", "frontal")
    return question, a, b, verdict.holds, [_rounded(verdict.measured.get(key)) for key in figures]


def _ways(battle: Battle, name: str) -> list[tuple[str, dict[str, Any]]]:
    unit = battle.unit(name)
    if not unit.fronts:
        return []
    (x, y), (fx, fy) = unit.front_mid, unit.forward
    ahead = [(x + 35 * fx, y + 35 * fy)]
    return [
        ("move", {"path": ahead}),
        ("charge", {"path": ahead}),
        ("withdraw", {"distance": 15.0}),
        ("move", {"path": [(x - 30 * fx, y - 30 * fy)]}),
        *(("form", {"formation": f}) for f in ("line", "column")),
    ]


def _moved(battle: Battle, name: str, kind: str, options: dict[str, Any]) -> Any:
    option = {"as": options["formation"]} if kind == "form" else {**options, "as": kind}
    try:
        verdict = ask(battle, "move", [name], option)
    except BadQuestion:
        return None
    return name, kind, verdict.holds, [_rounded(verdict.measured.get(k)) for k in ("cost", "allowed", "carried")]


def _rounded(value: Any) -> Any:
    return round(value, 5) + 0.0 if isinstance(value, float) else value


#: With squares and without; the others, larger, in the sweep.
FEW = (3, 4, 5, 9)


@pytest.mark.parametrize(
    "number", [number if number in FEW else pytest.param(number, marks=pytest.mark.sweep) for number in range(12)]
)
def test_answers_do_not_change(number: int) -> None:
    data = scene(number)
    battle = loaded(data)
    if battle is None:
        return
    first = answers(battle)
    changed = [turned(data, QUARTER), reversed_lists(data)]
    if not any(unit.formation == "square" for unit in battle.units):  # a square's bases turn like a pinwheel
        changed.append(turned(data, MIRROR))
    for other in changed:
        again = loaded(other)
        assert again is not None
        assert answers(again) == first


@pytest.mark.sweep
def test_many_battles_turned_by_a_quarter() -> None:
    for number in range(6, 120):
        turned_together(number)


@pytest.mark.parametrize("number", range(6))
def test_a_whole_battle_turned_by_a_quarter(number: int) -> None:
    """The same dice, every action turned with the table: the same battle, unit for unit."""
    turned_together(number)


def turned_together(number: int) -> None:
    data = scene(100 + number)
    one, two = loaded(data), loaded(turned(data, QUARTER))
    if one is None or two is None:
        return
    one, two = begin(one, number).battle, begin(two, number).battle
    rng = Random(number)
    for _ in range(60):
        same(one, two)
        if one.over:
            return
        action = _next(one, rng)
        if not judge(one, action).holds:
            continue
        one, two = submit(one, action).battle, submit(two, _with_table(action)).battle


def _next(battle: Battle, rng: Random) -> Action:
    if battle.pending:
        return Action(ANSWER, battle.pending[0].side, options={"choice": rng.choice(battle.pending[0].choices)})
    return play_of(battle).random_action(battle, rng)


def _with_table(action: Action) -> Action:
    point, bearing = QUARTER
    options = dict(action.options)
    if "path" in options:
        options["path"] = tuple(point(p) for p in options["path"])
    if "facing" in options:
        options["facing"] = bearing(options["facing"])
    return replace(action, options=options)


def same(one: Battle, two: Battle) -> None:
    """Everybody stands where the turned table has him, in the same state; the same points, the same clock."""
    assert [u.id for u in one.units] == [u.id for u in two.units]
    for a, b in zip(one.units, two.units, strict=True):
        assert (a.status, a.formation, a.strength, a.side) == (b.status, b.formation, b.strength, b.side)
        assert QUARTER[0](a.at) == pytest.approx(b.at, abs=EQUAL), a.id
        assert abs((a.facing + 90.0 - b.facing + 180.0) % 360.0 - 180.0) < EQUAL
    assert one.scores == two.scores and one.clock == two.clock and one.outcome == two.outcome
