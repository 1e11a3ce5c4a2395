"""Drills at the prompt: the position as a picture file and a list; answers are typed, and the verdict is printed."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from tabletop.drills.drilling import Drilling
from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.errors import BadQuestion
from tabletop.judge import ask
from tabletop.play.verdict_words import explained
from tabletop.render.drawing import scene
from tabletop.render.painting.files import write_picture

HELP = """\
  list       where everything stands         picture   where the picture is
  tape A B   measure between two units, or between two points (with --tape)
  next       another one                     quit      leave; how you stand is kept\
"""


class DrillPrompt:
    """One session at the prompt; ``write`` prints."""

    mark = "> "

    def __init__(self, drilling: Drilling, picture: Path, write: Callable[[str], None]) -> None:
        self.drilling, self.picture, self.write = drilling, picture, write

    def open(self) -> None:
        """Print how to get help, and ask the first question."""
        if self.drilling.standings.trouble:
            self.write(self.drilling.standings.trouble)
        self.write("('help' says what can be typed besides an answer)")
        self.show()

    def show(self) -> None:
        """Ask the present question; get one if there is none."""
        position = self.drilling.position or self.drilling.next(wait=True)
        assert position is not None
        write_picture(self.picture, scene.picture(position.battle))
        self.write("")
        self.write(position.question)
        self.write(f"The picture: {self.picture}")
        named = [f"{number} {words}" for number, words in enumerate(position.choices.values(), 1)]
        self.write(f"Answer: {', '.join(named)}")

    def line(self, text: str) -> bool:
        """Do what a line says; False when the session ends."""
        words = text.split()
        word = words[0].lower() if words else "next"
        if word in ("quit", "exit"):
            return False
        try:
            self._do(word, words[1:], text.strip().lower())
        except BadQuestion as error:
            self.write(str(error))
        return True

    def _do(self, word: str, rest: list[str], text: str) -> None:
        if word == "help":
            self.write(HELP)
        elif word == "next":
            self.drilling.position = None
            self.show()
        elif word == "list":
            self._list()
        elif word == "picture":
            self.write(str(self.picture))
        elif word == "tape":
            self._tape(rest)
        else:
            self._answer(text)

    @property
    def _position(self) -> Position:
        assert self.drilling.position is not None
        return self.drilling.position

    def _list(self) -> None:
        battle = self._position.battle
        for unit in battle.units:
            x, y = unit.at
            form = f"{unit.troop.replace('-', ' ')}, {unit.formation.replace('-', ' ')}"
            self.write(f"  {unit.called}: {form}, centre at {x:.2f},{y:.2f}, facing {unit.facing:.0f}")
        for piece in battle.table.terrain:
            west, south, east, north = piece.uncut.bounds
            self.write(f"  {piece.name}: {piece.kind}, from {west:.2f},{south:.2f} to {east:.2f},{north:.2f}")

    def _tape(self, ends: list[str]) -> None:
        if self.drilling.mode != "tape":
            raise BadQuestion("this is by eye; begin with --tape to measure")
        if len(ends) != 2:
            raise BadQuestion("tape measures between two units or two points: tape arnaud auer, tape 3,4 5.5,6")
        points = [_point(end) for end in ends]
        if points[0] is not None and points[1] is not None:
            length = math.dist(points[0], points[1])
        else:
            battle = self._position.battle
            length = float(ask(battle, "distance", [end.lower() for end in ends]).measured["distance"])
        self.write(f"{length:.2f} {self._position.battle.table.unit}")

    def _answer(self, text: str) -> None:
        position = self._position
        if self.drilling.last is not None:
            raise BadQuestion("that is answered; Enter asks the next one")
        choice = _choice(position, text)
        answered = self.drilling.answer(choice)
        self.write("Right." if answered.right else f"Wrong. The answer: {position.choices[position.answer]}.")
        self.write(explained(position.proof, position.battle))
        self._draw(position)
        twin = position.twin
        if not answered.right and twin is not None and twin.moved.shift is not None:
            far = math.hypot(*twin.moved.shift)
            beside = self.picture.with_name(f"{self.picture.stem}-twin{self.picture.suffix}")
            write_picture(beside, scene.picture(twin.battle, twin.proof))
            unit = position.battle.table.unit
            what, answer = _called(position, twin.moved.id), position.choices[twin.answer]
            self.write(f"With {what} {far:.2f} {unit} elsewhere: {answer} ({beside}).")
        self.write(self._standing(position))
        self.write("Enter asks the next one.")

    def _draw(self, position: Position) -> None:
        write_picture(self.picture, scene.picture(position.battle, position.proof))

    def _standing(self, position: Position) -> str:
        if not position.family:
            return "A dispute changes no score."
        stairs = self.drilling.standing(position.family).stairs
        title, by = FAMILIES[position.family].title, self.drilling.mode
        if stairs.score is None:
            return f"{title} By {by}: {stairs.right} of {stairs.answers} right so far; next at {stairs.margin:.2f} in."
        return (
            f"{title} By {by} you judge {stairs.score:.2f} in (right 85 % of the time); next at {stairs.margin:.2f} in."
        )


def _called(position: Position, name: str) -> str:
    """Return the name of a unit or a piece of terrain."""
    units = {unit.id: unit.called for unit in position.battle.units}
    pieces = {piece.id: f"the {(piece.name or piece.id).lower()}" for piece in position.battle.table.terrain}
    return units.get(name) or pieces.get(name) or name


def _point(word: str) -> tuple[float, float] | None:
    try:
        x, y = (float(part) for part in word.split(","))
    except ValueError:
        return None
    return x, y


def _choice(position: Position, text: str) -> str:
    """Return the choice that a line names by its number, its id or its words; BadQuestion if none."""
    known = list(position.choices)
    if text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= len(known):
        return known[int(text) - 1]
    fitting = [
        choice
        for choice, words in position.choices.items()
        if text in (choice, words.lower()) or choice.startswith(text)
    ]
    if len(fitting) != 1:
        from tabletop.play.files.nearest_words import clip

        raise BadQuestion(f"'{clip(text)}' is no answer; type {', '.join(known)}, or help")
    return fitting[0]
