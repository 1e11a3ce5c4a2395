"""A unit traced by its corners: one chosen of another size is never laid silently; what fits is offered."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from PIL import Image

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import empty
from tabletop.play.files.troop_register import mustered, new_row
from tabletop.render.judge import backdrop
from tabletop.render.judge.photo import Photo, rectified
from tabletop.render.judge.tracing import Misfit, lying, misfit, no_rectangle
from tabletop.rules import rule_set
from tests.render.judge.driver import Umpire, at_the_table

NEAR = 0.25
RULES = {name: rule_set.find(name) for name in rule_set.NAMES}


def rectangle(at: Point, facing: float, wide: float, deep: float) -> list[Point]:
    """Return front left, front right and rear right of a rectangle whose front's middle is at a point."""
    s, c = math.sin(math.radians(facing)), math.cos(math.radians(facing))
    local = ((-wide / 2, 0.0), (wide / 2, 0.0), (wide / 2, -deep))
    return [(at[0] + x * c + y * s, at[1] - x * s + y * c) for x, y in local]


def judged(chosen: dict[str, object], clicks: list[Point], rules: str = "tse", near: float = NEAR) -> Misfit | None:
    return misfit(rules, RULES[rules].ruling_values(None), chosen, clicks, near)


INFANTRY = {"troop": "infantry", "bases": 4, "formation": "deployed", "facing": 0.0, "quality": "average"}


@pytest.mark.parametrize("facing", [0.0, 37.0, 90.0, 181.5, 299.0])
def test_two_by_two_with_a_line_of_four_chosen_proposes_the_column(facing: float) -> None:
    found = judged(INFANTRY, rectangle((10.0, 8.0), facing, 2.0, 1.5))
    assert found is not None and list(found.sides) == pytest.approx([2.0, 1.5])
    assert found.chosen.size == pytest.approx((4.0, 0.75)) and found.chosen.off == pytest.approx(2.0)
    best = found.fits[0]
    assert (best.row["formation"], best.row["bases"]) == ("maneuver-column", 4)
    assert best.size == pytest.approx((2.0, 1.5)) and best.off == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("sides", "formation", "bases", "front"),
    [
        ((3.0, 0.75), "deployed", 3, None),
        ((6.0, 0.75), "deployed", 6, None),
        ((1.0, 3.0), "march-column", 4, None),
        ((3.0, 1.5), "maneuver-column", 6, None),
        ((1.0, 6.0), "march-column", 8, None),
    ],
)
def test_what_fits_is_found_whatever_was_traced(
    sides: tuple[float, float], formation: str, bases: int, front: int | None
) -> None:
    found = judged(INFANTRY, rectangle((10.0, 8.0), 20.0, *sides))
    assert found is not None
    rows = [(fit.row["formation"], fit.row["bases"], fit.row.get("front")) for fit in found.fits]
    fitting = [fit for fit in found.fits if fit.off < 0.01]
    assert fitting and (formation, bases, front) in rows


@pytest.mark.parametrize("off", [0.0, 0.1, 0.249, -0.249])
def test_a_side_within_a_quarter_of_an_inch_fits(off: float) -> None:
    assert judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 4.0, 0.75 + off)) is None
    assert judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 4.0 + off * 0.79, 0.75)) is None


def test_a_side_beyond_it_does_not() -> None:
    assert judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 4.26, 0.75)) is not None
    assert judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 4.0, 1.01)) is not None


def test_two_clicks_judge_the_front_alone() -> None:
    assert judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 4.0, 9.0)[:2]) is None
    found = judged(INFANTRY, rectangle((10.0, 8.0), 20.0, 2.0, 9.0)[:2])
    assert found is not None and found.sides[1] is None
    assert (found.fits[0].row["formation"], found.fits[0].row["bases"]) == ("maneuver-column", 4)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        *(pytest.param(name, (1, 5), id=name) for name in rule_set.NAMES),
        *(pytest.param(name, (2, 4, 8), id=f"{name}-even", marks=pytest.mark.sweep) for name in rule_set.NAMES),
    ],
)
def test_the_best_offer_is_as_near_as_any_formation_of_these_troops(name: str, numbers: tuple[int, ...]) -> None:
    """Of everything a troop may form, traced exactly, something is offered that fits it, and it is laid there."""
    rules, near = RULES[name], NEAR * {"in": 1.0, "mm": 25.4, "cm": 2.54}[RULES[name].unit]
    rulings = rules.ruling_values(None)
    for troop in rules.vocabulary["troop"]:
        chosen = dict(new_row(name, troop))
        for formation in rules.vocabulary["formation"] if "bases" in chosen else ():
            for bases in numbers:
                row = {**chosen, "formation": formation, "bases": bases}
                unit = mustered(rules, rulings, {**row, "id": "x", "side": "a", "at": (0.0, 0.0)})
                if not isinstance(unit, Unit):
                    continue
                west, south, east, north = unit.bounds
                clicks = rectangle((400.0, 300.0), 0.0, east - west, north - south)
                found = judged(chosen, clicks, name, near)
                assert found is None or found.fits[0].off < 1e-6 + near
                laid = lying(unit.turned(130.0), clicks)
                assert laid.bounds == pytest.approx((400 - (east - west) / 2, 300 - (north - south),
                                                     400 + (east - west) / 2, 300.0), abs=0.02)  # fmt: skip


@pytest.mark.parametrize("corners", [(0, 1, 1), (1, 0, 2), (2, 1, 0), (0, 2, 1), (0, 0, 0)])
def test_corners_in_another_order_make_no_rectangle(corners: tuple[int, int, int]) -> None:
    """Rear right, front right, front left is the rectangle seen from its flank: only its size can tell."""
    clicks = rectangle((10.0, 8.0), 20.0, 4.0, 0.75)
    assert no_rectangle([clicks[k] for k in corners], NEAR)
    assert not no_rectangle(clicks, NEAR) and not no_rectangle(clicks[:2], NEAR)


# --- at the table ----------------------------------------------------------------------------------------------------


SIZES = ((1280, 720), (1920, 1080))


@pytest.fixture(params=[SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.sweep)])
def tracing(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Umpire]:
    """A photo lies under the table, a small one; a line of four is chosen, and traced."""
    monkeypatch.setattr(backdrop, "rectified", lambda photo, table: rectified(photo, table, longest=240))
    picture = Image.new("RGB", (96, 64), (60, 90, 50))
    corners = ((0.0, 0.0), (96.0, 0.0), (96.0, 64.0), (0.0, 64.0))
    with at_the_table(empty("tse", 48, 32), request.param) as umpire:
        umpire.controller.backdrop.photo = Photo(tmp_path / "p.png", picture, corners)
        umpire.controller.backdrop.lay((48.0, 32.0))
        umpire.key(pygame.K_F5)
        umpire.choose("hand:side", "Red")
        umpire.press("trace:")
        yield umpire


def traced(umpire: Umpire, wide: float, deep: float, facing: float = 20.0) -> None:
    for corner in rectangle((20.0, 16.0), facing, wide, deep):
        umpire.click(corner)


@pytest.mark.parametrize("tracing", SIZES, indirect=True)
def test_side_formation_and_bases_are_said_before_tracing(tracing: Umpire) -> None:
    """The rows stand above the button, whether somebody traces or not."""
    tracing.press("trace:")
    assert not tracing.controller.backdrop.tracing
    tracing.wait()
    words = tracing.screen.form.words
    order = ["trace:troop", "hand:side", "hand:formation", "hand:bases", "trace:"]
    tops = [words[word].top for word in order]
    assert tops == sorted(tops) and len(set(tops)) == len(tops)
    assert words["trace:"].bottom < words["foot"].top
    tracing.press("trace:")
    tracing.wait()
    assert {word: tracing.screen.form.words[word] for word in order} == {word: words[word] for word in order}


def test_what_fits_is_laid_at_once(tracing: Umpire) -> None:
    traced(tracing, 4.0, 0.75)
    (row,) = tracing.controller.draft.units
    assert (row["side"], row["formation"], row["bases"]) == ("red", "deployed", 4)
    assert tracing.controller.misfit is None and not tracing.controller.backdrop.clicks


def test_a_misfit_is_said_and_nothing_is_laid(tracing: Umpire) -> None:
    traced(tracing, 2.0, 1.5)
    assert not tracing.controller.draft.units and tracing.controller.misfit is not None
    (ghost,) = tracing.controller.ghosts
    assert ghost.formation == "maneuver-column"
    assert math.dist(ghost.front_mid, (20.0, 16.0)) < 0.1
    assert "Enter" in tracing.screen._foot_text()


@pytest.mark.parametrize("how", ["click", "enter", "number"])
def test_the_proposal_is_taken_with_one_click_or_key(how: str, tracing: Umpire) -> None:
    traced(tracing, 2.0, 1.5)
    if how == "click":
        tracing.press("trace:fit:0")
    else:
        tracing.key(pygame.K_RETURN if how == "enter" else pygame.K_1)
    (row,) = tracing.controller.draft.units
    unit = tracing.controller.battle.unit(row["id"])
    assert (row["side"], row["formation"], row["bases"]) == ("red", "maneuver-column", 4)
    assert math.dist(unit.front_mid, (20.0, 16.0)) < 0.1 and unit.facing == pytest.approx(20.0, abs=1.5)
    assert tracing.controller.misfit is None and tracing.controller.placing.unit["formation"] == "maneuver-column"
    tracing.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert not tracing.controller.draft.units


def test_the_second_proposal_by_its_number(tracing: Umpire) -> None:
    traced(tracing, 2.0, 1.5)
    assert tracing.controller.misfit is not None
    second = tracing.controller.misfit.fits[1].row
    tracing.key(pygame.K_2)
    (row,) = tracing.controller.draft.units
    assert {key: row[key] for key in second if key != "facing"} == {k: v for k, v in second.items() if k != "facing"}


def test_as_chosen_all_the_same(tracing: Umpire) -> None:
    traced(tracing, 2.0, 1.5)
    tracing.press("trace:same")
    (row,) = tracing.controller.draft.units
    assert (row["formation"], row["bases"]) == ("deployed", 4)


@pytest.mark.parametrize("how", ["button", "escape", "page"])
def test_traced_again(how: str, tracing: Umpire) -> None:
    traced(tracing, 2.0, 1.5)
    tracing.click((30.0, 20.0))  # a click on the table decides nothing
    assert tracing.controller.misfit is not None and len(tracing.controller.backdrop.clicks) == 3
    if how == "button":
        tracing.press("trace:anew")
    else:
        tracing.key(pygame.K_ESCAPE if how == "escape" else pygame.K_F3)
    assert (
        tracing.controller.misfit is None
        and not tracing.controller.backdrop.clicks
        and not tracing.controller.draft.units
    )
    assert tracing.controller.backdrop.tracing


def test_no_rectangle_is_said(tracing: Umpire) -> None:
    for corner in reversed(rectangle((20.0, 16.0), 20.0, 2.0, 1.5)):
        tracing.click(corner)
    assert not tracing.controller.draft.units and "make no rectangle" in tracing.controller.note
    traced(tracing, 4.0, 0.75)
    assert len(tracing.controller.draft.units) == 1
