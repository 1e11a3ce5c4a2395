"""Replaying a saved game: folding its events up to any moment without the rules, and ``verify``, which applies them.

Folding shows old games even after the rules have changed. Verifying plays the actions again from the seed and compares
all events of each one (dice, results, paths) and the whole state after it. It proves that the record follows from its
opening, seed and actions; it cannot prove that this is the game that was played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.codec import event_data, state_hash
from tabletop.battle.event import Asked, Changed, Clocked, Event, Settled
from tabletop.errors import BadQuestion, TabletopError
from tabletop.play import engine
from tabletop.play.files.nearest_words import clip
from tabletop.play.saves import save, versions
from tabletop.play.saves.save import Saved
from tabletop.version import __version__

#: Floating-point numbers that differ by no more than this count as equal.
ALIKE = 1e-6
#: The most differences reported for one action.
MOST_DIFFERENCES = 3
_MOMENT = re.compile(r"(turn:?)?\s*([0-9]{1,9})\Z")


def beginning(saved: Saved) -> Battle:
    """Return the battle as laid out, with the seed it was begun with."""
    return engine.opened(saved.header.opening, saved.header.seed)


def battles(saved: Saved) -> Iterator[Battle]:
    """Yield the battle after the beginning and after every action; Unreadable if events cannot be folded."""
    battle = beginning(saved)
    for line in saved.lines:
        try:
            _check_answers(battle, line.events)
            battle = fold(battle, line.events)
        except Exception as error:  # a forged line may do anything; it is refused
            raise save.damaged(saved, line.n, error) from None
        yield battle


def _check_answers(battle: Battle, events: Sequence[Event]) -> None:
    """Raise ValueError for an answer where nothing is asked: no sentence could say what it answers."""
    pending = len(battle.pending)
    for event in events:
        pending += isinstance(event, Asked) - isinstance(event, Settled)
        if pending < 0:
            raise ValueError("an answer where nothing is asked")


def battle_at(saved: Saved, n: int | None = None) -> Battle:
    """Return the battle after action ``n`` (0: as it began; None: as it was left); BadQuestion for one never done."""
    last = len(saved.lines) - 1
    n = last if n is None else n
    if not 0 <= n <= last:
        raise BadQuestion(f"{saved.file} has actions 1 to {last}; there is no moment {n}")
    reached = beginning(saved)
    for number, battle in enumerate(battles(saved)):
        reached = battle
        if number == n:
            break
    return reached


def moment(saved: Saved, text: str) -> int:
    """Return the number of the action at a moment: "14" (after that action) or "turn 3" (as that turn opens)."""
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
    """The result of playing a saved game again: the number of actions that agreed, and the first difference, if any.

    ``unlike`` names the part that was played under other versions of the rules or of the model; then nothing was
    played again, and nothing is proved.
    """

    alike: int
    actions: int
    difference: str | None = None
    unlike: str | None = None

    @property
    def sound(self) -> bool:
        """Whether everything was played again and came out as saved."""
        return self.difference is None and self.unlike is None


def verify(saved: Saved) -> Checked:
    """Play the actions again from the seed; compare every event and the state after each, to the first difference."""
    actions = len(saved.lines) - 1
    if unlike := _unlike(saved):
        return Checked(0, actions, unlike=unlike)
    battle: Battle | None = None
    for line in saved.lines:
        try:
            again = _again(saved, battle, line)
            before = beginning(saved) if battle is None else battle
            differing = list(islice(_differing(before, again, line), MOST_DIFFERENCES))
        except Exception as error:  # a forged action may raise anything; it is reported
            return Checked(max(0, line.n - 1), actions, f"{_named(line)} cannot be replayed: {in_words(error)}")
        if differing:
            return Checked(max(0, line.n - 1), actions, _mismatch(saved, line, differing))
        battle = again.battle
    return Checked(actions, actions)


def _unlike(saved: Saved) -> str | None:
    """Return the versions a game was played under if they differ from this program's, in words; else None."""
    own_versions = versions.current(saved.header.opening.rules)
    under = [own_versions if line.under is None else line.under for line in saved.lines]
    odd = [n for n, played in enumerate(under) if played != own_versions]
    if not odd:
        return None
    as_far = "" if len(odd) == len(under) else f" as far as action {odd[-1]}"
    return f"played under {versions.named(under[odd[0]])}{as_far}"


def _again(saved: Saved, battle: Battle | None, line: save.Line) -> engine.Step:
    if battle is None:
        return engine.begin(saved.header.opening, saved.header.seed)
    if line.action is None:
        raise BadQuestion("the line holds no action")
    return engine.submit(battle, line.action)


def _differing(before: Battle, again: engine.Step, line: save.Line) -> Iterator[str]:
    """Yield the differences between a step played again and the saved one: events, or else the hash of the state.

    The events determine the state: if they all agree, only the saved hash itself can be wrong.
    """
    ours, theirs = ([event_data(event) for event in events] for events in (again.events, line.events))
    if len(ours) != len(theirs):
        subject = "event was" if len(theirs) == 1 else "events were"
        yield f"{len(theirs)} {subject} saved, now there {'is' if len(ours) == 1 else 'are'} {len(ours)}"
    for k, (now, then) in enumerate(zip(ours, theirs, strict=False)):
        if now["event"] != then["event"]:
            yield f"event {k + 1}: was {clip(then['event'])}, is {clip(now['event'])}"
            return
        found = list(differences(then, now, f"event {k + 1}"))
        if found and not (_but_for_nulls(then, now) and _same_state(fold(before, again.events[:k]), again, line, k)):
            yield from found
    if len(ours) == len(theirs) and state_hash(again.battle) != line.hash:
        yield "the hash of the state saved is another"


def _but_for_nulls(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether a saved event only takes fewer marks away: older programs named fewer that a unit never had."""
    if then["event"] != Changed.__name__.lower() or then.get("marks", {}).keys() - now.get("marks", {}).keys():
        return False
    bare = [
        {**data, "marks": {k: v for k, v in data.get("marks", {}).items() if v is not None}} for data in (then, now)
    ]
    return not any(differences(bare[0], bare[1]))


def _same_state(before: Battle, again: engine.Step, line: save.Line, k: int) -> bool:
    """Return whether event ``k`` of a step leads to the same state as the one saved in its place."""
    return state_hash(fold(before, again.events[k : k + 1])) == state_hash(fold(before, line.events[k : k + 1]))


def _named(line: save.Line) -> str:
    return f"action {line.n}" if line.n else "the beginning"


def _mismatch(saved: Saved, line: save.Line, differing: Sequence[str]) -> str:
    """Return a sentence about an action whose result differs from the saved one."""
    action_name = f"{_named(line)} ({line.action.kind})" if line.action is not None else _named(line)
    saved_by = saved.header.program
    by = f" (saved by tabletop {clip(saved_by)}, this is {__version__})" if saved_by != __version__ else ""
    return f"{action_name} does not come out as saved{by}: {'; '.join(differing)}"


def in_words(error: Exception) -> str:
    """Return an error in one line: its message if it is meant for users, else its type and message."""
    message = " ".join(str(error).split())
    return clip(message if isinstance(error, TabletopError) else f"{type(error).__name__}: {message}", 200)


def differences(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """Yield the differences between two pieces of plain data, each as path, old value and new value.

    A key that is missing is not one whose value is null: among the marks of a change null takes a mark away.
    """
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for key in sorted({*then, *now}):
            where = f"{path}.{key}" if path else str(key)
            if key in then and key in now:
                yield from differences(then[key], now[key], where)
            else:
                was, is_ = (clip(data[key], 80) if key in data else "missing" for data in (then, now))
                yield f"{where}: was {was}, is {is_}"
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for k, (a, b) in enumerate(zip(then, now, strict=True)):
            name = a.get("id", k) if isinstance(a, Mapping) else k
            yield from differences(a, b, f"{path}[{name}]")
    elif not _same(then, now):
        yield f"{path}: was {clip(then, 80)}, is {clip(now, 80)}"


def _same(then: Any, now: Any) -> bool:
    """Return whether two values are equal; floats are compared to a millionth, as in the hash of a state."""
    if isinstance(then, bool) or isinstance(now, bool):
        return then is now
    if isinstance(then, float) or isinstance(now, float):
        return isinstance(then, float) and isinstance(now, float) and abs(then - now) <= ALIKE
    return bool(then == now)
