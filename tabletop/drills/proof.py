"""What ``tabletop drills --check`` proves: margins are as promised, and no constant answer pays.

Every position must have the judge's margin within 10 % or 0.02 in of the wanted one, one in five by the whole verdict
that is given to players; its scene, read anew from its rows, the same answer; its twin another one. The best constant
answer may be right in 55 % of the positions at most, overall and among those with any one visible feature; where so few
can be shared out no better, in as few as can be.
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

#: The margins that are proved, in inches; how many positions of each, and in the long sweep.
MARGINS, COUNT, LONG = (1.5, 0.8, 0.4, 0.2, 0.1), 20, 200
#: Of so many positions one is put to the judge anew, who gives the whole verdict.
WHOLE = 5
#: The share of positions in which a constant answer may be right.
CONSTANT = 0.55


@dataclass(frozen=True)
class Proved:
    """What came of one family at one margin: faults in words, and a summary."""

    faults: Sequence[str]
    summary: str
    positions: Sequence[Position] = field(default_factory=tuple)


def prove(family: str, wanted: float, count: int = COUNT, seed: int = 0) -> Proved:
    """Return what came of so many positions of a family at a margin."""
    one, rng = FAMILIES[family], random.Random(f"{family} {wanted} {seed}")
    wanted = min(wanted, one.widest)
    deck, found, faults = Deck(one, rng), list[Position](), list[str]()
    for number in range(count):
        plan, answer = deck.draw()
        position = made(one, plan, answer, wanted, rng)
        if position is None:
            faults.append(f"no position was found with {_seen(plan.items())} and the answer {answer}")
            continue
        found.append(position)
        faults += _wrong(position, answer, wanted)
        faults += _judged_wrong(position, wanted) if number % WHOLE == 0 else ()
    faults += constants(found)
    where = f"{family} at {wanted:g} in"
    off = max((abs((p.margin or 0.0) - wanted) for p in found), default=0.0)
    _, share = best_constant(found)
    summary = f"{where}: {len(found)} positions, margins within {off:.3f} in, a constant answer scores {share:.0%}"
    return Proved([f"{where}: {fault}" for fault in faults], summary.replace("%", " %"), found)


def _wrong(position: Position, answer: str, wanted: float) -> list[str]:
    """Return what is wrong with one position."""
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
    """Return what is wrong with the margin by the whole verdict, of the scene read anew from its rows."""
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
    """Return the constant answers that pay, overall or wherever a feature is seen."""
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
    """Return the constant answer that is right most often, and in what share."""
    counted = Counter(position.answer for position in positions)
    if not counted:
        return "", 0.0
    answer, times = max(counted.items(), key=lambda item: item[1])
    return answer, times / len(positions)


def _most(group: Sequence[Position]) -> float:
    """Return the share a constant answer may be right in: 55 %, more where so few cannot be shared out better."""
    answers = max(len(position.choices) for position in group)
    return max(CONSTANT, (math.ceil(len(group) / answers) + (answers > 2)) / len(group))


def _seen(items: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in items)
