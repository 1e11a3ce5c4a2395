"""Generated positions of Age of Sail: two squadrons on a sea with shoals, and sometimes land."""

from __future__ import annotations

from random import Random
from typing import Any


def sail(random: Random) -> dict[str, Any]:
    """Return a scene as plain data: up to five ships a side, any wind."""
    size = (random.choice((60, 80, 100)), random.choice((50, 60, 80)))
    options = {
        "wind_from": random.randrange(0, 360, 45),
        "wind_speed": random.randint(1, 7),
        "first": random.choice(("dice", "attacker")),
        "strike": random.random() < 0.8,
    }
    return {
        "format": "tabletop-scene/1",
        "title": "generated",
        "rules": "sail",
        "rulings": {
            "wind_point": random.choice(("eighth", "sixteenth")),
            "fire_when": random.choice(("any", "any", "after-moving")),
        },
        "table": {"unit": "cm", "width": size[0], "height": size[1]},
        "terrain": [_piece(random, size, k) for k in range(random.randrange(4))],
        "units": [
            row for side, south in (("blue", True), ("red", False)) for row in _squadron(random, size, side, south)
        ],
        "game": {"options": options},
    }


def _piece(random: Random, size: tuple[int, int], k: int) -> dict[str, Any]:
    kind = random.choice(("shoal", "shoal", "land"))
    x, y = random.uniform(5, size[0] - 5), size[1] / 2 + random.uniform(-6, 6)
    box = [round(random.uniform(4, 14), 2), round(random.uniform(3, 8), 2)]
    facing = random.randrange(0, 180, 15)
    return {"id": f"{kind}-{k}", "kind": kind, "at": [round(x, 2), round(y, 2)], "size": box, "facing": facing}


def _squadron(random: Random, size: tuple[int, int], side: str, south: bool) -> list[dict[str, Any]]:
    count, rows = random.randint(1, 5), []
    heading = random.choice((-45, -22.5, 0, 22.5, 45, 90, 270)) + (0 if south else 180)
    for k in range(count):
        x = (k + 0.5) * size[0] / count + random.uniform(-1, 1)
        y = random.uniform(6, size[1] / 2 - 12)
        row: dict[str, Any] = {
            "id": f"{side}-{k + 1}",
            "side": side,
            "troop": random.choice(("ship-of-the-line", "ship-of-the-line", "frigate")),
            "at": [round(x, 2), round(y if south else size[1] - y, 2)],
            "facing": heading % 360,
        }
        if random.random() < 0.2:
            row["quality"] = "weak"
        if random.random() < 0.1:
            row["status"] = "anchored"
        rows.append(row)
    return rows
