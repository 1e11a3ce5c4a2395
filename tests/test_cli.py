"""The command line: words on stdout, faults on stderr, and the exit status of each."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tabletop import cli

ROOT = Path(__file__).parents[1]
SCENE = """format: tabletop-scene/1
title: A scene
rules: tse
table: {unit: in, width: 48, height: 48}
terrain:
  - {id: wood, kind: woods, outline: [[30, 2], [38, 2], [38, 6], [30, 6]]}
units:
  - {id: kempt, name: Kempt, side: allied, troop: infantry, bases: 4, formation: deployed, at: [10, 20], facing: 180}
  - {id: foy, name: Foy, side: french, troop: infantry, bases: 4, formation: deployed, at: [10, 8], facing: 0}
  - {id: picton, name: Picton, side: allied, troop: general, at: [10, 24]}
"""


@pytest.fixture
def scene(tmp_path: Path) -> str:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    return str(path)


def put(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command; return its status and what it said on stdout and stderr."""
    status = cli.status(words)
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return status, said.out, said.err


@pytest.mark.parametrize(
    ("words", "arranged"),
    [
        (["--path", "1,2", "3,4", "5,6", "--json"], ["--path=1,2", "--path=3,4", "--path=5,6", "--json"]),
        (["--path", "-1,2", "-3,-4"], ["--path=-1,2", "--path=-3,-4"]),
        (["--path", "1,2", "--path", "3,4"], ["--path=1,2", "--path=3,4"]),
        (["a", "--to", "-1,2", "b"], ["a", "--to=-1,2", "b"]),
        (["--facing", "-90"], ["--facing=-90"]),
        (["--path", "1,2", "kempt"], ["--path=1,2", "kempt"]),
        (["--path"], ["--path"]),
        (["los", "a", "b"], ["los", "a", "b"]),
    ],
)
def test_points_after_path_belong_to_it(words: list[str], arranged: list[str]) -> None:
    assert cli.arranged(words) == arranged


def test_an_answer_that_holds_is_status_0_in_words(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = put(capsys, "judge", scene, "distance", "kempt", "foy")
    assert (status, err) == (0, "")
    assert out.startswith("Kempt and Foy are 11.25 in apart")


def test_an_answer_that_does_not_hold_is_status_1(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = put(capsys, "judge", scene, "move", "kempt", "--path", "10,10", "--no-margin")
    assert status == 1
    assert out.startswith("No. Kempt may not make this move")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lso", "kempt", "foy"], "did you mean 'los'?"),
        (["distance", "kempt", "fooy"], "did you mean 'foy'?"),
        (["distance", "kempt"], "2 units"),
        (["move", "kempt"], "--to"),
        (["move", "kempt", "--to", "x"], "two numbers"),
        (["move", "kempt", "--to", "nan,1"], "must be a number"),
        (["move", "kempt", "--path", "1,2", "--as", "trot"], "trot"),
        (["distance", "kempt", "foy", "--ruling", "hills_blok=true"], "did you mean 'hills_block'?"),
        (["distance", "kempt", "foy", "--ruling", "hills_block"], "name=value"),
        (["distance", "kempt", "foy", "--diagram", "x.doc"], ".svg"),
        (["zone", "kempt", "--both"], "side by side"),
        (["line", "--start", "1,2"], "no end given"),
        (["line", "--start", "x", "--end", "3,4"], "option 'start' must be two numbers"),
        (["line", "--start", "1,2", "--end", ""], "option 'end' must be two numbers"),
        (["line", "--start", "1,5,2", "--end", "3,4"], "decimals are written with a point"),
        (["line", "--start", "1,2", "--end", "3,99999"], "option 'end': 99999.0 is out of bounds"),
        (["line", "kempt", "--start", "1,2", "--end", "3,4"], "0 units"),
        (["fallback", "kempt", "--from", "foy", "--distance", "3", "--away", "x"], "option 'away' must be a number"),
    ],
)
def test_a_question_that_cannot_be_put_is_status_2_and_one_line(
    scene: str, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    status, out, err = put(capsys, "judge", scene, *words)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_unknown_words_are_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert put(capsys, "juge") == (2, "", "tabletop: no command 'juge'; did you mean 'judge'?\n")
    assert "did you mean 'play maps/bare.yaml'?" in put(capsys, "maps/bare.yaml")[2]
    assert put(capsys, "judge", "--tapo", "1")[0] == 2
    assert put(capsys, "judge")[0] == 2
    assert put(capsys, "check")[0] == 2


def test_json_is_the_verdict(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = put(capsys, "judge", scene, "command", "kempt", "--json")
    verdict = json.loads(out)
    assert status == 0
    assert verdict["measured"]["general"] == "picton"
    assert set(verdict) == {
        *("question", "args", "rules", "holds", "measured", "margin", "too_close", "witness", "blockers", "because"),
        *("depends_on", "margin_turn", "turned_by", "attributes", "searched"),
    }
    assert set(verdict["searched"]) == {"shift", "apart", "turn", "step"}


@pytest.mark.parametrize("error", ["5,2", "0.125,90"])
def test_an_error_beyond_the_search_is_refused(error: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No margin could say whether the answer stands that far off; and the answer would take long."""
    status, out, err = put(capsys, "judge", "starter", "los", "arnaud", "auer", "--error", error)
    assert (status, out) == (2, "")
    assert f"option 'error': {error} is more than can be judged; margins are searched up to 2 in and 30 degrees" in err


def test_json_of_an_answer_measured_with_an_error_holds_the_certainty(
    scene: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = put(capsys, "judge", scene, "command", "kempt", "--json", "--no-margin", "--error", "0.125,2")
    assert json.loads(out)["certainty"] == {
        "certain": True,
        "share": 1.0,
        "placements": 400,
        "moved": 2,
        "redrawn": 0,
    }


def test_both_sets_the_two_answers_side_by_side(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = put(capsys, "judge", scene, "arc", "kempt", "foy", "--both", "--json", "--no-margin")
    assert [verdict["args"] for verdict in json.loads(out)] == [["kempt", "foy"], ["foy", "kempt"]]


def test_a_diagram_is_written_whole(scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "proof.svg"
    put(capsys, "judge", scene, "distance", "kempt", "foy", "--diagram", str(path))
    assert path.read_text("utf-8").rstrip().endswith("</svg>")
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_a_diagram_nowhere_is_refused(scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    nowhere = str(tmp_path / "no" / "proof.svg")
    status, _, err = put(capsys, "judge", scene, "distance", "kempt", "foy", "--diagram", nowhere)
    assert status == 2
    assert "proof.svg" in err


def test_render_draws_the_table(scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    status, out, _ = put(capsys, "render", scene, "-o", str(path))
    assert status == 0
    assert str(path) in out
    assert path.stat().st_size > 1000


def test_check_tells_sound_files_and_faulty_ones(
    scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert put(capsys, "check", scene) == (0, "1 file is sound.\n", "")
    bad = tmp_path / "bad.yaml"
    bad.write_text(SCENE.replace("kind: woods", "kind: wods").replace("side: french", "sied: french"))
    status, out, err = put(capsys, "check", scene, str(bad))
    assert (status, out) == (2, "")
    assert [line.split(": ")[0].rpartition("bad.yaml:")[2] for line in err.splitlines()] == ["6:22", "9:5", "9:26"]


def test_check_shows_warnings_and_is_still_content(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE.replace("kind: woods, outline: [[30, 2], [38, 2]", "kind: lake, outline: [[8, 8], [38, 2]"))
    status, out, _ = put(capsys, "check", str(path))
    assert status == 0
    assert "warning" in out
    assert "1 file is sound, with 1 warning." in out


def test_a_batch_answers_line_by_line(
    scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = json.dumps({"scene": scene, "question": "distance", "args": ["kempt", "foy"]}) + "\nnonsense\n"
    path = tmp_path / "questions.jsonl"
    path.write_text(lines)
    status, out, _ = put(capsys, "judge", "--batch", str(path))
    assert status == 0
    first, second = map(json.loads, out.splitlines())
    assert first["holds"] is True
    assert "error" in second
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert put(capsys, "judge", "--batch", "-")[:2] == (0, out)
    status, _, err = put(capsys, "judge", "--batch", str(tmp_path / "none.jsonl"))
    assert status == 2
    assert "cannot be read" in err


def test_rulings_are_listed_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = put(capsys, "rulings")
    assert status == 0
    assert "thin_wood_transparent = false   (or true)   TSE-LOS-10" in out
    found = json.loads(put(capsys, "rulings", "--json")[1])
    assert found["thin_wood_transparent"]["values"] == [False, True]
    assert put(capsys, "rulings", "--rules", "tes")[0] == 2


def test_doctor_finds_this_installation_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = put(capsys, "doctor")
    assert status == 0
    assert out.endswith("Everything is in order.\n")


def test_doctor_tells_whether_numba_is_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Missing or unwanted it is no illness; one that cannot be loaded is, with its cure."""
    from tabletop.geometry import fast

    def said() -> tuple[int, str]:
        status, out, _ = put(capsys, "doctor")
        return status, next(line for line in out.splitlines() if "speed (numba)" in line)

    monkeypatch.setattr(fast, "installed", lambda: False)
    assert said()[0] == 0
    assert "is not installed" in said()[1]
    monkeypatch.setattr(fast, "installed", lambda: True)
    monkeypatch.setenv("TABLETOP_PLAIN", "1")
    assert "TABLETOP_PLAIN is set" in said()[1]
    monkeypatch.delenv("TABLETOP_PLAIN")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert "not in use yet" in said()[1]
    monkeypatch.setattr(fast, "compiled", lambda: True)

    def broken() -> None:
        raise ImportError("no llvm\nhere")

    monkeypatch.setattr(fast, "warm", broken)
    assert said() == (2, said()[1])
    assert "cannot be loaded: no llvm here" in said()[1]


def test_doctor_tells_a_clash_and_its_cure(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:

    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "2.6.1" if name == "pygame" else real(name))
    status, out, _ = put(capsys, "doctor")
    assert status == 2
    assert "uninstall -y pygame pygame-ce" in out


def test_doctor_tells_what_is_too_old_and_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:

    def version(name: str) -> str:
        if name == "shapely":
            return "2.0.7"
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    status, out, _ = put(capsys, "doctor")
    assert status == 2
    assert "2.0.7 (needs 2.1.2 or newer)" in out
    assert "numpy: is not installed" in out


def test_without_a_display_play_says_so_in_one_line_and_writes_pictures(
    scene: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    status, out, err = put(capsys, "play", scene)
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    assert str(tmp_path / "pictures") in out
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["field.png", "reach.png", "sight.png"]


def test_a_narrow_console_is_no_reason_to_fall() -> None:
    """A Windows console of code page 437 shows what it can."""
    words = [sys.executable, "-m", "tabletop", "check", "caf\u00e9-\u2603.yaml"]
    found = subprocess.run(words, capture_output=True, cwd=ROOT, env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert found.returncode == 2
    assert b"Traceback" not in found.stderr
    assert b"no such file" in found.stderr


def test_a_defect_is_one_line_and_status_2(
    scene: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("float division\nby zero")

    monkeypatch.setattr("tabletop.play.files.load.load_scene", broken)
    monkeypatch.delenv("TABLETOP_DEBUG", raising=False)
    assert cli.status(["judge", scene, "distance", "kempt", "foy"]) == 2
    said = capsys.readouterr()
    assert "this is a defect of the program, please report it: ZeroDivisionError: float division by zero" in said.err


def test_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    from tabletop import __version__

    assert put(capsys, "--version") == (0, f"tabletop {__version__}\n", "")


def test_a_map_by_itself_can_be_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    assert put(capsys, "render", "maps/teaching-table.yaml", "-o", str(out))[0] == 0
    assert "<svg" in out.read_text("utf-8")


def test_an_army_by_itself_cannot_be_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "army.svg"
    status, _, faults = put(capsys, "render", "armies/tse/teaching-red.yaml", "-o", str(out))
    assert status == 2
    assert "name a map, a scene or a scenario" in faults
    assert not out.exists()


def test_a_batch_finds_margins_where_they_are_asked_for(
    scene: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the flag the fields are null; a line's own options go before it; an error implies the margin."""
    path, asked = tmp_path / "batch.jsonl", {"scene": scene, "question": "command", "args": ["kempt"]}
    lines = [asked, {**asked, "options": {"margin": False}}, {**asked, "options": {"error": [0.125, 2]}}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    fields = ("margin", "margin_turn", "turned_by", "attributes", "too_close")

    def answers(*flags: str) -> list[dict[str, object]]:
        _, out, _ = put(capsys, "judge", "--batch", str(path), *flags)
        return [json.loads(line) for line in out.splitlines()]

    plain, _, sure = answers()
    assert [plain[field] for field in fields] == [None] * 5
    assert sure["too_close"] is not None and sure["certainty"]
    every, none, _ = answers("--margin", "--tape", "5")
    assert every["attributes"] and every["too_close"] is (
        every["margin"] is not None and float(str(every["margin"])) < 5
    )
    assert none["attributes"] is None
