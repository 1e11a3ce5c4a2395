"""A unit in contact with an enemy may leave, not walk through him (TSE-MOV-18, TSE-ASL-26)."""

from __future__ import annotations

from typing import Any

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.play.files.load import load_scene_data


def _touching(**rulings: Any) -> Battle:
    """Two columns front to front, edges touching at y = 10."""
    unit: dict[str, Any] = {"troop": "infantry", "bases": 2, "formation": "maneuver-column", "front": 2}
    return load_scene_data(
        {
            "format": "tabletop-scene/1",
            "title": "contact",
            "rules": "tse",
            "rulings": rulings,
            "table": {"unit": "in", "width": 20, "height": 20},
            "units": [
                {**unit, "id": "a", "side": "blue", "front_mid": [10, 10], "facing": 0},
                {**unit, "id": "b", "side": "red", "front_mid": [10, 10], "facing": 180},
            ],
        }
    )


def _moved(battle: Battle, *path: tuple[float, float]) -> Verdict:
    return ask(battle, "move", ["a"], {"path": list(path)})


def test_not_through_the_enemy() -> None:
    """Straight on would lead through him, whatever the ruling on zones one starts in."""
    for ruling in ("not_closer", "free"):
        verdict = _moved(_touching(leaving_zone=ruling), (10.0, 13.0))
        assert not verdict.holds
        assert any(reason.rule == "TSE-MOV-18" and reason.feature == "b" for reason in verdict.because)


def test_sideways_along_him_is_free() -> None:
    """Sliding off to the side along the touching edges keeps the distance of nothing it started with."""
    battle = _touching()
    unit = battle.unit("a")
    verdict = ask(battle.with_unit(unit.turned(90.0).moved(0.0, -0.625)), "move", ["a"], {"path": [(14.0, 9.0)]})
    assert verdict.holds, verdict.because
