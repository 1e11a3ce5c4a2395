"""What panels are told to show besides texts: keys to press, and a page laid over the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A button: the word it sends, its label, and what it does (with its key)."""

    word: str
    label: str
    hint: str


@dataclass(frozen=True)
class Leaf:
    """A page laid over the table until it is put away: a title, a text (html), and keys under it."""

    title: str
    html: str
    keys: tuple[Key, ...] = ()
