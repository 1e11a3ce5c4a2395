"""Anyone can publish a rule set: the one of the guide is installed in a folder of its own, and played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

from tabletop.errors import Broken
from tabletop.rules.periods import period_of
from tabletop.rules.published import loaded
from tabletop.rules.rule_set import BUILT_IN, RuleSet, find
from tests.games.positions import ROOT
from tests.published import PAGE, described, put, written


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package of the guide as an installer leaves it: modules beside their description."""
    folder = written(tmp_path_factory.mktemp("site"))
    described(folder, "push-of-pike", "push_of_pike.rule_set:RULES")
    return folder


@pytest.fixture
def with_broken(installed: Path, tmp_path: Path) -> Path:
    """Return a folder with a second published rule set, which cannot be loaded."""
    described(tmp_path, "torn-book", "torn_book.rule_set:RULES")
    (tmp_path / "torn_book").mkdir()
    (tmp_path / "torn_book/__init__.py").write_text("raise RuntimeError('a page is missing')\n", "utf-8")
    return tmp_path


def test_it_is_checked_judged_and_played(installed: Path) -> None:
    scene = str(installed / "push_of_pike/scenarios/two-blocks.yaml")
    checked = put(installed, "-m", "tabletop", "check", scene)
    assert (checked.returncode, checked.stderr) == (0, "")
    judged = put(installed, "-m", "tabletop", "judge", scene, "assault", "swiss", "landsknechts")
    assert judged.returncode == 1 and "POP-PSH-01" in judged.stdout and "Margin" in judged.stdout
    for seed in ("1", "2", "3"):
        played = put(installed, "-m", "tabletop", "run", scene, "--players", "greedy,random", "--seed", seed)
        assert played.returncode == 0 and played.stderr == "", played.stderr
        assert "won" in played.stdout or "drawn" in played.stdout.lower(), played.stdout


def test_it_is_as_short_as_the_guide_says() -> None:
    """The example of the guide is at most 154 lines of Python, blank lines left out."""
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert sum(bool(line.strip()) for block in blocks for line in block.splitlines()) <= 154


def test_pip_installs_it(tmp_path: Path) -> None:
    """``pip install`` of the guide's package into a folder, without an index, brings its battle along."""
    if find_spec("pip") is None or not _builds():
        pytest.skip("pip and setuptools of 70.1 or newer (or wheel) are needed to build a package")
    source, site = written(tmp_path / "source"), tmp_path / "site"
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    pip = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "-t", str(site), str(source)], capture_output=True, text=True
    )
    assert pip.returncode == 0, pip.stderr
    played = put(site, "-m", "tabletop", "run", "two-blocks", "--players", "greedy,greedy", "--seed", "1")
    assert played.returncode == 0 and "won" in played.stdout, played.stderr


def _builds() -> bool:
    """Return whether setuptools can build a wheel: since 70.1 by itself, before that with the package wheel."""
    try:
        numbers = tuple(int(part) for part in version("setuptools").split(".")[:2])
    except PackageNotFoundError:
        return False
    return numbers >= (70, 1) or find_spec("wheel") is not None


def test_its_battles_are_listed_and_found_by_name_without_importing_it(installed: Path) -> None:
    """The battle in its package is on the start screen and in the list of examples, under the title it gives."""
    code = (
        "import sys; from pathlib import Path; from tabletop.play.files import bundled, installed;"
        "from tabletop.play.saves import library; from tabletop.rules.periods import period_of;"
        "paths = [p for p in library.installed_battles().paths if p.stem == 'two-blocks'];"
        "assert [installed.rules_of(p) for p in paths] == ['push-of-pike'], paths;"
        "assert library.installed_battles().paths[-1] == paths[0];"
        "assert bundled.named('two-blocks') == paths[0];"
        "assert period_of('push-of-pike').title == 'Push of Pike';"
        "from tabletop.play.workshop.sources import ours; assert ours(paths[0]);"
        "assert not [name for name in sys.modules if name.startswith('push_of_pike')]; print('not imported')"
    )
    asked = put(installed, "-c", code)
    assert asked.stdout.splitlines()[-1:] == ["not imported"], asked.stderr
    listed = put(installed, "-m", "tabletop", "examples").stdout
    battles = listed.partition("Battles")[2].partition("Disputed positions")[0]
    assert re.search(r"two-blocks +Two blocks", battles), listed
    judged = put(installed, "-m", "tabletop", "judge", "two-blocks", "assault", "swiss", "landsknechts", "--no-margin")
    assert judged.returncode == 1 and "landsknechts is not in contact: 6.00 in away" in judged.stdout, judged.stderr


def test_its_refusals_at_the_prompt_read_as_sentences(installed: Path) -> None:
    """What may not be done is said as it is, with its cure, and a turn without phases names none."""
    lines = "advance swiss\nadvance swiss distance 9\npush swiss landsknechts\nadvance swiss distance 2\nquit\n"
    path = os.pathsep.join([str(ROOT), str(installed)])
    environment = {**os.environ, "PYTHONPATH": path, "TABLETOP_PLAIN": "1", "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run(
        [sys.executable, "-m", "tabletop", "play", "two-blocks", "--text", "--seed", "1"],
        input=lines, env=environment, cwd=installed.parent, capture_output=True, text=True, encoding="utf-8",
    ).stdout  # fmt: skip
    for text in (
        "say how far, such as 'distance 2' [POP-MOV-01]", "it would go 9 in, 4 at most [POP-MOV-01]",
        "landsknechts is not in contact", "Turn 1. Red. 'done': end the turn",
    ):  # fmt: skip
        assert text in told, told


def test_its_broken_blocks_change_their_arms_leave_and_come_back(installed: Path, tmp_path: Path) -> None:
    """At the prompt: told, listed as off the table and not as lost, back two turns later; what has acted is timed."""
    scene = tmp_path / "near.yaml"
    text = (installed / "push_of_pike/scenarios/two-blocks.yaml").read_text("utf-8")
    for old, new in (("bases: 5", "bases: 2"), ("bases: 4", "bases: 2"), ("[12, 5]", "[9, 8]"), ("[12, 12]", "[9, 9]")):
        text = text.replace(old, new)
    scene.write_text(text, "utf-8")
    lines = "push swiss land\nwho all\nlosses\nlandsknechts\ndone\nadvance swiss distance 1\nswiss\ndone\ndone\ndone\n"
    lines += "done\nlandsknechts\nlog\nquit\n"
    path = os.pathsep.join([str(ROOT), str(installed)])
    environment = {**os.environ, "PYTHONPATH": path, "TABLETOP_PLAIN": "1", "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run(
        [sys.executable, "-m", "tabletop", "play", str(scene), "--text", "--seed", "1", "--dice", "6,1"],
        input=lines, env=environment, cwd=installed.parent, capture_output=True, text=True, encoding="utf-8",
    ).stdout  # fmt: skip
    told = " ".join(told.split())
    for words in (
        "landsknechts changed: now swords (pikes thrown away). "
        "landsknechts left the table (broken) and may come back from turn 3 on.",
        "has acted (to the end of Red's turn 1)", "Blue: 1 unit, 2 bases, 1 off the table.",
        "landsknechts (blue): may come back from turn 3 on", "landsknechts: swords, 2 bases, block off the table",
        "swiss is not to act now [POP-SEQ-01]", "Turn 3 landsknechts came on to the table.",
        "landsknechts: swords, 2 bases, block at 9.0,17.5, facing S",
    ):  # fmt: skip
        assert words in told, (words, told)


def test_its_games_are_saved_reported_and_verified(installed: Path, tmp_path: Path) -> None:
    """Whoever breaks is not lost before he is cut off; the saved game comes out as it was played."""
    scene, game = installed / "push_of_pike/scenarios/two-blocks.yaml", str(tmp_path / "game.jsonl")
    words = ("-m", "tabletop", "run", str(scene), "--players", "greedy,greedy", "--seed", "4", "--save", game)
    assert put(installed, *words).returncode == 0
    kinds = re.findall(r'"event": "(\w+)"', Path(game).read_text("utf-8"))
    assert {"converted", "left", "lost", "removed"} <= set(kinds) and kinds.index("left") < kinds.index("removed")
    report = put(installed, "-m", "tabletop", "report", game).stdout
    before, _, after = report.partition("landsknechts does not come back: cut off.")
    assert "Blue had lost 2 bases." in before and "whole unit" not in before
    assert "Blue had lost 4 bases, 1 whole unit." in after and after.rstrip().endswith("no enemy stands any more.")
    verified = put(installed, "-m", "tabletop", "verify", game)
    assert verified.returncode == 0 and verified.stdout.startswith("Verified: all"), verified.stdout


def test_its_rule_cards_have_their_sections(installed: Path) -> None:
    """Whoever follows the guide has the file of sections that a rule card reads."""
    code = "from tabletop.rules.cards import rule_card; print(rule_card('push-of-pike', 'POP-MOV-01').sections)"
    assert put(installed, "-c", code).stdout == "('1, the turn',)\n"


def test_a_word_of_a_published_rule_set_is_refused_by_naming_it(installed: Path, tmp_path: Path) -> None:
    """Pikes under other rules: the fault says whose troops they are."""
    scene = tmp_path / "scene.yaml"
    text = (installed / "push_of_pike/scenarios/two-blocks.yaml").read_text("utf-8")
    scene.write_text(text.replace("rules: push-of-pike", "rules: tse"), "utf-8")
    checked = put(installed, "-m", "tabletop", "check", str(scene))
    assert checked.returncode == 2 and "('pikes' is a troop of Push of Pike)" in checked.stderr


def test_a_broken_rule_set_breaks_no_page(installed: Path, with_broken: Path) -> None:
    """One that cannot be loaded is left out and named once; the pages that list rule sets are shown all the same."""
    code = (
        "from tabletop.play.files.models import _vocabulary; assert 'pikes' in _vocabulary('troop');"
        "from tabletop.play.files.schema import schemas; assert 'scene.push-of-pike' in schemas();"
        "from tabletop.render.game_app.screen import calculator, offered; calculator(); assert 'tse' in offered();"
        "print('shown')"
    )
    asked = put(installed, "-c", code, beside=with_broken)
    assert asked.stdout == "shown\n", asked.stderr
    assert asked.stderr.count("torn-book") == 1 and "a page is missing" in asked.stderr
    judged = put(installed, "-m", "tabletop", "judge", "starter", "distance", "arnaud", "auer", beside=with_broken)
    assert judged.returncode == 0 and judged.stderr == ""


def test_the_doctor_names_a_rule_set_that_cannot_be_loaded(installed: Path, with_broken: Path) -> None:
    """Of two published rule sets one is in order; the other is named with its fault and the cure."""
    told = put(installed, "-m", "tabletop", "doctor", beside=with_broken)
    assert "ok   rule set push-of-pike: can be loaded" in told.stdout
    assert re.search(r"ILL  rule set torn-book: .*a page is missing\n     cure: ask its author", told.stdout)
    assert told.returncode == 2


def test_the_titles_are_those_of_the_records() -> None:
    """Titles are known without importing a rule set, and are the same as its own."""
    assert {name: period_of(name).title for name in BUILT_IN} == {name: find(name).title for name in BUILT_IN}


def test_a_new_table_lists_rule_sets_without_importing_them(installed: Path, with_broken: Path) -> None:
    """The page for a new table shows titles alone; choosing the broken one is answered by a line."""
    code = (
        "import sys; from types import SimpleNamespace as Any; from tabletop.render.judge import pages, panel_words;"
        "from tabletop.render.judge.controller import JudgeController;"
        "from tabletop.play.files.draft import empty;"
        "screen = Any(controller=Any(draft=empty('tse', 40.0, 30.0), building=False, note='',"
        " battle=Any(rulings={})), new={'rules': 'torn-book', 'width': '40', 'height': '30', 'unit': 'in'});"
        "rows = pages._table(screen.controller, screen.new);"
        "titles = [title for _, title in rows[1].options]; assert titles[-2:] == ['Push of Pike', 'Torn book'], titles;"
        "loaded = [n for n in sys.modules if n.startswith(('push_of_pike', 'tabletop.rules.destiny'))];"
        "assert not loaded, loaded;"
        "panel_words.new(screen, '', None); assert 'cannot be loaded' in screen.controller.note;"
        "screen.controller.draft = empty('push-of-pike', 40.0, 30.0);"
        "assert len(pages._table(screen.controller, screen.new)) == len(rows) - 3; print('listed')"
    )
    asked = put(installed, "-c", code, beside=with_broken)
    assert asked.stdout == "listed\n", asked.stderr


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
            loaded("mine", place, RuleSet, ("rule set", "RULES"))
        assert "\n" not in str(caught.value) and "uninstall it" in str(caught.value)
