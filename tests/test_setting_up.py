"""``run.py``: what makes answers faster is taken where it can be had, and nothing stops where it cannot."""

import run


def test_answers_are_asked_again_without_kernels_unless_certain_tests_are_named() -> None:
    assert not run.named(["--all", "-x"])
    assert run.named(["tests/test_judge.py::test_something"])
    assert all(run.named([name]) for name in run.ANSWERS)
