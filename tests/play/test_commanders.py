"""The commander whom report and briefing name for each side, in the historical battles of the Ages above all."""

from __future__ import annotations

import pytest

from tabletop.battle.battle import Battle
from tabletop.play.briefing import briefing
from tabletop.play.engine import begin
from tabletop.play.files.load import load_scene_data
from tabletop.play.saves import report
from tabletop.play.saves.save import Header
from tests.loaded import scenario

#: For each side of each battle its commander, and how many he and the generals under him lead.
COMMANDERS = [
    ("glaube/luetzen", "swedish", "Gustavus Adolphus", {"gustavus-adolphus": 6, "knyphausen": 10, "bernhard": 6}),
    ("glaube/luetzen", "imperial", "Wallenstein", {"wallenstein": 15, "holk": 5, "pappenheim": 4}),
    ("gloire/schellenberg", "allied", "Marlborough", {"marlborough": 5, "goor": 8, "baden": 6}),
    ("gloire/schellenberg", "bavarian", "d'Arco", {"darco": 8, "maffei": 6}),
    ("reason/rossbach", "prussian", "Frederick", {"frederick": 11, "seydlitz": 8}),
    ("reason/rossbach", "allied", "Hildburghausen", {"hildburghausen": 10, "soubise": 15}),
    ("destiny/maida", "french", "Reynier", {"reynier": 5, "compere": 4, "digonet": 2}),
    ("destiny/maida", "british", "Stuart", {"stuart": 3, "kempt": 3, "acland": 2, "cole": 2, "ross": 1}),
    ("destiny/waterloo-evening", "french", "Napoleon", {"napoleon": 16, "ney": 5, "donzelot": 4}),
    (
        "destiny/waterloo-evening",
        "allied",
        "Wellington",
        {"wellington": 18, "chasse": 3, "lambert": 5, "ziethen": 3},
    ),
]


def named(battle: Battle, side: str) -> str:
    """Return the line of a report on an army."""
    header = Header(battle, 1, {})
    lines = report.who(report.report(header, [begin(battle, 1)]))
    return next(line for line in lines if line.startswith(side.capitalize()))


@pytest.mark.parametrize(("name", "side", "commander", "leads"), COMMANDERS)
def test_the_report_names_the_commander(name: str, side: str, commander: str, leads: dict[str, int]) -> None:
    """Nobody leads him, and every unit of the side has a general."""
    battle = scenario(name)
    assert f" under {commander}: " in named(battle, side)
    own = [unit for unit in (*battle.units, *battle.awaited) if unit.side == side]
    troops = [unit for unit in own if not unit.is_general]
    assert {chief: sum(unit.parent == chief for unit in troops) for chief in leads} == leads
    assert sum(leads.values()) == len(troops)
    assert {unit.id for unit in own if unit.is_general} == set(leads)


@pytest.mark.parametrize("name", ["glaube/luetzen", "reason/rossbach", "destiny/maida"])
def test_the_briefing_names_him_too(name: str) -> None:
    """He is the only general on the table whom nobody leads."""
    for scene, side, commander, _ in COMMANDERS:
        if scene == name:
            assert briefing(scenario(name), side).who.startswith(f"{commander}, with ")


def scene(*generals: dict[str, str], led: dict[str, int]) -> Battle:
    """Return a battle of Destiny with red generals, and so many battalions under each."""
    foot = {"side": "red", "troop": "infantry", "quality": "french-line", "formation": "column", "facing": 0}
    under = [chief for chief, number in led.items() for _ in range(number)]
    units = [
        *({"side": "red", "troop": "general", "at": [100 + 60 * k, 60], **one} for k, one in enumerate(generals)),
        *({**foot, "id": f"u{k}", "parent": chief, "at": [60 + 60 * k, 300]} for k, chief in enumerate(under)),
        {**foot, "id": "foe", "side": "blue", "at": [300, 560]},
    ]
    table = {"unit": "mm", "width": 900, "height": 600}
    return load_scene_data(
        {"format": "tabletop-scene/1", "title": "A", "rules": "destiny", "table": table, "units": units}
    )


@pytest.mark.parametrize(
    ("generals", "led", "commander"),
    [
        ([{"id": "a"}, {"id": "b"}], {"a": 1, "b": 3}, "b"),
        ([{"id": "a"}, {"id": "b", "rank": "great-captain"}], {"a": 3, "b": 1}, "b"),
        ([{"id": "a", "parent": "b"}, {"id": "b"}], {"a": 3, "b": 1}, "b"),
    ],
    ids=["leads most", "great captain", "led by nobody"],
)
def test_who_is_the_commander(generals: list[dict[str, str]], led: dict[str, int], commander: str) -> None:
    assert f" under {commander}: " in named(scene(*generals, led=led), "red")
