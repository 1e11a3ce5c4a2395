"""The results of many games in words and tables: wins, how and when the battles ended, and the losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import IO, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from tabletop.battle.naming import side_name
from tabletop.play.simulate.figures import Figures, Losses, Rate, Spread, failures, figures, result_hash
from tabletop.play.simulate.game import Failed, Played, Result
from tabletop.version import __version__

FORMAT = "tabletop-simulation/1"
#: Columns if the output is not a terminal.
WIDTH = 100


@dataclass(frozen=True)
class Match:
    """A match to be played: the scenario as named, its title, the players, the number of games, seeds and turns."""

    scenario: str
    title: str
    players: tuple[str, str]
    games: int
    first_seed: int
    turns: int
    own_limit: bool
    swap: bool

    @property
    def options(self) -> str:
        """The options with which ``tabletop run`` plays games of this match, without players and seed."""
        return "" if self.own_limit else f" --turns {self.turns}"


# --- for machines ----------------------------------------------------------------------------------------------------


def data(match: Match, results: list[Result], cancelled: bool) -> dict[str, Any]:
    """Return a match as plain data: the figures, then every game."""
    statistics = figures(results)
    return {
        "format": FORMAT,
        "program": __version__,
        "match": {**asdict(match), "players": list(match.players)},
        "finished": len(results),
        "cancelled": cancelled,
        "hash": result_hash(results),
        "figures": None if statistics is None else _figures_data(statistics),
        "games": [_game_data(r) for r in sorted(results, key=lambda r: r.number) if isinstance(r, Played)],
        "failed": [{**asdict(r), "again": again(match, r)} for r in failures(results)],
    }


def _figures_data(statistics: Figures) -> dict[str, Any]:
    rates = {"by_side": statistics.by_side, "by_player": statistics.by_player}
    plain = {key: value for key, value in asdict(statistics).items() if key not in rates}
    plain["losses"] = {side: {**plain["losses"][side], "share": loss.share} for side, loss in statistics.losses.items()}
    return {**{key: _rates_data(rate) for key, rate in rates.items()}, **plain}


def _rates_data(rates: Mapping[str | None, Rate]) -> list[dict[str, Any]]:
    return [{"winner": name, "share": rate.share, **asdict(rate)} for name, rate in rates.items()]


def _game_data(played: Played) -> dict[str, Any]:
    plain = asdict(played)
    return {**plain, "thought": {side: sum(taken) for side, taken in played.thought.items()}}


# --- for people ------------------------------------------------------------------------------------------------------


def show(match: Match, results: list[Result], out: IO[str]) -> None:
    """Print the tables of a match."""
    console = Console(file=out, highlight=False)
    if not console.is_terminal:
        console = Console(file=out, highlight=False, width=WIDTH)
    console.print(Group(*_shown(match, results)))


def _shown(match: Match, results: list[Result]) -> Iterator[RenderableType]:
    yield Text(f"{match.title}: {heading(match, len(results))}")
    statistics = figures(results)
    yield Text()
    if statistics is not None:
        for table in (
            _won(statistics),
            _ended(statistics),
            _lengths(statistics),
            _lost(statistics),
            _thought(statistics),
        ):
            yield table
            yield Text()
        yield Text(f"Result hash: {result_hash(results)}")


def heading(match: Match, finished: int) -> str:
    """Return one line on what was played: the number of games, the players and the seeds."""
    many = f"{finished} of {match.games} games" if finished < match.games else _many(match.games, "game")
    last = match.first_seed + match.games - 1
    seeds = f"seed {last}" if match.games == 1 else f"seeds {match.first_seed} to {last}"
    swapped = ", changing sides after each" if match.swap else ""
    limit = "" if match.own_limit else f", at most {match.turns} turns"
    return f"{many}, {match.players[0]} against {match.players[1]}{swapped}, {seeds}{limit}."


def _won(statistics: Figures) -> Table:
    table = _table("won by", "games", "share", "true rate (95 %)")
    for name, rate in statistics.by_side.items():
        table.add_row(*_rate_row("nobody" if name is None else side_name(name), rate))
    for name, rate in statistics.by_player.items():
        if name is not None:
            table.add_row(*_rate_row(f"player {name}", rate))
    return table


def _rate_row(name: str, rate: Rate) -> tuple[str, ...]:
    return name, str(rate.times), f"{rate.share:.1%}", f"{rate.low:.1%} to {rate.high:.1%}"


def _ended(statistics: Figures) -> Table:
    table = _table("ended", "games", "share")
    for how, times in statistics.endings.items():
        table.add_row(how, str(times), f"{times / statistics.games:.1%}")
    return table


def _lengths(statistics: Figures) -> Table:
    table = _table("length", "median", "middle half", "least", "most", "mean")
    for name, spread in (("turns", statistics.turns), ("actions", statistics.actions)):
        table.add_row(name, *_spread_row(spread))
    table.add_row("shots and combats a unit", *_spread_row(statistics.fights))
    table.add_row("a unit takes part in", *_spread_row(statistics.taking_part))
    return table


def _lost(statistics: Figures) -> Table:
    table = _table("lost a game", "median", "middle half", "least", "most", "mean", "of", "share")
    for side, loss in statistics.losses.items():
        for row in _loss_rows(side_name(side), loss):
            table.add_row(*row)
    return table


def _loss_rows(side: str, loss: Losses) -> Iterator[tuple[str, ...]]:
    yield f"{side}, bases", *_spread_row(loss.bases), str(loss.of_bases), f"{loss.share:.1%}"
    share = loss.units.mean / loss.of_units if loss.of_units else 0.0
    yield f"{side}, whole units", *_spread_row(loss.units), str(loss.of_units), f"{share:.1%}"


def _spread_row(spread: Spread) -> tuple[str, ...]:
    median, lower, upper, least, most = (
        f"{round(number, 2):g}" for number in (spread.median, spread.lower, spread.upper, spread.least, spread.most)
    )
    return median, f"{lower} to {upper}", least, most, f"{spread.mean:.1f}"


def _thought(statistics: Figures) -> Table:
    table = _table("thinks, seconds an action", "median", "95 % within", "most", "actions")
    for name, took in statistics.thinking.items():
        table.add_row(name, f"{took.median:.4f}", f"{took.p95:.4f}", f"{took.most:.3f}", str(took.actions))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(first, min_width=24)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


# --- games that failed -----------------------------------------------------------------------------------------------


def failure(match: Match, failed: Failed) -> str:
    """Return the report of a game that failed, with the command that plays it again."""
    players = ", ".join(f"{side}: {name}" for side, name in failed.players.items())
    head = f"{match.scenario}, seed {failed.seed} ({players}) failed after {_many(failed.actions, 'action')}"
    return f"{head}: {failed.what}\n  again, to its last action kept: {again(match, failed)}"


def again(match: Match, failed: Failed) -> str:
    """Return the command that plays a game again up to where it failed."""
    players = ",".join(failed.players.values())
    words = f"run {match.scenario} --players {players} --seed {failed.seed}{match.options}"
    return f"TABLETOP_DEBUG=1 tabletop {words} --save failed-{failed.seed}.jsonl"


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
