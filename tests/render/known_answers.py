"""Answers that this process has had from the judge and the computer player, for tests that ask the same again.

Both are pure functions of a battle and a question, so hundreds of tests that begin in the same position need not each
work out the same ground in reach. Refusals and failures are never kept, nor answers of processes of their own.
"""

from __future__ import annotations

import functools
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table
from tabletop.play.workers.judge_worker import Answer, JudgeRequest

#: How many answers are kept, and of how many battles and tables what tells them apart.
MOST, BATTLES = 4_000, 64
#: Questions that take the judge longest. No test puts anything in the place of what answers them.
AREAS = frozenset({"reach", "ground"})

_answers: OrderedDict[Hashable, Any] = OrderedDict()
_keys: OrderedDict[int, tuple[Battle, str]] = OrderedDict()


@functools.lru_cache(BATTLES)
def _ground(table: Table) -> str:
    """Return what tells a table from others, though it was read anew."""
    return _told_apart(table)


def _key(battle: Battle) -> str:
    """Return what tells a battle from others on its table; the battle is kept, so that its id stays its own."""
    if id(battle) not in _keys:
        _keys[id(battle)] = battle, _told_apart([getattr(battle, f.name) for f in fields(battle) if f.name != "table"])
        if len(_keys) > BATTLES:
            _keys.popitem(last=False)
    return _keys[id(battle)][1]


def _told_apart(one: Any) -> str:
    return hashlib.sha256(repr(_bare(one)).encode()).hexdigest()


def _bare(one: Any) -> Any:
    """Return what a value was made of, without what it has kept of its answers since."""
    if isinstance(one, BaseGeometry):
        return one.wkb
    if isinstance(one, np.ndarray):
        return one.dtype.str, one.shape, one.tobytes()
    if is_dataclass(one):
        return type(one).__name__, [_bare(getattr(one, field.name)) for field in fields(one)]
    if isinstance(one, Mapping):
        return [(key, _bare(value)) for key, value in one.items()]
    return [_bare(part) for part in one] if isinstance(one, tuple | list) else one


def _known(battle: Battle, what: Hashable, work: Callable[[], Any]) -> Any:
    key = _ground(battle.table), _key(battle), what
    if key not in _answers:
        answer = work()
        if isinstance(answer, str | BaseException):
            return answer
        _answers[key] = answer
        if len(_answers) > MOST:
            _answers.popitem(last=False)
    return _answers[key]


def judged(work: Callable[..., Answer], areas_alone: bool = False) -> Callable[..., Answer]:
    """Return what answers a request as ``work`` does, from what is known where it can; perhaps of areas alone."""

    def calmly(battle: Battle, request: JudgeRequest, **more: Any) -> Answer:
        if more or (areas_alone and request.question not in AREAS):
            return work(battle, request, **more)
        what = repr(replace(request, key=None, rank=0, finished=False))  # its class too, and all that it asks about
        answer: Answer = _known(battle, what, lambda: work(battle, request))
        return answer

    return calmly


def thought(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return what thinks as ``work`` does, from what is known where it can."""

    def calmly(think: Callable[..., Any], battle: Battle, what: Iterable[Any]) -> Any:
        asked = tuple(what)
        return _known(battle, (think, repr(asked)), lambda: work(think, battle, asked))

    return calmly
