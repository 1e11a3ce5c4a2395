"""The menu of a battle being played: go on, keep it elsewhere, watch it again, take pictures, leave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from tabletop.render import descriptions
from tabletop.render.battle.desk import GameDesk
from tabletop.render.battle.save_as import SaveAs
from tabletop.render.destinations import Subject, ToExport, ToReplaySoFar, ToSettings
from tabletop.render.drawing.lettering import wrapped
from tabletop.render.screens import Back, Go, Going, Leave, Look, Maker, Open
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words

#: Word, label and hint of everything the menu offers.
OFFERS = (
    ("resume", "Back to the battle", "Go on (Esc)"),
    ("save", "Save as ...", "Keep the game in another file from now on"),
    ("replay", "Replay of this battle so far", "Watch it again from its beginning"),
    ("export", "Pictures, report, film ...", "The table as PNG or SVG, the battle as a page or an animated picture"),
    ("settings", "Settings", "Sizes, colours, symbols, pace, sound, keys"),
    ("keys", "Keys and marks", "What every key does, what the marks mean"),
    ("home", "Start screen", "Leave the table; the battle is kept as it stands"),
    ("quit", "Quit", "End the program; the battle is kept as it stands"),
)


class Played(Protocol):
    """What the ways out see of a battle's window, and may change."""

    desk: GameDesk
    helping: bool
    going: Going | None

    @property
    def unkept(self) -> str: ...
    @property
    def kept_in(self) -> Path | None: ...
    def subject(self) -> Subject: ...


def game_menu(window: Played) -> Maker:
    """Return what makes the menu of the battle in this window."""
    return lambda look: GameMenu(look, window)


class GameMenu(Over):
    """The sheet with the menu."""

    usual = "resume"

    def __init__(self, look: Look, window: Played) -> None:
        super().__init__(look)
        self.window = window
        self.turn_to("resume")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return title, turn, where it is kept, and the buttons."""
        battle, kept = self.window.desk.battle, self._kept()
        rows = wrapped(kept, 14, wide)[:3]
        titled = wrapped(battle.title, 22, wide, "place")[:2]
        turn = descriptions.turn(battle, self.window.desk.session.mover)
        stacked = [
            *((28.0 + 6.0 * (line is titled[-1]), Spot((0, 0, wide, 30), words(line, 22, "place"))) for line in titled),
            (
                24.0,
                Spot((0, 0, wide, 20), words(turn, 15, "bold")),
            ),
            (20.0 * len(rows) + 12, Spot((0, 0, wide, 20.0 * len(rows)), text(kept, 14, "quiet"))),
        ]
        for word, label, hint in OFFERS:
            spot = Spot((0, 0, wide, HIGH), button(label, word == "resume", size=16), word, hint)
            stacked.append((HIGH + AIR, spot))
        return [*stacked, (36.0, Spot((0, 4, wide, 40), self.said()))]

    def _kept(self) -> str:
        if self.window.unkept:
            return self.window.unkept
        path = self.window.kept_in
        return f"Kept in {descriptions.place(path)}" if path is not None else "Not kept in a file yet."

    def did(self, word: str) -> None:
        """Do what a button says."""
        self._leads[word](self)

    def _resume(self) -> None:
        self.going = Back()

    def _save(self) -> None:
        self.going = Open(lambda look: SaveAs(look, self.window.desk))

    def _replay(self) -> None:
        self.going = replay_of(self.window)

    def _export(self) -> None:
        self.going = export_of(self.window)

    def _all_keys(self) -> None:
        self.window.helping = True
        self.going = Back()

    def _home(self) -> None:
        self.going = Back(home=True)

    def _quit(self) -> None:
        self.going = Leave()

    _leads: ClassVar[Mapping[str, Callable[[GameMenu], None]]] = {
        "resume": _resume,
        "save": _save,
        "replay": _replay,
        "export": _export,
        "settings": lambda m: setattr(m, "going", Go(ToSettings())),
        "keys": _all_keys,
        "home": _home,
        "quit": _quit,
    }


def replay_of(window: Played) -> Go:
    """Return the way to the replay of a battle so far, kept in a file or not."""
    return Go(ToReplaySoFar(window.desk.session))


def export_of(window: Played) -> Go:
    """Return the way to the sheet that writes pictures and the report."""
    return Go(ToExport(window.subject()))
