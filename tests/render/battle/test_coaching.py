"""The coach's line where an order is confirmed, by real clicks."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tabletop.battle.action import Action
from tabletop.geometry.verdict import Reason, Verdict
from tabletop.play import coach
from tabletop.play.coach import FLANK, WASTE, WORDS
from tabletop.play.saves import autosave, library
from tabletop.render.battle import proposals, words
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings
from tests.render.battle.driver import STARTER, Player, playing, session
from tests.render.battle.test_at_the_table import ahead


@pytest.mark.parametrize("on", [True, False])
def test_a_wasted_shot_is_warned_of_once_and_done_all_the_same(starter: Player, on: bool) -> None:
    starter.controller.proposals.coach.on = on
    starter.pick("auer")
    starter.pick("arnaud")
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.action.kind == "advancing-fire"
    said = words.text(starter.controller.state)
    assert said.startswith("<b>Coach: This is certain to gain nothing: out of range") is on
    assert ("TSE-FIR-09</font><br>" in said) is on
    assert proposal.warning is None or len(proposal.warning.text.split()) <= WORDS
    before = len(starter.controller.game.session.steps)
    starter.press("confirm:")
    assert len(starter.controller.game.session.steps) == before + 1
    assert not starter.controller.proposals.coach.used[proposal.action.side, WASTE]


def test_a_shot_that_may_tell_is_counted_when_it_is_done(drill: Player) -> None:
    drill.pick("french-guns")
    drill.pick("horse-guns")
    proposal = drill.controller.state.chosen.proposal
    assert proposal is not None and proposal.warning is None
    coach, side = drill.controller.proposals.coach, proposal.action.side
    assert coach.used[side, WASTE] == 0
    drill.press("confirm:")
    assert coach.used[side, WASTE] == 1


# --- a flank opened, which a worker finds out ------------------------------------------------------------------------

CHARGE = Reason("TSE-ASL-30", True, "stands in the target's arc")


def _threatened(monkeypatch: pytest.MonkeyPatch, frontal: bool) -> None:
    """Let an enemy be able to assault whatever moves, from the front or in flank."""
    found = Verdict("assault", ("arnaud", "zichy"), "tse", True, {"frontal": frontal}, because=(CHARGE,))
    monkeypatch.setattr(coach, "threat", lambda battle, move: found)


def _drawn_ahead(player: Player) -> None:
    player.pick("zichy")
    player.drag("zichy", ahead(player, "zichy", 2.0))
    player.wait(3)


def test_a_flank_opened_is_warned_of_beside_the_odds(starter: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    _threatened(monkeypatch, frontal=False)
    _drawn_ahead(starter)
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.odds is not None and proposal.warning is not None
    assert proposal.warning.concern == FLANK
    assert words.text(starter.controller.state).startswith("<b>Coach: There Arnaud could assault it in flank or rear.")


def test_a_move_that_opens_no_flank_is_counted_when_it_is_done(
    starter: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _threatened(monkeypatch, frontal=True)
    used = starter.controller.proposals.coach.used
    _drawn_ahead(starter)
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.warning is None and used["austrian", FLANK] == 0
    starter.press("confirm:")
    assert used["austrian", FLANK] == 1


def _certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to chance."""
    monkeypatch.setattr(proposals, "play_of", lambda battle: SimpleNamespace(odds=lambda battle, action: None))


def test_a_move_without_odds_waits_for_the_coach_alone(starter: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    _certain(monkeypatch)
    _threatened(monkeypatch, frontal=True)
    before = len(starter.controller.game.session.steps)
    _drawn_ahead(starter)
    assert len(starter.controller.game.session.steps) == before + 1, "he has nothing to say: it is done"


def test_a_move_without_odds_that_opens_a_flank_is_asked_about(
    starter: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _certain(monkeypatch)
    _threatened(monkeypatch, frontal=False)
    before = len(starter.controller.game.session.steps)
    _drawn_ahead(starter)
    proposal = starter.controller.state.chosen.proposal
    assert len(starter.controller.game.session.steps) == before
    assert proposal is not None and proposal.odds is None and proposal.warning is not None
    starter.press("main:")
    assert len(starter.controller.game.session.steps) == before + 1, "it can be done all the same"


def test_the_window_never_waits_for_the_coach(starter: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker answers: the odds are there at once, and what has none is done after a second."""

    def asked(battle: object, move: object) -> None:
        raise AssertionError("asked in the window's own frame")

    monkeypatch.setattr(coach, "threat", asked)
    starter.pick("zichy")
    move = Action("maneuver", "austrian", "zichy", options={"to": ahead(starter, "zichy", 2.0)})
    starter.controller.judge.quick._batch = 0  # type: ignore[attr-defined]
    starter.controller.proposals.propose(move)
    proposal = starter.controller.state.chosen.proposal
    assert proposal is not None and proposal.odds is not None and proposal.warning is None
    starter.controller.proposals.lay_aside()
    _certain(monkeypatch)
    before = len(starter.controller.game.session.steps)
    starter.controller.proposals.propose(move)
    assert len(starter.controller.game.session.steps) == before
    starter.wait(proposals.PATIENCE + 1)
    assert len(starter.controller.game.session.steps) == before + 1


# --- when he speaks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "others", "on"), [
    ("first", 0, True), ("first", 1, False), ("always", 1, True), ("off", 0, False),
])  # fmt: skip
def test_he_speaks_in_the_first_battle_unless_told_otherwise(
    chosen: str, others: int, on: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several games kept the one on the table is no longer the first."""
    monkeypatch.setattr(autosave, "games_folder", lambda: tmp_path)
    monkeypatch.setattr(library, "games_folder", lambda: tmp_path)
    for number in range(others):
        session(STARTER, ("human", "human"), 1, tmp_path / f"other-{number}.jsonl").close()
    with playing(session(STARTER, ("human", "human"), 1, tmp_path / "this.jsonl")) as player:
        player.window.shown(Look(Settings(coach=chosen)))
        assert player.controller.proposals.coach.on is on
