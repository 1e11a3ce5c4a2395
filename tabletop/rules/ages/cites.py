"""Citing a rule set's own book: rule ids used by the family's shared functions are translated in their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tabletop.battle.event import Event, Told
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.verdict import Verdict
from tabletop.rules.ages.tables import Profile
from tabletop.rules.play import ActionKind, Choice, Odds
from tabletop.rules.rule_set import Question

Done = TypeVar("Done")


def verdict(profile: Profile, found: Verdict) -> Verdict:
    """Return a verdict whose reasons cite the rule set's own book."""
    if not profile.cites or not found.because:
        return found
    own = profile.cites
    return replace(found, because=tuple(replace(r, rule=own.get(r.rule, r.rule)) for r in found.because))


def question(profile: Profile, asked: Question) -> Question:
    """Return a question whose answers cite the rule set's own book."""
    if not profile.cites:
        return asked
    answer = asked.answer
    return replace(asked, answer=lambda battle, request: verdict(profile, answer(battle, request)))


def kind(profile: Profile, action: ActionKind) -> ActionKind:
    """Return a kind of action whose verdicts and records cite the rule set's own book."""
    if not profile.cites:
        return action
    judge = action.judge
    return replace(
        action,
        judge=lambda battle, one: verdict(profile, judge(battle, one)),
        resolve=unfolding(profile, action.resolve),
        rules=ids(profile, action.rules),
    )


def ids(profile: Profile, rules: Sequence[str]) -> tuple[str, ...]:
    """Return rule ids translated to the rule set's own book, each once."""
    return tuple(dict.fromkeys(profile.cites.get(rule, rule) for rule in rules))


def unfolding(profile: Profile, act: Callable[..., Done]) -> Callable[..., Done]:
    """Return a function that acts on an unfolding and whose records cite the rule set's own book."""
    if not profile.cites:
        return act

    def recorded(here: Unfolding, *args: Any) -> Done:
        before = len(here.events)
        done = act(here, *args)
        here.events[before:] = [_event(profile, event) for event in here.events[before:]]
        return done

    return recorded


def _event(profile: Profile, event: Event) -> Event:
    return replace(event, rules=ids(profile, event.rules)) if isinstance(event, Told) and event.rules else event


def choices(profile: Profile, menu: Sequence[Choice]) -> Sequence[Choice]:
    """Return a menu whose closed entries cite the rule set's own book."""
    return [c if c.verdict is None else replace(c, verdict=verdict(profile, c.verdict)) for c in menu]


def odds(profile: Profile, found: Odds | None) -> Odds | None:
    """Return odds whose modifiers cite the rule set's own book."""
    if found is None or not profile.cites:
        return found
    own = profile.cites
    factors = tuple(replace(f, rule=own.get(f.rule, f.rule)) for f in found.factors)
    return replace(found, factors=factors, rests_on=tuple((text, own.get(rule, rule)) for text, rule in found.rests_on))
