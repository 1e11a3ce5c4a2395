"""The report of a battle: told turn by turn by the clock, with the losses right and every name the player's own."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tabletop import cli
from tabletop.battle.apply import fold
from tabletop.battle.event import Ended, Entered, Event, Lost, Placed, Removed, Scored, Taken, Told
from tabletop.battle.progress import Clock
from tabletop.battle.unit import pose_of
from tabletop.play import narration
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.engine import Step, begin, opened, play_of
from tabletop.play.files.load import load_scene_data
from tabletop.play.files.opened import open_battle
from tabletop.play.saves import report as reporting
from tabletop.play.session import Session
from tabletop.render.drawing import report_page
from tabletop.rules.play import Play
from tabletop.terminal.record import log
from tests.play.kept_games import SCENE, go_on, played


@pytest.fixture(scope="module")
def game() -> Session:
    session = played(0)
    go_on(session, 100, Random(4))
    return session


def test_a_report_has_a_chapter_for_each_turn_with_its_hour(game: Session) -> None:
    """TSE-SCL-03: a turn is an hour."""
    found = reporting.report(game.header, game.steps)
    assert [chapter.turn for chapter in found.chapters] == [1, 2, 3]
    assert [chapter.hour for chapter in found.chapters] == ["15:30", "16:30", "17:30"]
    text = reporting.text(found)
    assert "Turn 2, 16:30" in text
    assert "French (attacker) under Foy: 2 units, 8 bases; played by anybody." in text
    assert "1 of the units still to come" in text
    assert text.splitlines()[-1] == found.outcome
    assert max(map(len, text.splitlines())) <= reporting.WIDTH


def test_every_action_is_told_in_its_own_turn(game: Session) -> None:
    """What an action sets off after it opened a turn is told there; no sentence is lost or told twice."""
    found = reporting.report(game.header, game.steps)
    told = [sentence for chapter in found.chapters for entry in chapter.entries for sentence in entry.sentences]
    apart = []
    battle = opened(game.header.opening, game.header.seed)
    for step in game.steps:
        apart += list(narration.sentences(battle, step.events))
        battle = step.battle
    assert told == apart


def happened(*events: Event) -> Session:
    """Return a game in which these events were the first action."""
    session = played(0)
    start = replace(session.battle, pending=(), clock=Clock(1, "choosing", "french"))
    session.steps = [Step(None, None, (), start), Step(None, None, events, fold(start, events))]
    return session


def test_losses_are_counted_by_the_side_a_unit_began_on() -> None:
    start = begin(load_scene_data(SCENE), 7).battle
    kempt, jamin = start.unit("kempt"), start.unit("jamin")
    left = pose_of(replace(kempt, bases=kempt.bases[:3], front_bases=(0, 1)))
    found = happened(Lost("kempt", 1, left), Removed("jamin", "destroyed"), Removed("foy", "killed"))
    tally = reporting.report(found.header, found.steps).tallies[-1]
    assert tally.bases == {"french": jamin.strength, "allied": 1}
    assert tally.units == {"french": 1, "allied": 0}
    assert tally.generals == {"french": 1, "allied": 0}
    assert reporting.losses(reporting.report(found.header, found.steps), tally) == [
        "French had lost 4 bases, 1 whole unit, 1 general.",
        "Allied had lost 1 base.",
    ]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Taken("hill", "french"), "French took the hill."),
        (Taken("hill", None), ""),
        (Scored("french", 2.0, "the hill"), "French scored 2 points: the hill."),
        (Ended(None, "night fell"), "The battle was drawn: night fell."),
        (Ended("french", "allied broke"), "French won: the Allied side broke."),
        (Told("something-new", {"result": "odd", "form": {}}, "kempt", "jamin"), "Kempt: something new against Jamin"),
        (Removed("kempt", "surrendered"), "Kempt surrendered."),
        (Removed("kempt", "vanished"), "Kempt left the field (vanished)."),
        (Told("orders", {"action": "march", "result": "lost"}, "kempt"), "Kempt never got orders to march."),
        (Told("orders", {"action": "march", "result": "received"}, "kempt"), ""),
    ],
)
def test_how_events_read(event: Event, says: str) -> None:
    battle = begin(load_scene_data(SCENE), 7).battle
    (said,) = list(narration.sentences(battle, [event])) or [""]
    assert said.startswith(says) if says else not said


def test_where_a_unit_went_is_told_by_its_name_and_the_way_it_came() -> None:
    battle = begin(load_scene_data(SCENE), 7).battle
    unit = battle.unit("kempt")
    pose = pose_of(unit.moved(3.0, 4.0))
    assert list(narration.sentences(battle, [Placed("kempt", pose)])) == ["Kempt went 5.0 in."]
    around = ((0.0, 0.0), (3.0, 0.0), (3.0, 4.0))
    assert list(narration.sentences(battle, [Placed("kempt", pose, around)])) == ["Kempt went 7.0 in."]
    entered = Entered("halkett", pose_of(battle.anyone("halkett")))
    assert list(narration.sentences(battle, [entered])) == ["Halkett came on to the table on the march."]


def test_a_rule_set_without_words_of_its_own_is_told_in_the_usual_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = replace(play_of(begin(load_scene_data(SCENE), 7).battle), narrate=Play.narrate)
    monkeypatch.setattr(narration, "play_of", lambda battle: plain)
    battle = begin(load_scene_data(SCENE), 7).battle
    said = list(narration.sentences(battle, [Removed("kempt", "destroyed"), Told("turn", {"turn": 2})]))
    assert said == ["Kempt left the table: destroyed.", "Turn (turn 2)."]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Told("fire", {"range": 247.0, "result": "Dd"}, "gun", "foot"), "Gun fired at Foot at 247 mm: disrupted."),
        (Told("halt", {"die": 6, "done": True}, "foot"), "Foot came to a stand (die 6)."),
        (Told("turn", {"turn": 2, "side": "french"}), "French to move."),
        (Told("no square", {"debt": 0.5}, "foot"), "Foot had no time to form square."),
        (Removed("foot", "fled"), "Foot fled the field."),
    ],
)
def test_how_events_of_the_other_rules_read(event: Event, says: str) -> None:
    from tabletop.battle.unit import Unit
    from tabletop.geometry.base import Base

    scene = load_scene_data(SCENE)
    units = tuple(Unit(name.lower(), "french", "infantry", (Base(9, 9, 0, 9, 9),), name) for name in ("Foot", "Gun"))
    assert list(narration.sentences(replace(scene, rules="realm-of-chance", units=units), [event])) == [says]


# --- the page --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Counts the tags of a page and keeps its text; a tag left open or closed twice fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in ("meta", "img", "path"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_holds_everything_itself(game: Session) -> None:
    text = report_page.page(reporting.report(game.header, game.steps))
    page = Page(text)
    assert page.count["h2"] == 3
    assert page.count["img"] >= 2
    assert page.count["svg"] == 1
    assert "Turn 2, 16:30" in page.text
    addresses = re.findall(r'(?:src|href|url\()="?([^")]{0,30})', text)
    assert addresses
    assert all(address.startswith("data:") for address in addresses)
    assert "<script" not in text


def test_names_cannot_write_into_the_page() -> None:
    data = json.loads(json.dumps(SCENE).replace('"Kempt"', '"<b>K&\\"</b>"').replace("Two brigades", "<i>Two</i>"))
    session = Session.start(load_scene_data(data), 7)
    go_on(session, 20, Random(4))
    text = report_page.page(reporting.report(session.header, session.steps))
    assert "<b>K" not in text
    assert "<i>Two" not in text
    assert "&lt;i&gt;Two&lt;/i&gt;" in text


def test_the_chart_rises_by_what_was_lost() -> None:
    found = happened(Removed("jamin", "destroyed"))
    text = report_page.page(reporting.report(found.header, found.steps))
    assert "French 4<" in text
    assert "Allied 0<" in text


# --- from the command line -------------------------------------------------------------------------------------------


def put(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = cli.status([str(word) for word in words])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return status, said.out, said.err


def test_a_battle_is_fought_out_saved_verified_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    game = tmp_path / "game.jsonl"
    run = ("run", tmp_path / "scene.json", "--seed", 7)
    status, first, _ = put(capsys, *run, "--save", game)
    assert status == 0
    assert "played by random" in first
    assert put(capsys, *run)[1] == first, "the same seed, the same battle"
    assert put(capsys, "verify", game)[0] == 0
    assert put(capsys, "report", game)[1] == first
    assert put(capsys, "report", game, "--html", tmp_path / "page.html")[0] == 0
    Page((tmp_path / "page.html").read_text("utf-8"))


def test_fewer_turns_end_sooner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    out = put(capsys, "run", tmp_path / "scene.json", "--turns", 1)[1]
    assert "Turn 1" in out
    assert "Turn 2" not in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--players", "random"], "name a player for each side (french, allied)"),
        (["--players", "random,rondom"], "did you mean 'random'?"),
        (["--players", "human,random"], "there is nobody to ask"),
        (["--save", "scene.json"], "is there already"),
        (["--save", "nowhere/game.jsonl"], "cannot be saved there"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    status, out, err = put(capsys, "run", "scene.json", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_a_scene_of_one_side_is_no_battle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row for row in SCENE["units"] if row["side"] == "allied" and "at" in row]
    (tmp_path / "scene.json").write_text(json.dumps({**SCENE, "units": rows, "game": None}))
    status, _, err = put(capsys, "run", tmp_path / "scene.json")
    assert status == 2
    assert "a battle is between two sides; here there are: allied" in err
    path = tmp_path / "page.html"
    assert put(capsys, "report", tmp_path / "none.jsonl", "--html", path)[0] == 2
    assert not path.exists()


# --- one turn, one count ---------------------------------------------------------------------------------------------


def test_an_action_that_ends_a_turn_is_listed_under_that_turn(tmp_path: Path) -> None:
    """In the report, the prompt's log and the replay alike; what the next turn opens with stands under the next."""
    from tabletop.render.events.reel import Reel
    from tabletop.render.events.telling import place
    from tabletop.render.replay.log import Log
    from tabletop.terminal import record

    session = played(40)
    reel = Reel.of_session(session).wound()
    ending = next(
        n
        for n, (a, b) in enumerate(pairwise(session.steps), 1)
        if b.battle.clock.turn == 2 and a.battle.clock.turn == 1
    )
    own = [said for turn, said in reel.moments[ending].by_turn if turn == 1]
    assert [turn for turn, _ in reel.moments[ending].by_turn] in ([1], [2], [1, 2])
    entries = Log(reel, 300.0, 300.0)
    entries.grow()
    heads = [(entry.n, entry.opens) for entry in entries.entries if entry.opens]
    assert (2 in [turn for _, turn in heads]) and all(n >= ending for n, turn in heads if turn == 2)
    found = reporting.report(session.header, session.steps)
    ended = [entry for entry in found.chapters[0].entries if entry.n == ending]
    assert bool(ended) is bool(own)
    lines = list(record.log(session.steps))
    first, second = lines.index("Turn 1"), lines.index("Turn 2")
    if own:
        assert any(line.lstrip().startswith(f"{ending} ") for line in lines[first:second])
    assert not any(line.lstrip().startswith(f"{ending} ") for line in lines[second:])
    assert place(reel.moments[ending], reel).startswith("Turn 1 of 3, action")
    assert place(reel.moments[ending], reel).endswith("; turn 2 begins")


def test_what_happens_as_the_other_side_begins_is_no_part_of_an_action() -> None:
    """Nor of the one that ended the turn before: it stands by itself, without a number."""
    game = Session.start(open_battle("lancers"), 3, {"french": "random", "allied": "random"}, None)
    mover = RandomMover(3)
    while game.battle.clock.turn < 3:
        game.do(mover.choose(game.battle).action)
    entries = [entry for chapter in reporting.report(game.header, game.steps).chapters for entry in chapter.entries]
    begun = [entry for entry in entries if any(said.endswith(" to move.") for said in entry.sentences)]
    assert len(begun) == 5 and all(entry.n == 0 and entry.sentences[0].endswith(" to move.") for entry in begun)
    numbers = [entry.n for entry in entries if entry.n]
    assert numbers == sorted(set(numbers))
    lines = [line.lstrip() for line in log(game.steps) if " to move." in line]
    assert len(lines) == 5 and all(line.split()[1:3] == ["to", "move."] for line in lines[1:])


def test_bases_are_counted_alike_everywhere() -> None:
    """Those still to come are bases of their side in the bar, at the prompt, in the report and in the replay."""
    from tabletop.render.battle.words import standing
    from tabletop.render.events.telling import bases
    from tabletop.terminal import views

    session = played(0)
    battle = session.battle
    assert battle.bases("allied") == (11, 3)
    assert standing(battle)["allied"].startswith("Allied 11 bases (3 to come)")
    assert bases(battle, "allied") == 11
    assert "Allied: 3 units, 11 bases, 1 of the units still to come" in " ".join(views.situation(battle).split())
    assert "3 units, 11 bases, 1 of the units still to come" in reporting.text(
        reporting.report(session.header, session.steps)
    )
