"""The options of all commands that show a saved game: whose knowledge of it they show."""

from __future__ import annotations

from typing import Annotated

import typer

from tabletop.commands import completing

Side = Annotated[
    str | None,
    typer.Option(
        "--side",
        metavar="NAME",
        help="Of a saved game that hides units: as this side may know it.",
        show_default=False,
        autocompletion=completing.sides,
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="Of a saved game that hides units: with all of them.")]
