"""Reads lessons from files and checks them: all faults at once, each with its line, column, key, value and cure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion, Fault, TabletopError, Unreadable
from tabletop.lessons import acts, conditions, texts
from tabletop.lessons.lesson import Lesson
from tabletop.lessons.mirror import NUMBERED
from tabletop.lessons.models import (
    FORMAT,
    SUBJECTS,
    AskRow,
    ConditionRow,
    LessonFile,
    StartRow,
    StepRow,
    outline_of,
    point_of,
)
from tabletop.play import engine
from tabletop.play.files import named_files
from tabletop.play.files.faults import checked
from tabletop.play.files.load import Reading, read_document, shortened
from tabletop.play.files.models import PlaceRow
from tabletop.play.files.nearest_words import clip, did_you_mean, one_of
from tabletop.play.files.yaml_text import Document, Place, Step
from tabletop.play.players import PLAYERS
from tabletop.play.typed.reading import taken_apart, verbs
from tabletop.rules import rule_set
from tabletop.rules.cards import rule_card

#: An empty scene in place of the lesson's own, which is checked row by row like any other scene.
_SPARE = {"table": {"unit": "in", "width": 1, "height": 1}}
#: The kinds of steps; a step is exactly one of them.
KINDS = ("watch", "until", "predict")

Steps = list[Step]


def name_of(path: Path) -> str:
    """Return the name of a lesson: its file's without number and suffix.

    >>> name_of(Path("lessons/tse/04-the-woods-shadow.yaml"))
    'the-woods-shadow'
    """
    number, _, rest = path.stem.partition("-")
    return rest if number.isdigit() and rest else path.stem


def load_lesson(path: str | Path) -> Lesson:
    """Return the lesson of a file; Unreadable, with every fault."""
    lesson, faults = read_lesson(named_files.read(Path(path)), name_of(Path(path)))
    if lesson is None:
        raise Unreadable(faults)
    return lesson


def check_lesson(path: str | Path) -> list[Fault]:
    """Return every fault of a lesson's file."""
    try:
        return read_lesson(named_files.read(Path(path)), name_of(Path(path)))[1]
    except Unreadable as error:
        return error.faults


def is_lesson(path: str | Path) -> bool:
    """Return whether a file declares itself a lesson."""
    try:
        data = named_files.read(Path(path)).data
    except Unreadable:
        return False
    return isinstance(data, Mapping) and str(data.get("format", "")).startswith("tabletop-lesson")


def read_lesson(doc: Document, name: str) -> tuple[Lesson | None, list[Fault]]:
    """Return the lesson of a document, None if it is faulty, and its faults."""
    faults: list[Fault] = []
    if not isinstance(doc.data, Mapping):
        return None, [doc.fault([], f"the file holds no keys; its first line says what it is: 'format: {FORMAT}'")]
    scene = doc.data.get("scene")
    spared = {**doc.data, "scene": _SPARE} if isinstance(scene, Mapping) else dict(doc.data)
    row = checked(doc, LessonFile, spared, [], faults)
    battle = position(doc, scene, faults) if isinstance(scene, Mapping) else None
    if row is not None and battle is not None:
        _LessonChecker(doc, battle, row.rules, faults).check_lesson(row)
    if faults or row is None or battle is None:
        return None, shortened(faults)
    full = LessonFile.model_validate(doc.data)
    return Lesson(name, doc, full, doc.data), []


def position(doc: Document, scene: Mapping[str, Any], faults: list[Fault]) -> Battle | None:
    """Return the position of a document's scene; None if it is faulty, with the faults added."""
    place = doc.place.parts.get("scene", Place(1, 1))
    place = Place(
        place.line, place.column, {**place.keys}, {**place.parts, "rules": doc.place.parts.get("rules", place)}
    )
    head = {
        "format": "tabletop-scene/1",
        "title": str(doc.data.get("title") or "lesson"),
        "rules": doc.data.get("rules"),
    }
    reading = Reading(Path.cwd())
    read_document(reading, Document(doc.file, {**scene, **head}, place), playable=True)
    faults.extend(fault for fault in reading.wrong if fault not in faults)
    return None if reading.wrong else reading.battle


@dataclass
class Checker:
    """Checks that units, actions, questions and conditions in a document make sense on its table; adds every fault."""

    doc: Document
    battle: Battle
    rules: str
    faults: list[Fault]
    _units: list[str] = field(init=False)
    _sides: list[str] = field(init=False)

    def __post_init__(self) -> None:
        everybody = (*self.battle.units, *self.battle.awaited)
        self._units = [unit.id for unit in everybody]
        self._sides = list(dict.fromkeys(unit.side for unit in everybody))

    def _playable(self, what: str) -> bool:
        """Return whether the rules can be played; if not, the fault says what (a lesson) needs them."""
        if rule_set.find(self.rules).play is None:
            self._fault(["rules"], f"rules: '{self.rules}' cannot be played yet; {what} needs rules that can")
            return False
        return True

    def _text(self, steps: Steps, text: str) -> None:
        for fault in texts.faults(text, self.battle, self.rules):
            self._fault(steps, fault)

    def _fault(self, steps: Steps, text: str, *, key: bool = False) -> None:
        self.faults.append(self.doc.fault(steps, text, key=key))

    def _one_of(self, steps: Steps, what: str, word: str, words: Sequence[str]) -> None:
        if word not in words:
            self._fault(steps, one_of(what, clip(word), list(words)))

    def _unit(self, steps: Steps, name: str) -> None:
        if name not in self._units:
            self._fault(steps, f"there is no unit '{clip(name)}' in the scene; {did_you_mean(name, self._units)}")

    def _rule(self, steps: Steps, rule: str) -> None:
        if rule_card(self.rules, rule) is None:
            self._fault(steps, f"there is no rule '{clip(rule)}' in {self.rules}; name one of its ids: TSE-LOS-06")

    def _start(self, start: StartRow | None) -> None:
        if start is None:
            return
        self._unit(["start", "acting"], start.acting)
        kinds = list(engine.play_of(self.battle).kinds)
        if start.kind is not None:
            self._one_of(["start", "kind"], "kind", start.kind, kinds)

    def _acts(self, steps: Steps, text: str | None) -> None:
        """Check that actions have known verbs and can be mirrored; what they do on the table is proved by playing."""
        for act in acts.split(text or ""):
            word = act.split()[0]
            if word == "answer":
                continue
            try:
                if acts.automatic(act):
                    continue
                known = bool(verbs(self.battle, taken_apart(self.battle, act).verb))
            except BadQuestion as error:
                self._fault(steps, f"'{clip(act)}': {error}")
                continue
            if not known:
                kinds = list(engine.play_of(self.battle).kinds)
                self._fault(steps, f"'{clip(act)}': no action '{clip(word)}'; {did_you_mean(word, kinds)}")
            if numbered := NUMBERED.search(act):
                text_ = (
                    f"'{clip(act)}': '{numbered[1]}' counts bases from the left, which cannot be mirrored; leave it out"
                )
                self._fault(steps, text_)

    def _places(self, steps: Steps, rows: Sequence[PlaceRow]) -> None:
        for k, row in enumerate(rows):
            self._unit([*steps, k, "id"], row.id)

    def _question(self, steps: Steps, row: AskRow | ConditionRow) -> None:
        questions = rule_set.find(self.rules).questions
        if row.ask not in questions:
            self._one_of([*steps, "ask"], "question", str(row.ask), list(questions))
            return
        for k, name in enumerate(row.args or ()):
            self._unit([*steps, "args", k], name)
        if all(name in self._units for name in row.args or ()):
            try:
                conditions.asked(row, self.battle)
            except TabletopError as error:
                self._fault([*steps, "ask"], str(error))

    def _condition(self, at: Steps, c: ConditionRow) -> None:
        named = list(conditions.subjects(c))
        if len(named) != 1:
            subjects = " and ".join(f"'{word}'" for word in named) or "nothing it knows"
            self._fault(at, f"a condition is about one of {', '.join(SUBJECTS)}; this one is about {subjects}")
            return
        about = named[0]
        given = {name for name in ConditionRow.model_fields if getattr(c, name) is not None} - {about}
        own, needed = SUBJECTS[about]
        for key in sorted(given - set(own)):
            self._fault([*at, key], f"'{key}' does not belong to '{about}'; it takes {_listed(own)}", key=True)
        for key in needed:
            if key not in given:
                self._fault(at, f"'{about}' needs '{key}' beside it")
        for word in ("all", "any", "none", "of"):
            for k, part in enumerate(getattr(c, word) or ()):
                self._condition([*at, word, k], part)
        if not given - set(own) and all(key in given for key in needed):
            self._means(at, about, c)

    def _means(self, at: Steps, about: str, c: ConditionRow) -> None:
        """Check the names in a condition."""
        if about == "ask":
            self._question(at, c)
        for key in ("unit", "target"):
            if (name := getattr(c, key)) is not None:
                self._unit([*at, key], name)
        if c.did is not None:
            self._one_of([*at, "did"], "kind", c.did, list(engine.play_of(self.battle).kinds))
        if c.odds is not None:
            self._acts([*at, "odds"], c.odds)
        if c.objective is not None:
            self._one_of([*at, "objective"], "objective", c.objective, [o.id for o in self.battle.setup.objectives])
        for steps, thing in _things(c):
            if not self._is_thing(thing, outline=steps == ["inside"]):
                text = f"'{clip(thing)}' is no unit, piece of terrain{' or outline' if steps == ['inside'] else ''}"
                self._fault([*at, *steps], f"{text} of the scene; name one of its ids, or write [x, y] for a point")

    def _is_thing(self, thing: Any, outline: bool) -> bool:
        if isinstance(thing, str):
            return thing in self._units or any(piece.id == thing for piece in self.battle.table.terrain)
        if outline:
            return outline_of(thing) is not None
        return point_of(thing) is not None or (isinstance(thing, int | float) and not isinstance(thing, bool))


@dataclass
class _LessonChecker(Checker):
    """Checks a lesson and its steps."""

    def check_lesson(self, row: LessonFile) -> None:
        """Add every fault of the lesson."""
        if not self._playable("a lesson"):
            return
        self._one_of(["learner"], "side", row.learner, self._sides)
        for k, rule in enumerate(row.teaches):
            self._rule(["teaches", k], rule)
        self._start(row.start)
        self._acts(["enemy"], row.enemy)
        if row.against is not None:
            players = [kind.name for kind in PLAYERS.values() if kind.make is not None]
            self._one_of(["against"], "computer player", row.against, players)
        for k, step in enumerate(row.steps):
            self._step(["steps", k], step)
            for steps, text in texts.of_step(step):
                self._text(["steps", k, *steps], text)

    def _step(self, at: Steps, step: StepRow) -> None:
        kinds = [kind for kind in KINDS if getattr(step, kind) is not None]
        if len(kinds) != 1:
            kinds_named = " and ".join(f"'{kind}'" for kind in kinds) or "nothing"
            self._fault(at, f"a step is one of 'watch', 'until' and 'predict'; this one has {kinds_named}")
        if step.until is not None and step.solution is None:
            self._fault(at, "'solution' is missing: the actions that reach the goal, as at the prompt")
        self._places([*at, "place"], step.place)
        for key in ("watch", "solution"):
            self._acts([*at, key], getattr(step, key))
        for key in ("until", "fail"):
            if (condition := getattr(step, key)) is not None:
                self._condition([*at, key], condition)
        for key in ("why", "predict"):
            if (question := getattr(step, key)) is not None:
                self._question([*at, key], question)
        if step.predict is not None:
            self._places([*at, "predict", "place"], step.predict.place)
        self._rows(at, step)

    def _rows(self, at: Steps, step: StepRow) -> None:
        """Check the hints and the wrong attempts of a step."""
        for k, hint in enumerate(step.hints):
            if hint.show is not None:
                self._question([*at, "hints", k, "show"], hint.show)
        for k, wrong in enumerate(step.wrong):
            self._acts([*at, "wrong", k, "acts"], wrong.acts)
            self._rule([*at, "wrong", k, "rule"], wrong.rule)


def _things(c: ConditionRow) -> Iterator[tuple[Steps, Any]]:
    if c.within is not None:
        yield ["within", "of"], c.within.of
    if c.inside is not None:
        yield ["inside"], c.inside
    if c.facing is not None:
        yield ["facing", "toward"], c.facing.toward


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words) or "nothing beside it"
