"""What was just done, shown and told at the player's pace: its beats, the draws behind it, what came of it.

Only drawing: the battle is already the one after it, and whoever does not want to wait goes on at once. Nothing here
knows a screen; ``Stage`` is told how many seconds have passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Lost, Removed, Thrown, Told
from tabletop.battle.naming import side_name
from tabletop.geometry.measure import Point
from tabletop.play.engine import Step, asked, play_of
from tabletop.play.narration import thrown_for
from tabletop.play.saves.moment import named
from tabletop.render.drawing.primitives import Area, Circle, Item, Layer, Pen
from tabletop.render.drawing.shapes import ring
from tabletop.render.drawing.theme import side_styles
from tabletop.render.drawing.troops import unit_items
from tabletop.render.events import beats, marks
from tabletop.render.events.beats import Act, Seen
from tabletop.render.events.log_lines import Line

#: How much longer than usual everything takes at each pace of the settings; 0: what happens is told only.
PACES: Mapping[str, float] = {"slow": 1.9, "normal": 1.0, "fast": 0.4, "at once": 0.0}
#: Seconds what is told stays at least, at any pace.
LEAST_TOLD = 1.2
#: Dice with more faces are the program's own draws: told by how high they came in a hundred.
FACES = 100
FLASH, LIGHT, LOSS = "#f2a03d", "#fffdf6", "#9c1c1c"
#: Pixels of a flash at its widest.
WIDEST = 34.0


@dataclass(frozen=True)
class Draw:
    """One draw: for what, how high it came (0 to 1), and how that reads."""

    purpose: str
    height: float
    reads: str


@dataclass(frozen=True)
class Show:
    """One action as it is shown: its beats; in words what was done by which side, the draws, what came of it; where."""

    act: Act
    side: str
    heading: str
    draws: tuple[Draw, ...] = ()
    told: tuple[str, ...] = ()
    at: Point | None = None
    #: Everywhere something of it happens.
    spots: tuple[Point, ...] = ()
    #: Whether it is told on a card too: what chance had a hand in, what the player did not do himself.
    card: bool = True


def show_of(before: Battle, step: Step, lines: Sequence[Line], own: bool) -> Show | None:
    """Return how a step is shown, None where there is nothing to see or tell.

    ``lines`` is what the log tells of it; ``own``: the player sitting there did it himself.
    """
    if step.action is None:
        return None
    act = beats.act(before, step.battle, step.events)
    draws = tuple(_draws(before, step))
    asked = _asked(before, step.action)
    head = f"{side_name(step.action.side)} was asked: " if asked else None  # its heading says that already
    told = tuple(line.text for line in lines if head is None or not line.text.startswith(head))
    if not act.beats and not draws and not (told and not own):
        return None
    heading = asked or named(before, step.action).partition(": ")[2]
    spots = tuple(line.at for line in lines if line.at is not None)
    spots += tuple(marks.way_of(beat)[-1] for beat in act.beats if beat.mover is not None)
    at = spots[0] if spots else None
    return Show(
        act, step.action.side, heading[:1].upper() + heading[1:], draws, told, at, spots, bool(draws) or not own
    )


def _asked(before: Battle, action: Action) -> str:
    """Return a question with its answer; nothing where the action answers none."""
    if action.kind != ANSWER or not before.pending:
        return ""
    choice = str(action.options.get("choice"))
    reply = play_of(before).replies(before, before.pending[0]).get(choice)
    return f"{asked(before)} {choice.replace('-', ' ') if reply is None else reply.label}"


def _draws(before: Battle, step: Step) -> Iterator[Draw]:
    for event in step.events:
        if isinstance(event, Thrown):
            purpose, unit = thrown_for(before, event)
            if unit and (step.action is None or unit != step.action.unit):
                purpose = f"{purpose}, {before.called(unit)}"
            height = (event.face - 0.5) / event.sides
            small = event.sides <= FACES
            reads = f"{event.face} of {event.sides}" if small else f"{-(-100 * event.face // event.sides)} of 100"
            yield Draw(purpose[:1].upper() + purpose[1:], height, reads)


@dataclass
class Stage:
    """Where what was just done is being shown. ``pace`` is a key of ``PACES``."""

    pace: str = "normal"
    show: Show | None = None
    passed: float = 0.0

    def begin(self, show: Show | None) -> None:
        """Show something, instead of what was shown; None: nothing more."""
        self.show, self.passed = show, 0.0

    def tick(self, seconds: float) -> None:
        """Let time pass."""
        if self.show is None:
            return
        self.passed += seconds
        if self.passed > self.seconds + self.rest:
            self.show = None

    @property
    def seconds(self) -> float:
        """How long what happens takes to see."""
        return 0.0 if self.show is None else self.show.act.seconds * PACES[self.pace]

    @property
    def rest(self) -> float:
        """How long what came of it stays."""
        if self.show is None:
            return 0.0
        return max(LEAST_TOLD, beats.rest(" ".join(self.show.told)) * max(1.0, PACES[self.pace]))

    @property
    def running(self) -> bool:
        """True while something still happens: the table is not yet as it stands."""
        return self.show is not None and self.passed < self.seconds

    @property
    def telling(self) -> bool:
        """True while a card stands on the table."""
        return self.show is not None and self.show.card

    def skip(self) -> None:
        """Go on at once to what came of it; once more, and that is put away too."""
        if self.running:
            self.passed = self.seconds
        else:
            self.show = None

    @property
    def seen(self) -> Seen | None:
        """What is to be seen just now, None where the table is as it stands."""
        if self.show is None or not self.running:
            return None
        return self.show.act.seen(self.passed / self.seconds)

    @property
    def through(self) -> float:
        """The share of the present beat that has passed."""
        if self.show is None or not self.running:
            return 1.0
        now = self.show.act.seconds * self.passed / self.seconds
        for beat in self.show.act.beats:
            if now < beat.seconds:
                return now / beat.seconds
            now -= beat.seconds
        return 1.0


# --- on the table ----------------------------------------------------------------------------------------------------


def layers(stage: Stage, scale: float) -> tuple[Layer, ...]:
    """Return what lies over the table while something is shown: who is on the way, aims, flashes, losses."""
    show, seen = stage.show, stage.seen
    if show is None:
        return ()
    if seen is None:
        return (marks.done(show.act.beats, scale),)
    return (
        marks.doing(show.act.beats, seen, scale),
        Layer("on the way", tuple(_mover(seen))),
        Layer("flash", tuple(_flash(seen, stage.through))),
    )


def _mover(seen: Seen) -> Iterator[Item]:
    if seen.mover is not None:
        styles = side_styles(unit.side for unit in (*seen.battle.units, seen.mover))
        yield from unit_items(seen.mover, styles[seen.mover.side])


def _flash(seen: Seen, through: float) -> Iterator[Item]:
    """Yield fire at both ends of an attack, growing and fading; the red of a loss."""
    event = seen.beat.event if seen.beat is not None else None
    left = 1.0 - through
    if isinstance(event, Told) and event.unit is not None and event.target is not None:
        for name, late in ((event.unit, 0.0), (event.target, 0.35)):
            grown = max(0.0, (through - late) / (1.0 - late))
            if grown > 0.0 and seen.battle.has(name):
                at = seen.battle.unit(name).at
                yield Circle(at, 6.0 + WIDEST * grown, fill=FLASH, pixels=True, opacity=0.55 * (1.0 - grown))
                pen = Pen(LIGHT, 2.0, opacity=1.0 - grown)
                yield Circle(at, 6.0 + WIDEST * grown, pen=pen, pixels=True)
    if isinstance(event, Lost | Removed) and seen.battle.has(event.unit):
        for base in seen.battle.unit(event.unit).bases:
            corners = getattr(base, "corners", None)
            if corners is not None:
                yield Area((ring(corners),), LOSS, opacity=0.75 * left)


def hidden(stage: Stage) -> frozenset[str]:
    """Return the units that are drawn on their way instead of where they stand."""
    seen = stage.seen
    return frozenset() if seen is None or seen.mover is None else frozenset({seen.mover.id})


def whose(show: Show) -> str:
    """Return the side that did it, as it begins a sentence."""
    return side_name(show.side)
