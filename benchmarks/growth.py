"""How the time of the measuring grows with the pieces of terrain and with the units: exponents fitted to medians.

``python -m benchmarks.own growth`` prints the time of a question on made-up fields of 20 to 160 pieces (a fifth of the
table covered at any number) or among 40 to 320 units, and the exponent of the line fitted to the logarithms.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import race_hooks
from benchmarks.bulk import Field, Watch, field_of, kernels, lines_of
from benchmarks.seeing import eyes_of, pairs_of
from tabletop.geometry import fast
from tabletop.geometry.line_of_sight import SightLaw, clear_lines
from tabletop.geometry.sight.field_of_view import seen_from

PIECES = (20, 40, 80, 160)
ROUNDS = 5


def exponent(numbers: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the exponent of growth: the slope of the line fitted to the logarithms.

    >>> round(exponent((1, 2, 4), (3.0, 12.0, 48.0)), 6)
    2.0
    """
    return statistics.linear_regression([math.log(n) for n in numbers], [math.log(s) for s in seconds]).slope


def growth() -> None:
    """Print times and exponents without kernels and with them."""
    for used in (False, True)[: 1 + fast.installed()]:
        with kernels(used):
            print(f"   {'with' if used else 'without'} kernels; us a question")
            for what, make in QUESTIONS.items():
                _row(f"{what}, by pieces", PIECES, [_median(*make(field_of(1, n, 60))) for n in PIECES])


def _row(what: str, numbers: Sequence[int], seconds: Sequence[float]) -> None:
    told = "  ".join(f"{n}: {1e6 * s:.2f}" for n, s in zip(numbers, seconds, strict=True))
    print(f"{what:44s} {told}   exponent {exponent(numbers, seconds):.2f}", flush=True)


def _median(call: Callable[[], Any], n: int) -> float:
    """Return the processor seconds to one of the n questions a call answers; the first call is not counted."""
    watch = Watch(call, n)
    return statistics.median([watch() for _ in range(ROUNDS + 1)][1:])


# --- questions: what answers n of them, and n -------------------------------------------------------------------------

Asked = tuple[Callable[[], Any], int]


def _lines(field: Field, n: int = 20_000) -> Asked:
    table, law, (starts, ends) = field.table, SightLaw(), lines_of(field, n)
    return lambda: clear_lines(table, starts, ends, law), n


def _sights(field: Field) -> Asked:
    table, (fronts, boxes) = race_hooks.w2_prep(field), pairs_of(field)
    return lambda: race_hooks.w2(table, fronts, boxes), len(fronts)


def _views(field: Field) -> Asked:
    eyes = eyes_of(field, 4)
    return lambda: [seen_from(field.table, eye, SightLaw()) for eye in eyes], len(eyes)


QUESTIONS: dict[str, Callable[[Field], Asked]] = {
    "a line of sight, the whole law": _lines,
    "does a front see a rectangle": _sights,
    "the ground a point sees, the whole law": _views,
}
