"""Units converted, units that left and may return, and timed marks, as reports, logs, cards and lists tell them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.clock import Until
from tabletop.battle.event import Converted, Entered, Event, Left, Lost, Removed
from tabletop.battle.progress import Clock
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import pose_of
from tabletop.play import engine, narration
from tabletop.play.engine import Step
from tabletop.play.saves import replay, save
from tabletop.play.saves import report as reporting
from tabletop.play.saves.save import Header
from tabletop.play.signs import lasting, signs
from tabletop.play.simulate.game import _losses
from tabletop.render.events import beats, marks, telling
from tabletop.render.events.log_lines import lines, traces
from tabletop.render.events.traces import left_by
from tabletop.terminal import record, views
from tests.gloire import battle as gloire
from tests.gloire import done
from tests.gloire import unit as horsemen
from tests.playing import scene, unit


def battle() -> Battle:
    return scene(unit("a", name="Foy"), unit("b", at=(8.0, 0.0)), unit("c", at=(0.0, 20.0), side="red"))


def ranked(of: Battle, count: int, name: str = "a") -> dict[str, Any]:
    """Return a pose of a unit in one rank of so many bases."""
    before = of.anyone(name)
    x, y = before.at
    places = tuple((x + k, y, before.facing) for k in range(count))
    return {**pose_of(before), "bases": places, "front_bases": tuple(range(count))}


def off(of: Battle, turn: int = 3) -> Left:
    there = of.unit("a").moved(0.0, -4.0)
    return Left("a", pose_of(there), turn, (0.0, 0.0), 0.0, path=(of.unit("a").at, there.at), how="rode-off")


def told(before: Battle, *events: Event) -> list[str]:
    return list(narration.sentences(before, events))


# --- sentences -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("troop", "size", "count", "text"),
    [
        ("light-cavalry", (1.0, 1.0), 4, "Foy changed: now light cavalry (remounted)."),
        (None, None, 6, "Foy changed: 2 bases more, 6 in all (remounted)."),
        ("transport", None, 3, "Foy changed: now transport, 1 base fewer, 3 in all (remounted)."),
        (None, (2.0, 0.5), 4, "Foy changed: its bases now 2 by 0.5 in (remounted)."),
        (None, None, 4, "Foy changed: formed anew (remounted)."),
    ],
)
def test_a_conversion_is_told_by_what_is_different(
    troop: str | None, size: tuple[float, float] | None, count: int, text: str
) -> None:
    assert told(battle(), Converted("a", ranked(battle(), count), troop, size, how="remounted")) == [text]


def test_who_left_may_come_back_and_who_does_not_is_told_so() -> None:
    before = battle()
    deserted = Removed("a", "deserted")
    assert told(before, off(before), deserted) == [
        "Foy left the table (rode off) and may come back from turn 3 on.",
        "Foy left the field (deserted).",
    ], "the last is in the words of these rules"
    assert narration._removed(fold(before, [off(before)]), deserted) == "Foy does not come back: deserted."
    assert narration._removed(before, deserted) == "Foy left the table: deserted."


def test_the_end_of_a_timed_mark_is_told_where_there_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    play = replace(engine.play_of(battle()), ended={"keen": "{} is no longer keen"})
    monkeypatch.setattr(narration, "play_of", lambda battle: play)
    unfolding = Unfolding(battle())
    unfolding.mark_until("a", Until(2), keen=True, warm=True)
    unfolding.mark_until("b", Until(3), keen=True)
    unfolding.clock(phase="fire")
    unfolding.clock(turn=2)
    assert told(battle(), *unfolding.events) == ["Foy is no longer keen."]


def test_dragoons_are_converted_and_told_as_before() -> None:
    """GLO-CAV-03: where they stand; the event says what they have become."""
    horse = horsemen("d", "blue", "dragoon-cavalry", bases=3, formation="column", front_mid=[500, 300])
    before = gloire(horse, horsemen("e", "red", front_mid=[500, 340]), square_when="never")
    step = done(before, "form", "d", formation="dismounted")
    (event,) = (event for event in step.events if isinstance(event, Converted))
    assert (event.troop, event.how, "troop" in event.pose) == ("dragoon-infantry", "dismounted", False)
    assert told(before, event) == ["d dismounted."]
    assert (step.battle.unit("d").troop, step.battle.unit("d").bases_added) == ("dragoon-infantry", 0)


def test_a_game_in_which_dragoons_were_placed_is_verified_and_shown() -> None:
    """It was saved before there was an event for it; every event and every hash is still as it was."""
    saved = save.read(Path("tests/corpus/gloire-causeway-rules-1-dismounted-as-placed.jsonl"))
    assert b'"troop": "dragoon-infantry", "base"' in b"".join(saved.raw)
    events = [event for line in saved.lines for event in line.events]
    assert [event.unit for event in events if isinstance(event, Converted)] == ["ross"]
    assert replay.verify(saved).sound
    assert replay.battle_at(saved).unit("ross").troop == "dragoon-infantry"


# --- reports, lists and cards ----------------------------------------------------------------------------------------


def test_a_report_counts_neither_the_absent_nor_bases_given() -> None:
    before = replace(battle(), clock=Clock())
    events: tuple[Event, ...] = (Converted("a", ranked(before, 6)), Lost("b", 1, ranked(before, 3, "b")))
    middle = fold(before, events)
    steps = [Step(None, None, events, middle), Step(None, None, (off(middle),), fold(middle, [off(middle)]))]
    found = reporting.report(Header(before, 1, {}), steps)
    assert "Blue had lost 1 base." in reporting.text(found)
    assert "Foy left the table (rode off)" in reporting.text(found)
    tally = found.tallies[-1]
    assert telling.lost(tally, "blue", telling.bases(before, "blue")) == "1 of 10 bases"
    loss = _losses(before, steps[-1].battle)["blue"]
    assert (loss.bases, loss.of_bases, loss.units) == (1, 8, 0)


def test_the_prompt_says_who_is_off_the_table() -> None:
    before = battle()
    away = fold(before, [off(before)])
    assert "off the table, may come back (turn 3)" in views.card(away, away.anyone("a"))
    assert record.losses(away) == "  Foy (blue): may come back from turn 3 on"
    assert views._strength(away, "blue").startswith("2 units, 8 bases, 1 off the table")
    assert "still to come" not in views._strength(away, "blue")


@pytest.mark.parametrize(
    ("until", "text"),
    [
        (Until(4), "until turn 4"),
        (Until(4, "close-fire"), "until the close fire phase of turn 4"),
        (Until(4, side="red", over=True), "to the end of Red's turn 4"),
        (Until(4, "fire", "red", over=True), "to the end of the fire phase of Red's turn 4"),
    ],
)
def test_a_card_says_how_long_a_mark_lasts(until: Until, text: str) -> None:
    unfolding = Unfolding(battle())
    unfolding.mark("a", acted=True)
    assert list(signs(unfolding.battle, unfolding.unit("a"))) == ["has acted"]
    assert list(signs(unfolding.battle, unfolding.unit("a"), timed=True)) == []
    unfolding.mark_until("a", until, acted=True)
    assert lasting(until) == text
    assert list(signs(unfolding.battle, unfolding.unit("a"), timed=True)) == [f"has acted ({text})"]
    assert views.card(unfolding.battle, unfolding.unit("a")).endswith(f"; has acted ({text})")


# --- pictures --------------------------------------------------------------------------------------------------------


def test_a_conversion_of_as_many_bases_is_seen_going_on() -> None:
    """From the old bases to the new ones, in the new troops; another number of bases is only said."""
    before = battle()
    event = Converted("a", ranked(before, 4), "light-cavalry", (2.0, 2.0))
    act = beats.act(before, fold(before, [event]), [event])
    seen = act.seen(0.5)
    assert seen.mover is not None and seen.mover.troop == "light-cavalry"
    grown = Converted("a", ranked(before, 6))
    act = beats.act(before, fold(before, [grown]), [grown])
    assert act.beats[0].seconds > 0.0 and act.seen(0.5).mover is None
    texts = [item.text for item in marks.done(act.beats, 10.0).items if hasattr(item, "text")]
    assert texts == ["+2 bases"]
    assert list(left_by(before, [grown])) == [], "nobody fell"


def test_a_unit_is_seen_leaving_and_no_cross_is_left() -> None:
    before = battle()
    event = off(before)
    after = fold(before, [event])
    act = beats.act(before, after, [event])
    mover = act.seen(0.6).mover
    assert mover is not None and before.unit("a").at[1] - 4.0 < mover.at[1] < before.unit("a").at[1]
    assert not act.seen(1.0).battle.has("a")
    step = Step(None, None, (event,), after)
    assert [trace.unit for trace in traces(step)] == ["a"]
    (line,) = lines(1, before, step)
    assert (line.unit, line.at) == ("a", before.unit("a").at)
    assert list(left_by(before, [event])) == []


def test_what_happens_off_the_table_takes_no_time_and_breaks_nothing() -> None:
    before = battle()
    away = fold(before, [off(before)])
    for event in (Converted("a", ranked(away, 6)), Removed("a", "deserted")):
        act = beats.act(away, fold(away, [event]), [event])
        assert act.beats == () and marks.done(act.beats, 10.0).items == ()
    back = Entered("a", pose_of(away.anyone("a").moved(0.0, 4.0)))
    assert beats.act(away, fold(away, [back]), [back]).seen(0.5).mover is not None
