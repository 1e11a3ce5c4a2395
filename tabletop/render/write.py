"""A drawing into a file: SVG, PNG, or PDF with the extra. Whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tabletop.errors import BadQuestion, Broken
from tabletop.render.drawing import Drawing


def write(drawing: Drawing, path: Path) -> None:
    """Write ``drawing`` to ``path`` in the format its ending says; what stood there is replaced only when all is well.

    Raises BadQuestion for another ending or a place that cannot be written, Broken where PDF needs the extra.
    """
    content = writer(path)(drawing)
    try:
        save(content, path)
    except OSError as error:
        raise BadQuestion(f"cannot write '{path}': {error.strerror or error}; name another place") from None


def writer(path: Path) -> Callable[[Drawing], bytes]:
    """Return what makes the bytes of a file with this ending; BadQuestion for another."""
    try:
        return _WRITERS[path.suffix.lower()]
    except KeyError:
        raise BadQuestion(f"'{path.name}' is no picture: end its name in {', '.join(_WRITERS)}") from None


def save(content: bytes, path: Path) -> None:
    """Write ``content`` to a temporary file beside ``path``, then put it in its place in one step."""
    handle, name = tempfile.mkstemp(prefix=".tabletop-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _svg(drawing: Drawing) -> bytes:
    from tabletop.render.svg import svg

    return svg(drawing).encode("utf-8")


def _png(drawing: Drawing) -> bytes:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from tabletop.render.painter import png

    return png(drawing)


def _pdf(drawing: Drawing) -> bytes:
    try:
        from reportlab.graphics import renderPDF
        from svglib.svglib import svg2rlg
    except ImportError:
        raise Broken("PDF needs the extra: pip install 'tabletop[pdf]' (SVG and PNG need nothing)") from None
    page = svg2rlg(io.BytesIO(_svg(drawing)))
    return bytes(renderPDF.drawToString(page))


_WRITERS: dict[str, Callable[[Drawing], bytes]] = {".svg": _svg, ".png": _png, ".pdf": _pdf}
