"""What a player of a battle has chosen, and what each command makes of it: pure values."""

from __future__ import annotations

from dataclasses import fields

from tabletop.battle.action import Action
from tabletop.geometry.verdict import Verdict
from tabletop.render.battle.model import (
    CHEAPEST,
    BattleModel,
    Grab,
    LayAside,
    LookAt,
    Proposal,
    Propose,
    PutAwayRefusal,
    Refuse,
    RefusedMove,
    update,
)  # fmt: skip
from tabletop.render.events.log_lines import Line
from tabletop.rules.play import Odds

SHOT = Action("fire", "blue", "a", "b")
NO = Verdict("fire", ("a", "b"), "tse", False)


def test_the_model_inherits_from_nothing_and_is_small() -> None:
    assert BattleModel.__bases__ == (object,) and len(fields(BattleModel)) <= 20


def test_laying_aside_keeps_who_acts_how_it_goes_and_what_was_refused_last() -> None:
    refused_move = RefusedMove(SHOT, NO, None)
    full = BattleModel(
        "a", "fire", {"ref": 1}, CHEAPEST, Grab("turn", (0.0, 0.0)), NO, refused_move, None, (SHOT,), (SHOT,),
        Line(1, 1, "so"), True, 4,
    )  # fmt: skip
    assert full.refused_move is refused_move
    kept = BattleModel("a", way=CHEAPEST, last_refused=refused_move, suggested=(SHOT,), banner_away=True, handed=4)
    assert update(full, LayAside()) == kept and kept.refused_move is None


def test_a_refusal_is_shown_with_what_may_be_done_instead_until_it_is_put_away() -> None:
    refused = update(BattleModel("a"), Refuse(NO, (SHOT,)))
    assert (refused.refused, refused.between) == (NO, (SHOT,))
    assert update(refused, PutAwayRefusal()) == BattleModel("a")


def test_a_proposal_takes_the_place_of_a_refusal() -> None:
    proposal = Proposal(SHOT, Odds(SHOT, ()), NO)
    proposed = update(update(BattleModel(), Refuse(NO)), Propose(proposal))
    assert proposed.proposal is proposal and proposed.refused is None


def test_a_line_of_the_log_is_looked_at_and_the_same_again_no_longer() -> None:
    line = Line(1, 1, "so")
    looking = update(BattleModel(), LookAt(line))
    assert looking.looked_at is line and update(looking, LookAt(line)).looked_at is None
