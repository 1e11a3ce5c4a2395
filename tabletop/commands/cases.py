"""``tabletop cases``: worked cases of the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(cases)


def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILE.jsonl...", help="One case a line.", show_default=False)],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CASE", help="Run this case alone.", show_default=False)
    ] = None,
) -> None:
    """Run worked cases of the rules: exit status 0 all pass, 1 one does not, 2 a line cannot be read or run."""
    from tabletop.errors import BadQuestion, Unreadable
    from tabletop.play.cases.reading import read_cases
    from tabletop.play.cases.running import lines_of, run_case, summary
    from tabletop.play.files.nearest_words import clip, did_you_mean

    read, faults = [], []
    for file in files:
        try:
            read += read_cases(file)
        except Unreadable as error:
            faults += error.faults
    if only and not faults:
        case_names = [case.row.case for case in read]
        for name in only:
            if name not in case_names:
                raise BadQuestion(f"no case '{clip(name)}'; {did_you_mean(name, case_names)}")
        read = [case for case in read if case.row.case in only]
    ran = [run_case(case) for case in read]
    for line in (line for one in ran for line in lines_of(one)):
        print(line)
    faults += [one.fault for one in ran if one.fault is not None]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(summary(ran))
    raise typer.Exit(2 if faults else 0 if all(one.passed for one in ran) else 1)
