"""Answers that this process has had from the judge and the computer player, for tests that ask the same again.

Both are pure functions of a battle and a question, so hundreds of tests that begin in the same position need not each
work out the same ground in reach. Refusals and failures are never kept, nor answers of processes of their own.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any

from tabletop.battle.battle import Battle
from tabletop.play.workers import judge_worker, player_worker
from tabletop.play.workers.battle_bundle import packed
from tabletop.play.workers.judge_worker import Answer, Errand

#: How many answers are kept, and of how many battles what tells them apart.
MOST, BATTLES = 4_000, 64

_answers: OrderedDict[Hashable, tuple[object, Any]] = OrderedDict()
_keys: OrderedDict[int, tuple[Battle, bytes]] = OrderedDict()


def _key(battle: Battle) -> bytes:
    """Return what tells a battle from others on its table; the battle is kept, so that its id stays its own."""
    if id(battle) not in _keys:
        _keys[id(battle)] = battle, packed(battle, battle.table)
        if len(_keys) > BATTLES:
            _keys.popitem(last=False)
    return _keys[id(battle)][1]


def _known(battle: Battle, what: Hashable, work: Callable[[], Any]) -> Any:
    key = id(battle.table), _key(battle), what
    if key not in _answers:
        answer = work()
        if isinstance(answer, str | BaseException):
            return answer
        _answers[key] = battle.table, answer
        if len(_answers) > MOST:
            _answers.popitem(last=False)
    return _answers[key][1]


@functools.cache
def judged() -> Callable[..., Answer]:
    """Return what answers an errand in this process, from what is known where it can."""
    work = judge_worker._calmly

    def calmly(battle: Battle, errand: Errand, **more: Any) -> Answer:
        if more:
            return work(battle, errand, **more)
        what = repr(replace(errand, key=None, rank=0, finished=False))  # its class too, and all that it asks about
        answer: Answer = _known(battle, what, lambda: work(battle, errand))
        return answer

    return calmly


@functools.cache
def thought() -> Callable[..., Any]:
    """Return what thinks in this process, from what is known where it can."""
    work = player_worker._calmly

    def calmly(think: Callable[..., Any], battle: Battle, what: Iterable[Any]) -> Any:
        asked = tuple(what)
        return _known(battle, (think, repr(asked)), lambda: work(think, battle, asked))

    return calmly
