"""A form as a small battle: its troops on a bare table, so that the functions used in battles can answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock, Setup
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table
from tabletop.rules.ages.calculator.forms import ARMS, BETTER, LEVEL, NOBODY, WORKS, split
from tabletop.rules.ages.combat.judge import Fight
from tabletop.rules.ages.combat.zones import FRONT
from tabletop.rules.ages.movement.layouts import OF_ARM, of_arm
from tabletop.rules.ages.muster import muster
from tabletop.rules.ages.tables import CAPTAIN, Profile, tables
from tabletop.rules.ages.turn.phases import COMBAT_PHASE
from tabletop.rules.rule_set import MusterError, find

#: The two sides, which are also the ids of their units.
ATTACKER, DEFENDER = SIDES = ("attacker", "defender")
#: Side of the table in mm, and where a unit stands on it, far from any edge.
WIDE, MIDDLE = 20000.0, (10000.0, 10000.0)
FACING = {ATTACKER: 0.0, DEFENDER: 180.0}
EDGE = {ATTACKER: "south", DEFENDER: "north"}


def battle_of(profile: Profile, units: Sequence[Unit], memory: Mapping[str, Any] | None = None) -> Battle:
    """Return a battle of these units on open ground, with the rule set's default rulings."""
    battle = Battle.of(profile.name, Table.of("mm", WIDE, WIDE), units, find(profile.name).ruling_values())
    setup, clock = Setup(SIDES, ATTACKER, options={"edge": EDGE}), Clock(1, COMBAT_PHASE, ATTACKER)
    return replace(battle, setup=setup, clock=clock, memory=dict(memory or {}))


def troops(
    profile: Profile, side: str, kind: str, field_name: str, place: Mapping[str, Any] | None = None, **keys: Any
) -> Unit:
    """Return a unit of a kind such as "french-line infantry", at ``place`` or else in the middle of the table.

    Raises BadQuestion, starting with the field's name, for an impossible unit.
    """
    troop, quality = split(kind)
    own = {"id": side, "side": side, "name": f"the {side}", "troop": troop, "quality": quality, "facing": FACING[side]}
    usual = OF_ARM[profile.troops[troop].arm][0]
    try:
        return muster(profile, {"formation": usual, **own, **(place or {"at": MIDDLE}), **keys}, {})
    except MusterError as error:
        raise BadQuestion(f"{field_name}_{error.key}: {error}") from None


def generals(profile: Profile, ranks: Mapping[str, str], at: Point = MIDDLE) -> tuple[Unit, ...]:
    """Return the generals with the units of either side, placed so that they touch them (ROC-RAL-04)."""
    officers = []
    for side, rank in ranks.items():
        if rank != NOBODY:
            entry = {"id": f"{side}-general", "side": side, "name": f"the {side}'s general", "troop": "general"}
            officers.append(muster(profile, {**entry, "at": at, **({"rank": rank} if rank == CAPTAIN else {})}, {}))
    return tuple(officers)


@dataclass(frozen=True)
class FightByForm(Fight):
    """A combat whose form supplies what a battle would measure: direction, arms, ground, further strength."""

    form: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def arms(self) -> int:
        """How many arms act together (ROC-CBT-04)."""
        return ARMS.index(str(self.form["arms"])) + 1

    @cached_property
    def attack(self) -> int:
        """The strength of the attacker and of the others with it (ROC-CBT-03)."""
        return int(self.form["further_strength"]) + super().attack

    @cached_property
    def zone(self) -> str:
        """The zone from which the target is attacked (ROC-CBT-05)."""
        return str(self.form["direction"] or FRONT)

    def attackers_ground(self, units: Sequence[Unit]) -> int:
        """Return how many times the attacker has the advantage of ground (ROC-CBT-06)."""
        return self._times("attacker_ground")

    def defenders_ground(self, units: Sequence[Unit]) -> int:
        """Return how many times the target has the advantage of ground or cover (ROC-CBT-06)."""
        return self._times("defender_ground")

    def _times(self, name: str) -> int:
        ground = str(self.form[name])
        return {LEVEL: 0, BETTER: 1, WORKS: int(tables(self.battle)["combat"].get("works", 0))}[ground]


def fight_of_form(profile: Profile, form: Mapping[str, Any]) -> FightByForm:
    """Return the combat of a form."""
    attacker, target = (
        troops(profile, side, str(form[side]), side, bases=form[f"{side}_bases"], status=form[f"{side}_state"], **more)
        for side, more in ((ATTACKER, {}), (DEFENDER, {"formation": form["defender_formation"]}))
    )
    marks = {"charging": bool(form["charging"]), "contacts": (DEFENDER,) if form["first_contact"] else ()}
    ranks = {ATTACKER: str(form["attacker_general"]), DEFENDER: str(form["defender_general"])}
    attacker = replace(attacker, marks=marks)
    battle = battle_of(profile, (attacker, target, *generals(profile, ranks)))
    return FightByForm(battle, (battle.unit(ATTACKER),), battle.unit(DEFENDER), form=form)


def shot_of_form(profile: Profile, form: Mapping[str, Any]) -> tuple[Battle, Unit, Unit]:
    """Return the battle, battery and target of a form, with the target straight ahead at its range."""
    formation, (x, y) = str(form["defender_formation"]), MIDDLE
    arm = next(arm for arm in OF_ARM if formation in of_arm(profile, arm))
    gun = troops(profile, ATTACKER, _any(profile, lambda troop: troop == form["guns"]), "guns", {"front_mid": MIDDLE})
    target = troops(
        profile,
        DEFENDER,
        _any(profile, lambda troop: profile.troops[troop].arm == arm),
        "defender",
        {"front_mid": (x, y + float(form["range"]))},
        formation=formation,
        status=form["defender_state"],
    )
    return battle_of(profile, (gun, target)), gun, target


def _any(profile: Profile, fits: Callable[[str], bool]) -> str:
    """Return the first kind of troops of the armies that fits, since nothing else about it matters."""
    return next(f"{quality} {troop}" for troop, quality in profile.rows if fits(troop))


def unit_of_form(
    profile: Profile, kind: str | None, status: str, general: str = NOBODY, memory: Mapping[str, Any] | None = None
) -> Battle:
    """Return a battle with a single unit of a kind (None for any kind), with or without a general."""
    unit = troops(profile, ATTACKER, kind or _any(profile, lambda troop: True), "unit", status=status)
    with_it = [replace(one, name="the general") for one in generals(profile, {ATTACKER: general})]
    return battle_of(profile, (unit, *with_it), memory)


def with_options(battle: Battle, options: Mapping[str, Any]) -> Battle:
    """Return a battle of a form whose scenario gives these options too."""
    return replace(battle, setup=replace(battle.setup, options={**battle.setup.options, **options}))
