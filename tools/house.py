"""The structure of the program in figures: what is reachable, how modules depend on each other, how long things are.

    python -m tools.house            # sizes, modules nobody runs, import cycles, parameters
    python -m tools.house --trace    # also: the files and the stack of a cold ``judge los`` and of a drag frame

Imports count wherever they are: at the top, inside functions, and for type checkers only. A string that names a module
of the program (``late("tabletop.rules.tse.fire.shot:fire")``) counts as an import too.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tabletop"
#: The entry points: the command, the public interface, and the rule sets, which are found by name.
ENTRIES = ("tabletop", "tabletop.__main__", "tabletop.interface")
#: A function with more parameters than this is hard to call.
MANY = 7


@cache
def modules(*packages: str) -> Mapping[str, Path]:
    """Return every module of some packages of the checkout, by default the program's: dotted name and file."""
    files = {}
    for path in (path for package in packages or (PACKAGE,) for path in sorted((ROOT / package).rglob("*.py"))):
        parts = path.relative_to(ROOT).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


@cache
def tree(path: Path) -> ast.Module:
    """Return a parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def naming(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a file that may name a module or something in one: imports, strings and attributes."""
    kinds = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Attribute)
    return tuple(
        node
        for node in ast.walk(tree(path))
        if isinstance(node, kinds) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    )


def imported(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """Return which of the modules ``known`` a file names: in an import statement, or in a string of their own."""
    constants = _constants(tree(path))
    return {dotted for node in naming(path) for dotted in _named(node, constants, known) if dotted != name}


def _constants(whole: ast.Module) -> dict[str, str]:
    """Return the string constants at the top level of a module."""
    constants: dict[str, str] = {}
    for node in whole.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            constants.update((to.id, node.value.value) for to in node.targets if isinstance(to, ast.Name))
    return constants


def _named(node: ast.AST, constants: Mapping[str, str], known: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules that one node of a file names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        below = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (dotted for dotted in below if dotted in known)
        if node.module in known and not all(dotted in known for dotted in below):
            yield node.module
    elif isinstance(node, ast.Constant | ast.JoinedStr):
        dotted = _text(node, constants).split(":")[0]
        if dotted.startswith(f"{PACKAGE}.") and dotted in known:
            yield dotted


def _text(node: ast.expr, constants: Mapping[str, str]) -> str:
    """Return the text of a string; in a formatted one only string constants of its module are filled in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, constants) for part in node.values)
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
        return constants.get(node.value.id, "")
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def graph(*packages: str) -> Mapping[str, frozenset[str]]:
    """Return which modules each module of some packages imports, by default the program's."""
    known = modules(*packages)
    return {name: frozenset(imported(name, path, known)) for name, path in known.items()}


def reached() -> set[str]:
    """Return the modules that the program can reach; importing a module runs the packages above it too."""
    waiting = [*ENTRIES, *rule_sets(), "tabletop.geometry.kernels"]
    names: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in names or name not in graph():
            continue
        names.add(name)
        waiting.extend(graph()[name])
        if "." in name:
            waiting.append(name.rsplit(".", 1)[0])
    return names


def rule_sets() -> list[str]:
    """Return the modules that hold the record of a rule set or of a module for them, which are found by name."""
    return [name for name in modules() if re.fullmatch(r"tabletop\.rules\.\w+\.(rule_set|module)", name)]


def unreached() -> list[str]:
    """Return the modules that only tests, tools or benchmarks could reach, or nothing."""
    return sorted(set(modules()) - reached())


def cycles() -> list[tuple[str, ...]]:
    """Return the sets of modules that import each other in a cycle."""
    return sorted(tuple(sorted(knot)) for knot in _knots(graph()) if len(knot) > 1)


def _knots(edges: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Return the strongly connected components: forth in the order of leaving, then back (Kosaraju's algorithm)."""
    back: dict[str, set[str]] = {name: set() for name in edges}
    for name, others in edges.items():
        for imported in others:
            back[imported].add(name)
    order: list[str] = []
    seen: set[str] = set()
    for name in edges:
        order += _left(name, edges, seen)
    seen = set()
    return [set(knot) for name in reversed(order) if (knot := _left(name, back, seen))]


def _left(start: str, edges: Mapping[str, Iterable[str]], seen: set[str]) -> list[str]:
    """Return the modules reached from a module and not yet ``seen``, in depth-first post-order."""
    if start in seen:
        return []
    seen.add(start)
    order, work = [], [(start, iter(sorted(edges[start])))]
    while work:
        name, others = work[-1]
        imported = next((imported for imported in others if imported not in seen), None)
        if imported is None:
            order.append(name)
            work.pop()
        else:
            seen.add(imported)
            work.append((imported, iter(sorted(edges[imported]))))
    return order


def crowded() -> list[str]:
    """Return the functions with more than ``MANY`` parameters, ``self`` not counted."""
    functions_named: list[str] = []
    for name, path in modules().items():
        functions = (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))
        functions_named.extend(f"{name}:{node.name}" for node in functions if _parameters(node) > MANY)
    return functions_named


def _parameters(node: ast.FunctionDef) -> int:
    given = node.args
    names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")]) + bool(given.vararg) + bool(given.kwarg)


def lines(package: str = PACKAGE) -> int:
    """Return the number of lines of a package."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in modules(package).values())


def code_lines(path: Path) -> int:
    """Return how many lines of a file are code, without blank lines, comments and docstrings."""
    owners = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    docstrings: set[int] = set()
    for node in ast.walk(tree(path)):
        first = node.body[0] if isinstance(node, owners) and node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    beside = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    code: set[int] = set()
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type not in (*beside, tokenize.ENCODING):
                code.update(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def costs() -> dict[str, tuple[int, int]]:
    """Return the size of each folder of ``tabletop/rules``: all its lines, and its lines of code."""
    folders = sorted(path.parent for path in (ROOT / PACKAGE / "rules").glob("*/__init__.py"))
    return {
        folder.name: (lines(folder.relative_to(ROOT).as_posix()), sum(map(code_lines, folder.rglob("*.py"))))
        for folder in folders
    }


def law_files() -> list[str]:
    """Return the files that name a ruling on sight: the law of sight should be in one of them."""
    rulings = ("hills_block", "crest_edge", "own_hill_exempt")
    return [name for name, path in modules().items() if any(word in path.read_text("utf-8") for word in rulings)]


class Traced:
    """The files and the deepest stack of the program's own functions while something runs on this thread."""

    def __init__(self) -> None:
        self.files: Counter[str] = Counter()
        self.functions: set[tuple[str, str]] = set()
        self.deepest = 0

    def run(self, what: Callable[[], Any]) -> Traced:
        """Call ``what`` and record its calls."""
        sys.setprofile(self._seen)
        try:
            what()
        finally:
            sys.setprofile(None)
        return self

    def _seen(self, frame: FrameType, event: str, _arg: Any) -> None:
        path = frame.f_code.co_filename
        if event != "call" or not _ours(path) or frame.f_code.co_name == "<module>":
            return
        self.files[os.path.relpath(path, ROOT)] += 1
        self.functions.add((path, frame.f_code.co_name))
        self.deepest = max(self.deepest, _depth(frame))


def _ours(path: str) -> bool:
    return path.startswith(str(ROOT / PACKAGE) + os.sep)


def _depth(frame: FrameType | None) -> int:
    """Return how many of the program's own functions are on the stack; module bodies do not count."""
    depth = 0
    while frame is not None:
        depth += _ours(frame.f_code.co_filename) and frame.f_code.co_name != "<module>"
        frame = frame.f_back
    return depth


def judged() -> None:
    """Ask about one line of sight as from the shell."""
    from tabletop.__main__ import main

    scene = str(ROOT / "scenarios/tse/starter.yaml")
    sys.argv = ["tabletop", "judge", scene, "los", "lambert", "brandis", "--no-margin"]
    with suppress(SystemExit):
        main()


def dragged() -> Traced:
    """Return the trace of the frame that runs most files, in a second of dragging in the window of Quatre Bras."""
    from benchmarks import frames

    watched = [Traced().run(frame) for frame in frames.dragging(seconds=1.0)]
    return max(watched, key=lambda traced: len(traced.files))


def _trace(what: str) -> str:
    """Return the figures of one trace, run in a separate process so that nothing is loaded before."""
    code = f"from tools import house; house.say_trace({what!r})"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    return made.stderr.strip().splitlines()[-1] if made.stderr.strip() else f"{what}: no answer"


def say_trace(what: str) -> None:
    """Write the figures of one trace to the error stream."""
    traced = Traced().run(judged) if what == "judge" else dragged()
    text = f"{what}: {len(traced.files)} files, {len(traced.functions)} functions, stack {traced.deepest}"
    print(text, file=sys.stderr)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trace", action="store_true", help="also trace a cold question and a drag frame")
    parser.add_argument("--names", action="store_true", help="list what is counted")
    given = parser.parse_args()
    rows: list[tuple[str, int, Iterable[str]]] = [
        ("lines of geometry", lines("tabletop/geometry"), ()),
        ("lines of the program", lines(), ()),
        ("modules that nobody runs", len(unreached()), unreached()),
        ("groups of modules that import each other", len(cycles()), (" ".join(knot) for knot in cycles())),
        *(
            (f"lines of the rules of {name.replace('_', ' ')}, {code:,} of them code", whole, ())
            for name, (whole, code) in costs().items()
        ),
        (f"functions with more than {MANY} parameters", len(crowded()), crowded()),
        ("files that name a ruling on sight", len(law_files()), law_files()),
    ]
    for label, count, names in rows:
        print(f"{count:7,}  {label}")
        for name in names if given.names else ():
            print(f"           {name}")
    for what in ("judge", "drag") if given.trace else ():
        print(f"         {_trace(what)}")


if __name__ == "__main__":
    main()
