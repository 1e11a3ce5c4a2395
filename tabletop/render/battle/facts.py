"""What is asked of a battle in every frame, found out once for each position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.render.battle import eligible
from tabletop.rules.play import Choice


class Facts:
    """Who is to act in one position, and by what."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._menus: dict[str, Sequence[Choice]] = {}
        self._later: dict[str, tuple[str, ...]] = {}

    @cached_property
    def mover(self) -> str | None:
        return engine.mover(self.battle)

    @cached_property
    def groups(self) -> tuple[eligible.Group, ...]:
        return eligible.groups(self.battle)

    @cached_property
    def ready(self) -> frozenset[str]:
        return eligible.ready(self.battle)

    @cached_property
    def acted(self) -> frozenset[str]:
        return eligible.acted(self.battle)

    @cached_property
    def endings(self) -> tuple[Action, ...]:
        return eligible.endings(self.battle)

    def menu(self, unit: str) -> Sequence[Choice]:
        """Return a unit's menu."""
        if unit not in self._menus:
            self._menus[unit] = eligible.menu(self.battle, unit)
        return self._menus[unit]

    def later(self, unit: str) -> tuple[str, ...]:
        """Return the kinds of action that would be open to a unit once it is its turn."""
        if unit not in self._later:
            self._later[unit] = eligible.later(self.battle, unit)
        return self._later[unit]
