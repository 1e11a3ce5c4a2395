"""The guides for wargamers: every example in them is read, every command run, every link followed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tabletop import cli
from tabletop.errors import Fault
from tabletop.geometry.terrain import presets
from tabletop.play.files.load import read_file
from tabletop.rules import rule_set
from tabletop.rules.traits import TERRAIN, traits_of
from tools.guide_pictures import PICTURES

ROOT = Path(__file__).parents[1]
GUIDES = ("writing-a-map", "writing-an-army", "writing-a-scenario", "settling-a-dispute", "sail")
#: Guides that show battles of theirs besides.
WITH_BATTLES = ("destiny", "glaube", "gloire", "reason", "sauve-qui-peut")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
#: Round a few rows of an example: a table they fit on.
TABLE = "rules: tse\ntable: {unit: in, width: 48, height: 36}\n"
#: What an example row of terrain has that a unit has not.
SHAPES = ("outline:", "line:", "size:")


@cache
def text(guide: str) -> str:
    return (ROOT / "docs" / f"{guide}.md").read_text("utf-8")


def blocks(kind: str) -> Iterator[tuple[str, str]]:
    for guide in GUIDES:
        for match in BLOCK.finditer(text(guide)):
            if match[1] == kind:
                yield f"{guide}, line {text(guide).count(chr(10), 0, match.start()) + 1}", match[2]


def whole(example: str) -> str:
    """Return an example as a file: as it is, or its rows on a table."""
    if example.startswith("format:"):
        return example
    if example.startswith("fields:"):
        return f"format: tabletop-map/1\ntitle: Example\n{TABLE}{example}"
    key = "terrain" if any(shape in example for shape in SHAPES) else "units"
    rows = "".join(f"  {line}\n" for line in example.splitlines())
    return f"format: tabletop-scene/1\ntitle: Example\n{TABLE}{key}:\n{rows}"


def faults(example: str, folder: Path) -> list[Fault]:
    path = folder / "example.yaml"
    path.write_text(whole(example), "utf-8")
    return read_file(path).faults


YAML = list(blocks("yaml"))
SHOWN = [(where, command) for where, block in blocks("console") for command in block.split("$ ")[1:]]


@pytest.mark.parametrize("example", [e for _, e in YAML], ids=[where for where, _ in YAML])
def test_every_example_is_sound(example: str, tmp_path: Path) -> None:
    assert faults(example, tmp_path) == []


def test_the_examples_are_really_read(tmp_path: Path) -> None:
    """A slip put into each example is found: none of them passes unread."""
    for where, example in YAML:
        key = "crop:" if example.startswith("fields:") else "id:"
        assert faults(example.replace(key, f"un{key}", 1), tmp_path), where


@pytest.mark.parametrize("shown", [s for _, s in SHOWN], ids=[s.splitlines()[0] for _, s in SHOWN])
def test_every_command_runs(
    shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command shown with its answer begins with that answer, however much follows."""
    command, *answer = [line for line in shown.splitlines() if line]
    words = shlex.split(command)
    assert words[0] == "tabletop"
    pictures = [word for word in words if word.endswith((".svg", ".png", ".html"))]
    games = [word for word in words if word.endswith(".jsonl") and "/" not in word]
    words = [str(tmp_path / word) if word in (*pictures, *games) else word for word in words]
    monkeypatch.chdir(ROOT)
    if games and "--save" not in words:
        shown_before = ["run", "scenarios/tse/skirmish.yaml", "--seed", "7", "--turns", "2"]
        assert cli.status([*shown_before, "--save", str(tmp_path / games[0])]) == 0
        capsys.readouterr()
    status = cli.status(words[1:])
    said = capsys.readouterr()
    assert status in ((2,) if "faulty" in command else (0, 1)), said.err
    assert answer == (said.out + said.err).splitlines()[: len(answer)]
    assert all((tmp_path / picture).stat().st_size > 1000 for picture in pictures)


def test_the_dispute_guide_shows_its_own_example() -> None:
    shown = next(example for where, example in YAML if where.startswith("settling-a-dispute"))
    assert shown in (ROOT / "docs/examples/guns-and-column.yaml").read_text("utf-8")


def test_the_guides_name_every_kind_every_key_and_every_dispute() -> None:
    assert all(f"`{kind}`" in text("writing-a-map") for kind in presets())
    traits = {name for rules in map(rule_set.find, rule_set.BUILT_IN) for name in traits_of(rules, TERRAIN)}
    assert traits and all(f"| `{name}` |" in text("writing-a-map") for name in traits)
    words = rule_set.find("tse").vocabulary
    assert all(f"`{word}`" in text("writing-an-army") for key in words for word in words[key])
    assert all(f"`{option}`" in text("writing-a-scenario") for option in rule_set.find("tse").options)
    disputes = (ROOT / "scenarios/tse/disputes").glob("*.yaml")
    assert all(f"`{path.stem}`" in text("settling-a-dispute") for path in disputes)
    asked = set(re.findall(r"`([a-z]+) A", text("settling-a-dispute"))) | {"cover"}
    assert len(asked) == 12
    assert asked <= set(rule_set.find("tse").questions)


def test_every_picture_is_one_the_program_makes() -> None:
    """The pictures are made by ``python -m tools.guide_pictures``; none is drawn by hand, none is left over."""
    shown = {
        name for guide in (*GUIDES, *WITH_BATTLES) for name in re.findall(r"\(pictures/([\w-]+)\.png\)", text(guide))
    }
    assert shown == set(PICTURES)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_leads_somewhere(guide: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text(guide)):
        assert (ROOT / "docs" / target).exists(), target
