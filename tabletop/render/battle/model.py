"""The state of a battle as a player handles it, beside the table's own: who is to act, by what, what is shown of it.

Pure: nothing is judged, asked or drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.render.events.log_lines import Line
from tabletop.rules.play import Odds

#: Ways a move goes that is not drawn point by point.
STRAIGHT, CHEAPEST, ROAD = "straight", "the cheapest way", "along the road"


@dataclass(frozen=True)
class Grab:
    """What is held of a unit that forms up where it stands: "shift", "turn" or, of base number ``base``, "bend"."""

    what: str
    at: Point
    base: int = 0
    facing: float = 0.0


@dataclass(frozen=True)
class Tried:
    """A move that was refused: the action, the judge's word, the unit where it would have stood (None: unknown)."""

    action: Action
    verdict: Verdict
    ghost: Unit | None


@dataclass(frozen=True)
class Proposal:
    """An allowed action whose odds are shown until it is confirmed or laid aside, and the judge's word on it."""

    action: Action
    odds: Odds
    verdict: Verdict


@dataclass(frozen=True)
class BattleModel:
    """What is chosen, set, proposed and refused.

    ``actor`` is the unit whose menu is open, on the table or not; ``picked`` the kind of action chosen for it;
    ``shape`` the options set by hand; ``way`` how a move goes that is not drawn. ``refused`` is why the last action
    could not be done, ``last_refused`` the move it was; ``between`` are actions to choose from, ``suggested`` those
    thought out for the actor, None while they are. ``handed`` is the position at which the screen was last handed over.
    """

    actor: str | None = None
    picked: str | None = None
    shape: Mapping[str, Any] = field(default_factory=dict)
    way: str = STRAIGHT
    grabbed: Grab | None = None
    refused: Verdict | None = None
    last_refused: Tried | None = None
    proposal: Proposal | None = None
    between: tuple[Action, ...] = ()
    suggested: tuple[Action, ...] | None = ()
    looked_at: Line | None = None
    banner_away: bool = False
    handed: int = -1

    @property
    def tried(self) -> Tried | None:
        """The move just refused, None once something else is shown."""
        last = self.last_refused
        return last if last is not None and last.verdict is self.refused else None


# --- commands --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayAside:
    """Lay aside what was proposed, refused, picked, set and looked at."""


@dataclass(frozen=True)
class Propose:
    """Show an allowed action with its odds."""

    proposal: Proposal


@dataclass(frozen=True)
class Refuse:
    """Show why an action may not be done, and what may be done in its place."""

    verdict: Verdict | None
    instead: tuple[Action, ...] = ()


@dataclass(frozen=True)
class PutAwayRefusal:
    """Show no longer what was refused."""


@dataclass(frozen=True)
class LookAt:
    """Show where a line of the log was; the same again, no longer."""

    line: Line


Command = LayAside | Propose | Refuse | PutAwayRefusal | LookAt


def update(model: BattleModel, command: Command) -> BattleModel:
    """Return what is chosen after a command."""
    match command:
        case LayAside():
            return BattleModel(
                model.actor, way=model.way, last_refused=model.last_refused, suggested=model.suggested,
                banner_away=model.banner_away, handed=model.handed,
            )  # fmt: skip
        case Propose(proposal):
            return replace(model, proposal=proposal, refused=None)
        case Refuse(verdict, instead):
            return replace(model, refused=verdict, between=instead)
        case PutAwayRefusal():
            return replace(model, refused=None, between=())
        case LookAt(line):
            return replace(model, looked_at=None if line == model.looked_at else line)
