"""Writes a drawing to a file by its suffix: .svg, .png or .pdf. Writes all of it or nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from tabletop.errors import BadQuestion, Broken
from tabletop.play.files.writing import write_whole
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.drawing.svg import svg

#: The advice if no PDF can be written.
PDF_CURE = "python -m pip install 'reportlab>=4.4'"


def _svg(drawing: Drawing, density: float = 1.0) -> bytes:
    return svg(drawing).encode()


def _png(drawing: Drawing, density: float = 1.0) -> bytes:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        from tabletop.render.painting import painter
    except ImportError as lack:
        raise Broken(f"PNG pictures need pygame-ce ({lack}); python -m pip install pygame-ce") from lack
    return painter.png(drawing, density)


def _pdf(drawing: Drawing, density: float = 1.0) -> bytes:
    try:
        from tabletop.render.drawing import pdf
    except ImportError as lack:
        raise Broken(f"PDF pictures need reportlab, which cannot be loaded ({lack}); {PDF_CURE}") from lack
    return pdf.pdf(drawing)


class Writer(Protocol):
    """Returns a drawing as the bytes of a file; a PNG has ``density`` pixels to each of the drawing's."""

    def __call__(self, drawing: Drawing, density: float = 1.0) -> bytes: ...


WRITERS: Mapping[str, Writer] = {".svg": _svg, ".png": _png, ".pdf": _pdf}


def check_suffix(path: Path) -> str:
    """Return a picture file's suffix; BadQuestion if pictures are not written with it."""
    suffix = path.suffix.lower()
    if suffix not in WRITERS:
        given = f"'{suffix}'" if suffix else "no suffix"
        raise BadQuestion(f"{path}: {given}; a picture's file ends in {', '.join(WRITERS)}")
    return suffix


def write_picture(path: str | Path, drawing: Drawing, density: float = 1.0) -> Path:
    """Write a drawing to ``path`` and return the path; a PNG has ``density`` pixels to each of the drawing's.

    The file appears complete or not at all. Raises BadQuestion for a suffix that pictures do not have and for a path
    that cannot be written, Broken if a package needed for that kind of file is not installed.
    """
    target = Path(path)
    data = WRITERS[check_suffix(target)](drawing, density)
    try:
        write_whole(target, data)
    except OSError as lack:
        reason = lack.strerror or str(lack)
        raise BadQuestion(
            f"{target}: cannot be written ({reason}); name a folder that exists and may be written"
        ) from lack
    return target
