"""A small battle for the tests of the controller and the window."""

from tabletop.battle.battle import Battle
from tabletop.play.files.load import load_scene_data

SCENE = {
    "format": "tabletop-scene/1",
    "title": "A small table",
    "rules": "tse",
    "table": {"unit": "in", "width": 40, "height": 30},
    "terrain": [
        {"id": "wood", "kind": "woods", "outline": [[22, 12], [26, 12], [26, 18], [22, 18]]},
        {"id": "pond", "kind": "lake", "outline": [[8, 20], [12, 20], [12, 23], [8, 23]]},
    ],
    "units": [
        {"id": "kempt", "name": "Kempt", "side": "allied", "troop": "infantry", "bases": 4,
         "formation": "maneuver-column", "front": 2, "at": [10, 10], "facing": 0},
        {"id": "rogers", "name": "Rogers", "side": "allied", "troop": "heavy-foot-artillery", "bases": 1,
         "formation": "deployed", "at": [16, 10], "facing": 0},
        {"id": "picton", "name": "Picton", "side": "allied", "troop": "general", "rank": "division", "at": [13, 7]},
        {"id": "foy", "name": "Foy", "side": "french", "troop": "infantry", "bases": 4,
         "formation": "deployed", "at": [17, 18], "facing": 180},
        {"id": "husson", "name": "Husson", "side": "french", "troop": "infantry", "bases": 3,
         "formation": "deployed", "at": [31, 15], "facing": 270},
    ],
}  # fmt: skip


def small_battle() -> Battle:
    """Return the battle: two units and a general against two units, a wood and a pond."""
    return load_scene_data(SCENE)
