"""The squares that cavalry has come upon, where it attacks them from a distance."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.rules.ages.movement.layouts import SQUARE
from tabletop.rules.ages.movement.legality import in_reach, near_as_square
from tabletop.rules.ages.tables import CAVALRY, arm, tables
from tabletop.rules.ages.turn.simultaneous import in_sequence


def note_squares(unfolding: Unfolding, name: str, start: Battle) -> None:
    """Mark the squares that cavalry came within reach of by a move, and began it out of reach of (GLA-HDG-02).

    ``start`` is the battle before the move: an enemy that formed square during it is measured as it stood then, and
    cavalry that was not on the table began out of reach of all. Rule sets without such a reach mark nothing.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("drill-ground"))
    >>> note_squares(unfolding, "hussars", unfolding.battle)
    >>> unfolding.unit("hussars").marks
    {}
    """
    battle, unit = unfolding.battle, unfolding.unit(name)
    if arm(unit) != CAVALRY or "square_reach" not in tables(unit)["lengths"]:
        return
    squares = in_sequence(battle, (e for e in battle.enemies(unit) if e.formation == SQUARE))
    before = start.unit(name) if start.has(name) else None
    neared = tuple(
        enemy.id
        for enemy in squares
        if in_reach(battle, unit, enemy)
        and not (before is not None and near_as_square(start, before, start.unit(enemy.id)))
    )
    if neared:
        unfolding.mark(name, neared=neared)
