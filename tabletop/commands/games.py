"""``tabletop run``, ``replay``, ``verify`` and ``report``: battles between computer players, and saved games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.commands import completing, viewing
from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.play.players import Player
    from tabletop.play.session import Session


def add_to(app: typer.Typer) -> None:
    """Add these commands to ``app``."""
    for command in (run, replay, verify, report):
        app.command()(command)


def run(
    scene: Annotated[
        str, typer.Argument(help="A scenario or scene file.", show_default=False, autocompletion=completing.scenes)
    ],
    players: Annotated[
        str, typer.Option(metavar="A,B", help="Who plays the attacker and the defender.")
    ] = "random,random",
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed throws the same dice.")] = 1,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the game in FILE as it goes.", show_default=False)
    ] = None,
    turns: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many turns.", min=1)] = None,
) -> None:
    """Let two players fight a battle out and print the report."""
    from tabletop.play.files.load import load_scene
    from tabletop.play.match import limited, made, named
    from tabletop.play.saves.report import report as reported
    from tabletop.play.saves.report import text
    from tabletop.play.session import Session

    battle = limited(load_scene(scene), turns)
    names = named(battle, players)
    if save is not None and save.exists():
        raise BadQuestion(f"{save} is there already; name another file, or remove it first")
    session = Session.start(battle, seed, names, save)
    _fight(session, made(names, seed))
    print(text(reported(session.header, session.steps)))
    if session.trouble is not None:
        raise BadQuestion(session.trouble)


def replay(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False, autocompletion=completing.games)],
    at: Annotated[
        str | None, typer.Option(metavar="N", help="After action N, or as a turn opens: turn:3.", show_default=False)
    ] = None,
    diagram: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the table then: FILE.svg, .png or .pdf.")
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
) -> None:
    """Show a saved game at any moment: what was done, what came of it, and a picture if one is wanted."""
    from tabletop.play.saves import known_game
    from tabletop.play.saves import replay as replaying
    from tabletop.play.viewing import View

    if diagram is not None:
        from tabletop.render.painting.files import check_suffix

        check_suffix(diagram)
    game = known_game.read(file, View(side, everything))
    n = len(game.saved.lines) - 1 if at is None else replaying.moment(game.saved, at)
    battle = game.battle_at(n)
    from tabletop.play.saves.moment import shown

    print(shown(game, n))
    if diagram is not None:
        from tabletop.render.drawing.scene import picture
        from tabletop.render.painting.files import write_picture

        write_picture(diagram, picture(battle))
        print(f"The table is drawn in {diagram}.")


def verify(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False, autocompletion=completing.games)],
) -> None:
    """Play a saved game again from its seed and compare every event of it.

    Exit status 0: verified; 1: it does not come out as saved; 3: played under other rules, so that it cannot be told.
    """
    from tabletop.play.saves import replay as replaying
    from tabletop.play.saves import save as saving
    from tabletop.play.saves import versions

    saved = saving.read(file)
    checked = replaying.verify(saved)
    if checked.unlike is not None:
        print(f"not verified: {checked.unlike}")
        raise typer.Exit(3)
    if checked.difference is not None:
        print(f"{checked.alike} of {checked.actions} actions come out as they were saved; {checked.difference}.")
        raise typer.Exit(1)
    if saved.cut_off:
        print(f"not verified: the file is cut off after action {checked.actions}; so far it comes out as it was saved")
        raise typer.Exit(1)
    under = versions.named(saved.header.begun_under)
    print(f"Verified: all {checked.actions} actions come out as they were saved, under {under}.")
    if saved.header.practice:
        print(saving.PRACTICE)


def report(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False, autocompletion=completing.games)],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as a page with maps instead.", show_default=False)
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
) -> None:
    """Tell a saved game turn by turn: who did what, what it cost, how it ended."""
    from tabletop.play.saves import known_game
    from tabletop.play.saves.report import report as reported
    from tabletop.play.saves.report import text
    from tabletop.play.viewing import View

    game = known_game.read(file, View(side, everything))
    written = reported(game.header, game.steps)
    if html is None:
        print(text(written))
        return
    from tabletop.render.drawing.report_page import write_page

    write_page(html, written)
    print(f"The report is in {html}.")


# --- fighting a battle out -------------------------------------------------------------------------------------------


def _fight(session: Session, players: dict[str, Player]) -> None:
    from tabletop.play.match import MOST_ACTIONS

    for _ in range(MOST_ACTIONS):
        side = session.mover
        if side is None:
            return
        chosen = players[side].choose(session.battle)
        session.do(chosen.action, chosen.thought)
