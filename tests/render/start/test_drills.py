"""Drills from the start screen by real clicks: a session, the tape, a mistake with its twin, a handout; a dispute."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pygame
import pytest

from tabletop.drills import stock
from tabletop.drills.families import FAMILIES
from tabletop.drills.position import Position
from tabletop.drills.standing import Standings
from tabletop.drills.supply import InlineSupply, Order
from tabletop.play.files.installed import installed_data
from tabletop.render.drills import screen
from tabletop.render.drills.screen import DrillScreen
from tabletop.render.start.drills import Drills
from tests.render.start.conftest import Visit
from tests.render.start.visitor import Visitor, drills_a_dispute


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(screen, "supplied", InlineSupply)
    monkeypatch.setattr(screen, "own_folder", lambda: tmp_path / "own")


def drill(visitor: Visitor) -> DrillScreen:
    assert isinstance(visitor.top, DrillScreen)
    return visitor.top


def position(visitor: Visitor) -> Position:
    found = drill(visitor).position
    assert found is not None
    return found


def pixel(visitor: Visitor, name: str) -> tuple[int, int]:
    """Return where a unit shows."""
    top = drill(visitor)
    x, y = top._pixel(position(visitor).battle.unit(name).at)
    return round(x * top.scale), round(y * top.scale)


def test_a_session_from_the_start_screen_by_clicks(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    visitor.press("drills")
    assert isinstance(visitor.top, Drills)
    visitor.press("mode:tape")
    visitor.press("drill:nearest")
    first = position(visitor)
    wrong = next(choice for choice in first.choices if choice != first.answer)
    visitor.click(pixel(visitor, wrong))
    visitor.wait(2)
    last = drill(visitor).session.last
    assert last is not None and last.answer == wrong and not last.right and drill(visitor).mistaken
    before = drill(visitor)._shown()[0]
    visitor.press("swap")
    assert drill(visitor)._shown()[0] is not before and first.twin is not None
    assert drill(visitor)._shown()[0] is first.twin.battle
    visitor.press("print")
    assert (tmp_path / "own" / "drill nearest 1.pdf").read_bytes().startswith(b"%PDF-")
    visitor.key(pygame.K_RETURN)
    second = position(visitor)
    assert second is not first and not drill(visitor).answered
    visitor.press(f"answer:{second.answer}")
    assert drill(visitor).session.last is not None and not drill(visitor).mistaken
    visitor.key(pygame.K_ESCAPE)
    visitor.wait(2)
    assert isinstance(visitor.top, Drills)
    stairs = Standings().of("nearest", "tape").stairs
    assert (stairs.answers, stairs.right) == (2, 1)


def test_the_tape_measures_and_answers_nothing(visit: Visit) -> None:
    visitor = visit(screen.drilling("tape", "nearest"))
    start, end = pixel(visitor, "auer"), pixel(visitor, "arnaud")
    visitor.tell(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
    visitor.tell(pygame.MOUSEMOTION, pos=end, rel=(0, 0), buttons=(1, 0, 0))
    visitor.tell(pygame.MOUSEBUTTONUP, pos=end, button=1)
    top, battle = drill(visitor), position(visitor).battle
    assert top._tape is not None and not top.answered
    for measured, unit in zip(top._tape, ("auer", "arnaud"), strict=True):
        assert measured == pytest.approx(battle.unit(unit).at, abs=0.05)


def test_by_eye_nothing_is_measured(visit: Visit) -> None:
    visitor = visit(screen.drilling("eye", "nearest"))
    visitor.tell(pygame.MOUSEBUTTONDOWN, pos=pixel(visitor, "auer"), button=1)
    visitor.tell(pygame.MOUSEMOTION, pos=pixel(visitor, "arnaud"), rel=(0, 0), buttons=(1, 0, 0))
    assert drill(visitor)._tape is None


@pytest.mark.parametrize("size", [(1280, 720), (760, 700), (480, 320)])
def test_everything_can_be_pressed_in_every_window(visit: Visit, size: tuple[int, int]) -> None:
    visitor = visit(screen.drilling("eye", "nearest"), size)
    window = pygame.Rect((0, 0), size)
    first = position(visitor)
    wrong = next(choice for choice in first.choices if choice != first.answer)
    visitor.click(pixel(visitor, wrong))
    visitor.wait(2)
    words = drill(visitor).words
    assert {"back", "next", "print", "swap"} <= set(words)
    assert all(window.contains(words[word]) for word in ("back", "next", "print", "swap"))


def test_while_nothing_is_ready_the_window_says_so(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    coming: list[Future[Position | None]] = []

    class Slow(InlineSupply):
        def order(self, order: Order) -> Future[Position | None]:
            coming.append(Future())
            return coming[-1]

    monkeypatch.setattr(screen, "supplied", Slow)
    monkeypatch.setattr(stock, "shuffled", lambda rng: [])
    visitor = visit(screen.drilling("eye", "nearest"))
    assert drill(visitor).position is None and set(drill(visitor).words) == {"back"}
    coming[0].set_result(Order("nearest", 1.5, FAMILIES["nearest"].plans[0], "auer", 1).filled())
    visitor.wait(2)
    assert position(visitor).answer == "auer" and "answer:auer" in drill(visitor).words


def test_a_dispute_at_the_judges_table_becomes_a_drill(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.play.files.draft_from_file import open_draft
    from tabletop.render.judge.screen import inlined

    data = installed_data()
    assert data is not None
    draft = open_draft(data / "scenarios" / "tse" / "disputes" / "front-or-flank.yaml")
    visitor = visit(lambda look: inlined(draft, look.scale))
    table = drills_a_dispute(visitor)
    asked = position(visitor)
    assert asked.question == "May West column assault West line?" and asked.family == ""
    visitor.press("answer:no")
    last = drill(visitor).session.last
    assert last is not None and not last.right and drill(visitor)._shown()[1] is asked.proof
    visitor.press("next")
    assert visitor.top is table
