"""Undo and redo with a computer at the table: from one action of a person to another."""

from __future__ import annotations

from tabletop.errors import TabletopError
from tabletop.play.session import Session
from tabletop.render.battle.computers import Computers
from tabletop.render.battle.eligible import only_group


def taken_back(session: Session, computers: Computers) -> str | None:
    """Take back a person's last action and what computers did since; return why that is refused, None if it was done.

    Dice are never taken back, except in practice. The choice of an only group is not a person's decision: it would
    be made again at once.
    """
    steps = session.steps
    for count, step in enumerate(reversed(steps), 1):
        if step.action is None or (step.thrown and not session.practice):
            break
        if not computers.plays(step.action.side) and step.action != only_group(steps[-count - 1].battle):
            for _ in range(count):
                session.undo()
            return None
    return session.why_not_undo() or "the computer has thrown dice since"


def done_again(session: Session, computers: Computers) -> bool:
    """Redo what was taken back, up to a person's next decision; return whether there was anything to redo."""
    before = len(session.steps)
    while True:
        try:
            session.redo()
        except TabletopError:
            break
        if not computers.plays(session.mover) and only_group(session.battle) is None:
            break
    return len(session.steps) > before
