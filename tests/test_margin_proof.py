"""The brute force against margins: it finds what a margin leaves out, and nothing where the search was right."""

from __future__ import annotations

import json
import math
import time
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import distance_between
from tabletop.explain import explain
from tabletop.geometry.sight.bundle import Bundles
from tabletop.geometry.sight.search import CellSearch
from tabletop.geometry.time_limit import TimeIsUp
from tabletop.judge import margin, turning
from tabletop.judge.contacts import contacts
from tabletop.judge.things import placed, things_of
from tests.test_margins import foot, guns, scene
from tools import margin_proof
from tools.answering import ROOT, answering
from tools.brute_margins import DIRECTIONS, PARTS, STEPS, Brute, judged, liars, thing
from tools.margin_proof import again, proved, renew, run
from tools.margin_questions import BATTLES, KINDS, question
from tools.proof_results import Results, asked_parts, code, packed, parts_of, renewed, search, undocumented, version
from tools.what_matters import what_matters

#: Numbers of questions about every kind whose whole brute force takes a second or so.
SMALL = (2, 4, 7, 8, 9, 16)
#: Questions against whose margins the brute force once found a counterexample, with a part that holds it: guns that
#: are supported where infantry just touches them (TSE-ASL-40); a hedge that covers by where it lies, not by what it
#: covers (TSE-COV-01); a brook turned into the way of a fall-back, paid for where it is crossed (TSE-MOV-09); hills
#: turned so that a base stands across their edge (TSE-LOS-19); a brook that is in the way for an eighth of a degree of
#: its turn alone (TSE-INV-06).
ONCE_WRONG = ((17, 0), (45, 0), (82, 13), pytest.param(88, 0, marks=pytest.mark.sweep), (102, 13), (220, 0))
#: Fall-backs of which the search once gave up before 2 in, for they are dear.
ONCE_GIVEN_UP = ((20, 0), (33, 0), (61, 0))


def test_questions_are_of_every_kind_and_place_and_the_same_each_time() -> None:
    some = [question(number) for number in range(60)]
    assert {one.question for one in some} >= {"los", "fire", "arc", "assault", "cover", "fallback", "move", "command"}
    assert {"breakthrough", "line"} <= {one.question for one in some}
    assert {one.place for one in some} == {place for places in BATTLES.values() for place in places}
    assert sum(one.brought is not None for one in some) > 20
    assert question(17) == some[17] and question(17, seed=3) != some[17]
    assert set(KINDS) == set(BATTLES)


def test_parts_are_the_whole_and_no_placement_twice() -> None:
    drawn = question(2)
    brute = Brute(*judged(drawn.battle, drawn.question, drawn.args, drawn.options))
    brute.shorter = dict.fromkeys(brute.shorter, brute.radius)
    brute.smaller = dict.fromkeys(brute.smaller, 30.1)
    shifts = [shift for part in range(PARTS) for shift in brute.shifts(part, PARTS)]
    turns = [turn for part in range(PARTS) for turn in brute.turns(part, PARTS)]
    assert len(shifts) == len(set(shifts)) == DIRECTIONS * STEPS
    assert len(turns) == len(set(turns)) == 240 and min(map(abs, turns)) == 0.25 and max(turns) == 30.0
    assert all(any(True for _ in brute.turns(part, PARTS)) for part in range(PARTS)), (
        "a part without a turn proves less"
    )
    assert all(len(list(brute.shifts(part, PARTS))) == DIRECTIONS * STEPS / PARTS for part in range(PARTS))


def test_a_margin_that_is_told_too_wide_is_found_out() -> None:
    """TSE-FIR-05: a target just inside the arc's edge; were its margin told as wide, a shift and a turn turn it."""
    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    asked, verdict = judged(battle, "arc", ("gun", "target"), {})
    assert verdict.closeness is not None and verdict.margin is not None and verdict.margin_turn is not None
    wide = replace(verdict.closeness, shift=None, shifted=None, turn=None, turned=None)
    found = Brute(asked, verdict.with_(closeness=wide)).tried(0, 4).found
    assert {one.id for one in found} == {"gun", "target"} and {one.turn != 0.0 for one in found} == {True, False}
    assert Brute(asked, verdict).tried(0, 4).found == []


def test_everything_on_the_table_is_either_asked_or_drawn() -> None:
    for number in SMALL:
        drawn = question(number)
        matters = what_matters(drawn.battle, drawn.question, drawn.args, drawn.options, 2.0, 30.0)
        assert len(matters.things) + len(matters.others) == len(things_of(drawn.battle))


def test_results_are_kept_and_the_program_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "proof.jsonl"
    monkeypatch.setattr(margin_proof, "RECORD", Results(tmp_path / "record.jsonl"))
    given = Namespace(
        out=out, seed=14, first=2, count=1, part=0, parts=2, at_once=2, patience=math.inf, rules=None, reached=False
    )
    assert run(replaced(given, rules="realm-of-chance")) == 0 and not list(Results(out).lines()), "one of TSE"
    assert run(replaced(given, rules="tse")) == 0 and len(list(Results(out).lines())) == 2
    out.write_text(out.read_text() + '{"question": 2, "pa')  # cut short by a kill
    assert run(replaced(given, parts=3)) == 0 and len(list(Results(out).lines())) == 3
    assert "1 parts of questions to ask" in capsys.readouterr().out
    monkeypatch.setattr(margin_proof, "code", lambda rules: f"other {rules}")
    monkeypatch.setattr(margin_proof, "alike", lambda rules: {f"other {rules}"})
    assert run(given) == 0 and len(list(Results(out).lines())) == 5, "what other code answered is asked anew"

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(margin_proof, "proved", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(replaced(given, parts=4))
    assert len(list(Results(out).lines())) == 5


def test_the_version_of_the_code_is_that_of_what_it_does() -> None:
    one, other = ('"""A."""\n\n\ndef f(x):\n    """Say."""\n    return x < 1\n', "def f(x):\n    return x < 1  # so\n")
    assert undocumented(one) == undocumented(other)
    assert undocumented(one.replace("<", "<=")) != undocumented(other)
    assert undocumented("def f(x): ...\n") == "def f(x): ...", "a stub has no docstring, and its signature counts"
    assert len(code("tse")) == 12 and code("tse") != code("realm-of-chance")


@pytest.mark.parametrize(
    ("rules", "own", "foreign"),
    [
        ("tse", "rules/tse/questions/assault_influence.py", "rules/ages"),
        ("realm-of-chance", "rules/ages/fire", "rules/tse"),
    ],
)
def test_the_version_of_the_code_is_that_of_all_that_can_answer(rules: str, own: str, foreign: str) -> None:
    """What a record names and imports, in whatever folder; neither games nor screens nor other rule sets."""
    files = [str(path.relative_to(ROOT / "tabletop")) for path in answering(rules)]
    assert {"geometry/sight/law.py", "judge/certainty.py", "geometry/terrain.toml"} <= set(files)
    assert any(file.startswith(own) for file in files)
    assert not any(file.startswith((foreign, "rules/sail", "play", "render", "battle/dice")) for file in files)
    assert not any(file.endswith("game.py") for file in files)


def _forget() -> None:
    code.cache_clear()
    search.cache_clear()


def test_the_search_for_margins_has_a_version_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(search()) == 12
    counted = {path.name for path in answering("tse") if path.parent.name == "judge"}
    assert {"margin.py", "things.py", "asking.py"} <= counted
    _forget()
    before, read = (code("tse"), search()), Path.read_text

    def with_change(path: Path, *words: str) -> str:
        return read(path, *words) + ("\nchanged = 1\n" if path.name == "margin.py" else "")

    monkeypatch.setattr(Path, "read_text", with_change)
    _forget()
    assert code("tse") == before[0] and search() != before[1]
    monkeypatch.undo()
    _forget()


LINE: dict[str, Any] = {
    "question": 81,
    "code": "a",
    "search": "old",
    "told": {"holds": [None, 3.0], "band": [0.5, None]},
    "reached": [2.0, 30.0],
    "beyond": 0,
}


def test_nothing_past_the_end_of_the_search_is_asked_where_that_is_wanted() -> None:
    """The same counterexamples are found; what lies past the end is counted, and proves nothing of a longer search."""
    asked, verdict = judged(*_asked(81))
    assert verdict.searched is not None and verdict.closeness is not None
    wide = replace(verdict.closeness, shift=None, turn=None, shifted=None, turned=None)
    short = verdict.with_(closeness=wide, searched=replace(verdict.searched, shift=1.95, turn=10.0))
    whole, within = (Brute(asked, short, reached=reached).tried(3) for reached in (False, True))
    assert within.found == whole.found and within.past > 0 == whole.past
    asked_about = [tried.shifts + tried.turns + tried.drawn for tried in (whole, within)]
    assert asked_about[0] == asked_about[1] + within.past and within.beyond == 0
    past = {**LINE, "past": 4, "reached": [1.5, 30.0]}
    new = {"search": "new", "told": LINE["told"], "reached": [2.0, 30.0], "steps": [0, 0]}
    assert renewed(past, new) is None and renewed(past, {**new, "reached": [1.5, 30.0]}) is not None


def test_parts_of_a_question_that_two_versions_asked_make_up_the_whole() -> None:
    """A part that both asked counts once."""
    lines: list[dict[str, Any]] = [
        {**LINE, "parts": [[0, 74]]},
        {**LINE, "code": "b", "parts": [[70, PARTS - 1]]},
        {"question": 82, "part": 3},
    ]
    assert {number: len(parts) for number, parts in asked_parts(lines).items()} == {81: PARTS, 82: 1}


def test_a_line_proves_the_margins_of_another_search_if_they_are_no_larger() -> None:
    new: dict[str, Any] = {
        "search": "new",
        "told": {"holds": [1.888, 3.0], "band": [0.5, None]},
        "reached": [2.0, 30.0],
        "steps": [0, 0],
    }
    line = renewed(LINE, new)
    assert line is not None and version(line) == ("a", "new") and line["told"] == new["told"]
    for larger in ([1.888, 3.01], [1.888, None]):
        assert renewed(LINE, {**new, "told": {**new["told"], "holds": larger}}) is None
    assert renewed(LINE, {**new, "told": {**new["told"], "band": [0.51, None]}}) is None, "another fact's"
    assert renewed(LINE, {**new, "told": {"holds": [1.888, 3.0]}}) is None, "a fact is missing"
    assert renewed(LINE, {**new, "told": dict(reversed(new["told"].items()))}) is not None, "whatever their order"
    farther = {**LINE, "beyond": 2, "reached": [1.5, 30.0]}
    assert renewed(farther, new) is None, "what changed beyond the end of the search may now count"
    assert renewed(farther, {**new, "reached": [1.5, 30.0]}) is not None


def test_renewing_asks_the_counterexamples_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A shift that a search once passed over is none any more if it finds a shorter one; another's stays one."""
    shift = {"fact": "holds", "id": "east-wood", "shift": [0.9189453125, -1.7197265625]}
    asked, verdict = judged(*_asked(81))
    told = {"holds": [None, None]}
    count = {"shifts": 3, "turns": 1, "drawn": 0, "spared": 2, "beyond": 0, "answers": 5}
    line = {
        **LINE,
        **count,
        "seed": 14,
        "parts": [[0, 5]],
        "told": told,
        "code": code("tse"),
        "seconds": {"brute": 1.0},
    }
    record = Results(tmp_path / "record.jsonl")
    record.keep([{**line, "found": [{**shift, "distance": 1.9499, "margin": None}]}])
    monkeypatch.setattr(margin_proof, "RECORD", record)
    assert renew(Namespace()) == 0
    (kept,) = record.lines()
    assert version(kept) == (code("tse"), search()) and kept["found"] == [] and kept["told"]["holds"][0] < 1.9
    assert not Brute(asked, verdict).contradicted_by(shift)
    assert renew(Namespace()) == 0 and list(record.lines()) == [kept], "what is this search's own is left alone"
    record.keep([{**line, "told": {"holds": [0.5, None]}, "found": []}])
    assert renew(Namespace()) == 1
    (kept,) = record.lines()
    assert kept["search"] == "old", "a larger margin has to be proved anew"


def _asked(number: int) -> tuple[Battle, str, tuple[str, ...], Mapping[str, Any]]:
    drawn = question(number)
    return drawn.battle, drawn.question, drawn.args, drawn.options


def test_results_are_packed_into_one_line_a_question() -> None:
    count = {
        "shifts": 3,
        "turns": 1,
        "drawn": 0,
        "spared": 2,
        "beyond": 0,
        "answers": 5,
        "seconds": {"brute": 0.5, "margin": 9.0},
    }
    fixed = {"seed": 14, "question": 7, "code": "a", "commit": "c", "things": 4, "found": []}
    lines = [{**fixed, **count, "part": part} for part in (4, 0, 1, 1, 2)]
    other = {**fixed, **count, "part": 0, "code": "b", "found": [{"fact": "holds"}]}
    one, two = packed([*lines, other])
    assert one["parts"] == [[0, 2], [4, 4]] and parts_of(one) == [0, 1, 2, 4]
    assert (one["shifts"], one["answers"], one["things"], one["found"]) == (12, 20, 4, [])
    assert two["code"] == "b" and two["found"] == [{"fact": "holds"}]
    again_, _ = packed([one, two, {**fixed, **count, "part": 3}, {**fixed, **count, "part": 2}])
    assert again_["parts"] == [[0, 4]] and again_["shifts"] == 15, "a part asked twice counts once"


def replaced(given: Namespace, **changes: object) -> Namespace:
    return Namespace(**{**vars(given), **changes})


def test_contacts_are_the_shortest_shifts_that_touch() -> None:
    """TSE-ASL-40: infantry 0.4 in beside guns, level with them, and the same a little behind and beyond their end."""
    battle = scene([guns("gun", (18, 10)), foot("a", (19.9, 10), front=2), foot("far", (25, 10))])
    things = [thing(battle, name) for name in ("gun", "a", "far")]
    found = sorted(contacts(things, 1, 2.0, 0.005), key=lambda placement: placement.distance)
    assert {placement.thing.id for placement in found} == {"gun", "a"}
    assert found[0].distance == pytest.approx(0.4, abs=1e-3)
    for placement in found:
        there = placed(battle, (placement.body(),))
        assert there.tape.touches(distance_between(there.unit("gun"), there.unit("a")))


def test_a_search_that_takes_too_long_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no time is left the margin tells what was searched, and names nothing beyond."""
    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    monkeypatch.setattr(margin, "PATIENCE", -1.0)
    searched = judged(battle, "arc", ("gun", "target"), {})[1].searched
    assert searched is not None and (searched.shift, searched.turn) == (0.0, 0.0)


def test_a_search_ends_though_its_answers_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-LOS-10: Soye and Bijlandt at Quatre Bras through the wood of Bossu, by a search that is slow on purpose."""
    bounded, drawn = CellSearch.bounded, question(275)

    def slowly(search: CellSearch, bundles: Bundles) -> Any:
        until = time.process_time() + 0.1
        while time.process_time() < until:
            pass
        return bounded(search, bundles)

    monkeypatch.setattr(CellSearch, "bounded", slowly)
    monkeypatch.setattr(margin, "PATIENCE", 2.0)
    before = time.process_time()
    searched = judged(drawn.battle, drawn.question, drawn.args, drawn.options)[1].searched
    assert time.process_time() - before < 6.0
    assert searched is not None and searched.shift < 2.0


def test_what_was_found_when_the_time_was_up_is_told_with_how_far_was_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """TSE-FIR-05: the shift and the turn that were about to be made smaller are kept, and they do change the answer."""

    def no_time(*_: object) -> float:
        raise TimeIsUp

    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    monkeypatch.setattr(margin, "bisected", no_time)
    monkeypatch.setattr(turning, "bisected", no_time)
    asked, verdict = judged(battle, "arc", ("gun", "target"), {})
    assert verdict.margin is not None and verdict.margin_turn is not None and verdict.searched is not None
    assert verdict.searched.shift < verdict.margin and verdict.searched.turn < verdict.margin_turn
    assert liars(asked, verdict) == []
    assert f"(shorter ones were looked for up to {verdict.searched.shift:.2f} in only)" in explain(verdict, battle)


def test_changes_beyond_what_was_searched_are_counted_apart() -> None:
    """TSE-FIR-05: a search that says it ended at 0.1 in and a degree claims nothing of what lies farther off."""
    battle = scene([guns("gun", (10, 10)), guns("target", (15.4, 14.5), "blue", 180)])
    asked, verdict = judged(battle, "arc", ("gun", "target"), {})
    assert verdict.closeness is not None and verdict.searched is not None
    wide = replace(verdict.closeness, shift=None, shifted=None, turn=None, turned=None)
    short = replace(verdict.searched, shift=0.1, turn=1.0)
    tried = Brute(asked, verdict.with_(closeness=wide, searched=short)).tried(0, 4)
    assert tried.found and tried.beyond > 0
    assert all(abs(one.turn) <= 1.0 and math.hypot(*one.shift) <= 0.101 for one in tried.found)


def test_a_line_of_a_counterexample_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    line = {"question": 2, "seed": 14, "fact": "holds", "id": question(2).args[0], "shift": [0.0, 1 / 1024]}
    assert again(json.dumps(line)) == 0
    assert "changes nothing" in capsys.readouterr().out


@pytest.mark.parametrize("number", SMALL)
def test_brute_force_finds_nothing_smaller(number: int) -> None:
    """A part of all placements of some questions, no share tolerated."""
    assert next(proved(question(number), [number % PARTS]))["found"] == []


@pytest.mark.parametrize(("number", "part"), ONCE_WRONG)
def test_brute_force_finds_nothing_any_more(number: int, part: int) -> None:
    assert next(proved(question(number), [part]))["found"] == []


@pytest.mark.sweep
@pytest.mark.parametrize(("number", "part"), ONCE_GIVEN_UP)
def test_no_search_ends_before_all_of_it_is_looked_at(number: int, part: int) -> None:
    line = next(proved(question(number), [part]))
    assert line["found"] == [] and line["reached"] == [2.0, 30.0]


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(300))
def test_brute_force_finds_nothing_smaller_of_300_questions(number: int) -> None:
    """One part each of 300 questions; ``python -m tools.margin_proof`` asks all parts."""
    assert next(proved(question(number), [number % PARTS]))["found"] == []
