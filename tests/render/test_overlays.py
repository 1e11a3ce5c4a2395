"""Areas thinned out for the screen: few corners, no specks, and nowhere farther off than a pixel."""

import math

import pytest
import shapely

from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Reason, Shape, Verdict
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.drawing.primitives import Area
from tabletop.render.table import captions, overlays
from tabletop.render.table.controller import TableController
from tabletop.render.table.model import TableModel
from tests.render.table import small_battle

SCALE = 20.0
TABLE = Table.of("in", 40, 30)


def ragged(corners: int, rough: float) -> tuple[tuple[float, float], ...]:
    """Return a circle of radius 8 whose edge jumps to and fro."""
    turns = [2 * math.pi * i / corners for i in range(corners)]
    return tuple(
        (20 + (8 + rough * (i % 2)) * math.cos(a), 15 + (8 + rough * (i % 2)) * math.sin(a))
        for i, a in enumerate(turns)
    )


def verdict(question: str, *shapes: Shape) -> Verdict:
    return Verdict(question, ("kempt",), "tse", True, shapes=shapes)


def test_a_ragged_area_is_thinned_out_within_a_pixel() -> None:
    points = ragged(20_000, 0.002)
    thin = overlays.thinned([Shape("reach", "polygon", points)], SCALE)
    assert shapely.get_num_coordinates(thin) < 300
    assert shapely.hausdorff_distance(thin, shapely.Polygon(points)) < 1.0 / SCALE


def test_many_pieces_are_painted_as_one_and_specks_are_left_out() -> None:
    halves = [shapely.box(10, 10, 20, 20), shapely.box(20, 10, 30, 20)]
    specks = [shapely.box(1 + i / 10, 1, 1.004 + i / 10, 1.004) for i in range(300)]
    shapes = [Shape("reach", "polygon", tuple(shapely.get_coordinates(p)[:-1].tolist())) for p in (*halves, *specks)]
    drawing = overlays.area(TABLE, verdict("reach", *shapes), SCALE)
    filled = [item for item in drawing.items if isinstance(item, Area) and item.fill]
    assert len(filled) == 1
    assert shapely.Polygon(filled[0].rings[0]).area == pytest.approx(200, abs=0.5)


def test_of_ground_seen_the_rest_is_dimmed() -> None:
    seen = Shape("sight", "polygon", ((0, 0), (40, 0), (40, 10), (0, 10)))
    items = overlays.area(TABLE, verdict("ground", seen), SCALE).items
    assert [round(shapely.Polygon(i.rings[0]).area) for i in items if isinstance(i, Area)] == [800]


def test_a_crossed_outline_is_no_stumbling_block() -> None:
    bow = Shape("reach", "polygon", ((0, 0), (10, 10), (10, 0), (0, 10)))
    assert overlays.thinned([bow], SCALE).area == pytest.approx(50, abs=0.1)
    assert overlays.thinned([], SCALE).is_empty


def test_reasons_call_things_by_name_and_never_break_the_page() -> None:
    battle = small_battle()
    controller = TableController(TableModel(battle), InlineJudgeWorker(battle), InlineJudgeWorker(battle))
    reason = Reason("TSE-MOV-20", False, "foy stands < 1 in away, not foy-guns", feature="foy")
    told = captions.answer_html(verdict("move").with_(holds=False, because=(reason,)), controller.model)
    assert "Foy stands &lt; 1 in away, not foy-guns" in told
    assert "TSE-MOV-20" in told
    assert ">No<" in told


def test_what_is_being_measured_is_told_in_words() -> None:
    battle = small_battle()
    controller = TableController(TableModel(battle), InlineJudgeWorker(battle), InlineJudgeWorker(battle))
    assert captions.working(controller.model) == ""
    controller.select("kempt")
    assert captions.working(controller.model) == "arc, command, enemies, ground seen, reach, zone"
    controller.listen()
    assert captions.working(controller.model) == ""
