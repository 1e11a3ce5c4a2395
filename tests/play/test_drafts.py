"""A scene as rows: what any file lays on the table comes back the same, as text, as rows, and from a saved moment."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import snap, snap_facing, turn_between
from tabletop.judge import judge
from tabletop.play.engine import mover
from tabletop.play.files import named_files
from tabletop.play.files.check import check_files
from tabletop.play.files.draft import Draft, empty, entered, entered_facing, laid
from tabletop.play.files.draft_from_file import draft_of, open_draft
from tabletop.play.files.file_text import written
from tabletop.play.files.load import load_scene, load_table
from tabletop.play.files.scene_text import scene_text
from tabletop.play.files.troop_register import counts_for, fronts_for, mustered, new_row, words_for
from tabletop.play.files.yaml_text import parse
from tabletop.play.match import made, named
from tabletop.play.session import Session
from tabletop.rules import rule_set

ROOT = Path(__file__).parents[2]
TABLES = sorted(path for folder in ("maps", "scenarios") for path in (ROOT / folder).rglob("*.yaml"))
SCENES = sorted((ROOT / "scenarios" / "tse" / "disputes").glob("*.yaml"))
#: How far, in table units and degrees, a unit may come to stand from where its battle has it: a step of the grid.
STEP, TURN = 1 / 1024, 1 / 16
#: How much farther a base for each unit of length it is from the middle: half a step of the facings' grid.
SWING = math.radians(1 / 128)


def saved(draft: Draft, folder: Path) -> Path:
    path = folder / "scene.yaml"
    path.write_text(scene_text(draft), "utf-8")
    return path


def same_stand(a: Unit, b: Unit) -> bool:
    pairs = list(zip(a.bases, b.bases, strict=True))
    near = all(math.dist(x.centre, y.centre) <= STEP + SWING * math.dist(x.centre, a.at) for x, y in pairs)
    turned = all(abs(turn_between(getattr(x, "facing", 0.0), getattr(y, "facing", 0.0))) <= TURN for x, y in pairs)
    return near and turned and (a.formation, a.quality, a.status) == (b.formation, b.quality, b.status)


def same_battle(a: Battle, b: Battle) -> bool:
    return [u.id for u in a.units] == [u.id for u in b.units] and all(
        same_stand(x, y) for x, y in zip(a.units, b.units, strict=True)
    )


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_shipped_table_opens_saves_and_stands_the_same(path: Path, tmp_path: Path) -> None:
    draft, battle = open_draft(path), load_table(path)
    found = laid(draft)
    assert found.sound
    again = load_scene(saved(draft, tmp_path))
    assert again == found.battle and again.table == battle.table
    assert same_battle(again, battle) and again.rulings == battle.rulings
    assert not [fault for fault in check_files([str(tmp_path / "scene.yaml")]) if not fault.warning]


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_scene_written_anew_is_the_same_battle_to_the_last_digit(path: Path, tmp_path: Path) -> None:
    assert load_scene(saved(open_draft(path), tmp_path)) == load_scene(path)


@pytest.mark.parametrize("scenario", ["tse/skirmish", "realm-of-chance/drill-ground"])
def test_a_saved_moment_opens_as_it_stood(scenario: str, tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    battle = load_scene(ROOT / "scenarios" / f"{scenario}.yaml")
    session = Session.start(battle, 5, named(battle, "greedy,greedy"), game)
    players = made(session.header.players, 5)
    while (side := mover(session.battle)) is not None and len(session.steps) < 40:
        session.do(players[side].choose(session.battle).action)
    assert len(session.steps) > 10 and named_files.is_game(game)
    draft = open_draft(game)
    found = laid(draft)
    assert found.sound, [fault.text for fault in found.faults]
    assert same_battle(found.battle, session.battle)
    assert same_battle(laid(open_draft(game, "4")).battle, session.steps[4].battle)


def test_the_ground_of_a_battle_is_written_from_its_table() -> None:
    for path in (ROOT / "maps").glob("*.yaml"):
        table = load_table(path)
        for a, b in zip(table.table.terrain, laid(draft_of(table)).battle.table.terrain, strict=True):
            assert (a.id, a.kind, a.level, a.movement, a.sight, a.cover_fire, a.see_through) == (
                b.id, b.kind, b.level, b.movement, b.sight, b.cover_fire, b.see_through,
            )  # fmt: skip
            assert a.shape.symmetric_difference(b.shape).area < 0.002


def test_a_faulty_draft_is_shown_as_far_as_it_goes() -> None:
    draft = open_draft(ROOT / "scenarios" / "tse" / "disputes" / "level-shadow.yaml")
    wrong = draft.with_rows(
        [{**draft.unit("near"), "front_mid": [40.0, 10.0]}, {**draft.unit("far"), "formation": "octagon"}],
        [{"id": "knot", "kind": "lake", "outline": [[1, 1], [3, 3], [3, 1], [1, 3]]}],
    )
    found = laid(wrong)
    assert not found.sound
    said = " ".join(fault.text for fault in found.faults)
    assert "stands off the table" in said and "octagon" in said and "crosses" in said
    assert found.battle.has("near") and not found.battle.has("far")
    assert "knot" not in [piece.id for piece in found.battle.table.terrain]


def test_the_table_is_kept_where_only_units_change() -> None:
    draft = open_draft(ROOT / "scenarios" / "tse" / "disputes" / "level-shadow.yaml")
    first = laid(draft)
    second = laid(draft.with_rows([{**draft.unit("near"), "front_mid": [18.0, 10.0]}]), first)
    assert second.battle.table is first.battle.table and second.battle != first.battle


def test_whoever_goes_is_nobody_s_general() -> None:
    general = {"id": "ney", "side": "blue", "troop": "general", "at": [5, 5]}
    foot = {"id": "foot", "side": "blue", "troop": "infantry", "bases": 4, "formation": "deployed", "at": [5, 9],
            "facing": 0, "parent": "ney"}  # fmt: skip
    draft = empty("tse", 20, 20).with_rows([general, foot]).without(["ney"])
    assert laid(draft).sound and "parent" not in draft.unit("foot")


# --- numbers and words -----------------------------------------------------------------------------------------------


@given(st.floats(-20_000, 20_000), st.floats(-20_000, 20_000), st.floats(-720, 720))
def test_what_a_row_holds_is_read_back_on_the_same_step_of_the_grid(x: float, y: float, degrees: float) -> None:
    a, b = entered((x, y))
    assert (snap(a), snap(b)) == (snap(x), snap(y))
    assert snap_facing(entered_facing(degrees)) == snap_facing(degrees)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e6, 1e6)
    | st.text(st.characters(min_codepoint=32, max_codepoint=0x2000, exclude_characters="\x7f"), max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc-_", min_size=1), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.text("abcdefgh", min_size=1), PLAIN, min_size=1, max_size=4))
def test_whatever_is_written_is_read_back(data: dict[str, object]) -> None:
    text = "\n".join(f"{key}: {written(value)}" for key, value in data.items())
    if any(0x7F <= ord(c) < 0xA0 for c in text):
        return  # no name holds these: the reader refuses them wherever they stand
    assert parse("test", text).data == data


# --- the muster roll -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rule_set.NAMES)
def test_every_kind_of_troops_has_a_plain_row_and_every_word_offered_is_taken(name: str) -> None:
    rules = rule_set.find(name)
    rulings = rules.ruling_values()
    for troop in rules.vocabulary["troop"]:
        row = {"id": "x", "side": "blue", "at": (0.0, 0.0), **new_row(name, troop)}
        assert isinstance(mustered(rules, rulings, row), Unit)
        for key in ("quality", "formation", "status", "rank"):
            for word in words_for(rules, rulings, row, key):
                unit = mustered(rules, rulings, {**row, key: word})
                assert isinstance(unit, Unit) and (getattr(unit, key) == word or unit.marks.get(word))
        for count in counts_for(rules, rulings, row):
            unit = mustered(rules, rulings, {**row, "bases": count})
            assert isinstance(unit, Unit) and unit.strength == count


def test_a_front_is_offered_only_where_it_makes_a_difference() -> None:
    rules = rule_set.find("tse")
    rulings = rules.ruling_values()
    row = {"id": "x", "side": "blue", "at": (0.0, 0.0), **new_row("tse", "infantry"), "bases": 6}
    assert fronts_for(rules, rulings, row) == ()
    assert fronts_for(rules, rulings, {**row, "formation": "maneuver-column"}) == (2, 3)


def test_a_verdict_on_a_draft_is_that_on_its_file(tmp_path: Path) -> None:
    draft = open_draft(ROOT / "scenarios" / "tse" / "teaching.yaml")
    battle, again = laid(draft).battle, load_scene(saved(draft, tmp_path))
    pairs = [(a.id, b.id) for a in battle.units for b in battle.enemies(a) if not a.is_general][:12]
    for pair in pairs:
        options = {"margin": False}
        assert judge(battle, "los", pair, options).as_json() == judge(again, "los", pair, options).as_json()
