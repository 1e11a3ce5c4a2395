"""The timing of a demo, shared by the screen, the film and its captions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tabletop.battle.battle import Battle
from tabletop.demos.cues import Cue, cues
from tabletop.demos.demo import Demo
from tabletop.demos.models import Kind
from tabletop.demos.reading import reading_time
from tabletop.play.engine import Step
from tabletop.render.drawing.traces import Trace
from tabletop.render.events.beats import Act, Seen, act
from tabletop.render.events.traces import Traces

#: Seconds after an action, after one with nothing to see, and for a proof without a text.
REST, SILENT, LOOK = 1.0, 0.1, 4.0
#: Seconds a question waits for an answer beyond its reading time.
THINK = 7.0


@dataclass(frozen=True)
class Part:
    """One cue in time, in seconds: when it begins, how long something moves, and its whole duration.

    ``lies`` are the traces of fighting at its beginning, ``left`` those after its action.
    """

    cue: Cue
    start: float
    moving: float
    seconds: float
    lies: tuple[Trace, ...] = ()
    left: tuple[Trace, ...] = ()

    @property
    def end(self) -> float:
        """When it ends, and the next one begins."""
        return self.start + self.seconds

    @cached_property
    def act(self) -> Act | None:
        """The action shown, if there is one."""
        cue = self.cue
        if cue.step is None or cue.before is None:
            return None
        return act(cue.before, cue.battle, cue.step.events)

    def seen(self, share: float) -> Seen:
        """Return what is seen after a share of its action."""
        return self.act.seen(share) if self.act is not None else Seen(self.cue.battle)

    def share(self, gone: float) -> float:
        """Return the share of its action that is over after a number of seconds."""
        return min(1.0, gone / self.moving) if self.moving > 0.0 else 1.0


@dataclass
class Timeline:
    """The parts of a demo computed so far; ``grow`` adds those of the next row."""

    demo: Demo
    parts: list[Part] = field(default_factory=list)
    whole: bool = False

    def __post_init__(self) -> None:
        self._cues = cues(self.demo)
        self._steps, self._traces = [Step(None, None, (), self.demo.opening)], Traces()

    @property
    def opening(self) -> Battle:
        """The battle as the demo begins."""
        return self.demo.opening

    @property
    def seconds(self) -> float:
        """The duration of the parts computed so far."""
        return self.parts[-1].end if self.parts else 0.0

    def grow(self) -> bool:
        """Compute the parts of the next row; return whether more are to come. Unplayable if the row cannot be."""
        if not self.whole:
            row = list(_row(self._cues))
            self.parts += map(self._traced, _timed(row, self.seconds))
            self.whole = not row
        return not self.whole

    def _traced(self, part: Part) -> Part:
        """Return the next part with the traces of the actions up to it."""
        lies = self._traces.of(self._steps)
        if part.cue.step is not None:
            self._steps.append(part.cue.step)
        return replace(part, lies=lies, left=self._traces.of(self._steps))

    def wound(self) -> Timeline:
        """Compute all parts at once."""
        while self.grow():
            pass
        return self


def _row(coming: Iterator[Cue]) -> Iterator[Cue]:
    """Yield the cues of one row."""
    for cue in coming:
        yield cue
        if cue.ends:
            return


def _timed(row: Sequence[Cue], start: float) -> list[Part]:
    """Return the parts of a row; a duration given for the row is divided among its actions."""
    natural = [_natural(cue) for cue in row]
    wished = row[0].row.seconds if row and row[0].kind == Kind.MOVE else None
    total = sum(moving + rest for moving, rest in natural)
    factor = wished / total if wished is not None else 1.0
    parts = list[Part]()
    for number, (cue, (moving, rest)) in enumerate(zip(row, natural, strict=True)):
        last = number == len(row) - 1
        missing = max(0.0, reading_time(cue.text) - total) if last and wished is None and cue.row.say else 0.0
        moving, seconds = moving * factor, (moving + rest) * factor + (missing if cue.kind == Kind.MOVE else 0.0)
        parts.append(Part(cue, start, moving, seconds))
        start = parts[-1].end
    return parts


def _natural(cue: Cue) -> tuple[float, float]:
    """Return how long a cue moves, and how long it then stands."""
    row = cue.row
    if cue.step is not None and cue.before is not None:
        moving = act(cue.before, cue.battle, cue.step.events).seconds
        return moving, REST if moving else SILENT
    if cue.answered:
        return 0.0, max(reading_time(cue.text), LOOK)
    if row.wait is not None:
        return 0.0, row.wait
    if row.seconds is not None:
        return 0.0, row.seconds
    if cue.asked is not None:
        return 0.0, reading_time(cue.text) + THINK
    return 0.0, reading_time(cue.text) if row.say is not None else LOOK if row.show else SILENT
