"""The desk: what the player's hand does, without a screen. Every answer comes from the judge."""

import pytest

from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.settings.model import USUAL, Overlay
from tabletop.render.table.desk import Desk
from tabletop.render.table.marks import mark
from tabletop.render.table.model import TableModel, TakeTool
from tabletop.render.table.pointing import unit_at
from tabletop.render.table.tools import FREE, Mark, Tool
from tests.render.table import small_battle


@pytest.fixture
def desk() -> Desk:
    battle = small_battle()
    return Desk(TableModel(battle), InlineJudgeWorker(battle), InlineJudgeWorker(battle))


def settle(desk: Desk) -> None:
    for _ in range(4):
        desk.listen()
    assert not desk.model.pending


def drag(desk: Desk, name: str, to: tuple[float, float]) -> None:
    desk.select(name)
    settle(desk)
    desk.take(desk.model.battle.unit(name).at)
    desk.drag_to(to)
    settle(desk)


def test_a_point_finds_the_unit_on_it(desk: Desk) -> None:
    found = {
        p: u.id if (u := unit_at(desk.model.battle, p)) else None for p in ((10, 10), (13.3, 7.2), (16, 9.6), (30, 25))
    }
    assert list(found.values()) == ["kempt", "picton", "rogers", None]


def test_selecting_asks_everything_the_overlays_show(desk: Desk) -> None:
    desk.select("rogers")
    settle(desk)
    assert not [answer for answer in desk.model.answers.values() if not isinstance(answer, Verdict)]
    for key in (("zone",), ("field",), ("ground",), ("reach",)):
        assert desk.model.verdict(*key), key
    assert {mark(desk.model, "foy"), mark(desk.model, "husson")} <= set(Mark)


def test_the_marks_are_the_judge_s_own_verdicts(desk: Desk) -> None:
    desk.select("rogers")
    settle(desk)
    for enemy in ("foy", "husson"):
        fires = ask(desk.model.battle, "fire", ("rogers", enemy)).holds
        assert (mark(desk.model, enemy) is Mark.FIRE) == fires
    assert mark(desk.model, "foy") is Mark.FIRE


def test_a_legal_move_is_made_where_the_verdict_says(desk: Desk) -> None:
    drag(desk, "kempt", (10, 13))
    verdict = desk.model.verdict("move")
    assert verdict is not None
    assert verdict.holds
    ghost = desk.model.ghost
    assert ghost is not None
    assert ghost.at == pytest.approx((10, 13), abs=1e-3)
    assert desk.release()
    assert desk.model.battle.unit("kempt").at == ghost.at
    assert desk.model.battle.unit("kempt").formation == "maneuver-column"


def test_an_illegal_move_leaves_the_unit_where_it_was(desk: Desk) -> None:
    before = desk.model.battle.unit("kempt")
    drag(desk, "kempt", (10, 28))
    verdict = desk.model.verdict("move")
    assert verdict is not None
    assert not verdict.holds
    assert not desk.release()
    assert desk.model.battle.unit("kempt") == before
    assert desk.model.note


def test_the_free_hand_puts_it_anywhere_and_it_can_be_taken_back(desk: Desk) -> None:
    before = desk.model.battle.unit("kempt")
    desk.select("kempt")
    desk.choose(FREE)
    desk.take(before.at)
    desk.drag_to((33, 25))
    desk.turn(1)
    assert desk.release()
    after = desk.model.battle.unit("kempt")
    assert after.at == pytest.approx((33, 25))
    assert after.facing == 15
    desk.take_back()
    assert desk.model.battle.unit("kempt") == before


def test_escape_lets_go_before_it_deselects(desk: Desk) -> None:
    drag(desk, "kempt", (10, 13))
    desk.cancel()
    assert desk.model.drag is None
    assert desk.model.selected == "kempt"
    desk.cancel()
    assert desk.model.selected is None


def test_waypoints_bend_the_way(desk: Desk) -> None:
    drag(desk, "kempt", (10, 12))
    desk.drop_waypoint()
    desk.drag_to((12, 12))
    settle(desk)
    verdict = desk.model.verdict("move")
    assert verdict is not None
    assert len(verdict.measured["path"]) == 3


def test_the_ghost_is_judged_where_it_would_stand(desk: Desk) -> None:
    desk.select("rogers")
    desk.choose(FREE)
    desk.take(desk.model.battle.unit("rogers").at)
    desk.drag_to((16, 2))
    settle(desk)
    far = desk.model.verdict("fire", "foy")
    assert far is not None
    assert not far.holds
    desk.cancel()
    settle(desk)
    near = desk.model.verdict("fire", "foy")
    assert near is not None
    assert near.holds


def test_a_tape_between_units_is_their_distance(desk: Desk) -> None:
    desk.update(TakeTool(Tool.TAPE))
    desk.lay_from((10, 10))
    desk.lay_to((17, 18), laid=True)
    settle(desk)
    verdict = desk.model.verdict("stretch")
    assert verdict is not None
    assert verdict.question == "distance"
    assert verdict.args == ("kempt", "foy")


def test_a_sight_line_between_points_is_proved(desk: Desk) -> None:
    desk.update(TakeTool(Tool.SIGHT))
    desk.lay_from((20, 15))
    desk.lay_to((28, 15), laid=True)
    settle(desk)
    verdict = desk.model.verdict("stretch")
    assert verdict is not None
    assert not verdict.holds
    assert verdict.blockers == ("wood",)


def test_a_general_rides_and_has_no_arc(desk: Desk) -> None:
    drag(desk, "picton", (14, 4))
    assert desk.release()
    assert desk.model.battle.unit("picton").at == pytest.approx((14, 4), abs=1e-3)
    assert desk.model.verdict("field") is None


def test_overlays_and_tools_have_words() -> None:
    assert {str(overlay) for overlay in USUAL} == {"arc", "zone", "reach", "ground", "enemies"}
    assert {str(overlay) for overlay in set(Overlay) - USUAL} == {"threat", "command", "fallback", "terrain"}
    assert {str(tool) for tool in Tool} == {"hand", "tape", "sight"}
