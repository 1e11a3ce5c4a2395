"""Whom a player means: units by id, by the beginning of an id, or by a word of their name."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.play.words import clip, did_you_mean

#: Small words of a sentence that name nobody.
IDLE = frozenset({"the", "a", "at", "with", "by", "and", "on", "of"})


def called(unit: Unit) -> str:
    """Return what a unit is called."""
    return unit.name or unit.id


def find_unit(battle: Battle, word: str, pool: Iterable[Unit] | None = None) -> Unit:
    """Return the unit a word means; BadQuestion when it means nobody, or more than one."""
    units = list((*battle.units, *battle.awaited) if pool is None else pool)
    for matches in (_exact, _beginning, _in_name):
        found = [unit for unit in units if matches(unit, word.lower())]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(unit.id for unit in found[:8])
            raise BadQuestion(f"'{clip(word)}' could be any of: {names}")
    raise BadQuestion(f"nobody here is called '{clip(word)}'; {did_you_mean(word, [u.id for u in units])}")


def is_unit(battle: Battle, word: str) -> bool:
    """Return whether a word means somebody, one or several."""
    units = (*battle.units, *battle.awaited)
    return any(matches(u, word.lower()) for u in units for matches in (_exact, _beginning, _in_name))


def _exact(unit: Unit, word: str) -> bool:
    return unit.id.lower() == word


def _beginning(unit: Unit, word: str) -> bool:
    return unit.id.lower().startswith(word)


def _in_name(unit: Unit, word: str) -> bool:
    return any(part.startswith(word) for part in called(unit).lower().replace("'", " ").split())
