"""The question los: what is measured, what proves it, what is said (TSE-LOS-01, 02, 10, 20)."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.rules.rule_set import Request, read_rulings
from tabletop.rules.tse.sight.judge import los

RULINGS = {name: ruling.default for name, ruling in read_rulings("tabletop.rules.tse").items()}


def unit(name: str, x: float, y: float, scale: float, side: str = "red") -> Unit:
    return Unit(name, side, "infantry", (Base(x * scale, y * scale, 0.0, scale, scale),), front_bases=(0,))


def ask(*pieces: Terrain, a: str = "a", b: str = "b", scale: float = 1.0, **rulings: Any) -> Verdict:
    units = [unit("a", 5, 10, scale), unit("b", 12, 10, scale, "blue")]
    units += [Unit("g", "blue", "general", (Disc(12.0 * scale, 15.0 * scale, 0.5 * scale),), rank="army")]
    table = Table.of("in", 40, 30, pieces, scale)
    return los(Battle.of("tse", table, units, {**RULINGS, **rulings}), Request("los", (a, b)))


def wood(x0: float, x1: float, scale: float = 1.0) -> Terrain:
    outline = [(x * scale, y * scale) for x, y in ((x0, 0), (x1, 0), (x1, 15), (x0, 15))]
    return Terrain.of_kind("wood", "woods", outline=outline, scale=scale)


def test_seen_with_the_line_that_proves_it() -> None:
    verdict = ask()
    assert verdict.holds
    assert verdict.witness is not None
    assert [x for x, _ in verdict.witness] == [5.5, 11.5]
    assert verdict.measured["distance"] == 6.0
    assert verdict.because[0].rule == "TSE-LOS-01"
    assert [shape.role for shape in verdict.shapes] == ["witness"]
    assert verdict.side_view is not None


def test_hidden_with_what_hides_it() -> None:
    """Nothing is seen through a wood between; the reason names it and how much of it stands in the way (TSE-LOS-05)."""
    verdict = ask(wood(7, 9))
    assert not verdict.holds
    assert verdict.measured == {"distance": None}
    assert verdict.witness is None
    assert verdict.blockers == ("wood",)
    assert verdict.because[0].rule == "TSE-LOS-05"
    assert verdict.because[0].measured == pytest.approx(2.0, abs=1e-3)
    assert {shape.role for shape in verdict.shapes} == {"blocked", "blocker"}
    assert verdict.side_view is not None and verdict.side_view.obstructions[0][3:] == ("wood", True)


def test_the_budget_is_named_with_its_limit() -> None:
    """B stands in a wood, 3.5 in behind its edge (TSE-LOS-10)."""
    verdict = ask(wood(8, 14))
    assert not verdict.holds
    reason = verdict.because[0]
    assert (reason.rule, reason.feature) == ("TSE-LOS-10", "wood")
    assert reason.measured == pytest.approx(3.5, abs=1e-3)
    assert reason.limit == 3.0


@pytest.mark.parametrize("pieces", [(), (wood(7, 9),), (wood(8, 14),), (wood(9, 14),)])
def test_the_other_way_about_is_the_same(pieces: tuple[Terrain, ...]) -> None:
    """TSE-LOS-02."""
    there, back = ask(*pieces), ask(*pieces, a="b", b="a")
    assert (there.holds, there.measured) == (back.holds, back.measured)
    if there.witness is not None and back.witness is not None:
        assert there.witness == back.witness[::-1]


def test_a_ruling_turns_it() -> None:
    assert ask(wood(7, 9), thin_wood_transparent=True).holds


@pytest.mark.parametrize(("first", "holds"), [(7.5, False), (8.6, True)])
def test_figure_scale_two(first: float, holds: bool) -> None:
    """All lengths doubled, woods sight with them (TSE-SCL-01)."""
    assert ask(wood(first, 14)).holds is ask(wood(first, 14, 2.0), scale=2.0).holds is holds


def test_a_general_may_be_looked_for() -> None:
    """His distance is to his disc (TSE-LOS-21)."""
    distance = ask(a="b", b="g").measured["distance"]
    assert distance == pytest.approx(4.0, abs=1e-3)


def test_a_unit_does_not_look_at_itself() -> None:
    with pytest.raises(BadQuestion, match="itself"):
        ask(b="a")
