"""Statistics of many games: how often each side won, with confidence limits, how and when games ended, the losses."""

from __future__ import annotations

import hashlib
import json
import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from tabletop.play.simulate.game import Failed, Played, Result

#: Standard deviations to either side that hold 95 in 100 of a normal distribution.
SURE = 1.959963984540054
_NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class Rate:
    """How often something happened: times, out of how many, and the 95 % confidence limits of the true rate."""

    times: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.times / self.of if self.of else 0.0


@dataclass(frozen=True)
class Spread:
    """A summary of numbers: mean, median, lower and upper quartile, least and most."""

    mean: float
    median: float
    lower: float
    upper: float
    least: float
    most: float


@dataclass(frozen=True)
class Losses:
    """A side's losses per game: bases and whole units, each with the total, mean generals, and mean share of bases."""

    bases: Spread
    of_bases: int
    units: Spread
    of_units: int
    generals: float

    @property
    def share(self) -> float:
        return self.bases.mean / self.of_bases if self.of_bases else 0.0


@dataclass(frozen=True)
class Thinking:
    """How long a player thought about an action, in processor seconds: median, 95th percentile, most; and how many."""

    median: float
    p95: float
    most: float
    actions: int


@dataclass(frozen=True)
class Figures:
    """The statistics of a match. The key None counts the draws; ``by_player`` is empty if both players are alike.

    ``fights`` is the number of actions against an enemy per unit, ``taking_part`` how many a unit took part in, either
    way.
    """

    games: int
    by_side: Mapping[str | None, Rate]
    by_player: Mapping[str | None, Rate]
    endings: Mapping[str, int]
    turns: Spread
    of_turns: Mapping[int, int]
    actions: Spread
    fights: Spread
    taking_part: Spread
    losses: Mapping[str, Losses]
    thinking: Mapping[str, Thinking]


def wilson(times: int, of: int, sure: float = SURE) -> tuple[float, float]:
    """Return the limits of a rate seen ``times`` in ``of`` (Wilson's score interval); (0, 1) if ``of`` is 0.

    >>> [round(limit, 3) for limit in wilson(8, 10)]
    [0.49, 0.943]
    """
    if not of:
        return 0.0, 1.0
    share, spread = times / of, sure * sure / of
    middle = (share + spread / 2) / (1 + spread)
    half = sure * math.sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    return (0.0 if times == 0 else middle - half), (1.0 if times == of else middle + half)


def result_hash(results: Iterable[Result]) -> str:
    """Return the hash of the results, whatever their order; times and traces are left out."""
    rows = [_row(result) for result in sorted(results, key=lambda result: result.number)]
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:32]


#: Parts of a result that its hash leaves out: times, wordings, and counts that follow from the actions.
UNHASHED = ("thought", "trace", "what", "fights", "taking_part")


def _row(result: Result) -> dict[str, object]:
    data = asdict(result)
    return {key: value for key, value in data.items() if key not in UNHASHED}


def ending(played: Played) -> str:
    """Return how a battle ended without names and numbers: "the loser broke", "n points to n ..."."""
    sides = sorted(played.players)
    text = played.how
    for both in (sides, sides[::-1]):
        text = text.replace(" and ".join(both), "both sides")
    for side in sides:
        role = "the winner" if side == played.winner else "a side" if played.winner is None else "the loser"
        text = re.sub(rf"(?<!\w){re.escape(side)}(?!\w)", role, text)
    return _NUMBER.sub("n", text)


def figures(results: Iterable[Result]) -> Figures | None:
    """Return the statistics of the games that did not fail, whatever their order; None if there are none."""
    games = sorted((r for r in results if isinstance(r, Played)), key=lambda played: played.number)
    if not games:
        return None
    alike = len(set(games[0].players.values())) == 1
    return Figures(
        games=len(games),
        by_side=_rates(games, list(games[0].losses), lambda played: played.winner),
        by_player={} if alike else _rates(games, sorted(set(games[0].players.values())), winning_player),
        endings=dict(sorted(Counter(map(ending, games)).items(), key=lambda item: (-item[1], item[0]))),
        turns=spread([played.turn for played in games]),
        of_turns=dict(sorted(Counter(played.turn for played in games).items())),
        actions=spread([played.actions for played in games]),
        fights=spread([played.fights / _units(played) for played in games]),
        taking_part=spread([played.taking_part / _units(played) for played in games]),
        losses={side: _losses(games, side) for side in games[0].losses},
        thinking=_thinking(games),
    )


def failures(results: Iterable[Result]) -> list[Failed]:
    """Return the games that failed, in order."""
    return sorted((r for r in results if isinstance(r, Failed)), key=lambda failed: failed.number)


def winning_player(played: Played) -> str | None:
    """Return the name of the player who won, None for a draw."""
    return None if played.winner is None else played.players[played.winner]


def spread(numbers: Sequence[float]) -> Spread:
    """Return the summary of numbers, of which there must be at least one."""
    several = [*numbers, *numbers] if len(numbers) == 1 else numbers
    lower, median, upper = statistics.quantiles(several, n=4, method="inclusive")
    return Spread(statistics.fmean(numbers), median, lower, upper, min(numbers), max(numbers))


def _rates(
    games: Sequence[Played], names: Sequence[str], who: Callable[[Played], str | None]
) -> dict[str | None, Rate]:
    won = Counter(map(who, games))
    return {name: Rate(won[name], len(games), *wilson(won[name], len(games))) for name in (*names, None)}


def _units(played: Played) -> int:
    """Return the number of units of both sides, at least 1."""
    return max(1, sum(loss.of_units for loss in played.losses.values()))


def _losses(games: Sequence[Played], side: str) -> Losses:
    rows = [played.losses[side] for played in games]
    return Losses(
        bases=spread([row.bases for row in rows]),
        of_bases=rows[0].of_bases,
        units=spread([row.units for row in rows]),
        of_units=rows[0].of_units,
        generals=statistics.fmean(row.generals for row in rows),
    )


def _thinking(games: Sequence[Played]) -> dict[str, Thinking]:
    seconds_by_player = dict[str, list[float]]()
    for played in games:
        for side, name in played.players.items():
            seconds_by_player.setdefault(name, []).extend(played.thought[side])
    return {name: _thought(sorted(seconds)) for name, seconds in sorted(seconds_by_player.items()) if seconds}


def _thought(seconds: Sequence[float]) -> Thinking:
    """Return the statistics of times in ascending order."""
    return Thinking(statistics.median(seconds), seconds[int(0.95 * len(seconds))], seconds[-1], len(seconds))
