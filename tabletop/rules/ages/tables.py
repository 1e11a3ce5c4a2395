"""The profile of a rule set of the family: its numbers, read once from its data files, and what is special to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.rules.common import modules
from tabletop.rules.common.basis import bases_of, least_sure
from tabletop.rules.common.data import data_of, rows_of
from tabletop.rules.rule_set import find

if TYPE_CHECKING:
    from tabletop.battle.unfolding import Unfolding

INFANTRY, CAVALRY, ARTILLERY = "infantry", "cavalry", "artillery"
#: The rank of an age's great captain, the general who helps twice as much as others.
CAPTAIN = "great-captain"
#: The possible orders (reconstruction: the rulebook leaves their wording to the players).
STANCES = ("advance", "hold", "attack", "support", "withdraw")


@dataclass(frozen=True)
class Troop:
    """One kind of troops: arm, base (frontage, depth, mm), least and most bases, fire table, a person's speed (mm).

    ``contact`` is the kind of troops whose strength it has in its first turn of contact with an enemy (lancers).
    ``becomes`` is the kind it turns into when it dismounts or mounts (dragoons).
    """

    name: str
    arm: str
    base: tuple[float, float]
    bases: tuple[int, int]
    fire: str = ""
    speed: float | None = None
    contact: str = ""
    becomes: str = ""

    @property
    def fights(self) -> bool:
        """False for generals and staff officers, who have no strength of their own (ROC-SCA-04, ROC-ORD-03)."""
        return self.speed is None


@dataclass(frozen=True)
class Row:
    """One row of the national army tables: strength of a base, rally throw, and moves in mm (ROC-EFF-01).

    ``reach`` is how far its troops attack (mm); 0 means the default of their arm.
    """

    nation: str
    normal: int
    disrupted: int
    rally: int
    move: float
    difficult: float
    road: float
    charge: float
    reach: float = 0.0


@dataclass(frozen=True, eq=False)
class Profile:
    """One rule set of the family: its data, and where it differs from the others.

    ``name`` is the rule set's, ``package`` the folder of its data. ``shared`` are packages whose data it shares, each
    overlaid by the next and all of them by its own: ``tables.toml``, ``rulings.toml``, ``options.toml``, and
    ``cites.toml``, which translates the rules named in the family's functions to rules of its own book.
    ``ratio(attack, defence, rulings)`` returns the odds of two strengths, such as "2:1". ``lost(unfolding, unit, what,
    times)`` counts a loss: "disrupted", a "base", or a "gun" that changes sides. ``settled(unfolding)`` ends the battle
    at the end of a player turn if it is over, and returns whether it did. ``won(battle, enemy)`` is a sentence on how
    it is won, and ``winning(battle)`` the side that would win if it ended now. ``joined(unfolding, units)`` is called
    with the armies at the start and with units that come on later.
    """

    name: str
    package: str
    ratio: Callable[[int, int, Mapping[str, Any]], str]
    lost: Callable[[Unfolding, Unit, str, int], None]
    settled: Callable[[Unfolding], bool]
    won: Callable[[Battle, str], str]
    winning: Callable[[Battle], str | None]
    joined: Callable[[Unfolding, Sequence[Unit]], None] = lambda unfolding, units: None
    shared: tuple[str, ...] = ()

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """All of ``tables.toml``."""
        merged: Mapping[str, Any] = {}
        for data in self.data("tables.toml"):
            merged = _overlaid(merged, data)
        return merged

    @cached_property
    def bases(self) -> Mapping[str, str]:
        """Where each number comes from, by its path: those of ``tables.toml`` and the rows of the armies."""
        tables = [bases_of(package, "tables.toml") for package in self.packages]
        merged = {path: basis for bases in tables for path, basis in bases.items()}
        return {**merged, **bases_of(self.package, "armies.toml")}

    def basis(self, *paths: str) -> str:
        """Return where the least sure of some numbers comes from; "" if their tables do not say.

        >>> from tabletop.rules.realm_of_chance.profile import PROFILE
        >>> PROFILE.basis("combat.results", "throw.starts"), PROFILE.basis("combat.nothing")
        ('source', '')
        """
        return least_sure(self.bases.get(path, "") for path in paths)

    @cached_property
    def cites(self) -> Mapping[str, str]:
        """The rule of its own book for each rule cited by the family's functions, where the ids differ."""
        return {family: own for data in self.data("cites.toml") for family, own in data.items()}

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of its data: modules a scenario may switch on, shared packages, and its own last."""
        return (*modules.packages(), *self.shared, self.package)

    def data(self, name: str) -> Iterator[Mapping[str, Any]]:
        """Yield the data file of this name from each package that has it."""
        for package in self.packages:
            if resources.files(package).joinpath(name).is_file():
                yield data_of(package, name)

    @cached_property
    def troops(self) -> Mapping[str, Troop]:
        """Every kind of troops its armies have, by name, including generals and staff officers.

        If no army has horse guns there are only foot guns (GLO-ART-01, GLA-ART-01).
        """
        fielded = {troop for troop, _ in self.rows}
        kinds = rows_of(Troop, self.tables["troops"])
        return {name: kind for name, kind in kinds.items() if not kind.fights or {name, kind.contact} & fielded}

    @cached_property
    def rows(self) -> Mapping[tuple[str, str], Row]:
        """The rows of the army tables by (troop, quality) (ROC-EFF-01)."""
        data = data_of(self.package, "armies.toml")
        names = data["columns"]
        sections = {troop: section for troop, section in data.items() if troop != "columns"}
        nations = sorted(
            {q for t, section in sections.items() if t != INFANTRY for q in section}, key=len, reverse=True
        )
        return {
            (troop, quality): Row(_nation(quality, nations), **dict(zip(names, figures, strict=True)))
            for troop, section in sections.items()
            for quality, figures in section.items()
        }

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The lowest number of each row of the results tables."""
        return tuple(self.tables["throw"]["starts"])

    @property
    def sides(self) -> int:
        """How many different numbers can be thrown."""
        return int(self.tables["throw"]["sides"])

    @cached_property
    def longest_attack(self) -> float:
        """The greatest distance (mm) at which any troops of its armies attack."""
        return max(self.length("infantry_range"), *(row.reach for row in self.rows.values()))

    def length(self, name: str) -> float:
        """Return a length of the rules in mm."""
        return float(self.tables["lengths"][name])


def _overlaid(under: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return two tables merged, section by section; values of ``over`` take precedence."""
    both = {key: _overlaid(under[key], value) for key, value in over.items() if _sections(under.get(key), value)}
    return {**under, **over, **both}


def _sections(a: Any, b: Any) -> bool:
    return isinstance(a, Mapping) and isinstance(b, Mapping)


def _nation(quality: str, nations: list[str]) -> str:
    """Return the nation of a quality, which is "nation-class" for infantry and the nation alone for other arms.

    A nation may have only infantry; it is then the first word. Each war has its own nations (REA-GEN-02).
    """
    matches = (nation for nation in nations if quality == nation or quality.startswith(f"{nation}-"))
    return next(matches, quality.partition("-")[0])


@cache
def _profile(name: str) -> Profile:
    profile = find(name).profile
    assert isinstance(profile, Profile), f"'{name}' is no rule set of this family"
    return profile


def profile_of(thing: Battle | Unit) -> Profile:
    """Return the profile of the rule set of a battle or a unit.

    >>> from tabletop.play.files.opened import open_battle
    >>> profile_of(open_battle("drill-ground")).name
    'realm-of-chance'
    """
    return _profile(thing.rules)


def tables(of: Battle | Unit) -> Mapping[str, Any]:
    """Return all of ``tables.toml`` for the rule set of a battle or a unit, lengths in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> tables(open_battle("drill-ground"))["artillery"]["heavy"]["bands"]
    [60.0, 120.0, 180.0, 500.0]
    """
    return _profile(of.rules).tables


def row(unit: Unit) -> Row:
    """Return a unit's row of the army tables, moves in table units (mm); KeyError for generals and staff officers.

    >>> from tabletop.play.files.opened import open_battle
    >>> figures = row(open_battle("drill-ground").unit("hussars"))
    >>> figures.normal, figures.disrupted, figures.move, figures.charge
    (3, 2, 150, 20)
    """
    return _profile(unit.rules).rows[unit.troop, unit.quality]


def row_path(unit: Unit) -> str:
    """Return the path of a unit's row in the army tables, by which its basis is found.

    >>> from tabletop.play.files.opened import open_battle
    >>> row_path(open_battle("drill-ground").unit("hussars"))
    'light-cavalry.prussian'
    """
    return f"{unit.troop}.{unit.quality}"


def troop_of(unit: Unit) -> Troop:
    """Return a unit's kind of troops, with the frontage and depth of its bases in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> troop_of(open_battle("drill-ground").unit("french-1")).base
    (20.0, 15.0)
    """
    return _profile(unit.rules).troops[unit.troop]


def arm(unit: Unit) -> str:
    """Return a unit's arm: infantry, cavalry, artillery, general or staff.

    >>> from tabletop.play.files.opened import open_battle
    >>> arm(open_battle("drill-ground").unit("hussars"))
    'cavalry'
    """
    return _profile(unit.rules).troops[unit.troop].arm


def length(of: Battle | Unit, name: str) -> float:
    """Return a length of the rules in table units (mm).

    >>> from tabletop.play.files.opened import open_battle
    >>> length(open_battle("drill-ground"), "infantry_range")
    50.0
    """
    return _profile(of.rules).length(name)


def attack_range(unit: Unit, at_square: bool = False) -> float:
    """Return how far (table units, mm) a unit attacks: infantry at its range, all others in contact.

    Some troops have a range of their own (DES-INF-02, REA-INF-03), and in some ages cavalry attacks squares from a
    distance (GLA-HDG-02). Source: ROC-CBT-02, AGE-CBT-04.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("a-hundred-millimetres")
    >>> attack_range(battle.unit("rifles-west")), attack_range(battle.unit("french-west"))
    (100, 50)
    """
    far = tables(unit)["lengths"].get("square_reach")
    if at_square and far is not None and arm(unit) == CAVALRY:
        return float(far)
    return row(unit).reach or length(unit, "infantry_range" if arm(unit) == INFANTRY else "contact")
