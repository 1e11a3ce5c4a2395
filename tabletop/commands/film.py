"""``tabletop film``: a saved game as an animated picture."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing, viewing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.play.saves.save import Saved

#: Columns of the progress bar.
BAR = 30


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(film)


def film(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False, autocompletion=completing.games)],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="FILE.gif, .png (animated) or .webp.", show_default=False),
    ] = None,
    width: Annotated[int, typer.Option(metavar="N", help="How many pixels wide.")] = 960,
    every: Annotated[
        int | None, typer.Option(metavar="N", help="One picture for every N actions.", min=1, show_default=False)
    ] = None,
    turn: Annotated[bool, typer.Option("--turn", help="One picture for every turn.")] = False,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="How long it shall last in all.", min=1.0, show_default=False)
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="N", help="From action N, or a turn: turn:3.", show_default=False)
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="N", help="To action N, or as a turn opens: turn:3.", show_default=False)
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
) -> None:
    """Make an animated picture of a saved game: units move, what happens is told under the table."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from tabletop.play.saves import known_game
    from tabletop.play.viewing import View
    from tabletop.render.events.reel import Reel
    from tabletop.render.film.shots import Wish
    from tabletop.render.film.writer import check_film, write_film

    if every is not None and turn:
        raise BadQuestion("--every and --turn cannot both be kept to; leave one out")
    path = out if out is not None else Path(file.stem + ".gif")
    check_film(path, width)
    game = known_game.read(file, View(side, everything))
    wish = Wish(_moment(game.saved, from_) or 0, _moment(game.saved, to), seconds, every, turn)
    count = write_film(path, Reel.of_saved(game.saved, hidden=game.hidden).wound(), width, wish, show_progress)
    print(f"The film, {count} pictures, is in {path} ({size_of(path)}).")


def _moment(saved: Saved, text: str | None) -> int | None:
    from tabletop.play.saves import replay

    return None if text is None else replay.moment(saved, text)


def show_progress(done: int, of: int) -> bool:
    """Show the progress, at a terminal only; return True to go on. Ctrl+C ends it, and no file is written."""
    if sys.stderr.isatty():
        full = BAR * done // of
        bar = "#" * full + "." * (BAR - full)
        print(f"\r{bar} {done} of {of} pictures", end="\n" if done == of else "", file=sys.stderr, flush=True)
    return True


def size_of(path: Path) -> str:
    """Return the size of a file in words: "1.8 MB"."""
    size = path.stat().st_size
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{max(1, round(size / 1000))} kB"
