"""Units shaped by hand: bent lines, ranks, fixed base, facing, ways; the same actions as typed at the prompt."""

import math
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from tabletop.battle.action import Action
from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, bearing, heading
from tabletop.play.players import player_kind
from tabletop.play.session import Session
from tabletop.play.typed.reading import read_action
from tabletop.render.battle import choices, handles, shape
from tabletop.render.battle.offers import offers
from tabletop.render.battle.phrases import phrase
from tests.render.battle.driver import Player, playing, session

pytestmark = pytest.mark.usefixtures("unadvised")


def shown(player: Player, word: str) -> str:
    return next(row.note for row in choices.rows(player.controller.state) if row.word == word)


def zoom_to(player: Player, name: str) -> None:
    """Bring a unit close, so that its bases can be told apart by the hand."""
    player.window.camera = replace(player.window.camera, scale=60.0)
    x, y = player.at(name)
    camera = player.window.camera
    player.window.camera = replace(
        camera, left=x - camera.width / 2 / camera.scale, top=y + camera.height / 2 / camera.scale
    )
    player.wait()


def pull(player: Player, start: Point, end: Point) -> None:
    player.move(player.pixel(start))
    player.down(player.pixel(start))
    player.move(player.pixel(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)))
    player.move(player.pixel(end))
    player.wait(2)
    player.up(player.pixel(end))
    player.wait()


def test_a_line_bent_by_its_handle_is_the_action_typed(starter: Player) -> None:
    """TSE-ACT-10, TSE-FRM-11."""
    zoom_to(starter, "zichy")
    starter.pick("zichy")
    starter.press("kind:deploy")
    starter.wait(2)
    ghost = starter.controller.model.ghost
    assert ghost is not None and len(shape.grips(starter.controller.state)) == ghost.strength - 1
    last = ghost.bases[-1]
    assert isinstance(last, Base)
    east, north = heading(last.facing + 120.0)
    pull(starter, last.centre, (last.x + 0.4 * east, last.y + 0.4 * north))
    bent = starter.controller.state.chosen.shape["bend"]
    assert bent[ghost.reference] == 0.0 and bent[-1] > 0.0 and bent[-1] % 5 == 0
    starter.key(pygame.K_RETURN)
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None, starter.controller.state.chosen.refused
    facing = proposal.action.options["facing"]
    line = f"deploy zichy facing {facing} shift 0,0 bend {','.join(f'{b:g}' for b in bent)}"
    assert read_action(starter.controller.model.battle, "austrian", line) == proposal.action
    starter.key(pygame.K_RETURN)
    assert starter.controller.game.session.steps[-1].action == proposal.action


def test_wings_bend_by_keys_and_another_base_may_stay(bras: Player) -> None:
    bras.pick("jamin")
    bras.press("kind:deploy")
    bras.press("set:ref")
    bras.press("set:ref")
    assert shown(bras, "set:ref") == "3 of 6"
    bras.key(pygame.K_RIGHTBRACKET)
    bras.key(pygame.K_LEFTBRACKET, pygame.KMOD_SHIFT)
    assert bras.controller.state.chosen.shape["bend"] == (-5.0, -5.0, 0.0, 5.0, 5.0, 5.0)
    assert shown(bras, "set:bend") == "left back 5°, right back 5°"
    bras.press("set:ref")
    assert bras.controller.state.chosen.shape["bend"] == (-10.0, -10.0, -5.0, 0.0, 0.0, 0.0)
    assert bras.controller.state.chosen.shape["ref"] == 3


def test_a_line_extends_to_either_side_of_its_fixed_base(bras: Player) -> None:
    """TSE-FRM-14: the base that stays takes any place in the line; a bent line keeps its shape."""
    bras.pick("jamin")
    bras.press("kind:deploy")
    bras.wait(2)
    assert shown(bras, "set:place") == "0 left, 5 right"
    bras.press("set:ref")
    assert shown(bras, "set:place") == "1 left, 4 right"
    bras.press("set:place")
    bras.wait(2)
    ghost, unit = bras.controller.model.ghost, bras.controller.model.battle.unit("jamin")
    assert ghost is not None and ghost.bases[2].centre == pytest.approx(unit.bases[1].centre)
    assert bras.controller.state.chosen.shape == {"ref": 1, "place": 2}
    bras.key(pygame.K_RIGHTBRACKET)
    assert bras.controller.state.chosen.shape["bend"] == (0.0, 0.0, 0.0, 5.0, 5.0, 5.0)
    bras.press("set:place")
    assert bras.controller.state.chosen.shape["bend"] == (-5.0, -5.0, -5.0, 0.0, 0.0, 0.0)
    bras.press("set:ref")
    assert (bras.controller.state.chosen.shape["ref"], bras.controller.state.chosen.shape["place"]) == (2, 3)
    assert bras.controller.state.chosen.shape["bend"] == (-5.0, -5.0, -5.0, 0.0, 0.0, 0.0)
    assert bras.controller.model.drag is not None
    action = shape.action_of(bras.controller.state, bras.controller.model.drag)
    line = f"deploy jamin facing {action.options['facing']} ref 2 place 3 shift 0,0 bend -5,-5,-5,0,0,0"
    assert read_action(bras.controller.model.battle, "french", line) == action


def test_a_line_bent_too_far_is_refused_by_the_judge(bras: Player) -> None:
    """TSE-FRM-11."""
    bras.pick("jamin")
    bras.press("kind:deploy")
    for _ in range(11):
        bras.key(pygame.K_RIGHTBRACKET)
    bras.wait(2)
    verdict = bras.controller.model.verdict("move")
    assert verdict is not None and "TSE-FRM-11" in {r.rule for r in verdict.because if not r.holds}


def test_the_knob_turns_a_line(bras: Player) -> None:
    zoom_to(bras, "jamin")
    bras.pick("jamin")
    bras.press("kind:deploy")
    bras.wait(2)
    knob, ghost = (
        shape.knob(bras.controller.state, handles.KNOB / bras.window.camera.drawn),
        bras.controller.model.ghost,
    )
    assert knob is not None and ghost is not None
    x, y = ghost.bases[ghost.reference].centre
    far, off = math.dist((x, y), knob), bearing(knob[0] - x, knob[1] - y)
    east, north = heading(off + 45.0)
    pull(bras, knob, (x + far * east, y + far * north))
    assert bras.controller.model.drag is not None and bras.controller.model.drag.facing == 45.0


def test_a_line_in_hand_does_not_run_after_the_cursor(bras: Player) -> None:
    """TSE-FRM-13: the reference base moves an inch at most."""
    zoom_to(bras, "jamin")
    bras.pick("jamin")
    bras.press("kind:deploy")
    x, y = bras.at("jamin")
    bras.move(bras.pixel((x + 3.0, y)))
    bras.wait(2)
    assert bras.controller.model.drag is not None and bras.controller.model.drag.cursor == bras.at("jamin")
    pull(bras, (x, y), (x + 0.5, y))
    dx, dy = shape.action_of(bras.controller.state, bras.controller.model.drag).options["shift"]
    assert dx == pytest.approx(0.5, abs=0.03) and dy == pytest.approx(0.0, abs=0.03)


def test_a_column_takes_the_ranks_chosen(bras: Player) -> None:
    """TSE-FRM-20: six bases two or three wide, or in ranks of other sizes."""
    bras.pick("jamin")
    bras.press("kind:maneuver")
    assert shown(bras, "set:ranks") == "2 wide, 3 deep"
    bras.key(pygame.K_RIGHTBRACKET)
    assert shown(bras, "set:ranks") == "2 wide, 4 deep (2+2+1+1)"
    for _ in range(5):
        bras.key(pygame.K_RIGHTBRACKET)
    assert shown(bras, "set:ranks") == "2 wide, 3 deep"
    bras.key(pygame.K_LEFTBRACKET)
    assert shown(bras, "set:ranks") == "3 wide, 2 deep"
    x, y = bras.at("jamin")
    bras.move(bras.pixel((x, y)))
    bras.down(bras.pixel((x, y)))
    bras.move(bras.pixel((x, y + 1.0)))
    bras.wait(2)
    assert bras.controller.model.ghost is not None and bras.controller.model.ghost.front == 3
    assert bras.controller.model.drag is not None
    action = shape.action_of(bras.controller.state, bras.controller.model.drag)
    assert (action.kind, action.options["ranks"]) == ("maneuver", (3, 3))
    bras.key(pygame.K_ESCAPE)


def test_a_column_wheels_on_the_corner_chosen(bras: Player) -> None:
    """TSE-MOV-03: at every waypoint, as typed with @left; nothing is said of the middle of the front."""
    bras.pick("jamin")
    bras.press("kind:maneuver")
    assert shown(bras, "set:pivots") == "the middle of its front"
    bras.press("set:pivots")
    assert shown(bras, "set:pivots") == "its left corner"
    x, y = bras.at("jamin")
    bras.move(bras.pixel((x, y)))
    bras.down(bras.pixel((x, y)))
    bras.move(bras.pixel((x, y + 1.0)))
    assert bras.controller.model.drag is not None
    options = shape.action_of(bras.controller.state, bras.controller.model.drag).options
    assert options["pivots"] == ("left",) * len(options["path"])
    bras.press("set:pivots")
    bras.press("set:pivots")
    assert "pivots" not in shape.action_of(bras.controller.state, bras.controller.model.drag).options
    bras.key(pygame.K_ESCAPE)


@pytest.mark.usefixtures("advised")
def test_other_ranks_and_wheels_are_offered_in_words_and_done_by_a_click(starter: Player) -> None:
    """TSE-FRM-20, TSE-MOV-03: rows of one kind are told apart by what shapes them."""
    starter.pick("auer")
    starter.press("kind:maneuver")
    starter.wait(2)
    rows = [row for row in choices.rows(starter.controller.state) if row.word.startswith("offer:")]
    assert any("ranks 2+1+1" in row.label for row in rows)
    wheel = next(row for row in rows if "wheels on its" in row.label)
    offered = offers(starter.controller.state)[int(wheel.word.removeprefix("offer:"))]
    starter.press(wheel.word)
    assert (
        starter.controller.state.chosen.proposal is not None
        and starter.controller.state.chosen.proposal.action == offered
    )
    starter.key(pygame.K_RETURN)
    assert starter.controller.game.session.steps[-1].action == offered


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ranks": (2, 1, 1)}, "Maneuver, ranks 2+1+1"),
        ({"pivots": ("middle", "left")}, "Maneuver, wheels on its left"),
        ({"pivots": ("middle",)}, "Maneuver"),
        ({"ref": 1, "place": 3}, "Maneuver, 3 left, 0 right"),
        ({"ref": 1, "bend": (10.0, 0.0, 0.0, 20.0)}, "Maneuver, left forward 10°, right back 20°"),
        ({"facing": 90.0, "bend": (0.0, 0.0)}, "Maneuver, facing E"),
        ({"formation": "march-column"}, "Maneuver, march column"),
    ],
)
def test_an_action_s_shape_in_words(starter: Player, options: dict[str, object], told: str) -> None:
    assert phrase(starter.controller.model.battle, Action("maneuver", "austrian", "auer", options=options)) == told


def test_a_march_has_its_head_chosen_and_follows_the_road(bras: Player) -> None:
    """TSE-ACT-70, TSE-FRM-25."""
    bras.pick("foy-guns")
    bras.press("kind:march")
    bras.press("way:")
    bras.press("way:")
    assert shown(bras, "way:") == "along the road"
    x, y = bras.at("foy-guns")
    start, end = bras.pixel((x, y)), bras.pixel((x, y - 4.0))
    bras.move(start)
    bras.down(start)
    bras.move(end)
    bras.wait(2)
    assert bras.controller.model.drag is not None
    path = shape.action_of(bras.controller.state, bras.controller.model.drag).options["path"]
    assert len(path) > 1
    bras.up(end)


def test_the_right_button_sets_a_waypoint_while_dragging(bras: Player) -> None:
    bras.pick("jamin")
    x, y = bras.at("jamin")
    bras.move(bras.pixel((x, y)))
    bras.down(bras.pixel((x, y)))
    bras.move(bras.pixel((x, y - 1.0)))
    bras.down(bras.pixel((x, y - 1.0)), button=3)
    bras.up(bras.pixel((x, y - 1.0)), button=3)
    bras.move(bras.pixel((x + 1.0, y - 1.0)))
    assert bras.controller.model.drag is not None and len(bras.controller.model.drag.waypoints) == 1
    bras.key(pygame.K_ESCAPE)


def shaken(tmp_path: Path) -> Session:
    """The starter with Zichy disordered."""
    played = session("tse/starter", ("human", "human"), 1)
    opening = played.header.opening
    unit = replace(opening.unit("zichy"), status="disordered")
    return Session.start(opening.with_unit(unit), 1, played.header.players, tmp_path / "game.jsonl")


def test_a_unit_regroups_into_any_formation_and_facing(tmp_path: Path) -> None:
    """TSE-REG-03."""
    with playing(shaken(tmp_path)) as player:
        player.press("answer:first")
        player.press("group:brandis")
        player.pick("zichy")
        player.press("kind:regroup")
        assert shape.on_the_spot(player.controller.state) and player.controller.model.ghost is not None
        while shown(player, "set:formation") != "march column":
            player.press("set:formation")
        player.press("set:head")
        player.key(pygame.K_e)
        player.wait(2)
        player.key(pygame.K_RETURN)
        proposal = player.controller.state.chosen.proposal
        assert proposal is not None, player.controller.state.chosen.refused
        facing = proposal.action.options["facing"]
        line = f"regroup zichy in march facing {facing} head 1"
        assert read_action(player.controller.model.battle, "austrian", line) == proposal.action


def test_a_plain_regroup_says_nothing_of_its_shape(tmp_path: Path) -> None:
    """TSE-REG-03: as it is unless said."""
    with playing(shaken(tmp_path)) as player:
        player.press("answer:first")
        player.press("group:brandis")
        player.pick("zichy")
        player.press("kind:regroup")
        player.wait(2)
        player.key(pygame.K_RETURN)
        assert player.controller.state.chosen.proposal is not None
        assert player.controller.state.chosen.proposal.action == Action("regroup", "austrian", "zichy")


# --- Realm of Chance -------------------------------------------------------------------------------------------------


@pytest.fixture
def moving(drill: Player) -> Player:
    """The drill ground's second phase, in which units move."""
    drill.press("end:0")
    return drill


def own(player: Player, kind: str) -> str:
    """Return a unit that may do a kind of action now."""
    found = [
        u.id for u in player.controller.model.battle.side(str(player.controller.state.facts.mover)) if not u.is_general
    ]
    return next(u for u in found if any(c.kind == kind and c.open for c in player.controller.state.facts.menu(u)))


def test_a_formation_is_chosen_and_shown_where_it_would_stand(moving: Player) -> None:
    """ROC-FRM-01, ROC-FRM-03."""
    name = own(moving, "form")
    moving.pick(name)
    moving.press("kind:form")
    moving.wait(2)
    before = moving.controller.model.ghost
    assert before is not None and before.formation != moving.controller.model.battle.unit(name).formation
    moving.key(pygame.K_RIGHTBRACKET)
    moving.wait(2)
    moving.key(pygame.K_LEFTBRACKET)
    moving.wait(2)
    moving.key(pygame.K_RETURN)
    done = moving.controller.game.session.steps[-1].action
    assert done == Action("form", done.side, name, options={"formation": before.formation}) if done else False


def test_a_withdrawal_is_drawn_straight_back(moving: Player) -> None:
    """ROC-MOV-06."""
    name = own(moving, "withdraw")
    unit = moving.controller.model.battle.unit(name)
    (x, y), (east, north) = unit.at, unit.forward
    moving.pick(name)
    moving.press("kind:withdraw")
    moving.drag(name, (x - 20.0 * east + 3.0 * north, y - 20.0 * north))
    action = moving.controller.game.session.steps[-1].action
    assert action is not None and action.kind == "withdraw"
    assert action.options["distance"] == pytest.approx(20.0, abs=3.0)


def test_who_joins_in_a_fight_is_clicked_first() -> None:
    """ROC-CBT-01: who can fight nobody else must join in."""
    played = session("realm-of-chance/drill-ground", ("human", "human"), 1)
    while played.battle.clock.phase != "combat":
        played.do(greedy(played))
    with playing(played) as player:
        square = player.pixel(played.battle.unit("russian-1").bases[0].centre)
        player.pick("cuirassiers")
        player.click(square)
        assert player.controller.state.chosen.proposal is None and player.controller.state.chosen.refused is not None
        player.pick("cuirassiers")
        player.press("kind:combat")
        player.pick("french-2")
        assert shown(player, "set:with") == player.controller.model.battle.called("french-2")
        player.click(square)
        proposal = player.controller.state.chosen.proposal
        assert proposal is not None, player.controller.state.chosen.refused
        assert proposal.action.options == {"with": ("french-2",)}
        player.key(pygame.K_RETURN)
        assert played.steps[-1].action == proposal.action


def greedy(played: Session) -> Action:
    """Return what the computer would do."""
    make = player_kind("greedy").make
    assert make is not None and not played.battle.pending
    return make(len(played.steps)).choose(played.battle).action
