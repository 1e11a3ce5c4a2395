"""``tabletop simulate``: one battle fought many times on every processor, and the statistics of the results."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from rich.console import Console

    from tabletop.play.simulate.game import Game, Result
    from tabletop.terminal.simulated import Match

#: The most processes for each processor: more would only slow each other down.
CROWD = 8


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(simulate)


def simulate(
    scene: Annotated[
        str, typer.Argument(help="A scenario or scene file.", show_default=False, autocompletion=completing.scenes)
    ],
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 200,
    players: Annotated[
        str, typer.Option(metavar="A,B", help="Who plays the attacker and the defender.")
    ] = "random,random",
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the first game; the next have the next.")] = 1,
    turns: Annotated[
        int | None, typer.Option(metavar="N", help="End after so many turns (the scenario's).", show_default=False)
    ] = None,
    swap: Annotated[
        bool | None,
        typer.Option(
            "--swap/--no-swap", help="Change sides after each game (where players differ).", show_default=False
        ),
    ] = None,
    jobs: Annotated[
        str | None, typer.Option(metavar="N", help="In how many processes (all: one a processor).", show_default=False)
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="On the workers of this Dask scheduler.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All figures, and every game, as JSON.")] = False,
) -> None:
    """Let two players fight a battle out many times: who wins how often, how it ends, how long it takes, what it costs.

    Ctrl+C ends it with what is finished (status 130). A game that fails does not end the others (status 1).
    """
    if scheduler is not None and jobs is not None:
        raise BadQuestion("--jobs is for this machine, --scheduler for a cluster; give one of them")
    processes = _processes(jobs)
    match, todo = _match(scene, games, players, seed, turns, swap)
    results: list[Result] = []
    with _crew(processes, scheduler) as crew:
        raise typer.Exit(_played(match, crew(todo), results, as_json))


Crew = Callable[[Sequence["Game"]], Iterator["Result"]]


def _match(
    scene: str, many: int, players: str, seed: int, turns: int | None, swap: bool | None
) -> tuple[Match, tuple[Game, ...]]:
    """Return the match and its games; BadQuestion for one that cannot be played."""
    if many < 1:
        raise BadQuestion(f"--games {many} is no number of games; give 1 or more")
    if turns is not None and turns < 1:
        raise BadQuestion(f"--turns {turns} is no number of turns; give 1 or more")
    from tabletop.play.engine import play_of
    from tabletop.play.files.load import load_scene
    from tabletop.play.match import named
    from tabletop.play.simulate.game import games, opening_text, with_an_end
    from tabletop.terminal.simulated import Match

    battle = load_scene(scene)
    play_of(battle)
    limited = with_an_end(battle, turns)
    names = named(battle, players)
    first, second = names.values()
    swapped = first != second if swap is None else swap
    limit = limited.setup.turns
    assert limit is not None
    match = Match(
        scene, battle.title or scene, (first, second), many, seed, limit, limit == battle.setup.turns, swapped
    )
    return match, games(opening_text(limited), names, many, seed, swapped)


def _processes(jobs: str | None) -> int:
    """Return the number of processes: for "all", and for None, one for each processor."""
    from tabletop.play.simulate.crew import processors

    most = CROWD * processors()
    if jobs is None or jobs == "all":
        return processors()
    if not jobs.isdecimal() or not 1 <= int(jobs) <= most:
        raise BadQuestion(f"--jobs {jobs} is no number of processes; give 1 to {most}, or all")
    return int(jobs)


@contextlib.contextmanager
def _crew(processes: int, scheduler: str | None) -> Iterator[Crew]:
    """Give the function that plays games: on the processors of this machine, or the workers of a cluster."""
    if scheduler is None:
        from tabletop.play.simulate.crew import played_here

        yield lambda games: played_here(games, processes)
        return
    from tabletop.play.simulate.cluster import connected

    with connected(scheduler) as cluster:
        yield cluster.played


def _played(match: Match, coming: Iterator[Result], results: list[Result], as_json: bool) -> int:
    """Collect the results, show their statistics, and return the exit status."""
    from tabletop.play.simulate.cluster import Deserted

    lack, cancelled = "", False
    try:
        _collect(match, coming, results)
    except KeyboardInterrupt:
        cancelled = True
    except Deserted as end:
        lack = str(end)
    _show_statistics(match, results, as_json, cancelled)
    return 130 if cancelled else _complaints(match, results, lack)


def _collect(match: Match, coming: Iterator[Result], results: list[Result]) -> None:
    """Append the results as they come, with a progress bar at a terminal; end the other games on an error."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with (
        contextlib.closing(coming),  # type: ignore[type-var]
        _cursor_shown(console),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("", total=match.games)
        for result in coming:
            results.append(result)
            progress.update(task, advance=1, description=_so_far(results))


@contextlib.contextmanager
def _cursor_shown(console: Console) -> Iterator[None]:
    """Show the cursor again, even if Ctrl+C comes while the bar is drawn."""
    try:
        yield
    finally:
        console.show_cursor(True)


def _so_far(results: Sequence[Result]) -> str:
    """Return how many games each side has won so far: "French 12, Allied 9"."""
    from collections import Counter

    from tabletop.battle.naming import side_name
    from tabletop.play.simulate.game import Played

    won = Counter(side_name(r.winner) for r in results if isinstance(r, Played))
    return ", ".join(f"{name} {times}" for name, times in sorted(won.items()))


def _show_statistics(match: Match, results: list[Result], as_json: bool, cancelled: bool) -> None:
    from tabletop.terminal.simulated import data, show

    if as_json:
        import json

        print(json.dumps(data(match, results, cancelled), indent=2))
        return
    if cancelled:
        print("Cancelled; this was finished:")
    show(match, results, sys.stdout)


def _complaints(match: Match, results: list[Result], lack: str) -> int:
    """Say which games failed and which were not played; return the exit status."""
    from tabletop.play.simulate.figures import failures
    from tabletop.terminal.simulated import failure

    failed = failures(results)
    for game in failed:
        print(f"tabletop: {failure(match, game)}", file=sys.stderr)
    if lack:
        unplayed = match.games - len(results)
        print(f"tabletop: {unplayed} of {match.games} games were not played: {lack}", file=sys.stderr)
    return 1 if failed or lack else 0
