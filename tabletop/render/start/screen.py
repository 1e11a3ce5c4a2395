"""The maker of the start screen."""

from __future__ import annotations

from tabletop.render.screens import Maker
from tabletop.render.start.home import Home


def starting() -> Maker:
    """Return the function that makes the start screen."""
    return lambda look: Home(look)
