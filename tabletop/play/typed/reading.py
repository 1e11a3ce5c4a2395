"""A line typed at the prompt, read as an action.

    assault jamin brunswick-light             fire lloyd at foy-guns
    maneuver kempt forward 4                  deploy kempt toward foy
    maneuver kempt to 30,20 facing south      march pack along namur-road to crossroads
    maneuver kempt toward jamin 3             regroup kempt in square

The verb is a kind of action of the rule set, a word of one, or another word the rule set knows for it; if it fits
several kinds, the one open to the unit is taken. A route without a given end point is followed as far as the rules
allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.play import engine
from tabletop.play.engine import opened, play_of
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.routes import as_far_as_it_may
from tabletop.play.typed.names import IDLE, find_unit, is_unit, roads_of, two_units
from tabletop.play.typed.options import OPTIONS, read_options
from tabletop.rules.asked import MOVE

#: The least number of letters by which a verb can be abbreviated.
SHORTEST = 3
NOTHING_TO_CHOOSE = "there is nothing to choose now"


@dataclass(frozen=True)
class Sentence:
    """A line taken apart: the verb, the words that name units, and the words after each option."""

    verb: str
    named: tuple[str, ...]
    options: dict[str, list[str]]


def read_action(battle: Battle, side: str, line: str) -> Action:
    """Return the action a line asks for; BadQuestion, with the cure, if it cannot be read."""
    sentence = taken_apart(battle, line)
    kinds = kinds_of(battle, sentence.verb)
    if not sentence.named:
        return _bare(battle, side, kinds, sentence)
    if any("group" in play_of(battle).kinds[kind].needs for kind in kinds):
        return Action(kinds[0], side, options={"group": find_group(battle, " ".join(sentence.named))})
    named, number = _number_last(sentence.named)
    unit, target = two_units(battle, named, side)
    kind = _open(battle, unit, kinds)
    words = {**sentence.options, "forward": [number]} if number else sentence.options
    options, far = read_options(battle, unit, "path" in play_of(battle).kinds[kind].needs, words)
    _refuse_question_options(unit, options)
    action = Action(kind, side, unit.id, target.id if target else None, options)
    _check_destination(battle, unit, action)
    _check_target(battle, unit, action, sentence.verb)
    return (as_far_as_it_may(battle, action) or action) if far and _has_route(battle, action) else action


def read_in_turn(battle: Battle, line: str) -> tuple[Battle, Action]:
    """Return the action a line asks for, and the battle as if it were that unit's turn to act."""
    battle = opened(battle, battle.seed)
    sentence = taken_apart(battle, line)
    kinds = kinds_of(battle, sentence.verb)
    if not sentence.named:
        raise BadQuestion(f"name an action and a unit, such as: {next(iter(play_of(battle).kinds))} UNIT")
    unit, _ = two_units(battle, _number_last(sentence.named)[0], None)
    ready = play_of(battle).in_turn(battle, unit.id, kinds[0])
    return ready, read_action(ready, unit.side, line)


def taken_apart(battle: Battle, line: str) -> Sentence:
    """Return the parts of a line; "kempt assaults foy" means the same as "assault kempt foy".

    A unit with only a destination ("kempt toward foy") moves.
    """
    words = [word for word in line.split() if word.lower() not in IDLE or _is_id(battle, word)]
    if not words:
        raise BadQuestion("type what shall be done; 'help' lists what can be typed")
    if len(words) > 1 and not verbs(battle, words[0]) and is_unit(battle, words[0]):
        words = _verb_first(battle, words)
    if len(words) > 1 and f"{words[0]}-{words[1]}".lower() in play_of(battle).kinds:
        words[:2] = [f"{words[0]}-{words[1]}"]
    named: list[str] = []
    options: dict[str, list[str]] = {}
    current = named
    for word in words[1:]:
        if word.lower() in OPTIONS:
            current = options.setdefault(word.lower(), [])
        else:
            current.append(word)
    return Sentence(words[0].lower(), tuple(named), options)


def _verb_first(battle: Battle, words: list[str]) -> list[str]:
    """Return the words of a line that begins with a unit, with the verb moved to the front."""
    end = next((k for k, word in enumerate(words) if word.lower() in OPTIONS), len(words))
    place = next((k for k in range(1, end) if verbs(battle, words[k]) and not is_unit(battle, words[k])), None)
    if place is not None:
        return [words[place], *words[:place], *words[place + 1 :]]
    return [MOVE, *words] if end < len(words) and verbs(battle, MOVE) else [words[1], words[0], *words[2:]]


def _is_id(battle: Battle, word: str) -> bool:
    return any(unit.id == word for unit in (*battle.units, *battle.awaited))


def _number_last(named: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """Return the names without the number at their end ("maneuver kempt 4"), and the number, None without one."""
    last = named[-1]
    plain = last.replace(".", "", 1).isdigit() and last.isascii()
    return (named[:-1], last) if plain and len(named) > 1 else (named, None)


def _refuse_question_options(unit: Unit, options: Mapping[str, Any]) -> None:
    """Refuse the options that only a question may have."""
    if options.get("delayed"):
        raise BadQuestion(f"whether orders are delayed the dice say; 'ask move {unit.id} ... delayed' measures it")
    if options.get("as"):
        raise BadQuestion(f"an action begins with its name: '{options['as']} {unit.id} ...'; 'as' is for 'ask move'")


# --- verbs -----------------------------------------------------------------------------------------------------------


def kinds_of(battle: Battle, verb: str) -> list[str]:
    """Return the kinds of action a verb may mean; BadQuestion, with the nearest, if there are none."""
    kinds = verbs(battle, verb)
    if not kinds:
        names = [name for part in play_of(battle).kinds for name in (part, *part.split("-"))]
        raise BadQuestion(
            f"no action or command '{clip(verb)}'; {did_you_mean(verb, list(dict.fromkeys(names)))} ('help' says more)"
        )
    return kinds


def verbs(battle: Battle, word: str) -> list[str]:
    """Return the kinds of action a verb may mean; it may be in the third person ("assaults")."""
    play, word = play_of(battle), word.lower()
    stems = {word, word.removesuffix("s"), word.removesuffix("es")} - {""}
    for stem in sorted(stems, key=len, reverse=True):
        if stem in play.kinds:
            return [stem]
        kinds = [name for name in play.kinds if stem in name.split("-")]
        kinds += [name for name in play.words.get(stem, ()) if name in play.kinds and name not in kinds]
        if kinds:
            return kinds
    if len(word) < SHORTEST:
        return []
    return [name for name in play.kinds if any(part.startswith(word) for part in (name, *name.split("-")))]


def _open(battle: Battle, unit: Unit, kinds: Sequence[str]) -> str:
    """Return the first kind that is open to the unit; else the one whose verdict has the fewest reasons."""
    if len(kinds) == 1:
        return kinds[0]
    menu = {choice.kind: choice for choice in play_of(battle).menu(battle, unit.id) if choice.kind in kinds}
    opened_ = [kind for kind in kinds if kind in menu and menu[kind].open]
    if opened_:
        return opened_[0]
    return min(kinds, key=lambda kind: len(v.because) if kind in menu and (v := menu[kind].verdict) else 99)


def _bare(battle: Battle, side: str, kinds: Sequence[str], sentence: Sentence) -> Action:
    for kind in kinds:
        if not set(play_of(battle).kinds[kind].needs) & {"unit", "group"}:
            return Action(kind, side)
    if any("group" in play_of(battle).kinds[kind].needs for kind in kinds):
        groups = ", ".join(play_of(battle).groups(battle))
        raise BadQuestion(f"which? '{sentence.verb} NAME', one of: {groups}" if groups else NOTHING_TO_CHOOSE)
    raise BadQuestion(f"who? name a unit: '{sentence.verb} UNIT'")


def find_group(battle: Battle, word: str) -> str:
    """Return the group that a word means: by its id, by its general, or by a unit in it; BadQuestion if none."""
    play = play_of(battle)
    groups = list(play.groups(battle))
    if not groups:
        raise BadQuestion(NOTHING_TO_CHOOSE)
    fitting = [group for group in groups if group == word] or [g for g in groups if g.lower().startswith(word.lower())]
    if not fitting:
        unit = find_unit(battle, word, battle.clock.side)
        fitting = [g for g in groups if g == unit.id] or [
            g for g in groups if any(u.id == unit.id for u in play.members(battle, g))
        ]
        if not fitting:
            raise BadQuestion(f"{unit.called} is in no group that can be chosen now; there are: {', '.join(groups)}")
    if len(fitting) > 1:
        raise BadQuestion(f"'{clip(word)}' could be any of: {', '.join(fitting)}")
    return fitting[0]


# --- routes ----------------------------------------------------------------------------------------------------------


def _has_route(battle: Battle, action: Action) -> bool:
    return action.options.get("path") is not None or action.options.get("to") is not None


def _check_target(battle: Battle, unit: Unit, action: Action, verb: str) -> None:
    """Raise BadQuestion asking for the unit that is missing in an action against an enemy that names only one.

    Where the rule set itself says that a target is needed, that is left to it.
    """
    if action.target is not None or "target" not in play_of(battle).kinds[action.kind].needs:
        return
    if unit.side != action.side:
        raise BadQuestion(f"by whom? name who does it before the enemy: '{verb} NAME {unit.id}'")
    try:
        engine.judge(battle, action)
    except BadQuestion:
        raise BadQuestion(f"at whom? name an enemy after it: '{verb} {unit.id} ENEMY'") from None


def _check_destination(battle: Battle, unit: Unit, action: Action) -> None:
    """Raise BadQuestion asking for a destination, as the prompt words it, if the judge needs one."""
    if action.options or "path" not in play_of(battle).kinds[action.kind].needs:
        return
    try:
        engine.judge(battle, action)
    except BadQuestion:
        ways = ["toward NAME", "to x,y", *(["along ROAD"] if roads_of(battle) else [])]
        others = ", ".join(f"'{way}'" for way in ways)
        raise BadQuestion(f"where shall {unit.called} go? '{action.kind} {unit.id} forward 2', {others}") from None
