"""Verdicts in words: the answer first, with the figure that decides; then reasons, closeness, rulings, certainty."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.explain import explain, headline
from tabletop.geometry.verdict import Certainty, Dependency, Elsewhere, Margin, Reason, Searched, Verdict, all_of
from tabletop.judge import judge
from tabletop.play.files.load import load_scene_data
from tabletop.play.verdict_words import explained
from tests import loaded


def battle() -> Battle:
    row = {"side": "allied", "troop": "infantry", "bases": 4, "formation": "deployed", "facing": 180}
    return load_scene_data(
        {
            "format": "tabletop-scene/1",
            "title": "Words",
            "rules": "tse",
            "table": {"unit": "in", "width": 48, "height": 48},
            "terrain": [{"id": "wood", "name": "Bossu Wood", "kind": "woods", "at": [40, 40], "size": [4, 4]}],
            "units": [
                {**row, "id": "kempt", "name": "Kempt", "at": [10, 20]},
                {**row, "id": "foy", "name": "Foy", "side": "french", "at": [10, 8]},
                {"id": "picton", "name": "Picton", "side": "allied", "troop": "general", "at": [10, 24]},
            ],
        }
    )


NO = Reason("TSE-X-01", False, "the pond is in the way", 1.31, 0.0, "wood")


def verdict(question: str, holds: bool, measured: dict[str, Any] | None = None, **more: Any) -> Verdict:
    args = more.pop("args", ("kempt", "foy"))
    because = more.pop("because", () if holds else (NO,))
    return Verdict(question, args, "tse", holds, measured or {}, because, **more)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (verdict("distance", True, {"distance": 7.4234}), "Kempt and Foy are 7.42 in apart"),
        (verdict("distance", True, {"distance": 0.0}), "Kempt and Foy touch."),
        (verdict("los", True, {"distance": 7.42}), "Yes. Kempt sees Foy: the shortest clear line is 7.42 in."),
        (verdict("los", False, blockers=("wood",)), "No. Kempt does not see Foy: Bossu Wood is in the way."),
        (verdict("los", False, blockers=("wood", "foy")), "Bossu Wood and Foy are in the way."),
        (verdict("arc", True, {"bearing": 181.25}), "Part of Foy lies in Kempt's arc of fire, bearing 181.2 degrees."),
        (verdict("arc", False), "No. Foy lies outside Kempt's arc of fire: the pond is in the way."),
        (verdict("fire", True, {"range": 3.0, "cover": "soft"}), "Kempt may fire at Foy: range 3.00 in, soft cover."),
        (verdict("fire", True, {"range": 3.0, "cover": "none"}), "range 3.00 in, no cover."),
        (verdict("fire", False), "No. Kempt may not fire at Foy: the pond is in the way."),
        (verdict("zone", True, {"units": []}, args=("kempt",)), "No enemy stands in Kempt's zone of control."),
        (verdict("zone", True, {"units": ["foy"]}, args=("kempt",)), "Foy stands in Kempt's zone of control."),
        (verdict("move", True, {"cost": 5.2, "allowed": 7.0}, args=("kempt",)), "it costs 5.20 of 7.00 in."),
        (verdict("move", False, args=("kempt",)), "No. Kempt may not make this move: the pond is in the way."),
        (verdict("reach", True, {"area": []}, args=("kempt",)), "Kempt can end its move"),
        (
            verdict("assault", True, {"cost": 4.0, "reach": 6.0, "frontal": True}),
            "may assault Foy frontally: it costs 4.00",
        ),
        (verdict("assault", True, {"cost": 4.0, "reach": 6.0, "frontal": False}), "in flank or rear"),
        (verdict("assault", False), "No. Kempt may not assault Foy: the pond"),
        (
            verdict(
                "fallback",
                True,
                {"at": [1.0, 2.0], "front_mid": [1.0, 3.0]},
                args=("kempt",),
                options={"from": "foy", "distance": 6.0},
            ),
            "back 6.00 in from Foy, its centre to (1.00, 2.00), the middle of its front to (1.00, 3.00).",
        ),
        (
            verdict("fallback", False, args=("kempt",), options={"from": "foy", "distance": 6.0}),
            "No. Kempt cannot fall back 6.00 in from Foy and surrenders: the pond",
        ),
        (
            verdict("fallback", True, args=("kempt",), options={"from": "foy", "distance": 6.0, "assault": True}),
            "Yes. Kempt falls back 6.00 in from an assault by Foy.",
        ),
        (
            verdict("command", True, {"general": "picton", "distance": 3.0}, args=("kempt",)),
            "Yes. Kempt is within command: Picton is 3.00 in away.",
        ),
        (
            verdict("command", False, {"general": "picton", "distance": 9.0}, args=("kempt",)),
            "No. Kempt is out of command: Picton is 9.00 in away.",
        ),
        (verdict("command", False, {"general": None}, args=("kempt",)), "No: the pond"),
        (verdict("cover", True, {"cover": "hard"}, args=("kempt",), options={"from": "foy"}), "hard cover from Foy."),
        (verdict("cover", False, args=("kempt",), options={"from": "foy", "assault": True}), "against an assault."),
        (verdict("another", True), "Yes."),
    ],
)
def test_the_answer_stands_first_in_plain_words(asked: Verdict, words: str) -> None:
    assert words in headline(asked, battle())
    assert explain(asked, battle()).startswith(headline(asked, battle()))


def test_reasons_are_a_tree_with_rules_and_figures() -> None:
    tree = all_of("TSE-FIR-08", "nothing is seen", [NO, Reason("TSE-Y-02", True, "the line is 2.50 long", 2.5)])
    lines = explain(verdict("los", False, because=(tree,)), battle()).splitlines()
    assert lines[1] == "  no   TSE-FIR-08  nothing is seen"
    assert lines[2] == "      no   TSE-X-01  the pond is in the way (measured 1.31, limit 0)"
    assert lines[3] == "      yes  TSE-Y-02  the line is 2.50 long"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            {"closeness": Margin(True, 0.31, shifted=Elsewhere("wood", shift=(0.0, -0.31)))},
            "Margin: 0.31 in: Bossu Wood farther south.",
        ),
        (
            {"closeness": Margin(True, 0.02, shifted=Elsewhere("foy", shift=(0.014, 0.014)))},
            "Margin: 0.02 in: Foy slightly farther north-east.",
        ),
        (
            {"closeness": Margin(True, 0.4, 0.6, Elsewhere("foy", shift=(0.4, 0.0)), Elsewhere("kempt", turn=-0.6))},
            "Margin: 0.40 in: Foy farther east; or 0.6° of rotation of Kempt.",
        ),
        ({"closeness": Margin(True, 0.02), "too_close": True}, "Too close for a tape measure"),
        ({"unproved": 100_000}, "Not proved: a search for a sight line ended after 100,000 bundles of lines"),
        ({"searched": Searched(2.0, 30.0, 2, 1, 500)}, "Not proved: a search for a sight line ended after 500 bundles"),
        (
            {"closeness": Margin(True), "searched": Searched(2.0, 30.0, 2, 1)},
            "Margin: wide: no shift of any one unit or piece of terrain by up to 2 in, and no rotation by up to 30°",
        ),
        (
            {"closeness": Margin(True), "searched": Searched(2.0, 30.0, 2, 0)},
            "Margin: wide: no shift of any one unit by up to 2 in, and no rotation by up to 30° changes it.",
        ),
        (
            {"closeness": Margin(True), "searched": Searched(2.0, 30.0, 2, 1, apart=0.3971, step=0.25)},
            "Margin: wide: no shift of any one unit or piece of terrain by up to 2 in, tried every 0.4 in, and no "
            "rotation by up to 30°, tried every 0.25°, changes it.",
        ),
        (
            {
                "closeness": Margin(True, turn=3.0, turned=Elsewhere("foy", turn=3.0)),
                "searched": Searched(1.2, 30.0, 2, 0, apart=0.301, step=1.0),
            },
            "Margin: 3.0° of rotation: Foy turned clockwise; no shift of any one unit by up to 1.2 in, tried every "
            "0.31 in, changes it.",
        ),
        (
            {
                "closeness": Margin(True),
                "attributes": {"frontal": Margin(True, 0.03, shifted=Elsewhere("foy", shift=(-0.03, 0.0)))},
            },
            "Frontal yes: margin 0.03 in: Foy slightly farther west.",
        ),
        (
            {"depends_on": (Dependency("hills_block", False),)},
            "how a rule is read (hills block: yes); read otherwise, no.",
        ),
        (
            {"certainty": Certainty(True, 1.0, 400, 3), "options": {"error": (0.125, 2.0)}},
            "Certain: yes in every one of 400 placements of 3 things within 0.125 in and 2 degrees.",
        ),
        ({"certainty": Certainty(False, 0.7325, 400)}, "Not certain: yes in 73 % of 400"),
        ({"certainty": Certainty(False, 0.9975, 400)}, "over 99 %"),
        ({"certainty": Certainty(True, 0.0, 400)}, "Certain: no in every one"),
    ],
)
def test_closeness_rulings_and_certainty_are_said(more: dict[str, Any], words: str) -> None:
    assert words in explain(verdict("los", True, {"distance": 1.0}, **more), battle())


def test_nothing_is_said_of_a_margin_not_asked_for() -> None:
    assert explain(verdict("los", True, {"distance": 1.0}), battle()).count("\n") == 0


def test_reasons_and_rulings_are_told_by_names_with_the_rule_that_is_read() -> None:
    """As in the window: no id of a unit or a piece, no name of a switch."""
    table = loaded.scenario("tse/disputes/level-shadow")
    found = judge(table, "los", ["low-guns", "middle"], {"margin": True})
    said = explained(found, table)
    assert "behind Wood" in said and "low-guns" not in said
    assert "It turns on how TSE-LOS-10 is read (thin wood transparent: no); read otherwise, yes." in said
