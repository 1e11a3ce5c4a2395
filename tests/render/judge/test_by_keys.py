"""The judge's table without a mouse: units and terrain placed, nudged, turned, asked about by keys alone."""

import pygame
import pytest

from tabletop.geometry.verdict import Verdict
from tabletop.play.files.draft import empty
from tabletop.render.judge import verdict_words
from tabletop.render.judge.controller import Mode
from tests.render.judge.driver import Umpire, at_the_table

SHIFT = pygame.KMOD_LSHIFT

pytestmark = pytest.mark.usefixtures("unmeasured")


def keys(umpire: Umpire, *pressed: int, mod: int = 0) -> None:
    for key in pressed:
        umpire.key(key, mod)


@pytest.mark.parametrize(
    ("rules", "size", "step", "fine"), [("tse", (36, 24), 1.0, 0.1), ("realm-of-chance", (900, 600), 10.0, 1.0)]
)
def test_a_unit_is_placed_by_keys_alone(rules: str, size: tuple[int, int], step: float, fine: float) -> None:
    """From the middle of the table, by steps that are shown, turned, and put down with Enter."""
    with at_the_table(empty(rules, *size)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1)
        unit = umpire.controller.battle.table.unit
        assert f"{step:g} {unit} (Shift {fine:g})" in verdict_words.foot(umpire.controller)
        keys(umpire, pygame.K_RIGHT, pygame.K_RIGHT, pygame.K_UP, pygame.K_e)
        keys(umpire, pygame.K_LEFT, mod=SHIFT)
        keys(umpire, pygame.K_RETURN)
        placed = umpire.controller.battle.units[0]
        x, y = size[0] / 2 + 2 * step - fine, size[1] / 2 + step
        assert placed.at == pytest.approx((x, y), abs=1e-3) and placed.facing == 15.0
        keys(umpire, pygame.K_F4, pygame.K_TAB, pygame.K_DOWN)
        assert umpire.controller.selected == (placed.id,)
        assert umpire.controller.battle.unit(placed.id).at == pytest.approx((x, y - 0.1 * step), abs=1e-2)


def test_the_hand_stays_on_the_table_and_in_sight() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, *[pygame.K_LEFT] * 30, *[pygame.K_PLUS] * 9, pygame.K_UP)
        x, y = umpire.screen.at(umpire.controller.cursor)
        assert umpire.controller.cursor == (0.0, 13.0)
        assert 0 <= x <= umpire.screen.camera.width and 0 <= y <= umpire.screen.camera.height


def test_troops_chosen_beside_the_table_lie_on_it_not_over_its_edge() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        umpire.press("tab:place")
        umpire.press("troop:infantry")
        (ghost,) = umpire.controller.ghosts
        assert ghost.at == pytest.approx((18.0, 12.0))
        umpire.move(umpire.screen.at((9.0, 6.0)))
        assert umpire.controller.ghosts[0].at == pytest.approx((9.0, 6.0), abs=0.05)


def test_terrain_is_drawn_by_keys() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_t, pygame.K_1, pygame.K_LEFT, pygame.K_SPACE)
        for key in (pygame.K_UP, pygame.K_RIGHT):
            keys(umpire, *[key] * 4, pygame.K_SPACE)
        keys(umpire, pygame.K_RETURN)
        (wood,) = umpire.controller.draft.terrain
        assert wood["kind"] == "woods" and len(wood["outline"]) == 3


def test_a_question_is_put_by_keys() -> None:
    """Tab brings the hand from unit to unit, Enter is a click there, numbers choose the question."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN, *[pygame.K_UP] * 6, pygame.K_RETURN, pygame.K_F6)
        keys(umpire, pygame.K_1, pygame.K_TAB, pygame.K_RETURN, pygame.K_TAB, pygame.K_RETURN)
        umpire.wait()
        verdict = umpire.controller.verdict
        assert isinstance(verdict, Verdict) and verdict.question == "distance" == umpire.controller.asking.question
        assert set(verdict.args) == {unit.id for unit in umpire.controller.battle.units}
        assert umpire.controller.mode is Mode.ASK


def test_no_ids_stand_on_the_pages() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN, pygame.K_F4, pygame.K_TAB)
        headings = [part.text for part in umpire.screen.parts() if type(part).__name__ == "Heading"]  # type: ignore[union-attr]
        assert headings == ["Infantry"]


def test_a_move_is_asked_about_along_a_way_that_is_drawn() -> None:
    """Shift-clicks are the points the way leads by; Esc takes the last one back; a plain click ends it."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN, pygame.K_F6, pygame.K_TAB)
        umpire.press("ask:move")
        umpire.click((18, 12))
        umpire.keeping(SHIFT)
        for point in ((19, 15), (21, 17), (30, 17)):
            umpire.click(point)
        umpire.keeping(0)
        umpire.key(pygame.K_ESCAPE)
        umpire.click((21, 18))
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and "to" not in verdict.options
        assert [(round(x), round(y)) for x, y in verdict.options["path"]] == [(19, 15), (21, 17), (21, 18)]


def test_the_unit_of_the_last_question_may_be_clicked_again() -> None:
    """Kept from the question before it is only confirmed: it is not where the way shall lead."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN)
        umpire.press("tab:ask")
        umpire.press("ask:reach")
        umpire.click((18, 12))
        umpire.press("ask:move")
        umpire.click((18, 12))
        assert not umpire.controller.asking.complete and len(umpire.controller.asking.clicked) == 1
        umpire.click((18, 15))
        assert umpire.controller.asking.complete


def test_a_line_is_shaped_by_what_is_typed() -> None:
    """TSE-FRM-14, TSE-FRM-20: the options of a formation stand beside the question, as the command line has them."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN, pygame.K_F6, pygame.K_TAB)
        umpire.press("ask:move")
        umpire.click((18, 12))
        umpire.choose("extra:as", "Deploy")
        for word, text in (("ref", "0"), ("place", "3"), ("shift", "0,0.5"), ("bend", "0,0,0,0")):
            umpire.write(f"extra:{word}", text)
        umpire.press("tick:delayed")
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.holds
        assert {"ref": 0, "place": 3, "delayed": True, "shift": (0.0, 0.5)}.items() <= dict(verdict.options).items()
        umpire.write("extra:shift", "0,0.6")
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and [r.rule for r in verdict.because] == ["TSE-FRM-13"]
        umpire.choose("extra:as", "Maneuver")
        umpire.write("extra:ranks", "2,1,1")
        umpire.click((18, 14))
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.options["ranks"] == (2, 1, 1)


def test_a_charge_its_late_orders_and_its_breakthrough() -> None:
    """TSE-ASL-09, TSE-ASL-70: who is beaten is clicked between the cavalry and whom it goes on to assault."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3)
        umpire.press("troop:light-cavalry")
        umpire.choose("hand:formation", "Maneuver column")
        umpire.click((12, 4))
        umpire.press("troop:infantry")
        umpire.choose("hand:side", "Red")
        umpire.choose("hand:formation", "Deployed")
        umpire.write("hand:facing", "180")
        umpire.click((12, 10))
        umpire.press("troop:infantry")
        umpire.click((12, 13.5))
        rider, near, far = (unit.id for unit in umpire.controller.battle.units)
        umpire.press("tab:ask")
        umpire.press("ask:assault")
        umpire.click((12, 4))
        umpire.click((12, 10))
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.holds and verdict.args == (rider, near)
        assert verdict.measured["reach"] == 12.0
        umpire.press("tick:delayed")
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.measured["reach"] == 6.0
        umpire.press("ask:breakthrough")
        umpire.press("tick:delayed")
        for at in ((12, 4), (12, 10), (12, 13.5)):
            umpire.click(at)
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.args == (rider, far) and verdict.options["after"] == near
        assert verdict.holds, verdict.because
        umpire.press("ask:breakthrough")
        for at in ((12, 4), (12, 10), (12, 10)):
            umpire.click(at)
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.args == (rider, near) and verdict.options["after"] == near


def test_a_way_wheels_on_the_corner_chosen() -> None:
    """TSE-MOV-03: the choice stands beside a way led by other points."""
    with at_the_table(empty("tse", 36, 24)) as umpire:
        keys(umpire, pygame.K_F3, pygame.K_1, pygame.K_RETURN, pygame.K_F6, pygame.K_TAB)
        umpire.press("ask:move")
        umpire.click((18, 12))
        umpire.keeping(SHIFT)
        umpire.click((18, 15))
        umpire.keeping(0)
        umpire.choose("extra:pivots", "its left corner")
        umpire.click((24, 18))
        umpire.wait()
        verdict = umpire.controller.verdict
        assert verdict is not None and list(verdict.options["pivots"]) == ["left", "left"]
