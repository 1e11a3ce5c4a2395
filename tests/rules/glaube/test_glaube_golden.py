"""The worked cases of Glaube: every expected value worked out by hand from the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.rules.ages.combat.judge import fight_of, must_fight
from tabletop.rules.ages.combat.odds import square_result
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.turn import losses
from tabletop.rules.ages.turn.sequence import advance, begin
from tabletop.rules.glaube.profile import PROFILE
from tabletop.rules.rule_set import MusterError
from tests.ages import Numbers, allowed, told, why
from tests.games.positions import ROOT
from tests.glaube import BUILDER, battle, done, unit


@pytest.mark.parametrize(("bases", "wide"), [(5, 100.0), (8, 160.0), (10, 200.0)])
def test_g01_frontage_of_a_regiment(bases: int, wide: float) -> None:
    """GLA-INF-01, GLA-INF-02: 20 mm a base; eleven are too many."""
    west, _, east, _ = unit("r", bases=bases).bounds
    assert east - west == pytest.approx(wide)
    with pytest.raises(MusterError, match="10"):
        unit("r", bases=11)


@pytest.mark.parametrize("bases", range(5, 11))
def test_a_hedgehog_is_hollow_and_shows_a_front_all_round(bases: int) -> None:
    """GLA-HDG-01: whatever the number of its bases; it fights with the disrupted factor."""
    hedgehog = unit("h", "red", bases=bases, formation="square", quality="imperial-veterans", at=[500, 400])
    assert len({base.facing for base in hedgehog.bases}) == 4  # type: ignore[union-attr]
    west, south, east, north = hedgehog.bounds
    assert hedgehog.footprint.area < 0.95 * (east - west) * (north - south)
    assert fight_of(battle(unit("a", at=[500, 300]), hedgehog), ["a"], "h").defence == 2 * bases


def test_g02_breuner_attacks_gelb() -> None:
    """GLA-INF-04: 24 against 12 is 2:1; 500: Dx."""
    breuner = unit("b", "red", quality="imperial-veterans", bases=8, front_mid=[500, 330])
    gelb = unit("g", bases=6, front_mid=[500, 300])
    step = done(battle(breuner, gelb, phase="combat", side="red"), "combat", "b", "g", numbers=[500])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["result"]) == (24, 12, "2:1", "Dx")


def hedgehog_before(gap: float, facing_south: float = 180.0) -> Unit:
    """Return an Imperial hedgehog whose near side lies ``gap`` mm north of y = 300."""
    found = unit("hedgehog", "red", formation="square", bases=8, quality="imperial-veterans", at=[500, 400], facing=180)
    return found.moved(0.0, 300.0 + gap - found.bounds[1])


@pytest.mark.parametrize(("number", "found"), [(399, "repelled"), (400, ""), (899, ""), (900, "broken")])
def test_g04_smaland_at_a_hedgehog(number: int, found: str) -> None:
    """AGE-SQR-03, GLA-HDG-03: driven off, nothing, broken: it loses a base and routs."""
    smaland = unit("s", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"neared": ("hedgehog",)})
    scene = battle(smaland, hedgehog_before(20.0), phase="combat")
    step = done(scene, "combat", "s", "hedgehog", numbers=[number])
    assert told(step, "square")["result"] == found == square_result(PROFILE, "ok", number)
    after = step.battle.unit("hedgehog")
    assert (after.strength, after.status) == ((7, "routing") if found == "broken" else (8, "ok"))
    assert step.battle.unit("s").status == ("disrupted" if found == "repelled" else "ok")
    if found == "broken":
        routing = replace(step.battle, clock=replace(step.battle.clock, side="red", phase="movement"))
        assert not allowed(routing, "form", "hedgehog", formation="square")


def test_g05_infantry_at_a_hedgehog() -> None:
    """GLA-HDG-01: 12 against 16 is 1:1; 250 and 100: nothing."""
    foot = unit("f", bases=6, front_mid=[500, 300])
    step = done(battle(foot, hedgehog_before(30.0), phase="combat"), "combat", "f", "hedgehog", numbers=[250])
    record = told(step, "combat")
    assert (record["attack"], record["defence"], record["odds"], record["result"]) == (12, 16, "1:1", "")
    assert [(name, amount) for name, amount, *_ in record["modifiers"]] == [("infantry at square", 100.0)]


@pytest.mark.parametrize(("number", "stops"), [(600, True), (599, False)])
def test_g06_gustavus_stops_a_rout(number: int, stops: bool) -> None:
    """GLA-GEN-02: 600 and 200 are 800."""
    gelb = unit("g", bases=6, status="routing", at=[500, 300])
    gustavus = unit("gustavus", "blue", "general", rank="great-captain", at=[500, 272.5])
    scene = battle(gelb, gustavus, unit("red", "red", at=[500, 700]), phase="rally")
    unfolding = Unfolding(scene, Numbers([float(number)]))
    advance(unfolding)
    assert (unfolding.unit("g").status == "disrupted") is stops
    assert (unfolding.unit("g").at == gelb.at) is stops


def test_gustavus_in_combat() -> None:
    """GLA-GEN-03: he adds 200 there too, any other general 100."""
    for rank, adds in (("great-captain", 200.0), (None, 100.0)):
        general = unit("g", "blue", "general", rank=rank, at=[500, 265])
        scene = battle(unit("a", front_mid=[500, 300]), unit("e", "red", front_mid=[500, 330]), general)
        assert fight_of(scene, ["a"], "e").bonus == adds


def test_g08_dragoons_cross_a_stream() -> None:
    """AGE-MOV-07: 110 less 20 mounted, 50 less 10 on foot."""
    stream = Terrain.of_kind("stream", "stream", line=[(0, 350), (1000, 350)], width=20)
    for troop, expected in (("dragoon-cavalry", 90.0), ("dragoon-infantry", 40.0)):
        ermes = unit("d", "blue", troop, bases=3, front_mid=[500, 330])
        scene = battle(ermes, unit("red", "red", at=[500, 700]), terrain=[stream])
        plan = planned_move(scene, ermes, "move", {"path": [(500, 360)]})
        assert allowance(scene, ermes, "move", plan.course) == expected


def test_g09_dragoons_dismount_in_turn_2() -> None:
    """GLA-CAV-04: no move in that turn, combat on foot from then on; the number of their bases stays."""
    ermes = unit("d", "blue", "dragoon-cavalry", bases=3, front_mid=[500, 300])
    scene = battle(ermes, unit("e", "red", front_mid=[500, 340]), turn=2, square_when="never")
    assert not ask(scene, "assault", ["d", "e"]).holds
    after = done(scene, "form", "d", formation="dismounted").battle
    assert not allowed(after, "move", "d", path=[(500, 305)])
    fight = fight_of(replace(after, clock=replace(after.clock, phase="combat")), ["d"], "e")
    assert (fight.attack, after.unit("d").troop) == (3, "dragoon-infantry") and ask(after, "assault", ["d", "e"]).holds
    next_turn = replace(after, units=tuple(replace(u, marks={}) for u in after.units))
    assert why(next_turn, "form", "d", formation="dismounted")
    assert allowed(next_turn, "form", "d", formation="mounted")


@pytest.mark.parametrize(("stops", "attacked"), [(31.0, False), (30.0, True)])
def test_g10_a_path_that_stops_short_of_the_hedgehog(stops: float, attacked: bool) -> None:
    """GLA-HDG-02: the attack is resolved at 30 mm, without contact."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 250])
    scene = battle(horse, hedgehog_before(0.0))
    after = done(scene, "move", "h", path=[(500, 300 - stops)]).battle
    fighting = replace(after, clock=replace(after.clock, phase="combat"))
    assert distance_between(after.unit("h"), after.unit("hedgehog")) == pytest.approx(stops)
    assert must_fight(fighting, "blue") == ({"h": ("hedgehog",)} if attacked else {})
    assert allowed(scene, "charge", "h", path=[(500, 300 - stops)]) is attacked


def test_an_attack_on_a_hedgehog_begins_outside() -> None:
    """GLA-HDG-02: cavalry that stands within 30 mm already must come again; a line is attacked in contact."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 280])
    standing = battle(horse, hedgehog_before(0.0), phase="combat")
    assert must_fight(standing, "blue") == {} and why(standing, "combat", "h", "hedgehog") == {"GLA-HDG-02"}
    line = unit("l", "red", bases=8, front_mid=[500, 300])
    assert not ask(battle(horse, line, phase="combat"), "assault", ["h", "l"]).holds


def test_the_army_tables() -> None:
    """GLA-CAV-01, GLA-CAV-02, GLA-CAV-03, GLA-ART-01: 46 rows; shock and pace of the three classes; foot guns alone."""
    rows = PROFILE.rows
    assert len(rows) == 46
    assert {troop for troop, _ in rows if troop.endswith("artillery")} == {"foot-artillery"}
    assert "horse-artillery" not in replace(PROFILE).troops
    for nation in {row.nation for row in rows.values()} - {"spanish"}:
        heavy, dragoons, medium = (rows[f"{c}-cavalry", nation] for c in ("heavy", "dragoon", "medium"))
        assert heavy.normal > dragoons.normal > medium.normal
        assert dragoons.move < heavy.move < medium.move
        assert ("dragoon-infantry", nation) in rows


def test_the_armies_of_the_ford() -> None:
    """AGE-SET-05: 24 Swedish bases and 29 Imperial; all stand where nobody else does."""
    unfolding = Unfolding(load_scene(ROOT / "scenarios/glaube/ford.yaml"))
    begin(unfolding)
    assert [losses.army(unfolding.battle, side) for side in ("swedish", "imperial")] == [24, 29]
    assert BUILDER.rules.play is not None and not list(BUILDER.rules.play().faults(unfolding.battle))
