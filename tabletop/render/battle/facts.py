"""Facts about a battle that every frame needs, computed once for each position."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import side_name
from tabletop.errors import TabletopError
from tabletop.play import engine
from tabletop.render.battle import eligible
from tabletop.rules.play import Choice


class Facts:
    """Who may act in one position, and how; ``computers`` are the sides no person plays."""

    def __init__(self, battle: Battle, computers: Collection[str] = ()) -> None:
        self.battle, self.computers = battle, frozenset(computers)
        self._menus: dict[str, Sequence[Choice]] = {}
        self._plain: dict[tuple[str | None, str], Action | None] = {}
        self._later: dict[str, tuple[str, ...]] = {}

    @cached_property
    def mover(self) -> str | None:
        return engine.mover(self.battle)

    @cached_property
    def human_turn(self) -> bool:
        """True when a person must act or answer."""
        return self.mover is not None and self.mover not in self.computers

    @property
    def whose(self) -> str:
        """The side that must act or answer, as it begins a sentence."""
        return side_name(self.mover)

    @cached_property
    def groups(self) -> tuple[eligible.Group, ...]:
        return eligible.groups(self.battle)

    @cached_property
    def only_group(self) -> Action | None:
        return eligible.only_group(self.battle)

    @cached_property
    def ready(self) -> frozenset[str]:
        return eligible.ready(self.battle)

    @cached_property
    def acted(self) -> frozenset[str]:
        return eligible.acted(self.battle)

    @cached_property
    def endings(self) -> tuple[Action, ...]:
        return eligible.endings(self.battle)

    def next_ready(self, name: str | None, back: bool = False) -> str | None:
        """Return the next unit that may act after this one, by name and starting over at the end; None without any."""
        names = sorted(self.ready)
        if not names:
            return None
        if name is None:
            return names[-1 if back else 0]
        if back:
            return next((n for n in reversed(names) if n < name), names[-1])
        return next((n for n in names if n > name), names[0])

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

    def plain(self, actor: str | None, kind: str) -> Action | None:
        """Return an action without options if the actor may do it; the verdict is cached."""
        key = (actor, kind)
        if key not in self._plain:
            self._plain[key] = self._judged_plain(actor, kind)
        return self._plain[key]

    def _judged_plain(self, actor: str | None, kind: str) -> Action | None:
        unit = self.battle.anyone(actor) if actor else None
        if unit is None or eligible.aimed(self.battle, kind):
            return None
        action = Action(kind, unit.side, unit.id)
        try:
            return action if engine.judge(self.battle, action).holds else None
        except TabletopError:
            return None
