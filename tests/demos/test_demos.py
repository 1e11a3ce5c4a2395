"""Demos: their files' faults, what there is to see and when, their proof, their captions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import cli
from tabletop.demos import library
from tabletop.demos.cues import Unplayable, cues
from tabletop.demos.models import FORMAT, DemoFile
from tabletop.demos.proof import prove
from tabletop.demos.reading import load_demo
from tabletop.play.files.schema import schema_folder, schema_text, schemas
from tabletop.render.demos.captions import Caption, captions, srt, vtt
from tabletop.render.demos.timeline import Timeline
from tests.demos.demos import DEMO, changed, demo, read, read_text
from tests.plain_data import ODD, places

MADE = schemas({FORMAT: DemoFile})
TRACK = len(DEMO["track"])


@pytest.mark.parametrize("name", sorted(MADE))
def test_the_published_schema_is_up_to_date(name: str) -> None:
    """Mend with ``tabletop schema --write``."""
    assert (schema_folder() / f"{name}.schema.json").read_text("utf-8") == schema_text(MADE[name])


# --- faults ----------------------------------------------------------------------------------------------------------


def test_every_fault_of_a_file_is_told_at_once_with_its_line_column_and_cure() -> None:
    text = """format: tabletop-demo/1
title: Wrong
rules: tse
scene:
  table: {unit: in, width: 24, height: 18}
  units:
    - {id: foot, side: red, troop: infantry, bases: 2, formation: deployed, at: [4, 9], facing: 90}
track:
  - {say: Look, wait: 2, show: {ask: los, args: [foot, foot]}}
  - move: juggle foot
  - {show: {ask: loss, args: [foot, foot]}}
  - {say: one two three four five six seven eight nine ten eleven twelve, seconds: 1}
  - {ask: Who?, choices: [A, B]}
"""
    told = [str(fault) for fault in read_text(text)]
    assert [one.split(" ")[0] for one in told] == [
        "demo.yaml:9:5:", "demo.yaml:10:11:", "demo.yaml:11:18:", "demo.yaml:12:84:", "demo.yaml:13:17:"
    ]  # fmt: skip
    assert "one of 'move', 'show', 'wait' and 'ask'" in told[0]
    assert "did you mean 'los'" in told[2]
    assert "it needs 4.9" in told[3]
    assert "'right' is missing" in told[4]


@pytest.mark.parametrize(
    ("where", "to", "said"),
    [
        (("track", 1, "move"), {"actions": 2}, "for a saved battle"),
        (("track", 0, "choices"), ["A"], "'choices' belongs to 'ask'"),
        (("track", 3, "right"), 3, "count them from 1"),
        (("track", 0, "say"), " ".join(["word"] * 31), "the most is 30"),
        (("track", 0, "say"), "See {unit:nobody}", "there is no unit 'nobody'"),
        (("battle",), "nowhere.jsonl", "there is no file 'nowhere.jsonl'"),
        (("side",), "green", "green"),
        (("start", "acting"), "nobody", "there is no unit 'nobody'"),
    ],
)
def test_a_fault_is_told_by_its_key_and_value(where: tuple[str | int, ...], to: Any, said: str) -> None:
    found, faults = read(changed(*where, to=to))
    assert found is None and any(said in fault.text for fault in faults), faults


def test_hostile_values_never_raise() -> None:
    """Every value of a demo replaced by something odd is a fault or a demo, never a traceback."""
    for where in places(DEMO):
        for value in ODD:
            found, faults = read(changed(*where, to=value))
            assert (found is None) == bool(faults)
            assert all("\n" not in str(fault) for fault in faults)


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"format: [", b"- 1\n- 2\n", b"format: tabletop-demo/1\n", b"a: &b", b"\0", b"[" * 5000]
)
def test_what_is_no_demo_is_said_at_the_prompt(raw: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.yaml"
    file.write_bytes(raw)
    assert cli.status(["demos", str(file)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said and all(line.startswith(f"{file}:") for line in said), said


def test_one_of_a_kind_is_counted_as_one() -> None:
    track = [{"say": "Look.", "move": "maneuver foot forward 3"}]
    assert prove(demo(changed("track", to=track))).summary == "1 row, 1 action, 0 proofs"


def test_a_demo_without_a_battle_is_a_fault() -> None:
    data = {key: value for key, value in DEMO.items() if key not in ("scene", "start", "chance", "rules")}
    assert "either a 'scene' or a saved 'battle'" in read(data)[1][0].text


# --- playing ---------------------------------------------------------------------------------------------------------


def test_what_is_seen_comes_in_the_order_of_the_track() -> None:
    seen = list(cues(demo()))
    assert [cue.number for cue in seen] == [0, 1, 2, 3, 3, 4]
    moved = seen[1]
    assert moved.before is not None and moved.before.unit("foot").at[0] == 4.0
    assert moved.battle.unit("foot").at[0] == pytest.approx(7.0, abs=0.01)
    assert seen[2].proofs[0].question == "los" and not seen[0].proofs
    asked, answered = seen[3], seen[4]
    assert asked.asked is not None and asked.asked.choices == ("Yes", "No") and asked.asked.right == 1
    assert not asked.answered and answered.answered and not answered.proofs[0].holds


def test_an_action_that_is_not_allowed_is_told_with_its_rule_and_its_row() -> None:
    proved = prove(demo(changed("track", 1, "move", to="maneuver foot forward 30")))
    assert len(proved.faults) == 1 and "is not allowed: TSE-MOV-" in proved.faults[0].text
    with pytest.raises(Unplayable) as told:
        list(cues(demo(changed("track", 1, "move", to="maneuver foot forward 30"))))
    assert (told.value.row, told.value.key) == (1, "move")


def test_a_proof_that_says_something_else_than_the_narration_is_a_fault() -> None:
    data = changed("track", 2, "show", to={"ask": "los", "args": ["foot", "post"], "holds": False})
    assert "is answered yes by then, not no" in prove(demo(data)).faults[0].text


@pytest.mark.parametrize("path", library.paths(), ids=lambda path: path.stem)
def test_every_demo_that_comes_along_can_be_played(path: Any) -> None:
    proved = prove(load_demo(path))
    assert not proved.faults and proved.actions


def test_three_come_along_and_the_battle_lasts_four_minutes() -> None:
    assert len(library.paths()) == 3
    timeline = Timeline(library.find("four-minutes-at-weidenau")).wound()
    assert 230 <= timeline.seconds <= 250
    assert timeline.parts[-1].cue.battle.over


def test_the_check_names_faults_and_praises_what_is_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["demos", "--check", "sight-over-levels"]) == 0
    assert "sight-over-levels: sound" in capsys.readouterr().out
    assert cli.status(["demos", "nowhere"]) == 2
    assert "no demo 'nowhere'" in capsys.readouterr().err


# --- time ------------------------------------------------------------------------------------------------------------


def test_times_are_as_the_file_says() -> None:
    parts = Timeline(demo()).wound().parts
    assert [part.start for part in parts] == pytest.approx([0, 3, 7, 9, 14, 18])
    assert parts[1].moving > 0.0 and parts[1].share(parts[1].moving) == 1.0 and parts[1].share(0.0) == 0.0
    assert parts[-1].end == pytest.approx(19.5)


def test_captions_stand_as_long_as_what_they_say() -> None:
    told = captions(Timeline(demo()).wound().parts)
    assert [one.start for one in told] == pytest.approx([0, 3, 9, 14])
    assert [one.end for one in told] == pytest.approx([3, 9, 14, 19.5])
    assert [one.text for one in told] == ["Watch foot.", "It goes three inches.", "Can it fire? Yes / No", "No."]


def test_captions_as_players_of_films_read_them() -> None:
    told = [Caption(0.0, 2.5, "A < B"), Caption(3661.25, 3662.0, "End")]
    assert srt(told) == "1\n00:00:00,000 --> 00:00:02,500\nA < B\n\n2\n01:01:01,250 --> 01:01:02,000\nEnd\n"
    assert vtt(told).startswith("WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nA &lt; B\n")
