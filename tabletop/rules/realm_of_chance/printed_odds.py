"""The odds table as printed, copying errors and all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tabletop.rules.ages.combat import odds
from tabletop.rules.common.data import data_of


@cache
def printed() -> Mapping[str, Any]:
    """Return the odds table as printed (ROC-ODD-01, ROC-ODD-02)."""
    return data_of("tabletop.rules.realm_of_chance", "odds.toml")


def ratio(attack: int, defence: int, rulings: Mapping[str, Any]) -> str:
    """Return the odds of two strengths: their ratio or, if so ruled (``odds``), the printed cell if there is one.

    ROC-ODD-02, ROC-ODD-03: strengths that the table does not list go by the ratio.

    >>> ratio(28, 14, {"odds": "ratio"}), ratio(28, 14, {"odds": "printed"})
    ('2:1', '1:1')
    """
    cell = _cell(attack, defence) if rulings["odds"] == "printed" else None
    return cell or odds.ratio(attack, defence, int(printed()["cap"]))


def _cell(attack: int, defence: int) -> str | None:
    line = printed()["defending"].get(str(defence))
    if line is None or attack not in printed()["attacking"]:
        return None
    return str(line.split()[printed()["attacking"].index(attack)])
