"""Pure measuring: rectangles, outlines and lengths. Knows no unit, no rule set and no screen.

>>> from tabletop import geometry
>>> wood = geometry.Terrain.of_kind("wood", "woods", outline=[(4, 0), (6, 0), (6, 9), (4, 9)])
>>> table = geometry.Table.of("in", 20, 20, [wood])
>>> one, other = geometry.Base(2.0, 4.0, 90.0, 1.0, 1.0), geometry.Base(9.0, 4.0, 270.0, 1.0, 1.0)
>>> geometry.distance(one, other)
6.0
>>> geometry.shortest_clear_line(table, one.polygon, other.polygon, geometry.SightLaw()).seen
False

The names in ``__all__`` are the public interface for other programs that measure tables (docs/api/geometry.md); each is
imported on first use. A function whose name would clash with a module of this package is exported under another name:
``shortest_clear_line`` is ``line_of_sight.sight``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, but without importing it: every other module imports this one
if TYPE_CHECKING:
    from typing import Any

    from tabletop.geometry.arc import Front as Front
    from tabletop.geometry.arc import arc_of as arc_of
    from tabletop.geometry.arc import distance_to_arc as distance_to_arc
    from tabletop.geometry.arc import fronts_of as fronts_of
    from tabletop.geometry.arc import part_in_arc as part_in_arc
    from tabletop.geometry.base import Base as Base
    from tabletop.geometry.base import Disc as Disc
    from tabletop.geometry.base import distance as distance
    from tabletop.geometry.depth import overlap_depth as overlap_depth
    from tabletop.geometry.layout import Layout as Layout
    from tabletop.geometry.layout import bent_line as bent_line
    from tabletop.geometry.layout import column as column
    from tabletop.geometry.layout import file as file
    from tabletop.geometry.layout import file_along as file_along
    from tabletop.geometry.layout import line as line
    from tabletop.geometry.layout import square as square
    from tabletop.geometry.line_of_sight import Sight as Sight
    from tabletop.geometry.line_of_sight import sight as shortest_clear_line
    from tabletop.geometry.measure import Tape as Tape
    from tabletop.geometry.measure import bearing as bearing
    from tabletop.geometry.measure import compass_point as compass_point
    from tabletop.geometry.measure import heading as heading
    from tabletop.geometry.measure import snap as snap
    from tabletop.geometry.measure import snap_facing as snap_facing
    from tabletop.geometry.measure import turn_between as turn_between
    from tabletop.geometry.movement.advance_contact import Outlines as Outlines
    from tabletop.geometry.movement.advance_cost import Files as Files
    from tabletop.geometry.movement.configuration_space import Obstacles as Obstacles
    from tabletop.geometry.movement.configuration_space import keeps as keeps
    from tabletop.geometry.movement.configuration_space import obstacle as obstacle
    from tabletop.geometry.movement.fall_back import Arc as Arc
    from tabletop.geometry.movement.fall_back import Fall as Fall
    from tabletop.geometry.movement.fall_back import fall_back as least_fall_back
    from tabletop.geometry.movement.ground import Ground as Ground
    from tabletop.geometry.movement.ground import ground_of as ground_of
    from tabletop.geometry.movement.line_cost import line_cost as line_cost
    from tabletop.geometry.movement.motion import Body as Body
    from tabletop.geometry.movement.motion import Motion as Motion
    from tabletop.geometry.movement.motion import rigid_motion as rigid_motion
    from tabletop.geometry.movement.motion import steps_along as steps_along
    from tabletop.geometry.movement.motion_cost import CostModel as CostModel
    from tabletop.geometry.movement.motion_cost import MoveCost as MoveCost
    from tabletop.geometry.movement.motion_cost import toll as toll
    from tabletop.geometry.movement.move_context import MoveContext as MoveContext
    from tabletop.geometry.movement.reach import reach as reachable_ground
    from tabletop.geometry.movement.route import Goal as Goal
    from tabletop.geometry.movement.route import Route as Route
    from tabletop.geometry.movement.route import cheapest_routes as cheapest_routes
    from tabletop.geometry.sight.field_of_view import ground_seen as ground_seen
    from tabletop.geometry.sight.law import SightLaw as SightLaw
    from tabletop.geometry.sight.line import SightLine as SightLine
    from tabletop.geometry.sight.line import sight_line as sight_line
    from tabletop.geometry.sight.obstruction import InterveningUnit as InterveningUnit
    from tabletop.geometry.terrain import Table as Table
    from tabletop.geometry.terrain import Terrain as Terrain
    from tabletop.geometry.zone import breaches as breaches
    from tabletop.geometry.zone import zone as zone_around

__all__ = [
    "Arc",
    "Base",
    "Body",
    "CostModel",
    "Disc",
    "Fall",
    "Files",
    "Front",
    "Goal",
    "Ground",
    "InterveningUnit",
    "Layout",
    "Motion",
    "MoveContext",
    "MoveCost",
    "Obstacles",
    "Outlines",
    "Route",
    "Sight",
    "SightLaw",
    "SightLine",
    "Table",
    "Tape",
    "Terrain",
    "arc_of",
    "bearing",
    "bent_line",
    "breaches",
    "cheapest_routes",
    "column",
    "compass_point",
    "distance",
    "distance_to_arc",
    "file",
    "file_along",
    "fronts_of",
    "ground_of",
    "ground_seen",
    "heading",
    "keeps",
    "least_fall_back",
    "line",
    "line_cost",
    "obstacle",
    "overlap_depth",
    "part_in_arc",
    "reachable_ground",
    "rigid_motion",
    "shortest_clear_line",
    "sight_line",
    "snap",
    "snap_facing",
    "square",
    "steps_along",
    "toll",
    "turn_between",
    "zone_around",
]

#: The module of this package that defines each name; `own:public` where it is exported under another name.
_PLACES = {
    "arc": "Front arc_of distance_to_arc fronts_of part_in_arc",
    "base": "Base Disc distance",
    "depth": "overlap_depth",
    "layout": "Layout bent_line column file file_along line square",
    "line_of_sight": "Sight sight:shortest_clear_line",
    "measure": "Tape bearing compass_point heading snap snap_facing turn_between",
    "movement.advance_contact": "Outlines",
    "movement.advance_cost": "Files",
    "movement.configuration_space": "Obstacles keeps obstacle",
    "movement.fall_back": "Arc Fall fall_back:least_fall_back",
    "movement.ground": "Ground ground_of",
    "movement.line_cost": "line_cost",
    "movement.motion": "Body Motion rigid_motion steps_along",
    "movement.motion_cost": "MoveCost CostModel toll",
    "movement.move_context": "MoveContext",
    "movement.reach": "reach:reachable_ground",
    "movement.route": "Goal Route cheapest_routes",
    "sight.field_of_view": "ground_seen",
    "sight.law": "SightLaw",
    "sight.line": "SightLine sight_line",
    "sight.obstruction": "InterveningUnit",
    "terrain": "Table Terrain",
    "zone": "breaches zone:zone_around",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tabletop.geometry' has no attribute {name!r}")
    from importlib import import_module

    for module, names in _PLACES.items():
        for own, _, public in (entry.partition(":") for entry in names.split()):
            if name == (public or own):
                globals()[name] = getattr(import_module(f"{__name__}.{module}"), own)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
