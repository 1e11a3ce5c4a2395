"""Cavalry against infantry: threats, squares that form before it, charges, and the hedgehogs of Glaube."""

from __future__ import annotations

import pytest

from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.rules.ages.movement.threat import threatens
from tests import destiny
from tests.ages import allowed


def hussars(**keys: object) -> Unit:
    """Return Prussian light cavalry that faces south; every wheel costs it half a move."""
    return destiny.unit("h", "red", "light-cavalry", **keys)


# --- threats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("aside", "gap"), [(0.0, 140.0), (0.9, 60.0), (5.0, 140.0), (60.0, 100.0), (105.0, 80.0)])
def test_cavalry_that_may_charge_straight_on_threatens(aside: float, gap: float) -> None:
    """AGE-MOV-03: a charge without a wheel counts too, however far the infantry's centre lies to one side."""
    horse, foot = hussars(front_mid=[500, 300 + gap]), destiny.unit("i", front_mid=[500 + aside, 300])
    scene = destiny.battle(horse, foot, side="red")
    assert allowed(scene, "charge", "h", path=((500, 300.2),))
    assert threatens(scene, horse, foot)


@pytest.mark.parametrize(("aside", "gap"), [(120.0, 50.0), (120.0, 60.0)])
def test_cavalry_threatens_by_any_wheel_that_costs_no_more(aside: float, gap: float) -> None:
    """AGE-MOV-03: cavalry pays half a move for any wheel, and by a wide one its own flank comes nearer."""
    horse, foot = hussars(front_mid=[500, 300 + gap]), destiny.unit("i", front_mid=[500 + aside, 300])
    scene = destiny.battle(horse, foot, side="red")
    assert not allowed(scene, "charge", "h", path=((500, 300.2),))
    assert threatens(scene, horse, foot)


def test_a_column_that_has_both_charge_figures_threatens_farther() -> None:
    """AGE-MOV-03, AGE-MOV-09: by the ruling ``column_charge: twice``, along a road, 210 mm."""
    road = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    horse, foot = hussars(front_mid=[500, 505], formation="column"), destiny.unit("i", front_mid=[500, 300])
    for ruling, far in (("once", False), ("twice", True)):
        scene = destiny.battle(horse, foot, terrain=[road], side="red", column_charge=ruling)
        assert allowed(scene, "charge", "h", path=((500, 300.2),)) is far
        assert threatens(scene, horse, foot) is far


def test_cavalry_in_contact_threatens_unless_it_has_charged_too_recently() -> None:
    """AGE-MOV-03, AGE-MOV-08: it needs no way to go, but a threat is a charge that it could make."""
    for marks, danger in (({}, True), ({"charged": 1}, False)):
        horse, foot = hussars(front_mid=[500, 300], marks=marks), destiny.unit("i", front_mid=[500, 300])
        assert threatens(destiny.battle(horse, foot, side="red", turn=3), horse, foot) is danger
