"""Reports internal errors: a file for the developer, a calm sentence for the player."""

from __future__ import annotations

import platform
import traceback
from datetime import datetime
from pathlib import Path

import platformdirs

from tabletop.version import __version__

#: Number of reports kept; older ones are deleted.
MOST_REPORTS = 20


def reports_folder() -> Path:
    """Return the folder for reports, which is where this system keeps a program's logs."""
    return Path(platformdirs.user_log_dir("tabletop", appauthor=False))


def report_error(error: BaseException) -> str:
    """Write a report of an error and return the sentence to show."""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:160]
    path = write_report(error)
    where = f"A report is in {path}." if path else "No report could be written."
    return f"Something went wrong inside the program ({what}). The game is kept as it was. {where}"


def write_report(error: BaseException) -> Path | None:
    """Write the error to a new file and return its path, None if none can be written."""
    lines = [
        f"tabletop {__version__}, Python {platform.python_version()}, {platform.platform()}",
        datetime.now().isoformat(timespec="seconds"),
        "",
        *traceback.format_exception(error),
    ]
    try:
        folder = reports_folder()
        folder.mkdir(parents=True, exist_ok=True)
        old = sorted(folder.glob("report-*.txt"))
        for path in old[: max(0, len(old) - MOST_REPORTS + 1)]:
            path.unlink()
        path = folder / f"report-{datetime.now():%Y%m%d-%H%M%S-%f}.txt"
        path.write_text("\n".join(lines), "utf-8")
    except OSError:
        return None
    return path
