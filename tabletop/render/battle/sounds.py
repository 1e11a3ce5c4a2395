"""A few quiet sounds for the playback: drums for a march, hooves, muskets, guns. Synthesized; off unless switched on.

On a machine without audio it stays silent and reports no error.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pygame

from tabletop.battle.event import Told
from tabletop.battle.unit import Unit
from tabletop.render.events.beats import Beat
from tabletop.rules.common.looks import Figure
from tabletop.rules.rule_set import looks_of

#: Samples per second, and the overall volume.
RATE, LOUD = 22_050, 0.25
#: Sound of a moving branch, and of one that attacks; other branches drum and fire muskets.
WAYS: Mapping[Figure | None, str] = {Figure.HORSE: "hooves", Figure.GUNS: "hooves", Figure.OFFICER: "hooves"}
ATTACKS: Mapping[Figure | None, str] = {Figure.GUNS: "guns", Figure.HORSE: "hooves"}
#: The caption of each sound.
CAPTIONS: Mapping[str, str] = {
    "drum": "Drums: a march", "hooves": "Hooves", "muskets": "Muskets: a volley", "guns": "Guns",
}  # fmt: skip


def of(beat: Beat) -> str:
    """Return the sound of a beat, "" if it has none."""
    event = beat.event
    if isinstance(event, Told) and event.unit is not None and event.target is not None:
        return ATTACKS.get(_branch(beat, event.unit), "muskets")
    return WAYS.get(_branch(beat, beat.mover), "drum") if beat.mover is not None else ""


def _branch(beat: Beat, name: str) -> Figure | None:
    unit: Unit | None = beat.battle.unit(name) if beat.battle.has(name) else None
    if unit is None:
        return None
    return looks_of(unit).figure(unit.troop)


class Speaker:
    """Plays each beat's sound once."""

    def __init__(self) -> None:
        self._last: Beat | None = None
        self.dumb = False

    def hear(self, beat: Beat | None, aloud: bool = True) -> str:
        """Play the sound of a new beat if ``aloud``; return the sound's name."""
        if beat is None or beat is self._last:
            return ""
        self._last = beat
        name = of(beat)
        if name and aloud and not self.dumb:
            self._play(name)
        return name

    def _play(self, name: str) -> None:
        try:
            if pygame.mixer.get_init() is None:
                pygame.mixer.init(RATE, -16, 1)
            pygame.mixer.Sound(buffer=samples(name).tobytes()).play()
        except (pygame.error, NotImplementedError):
            self.dumb = True


@cache
def samples(name: str) -> np.ndarray:
    """Return a sound as samples (int16, one channel); KeyError if there is no sound of that name."""
    made = {"drum": _drum, "hooves": _hooves, "muskets": _muskets, "guns": _guns}[name]()
    return (np.clip(LOUD * made / max(1e-9, float(np.abs(made).max())), -1.0, 1.0) * 32767).astype(np.int16)


def _noise(seconds: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(int(seconds * RATE))


def _time(seconds: float) -> np.ndarray:
    return np.arange(int(seconds * RATE)) / RATE


def _deadened(noise: np.ndarray, width: int) -> np.ndarray:
    """Return noise without its high tones."""
    dull: np.ndarray = np.convolve(noise, np.ones(width) / width, "same")
    return dull


def _laid(whole: float, strokes: list[tuple[float, np.ndarray]]) -> np.ndarray:
    """Return strokes mixed at their times into a sound of this many seconds."""
    sheet = np.zeros(int(whole * RATE))
    for at, stroke in strokes:
        start = int(at * RATE)
        room = min(len(stroke), len(sheet) - start)
        sheet[start : start + room] += stroke[:room]
    return sheet


def _drum() -> np.ndarray:
    t = _time(0.14)
    tap = (0.6 * np.sin(2 * np.pi * 170 * t) + 0.5 * _deadened(_noise(0.14, 1), 3)) * np.exp(-t * 38)
    return _laid(0.75, [(0.0, tap), (0.22, 0.6 * tap), (0.33, 0.6 * tap), (0.44, tap)])


def _hooves() -> np.ndarray:
    t = _time(0.07)
    beat = (np.sin(2 * np.pi * 95 * t) + 0.4 * _deadened(_noise(0.07, 2), 9)) * np.exp(-t * 60)
    return _laid(0.8, [(0.19 * k + d, (1.0 - d * 2) * beat) for k in range(4) for d in (0.0, 0.06, 0.11)])


def _muskets() -> np.ndarray:
    t = _time(0.25)
    shot = _deadened(_noise(0.25, 3), 4) * np.exp(-t * 26)
    times = np.sort(np.random.default_rng(4).uniform(0.0, 0.35, 9))
    return _laid(0.7, [(float(at), (0.5 + 0.5 * (k % 3) / 2) * shot) for k, at in enumerate(times)])


def _guns() -> np.ndarray:
    t = _time(0.9)
    boom: np.ndarray = (np.sin(2 * np.pi * (70 - 25 * t) * t) + 1.5 * _deadened(_noise(0.9, 5), 24)) * np.exp(-t * 6)
    return boom
