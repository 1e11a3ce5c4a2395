"""Where units can go: a unit's reach with turns charged.

``python -m benchmarks.own going``. The reach is that of units of Quatre Bras: ``set out`` is what the ground, friends
and enemies make of the move, ``at once`` the straight advances that are shown first, ``whole`` all the ground, every
place of it backed by a way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.bulk import kernels
from tabletop.battle.battle import Battle
from tabletop.geometry import fast


def reaches(battle: Battle, action: str) -> None:
    """Time the reach of every unit by an action."""
    from tabletop.geometry.movement.reach import explored
    from tabletop.rules.tse.movement.motion import ACTIONS
    from tabletop.rules.tse.movement.reach import setting_of

    units = [u for u in battle.units if u.is_general == (action == "general")]
    times: dict[str, list[float]] = {"set out": [], "at once": [], "whole": []}
    for unit in [units[0], *units]:
        context = _timed(times["set out"], setting_of, battle, unit, ACTIONS[action])
        _timed(times["whole"], explored, context)
        _timed(times["at once"], explored, setting_of(battle, unit, ACTIONS[action]), lambda: True)
    for what, took in times.items():
        ms = 1000 * np.array(took[1:])
        name = f"reach by {action}, {what}"
        print(f"{name:46s} median {np.median(ms):8.1f}   p95 {np.percentile(ms, 95):8.1f}   worst {ms.max():8.1f} ms")


def _timed(times: list[float], call: Callable[..., Any], *args: Any) -> Any:
    start = time.process_time()
    found = call(*args)
    times.append(time.process_time() - start)
    return found


def going() -> None:
    """Print times without kernels and with them."""
    from benchmarks.own import BATTLE, ROOT
    from tabletop.play.files.load import load_scene

    battle = load_scene(ROOT / BATTLE)
    for used in (False, True)[: 1 + fast.installed()]:
        with kernels(used):
            print(f"   {'with' if used else 'without'} kernels")
            for action in ("maneuver", "march", "general"):
                reaches(battle, action)
