"""How a ship looks from above, for any picture of it: what it carries and what it has lost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Vessel:
    """A ship as it is to be drawn.

    ``masts`` has the size of each mast's sails from the bow aft, 1 being normal and 0 a fallen mast. ``ports`` has the
    gun ports left and the original number, for the left and the right side. ``furled`` means its sails are taken in,
    ``afire`` that it burns, ``colours`` that its own flag flies.
    """

    masts: tuple[float, ...]
    ports: tuple[tuple[int, int], tuple[int, int]]
    furled: bool = False
    afire: bool = False
    colours: bool = True
