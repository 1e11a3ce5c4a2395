"""Modules: small books that attach to any rule set that reports the losses of its armies, without being imported by it.

A module is a record (``Module``). Those that come with the program are named in ``BUILT_IN``, others are installed
packages that name one under the entry point ``tabletop.modules``. A rule set takes part by calling the functions below
at the moments they name, and by reporting every base lost to ``base_losses``; a scenario switches a module on by the
module's own options.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.errors import Broken
from tabletop.rules.common.crisis import Host
from tabletop.rules.common.data import data_of, rows_of, yaml_of
from tabletop.rules.common.keyed_option import KeyedOption
from tabletop.rules.published import loaded, published_under

#: Modules that come with the program: folder names under ``tabletop/rules``, each with a record ``MODULE``.
BUILT_IN = ("sauve-qui-peut",)
#: The group of entry points: ``my-module = "my_module.module:MODULE"``.
GROUP = "tabletop.modules"


@dataclass(frozen=True)
class Module:
    """What a module answers; what it leaves out does nothing.

    ``package`` holds its book (``rules.yaml``, ``sections.toml``), its numbers and its options (``options.toml``).
    ``counts(battle)`` returns whether it reads the losses of this battle, so that a rule set that does not count them
    for itself must. ``begin(unfolding)`` is called before the first turn opens. ``close_the_move(unfolding, host)`` is
    called at the end of each player turn and returns whether it did what a crisis of morale in the rule set's own book
    would do, which is then left out. ``over(unfolding, host)`` follows; it may end the battle, and returns whether it
    did. ``outlook(battle, side)`` says how an army stands, ``also_won(battle)`` how an army may also be beaten, as the
    end of a sentence; "" if there is nothing to say. ``memory`` are prefixes of the notes it keeps in a battle's
    memory. ``crisis`` are the options that decide on its crisis of morale, for calculators: first the one by which a
    scenario switches it on.
    """

    name: str
    title: str
    package: str
    counts: Callable[[Battle], bool] = lambda battle: False
    begin: Callable[[Unfolding], None] = lambda unfolding: None
    close_the_move: Callable[[Unfolding, Host], bool] = lambda unfolding, host: False
    over: Callable[[Unfolding, Host], bool] = lambda unfolding, host: False
    outlook: Callable[[Battle, str], str] = lambda battle, side: ""
    also_won: Callable[[Battle], str] = lambda battle: ""
    memory: tuple[str, ...] = ()
    crisis: tuple[str, ...] = ()


# --- which there are -------------------------------------------------------------------------------------------------


@cache
def published() -> Mapping[str, str]:
    """Return the modules of installed packages, sorted by name, each with the ``module:attribute`` of its record.

    >>> "sauve-qui-peut" in published()  # it is built in
    False
    """
    return {name: place for name, place in published_under(GROUP).items() if name not in BUILT_IN}


@cache
def attached() -> tuple[Module, ...]:
    """Return every module that can be loaded, built-in ones first; those that cannot are named once on stderr.

    >>> [module.title for module in attached()][:1]
    ['Sauve qui peut']
    """
    built_in = [import_module(f"tabletop.rules.{name.replace('-', '_')}.module").MODULE for name in BUILT_IN]
    for error in broken().values():
        print(f"tabletop: {error}", file=sys.stderr)
    others = [_loaded(name, place) for name, place in published().items() if name not in broken()]
    return (*built_in, *others)


@cache
def broken() -> Mapping[str, Broken]:
    """Return the errors of the published modules that cannot be loaded, by name.

    >>> "sauve-qui-peut" in broken()
    False
    """
    errors: dict[str, Broken] = {}
    for name, place in published().items():
        try:
            _loaded(name, place)
        except Broken as error:
            errors[name] = error
    return errors


def _loaded(name: str, place: str) -> Module:
    """Return a published record and read its files once, for their faults; Broken if either cannot be done."""
    return loaded(name, place, Module, ("module", "MODULE"), lambda module: _read(module.package))


def _read(package: str) -> None:
    """Read the data files of a module's package once, for their faults; the book must be there."""
    yaml_of(resources.files(package).joinpath("rules.yaml").read_text("utf-8"))
    data_of(package, "sections.toml")
    for name in ("options.toml", "rulings.toml", "tables.toml"):
        if resources.files(package).joinpath(name).is_file():
            data_of(package, name)
    _options_of(package)


def _options_of(package: str) -> dict[str, KeyedOption]:
    """Return the options of a module's package; none without the file."""
    there = resources.files(package).joinpath("options.toml").is_file()
    return rows_of(KeyedOption, data_of(package, "options.toml")) if there else {}


# --- what a rule set calls -------------------------------------------------------------------------------------------


def packages() -> tuple[str, ...]:
    """Return the packages of the modules' books and numbers, to stand before the rule set's own.

    >>> packages()[0]
    'tabletop.rules.sauve_qui_peut'
    """
    return tuple(module.package for module in attached())


def options() -> dict[str, KeyedOption]:
    """Return the options of all modules, to be added to the rule set's own.

    >>> "sauve_qui_peut" in options()
    True
    """
    return {name: option for package in packages() for name, option in _options_of(package).items()}


def memory() -> tuple[str, ...]:
    """Return the prefixes of the notes that modules keep in a battle's memory.

    >>> isinstance(memory(), tuple)
    True
    """
    return tuple(prefix for module in attached() for prefix in module.memory)


def count(battle: Battle) -> bool:
    """Return whether a module reads the losses of this battle, which then must be reported to ``base_losses``.

    >>> from tabletop.play.files.opened import open_battle
    >>> count(open_battle("last-half-hour")), count(open_battle("drill-ground"))
    (True, False)
    """
    return any(module.counts(battle) for module in attached())


def titles(battle: Battle) -> tuple[str, ...]:
    """Return the titles of the modules that a scenario switches on, so far as they read losses.

    >>> from tabletop.play.files.opened import open_battle
    >>> titles(open_battle("last-half-hour")), titles(open_battle("lancers"))
    (('Sauve qui peut',), ())
    """
    return tuple(module.title for module in attached() if module.counts(battle))


def begin(unfolding: Unfolding) -> None:
    """Begin a battle: its armies have been reported, and no turn is open yet.

    >>> from tabletop.play.files.opened import open_battle
    >>> begin(unfolding := Unfolding(open_battle("last-half-hour")))
    >>> unfolding.battle.memory["lost:french"]
    5
    """
    for module in attached():
        module.begin(unfolding)


def close_the_move(unfolding: Unfolding, host: Host) -> bool:
    """End a player turn; return whether a module stands in for a crisis of morale in the rule set's own book.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import HOST
    >>> [close_the_move(Unfolding(open_battle(name)), HOST) for name in ("last-half-hour", "lancers")]
    [True, False]
    """
    stands_in = False
    for module in attached():
        stands_in |= module.close_the_move(unfolding, host)
    return stands_in


def over(unfolding: Unfolding, host: Host) -> bool:
    """End the battle if a module says so, at the end of a player turn; return whether it ended.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.rules.ages.morale.crisis import HOST
    >>> over(Unfolding(open_battle("last-half-hour")), HOST)
    False
    """
    return any(module.over(unfolding, host) for module in attached())


def outlook(battle: Battle, side: str) -> str:
    """Return what modules say of how an army stands; "" if nothing.

    >>> from tabletop.play.files.opened import open_battle
    >>> outlook(open_battle("drill-ground"), "french")
    ''
    """
    return "; ".join(text for module in attached() if (text := module.outlook(battle, side)))


def also_won(battle: Battle) -> str:
    """Return how modules say an army may also be beaten, as the end of a sentence; "" if they do not.

    >>> from tabletop.play.files.opened import open_battle
    >>> also_won(open_battle("last-half-hour"))
    ', or have more than 50 % of its units rout or leave the table'
    """
    return "".join(module.also_won(battle) for module in attached())
