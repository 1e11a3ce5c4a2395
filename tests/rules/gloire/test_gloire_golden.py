"""The worked cases of Gloire: every expected value worked out by hand from the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.morale.crisis import BY_THE_BOOK
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.sequence import begin
from tabletop.rules.common.crisis import reached
from tabletop.rules.gloire.profile import PROFILE
from tabletop.rules.rule_set import MusterError
from tests.ages import allowed, told, why
from tests.games.positions import ROOT
from tests.gloire import BUILDER, battle, done, unit


def size_of(formation: str) -> tuple[float, float]:
    west, south, east, north = unit("b", formation=formation).bounds
    return east - west, north - south


def test_g01_a_battalion_of_five() -> None:
    """GLO-INF-01: 100 by 15 mm in line, 20 by 75 in column."""
    assert size_of("line") == pytest.approx((100.0, 15.0)) and size_of("column") == pytest.approx((20.0, 75.0))
    with pytest.raises(MusterError, match="6 is not between"):
        unit("more", bases=6)


@pytest.mark.parametrize(("number", "found"), [(499, ""), (500, "Dx")])
def test_g02_foot_guards_attack_navarre(number: int, found: str) -> None:
    """GLO-INF-02: 25 against 10 is 2:1."""
    guards, navarre = unit("g", quality="british-guards", front_mid=[500, 300]), unit("n", "red", front_mid=[500, 330])
    step = done(battle(guards, navarre, phase="combat"), "combat", "g", "n", numbers=[number])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["result"]) == (25, 10, "2:1", found)


def test_g04_lumley_charges_the_gendarmerie_in_the_flank() -> None:
    """AGE-CBT-13, AGE-CBT-10: 24 against 32 is 1:1, from the flank 2:1; 320 and 100: nothing."""
    gendarmerie = unit("e", "red", "heavy-cavalry", front_mid=[500, 300], facing=90)
    lumley = unit("l", "blue", "heavy-cavalry", front_mid=[480, 300], marks={"charging": True}, facing=0)
    lumley = lumley.moved(0.0, gendarmerie.bounds[1] - 0.2 - lumley.bounds[3])
    scene = battle(lumley, gendarmerie, phase="combat")
    fight = fight_of(scene, ["l"], "e")
    assert (fight.attack, fight.defence, fight.odds, fight.zone, fight.column) == (24, 32, "1:1", "flank", "2:1")
    assert told(done(scene, "combat", "l", "e", numbers=[320]), "combat")["result"] == ""


def test_g05_orkney_attacks_the_mill_with_marlborough() -> None:
    """GLO-GEN-02, AGE-CBT-08: 480 and 200 less 100 is 580, 1:1: nothing."""
    mill = Terrain.of_kind("mill", "town", outline=[(460, 320), (540, 320), (540, 400), (460, 400)], scale=25.4)
    orkney = unit("o", front_mid=[500, 300])
    languedoc = unit("l", "red", formation="garrison", at=[500, 340])
    marlborough = unit("m", "blue", "general", rank="great-captain", at=[500, 265])
    scene = battle(orkney, languedoc, marlborough, terrain=[mill], phase="combat")
    step = done(scene, "combat", "o", "l", numbers=[150, 480])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["result"]) == (10, 10, "1:1", "")
    assert sum(amount for _, amount, *_ in record["modifiers"]) == 100


@pytest.mark.parametrize(
    ("number", "fate", "bonus"), [(49, "killed", 0), (99, "wounded", 0), (149, "shaken", 0), (150, "unhurt", 200)]
)
def test_g06_marlborough_under_fire(number: int, fate: str, bonus: int) -> None:
    """AGE-RAL-08, GLO-GEN-02."""
    orkney, navarre = unit("o", front_mid=[500, 300]), unit("n", "red", front_mid=[500, 330])
    marlborough = unit("m", "blue", "general", rank="great-captain", at=[500, 265])
    step = done(battle(orkney, navarre, marlborough, phase="combat"), "combat", "o", "n", numbers=[number, 300])
    assert told(step, "under fire")["result"] == fate
    assert sum(amount for _, amount, *_ in told(step, "combat")["modifiers"]) == bonus
    assert step.battle.has("m") is (fate in ("shaken", "unhurt"))


@pytest.mark.parametrize(("number", "found"), [(549, ""), (550, "Dd")])
def test_g08_foot_guns_at_a_column_at_190_mm(number: int, found: str) -> None:
    """AGE-ART-02, AGE-ART-10: a column adds 100; the last band from 650 on."""
    gun = unit("g", "blue", "foot-artillery", front_mid=[500, 300])
    column = unit("n", "red", formation="column", front_mid=[500, 490])
    step = done(battle(gun, column, phase="artillery"), "bombard", "g", "n", numbers=[number])
    assert told(step, "fire")["result"] == found


def test_g09_ross_on_the_causeway() -> None:
    """AGE-MOV-07, AGE-MOV-09: 110, 20 for the column, 20 for the road, and nothing off for the stream beside it."""
    causeway = Terrain.of_kind("causeway", "road", line=[(500, 200), (500, 500)], width=40)
    streams = [
        Terrain.of_kind("west", "stream", line=[(0, 350), (480, 350)], width=20),
        Terrain.of_kind("east", "stream", line=[(520, 350), (1000, 350)], width=20),
    ]
    ross = unit("r", "blue", "dragoon-cavalry", bases=3, formation="column", front_mid=[500, 330])
    scene = battle(ross, unit("red", "red", at=[500, 700]), terrain=[causeway, *streams])
    plan = planned_move(scene, ross, "move", {"path": [(500, 420)]})
    assert allowance(scene, ross, "move", plan.course) == 150.0 and not plan.against
    line = unit("f", formation="line", front_mid=[500, 330])
    slowed = battle(line, unit("red", "red", at=[500, 700]), terrain=[causeway, *streams])
    over = planned_move(slowed, line, "move", {"path": [(500, 355)]})
    assert allowance(slowed, line, "move", over.course) == 30.0, "a line on it wades on both sides"


def test_g10_the_allied_marks() -> None:
    """AGE-SET-05: 5 of 33 bases are the first mark; the French are 28."""
    unfolding = Unfolding(load_scene(ROOT / "scenarios/gloire/causeway.yaml"))
    begin(unfolding)
    assert [losses.army(unfolding.battle, side) for side in ("allied", "french")] == [33, 28]
    hurt = replace(unfolding.battle, memory={**unfolding.battle.memory, "lost:allied": 5})
    assert losses.mark(33, 15) == 5 and reached(hurt, "allied", BY_THE_BOOK.levels(hurt, "allied")) == 1
    assert BUILDER.rules.play is not None and not list(BUILDER.rules.play().faults(unfolding.battle))


# --- armies, dragoons, initiative ------------------------------------------------------------------------------------


def test_the_army_tables() -> None:
    """GLO-CAV-01, GLO-CAV-02, GLO-ART-01: 31 rows; shock heavy, dragoons, medium; foot guns alone."""
    rows = PROFILE.rows
    assert len(rows) == 31
    assert {troop for troop, _ in rows if troop.endswith("artillery")} == {"foot-artillery"}
    assert "horse-artillery" not in replace(PROFILE).troops
    for nation in {row.nation for row in rows.values()}:
        shock = [
            rows[t, nation].normal
            for t in ("heavy-cavalry", "dragoon-cavalry", "medium-cavalry")
            if (t, nation) in rows
        ]
        pace = [
            rows[t, nation].move for t in ("dragoon-cavalry", "heavy-cavalry", "medium-cavalry") if (t, nation) in rows
        ]
        assert shock == sorted(set(shock), reverse=True) and pace == sorted(pace)


def test_dragoons_dismount_and_mount_in_a_move() -> None:
    """GLO-CAV-03: no move with it, combat on foot at once; not out of a square, nor a second time in the turn."""
    horse = unit("d", "blue", "dragoon-cavalry", bases=3, formation="column", front_mid=[500, 300])
    enemy = unit("e", "red", front_mid=[500, 340])
    scene = battle(horse, enemy, square_when="never")
    moved = done(scene, "move", "d", path=[(500, 310)]).battle
    assert why(moved, "form", "d", formation="dismounted") == {"GLO-CAV-03"}
    after = done(scene, "form", "d", formation="dismounted").battle
    assert (after.unit("d").troop, after.unit("d").formation) == ("dragoon-infantry", "column")
    fight = fight_of(replace(after, clock=replace(after.clock, phase="combat")), ["d"], "e")
    assert fight.attack == 3 and ask(after, "assault", ["d", "e"]).holds
    square = unit("s", "blue", "dragoon-infantry", bases=3, formation="square", at=[300, 300])
    assert not allowed(battle(square, enemy), "form", "s", formation="mounted")
    assert not allowed(battle(unit("l", at=[300, 300]), enemy), "form", "l", formation="mounted")


def test_french_initiative() -> None:
    """GLO-ORD-01: by ruling alone, and to attack or support instead of holding."""
    navarre, blue = unit("n", "red", at=[500, 600], marks={"order": "hold"}), unit("b", marks={"order": "hold"})
    assert not allowed(battle(navarre, blue, side="red"), "order", "n", stance="attack")
    free = battle(navarre, blue, side="red", french_initiative=True)
    assert done(free, "order", "n", stance="attack").battle.unit("n").marks["order"] == "attack"
    assert why(free, "order", "n", stance="advance") == {"GLO-ORD-01"}
    assert not allowed(battle(navarre, blue, french_initiative=True), "order", "b", stance="attack")


def test_a_square_drives_off_cavalry() -> None:
    """GLO-SQR-01: up to 399 the cavalry is disrupted; it must touch the square."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    square = unit("red", "red", formation="square", at=[500, 300])
    near, far = (square.moved(0.0, 300.0 + gap - square.bounds[1]) for gap in (0.2, 10.0))
    step = done(battle(horse, near, phase="combat"), "combat", "h", "red", numbers=[399])
    assert told(step, "square")["result"] == "repelled" and step.battle.unit("h").status == "disrupted"
    assert not ask(battle(horse, far, phase="combat"), "assault", ["h", "red"]).holds
