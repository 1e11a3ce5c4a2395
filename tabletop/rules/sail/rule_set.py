"""The ``RuleSet`` record of Age of Sail: its words, its rulings, and the function for each question."""

from __future__ import annotations

from importlib import import_module

from tabletop.rules.rule_set import Question, RuleSet, late, read_options, read_rulings
from tabletop.rules.sail.broadside import BROADSIDE

HERE = "tabletop.rules.sail"

RULES = RuleSet(
    name="sail",
    title="Age of Sail",
    unit="cm",
    rulings=read_rulings(HERE),
    vocabulary={
        "troop": ("ship-of-the-line", "frigate"),
        "quality": ("weak", "unpractised"),
        "formation": ("sailing",),
        "status": ("ok", "anchored", "struck"),
    },
    muster=late(f"{HERE}.ships:muster"),
    actions=lambda unit: ("sail",),
    play=lambda: import_module(f"{HERE}.game").PLAY,  # at the first battle, since judging needs no game
    calculator=late(f"{HERE}.calculator:calculator"),
    options=read_options(HERE),
    arriving=late("tabletop.rules.common.arrivals:by_centre"),
    vessel=late(f"{HERE}.ships:vessel"),
    wind=late(f"{HERE}.wind:wind_of"),
    endangered=late(f"{HERE}.questions:endangered"),
    questions={
        "distance": Question(late("tabletop.rules.common.distance:distance"), 2, flips=False),
        "fire": Question(
            late(f"{HERE}.gunnery:fire"),
            2,
            attributes=late(f"{HERE}.gunnery:of_fire"),
            influence=late(f"{HERE}.questions:nothing_else"),
            wording=BROADSIDE,
        ),
        "move": Question(late(f"{HERE}.movement:move"), 1, dear=2.0, influence=late(f"{HERE}.questions:on_the_way")),
        "reach": Question(late(f"{HERE}.movement:reach"), 1, flips=False),
        "field": Question(late(f"{HERE}.gunnery:field"), 1, flips=False),
    },
)
