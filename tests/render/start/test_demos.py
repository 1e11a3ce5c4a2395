"""Demos from the start screen by real clicks: opened, running, touched, going on, asked, left, filmed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image

from tabletop import cli
from tabletop.demos import library
from tabletop.demos.cues import Cue
from tabletop.render.demos import film
from tabletop.render.demos.screen import DemoScreen
from tabletop.render.demos.stage import Stage
from tabletop.render.demos.timeline import Part, Timeline
from tabletop.render.drawing import theme
from tabletop.render.start.demos import Demos
from tests.demos.demos import demo
from tests.render.start.conftest import Visit
from tests.render.start.visitor import Visitor


def shown(visitor: Visitor) -> DemoScreen:
    assert isinstance(visitor.top, DemoScreen)
    return visitor.top


def run(visitor: Visitor, seconds: float) -> None:
    for _ in range(round(seconds / 0.25)):
        visitor.app.step(0.25)


@pytest.fixture
def running(visit: Visit) -> Visitor:
    visitor = visit()
    visitor.press("demos")
    assert isinstance(visitor.top, Demos)
    visitor.press("demo:0")
    return visitor


def test_it_fills_the_screen_runs_stops_when_touched_and_goes_on(running: Visitor) -> None:
    screen = shown(running)
    desktop = pygame.display.get_desktop_sizes()[0]
    surface = pygame.display.get_surface()
    assert surface is not None and surface.get_size() == desktop
    assert screen.running and not screen.words
    run(running, 9.0)
    assert "From the first step" in screen.part.cue.text and screen.part.cue.proofs
    middle = desktop[0] // 2, desktop[1] // 3
    running.click(middle)
    assert not screen.running and "on" in screen.words
    at = screen.part, screen.gone
    run(running, 5.0)
    assert (screen.part, screen.gone) == at
    running.press("on")
    assert screen.running
    run(running, 12.0)
    assert screen.part is not at[0]
    running.key(pygame.K_a)
    assert not screen.running
    running.click(middle)
    assert screen.running


def test_a_question_waits_for_a_click_and_goes_on_by_itself(running: Visitor) -> None:
    screen = shown(running)
    for _ in range(400):
        if screen.asking:
            break
        run(running, 0.5)
    asked = screen.part.cue.asked
    assert asked is not None and asked.right == 0
    running.press("choice:1")
    assert screen.part.cue.answered and screen.given == 1 and screen.running
    for _ in range(400):
        if screen.asking:
            break
        run(running, 0.5)
    assert screen.asking
    run(running, screen.part.seconds + 0.5)
    assert screen.part.cue.answered and screen.given is None and screen.running


def test_it_steps_begins_again_and_is_left_to_the_window(running: Visitor) -> None:
    screen = shown(running)
    run(running, 1.0)
    for _ in range(3):
        running.key(pygame.K_RIGHT)
    text = screen.part.cue.text
    assert not screen.running
    running.press("back")
    assert screen.part.cue.text != text
    running.press("next")
    assert screen.part.cue.text == text
    running.press("begin")
    assert screen.at == 0
    running.press("leave")
    assert isinstance(running.top, Demos)
    surface = pygame.display.get_surface()
    assert surface is not None and surface.get_size() == (1280, 720)


def test_it_begins_again_at_its_end(visit: Visit) -> None:
    visitor = visit()
    visitor.press("demos")
    visitor.press("demo:1")
    screen = shown(visitor)
    screen.timeline.wound()
    screen.at, screen.gone = len(screen.timeline.parts) - 1, 0.0
    run(visitor, screen.part.seconds + 3.5)
    assert screen.at == 0 and screen.running


def test_a_film_is_made_by_a_click(running: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In another process as in the program; small, to be quick."""
    from tabletop.render.demos import screen as module

    monkeypatch.setattr(module, "pictures_folder", lambda: tmp_path)
    monkeypatch.setattr(film.made, "__defaults__", (320,))
    screen = shown(running)
    running.key(pygame.K_SPACE)
    running.press("film")
    assert screen.filming is not None and "stop" in screen.words
    for _ in range(600):
        if screen.filming is None:
            break
        pygame.time.wait(50)
        run(running, 0.25)
    assert "The film is in" in screen.note
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".srt", ".vtt", ".webp"]


# --- the film --------------------------------------------------------------------------------------------------------


def test_pictures_of_the_film_and_its_captions_keep_the_same_time(tmp_path: Path) -> None:
    path, timeline = tmp_path / "demo.gif", Timeline(demo())
    studio_size = (400, 224)
    count, beside = film.write(path, timeline, 400)
    assert [one.suffix for one in beside] == [".srt", ".vtt"]
    taken = film.shots(timeline.parts)
    assert count == len(taken) > len(timeline.parts)
    for shot in taken:
        assert shot.start == pytest.approx(shot.part.start + shot.gone, abs=film.TICK)
    with Image.open(path) as made:
        assert made.size == studio_size
        lasts = 0
        for k in range(getattr(made, "n_frames", 1)):
            made.seek(k)
            lasts += made.info["duration"]
    assert lasts == pytest.approx(1000 * timeline.seconds, abs=15)
    assert "00:00:03,000 --> 00:00:09,000\nIt goes three inches." in path.with_suffix(".srt").read_text("utf-8")


def test_captions_are_burnt_in_and_never_lie_over_the_table() -> None:
    timeline = Timeline(demo()).wound()
    studio = film.Studio(timeline, 640)
    first, second = (studio.picture(shot) for shot in film.shots(timeline.parts)[:2])
    different = np.any(pygame.surfarray.array3d(first) != pygame.surfarray.array3d(second), axis=2)
    stage = studio._stage
    scale = stage.scale(studio.size)
    left, top, wide, high = (round(n * scale) for n in stage.band(studio.size))
    assert different[left : left + wide, top : top + high].any()
    x, y, across, down = stage.table(studio.size)
    assert x + across <= stage.band(studio.size)[0] + 0.5 or y + down <= stage.band(studio.size)[1] + 0.5


def test_without_a_display_it_is_told_and_written_as_pictures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert cli.status(["demos", "a-brigade-assault"]) == 0
    out = capsys.readouterr().out
    assert "0:00  Three brigades against one in line." in out and "There is no display here" in out
    assert len(list(tmp_path.glob("tabletop-*/*.png"))) == len(out.splitlines()) - 1
    assert library.find("2").name == "a-brigade-assault"


def test_smoke_and_the_fallen_lie_on_the_table_once_it_has_been_seen_how() -> None:
    theme.apply_theme("plain", "period", "painted")
    parts = Timeline(library.find("four-minutes-at-weidenau")).wound().parts
    at = next(k for k, part in enumerate(parts) if len(part.left) > len(part.lies))
    shot = parts[at]
    assert parts[at + 1].lies == shot.left and all(part.lies == part.left for part in parts if part.cue.step is None)

    def pixels(part: Part, gone: float) -> np.ndarray:
        surface = pygame.Surface((640, 480))
        Stage(shot.cue.battle).draw_table(surface, part, gone)
        return pygame.surfarray.array3d(surface)

    bare = replace(shot, left=shot.lies)
    before = Part(Cue(0, shot.cue.row, shot.cue.before or shot.cue.battle), 0.0, 0.0, 1.0, shot.lies, shot.lies)
    assert (pixels(shot, 0.0) == pixels(before, 0.0)).all()  # nothing of an action shows before it begins
    assert (pixels(shot, shot.seconds) != pixels(bare, shot.seconds)).any()
