"""Generated positions of the Ages' family: a table of a metre or so, two small armies in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tabletop.rules.ages.tables import CAVALRY, Profile
from tabletop.rules.destiny.profile import PROFILE as DESTINY
from tabletop.rules.glaube.profile import PROFILE as GLAUBE
from tabletop.rules.gloire.profile import PROFILE as GLOIRE
from tabletop.rules.realm_of_chance.profile import PROFILE
from tabletop.rules.reason.profile import PROFILE as REASON

NATIONS = ("french", "austrian", "british", "prussian", "russian", "warsaw", "german-allied")
KINDS = ("woods", "town", "hill", "rough", "lake", "stream", "wall", "road")
FOOT = ("line", "line", "column", "square")


#: Rulings that matter most in the Ages before 1792.
OLDER: Mapping[str, tuple[object, ...]] = {
    "square_when": ("threatened", "charged"),
    "square_uses_modifiers": (False, True),
}


def realm_of_chance(random: Random) -> dict[str, Any]:
    """Return a scene of Realm of Chance."""
    return _scene(random, PROFILE, {"odds": ("ratio", "printed"), "gun_arc": ("any", "front")})


def destiny(random: Random) -> dict[str, Any]:
    """Return a scene of Destiny."""
    rulings = {"square_when": ("threatened", "attacked"), "gun_arc": ("any", "front")}
    return _scene(random, DESTINY, rulings)


def reason(random: Random) -> dict[str, Any]:
    """Return a scene of Reason."""
    return _scene(random, REASON, {**OLDER, "discount": ("prussian", "nobody")})


def gloire(random: Random) -> dict[str, Any]:
    """Return a scene of Gloire."""
    return _scene(random, GLOIRE, {**OLDER, "french_initiative": (False, True)})


def glaube(random: Random) -> dict[str, Any]:
    """Return a scene of Glaube."""
    return _scene(random, GLAUBE, OLDER)


def in_crisis(scene: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a scene with the crisis of morale of Sauve qui peut, and by its number the further options of that."""
    random = Random(f"sauve qui peut {number}")
    options: dict[str, Any] = {"sauve_qui_peut": random.choice((True, True, "hazard"))}
    if random.random() < 0.3:
        options["army_mean"] = {"blue": 15}
    if random.random() < 0.4:
        options["lost_before"] = {"blue": random.randrange(4), "red": random.randrange(4)}
    if random.random() < 0.4:
        options["army_breaks"] = random.choice((30, 50, 70))
    return {**scene, "game": {"options": options}}


def _scene(random: Random, profile: Profile, rulings: Mapping[str, tuple[object, ...]]) -> dict[str, Any]:
    """Return a scene as plain data: up to six units a side, a general and sometimes his officer."""
    size = (random.choice((700, 900, 1100)), random.choice((600, 700)))
    terrain = [_piece(random, size, k) for k in range(random.randrange(6))]
    return {
        "format": "tabletop-scene/1",
        "title": "generated",
        "rules": profile.name,
        "rulings": {name: random.choice(values) for name, values in rulings.items()},
        "table": {"unit": "mm", "width": size[0], "height": size[1]},
        "terrain": terrain,
        "units": [*_army(random, profile, size, "blue", True), *_army(random, profile, size, "red", False)],
    }


def _piece(random: Random, size: tuple[int, int], k: int) -> dict[str, Any]:
    kind = random.choice(KINDS)
    x, y = random.uniform(80, size[0] - 80), random.uniform(80, size[1] - 80)
    if kind in ("stream", "wall", "road"):
        line = [[round(x), round(y)], [round(x + random.uniform(-250, 250)), round(y + random.uniform(-250, 250))]]
        return {"id": f"{kind}-{k}", "kind": kind, "line": line}
    box = [70, 70] if kind == "town" else [round(random.uniform(60, 200)), round(random.uniform(60, 160))]
    piece = {"id": f"{kind}-{k}", "kind": kind, "at": [round(x), round(y)], "size": box}
    return {**piece, "facing": random.randrange(0, 180, 15), **({"level": 1} if kind == "hill" else {})}


def _army(random: Random, profile: Profile, size: tuple[int, int], side: str, south: bool) -> list[dict[str, Any]]:
    count, nation = random.randint(1, 6), random.choice(_nations(profile))
    y = random.uniform(150, size[1] / 2 - 20)
    y, facing = (y, 0) if south else (size[1] - y, 180)
    back = 60 if south else size[1] - 60
    units: list[dict[str, Any]] = [
        {"id": f"{side}-general", "side": side, "troop": "general", "at": [size[0] / 2, back]}
    ]
    if random.random() < 0.5:
        officer = {"id": f"{side}-officer", "side": side, "troop": "staff-officer", "parent": f"{side}-general"}
        units.append({**officer, "at": [size[0] / 2 + 25, back]})
    for k in range(count):
        x = (k + 0.5) * size[0] / count
        at = [round(x), round(y + random.uniform(-40, 40))]
        units.append(_unit(random, profile, f"{side}-{k + 1}", side, nation, at, facing))
    return units


def _nations(profile: Profile) -> tuple[str, ...]:
    """Return the nations of a rule set's armies."""
    there = {row.nation for row in profile.rows.values()}
    return NATIONS if there <= set(NATIONS) else tuple(sorted(there))


def _unit(
    random: Random, profile: Profile, name: str, side: str, nation: str, at: list[int], facing: int
) -> dict[str, Any]:
    own = [(troop, quality) for troop, quality in profile.rows if quality == nation or quality.startswith(f"{nation}-")]
    troop, quality = random.choice(own)
    found: dict[str, Any] = {"id": name, "side": side, "troop": troop, "quality": quality, "at": at, "facing": facing}
    if troop.endswith("artillery"):
        return {**found, "formation": random.choice(("unlimbered", "unlimbered", "limbered"))}
    if profile.troops[troop].arm == CAVALRY:
        found |= {"formation": random.choice(("line", "line", "column")), "bases": random.randint(1, 4)}
    else:
        most = profile.troops[troop].bases[1]
        found |= {"formation": random.choice(FOOT), "bases": random.randint(2, most)}
    if random.random() < 0.2:
        found["status"] = random.choice(("disrupted", "routing"))
    return found
