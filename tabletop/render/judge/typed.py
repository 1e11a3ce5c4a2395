"""What is typed into a line of the panel, as a value."""

from __future__ import annotations

from typing import Any


def parsed(value: Any) -> float | None:
    """Return a number somebody is typing, None while it is none; a comma counts as a point."""
    text = str(value).strip().replace(",", ".")
    try:
        found = float(text)
    except ValueError:
        return None
    return found if abs(found) < 1e6 else None
