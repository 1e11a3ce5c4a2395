"""The start screen: the battle in progress on its table, or a first one with its briefing, beside the menu."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import ClassVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.errors import TabletopError, Unsaved
from tabletop.play.briefing import briefing
from tabletop.play.files.named_files import first_battle
from tabletop.play.saves import library
from tabletop.play.saves.autosave import free_path
from tabletop.play.saves.library import Field, Kept
from tabletop.play.workshop import recovery
from tabletop.render import descriptions
from tabletop.render.destinations import (
    Destination,
    ToCalculator,
    ToJudge,
    ToSettings,
    ToWorkshop,
    new_battle,
    saved_game,
)
from tabletop.render.drawing import theme
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.drawing.lettering import width, wrapped
from tabletop.render.screens import Go, Leave, Look, Open
from tabletop.render.start import pictures
from tabletop.render.start.background_jobs import AnyJobs, BackgroundJobs
from tabletop.render.widgets import room
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.page import Frame, Page
from tabletop.render.widgets.pages.spots import Draw, Spot, State, button, sheet, words

#: The sheet at the left, which fills narrower windows. Its margin, a button's height, the gap between buttons.
SHEET, LEAST, PAD, HIGH, AIR = 372, 840, 28, 42, 9
#: Minimum height of a button where room is short.
LEAST_BUTTON = 26.0
#: The gap between buttons where room is short.
LEAST_AIR = 5.0
#: Windows lower than this have their buttons in two columns.
LOW = 650
#: Windows lower than this give most of their room to the buttons.
LEAST_HIGH = 430

#: The card of the first battle: its margin, its column of headings, its letter size and line height, its button.
CARD, HEADINGS, LETTERS, LINE, BEGIN = 14.0, 42.0, 14.0, 17.0, 36.0

#: Word, label and hint of every menu entry; entries that lead nowhere are left out.
WAYS = (
    ("quick", "Quick battle", "Two armies, random ground or a map, and it begins"),
    ("new", "New battle", "Choose a battle, who plays each side, and begin"),
    ("load", "Load a game", "Go on with any game that was kept"),
    ("replays", "Replays", "Watch a game again, finished or not"),
    ("workshop", "Workshop", "Make maps, armies and battles, print them, and play them"),
    ("judge", "Judge's table", "Lay out a position and ask who sees whom, who may fire, who reaches"),
    ("calculator", "Calculator", "The odds of a fight, for real miniatures on a real table"),
    ("lessons", "Lessons", "Learn to play, step by step"),
    ("drills", "Drills", "Train your eye: sight, fire, charges, flanks, to the tenth of an inch"),
    ("demos", "Demos", "Watch: sight, an assault, a whole battle in four minutes; for a club evening too"),
    ("settings", "Settings", "Sizes, colours, symbols, pace, sound, keys"),
    ("quit", "Quit", "Leave; every game is kept as it is"),
)


class Home(Page):
    """The start screen."""

    def __init__(self, look: Look, jobs: AnyJobs[str] | None = None) -> None:
        super().__init__(look)
        self.jobs: AnyJobs[str] = BackgroundJobs() if jobs is None else jobs
        self.last: Kept | None = None
        self.looked = False
        self.first: Field | None = None
        self.games = self.taught = False
        self.on_table: Battle | None = None
        self._picture: pygame.Surface | None = None
        self._painted_for: tuple[object, ...] | None = None
        self._baker = Baker()
        self._waited = self._asked = self.laying = False

    # --- background work ---------------------------------------------------------------------------------------------

    def _look_round(self) -> None:
        self._asked = True
        saved = library.kept_games()
        self.note, self.taught = saved.trouble or _unsaved(), bool(library.lessons())
        self.games = bool(saved.paths or saved.trouble)
        self.jobs.ask("last", lambda: library.newest_unfinished(saved.paths))

    def shown(self, look: Look) -> None:
        """Adapt to the window, and look for saved games again."""
        super().shown(look)
        pygame.display.set_caption("tabletop")
        self._look_round()

    def close(self) -> None:
        """Stop the background jobs and the painter."""
        self._baker.close()
        self.jobs.close()

    def work(self, seconds: float) -> bool:
        """Take in what was found, and have the table painted for the present window.

        Nothing is looked for before the first frame is drawn, which would only be delayed.
        """
        if not self._waited:
            self._waited = True
            return True
        if not self._asked:
            self._look_round()
        results = dict(self.jobs.take())
        if "last" in results:
            last = results["last"]
            self.last, self.looked = (last if isinstance(last, Kept) else None), True
            self._table_of_last()
        self.laying = self.laying and "first" not in results
        if isinstance(results.get("first"), Field):
            self.first = results["first"]
            self.on_table = self.last.battle if self.last is not None else self.first.battle
        if isinstance(results.get("picture"), pygame.Surface):
            self._picture = results["picture"]
        self._paint()
        return bool(results)

    def _table_of_last(self) -> None:
        if self.last is not None:
            self.on_table = self.last.battle
        elif self.first is not None:
            self.on_table = self.first.battle
        else:
            self.laying = True
            self.jobs.ask("first", _first)
        if self.usual not in self.words:
            self.focus = None

    def _paint(self) -> None:
        place, battle = self._room_for_table(*self.size), self.on_table
        if battle is None or place is None:
            return
        if theme.look() == "painted":
            self._baker.want(battle.table)
        wanted = (battle, place, self.look, self._baker.done)
        if self._painted_for is not None and all(
            a is b or a == b for a, b in zip(wanted, self._painted_for, strict=True)
        ):
            return
        self._painted_for = wanted
        size = (round((place[2] - 2 * room.RIM) * self.scale), round((place[3] - 2 * room.RIM) * self.scale))
        scale = self.scale
        self.jobs.ask("picture", lambda: pictures.painted(battle, size, scale, names=True, objectives=True))

    # --- layout ------------------------------------------------------------------------------------------------------

    @property
    def usual(self) -> str:  # type: ignore[override]
        """Continue the last battle if there is one, else begin the first."""
        return "continue" if self.last is not None else "first" if self.offered is not None else "new"

    @property
    def offered(self) -> Field | None:
        """The first battle, if no other is in progress."""
        return self.first if self.looked and self.last is None else None

    def _sheet(self, wide: float, high: float) -> Place:
        if wide < LEAST:
            return (0.0, 0.0, wide, high)
        return (0.0, 0.0, SHEET, high)

    def _room_for_table(self, wide: float, high: float) -> Place | None:
        if wide < LEAST:
            return None
        return (SHEET + 28, 24, wide - SHEET - 56, high - 24 - 62)

    def frame_of(self, wide: float, high: float) -> Frame:
        """Everything but the bottom line scrolls."""
        return Frame(0.0, high - self._foot(high))

    def _foot(self, high: float) -> float:
        return 56.0 if high >= LEAST_HIGH else 30.0

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        left, _, sheet_wide, _ = self._sheet(wide, high)
        inner = min(sheet_wide - 2 * PAD, 460.0)
        left += (sheet_wide - inner) / 2
        top = 30.0 if high >= LOW else 16.0
        spots = [Spot((left, top, inner, 48), words("tabletop", 42, "place"))]
        if high >= LEAST_HIGH:
            subtitle = words("Miniature battles on a measured table", 15, ink="quiet")
            spots.append(Spot((left, top + 50, inner, 22), subtitle))
        top += 92 if high >= LEAST_HIGH else 58
        card = self._cards(left, top, inner)
        spots += card
        top = card[0].place[1] + card[0].place[3] + 14
        spots += self._ways(left, top, inner, high)
        foot = self._foot(high)
        place: Place = (left, high - foot + 6, inner, foot - 8)
        spots.append(Spot(place, lambda b, p, _: b.lines(self.hint or self.note, p, 14, "quiet", most=2), fixed=True))
        return spots

    def _cards(self, left: float, top: float, wide: float) -> list[Spot]:
        """Return the card of the battle in progress or of the first battle, with its button."""
        place = (left, top, wide, 92.0)
        if self.last is not None:
            hint = f"Kept in {descriptions.place(self.last.path)}"
            return [Spot(place, _last_battle(self.last), "continue", hint)]
        if self.offered is None and self.laying:
            return [Spot(place, _no_battle("Your first battle", "Laying out its table ..."))]
        if self.offered is None:
            message = "No battle is under way." if self.looked else "Looking for your last battle ..."
            return [Spot(place, _no_battle("Continue", message))]
        rows = _briefed(self.offered, wide)
        high = 62 + sum(LINE * len(lines) + 4 for _, lines in rows) + BEGIN + CARD
        head = "A short battle" if self.games else "Your first battle"
        begin = (left + CARD, top + high - BEGIN - CARD, wide - 2 * CARD, BEGIN)
        hint = "You against the computer; it is kept as it goes"
        return [
            Spot((left, top, wide, high), _first_battle(head, self.offered, rows)),
            Spot(begin, button("Begin", True, size=17), "first", hint),
        ]

    def _ways(self, left: float, top: float, wide: float, high: float) -> list[Spot]:
        missing = {"load": not self.games, "replays": not self.games, "lessons": not self.taught}
        ways = [way for way in WAYS if not missing.get(way[0])]
        fits = top + len(ways) * (HIGH + AIR) <= high - self._foot(high) - AIR
        columns = 1 if fits and high >= LOW else 2
        air = AIR if high >= LOW else LEAST_AIR
        each = (wide - AIR * (columns - 1)) / columns
        room = (high - self._foot(high) - top) / -(-len(ways) // columns) - air
        tall = max(LEAST_BUTTON, min(HIGH, room))
        spots = []
        for number, (word, label, hint) in enumerate(ways):
            row, column = divmod(number, columns)
            place = (left + column * (each + AIR), top + row * (tall + air), each, tall)
            strong = word == self.usual and self.looked
            spots.append(Spot(place, button(label, strong, size=16), word, hint))
        return spots

    def backdrop(self, brush: Brush) -> None:
        """Draw the floor, the table with its title, and the sheet."""
        wide, high = self.size
        place = self._room_for_table(wide, high)
        if place is not None and self._picture is not None and self.on_table is not None:
            lies = room.table(brush, self._picture, place)
            self._plate(brush, self.on_table, lies[0] + lies[2] / 2, high - 33, place[2])
        else:
            room.floor(brush.surface, brush.scale)
        left, top, sheet_wide, sheet_high = self._sheet(wide, high)
        brush.shade((left, top, sheet_wide + 6, sheet_high), 0.25, 0)
        sheet("paper", "", 0)(brush, (left, top, sheet_wide, sheet_high), State())
        brush.paper((sheet_wide - 1, top, 1, sheet_high), "edge", radius=0)

    def _plate(self, brush: Brush, battle: Battle, middle: float, y: float, room_: float) -> None:
        brush.line(battle.title, middle, y - 9, room_, 17, "place", "light", "middle")
        last = self.last
        caption = descriptions.turn(battle, last.mover) if last is not None else descriptions.rules_title(battle)
        brush.line(caption, middle, y + 12, room_, 14, "plain", "pale", "middle")

    # --- actions -----------------------------------------------------------------------------------------------------

    def back(self) -> None:
        """Clear the keyboard focus on Esc; it never ends the program."""
        self.focus, self.by_key = None, False

    def did(self, word: str) -> None:
        """Go where the word leads."""
        self._leads[word](self)

    def _go_on(self) -> None:
        if self.last is not None:
            self.going = Go(saved_game(self.last.path))

    def _begin_first(self) -> None:
        """Begin the first battle; if it cannot be saved, open its page, which says so and can begin it unsaved."""
        from tabletop.render.start.setting_up import MOST_SEED, USUAL, SettingUp

        field = self.offered
        if field is None:
            return
        try:
            path = free_path(field.battle.title)
        except Unsaved:
            self.going = Open(lambda look: SettingUp(look, field))
            return
        players = dict(zip(field.battle.setup.sides, USUAL, strict=True))
        self.going = Go(new_battle(field.battle, 1 + secrets.randbelow(MOST_SEED - 1), players, path))

    def _page(self, name: str) -> None:
        from tabletop.render.start import battles, demos, drills, games, lessons, quick

        made = {
            "quick": quick.Quick, "new": battles.Battles, "load": games.Loading, "replays": games.Replays,
            "lessons": lessons.Lessons, "drills": drills.Drills,
            "demos": demos.Demos,
        }[name]  # fmt: skip
        self.going = Open(lambda look: made(look))

    def _go(self, to: Destination) -> None:
        self.going = Go(to)

    def _quit(self) -> None:
        self.going = Leave()

    _leads: ClassVar[Mapping[str, Callable[[Home], None]]] = {
        "continue": _go_on,
        "first": _begin_first,
        "quick": lambda h: h._page("quick"),
        "new": lambda h: h._page("new"),
        "load": lambda h: h._page("load"),
        "replays": lambda h: h._page("replays"),
        "judge": lambda h: h._go(ToJudge()),
        "workshop": lambda h: h._go(ToWorkshop()),
        "calculator": lambda h: h._go(ToCalculator()),
        "lessons": lambda h: h._page("lessons"),
        "drills": lambda h: h._page("drills"),
        "demos": lambda h: h._page("demos"),
        "settings": lambda h: h._go(ToSettings()),
        "quit": _quit,
    }


def _unsaved() -> str:
    """Return the note about workshop work left by a program that ended, "" if there is none."""
    work = next(iter(recovery.left()), None)
    return "" if work is None else f"{work.notice} The Workshop has it."


def _first() -> Field:
    field = library.field(first_battle())
    if isinstance(field, library.Unfit):
        raise TabletopError(field.why)
    return field


def _briefed(field: Field, wide: float) -> list[tuple[str, list[str]]]:
    """Return the text on the card of a first battle: headings, and the lines beside each."""
    brief = briefing(field.battle, field.battle.setup.sides[0])
    rows = (("You", brief.who), ("Hold", brief.hold), ("Win", brief.win))
    return [(head, wrapped(text, LETTERS, wide - 2 * CARD - HEADINGS - 6)) for head, text in rows if text]


def _first_battle(head: str, field: Field, rows: Sequence[tuple[str, Sequence[str]]]) -> Draw:
    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, _high = place
        left, room = left + CARD, wide - 2 * CARD
        brush.paper(place, "card", "strong", 8)
        brush.line(head, left, top + 19, room, 19, "bold")
        brush.line(field.battle.title, left, top + 41, room, LETTERS, "plain", "quiet")
        y = top + 65
        for name, lines in rows:
            brush.line(name, left, y, HEADINGS, LETTERS, "bold")
            for line in lines:
                brush.line(line, left + HEADINGS, y, room - HEADINGS, LETTERS)
                y += LINE
            y += 4

    return draw


def _no_battle(heading: str, detail: str) -> Draw:
    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, _high = place
        brush.paper(place, "", "panel_edge", 8)
        brush.line(heading, left + 18, top + 28, wide - 36, 19, "bold", "shut_ink")
        brush.line(detail, left + 18, top + 56, wide - 36, 15, "plain", "quiet")

    return draw


def _last_battle(game: Kept) -> Draw:
    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, _high = place
        brush.paper(place, "strong_lit" if state.hovered or state.focused else "strong", "strong_edge", 8)
        room_ = wide - 36
        rows = wrapped(game.battle.title, 15, room_)
        title = [rows[0], " ".join(rows[1:])] if len(rows) > 1 else [game.battle.title]
        turn, when = descriptions.turn(game.battle, game.mover), descriptions.when(game.when, datetime.now())
        status = next((wording for wording in (f"{turn}  ·  {when}", turn) if width(wording, 14) <= room_), turn)
        head, first, last = (20, 42, 80) if len(title) > 1 else (24, 49, 71)
        brush.line("Continue", left + 18, top + head, room_, 19, "bold", "light")
        for number, text in enumerate(title):
            brush.line(text, left + 18, top + first + 19 * number, room_, 15, "plain", "light")
        brush.line(status, left + 18, top + last, room_, 14, "plain", "card")

    return draw
