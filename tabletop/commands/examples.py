"""``tabletop examples``: what comes with the program, listed and copied."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.commands import completing


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(examples)


def examples(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...", help="Copy these, by name.", show_default=False, autocompletion=completing.examples
        ),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Copy them into FOLDER (here, unless told).")
    ] = None,
) -> None:
    """List the battles, disputed positions, maps and armies that come along, or copy some to change them.

    A battle is copied with the map and the armies it names. No file is ever written over.
    """
    from tabletop.errors import BadQuestion
    from tabletop.play.files import bundled

    if names:
        for path in bundled.copied(names, to if to is not None else Path()):
            print(path)
        return
    if to is not None:
        raise BadQuestion("--to says where copies go; name what is to be copied: tabletop examples starter --to FOLDER")
    print(bundled.catalogue())
    print("\nAny of these names will do for a file, from any folder: tabletop judge level-shadow los low-guns middle")
    print("To change one, copy it: tabletop examples starter --to FOLDER")
