"""The traits that an entry of a unit or of terrain names, checked by the words of its rule set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.whose import cure, whose
from tabletop.rules import registry
from tabletop.rules.rule_set import RuleSet
from tabletop.rules.traits import TERRAIN, UNIT, traits_of

#: What faults call a trait of each kind of thing.
_NOUNS = {UNIT: "trait of units", TERRAIN: "trait of terrain"}


def trait_faults(words: Sequence[str], rules: RuleSet, what: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each wrong trait in an entry's list with what is wrong and the cure.

    ``what`` is ``UNIT`` or ``TERRAIN``. A trait of other rule sets is refused by naming them.

    >>> from tabletop.rules.rule_set import find
    >>> list(trait_faults(["work"], find("destiny"), TERRAIN))
    [(0, "traits: 'work' is no trait of terrain in Age of Destiny; did you mean 'works'?")]
    """
    known, noun = traits_of(rules, what), _NOUNS[what]
    for k, word in enumerate(words):
        if not known:
            note = whose(noun, word, lambda other: traits_of(other, what)) or _other(word, rules, what)
            kind = "units" if what == UNIT else "terrain"
            yield k, f"traits: {rules.title} has no traits of {kind}; take '{clip(word)}' out{note}"
        elif word not in known:
            near = cure(noun, word, known, lambda other: traits_of(other, what))
            note = "" if "(" in near else _other(word, rules, what)
            yield k, f"traits: '{clip(word)}' is no {noun} in {rules.title}; {near}{note}"
        elif word in words[:k]:
            yield k, f"traits: '{clip(word)}' is named twice; name it once"


def unknown_traits(words: Sequence[str], what: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each trait that no rule set has, with what is wrong and the cure: for a map without rules."""
    known = [name for rules in registry.loadable() for name in traits_of(rules, what)] if words else []
    for k, word in enumerate(words):
        if word not in known:
            yield k, f"traits: '{clip(word)}' is no {_NOUNS[what]} of any rules; {did_you_mean(word, known)}"


def _other(word: str, rules: RuleSet, what: str) -> str:
    """Return a note if a word is a trait of the rules for the other kind of thing: units instead of terrain."""
    other = TERRAIN if what == UNIT else UNIT
    return f" ('{clip(word)}' is a {_NOUNS[other]})" if word in traits_of(rules, other) else ""
