"""The page about the model and its charts are up to date with the model."""

from __future__ import annotations

import pytest

from tools import model_charts


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
