"""Distinct numbers or rows of an array: like ``np.unique``, but faster for many short arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def distinct(values: Array) -> Array:
    """Return the distinct ``values`` in ascending order.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values, axis=None)
    return ordered[_first(ordered[1:] != ordered[:-1], len(ordered))]


def distinct_rows(rows: Array) -> Array:
    """Return the distinct rows of (n, k) ``rows``, in lexicographic order."""
    return rows[first_rows(rows)]


def first_rows(rows: Array) -> Array:
    """Return the index of the first occurrence of each distinct row of (n, k) ``rows``, in lexicographic order."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    return order[_first((ordered[1:] != ordered[:-1]).any(axis=1), len(ordered))]


def _first(differs: Array, n: int) -> Array:
    """Return a mask of n sorted entries, True for the first of each run of equals; ``differs`` (n - 1,) compares
    neighbours."""
    keep = np.ones(n, bool)
    keep[1:] = differs
    return keep
