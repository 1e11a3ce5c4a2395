"""The report of a battle: the armies, what happened turn by turn, the losses, and the outcome."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.event import Clocked
from tabletop.battle.naming import how_many, side_name
from tabletop.battle.progress import Clock
from tabletop.battle.unit import GENERAL, Unit
from tabletop.play import engine, narration
from tabletop.play.engine import Step
from tabletop.play.environment import counted_in, hour, noun
from tabletop.play.saves.save import PRACTICE, Header
from tabletop.rules.periods import UNIT

WIDTH = 100


@dataclass(frozen=True)
class Tally:
    """The state of each side at step ``n``: bases, units and generals lost, units in disorder, points, and the bases
    its units were given in the battle less those they gave up."""

    n: int
    turn: int
    bases: Mapping[str, int]
    units: Mapping[str, int]
    generals: Mapping[str, int]
    shaken: Mapping[str, int]
    points: Mapping[str, float]
    added: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportEntry:
    """One action and its consequences: its number (0 for automatic steps), its side, and the sentences."""

    n: int
    side: str | None
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    """One turn: its hour if the scenario has one, its entries, and the tally at its end."""

    turn: int
    hour: str | None
    entries: tuple[ReportEntry, ...]
    tally: Tally
    last: int


@dataclass(frozen=True)
class Report:
    """A whole battle: the positions after every step, the text by turns, and the losses after every step."""

    header: Header
    battles: tuple[Battle, ...]
    chapters: tuple[Chapter, ...]
    tallies: tuple[Tally, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        return self.battles[-1].setup.sides

    @property
    def end(self) -> Battle:
        return self.battles[-1]

    @property
    def outcome(self) -> str:
        """How it ended, in a sentence."""
        end, sides = self.end.outcome, self.end.setup.sides
        return "The battle is not over." if end is None else narration.outcome(end.winner, end.how, sides)


def report(header: Header, steps: Sequence[Step]) -> Report:
    """Return the report of a battle from its steps, the beginning first."""
    before = engine.opened(header.opening, header.seed)
    tallies = tuple(counted(before, step.battle, n) for n, step in enumerate(steps))
    return Report(header, tuple(step.battle for step in steps), tuple(_chapters(header, before, steps)), tallies)


# --- turn by turn ----------------------------------------------------------------------------------------------------


def _chapters(header: Header, before: Battle, steps: Sequence[Step]) -> Iterator[Chapter]:
    """Yield the turns; events after an action has opened the next turn belong to that turn."""
    opening, turn, entries, end = before, 0, list[ReportEntry](), before
    for n, step in enumerate(steps):
        side = None if step.action is None else step.action.side
        for now, sentences, after in by_turn(before, step):
            if now != turn and turn:
                yield Chapter(turn, hour(opening, turn), tuple(entries), counted(opening, end, n), n)
                entries = []
            turn, end = now, after
            if sentences:
                entries.append(ReportEntry(0 if turn_opens(before.clock, after.clock) else n, side, sentences))
        before = step.battle
    last = len(steps) - 1
    yield Chapter(turn, hour(opening, turn), tuple(entries), counted(opening, end, last), last)


def by_turn(before: Battle, step: Step) -> Iterator[tuple[int, tuple[str, ...], Battle]]:
    """Yield (turn, sentences, battle after) for each part of a step, which is split where a turn of any side opens.

    Events at the opening of a turn are not part of the action that ended the turn before.
    """
    events, opens, clock = step.events, list[int](), before.clock
    for k, event in enumerate(events):
        if isinstance(event, Clocked):
            opens += [k] if turn_opens(clock, event.clock) else []
            clock = event.clock
    for start, end in pairwise((0, *opens, len(events))):
        part = events[start:end]
        after = fold(before, part)
        if part:
            yield after.clock.turn, tuple(narration.sentences(before, part)), after
        before = after


def turn_opens(before: Clock, after: Clock) -> bool:
    """Return whether a new turn, of both sides or of the other side, has opened between two times.

    >>> turn_opens(Clock(1, side="french"), Clock(1, side="allied")), turn_opens(Clock(1), Clock(1, side="french"))
    (True, False)
    """
    both = before.side is not None and after.side is not None
    return after.turn != before.turn or (both and after.side != before.side)


def counted(opening: Battle, now: Battle, n: int) -> Tally:
    """Return what each side has lost by step ``n``.

    Units count for the side on which they began, so a unit that changes sides is a loss for its own. One that left the
    table and may come back is none; bases that a unit was given in the battle, or gave up, count as if it had begun
    with them, or without.
    """
    remaining = {unit.id: unit for unit in (*now.units, *now.awaited)}
    added = {unit.id: unit.bases_added for unit in (*remaining.values(), *(fallen.unit for fallen in now.fallen))}
    counts: dict[str, dict[str, int]] = {key: dict.fromkeys(now.setup.sides, 0) for key in ("b", "u", "g", "s", "a")}
    for unit in (*opening.units, *opening.awaited):
        unit_now = remaining.get(unit.id)
        lost = unit_now is None or unit_now.side != unit.side
        if unit.is_general:
            counts["g"][unit.side] += lost
            continue
        counts["u"][unit.side] += lost
        stands = unit_now.strength if unit_now is not None and not lost else 0
        counts["a"][unit.side] += added.get(unit.id, 0)
        counts["b"][unit.side] += unit.strength + added.get(unit.id, 0) - stands
        counts["s"][unit.side] += unit_now is not None and not lost and not unit_now.in_order
    return Tally(n, now.clock.turn, counts["b"], counts["u"], counts["g"], counts["s"], dict(now.scores), counts["a"])


# --- in words --------------------------------------------------------------------------------------------------------


def text(report: Report, width: int = WIDTH) -> str:
    """Return the report as plain text."""
    lines = [*(line for long in _head(report) for line in textwrap.wrap(long, width) or [""]), ""]
    for chapter in report.chapters:
        lines += [heading(chapter), ""]
        for entry in chapter.entries:
            lines += _paragraph(entry, width)
        lines += ["", *(f"  {line}" for line in losses(report, chapter.tally)), ""]
    return "\n".join([*lines, report.outcome])


def heading(chapter: Chapter) -> str:
    return f"Turn {chapter.turn}" + (f", {chapter.hour}" if chapter.hour else "")


def _head(report: Report) -> list[str]:
    title = report.header.title or "A battle"
    return [title, "=" * len(title), "", *who(report)]


def who(report: Report) -> list[str]:
    """Return lines on each side, with its commander, strength and player, and on whether it was practice."""
    opening = report.header.opening
    noted = [PRACTICE] if report.header.practice else []
    return [*(_army(opening, side, report) for side in report.sides), *noted]


def _army(opening: Battle, side: str, report: Report) -> str:
    units = [unit for unit in (*opening.units, *opening.awaited) if unit.side == side]
    troops = [unit for unit in units if not unit.is_general]
    later = sum(unit.side == side and not unit.is_general for unit in opening.awaited)
    words = [how_many(len(troops), noun(opening))]
    words += [how_many(opening.bases(side)[0], "base")] if counted_in(opening) == "base" else []
    words += [f"{later} of the {noun(opening)}s still to come"] if later else []
    chief = _commander(units)
    under = f" under {chief.called}" if chief is not None else ""
    attacks = " (attacker)" if side == report.end.setup.attacker else ""
    player = report.header.players.get(side)
    by = f"; played by {player}" if player else ""
    return f"{side_name(side)}{attacks}{under}: {', '.join(words)}{by}."


def _commander(units: Sequence[Unit]) -> Unit | None:
    """Return the general whom no general leads and who leads the most units; None without a general.

    Where the rules rank only some generals (a great captain), those come first.
    """
    generals = [unit for unit in units if unit.is_general]
    chiefs = [unit for unit in generals if unit.parent is None] or generals
    led = {chief.id: sum(unit.parent == chief.id for unit in units) for chief in chiefs}
    return max(chiefs, key=lambda chief: (bool(chief.rank), led[chief.id]), default=None)


def _paragraph(entry: ReportEntry, width: int) -> list[str]:
    """Return the wrapped text of an entry, preceded by the number of its action."""
    head = f"{entry.n:>4}  " if entry.n else "      "
    return textwrap.wrap(" ".join(entry.sentences), width, initial_indent=head, subsequent_indent="      ")


def losses(report: Report, tally: Tally) -> list[str]:
    """Return the losses of each side up to a tally of a report, one line per side."""
    return [f"{side_name(side)} had lost {_lost(tally, side, noun(report.end))}." for side in report.sides]


def _lost(tally: Tally, side: str, one: str) -> str:
    bases, units, generals = tally.bases[side], tally.units[side], tally.generals[side]
    parts = [how_many(bases, "base")] if one == UNIT else [how_many(units, one)]
    if units and one == UNIT:
        parts.append(how_many(units, "whole unit"))
    if generals:
        parts.append(how_many(generals, GENERAL))
    lost = ", ".join(parts) if any((bases, units, generals)) else "nothing"
    shaken = tally.shaken[side]
    lost += f"; {shaken} {one}{' was' if shaken == 1 else 's were'} out of order" if shaken else ""
    return lost + (f"; it had {how_many(tally.points.get(side, 0.0), 'point')}" if any(tally.points.values()) else "")
