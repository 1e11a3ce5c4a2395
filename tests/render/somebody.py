"""Somebody who clicks with sense, in a program that begins at its start screen."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from tabletop.play.session import Session
from tabletop.render.battle.window import GameWindow
from tabletop.render.screens import Screen
from tabletop.render.widgets.pages.page import Page
from tests.render.battle.driver import wanted
from tests.render.clicking import SIZE, Clicker
from tests.render.start.visitor import rest
from tools.places import sent


class Somebody(Clicker):
    """Presses what is named, and goes on with a battle as somebody would."""

    @property
    def top(self) -> Screen:
        return self.app.top

    @property
    def game(self) -> GameWindow:
        assert isinstance(self.app.top, GameWindow), (self.app.top, self.app.notice)
        return self.app.top

    @property
    def session(self) -> Session:
        return self.game.controller.game.session

    def rest(self, frames: int = 30) -> None:
        """Let time pass until the page has read and painted all, or so many frames."""
        rest(self.app, frames)

    def at(self, pixel: tuple[int, int]) -> None:
        """Click a pixel."""
        self._move(pixel)
        self._press()
        self.rest(1)

    def _press(self, button: int = 1) -> None:
        """Press and let go between two frames."""
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=self._at, button=button))
        self._button(pygame.MOUSEBUTTONUP, button)

    def does(self, word: str) -> None:
        """Press what sends a word."""
        found = self._in_sight(word)
        assert word in found, (word, sorted(found))
        self.at(found[word].center)

    def _in_sight(self, word: str) -> dict[str, pygame.Rect]:
        """Return where everything is, with what sends a word brought into sight by the wheel."""
        found, high = dict(sent(self.top)), SIZE[1] - 60
        while isinstance(self.top, Page) and word in found and found[word].bottom > high and self.top.most_scroll:
            before = found[word]
            self.tell(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False)
            found = dict(sent(self.top))
            if found[word] == before:
                break
        return found

    def strikes(self, key: int, mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)
        self.rest(1)

    def goes_on(self) -> None:
        """Go on with the last game, and wait until it is told what there is to do."""
        self.rest()
        self.does("continue")
        self.game.pace("at once")
        self.rest(5)

    def plays(self, done: Callable[[], bool], most: int = 200) -> None:
        """Do the first thing offered until something is so."""
        for number in range(most):
            if not isinstance(self.top, GameWindow):
                self.strikes(pygame.K_ESCAPE)
            if done():
                return
            words = [word for word, rect in sorted(sent(self.top), key=lambda row: (row[1].top, row[1].left))]
            word = wanted(words, number)
            if word is None:
                self.strikes(pygame.K_ESCAPE)
            elif word == "confirm:":
                self.strikes(pygame.K_RETURN)
            else:
                self.does(word)
        raise AssertionError("it never came to that")
