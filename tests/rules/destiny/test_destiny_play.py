"""What happens in a battle of the Ages that Realm of Chance does not have: retiring, generals under fire, crises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.event import Told
from tabletop.battle.progress import Arrival, Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import play_of
from tabletop.play.routes import as_far_as_it_may
from tabletop.rules.ages.combat.judge import fight_of, may_attack, targets
from tabletop.rules.ages.computer.suggest import suggest
from tabletop.rules.ages.morale.crisis import close_the_move
from tabletop.rules.ages.morale.status import strength
from tabletop.rules.ages.movement.costs import forming_cost
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.movement.threat import threatens
from tabletop.rules.ages.turn import losses, sequence, victory
from tabletop.rules.destiny.profile import PROFILE
from tabletop.rules.destiny.rule_set import RULES
from tabletop.rules.rule_set import MusterError
from tests.ages import allowed, why
from tests.destiny import Numbers, action, battle, done, told, unit


def pair(blue: str = "french-line", red: str = "prussian-line", gap: float = 30.0) -> tuple[Unit, Unit]:
    """Return two battalions front to front."""
    return unit("blue", quality=blue, front_mid=[500, 300]), unit("red", "red", quality=red, front_mid=[500, 300 + gap])


def told_of(unfolding: Unfolding, what: str) -> list[Told]:
    return [e for e in unfolding.events if isinstance(e, Told) and e.what == what]


# --- what the computer and the window offer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "aside", "reached"),
    [(130, 0, True), (169, 0, True), (172, 0, False), (140, 3, True), (140, 55, True), (140, 130, False)],
)
def test_lancers_are_offered_the_charge_straight_ahead(gap: float, aside: float, reached: bool) -> None:
    """DES-MOV-01: they ride 150, 20 more in a charge; straight on, there is no wheel to pay."""
    horse = unit("horse", "blue", "lancer-cavalry", front_mid=[500, 100])
    scene = battle(horse, unit("red", "red", "medium-cavalry", front_mid=[500 + aside, 100 + gap]))
    charges = [a for a in suggest(scene) if a.kind == "charge" and a.unit == "horse"]
    ends = [planned_move(scene, horse, "charge", a.options).end for a in charges]
    assert any(distance_between(end, scene.unit("red")) <= 0.5 for end in ends) is reached


@pytest.mark.parametrize("deep", [0.27, 0.9, 9.0, 24.0])
def test_a_charge_led_too_deep_is_offered_up_to_contact(deep: float) -> None:
    """AGE-MOV-05, AGE-CBT-02: a hand is no truer than a pixel; only the last half millimetre before him is a charge."""
    horse = unit("horse", "blue", "lancer-cavalry", front_mid=[500, 100])
    scene = battle(horse, unit("red", "red", "medium-cavalry", front_mid=[500, 230]))
    led = action(scene, "charge", "horse", None, path=((500.0, 230.0 + deep),))
    assert not play_of(scene).kinds["charge"].judge(scene, led).holds
    found = as_far_as_it_may(scene, led)
    assert found is not None and 229.5 <= found.options["path"][-1][1] <= 230.05
    assert play_of(scene).kinds["charge"].judge(scene, found).holds


# --- falling back, retiring ------------------------------------------------------------------------------------------


def test_ad_falls_back_once_facing_the_enemy() -> None:
    """AGE-RES-03, AGE-CBT-15: a whole move straight back, facing kept, though it has moved; no mark stays."""
    blue, red = pair()
    scene = battle(replace(blue, marks={"moved": True, "spent": 1.0}), red, phase="combat")
    after = done(scene, "combat", "blue", "red", numbers=[0]).battle.unit("blue")
    assert (after.status, after.facing, after.marks.get("retiring")) == ("disrupted", 0.0, None)
    assert after.front_mid == pytest.approx((500.0, 250.0))


def test_aw_retires_until_it_is_rallied() -> None:
    """AGE-RES-02, AGE-RES-09: 5 against 10 at 1:2 and 0 is Aw; it goes back again in its next movement phase."""
    scene = battle(*pair("german-allied-line"), phase="combat")
    step = done(scene, "combat", "blue", "red", numbers=[0])
    after = step.battle.unit("blue")
    assert told(step, "combat")["result"] == "Aw" and after.marks["retiring"] and after.front_mid[1] == 250.0
    later = replace(step.battle, clock=replace(step.battle.clock, turn=2, phase="artillery", side="blue"))
    unfolding = Unfolding(later)
    sequence.advance(unfolding)
    retired = unfolding.unit("blue")
    assert retired.front_mid[1] == 200.0 and retired.marks["moved"] and retired.facing == 0.0
    assert (
        not play_of(later)
        .kinds["move"]
        .judge(unfolding.battle, action(later, "move", "blue", path=((500, 210),)))
        .holds
    )
    rally = Unfolding(replace(unfolding.battle, clock=replace(later.clock, turn=3, phase="rally")), Numbers([800.0]))
    sequence.advance(rally)
    assert rally.unit("blue").status == "ok" and "retiring" not in rally.unit("blue").marks


def test_dw_is_aw_for_the_defender() -> None:
    """AGE-RES-06: 20 against 5 is 4:1; 650 is Dw: a move back at once, one in its next movement phase.

    One disrupted already loses a base and routs.
    """
    young, red = pair("french-young-guard", "prussian-landwehr")
    step = done(battle(young, red, phase="combat"), "combat", "blue", "red", numbers=[650])
    after = step.battle.unit("red")
    assert told(step, "combat")["result"] == "Dw" and (after.status, after.marks.get("retiring")) == ("disrupted", True)
    assert after.front_mid == pytest.approx((500.0, 410.0)) and after.facing == 180.0
    shaken = replace(red, status="disrupted")
    routed = done(battle(young, shaken, phase="combat"), "combat", "blue", "red", numbers=[650]).battle.unit("red")
    assert (routed.status, routed.strength) == ("routing", 4)


def test_of_a_group_only_as_many_are_driven_off_as_the_enemy_is_strong() -> None:
    """AGE-RES-02: 5 and 5 against 25: the nearest until 25 is reached, here both; against 5 only the nearer."""
    near, far = unit("n", quality="german-allied-line", front_mid=[440, 300]), unit("f", front_mid=[560, 290])
    strong = unit("red", "red", quality="prussian-guard", front_mid=[500, 320])
    step = done(battle(near, far, strong, phase="combat"), "combat", "n", "red", numbers=[0], **{"with": ("f",)})
    assert told(step, "combat")["odds"] == "1:1" and told(step, "combat")["result"] == "Ad"
    assert [step.battle.unit(name).status for name in "nf"] == ["disrupted", "disrupted"]


def test_it_stops_at_the_table_and_disrupts_friends_behind_it() -> None:
    """AGE-RES-03: it never leaves the table; a friend it passes through is disrupted."""
    edge = [u.moved(0.0, -270.0) for u in pair()]
    assert done(battle(*edge, phase="combat"), "combat", "blue", "red", numbers=[0]).battle.unit("blue").bounds[1] == (
        pytest.approx(0.0, abs=1e-6)
    )
    friend = unit("friend", front_mid=[500, 275])
    after = done(battle(*pair(), friend, phase="combat"), "combat", "blue", "red", numbers=[0]).battle
    assert after.unit("friend").status == "disrupted"


# --- generals under fire ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "fate", "there", "bonus"),
    [(49, "killed", False, 0), (50, "wounded", False, 0), (100, "shaken", True, 0), (150, "unhurt", True, 100)],
)
def test_a_general_who_helps_is_under_fire(number: int, fate: str, there: bool, bonus: int) -> None:
    """AGE-RAL-08, AGE-CBT-09: the result counts at once, and he is tested once a turn."""
    general = unit("g", "blue", "general", at=[500, 265])
    step = done(battle(*pair(), general, phase="combat"), "combat", "blue", "red", numbers=[number, 500])
    assert told(step, "under fire")["result"] == fate and step.battle.has("g") is there
    assert sum(amount for name, amount, *_ in told(step, "combat")["modifiers"]) == bonus
    if there:
        again = replace(step.battle.unit("blue"), marks={})
        scene = replace(battle(again, pair()[1], step.battle.unit("g"), phase="combat"))
        done(scene, "combat", "blue", "red", numbers=[500])


# --- marks, the crisis, victory --------------------------------------------------------------------------------------


def in_memory(army: int, lost: int, **more: int) -> dict[str, int]:
    return {"army:blue": army, "lost:blue": lost, "army:red": 40, "lost:red": 0, **more}


def test_one_throw_for_every_unit_at_the_highest_mark() -> None:
    """AGE-CRI-02, AGE-CRI-03, AGE-SEQ-04: 12 of 57 are 20 in a hundred, level 300."""
    a, b = unit("a", at=[300, 300]), unit("b", at=[600, 300])
    scene = replace(battle(a, b, unit("red", "red", at=[500, 700])), memory=in_memory(57, 12))
    unfolding = Unfolding(scene, Numbers([300.0, 301.0]))
    close_the_move(unfolding)
    assert [e.values["percent"] for e in told_of(unfolding, "crisis")] == [20]
    assert [e.values["crisis"] for e in told_of(unfolding, "in crisis")] == [True, False]
    close_the_move(unfolding)
    assert len(told_of(unfolding, "crisis")) == 1, "a mark counts for the first time only"


@pytest.mark.parametrize("side", ["blue", "red"])
def test_the_crisis_test_closes_each_move(side: str) -> None:
    """AGE-SEQ-04: the last thing in the player turn of either side, before the other's begins."""
    a, b = unit("a", at=[300, 300]), unit("b", at=[600, 300])
    fought = battle(a, b, unit("red", "red", at=[500, 700]), phase="combat", side=side)
    unfolding = Unfolding(replace(fought, memory=in_memory(57, 12)), Numbers([300.0, 301.0]))
    assert sequence.advance(unfolding)
    said = [event.what for event in unfolding.events if isinstance(event, Told)]
    assert [what for what in said if what in ("crisis", "turn")] == ["crisis", "turn"]


@pytest.mark.parametrize(
    ("number", "before", "status", "retires"),
    [(150, "ok", "routing", None), (151, "ok", "disrupted", True), (300, "disrupted", "routing", None),
     (301, "disrupted", "disrupted", None)],
)  # fmt: skip
def test_what_a_crisis_does(number: int, before: str, status: str, retires: bool | None) -> None:
    """AGE-CRI-04: up to half the level a rout, above it disruption and retiring; disrupted already, a rout."""
    scene = battle(unit("a", status=before, at=[300, 300]), unit("red", "red", at=[500, 700]))
    unfolding = Unfolding(replace(scene, memory=in_memory(57, 12)), Numbers([float(number)]))
    close_the_move(unfolding)
    assert (unfolding.unit("a").status, unfolding.unit("a").marks.get("retiring")) == (status, retires)


def test_the_crisis_can_be_left_out() -> None:
    """AGE-CRI-02, as ruled."""
    scene = battle(unit("a"), unit("red", "red", at=[500, 700]), crisis_of_morale=False)
    unfolding = Unfolding(replace(scene, memory=in_memory(57, 12)))
    close_the_move(unfolding)
    assert not unfolding.events


def test_armies_are_counted_as_they_come() -> None:
    """AGE-SET-05, AGE-SET-06, AGE-SET-07, AGE-CRI-06: 35 at first; five more bases lower the percentage."""
    scene = battle(unit("a"), unit("gun", "blue", "foot-artillery", at=[300, 300]), unit("red", "red", at=[500, 700]))
    late = unit("late", front_mid=[700, 0])
    setup = replace(scene.setup, arrivals=(Arrival(("late",), 2, (700.0, 0.0), 0.0),))
    unfolding = Unfolding(replace(scene, setup=setup, awaited=(late,), clock=replace(scene.clock, turn=0)))
    sequence.begin(unfolding)
    assert losses.army(unfolding.battle, "blue") == 6
    at_two = replace(unfolding.battle, clock=replace(scene.clock, turn=1, phase="movement"))
    assert not play_of(scene).kinds["enter"].judge(at_two, action(scene, "enter", "late")).holds
    step = done(replace(at_two, clock=replace(at_two.clock, turn=2)), "enter", "late")
    assert losses.army(step.battle, "blue") == 11
    assert losses.percent(replace(step.battle, memory={**step.battle.memory, "lost:blue": 1}), "blue") < 100 / 6


@pytest.mark.parametrize(
    ("at", "stands"), [((700, 0), (700, 20)), ((0, 300), (15, 300)), ((1000, 800), (985, 780)), ((30, 795), (30, 780))]
)
def test_a_general_comes_on_with_all_of_his_base(at: tuple[float, float], stands: tuple[float, float]) -> None:
    """AGE-SET-07: he was left half off the table; his base of 30 by 40 mm stands within its edge, or its corner."""
    late = unit("late", "blue", "general", at=list(at))
    scene = battle(unit("a"), unit("red", "red", at=[500, 700]))
    setup = replace(scene.setup, arrivals=(Arrival(("late",), 1, at, 0.0),))
    came = done(replace(scene, setup=setup, awaited=(late,)), "enter", "late").battle
    assert came.unit("late").at == pytest.approx(stands)


def test_units_that_rout_off_the_table_are_losses() -> None:
    """AGE-RAL-05, AGE-RAL-06, AGE-CRI-01: five bases of a battalion; a friend run through is disrupted."""
    runner = unit("r", status="routing", at=[500, 60], facing=180)
    friend = unit("f", at=[500, 30])
    scene = battle(runner, friend, unit("red", "red", at=[500, 700]), phase="rally")
    unfolding = Unfolding(scene, Numbers([799.0]))
    sequence.advance(unfolding)
    assert not unfolding.battle.has("r") and losses.lost(unfolding.battle, "blue") == 5
    assert unfolding.unit("f").status == "disrupted"


@pytest.mark.parametrize(("number", "stops"), [(799, False), (800, True)])
def test_a_rout_stops_at_800(number: int, stops: bool) -> None:
    """AGE-RAL-03, AGE-RAL-04, AGE-SEQ-03: disrupted for this turn; else it runs on. Only the active army throws."""
    scene = battle(unit("a", status="routing"), unit("red", "red", status="routing", at=[500, 600]), phase="rally")
    unfolding = Unfolding(scene, Numbers([float(number)]))
    sequence.advance(unfolding)
    assert (unfolding.unit("a").status == "disrupted") is stops
    assert len(told_of(unfolding, "halt")) == 1 and not told_of(unfolding, "rally")


def test_ground_decides_before_casualties() -> None:
    """AGE-WIN-01, AGE-WIN-02: all of a scenario's ground, alone; else the casualties."""
    house = Objective("house", (500.0, 300.0), 30.0)
    scene = battle(unit("a"), unit("red", "red", at=[500, 700]), side="red", turn=10)
    held = replace(scene, setup=replace(scene.setup, objectives=(house,)), memory=in_memory(40, 4))
    ended = Unfolding(held)
    assert victory.settled(ended) and ended.battle.outcome is not None
    assert (ended.battle.outcome.winner, ended.battle.outcome.how) == ("blue", "ground")
    bare = Unfolding(replace(scene, memory=in_memory(40, 4)))
    assert victory.settled(bare) and bare.battle.outcome is not None
    assert (bare.battle.outcome.winner, bare.battle.outcome.how) == ("red", "casualties marginal 10.0")
    routed = Unfolding(battle(unit("a", status="routing"), unit("red", "red", at=[500, 700])))
    assert victory.settled(routed) and routed.battle.outcome is not None and routed.battle.outcome.winner == "red"


# --- squares before cavalry ------------------------------------------------------------------------------------------


def test_infantry_that_cavalry_threatens_forms_square() -> None:
    """AGE-MOV-03: as the cavalry's movement opens, at the cost of its own next move; not one that cannot be reached."""
    horse = unit("h", "blue", "light-cavalry", front_mid=[500, 300])
    near, far = unit("near", "red", front_mid=[500, 440]), unit("far", "red", front_mid=[500, 700])
    scene = battle(horse, near, far, phase="artillery")
    assert threatens(scene, horse, near) and not threatens(scene, horse, far)
    unfolding = Unfolding(scene)
    sequence.advance(unfolding)
    assert unfolding.unit("near").formation == "square" and unfolding.unit("near").marks["debt"] == 0.5
    assert unfolding.unit("far").formation == "line"
    walls = unit("w1", front_mid=[450, 400]), unit("w2", front_mid=[550, 400])
    hidden = battle(horse, near, *walls, phase="artillery")
    assert not threatens(hidden, horse, near)
    assert not threatens(scene, replace(horse, status="disrupted"), near)


@pytest.mark.parametrize("when", ["attacked", "charged", "never"])
def test_by_other_rulings_nobody_forms_square_for_a_threat(when: str) -> None:
    """AGE-MOV-03, as ruled."""
    horse, near = unit("h", "blue", "light-cavalry", front_mid=[500, 300]), unit("near", "red", front_mid=[500, 440])
    unfolding = Unfolding(battle(horse, near, phase="artillery", square_when=when))
    sequence.advance(unfolding)
    assert unfolding.unit("near").formation == "line"


# --- armies ----------------------------------------------------------------------------------------------------------


def test_the_army_tables() -> None:
    """AGE-EQP-07, AGE-EQP-09, DES-INF-01, DES-INF-03: 59 rows; weak battalions; Highlanders as grenadiers."""
    assert len(PROFILE.rows) == 59 and unit("weak", bases=2).strength == 2
    with pytest.raises(MusterError, match="6 is not between"):
        unit("more", bases=6)
    highlanders, grenadiers = (PROFILE.rows["infantry", q] for q in ("british-highlanders", "french-grenadiers"))
    assert (highlanders.normal, highlanders.disrupted) == (grenadiers.normal, grenadiers.disrupted) == (4, 2)
    assert PROFILE.tables["scale"]["minutes"] == 5 and RULES.play is not None and RULES.play().minutes == 5.0
    assert PROFILE.troops["staff-officer"].base == (20.0, 40.0) and not PROFILE.troops["staff-officer"].fights
    assert all(r.normal == r.disrupted == 1 for (troop, _), r in PROFILE.rows.items() if troop.endswith("artillery"))


def test_only_a_general_has_a_rank() -> None:
    """DES-GEN-02."""
    for troop, rank in (("infantry", "great-captain"), ("general", "marshal")):
        with pytest.raises(MusterError) as caught:
            unit("x", "blue", troop, rank=rank)
        assert caught.value.key == "rank"


def test_guns_fire_once_and_cannot_limber_then() -> None:
    """AGE-ART-06, AGE-ART-09: in combat they have strength 1, fired or not."""
    gun = unit("gun", "blue", "foot-artillery", front_mid=[500, 300], marks={"fired": "red"})
    scene = battle(gun, unit("red", "red", front_mid=[500, 380]))
    assert not play_of(scene).kinds["form"].judge(scene, action(scene, "form", "gun", formation="limbered")).holds
    assert fight_of(scene, ["red"], "gun").defence == 1


def test_cavalry_attacks_in_contact_alone() -> None:
    """AGE-CBT-03, AGE-CBT-04, AGE-CBT-05: infantry at guns 50 mm off; a column with all its bases."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    foot = unit("f", formation="column", front_mid=[700, 300])
    guns = (
        unit("g1", "red", "foot-artillery", front_mid=[500, 301]),
        unit("g2", "red", "foot-artillery", front_mid=[700, 350]),
    )
    scene = battle(horse, foot, *guns, phase="combat")
    assert [e.id for e in targets(scene, horse)] == [] and [e.id for e in targets(scene, foot)] == ["g2"]
    assert fight_of(scene, ["f"], "g2").attack == 10


def test_the_first_side_always_goes_first() -> None:
    """AGE-SEQ-01: then the other; when both have had their player turns the next turn begins."""
    unfolding = Unfolding(replace(battle(*pair(gap=300.0)), clock=replace(battle().clock, turn=0)))
    sequence.begin(unfolding)
    assert (unfolding.battle.clock.turn, unfolding.battle.clock.side) == (1, "blue")
    for turn, side in ((1, "red"), (2, "blue")):
        unfolding.clock(phase="combat")
        assert sequence.advance(unfolding)
        assert (unfolding.battle.clock.turn, unfolding.battle.clock.side) == (turn, side)


def test_any_units_move_up_to_their_allowance() -> None:
    """AGE-MOV-01: French line goes 50 mm, or less, or stays; one, both or none, until its side says that it is done."""
    red = unit("red", "red", at=[500, 700])
    scene = battle(unit("a", front_mid=[300, 300]), unit("b", front_mid=[700, 300]), red)
    assert [allowed(scene, "move", "a", path=[(300, 300 + far)]) for far in (10, 50, 50.2)] == [True, True, False]
    assert why(scene, "move", "a", path=[(300, 350.2)]) == {"AGE-MOV-01"}
    for movers in ((), ("a",), ("a", "b")):
        after = scene
        for name in movers:
            after = done(after, "move", name, path=[(after.unit(name).front_mid[0], 340)]).battle
        assert (after.clock.phase, after.clock.side) == ("movement", "blue")
        assert [after.unit(name).front_mid[1] for name in ("a", "b")] == [340 if n in movers else 300 for n in "ab"]
        assert done(after, "done").battle.clock.side == "red"


@pytest.mark.parametrize(
    ("before", "after", "cost"),
    [("line", "column", 1.0), ("column", "line", 1.0), ("line", "square", 0.5), ("column", "square", 0.25)],
)
def test_a_formation_costs_part_of_the_move_and_nothing_of_the_fight(before: str, after: str, cost: float) -> None:
    """AGE-MOV-02: an Austrian battalion that has formed this turn is ready for the combat of this turn."""
    blue = unit("blue", quality="austrian-line", formation=before, front_mid=[500, 300])
    scene = battle(blue, unit("red", "red", at=[500, 355]))
    assert forming_cost(blue, after) == cost
    formed = done(scene, "form", "blue", formation=after).battle.unit("blue")
    assert formed.marks["spent"] == cost
    as_ever = unit("other", quality="austrian-line", formation=after)
    assert all(may_attack(formed)) and strength(formed) == strength(as_ever)


@pytest.mark.parametrize("kind", ["woods", "rough"])
def test_difficult_ground_slows_once(kind: str) -> None:
    """AGE-SET-04, AGE-MOV-07: 50 less 10, wherever on its way it crosses some."""
    mover = unit("a", front_mid=[500, 300])
    area = Terrain.of_kind("area", kind, outline=[(400, 310), (600, 310), (600, 320), (400, 320)])
    scene = battle(mover, terrain=[area])
    assert allowance(scene, mover, "move", planned_move(scene, mover, "move", {"path": [(500, 312)]}).course) == 40.0


def test_a_house_shelters_one_unit() -> None:
    """AGE-SET-03: the first that goes in; the other might else."""
    house = Terrain.of_kind("house", "town", outline=[(465, 305), (535, 305), (535, 375), (465, 375)])
    first, second = unit("a", front_mid=[500, 304.9]), unit("b", formation="column", at=[540, 340], facing=270)
    second = second.moved(535.2 - second.bounds[0], 0.0)
    step = done(battle(first, second, terrain=[house]), "form", "a", formation="garrison")
    kinds, into = play_of(step.battle).kinds, action(step.battle, "form", "b", formation="garrison")
    verdict = kinds["form"].judge(step.battle, into)
    assert step.battle.unit("a").formation == "garrison" and not verdict.holds
    assert ("AGE-SET-03", "a holds the house") in [(reason.rule, reason.text) for reason in verdict.because]
    assert kinds["form"].judge(battle(first, second, terrain=[house]), into).holds


@pytest.mark.parametrize(("number", "goes_on"), [(649, True), (650, False)])
def test_a_pursuer_tests_again_in_each_rally_phase(number: int, goes_on: bool) -> None:
    """AGE-CTL-01, AGE-CTL-02: at its rally number; out of hand it follows at charge speed."""
    victor = unit("v", marks={"pursuing": "prey"}, front_mid=[500, 300])
    prey = unit("prey", "red", status="routing", front_mid=[500, 500])
    unfolding = Unfolding(battle(victor, prey, phase="rally"), Numbers([float(number)]))
    sequence.advance(unfolding)
    assert ("pursuing" in unfolding.unit("v").marks) is goes_on
    assert (unfolding.unit("v").at != victor.at) is goes_on
