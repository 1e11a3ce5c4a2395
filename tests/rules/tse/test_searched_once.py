"""A way to a place is searched for once for all rulings that the search does not look up (TSE-MOV-04)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.movement.route import cheapest_routes
from tabletop.judge import ask
from tabletop.play.files.opened import open_battle
from tabletop.rules.common.noted import Noted, PerRulings
from tabletop.rules.tse.movement import route
from tabletop.rules.tse.rule_set import RULES


def options_of(number: int, battle: Battle) -> tuple[str, dict[str, Any]]:
    rng = random.Random(number)
    unit = rng.choice([u for u in battle.units if not u.is_general])
    (x, y), kind = unit.front_mid, rng.choice(("maneuver", "march"))
    return unit.id, {"to": (x + rng.uniform(-2.5, 2.5), y + rng.uniform(-2.5, 2.5)), "as": kind}


@pytest.mark.parametrize("number", range(2))
def test_a_kept_search_answers_each_ruling_as_a_new_one(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every value of every ruling on moves, full and brief, after the answer by the others."""
    battle = open_battle("starter")
    unit, options = options_of(number, battle)
    rulings = [ruling for ruling in RULES.rulings.values() if "move" in ruling.questions]
    by = [battle, *(battle.with_ruling(ruling.name, value) for ruling in rulings for value in ruling.values)]

    def answers(renewed: bool) -> list[Any]:
        found = []
        for brief in (False, True):
            for other in by:
                route._FOUND.kept.clear()
                if renewed:
                    route._SEARCHED.kept.clear()
                found.append(ask(other, "move", [unit], options | ({"brief": True} if brief else {})).as_json())
        return found

    route._SEARCHED.kept.clear()
    kept = answers(renewed=False)
    monkeypatch.setattr(route, "_SEARCHED", PerRulings(8))
    assert kept == answers(renewed=True)


def test_the_middle_of_a_front_is_searched_for_as_its_edge_and_a_footprint_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TSE-MOV-06: the search prices ways by the front's edge; round a footprint there is more rough ground."""
    asked: list[str] = []

    def noting(context: Any, *args: Any) -> Any:
        asked.append(context.files.cost_model.trace)
        return cheapest_routes(context, *args)

    monkeypatch.setattr(route, "cheapest_routes", noting)
    monkeypatch.setattr(route, "_SEARCHED", PerRulings(8))
    battle = open_battle("starter")
    for value in ("front_edge", "front_mid", "footprint"):
        ask(battle.with_ruling("rough_trace", value), "move", ["arnaud"], {"to": (9.5, 10.0)})
    assert asked == ["front_edge", "footprint"]
    ask(battle.with_ruling("leaving_zone", "free"), "move", ["arnaud"], {"to": (9.5, 10.0)})
    ask(battle.without("esnault"), "move", ["arnaud"], {"to": (9.5, 10.0)})
    ask(battle, "move", ["arnaud"], {"to": (9.5, 10.0)})
    assert len(asked) == 3


def test_a_result_is_kept_for_rulings_it_did_not_look_up_and_for_no_other_battle() -> None:
    battle = open_battle("starter")
    unit, kept = battle.unit("arnaud"), PerRulings[Any](2)

    def looked_up(other: Battle, key: str = "way") -> Any:
        return kept.of(other, unit, key, lambda b: (b.rulings["leaving_zone"], object()))

    first = looked_up(battle)
    assert looked_up(battle.with_ruling("flat_maneuver", True)) is first
    assert looked_up(battle.with_ruling("leaving_zone", "free"))[0] == "free"
    assert looked_up(battle) is first
    assert looked_up(battle.without("esnault")) is not first
    again = looked_up(battle)
    assert again is not first and looked_up(battle, "other way") is not again
    noted = Noted(battle.rulings, {"rough_trace": "footprint"})
    assert noted["rough_trace"] == "footprint" and not noted.read and len(noted) == len(list(noted))


def test_who_asks_again_is_told_to_have_looked_up_what_the_search_did() -> None:
    """Else the judge would not ask whether another value of that ruling turns the answer."""
    battle = open_battle("starter")
    kept = PerRulings[Any](2)
    for _ in range(2):
        noted = Noted(battle.rulings)
        kept.of(replace(battle, rulings=noted), battle.unit("arnaud"), "way", lambda b: b.rulings["leaving_zone"])
        assert noted.read == {"leaving_zone"}
