"""A small file with a player's progress, written atomically.

If the file cannot be read, only the progress is lost: the file is set aside under another name, and a message says so.
If it cannot be written, a message says so too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tabletop.play.files.writing import write_whole

#: The longest file that is read, in bytes.
LONGEST = 1_000_000

T = TypeVar("T")


class KeptProgress:
    """The file; ``trouble`` is a message for its owner if it could not be read or written, else ""."""

    def __init__(self, path: Path, format_: str) -> None:
        self.path, self.format = path, format_
        self.trouble = ""

    def read(self, parse: Callable[[Mapping[str, Any]], T]) -> T | None:
        """Return the result of ``parse`` for the file's data, None if there is no file or it is damaged.

        ``parse`` raises ValueError for data of the wrong shape.
        """
        try:
            with self.path.open("rb") as stream:
                raw = stream.read(LONGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.trouble = f"Your progress cannot be read ({error.strerror or error}): {self.path}."
            return None
        try:
            data = json.loads(raw[:LONGEST].decode("utf-8"))
            if not isinstance(data, Mapping) or data.get("format") != self.format:
                raise ValueError("another format")
            return parse(data)
        except (ValueError, RecursionError):
            self._put_aside()
            return None

    def write(self, data: Mapping[str, Any]) -> None:
        """Write the file atomically; if that fails, ``trouble`` says so."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, (json.dumps({"format": self.format, **data}, indent=1) + "\n").encode())
        except OSError as error:
            self.trouble = f"Your progress is not kept: {self.path} cannot be written ({error.strerror or error})."

    def _put_aside(self) -> None:
        aside = self.path.with_name(self.path.name + ".damaged")
        with suppress(OSError):
            self.path.replace(aside)
        self.trouble = f"The file with your progress was damaged and is put aside as {aside.name}; all begins anew."
