"""What a typed line means: names, verbs, options; and lines that mean nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import heading, snap_facing
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.routes import as_far_as_it_may, length_of
from tabletop.play.typed.names import find_place, find_unit, two_units
from tabletop.play.typed.options import OPTIONS, read_options
from tabletop.play.typed.reading import kinds_of, read_in_turn, taken_apart
from tabletop.terminal.commands import COMMANDS
from tabletop.terminal.layout import WIDTH
from tests.terminal.typist import QUATRE_BRAS, ROOT, first, typist

FIELD = load_scene(QUATRE_BRAS)
DRILL = load_scene(ROOT / "scenarios/realm-of-chance/drill-ground.yaml")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("foy", "foy"),
        ("FOY", "foy"),
        ("foy-g", "foy-guns"),
        ("Jérôme", "jerome"),
        ("jerome's battery", "jerome-guns"),
        ("foy’s battery", "foy-guns"),
        ("wathiez's lancers", "wathiez"),
        ("brunswick light", "brunswick-light"),
        ("5th militia", "bijlandt-left"),
        ("cuirassiers", "guiton"),
    ],
)
def test_names(typed: str, meant: str) -> None:
    assert find_unit(FIELD, typed).id == meant


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("gu", "could be any of: guiton, guard-guns"),
        ("fooy", "nobody here is called 'fooy'; did you mean 'foy'?"),
        ("zzz", "nobody here is called 'zzz'; there are:"),
        ("", "nobody here is called ''"),
        ("x" * 5000, "nobody here is called 'xxx"),
        ("\x1b[2J", "nobody here is called '?[2J'"),
    ],
)
def test_names_that_will_not_do(typed: str, says: str) -> None:
    with pytest.raises(BadQuestion) as fault:
        find_unit(FIELD, typed)
    assert says in str(fault.value).replace("guard-guns, guiton", "guiton, guard-guns")
    assert len(str(fault.value)) < 500


def test_of_several_ones_own_is_meant() -> None:
    """A word that fits a unit of each side means the actor's side first, the enemy's second."""
    teaching = load_scene(ROOT / "scenarios/tse/teaching.yaml")
    actor, target = two_units(teaching, ["12-pounders", "blue", "12-pounders"], "red")
    assert target is not None
    assert (actor.id, target.id) == ("red-heavy-guns", "blue-heavy-guns")
    unit, enemy = two_units(FIELD, ["gauthier", "5th", "militia", "and", "27th"], "french")
    assert enemy is not None
    assert (unit.id, enemy.id) == ("gauthier", "bijlandt-left")
    unit, enemy = two_units(FIELD, ["bachelu's", "battery"], "french")
    assert (unit.id, enemy) == ("bachelu-guns", None)


def test_places() -> None:
    assert find_place(FIELD, "to", ["crossroads"]) == (14.5, 29.5), "ground to hold comes before ground"
    assert find_place(FIELD, "to", ["30,20.5"]) == (30.0, 20.5)
    assert find_place(FIELD, "to", ["foy"]) == FIELD.unit("foy").at
    wood = next(piece for piece in FIELD.table.terrain if piece.id == "hutte-wood")
    assert find_place(FIELD, "to", ["Bois", "de", "la", "Hutte"]) == pytest.approx(
        (wood.shape.centroid.x, wood.shape.centroid.y)
    )
    with pytest.raises(BadQuestion, match="no place 'crosroads' for 'to'; did you mean 'crossroads'"):
        find_place(FIELD, "to", ["crosroads"])


@pytest.mark.parametrize(
    ("battle", "verb", "kinds"),
    [
        (FIELD, "assault", ["assault"]),
        (FIELD, "assaults", ["assault"]),
        (FIELD, "charge", ["assault"]),
        (FIELD, "fire", ["deployed-fire", "advancing-fire"]),
        (FIELD, "fires", ["deployed-fire", "advancing-fire"]),
        (FIELD, "man", ["maneuver"]),
        (FIELD, "dep", ["deploy", "deployed-fire"]),
        (FIELD, "march", ["march"]),
        (FIELD, "route-march", ["route-march"]),
        (DRILL, "charge", ["charge"]),
        (DRILL, "fire", ["bombard"]),
        (DRILL, "attack", ["combat"]),
    ],
)
def test_verbs(battle: Battle, verb: str, kinds: list[str]) -> None:
    assert kinds_of(battle, verb) == kinds


@pytest.mark.parametrize("verb", ["sit", "asault", "a", "²", "", "--help", "kempt"])
def test_verbs_that_will_not_do(verb: str) -> None:
    with pytest.raises(BadQuestion, match="no action or command"):
        kinds_of(FIELD, verb)


def test_a_sentence_may_begin_with_the_unit() -> None:
    assert taken_apart(FIELD, "jamin assaults the brunswick light brigade") == taken_apart(
        FIELD, "assaults jamin brunswick light brigade"
    )
    assert taken_apart(FIELD, "brunswick light brigade fires at jamin").verb == "fires"
    said = taken_apart(FIELD, "foy's battery toward kempt 2")
    assert (said.verb, said.named, said.options) == ("move", ("foy's", "battery"), {"toward": ["kempt", "2"]})
    assert taken_apart(FIELD, "kempt jamin").verb == "jamin", "and no such action is found"


def options(line: str, unit: str = "jamin", goes: bool = True, battle: Battle = FIELD) -> tuple[dict[str, Any], bool]:
    said = taken_apart(battle, f"hold {unit} {line}")
    return read_options(battle, battle.anyone(unit), goes, said.options)


@pytest.mark.parametrize(
    ("line", "degrees"),
    [("facing 45", 45.0), ("facing -90", 270.0), ("facing south", 180.0), ("facing north-east", 45.0),
     ("facing nnw", 337.5), ("facing South West", 225.0)],
)  # fmt: skip
def test_facing(line: str, degrees: float) -> None:
    assert options(line)[0] == {"facing": pytest.approx(snap_facing(degrees))}


def test_facing_a_place_a_unit_and_toward() -> None:
    jamin, kempt = FIELD.unit("jamin"), FIELD.unit("kempt")
    (x, y), (ex, ey) = jamin.at, kempt.at
    east, north = heading(options("facing kempt")[0]["facing"])
    assert east * (ey - y) == pytest.approx(north * (ex - x), abs=0.01)
    assert options("toward kempt", goes=False) == options("facing kempt")
    assert options("toward kempt")[0] == {"path": (pytest.approx(kempt.at, abs=0.001),)}


def test_ways_are_exact_where_a_length_or_a_point_is_said() -> None:
    assert options("forward 2")[1] is False
    assert options("to 30,20") == ({"to": (30.0, 20.0)}, False)
    assert options("path 30,20 30,24") == ({"path": ((30.0, 20.0), (30.0, 24.0))}, False)
    assert options("forward")[1] is True
    assert options("to crossroads")[1] is True
    assert options("toward crossroads")[1] is True
    assert options("toward crossroads 3")[1] is False


def test_a_shift_for_who_goes_no_way() -> None:
    assert options("forward 0.5", "soye", goes=False)[0]["shift"] == pytest.approx((0.087, 0.492), abs=0.001)
    assert options("shift 0.5,-0.25", goes=False)[0] == {"shift": (0.5, -0.25)}
    with pytest.raises(BadQuestion, match="'forward' takes one word"):
        options("forward", goes=False)
    with pytest.raises(BadQuestion, match="this action goes no way"):
        options("to 30,20", goes=False)


def test_along_a_road() -> None:
    """On to the road by the shortest way, along it toward the place, no farther."""
    found, clipped = options("along charleroi road to frasnes", "wathiez")
    path, road = found["path"], next(p for p in FIELD.table.terrain if p.id == "charleroi-road")
    assert clipped
    assert road.line is not None
    assert all(road.line.distance(_point(p)) < 0.01 for p in path)
    assert path[-1][1] < path[0][1], "Frasnes lies south"
    north, _ = options("along charleroi", "wathiez")
    assert north["path"][-1] == pytest.approx((14.5, 29.5), abs=0.01), "the way it faces, to the road's end"
    with pytest.raises(BadQuestion, match="no road 'charlroi' to go along; did you mean 'charleroi-road'"):
        options("along charlroi", "wathiez")


def _point(p: Any) -> Any:
    import shapely

    return shapely.Point(p)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("in square", {"formation": "square"}),
        ("in line", {"formation": "deployed"}),
        ("into march column", {"formation": "march-column"}),
        ("formation maneuver", {"formation": "maneuver-column"}),
        ("front 3", {"front": 3}),
        ("ref 2 bend 10,0,-10", {"ref": 2, "bend": (10.0, 0.0, -10.0)}),
        ("firing", {"to_fire": True}),
        ("length 6", {"length": 6.0}),
        ("with soye, bauduin", {"with": ("soye", "bauduin")}),
        ("stance advance", {"stance": "advance"}),
        ("from kempt", {"from": "kempt"}),
    ],
)
def test_shape_and_others(line: str, found: dict[str, Any]) -> None:
    assert options(line)[0] == found


def test_units_as_addressees() -> None:
    found, _ = options("stance hold for french-1 french-2", "colonel", goes=False, battle=DRILL)
    assert found == {"stance": "hold", "to": ("french-1", "french-2")}
    assert options("to french-1", "colonel", goes=False, battle=DRILL)[0] == {"to": ("french-1",)}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("to", "'to' wants something after it, such as 'to 30,20"),
        ("to 30,", "no place '30,'"),
        ("to 1,2,3", "must be two numbers"),
        ("to nan,1", "must be a number"),
        ("to 1e999,0", "must be a number"),
        ("to 99999999,0", "out of bounds"),
        ("forward -3", "'forward' takes a length, not -3"),
        ("forward x", "must be a number, not 'x'"),
        ("forward 1e9", "out of bounds"),
        ("toward kempt -4", "no place 'kempt -4'"),
        ("facing", "'facing' wants something"),
        ("facing 1 2", "'facing' takes one word"),
        ("facing up", "no place 'up'"),
        ("front 2.5", "must be a whole number"),
        ("front -1", "must be a whole number"),
        ("ref 1e30", "must be a whole number"),
        ("path 1,2 3", "must be two numbers"),
        ("path " + "1,2 " * 300, "the most is 200"),
        ("in hedgehog", "no formation 'hedgehog'"),
        ("in", "wants something after it"),
        ("bend 1,x", "must be a number"),
        ("with nobody", "nobody here is called 'nobody'"),
        ("along", "'along' wants something"),
        ("stance", "takes one word"),
    ],
)
def test_options_that_will_not_do(line: str, says: str) -> None:
    with pytest.raises(BadQuestion) as fault:
        options(line)
    assert says in str(fault.value)
    assert "--" not in str(fault.value), "the prompt has no options with dashes"


def test_what_a_column_may_mean_is_said() -> None:
    assert options("in column")[0] == {"formation": "maneuver-column"}
    with pytest.raises(BadQuestion, match="'m' could be any of: maneuver-column, march-column"):
        options("in m")


def test_as_far_as_it_may_is_allowed_and_no_farther_is_by_much() -> None:
    """The way given back is allowed; an eighth of a sixteenth of the whole farther it would not be."""
    ready, action = read_in_turn(FIELD, "maneuver wathiez forward 30")
    assert not engine.judge(ready, action).holds
    found = as_far_as_it_may(ready, action)
    assert found is not None
    assert engine.judge(ready, found).holds
    far = length_of(ready.unit("wathiez"), found.options["path"])
    _, farther = read_in_turn(FIELD, f"maneuver wathiez forward {far + 30 / 128 + 0.01}")
    assert not engine.judge(ready, farther).holds


def test_nothing_of_a_way_may_be_allowed() -> None:
    ready, action = read_in_turn(FIELD, "maneuver kempt forward 4")
    found = as_far_as_it_may(ready, action)
    assert found is None or engine.judge(ready, found).holds


# --- hostile lines ---------------------------------------------------------------------------------------------------

HOSTILE = [
    "²", "٣", "1e9", "-1", "0", "99999999999999999999", "999999999999999999999999 1", "!", "!!!", "? ? ?", "''", '"',
    "answer", "answer ", "assault", "assault jamin jamin", "assault jamin jamin jamin jamin", "choose", "choose nobody",
    "maneuver jamin to", "maneuver jamin to to to", "deploy jamin toward", "odds", "odds odds odds", "why", "why why",
    "why can't I", "hint nobody", "menu", "menu nobody", "card", "save", "save /nowhere/at/all.jsonl", "save /",
    "auto human", "auto nobody", "auto ²", "auto greedy x", "log -1", "log 1e9", "log ٣", "ask", "ask los",
    "ask los jamin", "ask los jamin kempt foy", "ask move jamin", "ask move jamin to nan,nan", "ask reach",
    "ask cover jamin",
    "ask line", "ask fallback jamin from kempt", "ask fallback jamin from kempt distance -2", "redo", "confirm maybe",
    "\x00", "\x1b[31mred", "a" * 100_000, "x " * 5_000, "maneuver jamin path " + "1,1 " * 5000, "hold \u202e jamin",
    "route-march jamin", "general jamin forward", "regroup jamin in square", "hold kempt", "hold nobody", "finish now",
    "maneuver jamin forward 0", "maneuver jamin to 0,0", "maneuver jamin to -5,-5", "maneuver jamin front 99 forward 1",
    "march jamin head 77 forward 1", "deploy jamin ref 99", "deploy jamin bend 1", "square jamin ref -1", "jamin",
    "1,2",
    "deploy jamin", "maneuver jamin", "fire jamin", "assault jamin ney", "assault ney jamin", "fire foy kempt",
    "maneuver halkett forward 2", "card halkett", "menu halkett", "menu kellermann", "with with with", "to", "form foy",
]  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE, ids=range(len(HOSTILE)))
def test_no_line_breaks_the_prompt(line: str) -> None:
    """One clear answer of lines that fit the screen, nothing changed but by an allowed action; never a defect."""
    typing = first(typist(), "foy")
    said = typing.type(line)
    assert said or not line.strip("\x00 ")
    assert all(len(row) <= WIDTH for row in said.splitlines()), said
    assert "--to" not in said
    assert all(c.isprintable() or c == "\n" for c in said)


@pytest.mark.parametrize("seed", range(3))
def test_no_mixture_of_words_breaks_it(seed: int) -> None:
    rng = Random(seed)
    typing = first(typist(seed=seed), "foy")
    units = [unit.id for unit in typing.battle.units][:12]
    words = [
        *engine.play_of(typing.battle).kinds,
        *OPTIONS,
        *units,
        *COMMANDS,
        "3",
        "14,20",
        "yes",
        "no",
        "crossroads",
        "²",
    ]
    words = [word for word in words if word not in ("save", "auto", "report", "map", "quit")]
    for _ in range(60):
        typing.type(" ".join(rng.choice(words) for _ in range(rng.randint(1, 5))))


@pytest.mark.parametrize("battle", [FIELD, DRILL], ids=["a", "b"])
def test_other_words_mean_kinds_or_formations_there_are(battle: Battle) -> None:
    """No word hides a kind of action, and each means something."""
    from tabletop.rules import rule_set

    play = engine.play_of(battle)
    known = {*play.kinds, *rule_set.find(battle.rules).vocabulary["formation"]}
    assert play.words
    for word, meanings in play.words.items():
        assert meanings, word
        assert set(meanings) <= known, word
        assert word not in play.kinds, word
