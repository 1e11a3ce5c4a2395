"""``tabletop demos``: demos listed, shown on the whole screen, told at the prompt, filmed and proved."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion, Unreadable

if TYPE_CHECKING:
    from tabletop.demos.demo import Demo


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(demos)


def demos(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DEMO]...",
            help="Show this one: its name, its number in the list, or a file. Several only with --check.",
            show_default=False,
            autocompletion=completing.demos,
        ),
    ] = None,
    film: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write it as a film, .gif, .png or .webp, and its captions beside it.",
            show_default=False,
        ),
    ] = None,
    width: Annotated[int | None, typer.Option(metavar="N", help="With --film: how many pixels wide.")] = None,
    loop: Annotated[bool, typer.Option("--loop", help="Begin again at its end, until somebody leaves it.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Prove them by playing, all unless some are named.")] = False,
) -> None:
    """List the demos, show one on the whole screen, make a film of it, or prove that it can be played."""
    if check:
        raise typer.Exit(_checked(names or []))
    if width is not None and film is None:
        raise BadQuestion("--width is that of a film: tabletop demos NAME --film FILE --width N")
    if not names:
        if film is not None or loop:
            raise BadQuestion("name the demo: tabletop demos sight-over-levels")
        print(_catalogue())
    elif len(names) > 1:
        raise BadQuestion(f"one demo at a time: tabletop demos {names[0]}")
    elif film is not None:
        _film(names[0], film, width)
    else:
        raise typer.Exit(_show(names[0], loop))


def _show(name: str, loop: bool) -> int:
    from tabletop.demos.library import path_of
    from tabletop.demos.reading import load_demo
    from tabletop.doctor import can_show

    path = path_of(name)
    demo = load_demo(path)  # its faults are said here, before a window opens
    if not can_show():
        return _print_narration(demo)
    from tabletop.render.demos.screen import showing
    from tabletop.render.running import run
    from tabletop.render.start.screen import starting

    return run(starting(), showing(path, loop), title=demo.title)


def _print_narration(demo: Demo) -> int:
    """Print the narration with its times, and write a picture of everything that is said."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import tempfile

    from tabletop.render.demos.captions import captions
    from tabletop.render.demos.film import pictures
    from tabletop.render.demos.timeline import Timeline

    timeline = Timeline(demo).wound()
    for caption in captions(timeline.parts):
        print(f"{_clock(caption.start)}  {caption.text}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix=f"tabletop-{demo.name}-"))
    count = pictures(folder, timeline)
    cure = f"tabletop demos {demo.name} --film FILE.webp makes a film"
    print(f"There is no display here; {count} pictures are in {folder} ({cure}).")
    return 0


def _film(name: str, path: Path, width: int | None) -> None:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from tabletop.commands.film import show_progress, size_of
    from tabletop.demos.library import find
    from tabletop.render.demos import film
    from tabletop.render.demos.timeline import Timeline
    from tabletop.render.film.writer import check_film
    from tabletop.render.screens import Look
    from tabletop.render.settings import model

    wide = film.WIDE if width is None else width
    check_film(path, wide)
    Look(model.read()[0]).put_on()
    count, beside = film.write(path, Timeline(find(name)), wide, show_progress)
    print(f"The film, {count} pictures, is in {path} ({size_of(path)}); captions: {', '.join(map(str, beside))}.")


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _catalogue() -> str:
    """Return all demos as text: number, name, title."""
    from tabletop.demos import library
    from tabletop.demos.reading import load_demo

    shown = [load_demo(path) for path in library.paths()]
    wide = max((len(demo.name) for demo in shown), default=0)
    lines = [f"  {number:>2}  {demo.name:<{wide}}  {demo.title}" for number, demo in enumerate(shown, 1)]
    return "\n".join([*lines, "", "tabletop demos NAME shows one; --film FILE makes a film of it."])


def _checked(names: list[str]) -> int:
    """Prove demos; print every fault, and a line for each that is sound. Return the exit status."""
    from tabletop.demos import library
    from tabletop.demos.proof import prove

    wrong = 0
    for name in names or [str(path) for path in library.paths()]:
        try:
            proved = prove(library.find(name))
        except Unreadable as error:
            print(error, file=sys.stderr)
            wrong += 1
            continue
        for fault in proved.faults:
            print(fault, file=sys.stderr)
        if proved.faults:
            wrong += 1
        else:
            print(f"{proved.demo.name}: sound ({proved.summary}).", flush=True)
    return 2 if wrong else 0
