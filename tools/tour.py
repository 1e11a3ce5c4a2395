"""A tour of every screen of the window in its main states, at several sizes, without a display.

python -m tools.tour FOLDER                      every state at every size, with what is wrong with each
python -m tools.tour FOLDER --at 1280x720        at one size (1920x1080@2 is 200 %)
python -m tools.tour FOLDER --only game-chosen   states whose names begin like this
python -m tools.tour --docs                      the chosen ones to docs/pictures/tour-*.png, small

Every state is checked automatically (``tools.tour_faults`` describes how): nothing may be covered, cut off, laid over
something else or written in letters under 14 pixels at 100 %.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pygame
from PIL import Image

from tabletop.geometry import fast
from tools import display_list, tour_faults
from tools.tour_states import ROOT, SIZES, STATES, Size, at_home, shown

PICTURES = ROOT / "docs" / "pictures"
#: States shown in the documentation, and at what size.
SHOWN = ("settings", "calculator", "judge-verdict", "game-question", "game-over", "replay", "game-help")
DOCS: Size = (1280, 720, 1.0)
COLOURS = 128
#: States that show a sheet of paper smaller than it is printed, whose letters do not count as the window's.
PAPER = ("judge-card",)


def called(size: Size) -> str:
    """Return the name of a size.

    >>> called((1920, 1080, 2.0)), called((1280, 720, 1.0))
    ('1920x1080@2', '1280x720')
    """
    return f"{size[0]}x{size[1]}" + (f"@{size[2]:g}" if size[2] != 1.0 else "")


def looked_over(name: str, size: Size, path: Path | None = None) -> list[str]:
    """Lead to a state and return what is wrong with it; save its picture if a path is given."""
    with display_list.recorded() as after:
        guide = shown(name, size)
        try:
            seen = after(lambda: guide.app.step(0.3))
            faults = tour_faults.faults(guide.top, seen, size[2])
            if guide.app.notice:
                faults.append(f"notice: {guide.app.notice}")
            if path is not None:
                picture(path)
        finally:
            guide.app.close()
    return [line for line in faults if not (name in PAPER and line.startswith("small:"))]


def picture(path: Path, colours: int | None = None) -> None:
    """Save what is shown, reduced to ``colours`` if given."""
    surface = pygame.display.get_surface()
    assert surface is not None
    image = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    if colours is not None:
        image = image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    image.save(path, optimize=colours is not None)


def _for_the_documentation() -> None:
    for name in SHOWN:
        guide = shown(name, DOCS)
        picture(PICTURES / f"tour-{name}.png", COLOURS)
        guide.app.close()


def main(arguments: list[str]) -> int:
    """Run the tour."""
    parser = argparse.ArgumentParser(prog="tools.tour")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--at", nargs="*", choices=[called(size) for size in SIZES])
    parser.add_argument("--only", nargs="*")
    asked = parser.parse_args(arguments)
    if fast.installed():
        fast.warm()
    with at_home():
        if asked.docs:
            _for_the_documentation()
            return 0
        wrong = 0
        for name in STATES:
            if asked.only and not name.startswith(tuple(asked.only)):
                continue
            for size in SIZES:
                if asked.at and called(size) not in asked.at:
                    continue
                path = asked.folder / f"{name}-{called(size)}.png" if asked.folder is not None else None
                if path is not None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                for fault in looked_over(name, size, path):
                    wrong += 1
                    print(f"{name} at {called(size)}: {fault}", flush=True)
        print(f"{wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
