"""The settings' screen, by mouse and keys: what is chosen is in force and kept at once."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tabletop.render.drawing import measures, theme
from tabletop.render.router import App
from tabletop.render.screens import Look
from tabletop.render.settings import model
from tabletop.render.settings.model import CHOICES, Settings
from tabletop.render.settings.screen import LABELS, SCALES, Setting, setting
from tabletop.render.table import bindings


class Player:
    """Somebody at the settings."""

    def __init__(self, app: App) -> None:
        self.app = app

    @property
    def screen(self) -> Setting:
        assert isinstance(self.app.top, Setting)
        return self.app.top

    @property
    def chosen(self) -> Settings:
        return self.app.look.settings

    def tell(self, kind: int, **what: object) -> None:
        self.app.step(0.02, [pygame.event.Event(kind, dict(what))])

    def click(self, word: str) -> None:
        self.screen.turn_to(word)
        at = self.screen.words[word].center
        self.tell(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        self.tell(pygame.MOUSEBUTTONDOWN, pos=at, button=1)
        self.tell(pygame.MOUSEBUTTONUP, pos=at, button=1)

    def key(self, key: int) -> None:
        self.tell(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0)


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 720))
    monkeypatch.setattr(model, "settings_file", lambda: tmp_path / "settings.toml")
    app = App(setting(), Look(Settings()))
    yield Player(app)
    app.close()
    theme.apply_theme("plain")
    measures.wish("table")


@pytest.mark.parametrize("share", SCALES)
def test_every_size_is_in_force_at_once_and_kept(player: Player, share: int) -> None:
    player.click(f"scale:{share}")
    assert player.app.look.scale == share / 100
    assert model.read()[0].scale == share / 100 or share == 100


@pytest.mark.parametrize(("name", "value"), [(n, v) for n in LABELS for v in CHOICES[n]])
def test_every_choice_can_be_clicked_and_is_kept(player: Player, name: str, value: object) -> None:
    player.click(f"{name}:{value}")
    assert getattr(player.chosen, name) == value
    assert getattr(model.read()[0], name) == value


def test_what_is_drawn_and_said_follows(player: Player) -> None:
    before = pygame.image.tobytes(player.screen.surface, "RGB")
    player.click("palette:grey")
    player.click("symbols:nato")
    player.click("units:centimetres")
    assert (theme.current_palette(), theme.symbols(), measures.wished()) == ("grey", "nato", "cm")
    assert pygame.image.tobytes(player.screen.surface, "RGB") != before


def test_a_key_is_put_elsewhere_and_does_there_what_it_did(player: Player) -> None:
    player.click("key:tape")
    player.key(pygame.K_d)
    assert player.chosen.keys == {"tape": "d"} and player.screen.waiting is None
    pressed = [pygame.event.Event(pygame.KEYDOWN, key=key, mod=0) for key in (pygame.K_d, pygame.K_t, pygame.K_h)]
    heard = [event.key for event in bindings.usual(pressed, player.chosen.keys)]
    assert heard == [pygame.K_t, pygame.K_UNKNOWN, pygame.K_h]


def test_a_key_in_use_is_refused_by_name(player: Player) -> None:
    player.click("key:tape")
    player.key(pygame.K_h)
    assert "H already does: move units by hand" in player.screen.note
    player.key(pygame.K_RETURN)
    assert "Return stays what it is" in player.screen.note and player.screen.waiting == "tape"
    player.key(pygame.K_ESCAPE)
    assert player.screen.waiting is None and player.chosen.keys == {}


def test_two_keys_can_change_places(player: Player) -> None:
    for name, key in (("tape", pygame.K_d), ("sight", pygame.K_t), ("tape", pygame.K_l)):
        player.click(f"key:{name}")
        player.key(key)
    assert player.chosen.keys == {"tape": "l", "sight": "t"}
    pressed = [pygame.event.Event(pygame.KEYDOWN, key=key, mod=0) for key in (pygame.K_l, pygame.K_t)]
    assert [e.key for e in bindings.usual(pressed, player.chosen.keys)] == [pygame.K_t, pygame.K_l]


def test_a_key_put_back_is_no_longer_kept(player: Player) -> None:
    for key in (pygame.K_d, pygame.K_t):
        player.click("key:tape")
        player.key(key)
    assert player.chosen.keys == {}


def test_commands_with_control_stay_what_they_are() -> None:
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_z, mod=pygame.KMOD_CTRL)
    assert bindings.usual([event], {"tape": "z"}) == [event]


def test_everything_as_usual(player: Player) -> None:
    player.click("palette:grey")
    player.click("scale:150")
    player.click("usual")
    assert player.chosen == Settings() and model.read()[0] == Settings()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (800, 600), (640, 400)])
@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_everything_can_be_reached_whatever_the_window(player: Player, size: tuple[int, int], scale: float) -> None:
    pygame.display.set_mode(size)
    player.click(f"scale:{round(scale * 100)}")
    screen = player.screen
    for word in screen.words:
        screen.turn_to(word)
        rect = screen.words[word]
        assert rect.left >= 0 and rect.right <= size[0], word
        assert rect.bottom > 0 and rect.top < size[1], word


def test_every_binding_has_a_key_of_its_own() -> None:
    assert len({row.key for row in bindings.BINDINGS}) == len(bindings.BINDINGS)
    assert all(pygame.key.key_code(row.key) for row in bindings.BINDINGS)
