"""The rows of the panel that describe a unit: side, quality, formation, state, bases, front."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tabletop.battle.unit import ORDERLY
from tabletop.play.files.draft import Row
from tabletop.play.files.troop_register import counts_for, fronts_for, words_for
from tabletop.render.judge.controller import JudgeController
from tabletop.render.judge.form import Choose, Part
from tabletop.render.judge.placing import SIDES, spoken
from tabletop.rules import rule_set
from tabletop.rules.rule_set import RuleSet

#: The keys of a unit's row that are chosen from words, and their labels.
KEYS = {"quality": "Quality", "formation": "Formation", "status": "State", "rank": "Rank"}


def troops_in_hand(controller: JudgeController) -> list[Part]:
    placing, row = controller.placing, {**controller.placing.unit, "id": "new", "side": "x", "at": (0.0, 0.0)}
    sides = tuple((side, spoken(side)) for side in dict.fromkeys((*controller.draft.sides, *SIDES)))
    return [Choose("Side", "hand:side", sides, placing.side), *unit_rows(controller, row, "hand")]


def unit_rows(controller: JudgeController, row: Row, word: str) -> list[Part]:
    """Return a choice for each key that a unit's rules use."""
    taken = _taken(controller.draft.rules, _written(controller.battle.rulings), _written(row))
    rows: list[Part] = []
    for key, label in KEYS.items():
        words = taken.words[key]
        if len(words) > 1:
            now = str(row.get(key) or usual_word(rule_set.find(controller.draft.rules), key, words))
            rows.append(Choose(label, f"{word}:{key}", tuple((w, _state(w)) for w in words), now))
    if len(taken.counts) > 1:
        counts = tuple((str(n), str(n)) for n in taken.counts)
        rows.append(Choose("Bases", f"{word}:bases", counts, str(row["bases"])))
    if taken.fronts:
        now = str(row.get("front") or "")
        options = (("", "usual"), *((str(n), f"{n} wide") for n in taken.fronts))
        rows.append(Choose("Front", f"{word}:front", options, now))
    return rows


@dataclass(frozen=True)
class _Taken:
    """The values a row may have: the words for each key, the numbers of bases, and of those in front."""

    words: Mapping[str, tuple[str, ...]]
    counts: tuple[int, ...]
    fronts: tuple[int, ...]


@lru_cache(maxsize=64)
def _taken(rules_name: str, rulings: str, row: str) -> _Taken:
    """Return the values a row may have; cached, because every frame needs it and it checks some sixty rows."""
    rules, ruled, own = rule_set.find(rules_name), json.loads(rulings), json.loads(row)
    words = {key: words_for(rules, ruled, own, key) for key in KEYS}
    return _Taken(words, counts_for(rules, ruled, own), fronts_for(rules, ruled, own))


def _written(values: Mapping[str, Any]) -> str:
    return json.dumps(dict(values), sort_keys=True)


def _state(word: str) -> str:
    return "In good order" if word == ORDERLY else spoken(word)


def usual_word(rules: RuleSet, key: str, words: Sequence[str]) -> str:
    """Return the word that applies if a row gives none."""
    usual = {"status": ORDERLY, **rules.looks.usual}.get(key, "")
    return usual if usual in words else words[0]
