"""``tabletop print``: a battle or a map on sheets of paper at true scale, with bases to cut out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands import completing, viewing
from tabletop.errors import BadQuestion


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("print")(print_)


def print_(
    scene: Annotated[
        str,
        typer.Argument(
            help="A map, a scene, a scenario or a saved game.", show_default=False, autocompletion=completing.scenes
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="FILE.pdf.", show_default=False)
    ] = None,
    paper: Annotated[str, typer.Option(metavar="PAPER", help="A4 or Letter.")] = "A4",
    look: Annotated[str, typer.Option(metavar="LOOK", help="'plain', 'map' or 'painted'.")] = "plain",
    bases: Annotated[bool, typer.Option("--bases/--no-bases", help="Bases to cut out.")] = True,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
) -> None:
    """Print a table at true scale: a key plan, sheets to tape together, paper bases, a ruler and an arc."""
    from tabletop.play.files.bundled import named
    from tabletop.play.files.opened import open_table
    from tabletop.play.files.writing import write_whole
    from tabletop.play.viewing import View
    from tabletop.render.drawing import theme
    from tabletop.render.printing.pages import printed
    from tabletop.render.printing.sheets import PAPERS

    name = {each.lower(): each for each in PAPERS}.get(paper.lower())
    if name is None:
        raise BadQuestion(f"--paper {paper} is no paper; give {' or '.join(PAPERS)}")
    path = out if out is not None else Path(Path(scene).stem + ".pdf")
    if path.suffix.lower() != ".pdf":
        raise BadQuestion(f"{path} does not end in .pdf; give the file a name such as {path.with_suffix('.pdf')}")
    if look not in theme.LOOKS:
        raise BadQuestion(f"--look '{look}' is none; there are {', '.join(theme.LOOKS)}")
    battle = open_table(named(scene), view=View(side, everything))
    theme.apply_theme(theme.current_palette(), theme.symbols(), look)
    try:
        write_whole(path, printed(battle, name, bases))
    except OSError as error:
        raise BadQuestion(f"{path} cannot be written: {error.strerror or error}; name another file") from None
    print(f"The table is in {path}: print it at 100 %, not fitted to the page.")
