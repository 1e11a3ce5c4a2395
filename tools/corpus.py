"""Saved games of every version, kept in ``tests/corpus`` for a test that opens, replays, reports and verifies them.

    python -m tools.corpus        record the games of the current versions again

The games of earlier versions stay as they are, because they cannot be recorded again. Record the current ones after
every change of the rules, until the next version is begun; from then on they belong to the past too. New numbers of
the model are a new version of it at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tabletop.play.files.load import load_scene
from tabletop.play.match import limited, made, named
from tabletop.play.saves import versions
from tabletop.play.session import Session

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests/corpus"
PLAYERS = "greedy,random"


@dataclass(frozen=True)
class Recorded:
    """One game of the corpus: its scenario, its seed, and its limit of turns."""

    scenario: str
    seed: int
    turns: int

    def path(self) -> Path:
        """Return the file of this game under the current versions."""
        rules = Path(self.scenario).parent.name
        under = "-".join(f"{name}-{number}" for name, number in versions.current(rules).items())
        return CORPUS / f"{rules}-{Path(self.scenario).stem}-{under}.jsonl"


GAMES = (
    Recorded("tse/skirmish", 7, 4),
    Recorded("tse/teaching", 5, 3),
    Recorded("tse/starter", 3, 2),
    Recorded("realm-of-chance/drill-ground", 4, 6),
)


def record(game: Recorded) -> Path:
    """Play a game and save it in its file; return the file."""
    path = game.path()
    path.unlink(missing_ok=True)
    battle = limited(load_scene(ROOT / "scenarios" / f"{game.scenario}.yaml"), game.turns)
    names = named(battle, PLAYERS)
    players = made(names, game.seed)
    session = Session.start(battle, game.seed, names, path)
    while (side := session.mover) is not None:
        session.do(players[side].choose(session.battle).action)
    return path


if __name__ == "__main__":
    for one in GAMES:
        print(record(one).relative_to(ROOT))
