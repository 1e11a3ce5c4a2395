"""The examples in docstrings are what the functions return, and the documented surface has them."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

from tools import surface

ROOT = Path(__file__).resolve().parents[1]
WITH_EXAMPLES = sorted(path for path in (ROOT / "tabletop").rglob("*.py") if ">>> " in path.read_text("utf-8"))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_hold(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    result = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert result.attempted and not result.failed


def test_every_function_that_other_folders_call_is_documented() -> None:
    """Those of sight, movement and rules: shapes and units, the rule, errors and an example."""
    every = [(module, function) for module, own in surface.functions().items() for function in own]
    lacking = {(module, function.name): surface.lacks(module, function) for module, function in every}
    assert len(every) > 500 and {one: lacks for one, lacks in lacking.items() if lacks} == {}


@pytest.mark.parametrize(
    ("docstring", "lacks"),
    [
        ("Return a cost in table units (TSE-MOV-01); ValueError below 0.\n\n>>> 1\n1", []),
        ("Return a cost in table units (TSE-MOV-01); ValueError below 0.", ["an example"]),
        ("Return a cost in table units; ValueError below 0.\n\n>>> 1\n1", ["its rule"]),
        ("Return a cost (TSE-MOV-01); ValueError below 0.\n\n>>> 1\n1", ["units or shapes"]),
        ("Return a cost in table units (TSE-MOV-01).\n\n>>> 1\n1", ["the error ValueError"]),
    ],
)
def test_what_is_asked_of_a_docstring(docstring: str, lacks: list[str]) -> None:
    function = ast.parse(f"def f(a: float) -> float:\n    {docstring!r}\n    raise ValueError('a')").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert surface.lacks("tabletop.rules.tse.movement.judge", function) == lacks
