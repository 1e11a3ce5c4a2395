"""Line of sight: from unit to unit."""
from tabletop.geometry.sight_law import Screen, SightLaw, clear_lines
from tabletop.geometry.sight_line import Hindrance, SightLine, sight_line

__all__ = ["Hindrance", "Screen", "SightLaw", "SightLine", "clear_lines", "sight_line"]
