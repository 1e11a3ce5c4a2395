"""Coming on: units that route march on to the table, turn by turn (TSE-ACT-80..83)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.codec import event_data, event_of, state_hash
from tabletop.battle.progress import Arrival
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import play_of
from tabletop.rules.tse.turn import sequence
from tests.playing import FIELD, RECEIVED, do, general, marks, refused, scene, unit, verdict

#: Where they come on: the middle of the southern edge, facing north.
EDGE = (0.0, -40.0)


def coming(*things: Unit | Terrain, due: int = 1, along: tuple[tuple[float, float], ...] = (), **keys: Any) -> Battle:
    """Return a battle in which unit "a" of blue's division waits at the southern edge, due in a turn."""
    waiting = unit("a", **{"formation": "march-column", **keys})
    second = unit("a2", formation="march-column")
    way = tuple((float(x), float(y)) for x, y in map(FIELD.put, along))
    x, y = FIELD.put(EDGE)
    arrival = Arrival(("a", "a2"), due, (x, y), 0.0, way)
    battle = scene(*things, unit("b", at=(20.0, 0.0)), setup={"arrivals": (arrival,)})
    return replace(battle, awaited=(waiting, second))


def head(battle: Battle, id: str = "a") -> tuple[float, float]:  # noqa: A002
    return FIELD.back(battle.unit(id).front_mid)


def test_it_comes_on_as_far_as_its_route_march() -> None:
    """TSE-ACT-80, TSE-ACT-80a, TSE-ACT-83: 12 in from the edge to the head's front; no die; in march column."""
    step = do(coming(), "route-march")
    assert head(step.battle) == pytest.approx((0.0, -28.0))
    there = step.battle.unit("a")
    assert (there.formation, there.facing) == ("march-column", 0.0)
    assert not step.thrown
    assert {"acted", "route_march"} <= set(marks(step))
    assert "coming_on" not in marks(step)
    assert [u.id for u in step.battle.awaited] == ["a2"]


def test_it_waits_until_it_is_due() -> None:
    """TSE-ACT-80: before its turn it does nothing; others of its division act without it."""
    battle = coming(due=2)
    assert "TSE-ACT-80" in refused(battle, "route-march")
    assert [u.id for u in sequence.idle(battle, "blue", "div")] == ["b"]
    assert [u.id for u in sequence.idle(coming(), "blue", "div")] == ["b", "a", "a2"]


def test_an_awaited_unit_does_nothing_else() -> None:
    """TSE-ACT-80: it comes on or waits."""
    battle = coming()
    for kind in ("maneuver", "march", "deploy"):
        assert "TSE-ACT-80" in refused(battle, kind, facing=0.0)
    assert {c.kind for c in play_of(battle).menu(battle, "a") if c.open} == {"hold", "route-march"}
    held = do(battle, "hold").battle
    assert [u.id for u in held.awaited] == ["a", "a2"]
    assert held.awaited[0].marks.get("acted")


def test_the_tail_follows_from_off_the_table() -> None:
    """TSE-ACT-83: a column longer than its way is partly on; next turn it goes on along its own track."""
    step = do(coming(bases=10), "route-march", "a", length=4.0)
    there = step.battle.unit("a")
    assert head(step.battle) == pytest.approx((0.0, -36.0))
    assert min(b.y for b in there.bases) < 0.0
    assert "coming_on" in marks(step)
    assert play_of(step.battle).faults(step.battle) == []
    battle = replace(step.battle, units=tuple(replace(u, marks={**u.marks, "acted": None}) for u in step.battle.units))
    second = do(battle, "route-march", "a", path=[(0.0, -34.0), (6.0, -34.0)])
    assert head(second.battle) == pytest.approx((6.0, -34.0))
    assert "coming_on" not in marks(second)
    assert all(b.y >= 0.0 for b in second.battle.unit("a").bases)


def test_a_column_half_on_may_march_on_but_not_deploy_over_the_edge() -> None:
    """TSE-ACT-83, TSE-MOV-21: the waiver is for the column on its track."""
    step = do(coming(bases=10), "route-march", "a", length=4.0)
    battle = replace(step.battle, units=tuple(replace(u, marks={**u.marks, "acted": None}) for u in step.battle.units))
    assert "TSE-MOV-21" in refused(battle, "deploy", facing=90.0, ref=9)
    marched = do(battle, "march", "a", RECEIVED, path=[(0.0, -32.0)])
    assert head(marched.battle) == pytest.approx((0.0, -32.0))
    assert "route_march" not in marks(marched), "another action ends the route march"


def test_the_next_one_waits_behind_it() -> None:
    """TSE-ACT-83, TSE-MOV-16: it may not end in the tail of the first, and comes on as far as there is room."""
    first = do(coming(bases=8), "route-march")
    assert head(first.battle) == pytest.approx((0.0, -28.0))
    second = do(first.battle, "route-march", "a2")
    assert head(second.battle, "a2")[1] == pytest.approx(-34.0, abs=0.01)
    assert play_of(second.battle).faults(second.battle) == []


def test_a_blocked_entry_waits() -> None:
    """TSE-ACT-83, TSE-MOV-17: an enemy in front of it keeps it off the table; it holds and comes another turn."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, -38.8), facing=180)
    battle = coming(enemy)
    assert refused(battle, "route-march") & {"TSE-MOV-17", "TSE-FRM-24", "TSE-ACT-83"}
    assert "acted" in do(battle, "hold").battle.awaited[0].marks
    near = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, -36.0), facing=180)
    assert head(do(coming(near), "route-march").battle)[1] == pytest.approx(-36.0 - 0.375 - 1.0, abs=0.01)


def test_along_the_way_the_scenario_prescribes() -> None:
    """TSE-ACT-82: the bend costs; no other way is taken; what is left of it is gone in the next turn."""
    battle = coming(along=((0.0, -35.0), (30.0, -35.0)))
    assert refused(battle, "route-march", path=[(5.0, -30.0)]) == {"TSE-ACT-82"}
    step = do(battle, "route-march")
    x, y = head(step.battle)
    assert (x, y) == pytest.approx((7.0 - math.pi / 4, -35.0))
    battle = replace(step.battle, units=tuple(replace(u, marks={**u.marks, "acted": None}) for u in step.battle.units))
    assert head(do(battle, "route-march").battle) == pytest.approx((x + 12.0, -35.0))


@pytest.mark.parametrize("facing", [15.0, 345.0])
def test_it_may_come_on_aslant(facing: float) -> None:
    """TSE-ACT-83: one corner of its head begins off the table; it may not lead farther off."""
    battle = coming()
    arrival = replace(battle.setup.arrivals[0], facing=facing)
    battle = replace(battle, setup=replace(battle.setup, arrivals=(arrival,)))
    x = 12.0 * math.sin(math.radians(facing))
    assert head(do(battle, "route-march").battle) == pytest.approx((x, -40.0 + 12.0 * math.cos(math.radians(facing))))
    assert refused(battle, "route-march", path=[(math.copysign(5.0, x), -39.6)]) >= {"TSE-MOV-21"}


def test_on_a_road_half_as_far_again() -> None:
    """TSE-ACT-83, TSE-MOV-11: 18 in of road."""
    road = FIELD.path("road", "road", (0.0, -40.0), (0.0, 0.0))
    assert head(do(coming(road), "route-march").battle) == pytest.approx((0.0, -22.0))


def test_any_other_action_ends_it_for_good() -> None:
    """TSE-ACT-81: to hold too; and a unit that began on the table never route marches."""
    step = do(coming(), "route-march")
    battle = replace(step.battle, units=tuple(replace(u, marks={**u.marks, "acted": None}) for u in step.battle.units))
    assert verdict(battle, "route-march", path=[(0.0, -20.0)]).holds
    held = do(battle, "hold").battle
    assert "route_march" not in held.unit("a").marks
    free = replace(held, units=tuple(replace(u, marks={}) for u in held.units))
    assert refused(free, "route-march") == {"TSE-ACT-81"}
    assert refused(battle, "route-march", "b") == {"TSE-ACT-81"}


def test_further_than_its_route_march_it_does_not_go() -> None:
    """TSE-ACT-80a, TSE-MOV-01."""
    assert refused(coming(), "route-march", path=[(0.0, -27.9)]) == {"TSE-MOV-01"}


def waiting_general(*things: Unit) -> Battle:
    battle = coming(*things)
    arrival = replace(battle.setup.arrivals[0], units=("div",))
    return replace(battle, setup=replace(battle.setup, arrivals=(arrival,)), awaited=(general(at=(0.0, 0.0)),))


def test_a_general_comes_on_with_his_own_move() -> None:
    """TSE-ACT-80, TSE-ACT-82, TSE-LDR-04: from the edge, 28 in; he route marches no more than he does else."""
    step = do(waiting_general(), "general", "div", path=[(0.0, -39.5 + 28.0)])
    assert FIELD.back(step.battle.unit("div").at) == pytest.approx((0.0, -11.5))
    assert step.battle.awaited == ()
    assert refused(waiting_general(), "general", "div", path=[(0.0, -11.4)]) == {"TSE-MOV-01"}
    assert "TSE-LDR-01" in refused(waiting_general(), "route-march", "div")


def test_a_general_does_not_come_on_into_an_enemys_zone() -> None:
    """TSE-LDR-05, TSE-MOV-17: he waits too."""
    enemy = unit("enemy", side="red", parent=None, formation="deployed", at=(0.0, -37.8), facing=180)
    assert refused(waiting_general(enemy), "general", "div", path=[(-20.0, -39.5)]) == {"TSE-MOV-17"}


def test_an_entry_survives_being_written() -> None:
    """TSE-ACT-80: the events of an entry, written and read, lead to the same battle."""
    step = do(coming(), "route-march")
    from tabletop.battle.apply import fold

    read = [event_of(event_data(event)) for event in step.events]
    assert state_hash(fold(coming(), read)) == state_hash(step.battle)


def test_he_rides_over_a_general_at_the_edge() -> None:
    """TSE-LDR-07: a route march is a voluntary move."""
    step = do(coming(general("r", (0.0, -35.0), side="red")), "route-march", "a", 0.01)
    assert not step.battle.has("r")
