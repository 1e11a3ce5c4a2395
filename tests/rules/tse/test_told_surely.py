"""What is told of an answer without its proof is what the answer with its proof says (TSE-LOS-01, TSE-FIR-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.arc import fronts_of
from tabletop.geometry.line_of_sight import Search
from tabletop.judge import ask
from tabletop.judge.things import placed
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.fire.cover import Ground, fire_cover
from tabletop.rules.tse.fire.judge import may_surely_fire
from tabletop.rules.tse.fire.line_of_fire import line_measured_within, line_within
from tabletop.rules.tse.fire.shot import reach_of, shot_at
from tabletop.rules.tse.fire.weaker_cover import _may_be_crossed, _open, _sure_and_may, any_fire_cover
from tabletop.rules.tse.sight.judge import is_seen
from tests.firing import battle, block, piece
from tests.loaded import scenario
from tests.rules.tse.test_any_cover import scene

#: How far about its range (table units) a target is put.
ABOUT = (-0.02, -0.0052, -0.0048, -0.001, 0.001, 0.004, 0.0049, 0.0051, 0.006, 0.02)


def at_its_limit(seed: int) -> list[Battle]:
    """A scene, and the same with the target about as far off as the firer reaches."""
    one = scene(seed)
    firer, held = one.unit("firer"), one.unit("held")
    found, reach = shot_at(one, firer, held, held.footprint).range, reach_of(one, firer)
    if found is None or reach is None:
        return [one]
    return [one, *(placed(one, [held.moved(0.0, reach - found + more)]) for more in ABOUT)]


#: Scenes of every run: some in which a shot is told surely to be allowed, and some in which it is told not to be.
TOLD = (0, 4, 5, 6, 8, 10, 11, 17, 19, 20, 24)


@pytest.mark.parametrize("seeds", [TOLD, pytest.param(range(30), marks=pytest.mark.sweep)], ids=["some", "all"])
def test_whether_it_may_fire_is_told_as_with_its_proof(seeds: Sequence[int]) -> None:
    told: Counter[bool | None] = Counter()
    for seed in seeds:
        for one in at_its_limit(seed):
            sure = may_surely_fire(one, Request("fire", ("firer", "held")))
            told[sure] += 1
            assert sure in (None, ask(one, "fire", ("firer", "held")).holds), seed
    assert told[True] > len(seeds) and told[False] > len(seeds) // 3


@pytest.mark.parametrize(("scenes", "met_by"), [(24, 20), pytest.param(60, 50, marks=pytest.mark.sweep)])
def test_a_line_is_measured_within_exactly_as_far_as_the_range(scenes: int, met_by: int) -> None:
    """And any clear line tells as much, where one is no longer than its limit."""
    met: Counter[bool] = Counter()
    for seed in range(scenes):
        one = scene(seed)
        firer, held = one.unit("firer"), one.unit("held")
        shot = shot_at(one, firer, held, held.footprint)
        if shot.range is None or not one.rulings["same_part"]:
            continue
        for more in ABOUT:
            reach, t = shot.range + more, one.tape.t
            measured = line_measured_within(one, firer, held, shot.part, reach) is not None
            near = line_within(one, firer, held, shot.part, reach) is not None
            met[measured] += 1
            assert near or not measured
            if abs(abs(more) - t) > 1e-4:
                assert measured == (more > -t), (seed, more)
    assert met[True] > met_by and met[False] > scenes // 3


def test_whether_it_is_seen_is_told_as_with_its_proof() -> None:
    """Shifted by what changes it, and by less."""
    bras, told = scenario("tse/quatre-bras"), set()
    for a, b in (("brunswick-cavalry", "jamin"), ("soye", "saxe-weimar")):
        for shift in ((0.3 * k, 0.2 * k) for k in range(-2, 3)):
            there = placed(bras, [bras.unit(a).moved(*shift)])
            told.add(is_seen(there, Request("los", (a, b))))
            assert is_seen(there, Request("los", (a, b))) == ask(there, "los", (a, b)).holds
    assert told == {True, False}


def test_a_pair_of_cells_put_off_is_searched_to_the_end_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-01: of those that take long, a line may yet be found."""
    bras = scenario("tse/quatre-bras")
    said: dict[float, list[bool]] = {}
    for early in (1, 10**9):
        monkeypatch.setattr("tabletop.geometry.sight.shortest.EARLY", early)
        monkeypatch.setattr(Search, "answer", Search.run)
        said[early] = []
        for degrees in (0.0, 13.59375):
            there = placed(bras, [bras.unit("brunswick-cavalry").turned(degrees)])
            said[early].append(is_seen(there, Request("los", ("brunswick-cavalry", "jamin"))))
    assert said[1] == said[10**9] and set(said[1]) == {True, False}


def test_what_is_kept_of_obstacles_is_that_of_where_both_units_stand() -> None:
    """TSE-COV-07, TSE-COV-09: the same obstacles, another firer's or target's place."""
    told: Counter[bool] = Counter()
    for seed in range(6):
        one = scene(seed)
        for name in ("firer", "held"):
            for shift in ((-3.0, 0.0), (0.0, 0.0), (2.0, 0.0), (4.0, -0.5)):
                there = placed(one, [one.unit(name).moved(*shift)])
                held, firer = there.unit("held"), there.unit("firer")
                some = any_fire_cover(there, held, firer)[0]
                told[some] += 1
                assert some == (fire_cover(there, held, firer).rank > 0), (seed, name, shift)
    assert min(told[True], told[False]) > 5


def test_a_base_is_cut_off_as_the_ground_free_of_obstacles_tells() -> None:
    """TSE-COV-09: lines from the ends of the front that meet none tell the same sooner."""
    told: Counter[bool] = Counter()
    for seed in range(150):
        one = scene(seed)
        pieces = shapely.union_all([piece.shape for piece in one.table.terrain])
        for front in fronts_of(one.unit("firer").fronts):
            for base in one.unit("held").bases:
                ends = [front.left, front.right, *shapely.get_coordinates(base.polygon).tolist()]
                free = shapely.get_parts(shapely.difference(shapely.convex_hull(shapely.multipoints(ends)), pieces))
                joined = any(part.distance(front.edge) < 1e-9 and part.distance(base.polygon) < 1e-9 for part in free)
                told[joined] += 1
                assert _open(front, base.polygon, pieces) == joined, seed
    assert min(told[True], told[False]) > 5


def test_a_wall_is_kept_for_the_place_from_which_it_is_in_the_way() -> None:
    """TSE-COV-09: before the firer it cuts all bases off, and beside him it is in no line's way."""
    wall, held = piece("wall", "wall", [(-4, 3.75), (4, 3.75)]), block("held", "red", (-2.0, 2.0), (4.0, 4.75))
    firer = block("firer", "blue", (-2.0, 2.0), (-1.0, 0.0), troop="light-foot-artillery")
    before = battle(firer, held, terrain=(wall,))
    beside = placed(before, [firer.moved(0.0, 8.0).turned(180.0)])
    for on, cut in ((before, True), (beside, False), (before, True)):
        ground = Ground.near(on, on.unit("held"), "fire")
        assert _sure_and_may(ground, on.unit("firer"))[0] == [cut] * 4
        assert [_may_be_crossed(ground, on.unit("firer"), i) for i in range(4)] == [cut] * 4
