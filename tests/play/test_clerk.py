"""The clerk: answers out of the caller's way, newest errand of a key first and only, survivor of refusals."""

import time
from collections.abc import Hashable, Iterator

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Verdict
from tabletop.play.clerk import Answer, AnyClerk, Clerk, Errand, InlineClerk
from tabletop.rules import rule_set


def unit(name: str, x: float, side: str) -> Unit:
    return Unit(name, side, "infantry", (Base(x, 10.0, 0.0, 1.0, 0.75),), formation="deployed", front_bases=(0,))


def battle() -> Battle:
    units = [unit("a", 10.0, "red"), unit("b", 20.0, "blue"), unit("c", 30.0, "blue")]
    return Battle.of("tse", Table.of("in", 48, 36), units, rule_set.find("tse").ruling_values())


def answers(clerk: AnyClerk, count: int) -> list[tuple[Hashable, Answer]]:
    found: list[tuple[Hashable, Answer]] = []
    until = time.monotonic() + 60
    while len(found) < count and time.monotonic() < until:
        found += clerk.take()
        time.sleep(0.005)
    return found


@pytest.fixture(params=[InlineClerk, Clerk])
def clerk(request: pytest.FixtureRequest) -> Iterator[AnyClerk]:
    made: AnyClerk = request.param(battle())
    yield made
    made.close()


def distance(key: str, a: str = "a", b: str = "b") -> Errand:
    return Errand((key,), "distance", (a, b))


def test_an_errand_is_answered_under_its_key(clerk: AnyClerk) -> None:
    clerk.put(distance("first"))
    [(key, verdict)] = answers(clerk, 1)
    assert key == ("first",)
    assert isinstance(verdict, Verdict)
    assert verdict.measured["distance"] == 9.0
    assert not clerk.busy


def test_a_question_that_cannot_be_put_comes_back_in_words(clerk: AnyClerk) -> None:
    clerk.put(distance("lost", b="nobody"))
    [(_, words)] = answers(clerk, 1)
    assert isinstance(words, str)
    assert "nobody" in words


def test_a_moved_unit_is_measured_where_it_stands_now(clerk: AnyClerk) -> None:
    clerk.moved(unit("b", 24.0, "blue"))
    clerk.put(distance("after"))
    [(_, verdict)] = answers(clerk, 1)
    assert isinstance(verdict, Verdict)
    assert verdict.measured["distance"] == 13.0


def test_a_ghost_counts_for_its_own_errand_only(clerk: AnyClerk) -> None:
    clerk.put(Errand(("ghost",), "distance", ("a", "b"), placed=(unit("b", 15.0, "blue"),)))
    clerk.put(distance("real"))
    found = dict(answers(clerk, 2))
    assert [found[k].measured["distance"] for k in (("ghost",), ("real",))] == [4.0, 9.0]  # type: ignore[union-attr]


def test_a_newer_errand_replaces_one_that_waits() -> None:
    clerk = InlineClerk(battle())
    clerk.put(distance("same", b="b"))
    clerk.put(distance("same", b="c"))
    [(_, verdict)] = clerk.take()
    assert isinstance(verdict, Verdict)
    assert verdict.args == ("a", "c")


def test_the_lowest_rank_goes_first() -> None:
    clerk = InlineClerk(battle())
    for name, rank in (("late", 5), ("soon", 0), ("then", 2)):
        clerk.put(Errand((name,), "distance", ("a", "b"), rank=rank))
    assert [key for key, _ in clerk.take()] == [("soon",), ("then",), ("late",)]


def test_cleared_errands_never_come_back(clerk: AnyClerk) -> None:
    clerk.put(distance("old"))
    clerk.clear()
    clerk.put(distance("new"))
    assert [key for key, _ in answers(clerk, 1)] == [("new",)]
    assert clerk.take() == []
