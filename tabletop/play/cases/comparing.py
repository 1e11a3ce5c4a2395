"""Compare the outcome of a case with what it expects: one sentence per difference, each beginning with the key."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tabletop.battle.codec import plain
from tabletop.battle.event import Told
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import heading
from tabletop.play.cases.models import CaseRow, ExpectRow
from tabletop.play.cases.outcome import Outcome
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.rules import rule_set
from tabletop.rules.common.data import data_of

#: Numbers agree within this, and chances within the other.
NEAR, NEAR_CHANCE = 0.001, 0.0005
#: Stands for a missing value.
NOTHING = "nothing"
#: Expectations not of one outcome: a scene that is refused, and what is reckoned over every throw.
APART = frozenset({"refused", "chance", "mean"})


def differences(row: CaseRow, outcome: Outcome) -> Iterator[str]:
    """Yield how the outcome of a case differs from what is expected; BadQuestion for a key that cannot be compared."""
    wanted = row.expect
    for key in wanted.model_fields_set - APART:
        yield from _COMPARERS[key](key, getattr(wanted, key), outcome)


def _differs(key: str, wanted: Any, got: Any) -> Iterator[str]:
    """Yield the differences between two plain values; in blocks only the expected keys are compared."""
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        for name, value in wanted.items():
            yield from _differs(f"{key}.{name}", value, got.get(name))
    elif isinstance(wanted, Sequence) and isinstance(got, Sequence) and not isinstance(wanted, str):
        if len(wanted) != len(got):
            yield f"{key}: expected {_shown(wanted)}, got {_shown(got)}"
            return
        for k, (one, other) in enumerate(zip(wanted, got, strict=True)):
            yield from _differs(f"{key}[{k}]", one, other)
    elif not _alike(wanted, got):
        yield f"{key}: expected {_shown(wanted)}, got {_shown(got)}"


def _alike(a: Any, b: Any) -> bool:
    if _number(a) and _number(b):
        return math.isclose(a, b, rel_tol=0.0, abs_tol=NEAR)
    return bool(a == b) and isinstance(a, bool) == isinstance(b, bool)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    return NOTHING if value is None else clip(repr(value), 120)


Comparer = Callable[[str, Any, Outcome], Iterator[str]]


def _holds(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    if outcome.verdict is None:
        raise BadQuestion(f"expect: '{key}' needs a question, or an action")
    yield from _differs(key, wanted, outcome.verdict.holds)


def _rules(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    if outcome.verdict is None:
        raise BadQuestion(f"expect: '{key}' needs an action that is judged")
    broken_rules = sorted({reason.rule for reason in outcome.verdict.because if not reason.holds})
    yield from _differs(key, sorted(wanted), broken_rules)


def _measured(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    measured = outcome.verdict.as_json()["measured"] if outcome.verdict is not None else {}
    yield from _differs(key, wanted, plain(measured))


def _records(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    for heading_, expected in wanted.items():
        records = [_record(event) for event in outcome.events if isinstance(event, Told) and event.what == heading_]
        if isinstance(expected, list):
            yield from _differs(f"{key}.{heading_}", expected, records)
        else:
            yield from _differs(f"{key}.{heading_}", expected, records[0] if records else None)


def _record(event: Told) -> dict[str, Any]:
    return {"unit": event.unit, "target": event.target, "rules": list(event.rules), **plain(event.values)}


def _units(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    for name, expected in wanted.items():
        unit = outcome.battle.unit(name) if outcome.battle.has(name) else None
        facts = None if unit is None else unit_facts(unit)
        if expected is not None and facts is not None:
            for word in expected:
                if word not in facts:
                    raise BadQuestion(f"expect: units.{name}: no key '{clip(word)}'; {did_you_mean(word, facts)}")
        yield from _differs(f"{key}.{name}", expected, facts)


def unit_facts(unit: Unit) -> dict[str, Any]:
    """Return the facts of a unit that a case may expect.

    ``bases`` is their number, ``size`` the width and depth relative to the unit's facing, ``marks`` those it carries.
    """
    return {
        "side": unit.side,
        "troop": unit.troop,
        "quality": unit.quality,
        "status": unit.status,
        "formation": unit.formation,
        "facing": unit.facing,
        "bases": unit.strength,
        "at": list(unit.at),
        "front_mid": list(unit.front_mid),
        "size": _size(unit),
        "marks": plain(unit.marks),
    }


def _size(unit: Unit) -> list[float]:
    (fx, fy), corners = heading(unit.facing), [c for base in unit.bases for c in base.polygon.exterior.coords]
    across = [x * fy - y * fx for x, y, *_ in corners]
    along = [x * fx + y * fy for x, y, *_ in corners]
    return [max(across) - min(across), max(along) - min(along)]


def _state(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    """Compare a part of the battle: memory, scores, clock, outcome."""
    yield from _differs(key, wanted, plain(getattr(outcome.battle, key)))


def _thrown(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    yield from _differs(key, wanted, list(outcome.thrown))


def _odds(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    if outcome.odds is None:
        raise BadQuestion("expect: 'odds' needs an action in which something is left to chance")
    chances: dict[str, float] = {}
    for chance, result in outcome.odds.results:
        chances[result.text] = chances.get(result.text, 0.0) + chance
    for text, chance in wanted.items():
        if text not in chances:
            yield f"{key}: no result '{clip(text)}'; there are: {', '.join(chances)}"
        elif abs(chances[text] - chance) > NEAR_CHANCE:
            yield f"{key}.{text}: expected {chance:g}, got {chances[text]:.4f}"


def _pending(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    pending = outcome.battle.pending
    yield from _differs(key, wanted, pending[0].kind if pending else None)


def _tables(key: str, wanted: Any, outcome: Outcome) -> Iterator[str]:
    rules = rule_set.find(outcome.battle.rules)
    for name, expected in wanted.items():
        yield from _differs(f"{key}.{name}", expected, table_value(rules.data_packages, name))


def table_value(packages: Sequence[str], name: str) -> Any:
    """Return a value of ``tables.toml`` by its dotted name, from the last package that has it; None if none has.

    >>> table_value(["tabletop.rules.ages"], "orders.understood")
    150
    """
    for package in reversed(packages):
        value: Any = data_of(package, "tables.toml")
        for step in name.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


_COMPARERS: Mapping[str, Comparer] = {
    "allowed": _holds,
    "rules": _rules,
    "holds": _holds,
    "measured": _measured,
    "records": _records,
    "units": _units,
    "memory": _state,
    "scores": _state,
    "clock": _state,
    "outcome": _state,
    "thrown": _thrown,
    "odds": _odds,
    "pending": _pending,
    "tables": _tables,
}
assert set(_COMPARERS) == set(ExpectRow.model_fields) - APART, "every expectation is compared"
