"""What panels show besides texts: keys to press, and a page laid over the panel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A button: the word it sends, its label, and its action with its key."""

    word: str
    label: str
    hint: str


@dataclass(frozen=True)
class PanelPage:
    """A page laid over the panel until it is closed: a title, a text (html), and keys below."""

    title: str
    html: str
    keys: tuple[Key, ...] = ()
