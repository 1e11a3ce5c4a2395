"""What the hand does in a battle being played: choosing, dragging, aiming, taking back; and hands that know nothing."""

import random
from pathlib import Path

import pygame
import pytest
from pygame_gui.elements import UITextBox

from tabletop.battle.action import Action
from tabletop.errors import Illegal
from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.saves import save
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render.battle import choices, words
from tabletop.render.battle.window import GameWindow
from tabletop.render.events import log_lines
from tabletop.render.events.log_lines import Line
from tabletop.render.widgets import styles
from tests.render.battle.driver import DRILL, SIZE, STARTER, Player, playing, session


def ahead(player: Player, name: str, far: float) -> tuple[float, float]:
    """Return a point so far in front of a unit's middle."""
    (x, y), (east, north) = player.at(name), player.controller.model.battle.unit(name).forward
    return x + far * east, y + far * north


def labels(player: Player) -> list[str]:
    return [row.label for row in choices.rows(player.controller.state)]


def fought_out(scenario: str) -> Session:
    """Return a battle that a player who moves at random has fought to its end for both sides."""
    battle = session(scenario, ("greedy", "greedy"), 3)
    mover = RandomMover(3)
    while battle.mover is not None:
        battle.do(mover.choose(battle.battle).action)
    return battle


# --- choosing --------------------------------------------------------------------------------------------------------


def test_a_question_comes_up_and_its_button_answers_it() -> None:
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        assert player.window.panel.asked_rect is not None
        assert choices.rows(player.controller.state) == ()
        player.press("answer:first")
        assert player.window.panel.asked_rect is None
        assert player.controller.game.session.steps[-1].action == Action(
            "answer", "austrian", options={"choice": "first"}
        )


def test_a_group_is_chosen_by_one_of_its_units_and_enter() -> None:
    with playing(session(STARTER, ("human", "human"), 1)) as player:
        player.press("answer:first")
        player.pick("lindt")
        assert "Let Kessler act  (Enter)" in labels(player)
        player.key(pygame.K_RETURN)
        assert player.controller.model.battle.clock.group == "kessler"


def test_who_may_act_and_who_has_acted(starter: Player) -> None:
    assert starter.controller.state.facts.ready == {"auer", "brandis", "steiner", "zichy"}
    starter.pick("auer")
    starter.press("kind:hold")
    assert starter.controller.state.facts.acted == {"auer"}
    assert "auer" not in starter.controller.state.facts.ready
    assert starter.controller.model.selected == "brandis", "the next that may act is selected"


def test_every_kind_of_action_is_listed_the_closed_ones_with_reason_and_rule(starter: Player) -> None:
    starter.pick("auer")
    listed = {row.word: row for row in choices.rows(starter.controller.state)}
    assert [word.removeprefix("kind:") for word in listed if word] == [
        *(c.kind for c in starter.controller.state.menu),
        "end:0",
    ]
    closed = listed["kind:regroup"]
    assert not closed.open
    assert "good order" in closed.note and closed.rule == "TSE-REG-01"
    assert "kind:regroup" not in starter.words


def test_the_list_of_a_unit_ends_its_groups_turn_too(starter: Player) -> None:
    """Once the group acts; before it is chosen there is nothing of it to end."""
    starter.pick("auer")
    assert labels(starter)[-1] == "Let the rest hold"
    starter.press("end:0")
    starter.key(pygame.K_RETURN)
    starter.wait()
    assert starter.controller.model.battle.clock.group != "brandis"
    unit = next(iter(starter.controller.state.facts.ready))
    starter.pick(unit)
    assert labels(starter) and "Let the rest hold" not in labels(starter)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_name_of_some_length_stands_in_full_in_the_list(scale: float) -> None:
    size = (round(1280 * scale), round(720 * scale))
    with playing(session("tse/quatre-bras", ("human", "human"), 3), size, scale, measuring=False) as player:
        player.press("answer:first")
        shown = [button.text for button, word in player._buttons if word.startswith("group:")]
        assert any(name.endswith("   Lefebvre-Desnouettes") for name in shown), shown


def test_tab_goes_to_the_next_unit_that_may_act(starter: Player) -> None:
    for _ in range(2):
        starter.key(pygame.K_TAB)
    assert starter.controller.model.selected == "brandis"


# --- the hand --------------------------------------------------------------------------------------------------------


def test_a_drag_is_proposed_with_its_odds_and_done_by_enter(starter: Player) -> None:
    starter.pick("auer")
    starter.drag("auer", ahead(starter, "auer", 2.0))
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.action.kind == "maneuver"
    assert "93.8%" in words.text(starter.controller.state) and "TSE-ORD-01" in words.text(starter.controller.state)
    before = len(starter.controller.game.session.steps)
    starter.key(pygame.K_RETURN)
    assert len(starter.controller.game.session.steps) == before + 1
    assert starter.controller.game.session.steps[-1].action == proposal.action


def test_escape_lays_a_proposal_aside_and_nothing_has_happened(starter: Player) -> None:
    before, at = len(starter.controller.game.session.steps), starter.at("auer")
    starter.drag("auer", ahead(starter, "auer", 2.0))
    starter.key(pygame.K_ESCAPE)
    assert starter.controller.state.chosen.proposal is None and starter.controller.model.drag is None
    assert (len(starter.controller.game.session.steps), starter.at("auer")) == (before, at)


def test_a_move_no_rule_allows_is_refused_with_its_reasons(starter: Player) -> None:
    before = len(starter.controller.game.session.steps)
    starter.drag("auer", ahead(starter, "auer", 12.0))
    assert starter.controller.state.chosen.refused is not None and not starter.controller.state.chosen.refused.holds
    assert "TSE-" in words.text(starter.controller.state)
    assert len(starter.controller.game.session.steps) == before


def test_the_other_sides_units_are_not_taken_in_hand(starter: Player) -> None:
    starter.drag("arnaud", ahead(starter, "arnaud", 2.0))
    assert starter.controller.model.drag is None and starter.controller.state.chosen.proposal is None


def test_a_unit_deploys_as_it_is_turned_by_keys(starter: Player) -> None:
    starter.pick("zichy")
    starter.press("kind:deploy")
    starter.key(pygame.K_e)
    starter.wait(2)
    starter.key(pygame.K_RETURN)
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None
    assert (proposal.action.kind, proposal.action.options["facing"]) == ("deploy", 195.0)


def test_clicking_an_enemy_proposes_the_shot(drill: Player) -> None:
    drill.pick("french-guns")
    drill.pick("horse-guns")
    proposal = drill.controller.state.chosen.proposal
    assert proposal is not None
    assert (proposal.action.kind, proposal.action.target) == ("bombard", "horse-guns")
    assert "the defender is disrupted" in words.text(drill.controller.state)
    drill.press("confirm:")
    assert drill.controller.game.session.steps[-1].action == proposal.action
    assert any("French guns fired at Horse guns" in line.text for line in drill.controller.state.record.lines)


def test_an_enemy_out_of_reach_is_refused_with_the_reason(starter: Player) -> None:
    starter.pick("zichy")
    starter.pick("daumas")
    assert starter.controller.state.chosen.refused is not None and not starter.controller.state.chosen.refused.holds
    assert starter.controller.model.selected == "zichy"


# --- taking back, the log --------------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_die_and_redo_forward_again(starter: Player) -> None:
    before = starter.controller.model.battle
    starter.drag("brandis", ahead(starter, "brandis", 1.0))
    after = starter.controller.model.battle
    assert after != before
    starter.key(pygame.K_z, pygame.KMOD_CTRL)
    assert starter.controller.model.battle == before
    starter.key(pygame.K_y, pygame.KMOD_CTRL)
    assert starter.controller.model.battle == after
    starter.drag("auer", ahead(starter, "auer", 2.0))
    starter.press("confirm:")
    starter.press("undo:")
    assert starter.controller.model.battle.throws > after.throws
    assert "a die once thrown stays thrown" in starter.controller.model.note


def test_what_a_computer_did_without_a_die_is_taken_back_with_ones_own(tmp_path: Path) -> None:
    with playing(session(DRILL, ("human", "greedy"), 3)) as player:
        computers = player.controller.game.computers
        computers.pace = 3
        for _ in range(60):
            if player.controller.state.facts.human_turn and len(player.controller.game.session.steps) > 4:
                break
            player.press(
                "end:0"
            ) if "end:0" in player.words and player.controller.state.facts.human_turn else player.wait()
        player.press("undo:")
        assert player.controller.state.facts.human_turn or "stays" in player.controller.model.note


def test_a_line_of_the_log_shows_where_it_happened(drill: Player) -> None:
    drill.pick("french-guns")
    drill.pick("horse-guns")
    drill.press("confirm:")
    drill.window.pressed(f"log:{len(drill.controller.state.record.lines) - 1}")
    assert drill.controller.state.chosen.looked_at is not None
    assert drill.controller.state.chosen.looked_at.unit in {"french-guns", "horse-guns"}
    drill.wait()


def test_the_rules_of_an_action_are_not_said_to_be_behind_what_no_action_does() -> None:
    """A turn that begins, ground held, a battle that ends: none of it comes of the last order given."""
    battle = fought_out("tse/skirmish")
    lines = log_lines.log(battle.steps, battle.header.opening)
    ended = [line for line in lines if " scored " in line.text or " won" in line.text or "drawn" in line.text]
    assert ended and not any(line.rules for line in ended)
    assert any(line.rules for line in lines)


def test_what_a_turn_begins_with_has_the_colour_of_the_side_whose_turn_it_is() -> None:
    """A side's units rally at the start of its turn (ROC-SEQ-01), though the enemy's last action leads there."""
    battle = fought_out("realm-of-chance/drill-ground")
    lines = log_lines.log(battle.steps, battle.header.opening)
    sides = {unit.id: unit.side for unit in battle.header.opening.units}
    rallied = [line for line in lines if line.unit and "to order" in line.text]
    assert len(rallied) > 3
    assert all(line.side == sides[line.unit] for line in rallied if line.unit)


def test_no_row_of_the_log_begins_with_a_space_or_is_empty() -> None:
    """At some widths the space before the rules, or the break after them, does not fit into the row any more."""
    pygame.font.init()
    pygame.display.set_mode((400, 300))
    manager = styles.manager((400, 300), 1.0)
    texts = ("Tattenbach formed column.", "Red brigade went 4.6 in, now march column.", "Tattenbach formed column.")
    written = words.log([Line(21, 1, text, rules=("AGE-MOV-02",)) for text in texts], {})
    counts = set()
    for width in range(120, 320):
        box = UITextBox(written, pygame.Rect(0, 0, width, 200), manager, object_id="#log")
        assert box.text_box_layout is not None
        rows = ["".join(getattr(piece, "text", "") for piece in row.items) for row in box.text_box_layout.layout_rows]
        assert not any(row.startswith(" ") or not row for row in rows), f"{width} pixels: {rows}"
        counts.add(len(rows))
        box.kill()
    assert len(counts) > 1


def test_a_game_is_saved_by_the_key(starter: Player, tmp_path: Path) -> None:
    starter.controller.game.session.save_as(tmp_path / "game.jsonl")
    (tmp_path / "game.jsonl").unlink()
    starter.key(pygame.K_s, pygame.KMOD_CTRL)
    assert (tmp_path / "game.jsonl").exists()


# --- trouble ---------------------------------------------------------------------------------------------------------


class Slips:
    """A player who fails at his first thought."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, battle: object) -> object:
        raise RuntimeError("lost the thread")


def test_a_computer_that_fails_waits_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.play.players import PLAYERS, PlayerKind

    monkeypatch.setitem(PLAYERS, "greedy", PlayerKind("greedy", "fails", Slips))  # type: ignore[arg-type]
    with playing(session(DRILL, ("greedy", "human"), 3)) as player:
        player.wait(12)
        assert player.controller.game.computers.paused
        assert "lost the thread" in player.controller.model.note
        assert len(player.controller.game.session.steps) == 1


def test_an_action_the_engine_refuses_changes_nothing(drill: Player) -> None:
    before = drill.controller.model.battle
    drill.controller.game.do(Action("bombard", "prussian", "horse-guns", "french-guns"))
    assert drill.controller.model.battle == before and drill.controller.state.chosen.refused is not None
    with pytest.raises(Illegal):
        drill.controller.game.session.do(Action("bombard", "prussian", "horse-guns", "french-guns"))


@pytest.mark.parametrize("size, scale", [((1280, 720), 1.0), ((1920, 1080), 1.0), ((3840, 2160), 2.0)])
def test_nothing_overlaps_at_any_size(size: tuple[int, int], scale: float) -> None:
    with playing(session(STARTER, ("human", "greedy"), 1), size, scale) as player:
        player.wait(3)
        board = player.window.panel
        assert not board.table_rect.colliderect(board.bar_rect)
        assert not board.table_rect.colliderect(board.log_rect)
        assert board.table_rect.right <= board.layout.panel.left
        places = [b.get_abs_rect() for b, _ in player._buttons]
        boxes = [box.get_abs_rect() for box in board._boxes.values()]
        for number, place in enumerate(places):
            assert player.window.surface.get_rect().contains(place)
            assert place.collidelist(places[number + 1 :]) == -1
            assert not place.colliderect(board.table_rect)
            hidden = boxes if board.asked_rect is None else [b for b in boxes if not b.colliderect(board.asked_rect)]
            assert place.collidelist(hidden) == -1


def test_any_size_of_window_shows_something(starter: Player) -> None:
    starter.pick("auer")
    for size in ((640, 400), (300, 200), (420, 900), (1280, 720)):
        pygame.display.set_mode(size, pygame.RESIZABLE)
        starter.tell(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
        starter.wait(2)
    assert "kind:hold" in starter.words


@pytest.mark.parametrize("size", [(1152, 612), (1024, 600), (800, 480)])
def test_in_a_small_window_what_is_open_is_listed_all_the_same(starter: Player, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    starter.tell(pygame.VIDEORESIZE, size=size, w=size[0], h=size[1])
    starter.controller.select("auer")
    starter.wait(2)
    wanted = {f"kind:{choice.kind}" for choice in starter.controller.state.menu if choice.open}
    shown: set[str] = set()
    for _ in range(6):  # where the list has pages, each of them
        shown |= {word for word in starter.words if word.startswith("kind:")}
        if "more:" in starter.words:
            starter.press("more:")
    assert shown == wanted


def test_closing_in_the_middle_of_a_question_keeps_the_game(tmp_path: Path) -> None:
    kept = tmp_path / "game.jsonl"
    with playing(session(STARTER, ("human", "human"), 1, kept)) as player:
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        assert not player.window.step(0.2)
    again = Session.resume(save.read(kept))
    assert again.battle.pending and again.mover == "austrian"
    with playing(again) as player:
        player.press("answer:second")
        assert player.controller.state.record.lines[-1].n == 1


def test_a_unit_still_to_come_is_called_from_the_list() -> None:
    with playing(session("tse/quatre-bras", ("human", "human"), 1), measuring=False) as player:
        coming = player.controller.model.battle.awaited[0]
        player.controller.call(coming.id)
        player.wait()
        assert player.controller.model.selected is None and player.controller.state.chosen.actor == coming.id
        player.key(pygame.K_ESCAPE)
        assert player.controller.state.chosen.actor is None


# --- hands that know nothing -----------------------------------------------------------------------------------------

KEYS = [
    *range(pygame.K_a, pygame.K_z + 1), *range(pygame.K_0, pygame.K_9 + 1), pygame.K_RETURN, pygame.K_ESCAPE,
    pygame.K_TAB, pygame.K_SPACE, pygame.K_HOME, pygame.K_PLUS, pygame.K_MINUS, pygame.K_LEFT, pygame.K_F1,
]  # fmt: skip
#: Events between two frames.
BURST = 6


def random_event(chance: random.Random, window: GameWindow) -> pygame.event.Event:
    """Return one event of somebody who only hits things; buttons of the list more often than chance would."""
    pixel = (chance.randrange(SIZE[0]), chance.randrange(SIZE[1]))
    places = [button.get_abs_rect() for button in window.panel._buttons]
    buttons = [(int(place.centerx), int(place.centery)) for place in places]
    pixel = chance.choice(buttons) if buttons and chance.random() < 0.5 else pixel
    button = chance.choice([1, 1, 1, 1, 3])
    kind = chance.choices(("move", "down", "up", "wheel", "key"), (4, 5, 5, 1, 3))[0]
    if kind == "key":
        mod = chance.choice([0, 0, 0, pygame.KMOD_SHIFT, pygame.KMOD_CTRL])
        key = chance.choice([k for k in KEYS if not (mod & pygame.KMOD_CTRL and k == pygame.K_s)])
        return pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
    if kind == "wheel":
        return pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=chance.choice([-1, 1]), flipped=False)
    if kind == "move":
        return pygame.event.Event(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0))
    return pygame.event.Event(
        pygame.MOUSEBUTTONDOWN if kind == "down" else pygame.MOUSEBUTTONUP, pos=pixel, button=button
    )


def hit_about(played: Session, events: int, seed: int) -> int:
    """Hit about in a battle's window and return how far it got, in steps; the engine made every one."""
    chance = random.Random(seed)
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE, pygame.RESIZABLE)
    battle = played.battle
    window = GameWindow(played, InlineJudgeWorker(battle, 2), InlineJudgeWorker(battle, 0), InlinePlayerWorker())
    window.step(0.2)
    most = 0
    try:
        for number in range(events):
            event = random_event(chance, window)
            if event.type == pygame.MOUSEBUTTONDOWN:
                pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=event.pos, rel=(0, 0), buttons=(0, 0, 0)))
            pygame.event.post(event)
            if event.type == pygame.MOUSEBUTTONDOWN and chance.random() < 0.6:
                pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=event.pos, button=event.button))
            if number % BURST == 0:
                assert window.step(0.2)
                assert engine.play_of(window.controller.model.battle).faults(window.controller.model.battle) in ([], ())
                assert window.controller.model.battle is played.battle
                most = max(most, len(played.steps))
    finally:
        window.close()
    return most


@pytest.mark.areas
@pytest.mark.parametrize("scenario, players", [(STARTER, ("human", "human")), (DRILL, ("human", "greedy"))])
def test_random_clicking_and_typing_breaks_nothing(scenario: str, players: tuple[str, str]) -> None:
    assert hit_about(session(scenario, players, 11), 500, 11) > 1


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scenario", [STARTER, DRILL, "tse/skirmish"])
def test_long_random_clicking_and_typing_breaks_nothing(scenario: str, seed: int) -> None:
    players = (("human", "human"), ("human", "greedy"))[seed % 2]
    assert hit_about(session(scenario, players, seed), 8_000, seed) > 1
