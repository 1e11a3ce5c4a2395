"""One random legal game from beginning to end, watched; what fails leaves a file that plays it again.

``python -m tests.games.harness FILE`` plays such a file again and says what is wrong.
"""

from __future__ import annotations

import json
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import action_data, action_of, state_hash
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.engine import Step, begin, mover, submit
from tests.games.positions import position
from tests.games.watch import Watch, untouched

#: Where games that failed are left, beside the tests.
FAILURES = Path(__file__).parent / "failures"
#: A game that takes longer than this has no end.
MOST_ACTIONS = 20_000


@dataclass
class Game:
    """A game as played: the name of its position, its seed, every action, and the faults found."""

    name: str
    seed: int
    actions: list[Action] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    last: Battle | None = None

    def as_json(self) -> dict[str, Any]:
        actions = [action_data(action) for action in self.actions]
        return {"position": self.name, "seed": self.seed, "faults": self.faults, "actions": actions}

    def left(self) -> str:
        """Leave the file that plays this game again; return what to say of it."""
        FAILURES.mkdir(exist_ok=True)
        path = FAILURES / f"{self.name.replace('/', '-').replace(':', '-')}-{self.seed}.json"
        path.write_text(json.dumps(self.as_json(), indent=1), encoding="utf-8")
        return f"{self.name}, seed {self.seed}, action {len(self.actions)}: {self.faults[:3]}; see {path}"


def play(name: str, seed: int, script: list[Action] | None = None, hashes: bool = False) -> Game:
    """Return a random legal game of the position ``name``; it stops at the first fault. ``script``: these actions."""
    game = Game(name, seed)
    try:
        _played(game, script, hashes)
    except Exception:
        game.faults.append(traceback.format_exc())
    return game


def _played(game: Game, script: list[Action] | None, hashes: bool) -> None:
    random, watch = RandomMover(game.seed), Watch()
    before = position(game.name)
    watch.begins(before)
    step = begin(before, game.seed)
    game.faults += watch.opens(step)
    start = step.battle if not step.events else begin(before, game.seed).battle
    if state_hash(start) != state_hash(step.battle):
        game.faults.append("two beginnings with one seed differ")
    while not game.faults:
        before = game.last = step.battle
        if mover(before) is None:
            return
        if len(game.actions) >= MOST_ACTIONS:
            game.faults.append(f"no end after {MOST_ACTIONS} actions")
            return
        if script is not None and len(script) == len(game.actions):
            return
        action = random.choose(before).action if script is None else script[len(game.actions)]
        game.actions.append(action)
        step = submit(before, action)
        _checked(game, watch, before, step)
        if hashes:
            game.hashes.append(state_hash(step.battle))


def _checked(game: Game, watch: Watch, before: Battle, step: Step) -> None:
    known = state_hash(before)
    game.faults += watch.faults(before, step)
    if len(game.actions) % 7 == 0:
        game.faults += untouched(before, step)
    if state_hash(before) != known:
        game.faults.append("an action changed the battle it was done to")


def again(path: Path) -> Game:
    """Play the game of a failure's file again."""
    data = json.loads(path.read_text("utf-8"))
    return play(data["position"], data["seed"], [action_of(action) for action in data["actions"]])


if __name__ == "__main__":
    found = again(Path(sys.argv[1]))
    print("\n".join(found.faults) or "nothing wrong with it now")
