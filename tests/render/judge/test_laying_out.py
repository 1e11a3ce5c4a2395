"""Units and terrain placed, dragged, turned, typed in, copied, taken away; contact snapped to; steps taken back."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest

from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.depth import deepest
from tabletop.geometry.measure import Tape
from tabletop.play.files.draft import Draft, empty
from tabletop.render.judge import pages
from tabletop.render.judge.controller import Mode
from tabletop.render.judge.form import Page
from tabletop.render.judge.snapping import NEAR, snapped
from tabletop.render.judge.tracing import traced
from tabletop.rules import rule_set
from tests.bases import rectangles
from tests.render.judge.driver import Umpire, at_the_table

TSE = rule_set.find("tse")
TAPE = Tape.of("in")


def unit(name: str, side: str, at: tuple[float, float], facing: float, **keys: object) -> Unit:
    row = {"troop": "infantry", "bases": 4, "formation": "deployed", **keys}
    return TSE.muster({"id": name, "side": side, "at": at, "facing": facing, **row}, TSE.ruling_values())


def rows(*placed: tuple[str, str, tuple[float, float], float]) -> Draft:
    """Return a table of 36 x 24 with lines of infantry on it, each (id, side, at, facing)."""
    common = {"troop": "infantry", "bases": 4, "formation": "deployed"}
    units = tuple({"id": n, "side": s, **common, "at": list(at), "facing": f} for n, s, at, f in placed)
    return empty("tse", 36, 24).with_rows(units)


def touching(a: Unit, b: Unit) -> bool:
    return TAPE.touches(distance_between(a, b)) and not TAPE.over(deepest(a.bases, b.bases), 0.0)


# --- snapping, by itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.02, 0.1, NEAR - 0.001, -0.1])
def test_a_front_goes_flush_against_an_enemy_s_edge(gap: float) -> None:
    enemy = unit("e", "red", (20, 20), 180)
    put = snapped(unit("a", "blue", (20.1, 19.25 - gap), 3.0), [enemy], TAPE, NEAR + 0.2)
    assert put is not None and put.facing == 0.0 and touching(put, enemy)
    assert put.at == (20.0, 19.25)  # the ends of the two lines meet as well


@pytest.mark.parametrize(("gap", "snaps"), [(NEAR - 0.01, True), (NEAR, True), (NEAR + 0.01, False)])
def test_the_tape_says_what_is_near_enough(gap: float, snaps: bool) -> None:
    guns = unit("a", "blue", (20, 19.125 - gap), 0.0, bases=1, troop="horse-artillery")
    put = snapped(guns, [unit("e", "red", (20, 20), 180)], TAPE, NEAR)
    assert (put is not None) == snaps


@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0, 137.5, 270.0])
def test_contact_is_contact_whichever_way_the_table_lies(turn: float) -> None:
    enemy = unit("e", "red", (20, 20), 180).turned(turn, (10.0, 10.0))
    mover = unit("a", "blue", (20.1, 19.1), 4.0).turned(turn, (10.0, 10.0))
    put = snapped(mover, [enemy], TAPE, NEAR)
    assert put is not None and touching(put, enemy)


def test_askew_it_touches_with_a_corner_and_is_not_turned() -> None:
    enemy = unit("e", "red", (20, 20), 150)
    mover = unit("a", "blue", (20.1, 18.1), 0.0)
    put = snapped(mover, [enemy], TAPE, NEAR)
    assert put is not None and put.facing == 0.0 and touching(put, enemy)


def test_a_flank_goes_beside_a_friend_and_dresses_its_line() -> None:
    friend = unit("f", "blue", (20, 20), 90)
    put = snapped(unit("a", "blue", (20.15, 24.1), 93.0), [friend], TAPE, NEAR)
    assert put is not None and touching(put, friend)
    assert put.facing == 90.0 and put.at == (20.0, 24.0)


def test_a_front_does_not_go_into_a_friend_s_back() -> None:
    friend = unit("f", "blue", (20, 20), 0)
    assert snapped(unit("a", "blue", (20, 19.1), 0.0), [friend], TAPE, NEAR) is None


def test_what_would_lie_in_a_third_unit_is_no_place() -> None:
    enemy, other = unit("e", "red", (20, 20), 180), unit("o", "red", (20, 18.6), 0)
    assert snapped(unit("a", "blue", (20, 19.05), 0.0), [enemy, other], TAPE, NEAR) is None


@pytest.mark.parametrize("turn", [0.0, 33.0, 181.25])
def test_tracing_puts_a_rectangle_where_its_corners_were_clicked(turn: float) -> None:
    base = unit("a", "blue", (12, 9), turn)
    bases = rectangles(base.bases)
    left, right = bases[0].corners[0], bases[3].corners[1]
    rear = bases[3].corners[2]
    clicks = [(float(x), float(y)) for x, y in (left, right, rear)]
    for count in (2, 3):
        front, facing = traced(clicks[:count], 4.0, 0.75)
        assert math.dist(front, base.front_mid) < 0.002 and facing == pytest.approx(turn, abs=0.02)


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_a_dragged_line_snaps_and_alt_keeps_it_free() -> None:
    draft = rows(("mine", "blue", (18, 8), 0), ("theirs", "red", (18, 12), 180))
    for mod, contact in ((0, True), (pygame.KMOD_LALT, False)):
        with at_the_table(draft) as umpire:
            umpire.press("tab:edit")
            umpire.keeping(mod)
            umpire.drag((18, 8), (18.1, 11.1))
            umpire.keeping(0)
            battle = umpire.controller.battle
            assert TAPE.touches(distance_between(battle.unit("mine"), battle.unit("theirs"))) == contact
            assert umpire.controller.laid.sound


def test_wheel_and_keys_turn_and_shift_turns_finely() -> None:
    with at_the_table(rows(("mine", "blue", (18, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((18, 8))
        umpire.key(pygame.K_e)
        umpire.key(pygame.K_q, pygame.KMOD_LSHIFT)
        assert umpire.controller.draft.unit("mine")["facing"] == 14.0
        umpire.hold((18, 8), (20, 10))
        umpire.tell(pygame.MOUSEWHEEL, x=0, y=2, flipped=False)
        umpire.up(umpire.screen.at((20, 10)))
        assert umpire.controller.draft.unit("mine")["facing"] == 44.0


def test_what_is_typed_is_exact() -> None:
    with at_the_table(rows(("mine", "blue", (18, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((18, 8))
        for word, text in (("x", "17.25"), ("y", "9,5"), ("facing", "22.5"), ("name", "Old Guard")):
            umpire.write(f"edit:{word}", text)
        found = umpire.controller.battle.unit("mine")
        assert (found.at, found.facing, found.called) == ((17.25, 9.5), 22.5, "Old Guard")
        umpire.choose("edit:bases", "6")
        umpire.choose("edit:formation", "Maneuver column")
        umpire.choose("edit:front", "2 wide")
        found = umpire.controller.battle.unit("mine")
        assert (found.strength, found.formation, found.front) == (6, "maneuver-column", 2)


def test_typing_a_number_is_one_step_back() -> None:
    with at_the_table(rows(("mine", "blue", (18, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((18, 8))
        umpire.write("edit:x", "21.5")
        umpire.click((30, 20))
        umpire.key(pygame.K_z, pygame.KMOD_LCTRL)
        assert umpire.controller.draft.unit("mine")["at"] == [18, 8]
        umpire.key(pygame.K_y, pygame.KMOD_LCTRL)
        assert umpire.controller.draft.unit("mine")["at"] == [21.5, 8]


def test_letters_typed_into_an_entry_do_nothing_else() -> None:
    with at_the_table(rows(("mine", "blue", (18, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((18, 8))
        umpire.write("edit:name", "")
        umpire.key(pygame.K_e)
        umpire.key(pygame.K_DELETE)
        assert umpire.controller.draft.unit("mine")["facing"] == 0 and umpire.controller.battle.has("mine")


def test_a_box_takes_several_and_they_move_together() -> None:
    draft = rows(("a", "blue", (8, 8), 0), ("b", "blue", (14, 8), 0), ("c", "red", (28, 20), 180))
    with at_the_table(draft) as umpire:
        umpire.press("tab:edit")
        umpire.drag((5, 5), (18, 10))
        assert list(umpire.controller.selected) == ["a", "b"]
        umpire.drag((8, 8), (10, 11))
        a, b = (umpire.controller.battle.unit(name).at for name in "ab")
        assert math.dist((b[0] - a[0], b[1] - a[1]), (6, 0)) < 0.002 and a[1] == pytest.approx(11, abs=0.1)
        umpire.keeping(pygame.KMOD_LSHIFT)
        umpire.click(b)
        umpire.keeping(0)
        assert list(umpire.controller.selected) == ["a"]


def test_copies_get_names_of_their_own() -> None:
    with at_the_table(rows(("blue-foot-1", "blue", (8, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((8, 8))
        umpire.key(pygame.K_d, pygame.KMOD_LCTRL)
        umpire.key(pygame.K_c, pygame.KMOD_LCTRL)
        umpire.move(umpire.screen.at((20, 15)))
        umpire.key(pygame.K_v)
        names = [row["id"] for row in umpire.controller.draft.units]
        assert names == ["blue-foot-1", "blue-foot-2", "blue-foot-3"]
        assert math.dist(umpire.controller.battle.unit("blue-foot-3").at, (20, 15)) < 0.1
        umpire.key(pygame.K_DELETE)
        assert len(umpire.controller.draft.units) == 2


def test_every_step_is_taken_back_and_done_again() -> None:
    with at_the_table(rows(("a", "blue", (8, 8), 0))) as umpire:
        umpire.press("tab:edit")
        seen = [umpire.controller.draft]
        for step in range(30):
            umpire.click(umpire.controller.battle.unit("a").at)
            umpire.key((pygame.K_RIGHT, pygame.K_e)[step % 2])
            seen.append(umpire.controller.draft)
        # Shifts and turns come in turns, so that each is a step of its own.
        for draft in reversed(seen[:-1]):
            umpire.key(pygame.K_z, pygame.KMOD_LCTRL)
            assert umpire.controller.draft == draft
        for draft in seen[1:]:
            umpire.press("redo:")
            assert umpire.controller.draft == draft


def test_corners_are_pulled_made_typed_and_taken_away() -> None:
    wood = {"id": "wood", "kind": "woods", "outline": [[8, 8], [16, 8], [16, 14], [8, 14]]}
    with at_the_table(empty("tse", 36, 24).with_rows(terrain=[wood])) as umpire:
        umpire.press("tab:edit")
        umpire.click((12, 11))
        umpire.drag((16, 14), (18, 15))
        outline = umpire.controller.draft.piece("wood")["outline"]
        assert math.dist(outline[2], (18, 15)) < 0.1 and outline[0] == [8, 8]
        umpire.drag((12, 8), (12, 6))
        assert len(umpire.controller.draft.piece("wood")["outline"]) == 5
        assert umpire.controller.corner == ("wood", 1)
        umpire.write("corner:x", "11.5")
        assert umpire.controller.draft.piece("wood")["outline"][1][0] == 11.5
        umpire.click((30, 20))
        umpire.click((12, 11))
        umpire.click(tuple(umpire.controller.draft.piece("wood")["outline"][1]))
        umpire.key(pygame.K_DELETE)
        assert len(umpire.controller.draft.piece("wood")["outline"]) == 4


def test_a_line_of_terrain_ends_with_enter_and_a_ring_closes_at_its_first_corner() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        umpire.press("tab:place")
        umpire.press("what:terrain")
        umpire.press("kind:wall")
        for point in ((5, 5), (9, 6), (12, 5)):
            umpire.click(point)
        umpire.key(pygame.K_BACKSPACE)
        umpire.key(pygame.K_RETURN)
        umpire.press("kind:hill")
        umpire.choose("piece:level", "Level 2")
        for point in ((20, 5), (28, 5), (28, 12), (20, 12), (20, 5)):
            umpire.click(point)
        wall, hill = umpire.controller.draft.terrain
        assert len(wall["line"]) == 2 and len(hill["outline"]) == 4 and hill["level"] == 2
        assert umpire.controller.battle.table.level_at((24, 8)) == 2


def test_a_crossed_outline_is_said_and_can_be_mended() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        umpire.press("tab:place")
        umpire.press("what:terrain")
        umpire.press("kind:woods")
        for point in ((5, 5), (15, 15), (15, 5), (5, 15)):
            umpire.click(point)
        umpire.key(pygame.K_RETURN)
        assert "crosses" in umpire.controller.faults[0]
        umpire.press("undo:")
        assert umpire.controller.laid.sound


def test_what_the_rules_do_not_take_is_said_and_changes_nothing() -> None:
    draft = rows(("guns", "blue", (8, 8), 0)).with_rows(
        [{"id": "guns", "side": "blue", "troop": "horse-artillery", "bases": 2, "formation": "deployed",
          "at": [8, 8], "facing": 0}]
    )  # fmt: skip
    with at_the_table(draft) as umpire:
        umpire.press("tab:edit")
        umpire.click((8, 8))
        assert "edit:quality" not in umpire.screen.form.words
        before = umpire.controller.draft
        umpire.controller.typed("formation", "square")
        assert umpire.controller.draft == before and "only infantry forms square" in umpire.controller.note


def test_the_unit_in_hand_follows_the_wheel_and_escape_lets_go() -> None:
    with at_the_table(empty("tse", 36, 24)) as umpire:
        umpire.press("tab:place")
        umpire.press("troop:general")
        umpire.click((10, 10))
        umpire.press("troop:infantry")
        umpire.move(umpire.screen.at((20, 10)))
        umpire.tell(pygame.MOUSEWHEEL, x=0, y=-1, flipped=False)
        umpire.click((20, 10))
        umpire.key(pygame.K_ESCAPE)
        umpire.click((28, 18))
        assert [row["troop"] for row in umpire.controller.draft.units] == ["general", "infantry"]
        assert umpire.controller.draft.units[1]["facing"] == 345.0
        assert umpire.controller.mode is Mode.PLACE and not umpire.controller.placing.held


def test_a_unit_over_the_edge_is_said_by_name() -> None:
    with at_the_table(rows(("a", "blue", (8, 8), 0))) as umpire:
        umpire.press("tab:edit")
        umpire.click((8, 8))
        umpire.write("edit:x", "0.5")
        assert "stands off the table" in umpire.controller.faults[0]
        assert umpire.controller.battle.has("a")


def everything(umpire: Umpire) -> list[pygame.Rect]:
    return list(umpire.screen.form.words.values())


@pytest.mark.parametrize(("size", "scale"), [((1920, 1080), 2.0), ((1280, 720), 1.0), ((1280, 720), 2.0)])
@pytest.mark.parametrize("mode", [Mode.TABLE, Mode.PHOTO, Mode.ASK])
def test_letters_stay_as_large_as_asked_and_rows_scroll_instead(
    mode: Mode, size: tuple[int, int], scale: float
) -> None:
    with at_the_table(rows(("a", "blue", (8, 8), 0)), size, scale) as umpire:
        assert umpire.screen.form.scale == scale
        umpire.press(f"tab:{mode}")
        form = umpire.screen.form
        assert (form.scrolling is not None) == (scale == 2.0 and (size[1] == 720 or mode is Mode.TABLE))
        for word in form._widgets._made:
            form.turn_to(word)
            assert word in form.words or not form._widgets._made[word].is_enabled


def test_rows_laid_anew_stay_scrolled_where_they_were() -> None:
    with at_the_table(rows(("a", "blue", (8, 8), 0)), (1280, 720), 2.0) as umpire:
        umpire.press("tab:table")
        umpire.screen.form.turn_to("new:ruling")
        area = umpire.screen.form._widgets.area
        assert area is not None and area.scrolled
        before, umpire.screen.new["ruling"] = area.scrolled, list(rule_set.find("tse").rulings)[-1]
        umpire.wait()
        area = umpire.screen.form._widgets.area
        assert area is not None and area.scrolled == min(before, area.most)


#: Windows and what is asked to magnify in them; a small one gives what it has room for.
SIZES = [((1280, 720), 1.0), ((1920, 1080), 1.0), ((3840, 2160), 2.0), ((1280, 720), 2.5), ((1024, 600), 1.0)]


@pytest.mark.parametrize(("size", "scale"), SIZES)
@pytest.mark.parametrize("mode", list(Mode))
def test_nothing_on_the_panel_overlaps_or_is_cut(mode: Mode, size: tuple[int, int], scale: float) -> None:
    with at_the_table(rows(("a", "blue", (8, 8), 0)), size, scale) as umpire:
        if mode in (Mode.ARMY, Mode.BATTLE):
            umpire.screen.build()
            umpire.wait()
        umpire.press(f"tab:{mode}")
        if mode is Mode.EDIT:
            umpire.controller.select(["a"])
            umpire.wait()
        places = everything(umpire)
        window = pygame.Rect((0, 0), size)
        assert all(window.contains(place) for place in places)
        for number, place in enumerate(places):
            assert place.collidelist(places[number + 1 :]) == -1


def test_only_the_kinds_of_terrain_of_the_rules_are_offered() -> None:
    """A table of Age of Sail offers sea, shoal and land; one of another rule set everything else."""
    with at_the_table(empty("sail", 60, 40)) as umpire:
        umpire.press("tab:place")
        umpire.press("what:terrain")
        words = [word for word in umpire.screen.form.words if word.startswith("kind:")]
        assert words == ["kind:sea", "kind:shoal", "kind:land"]
        umpire.press("kind:shoal")
        for point in ((20.0, 10.0), (26.0, 10.0), (23.0, 16.0)):
            umpire.click(point)
        umpire.key(pygame.K_RETURN)
        assert [piece.kind for piece in umpire.controller.battle.table.terrain][-1] == "shoal"
        assert umpire.controller.laid.sound


def test_the_page_of_a_piece_says_what_its_traits_do() -> None:
    """AGE-CBT-08: a redoubt has works without being told; a copy of a piece keeps the traits it names."""
    fort = {"id": "fort", "kind": "redoubt", "at": [400, 300], "size": [80, 40]}
    wall = {"id": "wall", "kind": "town", "at": [700, 300], "size": [40, 40], "traits": ["works"]}
    draft = replace(empty("destiny", 1200, 800), terrain=(fort, wall))
    with at_the_table(draft) as umpire:
        umpire.press("tab:edit")
        for name in ("fort", "wall"):
            umpire.controller.select([name])
            umpire.wait()
            told = [part.html for part in pages._edit(umpire.controller) if isinstance(part, Page)]
            assert [text.startswith("Works: a rampart with a ditch") for text in told] == [True], (name, told)
        umpire.press("copy:")
        assert [piece.traits for piece in umpire.controller.battle.table.terrain] == [(), ("works",), ("works",)]
