"""Playback of the last action at the player's pace: its beats, the draws behind it, the result.

It only draws: the battle already stands after the action, and the player can skip the playback at any time. It knows
no screen; its caller passes the seconds elapsed to ``Stage``.
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

#: Factor on the usual duration for each pace of the settings; 0: no playback, only the text of the result.
PACES: Mapping[str, float] = {"slow": 1.9, "normal": 1.0, "fast": 0.4, "at once": 0.0}
#: Minimum seconds that the text of a result stays, at any pace.
LEAST_SHOWN = 1.2
#: Dice with more faces than this are the program's own draws, shown as a number out of a hundred.
FACES = 100
FLASH, LIGHT, LOSS = "#f2a03d", "#fffdf6", "#9c1c1c"
#: Maximum radius of a flash, in pixels.
WIDEST = 34.0


@dataclass(frozen=True)
class Draw:
    """One draw: its purpose, its height from 0 to 1, and its text."""

    purpose: str
    height: float
    reads: str


@dataclass(frozen=True)
class Show:
    """The playback of one action: its beats, side, heading and draws, the text of the result, its place."""

    act: Act
    side: str
    heading: str
    draws: tuple[Draw, ...] = ()
    texts: tuple[str, ...] = ()
    at: Point | None = None
    #: All the places where something of it happens.
    spots: tuple[Point, ...] = ()
    #: Whether a card shows it too: actions with draws, and those the player did not do himself.
    card: bool = True


def show_of(before: Battle, step: Step, lines: Sequence[Line], own: bool) -> Show | None:
    """Return the playback of a step, None where there is nothing to show.

    ``lines`` are its lines of the log; ``own``: the player at the screen did it himself.
    """
    if step.action is None:
        return None
    act = beats.act(before, step.battle, step.events)
    draws = tuple(_draws(before, step))
    asked = _asked(before, step.action)
    head = f"{side_name(step.action.side)} was asked: " if asked else None  # the heading says that already
    sentences = tuple(line.text for line in lines if head is None or not line.text.startswith(head))
    if not act.beats and not draws and not (sentences and not own):
        return None
    heading = asked or named(before, step.action).partition(": ")[2]
    spots = tuple(line.at for line in lines if line.at is not None)
    spots += tuple(marks.way_of(beat)[-1] for beat in act.beats if beat.mover is not None)
    at = spots[0] if spots else None
    return Show(
        act, step.action.side, heading[:1].upper() + heading[1:], draws, sentences, at, spots, bool(draws) or not own
    )


def _asked(before: Battle, action: Action) -> str:
    """Return a question with its answer; "" if the action is not an answer."""
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
    """The playback in progress. ``pace`` is a key of ``PACES``."""

    pace: str = "normal"
    show: Show | None = None
    passed: float = 0.0

    def begin(self, show: Show | None) -> None:
        """Start a playback in place of the present one; None ends it."""
        self.show, self.passed = show, 0.0

    def tick(self, seconds: float) -> None:
        """Advance the playback."""
        if self.show is None:
            return
        self.passed += seconds
        if self.passed > self.seconds + self.rest:
            self.show = None

    @property
    def seconds(self) -> float:
        """Duration of the action in seconds."""
        return 0.0 if self.show is None else self.show.act.seconds * PACES[self.pace]

    @property
    def rest(self) -> float:
        """Seconds that the result stays."""
        if self.show is None:
            return 0.0
        return max(LEAST_SHOWN, beats.rest(" ".join(self.show.texts)) * max(1.0, PACES[self.pace]))

    @property
    def running(self) -> bool:
        """True while the action is being shown, so that the table does not yet look as it stands."""
        return self.show is not None and self.passed < self.seconds

    @property
    def telling(self) -> bool:
        """True while a card is shown on the table."""
        return self.show is not None and self.show.card

    def skip(self) -> None:
        """Skip to the result; called again, end the playback."""
        if self.running:
            self.passed = self.seconds
        else:
            self.show = None

    @property
    def seen(self) -> Seen | None:
        """The state of the playback to draw, None where the table is drawn as it stands."""
        if self.show is None or not self.running:
            return None
        return self.show.act.seen(self.passed / self.seconds)

    @property
    def through(self) -> float:
        """The elapsed share of the present beat, from 0 to 1."""
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
    """Return the layers over the table during playback: the moving unit, aims, flashes, losses."""
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
    """Yield flashes at both ends of an attack, growing and fading; a red one for a loss."""
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
    """Return the units drawn on their way instead of where they stand."""
    seen = stage.seen
    return frozenset() if seen is None or seen.mover is None else frozenset({seen.mover.id})


def whose(show: Show) -> str:
    """Return the side that acted, as it begins a sentence."""
    return side_name(show.side)
