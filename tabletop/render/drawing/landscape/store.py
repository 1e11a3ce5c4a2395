"""A cache of paintings of tables, in memory and in the user's cache folder, by the content of the table.

A painting takes a second or more, so none is made twice. The folder is optional: where it cannot be written, or a file
in it cannot be read, the painting is made anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import platformdirs
import shapely
from PIL import Image

from tabletop.geometry.terrain import Table
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing.landscape.painted import painting
from tabletop.render.drawing.primitives import Painting
from tabletop.render.drawing.theme import GREY, current_palette
from tabletop.rules.terrain_kinds import own_kind
from tabletop.version import __version__

#: Pixels an inch: one that is quickly made, and one for a close look.
COARSE, FINE = 32.0, 64.0
#: To be raised when the painting of ground changes between two releases: paintings of another number are not read.
VERSION = 2
#: Maximum threads for the first painting, which the player waits for.
THREADS = 4
#: Number of paintings kept in memory and in the folder.
IN_MEMORY, IN_FOLDER = 4, 24

Key = tuple[str, float, str]
_kept: dict[Key, Painting] = {}
_lock = threading.Lock()


def ready(table: Table, density: float) -> Painting | None:
    """Return a table's painting if it is in memory."""
    with _lock:
        return _kept.get(_key(table, density))


def kept(table: Table, density: float) -> bool:
    """Return whether a table's painting is in memory, loading it from the folder if it is there."""
    if ready(table, density) is not None:
        return True
    with suppress(OSError, ValueError, SyntaxError):
        keep(table, density, _file(table, density).read_bytes())
        return True
    return False


def painted(table: Table, density: float) -> Painting:
    """Return a table's painting at this many pixels an inch, made now if it is not cached."""
    if not kept(table, density):
        keep(table, density, made(table, density))
    kept_painting = ready(table, density)
    assert kept_painting is not None
    return kept_painting


def made(table: Table, density: float) -> bytes:
    """Paint a table and return it as a file, which is also written to the folder."""
    out = io.BytesIO()
    Image.fromarray(painting(table, density, threads(density))).save(out, "JPEG", quality=88, subsampling=0)
    with suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        write_whole(_file(table, density), out.getvalue())
        files = sorted(folder().glob("*.jpg"), key=lambda file: file.stat().st_mtime)
        for old in files[:-IN_FOLDER]:
            old.unlink()
    return out.getvalue()


def threads(density: float) -> int:
    """Return how many threads make a painting: only one for the fine one, which is made while a battle is played."""
    return min(THREADS, os.cpu_count() or 1) if density == COARSE else 1


def keep(table: Table, density: float, jpeg: bytes) -> None:
    """Put a painting into memory; ValueError or OSError if the file is not an image."""
    rgb = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))
    laid = Painting((0.0, 0.0, table.width, table.height), _in_palette(rgb))
    with _lock:
        _kept[_key(table, density)] = laid
        while len(_kept) > IN_MEMORY:
            _kept.pop(next(iter(_kept)))


def _key(table: Table, density: float) -> Key:
    return digest(table), density, current_palette()


_digests: dict[int, tuple[Table, str]] = {}


def digest(table: Table) -> str:
    """Return a hash of everything a painting of a table depends on: its size, and every visible piece."""
    kept = _digests.get(id(table))
    if kept is not None and kept[0] is table:
        return kept[1]
    parts = hashlib.sha256(f"{__version__} {VERSION} {table.unit} {table.width} {table.height} {table.scale}".encode())
    for piece in table.terrain:
        line = b"" if piece.line is None else shapely.to_wkb(piece.line)
        parts.update(f"{piece.id} {piece.kind} {piece.movement} {piece.level} {piece.width}".encode())
        if (kind := own_kind(piece)) is not None:
            parts.update(f"{kind.colour} {kind.pattern}".encode())
        parts.update(shapely.to_wkb(piece.uncut) + line)
    for field in table.fields:
        parts.update(field.crop.encode() + shapely.to_wkb(field.outline))
    _digests.clear()
    _digests[id(table)] = table, parts.hexdigest()[:24]
    return _digests[id(table)][1]


def _in_palette(rgb: np.ndarray) -> np.ndarray:
    """Return a painting in the present palette: grey at the same lightness, or as it is."""
    if current_palette() != GREY:
        return rgb
    light = rgb @ np.array([0.299, 0.587, 0.114])
    return np.repeat(np.round(light).astype(np.uint8)[..., None], 3, axis=2)


def folder() -> Path:
    """Return the folder of the cached paintings."""
    return Path(platformdirs.user_cache_dir("tabletop", appauthor=False)) / "ground"


def _file(table: Table, density: float) -> Path:
    return folder() / f"{digest(table)}-{density:g}.jpg"
