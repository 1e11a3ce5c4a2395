"""What every rule set that can be played must keep, whatever its rules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache

import pytest

from tabletop.battle.action import ANSWER
from tabletop.battle.battle import Battle
from tabletop.battle.codec import action_data, action_of, state_hash
from tabletop.play.computer.choice import answers
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.engine import begin, judge, mover, play_of, submit
from tabletop.rules import rule_set
from tests.games.positions import GENERATORS, position, small

PLAYED = [name for name in rule_set.NAMES if rule_set.find(name).play is not None]
#: Every so many actions of a random game its position is looked at.
STRIDE = 12
#: Up to so many generated positions are played until something is asked in the middle of an action.
MOST = 60


@cache
def moments(rules: str) -> tuple[Battle, ...]:
    """Return positions from the middle of random games of a rule set, pending decisions among them."""
    names = [f"{rules}:{k}" for k in range(3)] if rules in GENERATORS else []
    names += [name for name in small() if position(name).rules == rules]
    found = [battle for name in names for battle in _moments(name)]
    further = range(3, MOST if rules in GENERATORS else 3)
    while not any(battle.pending for battle in found) and further:
        found += [battle for battle in _moments(f"{rules}:{further[0]}") if battle.pending]
        further = further[1:]
    return tuple(found)


def _moments(name: str) -> Iterator[Battle]:
    random, battle = RandomMover(11), begin(position(name), 11).battle
    for number in range(400):
        if mover(battle) is None:
            return
        if battle.pending or number % STRIDE == 0:
            yield battle
        battle = submit(battle, random.choose(battle).action).battle


@pytest.mark.parametrize("rules", PLAYED)
def test_every_rule_set_can_be_drawn_from(rules: str) -> None:
    """There are generated positions for it, so that random games test it."""
    assert rules in GENERATORS


@pytest.mark.parametrize("rules", PLAYED)
def test_action_kinds(rules: str) -> None:
    """Every kind of action has a judge, a resolver, a label and its own name."""
    record = rule_set.find(rules)
    assert record.play is not None
    play = record.play()
    for name, kind in play.kinds.items():
        assert kind.name == name != ANSWER
        assert callable(kind.judge) and callable(kind.resolve) and kind.label


@pytest.mark.parametrize("rules", PLAYED)
def test_every_suggestion_is_allowed(rules: str) -> None:
    """What the rule set suggests its own judge allows, there is always something, and judging changes nothing."""
    for battle in moments(rules):
        before = state_hash(battle)
        suggested = list(answers(battle) if battle.pending else play_of(battle).suggest(battle))
        assert suggested, f"nothing to do for {mover(battle)} at {battle.clock}"
        for action in suggested:
            verdict = judge(battle, action)
            assert verdict.holds, (action, verdict.because)
            assert action_of(action_data(action)) == action
        assert state_hash(battle) == before


@pytest.mark.parametrize("rules", PLAYED)
def test_every_decision_can_be_answered(rules: str) -> None:
    """Whatever is asked in the middle of an action has a resolver for each of its choices, and leads on."""
    asked = [battle for battle in moments(rules) if battle.pending]
    assert asked
    for battle in asked:
        assert battle.pending[0].kind in play_of(battle).answers
        for action in answers(battle):
            assert submit(battle, action).events


@pytest.mark.parametrize("rules", PLAYED)
def test_every_refusal_cites_a_rule(rules: str) -> None:
    """A kind of action closed to a unit says why, and which rule says so."""
    closed = 0
    for battle in moments(rules):
        side = mover(battle)
        if battle.pending or side is None:
            continue
        for unit in battle.side(side):
            for choice in play_of(battle).menu(battle, unit.id):
                if choice.open:
                    continue
                closed += 1
                assert choice.verdict is not None, (choice.kind, unit.id)
                against = [reason for reason in choice.verdict.because if not reason.holds]
                assert against and all(reason.rule and reason.text for reason in against), choice
    assert closed


@pytest.mark.parametrize("rules", PLAYED)
def test_odds_are_whole(rules: str) -> None:
    """The distribution of every suggested action that leaves something to chance sums to one."""
    seen = 0
    for number, battle in enumerate(moments(rules)):
        if battle.pending or (seen and number % 2):
            continue  # every other position, and any until one has odds
        play = play_of(battle)
        for action in play.suggest(battle):
            odds = play.odds(battle, action)
            worth, _ = play.prospect(battle, action)
            assert math.isfinite(worth)
            if odds is None:
                continue
            seen += 1
            assert math.isclose(sum(p for p, _ in odds.results), 1.0, abs_tol=1e-9), action
            assert all(factor.name and factor.rule for factor in odds.factors)
    assert seen


@pytest.mark.parametrize("rules", PLAYED)
def test_rulings_are_switches(rules: str) -> None:
    """Every named ruling has a default among at least two values, and says what it means."""
    for ruling in rule_set.find(rules).rulings.values():
        assert len(ruling.values) >= 2 and ruling.default in ruling.values
        assert ruling.meaning and ruling.rule
