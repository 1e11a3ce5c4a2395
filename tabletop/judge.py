"""A question put to a battle: the one judge for disputes, the screen, legality and the computer player.

``ask`` gives the rule set's bare answer. ``judge`` adds what makes it a verdict one can bet on: the margin, whether it
is too close for a tape measure, the rulings it turns on, and how sure it is on a table measured with a stated error.
All of these ask the same question again with units shifted, turned, or a ruling changed: there is no second law.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.verdict import Certainty, Dependency, Verdict
from tabletop.rules import rule_set
from tabletop.rules.rule_set import Question, Request, Ruling, Shifted

#: How far a margin is searched for, how finely it is found, and what a tape measure can tell: by table unit.
SEARCH = {"in": 2.0, "mm": 50.0, "cm": 5.0}
FINENESS = {"in": 0.005, "mm": 0.1, "cm": 0.01}
TAPE_READS = {"in": 1 / 16, "mm": 1.5, "cm": 0.15}
#: Distances, as shares of the search, at which every direction is tried before the next is.
RINGS = (0.005, 0.015, 0.03, 0.0625, 0.125, 0.1875, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0)
#: How finely, as a share of the search, the distance of a grown unit is found before the other units' is looked for.
COARSE = 1 / 8
PLACEMENTS = 400
#: How much longer the next step down is while a margin of a grown unit keeps coming out shorter.
STRIDE = 4.0
#: From so many rulings that may turn an answer on, it pays to ask which of them the short answer looks up.
SEVERAL = 4
#: How many lines that proved a yes are remembered while a margin is looked for.
HINTS = 6


def ask(battle: Battle, question: str, args: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Verdict:
    """Return the bare answer to ``question`` (no margin, rulings or certainty).

    Raises BadQuestion for an unknown question or unit, a wrong number of units, or a question these rules cannot put.
    """
    asked, request = _request(battle, question, args, options)
    return asked.answer(battle, request)


def judge(battle: Battle, question: str, args: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Verdict:
    """Return the full verdict.

    ``options`` hold the question's own (to, path, from, ...), and: ``margin`` (False leaves it out), ``tape`` (what a
    tape measure tells, in table units), ``error`` (inches, degrees) for ``certainty``.
    """
    *_, verdict = fuller(battle, question, args, options)
    return verdict


def fuller(
    battle: Battle, question: str, args: Sequence[str] = (), options: Mapping[str, Any] | None = None
) -> Iterator[Verdict]:
    """Yield the verdict as more of it is known: the answer with its reasons first, the full one last (``judge``).

    How close a call is takes many times as long to find as the call itself.
    """
    asked, request = _request(battle, question, args, options)
    noted = _Noted(battle.rulings)
    verdict = asked.answer(replace(battle, rulings=noted), request)
    yield verdict
    if asked.flips:
        again = request.briefly(_lines(verdict))
        verdict = verdict.with_(depends_on=_depends_on(battle, asked, again, verdict, noted.read))
        if request.options.get("margin", True):
            verdict = _with_margin(battle, asked, again, verdict)
        if request.options.get("error") is not None:
            verdict = verdict.with_(certainty=_certainty(battle, asked, again, verdict.holds))
        yield verdict


def either_way(question: str, args: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the units for a question from A to B and from B to A. Raises BadQuestion where it is not about two."""
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


class _Noted(Mapping[str, Any]):
    """Rulings that note which of them were looked up: one that was not cannot have decided the answer."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _depends_on(
    battle: Battle, asked: Question, request: Request, verdict: Verdict, read: Collection[str]
) -> tuple[Dependency, ...]:
    """Return the rulings another value of which turns the answer, among those ``read`` on the way to it."""
    found, holds = [], verdict.holds
    for ruling in _may_turn(battle, asked, request, holds, read):
        others = [value for value in ruling.values if value != battle.rulings[ruling.name]]
        others = [value for value in others if asked.turns(battle, request, verdict, ruling.name, value)]
        if any(asked.answer(battle.with_ruling(ruling.name, value), request).holds != holds for value in others):
            found.append(Dependency(ruling.name, not holds))
    return tuple(found)


def _may_turn(
    battle: Battle, asked: Question, request: Request, holds: bool, read: Collection[str]
) -> tuple[Ruling, ...]:
    """Return the rulings that may turn the answer. Where there are several it is asked once more, briefly.

    What is told briefly looks at less: a ruling not looked up even so leaves every step of it as it is.
    """
    rulings = rule_set.find(battle.rules).rulings.values()
    found = tuple(r for r in rulings if r.name in read and r.may_turn(request.question, holds, battle.rulings[r.name]))
    if len(found) < SEVERAL:
        return found
    noted = _Noted(battle.rulings)
    asked.answer(replace(battle, rulings=noted), request)
    return tuple(ruling for ruling in found if ruling.name in noted.read)


# --- the margin ------------------------------------------------------------------------------------------------------


def _with_margin(battle: Battle, asked: Question, request: Request, verdict: Verdict) -> Verdict:
    unit = battle.table.unit
    settled = _settled(request, verdict)
    reach, fine = SEARCH[unit] * battle.scale, FINENESS[unit] * battle.scale
    margin = None
    grown = [] if verdict.holds else [request.args[k] for k in asked.grows]
    others = [mover for mover in _movers(battle, request, verdict) if mover.id not in grown]
    for name in grown:
        found = _grown_distance(battle, asked, settled, name, margin or reach, reach * COARSE if others else fine / 4)
        margin = found if found is not None else margin
    bound = margin
    for mover in others:
        flipped = _flipper(battle, asked, settled, mover, verdict)
        rings = [min(share * reach, margin or reach) for share in RINGS[:: asked.stride]]
        safe = _safe_ring(battle, asked, settled, mover, verdict, rings)
        found = _flip_distance(flipped, asked, [0.0, *rings][safe], rings[safe:], margin or reach, fine)
        margin = found if found is not None else margin
    for name in grown if others and bound is not None else ():
        found = _grown_distance(battle, asked, settled, name, margin or reach, fine / 4)
        margin = found if found is not None else margin
    tape = float(request.options.get("tape", TAPE_READS[unit]))
    return verdict.with_(margin=margin, too_close=margin is not None and margin < tape)


def _settled(request: Request, verdict: Verdict) -> Request:
    """Return the request with a searched path replaced by the path found: the margin is that of the shown proof."""
    path = verdict.measured.get("path")
    if request.options.get("to") is None or not path:
        return request
    kept = {key: value for key, value in request.options.items() if key != "to"}
    return replace(request, options={**kept, "path": [tuple(point) for point in path[1:]]})


def _movers(battle: Battle, request: Request, verdict: Verdict) -> list[Unit]:
    """Return the units whose shift can flip the answer: those named in the question, and the general who decides it."""
    names = [*request.args, request.options.get("from"), verdict.measured.get("general")]
    return [battle.unit(name) for name in dict.fromkeys(names) if name is not None]


def _flipper(
    battle: Battle, asked: Question, request: Request, mover: Unit, verdict: Verdict
) -> Callable[[float, float], bool]:
    """Return a function of (distance, bearing): does shifting ``mover`` so far in that direction flip the answer?

    The lines that proved the last yeses are handed on as hints: a clear line near one is a quick proof of the next.
    """
    hints, kept = _lines(verdict), Shifted(mover)

    def flipped(distance: float, degrees: float) -> bool:
        nonlocal hints
        east, north = heading(degrees)
        shifted = battle.with_unit(mover.moved(distance * east, distance * north))
        try:
            answer = asked.answer(shifted, request.briefly(hints, kept))
        except BadQuestion:
            return False
        hints = (_lines(answer) + hints)[:HINTS]
        return answer.holds != verdict.holds

    return flipped


def _grown_distance(
    battle: Battle, asked: Question, request: Request, name: str, within: float, fine: float
) -> float | None:
    """Return the shortest shift of a unit that turns a no into a yes, None if none within does.

    A point law holds for some shift up to r exactly when it holds for the unit grown by r all round.
    """

    at, lines = request.args.index(name), tuple[tuple[Point, ...], ...]()

    def found(radius: float, quick: bool = False) -> float | None:
        """Return a shift up to ``radius`` that will do, as the line that proves it tells; None if none will.

        ``quick`` asks about lines near those found before only, and its None says nothing.
        """
        nonlocal lines
        again = replace(request, options={**request.options, "grown": (name, radius), "quick": quick})
        answer = asked.answer(battle, again.briefly(lines))
        if not answer.holds:
            return None
        lines = _lines(answer) or lines
        return min([radius, *(battle.unit(name).way_to(line[at]) for line in lines)])

    high = found(within)
    low, step = 0.0, fine
    while high is not None and high - low > fine:
        high = _tightened(found, low, high, fine)
        tried = max(high - step, (low + high) / 2)
        shift = found(tried) if high - low > fine else None
        low, high, step = (tried, high, step) if shift is None else (low, min(high, shift), STRIDE * step)
    return high


def _tightened(found: Callable[[float, bool], float | None], low: float, high: float, fine: float) -> float:
    """Return the shortest shift between two that lines near those found before can prove."""
    while high - low > fine:
        middle = (low + high) / 2
        shift = found(middle, True)
        low, high = (middle, high) if shift is None else (low, shift)
    return high


def _safe_ring(
    battle: Battle, asked: Question, request: Request, mover: Unit, verdict: Verdict, rings: Sequence[float]
) -> int:
    """Return how many of the rings need not be tried, because one answer tells that no shift up to there flips.

    What holds for a unit shrunk by r all round holds for it shifted by up to r, since the shifted unit covers what is
    left; what does not hold even for one loosed by r (``Question.loosens``) holds for no shift up to r.
    """
    shrinks = asked.grows + asked.shrinks
    kind, which, sign = ("grown", shrinks, -1.0) if verdict.holds else ("loose", asked.loosens, 1.0)
    if mover.id not in [request.args[k] for k in which]:
        return 0

    def safe(radius: float) -> bool:
        again = replace(request, options={**request.options, kind: (mover.id, sign * radius)})
        return asked.answer(battle, again.briefly(_lines(verdict))).holds == verdict.holds

    if not verdict.holds and safe(rings[-1]):
        return len(rings)
    return bisect_left(rings, True, key=lambda radius: not safe(radius))


def _lines(verdict: Verdict) -> tuple[tuple[Point, ...], ...]:
    """Return the sight line or the way, bent once at most, that proves a verdict, if that is what proves it."""
    line = verdict.witness
    return (tuple(line),) if line is not None and len(line) in (2, 3) else ()


def _flip_distance(
    flipped: Callable[[float, float], bool],
    asked: Question,
    inner: float,
    rings: Sequence[float],
    within: float,
    fine: float,
) -> float | None:
    """Return the shortest shift that flips the answer, None if there is none shorter than ``within``.

    None up to ``inner`` does. The rings beyond it are tried in every direction; the first ring that flips is bisected
    down to the last that did not, then the direction is varied as long as that shortens the shift.
    """
    bearings = [360.0 * k / asked.rays for k in range(asked.rays)]
    for outer in rings:
        hits = [degrees for degrees in bearings if flipped(outer, degrees)]
        if hits:
            return _closest(flipped, hits, (inner, outer), 360.0 / asked.rays, fine)
        if outer >= within:
            return None
        inner = outer
    return None


def _closest(
    flipped: Callable[[float, float], bool],
    hits: list[float],
    between: tuple[float, float],
    spread: float,
    fine: float,
) -> float:
    inner, best = between
    best_bearing = hits[0]
    for degrees in hits:
        if degrees == hits[0] or flipped(best - fine / 2, degrees):
            best, best_bearing = _bisect(flipped, degrees, inner, best, fine / 4), degrees
    while best > fine / 2 and math.radians(spread) * best > fine / 2:
        shorter = best - fine / 4
        side = next((s for s in (spread, -spread) if flipped(shorter, best_bearing + s)), None)
        if side is None:
            spread /= 2
            continue
        best_bearing += side
        best = _bisect(flipped, best_bearing, 0.0, shorter, fine / 4)
    return best


def _bisect(flipped: Callable[[float, float], bool], degrees: float, low: float, high: float, fine: float) -> float:
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (low, middle) if flipped(middle, degrees) else (middle, high)
    return high


# --- certainty on a table measured with an error ---------------------------------------------------------------------


def _certainty(battle: Battle, asked: Question, request: Request, holds: bool) -> Certainty:
    """Return in what share of placements within the error the answer holds, and whether it is certain.

    Both units are shifted within a disc and turned about their centre-points, uniformly, from a fixed seed. Certain
    means that all placements, and the extreme ones besides (every unit pushed and turned all the way), agree.
    """
    shift, turn = request.options["error"]
    movers = _movers(battle, request, Verdict("", (), "", holds))
    answers = [
        _placed_holds(battle, asked, request, movers, poses) for poses in _uniform_poses(len(movers), shift, turn)
    ]
    share = sum(answers) / len(answers)
    certain = share in (0.0, 1.0) and all(
        _placed_holds(battle, asked, request, movers, poses) == bool(share)
        for poses in _extreme_poses(len(movers), shift, turn)
    )
    return Certainty(certain, share, len(answers))


Pose = tuple[float, float, float]


def _uniform_poses(units: int, shift: float, turn: float) -> list[tuple[Pose, ...]]:
    draw = np.random.default_rng(1815).uniform(size=(PLACEMENTS, units, 3))
    radius = shift * np.sqrt(draw[..., 0])
    angle = 2 * math.pi * draw[..., 1]
    poses = np.stack([radius * np.sin(angle), radius * np.cos(angle), turn * (2 * draw[..., 2] - 1)], axis=-1)
    return [tuple((float(x), float(y), float(d)) for x, y, d in row) for row in poses]


def _extreme_poses(units: int, shift: float, turn: float) -> list[tuple[Pose, ...]]:
    """Return both units pushed all the way, together or against each other, in 16 directions, turned either way."""
    found = []
    for k in range(16):
        east, north = heading(360.0 * k / 16)
        for against in (1, -1):
            for d in (-turn, 0.0, turn):
                signs = [1] + [against] * (units - 1)
                found.append(tuple((shift * east * s, shift * north * s, d * s) for s in signs))
    return found


def _placed_holds(
    battle: Battle, asked: Question, request: Request, movers: Sequence[Unit], poses: Sequence[Pose]
) -> bool:
    placed = battle
    for mover, (dx, dy, degrees) in zip(movers, poses, strict=True):
        placed = placed.with_unit(mover.turned(degrees).moved(dx, dy))
    try:
        return asked.answer(placed, request).holds
    except BadQuestion:
        return False
