"""The distinct numbers or rows of an array: what ``np.unique`` gives, of short arrays asked about by the thousand."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def distinct(values: Array) -> Array:
    """Return the distinct ``values``, in order.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    found = np.sort(values, axis=None)
    return found[_first(found[1:] != found[:-1], len(found))]


def distinct_rows(rows: Array) -> Array:
    """Return the distinct ones of (n, k) ``rows``, in order of the first column, then of the second and so on."""
    return rows[first_rows(rows)]


def first_rows(rows: Array) -> Array:
    """Return the numbers of the first of each kind of (n, k) ``rows``, in the same order."""
    order = np.lexsort(rows.T[::-1])
    found = rows[order]
    return order[_first((found[1:] != found[:-1]).any(axis=1), len(found))]


def _first(differs: Array, n: int) -> Array:
    """Return which of n in order are the first of their kind, by which differ from the one before."""
    keep = np.ones(n, bool)
    keep[1:] = differs
    return keep
