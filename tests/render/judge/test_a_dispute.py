"""A dispute settled at the judge's table from the first click to the signed card, through events alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pygame
import pytest

from tabletop import cli
from tabletop.battle.battle import Battle
from tabletop.errors import Broken
from tabletop.geometry.verdict import Verdict
from tabletop.judge import judge
from tabletop.play.files.check import check_files
from tabletop.play.files.draft import Draft
from tabletop.play.files.draft_from_file import draft_of
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.judge import keeping, verdict_words
from tabletop.render.judge.controller import Mode
from tabletop.render.painting.files import WRITERS
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings
from tests.loaded import scenario
from tests.render.judge.driver import Umpire, at_the_table


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """Return what the command line's judge says as JSON."""
    capsys.readouterr()
    assert cli.status(["judge", *words, "--json"]) in (0, 1)
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def position(umpire: Umpire) -> None:
    """Lay two units and a wood between them on an empty table."""
    umpire.write("new:width", "48")
    umpire.write("new:height", "36")
    umpire.press("new:")
    assert umpire.controller.mode is Mode.PLACE and umpire.controller.size == (48.0, 36.0)
    umpire.press("troop:infantry")
    umpire.click((20, 10))
    umpire.choose("hand:side", "Red")
    umpire.write("hand:facing", "180")
    umpire.press("troop:light-foot-artillery")
    umpire.click((22, 24))
    umpire.press("what:terrain")
    umpire.press("kind:woods")
    for corner in ((16, 14), (23, 13), (23.5, 18), (17, 19)):
        umpire.click(corner)
    umpire.key(pygame.K_RETURN)


@cache
def laid() -> Draft:
    """Return the position, laid once for all tests that begin with it."""
    with at_the_table() as umpire:
        position(umpire)
        return umpire.controller.draft


def asked(umpire: Umpire, question: str) -> None:
    """Ask it of the two units, by clicking them one after the other."""
    umpire.press("tab:ask")
    umpire.press(f"ask:{question}")
    umpire.click((20, 10))
    umpire.click((22, 24))


def save_as(umpire: Umpire, path: Path) -> None:
    umpire.press("save:")
    umpire.write("file", str(path))
    umpire.press("choose:")


def test_from_an_empty_table_to_the_signed_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene, page = tmp_path / "wood.yaml", tmp_path / "wood.png"
    with at_the_table() as umpire:
        position(umpire)
        first, second = (row["id"] for row in umpire.controller.draft.units)
        assert [row["kind"] for row in umpire.controller.draft.terrain] == ["woods"]
        asked(umpire, "los")
        verdict = umpire.controller.verdict
        assert verdict is not None and not verdict.holds and verdict.margin is not None
        assert verdict.blockers == ("woods-1",)
        save_as(umpire, scene)
        assert not umpire.screen.unkept
        umpire.press("tab:card")
        umpire.write("card:first", "Anna")
        umpire.press("card:.png")
        umpire.write("file", str(page))
        umpire.press("choose:")
        assert umpire.controller.note == "The card is in wood.png; sign it."
    assert not [fault for fault in check_files([str(scene)]) if not fault.warning]
    assert told(capsys, str(scene), "los", first, second) == json.loads(json.dumps(verdict.as_json()))
    picture = pygame.image.load(page)
    assert picture.get_width() > picture.get_height() > 1000


#: Each question, what is clicked for it, and the words that put it to the command line.
QUESTIONS = (
    ("distance", ("a", "b"), ("a", "b")),
    ("arc", ("a", "b"), ("a", "b")),
    ("fire", ("b", "a"), ("b", "a")),
    ("assault", ("a", "b"), ("a", "b")),
    ("zone", ("a",), ("a",)),
    ("command", ("a",), ("a",)),
    ("cover", ("a", "b"), ("a", "--from", "b")),
    ("fallback", ("a", "b"), ("a", "--from", "b", "--distance", "6")),
    ("move", ("a", (20.0, 12.5)), ("a", "--to", "POINT")),
    ("reach", ("a",), ("a",)),
    ("field", ("b",), ("b",)),
    ("ground", ("b",), ("b",)),
    ("line", ((18.0, 10.0), (21.0, 22.5)), ("--start", "POINT", "--end", "POINT")),
    ("cover", ("a", "b", "tick:assault"), ("a", "--from", "b", "--assault")),
    ("fallback", ("a", "b", "tick:assault"), ("a", "--from", "b", "--distance", "6", "--assault")),
)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Umpire, Path]]:
    """The position laid once, its file saved."""
    scene = tmp_path_factory.mktemp("settled") / "position.yaml"
    with at_the_table() as umpire:
        position(umpire)
        save_as(umpire, scene)
        yield umpire, scene


@pytest.mark.parametrize(
    ("question", "clicks", "words"), QUESTIONS, ids=[f"{row[0]} {row[2][-1]}" for row in QUESTIONS]
)
def test_every_question_is_answered_as_the_command_line_answers_it(
    question: str,
    clicks: tuple[object, ...],
    words: tuple[str, ...],
    settled: tuple[Umpire, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    umpire, scene = settled
    names = dict(zip("ab", (str(row["id"]) for row in umpire.controller.draft.units), strict=True))
    umpire.press("tab:ask")
    umpire.key(pygame.K_ESCAPE)
    umpire.press(f"ask:{question}")
    assert umpire.controller.verdict is None
    for clicked in clicks:
        if clicked == "tick:assault":
            if not umpire.controller.asking.extras.get("assault"):  # else it is still on from the question before
                umpire.press("tick:assault")
            umpire.wait()
        else:
            umpire.click(umpire.controller.battle.unit(names[clicked]).at if isinstance(clicked, str) else clicked)  # type: ignore[arg-type]
    verdict = umpire.controller.verdict
    points = (f"{place[0]},{place[1]}" for place in umpire.controller.asking.clicked if not isinstance(place, str))
    assert verdict is not None, umpire.controller.asking.answer
    said = [next(points) if word == "POINT" else names.get(word, word) for word in words]
    assert told(capsys, str(scene), question, *said) == json.loads(json.dumps(verdict.as_json()))


def test_the_saved_scene_opens_as_the_same_battle(tmp_path: Path) -> None:
    scene = tmp_path / "wood.yaml"
    with at_the_table() as umpire:
        position(umpire)
        save_as(umpire, scene)
        saved: Battle = umpire.controller.battle
    with at_the_table() as other:
        other.drop(scene)
        assert other.controller.battle == saved == load_scene(scene)
        assert other.controller.mode is Mode.EDIT and not other.screen.unkept
        assert other.controller.path is None  # what somebody wrote is never written over by a mere Ctrl-S


def test_the_card_says_where_it_comes_from(tmp_path: Path) -> None:
    page = tmp_path / "card.svg"
    with at_the_table(laid()) as umpire:
        umpire.press("tab:ask")
        umpire.click((20, 10))
        umpire.click((22, 24))
        umpire.press("tab:card")
        umpire.write("title", "Who sees the guns")
        umpire.write("card:date", "1 May 2026")
        umpire.write("card:first", "Anna")
        umpire.write("card:second", "Bert")
        umpire.press("card:.svg")
        umpire.write("file", str(page))
        umpire.press("choose:")
    text = " ".join(re.findall(r">([^<>]+)<", page.read_text("utf-8")))
    digits = hashlib.sha256((tmp_path / "card.yaml").read_bytes()).hexdigest()
    assert digits in text.replace(" ", "")
    for words in (
        "Who sees the guns",
        "1 May 2026",
        "Anna",
        "Bert",
        "signature",
        "NO",
        "TSE-LOS-05",
        "Margin",
        "card.yaml",
    ):
        assert words in text, words
    assert load_scene(tmp_path / "card.yaml").title == "Who sees the guns"


@pytest.mark.usefixtures("unmeasured")
def test_a_pdf_is_written_and_where_none_can_be_the_cure_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: Drawing, density: float = 1.0) -> bytes:
        raise Broken("PDF pictures need reportlab")

    for name in ("with", "without"):
        if name == "without":
            monkeypatch.setattr(keeping, "WRITERS", dict(WRITERS) | {".pdf": missing})
        page = tmp_path / f"{name}.pdf"
        with at_the_table(laid()) as umpire:
            umpire.press("tab:ask")
            umpire.click((20, 10))
            umpire.click((22, 24))
            umpire.press("tab:card")
            umpire.press("card:.pdf")
            umpire.write("file", str(page))
            umpire.press("choose:")
            if name == "without":
                assert "PDF pictures need reportlab" in umpire.controller.note
                assert not page.exists()
                return
        data = page.read_bytes()
        assert data.startswith(b"%PDF") and data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") <= 2


def test_the_question_becomes_a_handout(tmp_path: Path) -> None:
    """Its pages are a PDF of two; a question without yes and no is said to be none before a file is chosen."""
    with at_the_table(laid()) as umpire:
        asked(umpire, "los")
        umpire.press("tab:card")
        umpire.press("handout:")
        umpire.write("file", str(tmp_path / "wood.pdf"))
        umpire.press("choose:")
        assert umpire.controller.note == "The handout is in wood.pdf; print it on both sides."
        data = (tmp_path / "wood.pdf").read_bytes()
        assert data.startswith(b"%PDF") and data.count(b"/Type /Page\n") == 2
        umpire.press("handout:")
        umpire.write("file", str(tmp_path / "wood.pdf"))
        umpire.press("choose:")
        assert umpire.screen.chooser is not None and "is there already" in umpire.screen.chooser.note
        umpire.press("leave:")
        asked(umpire, "distance")
        umpire.press("tab:card")
        umpire.press("handout:")
        assert umpire.screen.chooser is None and "yes or no" in umpire.controller.note


def test_an_unsound_position_is_laid_out_but_neither_judged_nor_saved(tmp_path: Path) -> None:
    with at_the_table(laid()) as umpire:
        umpire.press("tab:edit")
        umpire.keeping(pygame.KMOD_LALT)
        umpire.drag((20, 10), (21.5, 23.7))
        umpire.keeping(0)
        assert "overlaps" in umpire.controller.faults[0] and len(umpire.controller.battle.units) == 2
        umpire.press("save:")
        assert umpire.screen.chooser is None
        assert umpire.controller.note.startswith("Not saved: ") and "overlaps" in umpire.controller.note
        umpire.press("tab:ask")
        umpire.click((22.0, 23.7))
        assert umpire.controller.verdict is None and umpire.controller.asking.answer is None
        umpire.key(pygame.K_z, pygame.KMOD_LCTRL)
        assert umpire.controller.laid.sound


def test_a_ruling_the_verdict_turns_on_is_one_click_away() -> None:
    with at_the_table(laid()) as umpire:
        umpire.press("tab:edit")
        # The wood made thin: across it sight goes or not by a ruling.
        umpire.controller.put_rows(
            [{**umpire.controller.draft.piece("woods-1"), "outline": [[16, 15], [26, 15], [26, 17], [16, 17]]}]
        )
        asked(umpire, "los")
        verdict = umpire.controller.verdict
        assert isinstance(verdict, Verdict) and not verdict.holds
        assert [turn.ruling for turn in verdict.depends_on] == ["thin_wood_transparent"]
        umpire.link("verdict", "thin_wood_transparent")
        again = umpire.controller.verdict
        assert again is not None and again.holds
        assert umpire.controller.draft.rulings == {"thin_wood_transparent": True}
        assert again == judge(umpire.controller.battle, "los", again.args).with_(options=again.options)


@pytest.mark.usefixtures("unmeasured")
def test_dragging_a_unit_while_asking_judges_again() -> None:
    with at_the_table(laid()) as umpire:
        asked(umpire, "distance")
        first = umpire.controller.verdict
        umpire.drag((20, 10), (20, 12))
        second = umpire.controller.verdict
        assert first is not None and second is not None
        assert second.measured["distance"] == pytest.approx(first.measured["distance"] - 2.0, abs=0.05)


def test_a_table_in_millimetres_has_its_own_troops_and_questions() -> None:
    with at_the_table() as umpire:
        umpire.choose("new:rules", "Realm of Chance")
        umpire.write("new:width", "4")
        umpire.write("new:height", "3")
        umpire.choose("new:unit", "feet")
        umpire.press("new:")
        assert umpire.controller.size == pytest.approx((1219.2, 914.4), abs=0.001)
        umpire.press("troop:medium-cavalry")
        umpire.click((600, 400))
        umpire.press("tab:ask")
        assert "ask:zones" in umpire.screen.form.words and "ask:cover" not in umpire.screen.form.words
        umpire.press("ask:zones")
        umpire.click((600, 400))
        assert umpire.controller.verdict is not None


def test_who_serves_guns_is_asked_by_two_clicks() -> None:
    """SQP-TST-08: the dispute that comes with the program, its abandoned guns and all."""
    battle = scenario("destiny/disputes/the-crew-has-run")
    with at_the_table(draft_of(battle)) as umpire:
        umpire.press("tab:ask")
        umpire.press("ask:serve")
        for name in ("foot-west", "guns-west"):
            umpire.click(battle.unit(name).at)
        verdict = umpire.controller.verdict
        assert verdict is not None and (verdict.question, verdict.args) == ("serve", ("foot-west", "guns-west"))
        assert verdict.holds
        umpire.drag(battle.unit("foot-west").at, (270, 240))
        again = umpire.controller.verdict
        assert again is not None and again.args == verdict.args and not again.holds


@pytest.mark.usefixtures("unmeasured")
def test_a_rule_cited_is_opened_and_put_away() -> None:
    with at_the_table(laid()) as umpire:
        asked(umpire, "los")
        umpire.link("verdict", "rule:TSE-LOS-05")
        assert "unread:" in umpire.screen.form.words and umpire.screen.reading == "TSE-LOS-05"
        umpire.press("unread:")
        assert "ask:los" in umpire.screen.form.words and umpire.controller.verdict is not None


def test_how_sure_the_call_is_on_a_table_measured_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with at_the_table(laid()) as umpire:
        save_as(umpire, tmp_path / "p.yaml")
        umpire.press("tab:ask")
        umpire.press("ask:arc")
        umpire.press("tick:sure")
        umpire.click((20, 10))
        umpire.click((22, 24))
        verdict = umpire.controller.verdict
        assert verdict is not None and verdict.certainty is not None
    said = told(capsys, str(tmp_path / "p.yaml"), "arc", *verdict.args, "--error", "0.125,2")
    assert said == json.loads(json.dumps(verdict.as_json()))


@pytest.mark.usefixtures("unmeasured")
def test_another_palette_and_other_units_are_worn_at_once() -> None:
    with at_the_table(laid()) as umpire:
        asked(umpire, "distance")
        assert " in apart" in verdict_words.answer(umpire.controller)
        try:
            other = Look(Settings(palette="grey", units="centimetres"))
            other.put_on()
            umpire.screen.shown(other)
            umpire.wait()
            assert " cm apart" in verdict_words.answer(umpire.controller)
        finally:
            Look(Settings()).put_on()
