"""``tabletop ground``: a map of random ground from a seed."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.play.random_ground.plan import Wanted

#: Seeds thrown by the program are below this.
MOST_SEED = 1_000_000


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(ground)


def ground(
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed makes the same ground.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the map to FILE.yaml.", show_default=False),
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="SIZE", help="small, medium, large, or WxH in inches (44x30).")
    ] = "medium",
    unit: Annotated[str, typer.Option(metavar="UNIT", help="The unit of the map: in, mm or cm.")] = "in",
) -> None:
    """Make a map of random ground that is fair to both sides: hills, woods, brooks, villages and roads.

    Without --out the map's text is printed. One side comes from the south, the other from the north.
    """
    from tabletop.battle.lengths import PER_INCH
    from tabletop.play.random_ground.landscape import landscape
    from tabletop.play.random_ground.text import map_text, title

    if unit not in PER_INCH:
        raise BadQuestion(f"--unit {unit} is no unit of length; give in, mm or cm")
    if out is not None:
        check_new(out)
    random_ground = landscape(wanted(seed, size), show_progress)
    text = map_text(random_ground, unit)
    if out is None:
        print(text, end="")
        return
    write_new(out, text)
    print(f"{title(random_ground)}, from seed {random_ground.wanted.seed}, is in {out}.")


def wanted(seed: int | None, size: str) -> Wanted:
    """Return the ground a seed (None: a new one) and a size ask for; BadQuestion for a size that is none."""
    from tabletop.play.random_ground.plan import SIZES, Wanted

    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    if size in SIZES:
        return Wanted(seed, *SIZES[size])
    wide, times, high = size.partition("x")
    try:
        width, height = float(wide), float(high)
    except ValueError:
        width, height = 0.0, 0.0
    if not (times and width > 0 and height > 0):
        raise BadQuestion(f"--size {size} is no size; give small, medium, large, or width x height in inches: 44x30")
    return Wanted(seed, width, height)


def check_new(path: Path) -> None:
    """Raise BadQuestion unless a file of YAML can be written here that is not there yet."""
    if path.suffix not in (".yaml", ".yml"):
        raise BadQuestion(f"{path} does not end in .yaml; give the map a name such as {path.with_suffix('.yaml')}")
    if path.exists():
        raise BadQuestion(f"{path} is there already; name another file, or remove it first")
    if not path.parent.is_dir():
        raise BadQuestion(f"{path} cannot be written: there is no folder {path.parent}; make it first")


def write_new(path: Path, text: str) -> None:
    """Write a file whole; BadQuestion, with the reason, when it cannot be."""
    from tabletop.play.files.writing import write_whole

    try:
        write_whole(path, text.encode("utf-8"))
    except OSError as error:
        raise BadQuestion(f"{path} cannot be written: {error.strerror or error}; name another file") from None


def show_progress(tries: int, _most: int) -> None:
    """Say on a terminal how far the making of ground is."""
    if sys.stderr.isatty():
        print(f"Making ground: try {tries + 1} ...", end="\r", file=sys.stderr, flush=True)
