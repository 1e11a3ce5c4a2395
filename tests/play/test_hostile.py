"""Files written in haste, in malice or by a cat: each is refused with file, line, key and cure; nothing breaks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tabletop import cli
from tabletop.play.files.load import Reading, read_file
from tests.play.mutations import CABINET, SCENE, spoilt

ROOT = Path(__file__).parents[2]
SHIPPED = [path for folder in ("maps", "armies", "scenarios") for path in sorted((ROOT / folder).rglob("*.yaml"))]
#: What a cure sounds like: every refusal holds one of these.
CURES = (
    ";",
    "did you mean",
    "there are:",
    "must be",
    "needs at",
    "the most is",
    "give",
    "out of bounds",
    "is not '",
    "is not between",
)


def refused(tmp_path: Path, raw: bytes) -> Reading:
    path = tmp_path / "hostile.yaml"
    path.write_bytes(raw)
    return read_file(path, playable=True)


def assert_plain(reading: Reading) -> None:
    """Every fault is one line with a file, a place, and a cure."""
    assert reading.battle is not None or reading.wrong
    for fault in reading.faults:
        assert "\n" not in str(fault)
        assert fault.file
        assert fault.line >= 1
        assert fault.column >= 1
        assert len(fault.text) < 500, fault.text
        assert fault.warning or any(cure in fault.text for cure in CURES), fault.text


@pytest.mark.parametrize("name", CABINET)
def test_a_hand_made_horror_is_refused_with_its_cure(name: str, tmp_path: Path) -> None:
    raw, words = CABINET[name]
    reading = refused(tmp_path, raw)
    assert reading.battle is None
    assert any(words in fault.text for fault in reading.wrong), [fault.text for fault in reading.wrong][:5]
    assert_plain(reading)


def test_the_scene_that_the_horrors_are_made_of_is_sound(tmp_path: Path) -> None:
    reading = refused(tmp_path, SCENE.encode())
    assert reading.battle is not None
    assert not reading.faults


def test_the_command_says_it_on_one_line_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("binary", "nan", "deep inside a scene", "an alias bomb"):
        path = tmp_path / "hostile.yaml"
        path.write_bytes(CABINET[name][0])
        for words in (["check", str(path)], ["judge", str(path), "los", "a", "b"], ["render", str(path)]):
            assert cli.status(words) == 2
            said = capsys.readouterr()
            assert "hostile.yaml:" in said.err
            assert "Traceback" not in said.err
            assert "defect" not in said.err


def mutated(tmp_path: Path, count: int, seed: int) -> int:
    """Read ``count`` spoilt copies of the shipped files; return how many were refused."""
    random = Random(seed)
    texts = [path.read_bytes() for path in SHIPPED]
    wrong = 0
    for _ in range(count):
        raw = spoilt(random, random.choice(texts))
        path = tmp_path / "spoilt.yaml"
        path.write_bytes(raw)
        reading = read_file(path)
        for fault in reading.faults:
            assert "\n" not in str(fault)
            assert len(fault.text) < 500
            assert fault.warning or any(cure in fault.text for cure in CURES), fault.text
        wrong += bool(reading.wrong)
    return wrong


def test_mutations_of_the_shipped_files_raise_nothing(tmp_path: Path) -> None:
    assert mutated(tmp_path, 300, seed=1815) > 150


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10))
def test_many_mutations_of_the_shipped_files_raise_nothing(tmp_path: Path, seed: int) -> None:
    assert mutated(tmp_path, 1000, seed) > 500


def test_reading_writes_nothing(tmp_path: Path) -> None:
    """Checking and judging open no file for writing, whatever the file says."""
    script = (
        "import os, sys\n"
        "def hook(event, args):\n"
        "    if event == 'open' and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):\n"
        "        if args[0] != os.devnull: print('WROTE', args[0])\n"
        "sys.addaudithook(hook)\n"
        "from tabletop import cli\n"
        "print(cli.status(['check', sys.argv[1]]), cli.status(['judge', sys.argv[1], 'distance', 'kempt', 'x']))\n"
    )
    path = tmp_path / "scene.yaml"
    path.write_text(SCENE)
    found = subprocess.run([sys.executable, "-B", "-c", script, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert "WROTE" not in found.stdout
    assert found.stdout.splitlines()[-1] == "0 2"
