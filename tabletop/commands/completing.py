"""Completions that the shell offers for Tab: scenes by name, files, questions, units, rulings.

Installed by ``tabletop --install-completion``. If anything goes wrong, nothing is offered and nothing printed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from tabletop.battle.battle import Battle

#: Suffixes of files that hold a scene, a scenario, a map or an army, and of saved games.
SCENES, GAMES = (".yaml", ".yml", ".json"), (".jsonl",)
#: The most words that are offered.
MOST = 200
#: The parameters that name the file with the units, and those that hold units.
FILES, UNITS = ("scene", "files", "file"), ("units", "words")

#: Environment variables with the words typed so far; the command is the second of them, its scene the third.
TYPED, SCENE_AT = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"), 2

Offer = Callable[[typer.Context, str], list[str]]


def _offers(candidates: Callable[[typer.Context, str], Iterable[str]]) -> Offer:
    """Return a completer that offers the candidates which begin as typed; none if ``candidates`` fails."""

    @wraps(candidates)
    def offer(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            return [word for word in candidates(ctx, incomplete) if word.startswith(incomplete)][:MOST]
        except Exception:  # a shell that waits for words must not get an error
            return []

    return offer


def _files(incomplete: str, suffixes: tuple[str, ...]) -> list[str]:
    """Return the files with these suffixes, and the folders, in the folder of a path being typed."""
    head, slash, tail = incomplete.rpartition("/")
    paths = []
    for path in sorted(Path(head + slash if slash else ".").expanduser().iterdir()):
        if path.name.startswith(".") and not tail.startswith("."):
            continue
        if path.is_dir():
            paths.append(f"{head}{slash}{path.name}/")
        elif path.suffix.lower() in suffixes:
            paths.append(f"{head}{slash}{path.name}")
    return paths


@_offers
def scenes(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the names of the files that come with the program, and the files in the folder."""
    from tabletop.play.files import bundled

    return [*(example.name for example in bundled.examples()), *_files(incomplete, (*SCENES, *GAMES))]


@_offers
def games(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer saved games."""
    return _files(incomplete, GAMES)


@_offers
def examples(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the names of the files that come with the program."""
    from tabletop.play.files import bundled

    return [example.name for example in bundled.examples()]


@_offers
def lessons(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the names of the lessons that come with the program, and the files in the folder."""
    from tabletop.lessons import library
    from tabletop.lessons.reading import name_of

    return [*(name_of(path) for path in library.paths()), *_files(incomplete, SCENES)]


@_offers
def demos(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the names of the demos that come with the program, and the files in the folder."""
    from tabletop.demos import library
    from tabletop.lessons.reading import name_of

    return [*(name_of(path) for path in library.paths()), *_files(incomplete, SCENES)]


@_offers
def drills(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the families of drills, and the files in the folder."""
    from tabletop.drills.families import FAMILIES

    return ["mixed", *FAMILIES, *_files(incomplete, SCENES)]


@_offers
def questions(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the questions that can be put."""
    from tabletop.rules.rule_set import NAMES, find

    return find(NAMES[0]).questions


@_offers
def units(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the units of the scene that are not named yet."""
    named = {word for name in UNITS for word in ctx.params.get(name) or ()}
    return [unit.id for unit in _battle(ctx).units if unit.id not in named]


@_offers
def sides(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the sides of the saved game."""
    return _battle(ctx).setup.sides


@_offers
def rulings(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Offer the rulings of the scene's rules, each with its values."""
    from tabletop.rules.rule_set import find

    rulings_of_scene = find(_battle(ctx).rules).rulings.values()
    return [f"{ruling.name}={str(value).lower()}" for ruling in rulings_of_scene for value in ruling.values]


def _typed() -> list[str]:
    """Return the words typed so far: after an option that still lacks its value typer has not parsed them."""
    import shlex

    return shlex.split(next(os.environ[name] for name in TYPED if os.environ.get(name)))


def _battle(ctx: typer.Context) -> Battle:
    """Return the battle of the file named so far; standard input is not read."""
    from tabletop.play.files import named_files
    from tabletop.play.files.opened import open_battle

    files = (ctx.params[name] for name in FILES if ctx.params.get(name))
    scene = str(next(files, None) or _typed()[SCENE_AT])
    if scene == named_files.STANDARD_INPUT:
        raise LookupError
    return open_battle(scene)
