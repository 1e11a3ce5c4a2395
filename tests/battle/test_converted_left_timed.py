"""Units converted, units that leave and may return, and timed marks: applied, encoded, folded again, under any name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.battle.apply import apply, fold
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.codec import event_data, event_of, state, state_hash
from tabletop.battle.event import Changed, Clocked, Converted, Entered, Event, Left, Lost, Placed, Removed
from tabletop.battle.progress import Arrival, Clock
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, pose_of
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base
from tabletop.play.knowledge import without
from tabletop.play.saves.report import counted
from tabletop.rules.common.arrivals import due
from tests.playing import scene, unit
from tests.renaming import renamed

#: Blue's units, and the edge's point at which they come back.
OWN, AT = ("a", "b"), (3.0, 0.0)


def battle() -> Battle:
    """Return two blue columns of four bases and a red one, in turn 1."""
    return scene(unit("a"), unit("b", at=(8.0, 0.0)), unit("c", at=(0.0, 20.0), side="red"))


def pose(of: Unit, count: int, across: float = 1.0) -> dict[str, Any]:
    """Return a pose of a unit in one rank of so many bases."""
    x, y = of.at
    places = tuple((x + across * k, y, of.facing) for k in range(count))
    return {**pose_of(of), "bases": places, "front_bases": tuple(range(count)), "front": count, "reference": 0}


def left(of: Unit, turn: int = 3) -> Left:
    return Left(of.id, pose_of(of.moved(1.0, 0.0)), turn, AT, 90.0, how="rode off")


def again(event: Event) -> Event:
    """Return an event as it comes back from a file."""
    return event_of(json.loads(json.dumps(event_data(event))))


# --- converted -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_a_converted_unit_has_the_bases_of_its_pose(count: int) -> None:
    before = battle()
    event = Converted("a", pose(before.unit("a"), count), "light-cavalry", (2.0, 1.5), how="remounted")
    after = apply(before, event).unit("a")
    assert (after.strength, after.troop, after.bases_added) == (count, "light-cavalry", count - 4)
    assert {(base.frontage, base.depth) for base in after.bases if isinstance(base, Base)} == {(2.0, 1.5)}
    assert pose_of(after) == event.pose
    assert (after.side, after.marks, after.status, after.name) == (
        before.unit("a").side, before.unit("a").marks, before.unit("a").status, before.unit("a").name,
    )  # fmt: skip


def test_without_troops_or_size_both_stay_and_bases_added_are_like_the_others() -> None:
    before = battle().unit("a")
    after = apply(battle(), Converted("a", pose(before, 6))).unit("a")
    assert after.troop == before.troop
    assert {(base.frontage, base.depth) for base in after.bases if isinstance(base, Base)} == {
        (base.frontage, base.depth) for base in before.bases if isinstance(base, Base)
    }


def test_bases_given_and_given_up_are_no_losses_and_lost_ones_are() -> None:
    """From 4 to 6, 1 lost, 2 given up: 1 lost; the rest removed: all 4 it had at the end."""
    opening = battle()
    now = apply(opening, Converted("a", pose(opening.unit("a"), 6)))
    assert counted(opening, now, 1).bases["blue"] == 0
    now = apply(now, Lost("a", 1, pose(now.unit("a"), 5)))
    assert (counted(opening, now, 2).bases["blue"], counted(opening, now, 2).added["blue"]) == (1, 2)
    now = apply(now, Converted("a", pose(now.unit("a"), 3)))
    assert (counted(opening, now, 3).bases["blue"], counted(opening, now, 3).added["blue"]) == (1, 0)
    now = apply(now, Removed("a", "destroyed"))
    assert (counted(opening, now, 4).bases["blue"], counted(opening, now, 4).units["blue"]) == (4, 1)


def test_a_unit_still_to_come_may_be_converted() -> None:
    before = apply(battle(), left(battle().unit("a")))
    after = apply(before, Converted("a", pose(before.anyone("a"), 5)))
    assert after.anyone("a").strength == 5 and not after.has("a") and after.units == before.units


def test_troopers_who_dismounted_in_an_older_program_are_read_as_converted() -> None:
    """They were placed, with their new troops and bases in the pose."""
    older = {
        "event": "placed",
        "unit": "a",
        "pose": {**pose(battle().unit("a"), 4), "troop": "light-cavalry", "base": [2.0, 1.5]},
        "how": "dismounted",
    }
    event = event_of(json.loads(json.dumps(older)))
    assert event == Converted("a", pose(battle().unit("a"), 4), "light-cavalry", (2.0, 1.5), how="dismounted")
    assert isinstance(event_of({**older, "pose": pose(battle().unit("a"), 4)}), Placed)


# --- left ------------------------------------------------------------------------------------------------------------


def test_a_unit_that_left_waits_with_its_marks_and_losses_and_comes_back() -> None:
    before = battle()
    unfolding = Unfolding(before)
    unfolding.happen(Lost("a", 1, pose(before.unit("a"), 3)))
    unfolding.mark("a", tired=True)
    unfolding.happen(left(unfolding.unit("a")))
    off = unfolding.battle
    assert not off.has("a") and [u.id for u in off.awaited] == ["a"] and not off.fallen
    assert (off.anyone("a").strength, off.anyone("a").marks) == (3, {"tired": True})
    assert off.arrivals == (Arrival(("a",), 3, AT, 90.0),)
    assert off.bases("blue") == (7, 3)
    tally = counted(before, off, 1)
    assert (tally.bases["blue"], tally.units["blue"]) == (1, 0), "it has lost a base, and is not lost"
    unfolding.happen(Entered("a", pose(off.anyone("a"), 3)))
    assert (unfolding.unit("a").strength, unfolding.unit("a").marks) == (3, {"tired": True})
    assert not unfolding.battle.awaited


def test_it_is_due_from_its_turn_on_whatever_the_scenario_said_of_it() -> None:
    """A reinforcement that leaves again waits for its return, not for the turn in which it first came."""
    before = battle()
    first = (Arrival(("a", "b"), 1, (0.0, 0.0), 0.0),)
    before = replace(before, setup=replace(before.setup, arrivals=first))
    off = apply(before, left(before.unit("a"), turn=3))
    later = replace(off, clock=replace(off.clock, turn=3))
    assert due(off, "blue") == () and [u.id for u in due(later, "blue")] == ["a"]
    assert [(arrival.units, arrival.turn) for arrival in off.arrivals] == [(("b",), 1), (("a",), 3)]
    back = apply(later, Entered("a", pose_of(later.anyone("a"))))
    again_off = apply(back, left(back.unit("a"), turn=7))
    assert due(replace(again_off, clock=replace(off.clock, turn=6)), "blue") == ()


def test_a_unit_that_does_not_come_back_is_removed_from_where_it_waits() -> None:
    before = battle()
    gone = fold(before, [left(before.unit("a")), Removed("a", "deserted")])
    assert not gone.awaited and [(f.unit.id, f.how) for f in gone.fallen] == [("a", "deserted")]
    assert counted(before, gone, 1).units["blue"] == 1
    with pytest.raises(BadQuestion):
        apply(gone, Removed("a", "deserted"))


def test_who_may_not_know_of_a_unit_does_not_know_of_its_return() -> None:
    off = apply(battle(), left(battle().unit("a")))
    known = without(off, {"a"})
    assert not known.awaited and not known.returning and not known.arrivals


# --- timed marks -----------------------------------------------------------------------------------------------------

TURN_3, PHASE, SIDE = Until(3), Until(2, phase="fire"), Until(2, side="red")
OVER = Until(2, "fire", "blue", over=True)
#: A turn of two sides with two phases each.
CLOCKS = [Clock(t, p, s) for t in (1, 2, 3) for s in ("blue", "red") for p in ("fire", "rally")]


@pytest.mark.parametrize(
    ("until", "ends"),
    [
        (TURN_3, Clock(3, "fire", "blue")),
        (PHASE, Clock(2, "fire", "blue")),
        (SIDE, Clock(2, "fire", "red")),
        (OVER, Clock(2, "rally", "blue")),
        (Until(2, side="blue", over=True), Clock(2, "fire", "red")),
        (Until(2, over=True), Clock(3, "fire", "blue")),
        (Until(1, phase="dawn"), Clock(2, "fire", "blue")),  # a phase that never comes: the next turn ends it
        (Until(1, phase="dawn", over=True), Clock(2, "fire", "blue")),
    ],
)
@pytest.mark.parametrize("away", [False, True])
def test_the_clock_takes_a_mark_away_when_it_reaches_its_end(until: Until, ends: Clock, away: bool) -> None:
    """On the table and off it; other marks, and those of other units, stay."""
    unfolding = Unfolding(replace(battle(), clock=CLOCKS[0]))
    unfolding.mark("a", steady=True)
    unfolding.mark_until("b", Until(9), keen=2)
    unfolding.mark_until("a", until, keen=1)
    if away:
        unfolding.happen(left(unfolding.unit("a")))
    for clock in CLOCKS[1:]:
        held = unfolding.battle.anyone("a")
        assert (held.marks, held.until) == ({"steady": True, "keen": 1}, {"keen": until}), clock
        unfolding.happen(Clocked(clock))
        if clock == ends:
            break
    assert unfolding.battle.clock == ends
    assert (unfolding.battle.anyone("a").marks, unfolding.battle.anyone("a").until) == ({"steady": True}, {})
    assert unfolding.unit("b").marks == {"keen": 2}
    assert fold(replace(battle(), clock=CLOCKS[0]), map(again, unfolding.events)) == unfolding.battle


def test_a_mark_set_again_has_the_end_it_is_set_with() -> None:
    unfolding = Unfolding(battle())
    unfolding.mark_until("a", Until(2), keen=True, warm=True)
    unfolding.mark_until("a", Until(4), keen=True)
    unfolding.mark("a", warm=True)
    assert unfolding.unit("a").until == {"keen": Until(4)}
    unfolding.mark("a", keen=None)
    assert (unfolding.unit("a").until, unfolding.unit("a").marks) == ({}, {"warm": True})
    unfolding.mark_until("a", Until(2), keen=None)
    assert unfolding.unit("a").until == {}, "a mark that is taken away has no end to come"


def test_states_without_any_of_it_have_the_hash_they_had() -> None:
    """What is new in a state is written only where there is something to write."""
    assert not {"returning"} & state(battle()).keys()
    assert not {"until", "bases_added"} & state(battle())["units"][0].keys()
    marked = apply(battle(), Changed("a", marks={"keen": True}))
    timed = apply(battle(), Changed("a", marks={"keen": True}, until={"keen": Until(2)}))
    assert state_hash(marked) != state_hash(timed) != state_hash(battle())
    assert event_data(Changed("a", marks={"keen": True})) == {"event": "changed", "unit": "a", "marks": {"keen": True}}


# --- whatever happens ------------------------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("grow", "convert", "left", "enter", "mark", "clock", "lose", "remove")),
        st.sampled_from(OWN),
        st.integers(1, 6),
    ),
    max_size=14,
)


def happened(steps: Sequence[tuple[str, str, int]]) -> tuple[Battle, Unfolding]:
    """Return a battle and what happens to it: the steps that can be taken there."""
    start = battle()
    unfolding = Unfolding(start)
    for what, name, number in steps:
        now = unfolding.battle
        if what == "clock":
            unfolding.clock(turn=now.clock.turn + number // 4, side="red" if now.clock.side == "blue" else "blue")
        elif any(f.unit.id == name for f in now.fallen):
            continue
        elif what == "mark":
            until = Until(now.clock.turn + number // 3, side=("blue", "red", None)[number % 3], over=number > 3)
            unfolding.mark_until(name, until, **{f"m{number}": number})
        elif what == "remove":
            unfolding.happen(Removed(name, "destroyed"))
        elif what == "convert" or (what == "grow" and now.has(name)):
            became = ("light-cavalry", (1.0, number / 2)) if what == "convert" else (None, None)
            unfolding.happen(Converted(name, pose(now.anyone(name), number), *became))
        elif what == "left" and now.has(name):
            unfolding.happen(left(now.unit(name), now.clock.turn + number))
        elif what == "enter" and not now.has(name):
            unfolding.happen(Entered(name, pose_of(now.anyone(name))))
        elif what == "lose" and now.has(name) and now.unit(name).strength > 1:
            unfolding.happen(Lost(name, 1, pose(now.unit(name), now.unit(name).strength - 1)))
    return start, unfolding


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_what_is_read_back_is_what_happened(steps: list[tuple[str, str, int]]) -> None:
    """Every event comes back the same, and folding them again makes the same battle, by its hash too."""
    start, unfolding = happened(steps)
    read = [again(event) for event in unfolding.events]
    assert read == unfolding.events
    assert fold(start, read) == unfolding.battle
    assert state_hash(fold(start, read)) == state_hash(unfolding.battle)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_bases_lost_are_those_of_the_events_that_lose_some(steps: list[tuple[str, str, int]]) -> None:
    start, unfolding = happened(steps)
    before, lost = start, 0
    for event in unfolding.events:
        lost += event.bases if isinstance(event, Lost) else 0
        lost += before.anyone(event.unit).strength if isinstance(event, Removed) else 0
        before = apply(before, event)
    assert counted(start, unfolding.battle, 0).bases["blue"] == lost
    gone = sum(isinstance(event, Removed) for event in unfolding.events)
    assert counted(start, unfolding.battle, 0).units["blue"] == gone


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_another_name_changes_nothing(steps: list[tuple[str, str, int]]) -> None:
    """The same with every unit renamed, so that they are listed in another order: the same state under those names."""
    names = {"a": "z9", "b": "k5", "c": "a1"}
    start, unfolding = happened(steps)
    own = [replace(u, id=names.get(u.id, u.id), name=names.get(u.name, u.name)) for u in start.units]
    other = replace(start, units=tuple(sorted(own, key=lambda u: u.id)))
    events = [event_of(row) for row in renamed([event_data(event) for event in unfolding.events], names)]
    one, two = renamed(json.loads(json.dumps(state(unfolding.battle))), names), state(fold(other, events))
    two = json.loads(json.dumps(two))
    for found in (one, two):
        found["units"].sort(key=lambda row: row["id"])
    assert one == two
