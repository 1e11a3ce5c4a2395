"""The side view lies below the table, which makes room for it: it covers nothing that can be seen or clicked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from tabletop.play.files.draft_from_file import open_draft
from tests.render.judge.driver import Umpire, at_the_table

SCENE = Path(__file__).resolve().parents[3] / "scenarios" / "tse" / "disputes" / "level-shadow.yaml"


@pytest.fixture(params=[(1280, 720), (1920, 1080), (1024, 1300)])
def table(request: pytest.FixtureRequest) -> Iterator[Umpire]:
    with at_the_table(open_draft(SCENE), request.param) as umpire:
        yield umpire


def asked(umpire: Umpire) -> None:
    umpire.press("tab:ask")
    umpire.press("ask:los")
    for name in ("low-guns", "middle"):
        umpire.click(umpire.controller.battle.unit(name).at)
    umpire.wait()


def whole_table(umpire: Umpire) -> pygame.Rect:
    left, top = umpire.screen.at((0.0, umpire.controller.size[1]))
    right, bottom = umpire.screen.at((umpire.controller.size[0], 0.0))
    return pygame.Rect(left, top, right - left, bottom - top)


def strip(umpire: Umpire) -> pygame.Rect:
    camera, (_, high) = umpire.screen.camera, umpire.screen.surface.get_size()
    return pygame.Rect(0, camera.height, camera.width, high - camera.height)


def test_the_table_is_seen_whole_above_the_side_view(table: Umpire) -> None:
    before = whole_table(table)
    asked(table)
    verdict = table.controller.verdict
    assert verdict is not None and verdict.side_view is not None
    below, window = strip(table), table.screen.surface.get_rect()
    assert below.height >= 170 and window.contains(below)
    assert window.contains(whole_table(table)) and not whole_table(table).colliderect(below)
    assert len({tuple(table.screen.surface.get_at((x, below.centery))) for x in range(0, below.width, 3)}) > 3
    table.press("tab:edit")
    table.wait()
    assert strip(table).height == 0 and whole_table(table) == before


def test_units_are_where_they_show_while_the_side_view_is_there(table: Umpire) -> None:
    asked(table)
    for name in ("mid-guns", "near", "low-guns"):
        if not table.controller.battle.has(name):
            continue
        pixel = table.screen.at(table.controller.battle.unit(name).at)
        assert not table.screen.covers(pixel)
        under = table.controller.unit_at(table.screen.camera.to_table(pixel))
        assert under is not None and under.id == name


def test_a_click_on_the_side_view_asks_nothing(table: Umpire) -> None:
    asked(table)
    clicked, verdict = list(table.controller.asking.clicked), table.controller.verdict
    table.click_pixel(strip(table).center)
    table.click_pixel(strip(table).center, button=3)
    assert table.controller.asking.clicked == clicked and table.controller.verdict is verdict


def test_without_heights_the_table_keeps_its_room(table: Umpire) -> None:
    table.press("tab:ask")
    table.press("ask:distance")
    for name in ("low-guns", "middle"):
        table.click(table.controller.battle.unit(name).at)
    table.wait()
    assert table.controller.verdict is not None and strip(table).height == 0


def test_a_part_of_the_table_looked_at_stays_in_the_middle(table: Umpire) -> None:
    table.press("tab:ask")
    for _ in range(4):
        table.key(pygame.K_PLUS)
    camera = table.screen.camera
    middle = camera.to_table((camera.width / 2, camera.height / 2))
    table.controller.ask("los")
    for name in ("low-guns", "middle"):
        table.controller.click(table.controller.battle.unit(name).at)
    table.wait()
    after = table.screen.camera
    assert after.height < camera.height and after.scale == camera.scale
    assert after.to_table((after.width / 2, after.height / 2)) == pytest.approx(middle)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("rules", ["tse", "realm-of-chance"])
def test_no_question_s_button_is_cut(size: tuple[int, int], rules: str) -> None:
    from tabletop.play.files.draft import empty
    from tabletop.render.drawing.lettering import width
    from tabletop.render.judge import pages
    from tabletop.render.judge.controller import Mode
    from tabletop.render.judge.form import Keys
    from tabletop.render.widgets.styles import FONT

    with at_the_table(empty(rules, 36.0, 24.0), size) as umpire:
        umpire.controller.turn_to(Mode.ASK)
        umpire.wait()
        words, scale = umpire.screen.form.words, umpire.screen.form.scale
        head = [umpire.screen.commands.buttons(group) for group in ("head", "tabs")]
        rows = [*pages.head(umpire.controller, *head), *pages.page(umpire.controller, {}, {})]
        labels = [key for part in rows if isinstance(part, Keys) for key in part.keys]
        for key in labels:
            if key.word in words:
                assert width(key.label, FONT) * scale <= words[key.word].width
        tops = [words[key.word] for key in labels if key.word in words]
        assert all(a.right <= b.left for a, b in pairwise(tops) if a.top == b.top)
