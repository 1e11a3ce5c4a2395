"""The boundary between rule sets and the rest: no code outside ``rules`` speaks one rule set's language.

``tests/boundary_words.toml`` lists the words that stand outside as literals: those that are plain English for something
else, with the reason, and how often each of the others does still. Counts may only fall; the aim is none.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tabletop.geometry.terrain import presets
from tabletop.rules import rule_set
from tests.games.golden import path_of
from tests.games.positions import GENERATORS, ROOT, scenarios

LISTED = tomllib.loads((ROOT / "tests/boundary_words.toml").read_text("utf-8"))
SEARCHED = ("render", "play", "terminal", "judge", "explain.py")
#: Kinds of terrain of the file format, the same for all rule sets: drawing them is the renderer's business.
FORMAT = set(presets())


@cache
def vocabulary() -> frozenset[str]:
    """Return every action, formation, troop, status and answer of every rule set."""
    words: set[str] = set()
    for record in map(rule_set.find, rule_set.BUILT_IN):
        words.update(*(record.vocabulary.get(key, ()) for key in ("troop", "formation", "status", "quality", "rank")))
        words.update(record.on_the_spot)
        if record.play is not None:
            play = record.play()
            words.update(play.kinds, play.answers)
    return frozenset(words - FORMAT)


def literals(path: Path) -> Iterator[str]:
    """Yield the strings of a module, docstrings left out."""
    tree = ast.parse(path.read_text("utf-8"))
    owners = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, owners) and node.body]
    documents = {id(one.value) for one in first if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


@cache
def counted() -> Counter[str]:
    """Return how often each word of a rule set stands outside ``rules``."""
    found: Counter[str] = Counter()
    for name in SEARCHED:
        place = ROOT / "tabletop" / name
        for path in (place,) if place.is_file() else sorted(place.rglob("*.py")):
            found.update(text for text in literals(path) if text in vocabulary())
    return found


def test_no_word_of_a_rule_set_is_new_outside_rules() -> None:
    """Else: put it into the rule set's record: an action's label, ``Play.words``, a question's sentence."""
    still, english = LISTED["still"], LISTED["english"]
    assert {word: n for word, n in counted().items() if word not in english and n > still.get(word, 0)} == {}


def test_the_list_is_of_today() -> None:
    """A word that stands outside less often than listed is listed so: nobody may put it back."""
    still = LISTED["still"]
    assert {word: n for word, n in still.items() if counted()[word] < n} == {}, "lower these in boundary_words.toml"
    assert set(LISTED["english"]) <= set(counted()), "these stand nowhere any more; take them out"
    assert all(len(reason.split()) > 2 for reason in LISTED["english"].values())


def test_a_word_put_outside_is_found(tmp_path: Path) -> None:
    """The search sees literals, and neither docstrings nor parts of longer texts."""
    module = tmp_path / "module.py"
    module.write_text('"""bombard"""\nx = "bombard"\ny = "we bombard"\n', "utf-8")
    assert [text for text in literals(module) if text in vocabulary()] == ["bombard"]


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_a_rule_set_has_everything(name: str) -> None:
    """A book, a scenario, a golden battle of each, a guide, and positions for random games."""
    from tabletop.rules.cards import _rows, _titles

    assert _rows(name) and _titles(name)
    own = [scenario for scenario in scenarios() if Path(scenario).parent.name == name]
    assert own and all(path_of(scenario).is_file() for scenario in own)
    guide = {"tse": "playing-at-the-prompt"}.get(name, name)
    assert (ROOT / f"docs/{guide}.md").is_file()
    assert name in GENERATORS
