"""The layout of a replay's screen, and its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from tabletop.render.drawing.lettering import width
from tabletop.render.replay.timeline import HIGH
from tabletop.render.widgets.controls import Widgets
from tabletop.render.widgets.panel_page import Key
from tabletop.render.widgets.styles import SMALL

#: Design pixels: the panel, its share of a small window, the bar, the row of keys, a key's height, gaps.
PANEL, SHARE, BAR, ROW, KEY, GAP = 412, 0.45, 44, 44, 30, 6
#: Share of the panel for what happened.
STORY = 0.46


class Places:
    """The rectangles of a window, in its pixels."""

    def __init__(self, window: tuple[int, int], scale: float, losses: float) -> None:
        self.window, self.scale = window, scale
        wide, high = window
        bar, foot = round(BAR * scale), round((HIGH + ROW) * scale)
        side = min(round(PANEL * scale), round(wide * SHARE))
        self.bar = pygame.Rect(0, 0, wide, bar)
        self.foot = pygame.Rect(0, high - foot, wide, foot)
        self.rail = pygame.Rect(0, self.foot.top, wide, round(HIGH * scale))
        middle = max(1, self.foot.top - bar)
        self.table = pygame.Rect(0, bar, max(1, wide - side), middle)
        self.panel = pygame.Rect(wide - side, bar, side, middle)
        story_height = round(STORY * middle)
        self.story = pygame.Rect(self.panel.left, bar, side, story_height)
        self.losses = pygame.Rect(self.panel.left, self.story.bottom, side, round(losses * scale))
        top = self.losses.bottom
        self.log = pygame.Rect(self.panel.left, top, side, max(1, self.foot.top - top))

    def lay(self, widgets: Widgets, buttons: Mapping[str, Sequence[Key]], speed: str, may_go_on: bool) -> float:
        """Lay out the buttons by group; return the design pixel at which those of the bar begin."""
        self._lay_transport(widgets, buttons["transport"], buttons["pace"], speed)
        return self._lay_bar(widgets, buttons["bar"], may_go_on)

    def _lay_bar(self, widgets: Widgets, keys: Sequence[Key], may_go_on: bool) -> float:
        right, top = self.window[0] / self.scale - GAP, (BAR - KEY) / 2
        for key in reversed(keys):
            wide = width(key.label, SMALL) + 22
            right -= wide
            open_ = may_go_on or key.word != "go-on"
            widgets.button((right, top, wide, KEY), key.word, key.label, key.hint, open_=open_)
            right -= GAP
        return right

    def _lay_transport(self, widgets: Widgets, keys: Sequence[Key], pace: Sequence[Key], speed: str) -> None:
        top = self.foot.top / self.scale + HIGH + (ROW - KEY) / 2 - 4
        room = self.window[0] / self.scale
        each = max(40.0, min(84.0, (room - 250 - GAP * len(keys)) / len(keys)))
        left = max(GAP, (room - (each + GAP) * len(keys) - 210) / 2)
        left = self._row(widgets, keys, left, top, each)
        left += 20
        slower, faster = pace
        widgets.button((left, top, 34, KEY), slower.word, slower.label, slower.hint)
        widgets.label((left + 34 + GAP, top, 84, KEY), f"Speed {speed}")
        widgets.button((left + 34 + 84 + 2 * GAP, top, 34, KEY), faster.word, faster.label, faster.hint)

    def _row(self, widgets: Widgets, keys: Sequence[Key], left: float, top: float, each: float) -> float:
        for key in keys:
            style = "#strong" if key.word == "play" else "#plain"
            widgets.button((left, top, each, KEY), key.word, key.label, key.hint, style=style)
            left += each + GAP
        return left
