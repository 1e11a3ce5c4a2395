"""Cases at the rim of Realm of Chance: questions that make no sense, actions out of their phase, words for it all."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Event, Placed, Removed, Scored, Told
from tabletop.battle.progress import Outcome, Setup
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import distance_between, pose_of
from tabletop.errors import BadQuestion
from tabletop.judge import ask
from tabletop.play import engine, narration
from tabletop.rules.ages.combat.judge import may_attack
from tabletop.rules.ages.combat.pursuit import continue_pursuit
from tabletop.rules.ages.morale.edges import bearing_home
from tabletop.rules.ages.movement.legality import planned_move
from tabletop.rules.ages.movement.resolve import make_move
from tabletop.rules.ages.turn.simultaneous import in_sequence
from tabletop.rules.realm_of_chance.rule_set import RULES
from tabletop.rules.rule_set import MusterError
from tests.games.test_rounding import shaken
from tests.realm import Faces, action, allowed, battle, unit, why

FAR = unit("far", "red", at=[100, 760])
GENERAL = unit("g", "blue", "general", at=[900, 100])


def scene(**keys: Any) -> Battle:
    return battle(unit("blue", at=[500, 300]), unit("red", "red", at=[500, 400]), GENERAL, **keys)


@pytest.mark.parametrize("depth", [300.0, 300 + 8 / 1024, 300 + 24 / 1024])
def test_what_stands_level_is_in_one_sequence_whatever_the_last_bit(depth: float) -> None:
    """ROC-SEQ-01: also where a place on the grid lies half-way between two decimals, and a facing beside due north."""
    level = battle(*(unit(f"u{k}", at=[900 - 150 * k, depth]) for k in range(4)), unit("red", "red", at=[500, 700]))
    order = [u.id for u in in_sequence(level, level.units)]
    assert order == ["u3", "u2", "u1", "u0", "red"] or order == ["red", "u3", "u2", "u1", "u0"]
    rng = Random(1)
    for _ in range(40):
        other = shaken(level, rng)
        assert [u.id for u in in_sequence(other, other.units)] == order


# --- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "args", "options", "says"),
    [
        ("zones", ["g"], {}, "'g' has no front; ask for a unit that fights"),
        ("field", ["g"], {}, "'g' does not fight; ask for a unit that does"),
        ("los", ["blue", "blue"], {}, "blue"),
        ("move", ["blue"], {}, "where shall 'blue' move? give --to X,Y or --path X,Y X,Y ... (or --facing F)"),
        ("move", ["blue"], {"as": "withdraw"}, "how far shall 'blue' go back? give --distance D, or --to X,Y"),
        ("move", ["blue"], {"as": "retreat", "path": [(500, 200), (500, 100)]}, "how far shall 'blue' go back?"),
        ("move", ["blue"], {"as": "withdraw", "to": (500, 400)}, "goes back straight to its rear; (500, 400) is not"),
        ("move", ["blue"], {"as": "withdraw", "to": (520, 250)}, "goes back straight to its rear; (520, 250) is not"),
        ("move", ["g"], {"as": "charge"}, "'g' does not charge; it may: "),
    ],
)
def test_a_question_that_makes_no_sense(question: str, args: list[str], options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadQuestion) as caught:
        ask(scene(), question, args, options)
    assert says in str(caught.value)


@pytest.mark.parametrize("kind", ["withdraw", "retreat"])
def test_a_place_behind_is_as_good_as_its_distance(kind: str) -> None:
    """ROC-MOV-05, ROC-MOV-06: how far may be said by the place where the front comes to stand."""
    field = scene()
    x, y = field.unit("blue").front_mid
    by_place = planned_move(field, field.unit("blue"), kind, {"path": [(x, y - 40.0)]})
    by_length = planned_move(field, field.unit("blue"), kind, {"distance": 40.0})
    assert by_place.end.at == pytest.approx(by_length.end.at) and by_place.end.facing == by_length.end.facing
    stays = planned_move(field, field.unit("blue"), kind, {"to": (x, y)})
    assert stays.end.at == pytest.approx(planned_move(field, field.unit("blue"), kind, {"distance": 0.0}).end.at)


# --- mustering -------------------------------------------------------------------------------------------------------

ENTRY: dict[str, Any] = {
    "id": "a",
    "side": "blue",
    "troop": "infantry",
    "quality": "french-line",
    "formation": "line",
    "facing": 0,
    "at": [500, 300],
}


@pytest.mark.parametrize(
    ("entry", "key", "says"),
    [
        ({**ENTRY, "front_mid": [500, 300]}, "front_mid", "at and front_mid both given; keep one of them"),
        ({"id": "g", "side": "blue", "troop": "general", "front_mid": [5, 5]}, "front_mid", "has no front; give at"),
        ({"id": "g", "side": "blue", "troop": "staff-officer", "at": [5, 5], "bases": 1}, "bases", "has no bases"),
    ],
)
def test_an_entry_that_cannot_be(entry: dict[str, Any], key: str, says: str) -> None:
    """ROC-SCA-02, ROC-SCA-04."""
    with pytest.raises(MusterError) as caught:
        RULES.muster(entry, RULES.ruling_values())
    assert caught.value.key == key and says in str(caught.value)


def test_a_base_may_be_written_when_it_is_the_right_one() -> None:
    """ROC-SCA-02: bases have fixed sizes; a hair's difference is within the tape."""
    base = RULES.muster(ENTRY, RULES.ruling_values()).bases[0]
    west, south, east, north = base.polygon.bounds
    for more, fits in ((0.0, True), (0.09, True), (0.11, False), (-0.11, False)):
        entry = {**ENTRY, "base": [east - west + more, north - south]}
        if fits:
            assert RULES.muster(entry, RULES.ruling_values()).bases[0] == base
        else:
            with pytest.raises(MusterError, match="leave base out"):
                RULES.muster(entry, RULES.ruling_values())


# --- whose turn ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options", "phase"),
    [
        ("bombard", {"target": "red"}, "artillery"),
        ("combat", {"target": "red"}, "combat"),
        ("form", {"formation": "column"}, "movement"),
        ("move", {"path": [(500, 320)]}, "movement"),
    ],
)
def test_each_thing_has_its_phase_and_its_side(kind: str, options: dict[str, Any], phase: str) -> None:
    """ROC-SEQ-01: in another phase, or with a unit of the other side, nothing else is looked at."""
    for other in ("artillery", "movement", "combat"):
        if other != phase:
            assert why(scene(phase=other), kind, "blue", **options) == {"ROC-SEQ-01"}
    theirs = {**options, "target": "blue"} if "target" in options else options
    assert "ROC-SEQ-01" in why(scene(phase=phase), kind, "red", **theirs)


def test_an_attack_only_to_the_front_where_so_ruled() -> None:
    """ROC-CBT-01: the ruling ``attack_arc``; by the usual one the enemy may stand anywhere in contact."""
    for facing, ruling, holds in ((0, "any", True), (0, "front", True), (180, "front", False), (180, "any", True)):
        units = unit("blue", at=[500, 300], facing=facing), unit("red", "red", at=[500, 315.2])
        assert allowed(battle(*units, phase="combat", attack_arc=ruling), "combat", "blue", "red") is holds


# --- edges -----------------------------------------------------------------------------------------------------------


def test_a_side_alone_on_the_table_goes_south() -> None:
    """ROC-MOV-07: with nobody to turn the back on, as the table is drawn."""
    alone = replace(battle(unit("blue")), setup=Setup(sides=("blue", "red")))
    assert bearing_home(alone, "blue") == bearing_home(alone, "red") == 180.0


def test_who_hangs_over_the_edge_is_a_fault() -> None:
    """Flush with it is none."""
    deep = unit("blue").footprint.bounds[3] - unit("blue").at[1]
    flush = battle(unit("blue", at=[500, 800 - deep]), unit("red", "red", at=[300, 300]))
    faults = engine.play_of(flush).faults
    assert not faults(flush)
    over = battle(unit("blue", at=[500, 800.5 - deep]), unit("red", "red", at=[300, 300]))
    assert list(faults(over)) == ["blue stands over the table's edge"]


def test_a_squares_front_is_all_round_it() -> None:
    """ROC-CBT-05."""
    square = battle(unit("blue", at=[500, 300], formation="square"), unit("red", "red", at=[500, 200]))
    verdict = ask(square, "zones", ["blue"])
    assert verdict.measured == {"front": ["red"], "flank": [], "rear": []}
    line = battle(unit("blue", at=[500, 300]), unit("red", "red", at=[500, 200]))
    assert ask(line, "zones", ["blue"]).measured["rear"] == ["red"]
    assert {shape.label for shape in verdict.shapes} == {"front"}


# --- pursuit and friends ---------------------------------------------------------------------------------------------


def pursued(friend: tuple[float, float]) -> Battle:
    """Return what is left after a pursuer out of hand went on, in its rally phase, with a friend ahead."""
    guard = unit("blue", quality="french-old-guard", front_mid=[500, 300], marks={"pursuing": "red"})
    prey = unit("red", "red", at=[500, 700], status="routing", facing=0)
    unfolding = Unfolding(battle(guard, prey, unit("friend", front_mid=friend), phase="rally"), Faces([1.0]))
    continue_pursuit(unfolding, "blue")
    assert unfolding.battle.unit("blue").marks["pursuing"] == "red"
    assert not engine.play_of(unfolding.battle).faults(unfolding.battle)
    return unfolding.battle


def test_a_pursuer_runs_through_friends_to_the_disorder_of_both() -> None:
    """ROC-CTL-01, ROC-VP-01: each is disrupted, a point to the enemy for each; one beside its way is not."""
    aside = pursued((700.0, 330.0))
    run = aside.unit("blue").front_mid[1] - 300.0
    assert run > 45.0 and aside.unit("friend").status == "ok" and aside.scores == {}
    through = pursued((500.0, 330.0))
    assert through.unit("blue").front_mid[1] == pytest.approx(300.0 + run)
    assert {through.unit(name).status for name in ("blue", "friend")} == {"disrupted"}
    assert through.scores == {"red": 2.0}


def test_a_pursuer_that_would_end_in_a_friend_ends_short_of_him() -> None:
    """ROC-CTL-01: without running through, so nobody is disrupted."""
    run = pursued((700.0, 330.0)).unit("blue").front_mid[1] - 300.0
    short = pursued((500.0, 300.0 + run + 5.0))
    gap = distance_between(short.unit("blue"), short.unit("friend"))
    assert gap == pytest.approx(0.0, abs=0.11)
    assert {short.unit(name).status for name in ("blue", "friend")} == {"ok"} and short.scores == {}


# --- worth, suggestions ----------------------------------------------------------------------------------------------


def test_what_a_position_is_worth_to_one_side_it_costs_the_other() -> None:
    """Troops and points (ROC-VP-01): a disrupted unit is worth less than one in order, a lost one nothing."""
    worth = engine.play_of(scene()).worth
    scored = replace(scene(), scores={"red": 2.0})
    shaken = battle(unit("blue", at=[500, 300], status="disrupted"), unit("red", "red", at=[500, 400]))
    gone = battle(unit("red", "red", at=[500, 400]))
    for field in (scene(), scored, shaken, gone):
        assert worth(field, "blue") == pytest.approx(-worth(field, "red"))
    assert worth(scene(), "blue") > worth(shaken, "blue") > worth(gone, "blue")
    assert worth(scored, "blue") < worth(scene(), "blue")


def test_nothing_is_suggested_once_the_battle_is_over() -> None:
    suggest = engine.play_of(scene()).suggest
    assert list(suggest(scene()))
    assert list(suggest(replace(scene(), outcome=Outcome("blue", "broke")))) == []


def test_an_action_that_cannot_be_put_is_refused_with_its_reason() -> None:
    with pytest.raises(BadQuestion):
        engine.judge(scene(), action(scene(), "move", "blue", None))


# --- words -----------------------------------------------------------------------------------------------------------


def said(event: Event) -> list[str]:
    return list(narration.sentences(scene(), [event]))


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (
            Told("combat", {"result": "Ar", "odds": "1:2"}, "blue", "red"),
            "blue attacked red at 1:2: the attacker routed.",
        ),
        (Told("combat", {"result": ""}, "blue", "red"), "blue attacked red: without effect."),
        (Told("fire", {"result": "Dr", "range": 90.0}, "blue", "red"), "blue fired at red at 90 mm: routed."),
        (Told("square", {"result": "broken"}, "red", "blue"), "red rode down the square of blue."),
        (Told("square", {"result": "repelled"}, "red", "blue"), "red were thrown back by the square of blue."),
        (Told("square", {"result": ""}, "red", "blue"), "red came to nothing against the square of blue."),
        (Told("rally", {"done": True, "die": 5}, "blue"), "blue was brought to order (die 5)."),
        (Told("rally", {"done": False, "die": 4}, "blue"), "blue could not be brought to order (die 4)."),
        (Told("halt", {"done": False, "die": 5}, "blue"), "blue ran on (die 5)."),
        (Told("fire", {"result": "", "range": None}, "blue", "red"), "blue fired at red at range: without effect."),
        (Told("control", {"steady": True, "die": 3}, "blue"), "blue kept their heads after the victory (die 3)."),
        (Told("control", {"steady": False, "die": 2}, "blue"), "blue lost their heads after the victory (die 2)."),
        (Told("pursuit", {}, "blue", "red"), "blue chased red."),
        (Told("interpenetration", {}, "blue", "far"), "blue went through far, to the disorder of both."),
        (
            Told("messenger taken", {"order": {"stance": "hold"}}, "red", "g"),
            "red took g, and the order he carried.",
        ),
        (Told("messenger taken", {"order": None}, "red", "g"), "red took g."),
        (Told("no square", {"debt": 0.8}, "blue"), "blue had no time to form square."),
        (Told("no square", {"debt": 0.0, "room": False}, "blue"), "blue had no room to form square."),
        (
            Told("order given", {"to": ["blue", "red"], "stance": "attack"}, "g"),
            "g took an order for blue and red: attack.",
        ),
        (Told("order", {"understood": True, "stance": "hold"}, "g", "blue"), "blue understood the order to hold."),
        (Told("order", {"understood": False, "stance": "hold"}, "g", "blue"), "blue misunderstood the order to hold."),
        (Removed("red", "fled"), "red fled the field."),
        (Removed("red", "vanished"), "red left the table (vanished)."),
    ],
)
def test_what_happened_in_the_words_of_the_rules(event: Event, says: str) -> None:
    """Of fire and combat, squares, rallying, control and orders; what came of nothing is said so."""
    assert said(event) == [says]


def test_a_square_on_the_enemys_move_is_told_once_and_was_in_time() -> None:
    """ROC-FRM-06: formed on the enemy's move it was in time; by its own side's will it is a formation like others."""
    field = scene()
    own, other = (replace(field, clock=replace(field.clock, side=side)) for side in ("blue", "red"))
    events: list[Event] = [
        Placed("blue", pose_of(field.unit("blue")), how="square"),
        Told("square", {"cost": 0.5}, "blue"),
    ]
    assert list(narration.sentences(other, events)) == ["blue formed square in time."]
    assert list(narration.sentences(own, events[:1])) == ["blue formed square."]


def test_why_a_unit_may_not_act_is_said_as_it_is() -> None:
    """ROC-MOV-01, ROC-CBT-01: a reason against says what is the case, not what should be."""
    tired = battle(
        unit("blue", at=[500, 300], marks={"moved": True, "fought": True}), unit("red", "red", at=[500, 400])
    )
    against = engine.judge(tired, action(tired, "move", "blue", None, path=[[500, 320]]))
    assert "blue has moved this turn" in [reason.text for reason in against.because if not reason.holds]
    assert [reason.text for reason in may_attack(tired.unit("blue")) if not reason] == ["blue has fought in this phase"]


@pytest.mark.parametrize(
    ("how", "says"),
    [("move", "blue moved 30 mm."), ("charge", "blue charged 30 mm."), ("withdraw", "blue drew back 30 mm.")],
)
def test_how_far_a_unit_went(how: str, says: str) -> None:
    there = scene().unit("blue").moved(0.0, 30.0)
    assert said(Placed("blue", pose_of(there), (), how)) == [says]


@pytest.mark.parametrize(
    ("turn", "path", "says"),
    [
        (12.0, ((500.0, 300.0), (500.0, 330.0)), "blue moved 30 mm and wheeled 12° to the right."),
        (-7.6, ((500.0, 300.0), (500.0, 330.0)), "blue moved 30 mm and wheeled 8° to the left."),
        (0.4, ((500.0, 300.0), (500.0, 330.0)), "blue moved 30 mm."),
    ],
)
def test_how_far_a_unit_wheeled_on_its_way(turn: float, path: tuple[tuple[float, float], ...], says: str) -> None:
    there = scene().unit("blue").moved(0.0, 30.0).turned(turn)
    assert said(Placed("blue", pose_of(there), path, "move")) == [says]


def test_a_wheel_with_a_hair_of_a_move_is_no_move() -> None:
    there = scene().unit("blue").turned(180.0).moved(0.0, 0.2)
    path = ((500.0, 300.0), (500.0, 300.2))
    assert said(Placed("blue", pose_of(there), path, "move")) == ["blue wheeled 180° to the right."]


def test_a_mere_wheel_is_no_move() -> None:
    unfolding = Unfolding(scene())
    make_move(unfolding, action(unfolding.battle, "move", "blue", None, facing=270.0))
    turned = next(event for event in unfolding.events if isinstance(event, Placed))
    assert said(turned) == ["blue wheeled 90° to the left."]


def test_points_go_without_saying() -> None:
    """What they are given for is told already."""
    assert said(Scored("red", 1.0, "blue disrupted")) == []


def test_guns_taken_at_the_edge_are_set_aside_on_the_table() -> None:
    """ROC-ART-08: behind the captor the table ends, so the guns are put beside or before him, in nobody's way."""
    from tests.games.harness import play

    assert not play("realm-of-chance:1449", 1449).faults


def test_where_a_person_may_ride_he_may_stand() -> None:
    """ROC-MOV-01: at the tolerance of the table's edge, where the last bit of a sum decides, way and place agree."""
    from tests.games.harness import play

    assert not play("realm-of-chance:708", 708).faults
