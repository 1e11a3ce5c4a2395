"""Read a file of cases, reporting every fault of every line at once, each with its line and key."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.battle.progress import Clock, frozen
from tabletop.errors import Fault, TabletopError, Unreadable
from tabletop.play.cases.models import CaseRow
from tabletop.play.files.bundled import named
from tabletop.play.files.faults import checked
from tabletop.play.files.load import load_scene, load_scene_data
from tabletop.play.files.named_files import shown
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.yaml_text import Document, Step, parse
from tabletop.play.requests import with_rulings

#: The longest line and the most lines that are read.
LONGEST_LINE = 200_000
MOST_CASES = 20_000
#: Keys that a scene written out in a line may leave out.
USUAL: Mapping[str, Any] = {"format": "tabletop-scene/1", "title": "A case"}


@dataclass(frozen=True)
class Case:
    """A case as read: its line, its row, and the battle it begins with, or None if its scene was refused as expected.

    ``refusal`` is the message with which the scene was refused.
    """

    line: int
    row: CaseRow
    doc: Document
    battle: Battle | None
    refusal: str = ""


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file; Unreadable, with the faults of every line, if any is faulty."""
    label = shown(path)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        reason = error.strerror or "the name cannot be that of a file"
        raise Unreadable([Fault(label, 1, 1, f"cannot be read: {reason}; check its name")]) from None
    faults: list[Fault] = []
    cases: dict[str, Case] = {}
    written: dict[str, Mapping[str, Any]] = {}
    for number, raw in enumerate(lines, 1):
        if not raw.strip() or raw.lstrip().startswith(b"//"):
            continue
        try:
            case = _case(label, number, raw, path.parent, cases, written)
        except Unreadable as error:
            faults.extend(replace(fault, file=label, line=number) for fault in error.faults)
        else:
            cases[case.row.case] = case
    if not cases and not faults:
        faults.append(Fault(label, 1, 1, "no case in this file; one is a line of JSON with 'case' and 'expect'"))
    if faults:
        raise Unreadable(faults)
    return list(cases.values())


def _case(
    label: str, number: int, raw: bytes, folder: Path, cases: Mapping[str, Case], written: dict[str, Mapping[str, Any]]
) -> Case:
    """Return the case of one line; ``written`` holds the keys of earlier cases, and its own are added."""
    if len(cases) >= MOST_CASES or len(raw) > LONGEST_LINE:
        most = f"{LONGEST_LINE:,} bytes in a line, {MOST_CASES:,} cases in a file"
        raise _refused(label, f"too much to be read ({most}); split it")
    doc = _document(label, raw)
    doc = replace(doc, data=_completed(doc, written))
    faults: list[Fault] = []
    row = checked(doc, CaseRow, doc.data, [], faults)
    if row is None:
        raise Unreadable(faults)
    if row.case in cases:
        raise Unreadable([doc.fault(["case"], f"case: '{row.case}' stands in line {cases[row.case].line} already")])
    written[row.case] = doc.data
    if bool(row.do) == (row.question is not None) and row.expect.refused is None and row.expect.tables is None:
        raise Unreadable([doc.fault(["case"], "a case needs 'do', a list of actions, or 'question', not both")])
    return _opened(Case(number, row, doc, None), folder)


def _refused(label: str, text: str) -> Unreadable:
    return Unreadable([Fault(label, 1, 1, text)])


def _document(label: str, raw: bytes) -> Document:
    try:
        text = raw.decode("utf-8-sig")
        json.loads(text)
    except UnicodeDecodeError:
        raise _refused(label, "this line is not UTF-8 text; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise _refused(label, f"this line is not JSON: {clip(error, 120)}") from None
    doc = parse(label, text)
    if not isinstance(doc.data, Mapping):
        raise _refused(label, 'a case is an object: {"case": ..., "scene": ..., "do": [...], "expect": {...}}')
    return doc


def _completed(doc: Document, written: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the keys of a line, completed from the case it is like and with its changes to units applied."""
    data = dict(doc.data)
    like = data.get("like")
    if like is not None:
        if like not in written:
            raise Unreadable([doc.fault(["like"], f"like: there is no case '{clip(like)}' before this one; "
                                        f"{did_you_mean(str(like), written)}")])  # fmt: skip
        before = {key: value for key, value in written[like].items() if key not in ("rule", "notes", "like")}
        data = {**before, **data}
    changes = data.get("set")
    if isinstance(changes, Mapping) and changes and isinstance(data.get("scene"), Mapping):
        data = {**data, "scene": _changed(doc, data["scene"], changes), "set": {}}
    elif changes:
        raise Unreadable([doc.fault(["set"], "set: only units of a scene written out in the line can be set")])
    return data


def _changed(doc: Document, scene: Mapping[str, Any], changes: Mapping[str, Any]) -> Mapping[str, Any]:
    rows = [row for row in scene.get("units", ()) if isinstance(row, Mapping)]
    by_id = {str(row.get("id")): row for row in rows}
    for name in changes:
        if name not in by_id:
            raise Unreadable([doc.fault(["set", name], f"set: no unit '{clip(name)}'; {did_you_mean(name, by_id)}")])
    pairs = [(row, changes.get(str(row.get("id")), {})) for row in rows]
    units = [_without_nothing({**row, **more}) for row, more in pairs if more is not None]
    return {**scene, "units": units}


def _without_nothing(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _opened(case: Case, folder: Path) -> Case:
    """Return a case with the battle it begins with, or with the message that refuses its scene."""
    row, doc = case.row, case.doc
    if row.scene is None:
        raise Unreadable([doc.fault(["scene"], "'scene' is missing; name a scene's file, or write one out", key=True)])
    try:
        battle = _loaded(row.scene, folder)
        battle = with_rulings(battle, row.rulings)
    except TabletopError as error:
        first = str(error).splitlines()[0]
        if row.expect.refused is not None:
            return replace(case, refusal=str(error))
        raise Unreadable([doc.fault(["scene"], f"scene: {first}")]) from None
    return replace(case, battle=_at_the_moment(doc, row, battle))


def _loaded(scene: str | Mapping[str, Any], folder: Path) -> Battle:
    if isinstance(scene, str):
        beside = folder / scene
        return load_scene(beside if beside.is_file() else named(scene))
    return load_scene_data({**USUAL, **scene}, folder)


def _at_the_moment(doc: Document, row: CaseRow, battle: Battle) -> Battle:
    """Return the battle with the clock, marks and memory that the case begins with."""
    from tabletop.play.engine import opened, play_of

    battle = opened(battle, row.seed)
    play = play_of(battle)
    if row.clock is not None:
        battle = replace(battle, clock=Clock(row.clock.turn, row.clock.phase or "", row.clock.side, row.clock.group))
        _one_of(doc, ["clock", "side"], "side", row.clock.side, battle.setup.sides)
        _one_of(doc, ["clock", "phase"], "phase", row.clock.phase or None, play.phases)
    for name, marks in row.marks.items():
        _one_of(doc, ["marks", name], "unit", name, [unit.id for unit in battle.units])
        unit = battle.unit(name)
        for mark, value in marks.items():
            _one_of(doc, ["marks", name, mark], "mark", mark, play.marks)
            _of_its_kind(doc, ["marks", name, mark], value, unit.marks.get(mark))
        battle = battle.with_unit(replace(unit, marks=frozen(marks)))
    for name in row.memory if play.memory else ():
        if not any(name == known or (known.endswith(":") and name.startswith(known)) for known in play.memory):
            _one_of(doc, ["memory", name], "entry", name, play.memory)
    return replace(battle, memory={**battle.memory, **frozen(row.memory)})


def _one_of(doc: Document, steps: Sequence[Step], noun: str, word: str | None, words: Collection[str]) -> None:
    """Raise Unreadable, at its place, for a word that is none of ``words``."""
    if word is not None and word not in words:
        text = f"{steps[0]}: no {noun} '{clip(word)}'; {did_you_mean(word, words)}"
        raise Unreadable([doc.fault(steps, text)])


def _of_its_kind(doc: Document, steps: Sequence[Step], value: Any, present: Any) -> None:
    """Raise Unreadable if a mark's new value is not of the same kind as the present one, such as text for a number."""
    if present is not None and value is not None and not isinstance(value, _kind(present)):
        wanted = "a list" if isinstance(present, (list, tuple)) else type(present).__name__
        shown = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "text"}.get(
            wanted, wanted
        )
        raise Unreadable([doc.fault(steps, f"{steps[0]}: {steps[-1]} must be {shown}, not '{clip(value)}'")])


def _kind(present: Any) -> tuple[type, ...]:
    """Return the types that a value like the present one may have."""
    if isinstance(present, (list, tuple)):
        return (list, tuple)
    return (int, float) if isinstance(present, float) else (type(present),)
