"""The examples in docstrings are what the functions return."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOLD = sorted(path for path in (ROOT / "tabletop").rglob("*.py") if ">>> " in path.read_text("utf-8"))


@pytest.mark.parametrize("path", TOLD, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_hold(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    found = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert found.attempted and not found.failed
