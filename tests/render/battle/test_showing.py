"""What was just done, shown and told: beats, draws and card without a screen; skipped, paced and looked at in one."""

from dataclasses import replace

import pygame
import pytest

from tabletop.battle.action import Action, answer
from tabletop.battle.event import Placed
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.engine import Step
from tabletop.render.battle import camera_follow, choices, playback, result_card
from tabletop.render.battle.playback import Show, Stage
from tabletop.render.drawing.camera import Camera
from tabletop.render.events import log_lines
from tabletop.render.screens import Go, Open
from tests.render.battle.driver import Player, playing, session


def assaulted() -> tuple[Show, Step]:
    """Jamin's assault on the Brunswick light brigade: it is driven back with a loss."""
    played = session("tse/quatre-bras", ("human", "human"), 22)
    played.do(answer("french", "first"))
    played.do(Action("choose", "french", options={"group": "foy"}))
    before = played.battle
    step = played.do(Action("assault", "french", "jamin", "brunswick-light"))
    lines = list(log_lines.lines(2, before, step))
    show = playback.show_of(before, step, lines, own=True)
    assert show is not None
    return show, step


def test_an_assault_tells_its_draws_its_performance_and_what_came_of_it() -> None:
    """TSE-APP-09: the word for the performance."""
    show, _ = assaulted()
    assert show.heading == "Assault, Jamin against Brunswick light brigade"
    assert [draw.purpose for draw in show.draws] == ["Orders: assault", "Defensive fire", "Assault"]
    assert all(0.0 < draw.height < 1.0 for draw in show.draws)
    assert show.draws[0].reads == "91 of 100"
    assert any("defence strong, assault excellent" in text for text in show.texts)
    assert any("fell back, 3.5 in" in text for text in show.texts)


def test_bases_glide_to_where_the_battle_has_them() -> None:
    show, step = assaulted()
    stage = Stage(show=show)
    placed = [event for event in step.events if isinstance(event, Placed)]
    met: dict[str, tuple[float, float]] = {}
    while stage.running:
        seen = stage.seen
        assert seen is not None
        if seen.mover is not None:
            met[seen.mover.id] = seen.mover.at
            assert playback.hidden(stage) == {seen.mover.id}
        stage.tick(0.02)
    assert set(met) == {event.unit for event in placed} == {"jamin", "brunswick-light"}
    for name, (x, y) in met.items():
        assert (x, y) == pytest.approx(step.battle.unit(name).at, abs=0.2)
    assert playback.hidden(stage) == frozenset()


def test_a_flash_marks_the_attack_and_red_the_loss() -> None:
    show, _ = assaulted()
    stage, names = Stage(show=show), set()
    while stage.running:
        names |= {layer.name for layer in playback.layers(stage, 20.0) if layer.items}
        stage.tick(0.05)
    assert {"what happens", "on the way", "flash"} <= names
    assert [layer.name for layer in playback.layers(stage, 20.0)] == ["what happened"]


@pytest.mark.parametrize("pace", playback.PACES)
def test_every_pace_comes_to_an_end_and_slower_ones_later(pace: str) -> None:
    show, _ = assaulted()
    stage = Stage(pace=pace, show=show)
    assert stage.seconds == pytest.approx(show.act.seconds * playback.PACES[pace])
    stage.tick(stage.seconds)
    assert not stage.running and stage.telling
    stage.tick(stage.rest + 0.1)
    assert stage.show is None


def test_skipping_goes_on_to_what_came_of_it_and_then_puts_it_away() -> None:
    stage = Stage(show=assaulted()[0])
    stage.skip()
    assert not stage.running and stage.telling
    stage.skip()
    assert stage.show is None


def test_the_card_says_what_came_of_it_only_when_it_is_done() -> None:
    show, _ = assaulted()
    texts = [text for _, text, _ in result_card._rows(show, result_card.WIDE, done=False)]
    assert not any("fell back" in text for text in texts)
    assert any("fell back" in text for _, text, _ in result_card._rows(show, result_card.WIDE, done=True))


def test_a_choice_without_chance_is_not_told_on_a_card() -> None:
    played = session("tse/quatre-bras", ("human", "human"), 22)
    played.do(answer("french", "first"))
    before = played.battle
    step = played.do(Action("choose", "french", options={"group": "foy"}))
    assert playback.show_of(before, step, [], own=True) is None


# --- where to look ---------------------------------------------------------------------------------------------------


def test_the_camera_goes_no_farther_than_needed() -> None:
    camera = Camera(20.0, 0.0, 30.0, 800, 600)
    assert camera_follow.toward(camera, [(20.0, 15.0)]) is None
    moved = camera_follow.toward(camera, [(60.0, 15.0)])
    assert moved is not None and moved.scale == camera.scale and moved.top == camera.top
    x, _ = moved.to_screen((60.0, 15.0))
    assert x == pytest.approx(800 * (1 - camera_follow.EDGE))
    wide = camera_follow.toward(camera, [(-100.0, 15.0), (100.0, 15.0)])
    assert wide is not None and wide.scale < camera.scale
    for point in ((-100.0, 15.0), (100.0, 15.0)):
        assert 0.0 < wide.to_screen(point)[0] < 800.0


def test_the_camera_is_there_in_the_end() -> None:
    camera = Camera(20.0, 0.0, 30.0, 800, 600)
    end, going = camera.panned(300.0, 0.0), camera_follow.CameraMove()
    going.go(camera, end)
    now = camera
    for _ in range(10):
        now = going.tick(now, 0.1)
    assert now == end


# --- in the window ---------------------------------------------------------------------------------------------------


@pytest.fixture
def slow(bras: Player) -> Player:
    """Quatre Bras as the fixture has it, what happens shown slowly."""
    bras.window.pace("slow")
    return bras


def assault(player: Player) -> None:
    player.pick("jamin")
    player.press("kind:assault")
    player.pick("brunswick-light")
    player.key(pygame.K_RETURN)


def test_an_animation_is_skipped_by_space_click_or_key(slow: Player) -> None:
    assault(slow)
    stage = slow.controller.game.stage
    assert stage.running and slow.controller.picture().drawn is not slow.controller.model.battle
    slow.key(pygame.K_SPACE)
    assert not stage.running and stage.telling
    assert slow.controller.picture().drawn is slow.controller.model.battle
    slow.key(pygame.K_SPACE)
    assert stage.show is None


def test_a_click_while_something_is_shown_does_what_it_does_anyway(slow: Player) -> None:
    assault(slow)
    assert slow.controller.game.stage.running
    slow.pick("gauthier")
    assert not slow.controller.game.stage.running
    assert slow.controller.model.selected == "gauthier"


def test_the_battle_is_the_one_after_it_from_the_first_frame_on(slow: Player) -> None:
    assault(slow)
    assert slow.controller.game.stage.running
    assert slow.controller.model.battle is slow.controller.game.session.battle
    assert not slow.controller.model.battle.has("brunswick-light")
    assert choices.rows(slow.controller.state)


def test_the_log_does_not_give_away_what_is_still_being_shown(slow: Player) -> None:
    assault(slow)
    told = slow.window.log.text()
    assert slow.controller.game.stage.running and "routed" not in told
    slow.key(pygame.K_SPACE)
    assert "routed" in slow.window.log.text()


def test_the_pace_is_set_in_the_bar(slow: Player) -> None:
    assert slow.controller.game.stage.pace == "slow"
    for name in ("normal", "fast", "at once", "slow"):
        slow.press("pace:")
        assert slow.controller.game.stage.pace == name == slow.controller.game.computers.pace_name


def test_what_happens_out_of_sight_is_looked_for(slow: Player) -> None:
    camera = slow.window.camera
    slow.window.camera = replace(camera, scale=60.0, left=0.0, top=10.0)
    slow.wait()
    slow.controller.game.do(Action("assault", "french", "jamin", "brunswick-light"))
    slow.wait(5)
    x, y = slow.window.camera.to_screen(slow.at("jamin"))
    assert 0 <= x <= camera.width and 0 <= y <= camera.height


def test_the_computer_is_stepped_through() -> None:
    with playing(session("tse/skirmish", ("greedy", "greedy"), 3), measuring=False) as player:
        player.press("pause:") if not player.controller.game.computers.paused else None
        player.wait(3)
        before = len(player.controller.game.session.steps)
        player.wait(5)
        assert len(player.controller.game.session.steps) == before
        player.press("step:")
        player.wait(3)
        assert len(player.controller.game.session.steps) == before + 1
        player.key(pygame.K_PERIOD)
        player.wait(3)
        assert len(player.controller.game.session.steps) == before + 2


def test_how_a_battle_ended_stays_where_it_is_told_when_the_last_deed_has_been() -> None:
    """Else whoever presses one of its keys while the deed is still told presses where the key was."""
    seed = 6
    mover, played = RandomMover(seed), session("tse/skirmish", ("human", "human"), seed)
    with playing(played, measuring=False) as player:
        while not player.controller.model.battle.over:
            player.controller.game.do(mover.choose(played.battle).action)
        player.controller.game.stage.pace = "normal"
        while "replay:" not in player.words:
            player.wait()
        place = player.window.panel.asked_rect
        assert place is not None and not place.colliderect(player.window.panel.table_rect)
        assert player.controller.spots
        player.press("replay:")
        assert not player.controller.spots
        assert player.window.panel.asked_rect == place
        assert isinstance(player.window.going, Open | Go)
