"""What is told of a pair of cells before any line is looked at, beside lines drawn between them at random."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import shapely

from tabletop.geometry.line_of_sight import seen_by
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.law import SightLaw, clear, crossings, effect, join, line_between, normalised, work_of
from tabletop.geometry.sight.obstruction import SHRUNK, Ground, ground_of, packed
from tabletop.geometry.sight_cells import Cell, cells_of, whole_of
from tabletop.geometry.sight_pair import pair_of
from tabletop.geometry.sight_pivots import clip, heading_of
from tabletop.geometry.sight_sure import settled, spends_all
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import HIGH, WIDE, pieces, points_of, star, unit
from tests.geometry.test_sight_about_corners import LAWS, Case, bundle, mixed_cases

#: Kinds of ground that a whole unit stands in.
LARGE = ("woods", "hill")


def lines(case: Case, rng: np.random.Generator, count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return lines from points of the one cell to points of the other."""
    ends = []
    for cell in (case.pair.high, case.pair.low):
        weight = rng.dirichlet(np.full(len(cell.points), 0.5), count)
        ends.append(weight @ (cell.points + 1e-4 * (cell.points.mean(axis=0) - cell.points)))
    a, b = normalised(*ends)
    return a, b


def crossed_and_hidden(
    ground: Ground, b: int, starts: np.ndarray, ends: np.ndarray, law: SightLaw
) -> tuple[np.ndarray, np.ndarray]:
    """Return which lines cross one obstruction, and of which it hides the lower end."""
    o = packed(ground, False)
    work, found = work_of(o, False), []
    for (px, py), (qx, qy) in zip(starts.tolist(), ends.tolist(), strict=True):
        line = line_between(o, px, py, qx, qy, work)
        n = crossings(o, b, line, work.where)
        join(work.where, 0, n)
        held = work.at_start[b], work.at_end[b]
        done = effect(o, b, work.where, work.roles, (0, n), line, held, law.rulings(0.0))
        found.append((done.far >= 0.0, done.hides))
    crossed, hides = np.array(found).T
    return crossed, hides


@pytest.mark.parametrize("law", [LAWS["usual"], LAWS["crest_edge"], LAWS["own_hill_exempt"]])
def test_what_is_sure_is_so_of_every_line(law: SightLaw) -> None:
    """TSE-LOS-06, TSE-LOS-10, TSE-FIR-12: what hides all hides each, what hides nothing none; and much is settled."""
    met: Counter[str] = Counter()
    for n, case in enumerate(mixed_cases(law, 300, 60)):
        found, ground = settled(case.pair), ground_of(case.table)
        a, b = lines(case, np.random.default_rng(n))
        seen = case.clear(a, b) & ~case.grazed(a, b)
        if found.hopeless:
            met["hopeless"] += 1
            assert not seen.any()
            continue
        walls = {bar.index for bar in found.walls} - {bar.index for bar in case.pair.walls}
        shades = {bar.index for _, bar in found.shades}
        for _, bar in case.pair.shades:
            crossed, hides = crossed_and_hidden(ground, bar.index, a, b, law)
            crossed &= ~case.grazed(a, b)
            if bar.index in walls:
                met["hides"] += 1
                assert hides[crossed].all()
                assert not seen[crossed].any()
            elif bar.index not in shades:
                met["hides nothing"] += 1
                assert not hides[crossed].any()
            else:
                met["open"] += 1
        for one in case.pair.over:
            if one not in found.over:
                met["passed over"] += 1
                if one.bar in found.walls:
                    without = clear(ground, a, b, law, tuple(s for s in case.screens if s != one.screen), 0.0)
                    assert (without | ~seen).all()
    assert met["hides"] + met["hides nothing"] > 0.4 * met["open"], met
    assert min(met[kind] for kind in ("hides", "hides nothing", "open")) >= 2, met


@pytest.mark.parametrize(("deep", "hopeless"), [(4.0, True), (3.1, True), (2.9, False), (1.0, False)])
@pytest.mark.parametrize("swap", [False, True])
def test_too_deep_in_a_wood_to_see_out(deep: float, hopeless: bool, swap: bool) -> None:
    """TSE-LOS-10: farther from its edge than sight goes through it, whichever end stands in it."""
    wood = Terrain.of_kind("wood", "woods", outline=[(0, 0), (12, 0), (12, 20), (0, 20)])
    table = Table.of("in", 30, 20, [wood])
    ground = ground_of(table)
    x = 12.0 - deep
    inside = Cell(
        np.array([(x - 1.0, 9.0), (x, 9.0), (x, 11.0), (x - 1.0, 11.0)]), 0, frozenset([ground.bars[0].index])
    )
    out = Cell(np.array([(20.0, 9.0), (21.0, 9.0), (21.0, 11.0)]), 0, frozenset())
    a, b = (out, inside) if swap else (inside, out)
    assert settled(pair_of(a, b, ground, SightLaw(), 0.005)).hopeless == hopeless


@pytest.mark.parametrize(("deep", "spent"), [(4.0, True), (3.1, True), (2.9, False)])
@pytest.mark.parametrize("ruling", ["wood", "crest"])
def test_only_the_edge_towards_the_other_end_counts(deep: float, spent: bool, ruling: str) -> None:
    """TSE-LOS-10, TSE-LOS-17: the way out lies between the two, however near the edge behind one's back is."""
    kind, level = ("woods", None) if ruling == "wood" else ("hill", 1)
    ground = Terrain.of_kind("ground", kind, outline=[(0, 0), (12, 0), (12, 20), (0, 20)], level=level)
    law = SightLaw(crest_edge=ruling == "crest", crest=3.0)
    x, table = 12.0 - deep, Table.of("in", 30, 20, [ground])
    a, b = shapely.box(x - 1.0, 0.2, x, 2.0), shapely.box(20.0, 0.5, 21.0, 11.0)
    at, bars = ground_of(table), ground_of(table, SHRUNK)
    here, there = (whole_of(at, shape, table.tape.t) for shape in (a, b))
    assert shapely.distance(a, shapely.boundary(ground.shape)) < 0.5
    assert spends_all(pair_of(here, there, bars, law, table.tape.t)) == spent
    assert (seen_by(table, a, b, law) is None) == spent


@pytest.mark.parametrize("law", [SightLaw(), SightLaw(crest_edge=True)], ids=["woods", "crest"])
def test_where_all_is_spent_nothing_is_seen(law: SightLaw, many: int = 80) -> None:
    """TSE-LOS-10, TSE-LOS-17: of whole units about a large wood on a hill or beside it, beside many lines between."""
    told = 0
    for seed in range(many):
        rng = np.random.default_rng(seed)
        large = [Terrain.of_kind(kind, kind, outline=star(rng, 6.0, 11.0, 9), level=k) for k, kind in enumerate(LARGE)]
        table = Table.of("in", WIDE, HIGH, [p for p in large if p.shape.is_valid] + pieces(rng, 0, 4))
        a, b = unit(rng), unit(rng)
        here, there = (whole_of(ground_of(table), shape, table.tape.t) for shape in (a, b))
        if spends_all(pair_of(here, there, ground_of(table, SHRUNK), law, table.tape.t)):
            told += 1
            p, q = points_of(a, rng, 0.5), points_of(b, rng, 0.5)
            starts, ends = normalised(np.repeat(p, len(q), 0), np.tile(q, (len(p), 1)))
            assert not clear(ground_of(table), starts, ends, law, (), table.tape.t).any()
    assert told > many / 60


@pytest.mark.sweep
@pytest.mark.parametrize("law", [SightLaw(), SightLaw(crest_edge=True), SightLaw(crest_edge=True, crest=0.4)])
def test_where_all_is_spent_nothing_is_seen_on_many_tables(law: SightLaw) -> None:
    """TSE-LOS-10, TSE-LOS-17."""
    test_where_all_is_spent_nothing_is_seen(law, 4_000)


def test_a_line_that_never_leaves_the_wood_spends_all_its_length() -> None:
    """TSE-LOS-10: both ends in one wood, past the corners of a house in it."""
    wood = Terrain.of_kind("wood", "woods", outline=[(1, 1), (19, 1), (19, 15), (1, 15)])
    house = Terrain.of_kind("house", "building", outline=[(9.5, 7.5), (10.5, 7.5), (10.5, 8.25), (9.5, 8.25)])
    table = Table.of("in", 20, 16, [wood, house])
    a, b = shapely.box(8.0, 7.0, 9.0, 9.0), shapely.box(11.0, 7.25, 13.0, 8.75)
    ground, law = ground_of(table, SHRUNK), SightLaw()
    (one,), (other,) = (cells_of(ground_of(table), shape, GRAZE) for shape in (a, b))
    case = Case(table, law, (), pair_of(one, other, ground, law, 0.0))
    _, found = bundle(case.pair)
    assert found.crossed.whole
    rng = np.random.default_rng(1)
    angle = found.a + (found.e - found.a) * rng.uniform(0.1, 0.9, len(found.a))
    h, e, slack = (q[:, 0] for q in found.look.ends(angle[:, None]))
    _, leave = clip(case.pair.low, found.v, heading_of(angle))[:2]
    budget = law.budget - (e - h) / wood.see_through * law.budget
    assert slack == pytest.approx(np.minimum(leave - e, budget), abs=1e-6)
    assert (slack > 0.0).any()
    far = e + 1.5 - (e - h)
    long = (far > e) & (far < leave)
    u = heading_of(angle)
    assert case.clear(found.v + h[:, None] * u, found.v + far[:, None] * u)[long & (budget > 0.0)].all()
