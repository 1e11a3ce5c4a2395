"""What whole battles between computer players cost and how their assaults go (property P34 of the model of chance).

    python -m tools.whole_battles scenarios/tse/starter.yaml --games 300 --keep starter.jsonl
    python -m tools.whole_battles scenarios/tse/quatre-bras.yaml --games 20 --players greedy,greedy

For every place it reports who won, what share of its bases each side lost, which results of the assault tables occurred
(and how many were expected from the odds of those assaults), how many assaults met a frontal target in good order, and
the formation of infantry that held its place with an enemy near; shares with the half-width of their 95 % confidence
interval, and which lines of P34 are reached. The same numbers play the same games, shared among ``--workers``
processes. ``--keep`` writes every game into a file as it ends; the next run with that file does not fight it again,
unless the program has changed. Ctrl-C stops; what is counted by then is reported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

import tabletop
from tabletop.battle.battle import Battle
from tabletop.battle.dice import every_course
from tabletop.battle.event import Told
from tabletop.battle.unit import distance_between
from tabletop.play.match import fight, made
from tabletop.rules.tse.calculator import calculator
from tabletop.rules.tse.calculator.model_data import model
from tabletop.rules.tse.tables import length, troop
from tools.battle_figures import Game, position

#: With an enemy this close (inches), holding a place is a matter of formation.
NEAR = 12.0
#: A unit that did one of these does not hold its place, even if its orders were lost or it was thrown back.
GOING = frozenset({"assault", "maneuver", "march", "route-march"})
#: Half-width of a confidence interval in standard errors.
ERRORS = 1.96
#: The parts of the program that decide how a game goes.
DECIDES = ("battle", "geometry", "play/computer", "rules/common", "rules/tse")
#: Bounds of P34, and what each side should lose at Quatre Bras.
WINS, FRONTAL, LOST = (0.40, 0.60), (0.10, 0.40), (0.10, 0.30)

#: Occurrences among opportunities, by game.
Pairs = Sequence[tuple[float, float]]


@dataclass
class Counted:
    """The results of one battle; ``expected`` is how often each result was to be expected from the odds of its
    assaults."""

    winner: str | None
    attacker: str
    turns: int
    lost: dict[str, float]
    results: Counter[str] = field(default_factory=Counter)
    expected: dict[str, float] = field(default_factory=dict)
    frontal_in_order: int = 0
    assaults: int = 0
    formations: Counter[str] = field(default_factory=Counter)


# --- counting --------------------------------------------------------------------------------------------------------


def count(game: Game) -> Counted:
    """Fight one battle and count what happens in it."""
    first = position(game)
    sides = sorted({unit.side for unit in (*first.units, *first.awaited)})
    counted = Counted(None, first.setup.attacker or sides[0], 0, {})
    strength, began, battle = _bases(first), first, first
    going = set[str]()
    for step in fight(first, made(dict(zip(sides, game.players, strict=True)), game.seed), game.seed):
        if step.action is not None and step.action.kind in GOING:
            going.add(str(step.action.unit))
        _assaults(counted, step.events)
        if step.battle.clock.turn > battle.clock.turn:
            if battle.clock.turn > 0:
                counted.formations.update(_held(began, battle, going))
            began, going = step.battle, set()
        battle = step.battle
    assert battle.outcome is not None, "a battle with a limit of turns ends"
    left = _bases(battle)
    counted.winner, counted.turns = battle.outcome.winner, battle.clock.turn
    counted.lost = {side: 1.0 - left.get(side, 0) / strength[side] for side in sides}
    return counted


def _bases(battle: Battle) -> dict[str, int]:
    """Return how many bases each side has, on the table or to come; generals do not count."""
    bases = Counter[str]()
    for unit in (*battle.units, *battle.awaited):
        bases[unit.side] += 0 if unit.is_general else unit.strength
    return bases


def _assaults(found: Counted, events: Iterable[Any]) -> None:
    for event in events:
        if isinstance(event, Told) and event.what == "assault" and "form" in event.values:
            form = event.values["form"]
            found.assaults += 1
            found.results[str(event.values["result"])] += 1
            in_order = not (form["target_disordered"] or form["target_demoralized"])
            found.frontal_in_order += bool(form["frontal"]) and in_order
            for name, chance in chances(form).items():
                found.expected[name] = found.expected.get(name, 0.0) + chance


def chances(form: Mapping[str, Any]) -> dict[str, float]:
    """Return the exact chance of every result of an assault with this form."""
    chance_of = dict[str, float]()
    for chance, result in every_course(lambda draw: calculator.assaulted(form, draw)):
        chance_of[result.outcome] = chance_of.get(result.outcome, 0.0) + chance
    return chance_of


def _held(before: Battle, battle: Battle, going: set[str]) -> Iterator[str]:
    """Yield the formation of all infantry in good order that held its place through a turn with an enemy near.

    It ended the turn no farther than a deployment's shift from where it began and did not set out for anywhere; with an
    enemy inside the zone of control it could not have deployed (TSE-FRM-15) and does not count.
    """
    for unit in battle.units:
        if unit.is_general or troop(unit.troop).family != "infantry" or unit.status != "ok":
            continue
        if unit.id in going or not before.has(unit.id):
            continue
        stayed = math.dist(unit.at, before.unit(unit.id).at) <= length("deploy_shift") * battle.scale + battle.tape.t
        gap = min((distance_between(unit, e) for e in battle.enemies(unit)), default=math.inf)
        if stayed and length("zone") * battle.scale <= gap <= NEAR * battle.scale:
            yield unit.formation


def tabled() -> list[str]:
    """Return every result of the assault tables."""
    stopped = [step.name for step in model().defence.steps if step.advance != "home"]
    return [*stopped, *(step.name for step in model().melee.steps)]


# --- keeping ---------------------------------------------------------------------------------------------------------


@cache
def program() -> str:
    """Return a digest of everything that decides how a game goes: another program, another digest."""
    root, digest = Path(tabletop.__file__).parent, hashlib.sha256()
    for folder in DECIDES:
        for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".py", ".toml", ".yaml")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kept(file: Path | None) -> dict[Game, Counted]:
    """Return the games in a file that this very program played, without a truncated line."""
    results = dict[Game, Counted]()
    for line in file.read_text("utf-8").splitlines() if file and file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row.pop("program") == program():
            place, players, seed, turns = row.pop("game")
            row.update({key: Counter(row[key]) for key in ("results", "formations")})
            results[Game(place, tuple(players), seed, turns)] = Counted(**row)
    return results


def fought(games: Sequence[Game], workers: int, file: Path | None) -> Iterator[Counted]:
    """Yield the results of every game, those in the file first; the others are fought, saved and reported as they
    end."""
    known = kept(file)
    yield from (known[game] for game in games if game in known)
    left, began = [game for game in games if game not in known], time.monotonic()
    fresh = Parallel(n_jobs=workers, return_as="generator")(delayed(count)(game) for game in left)
    for k, (game, counted) in enumerate(zip(left, fresh, strict=True), 1):
        if file is not None:
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"program": program(), "game": game, **vars(counted)}) + "\n")
        each = (time.monotonic() - began) / k
        done = f"{len(games) - len(left) + k} of {len(games)}"
        print(
            f"{done}, {each:.0f} s a game, {each * (len(left) - k) / 60.0:.0f} min to go", file=sys.stderr, flush=True
        )
        yield counted


# --- telling ---------------------------------------------------------------------------------------------------------


def share(pairs: Pairs) -> tuple[float, float]:
    """Return the share of occurrences among opportunities, and the half-width of its 95 % confidence interval.

    Games are independent of each other, events within one are not, so the games are the sample (a ratio estimator).

    >>> share([(1, 2), (1, 2)]), share([(1, 1), (0, 1)] * 8)[0]
    ((0.5, 0.0), 0.5)
    """
    games, total = len(pairs), sum(n for _, n in pairs)
    if total == 0.0 or games < 2:
        return sum(x for x, _ in pairs) / total if total else 0.0, math.inf
    ratio = sum(x for x, _ in pairs) / total
    spread = sum((x - ratio * n) ** 2 for x, n in pairs) / (games - 1)
    return ratio, ERRORS * math.sqrt(spread / games) / (total / games)


def _percent(pairs: Pairs) -> str:
    ratio, half = share(pairs)
    return f"{ratio:.1%} ± {half:.1%}" if math.isfinite(half) else f"{ratio:.1%}"


def report(place: str, found: Sequence[Counted]) -> Iterator[str]:
    """Yield the figures of a place, line by line."""
    yield f"{place}: {len(found)} battles, {statistics.mean(c.turns for c in found):.1f} turns on average"
    others = {"the defender": [(c.winner not in (c.attacker, None), 1) for c in found]}
    others["drawn"] = [(c.winner is None, 1) for c in found]
    otherwise = ", ".join(f"{who} {_percent(pairs)}" for who, pairs in others.items())
    yield f"  the attacker won {_percent(_wins(found))}, {otherwise}"
    for side in sorted(found[0].lost):
        shares = sorted(c.lost[side] for c in found)
        low, high = shares[len(shares) // 10], shares[-1 - len(shares) // 10]
        lost = _percent([(share, 1.0) for share in shares])
        yield f"  {side} lost {lost} of its bases on average (80 % of battles {low:.0%} to {high:.0%})"
    each = sum(c.assaults for c in found) / len(found)
    yield f"  {each:.1f} assaults a battle; {_percent(_frontal(found))} on a frontal target in good order"
    results, expected = _results(found), _expected(found)
    yield "  results (and as many as were to be expected by the odds of these assaults):"
    ranked = sorted(expected, key=lambda name: -expected[name])
    yield from (f"    {results[name]:5d} ({expected[name]:.1f}) {name}" for name in ranked)
    yield f"  infantry that held its place through a turn, an enemy within {NEAR:g} in: {_stood(found)}"
    yield from judged(found)


def judged(found: Sequence[Counted]) -> Iterator[str]:
    """Yield every line of P34, reached or not."""
    results = _results(found)
    never = [name for name in tabled() if not results[name]]
    lines = {
        "every result of the assault tables occurs" + (f"; never: {', '.join(never)}" if never else ""): not never,
        f"{FRONTAL[0]:.0%} to {FRONTAL[1]:.0%} of assaults in front on good order": _within(_frontal(found), FRONTAL),
        "most infantry that holds its place stands deployed": share(_formed(found, "deployed"))[0] > 0.5,
        f"the attacker wins {WINS[0]:.0%} to {WINS[1]:.0%}": _within(_wins(found), WINS),
        f"each side loses {LOST[0]:.0%} to {LOST[1]:.0%} of its bases": all(
            _within([(c.lost[side], 1.0) for c in found], LOST) for side in found[0].lost
        ),
    }
    yield from (f"  {'reached' if held else 'NOT reached'}: {line}" for line, held in lines.items())


def _within(pairs: Pairs, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= share(pairs)[0] <= bounds[1]


def _wins(found: Sequence[Counted]) -> Pairs:
    return [(c.winner == c.attacker, 1) for c in found]


def _frontal(found: Sequence[Counted]) -> Pairs:
    return [(c.frontal_in_order, c.assaults) for c in found]


def _formed(found: Sequence[Counted], formation: str) -> Pairs:
    return [(c.formations[formation], c.formations.total()) for c in found]


def _stood(found: Sequence[Counted]) -> str:
    seen = sum((c.formations for c in found), Counter[str]())
    return ", ".join(f"{name} {_percent(_formed(found, name))} ({n})" for name, n in seen.most_common()) or "none"


def _results(found: Sequence[Counted]) -> Counter[str]:
    return sum((c.results for c in found), Counter[str]())


def _expected(found: Sequence[Counted]) -> dict[str, float]:
    names = {name for c in found for name in c.expected}
    return {name: sum(c.expected.get(name, 0.0) for c in found) for name in sorted(names)}


def main(words: Sequence[str] | None = None) -> None:
    """Fight and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", default="greedy,greedy")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="file that keeps the games fought")
    given = parser.parse_args(words)
    first, second = given.players.split(",")
    for place in given.places:
        games = [Game(place, (first, second) if k % 2 == 0 else (second, first), k, None) for k in range(given.games)]
        results, stopped = list[Counted](), False
        try:
            for counted in fought(games, given.workers, given.keep):
                results.append(counted)
        except KeyboardInterrupt:
            stopped = True
        if results:
            print("\n".join(report(place, results)), flush=True)
        if stopped:
            print(f"stopped after {len(results)} of {len(games)} battles", flush=True)
            return


if __name__ == "__main__":
    main()
