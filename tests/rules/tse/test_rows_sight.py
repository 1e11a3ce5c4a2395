"""Heights and what stands on them, row by row (TSE-LOS)."""

from __future__ import annotations

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Terrain
from tests.firing import ask, battle, block, strip

#: Where watchers and watched stand: a hill under each, and something in the middle between them.
WEST, EAST, MIDDLE = (-1.0, 1.0), (19.0, 21.0), (9.0, 11.0)


def hills(x: tuple[float, float], level: int, low: float = -3.0, high: float = 3.0) -> tuple[Terrain, ...]:
    """Return contours one above the other, up to a level."""
    names = (f"hill{x[0]:g}-{k}" for k in range(1, level + 1))
    return tuple(strip(name, "hill", x, (low, high), level=k) for k, name in enumerate(names, 1))


def see_each_other(*terrain: Terrain) -> bool:
    """Return whether two bases, twenty inches apart, see each other."""
    pair = [block(name, name, (x[0] + 0.5, x[1] - 0.5), (-0.5, 0.5)) for name, x in (("w", WEST), ("e", EAST))]
    there, back = (ask(battle(*pair, terrain=terrain), "los", *names).holds for names in (("w", "e"), ("e", "w")))
    assert there is back
    return there


#: Between them on the ground, from what each level overlooks least to most.
BETWEEN: dict[str, tuple[Terrain, ...]] = {
    "nothing": (),
    "hedge": (strip("mid", "rough", MIDDLE, (-40.0, 40.0), sight="low"),),
    "wood": (strip("mid", "woods", MIDDLE, (-40.0, 40.0)),),
    "hill 1": hills(MIDDLE, 1, -40.0, 40.0),
    "hill 2": hills(MIDDLE, 2, -40.0, 40.0),
}
#: From which level both of them up there see over it: ground 0.
SEEN_FROM = {"nothing": 0, "hedge": 0, "wood": 1, "hill 1": 1, "hill 2": 2}


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("level", range(4))
def test_the_order_of_heights(between: str, level: int) -> None:
    """TSE-LOS-03: ground and low things, then tall things, then hills, level by level."""
    scene = (*hills(WEST, level), *hills(EAST, level), *BETWEEN[between])
    assert see_each_other(*scene) is (level >= SEEN_FROM[between])


@pytest.mark.parametrize("between", ["wood", "hill 1"])
def test_a_wood_on_a_hill_is_higher_than_the_hill(between: str) -> None:
    """TSE-LOS-03, TSE-LOS-05: from level 1, a bare hill of level 1 hides nothing; a wood on it hides all."""
    top = (strip("wood", "woods", MIDDLE, (-40.0, 40.0)),) if between == "wood" else ()
    scene = (*hills(WEST, 1), *hills(EAST, 1), *hills(MIDDLE, 1, -40.0, 40.0), *top)
    assert see_each_other(*scene) is (between == "hill 1")


def climbing(x: float) -> Battle:
    """Return a watcher east of a hill of two steps, his west edge at ``x``, and a watched base beyond a wood."""
    steps = (
        strip("one", "hill", (4.0, 12.0), (-9.0, 9.0), level=1),
        strip("two", "hill", (6.0, 12.0), (-9.0, 9.0), level=2),
    )
    wood = strip("wood", "woods", (-1.0, 0.0), (-40.0, 40.0))
    units = block("w", "blue", (x, x + 1.0), (-0.5, 0.5)), block("e", "red", (-8.0, -7.0), (-0.5, 0.5))
    return battle(*units, terrain=(*steps, wood))


@pytest.mark.parametrize(("x", "seen"), [(2.9, False), (3.1, True), (6.5, True)])
def test_hills_are_contours(x: float, seen: bool) -> None:
    """TSE-LOS-18: outside the lowest contour he stands on the ground; once part of him is inside, he looks over it.

    From level 1 at x = 4 the wood's far side is 5 in away and shades as much: what stands to 7 in behind it is seen.
    """
    assert ask(climbing(x), "los", "w", "e").holds is seen


@pytest.mark.parametrize(("x", "seen"), [(4.5, False), (4.9, False), (5.1, True), (7.0, True)])
def test_each_contour_is_a_level(x: float, seen: bool) -> None:
    """TSE-LOS-18, TSE-LOS-19: what level 1 does not see, that part of him does which stands on level 2."""
    scene = climbing(x)
    near = scene.unit("e").moved(2.5, 0.0)  # to 4.5 behind the far side: level 1 shades 5, level 2 half of 7
    assert ask(scene.with_unit(near), "los", "w", "e").holds is seen


@pytest.mark.parametrize("side", ["blue", "red", "green"])
@pytest.mark.parametrize("formation", ["deployed", "square"])
def test_units_hide_nobody(side: str, formation: str) -> None:
    """TSE-LOS-20: a wall of troops of either side between two units does not stop sight."""
    watcher, watched = block("w", "blue", (-0.5, 0.5), (-0.5, 0.5)), block("e", "red", (-0.5, 0.5), (2.5, 3.25))
    wall = block("wall", side, (-5.0, 5.0), (1.0, 1.75), formation=formation)
    assert ask(battle(watcher, watched, wall), "los", "w", "e").holds
    assert ask(battle(watcher, watched, wall), "los", "e", "w").holds


@pytest.mark.parametrize(("side", "masked"), [("blue", True), ("red", False)])
def test_units_mask_their_own_side_s_fire(side: str, masked: bool) -> None:
    """TSE-LOS-20: the same wall stops its own side's fire, and not the enemy's."""
    firer, target = block("w", "blue", (-0.5, 0.5), (-0.75, 0.0)), block("e", "red", (-0.5, 0.5), (2.5, 3.25))
    wall = block("wall", side, (-5.0, 5.0), (1.0, 1.75))
    assert ask(battle(firer, target, wall), "fire", "w", "e").holds is not masked
