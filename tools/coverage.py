"""Rule by rule: which function implements it and which test checks it.

    python -m tools.coverage          write docs/coverage-*.md, one for each rule set
    python -m tools.coverage --check  report the rows that lack a function or a test

A rule is traced by its id: in a function or class of ``tabletop`` or a data file beside the rules; and in a test
function (a heading over a whole file of tests is no evidence). ``TSE-FIR-15..18`` names a run of ids, ``TSE-FIR-02,
-03`` and ``TSE-FIR-02, 03`` two.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from tools.proofs import Proof, recorded

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tabletop/rules"
#: The parts that must be traced, where a book has parts that only people decide: TSE's play is its game app.
HELD = {"tse": ("measures",)}
#: Its ids are examples, not evidence.
ITS_TEST = ROOT / "tests/test_coverage.py"
PARTS = {
    "measures": "answered by the table itself",
    "play": "answered when a battle is played",
    "advice": "guidance for authors",
}


@dataclass(frozen=True)
class Book:
    """One rule set's rules: the prefix of its ids, its folder, its title, and the parts that must be traced.

    Tables ``cites.toml`` map rules of another book, after which functions of a family are named, to rules of a book:
    the family's functions and tests for such a rule count for that rule too.
    """

    prefix: str
    folder: str
    title: str
    held: tuple[str, ...]

    @property
    def rules(self) -> Path:
        return RULES / self.folder / "rules.yaml"

    @property
    def document(self) -> Path:
        return ROOT / "docs" / f"coverage-{self.folder.replace('_', '-')}.md"


def _books() -> Iterator[Book]:
    """Yield the book of every folder of rules that has one, in alphabetical order of the folders."""
    titles = tomllib.loads((RULES / "periods/periods.toml").read_text("utf-8"))
    for rules in sorted(RULES.glob("*/rules.yaml")):
        folder = rules.parent.name
        prefix = re.findall(r"^- {id: ([A-Z]+)-", rules.read_text("utf-8"), re.MULTILINE)[0]
        about = titles.get(folder.replace("_", "-"), {})
        family = not any((RULES / folder / name).is_file() for name in ("rule_set.py", "module.py"))
        title = about.get("title", f"{'the ' * family}{folder.replace('_', ' ')}".capitalize())
        yield Book(prefix, folder, title, HELD.get(folder, ("measures", "play")))


BOOKS = tuple(_books())
#: Files that may name rules.
TEXTS = (".py", ".toml", ".yaml", ".md", ".jsonl")
_ANY_PREFIX = "|".join(book.prefix for book in BOOKS)
ID = re.compile(rf"\b((?:(?:{_ANY_PREFIX})-)?[A-Z]{{2,3}}-)(\d{{2}})([a-d]?)(?:\.\.(\d{{2}})?([a-d])?)?")


@dataclass(frozen=True)
class Row:
    """One rule with its functions, tests and proof."""

    id: str
    part: str
    says: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    held: tuple[str, ...] = ("measures",)
    proof: Proof | None = None

    @property
    def lacks(self) -> list[str]:
        """What is missing, if the rule must be traced."""
        if self.part not in self.held:
            return []
        return [word for word, names in (("a function", self.functions), ("a test", self.tests)) if not names]


#: An example in a docstring: a rule id in it is not evidence about the function.
EXAMPLE = re.compile(r'^ *>>> .*\n(?:(?! *(?:"""|$)).*\n)*', re.MULTILINE)

_PREFIXES = tuple(f"{book.prefix}-" for book in BOOKS)


def _names_a_rule(text: str) -> bool:
    return any(prefix in text for prefix in _PREFIXES)


def ids_in(text: str, inside: bool = True) -> Iterator[str]:
    """Yield every rule id named in ``text``, with runs expanded; if ``inside`` is False, only the ends of runs."""
    if not _names_a_rule(text):
        return
    for family, number, letter, last, last_letter in ID.findall(text):
        if not family.startswith(_PREFIXES):
            continue
        if last:
            step = 1 if inside else max(1, int(last) - int(number))
            yield from (f"{family}{n:02d}" for n in range(int(number), int(last) + 1, step))
        elif letter and last_letter:
            yield from (f"{family}{number}{chr(c)}" for c in range(ord(letter), ord(last_letter) + 1))
        else:
            yield f"{family}{number}{letter}"
    for family, tail in re.findall(
        rf"\b((?:{_ANY_PREFIX})-[A-Z]{{2,3}})-\d{{2}}[a-d]?((?:,\s*-?\d{{2}}[a-d]?\b)+)", text
    ):
        yield from (f"{family}-{n}" for n in re.findall(r"\d{2}[a-d]?", tail))


@cache
def traced(folder: Path, suffixes: tuple[str, ...]) -> dict[str, set[str]]:
    """Return, for each rule id named under ``folder``, the places that name it."""
    places_of: dict[str, set[str]] = defaultdict(set)
    passed_over = (ITS_TEST, *(book.rules for book in BOOKS), *RULES.glob("*/cites.toml"))
    for path in sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p not in passed_over):
        text, name = path.read_text("utf-8"), path.relative_to(ROOT).as_posix()
        if not _names_a_rule(text):
            continue
        places = _python_places(text) if path.suffix == ".py" else [("", text)]
        for where, passage in places:
            for rule in ids_in(EXAMPLE.sub("", passage)):
                places_of[rule].add(f"{name}:{where}" if where else name)
    return places_of


def _python_places(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, source) of every top-level function, method and class, and of the lines between them."""
    tree, lines = ast.parse(text), text.splitlines()
    taken: set[int] = set()
    for node in _definitions(tree):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        span = range(first - 1, node.end_lineno or first)
        taken.update(span)
        yield node.name, "\n".join(lines[i] for i in span)
    yield "", "\n".join(line for i, line in enumerate(lines) if i not in taken)


def _definitions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield every function and class under a node, looking at statements only."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        inner = getattr(node, name, None)
        for child in inner if isinstance(inner, list) else ():  # a lambda's body is not a list
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield child
            yield from _definitions(child)


@cache
def declared(book: Book) -> Sequence[dict[str, str]]:
    """Return every rule of a book as its ``rules.yaml`` states it: ``id``, ``part`` and ``says``."""
    return list(YAML(typ="safe").load(book.rules.read_text("utf-8")))


@cache
def rows(book: Book) -> Sequence[Row]:
    """Return every rule of a book with its functions and tests, cached."""
    behind = traced(ROOT / "tabletop", (".py", ".toml"))
    tests = traced(ROOT / "tests", (".py",))
    proofs = recorded()
    table = []
    for rule in declared(book):
        same = also(book).get(rule["id"], ())
        functions = behind[rule["id"]].union(*(_of_family(behind[cited]) for cited in same))
        held = tests[rule["id"]].union(*(tests[cited] for cited in same))
        table.append(_row(rule, book, functions, held, proofs.get(rule["id"])))
    return table


def _of_family(places: set[str]) -> set[str]:
    return {place for place in places if place.startswith("tabletop/rules/ages/")}


@cache
def also(book: Book) -> dict[str, set[str]]:
    """Return, for each rule of a book, the rules of another after which the functions of its family are named."""
    cited_by: dict[str, set[str]] = defaultdict(set)
    for table in sorted(RULES.glob("*/cites.toml")):
        for cited, own in tomllib.loads(table.read_text("utf-8")).items():
            if own.startswith(f"{book.prefix}-"):
                cited_by[own].add(cited)
    return cited_by


def _row(rule: dict[str, str], book: Book, behind: set[str], tests: set[str], proof: Proof | None) -> Row:
    functions, named = _sorted(is_function, behind), _sorted(is_test, tests)
    stands = proof if proof is not None and proof.stands(functions, named) else None
    return Row(rule["id"], rule["part"], rule["says"], functions, named, book.held, stands)


@cache
def rules_named() -> dict[str, set[str]]:
    """Return the rules that every function, class and data file of the product names, by place."""
    named: dict[str, set[str]] = defaultdict(set)
    for rule, places in traced(ROOT / "tabletop", (".py", ".toml")).items():
        for place in places:
            named[place].add(rule)
    return named


def _sorted(kept: Callable[[str], bool], places: set[str]) -> tuple[str, ...]:
    return tuple(sorted(filter(kept, places)))


def is_function(place: str) -> bool:
    """Return whether a place is a function or class of the product, or a data file."""
    return ":" in place or place.endswith(".toml")


def is_test(place: str) -> bool:
    """Return whether a place is a test function of a file of tests."""
    return ":test_" in place and "/test_" in place


def misnamed(folders: Iterable[Path]) -> list[str]:
    """Return every id written under ``folders`` that no rule has, with the file that has it."""
    known = {row.id for book in BOOKS for row in rows(book)}
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in TEXTS)
    spelled = ((path, rule) for path in files for rule in ids_in(path.read_text("utf-8"), inside=False))
    return sorted({f"{path.relative_to(ROOT).as_posix()}: {rule}" for path, rule in spelled if rule not in known})


def document(found: Sequence[Row], book: Book) -> str:
    """Return the coverage document of a book."""
    measured = [row for row in found if row.part in book.held]
    held = [row for row in measured if not row.lacks]
    proved = [row for row in measured if row.proof]
    lines = [
        f"# {book.title}: rule by rule",
        "",
        f"Made by `python -m tools.coverage` from `{book.rules.relative_to(ROOT).as_posix()}`. "
        f"{len(found)} rules; {len(measured)} of them {_does(book)}, "
        f"and {len(held)} of these have a function and a test.",
        "",
    ]
    count = {part: sum(row.part == part for row in found) for part in PARTS}
    lines += [f"- *{part}*: {PARTS[part]}: {number}" for part, number in count.items()]
    lines += [
        "",
        f"Proved by a mutant (with one change in a function of the rule, the test named fails): {len(proved)}; "
        f"open: {len(measured) - len(proved)}. `python -m tools.coverage_proof` looks for them and runs them again.",
    ]
    lines += ["", "| rule | says | part | function | test | proved by |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row.id} | {row.says} | {row.part} | {_short(row.functions)} | {_short(row.tests)} | {_proved(row)} |"
        for row in found
    ]
    return "\n".join(lines) + "\n"


def _proved(row: Row) -> str:
    """Return the change that a test of the rule notices, and the test."""
    if row.proof is None:
        return "open" if row.part in row.held else ""
    change = f"{row.proof.was} → {row.proof.now}".replace("|", "\\|")
    return f"`{row.proof.where}`: `{change}`<br>`{row.proof.test.split('::')[-1].split('[')[0]}`"


def _does(book: Book) -> str:
    return "measure" if book.held == ("measures",) else "measure or are played"


def _short(places: tuple[str, ...]) -> str:
    """Return up to three places, functions before whole files, and how many more there are."""
    best = sorted(places, key=lambda place: (":" not in place, place))
    more = f" +{len(best) - 3}" if len(best) > 3 else ""
    return "<br>".join(f"`{place.removeprefix('tabletop/')}`" for place in best[:3]) + more


def main() -> int:
    rows_of = {book: rows(book) for book in BOOKS}
    if "--check" in sys.argv:
        every = (row for table in rows_of.values() for row in table)
        faults = [f"{row.id} lacks {' and '.join(row.lacks)}: {row.says}" for row in every if row.lacks]
        print("\n".join(faults) or "every rule that must be traced has a function and a test")
        unproved = [row.id for table in rows_of.values() for row in table if row.part in row.held and row.proof is None]
        print(
            f"no mutant proves {len(unproved)} of them: {', '.join(unproved)}" if unproved else "mutants prove them all"
        )
        return 1 if faults else 0
    for book, table in rows_of.items():
        book.document.write_text(document(table, book), "utf-8")
        print(f"wrote {book.document.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
