"""The controller of a table: what the player does, without a screen. Every answer comes from the judge."""

import pytest

from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.settings.model import USUAL, Overlay
from tabletop.render.table.controller import TableController
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel, TakeTool
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.tools import FREE, Mark, Tool
from tests.render.table import small_battle


@pytest.fixture
def controller() -> TableController:
    battle = small_battle()
    return TableController(TableModel(battle), InlineJudgeWorker(battle), InlineJudgeWorker(battle))


def settle(controller: TableController) -> None:
    for _ in range(4):
        controller.listen()
    assert not controller.model.pending


def drag(controller: TableController, name: str, to: tuple[float, float]) -> None:
    controller.select(name)
    settle(controller)
    controller.take(controller.model.battle.unit(name).at)
    controller.drag_to(to)
    settle(controller)


def test_a_point_finds_the_unit_on_it(controller: TableController) -> None:
    found = {
        p: u.id if (u := unit_at(controller.model.battle, p)) else None
        for p in ((10, 10), (13.3, 7.2), (16, 9.6), (30, 25))
    }
    assert list(found.values()) == ["kempt", "picton", "rogers", None]


def test_selecting_asks_everything_the_overlays_show(controller: TableController) -> None:
    controller.select("rogers")
    settle(controller)
    assert not [answer for answer in controller.model.answers.values() if not isinstance(answer, Verdict)]
    for key in (("zone",), ("field",), ("ground",), ("reach",)):
        assert controller.model.verdict(*key), key
    assert {mark(controller.model, "foy"), mark(controller.model, "husson")} <= set(Mark)


def test_the_marks_are_the_judge_s_own_verdicts(controller: TableController) -> None:
    controller.select("rogers")
    settle(controller)
    for enemy in ("foy", "husson"):
        fires = ask(controller.model.battle, "fire", ("rogers", enemy)).holds
        assert (mark(controller.model, enemy) is Mark.FIRE) == fires
    assert mark(controller.model, "foy") is Mark.FIRE


def test_a_legal_move_is_made_where_the_verdict_says(controller: TableController) -> None:
    drag(controller, "kempt", (10, 13))
    verdict = controller.model.verdict("move")
    assert verdict is not None
    assert verdict.holds
    ghost = controller.model.ghost
    assert ghost is not None
    assert ghost.at == pytest.approx((10, 13), abs=1e-3)
    assert controller.release()
    assert controller.model.battle.unit("kempt").at == ghost.at
    assert controller.model.battle.unit("kempt").formation == "maneuver-column"


def test_an_illegal_move_leaves_the_unit_where_it_was(controller: TableController) -> None:
    before = controller.model.battle.unit("kempt")
    drag(controller, "kempt", (10, 28))
    verdict = controller.model.verdict("move")
    assert verdict is not None
    assert not verdict.holds
    assert not controller.release()
    assert controller.model.battle.unit("kempt") == before
    assert controller.model.note


def test_the_free_hand_puts_it_anywhere_and_it_can_be_taken_back(controller: TableController) -> None:
    before = controller.model.battle.unit("kempt")
    controller.select("kempt")
    controller.choose(FREE)
    controller.take(before.at)
    controller.drag_to((33, 25))
    controller.turn(1)
    assert controller.release()
    after = controller.model.battle.unit("kempt")
    assert after.at == pytest.approx((33, 25))
    assert after.facing == 15
    controller.take_back()
    assert controller.model.battle.unit("kempt") == before


def test_escape_lets_go_before_it_deselects(controller: TableController) -> None:
    drag(controller, "kempt", (10, 13))
    controller.cancel()
    assert controller.model.drag is None
    assert controller.model.selected == "kempt"
    controller.cancel()
    assert controller.model.selected is None


def test_waypoints_bend_the_way(controller: TableController) -> None:
    drag(controller, "kempt", (10, 12))
    controller.drop_waypoint()
    controller.drag_to((12, 12))
    settle(controller)
    verdict = controller.model.verdict("move")
    assert verdict is not None
    assert len(verdict.measured["path"]) == 3


def test_the_ghost_is_judged_where_it_would_stand(controller: TableController) -> None:
    controller.select("rogers")
    controller.choose(FREE)
    controller.take(controller.model.battle.unit("rogers").at)
    controller.drag_to((16, 2))
    settle(controller)
    far = controller.model.verdict("fire", "foy")
    assert far is not None
    assert not far.holds
    controller.cancel()
    settle(controller)
    near = controller.model.verdict("fire", "foy")
    assert near is not None
    assert near.holds


def test_a_tape_between_units_is_their_distance(controller: TableController) -> None:
    controller.update(TakeTool(Tool.TAPE))
    controller.lay_from((10, 10))
    controller.lay_to((17, 18), laid=True)
    settle(controller)
    verdict = controller.model.verdict("stretch")
    assert verdict is not None
    assert verdict.question == "distance"
    assert verdict.args == ("kempt", "foy")


def test_a_sight_line_between_points_is_proved(controller: TableController) -> None:
    controller.update(TakeTool(Tool.SIGHT))
    controller.lay_from((20, 15))
    controller.lay_to((28, 15), laid=True)
    settle(controller)
    verdict = controller.model.verdict("stretch")
    assert verdict is not None
    assert not verdict.holds
    assert verdict.blockers == ("wood",)


def test_a_general_rides_and_has_no_arc(controller: TableController) -> None:
    drag(controller, "picton", (14, 4))
    assert controller.release()
    assert controller.model.battle.unit("picton").at == pytest.approx((14, 4), abs=1e-3)
    assert controller.model.verdict("field") is None


def test_overlays_and_tools_have_words() -> None:
    assert {str(overlay) for overlay in USUAL} == {"arc", "zone", "reach", "ground", "enemies"}
    assert {str(overlay) for overlay in set(Overlay) - USUAL} == {"threat", "command", "fallback", "terrain"}
    assert {str(tool) for tool in Tool} == {"hand", "tape", "sight"}
