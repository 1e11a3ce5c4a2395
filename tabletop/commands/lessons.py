"""``tabletop lessons``: lessons at the prompt, listed, played and proved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing
from tabletop.errors import BadQuestion, Unreadable

if TYPE_CHECKING:
    from tabletop.lessons.lesson import Lesson


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(lessons)


def lessons(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[LESSON]...",
            help="Play this one: its name, its number in the list, or a file. Several only with --check.",
            show_default=False,
            autocompletion=completing.lessons,
        ),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Prove them by playing, all unless some are named.")] = False,
    long: Annotated[bool, typer.Option("--all", help="With --check: the long sweep of random plays.")] = False,
    step: Annotated[int | None, typer.Option(metavar="N", help="Begin with step N.", show_default=False)] = None,
    print_: Annotated[
        Path | None,
        typer.Option(
            "--print", metavar="FILE.pdf", help="Write it as handouts, each proof on the back.", show_default=False
        ),
    ] = None,
) -> None:
    """List the lessons, play one at this prompt, print it, or prove that they teach what they say."""
    if check:
        raise typer.Exit(_checked(names or [], long))
    if long:
        raise BadQuestion("--all belongs to --check: tabletop lessons --check --all")
    if not names:
        if print_ is not None:
            raise BadQuestion("name what is to be printed: tabletop lessons one-inch --print FILE.pdf")
        print(_catalogue())
    elif len(names) > 1:
        raise BadQuestion(f"one lesson at a time: tabletop lessons {names[0]}")
    elif print_ is not None:
        _print(names[0], print_)
    else:
        _play(names[0], step)


def _print(name: str, path: Path) -> None:
    from tabletop.lessons.library import find
    from tabletop.render.handouts import lesson, page

    page.check_suffix(path)
    print(page.write(path, lesson.of_lesson(find(name))))


def _play(name: str, step: int | None) -> None:
    from tabletop.commands.prompt import converse
    from tabletop.lessons.library import find
    from tabletop.lessons.progress import Progress
    from tabletop.lessons.runner import Runner
    from tabletop.terminal.lesson import LessonPrompt

    lesson, progress = find(name), Progress()
    runner = Runner(lesson)
    if step is not None:
        if not 1 <= step <= len(lesson.steps):
            raise BadQuestion(f"--step {step}: the lesson has steps 1 to {len(lesson.steps)}")
        runner.go_to(step - 1)
    if progress.trouble:
        print(progress.trouble)
    prompt = LessonPrompt(runner, progress, print)
    prompt.open()
    converse(prompt)


def _catalogue() -> str:
    """Return all lessons as text: number, name, title, how far they have been done."""
    from tabletop.lessons import library
    from tabletop.lessons.progress import Progress
    from tabletop.lessons.reading import load_lesson, name_of
    from tabletop.rules import rule_set

    progress, lines = Progress(), list[str]()
    paths = library.paths()
    wide = max((len(name_of(path)) for path in paths), default=0)
    heading = ""
    for number, path in enumerate(paths, 1):
        lesson = load_lesson(path)
        title = rule_set.find(lesson.row.rules).title
        if title != heading:
            heading = title
            lines += ([""] if lines else []) + [title]
        done, steps = min(progress.done(lesson.name), len(lesson.steps)), len(lesson.steps)
        how = "done" if done == steps else f"{done} of {steps} steps" if done else ""
        lines.append(f"  {number:>2}  {lesson.name:<{wide}}  {lesson.title:<28} {how}".rstrip())
    lines += ["", "tabletop lessons NAME plays one; tabletop lessons --check proves them."]
    return "\n".join([progress.trouble, *lines] if progress.trouble else lines)


def _checked(names: list[str], long: bool) -> int:
    """Prove lessons; print every fault, and a line for each lesson that is sound. Return the exit status."""
    from tabletop.lessons import library
    from tabletop.lessons.proof import ALL_PLAYS, PLAYS, prove

    wrong = 0
    for name in names or [str(path) for path in library.paths()]:
        lesson = _read(name)
        if lesson is None:
            wrong += 1
            continue
        proved = prove(lesson, ALL_PLAYS if long else PLAYS)
        for fault in sorted(proved.faults):
            print(fault, file=sys.stderr)
        if proved.faults:
            wrong += 1
        else:
            print(f"{lesson.name}: sound ({proved.summary}).", flush=True)
    return 2 if wrong else 0


def _read(name: str) -> Lesson | None:
    from tabletop.lessons.library import find

    try:
        return find(name)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return None
