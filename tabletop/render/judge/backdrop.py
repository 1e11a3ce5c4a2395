"""The photo under the table: opened and rectified in the background, with its corners, opacity and traced bases."""

from __future__ import annotations

import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from PIL import Image

from tabletop.errors import BadQuestion, TabletopError
from tabletop.geometry.measure import Point
from tabletop.play.files.writing import write_whole
from tabletop.render.judge.photo import Photo, opened, rectified
from tabletop.render.judge.tracing import Misfit

FORMAT = "tabletop-photo/1"
#: Suffix of the file, named like the scene, that records the photo under it.
SUFFIX = ".photo"


class Backdrop:
    """A photo for the table. ``image`` is the rectified picture, None until it is ready."""

    def __init__(self, inline: bool = False) -> None:
        self.photo: Photo | None = None
        self.image: Image.Image | None = None
        self.opacity = 0.6
        #: Whether the corners are being picked, on the photo shown in place of the table.
        self.picking = False
        #: Corners of a base clicked on the photo while it is traced.
        self.clicks: list[Point] = []
        self.tracing = False
        #: A traced base that does not fit, until the player decides what it is.
        self.misfit: Misfit | None = None
        self.note = ""
        self._inline = inline
        self._worker: ThreadPoolExecutor | None = None
        self._opening: Future[Photo] | None = None
        self._laying: Future[Image.Image] | None = None
        self._kept_corners: tuple[Point, ...] | None = None

    @property
    def busy(self) -> str:
        """What the background work is doing, in words; "" if nothing."""
        if self._opening is not None:
            return "opening the photo"
        return "straightening the photo" if self._laying is not None else ""

    @property
    def shown(self) -> bool:
        """Whether a photo lies under the table."""
        return self.image is not None and not self.picking and self.opacity > 0.0

    def open(self, path: Path, corners: tuple[Point, ...] | None = None) -> None:
        """Start opening a photo; its corners are picked next, unless they are known."""
        self.note, self._kept_corners = "", corners
        self._opening = self._begin(opened, path)

    def lay(self, table: tuple[float, float]) -> None:
        """Start rectifying the photo, by its corners, for a table of this size."""
        if self.photo is None:
            return
        self.note = self.photo.fault
        if not self.note:
            self.picking = False
            self._laying = self._begin(rectified, self.photo, table)

    def take_away(self) -> None:
        """Remove the photo from the table; its file is not changed."""
        self.photo, self.image, self.picking, self.tracing, self.note = None, None, False, False, ""
        self._opening = self._laying = None
        self.clear_clicks()

    def clear_clicks(self) -> None:
        """Drop the clicked corners."""
        self.clicks.clear()
        self.misfit = None

    def listen(self, table: tuple[float, float]) -> None:
        """Take in finished work; call it once a frame."""
        if self._opening is not None and self._opening.done():
            self._opened(self._opening, table)
        if self._laying is not None and self._laying.done():
            done, self._laying = self._laying, None
            self.image = done.result()

    def _opened(self, done: Future[Photo], table: tuple[float, float]) -> None:
        self._opening = None
        try:
            photo = done.result()
        except TabletopError as refused:
            self.note = str(refused)
            return
        self.photo, self.image = photo, None
        self.picking = self._kept_corners is None
        if self._kept_corners is not None:
            self.photo = Photo(photo.path, photo.picture, self._kept_corners)
            self.lay(table)

    def close(self) -> None:
        """Stop the background work."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)

    def _begin(self, act: Any, *args: Any) -> Future[Any]:
        if self._inline:
            future: Future[Any] = Future()
            try:
                future.set_result(act(*args))
            except Exception as error:
                future.set_exception(error)
            return future
        self._worker = self._worker or ThreadPoolExecutor(1, "photo")
        return self._worker.submit(act, *args)

    # --- beside the scene --------------------------------------------------------------------------------------------

    def keep(self, scene: Path) -> None:
        """Write beside a scene which photo lies under it, without copying the photo; without a photo, remove that file.

        Raises OSError if it cannot be written.
        """
        target = beside(scene)
        if self.photo is None or self.picking:
            target.unlink(missing_ok=True)
            return
        path = os.path.relpath(self.photo.path.resolve(), scene.parent.resolve())
        corners = [[round(x, 2), round(y, 2)] for x, y in self.photo.corners]
        size = list(self.photo.picture.size)
        data = {"format": FORMAT, "photo": path, "size": size, "corners": corners, "opacity": self.opacity}
        write_whole(target, (json.dumps(data, indent=1) + "\n").encode())

    def recall(self, scene: Path) -> None:
        """Open the photo recorded for a scene again; if it is missing, only say so."""
        source = beside(scene)
        if not source.is_file():
            return
        try:
            photo, corners, opacity = _read(source)
        except (OSError, ValueError, KeyError, TypeError, BadQuestion):
            self.note = f"{source.name} does not say which photo lies under this scene; choose it again."
            return
        self.opacity = opacity
        self.open(photo, corners)


def beside(scene: Path) -> Path:
    """Return the path of the file that records a scene's photo.

    >>> beside(Path("wood.yaml")).name
    'wood.photo'
    """
    return scene.with_name(scene.stem + SUFFIX)


def _read(source: Path) -> tuple[Path, tuple[Point, ...], float]:
    data = json.loads(source.read_text("utf-8"))
    corners = tuple((float(x), float(y)) for x, y in data["corners"])
    if data["format"] != FORMAT or len(corners) != 4:
        raise ValueError(data["format"])
    return source.parent / str(data["photo"]), corners, min(1.0, max(0.0, float(data["opacity"])))
