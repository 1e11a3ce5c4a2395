"""The picture of a verdict: every role drawn, the answer in more than colour, the side view from the verdict alone."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import get_args

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.geometry.verdict import Dependency, Reason, Role, Shape, SideView, Verdict
from tabletop.render.drawing import scene
from tabletop.render.drawing.answer import question_in_words
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.primitives import Area, Drawing, Lines, Stamps, Text
from tabletop.render.drawing.proof import ORDER, label_by_name
from tabletop.render.drawing.proof_page import close_up
from tabletop.render.drawing.side_view import Called
from tabletop.render.drawing.theme import LOOKS, apply_theme, role_style, theme
from tests import loaded
from tests.render import table_of_everything as everything
from tests.render.test_scene import overlap, points


@pytest.fixture(scope="module")
def battle() -> Battle:
    return everything.battle()


@pytest.fixture(scope="module")
def page(battle: Battle) -> Drawing:
    return scene.picture(battle, everything.verdict())


def told(drawing: Drawing, layer: str) -> list[str]:
    return [item.text for item in drawing.layer(layer).items if isinstance(item, Text)]


def test_every_role_has_a_style_and_an_order() -> None:
    assert set(ORDER) == set(get_args(Role))
    for role in get_args(Role):
        assert role_style(role).word


def test_roles_differ_without_colour() -> None:
    """No two roles share dash, width, icon and hatch."""
    looks = [(s.dash, s.width, s.icon, s.hatch, s.band, s.fill_opacity) for s in map(role_style, get_args(Role))]
    assert len(set(looks)) == len(looks)


def contrast(a: str, b: str) -> float:
    """Return the contrast of two colours as the web's accessibility guidelines measure it."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_all_words_stand_out_from_their_halo_or_ground(page: Drawing) -> None:
    """At least 4.5 to 1, what the guidelines ask of small text."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    answers = {theme()["answer"]["yes"], theme()["answer"]["no"]}
    for item in page.items:
        if isinstance(item, Text):
            below = [item.halo] if item.halo else [theme()["page"]["paper"], *answers]
            assert max(contrast(item.fill, c) for c in below) >= 4.5, item.text


@pytest.mark.parametrize("look", LOOKS)
def test_lettering_stands_out_from_its_halo_in_every_look(look: str) -> None:
    """At least 4.5 to 1 again: of the roles of lines and of both sides."""
    apply_theme("plain", look=look)
    for style in map(role_style, get_args(Role)):
        assert contrast(style.lettering, theme()["page"]["halo"]) >= 4.5, style.word
    for side in theme()["sides"]["colours"].values():
        assert contrast(side["deep"], theme()["page"]["halo"]) >= 4.5
        assert contrast(side["mark"], side["fill"]) >= 3.0


@pytest.mark.parametrize("role", get_args(Role))
@pytest.mark.parametrize("kind", ["polygon", "line", "point"])
def test_each_role_is_drawn(role: Role, kind: str) -> None:
    shapes = tuple(s for s in everything.verdict().shapes if s.role == role and s.kind == kind)
    verdict = Verdict("los", (), "tse", False, shapes=shapes)
    drawn = scene.verdict_layer(verdict, 30.0, view=(0, 0, 40, 40))
    assert len(drawn.items) > len([i for i in drawn.items if isinstance(i, Text)]) > 0


def test_a_witness_without_a_shape_is_drawn() -> None:
    verdict = Verdict("los", (), "tse", True, witness=((1.0, 1.0), (5.0, 2.0)))
    drawn = scene.verdict_layer(verdict, 30.0)
    assert any(isinstance(i, Lines) and i.lines == (((1.0, 1.0), (5.0, 2.0)),) for i in drawn.items)
    assert [i.glyph for i in drawn.items if isinstance(i, Stamps)] == ["eye"]


def test_the_cross_stands_where_the_line_is_blocked() -> None:
    shapes = (Shape("blocked", "line", ((0, 0), (10, 0))), Shape("blocker", "line", ((2, 0), (3, 0))))
    drawn = scene.verdict_layer(Verdict("los", (), "tse", False, shapes=shapes), 30.0)
    crosses = [i.at for i in drawn.items if isinstance(i, Stamps) and i.glyph == "cross"]
    assert crosses == [((2.5, 0.0),)]


def test_labels_call_things_by_name(battle: Battle) -> None:
    shapes = (Shape("shadow", "line", ((1.0, 20.0), (6.0, 20.0)), label="shadow of the-woods"),)
    verdict = Verdict("los", ("french-0", "allied-1"), "tse", False, {"distance": None}, shapes=shapes)
    assert "shadow of The woods" in told(scene.picture(battle, verdict), "names")


@pytest.mark.parametrize("label", ["7.42 in", "3.00 of 12", "where it may fall back", "rough 0.50"])
def test_labels_keep_words_and_figures_that_are_ids_too(battle: Battle, label: str) -> None:
    last = label.rpartition(" ")[2]
    units = tuple(replace(unit, id=last, name="Alpha") if k == 0 else unit for k, unit in enumerate(battle.units))
    named = replace(battle, units=units)
    assert label_by_name(label, named) == label
    assert label_by_name(f"shadow of {last}", named) == "shadow of Alpha"
    assert label_by_name(last, named) == "Alpha"


def test_slivers_of_a_reach_are_filled_but_not_outlined() -> None:
    wide = Shape("reach", "polygon", ((0, 0), (5, 0), (5, 5), (0, 5)))
    thin = Shape("reach", "polygon", ((0, 0), (5, 0), (5, 0.05), (0, 0.05)))
    kinds = []
    for shape in (wide, thin):
        drawn = scene.verdict_layer(Verdict("reach", ("a",), "tse", True, shapes=(shape,)), 30.0)
        kinds.append({type(item) for item in drawn.items})
    assert kinds == [{Area, Lines}, {Area}]


def test_areas_lie_under_the_units_and_lines_over_them(page: Drawing) -> None:
    names = [layer.name for layer in page.layers]
    assert names.index("proof areas") < names.index("units") < names.index("proof lines") < names.index("names")


def test_the_answer_in_words(battle: Battle, page: Drawing) -> None:
    words = told(page, "answer")
    assert {"NO", "too close to call by tape", "0.04 in", "40 % of 400 placements"} <= set(words)
    assert any("TSE-LOS-05" in w and "1.31" in w for w in words)
    assert any("TSE-LOS-10 is read (thin wood" in w for w in words), "the ruling it turns on, by its rule"
    assert not any("thin_wood_transparent" in w for w in words)
    assert "cross" in [i.glyph for i in page.layer("answer").items if isinstance(i, Stamps)]


def test_the_rulings_keep_their_room_whatever_the_reasons(battle: Battle) -> None:
    """A call that depends on rulings says so in its picture, all of them, below however many reasons."""
    long = " ".join(["reason"] * 60)
    reasons = tuple(Reason("TSE-LOS-05", False, f"{long} {k}", 1.0, 0.0) for k in range(12))
    names = ("hills_block", "own_hill_exempt", "crest_edge")
    turns = tuple(Dependency(name, True) for name in names)
    verdict = Verdict("los", ("french-0", "allied-0"), "tse", False, {"distance": None}, reasons, depends_on=turns)
    page = scene.picture(battle, verdict)
    words = " ".join(told(page, "answer"))
    assert all(f"({name.replace('_', ' ')}" in words for name in names)


def test_yes_and_no_differ_in_word_and_icon(battle: Battle) -> None:
    bare = Verdict("los", ("french-0", "allied-1"), "tse", True, {"distance": 3.0})
    yes, no = (scene.picture(battle, replace(bare, holds=h)) for h in (True, False))
    assert "YES" in told(yes, "answer")
    assert "NO" in told(no, "answer")
    glyphs = [{i.glyph for i in d.layer("answer").items if isinstance(i, Stamps)} for d in (yes, no)]
    assert glyphs == [{"tick"}, {"cross"}]


QUESTIONS = ("distance", "los", "arc", "fire", "zone", "move", "reach", "assault", "fallback", "command", "cover")


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_put_in_words(battle: Battle, question: str) -> None:
    verdict = Verdict(
        question, ("french-0", "allied-1"), "tse", True, options={"from": "allied-1", "as": "route-march"}
    )
    words = question_in_words(battle, verdict)
    assert "French infantry ok" in words
    assert words.endswith("?")


def test_words_keep_clear_of_each_other(page: Drawing) -> None:
    for name in ("names", "answer", "side view"):
        boxes = [text_box(t, page.scale) for t in page.layer(name).items if isinstance(t, Text) and not t.turn]
        assert not [pair for pair in itertools.combinations(boxes, 2) if overlap(*pair)], name


def test_nothing_lies_outside_the_page(page: Drawing) -> None:
    west, south, east, north = page.view
    for layer in page.layers:
        for item in layer.items if layer.clip is None else ():
            for x, y in points(item):
                assert west - 1e-6 <= x <= east + 1e-6, layer.name
                assert south - 1e-6 <= y <= north + 1e-6, layer.name


def test_the_close_up_holds_what_the_verdict_is_about(battle: Battle) -> None:
    shapes = (Shape("blocked", "line", ((2.0, 3.0), (14.0, 12.0))),)
    west, south, east, north = close_up(battle, Verdict("los", ("french-0",), "tse", False, shapes=shapes), 1.5)
    assert west < 2 and south < 3 and east > 14 and north > 26.375
    assert west >= 0 and south >= 0 and east <= 40 and north <= 38


def test_a_close_up_says_where_it_lies(battle: Battle) -> None:
    """A part of the table comes with the whole table small; the whole table does not."""
    asked = ("french-division", "french-0")
    near, far = (
        Verdict("distance", asked, "tse", True, {"distance": 1.0}, shapes=(Shape("tape", "line", line),))
        for line in (((2.0, 24.0), (4.0, 26.0)), ((0.0, 0.0), (40.0, 38.0)))
    )
    counts = [len(scene.picture(battle, v).layer("answer").items) for v in (near, far)]
    assert counts[0] > counts[1] + len(battle.units)


def test_the_units_asked_about_are_outlined(battle: Battle) -> None:
    """One rim a unit, however many bases touch in it."""
    verdict = Verdict("los", ("french-0", "square"), "tse", True, {"distance": 1.0})
    rims = [i for i in scene.picture(battle, verdict).layer("asked").items if isinstance(i, Lines)]
    assert [len(i.lines) for i in rims] == [2, 2]


def test_long_reasons_stay_within_the_column(battle: Battle) -> None:
    reasons = tuple(replace(r, text="a very long reason " * 12) for r in everything.verdict().because * 12)
    drawn = scene.picture(battle, everything.verdict().with_(because=reasons))
    boxes = [text_box(t, drawn.scale) for t in drawn.layer("answer").items if isinstance(t, Text)]
    assert min(box[1] for box in boxes) >= drawn.view[1]
    assert max(box[2] for box in boxes) <= drawn.view[2]


# --- the side view ---


def test_the_side_view_shows_ends_pieces_and_shadows(battle: Battle) -> None:
    drawn = scene.side_view(everything.verdict(), battle=battle)
    assert drawn is not None
    words = told(drawn, "side view")
    assert {"French infantry ok", "Allied light-cavalry disordered", "The woods", "The building"} <= set(words)
    assert any(w.startswith("shadow") and w.endswith("4.00") for w in words)
    assert {"eye", "ring"} <= {i.glyph for i in drawn.items if isinstance(i, Stamps)}


def test_a_line_over_level_ground_needs_no_side_view_on_the_page(battle: Battle) -> None:
    flat = SideView((2.0, 24.0), (4.0, 30.0), 0, 0, ground=((0.0, 6.3, 0),))
    verdict = Verdict("los", ("french-0", "allied-0"), "tse", True, {"distance": 6.3}, side_view=flat)
    assert "side view" not in [layer.name for layer in scene.picture(battle, verdict).layers]
    stepped = replace(flat, ground=((0.0, 3.0, 1), (3.0, 6.3, 0)), eye=1)
    shown = scene.picture(battle, verdict.with_(side_view=stepped))
    assert shown.layer("side view").items


def test_names_on_the_side_view_keep_off_the_sight_line_and_its_ends(battle: Battle) -> None:
    """The line falls past the hill's foot, where its name used to stand; the contour on top has no name of its own."""
    lower, upper = (replace(battle.table.terrain[0], id=id_, name=name) for id_, name in (("h1", "Hill"), ("h2", "")))
    named = replace(battle, table=replace(battle.table, terrain=(lower, upper)))
    view = SideView(
        (2.0, 24.0), (9.0, 24.0), 2, 0,
        ground=((0.0, 0.6, 2), (0.6, 1.2, 1), (1.2, 7.0, 0)),
        hills=((0.0, 1.2, 1, "h1"), (0.0, 0.6, 2, "h2")),
    )  # fmt: skip
    verdict = Verdict("los", ("french-0", "allied-0"), "tse", True, {"distance": 7.0}, side_view=view)
    for wide, high in ((700, 240), (900, 320), (480, 180)):
        drawn = scene.side_view(verdict, wide, high, named)
        assert drawn is not None
        texts = {t.text: t for t in drawn.items if isinstance(t, Text)}
        names = {"Hill, level 1", *(named.unit(id_).called for id_ in verdict.args)}
        names |= {"level 2"} if high > 180 else set()  # in the least one there is no room for the contour's level
        assert names <= set(texts)
        line = next(i for i in drawn.items if isinstance(i, Lines) and i.pen == role_style("witness").pen).lines[0]
        for word in names:
            box = shapely.box(*text_box(texts[word], drawn.scale))
            assert box.distance(shapely.LineString(line)) > 0.0
            assert all(box.distance(shapely.Point(end)) > 7.0 for end in line)


def test_a_contour_without_a_name_has_that_of_its_hill() -> None:
    called = Called.of(Verdict("los", ("best", "wathiez"), "tse", False), loaded.scenario("tse/quatre-bras"))
    assert called.piece("gemioncourt-crest") == called.piece("gemioncourt-ridge") == "Gemioncourt ridge"
    assert called.piece("nowhere") == "nowhere"


def test_there_is_no_side_view_without_a_sight_line() -> None:
    assert scene.side_view(Verdict("zone", ("a",), "tse", True)) is None


def test_the_side_view_is_drawn_from_the_verdict_alone() -> None:
    """Moving what blocks in the verdict moves it in the picture; no table is asked."""
    verdict = everything.verdict()
    assert verdict.side_view is not None
    moved = replace(verdict.side_view, obstructions=((8.0, 9.0, 0, "the-woods", True),))
    assert scene.side_view(verdict) != scene.side_view(replace(verdict, side_view=moved))


def test_every_reason_stands_on_the_card_closer_where_there_are_many(battle: Battle) -> None:
    """None is dropped: where they have no room one under the other, rule and figures stand behind the words."""
    for many in (3, 11, 16):
        reasons = tuple(Reason("TSE-ASL-01", True, f"reason number {n}", 1.0, 2.0) for n in range(many))
        verdict = replace(everything.verdict(), holds=True, because=reasons, depends_on=(), side_view=None)
        said = " ".join(told(scene.picture(battle, verdict), "answer"))
        assert all(f"eason number {n}" in said for n in range(many)), said
    crowd = tuple(Reason("TSE-ASL-01", True, f"reason number {n}", 1.0, 2.0) for n in range(200))
    verdict = replace(everything.verdict(), holds=True, because=crowd, depends_on=(), side_view=None)
    assert any("more: all are told in words" in text for text in told(scene.picture(battle, verdict), "answer"))
