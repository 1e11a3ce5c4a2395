"""Every rule set's title, period and line are known before it is imported; a published one may state its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.rules import package_folders, periods, rule_set


@pytest.fixture(autouse=True)
def _forget() -> None:
    periods.period_of.cache_clear()


@pytest.mark.parametrize("name", rule_set.BUILT_IN)
def test_each_has_its_own_title_a_period_with_years_and_one_line(name: str) -> None:
    """The table of periods cannot read the record, which would import the rule set, so it is compared here."""
    period = periods.period_of(name)
    assert period.title == rule_set.find(name).title
    assert sum(year.isdigit() for year in period.period.replace(",", "").split()) == 2, period.period
    assert period.about.endswith(".") and len(period.about) <= 130


def test_no_rule_set_is_imported_to_tell_its_period() -> None:
    code = (
        "import sys; from tabletop.rules.periods import period_of; from tabletop.rules.rule_set import BUILT_IN\n"
        "[period_of(name) for name in BUILT_IN]\n"
        "print([name for name in sys.modules if name.endswith('.rule_set') and name != 'tabletop.rules.rule_set'])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_published_rule_set_may_state_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its package's about.toml is read, and the package is not imported; without the file its name is its title."""
    for package in ("somebodys_pikes", "somebodys_others"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise RuntimeError('imported')\n", "utf-8")
    about = 'title = "Push of Pike"\nperiod = "1476 to 1525"\nnoun = "pike square"\n'
    (tmp_path / "somebodys_pikes/about.toml").write_text(about, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = {"push-of-pike": "somebodys_pikes.rule_set:RULES", "others": "somebodys_others:RULES", "gone": "nowhere:R"}
    monkeypatch.setattr(package_folders, "published", lambda: points)
    assert periods.period_of("push-of-pike").heading == "Push of Pike · 1476 to 1525"
    assert periods.period_of("push-of-pike").noun == "pike square" and periods.period_of("others").noun == "unit"
    assert [periods.period_of(name) for name in ("others", "gone")] == [
        periods.Period("Others", guide="others"),
        periods.Period("Gone", guide="gone"),
    ]
