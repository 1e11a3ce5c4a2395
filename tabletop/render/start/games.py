"""The saved games, newest first: one page to continue them, one to replay them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import pygame

from tabletop.play.saves import library
from tabletop.play.saves.library import Kept, Unfit
from tabletop.render import descriptions
from tabletop.render.destinations import Destination, ToReplay, saved_game
from tabletop.render.screens import Go, Open
from tabletop.render.start import cards
from tabletop.render.start.file_page import FilePage
from tabletop.render.start.tidy import Deleting, Renaming
from tabletop.render.widgets.pages.brush import Brush, Place
from tabletop.render.widgets.pages.spots import Draw, Spot, State, button, words

#: A row's height, the gap between rows, its picture; the width from which the date has its own column.
ROW, GAP, PICTURE, WIDE = 92.0, 10.0, (116.0, 76.0), 700.0
#: Width and height of the buttons beside a row.
SIDE, KEY = 92.0, 41.0


SHEETS: Mapping[str, type[Renaming] | type[Deleting]] = {"rename": Renaming, "delete": Deleting}


class Loading(FilePage[Kept]):
    """Saved games to continue."""

    title = "Load a game"
    widest = 1060.0
    none = "No game has been kept yet. Every battle you begin is kept as it goes."
    picture = PICTURE

    def look_round(self) -> None:
        """List the saved games; one may have gone on, so pictures are requested again."""
        self.games = library.kept_games()
        self.note = self.games.trouble
        self._asked = set[Path]()
        for path in self.games.paths:
            self.read(path, partial(library.game, path))

    def work(self, seconds: float) -> bool:
        """Take in what was read and painted; request pictures of the visible games."""
        news = super().work(seconds)
        if not self.jobs.busy:
            self._ask_pictures()
        return news

    def _ask_pictures(self) -> None:
        for path in self._in_sight():
            game = self.contents.get(path)
            if isinstance(game, Kept) and path not in self._asked:
                self._asked.add(path)
                self.paint(path, game.battle, [path])

    def _in_sight(self) -> Sequence[Path]:
        first = int(self.scroll // (ROW + GAP))
        return self.games.paths[first : first + int(self.size[1] // (ROW + GAP)) + 2]

    # --- layout ------------------------------------------------------------------------------------------------------

    def head(self) -> Sequence[tuple[str, str, str]]:
        """The button that opens a file from anywhere."""
        return (("file", "Open a file ...", "A saved game from anywhere; or drop it on the window"),)

    def content(self, left: float, top: float, wide: float, high: float) -> Sequence[Spot]:
        """Return a row for every game."""
        if not self.games.paths:
            message = self.games.trouble or self.none
            return [Spot((left, top + 20, wide, 60), lambda b, p, _: b.lines(message, p, 16, "quiet"))]
        folder = descriptions.place(self.games.paths[0].parent)
        spots = list[Spot]()
        for n, path in enumerate(self.games.paths):
            y = top + n * (ROW + GAP)
            spots.append(self._row(path, (left, y, wide - SIDE - GAP, ROW)))
            spots += self._tidied(path, left + wide - SIDE, y)
        below = top + len(self.games.paths) * (ROW + GAP)
        return [*spots, Spot((left, below, wide, 24), words(f"Kept in {folder}", 14, ink="quiet"))]

    def _row(self, path: Path, place: Place) -> Spot:
        entry = self.contents.get(path)
        if isinstance(entry, Kept):
            hint = f"{descriptions.place(path)}: {entry.actions} actions"
            return Spot(place, _game_row(entry, self.pictures.get(path)), f"game:{path}", hint)
        return Spot(place, _broken_row(entry) if isinstance(entry, Unfit) else _waiting_row(path))

    def _tidied(self, path: Path, left: float, top: float) -> list[Spot]:
        """Return the two buttons beside a game."""
        below = top + ROW - KEY
        return [
            Spot((left, top, SIDE, KEY), button("Rename"), f"rename:{path}", f"Give {path.name} another name"),
            Spot((left, below, SIDE, KEY), button("Delete"), f"delete:{path}", f"Delete {path.name}; asks first"),
        ]

    # --- actions -----------------------------------------------------------------------------------------------------

    def chose(self, word: str) -> None:
        """Open a game, rename or delete it."""
        kind, _, name = word.partition(":")
        if kind in SHEETS:
            game, sheet = self.contents.get(Path(name)), SHEETS[kind]
            title = game.battle.title if isinstance(game, Kept) else Path(name).name
            self.going = Open(lambda look: sheet(look, Path(name), title))
        elif kind == "file":
            from tabletop.render.widgets.pages.browse import Browse

            self.going = Open(Browse)
        else:
            self.going = Go(self.opening(Path(name)))

    def opening(self, path: Path) -> Destination:
        """Return the destination of a game on this page."""
        return saved_game(path)


class Replays(Loading):
    """Saved games to replay."""

    title = "Replays"
    none = "No game has been kept yet. Every battle you play can be watched again, even while it goes on."

    def opening(self, path: Path) -> Destination:
        """Return the destination that replays it."""
        return ToReplay(path)


def _paper(brush: Brush, place: Place, state: State) -> None:
    lit = state.hovered or state.focused
    brush.paper(place, "card_lit" if lit else "card", "strong" if lit else "edge", 8, 2 if lit else 1)


def _game_row(game: Kept, picture: pygame.Surface | None) -> Draw:
    def draw(brush: Brush, place: Place, state: State) -> None:
        left, top, wide, high = place
        _paper(brush, place, state)
        cards.field_picture(brush, (left + 8, top + 8, PICTURE[0], high - 16), picture)
        x = left + PICTURE[0] + 24
        column = 210.0 if wide >= WIDE else 0.0
        room, when = wide - PICTURE[0] - 40 - column, descriptions.when(game.when, datetime.now())
        brush.line(game.battle.title, x, top + 22, room, 16, "bold")
        brush.line(descriptions.seats(game), x, top + 46, room, 14)
        turn = descriptions.turn(game.battle, game.mover)
        status = f"{turn}  ·  {game.path.stem}" if column else f"{turn}.  {when}"
        brush.line(status, x, top + 70, room, 14, "bold" if game.over else "plain", "quiet")
        if column:
            right = left + wide - 18
            brush.line(when, right, top + 22, column, 14, "plain", "ink", "right")
            brush.line(descriptions.rules_title(game.battle), right, top + 46, column, 14, "place", "quiet", "right")
            brush.line("over" if game.over else "not over", right, top + 70, column, 14, "bold", "quiet", "right")

    return draw


def _broken_row(game: Unfit) -> Draw:
    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, _high = place
        brush.paper(place, "shut", "shut_edge", 8)
        brush.line(f"{game.path.name} cannot be opened", left + 18, top + 20, wide - 240, 15, "bold", "wrong")
        brush.line(
            descriptions.when(game.when, datetime.now()), left + wide - 18, top + 20, 200, 14, "plain", "ink", "right"
        )
        brush.lines(game.why, (left + 18, top + 36, wide - 36, ROW - 46), 14, most=2)

    return draw


def _waiting_row(path: Path) -> Draw:
    def draw(brush: Brush, place: Place, _: State) -> None:
        left, top, wide, high = place
        brush.paper(place, "card", "edge", 8)
        brush.line(path.stem, left + 18, top + high / 2, wide - 36, 15, "plain", "shut_ink")

    return draw
