"""How long margins take: the processor time of each, in one process, or the clock of a process for each.

python -m benchmarks.margins                       # 300 random questions on both maps: the margin
    python -m benchmarks.margins --cold                # from the shell and back: to the answer, and to the margin
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BATTLES = ("scenarios/tse/quatre-bras.yaml", "scenarios/tse/starter.yaml")
#: Kinds of question and how often each is drawn; of the pairs, half are drawn among the nearest.
KINDS = ("los", "fire", "arc", "assault", "cover", "fallback", "move", "command")
NEAREST = 4


def drawn(battle: Any, count: int, seed: int) -> Iterator[tuple[str, tuple[str, ...], dict[str, Any]]]:
    """Yield random questions of every kind that has a margin: kind, units, options."""
    from tabletop.rules import rule_set

    rules = rule_set.find(battle.rules)
    rng, troops = random.Random(seed), [unit for unit in battle.units if not unit.is_general]
    kinds = [kind for kind in KINDS if kind in rules.questions]
    for k in range(count):
        kind, unit = kinds[k % len(kinds)], rng.choice(troops)
        enemies = sorted((u for u in troops if u.side != unit.side), key=lambda u: math.dist(u.at, unit.at))
        enemy = rng.choice(enemies[:NEAREST] if rng.random() < 0.5 else enemies)
        if kind == "command":
            yield kind, (unit.id,), {}
        elif kind == "cover":
            yield kind, (unit.id,), {"from": enemy.id}
        elif kind == "fallback":
            yield kind, (unit.id,), {"from": enemy.id, "distance": float(rng.randint(1, 6))}
        elif kind == "move":
            turn, far = math.radians(unit.facing + rng.uniform(-60.0, 60.0)), rng.uniform(1.0, 8.0)
            x, y = unit.front_mid
            to = (round(x + far * math.sin(turn), 2), round(y + far * math.cos(turn), 2))
            yield kind, (unit.id,), {rng.choice(("to", "path")): to} | {"as": rng.choice(("maneuver", "march"))}
        else:
            yield kind, (unit.id, enemy.id), {}


def put(battle: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as the judge takes them: a path is a list of points."""
    return {**options, **({"path": [options["path"]]} if "path" in options else {})}


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--cold", action="store_true")
    given = parser.parse_args()
    (cold if given.cold else timed)(given.count, given.seed)


def cold(count: int, seed: int) -> None:
    """Put random questions, each in a process of its own; print how long answer and margin took.

    By the clock, and in processor time, all of the process: the clock tells of the program only on a quiet machine.
    """
    import numpy as np

    from benchmarks.cold import _asked
    from tabletop.play.files.load import load_scene

    took: list[tuple[float, float, float]] = []
    for file in BATTLES:
        battle = load_scene(ROOT / file)
        _asked(file, ["distance", *[unit.id for unit in battle.units][:2]])  # compiles what is not yet compiled
        for kind, args, options in drawn(battle, count // len(BATTLES), seed):
            words = [word for name, value in options.items() for word in (f"--{name}", _word(value))]
            before = _spent()
            took.append((*_asked(file, [kind, *args, *words]), _spent() - before))
    for what, seconds in zip(("to the answer", "to the margin", "processor"), np.array(took).T, strict=True):
        median, late = np.percentile(seconds, [50, 95])
        print(f"{what:14s} median {median:6.3f}  95 % {late:6.3f}  worst {max(seconds):6.3f} s  ({len(seconds)})")
    print(f"load of the machine {os.getloadavg()[0]:.1f}")


def _spent() -> float:
    """Return the processor time of the processes that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _word(value: Any) -> str:
    return (
        ",".join(map(str, value)) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else value
    )


def timed(count: int, seed: int) -> None:
    """Print how long the margins of random questions take in this process, by kind."""
    import numpy as np

    from tabletop.errors import BadQuestion
    from tabletop.judge import judge
    from tabletop.play.files.load import load_scene

    took: dict[str, list[float]] = {}
    for file in BATTLES:
        battle = load_scene(ROOT / file)
        for kind, args, options in drawn(battle, count // len(BATTLES), seed):
            start = time.process_time()
            try:
                judge(battle, kind, args, put(battle, options))
            except BadQuestion:
                continue
            took.setdefault(kind, []).append(time.process_time() - start)
            if took[kind][-1] > 2.0:
                print(f"    {took[kind][-1]:6.2f} s  {file} {kind} {' '.join(args)} {options}", flush=True)
    took["all"] = [seconds for some in took.values() for seconds in some]
    for kind, seconds in took.items():
        median, late = np.percentile(seconds, [50, 95])
        print(f"{kind:10s} median {median:6.3f}  95 % {late:6.3f}  worst {max(seconds):6.3f} s  ({len(seconds)})")


if __name__ == "__main__":
    main()
