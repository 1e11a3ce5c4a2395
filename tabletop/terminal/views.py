"""The texts of the prompt: the situation, a unit, its menu, reasons, suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.naming import capital, how_many, side_name, without_name
from tabletop.battle.saying import by_name
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import bearing, compass_point
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.engine import asked as question
from tabletop.play.engine import judge, may_act, mover, play_of
from tabletop.play.environment import counted_in, environment, is_ship, noun, turn_words
from tabletop.play.hints import Idea
from tabletop.play.routes import length_of
from tabletop.play.signs import signs
from tabletop.rules.common.base_losses import BEFORE
from tabletop.rules.play import ActionKind
from tabletop.rules.traits import traits_on
from tabletop.terminal.layout import count, paragraph

#: Number of reasons shown for a refusal; the rest are only counted.
MOST_REASONS = 6
#: How a usage line writes the objects of an action.
OBJECTS: Mapping[str, str] = {
    "unit": "{unit}",
    "target": "ENEMY",
    "group": "NAME",
    "path": "forward 2",
    "facing": "toward ENEMY",
}


# --- the situation ---------------------------------------------------------------------------------------------------


def mark(battle: Battle) -> str:
    """Return the text before the line being typed: turn, side, group."""
    side = mover(battle)
    if side is None:
        return "over> "
    group = f"/{battle.clock.group}" if battle.clock.group and not battle.pending else ""
    return f"{battle.clock.turn} {side}{group}> "


def header(battle: Battle) -> str:
    """Return the battle, its turn with the hour, and whose move it is; dusk, mist and wind if there is any."""
    around = environment(battle)
    return f"{battle.title}\n{turn_words(battle, battle.setup.turns)}. {_whose(battle)}" + (
        f"\n{around}" if around else ""
    )


def _whose(battle: Battle) -> str:
    side = mover(battle)
    if side is None:
        return "The battle is over."
    if battle.pending:
        return f"{side_name(side)} must answer."
    phase = "" if battle.clock.group or not battle.clock.phase else f" ({battle.clock.phase})"
    group = f", {group_name(battle, battle.clock.group)}" if battle.clock.group else ""
    return f"{side_name(side)} to act{group}{phase}."


def situation(battle: Battle, whole: bool = False) -> str:
    """Return the situation: the groups, or the units that may act now; scores, losses and objectives.

    If ``whole``, every unit of the side to move is listed where the rules have no groups.
    """
    lines = [header(battle)]
    lines += [asked(battle)] if battle.pending else []
    lines += list(_groups(battle)) or list(_acting(battle, whole))
    lines += [ends(battle)] if ends(battle) else []
    lines += [paragraph(f"{side_name(side)}: {_strength(battle, side)}.") for side in battle.setup.sides]
    lines += [paragraph(f"Held by nobody: {_ground(battle, None)}.")] if _ground(battle, None) else []
    return "\n".join(lines)


def asked(battle: Battle) -> str:
    """Return the pending question and its answers."""
    decision = battle.pending[0]
    return paragraph(f"{capital(question(battle))}  [{' / '.join(decision.choices)}]")


def _groups(battle: Battle) -> Iterator[str]:
    """Yield the groups that may be chosen, a line each, with the units that would act."""
    if battle.pending:
        return
    play = play_of(battle)
    for group in play.groups(battle):
        idle = ", ".join(unit.id for unit in play.members(battle, group) if unit.id != group)
        yield paragraph(f"{group:<14} {group_name(battle, group)}{f': {idle}' if idle else ''}", "  ", " " * 15)


def _acting(battle: Battle, whole: bool) -> Iterator[str]:
    """Yield a line for each unit still to act, or for the ``whole`` side; without groups, how many may not act now."""
    side = mover(battle)
    if battle.pending or side is None:
        return
    if battle.clock.group:
        idle = play_of(battle).members(battle, battle.clock.group)
    else:
        idle = battle.side(side) if whole else may_act(battle, side)
    for unit in idle:
        yield paragraph(card(battle, unit), "  ", "    ")
    others = 0 if battle.clock.group else len(battle.side(side)) - len(idle)
    if others:
        who = f"{count(others, 'other')} may not" if idle else "Nobody may"
        yield f"  {who} act now; 'who all' shows everybody."


def next_step(battle: Battle) -> str:
    """Return in short what to do next: after an action the player knows the rest of the situation."""
    if battle.over:
        return ending(battle)
    if battle.pending:
        return asked(battle)
    play, clock, side = play_of(battle), battle.clock, side_name(mover(battle))
    groups = play.groups(battle)
    if groups:
        kind = next((k for k in play.kinds.values() if "group" in k.needs), None)
        what = _lowered(kind.label_in(battle)) if kind else "choose"
        return paragraph(f"{turn_words(battle)}. {side}: {what}: {', '.join(groups)}.")
    if clock.group:
        idle = ", ".join(unit.id for unit in play.members(battle, clock.group))
        return paragraph(f"{group_name(battle, clock.group)}: still to act: {idle}.")
    phase = f": {clock.phase}" if clock.phase else ""
    return paragraph(f"{turn_words(battle)}. {side}{phase}. {ends(battle)}".rstrip())


def ends(battle: Battle) -> str:
    """Return the actions, such as ending the phase, that need no unit and are allowed now; "" if there are none."""
    side = mover(battle)
    if side is None or battle.pending:
        return ""
    kinds = [kind for kind in play_of(battle).kinds.values() if not kind.needs]
    open_now = [kind for kind in kinds if judge(battle, Action(kind.name, side)).holds]
    return ". ".join(f"'{kind.name}': {_lowered(kind.label_in(battle))}" for kind in open_now)


def _lowered(label: str) -> str:
    return label[:1].lower() + label[1:]


def ending(battle: Battle) -> str:
    """Return how the battle ended."""
    from tabletop.play.narration import outcome

    assert battle.outcome is not None, "only an ended battle has an ending"
    return paragraph(f"The battle is over. {outcome(battle.outcome.winner, battle.outcome.how, battle.setup.sides)}")


def group_name(battle: Battle, group: str | None) -> str:
    return battle.called(group)


def _strength(battle: Battle, side: str) -> str:
    units = [u for u in battle.side(side) if not u.is_general]
    fallen = [f for f in battle.fallen if f.unit.side == side and not f.unit.is_general]
    waiting = [u for u in battle.awaited if u.side == side and not u.is_general]
    coming = [u for u in waiting if u.id not in battle.returning]
    parts = [count(len(units) + len(waiting), noun(battle))]
    parts += [count(battle.bases(side)[0], "base")] if counted_in(battle) == "base" else []
    parts += [f"{len(fallen)} lost"] if fallen else []
    parts += [f"{len(coming)} of the {noun(battle)}s still to come"] if coming else []
    parts += [f"{len(waiting) - len(coming)} off the table"] if len(waiting) > len(coming) else []
    held = _ground(battle, side)
    parts += [how_many(battle.scores[side], "point")] if side in battle.scores else []
    outlook = play_of(battle).outlook(battle, side)
    return ", ".join([*parts, *([f"holding {held}"] if held else []), *([outlook] if outlook else [])])


def _ground(battle: Battle, side: str | None) -> str:
    """Return the objectives that a side holds, with their points."""
    return ", ".join(f"{o.name or o.id} ({o.points:g})" for o in battle.setup.objectives if o.holder == side)


# --- units -----------------------------------------------------------------------------------------------------------


def card(battle: Battle, unit: Unit) -> str:
    """Return a unit in one line: its kind, formation, place, state and traits, what the rules remark on it, and the
    marks that go by themselves."""
    remarks = play_of(battle).remarks(battle, unit) if battle.has(unit.id) else ()
    traits = (trait.name for trait in traits_on(battle, unit))
    return "; ".join([_card(battle, unit), *traits, *remarks, *signs(battle, unit, timed=True)])


def _card(battle: Battle, unit: Unit) -> str:
    name = unit.id if unit.called == unit.id else f"{unit.id} - {unit.called}"
    place = f"at {unit.at[0]:.1f},{unit.at[1]:.1f}" if battle.has(unit.id) else _coming(battle, unit)
    if unit.is_general:
        rank = " ".join(word for word in (unit.rank, unit.troop) if word)
        return f"{name}: {rank} {place}{_acted(unit)}"
    troop = " ".join(word for word in (unit.quality, unit.troop) if word).replace("-", " ")
    state = "" if unit.in_order else f", {unit.status}"
    formation = unit.formation.replace("-", " ")
    facing = f", facing {compass_point(unit.facing)}" if battle.has(unit.id) else ""
    before = f" ({unit.marks[BEFORE]} lost before the battle)" if unit.marks.get(BEFORE) else ""
    bases = "" if is_ship(unit) else f" {count(unit.strength, 'base')}{before},"
    return f"{name}: {troop},{bases} {formation} {place}{facing}{state}{_acted(unit)}"


def _acted(unit: Unit) -> str:
    return ", done for this turn" if unit.marks.get("acted") else ""


def _coming(battle: Battle, unit: Unit) -> str:
    turn = next((a.turn for a in battle.arrivals if unit.id in a.units), None)
    if unit.id in battle.returning:
        return f"off the table, may come back (turn {turn})"
    return "still to come" + (f" (turn {turn})" if turn else "")


def menu(battle: Battle, unit: Unit) -> str:
    """Return what a unit may do, as typed, and what it may not do, with the rules that forbid it."""
    choices = play_of(battle).menu(battle, unit.id)
    against = {choice.kind: choice.against for choice in choices if not choice.open}
    alone = len(against) == 1 < len(choices)
    common = [r for r in next(iter(against.values()), ()) if not alone and _in_all(r, against.values())]
    against = {kind: tuple(r for r in closed if r not in common) for kind, closed in against.items()}
    lines = [paragraph(card(battle, unit))]
    lines += [paragraph(_usage(battle, unit, choice.kind), "  ", "    ") for choice in choices if choice.open]
    what = "nothing" if len(against) == len(choices) else "else"
    lines += [paragraph(f"- {what}: {because(battle, reason)}", "  ", "    ") for reason in common]
    if len(against) < len(choices):
        lines += [
            paragraph(f"- {', '.join(kinds)}: {why}", "  ", "    ") for why, kinds in _by_reason(battle, unit, against)
        ]
    return "\n".join(lines if choices else [*lines, "  nothing in this phase"])


def _by_reason(battle: Battle, unit: Unit, against: Mapping[str, Sequence[Reason]]) -> Iterator[tuple[str, list[str]]]:
    """Yield each reason with the kinds of action it forbids, by the first reason of each, without the unit's name."""
    kinds_by_reason: dict[str, list[str]] = {}
    for kind, closed in against.items():
        if closed:
            why = without_name(because(battle, closed[0]), unit)
            kinds_by_reason.setdefault(why, []).append(kind)
    yield from kinds_by_reason.items()


def _in_all(reason: Reason, closed: Iterable[Sequence[Reason]]) -> bool:
    return all(reason in reasons_ for reasons_ in closed)


def _usage(battle: Battle, unit: Unit, kind: str) -> str:
    action_kind = play_of(battle).kinds[kind]
    return f"+ {usage(action_kind, unit.id):<40} {action_kind.label_in(battle)}"


def usage(kind: ActionKind, unit: str) -> str:
    """Return how a kind of action is typed for a unit."""
    return " ".join([kind.name, *(OBJECTS.get(need, need.upper()).format(unit=unit) for need in kind.needs)])


# --- reasons ---------------------------------------------------------------------------------------------------------


def reasons(battle: Battle, verdict: Verdict) -> str:
    """Return why an action is allowed or not, with the rules; of many reasons only the first ones."""
    against = verdict.against
    shown: Sequence[Reason] = against or verdict.because
    lines = ["It may be done." if verdict.holds else "It may not be done:"]
    lines += [paragraph(because(battle, reason), "  ", "  ") for reason in shown[:MOST_REASONS]]
    more = len(shown) - MOST_REASONS
    return "\n".join([*lines, *([f"  and {count(more, 'more reason')}"] if more > 0 else [])])


def because(battle: Battle, reason: Reason) -> str:
    """Return a reason with names for ids, its rule, and what was measured where its text does not say that."""
    figures, text = "", by_name(reason, battle)
    both = [number for number in (reason.measured, reason.limit) if number is not None]
    if len(both) == 2 and not all(_told(number, text) for number in both):
        figures = " ({:.2f} against {:.2f})".format(*both)
    return f"{text}{figures}" + (f" [{reason.rule}]" if reason.rule else "")


def _told(number: float, text: str) -> bool:
    """Return whether a text has a number, however rounded."""
    forms = "|".join(map(re.escape, (f"{number:.2f}", f"{number:.1f}", f"{number:g}")))
    return re.search(rf"(?<![\d.])({forms})(?!\.?\d)", text) is not None


# --- actions ---------------------------------------------------------------------------------------------------------


def suggestions(battle: Battle, ideas: Sequence[Idea]) -> str:
    """Return numbered suggestions, and what their figures are; a number typed at the prompt selects one."""
    lines = [
        paragraph(f"{n:>2}. {phrase(battle, idea.action)}{_promise(battle, idea)}", "  ", " " * 4)
        for n, idea in enumerate(ideas, 1)
    ]
    if any(_promise(battle, idea) for idea in ideas):
        based = counted_in(battle) == "base"
        means = (
            "what the computer reckons it gains, in bases" if based else "the computer's mark for it: more is better"
        )
        lines.insert(0, f"  Best first. The figure is {means}.")
    return "\n".join(lines) or "  nothing to suggest"


def _promise(battle: Battle, idea: Idea) -> str:
    """Return the expected value of an action, in bases, and why; against an enemy, its likeliest result."""
    if battle.pending or not idea.why:
        return ""
    value = f"{round(idea.value, 2) + 0.0:+.2f}"
    return f"   {'' if value in idea.why else f'{value}, '}{idea.why}"


def phrase(battle: Battle, action: Action) -> str:
    """Return an action as typed, with the length and direction of its route."""
    words = [action.kind, *action.args]
    words += [_PHRASES.get(key, _plain)(key, value) for key, value in _with_pivots(action.options).items()]
    return " ".join(word for word in words if word) + _going(battle, action)


def _going(battle: Battle, action: Action) -> str:
    path = action.options.get("path")
    if not path or action.unit is None or not battle.has(action.unit):
        return ""
    unit = battle.unit(action.unit)
    (x, y), (px, py) = unit.front_mid, path[-1]
    return f" ({length_of(unit, path):.1f} {battle.table.unit} {compass_point(bearing(px - x, py - y))})"


def _plain(key: str, value: object) -> str:
    return f"{key} {_word(value)}"


def _value(key: str, value: object) -> str:
    return _word(value)


def _with_pivots(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options with the pivot at each waypoint written after the point, as in 30,20@left."""
    pivots, path = options.get("pivots"), options.get("path")
    if not pivots or not path:
        return options
    named = [*pivots, *["middle"] * (len(path) - len(pivots))]
    typed = [_word(p) + (f"@{about}" if about != "middle" else "") for p, about in zip(path, named, strict=False)]
    return {**{key: value for key, value in options.items() if key != "pivots"}, "path": typed}


def _points(key: str, value: Iterable[object]) -> str:
    return f"{key} {' '.join(_word(point) for point in value)}"


def _to(key: str, value: Sequence[object]) -> str:
    return f"for {' '.join(map(str, value))}" if value and isinstance(value[0], str) else _plain(key, value)


def _names(key: str, value: Iterable[object]) -> str:
    return f"{key} {' '.join(map(str, value))}"


def _shape(key: str, value: object) -> str:
    return f"in {value}"


def _flag(key: str, value: object) -> str:
    return "firing" if value else ""


_PHRASES = {
    "group": _value, "choice": _value, "formation": _shape, "path": _points, "to": _to, "with": _names,
    "to_fire": _flag,
}  # fmt: skip


def _word(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return ",".join(_word(item) for item in value)
    return f"{round(value, 2) + 0.0:g}" if isinstance(value, float) else str(value)
