"""The drawing of a demo: the table with actions and proofs on it, and a band with the narration.

Texts appear only in the band, in the largest size that fits, with the side view of a sight line beside them, so that
nothing covers what they are about. Needs no display.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.demos.cues import Asked, Cue
from tabletop.render.demos.timeline import Part
from tabletop.render.drawing import measures, scene, theme
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.primitives import Drawing, Frame
from tabletop.render.drawing.side_view import side_view
from tabletop.render.drawing.traces import Trace
from tabletop.render.events import marks
from tabletop.render.events.beats import Seen
from tabletop.render.painting.painter import paint, within
from tabletop.render.widgets import room
from tabletop.render.widgets.pages.brush import LINE, Brush, Place

#: The design's height: everything takes the same share of every screen.
DESIGN = 720.0
#: The band's height; its margins; the largest and the smallest letters in it; the width of a side view.
BAND, PAD, LARGEST, SMALLEST, SECTION = 186.0, 26.0, 38.0, 20.0, 470.0
#: Width of a band to the right of the table.
ASIDE = 410.0
#: Height of a choice, gap between choices, height of the row of buttons, height of the head above the text.
CHOICE, GAP, KEYS, HEAD = 52.0, 16.0, 44.0, 26.0
#: Margin around the table in design pixels.
RIM = 20.0


@dataclass(frozen=True)
class Band:
    """Content of the band: the head, the text, the question, the answer given, and the progress.

    ``left`` is the share of a question's time that is left, ``gone`` the share of the demo that is over. ``keys`` is
    the number of buttons to leave room for instead of choices.
    """

    head: str
    text: str
    asked: Asked | None = None
    answered: bool = False
    given: int | None = None
    left: float | None = None
    gone: float = 0.0
    keys: int = 0


@dataclass(frozen=True)
class Inside:
    """The layout of the band: the head's left end and middle, the text, choices or buttons, the side view."""

    head: tuple[float, float]
    text: Place
    choices: Sequence[Place]
    section: Place | None


@dataclass(frozen=True)
class Still:
    """The motionless part of a picture: the units, the traces of fighting, and the unit left out because it moves."""

    battle: Battle
    traces: tuple[Trace, ...]
    mover: str = ""


class Stage:
    """Draws one demo on surfaces of any size; ground and motionless units are painted once."""

    def __init__(self, opening: Battle, wait: bool = False) -> None:
        """Make a stage; with ``wait`` it waits for a painted ground, else shows the map until ``ground_anew``."""
        self.opening, self.wait = opening, wait
        self._ground: tuple[object, pygame.Surface] | None = None
        self._still: tuple[tuple[object, ...], pygame.Surface] | None = None

    def ground_anew(self) -> None:
        """Paint the ground again, because a finer painting is ready."""
        self._ground = self._still = None

    # --- places ------------------------------------------------------------------------------------------------------

    @staticmethod
    def scale(size: tuple[int, int]) -> float:
        """Return the screen pixels per design pixel."""
        return max(0.05, min(size[1] / DESIGN, size[0] / 900.0))

    def beside(self, size: tuple[int, int]) -> bool:
        """Return whether the band stands at the right, which is where it leaves the table larger."""
        wide, high = self._design(size)
        table = self.opening.table
        above = min((wide - 2 * RIM) / table.width, (high - BAND - 2 * RIM) / table.height)
        return min((wide - ASIDE - 2 * RIM) / table.width, (high - 2 * RIM) / table.height) > above

    def _design(self, size: tuple[int, int]) -> tuple[float, float]:
        scale = self.scale(size)
        return size[0] / scale, size[1] / scale

    def band(self, size: tuple[int, int]) -> Place:
        """Return the place of the band in design pixels."""
        wide, high = self._design(size)
        return (wide - ASIDE, 0.0, ASIDE, high) if self.beside(size) else (0.0, high - BAND, wide, BAND)

    def table(self, size: tuple[int, int]) -> Place:
        """Return the place of the table's top in design pixels."""
        left, top, *_ = self.band(size)
        wide, high = (left, self._design(size)[1]) if left else (self._design(size)[0], top)
        table = self.opening.table
        scale = max(0.5, min((wide - 2 * RIM) / table.width, (high - 2 * RIM) / table.height))
        across, down = table.width * scale, table.height * scale
        return ((wide - across) / 2, (high - down) / 2, across, down)

    def inside(self, size: tuple[int, int], cue: Cue, keys: int = 0) -> Inside:
        """Return the layout of the band with room for a number of buttons, in design pixels."""
        left, top, wide, high = self.band(size)
        count = len(cue.asked.choices) if cue.asked is not None and not keys else 0
        has_section = any(proof.side_view is not None for proof in cue.proofs)
        inner, low = wide - 2 * PAD, top + high - 12
        section: Place | None = None
        if left:
            if has_section:
                low -= BAND
                section = (left + 8, low, wide - 16, BAND)
            low, choices = _stacked(left + PAD, low, inner, count or keys, CHOICE if count else KEYS)
        else:
            if has_section:
                inner -= SECTION
                section = (wide - SECTION, top + 6, SECTION - 8, high - 8)
            each = (inner - GAP * (count or keys)) / max(1, count or keys)
            across, tall = (min(360.0, each), CHOICE) if count else (min(200.0, each), KEYS)
            choices = [(left + PAD + k * (across + GAP), low - tall, across, tall) for k in range(count or keys)]
            low -= tall + 8 if choices else 0.0
        return Inside(
            (left + PAD, top + 20), (left + PAD, top + HEAD + 6, inner, low - top - HEAD - 6), choices, section
        )

    # --- the table ---------------------------------------------------------------------------------------------------

    def draw_table(self, surface: pygame.Surface, part: Part, gone: float) -> None:
        """Draw floor and table as they are ``gone`` seconds into a part."""
        scale = self.scale(surface.get_size())
        brush = Brush(surface, scale)
        place = self.table(surface.get_size())
        room.floor_and_table(brush, place)
        lies = brush.rect(place)
        sheet = within(surface, lies)
        if sheet.get_width() and sheet.get_height():
            self._draw(sheet, part, part.share(gone), scale)

    def _draw(self, sheet: pygame.Surface, part: Part, share: float, density: float) -> None:
        table, seen = part.cue.battle.table, part.seen(share)
        frame = Frame(sheet.get_width() / table.width, 0.0, table.height)
        theme.view_from(frame.scale / density * inch(table))
        left = part.left if seen.battle is part.cue.battle else part.lies
        self._lay(sheet, Still(seen.battle, left, "" if seen.mover is None else seen.mover.id), frame, density)
        if seen.mover is not None:
            paint(sheet, scene.unit_layer(seen.with_mover, only=(seen.mover.id,)), frame, density)
        for drawing in self._over(part, seen, frame.scale / density):
            paint(sheet, drawing, frame, density)

    def _over(self, part: Part, seen: Seen, scale: float) -> list[Drawing]:
        """Return the layers over the units: the marks of an action, and proofs."""
        battle, act = part.cue.battle, part.act
        whole = (0.0, 0.0, battle.table.width, battle.table.height)
        drawings = [scene.verdict_layer(proof, scale, battle, whole) for proof in part.cue.proofs]
        if act is not None and seen.beat is not None:
            drawings.append(Drawing((marks.doing(act.beats, seen, scale),), whole, scale))
        elif act is not None and seen.battle is battle:
            drawings.append(Drawing((marks.done(act.beats, scale),), whole, scale))
        return drawings

    def _lay(self, sheet: pygame.Surface, still: Still, frame: Frame, density: float) -> None:
        """Draw the ground and everything motionless, painted once for as long as it stays the same."""
        battle, key = still.battle, (still, sheet.get_size(), theme.current_palette(), theme.look())
        if self._still is None or self._still[0] != key:
            scale, moving = frame.scale / density, (still.mover,) if still.mover else ()
            made = self._bare(sheet, frame, density).copy()
            whole = (0.0, 0.0, battle.table.width, battle.table.height)
            paint(made, Drawing((objective_layer(battle),), whole, scale), frame, density)
            paint(made, scene.unit_layer(battle, faint=moving, traces=still.traces), frame, density)
            paint(made, scene.name_layer(battle, scale), frame, density)
            self._still = (key, made)
        sheet.blit(self._still[1], (0, 0))

    def _bare(self, sheet: pygame.Surface, frame: Frame, density: float) -> pygame.Surface:
        key = (sheet.get_size(), theme.current_palette(), theme.look())
        if self._ground is None or self._ground[0] != key:
            made = pygame.Surface(sheet.get_size())
            made.fill(theme.colour("page", "paper"))
            paint(made, scene.terrain_layer(self.opening, wait=self.wait), frame, density)
            self._ground = (key, made)
        return self._ground[1]

    # --- the band ----------------------------------------------------------------------------------------------------

    def draw_band(self, surface: pygame.Surface, band: Band, cue: Cue) -> None:
        """Draw the band: progress, head, text, choices, side view."""
        size = surface.get_size()
        brush = Brush(surface, self.scale(size))
        place, inside = self.band(size), self.inside(size, cue, band.keys)
        left, top, wide, _ = place
        brush.paper(place, "panel", radius=0)
        brush.paper((left, top, wide, 5), "edge", radius=0)
        brush.paper((left, top, max(1.0, wide * band.gone), 5), "strong", radius=0)
        brush.line(band.head, *inside.head, inside.text[2], 16, "plain", "quiet")
        if band.asked is not None and not band.keys:
            _draw_choices(brush, band, band.asked, inside.choices)
        if inside.section is not None:
            _draw_section(brush, cue, inside.section)
        _draw_text(brush, band.text, inside.text)


def _stacked(left: float, low: float, wide: float, count: int, tall: float) -> tuple[float, list[Place]]:
    """Return the top of a column of buttons that ends at ``low``, and their places."""
    step = tall + GAP / 2
    return low - step * count, [(left, low - step * (count - k) + GAP / 2, wide, tall) for k in range(count)]


def _draw_text(brush: Brush, text: str, place: Place) -> None:
    """Draw a text in the largest size that fits a place."""
    sentence, (_, _, wide, high) = measures.in_chosen_unit(text), place
    size = LARGEST
    while size > SMALLEST and len(wrapped(sentence, size, wide, "bold")) * size * LINE > high:
        size -= 1.0
    brush.lines(sentence, place, size, "ink", "bold")


def _draw_choices(brush: Brush, band: Band, asked: Asked, places: Sequence[Place]) -> None:
    for number, (place, choice) in enumerate(zip(places, asked.choices, strict=True)):
        right = band.answered and number == asked.right
        wrong = band.answered and number == band.given and not right
        fill, edge = ("strong", "strong_edge") if right else ("button", "edge")
        brush.paper(place, fill, edge, 8, 2)
        sign = "✓ " if right else "✗ " if wrong else ""
        x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
        ink = "light" if right else "quiet" if band.answered else "ink"
        brush.line(sign + choice, x, y, place[2] - 16, 24, "bold", ink, "middle")
    if band.left is not None and places:
        left, top = places[-1][0] if len({p[1] for p in places}) > 1 else places[0][0], places[-1][1] + CHOICE
        wide = places[-1][0] + places[-1][2] - left
        brush.paper((left, top + 4, max(1.0, wide * band.left), 4), "strong", radius=0)


def _draw_section(brush: Brush, cue: Cue, place: Place) -> None:
    """Draw the side view of the last proof that has one."""
    proof = next(proof for proof in reversed(cue.proofs) if proof.side_view is not None)
    made = side_view(proof, round(place[2]), round(place[3]), battle=cue.battle)
    if made is not None:
        paint(within(brush.surface, brush.rect(place)), made, Frame.of(made, brush.scale), brush.scale)


def head_of(title: str, cue: Cue) -> str:
    """Return the line above the text: the demo's title, and in a battle the turn and the score."""
    battle = cue.battle
    turn = max(1, battle.clock.turn)
    score = ", ".join(f"{side} {points:g}" for side, points in battle.scores.items())
    if not battle.setup.objectives:
        return title
    return f"{title}   ·   Turn {turn}" + (f"   ·   {score}" if score else "")
