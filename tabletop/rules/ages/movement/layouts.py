"""The formations of each arm, and how bases are laid out in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.battle.event import Converted, Placed
from tabletop.battle.unit import Unit, pose_of
from tabletop.geometry.base import Base
from tabletop.geometry.layout import Layout, column, file, line, ranks, square
from tabletop.geometry.measure import Point
from tabletop.rules.ages.tables import ARTILLERY, CAVALRY, INFANTRY, Profile, arm, profile_of, troop_of

LINE, COLUMN, SQUARE, GARRISON = "line", "column", "square", "garrison"
LIMBERED, UNLIMBERED = "limbered", "unlimbered"
#: The changes of dragoons, by which they become troops of another arm where they stand (GLO-CAV-03).
DISMOUNTED, MOUNTED = "dismounted", "mounted"
REMOUNTS = (DISMOUNTED, MOUNTED)
#: The formations of each arm in the open, the usual one first (ROC-FRM-03: cavalry forms no square).
OF_ARM: Mapping[str, tuple[str, ...]] = {
    INFANTRY: (LINE, COLUMN, SQUARE),
    CAVALRY: (LINE, COLUMN),
    ARTILLERY: (UNLIMBERED, LIMBERED),
}
FORMATIONS = (LINE, COLUMN, SQUARE, GARRISON, UNLIMBERED, LIMBERED, *REMOUNTS)
#: Formations that do not move: a square (ROC-FRM-06), troops in a house, guns off their limbers (ROC-ART-09).
FIXED = (SQUARE, GARRISON, UNLIMBERED)
#: Formations with a front all round: no flank, no rear (ruling ROC-CBT-05).
ROUND = (SQUARE, GARRISON)


def of_arm(profile: Profile, name: str) -> tuple[str, ...]:
    """Return what an arm can form, the usual formation first; last the garrison, if houses shelter it (AGE-SET-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> [of_arm(profile_of(open_battle(name)), "cavalry") for name in ("saint-amand", "drill-ground")]
    [('line', 'column', 'garrison'), ('line', 'column')]
    """
    sheltered = (GARRISON,) if name in profile.tables["houses"]["shelter"] else ()
    return (*OF_ARM.get(name, ()), *sheltered)


def formations(unit: Unit) -> tuple[str, ...]:
    """Return the formations a unit can form, the usual one first; dragoons also dismount or mount (GLO-CAV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> battle = open_battle("drill-ground")
    >>> formations(battle.unit("french-1")), formations(battle.unit("hussars"))
    (('line', 'column', 'square', 'garrison'), ('line', 'column'))
    """
    own = of_arm(profile_of(unit), arm(unit))
    if not troop_of(unit).becomes:
        return own
    return (*own, DISMOUNTED if arm(unit) == CAVALRY else MOUNTED)


def layout_of(formation: str, n: int, size: tuple[float, float]) -> Layout:
    """Return the layout of ``n`` bases of ``size`` (frontage, depth): a line, a file, a hollow square or a block.

    Lengths are in table units (mm). Source: ROC-SCA-02, ROC-FRM-03.

    >>> layout_of("line", 5, (20.0, 15.0)).front, layout_of("column", 5, (20.0, 15.0)).front
    ((0, 1, 2, 3, 4), (0,))
    """
    w, d = size
    makers = {
        SQUARE: lambda: square(n, w, d),
        COLUMN: lambda: file(n, w, d),
        GARRISON: lambda: column(ranks(n, -(-n // 2)) or (n,), w, d),
    }
    return makers.get(formation, lambda: line(n, w, d))()


def size_of(unit: Unit) -> tuple[float, float]:
    """Return frontage and depth of a unit's bases."""
    base = unit.bases[0]
    assert isinstance(base, Base), "every base of these rules is a rectangle"
    return base.frontage, base.depth


def standing_in(unit: Unit, formation: str, at: Point | None = None, facing: float | None = None) -> Unit:
    """Return the unit in a formation, with the same number of bases (ROC-FRM-03).

    Between line and column the middle of its front stays where it is (reconstruction); into and out of the others the
    centre does, which moves to ``at`` (table units) if given. ``facing`` is in degrees. Dragoons dismount and mount in
    the line or column they stand in (GLO-CAV-03).

    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("french-1")
    >>> unit.at, standing_in(unit, "column").at, standing_in(unit, "column").front_mid == unit.front_mid
    ((140.0, 220.0), (140.0, 190.0), True)
    """
    if formation in REMOUNTS:
        return _remounted(unit)
    turn = unit.facing if facing is None else facing
    layout = layout_of(formation, unit.strength, size_of(unit))
    if at is None and not {formation, unit.formation} & set(ROUND):
        return placed(unit, formation, layout, layout.by_front(unit.front_mid, turn))
    return placed(unit, formation, layout, layout.about_centre(at or unit.at, turn))


def _remounted(unit: Unit) -> Unit:
    """Return dragoons dismounted or remounted: as many bases of the other kind of troops (GLO-CAV-03)."""
    troop = troop_of(unit).becomes
    formation = unit.formation if unit.formation == COLUMN else LINE
    layout = layout_of(formation, unit.strength, profile_of(unit).troops[troop].base)
    return placed(replace(unit, troop=troop), formation, layout, layout.by_front(unit.front_mid, unit.facing))


def pose_after(before: Unit, after: Unit) -> dict[str, Any]:
    """Return the pose of a unit that has changed formation; for dragoons with the troops they have become."""
    became = {} if after.troop == before.troop else {"troop": after.troop, "base": size_of(after)}
    return {**pose_of(after), **became}


def formed_as(before: Unit, after: Unit, formation: str) -> Placed | Converted:
    """Return the event of a change of formation; dragoons who dismount or mount are converted (GLO-CAV-03)."""
    if after.troop == before.troop:
        return Placed(before.id, pose_of(after), how=formation)
    return Converted(before.id, pose_of(after), after.troop, size_of(after), how=formation)


def placed(unit: Unit, formation: str, layout: Layout, bases: tuple[Base, ...]) -> Unit:
    """Return a unit standing on ``bases`` laid out by ``layout``."""
    return replace(
        unit,
        bases=bases,
        formation=formation,
        facing=bases[0].facing,
        front=None,
        front_bases=layout.front,
        reference=0,
    )


def fewer(unit: Unit, away_from: Point) -> Unit:
    """Return a unit after the loss of one base: the end of a line farther from a point, or the rear of a column.

    The point is in table units (ROC-RES-01). A square or garrison closes up about its centre. The unit must have more
    than one base.

    >>> from tabletop.play.files.opened import open_battle
    >>> unit = open_battle("drill-ground").unit("french-1")
    >>> fewer(unit, (0.0, 285.0)).strength, fewer(unit, (0.0, 285.0)).at
    (4, (130.0, 220.0))
    """
    n, size = unit.strength - 1, size_of(unit)
    layout = layout_of(unit.formation, n, size)
    reduced = replace(unit, bases=unit.bases[:n])
    if unit.formation in ROUND:
        return placed(reduced, unit.formation, layout, layout.about_centre(unit.at, unit.facing))
    bases = unit.bases[:n]
    if unit.formation != COLUMN and _farther(unit.bases[0].centre, unit.bases[-1].centre, away_from):
        bases = unit.bases[1:]
    return placed(reduced, unit.formation, layout, tuple(b for b in bases if isinstance(b, Base)))


def _farther(a: Point, b: Point, point: Point) -> bool:
    """Return whether ``a`` lies farther from a point than ``b``, beyond rounding."""
    da, db = ((p[0] - point[0]) ** 2 + (p[1] - point[1]) ** 2 for p in (a, b))
    return da > db + 1e-6
