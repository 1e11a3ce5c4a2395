"""Sauve qui peut: the crisis of morale as a module of the Ages and of Realm of Chance. Worked cases: tests/cases."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.unfolding import Unfolding
from tabletop.play.engine import begin, judge, submit
from tabletop.play.files.load import load_scene
from tabletop.rules import rule_set
from tabletop.rules.ages.turn import losses
from tabletop.rules.cards import rule_card
from tabletop.rules.common import base_losses, crisis
from tabletop.rules.sauve_qui_peut import levels
from tabletop.rules.sauve_qui_peut.levels import data
from tabletop.terminal.views import situation
from tests import destiny, gloire, realm, reason
from tests.ages import Builder, Numbers, action
from tests.games.positions import ROOT

HOSTS: dict[str, Builder] = {
    "destiny": destiny.BUILDER,
    "reason": reason.BUILDER,
    "gloire": gloire.BUILDER,
    "realm-of-chance": realm.BUILDER,
}


def scene(host: str = "destiny", lost: int = 0, of: int = 40, **options: Any) -> Battle:
    """Return a quiet battle of two blue battalions and a red one, blue having lost so many bases."""
    builder = HOSTS[host]
    units = (
        builder.unit("a", at=[300, 300]),
        builder.unit("b", at=[700, 300]),
        builder.unit("e", "red", at=[500, 700]),
    )
    made = builder.battle(*units, options={"sauve_qui_peut": True, **options})
    return replace(made, memory={"army:blue": of, "lost:blue": lost, "army:red": 44})


def closed(battle: Battle, *numbers: float) -> Unfolding:
    """Return what comes of the end of a move by itself, the crisis of morale."""
    from tabletop.rules.ages.morale.crisis import close_the_move

    unfolding = Unfolding(battle, Numbers([*numbers]))
    close_the_move(unfolding)
    return unfolding


def told(unfolding: Unfolding, what: str) -> list[dict[str, Any]]:
    return [dict(e.values) for e in unfolding.events if isinstance(e, Told) and e.what == what]


def curve(percent: float, mean: float) -> float:
    """Return the share of armies that had broken at these losses, by the normal curve."""
    return 0.5 * (1.0 + math.erf((percent - mean) / data()["deviation"] / math.sqrt(2.0)))


def cut(share: float) -> int:
    return min(950, math.floor(20 * share) * 50)


def test_the_levels_follow_the_curve() -> None:
    """SQP-BAS-03, SQP-BAS-04, SQP-BAS-01, SQP-BAS-02: cumulative, cut down to the next twentieth; ten points lower."""
    marks = data()["marks"]
    assert data()["levels"] == [cut(curve(x, data()["mean"])) for x in marks]
    assert data()["early"]["levels"] == [cut(curve(x, data()["early"]["mean"])) for x in marks]
    assert data()["mean"] - data()["early"]["mean"] == 10


@pytest.mark.parametrize("which", ["late", "early"])
def test_the_hazard_keeps_the_curve(which: str) -> None:
    """SQP-TST-03: of those that still stood; the first mark is tested without any before it."""
    numbers = data() if which == "late" else data()["early"]
    marks, mean = data()["marks"], numbers["mean"]
    first = [cut(curve(marks[0], mean))]
    rest = [(curve(x, mean) - curve(x - 5, mean)) / (1.0 - curve(x - 5, mean)) for x in marks[1:]]
    assert numbers["hazard"] == [*first, *(cut(share) for share in rest)]
    stands = math.prod(1.0 - level / 1000 for level in data()["hazard"][:3])
    assert stands == pytest.approx(0.85 * 0.85 * 0.75)


@pytest.mark.parametrize("host", HOSTS)
def test_every_army_is_checked_at_the_end_of_each_move(host: str) -> None:
    """SQP-TST-01, SQP-TST-02: in every host, once for a mark, a number for each unit."""
    first = closed(scene(host, lost=6), 149.0, 151.0)
    assert told(first, "crisis") == [{"side": "blue", "percent": 15, "level": 150}]
    assert [row["crisis"] for row in told(first, "in crisis")] == [True, False]
    assert told(closed(first.battle), "crisis") == [], "a mark counts for the first time only"
    played = submit(scene(host, lost=6), action(scene(host), "done"))
    assert [event.rules for event in played.events if isinstance(event, Told) and event.what == "crisis"] == [
        ("SQP-TST-02",)
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_with_the_option_off_nothing_is_added(host: str) -> None:
    """The Ages have the crisis of their own book, Realm of Chance none; losses of bases are not counted for it."""
    battle = scene(host, lost=6, sauve_qui_peut=False)
    after = closed(battle, 151.0, 151.0) if host != "realm-of-chance" else closed(battle)
    assert bool(told(after, "crisis")) is (host != "realm-of-chance")
    if host == "realm-of-chance":
        unfolding = Unfolding(replace(battle, memory={}))
        losses.enrol(unfolding, battle.units)
        losses.report(unfolding, battle.units[0], "base", 1)
        assert unfolding.battle.memory == {} and unfolding.battle.scores == {"red": 2.0}
    assert levels.outlook(battle, "blue") == ""


@pytest.mark.parametrize("host", HOSTS)
def test_losses_are_counted_once(host: str) -> None:
    """SQP-TST-07, SQP-TST-09: bases removed of all there have ever been, whoever counts them."""
    battle = replace(scene(host), memory={})
    unfolding = Unfolding(battle)
    losses.enrol(unfolding, battle.units)
    losses.report(unfolding, battle.units[0], "base", 2)
    losses.report(unfolding, battle.units[0], "disrupted", 1)
    assert (base_losses.army(unfolding.battle, "blue"), base_losses.lost(unfolding.battle, "blue")) == (10, 2)
    losses.enrol(unfolding, (HOSTS[host].unit("late", at=[500, 100]),))
    assert base_losses.percent(unfolding.battle, "blue") == pytest.approx(100 * 2 / 15)


def test_reinforcements_move_the_marks_up() -> None:
    """SQP-TST-07, SQP-TST-11: 6 of 40 are the first mark, of 45 it is 7; one tested already is not tested again."""
    limits = levels.levels_of(scene(), "blue")
    assert [crisis.reached(scene(lost=6, of=n), "blue", limits) for n in (40, 45)] == [1, 0]
    tested = closed(scene(lost=6), 999.0, 999.0).battle
    more = replace(tested, memory={**tested.memory, "army:blue": 45, "lost:blue": 7})
    assert told(closed(more), "crisis") == []


def test_above_forty_a_crisis_is_likely_and_beyond_the_table_too() -> None:
    """SQP-TST-06, SQP-TST-10: the highest counts; 0.900 at 40 %, 0.950 at 45 and every 5 further."""
    limits = levels.levels_of(scene(), "blue")
    assert [limits.level(k) for k in (6, 7, 8, 18)] == [900, 950, 950, 950]
    assert (limits.percentage(8), limits.percentage(limits.most()), limits.most()) == (50, 100, 18)
    assert crisis.reached(scene(lost=40), "blue", limits) == 18
    once = closed(scene(lost=16), *[999.0] * 2)
    assert told(once, "crisis") == [{"side": "blue", "percent": 40, "level": 900}]
    assert told(closed(once.battle, *[999.0] * 2), "crisis") == [], "of five marks passed at once none is tested later"


def test_g09_the_chance_of_no_crisis_through_three_marks() -> None:
    """SQP-TST-03: a number up to the level is a crisis, 151 of 1000 at 0.150: .849 * .699 * .499."""
    stands = 1.0
    for k in (1, 2, 3):
        numbers = [n for n in range(1000) if n > levels.levels_of(scene(), "blue").level(k)]
        stands *= len(numbers) / 1000
    assert stands == pytest.approx(0.849 * 0.699 * 0.499) and round(stands, 3) == 0.296


def test_units_in_crisis_are_rallied_as_any_others() -> None:
    """SQP-TST-04, SQP-TST-05: shaken units retire and rally; Prussian line at 650."""
    battle = closed(scene(lost=6), 100.0, 999.0).battle
    assert (battle.unit("a").status, battle.unit("a").marks.get("retiring")) == ("disrupted", True)
    rally = replace(battle, clock=replace(battle.clock, phase="rally"))
    from tabletop.rules.ages.turn.sequence import advance

    unfolding = Unfolding(rally, Numbers([650.0]))
    advance(unfolding)
    assert (unfolding.unit("a").status, unfolding.unit("a").marks.get("retiring")) == ("ok", None)


def test_a_crisis_up_to_half_the_level_is_a_rout() -> None:
    """SQP-TST-04, SQP-TST-05: 75 of 150 routs at once, 76 shakes; who was disrupted routs. All may be rallied."""
    deep = closed(scene(lost=6), 75.0, 76.0).battle
    assert [deep.unit(name).status for name in "ab"] == ["routing", "disrupted"]
    shaken = scene(lost=6).with_unit(replace(scene().unit("a"), status="disrupted"))
    assert closed(shaken, 150.0, 151.0).battle.unit("a").status == "routing"


def test_guns_whose_crew_has_run_do_nothing_until_a_friend_comes() -> None:
    """SQP-TST-08: no fire, no move; served again by a friend that touches them and does not rout."""
    builder = HOSTS["destiny"]
    gun = builder.unit("gun", "blue", "foot-artillery", front_mid=[300, 300])
    battle = builder.battle(gun, builder.unit("red", "red", front_mid=[300, 400]), phase="artillery",
                            options={"sauve_qui_peut": True})  # fmt: skip
    fire = action(battle, "bombard", "gun", "red")
    assert judge(battle, fire).holds
    idle = battle.with_unit(replace(gun, marks={"abandoned": True}))
    verdict = judge(idle, fire)
    assert not verdict.holds and {r.rule for r in verdict.because if not r.holds} == {"SQP-TST-08"}
    general = builder.unit("g", "blue", "general", at=[300, 240])
    assert not told(closed(replace(battle, units=(general, *battle.units))), "in crisis"), "no losses, no throw"


def test_rule_cards_and_options_come_with_every_host() -> None:
    """SQP-TST-01: the module's book, numbers and option belong to whatever rule set takes it in."""
    for host in (*HOSTS, "glaube"):
        card = rule_card(host, "SQP-TST-06")
        assert card is not None and "40 %" in card.says and any("step: 5" in line for line in card.numbers)
        assert "sauve_qui_peut" in rule_set.find(host).options
    assert "sauve_qui_peut" not in rule_set.find("tse").options


def test_the_prompt_says_how_an_army_stands() -> None:
    """What is lost, the next mark, and the exact chances there: 151 and 76 numbers of 1000."""
    battle = begin(load_scene(ROOT / "scenarios/destiny/last-half-hour.yaml"), 1).battle
    said = " ".join(situation(battle).split())
    assert "5 of 40 bases lost (12 %); at 6 each unit throws: 15.1 % lose heart, 7.6 % rout" in said
    assert "8 of 44 bases lost (18 %); at 9 each unit throws: 30.1 % lose heart, 15.1 % rout" in said


def test_the_log_says_who_lost_heart() -> None:
    from tabletop.rules.ages.turn.report import NARRATION

    unfolding = closed(scene(lost=6), 149.0, 151.0)
    said = [NARRATION.narrate(unfolding.battle, e) for e in unfolding.events if isinstance(e, Told)]
    assert "a lost heart (number 0.149)." in said and "" in said
