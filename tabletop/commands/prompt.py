"""``tabletop odds``, and ``tabletop play --text``: a battle at the prompt."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing, viewing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.battle.battle import Battle
    from tabletop.play.session import Session
    from tabletop.terminal.drill import DrillPrompt
    from tabletop.terminal.lesson import LessonPrompt
    from tabletop.terminal.prompt import Prompt


def add_to(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(odds)


def odds(
    scene: Annotated[
        str,
        typer.Argument(
            help="A scene, a scenario, or a saved game.", show_default=False, autocompletion=completing.scenes
        ),
    ],
    words: Annotated[
        list[str], typer.Argument(metavar="ACTION", help="As at the prompt: assault foy kempt", show_default=False)
    ],
    at: Annotated[
        str | None, typer.Option(metavar="N", help="Of a saved game: after action N, or turn:3.", show_default=False)
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Say what an action may bring: every outcome with its exact chance, every modifier with its rule."""
    from tabletop.play.engine import judge, play_of
    from tabletop.play.files.opened import open_battle
    from tabletop.play.typed.reading import read_in_turn
    from tabletop.play.viewing import View
    from tabletop.terminal import chances, views
    from tabletop.terminal.layout import paragraph

    battle, action = read_in_turn(open_battle(scene, at, View(side, everything)), " ".join(words))
    verdict = judge(battle, action)
    distribution = play_of(battle).odds(battle, action) if verdict.holds else None
    if as_json:
        import json

        print(json.dumps(chances.data(verdict, distribution), indent=2))
    elif verdict.holds:
        print("\n".join([paragraph(views.phrase(battle, action)), chances.full(distribution)]))
    else:
        print(views.reasons(battle, verdict))
    raise typer.Exit(0 if verdict.holds else 1)


def play_at_prompt(
    scene: str | None, players: str, seed: int | None, save: Path | None, dice: str | None = None
) -> None:
    """Play a scenario, or continue a saved game, at the prompt; the starter battle unless one is named.

    At a terminal the game is always kept: in ``save``, else in the folder for saved games. With ``dice``, throws made
    at a real table ("3,6,2"), it is practice and not kept.
    """
    from tabletop.geometry import fast
    from tabletop.play.players import player_kind
    from tabletop.terminal.commands import COMMANDS
    from tabletop.terminal.prompt import Prompt

    fast.begin()
    seed = secrets.randbits(31) if seed is None else seed
    if dice is None:
        session = session_of(scene or _first_battle(), players, seed, save)
    else:
        session = _with_dice(scene or _first_battle(), players, seed, save, dice)
    makers = {side: player_kind(name).make for side, name in session.header.players.items()}
    computers = {side: make(seed + k) for k, (side, make) in enumerate(makers.items()) if make is not None}
    prompt = Prompt(session, computers, print, COMMANDS)
    print("Type 'help' for what can be typed, 'quit' to leave.")
    prompt.open()
    converse(prompt)
    if session.path is not None:
        print(f"The game is kept in {session.path}; 'tabletop play {session.path} --text' goes on with it.")


def converse(prompt: Prompt | LessonPrompt | DrillPrompt) -> None:
    """Read lines until the player leaves; lines from a file are shown as if they had been typed."""
    echo = not sys.stdin.isatty()
    while True:
        try:
            typed = input(prompt.mark)
        except (EOFError, KeyboardInterrupt):
            print()
            return
        except UnicodeDecodeError:
            print("that line is no text")
            continue
        if echo:
            print(typed.rstrip())
        try:
            if not prompt.line(typed):
                return
        except KeyboardInterrupt:
            print("\nLeft off; what was done so far stands.")


def _with_dice(scene: str, players: str, seed: int, save: Path | None, dice: str) -> Session:
    """Begin a scenario with throws as written; such a game cannot be verified from its seed, so it is not saved."""
    from tabletop.play.files.load import load_scene
    from tabletop.play.given_dice import throws_of
    from tabletop.play.session import Session

    if save is not None:
        raise BadQuestion("--save is for a game with the program's own dice; leave out --save, or --dice")
    numbers = throws_of(dice)
    battle = load_scene(scene)
    return Session.with_dice(battle, seed, seated(battle, players), numbers)


def _first_battle() -> str:
    from tabletop.play.files.named_files import first_battle

    return str(first_battle())


def session_of(scene: str, players: str, seed: int, keep: Path | None, at_screen: bool = False) -> Session:
    """Begin a scenario, or continue a saved game; ``keep`` is the file it is kept in, None for the usual one."""
    from tabletop.play.files import named_files
    from tabletop.play.files.load import load_scene
    from tabletop.play.saves import save as saving
    from tabletop.play.session import Session

    if Path(scene).is_file() and named_files.is_game(scene):
        return Session.resume(saving.read(Path(scene)), keep or Path(scene))
    battle = load_scene(scene)
    if keep is not None and keep.exists():
        how = "" if at_screen else " --text"
        raise BadQuestion(f"{keep} is there already; name another file, or go on with it: 'play {keep}{how}'")
    return Session.start(battle, seed, seated(battle, players), keep or _usual_file(battle, at_screen))


def _usual_file(battle: Battle, at_screen: bool = False) -> Path | None:
    """Return the file for a game that is played at a terminal or in the window; None, with a message, on failure."""
    from tabletop.errors import Unsaved
    from tabletop.play.saves.autosave import free_path

    if not at_screen and not sys.stdin.isatty():
        return None
    try:
        return free_path(battle.title)
    except Unsaved as lack:
        print(f"The game is not kept: {lack}")
        return None


def seated(battle: Battle, players: str) -> dict[str, str]:
    """Return who plays each side; ``players`` names the attacker's player first."""
    from tabletop.play.engine import opened
    from tabletop.play.players import player_kind

    sides = opened(battle, 0).setup.sides
    names = [name.strip() for name in players.split(",")]
    if len(names) != len(sides):
        raise BadQuestion(f"name a player for each side ({', '.join(sides)}): --players human,greedy")
    return dict(zip(sides, (player_kind(name).name for name in names), strict=True))
