"""The tests that a change can affect, those nearest to it by imports first.

    python -m tools.affected    # of what differs from the upstream branch or, without one, from the last commit but one

A test file is affected if it imports a changed module, directly or indirectly; a data file counts for the modules that
name it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from tools import house

PACKAGES = ("tabletop", "tests", "tools", "benchmarks")


def changed() -> list[Path]:
    """Return the files that differ from the upstream branch or, without one, from the commit before the last."""
    since = _git("merge-base", "HEAD", "@{upstream}") or ["HEAD~1"]
    if _git("rev-parse", "HEAD") == since and not _git("status", "--porcelain"):
        since = ["HEAD~1"]
    named = [*_git("diff", "--name-only", *since), *_git("ls-files", "--others", "--exclude-standard")]
    return [house.ROOT / name for name in named]


def _git(*words: str) -> list[str]:
    """Return the lines git prints; none if it fails."""
    made = subprocess.run(["git", *words], cwd=house.ROOT, capture_output=True, text=True, check=False)
    return made.stdout.split("\n")[:-1] if made.returncode == 0 else []


def affected(files: Iterable[Path]) -> list[Path]:
    """Return the test files that import what changed, in order of how many imports lie between."""
    known, edges = house.modules(*PACKAGES), house.graph(*PACKAGES)
    importers: dict[str, set[str]] = {name: set() for name in known}
    for name, others in edges.items():
        for imported in others:
            importers[imported].add(name)
    for name in house.rule_sets():
        importers[name].add("tabletop.rules.rule_set")  # it finds them by name
    ring = {name for path in files for name in _modules_of(path)}
    order: dict[str, None] = {}
    while ring:
        order |= dict.fromkeys(sorted(ring))
        ring = {above for name in ring for above in importers[name]} - set(order)
    return [known[name] for name in order if known[name].name.startswith("test_")]


def _modules_of(path: Path) -> list[str]:
    """Return the module of a file, or the modules that name a data file."""
    known = house.modules(*PACKAGES)
    if path.suffix == ".py":
        return [name for name, own in known.items() if own == path]
    return [name for name, own in known.items() if path.name in own.read_text(encoding="utf-8")]


def main() -> None:
    """Print the test files, one to a line."""
    for path in affected(changed()):
        print(path.relative_to(house.ROOT))


if __name__ == "__main__":
    main()
