"""Two versions of the search for sight lines on the same random tables, and what the exact referee says of differences.

    PYTHONPATH=OLD python tools/sight_answers.py --out before.jsonl --count 25000    # OLD: a checkout of that version
    python -m tools.sight_answers --out after.jsonl --count 25000
    python -m tools.sight_answers --compare before.jsonl after.jsonl

The tables are those of ``tests/test_oracle_units.py``: two units with woods and houses strewn between them, many of
them flush or a crack apart. A difference in length counts from 1e-4 table units (inches). The referee looks along each
version's line in whole numbers, under the tolerance and without it: "clear", "blocked", or "hairline" where a line is
so close to a limit that either may be said.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from random import Random
from typing import Any

import shapely

from tabletop.geometry.line_of_sight import SightLaw, sight
from tests.oracle import product, scenes
from tests.oracle.sight import Ground, Law
from tests.test_oracle_units import EXACT, crowded, finer, unit, whole

#: Least difference in length that counts (table units).
SAME = 1e-4
#: Seconds from which an answer is called slow.
SLOW = 1.0

Answer = dict[str, Any]


def laid(seed: int) -> tuple[shapely.Geometry, shapely.Geometry, Ground]:
    """Return two units and the crowded ground between them, of a seed: written out here for versions without it."""
    near = Random(seed + 1)
    x, y = near.uniform(12, 28), near.uniform(12, 28)
    dx, dy = near.uniform(-6, 6), near.choice((-1, 1)) * near.uniform(4, 10)
    a, b = unit(near, x, y), unit(near, x + dx, y + dy)
    return a, b, crowded(near, scenes.ground(seed)[1], (x, y), (dx, dy))


def answered(seed: int) -> Answer:
    """Return what this version answers on the table of a seed, and how long it took (processor seconds)."""
    a, b, ground = laid(seed)
    table = product.table(ground)
    start = time.process_time()
    seen = sight(table, a, b, SightLaw())
    seconds = round(time.process_time() - start, 4)
    units = [shapely.to_wkt(a), shapely.to_wkt(b)]
    return {"seed": seed, "units": units, "distance": seen.distance, "line": seen.line, "seconds": seconds}


def differ(one: Answer, other: Answer) -> bool:
    """Return whether two versions answer otherwise: seen or not, or another length."""
    if one["distance"] is None or other["distance"] is None:
        return one["distance"] is not other["distance"]
    return bool(abs(one["distance"] - other["distance"]) > SAME)


def refereed(answer: Answer) -> str:
    """Return what the referee says of the line an answer shows: within the tolerance, and exactly."""
    if answer["distance"] is None:
        return "not seen"
    start, end = answer["line"]
    said = []
    for law in (Law(), EXACT):
        look = finer(laid(answer["seed"])[2], law).look(whole(start), whole(end))
        said.append("hairline" if look.hairline else "clear" if look.clear else "blocked")
    return f"{answer['distance']:.6f}, {said[0]} within the tolerance, {said[1]} exactly"


def compare(before: Path, after: Path) -> int:
    """Print every difference between two files of answers, and how long each took; return how many there are."""
    olds, news = ({answer["seed"]: answer for answer in map(json.loads, path.open())} for path in (before, after))
    seeds = sorted(olds.keys() & news.keys())
    assert all(olds[seed]["units"] == news[seed]["units"] for seed in seeds), "the versions drew other tables"
    different = [seed for seed in seeds if differ(olds[seed], news[seed])]
    for seed in different:
        print(f"{seed}: before {refereed(olds[seed])}; after {refereed(news[seed])}")
    for name, answers in (("before", olds), ("after", news)):
        seconds = sorted(answers[seed]["seconds"] for seed in seeds)
        shares = ", ".join(
            f"{share:.1%} {seconds[int(share * (len(seconds) - 1))]:.4f} s" for share in (0.5, 0.99, 1.0)
        )
        print(f"{name}: {shares}; {sum(each > SLOW for each in seconds)} took more than {SLOW:g} s")
    print(f"{len(seeds)} tables, {len(different)} answered otherwise")
    return len(different)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="the file of answers, one a line")
    parser.add_argument("--first", type=int, default=300_000, help="the seed of the first table")
    parser.add_argument("--count", type=int, default=1_000, help="how many tables")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="compare two files of answers")
    wanted = parser.parse_args()
    if wanted.compare:
        compare(*wanted.compare)
    if wanted.out:
        with wanted.out.open("w") as out:
            for seed in range(wanted.first, wanted.first + wanted.count):
                out.write(json.dumps(answered(seed)) + "\n")


if __name__ == "__main__":
    main()
