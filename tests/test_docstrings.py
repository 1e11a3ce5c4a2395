"""The examples in docstrings are what the functions return, and the documented surface has them."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

from tools import surface

ROOT = Path(__file__).resolve().parents[1]
WITH_EXAMPLES = sorted(path for path in (ROOT / "tabletop").rglob("*.py") if ">>> " in path.read_text("utf-8"))
#: The modules of sight, movement and rules whose public functions all have what is asked of them. It only grows.
DOCUMENTED = frozenset(Path(__file__).with_name("documented_modules.txt").read_text("utf-8").split())


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_hold(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    result = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert result.attempted and not result.failed


def test_documented_modules_stay_documented_and_their_list_grows() -> None:
    """Shapes and units, the rule, errors and an example of every function that other folders call.

    A module that has everything is entered in tests/documented_modules.txt, and the ratio has a floor.
    """
    every = [(module, function) for module, own in surface.functions().items() for function in own]
    lacking = {(module, function.name): surface.lacks(module, function) for module, function in every}
    assert {one: lacks for one, lacks in lacking.items() if one[0] in DOCUMENTED and lacks} == {}
    assert not set(surface.documented()) - DOCUMENTED, "enter these in tests/documented_modules.txt"
    assert sum(not lacks for lacks in lacking.values()) >= FLOOR


#: How many functions of the surface lack nothing: raise it when there are more.
FLOOR = 509


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
