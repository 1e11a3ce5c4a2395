"""What the table answers: army tables, moves, manoeuvres, ranges, zones, sight, odds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.combat.odds import fire_result, line_of, ratio, result
from tabletop.rules.ages.combat.zones import zone_of
from tabletop.rules.ages.fire.judge import band_of, guns_of
from tabletop.rules.ages.morale.effects import suffer
from tabletop.rules.ages.morale.status import factor, strength
from tabletop.rules.ages.movement.costs import forming_cost, wheel_cost
from tabletop.rules.ages.movement.layouts import fewer, standing_in
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.tables import row
from tabletop.rules.realm_of_chance.printed_odds import printed
from tabletop.rules.realm_of_chance.printed_odds import ratio as as_printed
from tabletop.rules.realm_of_chance.profile import PROFILE
from tabletop.rules.rule_set import MusterError
from tests.bases import rectangles
from tests.realm import allowed, battle, done, unit, why

PRINTED = {"odds": "printed"}
PRUSSIAN = unit("prussian", quality="prussian-line")


# --- armies, bases ---------------------------------------------------------------------------------------------------


def test_the_army_tables() -> None:
    """ROC-EFF-01: 52 rows; a few read back, the rally value of each between 2 and 6."""
    assert len(PROFILE.rows) == 52
    guard = PROFILE.rows["infantry", "french-old-guard"]
    assert (guard.normal, guard.disrupted, guard.rally, guard.move, guard.charge) == (7, 3, 2, 60.0, 10.0)
    assert PROFILE.rows["horse-artillery", "warsaw"].difficult == -30
    assert {r.nation for r in PROFILE.rows.values()} == {
        "french", "german-allied", "warsaw", "austrian", "british", "prussian", "russian",
    }  # fmt: skip
    assert all(2 <= r.rally <= 6 and r.normal >= r.disrupted >= 1 and r.difficult < 0 for r in PROFILE.rows.values())


def test_scale() -> None:
    """ROC-SCA-01."""
    assert PROFILE.tables["scale"] == {"metres": 2.0, "minutes": 5, "men": [100, 125]}


@pytest.mark.parametrize(
    ("troop", "bases", "size"),
    [("infantry", 5, (100.0, 15.0)), ("heavy-cavalry", 4, (120.0, 40.0)), ("heavy-artillery", 1, (20.0, 40.0))],
)
def test_bases(troop: str, bases: int, size: tuple[float, float]) -> None:
    """ROC-SCA-02, ROC-SCA-03, ROC-SCA-04: the whole unit unless said, in line."""
    made = unit("a", "blue", troop)
    x0, y0, x1, y1 = made.footprint.bounds
    assert made.strength == bases and (x1 - x0, y1 - y0) == size


def test_a_general_is_a_base_without_strength() -> None:
    """ROC-SCA-04, ROC-ORD-03: 30 by 40, no formation, nobody's enemy."""
    general = unit("g", "blue", "general", at=[100, 100])
    (base,) = rectangles(general.bases)
    assert (base.frontage, base.depth) == (30.0, 40.0)
    assert general.is_general and unit("s", "blue", "staff-officer").is_general
    assert battle(general, unit("red", "red")).enemies(unit("red", "red")) == ()


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        ({"quality": "french-landwehr"}, "quality"),
        ({"bases": 6}, "bases"),
        ({"formation": "limbered"}, "formation"),
        ({"base": [25, 15]}, "base"),
        ({"status": "demoralized"}, "status"),
        ({"front": 2}, "front"),
        ({"rank": "corps"}, "rank"),
    ],
)
def test_what_cannot_be_mustered(keys: dict[str, Any], key: str) -> None:
    with pytest.raises(MusterError) as caught:
        unit("a", **keys)
    assert caught.value.key == key


def test_losses_shrink_the_footprint() -> None:
    """A line loses the base farther from the enemy, a column its rear one; a square closes up."""
    line = unit("a", at=[500, 300])
    assert [b.x for b in fewer(line, (600, 400)).bases] == [480, 500, 520, 540]
    assert [b.x for b in fewer(line, (400, 400)).bases] == [460, 480, 500, 520]
    column = unit("a", formation="column", front_mid=[500, 300])
    assert fewer(column, (500, 400)).front_mid == column.front_mid
    square = unit("a", formation="square", at=[500, 300])
    assert fewer(square, (500, 400)).at == pytest.approx(square.at)


# --- moves -----------------------------------------------------------------------------------------------------------


def _allowance(terrain: list[Terrain], kind: str = "move", **keys: Any) -> float:
    mover = unit("blue", front_mid=[500, 300], **keys)
    scene = battle(mover, terrain=terrain)
    return allowance(scene, mover, kind, planned_move(scene, mover, kind, {"path": [(500, 320)]}).course)


WOOD = Terrain.of_kind("wood", "woods", outline=[(520, 290), (560, 290), (560, 330), (520, 330)])
HILL = Terrain.of_kind("hill", "hill", outline=[(400, 310), (600, 310), (600, 400), (400, 400)], level=1)
STREAM = Terrain.of_kind("stream", "stream", line=[(400, 315), (600, 315)])
ROAD = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)


def test_the_figures_of_the_ground() -> None:
    """ROC-MOV-02: difficult once, if any part of the unit crosses it; woods, hills and streams are difficult."""
    assert _allowance([]) == 50.0
    for piece in (WOOD, HILL, STREAM):
        assert _allowance([piece]) == 40.0
    assert _allowance([WOOD, HILL, STREAM]) == 40.0
    assert _allowance([WOOD], formation="column") == 60.0, "the column passes beside the wood"


def test_a_road_helps_who_never_leaves_it() -> None:
    """ROC-MOV-02: a column on the road, or limbered guns; not a line, and not beside it."""
    assert _allowance([ROAD], formation="column") == 70.0
    assert _allowance([ROAD, HILL], formation="column") == 70.0
    assert _allowance([ROAD]) == 50.0
    guns = unit("blue", "blue", "horse-artillery", formation="limbered", front_mid=[500, 300])
    scene = battle(guns, terrain=[ROAD])
    assert allowance(scene, guns, "move", planned_move(scene, guns, "move", {"path": [(500, 320)]}).course) == 140.0
    assert allowance(scene, guns, "move", planned_move(scene, guns, "move", {"path": [(520, 320)]}).course) == 120.0


def test_charges() -> None:
    """ROC-MOV-02, ROC-MOV-04: a charge adds 10; a column has it already."""
    assert _allowance([], "charge") == 60.0
    assert _allowance([], "charge", formation="column") == 60.0
    assert _allowance([], "move", formation="column") == 60.0


def test_a_charge_every_third_turn_at_somebody() -> None:
    """ROC-MOV-03: turn t, then t + 3."""
    red = unit("red", "red", at=[500, 390])
    for last, now, may in ((1, 2, False), (1, 3, False), (1, 4, True), (None, 1, True)):
        marks = {"charged": last} if last else {}
        scene = battle(unit("blue", at=[500, 300], marks=marks), red, turn=now)
        assert allowed(scene, "charge", "blue", path=[(500, 340)]) is may
    assert why(battle(unit("blue", at=[500, 200]), red), "charge", "blue", path=[(500, 250)]) == {"ROC-MOV-03"}


def test_going_back() -> None:
    """ROC-MOV-06: a Prussian withdraws 20 mm facing the enemy, or retreats 40 with his back turned."""
    scene = battle(PRUSSIAN)
    assert allowed(scene, "withdraw", "prussian", distance=20.0)
    assert not allowed(scene, "withdraw", "prussian", distance=20.2)
    assert allowed(scene, "retreat", "prussian", distance=40.0)
    assert not allowed(scene, "retreat", "prussian", distance=40.2)
    back = done(scene, "withdraw", "prussian", distance=20.0).battle.unit("prussian")
    assert back.at == pytest.approx((500, 280)) and back.facing == 0.0 and factor(back) == 2
    away = done(scene, "retreat", "prussian", distance=40.0).battle.unit("prussian")
    assert away.at == pytest.approx((500, 260)) and away.facing == 180.0
    assert factor(away) == 1, "attacked as disrupted"


def test_one_move_a_turn_within_the_allowance() -> None:
    """ROC-MOV-01."""
    scene = battle(unit("blue"), unit("other", at=[700, 300]))
    after = done(scene, "move", "blue", path=[(500, 337.5)]).battle
    assert after.unit("blue").marks["spent"] == pytest.approx(0.6)
    assert "ROC-MOV-01" in why(after, "move", "blue", path=[(500, 340)])
    assert allowed(after, "move", "other", path=[(700, 340)])
    assert "ROC-MOV-01" in why(scene, "move", "blue", path=[(500, 357.8)])
    lake = Terrain.of_kind("lake", "lake", outline=[(400, 330), (600, 330), (600, 400), (400, 400)])
    assert why(battle(unit("blue"), terrain=[lake]), "move", "blue", path=[(500, 340)]) == {"ROC-MOV-01"}


# --- manoeuvres ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "infantry", "cavalry"),
    [(15, 0.25, 0.5), (45, 0.75, 0.5), (90, 1.5, 0.5), (91, 1.5167, 1.0), (135, 1.25, 1.0), (180, 0.5, 1.0)],
)
def test_wheels(degrees: float, infantry: float, cavalry: float) -> None:
    """ROC-FRM-02: in proportion for infantry, never dearer than about and back; two prices for cavalry."""
    assert wheel_cost(PRUSSIAN, degrees) == wheel_cost(PRUSSIAN, -degrees) == pytest.approx(infantry, abs=1e-4)
    assert wheel_cost(unit("h", "blue", "light-cavalry", quality="prussian"), degrees) == cavalry


@pytest.mark.parametrize("troop", ["infantry", "light-cavalry", "horse-artillery"])
def test_no_turn_is_no_wheel(troop: str) -> None:
    """ROC-FRM-02: horse and limbered guns have one cost up to 90 degrees, but not for going straight on."""
    mover = unit("m", "blue", troop, quality="prussian-line" if troop == "infantry" else "prussian")
    assert wheel_cost(mover, 0.0) == 0.0 < wheel_cost(mover, 1.0)


def test_changes_of_formation() -> None:
    """ROC-FRM-01, ROC-FRM-03."""
    line, column, square = (standing_in(PRUSSIAN, f) for f in ("line", "column", "square"))
    assert forming_cost(line, "column") == forming_cost(column, "line") == 1.0
    assert forming_cost(line, "square") == forming_cost(square, "line") == 0.5
    assert forming_cost(column, "square") == forming_cost(square, "column") == 0.25
    horse = unit("h", "blue", "heavy-cavalry", quality="prussian")
    assert forming_cost(horse, "column") == 0.5
    assert forming_cost(line, "line") is None


def test_the_french_are_spared_a_quarter() -> None:
    """ROC-FRM-04: never below nothing, cavalry too, no other nation."""
    french = unit("f")
    assert forming_cost(french, "column") == 0.75
    assert forming_cost(standing_in(french, "column"), "square") == 0.0
    assert wheel_cost(french, 45) == 0.5 and wheel_cost(french, 10) == 0.0
    assert wheel_cost(unit("h", "blue", "light-cavalry"), 90) == 0.25
    assert forming_cost(unit("w", quality="warsaw-line"), "column") == 1.0


def test_what_is_too_much_is_owed() -> None:
    """ROC-FRM-01: a quarter turn of Prussians costs a move and a half: the half is taken from the next one."""
    scene = battle(PRUSSIAN, unit("red", "red", at=[500, 700]))
    turned = done(scene, "move", "prussian", facing=90.0).battle
    assert turned.unit("prussian").marks["spent"] == 1.5
    after = done(turned, "done").battle  # the red side rallies, has no guns, and is to move
    assert after.unit("prussian").marks["debt"] == pytest.approx(0.5)
    again = done(after, "done").battle
    assert again.clock.turn == 2 and again.unit("prussian").marks == {"spent": pytest.approx(0.5)}
    assert allowed(again, "move", "prussian", path=[(520, 307.5)])
    assert not allowed(again, "move", "prussian", path=[(520.2, 307.5)])


def test_nothing_left_for_a_manoeuvre() -> None:
    """ROC-FRM-01: with a whole move gone no other wheel, no other formation."""
    scene = battle(unit("blue", quality="prussian-line", marks={"spent": 1.0}))
    assert "ROC-FRM-01" in why(scene, "move", "blue", facing=90.0)
    assert "ROC-FRM-01" in why(scene, "form", "blue", formation="column")


def test_guns_take_a_whole_move_to_limber() -> None:
    """ROC-ART-09: not after they fired, not after they moved; unlimbered they stay where they are."""
    guns = unit("guns", "blue", "heavy-artillery")
    assert "ROC-ART-09" in why(battle(guns), "move", "guns", path=[(500, 330)])
    after = done(battle(guns), "form", "guns", formation="limbered").battle
    assert after.unit("guns").formation == "limbered"
    assert "ROC-MOV-01" in why(after, "move", "guns", path=[(500, 330)])
    fired = replace(guns, marks={"fired": "red"})
    assert why(battle(fired), "form", "guns", formation="limbered") == {"ROC-ART-09"}
    moved = unit("guns", "blue", "heavy-artillery", formation="limbered", marks={"spent": 0.2})
    assert why(battle(moved), "form", "guns", formation="unlimbered") == {"ROC-ART-09"}


def test_cavalry_forms_no_square_and_squares_do_not_move() -> None:
    """ROC-FRM-03, ROC-FRM-06."""
    assert not allowed(battle(unit("h", "blue", "light-cavalry")), "form", "h", formation="square")
    assert why(battle(unit("a", formation="square")), "move", "a", path=[(500, 340)]) == {"ROC-FRM-06"}


def test_a_house_shelters_one_unit() -> None:
    house = Terrain.of_kind("house", "town", outline=[(465, 310), (535, 310), (535, 380), (465, 380)])
    scene = battle(unit("a", at=[500, 302]), unit("b", at=[500, 388]), terrain=[house])
    inside = done(scene, "form", "a", formation="garrison").battle
    assert inside.unit("a").at == pytest.approx((500, 345)) and inside.unit("a").formation == "garrison"
    assert why(inside, "form", "b", formation="garrison") >= {"ROC-FRM-01"}
    assert not allowed(battle(unit("a", at=[500, 200]), terrain=[house]), "form", "a", formation="garrison")


# --- sight, fire, zones ----------------------------------------------------------------------------------------------


def test_direct_sight() -> None:
    """ROC-ART-07: a hill or a unit between hides; generals do not; the same both ways."""
    gun = unit("gun", "blue", "heavy-artillery", at=[500, 300])
    red = unit("red", "red", at=[500, 600])
    ridge = Terrain.of_kind("ridge", "hill", outline=[(300, 430), (700, 430), (700, 470), (300, 470)], level=1)
    friend = unit("friend", at=[500, 450])
    general = unit("general", "blue", "general", at=[500, 350])
    for others, pieces, seen in (((), (), True), ((friend,), (), False), ((general,), (), True), ((), (ridge,), False)):
        scene = battle(gun, red, *others, terrain=pieces, phase="artillery")
        for a, b in (("gun", "red"), ("red", "gun")):
            assert ask(scene, "los", [a, b]).holds is seen
        assert ask(scene, "fire", ["gun", "red"]).holds is seen
        assert allowed(scene, "bombard", "gun", "red") is seen


def test_nobody_fires_over_others_from_a_hill() -> None:
    """ROC-ART-07: not even from two levels up."""
    hill = Terrain.of_kind("hill", "hill", outline=[(450, 200), (550, 200), (550, 330), (450, 330)], level=2)
    gun, red = unit("gun", "blue", "heavy-artillery", at=[500, 300]), unit("red", "red", at=[500, 600])
    assert ask(battle(gun, red, terrain=[hill]), "fire", ["gun", "red"]).holds
    assert not ask(battle(gun, red, unit("friend", at=[500, 450]), terrain=[hill]), "fire", ["gun", "red"]).holds


def test_range_bands() -> None:
    """ROC-ART-04, ROC-ART-05: a limit belongs to the nearer band; the tape's tenth of a mm counts as the limit."""
    scene = battle()
    found = [band_of(scene, "heavy", d) for d in (0, 60, 60.2, 120, 120.2, 180, 180.2, 500, 500.2)]
    assert found == [0, 0, 1, 1, 2, 2, 3, 3, None]
    assert [band_of(scene, "horse", d) for d in (60.09, 180, 180.2)] == [0, 2, None]
    light = guns_of(unit("g", "blue", "horse-artillery"))
    assert light == "horse", "the armies' light guns (ROC-ART-02)"
    assert [band_of(scene, light, d) for d in (60, 60.2, 120, 120.2, 180, 180.2)] == [0, 1, 1, 2, 2, None]


def test_the_fire_table() -> None:
    """ROC-ART-03: heavy guns hit at least as hard as horse guns; nothing at a 1; above 6 counts as 6."""
    rank = {"": 0, "Dd": 1, "Dr": 2}
    for band in range(3):
        for die in range(1, 7):
            assert rank[fire_result(PROFILE, "heavy", band, die)] >= rank[fire_result(PROFILE, "horse", band, die)]
        assert fire_result(PROFILE, "heavy", band, 1) == "" and fire_result(PROFILE, "heavy", band, 8) == "Dr"
    assert [fire_result(PROFILE, "heavy", 3, die) for die in range(1, 7)] == ["", "", "", "", "Dd", "Dd"]


def test_only_guns_in_order_fire_once() -> None:
    """ROC-ART-01."""
    red = unit("red", "red", at=[500, 500])
    gun = unit("gun", "blue", "heavy-artillery", at=[500, 300])
    assert why(battle(replace(gun, status="disrupted"), red, phase="artillery"), "bombard", "gun", "red") == {
        "ROC-ART-01"
    }
    fired = done(
        battle(gun, unit("two", "blue", "heavy-artillery", at=[560, 300]), red, phase="artillery"),
        "bombard",
        "gun",
        "red",
        dice=[1],
    )
    assert why(fired.battle, "bombard", "gun", "red") == {"ROC-ART-01"}
    with pytest.raises(BadQuestion):
        ask(battle(unit("foot"), red), "fire", ["foot", "red"])


@pytest.mark.parametrize(
    ("point", "zone"), [((500, 560), "front"), ((560, 520), "front"), ((600, 520), "flank"), ((500, 450), "rear")]
)
def test_zones(point: tuple[float, float], zone: str) -> None:
    """ROC-CBT-05: a line 100 by 15 at (500, 500) facing north; a square has only a front."""
    scene, line = battle(), unit("line", at=[500, 500])
    assert zone_of(scene, line, point) == zone
    assert zone_of(scene, standing_in(line, "square"), point) == "front"
    turned = line.turned(90.0)
    x, y = point[0] - 500, point[1] - 500
    assert zone_of(scene, turned, (500 + y, 500 - x)) == zone


def test_zones_as_a_question() -> None:
    """ROC-CBT-05."""
    verdict = ask(battle(unit("line", at=[500, 500]), unit("red", "red", at=[500, 600])), "zones", ["line"])
    assert verdict.measured["front"] == ["red"] and len(verdict.shapes) == 2


# --- combat ----------------------------------------------------------------------------------------------------------


def test_who_can_attack() -> None:
    """ROC-CBT-02, ROC-CBT-03: infantry to 50 mm, cavalry in contact; not routing, not with its back turned."""
    red = unit("red", "red", at=[500, 365])
    for gap, holds in ((50.0, True), (50.2, False)):
        scene = battle(unit("blue", front_mid=[500, 357.5 - gap]), red, phase="combat")
        assert ask(scene, "assault", ["blue", "red"]).holds is holds
    for gap, holds in ((0.5, True), (0.7, False)):
        horse = unit("horse", "blue", "light-cavalry", front_mid=[500, 357.5 - gap])
        assert distance_between(horse, red) == pytest.approx(gap, abs=1e-3)
        assert ask(battle(horse, red, phase="combat"), "assault", ["horse", "red"]).holds is holds
    for keys in ({"status": "routing"}, {"marks": {"retreating": True}}):
        assert not ask(battle(unit("blue", at=[500, 330], **keys), red), "assault", ["blue", "red"]).holds


def test_strengths() -> None:
    """ROC-CBT-03, ROC-CBT-10: disrupted, routing and square fight at the lower factor."""
    assert strength(unit("a")) == 10
    assert strength(unit("a", status="disrupted")) == strength(unit("a", status="routing")) == 5
    assert strength(unit("a", formation="square")) == 5
    assert strength(unit("g", "blue", "heavy-artillery", status="disrupted")) == 1


def test_arms_together() -> None:
    """ROC-CBT-04: guns are an arm if they fired at the defender this turn, and add no strength unless so ruled."""
    foot, red = unit("foot", at=[460, 320]), unit("red", "red", at=[500, 355])
    horse = unit("horse", "blue", "light-cavalry", at=[572, 327.5])
    gun = unit("gun", "blue", "heavy-artillery", at=[300, 300], marks={"fired": "red"})
    scene = battle(foot, horse, gun, red, phase="combat")
    assert [u.amount for u in fight_of(scene, ["foot", "horse"], "red").ups if u.rule == "ROC-CBT-04"] == [2.0]
    cold = battle(foot, horse, replace(gun, marks={"fired": "other"}), red, phase="combat")
    assert [u.amount for u in fight_of(cold, ["foot", "horse"], "red").ups if u.rule == "ROC-CBT-04"] == [1.0]
    assert not [u for u in fight_of(cold, ["foot"], "red").ups if u.rule == "ROC-CBT-04"]
    assert fight_of(scene, ["foot"], "red").attack == 10
    assert fight_of(scene.with_ruling("guns_add_strength", True), ["foot"], "red").attack == 11


def test_flank_and_rear_do_not_add_up() -> None:
    """ROC-CBT-05: a column from the flank, two from the rear; of several attackers the best."""
    red = unit("red", "red", at=[500, 355])
    beside = unit("beside", at=[567.6, 355], facing=270)
    behind = unit("behind", at=[500, 390], facing=180)
    scene = battle(beside, behind, red, phase="combat")
    assert [fight_of(scene, [n], "red").ups[0].amount for n in ("beside", "behind")] == [1.0, 2.0]
    assert [u.amount for u in fight_of(scene, ["beside", "behind"], "red").ups] == [2.0]


def test_the_die_of_combat() -> None:
    """ROC-CBT-06, -07, -08, -09: ground, charge, square, generals; the generals of both sides cancel."""
    hill = Terrain.of_kind("hill", "hill", outline=[(400, 340), (600, 340), (600, 400), (400, 400)], level=1)
    blue, red = unit("blue", at=[500, 310]), unit("red", "red", at=[500, 355])

    def bonus(*units: Any, terrain: list[Terrain] | None = None) -> int:
        return fight_of(battle(*units, terrain=terrain or [], phase="combat"), ["blue"], "red").bonus

    assert bonus(blue, red) == 0
    assert bonus(blue, red, terrain=[hill]) == -1
    low = Terrain.of_kind("hill", "hill", outline=[(400, 290), (600, 290), (600, 330), (400, 330)], level=1)
    assert bonus(blue, red, terrain=[low]) == 1
    assert bonus(blue, red, terrain=[Terrain.of_kind("s", "stream", line=[(400, 330), (600, 330)])]) == -1
    assert bonus(replace(blue, marks={"charging": True}), red) == 1
    assert bonus(blue, unit("red", "red", formation="square", front_mid=[500, 345])) == 1
    with_blue = unit("g", "blue", "general", at=[500, 282])
    with_red = unit("h", "red", "general", at=[500, 383])
    assert bonus(blue, red, with_blue) == 1
    assert bonus(blue, red, with_red) == -1
    assert bonus(blue, red, with_blue, with_red) == 0


def test_modified_dice_stay_on_the_table() -> None:
    """ROC-CBT-11, ROC-CBT-12: a dash changes nothing."""
    assert [line_of(PROFILE, face) for face in (-1, 0, 1, 6, 7, 9)] == [0, 0, 0, 5, 5, 5]
    assert result(PROFILE, "1:1", 0) == result(PROFILE, "1:1", 1) == "Ad"
    assert result(PROFILE, "2:1", 2) == ""
    scene = battle(unit("blue", front_mid=[500, 300]), unit("red", "red", front_mid=[500, 330]))
    unfolding = Unfolding(scene)
    assert suffer(unfolding, "", ("blue",), "red", (500.0, 300.0)) == () and unfolding.battle == scene


def test_results_never_get_worse_for_the_attacker_with_the_die() -> None:
    """Down a column a higher die is never worse for the attacker; the same to the right along a row."""
    data = PROFILE.tables["combat"]
    rank = {"Ar": 0, "Ad": 1, "Dx": 2, "": 3, "Dd": 5, "Dr": 6}

    def order(die: int, k: int) -> int:
        code = data["results"][die - 1][k]
        return 4 if code == "Dx" and die + k >= 8 else rank[code]

    for die in range(1, 7):
        for k in range(10):
            assert die == 6 or order(die, k) <= order(die + 1, k)
            assert k == 9 or order(die, k) <= order(die, k + 1)


# --- odds ------------------------------------------------------------------------------------------------------------

#: The cells of the printed table that are not the ratio: defending v attacking.
MISPRINTS = {
    14: [28], 9: [18], 8: [24, 18, 16, 3], 7: [21, 18, 16, 15, 14], 6: [24, 20, 18, 16, 15, 14, 12],
    5: [25, 20, 16, 15, 3, 2, 1], 4: [7, 3, 2, 1], 3: [8, 1], 2: [3, 2, 1], 1: [3, 2, 1],
}  # fmt: skip


def test_the_printed() -> None:
    """ROC-ODD-02, ROC-ODD-03: 447 of 484 cells are the ratio; unlisted strengths have it under either ruling."""
    data = printed()
    wrong: dict[int, list[int]] = {}
    for d in map(int, data["defending"]):
        off = [a for a in data["attacking"] if as_printed(a, d, PRINTED) != ratio(a, d)]
        if off:
            wrong[d] = off
    assert wrong == MISPRINTS and sum(map(len, wrong.values())) == 484 - 447
    for a, d in ((11, 10), (13, 6), (17, 8), (40, 10), (40, 4)):
        assert as_printed(a, d, PRINTED) == ratio(a, d)
    assert [ratio(a, d) for a, d in ((11, 10), (13, 6), (17, 8), (40, 10), (8, 0))] == [
        "1:1",
        "2:1",
        "2:1",
        "4:1",
        "7:1",
    ]


def test_the_ruling_on_odds_is_asked() -> None:
    """ROC-ODD-02: 18 against 9 is 2:1, in the printed table 1:1."""
    blue = unit("blue", quality="russian-grenadiers", bases=3, at=[500, 310])  # 3 * 3
    two = unit("two", quality="russian-grenadiers", bases=3, at=[440, 310])
    red = unit("red", "red", quality="russian-grenadiers", bases=3, at=[470, 355])
    scene = battle(blue, two, red, phase="combat")
    assert fight_of(scene, ["blue", "two"], "red").odds == "2:1"
    assert fight_of(scene.with_ruling("odds", "printed"), ["blue", "two"], "red").odds == "1:1"


def test_the_example_of_french_line() -> None:
    """ROC-EFF-01: the row behind a unit."""
    assert row(unit("a")).rally == 5


def test_the_field_of_fire() -> None:
    """ROC-ART-05, ROC-CBT-02: bands all round a battery, 50 mm about infantry, nothing about cavalry."""
    gun, foot, horse = unit("gun", "blue", "heavy-artillery"), unit("foot"), unit("horse", "blue", "light-cavalry")
    scene = battle(gun, unit("foot", at=[300, 300]), unit("horse", "blue", "light-cavalry", at=[700, 300]))
    assert [len(ask(scene, "field", [u.id]).shapes) for u in (gun, foot, horse)] == [4, 1, 0]
    assert [ask(scene, "field", [u.id]).measured["range"] for u in (gun, foot, horse)] == [500.0, 50.0, None]
