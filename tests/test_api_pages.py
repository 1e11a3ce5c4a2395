"""The public names: every one has an example that runs by itself, and the pages about them are of today."""

from __future__ import annotations

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop import geometry
from tools import api_pages, house

NAMES = [(package, name) for package in (tabletop, geometry) for name in package.__all__]


@pytest.mark.parametrize("page", api_pages.PAGES, ids=lambda page: page.file)
def test_pages_are_of_today(page: api_pages.Page) -> None:
    """Else: python -m tools.api_pages."""
    assert (api_pages.FOLDER / page.file).read_text("utf-8") == api_pages.written(page)


@pytest.mark.parametrize("page", api_pages.PAGES, ids=lambda page: page.file)
def test_every_public_name_is_on_its_page_once(page: api_pages.Page) -> None:
    assert sorted(" ".join(page.topics.values()).split()) == sorted(page.package.__all__)


@pytest.mark.parametrize(("package", "name"), NAMES, ids=[f"{package.__name__}.{name}" for package, name in NAMES])
def test_every_public_name_has_an_example_that_runs_by_itself(package: Any, name: str) -> None:
    """With nothing imported but what the example imports."""
    text = inspect.getdoc(getattr(package, name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert example.examples
    said: list[str] = []
    assert not doctest.DocTestRunner().run(example, out=said.append).failed, "".join(said)


def test_type_checkers_see_the_names_of_the_geometry_that_are_loaded() -> None:
    """The names are stated three times: for users, for type checkers, and for loading each when it is first used."""
    body = ast.parse(Path(geometry.__file__).read_text("utf-8")).body
    block = next(node for node in body if isinstance(node, ast.If))
    seen = {
        alias.asname: f"{node.module}.{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module != "typing"
        for alias in node.names
    }
    assert sorted(geometry.__all__) == sorted(map(str, seen))
    for name, place in seen.items():
        module, _, own = place.rpartition(".")
        assert getattr(geometry, str(name)) is getattr(sys.modules[module], own)


def test_no_public_name_is_that_of_a_module() -> None:
    """A module becomes an attribute of its package when it is loaded: what the name means would depend on that."""
    for package in (tabletop, geometry):
        modules = {name.rpartition(".")[2] for name in house.modules() if name.rpartition(".")[0] == package.__name__}
        assert not modules & set(package.__all__)


def test_importing_the_packages_loads_no_more_than_their_front_doors() -> None:
    """What a cold judge does not need is not loaded for it."""
    code = (
        "import sys, tabletop.geometry; print(*sorted(m for m in sys.modules if m.startswith(('tabletop', 'numpy'))))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=house.ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["tabletop", "tabletop.geometry", "tabletop.version"]


def test_a_name_that_is_not_public_is_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sights'"):
        _ = geometry.sights
