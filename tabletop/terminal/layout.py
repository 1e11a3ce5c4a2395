"""Layout of text at the prompt: lines of eighty columns, counts, percentages and bars."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

#: Columns of a screen.
WIDTH = 80
#: Characters of the longest bar.
BAR = 20


def paragraph(text: str, indent: str = "", hang: str = "  ") -> str:
    """Return a text broken into lines of the screen's width; ``hang`` is the extra indent of all but the first."""
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + hang, break_long_words=True,
        break_on_hyphens=False,
    )  # fmt: skip


def paragraphs(lines: Iterable[str], indent: str = "  ", hang: str = "  ") -> list[str]:
    return [paragraph(line, indent, hang) for line in lines]


def count(number: int, thing: str) -> str:
    """Return a number with its noun.

    >>> count(1, "base"), count(3, "base")
    ('1 base', '3 bases')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """Return a share of 1 in percent, in six columns; a positive share never reads as zero.

    >>> percent(0.5), percent(0.0001), percent(0.0)
    (' 50.0%', ' <0.1%', '  0.0%')
    """
    return " <0.1%" if 0.0 < share < 0.0005 else f"{share:6.1%}"


def bar(share: float) -> str:
    return "#" * round(BAR * share)
