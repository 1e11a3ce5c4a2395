"""Traits: what units and terrain may be besides their kind, from the data file ``traits.toml`` of a rule set.

A section ``[unit.drilled]`` or ``[terrain.works]`` names a trait; ``means`` says in a line what it does, ``rule`` which
rule gives it. ``given`` has properties, such as a class of cover, by which a piece of terrain has it without naming it.
The files of the packages that a rule set shares with others count too. A rule set without such a file has no traits.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import Broken
from tabletop.geometry.terrain import Terrain
from tabletop.rules.rule_set import RuleSet, find

FILE = "traits.toml"
#: What may have traits: the names of the sections.
UNIT, TERRAIN = "unit", "terrain"
#: Properties of terrain that may give a trait.
GIVING = ("kind", "movement", "cover_fire", "cover_assault", "sight")
_NAME = r"[a-z][a-z0-9-]{0,39}"
_CURE = "ask the author of these rules, or uninstall them"


@dataclass(frozen=True)
class Trait:
    """A trait of units or of terrain: what it ``means``, its ``rule``, and properties that give it (``given``)."""

    name: str
    means: str
    rule: str = ""
    given: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The trait with its meaning, as cards and legends show it: "Works: ..."."""
        return f"{self.name.replace('-', ' ').capitalize()}: {self.means}"

    def on(self, piece: Terrain) -> bool:
        """Return whether a piece of terrain has this trait, by name or by its properties."""
        if self.name in piece.traits:
            return True
        return bool(self.given) and all(getattr(piece, key) == value for key, value in self.given.items())


def traits_of(rules: RuleSet, what: str) -> Mapping[str, Trait]:
    """Return the traits that units (``UNIT``) or terrain (``TERRAIN``) may have under some rules, by name.

    Raises Broken, with file, key, value and cure, if a file of them is faulty.

    >>> list(traits_of(find("destiny"), TERRAIN)), list(traits_of(find("tse"), TERRAIN))
    (['works'], [])
    """
    return _named(rules.name)[what]


@cache
def _named(name: str) -> Mapping[str, Mapping[str, Trait]]:
    """Return the traits of a rule set by what has them, those of its own package last."""
    found: dict[str, dict[str, Trait]] = {UNIT: {}, TERRAIN: {}}
    for package in find(name).data_packages:
        for what, traits in _read(package).items():
            found[what].update(traits)
    return found


def pieces_with(battle: Battle, name: str) -> tuple[Terrain, ...]:
    """Return the pieces of terrain of a battle that have a trait; none if its rules have no such trait.

    >>> from tabletop.play.files.opened import open_battle
    >>> pieces_with(open_battle("drill-ground"), "works")
    ()
    """
    trait = traits_of(find(battle.rules), TERRAIN).get(name)
    return tuple(p for p in battle.table.terrain if trait.on(p)) if trait is not None else ()


def traits_on(battle: Battle, thing: Unit | Terrain) -> tuple[Trait, ...]:
    """Return the traits of a unit or a piece of terrain, those included that its properties give it, in order.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("lancers")
    >>> redoubt = Terrain.of_kind("redoubt", "redoubt", outline=[(0, 0), (90, 0), (90, 90)])
    >>> [trait.name for trait in traits_on(battle, redoubt)]
    ['works']
    """
    rules = find(battle.rules)
    if isinstance(thing, Terrain):
        return tuple(trait for trait in traits_of(rules, TERRAIN).values() if trait.on(thing))
    return tuple(trait for trait in traits_of(rules, UNIT).values() if trait.name in thing.traits)


def in_order(words: Sequence[str]) -> tuple[str, ...]:
    """Return the traits of an entry as a unit or a piece of terrain holds them: sorted, each once.

    >>> in_order(["steady", "drilled", "steady"])
    ('drilled', 'steady')
    """
    return tuple(sorted(set(words)))


# --- the file --------------------------------------------------------------------------------------------------------


def _read(package: str) -> Mapping[str, Mapping[str, Trait]]:
    """Return the traits in a package's file by what has them; Broken for its first fault."""
    file = resources.files(package).joinpath(FILE)
    if not file.is_file():
        return {}
    try:
        data = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Broken(f"{file}: {error}; {_CURE}") from None
    if fault := next(_faults(data), None):
        raise Broken(f"{file}: {fault}; {_CURE}")
    return {what: {name: Trait(name, **row) for name, row in rows.items()} for what, rows in data.items()}


def _faults(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a file, each with its key, its value and the cure."""
    for what, rows in data.items():
        if what not in (UNIT, TERRAIN) or not isinstance(rows, Mapping):
            yield f"'{what}' is no section; write [{UNIT}.name] or [{TERRAIN}.name]"
            return
        for name, row in rows.items():
            yield from (f"[{what}.{name}] {fault}" for fault in _wrong(what, name, row))


def _wrong(what: str, name: str, row: Any) -> Iterator[str]:
    if not re.fullmatch(_NAME, name):
        yield "is no name of a trait; use lower-case letters, digits and '-'"
    if not isinstance(row, Mapping):
        yield f"= {row!r} is no section; give it the key means"
        return
    known = ("means", "rule", *(("given",) if what == TERRAIN else ()))
    yield from (f"{key}: there is no such key; there are: {', '.join(known)}" for key in row if key not in known)
    means = row.get("means")
    if not (isinstance(means, str) and re.fullmatch(r"[^\n]{1,120}", means)):
        yield f"means = {means!r}; give one line of up to 120 characters on what it does"
    if not isinstance(row.get("rule", ""), str):
        yield f"rule = {row['rule']!r}; give the id of the rule, such as 'AGE-CBT-08'"
    given = row.get("given", {})
    if not (isinstance(given, Mapping) and all(k in GIVING and isinstance(v, str) for k, v in given.items())):
        yield f"given = {given!r}; give words for some of: {', '.join(GIVING)}"
