"""Lengths in the unit the player chose: the table's own, inches, or centimetres.

All measuring is done in the table's unit; only texts about to be shown are converted, here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from tabletop.battle.lengths import converted

#: The abbreviation of each setting; the table's own unit needs none.
WISHED: Mapping[str, str] = {"inches": "in", "centimetres": "cm"}
#: Words that may follow a length in inches: after others "in" is the preposition (1 in the wood, 5 in 100).
_AFTER = (
    "of|from|to|away|apart|short|wide|deep|across|between|or|and|is|along|ahead|too|by|as|at|into|left|more|beyond|back|long|"
    "bounds|per|for|straight|over|high|north|south|east|west|north-east|north-west|south-east|south-west"
)
_NUMBER = r"(?<![\w.])-?\d+(?:\.\d+)?"
_LENGTH = re.compile(
    rf"(?:({_NUMBER})( of | to | and |-|–))?({_NUMBER})( |\u00a0)(?:(mm|cm)\b|(in)(?=$|[.,;:)\"'<\]]|\s(?:{_AFTER})\b))"
)
_wished = [""]


def wish(units: str) -> None:
    """Show lengths in these units from now on: a setting, ``table`` for each table's own."""
    _wished[0] = WISHED.get(units, "")


def wished() -> str:
    """Return the unit lengths are shown in, empty for each table's own."""
    return _wished[0]


def in_chosen_unit(text: str) -> str:
    """Return a text with its lengths converted to the chosen unit.

    >>> wish("centimetres")
    >>> in_chosen_unit("nearest 6.00 in away, 2 in the wood"), in_chosen_unit("wheels 40 mm")
    ('nearest 15.24 cm away, 2 in the wood', 'wheels 4 cm')
    >>> wish("table")
    >>> in_chosen_unit("nearest 6.00 in away")
    'nearest 6.00 in away'
    """
    return _in_unit(text, _wished[0]) if _wished[0] else text


def length(value: float, unit: str, digits: int = 2) -> str:
    """Return a length given in the table's ``unit`` as text in the chosen unit."""
    wanted = _wished[0] or unit
    return f"{figure(converted(value, unit, wanted), wanted, digits)} {wanted}"


def figure(value: float, unit: str, digits: int = 2) -> str:
    """Return a length's figure in its own unit; millimetres get at most one decimal, and none if it is zero.

    >>> figure(129.74, "mm"), figure(140.0, "mm"), figure(6.0, "in")
    ('129.7', '140', '6.00')
    """
    return f"{value:.1f}".removesuffix(".0") if unit == "mm" else f"{value:.{digits}f}"


@lru_cache(maxsize=2048)
def _in_unit(text: str, wanted: str) -> str:
    return _LENGTH.sub(lambda match: _put(match, wanted), text)


def _put(match: re.Match[str], wanted: str) -> str:
    first, between, second, space, metric, inches = match.groups()
    unit = metric or inches
    if unit == wanted:
        return match.group()
    start = f"{_number(first, unit, wanted)}{between}" if first is not None else ""
    return f"{start}{_number(second, unit, wanted)}{space}{wanted}"


def _number(text: str, unit: str, wanted: str) -> str:
    """Return a figure in another unit with as many decimals, or for a whole number as many as needed (at most two)."""
    value = converted(float(text), unit, wanted)
    places = len(text.partition(".")[2])
    return f"{value:.{places}f}" if places else f"{value:.2f}".rstrip("0").rstrip(".")
