"""Fire and assault as actions, row by row: from which formations, and on what conditions (TSE-ACT)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import distance_between
from tabletop.geometry.depth import deepest
from tabletop.geometry.verdict import Verdict
from tabletop.rules.tse.assault.contact import contact_pose
from tabletop.rules.tse.assault.path import paths_to
from tabletop.rules.tse.computer.suggest_combat import suggest_fire
from tabletop.rules.tse.muster import muster
from tests.combat import FIELD, against
from tests.combat import scene as in_turn
from tests.firing import RULES, ask, battle, block, strip

FORMATIONS = ("deployed", "maneuver-column", "march-column", "square")
FIRERS = ("infantry", "heavy-foot-artillery", "light-foot-artillery", "horse-artillery")


def shooting(formation: str, troop: str = "infantry", facing: float = 0.0, gap: float = 3.0) -> Battle:
    """Return two bases and a target ``gap`` north of them."""
    firer = block("firer", "blue", (-1.0, 1.0), (-1.0, 0.0), formation=formation, troop=troop, facing=facing)
    return battle(firer, block("target", "red", (-1.0, 1.0), (gap, gap + 0.75), facing=180.0))


def refusals(verdict: Verdict) -> set[str]:
    return {reason.rule for reason in verdict.because if not reason.holds}


def manner(verdict: Verdict) -> str:
    """Return what is said of the way a unit fires."""
    return next(reason.text for reason in verdict.because if reason.rule == "TSE-FIR-22")


@pytest.mark.parametrize("troop", FIRERS)
def test_deployed_fire(troop: str) -> None:
    """TSE-ACT-40: infantry and guns that stand deployed, at a target in range, in the arc and in sight."""
    fire = ask(shooting("deployed", troop), "fire", "firer", "target")
    assert fire.holds
    assert "deployed fire" in manner(fire)


@pytest.mark.parametrize("troop", ["light-cavalry", "heavy-cavalry", "transport"])
def test_nobody_else_fires(troop: str) -> None:
    """TSE-ACT-40: neither cavalry nor wagons, however near the target."""
    assert refusals(ask(shooting("deployed", troop, gap=1.0), "fire", "firer", "target")) == {"TSE-ACT-93"}


def test_each_condition_of_deployed_fire_by_itself() -> None:
    """TSE-ACT-40: out of range, out of the arc (it may not turn first), or out of sight, there is none.

    What hides the target is named as sight names it: the wood (TSE-LOS-05).
    """
    near = shooting("deployed")
    wood = strip("wood", "woods", (-20.0, 20.0), (1.0, 2.0))
    hidden = Battle.of("tse", battle(terrain=(wood,)).table, near.units, near.rulings)
    cases = {
        "range": (shooting("deployed", gap=3.02), {"TSE-FIR-01"}),
        "arc": (shooting("deployed", facing=180.0), {"TSE-FIR-05"}),
        "sight": (hidden, {"TSE-FIR-08", "TSE-LOS-05"}),
    }
    assert ask(near, "fire", "firer", "target").holds
    for name, (scene, rules) in cases.items():
        assert refusals(ask(scene, "fire", "firer", "target")) == rules, name


@pytest.mark.parametrize("formation", FORMATIONS[1:])
def test_no_deployed_fire_from_a_column_or_a_square(formation: str) -> None:
    """TSE-ACT-41: what a column or a square fires, if anything, is not deployed fire."""
    assert "deployed fire" not in manner(ask(shooting(formation), "fire", "firer", "target"))


@pytest.mark.parametrize("troop", FIRERS)
@pytest.mark.parametrize(("formation", "may"), [("maneuver-column", True), ("square", True), ("march-column", False)])
def test_advancing_fire(troop: str, formation: str, may: bool) -> None:
    """TSE-ACT-50: from maneuver column or square, on the same conditions; from march column never."""
    fire = ask(shooting(formation, troop), "fire", "firer", "target")
    assert fire.holds is may
    assert refusals(fire) == (set() if may else {"TSE-FIR-22"})
    assert ("advancing fire" in manner(fire)) is may
    reach = {"infantry": 3.0, "heavy-foot-artillery": 12.0}.get(troop, 9.0)
    assert ask(shooting(formation, troop, gap=reach), "fire", "firer", "target").holds is may
    assert not ask(shooting(formation, troop, gap=reach + 0.02), "fire", "firer", "target").holds


@pytest.mark.parametrize("troop", ["infantry", "light-cavalry", "heavy-cavalry"])
@pytest.mark.parametrize("formation", FORMATIONS)
@pytest.mark.parametrize("linear", [False, True])
def test_assaults_start_from_maneuver_column(troop: str, formation: str, linear: bool) -> None:
    """TSE-ACT-60: all may from there; deployed, only infantry that assaults in line may."""
    attacker = block("attacker", "blue", (-1.0, 1.0), (-0.75, 0.0), troop=troop, formation=formation, linear=linear)
    target = block("target", "red", (-1.0, 1.0), (2.0, 2.75), facing=180.0)
    in_line = formation == "deployed" and troop == "infantry" and linear
    assault = ask(battle(attacker, target), "assault", "attacker", "target")
    assert assault.holds is (formation == "maneuver-column" or in_line)
    assert refusals(assault) <= {"TSE-ASL-01", "TSE-ASL-50", "TSE-ASL-52"}


@pytest.mark.parametrize(("formation", "reach"), [("maneuver-column", 6.0), ("deployed", 2.0)])
def test_in_line_it_comes_only_two_inches(formation: str, reach: float) -> None:
    """TSE-ACT-60: exactly two may be, a hundredth more may not; from column it is six."""
    for gap, may in ((reach, True), (reach + 0.01, False)):
        attacker = block("attacker", "blue", (-1.0, 1.0), (-0.75, 0.0), formation=formation, linear=True)
        target = block("target", "red", (-1.0, 1.0), (gap, gap + 0.75), facing=180.0)
        assert ask(battle(attacker, target), "assault", "attacker", "target").holds is may


def test_any_valid_target_may_be_chosen() -> None:
    """TSE-FIR-07: the far one as well as the near one beside it, and neither's answer changes the other's."""
    near = block("near", "red", (-3.0, -1.0), (1.5, 2.25), facing=180.0)
    far = block("far", "red", (1.0, 3.0), (2.5, 3.25), facing=180.0)
    firer = block("firer", "blue", (-1.0, 1.0), (-1.0, 0.0))
    alone = {unit.id: ask(battle(firer, unit), "fire", "firer", unit.id).measured["range"] for unit in (near, far)}
    assert alone["near"] < alone["far"]
    for name, length in alone.items():
        fire = ask(battle(firer, near, far), "fire", "firer", name)
        assert fire.holds
        assert fire.measured["range"] == length


@pytest.mark.parametrize("name", ["near", "far"])
def test_a_shot_at_either_of_two_targets_may_be_fired(name: str) -> None:
    """TSE-FIR-07: in a battle too, and both are suggested."""
    near = FIELD.unit("near", side="red", formation="deployed", bases=2, front_mid=(-1.5, 1.0), facing=180)
    far = FIELD.unit("far", side="red", formation="deployed", bases=2, front_mid=(1.5, 2.5), facing=180)
    firer = FIELD.unit("a", formation="deployed", bases=4, front_mid=(0.0, 0.0))
    field = in_turn(firer, near, far)
    assert against(field, "deployed-fire", "a", name) == set()
    assert [action.target for action in suggest_fire(field, field.unit("a"))] == ["near", "far"]


def test_cover_is_that_of_the_part_fired_at() -> None:
    """TSE-FIR-27: a line half in a wood is covered from guns that reach only that half, not from those before it."""
    wood = strip("wood", "woods", (0.0, 9.0), (3.0, 6.0))
    line = block("target", "red", (-2.0, 2.0), (3.0, 3.75), facing=180.0)
    for x, cover in ((-1.5, "none"), (5.5, "soft")):
        guns = block("guns", "blue", (x, x + 1.0), (-2.0, -1.0), troop="light-foot-artillery")
        fire = ask(battle(guns, line, terrain=(wood,)), "fire", "guns", "target")
        assert fire.holds
        assert fire.measured["cover"] == cover


@pytest.mark.parametrize("bends", [(0, 30), (0, -30), (0, 20, 40), (0, -20, -40)])
def test_a_bent_line_goes_home_with_its_foremost_edge(bends: tuple[int, ...]) -> None:
    """TSE-ASL-23, TSE-FRM-11: convex or hollow, it ends touching its target and no deeper."""
    n = len(bends)
    line = {"troop": "infantry", "bases": n, "formation": "deployed", "bend": list(bends), "facing": 0, "linear": True}
    attacker = muster({"id": "a", "side": "blue", "at": [40, 40], **line}, RULES.ruling_values())
    target = block("b", "red", (-4.0, 4.0), (2.2, 2.95), facing=180.0)
    scene = battle(attacker, target)
    verdict = ask(scene, "assault", "a", "b")
    assert not refusals(verdict) - {"TSE-ASL-05"}
    contact = contact_pose(scene, attacker, target, paths_to(attacker, target)[0])
    assert distance_between(contact, target) == pytest.approx(0.0, abs=1e-6)
    assert deepest(contact.bases, target.bases) == pytest.approx(0.0, abs=1e-6)


#: What a unit of four bases at the origin might do, with an enemy two inches before it.
DEEDS: dict[str, tuple[str, str, tuple[str, ...], dict[str, Any]]] = {
    "fire": ("deployed", "fire", ("a", "b"), {}),
    "assault": ("maneuver-column", "assault", ("a", "b"), {}),
    "maneuver": ("maneuver-column", "move", ("a",), {"path": [(40, 38)]}),
    "march": ("maneuver-column", "move", ("a",), {"path": [(45, 39)], "as": "march"}),
    "route march": ("maneuver-column", "move", ("a",), {"path": [(45, 39)], "as": "route-march"}),
    "deploy": ("maneuver-column", "move", ("a",), {"as": "deploy"}),
    "square": ("maneuver-column", "move", ("a",), {"as": "square"}),
}


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize(("status", "may"), [("ok", True), ("disordered", True), ("demoralized", False)])
def test_what_a_shaken_unit_may_do(deed: str, status: str, may: bool) -> None:
    """TSE-ACT-91, TSE-ACT-92: disordered, whatever it otherwise might; demoralized, nothing of the sort."""
    formation, question, args, options = DEEDS[deed]
    entry = {"id": "a", "side": "blue", "troop": "infantry", "bases": 4, "at": [40, 40], "facing": 0, "status": status}
    unit = muster({**entry, "formation": formation}, RULES.ruling_values())
    target = block("b", "red", (-2.0, 2.0), (2.5, 3.25), facing=180.0)
    verdict = ask(battle(unit, target), question, *args, **options)
    assert verdict.holds is may
    assert refusals(verdict) <= {"TSE-ACT-91", "TSE-ASL-01"}
