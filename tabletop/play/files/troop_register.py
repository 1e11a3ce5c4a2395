"""The words and numbers that a rule set's muster accepts for its troops, found by trying it.

A palette uses it to offer, for each kind of troops of any rule set, exactly the values that a file may have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from tabletop.battle.unit import Unit
from tabletop.rules import rule_set
from tabletop.rules.rule_set import MusterError, RuleSet

#: More bases than any unit has.
MOST_BASES = 40
#: Keys that belong to a formation, or to a number of bases, and are dropped with it.
OF_FORMATION = ("front", "bend", "track", "reference")
#: The usual number of bases of a new unit, if its troops may have that many.
USUAL = 4
Row = Mapping[str, Any]


def mustered(rules: RuleSet, rulings: Row, row: Row) -> Unit | MusterError:
    """Return the unit of a row, or the error that refuses it."""
    try:
        return rules.muster({key: value for key, value in row.items() if key != "notes"}, rulings)
    except MusterError as error:
        return error


def refusal(rules: RuleSet, rulings: Row, row: Row) -> str | None:
    """Return, in one line, why the rules refuse a row; None if they accept it."""
    result = mustered(rules, rulings, row)
    return None if isinstance(result, Unit) else f"{result.key}: {result}"


@cache
def new_row(rules_name: str, troop: str, scale: int = 1) -> Row:
    """Return the simplest row for some troops, without id, side and place (``at``; troops with a facing face north).

    Raises KeyError if the rules accept no row for these troops.
    """
    rules = rule_set.find(rules_name)
    rulings = _at_scale(rules, scale)
    for row in _tries(rules, troop):
        if isinstance(mustered(rules, rulings, {**_SOMEWHERE, **row}), Unit):
            return row
    raise KeyError(troop)


_SOMEWHERE = {"id": "new", "side": "new", "at": (0.0, 0.0)}


def _at_scale(rules: RuleSet, scale: int) -> dict[str, Any]:
    return rules.ruling_values({"scale": scale} if "scale" in rules.rulings else None)


def _tries(rules: RuleSet, troop: str) -> Iterator[Row]:
    """Yield rows to try: first one with the troop alone (a general), then all formations, base counts and qualities."""
    yield {"troop": troop}
    counts = sorted(range(1, MOST_BASES + 1), key=lambda n: (abs(n - USUAL), n))
    formations = rules.vocabulary["formation"]
    qualities = [{}, *({"quality": word} for word in _usual_first(rules))]
    for n, formation, quality in product(counts, formations, qualities):
        yield {"troop": troop, "bases": n, "formation": formation, "facing": 0.0, **quality}


def _usual_first(rules: RuleSet) -> list[str]:
    words = rules.vocabulary.get("quality", ())
    return sorted(words, key=lambda word: word != rules.looks.usual.get("quality"))


def words_for(rules: RuleSet, rulings: Row, row: Row, key: str) -> tuple[str, ...]:
    """Return the words a row may have under ``key``; none if the key does not apply to its troops."""
    words = rules.vocabulary.get(key, ())
    return tuple(word for word in words if isinstance(mustered(rules, rulings, changed(row, key, word)), Unit))


def counts_for(rules: RuleSet, rulings: Row, row: Row) -> tuple[int, ...]:
    """Return how many bases a row's troops may have in its formation; none for those without bases (a general)."""
    if "bases" not in row:
        return ()
    tries = (changed(row, "bases", n) for n in range(1, MOST_BASES + 1))
    return tuple(t["bases"] for t in tries if isinstance(mustered(rules, rulings, t), Unit))


def fronts_for(rules: RuleSet, rulings: Row, row: Row) -> tuple[int, ...]:
    """Return how many bases wide the front rank may be; none if it makes no difference."""
    layouts = {}
    for n in range(1, int(row.get("bases", 0)) + 1):
        unit = mustered(rules, rulings, {**row, "front": n})
        if isinstance(unit, Unit):
            layouts[n] = unit.bases
    return tuple(layouts) if len(set(layouts.values())) > 1 else ()


def changed(row: Row, key: str, value: Any) -> Row:
    """Return a row with one value changed, and without keys that belonged to the old formation or number of bases.

    A unit placed by its track is placed at the head of it if the track is dropped.
    """
    dropped = OF_FORMATION if key in ("formation", "bases", "troop") else ()
    changed_row = {k: v for k, v in row.items() if k not in dropped}
    if "track" in row and "track" not in changed_row and not {"at", "front_mid"} & set(changed_row):
        changed_row["front_mid"] = row["track"][0]
    if value is None or value == "":
        return {k: v for k, v in changed_row.items() if k != key}
    return {**changed_row, key: value}
