"""The makers of the screens for each destination; a screen's module is imported when the player first goes there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module

from tabletop.errors import BadQuestion, Broken, TabletopError, Unreadable
from tabletop.render import destinations
from tabletop.render.destinations import Destination
from tabletop.render.screens import Look, Maker, Screen

#: For each destination its module, and the function that takes the destination's fields and returns the maker.
ROOMS: Mapping[type[Destination], tuple[str, str]] = {
    destinations.ToBattle: ("tabletop.render.battle.window", "starting_play"),
    destinations.ToLesson: ("tabletop.render.battle.lesson_window", "teaching"),
    destinations.ToDrill: ("tabletop.render.drills.screen", "drilling"),
    destinations.ToDemo: ("tabletop.render.demos.screen", "showing"),
    destinations.ToReplay: ("tabletop.render.replay.screen", "replaying"),
    destinations.ToReplaySoFar: ("tabletop.render.replay.screen", "replaying_session"),
    destinations.ToJudge: ("tabletop.render.judge.screen", "judging"),
    destinations.ToWorkshop: ("tabletop.render.judge.screen", "building"),
    destinations.ToCalculator: ("tabletop.render.game_app.screen", "calculator"),
    destinations.ToCalculatorOnTable: ("tabletop.render.game_app.screen", "on_table"),
    destinations.ToSettings: ("tabletop.render.settings.screen", "setting"),
    destinations.ToExport: ("tabletop.render.export.screen", "exporting"),
    destinations.ToSettingUp: ("tabletop.render.start.setting_up", "setting_up"),
}


def room(to: Destination) -> Maker:
    """Return the function that makes the screen of a destination; it raises Broken if the module is missing."""
    module, function = ROOMS[type(to)]

    def make(look: Look) -> Screen:
        try:
            maker: Callable[..., Maker] = getattr(import_module(module), function)
        except (ImportError, AttributeError) as lack:
            raise Broken(f"this part of the program is missing ({lack}); install the program again") from lack
        values = [getattr(to, field.name) for field in fields(to)]
        return _worded(lambda: maker(*values)(look))

    return make


def _worded(make: Callable[[], Screen]) -> Screen:
    """Make a screen; of several faults in a file, report only the first."""
    try:
        return make()
    except Unreadable as error:
        raise BadQuestion(first_fault(error)) from None


def first_fault(error: TabletopError) -> str:
    """Return an error as one sentence: of a file's faults the first, and how many more there are."""
    if not isinstance(error, Unreadable):
        return str(error)
    more = len(error.faults) - 1
    return f"{error.faults[0]}" + (f" (and {more} more)" if more else "")
