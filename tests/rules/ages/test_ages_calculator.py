"""The calculator of the family: the golden cases of its books asked by form; its odds are those of a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.terrain import Terrain
from tabletop.play.app_draws import Draws
from tabletop.rules.ages.calculator import from_table
from tabletop.rules.calculator import Answer, Calculator
from tabletop.rules.rule_set import find
from tests import destiny, glaube, realm
from tests.ages import Faces, Numbers

BOTH_DISRUPTED, NOTHING = "both are disrupted", "nothing happens"
ATTACKER, DEFENDER, ROUTED = "the attacker is disrupted", "the defender is disrupted", "the defender is routed"


def machine(name: str) -> Calculator:
    make = find(name).calculator
    assert make is not None
    return make()


def asked(name: str, action: str, throws: Sequence[int], **form: Any) -> Answer:
    """Return the answer to a form for these throws; every one of them must be made."""
    written = [*map(float, throws)]
    script: ScriptedDice = Faces(written) if name == "realm-of-chance" else Numbers(written)
    one = machine(name)
    pressed: tuple[str, str | None] = ("result", action) if action in one.actions else (action, None)
    answer = one.press(*pressed, form, script)
    assert not script.script
    return answer


def fight(attacker: str, bases: int, defender: str, against: int, **more: Any) -> dict[str, Any]:
    return {
        "attacker": attacker,
        "attacker_bases": bases,
        "defender": defender,
        "defender_bases": against,
        "defender_formation": "line",
        **more,
    }


FRENCH, PRUSSIAN = "french-line infantry", "prussian-line infantry"
EVEN = fight(FRENCH, 5, PRUSSIAN, 5)
GUARD, CUIRASSIERS = "french-old-guard infantry", "french heavy-cavalry"


@pytest.mark.parametrize(
    ("name", "throws", "form", "column", "found"),
    [
        ("realm-of-chance", [1], EVEN, "1:1", ATTACKER),  # ROC-G04
        ("realm-of-chance", [5], {**EVEN, "defender_state": "disrupted"}, "2:1", DEFENDER),  # ROC-G05
        ("realm-of-chance", [4], {**EVEN, "defender_state": "disrupted"}, "2:1", BOTH_DISRUPTED),
        # ROC-G08: 10 and 24 of heavy cavalry against 10, charging
        ("realm-of-chance", [2], {**EVEN, "further_strength": 24, "arms": "two"}, "4:1", BOTH_DISRUPTED),
        (
            "realm-of-chance",
            [2],
            {**EVEN, "further_strength": 24, "arms": "two", "charging": True},
            "4:1",
            DEFENDER,
        ),
        ("realm-of-chance", [3], {**EVEN, "further_strength": 24, "arms": "two"}, "4:1", DEFENDER),
        ("destiny", [120], EVEN, "1:1", ATTACKER),  # AGE-G04
        ("destiny", [120], {**EVEN, "charging": True}, "1:1", BOTH_DISRUPTED),
        # AGE-G05, -06, -09: twenty against eight or ten, both 2:1
        ("destiny", [649], fight(FRENCH, 5, PRUSSIAN, 5, further_strength=10), "2:1", BOTH_DISRUPTED),
        ("destiny", [650], fight(FRENCH, 5, PRUSSIAN, 5, further_strength=10), "2:1", DEFENDER),
        ("destiny", [500], fight(FRENCH, 5, PRUSSIAN, 5, further_strength=10, direction="flank"), "3:1", DEFENDER),
        (
            "destiny",
            [550],
            fight(FRENCH, 5, PRUSSIAN, 5, further_strength=10, defender_ground="better"),
            "2:1",
            NOTHING,
        ),
        # DES-G02: lancers in their first contact, charging
        (
            "destiny",
            [400],
            fight("french lancer-cavalry", 4, PRUSSIAN, 5, charging=True, first_contact=True),
            "2:1",
            BOTH_DISRUPTED,
        ),
        # REA-G01, -G04, -G09, -G10
        ("reason", [800], fight("american-minutemen infantry", 5, "british-grenadiers infantry", 5), "1:4", NOTHING),
        (
            "reason",
            [560],
            fight("british-grenadiers infantry", 5, "american-militia infantry", 5, defender_ground="better"),
            "4:1",
            DEFENDER,
        ),
        (
            "reason",
            [200, 520],
            fight(
                "prussian heavy-cavalry",
                4,
                "austrian heavy-cavalry",
                4,
                charging=True,
                attacker_general="great-captain",
            ),
            "1:1",
            DEFENDER,
        ),
        # GLO-G02, -G04, -G05
        ("gloire", [499], fight("british-guards infantry", 5, FRENCH, 5), "2:1", NOTHING),
        ("gloire", [500], fight("british-guards infantry", 5, FRENCH, 5), "2:1", BOTH_DISRUPTED),
        (
            "gloire",
            [150, 480],
            fight(
                "british-line infantry",
                5,
                FRENCH,
                5,
                attacker_general="great-captain",
                defender_formation="garrison",
                defender_ground="better",
            ),
            "1:1",
            NOTHING,
        ),
        # GLA-G02, -G05: a square in good order has its disrupted factor; infantry at it adds a hundred
        (
            "glaube",
            [500],
            fight("imperial-veterans infantry", 8, "swedish-regulars infantry", 6),
            "2:1",
            BOTH_DISRUPTED,
        ),
        (
            "glaube",
            [250],
            fight("imperial-regulars infantry", 6, "swedish-veterans infantry", 8, defender_formation="square"),
            "1:1",
            NOTHING,
        ),
    ],
)
def test_golden_combats(name: str, throws: Sequence[int], form: dict[str, Any], column: str, found: str) -> None:
    """ROC-CBT-03, -04, -05, -06, -07, -09, -11, ROC-ODD-04, AGE-CBT-08, AGE-CBT-14: strengths, odds, column, number."""
    answer = asked(name, "combat", throws, **form)
    assert (answer.data["column"], answer.text) == (column, found)


@pytest.mark.parametrize(
    ("name", "throws", "form", "column", "found"),
    [
        # ROC-G09, AGE-G08: 3 against 35, from the rear: 1:7 is 1:5; ROC-G10: 35 against 4 is 6:1
        ("realm-of-chance", [6], fight("austrian-line infantry", 3, GUARD, 5, direction="rear"), "1:5", ATTACKER),
        ("destiny", [999], fight("french-marie-louises infantry", 1, GUARD, 5, direction="rear"), "1:5", ATTACKER),
        (
            "reason",
            [500],
            fight("british-line infantry", 5, "american foot-artillery", 1, defender_formation="unlimbered"),
            "6:1",
            ROUTED,
        ),
    ],
)
def test_columns_at_the_ends_of_the_table(
    name: str, throws: Sequence[int], form: dict[str, Any], column: str, found: str
) -> None:
    """ROC-ODD-04: columns are shifted on the whole ladder, and cut then; the strength of guns is one."""
    answer = asked(name, "combat", throws, **form)
    assert (answer.data["column"], answer.text) == (column, found)


@pytest.mark.parametrize(
    ("name", "throws", "state", "found"),
    [
        ("realm-of-chance", [2, 4], "ok", "the square drives the cavalry off"),  # ROC-G16
        ("realm-of-chance", [3, 4], "ok", NOTHING),
        ("realm-of-chance", [5, 6], "ok", "the square is broken"),
        ("realm-of-chance", [3, 5], "disrupted", "the square is broken"),
        ("realm-of-chance", [1, 3], "disrupted", "the square drives the cavalry off"),
        ("destiny", [850], "ok", NOTHING),  # DES-G05
        ("destiny", [900], "ok", "the square is broken"),
        ("destiny", [399], "ok", "the square drives the cavalry off"),
    ],
)
def test_cavalry_at_a_square(name: str, throws: Sequence[int], state: str, found: str) -> None:
    """ROC-SQR-01, ROC-SQR-02, ROC-SQR-03: no strengths, no odds, and nothing is asked that makes no difference."""
    form = {
        "attacker": CUIRASSIERS,
        "defender": PRUSSIAN,
        "defender_formation": "square",
        "defender_state": state,
        "arms": "of no account",
    }
    answer = asked(name, "combat", throws, **form)
    assert (answer.text, "column" in answer.data) == (found, False)
    assert not machine(name).applies("charging", form) and machine(name).applies("charging", EVEN)


@pytest.mark.parametrize(
    ("name", "guns", "far", "formation", "throws", "found"),
    [
        ("realm-of-chance", "heavy-artillery", 181, "column", [4], DEFENDER),  # ROC-G12
        ("realm-of-chance", "horse-artillery", 181, "line", [], "no shot, out of range"),
        ("realm-of-chance", "heavy-artillery", 100, "square", [3], ROUTED),  # ROC-G13
        ("destiny", "foot-artillery", 60, "line", [500], ROUTED),  # AGE-G10
        ("destiny", "foot-artillery", 61, "line", [500], DEFENDER),
        ("destiny", "foot-artillery", 181, "line", [649], NOTHING),
        ("destiny", "foot-artillery", 181, "column", [550], DEFENDER),
        ("destiny", "horse-artillery", 100, "line", [499], NOTHING),  # DES-G08
        ("destiny", "horse-artillery", 100, "line", [500], DEFENDER),
        ("destiny", "horse-artillery", 100, "line", [800], ROUTED),
        ("gloire", "foot-artillery", 190, "column", [549], NOTHING),  # GLO-G08
        ("gloire", "foot-artillery", 190, "column", [550], DEFENDER),
        ("gloire", "foot-artillery", 500, "limbered", [999], DEFENDER),
        ("gloire", "foot-artillery", 501, "limbered", [], "no shot, out of range"),
    ],
)
def test_golden_shots(name: str, guns: str, far: int, formation: str, throws: list[int], found: str) -> None:
    """ROC-ART-03, ROC-ART-04, ROC-ART-05, ROC-ART-06: the band of a range ends at its limit, which belongs to it."""
    form = {"guns": guns, "range": far, "defender_formation": formation}
    assert asked(name, "bombard", throws, **form).text == found


@pytest.mark.parametrize(
    ("name", "throws", "unit", "form", "found"),
    [
        ("realm-of-chance", [1], GUARD, {"general": "general"}, "it rallies"),  # ROC-G17
        ("realm-of-chance", [5], GUARD, {"general": "general", "unit_state": "routing"}, "it halts, disrupted"),
        ("realm-of-chance", [5], GUARD, {"unit_state": "routing"}, "it runs on"),
        ("destiny", [149], GUARD, {"general": "great-captain"}, "it rallies"),  # DES-G09
        ("destiny", [149], GUARD, {}, "it stays disrupted"),
        ("reason", [699], "american-militia infantry", {"general": "general"}, "it stays disrupted"),  # REA-G05
        ("reason", [700], "american-militia infantry", {"general": "general"}, "it rallies"),
        (
            "glaube",
            [600],
            "swedish-regulars infantry",
            {"general": "great-captain", "unit_state": "routing"},
            "it halts, disrupted",
        ),  # GLA-G06
        (
            "glaube",
            [599],
            "swedish-regulars infantry",
            {"general": "great-captain", "unit_state": "routing"},
            "it runs on",
        ),
    ],
)
def test_golden_rallies(name: str, throws: list[int], unit: str, form: dict[str, Any], found: str) -> None:
    """ROC-RAL-01, ROC-RAL-03, ROC-RAL-04, AGE-RAL-07: what a general adds, a great captain more."""
    assert asked(name, "rally", throws, unit=unit, **form).text == found


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (49, "the attacker's general is killed; "),
        (99, "the attacker's general is wounded; "),
        (149, "the attacker's general is shaken; "),
        (150, ""),
    ],
)
def test_a_general_under_fire_helps_if_he_comes_through(number: int, said: str) -> None:
    """AGE-RAL-08, GLO-GEN-01: Marlborough at 0.049, 0.099, 0.149 and 0.150 (GLO-G06), in combat and at a rally."""
    form = fight("british-line infantry", 5, FRENCH, 5, attacker_general="great-captain")
    assert asked("gloire", "combat", [number, 600], **form).text == said + (NOTHING if said else DEFENDER)
    guards = {"unit": "british-line infantry", "general": "great-captain", "exposed": True}
    rally = asked("gloire", "rally", [number, 300], **guards).text
    assert rally == said.replace("attacker's ", "") + ("it stays disrupted" if said else "it rallies")


def test_control_and_orders() -> None:
    """ROC-CTL-01, AGE-CTL-01, ROC-ORD-01, AGE-ORD-03 (AGE-G02).

    A victor needs its rally throw, an order a two, or 0.150. In the Ages a general adds a tenth to the first; in Realm
    of Chance nobody asks for one.
    """
    assert asked("destiny", "control", [149], unit=GUARD).text == "it is out of control, and pursues"
    assert asked("destiny", "control", [150], unit=GUARD).text == "it stays in hand, and may pursue"
    with_general = {"unit": "french-line infantry", "general": "general"}
    words = [asked("destiny", "control", [number], **with_general).text for number in (549, 550)]
    assert words == ["it is out of control, and pursues", "it stays in hand, and may pursue"]
    assert "general" not in [field.name for field in machine("realm-of-chance").fields("result", "control")]
    assert [asked("destiny", "order", [number]).text for number in (149, 150)] == ["not understood", "understood"]
    assert [asked("realm-of-chance", "order", [face]).text for face in (1, 2)] == ["not understood", "understood"]


@pytest.mark.parametrize(
    ("lost", "disrupted", "throws", "found"),
    [
        (8, False, [], "no mark is reached, and nobody throws"),
        (9, False, [150], "it is disrupted, and retires until it is rallied"),
        (9, False, [151], "it fights on"),
        (12, False, [150], "it routs"),  # AGE-G12: the mark at 20 in a hundred, level 300
        (12, False, [151], "it is disrupted, and retires until it is rallied"),
        (12, False, [300], "it is disrupted, and retires until it is rallied"),
        (12, False, [301], "it fights on"),
        (12, True, [300], "it routs"),
    ],
)
def test_a_crisis_of_morale(lost: int, disrupted: bool, throws: list[int], found: str) -> None:
    """AGE-CRI-02, AGE-CRI-03, AGE-CRI-04, AGE-SET-05: of 57 bases nine are the first mark, twelve the next."""
    assert asked("destiny", "morale", throws, army_bases=57, army_lost=lost, disrupted=disrupted).text == found


@pytest.mark.parametrize(
    ("name", "option", "level"),
    [("destiny", True, 500), ("destiny", "hazard", 250), ("destiny", False, 500), ("realm-of-chance", True, 500),
     ("realm-of-chance", "hazard", 250), ("realm-of-chance", None, 500)],
)  # fmt: skip
def test_a_crisis_of_sauve_qui_peut(name: str, option: bool | str | None, level: int) -> None:
    """SQP-TST-03, SQP-G10: 10 bases of 40; Realm of Chance has that crisis alone, the Ages their own unless asked."""
    form: dict[str, Any] = {"army_bases": 40, "army_lost": 10, "disrupted": False, "sauve_qui_peut": option}
    answers = {
        number: machine(name).press("morale", None, form, Numbers([float(number)]))
        for number in (level // 2, level // 2 + 1, level, level + 1)
    }
    shaken = "it is disrupted, and retires until it is rallied"
    assert [answer.text for answer in answers.values()] == ["it routs", shaken, shaken, "it fights on"]
    assert f"crisis: number {level / 1000:.3f}" in answers[level].lines
    odds = {text: p for p, text in machine(name).odds("morale", None, form)}
    assert odds["it fights on"] == pytest.approx((999 - level) / 1000)


def test_an_army_that_broke_earlier() -> None:
    """SQP-BAS-02: the level is 800 at 25 % of losses; asked only with the module, and only 15 or 25 is possible."""
    one = machine("realm-of-chance")
    form = {"army_bases": 40, "army_lost": 10, "disrupted": False, "army_mean": 15}
    assert {text: p for p, text in one.odds("morale", None, form)}["it fights on"] == pytest.approx(0.199)
    with pytest.raises(BadQuestion, match="army_mean: it must be 25 or 15"):
        one.odds("morale", None, {**form, "army_mean": 20})
    assert [machine("destiny").applies("army_mean", {"sauve_qui_peut": on}) for on in (False, True)] == [False, True]
    switch = next(field for field in one.fields("morale", None) if field.name == "sauve_qui_peut")
    assert (switch.label, switch.values) == ("Sauve qui peut", (True, "hazard"))


def test_a_crisis_taken_from_the_table() -> None:
    """The scenario's choice, by side; a battle without a crisis says so."""
    units = (realm.unit("a", at=[300, 300]), realm.unit("e", "red", at=[500, 700]))
    options = {"sauve_qui_peut": "hazard", "army_mean": {"blue": 15}}
    memory = {"army:blue": 40, "lost:blue": 10}
    with_it = replace(realm.BUILDER.battle(*units, options=options), memory=memory)
    found = machine("realm-of-chance").filled(with_it, "morale", None, "a", None)
    assert {name: one.value for name, one in found.items()} == {
        "army_bases": 40, "army_lost": 10, "disrupted": False, "sauve_qui_peut": "hazard", "army_mean": 15,
    }  # fmt: skip
    enemy = machine("realm-of-chance").filled(with_it, "morale", None, "e", None)
    assert enemy["army_mean"].value == 25
    with pytest.raises(BadQuestion, match="its scenario does not switch on Sauve qui peut"):
        machine("realm-of-chance").filled(realm.BUILDER.battle(*units), "morale", None, "a", None)


# --- what cannot be --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "form", "says"),
    [
        ("combat", {**EVEN, "attacker_bases": 6}, "attacker_bases: 6 is not between 1 and 5"),
        ("combat", {**EVEN, "defender_bases": 0}, "defender_bases: 0 is not between 1 and 5"),
        ("combat", {**EVEN, "defender_formation": "limbered"}, "defender_formation: no formation 'limbered'"),
        ("combat", {**EVEN, "attacker": "french heavy-artillery"}, "attacker cannot be 'french heavy-artillery'"),
        ("combat", {**EVEN, "attacker_general": "great-captain"}, "attacker_general cannot be 'great-captain'"),
        ("combat", {**EVEN, "direction": "left"}, "direction cannot be 'left'"),
        (
            "bombard",
            {"guns": "heavy-artillery", "range": -1, "defender_formation": "line"},
            "range must be a whole number",
        ),
        ("rally", {"unit": GUARD, "unit_state": "ok"}, "unit_state cannot be 'ok'"),
        ("rout", {}, "the result of which action"),
    ],
)
def test_what_it_refuses(action: str, form: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion, match=says) as caught:
        machine("realm-of-chance").press("result", action, form, Draws(1))
    assert "\n" not in str(caught.value)


def test_losses_that_cannot_be() -> None:
    with pytest.raises(BadQuestion, match="army_lost: 8 bases cannot be lost of 7"):
        machine("glaube").odds("morale", None, {"army_bases": 7, "army_lost": 8})


# --- as in a battle --------------------------------------------------------------------------------------------------


def of_battle(scene: Battle, kind: str, unit: str, target: str) -> dict[str, float]:
    """Return the exact odds that the battle itself gives an action, by its words."""
    play = find(scene.rules).play
    assert play is not None
    odds = play().odds(scene, Action(kind, str(scene.clock.side), unit, target))
    assert odds is not None
    return together((p, result.text) for p, result in odds.results)


def together(odds: Any) -> dict[str, float]:
    """Return odds by their last words, what comes before them left out."""
    found: dict[str, float] = {}
    for p, text in odds:
        end = text.rsplit("; ", 1)[-1]
        found[end] = found.get(end, 0.0) + p
    return found


def of_form(scene: Battle, kind: str, unit: str, target: str) -> dict[str, float]:
    one = machine(scene.rules)
    filled = one.filled(scene, "result", kind, unit, target)
    assert all(field.source for field in filled.values())
    return together(one.odds("result", kind, {name: field.value for name, field in filled.items()}))


HILL = Terrain.of_kind("hill", "hill", outline=[(300, 320), (700, 320), (700, 600), (300, 600)])


def scenes() -> dict[str, tuple[Battle, str]]:
    """Return small battles with a blue unit "a" that attacks or fires at a red unit "r", and the kind of action."""
    roc, des, gla = realm.unit, destiny.unit, glaube.unit
    red = roc("r", "red", front_mid=[500, 310])
    horse = roc("a", "blue", "heavy-cavalry", front_mid=[500, 310], marks={"charging": True}, quality="french")
    flank = roc("a", front_mid=[549.5, 340], facing=270)
    faced_about = roc("r", "red", front_mid=[500, 310], marks={"retreating": True})
    gun = roc("a", "blue", "heavy-artillery", front_mid=[500, 200], quality="french")
    fired = roc("g", "blue", "heavy-artillery", front_mid=[700, 200], quality="french", marks={"fired": "r"})
    general = des("m", "blue", "general", rank="great-captain", at=[500, 275])
    theirs = des("n", "red", "general", at=[500, 345])
    lancers = des("a", "blue", "lancer-cavalry", front_mid=[500, 300], quality="french", marks={"contacts": ("r",)})
    square = gla("r", "red", formation="square", at=[500, 340])
    return {
        "line against line": (realm.battle(roc("a", front_mid=[500, 300]), red, phase="combat"), "combat"),
        "uphill": (
            realm.battle(
                roc("a", front_mid=[500, 300]), roc("r", "red", front_mid=[500, 330]), terrain=[HILL], phase="combat"
            ),
            "combat",
        ),
        "a charge": (realm.battle(horse, red, phase="combat"), "combat"),
        "into the flank": (realm.battle(flank, red, phase="combat"), "combat"),
        "after fire": (realm.battle(roc("a", front_mid=[500, 300]), red, fired, phase="combat"), "combat"),
        "faced about": (realm.battle(roc("a", front_mid=[500, 300]), faced_about, phase="combat"), "combat"),
        "a shot": (
            realm.battle(gun, roc("r", "red", front_mid=[500, 380.7], formation="column"), phase="artillery"),
            "bombard",
        ),
        "generals": (
            destiny.battle(
                des("a", front_mid=[500, 300]), des("r", "red", front_mid=[500, 310]), general, theirs, phase="combat"
            ),
            "combat",
        ),
        "lancers": (destiny.battle(lancers, des("r", "red", front_mid=[500, 300]), phase="combat"), "combat"),
        "horse at a square": (
            glaube.battle(gla("a", "blue", "heavy-cavalry", front_mid=[500, 300]), square, phase="combat"),
            "combat",
        ),
    }


@pytest.mark.parametrize("name", list(scenes()))
def test_odds_are_those_of_the_battle(name: str) -> None:
    """ROC-CBT-03..09, ROC-ART-03: the form taken from a table has the odds of the action on it."""
    scene, kind = scenes()[name]
    found = of_form(scene, kind, "a", "r")
    assert found == pytest.approx(of_battle(scene, kind, "a", "r"), abs=1e-12)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)


def test_forms_of_one_unit_from_a_table() -> None:
    """ROC-RAL-01, ROC-CTL-01, AGE-CRI-01: its state, the general with it, its army's losses."""
    general = destiny.unit("m", "blue", "general", at=[500, 275])
    unit = destiny.unit("a", front_mid=[500, 300], status="routing", marks={"exposed": True})
    scene = destiny.battle(unit, general, destiny.unit("r", "red", at=[500, 700]))
    values = {name: one.value for name, one in machine("destiny").filled(scene, "result", "rally", "a", None).items()}
    assert values == {"unit": FRENCH, "unit_state": "routing", "general": "general", "exposed": True}
    control = machine("destiny").filled(scene, "result", "control", "a", None)
    assert control["unit"].value == FRENCH and control["unit"].source == "a"
    crisis = machine("destiny").filled(scene, "morale", None, "a", None)
    assert {name: one.value for name, one in crisis.items()} == {
        "army_bases": 0, "army_lost": 0, "disrupted": False, "sauve_qui_peut": False, "army_mean": 25,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "unit", "target", "says"),
    [
        ("combat", "a", None, "choose an enemy: point at him"),
        ("combat", "g", "r", "g is artillery, and attacks by its fire alone"),
        ("combat", "m", "r", "m is a general: choose a unit that fights"),
        ("bombard", "a", "r", "a is no artillery: choose a battery"),
        ("rally", "a", None, "a is in good order, and need not rally"),
    ],
)
def test_what_a_table_does_not_say(kind: str, unit: str, target: str | None, says: str) -> None:
    scene = realm.battle(
        realm.unit("a", front_mid=[500, 300]),
        realm.unit("g", "blue", "heavy-artillery", at=[700, 200], quality="french"),
        realm.unit("m", "blue", "general", at=[300, 200]),
        realm.unit("r", "red", front_mid=[500, 310]),
    )
    with pytest.raises(BadQuestion) as caught:
        machine("realm-of-chance").filled(scene, "result", kind, unit, target)
    assert str(caught.value) == says


@pytest.mark.parametrize("name", ["realm-of-chance", "destiny"])
def test_a_battle_with_another_ruling_is_refused(name: str) -> None:
    """The calculator answers by the usual rulings: a form from a battle with others would be answered otherwise."""
    module = realm if name == "realm-of-chance" else destiny
    units: list[Unit] = [module.unit("a", front_mid=[500, 300]), module.unit("r", "red", front_mid=[500, 310])]
    rulings = find(name).rulings
    assert any(ruling in rulings for ruling in from_table.ANSWERED_BY)
    scene = module.battle(*units, routing_factor="normal")
    with pytest.raises(BadQuestion, match="this battle has the ruling routing_factor: normal"):
        machine(name).filled(scene, "result", "combat", "a", "r")
