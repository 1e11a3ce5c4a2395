"""Where a line extends, other ranks, bends, delayed orders: asked of the judge, in a batch, at the prompt, in play."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletop import cli
from tabletop.battle.unit import Unit
from tabletop.geometry.layout import ALIGN
from tabletop.judge import ask
from tabletop.rules.tse.morale.losses import after_losses
from tabletop.rules.tse.movement.formation import align_of, assume, ranks_of
from tabletop.rules.tse.movement.layouts import rank_splits, ranks_fault
from tests.bases import rectangles
from tests.field import FIELDS, Field
from tests.playing import DELAYED, RECEIVED, do, refused, scene
from tests.playing import unit as troops
from tests.terminal.typist import first, typist

field = Field()
SCENE = {
    "format": "tabletop-scene/1",
    "title": "Forming up",
    "rules": "tse",
    "table": {"unit": "in", "width": 48, "height": 36},
    "units": [
        {"id": "a", "side": "blue", "troop": "infantry", "bases": 4, "formation": "maneuver-column", "at": [24, 12],
         "facing": 0},
        {"id": "b", "side": "red", "troop": "infantry", "bases": 4, "formation": "deployed", "at": [24, 30],
         "facing": 180},
    ],
}  # fmt: skip


def places(unit: Unit) -> list[tuple[float, float]]:
    return [(round(base.x, 6), round(base.y, 6)) for base in unit.bases]


def put(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.status(list(words))
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture
def named(tmp_path: Path) -> str:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(SCENE), "utf-8")
    return str(path)


# --- the line ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("f", FIELDS, ids=["15 mm", "doubled"])
@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 45.0])
@pytest.mark.parametrize("ref", range(4))
@pytest.mark.parametrize("place", range(4))
def test_the_reference_base_takes_any_place_in_the_line(f: Field, facing: float, ref: int, place: int) -> None:
    """TSE-FRM-14: the line extends to its left, its right or both sides; the base stays where it is."""
    before = f.unit("a", at=(0.0, 0.0), facing=facing)
    verdict = ask(f.battle(before), "move", ["a"], {"as": "deploy", "ref": ref, "place": place, "facing": facing})
    assert verdict.holds
    x, y = before.bases[ref].centre
    assert verdict.measured["after"]["bases"][place][:2] == pytest.approx((x, y))
    assert verdict.measured["after"]["reference"] == place
    ends = [verdict.measured["after"]["bases"][k][:2] for k in (0, 3)]
    right = rectangles(before.bases)[0].right
    along = [((ex - x) * right[0] + (ey - y) * right[1]) / f.scale for ex, ey in ends]
    assert along == pytest.approx([-place, 3 - place])


def test_the_place_is_the_bases_own_number_unless_said() -> None:
    """TSE-FRM-14."""
    before = field.unit("a", at=(0.0, 0.0))
    battle = field.battle(before)
    for ref in range(4):
        plain = ask(battle, "move", ["a"], {"as": "deploy", "ref": ref, "facing": 0.0})
        assert plain.measured == ask(battle, "move", ["a"], {"as": "deploy", "ref": ref, "place": ref}).measured


def test_the_shift_is_the_reference_bases_whatever_its_place() -> None:
    """TSE-FRM-13: measured from where that base stood, not from the base whose number is the place's."""
    battle = field.battle(field.unit("a", at=(0.0, 0.0)))
    options = {"as": "deploy", "ref": 0, "place": 3, "facing": 0.0}
    assert ask(battle, "move", ["a"], {**options, "shift": (0.6, 0.8)}).holds
    far = ask(battle, "move", ["a"], {**options, "shift": (0.61, 0.8)})
    assert [reason.rule for reason in far.because] == ["TSE-FRM-13"]


def test_judge_and_batch_read_place_shift_bend_and_delayed(
    capsys: pytest.CaptureFixture[str], named: str, tmp_path: Path
) -> None:
    """The options of the contract, by word and by line."""
    shape = "--as deploy --ref 1 --place 0 --shift 0,0.5 --facing 0 --bend 0,-10,10,10"
    status, out, _ = put(capsys, "judge", named, "move", "a", *shape.split(), "--json")
    asked = {"as": "deploy", "ref": 1, "place": 0, "shift": [0, 0.5], "facing": 0, "bend": [0, -10, 10, 10]}
    batch = tmp_path / "asked.jsonl"
    options = [{**asked, "delayed": False}, {**asked, "delayed": True}]
    options.append({**options[1], "shift": [0, 0.51]})
    lines = [{"scene": SCENE, "question": "move", "args": ["a"], "options": each} for each in options]
    batch.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    _, answers, _ = put(capsys, "judge", "--batch", str(batch), "--jobs", "1")
    plain, late, farther = map(json.loads, answers.splitlines())
    assert status == 0
    assert json.loads(out)["measured"] == plain["measured"] == late["measured"]
    assert [b[2] for b in plain["measured"]["after"]["bases"]] == [0.0, 350.0, 10.0, 10.0]
    assert (plain["holds"], late["holds"], farther["holds"]) == (True, True, False)
    assert "delayed orders" in farther["because"][0]["text"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--as", "deploy", "--place", "4"), "'a' has places 0 to 3; --place 4 is none of them"),
        (("--as", "maneuver", "--to", "24,16", "--place", "1"), "--place is for --as deploy or square, not maneuver"),
        (("--as", "march", "--to", "24,16", "--ranks", "2,1,1"), "--ranks is for --as maneuver, not march"),
        (("--to", "24,16", "--ranks", "3,1"), "no rank may be more than one smaller than another"),
        (("--to", "24,16", "--ranks", "1,2,1"), "no rank may be larger than the front rank"),
        (("--to", "24,16", "--ranks", "2,2,1"), "the ranks of 4 bases, the front rank first, such as 2,2"),
        (("--to", "24,16", "--ranks", "2,1.5"), "must be a whole number"),
        (("--to", "24,16", "--ranks", "2,1,1", "--front", "3"), "--front 3 is not the front rank of --ranks 2,1,1"),
        (("--as", "deploy", "--bend", "5,0,0,0"), "0 for the reference base"),
        (("--as", "deploy", "--bend", "0,x"), "must be a number"),
        (("--as", "route-march", "--to", "24,16", "--delayed"), "needs no orders"),
    ],
)
def test_what_cannot_be_asked(
    capsys: pytest.CaptureFixture[str], named: str, words: tuple[str, ...], says: str
) -> None:
    """One line with the cure; exit status 2."""
    status, out, err = put(capsys, "judge", named, "move", "a", *words)
    assert (status, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


# --- ranks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(3, 11))
@pytest.mark.parametrize("kind", ["infantry", "light-foot-artillery"])
def test_every_split_listed_is_legal_and_no_other(n: int, kind: str) -> None:
    """TSE-FRM-20, TSE-FRM-21, TSE-FRM-23: written out once more."""

    def splits(left: int) -> list[tuple[int, ...]]:
        return [()] if left == 0 else [(k, *rest) for k in range(1, left + 1) for rest in splits(left - k)]

    narrow = 2 if kind == "infantry" else 1
    legal = {s for s in splits(n) if len(s) > 1 and s[0] == max(s) and max(s) - min(s) <= 1 and s[0] >= narrow}
    assert set(rank_splits(kind, n)) == legal
    assert {s for s in splits(n) if ranks_fault(kind, n, s) is None} == legal


@pytest.mark.parametrize("split", [(2, 1, 1), (2, 2)])
def test_ranks_are_laid_out_about_the_centre_point(split: tuple[int, ...]) -> None:
    """TSE-FRM-05, TSE-FRM-20: front rank first, the others behind it, short ones centred."""
    before = field.unit("a", at=(0.0, 0.0))
    after = assume(field.battle(before), before, "maneuver-column", ranks=split)
    assert ranks_of(after) == split
    assert after.at == pytest.approx(before.at)
    assert after.front == split[0]


@pytest.mark.parametrize("n", range(2, 11))
@pytest.mark.parametrize("facing", [0.0, 37.0, 90.0, 270.0])
def test_a_column_keeps_its_ranks_unless_told_otherwise(n: int, facing: float) -> None:
    """TSE-FRM-20, TSE-FRM-23a: marched on, it stands as it stood; so do ranks flush left or right."""
    line = field.unit("a", bases=n, formation="deployed", at=(0.0, 0.0))
    battle = field.battle(line)
    for split in rank_splits("infantry", n):
        for align in ALIGN:
            column = assume(battle, line, "maneuver-column", ranks=split, align=align, facing=facing)
            assert ranks_of(column) == split
            assert align_of(column) == (align if len(set(split)) > 1 else "centred")
            again = assume(battle, column, "maneuver-column")
            assert again.bases == tuple(pytest.approx(b) for b in column.bases) or all(
                a.centre == pytest.approx(b.centre) for a, b in zip(again.bases, column.bases, strict=True)
            )


def test_a_move_in_other_ranks(capsys: pytest.CaptureFixture[str], named: str) -> None:
    """TSE-FRM-20: by judge, its reach, the cheapest way; the next move keeps them."""
    status, out, _ = put(capsys, "judge", named, "move", "a", "--to", "24,16", "--ranks", "2,1,1", "--json")
    assert status == 0
    ys = [round(b[1], 3) for b in json.loads(out)["measured"]["after"]["bases"]]
    assert len(set(ys)) == 3
    battle = scene(troops("a"))
    step = do(battle, "maneuver", "a", RECEIVED, path=[(0.0, 4.0)], ranks=(2, 1, 1), align="left")
    assert ranks_of(step.battle.unit("a")) == (2, 1, 1)
    assert align_of(step.battle.unit("a")) == "left"
    narrow = ask(battle, "reach", ["a"], {"as": "maneuver", "ranks": (2, 1, 1)}).measured["size"]
    assert narrow != ask(battle, "reach", ["a"], {"as": "maneuver"}).measured["size"]


def test_losses_come_off_the_last_rank() -> None:
    """TSE-FRM-40: a column of other ranks keeps them while it can."""
    line = field.unit("a", bases=5, formation="deployed", at=(0.0, 0.0))
    battle = field.battle(line)
    column = assume(battle, line, "maneuver-column", ranks=(2, 1, 1, 1))
    assert ranks_of(after_losses(battle, column, 1)) == (2, 1, 1)
    assert ranks_of(after_losses(battle, column, 2)) == (2, 1)
    three = assume(battle, line, "maneuver-column", ranks=(3, 2))
    assert ranks_of(after_losses(battle, three, 1)) == (2, 2)


# --- delayed ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("far", "holds"), [(3.0, True), (3.004, True), (3.01, False), (6.0, False)])
def test_delayed_orders_leave_half_a_move(far: float, holds: bool) -> None:
    """TSE-ORD-05, TSE-ACT-21: 3 in of 6."""
    battle = field.battle(field.unit("a", front_mid=(0.0, 0.0)))
    options = {"path": [field.put((0.0, far))], "delayed": True}
    verdict = ask(battle, "move", ["a"], options)
    assert verdict.measured["allowed"] == 3.0
    assert verdict.holds == holds
    assert ask(battle, "move", ["a"], {**options, "delayed": False}).holds
    whole, half = (ask(battle, "reach", ["a"], {"delayed": late}).measured["size"] for late in (False, True))
    assert half < whole / 2


# --- at the prompt ----------------------------------------------------------------------------------------------------


def test_at_the_prompt() -> None:
    """The same words without dashes; delayed orders are a question, not an order."""
    game = first(typist(), "foy")
    unit = game.battle.unit("jamin")
    x, y = unit.front_mid
    fx, fy = unit.forward
    ahead = f"{x + 4 * fx:.2f},{y + 4 * fy:.2f}"
    assert "half of its base move" in " ".join(game.type(f"ask move {unit.id} to {ahead} delayed").split())
    assert "dice say" in game.type(f"maneuver {unit.id} forward 1 delayed")
    assert "begins with its name" in game.type(f"maneuver {unit.id} forward 1 as march")
    assert "places 0 to" in game.type(f"ask move {unit.id} as deploy ref 0 place 99")
    assert "no rank may be" in game.type(f"ask move {unit.id} to {ahead} ranks {unit.strength - 1},1")


# --- in play ----------------------------------------------------------------------------------------------------------


def test_a_line_is_deployed_to_the_left_in_play() -> None:
    """TSE-ACT-10, TSE-FRM-14; late orders halve the shift of that very base (TSE-ACT-12)."""
    battle = scene(troops("a"))
    options: dict[str, Any] = {"ref": 0, "place": 3, "facing": 0.0}
    after = do(battle, "deploy", "a", RECEIVED, **options).battle.unit("a")
    assert after.bases[3].centre == pytest.approx(battle.unit("a").bases[0].centre)
    late = do(battle, "deploy", "a", DELAYED, shift=(0.0, 1.0), **options).battle.unit("a")
    x, y = battle.unit("a").bases[0].centre
    assert late.bases[3].centre == pytest.approx((x, y + 0.5))
    assert refused(battle, "deploy", shift=(0.0, 1.1), **options) == {"TSE-FRM-13"}


@pytest.mark.parametrize(
    ("line", "formed"),
    [
        ("maneuver bauduin forward 1 ranks 2,1,1,1", lambda u: ranks_of(u) == (2, 1, 1, 1)),
        ("deploy bauduin ref 0 place 4 facing 0", lambda u: (u.formation, u.reference) == ("deployed", 4)),
        ("deploy bauduin ref 2 facing 0 bend 0,0,0,0,10", lambda u: u.bases[4].facing == 10.0),
    ],
)
def test_ordered_at_the_prompt(line: str, formed: Callable[[Unit], bool]) -> None:
    """TSE-FRM-11, TSE-FRM-14, TSE-FRM-20: the same words, in play."""
    game = first(typist(), "jerome")
    game.type(line)
    assert formed(game.battle.unit("bauduin"))
