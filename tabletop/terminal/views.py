"""What a player at the prompt is shown: the situation, a unit, its menu, odds, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.codec import plain
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import compass_point
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play.engine import mover, play_of
from tabletop.rules.play import Odds
from tabletop.terminal.names import called

#: Outcomes less likely than this are not worth a line of their own.
SLIGHT = 0.0005
#: Characters of the longest bar of a distribution.
BAR = 24


def header(battle: Battle) -> str:
    """Return the line over the prompt: battle, turn, whose move, which group."""
    clock, turns = battle.clock, battle.setup.turns
    turn = f"turn {clock.turn}" + (f" of {turns}" if turns else "")
    side = mover(battle)
    told = f"{side} to act" if side else "over"
    group = f", {_group_name(battle, clock.group)}" if clock.group else ""
    return f"{battle.title} - {turn} - {told}{group}"


def situation(battle: Battle) -> str:
    """Return who may do what now: groups to choose from, or the units of the group that acts; scores and losses."""
    lines = [header(battle)]
    if battle.pending:
        decision = battle.pending[0]
        lines.append(f"{decision.side} is asked: {decision.text}  [{' / '.join(decision.choices)}]")
    for group in play_of(battle).groups(battle):
        idle = play_of(battle).members(battle, group)
        lines.append(f"  {group}: {_group_name(battle, group)} - {', '.join(u.id for u in idle)}")
    if battle.clock.group and not battle.pending:
        lines += [f"  {card(battle, unit)}" for unit in play_of(battle).members(battle, battle.clock.group)]
    lines += [f"  {side}: {_strength(battle, side)}" for side in battle.setup.sides]
    return "\n".join(lines)


def _group_name(battle: Battle, group: str | None) -> str:
    return next((called(u) for u in (*battle.units, *battle.awaited) if u.id == group), str(group))


def _strength(battle: Battle, side: str) -> str:
    units = [u for u in battle.side(side) if not u.is_general]
    fallen = [f for f in battle.fallen if f.unit.side == side and not f.unit.is_general]
    coming = [u for u in battle.awaited if u.side == side and not u.is_general]
    parts = [f"{len(units)} units, {sum(u.strength for u in units)} bases"]
    parts += [f"{len(fallen)} lost"] if fallen else []
    parts += [f"{len(coming)} still to come"] if coming else []
    parts += [f"{battle.scores[side]:g} points"] if side in battle.scores else []
    return ", ".join(parts)


def card(battle: Battle, unit: Unit) -> str:
    """Return a unit in one line: what it is, how it stands, its state."""
    if unit.is_general:
        return f"{unit.id}: {called(unit)}, {unit.rank} general, at ({unit.at[0]:.1f}, {unit.at[1]:.1f})"
    troop = " ".join(word for word in (unit.quality, unit.troop.replace("-", " ")) if word)
    place = f"at ({unit.at[0]:.1f}, {unit.at[1]:.1f}) facing {compass_point(unit.facing)}"
    state = "" if unit.status == "ok" else f", {unit.status}"
    acted = ", has acted" if unit.marks.get("acted") else ""
    formation = unit.formation.replace("-", " ")
    return f"{unit.id}: {called(unit)}, {troop}, {unit.strength} bases, {formation} {place}{state}{acted}"


def menu(battle: Battle, unit: Unit) -> str:
    """Return every kind of action for a unit, with the rule that closes what is closed."""
    lines = [card(battle, unit)]
    kinds = play_of(battle).kinds
    for choice in play_of(battle).menu(battle, unit.id):
        label = kinds[choice.kind].label
        why = "" if choice.verdict is None else "  " + "; ".join(_because(r) for r in choice.verdict.because)
        lines.append(f"  {'+' if choice.open else '-'} {choice.kind:<15} {label if choice.open else why.strip()}")
    return "\n".join(lines)


def reasons(verdict: Verdict) -> str:
    """Return why an action may or may not be done, with every rule."""
    lines = ["It may be done." if verdict.holds else "It may not be done:"]
    against = [r for r in verdict.because if not r.holds]
    shown: Sequence[Reason] = against or verdict.because
    return "\n".join([*lines, *(f"  {_because(reason)}" for reason in shown)])


def _because(reason: Reason) -> str:
    figures = ""
    if reason.measured is not None and reason.limit is not None:
        figures = f" ({reason.measured:.2f} against {reason.limit:.2f})"
    return f"{reason.text}{figures}" + (f" [{reason.rule}]" if reason.rule else "")


def odds(found: Odds | None) -> str:
    """Return the exact distribution of an action with its modifiers; a sentence where nothing is left to chance."""
    if found is None:
        return "Nothing in this is left to chance."
    together: dict[str, float] = {}
    for probability, result in found.results:
        together[result.text] = together.get(result.text, 0.0) + probability
    lines = []
    for text, probability in sorted(together.items(), key=lambda pair: -pair[1]):
        if probability >= SLIGHT:
            lines.append(f"  {probability:6.1%}  {'#' * round(BAR * probability):<{BAR}} {text}")
    factors = [f"  {f.amount:+.2f}  {f.name}{_stage(f.stage)} [{f.rule}{_basis(f.basis)}]" for f in found.factors]
    return "\n".join([*lines, *(["Modifiers:", *factors] if factors else [])])


def odds_data(verdict: Verdict, found: Odds | None) -> dict[str, Any]:
    """Return the same as plain data: whether the action is allowed, its form, outcomes and modifiers."""
    data: dict[str, Any] = {"allowed": verdict.holds, "because": [reason.as_json() for reason in verdict.because]}
    if found is not None:
        data["form"] = plain(found.form)
        data["outcomes"] = [{"text": r.text, "probability": p, "worth": r.worth} for p, r in found.results]
        data["modifiers"] = [plain(factor) for factor in found.factors]
    return data


def _stage(stage: str) -> str:
    return f" ({stage})" if stage else ""


def _basis(basis: str) -> str:
    return f", {basis}" if basis else ""


def suggestions(battle: Battle, actions: Sequence[Action]) -> str:
    """Return numbered suggestions; a number typed at the prompt takes one."""
    return "\n".join(f"  {n}. {phrase(battle, action)}" for n, action in enumerate(actions, 1)) or "  none"


def phrase(battle: Battle, action: Action) -> str:
    """Return an action as it could be typed."""
    words = [action.kind, *(name for name in (action.unit, action.target) if name)]
    for key, value in action.options.items():
        shown = " ".join(_word(point) for point in value) if key == "path" else _word(value)
        words.append(shown if key in ("group", "choice") else f"{key} {shown}")
    return " ".join(words)


def _word(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return ",".join(_word(item) for item in value)
    return f"{value + 0.0:g}" if isinstance(value, float) else str(value)
