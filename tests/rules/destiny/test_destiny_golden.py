"""The worked cases of the Ages and of Destiny: every expected value worked out by hand from the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.engine import play_of
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.combat.odds import column, fire_result, ratio, result, square_result
from tabletop.rules.ages.combat.zones import zone_of
from tabletop.rules.ages.fire.judge import band_of
from tabletop.rules.ages.morale.crisis import BY_THE_BOOK
from tabletop.rules.ages.morale.rout import charge_speed
from tabletop.rules.ages.morale.status import strength
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.tables import attack_range
from tabletop.rules.ages.turn import losses, victory
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.common import crisis
from tabletop.rules.destiny.profile import PROFILE
from tests.destiny import Numbers, action, battle, done, told, unit

HILL = Terrain.of_kind("hill", "hill", outline=[(400, 320), (600, 320), (600, 460), (400, 460)], level=1)


def face_to_face(gap: float = 30.0, **rulings: object) -> tuple[Unit, Unit]:
    """Return a French and a Prussian battalion of strength 10, front to front."""
    blue = unit("blue", front_mid=[500, 300])
    return blue, unit("red", "red", front_mid=[500, 300 + gap])


# --- the Ages --------------------------------------------------------------------------------------------------------


def test_g01_a_die_as_a_random_number() -> None:
    """AGE-EQP-03, AGE-RAL-01: k or more on a die is the chance of it cut down to the next twentieth."""
    assert list(PROFILE.starts[1:]) == [20 * (k - 1) // 6 * 50 for k in range(2, 7)] == [150, 300, 500, 650, 800]
    assert PROFILE.sides == 1000


@pytest.mark.parametrize(("number", "understood"), [(149, False), (150, True)])
def test_g02_an_order_by_messenger(number: int, understood: bool) -> None:
    """AGE-ORD-03: understood from 0.150 on."""
    rider = unit(
        "rider", "blue", "staff-officer", at=[500, 260], marks={"carries": {"stance": "hold", "to": ("blue",)}}
    )
    blue, red = face_to_face(200.0)
    step = done(battle(rider, blue, red), "ride", "rider", path=[(500, 265.0)], numbers=[number])
    assert told(step, "order")["understood"] is understood
    assert (step.battle.unit("blue").marks.get("order") == "hold") is understood


def test_an_order_for_several_is_thrown_for_once() -> None:
    """AGE-ORD-04: one number for the order; who is reached later follows it."""
    rider = unit(
        "rider", "blue", "staff-officer", at=[555, 262], marks={"carries": {"stance": "hold", "to": ("a", "b")}}
    )
    a, b = unit("a", at=[500, 300]), unit("b", at=[610, 300])
    step = done(
        battle(rider, a, b, unit("red", "red", at=[500, 700])), "ride", "rider", path=[(555, 272.5)], numbers=[700]
    )
    assert [step.battle.unit(name).marks.get("order") for name in "ab"] == ["hold", "hold"]
    assert not step.battle.unit("rider").marks.get("carries")


@pytest.mark.parametrize(("charging", "found"), [(False, "Ad"), (True, "Dx")])
def test_g04_ten_against_ten_at_120(charging: bool, found: str) -> None:
    """AGE-CBT-10, AGE-CBT-14: 1:1; 120 is the first line; a charge makes 220, the second."""
    blue, red = face_to_face()
    scene = battle(replace(blue, marks={"charging": True} if charging else {}), red, phase="combat")
    step = done(scene, "combat", "blue", "red", numbers=[120])
    assert told(step, "combat")["odds"] == "1:1" and told(step, "combat")["result"] == found
    rules = {event.rules for event in step.events if isinstance(event, Told) and event.what == "combat"}
    assert rules == {("AGE-CBT-01",)}  # by its own book, not by that of Realm of Chance


def test_g05_twenty_against_eight() -> None:
    """AGE-CBT-07, AGE-CBT-14: 2.5 is 2:1; the line changes at 650."""
    assert ratio(20, 8) == "2:1"
    assert [result(PROFILE, "2:1", number) for number in (500, 649, 650)] == ["Dx", "Dx", "Dd"]


def test_g06_from_the_flank() -> None:
    """AGE-CBT-13: one column up, 3:1 at 500: Dd."""
    assert column(battle(), "2:1", 1) == "3:1" and result(PROFILE, "3:1", 500) == "Dd"


def test_g08_shifted_before_it_is_cut() -> None:
    """AGE-CBT-14: 3 against 35 is 1:7 (capped), from the rear 1:5, and 999 the last line: Ad."""
    assert ratio(3, 35) == "1:7" and column(battle(), "1:7", 2) == "1:5" and result(PROFILE, "1:5", 999) == "Ad"


def test_g09_against_a_defender_on_a_hill() -> None:
    """AGE-CBT-08: 20 against 8 at 550 less 100 is 450, the third line of 2:1: nothing."""
    blue, red = face_to_face()
    fight = fight_of(battle(blue, red, terrain=[HILL]), ["blue"], "red")
    assert [(f.name, f.amount, f.rule) for f in fight.on_die] == [("defender ground", -100.0, "ROC-CBT-06")]
    assert result(PROFILE, "2:1", 550 + fight.bonus) == ""
    scene = battle(blue, red, terrain=[HILL], phase="combat")
    found = play_of(scene).odds(scene, action(scene, "combat", "blue", "red"))
    assert found is not None and [factor.rule for factor in found.factors] == ["AGE-CBT-08"]


@pytest.mark.parametrize(
    ("far", "number", "formation", "found"),
    [(60, 500, "line", "Dr"), (61, 500, "line", "Dd"), (181, 649, "line", ""), (181, 550, "column", "Dd")],
)
def test_g10_foot_guns(far: float, number: int, formation: str, found: str) -> None:
    """AGE-ART-02, AGE-ART-10: from 60 mm on the next band; a column adds 100."""
    gun = unit("gun", "blue", "foot-artillery", front_mid=[500, 300])
    red = unit("red", "red", formation=formation, front_mid=[500, 300 + far])
    step = done(battle(gun, red, phase="artillery"), "bombard", "gun", "red", numbers=[number])
    assert told(step, "fire")["result"] == found


def test_foot_guns_hit_harder_than_horse_guns() -> None:
    """AGE-ART-03, DES-ART-01: at every number, band and range; and horse guns are the faster."""
    rank, scene = {"": 0, "Dd": 1, "Dr": 2}, battle()
    for far in range(0, 190, 10):
        near, nearer = (band_of(scene, guns, float(far)) for guns in ("foot", "horse"))
        assert near is not None and (nearer is None or near <= nearer)
    for band in range(3):
        for number in range(0, 1000, 50):
            foot, horse = (fire_result(PROFILE, guns, band, number) for guns in ("foot", "horse"))
            assert rank[foot] >= rank[horse]
    assert PROFILE.rows["horse-artillery", "french"].move == 120 > PROFILE.rows["foot-artillery", "french"].move == 50


def test_g12_marks_of_an_army_of_57() -> None:
    """AGE-SET-05, AGE-CRI-01, AGE-CRI-05: rounded up; 40 in a hundred is the level 900, of those kept in the tables."""
    assert [losses.mark(57, p) for p in (15, 20, 25, 30, 35, 40)] == [9, 12, 15, 18, 20, 23]
    assert [marks_of(lost_of(57, n)) for n in (8, 9, 11, 12)] == [0, 1, 1, 2]
    data = PROFILE.tables["crisis"]
    assert dict(zip(data["marks"], data["levels"], strict=True))[40] == 900


def lost_of(army: int, lost: int, enemy: tuple[int, int] = (48, 6)) -> Battle:
    """Return a battle in which blue has lost so many bases, red 6 of 48."""
    memory = {"army:blue": army, "lost:blue": lost, "army:red": enemy[0], "lost:red": enemy[1]}
    return replace(battle(*face_to_face()), memory=memory)


def marks_of(scene: Battle) -> int:
    """Return how many marks of the book the losses of blue have reached."""
    return crisis.reached(scene, "blue", BY_THE_BOOK.levels(scene, "blue"))


def test_g13_casualties_compared() -> None:
    """AGE-WIN-02: 21.05 less 12.50 is 8.55, marginal for the second; limits belong to the lower class."""
    leader, lead, name = victory.standing(lost_of(57, 12))
    assert (leader, name) == ("red", "marginal") and lead == pytest.approx(8.5526, abs=1e-4)
    assert [victory.margin_name(battle(), d) for d in (0, 5, 5.1, 10, 10.1, 25, 25.1)] == [
        "draw", "draw", "marginal", "marginal", "major", "major", "decisive",
    ]  # fmt: skip


def test_g14_zones_of_a_line() -> None:
    """AGE-CBT-13: a line 100 by 15 at (500, 500) facing north."""
    line = unit("line", at=[500, 500])
    spots = [(500, 560), (560, 520), (600, 520), (500, 450)]
    assert [zone_of(battle(line), line, spot) for spot in spots] == ["front", "front", "flank", "rear"]


def test_g16_a_battalion_passes_through_a_gun() -> None:
    """AGE-ART-07, AGE-ART-08: one base crews it, without a mark; the captor uses it after one full move."""
    blue, gun = unit("blue", front_mid=[500, 300]), unit("gun", "red", "foot-artillery", at=[500, 322])
    other = unit("red", "red", at=[500, 700])
    step = done(battle(blue, gun, other), "move", "blue", path=[(500, 350)])
    after = step.battle
    assert (after.unit("blue").strength, after.unit("gun").side) == (4, "blue")
    assert losses.lost(after, "blue") == 0 and losses.lost(after, "red") == 1
    usable = []
    for turn in (1, 2, 3):
        later = replace(after, clock=replace(after.clock, turn=turn))
        verdict = ask(later, "move", ["gun"], {"as": "limbered"})
        usable.append(all(reason.rule != "AGE-ART-07" for reason in verdict.because))
    assert usable == [False, False, True]


@pytest.mark.parametrize(
    ("kind", "formation", "road", "expected"),
    [("withdraw", "line", False, 20), ("retreat", "line", False, 40), ("move", "column", False, 50),
     ("move", "column", True, 60)],
)  # fmt: skip
def test_g17_moves_of_infantry_of_40_mm(kind: str, formation: str, road: bool, expected: float) -> None:
    """AGE-MOV-06, AGE-MOV-07, AGE-MOV-09."""
    mover = unit("a", quality="prussian-line", formation=formation, front_mid=[500, 300])
    way = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    scene = battle(mover, terrain=[way] if road else [])
    options = {"distance": 10.0} if kind != "move" else {"path": [(500, 310)]}
    assert allowance(scene, mover, kind, planned_move(scene, mover, kind, options).course) == expected


# --- Destiny ---------------------------------------------------------------------------------------------------------


def test_g01_lancers_in_their_first_turn_of_contact() -> None:
    """DES-CAV-02: 4 bases of 6, and of 4 next turn; with others than those it came upon, of 4 at once."""
    lancers = unit("l", "blue", "lancer-cavalry", front_mid=[500, 300], formation="line")
    red = unit("red", "red", front_mid=[500, 380])
    step = done(battle(lancers, red, square_when="never"), "charge", "l", path=[(500, 380)])
    first = step.battle.unit("l")
    assert (strength(first, enemy="red"), strength(first, enemy="another"), strength(first)) == (24, 16, 16)
    assert fight_of(step.battle, ["l"], "red").attack == 24
    assert strength(replace(first, marks={}), enemy="red") == 16
    assert strength(replace(first, status="disrupted"), enemy="red") == 12


def test_g02_lancers_charge_prussians_in_line() -> None:
    """DES-CAV-02, AGE-CBT-10: 24 against 10 is 2:1; 400 and 100 for the charge: Dx."""
    lancers = unit("l", "blue", "lancer-cavalry", front_mid=[500, 300])
    scene = battle(lancers, unit("red", "red", front_mid=[500, 380]), square_when="never")
    charged = done(scene, "charge", "l", path=[(500, 380)]).battle
    step = done(replace(charged, clock=replace(charged.clock, phase="combat")), "combat", "l", "red", numbers=[400])
    assert (told(step, "combat")["odds"], told(step, "combat")["result"]) == ("2:1", "Dx")


def test_g04_rifles_at_80_mm() -> None:
    """DES-INF-02: 10 against 10 at twice the range of others; 850 at 1:1 is Dd. Line infantry does not reach."""
    rifles = unit("r", "red", quality="british-rifles", front_mid=[500, 380])
    blue = unit("blue", front_mid=[500, 300])
    assert (attack_range(rifles), attack_range(blue)) == (100.0, 50.0)
    scene = battle(rifles, blue, phase="combat", side="red")
    step = done(scene, "combat", "r", "blue", numbers=[850])
    assert (told(step, "combat")["odds"], told(step, "combat")["result"]) == ("1:1", "Dd")
    assert not ask(scene, "assault", ["blue", "r"]).holds


def test_g05_cuirassiers_at_a_square() -> None:
    """AGE-SQR-02, AGE-SQR-03, AGE-SQR-07, DES-SQR-01: 850 nothing, 900 broken; nothing else counts."""
    assert [square_result(PROFILE, "ok", n) for n in (399, 400, 850, 899, 900)] == ["repelled", "", "", "", "broken"]
    assert [square_result(PROFILE, "disrupted", n) for n in (149, 150, 549, 550)] == ["repelled", "", "", "broken"]
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"charging": True})
    square = unit("red", "red", formation="square", at=[500, 300])
    square = square.moved(0.0, 300.2 - square.bounds[1])
    step = done(battle(horse, square, phase="combat"), "combat", "h", "red", numbers=[899])
    assert told(step, "square")["result"] == ""


def test_a_broken_square_loses_a_base_and_routs() -> None:
    """AGE-SQR-05; cavalry it drives off is disrupted and falls back (AGE-SQR-04, AGE-RES-03)."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    square = unit("red", "red", formation="square", at=[500, 300])
    square = square.moved(0.0, 300.2 - square.bounds[1])
    scene = battle(horse, square, phase="combat")
    broken = done(scene, "combat", "h", "red", numbers=[900, 700]).battle.unit("red")
    assert (broken.strength, broken.status) == (4, "routing")
    thrown_back = done(scene, "combat", "h", "red", numbers=[100]).battle.unit("h")
    assert thrown_back.status == "disrupted" and thrown_back.at[1] == pytest.approx(horse.at[1] - 120.0)


def test_g06_the_young_guard_in_column_on_the_road() -> None:
    """AGE-MOV-09: 50, 10 for the column, 10 for the road, and no more for a charge."""
    guard = unit("g", quality="french-young-guard", formation="column", front_mid=[500, 300])
    way = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    scene = battle(guard, unit("red", "red", front_mid=[500, 380]), terrain=[way])
    options = {"path": [(500, 340)]}
    assert allowance(scene, guard, "charge", planned_move(scene, guard, "charge", options).course) == 70.0
    assert charge_speed(guard) == 60.0


def test_g08_horse_guns_at_100_mm() -> None:
    """AGE-ART-02: the second band from 500 on Dd, from 800 on Dr; and nothing beyond 180 mm."""
    assert band_of(battle(), "horse", 100.0) == 1 and band_of(battle(), "horse", 181.0) is None
    assert [fire_result(PROFILE, "horse", 1, number) for number in (499, 500, 799, 800)] == ["", "Dd", "Dd", "Dr"]


@pytest.mark.parametrize(("rank", "rallied"), [(None, True), ("great-captain", True), ("nobody", False)])
def test_g09_the_old_guard_rallies_with_napoleon(rank: str | None, rallied: bool) -> None:
    """AGE-RAL-07, DES-GEN-02: 149 alone fails by one; a general adds 100, Napoleon 200 (349)."""
    guard = unit("g", quality="french-old-guard", status="disrupted", at=[500, 300])
    general = unit("n", "blue", "general", at=[500, 272.5], rank=None if rank == "nobody" else rank)
    there = [] if rank == "nobody" else [general]
    scene = battle(guard, *there, unit("red", "red", at=[500, 700]), phase="rally")
    unfolding = Unfolding(scene, Numbers([149.0]))
    advance(unfolding)
    assert (unfolding.battle.unit("g").status == "ok") is rallied
    added = next(e.values["general"] for e in unfolding.events if isinstance(e, Told) and e.what == "rally")
    assert added == {"nobody": 0, None: 100, "great-captain": 200}[rank]


def test_g10_an_army_of_35() -> None:
    """AGE-SET-05: 9 bases lost are the mark of 25 in a hundred, level 500."""
    assert losses.mark(35, 25) == 9
    assert marks_of(lost_of(35, 9)) == 3 and PROFILE.tables["crisis"]["levels"][2] == 500


def test_g12_austrians_against_the_old_guard() -> None:
    """AGE-CBT-07, AGE-CBT-14: 5 against 35 is 1:7, read at 1:5; 999: Ad."""
    austrian = unit("a", "red", quality="austrian-line", front_mid=[500, 330])
    guard = unit("g", quality="french-old-guard", front_mid=[500, 300])
    step = done(battle(austrian, guard, phase="combat", side="red"), "combat", "a", "g", numbers=[999])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["column"], record["result"]) == (
        5, 35, "1:7", "1:5", "Ad",
    )  # fmt: skip
