"""The worker: answers out of the caller's way, newest request of a key first and only, survivor of refusals."""

import os
import signal
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.codec import state_hash
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Verdict
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.session import Session
from tabletop.play.workers.battle_bundle import packed, unpacked
from tabletop.play.workers.judge_worker import (
    BEHIND,
    HELD,
    LIVES,
    Answer,
    AnyJudgeWorker,
    InlineJudgeWorker,
    JudgeRequest,
    JudgeWorker,
)
from tabletop.rules import rule_set
from tests import loaded


def unit(name: str, x: float, side: str) -> Unit:
    return Unit(name, side, "infantry", (Base(x, 10.0, 0.0, 1.0, 0.75),), formation="deployed", front_bases=(0,))


def battle() -> Battle:
    units = [unit("a", 10.0, "red"), unit("b", 20.0, "blue"), unit("c", 30.0, "blue")]
    return Battle.of("tse", Table.of("in", 48, 36), units, rule_set.find("tse").ruling_values())


def answers(worker: AnyJudgeWorker, count: int) -> list[tuple[Hashable, Answer]]:
    found: list[tuple[Hashable, Answer]] = []
    until = time.monotonic() + 60
    while len(found) < count and time.monotonic() < until:
        found += worker.take()
        time.sleep(0.005)
    return found


@pytest.fixture(params=[InlineJudgeWorker, JudgeWorker])
def worker(request: pytest.FixtureRequest) -> Iterator[AnyJudgeWorker]:
    made: AnyJudgeWorker = request.param(battle())
    yield made
    made.close()


@dataclass(frozen=True)
class Whole(JudgeRequest):
    """Says whether the battle is the very one that is meant."""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        return "the same" if state_hash(battle) == self.args[0] else "another"


DIED = "the judge's process ended over 'distance'; a new one goes on"


def distance(key: str, a: str = "a", b: str = "b") -> JudgeRequest:
    return JudgeRequest((key,), "distance", (a, b))


def test_a_request_is_answered_under_its_key(worker: AnyJudgeWorker) -> None:
    worker.put(distance("first"))
    [(key, verdict)] = answers(worker, 1)
    assert key == ("first",)
    assert isinstance(verdict, Verdict)
    assert verdict.measured["distance"] == 9.0
    assert not worker.busy


def test_a_request_waits_until_the_last_of_its_key_is_old_enough_and_the_newest_goes_then() -> None:
    worker, rest = JudgeWorker(battle()), 0.4
    try:
        often = [replace(distance("often", b=b), rest=rest) for b in "bbc"]
        worker.put(often[0])
        begun = time.monotonic()
        assert answers(worker, 1)
        worker.put(often[1], distance("other"))
        worker.put(often[2])
        [(key, _)] = answers(worker, 1)
        assert key == ("other",) and worker.busy == {("often",)}
        [(_, verdict)] = answers(worker, 1)
        assert isinstance(verdict, Verdict) and verdict.args == ("a", "c")
        assert time.monotonic() - begun >= rest and not worker.busy
    finally:
        worker.close()


def test_a_question_that_cannot_be_put_comes_back_in_words(worker: AnyJudgeWorker) -> None:
    worker.put(distance("lost", b="nobody"))
    [(_, words)] = answers(worker, 1)
    assert isinstance(words, str)
    assert "nobody" in words


def test_a_moved_unit_is_measured_where_it_stands_now(worker: AnyJudgeWorker) -> None:
    worker.moved(unit("b", 24.0, "blue"))
    worker.put(distance("after"))
    [(_, verdict)] = answers(worker, 1)
    assert isinstance(verdict, Verdict)
    assert verdict.measured["distance"] == 13.0


def test_after_every_action_of_a_battle_the_worker_knows_it_as_it_stands() -> None:
    """Only what has changed is sent; taken back, moved by hand, and in a new process it is still the same battle."""
    begun = Session.start(loaded.scenario("tse/starter"), 5)
    worker, mover, one = JudgeWorker(begun.battle), RandomMover(5), JudgeRequest(("hash",), "distance")
    try:
        for number in range(30):
            if begun.mover is None:
                break
            begun.do(mover.choose(begun.battle).action)
            worker.stands(begun.battle)
            if number % 7 == 3 and begun.why_not_undo() is None:
                begun.undo()
                worker.stands(begun.battle)
            if number % 11 == 5:
                worker.moved(begun.battle.units[0].moved(0.5, 0.0))
            if number == 20:
                os.kill(worker.pid or 0, signal.SIGKILL)
            known = Whole(one.key, one.question, (state_hash(worker._battle),))
            worker.put(known)
            assert answers(worker, 1)[0][1] in ("the same", DIED)
    finally:
        worker.close()


def test_what_stays_is_not_sent_again() -> None:
    begun = Session.start(loaded.scenario("tse/quatre-bras"), 5)
    before = begun.battle
    after = before.with_unit(before.units[0].moved(0.5, 0.0)).without(before.units[1].id)
    parcel = packed(after, before.table, before)
    assert len(parcel) < len(packed(after, before.table)) / 5
    assert unpacked(parcel, before.table, before) == after
    assert packed(after, before.table) != parcel == packed(after, before.table, before)


def test_a_ghost_counts_for_its_own_request_only(worker: AnyJudgeWorker) -> None:
    worker.put(JudgeRequest(("ghost",), "distance", ("a", "b"), placed=(unit("b", 15.0, "blue"),)))
    worker.put(distance("real"))
    found = dict(answers(worker, 2))
    assert [found[k].measured["distance"] for k in (("ghost",), ("real",))] == [4.0, 9.0]  # type: ignore[union-attr]


def test_a_newer_request_replaces_one_that_waits() -> None:
    worker = InlineJudgeWorker(battle())
    worker.put(distance("same", b="b"))
    worker.put(distance("same", b="c"))
    [(_, verdict)] = worker.take()
    assert isinstance(verdict, Verdict)
    assert verdict.args == ("a", "c")


def test_the_lowest_rank_goes_first() -> None:
    worker = InlineJudgeWorker(battle())
    for name, rank in (("late", 5), ("soon", 0), ("then", 2)):
        worker.put(JudgeRequest((name,), "distance", ("a", "b"), rank=rank))
    assert [key for key, _ in worker.take()] == [("soon",), ("then",), ("late",)]


def test_cleared_requests_never_come_back(worker: AnyJudgeWorker) -> None:
    worker.put(distance("old"))
    worker.clear()
    worker.put(distance("new"))
    assert [key for key, _ in answers(worker, 1)] == [("new",)]
    assert worker.take() == []


@dataclass(frozen=True)
class Failing(JudgeRequest):
    """A request whose answering fails as nothing foresaw."""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        raise ZeroDivisionError("of all things")


@dataclass(frozen=True)
class Deadly(JudgeRequest):
    """A request that takes the process with it."""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        os._exit(3)


@dataclass(frozen=True)
class Lasting(JudgeRequest):
    """A request that goes on until it is told to stop; it notes that it began and that it stopped."""

    notes: str = ""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        Path(self.notes).write_text("began")
        while not more["should_stop"]():
            time.sleep(0.002)
        Path(self.notes).write_text("stopped")
        return "stopped"


@pytest.fixture
def away() -> Iterator[JudgeWorker]:
    made = JudgeWorker(battle())
    yield made
    made.close()


def until(path: Path, words: str) -> None:
    end = time.monotonic() + 60
    while not (path.exists() and path.read_text() == words):
        assert time.monotonic() < end, f"never {words}"
        time.sleep(0.005)


def test_any_failure_comes_back_in_words_and_the_next_request_is_answered(worker: AnyJudgeWorker) -> None:
    worker.put(Failing(("bad",), "distance", ("a", "b")))
    worker.put(distance("good"))
    found = dict(answers(worker, 2))
    assert found[("bad",)] == "the judge failed on 'distance': ZeroDivisionError: of all things"
    assert isinstance(found[("good",)], Verdict)


def test_a_killed_process_is_replaced_and_knows_the_battle_as_it_stands(away: JudgeWorker, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    away.moved(unit("b", 24.0, "blue"))
    away.put(Lasting(("under way",), "sleep", notes=str(notes)))
    away.put(distance("next"))
    until(notes, "began")
    first = away.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    found = dict(answers(away, 2))
    assert found[("under way",)] == "the judge's process ended over 'sleep'; a new one goes on"
    after = found[("next",)]
    assert isinstance(after, Verdict)
    assert after.measured["distance"] == 13.0
    assert away.pid != first
    assert not away.busy


def test_a_process_killed_while_idle_loses_no_request(away: JudgeWorker) -> None:
    away.put(distance("before"))
    answers(away, 1)
    away._process.kill()
    away._process.join()
    away.put(distance("after"))
    [(key, verdict)] = answers(away, 1)
    assert (key, type(verdict)) == (("after",), Verdict)


def test_a_worker_that_never_lives_gives_up_in_words(away: JudgeWorker) -> None:
    for k in range(LIVES + 2):
        away.put(Deadly(("deadly", k), "distance"))
    found = answers(away, LIVES + 2)
    assert {key for key, _ in found} == {("deadly", k) for k in range(LIVES + 2)}
    assert sum("goes on" in str(words) for _, words in found) == LIVES
    assert sum(f"ended {LIVES} times in a row" in str(words) for _, words in found) == 2
    away.put(distance("still"))
    [(_, words)] = answers(away, 1)
    assert "no judge" in str(words)


def test_an_answer_gives_the_process_all_its_lives_back(away: JudgeWorker) -> None:
    for k in range(LIVES + 1):
        away.put(Deadly(("deadly", k), "distance"))
        answers(away, 1)
        away.put(distance("alive"))
        [(_, verdict)] = answers(away, 1)
        assert isinstance(verdict, Verdict)


def test_a_request_replaced_under_way_stops_and_only_the_new_one_comes_back(away: JudgeWorker, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    away.put(Lasting(("same",), "sleep", notes=str(notes)))
    until(notes, "began")
    away.put(JudgeRequest(("same",), "distance", ("a", "c")))
    [(_, verdict)] = answers(away, 1)
    assert isinstance(verdict, Verdict)
    assert verdict.args == ("a", "c")
    assert notes.read_text() == "stopped"
    assert away.take() == []


def test_several_are_held_and_a_more_pressing_one_still_goes_before_them(away: JudgeWorker, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    away.put(Lasting(("long",), "sleep", notes=str(notes), rank=1))
    until(notes, "began")
    for k in range(HELD):
        away.put(JudgeRequest(("late", k), "distance", ("a", "b"), rank=2))
    away.put(JudgeRequest(("soon",), "distance", ("a", "b"), rank=0))
    assert away.busy == {("long",), ("soon",), *(("late", k) for k in range(HELD))}
    away.put(JudgeRequest(("long",), "distance", ("a", "b"), rank=1))
    assert [key for key, _ in answers(away, HELD + 2)] == [("soon",), ("long",), *(("late", k) for k in range(HELD))]


@dataclass(frozen=True)
class Opened(JudgeRequest):
    """A request that notes that it began, and goes on until somebody opens a door."""

    notes: str = ""
    door: str = ""

    def answered(self, battle: Battle, **more: Any) -> Answer:
        Path(self.notes).write_text("began")
        while not Path(self.door).exists():
            assert not more["should_stop"]()
            time.sleep(0.002)
        return "through"


def test_what_is_to_be_finished_is_answered_though_a_newer_one_waits(away: JudgeWorker, tmp_path: Path) -> None:
    """A question that takes longer than the hand rests would never be answered else."""
    notes, door = tmp_path / "notes", tmp_path / "door"
    away.put(Opened(("same",), "wait", notes=str(notes), door=str(door), finished=True))
    away.put(JudgeRequest(("next",), "distance", ("a", "b"), rank=2, finished=True))
    until(notes, "began")
    newer = JudgeRequest(("same",), "distance", ("a", "c"), finished=True)
    away.put(newer, JudgeRequest(("next",), "distance", ("a", "c"), rank=2, finished=True))
    door.touch()
    found = answers(away, 4)
    assert [key for key, _ in found] == [("same",), ("next",), ("same",), ("next",)]
    assert [answer if isinstance(answer, str) else answer.args for _, answer in found] == [
        "through", ("a", "b"), ("a", "c"), ("a", "c"),
    ]  # fmt: skip
    assert not away.busy


def test_several_handed_over_at_once_are_answered_by_rank(worker: AnyJudgeWorker) -> None:
    worker.put()
    assert worker.take() == [] and not worker.busy
    worker.put(*(JudgeRequest((name,), "distance", ("a", "b"), rank=rank) for name, rank in (("late", 5), ("soon", 0))))
    assert [key for key, _ in answers(worker, 2)] == [("soon",), ("late",)]


def test_who_is_asked_again_and_again_answers_everything_in_turn() -> None:
    """A request put anew waits on in its place: else the last ones would never have their turn."""
    worker = InlineJudgeWorker(battle(), batch=1)
    found = set[Hashable]()
    for _ in range(3):
        worker.put(distance("a"), distance("b"), distance("c"))
        found |= {key for key, _ in worker.take()}
    assert found == {("a",), ("b",), ("c",)}


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system knows no such thing")
def test_a_worker_stands_back_behind_the_window(away: JudgeWorker) -> None:
    away.put(distance("any"))
    answers(away, 1)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, away.pid or 0) == min(19, own + BEHIND)
