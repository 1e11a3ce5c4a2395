"""What the views of a table draw: plain values, made for each frame from the models of a screen."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.render.drawing.traces import Trace
from tabletop.render.table.model import TableModel


@dataclass(frozen=True)
class Picture:
    """A table as it is to be drawn.

    ``drawn`` is the battle as its units are drawn, another than the model's while something that happened is shown;
    ``labelled`` the battle as names stand in it. ``faint`` units are drawn half through, ``unseen`` ones left out: they
    are drawn elsewhere. Names of ``named_first`` are placed before all others. ``viewer`` is the side from which the
    enemy is looked at; None where nobody looks. ``traces`` are what the fighting has left on the ground.
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
        """Return the picture of a table on which nothing is being shown but what stands there."""
        faint = (model.drag.unit.id,) if model.drag is not None else ()
        named = (model.selected,) if model.selected else ()
        viewer = model.unit.side if model.unit is not None else None
        return cls(model, model.battle, model.battle, faint, named_first=named, viewer=viewer)
