"""The records that define how a rule set's battles are played.

Moves are continuous, so the legal ones cannot be listed; the basic operation is to judge one action. ``suggest`` offers
a finite number of sensible actions, all of them allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Event
from tabletop.battle.progress import Decision
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Reason, Verdict


@dataclass(frozen=True)
class ActionKind:
    """One kind of action: its name and label, the functions that judge and resolve it, and what it needs.

    ``judge(battle, action)`` returns whether it may be done now, without changing anything. ``resolve(unfolding,
    action)`` carries it out and is only called if the judge allows it. ``reckon(battle, action, chance)`` returns the
    result for one course of chance, also without changing anything; None for an action that leaves nothing to chance.
    ``called(battle)`` returns a label that depends on the battle, if there is one.
    """

    name: str
    label: str
    judge: Callable[[Battle, Action], Verdict]
    resolve: Callable[[Unfolding, Action], None]
    reckon: Callable[[Battle, Action, Chance], Result] | None = None
    needs: tuple[str, ...] = ("unit",)
    rules: tuple[str, ...] = ()
    called: Callable[[Battle], str] | None = None

    def label_in(self, battle: Battle) -> str:
        """Return its label in this battle."""
        return self.label if self.called is None else self.called(battle)


@dataclass(frozen=True)
class Result:
    """The result of one course of chance: a short text, and its effects on units.

    ``family`` groups many detailed results under one heading ("the target gives way"); the end of the text, after the
    last semicolon, then distinguishes the results of a family. Rules with few results leave it empty.
    ``effects`` are plain (unit id, effect word, amount): "status:disordered", "lost", 1, "removed", "back", 6.0 ...
    ``worth`` is the value to the acting side, in bases, by the rule set's own evaluation.
    """

    text: str
    worth: float = 0.0
    effects: tuple[tuple[str, str, float], ...] = ()
    family: str = ""


@dataclass(frozen=True)
class Factor:
    """One modifier behind odds: its name, its amount, the rule it comes from, and where its number comes from."""

    name: str
    amount: float
    rule: str
    basis: str = ""
    stage: str = ""


@dataclass(frozen=True)
class Odds:
    """The exact distribution of an action's results, and every modifier behind it.

    ``rests_on`` are sentences on what it is based on, each with its rule: the odds of a combat, the range of a shot.
    ``basis`` is where the numbers come from that the results are read from, apart from the modifiers: ``source`` (the
    rulebook), ``ruling`` or ``reconstruction`` (``rules/common/basis.py``); "" if the rule set does not say.
    """

    action: Action
    results: tuple[tuple[float, Result], ...]
    factors: tuple[Factor, ...] = ()
    form: Mapping[str, Any] = field(default_factory=dict)
    rests_on: tuple[tuple[str, str], ...] = ()
    basis: str = ""


@dataclass(frozen=True)
class Choice:
    """One entry of a unit's menu: a kind of action, and why it is open or not (None: open to be tried)."""

    kind: str
    open: bool
    verdict: Verdict | None = None

    @property
    def against(self) -> tuple[Reason, ...]:
        """The reasons that close it."""
        return () if self.verdict is None else self.verdict.against


@dataclass(frozen=True)
class Adjustment:
    """An option of an action that a player sets, besides its path and its target.

    ``how`` says what the option holds: "choice", one of ``values``; "formation", one of several formations; "base", the
    number of one of the unit's bases; "facing", degrees; "bend", one angle for each base, 0 for the reference base;
    "shift", a step (x, y); "units", any of the ids in ``values``; "back", a length straight to the rear. ``usual`` is
    the default, unless the option is ``needed``; ``names`` are the labels of the values.
    """

    option: str
    label: str
    how: str
    values: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()
    usual: Any = None
    needed: bool = False


@dataclass(frozen=True)
class Reply:
    """An answer to a pending decision: its label on a button, and what it means, in a few words."""

    label: str
    meaning: str = ""


@dataclass(frozen=True)
class Play:
    """How a rule set's battles are played.

    - ``begin`` sets the clock of a new battle and carries out whatever happens first;
    - ``kinds`` are the actions; ``answers`` resolve pending decisions by their kind;
    - ``advance`` is called after every action and answer until it returns False: it carries out whatever needs no
      decision (the next phase or turn, morale checks, the end of the battle);
    - ``mover`` names the side whose action is awaited (None when the battle is over);
    - ``menu`` gives the kinds for one unit; ``groups`` the ids of the groups that may be activated now, if the rules
      have groups, and ``members`` the units of a group that are still to act;
    - ``acted`` returns whether a unit has had its action, for display;
    - ``in_turn`` returns the battle as if it were this unit's turn for a kind of action, for questions about results;
    - ``suggest`` yields allowed actions for the side to move, sensible ones first; never empty before the end;
    - ``variations`` yields further allowed actions of one unit, by id, for people to choose from; computer players do
      not consider them;
    - ``random_action`` draws one allowed action for the side to move, quickly, from all kinds;
    - ``odds`` is the exact distribution of an action, with its modifiers; None if nothing is left to chance;
    - ``worth`` is the value of a position to one side, in bases; ``prospect`` the expected value of one action;
    - ``faults`` are violated invariants of a battle between two actions (empty when all is well);
    - ``adjustments`` are the options of an action that a player may set, given those set already;
    - ``asks`` is the text of a pending decision (the text itself is not recorded);
    - ``replies`` are labels and meanings of the answers to a pending decision, if the answers need them;
    - ``driven`` names the distances a unit may be driven back, in a few words each, if the rules have any;
    - ``narrate`` returns the sentence for an event in a report, given the battle before it: "" to omit it, None to
      leave it to the default wording; ``minutes`` is how long a turn lasts on the clock;
    - ``signs`` are the texts of marks on a unit's card, "{}" standing for the value; marks without one are not shown;
    - ``ended`` are sentences, "{}" standing for the unit, on marks that the clock has taken away (``mark_until``);
      those without one go in silence;
    - ``remarks`` are further lines of a unit's card, in a few words each;
    - ``outlook`` is a sentence on an army's morale and what comes next, for the summary of its side; "" for none;
    - ``won`` is a sentence on how a battle is won, starting with what to do, for the side whose enemy is named;
    - ``lowest`` is the lowest number players read on the rules' dice: 0 for a random number in thousandths;
    - ``phases`` are the names of a turn's phases on the clock;
    - ``words`` are other words players use for kinds of action and formations, with what each may mean;
    - ``shots`` are the recorded results (``Told``) of firing, ``slain`` the ways of being removed that leave the fallen
      lying where they stood: pictures show smoke and the fallen.
    """

    kinds: Mapping[str, ActionKind]
    answers: Mapping[str, Callable[[Unfolding, Decision, str], None]]
    begin: Callable[[Unfolding], None]
    advance: Callable[[Unfolding], bool]
    mover: Callable[[Battle], str | None]
    menu: Callable[[Battle, str], Sequence[Choice]]
    suggest: Callable[[Battle], Iterable[Action]]
    random_action: Callable[[Battle, Random], Action]
    odds: Callable[[Battle, Action], Odds | None]
    worth: Callable[[Battle, str], float]
    prospect: Callable[[Battle, Action], tuple[float, str]]
    faults: Callable[[Battle], Sequence[str]]
    variations: Callable[[Battle, str], Iterable[Action]] = lambda battle, unit: ()
    groups: Callable[[Battle], Sequence[str]] = lambda battle: ()
    members: Callable[[Battle, str], Sequence[Unit]] = lambda battle, group: ()
    acted: Callable[[Battle, Unit], bool] = lambda battle, unit: bool(unit.marks.get("acted"))
    in_turn: Callable[[Battle, str, str], Battle] = lambda battle, unit, kind: battle
    adjustments: Callable[[Battle, Action], Sequence[Adjustment]] = lambda battle, action: ()
    asks: Callable[[Battle, Decision], str] = lambda battle, decision: ""
    replies: Callable[[Battle, Decision], Mapping[str, Reply]] = lambda battle, decision: {}
    driven: Callable[[Battle, Unit], Mapping[str, float]] = lambda battle, unit: {}
    narrate: Callable[[Battle, Event], str | None] = lambda battle, event: None
    minutes: float | None = None
    won: Callable[[Battle, str], str] = lambda battle, enemy: ""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shots: tuple[str, ...] = ()
    slain: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    remarks: Callable[[Battle, Unit], Sequence[str]] = lambda battle, unit: ()
    outlook: Callable[[Battle, str], str] = lambda battle, side: ""
    signs: Mapping[str, str] = field(default_factory=dict)
    ended: Mapping[str, str] = field(default_factory=dict)
    memory: tuple[str, ...] = ()
    lowest: int = 1
    phases: tuple[str, ...] = ()
