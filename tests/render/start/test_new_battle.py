"""A new battle: the cards, and the page on which it is begun."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest

from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.players import PLAYERS
from tabletop.play.saves import library, save
from tabletop.play.saves.library import Field, Unfit
from tabletop.render.drawing.lettering import width
from tabletop.render.start import cards, pictures
from tabletop.render.start.background_jobs import InlineJobs
from tabletop.render.start.battles import Battles
from tabletop.render.start.setting_up import SettingUp
from tabletop.rules import rule_set
from tests.games.positions import ROOT
from tests.render.start.conftest import Visit
from tests.render.start.visitor import DRILL, SKIRMISH, Visitor


def field(path: Path) -> Field:
    found = library.field(path)
    assert isinstance(found, Field)
    return found


def set_up(visit: Visit, path: Path = SKIRMISH, size: tuple[int, int] = (1280, 720), scale: float = 1.0) -> Visitor:
    return visit(lambda look: SettingUp(look, field(path)), size, scale)


def the_page(visitor: Visitor) -> SettingUp:
    assert isinstance(visitor.page, SettingUp)
    return visitor.page


def test_every_battle_of_every_rule_set_has_a_card_with_its_field(visit: Visit) -> None:
    visitor = visit(Battles)
    page = visitor.page
    assert isinstance(page, Battles)
    assert {found.battle.rules for found in page.contents.values() if isinstance(found, Field)} == set(rule_set.NAMES)
    assert {path.name for path in page.pictures} >= {"quatre-bras.yaml", "starter.yaml", "wachau.yaml"}
    assert {f"battle:{path}" for path in page.pictures} == {w for w in page.words if w.startswith("battle:")}


def test_the_first_frame_does_not_wait_for_the_battles_to_be_read(visit: Visit) -> None:
    visitor = Visitor.__new__(Visitor)
    pygame.display.init()
    pygame.display.set_mode((1280, 720))
    from tabletop.render.router import App
    from tabletop.render.screens import Look
    from tabletop.render.settings.model import Settings

    visitor.app = App(Battles, Look(Settings()))
    visitor.app.step(0.01, [])
    page = visitor.page
    assert isinstance(page, Battles) and len(page.contents) <= 1 and not page.pictures
    read = []
    for _ in range(40):
        visitor.app.step(0.01, [])
        read.append(len(page.contents) + len(page.pictures))
    assert all(after - before <= 1 for before, after in pairwise(read)), "one thing a frame"
    visitor.close()


def test_a_card_opens_its_battle(visit: Visit) -> None:
    visitor = visit(Battles)
    visitor.press(f"battle:{library.installed_battles().paths[2]}")
    assert the_page(visitor).field.path == library.installed_battles().paths[2]


def test_own_scenarios_are_there_and_broken_ones_say_why(visit: Visit) -> None:
    folder = library.own_folder()
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(SKIRMISH.read_text())
    (folder / "broken.yaml").write_text("format: tabletop-scene/1\ntitle: Half a scene\n")
    (folder / "notes.txt").write_text("not a scenario")
    visitor = visit(Battles)
    page = visitor.page
    assert isinstance(page, Battles)
    assert f"battle:{folder / 'mine.yaml'}" in page.words and f"battle:{folder / 'broken.yaml'}" not in page.words
    broken = page.contents[folder / "broken.yaml"]
    assert isinstance(broken, Unfit) and "is missing" in broken.why
    assert not any("notes" in str(path) for path in page.contents)


def test_enter_begins_with_what_is_usual(visit: Visit, games_folder: Path) -> None:
    visitor = set_up(visit)
    seed = the_page(visitor).seed
    visitor.key(pygame.K_RETURN)
    header = visitor.game.controller.game.session.header
    assert header.seed == seed and header.players == {"red": "human", "blue": "greedy"}
    assert visitor.game.controller.game.session.path == games_folder / "a-skirmish-over-a-hedge.jsonl"
    assert save.read(games_folder / "a-skirmish-over-a-hedge.jsonl").header.seed == seed


@pytest.mark.parametrize("path", [SKIRMISH, DRILL])
def test_the_players_and_the_seed_chosen_are_those_of_the_battle(visit: Visit, path: Path) -> None:
    visitor = set_up(visit, path)
    attacker, defender = the_page(visitor).field.battle.setup.sides
    visitor.press(f"seat:{attacker}:random")
    visitor.press(f"seat:{defender}:human")
    visitor.press("seed")
    visitor.type("4711")
    visitor.press("begin")
    header = visitor.game.controller.game.session.header
    assert header.seed == 4711 and header.players == {attacker: "random", defender: "human"}
    assert set(visitor.game.controller.game.computers.sides) == {attacker}


def test_every_registered_player_can_be_seated_on_either_side(visit: Visit) -> None:
    page = the_page(set_up(visit))
    assert {w for w in page.words if w.startswith("seat:")} == {
        f"seat:{s}:{p}" for s in ("red", "blue") for p in PLAYERS
    }


def test_by_keys_alone(visit: Visit) -> None:
    visitor = set_up(visit)
    page = the_page(visitor)
    for _ in range(40):
        if page.focus == "seat:blue:human":
            break
        visitor.key(pygame.K_TAB)
    visitor.key(pygame.K_SPACE)
    assert page.players["blue"] == "human"
    visitor.key(pygame.K_UP)
    assert page.focus == f"seat:red:{list(PLAYERS)[-1]}"
    visitor.key(pygame.K_RETURN)
    assert visitor.game.controller.game.session.header.players == {"red": "human", "blue": "human"}


def test_keys_put_elsewhere_in_a_battle_lead_these_pages_as_ever(visit: Visit) -> None:
    from tabletop.render.screens import Look
    from tabletop.render.settings.model import Settings

    visitor = set_up(visit)
    page = the_page(visitor)
    visitor.app.look = Look(Settings(keys={"waypoint": "b", "next": "n", "menu": "tab"}))
    for _ in range(40):
        if page.focus == "seat:blue:human":
            break
        visitor.key(pygame.K_TAB)
    visitor.key(pygame.K_SPACE)
    assert page.players["blue"] == "human"


def test_another_seed_is_another(visit: Visit) -> None:
    visitor = set_up(visit)
    seeds = set()
    for _ in range(4):
        visitor.press("another")
        seeds.add(the_page(visitor).seed)
    assert len(seeds) > 1 and None not in seeds


@pytest.mark.parametrize("text", ["", "x", "1.5", "-3", "٣", "9" * 30])
def test_a_seed_that_is_none_is_said_and_nothing_begun(visit: Visit, games_folder: Path, text: str) -> None:
    visitor = set_up(visit)
    page = the_page(visitor)
    visitor.press("seed")
    visitor.key(pygame.K_BACKSPACE)
    visitor.type(text)
    visitor.key(pygame.K_RETURN)
    assert visitor.top is page and "whole number" in page.note
    assert list(games_folder.glob("*")) == []


def test_a_file_that_is_there_is_never_written_over(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("mine")
    visitor = set_up(visit)
    visitor.press("kept")
    visitor.type(str(tmp_path / "mine.jsonl"))
    visitor.key(pygame.K_RETURN)
    assert isinstance(visitor.top, SettingUp) and "is there already" in visitor.app.notice
    assert (tmp_path / "mine.jsonl").read_text() == "mine"


def test_where_nothing_can_be_kept_it_can_be_begun_all_the_same(visit: Visit, tmp_path: Path) -> None:
    visitor = set_up(visit)
    visitor.press("kept")
    visitor.type(str(tmp_path / "no" / "folder" / "game.jsonl"))
    visitor.key(pygame.K_RETURN)
    assert isinstance(visitor.top, SettingUp) and "cannot be saved" in visitor.app.notice
    visitor.key(pygame.K_a)
    visitor.press("unkept")
    assert visitor.game.controller.game.session.path is None


def test_a_games_folder_that_cannot_be_made_is_no_hindrance(visit: Visit, games_folder: Path) -> None:
    games_folder.parent.parent.mkdir(parents=True, exist_ok=True)
    games_folder.parent.write_text("a file where a folder belongs")
    visitor = set_up(visit)
    visitor.key(pygame.K_RETURN)
    assert "cannot be saved" in the_page(visitor).note
    visitor.press("unkept")
    assert visitor.game.controller.game.session.path is None


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (640, 480), (400, 300)])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_begin_is_always_in_sight(visit: Visit, size: tuple[int, int], scale: float) -> None:
    page = the_page(set_up(visit, SKIRMISH, size, scale))
    assert pygame.Rect((0, 0), size).contains(page.words["begin"])


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160), (700, 900)])
@pytest.mark.parametrize("path", [SKIRMISH, DRILL])
def test_nothing_that_can_be_pressed_overlaps(visit: Visit, size: tuple[int, int], path: Path) -> None:
    page = the_page(set_up(visit, path, size, 2.0 if size[0] > 3000 else 1.0))
    scrolling = [page.words[s.word] for s in page.spots if s.live and not s.fixed]
    fixed = [page.words[s.word] for s in page.spots if s.live and s.fixed]
    for rects in (scrolling, fixed):
        assert all(rect.collidelist(rects[n + 1 :]) == -1 for n, rect in enumerate(rects))


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.fixture
def no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test before has left a picture."""
    monkeypatch.setattr(pictures, "cache_folder", lambda: tmp_path / "own" / "fields")


@pytest.mark.usefixtures("no_pictures")
def test_a_picture_is_painted_once_and_kept_for_these_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tabletop.render.settings.model import Settings

    pygame.display.init()
    own = tmp_path / "field.yaml"
    own.write_text(DRILL.read_text())
    found, painted = field(own), []
    paint = pictures.painted

    def counted(*what: Any, **more: Any) -> pygame.Surface:
        painted.append(1)
        return paint(*what, **more)

    monkeypatch.setattr(pictures, "painted", counted)
    first = pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings())
    again = pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings())
    assert len(painted) == 1
    assert pygame.image.tobytes(first, "RGB") == pygame.image.tobytes(again, "RGB")
    pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings(palette="grey"))
    pictures.of_files(found.battle, found.files, (300, 150), 1.0, Settings())
    own.write_text(DRILL.read_text() + "# another\n")
    pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings())
    assert len(painted) == 4


@pytest.mark.usefixtures("no_pictures")
def test_a_damaged_or_unwritable_store_of_pictures_is_no_hindrance(tmp_path: Path) -> None:
    from tabletop.render.settings.model import Settings

    pygame.display.init()
    found = field(DRILL)
    pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings())
    (kept,) = pictures.cache_folder().glob("*.png")
    kept.write_bytes(b"no picture")
    assert pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings()).get_width() > 100
    kept.unlink()
    pictures.cache_folder().rmdir()
    pictures.cache_folder().write_text("a file where a folder belongs")
    assert pictures.of_files(found.battle, found.files, (200, 150), 1.0, Settings()).get_width() > 100


@pytest.mark.usefixtures("no_pictures")
def test_old_pictures_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.render.settings.model import Settings

    pygame.display.init()
    monkeypatch.setattr(pictures, "MOST_KEPT", 3)
    found = field(SKIRMISH)
    for wide in range(100, 108):
        pictures.of_files(found.battle, found.files, (wide, 100), 1.0, Settings())
    assert len(list(pictures.cache_folder().glob("*.png"))) == 3


def test_background_jobs_return_results_and_errors() -> None:
    from tabletop.render.start.background_jobs import BackgroundJobs

    for jobs in (InlineJobs[str](), BackgroundJobs[str]()):
        jobs.ask("a", lambda: 1)
        jobs.ask("b", lambda: 1 // 0)
        found: dict[str, object] = {}
        for _ in range(2000):
            found |= dict(jobs.take())
            if not jobs.busy:
                break
            pygame.time.wait(1)
        assert found["a"] == 1 and isinstance(found["b"], ZeroDivisionError)
        jobs.close()


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_the_sides_on_a_card_are_never_cut(path: Path) -> None:
    """On the narrowest card a defender's role is left out where it does not fit; the attacker's never is."""
    battle, room = engine.opened(load_scene(path), 0), cards.CARD - 2 * cards.PAD
    labels = [label for _, label in cards.side_labels(battle, room, cards.LETTERS)]
    assert sum(cards.MARK + width(label, cards.LETTERS) for label in labels) + cards.BETWEEN <= room
    assert battle.setup.attacker is None or labels[0].endswith(" attack")
