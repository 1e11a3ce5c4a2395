"""``tabletop judge-table`` and ``tabletop workshop``: a position, or a battle, made in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.render.screens import Maker


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("judge-table")(judge_table)
    app.command("workshop")(workshop)


def workshop(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A map, an army, a scene, a scenario or a saved game.",
            show_default=False,
            autocompletion=completing.scenes,
        ),
    ] = None,
) -> None:
    """Open the workshop: make maps, armies and battles, print them, play them; comments in your files stay."""
    from tabletop.play.workshop.sources import open_work

    path = _read(file, open_work)
    _needs_display(
        "there is no display here for the workshop; write the file by hand (docs/writing-a-scenario.md) and "
        "have it read over: tabletop check FILE"
    )
    from tabletop.render.judge.screen import building

    _opened(building(path), "The workshop")


def judge_table(
    scene: Annotated[
        Path | None,
        typer.Argument(
            help="A map, a scene, a scenario or a saved game.", show_default=False, autocompletion=completing.scenes
        ),
    ] = None,
) -> None:
    """Open the judge's table: lay a position out, ask by clicking two units, print the card both players sign."""
    from tabletop.play.files.draft_from_file import open_draft

    path = _read(scene, open_draft)
    _needs_display(
        "there is no display here for the judge's table; write the scene by hand "
        "(docs/settling-a-dispute.md) and ask: tabletop judge SCENE los A B --diagram proof.png"
    )
    from tabletop.render.judge.screen import judging

    _opened(judging(path), "The judge's table")


def _read(file: Path | None, read: Callable[[Path], object]) -> Path | None:
    """Return the path of a file that is named; its faults are said here, before a window opens."""
    from tabletop.play.files.bundled import named

    if file is None:
        return None
    path = named(file)
    read(path)
    return path


def _needs_display(cure: str) -> None:
    from tabletop.doctor import can_show

    if not can_show():
        raise BadQuestion(cure)


def _opened(screen: Maker, title: str) -> NoReturn:
    """Open a window and end with its exit status."""
    from tabletop.render.running import run

    raise typer.Exit(run(screen, title=title))
