"""The width of text, read from the bundled fonts themselves, so that labels can be placed without a screen."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from tabletop.render.drawing.primitives import Face

FILES: dict[Face, str] = {
    "plain": "DejaVuSansCondensed.ttf",
    "bold": "DejaVuSansCondensed-Bold.ttf",
    "place": "DejaVuSerifCondensed-Italic.ttf",
}
#: Signs after which a word too long for a line may be cut.
JOINTS = "-/_"
#: Height of a line of text over its letter size.
LINE = 1.18


@cache
def font_bytes(face: Face) -> bytes:
    """Return the font file of a face."""
    return resources.files("tabletop.render.drawing").joinpath("fonts", FILES[face]).read_bytes()


@dataclass(frozen=True)
class Widths:
    """Advance widths of one font as shares of the letter size."""

    advances: tuple[float, ...]
    glyph_of: dict[int, int]

    def of(self, text: str) -> float:
        """Return the width of a line of text at letter size 1."""
        last = len(self.advances) - 1
        return sum(self.advances[min(self.glyph_of.get(ord(c), 0), last)] for c in text)


@cache
def widths(face: Face) -> Widths:
    """Return the widths of a face (tables head, hhea, hmtx and cmap of its file)."""
    data = font_bytes(face)
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {}
    for i in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * i)
        tables[tag] = offset
    em = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    long_metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    pairs = struct.unpack_from(f">{2 * long_metrics}H", data, tables[b"hmtx"])
    return Widths(tuple(w / em for w in pairs[::2]), _characters(data, tables[b"cmap"]))


def _characters(data: bytes, cmap: int) -> dict[int, int]:
    """Return the glyph number of every character below 65536 (cmap format 4)."""
    count = struct.unpack_from(">H", data, cmap + 2)[0]
    starts = [cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * i)[2] for i in range(count)]
    at = next(start for start in starts if struct.unpack_from(">H", data, start)[0] == 4)
    n = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends = struct.unpack_from(f">{n}H", data, at + 14)
    firsts = struct.unpack_from(f">{n}H", data, at + 16 + 2 * n)
    deltas = struct.unpack_from(f">{n}h", data, at + 16 + 4 * n)
    ranges_at = at + 16 + 6 * n
    ranges = struct.unpack_from(f">{n}H", data, ranges_at)
    glyphs: dict[int, int] = {}
    for i in range(n):
        for code in range(firsts[i], ends[i] + 1):
            if ranges[i] == 0:
                glyphs[code] = (code + deltas[i]) & 0xFFFF
            elif code != 0xFFFF:
                glyph = struct.unpack_from(">H", data, ranges_at + 2 * i + ranges[i] + 2 * (code - firsts[i]))[0]
                glyphs[code] = (glyph + deltas[i]) & 0xFFFF if glyph else 0
    return glyphs


@lru_cache(maxsize=8192)
def width(text: str, size: float, face: Face = "plain") -> float:
    """Return the width of a line of text in the unit of ``size``."""
    return widths(face).of(text) * size


def wrapped(text: str, size: float, room: float, face: Face = "plain") -> list[str]:
    """Return the text broken at spaces into lines no wider than ``room``; a word longer than that is cut."""
    lines: list[str] = []
    for word in (part for whole in text.split() for part in _cut(whole, size, room, face)):
        if lines and width(f"{lines[-1]} {word}", size, face) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _cut(word: str, size: float, room: float, face: Face) -> list[str]:
    """Return a word in pieces that fit, of at least one letter each, cut after a hyphen or slash if it has one."""
    if width(word, size, face) <= room:
        return [word]
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, size, face) > room:
            joint = max(pieces[-1].rfind(sign) for sign in JOINTS) + 1 or len(pieces[-1])
            pieces[-1:] = [pieces[-1][:joint], pieces[-1][joint:]]
        pieces[-1] += letter
    return pieces


def shortened(text: str, size: float, room: float, face: Face = "plain") -> str:
    """Return the text, cut with an ellipsis if it is wider than ``room``."""
    if width(text, size, face) <= room:
        return text
    while text and width(text + "…", size, face) > room:
        text = text[:-1].rstrip()
    return text + "…"
