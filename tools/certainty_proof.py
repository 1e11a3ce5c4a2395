"""Proof that "certain" is true: if every measurement is off by no more than the error, the answer stands.

    python -m tools.certainty_proof --answers 40                    # 40 certain answers, 2,000 placements each
    python -m tools.certainty_proof --answers 40 --placements 400   # fewer
    python -m tools.certainty_proof --told                          # summary of the file of results

Of the random questions of ``tools.margin_proof``, those called certain within an error are asked again with everything
that can matter, and one time in ten everything on the table, moved at once: drawn uniformly within the error; all of it
on the rim; corners of the error (eight directions, the full turn either way); all moved together, apart or sheared
about the line between the units asked about; and each thing in its own worst direction, the one in which it changes the
answer soonest when moved alone and farther. Placements that cannot stand on a table do not count. Ctrl-C keeps what is
done.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.battle.unit import Unit
from tabletop.geometry import fast
from tabletop.geometry.depth import deepest
from tabletop.geometry.terrain import Terrain
from tabletop.judge import judge
from tabletop.judge.asking import HOLDS
from tabletop.judge.margin import SEARCH
from tabletop.judge.things import Placement, Thing, placed
from tools.brute_margins import Asked, settled
from tools.margin_proof import SEED, commit
from tools.margin_questions import Drawn, question
from tools.proof_results import Results
from tools.what_matters import asked_units, what_matters

#: Errors within which answers are to be certain: inches and degrees.
ERRORS = ((0.125, 2.0), (0.0625, 1.0), (0.25, 3.0))
#: One placement in this many has everything on the table moved; number of directions of the corners.
WHOLE, CORNERS = 10, 8
#: How far (as shares of the margin's search) and in how many directions a thing is moved alone to find its worst
#: direction.
ALONE, WAYS = (0.125, 0.5, 1.0), 8

#: How one thing is moved: a shift as shares of the error, and a turn.
Move = tuple[float, float, float]


@dataclass
class Drawing:
    """Placements of many things at once within an error, for one answer."""

    asked: Asked
    things: tuple[Thing, ...]
    everything: tuple[Thing, ...]
    shift: float
    turn: float
    random: random.Random
    impossible: int = 0
    worst: dict[str, list[Move]] = field(default_factory=dict)

    def placements(self, count: int) -> Iterator[tuple[str, Battle]]:
        """Yield placements that can stand on a table, with the kind of each."""
        kinds: tuple[Callable[[], Callable[[Thing], Move]], ...]
        kinds = (self._even, self._rim, self._corners, self._field, self._worst)
        done = tries = 0
        while done < count and tries < 20 * count:
            tries += 1
            kind = kinds[tries % len(kinds)]
            move, things = kind(), self.everything if tries % WHOLE == 0 else self.things
            battle = placed(self.asked.battle, [self._laid(thing, move(thing)) for thing in things])
            if self._stands(battle):
                done += 1
                yield kind.__name__.strip("_"), battle
            else:
                self.impossible += 1

    # --- how everything is moved ---

    def _even(self) -> Callable[[Thing], Move]:
        return lambda thing: self._way(math.sqrt(self.random.random()), self.random.uniform(-1.0, 1.0))

    def _rim(self) -> Callable[[Thing], Move]:
        return lambda thing: self._way(1.0, self.random.choice((-1.0, 1.0)))

    def _corners(self) -> Callable[[Thing], Move]:
        def move(thing: Thing) -> Move:
            angle = 2.0 * math.pi * self.random.randrange(CORNERS) / CORNERS
            return math.sin(angle), math.cos(angle), self.random.choice((-1.0, 0.0, 1.0))

        return move

    def _field(self) -> Callable[[Thing], Move]:
        """Return a move of everything towards a line, away from it, or along it in opposite directions on its two
        sides."""
        units = [self.asked.battle.unit(name) for name in asked_units(self.asked.args, self.asked.options)]
        (ax, ay), (bx, by) = (units[0].at, units[-1].at) if units else ((0.0, 0.0), (1.0, 1.0))
        angle = math.atan2(bx - ax, by - ay) if units[1:] else self.random.uniform(0.0, 2.0 * math.pi)
        share = self.random.random()
        cx, cy = ax + share * (bx - ax), ay + share * (by - ay)
        angle += self.random.choice((0.0, math.pi / 2.0, self.random.uniform(0.0, math.pi)))
        sign, along, turn = self.random.choice((-1.0, 1.0)), self.random.random() < 0.3, self.random.choice((-1, 0, 1))

        def move(thing: Thing) -> Move:
            x, y = thing.centre
            side = math.copysign(sign, (x - cx) * math.cos(angle) - (y - cy) * math.sin(angle))
            way = angle if along else angle + math.pi / 2.0
            return side * math.sin(way), side * math.cos(way), turn * side

        return move

    def _worst(self) -> Callable[[Thing], Move]:
        """Return a move of each thing in a direction in which it changes the answer soonest, for a share of them."""
        share = self.random.choice((1.0, 0.7, 0.4))

        def move(thing: Thing) -> Move:
            ways = self.worst.get(thing.id)
            return self.random.choice(ways) if ways and self.random.random() < share else self._rim()(thing)

        return move

    def _way(self, far: float, turn: float) -> Move:
        angle = self.random.uniform(0.0, 2.0 * math.pi)
        return far * math.sin(angle), far * math.cos(angle), turn

    def probed(self) -> None:
        """Find each thing's worst directions."""
        battle, holds = self.asked.battle, self.asked.facts()[HOLDS]
        radius = SEARCH[battle.table.unit] * battle.scale
        for thing in self.things:
            for share in ALONE:
                for k in range(WAYS):
                    angle = 2.0 * math.pi * k / WAYS
                    x, y = math.sin(angle), math.cos(angle)
                    moved = placed(battle, (Placement(thing, (share * radius * x, share * radius * y)).body(),))
                    if self.asked.shortly(moved, [HOLDS]).get(HOLDS) not in (None, holds):
                        self.worst.setdefault(thing.id, []).append((x, y, self.random.choice((-1.0, 0.0, 1.0))))
                if thing.id in self.worst:
                    break

    # --- one thing ---

    def _laid(self, thing: Thing, move: Move) -> Unit | Terrain:
        x, y, turn = move[0] * self.shift, move[1] * self.shift, move[2] * self.turn
        body = Placement(thing, (x, y), turn if thing.turns else 0.0).body()
        return self._bent(body) if isinstance(body, Terrain) else body

    def _bent(self, piece: Terrain) -> Terrain:
        """Return a piece with every vertex on the rim of the error too, if that leaves a valid outline."""
        if self.random.random() < 0.5:
            return piece
        moves: dict[tuple[float, float], tuple[float, float, float]] = {}

        def bend(coordinates: Any) -> Any:
            for row in coordinates:
                key = (float(row[0]), float(row[1]))
                x, y, _ = moves.setdefault(key, self._way(1.0, 0.0))
                row[0], row[1] = key[0] + self.shift * x, key[1] + self.shift * y
            return coordinates

        if piece.line is not None:
            return piece.along(shapely.transform(piece.line, bend))
        shape = shapely.transform(piece.shape, bend)
        valid = shapely.is_valid(shape) and not shapely.is_empty(shape)
        return replace(piece, shape=shape, whole=None) if valid else piece

    def _stands(self, battle: Battle) -> bool:
        """Return whether no unit overlaps another more deeply, or stands farther off the table, than as measured."""
        home, t = self.asked.battle, battle.tape.t
        units = [unit for unit in battle.units if not unit.is_general]
        tree = shapely.STRtree([unit.footprint for unit in units])
        for k, m in zip(*tree.query([unit.footprint for unit in units], predicate="intersects"), strict=True):
            a, b = units[k], units[m]
            if k < m and deepest(a.bases, b.bases) > t + deepest(home.unit(a.id).bases, home.unit(b.id).bases):
                return False
        edge = battle.table.edge
        return all(
            shapely.covers(edge, u.footprint) or not shapely.covers(edge, home.unit(u.id).footprint) for u in units
        )


def proved(drawn: Drawn, count: int) -> dict[str, Any] | None:
    """Return the results of joint placements for an answer that is called certain; None for any other."""
    battle = drawn.battle
    shift, turn = ERRORS[drawn.number % len(ERRORS)]
    shift *= inch(battle.table)
    verdict = judge(battle, drawn.question, drawn.args, {**drawn.options, "error": (shift, turn)})
    if verdict.certainty is None or not verdict.certainty.certain:
        return None
    asked = Asked(battle, drawn.question, drawn.args, settled(drawn.options, verdict))
    matters = what_matters(battle, drawn.question, drawn.args, asked.options, 2.0 * shift, turn)
    rng = random.Random(f"certain:{drawn.number}")
    drawing = Drawing(asked, matters.things, (*matters.things, *matters.others), shift, turn, rng)
    drawing.probed()
    began, wrong, done = time.process_time(), [], 0
    for kind, battle_drawn in drawing.placements(count):
        done += 1
        if asked.shortly(battle_drawn, [HOLDS]).get(HOLDS) is (not verdict.holds):
            wrong.append({"placement": done, "kind": kind, "holds": asked.facts(battle_drawn).get(HOLDS)})
    return {
        "question": drawn.number,
        "kind": drawn.question,
        "place": drawn.place,
        "error": [shift, turn],
        "holds": verdict.holds,
        "placements": done,
        "impossible": drawing.impossible,
        "things": len(matters.things),
        "worst": len(drawing.worst),
        "seconds": round(time.process_time() - began, 1),
        "found": wrong,
    }


def run(given: argparse.Namespace) -> int:
    """Ask questions until enough answers were certain; return how many of those were wrong."""
    results = Results(given.out)
    lines = [line for line in results.lines() if line["seed"] == given.seed]
    done, certain, wrong = {line["question"] for line in lines}, sum("placements" in line for line in lines), 0
    number = given.first
    while certain < given.answers:
        if number not in done:
            drawn = question(number, given.seed)
            line = proved(drawn, given.placements)
            results.add({"seed": given.seed, "commit": commit(), **(line or {"question": number, "certain": False})})
            if line is not None:
                certain, wrong = certain + 1, wrong + bool(line["found"])
                summary = f"{line['placements']} placements, {line['seconds']} s"
                print(f"[{certain}/{given.answers}] {drawn}: {summary}", flush=True)
                for counterexample in line["found"]:
                    print("    COUNTEREXAMPLE " + json.dumps({"question": number, **counterexample}), flush=True)
        number += 1
    return wrong


def told(results: Results, seed: int) -> None:
    """Print a summary of the file of results."""
    lines = [line for line in results.lines() if line["seed"] == seed]
    certain = [line for line in lines if "placements" in line]
    print(f"asked {len(lines)}, certain {len(certain)}, placements {sum(line['placements'] for line in certain)}")
    print(f"certain answers that do not stand: {[x['question'] for x in certain if x['found']]}")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=40, help="how many certain answers")
    parser.add_argument("--placements", type=int, default=2000)
    parser.add_argument("--from", dest="first", type=int, default=0, help="number of the first question")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path("certainty-proof.jsonl"), help="the file of results")
    parser.add_argument("--told", action="store_true", help="say what the file of results comes to")
    given = parser.parse_args()
    if given.told:
        told(Results(given.out), given.seed)
        return 0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if fast.installed():
        fast.warm()
    try:
        return 1 if run(given) else 0
    except KeyboardInterrupt:
        print(f"\nstopped; what is done is kept in {given.out}")
        return 130


if __name__ == "__main__":
    sys.exit(main())
