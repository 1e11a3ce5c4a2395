"""The packed program's start: workers are the same program, started again as an interpreter."""

import subprocess
import sys
from pathlib import Path

import pytest

START = Path(__file__).parents[1] / "packaging" / "start.py"


def started(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(START), *words], capture_output=True, text=True, check=False)


def test_code_and_modules_are_run_as_by_an_interpreter() -> None:
    """As joblib starts its workers and multiprocessing its tracker."""
    assert started("-B", "-c", "import sys; print(sys.argv[1:])", "a", "b").stdout == "['a', 'b']\n"
    assert started("-m", "calendar", "2026", "1").stdout.startswith("    January 2026")


@pytest.mark.parametrize("words", [("--version",), ("-c",)])
def test_other_words_are_the_commands(words: tuple[str, ...]) -> None:
    said = started(*words)
    assert said.stdout.startswith("tabletop ") or "Error: No such option: -c" in said.stderr
