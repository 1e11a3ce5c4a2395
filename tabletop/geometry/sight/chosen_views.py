"""Choice of the views and stretches of many eyes for the ground they see together.

Whole views are taken first, those that show most that is new before others, while they show enough; then single
stretches of the other eyes. How much is new is estimated from a few sample points in each stretch. So everything taken
is really seen, and what is left out is little.
"""

from __future__ import annotations

import numpy as np

from tabletop.geometry.kernels.seen_together import choose
from tabletop.geometry.sight.law import Bools, Floats
from tabletop.geometry.sight.visibility import Stretches


def _shares(across: tuple[float, ...], along: tuple[float, ...]) -> Floats:
    """Return shares of the four corners of a stretch for sample points across it and along it."""
    corner_shares = [((1 - a) * (1 - b), (1 - a) * b, a * b, a * (1 - b)) for a in across for b in along]
    return np.array(corner_shares)


#: Sample points of a stretch, as shares of its corners: in a lesser one, and in a great one.
FEW = _shares((0.01, 0.99), (0.03, 0.5, 0.997))
MANY = _shares((0.005, 0.35, 0.65, 0.995), (0.35, 0.6, 0.85, 0.997))
EVERY = np.concatenate([FEW, MANY])
#: As shares of the largest view: the new ground that a further view, and a single stretch, must show; the least area of
#: a stretch that is sampled, and of one with many samples.
NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH = 1e-3, 1e-5, 1e-4, 1e-3


def taken(every: Stretches, eyes: Floats) -> Bools:
    """Return which stretches to take of those that ``eyes`` (n, 2) see, given in order of eye, bearing and distance."""
    least, mask = np.array([NEW_VIEW, NEW_STRETCH, LEAST_STRETCH, GREAT_STRETCH]), np.zeros(len(every.whose), bool)
    choose(every.views(eyes), EVERY, least, mask)
    return mask
