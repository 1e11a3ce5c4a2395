"""What was last refused, and how much of it would be allowed."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.render.battle import eligible
from tabletop.render.battle.errand import NearestErrand
from tabletop.render.battle.told import TellingDesk


@dataclass(frozen=True)
class Tried:
    """A move that was refused: the action, the judge's word, the unit where it would have stood (None: unknown)."""

    action: Action
    verdict: Verdict
    ghost: Unit | None


@dataclass(kw_only=True)
class RefusingDesk(TellingDesk):
    """A table that remembers what was refused: ``refused`` is why the last action could not be done."""

    refused: Verdict | None = None
    _tried: Tried | None = None

    @property
    def tried(self) -> Tried | None:
        """The move just refused, None once something else is shown."""
        return self._tried if self._tried is not None and self._tried.verdict is self.refused else None

    @property
    def nearest(self) -> Verdict | None:
        """The judge's word on the nearest to it that is allowed, None until it is known, or where there is none."""
        return self.verdict("nearest") if self.tried is not None else None

    def _keep(self, tried: Tried | None) -> None:
        """Keep in sight what was refused, and ask how much of its way is allowed."""
        self._tried = tried
        if tried is not None and "path" in eligible.kind_of(self.battle, tried.action.kind).needs:
            names = (str(tried.action.unit),)
            self.quick.put(NearestErrand(("nearest",), "move", names, {}, rank=0, action=tried.action))
