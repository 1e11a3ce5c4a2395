"""The player's settings: a small file that may be edited by hand.

An invalid value is replaced by the default, and reported once; reading the file never overwrites it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import platformdirs

from tabletop.play.files.writing import write_whole
from tabletop.render.drawing.theme import LOOKS, SYMBOLS


class Overlay(StrEnum):
    """The overlays for the selected unit, then those for planning."""

    ARC = "arc"
    ZONE = "zone"
    REACH = "reach"
    GROUND = "ground"
    ENEMIES = "enemies"
    THREAT = "threat"
    COMMAND = "command"
    FALLBACK = "fallback"
    TERRAIN = "terrain"


#: The overlays shown by default.
USUAL = frozenset({Overlay.ARC, Overlay.ZONE, Overlay.REACH, Overlay.GROUND, Overlay.ENEMIES})


#: The values of each setting; a pair of numbers is a range. Any of the overlays may be chosen.
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "scale": (1.0, 2.5),
    "palette": ("plain", "tritanopia", "grey"),
    "symbols": SYMBOLS,
    "look": ("painted", *(look for look in LOOKS if look != "painted")),
    "pace": ("slow", "normal", "fast", "at once"),
    "sound": (False, True),
    "captions": (False, True),
    "coach": ("first", "always", "off"),
    "units": ("table", "inches", "centimetres"),
    "overlays": tuple(str(overlay) for overlay in Overlay),
    "legend": (False, True),
    "panel": (False, True),
    "log": (False, True),
}


def settings_file() -> Path:
    """Return the file of the settings."""
    return Path(platformdirs.user_config_dir("tabletop", appauthor=False)) / "settings.toml"


#: Settings that used to be yes or no, and the present name of each value.
FORMER: Mapping[str, Mapping[bool, str]] = {"coach": {True: "first", False: "off"}}


@dataclass(frozen=True)
class Settings:
    """The settings; ``scale`` is 1 to 2.5, ``keys`` maps the names of rebound actions to key names.

    ``overlays`` are those shown for a unit; ``legend``, ``panel`` and ``log`` whether these are open, as the player
    left them. ``coach`` is when the coach warns: by default only in the first battle. ``captions``: whether sounds are
    also written at the table's edge, with the sound on or off.
    """

    scale: float = 1.0
    palette: str = "plain"
    symbols: str = "look"
    pace: str = "normal"
    sound: bool = False
    units: str = "table"
    overlays: tuple[str, ...] = tuple(overlay for overlay in CHOICES["overlays"] if overlay in USUAL)
    legend: bool = False
    panel: bool = True
    log: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    look: str = "painted"
    coach: str = "first"
    captions: bool = False

    def changed(self, **values: Any) -> Settings:
        """Return these settings with some values replaced."""
        return replace(self, **values)

    def keep(self, path: Path | None = None) -> str:
        """Write them to their file; return why that failed, "" if it did not."""
        path = settings_file() if path is None else path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, _text(self).encode())
        except OSError as error:
            return f"The settings cannot be kept in {path}: {error.strerror or error}."
        return ""


def read(path: Path | None = None) -> tuple[Settings, str]:
    """Return the saved settings, and what is wrong with the file, if anything."""
    path = settings_file() if path is None else path
    try:
        rows = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError) as error:
        return Settings(), f"{path} cannot be read ({error}); the usual settings are used. Mend it, or delete it."
    for name, values in FORMER.items():
        if type(rows.get(name)) is bool:
            rows[name] = values[rows[name]]
    good: dict[str, Any] = {name: _as_kept(value) for name, value in rows.items() if _will_do(name, value)}
    wrong = [name for name in rows if name not in good]
    fault = f"{path}: '{wrong[0]}' has no such value as {rows[wrong[0]]!r}; the usual one is used." if wrong else ""
    return Settings(**good), fault


def _will_do(name: str, value: Any) -> bool:
    if name == "keys":
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    allowed = CHOICES.get(name)
    if allowed is None:
        return False
    if name == "overlays":
        return isinstance(value, list) and all(word in allowed for word in value)
    if name == "scale":
        return isinstance(value, int | float) and not isinstance(value, bool) and allowed[0] <= value <= allowed[1]
    return type(value) is type(allowed[0]) and value in allowed


def _as_kept(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _text(settings: Settings) -> str:
    rows = [f"{f.name} = {_word(getattr(settings, f.name))}" for f in fields(settings) if f.name != "keys"]
    keys = [f"{_word(name)} = {_word(key)}" for name, key in sorted(settings.keys.items())]
    return "\n".join([*rows, *(["", "[keys]", *keys] if keys else []), ""])


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_word, value))}]"
    return repr(value)
