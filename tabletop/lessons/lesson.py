"""A lesson after reading: its file's contents, and the positions its steps begin from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.lessons.chances import SetDice
from tabletop.lessons.mirror import mirrored, mirrored_bearing
from tabletop.lessons.models import LessonFile, StartRow, StepRow
from tabletop.play import engine
from tabletop.play.files.load import load_scene_data
from tabletop.play.files.models import PlaceRow
from tabletop.play.files.yaml_text import Document
from tabletop.rules import rule_set

#: Keys of a placement that replace those of the unit.
_PLACED = ("at", "front_mid", "facing", "formation", "front", "status", "bend", "track", "reference")


@dataclass(frozen=True)
class Lesson:
    """A lesson: its name for lists and commands, the file as read, its contents, and the same as plain data."""

    name: str
    doc: Document
    row: LessonFile
    data: Mapping[str, Any]

    @property
    def title(self) -> str:
        """Its title for learners."""
        return self.row.title

    @property
    def steps(self) -> Sequence[StepRow]:
        """Its steps in order."""
        return self.row.steps

    def mirrored(self) -> Lesson:
        """Return the lesson with everything in it mirrored, east for west."""
        return mirror_of(self)

    def laid_out(self, places: Sequence[PlaceRow] = ()) -> Battle:
        """Return the position before anything has happened, with these units placed elsewhere; Unreadable if faulty."""
        moved = {row.id: row.model_dump(exclude_none=True, include=set(_PLACED)) for row in places}
        units = [_placed(unit, moved.get(unit.get("id"), {})) for unit in self.data["scene"].get("units", ())]
        return laid_out({**self.data["scene"], "units": units}, self.title, self.row.rules, self.doc.file)

    def begun(self, places: Sequence[PlaceRow] = (), seed: int = 0) -> Battle:
        """Return the position in which a step begins: the first turn has begun, and the learner's group acts."""
        return begun(self.laid_out(places), self.row.start, seed, SetDice(self.row.chance, seed))


def laid_out(scene: Mapping[str, Any], title: str, rules: str, label: str) -> Battle:
    """Return the position of a scene block in a file called ``label``; Unreadable if it is faulty."""
    head = {"format": "tabletop-scene/1", "title": title, "rules": rules}
    return load_scene_data({**scene, **head}, label=label)


def begun(battle: Battle, start: StartRow | None, seed: int = 0, chance: Chance | None = None) -> Battle:
    """Return a position with its first turn begun, in which the group of ``start`` acts, if there is one."""
    battle = engine.begin(battle, seed, chance).battle
    return battle if start is None else engine.play_of(battle).in_turn(battle, start.acting, start.kind or "")


def mirror_of(lesson: Lesson) -> Lesson:
    """Return a lesson mirrored, east for west: position, regions, actions.

    >>> from tabletop.lessons.library import find
    >>> find("the-woods-shadow").mirrored().laid_out().unit("column").at
    (9.0, 9.0)
    """
    width = float(lesson.data["scene"]["table"]["width"])
    data = mirrored(lesson.data, width)
    options = (data["scene"].get("game") or {}).get("options") or {}
    for name in _bearings(lesson) & set(options):
        options[name] = mirrored_bearing(options[name])
    return replace(lesson, row=LessonFile.model_validate(data), data=data)


def _bearings(lesson: Lesson) -> frozenset[str]:
    """Return the names of the options of a lesson's rules that are bearings."""
    return frozenset(name for name, option in rule_set.find(lesson.row.rules).options.items() if option.bearing)


def of_step(lesson: Lesson, number: int) -> tuple[Lesson, StepRow]:
    """Return a lesson as one of its steps uses it, mirrored if the step says so, and the step."""
    step = lesson.steps[number]
    if not step.mirrored:
        return lesson, step
    mirror_image = lesson.mirrored()
    return mirror_image, mirror_image.steps[number]


def _placed(unit: Mapping[str, Any], moved: Mapping[str, Any]) -> dict[str, Any]:
    gone = {"at", "front_mid", "track"} if {"at", "front_mid", "track"} & set(moved) else set()
    return {**{key: value for key, value in unit.items() if key not in gone}, **moved}
