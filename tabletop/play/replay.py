"""A saved game shown again: its events folded to any moment, no rule asked; and ``verify``, which asks them all.

Folding shows old games even after the rules have changed; verifying plays the actions again from the seed and compares
the whole state after every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop import __version__
from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.codec import event_data, state, state_hash
from tabletop.battle.event import Clocked
from tabletop.errors import BadQuestion, TabletopError
from tabletop.play import engine, save
from tabletop.play.save import Saved
from tabletop.play.words import clip

_MOMENT = re.compile(r"(turn:?)?\s*([0-9]{1,9})\Z")


def beginning(saved: Saved) -> Battle:
    """Return the battle as laid out, with the seed it was begun with."""
    return engine.opened(saved.header.opening, saved.header.seed)


def battles(saved: Saved) -> Iterator[Battle]:
    """Yield the battle after the beginning and after every action; Unreadable where the events cannot be followed."""
    battle = beginning(saved)
    for line in saved.lines:
        try:
            battle = fold(battle, line.events)
        except Exception as error:  # whatever a forged line does: it is refused
            raise save.damaged(saved, line.n, error) from None
        yield battle


def battle_at(saved: Saved, n: int | None = None) -> Battle:
    """Return the battle after action ``n`` (0: as it began; None: as it was left); BadQuestion for one never done."""
    last = len(saved.lines) - 1
    n = last if n is None else n
    if not 0 <= n <= last:
        raise BadQuestion(f"{saved.file} has actions 1 to {last}; there is no moment {n}")
    found = beginning(saved)
    for number, battle in enumerate(battles(saved)):
        found = battle
        if number == n:
            break
    return found


def moment(saved: Saved, text: str) -> int:
    """Return the number of the action a moment means: "14" (after that action) or "turn 3" (as that turn opens)."""
    match = _MOMENT.match(text.strip().lower())
    if match is None:
        raise BadQuestion(
            f"a moment is the number of an action, such as 14, or a turn, such as turn:3; not '{clip(text)}'"
        )
    number = int(match[2])
    return _opening_of_turn(saved, number) if match[1] else number


def _opening_of_turn(saved: Saved, turn: int) -> int:
    for line in saved.lines:
        if any(isinstance(event, Clocked) and event.clock.turn == turn for event in line.events):
            return line.n
    last = max((e.clock.turn for line in saved.lines for e in line.events if isinstance(e, Clocked)), default=0)
    raise BadQuestion(f"{saved.file} has turns 1 to {last}; there is no turn {turn}")


# --- verify ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """What came of playing a saved game again: actions played alike, and the first difference (None: there is none)."""

    alike: int
    actions: int
    difference: str | None = None

    @property
    def sound(self) -> bool:
        return self.difference is None


def verify(saved: Saved) -> Checked:
    """Play the actions again from the seed and compare the whole state after each; stop at the first difference."""
    actions = len(saved.lines) - 1
    replayed = None
    for line, kept in zip(saved.lines, battles(saved), strict=True):
        try:
            replayed = _again(saved, None if replayed is None else replayed.battle, line)
        except TabletopError as error:
            return Checked(max(0, line.n - 1), actions, _told(saved, line, [f"it is refused now: {error}"]))
        differing = list(_differing(replayed, kept, line))
        if differing:
            return Checked(max(0, line.n - 1), actions, _told(saved, line, differing))
    return Checked(actions, actions)


def _again(saved: Saved, battle: Battle | None, line: save.Line) -> engine.Step:
    if battle is None:
        return engine.begin(saved.header.opening, saved.header.seed)
    if line.action is None:
        raise BadQuestion("the line holds no action")
    return engine.submit(battle, line.action)


def _differing(replayed: engine.Step, kept: Battle, line: save.Line) -> Iterator[str]:
    """Yield what differs between a step played again and the one saved, the first few things only."""
    if state_hash(kept) != line.hash:
        yield "the events saved do not lead to the state whose hash was saved"
    if state_hash(replayed.battle) == line.hash:
        return
    ours, theirs = ([event_data(event) for event in events] for events in (replayed.events, line.events))
    for k, (now, then) in enumerate(zip(ours, theirs, strict=False)):
        if now != then:
            yield next(differences(then, now, f"event {k + 1}"))
            break
    else:
        if len(ours) != len(theirs):
            yield f"{len(theirs)} events were saved, now there are {len(ours)}"
    found = list(differences(state(kept), state(replayed.battle)))
    yield from found[:2]
    if not found:
        yield "the hash of the state saved is another"


def _told(saved: Saved, line: save.Line, differing: Sequence[str]) -> str:
    what = f"action {line.n} ({line.action.kind})" if line.action is not None else "the beginning"
    other = saved.header.program
    by = f" (saved by tabletop {other}, this is {__version__}: verify it with that one)" if other != __version__ else ""
    return f"{what} does not come out as saved{by}: {'; '.join(differing)}"


def differences(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """Yield where two pieces of plain data differ, each in a few words: the path there, what was and what is."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for key in sorted({*then, *now}):
            yield from differences(then.get(key), now.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for k, (a, b) in enumerate(zip(then, now, strict=True)):
            name = a.get("id", k) if isinstance(a, Mapping) else k
            yield from differences(a, b, f"{path}[{name}]")
    elif not _same(then, now):
        yield f"{path}: was {clip(then, 80)}, is {clip(now, 80)}"


def _same(then: Any, now: Any) -> bool:
    if isinstance(then, float) and isinstance(now, float):
        return abs(then - now) < 1e-6
    return bool(then == now)
