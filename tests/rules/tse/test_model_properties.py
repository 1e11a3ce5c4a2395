"""What the rulebook says of its calculator in words, proved on the model's numbers for every combination of fields.

The chance to pass any step of a ladder rises strictly with its score, so one case is better than another by first-order
dominance exactly when its score is higher: scores are compared over the whole grid, nothing is sampled.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

from tabletop.battle.dice import ScriptedDice, every_course
from tabletop.rules.tse.calculator import calculator, ladder, model
from tabletop.rules.tse.calculator.forms import ACTIONS, FIELDS, filled, kinds, used
from tabletop.rules.tse.calculator.model_data import FORMATIONS, ODDS, QUALITIES, TROOPS, Entry, Step
from tabletop.rules.tse.calculator.model_data import model as the_model
from tabletop.rules.tse.morale.status import STATUSES, Effect, destroyed, losses_to_destroy, regrouped, worsened
from tabletop.rules.tse.tables import base_move, troop
from tests.model_grid import FIRE, Grid

STAGES: tuple[calculator.Stage, ...] = ("fire", "defence", "melee")
#: The two stages of an assault, and which way a higher score points for the defender.
BOTH_STAGES: tuple[tuple[calculator.Stage, int], ...] = (("defence", 1), ("melee", -1))


@cache
def grid(stage: calculator.Stage) -> Grid:
    return Grid.of(stage)


def higher(one: np.ndarray, other: np.ndarray, strictly: bool = False) -> bool:
    """Return whether every score of ``one`` is at least, or above, that of ``other``; scores add up to rounding."""
    least = float(np.min(one - other))
    return least > 1e-9 if strictly else least >= -1e-9


@pytest.mark.parametrize("stage", STAGES)
def test_the_grid_is_the_models_own(stage: calculator.Stage) -> None:
    """The grid's scores are those the calculator draws by (every 997th combination)."""
    one = grid(stage)
    for flat in range(0, one.scores.size, 997 if stage == "fire" else 7919):
        index = tuple(int(i) for i in np.unravel_index(flat, one.scores.shape))
        facts = one.facts(index)
        assert ladder.score(calculator.ladder_of(stage), facts) == pytest.approx(float(one.scores[index]), abs=1e-12)


@pytest.mark.parametrize("stage", STAGES)
def test_a_higher_score_dominates(stage: calculator.Stage) -> None:
    """P24: the chance to pass each step rises strictly with the score; probabilities sum to 1 and none is negative."""
    one = calculator.ladder_of(stage)
    scores = np.linspace(float(grid(stage).scores.min()), float(grid(stage).scores.max()), 200)
    for low, high in pairwise(ladder.passing(one, float(s)) for s in scores):
        assert all(a < b for a, b in zip(low, high, strict=True))
    for score in scores:
        odds = ladder.probabilities(one, float(score))
        assert min(odds) > 0.0
        assert sum(odds) == pytest.approx(1.0, abs=1e-12)


# --- orders, moves, regrouping ---------------------------------------------------------------------------------------

ORDERED = ("deploy", "maneuver", "march", "square", "assault")


def test_p01_orders() -> None:
    """P01, TSE-ORD-03, TSE-ORD-06: better troops lose and delay no more orders; a general near strictly fewer."""
    for action, near in product(ORDERED, (False, True)):
        chances = [model.order_chances("infantry", quality, action, near) for quality in QUALITIES]
        for better, worse in pairwise(chances):
            assert better[0] <= worse[0]
            assert better[0] + better[1] <= worse[0] + worse[1]
    for action, name, quality in product(ORDERED, TROOPS, QUALITIES):
        alone, helped = (model.order_chances(name, quality, action, near) for near in (False, True))
        assert helped[0] < alone[0]
        assert helped[0] + helped[1] < alone[0] + alone[1] < 1.0
        assert sum(alone) == pytest.approx(1.0)


def test_p02_no_general_in_fire() -> None:
    """P02, TSE-LDR-11, TSE-ORD-02: whether a general is near is no field of fire, and no condition of any factor."""
    for action in ("deployed-fire", "advancing-fire"):
        assert "general_near" not in {field.name for field in used(action)}
    assert not any(
        "general" in key for stage in STAGES for row in calculator.ladder_of(stage).factors for key in row.when
    )


def test_p03_status_and_moves() -> None:
    """P03, P16, TSE-ORD-07: moves and orders know nothing of status; light cavalry moves at least as far as heavy."""
    for quality, action in product(QUALITIES, ("maneuver", "march", "route-march")):
        light, heavy = (base_move(name, quality, action) for name in ("light-cavalry", "heavy-cavalry"))
        assert light is not None and heavy is not None and light >= heavy
    assert {field.name for field in used("maneuver")} == {"actor", "general_near"}


def test_p18_p19_regrouping() -> None:
    """P18, P19, TSE-STS-11, TSE-REG-05: quality and a general help; no regroup makes a unit worse."""
    for demoralized, near in product((False, True), repeat=2):
        success = [1.0 - model.regroup_chances("infantry", q, demoralized, near)[0] for q in QUALITIES]
        assert all(a >= b for a, b in pairwise(success))
    for name, quality, demoralized in product(TROOPS, QUALITIES, (False, True)):
        alone, helped = (model.regroup_chances(name, quality, demoralized, near) for near in (False, True))
        assert helped[0] < alone[0]
        assert helped[2] >= alone[2]
        assert sum(alone) == pytest.approx(1.0) == sum(helped)
    for status, full in product(STATUSES, (False, True)):
        assert STATUSES.index(regrouped(status, full)) <= STATUSES.index(status)


# --- fire ------------------------------------------------------------------------------------------------------------


def test_p04_deployed_fire() -> None:
    """P04, TSE-FIR-20: deployed fire is strictly stronger than advancing fire, all else equal."""
    assert higher(grid("fire").at(action="deployed-fire"), grid("fire").at(action="advancing-fire"), strictly=True)


def test_p05_target_formation() -> None:
    """P05, TSE-FIR-21, TSE-ACT-13: march column suffers most, then maneuver column and square alike, deployed least."""
    fire = grid("fire")
    march, column, square, line = (
        fire.at(formation=f) for f in ("march-column", "maneuver-column", "square", "deployed")
    )
    assert higher(march, column, strictly=True)
    assert np.array_equal(column, square)
    assert higher(column, line, strictly=True)


@pytest.mark.parametrize(("stage", "sign"), [("fire", -1), ("defence", 1), ("melee", -1)])
def test_p06_cover(stage: calculator.Stage, sign: int) -> None:
    """P06, TSE-COV-01..05, TSE-ASL-80: better cover never helps the attacker."""
    for less, more in pairwise(grid(stage).at(cover=cover) for cover in ("none", "soft", "hard", "fortification")):
        assert higher(sign * more, sign * less, strictly=True)


def test_p07_range_bands() -> None:
    """P07, TSE-FIR-04: fire never grows with the range; strictly less for guns."""
    for near, far in pairwise(grid("fire").at(range=band) for band in ("0-3", "3-6", "6-9", "9-12")):
        assert higher(near, far)
    guns = grid("fire").only("actor", "actor_family", "artillery")
    for near, far in pairwise(guns.at(range=band) for band in ("0-3", "3-6", "6-9", "9-12")):
        assert higher(near, far, strictly=True)


@pytest.mark.parametrize(("stage", "sign"), [("fire", 1), ("defence", -1), ("melee", 1)])
def test_p08_outnumbering(stage: calculator.Stage, sign: int) -> None:
    """P08, P15, TSE-FIR-15..18, TSE-ASL-30..33: every step of the outnumbering ladder helps the actor, strictly."""
    for worse, better in pairwise(grid(stage).at(odds=box) for box in ODDS):
        assert higher(sign * better, sign * worse, strictly=True)


def test_p09_disordered_as_demoralized() -> None:
    """P09, TSE-STS-09: to fire a disordered target is the same as a demoralized one, and worse off than an ok one."""
    ok, disordered, demoralized = (grid("fire").at(status=number) for number in range(3))
    assert np.array_equal(disordered, demoralized)
    assert higher(disordered, ok, strictly=True)


@pytest.mark.parametrize(("stage", "sign"), [("fire", -1), ("defence", 1), ("melee", -1)])
def test_a_disordered_actor_does_worse(stage: calculator.Stage, sign: int) -> None:
    """TSE-STS-09: disorder of the actor never helps it."""
    assert higher(sign * grid(stage).at(shaken=1), sign * grid(stage).at(shaken=0), strictly=True)


def test_p10_p11_effects_of_fire() -> None:
    """P10, P11, TSE-FIR-23, TSE-STS-05: fire touches the target alone; bases go only by a step that says so."""
    for step in the_model().fire.steps:
        assert step.actor.nothing
        assert ("loss" in step.name) == (step.target.lose > 0)
    for stage in STAGES:
        for step in calculator.ladder_of(stage).steps:
            assert ("loss" in step.name) == (max(step.actor.lose, step.target.lose) > 0)


def test_heavy_guns_fire_no_worse() -> None:
    """TSE-UNI-15: at equal range heavy guns fire no worse than light or horse guns."""
    fire = grid("fire").at(action="deployed-fire")
    number = {value["actor"]: i for i, value in enumerate(FIRE["actor"]) if "actor_quality" not in value}
    for other in ("light-foot-artillery", "horse-artillery"):
        assert higher(fire[number["heavy-foot-artillery"]], fire[number[other]])


# --- assault ---------------------------------------------------------------------------------------------------------


def assaulted(**fields: object) -> dict[str, object]:
    """Return the form of an even, frontal assault of average infantry on its like, deployed, some fields changed."""
    usual = {"actor": "average infantry", "target": "average infantry", "target_formation": "deployed"}
    return filled("assault", {**usual, **fields})


def stopped(**fields: object) -> float:
    """Return the exact chance that an assault does not go home."""
    form = assaulted(**fields)
    return sum(p for p, told in every_course(lambda chance: calculator.assaulted(form, chance)) if not told.home)


def beaten(**fields: object) -> float:
    """Return the exact chance that the target is driven back or broken."""
    form = assaulted(**fields)
    courses = every_course(lambda chance: calculator.assaulted(form, chance))
    return sum(p for p, told in courses if any(e.back or e.broken for e in told.target))


def every_assault() -> list[dict[str, object]]:
    """Return the fields of every assault on any kind of target but status, odds and cover."""
    targets = [
        (kind, formation)
        for kind, formation in product(kinds(), FORMATIONS)
        if formation != "square" or kind.endswith("infantry")
    ]
    actors = kinds("infantry", "cavalry")
    return [
        {"actor": actor, "target": target, "target_formation": formation, "frontal": frontal}
        for actor, (target, formation), frontal in product(actors, targets, (True, False))
    ]


def test_p12_demoralized_targets_stop_nobody() -> None:
    """P12, TSE-STS-10, TSE-ASL-11: no assault on a demoralized target is stopped by fire."""
    for fields in every_assault():
        assert stopped(**fields, target_disordered=True, target_demoralized=True) == 0.0


def test_p13_frontal_fire() -> None:
    """P13, TSE-ASL-11: fire stops frontal assaults at least as well as others, and those still sometimes."""
    defence = grid("defence")
    assert higher(defence.at(frontal=True), defence.at(frontal=False), strictly=True)
    assert stopped(frontal=True) > stopped(frontal=False) > 0.0


def test_p14_disordered_targets() -> None:
    """P14, TSE-ASL-11: a disordered target stops less than one in order, and still something."""
    defence = grid("defence")
    assert higher(defence.at(status=0), defence.at(status=1), strictly=True)
    for fields in every_assault():
        assert stopped(**fields) > stopped(**fields, target_disordered=True) > 0.0


def test_p15_earlier_assaults_help() -> None:
    """P15, TSE-ASL-30: the target is beaten the likelier the more bases assaulted it before, whoever it is."""
    for fields in every_assault():
        chances = [beaten(**fields, odds=box) for box in ODDS]
        assert all(fewer < more for fewer, more in pairwise(chances))


def test_p16_heavy_cavalry_fights_better() -> None:
    """P16, TSE-UNI-09: hand to hand heavy cavalry does at least as well as light, charging and charged."""
    melee = grid("melee")
    light, heavy = melee.only("actor", "actor", "light-cavalry"), melee.only("actor", "actor", "heavy-cavalry")
    assert higher(heavy.scores, light.scores)
    light, heavy = melee.only("target", "target", "light-cavalry"), melee.only("target", "target", "heavy-cavalry")
    assert higher(light.scores, heavy.scores)


def test_cavalry_shoots_ill_and_fights_well() -> None:
    """TSE-ASL-12: against an assault cavalry fires worse than infantry of its quality, and fights better."""
    for stage, sign in BOTH_STAGES:
        foot = grid(stage).only("target", "target", "infantry").at(square=0)
        for name in ("light-cavalry", "heavy-cavalry"):
            horse = grid(stage).only("target", "target", name).at(square=0)
            better, worse = (foot, horse) if stage == "defence" else (horse, foot)
            in_line = [FORMATIONS.index(f) for f in ("deployed", "maneuver-column", "march-column")]
            assert higher(sign * better[:, :, :, in_line], sign * worse[:, :, :, in_line], strictly=True)


def test_p17_squares() -> None:
    """P17, TSE-ACT-30: against cavalry nothing is as good as a square formed beforehand; under fire it is no line.

    Of other formations the best case is taken: attacked in front, and an emergency square formed. A demoralized
    square is another matter (P28).
    """
    for (stage, sign), status in product(BOTH_STAGES, (0, 1)):
        horse = grid(stage).only("actor", "actor_family", "cavalry").only("target", "target_family", "infantry")
        square = sign * horse.at(formation="square", frontal=True, square=0, status=status)
        for formation, emergency in product(("deployed", "maneuver-column", "march-column"), (0, 1)):
            for frontal in (True, False):
                other = horse.at(formation=formation, frontal=frontal, square=emergency, status=status)
                assert higher(square, sign * other, strictly=True)
    fire = grid("fire")
    assert higher(fire.at(formation="square"), fire.at(formation="deployed"), strictly=True)


@pytest.mark.parametrize(
    ("stage", "axis", "sign"),
    [
        ("fire", "actor", 1),
        ("fire", "target", -1),
        ("defence", "actor", -1),
        ("defence", "target", 1),
        ("melee", "actor", 1),
        ("melee", "target", -1),
    ],
)
def test_p18_quality(stage: calculator.Stage, axis: str, sign: int) -> None:
    """P18, TSE-UNI-07: better quality never shoots, resists or fights worse."""
    ranks = [grid(stage).only(axis, f"{axis}_quality", quality).scores for quality in QUALITIES]
    for better, worse in pairwise(ranks):
        assert higher(sign * better, sign * worse, strictly=True)


def test_emergency_squares_help_half() -> None:
    """TSE-ACT-30: an emergency square helps, less than one formed beforehand; better troops form it more often."""
    for stage, sign in BOTH_STAGES:
        assert higher(sign * grid(stage).at(square=1), sign * grid(stage).at(square=0), strictly=True)
    chances = [
        calculator.square_chance(
            calculator.assault_facts(assaulted(actor="average light-cavalry", target=f"{quality} infantry"))
        )
        for quality in QUALITIES
    ]
    assert all(better > worse > 0.0 for better, worse in pairwise(chances))


def courses(**fields: object) -> list[tuple[float, calculator.CalculatorResult]]:
    """Return every course of an assault with its chance."""
    form = assaulted(**fields)
    return list(every_course(lambda chance: calculator.assaulted(form, chance)))


def gives_way_once_home(**fields: object) -> float:
    """Return the chance that the target is driven back or broken, of the assaults that go home."""
    home = [(p, told) for p, told in courses(**fields) if told.home]
    given = sum(p for p, told in home if any(e.back or e.broken for e in told.target))
    return given / sum(p for p, _ in home)


def test_p27_nobody_is_stopped_unmarked() -> None:
    """P27, TSE-INV-12: whoever is stopped or thrown back in an assault is disordered or demoralized, or broken."""
    for fields, shaken in product(every_assault(), (False, True)):
        for _, told in courses(**fields, actor_disordered=shaken):
            if not told.home:
                assert any(effects.status or effects.broken for effects in told.actor)
    for stage in ("defence", "melee"):
        for step in calculator.ladder_of(stage).steps:
            turned_back = step.advance in ("stopped", "start") or step.actor.back is not None
            assert not turned_back or step.actor.status or step.actor.broken


def test_p28_demoralized_squares() -> None:
    """P28, TSE-ACT-30: against cavalry a demoralized square stands no better than a demoralized line in front."""
    for actor, quality in product(kinds("cavalry"), QUALITIES):
        weak = {"actor": actor, "target": f"{quality} infantry", "target_disordered": True, "target_demoralized": True}
        square, line = (beaten(**weak, target_formation=name) for name in ("square", "deployed"))
        assert square >= line - 1e-12
    melee = grid("melee").only("actor", "actor_family", "cavalry")
    at_square, at_line = (melee.at(formation=name, status=2, square=0) for name in ("square", "deployed"))
    assert higher(at_square, at_line)


def test_p29_home_against_cover() -> None:
    """P29, TSE-ASL-80: once home at even numbers average troops drive the target off often, behind cover less often."""
    chances = {cover: gives_way_once_home(cover=cover) for cover in ("none", "hard", "fortification")}
    assert chances["hard"] >= 0.33
    assert chances["fortification"] >= 0.25
    assert max(chances["hard"], chances["fortification"]) < chances["none"]


def test_p30_deployed_defenders() -> None:
    """P30, TSE-ASL-11: being deployed helps the defensive fire of infantry and guns, and not that of cavalry."""
    defence = grid("defence")
    for family in ("infantry", "artillery", "cavalry"):
        own = defence.only("target", "target_family", family)
        line, column = own.at(formation="deployed", square=0), own.at(formation="maneuver-column", square=0)
        if family == "cavalry":
            assert np.array_equal(line, column)
        else:
            assert higher(line, column, strictly=True)


def test_p31_infantry_against_cavalry() -> None:
    """P31, TSE-ASL-12: infantry seldom beats cavalry in good order, and less often than cavalry beats it."""
    for horse, formation in product(("light-cavalry", "heavy-cavalry"), ("deployed", "maneuver-column")):
        for frontal, most in ((True, 0.30), (False, 0.45)):
            fields = {"target_formation": formation, "frontal": frontal}
            foot_wins = beaten(**fields, actor="average infantry", target=f"average {horse}")
            assert foot_wins <= most
            assert foot_wins < beaten(**fields, actor=f"average {horse}", target="average infantry")


def test_p32_two_bases() -> None:
    """P32, TSE-STS-05: some result takes two bases."""
    steps = [step for stage in STAGES for step in calculator.ladder_of(stage).steps]
    assert max(effect.lose for step in steps for effect in (step.actor, step.target)) == 2


def test_p33_heavy_guns_at_long_range() -> None:
    """P33, TSE-FIR-04: two battles' worth of shots of a heavy battery at a line far off have some effect."""
    fields = {"actor": "heavy-foot-artillery", "target": "average infantry", "target_formation": "deployed"}
    form = filled("deployed-fire", {**fields, "range": "9-12", "odds": "actor-badly-outnumbered"})
    nothing = calculator.outcome_odds("fire", calculator.fire_facts("deployed-fire", form))[0]
    assert 1.0 - nothing**12 >= 0.30


# --- army morale, words, forms ---------------------------------------------------------------------------------------


def test_p20_armies_hold_below_half() -> None:
    """P20, TSE-MOR-01: below half nothing breaks an army; beyond it the risk never falls, nor by losing the general."""
    for units in range(1, 41):
        for gone in range(units + 1):
            share = gone / units
            assert (model.break_chance(share, True) > 0.0) == (2 * gone >= units)
            assert model.break_chance(share, False) <= model.break_chance(share, True) <= 1.0
    shares = [model.break_chance(0.5 + k / 100, False) for k in range(51)]
    assert all(a <= b for a, b in pairwise(shares))


def test_p20_the_destroyed_weigh_no_less() -> None:
    """P20, TSE-MOR-01, TSE-MOR-05: of as many units lost, the risk never falls with how many of them are destroyed."""
    for units in range(2, 21):
        for gone in range(units + 1):
            chances = [model.break_chance(gone / units, False, destroyed / units) for destroyed in range(gone + 1)]
            assert all(a <= b for a, b in pairwise(chances))
    assert model.break_chance(0.6, False, 0.6) > model.break_chance(0.6, False)


@pytest.mark.parametrize("draw", [0.0, 0.05, 0.1, 0.29, 0.3, 0.5, 0.55, 0.79, 0.8, 0.94, 0.95, 0.999])
def test_p21_words(draw: float) -> None:
    """P21, TSE-APP-09: the word comes from the draw alone: the same for elite guns at pistol shot and poor infantry."""
    words = {
        calculator.fired("deployed-fire", filled("deployed-fire", form), ScriptedDice([draw])).words["firing"]
        for form in (
            {"actor": "heavy-foot-artillery", "target": "poor infantry", "target_formation": "march-column"},
            {"actor": "poor infantry", "target": "elite infantry", "target_formation": "deployed", "cover": "hard"},
        )
    }
    assert words == {model.word(draw)}
    words_upward = ["very weak", "weak", "moderate", "strong", "excellent", "brilliant"]
    assert [model.word(x) for x in (0.0, 0.1, 0.3, 0.55, 0.8, 0.95)] == words_upward
    assert [model.word(x) for x in (0.099, 0.299, 0.549, 0.799, 0.949, 1.0)] == words_upward


FORMS: dict[str, dict[str, object]] = {
    "fire": {"actor": "average infantry", "target": "poor infantry", "target_formation": "deployed", "range": "0-3"},
    "assault": {"actor": "average infantry", "target": "poor infantry", "target_formation": "deployed"},
    "moves": {"actor": "veteran infantry", "general_near": True},
}


def form_for(action: str) -> dict[str, object]:
    return dict(FORMS["fire" if action.endswith("fire") else action if action == "assault" else "moves"])


@pytest.mark.parametrize("action", ACTIONS)
def test_p22_unused_fields_change_nothing(action: str) -> None:
    """P22, TSE-APP-03: a field an action does not use may say anything, even nonsense; results are the same."""
    mine, form = {field.name for field in used(action)}, form_for(action)
    script = [0.9, 0.97, 0.97]
    plain = calculator.result(action, form, ScriptedDice(list(script)))
    for name, field in FIELDS.items():
        if name in mine:
            continue
        for value in (*field.values, "nonsense", None, 17):
            assert calculator.result(action, {**form, name: value}, ScriptedDice(list(script))) == plain


@pytest.mark.parametrize("action", ACTIONS)
def test_p23_pure(action: str) -> None:
    """P23, TSE-APP-02: the same form and the same chance give the same result, whatever was asked in between."""
    form = form_for(action)
    first = calculator.result(action, form, ScriptedDice([0.9, 0.4, 0.4]))
    calculator.result("assault", form_for("assault"), ScriptedDice([0.9, 0.99, 0.99]))
    assert form == form_for(action)
    assert calculator.result(action, form, ScriptedDice([0.9, 0.4, 0.4])) == first


@pytest.mark.parametrize("action", ACTIONS)
def test_p24_probabilities(action: str) -> None:
    """P24: the chances of everything an action may bring sum to 1."""
    form = form_for(action)
    total = sum(p for p, _ in every_course(lambda chance: calculator.result(action, form, chance)))
    assert total == pytest.approx(1.0, abs=1e-12)


def test_p24_the_whole_vocabulary() -> None:
    """P24: every effect the rulebook names can come of some action."""
    steps: list[Step] = [step for stage in STAGES for step in calculator.ladder_of(stage).steps]
    effects = [effect for step in steps for effect in (step.actor, step.target)]
    assert {e.status for e in effects} == {None, "disorder", "demoralize"}
    assert {e.back for e in effects} == {None, "short", "long", "start"}
    assert {step.advance for step in the_model().defence.steps} == {"home", "stopped", "start"}
    assert any(e.lose for e in effects) and any(e.broken for e in effects)
    assert any(step.actor.nothing and step.target.nothing for step in the_model().fire.steps)
    assert min(model.overrun_chances("infantry")) > 0.0
    assert min(model.regroup_chances("infantry", "average", True, False)) > 0.0


def test_p25_status_algebra() -> None:
    """P25, TSE-STS-02..04: the order of effects does not matter, and demoralized absorbs everything."""
    effects: tuple[Effect, ...] = ("disorder", "demoralize")
    for status, a, b, c in product(STATUSES, effects, effects, effects):
        assert worsened(worsened(status, a), b) == worsened(worsened(status, b), a)
        assert worsened("demoralized", a) == "demoralized"
        assert STATUSES.index(worsened(worsened(status, a), c)) >= STATUSES.index(worsened(status, a))


def test_p26_half_strength() -> None:
    """P26, TSE-STS-06: a unit lives exactly while fewer than half of its bases are lost."""
    for start in range(1, 11):
        assert [lost for lost in range(start + 1) if not destroyed(start, lost)] == list(
            range(losses_to_destroy(start))
        )
        assert all(destroyed(start, lost) == (2 * lost >= start) for lost in range(start + 1))


def test_every_number_says_where_it_comes_from() -> None:
    """Every entry of the model has a basis and a rule; troops are of the table's own kinds."""
    found = list(_entries(the_model().model_dump(by_alias=True)))
    assert len(found) > 150
    assert {basis for basis, _ in found} == {"source", "ruling", "reconstruction"}
    assert set(the_model().fall_back) == set(TROOPS)
    assert all(troop(name).name == name for name in TROOPS)
    assert issubclass(Step, Entry)


def _entries(data: object) -> list[tuple[str, str]]:
    if isinstance(data, list):
        return [entry for item in data for entry in _entries(item)]
    if not isinstance(data, dict):
        return []
    own = [(data["basis"], data.get("rule", ""))] if "basis" in data else []
    return own + [entry for item in data.values() for entry in _entries(item)]
