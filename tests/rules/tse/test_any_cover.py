"""Cover asked briefly, as rulings and margins ask it: the same answer as with its proof (TSE-COV-02..10)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.sight.nearby_line import Line
from tabletop.geometry.terrain import Terrain
from tabletop.rules.rule_set import Shifted
from tabletop.rules.tse.fire import line_of_fire
from tabletop.rules.tse.fire.cover import Ground, attack_by, base_cover, fire_cover
from tabletop.rules.tse.fire.cover_by_bounds import covered_by_bounds
from tabletop.rules.tse.fire.line_of_fire import line_within
from tabletop.rules.tse.fire.shot import any_line, shot_at
from tabletop.rules.tse.fire.weaker_cover import any_fire_cover
from tests.firing import RULES, ask, battle, block, piece, strip

RULINGS = (
    "cover_minimum",
    "same_part",
    "enemy_screen_blocks",
    "clearance_ignores_abreast",
    "hills_block",
    "crest_edge",
)


def obstacles(draw: random.Random) -> tuple[Terrain, ...]:
    """Walls and hedges before and beside the unit held, woods and redoubts over part of it, houses and hills about."""
    found = []
    for k in range(draw.randint(1, 3)):
        kind, y = draw.choice(["wall", "hedge", "stream"]), draw.choice([3.5, 3.75, 4.0])
        x = draw.uniform(-4, 1)
        found.append(piece(f"line-{k}", kind, [(x, y), (x + draw.uniform(1, 6), y + draw.uniform(-0.4, 0.2))]))
    for k, kind in enumerate(draw.sample(["woods", "redoubt", "building", "hill"], draw.randint(0, 2))):
        x, y = draw.uniform(-4, 1), draw.choice([0.5, 2.0, 4.0])
        keys = {"level": 1} if kind == "hill" else {}
        found.append(strip(f"area-{k}", kind, (x, x + draw.uniform(1, 4)), (y, y + draw.uniform(0.75, 2)), **keys))
    return tuple(found)


def scene(seed: int) -> Battle:
    """A firer near or far, straight or turned, a friend and an enemy about, some rulings changed."""
    draw = random.Random(seed)
    troop = draw.choice(["light-foot-artillery", "infantry", "light-cavalry"])
    firer = block("firer", "blue", (-2.0, 2.0), (-1.0, 0.0), troop=troop)
    firer = firer.turned(draw.uniform(-60, 60)).moved(draw.uniform(-6, 6), draw.choice([0.0, 1.0, -8.0]))
    held = block("held", "red", (-2.0, 2.0), (4.0, 4.75), facing=180.0)
    others: list[Unit] = []
    for name, side in (("friend", "blue"), ("enemy", "red")):
        if draw.random() < 0.4:
            x = draw.uniform(-3, 3)
            others.append(block(name, side, (x, x + 1.0), (1.5, 2.2)))
    changed = draw.sample(RULINGS, draw.choice([0, 1, 1, 2]))
    chosen = {name: not RULES.rulings[name].default for name in changed}
    return battle(firer, held, *others, terrain=obstacles(draw), **chosen)


@pytest.mark.parametrize("block_of", [0, *(pytest.param(k, marks=pytest.mark.sweep) for k in range(1, 12))])
def test_briefly_as_with_its_proof(block_of: int) -> None:
    """TSE-COV-07, TSE-COV-08, TSE-COV-09: bases hit, else seen, else all of them."""
    found = Counter[bool]()
    for seed in range(40 * block_of, 40 * block_of + 40):
        on = scene(seed)
        full = fire_cover(on, on.unit("held"), on.unit("firer")).rank > 0
        assert any_fire_cover(on, on.unit("held"), on.unit("firer"))[0] is full, seed
        assert ask(on, "cover", "held", brief=True, **{"from": "firer"}).holds is full, seed
        found[full] += 1
    assert min(found.values()) >= 5


#: Scenes of every run: a few, and those in which a firer that is shifted does not see bases of the unit held.
SHIFTED = (*range(6), 20, 25, 34, 36, 39)


@pytest.mark.parametrize("seeds", [SHIFTED, pytest.param(range(40), marks=pytest.mark.sweep)], ids=["some", "all"])
@pytest.mark.parametrize("mover", ["held", "firer"])
def test_asked_of_one_shift_after_another(mover: str, seeds: Sequence[int]) -> None:
    """TSE-COV-07: what is kept from one shift of a unit to the next, unseen bases among it, turns no answer."""
    known, answers = 0, Counter[bool]()
    for seed in seeds:
        on, draw = scene(seed), random.Random(seed)
        shifted, hints = Shifted(on.unit(mover)), tuple[Line, ...]()
        for _ in range(8):
            there = on.with_unit(on.unit(mover).moved(draw.uniform(-0.4, 0.4), draw.uniform(-0.4, 0.4)))
            held, firer = there.unit("held"), there.unit("firer")
            some, line = any_fire_cover(there, held, firer, hints, shifted)
            assert some is any_fire_cover(there, held, firer)[0], (seed, held.at, firer.at)
            hints = hints if line is None else (line, *hints)[:6]
            answers[some] += 1
        unseen = shifted.kept.get("hidden bases")
        known += 0 if unseen is None else len(unseen.known)
    assert min(answers.values()) >= len(seeds) // 2
    assert known >= 4


@pytest.mark.parametrize(
    "scenes", [18, pytest.param(45, marks=pytest.mark.sweep), pytest.param(500, marks=pytest.mark.sweep)]
)
def test_bounds_of_the_shortest_line_tell_what_the_shortest_line_does(scenes: int) -> None:
    """TSE-COV-09: which points are firing points is settled by the shortest line, and long before it is found."""
    told = Counter[bool | None]()
    for seed in range(scenes):
        on = scene(seed)
        firer, held = on.unit("firer"), on.unit("held")
        ground = Ground.near(on, held, "fire")
        for i, base in enumerate(held.bases) if ground.pieces else ():
            line = any_line(on, firer, held, base.polygon)
            if line is None:
                continue
            shot = shot_at(on, firer, held, base.polygon)
            by_bounds = covered_by_bounds(ground, firer, i, line)
            told[by_bounds] += 1
            covered = base_cover(ground, attack_by(on, firer, held, i, shot)).rank > 0
            assert by_bounds in (None, covered), (seed, i)
    assert min(told[True], told[False]) >= scenes // 6 and told[None] <= 0.25 * sum(told.values()), told


@pytest.mark.parametrize(
    "scenes", [14, pytest.param(40, marks=pytest.mark.sweep), pytest.param(400, marks=pytest.mark.sweep)]
)
def test_whether_a_target_is_within_reach_is_told_as_the_shortest_line_tells_it(scenes: int) -> None:
    """TSE-FIR-01, TSE-FIR-03: at the very distance of the exact law, and just to either side of it."""
    asked = 0
    for seed in range(scenes):
        on = scene(seed)
        firer, held = on.unit("firer"), on.unit("held")
        shot = shot_at(on, firer, held, held.footprint)
        if not on.rulings["same_part"] or shot.range is None:
            continue
        for off in (-0.02, -1e-3, -1e-4, -1e-6, 1e-6, 1e-4, 1e-3, 0.02):
            reach = shot.range - on.tape.t + off
            line = line_within(on, firer, held, shot.part, reach)
            assert (line is not None) is on.tape.at_most(shot.range, reach), (seed, off)
            asked += 1
    assert asked >= 2 * scenes, asked


def test_a_distance_very_near_the_limit_is_found_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-FIR-01: a line that is found, however near the limit, does not say how near the shortest comes."""
    on = battle(block("firer", "blue", (-2.0, 2.0), (-1.0, 0.0)), block("held", "red", (-2.0, 2.0), (4.0, 4.75)))
    firer, held, found = on.unit("firer"), on.unit("held"), []

    def seen(*asked: Any) -> float:
        found.append(asked)
        return 4.0

    monkeypatch.setattr(line_of_fire, "distance_seen", seen)
    for off, exactly in ((1e-3, 0), (1e-5, 1), (-1e-5, 1), (-1e-3, 0)):
        reach = 4.0 - on.tape.t + off
        found.clear()
        line = line_within(on, firer, held, held.footprint, reach)
        assert (line is not None) is on.tape.at_most(4.0, reach)
        assert len(found) == exactly, reach


def test_any_shot_is_a_shot() -> None:
    """TSE-FIR-06: a base that a line was found to, when any would do, has a shortest one."""
    on = scene(2152)
    firer, held = on.unit("firer"), on.unit("held")
    for base in held.bases:
        assert (any_line(on, firer, held, base.polygon) is not None) is shot_at(on, firer, held, base.polygon).clear
    assert any_line(on, firer, held, held.bases[3].polygon)


@pytest.mark.sweep
def test_briefly_as_with_its_proof_many_times() -> None:
    """TSE-COV-07, TSE-COV-08, TSE-COV-09."""
    for seed in range(1000, 3000):
        on = scene(seed)
        full = fire_cover(on, on.unit("held"), on.unit("firer")).rank > 0
        assert any_fire_cover(on, on.unit("held"), on.unit("firer"))[0] is full, seed
