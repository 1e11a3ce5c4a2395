"""Which modules can answer a rule set's questions: those its record names, and everything they import in turn.

A record names functions by their places, "module:function", and imports what it is made of; what it imports only for
play answers no questions. Other modules count with everything they import, inside functions too, except for type
checkers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: The package that asks, whatever the rules.
ASKING = "tabletop.judge"
#: Answers throw no dice, although modules that answer stand next to some that do.
NO_PART = ("tabletop.battle.dice",)
PLACE = re.compile(r"(tabletop[\w.]+):")


@cache
def answering(rules: str) -> tuple[Path, ...]:
    """Return the files of all modules that can answer questions of a rule set, and the data files beside them."""
    files: dict[str, Path] = {}
    left = [f"tabletop.rules.{rules.replace('-', '_')}.rule_set", ASKING]
    while left:
        module = left.pop()
        path = file_of(module)
        if path is not None and module not in files and module not in NO_PART:
            files[module] = path
            left += imported(path)
    data = {path for file in files.values() for path in file.parent.iterdir() if path.suffix in (".toml", ".yaml")}
    return (*sorted(files.values()), *sorted(data))


def file_of(module: str) -> Path | None:
    """Return the file of a module, or of a package; None if it is neither."""
    path = ROOT / module.replace(".", "/")
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def imported(path: Path) -> list[str]:
    """Return the names of the program's modules that a file imports or names, with the packages they are in."""
    tree = ast.parse(path.read_text("utf-8"))
    record = any(isinstance(n, ast.ImportFrom) and any(a.name == "late" for a in n.names) for n in tree.body)
    names = {*_places(tree), *(name for node in _nodes(tree, record) for name in _named(node))}
    ours = (name.split(".") for name in names if name.split(".")[0] == "tabletop")
    return sorted({".".join(parts[:k]) for parts in ours for k in range(1, len(parts) + 1)})


def _nodes(tree: ast.Module, outermost: bool) -> Iterator[ast.AST]:
    """Yield the nodes that are executed, skipping those for type checkers; only the ``outermost`` statements, or
    all."""
    for node in tree.body:
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from (node,) if outermost else ast.walk(node)


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _places(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of places named in strings, which may begin with a constant of the module."""
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.Constant):
            text = ast.unparse(node).strip("f'\"")
            for name, value in constants.items():
                text = text.replace("{" + name + "}", str(value))
            place = PLACE.match(text)
            yield from (place[1],) if place else ()
