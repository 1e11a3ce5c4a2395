"""Golden battles: one of each scenario, every action with the hash of the whole state after it.

``python -m tests.games.golden`` plays them anew, or those of the scenarios named; with a recorded one it plays that
again and prints the last hash, for other Pythons and other hash seeds.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import action_data, action_of, state_hash
from tabletop.play.engine import Step, begin, opened, submit
from tabletop.play.match import fight
from tabletop.play.players import Player, player_kind
from tests.games.positions import position, scenarios

HERE = Path(__file__).parent / "golden"
SEED = 1815
#: A battle of no more actions says too little: the next seed's is recorded.
FEWEST = 10
#: A battle of at most so many actions is recorded whole; of a longer one the first so many: the largest go on for a
#: thousand, and all are replayed in every run.
WHOLE, FIRST = 500, 200
#: Which actions of a recorded battle are kept for other tests: every so many, and the number of the first.
EACH, FROM = 14, 3
#: Who plays: one who looks ahead against one who does anything, so that all sorts of actions are among them.
PLAYERS = ("greedy", "random")


@dataclass(frozen=True)
class Golden:
    """A battle as it went: its scenario, seed, and every action with the hash after it (the first of the beginning)."""

    scenario: str
    seed: int
    actions: tuple[Action, ...]
    hashes: tuple[str, ...]


def path_of(scenario: str) -> Path:
    return HERE / f"{Path(scenario).parent.name}-{Path(scenario).stem}.jsonl"


def played(scenario: str) -> Golden:
    """Return the battle as it goes now, of the first seed that makes it more than a few actions long."""
    tries = (_played(scenario, seed) for seed in count(SEED))
    return next(golden for golden in tries if len(golden.actions) > FEWEST)


def _played(scenario: str, seed: int) -> Golden:
    battle = position(scenario)
    players: dict[str, Player] = {}
    for number, (side, name) in enumerate(zip(opened(battle, seed).setup.sides, PLAYERS, strict=True)):
        make = player_kind(name).make
        assert make is not None
        players[side] = make(number)
    steps = list(fight(battle, players, seed, WHOLE))
    if not steps[-1].battle.over:
        steps = steps[: FIRST + 1]
    actions = tuple(step.action for step in steps if step.action is not None)
    return Golden(scenario, seed, actions, tuple(state_hash(step.battle) for step in steps))


def written(golden: Golden) -> str:
    """Return a golden battle as lines: the head, then an action a line."""
    head = {"scenario": golden.scenario, "seed": golden.seed, "hash": golden.hashes[0]}
    rows = [
        {"hash": after, **action_data(action)} for action, after in zip(golden.actions, golden.hashes[1:], strict=True)
    ]
    return "\n".join(json.dumps(row, sort_keys=True) for row in (head, *rows)) + "\n"


def read(path: Path) -> Golden:
    """Return the golden battle of a file."""
    head, *rows = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    hashes = (head["hash"], *(row.pop("hash") for row in rows))
    return Golden(head["scenario"], head["seed"], tuple(action_of(row) for row in rows), hashes)


@dataclass(frozen=True)
class Replay:
    """A recorded battle played again: where its state first differs, if anywhere, and some steps, each with the battle
    before it.
    """

    difference: str | None
    some: tuple[tuple[Battle, Step], ...]


@cache
def replayed(scenario: str) -> Replay:
    """Play the recorded battle of a scenario again, once for all tests that look at it."""
    golden, some = read(path_of(scenario)), list[tuple[Battle, Step]]()
    return Replay(first_difference(golden, some), tuple(some))


def first_difference(golden: Golden, some: list[tuple[Battle, Step]] | None = None) -> str | None:
    """Play the recorded actions again; return where the state first differs, None if it never does.

    Every ``EACH``-th step, from the one numbered ``FROM`` on, is added to ``some`` with the battle before it.
    """
    battle = begin(position(golden.scenario), golden.seed).battle
    if state_hash(battle) != golden.hashes[0]:
        return "the beginning"
    for number, (action, after) in enumerate(zip(golden.actions, golden.hashes[1:], strict=True), 1):
        step = submit(battle, action)
        if some is not None and (number - 1) % EACH == FROM:
            some.append((battle, step))
        battle = step.battle
        if state_hash(battle) != after:
            return f"action {number}, {action}"
    return None


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1].endswith(".jsonl"):
        found = read(Path(sys.argv[1]))
        print(first_difference(found) or found.hashes[-1])
    else:
        HERE.mkdir(exist_ok=True)
        for name in sys.argv[1:] or scenarios():
            path_of(name).write_text(written(played(name)), encoding="utf-8")
            print(path_of(name))
