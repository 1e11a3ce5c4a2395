"""Questions from the shell, each in a process of its own: how soon the answer stands there, and how soon the margin.

Python keeps its compiled modules, as it does for whoever plays: the first question of all, which compiles them, is not
counted.
"""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What an answer may take, in seconds.
GOAL = 0.8


def drawn(battle_file: str, count: int, seed: int) -> Iterator[list[str]]:
    """Yield questions of every kind, drawn at random, as words of the command line."""
    from tabletop.play.files.load import load_scene
    from tabletop.rules import rule_set

    battle = load_scene(ROOT / battle_file)
    actions = rule_set.find(battle.rules).actions
    rng, troops = random.Random(seed), [unit for unit in battle.units if not unit.is_general]
    for _ in range(count):
        unit = rng.choice(troops)
        enemy = rng.choice([other for other in troops if other.side != unit.side])
        turn, far = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(1.0, 6.0)
        to = f"{unit.at[0] + far * math.sin(turn):.2f},{unit.at[1] + far * math.cos(turn):.2f}"
        how = ["--as", str(rng.choice(actions(unit)))]
        yield rng.choice(
            [
                *([question, unit.id, enemy.id] for question in ("los", "fire", "arc", "assault", "distance")),
                *(["cover", unit.id, "--from", enemy.id, *against] for against in ([], ["--assault"])),
                ["fallback", unit.id, "--distance", str(rng.randint(1, 8)), "--from", enemy.id],
                *(["move", unit.id, option, to, *how] for option in ("--path", "--to")),
                *([question, unit.id] for question in ("command", "zone")),
            ]
        )


def asked(say: Callable[..., None], battle_file: str, count: int = 120, seed: int = 11) -> None:
    """Put random questions; print how long answers and margins took by the clock, and which took longest."""
    questions = list(drawn(battle_file, count, seed))
    _asked(battle_file, questions[0])
    answered, ended = zip(*(_asked(battle_file, words) for words in questions), strict=True)
    for what, seconds in (("random questions, to the answer", answered), ("the same, to the margin", ended)):
        say(what, seconds, 90, 95)
        slow = sum(each > GOAL for each in seconds)
        worst = " ".join(questions[seconds.index(max(seconds))])
        print(f"    over {GOAL} s: {slow} of {count}; the slowest: {worst}", flush=True)


def _asked(battle_file: str, words: Sequence[str]) -> tuple[float, float]:
    """Return the seconds until the first line of an answer, and until its process has ended."""
    command = [sys.executable, "-m", "tabletop", "judge", battle_file, *words]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, env=kept, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        answered = time.perf_counter() - start
        process.stdout.read()
    return answered, time.perf_counter() - start
