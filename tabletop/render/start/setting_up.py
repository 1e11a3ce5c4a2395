"""New battle, the second page: a battle, its players, its seed, the file of the game; and Begin."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

import pygame

from tabletop.battle.naming import side_name
from tabletop.errors import BadQuestion, Unsaved
from tabletop.play.files.typed_paths import is_there, typed_path
from tabletop.play.players import PLAYERS
from tabletop.play.saves import library
from tabletop.play.saves.autosave import free_path
from tabletop.play.saves.library import Field, Unfit
from tabletop.play.session import Session
from tabletop.render import descriptions
from tabletop.render.destinations import ToBattle, new_battle
from tabletop.render.screens import Go, Look, Maker, Open, Screen
from tabletop.render.start import cards, pictures
from tabletop.render.start.background_jobs import AnyJobs, BackgroundJobs
from tabletop.render.widgets.pages import folders
from tabletop.render.widgets.pages.brush import Brush, Place, height_of
from tabletop.render.widgets.pages.page import Frame
from tabletop.render.widgets.pages.page_with_back import FOOT, HEAD, PageWithBack
from tabletop.render.widgets.pages.spots import BESIDE, Draw, Spot, State, button, radio, text, words
from tabletop.render.widgets.pages.text_entry import Line

#: Maximum width of a window in one column; the strip with Begin; the column of choices.
NARROW, STRIP, CHOICES = 900.0, 76.0, 520.0
ROW = 30.0
#: Random seeds are below this; a typed one has at most this many digits.
MOST_SEED, MOST_DIGITS = 1_000_000, 18
#: The default players of the first and the second side.
USUAL = ("human", "greedy")
PICTURE = (640, 460)


class SettingUp(PageWithBack):
    """A battle about to begin."""

    usual = "begin"
    widest = 1360.0
    keys = "Enter begins.  Tab and arrows go about, Space chooses, Esc goes back."

    def __init__(self, look: Look, field: Field, jobs: AnyJobs[str] | None = None) -> None:
        super().__init__(look)
        self.jobs: AnyJobs[str] = BackgroundJobs() if jobs is None else jobs
        self.field = field
        self.title = field.battle.title
        sides = field.battle.setup.sides
        self.players = {side: USUAL[min(number, 1)] for number, side in enumerate(sides)}
        self.lines = {"seed": Line(_thrown()), "kept": Line("")}
        self.unkept = ""
        self.practice = False
        self._picture: pygame.Surface | None = None
        self._find_place()
        self._ask_picture()

    def _find_place(self) -> None:
        try:
            path = str(free_path(self.field.battle.title))
            self.lines["kept"] = Line(path, len(path))
            self.unkept = ""
        except Unsaved as lack:
            self.unkept = str(lack)

    def _ask_picture(self) -> None:
        scale, settings, field = self.scale, self.look.settings, self.field
        size = (round(PICTURE[0] * scale), round(PICTURE[1] * scale))
        self.jobs.ask("picture", lambda: pictures.of_files(field.battle, field.files, size, scale, settings))

    def shown(self, look: Look) -> None:
        """Adapt to the window; if the game's file is taken by now, propose another."""
        super().shown(look)
        if is_there(typed_path(self.lines["kept"].text)):
            self._find_place()

    def close(self) -> None:
        """Stop the background jobs."""
        self.jobs.close()

    def work(self, seconds: float) -> bool:
        """Take in the picture."""
        news = dict(self.jobs.take())
        if isinstance(news.get("picture"), pygame.Surface):
            self._picture = news["picture"]
        return bool(news)

    # --- layout ------------------------------------------------------------------------------------------------------

    def frame_of(self, wide: float, high: float) -> Frame:
        """The strip with Begin does not scroll."""
        return Frame(HEAD, high - FOOT - STRIP)

    def laid(self, wide: float, high: float) -> Sequence[Spot]:
        """Return the page with its strip."""
        left, room = self.inner(wide)
        spots = list(super().laid(wide, high))
        begin = min(room, 360.0)
        last = next(spot for spot in spots if spot.word == "kept").place
        below = last[1] + last[3] + 28 if room >= NARROW else high
        strip = (left + room - begin, min(below, high - FOOT - STRIP + 12), begin, STRIP - 24)
        spots.append(Spot(strip, button("Begin the battle", True, size=20), "begin", "Begin (Enter)", fixed=True))
        if self.unkept and room > begin + 180:
            hint = f"{self.unkept}. Begin it all the same: it is lost when the window closes."
            place = (left, strip[1], min(300.0, room - begin - 20), strip[3])
            spots.append(Spot(place, button("Begin without keeping it"), "unkept", hint, fixed=True))
        return spots

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return picture and words at the left, the choices at the right; on a narrow page one above the other."""
        if wide < NARROW:
            spots, below = self._about(left, top, wide, min(260.0, 0.6 * wide, max(130.0, 0.7 * high)))
            return [*spots, *self._choices(left, below + 12, wide)]
        choices = min(CHOICES, wide * 0.46)
        about = wide - choices - 36
        text_height = height_of(self.field.about, about)
        spots, _ = self._about(left, top, about, min(about * 0.72, max(220.0, high - STRIP - 86 - text_height)))
        return [*spots, *self._choices(left + about + 36, top, choices)]

    def _about(self, left: float, top: float, wide: float, picture: float) -> tuple[list[Spot], float]:
        battle, y = self.field.battle, top + picture + 14
        forces, text_height = f"{descriptions.forces(battle)}.", height_of(self.field.about, wide)
        counted = height_of(forces, wide)
        facts = f"{descriptions.rules_title(battle)}.  {descriptions.size(battle)}."
        return [
            Spot((left, top, wide, picture), lambda b, p, _: cards.field_picture(b, p, self._picture)),
            Spot((left, y, wide, 24), words(facts, 15, "bold")),
            Spot((left, y + 26, wide, counted), text(forces)),
            Spot(
                (left, y + 34 + counted, wide, text_height + 4),
                lambda b, p, _: b.lines(self.field.about, p, 15, "quiet"),
            ),
        ], y + 34 + counted + text_height

    def _choices(self, left: float, top: float, wide: float) -> list[Spot]:
        spots: list[Spot] = []
        for side, side_label in descriptions.sides(self.field.battle):
            spots.append(Spot((left, top, wide, 28), self._side(side, side_label)))
            top += 32
            for name in PLAYERS:
                on, hint = self.players[side] == name, f"{side_name(side)}: {PLAYERS[name].label} ({name})"
                label = descriptions.player_label(name)
                high = max(ROW, height_of(label, wide - BESIDE, 15, "bold") + 8)
                spots.append(Spot((left, top, wide, high), radio(label, on), f"seat:{side}:{name}", hint, light=True))
                top += high
            top += 12
        hint = "Undo goes past dice; the saved game says that it is practice"
        offer = radio("Practice: dice can be taken back", self.practice)
        spots.append(Spot((left, top - 4, wide, ROW), offer, "practice", hint, light=True))
        return [*spots, *self._seed(left, top + ROW, wide), *self._kept(left, top + ROW + 74, wide)]

    def _side(self, side: str, label: str) -> Draw:
        def draw(brush: Brush, place: Place, _: State) -> None:
            left, top, wide, high = place
            cards.swatch(brush, self.field.battle, side, left, top + high / 2, 16)
            brush.line(f"{label}, played by", left + 34, top + high / 2, wide - 34, 16, "bold")

        return draw

    def _seed(self, left: float, top: float, wide: float) -> list[Spot]:
        hint = "The same seed throws the same dice: write it down to fight the same battle again"
        another = 110.0
        return [
            Spot((left, top, wide, 24), words("Seed of the dice", 16, "bold")),
            Spot((left, top + 28, wide - another - 10, 34), self.lines["seed"].draw, "seed", hint, typed=True),
            Spot((left + wide - another, top + 28, another, 34), button("Another"), "another", "Throw another seed"),
        ]

    def _kept(self, left: float, top: float, wide: float) -> list[Spot]:
        hint, button_width = "The file the game is kept in as it goes", 150.0
        elsewhere = Spot(
            (left + wide - button_width, top + 28, button_width, 34),
            button("Another folder"),
            "folder",
            "Look for a folder",
        )
        return [
            Spot((left, top, wide, 24), words("Kept in", 16, "bold")),
            Spot((left, top + 28, wide - button_width - 10, 34), self.lines["kept"].draw, "kept", hint, typed=True),
            elsewhere,
        ]

    # --- actions -----------------------------------------------------------------------------------------------------

    def typed(self, word: str) -> None:
        """Clear the error message; it returns when the player tries to begin."""
        self.note = ""

    def chose(self, word: str) -> None:
        """Choose a player, another seed or folder, or begin."""
        kind, _, rest = word.partition(":")
        self.note = ""
        if kind == "seat":
            side, _, name = rest.rpartition(":")
            self.players = {**self.players, side: name}
        elif kind == "practice":
            self.practice = not self.practice
        elif kind == "another":
            self.lines["seed"].text = _thrown()
        elif kind == "folder":
            self.going = Open(folders.choosing(typed_path(self.lines["kept"].text).parent, self._into))
        else:
            self._begin(keep=kind == "begin")

    def _into(self, folder: Path) -> None:
        """Move the game's file to another folder; if its name is taken there, add a number."""
        path = folder / (typed_path(self.lines["kept"].text).name or "battle.jsonl")
        text = str(free_path(path.stem, folder) if is_there(path) else path)
        self.lines["kept"] = Line(text, len(text))

    @property
    def seed(self) -> int | None:
        """The seed as typed, None if it is not a number."""
        text = self.lines["seed"].text.strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None

    def _begin(self, keep: bool) -> None:
        seed, kept = self.seed, self.lines["kept"].text.strip()
        if seed is None:
            self.note = "The seed is a whole number, such as 7."
            self.turn_to("seed")
        elif keep and not kept:
            self.note = self.unkept or "Name the file the game is to be kept in."
            self.turn_to("kept")
        else:
            path = typed_path(kept) if keep else None
            self.going = Go(self._begun(seed, path))

    def _begun(self, seed: int, path: Path | None) -> ToBattle:
        to = new_battle(self.field.battle, seed, self.players, path, self.practice)

        def start() -> Session:
            try:
                return to.start()
            except Unsaved as lack:
                self.unkept = str(lack)
                self.anew()
                raise

        return ToBattle(start)


def _thrown() -> str:
    return str(secrets.randbelow(MOST_SEED - 1) + 1)


def setting_up(path: Path) -> Maker:
    """Return the function that opens the setup page of a battle; it raises BadQuestion, with the first fault."""

    def make(look: Look) -> Screen:
        field = library.field(path)
        if isinstance(field, Unfit):
            raise BadQuestion(f"{path.name} cannot be opened: {field.why}")
        return SettingUp(look, field)

    return make
