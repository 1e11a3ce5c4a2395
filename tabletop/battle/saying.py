"""Building blocks of sentences about a verdict: names of units and places, lengths with their unit, the first reason
against."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import agreeing, plain
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Reason, Verdict

#: Where the texts of reasons have an id: at the beginning or after one of these words, and before a stop, one of these
#: verbs or the end. Anywhere else an id that is an English word is the word: "the hill", "a line from the front".
_BEFORE_ID = r"(?:^|(?<![\w-])(?:behind|by|cover:|ends,|from|ground,|hill|in|of|overlook|past|through|to) )"
_AFTER_ID = r"(?=$|[,;:]|\.(?!\d)| (?:among|and|is|or|stands)\b)"


def by_name(reason: Reason, battle: Battle) -> str:
    """Return a reason's text with the ids of units and places replaced by their names.

    An id that could be an English word or a number is replaced only if the reason is about it (``feature``), only once,
    only where a sentence has an id, and not if the text already contains the name: otherwise a word such as ``line``
    stays the word.
    """
    shown_names = {p.id: p.name or plain(p.id) for p in battle.table.terrain} | {u.id: u.called for u in battle.units}
    text, about, spot = reason.text, reason.feature or "", -1
    names = {name: shown for name, shown in shown_names.items() if not _like_a_word(name)}
    if _like_a_word(about) and about in shown_names and shown_names[about] not in text:
        found = re.search(f"{_BEFORE_ID}({re.escape(about)}){_AFTER_ID}", text)
        names, spot = (names | {about: shown_names[about]}, found.start(1)) if found else (names, spot)
    if any(name in text for name in names):
        words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        text = re.sub(
            rf"(?<![\w-])({words})(?![\w-])",
            lambda match: names[match[0]] if match[0] != about or spot in (-1, match.start()) else match[0],
            text,
        )
    return agreeing(text, shown_names.values())


def _like_a_word(name: str) -> bool:
    """Return whether an id could be an English word or a number."""
    return name.isalpha() or name.replace(".", "").isdigit()


def listed(names: Sequence[str]) -> str:
    """Return names as a list in an English sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@dataclass(frozen=True)
class Saying:
    """A verdict with its battle, and the parts of sentences about it."""

    verdict: Verdict
    battle: Battle

    def name(self, id: object) -> str:  # noqa: A002 - the files' own word
        """Return the name of a unit or a piece of terrain."""
        try:
            unit = self.battle.unit(str(id))
        except BadQuestion:
            pieces = [piece.name or plain(piece.id) for piece in self.battle.table.terrain if piece.id == id]
            return pieces[0] if pieces else str(id)
        return unit.called

    @property
    def a(self) -> str:
        return self.name(self.verdict.args[0])

    @property
    def b(self) -> str:
        return self.name(self.verdict.args[1])

    @property
    def enemy(self) -> str:
        return self.name(self.verdict.options.get("from"))

    def length(self, value: Any, digits: int = 2) -> str:
        """Return a length with its unit, such as "7.42 in"; "no distance" if ``value`` is not a number."""
        return f"{value:.{digits}f} {self.battle.table.unit}" if isinstance(value, (int, float)) else "no distance"

    def place(self, point: Any) -> str:
        return f"({point[0]:.2f}, {point[1]:.2f})"

    def got(self, key: str) -> Any:
        return self.verdict.measured.get(key)

    def why_not(self) -> str:
        """Return the first reason against, as the end of a sentence."""
        against = [by_name(reason, self.battle) for reason in self.verdict.against]
        if not against:
            return "."
        return f" – {against[0]}." if ":" in against[0] else f": {against[0]}."
