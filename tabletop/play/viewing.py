"""Whose knowledge of a battle is shown where its rules hide units. Loaded by every command, so it imports little."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.errors import BadQuestion


@dataclass(frozen=True)
class View:
    """Whose knowledge of a battle is shown: that of ``side``; ``everything``; by default, that of its people."""

    side: str | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        if self.everything and self.side is not None:
            raise BadQuestion("'side' and 'all' exclude each other; leave one out")


#: What the people who play a battle may know.
OF_THE_PEOPLE = View()
