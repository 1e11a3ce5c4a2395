"""The cure for a word that a rule set lacks: the nearest of its own, and which other rule sets have it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules import registry
from tabletop.rules.rule_set import RuleSet


def cure(noun: str, word: object, words: Collection[str], words_of: Callable[[RuleSet], Collection[object]]) -> str:
    """Return the cure for a word that is none of ``words``: the nearest, or all there are and whose it is.

    >>> cure("troop", "frigate", ("infantry", "cavalry"), lambda rules: rules.vocabulary.get("troop", ()))
    "there are: infantry, cavalry ('frigate' is a troop of Age of Sail)"
    """
    note = whose(noun, word, words_of)
    return did_you_mean("" if note else str(word), words) + note


def whose(noun: str, word: object, words_of: Callable[[RuleSet], Collection[object]]) -> str:
    """Return a note naming the rule sets whose ``words_of(rules)`` hold a word; "" if none does.

    >>> whose("troop", "frigate", lambda rules: rules.vocabulary.get("troop", ()))
    " ('frigate' is a troop of Age of Sail)"
    """
    titles = [rules.title for rules in registry.loadable() if word in words_of(rules)]
    if not titles:
        return ""
    several = f"{', '.join(titles[:-1])} and {titles[-1]}" if titles[1:] else titles[0]
    article = "an" if noun[:1] in "aeiou" else "a"
    return f" ('{clip(word)}' is {article} {noun} of {several})"
