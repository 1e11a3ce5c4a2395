"""Dusk and mist over the table, and the wind: layers between the ground and the units."""

from __future__ import annotations

from functools import lru_cache

from tabletop.battle.battle import Battle
from tabletop.play.environment import conditions_of
from tabletop.render.drawing import sea
from tabletop.render.drawing.primitives import Area, Layer

#: The colours laid over the table at dusk and in mist, and their opacity where units see hardly anything.
DUSK, MIST = ("#1a2140", 0.55), ("#eef0f0", 0.62)
#: The least share of that opacity.
LEAST = 0.35


def environment_layers(battle: Battle) -> tuple[Layer, ...]:
    """Return the layers of dusk, mist and wind; the same objects while these stay the same."""
    now = conditions_of(battle)
    light: tuple[Layer, ...] = ()
    if now is not None:
        wide, high = battle.table.width, battle.table.height
        share = max(LEAST, 1.0 - now.far / max(wide, high))
        light = (_veil(wide, high, round(share, 3), now.dusk, now.mist),)
    return (*light, *sea.wind_layers(battle))


@lru_cache(maxsize=32)
def _veil(wide: float, high: float, share: float, dusk: bool, mist: bool) -> Layer:
    """Return the table's area in the colours of dusk and of mist."""
    ring = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))
    tints = ([DUSK] if dusk else []) + ([MIST] if mist else [])
    return Layer("air", tuple(Area((ring,), fill, None, opacity=most * share) for fill, most in tints))
