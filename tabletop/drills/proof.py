"""What ``tabletop drills --check`` proves: margins are as promised, and no constant answer pays.

Every position must have the judge's margin within 10 % or 0.02 in of the wanted one, which for one in five is checked
with the full verdict given to players; its scene, read again from its rows, must have the same answer, and its twin
another one. The best constant answer may be right in at most 55 % of the positions, overall and among those with any
one visible feature, or in the smallest possible number if so few cannot be divided better.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tabletop.drills.families import FAMILIES
from tabletop.drills.generate import Deck, made, right
from tabletop.drills.position import Position
from tabletop.judge import judge
from tabletop.judge.asking import HOLDS

#: The margins that are proved, in inches; positions of each, and in the long run.
MARGINS, COUNT, LONG = (1.5, 0.8, 0.4, 0.2, 0.1), 20, 200
#: One position out of this many is judged again with the full verdict.
WHOLE = 5
#: Maximum share of positions in which a constant answer may be right.
CONSTANT = 0.55


@dataclass(frozen=True)
class Proved:
    """The result for one family at one margin: faults in words, and a summary."""

    faults: Sequence[str]
    summary: str
    positions: Sequence[Position] = field(default_factory=tuple)


def prove(family: str, wanted: float, count: int = COUNT, seed: int = 0) -> Proved:
    """Return the result for ``count`` positions of a family at a margin."""
    generator, rng = FAMILIES[family], random.Random(f"{family} {wanted} {seed}")
    wanted = min(wanted, generator.widest)
    deck, positions, faults = Deck(generator, rng), list[Position](), list[str]()
    for number in range(count):
        plan, answer = deck.draw()
        position = made(generator, plan, answer, wanted, rng)
        if position is None:
            faults.append(f"no position was found with {_seen(plan.items())} and the answer {answer}")
            continue
        positions.append(position)
        faults += _wrong(position, answer, wanted)
        faults += _judged_wrong(position, wanted) if number % WHOLE == 0 else ()
    faults += constants(positions)
    where = f"{family} at {wanted:g} in"
    off = max((abs((p.margin or 0.0) - wanted) for p in positions), default=0.0)
    _, share = best_constant(positions)
    summary = f"{where}: {len(positions)} positions, margins within {off:.3f} in, a constant answer scores {share:.0%}"
    return Proved([f"{where}: {fault}" for fault in faults], summary.replace("%", " %"), positions)


def _wrong(position: Position, answer: str, wanted: float) -> list[str]:
    """Return the faults of one position."""
    family, twin, layout = FAMILIES[position.family], position.twin, position.layout
    assert twin is not None and layout is not None
    faults = []
    if not right(position.margin, wanted):
        faults.append(f"the judge's margin is {position.margin}")
    if family.briefly(layout.battle(family.title), position.seen) != answer or position.answer != answer:
        faults.append(f"the answer of the scene read anew is not {answer}")
    if twin.answer == answer or family.briefly(twin.battle, position.seen) != twin.answer:
        faults.append("the twin has no other answer")
    return faults


def _judged_wrong(position: Position, wanted: float) -> list[str]:
    """Return the fault of the margin by the full verdict, on the scene read again from its rows."""
    family, layout = FAMILIES[position.family], position.layout
    assert layout is not None
    battle = layout.battle(family.title)
    if family.fact:
        verdict = judge(battle, position.proof.question, position.proof.args)
        closeness = verdict.closeness if family.fact == HOLDS else verdict.attributes[family.fact]
        margin = None if closeness is None else closeness.shift
    else:
        call = family.judged(battle, position.seen)
        margin = None if call is None else call.margin
    return [] if right(margin, wanted) else [f"the margin of the whole verdict is {margin}"]


def constants(positions: Sequence[Position]) -> list[str]:
    """Return the constant answers that pay, overall or among positions with one visible feature."""
    groups: dict[str, list[Position]] = {"": list(positions)}
    for position in positions:
        for name, value in position.seen.items():
            groups.setdefault(f" where {name} is {value}", []).append(position)
    faults = []
    for words, group in groups.items():
        answer, share = best_constant(group)
        if group and share > _most(group):
            faults.append(f"always '{answer}' is right in {share:.0%} of {len(group)}{words}".replace("%", " %"))
    return faults


def best_constant(positions: Sequence[Position]) -> tuple[str, float]:
    """Return the constant answer that is right most often, and its share."""
    counted = Counter(position.answer for position in positions)
    if not counted:
        return "", 0.0
    answer, times = max(counted.items(), key=lambda item: item[1])
    return answer, times / len(positions)


def _most(group: Sequence[Position]) -> float:
    """Return the maximum share of a constant answer: 55 %, or more if so few positions cannot be divided better."""
    answers = max(len(position.choices) for position in group)
    return max(CONSTANT, (math.ceil(len(group) / answers) + (answers > 2)) / len(group))


def _seen(items: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in items)
