"""The film of a demo: its pictures with the captions in them, and the captions as separate files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from tabletop.demos.reading import load_demo
from tabletop.errors import BadQuestion
from tabletop.play.files.writing import write_whole
from tabletop.render.demos.captions import WRITERS, captions, cue_text
from tabletop.render.demos.stage import Band, Stage, head_of
from tabletop.render.demos.timeline import Part, Timeline
from tabletop.render.film.writer import Progress, check_film, write_shots
from tabletop.render.screens import Look

#: Pictures a second while something moves; width of a film in pixels, and its height as a share of that.
RATE, WIDE, TALL = 6.0, 960, 9 / 16
#: Times are whole hundredths of a second, as in film files, so that captions never drift from the pictures.
TICK = 0.01


@dataclass(frozen=True)
class Shot:
    """One picture: its part, the seconds of the part elapsed, how long the picture is shown, and when it begins."""

    part: Part
    gone: float
    seconds: float
    start: float


def shots(parts: Sequence[Part]) -> list[Shot]:
    """Return the pictures of a demo in order: several while something moves, else one."""
    taken = list[Shot]()
    for part in parts:
        count = max(2, round(part.moving * RATE)) if part.moving else 0
        marks = [part.start + part.moving * k / count for k in range(count)]
        marks += [part.start + part.moving, part.end]
        times = [round(time / TICK) for time in marks]
        for mark, start, end in zip(marks, times, times[1:], strict=False):
            if end > start:
                taken.append(Shot(part, mark - part.start, (end - start) * TICK, start * TICK))
    return taken


@dataclass
class Studio:
    """Paints the pictures of one demo at one width."""

    timeline: Timeline
    wide: int

    def __post_init__(self) -> None:
        self._stage = Stage(self.timeline.opening, wait=True)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of every picture, both even because some viewers need that."""
        return self.wide - self.wide % 2, 2 * round(self.wide * TALL / 2)

    def picture(self, shot: Shot) -> pygame.Surface:
        """Return one picture."""
        made, cue = pygame.Surface(self.size), shot.part.cue
        self._stage.draw_table(made, shot.part, shot.gone)
        gone = shot.start / max(1.0, self.timeline.seconds)
        band = Band(head_of(self.timeline.demo.title, cue), cue.text, cue.asked, cue.answered, gone=gone)
        self._stage.draw_band(made, band, cue)
        return made


def write(path: Path, timeline: Timeline, wide: int = WIDE, progress: Progress | None = None) -> tuple[int, list[Path]]:
    """Write a demo's film and its captions beside it; return the number of pictures, and the captions' files.

    BadQuestion for an unusable suffix, width or path; LeftOff when ``progress`` returns False.
    """
    check_film(path, wide)
    parts = timeline.wound().parts
    count = write_shots(path, Studio(timeline, wide), shots(parts), progress)
    return count, list(_captioned(path, parts))


def pictures(folder: Path, timeline: Timeline, wide: int = WIDE) -> int:
    """Write a picture of every text as it ends, numbered, into a folder; return their number."""
    parts, studio, count = timeline.wound().parts, Studio(timeline, wide), 0
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        if after is None or cue_text(part.cue) != cue_text(after.cue):
            count += 1
            picture = studio.picture(Shot(part, part.seconds, 0.0, part.start))
            pygame.image.save(picture, folder / f"{count:02}.png")
    return count


def _captioned(path: Path, parts: Sequence[Part]) -> Iterator[Path]:
    narration = captions(parts)
    for suffix, writer in WRITERS.items():
        beside = path.with_suffix(suffix)
        try:
            write_whole(beside, writer(narration).encode())
        except OSError as lack:
            raise BadQuestion(f"{beside}: cannot be written ({lack.strerror or lack}); make room there") from lack
        yield beside


def made(path: Path, progress: Progress, demo: Path, look: Look, wide: int = WIDE) -> int:
    """Write the film of a demo's file in the look of the settings; runs in a process of its own."""
    look.put_on()
    return write(path, Timeline(load_demo(demo)), wide, progress)[0]
