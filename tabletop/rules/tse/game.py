"""The record by which There Stand Empires is played."""

from __future__ import annotations

from tabletop.rules.play import Play
from tabletop.rules.tse import (
    adjusting,
    assaulting,
    at_random,
    effects,
    menu,
    morale,
    odds,
    overrun,
    prospects,
    replies,
    soundness,
    suggest,
    telling,
    turn,
    victory,
    worth,
)
from tabletop.rules.tse.breakthrough import BREAKTHROUGH
from tabletop.rules.tse.charging import ASSAULTED, BROKE_THROUGH
from tabletop.rules.tse.kinds import KINDS

#: How marks read on a unit's card.
SIGNS = {
    "acted": "has acted",
    "lost_orders": "its orders are lost",
    "may_fire": "may still fire",
    "route_march": "on a route march",
    "coming_on": "coming on",
}
#: What players also say for an action or a formation.
WORDS = {
    "move": ("maneuver", "general", "route-march"),
    "manoeuvre": ("maneuver",),
    "advance": ("maneuver",),
    "go": ("maneuver", "general"),
    "ride": ("general",),
    "enter": ("route-march",),
    "attack": ("assault",),
    "charge": ("assault",),
    "shoot": ("deployed-fire", "advancing-fire"),
    "rally": ("regroup",),
    "stand": ("hold",),
    "rest": ("hold",),
    "pass": ("finish",),
    "activate": ("choose",),
    "line": ("deployed",),
    "column": ("maneuver-column",),
}

PLAY = Play(
    kinds=KINDS,
    answers={
        "go-first": turn.go_first,
        assaulting.COUNTERCHARGE: assaulting.answer_countercharge,
        BREAKTHROUGH: assaulting.answer_breakthrough,
    },
    begin=turn.begin,
    advance=turn.advance,
    mover=lambda battle: battle.clock.side,
    menu=menu.menu,
    suggest=suggest.suggest,
    random_action=at_random.random_action,
    odds=odds.odds,
    worth=worth.worth,
    prospect=prospects.prospect,
    faults=soundness.faults,
    groups=turn.groups,
    members=turn.members,
    in_turn=turn.in_turn,
    adjustments=adjusting.adjustments,
    asks=replies.asks,
    replies=replies.replies,
    driven=effects.driven,
    narrate=telling.TELLING.narrate,
    minutes=telling.minutes(),
    won=victory.won,
    words=WORDS,
    marks=("acted", "started", "lost_orders", "may_fire", "moved_far", "route_march", "coming_on"),
    remarks=overrun.remarks,
    signs=SIGNS,
    memory=(ASSAULTED, BROKE_THROUGH, morale.SHAKEN, morale.CHECKED),
)
