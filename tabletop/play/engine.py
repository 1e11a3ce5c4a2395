"""The engine: an action is judged, resolved into events, and folded into the next battle, for every kind of player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.battle.event import Event, Settled, Thrown
from tabletop.battle.progress import Setup
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion, Illegal
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.thought import Thought
from tabletop.rules import rule_set
from tabletop.rules.common.ruled import ruled
from tabletop.rules.play import Play

#: Automatic steps allowed after one action; more mean that a rule set never stops advancing.
MOST_ADVANCES = 10_000


@dataclass(frozen=True)
class Step:
    """One action done: the verdict that allowed it (None for the beginning), what happened, and the battle after it.

    ``under`` holds the versions of rules and model it was played under, None for those of this program; ``thought``
    says why a computer player did it, None for a person's actions.
    """

    action: Action | None
    verdict: Verdict | None
    events: tuple[Event, ...]
    battle: Battle
    under: Mapping[str, int] | None = None
    thought: Thought | None = None

    @property
    def thrown(self) -> bool:
        """Return whether any die was thrown, in which case the step cannot be undone."""
        return any(isinstance(event, Thrown) for event in self.events)

    @property
    def kept(self) -> Step:
        """This step as a record keeps it: only the verdict's answer and reasons, without its shapes and values."""
        full = self.verdict
        if full is None:
            return self
        return replace(self, verdict=Verdict(full.question, full.args, full.rules, full.holds, because=full.because))


def play_of(battle: Battle) -> Play:
    """Return how battles of these rules are played; BadQuestion if they can only be measured."""
    rules = rule_set.find(battle.rules)
    if rules.play is None:
        raise BadQuestion(f"{rules.title} can be measured here, not played yet")
    return rules.play()


def begin(battle: Battle, seed: int, chance: Chance | None = None) -> Step:
    """Return the beginning of a battle as laid out: the clock at its first turn, and what happens before any action."""
    play = play_of(battle)
    unfolding = Unfolding(opened(battle, seed), chance)
    play.begin(unfolding)
    _advance(play, unfolding)
    return Step(None, None, tuple(unfolding.events), unfolding.battle)


def opened(battle: Battle, seed: int) -> Battle:
    """Return a battle as laid out with its seed and the order of its sides, before anything has happened."""
    setup = battle.setup if battle.setup.sides else replace(battle.setup, sides=_sides(battle.setup, battle))
    return replace(battle, seed=seed, setup=setup)


def _sides(setup: Setup, battle: Battle) -> tuple[str, ...]:
    """Return the sides in the order of play: the attacker's first, then by name."""
    sides = {unit.side for unit in (*battle.units, *battle.awaited)}
    return tuple(sorted(sides, key=lambda side: (side != setup.attacker, side)))


def judge(battle: Battle, action: Action) -> Verdict:
    """Return whether an action may be done now, with the rule for every reason, without changing anything.

    Raises BadQuestion for an action that makes no sense: an unknown kind or unit.
    """
    play = play_of(battle)
    against = _out_of_turn(play, battle, action)
    if against is not None:
        return ruled(battle, action, (against,))
    if action.kind == ANSWER:
        return _answer_verdict(battle, action)
    if action.kind not in play.kinds:
        raise BadQuestion(f"no action '{action.kind}'; there are: {', '.join(play.kinds)}")
    return play.kinds[action.kind].judge(battle, action)


def submit(battle: Battle, action: Action, chance: Chance | None = None) -> Step:
    """Return the step that an action leads to; Illegal, with the verdict, if the rules do not allow it."""
    verdict = judge(battle, action)
    if not verdict.holds:
        why = "; ".join(reason.text for reason in verdict.against)
        raise Illegal(f"{action.kind} is not allowed: {why}", verdict)
    play = play_of(battle)
    unfolding = Unfolding(battle, chance)
    if action.kind == ANSWER:
        _answer(play, unfolding, str(action.options["choice"]))
    else:
        play.kinds[action.kind].resolve(unfolding, action)
    _advance(play, unfolding)
    return Step(action, verdict, tuple(unfolding.events), unfolding.battle)


def proceed(unfolding: Unfolding) -> None:
    """Carry out everything that needs no decision, as is done after every action."""
    _advance(play_of(unfolding.battle), unfolding)


def follow(battle: Battle, action: Action, verdict: Verdict | None, events: tuple[Event, ...]) -> Step:
    """Return the step that ``submit`` took from this battle in another process, by folding its events."""
    return Step(action, verdict, events, fold(battle, events))


def _answer(play: Play, unfolding: Unfolding, choice: str) -> None:
    decision = unfolding.battle.pending[0]
    unfolding.happen(Settled(choice))
    play.answers[decision.kind](unfolding, decision, choice)


def _advance(play: Play, unfolding: Unfolding) -> None:
    for _ in range(MOST_ADVANCES):
        if unfolding.battle.over or unfolding.battle.pending or not play.advance(unfolding):
            return
    raise RuntimeError("the rule set never stops advancing")


def _out_of_turn(play: Play, battle: Battle, action: Action) -> Reason | None:
    """Return why this side may not act or answer now, whatever the action; None if it may."""
    if battle.over:
        return Reason("", False, "the battle is over")
    if battle.pending:
        decision = battle.pending[0]
        if action.kind != ANSWER or action.side != decision.side:
            return Reason("", False, f"{decision.side} must first answer: {asked(battle)}")
        return None
    if action.kind == ANSWER:
        return Reason("", False, "nothing has been asked")
    mover = play.mover(battle)
    if mover is None:
        return Reason("", False, "the battle has not begun")
    if action.side != mover:
        return Reason("", False, f"it is for {mover} to act, not for {action.side}")
    return None


def _answer_verdict(battle: Battle, action: Action) -> Verdict:
    decision, choice = battle.pending[0], action.options.get("choice")
    reason = Reason("", choice in decision.choices, f"'{choice}' is one of: {', '.join(decision.choices)}")
    return ruled(battle, action, (reason,))


def asked(battle: Battle) -> str:
    """Return the pending question in words; an older saved game brings its own wording."""
    decision = battle.pending[0]
    return decision.text or play_of(battle).asks(battle, decision) or decision.kind.replace("-", " ")


def may_act(battle: Battle, side: str) -> tuple[Unit, ...]:
    """Return the units of a side to which some action is open now, under rules without groups.

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = begin(open_battle("drill-ground"), 1).battle
    >>> [unit.id for unit in may_act(battle, "french")]
    ['french-guns']
    """
    play = play_of(battle)
    return tuple(unit for unit in battle.side(side) if any(choice.open for choice in play.menu(battle, unit.id)))


def mover(battle: Battle) -> str | None:
    """Return the side that must act or answer now, None once the battle is over."""
    if battle.over:
        return None
    return battle.pending[0].side if battle.pending else play_of(battle).mover(battle)
