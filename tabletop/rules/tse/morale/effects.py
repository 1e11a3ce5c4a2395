"""The effects of combat on units: status first, then bases lost, then falling back (TSE-INV-15)."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.battle.battle import Battle
from tabletop.battle.event import Changed, Lost, Placed, Removed
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.measure import Point
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.calculator.calculator import back_distance
from tabletop.rules.tse.calculator.model_data import Effects
from tabletop.rules.tse.command.generals import accompany, attached
from tabletop.rules.tse.morale.army_morale import shaken
from tabletop.rules.tse.morale.fall_back import fallback
from tabletop.rules.tse.morale.losses import after_losses
from tabletop.rules.tse.morale.status import Effect, Status, destroyed, worsened
from tabletop.rules.tse.options import chosen
from tabletop.rules.tse.tables import troop

#: How a unit may leave the table for good (TSE-STS-08, TSE-INV-08, TSE-INV-10).
BROKEN, DESTROYED, SURRENDERED, DRIVEN_OFF, CAPTURED = "broken", "destroyed", "surrendered", "driven off", "captured"


@dataclass(frozen=True)
class Blow:
    """Where an effect comes from: the unit that caused it, and the bearing away from it if an assault gives one.

    ``away`` is the direction of the assault path for the target, the reverse for the assaulter (TSE-INV-03); None for
    fire, which drives along the line between centre-points.
    """

    source: Unit
    away: float | None = None


def suffer(unfolding: Unfolding, unit: str, effects: Effects, blow: Blow) -> bool:
    """Apply effects to a unit: status, then losses, then falling back; return whether it was driven back or removed.

    It moves only if the effects say so (TSE-INV-11, TSE-INV-15); a destroyed unit does not. ``back: "start"`` is left
    to the caller, who knows where the unit started.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("starter"))
    >>> driven_back = suffer(unfolding, "arnaud", Effects(status="disorder"), Blow(unfolding.unit("kessler-guns")))
    >>> unfolding.unit("arnaud").status
    'disordered'
    """
    if effects.broken:
        remove(unfolding, unit, BROKEN)
        return True
    worsen(unfolding, unit, effects.status)
    lose_bases(unfolding, unit, effects.lose, blow.source.at)
    if not unfolding.battle.has(unit) or _captured(unfolding, unit, effects):
        return True
    if effects.back in ("short", "long"):
        distance = back_distance(unfolding.unit(unit).troop, effects.back) * unfolding.battle.scale
        fall_back(unfolding, unit, blow, distance)
        return True
    return False


def worsen(unfolding: Unfolding, unit: str, effect: Effect | None) -> None:
    """Disorder or demoralize a unit; a demoralized one gets no worse (TSE-STS-02..04)."""
    before = unfolding.unit(unit).status
    after = worsened(_status(before), effect) if effect else before
    if after != before:
        unfolding.happen(Changed(unit, status=after))
        if after == "demoralized":
            shaken(unfolding, unfolding.unit(unit))


def _status(text: str) -> Status:
    status: Status = "ok" if text == "ok" else "disordered" if text == "disordered" else "demoralized"
    return status


def lose_bases(unfolding: Unfolding, unit: str, bases: int, attacker: Point | None = None) -> None:
    """Take bases from a unit, which closes up, or is destroyed if it has lost half of those it started with.

    The loss counts at once (TSE-STS-05..07, TSE-STS-12).
    """
    if bases == 0:
        return
    now = unfolding.unit(unit)
    start = int(now.marks.get("started", now.strength))
    if destroyed(start, start - now.strength + bases):
        remove(unfolding, unit, DESTROYED)
        return
    if "started" not in now.marks:
        unfolding.mark(unit, started=start)
    reduced = after_losses(unfolding.battle, now, bases, attacker)
    unfolding.happen(Lost(unit, bases, pose_of(reduced)))


def remove(unfolding: Unfolding, unit: str, how: str) -> None:
    """Take a unit from the table for good: it counts as destroyed (TSE-STS-08)."""
    removed_unit = unfolding.unit(unit)
    unfolding.happen(Removed(unit, how))
    shaken(unfolding, removed_unit)


def fall_back(unfolding: Unfolding, unit: str, blow: Blow, distance: float) -> None:
    """Drive a unit back by ``distance`` (table units); it surrenders if no legal way exists (TSE-INV-01..10).

    Generals attached to it go with it (TSE-LDR-06). A unit driven over the table's edge is lost.
    """
    before = unfolding.unit(unit)
    options = {"from": blow.source.id, "distance": distance, "assault": blow.away is not None, "away": blow.away}
    verdict = fallback(unfolding.battle, Request("fallback", (unit,), options))
    if not verdict.holds:
        why = verdict.because[0]
        unfolding.tell("surrender", {}, unit, blow.source.id, (why.rule,))
        remove(unfolding, unit, DRIVEN_OFF if why.rule == "TSE-INV-10" else SURRENDERED)
        return
    beyond = next((reason for reason in verdict.because if reason.rule == "TSE-INV-09"), None)
    if beyond is not None:
        far = {
            "distance": distance,
            "spent": verdict.measured["cost"],
            "friends": tuple(verdict.measured.get("past", ())),
        }
        unfolding.tell("beyond", far, unit, blow.source.id, ("TSE-INV-09",))
    x, y = verdict.measured["at"]
    path = tuple((float(px), float(py)) for px, py in verdict.measured["path"])
    place(unfolding, before.moved(x - before.at[0], y - before.at[1]), "falls back", path)


def place(unfolding: Unfolding, after: Unit, how: str, path: tuple[Point, ...] = ()) -> None:
    """Place a unit that was moved involuntarily; generals attached to it go with it (TSE-LDR-06).

    ``path`` has the points of the path in table units; a straight one need not be given.

    >>> from tabletop.play.files.opened import open_battle
    >>> unfolding = Unfolding(open_battle("front-or-flank"))
    >>> place(unfolding, unfolding.unit("west-line").moved(0.0, 3.0), "falls back")
    >>> unfolding.unit("west-line").front_mid
    (10.0, 11.0)
    """
    before = unfolding.unit(after.id)
    along = attached(unfolding.battle, before)
    unfolding.happen(Placed(after.id, pose_of(after), path or (before.at, after.at), how))
    accompany(unfolding, along, after.at[0] - before.at[0], after.at[1] - before.at[1])


def _captured(unfolding: Unfolding, unit: str, effects: Effects) -> bool:
    """Capture transport that suffers any defeat, if the scenario says so; return whether it did (TSE-UNI-17)."""
    now = unfolding.unit(unit)
    defeat = now.status == "demoralized" or effects.lose > 0 or effects.back is not None
    transport = troop(now.troop).family == "transport"
    if transport and defeat and chosen(unfolding.battle, "transport_capture", now.side):
        remove(unfolding, unit, CAPTURED)
        return True
    return False


def driven(battle: Battle, unit: Unit) -> dict[str, float]:
    """Return how far a unit falls back "half way" and "all the way", in table units (TSE-INV-01, TSE-SCL-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> driven(battle, battle.unit("arnaud"))
    {'half way': 3.0, 'all the way': 6.0}
    """
    if unit.is_general:
        return {}
    ways = {"half way": "short", "all the way": "long"}
    return {word: back_distance(unit.troop, back) * battle.scale for word, back in ways.items()}
