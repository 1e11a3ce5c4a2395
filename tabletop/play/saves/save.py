"""Saved games: JSON lines. The first holds the whole opening position, so that no other file is needed; each of the
others holds one action with its events.

``{"format": "tabletop-game/3", "program", "rules", "played_under", "title", "seed", "players", "opening", "sum"}``,
then ``{"n", "action", "events", "hash", "sum"}``. Line 0 is the beginning (no action); ``hash`` is that of the whole
state after the action. ``sum`` depends on all lines before it, so that a line changed, lost or doubled is detected. If
the last line is cut off (the power failed while it was written), only that action is lost.

``played_under`` holds the versions of the rules and of their model of chance: ``{"rules": 2, "model": 3}``. If a game
is continued under others, the first line played under them names them. Format 1 had no versions, and everything in it
was played under rules 1 and model 1; it is read as it is, and lines are added to it as to any other.

Format 3 added two notes, neither a part of the state: ``"practice": true`` in the header of a battle in which dice may
be taken back, and ``"thought"`` in a line, why a computer player took the action: ``{"why", "value", "other":
{"action", "value", "why"}}``, ``other`` being the runner-up.

Events added since need no new format: a game without them is as it was, and one with them is refused by older programs
in the line that holds the first. ``converted`` was written as ``placed``, with the new troops in the pose, by programs
that had no event for it; it is read as what it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import action_data, action_of, event_data, event_of, state_hash
from tabletop.battle.event import Event
from tabletop.battle.opening import opening_data, opening_of
from tabletop.errors import BadQuestion, Fault, Unreadable
from tabletop.play.engine import Step
from tabletop.play.files.named_files import GAME_WORDS, shown
from tabletop.play.files.nearest_words import clip
from tabletop.play.saves import versions
from tabletop.play.saves.saved_opening import check_meaning, check_shape
from tabletop.play.saves.versions import Versions
from tabletop.play.thought import Thought, thought_data, thought_from
from tabletop.rules import rule_set
from tabletop.version import __version__

#: All formats that can be read; the last is the one that is written.
FORMATS = ("tabletop-game/1", "tabletop-game/2", "tabletop-game/3")
#: The keys that a line may hold.
_OF_LINE = {"n", "played_under", "action", "thought", "events", "hash"}
#: The note on a battle in which dice could be taken back.
PRACTICE = "It is a practice battle: dice could be taken back in it."
#: Bytes: a hundred times a long battle.
LONGEST = 200_000_000


@dataclass(frozen=True)
class Header:
    """The head of a saved game: the battle as laid out, seed, players (by side), and the program that saved it.

    ``under`` holds the versions it was begun under, None for those of this program. In ``practice`` dice may be taken
    back.
    """

    opening: Battle
    seed: int
    players: Mapping[str, str]
    program: str = __version__
    under: Versions | None = None
    practice: bool = False

    @property
    def begun_under(self) -> Versions:
        """The versions of rules and model the game was begun under."""
        return versions.current(self.opening.rules) if self.under is None else self.under

    @property
    def title(self) -> str:
        return self.opening.title


@dataclass(frozen=True)
class Line:
    """One line of a saved game: the action (None for the beginning), its events, and the hash of the state after it.

    ``under`` holds the versions it was played under, None for those of this program; ``thought`` is a computer
    player's.
    """

    n: int
    action: Action | None
    events: tuple[Event, ...]
    hash: str
    under: Versions | None = None
    thought: Thought | None = None


@dataclass(frozen=True)
class Saved:
    """A saved game as read: its header, its lines in order, and whether its last line was cut off and left out.

    ``raw`` holds its lines exactly as in the file, the header first.
    """

    file: str
    header: Header
    lines: tuple[Line, ...]
    raw: tuple[bytes, ...]
    cut_off: bool = False


# --- writing ---------------------------------------------------------------------------------------------------------


def header_line(head: Header) -> bytes:
    """Return the first line of a game."""
    data = {
        "format": FORMATS[-1],
        "program": head.program,
        "rules": head.opening.rules,
        "played_under": dict(head.begun_under),
        "title": head.title,
        "seed": head.seed,
        "players": dict(head.players),
        **({"practice": True} if head.practice else {}),
        "opening": opening_data(head.opening),
    }
    return _tied(data, "")


def step_line(n: int, step: Step, before: bytes, under: Versions | None = None) -> bytes:
    """Return the line of step ``n`` of a game; ``before`` is the line it follows.

    ``under`` holds the versions it was played under, given only if they differ from those of the line before.
    """
    action = {} if step.action is None else {"action": action_data(step.action)}
    played = {} if under is None else {"played_under": dict(under)}
    thought = {} if step.thought is None else {"thought": thought_data(step.thought)}
    events = [event_data(event) for event in step.events]
    data = {"n": n, **played, **action, **thought, "events": events, "hash": state_hash(step.battle)}
    return _tied(data, before[-19:-3].decode())


def _tied(data: Mapping[str, Any], before: str) -> bytes:
    body = json.dumps(data, allow_nan=False)[:-1].encode()
    return body + f', "sum": "{_sum(before, body)}"}}\n'.encode()


def _sum(before: str, body: bytes) -> str:
    """Return a line's checksum, which depends on all lines before it: sixteen hexadecimal digits."""
    return hashlib.sha256(before.encode() + body).hexdigest()[:16]


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: str | Path) -> Saved:
    """Return the game saved at ``path``; Unreadable, naming file and line, if it is missing or damaged."""
    path = Path(path)
    label = shown(path)
    raw = _bytes(path, label)
    texts = raw.split(b"\n")
    tail = texts.pop()  # empty unless a line was being written when the power failed
    if not texts:
        raise _refused(label, 1, "the file ends inside its first line: there is no game in it")
    before, data = _checked(label, 1, texts[0], "")
    header = _header(label, data)
    lines: list[Line] = []
    under = header.begun_under
    for number, text in enumerate(texts[1:], start=2):
        before, data = _checked(label, number, text, before)
        under = _under(label, number, data, header.opening.rules, under)
        lines.append(replace(_action_line(label, number, data, len(lines)), under=under))
    if not lines:
        raise _refused(label, 1, "the game ends before it began; start it anew")
    return Saved(label, header, tuple(lines), tuple(text + b"\n" for text in texts), bool(tail))


def _bytes(path: Path, label: str) -> bytes:
    try:
        if not path.is_file():
            problem = "this is no file of a saved game" if path.exists() else "there is no such file; check the path"
            raise _refused(label, 1, problem)
        with path.open("rb") as stream:
            raw = stream.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name cannot be that of a file"
        raise _refused(label, 1, f"cannot be read: {reason}; check its name and its rights") from None
    if len(raw) > LONGEST:
        raise _refused(label, 1, f"the file has more than {LONGEST:,} bytes; that is no game of ours")
    if not raw.startswith(GAME_WORDS):
        cure = "a game is saved by 'tabletop run --save', and while it is played"
        raise _refused(label, 1, f"this is no saved game; {cure}")
    return raw


def _checked(label: str, number: int, text: bytes, before: str) -> tuple[str, Mapping[str, Any]]:
    """Return a line's checksum and its data; Unreadable if it has been changed since it was written."""
    body, mark, checksum = text.rpartition(b', "sum": "')
    expected = _sum(before, body)
    if not mark or checksum != f'{expected}"}}'.encode():
        text_of = "this line is not as it was saved (changed, lost or doubled); play on from a copy made before it"
        raise _refused(label, number, text_of)
    try:
        data = json.loads(body + b"}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise _refused(label, number, "this line holds no JSON; play on from a copy made before it") from None
    return expected, data


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _header(label: str, data: Mapping[str, Any]) -> Header:
    if data.get("format") not in FORMATS:
        reads = " and ".join(f"'{name}'" for name in FORMATS)
        raise _refused(
            label, 1, f"this is a '{clip(data.get('format'))}', this program reads {reads}; use the one that saved it"
        )
    rules = data.get("rules")
    if rules not in rule_set.NAMES:
        raise _refused(label, 1, f"it is played by the rules '{clip(rules)}', which are not installed here")
    under = versions.first(rules)
    if data["format"] != FORMATS[0]:
        under = dict(_under(label, 1, {"played_under": None, **data}, rules, under))
    try:
        return _begun(data, under)
    except Exception as error:  # a forged line may hold anything; it is refused
        raise _refused(label, 1, f"the opening position cannot be read ({_what(error)}); use another copy") from None


def _under(label: str, number: int, data: Mapping[str, Any], rules: str, before: Versions) -> Versions:
    """Return the versions a line was played under: those it names, else those of the line before."""
    if "played_under" not in data:
        return before
    try:
        return versions.known(data["played_under"], rules)
    except ValueError as error:
        raise _refused(label, number, str(error)) from None


def _begun(data: Mapping[str, Any], under: Versions) -> Header:
    """Return the header written as ``data``; KeyError, TypeError or ValueError if it is not one.

    Openings written under other versions of the rules are not checked, as their words may no longer be known.
    """
    today = under == versions.current(data["rules"])
    if today:
        check_shape(data["opening"])
    opening = opening_of(data["opening"])
    if today:
        check_meaning(opening)
    opening = replace(opening, rulings=_adopted(opening))
    players, seed, program = data["players"], data["seed"], data["program"]
    practice = data.get("practice", False)
    if not isinstance(practice, bool):
        raise TypeError("it is practice or it is not")
    if type(seed) is not int or not isinstance(program, str):
        raise TypeError("the seed is a whole number, and the program is named by its version")
    if not all(isinstance(side, str) and isinstance(name, str) for side, name in players.items()):
        raise TypeError("the players are named by side")
    if (data["rules"], data["title"]) != (opening.rules, opening.title):
        raise ValueError("its rules and its title are not those of its opening")
    return Header(opening, seed, dict(players), program, under, practice)


def _adopted(opening: Battle) -> dict[str, Any]:
    """Return the rulings of a game: its own if they still exist, and the defaults for all others."""
    rules = rule_set.find(opening.rules)
    rulings = rules.ruling_values()
    for name, value in opening.rulings.items():
        try:
            rulings[name] = rules.ruling_values({name: value})[name]
        except BadQuestion:
            continue
    return rulings


def _action_line(label: str, number: int, data: Mapping[str, Any], n: int) -> Line:
    try:
        if type(data["n"]) is not int or data["n"] != n:
            raise ValueError(f"action {clip(data['n'])} stands where action {n} belongs")
        if unknown := data.keys() - _OF_LINE:
            raise ValueError(f"no line has a '{clip(min(unknown))}'")
        if ("action" in data) is not (n > 0):
            raise ValueError("it holds no action" if n else "nothing is done before the beginning")
        if not isinstance(data["events"], list) or not isinstance(data["hash"], str):
            raise TypeError("the events are a list, the hash is a word")
        action = action_of(data["action"]) if n else None
        thought = thought_from(data["thought"]) if "thought" in data else None
        return Line(n, action, tuple(event_of(row) for row in data["events"]), data["hash"], thought=thought)
    except Exception as error:  # a forged line may hold anything; it is refused
        raise _refused(label, number, f"this action cannot be read ({_what(error)}); use another copy") from None


def _what(error: Exception) -> str:
    return clip(f"{type(error).__name__}: {error}", 100)


def _refused(label: str, line: int, text: str) -> Unreadable:
    return Unreadable([Fault(label, line, 1, text)])


def damaged(saved: Saved, n: int, error: Exception) -> Unreadable:
    """Return the error for action ``n`` of a saved game whose events cannot be folded."""
    return _refused(saved.file, n + 2, f"what happened here cannot be followed ({_what(error)}); use another copy")


def steps_of(saved: Saved, battles: Sequence[Battle]) -> list[Step]:
    """Return a game's lines as steps, with the battle after each; their verdicts were not saved."""
    pairs = zip(saved.lines, battles, strict=True)
    return [Step(line.action, None, line.events, battle, line.under, line.thought) for line, battle in pairs]
