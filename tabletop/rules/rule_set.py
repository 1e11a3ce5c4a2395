"""A rule set as a record of functions and tables; ``find`` returns one by its name.

A new rule set is a new record; no code branches on a rule set's name. ``questions`` maps each question to the function
that answers it; ``muster`` makes a unit from its entry in a file.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.asked import Wording, usual
from tabletop.rules.common.data import data_of, rows_of
from tabletop.rules.common.environment import Wind
from tabletop.rules.common.looks import Looks
from tabletop.rules.common.vessel import Vessel
from tabletop.rules.published import loaded, published

if TYPE_CHECKING:
    from tabletop.rules.calculator import Calculator
    from tabletop.rules.play import Play

#: Rule sets that come with the program: folder names under ``tabletop/rules``, each with a record ``RULES``.
BUILT_IN = ("tse", "realm-of-chance", "destiny", "reason", "gloire", "glaube", "sail")
#: All rule sets: the built-in ones, and published ones (``published.py``), which cannot take a built-in name.
NAMES = (*BUILT_IN, *(name for name in published() if name not in BUILT_IN))


#: How units are drawn if their rules do not say.
USUAL_LOOKS = Looks()


@dataclass(frozen=True)
class Ruling:
    """A named choice where the rules can be read in more than one way."""

    name: str
    rule: str
    values: tuple[Any, ...]
    default: Any
    meaning: str
    questions: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()

    def may_turn(self, question: str, holds: bool, now: Any) -> bool:
        """Return whether a value other than ``now`` could change an answer, given whether it ``holds``.

        Changed from its default, a ruling that only ``opens`` cannot turn a yes into a no, and one that only ``closes``
        cannot turn a no into a yes. Changed back to the default, it is the other way round.
        """
        if question not in self.questions:
            return False
        safe = self.opens if holds == (now == self.default) else self.closes
        return question not in safe


@dataclass(frozen=True, eq=False)
class Shifted:
    """A series of questions that shift one unit: the unit where it stood at first (``home``), and a shared cache.

    Everything else stays the same, so a result that covers many shifts (in ``kept``) need not be computed again.
    """

    home: Unit
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """A question as asked: its arguments (unit ids) and its options by name (docs: settling a dispute)."""

    question: str
    args: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def brief(self) -> bool:
        """True if only ``holds`` is wanted: proof, pictures and measured values may be left out."""
        return bool(self.options.get("brief"))

    def briefly(self, hints: Sequence[Any] = (), shifted: Shifted | None = None) -> Request:
        """Return the same question with only ``holds`` wanted; ``hints`` are lines that proved a yes to similar ones.

        ``shifted`` marks it as one of a series of questions that differ only in where one unit stands.
        """
        return replace(self, options={**self.options, "brief": True, "hints": tuple(hints), "shifted": shifted})


@dataclass(frozen=True)
class Influence:
    """The zone of influence of an answer: the ground where terrain, and where units, can change it (None: none can).

    Both include all ground that the unit asked about covers wherever it is shifted to. ``minds(thing)`` returns whether
    a thing there matters at all. ``one_way(thing, r)`` returns whether a unit or a piece of terrain, anywhere within
    ``r`` of where it stands, only hinders or only helps, the more so the more ground it covers. ``opens(thing)``
    returns whether it lets others through, or decides by where its edge lies, so that growing it proves nothing.
    ``facts`` has smaller zones for single facts. ``proofs`` has the ground that proves the value of a fact, which
    cannot change while the units asked about stay and no outline of anything else enters that ground. ``by`` names
    another fact if this one may change and change back as more ground is covered: it is the same for all in between
    only if that other fact is the same with a thing grown and shrunk. ``seen_from(unit, r)`` returns the point from
    which a unit that is shifted by up to r, or turned, matters only by the direction of its centre-point; None for
    other units. ``helps(piece)`` returns whether a piece of terrain can never, wherever it lies, make a fact false that
    is true without it. ``settled(thing)`` returns whether a thing cannot change the fact wherever it is, all else being
    equal; it need not be tried, and counts as tried. ``fixed`` are facts that no shift or turn of anything changes.
    ``lone`` has the ground of the path that gives a fact its value because it is the first legal one: a thing that
    opens nothing, and without which that path is still the first, changes the fact only if it enters that ground.
    """

    terrain: BaseGeometry | None = None
    units: BaseGeometry | None = None
    minds: Callable[[Unit | Terrain], bool] = lambda thing: True
    one_way: Callable[[Unit | Terrain, float], bool] = lambda thing, r: False
    opens: Callable[[Unit | Terrain], bool] = lambda thing: True
    facts: Mapping[str, Influence] = field(default_factory=dict)
    proofs: Mapping[str, BaseGeometry] = field(default_factory=dict)
    by: str = ""
    seen_from: Callable[[Unit, float], Point | None] = lambda unit, r: None
    helps: Callable[[Terrain], bool] = lambda piece: False
    settled: Callable[[Unit | Terrain], bool] = lambda thing: False
    fixed: tuple[str, ...] = ()
    lone: Mapping[str, BaseGeometry] = field(default_factory=dict)


def _holds_only(verdict: Verdict) -> Mapping[str, Any]:
    """Return no facts besides whether the answer holds."""
    return {}


def _not_surely(battle: Battle, request: Request, far: float) -> bool:
    return False


def _not_known(battle: Battle, request: Request) -> bool | None:
    return None


def _turns(battle: Battle, request: Request, verdict: Verdict, ruling: str, value: Any) -> bool:
    """Return True: any value of any ruling may change an answer."""
    return True


@dataclass(frozen=True)
class Facts:
    """Some facts of an answer by name, such as "holds", and the line or path that proves a yes, if known."""

    values: Mapping[str, Any]
    witness: tuple[Any, ...] | None = None


@dataclass(frozen=True)
class Question:
    """How a rule set answers one question.

    ``answer`` gives a verdict without margin, rulings or certainty; the judge finds those by asking it again.
    ``units`` is the number of unit arguments. ``flips`` is False if the answer always holds, so that no margin exists.
    ``grows`` are the unit arguments that the option ``grown`` (id and r) grows by r all round, or shrinks: a unit
    shifted by up to r covers its shrunk footprint, and is covered by its grown one. ``loosens`` are those for which the
    option ``loose`` (id and r) asks a weaker question: it holds if any shift up to r makes the answer hold, and may
    hold if none does. ``shrinks`` are those that can be shrunk, but not grown. ``unmoved`` are rules that depend on
    nothing that a shift changes. ``hopeless(battle, request, far)`` returns whether no shift of one thing by up to
    ``far`` can make the answer hold, or the facts ``hopeless_too``. ``dear`` is the cost of an answer relative to one
    about sight, used to share out the effort of searches for a margin.
    ``turns(battle, request, verdict, ruling, value)`` may return False if the verdict shows that this value of a
    ruling leaves the answer unchanged, which saves asking again.
    ``attributes(verdict)`` are the further facts that players dispute, by name, each with a margin of its own.
    ``facts(battle, request, wanted)`` returns the wanted ones (and "holds"), and perhaps others, for a brief request:
    the same values by the same rules, without proof. Without it the whole answer is asked for.
    ``surely(battle, request)`` returns whether the full answer holds if that is certain without proof, else None.
    ``influence(battle, request, verdict, far)`` returns the zone of influence if the units asked about may be shifted
    by up to ``far``. Without it anything may change the answer. ``wording`` is how the question and its answers are
    worded; without it the default wording for its name is used.
    """

    answer: Callable[[Battle, Request], Verdict]
    units: int
    flips: bool = True
    grows: tuple[int, ...] = ()
    loosens: tuple[int, ...] = ()
    shrinks: tuple[int, ...] = ()
    unmoved: tuple[str, ...] = ()
    hopeless: Callable[[Battle, Request, float], bool] = _not_surely
    hopeless_too: tuple[str, ...] = ()
    dear: float = 1.0
    turns: Callable[[Battle, Request, Verdict, str, Any], bool] = _turns
    attributes: Callable[[Verdict], Mapping[str, Any]] = _holds_only
    facts: Callable[[Battle, Request, Collection[str]], Facts] | None = None
    surely: Callable[[Battle, Request], bool | None] = _not_known
    influence: Callable[[Battle, Request, Verdict, float], Influence] | None = None
    wording: Wording | None = None


class MusterError(ValueError):
    """A unit's entry is wrong; the error names the ``key`` at fault, the reason and the cure."""

    def __init__(self, key: str, text: str) -> None:
        self.key = key
        super().__init__(text)


@dataclass(frozen=True)
class Option:
    """A choice a scenario makes for a whole battle (its block ``game: options``).

    It is one of ``values``, or a number from ``low`` to ``high``; with ``by_side`` it may be given for each side by
    name. A ``bearing`` says where something lies or comes from, so it changes if the table is mirrored.
    """

    name: str
    rule: str
    meaning: str
    default: Any
    values: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    by_side: bool = False
    bearing: bool = False

    def fault(self, value: Any) -> str | None:
        """Return what is wrong with a value, and the cure; None if it is one of those allowed."""
        if self.values:
            right = any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in self.values)
            words = " or ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)
            return None if right else f"it must be {words}"
        low, high = self.low or 0.0, self.high if self.high is not None else 1e6
        right = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
        return None if right else f"it must be a number from {low:g} to {high:g}"


def entry_at_edge(entry: Mapping[str, Any], at: tuple[float, float], facing: float) -> dict[str, Any]:
    """Return the entry of a unit that arrives later, with the middle of its front (a general's centre) at ``at``.

    ``at`` is (east, north) in table units, ``facing`` in degrees. This default keeps the formation of the entry.

    >>> entry_at_edge({"id": "a", "troop": "infantry"}, (0.0, 12.0), 90.0)
    {'id': 'a', 'troop': 'infantry', 'front_mid': (0.0, 12.0), 'facing': 90.0}
    """
    unplaced = {key: value for key, value in entry.items() if key not in ("at", "front_mid", "track", "facing")}
    if entry.get("troop") == "general":
        return {**unplaced, "at": at}
    return {**unplaced, "front_mid": at, "facing": facing}


def no_vessel(unit: Unit) -> Vessel | None:
    """Return None, for rules whose units are not ships."""
    return None


def no_wind(battle: Battle) -> Wind | None:
    """Return None, for rules without wind."""
    return None


def nobody_endangered(battle: Battle, unit: Unit) -> Mapping[str, BaseGeometry]:
    """Return no ground, for rules that only measure."""
    return {}


@dataclass(frozen=True)
class RuleSet:
    """The record every rule set fills in.

    ``vocabulary`` gives the words allowed for each unit key (troop, quality, formation, status, rank).
    ``muster(entry, rulings)`` returns the unit of an ``entry`` (with the keys of files) or raises MusterError.
    ``actions(unit)`` are the kinds of move it may make (values of the option ``as``), the default first; those in
    ``on_the_spot`` change its formation where it stands and have no reach. ``play()`` returns the ``Play`` record,
    imported at the first battle; None for rules that only measure. ``calculator()`` returns the rules' calculator for
    players with real miniatures, if there is one. ``options`` are what a scenario may choose for a battle.
    ``arriving(entry, at, facing)`` returns the entry of a unit still to come, for mustering it at the point of the
    table's edge where it will enter. ``versions`` number the rules as played here, and the model of chance if there is
    one, from 1; a number rises with every change that might give a saved game another outcome, and a saved game records
    the versions it was played under. ``endangered(battle, unit)`` returns an outer approximation of the ground (table
    units) where a unit could hit an enemy in its next turn, by ``assault`` and by ``fire``.
    ``vessel(unit)`` returns how a ship looks from above, ``wind(battle)`` the wind if the rules have one.
    ``charge`` names the question whether a unit may charge another, which also measures whether the charge is frontal.
    ``looks`` says how units are drawn. ``ways`` has label and hint for the button of a kind of move, if its name alone
    does not do. Kinds in ``shifts`` are on the spot but may shift the unit a little.
    ``profile`` holds what a family of rule sets needs to know of its members: numbers, and what differs.
    ``packages`` hold its book (``rules.yaml``, ``sections.toml``) and its numbers; empty means its own folder only.
    """

    name: str
    title: str
    unit: str
    rulings: Mapping[str, Ruling]
    vocabulary: Mapping[str, tuple[str, ...]]
    muster: Callable[[Mapping[str, Any], Mapping[str, Any]], Unit]
    actions: Callable[[Unit], tuple[str, ...]]
    questions: Mapping[str, Question]
    play: Callable[[], Play] | None = None
    calculator: Callable[[], Calculator] | None = None
    on_the_spot: tuple[str, ...] = ()
    options: Mapping[str, Option] = field(default_factory=dict)
    arriving: Callable[[Mapping[str, Any], tuple[float, float], float], Mapping[str, Any]] = entry_at_edge
    versions: Mapping[str, int] = field(default_factory=lambda: {"rules": 1})
    endangered: Callable[[Battle, Unit], Mapping[str, BaseGeometry]] = nobody_endangered
    vessel: Callable[[Unit], Vessel | None] = no_vessel
    wind: Callable[[Battle], Wind | None] = no_wind
    charge: str = ""
    looks: Looks = field(default_factory=Looks)
    ways: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    shifts: tuple[str, ...] = ()
    profile: Any = None
    packages: tuple[str, ...] = ()

    def ruling_values(self, chosen: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return every ruling's value, ``chosen`` replacing defaults; BadQuestion for an unknown name or value."""
        values = {name: ruling.default for name, ruling in self.rulings.items()}
        for name, value in (chosen or {}).items():
            if name not in self.rulings:
                near = difflib.get_close_matches(name, self.rulings, 1)
                raise BadQuestion(f"no ruling '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
            allowed = self.rulings[name].values
            if not any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in allowed):
                raise BadQuestion(f"ruling '{name}' cannot be {value!r}; one of: {', '.join(map(str, allowed))}")
            values[name] = value
        return values

    @property
    def data_packages(self) -> tuple[str, ...]:
        """The packages of the rule set's book and numbers, its own last."""
        return self.packages or (f"tabletop.rules.{self.name.replace('-', '_')}",)

    def wording(self, name: str) -> Wording:
        """Return the wording of a question, or of the kind of action a verdict is about."""
        own = self.questions[name].wording if name in self.questions else None
        return own or usual(name)

    def way(self, action: str) -> tuple[str, str]:
        """Return the label and hint of a kind of move."""
        return self.ways.get(action, (action.replace("-", " ").capitalize(), action))

    def question(self, name: str) -> Question:
        """Return the question of this name; BadQuestion, with the nearest name, if these rules do not answer it."""
        if name in self.questions:
            return self.questions[name]
        near = difflib.get_close_matches(name, self.questions, 1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; there are: {', '.join(self.questions)}"
        raise BadQuestion(f"no question '{name}'{hint}")


def late(path: str) -> Callable[..., Any]:
    """Return the function ``module:name``, imported at its first call, so that a cold judge loads only one question.

    >>> late("tabletop.geometry.measure:compass_point")(90.0)
    'E'
    """
    module, name = path.split(":")
    return lambda *asked: getattr(import_module(module), name)(*asked)


def read_rulings(package: str) -> dict[str, Ruling]:
    """Return the rulings of a rule set from its ``rulings.toml``.

    >>> sorted(read_rulings("tabletop.rules.tse"))[:2]
    ['assault_bars', 'assault_free_turn']
    """
    return rows_of(Ruling, data_of(package, "rulings.toml"))


def read_options(package: str) -> dict[str, Option]:
    """Return the options a scenario may choose for a battle from a rule set's ``options.toml``.

    >>> sorted(read_options("tabletop.rules.tse"))[:1]
    ['column_assault']
    """
    return rows_of(Option, data_of(package, "options.toml"))


@cache
def find(name: str) -> RuleSet:
    """Return the rule set of this name ("tse"); BadQuestion, with the nearest name, if there is none.

    Raises Broken if it is a published one that cannot be loaded.

    >>> find("tse").title
    'There Stand Empires'
    """
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are: {', '.join(NAMES)}"
        raise BadQuestion(f"no rule set '{name}'; {hint}")
    if name in BUILT_IN:
        record: RuleSet = import_module(f"tabletop.rules.{name.replace('-', '_')}.rule_set").RULES
        return record
    return loaded(name, published()[name], RuleSet, ("rule set", "RULES"))


def looks_of(unit: Unit) -> Looks:
    """Return how a unit's own rules say it is drawn; the default for a unit without rules.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("starter")
    >>> looks_of(battle.unit("lambert")).rank(battle.unit("lambert"))
    3
    """
    return find(unit.rules).looks if unit.rules else USUAL_LOOKS
