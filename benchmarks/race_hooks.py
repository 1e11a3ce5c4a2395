"""The product's entry for the anchors script of the references: a thin adapter, no geometry of its own.

    python anchors.py -w w2 -N 40,120 --product benchmarks.race_hooks

A world has ``W`` x ``H`` and ``blk`` (rings of opaque outlines). ``w2_prep(world)`` makes what a table keeps once made;
``w2`` is what is timed. Kernels are used where numba is installed; with TABLETOP_PLAIN=1 they are not.
"""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from tabletop.geometry import fast
from tabletop.geometry.line_of_sight import SightLaw, sight
from tabletop.geometry.terrain import Table, Terrain

os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / "tabletop-kernels"))
if fast.installed() and not fast.plain():
    fast.warm()


def w2_prep(world: Any) -> Table:
    """Return a table of buildings: walls that nothing sees through or over."""
    pieces = [Terrain.of_kind(f"{k:03}", "building", outline=ring) for k, ring in enumerate(world.blk)]
    table = Table.of("in", world.W, world.H, pieces)
    sight(table, shapely.Point(0, 0), shapely.Point(world.W, world.H), SightLaw())
    return table


def w2(table: Table, fronts: Any, rectangles: Any) -> np.ndarray:
    """Return the length of the shortest clear line from each front edge to its rectangle, inf if there is none."""
    pairs = zip(shapely.linestrings(fronts), shapely.polygons(rectangles), strict=True)
    found = (sight(table, front, rectangle, SightLaw()) for front, rectangle in pairs)
    return np.array([seen.distance if seen.distance is not None else math.inf for seen in found])
