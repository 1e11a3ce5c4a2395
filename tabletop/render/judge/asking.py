"""A question asked by clicking: which question, what has been clicked, and the options typed beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.play.engine import play_of
from tabletop.play.files.draft import entered
from tabletop.play.requests import read_options, text_number, text_numbers
from tabletop.play.workers.judge_worker import Answer, JudgeRequest
from tabletop.rules import rule_set
from tabletop.rules.asked import Role, Wording
from tabletop.rules.play import Adjustment

#: Options for the formation that a move assumes: label and hint of the entry; below, those with several numbers.
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


#: The measuring error of a carefully measured real table: inches and degrees.
MEASURED, TURNED = 0.125, 2.0
#: Default distance of a fall-back, in inches.
FALLS = 6.0


def answered(rules: str) -> list[str]:
    """Return the questions of a rule set that can be asked by clicking, in the order of the buttons."""
    ruleset = rule_set.find(rules)
    return [name for name in ruleset.questions if ruleset.wording(name).steps]


@dataclass
class Asking:
    """The question in hand. ``clicked`` are unit ids and points; ``extras`` are the typed or ticked options, as text.

    ``rules`` is the rule set that answers it, by name; ``way`` the points that a path passes; ``kept`` whether the
    clicks are left from the previous question.
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
        """The wording of the question."""
        return rule_set.find(self.rules).wording(self.question)

    @property
    def steps(self) -> tuple[tuple[Role, str], ...]:
        """What has to be clicked; a change of formation on the spot has no destination."""
        steps = self.wording.steps
        return steps[:1] if self.extras.get("on_the_spot") else steps

    @property
    def complete(self) -> bool:
        """Whether everything has been clicked."""
        return len(self.clicked) >= len(self.steps)

    @property
    def wanted(self) -> tuple[Role, str] | None:
        """What has to be clicked next, with the words that ask for it."""
        return None if self.complete else self.steps[len(self.clicked)]

    @property
    def units(self) -> list[str]:
        """The units clicked, in order."""
        return [name for name in self.clicked if isinstance(name, str)]

    def ask(self, question: str) -> None:
        """Switch to another question, keeping clicked units where they fit."""
        before, self.question, self.answer = self.units, question, None
        self.extras.pop("on_the_spot", None)
        self.clicked, self.way = [], []
        for (role, _), name in zip(self.wording.steps, before, strict=False):
            if role not in UNITS:
                break
            self.clicked.append(name)
        self.kept = bool(self.clicked)

    def take(self, unit: str | None, point: Point, by: bool = False) -> bool:
        """Use a click on a unit or on bare ground; return whether it fitted. After the last click it starts over.

        With ``by`` it is a point that the path passes. A click on the first unit kept from the previous question only
        confirms it.
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
        """Drop the clicks on units that are no longer on the table."""
        if not all(gone.has(name) for name in self.units):
            self.clicked, self.way = [], []
        self.answer = None

    def request(self, battle: Battle) -> JudgeRequest:
        """Return the question for the worker; BadQuestion for an unreadable option."""
        roles: list[str] = [role for role, _ in self.steps]
        named = dict(zip(roles, self.clicked, strict=False))
        args = tuple(
            name for (role, _), name in zip(self.steps, self.clicked, strict=False)
            if role == "unit" and isinstance(name, str)
        )  # fmt: skip
        given: dict[str, Any] = {key: named[key] for key in named if key != "unit"}
        if self.way and "to" in given:
            turns = [self.extras["pivots"]] if self.extras.get("pivots") else []
            given["path"] = [[*point, *turns] for point in (*self.way, given.pop("to"))]
        typed = {key: READERS[key](self, battle) for key in (*self.wording.extras, "sure")}
        typed |= {tick.option: True for tick in self.wording.ticks if self.extras.get(tick.option)}
        options = {key: value for key, value in {**given, **_flat(typed)}.items() if value is not None}
        return JudgeRequest(("ask",), self.question, args, read_options(options), full=True)

    def unit(self, battle: Battle) -> Unit | None:
        """Return the first clicked unit."""
        return battle.unit(self.units[0]) if self.units else None

    def actions(self, battle: Battle) -> tuple[str, ...]:
        """Return the ways in which the clicked unit may move; for a reach, only those with a path."""
        unit, rules = self.unit(battle), rule_set.find(battle.rules)
        if unit is None:
            return ()
        ways = rules.actions(unit)
        return tuple(way for way in ways if way not in rules.on_the_spot) if self.question == "reach" else ways

    def chosen_action(self, battle: Battle) -> str | None:
        """Return the chosen way of moving, by default the first; None without a unit."""
        ways, chosen = self.actions(battle), self.extras.get("as")
        return chosen if chosen in ways else ways[0] if ways else None

    def shaping(self, battle: Battle) -> tuple[Adjustment, ...]:
        """Return the adjustments of the assumed formation that can be typed (``SHAPING``)."""
        return tuple(adjustment for adjustment in self.adjustments(battle) if adjustment.option in SHAPING)

    def adjustments(self, battle: Battle) -> tuple[Adjustment, ...]:
        """Return the adjustments of the move asked about."""
        unit, action, play = self.unit(battle), self.chosen_action(battle), rule_set.find(battle.rules).play
        if unit is None or action is None or play is None or not {"as", "shaped"} <= set(self.wording.extras):
            return ()
        return tuple(play_of(battle).adjustments(battle, Action(action, unit.side, unit.id)))


def _flat(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with nested ones merged into the others."""
    options: dict[str, Any] = {}
    for key, value in typed.items():
        options |= value if isinstance(value, dict) else {key: value}
    return options


def _number(asking: Asking, name: str, label: str) -> float | None:
    text = asking.extras.get(name, "").strip().replace(",", ".")
    if not text:
        return None
    try:
        return text_number(name, text)
    except BadQuestion:
        raise BadQuestion(f"{label}: '{text}' is no number") from None


def _action(asking: Asking, battle: Battle) -> dict[str, Any]:
    """Return the way of moving; one without a path also gets the unit's reference base."""
    unit = asking.unit(battle)
    action = asking.chosen_action(battle)
    if action is None or unit is None or action not in rule_set.find(battle.rules).on_the_spot:
        return {"as": action}
    return {"as": action, "ref": unit.reference}


def _shaped(asking: Asking, battle: Battle) -> dict[str, Any]:
    """Return the options typed for the assumed formation."""
    options: dict[str, Any] = {}
    for adjustment in asking.shaping(battle):
        typed = asking.extras.get(adjustment.option, "").strip().replace(" ", ",")
        if typed:
            numbers = text_numbers(adjustment.option, typed)
            options[adjustment.option] = numbers if adjustment.option in LISTED else numbers[0]
    return options


def _facing(asking: Asking, _: Battle) -> float | None:
    return _number(asking, "facing", "Facing")


def _distance(asking: Asking, battle: Battle) -> float:
    distance = _number(asking, "distance", "Distance")
    return falls(battle) if distance is None else distance


def falls(battle: Battle) -> float:
    """Return the default distance of a fall-back, in the table's unit."""
    return FALLS * inch(battle.table)


def _sure(asking: Asking, battle: Battle) -> dict[str, Any]:
    wanted = bool(asking.extras.get("sure"))
    return {"error": [MEASURED * inch(battle.table), TURNED]} if wanted else {}


#: The function that reads each option from what is typed or ticked.
READERS = {
    "as": _action,
    "facing": _facing,
    "distance": _distance,
    "shaped": _shaped,
    "sure": _sure,
}
