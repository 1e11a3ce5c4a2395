"""The boundary between rule sets and the rest: no code outside ``rules`` speaks one rule set's language.

``tests/boundary_words.toml`` lists the words that mean something else outside, what, and the files in which they do,
as literals of their own and as words of longer texts.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from tabletop.geometry.terrain import presets
from tabletop.rules import rule_set
from tabletop.rules.asked import USUAL
from tabletop.rules.common import modules
from tabletop.rules.periods import period_of
from tabletop.rules.traits import TERRAIN, UNIT, traits_of
from tests.games.golden import path_of
from tests.games.positions import GENERATORS, HOSTS, ROOT, generated, position, scenarios

LISTED = tomllib.loads((ROOT / "tests/boundary_words.toml").read_text("utf-8"))
SEARCHED = (
    "render", "play", "terminal", "judge", "explain.py", "drills", "battle", "commands", "lessons", "demos", "cli.py",
    "interface.py", "doctor.py",
)  # fmt: skip
#: Files whose literals are examples for writers of files, in the words of the rule set they are examples of.
EXAMPLES = ("play/files/faults.py",)
#: Kinds of terrain of one rule set; the others are the file format's, the same for all: drawing them is the renderer's.
OF_ONE = {"sea", "shoal", "land"}
NONE: frozenset[str] = frozenset()
#: A word within a text.
WORD = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z]+)*")


@cache
def vocabulary() -> frozenset[str]:
    """Return the words of every rule set's data.

    They are its troops, formations, states, traits, actions, phases, answers, marks, rulings, options and questions,
    without the questions whose names all rule sets share.
    """
    words: set[str] = set(OF_ONE)
    for record in map(rule_set.find, rule_set.BUILT_IN):
        words.update(*(record.vocabulary.get(key, ()) for key in ("troop", "formation", "status", "quality", "rank")))
        words.update(traits_of(record, UNIT), traits_of(record, TERRAIN))
        words.update(record.on_the_spot, record.rulings, record.options, set(record.questions) - set(USUAL))
        if record.play is not None:
            play = record.play()
            words.update(play.kinds, play.answers, play.phases, play.marks, play.memory)
    return frozenset(words - (set(presets()) - OF_ONE))


def literals(path: Path) -> Iterator[str]:
    """Yield the strings of a module, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    owners = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, owners) and node.body]
    documents = {id(one.value) for one in first if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


def words_in(text: str) -> frozenset[str]:
    """Return the words of rule sets within a text that is more than one of them."""
    return frozenset(word.lower() for word in WORD.findall(text)) & vocabulary() if text not in vocabulary() else NONE


@cache
def found() -> frozenset[tuple[str, str, str]]:
    """Return each word of a rule set that stands outside ``rules``: the word, "files" or "texts", and the file.

    "files" are those where it is a literal, "texts" those where it is a word of a longer one.
    """
    hits: set[tuple[str, str, str]] = set()
    for name in SEARCHED:
        place = ROOT / "tabletop" / name
        for path in (place,) if place.is_file() else sorted(place.rglob("*.py")):
            where = path.relative_to(ROOT / "tabletop").as_posix()
            for text in literals(path) if where not in EXAMPLES else ():
                hits.update((word, "texts", where) for word in words_in(text))
                hits.update([(text, "files", where)] if text in vocabulary() else [])
    return frozenset(hits)


def allows(word: str, what: str, where: str) -> bool:
    """Return whether the list has a word for a file, as a literal ("files") or within texts ("texts")."""
    return any(fnmatch(where, pattern) for pattern in LISTED.get(word, {}).get(what, ()))


def test_no_word_of_a_rule_set_stands_outside_rules() -> None:
    """Else: put it into the rule set's record: an action's label, a question's wording, its looks, ``Play.words``."""
    assert sorted(hit for hit in found() if not allows(*hit)) == []


def test_the_list_is_of_today() -> None:
    """A word that stands in a file no longer is not listed for it, and each says what it means instead."""
    listed = {(w, what, p) for w, row in LISTED.items() for what in ("files", "texts") for p in row.get(what, ())}
    at = {(word, what): [f for w, k, f in found() if (w, k) == (word, what)] for word, what, _ in listed}
    stale = [(w, what, p) for w, what, p in listed if not any(fnmatch(f, p) for f in at[w, what])]
    assert sorted(stale) == [], "these stand there no more; take them out"
    assert all(len(row["means"].split()) > 2 for row in LISTED.values())


def test_a_word_put_outside_is_found(tmp_path: Path) -> None:
    """The search sees literals and the words of longer texts, but no docstrings."""
    module = tmp_path / "module.py"
    module.write_text('"""bombard"""\nx = "bombard"\ny = "We Bombard; bombardment"\nz = "shoals"\n', "utf-8")
    texts = list(literals(module))
    assert [text for text in texts if text in vocabulary()] == ["bombard"]
    assert [sorted(words_in(text)) for text in texts] == [[], ["bombard"], []]
    assert {"light-cavalry", "thin_wood_transparent", "sea", "breakthrough"} <= vocabulary()


#: The battle that was fought, of each rule set that has to come with one.
HISTORICAL = {"destiny": "maida", "reason": "rossbach", "gloire": "schellenberg", "glaube": "luetzen", "sail": "lissa"}


@pytest.mark.parametrize(("name", "battle"), HISTORICAL.items())
def test_a_rule_set_has_its_historical_battle(name: str, battle: str) -> None:
    """Each fact of it known, approximated or invented, and the works it goes back to."""
    text = (ROOT / f"scenarios/{name}/{battle}.yaml").read_text("utf-8")
    assert all(word in text for word in ("Known:", "Approximated:", "credits:"))


def packages() -> dict[str, str]:
    """Return the package of each built-in rule set."""
    return {name: f"tabletop.rules.{name.replace('-', '_')}" for name in rule_set.BUILT_IN}


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_coverage_reads_the_books_of_a_rule_set(name: str) -> None:
    """Each book of its packages is in ``tools/coverage.py``, under its title, and its ids are recognised there."""
    from tools import coverage

    books = {f"tabletop.rules.{book.folder}": book for book in coverage.BOOKS}
    record = rule_set.find(name)
    assert set(record.data_packages) <= set(books), "each has a rules.yaml"
    assert books[packages()[name]].title == record.title
    for package in record.data_packages:
        ids = [str(row["id"]) for row in coverage.declared(books[package])]
        assert ids and all(list(coverage.ids_in(one)) == [one] for one in ids)
        assert {one.split("-")[0] for one in ids} == {books[package].prefix}


def test_the_import_contracts_name_every_rule_set() -> None:
    """A contract in ``pyproject.toml`` that names one rule set names them all, but those it is a contract of."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    everyone, concerned = set(packages().values()), 0
    for contract in contracts:
        named = {*contract.get("forbidden_modules", ()), *contract.get("modules", ())} & everyone
        own = set(contract.get("source_modules", ()))
        assert not named or named == everyone - own, f"{contract['name']}: name {sorted(everyone - own - named)} too"
        concerned += bool(named)
    assert concerned == 4


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_a_rule_set_has_everything(name: str) -> None:
    """A book, two scenarios, a golden battle of each, disputes, a guide, and positions for random games."""
    from tabletop.rules.cards import _rows, _titles

    assert _rows(name) and _titles(name)
    own = [scenario for scenario in scenarios() if Path(scenario).parent.name == name]
    assert len(own) >= 2 and all(path_of(scenario).is_file() for scenario in own)
    assert any((ROOT / f"scenarios/{name}/disputes").glob("*.yaml"))
    assert (ROOT / f"docs/{period_of(name).guide}.md").is_file()
    assert name in GENERATORS


@pytest.mark.parametrize("name", modules.BUILT_IN)
def test_a_module_has_everything(name: str) -> None:
    """A book, a scenario that switches it on, a golden battle of each, worked cases, a guide, and random games.

    It has positions for these in every rule set that takes its options, and its book is read for the coverage.
    """
    from tools import coverage

    module = next(one for one in modules.attached() if one.name == name)
    book = next(book for book in coverage.BOOKS if f"tabletop.rules.{book.folder}" == module.package)
    ids = {str(row["id"]) for row in coverage.declared(book)}
    own = {key: option for key, option in modules.options().items() if option.rule in ids}
    assert ids and own and book.title == module.title
    on = [scenario for scenario in scenarios() if module.counts(position(scenario))]
    assert on and all(path_of(scenario).is_file() for scenario in on)
    assert (ROOT / f"docs/{name}.md").is_file() and (ROOT / f"docs/coverage-{name}.md").is_file()
    assert (ROOT / f"tests/cases/{name}.jsonl").read_text("utf-8").count(f'"case": "{book.prefix}-') >= 10
    takes_it = [rules for rules in rule_set.BUILT_IN if own.keys() <= rule_set.find(rules).options.keys()]
    assert takes_it and set(takes_it) <= set(HOSTS)
    for rules in takes_it:
        assert any(module.counts(generated(rules, number)) for number in range(9)), f"no random game of {rules} has it"
