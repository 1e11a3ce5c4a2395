"""The state of a table, and what each command makes of it: pure values, no screen and no judge."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from tabletop.play.files.load import load_scene
from tabletop.render.settings.model import Overlay
from tabletop.render.table.model import (
    AddWaypoint,
    AwaitJudge,
    Choose,
    Command,
    DragTo,
    Face,
    FindWay,
    LayFrom,
    LayTo,
    LetGo,
    Note,
    Place,
    PointAt,
    PutAway,
    Select,
    Show,
    TableModel,
    Take,
    TakeBack,
    TakeTool,
    update,
)  # fmt: skip
from tabletop.render.table.tools import Drag, Stretch, Tool

SKIRMISH = Path(__file__).resolve().parents[2] / "scenarios" / "tse" / "skirmish.yaml"


@pytest.fixture(scope="module")
def table() -> TableModel:
    return TableModel(load_scene(SKIRMISH))


def after(model: TableModel, *commands: Command) -> TableModel:
    for command in commands:
        model = update(model, command)
    return model


def test_the_model_inherits_from_nothing_is_frozen_and_small(table: TableModel) -> None:
    assert TableModel.__bases__ == (object,) and len(fields(TableModel)) <= 20
    with pytest.raises(FrozenInstanceError):
        table.note = "no"  # type: ignore[misc]


def test_a_unit_is_selected_taken_led_turned_and_put_down(table: TableModel) -> None:
    unit = table.battle.units[0]
    held = after(table, Select(unit.id), Take((1.0, 2.0)), DragTo((3.0, 4.0)), AddWaypoint((3.0, 4.0)), Face(33.0))
    assert held.drag == Drag(unit, (1.0, 2.0), (3.0, 4.0), ((3.0, 4.0),), 33.0)
    assert after(held, FindWay(True)).drag == Drag(unit, (1.0, 2.0), (3.0, 4.0), ((3.0, 4.0),), 33.0, True)
    placed = after(held, LetGo(), Place(unit.moved(1.0, 0.0), unit))
    assert placed.drag is None and placed.battle.unit(unit.id) == unit.moved(1.0, 0.0)
    again = after(placed, TakeBack())
    assert again.battle.unit(unit.id) == unit and again.undo == ()
    assert table.battle.unit(unit.id) == unit, "the first model is as it was"


def test_a_unit_let_go_while_the_judge_is_at_work_follows_no_cursor(table: TableModel) -> None:
    waiting = after(table, Select(table.battle.units[0].id), Take((1.0, 1.0)), AwaitJudge(False))
    assert after(waiting, DragTo((9.0, 9.0))) is waiting


def test_another_selection_lets_go_and_says_nothing(table: TableModel) -> None:
    first, second = table.battle.units[:2]
    held = after(table, Select(first.id), Take((1.0, 1.0)), Note("so"), Select(second.id))
    assert (held.selected, held.drag, held.note) == (second.id, None, "")


def test_a_tape_is_laid_between_points_and_units_and_put_away(table: TableModel) -> None:
    laying = after(table, TakeTool(Tool.TAPE), LayFrom((0.0, 0.0), "a"), LayTo((2.0, 2.0), "a"))
    assert laying.stretch == Stretch((0.0, 0.0), (2.0, 2.0), "a", None), "no tape from a unit to itself"
    laid = after(laying, LayTo((3.0, 3.0), "b", laid=True))
    assert laid.stretch == Stretch((0.0, 0.0), (3.0, 3.0), "a", "b", True)
    assert after(laid, LayTo((4.0, 4.0))) is laid
    away = after(laid, PutAway())
    assert away.stretch is None and away.tool is Tool.TAPE
    assert after(away, PutAway()).tool is Tool.HAND
    assert after(laid, TakeTool(Tool.SIGHT)).stretch is None


@pytest.mark.parametrize(
    "command",
    [
        Select(None), Choose(""), PointAt(None), Take((0.0, 0.0)), DragTo((1.0, 1.0)), AddWaypoint((1.0, 1.0)),
        Face(10.0), FindWay(True), AwaitJudge(True), LetGo(), TakeBack(), LayTo((1.0, 1.0)), Note(""),
    ],
    ids=lambda command: type(command).__name__,
)  # fmt: skip
def test_what_changes_nothing_gives_the_very_same_model(table: TableModel, command: Command) -> None:
    assert update(table, command) is table


def test_overlays_shown_and_a_way_of_moving_chosen(table: TableModel) -> None:
    shown = after(table, Show(frozenset({Overlay.ARC})), Choose("march"))
    assert (shown.overlays, shown.action) == (frozenset({Overlay.ARC}), "march")
    assert after(shown, Show(frozenset({Overlay.ARC}))) is shown
