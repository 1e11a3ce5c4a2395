"""What a player can see in a battle being played: overlays, legend, rules, log, histories, cards, tape, game app."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pygame
import pytest
import shapely
from typer.testing import CliRunner

from tabletop.cli import app
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Field
from tabletop.geometry.verdict import Verdict
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.opened import open_battle
from tabletop.render import rooms
from tabletop.render.battle import game_app_page, unit_card, words
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.meanings import meanings
from tabletop.render.battle.tokens import Tokens
from tabletop.render.drawing import theme
from tabletop.render.drawing.labels import text_box
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Layer, Text
from tabletop.render.game_app.screen import LABEL, GameApp, calculator
from tabletop.render.screens import Go, Look
from tabletop.render.settings.model import USUAL, Overlay, Settings
from tabletop.render.table import legend, plans
from tabletop.render.widgets.app_form import Pad
from tabletop.render.widgets.links import linked, rule_page
from tabletop.rules.rule_set import find
from tabletop.rules.tse.assault.judge import assaultable, may_assault
from tabletop.rules.tse.tables import troop
from tests import playing as worked
from tests.render.battle.driver import STARTER, Player, playing, session

PLANS = {
    Overlay.THREAT: pygame.K_x,
    Overlay.COMMAND: pygame.K_c,
    Overlay.FALLBACK: pygame.K_b,
    Overlay.TERRAIN: pygame.K_v,
}


def table(player: Player) -> bytes:
    """What is painted on the table."""
    return pygame.image.tobytes(player.window.surface.subsurface(player.window.panel.table_rect), "RGB")


def said(player: Player) -> list[str]:
    return [entry.words for entry in legend.entries(player.controller.model)]


def test_the_legend_says_that_fields_have_no_effect(starter: Player) -> None:
    """Where there are some to be seen: in the painted look always, on the map if the map names some."""
    words = "Fields: no effect, whatever grows there"
    assert words not in said(starter)
    theme.apply_theme("plain", "period", "painted")
    assert words in said(starter)
    theme.apply_theme("plain")
    model = starter.controller.model
    sown = replace(model.battle.table, fields=(Field("rye", shapely.box(1, 1, 4, 4)),))
    shown = replace(model, battle=replace(model.battle, table=sown))
    assert words in [entry.words for entry in legend.entries(shown)]


# --- overlays and legend ---------------------------------------------------------------------------------------------


@pytest.mark.areas
@pytest.mark.parametrize("overlay", PLANS)
def test_an_overlay_for_planning_comes_and_goes_by_key_and_by_button(starter: Player, overlay: Overlay) -> None:
    starter.pick("auer")
    starter.wait(2)
    bare = table(starter)
    starter.key(PLANS[overlay])
    starter.wait(6)
    assert overlay in starter.controller.model.overlays
    assert table(starter) != bare
    starter.press(f"overlay:{overlay}")
    starter.move((2, starter.window.surface.get_height() - 2))
    starter.wait(3)
    assert overlay not in starter.controller.model.overlays
    assert table(starter) == bare


def test_all_overlays_at_once_and_those_before_again(starter: Player) -> None:
    starter.pick("auer")
    starter.key(pygame.K_a)
    before = starter.controller.model.overlays
    assert before and Overlay.ARC not in before
    starter.key(pygame.K_n)
    assert starter.controller.model.overlays == set(Overlay)
    starter.key(pygame.K_n)
    assert starter.controller.model.overlays == before


def test_rules_offer_only_the_overlays_they_know(drill: Player) -> None:
    known = {Overlay.ARC, Overlay.REACH, Overlay.ENEMIES, Overlay.THREAT, Overlay.TERRAIN}
    assert set(drill.controller.model.offered) == known
    assert {word for word in drill.words if word.startswith("overlay:")} == {f"overlay:{o}" for o in known}
    drill.key(pygame.K_c)
    assert drill.controller.model.overlays == USUAL
    drill.key(pygame.K_n)
    assert drill.controller.model.overlays == known


@pytest.mark.areas
def test_the_threat_covers_what_every_enemy_reaches_and_shoots_at(starter: Player) -> None:
    starter.pick("auer")
    starter.key(pygame.K_x)
    starter.wait(3)
    battle = starter.controller.model.battle
    enemies = {u.id for u in battle.units if u.side == "french" and not u.is_general}
    assert set(starter.controller.model.foreseen) == enemies
    for name in enemies:
        found = starter.controller.model.foreseen[name]
        assert isinstance(found, Verdict)
        come, charged, shot = (plans.ground(found, role) for role in (plans.COME, plans.CHARGED, plans.SHOT_AT))
        enemy = battle.unit(name)
        assert come.buffer(0.1).covers(enemy.footprint)
        assert shot.is_empty == (troop(enemy.troop).range is None)
        assert shot.is_empty or shot.buffer(0.1).covers(enemy.footprint)
        ahead = shapely.Point(enemy.front_mid).buffer(1.0)
        assert charged.buffer(0.1).covers(ahead) if may_assault(battle, enemy) else charged.is_empty


def test_who_may_be_assaulted_stands_on_the_threat() -> None:
    """TSE-ASL-03, TSE-ASL-05: cavalry whose target's nearest point lies at its reach of 12, behind its back."""
    horse = worked.unit("a", troop="heavy-cavalry", front=2)
    target = worked.unit("e", side="red")
    x, y = horse.front_mid
    nearest = max(py for _, py in shapely.get_coordinates(target.footprint).tolist())
    target = target.moved(x - target.at[0], y - 12.0 - nearest)
    battle = worked.scene(horse, target)
    assert assaultable(battle, horse, target)
    found = plans.ThreatRequest(("threat", "a"), "reach", ("a",)).answered(battle)
    assert isinstance(found, Verdict)
    shown = [plans.ground(found, role) for role in (plans.COME, plans.CHARGED, plans.SHOT_AT)]
    assert shapely.dwithin(shapely.union_all(shown), target.footprint, battle.tape.t)


def test_a_threat_is_kept_while_nobody_moves_and_forgotten_when_somebody_has(starter: Player) -> None:
    starter.pick("auer")
    starter.key(pygame.K_x)
    starter.wait(3)
    found = dict(starter.controller.model.foreseen)
    starter.pick("steiner")
    starter.press("kind:hold")
    starter.wait(3)
    assert all(starter.controller.model.foreseen[name] is answer for name, answer in found.items())
    starter.controller.select("zichy")
    moved = starter.controller.model.battle.unit("zichy").moved(0.0, -0.5)
    starter.controller.put_down(moved)
    assert starter.controller.model.foreseen == {}


@pytest.mark.areas
def test_the_legend_tells_what_is_shown_and_no_more(starter: Player) -> None:
    starter.pick("auer")
    for key in (pygame.K_a, pygame.K_z, pygame.K_m, pygame.K_s, pygame.K_f):
        starter.key(key)
    assert said(starter) == ["Austrian", "French"]
    starter.key(pygame.K_v)
    assert {"Level 1", "Soft cover", "Hard cover"} <= set(said(starter))
    starter.key(pygame.K_x)
    starter.wait(3)
    assert "Next turn an enemy could move here" in said(starter)
    starter.key(pygame.K_x)
    assert "Next turn an enemy could move here" not in said(starter)


def test_the_legend_opens_and_shuts_by_key_button_and_click(starter: Player) -> None:
    bare = table(starter)
    starter.key(pygame.K_k)
    assert starter.window.legend.open and table(starter) != bare
    starter.click(starter.window.panel.layout.legend.center)
    assert not starter.window.legend.open
    starter.press("legend:")
    assert starter.window.legend.open


def test_the_legend_is_docked_beside_the_table_and_scrolls_where_the_window_is_low() -> None:
    with playing(session(STARTER, ("human", "human"), 1), (1280, 300), measuring=False) as player:
        before = player.window.panel.table_rect
        player.controller.show(player.controller.model.offered)
        player.key(pygame.K_k)
        layout, legend_ = player.window.panel.layout, player.window.legend
        assert layout.legend.height and not layout.legend.colliderect(layout.table)
        assert layout.table != before and player.window.camera.width == layout.table.width
        player.move(layout.legend.center)
        whole = player.window.surface.subsurface(layout.legend).copy()
        player.tell(pygame.MOUSEWHEEL, x=0, y=-2, flipped=False)
        assert legend_.scrolled > 0
        scrolled = player.window.surface.subsurface(layout.legend)
        assert pygame.image.tobytes(whole, "RGB") != pygame.image.tobytes(scrolled, "RGB")
        for _ in range(40):
            player.tell(pygame.MOUSEWHEEL, x=0, y=-2, flipped=False)
        end = legend_.scrolled
        player.tell(pygame.MOUSEWHEEL, x=0, y=-2, flipped=False)
        assert legend_.scrolled == end
        player.key(pygame.K_k)
        assert player.window.panel.table_rect == before and player.window.camera.shows_all(player.window.table)


# --- rules -----------------------------------------------------------------------------------------------------------


def follow(player: Player, box: str, head: str) -> str:
    """Click the first link in sight in a box of the panel that leads to such a target; return the target."""
    found = player.window.panel._boxes[box]
    for chunk in found.link_hover_chunks:
        pixel = (found.rect.left + found.padding[0] + chunk.x + 5, found.rect.top + found.padding[1] + chunk.y + 6)
        if chunk.href.startswith(head) and found.rect.inflate(-8, -8).collidepoint(pixel):
            pygame.mouse.set_pos(pixel)
            player.click(pixel)
            player.wait()
            return str(chunk.href)
    raise AssertionError(f"no link to {head} in sight: {[chunk.href for chunk in found.link_hover_chunks]}")


def test_rule_ids_are_links_and_only_they() -> None:
    assert linked("a <a href='x'>TSE-FIR-01</a> TSE-FIR-02.") == (
        "a <a href='x'>TSE-FIR-01</a> <a href='rule:TSE-FIR-02'>TSE-FIR-02</a>."
    )
    assert linked("<b>Auer</b>, 3-6") == "<b>Auer</b>, 3-6"


def test_a_rule_card_says_statement_section_ruling_and_numbers(starter: Player) -> None:
    card = rule_page(starter.controller.model.battle, "TSE-LOS-16")
    assert card is not None and "Hills between block" in card.html
    assert "line of sight" in card.html and "The other reading: no" in card.html
    numbers = rule_page(starter.controller.model.battle, "TSE-FIR-01")
    assert numbers is not None and ": 12" in numbers.html and ": 3" in numbers.html and ": 12.0" not in numbers.html
    assert rule_page(starter.controller.model.battle, "no such rule") is None


def test_a_rule_opens_from_the_odds_and_esc_puts_it_away(starter: Player) -> None:
    starter.drag("auer", (starter.at("auer")[0], starter.at("auer")[1] - 2.0))
    assert starter.controller.state.chosen.proposal is not None
    starter.wait(3)
    target = follow(starter, "proof", "rule:")
    assert (
        starter.window.panel_page is not None
        and f"rule:{starter.window.panel_page.title.removeprefix('Rule ')}" == target
    )
    assert starter.window.panel.page_rect is not None
    starter.key(pygame.K_ESCAPE)
    starter.wait()
    assert starter.window.panel_page is None and starter.window.panel.page_rect is None
    assert starter.controller.state.chosen.proposal is not None


def test_a_rule_opens_from_the_log_and_from_a_closed_action(starter: Player) -> None:
    starter.wait(3)
    assert follow(starter, "log", "rule:") == "rule:TSE-TRN-02"
    assert starter.window.panel_page is not None and starter.window.panel_page.title == "Rule TSE-TRN-02"
    starter.press("close-page:")
    assert starter.window.panel_page is None
    starter.pick("auer")
    starter.press("rule:TSE-REG-01")
    assert starter.window.panel_page is not None and starter.window.panel_page.title == "Rule TSE-REG-01"


# --- log, moments, histories -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fought() -> Iterator[Player]:
    """A battle some turns old, with nothing chosen."""
    game, mover = session(STARTER, ("human", "human"), 1), RandomMover(1)
    for _ in range(60):
        game.do(mover.choose(game.battle).action)
    with playing(game, measuring=False) as player:
        player.wait(3)
        yield player


def test_the_log_has_pages(fought: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "LOG_LINES", 8)
    fought.window.log._kept = (None, "")
    assert len(fought.controller.state.record.lines) > words.LOG_LINES
    first = fought.window.log.text()
    fought.key(pygame.K_PAGEUP)
    earlier = fought.window.log.text()
    assert "log:0'" not in first and earlier != first and "Later ..." in earlier
    fought.key(pygame.K_PAGEDOWN)
    assert fought.window.log.text() == first


def test_the_log_of_one_unit(fought: Player) -> None:
    name = next(
        line.unit
        for line in fought.controller.state.record.lines
        if line.unit and fought.controller.model.battle.has(line.unit)
    )
    fought.controller.select(name)
    fought.key(pygame.K_o)
    shown = fought.window.log.text()
    for number, line in enumerate(fought.controller.state.record.lines):
        assert (f"log:{number}'" in shown) <= line.about(name)
    assert "Show everybody" in shown
    assert f"log:{next(n for n, x in enumerate(fought.controller.state.record.lines) if x.about(name))}'" in shown
    fought.key(pygame.K_o)
    assert "Show only " in fought.window.log.text()
    fought.controller.select(None)


def test_a_line_of_the_log_shows_the_table_as_it_was(fought: Player) -> None:
    number = next(n for n, line in enumerate(fought.controller.state.record.lines) if line.at is not None)
    bare = table(fought)
    fought.window.pressed(f"log:{number}")
    fought.wait(4)
    assert fought.controller.state.chosen.looked_at is fought.controller.state.record.lines[number]
    assert table(fought) != bare
    fought.window.pressed(f"log:{number}")
    assert fought.controller.state.chosen.looked_at is None


def test_a_history_tells_everything_of_a_unit_in_order(fought: Player) -> None:
    name = next(
        line.unit
        for line in fought.controller.state.record.lines
        if line.unit and fought.controller.model.battle.has(line.unit)
    )
    found = unit_card.history(fought.controller.state, name)
    assert found is not None
    about = [n for n, line in enumerate(fought.controller.state.record.lines) if line.about(name)]
    places = [found.html.index(f"log:{n}'") for n in about]
    assert places == sorted(places)
    assert unit_card.history(fought.controller.state, "nobody") is None


def test_the_history_opens_by_key_and_its_lines_show_their_moment(starter: Player) -> None:
    starter.drag("auer", (starter.at("auer")[0], starter.at("auer")[1] - 2.0))
    starter.key(pygame.K_RETURN)
    starter.controller.select("auer")
    starter.key(pygame.K_i)
    panel_page = starter.window.panel_page
    assert panel_page is not None and panel_page.title == "Auer so far"
    number = int(panel_page.html.partition("log:")[2].partition("'")[0])
    assert starter.controller.state.record.lines[number].about("auer")
    starter.window.pressed(f"log:{number}")
    assert starter.controller.state.chosen.looked_at is starter.controller.state.record.lines[number]


# --- cards -----------------------------------------------------------------------------------------------------------


def test_the_card_counts_what_is_left_of_what_there_was(starter: Player) -> None:
    unit = starter.controller.model.battle.unit("auer")
    assert unit_card.strength(starter.controller.state, unit) == "●●●● <b>4</b> bases"
    fewer = replace(unit, bases=unit.bases[:2], front_bases=(0, 1))
    assert unit_card.strength(starter.controller.state, fewer) == "●●○○ <b>2</b> of 4 bases"


def test_the_card_counts_what_was_lost_before_the_battle() -> None:
    opening = open_battle("waterloo-evening")
    model = cast(GameModel, SimpleNamespace(record=SimpleNamespace(header=SimpleNamespace(opening=opening))))
    assert unit_card.strength(model, opening.unit("13e-leger")) == "●●●○○ <b>3</b> of 5 bases"


def test_the_card_says_whether_a_unit_is_in_command(starter: Player) -> None:
    starter.pick("auer")
    starter.wait(2)
    card = unit_card.card(starter.controller.state)
    assert "Under Brandis" in card and "in command" in card and "may act now" in card


def test_how_far_the_general_is_is_told_unless_he_is_with_it(starter: Player) -> None:
    starter.pick("auer")
    starter.wait(3)
    assert re.search(r"in command</b></font>, Brandis [1-9]\.\d in away", unit_card.card(starter.controller.state))
    general, (x, y) = starter.controller.model.battle.unit("brandis"), starter.at("auer")
    starter.controller.put_down(general.moved(x - general.at[0], y - general.at[1]))
    starter.controller.select(None)
    starter.controller.select("auer")
    starter.wait(3)
    card = unit_card.card(starter.controller.state)
    assert "Brandis is with it" in card and "in command" in card and " away" not in card


def test_another_unit_under_the_cursor_has_a_card_of_its_own(starter: Player) -> None:
    starter.pick("auer")
    starter.wait(2)
    starter.move(starter.pixel(starter.at("bertin")))
    starter.wait(2)
    assert "Auer" in unit_card.card(starter.controller.state)
    lines = unit_card.glimpse(starter.controller.state, starter.controller.model.battle.unit("bertin"))
    assert lines[0] == "Bertin" and lines[-1] in {how.format("Auer") for how in unit_card.STANDS.values()}


def test_ground_worth_holding_is_told_and_ringed(starter: Player) -> None:
    """With nothing selected the card names it with its points and its holder; the table and the legend show it."""
    starter.controller.select(None)
    card = unit_card.card(starter.controller.state)
    for objective in starter.controller.model.battle.setup.objectives:
        assert f"{objective.name} <b>{objective.points:g}</b> (" in card
    layers = Tokens().drawing(starter.controller.state, starter.controller.game.stage, starter.window.camera).layers
    rings = next(layer.items for layer in layers if layer.name == "objectives")
    assert len(rings) == len(starter.controller.model.battle.setup.objectives) == 3
    assert any("Ground worth holding" in entry.words for entry in meanings(starter.controller.state))


# --- tape and sight line ---------------------------------------------------------------------------------------------


def lay(player: Player, key: int, start: Point, end: Point) -> None:
    player.key(key)
    player.click(player.pixel(start))
    player.click(player.pixel(end))
    player.wait(2)


@pytest.mark.parametrize("key", [pygame.K_t, pygame.K_l])
def test_tape_and_sight_line_while_a_question_is_open(key: int) -> None:
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        assert player.controller.model.battle.pending
        lay(player, key, player.at("arnaud"), player.at("carrel"))
        assert player.controller.model.stretch is not None and player.controller.model.stretch.laid
        assert player.controller.model.verdict("stretch") is not None
        assert player.controller.model.battle.pending


def test_a_tape_stays_laid_while_the_computer_acts() -> None:
    with playing(session(STARTER, ("greedy", "greedy"), 1)) as player:
        player.window.pace("at once")
        lay(player, pygame.K_t, player.at("arnaud"), player.at("carrel"))
        before = len(player.controller.game.session.steps)
        player.wait(12)
        assert len(player.controller.game.session.steps) > before
        assert player.controller.model.stretch is not None
        verdict = player.controller.model.verdict("stretch")
        assert verdict is not None and verdict.args == ("arnaud", "carrel")


# --- the game app ----------------------------------------------------------------------------------------------------


def test_the_app_is_offered_where_the_rules_have_one(
    starter: Player, drill: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "app:" in starter.words
    monkeypatch.setattr(game_app_page, "machine_of", lambda rules: None)
    drill.key(pygame.K_g)
    assert drill.window.panel_page is None
    assert not drill.window.app.there


def test_the_app_of_another_rule_set_is_filled_in(drill: Player) -> None:
    """ROC-ART-03: the shot of a battery, as its battle has it."""
    battle = drill.controller.model.battle
    guns = next(unit for unit in battle.side("french") if "artillery" in unit.troop)
    foe = next(unit for unit in battle.enemies(guns) if not unit.is_general)
    panel_page = game_app_page.panel_page(battle, game_app_page.Asked("bombard", guns.id, foe.id))
    assert panel_page is not None and panel_page.title == "Game app: Bombard (artillery fire)"
    assert "mm from its front" in panel_page.html and "ROC-ART-03" in panel_page.html


def test_the_form_is_filled_in_as_the_battle_fills_it_in(starter: Player) -> None:
    """TSE-APP-03, TSE-APP-10: beside the battle and in it, one form and one distribution."""
    starter.pick("auer")
    starter.drag("auer", (starter.at("auer")[0], starter.at("auer")[1] - 2.0))
    odds = starter.controller.state.chosen.proposal.odds if starter.controller.state.chosen.proposal else None
    starter.key(pygame.K_g)
    machine = game_app_page.machine_of("tse")
    assert odds is not None and machine is not None and starter.window.app.filled is not None
    asked = starter.window.app.filled[0]
    assert asked.what == "maneuver"
    form = {
        name: one.value for name, one in game_app_page.filled(starter.controller.model.battle, machine, asked).items()
    }
    by_app = sorted(round(share, 9) for share, _ in machine.odds(machine.result, asked.what, form))
    assert by_app == sorted(round(share, 9) for share, _ in odds.results)


def test_the_app_is_aimed_at_the_enemy_last_pointed_at_and_goes_on_by_hand(starter: Player) -> None:
    starter.pick("auer")
    starter.move(starter.pixel(starter.at("bertin")))
    starter.wait()
    starter.press("app:")
    starter.press("appask:assault")
    assert starter.window.panel_page is not None and starter.window.panel_page.title == "Game app: Assault"
    assert "<b>Auer</b> at <b>Bertin</b>" in starter.window.panel_page.html
    assert "Brandis is" in starter.window.panel_page.html and "TSE-ORD-03" in starter.window.panel_page.html
    starter.press("byhand:")
    going = starter.window.going
    assert isinstance(going, Go)
    screen = rooms.room(going.to)(Look(Settings()))
    assert isinstance(screen, GameApp)
    assert screen.pad.form["actor"] == "average infantry" and screen.pad.sources["target"] == "Bertin"


def test_the_page_answers_as_the_command_does() -> None:
    """TSE-APP-02: the same form and the same seed, the same answer, whoever asks."""
    machine = find("tse").calculator
    assert machine is not None
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 720))
    screen = GameApp(Look(Settings()), Pad(machine()))
    screen.frame([], 0.1)
    for word in (
        "action:assault", "last:actor:infantry", "put:actor:elite infantry", "last:target:light-cavalry",
        "put:target:poor light-cavalry", "put:target_formation:deployed", "put:cover:soft", "put:general_near:Yes",
    ):  # fmt: skip
        press(screen, word)
    screen.lines["seed"].text = "5"
    screen.frame([pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r")], 0.1)
    found = screen.pad.results[0]
    given = [f"{name}={'yes' if v is True else 'no' if v is False else v}" for name, v in found.form.items()]
    run = CliRunner().invoke(app, ["calculator", "assault", *given, "--seed", "5", "--json"])
    told = json.loads(run.stdout)
    assert (told["text"], told["form"]) == (found.answer.text, dict(found.form))
    assert {key: told[key] for key in found.answer.data} == json.loads(json.dumps(found.answer.data))


def press(screen: GameApp, word: str) -> None:
    """Click what sends a word, as a player does."""
    screen.turn_to(word)
    place = screen.words[word].center
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        screen.frame([pygame.event.Event(kind, pos=place, button=1)], 0.1)


def test_the_calculator_of_each_rule_set_is_offered_its_labels_whole() -> None:
    """From the start screen the page turns to that of another rule set, its form empty; from a battle it does not."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((1280, 720))
    page = calculator()(Look(Settings()))
    assert isinstance(page, GameApp)
    page.frame([], 0.1)
    press(page, "rules:sail")
    assert page.title == "The game app: Age of Sail" and page.pad.form == {"aim": "hull", "from": "side"}
    press(page, "put:decks:two")
    assert page.pad.form["decks"] == "two"
    assert {find(name).title for name in page.offered} == set(page.offered.values()) and len(page.offered) >= 7
    assert not GameApp(Look(Settings()), page.pad).offered
    for make in (find(name).calculator for name in page.offered):
        assert make is not None
        machine = make()
        for action in machine.actions:
            choices = [one for one in machine.fields(machine.result, action) if set(one.values) - {True, False}]
            assert [one.label for one in choices if width(one.label, 15, "bold") > LABEL - 8] == []


def test_a_void_result_counts_for_nothing_and_the_form_stays() -> None:
    """TSE-APP-04: a result of wrong fields is thrown away and drawn again."""
    machine = find("tse").calculator
    assert machine is not None
    pad = Pad(machine(), action="march")
    assert pad.press() is None and "Actor" in pad.trouble
    pad.put("actor", "elite infantry")
    assert pad.press(7) is not None
    pad.void()
    assert pad.results[0].void and pad.form["actor"] == "elite infantry"
    again = pad.press(7)
    assert again is not None and not again.void and pad.results[1].void


def test_follow_up_questions_come_with_the_fields_that_call_for_them() -> None:
    """TSE-APP-05: cavalry charged by cavalry may countercharge; nobody else is asked."""
    machine = find("tse").calculator
    assert machine is not None
    pad = Pad(machine(), action="assault")
    pad.put("actor", "elite light-cavalry")
    pad.put("target", "poor infantry")
    assert "countercharge" not in {one.name for one in pad.fields}
    pad.put("target", "poor heavy-cavalry")
    assert "countercharge" in {one.name for one in pad.fields}


def test_a_badge_goes_to_a_corner_of_its_unit_where_it_hides_no_name(starter: Player) -> None:
    starter.wait(2)
    camera = starter.window.camera

    def badges(*written: Layer) -> list[Text]:
        controller = starter.controller
        layers = {
            layer.name: layer
            for layer in Tokens().drawing(controller.state, controller.game.stage, camera, written).layers
        }
        return [item for item in layers["badges"].items if isinstance(item, Text)]

    usual = badges()
    name = Layer("names", (Text(usual[0].at, "Lambert", 14.0, "#000000"),))
    moved = badges(name)
    assert len(usual) > 1 and moved[0].at != usual[0].at and len(moved) == len(usual)
    west, south, east, north = text_box(Text(usual[0].at, "Lambert", 14.0, "#000000"), camera.drawn)
    x, y = moved[0].at
    assert not (west < x < east and south < y < north)
