"""Every ruling is honoured: for each question it is said to change, a scene whose answer it changes (rulings.toml).

What a scene's answer is, is what the question decides: whether it holds, or, where the ruling changes no yes or no
but only what is measured (``MEASURES``), that measure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import Terrain
from tabletop.judge import judge
from tests import moving
from tests.field import Field
from tests.firing import RULES, SHIFT, ask, battle, block, piece, strip

HERE = Path(__file__).resolve().parents[3] / "tabletop/rules/tse"
#: Rulings on what is not measured on the table, but decided when a battle is played; the scale is every length's.
NOT_ASKED = {"scale", "lost_orders_leave_fire", "attached_general", "morale_check_at_once", "assault_ratio"}
#: Rulings that by their nature change a measure, and the measure.
MEASURES = {
    ("cover_minimum", "fire"): "cover",
    ("cover_minimum", "assault"): "cover",
    ("cover_by", "fire"): "cover",
    ("frontal_test", "assault"): "frontal",
    ("countercharge_from", "assault"): "countercharge",
    ("fall_back_clamp", "fallback"): "at",
    ("rough_trace", "fallback"): "at",
    ("limber_gap", "reach"): "size",
    ("rough_trace", "reach"): "size",
    ("road_bases", "reach"): "size",
    ("leaving_zone", "reach"): "size",
    ("flat_maneuver", "reach"): "size",
}

Ask = tuple[Battle, str, tuple[str, ...], dict[str, Any]]
Scene = Callable[[dict[str, Any]], Ask]

# --- sight: something west of the middle that one ruling makes hide what is behind it --------------------------------

SIGHTED = ("los", "fire", "assault", "breakthrough", "cover")
SCREEN = (-20.0, -1.5)
ARM = [(-20, -2), (1, -2), (1, 0.2), (-15, 0.2), (-15, 3), (-1.5, 3), (-1.5, 4.5), (-20, 4.5)]


def _hides() -> dict[str, tuple[Terrain, ...]]:
    """What stands between a gun at the origin and a base six inches north and west, by the ruling it depends on."""
    hill = {level: strip(f"under{level}", "hill", (-1, 1), (-2, 0.2), level=level) for level in (1, 2)}
    return {
        "thin_wood_transparent": (strip("wood", "woods", SCREEN, (3, 4.5), movement="open"),),
        "hills_block": (strip("ridge", "hill", SCREEN, (3, 4.5)),),
        "own_hill_exempt": (piece("arm", "hill", [(float(x), float(y)) for x, y in ARM]),),
        "deep_shadow": (hill[1], hill[2], strip("wood", "woods", (-20, -1), (2, 2.5), level=1, movement="open")),
        "crest_edge": (strip("down", "hill", (-20, 0.6), (-2, 3)),),
    }


def sight(ruling: str, question: str) -> Scene:
    """Cover: of a line whose one base in the open is the one hidden. Else: of that base alone.

    A breakthrough begins where the cavalry stands: who is beaten first touches its front.
    """
    lone, x = question != "cover", (-6.0, -5.0)
    rides = question in ("assault", "breakthrough")
    troop, formation = ("light-cavalry", "maneuver-column") if rides else ("light-foot-artillery", "deployed")
    firer = block("a", "blue", (-0.5, 0.5), (-1.0, 0.0), troop=troop, formation=formation)
    target = block("b", "red", x if lone else (-6.0, 2.0), (6.0, 6.75), facing=180.0)
    works = () if lone else (strip("works", "rough", (-5.0, 3.0), (5.5, 7.5), cover_fire="soft"),)
    beaten = () if question != "breakthrough" else (block("c", "red", (-0.5, 0.5), (0.0, 0.75), facing=180.0),)
    return two(question, firer, target, *_hides()[ruling], *works, *beaten)


def two(question: str, a: Unit, b: Unit, *things: Unit | Terrain) -> Scene:
    """Return the question of a to b; cover is asked of b."""
    units = tuple(thing for thing in things if isinstance(thing, Unit))
    terrain = tuple(thing for thing in things if isinstance(thing, Terrain))

    def scene(rulings: dict[str, Any]) -> Ask:
        put = battle(a, b, *units, terrain=terrain, **rulings)
        if question == "cover":
            return put, question, ("b",), {"from": "a"}
        if question == "line":
            # from the gun's front to the base six inches north and west
            return put, question, (), {"start": (SHIFT, SHIFT), "end": (SHIFT - 5.5, SHIFT + 6.0)}
        return put, question, ("a", "b"), {"after": "c"} if question == "breakthrough" else {}

    return scene


def with_rulings(scene: Scene, **fixed: Any) -> Scene:
    """Return a scene in which other rulings are settled too."""
    return lambda rulings: scene({**fixed, **rulings})


# --- fire and cover --------------------------------------------------------------------------------------------------

GUN = block("a", "blue", (-0.5, 0.5), (-1.0, 0.0), troop="light-foot-artillery")
LINE = block("b", "red", (-6.0, 2.0), (6.0, 6.75), facing=180.0)
WORKS = strip("works", "rough", (-5.0, 3.0), (5.5, 7.5), cover_fire="soft", cover_assault="soft")


def bent(*headings: float) -> Unit:
    """Two bases, the second at its own heading, hinged at the rear."""
    s, c = 0.5, math.sqrt(0.75)
    second = Base(SHIFT + 0.375 * s + 0.5 * c, SHIFT - 0.75 + 0.375 * c - 0.5 * s, 30.0, 1.0, 0.75)
    bases = (Base(SHIFT - 0.5, SHIFT - 0.375, 0.0, 1.0, 0.75), second)
    return Unit("a", "blue", "infantry", bases, formation="deployed", front_bases=(0, 1), linear=True)


def wide_and_narrow() -> Unit:
    """One wide base in the open, hidden where it is in the arc and seen where it is not; one base in works."""
    wide, narrow = Base(SHIFT + 5.5, SHIFT + 2.5, 180.0, 5.0, 1.0), Base(SHIFT, SHIFT + 4.0, 180.0, 1.0, 1.0)
    return Unit("b", "red", "infantry", (wide, narrow), formation="deployed", facing=180.0, front_bases=(0, 1))


HOUSE = strip("house", "building", (1.6, 3.6), (1.7, 1.9))
NEST = strip("nest", "rough", (-1.0, 1.0), (3.0, 5.0), cover_fire="soft")
ABREAST = tuple(block(f"friend{x[0]:g}", "blue", x, (-0.75, 0.0)) for x in ((-4.5, -0.5), (0.5, 4.5)))
HALF = strip("half", "rough", (-3.0, 0.0), (1.0, 3.0), cover_fire="soft", cover_assault="soft")
PAIR = block("b", "red", (-1.0, 1.0), (2.0, 2.75), facing=180.0)
COLUMN = block("a", "blue", (-1.0, 1.0), (-0.75, 0.0), formation="maneuver-column")
FLANK = block("b", "red", (-1.5, 3.5), (1.5, 2.25), facing=180.0)
FLANK_WORKS = strip("works", "rough", (-2.0, 2.5), (1.0, 3.0), cover_fire="soft")
#: Seen from the middle of the column's front the bases show past this wall; the shortest lines cross it.
SHORT_WALL = piece("wall", "wall", [(-0.2, 1.9), (0.2, 1.9)])
#: A wall whose end the path just grazes: by the path alone it covers, and costs, more than a reach of 6 bears.
GRAZED = piece("wall", "wall", [(-3.0, 5.5), (-0.003, 5.5)])
FAR_PAIR = block("b", "red", (-1.0, 1.0), (5.8, 6.55), facing=180.0)
EAST = block("b", "red", (1.8, 2.8), (-0.25, 0.5), facing=270.0)

FIRE: dict[tuple[str, str], Scene] = {
    ("enemy_screen_blocks", "fire"): two(
        "fire", GUN, block("b", "red", (-0.5, 0.5), (5.0, 5.75)), block("c", "red", (-3.0, 3.0), (2.0, 2.75))
    ),
    ("enemy_screen_blocks", "cover"): two("cover", GUN, LINE, WORKS, block("c", "red", (-8.0, -1.0), (2.0, 2.75))),
    ("same_part", "fire"): two("fire", GUN, block("b", "red", (3.0, 8.0), (2.0, 3.0)), HOUSE),
    ("same_part", "cover"): two("cover", GUN, wide_and_narrow(), HOUSE, NEST),
    ("clearance_ignores_abreast", "fire"): two("fire", GUN, block("b", "red", (2.0, 3.0), (5.0, 5.75)), *ABREAST),
    ("clearance_ignores_abreast", "cover"): two("cover", GUN, LINE, WORKS, *ABREAST),
    ("cover_minimum", "fire"): two("fire", COLUMN, PAIR, HALF),
    ("cover_minimum", "cover"): two("cover", COLUMN, PAIR, HALF),
    ("cover_minimum", "assault"): two("assault", COLUMN, PAIR, HALF),
    ("cover_by", "fire"): two("fire", block("a", "blue", (-0.1, 0.1), (-1.0, 0.0), bases=1), PAIR, SHORT_WALL),
    ("cover_by", "cover"): two("cover", block("a", "blue", (-0.1, 0.1), (-1.0, 0.0), bases=1), PAIR, SHORT_WALL),
    ("cover_by", "assault"): two("assault", COLUMN, FAR_PAIR, GRAZED),
    ("bent_line_arc", "arc"): two("arc", bent(), block("b", "red", (5.0, 6.0), (-0.25, 0.5))),
    ("bent_line_arc", "fire"): two("fire", bent(), EAST),
    ("bent_line_arc", "cover"): two("cover", bent(), FLANK, FLANK_WORKS),
    ("bent_line_arc", "assault"): with_rulings(two("assault", bent(), EAST), assault_free_turn=False),
}

# --- moves -----------------------------------------------------------------------------------------------------------


def moved(mover: Unit, *things: Unit | Terrain, question: str = "move", **options: Any) -> Scene:
    """Return the question of moving unit a; places are from the origin."""
    if "path" in options:
        options["path"] = [(moving.O + x, moving.O + y) for x, y in options["path"]]
    if "as_" in options:
        options["as"] = options.pop("as_")
    units = [thing for thing in things if isinstance(thing, Unit)]
    terrain = [thing for thing in things if isinstance(thing, Terrain)]
    return lambda rulings: (moving.battle(mover, *units, terrain=terrain, **rulings), question, ("a",), options)


GUNS = moving.unit(troop="horse-artillery", n=3, front=1)
NEAR = moving.unit("b", side="blue", n=2, formation="deployed", at=(0, 1.6))
INFANTRY = moving.unit(front_mid=(0, 0))
TRAIL = moving.unit(n=4, formation="deployed")
#: A march column of four that comes on to a road three inches ahead.
COLUMN, ROAD = moving.unit(formation="march-column", front_mid=(0, 0)), moving.drawn("road", [(0, 3), (0, 40)])
#: A tongue of rough ground that only a corner of the front goes through, and enough of it to matter.
TONGUE = moving.box(0.6, 1.0, 1, 5)

MOVES: dict[tuple[str, str], Scene] = {
    ("bend_limit", "move"): moved(TRAIL, as_="deploy", bend=[0, 20, 20, 20]),
    ("bend_requires_feature", "move"): moved(TRAIL, as_="deploy", bend=[0, 20, 20, 20]),
    ("deploy_slide_cap", "move"): moved(moving.unit(n=10, formation="march-column"), as_="deploy", ref=0, facing=0.0),
    # a column of three guns and their limbers is six inches long: its tail stands in the friend behind it
    ("limber_gap", "move"): moved(
        moving.unit(troop="horse-artillery", n=3, formation="deployed"),
        moving.unit("b", n=2, formation="deployed", at=(0, -2.5)),
        facing=0.0,
    ),
    ("limber_gap", "reach"): moved(GUNS, question="reach"),
    ("rough_trace", "move"): moved(INFANTRY, TONGUE, path=[(0, 4)]),
    ("rough_trace", "reach"): moved(INFANTRY, TONGUE, question="reach"),
    ("road_bases", "move"): moved(COLUMN, ROAD, path=[(0, 11.5)], as_="march"),
    ("road_bases", "reach"): moved(COLUMN, ROAD, question="reach", as_="march"),
    ("leaving_zone", "move"): moved(moving.unit(n=2, front=2), NEAR, path=[(0, -4)]),
    ("leaving_zone", "reach"): moved(moving.unit(n=2, front=2), NEAR, question="reach"),
    ("flat_maneuver", "move"): moved(moving.unit(quality="elite", front_mid=(0, 0)), path=[(0, 6.5)]),
    ("flat_maneuver", "reach"): moved(moving.unit(quality="elite", front_mid=(0, 0)), question="reach"),
}

# --- falling back and assaults ---------------------------------------------------------------------------------------

PLACE = Field()


def driven(source: tuple[float, float], *things: Unit | Terrain, **keys: Any) -> Scene:
    """Return six inches of falling back, facing south, from a source."""
    unit = PLACE.unit("unit", **({"facing": 180} | ({"front_mid": (0, 0)} if "at" not in keys else {}) | keys))
    foe = PLACE.unit("source", side="red", at=source, formation="deployed", facing=0)
    options = {"from": "source", "distance": 6.0}
    return lambda rulings: (PLACE.battle(unit, foe, *things, **rulings), "fallback", ("unit",), options)


def charged(unit: Unit, target: Unit, *things: Unit | Terrain) -> Scene:
    return lambda rulings: (PLACE.battle(unit, target, *things, **rulings), "assault", ("unit", "target"), {})


def ridden(unit: Unit, target: Unit, *things: Unit | Terrain) -> Scene:
    """Return the breakthrough of a unit to a target, after an enemy on [-1, 1] x [0, 0.75] was beaten."""
    first = PLACE.line("first", (-1, 0), n=2, side="red")
    options = {"after": "first"}
    return lambda rulings: (
        PLACE.battle(unit, target, first, *things, **rulings), "breakthrough", ("unit", "target"), options
    )  # fmt: skip


HOLLOW = PLACE.unit(
    "target", side="red", formation="deployed", bases=3, bend=[45, 0, -45], reference=1, at=(0, 0), facing=0
)
ROUGH_BEHIND = PLACE.box("rough", "rough", (0.6, 0.9), (1, 9))

LAKE = PLACE.box("lake", "lake", (-5, 5), (3, 4))
RETREATS: dict[tuple[str, str], Scene] = {
    ("fall_back_clamp", "fallback"): driven((-8, 0.75), PLACE.box("lake", "lake", (-1, 1), (4, 5))),
    ("attack_from_behind", "fallback"): driven((0, 8)),
    ("fall_back_in_full", "fallback"): driven((0, -8), LAKE),
    ("table_edge", "fallback"): driven((0, -8), at=(0, 34.5)),
    ("rough_trace", "fallback"): driven((0, -8), ROUGH_BEHIND),
    ("leaving_zone", "fallback"): driven((0, -1.125), at=(0, 0)),
    ("assault_free_turn", "assault"): charged(
        PLACE.unit("unit", front_mid=(0, 0), facing=90), PLACE.line("target", (-2, 4), side="red")
    ),
    ("assault_bars", "assault"): charged(
        PLACE.unit("unit", front_mid=(0.6, 0)),
        PLACE.line("target", (0.05, 4.05), side="red"),
        PLACE.line("other", (-4, 4), side="red"),
    ),
    ("assault_bars", "breakthrough"): ridden(
        PLACE.unit("unit", troop="light-cavalry", front_mid=(0.6, 0)),
        PLACE.line("target", (0.05, 4.05), side="red"),
        PLACE.line("other", (-4, 4), side="red"),
    ),
    ("assault_free_turn", "breakthrough"): ridden(
        PLACE.unit("unit", troop="light-cavalry", front_mid=(0, -3), facing=180),
        PLACE.line("target", (-2, 4), side="red"),
    ),
    ("countercharge_from", "assault"): charged(
        PLACE.unit("unit", troop="light-cavalry", front_mid=(0, 0)),
        PLACE.unit("target", side="red", troop="light-cavalry", formation="deployed", at=(0, 8), facing=180),
    ),
    ("frontal_test", "assault"): charged(PLACE.unit("unit", front_mid=(-5, -0.6), facing=90), HOLLOW),
}
SIGHTS = {(name, question): sight(name, question) for name in _hides() for question in (*SIGHTED, "line")}
SCENES: dict[tuple[str, str], Scene] = {**SIGHTS, **FIRE, **MOVES, **RETREATS}


def answer(scene: Scene, ruling: str, value: Any) -> Any:
    """Return what a question decides under one value of a ruling."""
    put, question, args, options = scene({ruling: value})
    verdict = ask(put, question, *args, **options)
    measure = MEASURES.get((ruling, question))
    found = verdict.measured[measure] if measure else verdict.holds
    return round(found, 3) if isinstance(found, float) else tuple(found) if isinstance(found, list) else found


@pytest.mark.parametrize(("ruling", "question"), list(SCENES), ids=map(" ".join, SCENES))
def test_a_ruling_changes_the_answer(ruling: str, question: str) -> None:
    """Some value of it gives another answer than the default does, to every question it is said to change."""
    known = RULES.rulings[ruling]
    assert question in known.questions
    answers = [answer(SCENES[ruling, question], ruling, value) for value in known.values]
    usual = answer(SCENES[ruling, question], ruling, known.default)
    assert any(found != usual for found in answers), answers


@pytest.mark.parametrize(("ruling", "question"), list(SCENES), ids=map(" ".join, SCENES))
def test_a_ruling_that_only_opens_or_closes_does_no_other(ruling: str, question: str) -> None:
    """Departing from the default never turns a yes into a no where it is said to open, nor a no into a yes to close."""
    known = RULES.rulings[ruling]
    put = {value: SCENES[ruling, question]({ruling: value}) for value in known.values}
    holds = {value: ask(scene, name, *args, **options).holds for value, (scene, name, args, options) in put.items()}
    for value in known.values:
        assert holds[value] >= holds[known.default] or question not in known.opens
        assert holds[value] <= holds[known.default] or question not in known.closes


def test_without_the_free_turn_a_pond_beside_it_is_no_hindrance() -> None:
    """TSE-ASL-03: so this ruling can open an assault as well as close it, and the judge must ask under both values."""
    pond = PLACE.box("pond", "lake", (0.8, 1.2), (-1.6, -1.3))
    unit, target = PLACE.unit("unit", front_mid=(0, 0), facing=40), PLACE.line("target", (-2, 4), side="red")
    scene = PLACE.battle(unit, target, pond)
    assert not ask(scene, "assault", "unit", "target").holds
    assert ask(scene.with_ruling("assault_free_turn", False), "assault", "unit", "target").holds
    depends = judge(scene, "assault", ["unit", "target"], {"margin": False}).depends_on
    assert ("assault_free_turn", True) in [(d.ruling, d.would_be) for d in depends]


def test_every_question_of_every_ruling_has_a_scene() -> None:
    """And a ruling of which no question is told is one that nothing measured on the table can turn on."""
    told = {(name, question) for name, ruling in RULES.rulings.items() for question in ruling.questions}
    assert told == set(SCENES)
    assert {name for name, ruling in RULES.rulings.items() if not ruling.questions} == NOT_ASKED


def test_every_ruling_is_read() -> None:
    """By its name, in the functions of these rules: by those that measure or by those that play."""
    source = "\n".join(path.read_text("utf-8") for path in HERE.rglob("*.py"))
    read = set(re.findall(r"""rulings\[["'](\w+)["']\]""", source))
    assert read == set(RULES.rulings)


class Noted(dict[str, Any]):
    """Rulings that remember which of them were looked up."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


def looked_up() -> Iterator[tuple[str, str]]:
    """Yield (ruling, question) for every ruling a question looks up, in any of the scenes, in either direction."""
    for scene in SCENES.values():
        put, question, args, options = scene({})
        noted = Noted(put.rulings)
        listening = Battle(put.rules, put.table, put.units, noted, put.title)
        ask(listening, question, *args, **options)
        yield from ((name, question) for name in noted.read)


def test_no_question_looks_up_a_ruling_that_is_not_said_to_change_it() -> None:
    """Else the judge would not tell that a verdict turns on it.

    An assault's path is priced as a line: what of a base is traced through rough ground is looked up, but is no matter;
    nor how a bent line shoots to cavalry in column.
    """
    told = {(name, question) for name, ruling in RULES.rulings.items() for question in ruling.questions}
    paths = {("rough_trace", "assault"), ("rough_trace", "breakthrough"), ("bent_line_arc", "breakthrough")}
    assert set(looked_up()) - told == paths
