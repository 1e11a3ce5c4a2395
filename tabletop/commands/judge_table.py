"""``tabletop judge-table`` and ``tabletop workshop``: a position, or a battle, made in the window."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion


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
    from tabletop.doctor import can_show

    if file is not None:
        from tabletop.play.files.bundled import named
        from tabletop.play.workshop.sources import open_work

        file = named(file)
        open_work(file)  # reports the faults of the file before a window opens
    if not can_show():
        raise BadQuestion(
            "there is no display here for the workshop; write the file by hand (docs/writing-a-scenario.md) and "
            "have it read over: tabletop check FILE"
        )
    from tabletop.render.judge.screen import building
    from tabletop.render.running import run

    raise typer.Exit(run(building(file), title="The workshop"))


def judge_table(
    scene: Annotated[
        Path | None,
        typer.Argument(
            help="A map, a scene, a scenario or a saved game.", show_default=False, autocompletion=completing.scenes
        ),
    ] = None,
) -> None:
    """Open the judge's table: lay a position out, ask by clicking two units, print the card both players sign."""
    from tabletop.doctor import can_show

    if scene is not None:
        from tabletop.play.files.bundled import named
        from tabletop.play.files.draft_from_file import open_draft

        scene = named(scene)
        open_draft(scene)  # reports the faults of the file before a window opens
    if not can_show():
        raise BadQuestion(
            "there is no display here for the judge's table; write the scene by hand "
            "(docs/settling-a-dispute.md) and ask: tabletop judge SCENE los A B --diagram proof.png"
        )
    from tabletop.render.judge.screen import judging
    from tabletop.render.running import run

    raise typer.Exit(run(judging(scene), title="The judge's table"))
