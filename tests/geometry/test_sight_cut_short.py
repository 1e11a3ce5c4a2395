"""A search for a sight line that ends before it is through says so: in the answer, its margin, its certainty."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.explain import explain
from tabletop.geometry.line_of_sight import SightLaw, sight
from tabletop.geometry.sight import search, shortest
from tabletop.geometry.sight.unproved import unproved
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.time_limit import TimeIsUp, ended_by
from tabletop.judge import ask, judge
from tabletop.play.files.load import load_scene, load_scene_data

ROOT = Path(__file__).resolve().parents[2]
A, B = shapely.box(4, 10, 6, 11), shapely.box(20, 10, 22, 11)
FAR = shapely.box(30, 1, 31, 2)


@pytest.fixture(autouse=True)
def forgotten() -> None:
    """Nothing is known of other tables with the same woods."""
    shortest.forget()


def wooded() -> Table:
    """Woods with a slit between them that leads past both units: no one piece hides all of the one from the other."""
    rows = [(10.0, 10.4, 14.0, 16.0), (15.0, 4.0, 18.0, 10.6), (11.0, 3.0, 13.0, 10.35)]
    boxes = [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for x0, y0, x1, y1 in rows]
    return Table.of("in", 40, 30, [Terrain.of_kind(f"w{k}", "woods", outline=box) for k, box in enumerate(boxes)])


def battle() -> Battle:
    unit = {"troop": "infantry", "bases": 2, "formation": "maneuver-column", "front": 2}
    woods = [
        {
            "id": piece.id,
            "kind": "woods",
            "outline": [list(p) for p in shapely.get_coordinates(piece.shape)[:-1].tolist()],
        }
        for piece in wooded().terrain
    ]
    rows: list[dict[str, Any]] = [
        {"id": "a", "side": "red", "at": [5, 10.5], "facing": 90, **unit},
        {"id": "b", "side": "blue", "at": [21, 10.5], "facing": 270, **unit},
    ]
    head = {"format": "tabletop-scene/1", "title": "Woods", "rules": "tse", "rulings": {}}
    return load_scene_data(
        {**head, "table": {"unit": "in", "width": 40, "height": 30}, "terrain": woods, "units": rows}
    )


def test_a_search_that_is_through_leaves_no_note() -> None:
    table = wooded()
    sight(table, A, B, SightLaw())
    assert unproved(table, (A, B)) == 0


def test_a_search_whose_time_is_up_is_given_up_and_nothing_of_it_is_kept() -> None:
    table = wooded()
    with ended_by(time.process_time()), pytest.raises(TimeIsUp):
        sight(table, A, B, SightLaw())
    assert unproved(table, (A, B)) == 0
    assert sight(table, A, B, SightLaw()) == sight(wooded(), A, B, SightLaw())


def test_a_search_that_ends_early_is_noted_with_whom_it_was_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the answer is remembered and asked for again."""
    monkeypatch.setattr(search, "MOST", 1)
    table = wooded()
    for _ in range(2):
        assert not sight(table, A, B, SightLaw()).seen
        assert unproved(table, (A, B)) >= 1 and unproved(table, (B,)) >= 1
    assert unproved(table, (FAR,)) == 0


def test_it_is_told_of_every_table_where_the_same_pieces_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    """For these are answered by the same search."""
    monkeypatch.setattr(search, "MOST", 1)
    table = wooded()
    hedge = Terrain.of_kind("hedge", "hedge", line=[(1, 1), (1, 9)])
    beside = Table.of("in", 40, 30, [*table.terrain, hedge])
    sight(beside, A, B, SightLaw())
    there = beside.with_pieces([hedge.moved(1.0, 0.0)])
    assert unproved(there, (A, B)) >= 1 and unproved(there, (FAR,)) == 0
    assert unproved(there.with_pieces([table.terrain[0].moved(0.1, 0.0)]), (A, B)) == 0


def test_what_was_cut_short_is_not_shared_by_tables_on_which_the_same_lies_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of each it is told anew; what was searched to the end is the same wherever other pieces lie."""
    far = Terrain.of_kind("far", "woods", outline=[(30, 20), (30.2, 20), (30.2, 20.2), (30, 20.2)])
    beside = Table.of("in", 40, 30, [*wooded().terrain, far])

    def cut(x: float, y: float, most: int) -> int:
        monkeypatch.setattr(search, "MOST", most)
        there = beside.with_pieces([far.moved(x, y)])
        assert not sight(there, A, B, SightLaw()).seen
        return unproved(there, (A, B))

    assert cut(0.0, 0.0, 1) >= 1 and cut(1.0, 0.0, 1) >= 1
    assert cut(2.0, 0.0, 100_000) == 0
    assert cut(3.0, 0.0, 1) == 0
    assert cut(-11.0, -9.7, 1) >= 1, "now it lies between them"


@pytest.mark.usefixtures("few_placements")
def test_what_was_not_searched_to_the_end_is_never_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"error": (0.01, 0.1)}
    proved = judge(battle(), "los", ["a", "b"], options)
    assert not proved.holds and proved.certainty is not None and proved.certainty.certain
    assert "unproved" not in proved.as_json() and "Not proved" not in explain(proved, battle())
    monkeypatch.setattr(search, "MOST", 1)
    shortest.forget()
    cut = judge(battle(), "los", ["a", "b"], options)
    assert cut.certainty is not None and not cut.certainty.certain and cut.certainty.unproved >= 1
    assert cut.unproved >= 1 and cut.searched is not None and cut.searched.unproved >= 1
    assert cut.as_json()["unproved"] == {"searched": cut.unproved_after, "of": "bundles of sight lines"}
    words = explain(cut, battle())
    assert "Not proved: a search for a sight line ended after" in words and "Not certain" in words


def test_past_a_friend_into_a_wood_no_search_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-FIR-12, TSE-LOS-10: a line long enough to come out of a friend's shadow may spend too much in the wood.

    Lines at the end of both took 100,000 bundles as long as the wood was asked before the friend.
    """
    monkeypatch.setattr(search, "MOST", 5_000)
    bras = load_scene(ROOT / "scenarios/tse/quatre-bras.yaml")
    verdict = ask(bras, "fire", ("jerome-guns", "bijlandt"))
    assert verdict.holds and verdict.measured["range"] == pytest.approx(6.644459, abs=5e-5)
    footprints = [bras.unit(name).footprint for name in ("jerome-guns", "bijlandt")]
    assert unproved(bras.table, footprints) == 0
