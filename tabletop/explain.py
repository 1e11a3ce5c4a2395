"""A verdict in words: the answer first, then the reasons with their rules, then the margin and the certainty."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.naming import agreeing, plain
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import GRID, bearing
from tabletop.geometry.verdict import Dependency, Margin, Reason, Verdict

_INDENT = "  "
#: By so much a shift found may be longer than the search for it: it is put on the grid of files.
AS_FOUND = 4.0 / GRID


def explain(verdict: Verdict, battle: Battle, rules: Mapping[str, str] | None = None) -> str:
    """Return the verdict as lines of text, with units and terrain called by their names.

    ``rules`` maps the name of a ruling to the rule that it reads.
    """
    said = Said(verdict, battle, rules or {})
    lines = [said.headline]
    for reason in verdict.because:
        lines += said.reason(reason, 1)
    lines += said.closeness()
    return "\n".join(lines)


def headline(verdict: Verdict, battle: Battle) -> str:
    """Return the answer alone, in one sentence or two."""
    return Said(verdict, battle).headline


def by_name(reason: Reason, battle: Battle) -> str:
    """Return a reason's text with the ids of units and places replaced by their names.

    An id that could be an English word is replaced only if the reason is about it (``feature``), and not if the text
    already contains the name: then a word such as ``line`` is taken as the word.
    """
    known = {p.id: p.name or plain(p.id) for p in battle.table.terrain} | {u.id: u.called for u in battle.units}
    text = reason.text
    names = {
        name: shown for name, shown in known.items()
        if not name.isalpha() or (name == reason.feature and not (shown != name and shown in text))
    }  # fmt: skip
    if any(name in text for name in names):
        words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        text = re.sub(rf"(?<![\w-])({words})(?![\w-])", lambda match: names[match.group()], text)
    return agreeing(text, known.values())


def turned(turn: Dependency, battle: Battle, rule: str = "") -> str:
    """Return a sentence on a ruling that the answer turns on: the rule, how it is read here, the other answer."""
    other = "yes" if turn.would_be else "no"
    read = f"{plain(turn.ruling)}: {value(battle.rulings.get(turn.ruling))}"
    return f"It turns on how {rule or 'a rule'} is read ({read}); read otherwise, {other}."


def value(of: object) -> str:
    """Return the value of a ruling in words."""
    if isinstance(of, bool):
        return "yes" if of else "no"
    return str(of)


@dataclass(frozen=True)
class Said:
    """A verdict with its battle, and the sentences about it with names in place of ids."""

    verdict: Verdict
    battle: Battle
    rules: Mapping[str, str] = field(default_factory=dict)

    # --- names and figures ---

    def name(self, id: object) -> str:  # noqa: A002 - the files' own word
        """Return what a unit or a piece of terrain is called."""
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
        """Return a length with its unit, such as "7.42 in"; "no distance" if ``value`` is no number."""
        return f"{value:.{digits}f} {self.battle.table.unit}" if isinstance(value, (int, float)) else "no distance"

    def place(self, point: Any) -> str:
        return f"({point[0]:.2f}, {point[1]:.2f})"

    def got(self, key: str) -> Any:
        return self.verdict.measured.get(key)

    # --- the answer ---

    @property
    def headline(self) -> str:
        """The answer in plain words, with the figure that decides."""
        sentence = _HEADLINES.get(self.verdict.question, _plain)(self)
        return agreeing(sentence, (unit.called for unit in self.battle.units))

    def why_not(self) -> str:
        """Return the first reason against, as the end of a sentence."""
        against = [by_name(reason, self.battle) for reason in self.verdict.against]
        if not against:
            return "."
        return f" – {against[0]}." if ":" in against[0] else f": {against[0]}."

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
                f"As wide: {_listed(wide)}."
                if verdict.closeness == Margin(verdict.holds)
                else (f"{_listed(wide)}: {self.nothing()}.")
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
        """Return up to where shorter shifts were searched for, if the search ended before it came to this one."""
        searched = self.verdict.searched
        if searched is None or shift <= searched.shift + AS_FOUND:
            return ""
        unit = self.battle.table.unit
        return f" (shorter ones were looked for up to {searched.shift:.2f} {unit} only)"

    def shift(self, value: float) -> str:
        """Return a shift that changes a fact, with its unit; one too small for two digits as "under 0.01"."""
        return self.length(value) if value >= 0.005 else f"under {self.length(0.01)}"

    def moved(self, close: Margin) -> str:
        """Return what must be moved, and which way, without how far; empty if the margin is wide."""
        return self.margin(close).partition(": ")[2] if close.shift is not None or close.turn is not None else ""

    def nothing(self, turns: bool = True) -> str:
        """Return what was searched without finding anything that changes a fact."""
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

    def tried(self) -> str:
        """Return in what steps shifts and rotations were tried that change nothing; empty where none need be."""
        searched = self.verdict.searched
        if searched is None:
            return ""
        apart = f"shifts every {_upwards(searched.apart)} {self.battle.table.unit}" if searched.apart else ""
        step = f"rotations every {_upwards(searched.step)}°" if searched.step else ""
        return f"tried: {', '.join(filter(None, (apart, step)))}" if apart or step else ""

    def fact(self, name: str, fact: Margin) -> str:
        """Return a disputed fact with its value: "frontal: yes", "cover: hard"."""
        value = self.name(fact.value) if name == "general" else fact.value
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
            yield f"Not certain: {word} in every one of {within}, but not wherever everything is off by all of it."
        else:
            yield f"Not certain: yes in {_percent(sure.share)} of {within}."


def _upwards(value: float) -> str:
    """Return a step in words, rounded up to two digits: what is tried is never closer than is said."""
    return f"{math.ceil(100.0 * value - 1e-6) / 100.0:g}"


def _states(text: str, value: float) -> bool:
    """Return whether a text contains a number."""
    return f"{value:.2f}" in text or f" {value:g}" in text


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


#: The words for eight directions, clockwise from north.
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


def _listed(names: Sequence[str]) -> str:
    """Return names as English lists them."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- one sentence a question -----------------------------------------------------------------------------------------


def _plain(said: Said) -> str:
    return "Yes." if said.verdict.holds else f"No{said.why_not()}"


def _distance(said: Said) -> str:
    gap = said.got("distance")
    if gap == 0.0:
        return f"{said.a} and {said.b} touch."
    return f"{said.a} and {said.b} are {said.length(gap)} apart, nearest edge to nearest edge."


def _los(said: Said) -> str:
    if said.verdict.holds:
        return f"Yes. {said.a} sees {said.b}: the shortest clear line is {said.length(said.got('distance'))}."
    names = list(dict.fromkeys(said.name(id) for id in said.verdict.blockers))  # noqa: A001
    way = f": {_listed(names)} {'is' if len(names) == 1 else 'are'} in the way" if names else ""
    return f"No. {said.a} does not see {said.b}{way}."


def _arc(said: Said) -> str:
    if said.verdict.holds:
        return f"Yes. Part of {said.b} lies in {said.a}'s arc of fire, bearing {said.got('bearing'):.1f} degrees."
    return f"No. {said.b} lies outside {said.a}'s arc of fire{said.why_not()}"


def _fire(said: Said) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not fire at {said.b}{said.why_not()}"
    cover = said.got("cover") or "none"
    covered = "no cover" if cover == "none" else f"{cover} cover"
    return f"Yes. {said.a} may fire at {said.b}: range {said.length(said.got('range'))}, {covered}."


def _zone(said: Said) -> str:
    inside = [said.name(id) for id in said.got("units") or ()]  # noqa: A001
    if not inside:
        return f"No enemy stands in {said.a}'s zone of control."
    return f"{_listed(inside)} {'stands' if len(inside) == 1 else 'stand'} in {said.a}'s zone of control."


def _move(said: Said) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not make this move{said.why_not()}"
    cost, allowed = said.got("cost"), said.got("allowed")
    if cost is None or allowed is None:
        return f"Yes. {said.a} may do this."
    return f"Yes. {said.a} may make this move: it costs {cost:.2f} of {said.length(allowed)}."


def _reach(said: Said) -> str:
    area = next((reason.measured for reason in said.verdict.because if reason.measured is not None), None)
    ground = (
        f"{area:.1f} square {said.battle.table.unit} of ground" if area is not None else "the ground in the diagram"
    )
    return f"{said.a} can end its move, by the middle of its front, anywhere on {ground}."


def _assault(said: Said) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not assault {said.b}{said.why_not()}"
    cost, reach = said.got("cost"), said.got("reach")
    way = "frontally" if said.got("frontal") else "in flank or rear"
    price = f": it costs {cost:.2f} of {said.length(reach)}" if cost is not None and reach is not None else ""
    return f"Yes. {said.a} may assault {said.b} {way}{price}."


def _breakthrough(said: Said) -> str:
    if not said.verdict.holds:
        return f"No. {said.a} may not break through to {said.b}{said.why_not()}"
    cost, left = said.got("cost"), said.got("left")
    return f"Yes. {said.a} may break through and assault {said.b}: it costs {cost:.2f} of {said.length(left)} left."


def _fallback(said: Said) -> str:
    distance = said.length(said.verdict.options.get("distance"))
    if not said.verdict.holds:
        if said.got("result") == "leaves":
            return f"No. {said.a} leaves the table in falling back {distance} from {said.enemy}{said.why_not()}"
        return f"No. {said.a} cannot fall back {distance} from {said.enemy} and surrenders{said.why_not()}"
    at, front = said.got("at"), said.got("front_mid")
    where = f", its centre to {said.place(at)}" if at else ""
    where += f", the middle of its front to {said.place(front)}" if front else ""
    return f"Yes. {said.a} falls back {distance} from {said.enemy}{where}."


def _command(said: Said) -> str:
    general, gap = said.got("general"), said.got("distance")
    if general is None:
        return f"No{said.why_not()}"
    where = f"{said.name(general)} is {said.length(gap)} away"
    if said.verdict.holds:
        return f"Yes. {said.a} is within command: {where}."
    return f"No. {said.a} is out of command: {where}."


def _cover(said: Said) -> str:
    by = " against an assault" if said.verdict.options.get("assault") else ""
    if said.verdict.holds:
        return f"Yes. {said.a} has {said.got('cover')} cover from {said.enemy}{by}."
    return f"No. {said.a} has no cover from {said.enemy}{by}."


_HEADLINES: dict[str, Callable[[Said], str]] = {
    "distance": _distance,
    "los": _los,
    "arc": _arc,
    "fire": _fire,
    "zone": _zone,
    "move": _move,
    "reach": _reach,
    "assault": _assault,
    "breakthrough": _breakthrough,
    "fallback": _fallback,
    "command": _command,
    "cover": _cover,
}
