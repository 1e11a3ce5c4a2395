"""Odds, columns and results: the combat tables read."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.realm_of_chance.tables import printed_odds, tables


def clamped(face: int) -> int:
    """Return a modified die as the tables have it: never under 1 or over 6 (ROC-CBT-11)."""
    return max(1, min(6, face))


def ratio(attack: int, defence: int, ruling: str = "ratio") -> str:
    """Return the odds of attacking strength against defending strength.

    Cut to whole numbers in the defender's favour when the attacker is stronger, in the attacker's when he is weaker,
    at most 7 to 1 (ROC-ODD-01, ROC-ODD-02, ROC-ODD-03). Under the ruling "printed" the printed cell counts where both
    strengths have one.

    >>> ratio(10, 5), ratio(4, 10), ratio(28, 14, "printed")
    ('2:1', '1:2', '1:1')
    """
    if ruling == "printed":
        cell = _printed(attack, defence)
        if cell is not None:
            return cell
    most = int(printed_odds()["cap"])
    if attack >= defence:
        return f"{min(most, attack // max(defence, 1))}:1"
    return f"1:{min(most, defence // max(attack, 1))}"


def _printed(attack: int, defence: int) -> str | None:
    data = printed_odds()
    line = data["defending"].get(str(defence))
    if line is None or attack not in data["attacking"]:
        return None
    return str(line.split()[data["attacking"].index(attack)])


def column(odds: str, up: int, ruling: str = "before-cut") -> str:
    """Return the column of the results table ``up`` steps better than ``odds`` (ROC-ODD-04).

    Shifted on the whole ladder first, then brought to the table's ends; under the ruling "after-cut" the other way
    round.

    >>> column("1:7", 2), column("7:1", 0), column("1:7", 2, "after-cut")
    ('1:5', '6:1', '1:3')
    """
    data = tables()["combat"]
    ladder: Sequence[str] = data["ladder"]
    columns: Sequence[str] = data["columns"]
    low, high = ladder.index(columns[0]), ladder.index(columns[-1])
    start = ladder.index(odds)
    at = (max(low, min(high, start)) if ruling == "after-cut" else start) + up
    return ladder[max(low, min(high, at))]


def result(at: str, face: int) -> str:
    """Return what a die, modifiers in it, gives in a column: "Ar" ... "Dr", "" for nothing (ROC-CBT-11, ROC-CBT-12)."""
    data = tables()["combat"]
    return str(data["results"][clamped(face) - 1][data["columns"].index(at)])


def square_result(status: str, thrown: int) -> str:
    """Return what two dice give cavalry against a square in this state (ROC-SQR-01, ROC-SQR-02, ROC-SQR-03).

    "repelled": the cavalry is disrupted; "broken": the square is; "" nothing.
    """
    data = tables()["square"][status]
    if thrown <= data["repelled"]:
        return "repelled"
    return "broken" if thrown >= data["broken"] else ""


def fire_result(guns: str, distance_band: int, face: int) -> str:
    """Return what a die, modifiers in it, gives at a range band: "Dd", "Dr" or "" (ROC-ART-03)."""
    return str(tables()["artillery"][guns]["results"][clamped(face) - 1][distance_band])
