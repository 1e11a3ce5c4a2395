"""Look-ups in the combat tables: odds, columns and results."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.rules.realm_of_chance.tables import printed_odds, tables


def clamped(face: int) -> int:
    """Return a modified die limited to the range of the tables, 1 to 6 (ROC-CBT-11)."""
    return max(1, min(6, face))


def ratio(attack: int, defence: int, ruling: str = "ratio") -> str:
    """Return the odds of attacking strength against defending strength.

    Rounded to whole numbers in favour of the weaker side, at most 7 to 1 (ROC-ODD-01, ROC-ODD-02, ROC-ODD-03). Under
    the ruling "printed" the printed cell counts where both strengths have one.

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

    The shift is made on the whole ladder, then limited to the table's ends; under the ruling "after-cut" the odds are
    limited first.

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
    """Return the result of a modified die in a column: "Ar" ... "Dr", "" for nothing (ROC-CBT-11, ROC-CBT-12)."""
    data = tables()["combat"]
    return str(data["results"][clamped(face) - 1][data["columns"].index(at)])


def square_result(status: str, thrown: int) -> str:
    """Return the result of two dice for cavalry against a square in this state (ROC-SQR-01, ROC-SQR-02, ROC-SQR-03).

    "repelled": the cavalry is disrupted; "broken": the square is; "" nothing.
    """
    data = tables()["square"][status]
    if thrown <= data["repelled"]:
        return "repelled"
    return "broken" if thrown >= data["broken"] else ""


def fire_result(guns: str, distance_band: int, face: int) -> str:
    """Return the result of a modified die at a range band: "Dd", "Dr" or "" (ROC-ART-03)."""
    return str(tables()["artillery"][guns]["results"][clamped(face) - 1][distance_band])
