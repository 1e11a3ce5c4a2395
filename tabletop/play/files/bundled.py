"""Look up by name, list and copy the scenarios, disputed positions, maps and armies that come with the program.

Those that published rule sets bring are among them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tabletop.errors import AGAIN, BadQuestion, Broken
from tabletop.play.files import installed, named_files
from tabletop.play.files.installed import FOLDERS, SUFFIX, names, places
from tabletop.play.files.nearest_words import clip, did_you_mean

#: The folder, within one of scenarios, of positions that are settled and not played.
DISPUTES = "disputes"
#: The headings for the files of each folder of the data.
KINDS = {"scenarios": "Battles", "maps": "Maps", "armies": "Armies"}


@dataclass(frozen=True)
class Example:
    """A file that comes with the program: its name, its kind, its title, its path in the data."""

    name: str
    kind: str
    title: str
    place: str


def named(word: str | Path) -> Path:
    """Return the file a word refers to: an existing one, as given or with ``.yaml``, or one from the program's data.

    ``level-shadow``, ``tse/starter`` and ``maps/quatre-bras.yaml`` work from any folder. A word that matches nothing
    is returned as a path. Raises BadQuestion if it matches several files.
    """
    path = Path(word)
    text = str(word).replace("\\", "/")
    if path.is_absolute() or not text or len(text) > 200 or "\0" in text or os.path.exists(path):  # noqa: PTH110 - it never raises
        return path
    beside = path.with_name(path.name + SUFFIX) if path.name else path
    if os.path.isfile(beside):  # noqa: PTH113
        return beside
    candidates = _meant(text)
    if not candidates:
        return path
    if len(candidates) > 1:
        raise BadQuestion(f"'{clip(text)}' may be {' or '.join(candidates)}; name one of them")
    return installed.installed(candidates[0])


def _meant(text: str) -> list[str]:
    """Return the files of the data that a word may refer to, in the first folder that holds any."""
    wanted = PurePosixPath(text.removesuffix(SUFFIX)).parts
    hits = [place for place in places() if PurePosixPath(place).with_suffix("").parts[-len(wanted) :] == wanted]
    return [place for place in hits if place.split("/")[0] == hits[0].split("/")[0]]


def examples() -> list[Example]:
    """Return everything that comes with the program; Broken if the data is missing."""
    if not places():
        raise Broken(f"the data of the program is missing; {AGAIN}")
    return [Example(_name(place), kind_of(place), _title(place), place) for place in sorted(places(), key=_order)]


def _order(place: str) -> tuple[int, bool, int, str]:
    from tabletop.rules.rule_set import NAMES

    folder, *inner = place.split("/")
    owner = installed.rules_of(installed.installed(place))
    rules = [number for number, name in enumerate(NAMES) if name in (*inner, owner)]
    return FOLDERS.index(folder), DISPUTES in inner, rules[0] if rules else len(NAMES), place


def _name(place: str) -> str:
    """Return the shortest name that refers to this file and no other."""
    parts = PurePosixPath(place).with_suffix("").parts
    tails = ["/".join(parts[-many:]) for many in range(1, len(parts) + 1)]
    return next(tail for tail in tails if _meant(tail) == [place])


def kind_of(place: str) -> str:
    """Return the heading under which a file of the data is listed, by its path below the data folder."""
    folder, *inner = PurePosixPath(place).parts
    return "Disputed positions" if DISPUTES in inner else KINDS[folder]


def _title(place: str) -> str:
    data = installed.installed(place)
    header = named_files.read(data).data
    return str(header.get("title") or header.get("name") or "")


def copied(words: Sequence[str], folder: Path) -> list[Path]:
    """Copy files that come with the program, and the map and the armies they name, into a folder; return the copies.

    All are copied or none. Raises BadQuestion for an unknown name, for a file that already exists (nothing is ever
    overwritten), and for a folder that cannot be written.
    """
    wanted: dict[Path, str] = {}
    for word in words:
        place = _one(word)
        wanted[folder / PurePosixPath(place).name] = place
        wanted.update({folder / other: other for other in _named_in(place)})
    clashes = [str(path) for path in wanted if os.path.lexists(path)]
    if clashes:
        raise BadQuestion(f"{', '.join(clashes)} is there already and is not written over; choose another folder: --to")
    copies: list[Path] = []
    try:
        for path, place in wanted.items():
            data = installed.installed(place).read_bytes()
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as out:
                copies.append(path)
                out.write(data)
    except OSError as error:
        for path in copies:
            path.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise BadQuestion(f"{folder} cannot be written ({reason}); name another folder: --to FOLDER") from None
    return copies


def _one(word: str) -> str:
    """Return the path in the data of the one file a word refers to; BadQuestion for none or several."""
    candidates = _meant(str(word).replace("\\", "/")[:200])
    if not candidates:
        raise BadQuestion(f"no example is called '{clip(word)}'; {did_you_mean(word, names())}")
    if len(candidates) > 1:
        raise BadQuestion(f"'{clip(word)}' may be {' or '.join(candidates)}; name one of them")
    return candidates[0]


def _named_in(place: str) -> list[str]:
    """Return the paths in the data of the map and the armies that a scenario names."""
    data = named_files.read(installed.installed(place)).data
    wanted = [str(name) for name in (data.get("map"), *(data.get("armies") or []))]
    return [name for name in dict.fromkeys(wanted) if name in places()]


def catalogue() -> str:
    """Return a list of all examples as text, grouped by kind."""
    listed = examples()
    wide = max(len(one.name) for one in listed)
    lines: list[str] = []
    for kind in dict.fromkeys(one.kind for one in listed):
        lines += ["", kind] if lines else [kind]
        lines += [f"  {one.name:<{wide}}  {one.title}".rstrip() for one in listed if one.kind == kind]
    return "\n".join(lines)
