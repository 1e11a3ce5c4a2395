"""Disorder, demoralization and losses: how a unit's status changes."""

from __future__ import annotations

from typing import Literal

from tabletop.rules.tse.tables import tables

Status = Literal["ok", "disordered", "demoralized"]
Effect = Literal["disorder", "demoralize"]

#: From best to worst (TSE-STS-01).
STATUSES: tuple[Status, ...] = ("ok", "disordered", "demoralized")
#: How many steps each effect worsens a unit's status.
STEPS: dict[Effect, int] = {"disorder": 1, "demoralize": 2}


def worsened(status: Status, effect: Effect) -> Status:
    """Return the status after an effect; a demoralized unit gets no worse (TSE-STS-01..04).

    >>> worsened("disordered", "disorder")
    'demoralized'
    """
    return STATUSES[min(STATUSES.index(status) + STEPS[effect], len(STATUSES) - 1)]


def regrouped(status: Status, full: bool) -> Status:
    """Return the status after a regroup: ok if ``full``, else better by one step (TSE-STS-11)."""
    return "ok" if full else STATUSES[max(STATUSES.index(status) - 1, 0)]


def destroyed(start: int, lost: int) -> bool:
    """Return whether a unit that began with ``start`` bases and lost ``lost`` is destroyed (TSE-STS-06, TSE-STS-07).

    >>> destroyed(8, 3), destroyed(8, 4)
    (False, True)
    """
    share, whole = tables()["losses"]["destroyed"]
    return lost * int(whole) >= start * int(share)


def losses_to_destroy(start: int) -> int:
    """Return how many lost bases destroy a unit that began with ``start`` (TSE-STS-06)."""
    return next(lost for lost in range(start + 1) if destroyed(start, lost))
