"""The worked cases of Reason: every expected value worked out by hand from the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.rules.ages.combat.judge import fight_of, must_fight
from tabletop.rules.ages.combat.odds import result
from tabletop.rules.ages.movement.costs import forming_cost, wheel_cost
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.sequence import advance, begin
from tabletop.rules.reason.profile import PROFILE
from tabletop.rules.rule_set import MusterError
from tests.ages import Numbers, told, why
from tests.games.positions import ROOT
from tests.reason import BUILDER, battle, done, unit


def rifles_and_grenadiers(gap: float) -> tuple[Unit, Unit]:
    """Return minutemen (5) and, ``gap`` mm before them, British grenadiers (20)."""
    return (
        unit("rifles", "red", quality="american-minutemen", front_mid=[500, 300 + gap]),
        unit("grenadiers", quality="british-grenadiers", front_mid=[500, 300]),
    )


def test_g01_minutemen_at_90_mm_must_attack() -> None:
    """REA-INF-02, REA-INF-03: 5 against 20 is 1:4; 800: nothing. The grenadiers do not reach back."""
    scene = battle(*rifles_and_grenadiers(90.0), phase="combat", side="red")
    assert must_fight(scene, "red") == {"rifles": ("grenadiers",)} and must_fight(scene, "blue") == {}
    near = battle(*rifles_and_grenadiers(50.0), phase="combat", side="blue")
    assert must_fight(near, "blue") == {"grenadiers": ("rifles",)}, "near enough they attack back"
    step = done(scene, "combat", "rifles", "grenadiers", numbers=[800])
    assert (told(step, "combat")["odds"], told(step, "combat")["result"]) == ("1:4", "")


def test_results_at_that_distance_fall_on_both() -> None:
    """REA-INF-03: Dx disrupts both sides, though one of them could not fire back. 5 against 5, 150: Dx."""
    rifles = unit("rifles", "red", quality="american-minutemen", front_mid=[500, 390])
    militia = unit("m", quality="british-militia", front_mid=[500, 300])
    scene = battle(rifles, militia, phase="combat", side="red")
    assert (must_fight(scene, "red"), must_fight(scene, "blue")) == ({"rifles": ("m",)}, {})
    step = done(scene, "combat", "rifles", "m", numbers=[150])
    assert told(step, "combat")["result"] == "Dx"
    assert [step.battle.unit(name).status for name in ("rifles", "m")] == ["disrupted", "disrupted"]


def test_g02_not_at_101_mm() -> None:
    """REA-INF-02."""
    scene = battle(*rifles_and_grenadiers(101.0), phase="combat", side="red")
    assert must_fight(scene, "red") == {} and not ask(scene, "assault", ["rifles", "grenadiers"]).holds


@pytest.mark.parametrize(("behind", "bonus", "found"), [(20.0, -100, "Dd"), (21.0, 0, "Dd")])
def test_g04_grenadiers_against_militia_behind_the_fence(behind: float, bonus: int, found: str) -> None:
    """AGE-CBT-08: 20 against 5 is 4:1; 560 less 100 is 460, the third line: Dd. Beyond 20 mm it helps nobody."""
    fence = Terrain.of_kind("fence", "hedge", line=[(300, 330), (700, 330)])
    grenadiers = unit("g", quality="british-grenadiers", front_mid=[500, 310])
    militia = unit("m", "red", quality="american-militia", front_mid=[500, 330 + behind])
    scene = battle(grenadiers, militia, terrain=[fence], phase="combat")
    fight = fight_of(scene, ["g"], "m")
    assert (fight.odds, fight.bonus) == ("4:1", bonus)
    assert told(done(scene, "combat", "g", "m", numbers=[560]), "combat")["result"] == found
    assert result(PROFILE, "4:1", 460) == "Dd"


@pytest.mark.parametrize(("number", "rallied"), [(699, False), (700, True)])
def test_g05_militia_rallied_by_greene(number: int, rallied: bool) -> None:
    """AGE-RAL-01, AGE-RAL-07: militia needs 800, Greene adds 100."""
    militia = unit("m", quality="british-militia", status="disrupted", at=[500, 300])
    greene = unit("g", "blue", "general", at=[500, 272.5])
    unfolding = Unfolding(
        battle(militia, greene, unit("red", "red", at=[500, 700]), phase="rally"), Numbers([float(number)])
    )
    advance(unfolding)
    assert (unfolding.unit("m").status == "ok") is rallied


@pytest.mark.parametrize(("drill", "cost", "left"), [("prussian", 0.75, 15.0), ("nobody", 1.0, 0.0)])
def test_g06_prussian_line_to_column(drill: str, cost: float, left: float) -> None:
    """REA-FRM-01: three quarters of a move; a quarter of 60 mm is left."""
    line = unit("p", quality="prussian-line", front_mid=[500, 300])
    scene = battle(line, unit("red", "red", at=[500, 700]), discount=drill)
    assert forming_cost(line, "column", scene.rulings) == cost
    after = done(scene, "form", "p", formation="column").battle
    column = after.unit("p")
    plan = planned_move(after, column, "move", {"path": [(500, 310)]})
    assert (1.0 - plan.spent) * allowance(after, column, "move", plan.course) == pytest.approx(left)
    going = ask(after, "move", ["p"], {"path": [(500, 300 + left)]}) if left else None
    assert going is None or going.holds
    assert not ask(after, "move", ["p"], {"path": [(500, 301 + left)]}).holds


def test_g08_austrian_infantry_wheels_by_90_degrees() -> None:
    """AGE-MOV-02: one and a half moves: all of this turn's and half of the next, then 20 of 40 mm."""
    line = unit("a", quality="austrian-line", front_mid=[500, 300])
    scene = battle(line, unit("red", "red", at=[500, 700]))
    assert wheel_cost(line, 90.0, scene.rulings) == 1.5
    wheeled = done(scene, "move", "a", facing=90).battle
    assert wheeled.unit("a").marks["spent"] == 1.5
    unfolding = Unfolding(replace(wheeled, clock=replace(wheeled.clock, phase="combat")))
    while unfolding.battle.clock.side == "blue":
        advance(unfolding)
    owed = unfolding.unit("a").marks["debt"]
    assert owed == 0.5 and (1.0 - owed) * PROFILE.rows["infantry", "austrian-line"].move == 20.0


def test_g09_frederick_with_the_cuirassiers() -> None:
    """REA-GEN-03, AGE-CBT-10: 32 against 24 is 1:1; 520 and 100 for the charge and 200: 820, Dd."""
    horse = unit("h", "blue", "heavy-cavalry", quality="prussian", front_mid=[500, 300], marks={"charging": True})
    frederick = unit("f", "blue", "general", rank="great-captain", at=[500, 240])
    enemy = unit("e", "red", "heavy-cavalry", quality="austrian", front_mid=[500, 300.2])
    scene = battle(horse, frederick, enemy, phase="combat")
    step = done(scene, "combat", "h", "e", numbers=[150, 520])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["result"]) == (32, 24, "1:1", "Dd")
    assert sum(amount for _, amount, *_ in record["modifiers"]) == 300


def test_g10_guns_against_the_23rd() -> None:
    """AGE-ART-09, AGE-CBT-14: 10 against 1 is 7:1 at most, read at 6:1; 500: Dr."""
    foot = unit("f", quality="british-line", front_mid=[500, 300])
    guns = unit("g", "red", "foot-artillery", front_mid=[500, 330])
    step = done(battle(foot, guns, phase="combat"), "combat", "f", "g", numbers=[500])
    record = told(step, "combat")
    assert (record["odds"], record["column"], record["result"]) == ("7:1", "6:1", "Dr")


# --- armies ----------------------------------------------------------------------------------------------------------


def test_the_army_tables() -> None:
    """REA-GEN-02, REA-INF-01, REA-INF-02, REA-ART-01: 51 rows, seven nations; Prussian horse guns."""
    rows = PROFILE.rows
    assert len(rows) == 51
    war_of_seven_years = {"prussian", "austrian", "french", "russian", "british"}
    war_in_america = {"british", "hessian", "american"}
    assert {row.nation for row in replace(PROFILE).rows.values()} == war_of_seven_years | war_in_america
    assert [nation for troop, nation in rows if troop == "horse-artillery"] == ["prussian"]
    assert {row.reach for (_, quality), row in rows.items() if quality == "american-minutemen"} == {100.0}
    assert all(row.reach <= 50.0 for (_, quality), row in rows.items() if quality != "american-minutemen")
    assert rows["infantry", "hessian-line"].nation == "hessian"
    assert rows["horse-artillery", "prussian"].move == 120, "as in Destiny"
    with pytest.raises(MusterError, match="6 is not between"):
        unit("more", bases=6)
    assert unit("weak", bases=2).strength == 2
    assert "light-cavalry" not in PROFILE.troops and "lancer-cavalry" not in PROFILE.troops
    with pytest.raises(MusterError, match="light-cavalry"):
        unit("hussars", "blue", "light-cavalry")


@pytest.mark.parametrize("nation", ["prussian", "austrian", "french", "russian", "british"])
def test_dragoons_dismount_and_mount(nation: str) -> None:
    """REA-CAV-01: in a whole move; as many bases of infantry, slower than heavy cavalry on their horses."""
    rows = PROFILE.rows
    assert rows["dragoon-cavalry", nation].move == 110 < rows["heavy-cavalry", nation].move == 120
    horse = unit("d", "blue", "dragoon-cavalry", quality=nation, bases=3, front_mid=[500, 300])
    scene = battle(horse, unit("red", "red", at=[500, 700]))
    foot = done(scene, "form", "d", formation="dismounted").battle
    after = foot.unit("d")
    assert (after.troop, after.strength, after.formation) == ("dragoon-infantry", 3, "line")
    assert after.bases[0].frontage == 20.0 and after.front_mid == pytest.approx((500.0, 300.0))  # type: ignore[union-attr]
    assert why(foot, "move", "d", path=[(500, 301)]) == {"AGE-MOV-01"}
    assert why(foot, "form", "d", formation="mounted") == {"REA-CAV-01"}
    fresh = replace(foot, units=tuple(replace(u, marks={}) if u.id == "d" else u for u in foot.units))
    back = done(fresh, "form", "d", formation="mounted").battle.unit("d")
    assert (back.troop, back.bases) == (horse.troop, horse.bases)


def test_a_square_drives_off_cavalry() -> None:
    """REA-SQR-01: up to 399 the cavalry is disrupted."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    square = unit("red", "red", formation="square", at=[500, 300])
    square = square.moved(0.0, 300.2 - square.bounds[1])
    step = done(battle(horse, square, phase="combat"), "combat", "h", "red", numbers=[399])
    assert told(step, "square")["result"] == "repelled" and step.battle.unit("h").status == "disrupted"


def test_the_armies_of_the_rail_fence() -> None:
    """AGE-SET-05: 24 British bases and 34 American; all stand where nobody else does."""
    unfolding = Unfolding(load_scene(ROOT / "scenarios/reason/rail-fence.yaml"))
    begin(unfolding)
    assert [losses.army(unfolding.battle, side) for side in ("british", "american")] == [24, 34]
    assert BUILDER.rules.play is not None and not list(BUILDER.rules.play().faults(unfolding.battle))
