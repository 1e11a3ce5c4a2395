"""What ground does, row by row: declared by the scene, class by class (TSE-TER, TSE-MOV)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import Unreadable
from tabletop.geometry.terrain import MOVEMENT_CLASSES, Terrain
from tabletop.judge import ask
from tabletop.play.files.load import load_scene_data
from tests.moving import battle as field
from tests.moving import box, by_path, drawn, general, rules_against, unit

STRIP = (-60, 60, 3, 5)


def scene(*terrain: dict[str, Any], formation: str = "maneuver-column") -> Battle:
    """Return two units of two bases, fourteen inches apart, with terrain between them."""
    keys = {"troop": "infantry", "bases": 2, "formation": formation, "front": 2}
    if formation != "maneuver-column":
        keys.pop("front")
    return load_scene_data(
        {
            "format": "tabletop-scene/1",
            "title": "Ground",
            "rules": "tse",
            "table": {"unit": "in", "width": 48, "height": 48},
            "terrain": list(terrain),
            "units": [
                {"id": "a", "side": "red", "facing": 0, "front_mid": [20, 10], **keys},
                {"id": "b", "side": "blue", "facing": 180, "front_mid": [20, 24], **keys},
            ],
        }
    )


def piece(kind: str, **keys: Any) -> dict[str, Any]:
    """Return a belt of ground across the table, two inches deep, three before unit a."""
    return {"id": "it", "kind": kind, "outline": [[1, 13], [40, 13], [40, 15], [1, 15]], **keys}


def cost(*terrain: Terrain, marching: bool = False, troop: str = "infantry", n: int = 2) -> float:
    """Return what six inches north cost."""
    formation = "march-column" if marching else "maneuver-column"
    keys: dict[str, Any] = {} if marching else {"front": 1 if "artillery" in troop else 2}
    mover = general() if troop == "general" else unit(troop=troop, n=n, formation=formation, front_mid=(0, 0), **keys)
    action = "general" if troop == "general" else "march" if marching else "maneuver"
    return float(by_path(field(mover, terrain=terrain), (0, 6), as_=action).measured["cost"])


# --- what a scene declares -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("movement", "price"), [("open", 8), ("rough", 10), ("choke", 8.5)])
def test_movement_is_declared(movement: str, price: float) -> None:
    """TSE-TER-01: a wood that is said to be open costs nothing, a choke its half inch."""
    found = ask(scene(piece("woods", movement=movement)), "move", ["a"], {"path": [(20, 18)]})
    assert found.measured["cost"] == pytest.approx(price, abs=1e-6)


@pytest.mark.parametrize(("sight", "seen"), [("tall", False), ("low", True), ("none", True)])
def test_sight_is_declared(sight: str, seen: bool) -> None:
    """TSE-TER-01: tall crops hide, low ones do not."""
    assert ask(scene(piece("rough", sight=sight)), "los", ["a", "b"]).holds is seen


@pytest.mark.parametrize("level", [0, 1])
def test_level_and_see_through_are_declared(level: int) -> None:
    """TSE-TER-01: troops on a hill of level 1 look over a wood said to stand lower, not over one as high as they."""
    hill = {"id": "hill", "kind": "hill", "outline": [[15, 5], [25, 5], [25, 11], [15, 11]]}
    assert ask(scene(hill, piece("woods", level=level)), "los", ["a", "b"]).holds is (level == 0)


@pytest.mark.parametrize("see_through", [1.0, 2.0])
def test_see_through_is_declared(see_through: float) -> None:
    """TSE-TER-01: from one inch and a half inside, sight leaves a wood of two inches' see-through, not one of one."""
    wood = {"id": "it", "kind": "woods", "outline": [[1, 5], [40, 5], [40, 11.5], [1, 11.5]]}
    assert ask(scene({**wood, "see_through": see_through}), "los", ["a", "b"]).holds is (see_through == 2.0)


@pytest.mark.parametrize("classes", [("soft", "hard"), ("hard", "fortification"), ("fortification", "none")])
def test_cover_is_declared_for_fire_and_for_assault(classes: tuple[str, str]) -> None:
    """TSE-TER-01: each its own class."""
    against_fire, against_assault = classes
    works = {"id": "it", "kind": "rough", "outline": [[1, 23], [40, 23], [40, 27], [1, 27]]}
    ground = scene({**works, "cover_fire": against_fire, "cover_assault": against_assault})
    near = ground.with_unit(ground.unit("a").moved(0.0, 11.5))
    assert ask(near, "fire", ["a", "b"]).measured["cover"] == against_fire
    assert ask(near, "assault", ["a", "b"]).measured["cover"] == against_assault


@pytest.mark.parametrize("key", ["movement", "sight", "cover_fire", "cover_assault"])
def test_a_class_that_is_none_is_refused(key: str) -> None:
    """TSE-TER-01, TSE-TER-02."""
    with pytest.raises(Unreadable, match="swampy"):
        scene(piece("woods", **{key: "swampy"}))


# --- movement classes ------------------------------------------------------------------------------------------------

#: What six inches across two inches of it cost infantry maneuvering, and infantry marching; None: it may not go.
CLASSES = {
    "open": (6.0, 6.0),
    "rough": (8.0, 8.0),
    "impassable": (None, None),
    "road": (6.0, 6.0 - 2 / 3),
    "linear": (6.5, 6.5),
    "choke": (6.5, 6.0),
    "town": (8.0, 6.0 - 2 / 3),
}


def test_seven_classes_of_movement() -> None:
    """TSE-TER-02: no more and no fewer."""
    assert set(CLASSES) == set(MOVEMENT_CLASSES)


@pytest.mark.parametrize("movement", CLASSES)
@pytest.mark.parametrize("marching", [False, True])
def test_what_each_class_does(movement: str, marching: bool) -> None:
    """TSE-TER-02."""
    line = movement == "linear"
    keys: dict[str, Any] = (
        {"line": [(40, 104), (160, 104)]} if line else {"outline": [(40, 103), (160, 103), (160, 105), (40, 105)]}
    )
    ground = Terrain.of_kind("it", "rough", movement=movement, **keys)
    mover = unit(n=1, troop="light-foot-artillery", front_mid=(0, 0), formation="march-column")
    found = by_path(field(mover, terrain=[ground]), (0, 6), as_="march" if marching else "maneuver")
    price = CLASSES[movement][marching]
    if price is None:
        assert rules_against(found) == ["TSE-MOV-15"]
        assert found.blockers == ("it",)
    else:
        assert found.measured["cost"] == pytest.approx(price, abs=1e-6)
        assert "TSE-MOV-15" not in rules_against(found)


@pytest.mark.parametrize("kind", ["woods", "marsh", "rough", "ford"])
@pytest.mark.parametrize(
    ("troop", "times"),
    [
        ("infantry", 2),
        ("heavy-foot-artillery", 2),
        ("light-foot-artillery", 2),
        ("horse-artillery", 2),
        ("transport", 2),
        ("light-cavalry", 4),
        ("heavy-cavalry", 4),
        ("general", 4),
    ],
)
def test_rough_ground_halves_or_quarters(kind: str, troop: str, times: int) -> None:
    """TSE-TER-03, TSE-MOV-05: two inches of it are charged twice or four times."""
    n = 1 if "artillery" in troop else 2
    assert cost(box(*STRIP, kind), troop=troop, n=n) == pytest.approx(4 + 2 * times, abs=1e-6)


def test_only_metalled_roads_count() -> None:
    """TSE-TER-04: half as much again by road, nothing by track."""
    along = [(0, -60), (0, 60)]
    assert cost(drawn("road", along), marching=True) == pytest.approx(4.0, abs=1e-6)
    assert cost(drawn("track", along), marching=True) == pytest.approx(6.0, abs=1e-6)


def test_a_road_over_a_bridge() -> None:
    """TSE-TER-05: a marching column keeps the road's rate and pays nothing; without the road it has no rate."""
    road, bridge = drawn("road", [(0, -60), (0, 60)], "road"), box(-1, 1, 3, 5, "bridge", "bridge")
    river = [box(-60, 60, 3, 5, "river", "river"), bridge]
    assert cost(road, *river, marching=True) == pytest.approx(4.0, abs=1e-6)
    assert cost(*river, marching=True) == pytest.approx(6.0, abs=1e-6)
    assert cost(road, *river) == pytest.approx(6.5, abs=1e-6)


@pytest.mark.parametrize("troop", ["infantry", "heavy-cavalry", "horse-artillery", "general"])
def test_hills_do_not_slow_unless_declared_rough(troop: str) -> None:
    """TSE-TER-06: not even of level 3, up or down."""
    n = 1 if "artillery" in troop else 2
    outline = [(40, 103), (160, 103), (160, 105), (40, 105)]
    hills = [Terrain.of_kind(f"hill{k}", "hill", outline=outline, level=k) for k in (1, 2, 3)]
    assert cost(*hills, troop=troop, n=n) == pytest.approx(6.0, abs=1e-9)
    steep = Terrain.of_kind("steep", "hill", outline=outline, movement="rough")
    assert cost(steep, troop=troop, n=n) == pytest.approx(cost(box(*STRIP), troop=troop, n=n), abs=1e-9)
    assert cost(steep, troop=troop, n=n) > 7.9


def test_a_ford_lets_through_slowly_and_covers_nobody() -> None:
    """TSE-MOV-22: through a river, at the price of rough ground; nobody in it has cover."""
    river, ford = box(-60, 60, 3, 5, "river", "river"), box(-3, 3, 3, 5, "ford", "ford")
    mover = unit(n=2, front=2, front_mid=(0, 0))
    assert rules_against(by_path(field(mover, terrain=[river]), (0, 6))) == ["TSE-MOV-15"]
    assert "TSE-MOV-15" not in rules_against(by_path(field(mover, terrain=[river, ford]), (0, 6)))
    assert cost(river, ford) == pytest.approx(8.0, abs=1e-6)
    standing = unit("b", side="blue", n=2, formation="deployed", facing=180.0, front_mid=(0, 2.5))
    firer = unit(n=2, formation="deployed", front_mid=(0, 0))
    for kind, cover in (("ford", "none"), ("woods", "soft")):
        shot = ask(field(firer, standing, terrain=[box(-3, 3, 2, 4, kind)]), "fire", ["a", "b"])
        assert shot.holds
        assert shot.measured["cover"] == cover
