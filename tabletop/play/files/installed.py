"""The data that comes with the program: its folder, and the names of its files."""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath

from tabletop.errors import AGAIN, Broken
from tabletop.play.files.nearest_words import nearest

DATA_FOLDERS = ("maps", "armies", "scenarios")
#: The same folders in the order in which names are looked up.
FOLDERS = ("scenarios", "maps", "armies")
#: The suffix that may be left out of a file's name.
SUFFIX = ".yaml"


@cache
def installed_data() -> Path | None:
    """Return the folder of the data that comes with the program: inside the package, or the root of a checkout."""
    package = Path(__file__).resolve().parents[2]
    places = (package / "_data", package.parent)
    return next((place for place in places if (place / "maps").is_dir()), None)


def installed(name: str) -> Path:
    """Return a file of the installed data; Broken if the data is missing."""
    data = installed_data()
    if data is None or not (data / name).is_file():
        raise Broken(f"the data of the program is missing ({name}); {AGAIN}")
    return data / name


@cache
def places() -> tuple[str, ...]:
    """Return the paths, below the data folder, of all files that come with the program."""
    data = installed_data()
    if data is None:
        return ()
    paths = [path for name in FOLDERS for path in sorted((data / name).rglob("*" + SUFFIX))]
    return tuple(path.relative_to(data).as_posix() for path in paths)


def names() -> list[str]:
    """Return the name of every file that comes with the program, each once."""
    return list(dict.fromkeys(PurePosixPath(place).stem for place in places()))


def near_name(word: str) -> str | None:
    """Return the name most like a word, None if none is similar."""
    return nearest(Path(word).name.removesuffix(SUFFIX), names())
