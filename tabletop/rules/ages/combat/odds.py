"""Look-ups in the combat tables: odds, columns and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.rules.ages.tables import Profile, tables


def line_of(profile: Profile, number: int) -> int:
    """Return the row of the results tables for a modified throw (ROC-CBT-11).

    A number below the first row counts as the first, one above the last row as the last.
    """
    return max(0, sum(number >= start for start in profile.starts) - 1)


def ratio(attack: int, defence: int, most: int = 7) -> str:
    """Return the odds of attacking strength against defending strength (ROC-ODD-01, ROC-ODD-02, ROC-ODD-03).

    They are rounded to whole numbers in favour of the weaker side, up to ``most`` to 1.

    >>> ratio(10, 5), ratio(4, 10), ratio(40, 1)
    ('2:1', '1:2', '7:1')
    """
    if attack >= defence:
        return f"{min(most, attack // max(defence, 1))}:1"
    return f"1:{min(most, defence // max(attack, 1))}"


def by_ratio(attack: int, defence: int, rulings: Mapping[str, Any]) -> str:
    """Return the odds of two strengths by their ratio, whatever the rulings (AGE-CBT-07).

    >>> by_ratio(10, 4, {}), by_ratio(4, 10, {})
    ('2:1', '1:2')
    """
    return ratio(attack, defence)


def column(battle: Battle, odds: str, up: int) -> str:
    """Return the column of the results table ``up`` steps better than ``odds`` (ROC-ODD-04).

    The shift is made on the whole ladder, then limited to the table's ends; under the ruling ``columns_shifted``
    "after-cut" the odds are limited first.

    >>> from tabletop.play.files.opened import open_battle
    >>> column(open_battle("drill-ground"), "2:1", 2)
    '4:1'
    """
    data = tables(battle)["combat"]
    ladder: Sequence[str] = data["ladder"]
    columns: Sequence[str] = data["columns"]
    low, high = ladder.index(columns[0]), ladder.index(columns[-1])
    start = ladder.index(odds)
    after = battle.rulings["columns_shifted"] == "after-cut"
    at = (max(low, min(high, start)) if after else start) + up
    return ladder[max(low, min(high, at))]


def result(profile: Profile, at: str, number: int) -> str:
    """Return the result of a modified throw in a column: "Ar" ... "Dr", "" for nothing (ROC-CBT-11, ROC-CBT-12).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.tables import profile_of
    >>> profile = profile_of(open_battle("drill-ground"))
    >>> [result(profile, "2:1", die) for die in range(1, 7)]
    ['Dx', '', '', 'Dx', 'Dd', 'Dd']
    """
    data = profile.tables["combat"]
    return str(data["results"][line_of(profile, number)][data["columns"].index(at)])


def square_result(profile: Profile, status: str, thrown: int) -> str:
    """Return the result of a throw for cavalry against a square in this state (ROC-SQR-01, ROC-SQR-02, ROC-SQR-03).

    "repelled" means the cavalry is disrupted, "broken" that the square is broken, "" that nothing happens.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.tables import profile_of
    >>> profile = profile_of(open_battle("drill-ground"))
    >>> [square_result(profile, "ok", thrown) for thrown in (6, 7, 11)]
    ['repelled', '', 'broken']
    """
    data = profile.tables["square"][status]
    if thrown <= data["repelled"]:
        return "repelled"
    return "broken" if thrown >= data["broken"] else ""


def fire_result(profile: Profile, guns: str, distance_band: int, number: int) -> str:
    """Return the result of a modified throw at a range band (0 is the nearest): "Dd", "Dr" or "" (ROC-ART-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.tables import profile_of
    >>> profile = profile_of(open_battle("drill-ground"))
    >>> [fire_result(profile, "heavy", 0, die) for die in range(1, 7)]
    ['', 'Dd', 'Dd', 'Dr', 'Dr', 'Dr']
    """
    return str(profile.tables["artillery"][guns]["results"][line_of(profile, number)][distance_band])
