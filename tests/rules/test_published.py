"""Anyone can publish a rule set: the one of the guide is installed in a folder of its own, and played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.errors import Broken
from tabletop.rules.rule_set import _of_others
from tests.games.positions import ROOT

PAGE = ROOT / "docs/writing-a-rule-set.md"
FILES = {"toml": ["pyproject.toml"], "python": ["rule_set.py", "game.py"], "yaml": ["rules.yaml", "two-blocks.yaml"]}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package of the guide as an installer leaves it: modules beside their description."""
    folder = tmp_path_factory.mktemp("site")
    package = folder / "push_of_pike"
    package.mkdir()
    text = PAGE.read_text("utf-8")
    for kind, names in FILES.items():
        blocks = re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        assert len(blocks) == len(names), f"the guide has {len(blocks)} blocks of {kind}"
        for name, block in zip(names, blocks, strict=True):
            (folder / name if name in ("pyproject.toml", "two-blocks.yaml") else package / name).write_text(
                block, "utf-8"
            )
    (package / "__init__.py").write_text("", "utf-8")
    (package / "sections.toml").write_text('1 = "1, the turn"\n2 = "2, the push"\n', "utf-8")
    described = folder / "push_of_pike-1.0.dist-info"
    described.mkdir()
    point = re.search(r"^push-of-pike = \"(.*)\"$", text, re.MULTILINE)
    assert point is not None
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: push-of-pike\nVersion: 1.0\n", "utf-8")
    (described / "entry_points.txt").write_text(f"[tabletop.rule_sets]\npush-of-pike = {point[1]}\n", "utf-8")
    return folder


def put(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), str(installed)])
    environment = {**os.environ, "PYTHONPATH": path, "TABLETOP_PLAIN": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *words], env=environment, cwd=installed, capture_output=True, text=True, encoding="utf-8"
    )


def test_it_is_checked_judged_and_played(installed: Path) -> None:
    scene = str(installed / "two-blocks.yaml")
    checked = put(installed, "-m", "tabletop", "check", scene)
    assert (checked.returncode, checked.stderr) == (0, "")
    judged = put(installed, "-m", "tabletop", "judge", scene, "assault", "swiss", "landsknechts")
    assert judged.returncode == 1 and "POP-PSH-01" in judged.stdout and "Margin" in judged.stdout
    for seed in ("1", "2", "3"):
        played = put(installed, "-m", "tabletop", "run", scene, "--players", "greedy,random", "--seed", seed)
        assert played.returncode == 0 and played.stderr == "", played.stderr
        assert "won" in played.stdout or "drawn" in played.stdout.lower(), played.stdout


def test_it_is_not_imported_before_it_is_chosen(installed: Path) -> None:
    """Its name is known at once; neither listing names nor judging by other rules imports it."""
    code = (
        "import sys; from tabletop import cli; from tabletop.rules.rule_set import NAMES;"
        "assert 'push-of-pike' in NAMES;"
        "assert cli.status(['judge', 'starter', 'distance', 'arnaud', 'auer', '--no-margin']) == 0;"
        "assert not [name for name in sys.modules if name.startswith('push_of_pike')]; print('not imported')"
    )
    asked = put(installed, "-c", code)
    assert asked.stdout.splitlines()[-1:] == ["not imported"], asked.stderr


def test_a_record_that_cannot_be_had_is_one_clear_line() -> None:
    for place, said in (
        ("no_such_module:RULES", "ModuleNotFoundError"),
        ("json:RULES", "AttributeError"),
        ("json:loads", "no record RuleSet"),
        ("tabletop.rules.tse.rule_set:RULES", "no record RuleSet of that name"),
    ):
        with pytest.raises(Broken, match=said) as caught:
            _of_others("mine", place)
        assert "\n" not in str(caught.value) and "uninstall it" in str(caught.value)
