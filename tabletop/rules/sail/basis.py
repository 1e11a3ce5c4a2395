"""Where the numbers of these rules come from, as their tables say."""

from __future__ import annotations

from tabletop.battle.unit import Unit
from tabletop.rules.common.basis import bases_of, least_sure
from tabletop.rules.sail.ships import HERE


def basis(*paths: str) -> str:
    """Return where the least sure of some numbers comes from, each by its path.

    >>> basis("hit.hull", "hit.masts"), basis("hit.hull", "strike.near")
    ('source', 'reconstruction')
    """
    bases = bases_of(HERE, "tables.toml")
    return least_sure(bases[path] for path in paths)


def origin(ship: Unit) -> str:
    """Return the basis of a ship's number of decks: that of her class and, if some were marked off, of her quality."""
    return basis(f"ship.{ship.troop}.decks", *([f"quality.{ship.quality}.decks_lost"] if ship.quality else []))
