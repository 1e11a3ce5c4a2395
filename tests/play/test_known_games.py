"""What a saved game tells of hidden units until it is over, by every command that reads one.

The rule set is that of ``tests.hiding``. In ``open.jsonl`` a person plays red against a computer, and blue's reserve
has moved unseen; ``over.jsonl`` is the same battle, ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.hiding import hiding_rules
from tests.published import put

#: Plays the two games.
PLAYED = """
from dataclasses import replace
from pathlib import Path
from tabletop.battle.action import Action
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session

def game(name, turns, players):
    battle = load_scene("two-blocks")
    battle = replace(battle, setup=replace(battle.setup, turns=turns))
    session = Session.start(battle, 1, players, Path(name))
    session.do(Action("done", "red"))
    session.do(Action("advance", "blue", "reserve", options={"distance": 2.0}))
    session.do(Action("done", "blue"))
    if turns > 1:
        session.do(Action("advance", "red", "swiss", options={"distance": 1.0}))
    session.close()
    return session

assert not game("open.jsonl", 6, {"red": "human", "blue": "greedy"}).battle.over
assert not game("hotseat.jsonl", 6, {"red": "human", "blue": "human"}).battle.over
assert not game("computers.jsonl", 6, {"red": "greedy", "blue": "greedy"}).battle.over
assert game("over.jsonl", 1, {"red": "human", "blue": "greedy"}).battle.over
"""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the rule set; the games are beside it."""
    folder = tmp_path_factory.mktemp("known") / "rules"
    folder.mkdir()
    run = put(hiding_rules(folder), "-c", PLAYED)
    assert run.returncode == 0, run.stderr
    return folder


#: Runs commands in one process, and prints what each printed and wrote.
RUN = """
import contextlib, io, json, sys
from pathlib import Path
from tabletop.cli import status
told = []
for words in json.loads(sys.argv[1]):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status(words)
    for path in map(Path, words):
        if path.name.startswith("out.") and path.exists():
            said.write(path.read_text("utf-8"))
            path.unlink()
    told.append(said.getvalue())
print(json.dumps(told))
"""


def said(games: Path, *commands: Sequence[str]) -> list[str]:
    """Return all that each command prints, and what it writes into ``out.*``."""
    run = put(games, "-c", RUN, json.dumps(commands))
    assert run.returncode == 0, run.stderr
    return list(map(str, json.loads(run.stdout)))


#: Commands that read a saved game, and what they print only if they show the reserve.
READERS = {
    "judge": (("judge", "GAME", "distance", "swiss", "reserve"), "swiss and reserve are"),
    "judge at a moment": (("judge", "GAME", "distance", "swiss", "reserve", "--at", "2"), "swiss and reserve are"),
    "odds": (("odds", "GAME", "advance", "reserve", "distance", "1"), "It may not be done"),
    "report": (("report", "GAME"), "reserve went"),
    "report as a page": (("report", "GAME", "--html", "out.html"), "reserve went"),
    "replay": (("replay", "GAME", "--at", "2"), "reserve went"),
    "replay drawn": (("replay", "GAME", "--diagram", "out.svg"), "reserve"),
    "render": (("render", "GAME", "--out", "out.svg"), "reserve"),
}
#: After the end no action has odds, of whatever unit.
ENDED = ("odds", "over.jsonl")


#: A game and options, and whether the reserve is then shown.
CASES = (
    ("open.jsonl", (), False),
    ("hotseat.jsonl", (), False),
    ("computers.jsonl", (), True),
    ("computers.jsonl", ("--side", "red"), False),
    ("open.jsonl", ("--side", "blue"), True),
    ("open.jsonl", ("--all",), True),
    ("over.jsonl", (), True),
)


def test_a_command_shows_a_game_as_its_people_know_it(games: Path) -> None:
    """A hidden unit is shown if the other side's view is asked for, or everything; once it is over; to computers."""
    rows = [(name, *row, *case) for name, row in READERS.items() for case in CASES if (name, case[0]) != ENDED]
    commands = [[*(game if word == "GAME" else word for word in words), *more] for _, words, _, game, more, _ in rows]
    for (name, _, told, game, more, shown), text in zip(rows, said(games, *commands), strict=True):
        assert (told in text) is shown, (name, game, more, text)


def test_questions_about_it_are_refused_as_those_about_nobody(games: Path) -> None:
    ask = ("distance", "swiss")
    hidden, nobody, both, unknown, scene = said(
        games,
        ("judge", "open.jsonl", *ask, "reserve"),
        ("judge", "open.jsonl", *ask, "nobody"),
        ("report", "open.jsonl", "--side", "red", "--all"),
        ("report", "open.jsonl", "--side", "bleu"),
        ("judge", "two-blocks", *ask, "landsknechts", "--all"),
    )
    assert hidden == "tabletop: nothing is known of 'reserve'; there are: landsknechts, swiss\n"
    assert nobody == hidden.replace("reserve", "nobody")
    assert "'side' and 'all' exclude each other" in both
    assert "no side 'bleu' in this battle; did you mean 'blue'?" in unknown
    assert "two-blocks is no saved game" in scene


#: What reads a saved game besides the commands above: each prints which of the battles it shows hold the reserve.
OTHERS = {
    "a batch": """
from tabletop.play.batch import answers
def shows(game, **asked):
    line = {"scene": game, "question": "distance", "args": ["swiss", "reserve"], **asked}
    return "error" not in json.loads(next(answers([json.dumps(line).encode()], Path())))
""",
    "python": """
import tabletop
def shows(game, side=None, all=False):
    return "reserve" in tabletop.load(game, side=side, everything=all).units
""",
    "print": """
from tabletop.render.printing import pages
shown = []
pages.printed = lambda battle, *_: shown.append(battle) or b""
def shows(game, side=None, all=False):
    options = [*(["--side", side] if side else []), *(["--all"] if all else [])]
    with redirect_stdout(io.StringIO()):
        status(["print", game, "-o", "out.pdf", *options])
    return shown.pop().has("reserve")
""",
    "film": """
from tabletop.render.film import writer
shown = []
writer.write_film = lambda path, reel, *_: shown.append(reel) or Path(path).write_bytes(b"") or 0
def shows(game, side=None, all=False):
    options = [*(["--side", side] if side else []), *(["--all"] if all else [])]
    with redirect_stdout(io.StringIO()):
        status(["film", game, "-o", "out.gif", *options])
    reel = shown.pop()
    known = {moment.battle.has("reserve") for moment in reel.moments} | {reel.opening.has("reserve")}
    assert len(known) == 1 and ("reserve" in str([moment.lines for moment in reel.moments])) in known
    return known.pop()
""",
}
#: Asks one of them about the games.
ASKED = """
import io, json
from contextlib import redirect_stdout
from pathlib import Path
from tabletop.cli import status
{}
assert [shows(f"{{name}}.jsonl") for name in ("open", "hotseat", "computers", "over")] == [False, False, True, True]
assert shows("open.jsonl", side="blue") and shows("open.jsonl", all=True) and not shows("computers.jsonl", side="red")
print("done")
"""


def test_whatever_else_reads_a_game_shows_it_so_too(games: Path) -> None:
    run = put(games, "-c", "\n".join(ASKED.format(code) for code in OTHERS.values()))
    assert run.stdout.splitlines() == [*(["done"] * len(OTHERS))], run.stdout + run.stderr


#: Looks at the games by the screens, which have no options.
SCREENS = """
from pathlib import Path
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.saves import library
from tabletop.play.saves.save import read
from tabletop.play.session import Session
from tabletop.render.events import reel
from tabletop.render.replay import branching
import tempfile
for name, shows in (("open", False), ("hotseat", False), ("computers", True), ("over", True)):
    path = Path(f"{name}.jsonl")
    film = reel.read(path).wound()
    assert {moment.battle.has("reserve") for moment in film.moments} == {shows}, name
    assert ("reserve" in str([moment.lines for moment in film.moments])) is shows, name
    assert library.game(path).battle.has("reserve") is shows
    assert ("reserve" in {row["id"] for row in open_draft(path).units}) is shows
    branching.free_path = lambda title: Path(tempfile.mkdtemp()) / "game.jsonl"
    assert branching.branched(film, 1).battle.has("reserve"), "a game played on has all its units"
    so_far = reel.Reel.of_session(Session.resume(read(path))).wound()
    assert {moment.battle.has("reserve") for moment in so_far.moments} == {shows}, name
print("done")
"""


def test_replays_the_start_screen_and_the_judges_table_show_it_so(games: Path) -> None:
    run = put(games, "-c", SCREENS)
    assert run.stdout.splitlines()[-1:] == ["done"], run.stdout + run.stderr
