"""The question ``los``: can some point of one unit see some point of another?"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, grown
from tabletop.geometry.line_of_sight import Hindrance, Sight, SightLaw, SightLine, seen_by, sight, sight_line
from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import line_shape
from tabletop.geometry.sight.nearby_line import clear_near
from tabletop.geometry.verdict import Reason, Role, Shape, Verdict
from tabletop.rules.common.sight import ends_of, seen_or_not
from tabletop.rules.rule_set import Request
from tabletop.rules.tse.sight.contours import straddling
from tabletop.rules.tse.tables import length


def law_of(battle: Battle) -> SightLaw:
    """Return the law of sight for this battle's rulings and scale (TSE-LOS-07, 10, 16, 17).

    >>> from tabletop.play.files.opened import open_battle
    >>> law_of(open_battle("starter")).budget
    3.0
    """
    rulings = battle.rulings
    return SightLaw(
        thin_wood_transparent=bool(rulings["thin_wood_transparent"]),
        hills_block=bool(rulings["hills_block"]),
        own_hill_exempt=bool(rulings["own_hill_exempt"]),
        deep_shadow=bool(rulings["deep_shadow"]),
        crest_edge=bool(rulings["crest_edge"]),
        crest=length("crest") * battle.scale,
        budget=length("woods_sight") * battle.scale,
    )


def los(battle: Battle, request: Request) -> Verdict:
    """Answer ``los A B``: whether some point of A sees some point of B (TSE-LOS-01), with the shortest clear line.

    Units of either side do not block sight (TSE-LOS-20). The answer from B to A is the same (TSE-LOS-02).

    >>> from tabletop.play.files.opened import open_battle
    >>> verdict = los(open_battle("level-shadow"), Request("los", ("low-guns", "middle")))
    >>> verdict.holds, verdict.blockers, verdict.because[0].rule
    (False, ('wood',), 'TSE-LOS-06')
    """
    spotter, target = ends_of(battle, request)
    law = law_of(battle)
    if request.brief:
        return _briefly(battle, request, spotter, target, law)
    result = sight(battle.table, spotter.footprint, target.footprint, law)
    shown = _shown(battle, result, law)
    reasons = _seen(battle, spotter, target, result, shown) if result.seen else _hidden(battle, spotter, target, shown)
    because = reasons if result.seen else (*reasons, *straddling(battle, (spotter, target), shown))
    side_view = None if shown is None else shown.side_view
    return seen_or_not(battle, request, result, because, _shapes(battle, result, shown), side_view)


def _briefly(battle: Battle, request: Request, spotter: Unit, target: Unit, law: SightLaw) -> Verdict:
    """Answer with any clear line instead of the shortest; lines near the option ``hints`` are tried first."""
    a, b = (grown(unit, request.options.get("grown")) for unit in (spotter, target))
    hints, line = request.options.get("hints", ()), None
    if not (shapely.is_empty(a) or shapely.is_empty(b)):
        quick = request.options.get("quick")
        line = clear_near(battle.table, (a, b), law, hints) if quick else seen_by(battle.table, a, b, law, hints)
    return Verdict("los", request.args, battle.rules, line is not None, witness=line)


def is_seen(battle: Battle, request: Request) -> bool:
    """Return whether ``los`` holds: any line that is clear within the tolerance proves it, however long (TSE-LOS-01).

    Geometry is in table units. Raises BadQuestion as ``los`` does.

    >>> from tabletop.play.files.opened import open_battle
    >>> is_seen(open_battle("level-shadow"), Request("los", ("low-guns", "middle")))
    False
    """
    spotter, target = ends_of(battle, request)
    return seen_by(battle.table, spotter.footprint, target.footprint, law_of(battle)) is not None


def _shown(battle: Battle, result: Sight, law: SightLaw) -> SightLine | None:
    """Return the line to show: the shortest clear one, or the one nearest to being clear."""
    if result.line is None:
        return result.best_blocked
    return sight_line(battle.table, *result.line, law)


def _seen(battle: Battle, spotter: Unit, target: Unit, result: Sight, shown: SightLine | None) -> tuple[Reason, ...]:
    text = f"a clear line of {result.distance:.2f} {battle.table.unit} runs from {spotter.called} to {target.called}"
    passed = () if shown is None else tuple(hindrance_reason(h, battle.table.unit) for h in shown.hindrances)
    return Reason("TSE-LOS-01", True, text, result.distance), *(reason for reason in passed if reason.holds)


def _hidden(battle: Battle, spotter: Unit, target: Unit, shown: SightLine | None) -> tuple[Reason, ...]:
    parts = () if shown is None else tuple(hindrance_reason(h, battle.table.unit) for h in shown.hindrances)
    text = f"no line from any point of {spotter.called} to any point of {target.called} is clear"
    return (*(part for part in parts if not part.holds), Reason("TSE-LOS-01", False, text))


#: Texts of hindrances by rule; {f} is the feature, {m} the measured length, {l} the limit, {u} the unit of length.
_BLOCKS = {
    "TSE-LOS-05": "the line runs {m:.2f} {u} through {f}, which stands no lower than either end",
    "TSE-LOS-06": "the lower end lies {m:.2f} {u} behind {f}, within its shadow of {l:.2f} {u}",
    "TSE-LOS-07": "the lower end lies {m:.2f} {u} behind {f}, within its shadow of {l:.2f} {u}",
    "TSE-LOS-10": "the line spends {m:.2f} {u} in {f}; sight goes {l:g} {u}",
    "TSE-LOS-12": "the line spends {m:.2f} {u} in the woods at its ends, {f} among them; sight goes {l:g} {u} in all",
    "TSE-LOS-16": "the hill {f} stands between, no lower than the higher end, for {m:.2f} {u}",
    "TSE-LOS-17": "the higher end stands {m:.2f} {u} from the edge of its own hill {f}; it sees down from {l:g} {u}",
    "TSE-FIR-10": "the line passes {m:.2f} {u} from {f}; {l:g} {u} must be kept",
    "TSE-FIR-12": "the lower end lies {m:.2f} {u} behind {f}, within its shadow of {l:.2f} {u}",
}
_PASSES = {
    "TSE-LOS-06": "the lower end lies {m:.2f} {u} behind {f}, beyond its shadow of {l:.2f} {u}",
    "TSE-LOS-07": "the lower end lies {m:.2f} {u} behind {f}, beyond its shadow of {l:.2f} {u}",
    "TSE-LOS-10": "the line spends {m:.2f} {u} in {f}; sight goes {l:g} {u}",
    "TSE-LOS-15": "both ends overlook {f}",
    "TSE-LOS-16": "the lower end lies {m:.2f} {u} behind the hill {f}, beyond its shadow of {l:.2f} {u}",
    "TSE-FIR-12": "the lower end lies {m:.2f} {u} behind {f}, beyond its shadow of {l:.2f} {u}",
}
_SHADOW_SIDE = (
    "the lower end lies {m:.2f} {u} behind {f}, in its shadow of {l:.2f} {u}; the line runs {s:.2f} {u} inside its edge"
)
#: Texts for a line that is nearest to clear past the side of the obstruction; {s} is how far it must be shifted.
_SIDEWAYS = {
    "TSE-LOS-05": "the line runs through {f}, which stands no lower than either end, {s:.2f} {u} inside its edge",
    "TSE-LOS-06": _SHADOW_SIDE,
    "TSE-LOS-07": _SHADOW_SIDE,
    "TSE-LOS-16": "the hill {f} stands between, and the line runs {s:.2f} {u} inside its contour",
}
_HILL_SHADOW = "the lower end lies {m:.2f} {u} behind the hill {f}, within its shadow of {l:.2f} {u}"
_OVERLOOKED = "both ends overlook {f}"


def hindrance_reason(hindrance: Hindrance, unit: str = "in") -> Reason:
    """Return one obstruction on a line as a reason, which holds if it does not block (TSE-LOS-05 to 17, TSE-FIR-12).

    It measures whichever falls least short of a clear line: the length through the obstruction, the position in its
    shadow, or how far inside its edge the line runs.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.geometry import sight_line
    >>> battle = open_battle("level-shadow")
    >>> line = sight_line(battle.table, battle.unit("low-guns").at, battle.unit("middle").at, law_of(battle))
    >>> reason = hindrance_reason(line.hindrances[0])
    >>> reason.rule, reason.holds
    ('TSE-LOS-06', False)
    """
    h = hindrance
    if h.blocks and h.beside is not None and h.beside <= h.excess and h.rule in _SIDEWAYS:
        sentence = _SIDEWAYS[h.rule].format(f=h.feature, m=h.measured, l=h.limit, s=h.beside, u=unit)
        return Reason(h.rule, False, sentence, h.beside, 0.0, h.feature)
    text = _BLOCKS[h.rule] if h.blocks else _PASSES.get(h.rule, _OVERLOOKED)
    if h.rule == "TSE-LOS-16" and h.blocks and h.shadow is not None:
        text = _HILL_SHADOW
    measured: float | None = h.measured
    limit: float | None = h.limit
    if not h.blocks and h.shadow is None and h.kind != "within":
        text, measured, limit = _OVERLOOKED, None, None
    sentence = text.format(f=h.feature, m=h.measured, l=h.limit, u=unit)
    return Reason(h.rule, not h.blocks, sentence, measured, limit, h.feature)


def _shapes(battle: Battle, result: Sight, shown: SightLine | None) -> Iterator[Shape]:
    """Yield the line to show, with the stretches that block it and the shadows on it."""
    if shown is None:
        return
    label = "" if result.distance is None else f"{result.distance:.2f} {battle.table.unit}"
    yield from line_shapes(shown, "witness" if result.seen else "blocked", label)


def line_shapes(shown: SightLine, role: Role, label: str = "") -> Iterator[Shape]:
    """Yield the shapes (table units) of a judged line: the line, the stretches that block it, the shadows on it.

    Source: TSE-LOS-06.

    >>> from tabletop.play.files.opened import open_battle
    >>> from tabletop.geometry import sight_line
    >>> battle = open_battle("level-shadow")
    >>> line = sight_line(battle.table, battle.unit("low-guns").at, battle.unit("middle").at, law_of(battle))
    >>> [(shape.role, shape.kind) for shape in line_shapes(line, "blocked")]
    [('blocked', 'line'), ('blocker', 'line'), ('shadow', 'line')]
    """
    yield line_shape(role, (shown.start, shown.end), label)
    for h in shown.hindrances:
        if h.blocks:
            yield line_shape("blocker", _stretch(shown, *h.stretch), h.feature)
        if h.shadow is not None and h.shadow[1] > h.shadow[0]:
            yield line_shape("shadow", _stretch(shown, *h.shadow), f"shadow of {h.feature}")


def _stretch(line: SightLine, a: float, e: float) -> tuple[Point, Point]:
    (x, y), (tx, ty) = line.start, line.end
    share = (a / line.length, e / line.length) if line.length > 0 else (0.0, 0.0)
    first, last = ((x + k * (tx - x), y + k * (ty - y)) for k in share)
    return first, last
