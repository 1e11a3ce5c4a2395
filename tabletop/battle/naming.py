"""The words of the files as they stand in a sentence."""

from __future__ import annotations

from tabletop.battle.unit import Unit


def capital(text: str) -> str:
    """Return a text with its first letter a capital, the rest as it is.

    >>> capital("the Old Guard")
    'The Old Guard'
    """
    return text[:1].upper() + text[1:]


def amid(name: str) -> str:
    """Return a place's name as it stands amid a sentence.

    >>> amid("The crossroads"), amid("Bossu wood")
    ('the crossroads', 'Bossu wood')
    """
    return f"the {name[4:]}" if name.startswith("The ") else name


def how_many(number: float, thing: str) -> str:
    """Return a number of things in words as they are said of one or of several.

    >>> how_many(1, "point"), how_many(2.5, "point"), how_many(0, "base")
    ('1 point', '2.5 points', '0 bases')
    """
    return f"{number:g} {thing}{'' if number == 1 else 's'}"


def plain(word: str) -> str:
    """Return a word of the files as it is said.

    >>> plain("maneuver-column")
    'maneuver column'
    """
    return word.replace("-", " ").replace("_", " ")


def state(status: str) -> str:
    """Return a status as it is said after "is": "in good order" where nothing is wrong.

    >>> state("ok"), state("disordered")
    ('in good order', 'disordered')
    """
    return "in good order" if status == "ok" else plain(status)


def in_order(unit: Unit) -> str:
    """Return a unit's status as it is said after "is"."""
    return state(unit.status)


def side_name(side: str | None) -> str:
    """Return a side as it begins a sentence: "French"; nobody's name where there is none."""
    return "Nobody" if side is None else capital(side)


def without_name(text: str, unit: Unit) -> str:
    """Return what is said of a unit without its name at the head, for where the name stands already."""
    return text.removeprefix(f"{unit.called}: ").removeprefix(f"{unit.called} ")
