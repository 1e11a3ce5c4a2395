"""The product's entries for the anchors script of the references: thin adapters, no geometry of their own.

    python anchors.py -w race -N 40,120 --product benchmarks.race_hooks

A world has ``W`` x ``H``, ``blk`` (rings of opaque outlines), ``units`` (rows whose corners the script works out). Each
``<name>_prep(world)`` makes what a table keeps once made; ``<name>`` is what is timed. Kernels are used where numba is
installed; with TABLETOP_PLAIN=1 they are not.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry import fast
from tabletop.geometry.arcs_at_once import in_arcs
from tabletop.geometry.clearance_grid import ClearanceGrid
from tabletop.geometry.cost_field import CostGrid
from tabletop.geometry.mesh import Mesh
from tabletop.geometry.shortest_way import FreeGround
from tabletop.geometry.sight_law import SightLaw
from tabletop.geometry.sights_at_once import clear_distances
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.visibility import seen_areas

os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / "tabletop-kernels"))
if fast.installed() and not fast.plain():
    fast.warm()


def free_ground(world: Any) -> BaseGeometry:
    """Return the table without its opaque outlines."""
    walls = shapely.union_all([shapely.Polygon(ring) for ring in world.blk])
    return shapely.difference(shapely.box(0.0, 0.0, world.W, world.H), walls)


def w3_prep(world: Any) -> Mesh:
    mesh = Mesh.of(free_ground(world))
    seen_areas(mesh, [(world.W / 2, world.H / 2)])
    return mesh


def w3(mesh: Mesh, eyes: Any) -> np.ndarray:
    """Return the area seen from each eye; every one is a valid polygon."""
    return np.asarray(shapely.area(seen_areas(mesh, eyes)))


def w5(_world: Any, corners: Any, reach: Any) -> np.ndarray:
    """Return whose arc (45 degrees, cut off at ``reach``) meets whose rectangle."""
    return in_arcs(corners[:, :2], reach, corners)


def w1_prep(world: Any) -> ClearanceGrid:
    walls = shapely.multipolygons([shapely.Polygon(ring) for ring in world.blk])
    grid = ClearanceGrid.of(walls, world.W, world.H)
    grid.meets(np.zeros((1, 2)), np.zeros((1, 2)))
    return grid


def w1(grid: ClearanceGrid, starts: Any, ends: Any) -> np.ndarray:
    """Return which segments meet an opaque outline; touching counts."""
    return grid.meets(starts, ends)


def w4_prep(_world: Any) -> dict[float, CostGrid]:
    """Return what is kept of the ground between fields: nothing yet."""
    return {}


def w4(kept: dict[float, CostGrid], source: Any, slowness: Any, blocked: Any, h: float) -> np.ndarray:
    """Return the cost [ny, nx] from ``source`` to every node; the prices of unchanged ground are kept."""
    ground = np.where(blocked, np.inf, slowness)
    if h not in kept or not np.array_equal(kept[h].slowness, ground):
        kept[h] = CostGrid(ground, h)
    return kept[h].field((float(source[0]), float(source[1])))


def w4p_prep(world: Any) -> FreeGround:
    return FreeGround.of(free_ground(world)).find_all()


def w4p(ground: FreeGround, starts: Any, goals: Any) -> np.ndarray:
    """Return the lengths of the shortest ways among the opaque outlines."""
    pairs = zip(starts.tolist(), goals.tolist(), strict=True)
    return np.array([ground.shortest((a, b), (c, d))[0] for (a, b), (c, d) in pairs])


def w2_prep(world: Any) -> Table:
    """Return a table of buildings: walls that nothing sees through or over."""
    pieces = [Terrain.of_kind(f"{k:03}", "building", outline=ring) for k, ring in enumerate(world.blk)]
    table = Table.of("in", world.W, world.H, pieces)
    clear_distances(table, [shapely.Point(0, 0)], [shapely.Point(world.W, world.H)], SightLaw(), 0.0)
    return table


def w2(table: Table, fronts: Any, rectangles: Any) -> np.ndarray:
    """Return the length of the shortest clear line from each front edge to its rectangle, inf if there is none."""
    return clear_distances(table, shapely.linestrings(fronts), shapely.polygons(rectangles), SightLaw(), 0.0)
