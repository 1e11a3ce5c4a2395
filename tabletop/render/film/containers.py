"""Films as bytes: GIF, animated PNG, WebP. One picture at a time, so that a long film needs little memory.

GIF and PNG store after the first picture only the part that has changed; a repeated picture extends the one before.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import GifImagePlugin, Image

from tabletop.render.film.palette import Palette

#: Quality of a WebP, out of 100.
QUALITY = 72
#: Longest time of a picture, in hundredths of a second and in milliseconds: the limits of the files' fields.
LONGEST_GIF, LONGEST_PNG = 65_535, 65_535


@dataclass(frozen=True)
class Film:
    """A film to be written: its size, each picture's duration in milliseconds, the pictures, and its palette.

    Pictures are RGB; with a palette they are reduced to it.
    """

    size: tuple[int, int]
    times: Sequence[int]
    pictures: Iterator[Image.Image]
    palette: Palette | None = None

    @property
    def colours(self) -> Palette:
        """The palette of a film that has one."""
        assert self.palette is not None, "only a film with a palette has its colours"
        return self.palette


@dataclass(frozen=True)
class Patch:
    """The changed part of a picture, as palette numbers, with its place and its duration (milliseconds)."""

    numbers: np.ndarray
    left: int
    top: int
    time: int


def patches(film: Film, clear: int | None = None) -> Iterator[Patch]:
    """Yield the first picture whole, then the changes; unchanged places inside a patch are ``clear``, if given."""
    last: np.ndarray | None = None
    waiting: Patch | None = None
    for time, picture in zip(film.times, film.pictures, strict=True):
        now = film.colours.numbers(picture)
        if waiting is not None and last is not None and np.array_equal(now, last):
            waiting = Patch(waiting.numbers, waiting.left, waiting.top, waiting.time + time)
            continue
        if waiting is not None:
            yield waiting
        waiting, last = _patch(last, now, time, clear), now
    if waiting is not None:
        yield waiting


def _patch(last: np.ndarray | None, now: np.ndarray, time: int, clear: int | None) -> Patch:
    if last is None:
        return Patch(now, 0, 0, time)
    changed = now != last
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    numbers = now[part] if clear is None else np.where(changed[part], now[part], np.uint8(clear))
    return Patch(numbers, int(columns[0]), int(rows[0]), time)


# --- GIF -------------------------------------------------------------------------------------------------------------

#: The palette number that lets the previous picture show through.
CLEAR = 255


def gif(film: Film) -> bytes:
    """Return the film as a GIF that loops."""
    out = io.BytesIO()
    out.write(b"GIF89a" + struct.pack("<HHBBB", *film.size, 0xF7, 0, 0) + film.colours.colours)
    out.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    for patch in patches(film, CLEAR):
        part = Image.fromarray(np.ascontiguousarray(patch.numbers))
        time = 10 * min(LONGEST_GIF, round(patch.time / 10))
        for piece in GifImagePlugin.getdata(
            part, (patch.left, patch.top), duration=time, disposal=1, transparency=CLEAR
        ):
            out.write(piece)
    out.write(b";")
    return out.getvalue()


# --- PNG -------------------------------------------------------------------------------------------------------------


def png(film: Film) -> bytes:
    """Return the film as an animated PNG that loops; viewers without animation show its first picture."""
    body, pictures, parts = io.BytesIO(), 0, 0
    for patch in patches(film):
        body.write(_chunk(b"fcTL", _control(patch, parts)))
        data = _squeezed(patch.numbers)
        body.write(_chunk(b"fdAT", struct.pack(">I", parts + 1) + data) if pictures else _chunk(b"IDAT", data))
        parts += 2 if pictures else 1
        pictures += 1
    head = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", *film.size, 8, 3, 0, 0, 0))
    head += _chunk(b"acTL", struct.pack(">II", pictures, 0)) + _chunk(b"PLTE", film.colours.colours)
    return head + body.getvalue() + _chunk(b"IEND", b"")


def _control(patch: Patch, number: int) -> bytes:
    high, wide = patch.numbers.shape
    time = min(LONGEST_PNG, patch.time)
    return struct.pack(">IIIIIHHBB", number, wide, high, patch.left, patch.top, time, 1000, 0, 0)


def _squeezed(numbers: np.ndarray) -> bytes:
    """Return rows of palette numbers, each after the byte for "no filter", compressed."""
    rows = np.zeros((numbers.shape[0], numbers.shape[1] + 1), np.uint8)
    rows[:, 1:] = numbers
    return zlib.compress(rows.tobytes(), 9)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


# --- WebP ------------------------------------------------------------------------------------------------------------


class _Roll:
    """All pictures after the first, presented to Pillow as one multi-frame image, each made when needed."""

    mode = "RGB"

    def __init__(self, count: int, pictures: Iterator[Image.Image]) -> None:
        self.n_frames = count
        self._pictures = pictures
        self._now: Image.Image | None = None

    def seek(self, _: int) -> None:
        self._now = next(self._pictures)

    def getim(self) -> Any:
        assert self._now is not None
        return self._now.getim()


def webp(film: Film) -> bytes:
    """Return the film as a WebP that loops; small, with slightly inexact colours."""
    out = io.BytesIO()
    first = next(film.pictures)
    more: Any = [_Roll(len(film.times) - 1, film.pictures)] if len(film.times) > 1 else []
    first.save(
        out, "WEBP", save_all=True, append_images=more, duration=list(film.times), loop=0, quality=QUALITY, method=4,
        allow_mixed=True, kmin=30, kmax=60,
    )  # fmt: skip
    return out.getvalue()


@dataclass(frozen=True)
class Kind:
    """A file format: whether its films have a palette, and the function that makes the bytes."""

    palette: bool
    write: Callable[[Film], bytes]


KINDS: Mapping[str, Kind] = {
    ".gif": Kind(True, gif),
    ".png": Kind(True, png),
    ".apng": Kind(True, png),
    ".webp": Kind(False, webp),
}
