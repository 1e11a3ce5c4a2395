"""Odds at the target: a bar on hover, a headline in the lists, certain waste in grey with its reason."""

import pygame
import pytest

from tabletop.battle.action import Action
from tabletop.play.families import Outlook, headline, outlook
from tabletop.render.battle import choices, context_menu, hover_card, prospects
from tabletop.rules.play import Odds, Result
from tests.render.battle.driver import Player

FIRE = Action("fire", "red", "guns", "column")


def odds(*rows: tuple[float, str, float]) -> Odds:
    return Odds(FIRE, tuple((share, Result(text, worth)) for share, text, worth in rows))


def test_an_outlook_parts_the_results_by_what_they_are_worth() -> None:
    found = outlook(odds((0.5, "routed", 2.0), (0.2, "both disordered", 0.05), (0.3, "repelled", -1.0)))
    assert (found.good, found.nothing, found.bad) == pytest.approx((0.5, 0.2, 0.3))
    assert not found.wasted
    assert headline(odds((0.54, "routed", 2.0), (0.23, "no effect", 0.0), (0.23, "repelled", -1.0))) == (
        "54 % good, 23 % bad"
    )


def test_what_is_possible_never_reads_as_nothing_or_as_certain() -> None:
    assert headline(odds((0.001, "routed", 2.0), (0.999, "no effect", 0.0))) == "1 % good"
    assert headline(odds((0.999, "routed", 2.0), (0.001, "repelled", -1.0))) == "99 % good, 1 % bad"


def test_certain_waste_says_what_comes_of_it() -> None:
    assert outlook(odds((1.0, "out of range", 0.0))) == Outlook(0.0, 1.0, 0.0)
    assert headline(odds((1.0, "out of range", 0.0))) == "wasted: out of range"
    assert headline(odds((0.6, "repelled", -1.0), (0.4, "no effect", 0.0))) == "60 % bad, never good"


@pytest.fixture
def aiming(drill: Player) -> tuple[Player, str]:
    """The guns selected, and an enemy they may fire at."""
    drill.pick("french-guns")
    enemy = next(e.id for e in drill.controller.model.battle.units if prospects.at_target(drill.controller.state, e.id))
    return drill, enemy


def test_an_enemy_under_the_cursor_shows_a_bar(aiming: tuple[Player, str]) -> None:
    player, enemy = aiming
    ((action, found),) = prospects.at_target(player.controller.state, enemy)
    assert action.target == enemy and outlook(found).good > 0.0
    player.move(player.pixel(player.at(enemy)))
    player.wait(2)
    table = player.window.table_surface
    assert table is not None
    place = hover_card.draw(table, player.controller.state, player.window.camera)
    assert place is not None
    card = table.subsurface(place)
    middle = place.height - round(hover_card.PAD + 9)
    tints = [pygame.Color(*card.get_at((x, middle))) for x in range(place.width)]
    good = sum(tint == pygame.Color(hover_card.GOOD) for tint in tints)
    nothing = sum(tint == pygame.Color(hover_card.NOTHING) for tint in tints)
    assert good / (good + nothing) == pytest.approx(outlook(found).good, abs=0.03)


def test_the_menu_at_an_enemy_begins_with_the_odds(aiming: tuple[Player, str]) -> None:
    player, enemy = aiming
    ((_, found),) = prospects.at_target(player.controller.state, enemy)
    player.move(player.pixel(player.at(enemy)))
    player.down(player.pixel(player.at(enemy)), 3)
    player.up(player.pixel(player.at(enemy)), 3)
    rows = {row.word: row for row in player.window.context_menu.rows}
    assert rows[f"aim:bombard/{enemy}"].note == headline(found)
    assert "% good" in headline(found)


def test_certain_waste_is_grey_in_the_lists(aiming: tuple[Player, str], monkeypatch: pytest.MonkeyPatch) -> None:
    player, enemy = aiming
    void = odds((1.0, "too far off", 0.0))
    for module in (context_menu, choices):
        monkeypatch.setattr(module, "odds_of", lambda model, action: void)
    unit = player.controller.model.battle.unit(enemy)
    (row,) = [row for row in context_menu.about(player.controller.state, unit) if row.word]
    assert row.faint and row.open and row.note == "wasted: too far off"
    player.press("kind:bombard")
    offers = [row for row in choices.rows(player.controller.state) if row.word.startswith("offer:")]
    assert offers and all(row.faint and row.open and row.note == "wasted: too far off" for row in offers)
    player.wait()
    player.press(offers[0].word)
    assert player.controller.state.chosen.proposal is not None  # what must be done can be done
