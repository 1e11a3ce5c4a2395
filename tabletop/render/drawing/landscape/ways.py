"""Roads and tracks with traces of use, and ground that is marsh or rough."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table, Terrain
from tabletop.render.drawing.landscape.noise import BROAD, FINE, MIDDLE, RAGGED
from tabletop.render.drawing.landscape.plate import Plate, Tone, lay, smoothstep

DUST: Tone = (188, 169, 128)
PAVED: Tone = (182, 173, 152)
RUT: Tone = (150, 130, 92)
GREEN: Tone = (104, 118, 66)
#: Painted width of a track (inches), which has no effect on play.
TRACK = 0.34


def paint_tracks(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint tracks: dust with ragged edges and two ruts; water lies over them."""
    tracks = [piece for piece in table.terrain if piece.kind == "track" and plate.shows(piece.shape, 0.5)]
    if tracks:
        _way(rgb, plate, _narrowed(tracks, plate.grain), RAGGED.on(plate), 0.8)
        _ruts(rgb, plate, tracks, TRACK * 0.3, 0.5)


def paint_roads(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint roads: dust with ragged edges, a paved middle, ruts, a green verge."""
    roads = [piece for piece in table.terrain if piece.kind == "road" and plate.shows(piece.shape, 0.5)]
    if not roads:
        return
    ragged = RAGGED.on(plate)
    _way(rgb, plate, shapely.union_all([piece.shape for piece in roads]), ragged, 0.92)
    lines = [piece.line for piece in roads if piece.line is not None]
    if lines:
        paved = plate.blur(plate.strip(shapely.union_all(lines), 0.4), 0.03)
        lay(rgb, PAVED, 0.75 * smoothstep(paved + 0.06 * ragged, 0.35, 0.75))
    _ruts(rgb, plate, roads, 0.30, 0.35)


def _narrowed(tracks: list[Terrain], grain: float) -> BaseGeometry:
    strips = [p.shape if p.line is None else p.line.buffer(TRACK * grain / 2, cap_style="flat") for p in tracks]
    return shapely.union_all(strips)


def _way(rgb: np.ndarray, plate: Plate, ground: BaseGeometry, ragged: np.ndarray, thick: float) -> None:
    soft = plate.blur(plate.mask(ground), 0.045)
    lay(rgb, GREEN, 0.45 * smoothstep(plate.blur(soft, 0.1), 0.02, 0.4) * (1.0 - soft))
    tone = np.asarray(DUST, np.float32) * (1.0 + 0.03 * MIDDLE.on(plate) + 0.03 * FINE.on(plate))[..., None]
    lay(rgb, tone, thick * smoothstep(soft + 0.07 * ragged, 0.30, 0.70))


def _ruts(rgb: np.ndarray, plate: Plate, ways: list[Terrain], aside: float, thick: float) -> None:
    lines = [piece.line for piece in ways if piece.line is not None]
    ruts = [line.offset_curve(side * aside * plate.grain) for line in lines for side in (-1.0, 1.0)]
    if ruts:
        lay(rgb, RUT, thick * plate.blur(plate.strip(shapely.union_all(ruts), 0.05), 0.02))


#: Colours of the ground, of its plants, and of the pools or stones between them, by kind.
SOILS: dict[str, tuple[Tone, Tone, Tone]] = {
    "marsh": ((108, 118, 84), (126, 132, 70), (92, 116, 118)),
    "rough": ((152, 142, 96), (122, 122, 74), (178, 168, 140)),
}


def paint_soils(rgb: np.ndarray, plate: Plate, table: Table) -> None:
    """Paint marsh with pools, and rough ground with stones and scrub, exactly to their outlines."""
    for kind, (soil, grown, between) in SOILS.items():
        shapes = [piece.shape for piece in table.terrain if piece.kind == kind and plate.shows(piece.shape)]
        if not shapes:
            continue
        ground = shapely.union_all(shapes)
        mask, ragged, middle = plate.mask(ground), RAGGED.on(plate), MIDDLE.on(plate)
        lay(rgb, soil, 0.75 * mask)
        lay(rgb, grown, 0.8 * mask * smoothstep(ragged, 0.2, 1.0))
        pools, stones = smoothstep(BROAD.on(plate) + 0.5 * ragged, 0.5, 1.0), smoothstep(middle, 1.2, 1.6)
        spots = pools if kind == "marsh" else stones
        lay(rgb, between, 0.85 * mask * spots)
        lay(rgb, 0.6 * np.asarray(soil, np.float32), 0.6 * plate.strip(ground.boundary, 0.035))
