"""A verdict in words: the answer first, then the reasons with their rules, then the margin and the certainty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tabletop.battle.battle import Battle
from tabletop.battle.naming import agreeing, plain
from tabletop.battle.saying import Saying, by_name, listed
from tabletop.geometry.measure import GRID, bearing
from tabletop.geometry.verdict import Dependency, Margin, Reason, Verdict
from tabletop.rules import rule_set
from tabletop.rules.asked import CHIEF

_INDENT = "  "
#: How much longer a shift may be than the search that found it, since it is rounded to the grid of files.
AS_FOUND = 4.0 / GRID


def explain(verdict: Verdict, battle: Battle, rules: Mapping[str, str] | None = None) -> str:
    """Return the verdict as lines of text, with units and terrain called by their names.

    ``rules`` maps the name of a ruling to the rule that it reads.
    """
    sentences = VerdictText(verdict, battle, rules or {})
    lines = [sentences.headline]
    for reason in verdict.because:
        lines += sentences.reason(reason, 1)
    lines += sentences.closeness()
    return "\n".join(lines)


def headline(verdict: Verdict, battle: Battle) -> str:
    """Return the answer alone, in one or two sentences."""
    return VerdictText(verdict, battle).headline


def turned(turn: Dependency, battle: Battle, rule: str = "") -> str:
    """Return a sentence on a ruling that decides the answer: the rule, how it is read here, the other answer."""
    opposite = "yes" if turn.would_be else "no"
    read = f"{plain(turn.ruling)}: {value(battle.rulings.get(turn.ruling))}"
    return f"It turns on how {rule or 'a rule'} is read ({read}); read otherwise, {opposite}."


def value(of: object) -> str:
    """Return the value of a ruling in words."""
    if isinstance(of, bool):
        return "yes" if of else "no"
    return str(of)


@dataclass(frozen=True)
class VerdictText(Saying):
    """A verdict with its battle, and the sentences about it with names in place of ids."""

    rules: Mapping[str, str] = field(default_factory=dict)

    # --- the answer ---

    @property
    def headline(self) -> str:
        """The answer in plain words, with the figure that decides."""
        sentence = rule_set.find(self.battle.rules).wording(self.verdict.question).headline(self)
        return agreeing(sentence, (unit.called for unit in self.battle.units))

    # --- the reasons ---

    def reason(self, reason: Reason, depth: int) -> Iterator[str]:
        """Yield a reason and its parts, one a line."""
        mark = "yes" if reason.holds else "no "
        yield f"{_INDENT * depth}{mark}  {reason.rule}  {by_name(reason, self.battle)}{self._figures(reason)}"
        for part in reason.parts:
            yield from self.reason(part, depth + 2)

    def _figures(self, reason: Reason) -> str:
        """Return the measurement and the limit, each unless the sentence states it already."""
        figures = []
        if reason.measured is not None and not _states(reason.text, reason.measured):
            figures.append(f"measured {_short(reason.measured)}")
        if reason.limit is not None and not _states(reason.text, reason.limit):
            figures.append(f"limit {_short(reason.limit)}")
        return f" ({', '.join(figures)})" if figures else ""

    # --- how close, how sure ---

    def closeness(self) -> Iterator[str]:
        """Yield the sentences about the margin, the rulings and the certainty."""
        yield from self._margin()
        yield from self._rulings()
        yield from self._certainty()
        if self.verdict.unproved_after:
            yield (
                f"Not proved: a search for a sight line ended after {self.verdict.unproved_after:,} bundles of lines; "
                "one that only it could have found may be missing."
            )

    def _margin(self) -> Iterator[str]:
        verdict = self.verdict
        if verdict.closeness is None:
            return
        yield f"Margin: {self.margin(verdict.closeness)}."
        for name, fact in verdict.attributes.items():
            if fact.shift is not None or fact.turn is not None:
                yield f"{self.fact(name, fact)}: margin {self.margin(fact)}."
        wide = [self.fact(name, fact) for name, fact in verdict.attributes.items() if fact == Margin(fact.value)]
        wide = [words if k == 0 else words[:1].lower() + words[1:] for k, words in enumerate(wide)]
        if wide:
            yield (
                f"As wide: {listed(wide)}."
                if verdict.closeness == Margin(verdict.holds)
                else (f"{listed(wide)}: {self.nothing()}.")
            )
        if verdict.too_close:
            yield "Too close for a tape measure to tell: the answer stands as measured, but do not fight over it."

    def margin(self, close: Margin) -> str:
        """Return a margin in words: how far, and of what; or what was searched without success."""
        shift, turn = close.shifted, close.turned
        if shift is not None and close.shift is not None and shift.shift is not None:
            way = _COMPASS[round(bearing(*shift.shift) / 45.0) % 8]
            words = f"{self.shift(close.shift)}: {self.name(shift.id)} {_slightly(close.shift)}farther {way}"
            words += self._in_part(close.shift)
            if turn is None or close.turn is None:
                return words
            whose = "" if turn.id == shift.id else f" of {self.name(turn.id)}"
            return f"{words}; or {_degrees(close.turn)} of rotation{whose}"
        if turn is not None and close.turn is not None and turn.turn is not None:
            way = "clockwise" if turn.turn > 0 else "anticlockwise"
            words = f"{_degrees(close.turn)} of rotation: {self.name(turn.id)} turned {way}"
            return f"{words}; {self.nothing(turns=False)}"
        return f"wide: {self.nothing()}"

    def _in_part(self, shift: float) -> str:
        """Return how far shorter shifts were searched for, if the search ended before it reached this one."""
        searched = self.verdict.searched
        if searched is None or shift <= searched.shift + AS_FOUND:
            return ""
        unit = self.battle.table.unit
        return f" (shorter ones were looked for up to {searched.shift:.2f} {unit} only)"

    def shift(self, value: float) -> str:
        """Return a shift that changes a fact, with its unit; one too small for two digits as "under 0.01"."""
        return self.length(value) if value >= 0.005 else f"under {self.length(0.01)}"

    def moved(self, close: Margin) -> str:
        """Return what must be moved, and which way, but not how far; empty if the margin is wide."""
        return self.margin(close).partition(": ")[2] if close.shift is not None or close.turn is not None else ""

    def nothing(self, turns: bool = True) -> str:
        """Return which shifts and rotations were searched without finding one that changes a fact."""
        searched = self.verdict.searched
        if searched is None or not searched.shift:
            return "nothing was searched"
        things = "one unit or piece of terrain" if searched.pieces else "one unit"
        unit = self.battle.table.unit
        apart = f", tried every {_upwards(searched.apart)} {unit}" if searched.apart else ""
        words = f"no shift of any {things} by up to {searched.shift:g} {unit}{apart}"
        if not turns or not searched.turn:
            return f"{words}{',' if apart else ''} changes it"
        step = f", tried every {_upwards(searched.step)}°" if searched.step else ""
        return f"{words}, and no rotation by up to {searched.turn:g}°{step}{',' if step else ''} changes it"

    def search_steps(self) -> str:
        """Return the steps in which shifts and rotations that change nothing were tried; "" if none were needed."""
        searched = self.verdict.searched
        if searched is None:
            return ""
        apart = f"shifts every {_upwards(searched.apart)} {self.battle.table.unit}" if searched.apart else ""
        step = f"rotations every {_upwards(searched.step)}°" if searched.step else ""
        return f"tried: {', '.join(filter(None, (apart, step)))}" if apart or step else ""

    def fact(self, name: str, fact: Margin) -> str:
        """Return a disputed fact with its value: "frontal: yes", "cover: hard"."""
        value = self.name(fact.value) if name == CHIEF else fact.value
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        words = f"{name.replace('_', ' ')} {text}"
        return words[:1].upper() + words[1:]

    def _rulings(self) -> Iterator[str]:
        for turn in self.verdict.depends_on:
            yield turned(turn, self.battle, self.rules.get(turn.ruling, ""))

    def _certainty(self) -> Iterator[str]:
        sure = self.verdict.certainty
        if sure is None:
            return
        shift, turn = self.verdict.options.get("error", (0.0, 0.0))
        things = "thing" if sure.moved == 1 else "things"
        error = f"{shift:g} {self.battle.table.unit} and {turn:g} degrees"
        within = f"{sure.placements} placements of {sure.moved} {things} within {error}"
        if sure.certain:
            yield f"Certain: {'yes' if sure.share else 'no'} in every one of {within}."
        elif self.verdict.unproved_after and sure.share in (0.0, 1.0):
            yield f"Not certain: {'yes' if sure.share else 'no'} in every one of {within}, but not all was searched."
        elif sure.share in (0.0, 1.0):
            word = "yes" if sure.share else "no"
            yield f"Not certain: {word} in every one of {within}, but some extreme placements change it."
        else:
            yield f"Not certain: yes in {_percent(sure.share)} of {within}."


def _upwards(value: float) -> str:
    """Return a step in words, rounded up to two digits, so that it is never stated finer than it was."""
    return f"{math.ceil(100.0 * value - 1e-6) / 100.0:g}"


def _states(text: str, value: float) -> bool:
    """Return whether a text contains a number."""
    return f"{value:.2f}" in text or f" {value:g}" in text


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


#: The words for the eight directions, clockwise from north.
_COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
#: A shift below this, in table units, is called slight.
_SLIGHT = 0.25


def _slightly(shift: float) -> str:
    return "slightly " if shift < _SLIGHT else ""


def _degrees(turn: float) -> str:
    return f"{turn:.1f}°" if turn < 10.0 else f"{turn:.0f}°"


def _percent(share: float) -> str:
    if 0.0 < share < 0.005 or 0.995 < share < 1.0:
        return "under 1 %" if share < 0.5 else "over 99 %"
    return f"{share:.0%}".replace("%", " %")
