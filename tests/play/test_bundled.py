"""What comes with the program is found by its name from any folder, listed, and copied without writing over a file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.errors import BadQuestion, Broken, Unreadable
from tabletop.play.batch import answers
from tabletop.play.files import bundled, installed, named_files
from tabletop.play.files.load import load_scene
from tabletop.play.files.opened import open_table
from tabletop.rules import rule_set

DISPUTE = installed.installed("scenarios/tse/disputes/level-shadow.yaml")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.mark.parametrize(
    "word", ["level-shadow", "level-shadow.yaml", "disputes/level-shadow", "scenarios/tse/disputes/level-shadow.yaml"]
)
def test_a_position_is_found_by_its_name(word: str) -> None:
    assert bundled.named(word) == DISPUTE
    assert load_scene(word) == load_scene(DISPUTE)


def test_a_name_of_a_battle_and_a_map_means_the_battle() -> None:
    assert bundled.named("quatre-bras") == installed.installed("scenarios/tse/quatre-bras.yaml")
    assert bundled.named("maps/quatre-bras") == installed.installed("maps/quatre-bras.yaml")
    assert not open_table("maps/quatre-bras").units


def test_a_file_that_is_there_goes_before_one_that_comes_along(elsewhere: Path) -> None:
    (elsewhere / "starter.yaml").write_text("x")
    assert bundled.named("starter") == Path("starter.yaml")
    (elsewhere / "starter").write_text("y")
    assert bundled.named("starter") == Path("starter")


@pytest.mark.parametrize(
    "word", ["", ".", "..", "-", "/level-shadow", "../level-shadow", "x" * 5000, "a\0b", "nothing"]
)
def test_words_that_mean_nothing_are_left_as_they_are(word: str) -> None:
    assert bundled.named(word) == Path(word)


def test_every_name_in_the_list_means_its_file_alone() -> None:
    found = bundled.examples()
    assert {example.place for example in found} == set(installed.places())
    assert len({example.name for example in found}) == len(found)
    for example in found:
        assert bundled.named(example.name) == installed.installed(example.place)
        assert example.title


def test_disputed_positions_of_every_rule_set_are_listed_as_such() -> None:
    """Files of a folder of disputes are listed under disputed positions, whatever the rule set, and nothing else is."""
    examples = bundled.examples()
    kinds = {example.kind: {e.place for e in examples if e.kind == example.kind} for example in examples}
    assert set(kinds) == {"Battles", "Disputed positions", "Maps", "Armies"}
    assert kinds["Disputed positions"] == {place for place in installed.places() if "/disputes/" in place}
    assert {place.split("/")[1] for place in kinds["Disputed positions"]} == set(rule_set.BUILT_IN)


def test_a_name_that_may_mean_several_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "places", lambda: ("scenarios/tse/a.yaml", "scenarios/realm-of-chance/a.yaml"))
    with pytest.raises(BadQuestion, match=r"may be scenarios/tse/a.yaml or scenarios/realm-of-chance/a.yaml"):
        bundled.named("a")


def test_without_its_data_the_program_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "places", lambda: ())
    with pytest.raises(Broken, match="install it again"):
        bundled.examples()


def test_a_wrong_name_is_told_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["judge", "levl-shadow", "los", "low-guns", "middle"]) == 2
    assert capsys.readouterr().err == "levl-shadow:1:1: there is no such file; did you mean 'level-shadow'?\n"
    assert cli.status(["examples", "starte"]) == 2
    assert "did you mean 'starter'?" in capsys.readouterr().err


def test_judge_check_render_odds_and_batches_take_names(capsys: pytest.CaptureFixture[str], elsewhere: Path) -> None:
    assert cli.status(["judge", "level-shadow", "los", "low-guns", "middle", "--no-margin"]) == 1
    assert cli.status(["check", "starter"]) == 0
    assert cli.status(["render", "skirmish"]) == 0
    assert (elsewhere / "skirmish.svg").is_file()
    assert capsys.readouterr().err == ""
    line = b'{"scene": "level-shadow", "question": "los", "args": ["low-guns", "middle"]}'
    assert '"holds": false' in next(answers([line], elsewhere))


# --- copies ----------------------------------------------------------------------------------------------------------


def test_a_battle_is_copied_with_its_map_and_its_armies(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["examples", "starter", "--to", "mine"]) == 0
    copies = sorted(path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*.yaml"))
    assert copies == [
        *("mine/armies/tse/starter-austrian.yaml", "mine/armies/tse/starter-french.yaml"),
        *("mine/maps/weidenau.yaml", "mine/starter.yaml"),
    ]
    assert capsys.readouterr().out.split() == [str(Path(copy)) for copy in [copies[3], copies[2], copies[1], copies[0]]]
    assert load_scene("mine/starter.yaml") == load_scene(installed.installed("scenarios/tse/starter.yaml"))


def test_nothing_is_ever_written_over_and_all_are_copied_or_none(elsewhere: Path) -> None:
    (elsewhere / "maps").mkdir()
    mine = elsewhere / "maps" / "weidenau.yaml"
    mine.write_text("mine")
    with pytest.raises(BadQuestion, match=r"weidenau.yaml is there already"):
        bundled.copied(["level-shadow", "starter"], elsewhere)
    assert list(elsewhere.rglob("*.yaml")) == [mine]
    assert mine.read_text() == "mine"


def test_a_copy_that_fails_leaves_nothing(elsewhere: Path) -> None:
    (elsewhere / "armies").write_text("a file where the folder should be")
    with pytest.raises(BadQuestion, match="cannot be written"):
        bundled.copied(["starter"], elsewhere)
    assert not list(elsewhere.rglob("*.yaml"))


def test_to_alone_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.status(["examples", "--to", "x"]) == 2
    assert "name what is to be copied" in capsys.readouterr().err


# --- standard input, pipes, devices ----------------------------------------------------------------------------------


class Given:
    """Standard input with these bytes in it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_a_scene_is_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    for words, status in (
        (["judge", "-", "los", "low-guns", "middle", "--no-margin"], 1),
        (["check", "-"], 0),
        (["render", "-"], 0),
    ):
        monkeypatch.setattr(sys, "stdin", Given(DISPUTE.read_bytes()))
        assert cli.status(words) == status
        assert capsys.readouterr().err == ""
    assert (elsewhere / "scene.svg").is_file()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"\xff\xfe\x00", "UTF-16"),
        (b"format: tabletop-scene/1\n  x", "standard input:"),
        (b"x" * 1_000_001, "bytes"),
        (named_files.GAME_WORDS + b'1"}', "saved game"),
    ],
)
def test_standard_input_that_is_no_scene_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: bytes, says: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Given(data))
    assert cli.status(["judge", "-", "los", "a", "b"]) == 2
    err = capsys.readouterr().err
    assert says in err and err.startswith("standard input:")


def test_standard_input_that_is_closed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Unreadable, match="cannot be read"):
        load_scene("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name here")
@pytest.mark.parametrize(
    "words",
    [
        ["judge", "{}", "los", "a", "b"],
        ["judge", "--batch", "{}"],
        ["check", "{}"],
        ["render", "{}"],
        ["odds", "{}", "move"],
        ["replay", "{}"],
        ["verify", "{}"],
        ["report", "{}"],
    ],
)
@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_a_pipe_or_a_device_keeps_nobody_waiting(
    words: list[str], name: str, capsys: pytest.CaptureFixture[str], elsewhere: Path
) -> None:
    os.mkfifo(elsewhere / "pipe")
    assert cli.status([word.format(name) for word in words]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert "pipe or a device" in said.err or "no file of a saved game" in said.err
