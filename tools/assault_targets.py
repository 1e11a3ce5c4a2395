"""Of all assaults in reach, in sight and with a free path: how many do other units forbid, and why?

    python -m tools.assault_targets                        (three games of the starter, one of Quatre Bras)
    python -m tools.assault_targets scenarios/tse/starter.yaml:3 --players greedy,sensible

Games are played between computer players, each with its number as the seed. Whenever a unit that could assault
something is about to act, it is paired with every enemy. Pairs count if the cost is within reach, the target is in
sight, and the path crosses no impassable ground; those whose path crosses another enemy are counted separately, because
they have no free path. Refusals caused by other units are broken down by rule and cause. Assaults on guns that are
offered as one on their infantry are counted separately too. The exit status is 1 if any other cause turns up.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.judge import ask
from tabletop.play.engine import begin, mover, submit
from tabletop.play.files.load import load_scene
from tabletop.play.match import made, named
from tabletop.rules.tse.assault.path import reach_of
from tools.fields import ROOT

PLACES = ("scenarios/tse/starter.yaml:3", "scenarios/tse/quatre-bras.yaml:1")
MOST = 5000
OFFERED = "supported guns: the infantry offered instead"
CROSSED, SHORT, IN_FRIEND = "the path crosses another enemy", "met more than 1 in short", "would end in a friend"
#: The causes for which other units may forbid an assault; any other is a fault.
ALLOWED = (CROSSED, SHORT, IN_FRIEND)


def pairs(battle: Battle, players: str, seed: int) -> Iterator[tuple[Battle, Unit, Unit]]:
    """Play a game and yield every unit about to act that could assault something, with every enemy in reach."""
    chosen, step = made(named(battle, players), seed), begin(battle, seed)
    for _ in range(MOST):
        side = mover(step.battle)
        if side is None:
            return
        action = chosen[side].choose(step.battle).action
        if action.unit is not None and step.battle.has(action.unit):
            yield from _of(step.battle, step.battle.unit(action.unit))
        step = submit(step.battle, action)


def _of(battle: Battle, unit: Unit) -> Iterator[tuple[Battle, Unit, Unit]]:
    reach = reach_of(battle, unit) if not unit.is_general else None
    fit = unit.formation == "maneuver-column" and unit.status != "demoralized"
    if reach is not None and fit:
        for enemy in battle.enemies(unit):
            if battle.tape.at_most(distance_between(unit, enemy), reach):
                yield battle, unit, enemy


def free(verdict: Verdict) -> bool:
    """Return whether reach, sight and ground allow an assault, whatever other units do."""
    against = [reason for reason in verdict.because if not reason.holds]
    return all(cause(reason) is not None for reason in against)


def cause(reason: Reason) -> str | None:
    """Return the cause of a refusal that is due to other units; None for reach, sight, ground and the edge."""
    if reason.rule == "TSE-ASL-40":
        return OFFERED
    if reason.rule == "TSE-ASL-07" and "impassable" not in reason.text:
        return CROSSED
    if reason.rule == "TSE-ASL-23" and "impassable" not in reason.text:
        return IN_FRIEND if "deep in" in reason.text else SHORT
    known = ("TSE-ASL-02", "TSE-ASL-03", "TSE-ASL-05", "TSE-ASL-07", "TSE-ASL-23", "TSE-MOV-21")
    return None if reason.rule in known else f"{reason.rule} {reason.text}"


def figures(place: str, games: int, players: str) -> Counter[str]:
    """Return how many pairs there were, how many could assault, and how many were refused for each cause."""
    counts: Counter[str] = Counter()
    battle = load_scene(ROOT / place)
    for seed in range(games):
        for now, unit, enemy in pairs(battle, players, seed):
            verdict = ask(now, "assault", [unit.id, enemy.id])
            if free(verdict):
                counts["pairs"] += 1
                against = [reason for reason in verdict.because if not reason.holds]
                counts["legal" if not against else str(cause(against[0]))] += 1
    return counts


def report(place: str, games: int, found: Counter[str]) -> Iterator[str]:
    """Yield the figures of a place, line by line."""
    refused = {why: n for why, n in found.items() if why not in ("pairs", "legal", OFFERED)}
    total, pairs = sum(refused.values()), found["pairs"]
    near, free_paths = total - found[CROSSED], pairs - found[CROSSED]
    yield f"{place}, games: {games}; pairs in reach and in sight: {pairs}, with a free path: {free_paths}"
    yield f"  free path, refused because of other units: {near} of {free_paths} ({near / max(1, free_paths):.0%})"
    yield f"  with those whose path crosses another enemy: {total} of {pairs} ({total / max(1, pairs):.0%})"
    for why, n in sorted(refused.items(), key=lambda item: -item[1]):
        yield f"    {n:5d}  {why}"
    yield f"  {found[OFFERED]:7d}  {OFFERED}"


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures of every place; 1 if other units forbid an assault for a reason that is not allowed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("places", nargs="*", default=PLACES, help="SCENARIO:GAMES")
    parser.add_argument("--players", default="greedy,greedy", help="who plays, the attacker first")
    given, wrong = parser.parse_args(words), False
    for place in given.places:
        name, _, games = place.partition(":")
        counts = figures(name, int(games or 1), given.players)
        for line in report(name, int(games or 1), counts):
            print(line, flush=True)
        wrong = wrong or bool(set(counts) - {"pairs", "legal", OFFERED, *ALLOWED})
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
