"""The public Python interface: every stable name with an example that runs, light to import, clear when it refuses."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
import xml.etree.ElementTree as Tree
from importlib import import_module
from pathlib import Path

import pytest

import tabletop
from tabletop import interface
from tabletop.errors import BadQuestion, Unreadable
from tabletop.judge import judge
from tabletop.play.files.load import load_scene

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "python.md"


@pytest.fixture(scope="module")
def table() -> tabletop.Table:
    return tabletop.load("level-shadow")


@pytest.fixture(scope="module")
def verdict(table: tabletop.Table) -> tabletop.Verdict:
    return table.judge("los", "low-guns", "middle", margin=True)


@pytest.mark.parametrize("name", tabletop.__all__)
def test_every_stable_name_has_an_example_that_runs(name: str) -> None:
    found = getattr(tabletop, name)
    examples = doctest.DocTestFinder(recurse=False).find(found, name, import_module(found.__module__))
    assert examples and examples[0].examples, f"{name} has no example"
    runner = doctest.DocTestRunner()
    for example in examples:
        assert not runner.run(example).failed


def test_the_examples_of_the_guide_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = doctest.DocTestParser().get_doctest(GUIDE.read_text("utf-8"), {}, GUIDE.name, str(GUIDE), 0)
    assert len(told.examples) > 15
    assert not doctest.DocTestRunner().run(told).failed
    assert (tmp_path / "proof.pdf").read_bytes().startswith(b"%PDF")


def test_the_guide_names_every_stable_name() -> None:
    words = GUIDE.read_text("utf-8")
    assert all(f"`{name}`" in words or f"tabletop.{name}" in words for name in tabletop.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys, tabletop; print([m for m in sys.modules if m.split('.')[0] in "
    code += "('numpy', 'shapely', 'pygame', 'pydantic', 'typer', 'reportlab', 'typing') or m.startswith('tabletop.') "
    code += "and m != 'tabletop.version'])"
    out = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_package_is_typed_and_says_what_is_in_it() -> None:
    assert (ROOT / "tabletop" / "py.typed").is_file()
    assert set(tabletop.__all__) <= set(dir(tabletop))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tabletop.nothing  # noqa: B018
    assert set(interface.__all__) <= set(tabletop.__all__)


def test_a_verdict_is_that_of_the_judge(verdict: tabletop.Verdict) -> None:
    battle = load_scene("level-shadow")
    wanted = judge(battle, "los", ("low-guns", "middle"), {"margin": True})
    assert (verdict.holds, verdict.margin, verdict.reasons) == (wanted.holds, wanted.margin, wanted.because)
    assert verdict.as_json() == json.loads(json.dumps(wanted.as_json(), default=lambda value: value.item()))
    assert not verdict and str(verdict) == verdict.text


def test_a_notebook_shows_the_proof_and_the_table(table: tabletop.Table, verdict: tabletop.Verdict) -> None:
    for shown in (verdict, verdict.diagram(), table, table.diagram()):
        assert Tree.fromstring(shown._repr_svg_()).tag.endswith("svg")
    assert "shadow of Wood" in verdict._repr_svg_()
    assert repr(verdict) == "<Verdict los low-guns middle: no>"


@pytest.mark.usefixtures("few_placements")
def test_options_are_those_of_the_command_line(table: tabletop.Table) -> None:
    certain = table.judge("los", "low-guns", "middle", error=(0.125, 2)).certainty
    assert certain is not None and certain.placements == 20
    read = table.judge("los", "low-guns", "middle", rulings={"thin_wood_transparent": True})
    assert read.holds


@pytest.mark.parametrize(
    ("words", "options", "says"),
    [
        (("lso", "low-guns", "middle"), {}, "did you mean 'los'"),
        (("los", "low-guns", "midle"), {}, "did you mean 'middle'"),
        (("los", "low-guns", 3), {}, "named by words, not int"),
        ((None,), {}, "named by words"),
        (("move", "low-guns"), {"too": (1, 2)}, "did you mean 'to'"),
        (("move", "low-guns"), {"to": (1, float("nan"))}, "out of bounds"),
        (("los", "low-guns", "middle"), {"margin": "yes"}, "must be true or false"),
        (("los", "low-guns", "middle"), {"rulings": {"thin": True}}, "thin"),
    ],
)
def test_a_question_that_cannot_be_put_is_refused_in_one_line(
    table: tabletop.Table, words: tuple[str, ...], options: dict[str, object], says: str
) -> None:
    with pytest.raises(BadQuestion, match=says) as refused:
        table.judge(*words, **options)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_what_is_no_table_is_refused(tmp_path: Path, table: tabletop.Table) -> None:
    with pytest.raises(Unreadable, match="did you mean 'level-shadow'"):
        tabletop.load("levl-shadow")
    with pytest.raises(BadQuestion, match="not int"):
        tabletop.load(3)  # type: ignore[arg-type]
    with pytest.raises(BadQuestion, match="only a saved game has moments"):
        tabletop.load({"format": "tabletop-scene/1"}, at=3)
    with pytest.raises(BadQuestion, match="only a saved game has moments"):
        tabletop.load("level-shadow", at=3)
    with pytest.raises(BadQuestion, match=r"\.svg, \.png, \.pdf"):
        table.diagram().save(tmp_path / "x.doc")
    with pytest.raises(BadQuestion, match="out of bounds"):
        table.moved("low-guns", east=float("inf"))


def test_a_table_never_changes(table: tabletop.Table) -> None:
    before = table.position("low-guns")
    turned = table.moved("low-guns", east=1, north=2, turn=30)
    assert turned.position("low-guns") == (before[0] + 1, before[1] + 2, before[2] + 30)
    assert table.position("low-guns") == before
