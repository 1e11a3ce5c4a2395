"""The page about the model and its charts are up to date with the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import battles, model_charts
from tools.battles import Fought


def test_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures and charts are what the model gives; python -m tools.model_charts makes them anew."""
    assert model_charts.main(["--check"]) == 0, capsys.readouterr().out


def test_shares_are_whole() -> None:
    """Every bar's shares sum to 1."""
    for shares in (model_charts.fire(), model_charts.assault(), model_charts.assault(cover="hard")):
        assert sum(shares) == pytest.approx(1.0, abs=1e-12)


def test_what_the_model_was_set_to() -> None:
    """Elite beats average about two in three; hard cover repels equals more often than not; squares stand."""
    assert 0.6 < model_charts.even_match("elite", "average") < 0.72
    assert 0.6 < model_charts.duel("elite", "average") < 0.72
    assert model_charts.repelled(model_charts.assault(cover="hard")) > 0.5
    for quality in ("elite", "average"):
        horse = {"actor": f"{quality} heavy-cavalry", "target_formation": "square"}
        assert model_charts.repelled(model_charts.assault(**horse)) > 0.75


def test_battles_end_in_time() -> None:
    """Three in five full-size battles of sensible players or more end in turns 6 to 12, and most by army morale."""
    found = [one for match in battles.MATCHES if match.full_size for one in battles.kept()[match.name]]
    assert len(found) >= 20
    assert battles.in_time(found) >= 0.6
    assert sum(one.by_morale for one in found) / len(found) > 0.8


def test_neither_side_is_favoured() -> None:
    """Where both armies are alike, either side wins a quarter of the battles or more."""
    even = [match for match in battles.MATCHES if match.place != battles.QUATRE_BRAS]
    first = [one.winner in ("austrian", "blue") for m in even for one in battles.kept()[m.name] if one.winner]
    assert 0.25 < sum(first) / len(first) < 0.75


def test_shares_of_ends() -> None:
    """Before, within and after the turns meant by morale, and otherwise: turn 6 and turn 12 are within."""
    ends = [("red broke", 5), ("red broke", 6), ("blue broke", 12), ("blue broke", 13), ("drawn", 20)]
    fought = [Fought(None, how, turn, 1) for how, turn in ends]
    assert battles.shares(fought) == (0.2, 0.4, 0.2, 0.2)
    assert battles.in_time(fought) == 0.4


def test_battles_of_other_numbers_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles kept count only as long as the numbers are those they were fought with."""
    monkeypatch.setattr(battles, "KEPT", tmp_path / "battles.json")
    assert battles.kept() == {}
    kept = {battles.MATCHES[0].name: (Fought("red", "blue broke", 9, 200), Fought(None, "drawn", 20, 300))}
    battles.keep(kept)
    assert battles.kept() == kept
    monkeypatch.setattr(battles, "numbers", lambda: "others")
    assert battles.kept() == {}
    assert len(battles.missing()) == len(battles.MATCHES)
