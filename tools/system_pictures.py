"""Pictures of every rule set in play at three sizes of the window, for the guides, made without a display.

python -m tools.system_pictures                write docs/pictures/playing-*.jpg
python -m tools.system_pictures FOLDER [NAME]  write them there, of all rule sets or of one
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.files.load import load_scene
from tabletop.play.match import made
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import JudgeWorker
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing import theme
from tabletop.render.drawing.landscape import store
from tools.screenshots import FOLDER, QUALITY, ROOT, Player, file_of, shown

#: The sizes of the window: that of an old laptop, of a usual one, and of a large screen.
SIZES = ((1024, 640), (1366, 768), (1920, 1080))
SEED = 3


@dataclass(frozen=True)
class Picture:
    """A picture's battle, the turn in which it is taken, and the unit that is selected then."""

    scenario: str
    turn: int
    unit: str


PICTURES = {
    "destiny": Picture("destiny/maida", 3, "2-78th-highlanders"),
    "reason": Picture("reason/rossbach", 2, "gens-d-armes"),
    "gloire": Picture("gloire/schellenberg", 2, "1st-guards"),
    "glaube": Picture("glaube/luetzen", 2, "yellow-brigade"),
    "sauve-qui-peut": Picture("destiny/last-half-hour", 2, "young-guard"),
    "sail": Picture("sail/lissa", 3, "amphion"),
}


def reached(battle: Battle, turn: int) -> Session:
    """Return a session of a battle that computer players have fought up to the first turn of the attacker's."""
    session = Session.start(battle, SEED)
    first = battle.setup.sides[0]
    players = made(dict.fromkeys(battle.setup.sides, "greedy"), SEED)
    while not session.battle.over and (session.battle.clock.turn < turn or session.battle.clock.side != first):
        mover = session.mover
        assert mover is not None
        session.do(players[mover].choose(session.battle).action)
    return session


def take(name: str, folder: Path) -> None:
    """Fight, open the window at each size with a unit selected, and save what it shows."""
    picture = PICTURES[name]
    session = reached(load_scene(ROOT / "scenarios" / f"{picture.scenario}.yaml"), picture.turn)
    for size in SIZES:
        pygame.display.set_mode(size)
        judge = JudgeWorker(session.battle), JudgeWorker(session.battle)
        window = GameWindow(session, *judge, InlinePlayerWorker())
        for density in (store.COARSE, store.FINE):
            store.painted(session.battle.table, density)
        try:
            player = Player(window)
            window.step(0.02)
            if session.battle.has(picture.unit):
                player.click(session.battle.unit(picture.unit).at)
            player.wait()
            shown(window).save(folder / file_of(f"playing-{name}-{size[0]}"), quality=QUALITY, optimize=True)
        finally:
            window.close()


def main(arguments: list[str]) -> int:
    """Take every picture, or those of one rule set."""
    parser = argparse.ArgumentParser(description="Take pictures of the rule sets in play, at three sizes.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("name", nargs="?", choices=tuple(PICTURES))
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    theme.apply_theme("plain", "look", "painted")
    pygame.display.init()
    pygame.font.init()
    for name in [given.name] if given.name else PICTURES:
        take(name, given.folder)
        print(f"{given.folder}/playing-{name}-*.jpg", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
