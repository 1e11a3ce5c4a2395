"""The input of a table's views: plain values, made for each frame from the models of a screen."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.render.drawing.traces import Trace
from tabletop.render.table.model import TableModel


@dataclass(frozen=True)
class Picture:
    """A table to be drawn.

    ``drawn`` is the battle whose units are drawn; it differs from the model's during playback. ``labelled`` is the
    battle by which names are placed. ``faint`` units are drawn half transparent, ``unseen`` ones are drawn elsewhere.
    Names of ``named_first`` are placed before all others. ``viewer`` is the side that looks at the enemy, None for
    neither. ``traces`` are what the fighting has left on the ground.
    """

    model: TableModel
    drawn: Battle
    labelled: Battle
    faint: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()
    named_first: tuple[str, ...] = ()
    viewer: str | None = None
    traces: tuple[Trace, ...] = ()

    @classmethod
    def of(cls, model: TableModel) -> Picture:
        """Return the picture of a table as its model stands, without playback."""
        faint = (model.drag.unit.id,) if model.drag is not None else ()
        named = (model.selected,) if model.selected else ()
        viewer = model.unit.side if model.unit is not None else None
        return cls(model, model.battle, model.battle, faint, named_first=named, viewer=viewer)
