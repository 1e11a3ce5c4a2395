"""Words of the files as they read in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tabletop.battle.unit import Unit

#: Words that, at the end of a name, make it plural.
MANY = frozenset((
    "carabiniers", "chasseurs", "cossacks", "cuirassiers", "dragoons", "fusiliers", "grenadiers", "guards", "guns",
    "highlanders", "hussars", "jagers", "jägers", "lancers", "marchers", "pioneers", "pounders", "rifles", "sappers",
    "tirailleurs", "uhlans", "voltigeurs", "volunteers",
))  # fmt: skip
#: Verbs in the singular, and in the plural.
OF_SEVERAL = {
    "is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "sees": "see", "lies": "lie",
    "stands": "stand", "holds": "hold", "delivers": "deliver", "assaults": "assault", "costs": "cost",
}  # fmt: skip


def capital(text: str) -> str:
    """Return a text with its first letter capitalised, the rest unchanged.

    >>> capital("the Old Guard")
    'The Old Guard'
    """
    return text[:1].upper() + text[1:]


def amid(name: str) -> str:
    """Return a place's name as it reads inside a sentence.

    >>> amid("The crossroads"), amid("Bossu wood")
    ('the crossroads', 'Bossu wood')
    """
    return f"the {name[4:]}" if name.startswith("The ") else name


def how_many(number: float, thing: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1.

    >>> how_many(1, "point"), how_many(2.5, "point"), how_many(0, "base")
    ('1 point', '2.5 points', '0 bases')
    """
    return f"{number:g} {thing}{'' if number == 1 else 's'}"


#: The wording of each way a battle ends. Only its first word and the values after it are recorded, never the sentence.
_ENDINGS: Mapping[str, Callable[..., str]] = {
    "army-broken": lambda first, *others: f"{' and '.join((first, *others))} broke",
    "wiped-out": lambda first, *others: f"{' and '.join((first, *others))} has nobody left",
    "points": lambda more, less: f"{how_many(float(more), 'point')} to {less} at the end of the last turn",
    "lesser-loss": lambda: "the lesser loss at the end of the last turn",
    "even": lambda: "nobody has the better of it at the end of the last turn",
    "last-standing": lambda: "no enemy stands any more",
    "none-standing": lambda: "nobody stands any more",
    "victory": lambda margin, points: f"{margin} victory by {how_many(float(points), 'point')}",
    "ground": lambda: "all the ground of the scenario is held",
    "casualties": lambda margin, points: f"{margin}: {float(points):g} hundredths of an army between the losses",
    "between": lambda points: f"{how_many(float(points), 'point')} between the sides",
}


def ending(how: str) -> str:
    """Return how a battle ended, in words; a sentence recorded by an older program stays as it is.

    >>> ending("army-broken blue red"), ending("points 2 0"), ending("red broke")
    ('blue and red broke', '2 points to 0 at the end of the last turn', 'red broke')
    """
    word, *arguments = how.split(" ")
    try:
        return _ENDINGS[word](*arguments)
    except (KeyError, TypeError, ValueError):
        return how


def several(name: str) -> bool:
    """Return whether a name is plural.

    >>> several("Guard lancers"), several("Rogers's 9-pounders"), several("Lefebvre-Desnouettes")
    (True, True, False)
    """
    return re.split(r"[\s-]", name.casefold())[-1] in MANY


def agreeing(text: str, names: Iterable[str]) -> str:
    """Return a text in which verbs agree with the names before them, or after them in a question.

    >>> agreeing("No. Guard lancers is hidden: Foy is in the way", ["Guard lancers", "Foy"])
    'No. Guard lancers are hidden: Foy is in the way'
    >>> agreeing("Is Guard lancers under command?", ["Guard lancers"])
    'Are Guard lancers under command?'
    """
    plural = [name for name in names if name in text and several(name)]
    if not plural:
        return text
    named = "|".join(re.escape(name) for name in sorted(plural, key=len, reverse=True))
    verbs = "|".join(OF_SEVERAL)
    agreed = re.sub(rf"((?:^|[.:;–] )(?:{named})) ({verbs})\b", lambda m: f"{m[1]} {OF_SEVERAL[m[2]]}", text)
    return re.sub(rf"^((?:What \w+ )?)({verbs}) (?={named})", _asked, agreed, flags=re.IGNORECASE)


def _asked(match: re.Match[str]) -> str:
    verb = OF_SEVERAL[match[2].lower()]
    return f"{match[1]}{capital(verb) if match[2][0].isupper() else verb} "


def plain(word: str) -> str:
    """Return a word of the files as prose.

    >>> plain("maneuver-column")
    'maneuver column'
    """
    return word.replace("-", " ").replace("_", " ")


def state(status: str) -> str:
    """Return a status as it reads after "is": "in good order" if nothing is wrong.

    >>> state("ok"), state("disordered")
    ('in good order', 'disordered')
    """
    return "in good order" if status == "ok" else plain(status)


def in_order(unit: Unit) -> str:
    """Return a unit's status as it reads after "is"."""
    return state(unit.status)


def side_name(side: str | None) -> str:
    """Return a side's name as it begins a sentence: "French"; "Nobody" for None."""
    return "Nobody" if side is None else capital(side)


def without_name(text: str, unit: Unit) -> str:
    """Return a sentence about a unit without the leading name, for places that already show it."""
    return text.removeprefix(f"{unit.called}: ").removeprefix(f"{unit.called} ")
