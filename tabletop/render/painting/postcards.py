"""Pictures of a battle for systems that cannot open a window: the field, a sight-line proof, a movement reach."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import Broken
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask, judge
from tabletop.render.drawing.scene import picture
from tabletop.render.painting.files import write_picture

#: The folder of the pictures, in the first of two places where it can be written.
FOLDER = "pictures"
#: Pairs of enemies tried, nearest first, to find a line of sight worth showing.
_TRIES = 8


def write_postcards(battle: Battle) -> list[Path]:
    """Write the pictures and return their paths, all in one folder; Broken when no folder can be written."""
    folder = _folder()
    written = [write_picture(folder / "field.png", picture(battle))]
    for name, verdict in _proofs(battle):
        written.append(write_picture(folder / f"{name}.png", picture(battle, verdict)))
    return written


def _folder() -> Path:
    for place in (Path.cwd(), Path(tempfile.gettempdir())):
        folder = place / FOLDER
        try:
            folder.mkdir(exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    raise Broken("no folder here can be written; start again in one that can")


def _proofs(battle: Battle) -> Iterator[tuple[str, Verdict]]:
    sight = _sight(battle)
    if sight is not None:
        yield "sight", sight
    mover = sight.args[0] if sight is not None else next((u.id for u in battle.units if not u.is_general), None)
    if mover is not None:
        yield "reach", ask(battle, "reach", [mover])


def _sight(battle: Battle) -> Verdict | None:
    """Return the verdict on the longest line of sight between some nearby enemies, None without enemies."""
    verdicts = [ask(battle, "los", [a.id, b.id]) for a, b in _pairs(battle)]
    if not verdicts:
        return None
    best = max(verdicts, key=lambda verdict: (verdict.holds, verdict.measured.get("distance") or 0.0))
    return judge(battle, "los", best.args)


def _pairs(battle: Battle) -> list[tuple[Unit, Unit]]:
    troops = [unit for unit in battle.units if not unit.is_general]
    pairs = [(a, b) for a, b in product(troops, troops) if a.side < b.side]
    return sorted(pairs, key=lambda pair: (distance_between(*pair), pair[0].id, pair[1].id))[:_TRIES]
