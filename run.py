#!/usr/bin/env python3
"""Set up and start `tabletop`: needs nothing but Python 3.11 or newer.

    python3 run.py                 make the environment if needed, then open the start screen
    python3 run.py WORDS...        the same, then pass WORDS to `tabletop` (try: run.py --help)
    python3 run.py test [--all]    the project's own checks and tests; --all adds the slow sweeps
    python3 run.py test --quick    the checks, and as many of the tests a change can affect as a minute holds

On Windows: `py run.py`. The environment is the folder .venv beside this file; delete it to start afresh.
"""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
OLDEST = (3, 11)
#: Tests of answers, which must be the same without numba: they are run again with kernels as they are written.
ANSWERS = ("tests/golden", "tests/test_oracle_golden.py", "tests/test_oracle_sight.py", "tests/test_disputes.py")


def main() -> int:
    if sys.version_info < OLDEST:
        return refuse(
            f"tabletop needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}. "
            "Install a newer one from python.org and start again with it."
        )
    words = sys.argv[1:]
    testing = words[:1] == ["test"]
    try:
        prepare("dev,cluster" if testing else "")
        return test(words[1:]) if testing else run("-m", "tabletop", *(words or ("play",)))
    except Refused as refused:
        return refuse(str(refused))
    except KeyboardInterrupt:
        return 130


class Refused(Exception):
    """The environment could not be made; the text says why and the cure."""


def refuse(text: str) -> int:
    print(text, file=sys.stderr)
    return 2


def python() -> Path:
    """Return the environment's interpreter."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*words: str) -> int:
    """Run the environment's Python on the project and return its exit status."""
    return subprocess.call([str(python()), *words])


def prepare(extras: str) -> None:
    """Make or renew the environment when it is missing or the project's needs have changed."""
    stamp, wanted = ENVIRONMENT / f"ready-{extras.replace(',', '-') or 'play'}", fingerprint()
    if python().exists() and stamp.exists() and stamp.read_text() == wanted:
        return
    print("Setting up tabletop in .venv (once; a minute or so) ...", file=sys.stderr, flush=True)
    if not python().exists():
        make_environment()
    install("-e", f".[{extras}]" if extras else ".")
    stamp.write_text(wanted)


def fingerprint() -> str:
    """Return a hash of everything that decides what must be installed."""
    needs = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\0".join([sys.version.encode(), *needs])).hexdigest()


def make_environment() -> None:
    import venv

    try:
        venv.create(ENVIRONMENT, with_pip=True)
    except (Exception, SystemExit) as error:
        raise Refused(
            f"could not make an environment in {ENVIRONMENT}: {error}\n"
            "On Debian or Ubuntu: sudo apt install python3-venv, then start again."
        ) from None


def install(*what: str) -> None:
    """Install the project or a part it needs, with the exact versions of constraints.txt."""
    words = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-c", "constraints.txt", *what]
    started = subprocess.Popen(
        [str(python()), *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    output: list[str] = []
    assert started.stdout is not None
    for line in started.stdout:
        output.append(line.rstrip())
        if line.startswith(("Collecting", "Installing", "Building")):
            print("  " + line.strip()[:100], file=sys.stderr, flush=True)
    if started.wait() != 0:
        tail = "\n  ".join(output[-12:])
        reason = f"the installation failed; the last words of pip were:\n  {tail}"
        raise Refused(f"{reason}\nCheck the network and try again.")


def named(words: list[str]) -> bool:
    """Return whether certain tests are asked for."""
    return any(Path(ROOT, word.partition("::")[0]).exists() for word in words if not word.startswith("-"))


def within_a_minute() -> list[str]:
    """Return what makes pytest run the tests that a change can affect, the nearest first, as long as there is time."""
    named = subprocess.run([str(python()), "-m", "tools.affected"], capture_output=True, text=True, check=True).stdout
    if not named:
        print("   no test imports what changed; the tests of the command line are run", flush=True)
    return ["--within", "45", *(named.split() or ["tests/test_cli.py"])]


def has_numba() -> bool:
    return run("-c", "import sys, importlib.util as u; sys.exit(not u.find_spec('numba'))") == 0


def compiling() -> "subprocess.Popen[bytes]":
    """Begin to compile the kernels that tests use, where tests keep them (`tests/conftest.py`)."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".pytest_cache" / "kernels"))
    return subprocess.Popen([str(python()), "-c", "from tabletop.geometry.fast import warm; warm()"])


def test(words: list[str]) -> int:
    """Run lint, format, types, import contracts and tests; all of them, then say which failed."""
    workers = [] if any(w.startswith("-n") for w in words) else ["-n", str(min(4, os.cpu_count() or 1))]
    workers += ["--dist", "worksteal"]  # the tests of a file stay together, and so does what they share
    quick = "--quick" in words
    words = [word for word in words if word != "--quick"]
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every worker and every command tried compiles all modules anew
    tests = [*words, *within_a_minute()] if quick else words
    checks = {
        "lint": ["-m", "ruff", "check", "."],
        "format": ["-m", "ruff", "format", "--check", "."],
        "types": ["-m", "mypy"],
        "import contracts": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        "tests": ["-m", "pytest", *workers, *tests],
    }
    kernels = compiling() if "--plain" not in words and has_numba() else None  # while one core checks types
    if kernels and not quick and not named(words):
        checks["the same answers without numba"] = ["-m", "pytest", *workers, "--plain", *words, *ANSWERS]
    failed = []
    for name, command in checks.items():
        began = time.monotonic()
        print(f"== {name}", flush=True)
        if kernels and name == "tests":
            kernels.wait()  # what is wrong with them a test says
        if run(*command) != 0:
            failed.append(name)
        print(f"   {name}: {'FAILED' if name in failed else 'ok'} ({time.monotonic() - began:.0f} s)", flush=True)
    if failed:
        print(f"FAILED: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
