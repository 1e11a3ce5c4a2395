"""Which of many eyes' views and stretches are taken for the ground they see together.

Whole views are taken, of those that show most that is new first, while they show enough of it; then single stretches
of the other eyes. What is new is told by a few points in each stretch. So what is taken is seen, and what is left out
is little.
"""

from __future__ import annotations

import numpy as np

from tabletop.geometry.kernels.seen_together import choose
from tabletop.geometry.sight.law import Bools, Floats
from tabletop.geometry.sight.visibility import Stretches


def _shares(across: tuple[float, ...], along: tuple[float, ...]) -> Floats:
    """Return shares of the four corners of a stretch for points across it and along it."""
    found = [((1 - a) * (1 - b), (1 - a) * b, a * b, a * (1 - b)) for a in across for b in along]
    return np.array(found)


#: Points tried in a stretch, as shares of its corners: in a lesser one, and in a great one.
FEW = _shares((0.01, 0.99), (0.03, 0.5, 0.997))
MANY = _shares((0.005, 0.35, 0.65, 0.995), (0.35, 0.6, 0.85, 0.997))
EVERY = np.concatenate([FEW, MANY])
#: Shares of the largest view: what a further view, and a single stretch, must show that is new; the least stretch in
#: which points are tried, and the least in which many are.
NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH = 1e-3, 1e-5, 1e-4, 1e-3


def taken(every: Stretches, eyes: Floats) -> Bools:
    """Return which stretches, in order of eye, bearing and distance, to take of those that ``eyes`` (n, 2) see."""
    least, found = np.array([NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH]), np.zeros(len(every.whose), bool)
    choose(every.views(eyes), EVERY, least, found)
    return found
