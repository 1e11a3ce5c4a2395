"""The documented surface of sight, movement and rules: public functions that other folders call, and their docstrings.

    python -m tools.surface           # how many docstrings are complete, package by package
    python -m tools.surface --names   # also what each lacks

Each must have: an example; units or shapes, if it takes or returns numbers, points or arrays; the rule it serves, if it
belongs to a rule set; the errors it raises itself. A function is called from another folder if a module there imports
it, uses it as an attribute of its module, or names it in a string (``late("tabletop.rules.tse.sight.judge:los")``).
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tools import house

#: The packages whose public functions make up the surface.
PACKAGES = ("tabletop.geometry.sight.", "tabletop.geometry.movement.", "tabletop.rules.")
#: Modules that serve every rule of their rule set, or every rule set, and no rule in particular.
NO_RULE = re.compile(r"tabletop\.rules\.(\w+|common\.\w+|\w+\.(tables|options)|\w+\.turn\.(answer_cache|invariants))")
RULE = re.compile(r"\b[A-Z]{3}-\d\d|TSE section 0|TSE-[A-Z]{3}")
UNITS = re.compile(
    r"table unit|inch|\d in\b|degree|radian|share|chance|probabilit|minute|hour|scale|\(\w+,\s*\d?\)|points? \(east|"
    r"count|number|width|ranks?\b|bases"
)
NUMBERS = re.compile(r"\b(float|Point|Line|ndarray|Floats|BaseGeometry|Geometry|Polygon)\b")


@cache
def callers() -> Mapping[tuple[str, str], frozenset[str]]:
    """Return, by module and name, the modules that use it."""
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, path in house.modules().items():
        for used in _used(path):
            users[used].add(name)
    return {used: frozenset(names) for used, names in users.items()}


def _used(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what a file uses of other modules: (module, name)."""
    constants, known = house._constants(house.tree(path)), house.modules()
    aliases: dict[str, str] = {}
    for node in house.naming(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias.name
                aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            module, _, name = house._text(node, constants).partition(":")
            if module in known:
                yield module, name
    for node in house.naming(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            yield aliases[node.value.id], node.attr


def functions() -> Mapping[str, list[ast.FunctionDef]]:
    """Return the public functions of the surface by module: those that a module of another folder uses."""
    known, public = house.modules(), defaultdict(list)
    for name, path in known.items():
        for node in house.tree(path).body if name.startswith(PACKAGES) else ():
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                users = callers().get((name, node.name), frozenset())
                if any(known[user].parent != path.parent for user in users):
                    public[name].append(node)
    return public


def lacks(module: str, function: ast.FunctionDef) -> list[str]:
    """Return what the docstring of a function of the surface lacks."""
    text, example, _ = (ast.get_docstring(function) or "").partition(">>> ")
    types = " ".join(ast.unparse(node) for node in _annotations(function))
    raised = {error for error in _raised(function) if error not in text}
    return [
        *([] if example else ["an example"]),
        *(["its rule"] if not NO_RULE.fullmatch(module) and not RULE.search(text) else []),
        *(["units or shapes"] if NUMBERS.search(types) and not UNITS.search(text) else []),
        *(f"the error {error}" for error in sorted(raised)),
    ]


def _annotations(function: ast.FunctionDef) -> Iterator[ast.expr]:
    given = function.args
    for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs):
        if arg.annotation is not None:
            yield arg.annotation
    if function.returns is not None:
        yield function.returns


def _raised(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names of the errors that a function raises in its own body."""
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
            yield node.exc.func.id


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", action="store_true", help="say what each function lacks")
    given = parser.parse_args()
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, own in functions().items():
        for function in own:
            missing, package = lacks(name, function), name.rpartition(".")[0]
            counts[package][0] += not missing
            counts[package][1] += 1
            if missing and given.names:
                print(f"{name}:{function.name} lacks {', '.join(missing)}")
    for package, (have, every) in sorted(counts.items()):
        print(f"{have:4} of {every:3}  {package}")
    print(f"{sum(have for have, _ in counts.values()):4} of {sum(every for _, every in counts.values()):3}  in all")


if __name__ == "__main__":
    main()
