"""Small games for tests of what is kept of them: a scene of two brigades a side, played by anybody quick."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from tabletop.battle.action import Action, answer
from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.play.files.load import load_scene_data
from tabletop.play.session import Session

SCENE: dict[str, Any] = {
    "format": "tabletop-scene/1",
    "title": "Two brigades a side",
    "rules": "tse",
    "table": {"unit": "in", "width": 24, "height": 24},
    "terrain": [
        {"id": "wood", "kind": "woods", "outline": [[2, 2], [8, 2], [8, 6], [2, 6]]},
        {"id": "ridge", "kind": "hill", "level": 1, "outline": [[9, 10], [15, 10], [15, 14], [9, 14]]},
        {"id": "road", "name": "The high road", "kind": "road", "line": [[12, -1], [12.3, 11.7], [12, 25]]},
    ],
    "units": [
        {"id": "picton", "name": "Picton", "side": "allied", "troop": "general", "at": [12, 19]},
        *(
            {"id": id_, "name": name, "side": side, "troop": "infantry", "bases": 4, "formation": "maneuver-column"}
            | {"parent": parent, "at": at, "facing": facing, "front": 2}
            for id_, name, side, parent, at, facing in (
                ("kempt", "Kempt", "allied", "picton", [8, 13], 180),
                ("pack", "Pack", "allied", "picton", [16, 13], 180),
                ("jamin", "Jamin", "french", "foy", [8, 9.5], 0),
                ("soye", "Soye", "french", "foy", [16, 9.5], 0),
            )
        ),
        {"id": "foy", "name": "Foy", "side": "french", "troop": "general", "at": [12, 6]},
        {
            "id": "halkett",
            "name": "Halkett",
            "side": "allied",
            "troop": "infantry",
            "bases": 3,
            "formation": "deployed",
        },
    ],
    "game": {
        "attacker": "french",
        "turns": 3,
        "starts": "15:30",
        "arrivals": [{"units": ["halkett"], "turn": 2, "at": [12, 24]}],
        "objectives": [
            {"id": "hill", "name": "The hill", "at": [12, 12], "radius": 2, "points": 2, "holder": "allied"}
        ],
    },
}


def battle() -> Battle:
    """Return the scene as laid out."""
    return load_scene_data(SCENE)


def action(now: Battle, random: Random) -> Action:
    """Return an action that is allowed: an answer, a group to act, or somebody of it who turns, forms up or holds."""
    if now.pending:
        decision = now.pending[0]
        return answer(decision.side, random.choice(decision.choices))
    side = engine.mover(now)
    assert side is not None
    groups = engine.play_of(now).groups(now)
    if groups:
        return Action("choose", side, options={"group": random.choice(list(groups))})
    tried = [Action("finish", side)]
    idle = [unit for unit in now.side(side) if not unit.is_general and not unit.marks.get("acted")]
    for unit in random.sample(idle, len(idle)):
        tried.append(Action("hold", side, unit.id))
        tried.append(Action("square", side, unit.id, options={"ref": 0}))
        enemies = [enemy.id for enemy in now.enemies(unit)]
        tried.append(Action("advancing-fire", side, unit.id, random.choice(enemies)) if enemies else tried[0])
    return next(act for act in reversed(tried) if engine.judge(now, act).holds)


def played(actions: int, seed: int = 7, path: Path | None = None) -> Session:
    """Return a game after so many actions, or over, kept at ``path``."""
    session = Session.start(battle(), seed, {"french": "anybody", "allied": "anybody"}, path)
    go_on(session, actions, Random(seed))
    return session


def go_on(session: Session, actions: int, random: Random) -> None:
    for _ in range(actions):
        if session.mover is None:
            return
        session.do(action(session.battle, random))
