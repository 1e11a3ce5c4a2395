"""A battle watched again in the window: played, stepped, slid, jumped to, gone on with."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tabletop.battle.codec import state_hash
from tabletop.battle.event import Changed, Event, Lost, Placed, Removed
from tabletop.errors import Unreadable
from tabletop.play.saves import autosave, replay, save
from tabletop.play.session import Session
from tabletop.render import rooms
from tabletop.render.battle.window import GameWindow
from tabletop.render.events import reel, telling
from tabletop.render.replay import screen, side
from tabletop.render.replay.rule_card import Ruled
from tabletop.render.replay.screen import replaying, replaying_session
from tabletop.render.screens import Back, Go, Look, Open
from tabletop.render.settings.model import Settings
from tabletop.rules.cards import rule_card
from tests.render.replay.watcher import DRILL, Watcher, fought


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "skirmish.jsonl"
    fought(path)
    return path


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "begun.jsonl"
    fought(path, actions=6)
    return path


@pytest.fixture
def watcher(game: Path) -> Watcher:
    return Watcher(replaying(game))


def test_an_answer_is_told_as_it_was_given(watcher: Watcher) -> None:
    """As on the button: who reads of it need not know the rules' own word for it."""
    found = [telling.heading(m) for m in watcher.screen.reel.wound().moments if m.step.action is not None]
    answers = [said.partition(" answered: ")[2] for said in found if " answered: " in said]
    assert answers and set(answers) <= {"Go first", "Go second"}


# --- where one gets to -----------------------------------------------------------------------------------------------


def test_every_moment_shown_is_the_one_saved(watcher: Watcher, game: Path) -> None:
    saved = save.read(game)
    for line in saved.lines:
        assert watcher.at == line.n
        assert state_hash(watcher.screen.head.moment.battle) == line.hash
        assert watcher.screen.stage.picture.drawn == watcher.screen.head.moment.battle
        watcher.key(pygame.K_RIGHT)
    assert watcher.at == len(saved.lines) - 1


def test_the_keys_step_and_jump(watcher: Watcher) -> None:
    last, turns = watcher.screen.reel.last, watcher.screen.reel.turns
    places = []
    keys = (
        pygame.K_END, pygame.K_LEFT, pygame.K_HOME, pygame.K_RIGHT, pygame.K_PAGEDOWN, pygame.K_PAGEDOWN,
        pygame.K_PAGEUP, pygame.K_PAGEUP, pygame.K_2, pygame.K_9,
    )  # fmt: skip
    for key in keys:
        watcher.key(key)
        places.append(watcher.at)
    second, third = turns[2], turns[3]
    assert places == [last, last - 1, 0, 1, second, third, second, 0, second, second]


def test_the_buttons_do_as_the_keys(watcher: Watcher) -> None:
    places = []
    for word in ("on", "on", "back", "turn-on", "last", "turn-back", "first"):
        watcher.press(word)
        places.append(watcher.at)
    turns, last = watcher.screen.reel.turns, watcher.screen.reel.last
    assert places == [1, 2, 1, turns[2], last, turns[3], 0]


def test_the_slide_comes_to_the_hand_and_follows_it(watcher: Watcher) -> None:
    watcher.down(watcher.rail(5))
    assert watcher.at == 5
    watcher.move(watcher.rail(9))
    assert watcher.at == 9
    watcher.move((5000, watcher.rail(0)[1]))
    assert watcher.at == watcher.screen.reel.last
    watcher.up(watcher.rail(2))
    watcher.move(watcher.rail(3))
    assert watcher.at == watcher.screen.reel.last  # let go, it stays


def test_a_click_on_a_turns_number_goes_there(watcher: Watcher) -> None:
    opens = watcher.screen.reel.turns[2]
    x, _ = watcher.rail(opens)
    watcher.click((x, watcher.screen.places.rail.top + 10))
    assert watcher.at == opens


def test_a_click_on_a_line_of_the_log_goes_there(watcher: Watcher) -> None:
    log, place = watcher.screen.log, watcher.screen.places.log
    entry = log.entries[2]
    watcher.click((place.left + 80, place.top + entry.top - log.top + entry.high - 8))
    assert watcher.at == entry.n != 0


def test_the_log_rolls_under_the_wheel_and_the_table_zooms(watcher: Watcher) -> None:
    watcher.move(watcher.screen.places.log.center)
    watcher.tell(pygame.MOUSEWHEEL, y=-2)
    assert watcher.screen.log.top > 0
    before = watcher.screen.camera.scale
    watcher.move(watcher.screen.places.table.center)
    watcher.tell(pygame.MOUSEWHEEL, y=3)
    assert watcher.screen.camera.scale > before


def test_the_table_is_dragged(watcher: Watcher) -> None:
    x, y = watcher.screen.places.table.center
    before = watcher.screen.camera
    watcher.down((x, y))
    watcher.move((x + 40, y))
    watcher.up((x + 40, y))
    assert watcher.screen.camera.left < before.left
    watcher.key(pygame.K_f)
    assert watcher.screen.camera == before


# --- playing ---------------------------------------------------------------------------------------------------------


def test_it_plays_to_the_end_and_stands(watcher: Watcher) -> None:
    watcher.key(pygame.K_SPACE)
    assert watcher.screen.head.playing
    watcher.wait(400, 0.25)
    assert (watcher.at, watcher.screen.head.playing) == (watcher.screen.reel.last, False)
    watcher.key(pygame.K_SPACE)
    assert (watcher.at, watcher.screen.head.playing) == (0, True)  # again from the beginning


def test_space_pauses_in_the_midst_of_a_way_and_goes_on(watcher: Watcher) -> None:
    watcher.key(pygame.K_SPACE)
    while not 0.0 < watcher.screen.head.share < 1.0:
        watcher.wait(1, 0.1)
    watcher.key(pygame.K_SPACE)
    at, share = watcher.at, watcher.screen.head.share
    watcher.wait(20, 0.2)
    assert (watcher.at, watcher.screen.head.share) == (at, share)
    watcher.key(pygame.K_SPACE)
    watcher.wait(1, 0.05)
    assert (watcher.at, watcher.screen.head.share) > (at, share)


def test_it_plays_as_fast_as_it_is_told(game: Path) -> None:
    lengths = []
    for presses in (-1, 0, 3):
        watcher = Watcher(replaying(game))
        for _ in range(abs(presses)):
            watcher.key(pygame.K_LEFTBRACKET if presses < 0 else pygame.K_RIGHTBRACKET)
        watcher.key(pygame.K_SPACE)
        frames = 0
        while watcher.screen.head.playing:
            watcher.wait(1, 0.1)
            frames += 1
        lengths.append(frames)
    slow, usual, fast = lengths
    assert slow > 1.8 * usual > 9 * fast


# --- what is said ----------------------------------------------------------------------------------------------------


def test_a_broken_file_is_one_line(tmp_path: Path, game: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(game.read_bytes().replace(b'"n": 3', b'"n": 4', 1))
    with pytest.raises(Unreadable) as refused:
        replaying(broken)(Look(Settings()))
    assert str(refused.value).count("\n") == 0
    assert "broken.jsonl:5" in str(refused.value)


def test_a_game_of_another_program_is_shown_alike_and_of_another_format_refused(tmp_path: Path, game: Path) -> None:
    saved = save.read(game)
    older = tmp_path / "older.jsonl"
    header = save.Header(saved.header.opening, saved.header.seed, saved.header.players, "0.0.1")
    lines = [save.header_line(header)]
    steps = save.steps_of(saved, list(replay.battles(saved)))
    for n, step in enumerate(steps):
        lines.append(save.step_line(n, step, lines[-1]))
    older.write_bytes(b"".join(lines))
    shown = reel.read(older).wound()
    assert [state_hash(m.battle) for m in shown.moments] == [line.hash for line in saved.lines]
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_bytes(game.read_bytes().replace(b"tabletop-game/3", b"tabletop-game/9", 1))
    with pytest.raises(Unreadable):
        reel.read(foreign)


def test_where_the_events_cannot_be_followed_it_ends_and_says_so(game: Path) -> None:
    saved = save.read(game)
    lost = next(
        n for n, line in enumerate(saved.lines) if n > 3 and any(isinstance(e, Placed | Changed) for e in line.events)
    )
    gone = save.Line(lost, None, _removed_twice(saved.lines[lost]), "")
    forged = save.Saved(saved.file, saved.header, (*saved.lines[:lost], gone, *saved.lines[lost + 1 :]), ())
    watcher = Watcher(lambda look: screen.Replaying(reel.Reel.of_saved(forged), look))
    assert watcher.screen.reel.last == lost - 1
    watcher.key(pygame.K_END)
    assert watcher.at == lost - 1
    with pytest.raises(Unreadable):
        reel.Reel.of_saved(forged).wound()


def _removed_twice(line: save.Line) -> tuple[Event, ...]:
    unit = next(str(event.unit) for event in line.events if isinstance(event, Placed | Changed))
    return Removed(unit, "x"), Removed(unit, "x")


def test_a_long_battle_is_wound_off_in_slices(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "SLICE", 0.0)  # one moment a frame
    pygame.display.set_mode((1280, 720))
    shown = screen.Replaying(reel.read(game), Look(Settings()))
    shown.go(9)
    shown.frame([], 0.0)
    assert not shown.reel.whole
    assert "Reading the battle" in shown._carded()
    for _ in range(20):
        shown.frame([], 0.0)
    assert (shown.head.at, shown.reel.whole) == (9, True)


def test_losses_and_rules_are_told() -> None:
    watcher = Watcher(replaying_session(bloody()))
    shown = watcher.screen.reel
    counted = {side: sum(bases for _, of, bases, _ in shown.losses() if of == side) for side in shown.sides}
    assert counted == watcher.screen.head.moment.tally.bases
    cited = [m for m in shown.moments if m.rules]
    assert cited and all(rule.startswith("TSE-") for m in cited for rule in m.rules)


def bloody() -> Session:
    """Return the first battle in which somebody lost bases."""
    for seed in range(1, 60):
        session = fought(None, seed=seed)
        if any(isinstance(event, Lost) for step in session.steps for event in step.events):
            return session
    raise AssertionError("nobody lost anything in sixty battles")


# --- the other rule set, a running battle ----------------------------------------------------------------------------


def test_battles_of_the_other_rules_are_shown_too(tmp_path: Path) -> None:
    path = tmp_path / "drill.jsonl"
    session = fought(path, DRILL, actions=25)
    watcher = Watcher(replaying(path))
    watcher.key(pygame.K_END)
    while not watcher.screen.reel.whole:  # on a busy machine the battle is read over many frames
        watcher.wait()
    watcher.wait()
    assert state_hash(watcher.screen.head.moment.battle) == state_hash(session.battle)
    watcher.key(pygame.K_HOME)
    watcher.key(pygame.K_SPACE)
    watcher.wait(60, 0.2)
    assert watcher.at > 3


def test_a_running_battle_opens_at_its_last_action(begun: Path) -> None:
    session = fought(None, actions=6)
    watcher = Watcher(replaying_session(session))
    assert watcher.at == len(session.steps) - 1
    watcher.key(pygame.K_g)
    assert watcher.screen.going == Back()  # at its end it is simply gone on with


# --- going on --------------------------------------------------------------------------------------------------------


def test_a_finished_battle_is_not_gone_on_with(watcher: Watcher) -> None:
    assert "go-on" not in watcher.screen.widgets.words
    watcher.key(pygame.K_g)
    assert watcher.screen.going is None
    assert "over" in watcher.screen.notice


def test_at_its_end_an_unfinished_battle_goes_on_in_its_own_file(begun: Path) -> None:
    watcher = Watcher(replaying(begun))
    watcher.key(pygame.K_END)
    watcher.press("go-on")
    window = _opened(watcher)
    assert window.controller.game.session.path == begun
    assert str(begun) in window.controller.model.note


def test_before_its_end_a_new_game_branches_off_in_a_new_file(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "games_folder", lambda: tmp_path / "games")
    before = begun.read_bytes()
    watcher = Watcher(replaying(begun))
    for _ in range(3):
        watcher.key(pygame.K_RIGHT)
    watcher.press("go-on")
    window = _opened(watcher)
    path = window.controller.game.session.path
    assert path is not None and path.parent == tmp_path / "games"
    assert begun.read_bytes() == before
    assert before.startswith(path.read_bytes())  # the same game as far as it goes
    assert len(save.read(path).lines) == 4
    assert replay.verify(save.read(path)).sound
    assert str(path) in window.controller.model.note and "branches off" in window.controller.model.note


def _opened(watcher: Watcher) -> GameWindow:
    going = watcher.screen.going
    assert isinstance(going, Go)
    window = rooms.room(going.to)(Look(Settings()))
    assert isinstance(window, GameWindow)
    window.close()
    return window


# --- the window ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "scale"), [((1280, 720), 1.0), ((3840, 2160), 2.0), ((640, 480), 1.0), ((900, 600), 2.5)]
)
def test_it_fits_every_window(game: Path, size: tuple[int, int], scale: float) -> None:
    watcher = Watcher(replaying(game), size, scale)
    watcher.key(pygame.K_END)
    bounds = pygame.Rect((0, 0), size)
    places = watcher.screen.places
    for place in (places.table, places.story, places.rail, places.bar):
        assert bounds.contains(place)
    laid = list(watcher.screen.widgets.words.values())
    if size[0] / scale >= 1280:
        assert all(bounds.contains(rect) for rect in laid)
        assert all(not a.colliderect(b) for k, a in enumerate(laid) for b in laid[k + 1 :])


def test_the_window_may_change_its_size_and_scale(watcher: Watcher) -> None:
    watcher.key(pygame.K_END)
    pygame.display.set_mode((1000, 700), pygame.RESIZABLE)
    watcher.tell(pygame.VIDEORESIZE, size=(1000, 700), w=1000, h=700)
    assert watcher.screen.places.bar.width == 1000
    watcher.screen.shown(Look(Settings(scale=1.5)))
    watcher.wait(2)
    assert (watcher.screen.scale, watcher.at) == (1.5, watcher.screen.reel.last)


@pytest.mark.parametrize("size", [(1, 1), (64, 48), (333, 217)])
def test_a_window_too_small_for_anything_goes_on(watcher: Watcher, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    watcher.tell(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
    watcher.screen.shown(Look(Settings(scale=2.25)))
    watcher.key(pygame.K_END)
    assert watcher.at == watcher.screen.reel.last


def test_leaving_and_the_sheet_of_keys(watcher: Watcher) -> None:
    watcher.key(pygame.K_F1)
    assert watcher.screen.helping
    watcher.key(pygame.K_ESCAPE)  # puts the sheet away first
    assert (watcher.screen.helping, watcher.screen.going) == (False, None)
    watcher.key(pygame.K_ESCAPE)
    assert watcher.screen.going == Back()


def test_a_rule_cited_opens_its_card(watcher: Watcher) -> None:
    """The ids below what happened are links; elsewhere in the panel nothing opens."""
    screen = watcher.screen
    while not screen.head.moment.rules:
        watcher.key(pygame.K_RIGHT)
    place, scale, at = screen.places.story, screen.scale, watcher.at
    wide, high = screen.places.panel.width / scale, place.height / scale
    rows = side._rows(screen.head.moment, screen.reel, wide, high)
    found = [(row, cited) for row in rows for cited in side._cited(row)]
    assert found and {cited.group() for _, cited in found} <= set(screen.head.moment.rules)
    (row, cited), rule = found[-1], found[-1][1].group()
    x, y = side._left(row, cited.start()) + 10.0, row.y
    watcher.click((place.left + 20, place.top + 8))
    assert screen.going is None
    watcher.click((place.left + x * scale, place.top + y * scale))
    assert isinstance(screen.going, Open) and watcher.at == at
    sheet = screen.going.make(Look(Settings()))
    assert isinstance(sheet, Ruled) and sheet.title == f"Rule {rule}"
    assert sheet.parts[0][0] == rule_card("tse", rule).says
