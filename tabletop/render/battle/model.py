"""The state of a battle as a player handles it, beside the table's own: who is to act, by what, what is shown of it.

Pure: nothing is judged, asked or drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.coach import Finding
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
    """An allowed action whose odds are shown until it is confirmed or laid aside, and the judge's word on it.

    ``odds`` are None where nothing is left to chance: it waits for the coach alone. ``findings`` are what the coach
    found of it, ``warning`` the one said.
    """

    action: Action
    odds: Odds | None
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    warning: Finding | None = None


@dataclass(frozen=True)
class BattleModel:
    """What is chosen, set, proposed and refused.

    ``actor`` is the unit whose menu is open, on the table or not; ``picked`` the kind of action chosen for it;
    ``shape`` the options set by hand; ``way`` how a move goes that is not drawn. ``refused`` is why the last action
    could not be done, ``last_refused`` the move it was; ``between`` are actions to choose from, ``suggested`` those
    thought out for the actor, None while they are. ``handed`` is the position at which the screen was last handed over;
    ``recap`` whether the computer's last moves are shown, None: until the next order.
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
    recap: bool | None = None

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


@dataclass(frozen=True)
class TurnTo:
    """Open the menu of a unit, on the table or still to come, or of none."""

    actor: str | None


@dataclass(frozen=True)
class Pick:
    """Choose a kind of action for the actor, or none."""

    kind: str | None


@dataclass(frozen=True)
class SetShape:
    """Set the options of the action in hand."""

    options: Mapping[str, Any]


@dataclass(frozen=True)
class GoBy:
    """Let moves go straight, by the cheapest way, or along the road."""

    way: str


@dataclass(frozen=True)
class TakeHold:
    """Take hold of a part of the unit in hand, or let go of it."""

    grab: Grab | None


@dataclass(frozen=True)
class OfferBetween:
    """Let the player choose between actions."""

    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Suggest:
    """Show what is suggested for the actor; None: it is being thought out."""

    actions: tuple[Action, ...] | None


@dataclass(frozen=True)
class SayRefused:
    """Show why the last action could not be done, with the move it was if it can be shown."""

    verdict: Verdict | None
    tried: Tried | None = None


@dataclass(frozen=True)
class PutAwayBanner:
    """Show the table of an ended battle instead of the banner over it, or the banner again."""

    away: bool = True


@dataclass(frozen=True)
class HandOver:
    """The player who is asked in this position sits at the screen now."""

    version: int


@dataclass(frozen=True)
class ShowRecap:
    """Show the computer's last moves, or no longer; None: until the next order."""

    on: bool | None


Command = (
    LayAside | Propose | Refuse | PutAwayRefusal | LookAt | TurnTo | Pick | SetShape | GoBy | TakeHold | OfferBetween
    | Suggest | SayRefused | PutAwayBanner | HandOver | ShowRecap
)  # fmt: skip


def update(model: BattleModel, command: Command) -> BattleModel:
    """Return what is chosen after a command."""
    return _UPDATES[type(command)](model, command)


def _lay_aside(model: BattleModel, _: LayAside) -> BattleModel:
    return BattleModel(
        model.actor, way=model.way, last_refused=model.last_refused, suggested=model.suggested,
        banner_away=model.banner_away, handed=model.handed, recap=model.recap,
    )  # fmt: skip


_UPDATES: Mapping[type, Callable[[BattleModel, Any], BattleModel]] = {
    LayAside: _lay_aside,
    Propose: lambda m, c: replace(m, proposal=c.proposal, refused=None),
    Refuse: lambda m, c: replace(m, refused=c.verdict, between=c.instead),
    PutAwayRefusal: lambda m, _: replace(m, refused=None, between=()),
    LookAt: lambda m, c: replace(m, looked_at=None if c.line == m.looked_at else c.line),
    TurnTo: lambda m, c: replace(m, actor=c.actor),
    Pick: lambda m, c: replace(m, picked=c.kind),
    SetShape: lambda m, c: replace(m, shape=c.options),
    GoBy: lambda m, c: replace(m, way=c.way),
    TakeHold: lambda m, c: replace(m, grabbed=c.grab),
    OfferBetween: lambda m, c: replace(m, between=c.actions),
    Suggest: lambda m, c: replace(m, suggested=c.actions),
    SayRefused: lambda m, c: replace(m, refused=c.verdict, last_refused=c.tried),
    PutAwayBanner: lambda m, c: replace(m, banner_away=c.away),
    HandOver: lambda m, c: replace(m, handed=c.version),
    ShowRecap: lambda m, c: replace(m, recap=c.on),
}
