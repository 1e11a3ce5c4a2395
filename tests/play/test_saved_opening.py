"""The opening of a saved game is checked as strictly as a file: whatever no file could say is refused, in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.opening import opening_data, opening_of
from tabletop.errors import Unreadable
from tabletop.play.files.load import load_scene
from tabletop.play.saves import save
from tabletop.play.saves.saved_opening import check_meaning, check_shape
from tests.games.positions import position
from tests.play.forger import rows_of, signed
from tests.play.kept_games import played

ROOT = Path(__file__).parents[2]
SCENES = sorted((ROOT / "scenarios").rglob("*.yaml"))
Data = dict[str, Any]


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("games") / "game.jsonl"
    played(2, path=path)
    return path.read_bytes()


def unit(opening: Data, name: str) -> Data:
    found: Data = next(row for row in opening["units"] if row["id"] == name)
    return found


def put(*keys: str | int, to: Any) -> Callable[[Data], None]:
    """Return what puts a value in an opening."""

    def change(opening: Data) -> None:
        place: Any = opening
        for key in keys[:-1]:
            place = unit(opening, key) if place is opening and key in ("kempt", "picton") else place[key]
        place[keys[-1]] = to

    return change


def stand_alike(opening: Data) -> None:
    unit(opening, "pack")["bases"] = [dict(base) for base in unit(opening, "kempt")["bases"]]


def circle(opening: Data) -> None:
    """Two generals of one side, each under the other."""
    picton = unit(opening, "picton")
    picton["parent"] = "second"
    opening["units"].append({**picton, "id": "second", "name": "second", "parent": "picton"})


def shifted(dx: float, dy: float) -> Callable[[Data], None]:
    """Return what puts the last base of a unit a little aside."""

    def change(opening: Data) -> None:
        base = unit(opening, "kempt")["bases"][-1]
        base["x"], base["y"] = base["x"] + dx, base["y"] + dy

    return change


def all_shifted(dx: float) -> Callable[[Data], None]:
    """Return what puts a whole unit aside."""

    def change(opening: Data) -> None:
        for base in unit(opening, "kempt")["bases"]:
            base["x"] += dx

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (put("kempt", "strength", to=4), "strength"),
        (put("kempt", "facing", to=1e9), "facing"),
        (put("kempt", "troop", to="hussites"), "there is no troop 'hussites'"),
        (put("kempt", "formation", to="phalanx"), "there is no formation 'phalanx'"),
        (put("kempt", "quality", to="splendid"), "there is no quality 'splendid'"),
        (put("kempt", "status", to="merry"), "there is no status 'merry'"),
        (put("kempt", "status", to=None), "status"),
        (put("kempt", "parent", to="nobody"), "unit 'kempt': parent: there is no unit 'nobody'"),
        (put("kempt", "parent", to="kempt"), "a unit is not its own parent"),
        (put("kempt", "parent", to="pack"), "unit 'kempt': 'pack' is infantry, no general"),
        (put("kempt", "parent", to="foy"), "unit 'kempt': 'foy' is of side 'french', this unit of 'allied'"),
        (circle, "makes a circle"),
        (shifted(0.2, 0.0), "bases do not stand as in its formation"),
        (shifted(0.0, -4.0), "bases do not stand as in its formation"),
        (put("kempt", "bases", 0, "facing", to=90.0), "bases do not stand as in its formation"),
        (put("kempt", "facing", to=45.0), "bases do not stand as in its formation"),
        (all_shifted(0.0001), "bases do not stand as in its formation, on the grid"),
        (put("kempt", "marks", to={"acted": True, "zzz": [1]}), "it cannot begin with the mark 'acted'"),
        (put("kempt", "marks", to={"started": None}), "it cannot begin with the mark 'started'"),
        (put("kempt", "marks", to={"colour": "javascript"}), "'javascript' is no colour"),
        (put("kempt", "marks", to={"colour": None}), "colour"),
        (put("kempt", "name", to="A\x1b[31mB"), "not one line that can be printed"),
        (put("kempt", "name", to="Kempt\nVerified"), "not one line that can be printed"),
        (put("kempt", "side", to="prussian"), "its sides are not the two"),
        (put("kempt", "id", to="pack"), "two of the unit 'pack'"),
        (put("kempt", "reference", to=9), "has no base of that number"),
        (put("kempt", "front_bases", to=[0, 1, 2, 3]), "its front bases cannot be so"),
        (put("kempt", "linear", to="yes"), "linear"),
        (put("kempt", "bases", to=[]), "bases"),
        (put("kempt", "bases", 0, "depth", to=9.0), "unit 'kempt'"),
        (put("kempt", "bases", 0, "frontage", to=-1.0), "frontage"),
        (put("kempt", "bases", 0, "x", to=True), "x"),
        (put("kempt", "bases", 0, "x", to=99.0), "bases do not stand as in its formation"),
        (all_shifted(99.0), "it stands off the table"),
        (stand_alike, "overlaps"),
        (put("table", "width", to=-3.0), "width"),
        (put("table", "unit", to="mm"), "measured in 'in'"),
        (put("table", "terrain", 0, "kind", to="volcano"), "kind"),
        (put("table", "terrain", 0, "sight", to="dazzling"), "sight"),
        (put("table", "terrain", 0, "id", to="wood"), "two of the piece of terrain 'wood'"),
        (put("table", "terrain", 0, "shape", "coordinates", to=[[[2, 2], [8, 8], [8, 2], [2, 8], [2, 2]]]), "crosses"),
        (put("rulings", "scale", to="huge"), "scale"),
        (put("rulings", "no_such", to=True), "no_such"),
        (put("rulings", to=[]), "rulings"),
        (put("setup", "turns", to=0), "turns"),
        (put("setup", "starts", to="25:00"), "starts"),
        (put("setup", "attacker", to="prussian"), "there is no side 'prussian'"),
        (put("setup", "objectives", 0, "holder", to="prussian"), "there is no side 'prussian'"),
        (put("setup", "options", to={"dragons": True}), "there is no option 'dragons'"),
        (put("setup", "arrivals", to=[]), "those still to come"),
        (put("setup", "sides", to=["french"]), "its sides are not the two"),
        (put("title", to="Another battle"), "title are not those of its opening"),
        (put("rules", to="realm-of-chance"), "opening position cannot be read"),
        (put("extra", to=1), "extra"),
    ],
)
def test_what_no_file_could_say_is_refused(
    tmp_path: Path, raw: bytes, change: Callable[[Data], None], says: str
) -> None:
    rows = rows_of(raw)
    change(rows[0]["opening"])
    path = tmp_path / "game.jsonl"
    path.write_bytes(signed(rows))
    with pytest.raises(Unreadable) as refused:
        save.read(path)
    assert says in str(refused.value)
    assert "game.jsonl:1:1: the opening position cannot be read" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_every_scene_that_comes_with_the_program_passes(path: Path) -> None:
    data = json.loads(json.dumps(opening_data(load_scene(path))))
    check_shape(data)
    check_meaning(opening_of(data))


@pytest.mark.parametrize("name", [f"{rules}:{k}" for rules in ("tse", "realm-of-chance") for k in range(0, 40, 3)])
def test_so_does_every_generated_position(name: str) -> None:
    data = json.loads(json.dumps(opening_data(position(name))))
    check_shape(data)
    check_meaning(opening_of(data))


def opening_with(tmp_path: Path, row: str) -> Data:
    """Return the opening of a scene with one unit, ``kempt``, written so."""
    path = tmp_path / "scene.yaml"
    head = "format: tabletop-scene/1\ntitle: One\nrules: tse\ntable: {unit: in, width: 40, height: 30}\nunits:\n"
    path.write_text(head + f"  - {{id: kempt, side: red, {row}}}\n", encoding="utf-8")
    data: Data = json.loads(json.dumps(opening_data(load_scene(path))))
    return data


@pytest.mark.parametrize(
    "row",
    [
        "{troop: infantry, bases: 4, formation: deployed, front_mid: [10.3, 10.1], facing: 33.3, reference: 1}",
        "{troop: infantry, bases: 4, formation: deployed, at: [10.3, 10.1], facing: 7, bend: [0, 9, -8, 3]}",
        "{troop: infantry, bases: 4, formation: march-column, track: [[10.1, 12.3], [10.4, 9.7], [14, 9.2], [15, 3]]}",
        "{troop: infantry, bases: 12, strength_override: true, formation: march-column, at: [12, 15], facing: 10}",
        "{troop: infantry, bases: 6, front: 3, formation: maneuver-column, front_mid: [12, 15], facing: 10}",
        "{troop: general, at: [10.7, 3.3], base: square}",
        "{troop: general, rank: army, at: [10.7, 3.3], base: [1.5, 1.5]}",
    ],
)
def test_so_does_every_way_to_write_a_unit(tmp_path: Path, row: str) -> None:
    """By its centre or its front, bent, along a track, over strength, on a base of its own."""
    data = opening_with(tmp_path, row[1:-1])
    check_shape(data)
    check_meaning(opening_of(data))


@pytest.mark.parametrize("formation", ["deployed", "march-column", "maneuver-column", "square"])
def test_a_unit_off_the_grid_is_refused_in_every_formation(tmp_path: Path, formation: str) -> None:
    data = opening_with(tmp_path, f"troop: infantry, bases: 4, formation: {formation}, at: [12, 15], facing: 10")
    check_meaning(opening_of(data))
    all_shifted(0.0001)(data)
    with pytest.raises(ValueError, match="on the grid of places"):
        check_meaning(opening_of(data))


def test_a_mark_is_no_number_for_a_truth() -> None:
    """The state tells true from 1."""
    data = json.loads(json.dumps(opening_data(load_scene(ROOT / "scenarios/destiny/disputes/the-crew-has-run.yaml"))))
    guns = next(row for row in data["units"] if row["marks"].get("abandoned"))
    guns["marks"]["abandoned"] = 1
    with pytest.raises(ValueError, match="it cannot begin with the mark 'abandoned' so"):
        check_meaning(opening_of(data))
