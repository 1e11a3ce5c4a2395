"""A drill in the window: a position on the table, the question beside it, an answer by click, then the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.battle.saying import by_name
from tabletop.drills.dispute import of_verdict
from tabletop.drills.drilling import Drilling, standing_sentence
from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.drills.standing import Standings
from tabletop.drills.supply import InlineSupply, ProcessSupply, Supply
from tabletop.errors import TabletopError
from tabletop.explain import headline
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.saves.library import own_folder
from tabletop.render.descriptions import place as place_text
from tabletop.render.drawing import measures, scene
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.drawing.primitives import Drawing, Frame
from tabletop.render.handouts import drill, page
from tabletop.render.painting.painter import paint
from tabletop.render.screens import Back, Look, Maker, Screen
from tabletop.render.table.clear import Clear
from tabletop.render.widgets import room
from tabletop.render.widgets.pages.brush import LINE, Brush, Place
from tabletop.render.widgets.pages.page import Page
from tabletop.render.widgets.pages.spots import Spot, State, button, sheet, words

#: Width of the panel; window width below which it lies under the table; its share of the height then. Margin; height of
#: a button; gap between buttons.
PANEL, LEAST, SHARE, PAD, HIGH, AIR = 380.0, 900.0, 0.45, 20.0, 40.0, 8.0
#: Reasons shown for a verdict, and their letter size.
REASONS, LETTERS = 2, 14.0
#: Width from which a panel has the near miss beside the words; the height of its bottom row with the gap above.
BESIDE, FOOT = 560.0, 52.0
#: Design pixels a pointer moves before it measures, and the margin within which a click still hits a thing.
MEASURES, ABOUT = 5.0, 6.0


def drilling(mode: str = "eye", only: str = "", dispute: tuple[Battle, Verdict] | None = None) -> Maker:
    """Return the function that makes the screen of a session of drills: all families or one; any dispute first."""

    def make(look: Look) -> Screen:
        position = None if dispute is None else of_verdict(*dispute)
        return DrillScreen(look, Drilling(Standings(), supplied(), mode, only), position)

    return make


def supplied() -> Supply:
    """Return the supply that makes positions in another process."""
    return ProcessSupply()


def inlined() -> Supply:
    """Return the supply that makes positions in this process (for tests and pictures)."""
    return InlineSupply()


class DrillScreen(Page):
    """The screen of a session."""

    usual = "next"

    def __init__(self, look: Look, session: Drilling, dispute: Position | None = None) -> None:
        super().__init__(look)
        self.session = session
        self.dispute = dispute
        self.swapped = False
        self.note = session.standings.trouble
        self._pictures: dict[tuple[object, ...], pygame.Surface] = {}
        self._tape: tuple[Point, Point] | None = None
        self._pressed_at: tuple[int, int] | None = None
        if dispute is not None:
            session.put(dispute)
        pygame.display.set_caption("tabletop - drills")

    @property
    def position(self) -> Position | None:
        """The position being asked or explained."""
        return self.session.position

    @property
    def answered(self) -> bool:
        """Whether the question has been answered."""
        return self.session.last is not None

    @property
    def mistaken(self) -> bool:
        """Whether the answer was wrong, and there is a near-miss twin to show."""
        last = self.session.last
        return last is not None and not last.right and last.position.twin is not None

    def work(self, seconds: float) -> bool:
        """Take the next position as soon as it is ready; return whether it was."""
        if self.position is None and self.session.next() is not None:
            self._fresh()
            return True
        return False

    def close(self) -> None:
        """Stop the background work."""
        self.session.close()

    def _fresh(self) -> None:
        self.swapped, self._tape, self.focus = False, None, None
        self._pictures.clear()

    # --- places ------------------------------------------------------------------------------------------------------

    def _beside(self) -> Place:
        """Return the place of the panel."""
        wide, high = self.size
        if wide >= LEAST:
            return (wide - PANEL, 0.0, PANEL, high)
        return (0.0, high * (1.0 - SHARE), wide, high * SHARE)

    def _table(self) -> Place:
        """Return the place of the table's top, without its rim."""
        wide, high = self.size
        panel, rim = self._beside(), room.RIM + 12.0
        space = (panel[0] if wide >= LEAST else wide) - 2 * rim, (high if wide >= LEAST else panel[1]) - 2 * rim
        table = self._shown()[0].table if self.position is not None else None
        width, height = (table.width, table.height) if table is not None else (24.0, 18.0)
        scale = max(1.0, min(space[0] / width, space[1] / height))
        size = width * scale, height * scale
        return (rim + (space[0] - size[0]) / 2, rim + (space[1] - size[1]) / 2, *size)

    def _shown(self, swapped: bool | None = None) -> tuple[Battle, Verdict | None]:
        """Return the battle on the table and the proof drawn on it; if swapped, those of the twin."""
        position = self.position
        assert position is not None
        twin = position.twin
        if (self.swapped if swapped is None else swapped) and self.mistaken and twin is not None:
            return twin.battle, twin.proof
        return position.battle, position.proof if self.answered else None

    def _pixel(self, point: Point) -> Point:
        """Return the pixel of a point of the table, in design pixels."""
        left, top, wide, high = self._table()
        table = self._shown()[0].table
        return left + point[0] / table.width * wide, top + high - point[1] / table.height * high

    def _point(self, pixel: tuple[int, int]) -> Point | None:
        """Return the point of the table under a pixel of the window, None outside the table."""
        if self.position is None:
            return None
        left, top, wide, high = self._table()
        x, y = (pixel[0] / self.scale - left) / wide, 1.0 - (pixel[1] / self.scale - top) / high
        table = self._shown()[0].table
        return (x * table.width, y * table.height) if 0.0 <= x <= 1.0 and 0.0 <= y <= 1.0 else None

    # --- layout ------------------------------------------------------------------------------------------------------

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the table with its clickable things, and the panel."""
        left, top, panel_wide, panel_high = self._beside()
        panel = Spot(self._beside(), sheet("paper", "edge", 0), fixed=True)
        inner = (left + PAD, top + PAD, panel_wide - 2 * PAD, panel_high - 2 * PAD)
        return [*self._things(), panel, *self._panel_spots(inner)]

    def _things(self) -> list[Spot]:
        position = self.position
        if position is None or self.answered:
            return []
        shapes = {unit.id: unit.footprint for unit in position.battle.units}
        shapes |= {piece.id: piece.uncut for piece in position.battle.table.terrain}
        spots = []
        for choice in position.clickable:
            west, south, east, north = shapes[choice].bounds
            (x, y), (right, low) = self._pixel((west, north)), self._pixel((east, south))
            place = (x - ABOUT, y - ABOUT, right - x + 2 * ABOUT, low - y + 2 * ABOUT)
            spots.append(Spot(place, _ring, f"answer:{choice}", position.choices[choice], fixed=True))
        return spots

    def _panel_spots(self, inner: Place) -> list[Spot]:
        """Return the panel: the head, the question, its answers; then the verdict."""
        left, top, wide, high = inner
        spots = [Spot((left, top, 76, 32), button("Back"), "back", "Leave; how you stand is kept (Esc)", fixed=True)]
        by = "With the tape: drag to measure" if self.session.mode == "tape" else "By eye"
        spots.append(Spot((left + 90, top, wide - 90, 32), words(by, LETTERS, ink="quiet"), fixed=True))
        top += 46
        position = self.position
        if position is None:
            waiting = words("The next position is being laid out ...", 16, ink="quiet")
            return [*spots, Spot((left, top, wide, 30), waiting, fixed=True)]
        top = self._lines(spots, (left, top, wide), position.question, 19, "bold")
        if not self.answered:
            return [*spots, *self._answers((left, top + 6, wide), position), *self._foot(inner)]
        return [*spots, *self._explained((left, top, wide, inner[1] + high), position), *self._foot(inner)]

    def _lines(
        self, spots: list[Spot], at: tuple[float, float, float], sentence: str, size: float = LETTERS,
        face: str = "plain", ink: str = "ink",
    ) -> float:  # fmt: skip
        """Lay out a text, and return where it ends."""
        left, top, wide = at
        bold = face == "bold"
        high = len(wrapped(sentence, size, wide, "bold" if bold else "plain")) * size * LINE

        def draw(brush: Brush, place: Place, _: State) -> None:
            brush.lines(sentence, place, size, ink, "bold" if bold else "plain")

        spots.append(Spot((left, top, wide, high), draw, fixed=True))
        return top + high

    def _answers(self, at: tuple[float, float, float], position: Position) -> list[Spot]:
        left, top, wide = at
        spots = []
        for choice, label in position.choices.items():
            place = (left, top, wide, HIGH)
            spots.append(Spot(place, button(label, size=16), f"answer:{choice}", "Answer", fixed=True))
            top += HIGH + AIR
        if position.clickable:
            self._lines(spots, (left, top, wide), "Or click it on the table.", ink="quiet")
        return spots

    def _explained(self, within: Place, position: Position) -> list[Spot]:
        """Return the verdict in words, the near-miss twin after a mistake, and the buttons."""
        left, top, wide, bottom = within
        last, spots = self.session.last, list[Spot]()
        assert last is not None
        answer = position.choices[position.answer]
        head = f"Right: {answer}." if last.right else f"Wrong. The answer: {answer}."
        top = self._lines(spots, (left, top + 4, wide), head, 17, "bold", "right" if last.right else "wrong")
        beside = wide > BESIDE
        text = (left, wide * 0.6 if beside else wide)
        battle, proof = self._shown()
        for sentence in self._reasons(battle, proof):
            top = self._lines(spots, (text[0], top + 4, text[1]), sentence)
        sentence = measures.in_chosen_unit(drill.margin_sentence(position))
        top = self._lines(spots, (text[0], top + 6, text[1]), sentence, ink="quiet")
        if position.family:
            sentence = measures.in_chosen_unit(standing_sentence(self.session, position.family))
            top = self._lines(spots, (text[0], top + 6, text[1]), sentence, LETTERS, "bold")
        if self.mistaken:
            right = left + wide * 0.64, within[1], wide * 0.36
            spots += self._twin(right if beside else (left, top + 8, wide), bottom - FOOT)
        return [spots[0], *(spot for spot in spots[1:] if spot.place[1] + spot.place[3] <= bottom - FOOT + 1)]

    def _twin(self, at: tuple[float, float, float], bottom: float) -> list[Spot]:
        """Return a small near-miss twin as far down as there is room; if there is hardly any, a button instead."""
        left, top, wide = at
        spots = list[Spot]()
        over = "Your position" if self.swapped else "The near miss"
        high = min(bottom - top - 2 * LETTERS * LINE, wide * 0.75)
        if high < 60:
            label = "Your position" if self.swapped else "The near miss"
            return [Spot((left, bottom - 34, wide, 30), button(label), "swap", "See it on the table", fixed=True)]
        top = self._lines(spots, (left, top, wide), f"{over} (a click shows it large):", ink="quiet")
        inset = (left, top + 2, min(wide, high / 0.75), high)
        return [*spots, Spot(inset, self._inset, "swap", "See it on the table", fixed=True)]

    def _reasons(self, battle: Battle, proof: Verdict | None) -> list[str]:
        """Return the answer and its weightiest reasons: those against it, then the last ones, which depend on place."""
        if proof is None:
            return []
        answer = headline(proof, battle)
        decisive = (*proof.against, *(reason for reason in reversed(proof.because) if reason.holds))
        reasons = [(by_name(reason, battle), reason.rule) for reason in decisive]
        more = [(text, rule) for text, rule in reasons if text not in answer and "-" in rule][:REASONS]
        sentences = [answer, *(f"{text[:1].upper()}{text[1:]} ({rule})." for text, rule in more)]
        return [measures.in_chosen_unit(sentence) for sentence in sentences]

    def _foot(self, inner: Place) -> list[Spot]:
        """Return the bottom row of the panel: the next button, the handout, and notes."""
        left, top, wide, high = inner
        top += high - HIGH
        hint = "Write it as a handout, the proof on its back"
        spots = [Spot((left + wide - 90, top, 90, HIGH), button("Print"), "print", hint, fixed=True)]
        if self.answered:
            label = "Back" if self._over else "Next"
            draw = button(label, True, size=16)
            spots.insert(0, Spot((left, top, wide - 100, HIGH), draw, "next", f"{label} (Enter)", fixed=True))
        else:
            place = (left, top, wide - 100, HIGH)
            spots.append(Spot(place, lambda b, p, _: b.lines(self.note, p, 12, "quiet", most=2), fixed=True))
        return spots

    @property
    def _over(self) -> bool:
        """Whether the session ends after this position, because it is a dispute."""
        return self.dispute is not None and self.position is self.dispute

    # --- drawing -----------------------------------------------------------------------------------------------------

    def backdrop(self, brush: Brush) -> None:
        """Draw the floor, the table with the position and its proof, and the tape."""
        if self.position is None:
            room.floor(brush.surface, brush.scale)
            return
        place = self._table()
        room.floor_and_table(brush, place)
        rect = brush.rect(place)
        brush.surface.blit(self._picture(rect.size, self.swapped), rect)
        if self._tape is not None:
            self._draw_tape(brush, *self._tape)

    def _picture(self, size: tuple[int, int], swapped: bool) -> pygame.Surface:
        """Return the picture of the position or of its twin, with the proof once answered."""
        battle, proof = self._shown(swapped)
        key = (id(battle), proof is None, size)
        if key not in self._pictures:
            wide, high = (max(40, round(n / self.scale)) for n in size)
            drawing = scene.picture(battle, style=scene.Style(wide, high, furniture=False, wait=False))
            surface = pygame.Surface(size)
            surface.fill(drawing.background or "#ffffff")
            frame = Frame.of(drawing, self.scale)
            for layer in _stacked(
                drawing, None if proof is None else scene.verdict_layer(proof, drawing.scale, battle)
            ):
                paint(surface, layer, frame, self.scale)
            self._pictures[key] = surface
        return self._pictures[key]

    def _inset(self, brush: Brush, place: Place, state: State) -> None:
        rect = brush.rect(place)
        brush.surface.blit(self._picture(rect.size, not self.swapped), rect)
        brush.paper(place, "", "strong" if state.hovered or state.focused else "edge", 2, 2)

    def _draw_tape(self, brush: Brush, start: Point, end: Point) -> None:
        a, b = ([round(n * brush.scale) for n in self._pixel(point)] for point in (start, end))
        for colour, width in (("#000000", 5), ("#ffd84a", 3)):
            pygame.draw.line(brush.surface, colour, a, b, max(1, round(width * brush.scale)))
        distance = measures.length(math.dist(start, end), self._shown()[0].table.unit)
        x, y = self._pixel(end)
        brush.paper((x + 10, y - 30, 76, 24), "card", "edge", 4)
        brush.line(distance, x + 48, y - 18, 72, LETTERS, "bold", align="middle")

    # --- events ------------------------------------------------------------------------------------------------------

    def _down(self, event: pygame.event.Event) -> None:
        if event.button == 1 and self.session.mode == "tape" and self._point(event.pos) is not None:
            self._pressed_at, self._tape = event.pos, None
        super()._down(event)

    def _motion(self, event: pygame.event.Event) -> None:
        super()._motion(event)
        if self._pressed_at is None:
            return
        start, end = self._point(self._pressed_at), self._point(event.pos)
        if start is not None and end is not None and math.dist(event.pos, self._pressed_at) > MEASURES * self.scale:
            self._tape = start, end

    def _up(self, event: pygame.event.Event) -> None:
        measured, self._pressed_at = self._pressed_at is not None and self._tape is not None, None
        if measured:
            self._held = None
        super()._up(event)

    # --- actions -----------------------------------------------------------------------------------------------------

    def did(self, word: str) -> None:
        """Run the action of a word."""
        act, _, what = word.partition(":")
        self._acts[act](self, what)

    def _answer(self, choice: str) -> None:
        self.session.answer(choice)
        self.note = self.session.standings.trouble
        self.focus = None

    def _next(self, _: str) -> None:
        if self.answered and self._over:
            self.going = Back()
        elif self.answered:
            self.session.next()
            self._fresh()

    def _swap(self, _: str) -> None:
        self.swapped = not self.swapped

    def _print(self, _: str) -> None:
        position = self.position
        assert position is not None
        name = FAMILIES[position.family].name if position.family else "dispute"
        try:
            written = page.write_numbered(own_folder(), f"drill {name}", [drill.of_position(position)])
            self.note = f"Written: {place_text(written)}"
        except TabletopError as error:
            self.note = str(error)

    def _back(self, _: str) -> None:
        self.going = Back()

    _acts: ClassVar[Mapping[str, Callable[[DrillScreen, str], None]]] = {
        "answer": _answer,
        "next": _next,
        "swap": _swap,
        "print": _print,
        "back": _back,
    }


def _stacked(position: Drawing, proof: Drawing | None) -> Iterator[Drawing]:
    """Yield a position and its proof in painting order: names over the lines, without those the proof would hide."""
    if proof is None:
        yield position
        return
    names = [layer for layer in position.layers if layer.name == "names"]
    yield replace(position, layers=tuple(layer for layer in position.layers if layer.name != "names"))
    yield proof
    alone = tuple(replace(layer, items=(item,)) for layer in names for item in layer.items)
    yield replace(position, layers=Clear().of(alone, proof.layers, position.scale), background="")


def _ring(brush: Brush, place: Place, state: State) -> None:
    """Draw a ring around the thing under the cursor."""
    if state.hovered or state.focused:
        brush.paper(place, "", "focus", 8, 3)
