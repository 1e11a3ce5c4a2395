"""The mutants of a source file: one small change each, and the compiled code that contains it.

A mutant is identified by its place (file, function, line), the old text and the new text, so that a judgement on it
survives when lines move. Docstrings, annotations and decorators are not changed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

Nodes = Iterable[ast.AST]
Key = tuple[str, str, str, str]
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

#: The same limit, including or excluding the limit itself.
BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NEGATED = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
EQUALITY = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OTHER_END = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change. ``node`` is its index in the walk over the file, ``variant`` which change of that node it is."""

    file: str
    where: str
    line: int
    last: int
    operator: str
    was: str
    now: str
    node: int
    variant: int

    @property
    def key(self) -> Key:
        """What identifies it whatever its line."""
        return self.file, self.where, self.was, self.now

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} {self.where}: {self.was}  ->  {self.now}"


def compared(table: dict[type[ast.cmpop], type[ast.cmpop]]) -> Callable[[ast.AST], Iterator[ast.AST]]:
    """Return the operator that replaces each comparison with its partner in ``table``."""

    def changes(node: ast.AST) -> Iterator[ast.AST]:
        for n, sign in enumerate(node.ops if isinstance(node, ast.Compare) else []):
            if type(sign) in table:
                new = deepcopy(node)
                assert isinstance(new, ast.Compare)
                new.ops[n] = table[type(sign)]()
                yield new

    return changes


def logic(node: ast.AST) -> Iterator[ast.AST]:
    """Yield ``and`` for ``or`` and vice versa."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """Yield minus for plus, division for multiplication, ``&`` for ``|`` and vice versa; not for strings or types."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not (wordy(node.left) or wordy(node.right)):
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)


def wordy(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and not number_like(node.value))


def number_like(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a number plus and minus one; False for True."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)


def dropped(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the operand without its ``not``, minus sign or ``~``."""
    if isinstance(node, ast.UnaryOp):
        yield node.operand


def answer(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the opposite of a returned boolean."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp):
        yield ast.Return(ast.UnaryOp(ast.Not(), node.value))


def other_end(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the minimum for the maximum, any for all, and vice versa."""
    if not isinstance(node, ast.Call):
        return
    new = deepcopy(node)
    if isinstance(new.func, ast.Name) and new.func.id in OTHER_END:
        new.func.id = OTHER_END[new.func.id]
        yield new
    elif isinstance(new.func, ast.Attribute) and new.func.attr in OTHER_END:
        new.func.attr = OTHER_END[new.func.attr]
        yield new


def statement(node: ast.AST) -> Iterator[ast.AST]:
    """Yield ``pass`` for a call, an augmented assignment, a raise, a ``continue``, a ``break`` or a guard."""
    call = isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    leap = isinstance(node, ast.Raise | ast.AugAssign | ast.Continue | ast.Break)
    if call or leap or guard(node):
        yield ast.Pass()


def guard(node: ast.AST) -> bool:
    """Return whether ``node`` is an ``if`` that only leaves early."""
    leaves = ast.Return | ast.Continue | ast.Break | ast.Raise
    return isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], leaves)


def condition(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the other branch, of a test that is neither a comparison nor ``and`` or ``or``, which have changes of
    their own."""
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        new = deepcopy(node)
        new.test = ast.UnaryOp(ast.Not(), node.test)
        yield new


OPERATORS: dict[str, Callable[[ast.AST], Iterator[ast.AST]]] = {
    "boundary": compared(BOUNDARY),
    "negated": compared(NEGATED),
    "equality": compared(EQUALITY),
    "logic": logic,
    "arithmetic": arithmetic,
    "number": number,
    "dropped": dropped,
    "answer": answer,
    "condition": condition,
    "other end": other_end,
    "statement": statement,
}


def walk(node: ast.AST, where: tuple[str, ...] = (), line: int = 0) -> Iterator[tuple[ast.AST, str, int]]:
    """Yield every node that may be changed, in order, with its function and the line of its statement."""
    line = node.lineno if isinstance(node, ast.stmt) else line
    yield node, ".".join(where), line
    inner = (*where, node.name) if isinstance(node, Scope) else where
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "type_params"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk(child, inner, line)


def mutants(root: Path, file: str) -> Iterator[Mutant]:
    """Yield every mutant of a file (path from ``root``)."""
    for n, (node, where, line) in enumerate(walk(ast.parse((root / file).read_text(encoding="utf-8")))):
        first = getattr(node, "lineno", line)
        last = getattr(node, "end_lineno", first) or first
        for operator, changes in OPERATORS.items():
            for variant, new in enumerate(changes(node)):
                yield Mutant(file, where, first, last, operator, short(node), short(new), n, variant)


def short(node: ast.AST) -> str:
    """Return the text of a node; of a guard its first line."""
    return ast.unparse(ast.fix_missing_locations(deepcopy(node))).split("\n")[0]


class Change(ast.NodeTransformer):
    """Replaces one node with another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def mutated(text: str, mutant: Mutant, path: str) -> CodeType:
    """Return the compiled module with the mutant applied."""
    tree = ast.parse(text)
    old = next(node for n, (node, _, _) in enumerate(walk(tree)) if n == mutant.node)
    new = list(OPERATORS[mutant.operator](old))[mutant.variant]
    changed = ast.fix_missing_locations(Change(old, new).visit(tree))
    assert isinstance(changed, ast.Module)
    return compile(changed, path, "exec")


class Watched(ast.NodeTransformer):
    """Routes every comparison with a limit through ``METER``, with the index of its node and of its sign."""

    def __init__(self, tree: ast.Module, file: str) -> None:
        self.sites = {id(node): f"{file}:{n}" for n, (node, _, _) in enumerate(walk(tree))}

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        site = self.sites.get(id(node))
        self.generic_visit(node)
        if site is None or not any(type(sign) in BOUNDARY for sign in node.ops):
            return node
        signs = ast.Constant(" ".join(type(sign).__name__ for sign in node.ops))
        later = [ast.Lambda(NOTHING, value) for value in node.comparators[1:]]
        call = ast.Call(
            ast.Name(METER, ast.Load()), [ast.Constant(site), signs, node.left, node.comparators[0], *later], []
        )
        return ast.copy_location(call, node)


#: The name under which watched code finds the function that receives its comparisons.
METER = "__limit_met__"
NOTHING = ast.arguments([], [], None, [], [], None, [])


def watched(text: str, file: str, path: str) -> CodeType:
    """Return the compiled module whose comparisons with a limit go through ``METER``."""
    tree = ast.parse(text)
    return compile(ast.fix_missing_locations(Watched(tree, file).visit(tree)), path, "exec")


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code and all codes defined in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes(inner)


def all_mutants(root: Path, folders: Iterable[str]) -> list[Mutant]:
    """Return the mutants of all Python files under ``folders``, in order."""
    files = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return [mutant for path in files for mutant in mutants(root, path.relative_to(root).as_posix())]
