"""A line typed at the prompt, read as an action.

    maneuver kempt to 30,20 facing 180        assault foy kempt
    maneuver kempt forward 4                  deploy kempt toward foy
    march pack path 30,20 36,24               fire lloyd foy

The verb is a kind of action of the rule set, or any word of one: of several kinds the one open to the unit is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point, bearing
from tabletop.play.engine import opened, play_of
from tabletop.play.requests import read_options, text_number, text_point
from tabletop.play.words import clip, did_you_mean
from tabletop.terminal.names import IDLE, find_unit, is_unit

#: Words that begin an option, and those that take points until another word comes.
POINTS, PATHS = ("to", "shift"), ("path",)
NUMBERS, WHOLE = ("facing", "forward", "distance"), ("front", "ref", "head")
UNITS = ("toward", "towards", "from")
OPTIONS = (*POINTS, *PATHS, *NUMBERS, *WHOLE, *UNITS)


def read_action(battle: Battle, side: str, line: str) -> Action:
    """Return the action a line asks for; BadQuestion, with the cure, when it cannot be read."""
    words = [word for word in line.split() if word.lower() not in IDLE]
    if not words:
        raise BadQuestion("type what shall be done; 'help' lists what can be typed")
    if len(words) > 1 and not _verbs(battle, words[0]) and is_unit(battle, words[0]):
        words[:2] = words[1], words[0]  # "kempt assaults foy" reads as well as "assault kempt foy"
    verb, rest = words[0].lower(), words[1:]
    named, options = _split(rest)
    kinds = kinds_of(battle, verb)
    if not named:
        return Action(_bare(battle, kinds, verb), side, options=_given(battle, None, options))
    if any("group" in play_of(battle).kinds[kind].needs for kind in kinds):
        return Action(kinds[0], side, options={"group": find_group(battle, " ".join(named))})
    unit = find_unit(battle, named[0])
    target = find_unit(battle, named[1]) if len(named) > 1 else None
    kind = _open(battle, unit, kinds)
    return Action(kind, side, unit.id, target.id if target else None, _given(battle, unit, options))


def read_in_turn(battle: Battle, line: str) -> tuple[Battle, Action]:
    """Return the action a line asks for, and the battle as if it were that unit's turn to act."""
    battle = opened(battle, battle.seed)
    who = next((word for word in line.split()[:2] if is_unit(battle, word)), None)
    if who is None or len(line.split()) < 2:
        raise BadQuestion("name an action and a unit, such as: assault foy kempt")
    unit = find_unit(battle, who)
    ready = play_of(battle).in_turn(battle, unit.id)
    return ready, read_action(ready, unit.side, line)


def kinds_of(battle: Battle, verb: str) -> list[str]:
    """Return the kinds of action a verb may mean; BadQuestion, with the nearest, when it means none."""
    kinds, found = play_of(battle).kinds, _verbs(battle, verb)
    if not found:
        raise BadQuestion(
            f"no action '{clip(verb)}'; {did_you_mean(verb, list(kinds))} ('help' lists what can be typed)"
        )
    return found


def _verbs(battle: Battle, verb: str) -> list[str]:
    """Return the kinds of action a word may be the verb of, in the third person too ("assaults")."""
    kinds, verb = play_of(battle).kinds, verb.lower()
    if verb in kinds:
        return [verb]
    stems = (verb, verb.removesuffix("s"), verb.removesuffix("es"))
    return [name for name in kinds if any(p.startswith(stem) for p in name.split("-") for stem in stems if stem)]


def _open(battle: Battle, unit: Unit, kinds: Sequence[str]) -> str:
    """Return the kind of several that is open to the unit; the first if none is."""
    if len(kinds) == 1:
        return kinds[0]
    menu = {choice.kind: choice.open for choice in play_of(battle).menu(battle, unit.id)}
    return next((kind for kind in kinds if menu.get(kind)), kinds[0])


def _bare(battle: Battle, kinds: Sequence[str], verb: str) -> str:
    for kind in kinds:
        if not set(play_of(battle).kinds[kind].needs) & {"unit", "group"}:
            return kind
    raise BadQuestion(f"who shall {verb}? name a unit: '{verb} UNIT'")


def find_group(battle: Battle, word: str) -> str:
    """Return the group a word means: by its id, or by whom it belongs to."""
    groups = list(play_of(battle).groups(battle))
    if word in groups:
        return word
    found = [group for group in groups if group.lower().startswith(word.lower())]
    if not found:
        unit = find_unit(battle, word)
        found = [group for group in groups if group in (unit.id, unit.parent)]
    if len(found) != 1:
        raise BadQuestion(f"no group '{clip(word)}' to choose now; {did_you_mean(word, groups)}")
    return found[0]


def _split(words: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names before the first option, and the options with their words."""
    named: list[str] = []
    options: dict[str, list[str]] = {}
    current = named
    for word in words:
        if word.lower() in OPTIONS:
            current = options.setdefault(word.lower(), [])
        else:
            current.append(word)
    return named, options


def _given(battle: Battle, unit: Unit | None, options: dict[str, list[str]]) -> dict[str, Any]:
    """Return the options as an action holds them; "forward" and "toward" are worked out for the unit."""
    found: dict[str, Any] = {}
    for name, words in options.items():
        found |= _reader(name)(battle, unit, name, words)
    plain = {key: value for key, value in read_options(found).items() if value is not None}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in plain.items()}


Reader = Callable[[Battle, "Unit | None", str, Sequence[str]], dict[str, Any]]


def _reader(name: str) -> Reader:
    if name in PATHS:
        return lambda battle, unit, name, words: {name: [text_point(name, word) for word in words]}
    return _READERS.get(name) or (_whole if name in WHOLE else _point if name in POINTS else _number)


def _one(name: str, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise BadQuestion(f"'{name}' takes one word after it, such as '{name} {_EXAMPLES.get(name, '2')}'")
    return words[0]


_EXAMPLES = {"to": "30,20", "shift": "0.5,0", "facing": "180", "toward": "foy", "from": "foy"}


def _point(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    return {name: text_point(name, _one(name, words))}


def _number(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    return {name: text_number(name, _one(name, words))}


def _whole(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    value = text_number(name, _one(name, words))
    return {name: int(value) if value == int(value) else value}


def _forward(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    """Straight ahead so far, from the middle of the front."""
    if unit is None:
        raise BadQuestion("who shall go forward? name a unit first")
    far = text_number(name, _one(name, words))
    (x, y), (east, north) = unit.front_mid, unit.forward
    return {"path": [[x + far * east, y + far * north]]}


def _toward(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    """Face another unit."""
    if unit is None:
        raise BadQuestion("who shall face it? name a unit first")
    return {"facing": _bearing(unit.at, find_unit(battle, _one(name, words)).at)}


def _from(battle: Battle, unit: Unit | None, name: str, words: Sequence[str]) -> dict[str, Any]:
    return {name: find_unit(battle, _one(name, words)).id}


def _bearing(start: Point, end: Point) -> float:
    return round(bearing(end[0] - start[0], end[1] - start[1]), 2)


_READERS: dict[str, Reader] = {"forward": _forward, "toward": _toward, "towards": _toward, "from": _from}
