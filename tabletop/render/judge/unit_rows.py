"""The rows of the panel that say what a unit is: side, quality, formation, state, bases, front."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.play.files.draft import Row
from tabletop.play.files.troop_register import counts_for, fronts_for, words_for
from tabletop.render.judge.desk import JudgeDesk
from tabletop.render.judge.form import Choose, Part
from tabletop.render.judge.placing import SIDES, spoken
from tabletop.rules import rule_set


def troops_in_hand(desk: JudgeDesk) -> list[Part]:
    placing, row = desk.placing, {**desk.placing.unit, "id": "new", "side": "x", "at": (0.0, 0.0)}
    sides = tuple((side, spoken(side)) for side in dict.fromkeys((*desk.draft.sides, *SIDES)))
    return [Choose("Side", "hand:side", sides, placing.side), *unit_rows(desk, row, "hand")]


def unit_rows(desk: JudgeDesk, row: Row, word: str) -> list[Part]:
    """Return a choice for each key that a unit's rules have a use for."""
    rules, rulings = rule_set.find(desk.draft.rules), desk.battle.rulings
    rows: list[Part] = []
    for key, label in (("quality", "Quality"), ("formation", "Formation"), ("status", "State"), ("rank", "Rank")):
        words = words_for(rules, rulings, row, key)
        if len(words) > 1:
            now = str(row.get(key) or usual_word(key, words))
            rows.append(Choose(label, f"{word}:{key}", tuple((w, _state(w)) for w in words), now))
    counts, fronts = counts_for(rules, rulings, row), fronts_for(rules, rulings, row)
    if len(counts) > 1:
        rows.append(Choose("Bases", f"{word}:bases", tuple((str(n), str(n)) for n in counts), str(row["bases"])))
    if fronts:
        now = str(row.get("front") or "")
        options = (("", "usual"), *((str(n), f"{n} wide") for n in fronts))
        rows.append(Choose("Front", f"{word}:front", options, now))
    return rows


def _state(word: str) -> str:
    return "In good order" if word == "ok" else spoken(word)


def usual_word(key: str, words: Sequence[str]) -> str:
    """Return the word that is meant where a row says none."""
    usual = {"quality": "average", "status": "ok", "rank": "division"}.get(key, "")
    return usual if usual in words else words[0]
