"""How fast the engine plays: a battle of twenty brigades a side between players who do anything allowed.

    python -m benchmarks.engine                  # everything; or some of: battle greedy keeping growth profile thinking

Processor time throughout. The field is made up (tools/fields.py): twenty brigades and four batteries a side, five
generals each, forty pieces of terrain, twelve turns unless an army breaks before.
"""

from __future__ import annotations

import cProfile
import pstats
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth import exponent
from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.play.computer.greedy import Greedy
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.players import Player
from tabletop.play.saves import save
from tabletop.play.session import Session
from tools.fields import equal_battle

BRIGADES, PIECES, TURNS = 20, 40, 12
#: Actions of a game that is folded and loaded.
ACTIONS = 400


@dataclass
class Timed:
    """A battle played: its steps, and the processor milliseconds of every choice and of every action submitted."""

    steps: list[engine.Step]
    chosen: list[float]
    done: list[float]

    @property
    def seconds(self) -> float:
        return (sum(self.chosen) + sum(self.done)) / 1000.0


def fought(
    brigades: int, pieces: int, seed: int, most: int = 100_000, player: Callable[[int], Player] = RandomMover
) -> Timed:
    """Play a battle between players of one kind, to its end or for so many actions."""
    battle = equal_battle(brigades, pieces, seed, TURNS)
    step = engine.begin(battle, seed)
    players = {side: player(2 * seed + k) for k, side in enumerate(step.battle.setup.sides)}
    timed = Timed([step], [], [])
    while len(timed.done) < most and (side := engine.mover(step.battle)) is not None:
        step = _timed_step(timed, players[side], step.battle)
    return timed


def _timed_step(timed: Timed, player: Player, battle: Battle) -> engine.Step:
    start = time.process_time()
    chosen = player.choose(battle)
    middle = time.process_time()
    step = engine.submit(battle, chosen.action)
    end = time.process_time()
    timed.chosen.append(1000.0 * (middle - start))
    timed.done.append(1000.0 * (end - middle))
    timed.steps.append(step)
    return step


def battles() -> None:
    """Whole battles, five of them; the engine's data files are read before."""
    fought(2, 2, 0, most=5)
    for seed in range(1, 6):
        _print_times(f"battle {seed}", fought(BRIGADES, PIECES, seed))


def greedy() -> None:
    """Whole battles between two players who weigh every suggestion by what it may bring, two of them."""
    fought(2, 2, 0, most=5, player=Greedy)
    for seed in (1, 2):
        _print_times(f"greedy, battle {seed}", fought(BRIGADES, PIECES, seed, player=Greedy))


def _print_times(name: str, timed: Timed) -> None:
    last = timed.steps[-1].battle
    how = "" if last.outcome is None else last.outcome.how
    print(f"{name}: {timed.seconds:.2f} s, {len(timed.done)} actions, {last.clock.turn} turns, {how}")
    both = [a + b for a, b in zip(timed.chosen, timed.done, strict=True)]
    for what, taken in (("drawn and found allowed", timed.chosen), ("judged and resolved", timed.done), ("both", both)):
        print(f"  {what:24s} median {statistics.median(taken):6.2f}  p95 {_p95(taken):6.2f}  max {max(taken):7.1f} ms")


def _p95(taken: Sequence[float]) -> float:
    return sorted(taken)[int(0.95 * len(taken))]


# --- keeping ---------------------------------------------------------------------------------------------------------


def keeping() -> None:
    """Fold and load the first actions of a battle."""
    timed = fought(BRIGADES, PIECES, 1, most=ACTIONS)
    opening = equal_battle(BRIGADES, PIECES, 1, TURNS)
    events = [event for step in timed.steps for event in step.events]
    start = engine.opened(opening, 1)
    if fold(start, events) != timed.steps[-1].battle:
        raise SystemExit("folded again, the battle is another one")
    _median(f"fold {len(timed.done)} actions, {len(events)} events", lambda: fold(start, events))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        session = Session.start(opening, 1, autosave=path)
        for step in timed.steps[1:]:
            assert step.action is not None
            session.do(step.action)
        _median(f"load {len(timed.done)} actions", lambda: Session.resume(save.read(path)))


def _median(what: str, work: Callable[[], object], times: int = 7) -> None:
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append(1000.0 * (time.process_time() - start))
    print(f"{what}: median {statistics.median(found):.1f} ms, best {min(found):.1f} ms")


# --- growth ----------------------------------------------------------------------------------------------------------


def growth() -> None:
    """How the time of an action grows with the units and with the terrain: exponents fitted to the mean times."""
    fought(2, 2, 0, most=5)
    _fitted("ms an action by brigades a side", (5, 10, 20, 40), lambda n: _mean(n, PIECES))
    _fitted("ms an action by pieces of terrain", (10, 20, 40, 80), lambda n: _mean(BRIGADES, n))
    spent = _by_turn(fought(BRIGADES, PIECES, 1))
    _fitted("ms of a battle by its turns", (2, 4, 8, TURNS), lambda n: sum(spent[turn] for turn in range(1, n + 1)))
    _fitted("greedy: ms an action by brigades a side", (5, 10, 20), lambda n: _mean(n, PIECES, Greedy))
    _fitted("greedy: ms an action by pieces of terrain", (10, 20, 40), lambda n: _mean(10, n, Greedy))


def _by_turn(timed: Timed) -> dict[int, float]:
    """Return the milliseconds of each turn."""
    found: dict[int, float] = defaultdict(float)
    for step, chosen, done in zip(timed.steps, timed.chosen, timed.done, strict=False):
        found[step.battle.clock.turn] += chosen + done
    return found


def _mean(brigades: int, pieces: int, player: Callable[[int], Player] = RandomMover) -> float:
    """Return the mean milliseconds of an action, chosen and done, over the first turns of two battles."""
    games = [fought(brigades, pieces, seed, 20 * brigades, player) for seed in (1, 2)]
    return 1000.0 * sum(g.seconds for g in games) / sum(len(g.done) for g in games)


def _fitted(what: str, numbers: Sequence[int], measure: Callable[[int], float]) -> None:
    found = [measure(n) for n in numbers]
    told = ", ".join(f"{n}: {ms:.2f}" for n, ms in zip(numbers, found, strict=True))
    print(f"{what}: {told}; exponent {exponent(numbers, found):.2f}", flush=True)


# --- where the time goes ---------------------------------------------------------------------------------------------

#: Parts of the work, told by the function that does all of it.
PARTS = (
    ("drawing an action", "at_random.py", "random_action"),
    ("  judging moves", "moving.py", "judge_move"),
    ("  judging fire", "firing.py", "judge_fire"),
    ("  judging assaults", "assaulting.py", "judge_assault"),
    ("  which kinds are open", "menu.py", "is_open"),
    ("submitting it", "engine.py", "submit"),
    ("  judging it again", "engine.py", "judge"),
    ("  falling back", "effects.py", "fall_back"),
    ("  what follows by itself", "engine.py", "_advance"),
    ("  folding events", "apply.py", "apply"),
)


def profile() -> None:
    """Shares of the time of a whole battle, from a profile: parts named below others are in them, or partly."""
    fought(2, 2, 0, most=5)
    profiler = cProfile.Profile(time.process_time)
    profiler.enable()
    fought(BRIGADES, PIECES, 1)
    profiler.disable()
    stats = pstats.Stats(profiler)
    found: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = stats.stats  # type: ignore[attr-defined]
    whole = max(row[3] for key, row in found.items() if key[2] == "_timed_step")
    for what, file, name in PARTS:
        spent = sum(row[3] for key, row in found.items() if key[2] == name and key[0].endswith("/" + file))
        print(f"{what:28s} {spent / whole:6.1%}")


WORK = {"battle": battles, "greedy": greedy, "keeping": keeping, "growth": growth, "profile": profile}


def main(names: Sequence[str]) -> None:
    for name in names or WORK:
        print(f"--- {name}")
        WORK[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
