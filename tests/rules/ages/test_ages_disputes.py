"""Disputes in the Ages and Realm of Chance, decided by hand: rifles, a fence, a causeway, a hedgehog, a flank, guns."""

from __future__ import annotations

import pytest

from tabletop.battle.battle import Battle
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tests.games.positions import ROOT


def dispute(rules: str, name: str) -> Battle:
    return load_scene(ROOT / f"scenarios/{rules}/disputes/{name}.yaml")


@pytest.mark.parametrize(
    ("attacker", "defender", "gap", "holds"),
    [
        ("rifles-west", "french-west", 99.0, True),
        ("rifles-east", "french-east", 101.0, False),
        ("french-west", "rifles-west", 99.0, False),
        ("line", "french-near", 49.0, True),
    ],
)
def test_a_hundred_millimetres(attacker: str, defender: str, gap: float, holds: bool) -> None:
    """DES-INF-03, AGE-CBT-02: rifles attack at up to 100 mm, all other foot at up to 50."""
    verdict = ask(dispute("destiny", "a-hundred-millimetres"), "assault", (attacker, defender))
    assert verdict.holds is holds and verdict.measured["distance"] == pytest.approx(gap)


@pytest.mark.parametrize(("place", "number"), [("west", -100), ("east", 0)])
def test_behind_the_fence(place: str, number: int) -> None:
    """REA-G04, AGE-CBT-08: 20 against 5 are 4:1; within 20 mm behind the fence the number thrown is 100 lower."""
    verdict = ask(dispute("reason", "behind-the-fence"), "assault", (f"grenadiers-{place}", f"militia-{place}"))
    assert (verdict.measured["odds"], verdict.measured["die"]) == ("4:1", number)


@pytest.mark.parametrize(("column", "allowed"), [("on-it", 60.0), ("beside-it", 40.0)])
def test_on_the_causeway(column: str, allowed: float) -> None:
    """AGE-MOV-09: 40 mm and 10 in column; 10 more on the causeway, which the stream does not slow, else 10 less."""
    battle = dispute("gloire", "on-the-causeway")
    x, y = battle.unit(column).front_mid
    verdict = ask(battle, "move", (column,), {"to": (x, y + allowed)})
    assert verdict.holds and verdict.measured["allowed"] == pytest.approx(allowed)
    assert not ask(battle, "move", (column,), {"to": (x, y + allowed + 1.0)}).holds


@pytest.mark.parametrize(("place", "gap", "holds"), [("west", 29.0, True), ("east", 31.0, False)])
def test_thirty_millimetres(place: str, gap: float, holds: bool) -> None:
    """GLA-HDG-02, GLA-G10: cavalry attacks a hedgehog from within 30 mm."""
    verdict = ask(dispute("glaube", "thirty-millimetres"), "assault", (f"horse-{place}", f"hedgehog-{place}"))
    assert verdict.holds is holds and verdict.measured["distance"] == pytest.approx(gap)


@pytest.mark.parametrize(("place", "frontal", "column"), [("west", True, "1:1"), ("east", False, "2:1")])
def test_front_or_flank(place: str, frontal: bool, column: str) -> None:
    """ROC-CBT-05: 12 against 10 are 1:1; a front whose middle lies 2 mm behind the line: a column better."""
    verdict = ask(dispute("realm-of-chance", "struck-at-the-corner"), "assault", (f"hussars-{place}", f"line-{place}"))
    assert verdict.holds and (verdict.measured["frontal"], verdict.measured["column"]) == (frontal, column)
    front, rear = (shape for shape in verdict.shapes if shape.role == "zone")
    assert (front.label, rear.label) == ("front", "rear"), "the picture shows what its zones are"


@pytest.mark.parametrize(
    ("target", "distance", "band"), [("near", 60.0, "0-60"), ("far", 61.0, "60-120"), ("out", 181.0, None)]
)
def test_to_the_last_millimetre(target: str, distance: float, band: str | None) -> None:
    """ROC-ART-04, ROC-ART-05: an end of a band belongs to the nearer one; horse guns reach 180 mm."""
    verdict = ask(dispute("realm-of-chance", "to-the-last-millimetre"), "fire", (f"{target}-guns", target))
    assert verdict.holds is (band is not None) and verdict.measured["band"] == band
    assert verdict.measured["range"] == pytest.approx(distance)


@pytest.mark.parametrize(
    ("unit", "guns", "gap", "against"),
    [
        ("foot-west", "guns-west", 0.4, []),
        ("foot-middle", "guns-middle", 0.7, ["12e Ligne is 0.7 mm from 2e batterie"]),
        ("foot-east", "guns-east", 0.0, ["25e Ligne routs"]),
        ("drouot", "guns-middle", 0.0, ["Drouot is a general or staff officer, and serves no guns"]),
        ("landwehr", "guns-middle", 100.0, ["2e batterie is the enemy's", "3rd Landwehr is 100.0 mm from 2e batterie"]),
    ],
)
def test_the_crew_has_run(unit: str, guns: str, gap: float, against: list[str]) -> None:
    """SQP-TST-08: a friendly unit that touches the guns, to half a millimetre, and does not rout serves them."""
    verdict = ask(dispute("destiny", "the-crew-has-run"), "serve", (unit, guns))
    assert verdict.holds is (not against) and [reason.text for reason in verdict.against] == against
    assert verdict.measured["distance"] == pytest.approx(gap, abs=1e-3)
    assert {reason.rule for reason in verdict.because} == {"SQP-TST-08"}
