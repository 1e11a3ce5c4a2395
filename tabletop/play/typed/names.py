"""Finding units, generals, places and roads by what a player types: the beginning of an id, or words of a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import TypeVar

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.play import knowledge
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.requests import number, text_point

Thing = TypeVar("Thing")
#: Small words of a sentence that are never names.
IDLE = frozenset({"the", "a", "an", "at", "against", "by", "and", "on", "of"})
#: Names listed when a word could mean several.
MOST_NAMED = 8


def folded(text: str) -> str:
    """Return a text in lower case without accents, as any keyboard can type it.

    >>> folded("Jérôme's battery")
    "jerome's battery"
    """
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if not unicodedata.combining(c)).lower()


# --- units -----------------------------------------------------------------------------------------------------------


def everybody(battle: Battle) -> tuple[Unit, ...]:
    """Return the units on the table and those still to come."""
    return *battle.units, *battle.awaited


def find_unit(battle: Battle, words: str | Sequence[str], side: str | None = None) -> Unit:
    """Return the unit that one or more words name; BadQuestion if they match no unit, or more than one.

    A full id takes precedence over the beginning of one, and that over words of a name; of several matches, units of
    ``side`` take precedence.
    """
    typed = words if isinstance(words, str) else " ".join(words)
    matches = _meant(battle, typed)
    if len(matches) > 1 and side is not None:
        matches = [unit for unit in matches if unit.side == side] or matches
    if len(matches) == 1:
        return matches[0]
    if matches:
        more = f" and {len(matches) - MOST_NAMED} more" if len(matches) > MOST_NAMED else ""
        names = ", ".join(unit.id for unit in matches[:MOST_NAMED])
        raise BadQuestion(f"'{clip(typed)}' could be any of: {names}{more}")
    raise BadQuestion(_nobody(battle, typed))


def _nobody(battle: Battle, typed: str) -> str:
    fallen = next((f.unit for f in battle.fallen if f.unit.id == typed.lower()), None)
    if fallen is not None:
        return f"{fallen.called} ({fallen.id}) left the table"
    if knowledge.hides_units(battle):
        return knowledge.nothing_known(battle, typed)
    cure = did_you_mean(typed, [u.id for u in everybody(battle)])
    return f"nobody here is called '{clip(typed)}'; {cure}"


def is_unit(battle: Battle, word: str) -> bool:
    """Return whether a word matches one unit or several."""
    return bool(_meant(battle, word))


def _meant(battle: Battle, typed: str) -> list[Unit]:
    """Return the units that the words match best: by id, else by its beginning, else by name."""
    names = ((unit, unit.id, unit.called) for unit in everybody(battle))
    return _fitting(list(names), typed)


def _fitting(named: Sequence[tuple[Thing, str, str]], typed: str) -> list[Thing]:
    words = [word.removesuffix("'s") for word in folded(typed).replace("’", "'").split()]
    if not words:
        return []
    for fits in (_is, _begins, _in_name):
        things = [thing for thing, id_, name in named if fits(id_, name, words)]
        if things:
            return things
    return []


def _is(id_: str, name: str, words: Sequence[str]) -> bool:
    return folded(id_) == "-".join(words) or folded(name) == " ".join(words)


def _begins(id_: str, name: str, words: Sequence[str]) -> bool:
    return folded(id_).startswith("-".join(words))


def _in_name(id_: str, name: str, words: Sequence[str]) -> bool:
    parts = folded(name).replace("'", " ").replace("-", " ").split()
    typed = " ".join(words).replace("-", " ").split()
    return all(any(part.startswith(word) for part in parts) for word in typed)


def two_units(battle: Battle, words: Sequence[str], side: str | None) -> tuple[Unit, Unit | None]:
    """Return an actor, of ``side`` if several match, and the target if the words name another unit.

    Names may have several words: the longest first name that leaves a second one, or nothing, is taken. A reading in
    which a unit of ``side`` acts, alone or against the other side, takes precedence over all others.
    """
    readings = list(_readings(battle, words, side))
    fitting = (pair for pair in readings if pair[0].side == side and (pair[1] is None or pair[1].side != side))
    best = next(fitting, readings[0] if readings else None)
    return best or _actor_and_target(battle, words[:2], 1, side)  # raises the error to show


def _readings(battle: Battle, words: Sequence[str], side: str | None) -> Iterator[tuple[Unit, Unit | None]]:
    for split in range(len(words), 0, -1):
        try:
            yield _actor_and_target(battle, words, split, side)
        except BadQuestion:
            continue


def _actor_and_target(battle: Battle, words: Sequence[str], split: int, side: str | None) -> tuple[Unit, Unit | None]:
    actor, rest = find_unit(battle, words[:split], side), words[split:]
    other = next((unit.side for unit in everybody(battle) if unit.side != actor.side), None)
    return actor, find_unit(battle, rest, other) if rest else None


def several_units(battle: Battle, words: Sequence[str], side: str | None = None) -> tuple[Unit, ...]:
    """Return the units that the words name, one word each."""
    return tuple(find_unit(battle, word.strip(","), side) for word in words)


# --- places ----------------------------------------------------------------------------------------------------------


def is_point(word: str) -> bool:
    """Return whether a word looks like "x,y"."""
    return "," in word and not word.endswith(",")


def find_place(battle: Battle, option: str, words: Sequence[str]) -> Point:
    """Return a point given as "x,y", or the place of an objective, a unit or a piece of terrain of this name.

    BadQuestion, with the nearest name, if there is none.
    """
    if len(words) == 1 and is_point(words[0]):
        x, y = text_point(option, words[0])
        return number(option, x), number(option, y)
    typed = " ".join(words)
    goals = [(o.at, o.id, o.name) for o in battle.setup.objectives]
    units = [(u.at, u.id, u.called) for u in battle.units]
    ground = [(piece, piece.id, piece.name) for piece in battle.table.terrain]
    points = _fitting(goals, typed) or _fitting(units, typed) or [_middle(p) for p in _fitting(ground, typed)[:1]]
    if points:
        return points[0]
    names = [id_ for _, id_, _ in (*goals, *units, *ground)]
    raise BadQuestion(f"no place '{clip(typed)}' for '{option}'; {did_you_mean(typed, names)} (or give x,y)")


def _middle(piece: Terrain) -> Point:
    """Return the centroid of a piece, or the point half-way along a line."""
    point = piece.shape.centroid if piece.line is None else piece.line.interpolate(0.5, normalized=True)
    return point.x, point.y


def roads_of(battle: Battle) -> list[Terrain]:
    """Return the roads, tracks and other lines on a table that a unit may go along."""
    return [piece for piece in battle.table.terrain if piece.line is not None]


def find_road(battle: Battle, words: Sequence[str]) -> Terrain:
    """Return the road, track or other line of this name; BadQuestion, with the nearest, if there is none."""
    lines = roads_of(battle)
    matches = _fitting([(piece, piece.id, piece.name) for piece in lines], " ".join(words))
    if matches:
        return matches[0]
    ids = [piece.id for piece in lines]
    raise BadQuestion(f"no road '{clip(' '.join(words))}' to go along; {did_you_mean(' '.join(words), ids)}")
