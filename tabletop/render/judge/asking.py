"""A question put by clicking: which it is, what has been clicked for it, and the options typed beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.play.engine import play_of
from tabletop.play.files.draft import entered
from tabletop.play.requests import read_options, text_number, text_numbers
from tabletop.play.workers.judge_worker import Answer, Errand
from tabletop.rules import rule_set
from tabletop.rules.asked import Role, Wording
from tabletop.rules.play import Adjustment

#: Options that shape the formation a move assumes: label and hint of the line to type in; those of several numbers.
SHAPING = {
    "ranks": ("Ranks", "(such as 2,1,1)"),
    "head": ("Head", "(number of a base, from 0)"),
    "ref": ("Fixed base", "(its number, from 0)"),
    "place": ("Its place", "(from the left, from 0)"),
    "shift": ("Shift", "(such as 0,0.5)"),
    "bend": ("Bend", "(such as 10,0,-10)"),
}
LISTED = ("ranks", "shift", "bend")

UNITS = ("unit", "from", "after")


#: The error of a table that was measured with care by hand: inches and degrees.
MEASURED, TURNED = 0.125, 2.0
PER_INCH = {"in": 1.0, "mm": 25.4, "cm": 2.54}
#: How far a unit falls back unless another length is typed, in inches.
FALLS = 6.0


def answered(rules: str) -> list[str]:
    """Return the questions a rule set answers that can be put by clicking, in the order of the buttons."""
    found = rule_set.find(rules)
    return [name for name in found.questions if found.wording(name).steps]


@dataclass
class Asking:
    """The question in hand. ``clicked`` are unit ids and points; ``extras`` what is typed or ticked, as text.

    ``rules`` are those that answer it, by name; ``way`` the points a way leads by; ``kept`` says that what is clicked
    is left from the question before.
    """

    rules: str
    question: str
    clicked: list[str | Point] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)
    answer: Answer | None = None
    waits: bool = False
    way: list[Point] = field(default_factory=list)
    kept: bool = False

    @property
    def wording(self) -> Wording:
        """How the question is put."""
        return rule_set.find(self.rules).wording(self.question)

    @property
    def steps(self) -> tuple[tuple[Role, str], ...]:
        """What has to be clicked; a change of formation where it stands goes nowhere."""
        steps = self.wording.steps
        return steps[:1] if self.extras.get("on_the_spot") else steps

    @property
    def complete(self) -> bool:
        """Whether everything is clicked."""
        return len(self.clicked) >= len(self.steps)

    @property
    def wanted(self) -> tuple[Role, str] | None:
        """What is to be clicked next, and the words that ask for it."""
        return None if self.complete else self.steps[len(self.clicked)]

    @property
    def units(self) -> list[str]:
        """The units clicked, in order."""
        return [name for name in self.clicked if isinstance(name, str)]

    def ask(self, question: str) -> None:
        """Turn to another question; units clicked for the last one stay where they fit."""
        before, self.question, self.answer = self.units, question, None
        self.extras.pop("on_the_spot", None)
        self.clicked, self.way = [], []
        for (role, _), name in zip(self.wording.steps, before, strict=False):
            if role not in UNITS:
                break
            self.clicked.append(name)
        self.kept = bool(self.clicked)

    def take(self, unit: str | None, point: Point, by: bool = False) -> bool:
        """Take a click on a unit or on bare ground; return whether it was of use. It begins anew after the last.

        ``by`` makes it a point the way leads by. A click on the first unit kept from the question before only confirms
        it.
        """
        if self.complete:
            self.clicked, self.way, self.answer = [], [], None
        confirmed, self.kept = self.kept and unit is not None and self.clicked[:1] == [unit], False
        if confirmed:
            self.clicked = self.clicked[:1]
            return True
        assert self.wanted is not None
        role, _ = self.wanted
        if role == "to" and by:
            at = entered(point)
            self.way.append((at[0], at[1]))
            return True
        if role in UNITS:
            if unit is None or (unit in self.clicked and not self._beaten_again(unit)):
                return False
            self.clicked.append(unit)
            return True
        at = entered(point)
        self.clicked.append((at[0], at[1]))
        return True

    def _beaten_again(self, unit: str) -> bool:
        """Return whether a click names the enemy just beaten as the next target (TSE-ASL-71)."""
        named = {role: name for (role, _), name in zip(self.steps, self.clicked, strict=False)}
        return self.wanted is not None and self.wanted[0] == "unit" and named.get("after") == unit

    def forget(self, gone: Battle) -> None:
        """Drop what was clicked of units that are no longer on the table."""
        if not all(gone.has(name) for name in self.units):
            self.clicked, self.way = [], []
        self.answer = None

    def errand(self, battle: Battle) -> Errand:
        """Return the question for the clerk; BadQuestion for an option that cannot be read."""
        roles: list[str] = [role for role, _ in self.steps]
        named = dict(zip(roles, self.clicked, strict=False))
        args = tuple(
            name for (role, _), name in zip(self.steps, self.clicked, strict=False)
            if role == "unit" and isinstance(name, str)
        )  # fmt: skip
        ends: dict[str, Any] = {key: named[key] for key in ("start", "end") if key in named}
        given: dict[str, Any] = {key: named[key] for key in ("from", "after", "to") if key in named}
        if self.way and "to" in given:
            turns = [self.extras["pivots"]] if self.extras.get("pivots") else []
            given["path"] = [[*point, *turns] for point in (*self.way, given.pop("to"))]
        typed = {key: READERS[key](self, battle) for key in (*self.wording.extras, "sure")}
        typed |= {tick.option: True for tick in self.wording.ticks if self.extras.get(tick.option)}
        options = {key: value for key, value in {**given, **_flat(typed)}.items() if value is not None}
        return Errand(("ask",), self.question, args, read_options(options) | ends, full=True)

    def unit(self, battle: Battle) -> Unit | None:
        """Return the first unit clicked."""
        return battle.unit(self.units[0]) if self.units else None

    def actions(self, battle: Battle) -> tuple[str, ...]:
        """Return the ways the unit clicked may move; those a reach is asked of go somewhere."""
        unit, rules = self.unit(battle), rule_set.find(battle.rules)
        if unit is None:
            return ()
        ways = rules.actions(unit)
        return tuple(way for way in ways if way not in rules.on_the_spot) if self.question == "reach" else ways

    def chosen_action(self, battle: Battle) -> str | None:
        """Return the way of moving that is chosen, the first unless said; None without a unit."""
        ways, chosen = self.actions(battle), self.extras.get("as")
        return chosen if chosen in ways else ways[0] if ways else None

    def shaping(self, battle: Battle) -> tuple[Adjustment, ...]:
        """Return what shapes the formation the move assumes, of what can be typed (``SHAPING``)."""
        return tuple(one for one in self.adjustments(battle) if one.option in SHAPING)

    def adjustments(self, battle: Battle) -> tuple[Adjustment, ...]:
        """Return what can be set of the move asked about."""
        unit, action, play = self.unit(battle), self.chosen_action(battle), rule_set.find(battle.rules).play
        if unit is None or action is None or play is None or not {"as", "shaped"} <= set(self.wording.extras):
            return ()
        return tuple(play_of(battle).adjustments(battle, Action(action, unit.side, unit.id)))


def _flat(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return options in which those that come as several are side by side with the others."""
    found: dict[str, Any] = {}
    for key, value in typed.items():
        found |= value if isinstance(value, dict) else {key: value}
    return found


def _number(asking: Asking, name: str, label: str) -> float | None:
    text = asking.extras.get(name, "").strip().replace(",", ".")
    if not text:
        return None
    try:
        return text_number(name, text)
    except BadQuestion:
        raise BadQuestion(f"{label}: '{text}' is no number") from None


def _action(asking: Asking, battle: Battle) -> dict[str, Any]:
    """Return the way of moving; one that goes nowhere names its reference base, and its facing unless one is typed."""
    unit = asking.unit(battle)
    action = asking.chosen_action(battle)
    if action is None or unit is None or action not in rule_set.find(battle.rules).on_the_spot:
        return {"as": action}
    return {"as": action, "ref": unit.reference}


def _shaped(asking: Asking, battle: Battle) -> dict[str, Any]:
    """Return what is typed of the formation assumed."""
    found: dict[str, Any] = {}
    for one in asking.shaping(battle):
        typed = asking.extras.get(one.option, "").strip().replace(" ", ",")
        if typed:
            numbers = text_numbers(one.option, typed)
            found[one.option] = numbers if one.option in LISTED else numbers[0]
    return found


def _facing(asking: Asking, _: Battle) -> float | None:
    return _number(asking, "facing", "Facing")


def _distance(asking: Asking, battle: Battle) -> float:
    found = _number(asking, "distance", "Distance")
    return falls(battle) if found is None else found


def falls(battle: Battle) -> float:
    """Return how far a unit falls back unless another length is typed, in the table's unit."""
    return FALLS * PER_INCH[battle.table.unit] * battle.scale


def _sure(asking: Asking, battle: Battle) -> dict[str, Any]:
    wanted = bool(asking.extras.get("sure"))
    return {"error": [MEASURED * PER_INCH[battle.table.unit] * battle.scale, TURNED]} if wanted else {}


#: How each option is read from what is typed or ticked.
READERS = {
    "as": _action,
    "facing": _facing,
    "distance": _distance,
    "shaped": _shaped,
    "sure": _sure,
}
