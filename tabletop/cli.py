"""The command line: ``tabletop judge``, ``check``, ``render``, ``rulings``, ``doctor``, ``play`` and the games' own.

Answers are words on stdout, faults are on stderr. Exit status: 0 holds (or: sound, done), 1 does not hold, 2 the
question could not be put. Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabletop.commands import (
    calculator,
    cases,
    completing,
    demos,
    drills,
    examples,
    film,
    games,
    ground,
    judge_table,
    lessons,
    printing,
    prompt,
    quick,
    simulate,
    viewing,
    window,
)
from tabletop.errors import BadQuestion, TabletopError, Unreadable
from tabletop.startup_gc import gc_suspended

if TYPE_CHECKING:
    from tabletop.battle.battle import Battle
    from tabletop.geometry.verdict import Verdict


app = typer.Typer(
    name="tabletop",
    help="A measured table for historical miniatures battles: who sees whom, who may fire, move or assault, and why.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for commands in (
    games,
    film,
    simulate,
    prompt,
    calculator,
    judge_table,
    examples,
    lessons,
    drills,
    demos,
    cases,
    ground,
    quick,
    printing,
):
    commands.add_to(app)

_POINT = re.compile(r"[-+]?[0-9.]+,[-+]?[0-9.]+\Z")
#: Options whose value may begin with a minus sign.
_SIGNED = ("--to", "--path", "--start", "--end", "--facing", "--away", "--shift", "--bend")


def run(words: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if not sys.warnoptions and not os.environ.get("TABLETOP_DEBUG"):
        warnings.simplefilter("ignore")  # warnings of libraries are for programmers, not for players
    sys.exit(status(sys.argv[1:] if words is None else words))


def status(words: Sequence[str]) -> int:
    """Return the exit status of one command; every error a user can meet becomes one clear line on stderr."""
    try:
        _known(words)
        _asked_for(words)(arranged(words), prog_name="tabletop")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2 if end.code else 0
    except Unreadable as error:
        print(error, file=sys.stderr)
    except TabletopError as error:
        print(f"tabletop: {error}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("TABLETOP_DEBUG"):
            raise
        _unforeseen(error, words)
    return 2


def _unforeseen(error: Exception, words: Sequence[str]) -> None:
    """Report an unexpected error as a defect, unless completion could not be written to the shell's own files."""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    if isinstance(error, OSError) and "--install-completion" in words:
        reason = f"{error.filename}: {error.strerror}"
        print(f"tabletop: completion cannot be installed ({reason}); copy --show-completion by hand", file=sys.stderr)
        return
    print(f"tabletop: this is a defect of the program, please report it: {what}", file=sys.stderr)
    print("tabletop: (with TABLETOP_DEBUG=1 it shows where)", file=sys.stderr)


def _known(words: Sequence[str]) -> None:
    """Raise BadQuestion if the first word is not a command, with the nearest one, or ``play`` for a file's name."""
    if not words or words[0].startswith("-"):
        return
    commands = [_name(command) for command in app.registered_commands]
    if words[0] in commands:
        return
    from tabletop.play.files.nearest_words import clip, did_you_mean

    shown = [name for name in commands if name != "schema"]
    cure = f"did you mean 'play {clip(words[0])}'?" if Path(words[0]).suffix else did_you_mean(words[0], shown)
    raise BadQuestion(f"no command '{clip(words[0])}'; {cure}")


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__)


def _asked_for(words: Sequence[str]) -> typer.Typer:
    """Return the app with only the command that is called: building all of them takes as long as a verdict."""
    if not words or words[0].startswith("-"):
        return app
    alone = copy(app)
    alone._add_completion = False  # belongs to the program as a whole, and is slow
    alone.registered_commands = [command for command in app.registered_commands if _name(command) == words[0]]
    return alone


def arranged(words: Sequence[str]) -> list[str]:
    """Return the words with every point after ``--path`` given its own ``--path=``, and signed values joined.

    >>> arranged(["--path", "1,2", "-3,4", "--facing", "-90"])
    ['--path=1,2', '--path=-3,4', '--facing=-90']
    """
    joined: list[str] = []
    pathing, waiting = False, ""
    for word in words:
        if waiting or (pathing and _POINT.match(word)):
            joined.append(f"{waiting or '--path'}={word}")
            pathing, waiting = (waiting or "--path") == "--path", ""
        elif word in _SIGNED:
            waiting = word
        else:
            pathing = False
            joined.append(word)
    return [*joined, waiting] if waiting else joined


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say the version and stop.")] = False,
) -> None:
    """Open the start screen when no command is given."""
    if version:
        from tabletop import __version__

        print(f"tabletop {__version__}")
    elif context.invoked_subcommand is None:
        play(None, text=False)


#: The text below the options of ``judge``; tests run every line of it.
JUDGE_EXAMPLES = """\b
Units of measure:
  Lengths are in the unit of the table (in, cm or mm), places X,Y count east and
  north from its south-west corner, angles are degrees clockwise from north.

\b
Questions and options are those of the scene's rules: not all have all of them.

\b
Examples:
  tabletop judge level-shadow los low-guns middle
  tabletop judge level-shadow los low-guns middle --diagram proof.pdf
  tabletop judge level-shadow los low-guns middle --error 0.125,2
  tabletop judge starter distance arnaud auer
  tabletop judge starter move arnaud --to 8.4,9
  tabletop judge starter move arnaud --path 8.4,8 9,9 --facing 20
  tabletop judge starter reach bertin --json
  tabletop judge starter fallback arnaud --from auer --distance 3
  tabletop judge starter line --start 21.63,11.57 --end 21.6,6.6
  tabletop judge front-or-flank assault west-column west-line
  tabletop judge a-hundred-millimetres assault rifles-west french-west
  tabletop judge long-sand fire monck gouda
  tabletop judge - los low-guns middle < scene.yaml"""


@app.command(epilog=JUDGE_EXAMPLES)
def judge(
    scene: Annotated[
        str | None,
        typer.Argument(
            help="A scene, a scenario or a saved game: a file, or the name of an example; '-' reads stdin.",
            show_default=False,
            autocompletion=completing.scenes,
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Argument(
            help="A question that the rules of the scene answer: distance, fire, move, reach ...",
            show_default=False,
            autocompletion=completing.questions,
        ),
    ] = None,
    units: Annotated[
        list[str] | None,
        typer.Argument(help="The units asked about, by id.", show_default=False, autocompletion=completing.units),
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="X,Y", help="move: where the front midpoint goes.")] = None,
    path: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y X,Y ...", help="move: the waypoints; X,Y@left wheels on a corner there."),
    ] = None,
    facing: Annotated[str | None, typer.Option(metavar="DEGREES", help="move: the facing at the end.")] = None,
    as_: Annotated[
        str | None,
        typer.Option("--as", metavar="ACTION", help="The kind of move, in the words of the rules."),
    ] = None,
    front: Annotated[int | None, typer.Option(metavar="N", help="move: bases in the front rank.")] = None,
    head: Annotated[int | None, typer.Option(metavar="N", help="move: the base that leads.")] = None,
    ref: Annotated[int | None, typer.Option(metavar="N", help="move: the reference base.")] = None,
    place: Annotated[
        int | None, typer.Option(metavar="K", help="move: its place in the rank, from 0 at the left (its number).")
    ] = None,
    shift: Annotated[str | None, typer.Option(metavar="X,Y", help="move: how far the reference base shifts.")] = None,
    bend: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="move: how each base faces off the reference base, degrees.")
    ] = None,
    ranks: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="move: the size of every rank, the front rank first.")
    ] = None,
    delayed: Annotated[
        bool,
        typer.Option("--delayed", help="Its orders are delayed."),
    ] = False,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="UNIT",
            help="The enemy a question is about besides its units.",
            autocompletion=completing.units,
        ),
    ] = None,
    after: Annotated[
        str | None, typer.Option(metavar="UNIT", help="Another enemy a question is about, beaten before.")
    ] = None,
    distance: Annotated[
        str | None, typer.Option(metavar="D", help="How far it goes, or the enemy of --after went.")
    ] = None,
    assault: Annotated[
        bool, typer.Option("--assault", help="The question is about an assault: its cover, its fall-back.")
    ] = False,
    away: Annotated[
        str | None,
        typer.Option(metavar="DEGREES", help="The bearing of the path of the assault that it falls back from."),
    ] = None,
    start: Annotated[str | None, typer.Option(metavar="X,Y", help="line: the point where it begins.")] = None,
    end: Annotated[str | None, typer.Option(metavar="X,Y", help="line: the point where it ends.")] = None,
    error: Annotated[
        str | None, typer.Option(metavar="D,DEGREES", help="How sure, on a table measured no better than this.")
    ] = None,
    tape: Annotated[
        str | None, typer.Option(metavar="D", help="The least a tape measure can tell (1/16 in, 1.5 mm, 0.15 cm).")
    ] = None,
    ruling: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Judge by this ruling.", autocompletion=completing.rulings),
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="N", help="Of a saved game: after action N, or as a turn opens: turn:3.")
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
    both: Annotated[bool, typer.Option("--both", help="Set A to B beside B to A.")] = False,
    margin: Annotated[
        bool | None,
        typer.Option(
            "--margin/--no-margin", help="Say how close the call is (--batch: only if asked).", show_default=False
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The verdict as JSON.")] = False,
    diagram: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the proof: FILE.svg, .png or .pdf.")
    ] = None,
    batch: Annotated[
        str | None, typer.Option(metavar="FILE.jsonl", help="Answer one request a line; '-' reads stdin.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="--batch FILE: judge in N processes (one a processor; 1: in this one).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Put a question to a scene: exit status 0 it holds, 1 it does not, 2 it could not be put."""
    if batch is not None:
        raise typer.Exit(_batch(batch, jobs, _usual(margin, error, tape)))
    if scene is None or question is None:
        raise BadQuestion("name a scene and a question: tabletop judge SCENE los A B  (--help says more)")
    with gc_suspended():
        from tabletop.play.files.opened import open_battle
        from tabletop.play.requests import (
            text_error,
            text_number,
            text_numbers,
            text_point,
            text_ruling,
            text_waypoint,
            with_rulings,
        )
        from tabletop.play.viewing import View
    typed = {
        "to": (text_point, to),
        "start": (text_point, start),
        "end": (text_point, end),
        "shift": (text_point, shift),
        "facing": (text_number, facing),
        "away": (text_number, away),
        "distance": (text_number, distance),
        "tape": (text_number, tape),
        "bend": (text_numbers, bend),
        "ranks": (text_numbers, ranks),
    }
    given: dict[str, Any] = {
        **{name: read(name, text) for name, (read, text) in typed.items() if text is not None},
        "path": path and [text_waypoint("path", point) for point in path],
        "as": as_,
        "front": front,
        "head": head,
        "ref": ref,
        "place": place,
        "delayed": delayed or None,
        "from": from_,
        "after": after,
        "assault": assault or None,
        "error": None if error is None else text_error(error),
        "margin": margin is not False,
    }
    chosen = dict(text_ruling(text) for text in ruling or [])
    if diagram is not None:
        from tabletop.render.painting.files import check_suffix

        check_suffix(diagram)
    with gc_suspended():
        battle = with_rulings(open_battle(scene, at, View(side, everything)), chosen)
    verdicts = _judged(battle, question, units or [], given, both, as_json)
    if diagram is not None:
        _draw(battle, verdicts[0], diagram)
    raise typer.Exit(0 if all(verdict.holds for verdict in verdicts) else 1)


def _judged(
    battle: Battle, question: str, units: Sequence[str], given: dict[str, Any], both: bool, as_json: bool
) -> Sequence[Verdict]:
    """Print the answer, or the answers both ways, and return the verdicts."""
    with gc_suspended():
        from tabletop import judge as judging
        from tabletop.commands.answering import answered, print_answers
        from tabletop.play.requests import check_units, read_options

    options = read_options(given)
    check_units(battle, units, options)
    askings = judging.either_way(question, units) if both else (units,)
    if not as_json:
        return print_answers(battle, question, askings, options)
    import json

    verdicts = [answered(battle, question, each, options) for each in askings]
    rows = [verdict.as_json() for verdict in verdicts]
    print(json.dumps(rows[0] if len(rows) == 1 else rows, indent=2, default=lambda value: value.item()))
    return verdicts


def _usual(margin: bool | None, error: str | None, tape: str | None) -> dict[str, Any]:
    """Return the default options of a batch's lines: no margins unless they are asked for."""
    from tabletop.play.requests import read_options, text_error, text_number

    given = {"error": error and text_error(error), "tape": tape and text_number("tape", tape)}
    return read_options({"margin": bool(margin), **given})


def _batch(name: str, jobs: int | None, usual: dict[str, Any]) -> int:
    """Answer a file's lines on every processor, in order; lines from stdin one by one, as they come."""
    from tabletop.play.workers.batch_workers import answers_at_once

    if jobs is not None and jobs < 1:
        raise BadQuestion(f"--jobs {jobs} is no number of processes; give 1 or more")
    processes = 1 if name == "-" else jobs or os.cpu_count() or 1
    try:
        with _opened(name) as stream:
            for answer in answers_at_once(stream, Path.cwd(), processes, usual=usual):
                print(answer, flush=name == "-")
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise BadQuestion(f"the batch '{name}' cannot be read: {error.strerror or error}; check its name") from None
    return 0


def _opened(name: str) -> Any:
    import contextlib

    if name == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    if os.path.exists(name) and not (os.path.isfile(name) or os.path.isdir(name)):  # noqa: PTH110, PTH112, PTH113
        raise BadQuestion(f"the batch '{name}' is a pipe or a device, not a file; pass it by standard input: --batch -")
    return Path(name).open("rb")


def _draw(battle: Battle, verdict: Verdict | None, path: Path) -> None:
    from tabletop.render.drawing.scene import picture
    from tabletop.render.painting.files import write_picture

    write_picture(path, picture(battle, verdict))


@app.command()
def check(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Maps, armies, scenarios, scenes, lessons and demos.",
            show_default=False,
            autocompletion=completing.scenes,
        ),
    ],
) -> None:
    """Read files over and say everything that is wrong with them, each with its line and its cure."""
    from tabletop.demos.reading import check_demo, is_demo
    from tabletop.lessons.reading import check_lesson, is_lesson
    from tabletop.play.files.check import check_files

    taught = [file for file in files if file != "-" and is_lesson(file)]
    shown = [file for file in files if file != "-" and is_demo(file)]
    faults = check_files([file for file in files if file not in (*taught, *shown)])
    faults += [fault for file in taught for fault in check_lesson(file)]
    faults += [fault for file in shown for fault in check_demo(file)]
    for fault in faults:
        print(fault, file=sys.stdout if fault.warning else sys.stderr)
    wrong = sum(not fault.warning for fault in faults)
    count = f"{len(files)} file{'s are' if len(files) > 1 else ' is'}"
    if not wrong:
        odd = f", with {len(faults)} warning{'s' if len(faults) > 1 else ''}" if faults else ""
        print(f"{count} sound{odd}.")
    raise typer.Exit(2 if wrong else 0)


@app.command()
def render(
    scene: Annotated[
        str,
        typer.Argument(
            help="A map, a scene, a scenario or a saved game.", show_default=False, autocompletion=completing.scenes
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="FILE.svg, .png or .pdf.", show_default=False)
    ] = None,
    at: Annotated[
        str | None, typer.Option(metavar="N", help="Of a saved game: after action N, or as a turn opens: turn:3.")
    ] = None,
    side: viewing.Side = None,
    everything: viewing.Everything = False,
    look: Annotated[str, typer.Option(metavar="LOOK", help="'map', 'painted' or, for print, 'plain'.")] = "map",
) -> None:
    """Make a picture of the table (beside you, under the scene's name, unless told where)."""
    from tabletop.play.files.opened import open_table
    from tabletop.play.viewing import View
    from tabletop.render.drawing import theme
    from tabletop.render.painting.files import check_suffix

    path = out if out is not None else Path((Path(scene).stem if scene != "-" else "scene") + ".svg")
    check_suffix(path)
    if look not in theme.LOOKS:
        raise BadQuestion(f"--look '{look}' is none; there are {', '.join(theme.LOOKS)}")
    battle = open_table(scene, at, View(side, everything))
    theme.apply_theme(theme.current_palette(), theme.symbols(), look)
    _draw(battle, None, path)
    print(f"The table is drawn in {path}.")


@app.command()
def rulings(
    rules: Annotated[str | None, typer.Option(metavar="NAME", help="Of which rule set.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the rulings: where the rules can be read in more than one way, and how they are read here."""
    from tabletop.play.files.rulings_listing import rulings_json, rulings_text
    from tabletop.rules.rule_set import NAMES, find

    chosen = find(rules if rules is not None else NAMES[0])
    print(rulings_json(chosen) if as_json else rulings_text(chosen))


@app.command()
def doctor() -> None:
    """Say what is wrong with this installation, and the cure."""
    from tabletop.doctor import examine

    findings = examine()
    for finding in findings:
        print(finding)
    ill = sum(not finding.well for finding in findings)
    print(
        "Everything is in order."
        if not ill
        else f"{ill} thing{'s need' if ill > 1 else ' needs'} mending (see 'cure')."
    )
    raise typer.Exit(2 if ill else 0)


@app.command()
def play(
    scene: Annotated[
        str | None,
        typer.Argument(
            help="A scene, a scenario or a saved game: a file, or the name of an example; '-' reads stdin.",
            show_default=False,
            autocompletion=completing.scenes,
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Play it at this prompt instead of in a window.")] = False,
    players: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Play it: who plays the attacker and the defender.", show_default=False),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Played: the same seed throws the same dice.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Played: keep the game in FILE as it goes.")] = None,
    dice: Annotated[
        str | None,
        typer.Option(metavar="N,N,...", help="With --text: throws made at a real table, then the program's."),
    ] = None,
    first: Annotated[bool, typer.Option("--first", help="Begin the first battle: you against the computer.")] = False,
    measure: Annotated[bool, typer.Option("--measure", help="Of a saved game: only measure on its table.")] = False,
) -> None:
    """Open the start screen; with a battle named, measure on it or play it, in the window or at the prompt.

    With --players (human,human or human,greedy) the window plays a scenario; without, nothing is played and anything
    moves. A saved game goes on with the players it was begun with.
    """
    if first and (scene is not None or players is not None or text):
        raise BadQuestion("--first begins the first battle, you against the computer; name no battle and no players")
    if dice is not None and not text:
        raise BadQuestion("--dice is for a battle at the prompt: add --text")
    if text:
        prompt.play_at_prompt(scene, players or "human,human", seed, save, dice)
    elif players is not None:
        raise typer.Exit(window.play(scene, players, seed, save))
    elif first:
        raise typer.Exit(window.begin_first(seed, save))
    elif scene is not None and not measure and window.is_game(scene):
        raise typer.Exit(window.go_on(scene, seed, save))
    elif seed is not None or save is not None:
        raise BadQuestion("--seed and --save are for a battle that is played: add --players human,greedy (or --text)")
    else:
        raise typer.Exit(window.start() if scene is None else window.measure(scene))


@app.command(hidden=True)
def schema(
    write: Annotated[bool, typer.Option("--write", help="Write them to schema/ in a checkout.")] = False,
) -> None:
    """Show, or write, the JSON Schemas of the file formats."""
    from tabletop.demos.models import FORMAT as DEMO
    from tabletop.demos.models import DemoFile
    from tabletop.lessons.models import FORMAT, LessonFile
    from tabletop.play.files.models import FILES
    from tabletop.play.files.schema import schemas, write_schemas

    files = {**FILES, FORMAT: LessonFile, DEMO: DemoFile}
    if write:
        for path in write_schemas(files):
            print(path)
        return
    import json

    print(json.dumps(schemas(files), indent=2))
