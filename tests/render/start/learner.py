"""Somebody who plays a lesson by mouse and keys: each action of its solution becomes clicks on the window."""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point, turn_between
from tabletop.lessons import acts
from tabletop.lessons.runner import DONE, FINISHED, GOING, HELPER, kind_of
from tabletop.play.players import player_kind
from tabletop.render.battle.lesson_window import LessonWindow
from tabletop.render.table import ways
from tabletop.render.table.controller import TURN
from tests.render.battle.driver import Player
from tests.render.start.visitor import Visitor


class Learner:
    """Plays the lesson that is open, step by step, by its solutions."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    @property
    def window(self) -> LessonWindow:
        window = self.visitor.top
        assert isinstance(window, LessonWindow), window
        return window

    @property
    def player(self) -> Player:
        return Player(self.window)

    def button(self, word: str) -> None:
        """Click a button of the strip under the table."""
        self.visitor.wait(1)
        self.visitor.click(self.window.strip.words[word].center)
        self.visitor.wait(2)

    def plays(self) -> None:
        """Play the lesson to its end."""
        for _ in range(20):
            runner = self.window.runner
            self.does_step()
            self.button("goon:")
            if runner.state == FINISHED:
                return
        raise AssertionError("the lesson never ends")

    def does_step(self) -> None:
        """Do what the step asks, by clicks alone."""
        runner = self.window.runner
        if kind_of(runner.step) == "predict":
            self.button("yes:" if runner.prediction()[0].holds else "no:")
            assert self.window.content().feedback.startswith("Right.")
        elif runner.step.until is not None:
            for act in acts.split(str(runner.step.solution)):
                self.does(act)
            assert runner.state == DONE, (runner.step.goal, self.window.content().feedback, self.player.words)

    def does(self, act: str) -> None:
        """Do an action as written, or let the computer choose as many as it says."""
        runner = self.window.runner
        for _ in range(acts.automatic(act)):
            if runner.state != GOING:
                return
            make = player_kind(HELPER).make
            assert make is not None
            self.clicks(make(runner.battle.seed + runner.battle.throws).choose(runner.battle).action)
        if not acts.automatic(act):
            self.clicks(acts.read(runner.battle, act))

    # --- one action --------------------------------------------------------------------------------------------------

    def clicks(self, action: Action) -> None:
        """Do one action by clicks."""
        if "ready:" in self.player.words:
            self.player.press("ready:")
        player, battle, before = self.player, self.window.runner.battle, len(self.window.runner.session.steps)
        if action.kind == ANSWER:
            player.wait(10)
            player.press(f"answer:{action.options['choice']}")
        elif "group" in action.options:
            player.press(f"group:{action.options['group']}")
        elif action.unit is None:
            player.press("end:0")
        else:
            self._unit_acts(battle, action)
        for _ in range(4):
            if "confirm:" in player.words:
                player.press("confirm:")
            elif "nearest:" in player.words:
                player.press("nearest:")
            player.wait(2)
        done = len(self.window.runner.session.steps)
        assert done > before, (action, player.words, self.window.content().feedback)

    def _unit_acts(self, battle: Battle, action: Action) -> None:
        player, unit = self.player, str(action.unit)
        self._take(unit)
        if f"kind:{action.kind}" in player.words:
            player.press(f"kind:{action.kind}")
        self._set(action)
        self._turned(battle, action)
        if "path" in action.options or isinstance(action.options.get("to", ("",))[0], float):
            self._led(battle, action)
        elif "to" in action.options:  # whom an order is for
            for name in action.options["to"]:
                player.pick(str(name))
            player.key(pygame.K_RETURN)
        elif action.target is not None:
            player.click(player.pixel(battle.unit(action.target).at))
            player.wait(2)
        elif "confirm:" not in player.words and self.window.runner.battle is battle:
            player.key(pygame.K_RETURN)

    def _take(self, unit: str) -> None:
        """Choose a unit in the list, or where it stands."""
        player, controller = self.player, self.window.controller
        if controller.state.chosen.actor == unit and any(word.startswith("kind:") for word in player.words):
            return
        if "back:" in player.words:
            player.press("back:")
        if controller.state.chosen.actor != unit:
            if f"unit:{unit}" in player.words:
                player.press(f"unit:{unit}")
            else:
                player.pick(unit)
        player.wait(2)

    def _set(self, action: Action) -> None:
        """Set what the list shows of the action until it is as wanted."""
        for option, wanted in action.options.items():
            word = f"set:{option}"
            for _ in range(12):
                if word not in self.player.words:
                    break
                shape = self.window.controller.state.chosen.shape
                if shape.get(option) == wanted:
                    break
                self.player.press(word)

    def _turned(self, battle: Battle, action: Action) -> None:
        """Turn the unit where it stands by the wheel, to the facing of an action that goes no way."""
        facing = action.options.get("facing")
        if facing is None or "path" in action.options or "to" in action.options:
            return
        controller = self.window.controller
        for _ in range(60):
            drag = controller.model.drag
            now = battle.unit(str(action.unit)).facing if drag is None else ways.facing(controller.model, drag)
            off = turn_between(now, float(facing))
            if abs(off) < 0.5:
                break
            pygame.key.set_mods(pygame.KMOD_CTRL | (pygame.KMOD_SHIFT if abs(off) < TURN else 0))
            self.player.tell(pygame.MOUSEWHEEL, x=0, y=1 if off > 0 else -1, flipped=False)
        pygame.key.set_mods(0)
        self.player.wait(2)

    def _led(self, battle: Battle, action: Action) -> None:
        """Drag the unit along the way: the right button fixes each point before the last."""
        player, unit = self.player, str(action.unit)
        path = tuple(tuple(p[:2]) for p in action.options.get("path") or (action.options["to"],))
        path = _led_through(battle.unit(unit), path)
        ends = [_hand(battle.unit(unit), path, k) for k in range(len(path))]
        player.move(player.pixel(battle.unit(unit).at))
        player.down(player.pixel(battle.unit(unit).at))
        for point in ends[:-1]:
            player.move(player.pixel(point))
            player.wait(1)
            player.down(player.pixel(point), 3)
            player.up(player.pixel(point), 3)
        player.move(player.pixel(ends[-1]))
        player.wait(2)
        player.up(player.pixel(ends[-1]))
        player.wait(2)


def _led_through(unit: Unit, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return a way without the points so near the next that the hand could not come past them."""
    ahead = 0.0 if unit.is_general else math.dist(unit.at, unit.front_mid)
    kept = [p for p, after in pairwise(path) if math.dist(p, after) > ahead]
    return (*kept, path[-1])


def _hand(unit: Unit, path: tuple[Point, ...], k: int) -> Point:
    """Return where the hand must be for the front's middle to go to a point: half a unit's depth before it."""
    x, y = path[k]
    if unit.is_general:
        return x, y
    sx, sy = path[k - 1] if k else unit.at
    ahead = math.dist(unit.at, unit.front_mid) / math.dist((x, y), (sx, sy))
    return x - ahead * (x - sx), y - ahead * (y - sy)
