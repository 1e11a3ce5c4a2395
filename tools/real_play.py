"""The program under real clicks: a virtual display, and a mouse and a keyboard that are not pygame's.

    python -m tools.real_play FOLDER            everything, pictures of every step to FOLDER
    python -m tools.real_play FOLDER battle     a battle from the start screen to its end, its replay, its report
    python -m tools.real_play FOLDER dispute    the judge's table: two units, a verdict, the card to sign

Needs Xvfb, xdotool, xwininfo and ImageMagick's import. The program runs as under ``tabletop play``, with its judge in
separate processes and in a home of its own; the only addition is that it keeps writing down what can be pressed and
where. Exits non-zero if something that should happen does not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCREEN = "1600x1000x24"
#: Seconds to wait for something; seconds between two looks; seconds between two reports of where things are.
PATIENCE, LOOK, TELL = 120.0, 0.05, 0.05
#: Clicks a battle may need.
MOST = 600
#: The program's window in the list of windows: its id and position.
WINDOW = re.compile(r'(0x[0-9a-f]+) "tabletop[^\n]*\+(\d+)\+(\d+)\n')
#: Flag for the run inside the display: the program, which writes down what can be pressed.
INSIDE = "--inside"


class Failed(Exception):
    """Something did not happen."""


# --- inside the program ----------------------------------------------------------------------------------------------


def inside(report: Path, words: list[str]) -> int:
    """Run the program, repeatedly writing down where things are."""
    from tabletop import cli
    from tabletop.render import router

    step, last = router.App.step, [0.0]

    def step_and_report(self: router.App, seconds: float, events: Sequence[Any] | None = None) -> bool:
        app, going_on = self, step(self, seconds, events)
        if app.stack and time.monotonic() - last[0] > TELL:
            last[0] = time.monotonic()
            fresh = report.with_suffix(".new")
            fresh.write_text(json.dumps(_seen(app)), "utf-8")
            fresh.replace(report)
        return going_on

    router.App.step = step_and_report  # type: ignore[method-assign]
    return cli.status(words)


def _seen(app: Any) -> dict[str, Any]:
    """Return what is shown now, as data."""
    from tools.places import sent

    screen = app.top
    controller = getattr(screen, "controller", None)
    battle = getattr(controller, "battle", None)
    units = {}
    if battle is not None and hasattr(screen, "at"):
        units = {unit.id: screen.at(unit.at) for unit in battle.units}
    size = getattr(controller, "size", None)
    table = [screen.at((size[0] * x, size[1] * y)) for x, y in ((0.3, 0.5), (0.7, 0.5))] if size else []
    return {
        "screen": type(screen).__name__,
        "notice": app.notice,
        "note": str(getattr(controller, "note", "") or getattr(screen, "note", "") or getattr(screen, "outcome", "")),
        "busy": bool(getattr(controller, "busy", False)),
        "over": bool(getattr(battle, "over", False)),
        "verdict": getattr(controller, "verdict", None) is not None,
        "units": units,
        "table": table,
        "spots": [[word, *rect] for word, rect in sent(screen)],
    }


# --- outside it ------------------------------------------------------------------------------------------------------


class DisplayUser:
    """A user of a display: works the mouse and the keys, and sees what the program reports."""

    def __init__(self, folder: Path, report: Path, corner: tuple[int, int]) -> None:
        self.folder, self.report, self.corner = folder, report, corner
        self.clicks, self.pictures = 0, 0

    def sees(self) -> dict[str, Any]:
        """Return what the program reports to be shown."""
        reported: dict[str, Any] = json.loads(self.report.read_text("utf-8"))
        return reported

    def waits(self, what: str, done: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until a condition holds; return what is shown then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            seen = self.sees()
            if done(seen):
                return seen
            time.sleep(LOOK)
        self.looks("failed")
        raise Failed(f"{what}: it never came to that; {self.sees()['screen']}, {self.sees()['note']!r}")

    def rests(self, seconds: float = 0.25) -> dict[str, Any]:
        """Wait a little; return what is shown then."""
        time.sleep(seconds)
        return self.sees()

    def moves(self, pixel: Sequence[float]) -> None:
        """Move the mouse to a pixel of the window."""
        x, y = round(pixel[0]) + self.corner[0], round(pixel[1]) + self.corner[1]
        subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=True)

    def clicks_at(self, pixel: Sequence[float], button: int = 1) -> None:
        """Click a pixel of the window."""
        self.moves(pixel)
        time.sleep(0.05)
        subprocess.run(["xdotool", "click", str(button)], check=True)
        self.clicks += 1

    def keys(self, *names: str) -> None:
        """Press keys by their names."""
        subprocess.run(["xdotool", "key", *names], check=True)

    def types(self, text: str) -> None:
        """Type a text."""
        subprocess.run(["xdotool", "type", "--delay", "20", text], check=True)

    def presses(self, word: str) -> None:
        """Click what sends a word."""
        seen = self.waits(f"'{word}' to be there", lambda seen: any(row[0] == word for row in seen["spots"]))
        left, top, wide, high = next(row[1:] for row in seen["spots"] if row[0] == word)
        self.clicks_at((left + wide / 2, top + high / 2))

    def looks(self, name: str) -> None:
        """Save a picture of the display."""
        self.pictures += 1
        path = self.folder / f"{self.pictures:02d}-{name}.png"
        subprocess.run(["import", "-window", "root", str(path)], check=True)


def a_battle(user: DisplayUser, home: Path) -> str:
    """Play from the start screen through a new battle to its end, its replay and its report."""
    user.waits("the start screen", lambda seen: seen["screen"] == "Home")
    user.looks("start")
    user.presses("settings")
    user.presses("pace:at once")
    user.looks("settings")
    user.keys("Escape")
    user.presses("new")
    user.rests(3.0)
    user.looks("battles")
    card = user.waits("the battles", lambda seen: any("skirmish" in row[0] for row in seen["spots"]))
    user.presses(next(row[0] for row in card["spots"] if "skirmish" in row[0]))
    user.presses("seat:red:human")
    user.presses("seat:blue:human")
    user.looks("setting-up")
    user.presses("begin")
    user.waits("the battle", lambda seen: seen["screen"] == "GameWindow")
    user.rests(2.0)
    user.looks("battle")
    _fought(user)
    user.looks("over")
    user.presses("replay:")
    user.waits("the replay", lambda seen: seen["screen"] == "Replaying")
    user.keys("Home")
    user.keys("space")
    user.rests(2.0)
    user.looks("replay")
    user.keys("Escape")
    user.waits("the battle again", lambda seen: seen["screen"] == "GameWindow")
    user.presses("export:")
    user.presses("report.html")
    user.rests(2.0)
    user.looks("report")
    _one_of(home, "*.html")
    saved = _one_of(home, "*.jsonl")
    return f"{user.clicks} clicks; {_verified(saved)}"


def _fought(user: DisplayUser) -> None:
    """Do the first thing offered until the battle is over."""
    from tests.render.battle.driver import wanted

    for number in range(MOST):
        seen = user.rests(0.15)
        if seen["over"] and any(row[0] == "close:" or row[0] == "replay:" for row in seen["spots"]):
            return
        if seen["screen"] != "GameWindow":
            user.keys("Escape")
            continue
        rows = sorted(seen["spots"], key=lambda row: (row[2], row[1]))
        word = wanted([row[0] for row in rows], number)
        if word is None:
            user.keys("Escape")
        elif word == "confirm:":
            user.keys("Return")
        else:
            left, top, wide, high = next(row[1:] for row in rows if row[0] == word)
            user.clicks_at((left + wide / 2, top + high / 2))
        if number in (20, 60):
            user.rests(1.0)
            user.looks("fighting")
    raise Failed(f"the battle is not over after {MOST} clicks")


def a_dispute(user: DisplayUser, home: Path) -> str:
    """Work at the judge's table: place two units, ask for sight, save the card."""
    user.waits("the start screen", lambda seen: seen["screen"] == "Home")
    user.presses("judge")
    user.waits("the judge's table", lambda seen: seen["screen"] == "JudgingScreen")
    user.presses("tab:place")
    user.presses("troop:infantry")
    for place in (0, 1):
        user.clicks_at(user.rests()["table"][place])
        user.waits(f"unit {place + 1}", lambda seen, many=place + 1: len(seen["units"]) == many)  # type: ignore[misc]
    user.looks("placed")
    user.presses("tab:ask")
    user.presses("ask:los")
    for pixel in list(user.rests(0.5)["units"].values()):
        user.clicks_at(pixel)
        user.rests(0.5)
    user.waits("the verdict", lambda seen: seen["verdict"])
    user.rests(1.0)
    user.looks("verdict")
    user.presses("tab:card")
    user.rests(1.0)
    user.looks("card")
    user.presses("card:.pdf")
    user.rests(1.0)
    user.looks("where-to")
    user.presses("choose:")
    user.waits("the card", lambda seen: "sign it" in seen["note"])
    user.looks("card-saved")
    return f"{user.clicks} clicks; {_one_of(home, '*.pdf').name}, {_one_of(home, '*.yaml').name}"


def _one_of(home: Path, kind: str) -> Path:
    files = list(home.rglob(kind))
    if not files:
        raise Failed(f"no {kind} was written")
    return files[0]


def _verified(path: Path) -> str:
    from tabletop.play.saves import replay, save

    saved = save.read(path)
    if not replay.verify(saved).sound:
        raise Failed(f"{path} does not verify")
    return f"{path.name}, {len(saved.lines)} lines, verifies"


RUNS: dict[str, Callable[[DisplayUser, Path], str]] = {"battle": a_battle, "dispute": a_dispute}


def run(name: str, folder: Path) -> None:
    """Run the program on a separate display, and one of the RUNS on it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        screen, number = _display()
        env = {k: v for k, v in os.environ.items() if k != "SDL_VIDEODRIVER"}
        names = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
        env |= {"DISPLAY": f":{number}", "SDL_AUDIODRIVER": "dummy", "HOME": place}
        env |= {each: f"{place}/{each.lower()}" for each in names}
        os.environ["DISPLAY"] = f":{number}"
        report = home / "report.json"
        command = [sys.executable, "-m", "tools.real_play", INSIDE, str(report), "play"]
        game = subprocess.Popen(command, cwd=ROOT, env={**env, "PYTHONPATH": str(ROOT)})
        try:
            user = DisplayUser(folder, report, _corner(report))
            print(f"{name}: {RUNS[name](user, home)}; pictures in {folder}", flush=True)
        finally:
            game.terminate()
            game.wait()
            screen.terminate()
            screen.wait()


def _display() -> tuple[subprocess.Popen[bytes], int]:
    """Start a virtual display; return its process and its number."""
    ours, theirs = os.pipe()
    command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=(theirs,), stderr=subprocess.DEVNULL)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        return screen, int(pipe.readline())


def _corner(report: Path) -> tuple[int, int]:
    """Wait for the window; return its position on the display."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        tree = subprocess.run(["xwininfo", "-root", "-tree"], capture_output=True, text=True, check=False).stdout
        window = WINDOW.search(tree)
        if window is not None and report.exists():
            subprocess.run(["xdotool", "windowfocus", window[1]], check=False, stderr=subprocess.DEVNULL)
            return int(window[2]), int(window[3])
        time.sleep(0.3)
    raise Failed("the window did not come up")


def main(arguments: list[str]) -> int:
    """Run what is requested."""
    if arguments[:1] == [INSIDE]:
        return inside(Path(arguments[1]), arguments[2:])
    missing = [tool for tool in ("Xvfb", "xdotool", "xwininfo", "import") if shutil.which(tool) is None]
    if missing or not arguments:
        print(f"{' and '.join(missing)} must be installed" if missing else __doc__)
        return 3
    try:
        for name in arguments[1:] or RUNS:
            run(name, Path(arguments[0]) / name)
    except Failed as lack:
        print(f"FAILED: {lack}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
