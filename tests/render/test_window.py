"""The window, driven by the events a player makes: a dummy display, answers in this process."""

import os
from typing import Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

import random
import time
from collections.abc import Hashable, Iterator

import numpy as np
import pygame
import pytest

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Verdict
from tabletop.play.workers import judge_worker
from tabletop.play.workers.judge_worker import Answer, InlineJudgeWorker, JudgeWorker
from tabletop.render.drawing.primitives import Text
from tabletop.render.settings.model import USUAL, Overlay
from tabletop.render.table import captions, inset
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.commands import TABLE, TABLES
from tabletop.render.table.input import PAN_STEP
from tabletop.render.table.panel import Panel
from tabletop.render.table.tools import FREE, Tool
from tabletop.render.table.window import Window
from tabletop.render.widgets.key_dispatch import by_code
from tabletop.render.widgets.panel_page import PanelPage
from tests.render.table import small_battle

SIZE = (1280, 800)


class Player:
    """Somebody at the window: every deed is pygame events and one frame."""

    def __init__(self, window: Window) -> None:
        self.window, self.controller = window, window.controller
        self.open = True

    def tell(self, kind: int, **what: Any) -> None:
        pygame.event.post(pygame.event.Event(kind, **what))
        self.open = self.window.step(0.2) and self.open

    def pixel(self, point: Point) -> tuple[int, int]:
        x, y = self.window.camera.to_screen(point)
        return round(x), round(y)

    def move(self, pixel: tuple[int, int]) -> None:
        self.tell(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0))

    def down(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONDOWN, pos=pixel, button=button)

    def up(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONUP, pos=pixel, button=button)

    def click(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.move(pixel)
        self.down(pixel, button)
        self.up(pixel, button)

    def point(self, point: Point) -> None:
        self.move(self.pixel(point))

    def pick(self, name: str) -> None:
        self.click(self.pixel(self.at(name)))
        self.settle()

    def hold(self, name: str, *way: Point) -> None:
        """Press on a unit and go along the way, without letting go."""
        self.down(self.pixel(self.at(name)))
        for point in way:
            self.point(point)
        self.settle()

    def drag(self, name: str, to: Point) -> None:
        self.hold(name, to)
        self.up(self.pixel(to))
        self.settle()

    def key(self, key: int, mod: int = 0) -> None:
        self.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
        self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)

    def wheel(self, notches: int) -> None:
        self.tell(pygame.MOUSEWHEEL, x=0, y=notches, flipped=False)

    def press(self, word: str) -> None:
        """Click the panel's button that sends ``word``."""
        button = next(b for b, w in self.window.panel._buttons.items() if w == word)
        x, y = button.get_abs_rect().center
        self.click((round(x), round(y)))
        self.window.step(0.2)

    def settle(self) -> None:
        for _ in range(5):
            self.window.step(0.2)

    def at(self, name: str) -> Point:
        return self.controller.model.battle.unit(name).at


@pytest.fixture(scope="module")
def battle() -> Battle:
    return small_battle()


@pytest.fixture
def player(battle: Battle) -> Iterator[Player]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE, pygame.RESIZABLE)
    pygame.event.clear()
    window = Window.inline(battle)
    window.step(0.2)
    yield Player(window)
    window.close()


def shown(player: Player) -> bytes:
    """Return the pixels of the window."""
    return pygame.image.tobytes(player.window.surface, "RGB")


# --- looking ---------------------------------------------------------------------------------------------------------


def test_the_wheel_zooms_about_the_cursor(player: Player) -> None:
    pixel = player.pixel((17, 18))
    player.move(pixel)
    before = player.window.camera
    player.wheel(3)
    after = player.window.camera
    assert after.scale > 1.3 * before.scale
    assert after.to_table(pixel) == pytest.approx(before.to_table(pixel), abs=1e-9)
    player.wheel(-3)
    assert player.window.camera.scale == pytest.approx(before.scale)


def test_plus_and_minus_zoom_and_home_shows_the_whole_table(player: Player) -> None:
    whole = player.window.camera
    player.point((10, 10))
    player.key(pygame.K_PLUS)
    player.key(pygame.K_PLUS)
    assert player.window.camera.scale > whole.scale
    player.key(pygame.K_MINUS)
    player.key(pygame.K_HOME)
    assert player.window.camera == whole


def test_a_right_drag_pans(player: Player) -> None:
    before = player.window.camera
    player.move((400, 400))
    player.down((400, 400), button=3)
    player.move((430, 420))
    player.move((460, 440))
    player.up((460, 440), button=3)
    assert player.window.camera.to_table((460, 440)) == pytest.approx(before.to_table((400, 400)))
    player.move((700, 300))
    assert player.window.camera.to_table((460, 440)) == pytest.approx(before.to_table((400, 400)))


def test_a_left_drag_on_bare_ground_pans_while_nothing_is_selected(player: Player) -> None:
    before = player.window.camera
    player.move((300, 300))
    player.down((300, 300))
    player.move((350, 330))
    player.up((350, 330))
    assert player.window.camera.to_table((350, 330)) == pytest.approx(before.to_table((300, 300)))


@pytest.mark.parametrize(
    ("key", "step"),
    [
        (pygame.K_LEFT, (PAN_STEP, 0)),
        (pygame.K_RIGHT, (-PAN_STEP, 0)),
        (pygame.K_UP, (0, PAN_STEP)),
        (pygame.K_DOWN, (0, -PAN_STEP)),
    ],
)
def test_arrow_keys_pan(player: Player, key: int, step: tuple[int, int]) -> None:
    before = player.pixel((20, 15))
    player.key(key)
    after = player.pixel((20, 15))
    assert after[0] - before[0] == pytest.approx(step[0], abs=1)
    assert after[1] - before[1] == pytest.approx(step[1], abs=1)


def test_the_table_cannot_be_lost(player: Player) -> None:
    for _ in range(60):
        player.key(pygame.K_LEFT)
    x, _ = player.window.camera.to_table((player.window.camera.width / 2, 0))
    assert -1e-9 <= x <= 40


# --- selecting and pointing ------------------------------------------------------------------------------------------


def test_a_click_selects_and_a_click_on_bare_ground_selects_nothing(player: Player) -> None:
    before = shown(player)
    player.pick("rogers")
    assert player.controller.model.selected == "rogers"
    assert shown(player) != before
    player.click(player.pixel((30, 27)))
    assert player.controller.model.selected is None


def test_everything_the_overlays_show_is_on_the_screen(player: Player) -> None:
    player.pick("rogers")
    whole = shown(player)
    for overlay in Overlay:
        key = pygame.key.key_code(TABLES[TABLE].by_word[f"overlay:{overlay}"].keys[0])
        player.key(key)
        player.settle()
        assert (overlay in player.controller.model.overlays) == (overlay not in USUAL)
        assert shown(player) != whole, overlay
        player.key(key)
        player.settle()
        assert (overlay in player.controller.model.overlays) == (overlay in USUAL)
    player.key(pygame.K_n)
    assert player.controller.model.overlays == set(Overlay)
    player.key(pygame.K_n)
    assert player.controller.model.overlays == USUAL


def test_what_is_kept_from_frame_to_frame_is_what_would_be_painted_anew(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With everything shown, a unit held here and there, zoomed and put down: nothing kept is out of date."""
    clock = [0]
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: clock[0])

    def rested() -> bytes:
        for _ in range(3):
            clock[0] += 1000
            player.settle()
        return shown(player)

    def check() -> None:
        kept = rested()
        player.window.canvas = Canvas()
        assert rested() == kept

    player.pick("rogers")
    player.key(pygame.K_n)
    check()
    x, y = player.at("rogers")
    player.down(player.pixel((x, y)))
    for dx, dy in ((1.0, 0.5), (1.5, 1.0), (-2.0, -0.5), (-2.0, -0.6)):
        player.point((x + dx, y + dy))
        check()
    player.wheel(2)
    check()
    player.key(pygame.K_ESCAPE)
    player.point(player.at(player.controller.model.battle.enemies(player.controller.model.battle.unit("rogers"))[0].id))
    check()


@pytest.mark.parametrize("overlay", Overlay)
def test_overlays_by_button(player: Player, overlay: Overlay) -> None:
    player.press(f"overlay:{overlay}")
    assert player.controller.model.overlays == USUAL ^ {overlay}
    player.press(f"overlay:{overlay}")
    assert player.controller.model.overlays == USUAL


def test_pointing_at_a_unit_shows_its_card(player: Player) -> None:
    player.point(player.at("foy"))
    card = captions.card(player.controller.model)
    assert "Foy" in card
    assert "Deployed, facing 180" in card
    player.point((35, 27))
    assert "A small table" in captions.card(player.controller.model)


def test_pointing_at_an_enemy_tells_why_it_is_marked_so(player: Player) -> None:
    player.pick("rogers")
    player.point(player.at("foy"))
    player.settle()
    told = captions.proof(player.controller.model)
    assert "Foy: can fire" in told
    assert "TSE-FIR-01" in told
    assert inset.looked_at(player.controller.model) is None, (
        "over open level ground a section would only hide the table"
    )
    player.point(player.at("husson"))
    player.settle()
    assert "Husson: " in captions.proof(player.controller.model)
    assert "Husson: can fire" not in captions.proof(player.controller.model)


def test_tab_goes_round_all_units(player: Player) -> None:
    names = [u.id for u in player.controller.model.battle.units]
    player.key(pygame.K_TAB)
    assert player.controller.model.selected == names[0]
    player.key(pygame.K_TAB)
    assert player.controller.model.selected == names[1]
    player.key(pygame.K_TAB, pygame.KMOD_SHIFT)
    player.key(pygame.K_TAB, pygame.KMOD_SHIFT)
    assert player.controller.model.selected == names[-1]


# --- moving ----------------------------------------------------------------------------------------------------------


def test_a_legal_move_is_made_on_release(player: Player) -> None:
    player.pick("kempt")
    before = shown(player)
    player.hold("kempt", (10, 11), (10, 13))
    ghost, verdict = player.controller.model.ghost, player.controller.model.verdict("move")
    assert ghost is not None
    assert verdict is not None
    assert verdict.holds
    assert ghost.at == pytest.approx((10, 13), abs=0.01)
    assert shown(player) != before
    told = captions.proof(player.controller.model)
    assert "cost <b>" in told
    assert " of " in told
    assert player.at("kempt") != ghost.at, "nothing is committed while it is held"
    player.up(player.pixel((10, 13)))
    assert player.at("kempt") == ghost.at
    assert player.controller.model.drag is None


def test_an_illegal_move_is_not_made(player: Player) -> None:
    player.pick("kempt")
    start = player.at("kempt")
    player.hold("kempt", (10, 14), (10, 21))
    verdict = player.controller.model.verdict("move")
    assert verdict is not None
    assert not verdict.holds
    assert ">No<" in captions.proof(player.controller.model)
    player.up(player.pixel((10, 21)))
    assert player.at("kempt") == start
    assert "Not a legal move" in captions.status(player.controller.model)
    player.key(pygame.K_ESCAPE)
    assert "Not a legal move" not in captions.status(player.controller.model)


def test_a_free_move_goes_anywhere_and_is_taken_back(player: Player) -> None:
    player.pick("kempt")
    start = player.at("kempt")
    player.press(f"action:{FREE}")
    assert player.controller.model.action == FREE
    player.drag("kempt", (33, 25))
    assert player.at("kempt") == pytest.approx((33, 25), abs=0.05)
    player.key(pygame.K_z, pygame.KMOD_LCTRL)
    assert player.at("kempt") == start


def test_actions_by_button_ask_for_another_reach(player: Player) -> None:
    player.pick("kempt")
    first = player.controller.model.verdict("reach")
    player.press("action:march")
    player.settle()
    second = player.controller.model.verdict("reach")
    assert first is not None
    assert second is not None
    assert first.options != second.options


def test_the_wheel_turns_what_is_in_hand(player: Player) -> None:
    player.pick("kempt")
    scale = player.window.camera.scale
    player.hold("kempt", (10, 11))
    ghost = player.controller.model.ghost
    assert ghost is not None
    player.wheel(1)
    player.settle()
    turned = player.controller.model.ghost
    assert turned is not None
    assert turned.facing == pytest.approx((ghost.facing + 15) % 360, abs=0.02)
    assert player.window.camera.scale == scale


def test_keys_turn_a_unit_where_it_stands_and_enter_puts_it_down(player: Player) -> None:
    player.pick("rogers")
    player.key(pygame.K_e)
    player.key(pygame.K_e)
    player.key(pygame.K_q, pygame.KMOD_SHIFT)
    player.settle()
    ghost = player.controller.model.ghost
    assert ghost is not None
    assert ghost.facing == pytest.approx(29)
    player.key(pygame.K_RETURN)
    player.settle()
    assert player.controller.model.battle.unit("rogers").facing == pytest.approx(29)


def test_space_fixes_the_way(player: Player) -> None:
    player.pick("kempt")
    player.hold("kempt", (11, 11.5))
    player.key(pygame.K_SPACE)
    player.point((11, 13))
    player.settle()
    verdict = player.controller.model.verdict("move")
    assert verdict is not None
    assert player.controller.model.drag is not None
    assert len(player.controller.model.drag.waypoints) == 1
    assert len(verdict.options["path"]) == 2


def test_w_lets_the_judge_find_the_way(player: Player) -> None:
    player.pick("kempt")
    player.hold("kempt", (12, 12))
    player.key(pygame.K_w)
    player.settle()
    verdict = player.controller.model.verdict("move")
    assert verdict is not None
    assert "to" in verdict.options
    player.key(pygame.K_ESCAPE)


def test_escape_lets_go_then_selects_nothing(player: Player) -> None:
    player.pick("kempt")
    start = player.at("kempt")
    player.hold("kempt", (10, 12))
    player.key(pygame.K_ESCAPE)
    assert player.controller.model.drag is None
    player.move(player.pixel((10, 13)))
    assert player.controller.model.drag is None, "the button is still down, but the unit is no longer in hand"
    player.up(player.pixel((10, 12)))
    assert player.at("kempt") == start
    assert player.controller.model.selected == "kempt"
    player.key(pygame.K_ESCAPE)
    assert player.controller.model.selected is None


def test_a_general_rides(player: Player) -> None:
    player.pick("picton")
    player.drag("picton", (13, 10))
    assert player.at("picton") == pytest.approx((13, 10), abs=0.05)


def test_let_go_before_the_answer_is_in_the_unit_is_put_down_when_it_comes(battle: Battle) -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    slow = InlineJudgeWorker(battle, batch=0)
    window = Window(battle, slow, InlineJudgeWorker(battle))
    player = Player(window)
    player.controller.select("kempt")
    player.hold("kempt", (10, 12))
    player.up(player.pixel((10, 13)))
    assert player.controller.model.drag is not None
    start = player.at("kempt")
    slow._batch = 1000
    player.settle()
    assert player.controller.model.drag is None
    assert player.at("kempt") == pytest.approx((10, 13), abs=0.01)
    assert player.at("kempt") != start


# --- tape and sight line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "word", "tool"),
    [
        (pygame.K_t, "tool:tape", Tool.TAPE),
        (pygame.K_l, "tool:sight", Tool.SIGHT),
        (pygame.K_h, "tool:hand", Tool.HAND),
    ],
)
def test_tools_by_key_and_by_button(player: Player, key: int, word: str, tool: Tool) -> None:
    player.key(key)
    assert player.controller.model.tool is tool
    player.press("tool:tape" if tool is not Tool.TAPE else "tool:hand")
    assert player.controller.model.tool is not tool
    player.press(word)
    assert player.controller.model.tool is tool


def test_a_tape_between_two_points(player: Player) -> None:
    player.key(pygame.K_t)
    a, b = player.pixel((2, 2)), player.pixel((5, 6))
    player.click(a)
    player.move(b)
    player.click(b)
    stretch = player.controller.model.stretch
    assert stretch is not None
    assert stretch.laid
    assert "5.0" in captions.proof(player.controller.model)
    laid = stretch.end
    player.move((40, 40))
    assert player.controller.model.stretch is not None
    assert player.controller.model.stretch.end == laid
    player.key(pygame.K_ESCAPE)
    assert player.controller.model.stretch is None
    player.key(pygame.K_ESCAPE)
    assert player.controller.model.tool is Tool.HAND


def test_a_tape_between_two_units_is_the_judge_s_distance(player: Player) -> None:
    player.key(pygame.K_t)
    player.click(player.pixel(player.at("rogers")))
    player.click(player.pixel(player.at("foy")))
    player.settle()
    verdict = player.controller.model.verdict("stretch")
    assert verdict is not None
    assert verdict.question == "distance"
    assert f"{verdict.measured['distance']:.2f}" in captions.proof(player.controller.model)


def test_a_sight_line_between_units_shows_proof_and_side_view(player: Player) -> None:
    player.key(pygame.K_l)
    player.click(player.pixel(player.at("rogers")))
    before = shown(player)
    player.click(player.pixel(player.at("husson")))
    player.settle()
    verdict = player.controller.model.verdict("stretch")
    assert verdict is not None
    assert verdict.question == "los"
    assert verdict.margin is not None or verdict.too_close is not None, "a line that is laid has its margin"
    told = captions.proof(player.controller.model)
    assert "Rogers to Husson" in told
    assert "TSE-LOS" in told
    assert inset.looked_at(player.controller.model) is verdict
    assert shown(player) != before


def test_a_sight_line_between_two_points(player: Player) -> None:
    player.key(pygame.K_l)
    player.click(player.pixel((20, 15)))
    player.click(player.pixel((30, 15)))
    player.settle()
    verdict = player.controller.model.verdict("stretch")
    assert verdict is not None
    assert verdict.question == "line"
    assert not verdict.holds, "the wood stands between"


def test_the_side_view_keeps_off_the_line_it_is_of(player: Player) -> None:
    player.key(pygame.K_l)
    player.click(player.pixel((1, 1)))
    player.click(player.pixel((8, 4)))
    player.settle()
    camera = player.window.camera
    table = player.window.surface.subsurface((0, 0, camera.width, camera.height))
    place = inset.draw(table, player.controller.model, camera)
    assert place is not None
    assert table.get_rect().contains(place)
    assert not place.clipline(player.pixel((1, 1)), player.pixel((8, 4)))


def test_the_side_view_hides_what_least_of_the_units_lies_under() -> None:
    """A long line whose middle is free of the corner lies half under it all the same."""
    table, ends = pygame.Rect(0, 0, 1000, 600), [(500.0, 300.0), (510.0, 300.0)]
    below = [pygame.Rect(0, 300, 1000, 290)]
    long = pygame.Rect(900, 0, 20, 560)
    assert inset._free_corner(table, ends, [*below, long], 1.0).topleft == (inset.AWAY, inset.AWAY)


# --- the window itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720), (640, 400), (200, 120), (1, 1)])
def test_any_size_of_window(player: Player, size: tuple[int, int]) -> None:
    player.pick("rogers")
    pygame.display.set_mode(size, pygame.RESIZABLE)
    player.tell(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
    for point in ((0, 0), (size[0] - 1, size[1] - 1), (size[0] // 2, size[1] // 2)):
        player.click(point)
        player.wheel(1)
    player.key(pygame.K_F1)
    player.settle()
    assert player.open


@pytest.mark.parametrize("size", [(1280, 720), (960, 600), (1600, 1000)])
def test_nothing_of_the_panel_overlaps(player: Player, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    player.tell(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
    player.pick("kempt")
    panel = player.window.panel
    rects = [e.get_abs_rect() for e in (*panel._buttons, *panel._boxes.values())]
    assert len(rects) > 10
    assert all(any(place.contains(rect) for place in panel.layout.docked) for rect in rects)
    assert not [(a, b) for i, a in enumerate(rects) for b in rects[:i] if a.colliderect(b)]


def test_every_label_has_room_on_its_button(player: Player) -> None:
    player.pick("kempt")
    for button in player.window.panel._buttons:
        font = button.font
        assert font is not None
        assert font.size(button.text)[0] <= button.get_abs_rect().width - 4, button.text


def test_the_sheet_of_keys_by_key_and_by_button(player: Player) -> None:
    before = shown(player)
    player.key(pygame.K_F1)
    assert player.window.helping
    assert shown(player) != before
    player.key(pygame.K_ESCAPE)
    assert not player.window.helping
    player.press("help:")
    assert player.window.helping


def test_closing_in_the_middle_of_a_drag(player: Player) -> None:
    player.pick("kempt")
    player.hold("kempt", (10, 12))
    player.tell(pygame.QUIT)
    assert not player.open


def test_a_question_that_cannot_be_put_reads_calmly(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Verdict:
        raise BadQuestion("'kempt' has no answer to that; ask another")

    monkeypatch.setattr(judge_worker, "ask", refuse)
    player.pick("kempt")
    player.point(player.at("foy"))
    player.settle()
    assert "<i>Kempt has no answer to that; ask another.</i>" in captions.proof(player.controller.model)
    player.drag("kempt", (10, 13))
    assert "has no answer" in captions.status(player.controller.model)
    monkeypatch.undo()
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    player.pick("rogers")
    assert player.controller.model.verdict("field") is not None, "the window lives on"


def test_a_judge_that_dies_is_replaced_and_what_was_asked_is_answered(battle: Battle) -> None:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    window = Window(battle, JudgeWorker(battle), InlineJudgeWorker(battle))
    try:
        player = Player(window)
        quick = window.controller.judge.quick
        assert isinstance(quick, JudgeWorker)
        quick._process.terminate()
        quick._process.join(10)
        player.click(player.pixel(player.at("kempt")))
        player.settle()
        player.wheel(1)
        assert player.open
        end = time.monotonic() + 60.0  # a new process has to begin
        while player.controller.model.verdict("field") is None and time.monotonic() < end:
            player.settle()
            time.sleep(0.05)
        assert player.controller.model.verdict("field") is not None
    finally:
        window.close()


def test_when_no_further_process_can_be_started_that_is_told(battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> list[tuple[Hashable, Answer]]:
        raise OSError("Resource temporarily unavailable")

    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    window = Window.inline(battle)
    monkeypatch.setattr(window.controller.judge.quick, "take", none_left)
    player = Player(window)
    player.wheel(1)
    assert player.open
    assert "ended" in captions.status(player.controller.model)


def table_shown(battle: Battle, size: tuple[int, int], scale: float) -> tuple[np.ndarray, list[Text]]:
    """The table's part of a window with a unit selected and the keys laid over it; and the names on it."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size)
    window = Window.inline(battle, scale)
    player = Player(window)
    player.controller.select("kempt")
    player.controller.point_at("husson")
    player.settle()
    window.helping = True
    player.settle()
    width, height = window.view
    names = [item for item in window.canvas._drawn["names"][1].items if isinstance(item, Text)]
    return pygame.surfarray.array3d(window.surface)[:width, :height].astype(float), names


def unlike(plain: np.ndarray, fine: np.ndarray) -> float:
    """The share of pixels that differ much between a picture and one twice as large, shrunk by half."""
    width, height = (min(n, m // 2) for n, m in zip(plain.shape[:2], fine.shape[:2], strict=True))
    halved = fine[: 2 * width, : 2 * height].reshape(width, 2, height, 2, 3).mean(axis=(1, 3))
    return float((np.abs(halved - plain[:width, :height]).max(axis=2) > 90.0).mean())


def test_on_a_fine_screen_all_is_twice_as_large_lettering_included(battle: Battle) -> None:
    """At 2560 x 1600 and scale 2 the table looks as at 1280 x 800, but for edges; without the scale it does not."""
    plain, names = table_shown(battle, (1280, 800), 1.0)
    fine, larger = table_shown(battle, (2560, 1600), 2.0)
    small, _ = table_shown(battle, (2560, 1600), 1.0)
    assert names
    assert [(t.text, t.size, t.shift) for t in larger] == [(t.text, t.size, t.shift) for t in names]
    assert [t.at for t in larger] == [pytest.approx(t.at, abs=0.05) for t in names]
    assert unlike(plain, fine) < unlike(plain, small) / 2


# --- anything at all -------------------------------------------------------------------------------------------------

KEYS = [*(code for code, _ in by_code(TABLES[TABLE])), pygame.K_z, pygame.K_F5, pygame.K_a]
MODS = [0, 0, 0, pygame.KMOD_SHIFT, pygame.KMOD_CTRL]


def anything(player: Player, rng: random.Random) -> None:
    """Do one thing at random: most of it near units, all of it as events."""
    near = player.pixel(rng.choice(player.controller.model.battle.units).at)
    width, height = player.window.surface.get_size()
    at = near if rng.random() < 0.6 else (rng.randrange(width), rng.randrange(height))
    deeds = (
        lambda: player.move(at),
        lambda: player.move(at),
        lambda: player.down(at, rng.choice((1, 1, 1, 2, 3))),
        lambda: player.up(at, rng.choice((1, 1, 1, 2, 3))),
        lambda: player.click(at),
        lambda: player.key(rng.choice(KEYS), rng.choice(MODS)),
        lambda: player.key(rng.choice(KEYS), rng.choice(MODS)),
        lambda: player.wheel(rng.choice((-2, -1, 1, 2))),
        lambda: player.press(rng.choice(list(player.window.panel._buttons.values()))),
    )
    rng.choice(deeds)()


def play_at_random(player: Player, seed: int, deeds: int) -> None:
    rng = random.Random(seed)
    for _ in range(deeds):
        anything(player, rng)
        assert player.open
        units = player.controller.model.battle.units
        assert len(units) == 5
        assert player.controller.model.selected is None or player.controller.model.selected in {u.id for u in units}


def test_anything_at_all(player: Player) -> None:
    play_at_random(player, 1, 120)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(2, 22))
def test_anything_at_all_for_long(player: Player, seed: int) -> None:
    play_at_random(player, seed, 250)


def test_every_overlay_has_a_button() -> None:
    assert [key.word for key in TABLES[TABLE].buttons("overlays")] == [f"overlay:{o}" for o in Overlay]


@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_a_page_over_the_table_is_laid_in_a_window_too_small_for_it(scale: float) -> None:
    """Long words that do not fit are cut off, not refused."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((64, 48))
    panel = Panel((64, 48), scale)
    panel.lay_page(PanelPage("Rule TSE-LOS-16", f"Uninterchangeabilities {'W' * 300}", ()))
    assert panel.page_rect is not None
    panel.lay_page(None)
    assert panel.page_rect is None
