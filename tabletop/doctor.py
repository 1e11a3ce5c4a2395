"""Checks of an installation: what is wrong with it, and the cure."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from tabletop.errors import AGAIN
from tabletop.geometry import fast

OLDEST = (3, 11)
#: A dependency that may be missing; a check of its own reports it.
OPTIONAL = "numba"
#: The program's requirements, for a checkout that was never installed and has no metadata.
_NEEDS = (
    "shapely>=2.1.2",
    "numpy>=2.1",
    "pygame-ce>=2.5.7",
    "pygame_gui>=0.6.14",
    "pydantic>=2.12",
    "ruamel.yaml>=0.18.16",
    "pyyaml>=6.0.2",
    "typer>=0.20",
    "rich>=14.1",
    "platformdirs>=4.4",
    "joblib>=1.5",
    "pillow>=11.3",
    "reportlab>=4.4",
)


@dataclass(frozen=True)
class Finding:
    """The result of one check: whether all is well, what was checked, its state, and the cure if it is not."""

    well: bool
    what: str
    state: str
    cure: str = ""

    def __str__(self) -> str:
        line = f"{'ok ' if self.well else 'ILL'}  {self.what}: {self.state}"
        return line if self.well else f"{line}\n     cure: {self.cure}"


def examine() -> list[Finding]:
    """Check everything the program needs, the cheapest first."""
    return [
        _python(),
        *_dependencies(),
        *_clash(),
        *_geos(),
        _speed(),
        _display(),
        _pdf(),
        _font(),
        *_data(),
        *_published(),
        *_folders(),
    ]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    cure = f"install Python {OLDEST[0]}.{OLDEST[1]} or newer from python.org and start again with it"
    return Finding(sys.version_info >= OLDEST, "Python", version, cure)


def _dependencies() -> Iterator[Finding]:
    for need in _needs():
        name, floor = need
        cure = f'{_pip()} install "{name}>={floor}"'
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Finding(False, name, f"is not installed; {floor} or newer is needed", cure)
            continue
        yield Finding(_numbers(version) >= _numbers(floor), name, f"{version} (needs {floor} or newer)", cure)


def _needs() -> list[tuple[str, str]]:
    try:
        written = [need for need in metadata.requires("tabletop") or [] if "extra ==" not in need]
    except metadata.PackageNotFoundError:
        written = []
    matches = [re.match(r"([\w.-]+)\s*\(?>=\s*([\d.]+)", need) for need in (*written, *_NEEDS)]
    needs = [(match[1], match[2]) for match in matches if match is not None]
    names = [re.sub(r"[-_.]+", "-", name).lower() for name, _ in needs]  # older metadata may list fewer
    return [need for number, need in enumerate(needs) if names[number] not in (*names[:number], OPTIONAL)]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:3])


def _pip() -> str:
    return f'"{sys.executable}" -m pip'


def _clash() -> Iterator[Finding]:
    """Report the older pygame: it installs into the same folder as pygame-ce, and then neither works."""
    try:
        version = metadata.version("pygame")
    except metadata.PackageNotFoundError:
        return
    cure = f"{_pip()} uninstall -y pygame pygame-ce, then {_pip()} install pygame-ce"
    yield Finding(False, "pygame", f"{version} is installed too and overwrites pygame-ce", cure)


def _geos() -> Iterator[Finding]:
    try:
        import shapely
    except Exception as error:
        cure = f"{_pip()} install --force-reinstall shapely numpy"
        yield Finding(False, "geometry", f"shapely cannot be loaded: {error}", cure)
        return
    version = shapely.geos_version_string
    cure = f"{_pip()} install --force-reinstall --only-binary :all: shapely"
    yield Finding(_numbers(version) >= (3, 11), "geometry (GEOS)", version, cure)


def _speed() -> Finding:
    """Check the kernels that numba compiles: they only make answers faster, so their absence is not a fault."""
    what = "speed (numba)"
    if not fast.installed():
        more = f"{_pip()} install numba, where it is made for this machine"
        return Finding(True, what, f"is not installed: the same answers, some of them slower ({more})")
    try:
        version = metadata.version("numba")
    except metadata.PackageNotFoundError:
        version = "an unknown version"
    if fast.plain():
        return Finding(True, what, f"{version} is there; not used, since {fast.PLAIN} is set")
    if not fast.compiled():
        return Finding(True, what, f"{version} is there; not in use yet: a window compiles it in the background")
    try:
        troubles = [f"{kernel.name}: {kernel.trouble}" for kernel in fast.warm() if kernel.trouble]
    except Exception as error:
        cure = f"{_pip()} install --force-reinstall numba, or set {fast.PLAIN}=1 to do without"
        return Finding(False, what, f"{version} cannot be loaded: {' '.join(str(error).split())}", cure)
    in_use = f"{version} in use, {len(fast.every())} kernels, kept in {fast.folder()}"
    return Finding(not troubles, what, troubles[0] if troubles else in_use, f"set {fast.PLAIN}=1 to do without")


def can_show() -> bool:
    """Return whether a window can be shown here; if the environment rules it out, without loading pygame."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in names):
        return False
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from tabletop.render.running import has_display

    return has_display()


def _display() -> Finding:
    """Check that the window can be loaded; a missing display is not a fault: the judge and pictures need none."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import tabletop.render.table.window  # noqa: F401 - to see that it loads

        state = "a window can be opened" if can_show() else "none here; judge, check and render work without"
    except Exception as error:
        cure = f"{_pip()} install --force-reinstall pygame-ce pygame_gui"
        return Finding(False, "display", f"pygame cannot be loaded: {' '.join(str(error).split())}", cure)
    return Finding(True, "display", state)


def _pdf() -> Finding:
    """Check PDF output by writing a page."""
    from tabletop.render.drawing.primitives import Drawing, Layer, Text
    from tabletop.render.painting.files import PDF_CURE

    try:
        from tabletop.render.drawing.pdf import pdf

        page = pdf(Drawing((Layer("one", (Text((0.5, 0.5), "tabletop", 12.0, "#000000"),)),), (0, 0, 1, 1), 100.0))
    except Exception as error:
        return Finding(False, "PDF pictures", f"cannot be written: {' '.join(str(error).split())}", PDF_CURE)
    return Finding(page.startswith(b"%PDF"), "PDF pictures", "can be written", AGAIN)


def _font() -> Finding:
    fonts = resources.files("tabletop.render.drawing").joinpath("fonts")
    names = sorted(item.name for item in fonts.iterdir() if item.name.endswith(".ttf")) if fonts.is_dir() else []
    return Finding(bool(names), "fonts", ", ".join(names) or "are missing", AGAIN)


def _data() -> Iterator[Finding]:
    from tabletop.play.files.installed import DATA_FOLDERS, installed_data

    root = installed_data()
    cure = AGAIN
    if root is None:
        yield Finding(False, "data", "maps, armies and scenarios are missing", cure)
        return
    for name in DATA_FOLDERS:
        count = sum(1 for _ in (root / name).rglob("*.yaml"))
        yield Finding(count > 0, name, f"{count} files in {root / name}", cure)


def _published() -> Iterator[Finding]:
    """Check that every published rule set and module can be loaded."""
    from tabletop.rules.common import modules
    from tabletop.rules.published import published
    from tabletop.rules.registry import broken
    from tabletop.rules.rule_set import BUILT_IN

    for name in (name for name in published() if name not in BUILT_IN):
        what, (state, _, cure) = f"rule set {name}", str(broken().get(name, "can be loaded")).rpartition("; ")
        yield Finding(name not in broken(), what, state or cure, cure)
    for name in modules.published():
        what, (state, _, cure) = f"module {name}", str(modules.broken().get(name, "can be loaded")).rpartition("; ")
        yield Finding(name not in modules.broken(), what, state or cure, cure)


def _folders() -> Iterator[Finding]:
    import platformdirs

    settings = Path(platformdirs.user_config_dir("tabletop", appauthor=False))
    for what, folder in (
        ("settings folder", settings),
        ("this folder", Path.cwd()),
        ("temporary folder", _temporary()),
    ):
        existing = next((p for p in (folder, *folder.parents) if p.exists()), folder)
        well = os.access(existing, os.W_OK)
        yield Finding(
            well,
            what,
            f"{folder} {'can' if well else 'cannot'} be written",
            f"give yourself the right to write in {existing}",
        )


def _temporary() -> Path:
    return Path(tempfile.gettempdir())
