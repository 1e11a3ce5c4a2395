"""Objectives: a ring around each, in the ink of the side that holds it."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.render.drawing.primitives import Circle, Layer, Pen
from tabletop.render.drawing.theme import colour, side_styles


def objective_layer(battle: Battle) -> Layer:
    """Return the rings, as wide as the distance within which a unit holds the objective; correct at every scale."""
    styles = side_styles(battle.setup.sides)
    rings = []
    for objective in battle.setup.objectives:
        held = styles[objective.holder].deep if objective.holder in styles else colour("page", "ink")
        rings.append(Circle(objective.at, objective.radius, pen=Pen(held, 2.2, dash=(3.0, 2.0))))
    return Layer("objectives", tuple(rings))
