"""What units and terrain are besides their kind is shown: on the ground and in legends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table, Terrain
from tabletop.render.drawing import scene
from tabletop.render.drawing.gradual import finished
from tabletop.render.drawing.primitives import Text
from tabletop.render.settings.model import Overlay
from tabletop.render.table import legend, planning
from tabletop.render.table.model import TableModel
from tabletop.rules import rule_set
from tabletop.terminal.chart import chart

WORKS = "Works: a rampart with a ditch: as advantageous ground it counts double for whoever holds it"


def field(rules: str, *pieces: Terrain) -> Battle:
    """Return a table of some rules with these pieces and nobody on it."""
    table = Table.of(rule_set.find(rules).unit, 900.0, 600.0, pieces)
    return Battle.of(rules, table, (), rule_set.find(rules).ruling_values(), "A field")


def piece(kind: str, **keys: Any) -> Terrain:
    return Terrain.of_kind("it", kind, outline=[(100, 100), (500, 100), (500, 400), (100, 400)], scale=25.4, **keys)


@pytest.mark.parametrize(
    ("rules", "kind", "traits", "said"),
    [
        ("destiny", "marsh", ("works",), ["works"]),
        ("destiny", "town", ("works",), ["hard cover, works"]),
        ("destiny", "redoubt", (), ["fort cover, works"]),
        ("destiny", "marsh", (), []),
        ("realm-of-chance", "redoubt", (), ["fort cover"]),
    ],
)
def test_a_trait_stands_on_its_ground(rules: str, kind: str, traits: tuple[str, ...], said: list[str]) -> None:
    """Beside the cover, if there is any; also a trait that a piece has without naming it."""
    battle = field(rules, piece(kind, traits=traits))
    words = finished(planning._wording(battle, scene.terrain_layer(battle), 1.0))
    assert [item.text for item in words.items if isinstance(item, Text)] == said


@pytest.mark.parametrize(("rules", "told"), [("destiny", [WORKS]), ("realm-of-chance", [])])
def test_the_legends_say_what_it_does(rules: str, told: list[str]) -> None:
    """With the overlay of heights and cover in the window; below the chart in letters, with the pieces that have it."""
    battle = field(rules, piece("redoubt", name="The redoubt"))
    model = TableModel(battle, overlays=frozenset({Overlay.TERRAIN}))
    assert [entry.words for entry in legend.entries(model) if entry.words.startswith("Works")] == told
    assert (f"{WORKS} (The redoubt)." in " ".join(chart(battle).split())) is bool(told)
    model = replace(model, overlays=frozenset())
    assert not [entry for entry in legend.entries(model) if entry.words.startswith("Works")]
