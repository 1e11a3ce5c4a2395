"""Parsing the text typed in an entry of the panel."""

from __future__ import annotations

from typing import Any


def parsed(value: Any) -> float | None:
    """Return a typed number, None while it is not one; a comma counts as a decimal point."""
    text = str(value).strip().replace(",", ".")
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < 1e6 else None
