"""The player's choices in a battle: the acting unit, its kind of action and options, the proposal or refusal shown.

Pure data: nothing is judged, asked or drawn here.
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

#: How a move goes that is not drawn point by point.
STRAIGHT, CHEAPEST, ROAD = "straight", "the cheapest way", "along the road"


@dataclass(frozen=True)
class Grab:
    """What the player holds of a unit forming up on the spot: "shift", "turn", or "bend" for base number ``base``."""

    what: str
    at: Point
    base: int = 0
    facing: float = 0.0


@dataclass(frozen=True)
class RefusedMove:
    """A refused move: the action, its verdict, and the unit where it would have stood (None: unknown)."""

    action: Action
    verdict: Verdict
    ghost: Unit | None


@dataclass(frozen=True)
class Proposal:
    """An allowed action with its verdict and odds, shown until it is confirmed or discarded.

    ``odds`` is None where no dice are thrown: the proposal then waits only for the coach. ``findings`` is what the
    coach found, ``warning`` the finding to show.
    """

    action: Action
    odds: Odds | None
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    warning: Finding | None = None


@dataclass(frozen=True)
class BattleModel:
    """The player's choices, the proposal and the refusal.

    ``actor`` is the unit whose menu is open, on the table or not; ``picked`` the kind of action chosen for it;
    ``shape`` its options set by hand; ``way`` how a move goes that is not drawn. ``refused`` is the verdict that
    refused the last action, ``last_refused`` the move it was; ``between`` are actions to choose from, ``suggested``
    those the computer suggests for the actor (None: still thinking). ``handed`` is the position at which the screen
    was last handed over; ``recap`` whether the computer's last moves are shown (None: until the next order).
    """

    actor: str | None = None
    picked: str | None = None
    shape: Mapping[str, Any] = field(default_factory=dict)
    way: str = STRAIGHT
    grabbed: Grab | None = None
    refused: Verdict | None = None
    last_refused: RefusedMove | None = None
    proposal: Proposal | None = None
    between: tuple[Action, ...] = ()
    suggested: tuple[Action, ...] | None = ()
    looked_at: Line | None = None
    banner_away: bool = False
    handed: int = -1
    recap: bool | None = None

    @property
    def refused_move(self) -> RefusedMove | None:
        """The move just refused, None once something else is shown."""
        last = self.last_refused
        return last if last is not None and last.verdict is self.refused else None


# --- commands --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayAside:
    """Discard the proposal, the refusal, the choices, and the log line looked at."""


@dataclass(frozen=True)
class Propose:
    """Show an allowed action with its odds."""

    proposal: Proposal


@dataclass(frozen=True)
class Refuse:
    """Show why an action is refused, and the actions allowed instead."""

    verdict: Verdict | None
    instead: tuple[Action, ...] = ()


@dataclass(frozen=True)
class PutAwayRefusal:
    """Stop showing the refusal."""


@dataclass(frozen=True)
class LookAt:
    """Show where a line of the log happened; given again, stop showing it."""

    line: Line


@dataclass(frozen=True)
class TurnTo:
    """Open the menu of a unit, on the table or not, or of none."""

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
    """Let moves go straight, by the cheapest route, or along the road."""

    way: str


@dataclass(frozen=True)
class TakeHold:
    """Take hold of a part of the unit in hand, or let go of it."""

    grab: Grab | None


@dataclass(frozen=True)
class OfferBetween:
    """Offer several actions to choose from."""

    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Suggest:
    """Show the suggestions for the actor; None: the computer is still thinking."""

    actions: tuple[Action, ...] | None


@dataclass(frozen=True)
class SayRefused:
    """Show why the last action was refused, with the move itself if it can be drawn."""

    verdict: Verdict | None
    refused_move: RefusedMove | None = None


@dataclass(frozen=True)
class PutAwayBanner:
    """Close the banner over an ended battle to show the table, or show it again."""

    away: bool = True


@dataclass(frozen=True)
class HandOver:
    """Note that the player asked in this position now sits at the screen."""

    version: int


@dataclass(frozen=True)
class ShowRecap:
    """Show or hide the computer's last moves; None: show them until the next order."""

    on: bool | None


Command = (
    LayAside | Propose | Refuse | PutAwayRefusal | LookAt | TurnTo | Pick | SetShape | GoBy | TakeHold | OfferBetween
    | Suggest | SayRefused | PutAwayBanner | HandOver | ShowRecap
)  # fmt: skip


def update(model: BattleModel, command: Command) -> BattleModel:
    """Return the model after a command."""
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
    SayRefused: lambda m, c: replace(m, refused=c.verdict, last_refused=c.refused_move),
    PutAwayBanner: lambda m, c: replace(m, banner_away=c.away),
    HandOver: lambda m, c: replace(m, handed=c.version),
    ShowRecap: lambda m, c: replace(m, recap=c.on),
}
