"""The rule set of the guide as a package in a folder of its own, and commands run where it is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.games.positions import ROOT

PAGE = ROOT / "docs/writing-a-rule-set.md"
FILES = {
    "toml": [
        "pyproject.toml",
        "push_of_pike/about.toml",
        "push_of_pike/terrain.toml",
        "push_of_pike/traits.toml",
        "push_of_pike/sections.toml",
    ],
    "python": ["push_of_pike/rule_set.py", "push_of_pike/game.py"],
    "yaml": ["push_of_pike/rules.yaml", "push_of_pike/scenarios/two-blocks.yaml"],
}


def written(folder: Path) -> Path:
    """Write the files of the guide into a folder, and return it."""
    text = PAGE.read_text("utf-8")
    for kind, names in FILES.items():
        blocks = re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        assert len(blocks) == len(names), f"the guide has {len(blocks)} blocks of {kind}"
        for name, block in zip(names, blocks, strict=True):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(block, "utf-8")
    (folder / "push_of_pike/__init__.py").write_text("", "utf-8")
    return folder


def described(folder: Path, name: str, point: str, group: str = "tabletop.rule_sets") -> None:
    """Describe a package in a folder as an installer does: its name and its entry point."""
    place = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    place.mkdir()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (place / "entry_points.txt").write_text(f"[{group}]\n{name} = {point}\n", "utf-8")


def put(installed: Path, *words: str, beside: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Return the result of a command run where the package is installed, and another ``beside`` it."""
    path = os.pathsep.join(map(str, (ROOT, installed, *((beside,) if beside else ()))))
    environment = {**os.environ, "PYTHONPATH": path, "TABLETOP_PLAIN": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        cwd=installed.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
