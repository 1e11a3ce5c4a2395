"""From a file to a demo: every fault with its line, column, key, value and remedy, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabletop.demos.demo import Demo
from tabletop.demos.models import FORMAT, CueRow, DemoFile, Kind, OnRow
from tabletop.errors import Fault, TabletopError, Unreadable
from tabletop.lessons import texts
from tabletop.lessons.reading import Checker, name_of, position
from tabletop.play.files import named_files
from tabletop.play.files.faults import checked
from tabletop.play.files.load import shortened
from tabletop.play.files.yaml_text import Document, Step
from tabletop.play.saves import replay, save
from tabletop.play.saves.save import Saved

#: An empty scene in place of the demo's own, which is checked row by row like any other scene.
_SPARE = {"table": {"unit": "in", "width": 1, "height": 1}}
#: Maximum words of each text, which must be readable from the back of a hall.
MOST_WORDS = {"say": 30, "ask": 16, "answer": 30, "choices": 8}
#: Words read from the screen in a second, and the minimum seconds of a text.
PACE, LEAST = 2.7, 2.5

Steps = list[Step]


def load_demo(path: str | Path) -> Demo:
    """Return the demo of a file; Unreadable, with every fault."""
    demo, faults = read_demo(named_files.read(Path(path)), Path(path))
    if demo is None:
        raise Unreadable(faults)
    return demo


def check_demo(path: str | Path) -> list[Fault]:
    """Return every fault of a demo's file."""
    try:
        return read_demo(named_files.read(Path(path)), Path(path))[1]
    except Unreadable as error:
        return error.faults


def is_demo(path: str | Path) -> bool:
    """Return whether a file says that it is a demo."""
    try:
        data = named_files.read(Path(path)).data
    except Unreadable:
        return False
    return isinstance(data, Mapping) and str(data.get("format", "")).startswith("tabletop-demo")


def reading_time(text: str) -> float:
    """Return how many seconds it takes to read a text.

    >>> reading_time("Look."), reading_time("one two three four five six seven eight nine")
    (2.5, 3.8)
    """
    return max(LEAST, round(0.5 + texts.words(text) / PACE, 1))


def read_demo(doc: Document, path: Path) -> tuple[Demo | None, list[Fault]]:
    """Return the demo of a document in the file ``path``, None if it is faulty, and its faults."""
    faults: list[Fault] = []
    if not isinstance(doc.data, Mapping):
        return None, [doc.fault([], f"the file holds no keys; its first line says what it is: 'format: {FORMAT}'")]
    scene = doc.data.get("scene")
    spared = {**doc.data, "scene": _SPARE} if isinstance(scene, Mapping) else dict(doc.data)
    row = checked(doc, DemoFile, spared, [], faults)
    saved = _saved(doc, doc.data.get("battle"), path, faults)
    battle = position(doc, scene, faults) if isinstance(scene, Mapping) else None
    if saved is not None:
        battle = next(iter(replay.battles(saved)))
    if row is not None and (row.scene is None) == (row.battle is None):
        faults.append(doc.fault([], "a demo has either a 'scene' or a saved 'battle'; this one has both or neither"))
    elif row is not None and battle is not None:
        _DemoChecker(doc, battle, battle.rules, faults).check_demo(row)
    if faults or row is None or battle is None:
        return None, shortened(faults)
    return Demo(name_of(path), doc, DemoFile.model_validate(doc.data), doc.data, saved), []


def _saved(doc: Document, name: Any, path: Path, faults: list[Fault]) -> Saved | None:
    """Return the saved battle that a demo shows; None, with a fault, if there is none."""
    if not isinstance(name, str):
        return None
    try:
        battle_path = named_files.find(name, path.parent)
    except ValueError as error:
        faults.append(doc.fault(["battle"], f"battle: {error}"))
        return None
    try:
        saved = save.read(battle_path)
        for _ in replay.battles(saved):
            pass
    except TabletopError as error:
        fault = error.faults[0].text if isinstance(error, Unreadable) else str(error)
        faults.append(doc.fault(["battle"], f"battle: '{name}' cannot be shown: {fault}"))
        return None
    return saved


@dataclass
class _DemoChecker(Checker):
    """Checks a demo and the rows of its track."""

    def check_demo(self, row: DemoFile) -> None:
        """Add every fault."""
        if row.scene is not None and row.rules is None:
            self._fault([], "'rules' is missing: a scene names them, 'rules: tse'")
            return
        if not self._playable("a demo"):
            return
        if row.battle is not None:
            for key in ("rules", "start", "chance"):
                if getattr(row, key):
                    self._fault([key], f"'{key}' belongs to a scene; a saved battle has its own", key=True)
        if row.side is not None:
            self._one_of(["side"], "side", row.side, self._sides)
        self._start(row.start)
        for k, cue in enumerate(row.track):
            self._cue(["track", k], cue, row.battle is not None)

    def _cue(self, at: Steps, cue: CueRow, saved: bool) -> None:
        named = [kind for kind in Kind if getattr(cue, kind) is not None]
        doing = [kind for kind in named if kind != "say"]
        if not named or len(doing) > 1 or ("ask" in doing and "say" in named):
            kinds = " and ".join(f"'{kind}'" for kind in named) or "nothing"
            cure = "one of 'move', 'show', 'wait' and 'ask'; 'say' stands alone or beside the first three"
            self._fault(at, f"a row does {cure}; this one has {kinds}")
            return
        self._move(at, cue, saved)
        for k, shown in enumerate(cue.show or ()):
            self._question([*at, "show", k] if len(cue.show or ()) > 1 else [*at, "show"], shown)
        if cue.proof is not None:
            self._question([*at, "proof"], cue.proof)
        self._asking(at, cue)
        self._texts(at, cue)
        if doing == ["wait"] and cue.seconds is not None:
            self._fault([*at, "seconds"], "'wait' says itself how long; leave 'seconds' out", key=True)

    def _move(self, at: Steps, cue: CueRow, saved: bool) -> None:
        if isinstance(cue.move, str):
            if saved:
                self._fault(
                    [*at, Kind.MOVE], "a saved battle goes its own way; write 'move: {actions: 3}' or {until: ...}"
                )
                return
            self._acts([*at, Kind.MOVE], cue.move)
        elif isinstance(cue.move, OnRow):
            if not saved:
                self._fault(
                    [*at, Kind.MOVE], "'actions' and 'until' are for a saved battle; write actions as at the prompt"
                )
            elif (cue.move.actions is None) == (cue.move.until is None):
                self._fault(
                    [*at, Kind.MOVE], "a saved battle goes on for some 'actions' or 'until' something holds, one"
                )
            elif cue.move.until is not None:
                self._condition([*at, Kind.MOVE, "until"], cue.move.until)

    def _asking(self, at: Steps, cue: CueRow) -> None:
        for key in ("choices", "right", "answer", "proof"):
            if cue.ask is None and getattr(cue, key):
                self._fault([*at, key], f"'{key}' belongs to 'ask'", key=True)
        if cue.ask is None:
            return
        if cue.right is not None and cue.right > len(cue.choices):
            self._fault([*at, "right"], f"right: {cue.right} of {len(cue.choices)} choices; count them from 1")
        if cue.choices and cue.right is None:
            self._fault(
                [*at, "choices"], "'right' is missing: the number of the right choice, counted from 1", key=True
            )

    def _texts(self, at: Steps, cue: CueRow) -> None:
        given: list[tuple[Steps, str | None]] = [([key], getattr(cue, key)) for key in ("say", "ask", "answer")]
        given += [(["choices", k], choice) for k, choice in enumerate(cue.choices)]
        for steps, text in given:
            if text is None:
                continue
            self._text([*at, *steps], text)
            count, most = texts.words(texts.filled(text, self.battle)), MOST_WORDS[str(steps[0])]
            if count > most:
                self._fault([*at, *steps], f"{steps[0]}: {count} words; the most is {most}: shorten it, or make it two")
        spoken = cue.say or cue.ask
        if spoken is not None and cue.seconds is not None and cue.seconds < reading_time(spoken):
            need = reading_time(spoken)
            self._fault([*at, "seconds"], f"seconds: {cue.seconds:g} is too short to read it; it needs {need:g}")
