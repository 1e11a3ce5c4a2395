"""The zone around a footprint: all ground nearer to it than a given distance. The zone is open."""

from __future__ import annotations

import shapely

from tabletop.geometry.measure import Tape

#: Chords per quarter circle in a drawn zone; whether something lies inside is measured, never read off the drawing.
ZONE_SEGMENTS = 32


def zone(footprint: shapely.Geometry, distance: float) -> shapely.Polygon:
    """Return the ground within ``distance`` (table units) of ``footprint``, round at the corners, for drawing.

    >>> from tabletop.geometry import Base, zone_around
    >>> zone_around(Base(5.0, 5.0, 0.0, 1.0, 1.0).polygon, 1.0).bounds
    (3.5, 3.5, 6.5, 6.5)
    """
    area = shapely.buffer(footprint, distance, quad_segs=ZONE_SEGMENTS)
    assert isinstance(area, shapely.Polygon)
    return area


def breaches(gap: float, distance: float, tape: Tape) -> bool:
    """Return whether a measured ``gap`` lies in the open zone of ``distance``; a gap equal to it does not (TSE-MOV-17).

    Lengths are in table units.

    >>> from tabletop.geometry import Tape, breaches
    >>> breaches(1.0, 1.0, Tape.of("in")), breaches(0.99, 1.0, Tape.of("in"))
    (False, True)
    """
    return tape.under(gap, distance)


def touches_closed(gap: float, distance: float, tape: Tape) -> bool:
    """Return whether ``gap`` lies inside the zone or exactly on its edge (TSE-FRM-24, the march column)."""
    return tape.at_most(gap, distance)
