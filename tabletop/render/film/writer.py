"""Writes a film to a file: GIF, animated PNG or WebP, by its suffix. Writes all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import pygame
from PIL import Image

from tabletop.errors import BadQuestion, TabletopError
from tabletop.play.files.writing import write_whole
from tabletop.render.events.reel import Reel
from tabletop.render.film.containers import KINDS, Film, Kind
from tabletop.render.film.frames import NARROWEST, WIDEST, Studio
from tabletop.render.film.palette import Palette, palette
from tabletop.render.film.shots import Wish, shots

#: Number of pictures from which a film's colours are chosen.
SAMPLES = 9

#: Called with the number of pictures done and the total; returns False to stop the film.
Progress = Callable[[int, int], bool]


class Timed(Protocol):
    """A picture to be painted, with its duration in seconds."""

    @property
    def seconds(self) -> float: ...


AnyShot = TypeVar("AnyShot", bound=Timed, contravariant=True)


class AnyStudio(Protocol[AnyShot]):
    """Paints the pictures of a film, all of one size."""

    @property
    def size(self) -> tuple[int, int]: ...

    def picture(self, shot: AnyShot) -> pygame.Surface: ...


class LeftOff(TabletopError):
    """A film was stopped before it was done; nothing is written."""


def check_film(path: Path, wide: int) -> None:
    """Check a film's suffix and width; BadQuestion if either is invalid."""
    suffix = path.suffix.lower()
    if suffix not in KINDS:
        given = f"'{suffix}'" if suffix else "no suffix"
        raise BadQuestion(f"{path}: {given}; a film's file ends in {', '.join(KINDS)}")
    if not NARROWEST <= wide <= WIDEST:
        raise BadQuestion(f"a film is {NARROWEST} to {WIDEST} pixels wide, not {wide}")


def write_film(path: Path, reel: Reel, wide: int, wish: Wish | None = None, progress: Progress | None = None) -> int:
    """Write a film of a fully replayed battle; return its number of pictures.

    BadQuestion for an invalid suffix, width or moments, and for a path that cannot be written; LeftOff when
    ``progress`` returns False. Then nothing is written.
    """
    check_film(path, wide)
    return write_shots(path, Studio(reel, wide), shots(reel, wish or Wish()), progress)


def write_shots(
    path: Path, studio: AnyStudio[AnyShot], taken: Sequence[AnyShot], progress: Progress | None = None
) -> int:
    """Write the pictures that a studio paints; return their number. Errors as in ``write_film``."""
    data = filmed(KINDS[path.suffix.lower()], studio, taken, progress or (lambda done, of: True))
    try:
        write_whole(path, data)
    except OSError as lack:
        reason = lack.strerror or str(lack)
        raise BadQuestion(f"{path}: cannot be written ({reason}); name a folder that exists and has room") from lack
    return len(taken)


def filmed(kind: Kind, studio: AnyStudio[AnyShot], taken: Sequence[AnyShot], progress: Progress) -> bytes:
    """Return a film as the bytes of its file."""
    times = [round(1000 * shot.seconds) for shot in taken]
    colours = _colours(studio, taken) if kind.palette else None
    return kind.write(Film(studio.size, times, _pictures(studio, taken, progress), colours))


def _pictures(studio: AnyStudio[AnyShot], taken: Sequence[AnyShot], progress: Progress) -> Iterator[Image.Image]:
    for k, shot in enumerate(taken):
        if not progress(k, len(taken)):
            raise LeftOff("The film was left off; nothing is written.")
        yield image(studio.picture(shot))
    progress(len(taken), len(taken))


def image(surface: pygame.Surface) -> Image.Image:
    """Return a painted surface as a Pillow image."""
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def _colours(studio: AnyStudio[AnyShot], taken: Sequence[AnyShot]) -> Palette:
    """Return the palette of the whole film, chosen from pictures spread over it."""
    step = max(1, len(taken) // SAMPLES)
    return palette([image(studio.picture(shot)) for shot in taken[::step]])
