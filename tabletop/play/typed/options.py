"""The options of an action at the prompt: where to go, how far, which way to face, in what formation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import COMPASS, Point, bearing, heading
from tabletop.play import routes
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.requests import number, text_number, text_numbers, text_point, text_waypoint
from tabletop.play.requests import read_options as snapped
from tabletop.play.typed.names import find_place, find_road, find_unit, is_point, several_units
from tabletop.rules import rule_set
from tabletop.rules.asked import COVER_IN_ASSAULT

#: Options that are checked and snapped like those of the judge.
MEASURED = (
    "to", "facing", "path", "front", "ranks", "head", "ref", "place", "shift", "bend", "distance", "from",
    "after", "delayed", "as", "start", "end", "away", COVER_IN_ASSAULT.option,
)  # fmt: skip
#: Points of the compass written out, and their letters.
WINDS = {"north": "N", "east": "E", "south": "S", "west": "W"}
#: Examples of what follows an option, for error messages.
EXAMPLES = {
    "to": "30,20 (or the name of a place)", "path": "30,20 36,24@left", "facing": "180 (or south, or a name)",
    "shift": "0.5,0", "along": "ROAD", "formation": "FORMATION", "with": "UNIT", "bend": "10,0,-10",
    "ranks": "2,1,1", "place": "0", "align": "left", "start": "30,20 (or the name of a place)",
    "end": "30,26 (or the name of a place)", "away": "180 (or south)", "distance": "3",
    "goal": "30,20 (or the name of a place)",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The unit whose options are read, whether its action follows a route, and the words after each option."""

    battle: Battle
    unit: Unit | None
    goes: bool
    words: Mapping[str, Sequence[str]]

    def who(self) -> Unit:
        if self.unit is None:
            raise BadQuestion("who? name a unit first")
        return self.unit


Read = tuple[dict[str, Any], bool]
Reader = Callable[[Asked, str, Sequence[str]], Read]


def read_options(battle: Battle, unit: Unit | None, goes: bool, words: Mapping[str, Sequence[str]]) -> Read:
    """Return options as an action holds them, and whether its route is to be cut to what the rules allow.

    If the action ``goes`` (follows a route), options such as "toward" state the route, else the facing or shift. Raises
    BadQuestion, with the cure, for an option that cannot be read.
    """
    context, options, far = Asked(battle, unit, goes, words), dict[str, Any](), False
    for name, values in words.items():
        read, clipped = QUESTION_OPTIONS[name](context, name, values)
        options |= read
        far = far or clipped
    measured = {key: value for key, value in options.items() if key in MEASURED}
    plain = {**{k: v for k, v in options.items() if k not in MEASURED}, **snapped(measured)}
    if "for" in plain:
        plain["to"] = plain.pop("for")
    return {key: tuple(v) if isinstance(v, list) else v for key, v in plain.items() if v is not None}, far


# --- routes ----------------------------------------------------------------------------------------------------------


def _to(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read a goal: a point to reach exactly, or a named place to get near; without a route, the units addressed."""
    _some(name, words)
    if "along" in asked.words:
        return {}, False
    if asked.goes:
        return {"to": list(find_place(asked.battle, name, words))}, not is_point(words[0])
    if is_point(words[0]):
        raise BadQuestion("this action goes no way: say 'toward NAME', 'facing DEGREES', 'forward 0.5' or 'shift x,y'")
    return _units(asked, "for", words)


def _toward(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read the route straight to a place, of a given length or as long as possible; without a route, a facing."""
    _some(name, words)
    if "along" in asked.words:
        return {}, False
    names, far = _length_last(name, words)
    place = find_place(asked.battle, name, names)
    if not asked.goes:
        return {"facing": _bearing(asked.who(), place)}, False
    return {"path": _listed(routes.toward(asked.who(), place, far))}, far is None


def _straight(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read a route straight on, back or to a side, of a given length or as long as possible; else a shift."""
    turn, unit = routes.DIRECTIONS[name], asked.who()
    if not asked.goes:
        (east, north), step = heading(unit.facing + turn), _far(name, words)
        return {"shift": [step * east, step * north]}, False
    far = _far(name, words) if words else None
    most = asked.battle.table.width + asked.battle.table.height
    return {"path": _listed(routes.straight(unit, turn, most if far is None else far))}, far is None


def _far(name: str, words: Sequence[str]) -> float:
    far = number(name, text_number(name, _one(name, words)))
    if far < 0.0:
        raise BadQuestion(f"'{name}' takes a length, not {far:g}")
    return far


def _along(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read the route on to a road and along it, the way the unit faces or to the point nearest to a place."""
    _some(name, words)
    names, far = _length_last(name, words)
    road = find_road(asked.battle, names)
    goal = next((asked.words[key] for key in ("to", "toward", "towards") if asked.words.get(key)), None)
    place = None if goal is None else find_place(asked.battle, "to", goal)
    return {"path": _listed(routes.along(asked.who(), road, place, far))}, True


def _path(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: [text_waypoint(name, word) for word in _some(name, words)]}, False


def _most(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {}, True


def _listed(points: Sequence[Point]) -> list[list[float]]:
    return [[x, y] for x, y in points]


def _length_last(name: str, words: Sequence[str]) -> tuple[Sequence[str], float | None]:
    """Return the words without the length at their end, and the length, None if there is none."""
    if len(words) < 2 or words[-1][0] not in "0123456789." or is_point(words[-1]):
        return words, None
    return words[:-1], _far(name, words[-1:])


# --- facing and shape ------------------------------------------------------------------------------------------------


def _facing(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read a facing: degrees clockwise from north, a point of the compass, or a place to face."""
    typed = "".join(_some(name, words)).lower().replace("-", "")
    for word, letter in WINDS.items():
        typed = typed.replace(word, letter)
    if typed.upper() in COMPASS:
        return {name: COMPASS.index(typed.upper()) * 22.5}, False
    if words[0][0] in "+-.0123456789" and not is_point(words[0]):
        return {name: text_number(name, _one(name, words))}, False
    return {name: _bearing(asked.who(), find_place(asked.battle, name, words))}, False


def _bearing(unit: Unit, place: Point) -> float:
    return round(bearing(place[0] - unit.at[0], place[1] - unit.at[1]), 2)


def _point(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: text_point(name, _one(name, words))}, False


def _length(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: number(name, text_number(name, _one(name, words)))}, False


def _whole(asked: Asked, name: str, words: Sequence[str]) -> Read:
    value = text_number(name, _one(name, words))
    return {name: int(value) if value == int(value) else value}, False


def _numbers(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: text_numbers(name, _listed_in(name, words))}, False


def _listed_in(name: str, words: Sequence[str]) -> str:
    """Return numbers that were typed with commas, blanks or both between them as one text with commas."""
    return ",".join(part for word in _some(name, words) for part in word.split(",") if part)


def _ticked(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read an option that is on or off, such as "delayed", which for an action the dice decide."""
    if words:
        raise BadQuestion(f"'{name}' takes no word after it")
    return {name: True}, False


def _place(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read a point of the table, or the name of a unit or place for its centre."""
    return {name: list(find_place(asked.battle, name, _some(name, words)))}, False


def _formation(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read a formation of the rule set: its word, part of it, or another word the rule set knows for it."""
    from tabletop.play.engine import play_of

    formations = rule_set.find(asked.battle.rules).vocabulary["formation"]
    typed = "-".join(_some(name, words)).lower()
    aliases = [word for word in play_of(asked.battle).words.get(typed, ()) if word in formations]
    matches = [f for f in formations if f == typed] or aliases or [f for f in formations if f.startswith(typed)]
    matches = matches or [f for f in formations if any(part.startswith(typed) for part in f.split("-"))]
    if not matches:
        raise BadQuestion(f"no formation '{clip(typed)}'; {did_you_mean(typed, formations)}")
    if len(matches) > 1:
        raise BadQuestion(f"formation '{clip(typed)}' could be any of: {', '.join(matches)}")
    return {"formation": matches[0]}, False


# --- others ----------------------------------------------------------------------------------------------------------


def _units(asked: Asked, name: str, words: Sequence[str]) -> Read:
    side = None if asked.unit is None else asked.unit.side
    units = several_units(asked.battle, _some(name, words), side)
    return {name: tuple(unit.id for unit in units)}, False


def _unit(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: find_unit(asked.battle, _some(name, words)).id}, False


def _word(asked: Asked, name: str, words: Sequence[str]) -> Read:
    return {name: _one(name, words).lower()}, False


def _goal(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read where an order is to be carried out: an objective, or else a point or the place of what is named."""
    typed = " ".join(_some(name, words)).lower()
    objectives = asked.battle.setup.objectives
    found = next((o.id for o in objectives if typed in (o.id.lower(), (o.name or o.id).lower())), None)
    return {name: found or find_place(asked.battle, name, words)}, False


def _firing(asked: Asked, name: str, words: Sequence[str]) -> Read:
    """Read "firing": an action with late orders leaves room for a shot."""
    return {"to_fire": True}, False


def _some(name: str, words: Sequence[str]) -> Sequence[str]:
    if not words:
        raise BadQuestion(f"'{name}' wants something after it, such as '{name} {EXAMPLES.get(name, '2')}'")
    return words


def _one(name: str, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise BadQuestion(f"'{name}' takes one word after it, such as '{name} {EXAMPLES.get(name, '2')}'")
    return words[0]


#: Every word that begins an option, with the function that reads what follows it.
OPTIONS: dict[str, Reader] = {
    "to": _to,
    "toward": _toward,
    "towards": _toward,
    **dict.fromkeys(routes.DIRECTIONS, _straight),
    "along": _along,
    "path": _path,
    "max": _most,
    "facing": _facing,
    "shift": _point,
    "front": _whole,
    "ranks": _numbers,
    "ref": _whole,
    "place": _whole,
    "head": _whole,
    "align": _word,
    "as": _word,
    "delayed": _ticked,
    "distance": _length,
    "length": _length,
    "bend": _numbers,
    "formation": _formation,
    "in": _formation,
    "into": _formation,
    "stance": _word,
    "goal": _goal,
    "with": _units,
    "for": _units,
    "from": _unit,
    "after": _unit,
    "firing": _firing,
}
#: The same for a question: with the options that no action has, some of which are verbs of actions.
QUESTION_OPTIONS: dict[str, Reader] = {
    **OPTIONS,
    "start": _place,
    "end": _place,
    "away": _facing,
    COVER_IN_ASSAULT.option: _ticked,
}
