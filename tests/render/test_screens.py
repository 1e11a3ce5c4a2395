"""The stack of screens: going on, back and home, other settings, and what breaks inside."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame
import pytest

from tabletop.errors import BadQuestion
from tabletop.render import error_report
from tabletop.render.router import App
from tabletop.render.screens import Back, Going, Keep, Leave, Look, Open, Screen, Set
from tabletop.render.settings import model
from tabletop.render.settings.model import Settings


class Plain:
    """A screen that notes what is done with it."""

    def __init__(self, look: Look) -> None:
        self.look, self.heard, self.closed = look, 0, False
        self.going: Going | None = None
        self.breaks = False

    def frame(self, events: Sequence[pygame.event.Event], seconds: float) -> None:
        self.heard += len(events)
        if self.breaks:
            raise ValueError("a thing that cannot be")

    def shown(self, look: Look) -> None:
        self.look = look

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((800, 600))
    monkeypatch.setattr(error_report, "reports_folder", lambda: tmp_path / "logs")
    monkeypatch.setattr(model, "settings_file", lambda: tmp_path / "settings.toml")
    found = App(Plain, Look(Settings()))
    yield found
    found.close()


def go(app: App, going: Going) -> None:
    app.top.going = going
    app.step(0.02, [])


def test_a_screen_opens_over_another_and_leads_back(app: App) -> None:
    first = app.top
    go(app, Open(Plain))
    second = app.top
    assert second is not first and len(app.stack) == 2
    go(app, Open(Plain, instead=True))
    assert len(app.stack) == 2 and second.closed  # type: ignore[attr-defined]
    go(app, Back())
    assert app.top is first


def test_home_leaves_all_but_the_first(app: App) -> None:
    first = app.top
    for _ in range(3):
        go(app, Open(Plain))
    go(app, Back(home=True))
    assert app.stack == [first]


def test_the_program_ends_with_its_last_screen(app: App) -> None:
    app.top.going = Back()
    assert not app.step(0.02, [])


def test_leaving_closes_every_screen(app: App) -> None:
    go(app, Open(Plain))
    screens = list(app.stack)
    app.top.going = Leave()
    assert not app.step(0.02, [])
    assert all(screen.closed for screen in screens)  # type: ignore[attr-defined]


def test_a_screen_that_cannot_be_made_is_a_word_not_an_end(app: App) -> None:
    def broken(look: Look) -> Screen:
        raise BadQuestion("that file is no game")

    first = app.top
    go(app, Open(broken, instead=True))
    assert app.top is first and app.notice == "that file is no game"
    key = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a)
    app.step(0.02, [key])
    assert app.notice == "" and first.heard == 0  # type: ignore[attr-defined]
    app.step(0.02, [key])
    assert first.heard == 1  # type: ignore[attr-defined]


def test_what_breaks_inside_is_said_written_down_and_lived_through(app: App, tmp_path: Path) -> None:
    go(app, Open(Plain))
    app.top.breaks = True  # type: ignore[attr-defined]
    assert app.step(0.02, [])
    assert "ValueError: a thing that cannot be" in app.notice and "report-" in app.notice
    reports = list((tmp_path / "logs").glob("report-*.txt"))
    assert len(reports) == 1 and "Traceback" in reports[0].read_text()
    assert app.step(0.02, []) and len(app.stack) == 2
    assert app.step(0.02, []) and len(app.stack) == 1, "three failures in a row leave the screen"


def test_old_reports_make_room(app: App, tmp_path: Path) -> None:
    for _ in range(error_report.MOST_REPORTS + 5):
        error_report.write_report(ValueError("x"))
    assert len(list((tmp_path / "logs").glob("report-*.txt"))) == error_report.MOST_REPORTS


def test_settings_are_taken_over_and_kept(app: App, tmp_path: Path) -> None:
    go(app, Set(app.look.settings.changed(scale=1.5, symbols="nato")))
    assert app.look.scale == 1.5 and app.top.look.settings.symbols == "nato"  # type: ignore[attr-defined]
    assert model.read() == (Settings(scale=1.5, symbols="nato"), "")


def test_what_is_kept_by_the_way_lets_a_screen_be_as_it_is(app: App) -> None:
    before = app.top.look  # type: ignore[attr-defined]
    go(app, Keep(app.look.settings.changed(overlays=("zone",))))
    assert app.top.look is before and app.look.settings.overlays == ("zone",)  # type: ignore[attr-defined]
    assert model.read()[0].overlays == ("zone",)


def test_settings_go_through_their_file(tmp_path: Path) -> None:
    path = tmp_path / "here" / "settings.toml"
    chosen = Settings(2.0, "grey", "nato", "fast", True, "centimetres", ("arc",), True, False, True, {"save": 'F5 "\\'})
    assert chosen.keep(path) == ""
    assert model.read(path) == (chosen, "")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("scale = 9", "'scale'"),
        ("sound = 1", "'sound'"),
        ("colour = 'x'", "'colour'"),
        ("[keys]\na = 1", "'keys'"),
        ("overlays = ['arc', 'x']", "'overlays'"),
        ("overlays = 'arc'", "'overlays'"),
    ],
)
def test_a_setting_that_will_not_do_is_said_and_left(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('symbols = "nato"\n' + text)
    found, said = model.read(path)
    assert found == Settings(symbols="nato") and word in said and str(path) in said


def test_a_file_that_is_no_settings_is_said(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe = [")
    found, said = model.read(path)
    assert found == Settings() and "cannot be read" in said


def test_settings_that_cannot_be_kept_are_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "cannot be kept" in Settings().keep(tmp_path / "file" / "settings.toml")


class Painted(Plain):
    """A screen that notes that it is deep under others."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.deep = 0

    def covered(self) -> None:
        self.deep += 1


def test_a_screen_deep_under_others_lets_go_of_its_pictures(app: App) -> None:
    """Not the one right under the top one, to which one comes back soon; one without pictures is left alone."""
    go(app, Open(Painted))
    painted = app.top
    assert isinstance(painted, Painted)
    go(app, Open(Plain))
    assert painted.deep == 0
    go(app, Open(Plain))
    assert painted.deep == 1


def test_how_long_nothing_has_happened(app: App) -> None:
    app.step(0.25, [])
    app.step(0.25, [])
    assert app.still == 0.5
    app.step(0.25, [pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1), rel=(0, 0), buttons=(0, 0, 0))])
    assert app.still == 0.0
