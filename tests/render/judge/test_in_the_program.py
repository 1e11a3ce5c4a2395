"""The judge's table as one screen of the program: its own process and threads, leaving it, files dropped, resizing."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from tabletop import cli
from tabletop.errors import Unreadable
from tabletop.judge import judge
from tabletop.play.files.draft import empty
from tabletop.play.files.load import load_scene
from tabletop.render import rooms
from tabletop.render.destinations import ToJudge
from tabletop.render.judge.controller import Mode
from tabletop.render.judge.screen import JudgingScreen, judging
from tabletop.render.router import App
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings
from tests.render.judge.driver import SIZE, Umpire, at_the_table

ROOT = Path(__file__).parents[3]
SHADOW = ROOT / "scenarios" / "tse" / "disputes" / "level-shadow.yaml"
#: Seconds waited for a process or a thread at the most.
PATIENCE = 240.0


@pytest.fixture
def window() -> Iterator[None]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE, pygame.RESIZABLE)
    pygame.event.clear()
    yield
    pygame.event.clear()


def until(app: App, done: Callable[[], bool]) -> None:
    """Go on showing frames until something has come."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "nothing came"
        app.step(0.02)
        time.sleep(0.005)


def screen_of(app: App) -> JudgingScreen:
    screen = app.top
    assert isinstance(screen, JudgingScreen)
    return screen


def test_its_own_process_answers_and_a_thread_writes_the_card(window: None, tmp_path: Path) -> None:
    app = App(judging(SHADOW), Look(Settings()))
    try:
        screen = screen_of(app)
        controller = screen.controller
        controller.turn_to(Mode.ASK)
        app.step(0.02)
        for name in ("low-guns", "middle"):
            controller.click(controller.battle.unit(name).at)
        assert controller.asking.waits
        until(app, lambda: controller.verdict is not None)
        wanted = judge(load_scene(SHADOW), "los", ("low-guns", "middle"))
        assert controller.verdict is not None and controller.verdict.as_json() == wanted.as_json()
        controller.turn_to(Mode.CARD)
        app.step(0.02)
        from tabletop.render.judge import commands

        commands.do(screen, "card:.pdf")
        commands.do(screen, "file:", str(tmp_path / "shadow.pdf"))
        commands.do(screen, "choose:")
        assert screen.printer.busy
        until(app, lambda: not screen.printer.busy)
        assert (tmp_path / "shadow.pdf").read_bytes().startswith(b"%PDF")
        assert load_scene(tmp_path / "shadow.yaml") == load_scene(SHADOW)
    finally:
        app.close()


def test_the_start_screen_s_door_leads_here(window: None) -> None:
    app = App(rooms.room(ToJudge()), Look(Settings()))
    try:
        assert screen_of(app).controller.draft.units == ()
        assert app.step(0.02)
    finally:
        app.close()


def test_what_is_not_saved_is_said_once_before_it_is_left(window: None) -> None:
    app = App(judging(SHADOW), Look(Settings()))
    app.stack.append(judging()(app.look))
    try:
        screen = screen_of(app)
        screen.controller.do(
            screen.controller.draft.with_rows(
                terrain=[{"id": "w", "kind": "woods", "outline": [[1, 1], [4, 1], [3, 4]]}]
            )
        )
        press = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_w, mod=pygame.KMOD_LCTRL, unicode="", scancode=0)
        app.step(0.02, [press])
        assert app.top is screen and "not saved" in app.notice
        app.notice = ""
        app.step(0.02, [press])
        assert app.top is not screen
    finally:
        app.close()


def test_a_faulty_file_is_refused_before_anything_opens(capsys: pytest.CaptureFixture[str]) -> None:
    faulty = ROOT / "docs" / "examples" / "faulty-map.yaml"
    with pytest.raises(Unreadable):
        judging(faulty)(Look(Settings()))
    assert cli.status(["judge-table", str(faulty)]) == 2
    assert "did you mean 'outline'?" in capsys.readouterr().err


def test_a_faulty_file_dropped_on_it_leaves_the_table_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("format: tabletop-scene/1\ntitle: x\n", "utf-8")
    with at_the_table(empty("tse", 30, 20)) as umpire:
        before = umpire.controller.draft
        for path in (tmp_path / "a.yaml", tmp_path / "none.yaml", tmp_path / "none.jsonl", tmp_path / "none.jpg"):
            umpire.drop(path)
            assert umpire.controller.draft is before
            assert umpire.controller.note or umpire.controller.backdrop.note
        assert not umpire.screen.dropped(tmp_path / "notes.txt")


def test_what_is_there_already_is_written_over_only_when_it_is_chosen_twice(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine", "utf-8")
    with at_the_table(empty("tse", 30, 20)) as umpire:
        umpire.press("save:")
        umpire.write("file", str(path))
        umpire.press("choose:")
        assert path.read_text("utf-8") == "mine" and umpire.screen.chooser is not None
        umpire.press("choose:")
        assert umpire.screen.chooser is None and load_scene(path).table.width == 30.0
        umpire.press("tab:table")
        umpire.write("title", "Again")
        umpire.key(pygame.K_ESCAPE)
        umpire.click((5, 5))
        umpire.key(pygame.K_s, pygame.KMOD_LCTRL)
        assert load_scene(path).title == "Again"


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with at_the_table(empty("tse", 30, 20)) as umpire:
        umpire.press("save:")
        umpire.write("file", str(tmp_path / "a.yaml" / "b.yaml"))
        (tmp_path / "a.yaml").write_text("in the way", "utf-8")
        umpire.press("choose:")
        assert umpire.screen.chooser is not None and "cannot be written" in umpire.screen.chooser.note
        assert umpire.controller.changed or umpire.controller.path is None


def test_another_size_of_window_and_another_scale() -> None:
    with at_the_table(empty("tse", 30, 20)) as umpire:
        for size in ((900, 560), (2400, 1400), (640, 400), (1280, 720)):
            pygame.display.set_mode(size, pygame.RESIZABLE)
            umpire.tell(pygame.VIDEORESIZE, w=size[0], h=size[1], size=size)
            umpire.wait()
            assert umpire.screen.surface.get_size() == size
        umpire.screen.shown(Look(Settings(), 2.0))
        umpire.wait()
        umpire.press("tab:place")
        umpire.press("troop:infantry")
        umpire.click((15, 10))
        assert len(umpire.controller.draft.units) == 1


KEYS = (
    pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_DELETE, pygame.K_BACKSPACE, pygame.K_q, pygame.K_e, pygame.K_v,
    pygame.K_LEFT, pygame.K_HOME, pygame.K_F2, pygame.K_F3, pygame.K_F4, pygame.K_F5, pygame.K_F6, pygame.K_F7,
)  # fmt: skip
COMMANDS = (pygame.K_z, pygame.K_y, pygame.K_d, pygame.K_c, pygame.K_a)


def anything(umpire: Umpire, draw: random.Random) -> None:
    """Do something or other, anywhere."""
    acts: list[Callable[[], None]] = [
        lambda: umpire.click_pixel((draw.randrange(SIZE[0]), draw.randrange(SIZE[1])), draw.choice((1, 1, 3))),
        lambda: umpire.drag((draw.uniform(0, 70), draw.uniform(0, 48)), (draw.uniform(0, 70), draw.uniform(0, 48))),
        lambda: umpire.press(draw.choice([w for w in umpire.screen.form.words if w not in ("back:", "choose:")])),
        lambda: umpire.tell(pygame.TEXTINPUT, text=draw.choice(("1", "9", ".", "-", "x", "inf", "1e9", " ", "é"))),
        lambda: umpire.key(draw.choice(COMMANDS), pygame.KMOD_LCTRL),
        lambda: umpire.key(draw.choice(KEYS), draw.choice((0, pygame.KMOD_LSHIFT))),
        lambda: umpire.tell(pygame.MOUSEWHEEL, x=0, y=draw.choice((-1, 1)), flipped=False),
    ]
    draw.choice(acts)()


def wildly(seed: int, count: int) -> None:
    draw = random.Random(seed)
    with at_the_table(empty("tse", 72, 48)) as umpire:
        for _ in range(count):
            anything(umpire, draw)
            controller = umpire.controller
            assert controller.laid.draft is controller.draft
            assert all(controller.draft.has(name) for name in controller.selected)
            assert controller.verdict is None or controller.laid.sound


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_clicked_and_typed_it_goes_on(seed: int) -> None:
    wildly(seed, 120)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10, 22))
def test_whatever_is_clicked_and_typed_for_long_it_goes_on(seed: int) -> None:
    wildly(seed, 1500)


def test_enter_saves_under_the_name_being_typed_and_escape_leaves_the_line(tmp_path: Path) -> None:
    with at_the_table(empty("tse", 30, 20)) as umpire:
        umpire.press("save:")
        umpire.write("file", str(tmp_path / "a.yaml"))
        assert umpire.screen.form.typing
        umpire.key(pygame.K_RETURN)
        assert (tmp_path / "a.yaml").is_file() and umpire.screen.chooser is None
        umpire.write("title", "Once more")
        umpire.key(pygame.K_ESCAPE)
        umpire.wait()
        assert not umpire.screen.form.typing and umpire.controller.draft.title == "Once more"
        umpire.write("title", "And again")
        umpire.key(pygame.K_z, pygame.KMOD_LCTRL)
        assert not umpire.screen.form.typing
        assert umpire.controller.draft.title != "And again"
        umpire.write("title", "Kept")
        umpire.key(pygame.K_s, pygame.KMOD_LCTRL)
        assert load_scene(tmp_path / "a.yaml").title == "Kept"


def test_a_name_can_be_typed_at_once(tmp_path: Path) -> None:
    with at_the_table(empty("tse", 30, 20)) as umpire:
        umpire.key(pygame.K_s, pygame.KMOD_LCTRL)
        umpire.wait()
        for letter in str(tmp_path / "b.yaml"):
            umpire.tell(pygame.TEXTINPUT, text=letter)
        umpire.key(pygame.K_RETURN)
        assert (tmp_path / "b.yaml").is_file()
