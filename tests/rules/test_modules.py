"""Modules attach to rule sets by a record: Sauve qui peut, one made here, and that of the guide as a package."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Ended, Told
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.errors import Broken
from tabletop.play.engine import begin, play_of
from tabletop.rules.ages.morale.crisis import HOST
from tabletop.rules.ages.turn.sequence import done
from tabletop.rules.common import base_losses, crisis, modules
from tabletop.rules.common.crisis import Book, Host, Levels
from tabletop.rules.common.modules import Module
from tabletop.rules.realm_of_chance import victory
from tests import destiny, realm
from tests.ages import Builder, Numbers, action
from tests.games.positions import ROOT
from tests.loaded import scenario
from tests.published import described, put
from tools import house

HOSTS: dict[str, Builder] = {"destiny": destiny.BUILDER, "realm-of-chance": realm.BUILDER}


def scene(host: str, phase: str = "combat", lost: int = 0) -> Battle:
    builder = HOSTS[host]
    units = (builder.unit("a", at=[300, 300]), builder.unit("e", "red", at=[500, 700]))
    return replace(builder.battle(*units, phase=phase), memory={"army:blue": 20, "lost:blue": lost, "army:red": 20})


class Recorder:
    """A toy module that writes down when it is called, and answers as it is told."""

    def __init__(self, stands_in: bool = False, ends: bool = False) -> None:
        self.calls: list[str] = []
        self.stands_in, self.ends = stands_in, ends

    def called(self, what: str, answer: bool) -> Callable[..., bool]:
        def call(*_: Any) -> bool:
            self.calls.append(what)
            return answer

        return call

    @property
    def module(self) -> Module:
        def over(unfolding: Unfolding, host: Host) -> bool:
            self.calls.append("over")
            if self.ends:
                unfolding.happen(Ended("red", "army-broken blue"))
            return self.ends

        return Module(
            "toy", "Toy", "toy",
            counts=lambda battle: True, begin=lambda unfolding: self.calls.append("begin"),
            close_the_move=self.called("close", self.stands_in), over=over,
            outlook=lambda battle, side: f"{side} is watched", also_won=lambda battle: ", or by the toy",
            memory=("toy:",),
        )  # fmt: skip


def attach(monkeypatch: pytest.MonkeyPatch, *toys: Module) -> None:
    monkeypatch.setattr(modules, "attached", lambda: toys)


# --- nobody imports one ----------------------------------------------------------------------------------------------


def test_no_rule_set_names_a_module() -> None:
    """Neither by an import, nor by a string that names it; it is found by the name of its folder alone."""
    folder = "tabletop.rules.sauve_qui_peut"
    known = house.modules()
    own = {name for name in known if name == folder or name.startswith(f"{folder}.")}
    assert len(own) == 4
    # Whoever names one has its name in the text; reading all other files would take five seconds.
    near = {name: path for name, path in known.items() if "sauve_qui_peut" in path.read_text("utf-8")}
    assert own - {folder} <= set(near) and len(near) > len(own)
    assert {name for name, path in near.items() if house.imported(name, path, known) & own} - own == set()


def test_every_hook_is_called_at_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first turn once, and at the end of a player turn the crisis before the end of the battle."""
    toy = Recorder()
    attach(monkeypatch, toy.module)
    for name in ("destiny/lancers", "realm-of-chance/drill-ground"):
        toy.calls.clear()
        battle = begin(scenario(name), 1).battle
        assert toy.calls == ["begin"]
        assert play_of(battle).outlook(battle, "french") == "french is watched"
        assert ", or by the toy" in play_of(battle).won(battle, "french")
    for host in HOSTS:
        toy.calls.clear()
        done(Unfolding(scene(host)), action(scene(host), "done"))
        assert toy.calls == ["close", "over"], host


@pytest.mark.parametrize("host", HOSTS)
def test_a_module_may_end_the_battle(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No turn opens after that, and the rule set does not settle the battle again."""
    attach(monkeypatch, Recorder(ends=True).module)
    done(unfolding := Unfolding(scene(host)), action(scene(host), "done"))
    outcome = unfolding.battle.outcome
    assert outcome is not None and (outcome.winner, outcome.how) == ("red", "army-broken blue")
    assert unfolding.battle.clock.side == "blue"


@pytest.mark.parametrize("stands_in", [False, True])
def test_a_module_that_stands_in_leaves_out_the_crisis_of_the_book(
    stands_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AGE-CRI-02: with three of twenty bases lost the Ages throw by their own book, unless a module has done so."""
    attach(monkeypatch, Recorder().module, Recorder(stands_in=stands_in).module, Recorder().module)
    battle = scene("destiny", lost=3)
    done(unfolding := Unfolding(battle, Numbers([999.0])), action(battle, "done"))
    told = [event.rules for event in unfolding.events if isinstance(event, Told) and event.what == "crisis"]
    assert told == ([] if stands_in else [("AGE-CRI-02",)])


def test_losses_are_counted_for_a_module_that_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQP-TST-09: Realm of Chance counts bases only if a module reads them; its points are the same."""
    from tabletop.rules.ages.turn import losses

    for toys, lost in (((), 0), ((Recorder().module,), 2)):
        attach(monkeypatch, *toys)
        unfolding = Unfolding(replace(scene("realm-of-chance"), memory={}))
        losses.report(unfolding, unfolding.battle.unit("a"), "base", 2)
        assert base_losses.lost(unfolding.battle, "blue") == lost
        assert unfolding.battle.scores == {"red": 2 * victory.points()["base"]}


# --- what a host says ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "steady", "battery", "crews_run", "done_to"),
    [
        (500, True, False, True, "shake"),
        (500, False, False, True, "rout"),
        (250, True, False, True, "rout"),
        (251, True, False, True, "shake"),
        (501, True, False, True, ""),
        (100, True, True, True, "abandon"),
        (100, True, True, False, "rout"),
    ],
)
def test_a_crisis_asks_the_host(number: int, steady: bool, battery: bool, crews_run: bool, done_to: str) -> None:
    """SQP-TST-03, SQP-TST-04, SQP-TST-08: any rule set says how its units stand, and does to them what is found."""
    suffered: list[str] = []

    def abandon(unfolding: Unfolding, name: str) -> bool:
        suffered.extend(["abandon"] if battery else [])
        return battery

    host = Host(
        units=lambda battle, side: [battle.unit("a")] if side == "blue" else [],
        routs=lambda unit: False,
        steady=lambda unit: steady,
        rout=lambda unfolding, name: suffered.append("rout"),
        shake=lambda unfolding, name: suffered.append("shake"),
        abandon=abandon,
    )
    book = Book(lambda battle, side: Levels((10,), (500,)), ("SQP-TST-02", "SQP-TST-03"), crews_run)
    crisis.close_the_move(Unfolding(scene("destiny", lost=2), Numbers([float(number)])), host, book)
    assert suffered == ([done_to] if done_to else [])


def test_those_who_rout_do_not_throw() -> None:
    """SQP-TST-08: the host says who routs; nobody is asked then, and no number is thrown."""
    asked: list[str] = []

    def routs(unit: Unit) -> bool:
        asked.append(unit.id)
        return True

    host = replace(HOST, routs=routs)
    book = Book(lambda battle, side: Levels((10,), (500,)), ("SQP-TST-02", "SQP-TST-03"))
    crisis.close_the_move(unfolding := Unfolding(scene("destiny", lost=2)), host, book)
    assert asked == ["a"]
    assert [event.what for event in unfolding.events if isinstance(event, Told)] == ["crisis"]


# --- without any, and with another -----------------------------------------------------------------------------------

WITHOUT = """
from tabletop.rules.common import modules
modules.BUILT_IN = ()
from tabletop.rules import rule_set
from tests.rules.test_modules import *
assert "sauve_qui_peut" not in rule_set.find("destiny").options and modules.attached() == ()
battle = scene("destiny", lost=3)
done(unfolding := Unfolding(battle, Numbers([150.0])), action(battle, "done"))
assert unfolding.unit("a").status == "disrupted", unfolding.unit("a").status
done(unfolding := Unfolding(scene("realm-of-chance")), action(scene("realm-of-chance"), "done"))
print("played")
"""


def test_rule_sets_are_played_without_any_module() -> None:
    """AGE-CRI-03, AGE-CRI-04: the Ages have a crisis of their own, with numbers of their own; 150 of 1000 at 15 %."""
    played = put(ROOT / "tests", "-c", WITHOUT)
    assert (played.stdout, played.stderr) == ("played\n", "")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the module of the guide as an installer leaves it."""
    folder = tmp_path_factory.mktemp("site")
    text = (ROOT / "docs/writing-a-rule-set.md").read_text("utf-8").partition("\n## Modules\n")[2]
    blocks = re.findall(r"^```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    names = ("module.py", "options.toml", "rules.yaml", "sections.toml")
    (folder / "last_straw").mkdir()
    for name, block in zip(("__init__.py", *names), ("", *blocks), strict=True):
        (folder / "last_straw" / name).write_text(block, "utf-8")
    described(folder, "last-straw", "last_straw.module:MODULE", "tabletop.modules")
    return folder


def with_straw(folder: Path, name: str, straw: str) -> str:
    """Write a scenario of the program with the option of the guide's module into a folder, and return its path."""
    text = (ROOT / f"scenarios/{name}.yaml").read_text("utf-8")
    text, changed = re.subn(r"^( *)options: *\{", rf"\g<1>options: {{last_straw: {straw}, ", text, flags=re.MULTILINE)
    assert changed == 1, name
    path = folder / f"{Path(name).name}.yaml"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["destiny/saint-amand", "realm-of-chance/wachau"])
def test_the_module_of_the_guide_attaches_to_rule_sets(name: str, installed: Path, tmp_path: Path) -> None:
    """No rule set knows of it; a scenario switches it on, its briefing says so, and an army reaches its last straw."""
    path = with_straw(tmp_path, name, "{french: 1}")
    checked = put(installed, "-m", "tabletop", "check", path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stderr
    played = put(installed, "-m", "tabletop", "run", path, "--players", "greedy,greedy", "--seed", "1")
    assert played.returncode == 0 and "the French side broke" in " ".join(played.stdout.split()), played.stdout
    code = (
        "import sys; from pathlib import Path; from tabletop.play.files.load import load_scene;"
        "from tabletop.play.briefing import briefing; from tabletop.rules.cards import rule_card;"
        f"battle = load_scene(Path({path!r})); other = battle.setup.other('french');"
        "print(briefing(battle, other).win); print(rule_card(battle.rules, 'LST-END-01').says)"
    )
    told = put(installed, "-c", code).stdout
    assert "or bring it to its last straw" in told and "An army that has lost its last straw" in told


def test_without_the_package_its_option_is_unknown(tmp_path: Path, installed: Path) -> None:
    """And so it is for rules that take no part in modules, and with a value that cannot be; one line each."""
    path = with_straw(tmp_path, "destiny/saint-amand", "30")
    alone = put(ROOT / "tests", "-m", "tabletop", "check", path)
    assert alone.returncode == 2 and "there is no option 'last_straw' in Age of Destiny" in alone.stderr
    Path(path).write_text(Path(path).read_text("utf-8").replace("last_straw: 30", "last_straw: 300"), "utf-8")
    wrong = put(installed, "-m", "tabletop", "check", path)
    assert "option 'last_straw' cannot be 300; it must be a number from 1 to 100" in wrong.stderr
    code = (
        "from tabletop.rules.rule_set import find;"
        "print([name for name in ('tse', 'sail') if 'last_straw' in find(name).options])"
    )
    assert put(installed, "-c", code).stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise RuntimeError('a page is missing')", "RuntimeError: a page is missing"),
        ("MODULE = 3", "is no record Module of that name"),
        (
            "from tabletop.rules.common.modules import Module\nMODULE = Module('torn', 'Torn', 'torn')",
            "FileNotFoundError",
        ),
    ],
)
def test_a_module_that_cannot_be_loaded_is_left_out_and_named(
    text: str, said: str, installed: Path, tmp_path: Path
) -> None:
    """Once, in one line with the cure; the others attach, and the doctor names it too."""
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn/__init__.py").write_text("", "utf-8")
    (tmp_path / "torn/module.py").write_text(f"{text}\n", "utf-8")
    described(tmp_path, "torn", "torn.module:MODULE", "tabletop.modules")
    played = put(installed, "-m", "tabletop", "check", str(ROOT / "scenarios/destiny/lancers.yaml"), beside=tmp_path)
    (line,) = played.stderr.splitlines()
    assert played.returncode == 0 and line.startswith("tabletop: module 'torn' (torn.module:MODULE)")
    assert said in line and line.endswith("; ask its author, or uninstall it")
    doctor = put(installed, "-m", "tabletop", "doctor", beside=tmp_path).stdout
    assert re.search(r"ILL  module torn: .*\n     cure: ask its author", doctor)
    assert "ok   module last-straw: can be loaded" in doctor


def test_a_record_that_cannot_be_had_is_one_clear_line() -> None:
    for place, said in (("no_such_module:MODULE", "ModuleNotFoundError"), ("json:MODULE", "AttributeError")):
        with pytest.raises(Broken, match=said) as caught:
            modules._loaded("mine", place)
        assert "\n" not in str(caught.value)
