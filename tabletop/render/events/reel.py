"""A battle moment by moment: every position, what happened, and the losses so far.

It replays saved events; nothing is judged again. A long game is replayed a slice at a time, so that no frame waits, and
all moments so far are kept, so that any of them can be shown at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.errors import Unreadable
from tabletop.play import engine, knowledge
from tabletop.play.engine import Step
from tabletop.play.saves import known_game, replay
from tabletop.play.saves.report import Tally, counted
from tabletop.play.saves.save import Header, Saved
from tabletop.play.session import Session
from tabletop.render.events import log_lines
from tabletop.render.events.beats import Act, act
from tabletop.render.events.log_lines import Line


@dataclass(frozen=True)
class Moment:
    """The battle after action ``n`` (0: at the start), the one before it, what happened, and the losses so far."""

    n: int
    step: Step
    before: Battle
    lines: tuple[Line, ...]
    tally: Tally

    @property
    def battle(self) -> Battle:
        return self.step.battle

    @property
    def turn(self) -> int:
        return self.battle.clock.turn

    @property
    def text(self) -> str:
        """What happened, as one text; "" for an action without text."""
        return " ".join(line.text for line in self.lines)

    @property
    def by_turn(self) -> list[tuple[int, str]]:
        """What happened, as one text for each turn: an action that ends a turn belongs to that turn."""
        parts = groupby(self.lines, key=lambda line: max(1, line.turn))
        return [(turn, " ".join(line.text for line in lines)) for turn, lines in parts]

    @cached_property
    def act(self) -> Act:
        """The action as beats."""
        return act(self.before, self.battle, self.step.events)

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules behind it: those of its events, and those that allowed the action, if recorded."""
        verdict = self.step.verdict
        allowed = [reason.rule for reason in verdict.because if reason.rule] if verdict is not None else []
        behind = [rule for event in self.step.events if isinstance(event, Told) for rule in event.rules]
        return tuple(dict.fromkeys([*behind, *allowed]))


@dataclass
class Reel:
    """A battle to be shown again. ``moments`` grows until it has ``length`` of them.

    Units that are ``hidden`` from the people who play it are in none of the moments; ``played`` holds the steps as they
    were, from which it can be played on.
    """

    header: Header
    length: int
    steps: Iterator[Step]
    name: str = ""
    path: Path | None = None
    cut_off: bool = False
    hidden: frozenset[str] = frozenset()
    moments: list[Moment] = field(default_factory=list)
    played: list[Step] = field(default_factory=list)
    error: Unreadable | None = None

    @property
    def broken(self) -> str:
        """Why the rest cannot be shown; "" if it can."""
        return "" if self.error is None else str(self.error)

    @classmethod
    def of_saved(cls, saved: Saved, path: Path | None = None, hidden: frozenset[str] = frozenset()) -> Reel:
        """Return the reel of a saved game, not replayed yet."""
        folded = zip(saved.lines, replay.battles(saved), strict=True)
        steps = (Step(line.action, None, line.events, battle, line.under, line.thought) for line, battle in folded)
        return cls(saved.header, len(saved.lines), steps, saved.file, path, saved.cut_off, hidden)

    @classmethod
    def of_session(cls, session: Session) -> Reel:
        """Return the reel of a battle being played, as far as it has got, not replayed yet."""
        steps = tuple(session.steps)
        return cls(session.header, len(steps), iter(steps), session.header.title, session.path, hidden=session.hidden)

    def wind(self, seconds: float) -> bool:
        """Replay for about this many seconds, at least one moment; return whether all is replayed."""
        end = time.perf_counter() + seconds
        while not self.whole:
            self._wind_one()
            if time.perf_counter() >= end:
                break
        return self.whole

    def wound(self) -> Reel:
        """Replay everything at once; Unreadable if the events cannot be followed."""
        while not self.whole:
            self._wind_one()
        if self.error is not None:
            raise self.error
        return self

    def _wind_one(self) -> None:
        n = len(self.moments)
        before = self.moments[-1].battle if self.moments else self.opening
        try:
            played = next(self.steps)
        except Unreadable as error:
            self.error, self.length = error, n
            return
        self.played.append(played)
        step = knowledge.known_steps([played], self.hidden)[0]
        lines = tuple(log_lines.lines(n, before, step))
        self.moments.append(Moment(n, step, before, lines, counted(self.opening, step.battle, n)))

    @cached_property
    def opening(self) -> Battle:
        """The battle as set up, as it is known."""
        return engine.opened(self.known_header.opening, self.header.seed)

    @property
    def known_header(self) -> Header:
        """The header with the opening as it is known."""
        return replace(self.header, opening=knowledge.without(self.header.opening, self.hidden))

    @property
    def whole(self) -> bool:
        return len(self.moments) >= self.length

    @property
    def last(self) -> int:
        """The number of the last moment replayed."""
        return max(0, len(self.moments) - 1)

    @property
    def sides(self) -> tuple[str, ...]:
        return self.opening.setup.sides

    @property
    def unfinished(self) -> bool:
        """True when all of it is replayed and the battle was not over at the end."""
        return self.whole and bool(self.moments) and self.error is None and not self.moments[-1].battle.over

    @property
    def turns(self) -> dict[int, int]:
        """Every turn replayed, with the number of the moment in which it begins."""
        openings: dict[int, int] = {}
        for moment in self.moments:
            openings.setdefault(moment.turn, moment.n)
        return openings

    def losses(self) -> list[tuple[int, str, int, int]]:
        """Return every moment in which a side lost something: its number, the side, bases lost, whole units lost."""
        rows = []
        for k in range(1, len(self.moments)):
            before, now = self.moments[k - 1].tally, self.moments[k].tally
            for side in self.sides:
                bases, units = now.bases[side] - before.bases[side], now.units[side] - before.units[side]
                if bases > 0 or units > 0:
                    rows.append((k, side, bases, units))
        return rows

    def steps_until(self, n: int) -> list[Step]:
        """Return the steps up to moment ``n``, as they are known."""
        return [moment.step for moment in self.moments[: n + 1]]


def headlines(moments: Sequence[Moment]) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of every moment that has a text."""
    for moment in moments:
        if moment.text:
            yield moment.n, moment.text


def read(path: Path) -> Reel:
    """Return the reel of the game saved in a file, not replayed yet; Unreadable if it is damaged."""
    game = known_game.read(path)
    return Reel.of_saved(game.saved, path, game.hidden)
