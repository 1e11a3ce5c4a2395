"""The menu of a battle being played: go on, keep it elsewhere, watch it again, take pictures, leave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from tabletop.render.drawing.lettering import wrapped
from tabletop.render.screens import Back, Leave, Look, Maker, Open
from tabletop.render.start import doors, telling
from tabletop.render.widgets.pages.sheet import AIR, HIGH, Over
from tabletop.render.widgets.pages.spots import Spot, button, text, words

if TYPE_CHECKING:
    from tabletop.render.battle.window import GameWindow

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


def game_menu(window: GameWindow) -> Maker:
    """Return what makes the menu of the battle in this window."""
    return lambda look: GameMenu(look, window)


class GameMenu(Over):
    """The sheet with the menu."""

    usual = "resume"

    def __init__(self, look: Look, window: GameWindow) -> None:
        super().__init__(look)
        self.window = window
        self.turn_to("resume")

    def stacked(self, wide: float) -> Sequence[tuple[float, Spot]]:
        """Return title, turn, where it is kept, and the buttons."""
        battle, kept = self.window.desk.battle, self._kept()
        rows = wrapped(kept, 14, wide)[:3]
        titled = wrapped(battle.title, 22, wide, "place")[:2]
        stacked = [
            *((28.0 + 6.0 * (line is titled[-1]), Spot((0, 0, wide, 30), words(line, 22, "place"))) for line in titled),
            (24.0, Spot((0, 0, wide, 20), words(telling.turn(battle, self.window.desk.session.mover), 15, "bold"))),
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
        return f"Kept in {telling.place(path)}" if path is not None else "Not kept in a file yet."

    def did(self, word: str) -> None:
        """Do what a button says."""
        self._leads[word](self)

    def _resume(self) -> None:
        self.going = Back()

    def _save(self) -> None:
        from tabletop.render.start.save_as import SaveAs

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
        "settings": lambda m: setattr(m, "going", Open(doors.room("settings"))),
        "keys": _all_keys,
        "home": _home,
        "quit": _quit,
    }


def replay_of(window: GameWindow) -> Open:
    """Return the way to the replay of a battle so far, kept in a file or not."""
    return Open(doors.room("so far", window.desk.session))


def export_of(window: GameWindow) -> Open:
    """Return the way to the sheet that writes pictures and the report."""
    from tabletop.render.export.screen import exporting
    from tabletop.render.export.windows import of_game

    return Open(exporting(of_game(window)))
