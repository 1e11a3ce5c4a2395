"""How one stands is kept; a damaged file costs it only; what is mastered comes back after days."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from tabletop.drills.standing import DAYS, Standing, Standings, order

TODAY = date(2026, 3, 1)


def answered(standing: Standing, right: bool, times: int, today: date = TODAY) -> Standing:
    for _ in range(times):
        standing = standing.answered(right, "eye", today, 1.5)
    return standing


def test_a_standing_is_kept_for_each_family_and_means(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "drills.json"
    standings = Standings(path)
    standings.note("sight", "eye", answered(Standing(), True, 3))
    again = Standings(path)
    assert again.of("sight", "eye") == standings.of("sight", "eye") and again.of("sight", "eye").stairs.margin == 1.2
    assert again.of("sight", "tape") == Standing() and not again.trouble


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"\xff", b"[]", b'{"format": "tabletop-drills/1"}', b"[" * 100_000,
     b'{"format": "tabletop-drills/1", "standings": {"sight eye": 3}}',
     b'{"format": "tabletop-drills/1", "standings": {"sight eye": {"margin": -1, "asked": [], "run": 0, "answers": 0, '
     b'"right": 0, "box": 0, "due": null, "since": 0}}}',
     b'{"format": "tabletop-drills/1", "standings": {"sight eye": {"margin": 1, "asked": [], "run": 0, "answers": 0, '
     b'"right": 0, "box": 0, "due": "tomorrow", "since": 0}}}'],
)  # fmt: skip
def test_a_damaged_file_costs_the_standings_only(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "drills.json"
    path.write_bytes(raw)
    standings = Standings(path)
    assert "damaged" in standings.trouble and (tmp_path / "drills.json.damaged").read_bytes() == raw
    standings.note("arc", "eye", answered(Standing(), False, 1))
    assert Standings(path).of("arc", "eye").stairs.answers == 1 and not Standings(path).trouble


def test_a_full_disk_leaves_the_file_as_it_was_and_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "drills.json"
    standings = Standings(path)
    standings.note("sight", "eye", answered(Standing(), True, 1))
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    standings.note("sight", "eye", answered(Standing(), True, 2))
    assert "No space left" in standings.trouble and path.read_bytes() == before
    assert standings.of("sight", "eye").stairs.answers == 2
    assert [each.name for each in tmp_path.iterdir()] == ["drills.json"]


def test_a_program_killed_while_writing_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "drills.json"
    standings = Standings(path)
    standings.note("sight", "eye", answered(Standing(), True, 1))
    before = path.read_bytes()
    script = (
        "import os, signal, sys; from pathlib import Path; from tabletop.drills.standing import Standing, Standings;"
        "os.fsync = lambda handle: os._exit(9);"
        "Standings(Path(sys.argv[1])).note('sight', 'eye', Standing())"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert killed.returncode == 9 and path.read_bytes() == before
    assert Standings(path).of("sight", "eye").stairs.answers == 1


def test_what_is_mastered_comes_back_after_one_three_seven_and_21_days() -> None:
    standing, today = answered(Standing(), True, 24), TODAY
    gaps = []
    for _ in range(5):
        while standing.is_due(today):
            standing = answered(standing, True, 1, today)
        assert standing.due is not None
        gaps.append((standing.due - today).days)
        today = standing.due
    assert gaps == [*DAYS, DAYS[-1]] or gaps[-1] == DAYS[-1]
    assert gaps == sorted(gaps)


def test_what_is_mastered_no_more_comes_all_the_time() -> None:
    standing = replace(answered(Standing(), True, 24), box=2, due=TODAY, since=0)
    standing = answered(standing, False, 24)
    assert standing.due is None and standing.box == 0 and standing.is_due(TODAY - timedelta(999))


def test_families_mix_and_the_last_does_not_come_first(tmp_path: Path) -> None:
    standings = Standings(tmp_path / "drills.json")
    standings.note("b", "eye", replace(Standing(), due=TODAY + timedelta(3)))
    assert standings.due("abc", "eye", TODAY) == ["a", "c"]
    assert standings.due("abc", "eye", TODAY + timedelta(3)) == ["a", "b", "c"]
    assert standings.due("b", "eye", TODAY) == ["b"]  # nothing is due: all are asked
    mixed = [tuple(order("abc", "a", random.Random(seed))) for seed in range(200)]
    assert all(one[0] != "a" and sorted(one) == ["a", "b", "c"] for one in mixed) and len(set(mixed)) == 4
