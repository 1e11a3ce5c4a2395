"""Judging a question about a battle: the one judge for disputes, the screen, legality and the computer player.

``ask`` returns the rule set's bare answer. ``judge`` adds the margin, whether that is too close for a tape measure, the
rulings the answer depends on, and how certain it is on a table measured with a stated error. All of these ask the same
question again with units shifted, turned, or a ruling changed: there is no second law.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.verdict import Dependency, Margin, Searched, Verdict
from tabletop.judge.asking import HOLDS, facts_of, proof
from tabletop.judge.margin import FINENESS, SEARCH, Search, margin_of
from tabletop.judge.relevance import Relevant, relevant, unproved_about
from tabletop.judge.turning import SEARCHED_TURN
from tabletop.rules import rule_set
from tabletop.rules.common.noted import Noted
from tabletop.rules.rule_set import Question, Request, Ruling

__all__ = ["ask", "either_way", "fuller", "judge", "shift_margin"]

#: The smallest length that a tape measure resolves, in table units, by table unit.
TAPE_READS = {"in": 1 / 16, "mm": 1.5, "cm": 0.15}
#: From this many rulings on that may reverse an answer, it pays to find out first which of them the brief answer reads.
SEVERAL = 4


def ask(battle: Battle, question: str, args: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Verdict:
    """Return the bare answer to ``question`` (no margin, rulings or certainty).

    Raises BadQuestion for an unknown question or unit, a wrong number of units, or a question that these rules do not
    have.
    """
    asked, request = _request(battle, question, args, options)
    return asked.answer(battle, request)


def judge(battle: Battle, question: str, args: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Verdict:
    """Return the full verdict.

    ``options`` holds the question's own options (to, path, from, ...), and: ``margin`` (False leaves it out), ``tape``
    (the smallest length a tape measure resolves, in table units), ``error`` (inches, degrees) for ``certainty``. Raises
    BadQuestion as ``ask`` does.
    """
    *_, verdict = fuller(battle, question, args, options)
    return verdict


def fuller(
    battle: Battle,
    question: str,
    args: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Iterator[Verdict]:
    """Yield the verdict as it is completed: first the answer with its reasons, last the full verdict (``judge``).

    The search for the margin takes many times as long as the answer itself; ``progress`` is called with the share of it
    that is done, from 0 to 1. Raises BadQuestion for an ``error`` beyond what the search covers.
    """
    asked, request = _request(battle, question, args, options)
    error = request.options.get("error")
    if error is not None:
        _check_error(battle, *error)
    noted = Noted(battle.rulings)
    verdict = asked.answer(replace(battle, rulings=noted), request)
    verdict = verdict.with_(unproved=unproved_about(battle, request))
    yield verdict
    if asked.flips:
        again = request.briefly(proof(verdict))
        verdict = verdict.with_(depends_on=_depends_on(battle, asked, again, verdict, noted.read))
        if request.options.get("margin", True) or error is not None:
            verdict = _with_margin(battle, asked, request, verdict, progress)
        if error is not None:
            verdict = _with_certainty(battle, asked, request, verdict)
        yield verdict


def _check_error(battle: Battle, shift: float, turn: float) -> None:
    """Raise BadQuestion for an error beyond what is searched: no margin could say anything about it."""
    unit, most = battle.table.unit, SEARCH[battle.table.unit] * battle.scale
    if shift > most or turn > SEARCHED_TURN:
        cure = f"margins are searched up to {most:g} {unit} and {SEARCHED_TURN:g} degrees: give at most these"
        raise BadQuestion(f"option 'error': {shift:g},{turn:g} is more than can be judged; {cure}")


def shift_margin(
    battle: Battle, question: str, args: Sequence[str] = (), fact: str = HOLDS, within: float = math.inf
) -> Margin:
    """Return the margin of one fact by shifts alone, as ``judge`` finds it, in a small part of the time.

    It is the same search, without turns, other facts, rulings, and the proof of each answer. If the answer does not
    have the fact, its value is None and nothing changes it. Changes beyond ``within`` (table units) need not be found.
    Raises BadQuestion as ``ask`` does.
    """
    asked, request = _request(battle, question, args, None)
    brief = request.briefly() if fact == HOLDS else request
    base = asked.answer(battle, brief)
    value = facts_of(asked, base).get(fact)
    if value is None or not asked.flips:
        return Margin(value)
    radius, fine = SEARCH[battle.table.unit] * battle.scale, FINENESS[battle.table.unit] * battle.scale
    bearing_on_it = relevant(battle, asked, brief, base, radius, 0.0)
    fixed = [*bearing_on_it.fixed, *(() if base.holds else _hopeless(battle, asked, brief, base, radius))]
    search = Search(battle, asked, brief, {fact: value}, bearing_on_it, radius, fine, within=within, fixed=fixed)
    return margin_of(search.margins(turns=False)[fact])


def either_way(question: str, args: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the units for a question from A to B and from B to A. Raises BadQuestion if it is not about two."""
    if len(args) != 2:
        raise BadQuestion(f"'{question}' is not asked between two units, so it cannot be set side by side")
    return args, args[::-1]


def _request(
    battle: Battle, question: str, args: Sequence[str], options: Mapping[str, Any] | None
) -> tuple[Question, Request]:
    asked = rule_set.find(battle.rules).question(question)
    if len(args) != asked.units:
        wanted = "one unit" if asked.units == 1 else f"{asked.units} units"
        raise BadQuestion(f"'{question}' asks about {wanted}; got {len(args)}: {' '.join(args) or 'none'}")
    for name in args:
        battle.unit(name)
    if len(set(args)) < len(args):
        raise BadQuestion(f"'{question}' asks about two different units; got '{args[0]}' twice")
    return asked, Request(question, tuple(args), dict(options or {}))


def _depends_on(
    battle: Battle, asked: Question, request: Request, verdict: Verdict, read: Collection[str]
) -> tuple[Dependency, ...]:
    """Return the rulings, among those ``read`` while answering, another value of which reverses the answer."""
    dependencies, holds = [], verdict.holds
    for ruling in _may_turn(battle, asked, request, holds, read):
        others = [value for value in ruling.values if value != battle.rulings[ruling.name]]
        others = [value for value in others if asked.turns(battle, request, verdict, ruling.name, value)]
        if any(asked.answer(battle.with_ruling(ruling.name, value), request).holds != holds for value in others):
            dependencies.append(Dependency(ruling.name, not holds))
    return tuple(dependencies)


def _may_turn(
    battle: Battle, asked: Question, request: Request, holds: bool, read: Collection[str]
) -> tuple[Ruling, ...]:
    """Return the rulings that may reverse the answer. If there are several, ask the question once more, briefly.

    The brief answer checks less; a ruling that it does not read cannot change any of its steps.
    """
    rulings = rule_set.find(battle.rules).rulings.values()
    candidates = tuple(
        r for r in rulings if r.name in read and r.may_turn(request.question, holds, battle.rulings[r.name])
    )
    if len(candidates) < SEVERAL:
        return candidates
    noted = Noted(battle.rulings)
    asked.answer(replace(battle, rulings=noted), request)
    return tuple(ruling for ruling in candidates if ruling.name in noted.read)


# --- the margin ------------------------------------------------------------------------------------------------------


def _with_margin(
    battle: Battle, asked: Question, request: Request, verdict: Verdict, progress: Callable[[float], None]
) -> Verdict:
    unit, settled = battle.table.unit, _settled(request, verdict)
    base = verdict if settled is request else asked.answer(battle, settled)
    radius = SEARCH[unit] * battle.scale
    bearing_on_it = relevant(battle, asked, settled, base, radius, SEARCHED_TURN)
    fine = FINENESS[unit] * battle.scale
    far = max([radius, *(thing.stir(SEARCHED_TURN) for thing in bearing_on_it.things[: bearing_on_it.asked])])
    hopeless = () if base.holds else _hopeless(battle, asked, settled, base, far)
    fixed = (*bearing_on_it.fixed, *hopeless)
    search = Search(battle, asked, settled, facts_of(asked, base), bearing_on_it, radius, fine, progress, fixed=fixed)
    margins = {name: margin_of(change) for name, change in search.margins().items()}
    closeness = margins.pop(HOLDS)
    tape = float(request.options.get("tape", TAPE_READS[unit]))
    units = sum(thing.is_unit for thing in bearing_on_it.things)
    pieces = len(bearing_on_it.things) - units
    searched = Searched(
        search.reached, search.turned_to, units, pieces, search.unproved, search.apart, search.turn_step
    )
    return verdict.with_(
        closeness=closeness,
        attributes=margins,
        searched=searched,
        too_close=closeness.under(tape) or (not hopeless and any(m.under(tape) for m in margins.values())),
    )


def _hopeless(battle: Battle, asked: Question, request: Request, verdict: Verdict, far: float) -> tuple[str, ...]:
    """Return the facts that no shift can make true: what forbids the answer depends on no position, or is too far off.

    The other facts are searched as usual: if a shot or an assault may not be made, band, cover and flank can still be
    disputed.
    """
    if asked.hopeless(battle, request, far):
        return HOLDS, *asked.hopeless_too
    return (HOLDS,) if any(r.rule in asked.unmoved for r in verdict.against) else ()


def _settled(request: Request, verdict: Verdict) -> Request:
    """Return the request with a searched path replaced by the path found: the margin is that of the proof shown."""
    path = verdict.measured.get("path")
    if request.options.get("to") is None or not path:
        return request
    kept = {key: value for key, value in request.options.items() if key != "to"}
    return replace(request, options={**kept, "path": [tuple(point) for point in path[1:]]})


def _with_certainty(battle: Battle, asked: Question, request: Request, verdict: Verdict) -> Verdict:
    """Return the verdict with its certainty within the error: everything that may affect it is moved at once."""
    from tabletop.judge.certainty import Error, certainty

    shift, turn = request.options["error"]
    settled = _settled(request, verdict)

    def affecting(error: Error) -> Relevant:
        return relevant(battle, asked, settled, verdict, 2.0 * error.shift, error.turn, together=True)

    margin = verdict.closeness or Margin(verdict.holds)
    sure = certainty(asked, settled, affecting, Error(shift, turn), verdict.holds, margin)
    return verdict.with_(certainty=replace(sure, certain=sure.certain and not verdict.unproved_after))
