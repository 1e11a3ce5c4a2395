"""Playing from a replay: an unfinished battle can be continued; any battle can be tried again, as practice."""

from __future__ import annotations

from dataclasses import replace

from tabletop.play import engine
from tabletop.play.players import player_kind
from tabletop.play.saves.autosave import Autosave, free_path
from tabletop.play.session import Session
from tabletop.render.destinations import ToBattle
from tabletop.render.events.reel import Reel


def branched(reel: Reel, n: int) -> Session:
    """Return a new game that shares this one's actions up to ``n``, saved in a new file; Unsaved if that fails."""
    steps = reel.played[: n + 1]
    journal = Autosave(reel.header, steps, free_path(reel.header.title))
    journal.keep()
    return Session(reel.header, steps, journal)


def resumed(reel: Reel) -> Session:
    """Return the game as it was left, saved in its own file from now on."""
    from tabletop.play.saves import save

    assert reel.path is not None, "a game not saved is being played already"
    return Session.resume(save.read(reel.path), reel.path)


def going_on(reel: Reel, n: int) -> ToBattle:
    """Return the destination for playing on after action ``n``; its first note names the file of the game."""
    same = n == reel.last and reel.path is not None
    return ToBattle(
        lambda: resumed(reel) if same else branched(reel, n),
        lambda session: branch_note(session, reel, n, same),
    )


def practice_session(reel: Reel, n: int) -> Session:
    """Return a practice battle that shares this one's actions up to ``n``, saved in a new file.

    It has the same players; if no person is among them, a person takes the side to act. Unsaved if it cannot be saved.
    """
    steps = reel.played[: n + 1]
    players = dict(reel.header.players)
    mover = engine.mover(steps[-1].battle)
    if mover is not None and all(player_kind(name).make is not None for name in players.values()):
        players[mover] = "human"
    header = replace(reel.header, players=players, practice=True)
    journal = Autosave(header, steps, free_path(header.title))
    journal.keep()
    return Session(header, steps, journal)


def trying(reel: Reel, n: int) -> ToBattle:
    """Return the destination for practice from action ``n``; its first note names the file of the practice battle."""
    return ToBattle(
        lambda: practice_session(reel, n),
        lambda session: f"Practice from action {n}: dice can be taken back. It is kept in {session.path}.",
    )


def branch_note(session: Session, reel: Reel, n: int, same: bool) -> str:
    """Return the note that names the file of the game, and what became of the old one."""
    if same:
        return f"You go on where it was left; it is kept in {session.path}."
    former = f"; {reel.path} stays as it is" if reel.path is not None else ""
    return f"A new game branches off after action {n}; it is kept in {session.path}{former}."
