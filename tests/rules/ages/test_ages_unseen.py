"""The computer of the four Ages uses only enemy units that its side sees or touches; that of Realm of Chance all."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import Unreadable
from tabletop.geometry import SightLaw, sight_line
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.engine import begin, play_of, submit
from tabletop.play.files.opened import open_battle
from tabletop.rules.ages.sight.judge import _walled, sees
from tabletop.rules.ages.sight.unseen import unseen
from tests import destiny, glaube, gloire, realm, reason
from tests.ages import Builder
from tests.games.positions import GENERATORS
from tests.renaming import loaded, new_names, renamed

AGES = (destiny.BUILDER, reason.BUILDER, gloire.BUILDER, glaube.BUILDER)
each_age = pytest.mark.parametrize("age", AGES, ids=lambda age: age.rules.name)

#: Across the table but for its west, and deeper than anybody sees into a wood.
WOOD = Terrain.of_kind("wood", "woods", outline=[(250, 350), (1000, 350), (1000, 480), (250, 480)])
HILL = Terrain.of_kind("hill", "hill", outline=[(250, 350), (1000, 350), (1000, 480), (250, 480)], level=1)


def weighed(battle: Battle) -> list[tuple[Action, float, str]]:
    """Return the suggestions of the side to move with their values."""
    return [(action, *play_of(battle).prospect(battle, action)) for action in play_of(battle).suggest(battle)]


def line(age: Builder) -> Unit:
    return age.unit("line", front_mid=[600, 200])


def seen_one(age: Builder) -> Unit:
    return age.unit("seen", "red", front_mid=[700, 300])


def hidden_one(age: Builder) -> Unit:
    """Return a battalion behind the wood."""
    return age.unit("hidden", "red", front_mid=[800, 490])


@each_age
@pytest.mark.parametrize("ground", [WOOD, HILL], ids=["wood", "hill"])
@pytest.mark.parametrize("seen", [True, False], ids=["another-seen", "nobody-seen"])
def test_no_reaction_to_an_enemy_whom_nobody_sees(age: Builder, ground: Terrain, seen: bool) -> None:
    """AGE-ORD-06: the same suggestions with the same values as if he were not there."""
    units = (line(age), *([seen_one(age)] if seen else []))
    with_him, without = (age.battle(*units, *more, terrain=[ground]) for more in ([hidden_one(age)], []))
    assert unseen(with_him, "blue") == {"hidden"}
    assert weighed(with_him) == weighed(without) != []
    for number in range(30):
        drawn = (play_of(battle).random_action(battle, Random(number)) for battle in (with_him, without))
        assert len(set(map(repr, drawn))) == 1


@each_age
@pytest.mark.parametrize("scout", ["general", "infantry"])
def test_one_friend_who_sees_him_is_enough(age: Builder, scout: str) -> None:
    """AGE-ORD-06: generals included."""
    place: dict[str, Any] = {"at": [100, 480]} if scout == "general" else {"front_mid": [100, 480]}
    friend = age.unit("friend", "blue", scout, **place)
    units = (line(age), seen_one(age), friend)
    with_him, without = (age.battle(*units, *more, terrain=[WOOD]) for more in ([hidden_one(age)], []))
    assert not unseen(with_him, "blue")
    assert weighed(with_him) != weighed(without)


@each_age
def test_contact_counts_as_sight(age: Builder) -> None:
    """AGE-ORD-06, AGE-CBT-01: whoever is touched is known, though dusk hides what is farther off."""
    near = age.unit("near", "red", front_mid=[600, 200.3])
    far = age.unit("far", "red", front_mid=[600, 420])
    dusk = {"night": 1}
    battle = age.battle(line(age), near, far, options=dusk)
    assert unseen(battle, "blue") == {"far"}
    assert not unseen(age.battle(line(age), near, far), "blue") & {"near"}


@each_age
def test_units_hide_units_until_they_step_aside(age: Builder) -> None:
    """AGE-ORD-06, AGE-ART-04: what was found out about other units is not used again once one has moved."""
    screens = [age.unit(f"screen-{k}", "red", front_mid=[420 + 60 * k, 260]) for k in range(7)]
    second = age.unit("second", "red", front_mid=[600, 330])
    battle = age.battle(line(age), second, *screens)
    assert unseen(battle, "blue") == {"second"}
    opened = battle.without("screen-2").without("screen-3").without("screen-4")
    assert unseen(opened, "blue") == (set() if sees(opened, line(age), second) else {"second"}) == set()
    assert unseen(opened.with_unit(opened.unit("line")), "blue") == set()
    assert unseen(battle, "blue") == unseen(replace(opened, units=battle.units), "blue") == {"second"}


@each_age
def test_a_side_that_sees_nobody_goes_on(age: Builder) -> None:
    """AGE-ORD-06: it goes away from its own edge rather than stand still; the nearer to the enemy's, the better."""
    battle = age.battle(line(age), hidden_one(age), terrain=[WOOD])
    values = {
        action.options["path"][0][1]: value
        for action, value, _ in weighed(battle)
        if action.kind == "move" and action.options.get("path")
    }
    ordered = [values[y] for y in sorted(values)]
    assert len(ordered) > 2 and ordered == sorted(ordered) and ordered[0] > 0.0


def test_realm_of_chance_knows_of_everybody() -> None:
    """Its book has no such rule: what stands behind the wood counts."""
    age = realm.BUILDER
    units = (line(age), seen_one(age))
    with_him, without = (age.battle(*units, *more, terrain=[WOOD]) for more in ([hidden_one(age)], []))
    assert weighed(with_him) != weighed(without)


# --- the answer is that of the sight question -------------------------------------------------------------------------


def generated(rules: str, number: int) -> dict[str, Any]:
    """Return the first generated scene from a number on that can be laid out: units of some overlap."""
    for k in range(number, number + 20):
        data = GENERATORS[rules](Random(k))
        with suppress(Unreadable):
            loaded(data)
            return data
    raise AssertionError("none can be laid out")


def by_asking_everybody(battle: Battle, side: str) -> set[str]:
    """Return the enemies whom no unit of a side sees or touches, every pair asked about."""
    enemies = (unit for unit in battle.units if unit.side != side and not unit.is_general)
    own = battle.side(side)
    return {e.id for e in enemies if not any(distance_between(u, e) <= 0.6 or sees(battle, u, e) for u in own)}


@pytest.mark.parametrize("rules", ["destiny", "reason", "gloire", "glaube"])
@pytest.mark.parametrize("number", [*range(2), *(pytest.param(k, marks=pytest.mark.sweep) for k in range(2, 40))])
@pytest.mark.parametrize("over", ["never", "higher-ground"])
def test_unseen_are_those_whom_the_sight_question_finds_hidden(rules: str, number: int, over: str) -> None:
    """AGE-ORD-06, AGE-ART-04: all along a battle, whatever was kept of earlier states."""
    battle = begin(loaded(generated(rules, number)).with_ruling("fire_over", over), number).battle
    rng, compared = Random(number), 0
    while not battle.over and not battle.pending and compared < 12:
        for side in battle.setup.sides:
            assert unseen(battle, side) == by_asking_everybody(battle, side)
        battle, compared = submit(battle, play_of(battle).random_action(battle, rng)).battle, compared + 1
    assert compared > 5


@pytest.mark.parametrize("name", ["ford", "saint-amand", "last-half-hour"])
def test_unseen_in_a_scenario(name: str) -> None:
    battle = begin(open_battle(name), 3).battle
    for side in battle.setup.sides:
        assert unseen(battle, side) == by_asking_everybody(battle, side)


# --- names and directions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["destiny", "reason", "gloire", "glaube"])
def test_names_decide_nothing(rules: str) -> None:
    """AGE-ORD-06: the same units are hidden under other names."""
    data = generated(rules, 4)
    names = new_names(data, 4)
    one, two = loaded(data), loaded(renamed(data, names))
    for side in one.setup.sides or {unit.side for unit in one.units}:
        assert {names[name] for name in unseen(one, side)} == unseen(two, side)


@each_age
def test_a_mirrored_table_gives_the_mirrored_choice(age: Builder) -> None:
    """AGE-ORD-06: east and west exchanged, the same enemy is hidden and the best move is the mirrored one."""
    wood = Terrain.of_kind("wood", "woods", outline=[(0, 350), (750, 350), (750, 480), (0, 480)])
    east = age.battle(line(age), seen_one(age), hidden_one(age), terrain=[WOOD])
    flipped = [
        age.unit("line", front_mid=[400, 200]),
        age.unit("seen", "red", front_mid=[300, 300]),
        age.unit("hidden", "red", front_mid=[200, 490]),
    ]
    west = age.battle(*flipped, terrain=[wood])
    assert unseen(east, "blue") == unseen(west, "blue") == {"hidden"}
    best = [max(weighed(battle), key=lambda one: round(one[1], 9)) for battle in (east, west)]
    (one, two) = ((action.options["path"][0], value) for action, value, _ in best)
    assert two[0] == pytest.approx((1000 - one[0][0], one[0][1]), abs=0.02)
    assert two[1] == pytest.approx(one[1])


@pytest.mark.parametrize("facing", [0.0, 8.026287982, 45.0, 171.3])
@pytest.mark.parametrize("apart", [0.0, 3e-14, 1e-9])
def test_nobody_sees_through_the_joints_of_bases(facing: float, apart: float) -> None:
    """AGE-ART-04: five bases that rounding has moved apart still hide what is behind them."""
    wall = destiny.BUILDER.unit("wall", front_mid=[600, 300], facing=facing)
    moved = tuple(replace(b, x=b.x + k * apart, y=b.y - k * apart) for k, b in enumerate(wall.bases))
    table = Table.of("mm", 1200, 1000)
    x, y = wall.at
    f, r = wall.forward, (wall.forward[1], -wall.forward[0])
    for joint in (-30.0, -10.0, 10.0, 30.0):
        start, end = ((x + r[0] * joint + f[0] * far, y + r[1] * joint + f[1] * far) for far in (-60.0, 60.0))
        walled = _walled(table, [replace(wall, bases=moved)], None)
        assert not sight_line(walled, start, end, SightLaw()).clear


#: A battery on either side of the wall, as narrow as a base.
GUNS = (("own", "blue", 200), ("enemy", "red", 420))


@each_age
def test_the_computer_does_not_look_through_the_joints_of_bases(age: Builder) -> None:
    """AGE-ORD-06: four bases that rounding has moved apart hide an enemy behind their middle from the computer too."""
    wall = age.unit("wall", "red", bases=4, front_mid=[600, 300])
    apart = tuple(replace(base, x=base.x + math.copysign(1e-9, base.x - 600.0)) for base in wall.bases)
    own, enemy = (age.unit(name, side, "foot-artillery", front_mid=[600, y]) for name, side, y in GUNS)
    battle = age.battle(replace(wall, bases=apart), own, enemy)
    assert not sees(battle, own, enemy)
    assert unseen(battle, "blue") == {"enemy"}
