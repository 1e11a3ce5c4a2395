"""Pictures of fields: painted once, cached in memory and in the system's cache folder.

A cached picture's name is a hash of every file it was made from and of its look; a picture that cannot be cached is
simply painted again.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import platformdirs
import pygame

from tabletop.battle.battle import Battle
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing import scene
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.primitives import Frame
from tabletop.render.painting.painter import paint
from tabletop.render.settings.model import Settings
from tabletop.version import __version__

#: Maximum pictures in the cache; older ones are deleted.
MOST_KEPT = 120

Size = tuple[int, int]


def cache_folder() -> Path:
    """Return the folder of the cached pictures."""
    return Path(platformdirs.user_cache_dir("tabletop", appauthor=False)) / "fields"


def painted(
    battle: Battle, size: Size, density: float, names: bool = False, objectives: bool = False
) -> pygame.Surface:
    """Return a picture of the whole table, as large as fits ``size`` pixels; needs no display."""
    wide, high = (max(40, round(n / density)) for n in size)
    drawing = scene.picture(battle, style=scene.Style(wide, high, names=names, furniture=False, wait=False))
    if objectives:
        drawing = replace(drawing, layers=(*drawing.layers[:-1], objective_layer(battle), *drawing.layers[-1:]))
    surface = pygame.Surface([max(1, round(n * density)) for n in drawing.size])
    surface.fill(drawing.background or "#ffffff")
    paint(surface, drawing, Frame.of(drawing, density), density)
    return surface


def name_of(files: Iterable[str | Path], size: Size, density: float, settings: Settings, ready: bool = True) -> str:
    """Return the name of the picture of these files: a hash that changes with anything it depends on.

    ``ready``: the ground is drawn in the look of the settings; else a map stands in for a painting.
    """
    look = f"{settings.palette} {settings.symbols} {settings.look if ready else 'map'}"
    digest = hashlib.sha256(f"{__version__} {size} {density} {look}".encode())
    for path in files:
        try:
            digest.update(Path(path).read_bytes())
        except OSError:
            digest.update(b"?")
    return digest.hexdigest()[:32]


def of_files(
    battle: Battle, files: Iterable[str | Path], size: Size, density: float, settings: Settings
) -> pygame.Surface:
    """Return the picture of the battle in these files, from the cache if it is there."""
    ready = settings.look != "painted" or store.kept(battle.table, store.COARSE)
    path = cache_folder() / f"{name_of(files, size, density, settings, ready)}.png"
    kept = _kept(path)
    if kept is not None:
        return kept
    made = painted(battle, size, density)
    _keep(path, made)
    return made


def _kept(path: Path) -> pygame.Surface | None:
    try:
        return pygame.image.load(io.BytesIO(path.read_bytes()), "field.png")
    except (OSError, pygame.error):
        return None


def _keep(path: Path, picture: pygame.Surface) -> None:
    out = io.BytesIO()
    with contextlib.suppress(OSError, pygame.error):
        pygame.image.save(picture, out, "field.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        old = sorted(path.parent.glob("*.png"), key=lambda p: p.stat().st_mtime)
        for extra in old[: max(0, len(old) - MOST_KEPT + 1)]:
            extra.unlink()
        write_whole(path, out.getvalue())
