"""The kinds of terrain a rule set uses, from the data file ``terrain.toml`` of its package.

The file may hold ``kinds``, all preset kinds that its rules know, and ``own``, those that no other rule set has unless
it lists them itself. A rule set without the file has every preset kind that no other one claims as its own. A published
rule set may define kinds of its own there, each as a section ``[kind.abatis]``: they are read without importing it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from tabletop.errors import Broken
from tabletop.geometry.terrain import COVER_CLASSES, MOVEMENT_CLASSES, SIGHT_CLASSES, Terrain, presets
from tabletop.rules import rule_set
from tabletop.rules.package_folders import folder_of
from tabletop.rules.published import published
from tabletop.rules.rule_set import RuleSet

FILE = "terrain.toml"
#: How the ground of a kind that a rule set defines may be drawn.
PATTERNS = ("plain", "hatched", "cross-hatched", "dotted", "crosses")
#: The words each property of a definition may have, and its lengths (inches at figure scale 1).
_WORDS = {
    "shape": ("area", "line", "any"), "movement": MOVEMENT_CLASSES, "cover_fire": COVER_CLASSES,
    "cover_assault": COVER_CLASSES, "sight": SIGHT_CLASSES, "pattern": PATTERNS,
}  # fmt: skip
_LENGTHS = ("width", "see_through")
_DRAWN = ("sign", "colour", "pattern", "about")
_NEEDED = ("shape", "sign", "colour", "about")
#: What a text must be: its form, and how it is written.
_TEXTS = {
    "sign": (r"[!-/:-@\[-`{-~]", "a character that is neither letter nor digit, such as sign = '^'"),
    "colour": (r"#[0-9a-fA-F]{6}", "such as colour = '#7a5c36'"),
    "about": (r"[^\n]{1,120}", "one line of up to 120 characters on what it is and does"),
}
_NAME = r"[a-z][a-z0-9-]{0,39}"
_MOST = 100.0


@dataclass(frozen=True)
class OwnKind:
    """A kind of terrain that a rule set defines: its ``preset`` as of a preset kind, and how it is drawn.

    ``sign`` is its character on a chart in letters, ``pattern`` one of ``PATTERNS``; ``about`` is what legends say.
    """

    name: str
    rules: str
    preset: Mapping[str, Any]
    sign: str
    colour: str
    about: str
    pattern: str = "plain"


def kinds_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the kinds of terrain that may lie on a table of this rule set; Broken if its file cannot be read.

    >>> kinds_of(rule_set.find("sail"))
    ('sea', 'shoal', 'land')
    """
    own = tuple(own_presets(rules.name))
    for package in reversed(rules.data_packages):
        listed = _read(resources.files(package).joinpath(FILE)).get("kinds")
        if listed is not None:
            return (*(kind for kind in presets() if kind in listed), *own)
    claimed = {kind for name in rule_set.NAMES if name != rules.name for kind in own_kinds(name)}
    return (*(kind for kind in presets() if kind not in claimed), *own)


@cache
def own_kinds(name: str) -> tuple[str, ...]:
    """Return the preset kinds that a rule set claims as its own, without importing it; none if unreadable.

    >>> own_kinds("sail"), own_kinds("tse")
    (('sea', 'shoal', 'land'), ())
    """
    try:
        folder = _folder(name)
        return tuple(map(str, _read(folder.joinpath(FILE)).get("own", ()))) if folder is not None else ()
    except Broken:
        return ()


@cache
def every_kind() -> tuple[str, ...]:
    """Return every kind of terrain there is: the preset ones, and those that published rule sets define.

    No rule set is imported; one whose file is faulty is left out.

    >>> every_kind() == tuple(presets())
    True
    """
    own = [kind for name in rule_set.NAMES if name not in rule_set.BUILT_IN for kind in _sound(name)]
    return tuple(dict.fromkeys((*presets(), *own)))


def preset_of(kind: str, rules: str) -> Mapping[str, Any] | None:
    """Return the preset properties of a kind under the rules of this name (lengths in inches); None without such a one.

    Raises Broken if the file that defines it is faulty.

    >>> preset_of("track", "tse")
    {'shape': 'any', 'width': 0.5}
    """
    if kind in presets():
        return presets()[kind]
    own = own_presets(rules).get(kind)
    return None if own is None else own.preset


def own_kind(piece: Terrain) -> OwnKind | None:
    """Return the definition of a piece's kind if a rule set defines it; None for a preset kind, or if it is gone.

    >>> own_kind(Terrain.of_kind("wood", "woods", outline=[(0, 0), (4, 0), (4, 4)])) is None
    True
    """
    return _sound(piece.rules).get(piece.kind) if piece.rules else None


def owner(kind: str) -> str | None:
    """Return the name of a published rule set that defines a kind; None for any other, without importing one.

    >>> owner("woods") is None
    True
    """
    return next((name for name in rule_set.NAMES if name not in rule_set.BUILT_IN and kind in _sound(name)), None)


@cache
def own_presets(name: str) -> Mapping[str, OwnKind]:
    """Return the kinds of terrain that a published rule set defines, by name, without importing it.

    They stand in ``terrain.toml`` beside the module that its entry point names. Broken, with file, key, value and cure,
    for the first fault in it.

    >>> own_presets("tse")
    {}
    """
    folder = _folder(name) if name not in rule_set.BUILT_IN else None
    if folder is None:
        return {}
    file = folder.joinpath(FILE)
    sections = _read(file).get("kind", {})
    if not isinstance(sections, Mapping):
        raise Broken(_line(file, f"kind = {sections!r} is no section; write [kind.abatis]"))
    return {kind: _defined(file, name, kind, section) for kind, section in sections.items()}


def _sound(name: str) -> Mapping[str, OwnKind]:
    """Return the kinds that a rule set defines; none if its file is faulty."""
    try:
        return own_presets(name)
    except Broken:
        return {}


def _defined(file: Traversable, rules: str, kind: str, section: Any) -> OwnKind:
    """Return a kind as a section defines it; Broken for the first fault."""
    if fault := next(_faults(kind, section), None):
        raise Broken(_line(file, f"[kind.{kind}] {fault}"))
    preset = {key: float(section[key]) if key in _LENGTHS else section[key] for key in section if key not in _DRAWN}
    return OwnKind(kind, rules, preset, **{key: section[key] for key in _DRAWN if key in section})


def _faults(kind: str, section: Any) -> Iterator[str]:
    """Yield what is wrong with a definition, each with its key, its value and the cure."""
    if kind in presets():
        yield "has the name of a kind that every program has; give it another name"
    if not re.fullmatch(_NAME, kind):
        yield "is no name of a kind; use lower-case letters, digits and '-'"
    if not isinstance(section, Mapping):
        yield f"= {section!r} is no section; give it the keys {', '.join(_NEEDED)}"
        return
    known = (*_WORDS, *_LENGTHS, *_TEXTS)
    yield from (f"{key}: there is no such key; there are: {', '.join(known)}" for key in section if key not in known)
    yield from (f"lacks {key}; {_cure(key)}" for key in _NEEDED if key not in section)
    for key, value in section.items():
        if key in _WORDS and value not in _WORDS[key]:
            yield f"{key} = {value!r}; {_cure(key)}"
        elif key in _LENGTHS and not (type(value) in (int, float) and 0.0 <= value <= _MOST):
            yield f"{key} = {value!r}; it must be a number of inches from 0 to {_MOST:g}"
        elif key in _TEXTS and not (isinstance(value, str) and re.fullmatch(_TEXTS[key][0], value)):
            yield f"{key} = {value!r}; {_cure(key)}"


def _cure(key: str) -> str:
    return f"it must be {', '.join(_WORDS[key])}" if key in _WORDS else f"give {_TEXTS[key][1]}"


def _folder(name: str) -> Traversable | None:
    """Return the folder of a rule set's module; None if its package is not found."""
    if name in rule_set.BUILT_IN:
        return resources.files("tabletop.rules").joinpath(name.replace("-", "_"))
    folder = folder_of(name)
    return folder.joinpath(*published()[name].partition(":")[0].split(".")[1:-1]) if folder is not None else None


def _read(file: Traversable) -> Mapping[str, Any]:
    """Return the data of a file, nothing if it does not exist; Broken, with its name, if it cannot be read."""
    if not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Broken(_line(file, str(error))) from None


def _line(file: Traversable, fault: str) -> str:
    return f"{file}: {fault}; ask the author of these rules, or uninstall them"
