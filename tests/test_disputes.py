"""The hand-made disputes and their verdicts; and every map, army and scenario that comes with the program.

The verdicts were worked out by hand from the rules and stand in ``scenarios/tse/disputes/verdicts.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import presets
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.judge import judge
from tabletop.play.files.load import load, read_file
from tabletop.rules import rule_set

ROOT = Path(__file__).parents[1]
DISPUTES = ROOT / "scenarios/tse/disputes"
CASES: list[dict[str, Any]] = tomllib.loads((DISPUTES / "verdicts.toml").read_text("utf-8"))["verdict"]
FILES = sorted(path for folder in ("maps", "armies", "scenarios") for path in (ROOT / folder).rglob("*.yaml"))
#: What a row of the verdicts may hold.
KEYS = {"scene", "question", "args", "options", "holds", "measured", "rules", "depends_on", "close", "margin", "why"}


@cache
def battle(scene: str) -> Battle:
    return load(DISPUTES / f"{scene}.yaml").battle


def name(case: dict[str, Any]) -> str:
    options = " ".join(f"{key}={value}" for key, value in case.get("options", {}).items())
    return f"{case['scene']}: {case['question']} {' '.join(case['args'])} {options}".strip()


def put(case: dict[str, Any], margin: bool) -> Verdict:
    options = {**case.get("options", {}), "margin": margin}
    if "path" in options:
        options["path"] = [tuple(point) for point in options["path"]]
    return judge(battle(case["scene"]), case["question"], case["args"], options)


def cited(reasons: Iterable[Reason]) -> Iterator[str]:
    for reason in reasons:
        yield reason.rule
        yield from cited(reason.parts)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_verdict(case: dict[str, Any]) -> None:
    verdict = put(case, margin=False)
    assert verdict.holds is case["holds"], case["why"]
    for key, value in case.get("measured", {}).items():
        expected = value if isinstance(value, str | bool) else pytest.approx(value, abs=1e-3)
        assert verdict.measured[key] == expected, f"{key}: {case['why']}"
    assert set(case.get("rules", ())) <= set(cited(verdict.because))
    if "depends_on" in case:
        assert {found.ruling for found in verdict.depends_on} == set(case["depends_on"])
        assert all(found.would_be is not verdict.holds for found in verdict.depends_on)


@pytest.mark.parametrize("case", [c for c in CASES if "close" in c or "margin" in c], ids=name)
def test_margin(case: dict[str, Any]) -> None:
    verdict = put(case, margin=True)
    assert verdict.margin is not None
    assert verdict.too_close is case.get("close", False)
    assert verdict.too_close is (verdict.margin < 1 / 16)
    if "margin" in case:
        assert verdict.margin == pytest.approx(case["margin"], abs=0.01), case["why"]


def test_every_dispute_has_a_verdict_and_every_row_is_understood() -> None:
    assert {path.stem for path in DISPUTES.glob("*.yaml")} == {case["scene"] for case in CASES}
    assert all(set(case) <= KEYS for case in CASES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_has_no_fault_and_no_warning(path: Path) -> None:
    assert read_file(path).faults == []


def test_the_teaching_table_has_one_of_everything() -> None:
    """Every kind of terrain on land, every troop type, every formation, a bent line and a snaking column."""
    found = load(ROOT / "scenarios/tse/teaching.yaml").battle
    words = rule_set.find("tse").vocabulary
    assert {piece.kind for piece in found.table.terrain} == set(presets()) - {"sea", "shoal", "land"}
    assert {unit.troop for unit in found.units} == set(words["troop"])
    assert {unit.formation for unit in found.units if not unit.is_general} == set(words["formation"])
    assert {unit.quality for unit in found.units if unit.quality} == set(words["quality"])


def test_quatre_bras_distances() -> None:
    """One inch is 150 yards (TSE-SCL-02): places lie where the record has them, to an inch (two for Pierrepont)."""
    table = load(ROOT / "scenarios/tse/quatre-bras.yaml").battle.table
    cross = table.piece("charleroi-road").line
    assert cross is not None
    crossroads = cross.boundary.geoms[1]
    kilometres = {"gemioncourt": 1.3, "frasnes": 3.7, "piraumont": 1.8, "grand-pierrepont": 2.1, "thyle": 2.7}
    for place, distance in kilometres.items():
        inches = distance * 1000 / 0.9144 / 150
        assert table.piece(place).shape.centroid.distance(crossroads) == pytest.approx(inches, abs=1.0), place


def test_nobody_at_quatre_bras_starts_in_contact() -> None:
    """No two enemies stand within their zones of control (TSE-MOV-17)."""
    found = load(ROOT / "scenarios/tse/quatre-bras.yaml").battle
    for unit in found.units:
        if not unit.is_general:
            assert all(unit.footprint.distance(enemy.footprint) > 1.0 for enemy in found.enemies(unit)), unit.id


def test_quatre_bras_order_of_battle() -> None:
    """One base is a battalion (TSE-UNI-05): 33 in Reille's three divisions, 10 and 12 with Perponcher and Picton."""
    found = load(ROOT / "scenarios/tse/quatre-bras.yaml").battle
    battalions = {
        general: sum(u.strength for u in found.units if u.parent == general and u.troop == "infantry")
        for general in ("bachelu", "foy", "jerome", "perponcher", "picton")
    }
    assert battalions == {"bachelu": 11, "foy": 11, "jerome": 11, "perponcher": 10, "picton": 12}
    assert all(unit.parent for unit in found.units if unit.rank != "army")
