"""The computer's last moves, numbered: on the table and in words, until the person's next order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape as html_escape

from tabletop.battle.action import ANSWER
from tabletop.battle.naming import side_name
from tabletop.play.engine import Step
from tabletop.play.saves.moment import reasons
from tabletop.play.thought import Thought
from tabletop.render.battle.game_model import GameModel, Record
from tabletop.render.battle.playback import Show, show_of
from tabletop.render.widgets.panel_page import PanelPage

#: Maximum words of a move in the list.
WORDS = 12
QUIET = "#6f665a"


@dataclass(frozen=True)
class Move:
    """One move: its number, the number of its step, the unit, its playback, and the computer's reasoning."""

    number: int
    n: int
    unit: str | None
    show: Show
    thought: Thought | None


_kept: list[tuple[Record, tuple[Move, ...]]] = []


def moves(model: GameModel) -> tuple[Move, ...]:
    """Return what the computer did since the last order of a person, including answers."""
    record = model.record
    if not _kept or _kept[0][0] is not record:
        _kept[:] = [(record, tuple(_moves(record, model.facts.computers)))]
    return _kept[0][1]


def shown(model: GameModel) -> bool:
    """Return whether the moves are shown: as the player chose, else until the next order."""
    if not moves(model) or not (model.facts.human_turn or model.table.battle.over):
        return False
    wanted = model.chosen.recap
    return _fresh(model.record, model.facts.computers) if wanted is None else wanted


def _order(step: Step) -> bool:
    """Return whether a step is an order: neither an answer nor the choice of the group that acts."""
    return step.action is not None and step.action.kind != ANSWER and "group" not in step.action.options


def _of_computer(step: Step, computers: frozenset[str]) -> bool:
    return step.action is not None and step.action.side in computers


def _fresh(record: Record, computers: frozenset[str]) -> bool:
    """Return whether the computer gave the last order."""
    last = next((step for step in reversed(record.steps) if _order(step)), None)
    return last is not None and _of_computer(last, computers)


def _run(steps: Sequence[Step], computers: frozenset[str]) -> range:
    """Return the numbers of the computer's last run of orders, with the answers among and after them."""
    theirs = [n for n, step in enumerate(steps) if _order(step) and _of_computer(step, computers)]
    if not theirs:
        return range(0)
    first, last = theirs[-1], theirs[-1]
    while first > 1 and not (_order(steps[first - 1]) and not _of_computer(steps[first - 1], computers)):
        first -= 1
    while last + 1 < len(steps) and not _order(steps[last + 1]):
        last += 1
    return range(first, last + 1)


def _moves(record: Record, computers: frozenset[str]) -> Iterator[Move]:
    number = 0
    for n in _run(record.steps, computers):
        step = record.steps[n]
        if step.action is None or (step.action.unit is None and step.action.kind != ANSWER):
            continue  # choosing a group or ending a phase shows nothing
        lines = [line for line in record.lines if line.n == n]
        show = show_of(record.steps[n - 1].battle, step, lines, own=False)
        if show is not None:
            number += 1
            yield Move(number, n, step.action.unit, show, step.thought)


# --- in words --------------------------------------------------------------------------------------------------------


def text(model: GameModel) -> str:
    """Return the moves as a list (html), each with a link to the reasoning behind it; "" while they are hidden."""
    if not shown(model):
        return ""
    sides = " and ".join(side_name(side) for side in model.table.battle.setup.sides if side in model.facts.computers)
    return "<br>".join([f"<b>What {_escape(sides)} did</b>", *map(_listed, moves(model))])


def _listed(move: Move) -> str:
    why = f" <a href='why:{move.n}'>Why?</a>" if move.thought is not None else ""
    return f"<b>{move.number}</b>  {_escape(in_words(move))}{why}"


def in_words(move: Move) -> str:
    """Return a move in at most ``WORDS`` words: as many sentences as fit, else the beginning of the first."""
    sentences = list(move.show.texts) or [move.show.heading]
    kept: list[str] = []
    for sentence in sentences:
        if len(" ".join([*kept, sentence]).split()) > WORDS:
            break
        kept.append(sentence)
    return " ".join(kept) if kept else " ".join(sentences[0].split()[:WORDS]) + " …"


def why(model: GameModel, n: int) -> PanelPage | None:
    """Return the page that explains a computer's step ``n``; None if its reasoning was not recorded."""
    steps = model.record.steps
    if not 0 < n < len(steps) or steps[n].thought is None:
        return None
    explained = next((move for move in moves(model) if move.n == n), None)
    done = in_words(explained) if explained is not None else ""
    lines = [f"<b>{_escape(line)}</b>" if k == 0 else _escape(line)
             for k, line in enumerate(reasons(steps[n - 1].battle, steps[n]))]  # fmt: skip
    note = f"<font color='{QUIET}'>Values are in bases, as this player weighs one action. They are no advice.</font>"
    return PanelPage(
        f"Why {explained.number}?" if explained is not None else "Why?", "<br><br>".join([_escape(done), *lines, note])
    )


def _escape(words: str) -> str:
    return html_escape(words, quote=False)
