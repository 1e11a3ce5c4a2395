"""``tabletop drills``: drills at the prompt, listed, done, printed and proved."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.drills.position import Position

#: The word for all families mixed, and the margin of a printed position.
MIXED, PRINTED = "mixed", 0.5


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(drills)


def drills(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DRILL | SCENE QUESTION UNIT...]",
            help="Do these: 'mixed', a family, or a dispute: a scene with a question. Several families with --check.",
            show_default=False,
            autocompletion=completing.drills,
        ),
    ] = None,
    tape: Annotated[bool, typer.Option("--tape", help="With the tape in hand; it has a score of its own.")] = False,
    margin: Annotated[
        float | None, typer.Option(metavar="D", help="The margin of a printed position, in inches.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="What is drawn, again.", show_default=False)] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where positions are drawn: .svg or .png.", show_default=False)
    ] = None,
    print_: Annotated[
        Path | None,
        typer.Option(
            "--print", metavar="FILE.pdf", help="Write one as a handout, its proof on the back.", show_default=False
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Prove margins and balance of positions.")] = False,
    long: Annotated[bool, typer.Option("--all", help="With --check: 200 positions each, not 20.")] = False,
) -> None:
    """List the drills and how you stand, do them at this prompt, print one, or prove them."""
    if long and not check:
        raise BadQuestion("--all belongs to --check: tabletop drills --check --all")
    if margin is not None and not 0.05 <= margin <= 1.5:
        raise BadQuestion(f"--margin {margin:g}: drills have margins from 0.05 to 1.5 in")
    if check:
        raise typer.Exit(_checked(names or [], long))
    if not names:
        if print_ is not None:
            raise BadQuestion("name what is to be printed: tabletop drills sight --print FILE.pdf")
        print(_catalogue())
    elif print_ is not None:
        _print(names, print_, PRINTED if margin is None else margin, seed)
    else:
        _do(names, "tape" if tape else "eye", seed, picture)


def _asked(names: list[str]) -> tuple[str, Position | None]:
    """Return the family that is named ("" for all), or the dispute."""
    from tabletop.drills.families import FAMILIES, family

    if len(names) > 1 and names[0] not in FAMILIES:
        from tabletop.drills.dispute import dispute
        from tabletop.play.files.opened import open_battle

        return "", dispute(open_battle(names[0]), names[1], names[2:])
    if len(names) > 1:
        raise BadQuestion(f"one family at a time: tabletop drills {names[0]}; 'mixed' mixes all")
    return ("", None) if names[0] == MIXED else (family(names[0]).name, None)


def _print(names: list[str], path: Path, margin: float, seed: int | None) -> None:
    import random

    from tabletop.drills.families import FAMILIES
    from tabletop.drills.supply import Orders
    from tabletop.render.handouts import drill, page

    page.check_suffix(path)
    only, position = _asked(names)
    rng = random.Random(seed)
    orders = Orders(rng)
    while position is None:
        position = orders.draw(only or rng.choice(list(FAMILIES)), margin).filled()
    print(page.write(path, [drill.of_position(position)]))


def _do(names: list[str], mode: str, seed: int | None, picture: Path | None) -> None:
    import tempfile

    from tabletop.commands.prompt import converse
    from tabletop.drills.drilling import Drilling
    from tabletop.drills.standing import Standings
    from tabletop.drills.supply import ProcessSupply
    from tabletop.render.painting.files import check_suffix
    from tabletop.terminal.drill import DrillPrompt

    only, position = _asked(names)
    if picture is not None:
        check_suffix(picture)
    folder = Path(tempfile.gettempdir())
    drilling = Drilling(Standings(), ProcessSupply(), mode, only, seed)
    try:
        if position is not None:
            drilling.put(position)
        prompt = DrillPrompt(drilling, picture or folder / f"tabletop-drill-{os.getpid()}.svg", print)
        prompt.open()
        converse(prompt)
    finally:
        drilling.close()


def _catalogue() -> str:
    """Return the families with the scores, as text."""
    from tabletop.drills.drilling import scores
    from tabletop.drills.families import FAMILIES
    from tabletop.drills.standing import Standings

    standings = Standings()
    lines = [f"  {'':<9} {'':<20} {'by eye':<12} by tape"]
    for name, (title, eye, tape) in zip(FAMILIES, scores(standings), strict=True):
        lines.append(f"  {name:<9} {title:<20} {eye:<12} {tape}".rstrip())
    lines += ["", "The score is the margin you judge right 85 % of the time.",
              "tabletop drills mixed asks them all, mixed; tabletop drills NAME one of them."]  # fmt: skip
    return "\n".join([standings.trouble, *lines] if standings.trouble else lines)


def _checked(names: list[str], long: bool) -> int:
    """Prove families at every margin, on every processor; print faults and a line for each. Return the exit status."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    from tabletop.drills.families import FAMILIES, family
    from tabletop.drills.proof import COUNT, LONG, MARGINS, prove
    from tabletop.geometry import fast
    from tabletop.play.workers.pools import stop

    chosen = [family(name).name for name in names] or list(FAMILIES)
    wrong = 0
    way, many = multiprocessing.get_context("spawn"), os.cpu_count() or 1
    kernels = fast.installed() and not fast.plain()
    if kernels:
        fast.warm()  # compiled once, here: there are thousands of questions to answer
    pool = ProcessPoolExecutor(many, way, _checks, (kernels,))
    try:
        jobs = [pool.submit(prove, name, margin, LONG if long else COUNT) for name in chosen for margin in MARGINS]
        for job in as_completed(jobs):
            proved = job.result()
            for fault in proved.faults:
                print(fault, file=sys.stderr)
            wrong += bool(proved.faults)
            print(proved.summary if not proved.faults else f"{proved.summary}: NOT SOUND", flush=True)
    finally:
        stop(pool)
    return 2 if wrong else 0


def _checks(kernels: bool) -> None:
    """Prepare a process that proves families."""
    from tabletop.geometry import fast
    from tabletop.play.workers.pools import follow_parent

    follow_parent()
    if kernels:
        fast.warm()
