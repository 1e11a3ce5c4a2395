"""What makes the start screen."""

from __future__ import annotations

from tabletop.render.screens import Maker
from tabletop.render.start.home import Home


def starting() -> Maker:
    """Return what makes the start screen."""
    return lambda look: Home(look)
