"""Reading the options of a question from plain data (a line of a batch, the words of a command)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point, snap_facing, snap_point
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules import rule_set
from tabletop.rules.asked import COVER_IN_ASSAULT

#: A length or coordinate beyond this, in table units, is a typing error.
FARTHEST = 20_000.0
MOST_WAYPOINTS = 200
MOST_BASES = 100
_DECIMAL_COMMA = re.compile(r"[+-]?\d{1,9},\d{1,9}")
#: Text that may be a length below 1 with a decimal comma, or a length of 0 and an angle.
_BELOW_ONE = re.compile(r"0+,(\d{1,9})")


def read_options(given: Any) -> dict[str, Any]:
    """Return options as a question takes them; BadQuestion, naming option and cure, if one cannot be read."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadQuestion(f'options must be a block of names, such as {{"to": [30, 20]}}, not {clip(given)}')
    options = {}
    for name, value in given.items():
        if name not in _READERS:
            raise BadQuestion(f"no option '{clip(name)}'; {did_you_mean(str(name), _READERS)}")
        if value is not None:
            options[name] = _READERS[name](name, value)
    if options.get("path") and not any(len(point) == 3 for point in options["path"]):
        return options
    return _pivots_apart(options) if options.get("path") else options


def _pivots_apart(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the waypoints' pivots under a separate key."""
    path = options["path"]
    pivots = [point[2] if len(point) == 3 else "middle" for point in path]
    return {**options, "path": [(point[0], point[1]) for point in path], "pivots": pivots}


def check_units(battle: Battle, names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise BadQuestion if a question under rules that hide units names one that is not known."""
    asked = (*names, *(options[key] for key in ("from", "after") if options.get(key) is not None))
    unknown = next((name for name in asked if not battle.has(name)), None)
    if unknown is None:
        return
    from tabletop.play import knowledge  # loaded late: it takes long, and few questions need it

    if knowledge.hides_units(battle):
        raise BadQuestion(knowledge.nothing_known(battle, unknown))


def with_rulings(battle: Battle, chosen: Mapping[str, Any]) -> Battle:
    """Return the battle judged with some rulings changed; BadQuestion for one that does not exist."""
    if not chosen:
        return battle
    if "scale" in chosen and chosen["scale"] != battle.rulings.get("scale"):
        raise BadQuestion("ruling 'scale' belongs to the table: set it in the scene's 'rulings'")
    rule_set.find(battle.rules).ruling_values(chosen)
    for name, value in chosen.items():
        battle = battle.with_ruling(name, value)
    return battle


def number(name: str, value: Any) -> float:
    """Return the value as a number of plausible size; BadQuestion otherwise."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadQuestion(f"option '{name}' must be a number, not {clip(repr(value))}")
    if not -FARTHEST <= value <= FARTHEST:
        raise BadQuestion(f"option '{name}': {clip(value)} is out of bounds; it must lie within {FARTHEST:g} of 0")
    return float(value)


def _degrees(name: str, value: Any) -> float:
    return snap_facing(number(name, value))


def _length(name: str, value: Any) -> float:
    length = number(name, value)
    if length < 0.0:
        raise BadQuestion(f"option '{name}': {length:g} is negative; give a length")
    return length


def _pair(name: str, value: Any) -> Point:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise BadQuestion(f"option '{name}' must be two numbers, such as 30,20; not {clip(value)}")
    return number(name, value[0]), number(name, value[1])


def _point(name: str, value: Any) -> Point:
    return snap_point(_pair(name, value))


def _waypoint(name: str, value: Any) -> Any:
    """Return a waypoint: [x, y], [x, y, "left"], or "x,y@left"."""
    if isinstance(value, str):
        value = text_waypoint(name, value)
    if isinstance(value, Sequence) and len(value) == 3:
        from tabletop.geometry.movement.motion import PIVOTS

        if value[2] not in PIVOTS:
            raise BadQuestion(f"option '{name}': no pivot {clip(repr(value[2]))}; one of: {', '.join(PIVOTS)}")
        return (*_point(name, value[:2]), value[2])
    return _point(name, value)


def _path(name: str, value: Any) -> list[Any]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise BadQuestion(f"option '{name}' must be a list of points, such as 30,20 30,26; not {clip(value)}")
    if len(value) > MOST_WAYPOINTS:
        raise BadQuestion(f"option '{name}' has {len(value)} points; the most is {MOST_WAYPOINTS}")
    return [_waypoint(name, point) for point in value]


def _error(name: str, value: Any) -> tuple[float, float]:
    inches, degrees = _pair(name, value)
    if inches < 0.0 or degrees < 0.0 or degrees > 180.0:
        raise BadQuestion(f"option '{name}' is a length and an angle, such as 0.125,2; not {inches:g},{degrees:g}")
    return inches, degrees


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1000:
        raise BadQuestion(f"option '{name}' must be a whole number from 0, not {clip(repr(value))}")
    return value


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadQuestion(f"option '{name}' must be true or false, not {clip(repr(value))}")
    return value


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise BadQuestion(f"option '{name}' must be a word, not {clip(repr(value))}")
    return value


def _rulings(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BadQuestion(f"option '{name}' must be a block of rulings, not {clip(value)}")
    return {str(key): item for key, item in value.items()}


def _sizes(name: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not 1 <= len(value) <= MOST_BASES:
        raise BadQuestion(f"option '{name}' must be whole numbers, such as 2,1,1; not {clip(value)}")
    return tuple(_whole(name, size) for size in value)


def _angles(name: str, value: Any) -> tuple[float, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not 1 <= len(value) <= MOST_BASES:
        raise BadQuestion(f"option '{name}' must be one angle for each base, such as 10,0,-10; not {clip(value)}")
    return tuple(round(number(name, angle) * 64.0) / 64.0 for angle in value)


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "to": _point,
    "start": _point,
    "end": _point,
    "facing": _degrees,
    "path": _path,
    "as": _word,
    "from": _word,
    "after": _word,
    "distance": _length,
    COVER_IN_ASSAULT.option: _truth,
    "away": _degrees,
    "front": _whole,
    "head": _whole,
    "ref": _whole,
    "place": _whole,
    "shift": _point,
    "bend": _angles,
    "ranks": _sizes,
    "delayed": _truth,
    "error": _error,
    "margin": _truth,
    "tape": _length,
    "rulings": _rulings,
}


def text_point(name: str, text: str) -> list[float]:
    """Return "x,y" as two numbers; BadQuestion otherwise."""
    parts = text.split(",")
    if len(parts) != 2:
        cure = "; decimals are written with a point: 1.5,2, not 1,5,2" if len(parts) in (3, 4) else ""
        raise BadQuestion(f"option '{name}' must be two numbers with a comma, such as 30,20; not '{clip(text)}'{cure}")
    return [text_number(name, part) for part in parts]


def text_error(text: str) -> list[float]:
    """Return "0.125,2", a length and an angle, as two numbers; BadQuestion otherwise, and for an ambiguous "0,125"."""
    below_one = _BELOW_ONE.fullmatch(text.strip())
    if below_one:
        digits = below_one[1]
        raise BadQuestion(
            f"option 'error': decimals are written with a point: write 0.{digits},2 (a length and an angle), "
            f"not {text.strip()}; for an angle alone write 0.0,{digits}"
        )
    return text_point("error", text)


def text_numbers(name: str, text: str) -> list[float]:
    """Return "10,0,-10" as numbers, with whole ones as int; BadQuestion otherwise."""
    numbers = [text_number(name, part) for part in text.split(",")]
    return [int(value) if value == int(value) else value for value in numbers]


def text_waypoint(name: str, text: str) -> list[Any]:
    """Return "x,y" as two numbers, "x,y@left" with the pivot after them; BadQuestion otherwise."""
    place, at, pivot = text.partition("@")
    return [*text_point(name, place), pivot.strip().lower()] if at else text_point(name, place)


def text_number(name: str, text: str) -> float:
    """Return a number written as text; BadQuestion otherwise."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if _DECIMAL_COMMA.fullmatch(text.strip()):
        point = text.strip().replace(",", ".")
        raise BadQuestion(f"option '{name}': decimals are written with a point: write {point}, not {text.strip()}")
    if not math.isfinite(value):
        raise BadQuestion(f"option '{name}' must be a number, not '{clip(text)}'")
    return value


def text_ruling(text: str) -> tuple[str, Any]:
    """Return "name=value" as a ruling's name and value; BadQuestion otherwise."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise BadQuestion(f"a ruling is chosen as name=value, such as thin_wood_transparent=true; not '{clip(text)}'")
    words = {"true": True, "false": False}
    if value.lower() in words:
        return name, words[value.lower()]
    return name, int(value) if value.lstrip("-").isascii() and value.lstrip("-").isdigit() and len(
        value
    ) < 10 else value
