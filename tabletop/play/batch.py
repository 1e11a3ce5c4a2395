"""Many questions at once: one request per line in, one verdict per line out, in the same order."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion, TabletopError
from tabletop.judge import judge
from tabletop.play.files.bundled import named
from tabletop.play.files.load import load_scene_data
from tabletop.play.files.nearest_words import clip, did_you_mean
from tabletop.play.files.opened import open_battle
from tabletop.play.requests import check_units, read_options, with_rulings
from tabletop.play.viewing import OF_THE_PEOPLE, View

LONGEST_LINE = 4_000_000
_KEPT = 64
#: Default options of a request; a margin takes many times as long as an answer.
USUAL: Mapping[str, Any] = {"margin": False}
_KEYS = ("scene", "at", "side", "all", "question", "args", "options")


@dataclass
class Scenes:
    """Cache of the scenes read in this run, keyed by path or content and by moment; a faulty one stays faulty.

    ``usual`` are the default options of every request.
    """

    folder: Path
    usual: Mapping[str, Any] = field(default_factory=lambda: USUAL)
    kept: OrderedDict[str, Battle | str] = field(default_factory=OrderedDict)

    def battle(self, scene: Any, at: Any = None, view: View = OF_THE_PEOPLE) -> Battle:
        """Return the battle of a scene given as a path or inline; TabletopError if it cannot be read.

        ``at`` is the moment of a saved game (14, or "turn:3").
        """
        if not isinstance(scene, (str, Mapping)) or not scene:
            raise BadQuestion("'scene' must be the path of a scene, or a scene itself")
        key = json.dumps([scene, at, view.side, view.everything], sort_keys=True)
        if key not in self.kept:
            self.kept[key] = self._read(scene, at, view)
            if len(self.kept) > _KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        battle = self.kept[key]
        if isinstance(battle, str):
            raise TabletopError(battle)
        return battle

    def _read(self, scene: str | Mapping[str, Any], at: Any, view: View) -> Battle | str:
        moment = None if at is None else str(at)
        try:
            if isinstance(scene, str):
                return open_battle(self._path(scene), moment, view)
            if moment is not None:
                raise BadQuestion("only a saved game has moments to look at; leave out 'at'")
            if view != OF_THE_PEOPLE:
                raise BadQuestion("only a saved game hides units; leave out 'side' and 'all'")
            return load_scene_data(scene, self.folder)
        except TabletopError as error:
            return str(error)

    def _path(self, scene: str) -> Path:
        """Return the file of a scene: below the folder, or one that comes with the program."""
        beside, meant = self.folder / scene, named(scene)
        return meant if meant.is_absolute() and not os.path.exists(beside) else beside  # noqa: PTH110


def answers(lines: Iterable[bytes], folder: Path, usual: Mapping[str, Any] = USUAL) -> Iterator[str]:
    """Yield for each line that is not blank its verdict as JSON, or ``{"error": "..."}``."""
    scenes = Scenes(folder, usual)
    for line in lines:
        if line.strip():
            yield answered(line, scenes)


def answered(line: bytes, scenes: Scenes) -> str:
    """Return the answer to one line: its verdict as JSON, or ``{"error": "..."}``."""
    return json.dumps(_answer(line, scenes), default=_plain)


def _answer(line: bytes, scenes: Scenes) -> dict[str, Any]:
    try:
        request = _request(line)
        options = {**scenes.usual, **read_options(request.get("options"))}
        battle = scenes.battle(request["scene"], request.get("at"), _view(request))
        battle = with_rulings(battle, options.pop("rulings", {}))
        check_units(battle, request.get("args", []), options)
        return judge(battle, request["question"], request.get("args", []), options).as_json()
    except TabletopError as error:
        return {"error": str(error)}
    except Exception as error:  # a defect of the program in one line must not stop the others
        return {"error": f"a defect of the program, please report it: {type(error).__name__}: {clip(error, 200)}"}


def _request(line: bytes) -> dict[str, Any]:
    """Return the request on a line; BadQuestion, with the cure, if the line holds none."""
    if len(line) > LONGEST_LINE:
        raise BadQuestion(f"the line has {len(line):,} bytes; the most that is read is {LONGEST_LINE:,}")
    try:
        request = json.loads(line, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BadQuestion(f"this line is not JSON: {clip(error, 120)}") from None
    if not isinstance(request, dict):
        raise BadQuestion('a request is {"scene": ..., "question": "los", "args": ["A", "B"]}')
    for key in request:
        if key not in _KEYS:
            raise BadQuestion(f"no key '{clip(key)}' in a request; {did_you_mean(key, _KEYS)}")
    for key in ("scene", "question"):
        if request.get(key) is None:
            raise BadQuestion(f"'{key}' is missing; a request has scene, question and args")
    args = request.get("args", [])
    if not isinstance(request["question"], str):
        raise BadQuestion("'question' must be a word, such as \"los\"")
    if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args):
        raise BadQuestion('\'args\' must be a list of unit ids, such as ["kempt", "foy"]')
    return request


def _view(request: Mapping[str, Any]) -> View:
    """Return whose knowledge of a saved game a request asks for."""
    side, everything = request.get("side"), request.get("all", False)
    if not (side is None or isinstance(side, str)) or not isinstance(everything, bool):
        raise BadQuestion("'side' is the name of a side, 'all' is true or false")
    return View(side, everything)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    request = dict(pairs)
    if len(request) < len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"key '{clip(again)}' stands twice; remove one of them")
    return request


def _plain(value: Any) -> Any:
    """Return a number of an array library as a plain Python number."""
    return value.item() if hasattr(value, "item") else str(value)
