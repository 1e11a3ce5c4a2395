"""``run.py``: what makes answers faster is taken where it can be had, and nothing stops where it cannot."""

import pytest

import run


def test_numba_is_asked_for_ready_made_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(run, "install", lambda *what: asked.append(what))
    run.install_fast()
    assert asked == [("--only-binary", ":all:", "numba")]


def test_without_numba_one_line_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*what: str) -> None:
        raise run.Refused("the installation failed; the last words of pip were: no wheel")

    monkeypatch.setattr(run, "install", refuse)
    run.install_fast()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "works without it" in said[0]


def test_answers_are_put_to_kernels_unless_certain_tests_are_named() -> None:
    assert not run.named(["--all", "-x"])
    assert run.named(["tests/test_judge.py::test_something"])
    assert all(run.named([name]) for name in run.ANSWERS)
