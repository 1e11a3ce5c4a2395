"""What whole battles between computer players cost and how their assaults go (property P34 of the model of chance).

    python -m tools.whole_battles scenarios/tse/starter.yaml --games 300
    python -m tools.whole_battles scenarios/tse/quatre-bras.yaml --games 20 --players greedy,greedy

For every place it says who won, what share of its bases each side lost, which results of the assault tables occurred
and which did not, how many assaults met a frontal target in good order, and in what formation infantry stood that held
its place with an enemy near. The same numbers play the same games; ``--workers`` processes share them.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from joblib import Parallel, delayed

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.unit import distance_between
from tabletop.play.match import fight, made
from tabletop.rules.tse.model_data import model
from tabletop.rules.tse.tables import length, troop
from tools.battle_figures import Game, position

#: An enemy so near (inches) makes holding one's place a matter of formation.
NEAR = 12.0


@dataclass
class Counted:
    """What one battle came to."""

    winner: str | None
    attacker: str
    turns: int
    lost: dict[str, float]
    results: Counter[str] = field(default_factory=Counter)
    frontal_in_order: int = 0
    assaults: int = 0
    formations: Counter[str] = field(default_factory=Counter)


def count(game: Game) -> Counted:
    """Fight one battle and count. The second of two games with a seed has the players changed about."""
    first = position(game)
    sides = sorted({unit.side for unit in (*first.units, *first.awaited)})
    found = Counted(None, first.setup.attacker or sides[0], 0, {})
    strength, began, battle = _bases(first), first, first
    for step in fight(first, made(dict(zip(sides, game.players, strict=True)), game.seed), game.seed):
        _assaults(found, step.events)
        if step.battle.clock.turn > battle.clock.turn:
            found.formations.update(_held(began, battle))
            began = step.battle
        battle = step.battle
    assert battle.outcome is not None, "a battle with a limit of turns ends"
    left = _bases(battle)
    found.winner, found.turns = battle.outcome.winner, battle.clock.turn
    found.lost = {side: 1.0 - left.get(side, 0) / strength[side] for side in sides}
    return found


def _bases(battle: Battle) -> dict[str, int]:
    """Return how many bases each side has, on the table or to come; generals have none."""
    found = Counter[str]()
    for unit in (*battle.units, *battle.awaited):
        found[unit.side] += 0 if unit.is_general else unit.strength
    return found


def _assaults(found: Counted, events: Iterable[Any]) -> None:
    for event in events:
        if isinstance(event, Told) and event.what == "assault" and "form" in event.values:
            form = event.values["form"]
            found.assaults += 1
            found.results[str(event.values["result"])] += 1
            in_order = not (form["target_disordered"] or form["target_demoralized"])
            found.frontal_in_order += bool(form["frontal"]) and in_order


def _held(before: Battle, battle: Battle) -> Iterator[str]:
    """Yield the formation of all infantry in good order that held its place through a turn with an enemy near.

    It ended the turn no more than a deployment's shift from where it began; with an enemy inside the zone of control it
    could not have deployed (TSE-FRM-15) and does not count.
    """
    for unit in battle.units:
        if unit.is_general or troop(unit.troop).family != "infantry" or unit.status != "ok" or not before.has(unit.id):
            continue
        stayed = math.dist(unit.at, before.unit(unit.id).at) <= length("deploy_shift") * battle.scale + battle.tape.t
        gap = min((distance_between(unit, e) for e in battle.enemies(unit)), default=math.inf)
        if stayed and length("zone") * battle.scale <= gap <= NEAR * battle.scale:
            yield unit.formation


def expected() -> list[str]:
    """Return every result of the assault tables."""
    stopped = [step.name for step in model().defence.steps if step.advance != "home"]
    return [*stopped, *(step.name for step in model().melee.steps)]


def report(place: str, found: Sequence[Counted]) -> Iterator[str]:
    """Yield the figures of a place, line by line."""
    yield f"{place}: {len(found)} battles, {statistics.mean(c.turns for c in found):.1f} turns on average"
    attacker = sum(c.winner == c.attacker for c in found) / len(found)
    drawn = sum(c.winner is None for c in found) / len(found)
    yield f"  the attacker won {attacker:.0%}, the defender {1 - attacker - drawn:.0%}, drawn {drawn:.0%}"
    for side in sorted(found[0].lost):
        shares = sorted(c.lost[side] for c in found)
        low, high = shares[len(shares) // 10], shares[-1 - len(shares) // 10]
        mean = statistics.mean(shares)
        yield f"  {side} lost {mean:.1%} of its bases on average (80 % of battles {low:.0%} to {high:.0%})"
    assaults = sum(c.assaults for c in found)
    front = sum(c.frontal_in_order for c in found)
    share = front / max(1, assaults)
    yield f"  {assaults / len(found):.1f} assaults a battle; {share:.0%} on a frontal target in good order"
    results = sum((c.results for c in found), Counter[str]())
    yield "  results: " + ", ".join(f"{name} {n}" for name, n in results.most_common())
    never = [name for name in expected() if not results[name]]
    yield f"  results that never occurred: {', '.join(never) or 'none'}"
    formations = sum((c.formations for c in found), Counter[str]())
    total = max(1, sum(formations.values()))
    stood = ", ".join(f"{name} {n / total:.0%}" for name, n in formations.most_common())
    yield f"  infantry that held its place through a turn, an enemy within {NEAR:g} in: {stood or 'none'}"


def main(words: Sequence[str] | None = None) -> None:
    """Fight and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", default="greedy,greedy")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(words)
    one, other = given.players.split(",")
    for place in given.places:
        games = [Game(place, (one, other) if k % 2 == 0 else (other, one), k, None) for k in range(given.games)]
        found = Parallel(n_jobs=given.workers)(delayed(count)(game) for game in games)
        print("\n".join(report(place, list(found))), flush=True)


if __name__ == "__main__":
    main()
