"""``tabletop quick``: two armies, ground and a length, and the battle begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands.ground import check_new, show_progress, wanted
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.play.quick_battle.forces import Force


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(quick)


def quick(
    armies: Annotated[
        str,
        typer.Option(metavar="A,B", help="Two armies, by name or file; the first comes from the south and attacks."),
    ] = "starter-french,starter-austrian",
    map_: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="A map, by name or file.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Random ground from this seed (one thrown).", show_default=False)
    ] = None,
    size: Annotated[str, typer.Option(metavar="SIZE", help="Of random ground: small, medium, large, WxH.")] = "small",
    turns: Annotated[int, typer.Option(metavar="N", help="How many turns are played at the most.", min=1, max=60)] = 10,
    points: Annotated[
        float | None, typer.Option(metavar="P", help="Cut or fill both armies to P points.", show_default=False)
    ] = None,
    players: Annotated[
        str, typer.Option(metavar="A,B", help="Who plays the first and the second army.")
    ] = "human,greedy",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Only write the battle to FILE.yaml.")
    ] = None,
) -> None:
    """Make a battle of two armies and play it: deployed by the program, with objectives, kept among your battles."""
    from tabletop.play.files.bundled import named
    from tabletop.play.quick_battle import scene
    from tabletop.play.saves.library import own_folder

    if map_ is not None and seed is not None:
        raise BadQuestion("--map and --seed are two grounds; leave one out")
    if out is not None:
        check_new(out)
    pair = chosen(armies)
    ground = wanted(seed, size) if map_ is None else named(map_)
    draft = scene.scene(scene.Asked(pair, ground, turns, points), show_progress)
    path = out if out is not None else scene.free_name(draft, own_folder())
    scene.write(draft, path)
    print(f"{draft.title}: {path}")
    if out is None:
        from tabletop.commands import window

        raise typer.Exit(window.play(str(path), players, None, None))


def chosen(names: str) -> tuple[Force, Force]:
    """Return the two armies of "A,B"; BadQuestion for anything else."""
    from tabletop.play.quick_battle import forces

    words = [word.strip() for word in names.split(",")]
    if len(words) != 2 or not all(words):
        raise BadQuestion(f"--armies {names} is not two armies; name two, with a comma between: A,B")
    return forces.opened(words[0]), forces.opened(words[1])
