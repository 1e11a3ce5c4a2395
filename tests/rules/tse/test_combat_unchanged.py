"""Combat is the same wherever it is fought: table mirrored, turned, shifted, doubled, units in another order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock, Setup
from tabletop.geometry.base import AnyBase
from tests.combat import Fate, do, reply
from tests.scene_changes import Change, Scene, doubled, mirrored, reordered, shifted, turned

SIZE = 60.0


def entry(name: str, **keys: Any) -> dict[str, Any]:
    usual = {"side": "blue", "troop": "infantry", "quality": "average", "bases": 4, "formation": "maneuver-column"}
    return {"id": name, **usual, "facing": 0.0, **keys}


def red(name: str, **keys: Any) -> dict[str, Any]:
    return entry(name, **{"side": "red", "formation": "deployed", "facing": 180.0, **keys})


FAR = (
    entry("far-a", at=(20.0, 8.0), formation="deployed"),
    entry("far-b", at=(30.0, 8.0), formation="deployed"),
    red("far-c", at=(20.0, 55.0)),
    red("far-d", at=(30.0, 55.0)),
    red("far-e", at=(40.0, 55.0)),
)
WOOD = {"id": "wood", "kind": "woods", "outline": [(24.0, 35.0), (40.0, 35.0), (40.0, 44.0), (24.0, 44.0)]}
LAKE = {"id": "lake", "kind": "lake", "outline": [(29.0, 37.0), (33.0, 37.0), (33.0, 40.0), (29.0, 40.0)]}
GENERAL = {"id": "chief", "side": "red", "troop": "general", "rank": "division", "at": (32.5, 33.75)}
#: Name: the scene, the kind of action, the answers given, and what chance brings.
CASES: dict[str, tuple[Scene, str, tuple[str, ...], dict[str, Any]]] = {
    "driven into a wood with a general": (
        Scene(SIZE, (WOOD,), (entry("a", front_mid=(30.0, 30.0)), red("b", front_mid=(31.0, 32.5)), GENERAL, *FAR)),
        "advancing-fire", (), {"fire": "demoralized with loss"},
    ),
    "driven round a lake": (
        Scene(SIZE, (LAKE,), (entry("a", front_mid=(30.0, 30.0)), red("b", front_mid=(30.75, 32.5)), *FAR)),
        "advancing-fire", (), {"fire": "demoralized and falls back"},
    ),
    "stopped on a slant": (
        Scene(SIZE, (), (entry("a", front_mid=(30.0, 30.0)), red("b", front_mid=(34.0, 34.0)), *FAR)),
        "assault", (), {"defensive fire": "stopped short and disordered"},
    ),
    "thrown back with loss": (
        Scene(SIZE, (), (entry("a", front_mid=(30.0, 30.0)), red("b", front_mid=(34.0, 34.0)), *FAR)),
        "assault", (), {"defensive fire": "thrown back to its start and demoralized with loss"},
    ),
    "a flank rolled up": (
        Scene(SIZE, (WOOD,), (entry("a", front_mid=(26.0, 33.0), facing=45.0), red("b", front_mid=(31.0, 33.0)), *FAR)),
        "assault", (), {"assault": "target routed with loss"},
    ),
    "beaten hand to hand": (
        Scene(SIZE, (), (entry("a", front_mid=(30.0, 30.0)), red("b", front_mid=(34.0, 34.0)), *FAR)),
        "assault", (), {"assault": "assaulter routed with loss"},
    ),
    "countercharge and breakthrough": (
        Scene(SIZE, (), (
            entry("a", troop="heavy-cavalry", front_mid=(30.0, 25.0)),
            red("b", troop="light-cavalry", formation="maneuver-column", front_mid=(30.5, 33.0)),
            red("c", front_mid=(33.0, 34.0), bases=2), *FAR,
        )),
        "assault", ("countercharge", "assault c"), {"assault": "target routed"},
    ),
    "a ride onward": (
        Scene(SIZE, (), (
            entry("a", troop="heavy-cavalry", front_mid=(30.0, 25.0)), red("b", front_mid=(30.0, 30.0)),
            red("c", front_mid=(30.0, 36.0), bases=2), *FAR,
        )),
        "assault", ("advance",), {"assault": "target broken"},
    ),
}  # fmt: skip
CHANGES = (mirrored(SIZE), *(turned(SIZE, k) for k in (1, 2, 3)), shifted(SIZE, 7, -3), doubled(SIZE))


def fought(scene: Scene, kind: str, answers: tuple[str, ...], fate: dict[str, Any]) -> Battle:
    """Return the battle after the action and the answers to what it asks."""
    battle = scene.battle()
    setup = Setup(sides=("blue", "red"), attacker="blue")
    battle = replace(battle, setup=setup, clock=Clock(1, "acting", "blue", "blue troops"))
    battle = do(battle, kind, "a", "b", Fate(dict(fate))).battle
    for choice in answers:
        battle = reply(battle, choice, Fate(dict(fate))).battle
    return battle


def centres(battle: Battle, change: Change | None = None) -> dict[str, Any]:
    """Return every unit's condition and the places of its bases (as a change would have them), in order of place."""

    def place(base: AnyBase) -> tuple[float, float]:
        x, y = change.point(base.centre) if change else base.centre
        return round(x, 6) + 0.0, round(y, 6) + 0.0

    return {u.id: (u.status, u.formation, sorted(place(b) for b in u.bases)) for u in battle.units}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_moved_tables(name: str, change: Change) -> None:
    """TSE-SCL-01, TSE-INV-01..13, TSE-ASL-20..26: whatever becomes of the table becomes of the result."""
    scene, kind, answers, fate = CASES[name]
    before, after = (fought(one, kind, answers, fate) for one in (scene, change.scene(scene)))
    expected, found = centres(before, change), centres(after)
    assert found.keys() == expected.keys()
    for unit, (status, formation, places) in expected.items():
        assert found[unit][:2] == (status, formation)
        for place, other in zip(places, found[unit][2], strict=True):
            assert other == pytest.approx(place, abs=2e-6), unit


@pytest.mark.parametrize("name", CASES)
def test_order_of_listing(name: str) -> None:
    """Units and terrain listed the other way round: the same battle."""
    scene, kind, answers, fate = CASES[name]
    one, other = (fought(listed, kind, answers, fate) for listed in (scene, reordered(scene)))
    assert centres(one) == centres(other)
