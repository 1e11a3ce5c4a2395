"""The record by which There Stand Empires is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.rules.play import ActionKind, Choice, Odds, Play
from tabletop.rules.tse import moving, turn

KINDS = (
    ActionKind("choose", "Choose a division", turn.judge_choose, turn.choose, needs=("group",)),
    ActionKind("hold", "Hold", turn.judge_hold, turn.hold, rules=("TSE-ACT-01",)),
    ActionKind("finish", "Let the rest hold", turn.judge_finish, turn.finish, needs=()),
    ActionKind("general", "Move the general", moving.judge_general, moving.move_general, rules=("TSE-ACT-02",)),
)


def _suggest(battle: Battle) -> Iterator[Action]:
    side = battle.clock.side
    if side is None:
        return
    for group in turn.groups(battle):
        yield Action("choose", side, options={"group": group})
    if battle.clock.phase == turn.ACTING:
        for unit in turn.idle(battle, side, battle.clock.group):
            yield Action("hold", side, unit.id)
        yield Action("finish", side)


def _menu(battle: Battle, unit: str) -> Sequence[Choice]:
    return [Choice("hold", True)]


def _no_odds(battle: Battle, action: Action) -> Odds | None:
    return None


PLAY = Play(
    kinds={kind.name: kind for kind in KINDS},
    answers={"go-first": turn.go_first},
    begin=turn.begin,
    advance=turn.advance,
    mover=lambda battle: battle.clock.side,
    menu=_menu,
    suggest=_suggest,
    random_action=lambda battle, rng: rng.choice(list(_suggest(battle))),
    odds=_no_odds,
    worth=lambda battle, side: float(sum(u.strength for u in battle.side(side))),
    prospect=lambda battle, action: (0.0, ""),
    faults=lambda battle: (),
    groups=turn.groups,
    marks=("acted", "route_march"),
)
