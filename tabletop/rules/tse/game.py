"""The ``Play`` record of There Stand Empires."""

from __future__ import annotations

from tabletop.rules.surroundings import Ground, PlayWithSurroundings
from tabletop.rules.tse.assault import resolve as assault_resolve
from tabletop.rules.tse.assault.breakthrough import BREAKTHROUGH
from tabletop.rules.tse.assault.calculator_form import ASSAULTED, BROKE_THROUGH
from tabletop.rules.tse.calculator import odds
from tabletop.rules.tse.command import generals
from tabletop.rules.tse.computer import action_value, random_action, suggest, unit_value, variations
from tabletop.rules.tse.morale import army_morale, effects
from tabletop.rules.tse.turn import adjustments, invariants, menu, report, sequence, victory, wording
from tabletop.rules.tse.turn.actions import KINDS

#: The texts for marks on a unit's card.
SIGNS = {
    "acted": "has acted",
    "lost_orders": "its orders are lost",
    "may_fire": "may still fire",
    "route_march": "on a route march",
    "coming_on": "coming on",
}
#: Other words players use for an action or a formation.
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

PLAY = PlayWithSurroundings(
    kinds=KINDS,
    phases=(sequence.INITIATIVE, sequence.CHOOSING, sequence.ACTING),
    answers={
        "go-first": sequence.go_first,
        assault_resolve.COUNTERCHARGE: assault_resolve.answer_countercharge,
        BREAKTHROUGH: assault_resolve.answer_breakthrough,
    },
    begin=sequence.begin,
    advance=sequence.advance,
    mover=lambda battle: battle.clock.side,
    menu=menu.menu,
    suggest=suggest.suggest,
    variations=variations.variations,
    random_action=random_action.random_action,
    odds=odds.odds,
    worth=unit_value.worth,
    prospect=action_value.prospect,
    faults=invariants.faults,
    groups=sequence.groups,
    members=sequence.members,
    in_turn=sequence.in_turn,
    adjustments=adjustments.adjustments,
    asks=wording.asks,
    replies=wording.replies,
    driven=effects.driven,
    narrate=report.NARRATION.narrate,
    shots=("deployed-fire", "advancing-fire"),
    slain=("destroyed",),
    minutes=report.minutes(),
    won=victory.won,
    words=WORDS,
    marks=("acted", "started", "lost_orders", "may_fire", "moved_far", "route_march", "coming_on"),
    ground=Ground(150.0, "yards"),  # TSE-SCL-02
    remarks=generals.remarks,
    signs=SIGNS,
    memory=(ASSAULTED, BROKE_THROUGH, army_morale.SHAKEN, army_morale.CHECKED),
)
