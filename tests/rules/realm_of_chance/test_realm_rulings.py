"""Every ruling of Realm of Chance is a switch: for each a position in which every value comes out otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.rules.ages.combat.judge import Fight, fight_of
from tabletop.rules.ages.movement.costs import wheel_cost
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.realm_of_chance.rule_set import RULES
from tests.realm import Faces, allowed, battle, done, unit

BLUE, RED, FAR = unit("blue", at=[500, 300]), unit("red", "red", at=[500, 355]), unit("far", "red", at=[100, 760])
GUN = unit("gun", "blue", "heavy-artillery", at=[500, 300])
WOOD = Terrain.of_kind("wood", "woods", outline=[(400, 290), (600, 290), (600, 340), (400, 340)])
COPSE = Terrain.of_kind("copse", "woods", outline=[(400, 290), (600, 290), (600, 308), (400, 308)])

Outcome = Callable[..., Any]


def _rally(scene: Battle, *faces: float) -> Battle:
    unfolding = Unfolding(scene, Faces([*faces]))
    advance(unfolding)
    return unfolding.battle


def _fight(*units: Unit, terrain: list[Terrain] | None = None, **ruling: Any) -> Fight:
    names = [u.id for u in units if u.side == "blue" and not u.is_general and u.troop != "heavy-artillery"]
    return fight_of(battle(*units, terrain=terrain or [], phase="combat", **ruling), names, "red")


def _odds(**ruling: Any) -> Any:
    """18 against 9: 2:1, printed as 1:1."""
    blue = [unit(n, quality="russian-grenadiers", bases=3, at=[x, 310]) for n, x in (("a", 500), ("b", 440))]
    return _fight(*blue, unit("red", "red", quality="russian-grenadiers", bases=3, at=[470, 355]), **ruling).odds


def _guns_add_strength(**ruling: Any) -> Any:
    return _fight(
        BLUE, unit("gun", "blue", "heavy-artillery", at=[300, 300], marks={"fired": "red"}), RED, **ruling
    ).attack


def _gun_arc(**ruling: Any) -> Any:
    return ask(
        battle(GUN, unit("red", "red", at=[500, 200]), phase="artillery", **ruling), "fire", ["gun", "red"]
    ).holds


def _attack_arc(**ruling: Any) -> Any:
    return allowed(battle(BLUE.turned(180.0), RED, phase="combat", **ruling), "combat", "blue", "red")


def _move(*terrain: Terrain, kind: str = "move", **ruling: Any) -> Any:
    mover = unit("blue", formation="column", front_mid=[500, 300])
    scene = battle(mover, RED, terrain=terrain, **ruling)
    return allowance(scene, mover, kind, planned_move(scene, mover, kind, {"path": [(500, 320)]}).course)


def _hills_difficult(**ruling: Any) -> Any:
    return _move(
        Terrain.of_kind("h", "hill", outline=[(400, 310), (600, 310), (600, 400), (400, 400)], level=1), **ruling
    )


def _road_in_difficult(**ruling: Any) -> Any:
    return _move(Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20), WOOD, **ruling)


def _rout_disrupts(**ruling: Any) -> Any:
    routing, red = unit("blue", status="routing", at=[500, 300]), unit("red", "red", at=[500, 260])
    return _rally(battle(routing, red, phase="rally", **ruling), 1).unit("red").status


def _rally_at_once(**ruling: Any) -> Any:
    """One that halts, and one that runs through a friend: how many throws there are, and who is in order."""
    scene = battle(
        unit("halts", status="routing", at=[200, 200]),
        unit("runs", status="routing", at=[500, 300]),
        unit("friend", at=[500, 245]),
        FAR,
        phase="rally",
        **ruling,
    )
    unfolding = Unfolding(scene, Faces([6, 1, 6, 6]))
    advance(unfolding)
    return {u.id for u in unfolding.battle.units if u.status == "ok"}


def _rout_direction(**ruling: Any) -> Any:
    scene = battle(
        unit("blue", status="routing", at=[500, 300]), unit("red", "red", at=[400, 300]), phase="rally", **ruling
    )
    return _rally(scene, 1).unit("blue").facing


def _general_presence(**ruling: Any) -> Any:
    return _fight(BLUE, unit("g", "blue", "general", at=[500, 260]), RED, **ruling).bonus


def _halt_needs(**ruling: Any) -> Any:
    """A general and a five: six together."""
    general = unit("g", "blue", "general", at=[500, 272.5])
    scene = battle(unit("blue", status="routing", at=[500, 300]), general, FAR, phase="rally", **ruling)
    return _rally(scene, 5, 1).unit("blue").status


def _routing_factor(**ruling: Any) -> Any:
    return _fight(BLUE, unit("red", "red", at=[500, 355], status="routing"), **ruling).defence


def _range_ends(**ruling: Any) -> Any:
    red = unit("red", "red", front_mid=[500, 320 + 60])
    return ask(battle(GUN, red, phase="artillery", **ruling), "fire", ["gun", "red"]).measured["band"]


def _fire_over(**ruling: Any) -> Any:
    hill = Terrain.of_kind("hill", "hill", outline=[(450, 200), (550, 200), (550, 330), (450, 330)], level=2)
    scene = battle(GUN, unit("friend", at=[500, 400]), unit("red", "red", at=[500, 700]), terrain=[hill], **ruling)
    return ask(scene, "fire", ["gun", "red"]).holds


def _captured_guns(**ruling: Any) -> Any:
    taken = unit("gun", "blue", "heavy-artillery", formation="limbered", marks={"captured": 1})
    return allowed(battle(taken, FAR, **ruling), "move", "gun", path=[(500, 340)])


def _column_charge(**ruling: Any) -> Any:
    return _move(kind="charge", **ruling)


def _pass_through(**ruling: Any) -> Any:
    horse = unit("horse", "blue", "light-cavalry", front_mid=[500, 300], status="disrupted")
    return allowed(battle(horse, unit("friend", at=[500, 320]), FAR, **ruling), "move", "horse", path=[(500, 380)])


def _manoeuvre_debt(**ruling: Any) -> Any:
    scene = battle(unit("blue", quality="prussian-line", marks={"spent": 0.2}), FAR, **ruling)
    wheel, formed = allowed(scene, "move", "blue", facing=90.0), allowed(scene, "form", "blue", formation="column")
    assert wheel == formed
    return wheel


def _wheel_angles(**ruling: Any) -> Any:
    scene = battle(unit("blue", quality="prussian-line"), FAR, **ruling)
    return ask(scene, "move", ["blue"], {"facing": 30.0}).measured["fraction"]


def _discount(**ruling: Any) -> Any:
    units = unit("f"), unit("h", "blue", "light-cavalry"), unit("w", quality="warsaw-line")
    return [wheel_cost(u, 90.0, battle(*units, **ruling).rulings) for u in units]


def _square_when(**ruling: Any) -> Any:
    horse, red = unit("horse", "blue", "heavy-cavalry", front_mid=[500, 300]), unit("red", "red", front_mid=[500, 380])
    kinds = ("move", "charge")
    return [
        done(battle(horse, red, **ruling), k, "horse", path=[(500, 379.9)]).battle.unit("red").formation for k in kinds
    ]


def _combat_compulsory(**ruling: Any) -> Any:
    scenes = (battle(BLUE, RED, terrain=terrain, phase="combat", **ruling) for terrain in ([], [COPSE]))
    return [allowed(scene, "done") for scene in scenes]


def _ground(**ruling: Any) -> Any:
    hill = Terrain.of_kind("hill", "hill", outline=[(400, 340), (600, 340), (600, 400), (400, 400)], level=1)
    return _fight(BLUE, RED, terrain=[hill], **ruling).bonus


def _charging(**ruling: Any) -> Any:
    return _fight(replace(BLUE, marks={"charging": True}), RED, **ruling).bonus


def _generals(**ruling: Any) -> Any:
    return _fight(BLUE, RED, unit("h", "red", "general", at=[500, 383]), **ruling).bonus


def _columns_shifted(**ruling: Any) -> Any:
    """3 against 35 from the rear: 1:7 and two up (G09)."""
    weak = unit("blue", quality="austrian-line", bases=3, at=[500, 390], facing=180)
    return _fight(weak, unit("red", "red", quality="british-guard", at=[500, 355]), **ruling).column


def _dd_falls_on(**ruling: Any) -> Any:
    shaken = replace(BLUE, status="disrupted"), replace(RED, status="disrupted")
    after = done(battle(*shaken, phase="combat", **ruling), "combat", "blue", "red", dice=[6]).battle
    return [after.unit(name).status for name in ("blue", "red")]


def _closed(*dice: int, general: bool = False, troop: str = "heavy-cavalry", **ruling: Any) -> Battle:
    """French horse, or the Old Guard, in contact routs opolchenie that has no time for a square."""
    quality = "french" if troop == "heavy-cavalry" else "french-old-guard"
    victor = unit("blue", "blue", troop, quality=quality, front_mid=[500, 300])
    back = 300 - (40 if troop == "heavy-cavalry" else 15) - 20
    generals = [unit("g", "blue", "general", at=[500, back])] if general else []
    prey = unit("red", "red", quality="russian-opolchenie", front_mid=[500, 300.2], marks={"debt": 1.0})
    scene = battle(victor, prey, *generals, FAR, phase="combat", **ruling)
    return done(scene, "combat", "blue", "red", dice=dice).battle


def _cut_down(**ruling: Any) -> Any:
    return _closed(4, 1, **ruling).has("red")


def _control_general(**ruling: Any) -> Any:
    return bool(_closed(4, 1, general=True, troop="infantry", **ruling).pending)


def _points_for(**ruling: Any) -> Any:
    return done(battle(BLUE, RED, phase="combat", **ruling), "combat", "blue", "red", dice=[6]).battle.scores


def _held_base_counts(**ruling: Any) -> Any:
    shaken = replace(BLUE, status="disrupted"), replace(RED, status="disrupted")
    return done(battle(*shaken, phase="combat", **ruling), "combat", "blue", "red", dice=[2]).battle.scores


def _disrupted_again_counts(**ruling: Any) -> Any:
    scene = battle(BLUE, RED, phase="combat", **ruling)
    once = done(scene, "combat", "blue", "red", dice=[6]).battle
    rallied = replace(RED, marks=once.unit("red").marks)
    again = replace(scene, units=(BLUE, replace(rallied, marks={**rallied.marks, "fought": None})), scores=once.scores)
    return done(again, "combat", "blue", "red", dice=[6]).battle.scores


POSITIONS: dict[str, Outcome] = {name[1:]: made for name, made in list(globals().items()) if name[1:] in RULES.rulings}


def test_every_ruling_has_a_position() -> None:
    assert set(POSITIONS) == set(RULES.rulings)


@pytest.mark.parametrize("name", sorted(RULES.rulings))
def test_every_value_of_a_ruling_matters(name: str) -> None:
    """One position, as many outcomes as the ruling has values; the usual one comes when nothing is ruled."""
    ruling = RULES.rulings[name]
    found = [POSITIONS[name](**{name: value}) for value in ruling.values]
    assert all(a != b for k, a in enumerate(found) for b in found[:k]), found
    assert POSITIONS[name]() == found[list(ruling.values).index(ruling.default)]
