"""Traces of fighting on the ground, under the units: smoke before units that fired, and the fallen.

They are for show only: nothing is measured by them. Smoke thins from turn to turn and is gone in the third.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import Point
from tabletop.render.drawing.figures import fallen, placed_at
from tabletop.render.drawing.primitives import Item, Layer, Stamps
from tabletop.render.drawing.theme import SideStyle, look, side_styles
from tabletop.rules.common.looks import Figure

#: The look of smoke in the turn it was made, in the next one, and in the one after that.
BY_AGE = ("smoke-1", "smoke-2", "smoke-3")
#: Puffs of each size before a base; the sizes and the drift ahead, as shares of its frontage; the growth in each turn.
PUFFS, SIZES, DRIFT, GROWS = 3, (0.36, 0.48, 0.62), 0.55, 1.2
#: Figures lying where a base was lost, of foot and of horse or guns, and a figure's length as a share of its frontage.
MEN, RIDERS, LONG = 4, 2, 0.16


@dataclass(frozen=True)
class Smoke:
    """Smoke before the bases that fired, made in this turn."""

    bases: tuple[Base, ...]
    turn: int


@dataclass(frozen=True)
class Loss:
    """The bases that a unit of a side has lost, where they stood, and what stood on them."""

    unit: str
    side: str
    figure: Figure | None
    bases: tuple[AnyBase, ...]


Trace = Smoke | Loss


def trace_layers(traces: Collection[Trace], sides: Iterable[str], turn: int) -> tuple[Layer, ...]:
    """Return the layers of the traces in a turn, one for each trace, the fallen lowest.

    Only the painted look shows them.
    """
    if look() != "painted":
        return ()
    losses = [trace for trace in traces if isinstance(trace, Loss)]
    styles = side_styles({*sides, *(trace.side for trace in losses)})
    lying = [_fallen(trace, styles[trace.side]) for trace in losses]
    drifting = [_smoke(trace, turn - trace.turn) for trace in traces if isinstance(trace, Smoke)]
    return tuple(layer for layer in (*lying, *drifting) if layer.items)


@lru_cache(maxsize=512)
def _smoke(smoke: Smoke, age: int) -> Layer:
    if not 0 <= age < len(BY_AGE):
        return Layer("smoke")
    items = [
        Stamps(BY_AGE[age], tuple(_puffs(base, f"{k} {share}")), GROWS**age * share * base.frontage)
        for k, base in enumerate(smoke.bases)
        for share in SIZES
    ]
    return Layer("smoke", tuple(items))


def _puffs(base: Base, name: str) -> Iterator[Point]:
    """Yield the centres of the puffs of one size before a base, always the same ones."""
    chance = np.random.default_rng(_seed(f"{base.x:.3f} {base.y:.3f} {base.facing:.2f} {name}"))
    for k in range(PUFFS):
        across = (k + float(chance.uniform(0.1, 0.9))) / PUFFS - 0.5
        yield base.at_local(across * base.frontage, base.frontage * float(chance.uniform(0.06, DRIFT)))


@lru_cache(maxsize=512)
def _fallen(loss: Loss, style: SideStyle) -> Layer:
    items = list[Item]()
    mounted = loss.figure is not Figure.FOOT
    for k, base in enumerate(loss.bases):
        chance = np.random.default_rng(_seed(f"{loss.unit} {base.x:.3f} {base.y:.3f} {k}"))
        wide, deep = (base.frontage, base.depth) if isinstance(base, Base) else (2 * base.radius, 2 * base.radius)
        for _ in range(RIDERS if mounted else MEN):
            x, y = chance.uniform(-0.42, 0.42) * wide, chance.uniform(-0.42, 0.42) * deep
            at = (base.x + float(x), base.y + float(y))
            items += fallen(placed_at(at, float(chance.uniform(0.0, 360.0))), LONG * wide, style, mounted)
    return Layer("fallen", tuple(items))


def _seed(text: str) -> int:
    return zlib.crc32(text.encode())
