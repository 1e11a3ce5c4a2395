"""The table comes first: it has what the docked parts leave, refits itself, and nothing lies over what it is about."""

from __future__ import annotations

import pygame
import pytest

from tabletop.render.battle import hover_card, status_bar
from tabletop.render.battle.board import paged
from tabletop.render.battle.choices import Row
from tabletop.render.battle.context_menu import PAD, ContextMenu
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing import lettering
from tabletop.render.drawing.primitives import Layer, Text
from tabletop.render.table.clear import Clear, sheet
from tabletop.render.table.layout import LEAST_WIDE, Parts, laid_out
from tabletop.render.table.panel import moved
from tabletop.render.widgets.docking import box_of
from tabletop.render.widgets.panel_page import PanelPage
from tests.render.battle.driver import STARTER, Player, playing, session

WINDOWS = [((1280, 720), 1.0), ((1920, 1080), 1.0), ((1920, 1080), 2.0), ((1280, 720), 2.0), ((3840, 2160), 2.0)]
TABLES = [(48.0, 72.0), (48.0, 48.0), (96.0, 48.0)]


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("parts", [
    Parts(bar=True, panel=panel, log=log, legend=legend, strip=strip)
    for panel in (True, False) for log, strip in ((True, 0), (False, 0), (False, 156)) for legend in (True, False)
])  # fmt: skip
def test_table_and_docked_parts_fill_the_window_and_share_nothing(
    size: tuple[int, int], scale: float, table: tuple[float, float], parts: Parts
) -> None:
    layout, window = laid_out(size, scale, table, parts), pygame.Rect((0, 0), size)
    assert window.contains(layout.table)
    assert not [place for place in layout.docked if place.colliderect(layout.table) or not window.contains(place)]
    taken = layout.table.width * layout.table.height
    over = layout.panel.clip(layout.legend)  # a narrow window lends the panel's place to the legend
    taken += sum(place.width * place.height for place in layout.docked) - over.width * over.height
    assert taken == window.width * window.height
    assert bool(layout.panel.width) == parts.panel and bool(layout.legend.width) == parts.legend


@pytest.mark.parametrize("table", TABLES)
def test_the_log_stands_where_it_leaves_the_table_larger(table: tuple[float, float]) -> None:
    parts = Parts(bar=True, log=True)
    layout = laid_out((1280, 720), 1.0, table, parts)
    beside = layout.log.height == layout.table.height
    assert beside == (table[0] <= table[1])
    bare = laid_out((1280, 720), 1.0, table, Parts(bar=True))
    loss = min(layout.table.width / table[0], layout.table.height / table[1]) / min(
        bare.table.width / table[0], bare.table.height / table[1]
    )
    assert loss > 0.8


def test_a_text_box_takes_clicks_where_it_is_as_soon_as_it_is_moved() -> None:
    """The main button comes to lie where the box was, and may be clicked at once."""
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        box = player.window.panel._boxes["proof"]
        rect = pygame.Rect(box.get_relative_rect())
        below = box.rect.centerx, box.rect.bottom - 8
        assert box.hover_point(*below)
        moved(box, pygame.Rect(rect.topleft, (rect.width, rect.height - 24)))
        assert box.hover_point(*box.rect.center) and not box.hover_point(*below)
        moved(box, rect)
        assert box.hover_point(*below)


def fills(window: GameWindow) -> bool:
    """Return whether the table reaches two opposite edges of its place, and lies within it."""
    place, camera = window.panel.table_rect, window.camera
    assert (camera.width, camera.height) == place.size
    wide, high = (side * camera.scale for side in window.table)
    return wide <= place.width and high <= place.height and max(wide / place.width, high / place.height) > 0.95


def test_the_table_refits_when_the_window_or_its_parts_change(starter: Player) -> None:
    window = starter.window
    assert fills(window)
    for size in ((1920, 1080), (900, 700), (1280, 720)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        starter.tell(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
        assert fills(window)
    before = window.camera.scale
    for key in (pygame.K_j, pygame.K_p):
        starter.key(key)
        assert fills(window)
    assert not window.panel.layout.log.height and not window.panel.layout.panel.width
    assert window.camera.scale >= before
    for word in ("part:log", "part:panel"):
        starter.press(word)
    assert window.camera.scale == before and window.panel.layout.log.height and window.panel.layout.panel.width


def test_a_close_look_keeps_its_middle_and_its_share_of_the_table(starter: Player) -> None:
    window = starter.window
    starter.move(starter.pixel(starter.at("auer")))
    for _ in range(4):
        starter.tell(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
    middle = window.camera.to_table((window.camera.width / 2, window.camera.height / 2))
    zoom = window.camera.scale / window._fit_scale
    pygame.display.set_mode((1920, 1080), pygame.RESIZABLE)
    starter.tell(pygame.VIDEORESIZE, size=(1920, 1080), w=1920, h=1080)
    after = window.camera.to_table((window.camera.width / 2, window.camera.height / 2))
    assert after == pytest.approx(middle) and window.camera.scale / window._fit_scale == pytest.approx(zoom)


def test_the_locator_shows_only_zoomed_in_and_a_click_on_it_goes_there(starter: Player) -> None:
    window = starter.window
    assert window.locator.place is None
    starter.pick("auer")
    for _ in range(5):
        starter.tell(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
    place = window.locator.place
    assert place is not None
    assert not place.colliderect(box_of(window.controller.model.battle.unit("auer"), window.camera))
    left, top = window.panel.table_rect.topleft
    starter.click((place.left + place.width // 4 + left, place.top + place.height // 4 + top))
    middle = window.camera.to_table((window.camera.width / 2, window.camera.height / 2))
    wide, high = window.table
    assert middle == pytest.approx((wide / 4, high * 3 / 4), abs=1.0)
    starter.key(pygame.K_HOME)
    assert window.locator.place is None


def test_the_small_card_hides_neither_the_unit_pointed_at_nor_the_one_selected(starter: Player) -> None:
    window = starter.window
    starter.pick("auer")
    names = [unit.id for unit in window.controller.model.battle.units if unit.id != "auer"]
    table = window.table_surface
    assert table is not None
    for name in names:
        window.controller.point_at(name)
        place = hover_card.draw(table, window.controller.state, window.camera)
        assert place is not None and table.get_rect().contains(place)
        assert not place.colliderect(box_of(window.controller.model.battle.unit(name), window.camera))
        assert not place.colliderect(box_of(window.controller.model.battle.unit("auer"), window.camera))


@pytest.mark.parametrize(("size", "scale"), WINDOWS)
def test_every_switch_is_within_the_window_at_every_scale(size: tuple[int, int], scale: float) -> None:
    with playing(session(STARTER, ("human", "human"), 1), size, scale, measuring=False) as player:
        window, places = player.window, dict[str, pygame.Rect]()
        for button, word in window.panel._buttons.items():
            if word.startswith(("tool:", "overlay:", "part:", "legend:")):
                places[word] = pygame.Rect(button.get_abs_rect())
        assert len(places) >= 14
        listed = list(places.values())
        assert all(window.surface.get_rect().contains(place) for place in listed)
        assert not [a for k, a in enumerate(listed) if a.collidelist(listed[k + 1 :]) != -1]


# --- the side view and the list --------------------------------------------------------------------------------------


def rows_seen(window: GameWindow) -> list[str]:
    """Return the words of the rows of the list that are seen."""
    buttons = window.panel._buttons.items()
    return [word for button, word in buttons if word.startswith(("kind:", "end:", "more:")) and button.visible]


def jamin_is_to_act(player: Player) -> None:
    """Answer what is asked at Quatre Bras, let Foy's division act, and select a brigade of it."""
    controller = player.controller
    while controller.model.battle.pending:
        controller.game.answer(controller.model.battle.pending[0].choices[0])
        player.wait()
    controller.proposals.choose_group("foy")
    player.click(player.pixel(player.at("jamin")))


def test_the_side_view_lies_in_the_panel_and_the_list_comes_back_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with playing(session("tse/quatre-bras", ("human", "human"), 3), (1280, 720)) as player:
        window = player.window
        jamin_is_to_act(player)
        player.wait(6)
        assert rows_seen(window), window._content().rows
        player.key(pygame.K_l)
        for name in ("jamin", "kempt"):
            player.click(player.pixel(player.at(name)))
        player.wait(6)
        place = window.panel.section(True)
        assert place is not None and window.panel.layout.panel.contains(place)
        assert not rows_seen(window)
        said = window.panel._boxes["proof"].get_abs_rect()
        assert said.top >= place.bottom and said.height >= 60
        player.key(pygame.K_ESCAPE)
        player.move((place.left + 5, 50))
        later = pygame.time.get_ticks() + 1000
        monkeypatch.setattr(pygame.time, "get_ticks", lambda: later)
        player.wait(2)
        assert rows_seen(window)


ROWS = (Row("", "Heading"), *(Row(f"kind:{n}", f"Kind {n}", open=n % 2 == 0) for n in range(11)))


@pytest.mark.parametrize("most", range(4, 14))
def test_every_row_of_a_long_list_is_on_some_page(most: int) -> None:
    _, pages = paged(ROWS, most, 0)
    shown = [paged(ROWS, most, page)[0] for page in range(pages)]
    assert all(len(rows) <= most for rows in shown)
    assert [row for rows in shown for row in rows if row.word.startswith("kind:")] == list(ROWS[1:])
    assert all(rows[0] is ROWS[0] for rows in shown)
    assert (pages > 1) == (most < len(ROWS)) == any(row.word == "more:" for rows in shown for row in rows)
    assert paged(ROWS, most, pages)[0] == shown[0]


@pytest.mark.parametrize("most", range(4, 16))
def test_the_row_that_ends_a_phase_is_on_every_page(most: int) -> None:
    ends = tuple(Row(f"end:{n}", f"End {n}", stays=True) for n in range(2))
    _, pages = paged((*ROWS, *ends), most, 0)
    shown = [paged((*ROWS, *ends), most, page)[0] for page in range(pages)]
    assert all(len(rows) <= most for rows in shown)
    assert [row for rows in shown for row in rows if row.word.startswith("kind:")] == list(ROWS[1:])
    assert all(any(row is end for rows in shown for row in rows) for end in ends)
    assert most < 7 or all(rows[-2:] == ends for rows in shown)


def test_everybody_who_may_act_is_in_the_list() -> None:
    """Rossbach has more units than a page has rows."""
    with playing(session("reason/rossbach", ("human", "human"), 3), (1920, 1080), measuring=False) as player:
        while player.controller.model.battle.clock.phase != "movement":
            player.press("end:0")
        ready, seen = set(player.controller.state.facts.ready), set()
        assert len(ready) > 20
        player.wait(3)
        pages = player.window.panel._pages
        for _ in range(pages):
            seen |= {word for word in player.words if word.startswith("unit:")}
            assert "end:0" in player.words
            player.press("more:")
            player.wait(3)
        assert pages > 1
        assert seen == {f"unit:{name}" for name in ready}


def test_the_rest_of_the_list_is_turned_to_in_a_low_window() -> None:
    with playing(session("tse/quatre-bras", ("human", "human"), 3), (1280, 720), 2.0, measuring=False) as player:
        window = player.window
        jamin_is_to_act(player)
        player.wait(3)
        wanted = {row.word for row in window._content().rows if row.word}
        seen = set[str]()
        for _ in range(window.panel._pages):
            player.wait(2)
            seen |= {word for button, word in window.panel._buttons.items() if button.visible}
            player.key(pygame.K_u)
        assert window.panel._pages > 1 and wanted <= seen


@pytest.mark.parametrize("table", TABLES)
def test_in_a_narrow_window_the_log_leaves_the_table_room_for_cards_beside_it(table: tuple[float, float]) -> None:
    layout = laid_out((1920, 1080), 2.0, table, Parts(bar=True, log=True))
    assert layout.table.width >= LEAST_WIDE * 2.0 and layout.log.top == layout.table.bottom


def test_the_context_menu_tells_all_of_a_note_and_lies_beside_its_unit() -> None:
    rows = (
        Row("", "Ours against theirs"),
        Row("aim:fire/a", "Deployed fire", "did not stand deployed before this action", open=False, rule="TSE-ACT-41"),
        Row("aim:assault/a", "Assault", "70 % good, 29 % bad"),
    )
    unit, own, room = pygame.Rect(540, 380, 60, 40), pygame.Rect(540, 430, 60, 40), (1260, 684)
    menu = ContextMenu()
    menu.open(rows, [unit, own], room, 2.0)
    assert pygame.Rect((0, 0), room).contains(menu.place)
    assert not menu.place.colliderect(unit) and not menu.place.colliderect(own)
    assert " ".join(menu._lines(rows[1])).split() == f"{rows[1].note} {rows[1].rule}".split()
    x, bottom = menu.place.centerx, menu.place.bottom
    assert menu.row_at((x, bottom - round(2.0 * (PAD + 4)))) is rows[2]
    assert menu.row_at((x, menu.place.top + round(2.0 * (PAD + 4)))) is None


def test_counts_that_do_not_fit_into_the_bar_are_left_out_and_told_at_the_mouse(starter: Player) -> None:
    state, window = starter.controller.state, starter.window
    told = status_bar.counts(state)
    assert len(told[0]) > len(told[-1])
    assert status_bar.fitting(told, 2000.0) == told[0] and status_bar.left_out(state, 2000, 1.0) == ""
    narrow = lettering.width(told[-1], status_bar.SMALL) + 1.0
    assert status_bar.fitting(told, narrow) == told[-1]
    assert status_bar.left_out(state, round(narrow + 60), 1.0) == told[0]
    window.panel.explain_counts(told[0])
    assert any(told[0] == getattr(e, "tool_tip_text", "") for e in window.panel._manager.get_sprite_group().sprites())


def test_names_under_the_locator_are_left_out(starter: Player) -> None:
    window = starter.window
    assert sheet(window.locator.place, window.camera) == []
    for _ in range(5):
        starter.tell(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
    place = window.locator.place
    assert place is not None
    (layer,) = sheet(window.locator.place, window.camera)
    (west, north), (east, south) = (window.camera.to_table(p) for p in (place.topleft, place.bottomright))
    at = ((west + east) / 2, (south + north) / 2)
    name = Layer("names", (Text(at, "Lambert", 14.0, "#000000"),))
    beside = Layer("names", (Text((west - (east - west), at[1]), "Lambert", 14.0, "#000000"),))
    assert Clear().of((name, beside), [layer], window.camera.drawn) == (beside,)
    starter.key(pygame.K_HOME)


def test_a_panel_page_ends_where_a_text_under_it_does(starter: Player) -> None:
    panel = starter.window.panel
    for lines in range(1, 30):
        panel.lay_page(PanelPage("A page", "<br>".join(["a line"] * lines)))
        rect = panel.page_rect
        assert rect is not None and panel.layout.panel.contains(rect)
        texts = [box.rect for name, box in panel._boxes.items() if name != "log"]
        room = panel.layout.panel.bottom - rect.bottom > 2 * (rect.top - panel.layout.panel.top)
        assert not room or not [text for text in texts if text.top < rect.bottom < text.bottom]
    panel.lay_page(None)
