"""Quick battle: armies, ground, size, length and opponent on one page beside the field, and a button to begin."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from tabletop.errors import TabletopError, Unsaved
from tabletop.play.files.draft import Draft
from tabletop.play.quick_battle import forces, scene
from tabletop.play.quick_battle.forces import Force
from tabletop.play.random_ground.plan import SIZES, Wanted
from tabletop.play.saves import library
from tabletop.play.saves.autosave import free_path
from tabletop.play.saves.library import Field
from tabletop.render import descriptions
from tabletop.render.destinations import new_battle
from tabletop.render.screens import Go, Look
from tabletop.render.start import cards, pictures
from tabletop.render.start.background_jobs import AnyJobs, BackgroundJobs
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.page import Frame
from tabletop.render.widgets.pages.page_with_back import FOOT, HEAD, PageWithBack
from tabletop.render.widgets.pages.spots import Spot, State, button, radio, words
from tabletop.render.widgets.pages.text_entry import Line
from tabletop.rules import rule_set
from tabletop.rules.periods import period_of

#: The strip with Begin; a row of choices, a heading, the gap between groups; the column of choices; the width below
#: which there is one column.
STRIP, ROW, HEADING, AIR, CHOICES, NARROW = 76.0, 30.0, 26.0, 12.0, 620.0, 980.0
#: Random seeds of ground are below this; a typed one has at most this many digits.
MOST_SEED, MOST_DIGITS = 1_000_000, 9
PICTURE = (640, 480)
RANDOM = "random"
#: Points to which both armies may be scaled; None: as they are.
POINTS = (("as they are", None), ("20 points", 20.0), ("35 points", 35.0), ("50 points", 50.0))
#: Players of the northern army, with their labels here; the first is the default.
OPPONENTS = (("greedy", "Computer (greedy)"), ("sensible", "Computer (sensible)"), ("human", "A person"))


@dataclass
class Progress:
    """Progress of making random ground: tries so far, and their maximum."""

    tries: int = 0
    most: int = 1

    def __call__(self, tries: int, most: int) -> None:
        """Note a try."""
        self.tries, self.most = tries, most

    @property
    def share(self) -> float:
        """The progress from 0 to 1: every try halves the rest, since two or three usually suffice."""
        return float(1.0 - 0.5 ** (self.tries + 1))


class Quick(PageWithBack):
    """The page to put a battle together in a few clicks."""

    title = "Quick battle"
    usual = "begin"
    widest = 1480.0
    keys = "Enter begins.  Tab and arrows go about, Space chooses, Esc goes back."

    def __init__(self, look: Look, jobs: AnyJobs[str] | None = None) -> None:
        super().__init__(look)
        self.jobs: AnyJobs[str] = BackgroundJobs() if jobs is None else jobs
        self.rules = rule_set.NAMES[0]
        self.armies: list[Force] = []
        self.map = RANDOM
        self.extent, self.length, self.points = "small", "usual", POINTS[0][0]
        self.opponent = OPPONENTS[0][0]
        self.first = True
        self.lines = {"seed": Line(_thrown())}
        self.progress = Progress()
        self.made: Draft | None = None
        self.field: Field | None = None
        self.asked: scene.Asked | None = None
        self.beginning = False
        self._picture: pygame.Surface | None = None
        self._choose_rules(self.rules)

    # --- the choices and their battle --------------------------------------------------------------------------------

    def _choose_rules(self, name: str) -> None:
        own = [force for force in forces.forces() if force.rules == name]
        starters = [force for force in own if "starter" in force.name]
        self.rules, self.armies = name, (starters if len(starters) > 1 else own)[:2][::-1]
        self.extent = "small" if rule_set.find(name).unit == "in" else "medium"
        if self.map != RANDOM and Path(self.map) not in scene.maps(rule_set.find(name).unit):
            self.map = RANDOM
        self._ask()

    def _ask(self) -> None:
        """Have the battle set up in the background; results of earlier choices no longer count."""
        ground = self._ground()
        self.made = self.field = None
        if ground is None:
            self.asked = None
            return
        turns, points = scene.LENGTHS[self.length], dict(POINTS)[self.points]
        asked = self.asked = scene.Asked((self.armies[0], self.armies[1]), ground, turns, points)
        progress = self.progress = Progress()
        self.jobs.ask("scene", lambda: (asked, scene.scene(asked, progress)), first=True)

    def _ground(self) -> Path | Wanted | None:
        text = self.lines["seed"].text.strip()
        if self.map != RANDOM:
            return Path(self.map)
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            return None
        return Wanted(int(text), *SIZES[self.extent])

    # --- background work ---------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop the background jobs."""
        self.jobs.close()

    def work(self, seconds: float) -> bool:
        """Take in the battle that was set up, and its picture; begin it if the player has asked for that."""
        results = self.jobs.take()
        for key, came in results:
            if isinstance(came, TabletopError):
                self.note, self.beginning = str(came), False
            elif key == "scene" and isinstance(came, tuple) and came[0] is self.asked:
                self.made = came[1]
                self._ask_picture(came[1])
            elif key == "picture" and isinstance(came, tuple) and came[0] is self.made:
                self._picture = came[1]
        if self.beginning and self.made is not None:
            self.beginning = False
            self._begin(self.made)
        return bool(results) or (self.made is None and self.asked is not None)

    def _ask_picture(self, draft: Draft) -> None:
        size = round(PICTURE[0] * self.scale), round(PICTURE[1] * self.scale)
        scale = self.scale
        self.jobs.ask("picture", lambda: (draft, _painted(draft, size, scale)))

    # --- layout ------------------------------------------------------------------------------------------------------

    def frame_of(self, wide: float, high: float) -> Frame:
        """Return the scrolling range, which leaves out the strip with Begin."""
        return Frame(HEAD, high - FOOT - STRIP)

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the page with its strip."""
        left, room = self.inner(wide)
        begin = min(room, 360.0)
        place = (left + room - begin, high - FOOT - STRIP + 12, begin, STRIP - 24)
        label = "Laying out ..." if self.beginning else "Begin the battle"
        strong = Spot(place, button(label, True, size=20), "begin", "Begin (Enter)", fixed=True)
        return [*super().laid(wide, high), strong]

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return armies and ground at the left, the field and the rest at the right; one above the other if narrow."""
        spots: list[Spot] = []
        if wide < NARROW:
            below = self._terms(spots, left, self._troops(spots, left, top, wide), wide)
            return [*spots, *self._about(left, below, wide, 300.0)]
        choices = min(CHOICES, wide * 0.5)
        self._troops(spots, left, top, choices)
        right, about = left + choices + 36, wide - choices - 36
        field = max(200.0, min(about * 0.78, high - STRIP - 36 - 3 * (HEADING + ROW + AIR)))
        spots += self._about(right, top, about, field)
        self._terms(spots, right, top + field + 44, about)
        return spots

    def _troops(self, spots: list[Spot], left: float, top: float, wide: float) -> float:
        """Lay out the choices of rules, armies and ground; return where the next thing begins."""
        rules = [(name, period_of(name).title) for name in rule_set.NAMES if len(_armies(name)) > 1]
        top = below = self._group(spots, "Rules", _rows("rules", rules, self.rules), (left, top, wide), 3)
        own = [(force.name, force.title) for force in _armies(self.rules)]
        half = (wide - AIR) / 2
        for k, (head, place) in enumerate((("From the south", left), ("From the north", left + half + AIR))):
            below = self._group(spots, head, _rows(f"army-{k}", own, self.armies[k].name), (place, top, half), 1)
        maps = [(str(path), scene.title(path)) for path in scene.maps(rule_set.find(self.rules).unit)]
        ground = _rows("map", [(RANDOM, "Random ground"), *maps], self.map)
        top = self._group(spots, "Ground", ground, (left, below, wide), 2)
        return self._seed(spots, left, top, wide) if self.map == RANDOM else top

    def _terms(self, spots: list[Spot], left: float, top: float, wide: float) -> float:
        """Lay out the choices of length, points and opponent; return where the next thing begins."""
        lengths = [(name, f"{name}, {turns} turns") for name, turns in scene.LENGTHS.items()]
        for head, kind, choices, on in (
            ("Length", "length", lengths, self.length),
            ("Armies", "points", [(name, name) for name, _ in POINTS], self.points),
            ("You, in the south, play against", "against", OPPONENTS, self.opponent),
        ):
            top = self._group(spots, head, _rows(kind, choices, on), (left, top, wide), 4 if kind == "points" else 3)
        return top

    def _group(
        self,
        spots: list[Spot],
        head: str,
        rows: Sequence[tuple[str, str, bool]],
        at: tuple[float, float, float],
        columns: int,
    ) -> float:
        """Lay out a heading and its choices in columns; return where the next thing begins."""
        left, top, wide = at
        spots.append(Spot((left, top, wide, HEADING), words(head, 16, "bold")))
        each = wide / columns
        for number, (word, label, on) in enumerate(rows):
            row, column = divmod(number, columns)
            place = (left + column * each, top + HEADING + row * ROW, each - 6, ROW)
            spots.append(Spot(place, radio(label, on), word, f"{head}: {label}", light=True))
        return top + HEADING + -(-len(rows) // columns) * ROW + AIR

    def _seed(self, spots: list[Spot], left: float, top: float, wide: float) -> float:
        hint = "The same seed and size make the same ground: write it down to fight on it again"
        spots.append(Spot((left + 6, top, 44, 34), words("Seed", 15)))
        spots.append(Spot((left + 50, top, 100, 34), self.lines["seed"].draw, "seed", hint, typed=True))
        spots.append(Spot((left + 158, top, 90, 34), button("Another"), "another", "Throw another seed"))
        each = (wide - 256) / len(SIZES)
        for k, name in enumerate(SIZES):
            place = (left + 256 + k * each, top + 2, each - 4, ROW)
            size = "{:g} by {:g} in".format(*SIZES[name])
            spots.append(
                Spot(place, radio(name, self.extent == name), f"extent:{name}", f"A {name} table: {size}", light=True)
            )
        return top + 34 + AIR

    def _about(self, left: float, top: float, wide: float, high: float) -> list[Spot]:
        title = self.made.title if self.made is not None else "Laying out the battle ..."
        about = str(self.made.rest["notes"]) if self.made is not None else ""
        place = (left, top + high + 6, wide, 24)
        return [Spot((left, top, wide, high), self._draw_field), Spot(place, words(title, 16, "bold"), "", about)]

    def _draw_field(self, brush: Brush, place: Place, _: State) -> None:
        cards.field_picture(brush, place, self._picture)
        if self.made is None and self.asked is not None:
            left, top, wide, high = place
            bar = (left + wide * 0.2, top + high - 40, wide * 0.6, 14.0)
            brush.paper(bar, "card", "edge", 4)
            brush.paper((bar[0] + 2, bar[1] + 2, (bar[2] - 4) * self.progress.share, 10.0), "strong", "strong_edge", 3)

    # --- actions -----------------------------------------------------------------------------------------------------

    def typed(self, word: str) -> None:
        """Have the battle set up for the new seed."""
        self.note = ""
        self._ask()

    def chose(self, word: str) -> None:
        """Apply a choice, or begin."""
        kind, _, name = word.partition(":")
        self.note = ""
        if kind == "begin":
            self._wants_to_begin()
            return
        if kind == "rules":
            self._choose_rules(name)
            return
        if kind == "another":
            self.lines["seed"].text = _thrown()
        elif kind.startswith("army-"):
            self.armies[int(kind[-1])] = next(force for force in _armies(self.rules) if force.name == name)
        elif kind == "against":
            self.opponent = name
            return
        else:
            setattr(self, kind, name)
        self._ask()

    def _wants_to_begin(self) -> None:
        if self.asked is None:
            self.note = "The seed is a whole number, such as 7."
            self.turn_to("seed")
            return
        self.beginning = self.made is None
        if self.made is not None:
            self._begin(self.made)

    def _begin(self, draft: Draft) -> None:
        """Write the battle to the player's own battles, and start it."""
        try:
            path = scene.free_name(draft, library.own_folder())
            scene.write(draft, path)
            kept: Path | None = free_path(draft.title)
        except Unsaved as lack:
            self.note = str(lack)
            return
        field = library.field(path)
        if not isinstance(field, Field):
            self.note = f"{descriptions.place(path)}: {field.why}"
            return
        seed = 1 + secrets.randbelow(MOST_SEED - 1)
        assert self.asked is not None
        sides = forces.with_distinct_ids(*self.asked.armies)
        players = {sides[0].side: "human", sides[1].side: self.opponent}
        self.going = Go(new_battle(field.battle, seed, players, kept))


def _armies(rules: str) -> list[Force]:
    return [force for force in forces.forces() if force.rules == rules]


def _rows(kind: str, choices: Iterable[tuple[str, str]], on: str) -> list[tuple[str, str, bool]]:
    return [(f"{kind}:{word}", label, word == on) for word, label in choices]


def _painted(draft: Draft, size: tuple[int, int], scale: float) -> pygame.Surface:
    from tabletop.play.files.draft import laid

    return pictures.painted(laid(draft).battle, size, scale)


def _thrown() -> str:
    return str(secrets.randbelow(MOST_SEED - 1) + 1)
