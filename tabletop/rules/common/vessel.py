"""How a ship looks from above, in words every picture understands: what it carries and what it has lost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Vessel:
    """A ship as it is to be drawn.

    ``masts`` are from the bow aft: how large the sails of each are (1 is usual), 0 where it has fallen. ``ports`` are
    the gun ports left and there were at first, on the left and on the right side. ``furled``: its sails are taken in.
    ``afire``: it burns. ``colours``: its own flag flies.
    """

    masts: tuple[float, ...]
    ports: tuple[tuple[int, int], tuple[int, int]]
    furled: bool = False
    afire: bool = False
    colours: bool = True
