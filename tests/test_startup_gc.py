"""Garbage collection is suspended as a process starts; a command is made only where it is asked for."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from tabletop import cli
from tabletop.startup_gc import gc_suspended
from tests.alone import alone


@alone
def test_objects_made_meanwhile_are_frozen_and_collection_is_resumed() -> None:
    assert gc.isenabled()
    before = gc.get_freeze_count()
    try:
        with gc_suspended():
            assert not gc.isenabled()
            kept = [[k] for k in range(1000)]
        assert gc.isenabled() and gc.get_freeze_count() >= before + len(kept)
    finally:
        gc.unfreeze()


@alone
def test_collection_stays_off_where_it_was_off_and_is_resumed_after_an_error() -> None:
    gc.disable()
    try:
        with gc_suspended():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(ValueError, match="no"), gc_suspended():
        raise ValueError("no")
    assert gc.isenabled()
    gc.unfreeze()


def test_only_the_command_that_is_asked_for_is_made() -> None:
    assert [cli._name(command) for command in cli._asked_for(["judge", "--help"]).registered_commands] == ["judge"]
    assert cli._asked_for(["--help"]) is cli.app and cli._asked_for([]) is cli.app
    assert len(cli.app.registered_commands) > 1


def test_a_question_imports_nothing_of_games_windows_and_compilers() -> None:
    say = (
        "import sys; from tabletop.play.files.opened import open_battle; open_battle('scenarios/tse/quatre-bras.yaml')"
    )
    listed = "print([m for m in sys.modules if m.startswith(('tabletop.play.engine', 'tabletop.render', 'numba'))])"
    done = subprocess.run([sys.executable, "-c", f"{say}; {listed}"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
