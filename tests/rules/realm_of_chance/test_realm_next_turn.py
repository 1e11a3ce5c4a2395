"""The ground endangered in a unit's next turn holds all it may attack or fire at in it (ROC-CBT-02, ROC-ART-05)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.rules.ages.combat.resolve import attackers_of
from tabletop.rules.ages.questions.next_turn import endangered
from tests import realm

DRILL = Path(__file__).parents[3] / "scenarios" / "realm-of-chance" / "drill-ground.yaml"
KINDS = {"combat": "assault", "bombard": "fire"}


def turn(battle: Battle) -> tuple[int, str | None]:
    return battle.clock.turn, battle.clock.side


def hits(battle: Battle, action: Action) -> Iterator[str]:
    """Yield by which units an action hits its target."""
    if action.kind == "combat":
        yield from attackers_of(action)
    elif action.kind == "bombard":
        yield str(action.unit)


def closer(battle: Battle, rng: Random) -> Battle:
    """Return a battle with its units moved towards each other, so that they soon fight."""
    south, north = (sorted(u.id for u in battle.units if u.side == s and not u.is_general) for s in battle.setup.sides)
    for own, other in zip(south, north, strict=False):
        unit, enemy = battle.unit(own), battle.unit(other)
        far = rng.uniform(120.0, 330.0)
        x, y = enemy.front_mid[0] + far * enemy.forward[0], enemy.front_mid[1] + far * enemy.forward[1]
        there = unit.turned((enemy.facing + 180.0) - unit.facing, unit.at)
        there = there.moved(x - there.front_mid[0], y - there.front_mid[1])
        free = not any(shapely.intersects(there.footprint, u.footprint) for u in battle.units if u.id != own)
        if free and shapely.covers(battle.table.edge, there.footprint):
            battle = battle.with_unit(there)
    return battle


def watched(seed: int) -> Counter[str]:
    """Play a random battle; check every attack at whoever has not been moved since the turn began."""
    count, rng = Counter[str](), Random(seed)
    session = Session.start(closer(load_scene(DRILL), rng), seed)
    mover, began = RandomMover(seed), session.battle
    while session.mover is not None and session.battle.clock.turn < 8:
        now = session.battle
        if turn(now) != turn(began):
            began = now
        action = mover.choose(now).action
        for unit in hits(now, action):
            target = str(action.target)
            if began.has(unit) and began.has(target) and began.unit(target).bases == now.unit(target).bases:
                ground = endangered(began, began.unit(unit))[KINDS[action.kind]]
                assert shapely.distance(ground, now.unit(target).footprint) <= now.tape.t, (seed, unit, target)
                count[action.kind] += 1
        session.do(action)
    return count


def test_all_that_is_attacked_stood_on_endangered_ground() -> None:
    count = sum(map(watched, range(8)), Counter[str]())
    assert min(count[kind] for kind in KINDS) > 5, count


@pytest.mark.sweep
def test_all_that_is_attacked_stood_on_endangered_ground_many_times() -> None:
    count = sum(map(watched, range(100, 160)), Counter[str]())
    assert min(count[kind] for kind in KINDS) > 50, count


def test_who_does_not_fight_endangers_nobody() -> None:
    scene = realm.battle(
        realm.unit("chief", "blue", "general"), realm.unit("gun", "blue", "heavy-artillery", at=[300, 300], bases=1)
    )
    assert endangered(scene, scene.unit("chief")) == {}
    assert set(endangered(scene, scene.unit("gun"))) == {"fire"}
