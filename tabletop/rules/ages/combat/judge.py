"""Combat: which units may and must fight which enemies, at what odds, and the question ``assault``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.verdict import Reason, Verdict, against_first
from tabletop.rules.ages.combat.odds import column
from tabletop.rules.ages.combat.zones import FLANK, FRONT, REAR, side_of, zone_shapes
from tabletop.rules.ages.command.generals import general_help
from tabletop.rules.ages.morale.status import DISRUPTED, OK, ROUTING, steady, strength
from tabletop.rules.ages.movement import terrain
from tabletop.rules.ages.movement.layouts import ROUND, SQUARE
from tabletop.rules.ages.movement.legality import in_reach
from tabletop.rules.ages.sight.judge import nearest as nearest_points
from tabletop.rules.ages.sight.judge import sees
from tabletop.rules.ages.tables import (
    ARTILLERY,
    CAVALRY,
    INFANTRY,
    arm,
    attack_range,
    length,
    profile_of,
    row_path,
    tables,
)
from tabletop.rules.ages.turn.phases import fighters
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.common.ruled import either
from tabletop.rules.play import Factor
from tabletop.rules.rule_set import Request


def may_attack(unit: Unit) -> tuple[Reason, ...]:
    """Return the reasons for and against a unit attacking at all (ROC-CBT-01, ROC-CBT-02, ROC-MOV-06).

    Guns attack by their fire; routing units and those with their backs turned do not attack. A change of formation does
    not weaken an attack (ROC-FRM-05).

    >>> from tabletop.play.files.opened import open_battle
    >>> [reason.rule for reason in may_attack(open_battle("drill-ground").unit("french-guns")) if not reason.holds]
    ['ROC-CBT-02']
    """
    name, foot_or_horse = unit.called, arm(unit) in (INFANTRY, CAVALRY)
    back, fought = bool(unit.marks.get("retreating")), bool(unit.marks.get("fought"))
    retires = (
        (Reason("AGE-RES-09", False, f"{name} retires, and does not attack"),) if unit.marks.get("retiring") else ()
    )
    return (
        *retires,
        either("ROC-CBT-02", foot_or_horse, f"{name} is infantry or cavalry", "only infantry and cavalry attack"),
        either("ROC-CBT-01", unit.status != ROUTING, f"{name} is not routing", f"{name} is routing"),
        either("ROC-MOV-06", not back, f"{name} has not faced about", f"{name} has faced about"),
        either("ROC-CBT-01", not fought, f"{name} has not fought in this phase", f"{name} has fought in this phase"),
    )


def may_attack_at(battle: Battle, unit: Unit, enemy: Unit) -> tuple[Reason, ...]:
    """Return the reasons for and against this attack: range, sight, and whether the enemy has already fought."""
    name = enemy.called
    gap = distance_between(unit, enemy)
    limit = attack_range(unit, enemy.formation == SQUARE)
    near = Reason("ROC-CBT-02", in_reach(battle, unit, enemy), f"{name} is {gap:.1f} mm away", gap, limit, enemy.id)
    once, fought = "been fought in this phase", bool(enemy.marks.get("fought"))
    fresh = either("ROC-CBT-01", not fought, f"{name} has not {once}", f"{name} has {once}")
    reasons = [near, fresh]
    if battle.clock.turn and enemy.formation == SQUARE and limit > attack_range(unit):
        outside = enemy.id in unit.marks.get("neared", ())
        came, stood = (
            f"came within {limit:g} mm of {name} by this move",
            f"must come upon {name} from outside {limit:g} mm",
        )
        reasons.append(either("GLA-HDG-02", outside, f"{unit.called} {came}", f"{unit.called} {stood}"))
    if battle.rulings["attack_arc"] == "front":
        ahead = side_of(battle, enemy, unit) == FRONT
        reasons.append(either("ROC-CBT-01", ahead, f"{name} is to the front", f"{name} is not to the front"))
    if all(reasons) and gap > length(battle, "contact"):
        clear = sees(battle, unit, enemy)
        reasons.append(either("ROC-CBT-01", clear, f"{name} is in sight", f"{name} is out of sight"))
    return tuple(reasons)


def targets(battle: Battle, unit: Unit) -> tuple[Unit, ...]:
    """Return the enemies a unit may attack in this phase, in sequence; none if it cannot attack (ROC-CBT-01)."""
    if not all(may_attack(unit)):
        return ()
    near = in_sequence(battle, (e for e in battle.enemies(unit) if in_reach(battle, unit, e)))
    return tuple(e for e in near if all(may_attack_at(battle, unit, e)))


def duties(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    """Return, by unit id, the enemies each unit may fight now; units without any are left out (ROC-CBT-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> duties(open_battle("drill-ground"), "french")
    {'french-1': ('prussian-1',)}
    """
    cache: dict[str, dict[str, tuple[str, ...]]] = vars(battle).setdefault("_duties", {})
    if side not in cache:
        enemies_of = {u.id: tuple(e.id for e in targets(battle, u)) for u in fighters(battle, side)}
        cache[side] = {name: enemies for name, enemies in enemies_of.items() if enemies}
    return cache[side]


def must_fight(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    """Return the part of ``duties`` that is compulsory for the side whose range reaches (ROC-CBT-01, REA-INF-03).

    The ruling ``combat_compulsory`` makes it all of them, those of units outside cover, or none.

    >>> from tabletop.play.files.opened import open_battle
    >>> must_fight(open_battle("drill-ground"), "prussian")
    {'prussian-1': ('french-1',)}
    """
    free = str(battle.rulings["combat_compulsory"])
    may_fight = duties(battle, side)
    if free == "yes":
        return may_fight
    return {} if free == "no" else {n: e for n, e in may_fight.items() if not terrain.in_cover(battle, battle.unit(n))}


#: The numbers that the result of a fight by odds is read from, besides the strengths.
_ODDS = ("combat.ladder", "combat.columns", "combat.results", "throw.starts")


@dataclass(frozen=True)
class Fight:
    """One combat: all its attackers against one defender; ``out`` are the generals who can no longer help in it."""

    battle: Battle
    attackers: tuple[Unit, ...]
    defender: Unit
    out: frozenset[str] = frozenset()

    @cached_property
    def horse(self) -> tuple[Unit, ...]:
        """The cavalry attacking a square, for which a separate result is thrown with two dice (ROC-SQR-01)."""
        if self.defender.formation != SQUARE:
            return ()
        return tuple(u for u in self.attackers if arm(u) == CAVALRY)

    @cached_property
    def foot(self) -> tuple[Unit, ...]:
        """The attackers that fight by odds."""
        return tuple(u for u in self.attackers if u not in self.horse)

    @property
    def guns(self) -> tuple[Unit, ...]:
        """The attacker's batteries that fired at the defender this turn (ROC-CBT-04)."""
        side = self.attackers[0].side
        return tuple(
            u
            for u in self.battle.side(side)
            if not u.is_general and arm(u) == ARTILLERY and u.marks.get("fired") == self.defender.id
        )

    @cached_property
    def arms(self) -> int:
        """How many arms act together against the defender, including cavalry attacking a square (ROC-CBT-04)."""
        return len({arm(u) for u in (*self.attackers, *self.guns)})

    @cached_property
    def attack(self) -> int:
        """The sum of the attackers' strengths; guns add to it only if so ruled (ROC-CBT-03, ROC-CBT-04)."""
        rulings = self.battle.rulings
        guns = sum(strength(u, rulings) for u in self.guns) if rulings["guns_add_strength"] else 0
        return sum(strength(u, rulings, self.defender.id) for u in self.foot) + guns

    @cached_property
    def defence(self) -> int:
        """The strength of the defender; guns have the same strength in any state (ROC-CBT-03, AGE-ART-09)."""
        return strength(self.defender, self.battle.rulings)

    @property
    def state(self) -> str:
        """The defender's state by which a square stands or breaks: in order or disrupted (ROC-SQR-02, ROC-SQR-03)."""
        return OK if steady(self.defender) else DISRUPTED

    @cached_property
    def zone(self) -> str:
        """The zone that counts: the rear if any attacker strikes from there, else flank, else front (ROC-CBT-05)."""
        zones = {side_of(self.battle, unit, self.defender) for unit in self.foot}
        return next((zone for zone in (REAR, FLANK) if zone in zones), FRONT)

    @cached_property
    def odds(self) -> str:
        """The odds before columns are shifted, such as "2:1" (ROC-ODD-01)."""
        return profile_of(self.battle).ratio(self.attack, self.defence, self.battle.rulings)

    @cached_property
    def ups(self) -> tuple[Factor, ...]:
        """Columns gained (ROC-CBT-04, ROC-CBT-05)."""
        data: Mapping[str, Any] = tables(self.battle)["combat"]["columns_up"]
        factors = []
        if self.arms > 1:
            key = {2: "two_arms", 3: "three_arms"}[self.arms]
            factors.append(self._factor(f"columns_up.{key}", data[key], "ROC-CBT-04", "column"))
        if self.zone != FRONT:
            up = self._factor(f"columns_up.{self.zone}", data[self.zone], "ROC-CBT-05", "column")
            factors.append(replace(up, name=f"from the {self.zone}"))
        return tuple(factors)

    def _factor(self, key: str, amount: float, rule: str, stage: str, *others: str) -> Factor:
        """Return a modifier named after its key in the tables of combat; it is no surer than ``others`` it takes in."""
        basis = profile_of(self.battle).basis(*(f"combat.{path}" for path in (key, *others)))
        return Factor(key.partition(".")[2].replace("_", " "), float(amount), rule, basis, stage)

    @cached_property
    def basis(self) -> str:
        """Where the numbers come from that the result is read from: strengths, odds, tables (ROC-ODD-01, ROC-SQR-01).

        The least sure of them counts.
        """
        square = [f"square.{self.state}.repelled", f"square.{self.state}.broken"] if self.horse else []
        units = (*self.foot, self.defender)
        odds = [*map(row_path, units), *_ODDS] if self.foot else []
        return profile_of(self.battle).basis(*square, *odds)

    @cached_property
    def column(self) -> str:
        """The column of the results table, shifted by ``ups`` (ROC-ODD-04)."""
        return column(self.battle, self.odds, int(sum(f.amount for f in self.ups)))

    @cached_property
    def on_die(self) -> tuple[Factor, ...]:
        """What is added to the die of the fight by odds (ROC-CBT-06, ROC-CBT-07, ROC-CBT-08, ROC-CBT-09)."""
        return self._modifiers(self.foot)

    @cached_property
    def at_square(self) -> tuple[Factor, ...]:
        """What is added to the throw for cavalry at a square: nothing, unless ruled otherwise (AGE-SQR-07)."""
        return self._modifiers(self.horse) if self.battle.rulings.get("square_uses_modifiers") else ()

    def _modifiers(self, units: Sequence[Unit]) -> tuple[Factor, ...]:
        battle, die = self.battle, tables(self.battle)["combat"]["die"]
        tests = (
            ("attacker_ground", "ROC-CBT-06", self.attackers_ground(units)),
            (
                "defender_ground",
                "ROC-CBT-06",
                self.defenders_ground(units) if battle.rulings["ground"] != "attacker" else 0,
            ),
            ("charging", "ROC-CBT-07", any(self._charges(u) for u in units)),
            ("infantry_at_square", "ROC-CBT-08", self._infantry_at_square(units)),
        )
        plain = tuple(
            self._factor(f"die.{key}", die[key] * n, rule, "die", *(("works",) if n > 1 else ()))
            for key, rule, n in tests
            if n
        )
        generals = (("attacker_general", self._help(units)), ("defender_general", self._defenders_help()))
        times = {key: helped / int(tables(battle)["rally"]["general"]) for key, helped in generals if helped}
        return (*plain, *(self._factor(f"die.{k}", die[k] * n, "ROC-CBT-09", "die") for k, n in times.items()))

    def _charges(self, unit: Unit) -> bool:
        only_horse = self.battle.rulings["charging"] == "cavalry"
        return bool(unit.marks.get("charging")) and (arm(unit) == CAVALRY or not only_horse)

    def _help(self, units: Sequence[Unit]) -> int:
        """Return what generals with these units add: the most that any one of them adds (ROC-CBT-09, GLA-GEN-03)."""
        return max((general_help(self.battle, u, self.out) for u in units), default=0)

    def _defenders_help(self) -> int:
        return self._help((self.defender,)) if self.battle.rulings["generals"] == "both" else 0

    def attackers_ground(self, units: Sequence[Unit]) -> int:
        """Return how often the ground counts for the attackers: once if all have the advantage, more for works."""
        battle, enemy = self.battle, self.defender
        return min(
            (_times(battle, u, enemy, terrain.has_the_ground(battle, u, enemy), False) for u in units), default=0
        )

    def defenders_ground(self, units: Sequence[Unit]) -> int:
        """Return how often ground or an obstacle counts for the defender: once if against all, more for works."""
        battle, own = self.battle, self.defender
        better = (terrain.has_the_ground(battle, own, u) or terrain.behind_obstacle(battle, own, u) for u in units)
        return min((_times(battle, own, u, good, True) for u, good in zip(units, better, strict=True)), default=0)

    def _infantry_at_square(self, units: Sequence[Unit]) -> bool:
        return self.defender.formation == SQUARE and any(arm(u) == INFANTRY for u in units)

    @property
    def bonus(self) -> int:
        """The sum of the die modifiers."""
        return int(sum(f.amount for f in self.on_die))

    def summary(self) -> dict[str, Any]:
        """Return strengths, odds, column and modifiers as plain data, for the verdict and the record."""
        return {
            "attack": self.attack,
            "defence": self.defence,
            "odds": self.odds,
            "column": self.column,
            "modifiers": tuple((f.name, f.amount, f.stage, f.rule) for f in (*self.ups, *self.on_die)),
        }


def _times(battle: Battle, unit: Unit, enemy: Unit, better: bool, defends: bool) -> int:
    """Return how often the ground counts for a unit; works count as often as the tables say (AGE-CBT-08)."""
    works = int(tables(battle)["combat"].get("works", 0))
    return works if works and terrain.holds_works(battle, unit, enemy, defends) else int(better)


def fight_of(battle: Battle, attackers: Sequence[str], defender: str) -> Fight:
    """Return the combat of these attackers, in the order results apply to them, against one defender (ROC-CBT-01).

    >>> from tabletop.play.files.opened import open_battle
    >>> fight_of(open_battle("drill-ground"), ["french-1"], "prussian-1").odds
    '1:1'
    """
    return Fight(battle, in_sequence(battle, map(battle.unit, attackers)), battle.unit(defender))


# --- the question -----------------------------------------------------------------------------------------------------


def assault(battle: Battle, request: Request) -> Verdict:
    """Answer ``assault A B``: could A attack B in the combat phase as they stand, and at what odds (ROC-CBT-01..05)?

    ``measured`` has the ``distance`` in mm. Raises BadQuestion for generals and for two units of the same side.

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = assault(open_battle("drill-ground"), Request("assault", ("french-1", "prussian-1")))
    >>> verdict.holds, verdict.measured["distance"], verdict.measured["odds"]
    (True, 50.0, '1:1')
    """
    unit, enemy = (battle.unit(name) for name in request.args)
    if unit.is_general or enemy.is_general or unit.side == enemy.side:
        raise BadQuestion("an attack is made by a unit that fights on an enemy that does; name two such")
    reasons = (*may_attack(unit), *may_attack_at(battle, unit, enemy))
    holds = all(reasons)
    line = nearest_points(unit.footprint, enemy.footprint)
    fight = Fight(battle, (unit,), enemy)
    measured: dict[str, object] = {"distance": distance_between(unit, enemy)}
    measured |= {**fight.summary(), "die": fight.bonus} if holds and not fight.horse else {}
    frontal = strikes_the_front(battle, unit, enemy)
    measured |= {} if frontal is None else {"frontal": frontal}
    zones = () if frontal is None or enemy.formation in ROUND else zone_shapes(battle, enemy)
    return Verdict(
        "assault",
        request.args,
        battle.rules,
        holds,
        measured,
        against_first(reasons),
        witness=line if holds else None,
        options=request.options,
        shapes=(*zones, line_shape("witness" if holds else "blocked", line, f"{measured['distance']:.1f} mm")),
    )


def may_be_made(battle: Battle, unit: Unit, enemy: Unit) -> bool:
    """Return whether an attack may be made, without producing a proof (ROC-CBT-01, ROC-CBT-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> may_be_made(battle, battle.unit("french-1"), battle.unit("prussian-1"))
    True
    """
    return all(may_attack(unit)) and all(may_attack_at(battle, unit, enemy))


def strikes_the_front(battle: Battle, unit: Unit, enemy: Unit) -> bool | None:
    """Return whether an attack, allowed or not, would come from the front; None for cavalry at a square.

    ROC-CBT-05, ROC-SQR-01.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("struck-at-the-corner")
    >>> [strikes_the_front(battle, battle.unit(f"hussars-{x}"), battle.unit(f"line-{x}")) for x in ("west", "east")]
    [True, False]
    """
    fight = Fight(battle, (unit,), enemy)
    return None if fight.horse else fight.zone == FRONT
