"""The coach's line where an order is confirmed, by real clicks."""

import pytest

from tabletop.play.coach import WASTE, WORDS
from tabletop.render.battle import words
from tests.render.battle.driver import Player


@pytest.mark.parametrize("on", [True, False])
def test_a_wasted_shot_is_warned_of_once_and_done_all_the_same(starter: Player, on: bool) -> None:
    starter.desk.proposals.coach.on = on
    starter.pick("auer")
    starter.pick("arnaud")
    proposal = starter.desk.state.chosen.proposal
    assert proposal is not None and proposal.action.kind == "advancing-fire"
    said = words.text(starter.desk.state)
    assert said.startswith("<b>Coach: This is certain to gain nothing: out of range") is on
    assert ("TSE-FIR-09</font><br>" in said) is on
    assert proposal.warning is None or len(proposal.warning.text.split()) <= WORDS
    before = len(starter.desk.game.session.steps)
    starter.press("confirm:")
    assert len(starter.desk.game.session.steps) == before + 1
    assert not starter.desk.proposals.coach.used[proposal.action.side, WASTE]


def test_a_shot_that_may_tell_is_counted_when_it_is_done(drill: Player) -> None:
    drill.pick("french-guns")
    drill.pick("horse-guns")
    proposal = drill.desk.state.chosen.proposal
    assert proposal is not None and proposal.warning is None
    coach, side = drill.desk.proposals.coach, proposal.action.side
    assert coach.used[side, WASTE] == 0
    drill.press("confirm:")
    assert coach.used[side, WASTE] == 1
